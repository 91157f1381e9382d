"""A study of a game from outside: workers of a cluster receive its file and its hash, and refuse another one."""

from __future__ import annotations

import pickle
from hashlib import sha256
from pathlib import Path

import pytest
from outside import command, game_file

from fsm import Match, MauMau, outside, registry
from fsm.declaration import policy
from fsm.games.maumau.house import RULEBOOK
from fsm.outside import OutsideError, admit, admit_player, admit_rule, origins_of, read_source
from maumau.study.cluster import identity_of
from maumau.study.folder import Folder
from maumau.study.identity import differences, identity
from maumau.study.playing import Threads
from maumau.study.run import run
from maumau.study.spec import StudySpec
from maumau.study.summary import summary

EXAMPLES = Path(__file__).parents[2] / "examples"


@pytest.fixture(autouse=True)
def unknown(monkeypatch: pytest.MonkeyPatch) -> None:
    """What is computed of a file is computed again in each test."""
    monkeypatch.setattr(outside, "_admitted", {})
    identity.cache_clear()


def test_a_worker_knows_the_game_by_its_file_alone(tmp_path: Path) -> None:
    path = game_file(tmp_path)
    admit(read_source(f"{path}:Other"))
    here, sent = identity("other"), pickle.loads(pickle.dumps(origins_of("other")))
    path.unlink()
    registry._registered.pop("other")
    assert differences(here, identity_of(("other",), sent)) == []
    assert origins_of("maumau") == ()


CHANGED = """
from dataclasses import replace
from hashlib import sha256

NINES = replace(NINES, description="Another rule of the name.")
"""


def house_rule(folder: Path, more: str = "") -> Path:
    """A file in `folder` with the house rule NINES, called nines-turn."""
    path = folder / "nines.py"
    path.write_text((Path(__file__).parents[2] / "examples" / "nine_reverses.py").read_text() + more)
    return path


def test_a_worker_knows_a_house_rule_by_its_file_alone(tmp_path: Path) -> None:
    path = house_rule(tmp_path)
    admit_rule(read_source(f"{path}:NINES"), MauMau)
    games = "maumau+five-each+nines-turn", "maumau"
    here, sent = identity(*games), pickle.loads(pickle.dumps(origins_of(*games)))
    path.unlink()
    RULEBOOK._own.clear()
    identity.cache_clear()
    assert "unknown rule 'nines-turn'" in identity_of(games, ())["game"]
    assert differences(here, identity_of(games, sent)) == []


def test_a_house_rule_of_a_game_from_outside_is_sent_after_the_game(tmp_path: Path) -> None:
    kind = admit(read_source(f"{game_file(tmp_path)}:Other"))
    admit_rule(read_source(f"{house_rule(tmp_path)}:NINES"), kind)
    sent = origins_of("other+nines-turn")
    here = identity("other+nines-turn")
    registry._registered.pop("other")
    identity.cache_clear()
    assert differences(here, identity_of(("other+nines-turn",), sent)) == []


def test_a_worker_refuses_another_house_rule_of_the_name(tmp_path: Path) -> None:
    admit_rule(read_source(f"{house_rule(tmp_path)}:NINES"), MauMau)
    (sent,) = origins_of("maumau+nines-turn")
    RULEBOOK._own.clear()
    admit_rule(read_source(f"{house_rule(tmp_path, CHANGED)}:NINES"), MauMau)
    with pytest.raises(OutsideError, match="the name 'nines-turn' is taken"):
        sent.admit()


def test_a_worker_that_has_another_game_of_the_name_refuses(tmp_path: Path) -> None:
    admit(read_source(f"{game_file(tmp_path)}:Other"))
    sent = origins_of("other")
    registry._registered.pop("other")
    admit(read_source(f"{game_file(tmp_path, more='# changed')}:Other"))
    assert "the name 'other' is taken" in identity_of(("other",), sent)["game"]


