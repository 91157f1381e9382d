"""The page put together: its style, its modules, the drawing and the game's data, all in one file of HTML.

Nothing of the data is markup: it is JSON in an element that no browser runs, and the page writes it as text. A policy
in the page allows the one script and the one style that stand in it, by their hashes, and no request.

The drawing is the shipped one, if it is up to date with the declaration: so every page has the same layout, and
Graphviz is not needed. A declaration that has changed is drawn again.
"""

from __future__ import annotations

import json
import re
from base64 import b64encode
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from hashlib import sha256
from html import escape
from importlib.resources import files
from pathlib import Path
from typing import Any

from fsm.declaration.declaration import Declaration
from fsm.edge.kept import kept
from fsm.hashes import code_hash
from fsm.stepping.game import Game
from render.diagram.dot import brief, draw_svg
from render.diagram.model import extract
from render.page.story import choices, game_data, rules_text

DRAWINGS = Path(__file__).parent / "drawings"
"""The drawings that are shipped."""
SOURCE = re.compile(r"<!-- of DOT ([0-9a-f]{24}) -->\n")


def drawing_of(declaration: Declaration) -> str:
    """The `<svg>` element of a machine. Raises DiagramError if it must be drawn and nothing is installed that can."""
    shipped = DRAWINGS / f"{declaration.name}.svg"
    text = shipped.read_text(encoding="utf-8") if shipped.is_file() else ""
    found = SOURCE.match(text)
    if found is None or found[1] != hash_of_drawing(declaration):
        text = drawn(declaration)
    return SOURCE.sub("", text).strip()


def house_rules_data(kind: type[Game]) -> dict[str, Any]:
    """Return the data of a game with house rules that a page lacks: it has those of games without, for which this is
    empty. Raises DiagramError without a drawing.
    """
    if not kind.rules:
        return {}
    return game_data(kind.declaration) | {"drawing": _drawing(kind.declaration), "rules": rules_text(kind)}


def drawn(declaration: Declaration) -> str:
    """The file of a drawing, made now. Raises DiagramError."""
    diagram = extract(declaration)
    text = draw_svg(diagram, brief(diagram))
    for pattern, new in _LEFT_OUT:
        text = pattern.sub(new, text)
    return f"<!-- of DOT {hash_of_drawing(declaration)} -->\n{text.strip()}\n"


def hash_of_drawing(declaration: Declaration) -> str:
    """What identifies the drawing of a declaration: the hash of its DOT."""
    return code_hash(brief(extract(declaration)))


_drawing = kept(drawing_of)


_LEFT_OUT = [
    (re.compile(r"<title>.*?</title>\n"), ""),
    (re.compile(r"<!--.*?-->\n"), ""),
    (re.compile(r'<polygon fill="[^"]*" stroke="none" points="[^"]*"/>\n'), ""),
    (re.compile(r' (xml:space|font-family|font-size|fill|stroke|xlink:title|xmlns:xlink)="[^"]*"'), ""),
    (re.compile(r'(?<=<svg) width="[^"]*" height="[^"]*"'), ""),
    (re.compile("&#45;"), "-"),
    (re.compile("</?a>\n?"), ""),
]
"""What the style sheet of a page sets, or what it does not need."""


VIEWER = ("dom", "looks", "story", "cards", "words", "table", "diagram", "log", "controls", "viewer")
REPLAY, MATCH, LIVE = (*VIEWER, "replay"), (*VIEWER, "match"), (*VIEWER, "server", "setup", "moves", "live")
ROUND = (*REPLAY, "server", "chances")
"""The modules of a page, in the order in which they need each other."""
STYLES = ("base", "machine", "cards", "page")
IMPORT = re.compile(r"^import .*?;\n", re.MULTILINE | re.DOTALL)
EXPORT = re.compile(r"^export (?=(?:async )?(?:function|class|const|let)\b)", re.MULTILINE)
COMMENT = re.compile(r"^ *(?://.*\n)?", re.MULTILINE)
STYLE_COMMENT = re.compile(r"(?:^[ \n]+|/\*.*?\*/[ \n]*)+", re.MULTILINE | re.DOTALL)
MARK = re.compile(r"<!-- (\w+) -->")


