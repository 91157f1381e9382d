"""An independent judge: the exported state charts, run by another interpreter, go where the stepped machines go.

The judge reads SCXML and none of our code. It is given an event and the values of the guards, and returns the phase to which
the game goes and which callbacks are due, in which order. What the guards answer and what callbacks do is ours.
"""

from __future__ import annotations

import io
from collections.abc import Iterable, Iterator, Mapping
from contextlib import redirect_stdout
from dataclasses import fields, replace
from itertools import product
from types import SimpleNamespace
from typing import Any

import pytest
from statemachine.io.scxml.processor import SCXMLProcessor

from fsm import Game, MauMau, Uno
from fsm.declaration.arcs import Arc, Phase
from fsm.declaration.declaration import Declaration
from fsm.stepping.fast_machine import fast_machine_of
from render.diagram import render
from rules.drawing import draw_one
from rules.maumau.game import last_card, next_player

GAMES = [pytest.param(MauMau, id="maumau"), pytest.param(Uno, id="uno")]
Verdict = tuple[str, list[str]]
"""The phase in which the game is then, and the names of the callbacks, in order."""


class Judge:
    """A state chart run by python-statemachine."""

    def __init__(self, declaration: Declaration) -> None:
        self._processor = SCXMLProcessor()
        self._processor.parse_scxml(declaration.name, str(render(declaration, "scxml")))
        self._chart = self._processor.start()

    def put(self, phase: Phase) -> None:
        """Let the game be in `phase`."""
        self._processor.sessions.clear()
        self._chart = self._processor.root_cls(start_value=phase.name)

    def verdict(self, event: str, answers: Mapping[str, bool]) -> Verdict:
        """What comes of an event, given what each guard answers."""
        with redirect_stdout(io.StringIO()) as logged:
            self._chart.send(event, **answers)
        return self.phase, logged.getvalue().split()

    @property
    def phase(self) -> str:
        (state,) = self._chart.configuration_values
        return str(state)


def guards_of(arcs: tuple[Arc, ...]) -> list[Any]:
    return list(dict.fromkeys(guard for arc in arcs for guard in arc.conditions + arc.unless))


def possible(declaration: Declaration, guards: list[Any]) -> Iterator[dict[str, bool]]:
    """Everything that `guards` can answer at once."""
    for answers in product([False, True], repeat=len(guards)):
        holding = {guard for guard, answer in zip(guards, answers, strict=True) if answer}
        if all(len(holding & set(group)) <= 1 for group in declaration.disjoint):
            yield {guard.__name__: guard in holding for guard in guards}


# ---------------------------------------------------------------- whatever guards answer


def stand_in(arc: Arc) -> Any:
    """The same arc over a table that is nothing but answers: guards look theirs up, callbacks leave their names."""

    def asking(guard: Any) -> Any:
        return lambda table: table.answers[guard.__name__]

    def noting(callback: Any) -> Any:
        return lambda table: table.called.append(callback.__name__)

    made = {"conditions": arc.conditions, "unless": arc.unless}, {"before": arc.before}
    guards = {name: tuple(map(asking, functions)) for name, functions in made[0].items()}
    return replace(arc, **guards, before=tuple(map(noting, arc.before)))


def stepped(machine: Any, phase: Phase, event: str, answers: Mapping[str, bool]) -> Verdict:
    """What the stepped machine makes of an event."""
    model = SimpleNamespace(phase=phase, fired=None)
    table = SimpleNamespace(answers=answers, called=[])
    machine.events[event].trigger(model, table)
    return model.phase.name, table.called


