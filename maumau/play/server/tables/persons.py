"""What a person in a room asks for, by a request or by the socket of a page.

act        a move: at (the version that it is about), move
undo       take back the last move: at
hint       a move for the seat, its reason, and the values of the moves that were searched
ready      deal as soon as all are ready
leave      a computer player stands in
come-back  the person plays on
play       take a seat, or watch: plays
move       a code by which another device becomes that of the person
say        one of a few things to all others: emote
plan       what is played next; deal, end, remove (number), emotes (allowed): of who rules the room
"""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Sequence
from http import HTTPStatus
from typing import Any

from starlette.concurrency import run_in_threadpool

from fsm.edge.numbers import check_fields
from maumau.play.server.answers import Fields
from maumau.play.server.guard import BadRequest
from maumau.play.server.requests import number
from maumau.play.server.tables.hall import Hall
from maumau.play.server.tables.hosted import Hosted
from maumau.play.server.tables.limits import Limits, Rates
from maumau.play.server.tables.plans import plan_of, room_page
from maumau.play.table import Table
from maumau.play.table.hints import Searching
from maumau.play.table.room import EMOTES, Member, Room
from maumau.play.table.view import move_of_data
from rules.errors import raised_as
from rules.notation import expected_name, shown

Asked = Callable[[str, Fields], Awaitable[Fields]]
"""The answer to what the person of a token asks for, with the fields of the request. Raises BadRequest."""
Answering = Callable[[Hosted, str, Fields], Awaitable[Fields]]
Act = Callable[[Room, str, Fields], None]
SEARCHED = 2
"""Hints that are searched for at once."""


def person_requests(
    hall: Hall, limits: Limits, players: Sequence[str] | None, search: Searching | None
) -> dict[str, Asked]:
    """What a person may ask for, by name. players: the names of those that may be chosen beside the policies of a game;
    None for the usual ones. search: for hints; without one they are those of the default policy.
    """
    searching = asyncio.Semaphore(SEARCHED)

    def counted(rates: Rates, answering: Answering) -> Asked:
        async def asked(token: str, fields: Fields) -> Fields:
            hosted = await hall.find(token)
            rates.take(token)
            return await answering(hosted, token, fields)

        return asked

    async def hint(hosted: Hosted, token: str, fields: Fields) -> Fields:
        if not hosted.room.plan.hints:
            raise BadRequest("there are no hints in this room", HTTPStatus.FORBIDDEN)
        async with searching:
            table, seat = _at_table(hosted.room, hosted.member(token))
            return await run_in_threadpool(table.hinting(seat, search))

    async def move(hosted: Hosted, token: str, fields: Fields) -> Fields:
        return {"code": hosted.moving.code(token)}

    async def plan(hosted: Hosted, token: str, fields: Fields) -> Fields:
        wanted = plan_of(fields, players)
        await run_in_threadpool(room_page, wanted.game)
        return await _changing(lambda room, token, fields: room.change(wanted), by_ruler=True)(hosted, token, fields)

    async def say(hosted: Hosted, token: str, fields: Fields) -> Fields:
        emote = _only(fields, "emote", str)
        if not hosted.room.emotes:
            raise BadRequest("nobody may say anything in this room", HTTPStatus.FORBIDDEN)
        _, seat = _at_table(hosted.room, hosted.member(token))
        if emote not in EMOTES:
            raise BadRequest(f"unknown emote {shown(emote)}{expected_name(emote, EMOTES)}")
        hosted.say(f'{{"said":{{"seat":{seat},"emote":"{emote}"}}}}')
        return {}

    return {
        **{name: counted(limits.changing, act) for name, act in ACTS.items()},
        "hint": counted(limits.hinting, hint),
        "move": counted(limits.changing, move),
        "say": counted(limits.saying, say),
        "plan": counted(limits.changing, plan),
    }


def _changing(act: Act, by_ruler: bool = False) -> Answering:
    """What changes the room. by_ruler: whether only who rules the room may do it."""

    async def changed(hosted: Hosted, token: str, fields: Fields) -> Fields:
        def checked(room: Room) -> None:
            hosted.member(token)
            if by_ruler:
                room.check_rules(token)
            act(room, token, fields)

        await hosted.change(checked)
        return {}

    return changed


def _at_table(room: Room, member: Member) -> tuple[Table, int]:
    """The table, and the seat of a person there. Raises BadRequest for who watches."""
    if room.table is None or member.seat is None:
        raise BadRequest("you are only watching; take a seat at a table first", HTTPStatus.FORBIDDEN)
    return room.table, member.seat


def _act(room: Room, token: str, fields: Fields) -> None:
    table, seat = _at_table(room, room.members[token])
    with raised_as(BadRequest):
        move = move_of_data(fields.get("move"))
    table.act(seat, move, at=number(fields, "at"))


def _undo(room: Room, token: str, fields: Fields) -> None:
    table, seat = _at_table(room, room.members[token])
    table.undo(seat, at=number(fields, "at"))


def _only(fields: Fields, name: str, kind: type) -> Any:
    """The one field of a request that has no other. kind: as `check_fields` has it. Raises BadRequest."""
    check_fields(fields, {name: kind}, BadRequest, required=(name,), known=(name,))
    return fields[name]


ACTS: dict[str, Answering] = {
    "act": _changing(_act),
    "undo": _changing(_undo),
    "ready": _changing(lambda room, token, fields: room.ready(token)),
    "leave": _changing(lambda room, token, fields: room.leave(token)),
    "come-back": _changing(lambda room, token, fields: room.come_back(token)),
    "play": _changing(lambda room, token, fields: room.play(token, _only(fields, "plays", bool))),
    "deal": _changing(lambda room, token, fields: room.hurry(), by_ruler=True),
    "end": _changing(lambda room, token, fields: room.end(), by_ruler=True),
    "emotes": _changing(lambda room, token, fields: room.allow(_only(fields, "allowed", bool)), by_ruler=True),
    "remove": _changing(lambda room, token, fields: room.remove(number(fields, "number")), by_ruler=True),
}
