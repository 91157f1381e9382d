"""The Python side of the playground: a text becomes a machine that is drawn, stepped and checked.

Everything that JavaScript gets is plain data: dictionaries, lists, texts and numbers.
"""

from __future__ import annotations

import code
import contextlib
import io
import re
import rlcompleter
import sys
import traceback
from collections.abc import Callable, Iterator
from functools import partial
from itertools import chain, takewhile
from types import ModuleType
from typing import Any

from running import NAME, Fault, Made, made

from fsm import Game, IllegalMove, MauMau
from fsm.check import Counterexample, Report, explore_stepped
from fsm.check.inspector import told
from fsm.check.rolled import game_number
from fsm.declaration.arcs import SmallDeck
from fsm.table.layout import layout_of
from render.diagram import Overlay, render
from render.diagram.dot import fitted
from render.notebook import board

Data = dict[str, Any]
MOST_POSITIONS = 60_000
"""Positions that a check visits at most."""


class Console(code.InteractiveConsole):
    """A console whose tracebacks have the lines of its user alone: those that are entered, and those of the text."""

    def showtraceback(self) -> None:
        """Write what was raised."""
        raised = traceback.TracebackException(*sys.exc_info())  # type: ignore[arg-type]
        frames = (frame for frame in raised.stack if frame.filename in (self.filename, f"{NAME}.py"))
        raised.stack = traceback.StackSummary.from_list(list(frames))
        self.write("".join(raised.format()))


class Session:
    """A machine that is stepped: what the page shows and does."""

    def __init__(self) -> None:
        self._made = Made(MauMau, ModuleType(NAME), None, "")
        self.game: Any = None
        self._console = Console({})

    def load(self, source: str) -> Data:
        """Make a machine of a text, and deal, unless the text has."""
        try:
            self._made = made(source)
        except Fault as fault:
            return {"error": str(fault), "line": fault.line}
        game = self._made.kind.declaration
        found = {"title": game.title, "players": list(game.codec.players), "printed": self._made.printed}
        return found | (self.show(self._made.game) if self._made.game else self.deal(0))

    def deal(self, seed: int) -> Data:
        """Deal game 0 of a seed for as few players as can play."""
        kind = self._made.kind
        return self.show(kind.deal(kind.declaration.codec.fewest, seed))

    def show(self, game: Game) -> Data:
        """Put a game on the table, and begin a console with it."""
        self.game = game
        self._console = Console({**vars(self._made.module), "game": game})
        return self.state()

    def replay(self, cards: str, each: int, line: str, number: int, events: list[Data]) -> Data:
        """Put a counterexample on the table, after some of its events, of which the last one may be refused.

        number: of the game whose dice it needs.
        """
        kind = self._made.kind.with_deck(cards, each) if cards else self._made.kind
        self.game = kind.parse(line)
        self.game.table.number = number
        for event in events[:-1]:
            self.game.fire(event["trigger"], **event["named"])
        return self.fire(events[-1]["trigger"], events[-1]["named"]) if events else self.state()

    def fire(self, trigger: str, named: Data) -> Data:
        """Fire an event; the state, with the refusal if there is one."""
        return self._after(partial(self.game.fire, trigger, **named))

    def step(self) -> Data:
        """Fire the event that is forced, or that the policy chooses; the state, with the refusal if there is one."""
        return self._after(self.game.step)

    def _after(self, fire: Callable[[], object]) -> Data:
        try:
            fire()
        except (IllegalMove, ValueError) as error:
            return {**self.state(), "refusal": str(error)}
        except Exception as error:  # of a rule function
            return {**self.state(), "refusal": told(error)}
        return self.state()

    def undo(self) -> Data:
        """Take the last event back."""
        with contextlib.suppress(IllegalMove):
            self.game.undo()
        return self.state()

    def state(self) -> Data:
        """The table, the diagram with the active phase, the events that are legal, and what was done."""
        game = self.game
        last = [str(step) for step in game.history[-12:]]
        over = game.outcome is not None
        facts = layout_of(game.declaration).facts[1:-2]
        try:
            events = {"events": [] if over else [{"text": str(move), **named(move)} for move in game.events()]}
        except Exception as error:  # of a rule function
            events = {"events": [], "refusal": told(error)}
        return events | {
            "phase": str(game.phase),
            "node": game.phase.name,
            "dot": render(game.declaration, "dot", Overlay(active=game.phase)),
            "board": board(game) if game.declaration.deck_size > 1 else "",
            "facts": [f"{fact.name}: {getattr(game.table, fact.field)}" for fact in facts],
            "position": game.position(),
            "forced": bool(game.forced_events) and not over,
            "log": last,
            "count": len(game.history),
            "outcome": str(game.outcome) if over else "",
        }

    def run(self, line: str) -> Data:
        """Run a line of the console, in which `game` is the machine; what it prints, and whether more is expected."""
        out = io.StringIO()
        with contextlib.redirect_stdout(out), contextlib.redirect_stderr(out):
            more = self._console.push(line)
        return {**self.state(), "output": out.getvalue(), "more": more}

    def completions(self, text: str) -> list[str]:
        """What a name at the end of a line of the console may become."""
        found = re.search(r"[\w.]*$", text)
        completer, prefix = rlcompleter.Completer(self._console.locals), found.group() if found else ""
        names = list(takewhile(bool, map(partial(completer.complete, prefix), range(40)))) if prefix else []
        return [name for name in names if "._" not in name or "._" in prefix]


