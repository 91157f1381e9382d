"""What a table is set up with: the game, the seats, the cards, the target of a match, the time to answer."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from hashlib import sha256
from typing import Any

from fsm.declaration.arcs import Control
from fsm.edge.numbers import as_int, of_type, seed_number
from fsm.match.setup import DECKS, unit_of
from fsm.registry import game_class
from fsm.stepping.game import Game
from fsm.stepping.setup import fresh_seed
from maumau.play.table.sealed import SealedDeal
from rules.chance import SEED_LIMIT
from rules.notation import shown


@dataclass(frozen=True)
class Person:
    """A person. name: 1 to 40 printable characters.

    A computer player with the default policy of the game stands in while the person is absent.
    """

    name: str

    def __post_init__(self) -> None:
        of_type("name", self.name, str, "a text")


@dataclass(frozen=True)
class Computer:
    """A computer player. policy: the name of a policy of the game, or of one that every game has."""

    policy: str

    def __post_init__(self) -> None:
        of_type("policy", self.policy, str, "the name of a policy")


Seat = Person | Computer


def seat_data(seat: Seat) -> dict[str, str]:
    """A seat as plain data."""
    return {"person": seat.name} if isinstance(seat, Person) else {"computer": seat.policy}


def seat_of_data(data: Mapping[str, str]) -> Seat:
    """Return the seat of plain data. Raises KeyError."""
    return Person(data["person"]) if "person" in data else Computer(data["computer"])


def name_of(setup: Setup, player: int) -> str:
    """The name of a person, or the policy of a computer player."""
    return next(iter(seat_data(setup.seats[player - 1]).values()))


@dataclass(frozen=True, kw_only=True)
class Setup:
    """A table before its first card is dealt.

    game: a registered name, with those of house rules. seats: who sits where, player 1 first. key: a secret; each round
    has a seed of its own that is computed from it, and that tells nothing about the key or the other rounds. Round k,
    from 0, is game k of its seed. Without a key the rounds are those of the match, or the game, `number` of `seed`,
    which anybody can deal again.
    target: points with which a match is over; None for a single round. turn_seconds, claim_seconds: the time to answer
    in the player's own turn, and where the question is only whether to act; None for any time.
    Numbers may be integers of any type, also of NumPy; they become plain integers. Raises ValueError for what cannot be
    played, TypeError for anything but a whole number.
    """

    game: str
    seats: tuple[Seat, ...]
    key: str = ""
    seed: int = 0
    number: int = 0
    target: int | None = None
    turn_seconds: int | None = None
    claim_seconds: int | None = None

    def __post_init__(self) -> None:
        of_type("game", self.game, str, "a registered name")
        of_type("key", self.key, str, "a text")
        of_type("seats", self.seats, tuple, "a tuple of Person and Computer")
        for seat in self.seats:
            of_type("seats", seat, Seat, "a Person or a Computer")
        declaration = self.kind.declaration
        unit_of(self.target).seat_count(declaration, len(self.seats))
        for name, value in self._plain_numbers():
            object.__setattr__(self, name, value)
        for seat in self.seats:
            if isinstance(seat, Computer):
                declaration.policy(seat.policy)
            elif not 0 < len(seat.name) <= MAX_LETTERS or not seat.name.isprintable():
                raise ValueError(f"name {shown(seat.name)} cannot be used; use 1 to {MAX_LETTERS} printable characters")

    def _plain_numbers(self) -> Iterator[tuple[str, int]]:
        """The fields that are numbers, as plain integers. Raises TypeError or ValueError."""
        yield "seed", seed_number("seed", self.seed)
        yield "number", seed_number("number", self.number, unit_of(self.target).limit)
        if self.target is not None:
            yield "target", self.kind.declaration.scoring.match_target(self.target)
        for name in ("turn_seconds", "claim_seconds"):
            if (seconds := getattr(self, name)) is not None:
                plain = as_int(name, seconds)
                if not 1 <= plain <= MAX_SECONDS:
                    raise ValueError(f"{name}: {shown(plain)} is out of range; use 1 to {MAX_SECONDS:,} seconds")
                yield name, plain

    @property
    def kind(self) -> type[Game]:
        """The class of the game. Raises RegistryError."""
        return game_class(self.game)

    @property
    def players(self) -> int:
        """The number of players."""
        return len(self.seats)

    @property
    def policies(self) -> tuple[str, ...]:
        """The name of the policy of each seat; a person's is that of the computer player who stands in."""
        default = self.kind.declaration.policies[0].name
        return tuple(seat.policy if isinstance(seat, Computer) else default for seat in self.seats)

    @cached_property
    def people(self) -> tuple[int, ...]:
        """The players, from 1, who are people."""
        return tuple(player for player, seat in enumerate(self.seats, 1) if isinstance(seat, Person))

    def is_left_by(self, absent: Collection[int]) -> bool:
        """Return whether people play, and all of them are absent: a server lets the table wait for one.

        absent: from 1.
        """
        return bool(self.people) and set(self.people).issubset(absent)

    def with_seat(self, player: int, who: Seat) -> Setup:
        """Return this setup with somebody else at the seat of a player. player: from 1. who: sits there."""
        return replace(self, seats=(*self.seats[: player - 1], who, *self.seats[player:]))

    def dice(self, round: int) -> tuple[int, int]:
        """Return the seed and the number of the game whose deck and dice a round has. round: its number, from 0."""
        round = as_int("round", round, 0, DECKS - 1)
        if self.key:
            digest = sha256(f"{self.key}/{round}".encode()).digest()
            return int.from_bytes(digest[:8]) % SEED_LIMIT, round
        return self.seed, self.number if self.target is None else unit_of(self.target).deck_number(self.number, round)

    def sealed(self, round: int) -> SealedDeal | None:
        """Return the deal of a round, sealed; None without a key, where anybody can deal again. round: from 0."""
        if not self.key:
            return None
        deck = self.kind.deck_of(self.players, *self.dice(round))
        salt = sha256(f"{self.key}/{round}/salt".encode()).hexdigest()[:SALT_DIGITS]
        return SealedDeal(salt, " ".join(self.kind.write(self.players, deck).split()))

    def seconds(self, control: Control) -> int | None:
        """Return the time to answer in a phase, in seconds; None for any. control: who acts in the phase."""
        return self.claim_seconds if is_claim(control) else self.turn_seconds

    def data(self) -> dict[str, Any]:
        """Return the setup as plain data, with all of its secrets."""
        cards = {"key": self.key} if self.key else {"seed": self.seed, "number": self.number}
        return {
            "game": self.game,
            "hash": self.kind.rules_hash(),
            "seats": [seat_data(seat) for seat in self.seats],
            **cards,
            **{name: getattr(self, name) for name in ("target", "turn_seconds", "claim_seconds")},
        }

    @classmethod
    def of_data(cls, data: Mapping[str, Any]) -> Setup:
        """Return the setup of plain `data`. Raises ValueError if it cannot be played, or if the rules have changed."""
        fields = dict(data)
        played, seats = fields.pop("hash"), fields.pop("seats")
        setup = cls(**fields, seats=tuple(map(seat_of_data, seats)))
        if played != (here := setup.kind.rules_hash()):
            raise ValueError(f"hash: {setup.game} was played with different rules (hash {shown(played)}; here {here})")
        return setup


