"""What an observation holds: named fields of small numbers.

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
from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import NamedTuple

from fsm.declaration.declaration import Declaration
from fsm.declaration.facts import Fact, ValueKind
from fsm.edge.kept import kept
from fsm.edge.numbers import Array, as_bool, as_int, of_type
from fsm.table.sight import sight_of
from maumau.agents.actions import action_space, deck_counts, hand_fields, is_unique
from maumau.agents.compiled.batches import CHOSEN, LAST, LYING, SEEN
from maumau.kernels.compiler.observing import ObservingPlan

MOST = 255
"""The greatest number of an observation: it is an array of bytes, and greater numbers are cut off."""
MOST_EVENTS = 1_000
"""The last events of an observation, at most."""
PAST = "past"
"""The name of the field with the last events."""


class Notes(NamedTuple):
    """Where the notes of a game have a row for the seats, after those of `maumau.agents.compiled.batches`.

    held: the hand of each seat after the last event. left: the cards that the seat saw leave its hand. past: the ring
    of each seat, with the last events as the seat saw them. length: how many notes there are.
    """

    held: int
    left: int
    past: int
    length: int


def notes_of(game: Declaration, events: int = 0) -> Notes:
    """The indices of the notes of a game: a row of 64-bit integers. events: as for `layout`."""
    seats = game.codec.most
    past = LAST + 3 * seats
    return Notes(LAST + seats, LAST + 2 * seats, past, past + (seats * (events + 1) if events else 0))


def check_dice(game: Declaration) -> None:
    """Raise ValueError for a game in which chance does more than deal."""
    if game.rolling_arcs:
        raise ValueError(f"{game.title}: dice are rolled after the deal by {game.rolling_arcs[0]}")


def kinds_by_code(game: Declaration) -> tuple[int, ...]:
    """The index of each card code's name among the names of the deck; 0 for codes that are not in the deck."""
    counts, cards = deck_counts(game), action_space(game).cards
    names = game.codec.notation.cards
    return tuple(cards.index(names[code]) if code in counts else 0 for code in range(max(counts) + 1))


def following(game: Declaration, events: int = 0) -> dict[str, int]:
    """What the compiled functions that keep the notes read of a game. events: as for `layout`."""
    notes_at = notes_of(game, events)
    past = {"EVENTS": events, "PAST": notes_at.past, "SIDES": game.scoring.sides}
    return (past if events else {}) | {
        "FOLLOWS": is_unique(game),
        "SHOWS_PILES": bool(sight_of(game).shown_piles),
        "HELD": notes_at.held,
        "KINDS": len(action_space(game).cards),
        "LEFT": notes_at.left,
        "NOTES": notes_at.length,
        "CHOSEN": CHOSEN,
        "LAST": LAST,
        "LYING": LYING,
        "SEEN": SEEN,
    }


@dataclass(frozen=True)
class Field:
    """A part of an observation: numbers from 0 to `high`, in the indices from `start` on, one for each label.

    name: what it is called. labels: those of the numbers. description: what they say. shows: what is written into them.
    fact: the one that they show, if any. step: how many seats after the observer the seat is that they are about.
    """

    name: str
    start: int
    labels: tuple[str, ...]
    high: int
    description: str
    shows: str
    fact: Fact | None = None
    step: int = 0

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
    """The parts that a seat observes, one after the other: `fields`. game: the declaration. players: how many.

    memory: whether there are fields of cards that the seat knows without seeing them. events: how many of the last
    events there are, in the field `past`.
    """

    game: Declaration
    players: int
    fields: tuple[Field, ...]
    memory: bool = True
    events: int = 0

    @property
    def width(self) -> int:
        """The number of numbers in an observation."""
        return self.fields[-1].end

    def past(self, observations: Array) -> Array:
        """Return the last events of observations, the oldest first: shape (..., events, numbers of an event), a view.

        observations: shape (..., width). Rows of zeros stand before the first event. An event has 1 for who chose it,
        for the event, for its card, and for its value, where the seat saw them, and else 0. Raises KeyError without
        `events`.
        """
        field = self[PAST]
        return observations[..., field.start : field.end].reshape(*observations.shape[:-1], self.events, -1)

    def without_past(self, observations: Array) -> Array:
        """Return what a layout without `events` has of observations: shape (..., its width), a view.

        observations: shape (..., width).
        """
        return observations[..., : self[PAST].start] if self.events else observations

    def __getitem__(self, name: str) -> Field:
        for field in self.fields:
            if field.name == name:
                return field
        raise KeyError(f"no field {name!r}; use one of {', '.join(field.name for field in self.fields)}")


