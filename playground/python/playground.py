"""The Python side of the playground: a text becomes a machine that is drawn, stepped and checked.

Everything that JavaScript gets is plain data: dictionaries, lists, texts and numbers.
"""

from __future__ import annotations

import code
import contextlib
import io
import linecache
import re
import rlcompleter
import sys
import traceback
from collections.abc import Callable
from types import ModuleType
from typing import Any

from fsm import Game, IllegalMove, MauMau
from fsm.check import Counterexample, Report, explore_stepped
from fsm.declaration.arcs import SmallDeck
from fsm.variants import Variant
from render.diagram import Overlay, render
from render.diagram.picture import fitted
from render.page.board import board

Data = dict[str, Any]
NAME = "own"
"""The name of the module that is made of a text, and, with .py, of its file in messages."""
MOST_POSITIONS = 60_000
"""Positions that a check visits at most."""


class Fault(Exception):
    """What is wrong with a text. line: where, from 1 on; 0 if that is not known."""

    def __init__(self, message: str, line: int = 0) -> None:
        super().__init__(message)
        self.line = line


def made(source: str) -> tuple[type[Game], ModuleType]:
    """The last game that a text names, or Mau-Mau, with the house rules of the text, and the module. Raises Fault."""
    file = f"{NAME}.py"
    module = ModuleType(NAME)
    module.__file__ = file
    linecache.cache[file] = (len(source), None, source.splitlines(keepends=True), file)
    sys.modules[NAME] = module
    try:
        exec(compile(source, file, "exec"), vars(module))
        values = vars(module).values()
        games = [value for value in values if isinstance(value, type) and issubclass(value, Game) and value is not Game]
        rules = list(dict.fromkeys(value for value in values if isinstance(value, Variant)))
        if games or rules:
            kind = games[-1] if games else MauMau
            return kind.with_rules(*rules) if rules else kind, module
    except SyntaxError as error:
        raise Fault(f"syntax error: {error.msg}", error.lineno or 0) from None
    except Exception as error:
        lines = [frame.lineno or 0 for frame in traceback.extract_tb(error.__traceback__) if frame.filename == file]
        kind = "" if isinstance(error, ValueError) else f"{type(error).__name__}: "
        raise Fault(f"{kind}{error}", lines[-1] if lines else 0) from None
    raise Fault("no game and no house rule in the text, expected a class of a game: class Own(Game, declaration=...)")


class Session:
    """A machine that is stepped: what the page shows and does."""

    def __init__(self) -> None:
        self._kind: type[Game] = MauMau
        self._module = ModuleType(NAME)
        self.game: Any = None
        self._console = code.InteractiveConsole({})

    def load(self, source: str) -> Data:
        """Make a machine of a text, and deal."""
        try:
            self._kind, self._module = made(source)
        except Fault as fault:
            return {"error": str(fault), "line": fault.line}
        game = self._kind.declaration
        return {"title": game.title, "players": [game.codec.fewest, game.codec.most], **self.deal(0, 0)}

    def deal(self, seed: int, players: int) -> Data:
        """Deal game 0 of a seed. players: 0 for as few as can play."""
        self.game = self._kind.deal(players or self._kind.declaration.codec.fewest, seed)
        self._console = code.InteractiveConsole({**vars(self._module), "game": self.game})
        return self.state()

    def replay(self, cards: str, players: int, each: int, line: str, events: list[Data]) -> Data:
        """Put a counterexample on the table, at its beginning."""
        kind = self._kind.with_deck(cards, each) if cards else self._kind
        self.game = kind.parse(line)
        return {**self.state(), "players": players, "events": events}

    def fire(self, trigger: str, named: Data) -> Data:
        """Fire an event; the state, with the refusal if there is one."""
        try:
            self.game.fire(trigger, **named)
        except (IllegalMove, ValueError) as error:
            return {**self.state(), "refusal": str(error)}
        return self.state()

    def step(self) -> Data:
        """Fire the event that is forced, or that the policy chooses."""
        with contextlib.suppress(IllegalMove):
            self.game.step()
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
        facts = game.declaration.position_facts[1:-2]
        return {
            "phase": str(game.phase),
            "dot": render(game.declaration, "dot", Overlay(active=game.phase)),
            "board": board(game) if game.declaration.deck_size > 1 else "",
            "facts": [f"{fact.name}: {getattr(game.table, fact.field)}" for fact in facts],
            "position": game.position(),
            "events": [] if over else [{"text": str(move), **named(move)} for move in game.events()],
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
        names: list[str] = []
        while prefix and len(names) < 40 and (name := completer.complete(prefix, len(names))):
            names.append(name)
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
    """Visit all positions of the first small deck of the machine of a text; what holds, and what fails where."""
    try:
        kind, _ = made(source)
        return checked(kind, notify)
    except Fault as fault:
        return {"error": str(fault), "line": fault.line}
    except Exception as error:
        return {"error": f"{type(error).__name__}: {error}", "line": 0}


def decks_of(kind: type[Game]) -> tuple[SmallDeck, ...]:
    """The small decks that are checked: the first one, and those of house rules. Raises Fault."""
    decks = kind.declaration.small_decks
    if not decks:
        raise Fault("the game has no small deck, whose positions could all be visited: small_decks=(SmallDeck(...),)")
    return decks[:1] + (decks[len(kind.plain.declaration.small_decks) :] if kind.plain else ())


def checked(kind: type[Game], notify: Callable[[str], None] | None = None) -> Data:
    """The report of the small decks of a game."""
    reports = [(small, explore_stepped(kind, small, MOST_POSITIONS, notify=notify)) for small in decks_of(kind)]
    never = [str(arc) for arc in kind.declaration.arcs if not any(report.fired[arc] for _, report in reports)]
    return {
        "title": kind.declaration.title,
        "positions": sum(report.positions for _, report in reports),
        "events": sum(report.events for _, report in reports),
        "complete": all(report.complete for _, report in reports),
        "properties": [line for small, report in reports for line in _lines(small, report)],
        "failures": list(dict.fromkeys(failed for _, report in reports for failed in report.failures)),
        "never": never,
        "deck": str(reports[0][0]),
    }


def _lines(small: SmallDeck, report: Report) -> list[Data]:
    """Each property with how often it failed, and its counterexample."""
    lines = []
    for number, text in enumerate(report.properties):
        found = report.examples.get(number)
        example = {"example": _example(small, found)} if isinstance(found, Counterexample) else {}
        lines.append({"text": text, "failed": report.failed[number], **example})
    return lines


def _example(small: SmallDeck, found: Counterexample) -> Data:
    last = (found.event,) if found.event else found.loop
    return {
        "cards": small.cards,
        "players": small.players,
        "each": small.each,
        "line": found.line,
        "position": found.position,
        "event": str(found.event) if found.event else "",
        "events": [{"text": str(move), **named(move)} for move in (*found.events, *last)],
    }
