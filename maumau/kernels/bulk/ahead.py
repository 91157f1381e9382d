"""Games as WebAssembly modules, for pages that have no compiler: each plays and adds up games."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from fsm.declaration.arcs import Policy
from fsm.declaration.declaration import Declaration
from maumau.kernels.compiled.loop import total
from maumau.kernels.compiler.cache import keep, load
from maumau.kernels.compiler.direct.building import module_text
from maumau.kernels.compiler.machine_code import key_of, require_compiler
from maumau.kernels.compiler.objects import ENTRY, object_code, other_target
from maumau.kernels.compiler.plan import Plan
from maumau.kernels.compiler.program import Program, Source
from maumau.kernels.compiler.results import numbers
from maumau.kernels.compiler.source import no_games, source_of
from maumau.kernels.compiler.wasm import loadable
from rules.ending import Ending

STACK = 1 << 18
"""Bytes for the tables of a game and the calls of its rule functions."""
TRIPLE, MODEL, FEATURES = "wasm32-unknown-unknown", "generic", "+bulk-memory,+sign-ext,+mutable-globals"


@dataclass(frozen=True)
class WholePlan(Plan):
    """A plan whose kernel plays every game to its end: it deals, and finds out where a position returns."""

    @property
    def deals(self) -> bool:
        """Whether the kernel can make decks itself."""
        return True


def totalling(game: Declaration, policies: tuple[Policy, ...]) -> Program:
    """`total` for players of these policies: the arguments of a kernel, then those of `add_up`."""
    plan = WholePlan(game, policies, tally=True, repetition=True)
    return Program("total", _source, plan, _no_totals, game, large=True)


def wasm_of(game: Declaration, policies: tuple[Policy, ...] = ()) -> bytes:
    """The module of `totalling`: `native` takes the address of its arguments, `room` is what the stack needs.

    policies: in the order of the numbers of seats; none for the first of the game. It is kept in the cache folder.
    Raises BulkMissing without llvmlite, and CompilationError.
    """
    require_compiler()
    program = totalling(game, policies or game.policies[:1])
    source = program.write(program.subject)
    name = f"{program.name}-wasm-{key_of(program, source)}"
    code = load(name)
    if code is None:
        text = module_text(program, source)
        code = loadable(object_code(text, other_target(TRIPLE, MODEL, FEATURES)), ENTRY, STACK)
        keep(name, source.text, code)
    return code


def _source(plan: Plan) -> Source:
    return source_of(plan, total)


def _no_totals(plan: Plan) -> tuple[Any, ...]:
    """Arguments with which it does no work."""
    return *no_games(plan), numbers(len(Ending)), numbers(2), numbers(2), numbers(6)
