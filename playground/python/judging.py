"""What an answer to a level must do: it is judged by the checker, and by events that it must accept or refuse."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import replace
from graphlib import CycleError, TopologicalSorter
from types import FunctionType
from typing import Any, Concatenate, ParamSpec, TypeVar

from running import made

from fsm import Game
from fsm.check import Report, explore_stepped
from fsm.declaration.arcs import Arc, Invariant, Postcondition
from fsm.declaration.chart import DeclarationError
from playground import MOST_POSITIONS, decks_of
from rules.rule import effect as marked
from rules.rule import label


class Open(Exception):
    """A level is not solved yet; the message says what is missing."""


Demand = Callable[[type[Game]], object]
T = TypeVar("T")
R = TypeVar("R")
P = ParamSpec("P")


def curried(function: Callable[Concatenate[T, P], R]) -> Callable[P, Callable[[T], R]]:
    """A function that is given the arguments after its first one, and then that one: `accepts("coin")(kind)`."""
    return lambda *given, **named: lambda first: function(first, *given, **named)


def changed(kind: type[Game], **parts: Any) -> type[Game]:
    """The game with other parts of its declaration."""
    return type("Judged", (kind,), {"declaration": replace(kind.declaration, **parts)})


def reports(kind: type[Game]) -> Iterator[Report]:
    """What is found in all positions of its small decks."""
    for small in decks_of(kind):
        yield explore_stepped(kind, small, MOST_POSITIONS)


def failures(kind: type[Game]) -> dict[str, str]:
    """The properties that fail, each with the first events that show it, for people. Raises Open for a machine with too
    many positions.
    """
    found: dict[str, str] = {}
    for report in reports(kind):
        if not report.complete:
            raise Open(f"It has more than {MOST_POSITIONS:,} positions.")
        for number, example in report.examples.items():
            events = *example.events, *filter(None, (example.event,))
            found.setdefault(report.properties[number], in_a_row(map(str, events)))
    return found


def all_hold(kind: type[Game]) -> None:
    """All properties must hold."""
    for description in failures(kind):
        raise Open(f"This fails: {description}. Press Check to see how.")


def everything_fires(kind: type[Game]) -> None:
    """Each arc must be fired with some small deck."""
    fired = [report.fired for report in reports(kind)]
    for arc in kind.declaration.arcs:
        if not any(times[arc] for times in fired):
            raise Open(f"This transition is never fired: {arc}")


@curried
def accepts(kind: type[Game], *events: str) -> Any:
    """These events must be possible one after another, from the beginning. Returns the game after them."""
    game = begun(kind)
    for number, event in enumerate(events):
        if not fires(game, event):
            raise Open(f"After {in_a_row(events[:number])} it must be possible to {event}.")
    return game


@curried
def refuses(kind: type[Game], *events: str) -> None:
    """The last of these events must be impossible, those before it possible."""
    if fires(accepts(*events[:-1])(kind), events[-1]):
        raise Open(f"After {in_a_row(events[:-1])} it must not be possible to {events[-1]}.")


def in_a_row(events: Iterable[str]) -> str:
    """Events for people, from the beginning."""
    return ", ".join(events) or "the beginning"


def begun(kind: type[Game]) -> Any:
    """A game after the events that are forced at its beginning."""
    return forced_on(kind.deal(kind.declaration.codec.fewest, 0))


def forced_on(game: Any) -> Any:
    """A game after the events that are forced."""
    while game.outcome is None and game.forced_events and game.events()[0].trigger in game.forced_events:
        game.step()
    return game


def fires(game: Any, event: str) -> bool:
    """Fire an event, and what is forced after it; whether it was possible."""
    if game.outcome is not None or event not in [move.trigger for move in game.events()]:
        return False
    game.fire(event)
    forced_on(game)
    return True


@curried
def positions(kind: type[Game], expected: Callable[[int], bool], words: str) -> None:
    """The number of positions must be as `words` says."""
    count = sum(report.positions for report in reports(kind))
    if not expected(count):
        raise Open(f"It has {count} positions; it should have {words}.")


@curried
def phases_at_most(kind: type[Game], most: int) -> None:
    """It must have few phases."""
    if (count := len(kind.declaration.phases)) > most:
        raise Open(f"It has {count} phases; it should have at most {most}.")


@curried
def has(kind: type[Game], description: str) -> None:
    """A property with this description must be declared."""
    declared = (*kind.declaration.invariants, *kind.declaration.postconditions)
    if description not in [each.description for each in declared]:
        raise Open(f"The property must stay there: {description}.")


@curried
def demands(kind: type[Game], *conditions: Invariant | Postcondition) -> None:
    """All must hold with properties of the level in place of those of the text."""
    invariants = tuple(each for each in conditions if isinstance(each, Invariant))
    postconditions = tuple(each for each in conditions if isinstance(each, Postcondition))
    for description, events in failures(changed(kind, invariants=invariants, postconditions=postconditions)).items():
        raise Open(f"After {events} this does not hold: {description}.")


@curried
def violates(kind: type[Game], condition: Invariant) -> None:
    """A property of the level must fail, and only what is declared with the same words besides."""
    found = failures(changed(kind, invariants=(condition,), postconditions=()))
    if condition.description not in found:
        raise Open(f"This holds still: {condition.description}.")
    if others := [each for each in found if each != condition.description]:
        raise Open(f"Something else also fails: {others[0]}.")


def some_fails(kind: type[Game]) -> None:
    """Something must fail."""
    if not failures(kind):
        raise Open("All properties hold still.")


@curried
def kills(kind: type[Game], *mutations: tuple[str, Callable[[Arc], Arc]]) -> None:
    """Each mutant, made by a change of arcs, must be found by a property of the text."""
    for words, mutation in mutations:
        arcs = tuple(map(mutation, kind.declaration.arcs))
        if arcs == kind.declaration.arcs:
            raise Open(f"The machine must stay as it is: there is no transition for the mutant {words}.")
        try:
            mutant = changed(kind, arcs=arcs)
        except DeclarationError:
            continue
        bounded = [explore_stepped(mutant, small, 2_000, first=True) for small in decks_of(mutant)]
        own = {each.description for each in (*kind.declaration.invariants, *kind.declaration.postconditions)}
        if not any(own & set(report.failures) for report in bounded):
            raise Open(f"A mutant is alive: {words}.")


@curried
def without(arc: Arc, name: str) -> Arc:
    """A mutation: arcs without the guards and effects of a name."""
    parts = {part: getattr(arc, part) for part in ("conditions", "unless", "before")}
    left = {part: tuple(each for each in given if each.__name__ != name) for part, given in parts.items()}
    return replace(arc, **left)


def always_ends(kind: type[Game]) -> None:
    """No position may be reached again from itself."""
    after: dict[str, list[str]] = {}
    waiting = [begun(kind).position()]
    while waiting:
        here = waiting.pop()
        if here in after:
            continue
        if len(after) > 2_000:
            raise Open("It has more than 2,000 positions.")
        after[here] = list(successors(kind, here))
        waiting += after[here]
    try:
        TopologicalSorter(after).prepare()
    except CycleError as error:
        raise Open(f"It can go on for ever: a position can be reached again, such as {error.args[1][0]}") from None


def successors(kind: type[Game], position: str) -> Iterator[str]:
    """The positions to which the events of a position lead."""
    game: Any = kind.at(position)
    for move in [] if game.outcome is not None else game.events():
        game = kind.at(position)
        game.fire(move)
        yield game.position()


@curried
def forces(kind: type[Game], phase: str, trigger: str) -> None:
    """An event must happen by itself in a phase."""
    control = {str(each): control for each, control in kind.declaration.control.items()}.get(phase)
    if control is None or trigger not in control.forced:
        raise Open(f"In {phase}, {trigger} must be forced.")


@curried
def has_other_guards(kind: type[Game], source: str) -> None:
    """The guards must differ from those with which the level begins."""
    begin = made(source).kind.declaration
    if [str(arc) for arc in kind.declaration.arcs] == [str(arc) for arc in begin.arcs]:
        raise Open("It is the same machine still: no transition has changed.")


@curried
def has_rule_on(kind: type[Game], *cards: str) -> None:
    """House rules must change how cards are played: arcs must have been added."""
    if kind.plain is None:
        raise Open("There is no house rule in the text.")
    if not kind.rule_marks.added:
        raise Open(f"No transition was added for {' and '.join(cards)}.")


def plays_again(kind: type[Game]) -> None:
    """Who lays an ace must be in turn again."""
    placed = ["HA", "HK", "CQ", "SS", "SE", "HQ"]
    left = ",".join(card for card in kind.declaration.codec.notation.cards if card not in placed)
    facts = "player=1 due=0 penalty=0 drawn=- suit=- ending=- winner=-"
    game: Any = kind.at(f"await-play {facts} hands=HA,HK,CQ/SS,SE discard=HQ draw={left}")
    game.play("HA")
    if game.player != 1:
        raise Open("Player 1 lays an ace, and player 2 is in turn.")


@curried
def instead(arc: Arc, name: str, other: FunctionType) -> Arc:
    """A mutation: arcs in which another guard or effect stands in place of that of a name."""
    parts = {part: getattr(arc, part) for part in ("conditions", "unless", "before")}
    put = {part: tuple(other if each.__name__ == name else each for each in given) for part, given in parts.items()}
    return replace(arc, **put)


@curried
def twice(arc: Arc, name: str) -> Arc:
    """A mutation: arcs in which the effect of a name happens twice, by a function of its own."""
    found = next((each for each in arc.before if each.__name__ == name), None)
    return arc if found is None else replace(arc, before=(*arc.before, again(found)))


def again(effect: Any) -> Any:
    """A second effect that does the same."""
    return marked(FunctionType(effect.__code__, effect.__globals__, f"{label(effect)} again", effect.__defaults__))


def everything_fires_of_rule(kind: type[Game]) -> None:
    """The small decks must fire one of the arcs that were added at least."""
    added: Sequence[Arc] = tuple(kind.rule_marks.added)
    fired = [report.fired for report in reports(kind)]
    if not any(times[arc] for times in fired for arc in added):
        raise Open("No small deck fires a transition of the rule.")
