"""The command, as a user calls it: one test in a process of its own, the others in this one."""

import json
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest
from command import CORPUS, DECK, MAUMAU, STATEMENT, UNO, maumau, maumau_process

from maumau.cli.main import app


class TestSimulate:
    @pytest.mark.parametrize("engine", ["machine", "compiled"])
    @pytest.mark.parametrize(("game", "status"), [("maumau", 1), ("uno", 1)])
    def test_the_corpus_is_reproduced_exactly(self, engine: str, game: str, status: int) -> None:
        done = maumau("simulate", "--game", game, "--engine", engine, CORPUS / game / "cases.in")
        assert done.stdout == (CORPUS / game / "cases.out").read_text()
        assert done.returncode == status

    @pytest.mark.slow
    def test_standard_input_and_status_0(self) -> None:
        for arguments in (["simulate"], ["simulate", "-"]):
            for call in (maumau, maumau_process):
                done = call(*arguments, data=STATEMENT)
                assert (done.returncode, done.stderr) == (0, "")
                assert done.stdout == (MAUMAU / "statement.out").read_text()

    def test_a_policy_for_each_seat(self) -> None:
        games = maumau("deal", "--players", "3", "--seed", "1", "--games", "20").stdout
        one, other = (
            maumau("simulate", "--policy", names, "--json", data=games).stdout
            for names in ("house,random,first-legal", "house")
        )
        assert one != other
        rules = {
            event["rule"] for line in one.splitlines() for event in json.loads(line)["events"] if event["player"] == 2
        }
        assert "random" in rules
        assert "rule 2" not in rules

    @pytest.mark.parametrize("end", ["\r", "\r\n", "\n"])
    def test_lines_end_in_every_way(self, end: str) -> None:
        done = maumau("simulate", "-", data=STATEMENT.replace("\n", end))
        assert (done.returncode, done.stdout) == (0, (MAUMAU / "statement.out").read_text())

    def test_a_byte_order_mark_windows_line_ends_and_blank_lines(self) -> None:
        data = b"\xef\xbb\xbf" + STATEMENT.replace("\n", "\r\n\r\n").encode()
        assert maumau("simulate", data=data).stdout == (MAUMAU / "statement.out").read_text()

    def test_more_than_49_games(self) -> None:
        games = maumau("deal", "--players", "2", "--seed", "1", "--games", "120").stdout
        assert len(maumau("simulate", data=games).stdout.splitlines()) == 240