def goes_as_stepped(judge: Any, game: Declaration) -> None:
    """Compare the judge with the stepped machine in every phase, for every event and all values of its guards."""
    parts = {name: getattr(game, name) for name in ("name", "phases", "initial", "final")}
    arcs = tuple(map(stand_in, game.arcs))

    def leaving(source: Phase, trigger: str) -> list[Any]:
        return [arc for arc in arcs if (arc.source, arc.trigger) == (source, trigger)]

    machine = fast_machine_of(SimpleNamespace(arcs=arcs, leaving=leaving, **parts))  # type: ignore[arg-type]
    moved: set[tuple[str, ...]] = set()
    for phase in game.phases:
        for event in dict.fromkeys(arc.trigger for arc in game.leaving(phase)):
            for answers in possible(game, guards_of(game.leaving(phase, event))):
                judge.put(phase)
                verdict = judge.verdict(event, answers)
                assert verdict == stepped(machine, phase, event, answers), (phase, event, answers)
                if verdict != (phase.name, []):
                    moved.add((phase.name, event, verdict[0], *verdict[1]))
    arcs = {(arc.source.name, arc.trigger, arc.dest.name, *(then.__name__ for then in arc.before)) for arc in game.arcs}
    assert moved == arcs


def stays_out_of_place(judge: Any, game: Declaration, phases: Iterable[Phase]) -> None:
    """Each of `phases` stays, and nothing is called, at each event that no arc from it awaits, whatever guards hold."""
    every = {guard.__name__: True for guard in guards_of(game.arcs)}
    for phase in phases:
        for event in (*game.triggers, "nonsense"):
            if not game.leaving(phase, event):
                judge.put(phase)
                assert judge.verdict(event, every) == (phase.name, []), (phase, event)


@pytest.mark.parametrize("kind", GAMES)
def test_the_judge_goes_where_the_machine_goes_whatever_the_guards_answer(kind: type[Game]) -> None:
    goes_as_stepped(Judge(kind.declaration), kind.declaration)


@pytest.mark.parametrize("kind", GAMES)
def test_the_judge_stays_where_an_event_is_out_of_place(kind: type[Game]) -> None:
    game = kind.declaration
    stays_out_of_place(Judge(game), game, [phase for phase in game.phases if phase is not game.final])


def test_a_guard_without_a_value_enables_no_arc() -> None:
    judge = Judge(MauMau.declaration)
    for answers in ({}, {"seven": True}, {"fits": True}, {"last_card": True}):
        judge.put(MauMau.declaration.phases["AWAIT_PLAY"])
        assert judge.verdict("play", answers) == ("AWAIT_PLAY", [])


# ---------------------------------------------------------------- whole games


def facts(table: Any) -> dict[str, Any]:
    """All that lies on a table, but for what the engine notes of its own accord: dice, and whether a position is back."""
    names = {entry.name for entry in fields(table)} - {"rolls", "returned", "card", "suit"}
    return {name: getattr(table, name) for name in names}


class Judged:
    """A game played on a table of its own, along what the judge says."""

    def __init__(self, game: Game, judge: Judge) -> None:
        self.declaration = game.declaration
        self.judge = judge
        self.table = game.restarted().table
        self.callbacks = {then.__name__: then for arc in self.declaration.arcs for then in arc.before}
        judge.put(game.declaration.initial)

    def fire(self, event: str, like: Any) -> str:
        """Fire an event with the card and suit that lie on the table `like`; the phase in which the game is then."""
        self.table.card, self.table.suit, self.table.returned = like.card, like.suit, like.returned
        phase = self.declaration.phases[self.judge.phase]
        guards = guards_of(self.declaration.leaving(phase, event))
        _, due = self.judge.verdict(event, {guard.__name__: bool(guard(self.table)) for guard in guards})
        for callback in due:
            self.callbacks[callback](self.table)
        return self.judge.phase


def disagreement(game: Game, judge: Judge) -> str | None:
    """Where the judge and the stepped machine part in a game; None if they never do."""
    judged = Judged(game, judge)
    while game.outcome is None:
        step = game.step()
        phase = judged.fire(step.trigger, game.table)
        if phase != game.phase.name or facts(judged.table) != facts(game.table):
            return f"{step}: the judge says {phase}"
    return None


def games_go_as_judged(judge: Any, kind: type[Game], policy: str) -> None:
    """A game of each number of players goes as the judge says."""
    for players in kind.declaration.codec.players:
        assert disagreement(kind.deal(players, 11, 0, (policy,)), judge) is None


