"""What determines how a game is played, alone or in a match, as a hash: where it is equal, so are the games of a deck.

Modules, names of variables, annotations and descriptions do not count, nor does how the game is shown or checked.
"""

from __future__ import annotations

from collections.abc import Iterator
from hashlib import sha256

from fsm.declaration.declaration import Declaration
from fsm.declaration.functions import OF_EVERY_GAME
from fsm.declaration.table_fields import default_values
from fsm.fingerprint import fingerprint_of_source
from fsm.match.chart import MATCH
from fsm.match.setup import points_of


def play_hash(game: Declaration) -> str:
    """The hash of a game: of its arcs, policies, rule functions, table and deck. It is equal on every machine."""
    return sha256(fingerprint_of_source(*_played(game)).encode()).hexdigest()[:16]


def _played(game: Declaration) -> Iterator[object]:
    codec, scoring = game.codec, game.scoring
    yield game.deck_size, codec.fewest, codec.most, codec.cards_each, tuple(codec.notation.cards)
    yield game.fill, game.amend, game.deal, game.score, OF_EVERY_GAME
    yield points_of(game), scoring.lowest_wins, scoring.unwon_scores
    yield str(game.initial), str(game.final), game.return_ends
    yield dict(default_values(game.table)), [fact.field for fact in game.position_facts], game.position_lists
    for arc in (*game.arcs, *MATCH.arcs):
        yield str(arc), arc.when, arc.unless, arc.then
    for counter in game.counters:
        yield str(counter.arc), counter.when, counter.unless, counter.length
    for phase, control in game.control.items():
        yield str(phase), control.forced, control.starts_turn, control.declines
        for offer in control.offers:
            values = offer.kind and str(offer.kind), offer.values
            yield offer.trigger, offer.cards, values, offer.from_hand, offer.always
    for policy in game.policies:
        yield policy.name
    for policy, phase, choice in game.choices():
        picks = [(str(kind), pick) for kind, pick in choice.picks.items()]
        yield policy.name, str(phase), choice.trigger, choice.rule, choice.when, choice.card, picks
