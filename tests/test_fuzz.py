"""Every input under attack: near misses and arbitrary bytes are answered rightly or refused clearly, soon, in little memory.

The targets are those of the coverage-guided fuzzer (`python -m fuzz`); what it found stands here for good.
"""

from __future__ import annotations

import subprocess
import sys
import tracemalloc
from datetime import timedelta
from importlib import import_module
from pkgutil import iter_modules
from random import Random
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from fsm import outside
from fuzz import targets
from fuzz.called import Called, answered, called
from fuzz.near import exchanged, exchanged_pairs
from fuzz.targets import maumau, records
from rules import reading

TARGETS = {found.name: import_module(f"fuzz.targets.{found.name}") for found in iter_modules(targets.__path__)}
by_target = pytest.mark.parametrize("target", TARGETS.values(), ids=TARGETS)
patiently = settings(deadline=timedelta(seconds=60), max_examples=40)
"""What takes longer hangs."""


@st.composite
def near_misses(draw: st.DrawFn, target: Any) -> bytes:
    """One of the seeds of a target, altered a few times."""
    data = bytes(draw(st.sampled_from(target.SEEDS)))
    for _ in range(draw(st.integers(1, 3))):
        begin = draw(st.integers(0, len(data)))
        end = draw(st.integers(begin, min(len(data), begin + 20)))
        word = draw(st.sampled_from(target.WORDS)).encode()
        ways = [
            target.near(data, Random(draw(st.integers(0, 2**32)))),
            data[:begin] + data[end:],
            data[:end] + data[begin:],
            data[:begin] + word + data[end:],
            data[:begin] + draw(st.binary(max_size=8)) + data[end:],
        ]
        data = ways[draw(st.integers(0, len(ways) - 1))]
    return data


@by_target
def test_the_seeds_are_answered_rightly(target: Any) -> None:
    for seed in target.SEEDS:
        target.check(seed)


@pytest.mark.slow
@by_target
def test_near_misses(target: Any) -> None:
    @patiently
    @given(near_misses(target))
    def attack(data: bytes) -> None:
        target.check(data)

    attack()


@by_target
def test_arbitrary_bytes_and_words(target: Any) -> None:
    words = st.lists(st.sampled_from(target.WORDS), max_size=60).map(lambda found: " ".join(found).encode())

    @patiently
    @given(st.binary(max_size=300) | words)
    def attack(data: bytes) -> None:
        target.check(data)

    attack()


FOUND = {
    "a number of 5000 digits in a record": ("records", b"1" * 5000),
    "a policy of 5000 letters": ("records", records.SEEDS[0].replace(b'["house"', b'["' + b"x" * 5000 + b'"')),
    "a game of 5000 letters": ("records", records.SEEDS[0].replace(b'"maumau",', b'"' + b"x" * 5000 + b'",')),
    "an event of 5000 letters": ("records", records.SEEDS[1].replace(b'"draw"', b'"' + b"x" * 5000 + b'"')),
    "an event with an end of line": ("records", records.SEEDS[1].replace(b'"draw"', b'"draw\\n"')),
    "a card with an end of line": ("records", records.SEEDS[1].replace(b'"card": "', b'"card": "\\n')),
    "a length of no digit": ("requests", b"content-length=\xb2|POST /games {}"),
    "a length of 5000 digits": ("requests", b"content-length=" + b"1" * 5000 + b"|POST /games {}"),
}


@pytest.mark.parametrize(("name", "data"), FOUND.values(), ids=FOUND)
def test_what_was_found(name: str, data: bytes) -> None:
    TARGETS[name].check(data)
    if name == "records":
        assert called("simulate", "--from-json", data=data).status == 2


# ---------------------------------------------------------------- little memory

