"""A played game, or a match, as a record: plain data with every event; a record is replayed against the rules."""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence
from functools import partial
from types import NoneType
from typing import Any, NamedTuple, TypeVar, overload

from fsm.declaration.arcs import Policy
from fsm.declaration.declaration import Declaration
from fsm.declaration.facts import ValueKind
from fsm.declaration.policy import RecordedPolicy
from fsm.edge.numbers import Types, check_fields, of_type
from fsm.match.contest import Contest
from fsm.match.played import HAND, PlayedGame, deal_again, recorded_policies
from fsm.match.stepped import Match, MatchOutcome, Round
from fsm.match.transcript import Transcript
from fsm.registry import game_class
from fsm.stepping.game import Game
from fsm.stepping.outcomes import Outcome
from fsm.stepping.steps import KINDS, Move, Step
from fsm.variants.edits import Variant
from fsm.variants.rulebook import UnknownRule
from rules.errors import raised_as
from rules.notation import many, shown

GAME, MATCH, VERSION = "maumau-game", "maumau-match", 1
"""The formats, and the version of both."""
Record = dict[str, Any]
P = TypeVar("P", Game, Match)

DECK = (list, "a list of cards", "card", str, "the name of a card")
EVENT: Types = {
    "event": str,
    "card": str | None,
    "rule": str | None,
    "suit": str | None,
    "seat": int | None,
    "rank": str | None,
    "amount": int | None,
    "answer": bool | None,
    "repeats": bool,
}
OF_BOTH: Types = {
    "game": (str, "the name of a game"),
    "players": int,
    "policies": (list, "a list of names", "policy", str, "the name of a policy"),
    "seed": int,
    "number": int,
    "rules": (list, "a list of house rules", "rule", str, "the name of a house rule"),
    "hash": (str, "the hash of the rules"),
}
EVENTS = (list, "a list of events", "event", dict, 'an object with "event"', EVENT, ("event",))
OF_GAMES: Types = {
    **OF_BOTH,
    "deck": DECK,
    "events": EVENTS,
    "dealer": int,
    "carried": (dict, "an object with what a round takes over"),
    "dealt": bool,
    "outcome": (str, "how the game ended"),
    "scores": (list, "a list of numbers", "score", int),
}
ALWAYS = "game", "players", "deck", "events", "outcome", "scores"
OF_ROUNDS: Types = {"game": (dict, "the record of a game", OF_GAMES, ALWAYS)}
OF_MATCHES: Types = {
    **OF_BOTH,
    "target": int,
    "decks": (list, "a list of decks", "deck", *DECK),
    "rounds": (list, "a list of rounds", "round", dict, 'an object with "game"', OF_ROUNDS, ("game",)),
}
ALWAYS_IN_MATCHES = "game", "players", "target", "decks", "rounds"


class RecordError(ValueError):
    """A record is broken or contradicts the rules; the message names the field or the event."""


def record_of(played: Game | Match | Transcript | PlayedGame) -> Record:
    """Return the record of a played game or match. played: the game or match, which is over, or its transcript.

    The record of a match has, for each round, that of its game, its points and the totals after it. Raises TypeError
    for another value, and ValueError for what is not over, or did not begin with its deal.
    """
    of_type("played", played, (Transcript, PlayedGame, Game, Match), "a game or match that is over")
    if isinstance(played, PlayedGame):
        return _of_game(played)
    series = played if isinstance(played, Transcript) else Transcript.of(played)
    if series.target is None:
        return _of_game(series.rounds[0].game)
    names = series.kind.declaration.codec.notation.names
    return {
        **head_of(MATCH, series.kind, series.players),
        **_who_played(series),
        "target": series.target,
        "decks": [names(deck) for deck in series.decks],
        "rounds": [{"dealer": each.dealer, "game": _of_game(each.game), **_scored(each)} for each in series.rounds],
        **_end(series.outcome),
    }


NO_EVENTS = '"events": []'
"""The events of a record without any: a text of JSON has no such quotes inside."""


