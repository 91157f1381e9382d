"""The machines that are exported for XState, run by xstate itself under node, go where the stepped machines go.

As in test_judge.py the judge is given an event and the values of the guards, and returns the next phase and
which actions are due. xstate is installed from npm into a temporary folder; without npm, or without the network, these
tests are skipped, except in continuous integration.
"""

from __future__ import annotations

import json
import subprocess
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import pytest
from npm import install
from test_judge import (
    GAMES,
    Verdict,
    changed,
    disagreement,
    games_go_as_judged,
    goes_as_stepped,
    place,
    stays_out_of_place,
)

from fsm import Game, MauMau, Uno
from fsm.declaration.arcs import Phase
from fsm.declaration.declaration import Declaration
from render.diagram import Overlay, render

HARNESS = Path(__file__).parents[1] / "support" / "xstate_judge.mjs"


@pytest.fixture(scope="module")
def harness(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The program that runs a machine, beside an installed xstate."""
    return install(HARNESS, tmp_path_factory.mktemp("xstate"), "xstate@5")


class XStateJudge:
    """A machine run by xstate."""

    def __init__(self, declaration: Declaration, harness: Path) -> None:
        machine = json.loads(str(render(declaration, "xstate")))
        self.phase = str(machine["initial"])
        self._process = subprocess.Popen(
            ["node", str(harness)], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, bufsize=1
        )
        self._send(machine)

    def put(self, phase: Phase) -> None:
        """Let the game be in `phase`."""
        self.phase = phase.name

    def verdict(self, event: str, answers: Mapping[str, bool]) -> Verdict:
        """What comes of an event, given what each guard answers."""
        self._send({"phase": self.phase, "event": event, "answers": dict(answers)})
        assert self._process.stdout is not None
        self.phase, actions = json.loads(self._process.stdout.readline())
        return self.phase, actions

    def close(self) -> None:
        """End the program."""
        for stream in (self._process.stdin, self._process.stdout):
            assert stream is not None
            stream.close()
        self._process.wait()

    def _send(self, what: Any) -> None:
        assert self._process.stdin is not None
        self._process.stdin.write(json.dumps(what) + "\n")


@pytest.fixture
def judge_of(harness: Path) -> Iterator[Any]:
    judges: list[XStateJudge] = []

    def judge(declaration: Declaration) -> XStateJudge:
        judges.append(XStateJudge(declaration, harness))
        return judges[-1]

    yield judge
    for each in judges:
        each.close()


@pytest.mark.slow
@pytest.mark.parametrize("kind", GAMES)
def test_xstate_goes_where_the_machine_goes_whatever_the_guards_answer(kind: type[Game], judge_of: Any) -> None:
    goes_as_stepped(judge_of(kind.declaration), kind.declaration)


@pytest.mark.parametrize("kind", GAMES)
def test_xstate_stays_where_an_event_is_out_of_place(kind: type[Game], judge_of: Any) -> None:
    game = kind.declaration
    stays_out_of_place(judge_of(game), game, game.phases)


@pytest.mark.slow
@pytest.mark.parametrize("kind", GAMES)
@pytest.mark.parametrize("policy", ["house", "random", "first-legal"])
def test_games_go_event_by_event_as_xstate_says(kind: type[Game], policy: str, judge_of: Any) -> None:
    games_go_as_judged(judge_of(kind.declaration), kind, policy)


def test_a_machine_with_a_fault_disagrees(judge_of: Any) -> None:
    fault = changed(MauMau.declaration, place("pass_turn", "DRAWING", "AWAIT_PLAY"), before=())
    judge = judge_of(fault)
    assert any(disagreement(MauMau.deal(3, 11, number), judge) for number in range(20))


# ---------------------------------------------------------------- what is written, which needs no node


@pytest.mark.parametrize("kind", [MauMau, Uno])
def test_each_arc_has_its_guards_its_actions_and_its_rule(kind: type[Game]) -> None:
    game = kind.declaration
    machine = json.loads(str(render(game, "xstate")))
    assert list(machine["states"]) == [phase.name for phase in game.phases]
    assert machine["states"][game.final.name]["type"] == "final"
    for phase in game.phases:
        for trigger, transitions in machine["states"][phase.name].get("on", {}).items():
            arcs = game.leaving(phase, trigger)
            assert len(transitions) == len(arcs)
            for transition, arc in zip(transitions, arcs, strict=True):
                when, unless = ([guard.__name__ for guard in guards] for guards in (arc.conditions, arc.unless))
                params = {"when": when, "unless": unless}
                assert transition.get("guard", {}).get("params", {"when": [], "unless": []}) == params
                assert [action["type"] for action in transition.get("actions", [])] == [f.__name__ for f in arc.before]
                assert transition["target"] == arc.dest.name
                assert transition["description"] == arc.description


def test_a_guard_is_named_after_all_that_the_arc_demands() -> None:
    play = json.loads(str(render(MauMau.declaration, "xstate")))["states"]["AWAIT_PLAY"]["on"]["play"]
    assert [each["guard"]["type"] for each in play][-1] == "fits and last_card"
    assert [each["guard"]["type"] for each in play][1] == "fits and seven and not last_card"


def test_the_lit_phase_is_the_one_that_the_machine_starts_in() -> None:
    shown = Overlay(active=MauMau.declaration.phases["DRAWING"])
    assert json.loads(str(render(MauMau.declaration, "xstate", shown)))["initial"] == "DRAWING"
