"""Write the page of all words of a game's file from the code: python docs/_ext/vocabulary.py."""

from __future__ import annotations

import ast
import importlib
import inspect
import re
import sys
import textwrap
from collections.abc import Callable, Iterator
from itertools import pairwise
from pathlib import Path
from typing import Any

HOME = Path(__file__).parents[2]
if str(HOME) not in sys.path:
    sys.path.insert(0, str(HOME))

from fsm.declaration.introspection import reached, source_tree  # noqa: E402
from fsm.declaration.shapes import rule_uses  # noqa: E402
from fsm.stepping.game import Game  # noqa: E402
from maumau import MODULES  # noqa: E402
from rules.rule import Role, role_of  # noqa: E402

PAGE = HOME / "docs" / "reference" / "vocabulary.md"
PARTS = (
    *("tricks", "bids", "broken", "passing", "stock"),
    *("shedding", "blocking", "fishing", "climbing", "places", "bouts", "quartets", "own_piles", "asking", "betting"),
    *("cards", "table", "piles", "queues", "sets", "melds", "seats", "drawing", "ending", "chance", "invariants"),
    *("notation", "visibility"),
)
"""The modules of `rules` for games of any kind."""
OF_GAMES = {
    "fsm": ["Declaration", "Game", "Offer", "Policy", "Scoring", "Choice", "register", "game_of"],
    **{name: names.split() for name, names in MODULES.items() if name.startswith(("fsm.declaration", "rules"))},
}
"""The public names of declarations, by module."""
MAKER = re.compile(r"^(Return )?an? (query|effect|guard|deal|choice)( \([^)]*\))?: ", re.IGNORECASE)
"""How the docstring begins of a function that makes a rule function."""
HEAD = """# The rule says, write

This page lists all words of a game's file: those of a declaration, imported from
`maumau`, and the parts of `rules.*`. `python docs/_ext/vocabulary.py` writes it from
the code.

The columns of parts say where a part works:

- *lanes*: `no` if a loop depends on the cards, so that a game with it is not played in
  [lanes](../lanes.md);
- *stock*, *partners*: `yes` if a game of the package or of `examples/` that has a
  stock, or partners, uses it, so that the checks hold it there.
"""


def games() -> Iterator[type[Game]]:
    """Yield the games of the package and of `examples/`."""
    import fsm

    yield from (fsm.MauMau, fsm.Uno, fsm.UnoOfficial)
    for path in sorted((HOME / "examples").glob("*.py")):
        module = importlib.import_module(f"examples.{path.stem}")
        own = (each for each in vars(module).values() if getattr(each, "__module__", "") == module.__name__)
        yield from (each for each in own if isinstance(each, type) and issubclass(each, Game))


def names_used(kinds: list[type[Game]]) -> set[tuple[str, str]]:
    """Return the module and the name of each rule function, or its maker, that some games use."""
    functions = [each for kind in kinds for use in rule_uses(kind.declaration) for each in use.functions if each]
    functions += [kind.declaration.deal_each for kind in kinds if kind.declaration.deal_each]
    functions += [each.holds for kind in kinds for each in kind.declaration.all_invariants]
    functions += [each.holds for kind in kinds for each in kind.declaration.postconditions]
    return {(each.__module__, each.__qualname__.split(".")[0]) for each in reached(functions)}


def has_stock(kind: type[Game]) -> bool:
    """Return whether a stock is left after the deal."""
    game, table = kind.declaration, kind.declaration.table()
    game.deal(table, game.dealable_deck, game.codec.fewest)
    return bool(table.stock)


def is_unbounded(function: Callable[..., Any]) -> bool:
    """Return whether a loop of a function, or of one that it defines, has limits that depend on the cards."""
    tree = source_tree(function)
    known = {**function.__globals__, **dict(inspect.getclosurevars(function).nonlocals)}

    def is_fixed(node: ast.expr) -> bool:
        if isinstance(node, ast.BinOp):
            return is_fixed(node.left) and is_fixed(node.right)
        if isinstance(node, ast.Call):
            return isinstance(node.func, ast.Name) and node.func.id in ("len", "min", "max", "sides_among")
        if isinstance(node, ast.Name):
            return node.id == "players" or isinstance(known.get(node.id), int | tuple) or node.id in fixed
        is_number = isinstance(node, ast.Constant | ast.UnaryOp)
        return is_number or (isinstance(node, ast.Attribute) and node.attr == "players")

    defined = (node for node in ast.walk(tree) if isinstance(node, ast.FunctionDef))
    fixed = {argument.arg for node in defined for argument in node.args.args} - {"table", "cards", "card"}
    for node in ast.walk(tree):
        if isinstance(node, ast.Assign) and isinstance(node.targets[0], ast.Name) and is_fixed(node.value):
            fixed.add(node.targets[0].id)
    loops = (node for node in ast.walk(tree) if isinstance(node, ast.For | ast.While))
    for loop in loops:
        if isinstance(loop, ast.While):
            return True
        if isinstance(loop.iter, ast.Call) and not all(map(is_fixed, loop.iter.args)):
            return True
    return False


