"""What a declaration calls: its rule functions, and the names of its decision rules."""

from __future__ import annotations

from fsm.declaration.declaration import Declaration
from rules.chance import below, draw_words, shuffle_by_words
from rules.piles import cards_laid, cards_taken
from rules.rule import RuleFunction
from rules.table import card_taken

OF_EVERY_GAME: tuple[RuleFunction, ...] = (
    below,
    draw_words,
    shuffle_by_words,
    cards_laid,
    cards_taken,
    card_taken,
)
"""What a program of any game may call."""
FORCED = -1
"""In a log: no decision rule, the event was forced."""


def rule_names(game: Declaration) -> tuple[str, ...]:
    """The names of all decision rules of a game; a policy without choices goes by its own name."""
    names = [choice.rule for _, _, choice in game.choices()]
    names += [policy.name for policy in game.policies if not policy.choices]
    return tuple(dict.fromkeys(names))


def functions(game: Declaration) -> tuple[RuleFunction, ...]:
    """All rule functions that a program of `game` may call."""
    found: list[RuleFunction] = []
    for arc in game.arcs:
        found += [*arc.conditions, *arc.unless, *arc.before]
    found += [guard for counter in game.counters for guard in (*counter.conditions, *counter.unless)]
    for control in game.control.values():
        found += [function for offer in control.offers for function in (offer.cards, offer.values) if function]
    for _, _, choice in game.choices():
        found += [*choice.conditions, *(function for function in (choice.card, choice.value) if function)]
    found += [function for function in (game.amend, game.deal_each, game.returns) if function]
    found += [condition.holds for condition in game.all_invariants + game.postconditions]
    found += [game.fill, game.deal, game.score, *OF_EVERY_GAME]
    return tuple(dict.fromkeys(found))
