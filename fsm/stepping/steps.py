"""Moves, steps and outcomes, and events in words: who did what, for which reason, and the rule that applies."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Mapping, Sequence
from typing import Any, NamedTuple

from fsm.declaration.arcs import Arc, Phase
from fsm.declaration.declaration import Declaration
from fsm.declaration.facts import Value, ValueKind, value_text
from fsm.edge.kept import kept
from fsm.table.fields import Snapshot
from fsm.table.layout import layout_of
from rules.notation import UNKNOWN, listed

MUST = "must "
"""Begins the verb of what a player does only for lack of another move; where there was one, the verb is without it."""
DOES = {"play": "plays", "take": "takes", "draw": "must draw", "pass_turn": "passes", "skip": "is skipped"}
"""The default verb of each event; a game may define others."""

MAX_SENTENCES = 4096
"""Sentences that are kept of a game."""
DRAWS = frozenset({"draw", "draws", "take", "takes"})
"""Words of verbs after which the card that was drawn is named; after others it is said that it was taken."""


class Narration(NamedTuple):
    """One event in words.

    what: what was done; empty if no player acts. why: the decision rule; empty if nothing was decided. description: the
    rule of the game, in a sentence. player: who did it.
    """

    what: str
    why: str
    description: str
    player: int

    def sentence(self, trigger: str) -> str:
        """Return the event as a sentence in the form of the problem statement's example. trigger: the event."""
        why = f" ({self.why})" if self.why else ""
        what = f"{self.what}{why}." if self.what else ""
        return f"{what} {self.description}".strip() if trigger in ("open", "play") or not what else what


class Scene(NamedTuple):
    """What is needed to narrate the events of a game.

    game: the declaration of the game. policies: the name of the policy of each player. seen: a table with what the
    reader sees of that before the event, if it is not all.
    """

    game: Declaration
    opening_card: str
    policies: tuple[str, ...]
    seen: Any = None

    def restored(self, table: tuple[Any, ...]) -> Any:
        """The table of a snapshot."""
        return layout_of(self.game).restored(table)


def is_told_from_past(game: Declaration, trigger: str) -> bool:
    """Whether an event is narrated with what the table was before it."""
    return trigger in game.look.doers or game.look.details is not None or _verb(game, trigger).startswith(MUST)


class Wording(NamedTuple):
    """What all events have in common that one decision rule, or none, chooses in a phase.

    verb: of the sentence; empty for a forced event without a verb of its own. why: the decision rule in words; empty if
    nothing was decided. at_will: the verb if the player has another move; empty if that is not another verb.
    """

    verb: str
    why: str
    at_will: str


@kept
def _wording(game: Declaration, source: Phase, trigger: str, rule: str | None, policy: str | None) -> Wording:
    """The wording of an event that `rule` of the policy of a name chose in the phase `source`; both None for none."""
    verb, why = _verb(game, trigger), rule or ""
    choice = None if policy is None else game.choice(policy, source, trigger, rule)
    if choice is not None:
        why = f"{choice.rule}: {choice.description}" if choice.decides else choice.description
    at_will = _in_third_person(verb.removeprefix(MUST)) if choice is None and verb.startswith(MUST) else ""
    is_told = trigger not in game.control[source].forced or _is_deed(game, trigger)
    return Wording(verb if is_told else "", why, at_will)


def _wording_of(step: Step, scene: Scene) -> Wording:
    policy = None if step.rule is None else scene.policies[step.player - 1]
    return _wording(scene.game, step.source, step.trigger, step.rule, policy)


def _tells_of_past(game: Declaration, trigger: str, at_will: str) -> bool:
    """Whether the sentence of an event with this wording depends on what the table was before it."""
    return bool(at_will or game.look.details or trigger in game.look.doers)


@kept
def _sentences(game: Declaration) -> dict[Hashable, str]:
    """Return the sentences of events of a game that need nothing of the table, by all that they are made of."""
    return {}


