"""What a player sees of a table, in words: for the lines of a terminal and for its screen."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from fsm.declaration.declaration import Declaration
from render.page.faces import count_text, notes_of, suits

View = dict[str, Any]


def seat_text(view: View, player: int, word: str) -> str:
    """Another player, and what lies there: `Player 2 (house): 5 cards`. word: what a card is called."""
    seat = view["seats"][player - 1]
    absent = ", absent" if seat["absent"] else ""
    hand = view["hands"][player - 1]
    cards = count_text(view["hand_sizes"][player - 1], word) if hand is None else " ".join(hand) or f"no {word}s"
    melds = "".join(f", laid out {' '.join(meld)}" for meld in (view["melds"] or [[]] * len(view["seats"]))[player - 1])
    return f"Player {player} ({seat['name']}{absent}): {cards}{melds}"


def table_lines(view: View, game: Declaration) -> Iterator[str]:
    """The table without the own hand."""
    word = game.codec.notation.card_word
    for seat in view["seats"]:
        if seat["player"] != view["seat"]:
            yield seat_text(view, seat["player"], word)
    if own := (view["melds"] or [[]])[view["seat"] - 1 if view["melds"] else 0]:
        yield f"Laid out by you: {', '.join(' '.join(meld) for meld in own)}"
    top = view["open_card"] or next(iter(view["discard_pile"][::-1]), "")
    opened = f"{'Open' if view['open_card'] else 'Last'} {word}: {top}. " if top else ""
    piles = {game.look.draw_pile: view["draw_pile"], game.look.discard_pile: len(view["discard_pile"])}
    yield opened + ", ".join(f"{name}: {size}" for name, size in piles.items()).capitalize() + "."
    if text := "; ".join(text for text, _ in notes_of(game, view["facts"])):
        yield f"{text[0].upper()}{text[1:]}."
    if view["match"]:
        totals = ", ".join(f"player {player} {total}" for player, total in enumerate(view["match"]["totals"], 1))
        yield f"Totals: {totals}; the match is over at {view['match']['target']}."


def move_text(game: Declaration, move: dict[str, Any]) -> str:
    """A move in words: `play HJ naming spades`."""
    text = str(move["label"])
    if suit := move.get("suit"):
        text = text.removesuffix(suit) + suits(game)[suit]
    return text.replace("_", " ")


def hint_text(game: Declaration, hint: dict[str, Any]) -> str:
    """A hint with its reason."""
    why = f": {hint['why']}" if hint["why"] else ""
    return f"Hint: {move_text(game, hint['move'])}{why}."
