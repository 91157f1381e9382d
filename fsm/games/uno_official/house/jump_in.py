"""A player who holds the same card may lay it out of turn."""

from __future__ import annotations

from fsm.declaration.arcs import Arc, Choice, Invariant, Offer, Postcondition, SmallDeck
from fsm.declaration.facts import Look
from fsm.declaration.page import Asking
from fsm.games.uno_official.arcs import CHALLENGE_PENDING, DRAWING, EFFECT_PENDING, UNO_CALL, UNO_PENDING
from fsm.games.uno_official.house.where import decide
from fsm.variants import edits
from fsm.variants.edits import Arcs, Check
from fsm.variants.made import added_phase
from rules.asking import take_turn, turn_resumes
from rules.invariants import all_hold_cards
from rules.rule import Reason, among, choice, guard, query
from rules.uno.cards import ALL_CARDS, FIRST_WILD
from rules.uno.invariants import cards_held, following_seat, nothing_moves
from rules.uno_official import asked, game, invariants, postconditions
from rules.uno_official.game import UnoOfficialTable, drawing_is_over, leaves_one_card


@query
def same_card(table: UnoOfficialTable) -> int:
    """The card of the seat that acts that has the colour and the symbol of the open card, as a mask."""
    return table.hands[table.player] & 1 << table.open_card


@query
def other_cards(table: UnoOfficialTable) -> int:
    """The cards that differ from the open card in colour or symbol."""
    return ALL_CARDS ^ 1 << table.open_card


is_same_card = among(
    same_card, "is_same_card",
    Reason("only a card of the colour and the symbol of {open_card} jumps in", other_cards),
    "The card has the colour and the symbol of the open one.")  # fmt: skip


@guard("a card of the same colour and symbol is not held")
def can_jump_in(table: UnoOfficialTable) -> bool:
    """A card of the colour and the symbol of the open card is held."""
    return same_card(table) != 0


@choice
def the_same_card(table: UnoOfficialTable) -> int:
    """The card that jumps in."""
    return table.open_card


@guard("{card} is a wild")
def coloured(table: UnoOfficialTable) -> bool:
    """The card has a colour, so that somebody may jump in on it."""
    return table.card < FIRST_WILD


@guard("{card} is a wild, or the last card")
def coloured_not_last(table: UnoOfficialTable) -> bool:
    """The card has a colour, and another one is held: somebody may jump in."""
    hand = table.hands[table.player]
    return table.card < FIRST_WILD and hand.bit_count() + table.twins[table.player].bit_count() > 1


@query
def coloured_card_is_open(table: UnoOfficialTable) -> bool:
    """The open card has a colour, and the player in turn has laid it."""
    return table.open_card < FIRST_WILD and table.laid_by == table.turn


@query
def who_lays_is_in_turn(before: UnoOfficialTable, after: UnoOfficialTable) -> bool:
    """It is the turn of who has laid the card."""
    return after.turn == before.player == after.laid_by


@query
def jumped_in(before: UnoOfficialTable, after: UnoOfficialTable) -> bool:
    """Another than the player in turn lays the very card that is open."""
    return before.player != before.turn and before.card == before.open_card


@query
def next_is_asked(before: UnoOfficialTable, after: UnoOfficialTable) -> bool:
    """The seat after the player in turn is asked first."""
    return after.player == following_seat(after, after.turn)


@query
def had_no_such_card(before: UnoOfficialTable, after: UnoOfficialTable) -> bool:
    """Who is passed over has no such card, or it is the only one."""
    held = before.hands[before.player] >> before.open_card & 1 == 1
    return (not held or cards_held(before, before.player) == 1) and after.turn == before.turn


JUMP_PENDING = added_phase("jump-pending")
JUMPING = Asking(
    phase=JUMP_PENDING, nobody=EFFECT_PENDING, before=(turn_resumes,), able=can_jump_in, decline="let_pass",
    another=asked.another_to_ask, ask=asked.ask_next, description="Nobody jumps in: the card takes effect.",
)  # fmt: skip
JUMP_IN_ASKED = "The others are asked whether they jump in with the same card."
FIRST_ASKED = (asked.ask_next,)
JUMP = Choice("play", "jump-in", (can_jump_in,), the_same_card, description="the same card is held")
PASS = Choice("let_pass", "jump-in", description="the card is left alone")

RULE = edits.Variant(
    "jump-in",
    "A player who holds the same card may lay it out of turn.",
    (
        edits.AddPhase(JUMP_PENDING, JUMPING.control(Offer("play", same_card))),
        edits.AddArcs((
            Arc("play", JUMP_PENDING, UNO_CALL, conditions=(is_same_card, leaves_one_card),
                before=(take_turn, game.lay_card),
                description="Somebody jumps in; a player who has one card left calls or stays silent first."),
            Arc("play", JUMP_PENDING, EFFECT_PENDING, conditions=(is_same_card,), unless=(leaves_one_card,),
                before=(take_turn, game.lay_card),
                description="Somebody jumps in: the others are asked again, unless it is the last card."),
            *JUMPING.arcs(),
        )),
        edits.SplitArcs(Arcs("play", dest=EFFECT_PENDING, but=Arcs(source=CHALLENGE_PENDING)), coloured_not_last,
                        JUMP_IN_ASKED, dest=JUMP_PENDING, put_after=((game.lay_card, FIRST_ASKED),)),
        *(edits.SplitArcs(Arcs(event, source, EFFECT_PENDING), coloured, JUMP_IN_ASKED, dest=JUMP_PENDING,
                          put_after=((effect, FIRST_ASKED),))
          for event, source, effect in (
              ("call", UNO_CALL, asked.count_call),
              ("let_pass", UNO_PENDING, turn_resumes),
              ("resume", DRAWING, drawing_is_over))),
        edits.Show(Look(silent=("pass_over",), usual=(JUMP_IN_ASKED,))),
        *decide(JUMP_PENDING, JUMP, PASS, hoarder=(Choice("let_pass", "hoard", description="it never jumps in"),)),
        edits.Waive("the same player goes on", ("play", "call")),
        Check(Invariant("the others are asked whether they jump in on the player in turn", invariants.another_is_asked,
                        (JUMP_PENDING,))),
        Check(Invariant("nobody jumps in on a wild", coloured_card_is_open, (JUMP_PENDING,))),
        Check(Invariant("nobody jumps in on a last card", all_hold_cards, (JUMP_PENDING,))),
        Check(Invariant("nobody draws while others are asked", invariants.nothing_drawn, (JUMP_PENDING,))),
        Check(Postcondition("a player who lays a card is in turn", who_lays_is_in_turn, ("play",))),
        Check(Postcondition("a player who jumps in lays the same card out of turn", jumped_in, ("play",),
                            sources=(JUMP_PENDING,))),
        Check(Postcondition("first the next player is asked", next_is_asked, ("play", "call", "resume"),
                            (JUMP_PENDING,))),
        Check(Postcondition("a player who has no such card is passed over", had_no_such_card, ("pass_over",))),
        Check(Postcondition("nothing moves where nobody jumps in", nothing_moves, ("pass_over",))),
        Check(Postcondition("a player who is passed over or lets it pass changes no effect",
                            postconditions.effect_goes_on,
                            ("pass_over",))),
        edits.AddDeck(SmallDeck("R1 R1 Y1 Y2 R2", 3, 1)),
        edits.AddDeck(SmallDeck("R1 R1 R2 R2 Y1 WC", 2, 2)),
    ),
)  # fmt: skip
