"""Columns of numbers that are written a chunk of rows at a time: files of NPZ and Parquet, and folders of Minari."""

from __future__ import annotations

import json
import os
from abc import ABC, abstractmethod
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from errno import EEXIST
from importlib import metadata
from pathlib import Path
from shutil import copyfileobj
from tempfile import TemporaryDirectory
from typing import Any, BinaryIO, NamedTuple
from zipfile import ZIP_DEFLATED, ZipFile

from fsm.edge.atomic import replacing
from fsm.edge.extras import Later, require
from fsm.edge.numbers import Array, np

pa: Any = Later("pyarrow")
pq: Any = Later("pyarrow.parquet")
CHUNK = 1 << 14
"""Rows that are kept in memory until they are written."""
BLOCK = 1 << 20
"""Bytes that are copied at a time."""
DESCRIPTION = "description"
"""The key of the metadata of a Parquet file that has the description."""
Row = dict[str, Any]
"""A number, or bytes, for each column."""


class ColumnType(NamedTuple):
    """The type of the numbers of a column, by its name in NumPy, and how many a row has; 0: one, not in a list."""

    type: str
    width: int


class ColumnWriter(ABC):
    """A file of columns that is being written: the base of those of each format."""

    replacing = staticmethod(replacing)
    """The context in which a file is written before it is put in its place."""
    replaces = True
    """Whether a file of this name is replaced."""

    def __init__(self, path: Path, columns: Mapping[str, ColumnType]) -> None:
        """Begin a file. Raises OSError, and MissingExtra."""
        self._path, self._columns = path, columns
        self._kept: list[Any] = []
        self.rows = 0
        self._open()

    def __enter__(self) -> ColumnWriter:
        return self

    def __exit__(self, kind: type[BaseException] | None, *_: object) -> None:
        self._close()

    def add(self, rows: Iterable[Row]) -> None:
        """Add rows. Raises OSError."""
        self._kept += rows
        if len(self._kept) >= CHUNK:
            self._flush()

    def describe(self, content: Mapping[str, Any]) -> None:
        """Write the rows that are left, and a description. Raises OSError."""
        self._flush()
        self._describe(json.dumps(content, ensure_ascii=False))

    def _flush(self) -> None:
        arrays = {name: _array([row[name] for row in self._kept], kind) for name, kind in self._columns.items()}
        self.rows += len(self._kept)
        self._kept.clear()
        self._write(arrays)

    @abstractmethod
    def _open(self) -> None:
        """Begin the file."""

    def _write(self, arrays: Mapping[str, Array]) -> None:
        raise NotImplementedError

    @abstractmethod
    def _describe(self, text: str) -> None:
        """Write a description after all rows."""

    @abstractmethod
    def _close(self) -> None:
        """Close what is open."""


class NpzWriter(ColumnWriter):
    """A compressed archive of NumPy with an array for each column, as `numpy.load` reads it.

    The header of an array has its length, so columns are kept in a folder beside the file until all are known.
    """

    def _open(self) -> None:
        self._folder = partial_folder(self._path.parent)
        self._files: dict[str, BinaryIO] = {}
        for name in self._columns:
            self._files[name] = open(Path(self._folder.name, name), "w+b")  # noqa: SIM115

    def _write(self, arrays: Mapping[str, Array]) -> None:
        for name, array in arrays.items():
            self._files[name].write(array.tobytes())

    def _describe(self, text: str) -> None:
        with ZipFile(self._path, "w", ZIP_DEFLATED, compresslevel=1) as archive:
            for name, column in self._columns.items():
                shape = (self.rows, column.width) if column.width else (self.rows,)
                kind = np.dtype(column.type).newbyteorder("<")
                header = {"descr": np.lib.format.dtype_to_descr(kind), "fortran_order": False, "shape": shape}
                self._files[name].seek(0)
                with archive.open(f"{name}.npy", "w", force_zip64=True) as member:
                    np.lib.format.write_array_header_2_0(member, header)
                    copyfileobj(self._files[name], member, BLOCK)

    def _close(self) -> None:
        for file in self._files.values():
            file.close()
        self._folder.cleanup()


