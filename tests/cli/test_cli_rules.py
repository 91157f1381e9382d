"""`--with` and `maumau rules`: house rules in the commands."""

from __future__ import annotations

import json
from pathlib import Path

import click
import pytest
from click.testing import CliRunner
from command import MAUMAU, maumau

from fsm import MauMau
from fsm.games.maumau.house import RULEBOOK
from fsm.hashes import rules_hash
from maumau.cli.interrupt import BadInput
from maumau.cli.main import app

CORPUS = Path(__file__).parents[1] / "corpus" / "houserules"
OWN = str(Path(__file__).parents[2] / "examples" / "nine_reverses.py")
DECKS = str(CORPUS / "five-each.in")


def named(command: click.Command) -> set[str]:
    """The names of the options of a command."""
    return {name.lstrip("-") for each in command.params for name in each.opts}


def printed(*words: str) -> str:
    return CliRunner().invoke(app, words, catch_exceptions=False).stdout


def refusal(*words: str) -> str:
    with pytest.raises(BadInput) as refused:
        app(words, standalone_mode=False)
    return str(refused.value)


@pytest.mark.parametrize("option", ["--with", "--rules"])
def test_simulate_with_a_rule(option: str) -> None:
    assert printed("simulate", option, "five-each", DECKS) == (CORPUS / "five-each.out").read_text()


def test_the_order_of_names_does_not_matter_and_a_profile_means_its_rules() -> None:
    one = printed("simulate", "--with", "wikipedia-like, ten-is-wild", DECKS)
    assert one == printed("simulate", "--with", "ten-is-wild,eights-answered,five-each,ten-is-wild", DECKS)


def test_a_rule_of_a_file() -> None:
    own = printed("simulate", "--with", f"{OWN}:NINES,opening-without-effect", DECKS)
    assert own == printed("simulate", "--with", "nine-reverses,opening-without-effect", DECKS)


def test_rules_that_contradict_each_other_are_refused() -> None:
    assert refusal("simulate", "--with", "cover-eight,prsi-like", DECKS) == (
        "--with: rules cover-eight and eights-answered cannot be combined: "
        "a covered eight skips nobody, so there is nothing to answer"
    )


def test_an_unknown_rule_is_refused() -> None:
    assert refusal("deal", "--players", "2", "--with", "nine").startswith(
        "--with: unknown rule 'nine'; did you mean nine-reverses? Use one of nine-reverses, "
    )
    assert refusal("deal", "--players", "2", "--game", "uno", "--with", "nine") == (
        "--with: unknown rule 'nine'; the game has no house rules"
    )
    assert refusal("deal", "--players", "2", "--with", f"{OWN}:TENS") == (
        f"--with: {OWN}: it does not define 'TENS'; use one of NINES"
    )


@pytest.mark.slow
def test_a_record_names_its_rules_and_is_played_back_with_them(tmp_path: Path) -> None:
    records = printed("simulate", "--with", "lively", "--json", DECKS)
    first = json.loads(records.splitlines()[0])
    assert first["game"] == "maumau"
    assert list(first["rules"]) == sorted(RULEBOOK.profiles[2].rules)
    file = tmp_path / "games.json"
    file.write_text(records)
    assert printed("simulate", "--from-json", str(file)) == printed("simulate", "--with", "lively", DECKS)
    assert printed("simulate", "--from-json", "--with", "lively", str(file))


def test_a_record_is_refused_with_other_rules(tmp_path: Path) -> None:
    file = tmp_path / "game.json"
    record = printed("simulate", "--with", "five-each", "--json", DECKS).splitlines()[0]
    file.write_text(record)
    assert refusal("simulate", "--from-json", "--with", "lively", str(file)).startswith(
        f"{file}:1: rules: played with five-each; use heart-king-draws-five, king-again, "
    )
    played = json.loads(record)["hash"]
    assert played == rules_hash(MauMau.with_rules("five-each").declaration)
    file.write_text(record.replace(played, "0" * 16))
    assert refusal("simulate", "--from-json", str(file)) == (
        f"{file}:1: hash: maumau+five-each was played with different rules (hash '{'0' * 16}'; here {played}); use the version that wrote it"
    )


def test_a_rule_of_a_file_is_known_only_where_the_command_names_it(tmp_path: Path) -> None:
    file = tmp_path / "game.json"
    file.write_text(printed("simulate", "--with", f"{OWN}:NINES", "--json", DECKS).splitlines()[0])
    RULEBOOK._own.clear()
    assert "unknown rule 'nines-turn'" in refusal("simulate", "--from-json", str(file))
    assert printed("simulate", "--from-json", "--with", f"{OWN}:NINES", str(file))


