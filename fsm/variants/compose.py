"""A game with house rules: all edits applied in an order that does not depend on how the rules were named."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, fields, is_dataclass, replace
from functools import partial
from itertools import combinations, product
from types import FunctionType
from typing import Any

from fsm.declaration.arcs import Arc, Invariant, Phase, Policy, Postcondition
from fsm.declaration.chart import Overlap
from fsm.declaration.declaration import RULES_AFTER, Declaration, DeclarationError
from fsm.declaration.facts import Fact
from fsm.declaration.introspection import names_read, reached
from fsm.declaration.temporal import Response
from fsm.variants import made
from fsm.variants.draft import STAGES, ClashError, Draft, Piece
from fsm.variants.edits import Beside, Means, Variant
from fsm.variants.made import with_phases
from fsm.variants.meanings import Meanings, called
from rules.notation import shown
from rules.rule import Reason, RuleFunction, guard_reasons, label

Placed = Callable[[Phase], Phase]
FUNCTIONS = ("fill", "deal", "score", "returns", "amend", "deal_each")
"""The rule functions of a declaration that stand in no other part of it."""


@dataclass(frozen=True)
class RuleMarks:
    """What house rules did to the arcs of a game, with the names of the rules that did it.

    added, changed: by arc of the new declaration. removed: by arc of the game.
    """

    added: Mapping[Arc, tuple[str, ...]]
    changed: Mapping[Arc, tuple[str, ...]]
    removed: Mapping[Arc, tuple[str, ...]]


def compose(game: Declaration, rules: tuple[Variant, ...]) -> tuple[Declaration, RuleMarks]:
    """`game` with house rules, and what they did to its arcs. rules: different ones, sorted by name.

    Raises ClashError, which names two rules that contradict each other and the reason, and DeclarationError, which
    names the arc where the result contradicts itself.
    """
    check_together(rules)
    draft = Draft.of(game, [rule.name for rule in rules])
    for stage, draft.beside in product(STAGES, (False, True)):
        for rule in rules:
            draft.rule = rule.name
            for edit in rule.edits:
                made = edit.edit if isinstance(edit, Beside) else edit
                if type(made) in stage and (made is not edit) is draft.beside:
                    draft.apply(edit)
    return _finished(game, draft, rules)


def check_together(rules: tuple[Variant, ...]) -> None:
    """Raise ClashError for the first two rules of which one excludes the other, or that share a name."""
    for one, other in combinations(rules, 2):
        if one.name == other.name:
            raise ClashError(f"two different rules are called {one.name}; rename one")
        if reason := one.reason_against(other):
            raise ClashError(f"rules {one.name} and {other.name} cannot be combined: {reason}")


def _finished(game: Declaration, draft: Draft, rules: tuple[Variant, ...]) -> tuple[Declaration, RuleMarks]:
    names = [rule.name for rule in rules]
    given = {old: _ordered(edits) for old, edits in draft.meanings.items()}
    meanings = Meanings(given, _constants(game, draft, Meanings(given, {})), _reasons(draft))
    placed = _phases(game, draft)
    made = partial(_rebuilt, meanings, placed)
    pieces = [replace(piece, arc=made(piece.arc)) for piece in draft.pieces]
    fired = {piece.arc.trigger for piece in pieces}
    facts = (Fact(each.name, each.name, each.kind) for each in draft.fields.values() if not each.named)
    codec = replace(game.codec, facts=(*game.codec.facts, *facts), cards_each=made(game.codec.cards_each))
    functions = {name: made(getattr(game, name)) for name in FUNCTIONS}
    sentences = {piece.arc.description for piece in pieces}
    known = {"event": fired, "fact": [fact.name for fact in codec.facts], "sentence": sentences}
    parts: dict[str, Any] = dict(
        **functions,
        name=RULES_AFTER.join([game.name, *names]),
        title=f"{game.title} with {', '.join(names)}",
        table=_table(game, draft),
        codec=codec,
        phases=type(placed(game.final)),
        initial=placed(game.initial),
        final=placed(game.final),
        arcs=tuple(piece.arc for piece in pieces),
        control=made(draft.controls),
        disjoint=made(tuple(draft.disjoint)),
        policies=tuple(_policy(policy, draft, made) for policy in game.policies),
        look=game.look.limited(known).joined(draft.look),
        reveals={trigger: why for trigger, why in game.reveals.items() if trigger in fired} | draft.reveals,
        chain=made(game.chain) if game.chain and game.chain.phase in draft.phases else None,
        invariants=made(tuple(_invariants(draft))),
        postconditions=made(tuple(_postconditions(draft))),
        over_time=made(tuple(_responses(draft))),
        small_decks=(*game.small_decks, *dict.fromkeys(draft.decks)),
    )
    try:
        declaration = replace(game, **parts)
    except DeclarationError as error:
        if isinstance(error.fault, Overlap):
            raise _clash(draft, meanings, pieces, error.fault) or error from None
        raise
    _check_used(game, draft, meanings)
    return declaration, _marks(draft, pieces, meanings)


def _clash(draft: Draft, meanings: Meanings, pieces: list[Piece], overlap: Overlap) -> DeclarationError | None:
    """Return the error that names the rules by which two arcs are enabled at once, and the card; None for no rules."""
    drafted = {piece.arc: before for piece, before in zip(pieces, draft.pieces, strict=True)}
    before = [drafted[arc] for arc in overlap.arcs]
    if overlap.guards:
        rebuilt = {meanings(guard): guard for piece in before for guard in piece.arc.conditions}
        guards = [rebuilt[guard] for guard in overlap.guards]
        rules = {draft.brought[guard] for guard in guards} - {""}
        reached = frozenset[RuleFunction]().union(*map(meanings.reaches, guards))
        rules |= {rule for each in reached for _, rule in draft.meanings.get(each, ())}
    else:
        rules = {rule for piece in before for rule in piece.by}
    if len(rules) < 2:
        return DeclarationError(f"rule {rules.pop()}: {overlap}") if rules and overlap.where else None
    one, other, *_ = sorted(rules)
    if not overlap.where:
        return ClashError(f"rules {one} and {other} cannot be combined: {overlap}")
    names = " and ".join(shown(label(guard)) for guard in overlap.guards)
    return ClashError(
        f"rules {one} and {other} cannot be combined: both change what {overlap.arcs[0].trigger!r} does where "
        f"{overlap.where}: {names} hold there; use guards of which at most one does"
    )


def _rebuilt(meanings: Meanings, placed: Placed, value: Any) -> Any:
    """A part of a declaration with the new meanings of its functions and the phases of the new declaration."""
    made = partial(_rebuilt, meanings, placed)
    if isinstance(value, Phase):
        return placed(value)
    if isinstance(value, FunctionType):
        return meanings(value)
    if isinstance(value, tuple):
        return tuple(map(made, value))
    if isinstance(value, dict):
        return {made(key): made(each) for key, each in value.items()}
    if is_dataclass(value) and not isinstance(value, type):
        return replace(value, **{entry.name: made(getattr(value, entry.name)) for entry in fields(value)})
    return value


def _check_used(game: Declaration, draft: Draft, meanings: Meanings) -> None:
    """Raise DeclarationError for a new meaning of a function that neither the game nor what rules make of it calls."""
    given = [(old, *each) for edits in (draft.meanings, draft.refusals) for old, all in edits.items() for each in all]
    unused = [(old, edit, rule) for old, edit, rule in given if not edit.if_used and old not in meanings.used]
    known = {each for function in game.functions for each in meanings.reaches(function)} if unused else set()
    for old, edit, rule in unused:
        if old not in known:
            raise DeclarationError(
                f"rule {rule}: {type(edit).__name__} is about {label(old)!r} of {old.__code__.co_filename}, which "
                f"{game.name} does not call; use a function that it calls, or if_used=True where another rule "
                "adds it"
            )


def _ordered(given: Iterable[tuple[Means, str]]) -> tuple[RuleFunction, ...]:
    """New meanings of a function, with their rules: first that which does not use the old one, last those that narrow.

    Raises ClashError if two rules replace it in two ways.
    """
    ranks: tuple[list[RuleFunction], ...] = [], [], []
    first = ""
    for edit, rule in given:
        rank = 2 if edit.narrows else int(edit.old in called(edit.new).values())
        if edit.new in ranks[rank]:
            continue
        if rank == 0 and ranks[0]:
            what = f"both give {label(edit.old)!r} another meaning"
            raise ClashError(f"rules {first} and {rule} cannot be combined: {what}")
        first = first if rank else rule
        ranks[rank].append(edit.new)
    return tuple(function for rank in ranks for function in rank)


def _reasons(draft: Draft) -> dict[RuleFunction, tuple[Reason, ...]]:
    """Why guards refuse, where rules say so: first what rules add, then what one of them puts in place of the rest."""
    found = {}
    for function, given in draft.refusals.items():
        edits = [edit for edit, _ in given]
        own = next((edit.reasons for edit in edits if edit.instead), guard_reasons(function))
        found[function] = (*(reason for edit in edits if not edit.instead for reason in edit.reasons), *own)
    return found


def _constants(game: Declaration, draft: Draft, meanings: Meanings) -> dict[str, tuple[object, object]]:
    """Of each constant the value that the game itself reads, else that of its rules, and the one in its place.

    Raises DeclarationError for one that nothing reads, and for constants of one name with different values.
    """
    own = *game.functions, game.codec.cards_each
    of_rules = [each for piece in draft.pieces for each in piece.arc.conditions]
    found = dict[str, tuple[object, object]]()
    for name, value in draft.constants.items():
        values = Meanings({}, {}).read(name, own) or meanings.read(name, (*own, *of_rules))
        if not values:
            globals_of = ((each.__globals__, chain[0]) for each in reached(own) for chain in names_read(each.__code__))
            known = sorted({name for names, name in globals_of if type(names.get(name)) is int})
            expected = f"use one of {', '.join(known)}"
            raise DeclarationError(f"{game.name}: no rule function reads a constant {name}; {expected}")
        (module, old), *others = values.items()
        for another, other in others:
            if other != old:
                differing = f"{name} is {old} in {module} and {other} in {another}"
                raise DeclarationError(f"{game.name}: {differing}; use one constant of this name")
        found[name] = old, value
    return found


def _phases(game: Declaration, draft: Draft) -> Placed:
    """What stands for the phases: themselves, or if some came or went the members of a new enumeration."""
    if draft.phases == list(game.phases):
        return lambda phase: phase
    phases = made.phases(game.phases.__name__, [(phase.name, phase.value) for phase in draft.phases])
    return lambda phase: phases(str(phase))


def _table(game: Declaration, draft: Draft) -> type:
    """The class of the table, with the fields that rules add."""
    if not draft.fields:
        return game.table
    return made.table(game.table, {name: each.start for name, each in sorted(draft.fields.items())})


def _policy(policy: Policy, draft: Draft, made: Callable[[Any], Any]) -> Policy:
    choices = {phase: given for phase, given in draft.choices.get(policy.name, {}).items() if given}
    return replace(policy, choices=made(choices)) if policy.choices else policy


def _left(phases: tuple[Phase, ...], draft: Draft) -> tuple[Phase, ...]:
    """Those of `phases` that are left; if they were all but the final one, the new ones as well."""
    game = draft.game
    running = {phase for phase in game.phases if phase is not game.final}
    added = [phase for phase in draft.phases if phase not in (*game.phases, *phases)]
    new = added if running <= set(phases) else []
    return tuple(phase for phase in (*phases, *new) if phase in draft.phases)


def _invariants(draft: Draft) -> Iterator[Invariant]:
    """The invariants, without those that are only about removed phases."""
    for each in draft.of_kind(Invariant):
        left = _left(each.phases, draft)
        if left or not each.phases:
            yield replace(each, phases=left)


def _postconditions(draft: Draft) -> Iterator[Postcondition]:
    """The postconditions, without those that are only about removed events or phases."""
    fired = {piece.arc.trigger for piece in draft.pieces}
    removed = [arc for arc, _ in draft.removed] + [piece.was for piece in draft.pieces if piece.was]
    for each in draft.of_kind(Postcondition):
        concerned = [piece.arc for piece in draft.pieces if each.concerns(piece.arc)]
        gone = {arc.trigger for arc in removed if each.concerns(arc)} - {arc.trigger for arc in concerned}
        triggers = tuple(trigger for trigger in each.triggers if trigger in fired - gone)
        dests, sources = _left(each.dests, draft), _left(each.sources, draft)
        parts = (triggers, each.triggers), (dests, each.dests), (sources, each.sources)
        if all(left or not given for left, given in parts):
            yield replace(each, triggers=triggers, dests=dests, sources=sources)


def _responses(draft: Draft) -> Iterator[Response]:
    """What must come about, without what starts in removed phases only."""
    for each in draft.of_kind(Response):
        left = with_phases(each, lambda given: tuple(x for x in given if callable(x) or x in draft.phases))
        if left.start or not each.start:
            yield left


def _marks(draft: Draft, pieces: list[Piece], meanings: Meanings) -> RuleMarks:
    added: dict[Arc, tuple[str, ...]] = {}
    changed: dict[Arc, tuple[str, ...]] = {}
    removed: dict[Arc, tuple[str, ...]] = {}
    for piece, before in zip(pieces, draft.pieces, strict=True):
        functions = (*before.arc.conditions, *before.arc.unless, *before.arc.before)
        reached = {each for function in functions for each in meanings.reaches(function)}
        if by := {*piece.by, *(rule for each in reached for _, rule in draft.meanings.get(each, ()))}:
            is_new = piece.was is None or piece.split_off
            (added if is_new else changed)[piece.arc] = tuple(sorted(by))
    left = [piece.was for piece in pieces if piece.was is not None and not piece.split_off]
    for arc, rule in draft.removed:
        if arc in draft.game.arcs and arc not in left:
            removed[arc] = tuple(sorted({*removed.get(arc, ()), rule}))
    return RuleMarks(added, changed, removed)
