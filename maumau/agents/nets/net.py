"""A net that plays: it chooses the action with the highest score for what the seat that acts sees and knows.

The file format is that of safetensors (https://github.com/huggingface/safetensors), text and plain numbers. A file has
the length of its header (8 bytes, little-endian), the header (JSON: the type, shape and place of each array, and texts
under `__metadata__`), and the numbers of the arrays. Nothing in it is executed. It is read here without the library of
that name, which returns no texts of bytes, accepts NaN and any number type, and has no limits for sizes.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property
from hashlib import sha256
from importlib.resources import files
from importlib.resources.abc import Traversable
from math import prod
from os import PathLike
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeGuard

from fsm import Game, game_class
from fsm.declaration.declaration import Declaration
from fsm.declaration.rewards import Reward
from fsm.edge.atomic import read_regular, replace_file
from fsm.edge.kept import kept
from fsm.edge.numbers import Array, np, of_type
from fsm.hashes import code_hash
from fsm.stepping.steps import Move
from maumau.agents.actions import action_space
from maumau.agents.compiled.scoring import NetWeights, choose
from maumau.agents.layout import MOST, layout
from maumau.agents.nets.layers import Network, legal_scores
from maumau.agents.observed import Observed
from maumau.kernels.engine import program_of
from rules.errors import raised_as
from rules.notation import shown

if TYPE_CHECKING:
    from maumau.agents.batch import Batch


MAX_BYTES = 1 << 24
"""The length of a file, at most."""
MAX_HEADER = 1 << 16
"""The length of its header, at most."""
METADATA = "__metadata__"
TYPE, BYTES_EACH = "F16", 2
"""All arrays are 16-bit floating-point numbers."""
EXPECTED = "use a file that maumau train has written"


class NetFileError(ValueError):
    """A file is not a net, or is damaged; the message says where and what was expected."""


def encode(arrays: Mapping[str, Array], texts: Mapping[str, str]) -> bytes:
    """The content of a file with these arrays, rounded to 16 bits, and texts. Equal input gives equal bytes."""
    rounded = {name: np.asarray(array, "<f2") for name, array in arrays.items()}
    header: dict[str, Any] = {METADATA: dict(texts)}
    end = 0
    for name, array in rounded.items():
        start, end = end, end + array.nbytes
        header[name] = {"dtype": TYPE, "shape": list(array.shape), "data_offsets": [start, end]}
    text = json.dumps(header, ensure_ascii=True, separators=(",", ":")).encode()
    text += b" " * (-len(text) % 8)
    return b"".join([len(text).to_bytes(8, "little"), text, *(array.tobytes() for array in rounded.values())])


def decode(data: bytes) -> tuple[dict[str, Array], dict[str, str]]:
    """The arrays, as 32-bit numbers, and the texts of a file. Raises NetFileError."""
    length = int.from_bytes(data[:8], "little")
    if len(data) < 8 or not 2 <= length <= min(MAX_HEADER, len(data) - 8):
        raise NetFileError(f"it does not begin with the length of a header; {EXPECTED}")
    try:
        header = json.loads(data[8 : 8 + length].decode("ascii"))
        texts = header.pop(METADATA, None)
    except (ValueError, RecursionError, AttributeError, TypeError):
        raise NetFileError(f"its header is not a JSON object; {EXPECTED}") from None
    if not isinstance(texts, dict) or not all(isinstance(text, str) for text in texts.values()):
        raise NetFileError(f"its header has no texts under {METADATA}; {EXPECTED}")
    arrays, end = {}, 0
    for name, entry in header.items():
        array, end = _array(name, entry, data[8 + length :], end)
        arrays[name] = array
    if 8 + length + end != len(data):
        raise NetFileError(f"it has {len(data)} bytes instead of {8 + length + end}; {EXPECTED}")
    return arrays, texts


def read_bytes(file: str | Path) -> bytes:
    """The content of a file. Raises NetFileError if it cannot be read, is too long, or is a device or a pipe."""
    with raised_as(NetFileError, of=(OSError, ValueError), remedy=EXPECTED):  # ValueError: a name with a null byte
        return read_regular(file, MAX_BYTES)


def _array(name: str, entry: Any, numbers: bytes, start: int) -> tuple[Array, int]:
    """The array of an entry of the header, which starts at an index of the numbers, and the index where it ends."""
    shape = entry.get("shape") if isinstance(entry, dict) else None
    if not _is_shape(shape):
        raise NetFileError(f"the array {shown(name)} has no shape; {EXPECTED}")
    end = start + BYTES_EACH * prod(shape)
    if entry.get("dtype") != TYPE or entry.get("data_offsets") != [start, end]:
        raise NetFileError(f"the array {shown(name)} is not of type {TYPE} at bytes {start} to {end}; {EXPECTED}")
    if end > len(numbers):
        raise NetFileError(f"the array {shown(name)} is cut off; {EXPECTED}")
    array = np.frombuffer(numbers[start:end], "<f2").astype(np.float32).reshape(shape)
    if not np.isfinite(array).all():
        raise NetFileError(f"the array {shown(name)} has numbers that are not finite; {EXPECTED}")
    return array, end


def _whole_number(text: str, digits: int) -> int:
    """The whole number that a text of fewer digits is, else -1."""
    return int(text) if text.isascii() and text.isdecimal() and len(text) < digits else -1


def _is_shape(shape: Any) -> TypeGuard[list[int]]:
    return (
        isinstance(shape, list)
        and 1 <= len(shape) <= 2
        and all(type(size) is int and 0 < size <= MAX_BYTES for size in shape)
    )


# ---------------------------------------------------------------- nets


FORMAT = "maumau net 2"
ARRAYS = ("scale", "weights 1", "offsets 1", "weights 2", "offsets 2", "weights 3", "offsets 3")
"""The arrays of a file, in order."""
CLOSE = 1e-4
"""The part of the largest score by which scores must differ, else they are computed again in numbers of 64 bits.

