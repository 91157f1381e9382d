"""Speed of mahjong waits with scores and splits, compared with the `mahjong` package of PyPI.

python -m benchmarks.waits [--hands N] [--repeats K] [--json FILE]
"""

from __future__ import annotations

import argparse
import random
from collections.abc import Callable, Iterator, Sequence
from dataclasses import asdict, dataclass
from typing import Any

from benchmarks.measuring import (
    CannotMeasureError,
    cpu_time,
    in_turn,
    markdown,
    ratio_text,
    surroundings,
    three_digits,
    time_text,
    whole_number,
    write_json,
)
from rules.mahjong import hand as of_hands
from rules.mahjong import read_hands, waits
from rules.mahjong.hand import MELDS, TILES_HELD, Hand
from rules.mahjong.problem import write_hand
from rules.mahjong.tiles import COPIES, KINDS, RANKS, Group, GroupKind

SEED, REQUIRED = 7, 5000
KINDS_34 = 34
"""Kinds of tiles that the package counts, honours too."""

WAITS, TEXT = "waits, scores and splits", "the same, read from text"
AGARI, SHANTEN = "mahjong: is_agari with each of 27 tiles", "mahjong: calculate_shanten"

LEGEND = f"""\
Medians of CPU time of one core; the rows of one kind of hands were measured in turn. No hand is there twice in a kind,
and all that is remembered of hands is forgotten before each round. ratio: hands a second against the row of
`{AGARI}`. required: hands a second, of hands at random.

- dealt: tiles from the wall, of so many suits. ready: a winning hand less a tile; exposed: with one to four exposed
  melds, gangs too.
- {WAITS}: for each wait every split, and every item with its points.
- {AGARI}: whether the hidden tiles win with it; no score, no split.
- {SHANTEN}: how many tiles are missing; 0 if the hand waits.
- The package plays riichi: honours, thirteen orphans, any number of suits, seven pairs of seven kinds. All waits were
  compared; those that differ do so for a reason that the last table counts."""


@dataclass(frozen=True)
class Row:
    """The result of one way to read one kind of hands: seconds a hand, and the speed relative to `is_agari`."""

    hands: str
    what: str
    number: int
    seconds: float = 0
    ratio: float = 0
    reason: str = ""

    def cells(self) -> list[str]:
        """The cells of the table."""
        if self.reason:
            return [self.hands, self.what, "", "", "", "", f"not measured: {self.reason}"]
        rate = 1 / self.seconds
        required = self.what in (WAITS, TEXT) and self.hands.startswith("dealt")
        met = f"{REQUIRED:,}: {'yes' if rate >= REQUIRED else 'no'}" if required else ""
        ratio = ratio_text(self.ratio) if self.ratio else ""
        return [self.hands, self.what, f"{self.number:,}", time_text(self.seconds), three_digits(rate), ratio, met]


def dealt(suits: int, dice: random.Random) -> Iterator[Hand]:
    """Hands dealt from a wall of so many suits."""
    wall = [tile for tile in range(suits * RANKS) for _ in range(COPIES)]
    while True:
        yield Hand(tuple(dice.sample(wall, TILES_HELD)))


def ready(suits: int, dice: random.Random, exposed: bool = False) -> Iterator[Hand]:
    """Winning hands of so many suits less a tile, with or without exposed melds."""
    runs = [Group(GroupKind.RUN, tile) for tile in range(suits * RANKS) if tile % RANKS < RANKS - 2]
    triplets, gangs, pairs = (
        [Group(kind, tile) for tile in range(suits * RANKS)]
        for kind in (GroupKind.TRIPLET, GroupKind.GANG, GroupKind.PAIR)
    )
    while True:
        number = dice.randrange(1, MELDS + 1) if exposed else 0
        shown = [dice.choice(dice.choice([runs, triplets, gangs])) for _ in range(number)]
        parts = [dice.choice(dice.choice([runs, triplets])) for _ in range(MELDS - number)] + [dice.choice(pairs)]
        everything = [tile for group in (*shown, *parts) for tile in group.tiles]
        if max(map(everything.count, everything)) <= COPIES:
            hidden = [tile for group in parts for tile in group.tiles]
            dice.shuffle(hidden)
            yield Hand(tuple(hidden[1:]), tuple(shown))


KINDS_OF_HANDS: dict[str, Callable[[random.Random], Iterator[Hand]]] = {
    "dealt, three suits": lambda dice: dealt(3, dice),
    "dealt, two suits": lambda dice: dealt(2, dice),
    "dealt, one suit": lambda dice: dealt(1, dice),
    "ready, two suits": lambda dice: ready(2, dice),
    "ready, two suits, exposed": lambda dice: ready(2, dice, exposed=True),
    "ready, one suit": lambda dice: ready(1, dice),
}


def different(hands: Iterator[Hand], number: int) -> list[Hand]:
    """The first `number` of hands, none of them twice."""
    found: dict[object, Hand] = {}
    for hand in hands:
        found.setdefault((tuple(sorted(hand.hidden)), hand.exposed), hand)
        if len(found) == number:
            return list(found.values())
    raise AssertionError("the row of hands is endless")


def clear_caches() -> None:
    """Clear all cached results of earlier hands."""
    for function in vars(of_hands).values():
        if hasattr(function, "cache_clear"):
            function.cache_clear()


