"""Schnapsen for two: tricks with a stock that may be closed, marriages, and 66 points to reach first.

    maumau play --game examples/schnapsen.py:Schnapsen
    maumau check --game examples/schnapsen.py:Schnapsen --games 100

The rules are in docs/rules/schnapsen.md."""

from __future__ import annotations

from dataclasses import dataclass

# fmt: off
from maumau import (  # isort: skip
    FIRST_LEGAL, RANDOM, STOCK_FACTS, TRICK_FACTS, TRICK_LOOK, TRICK_POSTCONDITIONS, Declaration, Fact, Game, Guide,
    Invariant, Look, Policy, Postcondition, Scoring, SmallDeck, among, best, effect, forced, guard, lay, on, page,
    phases, query, trick_invariants, turn,
)
# fmt: on
from rules import stock, tricks
from rules.cards import french_deck, of_rank, of_suit, suit_of
from rules.ending import WON, ahead_by
from rules.seats import seat_after
from rules.shedding import next_player, win
from rules.table import each_seat
from rules.tricks import beat, held, lead_suit, play_card, taker_in_turn
from rules.visibility import seen_by_all

DECK, VALUES, JACK = french_deck("JQKTA"), (2, 3, 4, 10, 11), 0
QUEENS, KINGS = of_rank(1), of_rank(2)
ENOUGH, HALF, LEAST = 66, 33, 3  # points that win, that save a game point; cards of a stock that may be closed

# ---------------------------------------------------------------- the table and the points


@dataclass(slots=True)
class Table(stock.ClosableStockTable):
    """The cards and facts of one game."""

    points: list[int] = seen_by_all(factory=each_seat(4))  # of the tricks of each
    marriages: list[int] = seen_by_all(factory=each_seat(4))  # points of the marriages that each has announced
    against: int = seen_by_all(0)  # the points of the opponent when the stock was closed


@query
def score(table: Table, seat: int) -> int:
    """The points of a seat: its marriages count once it has taken a trick."""
    return table.points[seat] + table.marriages[seat] if table.points[seat] > 0 else 0


@query
def game_points(table: Table, seat: int) -> int:
    """The game points of the winner: one, two if the loser has less than 33 points, three without a trick.

    If the winner has closed the stock, the points of the loser then count. A closer who loses gives two at least.
    """
    if seat != table.winner:
        return 0
    left = table.against if table.closer >= 0 else score(table, seat_after(seat, 2))
    if table.closer == seat_after(seat, 2):
        return 3 if table.against == 0 else 2
    return 3 if left == 0 else 2 if left < HALF else 1


# ---------------------------------------------------------------- what the leader may do


@query
def pairs(table: Table) -> int:
    """The kings and queens of the suits of which both are held."""
    kings, queens = held(table) & KINGS, held(table) & QUEENS
    return kings & queens << 4 | queens & kings >> 4


@query
def marriage_of(table: Table) -> int:
    """The points of the marriage of the card: 40 in trumps, else 20."""
    return 40 if suit_of(table.card) == table.trump else 20


@guard("the stock is closed, or has too few cards")
def can_close(table: Table) -> bool:
    """The stock is open and has three cards or more."""
    return table.closer == stock.NOBODY and stock.cards_to_draw(table) >= LEAST


@query
def jack_of_trumps(table: Table) -> int:
    """The jack of trumps, where it may be exchanged: it is held, and the stock is open and large enough."""
    return held(table) & of_rank(JACK) & of_suit(table.trump) if can_close(table) else 0


@guard("the points are not enough")
def marriage_wins(table: Table) -> bool:
    """With the marriage the player has 66 points."""
    return table.points[table.player] > 0 and score(table, table.player) + marriage_of(table) >= ENOUGH


@query
def following(table: Table) -> int:
    """The cards that may follow: any while the stock is open."""
    return tricks.heading(table) if stock.stock_is_shut(table) else held(table)


is_married = among(pairs, "is_married", "{card} is not one of a king and queen in the hand", "Both are in the hand.")
is_jack = among(jack_of_trumps, "is_jack", "{card} cannot be exchanged: only the jack of trumps, for a large stock",
                "The card is the jack of trumps, and the stock is open.")  # fmt: skip