class ParquetWriter(ColumnWriter):
    """A Parquet file with a column for each column; lists have a fixed size. The metadata has the description."""

    def _open(self) -> None:
        require("Parquet", "pyarrow")
        kinds = {name: pa.from_numpy_dtype(np.dtype(column.type)) for name, column in self._columns.items()}
        self._schema = pa.schema(
            [
                (name, pa.list_(kind, self._columns[name].width or 1) if self._columns[name].width else kind)
                for name, kind in kinds.items()
            ]
        )
        self._file = pq.ParquetWriter(str(self._path), self._schema)

    def _write(self, arrays: Mapping[str, Array]) -> None:
        columns = [
            pa.FixedSizeListArray.from_arrays(pa.array(array.ravel()), array.shape[1])
            if array.ndim > 1
            else pa.array(array)
            for array in arrays.values()
        ]
        self._file.write_table(pa.table(columns, schema=self._schema))

    def _describe(self, text: str) -> None:
        self._file.add_key_value_metadata({DESCRIPTION: text})

    def _close(self) -> None:
        self._file.close()


def partial_folder(beside: Path) -> TemporaryDirectory[str]:
    """A folder for what is not written to its end. beside: where it is put in its place."""
    return TemporaryDirectory(dir=beside, prefix=".", suffix=".part")


def _array(values: list[Any], column: ColumnType) -> Array:
    """The numbers of some rows of a column."""
    if not column.width:
        return np.array(values, column.type)
    return np.frombuffer(b"".join(values), np.uint8).reshape(len(values), column.width).astype(column.type)


minari_data: Any = Later("minari.data_collector")
minari_storage: Any = Later("minari.dataset.minari_storage")
spaces: Any = Later("gymnasium.spaces")
DATASET = "maumau/decisions-v0"
"""The name of a data set for Minari."""
STORED_AS = "hdf5"
"""The format of the files in the folder."""


class EpisodeWriter(ColumnWriter):
    """A folder with a data set, as `minari.MinariDataset(FOLDER)` reads it.

    An episode has what a seat saw at its decisions and at the end of the game, its actions, and its return as the last
    reward.
    """

    replaces = False

    @staticmethod
    @contextmanager
    def replacing(path: str | Path) -> Iterator[Path]:
        """Yield the path of a new folder, which becomes `path` after this context; an error leaves none.

        Raises OSError, also if `path` exists: folders are not replaced.
        """
        if os.path.lexists(path):
            raise FileExistsError(EEXIST, "exists already", os.fspath(path))
        beside = Path(path).absolute().parent  # Minari adds a relative path to itself
        with partial_folder(beside) as folder:
            partial = Path(folder, "data")
            yield partial
            os.replace(partial, path)

    def _open(self) -> None:
        require("Minari", "minari", "gymnasium", "h5py", "PIL", "numpy")
        widths = {name: self._columns[name].width for name in ("observation", "mask")}
        seen = {
            "observation": spaces.Box(0, 255, (widths["observation"],), np.uint8),
            "action_mask": spaces.Box(0, 1, (widths["mask"],), np.int8),
        }
        kinds = {"observation_space": spaces.Dict(seen), "action_space": spaces.Discrete(widths["mask"])}
        self._storage = minari_storage.MinariStorage.new(self._path, **kinds, data_format=STORED_AS)

    def add(self, rows: Iterable[Row]) -> None:
        """Add the rows of a game. Raises OSError."""
        by_seat: dict[int, list[Row]] = {}
        for row in rows:
            by_seat.setdefault(row["seat"], []).append(row)
        self._kept += by_seat.values()
        if sum(map(len, self._kept)) >= CHUNK:
            self._flush()

    def _flush(self) -> None:
        first = self._storage.total_episodes
        self._storage.update_episodes([_episode(first + place, rows) for place, rows in enumerate(self._kept)])
        self._kept.clear()

    def _describe(self, text: str) -> None:
        about = {"dataset_id": DATASET, "description": text, "minari_version": metadata.version("minari")}
        self._storage.update_metadata(about)

    def _close(self) -> None:
        """Nothing is open."""


def _episode(number: int, rows: list[Row]) -> Any:
    """What a seat saw and did in a game."""
    last, decisions = rows[-1], len(rows)
    seen = [np.frombuffer(line, np.uint8) for line in (*(row["observation"] for row in rows), last["final"])]
    masks = [np.frombuffer(row["mask"], np.int8) for row in rows]
    ends = np.arange(decisions) == decisions - 1
    return minari_data.EpisodeBuffer(
        id=number,
        observations={"observation": np.stack(seen), "action_mask": np.stack([*masks, np.zeros_like(masks[0])])},
        actions=np.array([row["action"] for row in rows], np.int64),
        rewards=np.where(ends, last["returns"], 0.0),
        terminations=ends & (not last["truncated"]),
        truncations=ends & last["truncated"],
        infos={name: np.full(decisions + 1, last[name], np.int64) for name in ("seat", "game", "seed")},
    )
