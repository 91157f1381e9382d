"""The kernel of a game for other machines: a WebAssembly module, or PTX for graphics processors."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from fsm.declaration.arcs import Policy
from fsm.declaration.declaration import Declaration
from maumau.kernels.compiler.results import MEASURED
from maumau.kernels.lanes.driver import ATTRIBUTES
from maumau.kernels.lanes.layout import line_of
from maumau.kernels.lanes.module import module_of
from maumau.kernels.lanes.request import Request
from maumau.kernels.lanes.wasm import loadable

WASM_LANES = 16
WASM = "wasm32-unknown-unknown"
WASM_FEATURES = "+simd128,+bulk-memory,+sign-ext,+mutable-globals"
PTX_LANES = 1
"""A thread of a graphics processor is a lane itself."""
PTX = "nvptx64-nvidia-cuda"
PTX_MODEL, PTX_FEATURES = "sm_80", "+ptx75"
RESULT_BYTES = 4 * (len(MEASURED) + 2)
"""Bytes of a result: the measures, the trail, and a word with ending and winner."""


def wasm_of(game: Declaration, players: int, policy: Policy, dealing: bool = True) -> bytes:
    """A WebAssembly module that deals, plays and scores games: it exports `play` and `room`, the bytes `play` needs.

    play(decks, seed, first, games, results, scores, sums, fired, used, left, room): addresses are 32 bits wide, numbers
    64. dealing: whether it shuffles; else decks must be given. Raises UntraceableError.
    """
    module = module_of(Request(game, players, policy, dealing=dealing, wide=128, lanes=WASM_LANES))
    target, optimized = _compiled(module.text, WASM, "generic", WASM_FEATURES)
    return loadable(target.emit_object(optimized), "play", module.room)


def ptx_of(game: Declaration, players: int, policy: Policy) -> str:
    """PTX with the kernel `play_all`: each thread of a one-dimensional grid plays one game at a time, with given decks.

    play_all(decks, seed, first, games, results, scores, left, counts): addresses and numbers are 64 bits wide. seed,
    first: the dice for deck k are those of game first + k of the seed. Thread t of T plays the games from t * each on,
    where each = ceil(games / T): the next as soon as one is over, so that no thread waits for the longest game of its
    warp. counts[t]: how many of them left the lanes, and left[t * each], ... their numbers among those of the thread;
    -1: one of its decks is not the whole deck, the rest was not played. Results and scores of games that left are not
    written. Raises UntraceableError.
    """
    text = ptx_text(game, players, policy)
    text = text.replace("define void @play_part(", "define internal void @play_part(") + KERNEL
    target, optimized = _compiled(text, PTX, PTX_MODEL, PTX_FEATURES)
    return str(target.emit_assembly(optimized))


ARGUMENTS = "ptr %decks, i64 %seed, i64 %number, i64 %games, ptr %results, ptr %scores, ptr %left, ptr %counts"
PART = f"i64 %thread, i64 %threads, {ARGUMENTS}"
KERNEL = f"""
define ptx_kernel void @play_all({ARGUMENTS}) {ATTRIBUTES} {{
  %tid = call i32 @llvm.nvvm.read.ptx.sreg.tid.x()
  %block = call i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
  %size = call i32 @llvm.nvvm.read.ptx.sreg.ntid.x()
  %blocks = call i32 @llvm.nvvm.read.ptx.sreg.nctaid.x()
  %before = mul i32 %block, %size
  %thread32 = add i32 %before, %tid
  %threads32 = mul i32 %blocks, %size
  %thread = zext i32 %thread32 to i64
  %threads = zext i32 %threads32 to i64
  call void @play_part({PART})
  ret void
}}
declare i32 @llvm.nvvm.read.ptx.sreg.tid.x()
declare i32 @llvm.nvvm.read.ptx.sreg.ctaid.x()
declare i32 @llvm.nvvm.read.ptx.sreg.ntid.x()
declare i32 @llvm.nvvm.read.ptx.sreg.nctaid.x()
"""
"""The kernel of a graphics processor: a thread finds its number and that of all threads, and plays its part."""

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


def ptx_text(game: Declaration, players: int, policy: Policy) -> str:
    """LLVM text with the function `play_part`: the games of one thread of many."""
    module = module_of(Request(game, players, policy, dealing=False, wide=128, lanes=PTX_LANES))
    text = module.text.replace("define i64 @play(", "define internal i64 @play(")
    given = "ptr %d, i64 %seed, i64 %base, i64 %count, ptr %r, ptr %s"
    return f"""{text}
define void @play_part({PART}) {ATTRIBUTES} {{
entry:
  %above = add i64 %games, %threads
  %most = add i64 %above, -1
  %each = udiv i64 %most, %threads
  %first = mul i64 %thread, %each
  %some = icmp ult i64 %first, %games
  br i1 %some, label %go, label %end
go:
  %room = alloca [{module.room} x i8], align {line_of(PTX_LANES)}
  %rest = sub i64 %games, %first
  %count = call i64 @llvm.umin.i64(i64 %rest, i64 %each)
  %base = add i64 %number, %first
  %d0 = mul i64 %first, {game.deck_size}
  %d = getelementptr i8, ptr %decks, i64 %d0
  %r0 = mul i64 %first, {RESULT_BYTES}
  %r = getelementptr i8, ptr %results, i64 %r0
  %s0 = mul i64 %first, {4 * players}
  %s = getelementptr i8, ptr %scores, i64 %s0
  %l = getelementptr i64, ptr %left, i64 %first
  %n = call i64 @play({given}, ptr null, ptr null, ptr null, ptr %l, ptr %room)
  %c = getelementptr i64, ptr %counts, i64 %thread
  store i64 %n, ptr %c
  br label %end
end:
  ret void
}}
"""
