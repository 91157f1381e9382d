"""Hearts: a trick-taking game from outside the package, in one file.

    maumau deal --game examples/hearts.py:Hearts --players 4 --seed 7 |
        maumau simulate --game examples/hearts.py:Hearts --trace -

Rules (https://www.pagat.com/reverse/hearts.html): four players, 13 cards each. Each passes three cards: to the left in
game 0 of a row, to the right in game 1, across in game 2; in game 3 none are passed, then it begins anew. The two of
clubs leads. Suit must be followed; the highest card of the suit led takes the trick and its player leads the next one.
Hearts may not be led before one was discarded, unless nothing else is held. In the first trick nobody plays a heart or
the queen of spades who can play something else. A heart counts 1 point, the queen of spades 13; who takes all 26 has
none, and the others 26 each. The fewest points win; where several have as few, nobody wins.

The rules agree with those of OpenSpiel's `hearts` with qs_breaks_hearts=False: a test plays both in lock-step. The
differences:

| what | here | OpenSpiel | the rule |
|---|---|---|---|
| the direction of passing | by the number of the game | a chance event | left, right, across, none, in turn |
| a score | points taken | 26 less the points taken | the fewest points win |
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial

from maumau import (
    FIRST_LEGAL,
    RANDOM,
    Choice,
    Codec,
    Declaration,
    Fact,
    Game,
    Invariant,
    Look,
    Phase,
    Policy,
    Postcondition,
    Scoring,
    SmallDeck,
    among,
    choice,
    effect,
    forced,
    guard,
    lay,
    on,
    page,
    query,
    turn,
)
from rules.cards import FRENCH_52, NO_CARD, NO_SUIT, SUITS
from rules.ending import NO_WINNER, OUT_OF_CARDS, WON
from rules.invariants import all_cards, all_hold_cards, cards_are_conserved, every_card_once, hands_are_equal
from rules.notation import Notation
from rules.piles import take_top, trace
from rules.seats import seat_after
from rules.table import CardTable, deal_in_turn_unopened, each_seat, fill_once
from rules.visibility import seen_by_all

# ---------------------------------------------------------------- cards

NOTATION: Notation = FRENCH_52
DECK_SIZE, PLAYERS, EACH, RING = 52, 4, 13, 64
SUIT_CARDS = 0x1111111111111
"""The diamonds as a mask; shifted left by a suit's code, the cards of that suit."""
HEARTS = SUIT_CARDS << SUITS.index("H")
CLUBS = SUIT_CARDS << SUITS.index("C")
QUEEN_OF_SPADES = 1 << NOTATION.card("QS")
POINT_CARDS = HEARTS | QUEEN_OF_SPADES
LEFT, ACROSS, RIGHT, NONE = 1, 2, 3, 0
"""How many seats further on the cards go that are passed."""
DIRECTIONS = (LEFT, RIGHT, ACROSS, NONE)
"""The directions of the games of a row, which come again and again."""
PASSED = 3
"""Cards that each player passes."""


@query
def points(cards: int) -> int:
    """The points of the cards of a mask."""
    return (cards & HEARTS).bit_count() + 13 * (cards & QUEEN_OF_SPADES).bit_count()


@query
def lowest(cards: int) -> int:
    """The card of the lowest rank of a mask that is not empty."""
    return (cards & -cards).bit_length() - 1


@query
def highest(cards: int) -> int:
    """The card of the highest rank of a mask that is not empty."""
    return cards.bit_length() - 1


# ---------------------------------------------------------------- the table and the deal


@dataclass(slots=True)
class Table(CardTable):
    """The cards and facts of one game.

    While cards are passed, those that are chosen lie face down, in the place of a draw pile, in the order of the seats.
    Then the cards played lie there face up, in the order in which they were played.
    """

    direction: int = seen_by_all(NONE)
    led: int = seen_by_all(NO_SUIT)  # the suit led
    laid: int = seen_by_all(0)  # cards of the trick
    best: int = seen_by_all(NO_CARD)  # the card that takes the trick so far
    taker: int = seen_by_all(-1)  # its player
    loot: int = seen_by_all(0)  # points of the trick
    broken: int = seen_by_all(0)  # whether a heart was played
    points: list[int] = seen_by_all(factory=each_seat(PLAYERS))


@query
def cards_each(players: int) -> int:
    """Cards that each player is dealt."""
    return EACH


