"""Programs in machine code: compiled by numba on first use and cached on disk.

The cache key is a hash over everything that a program depends on: its source, which includes the declaration, the
fingerprints of its rule functions, the fields of the table class, the executors of this package, and the versions of
Python, numba and numpy. See `fsm.compiler.cache` for the rules by which cached kernels are trusted.
"""

from __future__ import annotations

import gc
import hashlib
import inspect
import linecache
import pickle
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from threading import RLock
from types import ModuleType
from typing import TYPE_CHECKING, Any

from fsm.compiler.background import in_background
from fsm.compiler.cache import keep, load
from fsm.compiler.decks import words_ahead
from fsm.compiler.fingerprint import fingerprint, reached
from fsm.compiler.naming import Source
from fsm.declaration import Declaration
from fsm.extras import missing_packages
from fsm.table_fields import default_values
from rules.chance import wide_product
from rules.rule import RuleFunction

if TYPE_CHECKING:
    from fsm.compiler.results import Array

Notify = Callable[[str], None]


class BulkMissing(RuntimeError):
    """numba or numpy is not installed; the message names what to install."""


def require_numba() -> None:
    """Raise BulkMissing unless numba and numpy can be imported."""
    if message := missing_packages("the compiled engine", "bulk", "numba", "numpy"):
        raise BulkMissing(message)


@dataclass(frozen=True)
class Program:
    """Source to compile, and how its machine code is called.

    entry: the name of the function to call. write, subject: the source is `write(subject)`. warm_up: makes arguments
    for a call that compiles the entry and does no work. game: the game whose tables and decks it works on, if any.
    makers: the names of functions that make tables of other classes, with these classes. large: whether it takes
    seconds to compile, so that users are notified.
    """

    entry: str
    write: Callable[[Any], Source]
    subject: Any
    warm_up: Callable[[Any], tuple[Any, ...]]
    game: Declaration | None = None
    makers: tuple[tuple[str, type], ...] = ()
    large: bool = False

    @property
    def name(self) -> str:
        """The name of the game, for people."""
        return self.game.name if self.game else "results"


_ready: dict[Program, Callable[..., Any]] = {}
_compiling = RLock()


def machine_code(program: Program, notify: Notify | None = None) -> Callable[..., Any]:
    """The entry of a program in machine code: of this process, from disk, or compiled.

    notify: called with one line when a large program has to be compiled. Raises BulkMissing without numba.
    """
    require_numba()

    def make() -> None:
        with _compiling:
            if program not in _ready:
                _ready[program] = _made(program, notify)

    if program not in _ready:
        in_background(make)
    return _ready[program]


def _made(program: Program, notify: Notify | None) -> Callable[..., Any]:
    """The entry of a program: from the cache, if it is valid there, else compiled."""
    source = program.write(program.subject)
    key = key_of(program, source)
    name = f"{program.name}-{key}"
    if code := load(name):
        with suppress(Exception):  # another build of a library with the same version: compile again
            return _entry(program, source, key, _Store(code))
    if notify and program.large and program.game:
        notify(f"compiling {program.game.title} to machine code, once for this machine")
    for function in reached(source.functions.values()):
        _inlined(function)
    store = _Store()
    entry = _entry(program, source, key, store)
    if store.code:
        keep(name, source.text, store.code)
    return entry


def numbers(shape: int | tuple[int, int]) -> Array:
    """Zeros: 64-bit integers."""
    import numpy as np

    return np.zeros(shape, np.int64)


def no_log(game: Declaration) -> tuple[Array, Array, Array]:
    """Empty arrays for the log, its ends and the tables."""
    import numpy as np

    from fsm.compiler.table_type import table_dtype

    return np.zeros((0, 5), np.int16), np.zeros(0, np.int64), np.zeros(0, table_dtype(game.table))


def no_decks() -> Array:
    """An empty array of decks, for a kernel that deals them itself."""
    import numpy as np

    return np.zeros((0, 0), np.uint8)


# ---------------------------------------------------------------- what it depends on


