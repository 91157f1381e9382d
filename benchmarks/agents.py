"""Steps a second of batches for learning players, compared with RLCard, OpenSpiel and pgx.

Also the strength of players, against house players.

python -m benchmarks.agents [--players N ...] [--seconds S] [--repeats K] [--json FILE]
python -m benchmarks.agents --strength GAMES [--player NAME] [--players N ...] [--json FILE]
"""

from __future__ import annotations

import argparse
import random
import time
from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass, replace
from functools import partial
from typing import Any

from benchmarks.measuring import (
    CannotMeasureError,
    in_turn,
    markdown,
    ratio_text,
    surroundings,
    three_digits,
    whole_number,
    write_json,
)
from fsm import Game, MauMau, Uno
from fsm.declaration.policy import SteppedPolicy
from fsm.edge.arrays import Array1D, Array2D
from fsm.edge.numbers import np
from fsm.outside import admit, read_source
from maumau import Batch
from maumau.agents.intervals import CONFIDENCE, wilson
from maumau.agents.nets.policy import NetPolicy
from maumau.agents.strength import TESTED
from maumau.agents.strength import strength as net_strength
from maumau.kernels import bulk
from maumau.kernels.compiler.machine_code import machine_code
from maumau.kernels.compiler.program import of_any_game

SEED, SLOTS, PGX_STEPS = 7, 1024, 100
TIMED = 100
"""Games in which the time of a decision of a net is measured."""
Steps = Callable[[float], int]
"""Steps games for some seconds of CPU time; the number of steps."""

LEGEND = """\
All seats learn and choose any legal action at random; each step writes the observation and the mask of the legal
actions of the seat that decides next. Figures are medians of CPU time on one core, all rows were measured in turn.

- RLCard: `rlcard.make("uno")`, `env.step`; its state has the observation and the legal actions.
- OpenSpiel: `crazy_eights`, `apply_action`, `observation_tensor` and `legal_actions_mask`, from Python.
- pgx: `kuhn_poker` and `leduc_holdem`, 1,024 games side by side in compiled loops of 100 steps, on the processor."""


@dataclass(frozen=True)
class Row:
    """What came out: steps a second, and how many times those of the rival; or why it could not be measured."""

    game: str
    players: int
    what: str
    steps: float | None
    ratio: float | None = None
    required: str = ""
    problem: str = ""


