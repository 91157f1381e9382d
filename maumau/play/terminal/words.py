"""Cards in words, for people who hear the lines of a table: `queen of clubs` in place of `CQ`."""

from __future__ import annotations

import re
from collections.abc import Iterator

from fsm.declaration.declaration import Declaration
from fsm.edge.kept import kept

OF = " of "
"""Stands between the rank and the suit of a card in words."""
PRONOUNS = ("A", "I")
"""Words of sentences, which no name of a card stands for."""


@kept
def labels_of(game: Declaration) -> dict[str, str]:
    """Return the cards of a game in words, by name; cards whose words are their names are left out."""
    notation = game.codec.notation
    labels = {name: game.look.face(notation, name).label for name in dict.fromkeys(notation.cards)}
    return {name: label for name, label in labels.items() if label not in ("", name) and name not in PRONOUNS}


@kept
def _patterns(game: Declaration) -> tuple[re.Pattern[str], re.Pattern[str]]:
    """Return a pattern that finds one card, and one that finds cards that follow each other."""
    one = "|".join(map(re.escape, sorted(labels_of(game), key=lambda name: (-len(name), name))))
    return re.compile(one), re.compile(rf"(?<![\w-])(?:{one})+(?:[ ,](?:{one})+)*(?![\w-])")


def worded(game: Declaration, text: str) -> str:
    """Return a text in which codes of cards are words; commas separate cards that follow each other."""
    labels = labels_of(game)
    if not labels:
        return text
    one, row = _patterns(game)
    return row.sub(lambda found: ", ".join(labels[name] for name in one.findall(found[0])), text)


def key_lines(game: Declaration) -> Iterator[str]:
    """Return the key to the codes of the cards: an example, then the letters of suits and ranks, if codes have them."""
    labels = labels_of(game)
    if not labels:
        return
    name = next(iter(labels))
    yield f"Cards are typed as codes, such as {name} for {labels[name]}; cards lists those of your hand."
    if all(label.count(OF) == 1 and len(name) == 2 for name, label in labels.items()):
        suit_of = {name: game.look.face(game.codec.notation, name).suit for name in labels}
        words = {name: label.split(OF) for name, label in labels.items()}
        suits = {suit: words[name][1] for name, suit in suit_of.items()}
        ranks = {name.replace(suit, "", 1): words[name][0] for name, suit in suit_of.items()}
        yield f"Suits: {', '.join(f'{code} {word}' for code, word in suits.items())}."
        yield f"Ranks: {', '.join(f'{code} {word}' for code, word in ranks.items())}."
