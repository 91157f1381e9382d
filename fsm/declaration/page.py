"""The page of a game: phase by phase what is forced, and among what the player in turn chooses.

    ARCS, CONTROL = page({
        INITIAL: forced(on("open", AWAIT_PLAY, rule="The opening card has no effect.")),
        AWAIT_PLAY: turn(
            lay(fits, on("play", AWAIT_PLAY, rule="The card has no action."),
                on("play", SKIP_PENDING, conditions=eight, rule="An eight: the next player is skipped."),
                first=lay_card, then=next_player),
            on("draw", DRAWING, rule="Who cannot play draws one card.")),
        ...
    })

Of the transitions of one event, a later one is an exception from those before it: where its conditions hold, they do
not take place. The page writes that into them: above, the first transition of `play` has `unless=(eight,)`. So every
transition says by itself when it takes place, in diagrams as in proofs, and no two are ever enabled at once.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from itertools import chain
from typing import Any, TypeVar

from fsm.declaration.arcs import Arc, Control, Effects, Guards, Offer, Phase
from fsm.declaration.asking import Asking
from fsm.declaration.chart import DeclarationError, exclusive, plain
from rules.rule import Effect, Guard, label, mark_of

F = TypeVar("F")
OneOrMore = F | tuple[F, ...]


@dataclass(frozen=True)
class On:
    """A transition without its source: see `on`."""

    trigger: str
    dest: Phase
    conditions: Guards
    unless: Guards
    before: Effects
    rule: str

    def leaving(self, source: Phase) -> Arc:
        """The transition in a phase."""
        return Arc(self.trigger, source, self.dest, when=self.conditions, unless=self.unless, then=self.before,
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
    dest: Phase,
    *,
    conditions: OneOrMore[Guard[Any]] = (),
    unless: OneOrMore[Guard[Any]] = (),
    before: OneOrMore[Effect[Any]] = (),
    rule: str,
) -> On:
    """A transition of an event to the phase `dest`, in the words of `transitions`.

    conditions, unless: guards that must, or must not, hold. before: effects, in order, on the way to the new phase. All
    three: one function or a tuple. rule: the rule of the game in one sentence.
    """
    return On(trigger, dest, _many(conditions), _many(unless), _many(before), rule)


def lay(
    fits: Guard[Any],
    *rows: On,
    unless: OneOrMore[Guard[Any]] = (),
    first: OneOrMore[Effect[Any]] = (),
    then: OneOrMore[Effect[Any]] = (),
    last: On | None = None,
    **named: Any,
) -> Offered:
    """The event of naming a card that fits: every transition has the guard `fits`, made of a mask by
    `rules.table.among`, and the cards of this mask are what can be named.

    rows: its transitions, exceptions after what they are exceptions from. unless, first, then: guards that must not
    hold, and effects before and after those of each row. last: the transition of the last card, which goes before those
    that its `unless` does not name, with effects of its own alone. named: what is named besides, as for `offer`.
    """
    cards = getattr(mark_of(fits), "cards", None)
    if cards is None:
        raise DeclarationError(f"lay: {label(fits)!r} is made of no mask of cards, expected a guard by among(cards)")
    laid = []
    for row in rows:
        excluded = _many(unless) + (last.conditions if last and not set(last.unless) & set(row.conditions) else ())
        before = (*_many(first), *row.before, *_many(then))
        laid.append(replace(row, conditions=(fits, *row.conditions), unless=(*excluded, *row.unless), before=before))
    if last:
        laid.append(replace(last, conditions=(fits, *last.conditions)))
    return offer(*laid, cards=cards, **named)


def offer(*rows: On, **named: Any) -> Offered:
    """An event with what is named with it, and its transitions.

    named: see `fsm.declaration.arcs.Offer`; without a card and a value the event can always be chosen where one of its
    rows has no guards.
    """
    triggers = dict.fromkeys(row.trigger for row in rows)
    if len(triggers) != 1:
        raise DeclarationError(f"an offer of {', '.join(triggers) or 'nothing'}, expected transitions of one event")
    offered = Offer(rows[0].trigger, **named)
    bare = offered.cards is None and offered.kind is None and any(not (row.conditions or row.unless) for row in rows)
    return Offered(replace(offered, always=True) if bare else offered, rows)


def forced(*rows: On) -> Moves:
    """Events that happen by themselves while one of their transitions is enabled, the first of them first."""
    return Moves(rows, Control(forced=tuple(dict.fromkeys(row.trigger for row in rows))))


def choose(*parts: On | Offered, seen_as: Phase | None = None) -> Moves:
    """Events among which the player in turn chooses where nothing is forced. A transition by itself is an event with
    which nothing is named. seen_as: the phase in which the game still is for all others.
    """
    rows = tuple(chain.from_iterable(part.rows if isinstance(part, Offered) else (part,) for part in parts))
    offers = {
        part.trigger: offer(*(row for row in parts if isinstance(row, On) and row.trigger == part.trigger)).offer
        for part in parts
        if isinstance(part, On)
    } | {part.offer.trigger: part.offer for part in parts if isinstance(part, Offered)}
    triggers = dict.fromkeys(row.trigger for row in rows)
    return Moves(rows, Control(offers=tuple(map(offers.__getitem__, triggers)), seen_as=seen_as))


def turn(*parts: On | Offered) -> Moves:
    """The same where a player's turn starts."""
    moves = choose(*parts)
    return Moves(moves.arcs, replace(moves.control, starts_turn=True))


def ask(asking: Asking, *parts: On | Offered) -> Moves:
    """Events among which each seat that is asked chooses, or declines."""
    moves = choose(*parts)
    return Moves((*moves.arcs, *asking.arcs()), asking.control(*moves.control.offers))


def page(
    phases: Mapping[Phase, Moves], disjoint: tuple[Guards, ...] = ()
) -> tuple[tuple[Arc, ...], dict[Phase, Control]]:
    """The arcs of all phases, each with the guards that exclude its exceptions, and who acts in each phase.

    disjoint: groups of guards of which at most one holds. Raises DeclarationError for two transitions of one event of
    which the later one is no exception that one guard can tell.
    """
    arcs: list[Arc] = []
    for phase, moves in phases.items():
        rows = [row if isinstance(row, Arc) else row.leaving(phase) for row in moves.arcs]
        arcs += [_without_exceptions(arc, rows[index:], disjoint) for index, arc in enumerate(rows, 1)]
    return tuple(arcs), {phase: moves.control for phase, moves in phases.items()}


def _without_exceptions(arc: Arc, later: list[Arc], disjoint: tuple[Guards, ...]) -> Arc:
    """A transition that does not take place where a later one of its event does."""
    unless = arc.unless
    for other in later:
        if other.trigger != arc.trigger or exclusive(replace(arc, unless=unless), other, disjoint):
            continue
        telling = [guard for guard in other.when if guard not in arc.when]
        if len(telling) != 1:
            told = " and ".join(map(label, telling)) or "nothing"
            raise DeclarationError(
                f"arc {arc}: {plain(other)} is an exception from it by {told}, expected one guard more, "
                "or `unless` in one of them"
            )
        unless += tuple(telling)
    return replace(arc, unless=unless)


def _many(given: OneOrMore[F]) -> tuple[F, ...]:
    return given if isinstance(given, tuple) else (given,)
