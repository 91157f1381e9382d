"""Go Fish: a game from outside the package, in one file, in which players name seats and ranks.

    maumau deal --game examples/go_fish.py:GoFish --players 3 --seed 7 |
        maumau simulate --game examples/go_fish.py:GoFish --trace -

Rules (https://www.pagat.com/quartet/gofish.html): two to six players, 52 cards; seven cards each for two players, else
five. The player in turn asks another player for a rank of which the asking player holds a card. Whoever is asked hands
over all cards of that rank, and the player asks again. Who has none says "Go fish": the player takes the top card of
the stock, and asks again if it is of that rank; otherwise the player who was asked is in turn. Four cards of a rank are
a book and are laid down at once. The game ends when a player has no cards or the stock is gone; most books win.

A question is two events, as each names one thing: `ask(2)` the seat, `want("Q")` the rank.
"""

from __future__ import annotations

from dataclasses import dataclass

# fmt: off
from maumau import (  # isort: skip
    FIRST_LEGAL, RANDOM, Choice, Declaration, Fact, Game, Invariant, Look, Policy, Postcondition, Scoring,
    SmallDeck, choice, choose, effect, forced, guard, offer, on, page, phases, query, turn,
)
# fmt: on
from rules.cards import FRENCH_52, NO_CARD
from rules.ending import NO_WINNER, OUT_OF_CARDS, WON
from rules.invariants import hands_are_equal, piles_stay, top_card_is_taken
from rules.piles import lay_open, take_top, trace
from rules.table import CardTable, each_seat, receive
from rules.visibility import seen_by_all, seen_by_owner

DECK_SIZE, MAX_PLAYERS, RANKS = 52, 6, 13
RANK_CARDS = 0xF
"""The twos as a mask; shifted left by four times a rank's code, the cards of that rank."""
NOBODY = NO_RANK = -1


# ---------------------------------------------------------------- the table and the deal


@dataclass(slots=True)
class Table(CardTable):
    """The cards and facts of one game. `seat` and `rank` are what a player names, `asked` and `wanted` what holds."""

    hands: list[int] = seen_by_owner(factory=each_seat(MAX_PLAYERS))
    books: list[int] = seen_by_all(factory=each_seat(MAX_PLAYERS))

    seat: int = seen_by_all(NOBODY)
    rank: int = seen_by_all(NO_RANK)
    asked: int = seen_by_all(NOBODY)
    wanted: int = seen_by_all(NO_RANK)


@query
def cards_each(players: int) -> int:
    """Cards that each player is dealt."""
    return 7 if players == 2 else 5


@query
def score(table: Table, seat: int) -> int:
    """The books of a seat."""
    return table.books[seat]


# ---------------------------------------------------------------- what may be asked


@query
def others(table: Table) -> int:
    """All seats but that of the player in turn."""
    return (1 << table.players) - 1 & ~(1 << table.player)


@query
def ranks_held(table: Table) -> int:
    """The ranks of which the player in turn holds a card."""
    ranks = 0
    for rank in range(RANKS):
        if table.hands[table.player] >> 4 * rank & RANK_CARDS:
            ranks |= 1 << rank
    return ranks


@guard("the player who is asked has no card of that rank")
def has_rank(table: Table) -> bool:
    """The player who is asked holds a card of the rank that is named."""
    return table.hands[table.asked] >> 4 * table.rank & RANK_CARDS != 0


@query
def book(table: Table, seat: int) -> int:
    """The lowest rank of which a seat holds all four cards, or none."""
    for rank in range(RANKS):
        if table.hands[seat] >> 4 * rank & RANK_CARDS == RANK_CARDS:
            return rank
    return NO_RANK


@guard("no four cards of a rank are held")
def holds_book(table: Table) -> bool:
    """The player in turn holds a book."""
    return book(table, table.player) != NO_RANK


@guard("there is a stock, and all players hold cards")
def decided(table: Table) -> bool:
    """The stock is gone, or a player has no cards."""
    for seat in range(table.players):
        if table.hands[seat] == 0:
            return True
    return table.stock == 0


@guard("the player asks again")
def turn_is_lost(table: Table) -> bool:
    """The player took a card in vain: nobody else was asked since."""
    return table.asked != NOBODY


