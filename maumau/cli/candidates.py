"""What a shell offers for the values of options: names of rules, policies, phases and formats.

The game is that of `--game` on the same line. No file is executed: of a game in a file nothing is offered but files.
"""

from __future__ import annotations

from collections.abc import Iterable

import click
from click.shell_completion import CompletionItem

from fsm.declaration.policy import forms
from fsm.registry import RegistryError, game_class, is_reference
from fsm.stepping.game import Game
from maumau.cli.options import DEFAULT_GAME

SEPARATOR = ","


def rules(context: click.Context, incomplete: str) -> list[CompletionItem]:
    """Return the house rules and profiles that may follow in a list of names, else files with rules."""
    kind = _kind(context)
    book = kind.rulebook() if kind else None
    names = [rule.name for rule in book.listed()] + [profile.name for profile in book.profiles] if book else []
    return _listed(names, incomplete)


def policies(context: click.Context, incomplete: str) -> list[CompletionItem]:
    """Return the policies that may follow in a list of names, else files with players."""
    kind = _kind(context)
    names = [policy.name for policy in kind.declaration.policies] if kind else []
    for form in forms():
        names += [form.prefix] if form.alone else []
        names += [f"{form.prefix}:"] if form.operand else []
    return _listed(names, incomplete, repeated=True)


def phases(context: click.Context, incomplete: str) -> list[CompletionItem]:
    """Return the phases of the game, or of its matches."""
    from fsm.match.setup import MATCH

    kind = _kind(context, context.params.get("rules") or "")
    if context.params.get("is_match"):
        return _beginning(MATCH.phases, incomplete)
    return _beginning(kind.declaration.phases if kind else (), incomplete)


def formats(context: click.Context, incomplete: str) -> list[CompletionItem]:
    """Return the formats of diagrams."""
    from render.diagram import FORMATS

    return _beginning(FORMATS, incomplete)


def _kind(context: click.Context, rules: str = "") -> type[Game] | None:
    """Return the class of the registered game that the line names, with house rules; None for any other game."""
    names = [str(context.params.get("game") or DEFAULT_GAME), *filter(None, rules.split(SEPARATOR))]
    if any(map(is_reference, names)):
        return None
    try:
        return game_class("+".join(names))
    except (RegistryError, ValueError):
        return None


def _listed(names: Iterable[str], incomplete: str, *, repeated: bool = False) -> list[CompletionItem]:
    """Return what may stand after the last comma, with what stands before it. repeated: whether names may return."""
    before, comma, last = incomplete.rpartition(SEPARATOR)
    taken = () if repeated else before.split(SEPARATOR)
    found = _beginning((name for name in names if name not in taken), last, before + comma)
    return found or [CompletionItem(incomplete, type="file")]


def _beginning(names: Iterable[str], incomplete: str, before: str = "") -> list[CompletionItem]:
    """Return the names that begin so. before: what stands before each."""
    return [CompletionItem(f"{before}{name}") for name in names if name.startswith(incomplete)]
