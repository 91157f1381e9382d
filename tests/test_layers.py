"""The four floors: rules <- fsm <- render <- maumau. Imports go down only, at every level and for annotations too, never
in a cycle, and no general module depends on a game.
"""

from __future__ import annotations

import ast
import re
import sys
from collections import Counter
from collections.abc import Iterable, Iterator
from functools import cache
from graphlib import CycleError, TopologicalSorter
from pathlib import Path

import pytest
from packages import HOME

ROOT = Path(__file__).parents[1]
FLOORS = ["rules", "fsm", "render", "maumau"]
"""The lowest first."""

ROOMS: dict[str, tuple[tuple[str, ...], ...]] = {
    "fsm": (
        ("edge",),
        ("declaration",),
        ("table",),
        ("variants", "hashes"),
        ("stepping",),
        ("games",),
        ("registry", "outside"),
        ("match",),
        ("check",),
        ("records",),
        ("__init__",),
    ),
    "maumau": (
        ("version",),
        ("kernels",),
        ("agents", "diagrams"),
        ("solve",),
        ("play", "study"),
        ("cli",),
        ("__init__", "__main__"),
        ("kinds",),
    ),
    "maumau.kernels": (
        ("compiled",),
        ("compiler",),
        ("engine", "lanes"),
        ("bulk", "explorer", "targets"),
        ("__init__",),
    ),
    "maumau.play": (("table",), ("server", "terminal"), ("__init__",)),
}
"""The rooms of a floor or a package (its modules and packages), the lowest first."""


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


@pytest.mark.slow
@pytest.mark.parametrize("floor", FLOORS)
def test_a_floor_imports_nothing_from_above(floor: str) -> None:
    above = FLOORS[FLOORS.index(floor) + 1 :]
    assert [(where, name) for where, name in imports_of(floor) if name in above] == []


def test_no_module_is_longer_than_can_be_read_at_once() -> None:
    files = [path for floor in FLOORS for path in (HOME / floor).rglob("*.py")]
    assert [str(path) for path in files if len(path.read_text(encoding="utf-8").splitlines()) > 400] == []


def test_the_rules_import_only_rules_and_the_standard_library() -> None:
    allowed = {"rules", *sys.stdlib_module_names}
    assert [(where, name) for where, name in imports_of("rules") if name not in allowed] == []


@pytest.mark.slow
@pytest.mark.parametrize("floor", FLOORS)
def test_no_floor_imports_the_tests_or_benchmarks(floor: str) -> None:
    assert [where for where, name in imports_of(floor) if name in ("tests", "benchmarks", "plain_maumau")] == []


def test_the_plain_simulator_imports_nothing_of_the_project() -> None:
    names = {name for _, name in imports(ROOT / "tests" / "support" / "plain_maumau.py")}
    assert names <= set(sys.stdlib_module_names)


Edge = tuple[str, str]
"""A module and a module that it imports."""


@cache
def modules() -> dict[str, Path]:
    """The files of all modules by name; a package is named without `__init__`."""
    files = (path for floor in FLOORS for path in (HOME / floor).rglob("*.py"))
    return {".".join(path.relative_to(HOME).with_suffix("").parts).removesuffix(".__init__"): path for path in files}


def _imported(node: ast.AST) -> Iterator[str]:
    """The modules of the project that a statement imports."""
    if isinstance(node, ast.Import):
        yield from (alias.name for alias in node.names if alias.name in modules())
    elif isinstance(node, ast.ImportFrom):
        for alias in node.names:
            name = f"{node.module}.{alias.name}"
            yield from (found for found in [name if name in modules() else str(node.module)] if found in modules())


@cache
def edges() -> frozenset[Edge]:
    """All imports between modules, also those in functions and those for annotations only."""
    trees = ((module, ast.parse(path.read_text(encoding="utf-8"))) for module, path in modules().items())
    return frozenset((module, name) for module, tree in trees for node in ast.walk(tree) for name in _imported(node))


def graph_of(imports: Iterable[Edge]) -> dict[str, set[str]]:
    """The modules that each module imports."""
    graph: dict[str, set[str]] = {}
    for module, name in imports:
        graph.setdefault(module, set()).add(name)
    return graph