@guard("the card is of another rank")
def fish_is_wanted(table: Table) -> bool:
    """The top card of the stock is of the rank that was asked for."""
    return table.ring[table.head & len(table.ring) - 1] >> 2 == table.wanted


# ---------------------------------------------------------------- what is done


@effect
def lay_book_of(table: Table, seat: int) -> None:
    """The four cards of a book go from the hand of a seat onto the pile of books."""
    rank = book(table, seat)
    table.hands[seat] &= ~(RANK_CARDS << 4 * rank)
    table.books[seat] += 1
    for card in range(4 * rank, 4 * rank + 4):
        lay_open(table, card)
        trace(table, card)


@effect
def lay_dealt_books(table: Table) -> None:
    """Everybody who was dealt a book lays it down."""
    for seat in range(table.players):
        while book(table, seat) != NO_RANK:
            lay_book_of(table, seat)


@effect
def lay_book(table: Table) -> None:
    """The player in turn lays down a book."""
    lay_book_of(table, table.player)


@effect
def ask_seat(table: Table) -> None:
    """The player at the seat that is named is asked."""
    table.asked = table.seat
    table.turns += 1


@effect
def hand_over(table: Table) -> None:
    """All cards of the rank go from the player who is asked to the player in turn."""
    given = table.hands[table.asked] & RANK_CARDS << 4 * table.rank
    table.hands[table.asked] ^= given
    table.hands[table.player] |= given
    table.asked = NOBODY


@effect
def say_go_fish(table: Table) -> None:
    """The rank is remembered until a card is taken."""
    table.wanted = table.rank


@effect
def take_card(table: Table) -> None:
    """The top card of the stock goes into the hand."""
    card = take_top(table)
    receive(table, table.player, card)
    table.drawn = card
    table.wanted = NO_RANK


@effect
def ask_again(table: Table) -> None:
    """The player stays in turn."""
    table.asked = NOBODY


@effect
def move_on(table: Table) -> None:
    """The player who was asked is in turn."""
    table.player = table.asked
    table.asked = NOBODY
    table.drawn = NO_CARD


@effect
def most_books_win(table: Table) -> None:
    """Who has most books wins; if there are several, nobody does."""
    most = leaders = 0
    for seat in range(table.players):
        most = max(most, table.books[seat])
    for seat in range(table.players):
        if table.books[seat] == most:
            leaders += 1
            table.winner = seat
    table.ending = WON
    if leaders > 1:
        table.ending = OUT_OF_CARDS
        table.winner = NO_WINNER


# ---------------------------------------------------------------- how the house plays


@choice
def largest_hand(table: Table) -> int:
    """Of the others, the seat with most cards; of equals the one that comes next."""
    best, most = table.player, -1
    for step in range(1, table.players):
        seat = (table.player + step) % table.players
        if table.hands[seat].bit_count() > most:
            best, most = seat, table.hands[seat].bit_count()
    return best


@choice
def rank_of_most(table: Table) -> int:
    """The rank of which most cards are held; of equals the highest."""
    best = most = 0
    for rank in range(RANKS):
        count = (table.hands[table.player] >> 4 * rank & RANK_CARDS).bit_count()
        if count > 0 and count >= most:
            best, most = rank, count
    return best


# ---------------------------------------------------------------- what must hold


@query
def books_lie(table: Table) -> bool:
    """Four cards lie on the pile of books for each book."""
    books = 0
    for seat in range(table.players):
        books += table.books[seat]
    return table.tail - table.head - table.stock == 4 * books


@query
def books_are_whole(table: Table) -> bool:
    """The cards of each four on the pile of books have one rank."""
    first = table.head + table.stock
    for place in range(first, table.tail):
        lowest = first + (place - first & ~3)
        if table.ring[place & len(table.ring) - 1] >> 2 != table.ring[lowest & len(table.ring) - 1] >> 2:
            return False
    return True


@query
def cards_are_dealt(table: Table) -> bool:
    """The first player is in turn, all hold equally many cards, and no book lies down."""
    return table.player == 0 and hands_are_equal(table) and table.tail - table.head == table.stock


