"""`maumau rules`: the house rules of a game."""

from __future__ import annotations

from collections.abc import Iterator

from fsm.registry import game_class
from fsm.stepping.game import Game
from maumau.cli.chosen import game_with_rules
from maumau.cli.interrupt import BadInput
from maumau.cli.output import say


def run(name: str | None, game: str) -> None:
    """Run `maumau rules`."""
    kind = game_class(game)
    if name is None:
        say("\n".join(_listed(kind)))
        return
    if not name:
        raise BadInput(f"maumau rules: {name!r} is not the name of a rule; `maumau rules` lists them")
    say("\n\n".join(_described(kind, game_class(game_with_rules(game, name, "maumau rules")))))


def _listed(kind: type[Game]) -> Iterator[str]:
    """Every rule with its description, then the families and the profiles."""
    book = kind.rulebook()
    known = book.listed()
    if not known:
        yield f"{kind.declaration.title} has no house rules of its own; --with FILE.py:NAME uses a rule of your own."
        return
    width = max(len(rule.name) for rule in known)
    yield from (f"{rule.name:{width}}  {rule.description}" for rule in known)
    for family in book.families:
        yield f"\n{family}: {family.name}-{family.common} is listed."
    for profile in book.profiles:
        yield f"\n{profile.name}: {', '.join(profile.rules)}\n  {profile.origin}"


def _described(kind: type[Game], chosen: type[Game]) -> Iterator[str]:
    """Each rule of a class with its description, its arcs and the rules that it excludes. kind: the game without."""
    for rule in chosen.rules:
        marks = kind.with_rules(rule).rule_marks
        lines = [f"{rule.name}: {rule.description}"]
        for what, arcs in (("added", marks.added), ("changed", marks.changed), ("removed", marks.removed)):
            lines += (f"  {what:8}{arc}\n          {arc.description}" for arc in arcs)
        others = {other.name: other.excludes.get(rule.name, "") for other in kind.rulebook().listed()}
        excluded = {name: reason for name, reason in others.items() if reason} | dict(rule.excludes)
        lines += (f"  excludes {name}: {reason}" for name, reason in excluded.items())
        yield "\n".join(lines)
