"""The levels of the playground: for each unit of the course machines to complete, to repair and to break.

Each is judged by the checker and by events that a machine must accept or refuse, not by its text.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from types import FunctionType
from typing import Any

from fsm import Game
from fsm.check import Report, explore_stepped
from fsm.declaration.arcs import Arc, Invariant, Postcondition
from fsm.declaration.chart import DeclarationError
from playground import MOST_POSITIONS, Data, Fault, decks_of, made
from rules.rule import effect as marked
from rules.rule import label, query

HERE = Path(__file__).parent
FOLDERS = (HERE / "levels_of_course", HERE.parent / "levels")
"""Where the texts of the levels lie: in the archive of the playground, and in the repository."""


class Open(Exception):
    """A level is not solved yet; the message says what is missing."""


@dataclass(frozen=True)
class Level:
    """One level. unit: of the course. task: what is asked for. demands: what an answer must do, in order."""

    name: str
    unit: int
    title: str
    text: str
    demands: tuple[Callable[[type[Game]], None], ...]

    @property
    def source(self) -> str:
        """The text with which the level begins."""
        folder = next(folder for folder in FOLDERS if folder.exists())
        return (folder / f"{self.name}.py").read_text(encoding="utf-8")


def judge(name: str, source: str) -> Data:
    """Whether a text solves a level, and what is missing if it does not."""
    try:
        kind, _ = made(source)
        for demand in LEVELS[name].demands:
            demand(kind)
    except Fault as fault:
        where = f"line {fault.line}: " if fault.line else ""
        return {"passed": False, "message": f"{where}{fault}"}
    except Open as missing:
        return {"passed": False, "message": str(missing)}
    except Exception as error:
        return {"passed": False, "message": f"{type(error).__name__}: {error}"}
    return {"passed": True, "message": "Solved."}


# ---------------------------------------------------------------- what an answer must do

Demand = Callable[[type[Game]], None]


def changed(kind: type[Game], **parts: Any) -> type[Game]:
    """The game with other parts of its declaration."""
    return type("Judged", (kind,), {"declaration": replace(kind.declaration, **parts)})


def reports(kind: type[Game]) -> Iterator[Report]:
    """What is found in all positions of its small decks."""
    for small in decks_of(kind):
        yield explore_stepped(kind, small, MOST_POSITIONS)


def failures(kind: type[Game]) -> list[str]:
    """The properties that fail. Raises Open for a machine with too many positions."""
    found = []
    for report in reports(kind):
        if not report.complete:
            raise Open(f"It has more than {MOST_POSITIONS:,} positions.")
        found += report.failures
    return found


def all_hold(kind: type[Game]) -> None:
    """All properties must hold."""
    if found := failures(kind):
        raise Open(f"This fails: {found[0]}. Press Check to see how.")


def everything_fires(kind: type[Game]) -> None:
    """Each arc must be fired with some small deck."""
    fired = [report.fired for report in reports(kind)]
    for arc in kind.declaration.arcs:
        if not any(times[arc] for times in fired):
            raise Open(f"No small deck fires this arc: {arc}")


def accepts(*events: str) -> Demand:
    """These events must be possible one after another, from the beginning."""

    def demand(kind: type[Game]) -> None:
        game = begun(kind)
        for number, event in enumerate(events):
            if not fires(game, event):
                done = " and ".join(events[:number]) or "the beginning"
                raise Open(f"After {done} it must be possible to {event}.")

    return demand


def refuses(*events: str) -> Demand:
    """The last of these events must be impossible, those before it possible."""

    def demand(kind: type[Game]) -> None:
        accepts(*events[:-1])(kind)
        game = begun(kind)
        for event in events[:-1]:
            fires(game, event)
        if fires(game, events[-1]):
            done = " and ".join(events[:-1]) or "the beginning"
            raise Open(f"After {done} it must not be possible to {events[-1]}.")

    return demand


def begun(kind: type[Game]) -> Any:
    """A game after the events that are forced at its beginning."""
    game = kind.deal(kind.declaration.codec.fewest, 0)
    return forced_on(game)


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


def positions(expected: Callable[[int], bool], words: str) -> Demand:
    """The number of positions must be as `words` says."""

    def demand(kind: type[Game]) -> None:
        count = sum(report.positions for report in reports(kind))
        if not expected(count):
            raise Open(f"It has {count} positions, expected {words}.")

    return demand


def phases_at_most(most: int) -> Demand:
    """It must have few phases."""

    def demand(kind: type[Game]) -> None:
        if (count := len(kind.declaration.phases)) > most:
            raise Open(f"It has {count} phases, expected at most {most}.")

    return demand


def has(description: str) -> Demand:
    """A property with this description must be declared."""

    def demand(kind: type[Game]) -> None:
        declared = (*kind.declaration.invariants, *kind.declaration.postconditions)
        if description not in [each.description for each in declared]:
            raise Open(f"The property must stay there: {description}.")

    return demand


def demands(*conditions: Invariant | Postcondition) -> Demand:
    """All must hold with properties of the level in place of those of the text."""

    def demand(kind: type[Game]) -> None:
        invariants = tuple(each for each in conditions if isinstance(each, Invariant))
        postconditions = tuple(each for each in conditions if isinstance(each, Postcondition))
        all_hold(changed(kind, invariants=invariants, postconditions=postconditions))

    return demand


def violates(condition: Invariant) -> Demand:
    """A property of the level must fail, and only what is declared with the same words besides."""

    def demand(kind: type[Game]) -> None:
        found = failures(changed(kind, invariants=(condition,), postconditions=()))
        if condition.description not in found:
            raise Open(f"This holds still: {condition.description}.")
        if others := [each for each in found if each != condition.description]:
            raise Open(f"Something else fails, too: {others[0]}.")

    return demand


def some_fails(kind: type[Game]) -> None:
    """Something must fail."""
    if not failures(kind):
        raise Open("All properties hold still.")


def kills(*mutations: tuple[str, Callable[[Arc], Arc]]) -> Demand:
    """Each mutant, made by a change of arcs, must be found by a property of the text."""

    def demand(kind: type[Game]) -> None:
        for words, mutation in mutations:
            arcs = tuple(map(mutation, kind.declaration.arcs))
            if arcs == kind.declaration.arcs:
                raise Open(f"The machine must stay as it is: there is no arc for the mutant {words}.")
            try:
                mutant = changed(kind, arcs=arcs)
            except DeclarationError:
                continue
            bounded = [explore_stepped(mutant, small, 2_000, first=True) for small in decks_of(mutant)]
            own = {each.description for each in (*kind.declaration.invariants, *kind.declaration.postconditions)}
            if not any(own & set(report.failures) for report in bounded):
                raise Open(f"A mutant is alive: {words}.")

    return demand


def without(name: str) -> Callable[[Arc], Arc]:
    """A mutation: arcs without the guards and effects of a name."""

    def mutation(arc: Arc) -> Arc:
        parts = {part: getattr(arc, part) for part in ("conditions", "unless", "before")}
        left = {part: tuple(each for each in given if each.__name__ != name) for part, given in parts.items()}
        return replace(arc, **left)

    return mutation


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
    left = dict(after)
    while left:
        ends = [here for here, following in left.items() if not any(each in left for each in following)]
        if not ends:
            raise Open(f"It can go on for ever: a position can be reached again, such as {next(iter(left))}")
        for here in ends:
            del left[here]


def successors(kind: type[Game], position: str) -> Iterator[str]:
    """The positions to which the events of a position lead."""
    game: Any = kind.at(position)
    for move in [] if game.outcome is not None else game.events():
        game = kind.at(position)
        game.fire(move)
        yield game.position()


def forces(phase: str, trigger: str) -> Demand:
    """An event must happen by itself in a phase."""

    def demand(kind: type[Game]) -> None:
        control = {str(each): control for each, control in kind.declaration.control.items()}.get(phase)
        if control is None or trigger not in control.forced:
            raise Open(f"In {phase}, {trigger} must be forced.")

    return demand


def has_other_guards(name: str) -> Demand:
    """The guards must differ from those with which the level begins."""

    def demand(kind: type[Game]) -> None:
        begin, _ = made(LEVELS[name].source)
        if [str(arc) for arc in kind.declaration.arcs] == [str(arc) for arc in begin.declaration.arcs]:
            raise Open("It is the same machine still: no arc has changed.")

    return demand


def has_rule_on(*cards: str) -> Demand:
    """House rules must change how cards are played: arcs must have been added."""

    def demand(kind: type[Game]) -> None:
        if kind.plain is None:
            raise Open("There is no house rule in the text.")
        if not kind.rule_marks.added:
            raise Open(f"No arc was added for {' and '.join(cards)}.")

    return demand


def plays_again(kind: type[Game]) -> None:
    """Who lays an ace must be in turn again."""
    placed = ["HA", "HK", "CQ", "SS", "SE", "HQ"]
    left = ",".join(card for card in kind.declaration.codec.notation.cards if card not in placed)
    facts = "player=1 due=0 penalty=0 drawn=- suit=- ending=- winner=-"
    game: Any = kind.at(f"await-play {facts} hands=HA,HK,CQ/SS,SE discard=HQ draw={left}")
    game.play("HA")
    if game.player != 1:
        raise Open("Player 1 lays an ace, and player 2 is in turn.")


# ---------------------------------------------------------------- properties of the levels


@query
def at_most_three(table: Any) -> bool:
    """At most three coins are in the box."""
    return bool(table.coins <= 3)


@query
def coin_is_in_box(before: Any, after: Any) -> bool:
    """A coin more is in the box."""
    return bool(after.coins == before.coins + 1)


@query
def short_wait(table: Any) -> bool:
    """Nobody waits for more than two phases of green."""
    return bool(table.greens <= 2)


@query
def nobody_waits(before: Any, after: Any) -> bool:
    """Nobody waits after it."""
    return bool(after.waiting == 0)


THREE_COINS = Invariant("at most three coins are in the box", at_most_three)
COIN = Postcondition("a coin goes into the box", coin_is_in_box, ("coin",))
SHORT_WAIT = Invariant("pedestrians wait for at most two phases of green", short_wait)
WALKERS = Postcondition("who walks waits no longer", nobody_waits, ("let_walk",))
PASS = ("coin", "push")


def levels() -> Iterator[Level]:
    """All levels, in the order of the course."""
    yield Level(
        "first-arc", 1, "A way in",
        "A phase that no arc leads to is refused. Add the arc: in locked, a coin leads to unlocked. "
        "has_room and take_coin are its guard and its effect.",
        (accepts(*PASS, "coin", "push", "empty", "switch_off"), refuses("push"), demands(THREE_COINS, COIN)),
    )  # fmt: skip
    yield Level(
        "way-out", 1, "A way out",
        "A locked door has no way out. Add the event unlock.",
        (all_hold, accepts("lock", "unlock", "open_door", "close_door", "remove"), refuses("lock", "open_door")),
    )  # fmt: skip
    yield Level(
        "three-floors", 1, "Three floors",
        "The lift serves two floors. Add the second floor above the first: up leads there, and down back.",
        (all_hold, accepts("up", "up", "down", "down", "switch_off"), refuses("down"), refuses("up", "up", "up"),
         refuses("up", "switch_off")),
    )  # fmt: skip
    yield Level(
        "missing-guard", 2, "Find the missing guard",
        "Press Check: the box takes a fourth coin. Which arc lacks a guard? It is there already.",
        (demands(THREE_COINS, COIN), everything_fires, accepts(*PASS * 3), refuses(*PASS * 3, "coin")),
    )  # fmt: skip
    yield Level(
        "two-arcs", 2, "Two arcs for one event",
        "With a full box the coin is given back. Two arcs of coin are enabled at once, and the declaration is refused. "
        "Let a guard tell them apart: with conditions or unless.",
        (demands(THREE_COINS), everything_fires, accepts(*PASS * 3, "coin", "coin"),
         refuses(*PASS * 3, "coin", "push")),
    )  # fmt: skip
    yield Level(
        "missing-effect", 2, "What was forgotten?",
        "Who walks waits no longer, says a property. An effect forgets it. Repair the effect.",
        (demands(SHORT_WAIT, WALKERS), everything_fires),
    )  # fmt: skip
    yield Level(
        "count-positions", 3, "Twenty-one positions",
        "A turnstile for three coins has 12 positions. Before you try it: for how many coins has it 21? "
        "Change the guard, and what the property says.",
        (all_hold, positions(lambda count: count == 21, "21"), accepts(*PASS, "empty")),
    )  # fmt: skip
    yield Level(
        "too-many-positions", 3, "State explosion",
        "A counter of visitors, which no rule reads, multiplies the positions by ten. Remove it, so that 12 are left.",
        (demands(THREE_COINS, COIN), positions(lambda count: count <= 12, "at most 12"), accepts(*PASS * 3)),
    )  # fmt: skip
    yield Level(
        "make-it-fail", 4, "Make this property fail",
        "At most three coins are in the box. Break the machine, so that just this property fails.",
        (has(THREE_COINS.description), violates(THREE_COINS)),
    )  # fmt: skip
    yield Level(
        "state-invariant", 4, "State an invariant",
        "The invariant of the light says True, always. Let it say what its sentence says. It must hold, and it must "
        "fail if cars are given a third phase of green while somebody waits.",
        (all_hold, demands(SHORT_WAIT, WALKERS), kills(("without the guard waited_long", without("waited_long")))),
    )  # fmt: skip
    yield Level(
        "state-postcondition", 4, "State what an event does",
        "A coin goes into the box: this property looks at the table after the event only. Compare it with the table "
        "before. It must fail for a machine in which a second coin is not counted.",
        (all_hold, demands(THREE_COINS, COIN), kills(("without the effect take_coin", without("take_coin")),
                                                     ("in which every coin counts twice", twice("take_coin")))),
    )  # fmt: skip
    yield Level(
        "dead-end", 5, "A dead end",
        "Press Check: there is a position without a way on. Add an event empty, so that there is none, and keep "
        "all arcs that are there.",
        (all_hold, everything_fires, accepts(*PASS * 3, "empty", "switch_off"), refuses(*PASS, "switch_off")),
    )  # fmt: skip
    yield Level(
        "nowhere-to-go", 5, "Nowhere to go",
        "Follow Suit: play a card that fits, or draw one. What if none fits and the draw pile is empty? "
        "Add the event give_up, which leads to game-over; nobody_wins of rules.shedding is its effect, and the policy "
        "needs a last choice.",
        (all_hold, everything_fires),
    )  # fmt: skip
    yield Level(
        "always-stops", 5, "It always stops",
        "Whatever is chosen, the turnstile shall stop one day: no position may be reached twice. Three visitors must "
        "still be able to pass.",
        (demands(THREE_COINS, COIN), accepts(*PASS * 3, "switch_off"), always_ends),
    )  # fmt: skip
    yield Level(
        "by-itself", 6, "By itself",
        "After yellow comes red, without anybody's choice. Make this event forced.",
        (demands(SHORT_WAIT, WALKERS), everything_fires, forces("yellow", "change")),
    )  # fmt: skip
    yield Level(
        "fewer-phases", 6, "A phase becomes a fact",
        "Whether the door is locked can be a fact of the table in place of a phase. Make it one: four phases, and "
        "the door behaves as before.",
        (all_hold, everything_fires, phases_at_most(4), accepts("lock", "unlock", "open_door", "close_door", "remove"),
         refuses("lock", "open_door"), refuses("lock", "lock"), refuses("lock", "remove"), refuses("unlock"),
         refuses("open_door", "lock")),
    )  # fmt: skip
    yield Level(
        "kill-mutants", 7, "Kill three mutants",
        "The machine is right, and nothing says so. State properties that hold, and that fail for each of three "
        "mutants: without the effect take_coin, without the effect empty_box, without the guard has_room.",
        (all_hold, demands(THREE_COINS, COIN), kills(("without the effect take_coin", without("take_coin")),
                                                     ("without the effect empty_box", without("empty_box")),
                                                     ("without the guard has_room", without("has_room")))),
    )  # fmt: skip
    yield Level(
        "equivalent", 7, "An equivalent mutant",
        "Change the guards of an arc so that the machine behaves as before: no property finds such a mutant.",
        (demands(THREE_COINS, COIN), has_other_guards("equivalent"), positions(lambda count: count == 12, "12"),
         accepts(*PASS * 3, "empty", "coin", "push", "switch_off"), everything_fires),
    )  # fmt: skip
    yield Level(
        "rule-breaks", 7, "A house rule that breaks the game",
        "In this Mau-Mau a ten skips the next player, and all properties hold. Change the rule so that the game "
        "contradicts its properties.",
        (has_rule_on("tens"), some_fails),
    )  # fmt: skip
    yield Level(
        "rule-repair", 7, "Repair a house rule",
        "A nine reverses the direction of play. A property of Mau-Mau contradicts it, and Check shows where. "
        "A rule may waive a property that it changes on purpose.",
        (has_rule_on("nines"), all_hold, everything_fires_of_rule),
    )  # fmt: skip
    yield Level(
        "own-rule", 7, "A rule of your own",
        "After an ace its player plays again. Write the rule: split the arcs of play, and let next_in_turn mean what "
        "is right now. All properties must hold, and the small deck must fire each new arc.",
        (has_rule_on("aces"), plays_again, all_hold),
    )  # fmt: skip


def twice(name: str) -> Callable[[Arc], Arc]:
    """A mutation: arcs in which the effect of a name happens twice, by a function of its own."""

    def mutation(arc: Arc) -> Arc:
        found = next((each for each in arc.before if each.__name__ == name), None)
        return arc if found is None else replace(arc, before=(*arc.before, again(found)))

    return mutation


def again(effect: Any) -> Any:
    """A second effect that does the same."""
    return marked(FunctionType(effect.__code__, effect.__globals__, f"{label(effect)} again", effect.__defaults__))


def everything_fires_of_rule(kind: type[Game]) -> None:
    """The small decks must fire one of the arcs that were added at least."""
    added: Sequence[Arc] = tuple(kind.rule_marks.added)
    fired = [report.fired for report in reports(kind)]
    if not any(times[arc] for times in fired for arc in added):
        raise Open("No small deck fires an arc of the rule.")


LEVELS = {level.name: level for level in levels()}
