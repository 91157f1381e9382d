"""The policies that every game has: a random player, a player who takes the first legal move, and players computed in
Python, which are known by the name of a registered form (`search:1000`) or as functions.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from contextlib import AbstractContextManager, nullcontext
from copy import copy
from dataclasses import dataclass, replace
from functools import cache
from hashlib import sha256
from typing import Any
from warnings import warn

from fsm.declaration.arcs import Policy
from fsm.edge.extras import MissingExtra
from fsm.edge.kept import kept
from fsm.edge.numbers import of_type
from rules.errors import raised_as
from rules.notation import shown
from rules.rule import docstring_of


class RandomPolicy(Policy):
    """A policy that rolls a die for each move."""

    rolls_dice = True


class LayingPolicy(RandomPolicy):
    """A policy that rolls a die among the moves that lay a card, and among all where there is none."""

    lays_first = True


class FirstPolicy(Policy):
    """A policy that takes the first legal move."""

    takes_first = True


RANDOM = RandomPolicy("random", description="Plays any legal move, each as likely as the others.")
"""Each legal move, with each value that it may name, is equally likely; dice come from rules.chance."""
RANDOM_LEGAL_CARD = LayingPolicy(
    "random-legal-card",
    description="Lays any card that it may lay, each as likely as the others; else plays at random.",
)
"""The random player of the literature: random among the moves that lay a card, among all where there is none. Every
game in which cards are laid has it beside RANDOM.
"""
DICE = (RANDOM, RANDOM_LEGAL_CARD)
"""The policies that roll dice."""
FIRST_LEGAL = FirstPolicy("first-legal", description="Plays the first legal move of the list.")
"""The first legal move, in the order of the offers, card codes and value codes."""


class UnknownPolicy(ValueError):
    """No policy of a game, and no form of names, is called so."""


@dataclass(frozen=True, eq=False)
class SteppedPolicy(Policy):
    """A policy that is computed in Python: it plays stepped games, and others if it can play many side by side.

    name, description: as for any policy. choices: none. content: a hash of the file that it comes from; empty if it was
    not admitted from one.
    """

    is_computed = True

    content: str = ""

    def choose(self, game: Any) -> Any:
        """Return the move of the player who acts in the stepped game `game` where nothing is forced."""
        raise NotImplementedError

    def repeats(self, game: Any) -> bool:
        """Return whether the policy makes the same move wherever a position returns from now on, so that `game` is
        endless.
        """
        return False

    def guard(self) -> AbstractContextManager[None]:
        """Return a context for calls of the function; for a player of a file it names the place that fails."""
        return nullcontext()

    @property
    def digest(self) -> str:
        """A hash of what else decides, in addition to its own file, such as weights."""
        return ""

    @property
    def code_hash(self) -> str:
        """A hash of what decides, which studies and solutions keep: the content or the digest, or a hash of both."""
        if self.content and self.digest:
            return sha256(f"{self.content} {self.digest}".encode()).hexdigest()
        return self.content or self.digest


@dataclass(frozen=True, eq=False)
class FunctionPolicy(SteppedPolicy):
    """A Python function that chooses a move: it is given a `View`, what the player in turn sees, and returns a `Move`.

    name, description: as for any policy. choices: none. content: empty if it has no name outside of Python. decide: the
    function.
    """

    decide: Callable[[Any], Any] = lambda view: view.moves[0]

    def choose(self, game: Any) -> Any:
        """Return the move that the function returns for the view of the player who acts in `game`."""
        return self.decide(game.view(game.player))


@dataclass(frozen=True, eq=False)
class RecordedPolicy(SteppedPolicy):
    """A player whom a record names: every move is in the record, so the player need not be here, and is not asked."""

    def choose(self, game: Any) -> Any:
        """Raises ValueError."""
        raise ValueError(
            f"policy {self.name} of player {game.player} is known only from a record; "
            "play the move that the record names"
        )


@dataclass(frozen=True)
class Form:
    """A form of names of players that every game may have in addition to its own policies: `search:WORLDS`.

    prefix: what stands before the colon. operand: what stands after it, in messages. description: one sentence. make:
    the player of a game for an operand; it raises ValueError, also if that game cannot have such players. usual: the
    operands that pages offer to people who name none, for a game. alone: whether the prefix is a
    name by itself, with an empty operand. of_object: the player of a game that an object stands for, such as a net;
    None for other objects; it raises ValueError for an object that does not fit the game.
    """

    prefix: str
    operand: str
    description: str
    make: Callable[[Any, str], SteppedPolicy]
    usual: Callable[[Any], Sequence[str]] = lambda game: ()
    alone: bool = False
    of_object: Callable[[Any, Any], SteppedPolicy | None] = lambda game, thing: None

    def __str__(self) -> str:
        return f"{self.prefix}, {self.prefix}:{self.operand}" if self.alone else f"{self.prefix}:{self.operand}"


GROUP = "maumau.players"
"""The entry points of distributions with players, each a module that registers forms: they are imported when a form is
asked for, whatever was imported before, as in a process that is given a pickled game.
"""
_admitted: dict[str, SteppedPolicy] = {}
_forms: dict[str, Form] = {}


@cache
def _known() -> dict[str, Form]:
    """All forms by prefix, also those of packages that are installed."""
    from importlib.metadata import entry_points  # its import takes longer than all else here

    for point in entry_points(group=GROUP):
        try:
            point.load()
        except Exception as error:  # of a package that is none of this one
            warn(f"the players of {point.value} are not known: {type(error).__name__}: {error}", stacklevel=2)
    return _forms


def admit_policy(
    name: str,
    player: SteppedPolicy | Callable[[Any], Any],
    content: str,
    guard: Callable[[], AbstractContextManager[None]] = nullcontext,
) -> SteppedPolicy:
    """Let a player be named as a policy of every game, for this process.

    player: a function of a view that returns a move, or a policy, which is copied under the new name. content: a hash
    of what it does. guard: in place of the method of this name.

    The policies of a declaration come first: a name that one of them has keeps its meaning in that game.
    """
    if isinstance(player, SteppedPolicy):
        policy = copy(player)
    else:
        description = docstring_of(player).partition("\n")[0]
        policy = FunctionPolicy(name, decide=player, description=description)
    choices = getattr(policy, "choices", {})  # an `__init__` that does not call this class's leaves none
    for field, value in {"name": name, "choices": choices, "content": content, "guard": guard}.items():
        object.__setattr__(policy, field, value)  # not by `replace`: a class may have an `__init__` of its own
    _admitted[name] = policy
    return policy


def register_form(form: Form) -> Form:
    """Let players of `form` be named in every game, for this process. To register a form twice changes nothing.

    Raises TypeError if it is none, ValueError if its prefix is taken by another one.
    """
    of_type("form", form, Form, "a Form")
    if _forms.setdefault(form.prefix, form) is not form:
        raise ValueError(f"the form of players {form}: the prefix is taken by {_forms[form.prefix]}; use another one")
    return form


def forms() -> tuple[Form, ...]:
    """The registered forms of names of players."""
    return tuple(_known().values())


def usual_players(game: Any) -> list[str]:
    """The names of the players of all forms that are offered for a game where nobody has named others."""
    found = ((form.prefix, operand) for form in forms() for operand in form.usual(game))
    return [f"{prefix}:{operand}" if operand else prefix for prefix, operand in found]


def is_of_form(name: str) -> bool:
    """Whether a name of a player has the prefix of a registered form."""
    prefix, colon, _ = name.partition(":")
    known = _known()
    return prefix in known and (bool(colon) or known[prefix].alone)


def named_policy(game: Any, name: str) -> SteppedPolicy | None:
    """The player of a game that has a name of a registered form, or the one that was admitted under it; None for other
    names.

    The same name is the same player. Raises ValueError as the form does.
    """
    return _admitted.get(name) or (_made(game, name) if is_of_form(name) else None)


def policy_of_object(game: Any, thing: Any) -> SteppedPolicy | None:
    """The player of a game that an object stands for, by one of the registered forms or as a function of a view; None
    for other objects. Raises ValueError as the form does.
    """
    for form in forms():
        if found := form.of_object(game, thing):
            return found
    if callable(thing):
        return FunctionPolicy(getattr(thing, "__name__", type(thing).__name__), decide=thing)
    return None


def pickled_policies(policies: Iterable[Policy]) -> list[Any]:
    """What is pickled in place of policies: their names, or what only this process or a record knows."""
    return [
        policy.decide
        if isinstance(policy, FunctionPolicy) and not policy.content
        else policy
        if isinstance(policy, RecordedPolicy)
        else policy.name
        for policy in policies
    ]


@kept
def _made(game: Any, name: str) -> SteppedPolicy:
    prefix, colon, operand = name.partition(":")
    form = _known()[prefix]
    with raised_as(ValueError, f"policy {shown(name, 80)}: ", (ValueError, MissingExtra)):
        if form.alone and colon and not operand:
            raise ValueError(f"nothing after the colon; use {form}")
        policy = form.make(game, operand)
        return policy if policy.description else replace(policy, description=form.description)


PolicyLike = str | Policy | Callable[[Any], Any] | None
Policies = PolicyLike | Sequence[PolicyLike]
"""One policy for all seats or one for each: a name or a function of a view that returns a move. None: the default."""
