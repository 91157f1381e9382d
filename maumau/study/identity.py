"""What must be equal on all machines that work on a study, versions and hashes of rules, and its manifest with them.

The manifest is JSON. Its `sha256` is the hash of the other fields, as JSON without spaces and with sorted names. A
manifest that differs in any byte from the one that was written is refused.
"""

from __future__ import annotations

import hashlib
import json
import os
import platform
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from functools import cache
from importlib import metadata
from pathlib import Path
from stat import S_ISDIR, S_ISLNK, S_ISREG
from typing import Any

from fsm.edge.atomic import PARTIAL, replace_file
from fsm.match.setup import MATCH
from fsm.registry import game_class
from maumau.study.counts import OF_PLAYS
from maumau.study.spec import Damaged, NoStudy, NotWritten, StudyError, StudySpec
from maumau.version import VERSION
from rules.notation import reason, shown

_FOLDER = "a folder with a file for each chunk"


def write_atomically(path: Path, data: bytes) -> None:
    """Write a file whole, or not at all. Raises NotWritten."""
    with disk_errors(path):
        replace_file(path, data, path.with_name(path.name + PARTIAL))


MAX_BYTES = 1 << 20
"""The size of a file that holds no games, at most."""


def read_regular_file(path: Path, expected: str, most: int = MAX_BYTES) -> bytes:
    """Return the content of a file. most: its size in bytes, which is looked at before it is read.

    Raises FileNotFoundError, Damaged for a link or a larger file, and StudyError if it is not a regular file or not
    readable.
    """
    with disk_errors(path, f"it must be {expected}", StudyError):
        _check_mode(path, S_ISREG, "not a file", expected)
        if (size := path.stat().st_size) > most:
            raise Damaged(f"{path}: {size:,} bytes; it must be {expected}, of at most {most:,}")
        return path.read_bytes()


def names_in(folder: Path) -> list[str]:
    """The names of the entries of a folder, sorted. Raises StudyError if it is a link or cannot be read."""
    try:
        with disk_errors(folder, f"it must be {_FOLDER}", StudyError):
            _check_mode(folder, S_ISDIR, "not a folder", _FOLDER)
            return sorted(os.listdir(folder))
    except FileNotFoundError:
        raise StudyError(f"{folder}: missing; it must be {_FOLDER}") from None


def _check_mode(path: Path, is_kind: Callable[[int], bool], otherwise: str, expected: str) -> None:
    mode = os.lstat(path).st_mode
    if S_ISLNK(mode):
        raise Damaged(f"{path}: a link; it must be {expected}")
    if not is_kind(mode):
        raise StudyError(f"{path}: {otherwise}; it must be {expected}")


@contextmanager
def disk_errors(
    path: Path, remedy: str = "choose a folder that can be written to", error: type[StudyError] = NotWritten
) -> Iterator[None]:
    """Raise `error` if something on the disk fails, but FileNotFoundError for what is to be read and is not there."""
    try:
        yield
    except OSError as found:
        if error is StudyError and isinstance(found, FileNotFoundError | NotADirectoryError):
            raise FileNotFoundError from None
        raise error(f"{path}: {reason(found)}; {remedy}") from None


# ---------------------------------------------------------------- what must be equal


PACKAGE = "maumau"
PACKAGES = ("llvmlite", "numpy", "pyarrow")
RULES = ("declaration", "policy ")
"""How the names of what says how the games are played begin."""
ROWS = "rows"
"""The name of what is counted of each play."""
Identity = Mapping[str, str]


@cache
def identity(*games: str, policies: tuple[str, ...] = ()) -> Identity:
    """Versions by name, what is counted, and the hash of the rules and policies of each game.

    policies: the names of the players; of those that are not policies of the declaration, the content hash is added.
    """
    found = {"python": platform.python_version(), PACKAGE: VERSION}
    found |= {name: version_of(name) or "missing" for name in PACKAGES}
    found[ROWS] = ", ".join(OF_PLAYS)
    for game in games:
        kind = game_class(game)
        played = kind.rules_hash(*kind.declaration.policies, kind.declaration.chain, *MATCH.arcs)
        found[name_of_declaration(game, games[0])] = played
    chosen = {name: game_class(games[0]).declaration.policy(name) for name in policies}
    players = {name: policy.code_hash for name, policy in chosen.items() if policy.is_computed}
    return found | {name_of_policy(name): digest[:16] for name, digest in players.items()}


