"""`maumau party`: the link that it prints leads to a room, after a restart on the same evening to the same one."""

from __future__ import annotations

import json
import re
import signal
import socket
import subprocess
import sys
import urllib.request
from contextlib import AbstractContextManager
from pathlib import Path
from typing import Any

import pytest
from command import maumau
from serving import serving

from examples.kuhn_poker import KuhnPoker
from fsm import register, registry
from fsm.outside import games_of_folder
from maumau.cli import serve as serve_command
from maumau.play.server.guard import AddressError, local_address
from maumau.play.server.tables.plans import plan_of

EXAMPLES = Path(__file__).parents[2] / "examples"


def party(*options: str) -> AbstractContextManager[str]:
    """The link that a party prints."""
    return serving("party", "--host", "127.0.0.1", *options)


def offered(lobby: str) -> list[dict[str, Any]]:
    """The games of a lobby, as its page has them."""
    found = re.search(r'id="data">(.*?)</script>', lobby)
    assert found is not None
    return list(json.loads(found[1])["games"])


@pytest.mark.slow
def test_the_link_leads_to_a_room_which_is_there_again_after_a_restart(tmp_path: Path) -> None:
    codes = []
    for _ in range(2):
        with party("--tables", str(tmp_path / "rooms.sqlite"), "--game", "uno") as link:
            found = re.fullmatch(r"http://127\.0\.0\.1:\d+/room/(\w{8})", link)
            assert found is not None
            codes.append(found[1])
            with urllib.request.urlopen(link) as page:
                assert "UNO" in page.read().decode()
            told = json.load(urllib.request.urlopen(f"{link}/link"))
            assert told["link"] == link
            with urllib.request.urlopen(link.partition("room/")[0]) as lobby:
                games = [each["game"] for each in offered(lobby.read().decode()) if each["further"]]
            assert {"hearts", "gin-rummy", "scopa"} < {*games}, "a clone has examples"
            assert not {"shared-spades", "maumau-keep-suit"} & {*games}, "a variant of a game is no game of its file"
    assert codes[0] == codes[1]


@pytest.mark.slow
@pytest.mark.parametrize(("options", "is_said"), [([], True), (["--origin", "https://cards.example"], False)])
def test_a_server_for_this_machine_only_says_how_others_get_in(options: list[str], is_said: bool) -> None:
    command = [sys.executable, "-m", "maumau", "serve", "--port", "0", *options]
    with subprocess.Popen(command, stderr=subprocess.PIPE, text=True) as serving:
        assert serving.stderr is not None
        line = next(line for line in serving.stderr if line.startswith("maumau: "))
        serving.send_signal(signal.SIGINT)
    assert ("on this machine only, maumau party lets others in" in line) is is_said


def test_a_game_for_two_has_a_room_for_two() -> None:
    assert plan_of({"game": register(KuhnPoker).declaration.name}).players == 2


def test_an_address_of_another_machine_is_refused() -> None:
    done = maumau("party", "--port", "0", "--host", "192.0.2.77")
    assert done.returncode == 2
    assert "use an address of this machine" in done.stderr


class Nowhere(socket.socket):
    """A socket of a machine without a network."""

    def connect(self, address: Any) -> None:
        raise OSError(101, "Network is unreachable")


