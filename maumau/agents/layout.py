"""What an observation holds: named fields of small numbers, each with the statements that write it.

Everything in it is what one seat sees by the declared visibility (`rules.visibility`), or knows from what it has seen.
Seats count from the seat that observes: `+1` is the next one.

What the seats know are the notes of a game, kept after every event from what the event shows. A card is known to all
from when it lies on the discard pile, and to a seat from when it leaves the seat's hand. It is followed while its way
is certain: the piles are ordered, so who remembers a pile that is turned over knows who takes which card of it. When
cards leave a hand face down, the others know nothing about that hand any more; when the dice are rolled, nobody knows
the draw pile. Cards are followed only in decks in which every card appears once.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from textwrap import indent
from typing import NamedTuple

from fsm.declaration.arcs import Melds, Phase
from fsm.declaration.contents import sets
from fsm.declaration.decks import full_deck, opens_card
from fsm.declaration.declaration import Declaration, player_count
from fsm.declaration.dice import rolls_dice
from fsm.declaration.facts import Fact
from fsm.declaration.parts import WINNERS
from fsm.edge.kept import kept
from fsm.edge.numbers import of_type
from fsm.table.sight import DISCARDS, Relation, sight_of
from maumau.agents.actions import action_space, deck_counts, hand_fields, is_unique
from maumau.agents.compiled.batches import LAST, LYING, SEEN
from rules.queues import QUEUE_BYTES

MOST = 255
"""The greatest number of an observation: it is an array of bytes, and greater numbers are cut off."""


class Notes(NamedTuple):
    """Where the notes of a game have a row for the seats, after those of `maumau.agents.compiled.batches`.

    held: the hand of each seat after the last event. left: the cards that the seat saw leave its hand. length: how many
    notes there are.
    """

    held: int
    left: int
    length: int


def notes_of(game: Declaration) -> Notes:
    """The indices of the notes of a game: a row of 64-bit integers."""
    seats = game.codec.most
    return Notes(LAST + seats, LAST + 2 * seats, LAST + 3 * seats)


def check_dice(game: Declaration) -> None:
    """Raise ValueError for a game in which chance does more than deal."""
    for arc in game.arcs:
        if rolls_dice(arc):
            raise ValueError(f"{game.title}: dice are rolled after the deal by {arc}")


def kinds_by_code(game: Declaration) -> tuple[int, ...]:
    """The index of each card code's name among the names of the deck; 0 for codes that are not in the deck."""
    counts, cards = deck_counts(game), action_space(game).cards
    names = game.codec.notation.cards
    return tuple(cards.index(names[code]) if code in counts else 0 for code in range(max(counts) + 1))


def following(game: Declaration) -> dict[str, int]:
    """What the compiled functions that keep the notes read of a game."""
    notes_at = notes_of(game)
    return {
        "FOLLOWS": is_unique(game),
        "SHOWS_PILES": bool(sight_of(game).shown_piles),
        "HELD": notes_at.held,
        "KINDS": len(action_space(game).cards),
        "LEFT": notes_at.left,
        "NOTES": notes_at.length,
    }


def hand_source(game: Declaration) -> str:
    """The function `hand`, which finds the cards of a seat, and `shown`, which finds those of piles that all see."""
    shown = "".join(f"{_lying_in(fact, 'seat', 'cards |= ')}\n" for fact in sight_of(game).shown_piles)
    piles = f'''

def shown(table):
    """The cards that lie face up in piles, as a mask."""
    cards = 0
    for seat in range(table.players):
{indent(shown, " " * 8)}    return cards'''
    return f'''def hand(table, seat):
    """The cards of a seat, as a mask."""
    return table.{hand_fields(game)[0]}[seat]{piles if shown else ""}'''


def _lying_in(fact: Fact, place: str, into: str) -> str:
    """Statements that do something with the cards of the pile at a place, as masks. into: the beginning of each."""
    if not fact.is_queue:
        return f"{into}table.{fact.field}[{place}]"
    return f"""queue = {place if not fact.in_middle else 0} * {QUEUE_BYTES}
for depth in range(table.{fact.field}[queue]):
    {into}(1 << table.{fact.field}[queue + 1 + depth])"""


