"""`maumau play --plain`: a table line by line, played by programs that only read lines."""

from __future__ import annotations

import re
import signal
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import suppress

import pytest
from all_games import GAMES
from command import maumau, maumau_process
from play_games import seated

from examples.beggar_my_neighbour import BeggarMyNeighbour
from examples.go_fish import GoFish
from examples.hearts import Hearts
from examples.spades import Spades
from fsm import Game
from maumau.play.table import Table
from maumau.play.terminal.plain import InputEnded, PlainTable, labels_of
from render.page.play import table_data
from render.text.table import TableText

NUMBERED = re.compile(r"(\d+) (.+)")
MAUMAU, UNO, OFFICIAL, MAHJONG, *_ = GAMES


class Program:
    """A program that plays: it knows nothing but the lines that it has read."""

    def __init__(self, choose: Callable[[list[str]], str] = lambda numbers: numbers[0]) -> None:
        self.read: list[str] = []
        self._choose = choose
        self._numbers: list[str] = []

    def write(self, line: str) -> None:
        """Read a line."""
        self.read.append(line)
        if found := NUMBERED.fullmatch(line):
            self._numbers = [*(self._numbers if found[1] != "1" else []), found[1]]

    def lines(self) -> Iterator[str]:
        """Its answers."""
        while True:
            assert self.read[-1].startswith("Your move")
            yield f"{self._choose(self._numbers)}\n"


def dialogue(table: Table, *answers: str) -> list[str]:
    """The lines that a table writes where it is given these answers."""
    written: list[str] = []
    with suppress(InputEnded):
        PlainTable(table, 1, answers, written.append).play()
    return written


@pytest.mark.slow
@pytest.mark.parametrize("kind", GAMES, ids=lambda kind: kind.__name__)
@pytest.mark.parametrize("choose", [lambda numbers: numbers[0], lambda numbers: numbers[-1]], ids=["first", "last"])
def test_a_program_plays_every_game_to_its_end(kind: type[Game], choose: Callable[[list[str]], str]) -> None:
    table = Table(seated(kind, kind.declaration.codec.fewest, seed=3))
    program = Program(choose)
    assert PlainTable(table, 1, program.lines(), program.write).play()
    assert table.state == "over"
    assert program.read[-1] == table.log(1)[-1]["text"]


@pytest.mark.slow
@pytest.mark.parametrize("game", ["maumau", "uno", "uno-official", "mahjong"])
def test_a_program_plays_through_pipes(game: str) -> None:
    command = [sys.executable, "-m", "maumau", "play", "--game", game, "--others", "random", "--seed", "3"]
    program = Program()
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdin is not None
        assert process.stdout is not None
        answers = program.lines()
        for line in process.stdout:
            program.write(line.rstrip("\n"))
            if line.startswith("Your move"):
                process.stdin.write(next(answers))
                process.stdin.flush()
    assert process.returncode == (1 if program.read[-1].startswith("Nobody wins") else 0)
    assert "wins" in program.read[-1]


@pytest.mark.slow
def test_a_match_goes_on_to_its_target() -> None:
    program = Program()
    table = Table(seated(OFFICIAL, 2, policy="house", seed=3, target=300))
    assert PlainTable(table, 1, program.lines(), program.write).play()
    assert program.read[-1].endswith("wins the match.")
    assert [line for line in program.read if line.startswith("Round ")][:2] == [
        "Round 1. Player 1 deals.",
        "Round 2. Player 2 deals.",
    ]
    assert any(line.endswith("the match is over at 300.") for line in program.read)


# ---------------------------------------------------------------- single answers


def start(game: type[Game] = MAUMAU, players: int = 3) -> Table:
    """The table of the examples: the hand is CQ CK DK DS SK SS, and the open card CE."""
    return Table(seated(game, players, policy="house", seed=7))


