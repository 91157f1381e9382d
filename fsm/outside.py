"""Games, house rules and players from outside the package: an object in a Python file or in an importable module, named
`FILE.py:NAME`.

A file is read once, with those of its folder that it imports, then hashed, compiled and stored for tracebacks and
fingerprints, so that edits in the meantime do no harm. A file is named only on the command line or in Python. The games
of a whole folder are executed as well: those of `--more-games`, or without it, where `maumau serve` or `maumau party`
runs in a clone, those of `examples/`.
"""

from __future__ import annotations

import ast
import re
import traceback
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from functools import partial
from hashlib import sha256
from importlib import import_module
from importlib.util import decode_source
from pathlib import Path
from types import ModuleType
from typing import Any

from fsm.declaration.declaration import RULES_AFTER, Declaration, DeclarationError
from fsm.declaration.introspection import MISSING
from fsm.declaration.policy import SteppedPolicy, admit_policy, forms, is_of_form
from fsm.edge import outside_files
from fsm.edge.errors import CompilationError
from fsm.edge.outside_files import File
from fsm.hashes import code_hash
from fsm.registry import DEFAULT, game_class, is_reference, register, with_named_rules, withdraw
from fsm.stepping.game import Game
from fsm.stepping.moves import IllegalMove
from fsm.variants.edits import Variant
from rules.errors import raised_as
from rules.notation import shown

MODULE = re.compile(r"[^\W\d]\w*(\.[^\W\d]\w*)*")
USAGE = "use FILE.py:NAME or MODULE:NAME"
REFUSED = TypeError, ValueError
"""What is raised where something cannot be registered."""
PLAYER = (
    "a function of a view that returns a move, or a policy, which is an object of a class derived from"
    " fsm.declaration.policy.SteppedPolicy"
)


class OutsideError(ValueError):
    """A game from outside cannot be loaded; the message gives the place and the reason."""


@dataclass(frozen=True)
class Source:
    """Where a game is from.

    location: the path of a file, or the name of a module. name: of the class. file: what was read; None for a module.
    """

    location: str
    name: str
    file: File | None = None

    def __str__(self) -> str:
        return f"{self.location}:{self.name}"

    @property
    def digest(self) -> str:
        """A hash of the file and of what it imports from its folder; empty for a module."""
        return "" if self.file is None else self.file.digest


@dataclass(frozen=True)
class Origin:
    """What was admitted from outside. rule_of: the name of the game whose house rule it is; empty for a game.

    is_player: whether it is a player: a function or a policy.
    """

    source: Source
    rule_of: str = ""
    is_player: bool = False

    def admit(self) -> None:
        """Load and register what another process sent, with the text of its file.

        Raises OutsideError if another game or rule has its name here.
        """
        if self.is_player:
            admit_player(self.source)
        elif self.rule_of:
            admit_rule(self.source, game_class(self.rule_of))
        else:
            admit(self.source)


_admitted: dict[tuple[str, str], Origin] = {}
"""What was admitted, by the name of the game and of the rule, which is empty for a game; players have no game."""


def read_source(reference: str) -> Source:
    """The source that `FILE.py:NAME` or `MODULE:NAME` names; a file is read. Raises OutsideError."""
    location, colon, name = reference.rpartition(":")
    if not colon or not name.isidentifier():
        raise OutsideError(f"{shown(reference, 80)} names no class after a colon; {USAGE}")
    if not location.endswith(".py"):
        if not MODULE.fullmatch(location):
            raise OutsideError(f"{shown(location, 80)} is neither a file nor a module; {USAGE}")
        return Source(location, name)
    with (
        raised_as(OutsideError, f"{location}: ", OSError, USAGE),
        raised_as(OutsideError, f"{shown(location, 80)}: ", remedy=USAGE),
    ):
        return Source(location, name, outside_files.read(location))


