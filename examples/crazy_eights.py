"""Crazy Eights for two to five: a card fits by its suit or its rank, and an eight, which fits always, names a suit.

    maumau play --game examples/crazy_eights.py:CrazyEights
    maumau check --game examples/crazy_eights.py:CrazyEights --games 100

The rules are those of Bicycle (https://bicyclecards.com/how-to-play/crazy-eights); the guide tells them.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial

# fmt: off
from maumau import (  # isort: skip
    FIRST_LEGAL, RANDOM, Choice, Declaration, Fact, Game, Guide, Invariant, Look, Policy, Postcondition, Scoring,
    SmallDeck, among, best, choose, forced, lay, on, page, phases, query, turn,
)
# fmt: on
from rules import blocking, invariants, shedding
from rules.blocking import BlockingTable
from rules.cards import NO_SUIT, SUIT_NAMES, SUITS, of_rank, of_suit, points_by_rank, rank_of
from rules.drawing import draw_pile_left
from rules.match import winner_takes
from rules.notation import Notation
from rules.shedding import last_card, name_suit, next_player, suits_for, take_card, win
from rules.table import deal_in_turn, each_seat
from rules.visibility import seen_by_owner

RANKS = "A2345679TJQK8"
"""Codes of cards grow with the points."""
NOTATION = Notation(tuple(suit + rank for rank in RANKS for suit in SUITS), SUITS, "suit", SUIT_NAMES)
VALUES = (1, 2, 3, 4, 5, 6, 7, 9, 10, 10, 10, 10, 50)
"""Points of each rank, in the order of RANKS."""
CARDS_EACH = {2: 7, 3: 5, 4: 5, 5: 5}
EIGHTS = of_rank(RANKS.index("8"))


@dataclass(slots=True)
class Table(BlockingTable):
    """The cards and facts of one game, for up to five players."""

    hands: list[int] = seen_by_owner(factory=each_seat(5))


@query
def fitting(table: Table) -> int:
    """The cards in hand that fit: of the suit to follow, of the rank of the open card, and eights."""
    alike = of_suit(shedding.suit_to_follow(table)) | of_rank(rank_of(table.open_card))
    return table.hands[table.player] & (alike | EIGHTS)


@query
def plain_cards(table: Table) -> int:
    """The fitting cards that are not eights."""
    return fitting(table) & ~EIGHTS


NOT_FITTING = "{card} fits neither the suit to follow nor the rank of {open_card}"
fits = among(fitting, "fits", NOT_FITTING, "The card that is played fits.")
eight = among(EIGHTS, "eight", "{card} is not an eight", "The card that is played is an eight.")
score, names_suit = points_by_rank(VALUES), shedding.suit_is_named_by(EIGHTS)
lowest_hand_wins, out_or_lowest_has_won = blocking.lowest_wins(score), blocking.out_or_lowest_has_won(score)

# ---------------------------------------------------------------- what must hold


@query
def card_was_drawn(table: Table) -> bool:
    """The player in turn holds a drawn card besides others; nobody has passed, as there was a stock."""
    return table.hands[table.player].bit_count() > 1 and table.passes == 0


@query
def ended_rightly(table: Table) -> bool:
    """Who is out has won, and named no suit; or all have passed, and the lowest hand, if it is one, has won."""
    named = names_suit(table) if invariants.all_hold_cards(table) else table.named == NO_SUIT
    return named and out_or_lowest_has_won(table)


# ---------------------------------------------------------------- the page

CrazyEightsPhase = phases("CrazyEightsPhase", "initial await-play drawn game-over")
INITIAL, AWAIT_PLAY, DRAWN, GAME_OVER = CrazyEightsPhase

# fmt: off
A_CARD = on("play", AWAIT_PLAY, rule="A card that fits is played.")
AN_EIGHT = on("play", AWAIT_PLAY, conditions=eight, before=name_suit,
              rule="An eight always fits, and names the suit to follow.")
LAST = on("play", GAME_OVER, conditions=last_card, before=(blocking.lay_card, win),
          rule="A player who plays the last card wins.")
TAKE = on("take", DRAWN, conditions=draw_pile_left, before=take_card,
          rule="A player may draw as long as there is a stock.")
PASS = on("pass_turn", AWAIT_PLAY, unless=draw_pile_left, before=(blocking.count_pass, next_player),
          rule="When the stock is gone, a player may pass.")
BLOCKED = on("pass_turn", GAME_OVER, conditions=blocking.others_have_passed, unless=draw_pile_left,
             before=lowest_hand_wins, rule="When all have passed in a row, the lowest hand wins.")
laid = partial(lay, fits, A_CARD, AN_EIGHT, suits=suits_for(eight), first=blocking.lay_card, then=next_player)

PAGE = page({
    INITIAL: forced(on("open", AWAIT_PLAY, unless=eight, rule="The starter has no effect.")),
    AWAIT_PLAY: turn(laid(last=LAST), TAKE, PASS, BLOCKED),
    DRAWN: choose(laid(), TAKE, PASS),
})

RULES = (
    best("play", "most points", plain_cards, "of what fits the most points"),
    best("play", "eight", fitting, "nothing but an eight fits", suit=shedding.most_frequent_suit(~EIGHTS)),
    Choice("take", conditions=(draw_pile_left,), description="nothing fits"),
    Choice("pass_turn", description="nothing fits and the stock is gone"),
)

CRAZY_EIGHTS = Declaration(
    title="Crazy Eights", page=PAGE, table=Table, deck=NOTATION, cards_each=CARDS_EACH,
    facts=(Fact("suit", "named", "suit"), Fact("passes")),
    amend=shedding.starting_without(EIGHTS, CARDS_EACH), deal_each=deal_in_turn,
    score=score, scoring=Scoring(winner_takes(score), target=100, lowest_wins=False),
    policies=(Policy("house", {AWAIT_PLAY: RULES, DRAWN: RULES}), RANDOM, FIRST_LEGAL),
    look=Look(usual=(A_CARD.rule,), asks={"take": "take a card", "pass_turn": "pass"}, guide=Guide(
        aim="Get rid of your cards before the others. The winner scores the cards that they hold.",
        deal=("The next card is turned up, the starter. It is never an eight.",),
        turn=("Play a card of the suit or of the rank of the open card: HK and C9 both fit on H9.",
              "Or draw cards, as many as there are. When the stock is gone, you may pass."),
        cards={"C8 H8": ("An eight always fits. Its player names the suit to follow.",)},
        counting=("The player who is out wins. If all pass one after the other, the lowest hand wins.",
                  "An eight counts 50, a court card 10, an ace 1, other cards their number."))),
    invariants=(
        Invariant("the last card of the discard pile is the open one", invariants.piles_are_sound),
        Invariant("the starter is not an eight", shedding.starter_is_none_of(EIGHTS), (INITIAL,)),
        Invariant("a suit is named with an open eight, and with no other card", names_suit,
                  (INITIAL, AWAIT_PLAY, DRAWN)),
        Invariant("while the game runs all hold cards", invariants.all_hold_cards, (INITIAL, AWAIT_PLAY, DRAWN)),
        Invariant("nobody passes while there is a stock", blocking.passes_need_empty_stock),
        Invariant("at the start player 1 is in turn, hands are equal and only the starter lies there",
                  invariants.starter_lies, (INITIAL,)),
        Invariant("a player who has drawn holds two cards or more", card_was_drawn, (DRAWN,)),
        Invariant("a player who is out wins, or the lowest hand when all have passed", ended_rightly, (GAME_OVER,)),
    ),
    postconditions=(
        Postcondition("a card goes from the hand onto the discard pile", invariants.card_is_laid, ("play",)),
        Postcondition("a card goes from the stock into the hand", invariants.top_card_is_taken, ("take",)),
        Postcondition("a player who draws goes on", invariants.same_player, ("take",)),
        Postcondition("the next player is in turn", shedding.next_in_turn, ("play", "pass_turn"), (AWAIT_PLAY,)),
        Postcondition("no card moves except by play and take", invariants.nothing_moves, ("open", "pass_turn")),
    ),
    small_decks=(SmallDeck("DA D2 HA D8 D3", 2, 1), SmallDeck("DA D2 HA H2 D8 H8 S3", 2, 2, large=True),
                 SmallDeck("DA D2 HA H2 D8 H8 S3 C4", 3, 2, large=True)),
)
# fmt: on


class CrazyEights(Game, declaration=CRAZY_EIGHTS):
    """A game of Crazy Eights, stepped event by event. Cards are named by suit and rank: `C8`, the eight of clubs.

    >>> CrazyEights.deal(players=3, seed=7).run()
    Outcome(ending=<Ending.WON: 1>, winner=3, scores=(5, 65, 0))
    """
