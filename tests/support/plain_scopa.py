"""Scopa, written from its rules with names of cards in lists, without anything of the package."""

from __future__ import annotations

from itertools import combinations

RANKS, SUITS = "A234567JNK", "DCSB"
DECK = [rank + suit for rank in RANKS for suit in SUITS]
PRIME = {"7": 21, "6": 18, "A": 16, "5": 15, "4": 14, "3": 13, "2": 12, "J": 10, "N": 10, "K": 10}


def value(card: str) -> int:
    return RANKS.index(card[0]) + 1


class PlainScopa:
    """One game. deck: the names of the cards, the top one first. Seats count from 1."""

    def __init__(self, players: int, deck: list[str]) -> None:
        assert sorted(deck) == sorted(DECK)
        self.players, self.stock = players, list(deck)
        self.hands: dict[int, list[str]] = {seat: [] for seat in range(1, players + 1)}
        self.won: dict[int, list[str]] = {seat: [] for seat in self.hands}
        self.sweeps = dict.fromkeys(self.hands, 0)
        self.deal()
        self.middle = [self.stock.pop(0) for _ in range(4)]
        self.seat, self.last = 1, 0
        self.sets: list[tuple[str, ...]] = []
        self.named: tuple[str, ...] = ()
        self.over = False

    def deal(self) -> None:
        for _ in range(3):
            for hand in self.hands.values():
                hand.append(self.stock.pop(0))

    def captures(self, card: str) -> list[tuple[str, ...]]:
        """The sets that a card may take, each in the order of the deck."""
        lying = sorted(self.middle, key=DECK.index)
        if same := [other for other in lying if value(other) == value(card)]:
            return [(other,) for other in same]
        several = (chosen for size in range(2, 11) for chosen in combinations(lying, size))
        return [chosen for chosen in several if sum(map(value, chosen)) == value(card)]

    def legal(self) -> list[str]:
        if self.sets:
            return sorted({chosen[len(self.named)] for chosen in self.sets})
        return sorted(self.hands[self.seat])

    def do(self, card: str) -> None:
        if not self.sets:
            self.hands[self.seat].remove(card)
            self.sets = self.captures(card)
            if self.sets:
                self.won[self.seat].append(card)
            else:
                self.middle.append(card)
                self.end_turn()
            return
        self.named += (card,)
        self.sets = [chosen for chosen in self.sets if chosen[: len(self.named)] == self.named]
        if self.named in self.sets:
            for each in self.named:
                self.middle.remove(each)
            self.won[self.seat] += self.named
            self.last, self.sets, self.named = self.seat, [], ()
            if not self.middle and (any(self.hands.values()) or self.stock):
                self.sweeps[self.seat] += 1
            self.end_turn()

    def end_turn(self) -> None:
        self.seat = self.seat % self.players + 1
        if not any(self.hands.values()):
            if self.stock:
                self.deal()
            else:
                self.over = True
                self.won[self.last] += self.middle
                self.middle = []

    def scores(self) -> list[int]:
        """The points of the side of each seat."""
        sides = 2 if self.players == 4 else self.players
        cards = [
            [card for seat in self.won if (seat - 1) % sides == side for card in self.won[seat]]
            for side in range(sides)
        ]
        points = [sum(self.sweeps[seat] for seat in self.won if (seat - 1) % sides == side) for side in range(sides)]
        prime = [
            sum(max((PRIME[card[0]] for card in won if card[1] == suit), default=0) for suit in SUITS) for won in cards
        ]
        coins = [sum(card[1] == "D" for card in won) for won in cards]
        for counts in (list(map(len, cards)), coins, prime, ["7D" in won for won in cards]):
            if counts.count(max(counts)) == 1:
                points[counts.index(max(counts))] += 1
        return [points[(seat - 1) % sides] for seat in self.won]