def admit(source: Source) -> type[Game]:
    """Load and register the game of `source`. Raises OutsideError for whatever is wrong with it."""
    return _admit_class(source, _class_of(source))


def _class_of(source: Source) -> type[Game]:
    """Load the class of a game. Raises OutsideError."""
    kind: type[Game] = _named(
        source,
        lambda value: isinstance(value, type) and issubclass(value, Game),
        "a class of a game",
        "a subclass of fsm.Game with a declaration",
    )
    return kind


def _admit_class(source: Source, kind: type[Game]) -> type[Game]:
    """Register the class of a game, which is loaded. Raises OutsideError."""
    with raised_as(OutsideError, f"{source}: ", REFUSED):
        register(kind)
    _admitted[kind.declaration.name, ""] = Origin(source)
    return kind


def games_of_folder(
    folder: Path,
    without: str = "",
    check: Callable[[type[Game]], object] | None = None,
    leave_out: Callable[[OutsideError], None] | None = None,
) -> list[type[Game]]:
    """Load and register the games of a folder: of each file the class that is called as the file, `CrazyEights` in
    `crazy_eights.py`. Files without one hold rules, players or parts, and are not loaded.

    without: the name of a game that is there already and is left out. check: raises an error for a game that cannot be
    used. leave_out: takes the error of each game at fault, which is left out; without it, raises OutsideError.
    """
    with raised_as(OutsideError, f"{folder}: ", OSError, "name a folder with files of games"):
        paths = sorted(path for path in folder.iterdir() if path.suffix == ".py" and path.stem.isidentifier())
    games = []
    for path in paths:
        try:
            kind = _game_of_file(path, without, check)
        except OutsideError as error:
            if leave_out is None:
                raise
            leave_out(error)
        else:
            games += [kind] if kind else []
    return games


def _game_of_file(path: Path, without: str, check: Callable[[type[Game]], object] | None) -> type[Game] | None:
    """Load and register the game of a file, if it has one that is not left out. Raises OutsideError."""
    source = read_source(f"{path}:{path.stem.title().replace('_', '')}")
    if not _defines(source):
        return None
    kind = _class_of(source)
    declaration = getattr(kind, "declaration", None)
    if isinstance(declaration, Declaration) and declaration.name == without:
        return None
    with _blaming(source):
        _admit_class(source, kind)
    try:
        with _blaming(source):
            if check is not None:
                check(kind)
    except OutsideError:
        withdraw(kind)
        del _admitted[kind.declaration.name, ""]
        raise
    return kind


def _defines(source: Source) -> bool:
    """Return whether the file of a source defines the name, at the top level. The file is not executed. One that cannot
    be parsed counts: to load it reports why.
    """
    assert source.file is not None
    try:
        statements = ast.parse(source.file.text).body
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return True
    return any(source.name in _names_of(statement) for statement in statements)


def _names_of(statement: ast.stmt) -> list[str]:
    """The names that a statement defines as a class, or gives a value."""
    if isinstance(statement, ast.ClassDef):
        return [statement.name]
    targets = statement.targets if isinstance(statement, ast.Assign) else []
    if isinstance(statement, ast.AnnAssign) and statement.value:
        targets = [statement.target]
    return [target.id for target in targets if isinstance(target, ast.Name)]


def admit_rule(source: Source, kind: type[Game]) -> Variant:
    """Load the house rule of `source`, which the game `kind` has under its name from then on. Raises OutsideError."""
    rule: Variant = _named(
        source, lambda value: isinstance(value, Variant), "a house rule", "a house rule (fsm.variants.Variant)"
    )
    with raised_as(OutsideError, f"{source}: ", REFUSED):
        kind.rulebook().add(rule)
    game = (kind.plain or kind).declaration.name
    _admitted[game, rule.name] = Origin(source, game)
    return rule


