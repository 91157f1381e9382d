"""Kernels in machine code: compiled by numba when first wanted, kept on disk, never stale.

A kernel lies in a folder named by a hash over all that it depends on: its source, with it the declaration, the source
of every rule function and of the table class, this package's executors, and the versions of Python, numba and numpy.
Beside it lies a list of checksums, so that a broken cache is noticed; a cache that cannot be used costs compile time,
nothing else.
"""

from __future__ import annotations

import builtins
import hashlib
import inspect
import json
import linecache
import os
import shutil
import sys
import tempfile
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from functools import cache
from importlib.util import find_spec
from pathlib import Path
from types import ModuleType
from typing import Any

from fsm.arcs import Declaration
from fsm.compiler import Plan, dealing_source, source_of
from rules.chance import wide_product
from rules.rule import COLLECTED, RuleFunction

CHECKSUMS = "checksums.json"
Say = Callable[[str], None]


class BulkMissing(RuntimeError):
    """numba or numpy is not installed; the message says what to install."""


def require_numba() -> None:
    """Raise BulkMissing unless numba and numpy can be imported."""
    missing = [name for name in ("numba", "numpy") if find_spec(name) is None]
    if missing:
        needed = " and ".join(missing)
        raise BulkMissing(f"the compiled engine needs {needed}, install it with: pip install 'maumau[bulk]'")


@cache
def kernel_of(plan: Plan, say: Say | None = None) -> Callable[..., None]:
    """The machine code of a plan's `play`. say: is told in a line when it has to be compiled, which takes seconds.

    Raises BulkMissing without numba.
    """
    require_numba()
    from fsm.bulk import no_games

    return _compiled(Program(plan.game, source_of(plan), "play", no_games(plan)), say)


@cache
def dealer_of(game: Declaration, say: Say | None = None) -> Callable[..., None]:
    """The machine code that fills rows of decks (decks, players, seed, first). Raises BulkMissing without numba."""
    require_numba()
    import numpy as np

    return _compiled(Program(game, dealing_source(game), "deal_all", (np.zeros((0, 0), np.uint8), 2, 0, 0)), say)


@dataclass(frozen=True)
class Program:
    """Source to compile: its game, its function for callers, and arguments of this function that do nothing."""

    game: Declaration
    source: str
    entry: str
    nothing: tuple[Any, ...]


def _compiled(program: Program, say: Say | None) -> Callable[..., None]:
    """The entry of a program in machine code: from the cache, if it is there whole."""
    folder = cache_folder() / f"{program.game.name}-{key_of(program)}"
    if _is_whole(folder):
        with suppress(Exception):  # whatever is wrong with a cache, compiling puts it right
            return _load(program, folder)
    if say:
        say(f"compiling {program.game.title} to machine code, once for this machine")
    if _prepare(folder, program.source):
        with suppress(OSError):
            kernel = _load(program, folder)
            _seal(folder)
            return kernel
    return _load(program, None)


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

    from fsm import tabletype

    texts = [program.source, sys.version, numba.__version__, llvmlite.__version__, np.__version__, _processor()]
    texts += sorted(f"{function.__module__}.{function.__qualname__}\n{_text_of(function)}" for function in COLLECTED)
    texts += [
        _text_of(program.game.table),
        repr(program.game.table()),
        _text_of(tabletype),
        _text_of(sys.modules[__name__]),
    ]
    return hashlib.sha256("\0".join(texts).encode()).hexdigest()[:24]


def _processor() -> str:
    import llvmlite.binding as llvm

    return f"{llvm.get_host_cpu_name()} {llvm.get_host_cpu_features().flatten()}"


def _text_of(thing: RuleFunction | type | ModuleType) -> str:
    """The source of a function, class or module and the values of the constants that a function reads."""
    text = inspect.getsource(thing)
    if inspect.isfunction(thing):
        names = thing.__code__.co_names
        values = {name: thing.__globals__[name] for name in names if name in thing.__globals__}
        constants = {name: value for name, value in values.items() if isinstance(value, int | tuple)}
        text += repr(sorted(constants.items()))
    return text


# ---------------------------------------------------------------- on disk


def _is_whole(folder: Path) -> bool:
    """Whether a folder holds a kernel with all its files as they were written."""
    try:
        checksums = json.loads((folder / CHECKSUMS).read_text())
        return bool(checksums) and all(_checksum(folder / name) == text for name, text in checksums.items())
    except (OSError, ValueError, AttributeError):
        return False


def _checksum(file: Path) -> str:
    return hashlib.sha256(file.read_bytes()).hexdigest()


def _prepare(folder: Path, source: str) -> bool:
    """Make an empty folder with the kernel's source; whether that was possible."""
    try:
        folder.parent.mkdir(parents=True, exist_ok=True)
        fresh = Path(tempfile.mkdtemp(dir=folder.parent, prefix=".making-"))
        (fresh / "kernel.py").write_text(source)
        shutil.rmtree(folder, ignore_errors=True)
        try:
            fresh.rename(folder)
        except OSError:  # another process was faster
            shutil.rmtree(fresh, ignore_errors=True)
            return False
    except OSError:
        return False
    return True


def _seal(folder: Path) -> None:
    """Write down the checksums of all files of a kernel."""
    files = [file for file in folder.rglob("*") if file.is_file() and file.name != CHECKSUMS]
    checksums = {str(file.relative_to(folder)): _checksum(file) for file in files}
    unfinished = folder / f"{CHECKSUMS}.{os.getpid()}"
    unfinished.write_text(json.dumps(checksums))
    unfinished.replace(folder / CHECKSUMS)


# ---------------------------------------------------------------- to machine code


def _load(program: Program, folder: Path | None) -> Callable[..., None]:
    """Compile a program, or read its machine code from `folder`, by calling it with nothing to do."""
    import numba

    name = str(folder / "kernel.py") if folder else f"<kernel of {program.game.name}>"
    linecache.cache[name] = (len(program.source), None, program.source.splitlines(keepends=True), name)
    names = _surroundings(program.game)
    before = set(names)
    exec(compile(program.source, name, "exec"), names)
    for part in set(names) - before - {program.entry}:
        if inspect.isfunction(names[part]) and names[part].__code__.co_filename == name:
            _inlined(names[part])
    entry: Callable[..., None] = numba.njit(
        nogil=True, error_model="numpy", no_cfunc_wrapper=True, no_rewrites=True, cache=folder is not None
    )(names[program.entry])
    entry(*program.nothing)
    return entry


def _surroundings(game: Declaration) -> dict[str, Any]:
    """The names that a kernel's source takes for granted, with all rule functions made known to numba."""
    import numpy as np

    from fsm import tabletype

    for function in COLLECTED:
        _inlined(function)
    tabletype.give_instruction(wide_product)
    return {
        "__name__": f"kernel_of_{game.name}",
        "__builtins__": builtins,
        "np": np,
        "make": tabletype.maker(tabletype.table_type(game.table)),
        "new_deck": tabletype.row_maker(game.deck_size),
        "row_at": tabletype.bytes_at(game.deck_size),
        "reset": tabletype.reset,
        "copy": tabletype.copy,
        "save": tabletype.save,
        "load": tabletype.load,
    }


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
