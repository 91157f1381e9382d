"""Kernels on disk: never stale, never trusted when broken, and never in the way of playing."""

from __future__ import annotations

import importlib.util
import os
import subprocess
import sys
from collections.abc import Callable
from dataclasses import replace
from functools import partial
from importlib import import_module
from pathlib import Path

import pytest
from bulk_fixtures import COUNTDOWN

np = pytest.importorskip("numpy", reason="the compiled engine needs numpy")
pytest.importorskip("llvmlite", reason="the compiled engine needs llvmlite")

from fsm.declaration.arcs import Arc  # noqa: E402
from fsm.declaration.declaration import Declaration  # noqa: E402
from fsm.edge.arrays import Array1D  # noqa: E402
from fsm.edge.extras import install_command  # noqa: E402
from maumau.kernels.compiler import cache  # noqa: E402
from maumau.kernels.compiler import machine_code as kernel  # noqa: E402
from maumau.kernels.compiler.program import KernelPlan, Program, of_any_game  # noqa: E402
from maumau.kernels.compiler.source import dealing, playing  # noqa: E402

pytest_plugins = ["bulk_fixtures"]
ROOT = Path(kernel.__file__).parents[3]


def key(program: Program) -> str:
    return kernel.key_of(program, program.write(program.subject))


def key_of_playing(game: Declaration) -> str:
    return key(playing(KernelPlan(game, game.policies)))


def fresh_deal(notify: Callable[[str], None] | None = None) -> list[int]:
    """A deck dealt by a kernel that is looked for on disk."""
    decks = np.zeros((1, 16), np.uint8)
    program = replace(dealing(COUNTDOWN), large=True)
    find, make = partial(kernel._from_disk, program), partial(kernel._made, program, notify)
    kernel.once({}, program, find, make)(decks, 2, 7, 5)
    return decks[0].tolist()  # type: ignore[no-any-return]


@pytest.fixture(scope="module")
def deck() -> list[int]:
    from bulk_fixtures import Countdown

    return list(Countdown.deck_of(2, 7, 5))


@pytest.fixture(autouse=True)
def not_warned(monkeypatch: pytest.MonkeyPatch) -> None:
    """Each test is a process that has not warned."""
    monkeypatch.setattr(cache, "_warned", set())


# ---------------------------------------------------------------- the key

RULES = """from rules.rule import query

LIMIT = 3
TABLE = (1, 2)


@query
def bound(table):
    return LIMIT + TABLE[0]


@query
def points_left(table, seat):
    return table.left < bound(table)
"""