def called(function: Any, found: dict[Any, None]) -> dict[Any, None]:
    """Return a function with those of `rules` that it, or a function that it makes, calls. found: some of them."""
    if function not in found:
        found[function] = None
        names = {node.id for node in ast.walk(source_tree(function)) if isinstance(node, ast.Name)}
        known = {**function.__globals__, **dict(inspect.getclosurevars(function).nonlocals)}
        for each in filter(inspect.isfunction, map(known.get, sorted(names))):
            if str(each.__module__).startswith("rules.") and each.__module__ != "rules.rule":
                called(each, found)
    return found


def signature(name: str, value: Any) -> str:
    """Return a name as it is written, with its arguments."""
    fields = getattr(value, "__dataclass_fields__", ()) if isinstance(value, type) else ("name",)
    if not callable(value) or not fields or "hands" in fields:
        return name
    try:
        parameters = list(inspect.signature(value).parameters.values())
    except (TypeError, ValueError):
        return name
    if role_of(value) in (Role.GUARD, Role.EFFECT, Role.CHOICE) or [each.name for each in parameters] == ["table"]:
        return name
    shown = [each.name + ("=" if each.default is not each.empty else "") for each in parameters if each.name != "_"]
    return f"{name}({', '.join(shown if len(shown) <= 6 else [*shown[:5], '...'])})"


def sentence(value: Any) -> str:
    """Return the first sentence of a docstring, as a cell of a table."""
    text = " ".join((inspect.getdoc(value) or "").split("\n\n")[0].split())
    first = text.split(". ")[0].removesuffix(".").removesuffix(":")
    first = MAKER.sub("", first).removeprefix("Return ")
    return (first[:1].upper() + first[1:]).replace("|", "\\|")


def constant_texts(module: Any) -> dict[str, str]:
    """Return the text below each constant of a module, by its name."""
    body, found = ast.parse(inspect.getsource(module)).body, {}
    for node, after in pairwise(body):
        if isinstance(node, ast.Assign) and isinstance(after, ast.Expr) and isinstance(after.value, ast.Constant):
            names = [each.id for each in ast.walk(node.targets[0]) if isinstance(each, ast.Name)]
            found |= dict.fromkeys(names, " ".join(str(after.value.value).split()).split(". ")[0].removesuffix("."))
    return found


def public(module: Any) -> Iterator[tuple[str, Any]]:
    """Yield the names that a module defines, with their values, but no helpers."""
    texts = constant_texts(module)
    for name, value in vars(module).items():
        own = getattr(value, "__module__", module.__name__) == module.__name__
        is_part = role_of(value) not in (None, Role.HELPER) or isinstance(value, type) or callable(value)
        if not name.startswith("_") and own and (is_part or (name.isupper() and name in texts)) and name != "SEEN_BY":
            yield name, value


def rows(module: Any, used: dict[str, set[tuple[str, str]]]) -> Iterator[str]:
    """Yield the rows of the table of a module of parts. used: the names that games use, by column."""
    texts = constant_texts(module)
    for name, value in public(module):
        says = (sentence(value) if callable(value) else "") or texts.get(name, "")
        if not says or says.startswith(f"{name}("):
            continue
        cells = ["", "", ""]
        if inspect.isfunction(value):
            cells[0] = "no" if any(map(is_unbounded, called(value, {}))) else "yes"
            cells[1:] = ["yes" * ((module.__name__, name) in used[column]) for column in ("stock", "partners")]
        yield f"| {says} | `{signature(name, value)}` | {' | '.join(cells)} |".replace("  ", " ")


def page() -> str:
    """Return the page."""
    kinds = list(games())
    used = {
        "stock": names_used([kind for kind in kinds if has_stock(kind)]),
        "partners": names_used([kind for kind in kinds if kind.declaration.scoring.sides]),
    }
    lines = [HEAD, "## Declarations", "", "| the rule says | write |", "|---|---|"]
    for module_name, names in OF_GAMES.items():
        module = importlib.import_module(module_name)
        for name in names:
            value = getattr(module, name)
            says = constant_texts(module).get(name, "") or (sentence(value) if callable(value) else "")
            if says:
                lines.append(f"| {says} | `{signature(name, value)}` |")
    for part in PARTS:
        module = importlib.import_module(f"rules.{part}")
        lines += ["", f"## `rules.{part}`", "", textwrap.fill(f"{sentence(module)}.", 88), ""]
        lines += ["| the rule says | write | lanes | stock | partners |", "|---|---|---|---|---|", *rows(module, used)]
    return "\n".join(lines) + "\n"


if __name__ == "__main__":
    PAGE.write_text(page(), encoding="utf-8")
    print(f"wrote {PAGE.relative_to(HOME)}", file=sys.stderr)
