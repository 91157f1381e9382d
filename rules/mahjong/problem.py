"""The input of the problem: the number of hands, then for each its hidden tiles, and the exposed ones or NONE."""

from __future__ import annotations

from rules.mahjong.hand import MELDS, TILES_HELD, Hand, check, melds_beside
from rules.mahjong.tiles import SIZES, TILES, exposed_melds
from rules.notation import many, shown
from rules.reading import STDIN, Fault, InputError, read_counted

NOT_EXPOSED = "NONE"
PARTS = f"hidden tiles, and exposed ones or {NOT_EXPOSED}"
MAX_EXPOSED = MELDS * max(SIZES)


def read_hands(text: str, source: str = STDIN) -> list[Hand]:
    """The hands of a whole input. Raises InputError, which lists all invalid lines."""
    return read_counted(text, source, "hands", _read)


def read_hand(line: str) -> Hand:
    """The hand of one line. Raises InputError."""
    try:
        return _read(line)
    except ValueError as error:
        raise InputError([Fault(1, str(error))], "line") from None


def write_hand(hand: Hand) -> str:
    """The line of the input for a hand."""
    return f"{''.join(TILES.names(hand.hidden))} {''.join(map(str, hand.exposed)) or NOT_EXPOSED}"


def _read(line: str) -> Hand:
    words = line.split(maxsplit=2)
    if len(words) != 2:
        found = "more than two words" if words[2:] else many(len(words), "word")
        raise ValueError(f"{found}; write two: {PARTS}")
    hidden = _tiles(words[0], "hidden", TILES_HELD)
    melds = melds_beside(len(hidden))
    hand = Hand(hidden, exposed_melds(_exposed(words[1]), melds))
    check(*hand)
    return hand


def _exposed(word: str) -> tuple[int, ...]:
    if word == NOT_EXPOSED:
        return ()
    if word.upper() == NOT_EXPOSED:
        raise ValueError(f"exposed tiles {shown(word)}; use upper case: {NOT_EXPOSED}")
    return _tiles(word, "exposed", MAX_EXPOSED)


def _tiles(word: str, part: str, most: int) -> tuple[int, ...]:
    """The codes of the tiles that a word names. Raises ValueError for an unknown one, or for too many."""
    names = [word[index : index + 2] for index in range(0, min(len(word), 2 * most), 2)]
    try:
        codes = tuple(map(TILES.card, names))
    except ValueError as error:
        index = next(index for index, name in enumerate(names, 1) if not TILES.knows(name))
        raise ValueError(f"{part} tile {index}: {error}") from None
    if len(word) > 2 * most:
        raise ValueError(f"{(len(word) + 1) // 2} {part} tiles; use at most {most}")
    return codes
