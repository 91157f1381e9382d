"""Files that are written whole or not at all."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

import pytest

from fsm.edge.atomic import replace_file, replacing

CALLS = "open", "write", "fsync", "replace"


@pytest.mark.parametrize("there", [b"the old one", None])
@pytest.mark.parametrize("call", CALLS)
@pytest.mark.parametrize("error", [OSError(28, "No space left on device"), KeyboardInterrupt()])
def test_whatever_fails_leaves_what_was_there(
    tmp_path: Path, call: str, error: BaseException, there: bytes | None, monkeypatch: pytest.MonkeyPatch
) -> None:
    file = tmp_path / "file"
    if there is not None:
        file.write_bytes(there)

    def fail(*_: object) -> None:
        raise error

    with monkeypatch.context() as patch:
        patch.setattr(os, call, fail)
        with pytest.raises(type(error)):
            replace_file(file, b"the new one")
    assert {path.name: path.read_bytes() for path in tmp_path.iterdir()} == ({} if there is None else {"file": there})
    replace_file(file, b"the new one")
    assert [path.read_bytes() for path in tmp_path.iterdir()] == [b"the new one"]


def test_an_interrupt_as_the_new_file_is_opened_leaves_none(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    real = os.open

    def interrupted(*given: Any) -> None:
        os.close(real(*given))
        raise KeyboardInterrupt

    with monkeypatch.context() as patch:
        patch.setattr(os, "open", interrupted)
        with pytest.raises(KeyboardInterrupt):
            replace_file(tmp_path / "file", b"the new one")
    assert list(tmp_path.iterdir()) == []


def test_a_file_that_cannot_be_written_is_named_as_it_was_asked_for(tmp_path: Path) -> None:
    for file in (tmp_path / "none" / "file", "/nonexistent/file"):
        with pytest.raises(FileNotFoundError) as raised:
            replace_file(file, b"the new one")
        assert raised.value.filename == str(file)
    (tmp_path / "partial").touch()
    with pytest.raises(FileExistsError, match="partial"):
        replace_file(tmp_path / "file", b"the new one", tmp_path / "partial")


def test_a_folder_or_an_empty_name_is_refused_before_anything_is_written(tmp_path: Path) -> None:
    for name, error in (("", FileNotFoundError), (str(tmp_path), IsADirectoryError)):
        for write in (lambda path=name: replace_file(path, b"new"), lambda path=name: replacing(path).__enter__()):
            with pytest.raises(error, match=rf"(the name is empty|is a folder): '{name}'$") as raised:
                write()
            assert raised.value.filename == name
    assert list(tmp_path.iterdir()) == []


def test_a_file_that_cannot_be_renamed_is_named_as_it_was_asked_for(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(*given: Any) -> None:
        raise PermissionError(13, "Permission denied", given[0], None, given[1])

    monkeypatch.setattr(os, "replace", fail)
    with pytest.raises(PermissionError) as raised:
        replace_file(tmp_path / "file", b"new")
    assert str(raised.value) == f"[Errno 13] Permission denied: '{tmp_path / 'file'}'"


def test_a_disk_that_takes_a_few_bytes_at_a_time(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    real = os.write
    monkeypatch.setattr(os, "write", lambda file, data: real(file, data[:3]))
    replace_file(tmp_path / "file", b"ten bytes.")
    assert (tmp_path / "file").read_bytes() == b"ten bytes."


@pytest.mark.skipif(os.name != "posix", reason="modes are those of POSIX")
def test_permissions(tmp_path: Path) -> None:
    """Those that are asked for, else those of the old file, else the default ones."""
    before = os.umask(0o027)
    try:
        for name in ("new", "private"):
            replace_file(tmp_path / name, b"", mode=0o600 if name == "private" else None)
        (tmp_path / "new").chmod(0o604)
        replace_file(tmp_path / "new", b"again")
        (tmp_path / "private").chmod(0o666)
        replace_file(tmp_path / "private", b"again", mode=0o600)
        replace_file(tmp_path / "default", b"")
    finally:
        os.umask(before)
    modes = {path.name: path.stat().st_mode & 0o777 for path in tmp_path.iterdir()}
    assert modes == {"new": 0o604, "private": 0o600, "default": 0o640}


def test_a_link_is_replaced_and_not_written_through(tmp_path: Path) -> None:
    (tmp_path / "other").write_text("mine")
    (tmp_path / "file").symlink_to(tmp_path / "other")
    replace_file(tmp_path / "file", b"new")
    assert (tmp_path / "other").read_text() == "mine"
    assert not (tmp_path / "file").is_symlink()


def test_what_lies_in_place_of_the_partial_file_is_left_alone(tmp_path: Path) -> None:
    (tmp_path / "partial").write_text("mine")
    with pytest.raises(FileExistsError):
        replace_file(tmp_path / "file", b"new", tmp_path / "partial")
    assert {path.name: path.read_text() for path in tmp_path.iterdir()} == {"partial": "mine"}


def test_a_file_that_is_written_in_parts_keeps_its_permissions(tmp_path: Path) -> None:
    file = tmp_path / "file"
    file.write_bytes(b"the old one")
    file.chmod(0o600)
    with replacing(file) as partial:
        partial.write_bytes(b"the new one")
    assert (file.read_bytes(), file.stat().st_mode & 0o777) == (b"the new one", 0o600)
    with pytest.raises(ZeroDivisionError), replacing(file) as partial:
        partial.write_bytes(bytes([1 // 0]))
    assert file.read_bytes() == b"the new one"
    assert list(tmp_path.iterdir()) == [file]
