"""The cost of stepping: whole games with decisions, history and undo, compared with bare events of `transitions`.

python -m benchmarks.stepping [--games N] [--repeats K] [--json FILE]
"""

from __future__ import annotations

import argparse
from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass
from typing import Any, NamedTuple

from transitions import Machine

from benchmarks.measuring import (
    cpu_time,
    in_turn,
    markdown,
    surroundings,
    three_digits,
    time_text,
    whole_number,
    write_json,
)
from fsm import MauMau, Uno
from fsm.declaration.arcs import Phase
from fsm.stepping.fast_machine import fast_machine_of, machine_of
from fsm.stepping.game import Game

SEED, PLAYERS = 7, 3
AT_MOST = 1.3

STEPPED = "stepped: decisions, guards, callbacks, history, undo"
BARE = "bare: machine.events[name].trigger(model)"
BARE_MODEL = "bare, the usual way: model.name() after add_model"
BARE_MODELS = "bare, the usual way, a model added for each game"
FAST = "fast machine, same guards and callbacks"
GUARDED = "plain machine, same guards and callbacks"
GUARDED_MODEL = "plain machine, same guards and callbacks, the usual way"

LEGEND = """\
Each row fires the same events, those of whole games by the house rules. Times are medians of CPU time, all rows of one
game were measured in turn. stepped takes: how many times as long as this row's event a stepped event takes.

- bare: a plain `transitions.Machine` with one unguarded transition for each (event, source, dest) and no callbacks;
  nothing is decided, nothing is stored.
- same guards and callbacks: the machine that fsm/stepping/fast_machine.py builds, of the library's own classes (plain)
  or of its own (fast); the cards and suits that were chosen are put on the table for it, nothing is
  decided, nothing is stored.
- Dealing is timed in no row."""


class Fired(NamedTuple):
    """One event of a game: its name on a bare machine, and what was on the table for its guards."""

    bare: str
    trigger: str
    source: Phase
    dest: Phase
    card: int
    suit: int
    returned: int


class Model:
    """What a plain machine steps."""

    phase: Phase


@dataclass(frozen=True)
class Row:
    """The result of one way of firing: seconds an event, and how many times as long stepping takes."""

    game: str
    what: str
    events: int
    seconds: float
    stepped_takes: float

    def cells(self) -> list[str]:
        """The cells of the table."""
        required = f"at most {AT_MOST}" if self.what == BARE else ""
        rate = three_digits(1 / self.seconds)
        times = f"{self.stepped_takes:.2f} times"
        return [self.game, self.what, f"{self.events:,}", time_text(self.seconds), rate, times, required]


