"""The fields of requests about tables, checked: what is opened, and the moves of a seat."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from secrets import token_hex
from typing import Any

from fsm.edge.fields import TEXT, Types, check_names, check_types
from fsm.registry import DEFAULT, game_class
from fsm.stepping.game import Game
from maumau.play.server.errors import Refused
from maumau.play.server.requests import number
from maumau.play.table import Computer, Person, Seat, Setup
from render.page.story import offered_players
from rules.notation import shown

FIELDS = "claim_seconds", "game", "seats", "target", "turn_seconds"
OPENED: Types = {"game": TEXT, "seats": (list, "a list of seats")}
SEATED: Types = {"person": TEXT, "computer": TEXT}


def setup_of(fields: Mapping[str, Any], listed: Sequence[str] | None = ()) -> Setup:
    """The table that the fields of a request describe; its cards come from a secret that is made now.

    listed: the names of players that may be chosen beside the policies of the game; None for the usual ones. Raises
    Refused.
    """
    check_names(fields, FIELDS, fault=Refused)
    check_types({"seats": None, **fields}, OPENED, Refused)
    try:
        game = fields.get("game", DEFAULT)
        kind = game_class(game)
        seats = tuple(_seat(kind, data, listed) for data in fields["seats"])
        return Setup(
            game=game,
            seats=seats,
            key=token_hex(16),
            target=_optional(fields, "target"),
            turn_seconds=_optional(fields, "turn_seconds"),
            claim_seconds=_optional(fields, "claim_seconds"),
        )
    except ValueError as error:
        raise Refused(str(error)) from None


def _seat(kind: type[Game], data: Any, listed: Sequence[str] | None) -> Seat:
    """The seat of `{"person": NAME}` or `{"computer": POLICY}`. Raises Refused."""
    if not isinstance(data, dict) or list(data) not in (["person"], ["computer"]):
        raise Refused(f'seat {shown(data)}, expected {{"person": NAME}} or {{"computer": POLICY}}')
    check_types(data, SEATED, Refused)
    if "person" in data:
        return Person(data["person"])
    offered = [policy.name for policy in offered_players(kind, listed)]
    policy = data["computer"]
    if policy not in offered:
        raise Refused(f"unknown computer player {shown(policy)}, expected one of {', '.join(offered)}")
    return Computer(policy)


def _optional(fields: Mapping[str, Any], name: str) -> int | None:
    return None if fields.get(name) is None else number(fields, name)
