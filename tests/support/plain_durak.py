"""Durak for two, written from its rules with names of cards in lists, without anything of the package."""

from __future__ import annotations

RANKS = "6789TJQKA"
DECK = {rank + suit for rank in RANKS for suit in "CDHS"}
DONE, TAKE = "done", "take"


class PlainDurak:
    """One game. deck: the names of the cards, the top one first. Seats are 1 and 2."""

    def __init__(self, deck: list[str]) -> None:
        assert set(deck) == DECK
        assert len(deck) == 36
        cards = list(deck)
        self.hands: dict[int, list[str]] = {1: [], 2: []}
        for _ in range(6):
            for seat in (1, 2):
                self.hands[seat].append(cards.pop(0))
        turned = cards.pop(0)
        self.trump = turned[1]
        self.stock = [*cards, turned]
        trumps = [(RANKS.index(card[0]), seat) for seat in (1, 2) for card in self.hands[seat] if card[1] == self.trump]
        self.over = False
        self.attacker = min(trumps)[1] if trumps else 1
        self.begin_bout()

    @property
    def defender(self) -> int:
        return 3 - self.attacker

    def begin_bout(self) -> None:
        self.attacks: list[str] = []
        self.defences: list[str] = []
        self.takes = False
        self.most = min(6, len(self.hands[self.defender]))

    @property
    def seat(self) -> int:
        """Who acts: the defender answers an attack, unless he takes the cards."""
        return self.defender if len(self.attacks) > len(self.defences) and not self.takes else self.attacker

    def beats(self, card: str, attack: str) -> bool:
        if card[1] == attack[1]:
            return RANKS.index(card[0]) > RANKS.index(attack[0])
        return card[1] == self.trump

    def legal(self) -> list[str]:
        """The names of the cards that may be laid, and what may be said."""
        hand = self.hands[self.seat]
        if self.seat == self.defender:
            return sorted([*(card for card in hand if self.beats(card, self.attacks[-1])), TAKE])
        if not self.attacks:
            return sorted(hand)
        ranks = {card[0] for card in (*self.attacks, *self.defences)}
        more = [card for card in hand if card[0] in ranks] if len(self.attacks) < self.most else []
        return sorted([*more, DONE])

    def do(self, move: str) -> None:
        """Lay a card, or say something."""
        if move == TAKE:
            self.takes = True
        elif move == DONE:
            self.end_bout()
        else:
            laid = self.defences if self.seat == self.defender else self.attacks
            self.hands[self.seat].remove(move)
            laid.append(move)

    def end_bout(self) -> None:
        if self.takes:
            self.hands[self.defender] += self.attacks + self.defences
        for seat in (self.attacker, self.defender):
            while len(self.hands[seat]) < 6 and self.stock:
                self.hands[seat].append(self.stock.pop(0))
        if not self.takes:
            self.attacker = self.defender
        if not self.stock and not (self.hands[1] and self.hands[2]):
            self.over = True
        self.begin_bout()

    def winner(self) -> int | None:
        """The player without cards; None if nobody has cards."""
        return next((seat for seat in (1, 2) if not self.hands[seat] and self.hands[3 - seat]), None)
