"""My Game: tricks in which suit must be followed, and spades are trump. The most tricks win."""

from __future__ import annotations

from dataclasses import dataclass

# fmt: off
from maumau import (  # isort: skip
    TRICK_FACTS, Declaration, Fact, Game, Invariant, Look, Phase, Postcondition, Reason, Scoring, SmallDeck, among,
    effect, forced, lay, on, page, query, turn,
)
from rules.tricks import (  # isort: skip
    TrickTable, all_played, beat, card_leaves_hand, fills_trick, following, hands_fit_trick, held, lead_suit,
    no_trick_lies, others_than_led, play_card, taker, taker_in_turn, taker_leads, trick_is_full, trick_lies,
)
# fmt: on
from rules.cards import FRENCH_52, SUITS
from rules.ending import most_win
from rules.invariants import hands_are_equal, most_has_won
from rules.shedding import next_player
from rules.table import each_seat
from rules.visibility import seen_by_all


@dataclass(slots=True)
class MyTricksTable(TrickTable):
    """The cards and facts of one game."""

    # CHANGE: the facts of your game, each with who sees it; also name them in the facts of the declaration.
    won: list[int] = seen_by_all(factory=each_seat(4))  # tricks that each has taken
    winners: int = seen_by_all(0)


# CHANGE: the points of a player.


@query
def score(table: MyTricksTable, seat: int) -> int:
    """The tricks that a player has taken."""
    return table.won[seat]


# CHANGE: which cards may be led, and which may follow, as masks.
may_lead = among(held, "may_lead", "{card} is not in the hand", "The card is in the hand.")
follows = among(following, "follows", Reason("{led} must be followed", others_than_led), "The card follows suit.")


@effect
def choose_trump(table: MyTricksTable) -> None:
    """Spades are trump."""
    table.trump = SUITS.index("S")  # CHANGE: -1 for none


@effect
def count_trick(table: MyTricksTable) -> None:
    """The player of the best card takes the trick."""
    table.won[table.taker] += 1


class MyTricksPhase(Phase):
    """The phases of the game."""

    INITIAL = "initial"
    LEADING = "leading"
    FOLLOWING = "following"
    TRICK = "trick"
    GAME_OVER = "game-over"


INITIAL, LEADING, FOLLOWING, TRICK, GAME_OVER = MyTricksPhase

# CHANGE: what happens in each phase: events, guards (conditions, unless), effects (before), and the rule in a sentence.
PAGE = page({
    INITIAL: forced(on("begin", LEADING, before=choose_trump, rule="Player 1 leads first.")),
    LEADING: turn(
        lay(may_lead, on("play", FOLLOWING, before=(play_card, lead_suit, next_player), rule="A card is led."))
    ),
    FOLLOWING: turn(
        lay(
            follows,
            on("play", FOLLOWING, before=(play_card, beat, next_player), rule="A card follows."),
            on("play", TRICK, conditions=fills_trick, before=(play_card, beat), rule="The trick is full."),
        )
    ),
    TRICK: forced(
        on("take_trick", LEADING, unless=all_played, before=(count_trick, taker_in_turn), rule="The taker leads."),
        on("count", GAME_OVER, conditions=all_played, before=(count_trick, taker_in_turn, most_win(score)),
           rule="After the last trick the most tricks win."),
    ),
})  # fmt: skip

MY_GAME = Declaration(
    title="My Game",
    page=PAGE,
    table=MyTricksTable,
    # CHANGE: the deck, the numbers of players; without cards_each the whole deck is dealt.
    deck=FRENCH_52,
    players=4,
    facts=(*TRICK_FACTS, Fact("trump", kind="suit"), Fact("won", kind="counts"), Fact("winners", kind="seats")),
    score=score,
    scoring=Scoring(target=20, lowest_wins=False, unwon_scores=True),
    look=Look(events={"take_trick": "takes the trick"}, doers={"take_trick": taker}, scores="Tricks"),
    # CHANGE: what must hold in which phases, and what each event must have done.
    invariants=(
        Invariant("a trick starts with equal hands", hands_are_equal, (INITIAL, LEADING, TRICK, GAME_OVER)),
        Invariant(
            "a player who has played to the trick holds a card less than the others", hands_fit_trick, (FOLLOWING,)
        ),
        Invariant("a trick is full when all have played", trick_is_full, (TRICK,)),
        Invariant("no trick is on the table", no_trick_lies, (INITIAL, LEADING, GAME_OVER)),
        Invariant("the best card and its player are those of the cards that lie there", trick_lies, (FOLLOWING, TRICK)),
        Invariant("the most tricks win", most_has_won(score), (GAME_OVER,)),
    ),
    postconditions=(
        Postcondition("the card leaves the hand", card_leaves_hand, ("play",)),
        Postcondition("the player who takes the trick leads", taker_leads, ("take_trick",)),
    ),
    small_decks=(SmallDeck("2C 3C 2H 2S", 4, 1), SmallDeck("2C 3C 2H 2S 2D 3S KS AC", 4, 2, large=True)),
)


class MyTricks(Game, declaration=MY_GAME):
    """A game of My Game."""