def named(move: Any) -> Data:
    """The event of a move, and what is named with it."""
    values = {name: value for name, value in move._asdict().items() if value is not None}
    return {"trigger": values.pop("trigger"), "named": values}


def fitted_svg(svg: str, layout: str) -> str:
    """A drawing whose texts have the widths of its layout, in Graphviz's JSON."""
    return fitted(svg, layout.encode())


# ---------------------------------------------------------------- checks


def check(source: str, notify: Callable[[str], None] | None = None) -> Data:
    """Visit all positions of the small decks of the machine of a text; what holds, and what fails where."""
    try:
        return checked(made(source).kind, notify)
    except Fault as fault:
        return {"error": str(fault), "line": fault.line}
    except Exception as error:
        return {"error": f"{type(error).__name__}: {error}", "line": 0}


def decks_of(kind: type[Game]) -> tuple[SmallDeck, ...]:
    """The small decks that are checked: those that are not large. Raises Fault."""
    decks = tuple(small for small in kind.declaration.small_decks if not small.large)
    if not decks:
        raise Fault("the game has no small deck, whose positions could all be visited: small_decks=(SmallDeck(...),)")
    return decks


def checked(kind: type[Game], notify: Callable[[str], None] | None = None) -> Data:
    """The report of the small decks of a game."""
    reports = [(small, explore_stepped(kind, small, MOST_POSITIONS, notify=notify)) for small in decks_of(kind)]
    lines = (_lines(kind.with_deck(small.cards, small.each), small, report) for small, report in reports)
    never = [str(arc) for arc in kind.declaration.arcs if not any(report.fired[arc] for _, report in reports)]
    return {
        "title": kind.declaration.title,
        "positions": sum(report.positions for _, report in reports),
        "events": sum(report.events for _, report in reports),
        "complete": all(report.complete for _, report in reports),
        "properties": list(chain.from_iterable(lines)),
        "failures": list(dict.fromkeys(failed for _, report in reports for failed in report.failures)),
        "never": never,
        "deck": str(reports[0][0]),
    }


def _lines(kind: type[Game], small: SmallDeck, report: Report) -> Iterator[Data]:
    """Each property with how often it failed, what a rule function raised, and its counterexample, unless it is not
    known which dice it needs. kind: with the small deck.
    """
    for number, text in enumerate(report.properties):
        line = {"text": text, "failed": report.failed[number]}
        if found := report.examples.get(number):
            line["error"] = found.error
            if (dice := game_number(kind, found, text)) is not None:
                line["example"] = _example(small, found, dice)
        yield line


def _example(small: SmallDeck, found: Counterexample, number: int) -> Data:
    last = (found.event,) if found.event else found.loop
    return {
        "cards": small.cards,
        "each": small.each,
        "line": found.line,
        "number": number,
        "position": found.position,
        "event": str(found.event) if found.event else "",
        "events": [{"text": str(move), **named(move)} for move in (*found.events, *last)],
    }