def layout(game: Declaration, players: int, memory: bool = True, events: int = 0) -> ObservationLayout:
    """Return the fields that a seat observes of a game. game: the declaration. players: how many.

    memory: whether there are fields of cards that the seat knows without seeing them (`known with +1`). events: how
    many of the last events that players chose there are, as the seat saw them, in the field `past`. Raises TypeError,
    ValueError, UnsupportedGame.
    """
    of_type("game", game, Declaration, "a declaration")
    events = as_int("events", events, 0, MOST_EVENTS)
    return _layout(game, game.player_count(players), as_bool("memory", memory), events)


@kept
def _layout(game: Declaration, players: int, memory: bool, events: int) -> ObservationLayout:
    """The same; it is found once. Arguments are checked before: a cache does not distinguish 3 from 3.0."""
    fields: list[Field] = []
    for part in _parts(game, players, memory, events):
        start = fields[-1].end if fields else 0
        fields.append(replace(part, start=start))
    return ObservationLayout(game, players, tuple(fields), memory, events)


def _parts(game: Declaration, players: int, memory: bool, events: int) -> Iterator[Field]:
    """The fields, whose places are not known yet."""
    sight, hands = sight_of(game), hand_fields(game)[0]
    yield from _cards_seen(game, players)
    if memory and is_unique(game) and not sight.is_hidden(hands) and not sight.is_open(hands):
        yield from _cards_known(game, players)
    for fact in game.codec.facts:
        yield from _fact(game, fact, players)
    if game.codec.melds and sight.is_open(game.codec.melds.field):
        yield from _melds(game, players)
    yield _phases(game)
    yield from _sizes(game, players)
    yield from _last_events(game, players)
    if events:
        yield _past(game, players, events)


# ---------------------------------------------------------------- cards


def _cards_seen(game: Declaration, players: int) -> Iterator[Field]:
    sight, names = sight_of(game), action_space(game).cards
    copies = max(Counter(game.codec.notation.cards[code] for code in game.full_deck()).values())
    fields = hand_fields(game)
    if not any(map(sight.is_hidden, fields)):
        yield Field("hand", 0, names, copies, "the cards in the hand", "hand")
    for step in range(1, players):
        if all(sight.sees(field, sight.relation(0, step)) for field in fields):
            yield Field(f"hand of +{step}", 0, names, copies, f"the cards in the hand of +{step}", "hand", step=step)
    if sight.is_open("open_card") and game.opens_cards:
        yield Field("open card", 0, names, 1, "the open card", "open card")
    if sight.shows_discards:
        yield Field("discarded", 0, names, copies, "the cards on the discard pile", "discarded")


def _cards_known(game: Declaration, players: int) -> Iterator[Field]:
    """The cards that the seat knows without seeing them."""
    names, what = action_space(game).cards, "cards that were seen before and"
    yield Field("known in draw pile", 0, names, 1, f"{what} lie in the draw pile", "known in pile")
    for step in range(1, players):
        yield Field(
            f"known with +{step}", 0, names, 1, f"{what} are in the hand of +{step}", "known in hand", step=step
        )


# ---------------------------------------------------------------- facts, phases, sizes


def _fact(game: Declaration, fact: Fact, players: int) -> Iterator[Field]:
    """A fact of the position, if the seat may see it and it says anything while the game runs."""
    sight = sight_of(game)
    if fact.is_pile and not sight.is_open(fact.field):
        yield _pile_sizes(fact, players)
    if fact.field in ("player", "winner", "winners") or fact.kind == "ending" or sight.is_hidden(fact.field):
        return
    if fact.is_pile:
        yield from _pile(game, fact, players)
        return
    notation, high = game.codec.notation, 1
    if fact.kind == "counts":
        labels, high = _seats(players), MOST
    elif fact.kind == "seats":
        labels = _seats(players)
    elif fact.holds.is_set:
        labels = tuple(fact.holds.names(notation, players))
    elif not fact.holds.of:
        labels, high = (fact.name,), MOST
    else:
        named = {"seat": _seats(players), "suit": tuple(notation.suits), "rank": tuple(notation.ranks)}
        labels = named.get(fact.kind, action_space(game).cards)
    yield Field(fact.name, 0, labels, high, f"the fact `{fact.name}` of the position", "fact", fact=fact)


