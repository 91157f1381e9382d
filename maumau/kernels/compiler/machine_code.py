"""Programs in machine code: compiled by llvmlite on first use, and cached on disk.

The machine code of a program is an object file. Its cache key is a hash over everything that it depends on: its
source, which includes the declaration, the fingerprints of its rule functions, the fields of the table class, the
compiler, the processor, and the versions of Python, llvmlite and numpy. See `maumau.kernels.compiler.cache` for the
rules by which cached kernels are trusted.
"""

from __future__ import annotations

import ctypes
import gc
import sys
from _thread import RLock, allocate_lock, start_new_thread
from array import array
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import asdict
from functools import cache, lru_cache, partial
from importlib import import_module
from operator import index
from os.path import dirname, join
from time import monotonic, sleep
from typing import Any, TypeVar

from fsm.edge.arrays import array_type
from fsm.edge.extras import require
from fsm.edge.numbers import Notify, check_notify, np
from fsm.hashes import bytecode_hash
from maumau.kernels.compiled.workspace import type_text, word_types, words_of
from maumau.kernels.compiler.cache import keep, load, sources
from maumau.kernels.compiler.objects import Machine, loadable_code, optimized, processor
from maumau.kernels.compiler.program import KernelSource, Program
from rules.chance import wide_product

T = TypeVar("T")

WAKE = 0.1
"""Seconds after which a thread that waits for others looks whether Ctrl-C was pressed."""
GRACE = 0.5
"""Seconds that what is stopped is given to end: it may take much longer, such as the search for a move."""


def in_background(make: Callable[[], object], stop: Callable[[], object] | None = None) -> None:
    """Call `make` in another thread than the main one, and raise what it raises.

    If Ctrl-C ends the wait, `make` continues in the background. `stop` lets it end soon: then it has GRACE to do so.
    Python raises KeyboardInterrupt between any two instructions of the main thread. Where `threading` has just taken a
    lock, nobody would release it, so the main thread waits only for a lock that is taken in one instruction.
    """
    import threading

    if threading.get_ident() != threading.main_thread().ident:
        make()
        return
    failed: list[BaseException] = []
    ended: list[bool] = []
    over = allocate_lock()
    over.acquire()

    def run() -> None:
        try:
            make()
        except BaseException as error:
            failed.append(error)
        ended.append(True)
        over.release()

    start_new_thread(run, ())
    try:
        while not over.acquire(timeout=WAKE):
            pass
    except BaseException:
        if stop is not None:
            stop()
            deadline = monotonic() + GRACE
            while not ended and monotonic() < deadline:
                sleep(WAKE / 10)
        raise
    if failed:
        raise failed[0]


PACKAGES = ("llvmlite", "numpy")
"""Other packages that machine code depends on."""
OWN_MODULES = (
    "folding.py",
    "machine_code.py",
    "objects.py",
    "operators.py",
    "partial.py",
    "program.py",
    "reading.py",
    "syntax.py",
    "unrolling.py",
)
"""Modules of this package that machine code depends on, besides all of `direct`."""


ENGINE = "the compiled engine"


def require_compiler(notify: object = None) -> None:
    """Raise MissingExtra unless llvmlite and numpy can be imported, and TypeError for a `notify` that cannot be called.

    notify: what is called before something is compiled, or None.
    """
    require(ENGINE, *PACKAGES)
    check_notify(notify)


def why_no_compiler() -> str:
    """What to install for machine code; empty if it is there."""
    try:
        require(ENGINE, *PACKAGES)
    except ImportError as error:
        return str(error)
    return ""


_ready: dict[Program, NativeCode] = {}
_absent: set[Program] = set()
_making = RLock()

K = TypeVar("K")


def once(made: dict[K, T], key: K, find: Callable[[], T | None], make: Callable[[], T]) -> T:
    """What belongs to a key, once in this process: what `find` finds, else what `make` makes in the background."""

    if not _known(made, key, find):
        in_background(lambda: _known(made, key, make))
    return made[key]


@contextmanager
def without_collections() -> Iterator[None]:
    """A context in which no garbage is collected.

    The compiler makes a hundred thousand nodes of syntax. Collections traverse all of them again and again, and find
    nothing: counting references frees them.
    """
    collects = gc.isenabled()
    try:
        gc.disable()
        yield
    finally:
        if collects:
            gc.enable()


def _known(made: dict[K, T], key: K, find: Callable[[], T | None]) -> bool:
    """Whether what belongs to a key is in `made`, after it was looked for, or made, by `find`."""
    with _making, without_collections():  # one at a time: the other would leave the collector off
        if key not in made and (found := find()) is not None:
            made[key] = found
        return key in made


def from_disk(name: str, use: Callable[[bytes], T]) -> T | None:
    """What can be used of the kernel called `name`, if it is valid on disk."""
    if content := load(name):
        with suppress(Exception):  # another build of a library with the same version: compile again
            return use(content)
    return None


