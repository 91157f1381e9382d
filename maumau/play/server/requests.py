"""The fields of requests, checked: games from a seed, a deck or a position, events, numbers."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from fsm.edge.numbers import Types, check_fields
from fsm.registry import DEFAULT, game_class
from fsm.stepping.game import Game
from fsm.stepping.steps import KINDS, Move
from maumau.play.server.guard import BadRequest
from render.page.story import offered_players, rules_text
from rules.notation import expected_name, shown
from rules.reading import Dealt, InputError

SOURCE = "deck"
MAX_FAULTS = 20
"""The maximal number of faults of a pasted deck in an answer."""
MAX_DIGITS = 24
FIELDS = "deck", "game", "number", "players", "policies", "position", "rules", "seed"
CREATED: Types = {
    "game": str,
    "rules": str | None,
    "policies": (list, "a list of names", "policy", str),
    "position": str | None,
    "deck": str | None,
}
MOVED: Types = {"trigger": str, "card": str | None, "suit": str | None}


def create_game(fields: Mapping[str, Any], listed: Sequence[str] | None = ()) -> Game:
    """The game that the fields of a request describe: a position, a deck, or players, seed and number.

    deck: the problem's input. listed: the names of players that may be chosen beside the policies of the game; None for
    the usual ones. Raises BadRequest with the message that the command has for it.
    """
    check_fields(fields, CREATED, BadRequest, known=FIELDS)
    try:
        kind = game_class(fields.get("game", DEFAULT))
        rules, here = fields.get("rules"), rules_text(kind)
        if rules not in (None, here):
            raise BadRequest(f"rules: played by {shown(rules)}, but {kind.declaration.name} is {shown(here)}")
        policies = offered(kind, fields.get("policies", []), listed)
        if fields.get("position") is not None:
            return kind.at(fields["position"], policies)
        if fields.get("deck") is not None:
            players, deck = pasted(kind, fields["deck"])
            return kind.of_deck(players, deck, policies, number(fields, "seed", 0), number(fields, "number", 0))
        players = number(fields, "players", kind.declaration.codec.fewest)
        return kind.deal(players, number(fields, "seed", 0), number(fields, "number", 0), policies)
    except InputError as error:
        raise BadRequest(_brief(error)) from None
    except ValueError as error:
        raise BadRequest(str(error)) from None


def offered(kind: type[Game], names: list[str], listed: Sequence[str] | None, what: str = "policy") -> list[str]:
    """The names of players that a request chooses. listed: as of `create_game`. what: they are called in messages.
    Raises BadRequest for one that the server does not offer.
    """
    known = [policy.name for policy in offered_players(kind, listed)]
    for name in names:
        if name not in known:
            raise BadRequest(f"unknown {what} {shown(name)}{expected_name(name, known)}")
    return names


def _brief(error: InputError) -> str:
    """The first faults of an input, and how many more there are."""
    more = len(error.faults) - MAX_FAULTS
    first = str(InputError(error.faults[:MAX_FAULTS], SOURCE))
    return f"{first}\nand {more:,} more" if more > 0 else first


def pasted(kind: type[Game], lines: str) -> Dealt:
    """The game of a pasted deck: one game of the problem's input, or a whole input, of which it is the first.

    Raises InputError.
    """
    try:
        return kind.read(lines, SOURCE)[0]
    except (InputError, IndexError):
        if not lines.strip():
            raise
    try:  # without the number of games before it
        return kind.read("1\n" + lines.strip("\n"), SOURCE)[0]
    except InputError as error:
        faults = [type(fault)(max(fault.line - 1, 1), fault.what) for fault in error.faults]
        raise InputError(faults, SOURCE) from None


def move(fields: Mapping[str, Any]) -> Move:
    """The move of the fields of a request; the game looks at the values. Raises BadRequest."""
    check_fields(fields, MOVED, BadRequest, required=("trigger",))
    values: dict[str, Any] = {kind: fields.get(kind) for kind in KINDS}
    return Move(fields["trigger"], fields.get("card"), **values)


def number(fields: Mapping[str, Any], name: str, default: int | None = None) -> int:
    """A field that is a whole number; digits are one too, for a browser counts only to 2**53. Raises BadRequest.

    A number has 24 digits at most, so that it can be part of a message.
    """
    value = fields.get(name, default)
    if value is None:
        raise BadRequest(f"missing field {shown(name)}")
    if isinstance(value, str) and value.isascii() and value.isdigit() and len(value) <= MAX_DIGITS:
        return int(value)
    if not isinstance(value, int) or isinstance(value, bool):
        raise BadRequest(f"{name}: {shown(value)} is not a whole number")
    if abs(value) >= 10**MAX_DIGITS:
        raise BadRequest(f"{name}: {shown(value)} is too long; use a whole number of at most {MAX_DIGITS} digits")
    return value
