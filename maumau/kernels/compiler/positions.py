"""Positions as rows of numbers: what machine code packs and unpacks (`maumau.kernels.compiled.rows`), run by Python."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from fsm.declaration.arcs import Phase
from fsm.declaration.declaration import Declaration
from fsm.edge.kept import kept
from fsm.table.layout import layout_of
from maumau.kernels.compiled.interpreted import interpreted
from maumau.kernels.compiled.rows import PACKING, pack, unpack
from maumau.kernels.compiler.program import module_source


@kept
def _packing(game: Declaration) -> tuple[Callable[..., Any], ...]:
    """`pack` and `unpack` for a game; tables are new when they are unpacked."""
    source = module_source(f"Positions of {game.title}", layout_of(game).row_functions(), (), PACKING)
    names: dict[str, Any] = {**source.functions, "reset": lambda table: None}
    exec(source.text, names)
    return interpreted(pack, names), interpreted(unpack, names)


def row_of(game: Declaration, phase: Phase, table: Any) -> list[int]:
    """A position as the row that stands for it in a graph."""
    row = [0] * layout_of(game).width(table.players)
    _packing(game)[0](table, game.phase_numbers[phase], row, game.deck_size)
    return row


def unpacked(game: Declaration, row: Sequence[int], players: int) -> tuple[Phase, Any]:
    """The phase and the table of a row: what `row_of` has made."""
    table = game.table()
    phase = _packing(game)[1](table, row, players)
    return list(game.phases)[phase], table
