"""Every argument of every function of the door: a wrong type is refused with TypeError, a wrong value with ValueError."""

from __future__ import annotations

import inspect
from typing import Any

import pytest
from door import CALLS

import maumau
from maumau import bulk

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
"""Arguments that may be of any type: JSON of any kind is read."""
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
