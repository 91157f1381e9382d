"""The drawing of a machine on a page: the shipped one, if it is up to date with the declaration.

So every page has the same layout, and Graphviz is not needed. A declaration that has changed is drawn anew.
"""

from __future__ import annotations

import re
from hashlib import sha256
from importlib.resources import files

from fsm.declaration.declaration import Declaration
from render.diagram.dot import brief
from render.diagram.extract import extract
from render.diagram.picture import draw_svg

SOURCE = re.compile(r"<!-- of DOT ([0-9a-f]{64}) -->\n")


def drawing_of(declaration: Declaration) -> str:
    """The `<svg>` element of a machine. Raises DiagramError if it must be drawn and nothing is installed that can."""
    shipped = files(__package__) / "drawings" / f"{declaration.name}.svg"
    text = shipped.read_text(encoding="utf-8") if shipped.is_file() else ""
    found = SOURCE.match(text)
    if found is None or found[1] != fingerprint(declaration):
        text = drawn(declaration)
    return SOURCE.sub("", text).strip()


def drawn(declaration: Declaration) -> str:
    """The file of a drawing, made now. Raises DiagramError."""
    diagram = extract(declaration)
    text = draw_svg(diagram, brief(diagram))
    for pattern, new in _LEFT_OUT:
        text = pattern.sub(new, text)
    return f"<!-- of DOT {fingerprint(declaration)} -->\n{text.strip()}\n"


def fingerprint(declaration: Declaration) -> str:
    """What identifies the drawing of a declaration: the hash of its DOT."""
    return sha256(brief(extract(declaration)).encode()).hexdigest()


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