@dataclass(frozen=True)
class Field:
    """A part of an observation: numbers from 0 to `high`, in the indices from `start` on, one for each label.

    name: what it is called. labels: those of the numbers. description: what they say. source: the statements that write
    them into `line`.
    """

    name: str
    start: int
    labels: tuple[str, ...]
    high: int
    description: str
    source: str

    @property
    def width(self) -> int:
        """The number of its labels."""
        return len(self.labels)

    @property
    def end(self) -> int:
        """The index after its last number."""
        return self.start + self.width


@dataclass(frozen=True)
class ObservationLayout:
    """The parts that a seat observes, one after the other: `fields`. game: the declaration. players: how many."""

    game: Declaration
    players: int
    fields: tuple[Field, ...]

    @property
    def width(self) -> int:
        """The number of numbers in an observation."""
        return self.fields[-1].end

    def __getitem__(self, name: str) -> Field:
        for field in self.fields:
            if field.name == name:
                return field
        raise KeyError(f"no field {name!r}; use one of {', '.join(field.name for field in self.fields)}")


def layout(game: Declaration, players: int) -> ObservationLayout:
    """Return the fields that a seat observes of a game. game: the declaration. players: how many.

    Raises TypeError, ValueError, UnsupportedGame.
    """
    of_type("game", game, Declaration, "a declaration")
    return _layout(game, player_count(game, players))


@kept
def _layout(game: Declaration, players: int) -> ObservationLayout:
    """The same; it is found once. Arguments are checked before: a cache does not distinguish 3 from 3.0."""
    fields: list[Field] = []
    for part in _parts(game, players):
        start = fields[-1].end if fields else 0
        fields.append(replace(part, start=start, source=part.source.replace("$AT", str(start))))
    return ObservationLayout(game, players, tuple(fields))


def _parts(game: Declaration, players: int) -> Iterator[Field]:
    """The fields, whose places are not known yet: `$AT` in their statements."""
    sight, hands = sight_of(game), hand_fields(game)[0]
    yield from _cards_seen(game, players)
    if is_unique(game) and sight.sees(hands, Relation.SELF) and not sight.is_open(hands):
        yield from _cards_known(game, players)
    for fact in game.codec.facts:
        yield from _fact(game, fact, players)
    if (melds := game.codec.melds) is not None and sight.is_open(melds.field):
        yield from _melds(melds, players)
    yield _phases(game)
    yield from _sizes(game, players)
    yield from _last_events(game, players)


# ---------------------------------------------------------------- cards


def _cards_seen(game: Declaration, players: int) -> Iterator[Field]:
    sight, names = sight_of(game), action_space(game).cards
    copies = max(Counter(game.codec.notation.cards[code] for code in full_deck(game)).values())
    fields = hand_fields(game)
    if all(sight.sees(field, Relation.SELF) for field in fields):
        own = _spread(game, [f"table.{field}[seat]" for field in fields])
        yield Field("hand", 0, names, copies, "the cards in the hand", own)
    for step in range(1, players):
        if all(sight.sees(field, sight.relation(0, step)) for field in fields):
            source = f"{_seat(step, players)}\n{_spread(game, [f'table.{field}[other]' for field in fields])}"
            yield Field(f"hand of +{step}", 0, names, copies, f"the cards in the hand of +{step}", source)
    if sight.is_open("open_card") and _has_open_card(game):
        marked = _marked("table.open_card", len(names), "KIND[table.open_card]")
        yield Field("open card", 0, names, 1, "the open card", marked)
    if sight.is_open(DISCARDS):
        source = f"for place in range({len(names)}):\n    line[$AT + place] = discarded[place]"
        yield Field("discarded", 0, names, copies, "the cards on the discard pile", source)


def _cards_known(game: Declaration, players: int) -> Iterator[Field]:
    """The cards that the seat knows without seeing them."""
    names, hands = action_space(game).cards, hand_fields(game)[0]
    known = f"(notes[{SEEN}] | notes[{notes_of(game).left} + seat])"
    elsewhere = "".join(indent(f"\n{_lying_in(fact, 'other', 'hidden &= ~')}", "    ") for fact in game.piles)
    hidden = f"""hidden = {known} & ~notes[{LYING}]
for other in range({players}):
    hidden &= ~table.{hands}[other]{elsewhere}
"""
    yield Field(
        "known in draw pile",
        0,
        names,
        1,
        "cards that were seen before and lie in the draw pile",
        hidden + _spread(game, ["hidden"]),
    )
    for step in range(1, players):
        source = f"{_seat(step, players)}\nknown = {known} & table.{hands}[other]\n" + _spread(game, ["known"])
        yield Field(
            f"known with +{step}", 0, names, 1, f"cards that were seen before and are in the hand of +{step}", source
        )


