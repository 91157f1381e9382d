"""Data sets of Minari: an episode for each seat of each game, in a folder. Needs the extra `minari`."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from errno import EEXIST
from importlib import metadata
from pathlib import Path
from typing import Any

from fsm.edge.extras import Later, require
from fsm.edge.numbers import np
from maumau.agents.columns import CHUNK, ColumnWriter, Row, partial_folder

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
