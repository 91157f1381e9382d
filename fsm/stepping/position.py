"""A position on one line, as FEN does it for chess: it round-trips, and hides what a seat cannot see behind `?`.

await-play player=1 due=0 penalty=0 drawn=- suit=- ending=- winner=- hands=SS,SN/HA,HQ discard=CS draw=SA,CJ
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from itertools import chain
from typing import Any, cast

from fsm.declaration.arcs import Phase
from fsm.declaration.declaration import Declaration
from fsm.declaration.facts import MAX_TALLY, NOTHING, Fact, text_of, words_of
from fsm.table.sight import DISCARDS, HANDS, RING, Level, Sight, sight_of
from rules.cards import NO_CARD, bits
from rules.errors import raised_as
from rules.notation import UNKNOWN, expected_name, shown
from rules.piles import discard_pile, draw_pile
from rules.queues import QUEUE_BYTES

MELDS = "melds"
"""The field of the melds, where the game has some."""
IN_TURN = "player"
"""The field of every table that names the player who acts: there always is one."""
Names = tuple[str, ...]
Melds = tuple[Names, ...]


class PositionError(ValueError):
    """A line is no position of the game; the message names the field, what is wrong and what was expected."""


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
        hands = "/".join(map(_joined, self.hands))
        melds = "/".join("+".join(map(_joined, melds)) or NOTHING for melds in self.melds)
        laid_out = [f"{MELDS}={melds}"] if self.melds else []
        piles = [f"hands={hands}", *laid_out, f"discard={_joined(self.discard)}", f"draw={_joined(self.draw)}"]
        return " ".join([self.phase, *facts, *piles])

    @property
    def cards(self) -> Names:
        """The cards of all hands and melds, of the draw pile and of the discard pile."""
        return tuple(chain(*self.hands, *chain.from_iterable(self.melds), self.draw, self.discard))

    def canonical(self) -> Position:
        """Return this position with sorted hands: the order in which cards came changes no game."""
        return replace(self, hands=tuple(tuple(sorted(hand)) for hand in self.hands))

    @property
    def is_whole(self) -> bool:
        """Whether every card is known."""
        return UNKNOWN not in self.cards


def parse_position(game: Declaration, text: str) -> Position:
    """Read a position, with `?` for unknown cards. A fact that is left out has its default. Raises PositionError."""
    with_melds, facts = game.codec.melds is not None, [fact.name for fact in game.codec.facts]
    cards = ["hands", *[MELDS] * with_melds, "discard", "draw"]
    first, *rest = text.split() or [""]
    if first not in list(game.phases):
        raise PositionError(f"position: unknown phase {shown(first)}{expected_name(first, game.phases)}")
    given = [field.split("=", 1) for field in rest]
    named = [field[0] for field in given]
    expected = [name for name in facts if name in named] + cards
    if named != expected or any(len(field) != 2 for field in given):
        each = " ".join(f"{name}=..." for name in (*facts, *cards))
        raise PositionError(f"position: fields after the phase must be {each}; a fact with its default may be left out")
    values, blank = dict(given), game.table()
    blank.players = values["hands"].count("/") + 1
    for fact in game.codec.facts:
        if values.setdefault(fact.name, fact_text(game, fact, blank)) != UNKNOWN:
            value_of(game, fact, values[fact.name], blank.players)
    hands = tuple(_cards(game, "hands", hand) for hand in values["hands"].split("/"))
    discard, draw = (_cards(game, name, values[name]) for name in ("discard", "draw"))
    melds = _melds(game, values[MELDS], len(hands)) if with_melds else ()
    return Position(first, tuple((name, values[name]) for name in facts), hands, discard, draw, melds)


def codes_in(fact: Fact, table: Any, place: int) -> list[int]:
    """The codes of the cards of the pile at a place of a field: ascending, in a queue the top card first."""
    value = getattr(table, fact.field)
    if not fact.is_queue:
        return bits(value[place])
    first = place * QUEUE_BYTES + 1
    return list(value[first : first + value[first - 1]])


def lay_pile(fact: Fact, table: Any, place: int, codes: Sequence[int]) -> None:
    """Give the pile at a place of a field these cards."""
    value = getattr(table, fact.field)
    if fact.is_queue:
        value[place * QUEUE_BYTES : (place + 1) * QUEUE_BYTES] = bytes([len(codes), *codes]).ljust(QUEUE_BYTES, b"\0")
    else:
        value[place] = sum(1 << code for code in codes)


def pile_of(game: Declaration, fact: Fact, table: Any) -> tuple[Names, ...]:
    """The names of the cards of a pile of `table`: those before each seat, or of the one in the middle."""
    return tuple(tuple(game.codec.notation.names(codes_in(fact, table, place))) for place in fact.piles(table.players))


def seen_pile(game: Declaration, fact: Fact, table: Any, seat: int) -> tuple[Names, ...]:
    """The same as `seat` (from 0) sees it: of hidden cards everybody sees how many there are."""
    sight = sight_of(game)
    return tuple(
        sight.names(table, codes_in(fact, table, owner), sight.sees(fact.field, sight.relation(seat, owner)))
        for owner in fact.piles(table.players)
    )


def fact_text(game: Declaration, fact: Fact, table: Any) -> str:
    """The text of a fact of `table`."""
    value = getattr(table, fact.field)
    if fact.is_pile:
        return "/".join(map(_joined, pile_of(game, fact, table)))
    if fact.kind == "counts":
        return "/".join(str(count) for count in value[: table.players])
    return text_of(game.codec.notation, fact, value)


def seen_text(sight: Sight, fact: Fact, text: str, table: Any, seat: int) -> str:
    """What `seat` (from 0) sees of the text of a fact of `table`. Everybody sees that nothing was drawn or named."""
    if fact.is_pile:
        return "/".join(map(_joined, seen_pile(sight.game, fact, table, seat)))
    if sight.level(fact.field, sight.relation(seat, table.player)) is Level.OWN:
        seen = sight.owners(fact.field, seat, table.players)
        return "/".join(count if owner in seen else UNKNOWN for owner, count in enumerate(text.split("/")))
    return text if text == NOTHING and not sight.is_hidden(fact.field) else UNKNOWN


def open_card(game: Declaration, table: Any) -> str:
    """The name of the open card; empty where none is open."""
    return "" if table.open_card == NO_CARD else game.codec.notation.cards[table.open_card]


def position_of(game: Declaration, phase: Phase, table: Any, hands: tuple[Names, ...]) -> Position:
    """The position of a table in a phase. hands: in the order in which their cards came."""
    facts = tuple((fact.name, fact_text(game, fact, table)) for fact in game.codec.facts)
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
    rows = (pile_of(game, fact, table) for fact in piles)
    return tuple((*own, *filter(None, of_seat)) for own, *of_seat in zip(melds, *rows, strict=True))


def laid_open(game: Declaration, table: Any) -> tuple[Melds, ...]:
    """Those that lie face up; none in games in which no cards lie so."""
    piles = sight_of(game).open_piles
    return groups_before(game, table, piles) if game.codec.melds or piles else ()


def seen_position(game: Declaration, position: Position, table: Any, seat: int) -> Position:
    """What `seat` (from 0) sees of the position of `table`."""
    sight, phase = sight_of(game), game.phases(position.phase)
    relation = sight.relation(seat, table.player)
    texts = [
        text if sight.level(fact.field, relation) is Level.WHOLE else seen_text(sight, fact, text, table, seat)
        for fact, (_, text) in zip(game.codec.facts, position.facts, strict=True)
    ]
    facts = dict(zip((name for name, _ in position.facts), texts, strict=True))
    if not sight.sees_actor(phase, relation):
        facts[IN_TURN] = UNKNOWN
    seen = sight.owners(HANDS, seat, table.players)
    hands = [hand if owner in seen else (UNKNOWN,) * len(hand) for owner, hand in enumerate(position.hands)]
    return Position(
        str(sight.phase_seen(phase, relation)),
        tuple(facts.items()),
        tuple(hands),
        sight.names(table, discard_pile(table), sight.is_open(DISCARDS)),
        sight.names(table, draw_pile(table), sight.is_open(RING)),
        position.melds,
    )


def set_fact(game: Declaration, fact: Fact, text: str, table: Any) -> None:
    """Give a fact of `table` the value of its text. Raises PositionError."""
    value: Any = value_of(game, fact, text, table.players)
    if fact.is_pile:
        for place, codes in enumerate(value):
            lay_pile(fact, table, place, codes)
    elif isinstance(value, list):
        getattr(table, fact.field)[: len(value)] = value
    else:
        setattr(table, fact.field, value)


def value_of(game: Declaration, fact: Fact, text: str, players: int) -> int | list[int] | list[list[int]]:
    """The integer of a fact's text, the list of one for each seat, or the codes of each pile. Raises PositionError."""
    if fact.kind != "counts" and not fact.is_pile:
        return code_of(game, fact, text, players)
    texts = text.split("/")
    if len(texts) != len(fact.piles(players)):
        what = "a number" if fact.kind == "counts" else "the cards"
        of = "of one pile" if fact.in_middle else f"for each of {players} players"
        raise PositionError(f"position: {fact.name}={shown(text)}, expected {what} {of}")
    if fact.is_pile:
        piles = (_cards(game, fact.name, each) for each in texts)
        return [[game.codec.notation.card(card) for card in pile if card != UNKNOWN] for pile in piles]
    return [code_of(game, replace(fact, kind="number"), count, players) for count in texts]


