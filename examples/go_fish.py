"""Go Fish for two to six: players ask each other for ranks, and lay down books of four cards.

    maumau play --game examples/go_fish.py:GoFish
    maumau check --game examples/go_fish.py:GoFish --games 100

The player in turn asks another one for a rank of which the asking player holds a card. Whoever is asked hands over all
cards of that rank, and the player asks again. Who has none says "Go fish": the player takes the top card of the stock,
and asks again if it is of that rank; otherwise the player who was asked is in turn. The game ends when a player has no
cards or the stock is gone; most books win. A question is two events, as each names one thing: `ask(2)` the seat,
`want("Q")` the rank.
"""

from __future__ import annotations

from dataclasses import dataclass

# fmt: off
from maumau import (  # isort: skip
    FIRST_LEGAL, QUARTET_FACTS, RANDOM, Choice, Declaration, Fact, Game, Guide, Invariant, Look, Policy, Postcondition,
    Scoring, SmallDeck, choose, effect, forced, guard, offer, on, page, phases, query, turn,
)
# fmt: on
from rules import quartets, shedding
from rules.cards import FRENCH_52, NO_CARD, of_rank, rank_of
from rules.ending import most_wins_alone
from rules.invariants import all_hold_cards, hands_are_equal, most_has_won_alone, piles_stay, top_card_is_taken
from rules.quartets import NO_RANK, NOBODY, RANKS, QuartetTable, books_of, has_rank, holds_book, other_is_asked
from rules.visibility import seen_by_all


@dataclass(slots=True)
class Table(QuartetTable):
    """The cards and facts of one game."""

    wanted: int = seen_by_all(NO_RANK)  # the rank of which a card is fished for


@guard("there is a stock, and all players hold cards")
def decided(table: Table) -> bool:
    """The stock is gone, or a player has no cards."""
    return table.stock == 0 or not all_hold_cards(table)


@guard("the player asks again")
def turn_is_lost(table: Table) -> bool:
    """The player took a card in vain: nobody else was asked since."""
    return table.asked != NOBODY


@guard("the card is of another rank")
def fish_is_wanted(table: Table) -> bool:
    """The top card of the stock is of the rank that was asked for."""
    return rank_of(table.ring[table.head & len(table.ring) - 1]) == table.wanted


# ---------------------------------------------------------------- what is done


@effect
def say_go_fish(table: Table) -> None:
    """The rank is remembered until a card is taken."""
    table.wanted = table.rank


@effect
def take_card(table: Table) -> None:
    """The top card of the stock goes into the hand."""
    shedding.take_card(table)
    table.wanted = NO_RANK


@effect
def ask_again(table: Table) -> None:
    """The player stays in turn."""
    table.asked = NOBODY


@effect
def move_on(table: Table) -> None:
    """The player who was asked is in turn."""
    table.player, table.asked, table.drawn = table.asked, NOBODY, NO_CARD


most_books_win, most_books_have_won = most_wins_alone(books_of, "most_books_win"), most_has_won_alone(books_of)

# ---------------------------------------------------------------- what must hold


@query
def cards_are_dealt(table: Table) -> bool:
    """The first player is in turn, all hold equally many cards, and no book lies down."""
    return table.player == 0 and hands_are_equal(table) and table.tail - table.head == table.stock


@query
def ended_rightly(table: Table) -> bool:
    """The stock is gone or a player has no cards; who alone has most books has won, if several have, nobody."""
    over = table.stock == 0 or not all_hold_cards(table)
    return over and quartets.no_book_is_held(table) and most_books_have_won(table)


@query
def nobody_is_asked(table: Table) -> bool:
    """Nobody is asked, for nothing."""
    return table.asked == NOBODY and table.wanted == NO_RANK


@query
def player_is_asked(table: Table) -> bool:
    """A player is asked, and it is not the one in turn; no rank is wanted yet."""
    return other_is_asked(table) and table.wanted == NO_RANK


@query
def asked_is_settled(table: Table) -> bool:
    """Who will be in turn is another player, or none; no rank is wanted any more."""
    return nobody_is_asked(table) or player_is_asked(table)


@query
def wanted_is_held(table: Table) -> bool:
    """The rank that is wanted is one of the player in turn, and not of the one who was asked."""
    if not (other_is_asked(table) and 0 <= table.wanted < RANKS):
        return False
    cards = of_rank(table.wanted)
    return table.hands[table.player] & cards != 0 and table.hands[table.asked] & cards == 0


@query
def game_runs(table: Table) -> bool:
    """There is a stock, all players hold cards, and no book is in a hand."""
    return table.stock > 0 and all_hold_cards(table) and quartets.no_book_is_held(table)


@query
def seat_is_asked(before: Table, after: Table) -> bool:
    """The seat that was named is asked, and nothing else has changed."""
    return after.asked == before.seat and after.player == before.player and piles_stay(before, after)


@query
def fish_is_taken(before: Table, after: Table) -> bool:
    """The top card of the stock is in the hand of the same player."""
    return after.player == before.player and top_card_is_taken(before, after)


# ---------------------------------------------------------------- the page

GoFishPhase = phases("GoFishPhase", "initial await-seat await-rank fishing settling game-over")
INITIAL, AWAIT_SEAT, AWAIT_RANK, FISHING, SETTLING, GAME_OVER = GoFishPhase

