"""Schnapsen for two, written from its rules with names of cards in lists, without anything of the package."""

from __future__ import annotations

RANKS = "JQKTA"
POINTS = dict(zip(RANKS, (2, 3, 4, 10, 11), strict=True))
DECK = {rank + suit for rank in RANKS for suit in "CDHS"}


class PlainSchnapsen:
    """One game. deck: the names of the cards, the top one first. Seats are 1 and 2. Moves are `play AS`, `close`."""

    def __init__(self, deck: list[str]) -> None:
        assert set(deck) == DECK
        assert len(deck) == 20
        self.hands = {1: deck[0:10:2], 2: deck[1:10:2]}
        self.trump = deck[10][1]
        self.stock = [*deck[11:], deck[10]]
        self.tricks: dict[int, list[str]] = {1: [], 2: []}
        self.shown = {1: 0, 2: 0}
        self.closed_by = 0
        self.noted = 0
        self.led = ""
        self.seat = 1
        self.winner = 0

    def points(self, seat: int) -> int:
        taken = sum(POINTS[card[0]] for card in self.tricks[seat])
        return taken + self.shown[seat] if self.tricks[seat] else 0

    @property
    def open(self) -> bool:
        return bool(self.stock) and not self.closed_by

    def takes(self, card: str, led: str) -> bool:
        if card[1] == led[1]:
            return RANKS.index(card[0]) > RANKS.index(led[0])
        return card[1] == self.trump

    def legal(self) -> list[str]:
        hand = self.hands[self.seat]
        moves = [f"play {card}" for card in (self.following() if self.led else hand)]
        if not self.led:
            both = [suit for suit in "CDHS" if {"K" + suit, "Q" + suit} <= set(hand)]
            moves += [f"marry {rank}{suit}" for suit in both for rank in "KQ"]
            if self.open and len(self.stock) > 2:
                moves += ["close"] + ["exchange J" + self.trump] * ("J" + self.trump in hand)
        return sorted(moves)

    def following(self) -> list[str]:
        hand = self.hands[self.seat]
        if self.open:
            return hand
        suit = [card for card in hand if card[1] == self.led[1]]
        trumps = [card for card in hand if card[1] == self.trump]
        cards = suit or trumps or hand
        return [card for card in cards if self.takes(card, self.led)] or cards

    def do(self, move: str) -> None:
        event, _, card = move.partition(" ")
        if event == "close":
            self.closed_by, self.noted = self.seat, self.points(3 - self.seat)
        elif event == "exchange":
            self.hands[self.seat].remove(card)
            self.hands[self.seat].append(self.stock[-1])
            self.stock[-1] = card
        else:
            if event == "marry":
                self.shown[self.seat] += 40 if card[1] == self.trump else 20
                if self.points(self.seat) >= 66:
                    self.winner = self.seat
            self.hands[self.seat].remove(card)
            self.lay(card)

    def lay(self, card: str) -> None:
        if not self.led:
            self.led, self.seat = card, 3 - self.seat
            return
        taker = self.seat if self.takes(card, self.led) else 3 - self.seat
        self.tricks[taker] += [self.led, card]
        self.led, self.seat = "", taker
        if self.points(taker) >= 66:
            self.winner = taker
        elif not self.hands[1] and not (self.stock and not self.closed_by):
            self.winner = 3 - self.closed_by if self.closed_by else taker
        elif self.open:
            for seat in (taker, 3 - taker):
                self.hands[seat].append(self.stock.pop(0))

    def result(self) -> int:
        """The game points that player 1 gains or loses."""
        loser = 3 - self.winner
        left = self.points(loser) if not self.closed_by or self.closed_by == loser else self.noted
        worth = 3 if not left else 2 if left < 33 else 1
        if self.closed_by == loser:
            worth = 2 if self.noted else 3
        return worth if self.winner == 1 else -worth
