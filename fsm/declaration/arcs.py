"""The vocabulary of declarations: phases, arcs with guards and effects, who acts, and how players choose."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import KW_ONLY, dataclass, field
from enum import StrEnum
from functools import cached_property
from threading import Event
from typing import Any, ClassVar, NamedTuple, Protocol, cast

from fsm.declaration.facts import NO_VALUE, ValueKind
from rules.cards import bits
from rules.notation import many
from rules.rule import Effect, Guard, Pick, Query, RuleFunction, label

Guards = tuple[Guard[Any], ...]
Effects = tuple[Effect[Any], ...]
NO_CHOICE = "no choice"


class Phase(StrEnum):
    """A phase of a game: an identifier with underscores, shown with hyphens."""

    __hash__ = str.__hash__

    def __init_subclass__(cls) -> None:
        for name, phase in cls.__members__.items():
            if name != phase.name:
                raise ValueError(f"phase {name}: {phase.name} is also {str(phase)!r}; use another name")

    def __repr__(self) -> str:
        return f"Phase.{self.name}"

    @property
    def identifier(self) -> str:
        """The phase in the names of methods: `await_play`."""
        return self.replace("-", "_")


def phases(name: str, words: str) -> type[Phase]:
    """Return the class `name` of phases. words: the phases, in order, with blanks between: "initial game-over"."""
    members = {word.upper().replace("-", "_"): word for word in words.split()}
    return cast("type[Phase]", cast(Any, Phase)(name, members, module=sys._getframe(1).f_globals["__name__"]))


@dataclass(frozen=True, repr=False)
class Arc:
    """A transition from one phase to another.

    trigger: the event that fires it. source, dest: the phases before and after it. conditions, unless: guards that
    must, or must not, hold. before: effects, in order, on the way. description: the rule in one sentence.
    """

    trigger: str
    source: Phase
    dest: Phase
    _: KW_ONLY
    conditions: Guards = ()
    unless: Guards = ()
    before: Effects = ()
    description: str = ""

    def __post_init__(self) -> None:
        for role in ("conditions", "unless", "before"):
            if not isinstance(found := getattr(self, role), tuple):
                name = getattr(found, "__name__", "")
                is_of, such_as = (name, f": {role}=({name},)") if name else (f"of type {type(found).__name__}", "")
                raise TypeError(f"transition {self.bare}: {role} is {is_of}; use a tuple{such_as}")

    def __hash__(self) -> int:
        return hash((self.trigger, self.source, self.dest, self.conditions, self.unless))

    def __repr__(self) -> str:
        return f"<{self}>"

    def __str__(self) -> str:
        guards = f" [{self.guards}]" if self.conditions or self.unless else ""
        effects = f" / {self.effects}" if self.before else ""
        return f"{self.source} --{self.trigger}{guards}{effects}--> {self.dest}"

    @property
    def bare(self) -> str:
        """The transition without its guards and effects: `await-play --draw--> drawing`."""
        return f"{self.source} --{self.trigger}--> {self.dest}"

    @property
    def guards(self) -> str:
        """The guards in words: `fits, not last card`."""
        return ", ".join([label(guard) for guard in self.conditions] + [f"not {label(guard)}" for guard in self.unless])

    @property
    def effects(self) -> str:
        """The effects in words: `lay card, next player`."""
        return ", ".join(label(effect) for effect in self.before)

    def enabled(self, table: Any) -> bool:
        """Return whether all guards let the transition be fired on `table`."""
        for guard in self.conditions:
            if not guard(table):
                return False
        for guard in self.unless:
            if guard(table):
                return False
        return True


@dataclass(frozen=True)
class Offer:
    """An event that a player may choose. It concerns a card, a value of one kind, both, or neither.

    trigger: the event. cards: the mask of cards that may be named with it, or None if it takes no card.
    from_hand: whether the card leaves the hand of the player who acts; else it is only named, such as the lowest card
        of a run.
    suits, seats, ranks, amounts, answers, forms: at most one of them: the mask of the values of which one must be
        named. The field of the table with the name of the kind (`table.seat`) holds the value. With a card, which lies
        in `table.card`, no value is named where the mask is 0; without a card, the event is not offered there. Seats
        count from 0, amounts are numbers up to 62, and an answer is 0 (no) or 1 (yes). With forms, a set of cards is
        named, one of `Codec.sets`; `cards` are then the lowest cards of these sets.
    always: whether an event without a card and a value can be chosen whenever the player is to choose in the phase; the
        checks test this.
    face_down: whether only the player who acts sees what is named.
    seen_as: in a phase that others take for another one, the event of that phase that they see instead, with the same
        effects and destination. None: they see the event itself.
    """

    trigger: str
    cards: Query[Any] | None = None
    suits: Query[Any] | None = None
    seats: Query[Any] | None = None
    ranks: Query[Any] | None = None
    amounts: Query[Any] | None = None
    answers: Query[Any] | None = None
    forms: Query[Any] | None = None
    from_hand: bool = True
    always: bool = False
    face_down: bool = False
    seen_as: str | None = None

    @property
    def masks(self) -> dict[ValueKind, Query[Any]]:
        """The mask of each kind of value that is named with the event: at most one in a valid declaration."""
        found = {kind: getattr(self, kind.masks) for kind in ValueKind}
        return {kind: mask for kind, mask in found.items() if mask is not None}

    @property
    def lays(self) -> bool:
        """Whether the event lays a card of the hand, not a set."""
        return self.cards is not None and self.from_hand and self.forms is None

    @property
    def named(self) -> Query[Any] | None:
        """The mask of what is named with the event: of the cards, else of the values, if either is."""
        return self.cards or self.values

    def named_with(self, table: Any) -> Iterator[tuple[int, int]]:
        """Yield the cards that may be named, each with each value that goes with it. table: that of the game."""
        assert self.cards is not None
        before = table.card
        for card in bits(self.cards(table)):
            table.card = card
            values = self.values(table) if self.values else 0
            table.card = before
            for value in bits(values) if values else (NO_VALUE,):
                yield card, value

    @cached_property
    def kind(self) -> ValueKind | None:
        """The kind of the value that is named with the event, if one is."""
        return next(iter(self.masks), None)

    @cached_property
    def values(self) -> Query[Any] | None:
        """The mask of the values that may be named, if one is."""
        return next(iter(self.masks.values()), None)


@dataclass(frozen=True)
class Control:
    """The events of a phase.

    forced: the events that happen by themselves while one of their transitions is enabled. offers: the events among
    which the player in turn chooses otherwise. starts_turn: whether a player's turn begins where this phase is entered.
    declines: where seats are asked one after another, the events with which the seat that is asked does nothing (see
        `fsm.declaration.page`). `player` is then the seat that is asked, and the field `turn` the seat in turn.
    seen_as: the phase in which the game still seems to be for everybody except the player who acts, because what led
        here depends on hidden cards. Only transitions of that phase lead here; they have no effects, and the others do
        not see their events.
    """

    forced: tuple[str, ...] = ()
    offers: tuple[Offer, ...] = ()
    starts_turn: bool = False
    declines: tuple[str, ...] = ()
    seen_as: Phase | None = None

    @property
    def triggers(self) -> tuple[str, ...]:
        """All events of the phase, forced and offered."""
        return self.forced + tuple(offer.trigger for offer in self.offers)

    @property
    def may_return(self) -> bool:
        """Whether a turn starts here and an event may be forced before a choice because the position has returned."""
        return self.starts_turn and bool(self.forced) and bool(self.offers)


class Page(NamedTuple):
    """What `fsm.declaration.page.page` makes: the arcs of all phases, and who acts in each of them."""

    arcs: tuple[Arc, ...]
    control: Mapping[Any, Control]


@dataclass(frozen=True)
class Choice:
    """One decision rule of a policy: a player fires `trigger` if the guards `conditions` hold.

    rule: the name of the decision rule (`rule 2`), or `no choice` where nothing is left to decide.
    card, suit, seat, rank, amount, answer, form: functions that pick them; the card is picked first. description: the
    reason in words, for the trace.
    """

    trigger: str
    rule: str = NO_CHOICE
    conditions: Guards = ()
    card: Pick[Any] | None = None
    suit: Pick[Any] | None = None
    description: str = ""
    seat: Pick[Any] | None = None
    rank: Pick[Any] | None = None
    amount: Pick[Any] | None = None
    answer: Pick[Any] | None = None
    form: Pick[Any] | None = None

    @property
    def picks(self) -> dict[ValueKind, Pick[Any]]:
        """The function that picks the value of each kind: at most one in a valid declaration."""
        found = {kind: getattr(self, kind) for kind in ValueKind}
        return {kind: pick for kind, pick in found.items() if pick is not None}

    @cached_property
    def value(self) -> Pick[Any] | None:
        """The function that picks the value, if one is named."""
        return next(iter(self.picks.values()), None)

    @property
    def decides(self) -> bool:
        """Whether it is a decision rule."""
        return self.rule != NO_CHOICE


class SideBySide(Protocol):
    """What plays many games of some policies side by side, with the results of games that are stepped one by one."""

    def plays(self, games: int) -> bool:
        """Whether that is the faster way for so many games."""

    def prepare(self) -> None:
        """Do what takes time before the first game."""

    def play(self, first: int, games: int, stop: Event | None = None) -> Any:
        """The `Results` of games from number `first` on. Those that have to be stepped have the ending
        `Ending.RUNNING`, and nothing of them is counted. stop: ends the work early, which raises Stopped.
        """


@dataclass(frozen=True, eq=False)
class Policy:
    """How a player chooses: decision rules for each phase with offers, of which the first that applies decides.

    name: what it is called in commands and records. choices: the decision rules by phase; every game has the two
    policies without any, RANDOM and FIRST_LEGAL. description: how it plays, in one sentence.
    rolls_dice: whether it plays at random. lays_first: whether it plays another move only where it cannot lay a card.
    takes_first: whether it takes the first legal move. is_computed: whether it is a player in Python
    (`fsm.declaration.policy.SteppedPolicy`).
    """

    rolls_dice: ClassVar[bool] = False
    lays_first: ClassVar[bool] = False
    takes_first: ClassVar[bool] = False
    is_computed: ClassVar[bool] = False

    name: str
    choices: Mapping[Any, tuple[Choice, ...]] = field(default_factory=dict, compare=False)  # a mapping has no hash
    description: str = field(default="", kw_only=True, compare=False, repr=False)

    @property
    def code_hash(self) -> str:
        """A hash of the code that decides; empty if that is the declaration of the game."""
        return ""

    def check_players(self, players: int) -> None:
        """Raise ValueError if it cannot play a game of `players` players."""

    def prepare(self, players: int, notify: Callable[[str], None] | None = None) -> None:
        """Do what takes time before the first move of a game of `players` players, such as compiling.

        notify: called with a line before anything that takes seconds.
        """

    def side_by_side(
        self,
        game: Any,
        players: int,
        policies: Sequence[Policy],
        seed: int,
        notify: Callable[[str], None] | None = None,
    ) -> SideBySide | None:
        """Return an object that plays many games side by side; None where games must be stepped.

        game: the declaration. players: how many. policies: that of each seat, or one for all; this is one of them.
        seed: of the decks and the dice. notify: called with a line before anything that takes seconds.
        """
        return None


@dataclass(frozen=True)
class Call:
    """Something that players announce.

    count: how often a seat has done so (table, seat). description: the announcement in words (`knocks on the table`).
    """

    count: RuleFunction
    description: str


@dataclass(frozen=True)
class Invariant:
    """A condition that holds in all positions of `phases`; without phases in all positions.

    description: the condition in one sentence. holds: a rule function of the table, which does not use the guards and
    effects of transitions.
    """

    description: str
    holds: RuleFunction
    phases: tuple[Any, ...] = ()

    def concerns(self, phase: Phase) -> bool:
        """Return whether the invariant is about the positions of `phase`."""
        return phase in (self.phases or (phase,))


@dataclass(frozen=True)
class ScoreInvariant(Invariant):
    """A condition on the points of every seat in all positions of `phases`, the final one.

    description: the condition in one sentence. holds: a rule function of the table, a seat and the points that the game
    counts for it, which works them out from the rules in another way. phases: the final one. in_match: whether these
    are the points of a round in a match, which was won.
    """

    in_match: bool = False


@dataclass(frozen=True)
class Postcondition:
    """A condition on the effect of events of `triggers` that lead from `sources` to `dests`; empty means all.

    description: the effect in one sentence. holds: a rule function of the tables before and after; on the one before
    lie the card and suit of the event.
    """

    description: str
    holds: RuleFunction
    triggers: tuple[str, ...] = ()
    dests: tuple[Any, ...] = ()
    sources: tuple[Any, ...] = ()

    def concerns(self, arc: Arc) -> bool:
        """Return whether the postcondition is about the event of `arc`."""
        return (
            (not self.triggers or arc.trigger in self.triggers)
            and (not self.dests or arc.dest in self.dests)
            and (not self.sources or arc.source in self.sources)
        )


class SmallDeck(NamedTuple):
    """A deck small enough for an exhaustive check.

    cards: the names of its cards with blanks between them. players: how many play. each: cards dealt to every player.
    large: whether only `maumau check --exhaustive` visits its positions, because they are many.
    """

    cards: str
    players: int
    each: int
    large: bool = False

    def __str__(self) -> str:
        dealt = f"{many(len(self.cards.split()), 'card')}, {many(self.players, 'player')}"
        return f"{dealt} with {self.each} each: {self.cards}"
