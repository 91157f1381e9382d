"""Positions of both games: accepted positions round-trip, and can be stepped, undone and played to the end."""

from __future__ import annotations

from fsm import Game, MauMau, PositionError, Uno
from fuzz.called import LONGEST
from fuzz.near import exchanged

LONGEST_GAME = 20_000
KINDS: dict[str, type[Game]] = {"maumau": MauMau, "uno": Uno}


def _seeds() -> tuple[bytes, ...]:
    found = []
    for name, kind in KINDS.items():
        game = kind.deal(3, 7, 0)
        seen = {game.phase: game.position()}
        while game.outcome is None:
            game.step()
            seen[game.phase] = game.position()
        found += [f"{name} {position}".encode() for position in seen.values()]
    return tuple(found)


SEEDS = _seeds()
WORDS = (
    *(f"{phase} " for kind in KINDS.values() for phase in kind.declaration.phases),
    *(f" {fact.name}=" for kind in KINDS.values() for fact in kind.declaration.codec.facts),
    *(" hands=", " discard=", " draw=", "/", ",", "-", "?", "maumau ", "uno ", "won", "endless", "out-of-cards"),
)
near = exchanged


def check(data: bytes) -> None:
    """Stand at a position, which follows the name of its game."""
    name, _, text = data.decode(errors="replace").partition(" ")
    kind = KINDS.get(name, MauMau)
    try:
        game = kind.at(text)
    except PositionError as error:
        _check_message(str(error))
        return
    _stands(kind, game)
    for move in list(game.events()):
        before = game.position()
        game.fire(*move)
        game.undo()
        assert game.position() == before
    for _ in range(LONGEST_GAME):
        if game.outcome is not None:
            break
        game.step()
    assert game.outcome is not None, "the game does not end"
    _stands(kind, game)


def _check_message(message: str) -> None:
    assert message.startswith("position: "), message
    assert message.isascii(), message
    assert "\n" not in message, message
    assert len(message) <= LONGEST, f"a message of {len(message)} characters"


def _stands(kind: type[Game], game: Game) -> None:
    """Whether the game is at its position."""
    again = kind.at(game.position())
    assert again == game
    assert again.position() == game.position()
    assert str(game)
    assert all(game.position(seen_by=seat + 1) for seat in range(game.players))
