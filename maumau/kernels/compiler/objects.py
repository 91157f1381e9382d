"""Object files: made of LLVM text, and loaded by llvmlite where blocks of machine code do not run."""

from __future__ import annotations

import ctypes
from collections.abc import Callable
from typing import Any

from fsm.edge.errors import CompilationError


def object_code(text: str, target: Any) -> bytes:
    """The object file of LLVM text, optimized for a target machine of LLVM. Raises CompilationError."""
    import llvmlite.binding as llvm

    try:
        module = llvm.parse_assembly(text)
    except RuntimeError as error:
        raise CompilationError(f"LLVM refuses the text: {error}") from None
    module.triple, module.data_layout = target.triple, str(target.target_data)
    _optimize(module, target)
    return bytes(target.emit_object(module))


def _optimize(module: Any, target: Any) -> None:
    """Simplify each function, straight from case to case, then put functions in place of calls, and optimize all."""
    import llvmlite.binding as llvm

    builder = llvm.create_pass_builder(target, llvm.create_pipeline_tuning_options(0))
    each = llvm.create_new_module_pass_manager()
    each.add_sroa_pass()
    each.add_instruction_combine_pass()
    each.add_simplify_cfg_pass()
    each.add_jump_threading_pass()
    each.run(module, builder)
    options = llvm.create_pipeline_tuning_options(2)  # 3 compiles longer, and Mau-Mau is played 2 % slower
    options.slp_vectorization = True  # without it batches take up to a third more time
    whole = llvm.create_pass_builder(target, options)
    whole.getModulePassManager().run(module, whole)


def loader_target() -> Any:
    """LLVM's target machine for code that `LoadedObject` loads."""
    import llvmlite.binding as llvm

    llvm.initialize_native_target()
    llvm.initialize_native_asmprinter()
    features = llvm.get_host_cpu_features().flatten()
    return llvm.Target.from_default_triple().create_target_machine(
        cpu=llvm.get_host_cpu_name(), features=features, opt=3, codemodel="jitdefault", jit=True
    )


def other_target(triple: str, model: str, features: str, reloc: str = "default") -> Any:
    """LLVM's target machine for another machine than this one."""
    import llvmlite.binding as llvm

    llvm.initialize_all_targets()
    llvm.initialize_all_asmprinters()
    target = llvm.Target.from_triple(triple)
    return target.create_target_machine(cpu=model, features=features, opt=3, reloc=reloc)


class LoadedObject:
    """An object file in memory, loaded and linked to this process by llvmlite. call: its function."""

    def __init__(self, code: bytes, entry: str, arguments: int = 1) -> None:
        """arguments: how many words of 64 bits the function takes. Raises RuntimeError for what is no object file."""
        import llvmlite.binding as llvm

        target = loader_target()
        self._engine = llvm.create_mcjit_compiler(llvm.parse_assembly(""), target)
        self._engine.add_object_file(llvm.ObjectFileRef.from_data(code))
        self._engine.finalize_object()
        kind: Callable[[int], Any] = ctypes.CFUNCTYPE(ctypes.c_int64, *[ctypes.c_int64] * arguments)
        self.call = kind(self._engine.get_function_address(entry))


ENTRY = "native"
"""The name of what calls a program."""
LIBRARY = """
define hidden ptr @memset(ptr %to, i32 %value, i64 %size) #0 {
  %byte = trunc i32 %value to i8
  %end = call { i64, ptr } asm sideeffect "rep stosb", "={rcx},={rdi},0,1,{al},~{memory}"(i64 %size, ptr %to, i8 %byte)
  ret ptr %to
}
define hidden ptr @memcpy(ptr %to, ptr %of, i64 %size) #0 {
  %end = call { i64, ptr, ptr } asm sideeffect "rep movsb", "={rcx},={rdi},={rsi},0,1,2,~{memory}"(
    i64 %size, ptr %to, ptr %of)
  ret ptr %to
}
attributes #0 = { noinline nounwind "no-builtins" }
"""
