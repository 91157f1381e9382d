"""Pages, help and messages are plain English, as far as a program can see: what it refuses is listed in `REFUSED`."""

from __future__ import annotations

import ast
import inspect
import re
from collections.abc import Iterator, Mapping
from pathlib import Path

import pytest
from command import command_group
from command import maumau as run_maumau
from doc_blocks import DOCS, ROOT
from public_names import PURPOSES

import maumau

PAGES = sorted(
    [*DOCS.rglob("*.md"), *(ROOT / name for name in ("README.md", "SECURITY.md", "CONTRIBUTING.md", "CHANGELOG.md"))]
)
NAMES = [name for names in PURPOSES.values() for name in names.split()]
PACKAGES = ("rules", "fsm", "render", "maumau", "examples", "playground/python", "playground/levels")
MODULES = sorted(path for package in PACKAGES for path in (ROOT / package).rglob("*.py"))
REFUSED = {
    "X is no Y": r"(?i)(?<!there )\b(?:is|are|was|were) no (?!longer\b|more\b|fewer\b|less\b|later\b|faster\b|better\b)",
    "a bare Who or What as a subject": r"(?m)(?:^|[.;:!?]\s+|[(])[*\"']*(?:Who|What)\b(?![^.?!]*\?)",
    "anew": r"(?i)\banew\b",
    "but for": r"(?i)\bbut for\b",
    "for want of": r"(?i)\bfor want of\b",
    "in the mean": r"(?i)\bin the mean\b",
    "1 of a plural": r"(?<![\d.,:/-])(?<!layer )\b1 (?:game|card|player|point|round|seat|deck|position|event|move|rule|turn|match)e?s\b",
}
IN_MESSAGES = {
    "a bare who as a subject": r"^who (?!.*\?)(?!acts$)",
    "expected in place of what to do": r"(?i)[,;:] expected (?:an? |one |at |[\d…])|^expected ",
    "arc for a transition": r"^[Aa]rcs?:? [a-z…]|[a-z…][,;:]? arcs?\b(?![=(])",
}
"""Refused in messages and labels; `…` stands for a value in braces."""
IN_DOCSTRINGS = {name: REFUSED[name] for name in ("X is no Y", "anew", "but for", "for want of")}
IN_HELP = REFUSED | {"a bound that nobody types": r"\*\*|\d{19}"}
NO_VERB = re.compile(r"(?:The|An?|This|It|Its|What|Who|Whether|How|Why|Where|All|Each|Some)\b")
WIDTH = 88
FENCE = re.compile(r"^ *(`{3,}).*?^ *\1$", re.MULTILINE | re.DOTALL)
LINK = re.compile(r"!?\[[^\]]*\]\([^)]*\)|<a [^>]*>.*?</a>|https?://\S+|`[^`]{50,}`")


def faults(text: str, refused: Mapping[str, str] = REFUSED) -> list[str]:
    """Return the sentences of a text that a rule refuses, each with the rule."""
    found = ((name, each) for name, pattern in refused.items() for each in re.finditer(pattern, text))
    return [f"{name}: {text[max(0, each.start() - 30) : each.end() + 30]!r}" for name, each in found]


def prose(path: Path) -> str:
    """Return a page without its blocks of code."""
    return FENCE.sub("", path.read_text(encoding="utf-8"))


def place(path: Path) -> str:
    return str(path.relative_to(ROOT))


@pytest.mark.parametrize("page", PAGES, ids=place)
def test_a_page_is_written_in_plain_english(page: Path) -> None:
    assert faults(prose(page)) == []


@pytest.mark.parametrize("page", PAGES, ids=place)
def test_a_page_is_wrapped(page: Path) -> None:
    """A table, a heading, a comment, a link and code cannot be wrapped: it is the rest of a line that counts."""
    unwrapped = re.compile(r" {4}| *(?:\||#|<!--)")
    lines = [line for line in prose(page).splitlines() if not unwrapped.match(line)]
    assert [line for line in lines if len(LINK.sub("", line)) > WIDTH] == []


