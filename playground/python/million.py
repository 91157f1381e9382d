"""Many games at once, played by a kernel that was made ahead: what it needs to know, and what it has counted."""

from __future__ import annotations

import json
from functools import cache
from struct import calcsize

from running import Fault, made
from texts import PACKED

from fsm.edge.numbers import as_int
from fsm.hashes import rules_hash
from fsm.registry import BUILT_IN
from maumau.kernels.bulk.counts import parts_of, totals_of
from maumau.kernels.compiled.results import RESULT
from maumau.kernels.compiler.program import Totals
from playground import Data
from render.diagram import Overlay, render

NO_KERNEL = """there is no kernel for this machine. Games by the million need machine code, and a page has no \
compiler: kernels are made ahead for the examples and for the games and house rules of the list, as their texts stand \
there. For other texts press Download, and install the package: \
maumau study --game own.py:NAME --players {players} --games {games}"""


@cache
def kernels() -> dict[str, str]:
    """The names of what was made ahead, by the hashes of games: with the names of house rules after +."""
    return dict(json.loads((PACKED / "kernels.json").read_text(encoding="utf-8")))


def asked(source: str, players: int, seed: int, games: int) -> Data:
    """What a kernel needs that plays the machine of a text, and the key by which it is known."""
    try:
        game = made(source).kind.declaration
        game.player_count(players)
        as_int("seed", seed, 0)
        key = rules_hash(game, *game.policies, game.chain)
        if key not in kernels():
            raise Fault(NO_KERNEL.format(players=players, games=games))
    except (Fault, TypeError, ValueError) as error:
        return {"error": str(error), "line": getattr(error, "line", 0)}
    parts = [[part.start, part.stop - part.start] for part in parts_of(game, players)]
    return {
        "key": key,
        "counters": {"words": sum(parts[-1]), "parts": parts},
        "result": calcsize("".join(RESULT.values())),
    }


def counted(source: str, words: list[int], players: int, seed: int, games: int) -> Data:
    """The sums, how often each arc was fired, and the diagram with that, from the counters of a kernel."""
    game = made(source).kind.declaration
    totals = totals_of(game, players, games, words)
    policies = [game.policies[0].name] * players
    shown = Overlay.of_traffic(totals.fired, games, policies, seed)
    return {
        "title": game.title,
        "note": shown.note,
        "dot": render(game, "dot", shown),
        "rows": [[name, value, value / games] for name, value in _sums(totals)],
        "longest": totals.longest,
        "arcs": [[str(arc), fired, fired / games] for arc, fired in totals.fired.items()],
        "command": _command(kernels()[rules_hash(game, *game.policies, game.chain)], players, seed, games),
    }


def _sums(totals: Totals) -> list[tuple[str, int]]:
    return [
        *((f"games: {ending}", count) for ending, count in totals.endings.items()),
        *((f"player {seat} won", count) for seat, count in enumerate(totals.wins, 1)),
        *((f"points of player {seat}", points) for seat, points in enumerate(totals.points, 1)),
        ("turns", totals.turns),
        ("cards laid", totals.laid),
        ("cards drawn", totals.taken),
        ("reshuffles", totals.reshuffles),
        ("games with a reshuffle", totals.reshuffled),
    ]


def _command(name: str, players: int, seed: int, games: int) -> str:
    """The command that counts the same; empty for an example, whose text is in no file yet."""
    game, _, rule = name.partition("+")
    if game not in BUILT_IN:
        return ""
    chosen = f"--game {game}" + (f" --with {rule}" if rule else "")
    return f"maumau study {chosen} --players {players} --seed {seed} --games {games}"
