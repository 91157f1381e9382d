"""Kernels in machine code: compiled by numba when first wanted, kept on disk, never stale.

A kernel lies in a folder named by a hash over all that it depends on: its source, with it the declaration, the source
of every rule function and of the table class, this package's executors, and the versions of Python, numba and numpy.
Beside it lies a list of checksums, so that a broken cache is noticed; a cache that cannot be used costs compile time,
nothing else.
"""

from __future__ import annotations

import gc
import hashlib
import inspect
import json
import linecache
import os
import shutil
import sys
import tempfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from threading import RLock
from types import ModuleType
from typing import TYPE_CHECKING, Any

from fsm.compiler import Plan, checking_source, dealing_source, explorer_source, functions, source_of, words_ahead
from fsm.compiler.results import blank_rows
from fsm.declaration import Declaration
from fsm.extras import missing_packages
from rules.chance import wide_product
from rules.rule import RuleFunction, role_of

if TYPE_CHECKING:
    from fsm.compiler.results import Array

CHECKSUMS = "checksums.json"
Say = Callable[[str], None]


class BulkMissing(RuntimeError):
    """numba or numpy is not installed; the message says what to install."""


def require_numba() -> None:
    """Raise BulkMissing unless numba and numpy can be imported."""
    if message := missing_packages("the compiled engine", "bulk", "numba", "numpy"):
        raise BulkMissing(message)


_ready: dict[object, Callable[..., Any]] = {}
_compiling = RLock()


def kernel_of(plan: Plan, say: Say | None = None) -> Callable[..., None]:
    """The machine code of a plan's `play`. say: is told in a line when it has to be compiled, which takes seconds.

    Raises BulkMissing without numba.
    """
    require_numba()
    with _compiling:
        if plan not in _ready:
            _ready[plan] = _compiled(Program(plan.game, source_of(plan), "play", no_games(plan)), say)
        return _ready[plan]


def dealer_of(game: Declaration) -> Callable[..., None]:
    """The machine code that fills rows of decks (decks, players, seed, first). Raises BulkMissing without numba."""
    return helper_of(game, "deal_all", dealing_source(game), lambda: (no_decks(), 2, 0, 0))


def checker_of(game: Declaration) -> Callable[..., int]:
    """The machine code that finds the first row which is not the whole deck, or -1 (decks, weights, whole).

    weights: a number for each card code. whole: the sum of the weights of the whole deck. Raises BulkMissing.
    """
    return helper_of(game, "first_wrong", checking_source(game), lambda: (no_decks(), numbers(256), 0))


def explorer_of(game: Declaration, say: Say | None = None) -> Callable[..., None]:
    """The machine code that visits all positions (see `fsm.compiler.explorer`). Raises BulkMissing without numba.

    say: is told in a line when it has to be compiled, which takes seconds.
    """
    require_numba()
    rows, column = numbers((0, 4)), numbers(8)
    nothing = (rows, 0, 0, rows, column, column, column, rows, column, column, rows)
    return helper_of(game, "explore", explorer_source(game), lambda: nothing, say)


def helper_of(
    game: Declaration, entry: str, source: str, nothing: Callable[[], tuple[Any, ...]], say: Say | None = None
) -> Callable[..., Any]:
    """Machine code beside a game's kernel; mostly small, so that nobody needs to be told when it is compiled."""
    require_numba()
    with _compiling:
        if (game, entry) not in _ready:
            _ready[game, entry] = _compiled(Program(game, source, entry, nothing()), say)
        return _ready[game, entry]


def numbers(shape: int | tuple[int, int]) -> Array:
    """Zeros: 64-bit integers."""
    import numpy as np

    return np.zeros(shape, np.int64)


def no_games(plan: Plan) -> tuple[Any, ...]:
    """Arguments of a kernel for no game at all: calling it with them compiles it."""
    import numpy as np

    arcs, rules = np.zeros(len(plan.game.arcs), np.int64), np.zeros(len(plan.rules), np.int64)
    return no_decks(), 0, 0, 2, np.zeros(2, np.int64), *blank_rows(0, 2), arcs, rules, *no_log(plan.game)


def no_log(game: Declaration) -> tuple[Array, Array, Array]:
    """In place of the log, its ends and the tables, where none are kept."""
    import numpy as np

    from fsm.compiler.table_type import table_dtype

    return np.zeros((0, 5), np.int16), np.zeros(0, np.int64), np.zeros(0, table_dtype(game.table))


def no_decks() -> Array:
    """In place of decks, where they are dealt by the kernel."""
    import numpy as np

    return np.zeros((0, 0), np.uint8)


@dataclass(frozen=True)
class Program:
    """Source to compile: its game, its function for callers, and arguments of this function that do nothing."""

    game: Declaration
    source: str
    entry: str
    nothing: tuple[Any, ...]


def _compiled(program: Program, say: Say | None) -> Callable[..., Any]:
    """The entry of a program in machine code: from the cache, if it is there whole."""
    key = key_of(program)
    folder = cache_folder() / f"{program.game.name}-{key}"
    if _is_whole(folder):
        with suppress(Exception):  # whatever is wrong with a cache, compiling puts it right
            return _load(program, key, folder, compiling=False)
    if say:
        say(f"compiling {program.game.title} to machine code, once for this machine")
    with suppress(
        Exception
    ):  # a folder that cannot be written, or is lost meanwhile; compiling tells what else is wrong
        fresh = _new_folder(folder, program.source)
        try:
            entry = _load(program, key, fresh, compiling=True)
            _seal(fresh)
            _publish(fresh, folder)
            return entry
        finally:
            shutil.rmtree(fresh, ignore_errors=True)
    return _load(program, key, None, compiling=True)


