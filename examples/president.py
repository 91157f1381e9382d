"""President for three to five: sets of one rank climb, and what counts is the order in which the players are out.

    maumau play --game examples/president.py:President --players 4
    maumau check --game examples/president.py:President --games 100

Who leads lays one to four cards of one rank; the others lay as many of a higher rank, or pass. From the second round of
a match on, the last of the round before gives the president the two highest cards, who gives back any two.
"""

from __future__ import annotations

from dataclasses import dataclass

# fmt: off
from maumau import (  # isort: skip
    CLIMBING_FACTS, FIRST_LEGAL, RANDOM, Choice, Declaration, Fact, Game, Guide, Invariant, Look, Policy,
    Postcondition, Scoring, SmallDeck, among, best, climbing_invariants, effect, forced, guard, lay, on, page, phases,
    query, turn,
)
from rules.climbing import (  # isort: skip
    ClimbingTable, climbs, laying, lead_anew, leaves_one, next_holds_cards, next_in_climb, turn_comes_back,
)
from rules.places import (  # isort: skip
    better_places, last_place_is_left, place_of, places_taken, returns_by_place, take_next_place,
)
# fmt: on
from rules.invariants import other_hands_stay
from rules.notation import Notation
from rules.rule import highest_of, lowest_of
from rules.sets import CardSets, cards_named, forms_at, lowest_cards, of_a_rank
from rules.table import each_seat
from rules.tricks import held
from rules.visibility import seen_by_all, seen_by_owner

SUITS, RANKS, MOST = "CDHS", "3456789TJQKA2", 5
# fmt: off
DECK = Notation(tuple(rank + suit for rank in RANKS for suit in SUITS), SUITS, "suit",
                ("clubs", "diamonds", "hearts", "spades"), ranks=RANKS)
# fmt: on
"""Codes of cards grow with the rank, and of one rank from clubs to spades."""
SETS = CardSets(of_a_rank(DECK, (1, 2, 3, 4)))
named = cards_named(SETS)

# ---------------------------------------------------------------- the table


@dataclass(slots=True)
class Table(ClimbingTable):
    """The cards and facts of one round."""

    hands: list[int] = seen_by_owner(factory=each_seat(MOST))
    former: list[int] = seen_by_all(factory=each_seat(MOST))  # the places of the round before, while cards are given
    given: int = seen_by_all(0)  # cards that were given


# ---------------------------------------------------------------- sets


to_lay, forms = lowest_cards(SETS, held, climbs), forms_at(SETS, held, climbs)
may_lay = among(to_lay, "may_lay", "{card} is not a set of as many cards of a higher rank",
                "The cards are a set that may be laid.")  # fmt: skip
lay_set, one_is_left = laying(named), leaves_one(named)


@query
def set_leaves_hand(before: Table, after: Table) -> bool:
    """The set has left the hand, and is the one to beat; the other hands stay as they are."""
    gone = before.hands[before.player] ^ after.hands[before.player]
    return gone == named(before) and gone.bit_count() > 0 and other_hands_stay(before, after)


# ---------------------------------------------------------------- the exchange


@guard("it is the first round")
def round_came_before(table: Table) -> bool:
    """There are places of a round before."""
    return table.places[0] > 0


@query
def giver(table: Table, given: int) -> int:
    """The seat that gives a card after so many: the last two, the president two, the second to last and second one."""
    former_place = 2
    if given < 4:
        former_place = table.players if given < 2 else 1
    elif given == 4:
        former_place = table.players - 1
    found = 0
    for seat in range(table.players):
        if table.former[seat] == former_place:
            found = seat
    return found


@query
def taker(table: Table, given: int) -> int:
    """The seat that gets the card: the partner of the exchange."""
    if given < 4:
        return giver(table, 2 if given < 2 else 0)
    return giver(table, 9 - given)


@query
def to_give(table: Table) -> int:
    """The highest card of who had one of the last places; any card of the others."""
    hand = table.hands[table.player]
    return 1 << hand.bit_length() - 1 if table.given < 2 or table.given == 4 else hand


may_give = among(to_give, "may_give", "{card} is not the highest card", "The card may be given.")


@guard("more cards are to be given")
def all_is_given(table: Table) -> bool:
    """It is the last card of the exchange."""
    return table.given == (3 if table.players == 3 else 5)


@effect
def recall_places(table: Table) -> None:
    """The places of the round before decide who gives cards, the last first."""
    for seat in range(table.players):
        table.former[seat] = table.places[seat]
        table.places[seat] = 0
    table.player = giver(table, 0)


@effect
def give_card(table: Table) -> None:
    """The card goes into the hand of the partner of the exchange."""
    table.hands[table.player] ^= 1 << table.card
    table.hands[taker(table, table.given)] |= 1 << table.card
    table.given += 1
    table.turns += 1
    table.player = giver(table, table.given)


@effect
def last_leads(table: Table) -> None:
    """The exchange is over: who was last leads."""
    table.player = giver(table, 0)
    table.given = 0
    for seat in range(table.players):
        table.former[seat] = 0


@query
def exchange_goes_on(table: Table) -> bool:
    """The next to give is in turn, nobody has a place in this round, and each had one in the round before."""
    for place in range(1, table.players + 1):
        had = 0
        for seat in range(table.players):
            had += 1 if table.former[seat] == place else 0
        if had != 1:
            return False
    fits = table.player == giver(table, table.given) and table.given <= (3 if table.players == 3 else 5)
    return fits and places_taken(table) == 0