def cycle(imports: Iterable[Edge]) -> list[str]:
    """The modules of one import cycle; empty if there is none."""
    try:
        TopologicalSorter(graph_of(imports)).prepare()
    except CycleError as error:
        found: list[str] = error.args[1]
        return found
    return []


@pytest.mark.slow
def test_no_modules_import_each_other_in_a_cycle() -> None:
    assert cycle(edges()) == []


@pytest.mark.parametrize("depth", [1, 2, 3, 4])
def test_no_folders_import_each_other_in_a_cycle(depth: int) -> None:
    between = {(_folder(one, depth), _folder(other, depth)) for one, other in edges()}
    assert cycle(edge for edge in between if edge[0] != edge[1]) == []


def _folder(module: str, depth: int) -> str:
    """The folder in which a module is, so many folders deep; a module that is less deep stands for itself."""
    return ".".join(module.split(".")[:depth])


def room_of(module: str, package: str) -> str | None:
    """The room of a package in which a module is; None for one of another package."""
    if module == package:
        return "__init__"
    return module.removeprefix(f"{package}.").split(".")[0] if module.startswith(f"{package}.") else None


def between_rooms(package: str) -> set[Edge]:
    """Which rooms of a package import which others."""
    found = {(room_of(one, package), room_of(other, package)) for one, other in edges()}
    return {(one, other) for one, other in found if one and other and one != other}


@pytest.mark.parametrize("package", ROOMS)
def test_a_room_imports_only_rooms_beside_and_below_it(package: str) -> None:
    level = {room: number for number, rooms in enumerate(ROOMS[package]) for room in rooms}
    assert [edge for edge in sorted(between_rooms(package)) if level[edge[0]] < level[edge[1]]] == []


@pytest.mark.parametrize("package", ROOMS)
def test_every_module_is_in_a_room(package: str) -> None:
    there = {room for module in modules() if (room := room_of(module, package))}
    assert there == {room for rooms in ROOMS[package] for room in rooms}


@pytest.mark.parametrize("package", ["fsm", "maumau"])
def test_a_floor_shows_at_most_a_dozen_names(package: str) -> None:
    assert len([room for rooms in ROOMS[package] for room in rooms if room != "__init__"]) <= 12


@pytest.mark.parametrize("floor", FLOORS[:-1])
def test_no_module_names_one_of_a_higher_floor_in_a_string(floor: str) -> None:
    """As `import_module` takes it."""
    above = set(FLOORS[FLOORS.index(floor) + 1 :])
    words = ((path, word) for path in (HOME / floor).rglob("*.py") for _, word in code_words(path))
    assert [
        (path, word) for path, word in words if word in modules() and "." in word and word.split(".")[0] in above
    ] == []


def picture() -> str:
    """The rooms of the floors, the highest first, each with the rooms of its floor and the floors that it imports."""
    rooms = [(floor, room) for floor in FLOORS for level in ROOMS.get(floor, (("",),)) for room in level]
    return "\n".join(_line(floor, room) for floor, room in rooms[::-1] if not room.startswith("__"))


def _line(floor: str, room: str) -> str:
    inside = {module for module in modules() if not room or room_of(module, floor) == room}
    inside = {module for module in inside if module.split(".")[0] == floor}
    imported = {other for one, other in edges() if one in inside} - inside
    floors = [
        other for other in FLOORS[::-1] if other != floor and any(each.split(".")[0] == other for each in imported)
    ]
    order = [each for rooms in ROOMS.get(floor, ())[::-1] for each in rooms if each != "__init__"]
    beside = [each for each in order if any(room_of(one, floor) == each for one in imported)]
    return f"{floor:<8}{room:<13}{' '.join(beside):<71}{' '.join(floors)}".rstrip()


def test_the_picture_of_the_architecture_is_that_of_the_imports() -> None:
    page = (ROOT / "docs" / "architecture.md").read_text(encoding="utf-8")
    assert picture() in page, f"docs/architecture.md shows another picture than\n{picture()}"


def test_the_table_of_the_architecture_says_what_every_room_is_for() -> None:
    page = (ROOT / "docs" / "architecture.md").read_text(encoding="utf-8")
    rows = "".join(re.findall(r"^\| (`.*?) \|", page, re.MULTILINE)).replace("/`", "`")
    rooms = {f"{floor}/{room}" for floor in FLOORS for level in ROOMS.get(floor, ()) for room in level}
    assert {room for room in rooms if "__" not in room and f"`{room}`" not in rows} == set()