def _spread(game: Declaration, masks: list[str]) -> str:
    """Statements that write how many cards of each name are in masks of codes, given as expressions."""
    kinds = kinds_by_code(game)
    by_name: dict[int, int] = {}
    for code in deck_counts(game):
        by_name[kinds[code]] = by_name.get(kinds[code], 0) | 1 << code
    run = next((name for name in by_name if by_name[name] != 1 << name), len(by_name))
    lines = [f"mask{number} = {mask}" for number, mask in enumerate(masks)]
    each = " + ".join(f"(mask{number} >> place & 1)" for number in range(len(masks)))
    lines += [f"for place in range({run}):", f"    line[$AT + place] = {each}"]
    for name in range(run, len(by_name)):
        count = " + ".join(f"(mask{number} & {by_name[name]}).bit_count()" for number in range(len(masks)))
        lines.append(f"line[$AT + {name}] = {count}")
    return "\n".join(lines)


def _marked(value: str, width: int, index: str) -> str:
    """Statements that write 1 at an index, if a value is not negative, and 0 at the others."""
    return f"""for place in range({width}):
    line[$AT + place] = 0
if {value} >= 0:
    line[$AT + {index}] = 1"""


@kept
def _has_open_card(game: Declaration) -> bool:
    """Whether a card is ever open: the deal exposes one, or an effect writes the field."""
    effects = [effect for arc in game.arcs for effect in arc.before]
    return opens_card(game) or sets("open_card", effects)


# ---------------------------------------------------------------- facts, phases, sizes


def _fact(game: Declaration, fact: Fact, players: int) -> Iterator[Field]:
    """A fact of the position, if the seat may see it and it says anything while the game runs."""
    sight, value = sight_of(game), f"table.{fact.field}"
    is_open = sight.is_open(fact.field)
    if fact.is_pile and not is_open:
        yield _pile_sizes(fact, players)
    if fact.field in ("player", "winner", WINNERS) or fact.kind == "ending" or sight.is_hidden(fact.field):
        return
    notation, high = game.codec.notation, 1
    steps = [step for step in range(players) if sight.sees(fact.field, sight.relation(0, step))]
    if fact.is_pile:
        yield from _pile(game, fact, players, steps)
        return
    seen = value if is_open else f"({value} if {sight.condition(fact.field, 'table.player')} else -1)"
    if fact.kind == "counts":
        labels, high = _seats(players), MOST
        source = _by_seat(players, lambda step: _cut(f"{value}[other]") if step in steps else "0")
    elif fact.kind == "seats":
        labels = _seats(players)
        source = _by_seat(players, lambda step: f"{value} >> other & 1" if step in steps else "0")
    elif fact.holds.is_set:
        labels = tuple(fact.holds.names(notation, players))
        source = f"fact = max({seen}, 0)\nfor place in range({len(labels)}):\n    line[$AT + place] = fact >> place & 1"
    elif not fact.holds.of:
        labels, high = (fact.name,), MOST
        source = f"line[$AT] = {_cut(seen)}"
    else:
        indices = {"seat": f"(fact - seat + {players}) % {players}", "suit": "fact", "rank": "fact"}
        named = {"seat": _seats(players), "suit": tuple(notation.suits), "rank": tuple(notation.ranks)}
        labels = named.get(fact.kind, action_space(game).cards)
        marked = _marked("fact", len(labels), indices.get(fact.kind, "KIND[fact]"))
        source = f"fact = {seen}\n{marked}"
    yield Field(fact.name, 0, labels, high, f"the fact `{fact.name}` of the position", source)


