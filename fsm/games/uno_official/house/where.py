"""What several house rules of official UNO share: decisions by what may be laid, and the decisions of all policies."""

from __future__ import annotations

from fsm.declaration.arcs import Choice, Phase
from fsm.games.uno_official.players import FOLLOWERS, HOARDER, HOUSE
from fsm.variants.edits import Decide, Means
from rules.rule import guard, query
from rules.uno.cards import COLOUR_CARDS, WILD_DRAW_FOURS, WILDS
from rules.uno_official import decision
from rules.uno_official.decision import drawn_card_is_honest
from rules.uno_official.game import UnoOfficialTable, playable
from rules.uno_official.postconditions import drawn_card_could_be_laid


@guard("no wild may be laid")
def may_lay_wild(table: UnoOfficialTable) -> bool:
    """A wild may be laid."""
    return playable(table) & WILDS != 0


@guard("no wild draw four may be laid")
def may_lay_draw_four(table: UnoOfficialTable) -> bool:
    """A wild draw four may be laid."""
    return playable(table) & WILD_DRAW_FOURS != 0


@guard("the drawn card is not a bluff")
def drawn_card_is_bluff(table: UnoOfficialTable) -> bool:
    """The drawn card is a wild draw four, and a card of the current colour is held."""
    return not drawn_card_is_honest(table)


BY_WHAT_MAY_BE_LAID = (
    Means(decision.holds_wild, may_lay_wild),
    Means(decision.holds_wild_draw_four, may_lay_draw_four),
)
"""The decisions for rules under which a wild may not always be laid."""

PLAY_DRAWN = Choice("play", "drawn card", card=decision.the_drawn_card, description="the drawn card must be laid")
KEEP_BLUFF = Choice("keep", "drawn card", conditions=(drawn_card_is_bluff,), description="it would be a bluff")


def decide(phase: Phase | str, *choices: Choice, hoarder: tuple[Choice, ...] = ()) -> tuple[Decide, ...]:
    """The decisions in a phase of the house and of those who follow it there.

    hoarder: those of the hoarder, where they are others.
    """
    decisions = tuple(Decide(phase, choices, policy.name) for policy in (HOUSE, *FOLLOWERS))
    return (*decisions, Decide(phase, hoarder or choices, HOARDER.name))


@query
def could_be_laid_without_bluff(table: UnoOfficialTable) -> bool:
    """A card was drawn that fits, or is a wild, but no wild draw four while a card of the current colour is held."""
    bluff = table.hands[table.player] & COLOUR_CARDS[table.colour] != 0
    return drawn_card_could_be_laid(table) and (WILD_DRAW_FOURS >> table.drawn & 1 == 0 or not bluff)
