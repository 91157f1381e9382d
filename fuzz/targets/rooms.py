"""Requests to the server of rooms: each is answered or refused, and none shows the hand of somebody else.

A request is a line as of `fuzz.targets.requests`, by `SOCKET` one by the socket of a person. `CODE` is that of the room
that was opened last, and `T0`, `T1`, ... are the tokens that were given out.
"""

from __future__ import annotations

import asyncio
import re
from typing import Any
from unittest.mock import patch

from fuzz.targets.requests import PORT, ask, checked, near, requests
from maumau.play.server.app import application
from maumau.play.server.tables import limits
from maumau.play.server.tables.hall import Hall

__all__ = ["SEEDS", "WORDS", "check", "near"]
SEEDS = (
    b'POST /rooms {"name": "Ann", "game": "maumau", "players": 3, "computer": "house,random", "ready": true}\n'
    b'POST /rooms/CODE {"name": "Ben"}\nGET /tables/T0/state\n'
    b'SOCKET /tables/T1/socket {"do": "play", "fields": {"plays": true}}\n'
    b'POST /tables/T0/act {"at": 3, "move": {"trigger": "draw"}}\nPOST /tables/T0/hint {}\nGET /tables/T1/replay\n'
    b'POST /tables/T0/undo {"at": 9}\nPOST /tables/T1/leave {}\nPOST /tables/T0/remove {"number": 2}\n'
    b'POST /rooms/CODE {"name": "Ben"}\nGET /tables/T1/state\n',
    b'POST /rooms {"name": "Ann", "game": "uno-official+jump-in", "players": 2, "target": 200, "turn_seconds": 20}\n'
    b'GET /room/CODE\nGET /room/CODE/link\nPOST /rooms/CODE {"name": "Ben", "plays": false}\n'
    b'POST /tables/T0/deal {}\nPOST /tables/T1/play {"plays": true}\nPOST /tables/T1/move {}\n'
    b'POST /rooms/CODE {"moved": "abcdef"}\nGET /tables/T0\nPOST /tables/T0/end {}\nGET /tables/T0/chances\n'
    b'SOCKET /tables/T0/socket {"do": "end"}\nSOCKET /tables/T1/socket {"do": "move", "fields": {}}\n'
    b'POST /tables/T0/plan {"game": "mahjong", "players": 4, "hints": false}\nPOST /tables/T0/ready {}\n'
    b"GET /tables/T1/state\n",
)
WORDS = (
    *(
        "GET ",
        "POST ",
        "DELETE ",
        "SOCKET ",
        "/",
        "/room/CODE",
        "/rooms",
        "/rooms/CODE",
        "/tables/T0",
        "/tables/T1",
        "|",
        "host=",
    ),
    *("/state", "/socket", "/replay", "/chances", "/link", "/game", "/act", "/undo", "/hint", "/ready", "/leave"),
    *("/play", "/come-back", "/move", "/plan", "/deal", "/end", "/remove", '"name"', '"plays"', '"moved"', '"game"'),
    *(
        '"do"',
        '"fields"',
        '"computer"',
        '"players"',
        '"target"',
        '"hints"',
        '"at"',
        '"number"',
        '"trigger"',
        '"card"',
        '"house,bluffer"',
    ),
    *('"uno"', "{", "}", "[", "]", ":", ",", "null", "-1", "true", "\u202e", "\n"),
)
_HALL = Hall()
with patch.multiple(limits, BURST=1e9, OPENED_BY_ALL=1e9, ENTERED=1e9):
    _APP = application(PORT, hall=_HALL)
_TOKEN = re.compile(r"T(\d)")


def check(data: bytes) -> None:
    """Send the requests of `data`, one after the other, and remove all rooms that they opened."""
    with patch("maumau.play.table.room.token_hex", lambda size: "5" * 2 * size):  # the same cards each time
        asyncio.run(_sent(data))


async def _sent(data: bytes) -> None:
    code, tokens = "none", list[str]()
    for headers, method, named, body in requests(data):
        path = _TOKEN.sub(lambda found: dict(enumerate(tokens)).get(int(found[1]), "none"), named.replace("CODE", code))
        answer = checked(*await ask(_APP, headers, method, path, body))
        if "token" in answer:
            code = answer["code"]
            tokens.append(answer["token"])
        for view in (answer.get("view"), *answer.get("views", ())):
            _shows_no_other_hand(view)
    _HALL._remove(-1)
    assert _HALL._store.count() == 0


def _shows_no_other_hand(view: dict[str, Any] | None) -> None:
    if view and view["state"] == "playing":
        assert not any(hand for player, hand in enumerate(view["hands"], 1) if player != view["seat"])
