"""A smaller deck with which a property still fails: as few cards as are left if they are left out one by one."""

from __future__ import annotations

from collections.abc import Iterator

from fsm.check.properties import Report
from fsm.check.stepped import explore_stepped
from fsm.declaration.arcs import SmallDeck
from fsm.stepping.game import Game

MAX_POSITIONS = 20_000
"""Positions of a smaller deck that are visited at most."""


def shrunk(kind: type[Game], small: SmallDeck, number: int) -> tuple[SmallDeck, Report] | None:
    """The smallest deck that is found by leaving out cards, and its report; None if each smaller deck is sound.

    kind: the game class. small: a deck with which a property fails. number: that of the property.
    """
    for fewer in _smaller(kind, small):
        report = explore_stepped(kind, fewer, MAX_POSITIONS)
        if report.failed[number]:
            return shrunk(kind, fewer, number) or (fewer, report)
    return None


def _smaller(kind: type[Game], small: SmallDeck) -> Iterator[SmallDeck]:
    """The decks with one card less that can be dealt."""
    cards = small.cards.split()
    for index in range(len(cards)):
        fewer = small._replace(cards=" ".join([*cards[:index], *cards[index + 1 :]]))
        try:
            kind.with_deck(fewer.cards, fewer.each)
        except ValueError:
            continue
        yield fewer