def test_the_table_and_the_moves_are_shown() -> None:
    assert dialogue(start())[-8:] == [
        "Player 2 (house): 5 cards",
        "Player 3 (house): 6 cards",
        "Open card: CE. Draw pile: 13, discard pile: 2.",
        "Your hand: CQ CK DK DS SK SS",
        "1 play CQ",
        "2 play CK",
        "3 draw",
        "Your move (1-3, or help):",
    ]


def test_a_terminal_has_cards_in_words_and_the_key_to_their_codes_once() -> None:
    written: list[str] = []
    answers = ("cards", "play queen of clubs", "quit")
    PlainTable(start(), 1, answers, written.append, in_words=True).play()
    assert [line for line in written if line.startswith(("Suits", "Ranks"))] == [
        "Suits: D diamonds, H hearts, S spades, C clubs.",
        "Ranks: Q queen, K king, S seven, E eight, N nine, T ten, A ace, J jack.",
    ]
    place = written.index("Your hand: queen of clubs, king of clubs, king of diamonds, seven of diamonds, "
                          "king of spades, seven of spades")  # fmt: skip
    assert written[place + 1 : place + 4] == ["1 play queen of clubs", "2 play king of clubs", "3 draw"]
    assert "CQ: queen of clubs" in written
    assert "Player 1 plays queen of clubs." in written


@pytest.mark.parametrize("kind", GAMES, ids=lambda kind: kind.__name__)
def test_no_code_of_a_card_is_left_where_cards_are_in_words(kind: type[Game]) -> None:
    written: list[str] = []
    table = Table(seated(kind, kind.declaration.codec.fewest, seed=3))
    with suppress(InputEnded):
        PlainTable(table, 1, ["1", "1"], written.append, in_words=True).play()
    codes = "|".join(name for name in labels_of(kind.declaration) if len(name) > 1)
    lines = [line for line in written if not line.startswith(("Cards are typed", "Suits", "Ranks"))]
    assert not codes or not re.search(rf"(?<![\w-])(?:{codes})(?![\w-])", "\n".join(lines))


def test_what_is_counted_of_a_seat_stands_beside_it() -> None:
    table = start(Spades, 4)
    assert not any(", bid" in line or line.startswith("You:") for line in dialogue(table)), "nobody has bid"
    lines = dialogue(table, "bid 3")
    assert lines[0].count("partner") == lines[0].count("player 3 is house, your partner") == 1
    own, *others = table.game.table.bids
    assert own == 3
    for player, bid in enumerate(others, 2):
        assert any(line.startswith(f"Player {player} (house): ") and f", bid {bid}" in line for line in lines)
    assert any(line.startswith("You: bid 3") for line in lines)


def test_a_trick_is_shown_and_not_the_card_played_last() -> None:
    written = dialogue(Table(seated(Spades, 4, policy="house", seed=7)), "bid 3", "1", "1")
    assert not any(line.startswith("Open card") for line in written)
    assert any(re.fullmatch(r"(Trick|Last trick): player \d \w\w(, player \d \w\w)*\.", line) for line in written)


@pytest.mark.parametrize("game", [GoFish, BeggarMyNeighbour])
def test_a_pile_where_nothing_lies_is_not_shown(game: type[Game]) -> None:
    assert not any(re.search(r"\b(pile|dealt): 0", line) for line in dialogue(start(game, 2), *["1"] * 4))


def test_a_move_is_shown_in_words_and_taken_so() -> None:
    table = Table(seated(Hearts, 4, policy="house", seed=7))
    assert "1 pass" in " ".join(dialogue(table))
    card = table.view(1)["question"]["moves"][0]["card"]
    assert f"Player 1 passes {card}." in dialogue(table, f"pass {card}")
    assert f"{card}: " not in dialogue(table, "cards")


@pytest.mark.parametrize(
    ("game", "label", "text"),
    [
        (Hearts, "pass_card QS", "pass QS"),
        (MAHJONG, "gang 5D", "lay out a gang of 5D"),
        (MAHJONG, "discard 5D", "discard 5D"),
        (MAHJONG, "decline", "let it pass"),
        (MAUMAU, "pass_turn", "pass"),
        (Spades, "bid 3", "bid 3"),
    ],
)
def test_the_words_of_moves(game: type[Game], label: str, text: str) -> None:
    assert TableText(game.declaration).label(label) == text
    data = table_data(game.declaration)
    trigger, _, named = label.partition(" ")
    assert text.startswith(data["naming"][trigger] if named and trigger in data["naming"] else data["events"][trigger])