class RecordWriter(NamedTuple):
    """A writer of records as lines of JSON. It takes the texts of events, so that equal events need only one text."""

    game: Declaration

    def event(self, step: Step) -> str:
        """Return the text of an event."""
        return json.dumps(event_of(self.game, step))

    def line(self, bare: Transcript, events: Iterable[Iterable[str]]) -> str:
        """Return the record of a game or match. bare: its transcript without events. events: texts, of each round."""
        head, *parts = json.dumps(record_of(bare)).split(NO_EVENTS)
        return head + "".join(
            f"{NO_EVENTS[:-1]}{', '.join(each)}]{part}" for each, part in zip(events, parts, strict=True)
        )


def _of_game(played: PlayedGame) -> Record:
    """Return the record of a game, alone or in a match."""
    game = played.kind.declaration
    return {
        **head_of(GAME, played.kind, played.players),
        "deck": game.codec.notation.names(played.deck),
        **_who_played(played),
        **({"dealer": played.dealer} if game.knows_dealer else {}),
        **({"carried": dict(played.carried)} if played.carried else {}),
        "events": [event_of(game, step) for step in played.steps],
        **_end(played.outcome),
    }


def read_record(line: str) -> object:
    """Return the data of a record. line: its JSON. Raises RecordError, and TypeError if it is not a text."""
    of_type("line", line, str, "a line of JSON")
    try:
        return json.loads(line)
    except json.JSONDecodeError as error:
        fault = f"the line is not valid JSON from column {error.colno} on"
    except RecursionError:
        fault = "nested too deeply"
    except ValueError:
        fault = "a number of too many digits"
    raise RecordError(f"{fault}; give a record")


@overload
def replay(record: object, expected: Sequence[Variant] | None = None) -> Game: ...


@overload
def replay(record: object, expected: Sequence[Variant] | None = None, *, of: type[P]) -> P: ...


def replay(record: object, expected: Sequence[Variant] | None = None, *, of: type[Any] = Game) -> Any:
    """Play a record again, with its house rules. Raises RecordError where it is broken or contradicts the rules.

    record: its data, as `read_record` returns them. expected: the house rules that it must have; any, if None. of:
    `Game`, or `Match` for the record of a match.

    An event with a decision rule must be the one that this rule chooses. An event without one is a player's own choice;
    the player need not be known here. `seed` and `number` are the dice of random players. A record in which `dealt` is
    true also claims that they deal its deck, and is refused if they do not. The integer 1, 1.0 and true are three
    different values.
    """
    if of not in (Game, Match):
        raise TypeError(f"of: {shown(of)} is of type {type(of).__name__}; give Game or Match")
    return _replay_match(record, expected) if of is Match else _replay_game(record, expected)


def replay_transcript(record: object, contest: Contest) -> Transcript:
    """Play a record of a game, or of a match, again. Raises RecordError as `replay` does.

    contest: what it must be of. It must have the house rules of its game, if that has any.
    """
    of: type[Any] = Game if contest.target is None else Match
    return Transcript.of(replay(record, contest.kind.rules or None, of=of))


def _replay_game(record: object, expected: Sequence[Variant] | None) -> Game:
    fields = checked_fields(record, "game", GAME, OF_GAMES, ALWAYS, expected)
    with told():
        kind = game_of(fields, expected)
        deck = kind.deck_format().codes(fields["players"], fields["deck"])
        seed, number, dealer = fields.get("seed", 0), fields.get("number", 0), fields.get("dealer")
        policies, carried = _policies_of(kind, fields), fields.get("carried", {})
        game = deal_again(kind, fields["players"], deck, policies, seed, number, dealer, carried)
    if fields.get("dealt"):
        _check_deal(kind, fields)
    replay_events(game, fields["events"])
    if game.outcome is None:
        events = many(len(game.history), "event")
        raise RecordError(f"after {events} the game goes on: {game.who_acts}; record it to its end")
    compare(fields, _end(game.outcome))
    return game


