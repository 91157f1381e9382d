"""Each option, added to each command that is valid without it, has an effect or is refused.

The options are read from the commands themselves, so a new one is tried by being there; only one that takes free text
has to be named in VALUES, and one that changes no output by its nature in NATURE.
"""

from __future__ import annotations

import re
import shlex
import shutil
import tempfile
from functools import cache
from pathlib import Path
from typing import NamedTuple

import click
import pytest
from command import CORPUS, command_group, forgetting, maumau

from maumau.cli.options import Number

ROOT = Path(__file__).parents[2]
VARYING = re.compile(r"\d+\.\d s\b")
"""What differs between two runs of the same command: times."""

MADE = {
    "decks": "deal --players 3 --seed 5 --games 2",
    "records": "simulate --json decks",
    "matches": "deal --match --players 3 --seed 5 --games 2",
    "match-records": "simulate --match --json --target 20 matches",
    "eights": f"deal --game {ROOT}/examples/crazy_eights.py:CrazyEights --players 2 --seed 5",
}
"""The files that commands read, each made by a command before."""
FORMATS = maumau("diagram", "--format", "nosuch").stderr.split("use one of ")[1].strip().split(", ")
SOURCES = ("dot", "mermaid", "table", "markdown")
"""The formats that show what is counted, or the path of a game, and need no Graphviz."""
QUEEN_OPENS = "opening player=1 stakes=1/1 raises=0 acted=0 winners=- ending=- winner=- hands=Q/J discard=- draw=K"

LINES = [
    "simulate decks",
    "simulate --policy random decks",
    "simulate --trace decks",
    "simulate --events --policy house,random,house decks",
    "simulate --json decks",
    "simulate --from-json records",
    "simulate --match matches",
    "simulate --match --policy random --json matches",
    "simulate --match --from-json match-records",
    "simulate --engine compiled --policy random decks",
    "deal --players 3",
    "deal --match --players 3",
    "replay decks",
    "replay --policy random decks",
    "replay records",
    "replay --match matches",
    "replay --match match-records",
    *(f"diagram --format {format} -o out" for format in FORMATS),
    *(f"diagram --format {format} --path {file}" for format in SOURCES for file in ("decks", "records")),
    *(f"diagram --format {format} --traffic 5" for format in SOURCES),
    *(f"diagram --format {format} --with nine-reverses --marked" for format in SOURCES),
    "diagram --path decks --until 5 --policy random",
    "diagram --fold --game uno-official",
    "diagram --match",
    "compile",
    "compile --show",
    "compile --show kernel",
    "compile --show lanes --players 2",
    "compile --show --why",
    "compile --target wasm32 -o wasm",
    "compile --target aarch64 --players 2 -o arm",
    "check --games 1",
    "check --games 0",
    "check --games 0 --deck 'DQ HQ DS HS DJ'",
    "check --games 0 --exhaustive",
    "check --games 1 --match",
    "demo",
    "play --seed 1",
    "play --seed 1 --match",
    "rules",
    "rules nine-reverses",
    "actions",
    "new - --kind tricks",
    "stubs maumau",
    "solve --deck 'DQ HQ DT HT DK'",
    "solve --deck 'DQ HQ DT HT DK' --open",
    "solve --deck 'DQ HQ DT HT DK' --hidden --exploit house",
    "waits waits",
    "acquaintance groups",
    "acquaintance --seats tables",
    "help check",
    "completion bash",
    "study --players 2 --games 200",
    "study --players 2 --games 200 --policy house,random --out other",
    "study --players 2 --games 200 --until-width 0.2",
    "study --players 2 --games 20 --match",
    "study --players 2 --games 200 --compare-rules nine-reverses",
    "study --out there --resume",
    "study --report there",
    "study --verify there",
    f"odds --games 20 --game {ROOT}/examples/kuhn_poker.py:KuhnPoker '{QUEEN_OPENS}'",
    "tournament --policy house,random --games 20",
    "benchmark maumau-2-v1 --policy random --decks 20",
    "dataset --games 3 -o data.npz",
    "train --games 500 -o net",
    "train --games 500 --searched 0 -o net",
]
"""Each command in each of its modes."""
SLOW = re.compile("study|odds|tournament|benchmark|train|check|compile|.*--match|.*--engine")
"""The lines that compile machine code, or take a second."""
UNTRIED = {"party": "it does not end", "serve": "it does not end"}

