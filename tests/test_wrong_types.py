"""Every argument of every function of the door: a wrong type is refused with TypeError, a wrong value with ValueError."""

from __future__ import annotations

import inspect
from collections.abc import Callable
from typing import Any

import pytest
from random_nets import random_net

import maumau
from fsm.match.transcript import play_stepped
from maumau import Batch, Game, Match, MauMau, Observed, Search, Setup, SmallDeck, StudySpec, Table, bulk
from maumau.kernels.bulk import matches, play, play_dealt, total
from rules.reading import Dealt

WRONG = [object(), 1.5, {"x": 1}, b"x", [object()]]
"""Of no type that any of the arguments takes, but for those of `TAKEN`."""
TAKEN = {
    ("StudySpec", "confidence"): float,
    ("StudySpec", "until_width"): float,
    ("StudySpec", "policies"): dict,
    ("solve_hidden", "gap"): float,
    ("TrainingSettings", "searched"): float,
    **{(name, "others"): dict for name in ("Batch", "Search", "strength", "train")},
    ("best_response", "to"): dict,  # players with probabilities
}
"""Types among these that an argument takes."""
VALUES = {("replay", "record")}
PAGE = {
    "always",
    "among",
    "ask",
    "automaton",
    "best",
    "choose",
    "climbing_invariants",
    "eventually",
    "forced",
    "in_phase",
    "lay",
    "leads_to",
    "offer",
    "on",
    "page",
    "phases",
    "trick_invariants",
    "trick_phases",
    "turn",
}
"""The words of declarations: tests/fsm/test_pages.py, test_variants.py, test_automaton.py, test_over_time.py."""
"""Arguments that may be of any type: JSON of any kind is read."""
SMALL = SmallDeck("DS HS DQ SQ CQ", 2, 1)
GAME = MauMau.declaration
FEW = MauMau.with_deck("DS HS DQ HQ", each=1)
DECKS = bulk.deal(2, 2, 7)
(PLAYED,) = play_stepped(MauMau, [Dealt(2, bytes(MauMau.deck_of(2, 7)))], ["house"], 0)
RECORD = maumau.record_of(PLAYED)
NET = random_net(GAME, 2)
SEATS = maumau.Person("Ann"), maumau.Computer("house")


def play_by(kernel: Callable[..., Any], **own: Any) -> tuple[Callable[..., Any], dict[str, Any]]:
    """A call of `bulk` with all its arguments."""
    return kernel, {"players": 2, "policies": ["random"], "seed": 7, "first": 0, "threads": 1, "tally": False,
                    "game": "maumau", "notify": None, **own}  # fmt: skip


