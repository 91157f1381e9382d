"""`maumau diagram` as a user calls it: an active phase, the path of a game, traffic, tables."""

from __future__ import annotations

import re
import struct
import sys
from collections import Counter
from pathlib import Path

import pytest
from command import MAUMAU, STATEMENT, UNO, maumau

from fsm import MauMau
from fsm.games.maumau import MAUMAU as DECLARATION
from render.diagram import Overlay, render


def test_an_active_phase() -> None:
    assert "class JACK_BINDING active" in maumau("diagram", "--format", "mermaid", "--phase", "jack-binding").stdout
    assert maumau("diagram", "--phase", "JACK_BINDING").stdout == maumau("diagram", "--phase", "jack-binding").stdout


def test_the_path_of_a_game_of_the_problem_and_of_its_record_are_the_same() -> None:
    of_input = maumau("diagram", "--path", MAUMAU / "statement.in", "--number", "1", "--format", "table").stdout
    record = maumau("simulate", "--json", data=STATEMENT).stdout
    assert maumau("diagram", "--path", "-", "--number", "1", "--format", "table", data=record).stdout == of_input
    assert "event 1 |" in of_input
    assert "**game-over**" in of_input


def test_the_game_of_a_number_has_the_dice_of_this_game_of_the_seed() -> None:
    dice = ["--policy", "random", "--seed", "3"]
    deck = maumau("deal", "--players", "2", "--seed", "8").stdout.splitlines()[1]
    same = "\n".join(["3", deck, deck, deck])
    records = maumau("simulate", *dice, "--json", data=same).stdout
    paths = []
    for number in range(3):
        path = ["diagram", "--number", number, "--format", "table", "--path", "-"]
        paths.append(maumau(*path, *dice, data=same).stdout)
        assert paths[-1] == maumau(*path, data=records).stdout != ""
        one = maumau("simulate", *dice, "--number", number, "--json", data=f"1\n{deck}").stdout
        assert one == records.splitlines(keepends=True)[number]
    assert len(set(paths)) == 3


def test_the_path_up_to_an_event_highlights_the_phase_there() -> None:
    output = maumau(
        "diagram", "--game", "uno", "--path", UNO / "cases.in", "--until", "0", "--format", "mermaid"
    ).stdout
    assert not re.findall(r"class \w+ active", output)  # the initial pseudo-state has no box
    output = maumau("diagram", "--path", MAUMAU / "statement.in", "--until", "1", "--format", "mermaid").stdout
    (active,) = re.findall(r"class (\w+) active", output)
    (first,) = re.findall(r"--> (\w+) : .*event 1$", output, re.MULTILINE)
    assert active == first


def test_the_traffic_of_the_command_is_that_of_its_games() -> None:
    output = maumau("diagram", "--traffic", "100", "--players", "4", "--seed", "3")
    fired = Counter(dict.fromkeys(DECLARATION.arcs, 0))
    for number in range(100):
        game = MauMau.deal(4, 3, number)
        game.run()
        fired.update(step.arc for step in game.history)
    assert output.returncode == 0
    assert output.stdout == render(DECLARATION, "dot", Overlay.of_traffic(fired, 100, ("house",) * 4, 3))


