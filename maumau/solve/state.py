"""What an interrupted solution has found so far, in a file from which the same command goes on, and how files of arrays
are written: in NumPy's format npz, beside a text that says what they are of."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from io import BytesIO
from pathlib import Path
from typing import Any, Protocol

from fsm.edge.atomic import replace_file
from fsm.edge.numbers import Array, np
from rules.errors import Unwritten, interrupted_by
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


class SolutionFile:
    """The file of an interrupted solution, if there is to be one. identity: what is solved, in JSON."""

    def __init__(self, file: Path | None = None, identity: object = None) -> None:
        """Read the file, if there is one. Raises ValueError for one of another solution, or that is none."""
        self._file, self._identity = file, json.dumps([FORMAT, identity], sort_keys=True)
        self._arrays: dict[str, Array] = {}
        self._kept: dict[str, Saved] = {}
        if file is not None and file.exists():
            self._arrays = self._read(file)

    def _read(self, file: Path) -> dict[str, Array]:
        name = shown(str(file), 200)
        try:
            identity, arrays = unpacked(file)
        except OSError as error:
            raise ValueError(f"{name}: {reason(error)}; use the state of a solution") from None
        except ValueError as error:
            raise ValueError(f"{name}: {error}; use the state of a solution that was interrupted") from None
        if identity != self._identity:
            raise ValueError(f"{name}: it belongs to another solution; use the state of this one")
        return arrays

    def keep(self, name: str, what: Saved) -> None:
        """Go on with what was kept under a name, if anything was, and keep it from now on."""
        kept = {full.partition(".")[2]: array for full, array in self._arrays.items() if full.startswith(f"{name}.")}
        if kept:
            what.restore(kept)
        self._kept[name] = what

    @contextmanager
    def keeping(self) -> Iterator[None]:
        """If Ctrl-C interrupts what is done here, write down all that is kept. Raises Unwritten if it cannot be."""
        try:
            yield
        except BaseException as error:
            if self._file is not None and interrupted_by(error):
                named = self._kept.items()
                self._write({f"{name}.{key}": array for name, what in named for key, array in what.saved().items()})
            raise

    def done(self) -> None:
        """The solution is found: its state is not needed any more."""
        if self._file is not None:
            self._file.unlink(missing_ok=True)

    def _write(self, arrays: Arrays) -> None:
        assert self._file is not None
        try:
            replace_file(self._file.resolve(), packed(self._identity, arrays))
        except OSError as error:
            raise Unwritten(
                f"{shown(str(self._file), 200)}: {reason(error)}; name a file that can be written"
            ) from None


# ---------------------------------------------------------------- files of arrays


def packed(identity: str, arrays: Mapping[str, Array], *, compressed: bool = False) -> bytes:
    """The content of a file. identity: the text. compressed: whether it is to be small."""
    content, named = BytesIO(), dict[str, Any](arrays)
    save = np.savez_compressed if compressed else np.savez
    save(content, identity=np.array(identity), **named)
    return content.getvalue()


def unpacked(source: Path | BytesIO) -> tuple[str, dict[str, Array]]:
    """The text and the arrays of a file. Raises OSError, or ValueError for one that is damaged or of another kind."""
    try:
        with np.load(source, allow_pickle=False) as content:
            arrays = dict(content)
        return str(arrays.pop("identity")), arrays
    except OSError:
        raise
    except Exception:  # zipfile, zlib and NumPy raise as many kinds of errors as there are kinds of damage
        raise ValueError("it is damaged, or of another kind") from None
