"""What one player sees of a game, by the declared visibility of the fields of the table (see `rules.visibility`), and
how a terminal shows it.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from types import MappingProxyType
from typing import Any

from fsm.declaration.arcs import Phase
from fsm.declaration.declaration import TURN, Declaration
from fsm.declaration.facts import HOW_IT_ENDED, WHO_ACTS, Fact, text_of
from fsm.edge.kept import kept
from fsm.edge.numbers import as_int
from fsm.stepping.moves import PhasePlan, move_of
from fsm.stepping.position import IN_TURN, Names, fact_text, melds_of, pile_of, seen_pile
from fsm.stepping.snapshot import NONE
from fsm.stepping.steps import Move, Step, by_player
from fsm.table.sight import DISCARDS, HANDS, Relation, Sight, sight_of
from rules.ending import Ending
from rules.notation import UNKNOWN
from rules.piles import discard_pile

Value = int | str | Ending | tuple[int | None, ...] | tuple[str, ...] | tuple[tuple[str, ...], ...] | None
LINE = 160
"""Columns of a line in which the hands of many players are shown."""
ON_ONE_LINE = 4
"""Hands of up to this many players stand on one line."""


@dataclass(frozen=True)
class View:
    """A game as one player sees it. It does not change when the game goes on.

    game: its name. viewer, player: who sees it and who acts, from 1; None where others are asked, whom the viewer does
    not see. players: how many. phase: what the viewer sees of it. hand: the viewer's cards, in the order in which they
    came. open_card: empty if there is none, None if the viewer does not see it. discard_pile: its cards, the bottom
    card first. hand_sizes, draw_pile_size: numbers of cards. moves: the legal moves, if the viewer is to choose now.
    history: the events, with `?` for a card or a value that the viewer did not see, and the decision rule of own moves
    only. melds: the groups of cards that lie before each player, in games that have some.
    facts: the facts of the position that the viewer sees, by name; each is an attribute, too: `view.due`. Cards and
    suits are names, players count from 1, a fact for each seat is a tuple, a pile one of names, and None is none.
    """

    game: str
    viewer: int
    player: int | None
    players: int
    phase: Phase
    hand: tuple[str, ...]
    hand_sizes: tuple[int, ...]
    open_card: str | None
    discard_pile: tuple[str, ...]
    draw_pile_size: int
    facts: Mapping[str, Value]
    moves: tuple[Move, ...]
    history: tuple[Step, ...]
    melds: tuple[tuple[tuple[str, ...], ...], ...] = ()

    def __getattr__(self, name: str) -> Value:
        try:
            return vars(self)["facts"][name]  # type: ignore[no-any-return]
        except KeyError:
            raise AttributeError(
                f"a view has no {name!r}, or player {vars(self).get('viewer')} does not see it"
            ) from None


def view_of(
    sight: Sight,
    plan: PhasePlan,
    table: Any,
    hands: Sequence[Names],
    history: tuple[Step, ...],
    seat: int,
) -> View:
    """What `seat` (from 0) sees of the game on `table`.

    hands: in the order in which their cards came. history: what the seat has seen of the events.
    """
    game, relation = sight.game, sight.relation(seat, table.player)
    choosing = table.player == seat and not any(plan.forced_now(table))
    facts = {fact.name: _value(sight, fact, table, seat) for fact in sight.facts[relation]}
    sees_actor = sight.sees_actor(plan.phase, relation)
    if not sees_actor:
        del facts[IN_TURN]
    return View(
        game=game.name,
        viewer=seat + 1,
        player=int(table.player) + 1 if sees_actor else None,
        players=int(table.players),
        phase=sight.phase_seen(plan.phase, relation),
        hand=hands[seat] if sight.sees(HANDS, Relation.SELF) else (UNKNOWN,) * len(hands[seat]),
        hand_sizes=tuple(map(len, hands)),
        open_card=sight.open_card(table, relation),
        discard_pile=sight.names(table, discard_pile(table), sight.is_open(DISCARDS)),
        draw_pile_size=int(table.stock),
        facts=MappingProxyType(facts),
        moves=tuple(move_of(game, code) for code in plan.offered(table)) if choosing else (),
        history=history,
        melds=melds_of(game, table) if game.codec.melds else (),
    )


def seat_of(table: Any, player: int) -> int:
    """The seat (from 0) of a player (from 1). Raises ValueError for a player who is not there."""
    player = as_int("player", player)
    if not 1 <= player <= table.players:
        raise ValueError(f"player {player} sees nothing, expected 1 to {table.players}")
    return player - 1


def turn_of(table: Any) -> int:
    """The player whose turn it is on a table, from 1."""
    return int(getattr(table, TURN, table.player)) + 1


def who_acts(table: Any, asks: bool) -> str:
    """Who acts in a phase, in words: `player 2 in turn`, or `player 3 is asked, player 2 in turn`.

    asks: whether seats are asked one after another.
    """
    player, turn = table.player + 1, turn_of(table)
    if player == turn:
        return f"player {player} in turn"
    return f"player {player} {'is asked' if asks else 'acts'}, player {turn} in turn"


def visible_facts(game: Declaration, table: Any, seat: int) -> dict[str, Value]:
    """The values of the facts that `seat` (from 0, or WATCHER) sees, by name."""
    sight = sight_of(game)
    facts = sight.facts[sight.relation(seat, table.player)]
    return {fact.name: _value(sight, fact, table, seat) for fact in facts}


def _value(sight: Sight, fact: Fact, table: Any, seat: int) -> Value:
    value, game = getattr(table, fact.field), sight.game
    if fact.is_pile:
        piles = seen_pile(game, fact, table, seat)
        return piles[0] if fact.in_middle else piles
    if fact.kind == "counts":
        seen = sight.owners(fact.field, seat, table.players)
        return tuple(int(value[owner]) if owner in seen else None for owner in range(table.players))
    if fact.kind == "number" and not fact.words:
        return int(value)
    if fact.kind == "ending":
        return None if value == Ending.RUNNING else Ending(value)
    if value < 0:
        return None
    return int(value) + 1 if fact.kind == "seat" else text_of(game.codec.notation, fact, value)


def is_seen(game: Declaration, step: Step, seat: int) -> bool:
    """Whether `seat` (from 0) sees that anything happens at an event."""
    return step.player == seat + 1 or game.arc_seen(step.arc) is not None


def seen_step(game: Declaration, step: Step, seat: int) -> Step | None:
    """An event as `seat` (from 0) sees it; None if it does not see that anything happens."""
    if step.player == seat + 1:
        return step
    if (arc := game.arc_seen(step.arc)) is None:
        return None
    sight, down = sight_of(game), arc.trigger in game.face_down
    relation, card = sight.relation(seat, step.player - 1), step.card
    if card is not None and (down or not sight.sees("card" if arc.trigger in game.card_events else "drawn", relation)):
        card = UNKNOWN
    hidden: dict[str, Any] = {str(kind): UNKNOWN for kind in step.named if down or not sight.sees(kind, relation)}
    return step._replace(trigger=arc.trigger, source=arc.source, arc=arc, card=card, rule=None, repeats=False, **hidden)


def table_text(game: Any) -> str:
    """The table of a game as the statement of the problem shows it; many players stand in several lines.

    Below the hands are both piles; in games of tricks, of the trump, the trick and the piles what is there. A machine
    without cards shows its phase and its own facts.
    """
    if game.declaration.deck_size == 1:
        declaration, usual = game.declaration, {fact.field for fact in (*WHO_ACTS, *HOW_IT_ENDED)}
        own = [fact for fact in declaration.codec.facts if fact.field not in usual]
        texts = [f"{fact.name}: {fact_text(declaration, fact, game.table)}" for fact in own]
        return ", ".join([str(game.phase), *texts])
    hands = [f"player {seat}: {' '.join(hand)}" for seat, hand in enumerate(game.hands, 1)]
    if game.melds:
        hands = [" | ".join([hand, *map(" ".join, melds)]) for hand, melds in zip(hands, game.melds, strict=True)]
    else:
        hands = _in_columns(hands, *_columns(game.declaration, game.players))
    return "\n".join([*hands, *_below_hands(game)])


@kept
def _columns(game: Declaration, players: int) -> tuple[int, int]:
    """The least width of a hand, and how many hands stand on a line."""
    width = len("player 1: ") + 3 * game.codec.cards_each(players) + 5
    return width, max(LINE // (width + 1), 2) if players > ON_ONE_LINE else players


def _in_columns(hands: Sequence[str], width: int, in_row: int) -> list[str]:
    """The lines on which hands stand beside each other. width: the least of each. in_row: how many on a line."""
    wide = [f"{hand}   ".ljust(width) for hand in hands]
    return ["".join(wide[first : first + in_row]).rstrip() for first in range(0, len(wide), in_row)]


def _below_hands(game: Any) -> list[str]:
    """The lines below the hands: the trump, the trick and the piles."""
    declaration, table, look = game.declaration, game.table, game.declaration.look
    below = {look.discard_pile: " ".join(game.discard_pile), look.draw_pile: " ".join(game.draw_pile)}
    if declaration.is_of_tricks:
        notation = declaration.codec.notation
        trump = "" if table.trump == NONE else notation.suit_name(notation.suits[table.trump])
        shown = {"trump": trump, "trick": by_player(game.trick), **below}
        below = {name: text for name, text in shown.items() if text}
    for fact in declaration.piles:
        if fact not in sight_of(declaration).open_piles:
            below[fact.name] = " / ".join(" ".join(pile) or "-" for pile in pile_of(declaration, fact, table))
    return [f"{label}{text}".rstrip() for label, text in zip(_labels(*below), below.values(), strict=True)]


@lru_cache
def _labels(*names: str) -> list[str]:
    """The names of piles with a colon, all of one width."""
    width = max((len(f"{name}: ") for name in names), default=0)
    return [f"{name}: ".ljust(width) for name in names]