def with_rules_of(kind: type[Game], names: Iterable[str]) -> type[Game]:
    """Return the class of a game with house rules, of which files are loaded. Raises OutsideError and RegistryError."""
    rules = [admit_rule(read_source(name), kind).name if is_reference(name) else name for name in names]
    return with_named_rules(kind, rules)


def admit_player(source: Source) -> str:
    """Load a player: a function that chooses a move from a view, or a policy; its name as a policy of every game.

    Raises OutsideError, as the player does from then on when it fails while it chooses.
    """
    player = _named(
        source,
        lambda value: isinstance(value, SteppedPolicy) or (callable(value) and not isinstance(value, type)),
        "a player",
        PLAYER,
    )
    try:
        hash(player)
    except TypeError:
        fault = "objects of its class have no hash; declare the class with @dataclass(eq=False)"
        raise OutsideError(f"{source}: {fault}") from None
    policy = admit_policy(str(source), player, source.digest or _digest_of(player, source), partial(_blaming, source))
    _admitted["", policy.name] = Origin(source, is_player=True)
    return policy.name


def named_player(name: str) -> str:
    """Return the name of a player; one that `FILE.py:NAME` names is loaded, and known by its name from then on.

    Raises OutsideError, which is a ValueError.
    """
    if is_of_form(name) or not is_reference(name):
        return name
    try:
        return admit_player(read_source(name))
    except OutsideError as error:
        raise OutsideError(f"{error}; other players are {', '.join(map(str, forms()))}") from None


def origins_of(*games: str, players: Iterable[str] = ()) -> tuple[Origin, ...]:
    """Return what was admitted from outside, each once: of each game itself, then its house rules, and of players.

    games, players: their names.
    """
    named = [(plain, rule) for plain, *rules in (name.split(RULES_AFTER) for name in games) for rule in ("", *rules)]
    named += [("", name) for name in players]
    return tuple(dict.fromkeys(_admitted[key] for key in named if key in _admitted))


def options_of(name: str) -> list[str]:
    """The options that name a game in a command line: what was admitted from outside by its source."""
    plain, *rules = name.split(RULES_AFTER)
    game, *named = (
        str(_admitted[plain, rule].source) if (plain, rule) in _admitted else rule or plain for rule in ("", *rules)
    )
    return ["--game", game] * (plain != DEFAULT) + ["--with", ",".join(named)] * bool(named)


def stub_for(name: str) -> tuple[str, str | None]:
    """Return the stub of the module of a game, and its file; None for a module. Raises OutsideError where no statement
    of the module makes the game.
    """
    from fsm.stepping.stubs import stub_of

    kind = game_class(name)
    source = next((origin.source for origin in origins_of(name)), Source(kind.__module__, kind.__name__))
    module = loaded(source)
    text = Path(module.__file__ or "").read_bytes() if source.file is None else source.file.text
    with raised_as(OutsideError, f"{source}: "):
        stub = stub_of(module, decode_source(text), source.name, kind)
    return stub, source.location if source.file else None


def python_of(kind: type[Game]) -> tuple[list[str], str]:
    """Python statements after which an expression, which is also returned, is the class `kind`."""
    plain: type[Game] = kind.plain or kind
    name, made = plain.declaration.name, plain.__qualname__
    if origin := _admitted.get((name, "")):
        made = origin.source.name
        statements = [f"{made} = admit(read_source({str(origin.source)!r}))"]
    else:
        statements = [f"from {plain.__module__} import {made}"]
    origins = (_admitted.get((name, rule.name)) for rule in kind.rules)
    statements += [f"admit_rule(read_source({str(each.source)!r}), {made})" for each in origins if each]
    if any("read_source" in statement for statement in statements):
        statements.insert(0, "from fsm.outside import admit, admit_rule, read_source")
    rules = ", ".join(repr(rule.name) for rule in kind.rules)
    return statements, f"{made}.with_rules({rules})" if rules else made


