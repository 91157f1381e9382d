"""Something else by the name of a package: the command says in one sentence what is in the way."""

from __future__ import annotations

import configparser
import subprocess
import sys
from pathlib import Path

import pytest
from packages import HOME

ROOT = Path(__file__).parents[2]
PACKAGES = ("rules", "fsm", "render")


@pytest.mark.parametrize("name", PACKAGES)
@pytest.mark.parametrize("file", ["{}.py", "{}/__init__.py", "{}/other.py"], ids=["module", "package", "no package"])
def test_a_foreign_package_of_the_same_name_is_reported_and_not_run(tmp_path: Path, name: str, file: str) -> None:
    root = HOME
    if file == "{}/other.py":
        root = tmp_path / "parts"  # a folder without __init__.py, as it is left when another distribution is removed
        root.mkdir()
        for other in (*PACKAGES, "maumau"):
            if other != name:
                (root / other).symlink_to(HOME / other)
    there = tmp_path / file.format(name)
    there.parent.mkdir(exist_ok=True)
    there.write_text("raise SystemExit(99)\n")
    code = f"import sys; sys.path.insert(1, {str(root)!r}); from maumau.__main__ import main; main()"
    line = [sys.executable, "-S", "-E", "-c", code, "--version"]  # without what is installed
    done = subprocess.run(line, capture_output=True, text=True, cwd=tmp_path, check=False)
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr.count("\n") == 1
    assert f"is in the way of maumau's package {name!r}" in done.stderr
    assert str(there.parent if file == "{}/other.py" else there) in done.stderr


@pytest.mark.parametrize(
    "text",
    [b'# caf\xe9\nx = "\xe9"\n', b"x = 1\n# \xff\n", b"# -*- coding: nonsense -*-\n"],
    ids=["latin-1", "binary", "coding"],
)
def test_a_foreign_file_that_is_no_text_is_reported(tmp_path: Path, text: bytes) -> None:
    (tmp_path / "rules.py").write_bytes(text)
    code = "import sys; from maumau.__main__ import main; sys.argv = ['maumau', '--version']; main()"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, cwd=tmp_path, check=False)
    assert (done.returncode, done.stdout) == (2, "")
    where = tmp_path / "rules.py"
    assert done.stderr.startswith(f"maumau: {where} is in the way of maumau's package 'rules'")
    assert done.stderr.count("\n") == 1


def test_every_package_is_known() -> None:
    config = configparser.ConfigParser()
    config.read(ROOT / "setup.cfg")
    included = config["options.packages.find"]["include"].split()
    assert {name.rstrip("*") for name in included} == {*PACKAGES, "maumau"}


def test_a_package_that_is_missing_is_named(tmp_path: Path) -> None:
    for name in ("maumau", "rules", "fsm"):
        (tmp_path / name).symlink_to(HOME / name)
    code = f"import sys; sys.path.insert(0, {str(tmp_path)!r}); from maumau.__main__ import main; main()"
    line = [sys.executable, "-S", "-E", "-P", "-c", code, "--version"]
    done = subprocess.run(line, capture_output=True, text=True, check=False)
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr == "maumau: maumau's package 'render' is missing; install maumau again\n"


def test_an_import_of_the_library_names_the_foreign_package(tmp_path: Path) -> None:
    (tmp_path / "rules.py").write_text("")
    done = subprocess.run(
        [sys.executable, "-c", f"import sys; sys.path.append({str(HOME)!r}); from maumau import MauMau"],
        capture_output=True,
        text=True,
        cwd=tmp_path,
        check=False,
    )
    assert done.returncode == 1
    assert f"{tmp_path / 'rules.py'} is in the way of maumau's package 'rules'" in done.stderr
