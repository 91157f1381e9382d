"""How a game is shown in a terminal and in a notebook."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

LINE = 160
"""Columns of a line in which the hands of many players are shown."""
ON_ONE_LINE = 4
"""Hands of up to this many players stand on one line."""


def table_text(
    hands: Sequence[Sequence[str]], melds: Sequence[Sequence[Sequence[str]]], dealt: int, below: Mapping[str, str]
) -> str:
    """A table as the statement of the problem shows it. dealt: cards dealt to each. below: the other lines, by name."""
    texts = [f"player {seat + 1}: {' '.join(hand)}" for seat, hand in enumerate(hands)]
    names = max((len(f"{name}: ") for name in below), default=0)
    others = [f"{f'{name}: '.ljust(names)}{text}".rstrip() for name, text in below.items()]
    if melds:
        return "\n".join(
            [*(" | ".join([text, *map(" ".join, melds[seat])]) for seat, text in enumerate(texts)), *others]
        )
    width = len("player 1: ") + 3 * dealt + 5
    in_row = max(LINE // (width + 1), 2) if len(hands) > ON_ONE_LINE else len(hands)
    rows = [texts[first : first + in_row] for first in range(0, len(texts), in_row)]
    lines = ["".join(text.ljust(max(width, len(text) + 3)) for text in row).rstrip() for row in rows]
    return "\n".join([*lines, *others])


def trick_text(trick: Sequence[tuple[int, str]]) -> str:
    """A trick in words: players and their cards, the leader first."""
    return ", ".join(f"player {player} {card}" for player, card in trick)


def notebook_bundle(game: Any) -> dict[str, Any]:
    """What a notebook shows, by MIME type: the table as text, and the output of the installed renderers."""
    from importlib.metadata import entry_points  # it takes longer to import than anything else here

    bundle: dict[str, Any] = {"text/plain": f"{game!r}\n{game}"}
    for renderer in entry_points(group="maumau.notebook"):
        bundle |= renderer.load()(game)
    return bundle