def _pile(game: Declaration, fact: Fact, players: int, steps: Sequence[int]) -> Iterator[Field]:
    """The cards of a pile that the seat sees: those in the middle, or before the seats so many `steps` after it."""
    names, what = action_space(game).cards, f"the cards of the pile `{fact.name}`"
    lying = f"lying = 0\n{_lying_in(fact, 'other', 'lying |= ')}\n{_spread(game, ['lying'])}"
    if fact.in_middle:
        yield Field(fact.name, 0, names, 1, what, f"other = 0\n{lying}")
        return
    for step in steps:
        source, seat = f"{_seat(step, players)}\n{lying}", _seats(players)[step]
        yield Field(f"{fact.name} of {seat}", 0, names, 1, f"{what} before {seat}", source)


def _pile_sizes(fact: Fact, players: int) -> Field:
    """How many cards there are in a pile that is hidden."""
    what, size = f"how many cards the pile `{fact.name}` has", f"table.{fact.field}[{{}}].bit_count()"
    if fact.is_queue:
        size = f"table.{fact.field}[{{}} * {QUEUE_BYTES}]"
    if fact.in_middle:
        return Field(f"{fact.name} size", 0, (fact.name,), MOST, what, f"line[$AT] = {size.format(0)}")
    by_seat = _by_seat(players, lambda step: size.format("other"))
    return Field(f"{fact.name} sizes", 0, _seats(players), MOST, f"{what} before each seat", by_seat)


def _cut(value: str) -> str:
    return f"min(max({value}, 0), {MOST})"


def _melds(melds: Melds, players: int) -> Iterator[Field]:
    """The groups that lie before each seat, by what they are."""
    for step, seat in enumerate(_seats(players)):
        source = f"""{_seat(step, players)}
for place in range({len(melds.names)}):
    line[$AT + place] = 0
laid = table.{melds.field}[other]
while laid != 0:
    line[$AT + (laid & {(1 << melds.bits) - 1}) - 1] += 1
    laid >>= {melds.bits}"""
        most = 63 // melds.bits
        yield Field(f"melds of {seat}", 0, melds.names, most, f"the groups of cards that lie before {seat}", source)


def deciding(game: Declaration) -> tuple[Phase, ...]:
    """The phases in which players choose."""
    return tuple(phase for phase in game.phases if game.control_of(phase).offers)


def _phases(game: Declaration) -> Field:
    numbers, chosen = game.phase_numbers, deciding(game)
    lines = (f"line[$AT + {index}] = 1 if phase == {numbers[phase]} else 0" for index, phase in enumerate(chosen))
    source = "\n".join(lines)
    return Field("phase", 0, tuple(map(str, chosen)), 1, "the phase", source)


def _sizes(game: Declaration, players: int) -> Iterator[Field]:
    each = " + ".join(f"table.{field}[other].bit_count()" for field in hand_fields(game))
    hands = _by_seat(players, lambda step: each)
    yield Field("hand sizes", 0, _seats(players), game.deck_size, "how many cards each seat holds", hands)
    piles = "line[$AT] = table.stock\nline[$AT + 1] = table.tail - table.head - table.stock"
    yield Field("pile sizes", 0, ("draw", "discard"), game.deck_size, "how many cards the piles have", piles)


def _last_events(game: Declaration, players: int) -> Iterator[Field]:
    triggers = action_space(game).triggers
    for step in range(1, players):
        source = f"{_seat(step, players)}\nfact = notes[{LAST} + other] - 1\n" + _marked("fact", len(triggers), "fact")
        yield Field(f"last event of +{step}", 0, triggers, 1, f"the event that +{step} chose last", source)


def _seats(players: int) -> tuple[str, ...]:
    return tuple(f"+{step}" for step in range(players))


def _seat(step: int, players: int) -> str:
    """The statement that finds the seat `step` seats after the observer."""
    return f"other = (seat + {step}) % {players}" if step else "other = seat"


def _by_seat(players: int, number: Callable[[int], str]) -> str:
    """The statements that write a number for each seat, by how many seats it is after the observer."""
    return "\n".join(f"{_seat(step, players)}\nline[$AT + {step}] = {number(step)}" for step in range(players))


def observe_source(shape: ObservationLayout) -> str:
    """The function `observe`, which writes what a seat sees and knows into `line`."""
    body = indent("\n".join(field.source for field in shape.fields), "    ")
    return f'''def observe(table, phase, seat, notes, discarded, line):
    """Write what `seat` sees and knows into `line`."""
{body}'''
