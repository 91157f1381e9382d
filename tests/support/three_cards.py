"""What small games of three cards each share: the deal, the hand, and the declaration around their phases and arcs."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from fsm import Arc, Control, Declaration, Policy
from fsm.declaration.arcs import Invariant, Phase, Postcondition, SmallDeck
from fsm.declaration.codec import Codec
from fsm.declaration.facts import Fact
from fsm.declaration.policy import FIRST_LEGAL, RANDOM
from rules.cards import FRENCH_52
from rules.rule import RuleFunction, choice, effect, guard, query
from rules.seats import seat_after
from rules.table import CardTable, deal_in_turn_unopened, fill_once


@query
def cards_each(players: int) -> int:
    return 3


@effect
def deal(table: CardTable, deck: Sequence[int], players: int) -> None:
    deal_in_turn_unopened(table, deck, players, cards_each(players))


@query
def hand(table: CardTable) -> int:
    return table.hands[table.player]


@guard("{card} is no card of the hand")
def is_held(table: CardTable) -> bool:
    """The card is one of the hand."""
    return table.hands[table.player] >> table.card & 1 == 1


@effect
def next_player(table: CardTable) -> None:
    table.turns += 1
    table.player = seat_after(table.player, table.players)


@choice
def lowest_card(table: CardTable) -> int:
    return (hand(table) & -hand(table)).bit_length() - 1


def game_of_three_cards(
    title: str,
    table: type[CardTable],
    *,
    facts: tuple[Fact, ...],
    score: RuleFunction,
    phases: type[Phase],
    control: Mapping[Phase, Control],
    arcs: tuple[Arc, ...],
    policies: tuple[Policy, ...],
    invariants: tuple[Invariant, ...] = (),
    postconditions: tuple[Postcondition, ...] = (),
    small_deck: SmallDeck,
) -> Declaration:
    """A game of 2 to 4 players with a deck of 52 cards; the first of its phases is the initial one, the last the final.

    facts: besides the player who acts, the ending and the winner. policies: besides those that every game has.
    """
    initial, *_, final = phases
    ended = Fact("ending", "ending", "ending"), Fact("winner", "winner", "seat")
    every_fact = Fact("player", "player", "seat"), *facts, *ended
    return Declaration(
        title=title,
        name=title.lower(),
        table=table,
        codec=Codec(notation=FRENCH_52, players=(2, 3, 4), cards_each=cards_each, facts=every_fact),
        deck_size=52,
        fill=fill_once,
        deal=deal,
        deal_each=deal_in_turn_unopened,
        score=score,
        phases=phases,
        initial=initial,
        final=final,
        control=control,
        arcs=arcs,
        policies=(*policies, RANDOM, FIRST_LEGAL),
        invariants=invariants,
        postconditions=postconditions,
        small_decks=(small_deck,),
    )
