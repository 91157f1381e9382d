"""Hearts for four: three cards are passed, and tricks are played in which hearts and the queen of spades count.

    maumau play --game examples/hearts.py:Hearts
    maumau check --game examples/hearts.py:Hearts --games 100

Each passes three cards: to the left in game 0 of a row, to the right in game 1, across in game 2; in game 3 none are
passed, then it begins again. The two of clubs leads. Suit must be followed; the highest card of the suit led takes the
trick. Hearts may not be led before one was discarded, unless nothing else is held. In the first trick nobody plays a
heart or the queen of spades who can play something else. A heart counts 1 point, the queen of spades 13; who takes all
26 has none, and the others 26 each. The fewest points win; where several have as few, nobody wins.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial

# fmt: off
from maumau import (  # isort: skip
    FIRST_LEGAL, RANDOM, TRICK_FACTS, TRICK_LOOK, TRICK_POSTCONDITIONS, Declaration, Fact, Game, Guide, Invariant, Look,
    Policy, Postcondition, Reason, Scoring, SmallDeck, among, best, effect, forced, lay, on, page, phases, query,
    trick_invariants, trick_phases, turn,
)
# fmt: on
from rules import passing, tricks
from rules.broken import breaking, broken_by, leading_unbroken
from rules.cards import ANY_CARD, FRENCH_52, SUITS, of_suit
from rules.ending import fewest_win, negated
from rules.invariants import all_cards, all_hold_cards, fewest_has_won
from rules.notation import Notation
from rules.passing import PassingTable, cards_are_passed, exchange, last_of_player, last_player, lay_aside
from rules.shedding import next_player
from rules.table import each_seat
from rules.tricks import card_played, taker_in_turn
from rules.visibility import seen_by_all

# ---------------------------------------------------------------- cards

NOTATION: Notation = FRENCH_52
PLAYERS = 4
SPADES = SUITS.index("S")
HEARTS = of_suit(SUITS.index("H"))
CLUBS = of_suit(SUITS.index("C"))
QUEEN_OF_SPADES = 1 << NOTATION.card("QS")
POINT_CARDS = HEARTS | QUEEN_OF_SPADES


@query
def points(cards: int) -> int:
    """The points of the cards of a mask."""
    return (cards & HEARTS).bit_count() + 13 * (cards & QUEEN_OF_SPADES).bit_count()


@query
def lowest(cards: int) -> int:
    """The card of the lowest rank of a mask that is not empty."""
    return (cards & -cards).bit_length() - 1


# ---------------------------------------------------------------- the table and the deal


@dataclass(slots=True)
class Table(PassingTable):
    """The cards and facts of one game. The cards played lie face up, in the order in which they were played."""

    loot: int = seen_by_all(0)  # points of the trick
    broken: int = seen_by_all(0)  # whether a heart was played
    points: list[int] = seen_by_all(factory=each_seat(PLAYERS))


@query
def score(table: Table, seat: int) -> int:
    """The points that a seat has taken."""
    return table.points[seat]


# ---------------------------------------------------------------- tricks


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


unbroken, lay_breaking = leading_unbroken(HEARTS), breaking(HEARTS)


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
    return unbroken(table)  # type: ignore[no-any-return]


@query
def following(table: Table) -> int:
    """The cards that may follow: those of the suit led, else any, in the first trick none with points if others are
    held.
    """
    hand = table.hands[table.player]
    same = hand & of_suit(table.led)
    if same != 0:
        return same
    plain = hand & ~POINT_CARDS
    return plain if in_first_trick(table) and plain != 0 else hand


@query
def others_than_first(table: Table) -> int:
    """All cards but the one that leads the first trick, while it is led."""
    clubs = table.hands[table.player] & CLUBS
    return ANY_CARD ^ 1 << lowest(clubs) if table.tail == table.head and clubs != 0 else 0


LOWEST_LEADS = Reason("the lowest club leads first", others_than_first)
UNBROKEN = Reason("hearts may be led only when one was discarded", HEARTS)
FOLLOW_SUIT = Reason("{led} must be followed", tricks.others_than_led)
NO_POINTS = Reason("the first trick takes no points", POINT_CARDS)
may_lead = among(leading, "may_lead", (LOWEST_LEADS, UNBROKEN), "The card may be led.")
may_follow = among(following, "may_follow", (FOLLOW_SUIT, NO_POINTS), "The card may follow.")


@effect
def lay_card(table: Table) -> None:
    """The card goes into the trick."""
    lay_breaking(table)
    table.loot += points(1 << table.card)


@effect
def take_trick(table: Table) -> None:
    """Who played the highest card takes the trick."""
    table.points[table.taker] += table.loot
    table.loot = 0
    taker_in_turn(table)


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


fewest_points_win = fewest_win(score, "fewest_points_win")

# ---------------------------------------------------------------- how the house plays


@query
def ducking(table: Table) -> int:
    """The cards of the suit led that do not take the trick."""
    return following(table) & of_suit(table.led) & (1 << table.best) - 1


@query
def queen_to_drop(table: Table) -> int:
    """The queen of spades, where somebody else takes it."""
    return following(table) & QUEEN_OF_SPADES if table.led != SPADES else 0


# ---------------------------------------------------------------- what must hold


@query
def nothing_is_played(table: Table) -> bool:
    """No card was played: none lies face up, nobody has points, and hearts are not broken."""
    taken = 0
    for seat in range(table.players):
        taken += table.points[seat]
    return table.tail - table.head == table.stock and taken == 0 and table.broken == 0


points_taken, each_has_points = tricks.points_of_tricks(points), tricks.points_are_taken(points)


@query
def lowest_club_led(table: Table) -> bool:
    """The lowest club was led first, or is in the hand that leads; without clubs the first player led."""
    clubs = all_cards(table) & CLUBS
    if clubs == 0:
        return tricks.leader_of_game(table) == 0
    if table.tail == table.head:
        return table.hands[table.player] & clubs & -clubs != 0
    return 1 << card_played(table, 0) == clubs & -clubs


@query
def shooter(table: Table) -> int:
    """The seat that has taken all points; -1 if there is none."""
    total = points(all_cards(table))
    for seat in range(table.players):
        if total > 0 and points_taken(table, seat) == total:
            return seat
    return -1


@query
def points_are_counted(table: Table) -> bool:
    """All is played; each has the points of the tricks taken; if one has taken all, all others have them instead."""
    shot = shooter(table)
    for seat in range(table.players):
        counted = points_taken(table, seat)
        if shot >= 0:
            counted = 0 if seat == shot else points(all_cards(table))
        if table.hands[seat] != 0 or table.points[seat] != counted:
            return False
    return True


@query
def points_lie(table: Table) -> bool:
    """The points of the trick are those of the cards last played."""
    loot, start = 0, tricks.tricks_taken(table) * table.players
    for place in range(start, start + table.laid):
        loot += points(1 << card_played(table, place))
    return table.loot == loot


@query
def taker_has_points(before: Table, after: Table) -> bool:
    """The player who played the best card has the points of the trick."""
    return after.points[before.taker] - before.points[before.taker] == before.loot


# ---------------------------------------------------------------- the declaration


HeartsPhase = phases("HeartsPhase", "initial passing exchange leading following trick game-over")
INITIAL, PASSING, EXCHANGE, LEADING, FOLLOWING, TRICK, GAME_OVER = HeartsPhase
BEFORE = (INITIAL, PASSING, EXCHANGE)
PLAYED = (LEADING, FOLLOWING, TRICK, GAME_OVER)
ONE_CARD = partial(on, "pass_card", rule="Each player passes three cards, one after the other.")

# fmt: off
PAGE = page({
    INITIAL: forced(
        on("begin", PASSING, conditions=cards_are_passed, before=passing.set_direction, rule="Cards are passed."),
        on("begin", LEADING, unless=cards_are_passed, before=lowest_club_leads, rule="No cards are passed.")),
    PASSING: turn(lay(
        tricks.is_held,
        ONE_CARD(PASSING, before=lay_aside),
        ONE_CARD(PASSING, conditions=last_of_player, before=(lay_aside, next_player)),
        ONE_CARD(EXCHANGE, conditions=(last_of_player, last_player), before=lay_aside),
        face_down=True)),
    EXCHANGE: forced(
        on("exchange", LEADING, before=(exchange, lowest_club_leads),
           rule="When all have passed, everybody takes up the cards passed to them; the two of clubs leads.")),
    **trick_phases(
        LEADING, FOLLOWING, TRICK, GAME_OVER, may_lead, may_follow, play=lay_card, take=take_trick,
        count=(take_trick, shoot_the_moon, fewest_points_win),
        rules=("The highest card of the suit led takes it.", "After the last trick the fewest points win.")),
})
# fmt: on

HOUSE = Policy("house", {
    PASSING: (best("pass_card", "highest", tricks.held, "the highest card", always=True),),
    LEADING: (best("play", "lowest", leading, "the lowest card", lowest=True, always=True),),
    FOLLOWING: (
        best("play", "duck", ducking, "the highest card that does not take the trick"),
        best("play", "queen", queen_to_drop, "somebody else takes the queen of spades"),
        best("play", "highest", following, "the highest card", always=True),
    ),
})  # fmt: skip

DECLARATION = Declaration(
    title="Hearts",
    table=Table,
    deck=NOTATION,
    players=PLAYERS,
    cards_each=13,
    facts=(Fact("direction"), *TRICK_FACTS, Fact("loot"), Fact("broken"), Fact("points", kind="counts")),
    score=score,
    returns=negated(score),
    scoring=Scoring(target=100, unwon_scores=True),
    page=PAGE,
    reveals=dict.fromkeys(("begin", "exchange"), "the holder of the two of clubs leads to the first trick"),
    policies=(HOUSE, RANDOM, FIRST_LEGAL),
    look=Look(
        draw_pile="passed",
        discard_pile="played",
        events={"pass_card": "passes"},
        usual=("A card is led.", "A card follows.", "The trick is full."),
        fact_phases={"direction": tuple(map(str, BEFORE))},
        number_facts={
            "direction": ("cards go to the left", "cards go {} seats further on"),
            "loot": ("1 point in the trick", "{} points in the trick"),
            "broken": ("hearts are broken", ""),
            "points": ("1 point", "{} points"),
        },
        guide=Guide(
            aim="Take few hearts, and not the queen of spades. Or take all of them.",
            deal=("Each player passes three cards: to the left, to the right, across, or none, round after round.",),
            turn=(
                "The two of clubs leads. Follow suit if you can, else play any card.",
                "The highest card of the suit led takes the trick. Its player leads the next one.",
                "Hearts may be led when one was discarded, or if you hold nothing else.",
                "In the first trick play neither a heart nor the queen of spades, if you can.",
            ),
            cards={
                "2C": ("It is led to the first trick.",),
                "QS": ("It counts 13 points.",),
                "AH 2H": ("Each heart counts 1 point.",),
            },
            counting=(
                "A player who takes all 26 points has none, and each of the others 26.",
                "The fewest points win. If several players have as few, nobody wins.",
            ),
        ),
    ).joined(TRICK_LOOK),
    invariants=(
        *trick_invariants(LEADING, FOLLOWING, TRICK, (*BEFORE, GAME_OVER), unequal=(PASSING,)),
        Invariant("cards are passed at most three seats further", passing.direction_is_known),
        Invariant("before the first trick no card was played", nothing_is_played, BEFORE),
        Invariant("at the start player 1 is in turn and has no direction yet", passing.nothing_is_passed, (INITIAL,)),
        Invariant("the players pass three cards each, one player after the other", passing.passing_goes_on, (PASSING,)),
        Invariant("cards are exchanged when all players have passed theirs", passing.all_have_passed, (EXCHANGE,)),
        Invariant("all hold cards where one is led", all_hold_cards, (LEADING,)),
        Invariant("what is not held was played", tricks.nothing_in_stock, PLAYED),
        Invariant("the points of the trick are those of its cards", points_lie),
        Invariant("the lowest club leads first", lowest_club_led, PLAYED),
        Invariant("a player has the points of tricks taken", each_has_points, (LEADING, FOLLOWING, TRICK)),
        Invariant("a heart that is played breaks hearts, which is 1 or 0", broken_by(HEARTS), PLAYED),
        Invariant("in the end the points are counted", points_are_counted, (GAME_OVER,)),
        Invariant("the fewest points win", fewest_has_won(score), (GAME_OVER,)),
    ),
    postconditions=(
        *TRICK_POSTCONDITIONS,
        Postcondition("the card that is passed leaves the hand", tricks.card_leaves_hand, ("pass_card",)),
        Postcondition("the player who takes the trick has its points", taker_has_points, ("take_trick",), (LEADING,)),
    ),
    small_decks=(
        SmallDeck("2C 3C 2H QS", 4, 1),
        SmallDeck("2C 3C 2H QS 2D 3H KS AC", 4, 2, large=True),
    ),
)  # fmt: skip


class Hearts(Game, declaration=DECLARATION):
    """A game of Hearts, stepped event by event. Cards are named by rank and suit: `QS`, the queen of spades.

    >>> Hearts.deal(players=4, seed=7).run()
    Outcome(ending=<Ending.WON: 1>, winner=1, scores=(0, 0, 0, 0))
    """
