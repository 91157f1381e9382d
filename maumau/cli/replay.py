"""`maumau replay`: a game as an HTML page."""

from __future__ import annotations

from pathlib import Path

from fsm.records.counterexamples import Shown
from maumau.cli.chosen import refusing
from maumau.cli.games import contest_of, played_game
from maumau.cli.interrupt import BadInput
from maumau.cli.output import STANDARD_OUTPUT, notify, open_in_browser, print_message, write_output
from render.page import replay
from rules.notation import many


def run(
    file: str,
    number: int,
    output: str,
    show: bool,
    policy: str,
    seed: int,
    is_match: bool,
    target: int | None,
    errors: bool,
    game: str,
) -> None:
    """Run `maumau replay`."""
    contest = contest_of(game, is_match, target)
    if show and output == STANDARD_OUTPUT:
        raise BadInput("--open: the page goes to standard output; name a file with -o FILE")
    name = "standard input" if file == "-" else Path(file).name
    played = played_game(contest, file, number, policy, seed)
    heading, marks = f"{contest.unit.one} {number} of {name}", {}
    if isinstance(played, Shown):
        if errors:
            raise BadInput(f"--errors: {name} has counterexamples; use it with a game that was played")
        loop, first = played.loop, len(played.steps) - played.loop
        where = f", at {played.fails}" if played.fails else f", by {many(loop, 'event')} for ever" if loop else ""
        heading = f"{heading}: FAILED {played.stated}{where}"
        marks = {first + place: f" (loop, {place + 1} of {loop}, for ever)" for place in range(loop)}
    elif errors:
        from maumau.solve.marks import marks_of

        with refusing("--errors"):
            judged = marks_of(played.rounds[0].game, notify=notify)
        print_message(str(judged))
        marks = {event: f"? ({text})" for event, text in judged.texts.items()}
    write_output(output, replay(played, heading, marks))
    if show:
        open_in_browser(output)