# fmt: off
PAGE = page({
    INITIAL: forced(on("open", SETTLING, before=quartets.lay_dealt_books, rule="Books that are dealt are laid down.")),
    AWAIT_SEAT: turn(offer(
        on("ask", AWAIT_RANK, before=quartets.ask_seat, rule="The player in turn asks another player."),
        seats=quartets.others)),
    AWAIT_RANK: choose(offer(
        on("want", SETTLING, conditions=has_rank, before=quartets.hand_over,
           rule="A player who has cards of the rank hands them over."),
        on("want", FISHING, unless=has_rank, before=say_go_fish,
           rule="A player who has no card of the rank says: Go fish."),
        ranks=quartets.ranks_held)),
    FISHING: forced(
        on("take", SETTLING, conditions=fish_is_wanted, before=(take_card, ask_again),
           rule="A card of the rank: ask again."),
        on("take", SETTLING, unless=fish_is_wanted, before=take_card, rule="A card of another rank ends the turn.")),
    SETTLING: forced(
        on("lay_book", SETTLING, conditions=holds_book, before=quartets.lay_book,
           rule="Four cards of a rank are laid down."),
        "finish",
        on("go_on", AWAIT_SEAT, unless=(holds_book, decided), rule="The player asks."),
        on("go_on", AWAIT_SEAT, conditions=turn_is_lost, unless=(holds_book, decided), before=move_on,
           rule="The player who was asked is in turn."),
        on("finish", GAME_OVER, conditions=decided, unless=holds_book, before=most_books_win,
           rule="When a player has no cards or the stock is gone, most books win.")),
})
ASKING = (AWAIT_SEAT, AWAIT_RANK, FISHING)

HOUSE = Policy("house", {
    AWAIT_SEAT: (Choice("ask", "largest hand", seat=quartets.largest_hand, description="most cards are there"),),
    AWAIT_RANK: (
        Choice("want", "most held", rank=quartets.rank_of_most, description="the rank of most cards in hand"),),
})

GO_FISH = Declaration(
    title="Go Fish", page=PAGE, table=Table, deck=FRENCH_52, cards_each={2: 7, 3: 5, 4: 5, 5: 5, 6: 5},
    facts=(QUARTET_FACTS[0], Fact("wanted", kind="rank"), QUARTET_FACTS[1]),
    score=books_of, scoring=Scoring(target=25, lowest_wins=False, unwon_scores=True),
    policies=(HOUSE, RANDOM, FIRST_LEGAL),
    reveals={
        "open": "a player who was dealt a book lays it down",
        "want": "whoever is asked hands over all cards of the rank, or says that there are none",
        "take": "a card of the rank that was asked for is shown, and its player asks again",
        "lay_book": "a book is laid down at once",
    },
    look=Look(
        events={"lay_book": "lays down a book"}, asks={"ask": "ask a player", "want": "ask for a rank"},
        usual=("The player asks.", "The player who was asked is in turn.", "Books that are dealt are laid down."),
        number_facts={"books": ("1 book", "{} books")},
        guide=Guide(
            aim="Collect the most books.",
            turn=(
                "Ask another player for a rank of which you hold a card. That player hands over all such cards, and "
                "you ask again.",
                "A player who has none says “Go fish”: you draw a card. If it has the rank, you ask again, else the "
                "player who was asked is in turn.",
            ),
            heading="A book",
            cards={"QD QH QS QC": ("Four cards of one rank are laid down at once.",)},
            counting=("The game is over when a player has no cards, or the stock is gone. The most books win.",),
        ),
    ),
    invariants=(
        Invariant("four cards lie down for each book", quartets.books_lie),
        Invariant("the four cards of a book have one rank", quartets.books_are_whole),
        Invariant("at the start player 1 is in turn, hands are equal and no book lies down", cards_are_dealt,
                  (INITIAL,)),
        Invariant("while players ask, all hold cards and no books, and there is a stock", game_runs, ASKING),
        Invariant("nobody is asked before a seat is named", nobody_is_asked, (INITIAL, AWAIT_SEAT)),
        Invariant("another player is asked before a rank is named", player_is_asked, (AWAIT_RANK,)),
        Invariant("the player in turn, not the other, holds the rank that is wanted", wanted_is_held, (FISHING,)),
        Invariant("after a question no rank is wanted", asked_is_settled, (SETTLING, GAME_OVER)),
        Invariant("only the player in turn may hold a book", quartets.others_hold_no_book, (SETTLING,)),
        Invariant("a game ends where the stock is gone or a player has no cards, and most books win", ended_rightly,
                  (GAME_OVER,)),
    ),
    postconditions=(
        Postcondition("the player at the named seat is asked", seat_is_asked, ("ask",)),
        Postcondition("all cards of the named rank change hands", quartets.cards_are_given, ("want",), (SETTLING,)),
        Postcondition("a card goes from the stock into the hand", fish_is_taken, ("take",)),
    ),
    small_decks=(SmallDeck("2D 2H 3D 3H 4D", 2, 1), SmallDeck("2D 2H 2S 2C 3D 3H 4D", 2, 2),
                 SmallDeck("2D 2H 2S 2C 3D 3H 3S", 3, 1, large=True)),
)
# fmt: on


class GoFish(Game, declaration=GO_FISH):
    """A game of Go Fish, stepped event by event. Cards are named by rank and suit: `QS`, the queen of spades.

    >>> game = GoFish.deal(players=3, seed=7)
    >>> [str(game.step()) for _ in range(2)]
    ['Books that are dealt are laid down.', 'The player asks.']
    >>> str(game.ask(2)), str(game.want("2"))
    ('Player 1 asks player 2.', 'Player 1 wants 2.')
    """
