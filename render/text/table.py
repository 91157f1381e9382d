"""A table at which a round is played, line by line: what a player sees of it, as plain data, in words."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from fsm.declaration.declaration import Declaration
from fsm.declaration.parts import SET_OF
from fsm.edge.kept import kept
from fsm.stepping.outcomes import by_player
from render.page.faces import count_text, counts_of, event_text, naming_text, notes_of, own_piles, piles_of, suits
from render.page.orders import hand_order

NAMED = 3
"""Other moves of which a hint names the value, at most; not those that are never good."""
NEVER = "0%"
View = dict[str, Any]
"""What a player sees of a table."""
Fields = dict[str, Any]
"""A move, by the names of its parts."""


@kept
def suits_of(game: Declaration) -> dict[str, str]:
    """The letter of the suit of each card, by its name, in the order in which hands lie by suit: then as the game
    orders them.
    """
    notation = game.codec.notation
    suits = {name: game.look.face(notation, name).suit for name in notation.cards}
    return dict(sorted(suits.items(), key=lambda card: (not card[1], card[1])))


class TableText:
    """Words for the tables of one game, as a player sees them."""

    def __init__(self, game: Declaration) -> None:
        """game: the declaration."""
        self.game = game

    def hand(self, view: View) -> list[str]:
        """Return the own hand of `view` in the order of the game."""
        order = suits_of(self.game) if self.game.look.hand == "suit" else hand_order(self.game, view["facts"])
        places = {card: place for place, card in enumerate(order)}
        return sorted(view["hands"][view["seat"] - 1] or [], key=places.__getitem__)

    def moves(self, view: View) -> list[Fields]:
        """Return the moves of `view` as they are counted: with the cards of the hand as they lie, then the rest."""
        moves = view["question"]["moves"] if view["question"] else []
        places = {card: place for place, card in enumerate(self.hand(view))}
        return sorted(moves, key=lambda move: places.get(move.get("card"), len(places)))

    @staticmethod
    def cards(move: Fields) -> list[str]:
        """Return the cards that are named with `move`, in the order of their names."""
        return sorted(filter(None, move.get("card", "").split(SET_OF)))

    def _seat(self, view: View, player: int) -> str:
        """Return the line of another player: `Player 2 (house): 5 cards`."""
        seat, word = view["seats"][player - 1], self.game.codec.notation.card_word
        absent = ", absent" if seat["absent"] else ""
        hand = view["hands"][player - 1]
        cards = count_text(view["hand_sizes"][player - 1], word) if hand is None else " ".join(hand) or f"no {word}s"
        melds = "".join(
            f", laid out {' '.join(meld)}" for meld in (view["melds"] or [[]] * len(view["seats"]))[player - 1]
        )
        counts = "".join(f", {text}" for text in self._beside(view, player - 1))
        return f"Player {player} ({seat['name']}{absent}): {cards}{counts}{melds}"

    def _beside(self, view: View, seat: int) -> Iterator[str]:
        """Yield the counts of a seat (from 0), and the piles before it."""
        yield from counts_of(self.game, view["facts"], seat)
        yield from piles_of(self.game, view["facts"], seat)

    def lines(self, view: View) -> Iterator[str]:
        """Yield the lines of the table in `view`, without the player's hand."""
        word = self.game.codec.notation.card_word
        for seat in view["seats"]:
            if seat["player"] != view["seat"]:
                yield self._seat(view, seat["player"])
        if own := (view["melds"] or [[]])[view["seat"] - 1 if view["melds"] else 0]:
            yield f"Laid out by you: {', '.join(' '.join(meld) for meld in own)}"
        if view["seat"] and (counts := ", ".join(self._beside(view, view["seat"] - 1))):
            yield f"You: {counts}."
        top = "" if self.game.clears_table else view["open_card"] or next(iter(view["discard_pile"][::-1]), "")
        opened = f"{'Open' if view['open_card'] else 'Last'} {word}: {top}. " if top else ""
        piles = {self.game.look.draw_pile: view["draw_pile"], self.game.look.discard_pile: len(view["discard_pile"])}
        sizes = [f"{name}: {size}" for name, size in piles.items() if size or (top and not own_piles(self.game))]
        if text := f"{opened}{', '.join(sizes).capitalize()}":
            yield f"{text}."
        if view["trick"] and not self.game.is_of_tricks:
            yield f"To beat: {' '.join(card for _, card in view['trick'])}, of player {view['trick'][0][0]}."
            view = {**view, "trick": []}
        for name, trick in (("Trick", view["trick"]), ("Last trick", view["last_trick"])):
            if trick:
                yield f"{name}: {by_player(trick)}."
        if text := "; ".join(text for text, _ in notes_of(self.game, view["facts"], view["phase"])):
            yield f"{text[0].upper()}{text[1:]}."
        if view["match"]:
            totals = by_player(enumerate(view["match"]["totals"], 1))
            yield f"Totals: {totals}; the match is over at {view['match']['target']}."

    def move(self, move: Fields) -> str:
        """Return `move` in words: `play HJ naming spades`."""
        text = self.label(move["label"])
        if suit := move.get("suit"):
            text = text.removesuffix(suit) + suits(self.game)[suit]
        return text

    def label(self, label: str) -> str:
        """Return the `label` of a move, with its event in words: `pass QS`, `lay out a gang of 5D`, `bid 3`."""
        trigger, _, named = label.partition(" ")
        if named:
            return f"{naming_text(self.game, trigger) if trigger in self.game.card_events else trigger} {named}"
        return event_text(self.game, trigger)

    def hint(self, hint: dict[str, Any]) -> str:
        """Return `hint` with its reason."""
        values = [value for value in hint["values"][1 : NAMED + 1] if value["text"] != NEVER]
        others = "".join(f", {self.label(value['move'])} {value['text']}" for value in values)
        reasons = [hint["why"]] * bool(hint["why"]) + [f"{hint['found']}{others}"] * bool(hint["found"])
        why = f": {'; '.join(reasons)}" if reasons else ""
        return f"Hint: {self.move(hint['move'])}{why}."