@dataclass(frozen=True)
class Document:
    """A page. text: its HTML. policy: its Content-Security-Policy."""

    text: str
    policy: str


def document(story: dict[str, Any], declaration: Declaration) -> Document:
    """The page of a story, or of the stories of the rounds of a match, on which each is stepped forth and back.

    Raises DiagramError without a drawing.
    """
    rounds = "rounds" in story
    title = f"{'A match of ' * rounds}{declaration.title}: {story['heading']}"
    styles, modules, setup = ((*STYLES, "match"), MATCH, asset("match.html")) if rounds else (STYLES, REPLAY, "")
    return assembled("page.html", styles, modules, title, _parts([declaration], setup), story, "'none'")


def round_document(story: dict[str, Any], declaration: Declaration) -> Document:
    """The page of a round that is over at the server that it came from, which knows the chances over it."""
    parts = _parts([declaration], asset("chances.html"))
    title = f"{declaration.title}: {story['heading']}"
    return assembled("page.html", (*STYLES, "chances"), ROUND, title, parts, story, "'self'")


def live_document(kinds: Sequence[type[Game]], players: Sequence[str] | None) -> Document:
    """Return the page on which games are played at the server that it came from.

    players: as `offered_players` has them. Raises DiagramError without a drawing.
    """
    parts = _parts([kind.declaration for kind in kinds], asset("setup.html"), asset("moves.html"))
    settings = {"games": [choices(kind, players) for kind in kinds]}
    return assembled("page.html", STYLES, LIVE, "maumau", parts, settings, "'self'")


def _parts(declarations: list[Declaration], setup: str, moves: str = "") -> dict[str, str]:
    """What is put into the frame of pages that step. setup: what stands above the machine; moves: beside it."""
    return {"drawings": "".join(map(drawing_element, declarations)), "setup": setup, "moves": moves}


def assembled(
    frame: str,
    styles: tuple[str, ...],
    modules: tuple[str, ...],
    title: str,
    parts: Mapping[str, str],
    data: Mapping[str, Any],
    connect: str,
) -> Document:
    """A page. frame: the file with the body of its HTML. styles, modules: the names of files, in their order.

    parts: what is put in place of the marks of the same names. connect: to which servers it may connect, as its policy
    has it.
    """
    style = "\n".join(asset(f"{name}.css") for name in styles).replace("/* dark */", asset("dark.css"))
    style = "\n" + STYLE_COMMENT.sub("", style)
    script = "\n" + COMMENT.sub("", joined(modules))  # comments and indents are a tenth of a page on a slow line
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
    return Document(MARK.sub(lambda found: filled[found[1]], asset("head.html") + asset(frame)), policy)


def joined(modules: tuple[str, ...]) -> str:
    """The source of modules as that of one: each has its names at the top level, and they are all different."""
    return "\n".join(EXPORT.sub("", IMPORT.sub("", asset(f"{module}.js"))) for module in modules)


def embedded(data: object) -> str:
    """`data` as JSON that may stand in any element: no character in it means something to HTML or ends a line."""
    text = json.dumps(data, separators=(",", ":"))
    return text.replace("<", r"\u003c").replace(">", r"\u003e").replace("&", r"\u0026")


def drawing_element(declaration: Declaration) -> str:
    """The drawing of a machine as a hidden part of a page. Raises DiagramError without a drawing."""
    return f'<div class="drawing" data-game="{declaration.name}" hidden>{drawing_of(declaration)}</div>'


def _hash(text: str) -> str:
    return f"'sha256-{b64encode(sha256(text.encode()).digest()).decode()}'"


def asset(name: str) -> str:
    """The text of a file of the pages."""
    return (files(__package__) / "assets" / name).read_text(encoding="utf-8")