class Bench:
    """The events of many games of one kind, and the ways to fire them."""

    def __init__(self, kind: type[Game], games: int) -> None:
        self.kind, self.game = kind, kind.declaration
        self.decks = [kind.deck_of(PLAYERS, SEED, number) for number in range(games)]
        self.played = [self._played(deck) for deck in self.decks]
        self.events = sum(map(len, self.played))
        self.bare, self.plain = self._bare_machine(), machine_of(self.game, Machine)
        self.bare_model, self.plain_model = Model(), Model()
        self.bare.add_model(self.bare_model)
        self.plain.add_model(self.plain_model)
        self.fast = fast_machine_of(self.game)

    def rows(self, repeats: int) -> list[Row]:
        """Measure all in turn."""
        measures = {
            STEPPED: self.stepped,
            BARE: self.fired_bare,
            BARE_MODEL: self.fired_on_model,
            BARE_MODELS: self.fired_on_models,
            FAST: lambda: self.fired_guarded(self.fast),
            GUARDED: lambda: self.fired_guarded(self.plain),
            GUARDED_MODEL: self.fired_guarded_on_model,
        }
        seconds = in_turn(measures, repeats)
        return [
            Row(self.game.name, what, self.events, taken / self.events, seconds[STEPPED] / taken)
            for what, taken in seconds.items()
        ]

    # ---------------------------------------------------------------- the ways to fire

    def stepped(self) -> float:
        """Whole games, stepped by `run`."""
        games = [self._game(deck) for deck in self.decks]
        return cpu_time(lambda: [game.run() for game in games])

    def fired_bare(self) -> float:
        """Events of the machine on an unregistered object."""
        machine, model = self.bare, Model()

        def fire(names: Sequence[str]) -> None:
            for name in names:
                machine.events[name].trigger(model)

        return self._bare_time(model, fire)

    def fired_on_model(self) -> float:
        """Methods that `add_model` gave to one model."""
        model = self.bare_model

        def fire(names: Sequence[str]) -> None:
            for name in names:
                getattr(model, name)()

        return self._bare_time(model, fire)

    def fired_on_models(self) -> float:
        """Methods of a model of its own for each game, added before it and removed after it."""
        machine, rows = self.bare, self._names()

        def fire() -> None:
            for names in rows:
                model = Model()
                machine.add_model(model, initial=self.game.initial)
                for name in names:
                    getattr(model, name)()
                machine.remove_model(model)

        return cpu_time(fire)

    def fired_guarded(self, machine: Machine) -> float:
        """Events with guards and callbacks on an unregistered object."""

        def fire(model: Model, trigger: str, table: Any) -> None:
            machine.events[trigger].trigger(model, table)

        return self._guarded_time(Model(), fire)

    def fired_guarded_on_model(self) -> float:
        """Methods with guards and callbacks that `add_model` gave to one model."""

        def fire(model: Model, trigger: str, table: Any) -> None:
            getattr(model, trigger)(table)

        return self._guarded_time(self.plain_model, fire)

    # ---------------------------------------------------------------- what they need

    def _game(self, deck: bytearray) -> Game:
        return self.kind.of_deck(PLAYERS, deck)

    def _played(self, deck: bytearray) -> list[Fired]:
        """The events of the game that `deck` starts."""
        game, fired = self._game(deck), []
        while game.phase is not self.game.final:
            step = game.step()
            table, name = game.table, f"{step.trigger}_{step.source.name}_{step.dest.name}"
            fired.append(Fired(name, step.trigger, step.source, step.dest, table.card, table.suit, table.returned))
        return fired

    def _bare_machine(self) -> Machine:
        machine = Machine(
            model=None,
            states=self.game.phases,
            initial=self.game.initial,
            auto_transitions=False,
            model_attribute="phase",
        )
        for name, _, source, dest, *_ in {event.bare: event for game in self.played for event in game}.values():
            machine.add_transition(name, source, dest)
        return machine

    def _names(self) -> list[list[str]]:
        return [[event.bare for event in game] for game in self.played]

    def _bare_time(self, model: Model, fire: Callable[[Sequence[str]], None]) -> float:
        rows = self._names()

        def work() -> None:
            for names in rows:
                self.bare.set_state(self.game.initial, model)
                fire(names)

        taken = cpu_time(work)
        assert model.phase is self.game.final
        return taken

    def _guarded_time(self, model: Model, fire: Callable[[Model, str, Any], None]) -> float:
        tables = [self._game(deck).table for deck in self.decks]

        def work() -> None:
            for table, game in zip(tables, self.played, strict=True):
                self.plain.set_state(str(self.game.initial), model)
                for _, trigger, _, _, card, suit, returned in game:
                    table.card, table.suit, table.returned = card, suit, returned
                    fire(model, trigger, table)

        taken = cpu_time(work)
        assert model.phase == self.game.final
        return taken


def main(arguments: Sequence[str] | None = None) -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.stepping", description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--games", type=whole_number, default=200, help="games of each kind (default: %(default)s)")
    parser.add_argument("--repeats", type=whole_number, default=15, help="rounds in turn (default: %(default)s)")
    parser.add_argument("--json", metavar="FILE", help="write the rows into FILE, too")
    options = parser.parse_args(arguments)
    machine = surroundings("transitions")
    rows = [row for kind in (MauMau, Uno) for row in Bench(kind, options.games).rows(options.repeats)]
    head = ["game", "what", "events", "an event", "events a second", "stepped takes", "required"]
    print(f"{machine}; {options.repeats} rounds, {PLAYERS} players\n")
    print(markdown(head, [row.cells() for row in rows]))
    print(f"\n{LEGEND}")
    write_json(options.json, {"machine": machine, "repeats": options.repeats, "rows": [asdict(row) for row in rows]})


if __name__ == "__main__":
    main()