@query
def others_hold_no_book(table: Table) -> bool:
    """Only the player in turn may hold four cards of a rank."""
    for seat in range(table.players):
        if seat != table.player and book(table, seat) != NO_RANK:
            return False
    return True


@query
def ended_rightly(table: Table) -> bool:
    """The stock is gone or a player has no cards; who alone has most books has won, if several have, nobody."""
    over, shared, best = table.stock == 0, False, 0
    for seat in range(table.players):
        over = over or table.hands[seat] == 0
        if book(table, seat) != NO_RANK:
            return False
        if seat > 0 and table.books[seat] == table.books[best]:
            shared = True
        if table.books[seat] > table.books[best]:
            best, shared = seat, False
    if shared:
        return over and table.ending == OUT_OF_CARDS
    return over and table.ending == WON and table.winner == best


@query
def other_is_asked(table: Table) -> bool:
    """A player is asked, and it is not the one in turn; no rank is wanted yet."""
    return is_other(table, table.asked) and table.wanted == NO_RANK


@query
def is_other(table: Table, seat: int) -> bool:
    """A seat is one of the players, and not the one in turn."""
    return 0 <= seat < table.players and seat != table.player


@query
def asked_is_settled(table: Table) -> bool:
    """Who will be in turn is another player, or none; no rank is wanted any more."""
    return (table.asked == NOBODY or is_other(table, table.asked)) and table.wanted == NO_RANK


@query
def nobody_is_asked(table: Table) -> bool:
    """Nobody is asked, for nothing."""
    return table.asked == NOBODY and table.wanted == NO_RANK


@query
def wanted_is_held(table: Table) -> bool:
    """The rank that is wanted is one of the player in turn, and not of the one who was asked."""
    if not (is_other(table, table.asked) and 0 <= table.wanted < RANKS):
        return False
    cards = RANK_CARDS << 4 * table.wanted
    return table.hands[table.player] & cards != 0 and table.hands[table.asked] & cards == 0


@query
def game_runs(table: Table) -> bool:
    """There is a stock, all players hold cards, and no book is in a hand."""
    for seat in range(table.players):
        if table.hands[seat] == 0 or book(table, seat) != NO_RANK:
            return False
    return table.stock > 0


@query
def seat_is_asked(before: Table, after: Table) -> bool:
    """The seat that was named is asked, and nothing else has changed."""
    return after.asked == before.seat and after.player == before.player and piles_stay(before, after)


@query
def cards_are_given(before: Table, after: Table) -> bool:
    """Who was asked has no card of the rank any more, the player in turn has them, and the piles stay."""
    given = before.hands[before.asked] & RANK_CARDS << 4 * before.rank
    mine = after.hands[before.player] == before.hands[before.player] | given
    return given != 0 and mine and after.hands[before.asked] == before.hands[before.asked] ^ given


@query
def fish_is_taken(before: Table, after: Table) -> bool:
    """The top card of the stock is in the hand of the same player."""
    return after.player == before.player and top_card_is_taken(before, after)


# ---------------------------------------------------------------- the declaration


GoFishPhase = phases("GoFishPhase", "initial await-seat await-rank fishing settling game-over")
INITIAL, AWAIT_SEAT, AWAIT_RANK, FISHING, SETTLING, GAME_OVER = GoFishPhase

# fmt: off
PAGE = page({
    INITIAL: forced(on("open", SETTLING, before=lay_dealt_books, rule="Books that are dealt are laid down.")),
    AWAIT_SEAT: turn(offer(
        on("ask", AWAIT_RANK, before=ask_seat, rule="The player in turn asks another player."), seats=others)),
    AWAIT_RANK: choose(offer(
        on("want", SETTLING, conditions=has_rank, before=hand_over, rule="Who has cards of the rank hands them over."),
        on("want", FISHING, unless=has_rank, before=say_go_fish, rule="Who has no card of the rank says: Go fish."),
        ranks=ranks_held)),
    FISHING: forced(
        on("take", SETTLING, conditions=fish_is_wanted, before=(take_card, ask_again),
           rule="A card of the rank: ask again."),
        on("take", SETTLING, unless=fish_is_wanted, before=take_card, rule="A card of another rank ends the turn.")),
    SETTLING: forced(
        on("lay_book", SETTLING, conditions=holds_book, before=lay_book, rule="Four cards of a rank are laid down."),
        "finish",
        on("go_on", AWAIT_SEAT, unless=(holds_book, decided), rule="The player asks."),
        on("go_on", AWAIT_SEAT, conditions=turn_is_lost, unless=(holds_book, decided), before=move_on,
           rule="The player who was asked is in turn."),
        on("finish", GAME_OVER, conditions=decided, unless=holds_book, before=most_books_win,
           rule="When a player has no cards or the stock is gone, most books win.")),
})
# fmt: on
FACTS = (Fact("asked", kind="seat"), Fact("wanted", kind="rank"), Fact("books", kind="counts"))
ASKING = (AWAIT_SEAT, AWAIT_RANK, FISHING)

