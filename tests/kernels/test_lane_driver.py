"""The loop of lane kernels, which is plain LLVM text: it is valid by itself, and games give it what it asks for."""

from __future__ import annotations

import re
from importlib.resources import files

import pytest

llvm = pytest.importorskip("llvmlite.binding", reason="lane kernels need llvmlite")

from fsm import MauMau  # noqa: E402
from maumau.kernels.lanes import kernel  # noqa: E402
from maumau.kernels.lanes.module import module_of  # noqa: E402
from maumau.kernels.lanes.request import SSE4, Request  # noqa: E402

GAME = MauMau.declaration
LOOP = (files(kernel.__package__) / "driver.ll").read_text(encoding="utf-8")


def declared(text: str) -> set[str]:
    """What the loop asks for, as its comments declare it."""
    return set(re.findall(r"^; declare (.+)$", text, re.MULTILINE))


def defined(text: str) -> set[str]:
    """The heads of functions, without their attributes."""
    return set(re.findall(r"^define internal (.+?\))", text, re.MULTILINE))


def test_the_loop_is_valid_with_the_declarations_of_its_comments() -> None:
    parsed = llvm.parse_assembly(LOOP.replace("\n; declare ", "\ndeclare "))
    parsed.verify()
    used = set(re.findall(r"call \w+ @([\w.]+)\(", LOOP))
    own = {function.name for function in parsed.functions if not function.is_declaration}
    assert {function.name for function in parsed.functions if function.is_declaration} == used - own


def test_a_game_gives_the_loop_the_functions_that_it_asks_for() -> None:
    text = module_of(Request(GAME, 2, GAME.policies[:1], dealing=False, target=SSE4)).text
    assert LOOP in text
    assert defined(text.replace(LOOP, "")) == declared(LOOP)
    llvm.parse_assembly(text).verify()


def test_another_loop_is_another_kernel() -> None:
    assert LOOP in kernel._own_sources()