OF_GAMES = ("maumau", "uno", "uno_official", "mahjong")
WORDS_OF_GAMES = re.compile(
    r"mau.?mau|\buno\b|_uno(?!pened)|uno_|\bjacks?\b|\bsevens?\b|\bwilds?\b|draw.two|draw.four|\breverse\b|games\.mahjong|\b(pung|chow)s?\b",
    re.I,
)
NAMES_OF_THE_PACKAGE = re.compile(
    r"MAUMAU_CACHE|_MAUMAU_COMPLETE|^maumau\.(chunk|games|notebook|players)$"
    r"|^maumau\.(agents|cli|diagrams|kernels|play|solve|study|version)\b|(?<![.\w])maumau(?=[^\w])(?!\.\w*$)|(?<=[ '`])maumau\b"
)
EXCEPTIONS = {
    "fsm/__init__.py": "the public names of the games of this package",
    "fsm/registry.py": "the registry",
    "maumau/__init__.py": "the name of the package",
    "maumau/__main__.py": "the name of the command",
    "maumau/cli/options.py": "the default of --game",
    "maumau/cli/main.py": "the name of the command",
    "maumau/cli/output.py": "the name of the command",
    "maumau/cli/completion.py": "the name of the command",
    "maumau/kernels/compiler/cache.py": "the name of the folder of kernels",
    "maumau/play/server/tables/store.py": "the name of the folder of tables",
    "render/page/document.py": "the title of the page of the server",
    "maumau/study/report/tables.py": "a salt of identifiers",
    "maumau/study/identity.py": "the name of the package",
}


def general_modules() -> list[str]:
    """The modules that are of no game and of no other problem, but for those that are named as exceptions."""
    modules = (path.relative_to(HOME) for floor in FLOORS[1:] for path in (HOME / floor).rglob("*.py"))
    return sorted(
        path.as_posix() for path in modules if path.parts[1] not in ("games", "kinds") and str(path) not in EXCEPTIONS
    )


def _names(node: ast.Assign) -> list[str]:
    return [ast.unparse(target) for target in node.targets]


def code_words(path: Path) -> Iterator[tuple[int, str]]:
    """The line and the text of each name and string of a module, without docstrings and help texts."""
    tree = ast.parse(path.read_text(encoding="utf-8"))
    excluded = {id(node.value) for node in ast.walk(tree) if isinstance(node, ast.Expr)}
    excluded |= {id(node.value) for node in tree.body if isinstance(node, ast.Assign) and _names(node) == ["HELP"]}
    calls = [node for node in ast.walk(tree) if isinstance(node, ast.Call)]
    excluded |= {id(call.args[1]) for call in calls if isinstance(call.func, ast.Name) and call.func.id == "Command"}
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


def test_a_class_name_means_one_thing() -> None:
    """Except in house rules, whose classes are found by their game."""
    paths = [path for path in modules().values() if "house" not in path.parts]
    trees = (ast.parse(path.read_text("utf-8")) for path in paths)
    defined = Counter(node.name for tree in trees for node in tree.body if isinstance(node, ast.ClassDef))
    assert [name for name, times in defined.items() if times > 1] == []


def test_only_the_room_of_the_table_interprets_visibility() -> None:
    """Besides games, which declare it, and the declaration, which checks it and adds fields."""
    readers = {module for module, name in edges() if name == "rules.visibility"}
    others = {module for module in readers if not module.startswith(("rules.", "fsm.table.", "maumau.kinds."))}
    assert others == {"fsm.declaration.contents", "fsm.variants.made"}
    names = {"SeenBy", "visibility", "determined", "is_shown_at_end"}
    shared = [module for module, path in modules().items() if names & _bound(ast.parse(path.read_text("utf-8")))]
    assert set(shared) - {"fsm.declaration.contents", "fsm.table.sight", "rules.visibility"} == set()


def _bound(tree: ast.Module) -> set[str]:
    """The names that a module imports."""
    found = (node for node in ast.walk(tree) if isinstance(node, ast.ImportFrom))
    return {alias.name for node in found for alias in node.names}
