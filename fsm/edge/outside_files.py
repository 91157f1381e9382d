"""Loads Python files that are named by a user: each once, under one name, with the files of its folder that it imports.

A house rule in a file of its own can so import the file of its game, and is about the game that was loaded. A file is
found in the folder of the one that imports it, after the modules of Python, of this package and of others: it never
stands in for one of theirs. All texts are read before the first is executed.
"""

from __future__ import annotations

import ast
import builtins
import linecache
import os
import sys
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import lru_cache
from hashlib import sha256
from importlib.util import find_spec
from types import CodeType, ModuleType
from typing import Any

from fsm.edge.atomic import read_regular

MAX_BYTES = 1 << 22
"""The length of a file, at most."""

_filenames: dict[str, bytes | None] = {}
"""The names under which texts were compiled, and the texts; None for one that could not be executed."""


@dataclass(frozen=True)
class File:
    """The text of a file, and the texts of files in its folder.

    path: its path. beside: the files that it imports, directly or not, by the name under which they are imported.
    """

    path: str
    text: bytes
    beside: tuple[tuple[str, bytes], ...] = ()

    @property
    def digest(self) -> str:
        """The SHA-256 of the text, or if it imports files beside it of all texts."""
        parts = [self.text] + [part for name, text in self.beside for part in (name.encode(), text)]
        if len(parts) > 1:
            parts = [sha256(part).digest() for part in parts]
        return sha256(b"".join(parts)).hexdigest()

    @property
    def module(self) -> str:
        """The name of its module, made of the content, never of the path."""
        return f"game_from_outside_{self.digest[:24]}"

    def imported(self) -> dict[str, File]:
        """The files beside it that it imports."""
        texts = dict(self.beside)
        files = {}
        for name in sorted(_imports(self.text) & texts.keys()):
            path = os.path.join(_folder(self.path), f"{name}.py")
            files[name] = File(path, texts[name], _reached(texts[name], texts.get))
        return files


def read(path: str) -> File:
    """The file at `path`, with those that it imports. Raises OSError and ValueError, as `read_regular` does."""
    folder, text = _folder(path), read_regular(path, MAX_BYTES)

    def text_beside(name: str) -> bytes | None:
        beside = os.path.join(folder, f"{name}.py")
        return read_regular(beside, MAX_BYTES) if os.path.isfile(beside) and _is_found_at(name, beside) else None

    return File(path, text, _reached(text, text_beside))


def load(file: File) -> ModuleType:
    """The module of a file, executed on the first call. Raises whatever the file raises while it is executed."""
    name = file.module
    if name in sys.modules:
        return sys.modules[name]
    module = ModuleType(name)
    module.__file__ = file.path
    if files := file.imported():
        vars(module)["__builtins__"] = {**vars(builtins), "__import__": _importing(files)}
    filename = _filename(file)
    sys.modules[name] = module
    try:
        exec(_compiled(file.text, filename), vars(module))
    except BaseException:
        _filenames[filename] = None
        del sys.modules[name]
        raise
    _share(module, file)
    return module


def _compiled(text: bytes, filename: str) -> CodeType:
    """The code of a file. Raises SyntaxError, in words for a file that is not UTF-8 text, and ValueError."""
    try:
        return compile(text, filename, "exec", dont_inherit=True)
    except SyntaxError as error:
        if "utf-8" not in str(error.msg).lower():
            raise
        try:
            text.decode()
        except UnicodeDecodeError as fault:
            line = text.count(b"\n", 0, fault.start) + 1
            what = "the line is not UTF-8 text; save the file as UTF-8"
            raise SyntaxError(what, (filename, line, None, None)) from None
        raise


def filenames() -> tuple[str, ...]:
    """The names that loaded files have in tracebacks."""
    return tuple(_filenames)


def _share(module: ModuleType, file: File) -> None:
    """Let others that can import the file in the usual way get this module."""
    name = os.path.basename(file.path).removesuffix(".py")
    if _is_found_at(name, file.path) and (spec := find_spec(name)):
        module.__spec__ = spec
        sys.modules.setdefault(name, module)


def _filename(file: File) -> str:
    """The name that a text has in tracebacks, under which its lines are found: its path.

    If the file was loaded before and has changed since, a hash follows: the lines of the first text are still needed.
    """
    name = file.path
    if _filenames.get(name) not in (None, file.text):
        name = f"{file.path}@{sha256(file.text).hexdigest()[:8]}"
    _filenames[name] = file.text
    lines = file.text.decode("utf-8-sig", errors="replace").splitlines(keepends=True)
    linecache.cache[name] = (len(file.text), None, lines, name)
    return name


def _importing(files: Mapping[str, File]) -> Callable[..., Any]:
    """What import statements call in a module that imports `files`."""

    def import_module(name: str, globals: Any = None, locals: Any = None, fromlist: Any = (), level: int = 0) -> Any:
        if level or name not in files:
            return __import__(name, globals, locals, fromlist, level)
        file, known = files[name], sys.modules.get(name)
        if known and file.module not in sys.modules and _is_same(known.__file__, file.path):
            return known  # it was imported in the usual way before
        return load(file)

    return import_module


def _folder(path: str) -> str:
    """The folder whose files a file can import: of a link, the one that it leads to."""
    return os.path.dirname(os.path.realpath(path) if os.path.islink(path) else path)


def _is_same(path: str | None, other: str) -> bool:
    return path is not None and os.path.realpath(path) == os.path.realpath(other)


def _is_found_at(name: str, path: str) -> bool:
    """Whether a module of this name is found at `path`, or nowhere else."""
    try:
        spec = find_spec(name)
    except (ImportError, ValueError):  # a module without a specification, such as __main__
        return False
    return spec is None or _is_same(spec.origin, path)


def _reached(text: bytes, text_of: Callable[[str], bytes | None]) -> tuple[tuple[str, bytes], ...]:
    """The names and texts of what a text imports, directly or not, as far as `text_of` finds them, sorted by name."""
    found: dict[str, bytes] = {}
    waiting = [text]
    while waiting:
        for name in _imports(waiting.pop()) - found.keys():
            if (beside := text_of(name)) is not None:
                found[name] = beside
                waiting.append(beside)
    return tuple(sorted(found.items()))


@lru_cache(maxsize=100)
def _imports(text: bytes) -> frozenset[str]:
    """The modules, not those within packages, that import statements of a text name."""
    try:
        tree = ast.parse(text)
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return frozenset()  # it is reported when the text is executed
    names = set()
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            names |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom) and not node.level:
            names.add(str(node.module))
    return frozenset(name for name in names if "." not in name)