FAULTY = """
from fsm.games.maumau.arcs import AWAIT_PLAY
from fsm.variants import Arcs, ChangeArcs, DropArcs, Means, Variant
from rules.maumau.game import fitting
from rules.rule import guard, query

@guard("never")
def divides(table):
    return table.card // 0 == 1

@query
def length_of_number(table):
    return len(table.card)

HOLE = Variant("hole", "No eight is laid.", (DropArcs(Arcs("play", AWAIT_PLAY, "skip-pending")),))
DIVIDES = Variant("divides", "A fault.", (ChangeArcs(Arcs("play", AWAIT_PLAY, AWAIT_PLAY), conditions=(divides,)),))
MEANS = Variant("means", "A fault.", (Means(fitting, length_of_number),))
"""


@pytest.mark.parametrize(
    ("name", "message"),
    [
        ("HOLE", "faulty.py: maumau+hole: no transition is enabled at await-play player=1 "),
        ("DIVIDES", "faulty.py:9: ZeroDivisionError: "),
        ("MEANS", "faulty.py:13: TypeError: "),
    ],
)
def test_a_rule_of_a_file_that_fails_in_a_game_is_reported_in_a_line(tmp_path: Path, name: str, message: str) -> None:
    file = tmp_path / "faulty.py"
    file.write_text(f"{FAULTY}# {name}\n")
    done = maumau("simulate", "--with", f"{file}:{name}", MAUMAU / "statement.in")
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr.startswith(str(tmp_path / message))
    assert done.stderr.endswith("; maumau check tries every event of small decks\n")
    assert done.stderr.count("\n") == 1


def test_every_rule_is_listed_with_its_sentence() -> None:
    listed = printed("rules")
    for rule in RULEBOOK.listed():
        assert f"{rule.name} " in listed
        assert rule.description in listed
    assert "sevens-draw-N (N from 1 to 4)" in listed
    assert "wikipedia-like: five-each, eights-answered" in listed


def test_a_rule_is_shown_with_its_arcs_and_what_it_excludes() -> None:
    output = printed("rules", "cover-eight")
    assert "  added   cover-pending --play [fits, eight, not last card]" in output
    assert "  removed initial --open [eight]--> skip-pending" in output
    assert "  excludes eights-answered: a covered eight skips nobody, so there is nothing to answer" in output
    assert "excludes cover-eight" in printed("rules", "eights-answered")


def test_a_rule_of_a_file_is_described() -> None:
    description = printed("rules", f"{OWN}:NINES")
    assert description.startswith("nines-turn: ")
    assert "  added   await-play --play [fits, nine, not last card]" in description
    assert refusal("rules", "") == "maumau rules: '' is not the name of a rule; `maumau rules` lists them"
    assert refusal("rules", f"{OWN}:TENS") == f"maumau rules: {OWN}: it does not define 'TENS'; use one of NINES"


@pytest.mark.parametrize("name", [name for name, command in app.commands.items() if "rules" in named(command)])
def test_every_command_of_a_game_refuses_an_unknown_rule_and_a_contradiction(name: str) -> None:
    needed = {
        "deal": ["--players", "2"],
        "train": ["--output", "unwritten.net"],
        "dataset": ["-o", "x.npz"],
        "odds": ["nowhere"],
    }.get(name, [])
    assert refusal(name, *needed, "--with", "nine").startswith("--with: unknown rule 'nine'; did you mean nine-")
    assert "sevens-draw-1 and sevens-draw-3 cannot be combined: two numbers for one penalty" in refusal(
        name, *needed, "--rules", "sevens-draw-3,sevens-draw-1"
    )


def test_every_command_with_a_game_takes_rules() -> None:
    commands = {name: named(command) for name, command in app.commands.items()}
    assert [name for name, names in commands.items() if "game" in names and "rules" not in names] == ["rules", "stubs"]


def test_rules_of_a_game_without_any() -> None:
    assert printed("rules", "--game", "uno") == (
        "UNO has no house rules of its own; --with FILE.py:NAME uses a rule of your own.\n"
    )


@pytest.mark.slow
def test_check_takes_rules() -> None:
    checked = printed("check", "--with", "king-again,five-each", "--games", "1")
    assert checked.startswith("Mau-Mau with five-each, king-again: 8 phases, 36 transitions")
    assert "FAILED" not in checked


IDLE = """
from fsm.variants import Arcs, SplitArcs, Variant
from rules.rule import guard

@guard("the table is not empty")
def nobody_plays(table):
    return table.players == 0

ARCS = Arcs("play", dest="await-play")
IDLE = Variant("idle", "Nothing.", (SplitArcs(ARCS, nobody_plays, "Never.", dest="skip-pending"),))
"""


@pytest.mark.slow
def test_check_names_the_arcs_that_are_never_fired(tmp_path: Path) -> None:
    file = tmp_path / "idle.py"
    file.write_text(IDLE)
    _, summary = printed("check", "--with", f"{file}:IDLE", "--games", "30").split("all of these together\n")
    assert summary.startswith(
        "  so far  33 of 36 transitions covered, 3 of them by the small deck alone\n"
        "          was never fired: await-play --play [fits, nobody "
    )
    assert summary.count("never fired: ") == 3