def _what(step: Step, scene: Scene, player: int, does: str) -> str:
    """Who did what; empty for a forced event without a verb of its own. does: the verb."""
    if step.trigger == "open" and scene.opening_card:
        return f"The opening card is {scene.opening_card}"
    if not does:
        return ""
    if step.drawn or player != step.player:  # the card of the step is that of the player who acted before
        return f"Player {player} {does}{_draws(step.drawn, player, scene.game)}"
    card = f" {step.card}" if step.card else ""
    draws = not DRAWS.isdisjoint(does.split()) and step.trigger not in scene.game.look.doers
    if card and step.trigger not in scene.game.card_events and not draws:
        card = f" and takes{card}"
    naming = "".join([_naming(scene.game, kind, value) for kind, value in step.named.items()])
    naming = f" and names{naming}" if card and naming else naming
    called = "".join([f" and {words}" for words in step.calls if words != does])
    return f"Player {player} {does}{card}{naming}{called}"


def _draws(drawn: Sequence[tuple[int, str]], player: int, game: Declaration) -> str:
    """What each player draws in an event that `player` does, in words, with this player first."""
    word = game.codec.notation.card_word
    told = []
    for drawer, cards in sorted(drawn, key=lambda each: each[0] != player):
        hidden = cards.count(UNKNOWN)
        named = cards if not hidden else f"a {word}" if hidden == 1 else f"{hidden} {word}s"
        told.append(f" and draws {named}" if drawer == player else f", player {drawer} draws {named}")
    return "".join(told)


def _is_deed(game: Declaration, trigger: str) -> bool:
    """Whether a forced event is told as what a player does."""
    return trigger in game.look.events or trigger in DOES


def _naming(game: Declaration, kind: ValueKind, value: Value) -> str:
    """What is named, in words, with a blank before it."""
    if kind is ValueKind.SUIT:
        return f" {game.codec.notation.suit_name(str(value))}"
    return f" {'player ' if kind is ValueKind.SEAT else ''}{value_text(value)}"


def _verb(game: Declaration, trigger: str) -> str:
    """The verb of an event, as declared or by default: its name in the third person."""
    return game.look.events.get(trigger) or DOES.get(trigger) or _in_third_person(trigger.replace("_", " "))


def _in_third_person(words: str) -> str:
    verb, *rest = words.split()
    return " ".join([f"{verb}{'es' if verb.endswith(SIBILANTS) else 's'}", *rest])


def _is_at_will(step: Step, scene: Scene, seen: Any) -> bool:
    """Whether a player without decision rules could have played a card instead, or it cannot be told from `seen`."""
    game, control, seat = scene.game, scene.game.control[step.source], step.player - 1
    if step.past is None or step.trigger in control.forced:
        return False
    before = scene.restored(step.past) if scene.seen else seen
    if game.codec.held(before, seat) != game.codec.held(seen, seat):
        return True
    return any(offer.cards and offer.cards(before) for offer in control.offers if offer.trigger != step.trigger)


SIBILANTS = ("s", "x", "z", "ch", "sh", "o")
"""Verbs with these endings take `es` in the third person."""


def turn_sentence(game: Declaration) -> str:
    """Return what ends a turn, in a sentence: the events of which an effect counts turns; empty if none does."""
    triggers = {arc.trigger: game.control[arc.source].forced for arc in game.arcs if game.changes("turns", arc.before)}
    verbs = [_verb(game, each) for each, forced in triggers.items() if each not in forced or _is_deed(game, each)]
    told = [_in_third_person(verb.removeprefix(MUST)) if verb.startswith(MUST) else verb for verb in verbs]
    return f"A turn ends when a player {listed(told, ' or ')}." if told else ""