def test_traffic_of_policies_and_a_seed() -> None:
    options = ["diagram", "--traffic", "30", "--players", "3", "--format", "table"]
    house = maumau(*options).stdout
    assert house != maumau(*options, "--seed", "4").stdout
    assert house != maumau(*options, "--policy", "house,random,first-legal").stdout
    assert "| fired | percent |" in house


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["--phase", "x"], "--phase: unknown phase 'x'; use one of initial, await-play, "),
        (["--traffic", "5", "--players", "5"], "--players: 5 players cannot play; use 2 to 4"),
        (["--traffic", "5", "--policy", "x"], "--policy: unknown policy 'x'; use one of house, "),
        (["--traffic", "5", "--policy", "house,house,house"], "--policy: 3 policies for 2 players"),
        (["--traffic", "5", "--path", "x"], "--path and --traffic cannot be used together"),
        (["--until", "5"], "--until requires --path"),
        (["--number", "5"], "--number requires --path"),
        (["--traffic", "5", "--number", "5"], "--number requires --path"),
        (["--path", "no"], "no: no such file or directory; name a file to read"),
        (["--path", str(MAUMAU / "statement.in"), "--until", "99"], "--until: 99 is out of range; use 0 to 25"),
        (["--path", str(MAUMAU / "statement.in"), "--number", "2"], "--number: 2 is out of range; use 0 to 1"),
        (["--path", str(MAUMAU / "statement.in"), "--policy", "x"], "--policy: unknown policy 'x'"),
        (["--path", str(UNO / "cases.in")], f"{UNO / 'cases.in'}:"),
        (["--format", "gif"], "--format: unknown format 'gif'; use one of dot, "),
        (["--format", ""], "--format: unknown format ''; use one of dot, "),
        (["--path", ""], "'': no such file or directory; name a file to read"),
        (["--path", "", "--traffic", "5"], "--path and --traffic cannot be used together"),
        (["--path", "", "--match"], "--path and --match cannot be used together"),
        (["-o", ""], "'': the name is empty; name a file to write"),
        (["-o", "x.foo"], "x.foo: unknown ending '.foo'; use one of .dot, .mermaid, "),
        (["-o", "x.foo", "--format", "foo"], "--format: unknown format 'foo'; use one of dot, "),
    ],
)
def test_contradicting_options_are_reported_and_nothing_is_written(
    arguments: list[str], message: str, tmp_path: Path
) -> None:
    done = maumau("diagram", "-o", tmp_path / "x.dot", *arguments)
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr.startswith(message)
    assert not list(tmp_path.iterdir())


def test_a_file_is_written_whole_or_not_at_all(tmp_path: Path) -> None:
    written = tmp_path / "x.dot"
    written.write_text("old")
    written.chmod(0o640)
    assert maumau("diagram", "-o", written).returncode == 0
    assert written.read_text().startswith("digraph")
    assert written.stat().st_mode & 0o777 == 0o640
    (tmp_path / "folder").mkdir()
    assert "is a directory; name a file that can be written" in maumau("diagram", "-o", tmp_path / "folder").stderr
    assert sorted(path.name for path in tmp_path.iterdir()) == ["folder", "x.dot"]


@pytest.mark.skipif(sys.version_info >= (3, 13), reason="such a link is replaced there")
def test_a_link_that_leads_to_itself_is_refused(tmp_path: Path) -> None:
    (tmp_path / "x.dot").symlink_to("x.dot")
    done = maumau("diagram", "-o", tmp_path / "x.dot")
    message = f"{tmp_path / 'x.dot'}: a link that leads to itself; name a file that can be written\n"
    assert (done.returncode, done.stdout, done.stderr) == (74, "", message)


@pytest.mark.slow
@pytest.mark.usefixtures("pictures")
def test_a_picture_is_drawn_in_a_multiple_of_its_size(tmp_path: Path) -> None:
    def sizes(scale: int) -> list[tuple[int, ...]]:
        files = [tmp_path / f"{scale}.svg", tmp_path / f"{scale}.png"]
        for file in files:
            assert maumau("diagram", "--match", "--scale", scale, "-o", file).returncode == 0
        found = re.search(r'<svg width="(\d+)pt" height="(\d+)pt"', files[0].read_text())
        assert found
        return [(int(found[1]), int(found[2])), struct.unpack(">II", files[1].read_bytes()[16:24])]

    for usual, large in zip(sizes(1), sizes(3), strict=True):
        assert all(abs(3 * one - other) <= 3 for one, other in zip(usual, large, strict=True))


@pytest.mark.parametrize(
    ("scale", "format", "message"),
    [
        ("2", "dot", "--scale: format dot has no size; use svg or png"),
        ("2", "pdf", "--scale: format pdf has no size; use svg or png"),
        ("9", "svg", "--scale: 9 is out of range; use 1 to 8"),
        ("0", "svg", "--scale: 0"),
    ],
)
def test_a_scale_that_cannot_be_drawn_is_refused(scale: str, format: str, message: str) -> None:
    refused = maumau("diagram", "--scale", scale, "--format", format)
    assert refused.returncode == 2
    assert message in refused.stderr
