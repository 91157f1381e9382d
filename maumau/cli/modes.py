"""The modes of commands: each command declares which of its options have an effect in which mode.

An option that is given where it has none is refused: who gives it expects that it does something.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from functools import wraps
from typing import Any

import click
from click.core import ParameterSource

from maumau.cli.interrupt import BadInput

Given = Mapping[str, Any]
"""The options that are given, by their long names, with their values."""
Rule = Callable[[Given], Iterator[str]]
"""What is wrong with the options that are given."""
Command = Callable[..., Any]


def modes(*rules: Rule) -> Callable[[Command], Command]:
    """Declare the modes of a command, which are checked before it does anything; it stands above its options."""

    def declared(function: Command) -> Command:
        @wraps(function)
        def command(*arguments: Any, **options: Any) -> Any:
            given = given_options()
            for rule in rules:
                _raise(rule(given))
            return function(*arguments, **options)

        return command

    return declared


def only_with(mode: str | tuple[str, ...], *options: str, reason: str) -> Rule:
    """These options have an effect only together with the option `mode`, or with one of several."""
    expected = (mode,) if isinstance(mode, str) else mode

    def faults(given: Given) -> Iterator[str]:
        if not any(option in given for option in expected):
            named = " or ".join(expected)
            yield from (f"{option}: expected {named} with it, {reason}" for option in options if option in given)

    return faults


def not_with(mode: str, *options: str, reason: str, value: object = None) -> Rule:
    """These options have no effect together with the option `mode`, or with this value of it."""
    named = mode if value is None else f"{mode} {value}"

    def faults(given: Given) -> Iterator[str]:
        if mode in given and (value is None or given[mode] == value):
            yield from (f"{option}: expected without {named}, {reason}" for option in options if option in given)

    return faults


def one_of(*options: str) -> Rule:
    """Of these options, each of which decides alone what the command does, only one may be given."""

    def faults(given: Given) -> Iterator[str]:
        found = [option for option in options if option in given]
        if len(found) > 1:
            yield f"{' and '.join(found)}: expected one of them"

    return faults


def refuse_given(expected: str, *options: str) -> None:
    """Refuse options that have no effect with this input, which is known only when it is read. Raises BadInput."""
    given = given_options()
    _raise(f"{option}: expected {expected}" for option in options if option in given)


def _raise(faults: Iterable[str]) -> None:
    """Raise BadInput if there is a fault."""
    if text := "\n".join(faults):
        raise BadInput(text)


def given_options() -> Given:
    """The options that are given to the command that runs; those that have their default without are none."""
    context = click.get_current_context()
    return {
        min(parameter.opts, key=lambda name: not name.startswith("--")): context.params.get(str(parameter.name))
        for parameter in context.command.params
        if context.get_parameter_source(str(parameter.name)) is not ParameterSource.DEFAULT
    }
