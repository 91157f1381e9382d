"""What is compiled to machine code: source, with what it works on, and the names of rule functions in it.

Rule functions keep their own names where these are free, so that the source is readable. While source is written, a
function is mentioned by a word that nothing else is called. The names are chosen when all of it is there: two functions
of one name, a lambda, or a function called as a variable of the source get their own.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from io import StringIO
from itertools import count, pairwise
from keyword import iskeyword
from tokenize import NAME, generate_tokens
from typing import Any

from fsm.declaration.arcs import Guards
from fsm.declaration.declaration import Declaration
from rules.rule import RuleFunction

_MENTION = re.compile(r"_rule_\d+_")


@dataclass(frozen=True)
class Source:
    """Generated source. text: Python. functions: what each name in it stands for that it takes for granted."""

    text: str
    functions: Mapping[str, RuleFunction]

    @property
    def listing(self) -> str:
        """The source for people: with a comment on where each rule function is defined."""
        modules: dict[str, list[str]] = {}
        for name, function in self.functions.items():
            modules.setdefault(function.__module__, []).append(name)
        indices = [f"# {module}: {', '.join(sorted(names))}\n" for module, names in sorted(modules.items())]
        return "".join([*indices, "\n", self.text])


def mention(function: RuleFunction) -> str:
    """The word for a rule function in source that is being written."""
    return f"_rule_{id(function)}_"


def named(text: str, functions: Iterable[RuleFunction], compiled: Iterable[RuleFunction] = ()) -> Source:
    """Source in which each of `functions` that it mentions has a name.

    compiled: functions of `maumau.kernels.compiled` that it calls or that call it, by their own names.
    """
    given = {function.__name__: function for function in compiled}
    tokens = pairwise(generate_tokens(StringIO(text).readline))
    taken = {token.string for before, token in tokens if token.type == NAME and before.string != "."}
    taken |= given.keys()
    mentioned = {mention(function): function for function in functions}
    names: dict[str, str] = {}
    for word in dict.fromkeys(_MENTION.findall(text)):
        names[word] = _free(mentioned[word].__name__, taken)
        taken.add(names[word])
    text = _MENTION.sub(lambda found: names[found[0]], text)
    return Source(text, {name: mentioned[word] for word, name in names.items()} | given)


def module_source(
    title: str, parts: Iterable[str], functions: Iterable[RuleFunction], compiled: Iterable[RuleFunction] = ()
) -> Source:
    """Source of a module with a docstring, in which each of `functions` that it mentions has a name.

    parts: its definitions; those that are empty are left out. compiled: functions of `maumau.kernels.compiled` that it
    calls or that call it.
    """
    body = "\n\n\n".join(filter(None, parts))
    return named(f'"""{in_comment(title)}"""\n\n\n{body}\n', functions, compiled)


def in_comment(text: str) -> str:
    """Text as it may stand in a comment or a docstring of generated source: on one line, without quotes."""
    return " ".join(text.split()).replace('"', "'").replace("\\", "/")


def _free(name: str, taken: set[str]) -> str:
    """`name`, as far as it is one, or the next of `name_2`, `name_3`, ... that nothing is called."""
    plain = re.sub(r"\W", "", name)
    plain = plain if plain.isidentifier() and not iskeyword(plain) else f"function_{plain}"
    numbered = (plain if number == 1 else f"{plain}_{number}" for number in count(1))
    return next(each for each in numbered if each not in taken)


# ---------------------------------------------------------------- pieces that several modules write


def either(condition: str, then: list[str], otherwise: list[str]) -> list[str]:
    """An if statement; one in its else part goes on as elif."""
    lines = [f"if {condition}:", *(f"    {line}" for line in then)]
    if otherwise and otherwise[0].startswith("if "):
        return [*lines, f"el{otherwise[0]}", *otherwise[1:]]
    return [*lines, "else:", *(f"    {line}" for line in otherwise)] if otherwise else lines


def case(index: int, count: int, condition: str) -> str:
    """The head of case number `index` of `count` cases, one of which is true."""
    if index == count - 1:
        return "else" if index else "if True"
    return f"{'elif' if index else 'if'} {condition}"


def conjunction(when: Guards, unless: Guards = ()) -> str:
    """The condition that all guards of `when` hold and none of `unless`."""
    parts = [f"{mention(guard)}(table)" for guard in when] + [f"not {mention(guard)}(table)" for guard in unless]
    return " and ".join(parts)


@dataclass(frozen=True)
class Program:
    """Source to compile, and how its machine code is called.

    entry: the name of the function to call. write, subject: the source is `write(subject)`. warm_up: makes arguments
    for a call that compiles the entry and does no work. game: the game whose tables and decks it works on, if any.
    makers: the names of functions that make tables of other classes, with these classes. large: whether it takes
    seconds to compile, so that users are notified. small: whether it is made small, not as fast as can be, which takes
    half the time to compile where functions are many and long.
    """

    entry: str
    write: Callable[[Any], Source]
    subject: Any
    warm_up: Callable[[Any], tuple[Any, ...]]
    game: Declaration | None = None
    makers: tuple[tuple[str, type], ...] = ()
    large: bool = False
    small: bool = False

    @property
    def name(self) -> str:
        """The name of the game, for people."""
        return self.game.name if self.game else "results"

    def example(self) -> tuple[Any, ...]:
        """Arguments of the types that it takes, with which it does no work."""
        return self.warm_up(self.subject)
