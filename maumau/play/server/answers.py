"""What requests say and what they are answered with: objects as JSON, pages, and the status of what is refused."""

from __future__ import annotations

import json
from collections.abc import Mapping
from http import HTTPStatus
from typing import Any

from starlette.exceptions import HTTPException
from starlette.requests import HTTPConnection, Request
from starlette.responses import HTMLResponse, Response

from maumau.play.server.guard import BadRequest
from maumau.play.table import NotAsked, Stale
from maumau.play.table import Refused as RefusedAtTable
from maumau.play.table.view import ENCODER
from render.page.document import Document
from render.page.play import notice_page

Fields = Mapping[str, Any]
STATUSES = {Stale: 409, NotAsked: 403}
"""Of what a table refuses; what the rules refuse has 422."""


async def fields_of(request: Request) -> Fields:
    """The object in the body of a request. Raises BadRequest."""
    return object_of(await request.body())


def object_of(text: bytes | str) -> Fields:
    """The object of a JSON text. Raises BadRequest."""
    try:
        fields = json.loads(text)
    except RecursionError:
        raise BadRequest("the request is nested too deeply; send an object") from None
    except ValueError as error:
        raise BadRequest(f"not JSON: {error}; send an object") from None
    if not isinstance(fields, dict):
        raise BadRequest("not an object; send one with the fields of the request")
    return fields


def json_response(answer: Fields, status: int = 200) -> Response:
    """An answer as JSON."""
    return Response(ENCODER.encode(answer), status, media_type="application/json")


def html_response(document: Document, status: int = 200) -> Response:
    """A page, with its policy."""
    policy = f"{document.policy}; frame-ancestors 'none'"
    return HTMLResponse(document.text, status, headers={"content-security-policy": policy})


def refusal_of(error: Exception) -> tuple[int, str]:
    """The status and the message of what is refused. Raises any other error."""
    if isinstance(error, HTTPException):
        return error.status_code, error.detail.lower()
    if isinstance(error, BadRequest):
        return error.status, str(error)
    if isinstance(error, RefusedAtTable):
        return next((status for kind, status in STATUSES.items() if isinstance(error, kind)), 422), str(error)
    raise error


async def _refused(request: HTTPConnection, error: Exception) -> Response:
    """The answer to what is refused: a page for a person who has followed a link, else JSON."""
    status, why = refusal_of(error)
    is_followed = request.scope.get("method") == "GET" and "text/html" in request.headers.get("accept", "")
    answer = html_response(notice_page(why), status) if is_followed else json_response({"error": why}, status)
    if status == HTTPStatus.SERVICE_UNAVAILABLE:
        answer.headers["retry-after"] = "60"
    return answer


async def _failed(request: HTTPConnection, error: Exception) -> Response:
    return json_response({"error": "internal error of this program; the server has printed a message about it"}, 500)


HANDLERS: dict[Any, Any] = {
    **dict.fromkeys((BadRequest, RefusedAtTable, HTTPException), _refused),
    Exception: _failed,
}
"""What answers requests that end in an error, by its class."""