VALUES = {
    "--between": "anna dora",
    "--chunk": "64",
    "--cluster": "local:1",
    "--compare-rules": "nine-reverses",
    "--decks": "3",
    "--confidence": "0.8",
    "--curve": "curve",
    "--deck": "'DQ HQ DS HS DJ DK'",
    "--each": "2",
    "--exploit": "first-legal",
    "--format": "table",
    "--game": "uno",
    "--games": "3",
    "--from": "nowhere",
    "--gap": "0.5",
    "--host": "::1",
    "--minutes": "0.01",
    "--origin": "https://cards.example",
    "--others": "random",
    "--out": "other",
    "--output": "written",
    "--path": "decks",
    "--phase": "drawing",
    "--players": "4",
    "--policy": "random",
    "--port": "1",
    "--position": "nowhere",
    "--positions": "7",
    "--report": "there",
    "--rewards": "score",
    "--searched": "0.3",
    "--seat": "2",
    "--state": "kept",
    "--tables": "memory",
    "--target": "30",
    "--traffic": "7",
    "--until": "7",
    "--until-width": "0.3",
    "--verify": "there",
    "--with": "cover-eight",
}
"""A value of each option, unless it is a flag, one of several words, or a number for which 1 more than usual will do."""
NATURE = {
    "--chunk": "a study has the same result in chunks of any size",
    "--chunk-timeout": "when a worker that says nothing is given up",
    "--cluster": "where the same games are played",
    "--engine": "all engines play the same games",
    "--open": "opens a browser",
    "--threads": "how many threads play the same games",
}
"""The options that change no output by their nature, and why."""


class Inert(NamedTuple):
    """An option that changes nothing in a command that has none of some words, and why."""

    command: str
    option: str
    reason: str
    unless: tuple[str, ...] = ()


