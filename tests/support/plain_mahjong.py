"""An independent solver for mahjong hands with a different algorithm, which imports nothing from the project.

Tiles are words. For each of the 27 kinds it lays out a pair, then takes from the lowest tile left a triplet or a run,
and throws away the splits that it finds twice.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

KINDS = [f"{rank}{suit}" for suit in "DBM" for rank in "123456789"]
Split = tuple[tuple[str, ...], ...]


def cut(word: str) -> list[str]:
    return [word[place : place + 2] for place in range(0, len(word), 2)]


def without(tiles: list[str], taken: list[str]) -> list[str] | None:
    rest = list(tiles)
    for tile in taken:
        if tile not in rest:
            return None
        rest.remove(tile)
    return rest


def melds(tiles: list[str]) -> Iterator[Split]:
    if not tiles:
        yield ()
        return
    first = min(tiles, key=KINDS.index)
    run = [f"{int(first[0]) + step}{first[1]}" for step in range(3)]
    for meld in ([first] * 3, run):
        rest = without(tiles, meld)
        if rest is not None:
            for others in melds(rest):
                yield (tuple(meld), *others)


def splits(hidden: list[str], exposed: Split) -> set[Split]:
    """All splits of hidden tiles that win, each with the exposed melds, its groups in one order."""
    found: set[Split] = set()
    for tile in set(hidden):
        rest = without(hidden, [tile, tile])
        if rest is not None:
            found |= {tuple(sorted((*others, *exposed, (tile, tile)))) for others in melds(rest)}
    if not exposed and all(copies % 2 == 0 for copies in Counter(hidden).values()):
        ordered = sorted(hidden)
        found.add(tuple(zip(ordered[::2], ordered[1::2], strict=True)))
    return found


def score(split: Split) -> int:
    tiles = [tile for group in split for tile in group]
    of_three = [group for group in split if len(group) > 2]
    triplets = bool(of_three) and all(len(set(group)) == 1 for group in of_three)
    points = 1 + sum(copies == 4 for copies in Counter(tiles).values())
    points += 2 * (len({tile[1] for tile in tiles}) == 1)
    points += 2 * (len(split) == 7)
    points += triplets + 2 * (triplets and {tile[0] for tile in tiles} <= set("258"))
    points += 2 * all(any(tile[0] in "19" for tile in group) for group in split)
    return points


def waits(hidden: list[str], exposed: Split) -> dict[str, list[int]]:
    """Of each wait the scores of all its splits, the most first."""
    tiles = [*hidden, *(tile for meld in exposed for tile in meld)]
    if len({tile[1] for tile in tiles}) > 2:
        return {}
    found = {}
    for tile in KINDS:
        if tiles.count(tile) < 4 and (ways := splits([*hidden, tile], exposed)):
            found[tile] = sorted(map(score, ways), reverse=True)
    return found