The last digits of a score depend on the order of the sums, and so on the processor and on how it is computed.
"""


@dataclass(frozen=True, eq=False)
class Net:
    """A trained player.

    game: the declaration. players: how many can play. network: its weights. command: the command that has trained it.
    rewards: what it has learned to play for, as for `maumau.Batch`; a file that names none has learned to win. games:
    how many it has learned from; 0 if the file does not say.

    >>> from maumau import TrainingSettings, train
    >>> from fsm import MauMau
    >>> net = train(MauMau, players=3, games=2000, settings=TrainingSettings(hidden=32))
    >>> game = MauMau.deal(players=3, seed=7)
    >>> game.step().trigger, game.step().trigger  # the opening eight takes effect
    ('open', 'skip')
    >>> net.best(game) in game.events()
    True
    """

    game: Declaration
    players: int
    network: Network = field(repr=False)
    command: str = ""
    rewards: str = Reward.WIN
    games: int = 0

    @classmethod
    def load(cls, file: str | Path, game: str | type[Game] | Declaration | None = None) -> Net:
        """Return the net of `file`. game: the game that it must play; None: the one that the file names.

        Raises TypeError for what is not a name; NetFileError for a file that is damaged, or that was trained for other
        actions or observations.
        """
        of_type("file", file, (str, PathLike), "the name of a file")
        with raised_as(NetFileError, f"{shown(str(file), 200)}: ", NetFileError):
            return cls.of_bytes(read_bytes(file), game)

    @classmethod
    def of_bytes(cls, data: bytes, game: str | type[Game] | Declaration | None = None) -> Net:
        """Return the net of `data`, the content of a file. game: as for `load`. Raises NetFileError."""
        arrays, texts = decode(data)
        if texts.get("format") != FORMAT:
            raise NetFileError(f"its format is {shown(texts.get('format', 'not given'))}; use {FORMAT!r}")
        declaration = _declaration(texts.get("game", ""), game)
        with raised_as(NetFileError):
            players = declaration.player_count(_whole_number(texts.get("players", ""), 4))
            rewards = Reward.named(declaration, texts.get("rewards", Reward.WIN))
        if texts.get("spaces") != spaces_hash(declaration, players):
            trained, name = shown(texts.get("game", ""), 200), declaration.name
            differs = f"whose actions or observations differ from those of {name} with {players} players"
            raise NetFileError(f"it was trained for {trained}, {differs}; train a net for {name}")
        network = _network(arrays, layout(declaration, players).width, len(action_space(declaration)))
        games = max(0, _whole_number(texts.get("games", ""), 16))
        return cls(declaration, players, network, texts.get("command", ""), rewards, games)

    def to_bytes(self) -> bytes:
        """Return the content of a file, with the weights rounded to 16 bits."""
        texts = {
            "format": FORMAT,
            "game": self.game.name,
            "players": str(self.players),
            "spaces": spaces_hash(self.game, self.players),
            "command": self.command,
            **({} if self.rewards == Reward.WIN else {"rewards": str(self.rewards)}),
            **({"games": str(self.games)} if self.games else {}),
        }
        return encode(dict(zip(ARRAYS, (self.network.scale, *self.network.layers), strict=True)), texts)

    def save(self, file: str | Path) -> None:
        """Write the net to `file`, in place of one that is there. Raises OSError, TypeError."""
        of_type("file", file, (str, PathLike), "the name of a file")
        replace_file(file, self.to_bytes())

    def rounded(self) -> Net:
        """Return this net as a file keeps it."""
        return Net.of_bytes(self.to_bytes(), self.game)

    def __reduce__(self) -> tuple[Any, ...]:
        """Pickled is the name of the game in place of the declaration: who reads it must know the game."""
        texts = self.command, str(self.rewards)
        return _unpickled, (self.game.name, self.players, self.network, *texts, self.games)

    @cached_property
    def digest(self) -> str:
        """A hash of how it plays: of what its numbers mean, and of the weights as a file keeps them."""
        weights = (np.asarray(array, "<f2") for array in (self.network.scale, *self.network.layers))
        return code_hash(spaces_hash(self.game, self.players), *weights)

    @property
    def hidden(self) -> int:
        """The width of the hidden layers."""
        return len(self.network.layers[1])

    @property
    def weights(self) -> Array:
        """The weights as `maumau.agents.compiled.scoring` takes them: matrices and offsets of the layers in a row, as
        32-bit numbers. The scale is part of the first layer, the value is left out, and the last matrix has a row for
        each action.
        """
        first, one, second, two, last, three = self.network.layers
        layers = first * self.network.scale[:, None], one, second, two, last[:, :-1].T, three[:-1]
        return np.concatenate([layer.ravel() for layer in layers]).astype(np.float32)

    def best(self, game: Game) -> Move:
        """Return the move of the player who acts in the stepped game `game`.

        Raises ValueError where no player chooses, and for a game of another kind or with another number of players.
        """
        self._check_game(game.declaration, game.players)
        actions = action_space(game.declaration)
        legal = actions.legal(game)
        if not legal:
            raise ValueError(
                f"{self.game.name}: no player chooses at {game.position()}; use a position in which one does"
            )
        action = legal[0]
        if len(legal) > 1:
            observation = Observed(game).observation(game.player - 1)
            action = self._best_of(np.frombuffer(observation, np.uint8)[None], legal)
        return actions.move(action, game.player, self.players)

    def plays(self, game: Declaration, players: int) -> bool:
        """Return whether the numbers of actions and observations mean the same in a game as in that of the net.

        game: its declaration. players: how many play.
        """
        return players == self.players and spaces_hash(game, players) == spaces_hash(self.game, players)

    def _check_game(self, game: Declaration, players: int) -> None:
        """Raise ValueError for a game with other actions or observations, or with another number of players."""
        if not self.plays(game, players):
            expected = f"{self.game.name} with {self.players} players"
            raise ValueError(f"a game of {game.name} with {players} players; use {expected}")

    def _best_of(self, observation: Array, legal: list[int]) -> int:
        """The legal action with the highest score for an observation."""
        scores = self.network.scores(observation).actions[0, legal]
        second, best = np.sort(scores)[-2:]
        if best - second < CLOSE * max(1, abs(scores).max()):
            scores = self.network.precise().scores(observation).actions[0, legal]
        return legal[int(scores.argmax())]

    def choose(self, batch: Batch) -> Array:
        """Return the action of each game of `batch`, shape (slots,).

        Raises ValueError for a batch of another game, and for one with other observations.
        """
        self._check_game(batch.kind.declaration, batch.players)
        if not batch.layout.memory:
            raise ValueError("a batch with memory=False; a net reads observations with memory=True")
        return self.actions(batch.layout.without_past(batch.observations), batch.masks)

    def actions(self, observations: Array, masks: Array) -> Array:
        """Return the legal action with the highest score for each observation, shape (rows,), in machine code.

        observations, masks: whole numbers from 0 to 255, shape (rows, width) and (rows, actions). Raises TypeError or
        ValueError for others, MissingExtra without llvmlite.
        """
        rows = len(observations)
        seen = _as_bytes("observations", observations, (rows, layout(self.game, self.players).width))
        legal = _as_bytes("masks", masks, (rows, len(action_space(self.game))))
        actions, leads = np.zeros(rows, np.int64), np.zeros(rows, np.float32)
        CHOOSING.code()(seen, legal, self.workspace(), actions, leads)
        close = (leads < CLOSE).nonzero()[0]
        precise = self.network.precise() if len(close) else self.network
        for row in close:
            scores = precise.scores(observations[row : row + 1]).actions
            actions[row] = legal_scores(scores, masks[row : row + 1]).argmax()
        return actions

    def workspace(self) -> NetWeights:
        """Return the weights for machine code, with memory of its own."""
        room = 1 + 2 * self.hidden + len(self.network.scale)
        return NetWeights(self.hidden, self.weights, np.zeros(room, np.float32))


def _as_bytes(what: str, array: Array, shape: tuple[int, ...]) -> Array:
    """An array as bytes in one piece that may be written, as for machine code. Raises TypeError or ValueError."""
    given = np.asarray(array)
    if given.shape != shape:
        raise ValueError(f"{what}: the shape is {given.shape}; use {shape}")
    if given.dtype.kind not in "biu":
        raise TypeError(f"{what}: the numbers are of type {given.dtype}; give whole numbers")
    if given.dtype != np.uint8 and ((given < 0) | (given > MOST)).any():
        raise ValueError(f"{what} with numbers from {given.min()} to {given.max()}; use 0 to {MOST}")
    return np.require(given, np.uint8, ["C", "W"])


CHOOSING = program_of(choose)
"""Chooses actions. It depends on the weights and the widths that it is given only, not on a game."""


@kept
def spaces_hash(game: Declaration, players: int, memory: bool = True, /) -> str:
    """Return the hash of what numbers mean in a game with so many `players`: of each action, and of each field of an
    observation. memory: as for `layout`. Games with equal spaces can be played by the same net.
    """
    space, shape = action_space(game), layout(game, players, memory)
    fields = [(field.name, field.start, field.labels, field.high) for field in shape.fields]
    meanings = *(space.text(number) for number in range(len(space))), *fields
    return sha256("\n".join(map(repr, meanings)).encode()).hexdigest()[:16]


def _unpickled(name: str, players: int, network: Network, command: str, rewards: str, games: int) -> Net:
    """The net that was pickled."""
    declaration = game_class(name).declaration
    return Net(declaration, players, network, command, Reward.named(declaration, rewards), games)


def _declaration(name: str, game: str | type[Game] | Declaration | None) -> Declaration:
    """The game that a net is to play, or the one that its file names. Raises NetFileError."""
    with raised_as(NetFileError, "it is for a game that is not registered; give its class also: "):
        return game if isinstance(game, Declaration) else game_class(game or name).declaration


def _network(arrays: Mapping[str, Array], width: int, actions: int) -> Network:
    """The weights of a file. Raises NetFileError if their shapes do not fit."""
    if tuple(arrays) != ARRAYS:
        raise NetFileError(f"its arrays are {', '.join(arrays) or 'none'}; use {', '.join(ARRAYS)}")
    hidden = arrays["offsets 1"].shape[0]
    shapes = (width,), (width, hidden), (hidden,), (hidden, hidden), (hidden,), (hidden, actions + 1), (actions + 1,)
    for (name, array), shape in zip(arrays.items(), shapes, strict=True):
        if array.shape != shape:
            raise NetFileError(f"the array {name!r} has the shape {array.shape}; use {shape}")
    scale, *layers = arrays.values()
    return Network(scale, tuple(layers))


def shipped_files(game: Declaration) -> dict[int, Traversable]:
    """The files of the nets that are part of this package, `files/GAME-PLAYERS.safetensors`, by the number of players.

    game: one with house rules has those of the game without.
    """
    found = {}
    for file in files(__package__).joinpath("files").iterdir():
        name, _, players = file.name.removesuffix(".safetensors").rpartition("-")
        if name == game.plain_name and file.name.endswith(".safetensors"):
            found[int(players)] = file
    return dict(sorted(found.items()))


def shipped_nets(game: Declaration) -> dict[int, Net]:
    """The nets of these files. Raises ValueError if there are none, or if `game` has other actions or observations."""
    nets = {players: Net.of_bytes(file.read_bytes(), game) for players, file in shipped_files(game).items()}
    if not nets:
        raise ValueError(f"no net for {game.name} is part of this package; use net:FILE, which `maumau train` writes")
    return nets


@kept
def has_shipped_nets(game: Declaration) -> bool:
    """Return whether nets that are part of this package play `game`."""
    try:
        return bool(shipped_nets(game))
    except ValueError:
        return False