@pytest.mark.parametrize(
    ("old", "new", "stays"),
    [
        ("", "", True),
        ("LIMIT = 3", "LIMIT = 4", False),
        ("(1, 2)", "(5, 2)", False),
        ("table.left <", "table.left <=", False),
        ("LIMIT + TABLE", "LIMIT - TABLE", False),
    ],
)
def test_a_changed_rule_or_constant_changes_the_key(
    old: str, new: str, stays: bool, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    keys = []
    for folder, text in (("before", RULES), ("after", RULES.replace(old, new))):
        file = tmp_path / folder / "some_rules.py"
        file.parent.mkdir()
        file.write_text(text)
        spec = importlib.util.spec_from_file_location("some_rules", file)
        assert spec is not None
        assert spec.loader is not None
        module = importlib.util.module_from_spec(spec)
        spec.loader.exec_module(module)
        keys.append(key_of_playing(replace(COUNTDOWN, score=module.points_left)))
    assert (keys[0] == keys[1]) is stays


def test_a_changed_declaration_changes_the_key() -> None:
    wait: Arc = COUNTDOWN.arcs[4]
    shorter = Arc(
        wait.trigger,
        wait.source,
        wait.dest,
        conditions=wait.conditions,
        unless=wait.unless,
        before=wait.before[1:],
        description=wait.description,
    )
    arcs = tuple(shorter if arc is wait else arc for arc in COUNTDOWN.arcs)
    assert key_of_playing(replace(COUNTDOWN, arcs=arcs)) != key_of_playing(COUNTDOWN)
    policies = COUNTDOWN.policies[:3]
    assert key_of_playing(replace(COUNTDOWN, policies=policies)) != key_of_playing(COUNTDOWN)


@pytest.mark.parametrize("package", ["numpy", "llvmlite"])
def test_another_version_of_llvmlite_or_numpy_changes_the_key(package: str, monkeypatch: pytest.MonkeyPatch) -> None:
    before = key(dealing(COUNTDOWN))
    assert key(dealing(COUNTDOWN)) == before
    monkeypatch.setattr(import_module(package), "__version__", "99.9")
    assert key(dealing(COUNTDOWN)) != before


def test_another_processor_changes_the_key(monkeypatch: pytest.MonkeyPatch) -> None:
    before = key(dealing(COUNTDOWN))
    monkeypatch.setattr(kernel, "processor", lambda: ("another", ""))
    assert key(dealing(COUNTDOWN)) != before


# ---------------------------------------------------------------- a cache that works, and one that does not


def test_a_kernel_is_compiled_once_and_then_read(
    tmp_path: Path, deck: list[int], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("MAUMAU_CACHE", str(tmp_path / "new" / "folder"))
    messages: list[str] = []
    assert [fresh_deal(messages.append), fresh_deal(messages.append)] == [deck, deck]
    assert messages == ["compiling Countdown to machine code, once for this machine"]
    assert [path.name.split("-")[0] for path in (tmp_path / "new" / "folder").iterdir()] == ["countdown"]


def flip(file: Path) -> None:
    text = bytearray(file.read_bytes())
    for place in range(0, len(text), 7):
        text[place] ^= 0x55
    file.write_bytes(text)


SPOILERS: dict[str, Callable[[bytes], bytes]] = {
    "code cut": lambda data: data[:-100],
    "entry changed": lambda data: data.replace(b"native", b"nativf", 1),
    "no code": lambda data: data.partition(b"\n")[0],
    "no checksum": lambda data: data.partition(b"\n")[2],
    "another checksum": lambda data: b"0" * 64 + data[64:],
    "nothing": lambda data: b"",
    "no text": lambda data: b"\xff\xfe\x00",
}


@pytest.fixture(scope="module")
def whole_cache(tmp_path_factory: pytest.TempPathFactory, deck: list[int]) -> Path:
    """A cache with one whole kernel in it."""
    folder = tmp_path_factory.mktemp("whole")
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("MAUMAU_CACHE", str(folder))
        assert fresh_deal() == deck
    return folder


@pytest.mark.parametrize("spoil", [*SPOILERS, "flipped"])
def test_a_broken_cache_is_detected_and_mended(
    spoil: str, whole_cache: Path, deck: list[int], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("MAUMAU_CACHE", str(whole_cache))
    (file,) = whole_cache.iterdir()
    whole = file.read_bytes()
    if spoil == "flipped":
        flip(file)
    else:
        file.write_bytes(SPOILERS[spoil](whole))
    assert file.read_bytes() != whole
    messages: list[str] = []
    assert fresh_deal(messages.append) == deck
    assert len(messages) == 1
    assert list(whole_cache.iterdir()) == [file]
    assert fresh_deal(messages.append) == deck
    assert len(messages) == 1


def test_a_file_in_place_of_the_folder_costs_time_and_one_warning(
    tmp_path: Path, deck: list[int], monkeypatch: pytest.MonkeyPatch
) -> None:
    file = tmp_path / "file"
    file.write_text("in the way")
    monkeypatch.setenv("MAUMAU_CACHE", str(file))
    with pytest.warns(cache.CacheWarning, match="compiled kernels are not stored on disk: .*file") as warned:
        assert fresh_deal() == deck
    assert len(warned) == 1
    monkeypatch.setenv("MAUMAU_CACHE", str(file / "below"))
    assert fresh_deal() == deck  # and no other warning, which would be an error
    assert file.read_text() == "in the way"


# ---------------------------------------------------------------- calls


def test_a_program_takes_arrays_of_its_types_only() -> None:
    deal = kernel.machine_code(dealing(COUNTDOWN))
    for wrong in (np.zeros((1, 16), np.int64), np.zeros(16, np.uint8), np.zeros((2, 32), np.uint8)[:, ::2]):
        with pytest.raises(TypeError, match=r"use uint8, 2 axes, in one piece"):
            deal(wrong, 2, 7, 5)


def fill(values: Array1D[np.int64]) -> None:
    for place in range(len(values)):
        values[place] = 0


def test_a_program_calls_the_c_library(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("MAUMAU_CACHE", str(tmp_path))
    program = of_any_game(fill)
    values = np.arange(5000)
    kernel._made(program, None)(values)
    assert not values.any()


# ---------------------------------------------------------------- other processes


def python(code: str, **environment: str) -> subprocess.CompletedProcess[str]:
    """Run code in a process of its own."""
    around = {**os.environ, "PYTHONPATH": str(ROOT), **environment}
    return subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, env=around, timeout=120, check=False
    )


@pytest.mark.thorough
def test_two_processes_at_once_fill_one_cache(tmp_path: Path) -> None:
    code = "from maumau.kernels import bulk; from fsm import MauMau; print(bulk.deal(2, 3, 7).tolist())"
    around = {**os.environ, "PYTHONPATH": str(ROOT), "MAUMAU_CACHE": str(tmp_path)}
    both = [
        subprocess.Popen(
            [sys.executable, "-c", code], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, env=around
        )
        for _ in range(2)
    ]
    output = [process.communicate(timeout=120) for process in both]
    assert [process.returncode for process in both] == [0, 0], output
    assert output[0] == output[1]
    assert output[0][1] == ""
    assert not list(tmp_path.glob(".*"))


BLOCKED = """
import sys
sys.modules["{missing}"] = None
from fsm import MauMau, Uno
from maumau.kernels import bulk
print(MauMau.deal(2, 7).run(), Uno.deal(4, 7).run())
for name, given in [('deal', (2, 1, 7)), ('play_dealt', (2, 1, 7)), ('total', (2, 1, 7)), ('play', (2, []))]:
    try:
        getattr(bulk, name)(*given)
    except ImportError as error:
        print(type(error).__name__, error)
"""


@pytest.mark.parametrize("missing", ["llvmlite", "numpy"])
def test_without_llvmlite_games_are_stepped_and_bulk_names_what_to_install(missing: str) -> None:
    done = python(BLOCKED.format(missing=missing))
    assert (done.returncode, done.stderr) == (0, "")
    first, *refusals = done.stdout.splitlines()
    assert first.count("scores") == 2
    assert refusals == [f"MissingExtra the compiled engine requires {missing}; run {install_command('bulk')}"] * 4
