"""Results of games added up, and counted by value."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from maumau.kernels.compiled.given import Array


def add_up(results: Array, scores: Array, endings: Array, wins: Array, points: Array, sums: Array) -> None:
    """Add the games' results to how often each ending came, each seat's wins and points, and the sums."""
    turns = laid = taken = reshuffles = reshuffled = 0
    longest = sums[5]
    for game in range(len(results)):
        result = results[game]
        endings[result.ending] += 1
        if result.winner >= 0:
            wins[result.winner] += 1
        for seat in range(len(points)):
            points[seat] += scores[game, seat]
        turns += result.turns
        laid += result.laid
        taken += result.taken
        reshuffles += result.reshuffles
        reshuffled += result.reshuffles > 0
        longest = max(longest, result.turns)
    sums[0] += turns
    sums[1] += laid
    sums[2] += taken
    sums[3] += reshuffles
    sums[4] += reshuffled
    sums[5] = longest


def count_values(results: Array, scores: Array, endings: Array, winners: Array, cells: Array) -> int:
    """Count how often each ending, each winner (from index 1 on; 0 counts those who have none) and each value of the
    four measures and of the seats' scores came, a row of cells each; the sum of the trails.
    """
    last = cells.shape[1] - 1
    trails = 0
    for game in range(len(results)):
        result = results[game]
        endings[result.ending] += 1
        winners[result.winner + 1] += 1
        cells[0, min(result.turns, last)] += 1
        cells[1, min(result.laid, last)] += 1
        cells[2, min(result.taken, last)] += 1
        cells[3, min(result.reshuffles, last)] += 1
        for seat in range(scores.shape[1]):
            cells[4 + seat, min(max(scores[game, seat], 0), last)] += 1
        trails += result.trail
    return trails
