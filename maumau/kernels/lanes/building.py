"""LLVM text to machine code, for this processor or a lesser one."""

from __future__ import annotations

from maumau.kernels.compiler.blocks import Block, block_of, block_target

ENTRY = "play"
MODELS = {128: "x86-64-v2", 256: "x86-64-v3"}
"""Processors that vectors of so many bits are compiled for."""


def block_from(text: str, wide: int) -> Block:
    """The machine code of a module for vectors of so many bits: 128, 256, or 512 for this processor."""
    return block_of(object_code(text, wide), ENTRY)


def object_code(text: str, wide: int) -> bytes:
    """The object file of a module."""
    import llvmlite.binding as llvm

    target = block_target(MODELS.get(wide), "-prefer-256-bit")
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
