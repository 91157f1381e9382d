"""Machines without cards: a turnstile, a traffic light. One player chooses events, and one token stands for the deck.

So whatever works with a game works with them: stepping, diagrams, checks, records, studies.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import fields, replace

from fsm.declaration.arcs import Guards, Invariant, Phase, Postcondition, SmallDeck
from fsm.declaration.codec import Codec
from fsm.declaration.declaration import Declaration
from fsm.declaration.facts import Fact, Look
from fsm.declaration.page import Moves, page
from fsm.declaration.policy import RANDOM
from fsm.declaration.temporal import Response
from rules.ending import OUT_OF_CARDS
from rules.notation import Notation
from rules.rule import effect, query
from rules.table import CardTable

TOKEN = "token"
"""The only card, which the player holds from beginning to end."""


@query
def one_token(players: int) -> int:
    """The token is dealt."""
    return 1


@query
def no_points(table: CardTable, seat: int) -> int:
    """Nothing is counted."""
    return 0


@effect
def stop(table: CardTable) -> None:
    """The machine stops."""
    table.ending = OUT_OF_CARDS


def automaton(
    title: str,
    phases: type[Phase],
    moves: Mapping[Phase, Moves],
    *,
    table: type[CardTable] = CardTable,
    disjoint: tuple[Guards, ...] = (),
    invariants: tuple[Invariant, ...] = (),
    postconditions: tuple[Postcondition, ...] = (),
    over_time: tuple[Invariant | Response, ...] = (),
) -> Declaration:
    """Return the declaration of a machine without cards.

    title: its name for people. phases: the first one is the initial pseudo-state, the last one is final. moves: what
    happens in each phase but the final one, as for `page`. table: its variables: a dataclass that inherits `CardTable`,
    whose own integers are the facts of a position. disjoint: groups of guards of which at most one holds. invariants,
    postconditions, over_time: what `maumau check` verifies. Raises DeclarationError where parts do not fit together.
    """
    arcs, control = page(moves, disjoint)
    initial, *_, final = phases
    variables = [entry.name for entry in fields(table)][len(fields(CardTable)) :]
    return Declaration(
        title=title,
        name=title.lower().replace(" ", "-"),
        table=table,
        codec=Codec(
            notation=Notation((TOKEN,), suits="", suit_word="suit", card_word=TOKEN),
            players=(1,),
            cards_each=one_token,
            facts=tuple(Fact(name, name) for name in variables),
        ),
        score=no_points,
        phases=phases,
        initial=initial,
        final=final,
        arcs=tuple(replace(arc, before=(*arc.before, stop)) if arc.dest is final else arc for arc in arcs),
        control=control,
        disjoint=disjoint,
        policies=(RANDOM,),
        look=Look(endings={"out of cards": "stopped"}, scores="Points"),
        invariants=invariants,
        postconditions=postconditions,
        over_time=over_time,
        small_decks=(SmallDeck(TOKEN, players=1, each=1),),
    )
