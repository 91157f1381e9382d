"""Writes docs/reference/names.md: every public name by purpose, with the first sentence of its docstring.

python tests/support/public_names.py
"""

from __future__ import annotations

import ast
import inspect
import re
import textwrap
from importlib import import_module
from itertools import pairwise
from pathlib import Path
from typing import Any

import maumau

PAGE = Path(__file__).parents[2] / "docs" / "reference" / "names.md"
PURPOSES = {
    "The games of the package": "MauMau Uno UnoOfficial Mahjong MauMauPhase game_class game_of register RegistryError",
    "Step a game": (
        "Game Move Step Events View Outcome Position IllegalMove PositionError LongGameError Match information_state"
    ),
    "Record and replay": "record_of read_record replay RecordError",
    "Declare a game": (
        "Declaration DeclarationError Phase page turn choose forced ask Asking on lay offer best automaton Arc Control "
        "Offer Fact Look Guide Codec Call Scoring TRICK_FACTS STOCK_FACTS BOUT_FACTS CLIMBING_FACTS BETTING_FACTS BID_FACTS "
        "FISHING_FACTS MELD_FACTS QUARTET_FACTS PLACES SmallDeck phases TRICK_LOOK TRICK_POSTCONDITIONS "
        "trick_invariants trick_phases climbing_invariants"
    ),
    "Write rule functions": "guard effect query choice rule among Reason",
    "Declare players": (
        "Policy Choice RANDOM FIRST_LEGAL FunctionPolicy SteppedPolicy ObservingPolicy SearchPolicy Form register_form"
    ),
    "State and check properties": (
        "Invariant Postcondition ScoreInvariant always eventually leads_to Response explore explore_stepped survey "
        "Report Counterexample"
    ),
    "Write house rules": (
        "Variant Family Profile Rulebook in_phase Arcs AddArcs ChangeArcs ReplaceArcs SplitArcs DropArcs AddPhase "
        "CopyPhase DropPhase SetControl Allow Force Withdraw Decide AddField Constant Means Refuse Reveal Reword Show "
        "Check Waive AddDeck Beside ClashError UnknownRule"
    ),
    "Draw": "render Overlay",
    "Play many games": "bulk Results Totals StudySpec",
    "Learn and search": (
        "action_space ActionSpace Action layout ObservationLayout Field UnsupportedGame Batch Decisions Observed train "
        "TrainingSettings Net write_dataset strength best_response BestResponse Search Found Value"
    ),
    "Solve": "solve_open solve_position OpenHands solve_hidden HiddenHands respond_to Responses",
    "Seat people and computer players": "Table Setup Person Computer Refused Stale NotAsked",
}
HEAD = """# All public names

Every name is imported from `maumau`, as in `from maumau import MauMau, bulk`. The
[API reference](api.md) has the arguments; `help(maumau.MauMau)` shows the same in a
REPL. Rule functions of the games, such as guards and masks of cards, are imported from
`rules.*`.
"""
WIDTH = 88


def docstring_of(name: str) -> str:
    """Return the docstring of a public name; of a constant the text below it."""
    value = getattr(maumau, name)
    if inspect.ismodule(value) or inspect.isclass(value) or inspect.isroutine(value):
        return inspect.getdoc(value) or ""
    module = next(each for each, names in maumau.MODULES.items() if name in names.split())
    body = ast.parse(inspect.getsource(import_module(module))).body
    for assigned, below in pairwise(body):
        if _assigns(assigned, name) and isinstance(below, ast.Expr) and isinstance(below.value, ast.Constant):
            return str(below.value.value)
    return ""


def _assigns(statement: Any, name: str) -> bool:
    targets = getattr(statement, "targets", [getattr(statement, "target", None)])
    return any(isinstance(each, ast.Name) and each.id == name for each in targets)


def first_sentence(text: str) -> str:
    """Return the first sentence of a docstring in one line."""
    paragraph = " ".join(text.split("\n\n", maxsplit=1)[0].split())
    return re.split(r"(?<=[.!?]) (?=[A-Z`]|[a-z_, ]+: )", paragraph, maxsplit=1)[0]


def page() -> str:
    """Return the whole page."""
    parts = [HEAD]
    for purpose, names in PURPOSES.items():
        parts.append(f"## {purpose}\n")
        for name in names.split():
            said = f"`{name}`: {first_sentence(docstring_of(name))}"
            parts.append(textwrap.fill(said, WIDTH, initial_indent="- ", subsequent_indent="  "))
        parts.append("")
    return "\n".join(parts)


if __name__ == "__main__":
    PAGE.write_text(page(), encoding="utf-8")
