"""Official UNO played straight from the rules as printed, without a machine: the independent judge for the tests.

Cards are their names, hands and piles are lists of them. Nothing is imported from the project. Where somebody has to
decide, the seat's policy is asked for one of the options: `play R5`, `draw`, `keep`, `call`, `name B`, `challenge`.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import NamedTuple

COLOURS = "RGBY"
CARDS = [colour + rank for colour in COLOURS for rank in "0112233445566778899SSDDRR"] + ["WC", "WF"] * 4
CARDS_EACH = 7
POINTS = {**{str(digit): digit for digit in range(10)}, "S": 20, "D": 20, "R": 20, "C": 50, "F": 50}


class Result(NamedTuple):
    """A round that is over. winner: a seat, or None. events: all that was chosen, drawn or settled, in words."""

    scores: list[int]
    calls: list[int]
    winner: int | None
    hands: list[list[str]]
    draw_pile: list[str]
    discard_pile: list[str]
    events: list[str]

    def __str__(self) -> str:
        """The two lines of a round with a winner, or the one of an endless one."""
        if self.winner is None:
            return "No score: endless"
        return f"{' '.join(map(str, self.scores))}\n{' '.join(map(str, self.calls))}"


class Over(Exception):
    """The round is over. The argument is the seat of the winner, or None."""


Chooser = Callable[["Round", int, list[str]], str]


def simulate(
    players: int, deck: Sequence[str], policies: Sequence[str | Chooser] = ("house",), dealer: int = 0
) -> Result:
    """Play the round that `players` start with `deck`. policies: one for all, or one a seat; dealer: a seat from 0."""
    seated = list(policies) * players if len(policies) == 1 else list(policies)
    return Round(players, deck, [POLICIES[each] if isinstance(each, str) else each for each in seated], dealer).run()


class Round:
    """A round in progress. Seats count from 0. step: 1 clockwise, -1 counter-clockwise."""

    def __init__(self, players: int, deck: Sequence[str], choosers: Sequence[Chooser], dealer: int = 0) -> None:
        dealt = players * CARDS_EACH
        self.players, self.choosers, self.dealer = players, choosers, dealer
        self.hands = [list(deck[first : first + CARDS_EACH]) for first in range(0, dealt, CARDS_EACH)]
        self.stock = list(deck[dealt:])
        while self.stock[0] == "WF":
            self.stock.append(self.stock.pop(0))
        self.laid = [self.stock.pop(0)]
        self.step = 1
        self.player = self.after(dealer)
        self.colour: str | None = None if self.laid[0] == "WC" else self.laid[0][0]
        self.colour_before: str | None = None
        self.guilty = False
        self.calls = [0] * players
        self.events: list[str] = []
        self.seen: set[object] = set()

    # ------------------------------------------------------------ the round

    def run(self) -> Result:
        """Play to the end."""
        winner = None
        try:
            self.open()
            while True:
                self.look_for_return()
                self.play_turn()
        except Over as over:
            winner = over.args[0]
        scores = [sum(POINTS[card[1]] for card in hand) for hand in self.hands]
        return Result(scores, self.calls, winner, self.hands, self.stock, self.laid, self.events)

    def open(self) -> None:
        """Rule 5: the exposed card takes effect."""
        symbol = self.laid[0][1]
        if symbol == "R" and self.players > 2:
            self.step = -1
            self.player = self.dealer
        elif symbol in "SR":
            self.skip()
        elif symbol == "D":
            self.draw(self.player, 2)
            self.next_player()
        elif symbol == "C":
            self.name_colour(self.player)

    def look_for_return(self) -> None:
        """Rule 14: the whole position must not have been there at the start of a turn."""
        hands = tuple(tuple(sorted(hand)) for hand in self.hands)
        position = (self.player, self.step, self.colour, hands, tuple(self.stock), tuple(self.laid))
        if position in self.seen:
            raise Over(None)
        self.seen.add(position)

    def play_turn(self) -> None:
        """Rule 8: the player in turn lays a card, or draws one and may lay it."""
        seat, hand = self.player, self.hands[self.player]
        options = [f"play {card}" for card in sorted(set(hand)) if self.may_lay(card)]
        chosen = self.ask(seat, [*options, "draw"])
        if chosen != "draw":
            self.lay(seat, chosen.split()[1])
            return
        drawn = self.draw(seat, 1)
        if drawn and self.may_lay(drawn[0]) and self.ask(seat, [f"play {drawn[0]}", "keep"]) != "keep":
            self.lay(seat, drawn[0])
        else:
            self.next_player()

    def may_lay(self, card: str) -> bool:
        """Rule 7."""
        if card[0] == "W":
            return True
        return card[0] == self.colour or (self.laid[-1][0] != "W" and card[1] == self.laid[-1][1])

    def lay(self, seat: int, card: str) -> None:
        """A card is laid; then come the call, the effect and the end of the turn."""
        hand = self.hands[seat]
        hand.remove(card)
        self.laid.append(card)
        if card == "WF":
            self.colour_before = self.colour
            self.guilty = any(other[0] == self.colour for other in hand)
        if len(hand) == 1:
            self.call_or_catch(seat)
        self.take_effect(seat, card, out=not hand)

    def call_or_catch(self, seat: int) -> None:
        """Rule 11."""
        if self.ask(seat, ["call", "stay_silent"]) == "call":
            self.calls[seat] += 1
            return
        asked = self.after(seat)
        while asked != seat:
            if self.ask(asked, ["catch", "let_pass"]) == "catch":
                self.draw(seat, 2)
                return
            asked = self.after(asked)

    def take_effect(self, seat: int, card: str, out: bool) -> None:
        """Rules 9, 10 and 13."""
        symbol = card[1]
        if card[0] != "W":
            self.colour = card[0]
        if out:
            if symbol in "DF":
                self.next_player()
                self.draw(self.player, 2 if symbol == "D" else 4)
            raise Over(seat)
        if symbol in "CF":
            self.name_colour(seat)
        elif symbol == "R" and self.players > 2:
            self.step = -self.step
        self.next_player()
        if symbol == "D":
            self.draw(self.player, 2)
            self.next_player()
        elif symbol == "S" or (symbol == "R" and self.players == 2):
            self.skip()
        elif symbol == "F":
            self.settle_draw_four(seat)

    def settle_draw_four(self, offender: int) -> None:
        """Rule 10: the player in turn is the victim."""
        victim = self.player
        if self.ask(victim, ["accept", "challenge"]) == "accept":
            self.draw(victim, 4)
        elif self.guilty:
            self.draw(offender, 4)
            return
        else:
            self.draw(victim, 6)
        self.next_player()

    # ------------------------------------------------------------ its parts

    def ask(self, seat: int, options: list[str]) -> str:
        """The option that the policy of a seat chooses."""
        chosen = self.choosers[seat](self, seat, options)
        assert chosen in options, (chosen, options)
        self.events.append(f"{seat + 1} {chosen}")
        return chosen

    def name_colour(self, seat: int) -> None:
        """A wild is open: a colour is named."""
        self.colour = self.ask(seat, [f"name {colour}" for colour in COLOURS]).split()[1]

    def skip(self) -> None:
        """The player in turn misses the turn."""
        self.events.append(f"{self.player + 1} skip")
        self.next_player()

    def draw(self, seat: int, due: int) -> list[str]:
        """Rule 12: cards are drawn one by one; what is due lapses where neither pile has a card."""
        drawn = []
        for _ in range(due):
            if not self.stock:
                self.stock, self.laid = self.laid[:-1], self.laid[-1:]
            if not self.stock:
                break
            drawn.append(self.stock.pop(0))
            self.hands[seat].append(drawn[-1])
            self.events.append(f"{seat + 1} take {drawn[-1]}")
        return drawn

    def after(self, seat: int) -> int:
        """The seat after another in the direction of play."""
        return (seat + self.step) % self.players

    def next_player(self) -> None:
        """The turn moves on."""
        self.player = self.after(self.player)


# ---------------------------------------------------------------- how seats choose


def house(game: Round, seat: int, options: list[str]) -> str:
    """The house policy."""
    if options[-1] == "draw":
        return best_play(game, options)
    if options[-1] == "keep":
        card = options[0].split()[1]
        honest = all(other[0] != game.colour for other in game.hands[seat])
        return "keep" if card == "WF" and not honest else options[0]
    if options[0].startswith("name"):
        counts = [sum(card[0] == colour for card in game.hands[seat]) for colour in COLOURS]
        return f"name {COLOURS[counts.index(max(counts))]}"
    if "challenge" in options:
        return "accept" if any(card[0] == game.colour_before for card in game.hands[seat]) else "challenge"
    return options[0]  # it calls, and it catches


def best_play(game: Round, options: list[str]) -> str:
    """What the house plays in its turn."""
    cards = [option.split()[1] for option in options if option != "draw"]
    coloured = [card for card in cards if card[0] != "W"]
    if coloured:
        return f"play {min(coloured, key=lambda card: (-POINTS[card[1]], card[0] != game.colour, card))}"
    return next((f"play {card}" for card in ("WC", "WF") if card in cards), "draw")


def bluffer(game: Round, seat: int, options: list[str]) -> str:
    """As the house, but a wild draw four goes before anything else in a turn."""
    if options[-1] == "draw" and "play WF" in options:
        return "play WF"
    return house(game, seat, options)


def forgetful(game: Round, seat: int, options: list[str]) -> str:
    """As the house, but it never calls and never catches."""
    if options[0] in ("call", "catch"):
        return options[1]
    return house(game, seat, options)


POLICIES: dict[str, Chooser] = {"house": house, "bluffer": bluffer, "forgetful": forgetful}