may_follow = among(following, "may_follow", "a card that takes the trick must be played", "The card may follow.")


@effect
def note_points(table: Table) -> None:
    """The points of the opponent are noted."""
    table.against = score(table, seat_after(table.player, 2))


@effect
def announce(table: Table) -> None:
    """The marriage counts."""
    table.marriages[table.player] += marriage_of(table)


take_points, trick_points = tricks.taking_points(VALUES), tricks.points_of_trick(VALUES)
points_are_taken = tricks.points_are_taken(tricks.points_of_cards(VALUES))


@guard("the points are not enough, and cards are left")
def game_ends(table: Table) -> bool:
    """The taker has 66 points with the trick, or it was the last one."""
    total = table.points[table.taker] + trick_points(table) + table.marriages[table.taker]
    return total >= ENOUGH or (table.hands[table.taker] == 0 and stock.stock_is_shut(table))


@effect
def count_game(table: Table) -> None:
    """Who has 66 points wins; else the taker of the last trick, or the opponent of a player who closed the stock."""
    table.ending, table.winner = WON, table.taker
    if score(table, table.taker) < ENOUGH and table.closer >= 0:
        table.winner = seat_after(table.closer, 2)


# ---------------------------------------------------------------- what must hold


@query
def marriages_are_sums(table: Table) -> bool:
    """Marriages count 20 each, 40 in trumps, so at most 100; a closer noted less than 66 points of the opponent."""
    total, noted = table.marriages[0] + table.marriages[1], table.against
    return total % 20 == 0 and total <= 100 and 0 <= noted < ENOUGH and (table.closer >= 0 or noted == 0)


@query
def nobody_has_enough(table: Table) -> bool:
    """Nobody has 66 points while the game goes on."""
    return score(table, 0) < ENOUGH and score(table, 1) < ENOUGH


@query
def winner_has_enough(table: Table) -> bool:
    """The winner has 66 points; else all is played, and the winner took the last trick or did not close the stock."""
    if score(table, table.winner) >= ENOUGH:
        return score(table, seat_after(table.winner, 2)) < ENOUGH
    last = table.winner == table.player if table.closer == stock.NOBODY else table.winner != table.closer
    return table.hands[0] == 0 and table.hands[1] == 0 and last


SchnapsenPhase = phases("SchnapsenPhase", "initial leading following trick game-over")
INITIAL, LEADING, FOLLOWING, TRICK, GAME_OVER = SchnapsenPhase

# fmt: off
PAGE = page({
    INITIAL: forced(on("begin", LEADING, rule="Player 1 leads. The suit of the turned card is trump.")),
    LEADING: turn(
        lay(tricks.is_held, on("play", FOLLOWING, before=(play_card, lead_suit, next_player), rule="A card is led.")),
        lay(is_married,
            on("marry", FOLLOWING, before=(announce, play_card, lead_suit, next_player),
               rule="King and queen of a suit are shown, and one of them is led: 20 points, or 40 in trumps."),
            on("marry", GAME_OVER, conditions=marriage_wins, before=(announce, play_card, lead_suit, win),
               rule="With the marriage the player has 66 points, and wins.")),
        lay(is_jack, on("exchange", LEADING, before=stock.exchange_turned,
                        rule="The jack of trumps is exchanged for the turned card.")),
        on("close", LEADING, conditions=can_close, before=(stock.close_stock, note_points),
           rule="The leader closes the stock: nobody draws any more.")),
    FOLLOWING: turn(lay(may_follow, on("play", TRICK, before=(play_card, beat), rule="A card follows."))),
    TRICK: forced(
        on("take_trick", LEADING, unless=game_ends, before=(take_points, stock.each_draws_if_open, taker_in_turn),
           rule="The best card takes the trick. Both draw a card, as long as the stock is open."),
        on("count", GAME_OVER, conditions=game_ends, before=(take_points, count_game, taker_in_turn),
           rule="With 66 points the taker wins. The last trick wins as well, unless somebody closed the stock.")),
})

