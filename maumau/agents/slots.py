"""The game of one slot of a batch: saved, loaded, and set to a stepped game."""

from __future__ import annotations

from dataclasses import dataclass

from fsm import Game
from fsm.declaration.declaration import Declaration
from fsm.edge.numbers import Array, np, of_type
from maumau.agents.compiled.batches import SlotArrays
from maumau.agents.layout import ObservationLayout
from maumau.agents.observed import Observed, notes_of_game


@dataclass(frozen=True)
class SavedSlot:
    """The game of a slot, as `Batch.save` returns it; it can be pickled.

    game: the name of the game. players: how many. rows: those of the arrays of the batch. origin: the stepped game to
    which the slot was set, if it was.
    """

    game: str
    players: int
    rows: tuple[Array, ...]
    origin: Game | None


def write_game(rows: SlotArrays, game: Game, shape: ObservationLayout) -> None:
    """Write a stepped game that stands at a decision into the rows of a slot.

    rows: the arrays, with the row of the slot alone. shape: what the batch observes.
    """
    declaration, observed = game.declaration, Observed(game, shape.memory, shape.events)
    table, (notes, discarded) = game.layout, notes_of_game(game, shape.events)
    rows.tables[:] = np.frombuffer(table.packed(table.take(game.table)), np.uint8)
    rows.phases[:] = declaration.phase_numbers[game.phase]
    rows.notes[:], rows.discarded[:] = notes, np.frombuffer(bytes(discarded), np.uint8)
    rows.decided[:] = rows.learned[:] = rows.ended[:] = rows.truncated[:] = rows.rewards[:] = 0
    rows.acting[:] = observed.seat
    rows.observations[:] = np.frombuffer(observed.observation(observed.seat), np.uint8)
    rows.masks[:] = np.frombuffer(observed.mask(), np.uint8)


def check_settable(declaration: Declaration, players: int, game: Game) -> None:
    """Raise TypeError or ValueError for a game to which no slot of such a batch can be set.

    Where rules end a game in which a position returns, none can: earlier positions are not kept.
    """
    of_type("game", game, Game, "a stepped game")
    if declaration.return_ends:
        told = "its rules end a game where a position returns"
        raise ValueError(f"{declaration.name}: {told}, so a slot cannot be set to a game; load a saved slot")
    if game.declaration != declaration or game.players != players:
        told = f"a game of {game.declaration.name} with {game.players} players"
        raise ValueError(f"{told}; use one of {declaration.name} with {players} players, and the same rules")
