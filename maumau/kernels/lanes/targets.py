"""The kernel of a game for another machine: a WebAssembly module."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from fsm.declaration.arcs import Policy
from fsm.declaration.declaration import Declaration
from maumau.kernels.lanes.module import module_of
from maumau.kernels.lanes.request import Request
from maumau.kernels.lanes.wasm import loadable

WASM_LANES = 16
WASM = "wasm32-unknown-unknown"
WASM_FEATURES = "+simd128,+bulk-memory,+sign-ext,+mutable-globals"


def wasm_of(game: Declaration, players: int, policy: Policy, dealing: bool = True) -> bytes:
    """A WebAssembly module that deals, plays and scores games: it exports `play` and `room`, the bytes `play` needs.

    play(decks, seed, first, games, results, scores, sums, fired, used, left, room): addresses are 32 bits wide, numbers
    64. dealing: whether it shuffles; else decks must be given. Raises UntraceableError.
    """
    module = module_of(Request(game, players, policy, dealing=dealing, wide=128, lanes=WASM_LANES))
    target, optimized = _compiled(module.text, WASM, "generic", WASM_FEATURES)
    return loadable(target.emit_object(optimized), "play", module.room)


TARGETS: dict[str, Callable[[Declaration, int, Policy], bytes]] = {"wasm32": wasm_of}


def _compiled(text: str, triple: str, model: str, features: str) -> tuple[Any, Any]:
    """The machine to write code for, and the optimized module."""
    import llvmlite.binding as llvm

    llvm.initialize_all_targets()
    llvm.initialize_all_asmprinters()
    module = llvm.parse_assembly(f'target triple = "{triple}"\n{text}')
    module.verify()
    target = llvm.Target.from_triple(triple).create_target_machine(cpu=model, features=features, opt=2)
    builder = llvm.create_pass_builder(target, llvm.create_pipeline_tuning_options(2))
    builder.getModulePassManager().run(module, builder)
    return target, module
