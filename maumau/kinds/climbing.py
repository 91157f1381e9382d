"""My Game: lay cards of one rank, the others as many of a higher rank. The first who is out wins."""

from __future__ import annotations

from dataclasses import dataclass

# fmt: off
from maumau import (  # isort: skip
    CLIMBING_FACTS, Declaration, Game, Look, Phase, Postcondition, Scoring, SmallDeck, among, climbing_invariants,
    forced, lay, on, page, turn,
)
from rules.climbing import (  # isort: skip
    ClimbingTable, climbs, laying, lead_anew, leaves_one, next_holds_cards, next_in_climb, turn_comes_back,
)
# fmt: on
from rules.cards import french_deck
from rules.places import (
    better_places,
    forget_places,
    last_place_is_left,
    place_of,
    returns_by_place,
    take_next_place,
)
from rules.sets import CardSets, cards_named, forms_at, lowest_cards, of_a_rank
from rules.table import each_seat
from rules.tricks import held
from rules.visibility import seen_by_owner

# CHANGE: the ranks, the lowest first, and how many cards of one rank are a set.
DECK = french_deck("3456789TJQKA2")
SETS = CardSets(of_a_rank(DECK, (1, 2, 3, 4)))
named = cards_named(SETS)


@dataclass(slots=True)
class MyClimbingTable(ClimbingTable):
    """The cards and facts of one game."""

    hands: list[int] = seen_by_owner(factory=each_seat(6))  # CHANGE: the most players


# CHANGE: which sets may be laid. `climbs` lets any set be led, and as many cards of a higher rank follow.
to_lay, forms = lowest_cards(SETS, held, climbs), forms_at(SETS, held, climbs)
may_lay = among(to_lay, "may_lay", "{card} is not a set of as many cards of a higher rank", "The set may be laid.")
lay_set, one_is_left = laying(named), leaves_one(named)


class MyClimbingPhase(Phase):
    """The phases of the game."""

    INITIAL = "initial"
    LEADING = "leading"
    FOLLOWING = "following"
    GAME_OVER = "game-over"


INITIAL, LEADING, FOLLOWING, GAME_OVER = MyClimbingPhase

# CHANGE: what happens in each phase: events, guards (conditions, unless), effects (before), and the rule in a sentence.
LAST_SET = on(
    "play",
    GAME_OVER,
    conditions=one_is_left,
    before=(lay_set, take_next_place, last_place_is_left),
    rule="The player who is left with cards is last, and the game is over.",
)
PAGE = page({
    INITIAL: forced(on("begin", LEADING, before=forget_places, rule="Player 1 leads first.")),
    LEADING: turn(
        lay(
            may_lay,
            on("play", FOLLOWING, before=(lay_set, take_next_place, next_in_climb), rule="A set is led."),
            LAST_SET,
            forms=forms,
        )
    ),
    FOLLOWING: turn(
        lay(
            may_lay,
            on("play", FOLLOWING, before=(lay_set, take_next_place, next_in_climb), rule="A higher set is laid."),
            LAST_SET,
            forms=forms,
        ),
        on("pass_turn", FOLLOWING, before=next_in_climb, rule="A player may pass, and may lay later."),
        on("pass_turn", LEADING, conditions=turn_comes_back, before=lead_anew, rule="The player who laid last leads."),
    ),
})  # fmt: skip

MY_GAME = Declaration(
    title="My Game",
    page=PAGE,
    table=MyClimbingTable,
    # CHANGE: the numbers of players; without cards_each the whole deck is dealt.
    deck=DECK,
    players=(3, 4, 5, 6),
    sets=SETS,
    facts=CLIMBING_FACTS,
    score=place_of,
    returns=returns_by_place,
    zero_sum=True,
    scoring=Scoring(better_places, 11, lowest_wins=False),
    look=Look(events={"pass_turn": "passes"}, asks={"pass_turn": "pass"}, scores="Places"),
    # CHANGE: what must hold in which phases, and what each event must have done.
    invariants=climbing_invariants(INITIAL, LEADING, FOLLOWING, GAME_OVER),
    postconditions=(
        Postcondition("the next player who holds cards acts", next_holds_cards, ("play", "pass_turn"), (FOLLOWING,)),
    ),
    small_decks=(SmallDeck("3D 3H 4D 4H 5D", 3, 1),),
)


class MyClimbing(Game, declaration=MY_GAME):
    """A game of My Game. A set is the names of its cards: `7D,7H`."""
