"""The games of a server: bounded in number, age and length, and found by secret names."""

from __future__ import annotations

import logging
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from http import HTTPStatus
from secrets import token_urlsafe
from threading import Lock
from typing import Any

from fsm.declaration.declaration import Declaration
from fsm.edge.numbers import bounds
from fsm.outside import OutsideError
from fsm.stepping.game import Game
from fsm.stepping.moves import IllegalMove
from fsm.stepping.steps import Move
from maumau.play.server.guard import BadRequest
from render.page.document import house_rules_data
from render.page.story import Narrator
from rules.notation import many

Answer = dict[str, Any]
FAILURES = ArithmeticError, LookupError, ValueError, AssertionError
"""What rules raise for a table that no game comes to: their functions work on integers, lists and byte rings only."""
LOGGER = logging.getLogger(__name__)
UNKNOWN = "no such game, or it expired because it was idle: begin another one"


@dataclass(frozen=True)
class GameBounds:
    """games: that are held at once. idle: seconds without a request after which a game is removed.

    spare: seconds without a request after which a game may be removed for a new one. events: of one
    game. at_once: events of one request.
    """

    games: int = 500
    idle: float = 3600.0
    spare: float = 120.0
    events: int = 5000
    at_once: int = 100


class LiveGame:
    """A game with the rows that its page shows. Each change makes a new version; requests name the one they know."""

    def __init__(self, game: Game, heading: str, bounds: GameBounds) -> None:
        self.name = token_urlsafe(18)
        self.lock = Lock()
        self._bounds = bounds
        self._heading = heading
        self._narrator = Narrator(game)
        self._rows: list[Any] = []
        self._version = 0

    @property
    def may_be_slow(self) -> bool:
        """Whether a player is computed in Python, so that a request may take long."""
        return any(policy.is_computed for policy in self._narrator.game.policies)

    def everything(self) -> Answer:
        """The whole game: its story and its state."""
        narrator = self._narrator
        with self._all_or_nothing():
            state = self._state(self._version)
        story = narrator.opening(self._heading) | house_rules_data(type(narrator.game))
        return {
            "id": self.name,
            "story": story | {"sentences": list(narrator.sentences), "steps": self._rows},
            "state": state,
        }

    def fire(self, version: int, move: Move) -> Answer:
        """Fire an event. Raises BadRequest, and changes nothing."""
        return self._change(version, lambda: [self._narrator.row(self._narrator.game.fire(move))], 1)

    def step(self, version: int, count: int) -> Answer:
        """Fire up to `count` events as they are forced or the policies choose them, until the game is over."""
        if not 1 <= count <= self._bounds.at_once:
            raise BadRequest(f"count: {count} is out of range; use 1 to {self._bounds.at_once}")
        return self._change(version, lambda: self._steps(count), count)

    def undo(self, version: int, count: int) -> Answer:
        """Take back the last `count` events."""
        if not self._rows:
            raise BadRequest("There is nothing to undo: the game has no event yet.")
        if not 1 <= count <= len(self._rows):
            raise BadRequest(
                f"count: {count} is out of range; use {bounds(1, len(self._rows))}, as many events as there are"
            )
        self._check(version)
        for _ in range(count):
            self._narrator.undo()
        del self._rows[-count:]
        self._version += 1
        return {"sentences": [], "steps": [], "state": self._state(self._version)}

    def _steps(self, count: int) -> list[Any]:
        rows, game = list[Any](), self._narrator.game
        for _ in range(count):
            if rows and game.outcome:
                break
            rows.append(self._narrator.row(game.step()))
        return rows

    def _change(self, version: int, act: Callable[[], list[Any]], count: int) -> Answer:
        """The events that `act` fires, with new sentences, and the state after them."""
        self._check(version)
        if len(self._rows) + count > self._bounds.events:
            most = self._bounds.events
            raise BadRequest(
                f"a game of {len(self._rows)} events cannot go on: {most} is the limit; undo some or begin a new one"
            )
        known = len(self._narrator.sentences)
        with self._all_or_nothing():
            rows = act()
            state = self._state(version + 1)
        self._rows += rows
        self._version += 1
        return {"sentences": list(self._narrator.sentences)[known:], "steps": rows, "state": state}

    @contextmanager
    def _all_or_nothing(self) -> Iterator[None]:
        """Take back all events of a request in which one fails.

        Raises BadRequest for what the rules refuse, and if they fail in a game that began at a given position:
        the invariants of a game may admit positions that no game comes to. As it may be a fault of a rule as well, a
        line is logged.
        """
        events, sentences, game = len(self._rows), len(self._narrator.sentences), self._narrator.game
        try:
            yield
        except Exception as error:
            self._narrator.take_back(events, sentences)
            if isinstance(error, IllegalMove | OutsideError):
                raise BadRequest(str(error), HTTPStatus.UNPROCESSABLE_ENTITY) from None
            if game.from_position and isinstance(error, FAILURES):
                LOGGER.error("maumau: the rules have failed after a given position: %s", ascii(error)[:300])
                fault = f"{type(error).__name__}: {str(error)[:80]}"
                raise BadRequest(f"the rules fail after the given position, which no game comes to: {fault}") from error
            raise

    def _check(self, version: int) -> None:
        if version != self._version:
            raise BadRequest("the game has gone on in another window; it is shown as it is now", HTTPStatus.CONFLICT)

    def _state(self, version: int) -> Answer:
        """The state of the game at a version: position, legal and refused moves, outcome."""
        game = self._narrator.game
        events = game.events()
        return {
            "version": version,
            "position": game.position(),
            "legal": [_offered(game.declaration, move) for move in events.legal],
            "refused": list(events.refused.items()),
            "outcome": self._narrator.ending(),
        }


