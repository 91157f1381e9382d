"""Scopa for two or three, or for four in two partnerships: a card takes one of its value, or a set that sums to it.

    maumau play --game examples/scopa.py:Scopa
    maumau check --game examples/scopa.py:Scopa --games 100

Each holds three cards, and four lie in the middle. A card that takes nothing stays in the middle. Clearing the middle
is a sweep. Points are for sweeps, most cards, most coins, the seven of coins, and the best four cards.
"""

from __future__ import annotations

from dataclasses import dataclass

# fmt: off
from maumau import (  # isort: skip
    FIRST_LEGAL, FISHING_FACTS, RANDOM, Declaration, Fact, Game, Guide, Invariant, Look, Policy, Postcondition,
    Scoring, SmallDeck, among, best, choose, forced, guard, lay, on, page, phases, query, turn,
)
# fmt: on
from rules import fishing
from rules.cards import italian_deck, of_suit
from rules.ending import most_win, sides_among
from rules.fishing import FishingTable, taken_by_side
from rules.invariants import most_has_won
from rules.shedding import next_player
from rules.tricks import held, is_held
from rules.visibility import seen_by_all

DECK, VALUES = italian_deck("A234567JNK"), (1, 2, 3, 4, 5, 6, 7, 8, 9, 10)
PRIMIERA = (16, 12, 13, 14, 15, 18, 21, 10, 10, 10)
"""What the ranks count for the best four cards, one of each suit."""
COINS, SEVEN_OF_COINS = of_suit(0), 1 << DECK.card("7D")
SIDES = 2

# ---------------------------------------------------------------- the table and the points


@dataclass(slots=True)
class Table(FishingTable):
    """The cards and facts of one game."""

    winners: int = seen_by_all(0)


@query
def primiera(cards: int) -> int:
    """What the best card of each suit counts, together."""
    total = 0
    for suit in range(4):
        highest = 0
        for rank in range(10):
            if cards >> 4 * rank + suit & 1 == 1:
                highest = max(highest, PRIMIERA[rank])
        total += highest
    return total


@query
def score(table: Table, seat: int) -> int:
    """The points of the side of a seat: sweeps, and one for whatever it alone has most of."""
    sides, mine = sides_among(table.players, SIDES), taken_by_side(table, seat, SIDES)
    cards, coins, prime, total = 1, 1, 1, 1 if mine & SEVEN_OF_COINS != 0 else 0
    for other in range(table.players):
        if (other - seat) % sides == 0:
            total += table.sweeps[other]
        else:
            theirs = taken_by_side(table, other, SIDES)
            cards = cards if mine.bit_count() > theirs.bit_count() else 0
            coins = coins if (mine & COINS).bit_count() > (theirs & COINS).bit_count() else 0
            prime = prime if primiera(mine) > primiera(theirs) else 0
    return total + cards + coins + prime


most_points_win = most_win(score, SIDES)

# ---------------------------------------------------------------- fishing

caught, to_take = fishing.caught_by(VALUES), fishing.still_caught(VALUES)
fish, take_card = fishing.fishing_with(VALUES), fishing.taking_of(VALUES)
set_is_complete = fishing.completes(VALUES)
may_take = among(to_take, "may_take", "{card} is not of a set that the card may take", "The card belongs to a set.")


@guard("the card takes nothing")
def takes_cards(table: Table) -> bool:
    """The card takes cards from the middle."""
    return caught(table, table.card) != 0


@query
def takers(table: Table) -> int:
    """The cards in hand that take cards from the middle."""
    found = 0
    for card in range(40):
        if held(table) >> card & 1 == 1 and caught(table, card) != 0:
            found |= 1 << card
    return found


@query
def coins_to_take(table: Table) -> int:
    """The coins that may be taken."""
    return to_take(table) & COINS


@query
def all_is_played(table: Table) -> bool:
    """Nobody holds a card, and none lies in the middle if somebody has taken one."""
    lies = table.middle[0] != 0 and table.taker != fishing.NOBODY
    return fishing.hands_are_empty(table) and fishing.cannot_deal(table) and not lies


# ---------------------------------------------------------------- the page

ScopaPhase = phases("ScopaPhase", "initial playing taking turn-over game-over")
INITIAL, PLAYING, TAKING, TURN_OVER, GAME_OVER = ScopaPhase

