"""Numbered actions: every move that a game may ever offer has one number, the same in every position.

An action is an event with the name of a card, with a value of one kind (a suit, a seat, a rank, an amount, an answer),
with both, or with neither; or with a set of cards, by its lowest card and its form. Copies of a card have one name, so
they are one action. Seats count from the player who acts: `+1` is the next one. The fields of a table that hold the
hands are found by giving a card to a seat.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from fsm import Game, IllegalMove
from fsm.declaration.arcs import Offer
from fsm.declaration.declaration import Declaration
from fsm.declaration.facts import NO_VALUE, ValueKind
from fsm.edge.kept import kept
from fsm.edge.numbers import Array, as_int, np, of_type
from fsm.stepping.steps import Move
from maumau.agents.possible import answers
from rules.cards import bits
from rules.notation import shown

LIMIT = 1000
"""Events that players choose in one game before it is truncated, if nothing else is said."""


@dataclass(frozen=True)
class Action:
    """A numbered action: an event and what is named with it.

    trigger: the event. card: the name of a card, if one is named. kind, value: the kind of the value that is named, if
    one is, and its code (see `fsm.declaration.facts`); a seat is the number of seats after that of the player who
    acts.
    """

    trigger: str
    card: str | None = None
    kind: ValueKind | None = None
    value: int = NO_VALUE


class UnsupportedGame(ValueError):
    """The actions or observations of a game cannot be derived; the message says why."""


@kept
def deck_counts(game: Declaration) -> dict[int, int]:
    """How often each card code is in the deck, the codes ascending."""
    return dict(sorted(Counter(game.full_deck()).items()))


@kept
def hand_fields(game: Declaration) -> tuple[str, ...]:
    """The fields that hold the hands: lists with a mask of card codes for each seat.

    A seat holds a card as often as the masks of these fields have its bit. The fields are those that change when
    `codec.receive` gives all copies of each card to a seat. Raises UnsupportedGame if hands are held in another way.
    """
    found: dict[str, None] = {}
    defaults = game.defaults
    for code, copies in deck_counts(game).items():
        table: Any = game.table()
        table.players = game.codec.fewest
        for _ in range(copies):
            game.codec.receive(table, 0, code)
        changed = [
            field for field, empty in defaults.items() if isinstance(empty, list) and getattr(table, field) != empty
        ]
        masks = [field for field in changed if getattr(table, field) == [1 << code, *defaults[field][1:]]]
        if masks != changed or len(masks) != copies:
            raise UnsupportedGame(
                f"{game.name}: {copies} of {game.codec.notation.cards[code]} in a hand change {', '.join(changed)}; "
                "use a list for each copy, with a mask of card codes for each seat"
            )
        found |= dict.fromkeys(masks)
    return tuple(found)


@kept
def is_unique(game: Declaration) -> bool:
    """Whether every card is in the deck once, so that a code stands for one card that can be told from all others."""
    return set(deck_counts(game).values()) == {1} and not names_repeat(game)


@kept
def names_repeat(game: Declaration) -> bool:
    """Whether several card codes of the deck have one name: such cards cannot be told apart."""
    names = [game.codec.notation.cards[code] for code in deck_counts(game)]
    return len(set(names)) < len(names)


@dataclass(frozen=True, eq=False)
class ActionSpace:
    """The numbered actions of `game`, for any number of players.

    >>> from fsm import MauMau
    >>> space = action_space(MauMau.declaration)
    >>> len(space), space.text(0), space.text(len(space) - 1)
    (50, 'play DQ', 'pass_turn')
    """

    game: Declaration

    def __len__(self) -> int:
        return len(self.actions)

    def __iter__(self) -> Iterator[Action]:
        return iter(self.actions)

    def __getitem__(self, number: int) -> Action:
        """An action by its number, from 0. Raises TypeError, or ValueError if there is none."""
        return self.actions[as_int("action", number, 0, len(self) - 1)]

    @cached_property
    def actions(self) -> tuple[Action, ...]:
        """The actions by number: those of each event together, by card code and value."""
        return tuple(action for trigger in self.triggers for action in self._of_event(trigger))

    @cached_property
    def triggers(self) -> tuple[str, ...]:
        """The events among which players choose, in the order in which phases first offer them."""
        return tuple(dict.fromkeys(offer.trigger for offer in self.game.offers))

    @cached_property
    def cards(self) -> tuple[str, ...]:
        """The names of the cards of the deck, by code."""
        return tuple(dict.fromkeys(self.game.codec.notation.cards[code] for code in deck_counts(self.game)))

    @cached_property
    def factors(self) -> Array:
        """Each action in three numbers: of its event in `triggers`, of its card in `cards`, of its value in `values`.

        Shape (actions, 3), int16. -1 stands for no card, or no value.
        """
        rows = [
            (
                self.triggers.index(action.trigger),
                -1 if action.card is None else self.cards.index(action.card),
                -1 if action.kind is None else self.values.index((action.kind, action.value)),
            )
            for action in self
        ]
        return np.array(rows, np.int16)

    @cached_property
    def values(self) -> tuple[tuple[ValueKind, int], ...]:
        """The values that actions name, each as its kind and its code, in the order of the actions."""
        return tuple(dict.fromkeys((action.kind, action.value) for action in self if action.kind is not None))

    def number(self, move: Move, player: int, players: int) -> int:
        """Return the number of `move` by `player` (from 1) of `players`. Raises ValueError if it has none."""
        players = self.game.player_count(players)
        player = as_int("player", player, 1, players)
        codes = [(kind, kind.to_code(self.game.codec.notation, value, players)) for kind, value in move.named.items()]
        card = move.card
        kind, value = codes[0] if codes else (None, NO_VALUE)
        if card is not None and self.game.value_kinds.get(move.trigger) is ValueKind.FORM:
            code, value = self.game.set_named(card)
            card, kind = self.game.codec.notation.cards[code], ValueKind.FORM
        if kind is ValueKind.SEAT:
            value = (value - player + 1) % players
        action = Action(move.trigger, card, kind, value)
        if action not in self._numbers:
            raise ValueError(f"{move} is not an action of {self.game.title}; use a move of this game")
        return self._numbers[action]

    def move(self, number: int, player: int, players: int) -> Move:
        """Return the move of action `number` for `player` (from 1) of `players`. Raises TypeError or ValueError."""
        players = self.game.player_count(players)
        player, action = as_int("player", player, 1, players), self[number]
        if action.kind in (None, ValueKind.FORM):
            return Move(action.trigger, self.card_text(number))
        code = (action.value + player - 1) % players if action.kind is ValueKind.SEAT else action.value
        named: dict[str, Any] = {str(action.kind): action.kind.from_code(self.game.codec.notation, code)}
        return Move(action.trigger, action.card, **named)

    def chooses(self, game: Game) -> bool:
        """Return whether a player chooses now in `game`: it is not over, and no event is forced."""
        plan = game.plans[game.phase]
        return bool(plan.offers) and not any(plan.forced_now(game.table))

    def legal(self, game: Game) -> list[int]:
        """Return the numbers of the legal moves in `game`, ascending; none where nobody chooses."""
        if not self.chooses(game):
            return []
        table, numbers = game.table, set()
        for trigger, code, value in game.plans[game.phase].moves(table):
            of_seat = value != NO_VALUE and self.game.value_kind(trigger) is ValueKind.SEAT
            numbers.add(self.number_of(trigger, code, (value - table.player) % table.players if of_seat else value))
        return sorted(numbers)

    def card_text(self, number: int) -> str | None:
        """Return the card that action `number` names, or all cards of a set with commas; None if it names none."""
        action = self[number]
        if action.card is None or action.kind is not ValueKind.FORM:
            return action.card
        return self.game.card_name(action.trigger, self.game.codec.notation.card(action.card), action.value)

    def value_text(self, number: int) -> str | None:
        """Return the value that action `number` names, as people use it: `H`, `+1`, `7`, `yes`.

        None if it names none, or the form of a set.
        """
        action = self[number]
        if action.kind is None or action.kind is ValueKind.FORM:
            return None
        if action.kind is ValueKind.SEAT:
            return f"+{action.value}"
        return action.kind.text(self.game.codec.notation, action.value)

    def text(self, number: int) -> str:
        """Return action `number` in words: `play HJ naming S`, `ask +1`, `draw`."""
        action = self[number]
        named = [text for text in (self.card_text(number), self.value_text(number)) if text]
        return " ".join([action.trigger, " naming ".join(named)]).rstrip()

    def codes(self, number: int) -> tuple[int, ...]:
        """Return the codes of the cards that bear the name of action `number`; none if it names none."""
        names, card = self.game.codec.notation.cards, self[number].card
        return tuple(code for code in deck_counts(self.game) if names[code] == card)

    @kept
    def number_of(self, trigger: str, code: int, value: int) -> int:
        """Return the number of an action; -1 if there is no such action.

        trigger: the event. code, value: those of the card and of the value that are named, -1 for none.
        """
        card = self.game.codec.notation.cards[code] if code >= 0 else None
        kind = None if value == NO_VALUE else self.game.value_kind(trigger)
        return self._numbers.get(Action(trigger, card, kind, value), -1)

    def values_of(self, trigger: str) -> int:
        """Return how many codes the values of an event may have, with the one for no value. trigger: the event."""
        kind = self.game.value_kinds.get(trigger)
        return 1 + (kind.how_many(self.game.codec.notation, self.game.codec.most) if kind else 0)

    @cached_property
    def _numbers(self) -> dict[Action, int]:
        return {action: number for number, action in enumerate(self.actions)}

    def _of_event(self, trigger: str) -> Iterator[Action]:
        """The actions of an event, each once."""
        offers = [offer for offer in self.game.offers if offer.trigger == trigger]
        codes = deck_counts(self.game) if offers[0].cards else (NO_VALUE,)
        found = {
            (self.cards.index(self.game.codec.notation.cards[code]) if code >= 0 else -1, value): None
            for offer in offers
            for code in codes
            for value in self._values(offer, code)
        }
        kind = self.game.value_kinds.get(trigger)
        for index, value in sorted(found):
            card = self.cards[index] if index >= 0 else None
            yield Action(trigger, card, kind if value != NO_VALUE else None, value)

    def _values(self, offer: Offer, code: int) -> Iterator[int]:
        """The values that may be named with a card, or without one where `code` is -1; -1 stands for no value.

        All forms of sets are possible. Of other values those are possible which the offer may allow with the card,
        whatever else is on the table. Seats are counted from who acts.
        """
        codec, defaults, kind = self.game.codec, self.game.defaults, offer.kind
        if kind is None or offer.values is None:
            yield NO_VALUE
        elif kind is ValueKind.FORM:
            assert codec.sets is not None
            yield from bits(codec.sets.at[code]) if code < len(codec.sets.at) else ()
        else:
            by_seat = kind is ValueKind.SEAT
            for players in codec.players:
                every = (1 << kind.how_many(codec.notation, players)) - 1
                for seat in range(players) if by_seat else (0,):
                    known = {"card": code, "players": players} | ({"player": seat} if by_seat else {})
                    masks = answers(offer.values, defaults, **known)
                    for mask in {0, every} if masks is None else masks:
                        if not mask and code != NO_VALUE:
                            yield NO_VALUE
                        yield from ((value - seat) % players if by_seat else value for value in bits(mask))


def action_space(game: Declaration) -> ActionSpace:
    """Return the numbered actions of a game, for any number of players. game: its declaration. Raises TypeError."""
    of_type("game", game, Declaration, "a declaration")
    return _action_space(game)


_action_space = kept(ActionSpace)


def check_actions(player: str, actions: Array, masks: Array) -> None:
    """Raise IllegalMove unless there is a legal action for each row of masks. player: who chose, for the message."""
    is_array = isinstance(actions, np.ndarray)
    if not is_array or actions.shape != masks.shape[:1] or actions.dtype.kind not in "iu":
        found = f"{actions.dtype}, shape {actions.shape}" if is_array else shown(actions)
        raise IllegalMove(f"policy {player}: actions {found}; return an array of integers, shape {masks.shape[:1]}")
    known = (actions >= 0) & (actions < masks.shape[1])
    legal = known & (masks[np.arange(len(masks)), np.where(known, actions, 0)] != 0)
    for row in (~legal).nonzero()[0]:
        expected = ", ".join(map(str, masks[row].nonzero()[0]))
        raise IllegalMove(f"policy {player}: action {actions[row]} is illegal; use one of {expected}")
