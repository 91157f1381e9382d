"""What may be done in a phase, and why every other move is refused, in the words of the guards."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from types import MappingProxyType
from typing import Any, NamedTuple, overload

from fsm.declaration.arcs import Arc, Choice, Offer, Phase, Policy
from fsm.declaration.declaration import Declaration
from fsm.declaration.facts import NO_VALUE, ValueKind, value_text
from fsm.declaration.policy import SteppedPolicy
from fsm.edge.kept import kept
from fsm.stepping.outcomes import Outcome
from fsm.stepping.position import open_card
from fsm.stepping.steps import Move
from fsm.stepping.why import EventRefused, Refusing, Why, guarded, nothing_to_name, others_than
from rules.cards import bits
from rules.notation import listed, named, shown, with_article
from rules.rule import mark_of

Code = tuple[str, int, int]
"""A move in codes: trigger, card, and the value that is named, of the kind that belongs to the trigger."""
NO_OFFER = Offer("")  # of an event that is forced: nothing is named with it


class IllegalMove(ValueError):
    """The rules refuse an event; the message gives the reason and the legal moves. Nothing has changed.

    message: the reason and the legal moves. excludes: the mask of the cards that the reason excludes; 0 if it is not
    about single cards.
    """

    def __init__(self, message: str, excludes: int = 0) -> None:
        super().__init__(message)
        self.excludes = excludes


@dataclass(frozen=True, repr=False)
class Events(Sequence[Move]):
    """The legal moves of a position, and why each other move is refused.

    legal: the moves. refused: the reasons, by the text of the move.
    """

    legal: tuple[Move, ...]
    refused: Mapping[str, str]

    def __len__(self) -> int:
        return len(self.legal)

    @overload
    def __getitem__(self, index: int) -> Move: ...

    @overload
    def __getitem__(self, index: slice) -> tuple[Move, ...]: ...

    def __getitem__(self, index: int | slice) -> Move | tuple[Move, ...]:
        return self.legal[index]

    def __contains__(self, move: object) -> bool:
        return move in self.legal or move in [str(legal) for legal in self.legal]

    def __repr__(self) -> str:
        may = f"may {offer_text(self.legal) or 'do nothing'}"
        return "\n".join([may] + [f"may not {move}: {reason}" for move, reason in self.refused.items()])


def chosen_move(policy: SteppedPolicy, game: Any) -> Move:
    """What a policy that is computed in Python chooses in a stepped game. Raises IllegalMove for what is not a move."""
    with policy.guard():
        chosen = policy.choose(game)
    if not (isinstance(chosen, tuple) and 0 < len(chosen) <= len(Move._fields)):
        expected = f"it returned {shown(chosen)}; return a Move, one of those in view.moves"
        raise IllegalMove(f"policy {policy.name} of player {game.player}: {expected}")
    return Move(*chosen)


class PhasePlan(NamedTuple):
    """The control of a phase, prepared for stepping: with the arcs of each event."""

    phase: Phase
    forced: tuple[tuple[str, tuple[Arc, ...]], ...]
    certain: str | None
    offers: tuple[Offer, ...]
    offer: Mapping[str, Offer]
    arcs: Mapping[str, tuple[Arc, ...]]
    starts_turn: bool
    may_return: bool
    asks: bool

    @classmethod
    def of(cls, game: Declaration, phase: Phase) -> PhasePlan:
        """The plan of a phase. certain: the one event that is forced whatever the guards return.

        may_return: whether something may be forced by the return of a position, so that positions are compared. asks:
        whether seats are asked one after another.
        """
        control = game.control_of(phase)
        arcs = {trigger: game.leaving(phase, trigger) for trigger in control.triggers}
        return cls(
            phase=phase,
            forced=tuple((trigger, arcs[trigger]) for trigger in control.forced),
            certain=control.forced[0] if len(control.forced) == 1 and not control.offers else None,
            offers=control.offers,
            offer={each.trigger: each for each in control.offers[::-1]},
            arcs=arcs,
            starts_turn=control.starts_turn,
            may_return=control.may_return,
            asks=bool(control.declines),
        )

    def forced_now(self, table: Any) -> Iterator[str]:
        """The events that are forced on `table`."""
        for trigger, arcs in self.forced:
            for arc in arcs:
                if arc.enabled(table):
                    yield trigger
                    break

    def legal(self, table: Any) -> Iterator[Code]:
        """The moves that are legal on `table`, in the order of the offers, card codes and value codes."""
        forced = [(trigger, NO_VALUE, NO_VALUE) for trigger in self.forced_now(table)]
        yield from forced or self.moves(table)

    def moves(self, table: Any) -> Iterator[Code]:
        """The moves among which the player in turn may choose where nothing is forced, in that order."""
        for offer in self.offers:
            if offer.cards is not None:
                yield from ((offer.trigger, card, value) for card, value in offer.named_with(table))
            elif offer.values is not None:
                yield from ((offer.trigger, NO_VALUE, value) for value in bits(offer.values(table)))
            elif offer.always or any(arc.enabled(table) for arc in self.arcs[offer.trigger]):
                yield offer.trigger, NO_VALUE, NO_VALUE


@kept
def plans_of(game: Declaration) -> Mapping[Phase, PhasePlan]:
    """The plans of all phases of a game."""
    return {phase: PhasePlan.of(game, phase) for phase in game.phases}


def choice_of(game: Declaration, policy: Policy, table: Any, phase: Phase) -> tuple[Choice, Code] | None:
    """The decision rule of a policy that applies in a phase where nothing is forced, and the event that it chooses.

    The card and the value that it picks are left on the table.
    """
    for choice in policy.choices.get(phase, ()):
        for applies in choice.conditions:
            if not applies(table):
                break
        else:
            card = value = NO_VALUE
            if choice.card is not None:
                table.card = card = choice.card(table)
            if choice.value is not None:
                value = choice.value(table)
            if choice.card is not None or choice.value is not None:
                setattr(table, game.value_fields[choice.trigger], value)
            return choice, (choice.trigger, card, value)
    return None


def held_cards(game: Declaration, table: Any) -> dict[str, int]:
    """The names of the cards of the player who acts, each with the code of the first that has it."""
    names = game.codec.notation.cards
    return {names[code]: code for code in game.codec.held(table, table.player)[::-1]}


def events_of(
    game: Declaration, plan: PhasePlan, table: Any, hand: Sequence[str],
    triggers: Sequence[str] | None = None, codes: Iterable[Code] | None = None,
) -> Events:  # fmt: skip
    """The legal moves, and the reason against each other event, for those with a card of the hand against each one.

    triggers: the events for which reasons are found; None for all. codes: the legal moves, where they are known.
    """
    legal = tuple(Move.of_code(game, code) for code in (plan.legal(table) if codes is None else codes))
    may = {(move.trigger, move.card) for move in legal}
    legal_triggers = {move.trigger for move in legal}
    held = held_cards(game, table)
    refused: dict[str, str] = {}
    for trigger in game.triggers if triggers is None else triggers:
        offer = plan.offer.get(trigger, NO_OFFER)
        if offer.cards is None or offer.lays or trigger not in legal_triggers:
            for card in dict.fromkeys(hand) if offer.lays else [None]:
                if (trigger, card) not in may:
                    refused[str(Move(trigger, card))] = reason_against(game, plan, table, trigger, card, held).sentence
        if offer.forms and offer.from_hand:
            sets = sets_refused(game, plan.arcs[trigger], table, offer)
            refused |= {str(Move(trigger, names)): reason for names, reason in sets}
    return Events(legal, MappingProxyType(refused))


def refused(game: Declaration, plan: PhasePlan, table: Any, move: str, fault: str) -> str:
    """The whole message for a move that is refused because of `fault`."""
    moves = [Move.of_code(game, code) for code in plan.legal(table)]
    return f"player {table.player + 1} cannot {move}: {fault}{f'; may {offer_text(moves)}' if moves else ''}"


def offer_text(moves: Sequence[Move]) -> str:
    """Return moves in words, each card once, with the values that may be named with it.

    `play SS, SN or draw`; `play CA; play DJ or SJ naming D, H, S or C; or draw`.
    """
    values: dict[tuple[str, str | None], list[str]] = {}
    for move in moves:
        values.setdefault((move.trigger, move.card), []).extend(map(value_text, move.named.values()))
    alike: dict[tuple[str, tuple[str, ...]], list[str]] = {}
    for (trigger, card), beside in values.items():
        named_with_card = tuple(dict.fromkeys(beside)) if card else ()
        alike.setdefault((trigger, named_with_card), []).extend([card] if card else beside)
    if any(beside for _, beside in alike):
        texts = [
            f"{trigger} {listed(things, ' or ')}".rstrip() + f" naming {listed(beside, ' or ')}" * bool(beside)
            for (trigger, beside), things in alike.items()
        ]
        return "; or ".join(filter(None, ("; ".join(texts[:-1]), texts[-1])))
    texts = []
    for (trigger, _), things in alike.items():
        texts += [f"{trigger} {things[0]}", *things[1:]] if things else [trigger]
    return listed(texts, " or ")


def refused_move(game: Declaration, table: Any, move: Move) -> str:
    """A move that is refused, which may name anything at all, for its message."""
    if move.card:
        opened = open_card(game, table)
        return f"{named(move.trigger)} {named(move.card)}{f' on {opened}' if opened else ''}"
    return " ".join([named(move.trigger), *(named(value_text(value)) for value in move.named.values())])


def misnamed(game: Declaration, offer: Offer, move: Move) -> str:
    """Why what is named, or not, cannot be meant for an event, which takes something else."""
    notation, trigger = game.codec.notation, move.trigger
    if not offer.named:
        others = [kind for kind in move.named if kind is not ValueKind.SUIT]
        return f"{trigger} takes {f'no {others[0]}' if others else f'neither a card nor a {notation.suit_word}'}"
    kind = game.value_kind(trigger)
    if other := next((other for other in move.named if other is not kind), None):
        return f"{trigger} takes no {other.word(notation)}"
    if offer.cards is None and move.card is not None:
        return f"{trigger} takes no {notation.card_word}"
    return f"{with_article(kind.word(notation)) if offer.cards is None else f'a {notation.card_word}'} must be named"


def refuse_value(game: Declaration, offer: Offer, table: Any, allowed: int) -> None:
    """Raise Fault for the value on the table, which is none of `allowed`, unless the guards refuse the card there."""
    notation, kind = game.codec.notation, game.value_kind(offer.trigger)
    if offer.cards is None and not allowed:
        raise EventRefused(nothing_to_name(game, kind))
    if offer.cards is not None and notation.cards[table.card] not in notation.names(bits(offer.cards(table))):
        return
    if not allowed:
        raise EventRefused(f"it names no {kind.word(notation)}")
    values = ", ".join(kind.text(notation, code) for code in bits(allowed))
    raise EventRefused(f"it must name {with_article(kind.word(notation))}, one of {values}")


def reason_against(
    game: Declaration,
    plan: PhasePlan,
    table: Any,
    trigger: str,
    card: str | None,
    held: Mapping[str, int] | None = None,
) -> Why:
    """Why no arc of an event is enabled, in words. card: the name of the card that would be played. held: the codes of
    the cards of the player who acts, if they are known.
    """
    if plan.phase is game.final:
        return _against_all(game, f"the game is over: {Outcome.of(game, table)}", card)
    if trigger not in plan.arcs:
        return _against_all(game, out_of_place(plan, table), card)
    offer = plan.offer.get(trigger)
    if offer and offer.kind and offer.values and offer.cards is None and not offer.values(table):
        return Why(nothing_to_name(game, offer.kind))
    if offer and offer.cards and not offer.lays and card is None:
        return Why(nothing_to_name(game, None))
    before, arcs = table.card, plan.arcs[trigger]
    is_set = offer is not None and offer.forms is not None  # which lies on the table
    if card is not None and not is_set:
        held = held_cards(game, table) if held is None else held
        table.card = held[card] if card in held else game.codec.notation.card(card)
    other = next((forced for forced in plan.forced_now(table) if forced != trigger), None)
    is_second = other is not None and any(arc.enabled(table) for arc in arcs)
    why = _against_all(game, f"{other} is forced", card) if is_second else guarded(game, arcs, table, card)
    table.card = before
    return Why(why.sentence) if is_set and not is_second else why


def _against_all(game: Declaration, sentence: str, card: str | None) -> Why:
    """Why an event is refused with every card. card: the name of the one that would be played, if any."""
    return Why(sentence) if card is None else Why(sentence, partial(others_than, game, ()))


def out_of_place(plan: PhasePlan, table: Any) -> str:
    """Why an event cannot be fired in a phase that no arc of it leaves."""
    if plan.asks:
        events = listed([offer.trigger for offer in plan.offers], " or ")
        return f"not an event of {plan.phase}, where player {table.player + 1} is asked to {events}"
    return f"not an event of {plan.phase}, which accepts {listed(list(plan.arcs), ' or ')}"


# ---------------------------------------------------------------- sets of cards


def against_set(game: Declaration, arcs: Sequence[Arc], table: Any, names: str) -> str:
    """Why the set of cards on the table cannot be named now, in the words of the guard that is made of such sets.

    arcs: of the event in the phase. names: of the cards.
    """
    guards = (guard for guard in arcs[0].conditions if (mark := mark_of(guard)) and mark.cards)
    guard = next(guards, None)
    return Refusing(guard, "conditions").sentence(game, table, names) if guard else "these cards cannot be named now"


def sets_refused(game: Declaration, arcs: Sequence[Arc], table: Any, offer: Offer) -> Iterator[tuple[str, str]]:
    """The sets of cards of the player who acts that cannot be named now with an event, each with the reason.

    arcs: of the event in the phase.
    """
    sets, field = game.codec.sets, game.value_fields[offer.trigger]
    before, value = table.card, getattr(table, field)
    hand = sum(1 << code for code in game.codec.held(table, table.player))
    for mask in sets.masks if sets else ():
        if mask & ~hand == 0 and sets and offer.forms and (found := sets.named(mask)):
            table.card, form = found
            setattr(table, field, form)
            if not offer.forms(table) >> form & 1:
                names = game.card_name(offer.trigger, table.card, form)
                yield names, against_set(game, arcs, table, names)
    table.card = before
    setattr(table, field, value)