HOUSE = Policy("house", {
    LEADING: (
        best("exchange", "jack", jack_of_trumps, "the turned card is better than the jack"),
        best("marry", "marriage", pairs, "a marriage counts", lowest=True),
        best("play", "lowest", held, "the lowest card", lowest=True, always=True)),
    FOLLOWING: (
        best("play", "take", tricks.heading, "a card that takes the trick, if one does", lowest=True, always=True),),
}, description="Announces marriages, takes tricks where it can, and never closes the stock.")

SCHNAPSEN = Declaration(
    title="Schnapsen", page=PAGE, table=Table, deck=DECK, players=2, cards_each=5,
    facts=(*TRICK_FACTS, *STOCK_FACTS, Fact("points", kind="counts", most=120),
           Fact("marriages", kind="counts", most=120), Fact("closer", kind="seat"), Fact("against")),
    deal_each=stock.deal_over_turned, score=score, returns=ahead_by(game_points), zero_sum=True,
    scoring=Scoring(game_points, target=7, lowest_wins=False), policies=(HOUSE, RANDOM, FIRST_LEGAL),
    look=Look(
        summary="Tricks, marriages, and a stock that may be closed: the first player with 66 points wins.",
        draw_pile="stock", discard_pile="played", scores="Points", asks={"close": "close the stock"},
        events={"marry": "announces a marriage and leads", "exchange": "exchanges the jack for the turned card:",
                "close": "closes the stock"},
        number_facts={"points": ("1 point", "{} points"), "marriages": ("", "marriages: {}"),
                      "against": ("", "{} points when the stock was closed")},
        guide=Guide(
            aim="Be the first with 66 points in tricks and marriages.",
            deal=("The next card is turned up under the stock. Its suit is trump.",),
            turn=("While there is a stock, play any card. The highest trump takes the trick, else the highest card of "
                  "the suit led. Both draw a card, the winner of the trick first.",
                  "When the stock is gone or closed, follow suit, and take the trick if you can.",
                  "The player who leads may close the stock: nobody draws any more."),
            cards={"KH QH": ("A marriage: show both and lead one of them. It counts 20 points, or 40 in trumps.",),
                   "JD": ("The player who leads may exchange the jack of trumps for the turned card.",),
                   "AC TC": ("Ace 11, ten 10, king 4, queen 3, jack 2 points.",)},
            counting=("The winner has one point, two if the other has fewer than 33, three if the other has no trick.",
                      "If the player who closed the stock loses, it is two or three."))).joined(TRICK_LOOK),
    invariants=(
        *trick_invariants(LEADING, FOLLOWING, TRICK, (INITIAL,)),
        Invariant("the turned card lies under the stock, and shows the trump", stock.turned_card_lies),
        Invariant("player 1 led first", tricks.first_has_led, (INITIAL, LEADING, FOLLOWING, TRICK)),
        Invariant("each player has the points of the tricks taken", points_are_taken, (LEADING, FOLLOWING)),
        Invariant("marriages count 20 each, or 40 in trumps", marriages_are_sums),
        Invariant("nobody has 66 points while the game goes on", nobody_has_enough, (INITIAL, LEADING, FOLLOWING)),
        Invariant("the winner has 66 points, or all is played", winner_has_enough, (GAME_OVER,)),
    ),
    postconditions=(
        *TRICK_POSTCONDITIONS,
        Postcondition("both draw a card while the stock is open", stock.each_has_drawn_if_open, ("take_trick",)),
        Postcondition("the jack lies under the stock", stock.turned_is_exchanged, ("exchange",)),
    ),
    small_decks=(SmallDeck("JD KD TH QH AS", 2, 1), SmallDeck("JD QD KD TH QH KH AS JS", 2, 2, large=True)),
)
# fmt: on


class Schnapsen(Game, declaration=SCHNAPSEN):
    """A game of Schnapsen, stepped event by event. Cards are named by rank and suit: `TH`, the ten of hearts.

    >>> str(Schnapsen.deal(players=2, seed=7).run().ending)
    'won'
    """
