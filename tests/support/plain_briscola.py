"""Briscola, written from its rules with names of cards in lists, without anything of the package."""

from __future__ import annotations

SUITS = "DCSB"
RANKS = "24567JNK3A"
POINTS = {"A": 11, "3": 10, "K": 4, "N": 3, "J": 2}
DECK = {rank + suit for rank in RANKS for suit in SUITS}


class PlainBriscola:
    """One game. deck: the names of the cards, the top one first. Seats count from 1."""

    def __init__(self, players: int, deck: list[str]) -> None:
        assert set(deck) == DECK
        assert len(deck) == 40
        if players == 3:
            deck = [card for card in deck if card != "2D"]
        self.seats = list(range(1, players + 1))
        self.hands: dict[int, list[str]] = {seat: [] for seat in self.seats}
        cards = list(deck)
        for _ in range(3):
            for seat in self.seats:
                self.hands[seat].append(cards.pop(0))
        self.turned = cards.pop(0)
        self.trump = self.turned[1]
        self.stock = [*cards, self.turned]
        self.points = dict.fromkeys(self.seats, 0)
        self.trick: list[tuple[int, str]] = []
        self.seat = 1

    @property
    def over(self) -> bool:
        return not any(self.hands.values()) and not self.trick

    def legal(self) -> list[str]:
        """Any card may be played."""
        return sorted(self.hands[self.seat])

    def do(self, card: str) -> None:
        self.hands[self.seat].remove(card)
        self.trick.append((self.seat, card))
        self.seat = self.after(self.seat)
        if len(self.trick) == len(self.seats):
            self.end_trick()

    def after(self, seat: int) -> int:
        return seat % len(self.seats) + 1

    def end_trick(self) -> None:
        led = self.trick[0][1][1]
        trumps = [each for each in self.trick if each[1][1] == self.trump]
        eligible = trumps or [each for each in self.trick if each[1][1] == led]
        winner, _ = max(eligible, key=lambda each: RANKS.index(each[1][0]))
        self.points[winner] += sum(POINTS.get(card[0], 0) for _, card in self.trick)
        self.trick = []
        self.seat = winner
        for _ in self.seats:
            if self.stock:
                self.hands[self.seat].append(self.stock.pop(0))
            self.seat = self.after(self.seat)
        self.seat = winner

    def result(self) -> tuple[list[int], tuple[int, ...]]:
        """The points of the side of each seat, and the seats that have won."""
        if len(self.seats) == 3:
            alone = list(self.points.values())
            best = [seat for seat in self.seats if self.points[seat] == max(alone)]
            return alone, tuple(best) if len(best) == 1 else ()
        sides = [sum(points for seat, points in self.points.items() if seat % 2 == side) for side in (1, 0)]
        scores = [sides[(seat - 1) % 2] for seat in self.seats]
        winners = () if sides[0] == sides[1] else tuple(seat for seat in self.seats if scores[seat - 1] == max(sides))
        return scores, winners