@pytest.mark.parametrize(
    ("answer", "line"),
    [
        ("why DS", "DS fits neither the suit nor the rank of CE"),
        ("ds", "DS fits neither the suit nor the rank of CE"),
        ("play HA", "player 1 cannot play HA on CE: player 1 does not hold it; may play CQ, CK or draw"),
        ("why CQ", "CQ can be played"),
        ("why XX", "'XX' is not a card of your hand"),
        ("hint", "Hint: play CK: the fitting card of the highest value."),
        ("cards", "SS: seven of spades"),
        ("help", "quit: leave the table"),
        ("4", "'4' is neither a move nor a command; enter a number, a move or help"),
        ("", "'' is neither a move nor a command; enter a number, a move or help"),
        (
            "undo",
            "There is nothing to undo: you can undo only your own moves of this round, and only while nobody else plays.",
        ),
        ("table", "3 draw"),
        ("\ufffd\ufffd", "This line is not UTF-8 text; enter a number, a move or help"),
        ("\x1b[2J", "'\\x1b[2J' is neither a move nor a command; enter a number, a move or help"),
    ],
)
def test_an_answer_that_moves_nothing_is_answered_and_the_question_asked_again(answer: str, line: str) -> None:
    table = start()
    written = dialogue(table, answer)
    assert written[-2:] == [line, "Your move (1-3, or help):"]
    assert table.game.history[-1].player != 1


@pytest.mark.parametrize("answer", ["1", "play CQ", "PLAY cq", "cq", "  CQ  "])
def test_a_move_is_its_number_its_text_or_its_card(answer: str) -> None:
    written = dialogue(start(), answer)
    assert any(line.startswith("Player 1 plays CQ.") for line in written)


def test_a_card_that_can_be_played_in_several_ways_is_asked_for() -> None:
    table = Table(seated(MAUMAU, 3, policy="house", seed=20))
    jack = ""
    while not jack:
        while table.advance():
            pass
        moves = table.view(1)["question"]["moves"]
        jack = next((move["card"] for move in moves if "suit" in move), "")
        if not jack:
            table.act(1, moves[-1], table.version(1))
    written = dialogue(table, jack, f"play {jack} naming spades")
    place = written.index(f"{jack} can be played in several ways; choose one of:")
    assert [NUMBERED.fullmatch(line)[2] for line in written[place + 1 : place + 5]] == [  # type: ignore[index]
        f"play {jack} naming {suit}" for suit in ("diamonds", "hearts", "spades", "clubs")
    ]
    assert any(f"plays {jack} and names spades" in line for line in written[place:])


def test_undo_takes_the_last_move_back() -> None:
    written = dialogue(start(), "1", "undo")
    assert "Player 1 takes back a move." in written
    assert written[-4:] == ["1 play CQ", "2 play CK", "3 draw", "Your move (1-3, or help):"]


# ---------------------------------------------------------------- the command


@pytest.mark.parametrize("script", ["\ufeffquit\n", "\ufeffhelp\rquit\r", "help\r\nquit\r\n"])
def test_the_first_answer_of_a_script_counts(script: str) -> None:
    done = maumau("play", "--seed", 7, data=script.encode())
    assert (done.returncode, done.stderr) == (0, "")
    assert ("help: these commands" in done.stdout) is ("help" in script)


