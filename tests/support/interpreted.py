"""Kernels run by Python: the generated source without machine code, which takes seconds to compile."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import fields
from types import SimpleNamespace
from typing import Any

import numpy as np

from fsm import Game
from maumau.kernels.compiled.ends import PositionRoom
from maumau.kernels.compiled.loop import note
from maumau.kernels.compiled.results import result_type
from maumau.kernels.compiled.series import GivenDecks, KeptRounds, SeriesRows, play
from maumau.kernels.compiler.interpreted import interpreted
from maumau.kernels.compiler.program import KernelPlan
from maumau.kernels.compiler.source import source_of

EVENTS = 10_000


class Memory:
    """What intrinsics of a kernel do with the rows of arrays, which they know by an address: their tables are kept."""

    def __init__(self) -> None:
        self.tables: dict[int, Any] = {}

    def save(self, table: Any, address: int) -> None:
        self.tables[address] = type(table)()
        copy(self.tables[address], table)

    def load(self, table: Any, address: int) -> None:
        copy(table, self.tables[address])


def copy(table: Any, other: Any) -> None:
    """Make a table equal to another one."""
    for entry in fields(other):
        value = getattr(other, entry.name)
        setattr(table, entry.name, value if isinstance(value, int) else value[:])


def logged_events(kind: type[Game], players: int, deck: Sequence[int]) -> tuple[Any, Any, Any]:
    """A game of the house: its result, its scores, and its events, a row each."""
    game = kind.declaration
    plan = KernelPlan(game, game.policies[:1], log=True, repetition=True)
    source, memory = source_of(plan), Memory()
    names: dict[str, Any] = dict(source.functions)
    names |= {"np": np, "make": game.table, "copy": copy, "save": memory.save, "load": memory.load}
    names |= {"reset": lambda table: copy(table, game.table()), "row_at": lambda address: bytearray(deck)}
    names["new_bytes"] = names["new_integers"] = lambda length: [0] * length
    exec(compile(source.text, f"<{game.name}>", "exec"), names)
    for function in (play, note):
        names[function.__name__] = interpreted(function, names)
    results, scores = np.zeros(1, result_type()).view(np.recarray), np.zeros((1, players), np.int64)
    log, ends, nowhere = np.zeros((EVENTS, 5), np.int64), np.zeros(1, np.int64), SimpleNamespace(data=0)
    arrays = SimpleNamespace(ctypes=nowhere), SimpleNamespace(ctypes=nowhere)
    counts = np.zeros(len(game.arcs)), np.zeros(len(plan.rules))
    nothing = np.zeros((0, 0))
    rows = SeriesRows(results, scores, nothing, *counts)
    kept = KeptRounds(log, ends, arrays[1], nothing, nothing, nothing)
    room = PositionRoom(nothing, nothing, nothing)
    names["play"](GivenDecks(arrays[0], nothing), 0, 0, [0] * players, 0, rows, kept, room)
    return results[0], scores[0].tolist(), log[: ends[0]].tolist()