CALLS: dict[str, tuple[Callable[..., Any], dict[str, Any]]] = {
    "bulk.deal": (bulk.deal, {"players": 2, "games": 1, "seed": 7, "first": 0, "game": "maumau"}),
    "bulk.play": play_by(play, decks=DECKS, log=False, into=None),
    "bulk.play_dealt": play_by(play_dealt, games=1, log=False),
    "bulk.total": play_by(total, games=1),
    "bulk.matches": play_by(matches, matches=1, target=None),
    "Batch": (
        Batch,
        {"game": MauMau, "players": 2, "slots": 1, "seed": 0, "others": None, "learner": None, "rewards": None, "memory": True, "events": 0,
         "limit": 9, "threads": 1, "notify": None},
    ),
    "Match": (
        Match, {"game": MauMau, "players": 2, "seed": 7, "number": 0, "policies": "house", "target": None},
    ),
    "Observed": (Observed, {"game": MauMau.deal(2, 7), "memory": True, "events": 0}),
    "Search": (
        Search,
        {"game": MauMau, "players": 2, "worlds": 1, "others": None, "own": None, "infer": True, "by_deal": True, "tree": False,
         "rewards": None, "seed": 0, "threads": None, "notify": None},
    ),
    "Setup": (
        Setup,
        {"game": "maumau", "seats": SEATS, "key": "", "seed": 0, "number": 0, "target": None, "turn_seconds": None,
         "claim_seconds": None},
    ),
    "StudySpec": (
        StudySpec,
        {"game": "maumau", "players": 2, "games": 4, "seed": 7, "policies": ("house",), "first": 0, "rotate": True,
         "chunk": 4, "until_width": None, "confidence": 0.95, "compared_with": None, "target": None},
    ),
    "Table": (Table, {"setup": Setup(game="maumau", seats=SEATS)}),
    "action_space": (maumau.action_space, {"game": GAME}),
    "choice": (maumau.choice, {"function": lambda table: 0}),
    "effect": (maumau.effect, {"function": lambda table: None}),
    "explore": (maumau.explore, {"kind": MauMau, "small": SMALL, "most": 9, "notify": None}),
    "explore_stepped": (
        maumau.explore_stepped, {"kind": MauMau, "small": SMALL, "most": 9, "first": False, "notify": None},
    ),
    "game_class": (maumau.game_class, {"game": "maumau"}),
    "game_of": (maumau.game_of, {"declaration": GAME}),
    "guard": (maumau.guard, {"refusal": "no"}),
    "information_state": (
        maumau.information_state,
        {"game": MauMau.deal(2, 7), "player": 1, "remembers": True},
    ),
    "layout": (maumau.layout, {"game": GAME, "players": 2, "memory": True, "events": 0}),
    "query": (maumau.query, {"function": lambda table: 0}),
    "read_record": (maumau.read_record, {"line": "{}"}),
    "record_of": (maumau.record_of, {"played": PLAYED}),
    "register": (maumau.register, {"kind": MauMau}),
    "register_form": (maumau.register_form, {"form": maumau.Form("a", "B", "C.", lambda game, text: None)}),
    "render": (maumau.render, {"declaration": GAME, "format": "dot", "shown": maumau.Overlay(), "scale": 1}),
    "replay": (maumau.replay, {"record": RECORD, "expected": None, "of": Game}),
    "rule": (maumau.rule, {"function": lambda table: 0}),
    "best_response": (
        maumau.best_response,
        {"game": MauMau, "players": 2, "to": None, "games": 1, "tested": 2, "seed": 0, "settings": None, "notify": None},
    ),
    "strength": (maumau.strength, {"net": NET, "games": 1, "seed": 0, "others": None}),
    "survey": (maumau.survey, {"kind": MauMau, "games": 1, "seed": 0, "notify": None}),
    "train": (
        maumau.train,
        {"game": MauMau, "players": 2, "games": 1, "seed": 0, "others": None, "settings": None, "start": None,
         "notify": None},
    ),
    "write_dataset": (
        maumau.write_dataset,
        {"file": "unwritten.npz", "game": MauMau, "players": 2, "games": 1, "policies": (), "seed": 0, "first": 0, "rewards": None},
    ),
    "TrainingSettings": (
        maumau.TrainingSettings, {"searched": 0.5, "worlds": 2, "hidden": 8, "rewards": None},
    ),
    "respond_to": (
        maumau.respond_to, {"kind": FEW, "policy": "house", "memory": 10**9, "notify": None},
    ),
    "solve_hidden": (
        maumau.solve_hidden,
        {"kind": FEW, "policies": ("house",), "turns": 0, "gap": 0.5, "memory": 10**9, "seed": 0, "state": None,
         "notify": None},
    ),
    "solve_open": (
        maumau.solve_open,
        {"kind": FEW, "players": 2, "policies": ("house",), "memory": 10**9, "state": None, "notify": None},
    ),
    "solve_position": (
        maumau.solve_position, {"game": FEW.parse("2 DS HS DQ HQ"), "memory": 10**9, "notify": None},
    ),
}  # fmt: skip
"""The functions, and the classes whose instances people make to play, with valid arguments."""
DECLARATIONS = {
    ("Observed", "game"),
    ("solve_position", "game"),
    ("action_space", "game"),
    ("information_state", "game"),
    ("layout", "game"),
}
"""Arguments that are called `game` and have no names."""
NAMES = {"function": "(choice|effect|query|helper)", "kind": "game", "others": "policy", "to": "policy", "policies": "(policy|policies)",
         "refusal": "guard"}  # fmt: skip
"""What messages call some arguments."""
CASES = [(name, argument) for name, (_, valid) in CALLS.items() for argument in valid if (name, argument) not in VALUES]


def test_every_argument_of_every_function_of_the_door_is_among_the_calls() -> None:
    functions = {name: getattr(maumau, name) for name in maumau.__all__}
    functions |= {f"bulk.{name}": function for name, function in vars(bulk).items()
                  if inspect.isfunction(function) and function.__module__ == bulk.__name__ and name[0] != "_"}  # fmt: skip
    assert {name for name, function in functions.items() if inspect.isfunction(function)} <= CALLS.keys() | PAGE
    for name, (function, valid) in CALLS.items():
        assert function is functions[name]
        assert inspect.signature(function).parameters.keys() == valid.keys(), name


@pytest.mark.parametrize(("name", "argument"), CASES, ids=[" ".join(case) for case in CASES])
def test_a_wrong_type_is_refused_with_the_name_of_the_argument(name: str, argument: str) -> None:
    function, valid = CALLS[name]
    for wrong in WRONG:
        if type(wrong) is not TAKEN.get((name, argument)):
            called = "kind" if name == "register" else NAMES.get(argument, argument)
            with pytest.raises(TypeError, match=rf"^{called}\b.*; give"):
                function(**{**valid, argument: wrong})


@pytest.mark.parametrize(("name", "argument"), [case for case in CASES if case[1] in ("game", "policies", "others")])
def test_an_unknown_name_is_a_wrong_value(name: str, argument: str) -> None:
    function, valid = CALLS[name]
    wrong: Any = ("nobody", "nobody") if argument == "policies" else "nobody"
    error = TypeError if (name, argument) in DECLARATIONS else ValueError
    with pytest.raises(error, match=r"nobody.*; (use|give)"):
        function(**{**valid, argument: wrong})
