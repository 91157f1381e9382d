"""`maumau odds`: how often the player who acts wins after each legal move of a position."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

from fsm.registry import game_class
from fsm.stepping.game import Game
from maumau.agents.intervals import Estimate
from maumau.agents.odds import Odds, odds_of
from maumau.cli.chosen import chosen_policies, refusing
from maumau.cli.interrupt import BadInput
from maumau.cli.output import notify
from rules.errors import raised_as


def run(position: str, games: int, seed: int, policy: str, as_json: bool, game: str) -> None:
    """Run `maumau odds`."""
    kind = game_class(game)
    with raised_as(BadInput, "", ValueError):  # whose message says that it is about the position
        at = kind.at(position)
    with refusing():
        policies = [each.name for each in kind.declaration.seated(at.players, chosen_policies(policy), compiled=True)]
    with refusing("POSITION"):
        found = odds_of(at, games, policies=policies, seed=seed, notify=notify)
    if as_json:
        record = {
            "game": (kind.plain or kind).declaration.name,
            "rules": [rule.name for rule in kind.rules],
            "position": str(at.position()),
            "player": at.player,
            "policies": policies,
            "seed": seed,
            "moves": list(map(_move, found)),
        }
        print(json.dumps(record, ensure_ascii=False))
    else:
        print("\n".join(_listing(at, policies, found)))


def _listing(game: Game, policies: list[str], found: tuple[Odds, ...]) -> Iterator[str]:
    players = policies[0] if len(set(policies)) == 1 else ", ".join(policies)
    games = f"{found[0].games:,} game{'s' * (found[0].games > 1)}"
    moves = "the only legal move" if len(found) == 1 else f"each of {len(found)} legal moves"
    who = f"{game.declaration.title}, player {game.player} of {game.players}"
    yield f"{who}: {games} after {moves}, played by {players}"
    width = max(4, *(len(str(odds.move)) for odds in found))
    gains = f"   {'returns':26}" if found[0].gained else ""
    yield f"\n{'move':{width}}   {'won':26}{gains}".rstrip()
    for odds in found:
        value, low, high = odds.share
        share = f"{value:7.2%} [{low:.2%}, {high:.2%}]" if odds.ended else "no game ended"
        returns = "{:+.3f} [{:+.3f}, {:+.3f}]".format(*odds.returns) if odds.returns and odds.ended else ""
        line = f"{odds.move!s:{width}}   {share:26}   {returns:26}".rstrip()
        yield f"{line}   {odds.games - odds.ended:,} given up" if odds.ended < odds.games else line


def _move(odds: Odds) -> dict[str, Any]:
    returns = {"returns": _interval(odds.returns)} if odds.returns else {}
    counts = {"games": odds.games, "ended": odds.ended, "won": odds.won}
    return {"move": str(odds.move), **counts, "share": _interval(odds.share), **returns}


def _interval(interval: Estimate) -> list[float] | None:
    """A value with its interval; null where no game has ended."""
    return None if interval[0] != interval[0] else [round(each, 6) for each in interval]
