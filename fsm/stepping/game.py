"""A game that is stepped: one `transitions` event at a time, with the reason for every move, and undo to the start."""

from __future__ import annotations

import re
import sys
from collections.abc import Sequence
from types import new_class
from typing import Any, ClassVar, Self

from fsm.declaration.arcs import Phase
from fsm.declaration.declaration import FIRST_DEALER, Declaration
from fsm.declaration.facts import IN_TURN
from fsm.declaration.policy import Policies
from fsm.edge.notebook import notebook_bundle
from fsm.edge.numbers import of_type
from fsm.stepping.carried import NOTHING_CARRIED, Carried
from fsm.stepping.course import taken_by
from fsm.stepping.fast_machine import fast_machine_of
from fsm.stepping.firing import Repetitions
from fsm.stepping.hooks import check_events, name_hooks
from fsm.stepping.model import Model, machine_config, model_class
from fsm.stepping.moves import Events, events_of, plans_of
from fsm.stepping.position import Melds, Position, open_card, parse_position, seen_position
from fsm.stepping.setup import dealt_table, deck_of_deal, fresh_seed, reachable_table, small_game
from fsm.stepping.solution import Solution
from fsm.stepping.stepped import Stepped
from fsm.stepping.steps import Move, Scene, counts_differ, told_of
from fsm.stepping.view import View, laid_open, seat_of, table_writer, trick_named, turn_of, view_of, who_acts
from fsm.table.layout import layout_of
from fsm.table.sight import sight_of
from rules.deck_format import DeckFormat
from rules.piles import discard_pile, draw_pile
from rules.reading import STDIN, Dealt


