"""Answering what skips: an eight with an eight, an ace that skips with an ace."""

from __future__ import annotations

from rules.cards import RANK_CARDS, highest
from rules.maumau.table import MauMauTable
from rules.rule import choice, guard, query


@query
def skip_answers(table: MauMauTable) -> int:
    """The cards of the player in turn that answer the open card: those of its rank."""
    return table.hands[table.player] & RANK_CARDS << (table.open_card & ~3)


@guard("only a card of the rank of {open_card} passes the skip on")
def answers_skip(table: MauMauTable) -> bool:
    """The card that is played answers the open one."""
    return (skip_answers(table) >> table.card & 1) == 1


@guard("no card to answer with")
def holds_skip_answer(table: MauMauTable) -> bool:
    """Rule 1 applies: the player can answer."""
    return skip_answers(table) != 0


@choice
def best_skip_answer(table: MauMauTable) -> int:
    """Rule 1: answer, by rule 6 with the strongest suit."""
    return highest(skip_answers(table))