def _replay_match(record: object, expected: Sequence[Variant] | None) -> Match:
    fields = checked_fields(record, "match", MATCH, OF_MATCHES, ALWAYS_IN_MATCHES, expected)
    with told():
        kind = game_of(fields, expected)
        decks = []
        for index, deck in enumerate(fields["decks"], 1):
            with told(f"deck {index}: "):
                decks.append(kind.deck_format().codes(fields["players"], deck))
        seed, number, target = fields.get("seed", 0), fields.get("number", 0), fields["target"]
        match = Match.of_decks(kind, fields["players"], decks, _policies_of(kind, fields), seed, number, target)
    for index, each in enumerate(fields["rounds"], 1):
        with told(f"round {index}: "):
            _replay_round(match, each, expected)
    if match.outcome is None:
        rounds = many(len(match.rounds), "round")
        raise RecordError(f"after {rounds} the match goes on with totals {list(match.totals)}; record it to its end")
    compare(fields, _end(match.outcome))
    return match


# ---------------------------------------------------------------- parts of records


def head_of(format: str, kind: type[Game], players: int) -> Record:
    """The fields with which a record begins: the game, its house rules if it has any, and how it is played."""
    rules = {"rules": [rule.name for rule in kind.rules]} if kind.rules else {}
    name, played = (kind.plain or kind).declaration.name, {"hash": kind.rules_hash()}
    return {"format": format, "version": VERSION, "game": name, **rules, **played, "players": players}


def _who_played(played: PlayedGame | Transcript) -> Record:
    return {"policies": list(played.policies), "seed": played.seed, "number": played.number}


def event_of(game: Declaration, step: Step) -> Record:
    """An event in a record, with a field for each kind of value that is named in the game; `repeats` if it is true."""
    phases = {"source": str(step.source), "dest": str(step.dest)}
    event = {"event": step.trigger, **phases, "player": step.player, "card": step.card, "suit": step.suit}
    named = {str(kind): getattr(step, kind) for kind in game.own_kinds if kind in KINDS}
    return {**event, "rule": step.rule, **named, **({"repeats": True} if step.repeats else {})}


def _end(outcome: Outcome | MatchOutcome) -> Record:
    totals = {"totals": list(outcome.totals)} if isinstance(outcome, MatchOutcome) else {}
    return {"outcome": str(outcome.ending), **outcome.as_data, **totals}


def _scored(each: Round[Any]) -> Record:
    return {"points": list(each.points), "totals": list(each.totals)}


def _start(game: Game) -> Record:
    """What a round starts from, as plain data."""
    start = game.restarted()
    where = {"seed": start.table.seed, "number": start.table.number}
    return {"game": start.declaration.name, **where, "position": str(start.position())}


# ---------------------------------------------------------------- replaying


told = partial(raised_as, RecordError, of=(ValueError, TypeError))
"""A context in which RecordError is raised in place of these. where: the part of the record."""


def checked_fields(
    record: object, what: str, format: str, types: Types, required: Sequence[str], expected: Any
) -> Record:
    """The record of `what`, if it has the right form. Raises RecordError, or TypeError for what is expected."""
    of_type("expected", expected, (Sequence, NoneType), "a list of house rules")
    for rule in expected or ():
        of_type("expected", rule, Variant, "a house rule")
    if not isinstance(record, dict) or record.get("format") != format:
        raise RecordError(f'not a record of a {what}; give an object with "format": "{format}"')
    if "version" not in record:
        raise RecordError("missing field 'version'")
    if not _same(record.get("version"), VERSION):
        raise RecordError(f"version {shown(record.get('version'))} cannot be read; use {VERSION}")
    check_fields(record, types, RecordError, required=required)
    return record


def game_of(fields: Record, expected: Sequence[Variant] | None) -> type[Game]:
    """Return the game class of a record. Raises ValueError if its rules differ here, or are not the expected ones."""
    recorded = fields.get("rules", ())
    if expected is not None and set(recorded) != {rule.name for rule in expected}:
        names = [rule.name for rule in expected]
        raise RecordError(f"rules: played with {_listed(recorded)}; use {_listed(names)}")
    kind = game_class(fields["game"])
    try:
        made = kind.with_rules(*recorded)
    except UnknownRule as error:
        raise RecordError(f"{error}; a rule in a file is known only if --with FILE.py:NAME names it") from None
    except ValueError as error:
        raise RecordError(f"rules: {error}") from None
    here = made.rules_hash()
    if (played := fields.get("hash", here)) != here:
        name = made.declaration.name
        raise RecordError(
            f"hash: {name} was played with different rules (hash {shown(played)}; here {here}); "
            "use the version that wrote it"
        )
    return made


