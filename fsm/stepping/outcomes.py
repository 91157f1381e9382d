"""How games end: who won, with which scores, as data and in words."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any, NamedTuple, Self

from fsm.declaration.declaration import Declaration
from rules.ending import NO_WINNER, Ending
from rules.notation import listed


def winner_of(seat: int) -> int | None:
    """The player who won, from 1, or None. seat: from 0, or NO_WINNER."""
    return None if seat == NO_WINNER else int(seat) + 1


class _Result(NamedTuple):
    ending: Ending
    winner: int | None
    scores: tuple[int, ...]


class Outcome(_Result):
    """How a game ended: a tuple of the ending, the winner and the scores, with what follows from them.

    ending: in which way. winner: the player (from 1) who has won alone, or None. scores: points of each player.
    winners: all players who have won. returns: what each player gains or loses, by `Declaration.returns`.
    """

    winners: tuple[int, ...] = ()
    returns: tuple[float, ...] = ()

    @classmethod
    def of(cls, game: Declaration, table: Any) -> Self:
        """Return how `game`, which is over on `table`, ended."""
        scores = tuple(int(game.score(table, seat)) for seat in range(table.players))
        made = cls(Ending(table.ending), winner_of(table.winner), scores)
        made.winners = tuple(seat + 1 for seat in game.winners(table))
        made.returns = game.rewards(table)
        return made

    @property
    def ranking(self) -> tuple[tuple[int, ...], ...]:
        """The players by what they gain, the best first, those who gain as much together."""
        losses = sorted({-own for own in self.returns})
        return tuple(tuple(player for player, own in enumerate(self.returns, 1) if own == -loss) for loss in losses)

    @property
    def as_data(self) -> dict[str, Any]:
        """Who won and the scores, for JSON: `winners` only if there are several."""
        return {**winners_data(self.winner, self.winners), "scores": list(self.scores)}

    def sentence(self, game: Declaration) -> str:
        """Return how `game` ended, in words."""
        ending = "" if self.winners else f": {game.look.ending(self.ending)}"
        return f"{who_wins(self.winners)}{ending}. {game.scores_text}: {by_player(enumerate(self.scores, 1))}."

    def __repr__(self) -> str:
        several = f", winners={self.winners}" if len(self.winners) > 1 else ""
        return f"Outcome(ending={self.ending!r}, winner={self.winner}, scores={self.scores}{several})"

    def __str__(self) -> str:
        if not self.winners:
            return f"no winner: {self.ending}"
        return f"{players_named(self.winners)} won, scores {' '.join(map(str, self.scores))}"


def who_wins(winners: Sequence[int]) -> str:
    """`Player 1 wins`, `Players 1 and 3 win`, or `Nobody wins`."""
    return f"{players_named(winners).capitalize() if winners else 'Nobody'} win{'s' * (len(winners) < 2)}"


def winners_data(winner: int | None, winners: Sequence[int]) -> dict[str, Any]:
    """Who won, for JSON: `winners` only if there are several."""
    return {"winner": winner} | ({"winners": list(winners)} if len(winners) > 1 else {})


def players_named(players: Sequence[int]) -> str:
    """One player or several in words: `player 1`, `players 1 and 3`."""
    return f"player{'s' * (len(players) > 1)} {listed(players, ' and ')}"


def by_player(each: Iterable[tuple[int, object]]) -> str:
    """What each of some players has, or has played, in words: `player 3 H7, player 1 HK`."""
    return ", ".join(f"player {player} {what}" for player, what in each)