class Game(Stepped):
    """A game of one declaration. Make one with `deal`, `parse` or `at`.

    A declaration is enough for a class of games: `class Countdown(Game, declaration=COUNTDOWN)`, or `Countdown =
    game_of(COUNTDOWN)`. The class has a method for each event, with the sentences of the transitions as docstrings, and
    the plain input format (see `rules.deck_format.DeckFormat`). It may replace each of these.

    rules, plain: as of `HouseRules`. carried: from the round before it. layout, sight, plans: of its table and phases.
    """

    plain: ClassVar[type[Game] | None] = None
    input_format: ClassVar[type[DeckFormat]] = DeckFormat
    solution: ClassVar[Solution | None] = None
    """What `best_moves` asks, where the deck of the class is solved."""
    _fresh_seed = False
    _deck: bytes | None = None
    carried: Carried = NOTHING_CARRIED

    def __init_subclass__(cls, declaration: Declaration | None = None) -> None:
        """Make the machine of a game class once, and a method for every event that the class does not define."""
        if declaration is not None:
            cls.declaration = declaration
        game: Declaration = getattr(cls, "declaration", None)  # type: ignore[assignment]  # refused here
        of_type(f"class {cls.__name__}: declaration", game, Declaration, "class NAME(Game, declaration=DECLARATION)")
        check_events(game, Game)
        cls.machine, cls.layout = fast_machine_of(game), layout_of(game)
        cls._actor, cls._taken = cls.layout.places(IN_TURN, "head"), staticmethod(taken_by(game))
        cls._key = staticmethod(cls.layout.returning_key())
        cls.plans, cls.sight = plans_of(game), sight_of(game)
        cls._told, cls._counts_differ = told_of(game), staticmethod(counts_differ(game))
        name_hooks(cls)

    def __init__(
        self,
        table: Any = None,
        phase: Phase | None = None,
        hands: Sequence[Sequence[int]] = (),
        policies: Policies = (),
    ) -> None:
        """Take over `table` in `phase`; without a table, deal with a fresh seed as `deal()` does.

        hands: card codes in the order in which they came, for display. policies: one name for all seats or one for
        each (default: the first of the declaration). Raises TypeError or ValueError.
        """
        if table is None and phase is None:
            vars(self).update(vars(self.deal(policies=policies)))
            return
        of_type("table", table, self.declaration.table, "a table of the game; see deal, parse and at")
        of_type("phase", phase, self.declaration.phases, "the phase of the table")
        assert phase is not None
        self._begin(table, phase)
        self.opening_card = self.open_card
        self._first_hands, self._seen, self._repetitions = [list(hand) for hand in hands], {}, Repetitions()
        self._arrive()
        self._hands = [tuple(tuple(self.declaration.codec.notation.names(hand)) for hand in self._first_hands)]
        self.policies = list(self.declaration.seated(self.players, policies))
        self._scene = Scene(self.declaration, self.opening_card, tuple(policy.name for policy in self.policies))

    @classmethod
    def of_deck(
        cls,
        players: int,
        deck: Sequence[int],
        policies: Policies = (),
        seed: int = 0,
        number: int = 0,
        dealer: int = FIRST_DEALER,
        carried: Carried = NOTHING_CARRIED,
    ) -> Self:
        """Return the game that `players` start with `deck`: card codes, the top card first.

        policies: one for all seats or one for each. seed, number: the dice of random players. dealer: from 1, in a game
        that has a dealer. carried: from the round before, by the name of the field. Raises ValueError for a number of
        players that cannot play, a dealer or facts that cannot be, and cards that are not the whole deck or cannot be
        dealt, TypeError for anything but whole numbers.
        """
        valid = cls.declaration.checked_deal(players, deck)
        dealt = cls._of_valid_deck(*valid, policies, seed, number, dealer, carried=carried)
        if broken := cls.declaration.broken_invariant(cls.declaration.initial, dealt.table):
            raise ValueError(f"the deck cannot be dealt; this must hold: {broken.description}")
        return dealt

    @classmethod
    def deal(
        cls,
        players: int | None = None,
        seed: int | None = None,
        number: int = 0,
        policies: Policies = (),
        dealer: int = FIRST_DEALER,
    ) -> Self:
        """Return game `number` of the sequence of games of `seed`, the same on every machine.

        players: the fewest, if not given. seed: a fresh one, if not given, which `repr` shows. policies, dealer: as for
        `of_deck`. Raises ValueError for a number out of range, and for a small deck that cannot be dealt.
        """
        players = cls.declaration.player_count(cls.declaration.codec.fewest if players is None else players)
        chosen = fresh_seed() if seed is None else seed
        make = cls.of_deck if hasattr(cls, "origin") else cls._of_valid_deck  # not every deal of a small deck is valid
        game = make(players, cls.deck_of(players, chosen, number), policies, chosen, number, dealer)
        game._fresh_seed = seed is None
        return game

    @classmethod
    def deck_of(cls, players: int, seed: int, number: int = 0) -> bytearray:
        """Return the deck of game `number` of `seed` for `players`: card codes, the top card first.

        Raises ValueError.
        """
        return cls.declaration.shuffled_deck(cls.declaration.player_count(players), seed, number)

    @classmethod
    def full_deck(cls) -> bytearray:
        """Return the card codes of the whole deck, unshuffled."""
        return cls.declaration.full_deck()

    @classmethod
    def at(cls, position: str | Position, policies: Policies = ()) -> Self:
        """Return the game at `position`, a line of text or a Position, without a history.

        policies: one for all seats or one for each. Raises PositionError, or TypeError for another type.
        """
        game = cls.declaration
        of_type("position", position, (str, Position), "a position on one line, or a Position")
        if isinstance(position, str):
            position = parse_position(game, position)
        table, phase, hands = reachable_table(game, position)
        return cls(table, phase, hands, policies)

    @classmethod
    def parse(cls, line: str, policies: Policies = ()) -> Self:
        """Return the game of one line of input.

        line: the number of players and the whole deck. policies: one for all seats or one for each. Raises InputError.
        """
        of_type("line", line, str, "a text")
        players, deck = cls.deck_format().read_line(line)
        return cls.of_deck(players, deck, policies)

    @classmethod
    def read(cls, text: str, source: str = STDIN) -> list[Dealt]:
        """Return the games of a whole input.

        text: their number, then a line for each. source: its name in errors. Raises InputError, which lists all errors.
        """
        of_type("input", text, str, "a text")
        return cls.deck_format().read_games(text, source)

    @classmethod
    def write(cls, players: int, deck: Sequence[int]) -> str:
        """Return the line of input for one game. players: how many. deck: card codes, the top card first. Raises
        TypeError or ValueError for what `of_deck` refuses.
        """
        return cls.deck_format().write_line(*cls.declaration.checked_deal(players, deck))

    @classmethod
    def deck_format(cls) -> DeckFormat:
        """Return the format in which decks are read and written: `input_format` with the cards and the players."""
        codec, left_out = cls.declaration.codec, cls.declaration.left_out
        return cls.input_format(codec.notation, cls.declaration.full_deck(), codec.players, left_out)

    @classmethod
    def with_deck(cls, cards: str, each: int) -> type[Self]:
        """Return the class of this game with a deck of `cards` (names separated by spaces), `each` dealt to every
        player.

        Raises ValueError for cards that the game does not have or does not have often enough, for too few cards, and
        for a number `each` with which the game cannot be played.
        """
        return small_game(cls, Game, cards, each)

    @classmethod
    def machine_config(cls) -> dict[str, Any]:
        """Return the keyword arguments that make any machine class of `transitions` a machine of this game: plain data.

        `Machine(MauMau.model(deck), **MauMau.machine_config())`; see fsm.stepping.model.
        """
        return machine_config(cls.declaration)

    @classmethod
    def model(cls, deck: Sequence[int], players: int | None = None) -> Model:
        """Return a model for a machine of `machine_config`: a newly dealt table, with guards and effects as methods.

        deck: card codes, the top card first. players: the fewest, if not given. Raises ValueError for other numbers.
        """
        dealt = cls.of_deck(cls.declaration.codec.fewest if players is None else players, deck)
        return model_class(cls.declaration)(dealt.table, cls)

    @classmethod
    def seated(cls, players: int, policies: Policies) -> tuple[str, ...]:
        """Return the names of the policies of all seats.

        players: how many. policies: one for all seats or one for each, none for the default. Raises ValueError.
        """
        return cls.declaration.seat_names(cls.declaration.player_count(players), policies)

    @property
    def player(self) -> int:
        """The player who acts, from 1: the one in turn, or the one who is asked."""
        return int(self.table.player) + 1

    @property
    def turn(self) -> int:
        """The player whose turn it is, from 1: not always the one who acts."""
        return turn_of(self.table)

    @property
    def dealer(self) -> int | None:
        """The dealer, from 1; None in a game that has no dealer."""
        return int(self.table.dealer) + 1 if self.declaration.knows_dealer else None

    @property
    def who_acts(self) -> str:
        """Who acts, in words: `player 2 in turn`, or `player 3 is asked, player 2 in turn`."""
        return who_acts(self.table, self.plans[self.phase].asks)

    @property
    def players(self) -> int:
        """The number of players."""
        return int(self.table.players)

    @property
    def open_card(self) -> str:
        """The name of the open card; empty where none is open."""
        return open_card(self.declaration, self.table)

    @property
    def draw_pile(self) -> tuple[str, ...]:
        """The names of the cards of the draw pile, its top card first."""
        return tuple(self.declaration.codec.notation.names(draw_pile(self.table)))

    @property
    def discard_pile(self) -> tuple[str, ...]:
        """The names of the cards of the discard pile, its bottom card first."""
        return tuple(self.declaration.codec.notation.names(discard_pile(self.table)))

    @property
    def trick(self) -> tuple[tuple[int, str], ...]:
        """The trick in a game of tricks: players, from 1, each with the name of the card played, the leader first."""
        return trick_named(self.declaration, self.table)

    @property
    def melds(self) -> tuple[Melds, ...]:
        """The names of the cards of each meld and open pile that lie before each player; none in games without any."""
        return laid_open(self.declaration, self.table)

    @property
    def starts_turn(self) -> bool:
        """Whether a player's turn starts here."""
        return self.plans[self.phase].starts_turn

    @property
    def forced_events(self) -> tuple[str, ...]:
        """The events that are forced in this phase while one of their transitions is enabled."""
        return tuple(trigger for trigger, _ in self.plans[self.phase].forced)

    @property
    def is_forced(self) -> bool:
        """Whether an event is forced now."""
        return any(self.plans[self.phase].forced_now(self.table))

    def position(self, seen_by: int | None = None) -> str:
        """Return the position on one line; what player `seen_by` (from 1) sees of it, if one is given.

        Raises ValueError for a player who is not there.
        """
        whole = self._position()
        seat = None if seen_by is None else seat_of(self.table, seen_by)
        return str(whole if seat is None else seen_position(self.declaration, whole, self.table, seat))

    def view(self, viewer: int) -> View:
        """Return what player `viewer` (from 1) sees of the game. Raises ValueError for a player who is not there."""
        seat = seat_of(self.table, viewer)
        return view_of(self.sight, self.plans[self._phase], self.table, self.hands, self._history_seen_by(seat), seat)

    def events(self, triggers: Sequence[str] | None = None) -> Events:
        """Return the legal moves, and the reason why each other event or card is refused.

        triggers: the events for which reasons are found; None for all.
        """
        hand = self.hands[self.player - 1]
        return events_of(self.declaration, self.plans[self.phase], self.table, hand, triggers)

    def best_moves(self) -> tuple[Move, ...]:
        """Return the moves that keep the value of this position with open hands, all of them.

        Raises ValueError unless the deck is solved (`solve_open` of this class) and a player chooses in the position.
        """
        if self.solution:
            return self.solution.best_moves(self)
        title = self.declaration.title
        raise ValueError(f"{title} has not been solved with this deck; call solve_open with its class first")

    def __str__(self) -> str:
        """The table, as the statement of the problem shows it; many players stand in several lines."""
        return table_writer(self.declaration, self.players)(self.phase, self.table, self.hands)

    def __repr__(self) -> str:
        opened = f", open card {self.open_card}" if self.open_card else ""
        state = self.outcome or f"{self.who_acts}{opened}"
        seed = f", deal({self.players}, seed={self.table.seed})" if self._fresh_seed else ""
        return f"<{type(self).__name__} {self.phase}: {state}{seed}>"

    def __eq__(self, other: object) -> bool:
        """Whether both games are at the same position; their histories do not matter."""
        if not isinstance(other, Game):
            return NotImplemented
        return self.declaration == other.declaration and self._position().canonical() == other._position().canonical()

    __hash__ = None  # type: ignore[assignment]

    def _repr_mimebundle_(self, include: Any = None, exclude: Any = None) -> dict[str, Any]:
        """What a notebook shows, by MIME type: the table as text, and the output of the installed renderers."""
        return notebook_bundle(self, f"{self!r}\n{self}")

    def restarted(self) -> Self:
        """Return this game at its start: with the same cards and players, without a history."""
        table = self.layout.restored(self._past[0] if self._past else self.layout.take(self.table))
        phase = self.history[0].source if self.history else self.phase
        again = type(self)(table, phase, self._first_hands, self.policies)
        again._deck, again.carried = self._deck, self.carried
        return again

    @property
    def from_position(self) -> bool:
        """Whether the game began at a given position; otherwise it was dealt."""
        return self._deck is None

    def dealt_deck(self) -> list[int]:
        """Return the card codes of the deck, the top card first, from which the game was dealt.

        For a game that began at a newly dealt position, one that deals it. Raises ValueError for another position.
        """
        if self._deck is not None:
            return list(self._deck)
        if (first := self.restarted()).phase is not self.declaration.initial:
            raise ValueError(f"the game began in {first.phase}; use one that was played from its deal on")
        return deck_of_deal(self.declaration, first.table, self._first_hands)

    def _suit_name(self, suit: int) -> str | None:
        return self.declaration.codec.notation.suits[suit] if suit >= 0 else None

    @classmethod
    def _of_valid_deck(
        cls, players: int, deck: Sequence[int], policies: Policies, *numbers: int, carried: Carried = NOTHING_CARRIED
    ) -> Self:
        table, hands = dealt_table(cls.declaration, players, deck, carried, *numbers)
        made = cls(table, cls.declaration.initial, hands, policies)
        made._deck, made.carried = bytes(deck), carried
        return made


def game_of(declaration: Declaration) -> type[Game]:
    """Return the class of the games of `declaration`, named after its title: `CrazyEights` for `Crazy Eights`.

    The class belongs to the calling module, and pickles by the name that it has there. Type checkers know its events
    from a stub: `maumau stubs FILE.py:CrazyEights`. Raises TypeError for anything but a declaration.
    """
    of_type("declaration", declaration, Declaration, "a Declaration")
    name = "".join(word[0].upper() + word[1:] for word in re.findall(r"\w+", declaration.title)) or "OwnGame"
    caller = sys._getframe(1).f_globals.get("__name__", "__main__")  # as `namedtuple` does
    body = {"__doc__": f"A game of {declaration.title}, stepped event by event.", "__module__": caller}
    return new_class(name, (Game,), {"declaration": declaration}, lambda names: names.update(body))