# ---------------------------------------------------------------- programs


def machine_code(program: Program, notify: Notify | None = None) -> NativeCode:
    """The entry of a program in machine code: of this process, from disk, or compiled.

    notify: called with one line when a large program has to be compiled. Raises MissingExtra without llvmlite,
    and CompilationError for source that cannot be compiled.
    """
    if (code := _ready.get(program)) is not None:
        return code
    require_compiler()
    return once(_ready, program, partial(_from_disk, program), partial(_made, program, notify))


def ready_code(program: Program) -> NativeCode | None:
    """The entry of a program of this process or from disk; None if it would have to be compiled."""
    if program not in _absent and not _known(_ready, program, partial(_from_disk, program)):
        _absent.add(program)
    return _ready.get(program)


def _made(program: Program, notify: Notify | None) -> NativeCode:
    """The entry of a program: compiled, and kept on disk."""
    if notify and program.large and program.game:
        notify(f"compiling {program.game.title} to machine code, once for this machine")
    from maumau.kernels.compiler.direct.building import module_text  # what writes LLVM text is large

    optimize = partial(optimized, vectors=not program.small)
    code = loadable_code(module_text(program, _source(program)), optimize)
    entry = _loaded(program, code)
    keep(_name(program), code)
    return entry


@lru_cache(maxsize=1)
def _source(program: Program) -> KernelSource:
    """The source of a program. That of the last one is kept: it is looked for on disk, then compiled."""
    return program.write(program.subject)


@lru_cache(maxsize=1)
def _name(program: Program) -> str:
    return f"{program.name}-{key_of(program, _source(program))}"


def _from_disk(program: Program) -> NativeCode | None:
    return from_disk(_name(program), partial(_loaded, program))


def _loaded(program: Program, code: bytes) -> NativeCode:
    """The entry of a program in an object file. Raises RuntimeError if it cannot be used."""
    return NativeCode(Machine(code), program.arguments)


# ---------------------------------------------------------------- what it depends on


def key_of(program: Program, source: KernelSource) -> str:
    """A hash over everything that the machine code of a program depends on."""
    tables = [(program.game.name, program.game.table)] if program.game else []
    made = [f"{name} {table.__name__} {asdict(table())!r}" for name, table in (*tables, *program.makers)]
    types = map(type_text, program.arguments)
    read = source.text, *source.functions.values(), wide_product
    return bytecode_hash(*read, *made, *types, *_own_sources(), *around())


def around() -> tuple[str, ...]:
    """What all machine code depends on: the versions of Python and of packages, and the processor."""
    versions = (import_module(package).__version__ for package in PACKAGES)
    return sys.version, *versions, *processor()


@cache
def _own_sources() -> list[str]:
    folder = dirname(__file__)
    return [*sources(folder, *OWN_MODULES), *sources(join(folder, "direct"))]


# ---------------------------------------------------------------- calls


def address_of(memory: Any) -> int:
    """Where the bytes of an array lie that may be written: in a quarter of the time of `array.ctypes.data`."""
    return ctypes.addressof(NOTHING.from_buffer(memory))


NOTHING = ctypes.c_char * 0


class NativeCode:
    """The entry of a program. It takes the address of its arguments (`direct.building.module_text`)."""

    def __init__(self, machine: Machine, arguments: Iterable[Any]) -> None:
        """arguments: the types of those that it takes."""
        self._machine = machine
        self._types = [None if hint is int else array_type(hint) for hint in word_types(arguments)]

    def __call__(self, *arguments: Any) -> int:
        """Call it. Raises TypeError for arrays of another type, and for those that do not lie in one piece."""
        block = self._block(arguments)
        return self._machine.call(block.buffer_info()[0])  # type: ignore[no-any-return]

    def bound(self, *arguments: Any) -> Callable[[], int]:
        """A function that calls it with these arguments: where the arrays lie is found once. Raises TypeError."""
        block = self._block(arguments)
        call = partial(self._machine.call, block.buffer_info()[0])
        call.kept = self._machine, block, arguments  # type: ignore[attr-defined]
        return call

    def _block(self, arguments: tuple[Any, ...]) -> array[int]:
        """The words of arguments. Raises TypeError."""
        words: list[int] = []
        for argument, kind in zip(words_of(arguments), self._types, strict=True):
            if kind is None:
                words.append(index(argument))
            elif isinstance(argument, np.ndarray) and (argument.dtype, argument.ndim) == kind and argument.flags.carray:
                words.append(address_of(argument))
                words += argument.shape
            else:
                is_array = isinstance(argument, np.ndarray)
                found = f"an array of {argument.dtype}, {argument.ndim} axes" if is_array else f"{argument!r}, no array"
                raise TypeError(f"{found}; use {kind[0]}, {kind[1]} axes, in one piece")
        return array("q", words)
