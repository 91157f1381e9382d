"""`maumau solve`: what a game is worth, perfect play, and how far policies are from it."""

from __future__ import annotations

import json
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from fsm.edge.extras import require
from fsm.registry import game_class
from fsm.stepping.game import Game
from maumau.cli.chosen import checked_players, chosen_policies, game_at, refusing, small_game
from maumau.cli.commands.analysis import COMPILER
from maumau.cli.output import check_output, notify, report_written, write_output
from maumau.solve.dealt import TooLarge
from maumau.solve.hidden import solve_hidden
from maumau.solve.players import solution_bytes
from maumau.solve.record import hidden_record, open_record, position_record, record_lines, responses_record
from rules.errors import interrupted_by
from rules.notation import many


def run(
    deck: str | None,
    players: int | None,
    each: int,
    is_open: bool,
    hidden: bool,
    position: str | None,
    exploit: str,
    policy: str,
    turns: int | None,
    gap: float,
    responses: bool,
    skill: bool,
    memory: int,
    seed: int,
    state: str | None,
    by_deal: bool,
    output: str | None,
    as_json: bool,
    game: str,
) -> None:
    """Run `maumau solve`."""
    finds_equilibrium = position is None and not responses and (hidden or not is_open)
    require("maumau solve", *COMPILER, *["scipy"] * finds_equilibrium)
    for file in filter(None, (output, state)):
        check_output(file)
    kind = game_class(game)
    small = kind
    if deck is not None:
        small = small_game(kind, deck, players, each)
    players = checked_players(small, players)
    started = time.perf_counter()
    record: dict[str, Any] = {
        "game": (kind.plain or kind).declaration.name,
        "rules": [rule.name for rule in kind.rules],
    }
    if position is not None:
        with refusing("--position"):
            record |= position_record(game_at(small, position), memory << 20, notify)
    else:
        record |= _deck(small, deck, players)
        names = chosen_policies(exploit, "--exploit")
        with refusing("--exploit"):
            policies = [small.declaration.policy(name) for name in names]
        chosen = chosen_policies(policy)
        with refusing():
            seats = small.declaration.seated(players, chosen) if chosen else ()
        kept = None if state is None else Path(state)
        with refusing("maumau solve"), refusing("--deck", TooLarge), _reporting(kept):
            if players != 2 and (hidden or not is_open):
                raise ValueError(
                    f"{many(players, 'player')} with hidden hands cannot be solved; use 2 players, or --open"
                )
            if is_open:
                named = dict(zip(names, policies, strict=True))
                record |= open_record(small, players, named, seats, memory << 20, kept, by_deal, notify)
            if responses:
                record |= responses_record(small, policies, memory << 20, notify)
            elif finds_equilibrium:
                solved = solve_hidden(small, policies, turns or 0, gap, memory << 20, seed, kept, notify)
                record |= hidden_record(solved, names, turns or 0, gap, memory << 20, skill, notify)
                if output is not None:
                    write_output(output, solution_bytes(solved))
    record["seconds"] = round(time.perf_counter() - started, 3)
    print(json.dumps(record) if as_json else "\n".join(record_lines(record, bool(small.declaration.returns))))


@contextmanager
def _reporting(state: Path | None) -> Iterator[None]:
    """A context in which the file of an interrupted solution is reported, if it is written."""
    before = _written_at(state)
    try:
        yield
    except BaseException as error:
        if state is not None and interrupted_by(error) and _written_at(state) != before:
            report_written(state)
        raise


def _written_at(file: Path | None) -> int:
    """The time at which a file was written, in nanoseconds; 0 if there is none."""
    return 0 if file is None or not file.exists() else file.stat().st_mtime_ns


def _deck(small: type[Game], deck: str | None, players: int) -> dict[str, Any]:
    names = small.declaration.codec.notation.names(small.declaration.full_deck())
    return {
        "deck": " ".join(deck.split() if deck else names),
        "players": players,
        "each": small.declaration.codec.cards_each(players),
    }