def cache_folder() -> Path:
    """The folder of kernels: below MAUMAU_CACHE if that is set, else in the user's cache folder."""
    if chosen := os.environ.get("MAUMAU_CACHE"):
        return Path(chosen)
    if sys.platform == "win32":
        base = Path(os.environ.get("LOCALAPPDATA", Path.home() / "AppData" / "Local"))
    elif sys.platform == "darwin":
        base = Path.home() / "Library" / "Caches"
    else:
        base = Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache")
    return base / "maumau"


def key_of(program: Program) -> str:
    """A hash over everything that the machine code of a program depends on."""
    import llvmlite
    import numba
    import numpy as np

    from fsm.compiler import table_type as tabletype
    from fsm.compiler.results import result_type

    texts = [program.source, sys.version, numba.__version__, llvmlite.__version__, np.__version__, _processor()]
    texts += sorted(_essence(function) for function in called_by(program.game))
    texts += [repr(program.game.table()), repr(result_type())]
    texts += [Path(str(module.__file__)).read_text() for module in (tabletype, sys.modules[__name__])]
    return hashlib.sha256("\0".join(texts).encode()).hexdigest()[:24]


def called_by(game: Declaration) -> tuple[RuleFunction, ...]:
    """The rule functions of a game, and all rule functions that they call."""
    found = list(functions(game).values())
    for function in found:
        names = function.__code__.co_names
        called = [function.__globals__.get(name) for name in names]
        found += [other for other in called if other is not None and role_of(other) and other not in found]
    return tuple(found)


def _processor() -> str:
    import llvmlite.binding as llvm

    return f"{llvm.get_host_cpu_name()} {llvm.get_host_cpu_features().flatten()}"


def _essence(function: RuleFunction) -> str:
    """What a function does: its bytecode, its constants, and the constants of its module that it reads."""
    code = function.__code__
    read = {name: function.__globals__.get(name) for name in code.co_names}
    constants = sorted((name, value) for name, value in read.items() if isinstance(value, int | tuple))
    parts = (function.__module__, function.__qualname__, code.co_code, code.co_consts, code.co_names, code.co_varnames)
    return repr((parts, constants))


# ---------------------------------------------------------------- on disk


def _is_whole(folder: Path) -> bool:
    """Whether a folder holds a kernel with all its files as they were written."""
    try:
        checksums = json.loads((folder / CHECKSUMS).read_text())
        return bool(checksums) and all(_checksum(folder / name) == text for name, text in checksums.items())
    except (OSError, ValueError, AttributeError, RecursionError):
        return False


def _checksum(file: Path) -> str:
    return hashlib.sha256(file.read_bytes()).hexdigest()


def _new_folder(folder: Path, source: str) -> Path:
    """A folder of this process alone, beside `folder`, with the kernel's source."""
    folder.parent.mkdir(parents=True, exist_ok=True)
    fresh = Path(tempfile.mkdtemp(dir=folder.parent, prefix=".making-"))
    (fresh / "kernel.py").write_text(source)
    return fresh


def _publish(fresh: Path, folder: Path) -> None:
    """Put a finished folder in its place; one that another process put there whole stays."""
    with suppress(OSError):
        if folder.exists() and not _is_whole(folder):
            folder.rename(fresh / "broken")
        fresh.rename(folder)
        shutil.rmtree(folder / "broken", ignore_errors=True)


def _seal(folder: Path) -> None:
    """Write down the checksums of all files of a kernel."""
    files = [file for file in folder.rglob("*") if file.is_file()]
    (folder / CHECKSUMS).write_text(json.dumps({str(file.relative_to(folder)): _checksum(file) for file in files}))


# ---------------------------------------------------------------- to machine code


def _load(program: Program, key: str, folder: Path | None, compiling: bool) -> Callable[..., Any]:
    """Compile a program, or read its machine code from `folder`, by calling it with nothing to do.

    Raises whatever numba does if the machine code is not there and compiling is off.
    """
    import numba

    name = str(folder / "kernel.py") if folder else f"<kernel of {program.game.name}>"
    linecache.cache[name] = (len(program.source), None, program.source.splitlines(keepends=True), name)
    names = vars(_module(program, key))
    exec(compile(program.source, name, "exec"), names)
    if compiling:
        own = [value for value in names.values() if inspect.isfunction(value) and value.__code__.co_filename == name]
        for function in (*called_by(program.game), *own):
            if function is not names[program.entry]:
                _inlined(function)
    entry: Callable[..., Any] = numba.njit(
        nogil=True, error_model="numpy", no_cfunc_wrapper=True, no_rewrites=True, cache=folder is not None
    )(names[program.entry])
    with _garbage_kept():
        entry(*program.nothing)
    return entry


@contextmanager
def _garbage_kept() -> Iterator[None]:
    """Python's collector rests: it takes a tenth of the time that numba needs to compile, and finds nothing."""
    collecting = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if collecting:
            gc.enable()


def _module(program: Program, key: str) -> ModuleType:
    """A module with the names that a program takes for granted; all rule functions are made known to numba.

    numba finds the module again by its name when it loads machine code from its cache.
    """
    import numpy as np

    from fsm.compiler import table_type as tabletype

    tabletype.give_instruction(wide_product)
    game = program.game
    module = ModuleType(f"kernel_{key}")
    vars(module).update(
        np=np,
        make=tabletype.maker(tabletype.table_type(game.table)),
        new_deck=tabletype.row_maker(8, game.deck_size),
        new_words=tabletype.row_maker(64, words_ahead(game)),
        row_at=tabletype.bytes_at(game.deck_size),
        reset=tabletype.reset,
        copy=tabletype.copy,
        save=tabletype.save,
        load=tabletype.load,
    )
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
