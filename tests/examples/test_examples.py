"""The games of examples/: every command works on them, and stepped and compiled games are the same."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from outside import command

from fsm import Game, register, registry
from fsm.match.transcript import play_stepped
from fsm.outside import admit, read_source
from fsm.records import record_of
from maumau.kernels.bulk.transcripts import play_compiled
from rules.reading import Dealt

FOLDER = Path(__file__).parents[2] / "examples"
GAMES = {
    "crazy-eights": ("crazy_eights.py:CrazyEights", 3),
    "go-fish": ("go_fish.py:GoFish", 3),
    "hearts": ("hearts.py:Hearts", 4),
    "kuhn-poker": ("kuhn_poker.py:KuhnPoker", 2),
    "leduc-poker": ("leduc_poker.py:LeducPoker", 2),
    "spades": ("spades.py:Spades", 4),
    "gin-rummy": ("gin_rummy.py:GinRummy", 2),
    "briscola": ("briscola.py:Briscola", 4),
    "president": ("president.py:President", 4),
    "durak": ("durak.py:Durak", 2),
    "schnapsen": ("schnapsen.py:Schnapsen", 2),
    "scopa": ("scopa.py:Scopa", 3),
    "euchre": ("euchre.py:Euchre", 4),
    "beggar-my-neighbour": ("beggar_my_neighbour.py:BeggarMyNeighbour", 2),
}
"""The games by name: where they are, and how many play."""


one_is_quick = pytest.mark.parametrize(
    "name",
    ["go-fish", *(pytest.param(name, marks=pytest.mark.thorough) for name in GAMES if name != "go-fish")],
    indirect=True,
)
"""Runs one game, whose kernels compile soonest, in the quick tests."""


@pytest.fixture(params=GAMES)
def name(request: pytest.FixtureRequest) -> str:
    """The name of the game."""
    return str(request.param)


@pytest.fixture
def game(name: str) -> str:
    """The game as the command line names it."""
    return f"{FOLDER}/{GAMES[name][0]}"


@pytest.fixture
def games(name: str, game: str) -> str:
    """Four games of it, as `maumau deal` prints them."""
    done = command("deal", "--game", game, "--players", GAMES[name][1], "--seed", 7, "--games", 4)
    assert (done.status, done.err) == (0, "")
    return done.out


def test_simulate(game: str, games: str) -> None:
    done = command("simulate", "--game", game, "-", data=games)
    assert (done.err, done.out.count("core: ")) == ("", 4)
    response = command("simulate", "--game", game, "--trace", "-", data=games)
    assert response.status == done.status
    assert response.out.count("Game ") == 4
    records = command("simulate", "--game", game, "--json", "--policy", "random", "-", data=games).out
    again = command("simulate", "--game", game, "--from-json", "--json", "-", data=records)
    assert again.out == records


def test_simulate_compiled(game: str, games: str) -> None:
    stepped, compiled = (
        command("simulate", "--game", game, "--json", "--engine", engine, "-", data=games)
        for engine in ("machine", "compiled")
    )
    assert compiled.out == stepped.out


@pytest.mark.parametrize("wanted", ["dot", "mermaid", "scxml", "table", "phases", "events"])
def test_diagram(game: str, wanted: str) -> None:
    done = command("diagram", "--game", game, "--format", wanted)
    assert (done.status, done.err) == (0, "")
    assert any(event in done.out for event in ("take", "play", "call"))


def test_diagram_of_the_path_of_a_game(game: str, games: str) -> None:
    done = command("diagram", "--game", game, "--path", "-", "--until", 3, "--format", "table", data=games)
    assert (done.status, done.err) == (0, "")


@pytest.mark.slow
def test_check(game: str) -> None:
    done = command("check", "--game", game, "--games", 5)
    assert "FAILED" not in done.out
    assert done.status == 0


def test_compile(game: str) -> None:
    done = command("compile", "--game", game, "--show")
    assert (done.status, done.err) == (0, "")
    assert "def settle(" in done.out


@pytest.mark.slow
@one_is_quick
def test_compile_to_machine_code(game: str) -> None:
    assert "is ready in" in command("compile", "--game", game).out


@one_is_quick
def test_study(name: str, game: str, tmp_path: Path) -> None:
    arguments = ("study", "--game", game, "--players", GAMES[name][1], "--games", 2000, "--seed", 1, "--threads", 1)
    done = command(*arguments, "--out", tmp_path / "study", "--format", "json")
    assert done.status == 0
    assert json.loads(done.out)["question"]["game"] == name
    again = command("study", "--game", game, "--report", tmp_path / "study", "--format", "json")
    assert again.out == done.out
    registry._registered.pop(name)
    unknown = command("study", "--report", tmp_path / "study")
    assert unknown.status == 2
    assert "--game FILE.py:NAME" in unknown.err


@pytest.mark.usefixtures("pictures")
def test_replay(game: str, games: str, tmp_path: Path) -> None:
    page = tmp_path / "replay.html"
    assert command("replay", "--game", game, "-o", page, "-", data=games) == (0, "", f"maumau: wrote {page}\n")
    assert "<svg" in page.read_text()


@pytest.mark.usefixtures("pictures")
def test_serve(name: str, game: str) -> None:
    """The server's page offers the game first, and a request names it."""
    testclient = pytest.importorskip("starlette.testclient", reason="the server needs starlette")
    from maumau.play.server.app import application

    admit(read_source(game))
    client = testclient.TestClient(application(8000, first=name), base_url="http://127.0.0.1:8000")
    page = client.get("/step").text
    assert page.index(f'data-game="{name}"') < page.index('data-game="maumau"')
    begun = client.post("/games", json={"game": name, "players": GAMES[name][1], "seed": 7})
    assert begun.status_code == 201
    response = begun.json()
    while response["state"]["outcome"] is None:
        arguments = {"version": response["state"]["version"], "count": 100}
        response = client.post(f"/games/{begun.json()['id']}/steps", json=arguments).json()
    assert client.post("/games", json={"game": game}).status_code == 400


def kind_of(name: str) -> type[Game]:
    return register(admit(read_source(f"{FOLDER}/{GAMES[name][0]}")))


def compare(kind: type[Game], policies: tuple[str, ...], games: int, seed: int) -> None:
    """Play games stepped and compiled, of each number of players or with one of each policy: all records are equal."""
    for players in kind.declaration.codec.players if len(policies) == 1 else (len(policies),):
        dealt = [Dealt(players, bytes(kind.deck_of(players, seed, number))) for number in range(games)]
        both = zip(play_stepped(kind, dealt, policies, seed), play_compiled(kind, dealt, policies, seed), strict=True)
        for stepped, compiled in both:
            assert record_of(compiled) == record_of(stepped)


@pytest.mark.slow
def test_stepped_and_compiled_games_are_the_same(name: str) -> None:
    kind = kind_of(name)
    compare(kind, ("house",), 200 // (kind.declaration.codec.most - kind.declaration.codec.fewest + 1) + 1, 3)


@pytest.mark.slow
@pytest.mark.parametrize("name", ["go-fish"])
def test_a_player_of_each_policy_is_the_same(name: str) -> None:
    compare(kind_of(name), ("house", "random", "first-legal"), 70, 5)


@pytest.mark.thorough
@pytest.mark.parametrize("policy", ["house", "random", "first-legal"])
def test_stepped_and_compiled_games_are_the_same_over_20_000_decks(name: str, policy: str) -> None:
    kind = kind_of(name)
    words = kind.declaration.codec
    compare(kind, (policy,), 20_000 // (3 * (words.most - words.fewest + 1)) + 1, 4)