GO_FISH = Declaration(
    title="Go Fish",
    table=Table,
    deck=FRENCH_52,
    players=range(2, MAX_PLAYERS + 1),
    cards_each=cards_each,
    facts=FACTS,
    score=score,
    scoring=Scoring(target=25, lowest_wins=False, unwon_scores=True),
    page=PAGE,
    reveals={
        "open": "who was dealt a book lays it down",
        "want": "whoever is asked hands over all cards of the rank, or says that there are none",
        "take": "a card of the rank that was asked for is shown, and its player asks again",
        "lay_book": "a book is laid down at once",
    },
    policies=(
        Policy(
            "house",
            {
                AWAIT_SEAT: (Choice("ask", "largest hand", seat=largest_hand, description="most cards are there"),),
                AWAIT_RANK: (
                    Choice("want", "most held", rank=rank_of_most, description="the rank of most cards in hand"),
                ),
            },
        ),
        RANDOM,
        FIRST_LEGAL,
    ),
    look=Look(
        events={"lay_book": "lays down a book"},
        usual=("The player asks.", "The player who was asked is in turn.", "Books that are dealt are laid down."),
        asks={"ask": "ask a player", "want": "ask for a rank"},
        number_facts={"books": ("1 book", "{} books")},
    ),
    invariants=(
        Invariant("four cards lie down for each book", books_lie),
        Invariant("the four cards of a book have one rank", books_are_whole),
        Invariant(
            "at the start player 1 is in turn, hands are equal and no book lies down", cards_are_dealt, (INITIAL,)
        ),
        Invariant("while players ask, all hold cards and no books, and there is a stock", game_runs, ASKING),
        Invariant("nobody is asked before a seat is named", nobody_is_asked, (INITIAL, AWAIT_SEAT)),
        Invariant("another player is asked before a rank is named", other_is_asked, (AWAIT_RANK,)),
        Invariant("the player in turn, not the other, holds the rank that is wanted", wanted_is_held, (FISHING,)),
        Invariant("after a question no rank is wanted", asked_is_settled, (SETTLING, GAME_OVER)),
        Invariant("only the player in turn may hold a book", others_hold_no_book, (SETTLING,)),
        Invariant(
            "a game ends where the stock is gone or a player has no cards, and most books win",
            ended_rightly,
            (GAME_OVER,),
        ),
    ),
    postconditions=(
        Postcondition("the player at the named seat is asked", seat_is_asked, ("ask",)),
        Postcondition("all cards of the named rank change hands", cards_are_given, ("want",), (SETTLING,)),
        Postcondition("a card goes from the stock into the hand", fish_is_taken, ("take",)),
    ),
    small_decks=(
        SmallDeck("2D 2H 3D 3H 4D", 2, 1),
        SmallDeck("2D 2H 2S 2C 3D 3H 4D", 2, 2),
        SmallDeck("2D 2H 2S 2C 3D 3H 3S", 3, 1, large=True),
    ),
)


class GoFish(Game, declaration=GO_FISH):
    """A game of Go Fish, stepped event by event. Cards are named by rank and suit: `QS`, the queen of spades.

    >>> game = GoFish.deal(players=3, seed=7)
    >>> [str(game.step()) for _ in range(2)]
    ['Books that are dealt are laid down.', 'The player asks.']
    >>> str(game.ask(2)), str(game.want("2"))
    ('Player 1 asks player 2.', 'Player 1 wants 2.')
    """
