"""`maumau solve`: what a game is worth, perfect play, and how far policies are from it."""

from __future__ import annotations

import json
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import asdict
from pathlib import Path
from typing import Any

from fsm.declaration.arcs import Policy
from fsm.edge.extras import require
from fsm.registry import game_class
from fsm.stepping.game import Game
from maumau.cli.chosen import checked_players, chosen_policies, refusing
from maumau.cli.output import check_output, notify, report_written, write_output
from maumau.kernels.compiler.machine_code import PACKAGES
from maumau.solve.dealt import TooLarge
from maumau.solve.hands import Counts, OpenHands, solve_open, solve_position
from maumau.solve.hidden import HiddenHands, JudgedPolicy, random_effect, relative_skill, solve_hidden
from maumau.solve.players import solution_bytes
from maumau.solve.responses import respond_to
from rules.errors import interrupted_by
from rules.notation import listed, many

PLAYER_1 = "player 1", "wins", "loses"
"""The first side of two players, and what it does."""


def run(
    deck: str | None,
    players: int | None,
    each: int,
    is_open: bool,
    hidden: bool,
    position: str | None,
    exploit: str,
    policy: str,
    turns: int,
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
    require("maumau solve", *PACKAGES, *["scipy"] * finds_equilibrium)
    for file in filter(None, (output, state)):
        check_output(file)
    kind = game_class(game)
    small = kind
    if deck is not None:
        with refusing("--deck"):
            small = kind.with_deck(deck, each)
    players = checked_players(small, players)
    started = time.perf_counter()
    if position is not None:
        record = _solved_position(kind, small, position, memory << 20)
    else:
        record = _names(kind, small, deck, players)
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
                record |= _solved_open(small, players, names, policies, seats, memory << 20, kept, by_deal)
            if responses:
                record |= _record_responses(small, policies, memory << 20)
            elif finds_equilibrium:
                solved = solve_hidden(small, policies, turns, gap, memory << 20, seed, kept, notify)
                record |= _record_hidden(solved, names, turns)
                if skill:
                    _add_skill(record["hidden"], random_effect(solved, gap, memory << 20, notify))
                if output is not None:
                    write_output(output, solution_bytes(solved))
    record["seconds"] = round(time.perf_counter() - started, 3)
    print(json.dumps(record) if as_json else "\n".join(_listing(record, bool(small.declaration.returns))))


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


def _names(kind: type[Game], small: type[Game], deck: str | None, players: int) -> dict[str, Any]:
    names = small.declaration.codec.notation.names(small.declaration.full_deck())
    return {
        "game": (kind.plain or kind).declaration.name,
        "rules": [rule.name for rule in kind.rules],
        "deck": " ".join(deck.split() if deck else names),
        "players": players,
        "each": small.declaration.codec.cards_each(players),
    }


def _solved_open(
    small: type[Game],
    players: int,
    names: list[str],
    policies: list[Policy],
    seats: Sequence[Policy],
    memory: int,
    state: Path | None,
    by_deal: bool,
) -> dict[str, Any]:
    """What open hands are worth, and how policies do. Raises ValueError."""
    each = list(dict.fromkeys([*policies, *seats]))
    solved = solve_open(small, players, each, memory, state, notify)
    assert solved.deals is not None
    found: dict[str, Any] = {"deals": len(solved.deals)}
    positions, drawn, _ = solved.kinds
    if solved.worth:
        won, nobody, lost = solved.counted(solved.worth)
        found["open"] = {"won": won, "nobody": nobody, "lost": lost, "positions": positions, "drawn": drawn}
        if players > 2:
            found["open"]["side"] = [seat + 1 for seat in solved.seats_of_sides[0]]
        if by_deal:
            found["open"]["by_deal"] = solved.by_deal
    else:
        found["open"] = {"positions": positions, "drawn": drawn}
    with solved.kept.keeping():
        if names:
            found["policies"] = {
                name: _policy(solved, each.index(policy)) for name, policy in zip(names, policies, strict=True)
            }
        if seats:
            found["open"]["answers"] = _answers(solved, [each.index(policy) for policy in seats])
    return found


def _policy(solved: OpenHands, number: int) -> dict[str, Any]:
    """What becomes of a policy, and its errors; of more than two sides the best answer of each seat."""
    if not solved.worth:
        return {"answers": _answers(solved, [number] * solved.players)}
    first, second = solved.seats_of_sides
    seats = {"first": first, "second": second, "both": (*first, *second)} if second else {"first": first}
    found: dict[str, Any] = {name: solved.counted(solved.following(number, *each)) for name, each in seats.items()}
    return found | {"errors": solved.positions.errors(number, solved.worth)}


def _answers(solved: OpenHands, policies: list[int]) -> list[Counts]:
    """What each seat gets by the best answer to the others, by the numbers of the policies of all seats."""
    return [solved.counted(solved.against(policies, seat)) for seat in range(solved.players)]


def _record_responses(small: type[Game], policies: list[Policy], memory: int) -> dict[str, Any]:
    """What policies lose, by best responses alone, and the bounds of the value that follow. Raises ValueError."""
    found = {policy.name: respond_to(small, policy, memory, notify) for policy in policies}
    return {
        "deals": next(iter(found.values())).deals,
        "hidden": {
            "lower": max(each.judged.first_worst for each in found.values()),
            "upper": min(each.judged.second_worst for each in found.values()),
            "policies": {
                name: _record_judged(each.judged) | {"information_sets": each.information_sets}
                for name, each in found.items()
            },
        },
    }


def _record_judged(judged: JudgedPolicy) -> dict[str, Any]:
    return asdict(judged) | {"exploitability": judged.exploitability}


def _record_hidden(solved: HiddenHands, names: list[str], turns: int) -> dict[str, Any]:
    """What hidden hands are worth, and what policies lose. Raises ValueError."""
    equilibrium = solved.equilibrium
    found: dict[str, Any] = {
        "value": equilibrium.value,
        "lower": equilibrium.lower,
        "upper": equilibrium.upper,
        "information_sets": solved.information_sets,
    }
    if turns:
        found |= {"turns": turns, "cut": solved.cut}
    if names:
        with solved.kept.keeping():
            judged = {name: solved.judge(number) for number, name in enumerate(names)}
        found["policies"] = {name: _record_judged(each) for name, each in judged.items()}
    return {"deals": len(solved.tree.deals), "hidden": found}


def _add_skill(found: dict[str, Any], random: float) -> None:
    """Add what it is worth to be told the deal, and how much of the game is skill, to a record of hidden hands."""
    found["random_effect"] = random
    for each in found.get("policies", {}).values():
        each["relative_skill"] = relative_skill(each["exploitability"], random)


def _solved_position(kind: type[Game], small: type[Game], position: str, memory: int) -> dict[str, Any]:
    """What a position is worth, and its moves. Raises BadInput."""
    with refusing("--position"):
        game = small.at(position)
        solved = solve_position(game, memory, notify)
        rated = solved.rated(game)
    value = rated[0].value * int(solved.worth.sides[game.player - 1])
    positions, drawn, _ = solved.kinds
    moves = {str(each.move): {"value": each.value, "length": each.length} for each in rated}
    best = [str(move) for move in solved.best_moves(game)]
    return {
        "game": (kind.plain or kind).declaration.name,
        "rules": [rule.name for rule in kind.rules],
        "position": str(game.position()),
        "open": {"value": value, "best": best, "moves": moves, "positions": positions, "drawn": drawn},
    }


def _listing(record: dict[str, Any], gains: bool) -> Iterator[str]:
    """A result for people. gains: whether the game declares returns."""
    rules = f" with {', '.join(record['rules'])}" if record["rules"] else ""
    if "open" in record:
        yield from _listed_open(record, rules, gains)
    if "hidden" in record:
        yield from _listed_hidden(record, rules)


def _listed_hidden(record: dict[str, Any], rules: str) -> Iterator[str]:
    """Hidden hands for people."""
    found = record["hidden"]
    sets = value = ""
    if "value" in found:
        sets = "{:,} + {:,} information sets, ".format(*found["information_sets"])
        value = f"{found['value']:+z.6f}, "
    yield f"{record['game']}{rules}, {record['deck']}, hidden hands, {record['each']} each"
    yield f"{record['deals']:,} deals, {sets}{record['seconds']:.1f} s"
    yield f"the value is {value}between {found['lower']:+z.8f} and {found['upper']:+z.8f}"
    if "cut" in found:
        yield f"{found['cut']:,} lines of play were cut off after {found['turns']:,} turns, without a winner"
    for name, policy in found.get("policies", {}).items():
        worst = f"{policy['first_worst']:+z.6f} in the first seat, {-policy['second_worst']:+z.6f} in the second one"
        yield f"{name}: loses {policy['exploitability']:z.6f} a game to a perfect player; gets at least {worst}"
        if "relative_skill" in policy:
            yield f"{name} as a beginner: {policy['relative_skill']:z.6f} of the game is skill"
    if "random_effect" in found:
        yield f"a player who knows the deal beforehand gains {found['random_effect']:z.6f} a game"


def _listed_open(record: dict[str, Any], rules: str, gains: bool) -> Iterator[str]:
    """Open hands for people."""
    found = record["open"]
    size = f"{found['positions']:,} positions at the start of a turn, {found['drawn']:,} after a draw"
    if "position" in record:
        words = {1: "player 1 wins", -1: "player 2 wins", 0: "nobody can force a win"}
        worth = f"player 1 gains {found['value']:+}" if gains else words[found["value"]]
        yield f"{record['game']}{rules}: {worth}; {size}, {record['seconds']:.1f} s"
        for move, rated in found["moves"].items():
            words = {1: "wins", 0: "wins nothing", -1: "loses"}
            how = f"gains {rated['value']:+}" if gains else words[rated["value"]]
            length = f" in {many(rated['length'], 'move')}" if rated["length"] else ""
            yield f"  {'*' if move in found['best'] else ' '} {move}: {how}{length}"
        return
    yield f"{record['game']}{rules}, {record['deck']}, {many(record['players'], 'player')} with {record['each']} each"
    yield f"{record['deals']:,} deals, {size}, {record['seconds']:.1f} s"
    if "won" in found:
        several = "side" in found
        side, win, lose = (f"players {listed(found['side'], ' and ')}", "win", "lose") if several else PLAYER_1
        yield f"\n{side:24} {win:>9} {'nobody':>9} {lose:>9}"
        yield _row("perfect play", [found["won"], found["nobody"], found["lost"]])
    yield from _listed_answers(found, "the others")
    for name, policy in record.get("policies", {}).items():
        for seats in ("first", "second", "both"):
            if seats in policy:
                yield _row(f"{name} {seats}", policy[seats])
        yield from _listed_answers(policy, name)
        if "errors" in policy:
            errors = policy["errors"]
            yield f"{name}: {errors['errors']:,} errors in {errors['choices']:,} choices that matter: " + ", ".join(
                f"{errors[cost]:,} {cost.replace('_', ' ')}" for cost in list(errors)[2:]
            )


def _listed_answers(record: dict[str, Any], others: str) -> Iterator[str]:
    for seat, counts in enumerate(record.get("answers", ()), 1):
        yield _row(f"player {seat} against {others}", counts)


def _row(name: str, counts: list[int]) -> str:
    return f"{name:24} " + " ".join(f"{count:9,}" for count in counts)
