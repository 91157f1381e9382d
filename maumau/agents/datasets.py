"""Data sets of decisions: what players saw, might do, did, and got, as NPZ, Parquet or Minari, with a card about them.

Games are played one after the other by any players, and written in chunks, so that memory does not grow with them.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from errno import ENOENT
from pathlib import Path
from typing import Any

from fsm import Game, game_class
from fsm.declaration.declaration import Declaration
from fsm.declaration.policy import Policies
from fsm.declaration.rewards import Reward
from fsm.edge.atomic import replace_file
from fsm.edge.numbers import as_int, of_type, seed_number
from maumau.agents.actions import LIMIT, action_space
from maumau.agents.columns import ColumnType, ColumnWriter, EpisodeWriter, NpzWriter, ParquetWriter, Row
from maumau.agents.layout import layout
from maumau.agents.nets.net import spaces_hash
from maumau.agents.observed import Observed, returns
from maumau.version import VERSION
from rules.notation import listed, shown

FORMAT = "maumau decisions 1"
CARD = ".card.json"
"""What the name of a card ends with, after the name of the data."""
MEANINGS = {
    "observation": "what the player who acts sees and knows: a number for each index of the fields below",
    "mask": "1 for each legal action, 0 for the others",
    "action": "the number of the action that was chosen",
    "returns": "what the player who acts gets at the end of the game; 0 if it was truncated",
    "seat": "the seat that acts, from 0",
    "step": "the number of the decision in its game, from 0",
    "last": "whether it is the last decision of this seat in this game",
    "truncated": "whether the game was broken off at the limit",
    "game": "the number of the game",
    "seed": "the seed of the decks: a game is dealt again from its seed and its number",
}
"""The columns, and what their numbers say."""
WRITERS: Mapping[str, type[ColumnWriter]] = {
    ".npz": NpzWriter,
    ".parquet": ParquetWriter,
    ".minari": EpisodeWriter,
}
"""What writes a data set, by the end of its name."""


def writer_of(path: Path) -> type[ColumnWriter]:
    """Return what writes a data set by the end of its name. Raises ValueError for another end."""
    if path.suffix.lower() not in WRITERS:
        use = listed([*WRITERS], " or ")
        raise ValueError(f"{shown(path.name)}: unknown ending {shown(path.suffix)}; use {use}")
    return WRITERS[path.suffix.lower()]


@dataclass(frozen=True)
class DatasetCard:
    """What a data set holds and how it was made.

    path: of the data. rows: how many decisions. truncated: games that were broken off. content: the card as it is
    written, as plain data.
    """

    path: Path
    rows: int
    truncated: int
    content: Mapping[str, Any]


def write_dataset(
    file: str | Path,
    game: str | type[Game],
    players: int,
    games: int,
    *,
    policies: Policies = (),
    seed: int = 0,
    first: int = 0,
    rewards: str | None = None,
) -> DatasetCard:
    """Play games and write all decisions of their players to `file`, and what they mean beside it.

    file: ends with .npz, .parquet, or .minari for a new folder; the card is FILE.card.json. game: a class or a
    registered name. players, games: how many. policies: those of the seats, as for `Game.deal`. seed: of the games.
    first: the number of the first one. rewards: what the returns are, as for `Batch`. A game of more than 1,000 choices
    is truncated. Raises ValueError, UnsupportedGame, OSError; MissingExtra without NumPy, or what the format requires.
    """
    of_type("file", file, (str, Path), "the name of a file")
    path, kind = Path(file), game_class(game)
    declaration, writing = kind.declaration, writer_of(path)
    players, games = declaration.player_count(players), as_int("games", games, 1)
    seed, first = seed_number("seed", seed), seed_number("first", first)
    seed_number("the last game", first + games - 1)
    reward = Reward.named(declaration, rewards)
    columns = columns_of(declaration, players)
    seated = [policy.name for policy in declaration.seated(players, policies, compiled=False)]
    made = {"policies": seated, "seed": seed, "first": first, "games": games, "rewards": str(reward)}
    if not path.parent.is_dir():
        raise FileNotFoundError(ENOENT, "no such folder", str(path))
    rows = truncated = 0
    with writing.replacing(path) as partial, writing(partial, columns) as writer:
        for number in range(first, first + games):
            decisions = decisions_of(kind.deal(players, seed, number, policies), reward)
            rows += len(decisions)
            truncated += any(row["truncated"] for row in decisions[:1])
            writer.add(decisions)
        content = _card(kind, players, columns) | made | {"rows": rows, "truncated": truncated}
        writer.describe(content)
    replace_file(f"{path}{CARD}", f"{json.dumps(content, ensure_ascii=False, indent=1)}\n".encode())
    return DatasetCard(path, rows, truncated, content)


def decisions_of(game: Game, reward: Reward) -> list[Row]:
    """Play a game to its end, and return the decisions of its players: a row for each, with the names of `MEANINGS`."""
    observed, space, rows = Observed(game), action_space(game.declaration), list[Row]()
    while not observed.over and observed.chosen < LIMIT:
        if not observed.actions.chooses(game):
            observed.step()
            continue
        seat, seen, mask = observed.seat, observed.observation(observed.seat), observed.mask()
        step = observed.step()
        action = space.number(step.move(game.declaration), seat + 1, game.players)
        rows.append({"observation": seen, "mask": mask, "action": action, "seat": seat, "step": len(rows)})
    gains, last = returns(game, reward), {row["seat"]: row["step"] for row in rows}
    where = {"truncated": not observed.over, "game": game.table.number, "seed": game.table.seed}
    for row in rows:
        if row["step"] == last[row["seat"]]:
            row["final"] = observed.observation(row["seat"])
        row |= {"returns": gains[row["seat"]], "last": row["step"] == last[row["seat"]], **where}
    return rows


def columns_of(game: Declaration, players: int) -> dict[str, ColumnType]:
    """The columns of a data set by name, in the order of `MEANINGS`."""
    widths = {"observation": layout(game, players).width, "mask": len(action_space(game))}
    types = {
        "action": "int16",
        "returns": "float32",
        "step": "int32",
        "last": "bool",
        "truncated": "bool",
        "game": "int64",
        "seed": "int64",
    }
    return {name: ColumnType(types.get(name, "uint8"), widths.get(name, 0)) for name in MEANINGS}


def _card(kind: type[Game], players: int, columns: Mapping[str, ColumnType]) -> dict[str, Any]:
    """The part of a card that does not depend on the games."""
    game = kind.declaration
    space, shape = action_space(game), layout(game, players)
    fields = [
        {"name": each.name, "start": each.start, "labels": each.labels, "high": each.high, "meaning": each.description}
        for each in shape.fields
    ]
    return {
        "format": FORMAT,
        "version": VERSION,
        "game": game.name,
        "rules": kind.rules_hash(),
        "spaces": spaces_hash(game, players),
        "players": players,
        "limit": LIMIT,
        "columns": {
            name: {
                "type": each.type,
                "shape": ["rows", *([each.width] if each.width else [])],
                "meaning": MEANINGS[name],
            }
            for name, each in columns.items()
        },
        "fields": fields,
        "actions": [space.text(number) for number in range(len(space))],
    }
