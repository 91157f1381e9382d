"""A declaration while it is edited: its parts, and which rule has made or changed each."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, TypeVar

from fsm.declaration.arcs import Arc, Choice, Control, Guards, Invariant, Phase, Postcondition, SmallDeck
from fsm.declaration.declaration import Declaration, DeclarationError
from fsm.declaration.facts import Look
from fsm.declaration.temporal import Response
from fsm.variants import edits
from fsm.variants.edits import Edit, Means
from fsm.variants.made import KnownPhases, check_dropped, with_phases
from rules.rule import RuleFunction, label

Condition = Invariant | Postcondition | Response
"""What is checked of a game."""
D = TypeVar("D", bound="Condition | Choice")
K = TypeVar("K", Invariant, Postcondition, Response)


class ClashError(DeclarationError):
    """Rules contradict each other; the message names both and the reason."""


@dataclass(frozen=True)
class Piece:
    """An arc of a draft. was: the arc of the game that it was made of. by: the rules that made or changed it.

    origin: the arc as it was before any edit. split_off: whether it is the part of a split arc in which the card has
    its action.
    """

    arc: Arc
    was: Arc | None
    by: tuple[str, ...] = ()
    split_off: bool = False
    origin: Arc | None = None

    def __post_init__(self) -> None:
        if self.origin is None:
            object.__setattr__(self, "origin", self.arc)


@dataclass
class Draft:
    """The parts of a declaration that edits change. rule: the name of the rule whose edits are being applied, one of
    `rules`; if it is the only one each edit has to change something. beside: whether edits are applied that know of
    another rule. phases: of the result. known: these and the dropped ones; edits about a dropped phase do nothing.
    brought: the rule with which each guard came; empty for those of the game.
    """

    game: Declaration
    pieces: list[Piece]
    controls: dict[Phase, Control]
    disjoint: list[Guards]
    choices: dict[str, dict[Phase, tuple[Choice, ...]]]
    conditions: list[Condition]
    decks: list[SmallDeck]
    phases: list[Phase]
    known: KnownPhases
    fields: dict[str, edits.AddField] = field(default_factory=dict)
    removed: list[tuple[Arc, str]] = field(default_factory=list)
    meanings: dict[RuleFunction, list[tuple[Means, str]]] = field(default_factory=dict)
    refusals: dict[RuleFunction, list[tuple[edits.Refuse, str]]] = field(default_factory=dict)
    constants: dict[str, int] = field(default_factory=dict)
    rule: str = ""
    rules: Sequence[str] = ()
    beside: bool = False
    brought: dict[RuleFunction, str] = field(default_factory=dict)
    reveals: dict[str, str] = field(default_factory=dict)
    look: Look = Look()
    _owners: dict[object, tuple[object, str]] = field(default_factory=dict)

    @classmethod
    def of(cls, game: Declaration, rules: Sequence[str]) -> Draft:
        """The draft of a game that nobody has edited. rules: the names of the rules that will edit it."""
        return cls(
            game=game,
            pieces=[Piece(arc, arc) for arc in game.arcs],
            controls=dict(game.control),
            disjoint=list(game.disjoint),
            choices={policy.name: dict(policy.choices) for policy in game.policies if policy.choices},
            conditions=conditions_of(game),
            decks=[],
            phases=list(game.phases),
            known=KnownPhases(game.phases),
            rules=rules,
            brought={guard: "" for arc in game.arcs for guard in (*arc.conditions, *arc.unless)},
        )

    def apply(self, edit: Edit) -> None:
        """Apply an edit of the rule. Raises DeclarationError if it is about nothing or changes nothing, ClashError."""
        try:
            before = self._parts()
            APPLY[type(edit)](self, edit)
            for piece in self.pieces:
                for guard in (*piece.arc.conditions, *piece.arc.unless):
                    self.brought.setdefault(guard, self.rule)
            if len(self.rules) == 1 and not self.beside and self._parts() == before:
                about = next(iter(vars(edit).values()))
                raise DeclarationError(f"{type(edit).__name__} {about} changes nothing; remove it")
        except ClashError:
            raise
        except DeclarationError as error:
            raise DeclarationError(f"rule {self.rule}: {error}") from None

    def _parts(self) -> tuple[object, ...]:
        """What edits change, to compare it."""
        arcs = [piece.arc for piece in self.pieces]
        lists = self.disjoint, self.conditions, self.decks, self.phases
        choices = {
            (policy, phase): given
            for policy, by_phase in self.choices.items()
            for phase, given in by_phase.items()
            if given
        }
        meanings = {old: len(given) for old, given in self.meanings.items()}
        refusals = {guard: len(given) for guard, given in self.refusals.items()}
        maps = self.controls, self.fields, self.constants, self.reveals
        return arcs, choices, meanings, refusals, self.look, [[*each] for each in lists], [{**each} for each in maps]

    def set_once(self, what: object, value: object, reason: str) -> None:
        """Note that the rule gives something a value. Raises ClashError if another rule gives it another one."""
        given, by = self._owners.setdefault(what, (value, self.rule))
        if given != value and not self.beside:
            raise ClashError(f"rules {by} and {self.rule} cannot be combined: {reason}")

    def _chosen(self, where: edits.Arcs) -> list[Piece]:
        """The arcs that `where` matches. Raises DeclarationError if none did before other rules removed some."""
        where = self.known.in_pattern(where)
        found = [piece for piece in self.pieces if where.matches(piece.arc)]
        if not found and not any(where.matches(arc) for arc in (*self.game.arcs, *dict(self.removed))):
            raise DeclarationError(f"there is no transition {where}; name one that the game has")
        return found

    def of_kind(self, kind: type[K]) -> list[K]:
        """The conditions of a kind."""
        return [each for each in self.conditions if isinstance(each, kind)]

    def _put(self, old: Piece, *new: Piece) -> None:
        index = self.pieces.index(old)
        self.pieces[index : index + 1] = new

    def _add_arcs(self, arcs: Iterable[Arc]) -> None:
        self.pieces += [Piece(arc, None, (self.rule,)) for arc in arcs]

    def _drop(self, pieces: list[Piece]) -> None:
        for piece in pieces:
            self.pieces.remove(piece)
            self.removed.append((piece.arc if piece.was is None else piece.was, self.rule))

    def _add_field(self, edit: edits.AddField) -> None:
        self.set_once(("field", edit.name), edit, f"both put {edit.name!r} on the table")
        self.fields[edit.name] = edit

    def _copy_phase(self, edit: edits.CopyPhase) -> None:
        phase, of = self._new_phase(edit), self.known.find(edit.of)
        self.controls[phase] = self.game.control[of]
        self._add_arcs(replace(arc, source=phase) for arc in self.game.leaving(of))
        for choices in self.choices.values():
            choices[phase] = choices.get(of, ())
        self.conditions = [
            each
            if isinstance(each, Postcondition)
            else with_phases(each, lambda given: (*given, phase) if of in given else given)
            for each in self.conditions
        ]

    def _new_phase(self, edit: edits.AddPhase | edits.CopyPhase) -> Phase:
        self.set_once(("phase", edit.phase), edit, f"both add a phase {edit.phase}")
        phase = self.known.add(edit.phase)
        if phase not in self.phases:
            self.phases.insert(self.phases.index(self.game.final), phase)
        return phase

    def _split_arcs(self, edit: edits.SplitArcs) -> None:
        chosen = self._chosen(edit.where)
        pieces = [piece for piece in chosen if not piece.split_off]
        if chosen and not pieces:
            about = "is already split, since its card has an effect; change that effect"
            raise DeclarationError(f"each transition {edit.where} {about}")
        _check_placed(edit, pieces)
        for piece in pieces:
            others = self._join_group(edit.guard, piece.arc)
            action = replace(
                piece.arc,
                conditions=(*piece.arc.conditions, edit.guard),
                unless=tuple(guard for guard in piece.arc.unless if guard not in others),
                before=edits.effects_of(edit, piece.arc),
                dest=self.known.found(edit.dest) or piece.arc.dest,
                description=edit.description,
            )
            plain = replace(piece.arc, unless=(*piece.arc.unless, edit.guard))
            rest = replace(piece, arc=plain, by=(*piece.by, self.rule))
            self._put(piece, rest, Piece(action, piece.was, (self.rule,), split_off=True))

    def _join_group(self, guard: RuleFunction, arc: Arc) -> Guards:
        """Put a guard into the group of those of which at most one holds that the arc excludes; the others."""
        for index, group in enumerate(self.disjoint):
            if set(group) & set(arc.unless) or guard in group:
                if guard not in group:
                    self.disjoint[index] = (*group, guard)
                return tuple(other for other in group if other is not guard)
        self.disjoint.append((guard,))
        return ()

    def _change_arcs(self, edit: edits.ChangeArcs) -> None:
        pieces = self._chosen(edit.where)
        arcs = [arc for piece in pieces for arc in (piece.arc, piece.origin) if arc]
        for guard in edit.without:
            if pieces and not any(guard in arc.conditions + arc.unless for arc in arcs):
                about = f"no transition {edit.where} has this guard; name one that it has"
                raise DeclarationError(f"without {label(guard)!r}: {about}")
        _check_placed(edit, pieces)
        for piece in pieces:
            for part, value in (("destination", edit.dest), ("effects", edit.before), ("sentence", edit.description)):
                if value:
                    changed = part, piece.origin, piece.split_off
                    self.set_once(changed, value, f"both change the {part} of transition {piece.arc}")
            arc = replace(
                piece.arc,
                conditions=_changed(piece.arc.conditions, edit.without, edit.conditions),
                unless=_changed(piece.arc.unless, edit.without, edit.unless),
                before=edits.effects_of(edit, piece.arc),
                dest=self.known.found(edit.dest) or piece.arc.dest,
                description=edit.description or piece.arc.description,
            )
            self._put(piece, replace(piece, arc=arc, by=(*piece.by, self.rule)))

    def _replace_arcs(self, edit: edits.ReplaceArcs) -> None:
        self._drop(self._chosen(edit.where))
        arcs, old = self.known.in_arcs(edit.arcs), self.game.arcs
        new = [Piece(arc, arc) if arc in old else Piece(arc, None, (self.rule,)) for arc in arcs]
        self.pieces = new + self.pieces

    def _drop_phase(self, edit: edits.DropPhase) -> None:
        check_dropped(phase := self.known.find(edit.phase), self.game)
        if any(piece.arc.dest == phase != piece.arc.source for piece in self.pieces):
            return
        self._drop([piece for piece in self.pieces if piece.arc.source == phase])
        self.phases.remove(phase)
        self.controls.pop(phase, None)
        for choices in self.choices.values():
            choices.pop(phase, None)

    def _set_control(self, edit: edits.SetControl) -> None:
        phase = self.known.find(edit.phase)
        self.set_once(("control", phase), edit.control, f"both set the control of {phase}")
        if phase in self.phases:
            self.controls[phase] = edit.control

    def _force(self, edit: edits.Force) -> None:
        phase = self.known.find(edit.phase)
        if control := self.controls.get(phase):
            self.controls[phase] = replace(control, forced=(*control.forced, edit.trigger))

    def _allow(self, edit: edits.Allow) -> None:
        phase = self.known.find(edit.phase)
        self.set_once(("offer", phase, edit.offer.trigger), edit.offer, f"both offer {edit.offer.trigger!r}")
        if control := self.controls.get(phase):
            offers = [edit.offer if old.trigger == edit.offer.trigger else old for old in control.offers]
            more = [] if edit.offer in offers else [edit.offer]
            self.controls[phase] = replace(control, offers=(*offers, *more))

    def _withdraw(self, edit: edits.Withdraw) -> None:
        phase = self.known.find(edit.phase)
        control = self.controls.get(phase)
        if control is None:
            return
        if edit.trigger not in (*control.triggers, *self.game.control.get(phase, control).triggers):
            raise DeclarationError(f"phase {phase} has no event {edit.trigger!r} to withdraw; name one that it has")
        offers = tuple(offer for offer in control.offers if offer.trigger != edit.trigger)
        forced = tuple(event for event in control.forced if event != edit.trigger)
        self.controls[phase] = replace(control, offers=offers, forced=forced)
        self._drop([each for each in self.pieces if (each.arc.source, each.arc.trigger) == (phase, edit.trigger)])
        for choices in self.choices.values():
            choices[phase] = tuple(choice for choice in choices.get(phase, ()) if choice.trigger != edit.trigger)

    def _decide(self, edit: edits.Decide) -> None:
        phase = self.known.find(edit.phase)
        self.set_once(("choices", edit.policy, phase), edit, f"both decide for {edit.policy} in {phase}")
        if edit.policy not in self.choices:
            raise DeclarationError(f"the game has no policy {edit.policy!r} with decision rules; name one that it has")
        if phase in self.phases:
            self.choices[edit.policy][phase] = edit.choices

    def _waive(self, edit: edits.Waive) -> None:
        waived = [each for each in conditions_of(self.game) if each.description == edit.description]
        if not waived:
            about = f"{edit.description!r}; name one of its properties"
            raise DeclarationError(f"waives what the game does not demand: {about}")
        events = {trigger for each in waived if isinstance(each, Postcondition) for trigger in self._events(each)}
        for other in [trigger for trigger in edit.triggers if trigger not in events]:
            about = f"for an event that it is not about: {other!r}; use one of its own"
            raise DeclarationError(f"waives {edit.description!r} {about}")
        self.conditions = [left for each in self.conditions if (left := self._waived(each, edit))]

    def _events(self, condition: Postcondition) -> tuple[str, ...]:
        return condition.triggers or self.game.triggers

    def _waived(self, condition: Condition, edit: edits.Waive) -> Condition | None:
        """What is left of a condition: all, if it is another one; for some events a postcondition alone is waived."""
        if condition.description != edit.description:
            return condition
        if not isinstance(condition, Postcondition) or not edit.triggers:
            return None
        left = tuple(trigger for trigger in self._events(condition) if trigger not in edit.triggers)
        return replace(condition, triggers=left) if left else None

    def _reword(self, edit: edits.Reword) -> None:
        for piece in [each for each in self.pieces if edit.old in each.arc.description]:
            arc = replace(piece.arc, description=piece.arc.description.replace(edit.old, edit.new))
            self._put(piece, replace(piece, arc=arc, by=(*piece.by, self.rule)))
        self.conditions = [_reworded(each, edit) for each in self.conditions]
        for choices in self.choices.values():
            for phase, given in choices.items():
                choices[phase] = tuple(_reworded(choice, edit) for choice in given)
        game = self.game
        described: tuple[Any, ...] = *game.arcs, *conditions_of(game), *(choice for *_, choice in game.choices())
        if not any(edit.old in each.description for each in described):
            raise DeclarationError(f"no description contains {edit.old!r}; use words of a description")

    def _beside(self, edit: edits.Beside) -> None:
        if not set(self.rules).isdisjoint(edit.rules):
            APPLY[type(edit.edit)](self, edit.edit)

    def _refuse(self, edit: edits.Refuse) -> None:
        if edit.instead:
            self.set_once(("reasons", edit.guard), edit, f"both replace the reasons of {label(edit.guard)!r}")
        self.refusals.setdefault(edit.guard, []).append((edit, self.rule))

    def _constant(self, edit: edits.Constant) -> None:
        self.set_once(("constant", edit.name), edit.value, f"two values for {edit.name}")
        self.constants[edit.name] = edit.value


def conditions_of(game: Declaration) -> list[Condition]:
    """What a game itself demands."""
    return [*game.own_invariants, *game.postconditions, *game.responses]


def _check_placed(edit: edits.SplitArcs | edits.ChangeArcs, pieces: list[Piece]) -> None:
    """Raise DeclarationError if no arc has an effect next to which others are put."""
    for effect, _ in (*edit.put_before, *edit.put_after):
        if pieces and not any(effect in (edit.before or piece.arc.before) for piece in pieces):
            about = f"no transition {edit.where} has this effect; name one that it has"
            raise DeclarationError(f"next to {label(effect)!r}: {about}")


def _changed(functions: Guards, gone: Guards, more: Guards) -> Guards:
    return tuple(dict.fromkeys((*(each for each in functions if each not in gone), *more)))


def _reworded(described: D, edit: edits.Reword) -> D:
    """An invariant, a postcondition or a choice in other words."""
    return replace(described, description=described.description.replace(edit.old, edit.new))


Apply = Callable[[Draft, Any], None]
STAGES: tuple[dict[type[Edit], Apply], ...] = (
    {
        edits.AddPhase: lambda draft, edit: draft.controls.update({draft._new_phase(edit): edit.control}),
        edits.CopyPhase: Draft._copy_phase,
    },
    {
        edits.AddField: Draft._add_field,
        edits.AddArcs: lambda draft, edit: draft._add_arcs(draft.known.in_arcs(edit.arcs)),
        edits.AddDeck: lambda draft, edit: draft.decks.append(edit.deck),
    },
    {edits.SplitArcs: Draft._split_arcs},
    {edits.ChangeArcs: Draft._change_arcs},
    {edits.DropArcs: lambda draft, edit: draft._drop(draft._chosen(edit.where))},
    {edits.ReplaceArcs: Draft._replace_arcs, edits.DropPhase: Draft._drop_phase},
    {
        edits.SetControl: Draft._set_control,
        edits.Force: Draft._force,
        edits.Allow: Draft._allow,
        edits.Decide: Draft._decide,
    },
    {edits.Withdraw: Draft._withdraw},
    {
        edits.Check: lambda draft, edit: draft.conditions.append(draft.known.in_condition(edit.condition)),
        edits.Waive: Draft._waive,
        edits.Reveal: lambda draft, edit: draft.reveals.update({edit.trigger: edit.why}),
        edits.Show: lambda draft, edit: setattr(draft, "look", draft.look.joined(edit.look)),
    },
    {edits.Reword: Draft._reword},
    {
        Means: lambda draft, edit: draft.meanings.setdefault(edit.old, []).append((edit, draft.rule)),
        edits.Refuse: Draft._refuse,
        edits.Constant: Draft._constant,
    },
)
"""How each kind of edit is applied, in the order in which they are."""
APPLY: dict[type[Edit], Apply] = {kind: apply for stage in STAGES for kind, apply in stage.items()}
APPLY[edits.Beside] = Draft._beside
