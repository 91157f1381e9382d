"""Crazy Eights: a game from outside the package, in one file.

    maumau deal --game examples/crazy_eights.py:CrazyEights --players 3 --seed 7 |
        maumau simulate --game examples/crazy_eights.py:CrazyEights --trace -

Rules (Bicycle, https://bicyclecards.com/how-to-play/crazy-eights): two to five players, 52 cards; seven cards each for
two players, else five. A card of the suit or of the rank of the open card fits. An eight fits always, and names a suit.
A player may draw instead of playing, as many cards as are left, and passes when the stock is gone. Who is out wins. If
all pass in a row, the game is blocked and the lowest hand wins. Eights count 50 points, court cards 10, aces 1.

The rules agree with those of OpenSpiel's `crazy_eights` with max_draw_cards=52 and reshuffle=False: a test plays both
in lock-step. The differences:

| what | here | OpenSpiel | the rule |
|---|---|---|---|
| an eight | `play("C8", "H")` | `Play C8`, then `Nominate suit H` | one move: card and suit are played together |
| a blocked game | ends when all have passed in a row | needs one more pass | nobody can change the hands any more |
| an ace | 1 point | 10 points | Bicycle: an ace is 1 point |
| two to ten | their number | 2 + the number of the card in the deck, 0 to 51 | Bicycle: their number |
| an eight as the starter | another card takes its place in the deck | another card is drawn | no eight is the starter |
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial

# fmt: off
from maumau import (  # isort: skip
    FIRST_LEGAL, RANDOM, Choice, Declaration, Fact, Game, Invariant, Look, Policy, Postcondition, Scoring,
    SmallDeck, among, best, choose, effect, forced, guard, lay, on, page, phases, query, turn,
)
from rules import invariants as must
from rules.cards import NO_SUIT, of_rank, of_suit, points_by_rank, rank_of
from rules.chance import below
from rules.drawing import draw_pile_left
from rules.ending import fewest_win
from rules.match import winner_takes
from rules.notation import Notation

from rules.shedding import (  # isort: skip
    SuitTable, last_card, lay_card_over, most_frequent_suit, name_suit, next_in_turn, next_player, suit_to_follow,
    suits_for, take_card, win,
)
from rules.table import deal_in_turn, each_seat
from rules.visibility import seen_by_all, seen_by_owner

# fmt: on

SUITS, RANKS = "DHSC", "A2345679TJQK8"
"""Codes of cards grow with the points."""
NOTATION = Notation(
    tuple(suit + rank for rank in RANKS for suit in SUITS), SUITS, "suit", ("diamonds", "hearts", "spades", "clubs")
)
VALUES = (1, 2, 3, 4, 5, 6, 7, 9, 10, 10, 10, 10, 50)
"""Points of each rank, in the order of RANKS."""
DECK_SIZE, MAX_PLAYERS = 52, 5
EIGHT = RANKS.index("8")
EIGHTS = of_rank(EIGHT)
STARTER_ROLLS = 1 << 20
"""The first die that is rolled for another starter: random players never come so far."""

# ---------------------------------------------------------------- the table, the deal, the points


@dataclass(slots=True)
class Table(SuitTable):
    """The cards and facts of one game."""

    hands: list[int] = seen_by_owner(factory=each_seat(MAX_PLAYERS))
    passes: int = seen_by_all(0)  # in a row


@query
def cards_each(players: int) -> int:
    """Cards that each player is dealt."""
    return 7 if players == 2 else 5


@effect
def start_with_no_eight(deck: bytearray, players: int, seed: int, number: int) -> None:
    """An eight that would be the starter changes places with another card of the deck."""
    starter = players * cards_each(players)
    place, roll = starter, STARTER_ROLLS
    while rank_of(deck[place]) == EIGHT:
        place = below(DECK_SIZE, seed, number, roll)
        roll += 1
    deck[starter], deck[place] = deck[place], deck[starter]


score = points_by_rank(VALUES)

# ---------------------------------------------------------------- what may be played, and what is done


@query
def fitting(table: Table) -> int:
    """The cards in hand that fit: of the suit to follow, of the rank of the open card, and eights."""
    alike = of_suit(suit_to_follow(table)) | of_rank(rank_of(table.open_card))
    return table.hands[table.player] & (alike | EIGHTS)


fits = among(
    fitting,
    "fits",
    "{card} fits neither the suit to follow nor the rank of {open_card}",
    "The card that is played fits.",
)
eight = among(EIGHTS, "eight", "{card} is no eight", "The card that is played is an eight.")


@query
def plain_cards(table: Table) -> int:
    """The fitting cards that are no eights."""
    return fitting(table) & ~EIGHTS


@guard("others have not passed")
def others_have_passed(table: Table) -> bool:
    """All other players have passed, one after the other."""
    return table.passes == table.players - 1


@effect
def lay_card(table: Table) -> None:
    """The card goes from the hand onto the discard pile; no suit is named, and nobody has passed."""
    lay_card_over(table)
    table.passes = 0


@effect
def count_pass(table: Table) -> None:
    """One more player in a row passes."""
    table.passes += 1


lowest_wins, lowest_has_won = fewest_win(score), must.fewest_has_won(score)


@effect
def lowest_hand_wins(table: Table) -> None:
    """The lowest hand wins; if there are several, nobody does."""
    table.turns += 1
    lowest_wins(table)


# ---------------------------------------------------------------- what must hold


@query
def eight_names_suit(table: Table) -> bool:
    """A suit is named if, and only if, an eight is open."""
    return (rank_of(table.open_card) == EIGHT) == (table.named >= 0)


@query
def no_starting_eight(table: Table) -> bool:
    """The starter is no eight."""
    return rank_of(table.open_card) != EIGHT


@query
def passes_need_empty_stock(table: Table) -> bool:
    """Nobody passes while there is a stock."""
    return 0 <= table.passes < table.players and (table.passes == 0 or table.stock == 0)


@query
def cards_are_dealt(table: Table) -> bool:
    """The first player is in turn, all hold equally many cards, and only the starter lies on the pile."""
    return table.player == 0 and must.hands_are_equal(table) and must.only_open_card_lies(table)


@query
def card_was_drawn(table: Table) -> bool:
    """The player in turn holds a drawn card besides others; nobody has passed, as there was a stock."""
    return table.hands[table.player].bit_count() > 1 and table.passes == 0


@query
def ended_rightly(table: Table) -> bool:
    """The player in turn alone has no cards and has won; or all have passed, and the lowest hand, if it is one, has."""
    if must.all_hold_cards(table):
        return lowest_has_won(table) and table.passes == table.players - 1 and eight_names_suit(table)
    return lowest_has_won(table) and table.winner == table.player and table.passes == 0 and table.named == NO_SUIT


# ---------------------------------------------------------------- the page


CrazyEightsPhase = phases("CrazyEightsPhase", "initial await-play drawn game-over")
INITIAL, AWAIT_PLAY, DRAWN, GAME_OVER = CrazyEightsPhase

# fmt: off
A_CARD = on("play", AWAIT_PLAY, rule="A card that fits is played.")
AN_EIGHT = on("play", AWAIT_PLAY, conditions=eight, before=name_suit,
              rule="An eight fits always, and names the suit to follow.")
LAST = on("play", GAME_OVER, conditions=last_card, before=(lay_card, win), rule="Who plays the last card wins.")
TAKE = on("take", DRAWN, conditions=draw_pile_left, before=take_card,
          rule="A player may draw as long as there is a stock.")
PASS = on("pass_turn", AWAIT_PLAY, unless=draw_pile_left, before=(count_pass, next_player),
          rule="When the stock is gone, a player may pass.")
BLOCKED = on("pass_turn", GAME_OVER, conditions=others_have_passed, unless=draw_pile_left, before=lowest_hand_wins,
             rule="When all have passed in a row, the lowest hand wins.")
laid = partial(lay, fits, A_CARD, AN_EIGHT, suits=suits_for(eight), first=lay_card, then=next_player)

PAGE = page({
    INITIAL: forced(on("open", AWAIT_PLAY, unless=eight, rule="The starter has no effect.")),
    AWAIT_PLAY: turn(laid(last=LAST), TAKE, PASS, BLOCKED),
    DRAWN: choose(laid(), TAKE, PASS),
})

RULES = (
    best("play", "most points", plain_cards, "of what fits the most points"),
    best("play", "eight", fitting, "nothing but an eight fits", suit=most_frequent_suit(~EIGHTS)),
    Choice("take", conditions=(draw_pile_left,), description="nothing fits"),
    Choice("pass_turn", description="nothing fits and the stock is gone"),
)

CRAZY_EIGHTS = Declaration(
    title="Crazy Eights", table=Table,
    deck=NOTATION, players=range(2, MAX_PLAYERS + 1), cards_each=cards_each,
                facts=(Fact("suit", "named", "suit"), Fact("passes")),
    amend=start_with_no_eight, deal_each=deal_in_turn,
    score=score, scoring=Scoring(winner_takes(score), target=100, lowest_wins=False),
    page=PAGE,
    policies=(Policy("house", {AWAIT_PLAY: RULES, DRAWN: RULES}), RANDOM, FIRST_LEGAL),
    look=Look(usual=(A_CARD.rule,), asks={"take": "take a card", "pass_turn": "pass"}),
    invariants=(
        Invariant("the last card of the discard pile is the open one", must.piles_are_sound),
        Invariant("the starter is no eight", no_starting_eight, (INITIAL,)),
        Invariant("a suit is named with an open eight, and with no other card", eight_names_suit,
                  (INITIAL, AWAIT_PLAY, DRAWN)),
        Invariant("while the game runs all hold cards", must.all_hold_cards, (INITIAL, AWAIT_PLAY, DRAWN)),
        Invariant("nobody passes while there is a stock", passes_need_empty_stock),
        Invariant("at the start player 1 is in turn, hands are equal and only the starter lies there", cards_are_dealt,
                  (INITIAL,)),
        Invariant("who has drawn holds two cards or more", card_was_drawn, (DRAWN,)),
        Invariant("who is out wins, or the lowest hand when all have passed", ended_rightly, (GAME_OVER,)),
    ),
    postconditions=(
        Postcondition("a card goes from the hand onto the discard pile", must.card_is_laid, ("play",)),
        Postcondition("a card goes from the stock into the hand", must.top_card_is_taken, ("take",)),
        Postcondition("who draws goes on", must.same_player, ("take",)),
        Postcondition("the next player is in turn", next_in_turn, ("play", "pass_turn"), (AWAIT_PLAY,)),
        Postcondition("no card moves but by play and take", must.nothing_moves, ("open", "pass_turn")),
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
