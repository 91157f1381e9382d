"""`maumau solve`: what a game is worth, perfect play, and how far policies are from it."""

from __future__ import annotations

import json
import time
from collections.abc import Iterator
from typing import Any

from fsm.registry import game_class
from fsm.stepping.game import Game
from fsm.stepping.setup import full_deck
from maumau.cli.chosen import chosen_policies, refusing_players
from maumau.cli.interrupt import BadInput
from maumau.cli.messages import notify
from maumau.kernels.compiler.machine_code import require_compiler
from maumau.solve.dealt import TooLarge
from maumau.solve.hands import OpenHands, judged, solve_open, solve_position


def run(
    deck: str | None,
    players: int,
    each: int,
    is_open: bool,
    position: str | None,
    exploit: str,
    memory: int,
    by_deal: bool,
    as_json: bool,
    game: str,
) -> None:
    """Run `maumau solve`."""
    require_compiler()
    kind = game_class(game)
    started = time.perf_counter()
    if position is not None:
        record = _solved_position(kind, _dealt(kind, deck, players, each), position, memory << 20)
    else:
        if not is_open:
            raise BadInput("expected --open or --position")
        small = _dealt(kind, deck, players, each)
        record = _names(kind, small, deck, players) | _solved_open(small, players, exploit, memory << 20, by_deal)
    record["seconds"] = round(time.perf_counter() - started, 3)
    print(json.dumps(record) if as_json else "\n".join(_listing(record)))


def _dealt(kind: type[Game], deck: str | None, players: int, each: int) -> type[Game]:
    """The game with the deck of the options. Raises BadInput."""
    codec = kind.declaration.codec
    if deck is not None:
        try:
            kind = kind.with_deck(deck, each)
        except ValueError as error:
            raise BadInput(f"--deck: {error}") from None
    if not codec.fewest <= players <= kind.declaration.codec.most:
        raise BadInput(f"--players: {players}, expected {codec.fewest} to {kind.declaration.codec.most}")
    return kind


def _names(kind: type[Game], small: type[Game], deck: str | None, players: int) -> dict[str, Any]:
    names = small.declaration.codec.notation.names(full_deck(small.declaration))
    return {
        "game": (kind.plain or kind).declaration.name,
        "rules": [rule.name for rule in kind.rules],
        "deck": " ".join(deck.split() if deck else names),
        "players": players,
        "each": small.declaration.codec.cards_each(players),
    }


def _solved_open(small: type[Game], players: int, exploit: str, memory: int, by_deal: bool) -> dict[str, Any]:
    """What open hands are worth, and how policies do. Raises BadInput."""
    names = chosen_policies(exploit, "--exploit")
    with refusing_players("--exploit"):
        policies = judged(small, names)
    try:
        solved = solve_open(small, players, policies, memory, notify)
    except TooLarge as error:
        raise BadInput(f"--deck: {error}") from None
    except ValueError as error:
        raise BadInput(f"--game: {error}") from None
    assert solved.deals is not None
    found: dict[str, Any] = {"deals": len(solved.deals)}
    positions, drawn, _ = solved.kinds
    if players == 2:
        won, nobody, lost = solved.counted(solved.worth)
        found["open"] = {"won": won, "nobody": nobody, "lost": lost, "positions": positions, "drawn": drawn}
        if by_deal:
            found["open"]["by_deal"] = solved.by_deal
    else:
        found["open"] = {"positions": positions, "drawn": drawn}
    if names:
        found["policies"] = {name: _policy(solved, number) for number, name in enumerate(names)}
    return found


def _policy(solved: OpenHands, number: int) -> dict[str, Any]:
    """What becomes of a policy, and its errors; of more than two players the best answer of each seat."""
    if solved.players > 2:
        return {"answers": [solved.counted(solved.against(number, seat)) for seat in range(solved.players)]}
    first, second, both = (solved.counted(solved.following(number, *seats)) for seats in ((0,), (1,), (0, 1)))
    errors = solved.positions.errors(number, solved.worth)
    return {"first": first, "second": second, "both": both, "errors": errors}


def _solved_position(kind: type[Game], small: type[Game], position: str, memory: int) -> dict[str, Any]:
    """What a position is worth, and its moves. Raises BadInput."""
    try:
        game = small.at(position)
        if game.players != 2:
            raise ValueError(f"{game.players} players, expected 2")
        solved = solve_position(game, memory, notify)
        rated = solved.rated(game)
    except ValueError as error:
        raise BadInput(f"--position: {error}") from None
    value = rated[0].value * (1 if game.player == 1 else -1)
    positions, drawn, _ = solved.kinds
    moves = {str(each.move): {"value": each.value, "length": each.length} for each in rated}
    best = [str(move) for move in solved.best_moves(game)]
    return {
        "game": (kind.plain or kind).declaration.name,
        "rules": [rule.name for rule in kind.rules],
        "position": str(game.position()),
        "open": {"value": value, "best": best, "moves": moves, "positions": positions, "drawn": drawn},
    }


def _listing(record: dict[str, Any]) -> Iterator[str]:
    """A result for people."""
    rules = f" with {', '.join(record['rules'])}" if record["rules"] else ""
    found = record["open"]
    size = f"{found['positions']:,} positions at the start of a turn, {found['drawn']:,} after a draw"
    if "position" in record:
        worth = {1: "player 1 wins", -1: "player 2 wins", 0: "nobody can force a win"}[found["value"]]
        yield f"{record['game']}{rules}: {worth}; {size}, {record['seconds']:.1f} s"
        for move, rated in found["moves"].items():
            how = {1: "wins", 0: "wins nothing", -1: "loses"}[rated["value"]]
            length = f" in {rated['length']} moves" if rated["length"] else ""
            yield f"  {'*' if move in found['best'] else ' '} {move}: {how}{length}"
        return
    yield f"{record['game']}{rules}, {record['deck']}, {record['players']} players with {record['each']} each"
    yield f"{record['deals']:,} deals, {size}, {record['seconds']:.1f} s"
    if "won" in found:
        yield f"\n{'player 1':24} {'wins':>9} {'nobody':>9} {'loses':>9}"
        yield _row("perfect play", [found["won"], found["nobody"], found["lost"]])
    for name, policy in record.get("policies", {}).items():
        for seats in ("first", "second", "both"):
            if seats in policy:
                yield _row(f"{name} {seats}", policy[seats])
        for seat, counts in enumerate(policy.get("answers", ()), 1):
            yield _row(f"player {seat} against {name}", counts)
        if "errors" in policy:
            errors = policy["errors"]
            yield f"{name}: {errors['errors']:,} errors in {errors['choices']:,} choices that matter: " + ", ".join(
                f"{errors[cost]:,} {cost.replace('_', ' ')}" for cost in list(errors)[2:]
            )


def _row(name: str, counts: list[int]) -> str:
    return f"{name:24} " + " ".join(f"{count:9,}" for count in counts)
