"""How a game is shown in a terminal and in a notebook."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from fsm.declaration.look import Look

LINE = 160
"""Columns of a line in which the hands of many players are shown."""
ON_ONE_LINE = 4
"""Hands of up to this many players stand on one line."""


def table_text(
    look: Look,
    hands: Sequence[Sequence[str]],
    melds: Sequence[Sequence[Sequence[str]]],
    dealt: int,
    discard_pile: Sequence[str],
    draw_pile: Sequence[str],
) -> str:
    """A table as the statement of the problem shows it. dealt: cards dealt to each player."""
    texts = [f"player {seat + 1}: {' '.join(hand)}" for seat, hand in enumerate(hands)]
    if melds:
        texts = [" | ".join([text, *map(" ".join, melds[seat])]) for seat, text in enumerate(texts)]
        lines = [*texts, *_piles(look, discard_pile, draw_pile)]
        return "\n".join(lines)
    width = len("player 1: ") + 3 * dealt + 5
    in_row = max(LINE // (width + 1), 2) if len(hands) > ON_ONE_LINE else len(hands)
    rows = [texts[first : first + in_row] for first in range(0, len(texts), in_row)]
    lines = ["".join(text.ljust(max(width, len(text) + 3)) for text in row).rstrip() for row in rows]
    return "\n".join([*lines, *_piles(look, discard_pile, draw_pile)])


def _piles(look: Look, discard_pile: Sequence[str], draw_pile: Sequence[str]) -> Iterator[str]:
    """The lines of the two piles."""
    width = max(len(look.discard_pile), len(look.draw_pile)) + len(": ")
    yield f"{f'{look.discard_pile}: '.ljust(width)}{' '.join(discard_pile)}".rstrip()
    yield f"{f'{look.draw_pile}: '.ljust(width)}{' '.join(draw_pile)}".rstrip()


def notebook_bundle(game: Any) -> dict[str, Any]:
    """What a notebook shows, by MIME type: the table as text, and the output of the installed renderers."""
    from importlib.metadata import entry_points  # it takes longer to import than anything else here

    bundle: dict[str, Any] = {"text/plain": f"{game!r}\n{game}"}
    for renderer in entry_points(group="maumau.notebook"):
        bundle |= renderer.load()(game)
    return bundle