MEGABYTE = 1 << 20
MANY = 50_000
UNO_FACTS = TARGETS["positions"].SEEDS[-1].split(b" hands=")[0]
LARGE = {
    "a count of games": ("maumau", b"999999999\n"),
    "a line of cards": ("maumau", b"1\n2 " + b"SS " * MANY),
    "a word": ("maumau", b"1\n2 " + b"S" * MEGABYTE),
    "blank lines": ("maumau", b"1\n" + b"\n" * MANY),
    "a count of cases": ("uno", b"999999999\n2\n"),
    "a heap of cards": ("uno", b"1\n2\n" + b"R9 " * MANY),
    "a number": ("records", b"1" * MEGABYTE),
    "brackets": ("records", b"[" * MEGABYTE),
    "a list of events": ("records", b"[" + b"{}," * (MANY) + b"{}]"),
    "cards of a position": ("positions", b"maumau await-play hands=" + b"SS," * MANY),
    "hands of a position": ("positions", UNO_FACTS + b" hands=" + b"/" * MANY + b" discard=R9 draw=-"),
    "tiles": ("hands", b"1\n" + b"1D" * MANY + b" NONE"),
    "groups": ("groups", b"999999999 1000\n"),
    "members": ("groups", b"1 1000\n999999999 0\n"),
    "one group": ("groups", b"1 1000 1000000 " + b"0 " * MANY),
    "one table": ("tables", b"anna " * MANY),
    "a body": ("requests", b"POST /games " + b"[" * MEGABYTE),
    "requests": ("requests", b"GET /games\n" * MANY),
    "a policy": ("options", b"house," * MANY),
}


@pytest.mark.slow
@pytest.mark.parametrize(("name", "data"), LARGE.values(), ids=LARGE)
def test_memory_grows_with_the_input_only(name: str, data: bytes) -> None:
    TARGETS[name].check(data)  # what is imported, and machine code that is loaded, once and for all
    tracemalloc.start()
    try:
        TARGETS[name].check(data)
        _, peak = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    assert peak < 2 * MEGABYTE + 200 * len(data)


# ---------------------------------------------------------------- the attack itself


def test_a_target_notices_an_exception_a_wrong_answer_and_a_word_too_many(monkeypatch: pytest.MonkeyPatch) -> None:
    with monkeypatch.context() as patch:
        patch.setattr(outside, "_admitted", {})  # else the error may be that of a file which another test has read
        patch.setattr(reading, "counting", lambda word, what: {}[word])
        with pytest.raises(KeyError):
            maumau.check(maumau.SEEDS[0])
    with monkeypatch.context() as patch:
        patch.setattr(maumau, "simulate", lambda players, deck: "SS\nScore: 0 0")
        with pytest.raises(AssertionError):
            maumau.check(maumau.SEEDS[0])
    for bad in (
        Called(0, "SS\n", "a warning\n"),
        Called(2, "SS\n", "<stdin>:1: bad\n"),
        Called(2, "", "bad\n"),
        Called(2, "", ""),
        Called(3, "", "<stdin>:1: bad\n"),
    ):
        with pytest.raises(AssertionError):
            answered(bad)
    assert not answered(Called(2, "", "<stdin>:1: bad\n"))


def test_near_misses_keep_a_deck_a_deck_and_a_hand_a_hand() -> None:
    dice = Random(1)
    deck, hand = maumau.SEEDS[0], TARGETS["hands"].SEEDS[2]
    for _ in range(50):
        assert sorted(exchanged(deck, dice).split()) == sorted(deck.split())
        assert sorted(exchanged_pairs(hand, dice)) == sorted(hand)


@pytest.mark.slow
def test_the_targets_are_listed_and_without_atheris_the_message_names_what_to_install() -> None:
    def fuzz(*arguments: str) -> subprocess.CompletedProcess[str]:
        code = f"import sys; sys.modules['atheris'] = None; from fuzz.__main__ import main; sys.exit(main({arguments}))"
        return subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)

    assert fuzz().stdout.split() == list(TARGETS)
    assert (fuzz("maumau").returncode, fuzz("maumau").stderr) == (
        2,
        "fuzzing needs atheris: pip install -e '.[fuzz]' in a clone of the repository\n",
    )
    assert "unknown target 'skat'; use one of groups, hands" in fuzz("skat").stderr
