"""My Game: a card takes all cards of its rank from the middle, or stays there. The most cards taken win."""

from __future__ import annotations

from dataclasses import dataclass

# fmt: off
from maumau import (  # isort: skip
    Declaration, Fact, Game, Invariant, Look, Phase, Postcondition, Scoring, SmallDeck, among, effect, forced, guard,
    lay, on, page, query, turn,
)
# fmt: on
from rules.cards import FRENCH, of_rank, rank_of
from rules.ending import most_win
from rules.invariants import most_has_won, other_hands_stay
from rules.shedding import next_player
from rules.table import CardTable, each_seat
from rules.tricks import held
from rules.visibility import seen_by_all


@dataclass(slots=True)
class MyFishingTable(CardTable):
    """The cards and facts of one game."""

    # CHANGE: the facts and piles of your game, each with who sees it; also name them in the facts.
    middle: list[int] = seen_by_all(factory=each_seat(4))  # the cards in the middle are a mask at 0
    taken: list[int] = seen_by_all(factory=each_seat(4))  # that each player has taken
    winners: int = seen_by_all(0)


# CHANGE: the points of a player.


@query
def score(table: MyFishingTable, seat: int) -> int:
    """The cards that a player has taken."""
    return table.taken[seat].bit_count()


# CHANGE: which cards may be laid, and what a card takes.
is_held = among(held, "is_held", "{card} is not in the hand", "The card is in the hand.")


@query
def caught(table: MyFishingTable) -> int:
    """The cards in the middle that the card takes: those of its rank."""
    return table.middle[0] & of_rank(rank_of(table.card))


@guard("others hold cards")
def last_card_of_all(table: MyFishingTable) -> bool:
    """Nobody holds another card."""
    others = table.hands[table.player] & ~(1 << table.card)
    for seat in range(table.players):
        if seat != table.player:
            others |= table.hands[seat]
    return others == 0


@effect
def lay_or_take(table: MyFishingTable) -> None:
    """The card takes those of its rank, or stays in the middle."""
    fish = caught(table)
    table.hands[table.player] ^= 1 << table.card
    if fish == 0:
        table.middle[0] |= 1 << table.card
    else:
        table.middle[0] ^= fish
        table.taken[table.player] |= fish | 1 << table.card


@effect
def skip_empty_hands(table: MyFishingTable) -> None:
    """Players without cards are passed over."""
    while table.hands[table.player] == 0:
        table.player = (table.player + 1) % table.players


@query
def player_holds_card(table: MyFishingTable) -> bool:
    """The player in turn has a card to lay."""
    return table.hands[table.player] != 0


@query
def card_is_used(before: MyFishingTable, after: MyFishingTable) -> bool:
    """The card has left the hand: it lies in the middle, or the player has taken it with others."""
    card, seat = 1 << before.card, before.player
    gone = before.hands[seat] ^ after.hands[seat] == card and other_hands_stay(before, after)
    return gone and (after.middle[0] | after.taken[seat]) & card != 0


class MyFishingPhase(Phase):
    """The phases of the game."""

    INITIAL = "initial"
    FISHING = "fishing"
    GAME_OVER = "game-over"


INITIAL, FISHING, GAME_OVER = MyFishingPhase

# CHANGE: what happens in each phase: events, guards (conditions, unless), effects (before), and the rule in a sentence.
PAGE = page({
    INITIAL: forced(on("begin", FISHING, rule="Player 1 begins.")),
    FISHING: turn(
        lay(
            is_held,
            on("play", FISHING, before=(lay_or_take, next_player, skip_empty_hands), rule="A card takes its rank."),
            last=on("play", GAME_OVER, conditions=last_card_of_all, before=(lay_or_take, most_win(score)),
                    rule="When all cards are played, the most cards win."),
        )
    ),
})  # fmt: skip

MY_GAME = Declaration(
    title="My Game",
    page=PAGE,
    table=MyFishingTable,
    # CHANGE: the deck, the numbers of players; without cards_each the whole deck is dealt.
    deck=FRENCH,
    players=(2, 3, 4),
    facts=(Fact("middle", kind="pile"), Fact("taken", kind="cards"), Fact("winners", kind="seats")),
    score=score,
    scoring=Scoring(target=50, lowest_wins=False, unwon_scores=True),
    look=Look(scores="Cards taken", endings={"out of cards": "several have as many cards"}),
    # CHANGE: what must hold in which phases, and what each event must have done.
    invariants=(
        Invariant("the player in turn holds a card", player_holds_card, (INITIAL, FISHING)),
        Invariant("the most cards win", most_has_won(score), (GAME_OVER,)),
    ),
    postconditions=(Postcondition("the card stays in the middle, or takes others", card_is_used, ("play",)),),
    small_decks=(SmallDeck("DQ HQ DK HK DS", 2, 2),),
)


class MyFishing(Game, declaration=MY_GAME):
    """A game of My Game."""
