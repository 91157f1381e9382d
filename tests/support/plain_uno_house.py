"""Official UNO with house rules, written from the specification without a machine: the judge for the tests.

It imports nothing from the project except the simulator of the game without house rules.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence

from corpora import check_known
from plain_uno_official import Chooser, Over, Result, Round, bluffer, forgetful, house

RULES = {
    "draw-until-fit", "jump-in", "must-play", "no-action-last", "no-bluff", "no-draw-on-last",
    "reverse-skips-nothing-with-two", "seven-zero", "stack-draw-two", "stack-draws",
}  # fmt: skip
ADDS = {"D": 2, "F": 4}
ACTIONS = set("SRDCF")


def simulate(players: int, deck: Sequence[str], rules: Collection[str], policies: Sequence[str] = ("house",)) -> Result:
    """Play the round that `players` start with `deck` under house rules. policies: one for all, or one a seat."""
    seated = list(policies) * players if len(policies) == 1 else list(policies)
    return HouseRound(players, deck, [CHOOSERS[each] for each in seated], rules).run()


class HouseRound(Round):
    """A round in progress. total: the cards that are due for the cards on which the open one was laid, and for it."""

    def __init__(self, players: int, deck: Sequence[str], choosers: Sequence[Chooser], rules: Collection[str]) -> None:
        check_known(rules, RULES, "tests/support/plain_uno_house.py")
        super().__init__(players, deck, choosers)
        self.rules = frozenset(rules)
        self.total, self.is_answer = 0, False

    def has(self, *rules: str) -> bool:
        """Whether one of these rules is in force."""
        return not self.rules.isdisjoint(rules)

    # ------------------------------------------------------------ what may be laid

    def barred(self, seat: int) -> bool:
        """No-action-last: whether the only card of a seat is an action card."""
        hand = self.hands[seat]
        return self.has("no-action-last") and len(hand) == 1 and hand[0][1] in ACTIONS

    def honest(self, seat: int) -> bool:
        """Whether a wild draw four laid now would be honest."""
        return all(card[0] != self.colour for card in self.hands[seat])

    def layable(self, seat: int, cards: Sequence[str]) -> list[str]:
        """Those of some cards that a seat may lay in its turn."""
        if self.barred(seat):
            return []
        bluff = self.has("no-bluff") and not self.honest(seat)
        return [card for card in sorted(set(cards)) if self.may_lay(card) and not (card == "WF" and bluff)]

    def forced(self, seat: int, cards: Sequence[str]) -> bool:
        """Must-play: whether one of some cards has to be laid."""
        honest = self.honest(seat)
        return self.has("must-play") and any(card != "WF" or honest for card in self.layable(seat, cards))

    def stacked(self) -> str:
        """The symbols of the cards that add up."""
        return "DF" if self.has("stack-draws") else "D" if self.has("stack-draw-two") else ""

    def answers(self, seat: int) -> list[str]:
        """The cards that answer the open card."""
        if self.barred(seat):
            return []
        on = self.laid[-1][1]
        symbols = "F" if on == "F" else self.stacked()
        return [card for card in sorted(set(self.hands[seat])) if card[1] in symbols]

    # ------------------------------------------------------------ turns

    def open(self) -> None:
        """The exposed card takes effect."""
        symbol = self.laid[0][1]
        if symbol == "R" and self.players == 2 and self.has("reverse-skips-nothing-with-two"):
            return
        if symbol in self.stacked():
            self.total = 2
            self.answer_or_draw()
            return
        super().open()

    def play_turn(self) -> None:
        """The player in turn lays a card, or draws."""
        self.total, self.is_answer = 0, False
        seat, hand = self.player, self.hands[self.player]
        options = [f"play {card}" for card in self.layable(seat, hand)]
        chosen = self.ask(seat, options + ["draw"] * (not self.forced(seat, hand)))
        if chosen != "draw":
            self.lay(seat, chosen.split()[1])
        elif self.has("draw-until-fit"):
            self.draw_until_fit(seat)
        else:
            self.draw_one(seat)

    def draw_one(self, seat: int) -> None:
        """An own draw: the card may be laid."""
        drawn = self.draw(seat, 1)
        if drawn and self.layable(seat, drawn):
            options = [f"play {drawn[0]}"] + ["keep"] * (not self.forced(seat, drawn))
            if self.ask(seat, options) != "keep":
                self.lay(seat, drawn[0])
                return
        self.next_player()

    def draw_until_fit(self, seat: int) -> None:
        """An own draw that goes on until a card fits."""
        while drawn := self.draw(seat, 1):
            if self.layable(seat, drawn) and (drawn[0] != "WF" or self.honest(seat)):
                self.lay(seat, drawn[0])
                return
        self.next_player()

    def lay(self, seat: int, card: str) -> None:
        """A card is laid, called and perhaps jumped in on; then it takes effect."""
        while True:
            hand = self.hands[seat]
            hand.remove(card)
            self.laid.append(card)
            if card[1] in self.stacked():
                self.total += ADDS[card[1]]
            if card == "WF":
                self.colour_before = self.colour
                self.guilty = any(other[0] == self.colour for other in hand)
            if card[0] != "W":
                self.colour = card[0]
            if len(hand) == 1:
                self.call_or_catch(seat)
            jumper = self.who_jumps_in(seat, card)
            if jumper is None:
                break
            seat = self.player = jumper
        self.take_effect(seat, card, out=not hand)

    def who_jumps_in(self, seat: int, card: str) -> int | None:
        """The seat that lays the same card out of turn."""
        if not self.has("jump-in") or card[0] == "W" or not self.hands[seat]:
            return None
        asked = self.after(seat)
        while asked != seat:
            able = card in self.hands[asked] and not self.barred(asked)
            if able and self.ask(asked, [f"play {card}", "let_pass"]) != "let_pass":
                return asked
            asked = self.after(asked)
        return None

    def take_effect(self, seat: int, card: str, out: bool) -> None:
        """The effect of the card that lies open."""
        symbol = card[1]
        if out:
            if symbol in ADDS and not self.has("no-draw-on-last"):
                self.next_player()
                self.draw(self.player, self.total or ADDS[symbol])
            raise Over(seat)
        if symbol == "R" and self.players == 2 and self.has("reverse-skips-nothing-with-two"):
            self.next_player()
        elif symbol == "D" and self.stacked():
            self.next_player()
            self.answer_or_draw()
        else:
            if self.has("seven-zero"):
                self.swap_or_pass_on(seat, symbol)
            super().take_effect(seat, card, out)

    def swap_or_pass_on(self, seat: int, symbol: str) -> None:
        """Seven-zero."""
        if symbol == "7":
            others = [other for other in range(self.players) if other != seat]
            other = int(self.ask(seat, [f"swap {each + 1}" for each in others]).split()[1]) - 1
            self.hands[seat], self.hands[other] = self.hands[other], self.hands[seat]
        elif symbol == "0":
            self.hands = [self.hands[(each - self.step) % self.players] for each in range(self.players)]

    # ------------------------------------------------------------ draws for a card

    def answer_or_draw(self) -> None:
        """The player in turn answers the open card, which is not challenged, or draws the total."""
        seat, answers = self.player, self.answers(self.player)
        options = [f"play {card}" for card in answers]
        if not (answers and self.has("must-play")):
            options.append("accept")
        chosen = self.ask(seat, options)
        if chosen == "accept":
            self.draw(seat, self.total)
            self.next_player()
        else:
            self.is_answer = True
            self.lay(seat, chosen.split()[1])

    def settle_draw_four(self, offender: int) -> None:
        """The player in turn is the victim of a wild draw four, whose colour is named."""
        stacks = self.has("stack-draws")
        if stacks and (self.is_answer or self.has("no-bluff")):
            self.answer_or_draw()
            return
        if self.has("no-bluff"):
            self.draw(self.player, 4)
            self.next_player()
            return
        answers = [f"play {card}" for card in self.answers(self.player)] if stacks else []
        declining = [] if answers and self.has("must-play") else ["accept", "challenge"]
        chosen = self.ask(self.player, answers + declining)
        if chosen == "play WF":
            self.is_answer = True
            self.lay(self.player, "WF")
            return
        if chosen == "challenge" and self.guilty:
            self.draw(offender, 4)
            return
        self.draw(self.player, 6 if chosen == "challenge" else 4)
        self.next_player()


# ---------------------------------------------------------------- how seats choose


def with_rules(base: Chooser) -> Chooser:
    """A policy that decides as the house what house rules add."""

    def choose(game: Round, seat: int, options: list[str]) -> str:
        first, last = options[0], options[-1]
        if first.startswith("swap"):
            return smallest_hand(game, seat)
        if (
            last == "accept"
            or (first.startswith("play") and last in ("accept", "challenge"))
            or is_answer(game, options)
        ):
            return best_answer(game, options)
        if last == "let_pass" and first.startswith("play"):
            return first
        if len(options) == 1 and last != "draw":
            return first
        if last not in ("draw", "keep") and first.startswith("play"):
            chosen = base(game, seat, [*options, "draw"])
            assert chosen != "draw"
            return chosen
        return base(game, seat, options)

    return choose


def is_answer(game: Round, options: list[str]) -> bool:
    """Whether the options are those of an answer that must be given."""
    assert isinstance(game, HouseRound)
    symbols = {option[-1] for option in options}
    return (
        game.total > 0 and bool(symbols) and symbols <= {"D", "F"} and all(each.startswith("play") for each in options)
    )


def best_answer(game: Round, options: list[str]) -> str:
    """The house answers whenever it can: a draw two of the current colour, another one, a wild draw four."""
    cards = [option.split()[1] for option in options if option.startswith("play")]
    if not cards:
        return "accept"
    return f"play {min(cards, key=lambda card: (card == 'WF', card[0] != game.colour, card))}"


def smallest_hand(game: Round, seat: int) -> str:
    """The seat with the fewest cards; of equals the first in the direction of play."""
    order = [(seat + step * game.step) % game.players for step in range(1, game.players)]
    return f"swap {min(order, key=lambda other: len(game.hands[other])) + 1}"


def hoarder(game: Round, seat: int, options: list[str]) -> str:
    """As the house, but it draws, keeps and declines where it may."""
    for declining in ("draw", "keep", "let_pass", "accept"):
        if declining in options and options[0] != "catch" and "challenge" not in options:
            return declining
    if "challenge" in options:
        return house(game, seat, ["accept", "challenge"])
    return CHOOSERS["house"](game, seat, options)


CHOOSERS: dict[str, Chooser] = {
    **{name: with_rules(base) for name, base in (("house", house), ("bluffer", bluffer), ("forgetful", forgetful))},
    "hoarder": hoarder,
}