class TestBadInput:
    @pytest.mark.parametrize(
        ("data", "message"),
        [
            ("", "<stdin>:1: the input is empty; it must begin with the number of games"),
            (f"2 {DECK}\n", "<stdin>:1: "),
            ("x\n", "<stdin>:1: 'x' is not a number; use the number of games"),
            (f"3\n2 {DECK}\n", "<stdin>:1: the first line announces 3 games, but 1 follows"),
            (f"1\n5 {DECK}\n", "<stdin>:2: 5 players cannot play; use a number of players from 2 to 4"),
            (f"1\n2 {DECK[:-3]}\n", "<stdin>:2: 31 cards instead of 32; missing: SK"),
            (f"1\n2 {DECK} SK\n", "<stdin>:2: card 33: SK appears twice; each card may appear only once"),
            (f"1\n2 {DECK.replace('SK', 'XK')}\n", "<stdin>:2: card 32: unknown card 'XK'; use one letter of"),
            (f"1\n2 {DECK.lower()}\n", "<stdin>:2: card 1: unknown card 'ss'; use upper case: SS"),
            (b"\x80\x81\n\xff", "<stdin>:1: the line is not UTF-8 text; use letters, digits and spaces"),
            (b"1\n2 SS\0HA", "<stdin>:2: the line has a zero byte; use letters, digits and spaces"),
            (
                "1\n" + "2 " * 5_000_000,
                "<stdin>:2: more than 40 words; write a number of players from 2 to 4 and 32 cards",
            ),
        ],
    )
    @pytest.mark.parametrize("engine", ["machine", "compiled"])
    def test_it_is_reported_with_its_line(self, engine: str, data: str | bytes, message: str) -> None:
        done = maumau("simulate", "--engine", engine, data=data)
        assert (done.returncode, done.stdout) == (2, "")
        assert done.stderr.startswith(message)
        assert len(done.stderr) < 1000  # ten faults of a deck, at most

    def test_all_bad_lines_are_reported_at_once_and_no_game_is_played(self, tmp_path: Path) -> None:
        file = tmp_path / "games"
        file.write_text(f"4\n2 {DECK}\n9 {DECK}\n\n2 SS\nx {DECK}\n")
        done = maumau("simulate", file)
        assert done.stdout == ""
        assert [line.split(": ")[0] for line in done.stderr.splitlines()] == [f"{file}:{line}" for line in (3, 5, 6)]

    def test_a_missing_file_and_a_directory(self, tmp_path: Path) -> None:
        missing = maumau("simulate", tmp_path / "no")
        assert (missing.returncode, missing.stdout) == (2, "")
        assert (
            missing.stderr
            == f"{tmp_path}/no: no such file or directory; name a file to read, or - for standard input\n"
        )
        assert "is a directory; name a file" in maumau("simulate", tmp_path).stderr

    @pytest.mark.parametrize(
        ("arguments", "message"),
        [
            (
                ["simulate", "--policy", "hose"],
                "--policy: unknown policy 'hose'; did you mean house? Use one of house, random, first-legal",
            ),
            (
                ["simulate", "--policy", "house,random,house"],
                "--policy: 3 policies for 2 players; use one or one for each",
            ),
            (["simulate", "--trace", "--json"], "--trace and --json cannot be used together"),
            (["simulate", "--events", "--json"], "--events and --json cannot be used together"),
            (["simulate", "--engine", "x"], "Invalid value for '--engine'"),
            (["deal", "--players", "5", "--seed", "1"], "--players: 5 players cannot play; use 2 to 4"),
            (["deal", "--players", "2", "--seed", "-1"], "--seed: -1 is out of range; use 0 or more"),
            (["diagram", "--format", "gif"], "--format: unknown format 'gif'; use one of dot"),
            (["dael"], "unknown command 'dael'; did you mean deal? Use one of deal"),
            (
                ["play", "--game", "harts"],
                "--game: unknown game 'harts'; use one of maumau, uno, mahjong, uno-official",
            ),
            (["benchmark", "x"], "TASK: unknown task 'x'; use one of maumau-2-v1"),
        ],
    )
    def test_wrong_options(self, arguments: list[str], message: str) -> None:
        done = maumau(*arguments, data=f"1\n2 {DECK}\n")
        assert (done.returncode, done.stdout) == (2, "")
        assert message in done.stderr


class TestTrace:
    def test_the_trace_of_the_first_example_is_that_of_the_statement(self) -> None:
        output = maumau("simulate", "--trace", data=STATEMENT).stdout.split("Game 1")[0].strip().split("\n\n")
        assert output[2].splitlines() == [
            "Player 1 plays SS (rule 1: a seven answers the seven). "
            "A seven: the next player answers with a seven or draws two cards for each seven in a row.",
            "player 1: SN CE CA CK DJ HN         player 2: HA HQ SQ DT CQ CN DN",
            "discard pile: CS SS",
            "draw pile:    SA CJ DA HJ HS DE HT SE DK HK ST SJ HE DS CT DQ SK",
        ]
        assert "player 1: SN CE CA CK DJ HN         player 2: HA HQ SQ DT CQ CN DN SA CJ DA HJ" in output[3]
        assert "Player 1 plays DJ and names hearts (rule 3" in "".join(output)
        assert output[-2].splitlines()[1:] == [
            "player 1:                           player 2: SQ DT CQ DN HJ",
            "discard pile: CS SS SN SA CA HA HN CN CE CK CJ DA DJ HQ HS",
            "draw pile:    DE HT SE DK HK ST SJ HE DS CT DQ SK",
        ]
        assert output[-1].strip() == "Player 1 wins. Points left: player 1 0, player 2 45."

    def test_uno_calls_are_in_the_trace(self) -> None:
        sample = "\n".join(["1", *(UNO / "cases.in").read_text().splitlines()[1:9]])
        output = maumau("simulate", "--game", "uno", "--trace", data=sample).stdout
        assert 'Player 2 drops B1 and calls "Uno"' in output
        assert "Player 1 must draw (no card fits). Player 1 takes GD. Player 1 passes." in output

    @pytest.mark.parametrize("engine", ["machine", pytest.param("compiled", marks=pytest.mark.thorough)])
    def test_events_are_printed_on_a_line_for_each_game(self, engine: str) -> None:
        games = CORPUS / "mahjongtable" / "cases"
        done = maumau("simulate", "--game", "mahjong", "--engine", engine, "--events", f"{games}.in")
        assert (done.stdout, done.returncode) == (Path(f"{games}.events").read_text(), 1)

    def test_events_of_any_game_name_cards_and_suits(self) -> None:
        line = maumau("simulate", "--events", data=STATEMENT).stdout.splitlines()[0]
        assert line.startswith(
            "1 open, 1 play SS, 2 draw, 2 take SA, 2 take CJ, 2 take DA, 2 take HJ, 2 pass_turn, 1 play SN"
        )