def key_of(program: Program, source: Source) -> str:
    """A hash over everything that the machine code of a program depends on."""
    import llvmlite
    import numba
    import numpy as np

    from fsm.compiler import table_type
    from fsm.compiler.results import result_type

    texts = [source.text, sys.version, numba.__version__, llvmlite.__version__, np.__version__, _processor()]
    texts += [fingerprint(*source.functions.values(), wide_product), repr(result_type())]
    if program.game:
        texts += [program.game.table.__name__, repr(default_values(program.game.table)), str(words_ahead(program.game))]
    texts += [f"{name} {table.__name__} {default_values(table)!r}" for name, table in program.makers]
    texts += [Path(str(module.__file__)).read_text() for module in (table_type, sys.modules[__name__])]
    return hashlib.sha256("\0".join(texts).encode()).hexdigest()[:24]


def _processor() -> str:
    import llvmlite.binding as llvm

    return f"{llvm.get_host_cpu_name()} {llvm.get_host_cpu_features().flatten()}"


# ---------------------------------------------------------------- to machine code


class _Store:
    """The cache that numba reads before it compiles and writes afterwards: one signature, in memory.

    It replaces numba's own cache on disk, which loads pickles of any owner from the folder NUMBA_CACHE_DIR.
    """

    def __init__(self, code: bytes | None = None) -> None:
        self.code = code

    def load_overload(self, signature: Any, context: Any) -> Any:
        """The compiled function in `code`, if that is for this signature."""
        if self.code is None:
            return None
        from numba.core.compiler import CompileResult

        context.refresh()
        stored, parts = pickle.loads(self.code)
        return CompileResult._rebuild(context, *parts) if stored == signature else None

    def save_overload(self, signature: Any, compiled: Any) -> None:
        """Put a compiled function into `code`, if nothing is there."""
        from numba.core.serialize import dumps

        self.code = self.code or dumps((signature, compiled._reduce()))


def _entry(program: Program, source: Source, key: str, store: _Store) -> Callable[..., Any]:
    """Compile a program, or take its machine code from `store`, by a call with its warm-up arguments.

    Raises whatever numba does if the machine code cannot be used.
    """
    import numba

    name = f"<{program.name}-{key}>"
    linecache.cache[name] = (len(source.text), None, source.text.splitlines(keepends=True), name)
    names = vars(_module(program, source, key))
    exec(compile(source.text, name, "exec"), names)
    if store.code is None:
        for value in list(names.values()):
            if inspect.isfunction(value) and value.__code__.co_filename == name and value is not names[program.entry]:
                _inlined(value)
    entry: Any = numba.njit(nogil=True, error_model="numpy", no_cfunc_wrapper=True, no_rewrites=True)(
        names[program.entry]
    )
    entry._cache = store
    with _no_garbage_collection():
        entry(*program.warm_up(program.subject))
    return entry  # type: ignore[no-any-return]


@contextmanager
def _no_garbage_collection() -> Iterator[None]:
    """Disable garbage collection, which takes a tenth of the compile time and frees almost nothing."""
    collecting = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if collecting:
            gc.enable()


def _module(program: Program, source: Source, key: str) -> ModuleType:
    """A module with the names that the source of a program uses.

    numba finds the module again by its name when it loads machine code.
    """
    import numpy as np

    from fsm.compiler import table_type as tabletype

    tabletype.give_instruction(wide_product)
    module = ModuleType(f"kernel_{key}")
    if game := program.game:
        vars(module).update(
            np=np,
            make=tabletype.maker(tabletype.table_type(game.table)),
            new_deck=tabletype.row_maker(8, game.deck_size),
            new_words=tabletype.row_maker(64, words_ahead(game)),
            row_at=tabletype.row_at(8, game.deck_size),
            integers_at=tabletype.row_at(64, game.deck_size),
            reset=tabletype.reset,
            copy=tabletype.copy,
            save=tabletype.save,
            load=tabletype.load,
        )
    for name, table in program.makers:
        setattr(module, name, tabletype.maker(tabletype.table_type(table)))
    vars(module).update(source.functions)
    sys.modules[module.__name__] = module
    return module


@cache
def _inlined(function: RuleFunction) -> None:
    """Let compiled code call a plain function: its body is put in the place of the call."""
    from numba.extending import register_jitable

    register_jitable(
        forceinline=True,
        error_model="numpy",
        no_cpython_wrapper=True,
        no_cfunc_wrapper=True,
        no_rewrites=True,
        _nrt=False,
    )(function)