class Step(NamedTuple):
    """One fired event.

    trigger: the event. source, dest: the phases before and after it. player: who acted, from 1. card: the card played
    or taken, or the cards of a set with commas between them, else None. suit, seat, rank, amount, answer: what was
    named with it, else None; seats count from 1. arc: the transition that fired. rule: the decision rule that chose
    the event, if one did.
    repeats: whether a computed player chose it by the position alone (see `SteppedPolicy.repeats`). calls: what the
    player called out with it, in words. scene: the part of the game that `print` needs for the sentence of the trace.
    drawn: where another player than the one in turn does it, as in taking a trick: each player, from 1, who draws, with
    the names of the cards. past: the table before it, where the sentence needs it. Steps are compared without `calls`,
    `drawn`, `scene` and `past`, and pickled without the last two.
    """

    trigger: str
    source: Phase
    dest: Phase
    player: int
    card: str | None
    suit: str | None
    arc: Arc
    rule: str | None
    scene: Scene | None = None
    seat: int | None = None
    rank: str | None = None
    amount: int | None = None
    answer: bool | None = None
    repeats: bool = False
    calls: tuple[str, ...] = ()
    drawn: tuple[tuple[int, str], ...] = ()
    past: tuple[Any, ...] | None = None

    @classmethod
    def of_codes(cls, game: Declaration, arc: Arc, seat: int, card: int, value: int, rule: str | None) -> Step:
        """Return the step of an event in codes.

        game: the declaration. arc: the transition that fired. seat: who acts, from 0. card, value: -1 for none. rule:
        the decision rule that chose the event, if one did.
        """
        name = game.card_name(arc.trigger, card, value) if card >= 0 else None
        named = game.value_named(arc.trigger, value)
        return cls(arc.trigger, arc.source, arc.dest, seat + 1, name, named.pop("suit", None), arc, rule, **named)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Step) and self._compared() == other._compared()

    def __hash__(self) -> int:
        return hash(self._compared())

    def __reduce__(self) -> Any:
        return Step, (*self[:8], None, *self[9:-1])

    def _compared(self) -> tuple[Any, ...]:
        return self[:8] + self[9:-3]

    def __repr__(self) -> str:
        hidden = "scene", "past", "calls", "drawn"
        return fields_shown(self, hidden if self.repeats else (*hidden, "repeats"))

    @property
    def named(self) -> dict[ValueKind, Any]:
        """What was named beside a card, by its kind."""
        values = self.suit, self.seat, self.rank, self.amount, self.answer
        if values == NOTHING_NAMED:
            return {}
        return {kind: value for kind, value in zip(KINDS, values, strict=True) if value is not None}

    def move(self, game: Declaration) -> Move:
        """Return this event as a move in `game`; see `Move.of`."""
        return Move.of(game, self.trigger, self.card, self.named)

    @property
    def narration(self) -> Narration:
        """The event in words. Its game must be known."""
        assert self.scene is not None
        scene, player = self.scene, self.player
        does, why, at_will = _wording_of(self, scene)
        description = self.arc.description
        if self.past is None or not _tells_of_past(scene.game, self.trigger, at_will):
            return Narration(_what(self, scene, player, does), why, description, player)
        look = scene.game.look
        doer, seen = look.doers.get(self.trigger), scene.seen or scene.restored(self.past)
        player = player if doer is None else doer(seen) + 1
        more = look.details_of(seen, self)
        if at_will and _is_at_will(self, scene, seen):
            does, description = does and at_will, look.at_will.get(description, description)
        told = _what(self, scene, player, does) + more.what
        return Narration(told, "; ".join(filter(None, (why, more.why))), description, player)

    @property
    def sentence(self) -> str:
        """The event as a sentence. Its game must be known."""
        scene = self.scene
        assert scene is not None
        if self.trigger == "open" or (
            self.past is not None and _tells_of_past(scene.game, self.trigger, _wording_of(self, scene).at_will)
        ):
            return self.narration.sentence(self.trigger)
        sentences, policy = _sentences(scene.game), scene.policies[self.player - 1]
        key = self[:2], self[3:6], self[7], policy, self.arc.description, self[9:-1]
        if (found := sentences.get(key)) is None:
            if len(sentences) == MAX_SENTENCES:
                sentences.clear()
            found = sentences[key] = self.narration.sentence(self.trigger)
        return found

    def __str__(self) -> str:
        return self.sentence if self.scene else repr(self)


