"""The waits of a mahjong hand: as the problem's output, explained split by split and item by item, as a record."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from typing import Any

from rules.mahjong.hand import MAX_SUITS, Hand, Wait, Win, dead_waits
from rules.mahjong.hand import waits as waits_of
from rules.mahjong.problem import read_hands, write_hand
from rules.mahjong.tiles import SUITS, TILES, Group, counted, suits_held

NO_WAITS = "NONE"
FORMAT, VERSION = "maumau-waits", 1


def answers(text: str, source: str, explain: bool, as_json: bool) -> Iterator[str]:
    """Yield the answer to each hand of an input. Raises InputError before the first one."""
    for number, hand in enumerate(read_hands(text, source), 1):
        found = waits_of(*hand)
        if as_json:
            yield json.dumps(record(hand, found))
        else:
            yield f"{explained(number, hand, found)}\n" if explain else result(number, found)


def result(number: int, waits: Sequence[Wait]) -> str:
    """The problem's output for the hand of a number."""
    return "\n".join([f"Case #{number}:", *(map(str, waits) if waits else [NO_WAITS])])


def explained(number: int, hand: Hand, waits: Sequence[Wait]) -> str:
    """The waits with the best split of each, drawn as melds, and each item that holds with its points."""
    paragraphs = ["\n".join(_wait_lines(wait)) for wait in waits] or [NO_WAITS]
    reasons = " ".join(_reasons(hand, waits))
    return "\n\n".join([f"Case #{number}: {write_hand(hand)}", *paragraphs, *([reasons] if reasons else [])])


def record(hand: Hand, waits: Sequence[Wait]) -> dict[str, Any]:
    """The waits as plain data.

    hidden: the tiles. exposed: the tiles of each meld. waits: of each the `tile`, the `score`, the `groups` of the best
    split (`kind`, `tiles`, `exposed`), the `items` that hold (`item`, `times`, `points` together,
    `description`), and the scores of the `other_splits`.
    """
    return {
        "format": FORMAT,
        "version": VERSION,
        "hidden": TILES.names(hand.hidden),
        "exposed": [TILES.names(meld.tiles) for meld in hand.exposed],
        "waits": [
            {
                "tile": TILES.cards[wait.tile],
                "score": wait.score,
                "groups": [
                    {"kind": str(group.kind), "tiles": TILES.names(group.tiles), "exposed": lies_open}
                    for group, lies_open in _groups(wait.win)
                ],
                "items": [
                    {
                        "item": scored.item.name,
                        "times": scored.times,
                        "points": scored.points,
                        "description": scored.item.description,
                    }
                    for scored in wait.items
                ],
                "other_splits": list(wait.others),
            }
            for wait in waits
        ],
    }


def _groups(win: Win) -> list[tuple[Group, bool]]:
    """The groups of a win in the order in which they are shown, and whether they are exposed."""
    hidden = sorted(win.hidden, key=lambda group: group.tile)
    return [*((group, False) for group in hidden), *((group, True) for group in win.exposed)] + [
        (group, False) for group in win.pairs
    ]


def _wait_lines(wait: Wait) -> Iterator[str]:
    yield str(wait)
    groups = [(str(group), f"{'exposed ' * lies_open}{group.kind}") for group, lies_open in _groups(wait.win)]
    for line in zip(*groups, strict=True):
        cells = zip(line, groups, strict=True)
        yield f"    {'  '.join(cell.ljust(max(map(len, group))) for cell, group in cells)}".rstrip()
    names = [f"{each.item.name}{f', {each.times} times' * (each.times > 1)}" for each in wait.items]
    for scored, name in zip(wait.items, names, strict=True):
        yield f"    {scored.points}  {name.ljust(max(map(len, names)))}  {scored.item.description}"
    if wait.others:
        yield f"    Other splits score {', '.join(map(str, wait.others))}."


def _reasons(hand: Hand, waits: Sequence[Wait]) -> Iterator[str]:
    """Why there are no waits, or not more of them, where one would ask."""
    if suits_held(counted([*hand.hidden, *(tile for meld in hand.exposed for tile in meld.tiles)])) > MAX_SUITS:
        yield f"The tiles are of {len(SUITS)} suits, a hand that wins has {MAX_SUITS} at most."
        return
    dead = dead_waits(*hand)
    for tile in dead:
        yield f"{TILES.cards[tile]} would win, but the hand holds all four."
    if not waits and not dead:
        yield "There is no tile with which the hand wins."
