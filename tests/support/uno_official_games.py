"""Positions of official UNO in short, the games of its corpus, and its events as the plain simulator writes them."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

from plain_uno_official import CARDS
from short_positions import parts_of

from fsm import UnoOfficial

CORPUS = Path(__file__).parents[1] / "corpus" / "unoofficial"
FACTS = {
    "player": "1",
    "turn": "1",
    "dealer": "1",
    "reversed": "0",
    "colour": "-",
    "colour_before": "-",
    "guilty": "0",
    "laid_by": "-",
    "due": "0",
    "why": "-",
    "drawn": "-",
}
TOLD = ("play", "take", "keep", "call", "stay_silent", "catch", "let_pass", "name", "accept", "challenge", "skip")


def whole(short: str) -> str:
    """The whole position that `short` means: facts left out have their defaults, `...` are all cards not named."""
    phase, given, piles = parts_of(short, CARDS)
    players = piles["hands"].count("/") + 1
    open_card = piles["discard"].split(",")[-1]
    facts = FACTS | {"colour": "-" if open_card[0] == "W" else open_card[0]}
    facts |= {"calls": "/".join(["0"] * players), "ending": "-", "winner": "-"} | given
    return " ".join([phase, *(f"{name}={value}" for name, value in (facts | piles).items())])


def at(short: str, policies: tuple[str, ...] = ()) -> UnoOfficial:
    return UnoOfficial.at(whole(short), policies)


def settle(game: UnoOfficial) -> UnoOfficial:
    """Step until somebody is to choose, or the round is over."""
    while game.outcome is None and game.forced_events and not any(map(game.events().__contains__, ("draw", "catch"))):
        if game.phase.name in ("AWAIT_PLAY", "UNO_PENDING"):
            break
        game.step()
    return game


def events(game: UnoOfficial) -> list[str]:
    """What was chosen, drawn and skipped, as the plain simulator writes it."""
    told = []
    for step in game.history:
        if step.trigger in TOLD or (step.trigger == "draw" and step.source.name == "AWAIT_PLAY"):
            named = [step.card] if step.card else [step.suit] if step.suit else []
            told.append(" ".join([str(step.player), step.trigger, *named]))
    return told


def cases() -> Iterator[tuple[str, int, list[str], tuple[str, ...], str]]:
    """The rounds of the corpus: the name of each, the players, the deck, the policies, and the lines of its result."""
    for source in sorted(CORPUS.glob("cases*.in")):
        if "match" in source.name:
            continue
        named = re.search(r"policies\.(.+)\.in", source.name)
        policies = tuple(named[1].split(",")) if named else ("house",)
        words = source.read_text().split()
        answers = iter(source.with_name(f"{source.name.removesuffix('.in')}.out").read_text().splitlines())
        for number in range(int(words[0])):
            first = 1 + 109 * number
            result = next(answers)
            result += "" if result.startswith("No score") else f"\n{next(answers)}"
            yield f"{source.stem}-{number + 1}", int(words[first]), words[first + 1 : first + 109], policies, result