class Move(NamedTuple):
    """An event with what is named with it, ready to be fired with `game.fire(move)`.

    trigger: the event. card: the name of the card, or those of a set with commas between them, if one is named. suit,
    seat, rank, amount, answer: the value, if one is named; seats count from 1, an answer is True for yes.
    """

    trigger: str
    card: str | None = None
    suit: str | None = None
    seat: int | None = None
    rank: str | None = None
    amount: int | None = None
    answer: bool | None = None

    @classmethod
    def of(cls, game: Declaration, trigger: str, card: str | None, named: Mapping[Any, Any]) -> Move:
        """Return the move that an event of `game` was: what was named with it, and not the card that was taken.

        trigger: the event. card: that was named or taken. named: the values, by their kinds.
        """
        return cls(trigger, card if trigger in game.card_events else None, **{str(kind): named[kind] for kind in named})

    @classmethod
    def of_code(cls, game: Declaration, code: tuple[str, int, int]) -> Move:
        """Return a move of `game` in names. code: its event, its card and its value, -1 for none."""
        trigger, card, value = code
        name = None if card < 0 else game.card_name(trigger, card, value)
        return cls(trigger, name, **game.value_named(trigger, value))

    def __repr__(self) -> str:
        return fields_shown(self)

    def __str__(self) -> str:
        named = [*filter(None, (self.card, *(value_text(value) for value in self[2:] if value is not None)))]
        return f"{self.trigger} {' naming '.join(named)}" if named else self.trigger

    @property
    def named(self) -> dict[ValueKind, Any]:
        """What is named in addition to a card, by kind."""
        return {kind: value for kind, value in zip(KINDS, self[2:], strict=True) if value is not None}

    @property
    def short(self) -> str:
        """The move without its event, where something is named: the card, or else the value."""
        return self.card or next(map(value_text, self.named.values()), self.trigger)


KINDS = tuple(kind for kind in ValueKind if kind is not ValueKind.FORM)
"""The kinds of values that moves and steps have fields for."""
NOTHING_NAMED = (None,) * len(KINDS)
OPTIONAL = frozenset(KINDS) - {ValueKind.SUIT}
"""Fields of moves and steps that are shown only where they hold something."""


def fields_shown(move: Move | Step, hidden: Sequence[str] = ()) -> str:
    """The `repr` of a move or step."""
    left_out = {*hidden, *(name for name in OPTIONAL if getattr(move, name) is None)}
    fields = [f"{name}={value!r}" for name, value in zip(move._fields, move, strict=True) if name not in left_out]
    return f"{type(move).__name__}({', '.join(fields)})"


# ---------------------------------------------------------------- what a step holds besides its arc and its player


Told = tuple[bool, str | None, bool, bool, bool]
"""What is told of an event: whether a card is named, the field of the value that is named, whether the past is,
whether something may be called out, and whether the card is a set of cards.
"""


def told_of(game: Declaration) -> Mapping[str, Told]:
    """What is told of the events of a game."""
    fields = {trigger: field if trigger in game.value_kinds else None for trigger, field in game.value_fields.items()}
    counted = _counted(game)
    calls = {arc.trigger for arc in game.arcs if not counted.isdisjoint(game.reads(arc.before))}
    sets = {trigger for trigger, kind in game.value_kinds.items() if kind is ValueKind.FORM}
    return {
        each: (each in game.card_events, field, is_told_from_past(game, each), each in calls, each in sets)
        for each, field in fields.items()
    }


def counts_differ(game: Declaration) -> Callable[[Any, Snapshot], bool]:
    """Return a function of a table and a snapshot: whether counts of calls may differ."""
    return layout_of(game).differing(_counted(game))


def _counted(game: Declaration) -> frozenset[str]:
    """Return the fields that counts of calls read."""
    return game.reads(call.count for call in game.calls)