def code_of(game: Declaration, fact: Fact, text: str, players: int) -> int:
    """The integer of a fact's text. Raises PositionError."""
    if words := words_of(fact):
        if text in words:
            return words.index(text)
        raise PositionError(f"position: {fact.name}={shown(text)}, expected one of {', '.join(words)}")
    if fact.holds.is_set:
        one = replace(
            fact, kind=cast(Any, fact.holds.of), field=IN_TURN
        )  # each of them is there, as the one in turn is
        return sum({1 << code_of(game, one, each, players) for each in text.split(",") if text != NOTHING})
    if text == NOTHING and fact.holds.of and fact.field != IN_TURN:
        return -1
    if fact.holds.of in ("seat", ""):
        least, most = (1, players) if fact.kind == "seat" else (0, MAX_TALLY if fact.is_tally else fact.most)
        if not (text.isascii() and text.isdigit() and len(text) < 10 and least <= int(text) <= most):
            raise PositionError(f"position: {fact.name}={shown(text)}, expected a number from {least} to {most}")
        return int(text) - least
    notation = game.codec.notation
    with raised_as(PositionError, f"position: {fact.name}: "):
        return getattr(notation, fact.holds.of)(text)  # type: ignore[no-any-return]


def _melds(game: Declaration, text: str, players: int) -> tuple[Melds, ...]:
    """The melds of each seat. Raises PositionError."""
    seats = text.split("/")
    if len(seats) != players:
        raise PositionError(f"position: {MELDS}={shown(text)}, expected those of each of {players} players")
    return tuple(
        tuple(_cards(game, MELDS, meld) for meld in seat.split("+")) if seat != NOTHING else () for seat in seats
    )


def _cards(game: Declaration, name: str, text: str) -> Names:
    if text == NOTHING:
        return ()
    cards = tuple(text.split(","))
    for card in cards:
        if card != UNKNOWN and not game.codec.notation.knows(card):
            raise PositionError(f"position: {name}: unknown card {shown(card)}, {game.codec.notation.hint(card)}")
    return cards


def piled(game: Declaration, position: Position) -> Names:
    """The cards of all piles of a position beside the hands, the melds, the draw pile and the discard pile."""
    texts = dict(position.facts)
    seats = (seat for fact in game.piles for seat in texts[fact.name].split("/"))
    return tuple(card for seat in seats if seat != NOTHING for card in seat.split(","))


def _joined(cards: Sequence[str]) -> str:
    return ",".join(cards) or NOTHING
