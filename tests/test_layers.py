"""The layers of the code: cli -> render -> study -> play -> agents -> fsm -> rules. Imports go down only, never in a
cycle, and no general module depends on a game.
"""

from __future__ import annotations

import ast
import re
import sys
from collections.abc import Iterable, Iterator
from functools import cache
from graphlib import CycleError, TopologicalSorter
from pathlib import Path

import pytest
from packages import HOME

ROOT = Path(__file__).parents[1]
FLOORS = ["rules", "fsm", "agents", "play", "study", "render", "cli"]
"""The lowest first."""


def imports(path: Path) -> Iterator[tuple[int, str]]:
    """The line and the top-level name of each import of a module, those inside of functions too."""
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            yield from ((node.lineno, alias.name.split(".")[0]) for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, f"{path}:{node.lineno}: a relative import"
            yield node.lineno, str(node.module).split(".")[0]


def imports_of(floor: str) -> list[tuple[str, str]]:
    found = sorted((HOME / floor).rglob("*.py"))
    assert found
    return [(f"{path.relative_to(HOME)}:{line}", name) for path in found for line, name in imports(path)]


@pytest.mark.parametrize("floor", FLOORS)
def test_a_floor_imports_nothing_from_above(floor: str) -> None:
    above = FLOORS[FLOORS.index(floor) + 1 :]
    assert [(where, name) for where, name in imports_of(floor) if name in above] == []


def test_the_rules_import_only_rules_and_the_standard_library() -> None:
    allowed = {"rules", *sys.stdlib_module_names}
    assert [(where, name) for where, name in imports_of("rules") if name not in allowed] == []


@pytest.mark.parametrize("floor", FLOORS)
def test_no_floor_imports_the_tests_or_benchmarks(floor: str) -> None:
    assert [where for where, name in imports_of(floor) if name in ("tests", "benchmarks", "plain_maumau")] == []


def test_the_plain_simulator_imports_nothing_of_the_project() -> None:
    names = {name for _, name in imports(ROOT / "tests" / "support" / "plain_maumau.py")}
    assert names <= set(sys.stdlib_module_names)


Edge = tuple[str, str]
"""A module and a module that it imports."""

ROOMS = (
    ("kept", "numbers", "outside_files", "regular_file"),
    ("arcs", "asking", "chain", "chart", "endless", "extras", "look", "policy", "scoring", "table_fields", "values"),
    ("checked", "contents", "declaration"),
    ("compiler",),
    ("variants",),
    ("lanes",),
    ("stepping",),
    ("registry", "outside"),
    ("rounds",),
    ("bulk", "match", "record", "transcript"),
    ("check",),
    ("maumau", "uno", "uno_official", "mahjong"),
    ("__init__",),
)
"""The rooms of fsm (modules and packages), the lowest first: a room imports only rooms beside and below it."""

ANNOTATIONS_ONLY = {
    ("fsm.stepping.small_deck", "fsm.stepping.game"),
    ("fsm.stepping.steps", "fsm.stepping.game"),
    ("fsm.stepping.steps", "fsm.stepping.moves"),
    ("fsm.variants.classes", "fsm.stepping.game"),
}
"""Imports for annotations that would close a cycle at run time: the helpers of `Game` take and return games, and a step
is printed with the help of a function that takes steps.
"""


@cache
def modules() -> dict[str, Path]:
    """The files of all modules by name; a package is named without `__init__`."""
    files = (path for floor in FLOORS for path in (HOME / floor).rglob("*.py"))
    return {".".join(path.relative_to(HOME).with_suffix("").parts).removesuffix(".__init__"): path for path in files}


def _for_annotations(tree: ast.AST) -> set[int]:
    """The ids of the nodes under `if TYPE_CHECKING`."""
    tests = (node for node in ast.walk(tree) if isinstance(node, ast.If) and ast.unparse(node.test) == "TYPE_CHECKING")
    return {id(node) for test in tests for statement in test.body for node in ast.walk(statement)}


def _imported(node: ast.AST) -> Iterator[str]:
    """The modules of the project that a statement imports."""
    if isinstance(node, ast.Import):
        yield from (alias.name for alias in node.names if alias.name in modules())
    elif isinstance(node, ast.ImportFrom):
        for alias in node.names:
            name = f"{node.module}.{alias.name}"
            yield from (found for found in [name if name in modules() else str(node.module)] if found in modules())


@cache
def edges(*, annotations: bool) -> frozenset[Edge]:
    """All imports between modules, also those in functions: at run time, or for annotations only."""
    found = set()
    for module, path in modules().items():
        tree = ast.parse(path.read_text(encoding="utf-8"))
        marked = _for_annotations(tree)
        nodes = (node for node in ast.walk(tree) if (id(node) in marked) == annotations)
        found |= {(module, name) for node in nodes for name in _imported(node)}
    return frozenset(found)


def graph_of(imports: Iterable[Edge]) -> dict[str, set[str]]:
    """The modules that each module imports."""
    graph: dict[str, set[str]] = {}
    for module, name in imports:
        graph.setdefault(module, set()).add(name)
    return graph


def leads(graph: dict[str, set[str]], start: str, end: str) -> bool:
    """Whether imports lead from one module to another one."""
    seen, waiting = {start}, [start]
    while waiting:
        new = graph.get(waiting.pop(), set()) - seen
        seen |= new
        waiting += new
    return end in seen


def cycle(imports: Iterable[Edge]) -> list[str]:
    """The modules of one import cycle; empty if there is none."""
    try:
        TopologicalSorter(graph_of(imports)).prepare()
    except CycleError as error:
        found: list[str] = error.args[1]
        return found
    return []


def test_no_modules_import_each_other_in_a_cycle() -> None:
    assert cycle(edges(annotations=False)) == []


def folder_of(module: str) -> str:
    """The folder of a floor in which a module is; a module that is in none stands for itself."""
    return ".".join(module.split(".")[:2])


@pytest.mark.parametrize("package", sorted({module.split(".")[0] for module in modules()} - {"rules"}))
def test_a_package_checks_the_names_of_all_packages_that_it_imports(package: str) -> None:
    """Directly or by others of them; what an import only names for annotations is not imported."""
    between = {(one.split(".")[0], other.split(".")[0]) for one, other in edges(annotations=False)}
    needed = {other for other in graph_of(between) | {"rules": set()} if leads(graph_of(between), package, other)}
    (call,) = re.findall(r"^check\((.*?)\)", (HOME / package / "__init__.py").read_text(encoding="utf-8"), re.M)
    assert set(re.findall(r'"(\w+)"', call)) == needed - {package}


def test_no_folders_import_each_other_in_a_cycle() -> None:
    between = {(folder_of(one), folder_of(other)) for one, other in edges(annotations=False)}
    assert cycle(edge for edge in between if edge[0] != edge[1]) == []


def test_only_the_listed_imports_for_annotations_close_a_cycle() -> None:
    everything = edges(annotations=False) | edges(annotations=True)
    assert cycle(everything - ANNOTATIONS_ONLY) == []
    assert edges(annotations=True) >= ANNOTATIONS_ONLY
    graph = graph_of(everything - ANNOTATIONS_ONLY)
    assert [(module, name) for module, name in sorted(ANNOTATIONS_ONLY) if not leads(graph, name, module)] == []


def room_of(module: str) -> str:
    return module.split(".")[1] if "." in module else "__init__"


def test_a_room_of_fsm_imports_only_rooms_beside_and_below_it() -> None:
    level = {room: number for number, rooms in enumerate(ROOMS) for room in rooms}
    inside = sorted((one, other) for one, other in edges(annotations=False) if one[:3] == other[:3] == "fsm")
    assert [edge for edge in inside if level[room_of(edge[0])] < level[room_of(edge[1])]] == []


def test_every_module_of_fsm_is_in_a_room() -> None:
    there = {room_of(module) for module in modules() if module.split(".")[0] == "fsm"}
    assert there == {room for rooms in ROOMS for room in rooms}


OF_GAMES = ("maumau", "uno", "uno_official", "mahjong")
WORDS_OF_GAMES = re.compile(
    r"mau.?mau|\buno\b|_uno|uno_|\bjacks?\b|\bsevens?\b|\bwilds?\b|draw.two|draw.four|\breverse\b|fsm.games.mahjong|\b(pung|chow)s?\b",
    re.I,
)
NAMES_OF_THE_PACKAGE = re.compile(
    r"MAUMAU_CACHE|_MAUMAU_COMPLETE|^_maumau$|^maumau\.(chunk|games|notebook)$"
    r"|(?<![.\w])maumau(?=[^\w])(?!\.\w*$)|(?<=[ '`])maumau\b"
)
EXCEPTIONS = {
    "fsm/__init__.py": "the public names of the games of this package",
    "fsm/registry.py": "the registry",
    "maumau/cli/options.py": "the default of --game",
    "maumau/cli/main.py": "the name of the command",
    "maumau/cli/completion.py": "the name of the command",
    "maumau/kernels/compiler/cache.py": "the name of the folder of kernels",
    "maumau/play/server/tables/store.py": "the name of the folder of tables",
    "render/page/document.py": "the title of the page of the server",
    "maumau/study/report/plots.py": "a salt of identifiers",
    "maumau/study/identity.py": "the name of the package",
}


def general_modules() -> list[str]:
    """The modules that are of no game and of no other problem, but for those that are named as exceptions."""
    modules = (path.relative_to(HOME) for floor in FLOORS[1:] for path in (HOME / floor).rglob("*.py"))
    return sorted(path.as_posix() for path in modules if path.parts[1] not in OF_GAMES and str(path) not in EXCEPTIONS)


def _names(node: ast.Assign) -> list[str]:
    return [ast.unparse(target) for target in node.targets]


def code_words(path: Path) -> Iterator[tuple[int, str]]:
    """The line and the text of each name and string of a module, without docstrings and help texts."""
    tree = ast.parse(path.read_text(encoding="utf-8"))
    excluded = {id(node.value) for node in ast.walk(tree) if isinstance(node, ast.Expr)}
    excluded |= {id(node.value) for node in tree.body if isinstance(node, ast.Assign) and _names(node) == ["HELP"]}
    for node in ast.walk(tree):
        if id(node) in excluded:
            continue
        for field in ("id", "attr", "arg", "name", "module", "value"):
            if isinstance(word := getattr(node, field, None), str):
                yield getattr(node, "lineno", 0), word


@pytest.mark.parametrize("module", general_modules())
def test_no_branch_table_or_import_of_a_general_module_mentions_a_game(module: str) -> None:
    words = ((line, NAMES_OF_THE_PACKAGE.sub("", word)) for line, word in code_words(HOME / module))
    assert [(line, word) for line, word in words if WORDS_OF_GAMES.search(word)] == []


def test_every_folder_of_modules_is_a_package_so_that_it_is_installed() -> None:
    root = Path(__file__).parents[1]
    folders = {path.parent for top in FLOORS for path in (root / top).rglob("*.py")}
    assert [str(folder) for folder in sorted(folders) if not (folder / "__init__.py").exists()] == []