@pytest.mark.parametrize("name", ["", *command_group().commands])
def test_a_page_of_help_is_plain_english_and_breaks_no_word(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", "60")
    page = run_maumau(*name.split(), "--help").stdout
    assert faults(page, IN_HELP) == []
    assert [line for line in page.splitlines() if re.search(r"\w-$", line)] == []


def docstrings(tree: ast.AST) -> Iterator[ast.Constant]:
    """Yield what documents something: strings that stand alone."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant) and isinstance(node.value.value, str):
            yield node.value


def literals(tree: ast.AST) -> Iterator[tuple[int, str]]:
    """Yield the line and the text of each string that is not a docstring: labels, sentences, messages."""
    apart = {id(each) for each in docstrings(tree)}
    for node in ast.walk(tree):
        if isinstance(node, ast.JoinedStr):
            apart |= {id(part) for part in node.values}
            parts = (str(part.value) if isinstance(part, ast.Constant) else "…" for part in node.values)
            yield node.lineno, "".join(parts)
        elif isinstance(node, ast.Constant) and isinstance(node.value, str) and id(node) not in apart:
            yield node.lineno, node.value


@pytest.mark.parametrize("package", PACKAGES)
def test_sentences_and_messages_are_plain_english(package: str) -> None:
    found = []
    for path in MODULES:
        if path.is_relative_to(ROOT / package):
            refused = (
                REFUSED if any(part in path.parts for part in ("kernels", "batch_source.py")) else REFUSED | IN_MESSAGES
            )
            tree = ast.parse(path.read_text(encoding="utf-8"))
            said = [(line, fault) for line, text in literals(tree) for fault in faults(text, refused)]
            said += [(each.lineno, fault) for each in docstrings(tree) for fault in faults(each.value, IN_DOCSTRINGS)]
            found += [f"{place(path)}:{line}: {fault}" for line, fault in said]
    assert found == []


def methods(name: str) -> Iterator[tuple[str, str]]:
    """Yield the name and the docstring of a public function, or of each public method of a public class, not a field."""
    value = vars(maumau).get(name) or getattr(maumau, name)
    parts = {name: value} if inspect.isfunction(value) else vars(value) if inspect.isclass(value) else {}
    for part, each in parts.items():
        function = getattr(each, "__func__", each)
        is_field = part.startswith("_") or part in getattr(value, "__dataclass_fields__", ())
        if inspect.isfunction(function) and not is_field and function.__doc__:
            yield f"{name}.{part}", function.__doc__


@pytest.mark.parametrize("name", NAMES)
def test_a_public_function_says_first_what_it_does(name: str) -> None:
    assert [part for part, text in methods(name) if NO_VERB.match(text)] == []


@pytest.mark.parametrize(
    ("text", "named"),
    [
        ("unknown game 'skat', expected one of maumau", "expected in place of what to do"),
        ("arc …: says nothing", "arc for a transition"),
        ("… of … arcs covered", "arc for a transition"),
        ("{card} is no seven", "X is no Y"),
        ("Who cannot play draws one card.", "a bare Who or What as a subject"),
        ("The deck is short. What is left is dealt.", "a bare Who or What as a subject"),
        ("The cards are dealt anew.", "anew"),
        ("every phase but for the last", "but for"),
        ("draws for want of a cover", "for want of"),
        ("1 games follow", "1 of a plural"),
    ],
)
def test_what_is_refused_is_found(text: str, named: str) -> None:
    assert [fault.partition(": ")[0] for fault in faults(text, REFUSED | IN_MESSAGES)] == [named]


@pytest.mark.parametrize(
    "text",
    [
        "There is no winner.",
        "The card is no longer in a hand.",
        "What is legal, and what happens if you try something else?",
        "Player 1 wins 11 games.",
    ],
)
def test_plain_english_is_let_through(text: str) -> None:
    assert faults(text) == []