class TestRecords:
    @pytest.mark.slow
    @pytest.mark.parametrize("game", ["maumau", "uno"])
    def test_records_replay_to_the_same_output(self, game: str) -> None:
        records = maumau("simulate", "--game", game, "--json", CORPUS / game / "cases.in").stdout
        done = maumau("simulate", "--from-json", "-", data=records)
        assert done.stdout == (CORPUS / game / "cases.out").read_text()
        assert maumau("simulate", "--from-json", "--json", data=records).stdout == records

    def test_a_record_names_its_format(self) -> None:
        record = json.loads(maumau("simulate", "--json", data=STATEMENT).stdout.splitlines()[0])
        assert (record["format"], record["version"], record["game"], record["players"]) == (
            "maumau-game",
            1,
            "maumau",
            2,
        )
        assert " ".join(record["deck"]) == DECK
        assert (record["outcome"], record["winner"], record["scores"]) == ("won", 1, [0, 45])
        assert record["events"][1] == {
            "event": "play", "source": "penalty-pending", "dest": "penalty-pending", "player": 1,
            "card": "SS", "suit": None, "rule": "rule 1",
        }  # fmt: skip

    @pytest.mark.parametrize(
        ("change", "message"),
        [
            (lambda record: record["events"][1].update(card="SN"), "event 2: card is 'SN', by the rules it is 'SS'; use the record as it was written"),
            (lambda record: record["events"][1].update(suit="C"), "event 2: suit is 'C', by the rules it is missing; use the record as it was written"),
            (lambda record: record["events"][1].update(rule=None, card="HA"), "event 2: player 1 cannot play HA on CS: player 1 does not hold it; may play SS or draw"),
            (lambda record: record["events"][0].update(dest="await-play"), "event 1: dest is 'await-play', by the rules it is 'penalty-pending'"),
            (lambda record: record["events"].pop(), "the game goes on: player 1 in turn"),
            (lambda record: record["events"].append(record["events"][1]), "the game is over"),
            (lambda record: record.update(scores=[0, 44]), "scores is [0, 44], by the rules it is [0, 45]"),
            (lambda record: record.update(version=2), "version 2 cannot be read; use 1"),
            (lambda record: record.pop("version"), "missing field 'version'"),
            (lambda record: record["deck"].pop(), "31 cards instead of 32"),
            (lambda record: record.pop("events"), "missing field 'events'"),
            (lambda record: record.update(game="skat"), "unknown game 'skat'"),
            (lambda record: record.update(players=7), "7 players cannot play; use 2 to 4"),
            (lambda record: record.update(deck=[["SS"]] * 32), "card 1: ['SS'] is not the name of a card"),
            (lambda record: record.update(events=[3]), "event 1: 3 is not an object"),
            (lambda record: record.update(policies=[1, 2]), "policy 1: 1 is not the name of a policy; policy 2: 2 is not"),
        ],
    )  # fmt: skip
    def test_a_contradiction_is_reported(self, change: Callable[[dict[str, object]], object], message: str) -> None:
        record = json.loads(maumau("simulate", "--json", data=STATEMENT).stdout.splitlines()[0])
        change(record)
        done = maumau("simulate", "--from-json", data=f"\n{json.dumps(record)}\n")
        assert (done.returncode, done.stdout) == (2, "")
        assert done.stderr.startswith("<stdin>:2: ")
        assert message in done.stderr

    @pytest.mark.parametrize("data", ["{", "[]", "3", "null", '"x"', "[" * 100_000, "1" * 5000])
    def test_what_is_no_record(self, data: str) -> None:
        done = maumau("simulate", "--from-json", data=data)
        assert (done.returncode, done.stdout) == (2, "")
        assert done.stderr.startswith("<stdin>:1: ")


