"""Who sits at a table: people by name, and computer players by the name of their policy."""

from __future__ import annotations

from dataclasses import dataclass

from fsm.edge.numbers import of_type


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


def seat_of_data(data: dict[str, str]) -> Seat:
    """The seat of plain data."""
    return Person(data["person"]) if "person" in data else Computer(data["computer"])
