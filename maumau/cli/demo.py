"""`maumau demo`: a game to watch, and the line that shows it."""

from __future__ import annotations

import shlex

from fsm.match.transcript import Transcript
from fsm.outside import options_of
from fsm.registry import game_class
from maumau.cli.chosen import checked_players
from maumau.cli.output import check_output, open_in_browser, write_output
from maumau.play.table.setup import usual_players
from render.page import replay


def run(players: int | None, seed: int, output: str, game: str) -> None:
    """Run `maumau demo`."""
    check_output(output)
    kind = game_class(game)
    players = checked_players(kind, usual_players(kind) if players is None else players)
    played = kind.of_deck(players, kind.deck_of(players, seed))
    played.run()
    write_output(output, replay(Transcript.of(played), f"game 0 of seed {seed}"))
    named = options_of(game)
    deal = shlex.join([*named, "--players", str(players), "--seed", str(seed)])
    print(f"maumau deal {deal} | maumau replay {shlex.join([*named, '-', '-o', output, '--open'])}")
    open_in_browser(output)