def _listed(names: Iterable[str]) -> str:
    return ", ".join(sorted(names)) or "no house rules"


def _policies_of(kind: type[Game], fields: Record) -> list[Policy]:
    """The policies that a record names. Raises ValueError for what is not a name."""
    if "" in (names := fields.get("policies", ())):
        raise ValueError("policies: '' is not the name of a policy; use a name")
    return recorded_policies(kind.declaration, names)


def _check_deal(kind: type[Game], fields: Record) -> None:
    """Whether the seed and the number of a record deal its deck."""
    players, seed, number = fields["players"], fields.get("seed", 0), fields.get("number", 0)
    dealt = kind.declaration.codec.notation.names(kind.deck_of(players, seed, number))
    for index, (card, other) in enumerate(zip(fields["deck"], dealt, strict=True), 1):
        if card != other:
            raise RecordError(
                f"deck: card {index} is {card}, but game {number} of seed {seed} has {other}; leave out `dealt`"
            )


def replay_events(game: Game, events: Iterable[Record], first: int = 1) -> None:
    """Fire the events of a record. first: the number of the first one. Raises RecordError."""
    for index, event in enumerate(events, first):
        with told(f"event {index}: "):
            _replay_event(game, event)


def _replay_event(game: Game, event: Record) -> None:
    rule, policy = event.get("rule"), game.policies[game.player - 1]
    if rule is not None and isinstance(policy, RecordedPolicy):
        raise ValueError(
            f"rule is {shown(rule)}, but policy {shown(policy.name, 80)} has no rules in this game; leave out the rule"
        )
    if rule is not None or event["event"] in game.forced_events:
        step = game.step()
    else:
        kinds = (ValueKind.SUIT, *game.declaration.own_kinds)
        named = {kind: event.get(kind) for kind in kinds if kind in KINDS}
        move = Move.of(game.declaration, event["event"], event.get("card"), named)
        step = game._fire_move(move, repeats=event.get("repeats", False))
    compare(event, event_of(game.declaration, step))


def _replay_round(match: Match, each: Record, expected: Sequence[Variant] | None) -> None:
    """Play the round of a record, which must be the next one of the match."""
    if match.outcome:
        raise RecordError(f"the match is over: {match.outcome}")
    if match.game is None:
        match.step()
    assert match.game is not None
    game = replay(each["game"], expected)
    compare(_start(game), _start(match.game))
    for seat, (policy, other) in enumerate(zip(game.policies, match.game.policies, strict=True), 1):
        if policy.name != other.name and HAND not in (policy.name, other.name):
            raise RecordError(
                f"policies: player {seat} is {shown(policy.name)}, but {shown(other.name)} in the match; use the same"
            )
    match.game = game
    played = match.play_round()
    compare(each, {"dealer": played.dealer, **_scored(played)})


def _same(one: object, other: object) -> bool:
    """Whether two values of JSON are the same: of the same type, and equal."""
    if isinstance(one, list) and isinstance(other, list):
        return len(one) == len(other) and all(map(_same, one, other))
    return type(one) is type(other) and one == other


def _in_words(value: object) -> str:
    """A value of JSON for a message."""
    return "missing" if value is None else shown(value)


def compare(fields: Record, found: Record) -> None:
    """Raise RecordError unless the fields of a record are those that were found by the rules."""
    texts = [
        f"{name} is {_in_words(fields.get(name))}, by the rules it is {_in_words(other)}"
        for name, other in found.items()
        if not _same(fields.get(name), other)
    ]
    if texts:
        raise RecordError(f"{'; '.join(texts)}; use the record as it was written")
