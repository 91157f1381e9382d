"""What a player sees of a table, in words: for the lines of a terminal and for its screen."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from fsm.declaration.arcs import Fact
from fsm.declaration.declaration import Declaration

View = dict[str, Any]


def many(count: int, word: str) -> str:
    """`1 card`, `5 cards`."""
    return f"{count} {word}{'' if count == 1 else 's'}"


def seat_text(view: View, player: int, word: str) -> str:
    """Another player, and what lies there: `Player 2 (house): 5 cards`. word: what a card is called."""
    seat = view["seats"][player - 1]
    absent = ", absent" if seat["absent"] else ""
    hand = view["hands"][player - 1]
    cards = many(view["hand_sizes"][player - 1], word) if hand is None else " ".join(hand) or f"no {word}s"
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
    yield piles_text(view, game)
    if holds := list(notes(view, game)):
        text = "; ".join(holds)
        yield f"{text[0].upper()}{text[1:]}."
    if view["match"]:
        totals = ", ".join(f"player {player} {total}" for player, total in enumerate(view["match"]["totals"], 1))
        yield f"Totals: {totals}; the match is over at {view['match']['target']}."


def piles_text(view: View, game: Declaration) -> str:
    """The open card and the piles."""
    look, word = game.look, game.codec.notation.card_word
    top = view["open_card"] or next(iter(view["discard_pile"][::-1]), "")
    opened = f"{'Open' if view['open_card'] else 'Last'} {word}: {top}. " if top else ""
    piles = {look.draw_pile: view["draw_pile"], look.discard_pile: len(view["discard_pile"])}
    return opened + ", ".join(f"{name}: {size}" for name, size in piles.items()).capitalize() + "."


def notes(view: View, game: Declaration) -> Iterator[str]:
    """What holds beside the cards, in words."""
    for fact in game.codec.facts:
        value = view["facts"].get(fact.name)
        holds = value is not None and fact.kind in ("suit", "number") and (value or fact.kind == "suit")
        if holds and (text := _note(game, fact, value)):
            yield text


def _note(game: Declaration, fact: Fact, value: Any) -> str:
    if fact.kind == "suit":
        return game.look.worded(fact.name, game.look.suits.get(value, game.codec.notation.suit_name(value)))
    if fact.words:
        return "" if value == fact.words[0] else game.look.worded(fact.name, value)
    one, more = game.look.number_facts.get(fact.name, (f"{fact.name} 1", f"{fact.name} {{}}"))
    return one if value == 1 else more.format(value)


def move_text(game: Declaration, move: dict[str, Any]) -> str:
    """A move in words: `play HJ naming spades`."""
    text = str(move["label"])
    if suit := move.get("suit"):
        text = text.removesuffix(suit) + game.look.suits.get(suit, game.codec.notation.suit_name(suit))
    return text.replace("_", " ")


def hint_text(game: Declaration, hint: dict[str, Any]) -> str:
    """A hint with its reason."""
    why = f": {hint['why']}" if hint["why"] else ""
    return f"Hint: {move_text(game, hint['move'])}{why}."


def entry_text(entry: dict[str, Any]) -> str:
    """An entry of the log; empty for one that is not shown."""
    return str(entry["text"])
