"""The kernel of a game for other machines: a WebAssembly module, or PTX for graphics processors."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from fsm.arcs import Policy
from fsm.compiler.results import MEASURED
from fsm.declaration import Declaration
from fsm.lanes.module import LaneModule, module_of
from fsm.lanes.request import Request
from fsm.lanes.wasm import loadable

LANES = 16
WASM = "wasm32-unknown-unknown"
WASM_FEATURES = "+simd128,+bulk-memory,+sign-ext,+mutable-globals"
PTX = "nvptx64-nvidia-cuda"
PTX_MODEL, PTX_FEATURES = "sm_80", "+ptx75"
RESULT_BYTES = 4 * (len(MEASURED) + 2)
"""Bytes of a result: the measures, the trail, and a word with ending and winner."""


def wasm_of(game: Declaration, players: int, policy: Policy, dealing: bool = True) -> bytes:
    """A WebAssembly module that deals, plays and scores games: it exports `play` and `room`, the bytes `play` needs.

    play(decks, seed, first, games, results, scores, sums, fired, used, left, room): addresses are 32 bits wide, numbers
    64. dealing: whether it shuffles; else decks must be given. Raises UntraceableError.
    """
    module = module_of(Request(game, players, policy, dealing=dealing, wide=128, lanes=LANES))
    target, optimized = _compiled(module.text, WASM, "generic", WASM_FEATURES)
    return loadable(target.emit_object(optimized), "play", module.room)


def ptx_of(game: Declaration, players: int, policy: Policy) -> str:
    """PTX with the kernel `play_all`: each thread plays `each` of the games with given decks, in a room of its own.

    play_all(decks, games, each, results, scores, left, counts, rooms): addresses and numbers are 64 bits wide. counts
    tells how many games left each thread; rooms has the bytes of `module_of(...).room` for each thread, on whole cache
    lines. Raises UntraceableError.
    """
    module = module_of(Request(game, players, policy, dealing=False, wide=128, lanes=LANES))
    text = module.text.replace("define i64 @play(", "define internal i64 @play(") + _threads(game, players, module)
    target, optimized = _compiled(text, PTX, PTX_MODEL, PTX_FEATURES)
    return str(target.emit_assembly(optimized))


TARGETS: dict[str, Callable[[Declaration, int, Policy], bytes]] = {
    "wasm32": wasm_of,
    "ptx": lambda game, players, policy: ptx_of(game, players, policy).encode(),
}


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


def _threads(game: Declaration, players: int, module: LaneModule) -> str:
    """The kernel of a graphics processor: a thread finds its games and its room, and calls `play`."""
    arguments = "ptr %decks, i64 %games, i64 %each, ptr %results, ptr %scores, ptr %left, ptr %counts, ptr %rooms"
    return f"""
define ptx_kernel void @play_all({arguments}) {{
entry:
  %x = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %b = call i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
  %n = call i32 @llvm.nvvm.read.ptx.sreg.ntid.x()
  %before = mul i32 %b, %n
  %thread32 = add i32 %before, %x
  %thread = zext i32 %thread32 to i64
  %first = mul i64 %thread, %each
  %some = icmp ult i64 %first, %games
  br i1 %some, label %go, label %end
go:
  %rest = sub i64 %games, %first
  %few = icmp ult i64 %rest, %each
  %count = select i1 %few, i64 %rest, i64 %each
  %d0 = mul i64 %first, {game.deck_size}
  %d = getelementptr i8, ptr %decks, i64 %d0
  %r0 = mul i64 %first, {RESULT_BYTES}
  %r = getelementptr i8, ptr %results, i64 %r0
  %s0 = mul i64 %first, {4 * players}
  %s = getelementptr i8, ptr %scores, i64 %s0
  %l = getelementptr i64, ptr %left, i64 %first
  %m0 = mul i64 %thread, {module.room}
  %m = getelementptr i8, ptr %rooms, i64 %m0
  %gone = call i64 @play(ptr %d, i64 0, i64 0, i64 %count, ptr %r, ptr %s, ptr null, ptr null, ptr null, ptr %l, ptr %m)
  %c = getelementptr i64, ptr %counts, i64 %thread
  store i64 %gone, ptr %c
  br label %end
end:
  ret void
}}
declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()
declare i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
declare i32 @llvm.nvvm.read.ptx.sreg.ntid.x()
"""
