"""Object files of machine code: compiled from LLVM text, and loaded into this process by llvmlite."""

from __future__ import annotations

import ctypes
import platform
from collections.abc import Callable
from functools import cache
from typing import Any

from fsm.edge.errors import CompilationError
from fsm.edge.extras import Later

llvm: Any = Later("llvmlite.binding")


def optimized(module: Any, target: Any, vectors: bool = True) -> None:
    """Simplify each function, straight from case to case, then put functions in place of calls, and optimize all.

    vectors: whether loops become operations on vectors; without them batches take up to a third more time.
    """
    builder = llvm.create_pass_builder(target, llvm.create_pipeline_tuning_options(0))
    each = llvm.create_new_module_pass_manager()
    each.add_sroa_pass()
    each.add_instruction_combine_pass()
    each.add_simplify_cfg_pass()
    each.add_jump_threading_pass()
    each.run(module, builder)
    options = llvm.create_pipeline_tuning_options(2)  # 3 compiles longer, and Mau-Mau is played 2 % slower
    options.loop_vectorization = options.slp_vectorization = vectors
    options.inlining_threshold = 50  # with 225, LLVM's own, Gin Rummy is compiled half as long again, and played slower
    whole = llvm.create_pass_builder(target, options)
    whole.getModulePassManager().run(module, whole)


def object_code(text: str, target: Any, optimize: Callable[[Any, Any], None] = optimized) -> bytes:
    """The object file of LLVM text for a target machine of LLVM. Raises CompilationError.

    optimize: changes a module of LLVM for a target.
    """
    try:
        module = llvm.parse_assembly(text)
    except RuntimeError as error:
        raise CompilationError(f"LLVM refuses the text: {error}") from None
    module.triple, module.data_layout = target.triple, str(target.target_data)
    optimize(module, target)
    return bytes(target.emit_object(module))


SLOW_TO_MOVE = "znver1", "znver2"
"""Processors that move each bit by itself."""


@cache
def processor() -> tuple[str, str]:
    """The processor of this machine and its features, as LLVM names them."""
    return llvm.get_host_cpu_name(), llvm.get_host_cpu_features().flatten()


@cache
def moves_bits() -> bool:
    """Whether this processor has fast instructions that move the bits of a word to or from where a mask has some."""
    name, features = processor()
    return "+bmi2" in features.split(",") and name not in SLOW_TO_MOVE


@cache
def gathers() -> bool:
    """Whether this processor gathers words faster than it loads them one by one; those of AMD need many more steps."""
    return not processor()[0].startswith("znver")


def target_machine(triple: str = "", model: str = "", features: str = "", **options: Any) -> Any:
    """LLVM's target machine for the code of a processor.

    triple: of another machine than this one. model: the processor; without one it is that of this machine, with
    `features` besides its own. options: those of LLVM.
    """
    if triple:
        llvm.initialize_all_targets()
        llvm.initialize_all_asmprinters()
    else:  # all others would take megabytes
        llvm.initialize_native_target()
        llvm.initialize_native_asmprinter()
    llvm.initialize_native_asmparser()
    target = llvm.Target.from_triple(triple) if triple else llvm.Target.from_default_triple()
    if not model:
        model, own = processor()
        features = ",".join(filter(None, [own, features]))
    return target.create_target_machine(cpu=model, features=features, opt=3, **options)


FAR: dict[str, Any] = {"codemodel": "jitdefault", "jit": True}
"""The options of LLVM for code whose sections are loaded wherever there is room for them."""
NEAR: dict[str, Any] = {"reloc": "pic", "codemodel": "small"}
"""The options of LLVM for code whose sections are loaded into one piece of memory: it is shorter, and faster."""
IS_NEAR = platform.machine().lower() in ("x86_64", "amd64")
"""Whether code of this process is loaded so."""
BY_TABLE = '\n!llvm.module.flags = !{!9000}\n!9000 = !{i32 7, !"RtLibUseGOT", i32 1}\n'
"""Text by which functions of this process are called through a table of their addresses, for they may be far away."""
ENTRY = "native"
"""The name of the function that calls a program."""


def loadable_code(text: str, optimize: Callable[[Any, Any], None] = optimized) -> bytes:
    """The object file of LLVM text for this process. Raises CompilationError. optimize: as for `object_code`."""
    return object_code(text + BY_TABLE * IS_NEAR, target_machine(**NEAR if IS_NEAR else FAR), optimize)


class Machine:
    """Machine code in memory. call: its function."""

    def __init__(self, code: bytes, name: str = ENTRY, arguments: int = 1) -> None:
        """Load an object file.

        name: of the function. arguments: how many words of 64 bits it takes. Raises RuntimeError for a damaged file.
        """
        engine = llvm.create_mcjit_compiler(llvm.parse_assembly(""), target_machine(**FAR), use_lmm=IS_NEAR or None)
        engine.add_object_file(llvm.ObjectFileRef.from_data(code))
        engine.finalize_object()
        kind: Callable[[int], Any] = ctypes.CFUNCTYPE(ctypes.c_int64, *[ctypes.c_int64] * arguments)
        self._kept, self.call = engine, kind(engine.get_function_address(name))
