"""Masks as sums of products, so that masks of many arcs share their parts and are small."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable

from maumau.kernels.lanes.graph import INVERSE, Graph, Node, Value

Literal = tuple[Node, bool]
"""A mask that is no negation, and whether it holds."""
Cube = frozenset[Literal]
"""Literals that hold together; none of them means always."""


def literal(graph: Graph, mask: Value) -> Literal | bool:
    """A mask as a literal, or as what it always is."""
    if not isinstance(mask, Node):
        return bool(mask)
    if mask.op == "not":
        return mask.args[0], False
    assert mask.op not in INVERSE
    return mask, True


def simplified(cubes: Iterable[Cube]) -> set[Cube]:
    """Fewer and smaller cubes that hold in the same games."""
    found = set(cubes)
    while (better := _one_better(found)) is not None:
        found = better
    return found


def _one_better(cubes: set[Cube]) -> set[Cube] | None:
    """The cubes without one that another contains, or with one that is smaller; None if there is none."""
    for one in cubes:
        for other in cubes:
            if one < other:
                return cubes - {other}
            for node, holds in one:
                opposite = (node, not holds)
                if opposite in other and one - {(node, holds)} <= other - {opposite}:
                    return (cubes - {other}) | {other - {opposite}}
    return None


def times(cubes: Iterable[Cube], literals: Iterable[Literal]) -> set[Cube]:
    """The cubes in which the literals hold too."""
    added = frozenset(literals)
    found = {cube | added for cube in cubes}
    return {cube for cube in found if not any((node, not holds) in cube for node, holds in cube)}


def product_of(cubes: Iterable[Cube], others: Iterable[Cube]) -> set[Cube]:
    """The cubes in which one of each holds."""
    given = list(cubes)
    return {cube for other in others for cube in times(given, other)}


def mask_of(graph: Graph, cubes: Iterable[Cube]) -> Value:
    """The mask that holds where one of the cubes does: the most frequent literal is factored out, again and again."""
    given = simplified(cubes)
    if not given or frozenset() in given:
        return bool(given)
    counted = Counter(each for cube in given for each in cube)
    best = max(counted, key=lambda each: (counted[each], -each[0].number, each[1]))
    if counted[best] == 1:
        return _sum(graph, given)
    inside = {cube - {best} for cube in given if best in cube}
    rest = mask_of(graph, {cube for cube in given if best not in cube})
    return graph.either(graph.both(_mask(graph, best), mask_of(graph, inside)), rest)


def _sum(graph: Graph, cubes: Iterable[Cube]) -> Value:
    found: Value = False
    for cube in sorted(cubes, key=lambda cube: sorted((node.number, holds) for node, holds in cube)):
        product: Value = True
        for each in sorted(cube, key=lambda each: each[0].number):
            product = graph.both(product, _mask(graph, each))
        found = graph.either(found, product)
    return found


def _mask(graph: Graph, each: Literal) -> Value:
    node, holds = each
    return node if holds else graph.negation(node)
