"""The rooms of a server in an SQLite file: who is there, the codes, and every entry of the journal of the table.

A row of `tables` is a room; `links` are the tokens of people.
"""

from __future__ import annotations

import json
import os
import sqlite3
import sys
import time
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from contextlib import contextmanager
from http import HTTPStatus
from pathlib import Path
from typing import Any, NamedTuple

from maumau.play.server.guard import BadRequest
from rules.errors import Explained, Unwritten, raised_as

SCHEMA = """
CREATE TABLE IF NOT EXISTS tables (name TEXT PRIMARY KEY, saved TEXT NOT NULL, used REAL NOT NULL) STRICT;
CREATE TABLE IF NOT EXISTS links (token TEXT PRIMARY KEY, name TEXT NOT NULL) STRICT;
CREATE TABLE IF NOT EXISTS codes (code TEXT PRIMARY KEY, name TEXT NOT NULL, opens INTEGER NOT NULL) STRICT;
CREATE TABLE IF NOT EXISTS entries (
    name TEXT, number INTEGER, entry TEXT NOT NULL, PRIMARY KEY (name, number)
) STRICT, WITHOUT ROWID;
"""
TABLES = "tables", "links", "codes", "entries"
MAX_CODES = 20
"""Codes of a room that are known, with those that no longer let anybody in."""
OLD_CODES = (
    "DELETE FROM codes WHERE name = ?"
    " AND code NOT IN (SELECT code FROM codes WHERE name = ? ORDER BY rowid DESC LIMIT ?)"
)
IN_MEMORY = ":memory:"
UNNOTED = 60.0
"""Seconds for which the time of the last change is not written again: it is for what happens after days."""


UNWRITABLE = {
    sqlite3.SQLITE_FULL,
    sqlite3.SQLITE_IOERR,
    sqlite3.SQLITE_CANTOPEN,
    sqlite3.SQLITE_READONLY,
    sqlite3.SQLITE_PERM,
}
"""The errors of SQLite that are about writing, not about what is in the file."""
PRIMARY = 0xFF
"""The bits of an error of SQLite that say its kind."""
WRITABLE = "name a file that can be written"
DAMAGED = "the file of the tables is damaged: "


def file_of(tables: str | None, port: int) -> Path | None:
    """The file of the tables of a server at a port; None for memory.

    tables: the name of a file, or "memory"; None for a file in the folder of the user where programs keep their state,
    which is made if need be, or for memory where the port is any that is free. Raises StoreError for an empty name and
    a user without a home folder, NotWritable where that folder cannot be made.
    """
    if tables == "memory" or (tables is None and port == 0):
        return None
    if tables is not None:
        if not tables:
            raise StoreError(f"--tables: {tables!r}: the name is empty; name a file, or memory")
        return Path(tables)
    try:
        folder = _state_folder() / "maumau"
    except RuntimeError:
        raise StoreError("--tables: the user has no home folder; name a file, or memory") from None
    with raised_as(NotWritable, f"--tables: {folder}: ", OSError, WRITABLE):
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    return folder / f"tables-{port}.sqlite"


def _state_folder() -> Path:
    """The folder in which programs keep their state. Raises RuntimeError if nobody knows where it is."""
    if sys.platform == "win32":
        return Path(os.environ.get("LOCALAPPDATA") or Path.home() / "AppData" / "Local")
    if sys.platform == "darwin":
        return Path.home() / "Library" / "Application Support"
    return Path(os.environ.get("XDG_STATE_HOME") or Path.home() / ".local" / "state")


class StoreError(Explained):
    """The tables cannot be kept in a file; the message says why."""


class NotWritable(StoreError, Unwritten):
    """The file of the tables cannot be made, or not be written."""


class Stored(NamedTuple):
    """A room as it was stored. saved: as `Room.save` has it. journal: of its table."""

    name: str
    saved: dict[str, Any]
    journal: list[dict[str, Any]]


class Change(NamedTuple):
    """What has changed in a room. saved: all but the journal; None for no change. code: by which others come in.
    tokens: those of people. entries: the new ones of the journal, of which the first has the number `first`. cuts:
    whether they replace the stored entries from that number on.
    """

    saved: Mapping[str, Any] | None
    code: str
    tokens: Collection[str]
    first: int
    entries: Sequence[Mapping[str, Any]]
    cuts: bool = False


def steady_clock() -> Callable[[], float]:
    """Return a clock of the seconds of the epoch that goes on steadily when somebody sets that of the machine."""
    begin = time.time() - time.monotonic()
    return lambda: begin + time.monotonic()


