"""Solutions as plain data, and in lines for people."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict
from pathlib import Path
from typing import Any

from fsm.declaration.arcs import Policy
from fsm.edge.numbers import Notify
from fsm.stepping.game import Game
from maumau.solve.hands import Counts, OpenHands, solve_open, solve_position
from maumau.solve.hidden import HiddenHands, JudgedPolicy, random_effect, relative_skill
from maumau.solve.responses import respond_to
from rules.notation import listed, many

PLAYER_1 = "player 1", "wins", "loses"
"""The first side of two players, and what it does."""


def position_record(game: Game, memory: int, notify: Notify) -> dict[str, Any]:
    """Return what a position is worth, and its moves. Raises ValueError."""
    solved = solve_position(game, memory, notify)
    rated = solved.rated(game)
    value = rated[0].value * int(solved.worth.sides[game.player - 1])
    positions, drawn, _ = solved.kinds
    moves = {str(each.move): {"value": each.value, "length": each.length} for each in rated}
    best = [str(move) for move in solved.best_moves(game)]
    found = {"value": value, "best": best, "moves": moves, "positions": positions, "drawn": drawn}
    return {"position": str(game.position()), "open": found}


def open_record(
    small: type[Game],
    players: int,
    policies: Mapping[str, Policy],
    seats: Sequence[Policy],
    memory: int,
    state: Path | None,
    by_deal: bool,
    notify: Notify,
) -> dict[str, Any]:
    """Return what open hands are worth, and how policies do. Raises ValueError.

    policies: by the names that the record has. seats: those of all seats, if the best answers to them are asked for.
    """
    each = list(dict.fromkeys([*policies.values(), *seats]))
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
        if policies:
            found["policies"] = {name: _policy(solved, each.index(policy)) for name, policy in policies.items()}
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


def responses_record(small: type[Game], policies: Sequence[Policy], memory: int, notify: Notify) -> dict[str, Any]:
    """Return what policies lose by best responses alone, and the bounds of the value. Raises ValueError."""
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


def hidden_record(
    solved: HiddenHands, names: Sequence[str], turns: int, gap: float, memory: int, skill: bool, notify: Notify
) -> dict[str, Any]:
    """Return what hidden hands are worth, and what policies lose. Raises ValueError.

    names: those of the policies. skill: whether also what it is worth to know the deal, and how much is skill.
    """
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
    if skill:
        found["random_effect"] = random_effect(solved, gap, memory, notify)
        for each in found.get("policies", {}).values():
            each["relative_skill"] = relative_skill(each["exploitability"], found["random_effect"])
    return {"deals": len(solved.tree.deals), "hidden": found}


def record_lines(record: dict[str, Any], gains: bool) -> Iterator[str]:
    """Yield a result for people. gains: whether the game declares returns."""
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
    yield f"{many(record['deals'], 'deal')}, {sets}{record['seconds']:.1f} s"
    yield f"the value is {value}between {found['lower']:+z.8f} and {found['upper']:+z.8f}"
    if "cut" in found:
        lines = many(found["cut"], "line of play was", "lines of play were")
        yield f"{lines} cut off after {many(found['turns'], 'turn')}, without a winner"
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
    size = f"{many(found['positions'], 'position')} at the start of a turn, {found['drawn']:,} after a draw"
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
    yield f"{many(record['deals'], 'deal')}, {size}, {record['seconds']:.1f} s"
    rows = list(_rows_open(record))
    width = max(24, *(len(row[0]) for row in rows if not isinstance(row, str)))
    if "won" in found:
        several = "side" in found
        side, win, lose = (f"players {listed(found['side'], ' and ')}", "win", "lose") if several else PLAYER_1
        yield f"\n{side:{width}} {win:>9} {'nobody':>9} {lose:>9}"
    for row in rows:
        yield row if isinstance(row, str) else f"{row[0]:{width}} " + " ".join(f"{count:9,}" for count in row[1])


def _rows_open(record: dict[str, Any]) -> Iterator[tuple[str, list[int]] | str]:
    """The rows of the table of open hands, each its name and its counts, and lines between them."""
    found = record["open"]
    if "won" in found:
        yield "perfect play", [found["won"], found["nobody"], found["lost"]]
    yield from _answered(found, "the others")
    for name, policy in record.get("policies", {}).items():
        for seats in ("first", "second", "both"):
            if seats in policy:
                yield f"{name} {seats}", policy[seats]
        yield from _answered(policy, name)
        if "errors" in policy:
            errors = policy["errors"]
            yield f"{name}: {errors['errors']:,} errors in {errors['choices']:,} choices that matter: " + ", ".join(
                f"{errors[cost]:,} {cost.replace('_', ' ')}" for cost in list(errors)[2:]
            )


def _answered(record: dict[str, Any], others: str) -> Iterator[tuple[str, list[int]]]:
    for seat, counts in enumerate(record.get("answers", ()), 1):
        yield f"player {seat} against {others}", counts
