"""President, written from its rules with names of cards in lists, without anything of the package."""

from __future__ import annotations

from itertools import combinations

RANKS = "3456789TJQKA2"
SUITS = "CDHS"
DECK = {rank + suit for rank in RANKS for suit in SUITS}
PASS = "pass"


def height(card: str) -> tuple[int, int]:
    """The rank of a card, then its suit: of one rank the later of clubs, diamonds, hearts, spades is higher."""
    return RANKS.index(card[0]), SUITS.index(card[1])


class PlainPresident:
    """One round. deck: the names of the cards, the top one first. before: the seats in the order of the round before,
    the president first; none in the first round. Seats count from 1.
    """

    def __init__(self, players: int, deck: list[str], before: list[int]) -> None:
        assert set(deck) == DECK
        assert len(deck) == 52
        self.players = players
        self.seats = list(range(1, players + 1))
        self.hands: dict[int, list[str]] = {seat: [] for seat in self.seats}
        for index, card in enumerate(deck):
            self.hands[index % players + 1].append(card)
        self.order: list[int] = []
        self.laid: list[str] = []
        self.laid_by = 0
        self.gifts: list[tuple[int, int, bool]] = []  # from whom, to whom, and whether it is the highest card
        self.seat = 1
        if before:
            president, last = before[0], before[-1]
            self.gifts = [(last, president, True), (last, president, True)]
            self.gifts += [(president, last, False), (president, last, False)]
            if players > 3:
                second, second_last = before[1], before[-2]
                self.gifts += [(second_last, second, True), (second, second_last, False)]
            self.leader = last
            self.seat = last

    @property
    def over(self) -> bool:
        return len(self.order) == self.players

    def legal(self) -> list[str]:
        """The sets that may be laid, each as the names of its cards from the lowest on, and whether passing is."""
        hand = sorted(self.hands[self.seat], key=height)
        if self.gifts:
            return sorted(hand[-1:] if self.gifts[0][2] else hand)
        moves = []
        for size in range(1, 5):
            for cards in combinations(hand, size):
                if len({card[0] for card in cards}) == 1 and self.fits(list(cards)):
                    moves.append(",".join(cards))
        return sorted(moves + ([PASS] if self.laid else []))

    def fits(self, cards: list[str]) -> bool:
        if not self.laid:
            return True
        return len(cards) == len(self.laid) and RANKS.index(cards[0][0]) > RANKS.index(self.laid[0][0])

    def do(self, move: str) -> None:
        if self.gifts:
            giver, receiver, _ = self.gifts.pop(0)
            self.hands[giver].remove(move)
            self.hands[receiver].append(move)
            self.seat = self.gifts[0][0] if self.gifts else self.leader
            return
        if move != PASS:
            self.laid = move.split(",")
            for card in self.laid:
                self.hands[self.seat].remove(card)
            self.laid_by = self.seat
            if not self.hands[self.seat]:
                self.order.append(self.seat)
        holding = [seat for seat in self.seats if self.hands[seat]]
        if len(holding) == 1:
            self.order += holding
            return
        seat = self.after(self.seat)
        while seat != self.laid_by and not self.hands[seat]:
            seat = self.after(seat)
        if seat == self.laid_by:
            self.laid = []
            while not self.hands[seat]:
                seat = self.after(seat)
        self.seat = seat

    def after(self, seat: int) -> int:
        return seat % self.players + 1
