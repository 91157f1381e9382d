"""An independent simulator of Mau-Mau, without a state machine: the reference of the tests and a benchmark contender.

Cards are their names, hands and piles are lists of them. Nothing is imported from the project.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import NamedTuple

SUITS = "CSHD"
VALUES = {"S": 7, "E": 8, "N": 9, "T": 10, "J": 20, "Q": 3, "K": 4, "A": 11}
CARDS = [suit + rank for suit in SUITS for rank in VALUES]
CARDS_EACH = {2: 7, 3: 6, 4: 5}
SEVEN, EIGHT, JACK = "SEJ"

PREFERENCE = {card: (VALUES[card[1]], -SUITS.index(card[0])) for card in CARDS}
"""Decision rules 2 and 6: the higher value, then the stronger suit."""


class Result(NamedTuple):
    """A game that is over.

    laid: all cards of the discard pile in the order in which they were played, the opening card first.
    ending: `won`, `out of cards` or `endless`. scores: points of each player, or None without a winner.
    turns: turns that were completed. drawn: cards taken from the draw pile. hands and piles: as they lie at the end.
    """

    laid: list[str]
    ending: str
    scores: list[int] | None
    turns: int
    drawn: int
    reshuffles: int
    hands: list[list[str]]
    discard_pile: list[str]
    draw_pile: list[str]

    def __str__(self) -> str:
        """The two lines that the problem wants."""
        score = f"No score: {self.ending}" if self.scores is None else f"Score: {' '.join(map(str, self.scores))}"
        return f"{' '.join(self.laid)}\n{score}"


class OutOfCards(Exception):
    """A card must be drawn, and neither pile can give one."""


def simulate(players: int, deck: Sequence[str]) -> Result:
    """Play the game that `players` start with `deck`, the names of 32 cards, the top card first."""
    return Simulation(players, deck).run()


class Simulation:
    """A game in progress. Seats count from 0."""

    def __init__(self, players: int, deck: Sequence[str]) -> None:
        dealt = players * CARDS_EACH[players]
        self.hands = [list(deck[seat:dealt:players]) for seat in range(players)]
        self.discard_pile = [deck[dealt]]
        self.draw_pile = list(deck[dealt + 1 :])
        self.laid = [deck[dealt]]
        self.player = 0
        self.due = 0
        self.bound_suit: str | None = None
        self.turns = self.drawn = self.reshuffles = 0

    def run(self) -> Result:
        """Play to the end."""
        self.carry_out_opening()
        seen = set()
        ending = None
        while ending is None:
            position = self.position()
            if position in seen:
                ending = "endless"
                break
            seen.add(position)
            try:
                winner = self.play_turn()
            except OutOfCards:
                ending = "out of cards"
            else:
                ending = "won" if winner else None
        scores = self.scores() if ending == "won" else None
        piles = self.discard_pile, self.draw_pile
        return Result(self.laid, ending, scores, self.turns, self.drawn, self.reshuffles, self.hands, *piles)

    def carry_out_opening(self) -> None:
        """The opening card counts as just played; a jack binds no suit."""
        rank = self.discard_pile[0][1]
        if rank == SEVEN:
            self.due = 2
        elif rank == EIGHT:
            self.player = self.seat_after()

    def position(self) -> tuple[object, ...]:
        """All that the rest of the game depends on."""
        hands = tuple(map(frozenset, self.hands))
        return self.player, self.due, self.bound_suit, hands, tuple(self.discard_pile), tuple(self.draw_pile)

    def play_turn(self) -> bool:
        """One turn; whether the player in turn has won with it. Raises OutOfCards."""
        hand = self.hands[self.player]
        if self.due:
            sevens = [card for card in hand if card[1] == SEVEN]
            if sevens:
                self.lay(best(sevens))
            else:
                self.draw_penalty()
        else:
            card = self.choose(hand) or self.choose([self.draw()])
            if card:
                self.lay(card)
        self.turns += 1
        if not hand:
            return True
        self.player = self.seat_after()
        return False

    def choose(self, cards: Iterable[str]) -> str | None:
        """The card of `cards` to be played by decision rules 2, 3, 4 and 6; None if none fits."""
        fitting = [card for card in cards if self.fits(card)]
        jacks = [card for card in fitting if card[1] == JACK]
        others = [card for card in fitting if card[1] != JACK]
        next_has_one_card = len(self.hands[self.seat_after()]) == 1
        if jacks and (next_has_one_card or not others):
            return best(jacks)
        return best(others) if others else None

    def fits(self, card: str) -> bool:
        """Whether `card` may be laid on the open card while no seven is active."""
        suit, rank = tuple(self.discard_pile[-1])
        if rank == JACK:
            return card[1] != JACK and self.bound_suit in (None, card[0])
        return card[1] == JACK or card[0] == suit or card[1] == rank

    def lay(self, card: str) -> None:
        """Lay `card` and carry out its action, unless it is the last one."""
        hand = self.hands[self.player]
        hand.remove(card)
        self.discard_pile.append(card)
        self.laid.append(card)
        self.bound_suit = None
        if not hand:
            return
        if card[1] == SEVEN:
            self.due += 2
        elif card[1] == EIGHT:
            self.player = self.seat_after()
        elif card[1] == JACK:
            self.bound_suit = most_frequent_suit(hand)

    def draw_penalty(self) -> None:
        """Draw all that the sevens demand."""
        for _ in range(self.due):
            self.draw()
        self.due = 0

    def draw(self) -> str:
        """Draw one card; the pile is turned at once when it runs out, or late when it could not be turned then."""
        if not self.draw_pile:
            self.reshuffle()
        if not self.draw_pile:
            raise OutOfCards
        card = self.draw_pile.pop(0)
        self.hands[self.player].append(card)
        self.drawn += 1
        if not self.draw_pile:
            self.reshuffle()
        return card

    def reshuffle(self) -> None:
        """Everything under the open card becomes the draw pile, with its bottom card on top."""
        if len(self.discard_pile) > 1:
            self.draw_pile = self.discard_pile[:-1]
            self.discard_pile = self.discard_pile[-1:]
            self.reshuffles += 1

    def seat_after(self) -> int:
        """The seat directly after the player in turn."""
        return (self.player + 1) % len(self.hands)

    def scores(self) -> list[int]:
        """The values left in hand, doubled after a jack as last card."""
        doubled = 2 if self.laid[-1][1] == JACK else 1
        return [doubled * sum(VALUES[card[1]] for card in hand) for hand in self.hands]


def best(cards: Iterable[str]) -> str:
    """Decision rules 2 and 6: the card of the highest value, of the strongest suit among equals."""
    return max(cards, key=PREFERENCE.__getitem__)


def most_frequent_suit(hand: Iterable[str]) -> str:
    """Decision rule 5: the suit of most cards, jacks not counted, the strongest suit among equals."""
    counted = [card[0] for card in hand if card[1] != JACK]
    return max(SUITS, key=counted.count)
