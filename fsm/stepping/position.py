"""A position on one line, as FEN does it for chess: it round-trips, and hides what a seat cannot see behind `?`.

await-play player=1 due=0 penalty=0 drawn=- suit=- ending=- winner=- hands=SS,SN/HA,HQ discard=CS draw=SA,CJ
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace
from itertools import chain
from typing import Any

from fsm.declaration.arcs import Phase
from fsm.declaration.declaration import Declaration
from fsm.declaration.facts import IN_TURN, NOTHING, Fact
from fsm.table.layout import PositionError, joined, layout_of
from fsm.table.sight import sight_of
from rules.cards import NO_CARD
from rules.notation import UNKNOWN, expected_name, shown
from rules.piles import discard_pile, draw_pile

MELDS = "melds"
"""The field of the melds, where the game has some."""
Names = tuple[str, ...]
Melds = tuple[Names, ...]


@dataclass(frozen=True)
class Position:
    """A whole position, or what one seat sees of it, in names.

    phase: hyphened. facts: a text for each fact of the declaration, in its order. hands: each in the order in which
    its cards came. discard: bottom card first. draw: top card first. melds: for each seat the groups of cards that lie
    before it, none in games without melds.
    """

    phase: str
    facts: tuple[tuple[str, str], ...]
    hands: tuple[Names, ...]
    discard: Names
    draw: Names
    melds: tuple[Melds, ...] = ()

    def __str__(self) -> str:
        facts = [f"{name}={text}" for name, text in self.facts]
        hands = "/".join(map(joined, self.hands))
        melds = "/".join("+".join(map(joined, melds)) or NOTHING for melds in self.melds)
        laid_out = [f"{MELDS}={melds}"] if self.melds else []
        piles = [f"hands={hands}", *laid_out, f"discard={joined(self.discard)}", f"draw={joined(self.draw)}"]
        return " ".join([self.phase, *facts, *piles])

    @property
    def cards(self) -> Names:
        """The cards of all hands and melds, of the draw pile and of the discard pile."""
        return tuple(chain(*self.hands, *chain.from_iterable(self.melds), self.draw, self.discard))

    def canonical(self) -> Position:
        """Return this position with sorted hands: the order in which cards came changes no game."""
        return replace(self, hands=tuple(tuple(sorted(hand)) for hand in self.hands))


def parse_position(game: Declaration, text: str) -> Position:
    """Read a position, with `?` for unknown cards. A fact that is left out has its default. Raises PositionError."""
    with_melds, facts = game.codec.melds is not None, [fact.name for fact in game.codec.facts]
    cards = ["hands", *[MELDS] * with_melds, "discard", "draw"]
    first, *rest = text.split() or [""]
    if first not in list(game.phases):
        raise PositionError(f"unknown phase {shown(first)}{expected_name(first, game.phases)}")
    given = [field.split("=", 1) for field in rest]
    named = [field[0] for field in given]
    expected = [name for name in facts if name in named] + cards
    if named != expected or any(len(field) != 2 for field in given):
        each = " ".join(f"{name}=..." for name in (*facts, *cards))
        wrong = [f"{name} is missing" for name in cards if name not in named]
        wrong += [f"{shown(name)} is not a field" for name in named if name not in (*facts, *cards)]
        what = wrong[0] if wrong else "a field is written twice, in another place or without ="
        raise PositionError(f"{what}; write {each} after the phase; a fact with its default may be left out")
    layout, values, blank = layout_of(game), dict(given), game.table()
    blank.players = values["hands"].count("/") + 1
    for fact in game.codec.facts:
        if values.setdefault(fact.name, layout.text(fact, blank)) != UNKNOWN:
            layout.value(fact, values[fact.name], blank.players)
    hands = tuple(layout.cards("hands", hand) for hand in values["hands"].split("/"))
    discard, draw = (layout.cards(name, values[name]) for name in ("discard", "draw"))
    melds = _melds(game, values[MELDS], len(hands)) if with_melds else ()
    return Position(first, tuple((name, values[name]) for name in facts), hands, discard, draw, melds)


def open_card(game: Declaration, table: Any) -> str:
    """The name of the open card; empty where none is open."""
    return "" if table.open_card == NO_CARD else game.codec.notation.cards[table.open_card]


def position_of(game: Declaration, phase: Phase, table: Any, hands: tuple[Names, ...]) -> Position:
    """The position of a table in a phase. hands: in the order in which their cards came."""
    facts = tuple((fact.name, layout_of(game).text(fact, table)) for fact in game.codec.facts)
    names = game.codec.notation.names
    discard, draw = tuple(names(discard_pile(table))), tuple(names(draw_pile(table)))
    return Position(str(phase), facts, hands, discard, draw, melds_of(game, table))


def melds_of(game: Declaration, table: Any) -> tuple[Melds, ...]:
    """The melds of each seat of a table, in names; none in games without melds."""
    if game.codec.melds is None:
        return ()
    laid_out, names = game.codec.melds.laid_out, game.codec.notation.names
    return tuple(tuple(tuple(names(meld)) for meld in laid_out(table, seat)) for seat in range(table.players))


def groups_before(game: Declaration, table: Any, piles: Iterable[Fact]) -> tuple[Melds, ...]:
    """The groups of cards that lie before each seat of a table: melds, and those of some piles that are not empty."""
    melds = melds_of(game, table) or ((),) * table.players
    rows = (layout_of(game).piles(fact, table) for fact in piles)
    return tuple((*own, *filter(None, of_seat)) for own, *of_seat in zip(melds, *rows, strict=True))


def seen_position(game: Declaration, position: Position, table: Any, seat: int) -> Position:
    """What `seat` (from 0) sees of the position of `table`."""
    sight, phase = sight_of(game), game.phases(position.phase)
    relation = sight.relation(seat, table.player)
    facts = {
        name: sight.text(fact, text, table, seat)
        for fact, (name, text) in zip(game.codec.facts, position.facts, strict=True)
    }
    if not sight.sees_actor(phase, relation):
        facts[IN_TURN] = UNKNOWN
    seen = sight.hands_seen(seat, table.players)
    hands = [hand if owner in seen else (UNKNOWN,) * len(hand) for owner, hand in enumerate(position.hands)]
    return Position(
        str(sight.phase_seen(phase, relation)),
        tuple(facts.items()),
        tuple(hands),
        sight.discard_pile(table),
        sight.draw_pile(table),
        position.melds,
    )


def _melds(game: Declaration, text: str, players: int) -> tuple[Melds, ...]:
    """The melds of each seat. Raises PositionError."""
    seats = text.split("/")
    if len(seats) != players:
        raise PositionError(f"{MELDS}={shown(text)}; give those of each of {players} players")
    return tuple(
        tuple(layout_of(game).cards(MELDS, meld) for meld in seat.split("+")) if seat != NOTHING else ()
        for seat in seats
    )


def piled(game: Declaration, position: Position) -> Names:
    """The cards of all piles of a position beside the hands, the melds, the draw pile and the discard pile."""
    texts = dict(position.facts)
    seats = (seat for fact in game.piles for seat in texts[fact.name].split("/"))
    return tuple(card for seat in seats if seat != NOTHING for card in seat.split(","))
