"""An independent simulator of Mau-Mau with house rules, written from the specification, without a state machine.

It imports nothing of the project except the simulator of the game without house rules.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence

from corpora import check_known
from plain_maumau import EIGHT, JACK, SEVEN, VALUES, Result, Simulation, best

RULES = {
    "ace-skips", "cover-eight", "draw-until-fit", "drawn-card-not-played", "eights-answered", "five-each",
    "heart-king-draws-five", "jack-on-jack", "king-again", "nine-reverses", "no-action-last",
    "opening-without-effect", "other-scores", "play-on-after-penalty", "sevens-draw-1", "sevens-draw-2",
    "sevens-draw-3", "sevens-draw-4", "sevens-not-answered", "ten-is-wild",
}  # fmt: skip
OTHER_VALUES = dict.fromkeys(VALUES, 0) | {"A": 11, "T": 10, "K": 4, "Q": 3, "J": 2}
TURN, SEVENS, FIVE, SKIP, COVER, PLAY_ON = "turn", "sevens", "five", "skip", "cover", "play on"


def simulate(players: int, deck: Sequence[str], rules: Collection[str]) -> Result:
    """Play the game that `players` start with `deck` under the house rules called `rules`."""
    return HouseSimulation(players, deck, rules).run()


class HouseSimulation(Simulation):
    """A game in progress. act: what the player in turn does next."""

    def __init__(self, players: int, deck: Sequence[str], rules: Collection[str]) -> None:
        check_known(rules, RULES, "tests/support/plain_house_rules.py")
        super().__init__(players, deck)
        self.rules = set(rules)
        if "five-each" in self.rules:
            dealt = players * 5
            self.hands = [list(deck[seat:dealt:players]) for seat in range(players)]
            self.discard_pile, self.draw_pile, self.laid = [deck[dealt]], list(deck[dealt + 1 :]), [deck[dealt]]
        self.direction = 1
        self.act = TURN
        numbers = [int(rule.rsplit("-", 1)[1]) for rule in self.rules if rule.startswith("sevens-draw-")]
        self.for_a_seven = numbers[0] if numbers else 2
        self.winner = False

    def seat_after(self) -> int:
        """The next seat in the direction of play."""
        return (self.player + self.direction) % len(self.hands)

    def position(self) -> tuple[object, ...]:
        """All that the rest of the game depends on."""
        return self.act, self.direction, *super().position()

    def carry_out_opening(self) -> None:
        """The opening card takes effect on player 1, who has the first turn."""
        if "opening-without-effect" in self.rules:
            return
        card = self.discard_pile[0]
        if card[1] == SEVEN:
            self.due, self.act = self.for_a_seven, SEVENS
        elif card == "HK" and "heart-king-draws-five" in self.rules:
            self.due, self.act = 5, FIVE
        elif self.skips(card):
            self.skip_next()
        elif card[1] == "N" and "nine-reverses" in self.rules:
            self.turn_around()

    def skips(self, card: str) -> bool:
        """Whether the next player loses the turn."""
        eight = card[1] == EIGHT and "cover-eight" not in self.rules
        return eight or (card[1] == "A" and "ace-skips" in self.rules)

    def skip_next(self) -> None:
        """The player in turn is skipped, or may answer."""
        if "eights-answered" in self.rules:
            self.act = SKIP
        else:
            self.player = self.seat_after()

    def turn_around(self) -> None:
        """The direction turns; with two players there is none."""
        if len(self.hands) > 2:
            self.direction = -self.direction

    def play_turn(self) -> bool:
        """One act; whether the game is won with it. Raises OutOfCards."""
        {
            TURN: self.ordinary_turn,
            SEVENS: self.under_seven,
            FIVE: self.pay,
            SKIP: self.under_skip,
            COVER: self.cover,
            PLAY_ON: self.play_on,
        }[self.act]()
        return self.winner

    def ordinary_turn(self) -> None:
        """Lay a card that fits, else draw."""
        card = self.choose(self.hands[self.player])
        if card is None and "draw-until-fit" in self.rules:
            while card is None:
                card = self.choose([self.draw()])
        elif card is None:
            drawn = self.draw()
            card = None if "drawn-card-not-played" in self.rules else self.choose([drawn])
        self.lay_or_pass(card)

    def under_seven(self) -> None:
        """Answer with a seven, else draw the penalty."""
        sevens = [] if "sevens-not-answered" in self.rules else self.allowed(self.of_rank(SEVEN))
        if sevens:
            self.lay(best(sevens))
        else:
            self.pay()

    def pay(self) -> None:
        """Draw the penalty."""
        self.draw_penalty()
        self.act = TURN
        if "play-on-after-penalty" in self.rules:
            self.act = PLAY_ON
        else:
            self.move_on()

    def under_skip(self) -> None:
        """Answer with the same rank, else lose the turn."""
        answers = self.allowed(self.of_rank(self.discard_pile[-1][1]))
        if answers:
            self.lay(best(answers))
        else:
            self.act = TURN
            self.move_on()

    def cover(self) -> None:
        """Lay a card on the eight, else draw one and keep it."""
        card = self.choose(self.hands[self.player])
        if card is None:
            self.draw()
        self.lay_or_pass(card)

    def play_on(self) -> None:
        """Lay a card that fits, if there is one."""
        self.lay_or_pass(self.choose(self.hands[self.player]))

    def lay_or_pass(self, card: str | None) -> None:
        """Lay a card, or let the turn pass."""
        self.act = TURN
        if card:
            self.lay(card)
        else:
            self.move_on()

    def move_on(self) -> None:
        """The next player is in turn."""
        self.player = self.seat_after()

    def of_rank(self, rank: str) -> list[str]:
        """The cards of a rank in the hand of the player in turn."""
        return [card for card in self.hands[self.player] if card[1] == rank]

    def allowed(self, cards: Iterable[str]) -> list[str]:
        """Those of `cards` that may be laid: a seven, eight or jack not as the last card, if that is a rule."""
        last = "no-action-last" in self.rules and len(self.hands[self.player]) == 1
        return [card for card in cards if not (last and card[1] in (SEVEN, EIGHT, JACK))]

    def choose(self, cards: Iterable[str]) -> str | None:
        """The card of `cards` to be played by decision rules 2, 3, 4 and 6; None if none may be."""
        return super().choose(self.allowed(list(cards)))

    def fits(self, card: str) -> bool:
        """Whether `card` may be laid on the open card in an ordinary turn."""
        open_rank = self.discard_pile[-1][1]
        if "ten-is-wild" in self.rules and "T" in (card[1], open_rank):
            return True
        if "jack-on-jack" in self.rules and card[1] == open_rank == JACK:
            return True
        return super().fits(card)

    def lay(self, card: str) -> None:
        """Lay `card` and carry out its action, unless it is the last one."""
        player = self.player
        due, self.due = self.due, 0
        super().lay(card)
        self.player, self.act = player, TURN
        hand = self.hands[player]
        if not hand:
            self.winner = True
            return
        if card[1] == SEVEN:
            self.due = due + self.for_a_seven
            self.act = SEVENS
        elif card == "HK" and "heart-king-draws-five" in self.rules:
            self.due, self.act = 5, FIVE
        elif card[1] == "K" and "king-again" in self.rules:
            return
        elif card[1] == EIGHT and "cover-eight" in self.rules:
            self.act = COVER
            return
        elif card[1] == "N" and "nine-reverses" in self.rules:
            self.turn_around()
        self.move_on()
        if self.skips(card):
            self.skip_next()

    def scores(self) -> list[int]:
        """The values left in hand, doubled after a jack as last card."""
        if "other-scores" not in self.rules:
            return super().scores()
        doubled = 2 if self.laid[-1][1] == JACK else 1
        return [doubled * sum(OTHER_VALUES[card[1]] for card in hand) for hand in self.hands]
