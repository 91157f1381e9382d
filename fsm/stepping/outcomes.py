"""How games end: who won, with which scores, as data and in words."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, NamedTuple, Self

from fsm.declaration.declaration import Declaration
from rules.ending import NO_WINNER, Ending
from rules.notation import listed


class Won:
    """Who has won a game or a match, as data and in words."""

    __slots__ = ()

    @property
    def winner(self) -> int | None:
        """The player (from 1) who has won alone, or None."""
        raise NotImplementedError

    @property
    def winners(self) -> tuple[int, ...]:
        """All players who have won."""
        raise NotImplementedError

    @staticmethod
    def player_at(seat: int) -> int | None:
        """Return the player who has won, from 1, or None. seat: from 0, or NO_WINNER."""
        return None if seat == NO_WINNER else int(seat) + 1

    @property
    def winners_named(self) -> str:
        """Those who have won: `player 1`, `players 1 and 3`."""
        return f"player{'s' * (len(self.winners) > 1)} {listed(self.winners, ' and ')}"

    @property
    def who_wins(self) -> str:
        """Who wins, in words: `Player 1 wins`, `Players 1 and 3 win`, or `Nobody wins`."""
        who = self.winners_named.capitalize() if self.winners else "Nobody"
        return f"{who} win{'s' * (len(self.winners) < 2)}"

    @property
    def winners_data(self) -> dict[str, Any]:
        """Who has won, for JSON: `winners` only if there are several."""
        return {"winner": self.winner} | ({"winners": list(self.winners)} if len(self.winners) > 1 else {})


class _Result(NamedTuple):
    ending: Ending
    winner: int | None
    scores: tuple[int, ...]


class Outcome(_Result, Won):
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
        made = cls(Ending(table.ending), cls.player_at(table.winner), scores)
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
        return {**self.winners_data, "scores": list(self.scores)}

    def sentence(self, game: Declaration) -> str:
        """Return how `game` ended, in words."""
        ending = "" if self.winners else f": {game.look.ending(self.ending)}"
        return f"{self.who_wins}{ending}. {game.scores_text}: {by_player(enumerate(self.scores, 1))}."

    def __repr__(self) -> str:
        several = f", winners={self.winners}" if len(self.winners) > 1 else ""
        return f"Outcome(ending={self.ending!r}, winner={self.winner}, scores={self.scores}{several})"

    def __str__(self) -> str:
        if not self.winners:
            return f"no winner: {self.ending}"
        return f"{self.winners_named} won, scores {' '.join(map(str, self.scores))}"


def by_player(each: Iterable[tuple[int, object]]) -> str:
    """What each of some players has, or has played, in words: `player 3 H7, player 1 HK`."""
    return ", ".join(f"player {player} {what}" for player, what in each)