PLAYERS = 3
"""Seats at a table, where nothing is said and the game allows so many."""


def usual_players(kind: type[Game]) -> int:
    """The number of seats at a table of a game, where nothing is said."""
    codec = kind.declaration.codec
    return min(codec.players, key=lambda players: (abs(players - PLAYERS), players))


def lone_setup(game: str, others: Sequence[str], seat: int, seed: int | None, target: int | None) -> Setup:
    """Return the setup of one person against computer players. Raises ValueError.

    others: their policies, in the order of the seats. seat: of the person, from 1. seed: None for a fresh one.
    """
    seats: list[Seat] = [*map(Computer, others)]
    seats.insert(seat - 1, Person("you"))
    return Setup(game=game, seats=tuple(seats), seed=fresh_seed() if seed is None else seed, target=target)


SALT_DIGITS = 32
"""Hexadecimal digits of the salt of a deal: 128 bits."""
MAX_LETTERS = 40
"""The longest name of a person."""
MAX_SECONDS = 86_400
"""The longest time to answer: a day."""


def is_claim(control: Control) -> bool:
    """Whether a phase only asks whether a player acts, and so leaves little time: a claim, a call, an objection.

    A bet is none: with it a turn begins.
    """
    takes_nothing = not any(offer.named for offer in control.offers)
    return bool(control.declines) or (takes_nothing and len(control.offers) > 1 and not control.starts_turn)
