"""`maumau simulate --match` and `maumau deal --match`: matches of an input, with both engines, traced and recorded."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest
from command import CORPUS, maumau
from plain_maumau import simulate

from fsm import Match, MauMau
from fsm.match import stepped
from fsm.match.setup import ARCS
from fsm.match.stepped import Round

Corpus = list[tuple[str, list[str]]]
OFFICIAL = CORPUS / "unoofficial"
ENGINES = ("machine", "compiled")


def lines_of(players: int, decks: list[list[str]]) -> str:
    return "\n".join([f"{players} {len(decks)}", *(" ".join(deck) for deck in decks)])


def deck(number: int, players: int = 3) -> list[str]:
    return MauMau.declaration.codec.notation.names(MauMau.deck_of(players, 31, number))


def expected(players: int, decks: list[list[str]], target: int) -> str:
    """What must be printed for a match, by the plain simulator of its rounds."""
    totals, printed = [0] * players, []
    for cards in decks:
        round = simulate(players, cards)
        printed.append(str(round))
        totals = [total + scored for total, scored in zip(totals, round.scores or [0] * players, strict=True)]
        if max(totals) >= target:
            break
    return "\n".join([*printed, f"Match: {' '.join(map(str, totals))}"])


MATCHES = [(3, [deck(number) for number in range(20)]), (2, [deck(number, 2) for number in range(20, 50)])]
INPUT = "\n".join(["2", *(lines_of(*match) for match in MATCHES)])
ANSWER = "\n".join(expected(*match, 100) for match in MATCHES) + "\n"


@pytest.mark.parametrize("engine", ENGINES)
def test_the_rounds_and_the_totals_are_printed(engine: str) -> None:
    done = maumau("simulate", "--match", "--engine", engine, data=INPUT)
    assert (done.stdout, done.returncode) == (ANSWER, 0)


@pytest.mark.parametrize("engine", ENGINES)
def test_decks_that_end_before_somebody_has_the_target(engine: str, corpus: Corpus) -> None:
    (endless,) = [line.split() for line, answer in corpus if answer[1] == "No score: endless"]
    players = int(endless[0])
    decks = [endless[1:], *(deck(number, players) for number in range(3))]
    done = maumau("simulate", "--match", "--target", 1000, "--engine", engine, data=f"1\n{lines_of(players, decks)}")
    assert (done.stdout, done.returncode) == (expected(players, decks, 1000) + "\n", 1)


@pytest.mark.parametrize("engine", ["machine", pytest.param("compiled", marks=pytest.mark.thorough)])
def test_the_corpus_of_official_uno(engine: str) -> None:
    done = maumau("simulate", "--game", "uno-official", "--match", "--engine", engine, OFFICIAL / "cases-match.in")
    assert (done.stdout, done.returncode) == ((OFFICIAL / "cases-match.out").read_text(), 1)


def test_a_diagram_shows_the_machine_of_matches() -> None:
    table = maumau("diagram", "--match", "--game", "uno", "--format", "table").stdout
    for arc in ARCS:
        assert arc.description in table
    drawn = maumau("diagram", "--match", "--game", "uno", "--phase", "score").stdout
    assert "A match of UNO" in drawn
    refused = maumau("diagram", "--match", "--traffic", 10)
    assert (refused.returncode, refused.stdout) == (2, "")


class TestCheck:
    def test_the_properties_of_matches_hold(self) -> None:
        done = maumau("check", "--match", "--games", 4)
        assert done.returncode == 0
        assert done.stdout.startswith("A match: 4 phases, 7 transitions\n")
        assert "12 matches of Mau-Mau, 4 for each number of players, of seed 0\n" in done.stdout
        assert "  ok      all 5 properties hold\n" in done.stdout
        assert maumau("check", "--match", "--exhaustive").returncode == 2

    def test_a_match_whose_dealer_stays_fails(self, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr(stepped, "Round", lambda number, dealer, *rest: Round(number, 1, *rest))
        done = maumau("check", "--match", "--games", 2, "--verbose")
        assert done.returncode == 1
        assert (
            "FAILED  the dealer of each round is the seat after that of the round before, first player 1" in done.stdout
        )


def test_words_may_stand_on_any_lines() -> None:
    assert maumau("simulate", "--match", data="\n\n".join(INPUT.split())).stdout == ANSWER
    assert maumau("simulate", "--match", data=" ".join(INPUT.split())).stdout == ANSWER


class TestBadInput:
    def faults(self, data: str, *options: object) -> list[str]:
        done = maumau("simulate", "--match", *options, data=data)
        assert (done.stdout, done.returncode) == ("", 2)
        return [line.removeprefix("maumau: ") for line in done.stderr.splitlines()]

    def test_all_errors_are_reported_with_their_lines(self) -> None:
        twice, short, unknown = deck(0), deck(1)[:-1], deck(2)
        twice[3], unknown[5] = twice[0], "XX"
        cases = [lines_of(3, [deck(3), twice]), lines_of(3, [short]), lines_of(9, [deck(1)]), lines_of(3, [unknown])]
        missing = deck(1)[-1]
        *known, last = self.faults("\n".join(["5", *cases]))
        assert known == [
            "<stdin>:1: the first line announces 5 matches, but 4 follow",
            f"<stdin>:4: deck 2: card 4: {twice[0]} appears twice; each card may appear only once",
            f"<stdin>:6: deck 1: 31 cards instead of 32; missing: {missing}",
            "<stdin>:7: 9 players cannot play; use a number of players from 2 to 4",
        ]
        assert last.startswith("<stdin>:10: deck 1: card 6: unknown card 'XX'; use one letter of ")

    @pytest.mark.parametrize(
        ("data", "fault"),
        [
            ("", "<stdin>:1: the input is empty; it must begin with the number of matches"),
            ("x\n3 1", "<stdin>:1: 'x' is not a number; use the number of matches"),
            ("1\n3", "<stdin>:2: a number of decks from 1 to 1,024 is missing; write it before the cards"),
            ("1\n3 0", "<stdin>:2: 0 decks are out of range; use a number of decks from 1 to 1,024"),
            ("1\n3 1025", "<stdin>:2: 1025 decks are out of range; use a number of decks from 1 to 1,024"),
            ("1\n3 2\nSS", "<stdin>:3: the match announces 2 decks of 32 cards, but has 1 card"),
            ("1\nSS SA", "<stdin>:2: a number of players from 2 to 4 is missing; write it before the cards"),
            ("0\n3 1", "<stdin>:1: the first line announces no matches, but 1 follows"),
        ],
    )
    def test_each_error(self, data: str, fault: str) -> None:
        assert self.faults(data)[0] == fault

    def test_a_deck_that_is_left_over_is_checked(self) -> None:
        decks = [deck(number) for number in range(20)]
        decks[-1][4] = decks[-1][5]
        assert self.faults(f"1\n{lines_of(3, decks)}")[0].startswith("<stdin>:22: deck 20: card 6: ")

    def test_a_deck_that_must_not_be_dealt(self) -> None:
        from fsm import Uno

        names = Uno.declaration.codec.notation.names(Uno.deck_of(2, 1))
        wild = names.index("WC")
        names[14], names[wild] = names[wild], names[14]
        (fault,) = self.faults(f"1\n{lines_of(2, [names])}", "--game", "uno")
        assert fault.startswith("<stdin>:3: deck 1: the deck cannot be dealt; this must hold: ")

    @pytest.mark.parametrize(
        ("options", "told"),
        [
            (("--target", 0), "--target: 0 is out of range; use 1 to 100,000"),
            (
                ("--number", 2**53),
                "--number: 2 matches from 9007199254740992 on go beyond the last number; use numbers up to 9007199254740991",
            ),
            (("--policy", "house,house"), "--policy: 2 policies for 3 players"),
        ],
    )
    def test_options(self, options: tuple[object, ...], told: str) -> None:
        (fault,) = self.faults(INPUT, *options)
        assert fault.startswith(told)

    def test_a_target_without_a_match(self) -> None:
        done = maumau("simulate", "--target", 50, data=INPUT)
        assert (done.stderr, done.returncode) == ("--target requires --match\n", 2)


@pytest.mark.parametrize("engine", ENGINES)
class TestRecords:
    def test_a_record_of_a_match_is_replayed(self, engine: str) -> None:
        records = maumau("simulate", "--match", "--json", "--engine", engine, data=INPUT).stdout
        assert [json.loads(line)["format"] for line in records.splitlines()] == ["maumau-match"] * 2
        again = maumau("simulate", "--match", "--from-json", data=records)
        assert (again.stdout, again.returncode) == (ANSWER, 0)

    @pytest.mark.parametrize("policy", ["house", pytest.param("random", marks=pytest.mark.thorough)])
    def test_both_engines_write_the_same_records_and_traces(self, engine: str, policy: str) -> None:
        for form in ("--json", "--trace"):
            known = maumau("simulate", "--match", form, "--policy", policy, "--number", 3, data=INPUT).stdout
            more = "--policy", policy, "--number", 3, "--engine", engine
            assert maumau("simulate", "--match", form, *more, data=INPUT).stdout == known


@pytest.fixture(name="record", scope="module")
def record_of_a_match() -> dict[str, object]:
    data = f"1\n{lines_of(*MATCHES[0])}"
    found: dict[str, object] = json.loads(maumau("simulate", "--match", "--json", data=data).stdout)
    return found


class TestRecordsThatContradictTheRules:
    def refusal(self, record: dict[str, object]) -> str:
        done = maumau("simulate", "--match", "--from-json", data=json.dumps(record))
        assert (done.stdout, done.returncode) == ("", 2)
        return done.stderr

    @pytest.mark.parametrize(
        ("change", "told"),
        [
            ({"format": "maumau-game"}, 'not a record of a match; give an object with "format": "maumau-match"'),
            ({"target": 10**5}, "rounds the match goes on with totals"),
            ({"target": "100"}, "target: '100' is not a whole number"),
            ({"winner": 9}, "winner is 9, by the rules it is"),
            ({"totals": [0, 0, 0]}, "totals is [0, 0, 0], by the rules it is"),
            ({"rounds": []}, "after no rounds the match goes on"),
            ({"rounds": [3]}, 'round 1: 3 is not an object with "game"'),
            ({"number": 5}, "round 1: number is 0, by the rules it is 5120"),
            ({"decks": [["SA"]]}, "deck 1: 1 card instead of 32"),
        ],
    )
    def test_a_field(self, record: dict[str, object], change: dict[str, object], told: str) -> None:
        assert told in self.refusal(record | change)

    @pytest.mark.parametrize("name", ["dealer", "points", "totals"])
    def test_a_field_of_a_round(self, record: dict[str, object], name: str) -> None:
        rounds = json.loads(json.dumps(record["rounds"]))
        rounds[1][name] = 7
        assert f"round 2: {name} is 7, by the rules it is" in self.refusal(record | {"rounds": rounds})

    def test_rounds_after_the_end(self, record: dict[str, object]) -> None:
        rounds = record["rounds"]
        assert isinstance(rounds, list)
        assert "the match is over: player" in self.refusal(record | {"rounds": [*rounds, rounds[0]]})

    def test_rounds_in_another_order(self, record: dict[str, object]) -> None:
        rounds = record["rounds"]
        assert isinstance(rounds, list)
        assert "round 1: number is 1, by the rules it is 0" in self.refusal(record | {"rounds": rounds[::-1][-2:]})


def test_the_trace_tells_each_round_and_the_totals() -> None:
    text = maumau("simulate", "--match", "--trace", data=f"1\n{lines_of(*MATCHES[0])}").stdout
    match = Match.of_decks(MauMau, 3, [MauMau.parse(" ".join(["3", *cards])).dealt_deck() for cards in MATCHES[0][1]])
    outcome = match.run()
    for round in match.rounds:
        assert f"Match 0: 3 players, round {round.number}\n" in text
        totals = ", ".join(f"player {seat} {total}" for seat, total in enumerate(round.totals, 1))
        assert f"Totals: {totals}." in text
    assert text.rstrip().endswith(f"Player {outcome.winner} wins the match to 100 after {outcome.rounds} rounds.")


def test_a_match_is_replayed_on_a_page(tmp_path: Path) -> None:
    page = tmp_path / "match.html"
    one = maumau("simulate", "--match", "--json", data=INPUT).stdout.splitlines()[1]
    for options, data in ((("--number", 1), INPUT), ((), one)):
        assert maumau("replay", "--match", *options, "-o", page, "-", data=data).returncode == 0
        found = re.search(r'id="data">(.*?)</script>', page.read_text(encoding="utf-8"))
        assert found is not None
        shown = json.loads(found[1])
        assert [each["totals"] for each in shown["rounds"]][-1] == [int(total) for total in ANSWER.split()[-2:]]
        assert [each["dealer"] for each in shown["rounds"]][:3] == [1, 2, 1]
    refused = maumau("replay", "--match", "--number", 2, "-o", page, "-", data=INPUT)
    assert refused.stderr == "--number: 2 is out of range; use 0 to 1, since <stdin> has no more matches\n"
    assert maumau("replay", "--target", 5, "-o", page, "-", data=INPUT).stderr == "--target requires --match\n"


def test_a_dealt_match_is_the_match_of_its_number() -> None:
    dealt = maumau("deal", "--match", "--players", 3, "--seed", 7, "--number", 4, "--games", 2).stdout
    words = dealt.split()
    assert words[:3] == ["2", "3", "1024"]
    totals = [line for line in maumau("simulate", "--match", data=dealt).stdout.splitlines() if line[:5] == "Match"]
    matches = [Match(MauMau, 3, 7, number).run().totals for number in (4, 5)]
    assert totals == [f"Match: {' '.join(map(str, row))}" for row in matches]
    refused = maumau("deal", "--match", "--players", 3, "--number", 2**53)
    assert (refused.returncode, refused.stdout) == (2, "")