def test_a_machine_without_a_network_needs_the_address(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(socket, "socket", Nowhere)
    with pytest.raises(AddressError, match="give the address at which others reach it"):
        local_address()


@pytest.mark.slow
def test_the_lobby_offers_the_games_of_a_folder_and_a_room_of_one_is_there_after_a_restart(tmp_path: Path) -> None:
    (tmp_path / "go_fish.py").write_bytes((EXAMPLES / "go_fish.py").read_bytes())
    (tmp_path / "part.py").write_text("raise ValueError('it holds no game of its name and is not loaded')\n")
    options = "--tables", str(tmp_path / "rooms.sqlite"), "--more-games", str(tmp_path)
    with party(*options) as link:
        address = link.partition("room/")[0]
        with urllib.request.urlopen(address) as page:
            games = offered(page.read().decode())
        assert [each["game"] for each in games if each["further"]] == ["go-fish"]
        body = json.dumps({"name": "Ann", "game": "go-fish", "players": 3, "ready": True}).encode()
        request = urllib.request.Request(f"{address}rooms", body, {"content-type": "application/json"})
        room = json.load(urllib.request.urlopen(request))
        with urllib.request.urlopen(f"{address}step") as page:
            assert "go-fish" not in page.read().decode(), "a machine to step has the games of the package"
    with party(*options) as link:
        address = link.partition("room/")[0]
        state = json.load(urllib.request.urlopen(f"{address}tables/{room['token']}/state"))
        assert state["view"]["title"] == "Go Fish"


FACELESS = """
from dataclasses import replace

from fsm import Game
from fsm.games.maumau import MAUMAU


def face(*card):
    raise KeyError("no face")


class Faceless(Game, declaration=replace(MAUMAU, name="faceless", look=replace(MAUMAU.look, face=face))):
    pass
"""
"""A game whose cards cannot be drawn."""
FAULTS = {
    "faceless": (FACELESS, "faceless.py:9: KeyError: 'no face'"),
    "taken": (FACELESS.replace("Faceless", "Taken").replace("faceless", "uno"), "the name 'uno' is taken by"),
    "unfinished": ("class Unfinished:\n  =", "unfinished.py:2: syntax error: invalid syntax"),
    "halting": ("class Halting: ...\nraise SystemExit", "halting.py:2: SystemExit"),
    "undeclared": (
        "from fsm import Game\nclass Undeclared(Game): ...",
        "give class NAME(Game, declaration=DECLARATION)",
    ),
}


@pytest.fixture
def forgotten(monkeypatch: pytest.MonkeyPatch) -> None:
    """What is registered from now on is forgotten after the test."""
    monkeypatch.setattr(registry, "_registered", {})


@pytest.mark.usefixtures("forgotten")
def test_games_at_fault_among_the_examples_are_left_out_with_a_warning(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    for name, (text, _) in FAULTS.items():
        (tmp_path / f"{name}.py").write_text(text)
    (tmp_path / "go_fish.py").write_bytes((EXAMPLES / "go_fish.py").read_bytes())
    monkeypatch.setattr(serve_command, "EXAMPLES", tmp_path)
    assert [kind.declaration.name for kind in serve_command._games_of(None, "maumau")] == ["go-fish"]
    assert "faceless" not in registry.names(), "the lobby offers all that are registered"
    lines = capsys.readouterr().err.splitlines()
    assert len(lines) == len(FAULTS)
    for line, name in zip(lines, sorted(FAULTS), strict=True):
        assert line.startswith(f"maumau: {tmp_path}/{name}.py:")
        assert FAULTS[name][1] in line
        assert line.endswith("; this game is left out")


def test_a_class_is_not_found_in_a_text(tmp_path: Path) -> None:
    (tmp_path / "some_rule.py").write_text(
        '"""A rule.\n\nSomeRule: of a game.\nclass SomeRule:\n"""\nraise ValueError\n'
    )
    assert games_of_folder(tmp_path) == []


@pytest.mark.usefixtures("forgotten")
def test_an_own_game_with_the_class_name_of_another_one_hides_no_game(tmp_path: Path) -> None:
    own = register(KuhnPoker).declaration.name
    text = FACELESS.replace("Faceless", "KuhnPoker").replace("faceless", "other-kuhn")
    (tmp_path / "kuhn_poker.py").write_text(text.replace(", look=replace(MAUMAU.look, face=face)", ""))
    games = serve_command._games_of(str(tmp_path), own)
    assert [kind.declaration.name for kind in games] == ["other-kuhn"]


@pytest.mark.parametrize(
    ("files", "why"),
    [
        (None, "no such file or directory; name a folder with files of games"),
        ({}, "no class is called as its file; use CrazyEights in crazy_eights.py"),
        (
            {"my_game.py": "MyGame = 7"},
            "7 is not a subclass of fsm.Game with a declaration; define a class of a game there",
        ),
        ({"my_game.py": "class MyGame:\n  ="}, "my_game.py:2: syntax error: invalid syntax"),
        ({"faceless.py": "FACELESS"}, "faceless.py:9: KeyError: 'no face'"),
    ],
)
def test_a_folder_without_games_is_refused(tmp_path: Path, files: dict[str, str] | None, why: str) -> None:
    folder = tmp_path / "games"
    if files is not None:
        folder.mkdir()
    for name, text in (files or {}).items():
        (folder / name).write_text(FACELESS if text == "FACELESS" else text)
    done = maumau("serve", "--port", 0, "--more-games", folder)
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr.startswith("--more-games: ")
    assert done.stderr.rstrip().endswith(why)


def test_an_own_game_stands_for_that_of_its_name_in_a_folder(tmp_path: Path) -> None:
    (tmp_path / "kuhn_poker.py").write_text(
        (EXAMPLES / "kuhn_poker.py").read_text().replace("bets a chip more", "bets")
    )
    (tmp_path / "go_fish.py").write_bytes((EXAMPLES / "go_fish.py").read_bytes())
    assert [kind.__name__ for kind in games_of_folder(tmp_path, "kuhn-poker")] == ["GoFish"]


def test_an_installed_package_offers_no_folder_beside_it(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr(serve_command, "SETUP", tmp_path / "setup.cfg")
    assert serve_command._games_of(None, "maumau") == ()