def failure(error: Exception) -> str:
    """Return what to report of an error: of a function that cannot be compiled, and where a game or a rule from outside
    was admitted, which then is its cause: the file, the line if the error was raised there, and what it says. Empty for
    other errors.
    """
    given = dict.fromkeys(origin.source.location for origin in _admitted.values() if not origin.is_player)
    where = _place(error, " or ".join(given)) if given else ""
    if isinstance(error, CompilationError):
        is_outside = error.place.rpartition(":")[0] in outside_files.filenames()
        where = error.place if is_outside or not where else where
        what = str(error).removeprefix(f"{where}: ")
        what = f"this cannot be compiled: {what}; see docs/reference/compiled-rules.md"
        return f"{where}: {what}" if where else what
    if not given:
        return ""
    kind = "" if isinstance(error, AssertionError) else f"{type(error).__name__}: "
    return f"{where}: {kind}{error or 'no message'}; maumau check tries every event of small decks"


def loaded(source: Source) -> ModuleType:
    """The module of a source. Raises OutsideError for whatever goes wrong while it is executed."""
    with _blaming(source):
        return import_module(source.location) if source.file is None else outside_files.load(source.file)


def _named(source: Source, is_wanted: Callable[[Any], bool], what: str, is_what: str) -> Any:
    """The object that a source names. Raises OutsideError, which lists what is wanted and there.

    what: in words, for the message. is_what: in more words, where there is something else of this name.
    """
    module = loaded(source)
    names = vars(module)
    with _blaming(source):
        found = getattr(module, source.name, MISSING)  # a package may import its names on first use
    if is_wanted(found):
        return found
    own = (module.__name__, *(type(value).__module__ for value in names.values() if is_wanted(value)))
    there = [name for name, value in names.items() if is_wanted(value) and getattr(value, "__module__", "") in own]
    advice = f"use one of {', '.join(there)}" if there else f"define {what} there"
    if found is MISSING:
        raise OutsideError(f"{source.location}: it does not define {source.name!r}; {advice}")
    its_name = getattr(found, "__name__", None)
    kind = "class" if isinstance(found, type) else type(found).__name__
    given = f"{kind} {its_name}" if its_name else shown(found)
    raise OutsideError(f"{source}: {given} is not {is_what}; {advice}")


@contextmanager
def _blaming(source: Source) -> Iterator[None]:
    """Report errors, and that it ends the program, as those of a source. Raises OutsideError."""
    try:
        yield
    except OutsideError:
        raise
    except (Exception, SystemExit) as error:
        raise OutsideError(_load_error(error, source)) from None


def _digest_of(player: Callable[..., Any] | SteppedPolicy, source: Source) -> str:
    """A hash of a player of an installed module: of the function, or of the file in which a policy is made."""
    if not isinstance(player, SteppedPolicy):
        return code_hash(player)
    try:
        return sha256(Path(loaded(source).__file__ or "").read_bytes()).hexdigest()
    except OSError:
        raise OutsideError(
            f"{source.location}: the module has no file to identify a policy by; use a module that has one"
        ) from None


def _place(error: BaseException, otherwise: str) -> str:
    """The file and the line in a file from outside where an error was raised."""
    names = outside_files.filenames()
    frames = [frame for frame in traceback.extract_tb(error.__traceback__) if frame.filename in names]
    return f"{frames[-1].filename}:{frames[-1].lineno}" if frames else otherwise


def _load_error(error: BaseException, source: Source) -> str:
    """One line for an error of a file or a module while it is loaded: where it was raised, and its message."""
    if isinstance(error, SyntaxError) and error.filename in outside_files.filenames():
        return f"{error.filename}:{error.lineno or 1}: syntax error: {error.msg}"
    what = " ".join(str(error).split()) or "no message"
    in_words = isinstance(error, DeclarationError | IllegalMove)
    return f"{_place(error, source.location)}: {what if in_words else f'{type(error).__name__}: {what}'}"