def test_the_end_of_the_input_is_an_error_and_quit_is_none() -> None:
    done = maumau("play", "--seed", 7)
    assert (done.returncode, done.stderr) == (2, "<stdin>: ended before the game was over; end it with quit\n")
    assert maumau("play", "--seed", 7, data="quit\n").returncode == 0
    assert maumau("play", "--seed", 7, data=b"\xff\xfe\x00 \n" + b"x" * 5000 + b"\nquit\n").returncode == 0


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (["--players", 9], "--players: 9 players cannot play; use 2 to 4"),
        (["--seat", 4], "--seat: 4 is out of range; use 1 to 3"),
        (
            ["--others", "house,house", "--players", 4],
            "--others: 2 computer players cannot fill the seats; name one, or 3",
        ),
        (["--others", "best"], "--others: unknown policy 'best'; use one of house, random, first-legal"),
        (["--target", 5], "--target requires --match"),
        (["--game", "chess"], "--game: unknown game 'chess'"),
        (["--with", "none"], "--with: "),
    ],
)
def test_bad_options_are_refused(options: list[object], message: str) -> None:
    done = maumau("play", *options)
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr.startswith(message)


def test_seats_and_opponents_are_chosen() -> None:
    first = maumau("play", "--seat", 2, "--others", "random,first-legal", "--seed", 1, data="quit\n").stdout
    assert first.startswith("Mau-Mau. You are player 2; player 1 is random, player 3 is first-legal.\n")
    rules = maumau("play", "--with", "five-each", "--seed", 1, "--players", 2, data="quit\n").stdout
    assert re.search(r"^Your hand:( \w\w){5}$", rules, re.MULTILINE)


def test_a_game_without_a_winner_has_status_1() -> None:
    program = Program()
    table = Table(seated(MAHJONG, 2, policy="first-legal", seed=1))
    PlainTable(table, 1, program.lines(), program.write).play()
    assert program.read[-1].startswith("Nobody wins: wall exhausted.")
    answers = "1\n" * sum(line.startswith("Your move") for line in program.read)
    options = ("--game", "mahjong", "--others", "first-legal", "--players", 2, "--seed", 1)
    assert maumau("play", *options, data=answers).returncode == 1


def test_an_interrupt_ends_it_with_status_130() -> None:
    command = [sys.executable, "-m", "maumau", "play", "--seed", "7"]
    pipe = subprocess.PIPE
    with subprocess.Popen(command, stdin=pipe, stdout=pipe, stderr=pipe, text=True) as process:
        assert process.stdout is not None
        assert process.stderr is not None
        while not process.stdout.readline().startswith("Your move"):
            pass
        process.send_signal(signal.SIGINT)
        assert process.stderr.read() == "maumau: interrupted\n"
    assert process.returncode == 130


def test_a_reader_that_goes_away_ends_it_silently() -> None:
    shell = f"{sys.executable} -m maumau play --seed 7 --others random < /dev/zero | head -2"
    done = subprocess.run(["bash", "-c", shell], capture_output=True, text=True, check=False)
    assert (done.stdout.count("\n"), done.stderr) == (2, "")


def test_the_command_imports_no_screen_library_to_play_line_by_line() -> None:
    code = (
        "import sys\nsys.argv = ['maumau', 'play', '--seed', '7']\n"
        "try:\n    from maumau.cli.main import main\n    main()\nfinally:\n    assert 'textual' not in sys.modules\n"
    )
    done = subprocess.run([sys.executable, "-c", code], input="quit\n", capture_output=True, text=True, check=False)
    assert (done.returncode, done.stderr) == (0, "")


def test_a_function_that_plays_wrong_is_reported(tmp_path: object) -> None:
    path = f"{tmp_path}/wrong.py"
    with open(path, "w") as file:
        file.write("def choose(view):\n    return None\n")
    done = maumau_process("play", "--others", f"{path}:choose", "--seed", 7, data="1\n" * 9)
    assert done.returncode == 2
    assert "it returned None; return a Move, one of those in view.moves" in done.stderr


def test_a_card_that_is_turned_from_a_pile_is_named() -> None:
    kind = next(kind for kind in GAMES if kind.declaration.name == "beggar-my-neighbour")
    table = Table(seated(kind, 2, seed=3))
    written = dialogue(table, "1")
    turned = [line.removesuffix(".").split(": ")[1] for line in written if " turns a card: " in line]
    assert tuple(turned) == table.game.discard_pile
