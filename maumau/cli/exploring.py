"""Explores the small decks of a game: by stepping while they are small, then by machine code where there is some."""

from __future__ import annotations

import time
from collections.abc import Iterable, Iterator, Sequence

from fsm.check.properties import Report
from fsm.check.stepped import explore_stepped
from fsm.declaration.arcs import SmallDeck
from fsm.edge.errors import CompilationError
from fsm.edge.ticker import duration
from fsm.stepping.game import Game
from maumau.cli.output import notify
from maumau.kernels.compiler.machine_code import why_no_compiler
from maumau.kernels.explorer.exhaustive import explore
from maumau.kernels.targets import why_not_compiled
from rules.errors import Explained
from rules.notation import many

STEPPED_AT_MOST = 20_000
"""Positions of a deck that are visited by stepping, which takes seconds: for so few no machine code is asked for."""

IN_A_MINUTE = 100_000
"""Positions of a deck that are visited by stepping where there is no machine code."""


BYTES_A_POSITION = 60
"""Memory of a position that is known, at most."""


def exploration_size(kind: type[Game], decks: Sequence[SmallDeck], positions: int) -> str:
    """Return what exploring decks takes. Raises Explained if stepping large ones would take minutes to no avail.

    positions: of each deck at most.
    """
    is_long = positions > IN_A_MINUTE and any(small.large for small in decks)
    if is_long and (why := why_no_compiler() or why_not_compiled(kind.declaration)):
        raise Explained(f"decks with millions of positions require machine code: {why}")
    room = f"{max(1, positions * BYTES_A_POSITION // 1_000_000):,} MB"
    size = f"at most {positions:,} positions of each"
    cost = f"which take {room} of memory and {duration(positions / 1e6)}"
    return f"exploring {many(len(decks), 'small deck')}, {size}, {cost}"


def explorations(
    kind: type[Game], decks: Iterable[SmallDeck], compiled: bool, positions: int
) -> Iterator[tuple[SmallDeck, Report, float]]:
    """Explore all positions of small decks. Yield each deck with its report and the time when it was begun.

    positions: of each deck at most. compiled: whether machine code is used at once. Otherwise it is used from the first
    deck on that is not small.
    """
    for small in decks:
        started = time.perf_counter()
        report = None if compiled else explore_stepped(kind, small, min(positions, STEPPED_AT_MOST))
        if report is None or (not report.complete and positions > STEPPED_AT_MOST):
            compiled, report = True, _explored(kind, small, positions)
        yield small, report, started


def _explored(kind: type[Game], small: SmallDeck, positions: int) -> Report:
    """Explore all positions of a small deck, in machine code if that is available. Raises Explained if it must be."""
    if not (why := why_no_compiler()):
        try:
            return explore(kind, small, positions, notify)
        except CompilationError as error:
            why = str(error)
    notify(f"no machine code, so this is slow: {why}; {small}")
    report = explore_stepped(kind, small, min(positions, IN_A_MINUTE), notify=notify)
    if report.complete or positions <= IN_A_MINUTE:
        return report
    size = f"more than {IN_A_MINUTE:,} positions, which are stepped for more than a minute"
    raise Explained(f"{small}: {size}; use a smaller deck, fewer positions, or machine code: {why}")
