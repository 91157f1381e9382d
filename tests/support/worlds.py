"""Worlds that look the same to a player: hidden cards dealt anew, at the table as it stands or from the start."""

from __future__ import annotations

from dataclasses import replace
from functools import cache
from random import Random
from typing import Any

import numpy as np

from fsm import Game, IllegalMove
from fsm.declaration.declaration import Declaration
from fsm.declaration.facts import Fact
from fsm.stepping.steps import Move, Step
from fsm.stepping.view import View, seen_step
from fsm.table.layout import layout_of
from maumau import Observed
from maumau.agents.actions import UnsupportedGame, deck_counts, hand_fields, is_unique
from maumau.agents.compiled.batches import SEEN
from maumau.agents.compiled.worlds import hide
from maumau.agents.layout import notes_of
from maumau.agents.plan import AgentPlan
from maumau.agents.search.source import check_game, source_of
from maumau.kernels.compiler.interpreted import interpreted
from rules.visibility import SeenBy, visibility


def redeal(observed: Observed, seat: int, random: Random) -> None:
    """Deal all cards anew that a seat (from 0) neither sees nor knows, among the places where they lie."""
    game, table = observed.game.declaration, observed.game.table
    known = _known(observed, seat)
    mask = len(table.ring) - 1
    places = [place & mask for place in range(table.head, table.head + table.stock)]
    places = [place for place in places if table.ring[place] not in known | turned_up(game, table)]
    hands = {
        other: [code for code in game.codec.held(table, other) if code not in known]
        for other in range(table.players)
        if not is_seen(game, "hands", seat, other)
    }
    piles = hidden_piles(game, seat)
    piled = [layout_of(game).codes_in(fact, table, place) for fact, place in piles]
    cards = [table.ring[place] for place in places] + [code for part in hands.values() for code in part]
    cards += [code for pile in piled for code in pile if code not in known]
    random.shuffle(cards)
    for (fact, place), pile in zip(piles, piled, strict=True):
        layout_of(game).lay_pile(fact, table, place, [code if code in known else cards.pop() for code in pile])
    for place in places:
        table.ring[place] = cards.pop()
    for other, hand in hands.items():
        kept = [code for code in game.codec.held(table, other) if code in known]
        for field in hand_fields(game):
            getattr(table, field)[other] = 0
        for code in kept + [cards.pop() for _ in hand]:
            game.codec.receive(table, other, code)


def hidden_piles(game: Declaration, seat: int) -> list[tuple[Fact, int]]:
    """The places of piles that a seat does not see: each the fact and the place in its field."""
    places = [(fact, place) for fact in game.piles for place in fact.piles(game.codec.most)]
    return [(fact, place) for fact, place in places if not is_seen(game, fact.field, seat, place)]


def is_seen(game: Declaration, field: str, looker: int, owner: int) -> bool:
    """Whether a seat, or -1, sees the part of a field that belongs to another one: by the marks, not by `fsm.table`."""
    seen = visibility(game.table)[field]
    partners = looker >= 0 and game.scoring.sides > 0 and looker % game.scoring.sides == owner % game.scoring.sides
    return {
        SeenBy.ALL: True,
        SeenBy.TURNED_UP: True,
        SeenBy.OWNER: looker == owner,
        SeenBy.PARTNERS: looker == owner or partners,
    }.get(seen, False)


def turned_up(game: Declaration, table: Any) -> set[int]:
    """The codes of the cards that all see in whichever pile they lie."""
    return {getattr(table, name) for name, seen in visibility(game.table).items() if seen is SeenBy.TURNED_UP}


def _known(observed: Observed, seat: int) -> set[int]:
    """The codes of the cards that a seat knows, where cards are followed."""
    places = notes_of(observed.game.declaration)
    if not is_unique(observed.game.declaration):
        return set()
    mask = observed._notes[SEEN] | observed._notes[places.left + seat]
    return {code for code in deck_counts(observed.game.declaration) if mask >> code & 1}


@cache
def _hide(game: Declaration) -> Any:
    """The function that takes the hidden cards away before a search, run by Python; None where search is refused."""
    try:
        check_game(game)
    except UnsupportedGame:
        return None
    source = source_of(AgentPlan(game, game.policies[:1], players=game.codec.fewest, searches=True)).source
    names = source.in_python({"np": np})
    return interpreted(hide, names)


def given(observed: Observed, seat: int) -> Any:
    """What a search is given of a table: all but the hidden cards, who lacks how many, and which cards these are."""
    game, hidden = observed.game.declaration, _hide(observed.game.declaration)
    if hidden is None:
        return None
    layout = observed.game.layout
    table = layout.copy(observed.game.table)
    seats, size = len(table.hands), len(table.ring)
    counts, missing, unknown, pool = [0] * 64, [0] * seats * (1 + len(game.piles)), [0] * size, [0] * game.deck_size
    found = hidden(table, seat, observed._notes, counts, missing, unknown, pool)
    return layout.take(table), missing, unknown, pool[:found]


def other_world(game: Game, player: int, random: Random) -> Game | None:
    """A game with two cards of the deck exchanged in which `player` has seen exactly the same; None if there is none."""
    deck = game.dealt_deck()
    one, other = random.sample(range(len(deck)), 2)
    deck[one], deck[other] = deck[other], deck[one]
    try:
        again = type(game).of_deck(game.players, deck, game.seated(game.players, "house"))
    except ValueError:
        return None
    again.table.seed, again.table.number = game.table.seed, game.table.number
    return again if deck[one] != deck[other] and _same(game, again, player) else None


def _same(game: Game, again: Game, player: int) -> bool:
    """Whether the events that a player has seen lead another game to what looks the same to it."""
    shown = game.restarted()
    if _view(shown, player) != _view(again, player):
        return False
    for step in game.history:
        shown.fire_again(step)
        seen = seen_step(game.declaration, step, player - 1)
        if seen is not None and not _repeated(again, step, seen, player - 1):
            return False
        if shown.hands[player - 1] != again.hands[player - 1]:  # hands may have moved
            return False
    return _view(game, player) == _view(again, player)


def _view(game: Game, player: int) -> View:
    """What a player sees, without the rules by which its policy chose: here the moves are repeated."""
    view = game.view(player)
    return replace(view, history=tuple(step._replace(rule=None) for step in view.history))


def _repeated(again: Game, step: Step, seen: Step, seat: int) -> bool:
    """Whether a seat sees the same event next in another game, if players choose what it has seen them choose."""
    while again.outcome is None:
        move = None if _is_forced(again) else _alike(again, step, seen)
        if move is None and not _is_forced(again):
            return False
        try:
            fired = again.step() if move is None else again.fire(move)
        except IllegalMove:
            return False
        found = seen_step(again.declaration, fired, seat)
        if found is not None:
            return (found.trigger, found.source, found.dest) == (seen.trigger, seen.source, seen.dest)
    return False


def _is_forced(game: Game) -> bool:
    """Whether an event is forced."""
    leaving = game.declaration.leaving
    return any(arc.enabled(game.table) for trigger in game.forced_events for arc in leaving(game.phase, trigger))


def _alike(again: Game, step: Step, seen: Step) -> Move | None:
    """The move of another game that looks like an event: the same one, or one in disguise; None if there is none."""
    for offer in again.declaration.control[again.phase].offers:
        if offer.trigger == step.trigger:
            return Move.of(again.declaration, step.trigger, step.card, step.named)
        if offer.seen_as == seen.trigger:
            return Move(offer.trigger)
    return None
