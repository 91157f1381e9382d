"""The source of a program for people: its functions with what is known of the game put in place."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator, Mapping
from typing import Any

from maumau.kernels.compiler.folding import is_table
from maumau.kernels.compiler.interpreted import Function, is_compiled, is_plain, mentioning
from maumau.kernels.compiler.partial import Evaluation
from maumau.kernels.compiler.syntax import count_names, with_names

PHASE = re.compile(r"^( *(?:(?:el)?if )?phase\w* (?:==|=) )(\d+)(:?)$", re.MULTILINE)
"""Where the number of a phase stands alone."""


def listed(text: str, functions: Mapping[str, Function]) -> Iterator[str]:
    """Yield the constants of a program and its functions. text, functions: as of `KernelSource`."""
    names: dict[str, Any] = dict(functions)
    if "np." in text:
        import numpy

        names["np"] = numpy
    tree = ast.parse(text)
    exec(compile(tree, "<listed>", "exec"), names)
    yield "\n".join(ast.get_source_segment(text, node) or "" for node in tree.body if _is_shown(node, names))
    called = {id(function): name for name, function in functions.items()}
    phases = names.get("PHASE_NAMES", ())
    queue: list[tuple[str, Any, dict[str, object]]] = [
        (name, function, {})
        for name, function in functions.items()
        if is_compiled(function) and _is_of(function, names)
    ]

    def mentioned(value: object, known: Mapping[str, object]) -> str:
        plain = called.get(id(value)) or str(getattr(value, "__name__", type(value).__name__))
        if not known:
            return plain
        same = [name for name, function, its in queue if function is value and its == known]
        if not same:
            same = [f"{plain}_{sum(function is value for _, function, _ in queue) + 1}"]
            queue.append((same[0], value, dict(known)))
        return same[0]

    for name, function, known in queue:  # it grows
        written = mentioning(by_arguments(Evaluation(names).evaluated(function, known)), mentioned, drop=True)
        written.name = name
        written.args.args = [each for each in written.args.args if each.arg not in known]
        yield PHASE.sub(lambda found: _named(found, phases), ast.unparse(written))


def by_arguments(function: ast.FunctionDef) -> ast.FunctionDef:
    """A function in which names that stand for arguments from its beginning on are those of the arguments."""
    often = count_names(function.body)
    documented = function.body[: ast.get_docstring(function) is not None]
    given: dict[str, str] = {}
    for each in (left := function.body[len(documented) :]):
        match each:
            case ast.Assign([ast.Name(new)], ast.Name(old)) if often[old] == 1:
                given[new] = old
            case _:
                break
    body = with_names(left[len(given) :], lambda each: ast.Name(given.get(each.id, each.id), each.ctx))
    return ast.copy_location(ast.FunctionDef(function.name, function.args, [*documented, *body], [], None), function)


def _is_shown(node: ast.stmt, names: Mapping[str, Any]) -> bool:
    """Whether a constant is shown: functions show those in which there are functions."""
    match node:
        case ast.Assign([ast.Name(name)]):
            return not isinstance(names[name], tuple) or is_plain(names[name])
    return True


def _is_of(function: Any, names: Mapping[str, Any]) -> bool:
    """Whether a function depends on more of a game than numbers."""
    read = [names[name] for name in function.__code__.co_names if name in names]
    return any(isinstance(value, tuple) and not is_table(value) for value in read)


def _named(found: re.Match[str], phases: tuple[str, ...]) -> str:
    """A line with the name of its phase."""
    number = int(found[2])
    return f"{found[0]}  # {phases[number]}" if number < len(phases) else found[0]
