"""The player `solved:FILE` plays the strategy that was found, and only games that it was found for."""

from __future__ import annotations

import json
import sys
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import maumau.solve  # noqa: F401  # it registers the form of names
from fsm import MauMau, game_of, register
from fsm.declaration.policy import SteppedPolicy
from fsm.edge.numbers import Array
from fsm.match.transcript import Transcript
from fsm.records import record_of, replay
from maumau.kernels.bulk.stepped import SteppedRunner
from maumau.play.table import Computer, Person, Setup, Table
from maumau.solve.compiled import tree
from maumau.solve.hidden import HiddenHands, solve_hidden
from maumau.solve.players import Listener, solution_bytes, solved_policy
from maumau.solve.state import packed, unpacked
from render.text.output import trace
from rules.ending import Ending

DECK = "DQ HQ DS HS DK SJ"
ENDLESS = "CS CQ DQ CK DK HK"
"""Play that nobody can win."""


@pytest.fixture(scope="module")
def solved() -> HiddenHands:
    return solve_hidden(MauMau.with_deck(DECK, each=2), ["house"])


@pytest.fixture(scope="module")
def file(solved: HiddenHands, tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("solved") / "six.npz"
    path.write_bytes(solution_bytes(solved))
    return path


def test_a_stepped_game_is_heard_as_the_tree_tells_it(solved: HiddenHands) -> None:
    """What Python finds for a seat is an information set that machine code has found."""
    known = set(solved.tree.heard.keys[: len(solved.tree.heard), tree.KNOWN_AS].tolist())
    listener, heard = Listener(solved.kind.declaration), 0
    for number in range(40):
        game = solved.kind.deal(2, 3, number)
        while game.outcome is None:
            if any(
                offer.trigger == game.events().legal[0].trigger for offer in game.declaration.control[game.phase].offers
            ):
                told, count = listener.heard(game)
                if count > 1 and not listener.knows(game):
                    assert told[game.player - 1] in known
                    heard += 1
            game.step()
    assert heard > 20


@pytest.mark.slow
def test_threads_hear_games_at_the_same_time(solved: HiddenHands) -> None:
    listener = Listener(solved.kind.declaration)
    games = [solved.kind.deal(2, seed=7, number=number, policies=("house", "random")) for number in range(12)]
    for game in games:
        game.step()
        game.step()
    heard = [listener.heard(game) for game in games]
    before = sys.getswitchinterval()
    sys.setswitchinterval(1e-6)
    try:
        with ThreadPoolExecutor(4) as pool:
            assert list(pool.map(listener.heard, games * 4)) == heard * 4
    finally:
        sys.setswitchinterval(before)


def test_it_wins_what_the_game_is_worth_at_least(solved: HiddenHands, file: Path) -> None:
    results = []
    for number in range(1000):
        game = solved.kind.deal(2, 5, number, policies=[f"solved:{file}", "house"])
        results.append({1: 1, 2: -1}.get(game.run().winner, 0))
    mean, error = np.mean(results), 3 * np.std(results) / len(results) ** 0.5
    assert mean + error > solved.equilibrium.value
    assert mean - error < solved.judge(0).second_worst


def test_nobody_gets_more_against_it_than_the_game_is_worth(solved: HiddenHands, file: Path) -> None:
    judged = solve_hidden(solved.kind, [f"solved:{file}"]).judge(0)
    assert judged.exploitability == pytest.approx(0, abs=1e-6)
    assert judged.both == pytest.approx(solved.equilibrium.value, abs=1e-6)


def test_a_solution_that_is_cut_off_is_played_to_the_end(tmp_path: Path) -> None:
    """Nobody gets more against it up to the turns at which it was cut off; beyond it moves by chance."""
    kind = MauMau.with_deck(DECK, each=2)
    cut = solve_hidden(kind, turns=2)
    (tmp_path / "cut.npz").write_bytes(solution_bytes(cut))
    name = f"solved:{tmp_path / 'cut.npz'}"
    assert solve_hidden(kind, [name], turns=2).judge(0).exploitability == pytest.approx(0, abs=1e-6)
    assert solve_hidden(kind, [name]).judge(0).exploitability > 0
    games = [kind.deal(2, 3, number, policies=name) for number in range(40)]
    for game in games:
        game.run()
    assert max(game.table.turns for game in games) > 4


def test_a_player_of_python_is_judged_as_the_strategy_that_it_is(solved: HiddenHands) -> None:
    """The first move of the list, by the compiled policy and by a function that is asked in every information set."""
    asked = solve_hidden(solved.kind, [lambda view: view.moves[0], "first-legal"])
    assert asked.judge(0) == asked.judge(1)


class Peeking(SteppedPolicy):
    def choose(self, game: Any) -> Any:
        """Lays a card only where the other hand has no queen."""
        return game.events().legal[-1 if any(card[1] == "Q" for card in game.hands[2 - game.player]) else 0]


def test_a_player_who_sees_more_than_its_seat_is_refused(solved: HiddenHands) -> None:
    peeking = solve_hidden(solved.kind, [Peeking("peeking")])
    with pytest.raises(ValueError, match="policy peeking decides by more than its seat sees"):
        peeking.judge(0)


@pytest.mark.parametrize(
    ("kind", "reason"),
    [
        (MauMau, "a solution for deck 'DQ HQ DK DS HS SJ'; use one for maumau"),
        (MauMau.with_deck(DECK, each=1), "a solution for each 2"),
        (MauMau.with_rules("nine-reverses").with_deck(DECK, each=2), "a solution for game 'maumau'"),
    ],
)
def test_another_game_is_refused_in_one_sentence(file: Path, kind: type[MauMau], reason: str) -> None:
    with pytest.raises(ValueError, match=reason):
        kind.deal(2, 5, 0, policies=f"solved:{file}")


@pytest.mark.parametrize("content", [b"", b"no solution", b"PK\x03\x04 cut off"])
def test_a_file_that_is_no_solution_is_refused(tmp_path: Path, content: bytes) -> None:
    (tmp_path / "bad.npz").write_bytes(content)
    with pytest.raises(ValueError, match="use a file that maumau solve has written"):
        MauMau.with_deck(DECK, each=2).deal(2, 5, 0, policies=f"solved:{tmp_path / 'bad.npz'}")


def test_a_hint_at_a_table_is_by_the_solution_that_another_player_has(tmp_path: Path) -> None:
    kind = register(game_of(replace(MauMau.declaration, name="six-with-hints")).with_deck(DECK, each=2))
    (tmp_path / "six.npz").write_bytes(solution_bytes(solve_hidden(kind)))
    seats = Person("you"), Computer(f"solved:{tmp_path / 'six.npz'}")
    table = Table(Setup(game="six-with-hints", seats=seats, seed=3, target=None))
    while not table.asked or len(table.game.events().legal) == 1:
        if not table.advance():
            table.act(1, table.hint(1)["move"], at=table.version(1))
    hint = table.hint(1)
    assert sum(value["share"] for value in hint["values"]) == pytest.approx(1)
    assert hint["move"]["label"] == hint["values"][0]["move"]
    assert hint["found"].startswith("the equilibrium makes it ")


def test_play_that_nobody_can_win_ends_where_a_position_returns(tmp_path: Path) -> None:
    """Once all cards are known both play by the position alone."""
    kind = game_of(replace(MauMau.declaration, name="endless-six")).with_deck(ENDLESS, each=2)
    (tmp_path / "six.npz").write_bytes(solution_bytes(solve_hidden(kind)))
    policy = solved_policy(kind.declaration, str(tmp_path / "six.npz"), "")
    outcomes = [kind.deal(2, seed=1, number=number, policies=policy).run() for number in range(30)]
    assert Ending.ENDLESS in {outcome.ending for outcome in outcomes}


def test_its_games_are_read_told_and_counted_as_they_were_played(tmp_path: Path) -> None:
    """Also those that end where a position returns, and after an event was taken back and redone."""
    kind = register(game_of(replace(MauMau.declaration, name="six-recorded")).with_deck(ENDLESS, each=2))
    (tmp_path / "six.npz").write_bytes(solution_bytes(solve_hidden(kind)))
    player, endings = f"solved:{tmp_path / 'six.npz'}", set()
    for policies in ((player, player), (player, "random")):
        for number in range(20):
            game = kind.deal(2, seed=1, number=number, policies=policies)
            while game.outcome is None:
                step = game.step()
                game.undo()
                assert game.redo() == step
            assert {step.rule for step in game.history} <= {None, "random"}
            played = Transcript.of(game)
            record = json.loads(json.dumps(record_of(played)))
            assert record_of(Transcript.of(replay(record))) == record
            assert list(trace(played, ""))
            endings.add(game.outcome.ending)
        counted = SteppedRunner(kind.declaration, 2, policies, seed=1).play(None, 0, 20)
        assert tuple(counted.used) == kind.declaration.rule_names
    assert Ending.ENDLESS in endings


@pytest.mark.slow
def test_a_damaged_file_is_refused(file: Path, solved: HiddenHands, tmp_path: Path) -> None:
    """Cut, or with another byte anywhere: it plays as before or is refused with its name."""
    data, damaged, refused = file.read_bytes(), tmp_path / "damaged.npz", 0
    for place in range(0, len(data), 7):
        for content in (data[:place], data[:place] + bytes([data[place] ^ 0x55]) + data[place + 1 :]):
            damaged.write_bytes(content)
            try:
                solved_policy(solved.kind.declaration, str(damaged), "")
            except ValueError as error:
                assert "damaged.npz" in str(error)  # noqa: PT017
                refused += 1
    assert refused > len(data) / 7


@pytest.mark.parametrize(
    ("identity", "name", "array", "message"),
    [
        ("[]", "best", np.zeros(0, int), "its arrays do not match"),
        ("{}", "told", np.zeros((2, 2), int), "its arrays do not match"),
        ("{}", "chances", np.array(["a"]), "its arrays do not match"),
        ("{}", "told", np.zeros(1, int), "its arrays are of different lengths"),
    ],
)
def test_a_file_with_other_arrays_is_refused(
    identity: str, name: str, array: Array, message: str, file: Path, solved: HiddenHands, tmp_path: Path
) -> None:
    _, arrays = unpacked(file)
    (tmp_path / "other.npz").write_bytes(packed(identity, arrays | {name: array}))
    with pytest.raises(ValueError, match=message):
        solved_policy(solved.kind.declaration, str(tmp_path / "other.npz"), "")
