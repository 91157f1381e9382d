"""How Sphinx builds the site: offline, from Markdown and docstrings, with every broken reference an error."""

from __future__ import annotations

import importlib
import re
import sys
from pathlib import Path
from pkgutil import resolve_name
from typing import Any

ROOT = Path(__file__).resolve().parents[1]
sys.path[:0] = [str(ROOT), str(ROOT / "docs" / "_ext")]

PACKAGES = ("rules", "fsm", "render", "maumau")
"""The packages of this project."""

CODE = re.compile(r"(?<!`)`([^`]+)`(?!`)")
SPECIAL = re.compile(r"[*|]|\b_|_\b")
"""Characters that mean something in reStructuredText."""

project = "maumau"
author = "the maumau contributors"
extensions = ["myst_parser", "sphinx.ext.autodoc", "sphinx_copybutton", "drawing", "playground_links"]
exclude_patterns = ["_build"]

html_theme = "furo"
html_title = "maumau"
html_show_copyright = False
html_copy_source = False

myst_enable_extensions = ["deflist"]
myst_heading_anchors = 3
copybutton_prompt_text = r">>> |\.\.\. |\$ "
copybutton_prompt_is_regexp = True

autodoc_member_order = "bysource"
autodoc_typehints = "signature"
autodoc_preserve_defaults = True

nitpick_ignore_regex = [
    # other projects, whose inventories are not fetched: the site is built offline
    (
        r"py:.*",
        r"(collections|concurrent|contextlib|dataclasses|enum|json|np|numpy|pathlib|transitions|types|typing)(\..*)?",
    ),
    (r"py:.*", r"(Any|Array|Callable|Iterable|Iterator|Mapping|MutableSequence|Path|Self|Sequence|StrEnum|IntEnum)"),
    (r"py:.*", r"[A-Z]"),  # type variables
    (r"py:class", r"RuleMarks"),  # of a class that no page shows
    (r"py:class", r"\w+\[\w+"),  # types that Sphinx cuts in two: `dict[int`
]


def documented_name(app: Any, env: Any, node: Any, contnode: Any) -> Any:
    """Resolve a name by the public module that documents it, wherever it is defined."""
    if node.get("refdomain") != "py":
        return None
    name = node["reftarget"].rsplit(".", 1)[-1]
    python = env.get_domain("py")
    places = {place for place in python.objects if place.rsplit(".", 1)[-1] == name}
    if len(places) != 1:
        return contnode if is_undocumented(node["reftarget"]) else None
    return python.resolve_xref(env, node["refdoc"], app.builder, "obj", places.pop(), node, contnode)


def is_undocumented(target: str) -> bool:
    """Whether a name, full or bare, is one of this project that exists, and is only not part of the reference."""
    if "." not in target:
        return any(hasattr(module, target) for name, module in list(sys.modules.items()) if of_this_project(name))
    try:
        return of_this_project(target) and resolve_name(target) is not None
    except (ImportError, AttributeError):
        return False


def of_this_project(name: str) -> bool:
    """Whether a full name belongs to one of the packages of this project."""
    return name.partition(".")[0] in PACKAGES


def plain_text(app: Any, what: str, name: str, object: Any, options: Any, lines: list[str]) -> None:
    """Docstrings are plain text with `code` in backticks, not reStructuredText; an indented line goes on."""
    begins_flush = False
    for place, line in enumerate(lines):
        if place == 0 or not lines[place - 1].strip():
            begins_flush = not line.startswith(" ")
        if not line.lstrip().startswith((">>>", "...")):
            parts = CODE.split(line.lstrip() if begins_flush else line)  # text and code in turn
            parts[::2] = [SPECIAL.sub(r"\\\g<0>", part) for part in parts[::2]]
            parts[1::2] = [f"``{part}``" for part in parts[1::2]]
            lines[place] = "".join(parts)


def setup(app: Any) -> None:
    """Register the resolver; import the package once, so that a broken import stops the build at once."""
    importlib.import_module("maumau")
    app.connect("missing-reference", documented_name)
    app.connect("autodoc-process-docstring", plain_text)