def _offered(game: Declaration, move: Move) -> list[Any]:
    """A legal move: its event, card and suit; in games with other values their fields as well."""
    offered: list[Any] = [move.trigger, move.card, move.suit]
    if game.own_kinds:
        offered.append({str(kind): getattr(move, kind) for kind in game.own_kinds if kind in move.named})
    return offered


class Games:
    """All games of a server, in the order of their last requests, the oldest first. All methods are called in its event
    loop.
    """

    def __init__(self, bounds: GameBounds | None = None, clock: Callable[[], float] = time.monotonic) -> None:
        self.bounds = bounds or GameBounds()
        self._clock = clock
        self._games: dict[str, tuple[float, LiveGame]] = {}

    def __len__(self) -> int:
        return len(self._games)

    def begin(self, game: Game, heading: str) -> LiveGame:
        """Hold a new game. Raises BadRequest, if as many are being played as there is room for."""
        live = LiveGame(game, heading, self.bounds)
        now = self._clock()
        self._forget(now - self.bounds.idle, len(self._games))
        if len(self._games) >= self.bounds.games:
            self._forget(now - self.bounds.spare, 1)
        if len(self._games) >= self.bounds.games:
            raise BadRequest(
                f"this server plays {many(self.bounds.games, 'game')} at most; try later",
                HTTPStatus.SERVICE_UNAVAILABLE,
            )
        self._games[live.name] = now, live
        return live

    def find(self, name: str) -> LiveGame:
        """The game of this name. Raises BadRequest."""
        now = self._clock()
        self._forget(now - self.bounds.idle, len(self._games))
        if name not in self._games:
            raise BadRequest(UNKNOWN, HTTPStatus.NOT_FOUND)
        _, live = self._games.pop(name)
        self._games[name] = now, live
        return live

    def end(self, name: str) -> None:
        """Remove a game. Raises BadRequest."""
        if self._games.pop(name, None) is None:
            raise BadRequest(UNKNOWN, HTTPStatus.NOT_FOUND)

    def _forget(self, before: float, most: int) -> None:
        """Remove up to `most` games that no request has named since `before`."""
        for _ in range(most):
            name = next(iter(self._games), None)
            if name is None or self._games[name][0] > before:
                return
            del self._games[name]