@query
def hands_were_dealt(table: Table) -> bool:
    """No card was laid, and before cards were given the hands differed by one card at most."""
    held = 0
    for seat in range(table.players):
        held += table.hands[seat].bit_count()
    for seat in range(table.players):
        size = table.hands[seat].bit_count()
        for given in range(table.given):
            size += 1 if giver(table, given) == seat else 0
            size -= 1 if taker(table, given) == seat else 0
        if not held // table.players <= size <= (held + table.players - 1) // table.players:
            return False
    return table.tail - table.head == table.stock


@query
def nobody_gives(table: Table) -> bool:
    """No card was given, and the round before is forgotten."""
    for seat in range(table.players):
        if table.former[seat] != 0:
            return False
    return table.given == 0


# ---------------------------------------------------------------- the page


PresidentPhase = phases("PresidentPhase", "initial giving leading following game-over")
INITIAL, GIVING, LEADING, FOLLOWING, GAME_OVER = PresidentPhase

# fmt: off
LAST_SET = on("play", GAME_OVER, conditions=one_is_left, before=(lay_set, take_next_place, last_place_is_left),
              rule="When one player is left with cards, that one is last, and the round is over.")
PAGE = page({
    INITIAL: forced(
        on("begin", LEADING, unless=round_came_before, rule="Player 1 leads in the first round."),
        on("begin", GIVING, conditions=round_came_before, before=recall_places,
           rule="Before later rounds cards are given, first those of the last player.")),
    GIVING: turn(lay(
        may_give,
        on("give", GIVING, before=give_card, rule="A card is given."),
        on("give", LEADING, conditions=all_is_given, before=(give_card, last_leads),
           rule="All cards are given: the last of the round before leads."),
        face_down=True)),
    LEADING: turn(lay(
        may_lay,
        on("play", FOLLOWING, before=(lay_set, take_next_place, next_in_climb), rule="A set is led."), LAST_SET,
        forms=forms)),
    FOLLOWING: turn(
        lay(may_lay,
            on("play", FOLLOWING, before=(lay_set, take_next_place, next_in_climb), rule="A higher set is laid."),
            LAST_SET, forms=forms),
        on("pass_turn", FOLLOWING, before=next_in_climb, rule="A player may pass, and may lay later."),
        on("pass_turn", LEADING, conditions=turn_comes_back, before=lead_anew,
           rule="The turn comes back to the player who laid last: this player leads, or the next with cards.")),
})

HOUSE = Policy("house", {
    GIVING: (best("give", "lowest", to_give, "the lowest card", lowest=True, always=True),),
    LEADING: (best("play", "lowest", to_lay, "the lowest rank", lowest=True, always=True, form=highest_of(forms)),),
    FOLLOWING: (best("play", "lowest", to_lay, "the lowest set that is higher", lowest=True, form=lowest_of(forms)),
                Choice("pass_turn", description="no set is high enough")),
}, description="Lays its lowest ranks first, and lays whenever it can.")

PRESIDENT = Declaration(
    title="President", page=PAGE, table=Table, deck=DECK, players=(3, 4, 5), sets=SETS,
    facts=(*CLIMBING_FACTS, Fact("former", kind="counts"), Fact("given")),
    score=place_of, returns=returns_by_place, zero_sum=True, scoring=Scoring(better_places, 11, lowest_wins=False),
    policies=(HOUSE, RANDOM, FIRST_LEGAL),
    look=Look(
        summary="Sets of one rank climb; the order in which the players get rid of their cards is the outcome.",
        discard_pile="laid", scores="Places", hand="strength", events={"give": "gives", "pass_turn": "passes"},
        usual=("A set is led.", "A higher set is laid."), asks={"pass_turn": "pass"},
        number_facts={"size": ("1 card to beat", "{} cards to beat"), "places": ("place 1", "place {}"),
                      "former": ("was place 1", "was place {}"), "given": ("1 card is given", "{} cards are given")},
        guide=Guide(
            aim="Get rid of your cards before the others: the first is the president.",
            deal=("From the second round on, the last player gives the president the two highest cards, and gets any "
                  "two. With four or more players the second and the second to last exchange one card.",),
            turn=("The player who leads lays one to four cards of one rank.",
                  "Lay as many cards of a higher rank, or pass. You may lay again later.",
                  "When the turn comes back to the player who has laid last, this player leads again."),
            cards={"2C": ("A two is the highest card.",), "3C": ("A three is the lowest card.",)},
            counting=("A round counts a point for each player who is out after you.",)),
    ),
    invariants=(
        *climbing_invariants(INITIAL, LEADING, FOLLOWING, GAME_OVER, (GIVING,)),
        Invariant("the next to give is in turn, by the places of the round before", exchange_goes_on, (GIVING,)),
        Invariant("cards are given of the hands that were dealt", hands_were_dealt, (GIVING,)),
        Invariant("only while cards are given the round before is remembered", nobody_gives,
                  (INITIAL, LEADING, FOLLOWING, GAME_OVER)),
    ),
    postconditions=(
        Postcondition("the set has left the hand", set_leaves_hand, ("play",)),
        Postcondition("the next player who holds cards is in turn", next_holds_cards, ("play", "pass_turn"),
                      (FOLLOWING,)),
    ),
    small_decks=(SmallDeck("3C 3D 4C 4D 5C", 3, 1), SmallDeck("3C 3D 4C 4D 5C 6C", 3, 2, large=True)),
)
# fmt: on


class President(Game, declaration=PRESIDENT):
    """A round of President, stepped event by event. A set is the names of its cards: `7C,7H`.

    >>> sorted(President.deal(players=4, seed=7).run().scores)
    [1, 2, 3, 4]
    """