def counted(tiles: Sequence[int]) -> list[int]:
    """Tiles as the package counts them; its suits have other names and the same order of ranks."""
    counts = [0] * KINDS_34
    for tile in tiles:
        counts[tile] += 1
    return counts


class Package:
    """The `mahjong` package. Raises CannotMeasureError if it is not installed."""

    def __init__(self) -> None:
        try:
            from mahjong.agari import Agari
            from mahjong.shanten import Shanten
        except ImportError:
            raise CannotMeasureError("mahjong is not installed, see the extra `bench`") from None
        self._agari: Any = Agari()
        self._shanten: Any = Shanten()

    def winning(self, hidden: Sequence[int]) -> list[int]:
        """The tiles with which hidden ones win, a fifth one of a kind too."""
        counts, found = counted(hidden), []
        for tile in range(KINDS):
            counts[tile] += 1
            if self._agari.is_agari(counts):
                found.append(tile)
            counts[tile] -= 1
        return found

    def missing(self, hidden: Sequence[int]) -> int:
        """How many tiles are missing until hidden ones wait."""
        number: int = self._shanten.calculate_shanten(counted(hidden))
        return number


class Bench:
    """Hands of each kind, and the ways to read them."""

    def __init__(self, number: int) -> None:
        self.hands = {
            name: different(make(random.Random(SEED + place)), number)
            for place, (name, make) in enumerate(KINDS_OF_HANDS.items())
        }
        self.reason, self.package = "", None
        try:
            self.package = Package()
        except CannotMeasureError as error:
            self.reason = str(error)

    def rows(self, repeats: int) -> Iterator[Row]:
        """Measure all, the ways of each kind of hands in turn."""
        for name, hands in self.hands.items():
            seconds = in_turn(self._measures(hands), repeats)
            base = seconds.get(AGARI, 0)
            for what, taken in seconds.items():
                yield Row(name, what, len(hands), taken / len(hands), base / taken)
            if self.reason:
                yield from (Row(name, what, len(hands), reason=self.reason) for what in (AGARI, SHANTEN))

    def _measures(self, hands: list[Hand]) -> dict[str, Callable[[], float]]:
        text = "\n".join([str(len(hands)), *map(write_hand, hands)])

        def read(work: Callable[[], object]) -> float:
            clear_caches()
            return cpu_time(work)

        measures = {
            WAITS: lambda: read(lambda: [waits(*hand) for hand in hands]),
            TEXT: lambda: read(lambda: [waits(*hand) for hand in read_hands(text)]),
        }
        if package := self.package:
            measures[AGARI] = lambda: cpu_time(lambda: [package.winning(hand.hidden) for hand in hands])
            measures[SHANTEN] = lambda: cpu_time(lambda: [package.missing(hand.hidden) for hand in hands])
        return measures

    def compared(self) -> Iterator[list[str]]:
        """For each kind of hands how many waits are the same, and why the others are not."""
        for name, hands in self.hands.items() if self.package else ():
            whys = [why for hand in hands for why in self._why(hand)]
            yield [name, *(f"{whys.count(why):,}" for why in WHYS)]

    def _why(self, hand: Hand) -> Iterator[str]:
        """For each tile with which a hand wins by one of the two: the same, or why not."""
        assert self.package
        ours = {wait.tile: wait for wait in waits(*hand)}
        theirs = set(self.package.winning(hand.hidden))
        everything = [*hand.hidden, *(tile for meld in hand.exposed for tile in meld.tiles)]
        for tile in ours.keys() | theirs:
            if tile in ours and tile in theirs:
                yield SAME
            elif tile in theirs:
                yield (
                    FIFTH
                    if everything.count(tile) == COPIES
                    else THREE_SUITS
                    if len({each // RANKS for each in everything}) > 2
                    else UNEXPLAINED
                )
            else:
                yield EQUAL_PAIRS if not ours[tile].win.melds and len(set(ours[tile].win.pairs)) < 7 else UNEXPLAINED


SAME, FIFTH, THREE_SUITS = "the same", "all four are held", "three suits"
EQUAL_PAIRS, UNEXPLAINED = "four equal as two pairs", "unexplained"
WHYS = (SAME, FIFTH, THREE_SUITS, EQUAL_PAIRS, UNEXPLAINED)


def main(arguments: Sequence[str] | None = None) -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.waits", description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--hands", type=whole_number, default=3000, help="hands of each kind (default: %(default)s)")
    parser.add_argument("--repeats", type=whole_number, default=5, help="rounds in turn (default: %(default)s)")
    parser.add_argument("--json", metavar="FILE", help="write the rows into FILE, too")
    options = parser.parse_args(arguments)
    machine = surroundings("mahjong")
    bench = Bench(options.hands)
    rows = list(bench.rows(options.repeats))
    head = ["hands", "what", "number", "a hand", "hands a second", "ratio", "required"]
    print(f"{machine}; {options.repeats} rounds\n")
    print(markdown(head, [row.cells() for row in rows]))
    print(f"\n{LEGEND}")
    if compared := list(bench.compared()):
        print(f"\n{markdown(['waits, by hands', *WHYS], compared)}")
    write_json(options.json, {"machine": machine, "repeats": options.repeats, "rows": [asdict(row) for row in rows]})


if __name__ == "__main__":
    main()
