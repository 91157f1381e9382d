"""UNO played straight from the rules, without a machine: the witness for the tests, the plain rival for benchmarks.

Cards are their names, hands and the stock are lists of them. Nothing is imported from the project.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

COLOURS = "RGBY"
"""In the order in which a player names them."""
POINTS = {**{str(digit): digit for digit in range(10)}, "S": 20, "D": 20, "R": 20, "C": 50, "F": 50}
CARDS = [colour + rank for colour in COLOURS for rank in "0112233445566778899SSDDRR"] + ["WC", "WF"] * 4
CARDS_EACH = 7
PENALTIES = {"D": 2, "F": 4}


class Result(NamedTuple):
    """A game that is over. laid: the exposed card, then all that was dropped. winner: a seat, or None."""

    scores: list[int]
    calls: list[int]
    laid: list[str]
    winner: int | None
    hands: list[list[str]]
    stock: list[str]

    def __str__(self) -> str:
        """The two lines that the problem wants."""
        return f"{' '.join(map(str, self.scores))}\n{' '.join(map(str, self.calls))}"


class EmptyStock(Exception):
    """A card must be drawn, and there is none."""


def simulate(players: int, deck: Sequence[str]) -> Result:
    """Play the game that `players` start with `deck`, the names of 108 cards, the top card first."""
    return Simulation(players, deck).run()


class Simulation:
    """A game in progress. Seats count from 0."""

    def __init__(self, players: int, deck: Sequence[str]) -> None:
        dealt = players * CARDS_EACH
        self.hands = [list(deck[first : first + CARDS_EACH]) for first in range(0, dealt, CARDS_EACH)]
        self.laid = [deck[dealt]]
        self.stock = list(deck[dealt + 1 :])
        self.player = 0
        self.direction = 1
        self.colour = deck[dealt][0]
        self.wilds = [0] * players
        self.calls = [0] * players

    def run(self) -> Result:
        """Play to the end."""
        winner = None
        try:
            self.carry_out(self.laid[0])
            while winner is None:
                winner = self.play_turn()
        except EmptyStock:
            winner = next((seat for seat, hand in enumerate(self.hands) if not hand), None)
        scores = [sum(POINTS[card[1]] for card in hand) for hand in self.hands]
        return Result(scores, self.calls, self.laid, winner, self.hands, self.stock)

    def play_turn(self) -> int | None:
        """One turn; the seat that has won with it. Raises EmptyStock."""
        seat, hand = self.player, self.hands[self.player]
        legal = self.legal(hand)
        if not legal:
            self.draw()
            self.move_on()
            return None
        card = min(legal, key=lambda card: (-POINTS[card[1]], card))
        hand.remove(card)
        self.laid.append(card)
        self.calls[seat] += len(hand) == 1
        self.colour = card[0]
        if card[0] == "W":
            self.colour = COLOURS[self.wilds[seat] % 4]
            self.wilds[seat] += 1
        self.carry_out(card)
        return None if hand else seat

    def legal(self, hand: list[str]) -> list[str]:
        """The cards of `hand` that may be dropped."""
        legal = [card for card in hand if card == "WC" or card[0] == self.colour or card[1] == self.laid[-1][1] != "F"]
        return legal or [card for card in hand if card == "WF"]

    def carry_out(self, card: str) -> None:
        """The effect of a card that the player in turn has dropped, and the move to the next player."""
        if card[1] == "R" and card[0] != "W":
            self.direction = -self.direction
        self.move_on()
        if card[1] in PENALTIES:
            for _ in range(PENALTIES[card[1]]):
                self.draw()
        if card[1] in "SDF":
            self.move_on()

    def draw(self) -> None:
        """The player in turn draws a card. Raises EmptyStock."""
        if not self.stock:
            raise EmptyStock
        self.hands[self.player].append(self.stock.pop(0))

    def move_on(self) -> None:
        """The next player in the direction of play is in turn."""
        self.player = (self.player + self.direction) % len(self.hands)