def batch(kind: type[Game], players: int, slots: int) -> Steps:
    """Steps of a batch, with the choice of the actions."""
    games = Batch(kind, players, slots, seed=SEED)
    chooser, state = machine_code(of_any_game(choose)), np.array([SEED], np.int64)
    actions = np.zeros(slots, np.int64)

    def work(seconds: float) -> int:
        steps, end = 0, time.process_time() + seconds
        while time.process_time() < end:
            for _ in range(max(1, SLOTS // slots)):
                chooser(games.masks, actions, state)
                games.step(actions)
                steps += slots
        return steps

    return work


def choose(masks: Array2D[np.uint8], actions: Array1D[np.int64], state: Array1D[np.int64]) -> None:
    """Choose any legal action for each slot, all equally likely (Knuth's generator, MMIX). state: of the generator."""
    for slot in range(len(masks)):
        legal = 0
        for action in range(masks.shape[1]):
            legal += masks[slot, action]
        state[0] = state[0] * 6364136223846793005 + 1442695040888963407
        chosen = (state[0] >> 33 & 0x7FFFFFFF) % legal
        index = passed = 0
        for action in range(masks.shape[1]):
            passed += masks[slot, action]
            index += passed <= chosen
        actions[slot] = index


def rlcard_uno(players: int) -> Steps:
    """Steps of RLCard's UNO environment. Raises CannotMeasureError."""
    try:
        import rlcard
    except ImportError:
        raise CannotMeasureError("rlcard is not installed, see the extra `bench`") from None
    env: Any = rlcard.make("uno", config={"seed": SEED, "game_num_players": players})
    dice = random.Random(SEED)

    def work(seconds: float) -> int:
        steps, end = 0, time.process_time() + seconds
        while time.process_time() < end:
            state, _ = env.reset()
            while not env.is_over():
                state, _ = env.step(dice.choice(list(state["legal_actions"])))
                steps += 1
        return steps

    return work


def spiel_crazy_eights(players: int) -> Steps:
    """Steps of OpenSpiel's crazy eights. Raises CannotMeasureError."""
    try:
        import pyspiel
    except ImportError:
        raise CannotMeasureError("open_spiel is not installed, see the extra `bench`") from None
    game: Any = pyspiel.load_game(f"crazy_eights(players={players})")
    dice = random.Random(SEED)

    def work(seconds: float) -> int:
        steps, end = 0, time.process_time() + seconds
        while time.process_time() < end:
            state = game.new_initial_state()
            while not state.is_terminal():
                if not state.is_chance_node():
                    state.observation_tensor(state.current_player())
                    state.legal_actions_mask()
                    steps += 1
                state.apply_action(dice.choice(state.legal_actions()))
        return steps

    return work


def pgx_batch(name: str, players: int) -> Steps:
    """Steps of games of pgx side by side, with the choice of the actions. Raises CannotMeasureError."""
    try:
        import jax
        import pgx
        from pgx.experimental import auto_reset
    except ImportError:
        raise CannotMeasureError("pgx is not installed") from None
    env: Any = pgx.make(name)
    step = jax.vmap(auto_reset(env.step, env.init))

    def go_on(carry: Any, _: None) -> Any:
        state, key = carry
        key, chance, dice = jax.random.split(key, 3)
        legal = jax.numpy.where(state.legal_action_mask, 0.0, -jax.numpy.inf)
        state = step(state, jax.random.categorical(chance, legal, axis=-1), jax.random.split(dice, SLOTS))
        return (state, key), state.observation.sum()

    play = jax.jit(lambda carry: jax.lax.scan(go_on, carry, None, length=PGX_STEPS))
    carry = play((jax.vmap(env.init)(jax.random.split(jax.random.PRNGKey(SEED), SLOTS)), jax.random.PRNGKey(SEED)))[0]

    def work(seconds: float) -> int:
        nonlocal carry
        steps, end = 0, time.process_time() + seconds
        while time.process_time() < end:
            carry, seen = play(carry)
            seen.block_until_ready()
            steps += SLOTS * PGX_STEPS
        return steps

    return work


COMPARED: tuple[tuple[str, type[Game], str, Callable[[int], Steps], int], ...] = (
    ("uno", Uno, "RLCard's UNO", rlcard_uno, 90),
    (
        "crazy-eights",
        admit(read_source("examples/crazy_eights.py:CrazyEights")),
        "OpenSpiel's crazy eights",
        spiel_crazy_eights,
        25,
    ),
    ("kuhn-poker", admit(read_source("examples/kuhn_poker.py:KuhnPoker")), "pgx", partial(pgx_batch, "kuhn_poker"), 2),
    (
        "leduc-poker",
        admit(read_source("examples/leduc_poker.py:LeducPoker")),
        "pgx",
        partial(pgx_batch, "leduc_holdem"),
        4,
    ),
)
"""Of each game: its name, its class, the rival, its steps, and how many times as fast a batch must be."""


def measure(players: Sequence[int], seconds: float, repeats: int) -> list[Row]:
    """All rows."""
    rows = []
    for number in players:
        for name, kind, rival, make, required in COMPARED:
            if number not in kind.declaration.codec.players:
                continue
            rows += _compared(name, number, kind, rival, make, required, seconds, repeats)
        rows += [
            Row(
                "maumau", number, f"{SLOTS:,} slots", rates_of({"": batch(MauMau, number, SLOTS)}, seconds, repeats)[""]
            )
        ]
    return rows


def _compared(
    name: str, players: int, kind: type[Game], rival: str, make: Callable[[int], Steps], required: int, seconds: float,
    repeats: int,
) -> list[Row]:  # fmt: skip
    """The rows of one game and its rival, measured in turn."""
    own = {f"{slots:,} slot{'s' * (slots > 1)}": batch(kind, players, slots) for slots in (SLOTS, 1)}
    try:
        rates = rates_of(own | {rival: make(players)}, seconds, repeats)
    except CannotMeasureError as error:
        rates = rates_of(own, seconds, repeats)
        return [
            *(Row(name, players, what, rates[what]) for what in own),
            Row(name, players, rival, None, problem=str(error)),
        ]
    least = {f"{SLOTS:,} slots": f"at least {required}"}
    return [Row(name, players, what, rate, rate / rates[rival], least.get(what, "")) for what, rate in rates.items()]


@dataclass(frozen=True)
class Strength:
    """How many of some games a player won against house players. house: how many a house player wins of the same decks
    in the same seats. milliseconds: CPU time of a decision where there was a choice; longest: that of the longest one.
    """

    game: str
    players: int
    player: str
    games: int
    won: int
    house: int
    milliseconds: float
    longest: float


def strength(kind: type[Game], players: int, name: str, games: int) -> Strength:
    """A player against house players, in the seats in turn, game by game."""
    policy = kind.declaration.policy(name)
    assert isinstance(policy, SteppedPolicy)
    policy.check_players(players)
    policy.prepare(players)
    if isinstance(policy, NetPolicy):
        return _net_strength(kind, policy, players, games)
    return _stepped_strength(kind, policy, players, games)


def _net_strength(kind: type[Game], policy: NetPolicy, players: int, games: int) -> Strength:
    """The same of a net: the games are played in batches, and the time is that of some stepped games."""
    found = net_strength(policy.nets[players], games, seed=SEED)
    winners = bulk.play_dealt(players, games, SEED ^ TESTED, game=kind).games["winner"]
    house = sum(int(winner) == number % players for number, winner in enumerate(winners))
    timed = _stepped_strength(kind, policy, players, min(games, TIMED))
    return replace(timed, games=found.games, won=found.wins, house=house)


def _stepped_strength(kind: type[Game], policy: SteppedPolicy, players: int, games: int) -> Strength:
    """The same, stepped game by game."""
    taken: list[float] = []
    won = house = 0
    for number in range(games):
        game = kind.deal(players, SEED, number, "house")
        house += game.clone().run().winner == number % players + 1
        while game.outcome is None:
            if game.player == number % players + 1 and len(game.view(game.player).moves) > 1:
                start = time.process_time()
                move = policy.choose(game)
                taken.append(time.process_time() - start)
                game.fire(move)
            else:
                game.step()
        won += game.outcome.winner == number % players + 1
    mean = 1000 * sum(taken) / len(taken)
    return Strength(kind.declaration.name, players, policy.name, games, won, house, mean, 1000 * max(taken))


def _strength_cells(row: Strength) -> list[str]:
    low, high = wilson(row.won, row.games, CONFIDENCE)
    shares = f"{row.won / row.games:.1%}", f"{low:.1%} to {high:.1%}", f"{row.house / row.games:.1%}"
    return [row.game, str(row.players), row.player, f"{row.games:,}", *shares, f"{row.milliseconds:.1f}"]


def _print_strength(players: Sequence[int], name: str, games: int, file: str | None) -> None:
    rows = [strength(kind, number, name, games) for kind in (MauMau, Uno) for number in players]
    head = ["game", "players", "player", "games", "wins", "interval", "house in its place", "ms a decision"]
    print(markdown(head, map(_strength_cells, rows)))
    write_json(file, {"rows": [asdict(row) for row in rows]})


def rates_of(contenders: dict[str, Steps], seconds: float, repeats: int) -> dict[str, float]:
    """Steps a second of each, the median of several rounds."""

    def timed(work: Steps) -> float:
        start = time.process_time()
        steps = work(seconds)
        return (time.process_time() - start) / steps

    each = in_turn({name: partial(timed, work) for name, work in contenders.items()}, repeats)
    return {name: 1 / took for name, took in each.items()}


def cells(row: Row) -> list[str]:
    """A row of the table."""
    steps = three_digits(row.steps) if row.steps else f"not measured: {row.problem}"
    return [row.game, str(row.players), row.what, steps, ratio_text(row.ratio) if row.ratio else "", row.required]


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--players", type=whole_number, nargs="+", default=[2, 4], help="numbers of players")
    parser.add_argument("--seconds", type=float, default=1.0, help="CPU seconds of each measurement")
    parser.add_argument("--repeats", type=whole_number, default=3, help="rounds")
    parser.add_argument("--json", metavar="FILE", help="also write the figures into FILE")
    parser.add_argument("--strength", type=whole_number, metavar="GAMES", help="measure a player's strength instead")
    parser.add_argument("--player", default="search:200", help="the player")
    options = parser.parse_args()
    if options.strength:
        print(f"{surroundings('llvmlite')}\n")
        _print_strength(options.players, options.player, options.strength, options.json)
        return
    print(f"{surroundings('llvmlite', 'rlcard', 'open_spiel', 'pgx')}\n\n{LEGEND}\n")
    rows = measure(options.players, options.seconds, options.repeats)
    print(markdown(["game", "players", "what", "steps a second", "ratio", "required"], map(cells, rows)))
    write_json(options.json, {"rows": [asdict(row) for row in rows]})


if __name__ == "__main__":
    main()