def version_of(package: str) -> str:
    """The version of a package, which is not imported; empty if it is not installed."""
    try:
        return metadata.version(package)
    except metadata.PackageNotFoundError:
        return ""


def name_of_declaration(game: str, first: str) -> str:
    """The name of the hash of a game. first: the first game of the study."""
    return "declaration" if game == first else f"declaration of {game}"


def name_of_policy(name: str) -> str:
    """The name of the hash of a player."""
    return f"policy {name}"


def rules_of(whole: Identity) -> Identity:
    """The part of an identity that says how the games are played: no versions."""
    return {name: value for name, value in whole.items() if name.startswith(RULES)}


def rows_in(whole: Identity) -> Identity:
    """The part of an identity that says what is counted."""
    return {ROWS: whole.get(ROWS, "")}


def differences(here: Identity, there: Identity) -> list[str]:
    """The differences in words: `llvmlite 0.44.0, here 0.48.0`."""
    unequal = {name: None for name in (*here, *there) if here.get(name) != there.get(name)}
    return [_in_words(name, there.get(name, "missing"), here.get(name, "missing")) for name in unequal]


def _in_words(name: str, there: str, here: str) -> str:
    if name != ROWS:
        return f"{name} {there}, here {here}"
    lacking, more = sorted(set(here.split(", ")).difference(there.split(", "))), there.split(", ")
    more = [row for row in more if row not in here.split(", ")]
    found = [f"no counts of {', '.join(lacking)}, which are counted here"] * bool(lacking)
    return "; ".join(found + [f"counts of {', '.join(more)}, which are not counted here"] * bool(more))


MANIFEST = "manifest.json"
FORMAT = 3
"""The format of the folder and all its files; another one where other things are counted of the same games."""


def manifest_of(spec: StudySpec, made_with: Identity) -> bytes:
    """The content of the file."""
    return _sealed({"format": FORMAT, "question": spec.as_json(), "identity": dict(made_with)})


def _sealed(plain: Mapping[str, Any]) -> bytes:
    checksum = hashlib.sha256(json.dumps(plain, sort_keys=True, separators=(",", ":")).encode()).hexdigest()
    return (json.dumps({**plain, "sha256": checksum}, indent=1) + "\n").encode()


def read_manifest(folder: Path) -> tuple[StudySpec, Identity]:
    """The specification in a folder, and the versions it was created with. Raises StudyError; NoStudy without one."""
    file = folder / MANIFEST
    try:
        data = read_regular_file(file, "the manifest of a study, or none")
        plain = json.loads(data.decode())
        version, _ = plain.get("format"), plain.pop("sha256", None)
    except FileNotFoundError:
        raise NoStudy(f"{folder}: contains no study; name the folder of a study") from None
    except (ValueError, RecursionError, AttributeError):
        raise StudyError(f"{file}: not a JSON object; it must be the manifest of a study") from None
    if version is None:
        raise StudyError(f"{file}: missing field 'format'; restore it, or start again in another folder")
    if version != FORMAT:
        raise StudyError(
            f"{file}: format {shown(version)} instead of {FORMAT}, written by another version of maumau; "
            "start again in another folder"
        )
    if data != _sealed(plain):
        raise StudyError(f"{file}: damaged or edited by hand; restore it, or start again in another folder")
    try:
        return StudySpec.from_json(plain["question"]), plain["identity"]
    except StudyError as error:
        policies = plain["question"].get("policies")
        of_files = isinstance(policies, list) and any(".py:" in str(name) for name in policies)
        raise StudyError(f"{file}: {error}{'; also name players of files with --policy' * of_files}") from None
