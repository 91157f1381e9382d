"""The manifest of a study: its specification, the versions and the declaration hash.

It is JSON. Its `sha256` is the hash of the other fields, as JSON without spaces and with sorted names. A manifest that
differs in any byte from the one that was written is refused.
"""

from __future__ import annotations

import hashlib
import json
import os
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from maumau.study.disk import read_regular_file
from maumau.study.errors import StudyError
from maumau.study.identity import Identity, known_now
from maumau.study.spec import StudySpec
from rules.notation import reason

MANIFEST = "manifest.json"
FORMAT = 2
"""The format of the folder and all its files; another one where other things are counted of the same games."""


def manifest_of(spec: StudySpec, made_with: Identity) -> bytes:
    """The content of the file."""
    plain = {"format": FORMAT, "question": spec.as_json(), "identity": dict(made_with)}
    return (json.dumps({**plain, "sha256": _checksum(plain)}, indent=1) + "\n").encode()


def has_manifest(folder: Path) -> bool:
    """Whether a folder contains a manifest, of whatever kind. Raises StudyError if that cannot be seen."""
    file = folder / MANIFEST
    try:
        os.lstat(file)
    except (FileNotFoundError, NotADirectoryError):
        return False
    except OSError as error:
        raise StudyError(f"{file}: {reason(error)}, expected the manifest of a study, or none") from None
    return True


def read_manifest(folder: Path) -> tuple[StudySpec, Identity]:
    """The specification in a folder, and the versions it was created with. Raises StudyError."""
    file = folder / MANIFEST
    try:
        data = read_regular_file(file, "the manifest of a study")
    except FileNotFoundError:
        raise StudyError(f"{folder}: contains no study, expected a folder that --out created") from None
    plain = _object(file, data)
    if plain.get("format") != FORMAT:
        raise StudyError(
            f"{file}: format {plain.get('format')!r}, expected {FORMAT}: written by another version of maumau, "
            "start again in another folder"
        )
    stated = plain.pop("sha256", None)
    if stated != _checksum(plain):
        raise StudyError(f"{file}: sha256 {stated!r}, expected {_checksum(plain)}: damaged or edited by hand")
    spec, made_with = _spec(file, plain["question"]), plain["identity"]
    if data != manifest_of(spec, made_with):
        raise StudyError(f"{file}: damaged or edited by hand, expected every byte as it was written")
    return spec, known_now(made_with)


def _object(file: Path, data: bytes) -> dict[str, Any]:
    """The JSON object in a file. Raises StudyError."""
    try:
        plain = json.loads(data.decode())
    except (ValueError, RecursionError):
        raise StudyError(f"{file}: not JSON, expected the manifest of a study") from None
    if not isinstance(plain, dict):
        raise StudyError(f"{file}: not a JSON object, expected the manifest of a study")
    return plain


def _spec(file: Path, plain: Mapping[str, Any]) -> StudySpec:
    try:
        return StudySpec.from_json(plain)
    except StudyError as error:
        policies = plain.get("policies")
        of_files = isinstance(policies, list) and any(".py:" in str(name) for name in policies)
        raise StudyError(f"{file}: {error}{'; players of files are named with --policy, too' * of_files}") from None


def _checksum(plain: Mapping[str, Any]) -> str:
    return hashlib.sha256(json.dumps(plain, sort_keys=True, separators=(",", ":")).encode()).hexdigest()