# fmt: off
PAGE = page({
    INITIAL: forced(on("begin", PLAYING, rule="Player 1 plays first.")),
    PLAYING: turn(lay(
        is_held,
        on("play", TURN_OVER, before=fishing.lay_in_middle, rule="A card that takes nothing stays in the middle."),
        on("play", TAKING, conditions=takes_cards, before=fish, rule="A card that takes others must do so."))),
    TAKING: choose(lay(
        may_take,
        on("take", TAKING, before=take_card, rule="Cards that sum to the value are taken, the lowest first."),
        on("take", TURN_OVER, conditions=set_is_complete, before=(take_card, fishing.end_take),
           rule="A card of the same value is taken before any set. Clearing the middle is a sweep."),
        from_hand=False)),
    TURN_OVER: forced(
        on("go_on", PLAYING, unless=fishing.hands_are_empty, before=next_player, rule="The next player plays."),
        on("deal_again", PLAYING, conditions=fishing.hands_are_empty, unless=fishing.cannot_deal,
           before=(next_player, fishing.deal_again), rule="When nobody holds a card, three are dealt to each."),
        on("count", GAME_OVER, conditions=(fishing.hands_are_empty, fishing.cannot_deal),
           before=(fishing.last_takes_rest, most_points_win),
           rule="The player who took cards last takes the rest. The most points win.")),
})

HOUSE = Policy("house", {
    PLAYING: (best("play", "take", takers, "the highest card that takes others"),
              best("play", "lowest", held, "no card takes others", lowest=True, always=True)),
    TAKING: (best("take", "coins", coins_to_take, "coins count"),
             best("take", "highest", to_take, "the highest card", always=True)),
}, description="Takes cards whenever it can, coins first.")

SCOPA = Declaration(
    title="Scopa", page=PAGE, table=Table, deck=DECK, players=(2, 3, 4), cards_each=3,
    facts=(*FISHING_FACTS, Fact("winners", kind="seats")), deal_each=fishing.deal_around_middle, score=score,
    scoring=Scoring(target=11, lowest_wins=False, unwon_scores=True, sides=SIDES),
    policies=(HOUSE, RANDOM, FIRST_LEGAL),
    look=Look(
        summary="A card takes one of its value, or cards that sum to it: cards, coins and sweeps count.",
        draw_pile="stock", scores="Points", silent=("go_on",), asks={"take": "take a card from the middle"},
        events={"take": "takes"}, usual=("Player 1 plays first.",),
        number_facts={"sweeps": ("1 sweep", "{} sweeps"), "rest": ("1 more", "{} more")},
        endings={"out of cards": "several have as many points"},
        guide=Guide(
            aim="Take cards from the middle, most of all coins and the seven of coins.",
            deal=("Four cards lie in the middle. Of four players, those who sit opposite are partners.",),
            turn=(
                "Play a card. It takes a card of the same value from the middle, else cards that sum to its value.",
                "A card that takes nothing stays in the middle. The last player who took some gets what lies there.",
                "When nobody holds cards, three more are dealt to each.",
            ),
            cards={
                "7D": ("The seven of coins is a point by itself.",),
                "JS NS KS": ("The jack counts 8, the knight 9, the king 10. The others count their rank.",),
            },
            counting=(
                "A point each for clearing the middle (a sweep), the most cards, the most coins, the seven of coins, "
                "and the best four cards of different suits.",
                "For these a seven counts most, then six, ace, five, four, three, two.",
            ),
        ),
    ),
    invariants=(
        Invariant("no set is taken between turns", fishing.no_set_is_named, (INITIAL, PLAYING, TURN_OVER, GAME_OVER)),
        Invariant("a set is taken in part", fishing.set_is_named, (TAKING,)),
        Invariant("in the end all is taken", all_is_played, (GAME_OVER,)),
        Invariant("the most points win", most_has_won(score, SIDES), (GAME_OVER,)),
    ),
    postconditions=(
        Postcondition("the card lies in the middle, or before its player", fishing.card_is_used, ("play",)),
        Postcondition("the card has left the middle", fishing.card_is_taken, ("take",)),
    ),
    small_decks=(SmallDeck("AD AC 2D 2C 3D KC", 2, 1), SmallDeck("AD AC 2D 2C 3D 4D 5C 6S 7D KC", 2, 2, large=True)),
)
# fmt: on


class Scopa(Game, declaration=SCOPA):
    """A game of Scopa, stepped event by event. Cards are named by rank and suit: `7D`, the seven of coins.

    >>> str(Scopa.deal(players=2, seed=7).run().ending)
    'won'
    """
