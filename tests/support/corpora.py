"""Compares the games of a corpus with its answers, and says where they differ first."""

from __future__ import annotations

from collections.abc import Collection, Iterable
from itertools import islice
from pathlib import Path


def difference(given: Path, results: Iterable[str]) -> str:
    """Return the first game of an input whose result is not in the answers beside it; empty if all are there.

    given: `.in`, in words: the number of games, then players and deck of each. Its answers end in `.out`. results: the
    lines of each game.
    """
    decks: list[str] = []
    for word in given.read_text().split()[1:]:
        if word.isdigit():
            decks.append(word)
        else:
            decks[-1] += f" {word}"
    answers = given.with_suffix(".out").read_text().splitlines()
    lines = iter(answers)
    for number, (deck, result) in enumerate(zip(decks, results, strict=True)):
        found = result.splitlines()
        if (expected := list(islice(lines, len(found)))) != found:
            line = len(answers) - len(list(lines)) - len(expected) + 1
            return "\n".join(
                [f"{given.name}: game {number} differs from line {line} of the answers", deck]
                + [f"expected  {each}" for each in expected]
                + [f"played    {each}" for each in found]
            )
    return "\n".join(lines)


def check_known(rules: Iterable[str], known: Collection[str], witness: str) -> None:
    """Raise NotImplementedError if a witness, the file of a name, does not know a rule that it is to play."""
    if unknown := sorted(set(rules) - set(known)):
        raise NotImplementedError(f"{witness} does not know {', '.join(unknown)}: write it there by the specification")
