"""`maumau new`: a file with a small game of a kind, as a start for one of your own."""

from __future__ import annotations

import re
import sys
from pathlib import Path

from fsm.registry import names
from maumau.cli.interrupt import BadInput, one_line
from maumau.cli.output import STANDARD_OUTPUT, print_message, write_output, writing

KINDS = Path(__file__).parents[1] / "kinds"
"""Where the games are that are copied."""
IMPORTED = {
    __name__.partition(".")[0],
    "fsm",
    "render",
    "rules",
    "transitions",
    "graphviz",
    "click",
    "numpy",
    "llvmlite",
}
"""The packages that a game and its commands import, except those of Python."""
SUCH_AS = "choose a name such as my_game.py"


def run(file: str, kind: str) -> None:
    """Run `maumau new`."""
    stem = Path(file).stem
    if file != STANDARD_OUTPUT and (Path(file).suffix != ".py" or not re.fullmatch("[A-Za-z][A-Za-z0-9_]*", stem)):
        raise BadInput(f"{one_line(file) or repr(file)}: not the name of a file with a game; {SUCH_AS}")
    if file != STANDARD_OUTPUT and stem in sys.stdlib_module_names | IMPORTED:
        raise BadInput(f"{one_line(file)}: would be imported in place of the module {stem}; {SUCH_AS}")
    words = ["my", "game"] if file == STANDARD_OUTPUT else [word for word in stem.split("_") if word]
    name, title = "".join(word[0].upper() + word[1:] for word in words), " ".join(map(str.capitalize, words))
    text = (KINDS / f"{kind}.py").read_text(encoding="utf-8")
    constant = "_".join(words).upper()
    text = text.replace(f"My{kind.capitalize()}", OWN_NAME)
    if any(re.search(rf"\b{each}\b", text) for each in {name, constant, f"{name}Phase", f"{name}Table"} - OWN):
        raise BadInput(f"{one_line(file)}: the file itself needs the name {name} or {constant}; choose another name")
    if (slug := "-".join(words).lower()) in names():
        raise BadInput(f"{one_line(file)}: the game {slug} is built in; choose another name")
    for old, new in ((OWN_NAME, name), ("MY_GAME", constant), ("My Game", title)):
        text = text.replace(old, new)
    if file == STANDARD_OUTPUT:
        write_output(file, text)
        return
    with writing(file) as path:
        if path.exists():
            raise BadInput(f"{one_line(file)}: already exists; choose another name")
    write_output(file, text)
    print_message(f"maumau check --game {one_line(file)}:{name} checks it; change the places marked CHANGE")


OWN_NAME = "MyGame"
OWN = {OWN_NAME, "MY_GAME", f"{OWN_NAME}Phase", f"{OWN_NAME}Table"}
"""The names in a file of a kind that are replaced."""
