"""Loops that move elements of rows: all their rounds are one operation, which moves a stretch of bytes.

Two forms of loops are known, over a range that depends on the game. One assigns to each element of a stretch the
element that lies so far from it, in the same row or in another one. The other puts the elements of a ring under a pile
of `rules.queues`, each with `put_last`.
"""

from __future__ import annotations

import ast
from dataclasses import dataclass
from typing import Any, Protocol

from maumau.kernels.compiler.operators import constant
from maumau.kernels.lanes.cells import LanePiles
from maumau.kernels.lanes.graph import LaneGraph, LaneRow
from maumau.kernels.lanes.nodes import Operation, Value, range_of
from maumau.kernels.lanes.rounds import Span
from rules.queues import QUEUE_BYTES, put_last

LONGEST = 64
"""Bytes of a stretch, at most: those of a vector."""


class Reader(Protocol):
    """What reads a function on the values of a graph. path: the games for which it is read."""

    graph: LaneGraph
    path: Value
    names: dict[str, Any]

    def value(self, node: ast.expr) -> Any:
        """What an expression stands for."""


@dataclass(frozen=True)
class _Stretch:
    """Elements of a row from a place on. room: how many there are, at most. turns: whether places beyond the end of the
    row are those at its start.
    """

    row: LaneRow
    start: Value
    room: Value
    turns: bool = False

    def fits(self, graph: LaneGraph, count: Value) -> Value:
        """Whether so many elements lie in the row."""
        return graph.compare("le", count, self.room)


def move(reader: Reader, loop: ast.For, span: Span) -> bool:
    """Carry out a loop as one move; whether it has one of the forms."""
    if not isinstance(loop.target, ast.Name) or len(loop.body) != 1:
        return False
    graph, name, names = reader.graph, loop.target.id, reader.names
    first = span.start if span.step == 1 else graph.binary("add", graph.difference(span.start, span.count), 1)
    reader.names = {**names, name: first}
    try:
        match loop.body[0]:
            case ast.Assign([ast.Subscript() as to], ast.Subscript() as of):
                done = _copy(reader, _stretch(reader, to, name), _stretch(reader, of, name), span)
            case ast.Expr(ast.Call(called, [piles, place, ast.Subscript() as of], [])) if span.step == 1:
                is_put = constant(reader.value(called)) is put_last and not _reads(piles, name) | _reads(place, name)
                done = is_put and _put_last(reader, (piles, place), _stretch(reader, of, name), span)
            case _:
                done = False
    finally:
        reader.names = {key: value for key, value in names.items() if key != name or not done}
    return done


def _reads(node: ast.expr, name: str) -> bool:
    return any(isinstance(part, ast.Name) and part.id == name for part in ast.walk(node))


def _moves_with(node: ast.expr, name: str) -> bool:
    """Whether an expression is the name, more or less what stays the same in the loop."""
    if not isinstance(node, ast.BinOp):
        return isinstance(node, ast.Name) and node.id == name
    sides = (node.left, node.right), (node.right, node.left)
    pairs = sides if isinstance(node.op, ast.Add) else sides[:1] if isinstance(node.op, ast.Sub) else ()
    return any(_moves_with(one, name) and _is_steady(other, name) for one, other in pairs)


def _is_steady(node: ast.expr, name: str) -> bool:
    """Whether an expression is computed from names and numbers that no round changes."""
    parts = [part for part in ast.walk(node) if isinstance(part, ast.expr)]
    return not _reads(node, name) and all(isinstance(part, ast.Name | ast.Constant | ast.BinOp) for part in parts)


def _stretch(reader: Reader, node: ast.Subscript, name: str) -> _Stretch | None:
    """The elements of a row that a loop over `name` takes in turn; None for any others."""
    graph, index, of = reader.graph, node.slice, reader.value(node.value)
    if _reads(node.value, name) or not isinstance(of, LaneRow | LanePiles):
        return None
    if _moves_with(index, name):
        start = graph.number(_plain(reader.value(index)))
        if isinstance(of, LaneRow):
            return _Stretch(of, start, graph.difference(of.length, start))
        return _in_pile(graph, of, *of.split(graph, start, reader.path))
    match index:
        case ast.BinOp(moving, ast.BitAnd(), mask) if isinstance(of, LaneRow) and _moves_with(moving, name):
            last = of.length - 1
            if (
                not _reads(mask, name)
                and constant(reader.value(mask)) == last
                and of.length <= LONGEST
                and of.length & last == 0
            ):
                place = graph.number(_plain(reader.value(moving)))
                return _Stretch(of, graph.binary("and", place, last), of.length, turns=True)
    return None


def _in_pile(graph: LaneGraph, piles: LanePiles, place: Value, depth: Value) -> _Stretch | None:
    """A stretch of a pile; None of how many cards it has."""
    if isinstance(depth, int) and depth == 0:
        return None
    return _Stretch(piles.row, piles.index(graph, place, depth), graph.difference(QUEUE_BYTES, depth))


def _plain(operand: Any) -> Any:
    known = constant(operand)
    return known if isinstance(known, int) else operand


def _copy(reader: Reader, to: _Stretch | None, of: _Stretch | None, span: Span) -> bool:
    """Copy a stretch, if no round of the loop reads what another one has written."""
    if to is None or of is None or to.turns:
        return False
    if to.row.name == of.row.name:
        low, high = range_of(reader.graph.difference(to.start, of.start))
        if of.turns or (high > 0 if span.step == 1 else low < 0):
            return False
    _carry_out(reader, to, of, span.count)
    return True


def _put_last(reader: Reader, pile: tuple[ast.expr, ast.expr], of: _Stretch | None, span: Span) -> bool:
    """Put the elements of a stretch of another row under a pile."""
    graph, path, piles = reader.graph, reader.path, reader.value(pile[0])
    if of is None or not isinstance(piles, LanePiles) or piles.row.name == of.row.name:
        return False
    place = graph.number(_plain(reader.value(pile[1])))
    first = piles.index(graph, place, 0)
    size = piles.load(graph, first, path)
    under = _in_pile(graph, piles, place, graph.binary("add", size, 1))
    if under:
        moved = _carry_out(reader, under, of, span.count)
        piles.store(graph, first, graph.binary("add", size, moved), path)
    return under is not None


def _carry_out(reader: Reader, to: _Stretch, of: _Stretch, count: Value) -> Value:
    """Move a stretch in the games of a path, if there is one: how many elements are moved. Games in which it is too
    long leave the lanes.
    """
    graph, path = reader.graph, reader.path
    there = graph.both(path, graph.compare("gt", count, 0))
    what = f"a stretch of {of.row.name} is too long to be moved"
    moved = graph.required(graph.select(there, count, 0), (0, LONGEST), path, what)
    fits = graph.both(to.fits(graph, moved), of.fits(graph, moved))
    if isinstance(fits, Operation):
        graph.forbid(graph.both(path, graph.negation(fits)), what)
        moved = graph.select(fits, moved, 0)
    graph.move(to.row, to.start, of.row, of.start, moved, turns=of.turns)
    return moved