class TestOtherCommands:
    def test_dealt_lines_are_input_and_found_by_number(self) -> None:
        row = maumau("deal", "--players", "4", "--seed", "7", "--games", "5").stdout.splitlines()
        assert row[0] == "5"
        third = maumau("deal", "--players", "4", "--seed", "7", "--number", "3").stdout.splitlines()
        assert third == ["1", row[4]]

    def test_version_and_help(self) -> None:
        assert maumau("--version").stdout.startswith("maumau 0.")
        assert "\x1b" not in maumau("simulate", "--help").stdout

    def test_check_prints_a_summary(self) -> None:
        done = maumau("check", "--games", "1")
        assert done.returncode == 0
        assert "the declaration\n  ok      all " in done.stdout
        assert done.stdout.count("properties hold\n") == 3
        assert "every position can be read back" not in done.stdout

    @pytest.mark.slow
    def test_check_verbose_lists_the_properties_and_the_machine_with_its_traffic(self) -> None:
        done = maumau("check", "--games", "20", "--verbose")
        assert done.returncode == 0
        assert "Mau-Mau: 8 phases, 33 transitions\n" in done.stdout
        assert (
            "  ok      every position can be read back: all cards of the deck are there, and every fact is in its range\n"
            in done.stdout
        )
        assert "reshuffle        forced: turn_pile" in done.stdout
        assert "initial --open [seven] / add two--> penalty-pending" in done.stdout
        assert "60 games with the whole deck, 20 for each number of players" in done.stdout
        assert "all positions of 5 cards, 2 players with 1 each: DQ DS HS DE DJ" in done.stdout
        assert "33 of 33 transitions covered" in done.stdout
        assert "FAILED" not in done.stdout

    def test_check_explores_a_deck_that_is_given(self) -> None:
        done = maumau("check", "--games", "0", "--deck", "DS HS DQ", "--positions", "100")
        assert done.returncode == 0, done.stderr
        assert "all positions of 3 cards, 2 players with 1 each: DS HS DQ\n  27 positions" in done.stdout
        assert "cannot be fired with this deck: initial --open [jack]" in done.stdout

    def test_check_reports_where_it_stopped(self) -> None:
        done = maumau("check", "--games", "0", "--positions", "50")
        assert done.returncode == 1
        assert "FAILED  all positions are visited: the limit of --positions was reached first" in done.stdout

    @pytest.mark.parametrize(
        ("options", "fault"),
        [
            (("--deck", "DS HS XX"), "--deck: unknown card 'XX'; use one letter of"),
            (("--deck", "DS HS DS"), "--deck: DS appears too often"),
            (
                ("--deck", "DS HS"),
                "--deck: 2 cards cannot be dealt to 2 players with 1 each; use 3 or more",
            ),
            (
                ("--deck", "DS HS DQ", "--players", "3", "--each", "9"),
                "--deck: 3 cards cannot be dealt to 3 players with 9 each; use 28 or more",
            ),
            (("--deck", "DS", "--players", "9"), "--deck: 1 card cannot be dealt to 2 players with 1 each; use 3"),
            (("--deck", "DS HS DQ", "--each", "0"), "--each: 0 is too small; use 1 or more"),
            (("--deck", "DS HS DQ", "--each", "-1"), "--each: -1 is too small; use 1 or more"),
            (
                ("--game", "mahjong", "--deck", "1D 1D 1D", "--each", "1"),
                "--each: 1 tile for each player; use one of 4, 7, 10, 13",
            ),
            (("--deck", "DS HS DQ", "--players", "3"), "--players: 3 players cannot play; use 2 with 1 each"),
        ],
    )
    def test_check_refuses_a_deck_that_cannot_be(self, options: tuple[str, ...], fault: str) -> None:
        done = maumau("check", *options)
        assert done.returncode == 2
        assert done.stdout == ""
        assert fault in done.stderr

    @pytest.mark.usefixtures("pictures")
    def test_diagram_by_format_and_by_the_end_of_the_file(self, tmp_path: Path) -> None:
        assert "digraph" in maumau("diagram").stdout
        assert "stateDiagram-v2" in maumau("diagram", "--format", "mermaid").stdout
        for name, start in (("x.svg", b"<svg"), ("x.png", b"\x89PNG"), ("x.pdf", b"%PDF"), ("x.dot", b"")):
            assert maumau("diagram", "-o", tmp_path / name).returncode == 0
            assert (tmp_path / name).read_bytes().startswith(start)

    def test_compile_shows_readable_source(self) -> None:
        source = maumau("compile", "--show", "--policy", "house,random,house,random,house").stdout  # more than players
        compile(source, "kernel", "exec")
        assert "elif phase == 5:  # drawing" in source
        assert "lay_card(table)" in source

    def test_compile_shows_the_interface_and_the_scalar_kernel(self) -> None:
        functions = "settle", "moves", "put", "act", "choose", "enabled", "fire"
        source = maumau("compile", "--show").stdout
        assert [name for name in functions if f"\ndef {name}(table, " not in source] == []
        kernel = maumau("compile", "--show", "kernel").stdout
        assert "\ndef run(table, phase, stops, " in kernel
        assert "\ndef settle(" not in kernel

    @pytest.mark.slow
    def test_compile_shows_what_lanes_compute_in_words_and_as_text(self) -> None:
        shown = maumau("compile", "--show", "lanes", "--players", "3").stdout
        words, _, text = shown.partition("\nThe text for this processor, in the language of LLVM:\n")
        assert words.startswith("Mau-Mau, 3 players, house: ")
        assert "\n  #0: player at the start of the pass (0 to 2)\n" in words
        assert "\n  a game leaves the lanes where ?" in words
        assert "\ndefine " in text
        refused = maumau("compile", "--show", "lanes", "--game", "uno", "--players", "9")
        reason = "the hands of more than 7 seats do not fit into the registers"
        what_to_do = "--show kernel prints the scalar kernel, which plays"
        assert refused.stderr == f"--show lanes: uno, 9 players: {reason}; {what_to_do}\n"
        assert (refused.stdout, refused.returncode) == ("", 2)

    @pytest.mark.slow
    def test_compile_tells_which_kernel_plays_and_why(self) -> None:
        command = "compile", "--show", "--why", "--game", "uno", "--policy", "first-legal", "--players"
        lines = maumau(*command, "2").stdout.splitlines()
        assert "2 players, policy first-legal: in lanes" in lines
        assert "    turns: 0 to 255, 8 bits; compared with a limit after every 4 passes" in lines
        (_, line) = maumau(*command, "8").stdout.splitlines()
        assert line.startswith("8 players, policy first-legal: the scalar kernel, ")

    @pytest.mark.parametrize(
        "command",
        ["compile", "compile --show --why", "compile --show lanes --players 3", "compile --target wasm32 -o x"],
    )
    def test_a_missing_package_is_named_with_the_command(self, command: str, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setitem(sys.modules, "llvmlite", None)
        refused = maumau(*command.split())
        assert refused.stderr.startswith("maumau compile requires llvmlite; run pip install -e '.[bulk]'")
        assert (refused.stdout, refused.returncode) == ("", 2)
        assert maumau("compile", "--show", "kernel").returncode == 0

    @pytest.mark.slow
    def test_simulate_tells_the_engine_when_asked(self) -> None:
        scalar = "maumau: engine: machine code, the scalar kernel, which keeps every event\n"
        assert maumau("simulate", "-v", "--events", "--engine", "compiled", data=STATEMENT).stderr.startswith(scalar)
        match = maumau("deal", "--match", "--players", "2", "--seed", "7").stdout
        assert maumau("simulate", "--match", "-v", "--engine", "compiled", data=match).stderr.startswith(scalar)
        record = maumau("simulate", "--json", data=STATEMENT).stdout
        assert maumau("simulate", "--from-json", "-v", data=record).stderr == (
            "maumau: engine: the stepped machine, because records are played again\n"
        )

    @pytest.mark.slow
    def test_each_policy_and_all_of_them_together_are_said_to_be_in_lanes(self) -> None:
        lines = maumau("compile", "--show", "--why", "--policy", "house,first-legal").stdout.splitlines()
        named = "policy house", "policy first-legal", "policies house and first-legal"
        assert {f"3 players, {each}: in lanes" for each in named} <= set(lines)

    @pytest.mark.slow
    def test_a_game_that_several_can_win_together_is_said_to_be_played_in_lanes(self) -> None:
        spades = Path(__file__).parents[2] / "examples" / "spades.py"
        shown = maumau("compile", "--game", f"{spades}:Spades", "--show", "--why").stdout
        assert "4 players, policy house: in lanes" in shown

    @pytest.mark.slow
    def test_a_game_that_most_leave_is_said_to_be_played_by_the_scalar_kernel(self) -> None:
        gin = f"{Path(__file__).parents[2] / 'examples' / 'gin_rummy.py'}:GinRummy"
        reason = "64 of 64 games of gin-rummy leave the lanes"
        shown = maumau("compile", "--game", gin, "--show", "--why").stdout.splitlines()
        assert f"2 players, policy house: the scalar kernel, {reason}" in shown
        assert "    a game leaves the lanes if a loop of deadwood goes on" in shown
        decks = maumau("deal", "--game", gin, "--games", "128").stdout
        played = maumau("simulate", "--game", gin, "--engine", "compiled", "-v", data=decks).stderr
        assert f"engine: machine code, 2 players: the scalar kernel, as {reason}\n" in played

    def test_a_game_of_few_events_is_said_to_be_played_by_the_scalar_kernel(self) -> None:
        kuhn = Path(__file__).parents[2] / "examples" / "kuhn_poker.py"
        shown = maumau("compile", "--game", f"{kuhn}:KuhnPoker", "--show", "--why").stdout
        reason = "games end after 2.4 events on average, and dealing them costs more"
        assert f"2 players, policy house: the scalar kernel, {reason}" in shown

    def test_a_function_of_a_file_that_cannot_be_traced_is_named_with_the_file(self) -> None:
        root = Path(__file__).parents[2]
        found = maumau("compile", "--show", "--why", "--game", f"{root / 'examples' / 'hearts.py'}:Hearts").stdout
        assert f"4 players, policy house: the scalar kernel, {root / 'rules' / 'passing.py'}:" in found

    def test_a_closed_pipe_is_no_error(self) -> None:
        command = f"{sys.executable} -m maumau deal --players 2 --seed 1 --games 100000 | head -1"
        done = subprocess.run(["bash", "-c", command], capture_output=True, text=True, check=False)
        assert (done.stdout, done.stderr, done.returncode) == ("100000\n", "", 0)

    def test_completion_of_commands(self) -> None:
        assert "_MAUMAU_COMPLETE" in maumau("completion", "bash").stdout
        completed = maumau(env={"_MAUMAU_COMPLETE": "bash_complete", "COMP_WORDS": "maumau sim", "COMP_CWORD": "1"})
        assert "simulate" in completed.stdout


@pytest.mark.parametrize("command", [[], *([name] for name in sorted(app.commands))], ids=" ".join)
def test_help_does_not_need_docstrings(command: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    """Python's option -OO removes docstrings, so no help text may come from one."""
    shown = app if not command else app.commands[command[0]]
    assert shown.help is not None
    with pytest.raises(SystemExit):
        app([*command, "--help"], prog_name="maumau")
    assert "Usage: maumau" in capsys.readouterr().out


@pytest.mark.slow
def test_output_without_docstrings_is_the_same() -> None:
    """`diagram --format table` says why moves are refused, with the docstrings of guards."""
    for arguments in (["--help"], ["study", "--help"], ["diagram", "--format", "table"]):
        with_docstrings, without = (
            subprocess.run([sys.executable, *options, "-m", "maumau", *arguments], capture_output=True, check=True)
            for options in ([], ["-OO"])
        )
        assert with_docstrings.stdout == without.stdout


def test_a_game_that_goes_on_and_on_is_reported_without_a_traceback(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("fsm.stepping.stepped.LONGEST", 3)
    done = maumau("simulate", data=STATEMENT)
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr.startswith("maumau: game 0 has not ended after")
