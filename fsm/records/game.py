"""A played game as a record: plain data with every event; a record is replayed against the rules."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from types import NoneType
from typing import TYPE_CHECKING, Any

from fsm.declaration.arcs import Policy
from fsm.declaration.declaration import Declaration
from fsm.declaration.policy import RecordedPolicy
from fsm.declaration.values import ValueKind
from fsm.edge.fields import Types, check_fields
from fsm.edge.numbers import of_type
from fsm.registry import game_class
from fsm.stepping.game import Game
from fsm.stepping.steps import Move, Outcome, Step
from fsm.stepping.transcript import Transcript, deal_again, recorded_policies
from rules.notation import shown
from rules.reading import card_codes

if TYPE_CHECKING:
    from fsm.variants.edits import Variant

FORMAT, VERSION = "maumau-game", 1
Record = dict[str, Any]


class RecordError(ValueError):
    """A record is broken or contradicts the rules; the message names the field or the event."""


def record_of(played: Transcript) -> Record:
    """The record of a played game. played: its transcript, with the house rules of its class.

    Raises TypeError for what is no transcript.
    """
    of_type("played", played, Transcript, "a Transcript")
    game = played.kind.declaration
    return {
        **head_of(FORMAT, VERSION, played.kind, played.players),
        "deck": game.codec.notation.names(played.deck),
        "policies": list(played.policies),
        "seed": played.seed,
        "number": played.number,
        **({"dealer": played.dealer} if game.knows_dealer else {}),
        "events": [_event(game, step) for step in played.steps],
        **_end(played.outcome),
    }


def read_record(line: str) -> object:
    """The data of a record. line: its JSON. Raises RecordError, TypeError for what is no text."""
    of_type("line", line, str, "a line of JSON")
    try:
        return json.loads(line)
    except json.JSONDecodeError as error:
        fault = f"no JSON at column {error.colno}: {error.msg.lower()}"
    except RecursionError:
        fault = "nested too deeply"
    except ValueError:
        fault = "a number of too many digits"
    raise RecordError(f"{fault}, expected a record")


def replay(record: object, expected: Sequence[Variant] | None = None) -> Game:
    """Play a record again, with its house rules. Raises RecordError where it is broken or contradicts the rules.

    record: its data, as `read_record` returns them. expected: the house rules that it must have; any, if None.

    An event with a decision rule must be the one that this rule chooses; one without is a player's own choice, whoever
    that is: a player whom the game does not know by name need not be here. `seed`
    and `number` are the dice of random players; a record in which `dealt` is true claims besides that they deal its
    deck, and is refused if they deal another one. The integer 1, 1.0 and true are three different values.
    """
    of_type("expected", expected, (Sequence, NoneType), "a list of house rules")
    fields = checked_fields(record, "game", FORMAT, VERSION, _TYPES, _OPTIONAL)
    kind = game_of_record(fields, expected)
    codec = kind.declaration.codec
    deck = or_record_error(card_codes, fields["deck"], codec.notation, kind.full_deck())
    seed, number = fields.get("seed", 0), fields.get("number", 0)
    policies, dealer = policies_of(kind, fields), fields.get("dealer")
    game: Game = or_record_error(deal_again, kind, fields["players"], deck, policies, seed, number, dealer)
    if fields.get("dealt"):
        _check_deal(kind, fields)
    for position, event in enumerate(fields["events"], 1):
        _replay_event(game, event, f"event {position}")
    _compare_end(game, fields)
    return game


def _event(game: Declaration, step: Step) -> Record:
    """An event in a record, with a field for each kind of value that is named in the game."""
    event = {
        "event": step.trigger,
        "source": str(step.source),
        "dest": str(step.dest),
        "player": step.player,
        "card": step.card,
        "suit": step.suit,
        "rule": step.rule,
    }
    return event | {str(kind): getattr(step, kind) for kind in game.own_kinds}


_TYPES: Types = {
    "game": (str, "the name of a game"),
    "players": (int, "a number"),
    "deck": (list, "a list of cards"),
    "events": (list, "a list of events"),
    "outcome": (str, "how the game ended"),
    "scores": (list, "a list of numbers"),
}
_OPTIONAL: Types = {
    "policies": (list, "a list of names"),
    "seed": (int, "a number"),
    "number": (int, "a number"),
    "dealer": (int, "a number"),
    "dealt": (bool, "true or false"),
    "rules": (dict, "an object with the content hash of each house rule"),
}


def head_of(format: str, version: int, kind: type[Game], players: int) -> Record:
    """The fields with which a record begins: the house rules of a game by name and content hash, if it has any."""
    rules = {"rules": {rule.name: rule.digest for rule in kind.rules}} if kind.rules else {}
    name = (kind.plain or kind).declaration.name
    return {"format": format, "version": version, "game": name, **rules, "players": players}


def game_of_record(fields: Record, expected: Sequence[Variant] | None) -> type[Game]:
    """The game of a record, with its house rules. Raises RecordError if it is unknown, or they are not the expected."""
    return _with_rules(or_record_error(game_class, fields["game"]), fields, expected)


def policies_of(kind: type[Game], fields: Record) -> list[Policy]:
    """The policies that a record names. Raises RecordError for what is no name."""
    names = fields.get("policies", ())
    for name in names:
        if name is not None and not (isinstance(name, str) and name):
            raise RecordError(f"policies: {shown(name)}, expected the name of a policy")
    return recorded_policies(kind.declaration, names)


def _with_rules(kind: type[Game], fields: Record, expected: Sequence[Variant] | None) -> type[Game]:
    """The game with the house rules of a record. Raises RecordError if they are others here, or not the expected."""
    from fsm.variants.edits import Variant
    from fsm.variants.rulebook import UnknownRule

    recorded = fields.get("rules", {})
    for rule in expected or ():
        of_type("expected", rule, Variant, "a house rule")
    if expected is not None and set(recorded) != {rule.name for rule in expected}:
        names = [rule.name for rule in expected]
        raise RecordError(f"rules: played with {_listed(recorded)}, expected {_listed(names)}")
    try:
        made = kind.with_rules(*recorded)
    except UnknownRule as error:
        raise RecordError(f"{error}; a rule of a file is known where --with FILE.py:NAME names it") from None
    except ValueError as error:
        raise RecordError(f"rules: {error}") from None
    here = {rule.name: rule.digest for rule in made.rules}
    if recorded != here:
        raise RecordError(
            f"rules: played with {_listed(recorded, recorded)}, here they are {_listed(here, here)}; "
            "use the version that wrote it"
        )
    return made


def _listed(names: Iterable[str], digests: Mapping[str, str] | None = None) -> str:
    """Names of rules, with their content hashes if there are some."""
    return ", ".join(f"{name} ({digests[name]})" if digests else name for name in sorted(names)) or "no house rules"


def checked_fields(record: object, what: str, format: str, version: int, types: Types, optional: Types) -> Record:
    """The record of `what`, if it has the right form. Raises RecordError.

    types, optional: the type of each field that must, or may, be there, and what it is in words.
    """
    if not isinstance(record, dict) or record.get("format") != format:
        raise RecordError(f'no record of a {what}, expected an object with "format": "{format}"')
    if not same(record.get("version"), version):
        raise RecordError(f"version {shown(record.get('version'))}, expected {version}")
    check_fields({**dict.fromkeys(types), **record}, {**types, **optional}, RecordError)
    for rule, digest in record.get("rules", {}).items():
        if not isinstance(digest, str):
            raise RecordError(f"rules: {shown(rule)}: {shown(digest)}, expected its content hash")
    return record


def same(one: object, other: object) -> bool:
    """Whether two values of JSON are the same: of the same type, and equal."""
    if isinstance(one, list) and isinstance(other, list):
        return len(one) == len(other) and all(map(same, one, other))
    return type(one) is type(other) and one == other


def _check_deal(kind: type[Game], fields: Record) -> None:
    """Whether the seed and the number of a record deal its deck."""
    players, seed, number = fields["players"], fields.get("seed", 0), fields.get("number", 0)
    dealt = kind.declaration.codec.notation.names(kind.deck_of(players, seed, number))
    for position, (card, other) in enumerate(zip(fields["deck"], dealt, strict=True), 1):
        if card != other:
            raise RecordError(f"deck: card {position} is {card}, game {number} of seed {seed} is dealt with {other}")


def _replay_event(game: Game, event: object, position: str) -> None:
    if not isinstance(event, dict) or not isinstance(event.get("event"), str):
        raise RecordError(f'{position}: {shown(event)}, expected an object with "event"')
    trigger, rule = event["event"], event.get("rule")
    named = {kind: event.get(kind) for kind in (ValueKind.SUIT, *game.declaration.own_kinds)}
    policy = game.policies[game.player - 1]
    try:
        if rule is not None and isinstance(policy, RecordedPolicy):
            raise ValueError(f"rule is {shown(rule)}, policy {shown(policy.name, 80)} has no rules in this game")
        if rule is not None or trigger in game.forced_events:
            step = game.step()
        else:
            step = game.fire(Move.of(game.declaration, trigger, event.get("card"), named))
    except ValueError as error:
        raise RecordError(f"{position}: {error}") from None
    compare(event, _event(game.declaration, step), f"{position}: ")


def _compare_end(game: Game, fields: Record) -> None:
    outcome = game.outcome
    if outcome is None:
        raise RecordError(f"after {len(game.history)} events the game goes on: {game.who_acts}")
    compare(fields, _end(outcome))


def _end(outcome: Outcome) -> Record:
    return {"outcome": str(outcome.ending), **outcome.as_data}


def compare(fields: Record, found: Record, where: str = "") -> None:
    """Raise RecordError unless the fields of a record are those that were found by the rules."""
    for name, value in found.items():
        if not same(fields.get(name), value):
            raise RecordError(f"{where}{name} is {shown(fields.get(name))}, by the rules it is {shown(value)}")


def or_record_error(function: Any, *arguments: Any) -> Any:
    """What a function returns. Raises RecordError in place of ValueError and TypeError."""
    try:
        return function(*arguments)
    except (ValueError, TypeError) as error:
        raise RecordError(str(error)) from None
