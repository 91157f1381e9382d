"""The notation of cards and suits: the only place that converts between codes and names."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

UNKNOWN = "?"


@dataclass(frozen=True)
class Notation:
    """The notation of one game.

    cards: the name of each card code, from 0 on.
    suits: the letter of each suit code, from 0 on.
    suit_word: what the game calls a suit in its messages (`suit`, `colour`).
    suit_names: the word of each suit code, if they have one.
    card_word: what the game calls a card in its messages (`card`, `tile`).
    ranks: the letter of each rank code, from 0 on, where ranks are named.
    """

    cards: tuple[str, ...]
    suits: str
    suit_word: str
    suit_names: tuple[str, ...] = ()
    card_word: str = "card"
    ranks: str = ""
    _codes: dict[str, int] = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "_codes", {name: code for code, name in enumerate(self.cards)})

    def card(self, name: str) -> int:
        """The code of the card called `name`. Raises ValueError, which names the expected notation."""
        try:
            return self._codes[name]
        except (KeyError, TypeError):
            raise ValueError(f"unknown {self.card_word} {shown(name)}; {self.hint(name)}") from None

    def suit(self, name: str) -> int:
        """The code of the suit whose letter is `name`. Raises ValueError, which lists the expected letters."""
        return _coded(self.suit_word, name, self.suits)

    def rank(self, name: str) -> int:
        """The code of the rank whose letter is `name`. Raises ValueError, which lists the expected letters."""
        return _coded("rank", name, self.ranks)

    def suit_name(self, letter: str) -> str:
        """The word of the suit whose letter is `letter`: `hearts`."""
        return dict(zip(self.suits, self.suit_names, strict=False)).get(letter, letter)

    def knows(self, name: str) -> bool:
        """Whether `name` is the name of a card."""
        return isinstance(name, str) and name in self._codes

    def names(self, codes: Iterable[int]) -> list[str]:
        """The names of `codes`, in their order."""
        return list(map(self.cards.__getitem__, codes))

    def by_name(self, codes: Iterable[int]) -> dict[str, list[int]]:
        """Some codes by the name of the card, in their order."""
        found: dict[str, list[int]] = {}
        for code in codes:
            found.setdefault(self.cards[code], []).append(code)
        return found

    def hint(self, name: str) -> str:
        """What is expected in place of the unknown `name`."""
        if isinstance(name, str) and name.upper() in self._codes:
            return f"use upper case: {name.upper()}"
        if any(len(card) != 2 for card in self.cards):
            return f"use one of {', '.join(dict.fromkeys(self.cards))}"
        first = "".join(dict.fromkeys(card[0] for card in self.cards))
        second = "".join(dict.fromkeys(card[1] for card in self.cards))
        return f"use one {'digit' if first.isdigit() else 'letter'} of {first} and one of {second}"


def _coded(what: str, name: str, letters: str) -> int:
    if isinstance(name, str) and len(name) == 1 and name in letters:
        return letters.index(name)
    raise ValueError(f"unknown {what} {shown(name)}; use one of {', '.join(letters)}")


def shown(text: object, most: int = 24) -> str:
    """`text` quoted for a message: printable, on one line, at most `most` characters of it."""
    try:
        quoted = ascii(text)
    except ValueError:  # an integer beyond sys.get_int_max_str_digits()
        return "a number of too many digits"
    return quoted if len(quoted) <= most else f"{quoted[:most]}... ({len(str(text))} characters)"


def named(word: object, most: int = 24) -> str:
    """`word` unchanged if it is short and has plain letters only, else quoted for a message."""
    plain = isinstance(word, str) and word.isascii() and word.isprintable() and len(word) <= most
    return str(word) if plain else shown(word, most)


def reason(error: OSError) -> str:
    """The message of the operating system, in lower case."""
    return (error.strerror or str(error)).lower()


def with_article(word: str) -> str:
    """A word after its article: `a suit`, `an amount`."""
    return f"{'an' if word[0].lower() in 'aeiou' else 'a'} {word}"


def listed(things: Sequence[object], last: str) -> str:
    """Some things in words: `a, b or c`. last: what stands before the last one."""
    texts = [str(thing) for thing in things]
    return last.join([", ".join(texts[:-1]), texts[-1]] if len(texts) > 1 else texts)


def one_of(numbers: Sequence[int]) -> str:
    """Return some numbers in words: `2 to 4`, `2 or 4`, `2`."""
    least, most = min(numbers), max(numbers)
    if len(numbers) > 1 and len(numbers) == most - least + 1:
        return f"{least} to {most}"
    return listed(sorted(numbers), " or ")


MAX_SUGGESTED = 8
"""How many names a message lists at most."""


def shortlist(names: Sequence[str]) -> str:
    """Return the first MAX_SUGGESTED names, and how many more there are: `a, b, c, d, e, f, g, h and 24 more`."""
    more = len(names) - MAX_SUGGESTED
    return ", ".join(names[:MAX_SUGGESTED]) + (f" and {more:,} more" if more > 0 else "")


def expected_name(name: object, known: Iterable[str], listing: str = "") -> str:
    """Return what a message about an unknown name says next: the names that are near, then names that are known.

    known: all names, each a word, perhaps with an explanation after it. listing: the command that lists all of them.
    At most MAX_SUGGESTED names are listed, the nearest first. A comma or a semicolon precedes the text.
    """
    from difflib import get_close_matches  # its import takes longer than all else here

    known = list(known)
    words = {each.partition(" ")[0].lower(): each for each in known}
    given = str(name)[:80].lower()
    begun = [word for word in words if len(given) > 2 and word.startswith(given)]
    near = [words[word] for word in dict.fromkeys([*begun, *get_close_matches(given, words)])][:3]
    names = list(dict.fromkeys([*near, *known]))
    guess = f"; did you mean {listed(near, ' or ')}? Use" if near else "; use"
    if listing and len(names) > MAX_SUGGESTED:
        return f"{guess} one of {', '.join(names[:MAX_SUGGESTED])}; {listing} lists all"
    return f"{guess} one of {shortlist(names)}"


def many(number: int, what: str, several: str = "") -> str:
    """A count with its noun: `no tiles`, `1 tile`, `2,000 tiles`. several: the plural, unless it is formed with s."""
    return f"{f'{number:,}' if number else 'no'} {what if number == 1 else several or what + 's'}"
