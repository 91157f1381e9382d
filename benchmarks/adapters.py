"""Decisions a second of the environments of other libraries, one game at a time, compared with RLCard's UNO.

python -m benchmarks.adapters [--players N] [--seconds S] [--repeats K] [--json FILE]
"""

from __future__ import annotations

import argparse
import random
import time
from collections.abc import Callable, Iterator
from contextlib import suppress
from dataclasses import asdict
from itertools import count
from typing import Any

from benchmarks.agents import SEED, Row, Steps, cells, rates_of, rlcard_uno
from benchmarks.measuring import CannotMeasureError, markdown, surroundings, whole_number, write_json

GAMES = "uno", "maumau"
DEALT = 32
"""States that are dealt before the time is measured."""

LEGEND = """\
Players choose any legal action at random. Each decision comes with its observation and its legal actions. Figures are
medians of CPU time on one core, all rows of a table were measured in turn; the ratio is to RLCard's UNO.

- PettingZoo: `step`, `observe`. Gymnasium: `step` of one seat against random players, whose moves are not counted.
- OpenSpiel: `apply_action`, `observation_tensor`, `legal_actions_mask`, `legal_actions`; with the deal, a card at a
  time, in the time but not in the count, or from copies of states that are dealt."""


def played(play: Iterator[None]) -> Steps:
    """Steps of games that are played one after the other: each item is a decision."""

    def work(seconds: float) -> int:
        end = time.process_time() + seconds
        for steps in count(1):
            next(play)
            if time.process_time() >= end:
                return steps
        raise AssertionError

    return work


def pettingzoo(game: str, players: int) -> Iterator[None]:
    """Decisions in PettingZoo."""
    from maumau.agents.adapters.zoo import CardGameAEC

    env, dice = CardGameAEC(game, players=players), random.Random(SEED)
    for game_number in count():
        env.reset(seed=SEED if game_number == 0 else None)
        while not (env.terminations[env.agent_selection] or env.truncations[env.agent_selection]):
            legal = env.observe(env.agent_selection)["action_mask"].nonzero()[0]
            env.step(int(dice.choice(legal)))
            yield


def gymnasium(game: str, players: int) -> Iterator[None]:
    """Decisions in Gymnasium."""
    from maumau.agents.adapters.gym import OneSeat

    env, dice = OneSeat(game, players=players, others="random"), random.Random(SEED)
    for seed in count(SEED):
        (seen, _), over = env.reset(seed=seed), False
        while not over:
            seen, _, ended, truncated, _ = env.step(int(dice.choice(seen["action_mask"].nonzero()[0])))
            over = ended or truncated
            yield


def open_spiel(game: str, players: int, dealt: bool) -> Iterator[None]:
    """Decisions in OpenSpiel. dealt: from copies of states that are dealt."""
    import pyspiel

    from maumau.agents.adapters.spiel import register_game

    loaded, dice = pyspiel.load_game(register_game(game, players)), random.Random(SEED)

    def dealt_state() -> Any:
        state = loaded.new_initial_state()
        while state.is_chance_node():
            state.apply_action(dice.choice(state.legal_actions()))
        return state

    states = [dealt_state() for _ in range(DEALT)]
    while True:
        state = dice.choice(states).clone() if dealt else dealt_state()
        while not state.is_terminal():
            state.observation_tensor(state.current_player())
            state.legal_actions_mask()
            state.apply_action(dice.choice(state.legal_actions()))
            yield


MADE: dict[str, Callable[[str, int], Iterator[None]]] = {
    "PettingZoo": pettingzoo,
    "Gymnasium": gymnasium,
    "OpenSpiel, with the deal": lambda game, players: open_spiel(game, players, False),
    "OpenSpiel, dealt before": lambda game, players: open_spiel(game, players, True),
}
"""What is compared."""
RIVAL = "RLCard's UNO"


def measure(players: int, seconds: float, repeats: int) -> list[Row]:
    """All rows; those of libraries that are not installed are left out."""
    works: dict[str, Steps] = {}
    with suppress(CannotMeasureError):
        works[RIVAL] = rlcard_uno(players)
    for game in GAMES:
        for what, make in MADE.items():
            with suppress(ImportError):
                works[f"{game}: {what}"] = work = played(make(game, players))
                work(0)
    rates = rates_of(works, seconds, repeats)
    rows = []
    for what, rate in rates.items():
        game, _, library = what.rpartition(": ")
        ratio = rate / rates[RIVAL] if RIVAL in rates and what != RIVAL else None
        rows.append(Row(game or GAMES[0], players, library, rate, ratio))
    return rows


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--players", type=whole_number, default=3, help="number of players")
    parser.add_argument("--seconds", type=float, default=1.0, help="CPU seconds of each measurement")
    parser.add_argument("--repeats", type=whole_number, default=3, help="rounds")
    parser.add_argument("--json", metavar="FILE", help="also write the figures into FILE")
    options = parser.parse_args()
    packages = "llvmlite", "rlcard", "open_spiel", "gymnasium", "pettingzoo"
    print(f"{surroundings(*packages)}\n\n{LEGEND}\n")
    rows = measure(options.players, options.seconds, options.repeats)
    print(markdown(["game", "players", "what", "decisions a second", "ratio"], (cells(row)[:5] for row in rows)))
    write_json(options.json, {"rows": [asdict(row) for row in rows]})


if __name__ == "__main__":
    main()
