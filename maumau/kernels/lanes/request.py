"""What a kernel of lanes is made for: a game with its players, and a processor or another machine."""

from __future__ import annotations

import platform
import sys
from dataclasses import dataclass, field

from fsm.declaration.arcs import Policy
from fsm.declaration.declaration import Declaration
from fsm.edge.errors import CompilationError
from maumau.kernels.compiler.objects import processor


class UntraceableError(CompilationError):
    """A game cannot be played in lanes; the message says what stands in the way."""


@dataclass(frozen=True)
class Target:
    """name: as people call it. lanes: games at once, one for each byte of a vector.

    needed: features by the names of LLVM. model: the processor that LLVM compiles for; empty for this one.
    look_up: LLVM's name of the instruction that looks up bytes in a table. register: the letter of a vector register in
    assembly, if there is any. saturates: whether only indices from 128 on give 0, instead of all beyond the table.
    triple: of another machine than this one, by LLVM's name.
    """

    name: str
    lanes: int
    needed: tuple[str, ...]
    model: str
    look_up: str
    register: str = ""
    saturates: bool = False
    features: str = ""
    triple: str = ""

    @property
    def packs(self) -> bool:
        """Whether there are instructions that compress and expand vectors of bytes, and that look up a table of 64."""
        return self.lanes == TABLE


TABLE = 64
"""Bytes of the largest table that is looked up in registers."""
AVX512_NEEDED = tuple(f"avx512{name}" for name in ("f", "bw", "vl", "dq", "cd", "vpopcntdq", "vbmi", "vbmi2", "bitalg"))
AVX512 = Target("AVX-512", 64, AVX512_NEEDED, "", "llvm.x86.avx512.permvar.qi.512", "v", features="-prefer-256-bit")
AVX2 = Target("AVX2", 32, ("avx2", "bmi", "bmi2", "fma"), "x86-64-v3", "llvm.x86.avx2.pshuf.b", "x", saturates=True)
SSE4 = Target("SSE4.2", 16, ("sse4.2", "popcnt"), "x86-64-v2", "llvm.x86.ssse3.pshuf.b.128", "x", saturates=True)
NEON = Target(
    "NEON",
    16,
    ("neon",),
    "generic",
    "llvm.aarch64.neon.tbl1.v16i8",
    "w",
    triple="aarch64-unknown-linux-gnu",
)
X86 = (AVX512, AVX2, SSE4)
"""The fastest first."""


MACHINE = platform.machine()
"""The kind of the processor."""
ARM = ("aarch64", "arm64")


def lacking(target: Target) -> list[str]:
    """The features that this processor lacks."""
    features = processor()[1].split(",")
    return [name for name in target.needed if f"+{name}" not in features]


def why_no_lanes(target: Target | None = None) -> str:
    """Why lanes of a target, or of any, are not used on this machine; empty if they are."""
    target = target or best()
    if MACHINE in ARM and target is NEON:
        return ""
    if sys.platform != "linux" or MACHINE != "x86_64" or target not in X86:
        return f"lanes need Linux on x86-64, or 64-bit Arm; this is {sys.platform} on {MACHINE}"
    missing = lacking(target)
    return f"the processor lacks {', '.join(missing)}" if missing else ""


def best() -> Target:
    """Return the widest lanes that this processor has; the narrowest of its kind where it has none."""
    if MACHINE in ARM:
        return NEON
    return next((target for target in X86 if not lacking(target)), SSE4)


@dataclass(frozen=True)
class Request:
    """What a kernel is made for. policies: those that seats may have. tally: whether it counts arcs and decision rules.
    dealing: whether it can shuffle. marks: whether it keeps the marks of seats that a printed result has.

    rounds: of each `while`, how many are computed for all games; games in which it goes on leave the lanes.

    target: the processor, by default this one.
    """

    game: Declaration
    players: int
    policies: tuple[Policy, ...]
    tally: bool = False
    dealing: bool = True
    marks: bool = False
    rounds: int = 0
    target: Target = field(default_factory=best)
