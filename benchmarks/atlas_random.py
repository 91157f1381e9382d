"""Two random players of UNO by the rules of a published program, and by those on the box, one difference at a time.

python -m benchmarks.atlas_random [--rounds N]

B. Pfann published 41 turns and 52 % wins of who begins ('Tackling UNO card game with reinforcement learning', 2021; the
program is bernhard-pfann/uno-card-game_rl on GitHub). His rules as his program has them, and each way in which they
differ from ours, are written here once more, independently of the declaration.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from math import sqrt
from random import Random

import click

COLOURS = "RGBY"
Card = tuple[str, str]
"""The colour, or W of a wild, and the symbol."""


@dataclass(frozen=True)
class Program:
    """Rules and players. All false: those of the published program.

    no_counter: draw cards are not answered; else they always are, with one like them. own_colours: each wild is given a
    colour of its own; else, by a slip, all have that of the first, and a wild draw four in the hand has that of the
    last one. any_opening: the opening card is any but a wild draw four, and takes effect; else it is a number. skips: a
    skip makes the other player miss the turn; else, by a slip, it does nothing. misses: who has to draw misses the
    turn. counts_all: a turn after a reverse counts as well. random_colour: a wild names any colour; else that of most
    cards. challenges: every second wild draw four is challenged. calls: who has one card left is silent every second
    time, and caught every second time.
    """

    own_colours: bool = False
    any_opening: bool = False
    skips: bool = False
    misses: bool = False
    no_counter: bool = False
    counts_all: bool = False
    random_colour: bool = False
    challenges: bool = False
    calls: bool = False


STEPS = {
    "own_colours": "each wild is given a colour of its own (by a slip all have that of the first there)",
    "no_counter": "draw cards are not answered with cards like them",
    "misses": "who has to draw misses the turn",
    "skips": "a skip skips (by a slip it does nothing there)",
    "counts_all": "the turn after a reverse is counted",
    "any_opening": "the opening card may be an action or a wild card, and takes effect",
    "random_colour": "a wild names any colour, not that of most cards",
    "challenges": "every second wild draw four is challenged: four cards for the guilty, or six",
    "calls": "every second last card but one is not called, and two cards drawn where it is noticed",
}
"""The ways in which the published program differs, each with a sentence that says what is so on the box."""


class Round:
    """A round of two random players."""

    def __init__(self, rules: Program, random: Random) -> None:
        self.rules, self.random = rules, random
        kinds = [(colour, symbol) for colour in COLOURS for symbol in "0112233445566778899SSRRDD"]
        self.pile: list[Card] = kinds + [("W", "C"), ("W", "F")] * 4
        random.shuffle(self.pile)
        self.laid: list[Card] = []
        self.hands: list[list[Card]] = [[self.pile.pop() for _ in range(7)] for _ in range(2)]
        self.player, self.turns = 0, 0
        self.given: dict[str, str] = {}
        opening = self.pile.pop()
        while opening[1] == "F" or not (rules.any_opening or opening[1].isdigit()):
            self.pile.insert(0, opening)
            opening = self.pile.pop()
        self.open(opening)
        if opening[1] == "D":
            self.draw(0, 2)
        if opening[1] in "SRD":
            self.player = 1
        if opening[1] == "C":
            self.colour = random.choice(COLOURS)

    def open(self, card: Card) -> None:
        """A card lies open."""
        self.laid.append(card)
        self.colour, self.symbol = card

    def draw(self, player: int, cards: int) -> None:
        """A player draws; the pile is turned over where it is empty."""
        for _ in range(cards):
            if not self.pile:
                self.pile, self.laid = self.laid[-2::-1], self.laid[-1:]
            if self.pile:
                self.hands[player].append(self.pile.pop())

    def fits(self, card: Card) -> bool:
        """Whether a card may be laid."""
        return card[0] in (self.colour, "W") or card[1] == self.symbol

    def play(self) -> int:
        """Play to the end: who wins."""
        again = False
        while True:
            self.turns += self.rules.counts_all or not again
            before = self.player
            if self.turn():
                return 1 - self.player if self.hands[self.player] else self.player
            again = self.player == before
            if self.turns > 20_000:
                return -1

    def turn(self) -> bool:
        """A turn of the player; whether the round is over."""
        player, other = self.player, 1 - self.player
        hand = self.hands[player]
        if not any(map(self.fits, hand)):
            self.draw(player, 1)
        fitting = [card for card in hand if self.fits(card)]
        self.player = other
        if not fitting:
            return False
        card = self.random.choice(fitting)
        hand.remove(card)
        before = self.colour
        self.open(card)
        if not hand:
            return True
        if len(hand) == 1 and self.rules.calls and self.random.random() < 0.25:
            self.draw(player, 2)
        if card[0] == "W":
            self.colour = self.named(card, hand)
        if card[1] == "R" or (card[1] == "S" and self.rules.skips):
            self.player = player
        return card[1] in "DF" and self.penalty(player, card, before)

    def named(self, card: Card, hand: list[Card]) -> str:
        """The colour that a player gives a wild."""
        given = {} if self.rules.own_colours else self.given
        if card[1] == "C" and "C" in given:
            return given["C"]
        colours = [given.get(symbol, "W") if colour == "W" else colour for colour, symbol in hand]
        colours = [colour for colour in colours if colour != "W"]
        if self.rules.random_colour or not colours:
            self.given[card[1]] = self.random.choice(COLOURS)
        else:
            self.given[card[1]] = max(colours, key=colours.count)
        return self.given[card[1]]

    def penalty(self, player: int, card: Card, before: str) -> bool:
        """Cards are drawn for a draw two or a wild draw four; whether an answer was the last card."""
        victim, due = 1 - player, 2 if card[1] == "D" else 4
        total = due
        while not self.rules.no_counter and (answer := next((c for c in self.hands[victim] if c[1] == card[1]), None)):
            self.hands[victim].remove(answer)
            self.laid.append(answer)
            total += due
            if not self.hands[victim]:
                return True
            victim = 1 - victim
        misses = self.rules.misses
        if card[1] == "F" and self.rules.challenges and self.random.random() < 0.5:
            guilty = any(colour == before for colour, _ in self.hands[player])
            victim, total = (player, 4) if guilty else (victim, 6)
        self.draw(victim, total)
        self.player = 1 - victim if misses or victim == player else victim
        return False


def measured(rules: Program, rounds: int, seed: int = 2021) -> dict[str, float]:
    """The mean turns and wins of who begins, with half the width of their 95 % intervals."""
    random, turns, first = Random(seed), list[int](), 0
    for _ in range(rounds):
        game = Round(rules, random)
        begins = 0
        first += game.play() == begins
        turns.append(game.turns)
    mean, share = sum(turns) / rounds, first / rounds
    deviation = sqrt(sum((each - mean) ** 2 for each in turns) / (rounds - 1))
    return {"turns": mean, "reach": 1.96 * deviation / sqrt(rounds), "first": share,
            "first reach": 1.96 * sqrt(share * (1 - share) / rounds), "rounds": rounds}  # fmt: skip


def steps(rounds: int) -> Iterator[tuple[str, dict[str, float]]]:
    """The published program, then with one difference after the other removed: what is changed, and the figures."""
    rules = Program()
    yield "as published", measured(rules, rounds)
    for name, sentence in STEPS.items():
        rules = replace(rules, **{name: True})
        yield sentence, measured(rules, rounds)


@click.command()
@click.option("--rounds", default=20_000, help="Rounds of each program.")
def main(rounds: int) -> None:
    """Print the turns and the wins of who begins."""
    for sentence, found in steps(rounds):
        click.echo(f"{found['turns']:6.1f} +- {found['reach']:.1f}  {100 * found['first']:.1f} %  {sentence}")


if __name__ == "__main__":
    main()