def test_the_identity_is_that_of_the_content(tmp_path: Path) -> None:
    """Neither the place of the file nor a comment in it changes how the game is played."""
    found = []
    for folder, more in (("a", ""), ("b", ""), ("c", "# a comment")):
        (tmp_path / folder).mkdir()
        admit(read_source(f"{game_file(tmp_path / folder, more=more)}:Other"))
        found.append(identity("other")["declaration"])
        identity.cache_clear()
        registry._registered.pop("other")
    assert found == [found[0]] * 3


PLAYERS = "def last(view):\n    return view.moves[-1]\n"


@pytest.fixture
def last(tmp_path: Path) -> str:
    """The player that makes the last legal move, by a function of a file."""
    (tmp_path / "players.py").write_text(PLAYERS)
    return admit_player(read_source(f"{tmp_path / 'players.py'}:last"))


@pytest.mark.slow
def test_a_study_with_a_function_counts_the_stepped_games(last: str) -> None:
    spec = StudySpec.of("maumau", players=2, games=30, seed=7, policies=(last, "house"))
    found = summary(run(spec, Threads(2)))
    wins = [[0, 0], [0, 0]]
    for place, seating in enumerate(((last, "house"), ("house", last))):
        for number in range(30):
            winner = MauMau.deal(2, 7, number, seating).run().winner
            if winner:
                wins[place][winner - 1] += 1
    assert [[seat.wins.count for seat in seating.seats] for seating in found.seatings] == wins


def test_the_identity_of_a_study_has_the_content_of_its_players(last: str) -> None:
    before = identity("maumau", policies=(last, "house"))
    assert before[f"policy {last}"] == sha256(PLAYERS.encode()).hexdigest()[:16]
    assert "policy house" not in before
    sent = pickle.loads(pickle.dumps(origins_of("maumau", players=(last, "house"))))
    assert differences(before, identity_of(("maumau",), sent, (last, "house"))) == []


def test_a_study_of_matches_with_a_function_counts_the_stepped_matches(last: str) -> None:
    spec = StudySpec.of("maumau", players=2, games=6, seed=7, policies=(last, "house"), target=50, chunk=4)
    found = summary(run(spec, Threads(2)))
    for place, seating in enumerate(((last, "house"), ("house", last))):
        outcomes = [Match(MauMau, 2, 7, number, seating, target=50).run() for number in range(6)]
        for seat in found.seatings[place].seats:
            assert seat.wins.count == sum(outcome.winner == seat.seat for outcome in outcomes)
            assert seat.points.mean == sum(outcome.totals[seat.seat - 1] for outcome in outcomes) / 6
        rounds = found.seatings[place].histograms[0]
        assert [rounds.histogram.count(0), rounds.most] == [
            rounds.most + 1 - len({outcome.rounds for outcome in outcomes}),
            max(outcome.rounds for outcome in outcomes),
        ]


@pytest.mark.parametrize("player", ["players.py:last", "net", "search:2"])
def test_the_command_studies_matches_of_computed_players(tmp_path: Path, player: str) -> None:
    (tmp_path / "players.py").write_text(PLAYERS)
    player = player.replace("players.py", str(tmp_path / "players.py"))
    asked = ("study", "--match", "--players", 2, "--games", 2, "--seed", 7, "--target", 20, "--format", "csv")
    done = command(*asked, "--policy", f"{player},house", "--out", tmp_path / "out")
    assert done.status == 0, done.err
    again = ("study", "--report", tmp_path / "out", "--policy", f"{player},house", "--format", "csv")
    assert command(*again) == (0, done.out, "")


CENTS = """
from fsm.variants.edits import Constant, Means, Variant
from rules.maumau.game import score
from rules.rule import query

BONUS = 10


@query
def more(table, seat):
    return score(table, seat) + BONUS


@query
def millions(table, seat):
    return 1_000_000 * more(table, seat)


MORE = Variant("ten-more", "Ten points more.", (Means(score, more),))
MILLIONS = Variant("millions", "Ten points more, which count a million each.", (Means(score, millions),))
"""


