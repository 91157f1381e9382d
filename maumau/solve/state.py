"""What an interrupted solution has found so far, in a file from which the same command goes on."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from io import BytesIO
from pathlib import Path
from typing import Any, Protocol
from zipfile import BadZipFile

import numpy as np

from fsm.edge.atomic import replace_file
from fsm.edge.numbers import Array
from rules.notation import reason, shown

Arrays = Mapping[str, Array]
FORMAT = 2
"""Counts the ways in which arrays were kept."""


class Saved(Protocol):
    """What is kept in arrays."""

    def saved(self) -> Arrays:
        """The arrays that are kept."""

    def restore(self, arrays: Arrays) -> None:
        """Go on from these arrays."""


class State:
    """The file of an interrupted solution, if there is to be one. identity: what is solved, in JSON."""

    def __init__(self, file: Path | None = None, identity: object = None) -> None:
        """Read the file, if there is one. Raises ValueError for one of another solution, or that is none."""
        self._file, self._identity = file, json.dumps([FORMAT, identity], sort_keys=True)
        self._arrays: dict[str, Array] = {}
        self._kept: dict[str, Saved] = {}
        if file is not None and file.exists():
            self._arrays = self._read(file)

    def _read(self, file: Path) -> dict[str, Array]:
        try:
            with np.load(file, allow_pickle=False) as content:
                arrays = dict(content)
            identity = str(arrays.pop("identity"))
        except OSError as error:
            raise ValueError(f"{shown(str(file))}: {reason(error)}, expected the state of a solution") from None
        except (ValueError, KeyError, BadZipFile, EOFError):
            raise ValueError(f"{shown(str(file))}: expected the state of a solution that was interrupted") from None
        if identity != self._identity:
            raise ValueError(f"{shown(str(file))}: the state of another solution, expected that of this command")
        return arrays

    def keep(self, name: str, what: Saved) -> None:
        """Go on with what was kept under a name, if anything was, and keep it from now on."""
        kept = {full.partition(".")[2]: array for full, array in self._arrays.items() if full.startswith(f"{name}.")}
        if kept:
            what.restore(kept)
        self._kept[name] = what

    @contextmanager
    def keeping(self) -> Iterator[None]:
        """If Ctrl-C interrupts what is done here, write down all that is kept."""
        try:
            yield
        except KeyboardInterrupt:
            if self._file is not None:
                named = self._kept.items()
                self._write({f"{name}.{key}": array for name, what in named for key, array in what.saved().items()})
            raise

    def done(self) -> None:
        """The solution is found: its state is not needed any more."""
        if self._file is not None:
            self._file.unlink(missing_ok=True)

    def _write(self, arrays: Arrays) -> None:
        assert self._file is not None
        content = BytesIO()
        named: dict[str, Any] = dict(arrays)
        np.savez(content, allow_pickle=False, identity=np.array(self._identity), **named)
        replace_file(self._file.resolve(), content.getvalue())
