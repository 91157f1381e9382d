"""Decks of UNO: accepted games agree with an independent simulator."""

from __future__ import annotations

from fuzz.called import answered, called
from fuzz.near import exchanged
from tests.support.plain_uno import CARDS, simulate

OPENING = "R9"
DECK = " ".join([*(card for card in CARDS if card[0] != "W" and card != OPENING), OPENING, *CARDS[-8:], OPENING])
SEEDS = (f"1\n2\n{DECK}\n".encode(), f"2\n10 {DECK} 3\n{DECK}\n".encode())
WORDS = (*dict.fromkeys(CARDS), "1", "2", "10", "\n", " ")
near = exchanged


def check(data: bytes) -> None:
    """Play the games of `data`."""
    done = called("simulate", "--game", "uno", data=data)
    if answered(done):
        words = data.decode("utf-8-sig").split()[1:]
        cases = [words[place : place + 109] for place in range(0, len(words), 109)]
        assert done.out == "".join(f"{simulate(int(players), deck)}\n" for players, *deck in cases)
