"""The page of a game: phase by phase what is forced, and among what the player in turn chooses.

    ARCS, CONTROL = page({
        INITIAL: forced(on("open", AWAIT_PLAY, rule="The opening card has no effect.")),
        AWAIT_PLAY: turn(
            lay(fits, on("play", AWAIT_PLAY, rule="The card has no action."),
                on("play", SKIP_PENDING, conditions=eight, rule="An eight: the next player is skipped."),
                first=lay_card, then=next_player),
            on("draw", DRAWING, rule="A player who cannot play draws one card.")),
        ...
    })

Of the transitions of one event, a later one is an exception from those before it: where its conditions hold, they do
not take place. The page writes that into them: above, the first transition of `play` has `unless=(eight,)`. So every
transition says by itself when it takes place, in diagrams as in proofs, and no two are ever enabled at once.

There are also phases in which seats are asked one after another, in an order, whether they act: claims, catches.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Any, TypeAlias, TypeVar, cast

from fsm.declaration.arcs import Arc, Choice, Control, Effects, Guards, Offer, Page, Phase
from fsm.declaration.chart import DeclarationError, exclusive
from fsm.edge.numbers import of_type
from rules.asking import another_to_ask, ask_next
from rules.rule import Effect, Guard, Pick, Query, any_of, highest_of, label, lowest_of, mark_of


@dataclass(frozen=True, kw_only=True)
class Asking:
    """A phase in which seats are asked one after the other: the fact `player` is the seat asked, the fact `turn` stays.

    A seat takes one of its offers, which ends the asking, or declines; then the next seat is asked. Transitions
    that lead into the phase ask the first seat (`rules.asking.ask_first`).

    phase: the phase. nobody: the phase that follows when nobody is left to be asked; before: the effects on the way.
    description: the rule in a sentence, for the transitions to `nobody`. able: a guard that holds for a seat with
    something to offer; other seats are passed over by a forced event. None: every seat can do something. decline,
    pass_over: the names of the events. another: a guard that holds while another seat is left to be asked; None if only
    one seat is asked. ask: the effect that asks the following seat.
    """

    phase: Phase
    nobody: Phase
    description: str
    before: Effects = ()
    able: Guard[Any] | None = None
    decline: str = "decline"
    pass_over: str = "pass_over"
    another: Guard[Any] | None = another_to_ask
    ask: Effect[Any] = ask_next

    @property
    def declines(self) -> tuple[str, ...]:
        """The events with which a seat does nothing: one that it chooses, one that is forced where it has no choice."""
        return (self.decline,) if self.able is None else (self.decline, self.pass_over)

    def arcs(self) -> Iterator[Arc]:
        """Return the transitions of declining and of passing over; those of the offers belong to the game."""
        able: Guards = () if self.able is None else (self.able,)
        another: Guards = () if self.another is None else (self.another,)
        rules = (
            "A player who declines leaves it to the next one who is asked.",
            "A player who has nothing to choose is passed over.",
        )
        for trigger, rule, conditions, unless in zip(self.declines, rules, (able, ()), ((), able), strict=False):
            if another:
                yield Arc(trigger, self.phase, self.phase, conditions=conditions + another, unless=unless,
                          before=(self.ask,), description=rule)  # fmt: skip
            yield Arc(trigger, self.phase, self.nobody, conditions=conditions, unless=unless + another,
                      before=self.before, description=self.description)  # fmt: skip

    def control(self, *offers: Offer) -> Control:
        """Return who acts in the phase: the seat that is asked, by `offers` or declining, unless it is passed over."""
        forced = () if self.able is None else (self.pass_over,)
        return Control(forced=forced, offers=(*offers, Offer(self.decline, always=True)), declines=self.declines)


F = TypeVar("F")
OneOrMore: TypeAlias = F | tuple[F, ...]


@dataclass(frozen=True)
class On:
    """A transition without its source: see `on`."""

    trigger: str
    dest: Phase | str
    conditions: Guards
    unless: Guards
    before: Effects
    rule: str

    def leaving(self, source: Phase) -> Arc:
        """The transition in a phase."""
        dest = cast(Phase, self.dest)
        return Arc(self.trigger, source, dest, conditions=self.conditions, unless=self.unless, before=self.before,
                   description=self.rule)  # fmt: skip


@dataclass(frozen=True)
class Offered:
    """An event among which a player chooses: what is named with it, and its transitions."""

    offer: Offer
    rows: tuple[On, ...]


@dataclass(frozen=True)
class Moves:
    """What happens in a phase. `forced(...) | turn(...)` is one phase with both, its transitions in this order."""

    arcs: tuple[On | Arc, ...]
    control: Control

    def __or__(self, other: Moves) -> Moves:
        one, two = self.control, other.control
        both = replace(
            one,
            forced=tuple(dict.fromkeys(one.forced + two.forced)),
            offers=one.offers + two.offers,
            starts_turn=one.starts_turn or two.starts_turn,
        )
        return Moves(self.arcs + other.arcs, both)


def on(
    trigger: str,
    dest: Phase | str,
    *,
    conditions: OneOrMore[Guard[Any]] = (),
    unless: OneOrMore[Guard[Any]] = (),
    before: OneOrMore[Effect[Any]] = (),
    rule: str,
) -> On:
    """Declare a transition of an event to the phase `dest`, in the words of `transitions`.

    trigger: the event. dest: the phase, in a house rule also its name. conditions, unless: guards that must, or must
    not, hold. before: effects, in order, on the way to the new phase. All three: one function or a tuple. rule: the
    rule of the game in one sentence.
    """
    of_type("trigger", trigger, str, "the name of an event")
    of_type("dest", dest, str, "a phase")
    of_type("rule", rule, str, "the rule in one sentence")
    return On(trigger, dest, _many("conditions", conditions), _many("unless", unless), _many("before", before), rule)


def lay(
    fits: Guard[Any],
    *rows: On,
    unless: OneOrMore[Guard[Any]] = (),
    first: OneOrMore[Effect[Any]] = (),
    then: OneOrMore[Effect[Any]] = (),
    last: On | None = None,
    **named: Any,
) -> Offered:
    """Declare the event of naming a card that fits.

    fits: the guard of every transition, made by `rules.rule.among` of the mask of the cards that can be named. rows:
    its transitions, exceptions after what they are exceptions from. unless, first, then: guards that must not hold, and
    effects before and after those of each row. last: the transition of the last card, with effects of its own alone; it
    goes before all rows but those with a condition that its `unless` names. named: what else is named, as for
    `offer`.
    """
    cards = getattr(mark_of(fits), "cards", None)
    if cards is None:
        name = getattr(fits, "__name__", repr(fits))
        raise TypeError(f"fits: {name} is not made from a mask of cards; use a guard made by among")
    ends = _rows((last,) if last else ())
    laid = []
    for row in _rows(rows):
        goes_before = [guard for end in ends if not set(end.unless) & set(row.conditions) for guard in end.conditions]
        laid.append(
            replace(
                row,
                conditions=(fits, *row.conditions),
                unless=(*_many("unless", unless), *goes_before, *row.unless),
                before=(*_many("first", first), *row.before, *_many("then", then)),
            )
        )
    laid += [replace(end, conditions=(fits, *end.conditions)) for end in ends]
    return offer(*laid, cards=cards, **named)


def offer(*rows: On, **named: Any) -> Offered:
    """Declare an event with what is named with it, and its transitions.

    rows: the transitions. named: see `fsm.declaration.arcs.Offer`; without a card and a value the event can always be
    chosen where one of its transitions has no guards.
    """
    triggers = dict.fromkeys(row.trigger for row in _rows(rows))
    if len(triggers) != 1:
        raise DeclarationError(f"an offer of {', '.join(triggers) or 'nothing'}; use transitions of one event")
    offered = Offer(rows[0].trigger, **named)
    bare = not offered.named and any(not (row.conditions or row.unless) for row in rows)
    return Offered(replace(offered, always=True) if bare else offered, rows)


def forced(*rows: On | str) -> Moves:
    """Declare the events that happen by themselves while one of their transitions is enabled; of several, the first in
    this order.

    rows: their transitions; also names of events, where one comes before its transitions.
    """
    arcs = _rows(tuple(row for row in rows if not isinstance(row, str)))
    triggers = (row if isinstance(row, str) else row.trigger for row in rows)
    return Moves(arcs, Control(forced=tuple(dict.fromkeys(triggers))))


def choose(*parts: On | Offered | str, seen_as: Phase | None = None) -> Moves:
    """Declare the events among which the player in turn chooses where nothing is forced.

    parts: what `offer` and `lay` make, or transitions of events with which nothing is named; in a house rule also the
    name of an event that the phase has. seen_as: the phase in which the game still is for all others.
    """
    alone: dict[str, tuple[On, ...]] = {}
    offers: dict[str, Offer] = {}
    rows: list[On] = []
    for given in parts:
        of_type("part", given, (On, Offered, str), "a transition, or what offer or lay makes")
        part = Offered(Offer(given), ()) if isinstance(given, str) else given
        trigger = part.trigger if isinstance(part, On) else part.offer.trigger
        if trigger in offers and not (isinstance(part, On) and trigger in alone):
            raise DeclarationError(f"event {trigger!r} is offered twice; use one offer of all its transitions")
        if isinstance(part, On):
            alone[trigger] = (*alone.get(trigger, ()), part)
        offers[trigger] = offer(*alone[trigger]).offer if isinstance(part, On) else part.offer
        rows += (part,) if isinstance(part, On) else part.rows
    return Moves(tuple(rows), Control(offers=tuple(offers.values()), seen_as=seen_as))


def turn(*parts: On | Offered | str) -> Moves:
    """Declare the events among which the player in turn chooses in a phase in which a turn starts.

    parts: as for `choose`.
    """
    moves = choose(*parts)
    return Moves(moves.arcs, replace(moves.control, starts_turn=True))


def ask(asking: Asking, *parts: On | Offered) -> Moves:
    """Declare the events among which each seat that is asked chooses, or declines.

    asking: the phase in which seats are asked; see `fsm.declaration.page`. parts: as for `choose`.
    """
    of_type("asking", asking, Asking, "an Asking")
    moves = choose(*parts)
    return Moves((*moves.arcs, *asking.arcs()), asking.control(*moves.control.offers))


def best(
    trigger: str,
    rule: str,
    cards: Query[Any],
    description: str,
    *,
    lowest: bool = False,
    always: bool = False,
    **values: Pick[Any],
) -> Choice:
    """Return a decision rule: if a mask has a card, name the one with the highest code.

    trigger: the event. rule: the name of the decision rule. cards: the query of the mask (table). description: the
    reason, for traces. lowest: whether it is the lowest code. always: whether the mask has a card wherever the rule is
    reached, so that it can be the last one. values: what picks the value that is named with the card, such as
    `suit=most_frequent_suit`.
    """
    of_type("cards", cards, Callable, "a query of a mask")
    pick = lowest_of(cards) if lowest else highest_of(cards)
    return Choice(trigger, rule, () if always else (any_of(cards),), pick, description=description, **values)


def page(phases: Mapping[Phase, Moves], disjoint: tuple[Guards, ...] = (), each_turn: On | None = None) -> Page:
    """Return the transitions of all phases, each with the guards that exclude its exceptions, and who acts in each
    phase.

    phases: what happens in each. disjoint: groups of guards of which at most one holds. each_turn: a transition that is
    forced wherever a turn starts. Raises DeclarationError if, of two transitions of one event, the later one is not
    an exception by exactly one guard.
    """
    of_type("phases", phases, Mapping, "what happens in each phase")
    of_type("disjoint", disjoint, tuple, "groups of guards of which at most one holds")
    arcs: list[Arc] = []
    controls: dict[Phase, Control] = {}
    for phase, moves in phases.items():
        of_type("phase", phase, Phase, "a phase")
        of_type(f"phase {phase}", moves, Moves, "what forced, choose, turn or ask makes")
        happens = moves | forced(each_turn) if each_turn and moves.control.starts_turn else moves
        arcs += arcs_in(phase, happens, disjoint)
        for arc in happens.arcs:
            of_type(f"phase {phase}: event {arc.trigger}: dest", arc.dest, Phase, "a phase")
        controls[phase] = happens.control
    return Page(tuple(arcs), controls)


def arcs_in(phase: Phase, moves: Moves, disjoint: tuple[Guards, ...] = ()) -> tuple[Arc, ...]:
    """The arcs of one phase, each with the guards that exclude its exceptions.

    phase: their source. moves: what happens in it. disjoint: as for `page`.
    """
    rows = [row if isinstance(row, Arc) else row.leaving(phase) for row in moves.arcs]
    return tuple(_without_exceptions(arc, rows[index:], disjoint) for index, arc in enumerate(rows, 1))


def _without_exceptions(arc: Arc, later: list[Arc], disjoint: tuple[Guards, ...]) -> Arc:
    """A transition that does not take place where a later one of its event does."""
    unless = arc.unless
    for other in later:
        if other.trigger != arc.trigger or exclusive(replace(arc, unless=unless), other, disjoint):
            continue
        telling = [guard for guard in other.conditions if guard not in arc.conditions]
        if len(telling) != 1:
            told = " and ".join(map(label, telling)) or "nothing"
            raise DeclarationError(
                f"transitions {arc} and {other.bare} may both be enabled: the later one also demands {told}; "
                "add exactly one guard to it, or `unless` to one of them"
            )
        unless += tuple(telling)
    return replace(arc, unless=unless)


def _many(what: str, given: OneOrMore[F]) -> tuple[F, ...]:
    many: tuple[F, ...] = given if isinstance(given, tuple) else (given,)
    for each in many:
        of_type(what, each, Callable, "a rule function, or a tuple of them")
    return many


def _rows(given: tuple[On, ...]) -> tuple[On, ...]:
    for row in given:
        of_type("row", row, On, "a transition: on(trigger, dest, rule=...)")
    return given
