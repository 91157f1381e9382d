"""The directive `drawing`: a command is shown, and what it draws. The picture is made when the site is built.

    ```{drawing} What the picture shows
    maumau diagram --game turnstile.py:Turnstile --format svg
    ```

The command runs in the folder of the page and prints SVG, or the language of Graphviz.
"""

from __future__ import annotations

import base64
import os
import subprocess
import sys
from html import escape
from pathlib import Path
from typing import Any, ClassVar

from docutils import nodes
from docutils.parsers.rst import Directive

ROOT = Path(__file__).resolve().parents[2]
DRAW = """
import sys
from render.diagram.dot import draw
svg = draw(sys.stdin.read(), "svg").decode()
print(svg[svg.index("<svg"):])
"""
"""Draws the language of Graphviz, in a process of its own: libraries of fonts may write warnings."""
PATH = f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"


class Drawing(Directive):
    """A command with its picture, as an image with the words of the argument."""

    required_arguments = 1
    final_argument_whitespace = True
    has_content = True
    option_spec: ClassVar[dict[str, Any]] = {}

    def run(self) -> list[nodes.Node]:
        """The nodes of the command and of the picture."""
        command = "\n".join(self.content)
        folder = Path(self.state.document.current_source).parent
        try:
            data = base64.b64encode(drawn(command, folder).encode()).decode()
        except subprocess.CalledProcessError as error:
            raise self.error(f"{command}: {error.stderr.strip()}") from None
        words = escape(self.arguments[0])
        image = f'<img alt="{words}" src="data:image/svg+xml;base64,{data}">'
        block = nodes.literal_block(command, command, language="sh")
        return [block, nodes.raw("", f"<figure>{image}<figcaption>{words}.</figcaption></figure>", format="html")]


def drawn(command: str, folder: Path) -> str:
    """The SVG that a command draws. Raises CalledProcessError where it fails."""
    printed = _printed(["bash", "-c", f"set -o pipefail\n{command}"], folder)
    if printed.startswith("digraph"):
        return _printed([sys.executable, "-c", DRAW], folder, printed)
    return printed


def _printed(command: list[str], folder: Path, given: str = "") -> str:
    environment = {**os.environ, "PATH": PATH, "PYTHONPATH": str(ROOT)}
    done = subprocess.run(command, cwd=folder, env=environment, input=given, capture_output=True, text=True, check=True)
    return done.stdout


def setup(app: Any) -> dict[str, bool]:
    """Add the directive."""
    app.add_directive("drawing", Drawing)
    return {"parallel_read_safe": True}
