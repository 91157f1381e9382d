"""Euchre for four, as OpenSpiel has it: a side names trumps, and one of its players may play alone against both others.

    maumau play --game examples/euchre.py:Euchre
    maumau check --game examples/euchre.py:Euchre --games 100

The rules are in docs/rules/euchre.md."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

# fmt: off
from maumau import (  # isort: skip
    FIRST_LEGAL, RANDOM, TRICK_FACTS, TRICK_LOOK, TRICK_POSTCONDITIONS, Choice, Declaration, Fact, Game, Guide,
    Invariant, Look, Policy, Reason, Scoring, SmallDeck, among, best, choice, choose, effect, forced, guard, lay,
    offer, on, page, phases, query, turn,
)
# fmt: on
from rules.bids import CountedTrickTable, take_trick
from rules.cards import ANY_CARD, NO_SUIT, french_deck, of_suit, rank_of, suit_of
from rules.ending import ahead_by, most_win
from rules.invariants import most_has_won
from rules.piles import stack_up
from rules.seats import seat_after
from rules.shedding import next_player
from rules.table import deal_hands_in_turn, each_seat
from rules.tricks import all_played, held, is_held, no_trick_lies, play_card
from rules.visibility import seen_by_all, seen_by_owner

DECK, JACK, SUITS, PLAYERS, SIDES, NOBODY = french_deck("9TJQKA"), 2, 4, 4, 2, -1

# ---------------------------------------------------------------- the table and the deal


@dataclass(slots=True)
class Table(CountedTrickTable):
    """The cards and facts of one deal."""

    turned: list[int] = seen_by_all(factory=each_seat(PLAYERS))  # the card that is turned up is a mask at 0
    away: list[int] = seen_by_owner(factory=each_seat(PLAYERS))  # the card that the dealer has laid away
    maker: int = seen_by_all(NOBODY)  # who has named trumps
    out: int = seen_by_all(NOBODY)  # who sits out, as the partner plays alone
    winners: int = seen_by_all(0)


@effect
def deal_and_turn(table: Table, deck: Sequence[int], players: int, each: int) -> None:
    """Deal `each` cards to every player, one at a time in turn, and turn the next one up."""
    deal_hands_in_turn(table, deck, players, each)
    table.turned[0] = 1 << int(deck[players * each])
    stack_up(table, deck, players * each + 1)


@query
def tricks_of_side(table: Table, seat: int) -> int:
    """The tricks that the side of a seat has taken."""
    return table.tricks[seat] + table.tricks[(seat + SIDES) % PLAYERS]


@query
def score(table: Table, seat: int) -> int:
    """The points of the side of a seat: makers have 1 for most tricks, 2 for all, 4 alone; else the others have 2."""
    mine, theirs = tricks_of_side(table, seat), tricks_of_side(table, (seat + 1) % PLAYERS)
    if mine < theirs:
        return 0
    if (seat - table.maker) % SIDES != 0:
        return 2
    if theirs > 0:
        return 1
    return 4 if table.out != NOBODY else 2


# ---------------------------------------------------------------- trumps and bowers


@query
def left_bower(trump: int) -> int:
    """The jack of the other suit of the colour of trumps, the second highest trump, as a mask."""
    return 1 << 4 * JACK + (trump ^ 1)


@query
def suit_in_play(card: int, trump: int) -> int:
    """The suit of a card: the left bower is a trump."""
    return trump if left_bower(trump) >> card & 1 == 1 else suit_of(card)


@query
def cards_of(suit: int, trump: int) -> int:
    """The cards that count as a suit."""
    plain = of_suit(suit) & ~left_bower(trump)
    return plain | left_bower(trump) if suit == trump else plain


@query
def height(card: int, trump: int) -> int:
    """The height of a card in its suit: of trumps the jack is the highest, then the left bower."""
    if rank_of(card) == JACK and suit_in_play(card, trump) == trump:
        return 11 if suit_of(card) == trump else 10
    return rank_of(card)


@query
def strength(table: Table, card: int) -> int:
    """Trumps are above all other cards."""
    suit = suit_in_play(card, table.trump)
    return 16 * height(card, table.trump) + suit + (256 if suit == table.trump else 0)


@query
def takes(table: Table, card: int) -> bool:
    """Whether a card takes the trick from the best one so far."""
    suit, trump = suit_in_play(card, table.trump), table.trump
    if suit == suit_in_play(table.best, trump):
        return height(card, trump) > height(table.best, trump)
    return suit == trump


@query
def following(table: Table) -> int:
    """The cards that follow suit; where there are none, all of the player."""
    same = held(table) & cards_of(table.led, table.trump)
    return held(table) if same == 0 else same


@query
def others_than_led(table: Table) -> int:
    """The cards of other suits than the one led, where a card of that suit is held."""
    same = cards_of(table.led, table.trump)
    return ANY_CARD & ~same if held(table) & same != 0 else 0


follows = among(following, "follows", Reason("{led} must be followed", others_than_led), "The card follows suit.")

# ---------------------------------------------------------------- naming trumps


@query
def suits_to_name(table: Table) -> int:
    """All suits but that of the card turned up."""
    return 15 & ~(1 << suit_of(table.turned[0].bit_length() - 1))


@guard("others are still to speak")
def is_dealer(table: Table) -> bool:
    """The player is the dealer, who speaks last."""
    return table.player == PLAYERS - 1


@effect
def order_up(table: Table) -> None:
    """The suit of the card turned up is trump, and the dealer takes it."""
    table.trump, table.maker = suit_of(table.turned[0].bit_length() - 1), table.player
    table.player = PLAYERS - 1


@effect
def take_turned(table: Table) -> None:
    """The dealer lays the card away, and takes the card turned up. The player who ordered it up is in turn."""
    table.away[table.player] = 1 << table.card
    table.hands[table.player] ^= 1 << table.card | table.turned[0]
    table.turned[0], table.player = 0, table.maker


@effect
def name_trump(table: Table) -> None:
    """The suit is trump."""
    table.trump, table.maker = table.suit, table.player


@effect
def partner_sits_out(table: Table) -> None:
    """The partner does not play."""
    table.out = (table.player + SIDES) % PLAYERS


@effect
def eldest_leads(table: Table) -> None:
    """Player 1 leads, or player 2 if player 1 sits out."""
    table.turns += 1
    table.player = 1 if table.out == 0 else 0


@guard("the trick is not full")
def fills_trick(table: Table) -> bool:
    """The card is the last one of the trick."""
    return table.laid == (PLAYERS if table.out == NOBODY else PLAYERS - 1) - 1


@effect
def next_to_play(table: Table) -> None:
    """The next player who plays is in turn."""
    next_player(table)
    if table.player == table.out:
        table.player = seat_after(table.player, PLAYERS)


@effect
def lead(table: Table) -> None:
    """The suit of the card must be followed."""
    table.led = suit_in_play(table.card, table.trump)
    table.best, table.taker = table.card, table.player


@effect
def beat(table: Table) -> None:
    """The card is the best one if it takes the trick."""
    if takes(table, table.card):
        table.best, table.taker = table.card, table.player


most_points_win = most_win(score, SIDES)

# ---------------------------------------------------------------- how the house plays


@guard("there are few trumps")
def has_trumps(table: Table) -> bool:
    """With the suit of the card turned up there are three trumps or more."""
    suit = suit_of(table.turned[0].bit_length() - 1)
    return (held(table) & cards_of(suit, suit)).bit_count() >= 3


@guard("there are not four trumps")
def is_strong(table: Table) -> bool:
    """The player holds four trumps or more."""
    return (held(table) & cards_of(table.trump, table.trump)).bit_count() >= 4


@choice
def longest_suit(table: Table) -> int:
    """The suit that may be named of which most cards are held."""
    found, most = NO_SUIT, -1
    for suit in range(SUITS):
        cards = (held(table) & cards_of(suit, suit)).bit_count()
        if suits_to_name(table) >> suit & 1 == 1 and cards > most:
            found, most = suit, cards
    return found


@query
def taking(table: Table) -> int:
    """The cards that take the trick, unless the partner has the best card."""
    found = 0
    for card in range(4 * 6):
        if following(table) >> card & 1 == 1 and takes(table, card):
            found |= 1 << card
    return found if (table.taker - table.player) % SIDES != 0 else 0


# ---------------------------------------------------------------- what must hold


@query
def tricks_in_all(table: Table) -> int:
    """How many tricks were taken."""
    return table.tricks[0] + table.tricks[1] + table.tricks[2] + table.tricks[3]


@query
def no_trump_yet(table: Table) -> bool:
    """No suit is trump, nobody sits out, and no trick was taken."""
    named = table.maker != NOBODY or table.trump != NO_SUIT or table.out != NOBODY
    return not named and tricks_in_all(table) == 0 and table.turned[0] != 0


@query
def trump_is_named(table: Table) -> bool:
    """A player has named trumps, and at most the partner sits out."""
    sits_out = table.out == NOBODY or table.out == (table.maker + SIDES) % PLAYERS
    return 0 <= table.maker < PLAYERS and 0 <= table.trump < SUITS and sits_out


@query
def one_is_away(table: Table) -> bool:
    """The dealer has laid away a card exactly if the card turned up was taken."""
    others = table.away[0] | table.away[1] | table.away[2]
    return others == 0 and table.away[3].bit_count() == 1 - table.turned[0].bit_count()


@query
def all_play(table: Table) -> bool:
    """All who play have played as many cards to tricks that are over, and a seat that sits out none."""
    played = (PLAYERS if table.out == NOBODY else PLAYERS - 1) * tricks_in_all(table) + table.laid
    hand = table.hands[table.player].bit_count()
    for seat in range(PLAYERS):
        cards = table.hands[seat].bit_count()
        if seat != table.out and not hand - 1 <= cards <= hand + 1:
            return False
        if seat == table.out and cards < hand:
            return False
    return table.tail - table.head - table.stock == played


@query
def best_card_lies(table: Table) -> bool:
    """Of the cards of the trick none takes it from the best one, and the first one has the suit led."""
    for place in range(table.tail - table.laid, table.tail):
        card = table.ring[place & len(table.ring) - 1]
        if takes(table, card):
            return False
        if place == table.tail - table.laid and suit_in_play(card, table.trump) != table.led:
            return False
    return 0 <= table.taker < PLAYERS and table.taker != table.out


EuchrePhase = phases("EuchrePhase", "initial ordering naming laying-away deciding leading following trick game-over")
INITIAL, ORDERING, NAMING, LAYING_AWAY, DECIDING, LEADING, FOLLOWING, TRICK, GAME_OVER = EuchrePhase
UNNAMED, PLAYED = (INITIAL, ORDERING, NAMING), (LEADING, FOLLOWING, TRICK, GAME_OVER)

# fmt: off
PAGE = page({
    INITIAL: forced(on("begin", ORDERING, rule="Player 1 speaks first, the dealer last.")),
    ORDERING: turn(
        on("order_up", LAYING_AWAY, before=order_up, rule="The suit of the card turned up is trump."),
        on("pass_turn", ORDERING, before=next_player, rule="A player may pass."),
        on("pass_turn", NAMING, conditions=is_dealer, before=next_player,
           rule="When all have passed, each may name another suit.")),
    NAMING: turn(
        offer(on("name", DECIDING, before=name_trump, rule="The suit is trump."), suits=suits_to_name),
        on("pass_turn", NAMING, unless=is_dealer, before=next_player, rule="All but the dealer may pass again.")),
    LAYING_AWAY: choose(lay(
        is_held, on("lay_away", DECIDING, before=take_turned, rule="The dealer discards a card for the turned one."),
        face_down=True)),
    DECIDING: choose(
        on("play_alone", LEADING, before=(partner_sits_out, eldest_leads), rule="The partner sits out."),
        on("play_together", LEADING, before=eldest_leads, rule="Both partners play.")),
    LEADING: turn(
        lay(is_held, on("play", FOLLOWING, before=(play_card, lead, next_to_play), rule="A card is led."))),
    FOLLOWING: turn(lay(
        follows,
        on("play", FOLLOWING, before=(play_card, beat, next_to_play), rule="A card follows."),
        on("play", TRICK, conditions=fills_trick, before=(play_card, beat), rule="The trick is full."))),
    TRICK: forced(
        on("take_trick", LEADING, unless=all_played, before=take_trick,
           rule="The highest trump takes it, else the highest card of the suit led."),
        on("count", GAME_OVER, conditions=all_played, before=(take_trick, most_points_win),
           rule="The makers score if they have most tricks, else the others do.")),
})

HOUSE = Policy("house", {
    ORDERING: (Choice("order_up", "three trumps", (has_trumps,), description="there are three trumps"),
               Choice("pass_turn", description="there are few trumps")),
    NAMING: (Choice("name", "longest suit", suit=longest_suit, description="the suit of which most cards are held"),),
    LAYING_AWAY: (best("lay_away", "lowest", held, "the lowest card", lowest=True, always=True),),
    DECIDING: (Choice("play_alone", "four trumps", (is_strong,), description="there are four trumps"),
               Choice("play_together", description="there are not four trumps")),
    LEADING: (best("play", "highest", held, "the highest card", always=True),),
    FOLLOWING: (best("play", "take", taking, "a card that takes the trick", lowest=True),
                best("play", "lowest", following, "the lowest card", lowest=True, always=True)),
}, description="Orders up with three trumps, plays alone with four, and takes tricks cheaply.")

EUCHRE = Declaration(
    title="Euchre", page=PAGE, table=Table, deck=DECK, players=4, cards_each=5, deal_each=deal_and_turn,
    facts=(*TRICK_FACTS, Fact("turned", kind="pile"), Fact("trump", kind="suit"), Fact("away", kind="cards"),
           Fact("maker", kind="seat"), Fact("out", kind="seat"), Fact("tricks", kind="counts"),
           Fact("winners", kind="seats")),
    score=score, returns=ahead_by(score), zero_sum=True,
    scoring=Scoring(target=10, lowest_wins=False, sides=SIDES), policies=(HOUSE, RANDOM, FIRST_LEGAL),
    look=Look(
        summary="A side names trumps and must take most tricks; one player may play alone against two.",
        draw_pile="stock", discard_pile="played", scores="Points", strength=strength, suit_facts={"trump": "trump"},
        events={"order_up": "orders up", "pass_turn": "passes", "name": "names", "lay_away": "lays away",
                "play_alone": "plays alone", "play_together": "plays with the partner"},
        asks={"order_up": "order up the turned card", "pass_turn": "pass", "play_alone": "play alone",
              "play_together": "play with the partner"},
        usual=("A card is led.", "A card follows.", "The trick is full."),
        number_facts={"tricks": ("1 trick", "{} tricks")},
        guide=Guide(
            aim="Take three of the five tricks with your partner, who sits opposite, if your side has named trumps.",
            deal=("The next card is turned up. Player 4 deals.",),
            turn=("In turn, each may order the turned card up: its suit is trump, and the dealer takes it. If all "
                  "pass, each may name another suit.",
                  "The player who has made trumps may play alone.",
                  "Follow suit if you can. The highest trump takes the trick, else the highest card of the suit led."),
            cards={"JH JD": ("The jack of trumps is the highest trump. The other jack of this colour is the second.",)},
            counting=("Three or four tricks: 1 point for the side that made trumps. All five: 2, or 4 if one played "
                      "alone.", "Fewer than three: 2 points for the other side."))).joined(TRICK_LOOK),
    invariants=(
        Invariant("no suit is trump before one is named", no_trump_yet, UNNAMED),
        Invariant("a player has named trumps", trump_is_named, (LAYING_AWAY, DECIDING, *PLAYED)),
        Invariant("the dealer discards a card for the turned one", one_is_away),
        Invariant("no trick is on the table", no_trick_lies, (*UNNAMED, LAYING_AWAY, DECIDING, LEADING, GAME_OVER)),
        Invariant("all who play have played to each trick", all_play, (LEADING, FOLLOWING, TRICK)),
        Invariant("the best card of a trick is the highest one", best_card_lies, (FOLLOWING, TRICK)),
        Invariant("the most points win", most_has_won(score, SIDES), (GAME_OVER,)),
    ),
    postconditions=TRICK_POSTCONDITIONS,
    small_decks=(SmallDeck("9D JH 9S AC TD", 4, 1), SmallDeck("9D JH 9S AC TD JD QS KH AH", 4, 2, large=True)),
)
# fmt: on


class Euchre(Game, declaration=EUCHRE):
    """A deal of Euchre, stepped event by event. Cards are named by rank and suit: `JS`, the jack of spades.

    >>> Euchre.deal(players=4, seed=7).run().winners
    (2, 4)
    """