def test_a_comparison_with_a_rule_of_a_file_says_by_which_option_it_is_named(tmp_path: Path) -> None:
    rules, out = tmp_path / "cents.py", tmp_path / "out"
    rules.write_text(CENTS)
    named = ("--compare-rules", f"{rules}:MORE", "--format", "csv")
    report = command("study", "--players", 2, "--games", 20, *named, "--out", out).out
    RULEBOOK._own.clear()
    unknown = command("study", "--verify", out)
    assert unknown.status == 2
    assert "--compare-rules FILE.py:NAME names a rule of your own" in unknown.err
    assert command("study", "--report", out, *named) == (0, report, "")


def test_a_folder_names_the_file_that_may_have_been_changed(tmp_path: Path) -> None:
    rules, out = tmp_path / "cents.py", tmp_path / "out"
    rules.write_text(CENTS)
    named = ("--compare-rules", f"{rules}:MORE")
    command("study", "--players", 2, "--games", 20, *named, "--out", out)
    rules.write_text(CENTS.replace("+ BONUS", "+ 2 * BONUS"))
    RULEBOOK._own.clear()
    identity.cache_clear()
    for way in (("--report", out), ("--resume", "--out", out)):
        other = command("study", *way, *named)
        assert other.status == 2
        assert f"; {rules} or maumau has been changed since; " in other.err


def test_a_study_that_cannot_be_counted_leaves_no_study_behind(tmp_path: Path) -> None:
    """It may be begun there again by another rule, and does not say to resume it."""
    rules, out = tmp_path / "cents.py", tmp_path / "out"
    rules.write_text(CENTS)
    asked = ("study", "--players", 2, "--games", 20, "--out", out, "--format", "csv")
    refused = command(*asked, "--with", f"{rules}:MILLIONS")
    assert refused.status == 2
    assert refused.err.endswith("; count in larger units\n")
    assert command(*asked, "--with", f"{rules}:MORE").status == 0
    assert Folder.verify(out).chunks == 1


def test_a_study_of_a_player_of_a_file_is_reported_verified_and_resumed(tmp_path: Path) -> None:
    """The folder may name no file, so the command line does: in a new process the player is not known."""
    (tmp_path / "mine.py").write_text("def choose(view):\n    return view.moves[0]\n")
    out, player = tmp_path / "out", f"{tmp_path / 'mine.py'}:choose"
    run = ("study", "--players", 2, "--games", 20, "--policy", f"house,{player}")
    report = command(*run, "--out", out).out
    policy._admitted.clear()
    unknown = command("study", "--report", out)
    assert unknown.status == 2
    assert "unknown policy" in unknown.err
    assert unknown.err.endswith("; also name players of files with --policy\n")
    named = ("--policy", f"house,{player}")
    assert command("study", "--report", out, *named) == (0, report, "")
    policy._admitted.clear()
    assert "no faults" in command("study", "--verify", out, *named).out
    policy._admitted.clear()
    assert command("study", "--resume", "--out", out, *named) == (0, report, f"maumau: wrote {out}\n")
    other = command("study", "--report", out, "--policy", f"random,{player}")
    assert other.status == 2
    assert "contains another study: policies house," in other.err


@pytest.mark.slow
def test_a_study_of_an_own_game_speaks_its_words(tmp_path: Path) -> None:
    """`Look` calls scores and endings by name; a game that never turns its pile has no figures of reshuffles."""
    game, folder = f"{EXAMPLES}/briscola.py:Briscola", tmp_path / "study"
    question = ("--game", game, "--players", 4, "--games", 300, "--seed", 1, "--threads", 1, "--format", "markdown")
    done = command("study", *question, "--out", folder)
    again = command("study", "--game", game, "--report", folder, "--format", "markdown")
    assert again.out == done.out
    assert "## Points\n" in done.out
    assert "| both sides have as many points | " in done.out
    assert "reshuffle" not in done.out
