"""My Game: tricks in which suit must be followed, and spades are trump. The most tricks win."""

from __future__ import annotations

from dataclasses import dataclass

# fmt: off
from maumau import (  # isort: skip
    TRICK_FACTS, TRICK_LOOK, TRICK_POSTCONDITIONS, Declaration, Fact, Game, Invariant, Look, Phase, Scoring, SmallDeck,
    among, effect, forced, on, page, query, trick_invariants, trick_phases,
)
# fmt: on
from rules.cards import FRENCH_52, SUITS
from rules.ending import most_win
from rules.invariants import most_has_won
from rules.table import each_seat
from rules.tricks import TrickTable, follows_suit, held, taker_in_turn, tricks_of
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


# CHANGE: which cards may be led, as a mask. `follows_suit` below says which may follow; `heads_trick` demands more.
may_lead = among(held, "may_lead", "{card} is not in the hand", "The card is in the hand.")


@effect
def choose_trump(table: MyTricksTable) -> None:
    """Spades are trump."""
    table.trump = SUITS.index("S")  # CHANGE: -1 for none


@effect
def count_trick(table: MyTricksTable) -> None:
    """The player of the best card takes the trick."""
    table.won[table.taker] += 1


@query
def tricks_are_counted(table: MyTricksTable) -> bool:
    """Each has as many tricks as were taken, by the cards that lie there."""
    for seat in range(table.players):
        if table.won[seat] != tricks_of(table, seat):
            return False
    return True


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
    **trick_phases(
        LEADING, FOLLOWING, TRICK, GAME_OVER, may_lead, follows_suit,
        take=(count_trick, taker_in_turn),
        count=(count_trick, taker_in_turn, most_win(score)),
        rules=("The taker leads.", "After the last trick the most tricks win."),
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
    look=Look(scores="Tricks").joined(TRICK_LOOK),
    # CHANGE: what must hold in which phases, and what each event must have done.
    invariants=(
        *trick_invariants(LEADING, FOLLOWING, TRICK, (INITIAL, GAME_OVER)),
        Invariant("each player has the tricks taken", tricks_are_counted),
        Invariant("the most tricks win", most_has_won(score), (GAME_OVER,)),
    ),
    postconditions=TRICK_POSTCONDITIONS,
    small_decks=(SmallDeck("2C 3C 2H 2S", 4, 1), SmallDeck("2C 3C 2H 2S 2D 3S KS AC", 4, 2, large=True)),
)


class MyTricks(Game, declaration=MY_GAME):
    """A game of My Game."""