def _pile(game: Declaration, fact: Fact, players: int) -> Iterator[Field]:
    """The cards of a pile that the seat sees: those in the middle, or before each seat."""
    names, what, sight = action_space(game).cards, f"the cards of the pile `{fact.name}`", sight_of(game)
    if fact.in_middle:
        yield Field(fact.name, 0, names, 1, what, "pile", fact=fact)
        return
    for step, seat in enumerate(_seats(players)):
        if sight.sees(fact.field, sight.relation(0, step)):
            yield Field(f"{fact.name} of {seat}", 0, names, 1, f"{what} before {seat}", "pile", fact=fact, step=step)


def _pile_sizes(fact: Fact, players: int) -> Field:
    """How many cards there are in a pile that is hidden."""
    what = f"how many cards the pile `{fact.name}` has"
    if fact.in_middle:
        return Field(f"{fact.name} size", 0, (fact.name,), MOST, what, "pile sizes", fact=fact)
    return Field(f"{fact.name} sizes", 0, _seats(players), MOST, f"{what} before each seat", "pile sizes", fact=fact)


def _melds(game: Declaration, players: int) -> Iterator[Field]:
    """The groups that lie before each seat, by what they are."""
    melds = game.codec.melds
    assert melds is not None
    most = 63 // melds.bits
    for step, seat in enumerate(_seats(players)):
        yield Field(
            f"melds of {seat}", 0, melds.names, most, f"the groups of cards that lie before {seat}", "melds", step=step
        )


def _phases(game: Declaration) -> Field:
    """The phases in which players choose."""
    deciding = tuple(str(phase) for phase in game.phases if game.control_of(phase).offers)
    return Field("phase", 0, deciding, 1, "the phase", "phase")


def _sizes(game: Declaration, players: int) -> Iterator[Field]:
    yield Field("hand sizes", 0, _seats(players), game.deck_size, "how many cards each seat holds", "hand sizes")
    yield Field("pile sizes", 0, ("draw", "discard"), game.deck_size, "how many cards the piles have", "all sizes")


def _last_events(game: Declaration, players: int) -> Iterator[Field]:
    triggers = action_space(game).triggers
    for step in range(1, players):
        yield Field(
            f"last event of +{step}", 0, triggers, 1, f"the event that +{step} chose last", "last event", step=step
        )


def _past(game: Declaration, players: int, events: int) -> Field:
    """The last events that players chose, the oldest first."""
    space = action_space(game)
    each = [*_seats(players), *space.triggers, *space.cards, *(_value_label(game, *named) for named in space.values)]
    labels = tuple(f"-{back} {what}" for back in range(events, 0, -1) for what in each)
    what = "the last events as the seat saw them: the player, the event, its card and its value"
    return Field(PAST, 0, labels, 1, what, "past")


def _value_label(game: Declaration, kind: ValueKind, code: int) -> str:
    """A value in words: `suit H`, `seat +1`."""
    if kind in (ValueKind.SEAT, ValueKind.FORM):
        return f"{kind} {'+' if kind is ValueKind.SEAT else ''}{code}"
    return f"{kind} {kind.text(game.codec.notation, code)}"


def _seats(players: int) -> tuple[str, ...]:
    return tuple(f"+{step}" for step in range(players))


def public_places(shape: ObservationLayout) -> list[bool]:
    """Return for each number of an observation whether it says only what all see, as the first seat counts seats."""
    sight = sight_of(shape.game)
    open_hands = all(sight.is_open(field) for field in hand_fields(shape.game))

    def is_public(part: Field) -> bool:
        if part.shows in ("hand", "known in pile", "known in hand", "past"):
            return part.shows == "hand" and open_hands
        return part.fact is None or part.shows == "pile sizes" or sight.is_open(part.fact.field)

    return [is_public(field) for field in shape.fields for _ in field.labels]


def observing(shape: ObservationLayout) -> ObservingPlan:
    """What the function is written for that writes observations."""
    game = shape.game
    hands, kinds, triggers = hand_fields(game), kinds_by_code(game), len(action_space(game).triggers)
    return ObservingPlan(game, shape.players, hands, kinds, shape.fields, MOST, triggers, shape.events)