class Store:
    """An SQLite database. A change is in the file when its method returns, even if the process is killed then."""

    def __init__(self, file: Path | None = None, clock: Callable[[], float] | None = None) -> None:
        """file: None to keep the tables in memory. Nobody but the user can read it: it holds the secrets of all tables.
        clock: the seconds of the epoch; None for `steady_clock`.

        Raises NotWritable, and StoreError for a file that is not such a database or is in use.
        """
        self._clock = clock or steady_clock()
        self._noted: dict[str, float] = {}  # when the last change was written as such
        try:
            with raised_as(NotWritable, f"--tables: {file}: ", OSError, WRITABLE):
                self._database = _database(file)
        except sqlite3.Error as error:
            if getattr(error, "sqlite_errorcode", sqlite3.SQLITE_OK) & PRIMARY in UNWRITABLE:
                raise NotWritable(f"--tables: {file}: {error}; {WRITABLE}") from None
            what = "another server uses it" if "locked" in str(error) else str(error)
            raise StoreError(f"--tables: {file}: {what}; name a file that no other server uses") from None

    @contextmanager
    def _writing(self, alone: bool = False) -> Iterator[None]:
        """A transaction; a statement alone is one by itself. Raises BadRequest; nothing has changed then."""
        try:
            with self._database:
                if not alone:
                    self._database.execute("BEGIN")
                yield
        except sqlite3.Error as error:
            raise BadRequest(f"the tables cannot be stored now: {error}", HTTPStatus.SERVICE_UNAVAILABLE) from None

    def write(self, name: str, change: Change) -> None:
        """Store what has changed in a room, which may be a new one. Raises BadRequest."""
        saved, code, tokens, first, entries, cuts = change
        now = self._clock()
        rows = [(name, number, json.dumps(entry)) for number, entry in enumerate(entries, first)]
        is_noted = now < self._noted.get(name, 0.0) + UNNOTED
        with self._writing(alone=saved is None and not cuts and is_noted and len(rows) == 1):
            execute, many = self._database.execute, self._database.executemany
            if saved is None and not is_noted:
                execute("UPDATE tables SET used = ? WHERE name = ?", (now, name))
            elif saved is not None:
                execute("INSERT OR REPLACE INTO tables VALUES (?, ?, ?)", (name, json.dumps(saved), now))
                execute("DELETE FROM links WHERE name = ?", (name,))
                many("INSERT INTO links VALUES (?, ?)", [(token, name) for token in tokens])
                execute("UPDATE codes SET opens = 0 WHERE name = ?", (name,))
                execute("INSERT OR REPLACE INTO codes VALUES (?, ?, 1)", (code, name))
                execute(OLD_CODES, (name, name, MAX_CODES))
            if cuts:
                execute("DELETE FROM entries WHERE name = ? AND number >= ?", (name, first))
            many("INSERT INTO entries VALUES (?, ?, ?)", rows)
        if not is_noted:
            self._noted[name] = now

    def name_of(self, token: str) -> str | None:
        """The name of the room that a person with this token is in. Raises ValueError for a damaged file."""
        return self._one("SELECT name FROM links WHERE token = ?", token)

    def room_of(self, code: str) -> str | None:
        """The name of the room of a code, which may let nobody in any more. Raises ValueError."""
        return self._one("SELECT name FROM codes WHERE code = ?", code)

    def latest(self, seconds: float) -> str | None:
        """Return the code of the room that was used last, if it was within so many seconds. Raises ValueError."""
        used = "SELECT code FROM codes JOIN tables USING (name) WHERE opens AND used > ? ORDER BY used DESC"
        return self._one(used, self._clock() - seconds)

    def _one(self, query: str, value: object) -> str | None:
        with raised_as(ValueError, DAMAGED, sqlite3.Error):
            found = self._database.execute(query, (value,)).fetchone()
        return None if found is None else str(found[0])

    def load(self, name: str) -> Stored:
        """A room. Raises ValueError for what is not a stored room."""
        with raised_as(ValueError, DAMAGED, (sqlite3.Error, TypeError)):
            (saved,) = self._database.execute("SELECT saved FROM tables WHERE name = ?", (name,)).fetchone()
            journal = self._database.execute("SELECT entry FROM entries WHERE name = ? ORDER BY number", (name,))
            return Stored(name, json.loads(saved), [json.loads(entry) for (entry,) in journal])

    def count(self) -> int:
        """The number of stored tables."""
        (count,) = self._database.execute("SELECT count(*) FROM tables").fetchone()
        return int(count)

    def remove(self, idle: float, used: Collection[str] = ()) -> list[str]:
        """Remove the tables that nobody has used for so many seconds. used: the names of those that are used now.

        Returns the names. Raises BadRequest.
        """
        now = self._clock()
        with self._writing():
            self._database.executemany("UPDATE tables SET used = ? WHERE name = ?", [(now, name) for name in used])
            found = self._database.execute("SELECT name FROM tables WHERE used < ?", (now - idle,)).fetchall()
            for kind in ("links", "codes", "entries", "tables"):
                self._database.executemany(f"DELETE FROM {kind} WHERE name = ?", found)
        for (name,) in found:
            self._noted.pop(name, None)
        return [name for (name,) in found]

    def close(self) -> None:
        """Close the file."""
        self._database.close()


def _database(file: Path | None) -> sqlite3.Connection:
    if file is not None:
        try:
            file.touch(mode=0o600)
        except FileNotFoundError:
            raise OSError("no such folder") from None
    path = IN_MEMORY if file is None else str(file)
    database = sqlite3.connect(path, timeout=0.5, isolation_level=None, check_same_thread=False)
    database.execute("PRAGMA locking_mode = EXCLUSIVE")
    names = database.execute("SELECT name FROM sqlite_master WHERE type = 'table'").fetchall()
    if foreign := sorted(name for (name,) in names if name not in TABLES):
        raise sqlite3.DatabaseError(f"it is a database with other tables: {foreign[0]}")
    database.execute("PRAGMA journal_mode = WAL")
    database.execute("PRAGMA synchronous = NORMAL")
    database.executescript(SCHEMA)
    return database