@effect
def deal(table: Table, deck: bytearray, players: int) -> None:
    """Deal a game."""
    deal_in_turn_unopened(table, deck, players, EACH)


@query
def score(table: Table, seat: int) -> int:
    """The points that a seat has taken."""
    return table.points[seat]


# ---------------------------------------------------------------- passing


@guard("no cards are passed in this game")
def cards_are_passed(table: Table) -> bool:
    """Cards are passed in this game."""
    return DIRECTIONS[table.number & 3] != NONE


@query
def to_pass(table: Table) -> int:
    """The cards that may be passed: all in hand."""
    return table.hands[table.player]


is_held = among(to_pass, "is_held", "it is not held", "The player holds the card.")


@query
def passed_by_each(table: Table) -> int:
    """How many cards each player passes: three, in small decks all that each was dealt."""
    cards = table.stock
    for seat in range(table.players):
        cards += table.hands[seat].bit_count()
    return min(PASSED, cards // table.players)


@guard("more cards are to be passed")
def last_of_player(table: Table) -> bool:
    """With this card the player in turn has passed three."""
    each = passed_by_each(table)
    return table.stock % each == each - 1


@guard("others are to pass cards")
def last_player(table: Table) -> bool:
    """The player in turn is the last one."""
    return table.player == table.players - 1


@effect
def set_direction(table: Table) -> None:
    """The number of the game says to whom cards are passed."""
    table.direction = DIRECTIONS[table.number & 3]


@effect
def lay_aside(table: Table) -> None:
    """The card is laid aside, face down."""
    table.hands[table.player] ^= 1 << table.card
    table.ring[table.tail & RING - 1] = table.card
    table.tail += 1
    table.stock += 1
    table.bottom = table.tail


@effect
def exchange(table: Table) -> None:
    """Everybody takes up the cards that were passed to him."""
    each = table.stock // table.players
    for place in range(table.stock):
        seat = (place // each + table.direction) % table.players
        table.hands[seat] |= 1 << take_top(table)
    table.head = 0
    table.tail = 0
    table.bottom = 0


@effect
def lowest_club_leads(table: Table) -> None:
    """Who holds the two of clubs, the lowest club, leads."""
    lowest_club = 64
    table.player = 0
    for seat in range(table.players):
        clubs = table.hands[seat] & CLUBS
        if clubs != 0 and lowest(clubs) < lowest_club:
            lowest_club = lowest(clubs)
            table.player = seat


@effect
def next_player(table: Table) -> None:
    """The next player is in turn."""
    table.turns += 1
    table.player = seat_after(table.player, table.players)


# ---------------------------------------------------------------- tricks


@query
def in_first_trick(table: Table) -> bool:
    """The first trick is played."""
    return table.tail - table.head < table.players


@query
def leading(table: Table) -> int:
    """The cards that may be led: first the lowest club, then no heart before one was discarded, if others are held."""
    hand = table.hands[table.player]
    if table.tail == table.head and hand & CLUBS != 0:
        return 1 << lowest(hand & CLUBS)
    plain = hand & ~HEARTS
    return hand if table.broken == 1 or plain == 0 else plain


@query
def following(table: Table) -> int:
    """The cards that may follow: those of the suit led, else any, in the first trick none with points if others are
    held.
    """
    hand = table.hands[table.player]
    same = hand & SUIT_CARDS << table.led
    if same != 0:
        return same
    plain = hand & ~POINT_CARDS
    return plain if in_first_trick(table) and plain != 0 else hand


may_lead = among(
    leading, "may_lead", "the two of clubs leads first, and hearts only when one was discarded", "The card may be led."
)
may_follow = among(
    following, "may_follow", "{led} must be followed, and the first trick takes no points", "The card may follow."
)


@guard("the trick is not full")
def fills_trick(table: Table) -> bool:
    """The card is the last one of the trick."""
    return table.laid == table.players - 1


@guard("cards are left")
def all_played(table: Table) -> bool:
    """Nobody has a card left."""
    return table.hands[table.taker] == 0


@effect
def lay_card(table: Table) -> None:
    """The card goes into the trick."""
    table.hands[table.player] ^= 1 << table.card
    table.ring[table.tail & RING - 1] = table.card
    table.tail += 1
    table.open_card = table.card
    trace(table, table.card)
    table.laid += 1
    table.loot += points(1 << table.card)
    if HEARTS >> table.card & 1 == 1:
        table.broken = 1


@effect
def lead_suit(table: Table) -> None:
    """Its suit must be followed."""
    table.led = table.card & 3
    table.best = table.card
    table.taker = table.player


@effect
def beat(table: Table) -> None:
    """The highest card of the suit led takes the trick."""
    if table.card & 3 == table.led and table.card > table.best:
        table.best = table.card
        table.taker = table.player


@query
def taker(table: Table) -> int:
    """The seat that takes the trick."""
    return table.taker


@effect
def take_trick(table: Table) -> None:
    """Who played the highest card takes the trick."""
    table.points[table.taker] += table.loot
    table.player = table.taker
    table.loot = 0
    table.laid = 0
    table.led = NO_SUIT
    table.best = NO_CARD
    table.taker = -1


@effect
def shoot_the_moon(table: Table) -> None:
    """Who has taken all points has none, and the others have as many each."""
    total = 0
    for seat in range(table.players):
        total += table.points[seat]
    shooter = -1
    for seat in range(table.players):
        if total > 0 and table.points[seat] == total:
            shooter = seat
    if shooter >= 0:
        for seat in range(table.players):
            table.points[seat] = 0 if seat == shooter else total


@effect
def fewest_points_win(table: Table) -> None:
    """The fewest points win; if several have as few, nobody does."""
    fewest = table.points[0]
    for seat in range(1, table.players):
        fewest = min(fewest, table.points[seat])
    winners = 0
    for seat in range(table.players):
        if table.points[seat] == fewest:
            winners += 1
            table.winner = seat
    table.ending = WON
    if winners > 1:
        table.ending = OUT_OF_CARDS
        table.winner = NO_WINNER


# ---------------------------------------------------------------- how the house plays


@guard("the suit led is not held, or only cards that take the trick")
def can_duck(table: Table) -> bool:
    """A card of the suit led may be played that does not take the trick."""
    return ducking(table) != 0


@query
def ducking(table: Table) -> int:
    """The cards of the suit led that do not take the trick."""
    return following(table) & SUIT_CARDS << table.led & (1 << table.best) - 1


@guard("the queen of spades may not be played, or would be taken home")
def can_drop_queen(table: Table) -> bool:
    """The queen of spades may be discarded."""
    return table.led != SUITS.index("S") and following(table) & QUEEN_OF_SPADES != 0


@choice
def highest_in_hand(table: Table) -> int:
    """The highest card in hand."""
    return highest(table.hands[table.player])


@choice
def lowest_to_lead(table: Table) -> int:
    """The lowest card that may be led."""
    return lowest(leading(table))


@choice
def highest_that_ducks(table: Table) -> int:
    """The highest card of the suit led that does not take the trick."""
    return highest(ducking(table))


@choice
def queen_of_spades(table: Table) -> int:
    """The queen of spades."""
    return highest(QUEEN_OF_SPADES)


@choice
def highest_to_follow(table: Table) -> int:
    """The highest card that may follow."""
    return highest(following(table))


# ---------------------------------------------------------------- what must hold


@query
def facts_are_in_range(table: Table) -> bool:
    """Cards are passed to one of the other seats or not at all, and hearts are broken or not, which is 1 or 0."""
    return 0 <= table.direction < PLAYERS and 0 <= table.broken <= 1


@query
def nothing_is_played(table: Table) -> bool:
    """No card was played: none lies face up, nobody has points, and hearts are not broken."""
    taken = 0
    for seat in range(table.players):
        taken += table.points[seat]
    return table.tail - table.head == table.stock and taken == 0 and table.broken == 0


@query
def cards_are_dealt(table: Table) -> bool:
    """The first player is in turn, no card is laid aside, and no direction is set."""
    return table.player == 0 and table.stock == 0 and table.direction == NONE


@query
def passed_by(table: Table, seat: int) -> int:
    """How many cards a seat has laid aside, of as many as each was dealt."""
    cards = table.stock
    for other in range(table.players):
        cards += table.hands[other].bit_count()
    return cards // table.players - table.hands[seat].bit_count()


@query
def cards_to_pass(table: Table) -> int:
    """How many cards each player passes: three, or all of a smaller hand."""
    return min(PASSED, passed_by(table, 0) + table.hands[0].bit_count())


@query
def passing_goes_on(table: Table) -> bool:
    """Those before the player in turn have laid aside all that they pass, those after nothing."""
    for seat in range(table.players):
        passed = passed_by(table, seat)
        if passed != (cards_to_pass(table) if seat < table.player else 0) and seat != table.player:
            return False
    return table.direction != NONE and 0 <= passed_by(table, table.player) < cards_to_pass(table)


@query
def all_have_passed(table: Table) -> bool:
    """All have laid aside what they pass, and the last player is in turn."""
    last = table.player == table.players - 1
    return last and table.direction != NONE and passed_by(table, 0) == cards_to_pass(table)


@query
def all_lie_face_up(table: Table) -> bool:
    """All cards that are not held were played."""
    return table.stock == 0


@query
def card_played(table: Table, place: int) -> int:
    """The card that was played at a place, counted from 0 on."""
    return table.ring[table.head + place & RING - 1]


@query
def tricks_taken(table: Table) -> int:
    """How many tricks were taken."""
    return (table.tail - table.head - table.laid) // table.players


@query
def best_place(table: Table, trick: int, cards: int) -> int:
    """The place in a trick of its highest card of the suit led, among some cards."""
    start, best = trick * table.players, 0
    for place in range(1, cards):
        card, highest_so_far = card_played(table, start + place), card_played(table, start + best)
        if card & 3 == highest_so_far & 3 and card > highest_so_far:
            best = place
    return best


@query
def leader_of_trick(table: Table) -> int:
    """The seat that has led the trick on the table, or leads the next one; of a full trick the last seat is in turn."""
    ahead = table.laid if table.laid < table.players else table.players - 1
    return (table.player + table.players - ahead) % table.players


@query
def leader_of_game(table: Table) -> int:
    """The seat that led first: who takes a trick leads the next one."""
    moved = 0
    for trick in range(tricks_taken(table)):
        moved += best_place(table, trick, table.players)
    return (leader_of_trick(table) + (table.players - 1) * moved) % table.players


@query
def points_of_tricks(table: Table, seat: int) -> int:
    """The points of the tricks that a seat has taken."""
    found, leader = 0, leader_of_game(table)
    for trick in range(tricks_taken(table)):
        leader = (leader + best_place(table, trick, table.players)) % table.players
        if leader == seat:
            for place in range(trick * table.players, (trick + 1) * table.players):
                found += points(1 << card_played(table, place))
    return found


@query
def lowest_club_led(table: Table) -> bool:
    """The lowest club was led first, or is in the hand that leads; without clubs the first player led."""
    clubs = all_cards(table) & CLUBS
    if clubs == 0:
        return leader_of_game(table) == 0
    if table.tail == table.head:
        return table.hands[table.player] & clubs & -clubs != 0
    return 1 << card_played(table, 0) == clubs & -clubs


@query
def points_are_of_tricks(table: Table) -> bool:
    """Each player has the points of the tricks taken; hearts are broken if one was played."""
    hearts = 0
    for place in range(table.tail - table.head):
        hearts |= HEARTS >> card_played(table, place) & 1
    for seat in range(table.players):
        if table.points[seat] != points_of_tricks(table, seat):
            return False
    return table.broken == hearts


@query
def shooter(table: Table) -> int:
    """The seat that has taken all points; -1 if there is none."""
    total = points(all_cards(table))
    for seat in range(table.players):
        if total > 0 and points_of_tricks(table, seat) == total:
            return seat
    return -1


@query
def points_are_counted(table: Table) -> bool:
    """All is played; each has the points of the tricks taken; if one has taken all, all others have them instead."""
    shot = shooter(table)
    for seat in range(table.players):
        counted = points_of_tricks(table, seat)
        if shot >= 0:
            counted = 0 if seat == shot else points(all_cards(table))
        if table.hands[seat] != 0 or table.points[seat] != counted:
            return False
    return True


@query
def fewest_have_won(table: Table) -> bool:
    """Who alone has the fewest points has won; if several have, nobody."""
    best, shared = 0, False
    for seat in range(1, table.players):
        if table.points[seat] == table.points[best]:
            shared = True
        if table.points[seat] < table.points[best]:
            best, shared = seat, False
    return table.ending == OUT_OF_CARDS if shared else table.ending == WON and table.winner == best


@query
def no_trick_lies(table: Table) -> bool:
    """No trick is on the table."""
    return table.laid == 0 and table.led == NO_SUIT and table.best == NO_CARD and table.taker == -1 and table.loot == 0


@query
def hands_fit_trick(table: Table) -> bool:
    """A part of the trick is played: who has played to it holds one card less than the others."""
    for step in range(table.players):
        seat = (leader_of_trick(table) + step) % table.players
        played = 1 if step < table.laid else 0
        if table.hands[seat].bit_count() != table.hands[table.player].bit_count() - played:
            return False
    return 0 < table.laid < table.players and (table.tail - table.head - table.laid) % table.players == 0


@query
def trick_is_full(table: Table) -> bool:
    """All have played to the trick."""
    return table.laid == table.players and table.tail - table.head >= table.players


@query
def trick_lies(table: Table) -> bool:
    """The suit led, the best card, its player and the points of the trick are those of the cards last played."""
    trick, loot = tricks_taken(table), 0
    for place in range(trick * table.players, trick * table.players + table.laid):
        loot += points(1 << card_played(table, place))
    best = best_place(table, trick, table.laid)
    facts = table.led == card_played(table, trick * table.players) & 3 and table.loot == loot
    taker = (leader_of_trick(table) + best) % table.players
    return facts and table.best == card_played(table, trick * table.players + best) and table.taker == taker


@query
def card_leaves_hand(before: Table, after: Table) -> bool:
    """The card leaves the hand of the player in turn, and the other hands stay as they are."""
    for seat in range(before.players):
        left = 1 << before.card if seat == before.player else 0
        if before.hands[seat] ^ after.hands[seat] != left:
            return False
    return True


@query
def taker_leads(before: Table, after: Table) -> bool:
    """Who played the best card leads, and has the points of the trick."""
    gained = after.points[before.taker] - before.points[before.taker]
    return after.player == before.taker and gained == before.loot


# ---------------------------------------------------------------- the declaration


class HeartsPhase(Phase):
    """The phases of a game of Hearts."""

    INITIAL = "initial"
    PASSING = "passing"
    EXCHANGE = "exchange"
    LEADING = "leading"
    FOLLOWING = "following"
    TRICK = "trick"
    GAME_OVER = "game-over"


INITIAL, PASSING, EXCHANGE, LEADING, FOLLOWING, TRICK, GAME_OVER = HeartsPhase
PLAYED = (LEADING, FOLLOWING, TRICK, GAME_OVER)
ONE_CARD = partial(on, "pass_card", rule="Each player passes three cards, one after the other.")

# fmt: off
ARCS, CONTROL = page({
    INITIAL: forced(
        on("begin", PASSING, conditions=cards_are_passed, before=set_direction, rule="Cards are passed."),
        on("begin", LEADING, unless=cards_are_passed, before=lowest_club_leads, rule="No cards are passed.")),
    PASSING: turn(lay(
        is_held,
        ONE_CARD(PASSING, before=lay_aside),
        ONE_CARD(PASSING, conditions=last_of_player, before=(lay_aside, next_player)),
        ONE_CARD(EXCHANGE, conditions=(last_of_player, last_player), before=lay_aside),
        face_down=True)),
    EXCHANGE: forced(
        on("exchange", LEADING, before=(exchange, lowest_club_leads),
           rule="When all have passed, everybody takes up what was passed to him; the two of clubs leads.")),
    LEADING: turn(
        lay(may_lead, on("play", FOLLOWING, before=(lay_card, lead_suit, next_player), rule="A card is led."))),
    FOLLOWING: turn(lay(
        may_follow,
        on("play", FOLLOWING, before=(lay_card, beat, next_player), rule="A card follows."),
        on("play", TRICK, conditions=fills_trick, before=(lay_card, beat), rule="The trick is full."))),
    TRICK: forced(
        on("take_trick", LEADING, unless=all_played, before=take_trick,
           rule="The highest card of the suit led takes it."),
        on("count", GAME_OVER, conditions=all_played, before=(take_trick, shoot_the_moon, fewest_points_win),
           rule="After the last trick the fewest points win.")),
})
# fmt: on

HOUSE = Policy("house", {
    PASSING: (Choice("pass_card", "highest", (), highest_in_hand, None, "the highest card"),),
    LEADING: (Choice("play", "lowest", (), lowest_to_lead, None, "the lowest card"),),
    FOLLOWING: (
        Choice("play", "duck", (can_duck,), highest_that_ducks, None, "the highest that does not take the trick"),
        Choice("play", "queen", (can_drop_queen,), queen_of_spades, None, "somebody else takes the queen of spades"),
        Choice("play", "highest", (), highest_to_follow, None, "the highest card"),
    ),
})  # fmt: skip

DECLARATION = Declaration(
    title="Hearts",
    name="hearts",
    table=Table,
    codec=Codec(
        notation=NOTATION,
        fewest=PLAYERS,
        most=PLAYERS,
        cards_each=cards_each,
        facts=(
            Fact("direction", "direction"),
            Fact("led", "led", "suit"),
            Fact("laid", "laid"),
            Fact("best", "best", "card"),
            Fact("taker", "taker", "seat"),
            Fact("loot", "loot"),
            Fact("broken", "broken"),
            Fact("points", "points", "counts"),
        ),
    ),
    deck_size=DECK_SIZE,
    fill=fill_once,
    deal=deal,
    deal_each=deal_in_turn_unopened,
    score=score,
    scoring=Scoring(target=100, unwon_scores=True),
    phases=HeartsPhase,
    initial=INITIAL,
    final=GAME_OVER,
    control=CONTROL,
    arcs=ARCS,
    reveals=dict.fromkeys(("begin", "exchange"), "who holds the two of clubs leads to the first trick"),
    policies=(HOUSE, RANDOM, FIRST_LEGAL),
    look=Look(
        events={"pass_card": "passes", "take_trick": "takes the trick"},
        doers={"take_trick": taker},
        suit_facts={"led": "suit led"},
        number_facts={
            "direction": ("cards go to the left", "cards go {} seats further on"),
            "laid": ("1 card in the trick", "{} cards in the trick"),
            "loot": ("1 point in the trick", "{} points in the trick"),
            "broken": ("hearts are broken", ""),
        },
    ),
    invariants=(
        Invariant("no card is in two places", every_card_once),
        Invariant("cards are passed at most three seats further, and hearts are broken or not, which is 1 or 0",
                  facts_are_in_range),
        Invariant("before the first trick no card was played", nothing_is_played, (INITIAL, PASSING, EXCHANGE)),
        Invariant("at the start player 1 is in turn and has no direction yet", cards_are_dealt, (INITIAL,)),
        Invariant("the players pass three cards each, one player after the other", passing_goes_on, (PASSING,)),
        Invariant("cards are exchanged when all players have passed theirs", all_have_passed, (EXCHANGE,)),
        Invariant("a trick starts with equal hands", hands_are_equal, (INITIAL, EXCHANGE, LEADING, TRICK, GAME_OVER)),
        Invariant("all hold cards where one is led", all_hold_cards, (LEADING,)),
        Invariant("what is not held was played", all_lie_face_up, PLAYED),
        Invariant("who has played to the trick holds one card less than the others", hands_fit_trick, (FOLLOWING,)),
        Invariant("a trick is full when all have played", trick_is_full, (TRICK,)),
        Invariant("no trick is on the table", no_trick_lies, (INITIAL, PASSING, EXCHANGE, LEADING, GAME_OVER)),
        Invariant("the best card of a trick, its suit, its player and its points are those of the cards that lie there",
                  trick_lies, (FOLLOWING, TRICK)),
        Invariant("the lowest club leads first", lowest_club_led, PLAYED),
        Invariant("who takes a trick has its points, and a heart that is played breaks hearts", points_are_of_tricks,
                  (LEADING, FOLLOWING, TRICK)),
        Invariant("in the end the points are counted", points_are_counted, (GAME_OVER,)),
        Invariant("the fewest points win", fewest_have_won, (GAME_OVER,)),
    ),
    postconditions=(
        Postcondition("cards are conserved", cards_are_conserved),
        Postcondition("the card leaves the hand of its player", card_leaves_hand, ("pass_card", "play")),
        Postcondition("who takes the trick leads", taker_leads, ("take_trick",), (LEADING,)),
    ),
    small_decks=(
        SmallDeck("2C 3C 2H QS", 4, 1),
        SmallDeck("2C 3C 2H QS 2D 3H KS AC", 4, 2),
    ),
)  # fmt: skip


class Hearts(Game, declaration=DECLARATION):
    """A game of Hearts, stepped event by event. Cards are named by rank and suit: `QS`, the queen of spades.

    >>> Hearts.deal(players=4, seed=7).run()
    Outcome(ending=<Ending.WON: 1>, winner=1, scores=(0, 0, 0, 0))
    """
