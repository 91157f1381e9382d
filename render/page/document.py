"""The page put together: its style, its modules, the drawing and the game's data, all in one file of HTML.

Nothing of the data is markup: it is JSON in an element that no browser runs, and the page writes it as text. A policy
in the page allows the one script and the one style that stand in it, by their hashes, and no request.
"""

from __future__ import annotations

import json
import re
from base64 import b64encode
from dataclasses import dataclass
from hashlib import sha256
from html import escape
from importlib.resources import files
from typing import Any

from fsm.declaration import Declaration
from render.page.drawing import drawing_of

MODULES = ("story", "cards", "table", "diagram", "log", "controls", "viewer")
"""The modules of every page, in the order in which they need each other."""
REPLAY, LIVE = (*MODULES, "replay"), (*MODULES, "server", "setup", "moves", "live")
IMPORT = re.compile(r"^import .*?;\n", re.MULTILINE | re.DOTALL)
EXPORT = re.compile(r"^export (?=(?:async )?(?:function|class|const|let)\b)", re.MULTILINE)
MARK = re.compile(r"<!-- (\w+) -->")


@dataclass(frozen=True)
class Document:
    """A page. text: its HTML. policy: its Content-Security-Policy."""

    text: str
    policy: str


def document(story: dict[str, Any], declaration: Declaration) -> Document:
    """The page of a story on which it is stepped forth and back. Raises DiagramError without a drawing."""
    title = f"{declaration.title}: {story['heading']}"
    return _assembled(title, REPLAY, {"drawings": _drawing(declaration), "setup": "", "moves": ""}, story, "'none'")


def live_document(declarations: list[Declaration], settings: dict[str, Any]) -> Document:
    """The page on which games are played at the server that it came from. Raises DiagramError without a drawing."""
    drawings = "".join(_drawing(declaration) for declaration in declarations)
    parts = {"drawings": drawings, "setup": _asset("setup.html"), "moves": _asset("moves.html")}
    return _assembled("maumau", LIVE, parts, settings, "'self'")


def _assembled(
    title: str, modules: tuple[str, ...], parts: dict[str, str], data: dict[str, Any], connect: str
) -> Document:
    script, style = f"\n{joined(modules)}", f"\n{_asset('page.css')}"
    sources = {"script-src": _hash(script), "style-src": _hash(style), "connect-src": connect, "img-src": "data:"}
    listed = [f"{name} {source}" for name, source in sources.items()]
    policy = "; ".join(["default-src 'none'", *listed, "base-uri 'none'", "form-action 'none'"])
    filled = {
        **parts,
        "policy": f'<meta http-equiv="Content-Security-Policy" content="{escape(policy)}">',
        "title": f"<title>{escape(title)}</title>",
        "style": f"<style>{style}</style>",
        "data": f'<script type="application/json" id="data">{embedded(data)}</script>',
        "script": f'<script type="module">{script}</script>',
    }
    return Document(MARK.sub(lambda found: filled[found[1]], _asset("page.html")), policy)


def joined(modules: tuple[str, ...]) -> str:
    """The source of modules as that of one: each has its names at the top level, and they are all different."""
    return "\n".join(EXPORT.sub("", IMPORT.sub("", _asset(f"{module}.js"))) for module in modules)


def embedded(data: object) -> str:
    """`data` as JSON that may stand in any element: no character in it means something to HTML or ends a line."""
    text = json.dumps(data, separators=(",", ":"))
    return text.replace("<", r"\u003c").replace(">", r"\u003e").replace("&", r"\u0026")


def _drawing(declaration: Declaration) -> str:
    return f'<div class="drawing" data-game="{declaration.name}" hidden>{drawing_of(declaration)}</div>'


def _hash(text: str) -> str:
    return f"'sha256-{b64encode(sha256(text.encode()).digest()).decode()}'"


def _asset(name: str) -> str:
    return (files(__package__) / "assets" / name).read_text(encoding="utf-8")