@pytest.mark.slow
@pytest.mark.parametrize("kind", GAMES)
@pytest.mark.parametrize("policy", ["house", "random", "first-legal"])
def test_games_go_phase_by_phase_as_the_judge_says(kind: type[Game], policy: str) -> None:
    games_go_as_judged(Judge(kind.declaration), kind, policy)


@pytest.mark.thorough
@pytest.mark.parametrize("kind", GAMES)
@pytest.mark.parametrize("policy", ["house", "random", "first-legal"])
def test_a_hundred_games_go_as_the_judge_says(kind: type[Game], policy: str) -> None:
    judge = Judge(kind.declaration)
    for number in range(100):
        assert disagreement(kind.deal(2 + number % 3, 13, number, (policy,)), judge) is None


@pytest.mark.parametrize("kind", GAMES)
def test_the_judge_refuses_the_cards_that_the_machine_refuses(kind: type[Game]) -> None:
    game, judge = kind.deal(3, 12, 0, ("random",)), Judge(kind.declaration)
    judged = Judged(game, judge)
    refused = 0
    while refused < 60:
        here = judge.phase, facts(judged.table)
        legal = {move.card for move in game.events()}
        for code in kind.declaration.codec.held(game.table, game.player - 1):
            if kind.declaration.codec.notation.cards[code] not in legal and game.starts_turn:
                like = SimpleNamespace(card=code, suit=-1, returned=0)
                assert (judged.fire("play", like), facts(judged.table)) == here
                refused += 1
        judged.fire(game.step().trigger, game.table)
        assert game.outcome is None


# ---------------------------------------------------------------- a judge worth the name


def changed(declaration: Declaration, number: int, **parts: Any) -> Declaration:
    """The declaration with other parts of one arc; what is declared is not checked again."""
    arcs = list(declaration.arcs)
    arcs[number] = replace(arcs[number], **parts)
    other = object.__new__(Declaration)
    for name in declaration.__dataclass_fields__:
        object.__setattr__(other, name, tuple(arcs) if name == "arcs" else getattr(declaration, name))
    return other


def place(trigger: str, source: str, dest: str) -> int:
    ends = [(arc.trigger, arc.source.name, arc.dest.name) for arc in MauMau.declaration.arcs]
    return ends.index((trigger, source, dest))


FAULTS = {
    "another destination": (
        place("skip", "SKIP_PENDING", "AWAIT_PLAY"),
        {"dest": MauMau.declaration.phases["DRAWING"]},
    ),
    "a guard dropped": (place("play", "AWAIT_PLAY", "AWAIT_PLAY"), {"unless": (last_card,)}),
    "a callback twice": (place("play", "AWAIT_PLAY", "SKIP_PENDING"), {"before": (next_player, next_player)}),
    "a callback dropped": (place("pass_turn", "DRAWING", "AWAIT_PLAY"), {"before": ()}),
    "another callback": (place("skip", "SKIP_PENDING", "AWAIT_PLAY"), {"before": (draw_one,)}),
}


@pytest.mark.parametrize("fault", FAULTS.values(), ids=FAULTS)
def test_a_judge_with_a_fault_in_its_chart_disagrees(fault: tuple[int, dict[str, Any]]) -> None:
    number, parts = fault
    judge = Judge(changed(MauMau.declaration, number, **parts))
    assert any(disagreement(MauMau.deal(3, 11, number), judge) for number in range(20))


@pytest.mark.parametrize("kind", GAMES)
def test_of_all_arcs_with_one_event_at_most_one_is_enabled_whatever_the_guards_answer(kind: type[Game]) -> None:
    game = kind.declaration
    for phase in game.phases:
        for event in dict.fromkeys(arc.trigger for arc in game.leaving(phase)):
            arcs = game.leaving(phase, event)
            for answers in possible(game, guards_of(arcs)):
                table: Any = SimpleNamespace(answers=answers, called=[])
                assert sum(stand_in(arc).enabled(table) for arc in arcs) <= 1
