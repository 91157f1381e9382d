"""LLVM text to machine code: for this processor, a lesser one, or for another machine."""

from __future__ import annotations

from typing import Any

from fsm.declaration.arcs import Policy
from fsm.declaration.declaration import Declaration
from maumau.kernels.compiler.objects import Block, block_of, block_target, other_target
from maumau.kernels.lanes.module import LaneModule, module_of
from maumau.kernels.lanes.request import NEON, Request, Target

ENTRY = "play"


def block_from(text: str, target: Target) -> Block:
    """The machine code of a module for an x86-64 processor."""
    return block_of(object_code(text, block_target(target.model or None, target.features)), ENTRY)


def object_code(text: str, target: Any) -> bytes:
    """The object file of a module for a target machine of LLVM."""
    import llvmlite.binding as llvm

    module = llvm.parse_assembly(text)
    module.triple, module.data_layout = target.triple, str(target.target_data)
    # What is left to optimize is little, as equal operations are one in a graph. All passes together take ten times as
    # long, and the code that they make plays no faster.
    builder = llvm.create_pass_builder(target, llvm.create_pipeline_tuning_options(0))
    passes = builder.getModulePassManager()  # puts functions in the place of their calls that are to be there
    passes.add_instruction_combine_pass()
    passes.add_simplify_cfg_pass()
    passes.run(module, builder)
    return bytes(target.emit_object(module))


# ---------------------------------------------------------------- other machines


def arm_of(module: LaneModule) -> bytes:
    """An object file for Linux on 64-bit Arm with the same function, and the bytes that it needs as constant `room`."""
    return object_code(
        f"@room = constant i64 {module.room}\n{module.text}",
        other_target(NEON.triple, NEON.model, NEON.features, NEON.reloc),
    )


def arm_file(game: Declaration, players: int, policy: Policy, dealing: bool = True) -> bytes:
    """The kernel for 64-bit Arm. dealing: whether it shuffles; else decks must be given. Raises UntraceableError."""
    return arm_of(module_of(Request(game, players, policy, dealing=dealing, target=NEON)))
