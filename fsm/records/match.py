"""A played match as a record: plain data that tells every event of every round, and the way back, which checks it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from fsm.edge.fields import Types
from fsm.match.played import PlayedMatch
from fsm.match.stepped import Match
from fsm.match.steps import MatchOutcome, Round
from fsm.records.game import (
    Record,
    RecordError,
    checked_fields,
    compare,
    game_of_record,
    head_of,
    or_record_error,
    policies_of,
    record_of,
    replay,
)
from fsm.stepping.game import Game
from fsm.stepping.transcript import HAND, Transcript
from rules.notation import shown
from rules.reading import card_codes

if TYPE_CHECKING:
    from fsm.variants.edits import Variant

FORMAT, VERSION = "maumau-match", 1

_TYPES: Types = {
    "game": (str, "the name of a game"),
    "players": (int, "a number"),
    "target": (int, "a number"),
    "decks": (list, "a list of decks"),
    "rounds": (list, "a list of rounds"),
}
_OPTIONAL: Types = {
    "policies": (list, "a list of names"),
    "seed": (int, "a number"),
    "number": (int, "a number"),
    "rules": (dict, "an object with the content hash of each house rule"),
}


def record_of_match(played: PlayedMatch) -> Record:
    """The record of a played match. Each round has the record of its game, its points, and the totals after it."""
    names = played.kind.declaration.codec.notation.names
    return {
        **head_of(FORMAT, VERSION, played.kind, played.players),
        "policies": list(played.policies),
        "seed": played.seed,
        "number": played.number,
        "target": played.target,
        "decks": [names(deck) for deck in played.decks],
        "rounds": [_round(each) for each in played.rounds],
        **_end(played.outcome),
    }


def _round(each: Round[Transcript]) -> Record:
    points, totals = list(each.points), list(each.totals)
    return {"dealer": each.dealer, "game": record_of(each.game), "points": points, "totals": totals}


def _end(outcome: MatchOutcome) -> Record:
    return {"outcome": str(outcome.ending), "winner": outcome.winner, "totals": list(outcome.totals)}


def replay_match(record: object, expected: Sequence[Variant] | None = None) -> Match:
    """Play the record of a match again. Raises RecordError where it is broken or contradicts the rules.

    expected: the house rules that it must have; any, if nothing is said.
    """
    fields = checked_fields(record, "match", FORMAT, VERSION, _TYPES, _OPTIONAL)
    kind = game_of_record(fields, expected)
    notation, whole = kind.declaration.codec.notation, kind.full_deck()
    decks = [_deck(deck, notation, whole, index) for index, deck in enumerate(fields["decks"], 1)]
    rules: Any = policies_of(kind, fields), fields.get("seed", 0), fields.get("number", 0), fields["target"]
    match: Match = or_record_error(Match.of_decks, kind, fields["players"], decks, *rules)
    for index, each in enumerate(fields["rounds"], 1):
        try:
            _replay_round(match, each, expected)
        except RecordError as error:
            raise RecordError(f"round {index}: {error}") from None
    if match.outcome is None:
        raise RecordError(f"after {len(match.rounds)} rounds the match goes on, totals {list(match.totals)}")
    compare(fields, _end(match.outcome))
    return match


def _deck(deck: object, notation: Any, whole: bytearray, index: int) -> bytes:
    try:
        if not isinstance(deck, list):
            raise ValueError(f"{shown(deck)}, expected a list of cards")
        return card_codes(deck, notation, whole)
    except (ValueError, TypeError) as error:
        raise RecordError(f"deck {index}: {error}") from None


def _replay_round(match: Match, each: object, expected: Sequence[Variant] | None) -> None:
    """Play the round of a record, which must be the next one of the match."""
    if match.outcome:
        raise RecordError(f"the match is over: {match.outcome}")
    if not isinstance(each, dict) or "game" not in each:
        raise RecordError(f'{shown(each)}, expected an object with "game"')
    if match.game is None:
        match.step()
    assert match.game is not None
    game = replay(each["game"], expected)
    found, recorded = (_start(each) for each in (game.restarted(), match.game))
    compare(found, recorded)
    _check_players(game, match.game)
    match.game = game
    played = match.play_round()
    totals, points = list(played.totals), list(played.points)
    compare(each, {"dealer": played.dealer, "points": points, "totals": totals})


def _start(game: Game) -> Record:
    """What a round starts from, as plain data."""
    where = {"seed": game.table.seed, "number": game.table.number}
    return {"game": game.declaration.name, **where, "position": str(game.position())}


def _check_players(game: Game, expected: Game) -> None:
    """Raise RecordError unless the players of a round are those of the match; any of them may be played by hand."""
    for seat, (policy, other) in enumerate(zip(game.policies, expected.policies, strict=True), 1):
        if policy.name != other.name and HAND not in (policy.name, other.name):
            raise RecordError(f"policies: player {seat} is {shown(policy.name)}, in the match {shown(other.name)}")