DICE = "players who draw no random numbers play the same with any"
INERT = (
    *(
        Inert(command, option, DICE, unless=("random", "--json"))
        for command in ("simulate", "replay")
        for option in ("--seed", "--number")
    ),
    *(Inert("diagram --path", option, DICE, unless=("random", "--traffic")) for option in ("--seed", "--number")),
    Inert("diagram", "--fold", "in most games no seats are asked one after another", unless=("uno-official",)),
    Inert("deal", "--with", "rules that keep the cards deal the same decks"),
    *(Inert(command, "--format table", "a table is what is printed without it") for command in ("study", "tournament")),
    Inert("dataset", "--rewards win", "Mau-Mau is played to win without it"),
    Inert("study --out", "--resume", "a study that is not there yet has nothing to continue", unless=("there",)),
    Inert("solve", "--hidden", "hands are hidden without it", unless=("--open",)),
    Inert("solve", "--state", "nothing is left of a command that is not interrupted"),
    Inert("solve", "--seed", "the policies of these tests do not search"),
    Inert("solve", "--gap", "a small game is solved exactly"),
    Inert("solve", "--memory", "a small game fits in any memory"),
    Inert("simulate", "--verbose", "the engine is named on standard error"),
    Inert("play", "--plain", "where there is no terminal the table is shown line by line"),
    Inert("compile", "--policy", "its output is machine code in the cache", unless=("--show", "--target")),
)
"""The options that change nothing with the games, or in the surroundings, of these tests."""


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with the files that commands read."""
    made = tmp_path_factory.mktemp("files")
    (made / "tables").write_text("anna bert\nbert dora\n")
    (made / "groups").write_text("2 4\n2 0 1\n3 1 2 3\n0 0\n")
    (made / "waits").write_bytes((CORPUS / "mahjong" / "cases.in").read_bytes())
    with forgetting(), pytest.MonkeyPatch.context() as patch:
        patch.chdir(made)
        for name, line in MADE.items():
            (made / name).write_text(maumau(*shlex.split(line)).stdout)
    return made


def options_of(line: str) -> list[click.Option]:
    """The options of the command of a line."""
    command = command_group().commands[line.split(maxsplit=1)[0]]
    return [each for each in command.params if isinstance(each, click.Option)]


def long_names(option: click.Option) -> list[str]:
    """The names of an option that begin with two hyphens: one, two for the same, or of a flag one that turns it off."""
    return [name for name in (*option.opts, *option.secondary_opts) if name.startswith("--")]


def values(option: click.Option) -> list[str]:
    """What is added to a line for an option: each of its words, or one value that is not its default."""
    name, *other = long_names(option)
    if option.is_flag:
        return [other[0] if option.default is True else name]
    if isinstance(option.type, click.Choice):
        return [f"{name} {word}" for word in option.type.choices if word != option.default]
    if name in VALUES:
        return [f"{name} {VALUES[name]}"]
    assert isinstance(option.type, Number), f"{name}: name a value of it in VALUES"
    return [f"{name} {option.default + 1 if isinstance(option.default, int) else 1}"]


class Done(NamedTuple):
    """What a command did: its exit status, what it printed, and the files that it wrote or changed."""

    status: int
    printed: str
    errors: str
    files: dict[str, bytes]


def called(folder: Path, line: str) -> Done:
    """Call a command in a copy of a folder."""
    if "there" in line:
        store_study(folder)
    with tempfile.TemporaryDirectory() as place, pytest.MonkeyPatch.context() as patch:
        shutil.copytree(folder, place, dirs_exist_ok=True)
        patch.chdir(place)
        done = maumau(*shlex.split(line), data="quit\n")
        files = {str(path.relative_to(place)): path.read_bytes() for path in Path(place).rglob("*") if path.is_file()}
    return Done(done.returncode, VARYING.sub("", done.stdout), done.stderr, files)


@cache
def store_study(folder: Path) -> None:
    """Store a study there, for the commands that read one."""
    done = maumau(*shlex.split(f"study --players 2 --games 300 --policy house,random --out {folder / 'there'}"))
    assert done.returncode == 0, done.stderr


@cache
def first_call(folder: Path, line: str) -> Done:
    """What a command does without another option: the same each time."""
    done, again = called(folder, line), called(folder, line)
    assert (done.printed, done.files) == (again.printed, again.files)
    return done


def may_add(line: str, option: click.Option, added: str) -> bool:
    """Whether a line has an option not yet, and it may change what the line does."""
    words, (name, *_) = set(shlex.split(line)), long_names(option)
    inert = any(
        line.split(maxsplit=1)[0] == each.command.split()[0]
        and words.issuperset(each.command.split())
        and each.option in (name, added)
        and not any(word in line for word in each.unless)
        for each in INERT
    )
    return not inert and not words & {*option.opts, *option.secondary_opts}


CASES = [
    (line, added)
    for line in LINES
    for option in options_of(line)
    if long_names(option)[0] not in NATURE
    for added in values(option)
    if may_add(line, option, added)
]
QUICK = {(line.split()[0], added): (line, added) for line, added in reversed(CASES) if not SLOW.match(line)}
"""For each option of each command its first case, if no machine code is compiled for it."""


def marks(case: tuple[str, str]) -> tuple[pytest.MarkDecorator, ...]:
    """The mark of a case, if it does not belong to the quick ones."""
    return () if case in QUICK.values() else (pytest.mark.thorough,)


@pytest.mark.slow
@pytest.mark.parametrize(("line", "added"), [pytest.param(*case, marks=marks(case)) for case in CASES])
def test_it_has_an_effect_or_is_refused(line: str, added: str, folder: Path) -> None:
    before, after = first_call(folder, line), called(folder, f"{line} {added}")
    assert before.status in (0, 1), before.errors
    if after.status == 2:
        refused = (
            "; (use|name|choose|give|leave|write) |requires|cannot be used together|is missing; |announces|"
            "contains another study|has no house rules|lists those"
        )
        assert re.search(refused, after.errors)
        assert (after.printed, "written" in after.files) == ("", False)
    else:
        assert after.status in (0, 1), after.errors
        assert (after.printed, after.files) != (before.printed, before.files), f"{added} changes nothing"


def test_every_command_is_tried() -> None:
    assert {line.split()[0] for line in LINES} | UNTRIED.keys() == command_group().commands.keys()


def test_what_is_named_is_there() -> None:
    options = {
        name for command in command_group().commands for each in options_of(command) for name in long_names(each)
    }
    assert options.issuperset([*VALUES, *NATURE, *(each.option.split()[0] for each in INERT)])
