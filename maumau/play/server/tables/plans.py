"""What is to be played in a room, as a request says it, and the page for that."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache

from starlette.responses import Response

from fsm.edge.numbers import Types, check_fields
from fsm.registry import DEFAULT, game_class
from maumau.play.server.answers import Fields, html_response
from maumau.play.server.guard import BadRequest
from maumau.play.server.requests import number, offered
from maumau.play.table.room import RoomPlan
from maumau.play.table.setup import usual_players
from render.page.play import rules_page, table_page
from rules.errors import raised_as

NUMBERS = "target", "turn_seconds", "claim_seconds"
PLAN = "game", "players", "computer", *NUMBERS, "hints"
PLAN_FIELDS: Types = {"game": str, "computer": str, "hints": bool}


def plan_of(fields: Fields, listed: Sequence[str] | None = ()) -> RoomPlan:
    """What the fields of a request want to be played.

    listed: the names of players that may be chosen beside the policies of the game; None for the usual ones. Raises
    Refused.
    """
    check_fields(fields, PLAN_FIELDS, BadRequest, known=PLAN)
    with raised_as(BadRequest):
        kind = game_class(fields.get("game", DEFAULT))
        computer = fields.get("computer", kind.declaration.policies[0].name)
        offered(kind, computer.split(","), listed, "computer player")
        return RoomPlan(
            game=fields.get("game", DEFAULT),
            players=number(fields, "players", usual_players(kind)),
            computer=computer,
            hints=fields.get("hints", True),
            **{name: number(fields, name) for name in NUMBERS if fields.get(name) is not None},
        )


@lru_cache(maxsize=32)
def room_page(game: str) -> Response:
    """The page of a room where a game is played."""
    return html_response(table_page(game_class(game)))


@lru_cache(maxsize=32)
def rules_to_read_page(game: str) -> Response:
    """The page of the rules of a game. Raises BadRequest for an unknown game."""
    with raised_as(BadRequest):
        kind = game_class(game)
    return html_response(rules_page(kind))
