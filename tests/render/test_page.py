"""The page of a game: its data tell the game exactly, hold in one file, and nothing in them is markup."""

from __future__ import annotations

import json
import re
from dataclasses import dataclass, field, replace
from html.parser import HTMLParser
from importlib import import_module
from pathlib import Path

import pytest
from all_games import GAMES
from command import MAUMAU, STATEMENT, UNO, maumau
from hypothesis import given
from hypothesis import strategies as st

from examples.beggar_my_neighbour import BeggarMyNeighbour
from examples.spades import Spades
from fsm import Game, MauMau, Uno
from fsm.games.maumau import MAUMAU as DECLARATION
from fsm.match.transcript import Transcript
from fsm.registry import BUILT_IN, game_class
from fsm.stepping.view import plain_facts
from fsm.table.sight import sight_of
from render.diagram import DiagramError
from render.notebook import board
from render.page import replay
from render.page.document import LIVE, REPLAY, drawing_of, embedded, hash_of_drawing, joined
from render.page.faces import counts_of, faces, notes_of, suits
from render.page.play import LOBBY, TABLE, table_data, table_page
from render.page.story import Narrator, change, coded_frame_of, frame_of, notes, splice, story_of
from render.text.output import trace
from rules.faces import FRENCH_RANKS, face_of
from rules.notation import Notation
from tests.support.frames import changed, plain

KINDS = [pytest.param(kind, id=kind.__name__) for kind in (MauMau, Uno)]
HOSTILE = "</script><img src=x onerror=alert(1)>\u2028<!--&amp;\"'"
LIMIT = 500_000
DOCUMENT = import_module("render.page.document")  # the package has a function of this name


def played(kind: type[Game], players: int, seed: int, policy: str = "house") -> Transcript:
    game = kind.deal(players, seed, 0, [policy])
    game.run()
    return Transcript.of(game)


class Elements(HTMLParser):
    """The elements of a page with their attributes, and the text of scripts and styles."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.found: list[tuple[str, dict[str, str | None]]] = []
        self.texts: dict[str, str] = {}
        self.feed(text)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.found.append((tag, dict(attrs)))

    def handle_data(self, data: str) -> None:
        if self.found:
            tag, attributes = self.found[-1]
            self.texts.setdefault(str(attributes.get("id") or attributes.get("type") or tag), data)


# ---------------------------------------------------------------- frames


def test_piles_before_the_seats_are_cards_and_no_text() -> None:
    game = BeggarMyNeighbour.deal(players=2, seed=7)
    while len(game.history) < 20:
        game.step()
    frame = frame_of(game)
    cards = [card for (pile,) in frame["melds"] for card in pile] + list(frame["discard"])
    assert sorted(cards) == sorted(game.declaration.codec.notation.cards)
    assert not any("own" in text for text, _ in frame["notes"])


@given(st.lists(st.sampled_from("abc"), max_size=8), st.lists(st.sampled_from("abc"), max_size=8))
def test_a_splice_makes_one_row_of_another(before: list[str], after: list[str]) -> None:
    start, leaving, *coming = splice(before, after)
    assert [*before[:start], *coming, *before[start + leaving :]] == after
    assert leaving + len(coming) <= len(before) + len(after)


def test_a_splice_touches_only_what_is_different() -> None:
    assert splice(["a", "b", "c"], ["a", "c"]) == [1, 1]
    assert splice(["a", "b"], ["a", "b", "c"]) == [2, 0, "c"]
    assert splice(["a"], ["a"]) == [1, 0]


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("policy", ["house", "random"])
def test_the_changes_make_every_frame_of_a_game(kind: type[Game], policy: str) -> None:
    for seed in range(3):
        game = played(kind, 3, seed, policy)
        again = game.rounds[0].game.start()
        frame = frame_of(again)
        story = story_of(game, "")
        assert story["start"] == frame
        for step, row in zip(game.steps, story["steps"], strict=True):
            again.fire_again(step)
            frame = changed(frame, row[-1])
            assert frame == frame_of(again)
            assert row[:4] == [again.declaration.arcs.index(step.arc), step.player, step.card, step.suit]


def test_nothing_changed_is_no_change() -> None:
    game = MauMau.deal(players=2, seed=1)
    frame = coded_frame_of(game)
    assert change(frame, frame, game.declaration.codec.notation.names) == {}


def test_due_cards_and_the_bound_suit_are_shown(at: object) -> None:
    assert callable(at)
    assert notes(at("penalty-pending due=4 hands=SS,SN/HA,HQ discard=CQ,HS,CS draw=...")) == (("4 cards to draw", ""),)
    bound = at("jack-binding suit=H player=2 hands=SS,SN/HA,HQ discard=CQ,CJ draw=...")
    assert notes(bound) == (("bound suit: hearts", "H"),)
    assert notes(at("drawing due=1 penalty=1 drawn=SN hands=SS,SN/HA,HQ discard=CQ,CS draw=...")) == (
        ("1 card to draw", ""),
        ("a penalty", ""),
    )


@pytest.mark.slow
def test_what_cards_are_drawn_for_is_shown_in_words() -> None:
    """Official UNO: the fact `why` has words of its own, on the stepping page, at a table and in the terminal."""
    official = game_class("uno-official")
    reasons = {
        "own-draw": "instead of playing a card",
        "caught": 'a penalty for the missing "Uno"',
        "victim": "the turn is lost",
        "guilt": "a penalty for a wild draw four that was not allowed",
    }
    seen: set[str] = set()
    for seed in range(2):
        game = official.deal(4, seed, policies=["random"] * 4)
        while not game.outcome:
            game.step()
            why = str(plain_facts(sight_of(game.declaration), game.table, 0)["why"])
            shown = {text for text, _ in notes(game)} & {*reasons.values()}
            assert shown == ({reasons[why]} if why in reasons else set())
            seen |= shown
    assert seen == {*reasons.values()}
    for why, text in reasons.items():
        assert list(notes_of(official.declaration, {"why": why})) == [(text, "")]
    assert list(notes_of(official.declaration, {"why": "-"})) == []


def test_what_is_counted_of_a_seat_is_shown_once_anything_is_counted() -> None:
    """Not what is hidden from who looks, nor numbers by which only computer players choose."""
    spades = Spades.declaration
    assert list(counts_of(spades, {"bids": (0, 0, 0, 0), "tricks": (0, 0, 0, 0)}, 1)) == []
    assert list(counts_of(spades, {"bids": (0, 5, 2, 1), "tricks": (0, 0, 0, 0)}, 0)) == ["bid 0"]
    assert list(counts_of(spades, {"bids": (0, 5, 2, 1), "tricks": (0, 2, 1, 0)}, 2)) == ["bid 2", "1 trick"]
    assert list(counts_of(spades, {"bids": (None, 5, None, None), "tricks": (0, 0, 0, 0)}, 0)) == []
    assert list(counts_of(Uno.declaration, {"wilds": (1, 0), "calls": (1, 1)}, 0)) == []


def test_bids_and_tricks_stand_beside_the_seats_of_a_replay_and_of_a_notebook() -> None:
    game = Spades.deal(players=4, seed=3)
    game.run()
    story = story_of(Transcript.of(game), "")
    assert set(story["start"]["counts"]) == {""}
    told = [counts for row in story["steps"] if (counts := row[-1].get("counts"))]
    assert len(told) == 4 + 13  # four bids, then a trick each
    assert [seat.split(", ")[0] for seat in told[-1]] == [f"bid {bid}" for bid in game.table.bids]
    tricks = [int(seat.split(", ")[1].split()[0]) for seat in told[-1]]
    assert sum(tricks) == 13
    assert all(f"· {seat}<" in board(game) for seat in told[-1])
    assert [text for text, _ in notes(game)] == ["trump: spades", "spades are broken"]


def test_a_count_that_nobody_sees_is_not_shown_at_all() -> None:
    @dataclass(slots=True)
    class Hidden(Spades.declaration.table):  # type: ignore[misc]
        tricks: list[int] = field(default_factory=lambda: [0] * 4)

    game = replace(Spades.declaration, name="hidden-tricks", table=Hidden)
    table = game.table()
    table.players, table.bids[0] = 4, 3
    facts = plain_facts(sight_of(game), table, 0)
    assert "tricks" not in facts
    assert list(counts_of(game, facts, 0)) == ["bid 3"]
    assert "tricks" not in {fact["name"] for fact in table_data(game)["facts"]}


@pytest.mark.parametrize(
    ("name", "asked"),
    [
        ("maumau", {"await-play play": "play a card", "await-play draw": "draw", "drawing pass_turn": "pass"}),
        ("uno-official", {"colour-choice name": "name a colour"}),
        ("mahjong", {"turn discard": "discard a tile", "turn gang": "lay out a gang"}),
        ("hearts", {"passing pass_card": "pass a card"}),
        ("go-fish", {"await-seat ask": "ask a player", "await-rank want": "ask for a rank"}),
        ("leduc-poker", {"first-round raise_bet": "raise"}),
        ("crazy-eights", {"await-play take": "take a card"}),
        ("president", {"leading play": "play cards", "giving give": "give a card"}),
    ],
)
def test_questions_are_put_in_words(name: str, asked: dict[str, str]) -> None:
    data = table_data(next(kind for kind in GAMES if kind.declaration.name == name).declaration)
    for place, text in asked.items():
        phase, trigger = place.split()
        assert data["offers"][phase][trigger]["asks"] == text
    assert data["events"].get("pass_card", "pass") == "pass", "the card follows"
    assert data["which"]["suit"] == ("which colour" if name.startswith("uno") else "which suit")


def test_the_direction_and_the_named_colour_are_shown() -> None:
    seen: set[str] = set()
    for seed in range(4):
        game = Uno.deal(4, seed)
        while not game.outcome:
            game.step()
            found = notes(game)
            words = {text for text, _ in found}
            assert ("counter-clockwise" in words) == (game.direction == -1)
            if game.named_colour:
                name = {"R": "red", "G": "green", "B": "blue", "Y": "yellow"}[game.named_colour]
                assert (f"named colour: {name}", game.named_colour) in found
            seen |= words
    assert "counter-clockwise" in seen


# ---------------------------------------------------------------- sentences


@pytest.mark.parametrize("kind", KINDS)
def test_the_sentences_are_those_of_the_trace(kind: type[Game]) -> None:
    game = played(kind, 3, 5)
    text = " ".join(trace(game, ""))
    story = story_of(game, "")
    for arc, _, _, _, what, why, _ in story["steps"]:
        if story["arcs"][arc]["trigger"] == "take":
            continue
        sentence, reason = story["sentences"][what], story["sentences"][why]
        assert (f"{sentence} ({reason})." if reason else f"{sentence}.") in text if sentence else True
    assert story["outcome"]["text"] in text


def test_a_narrator_that_is_stepped_and_undone_narrates_the_same() -> None:
    teller = Narrator(MauMau.deal(3, 7))
    first = [teller.row(teller.game.step()) for _ in range(9)]
    for _ in range(9):
        teller.undo()
    assert frame_of(teller.game) == teller.start
    assert [teller.row(teller.game.step()) for _ in range(9)] == first


# ---------------------------------------------------------------- faces


def test_every_card_has_a_face_and_a_name() -> None:
    french, uno = faces(DECLARATION), faces(Uno.declaration)
    assert french["CN"] == {"style": "french", "rank": "9", "suit": "C", "label": "nine of clubs"}
    assert (french["HT"]["rank"], french["DQ"]["label"]) == ("10", "queen of diamonds")
    assert uno["RD"]["label"] == "red draw two"
    assert (uno["WF"]["label"], uno["WF"]["suit"]) == ("wild draw four", "")
    assert len(french) == len({face["label"] for face in french.values()}) == 32
    assert len(uno) == len({face["label"] for face in uno.values()}) == 54
    assert suits(Uno.declaration) == {"Y": "yellow", "R": "red", "G": "green", "B": "blue"}
    assert suits(DECLARATION)["S"] == "spades"


@pytest.mark.parametrize(
    ("cards", "suits", "names", "styles"),
    [
        ("DA HT SQ C2", "DHSC", (), {"french"}),
        ("AD 10H QS 2C", "DHSC", ("diamonds", "hearts", "spades", "clubs"), {"french"}),
        ("DA HT SQ C2 X1", "DHSC", (), {"plain"}),
        ("D1 H1 D7 HA", "DH", (), {"plain"}),
        ("CA C7 D7", "CD", ("acorns", "bells"), {"plain"}),
        ("AD 7C NS KB", "DCSB", ("coins", "cups", "swords", "clubs"), {"italian"}),
        ("AD 7C QS KB", "DCSB", ("coins", "cups", "swords", "clubs"), {"plain"}),
        ("AD 7C NS KB", "DCSB", (), {"plain"}),
    ],
)
def test_the_default_faces_of_a_deck_are_of_one_kind(
    cards: str, suits: str, names: tuple[str, ...], styles: set[str]
) -> None:
    """A deck has French, or Italian, faces if each card is a rank and such a suit, else each shows its name."""
    notation = Notation(tuple(cards.split()), suits, "suit", names)
    assert {face_of(notation, card).style for card in notation.cards} == styles


# ---------------------------------------------------------------- the drawing


@pytest.mark.parametrize("name", BUILT_IN)
def test_the_drawing_that_is_shipped_is_of_the_declaration(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    def not_needed(*_: object) -> bytes:
        raise AssertionError("the drawing is old: run python -m maumau.diagrams")

    monkeypatch.setattr(DOCUMENT, "draw_svg", not_needed)
    declaration = game_class(name).declaration
    shown = drawing_of(declaration)
    assert shown.startswith("<svg")
    identifiers = re.findall(r'<g id="([^"]+)"', shown)
    for phase in declaration.phases:
        assert identifiers.count(phase.name) == 1
    for number, arc in enumerate(declaration.arcs):
        assert identifiers.count(f"a_arc-{number}") == 1
        for half in ("out", "in"):
            assert identifiers.count(f"{arc.source.name}-{arc.dest.name}-{half}") == 1
    assert not re.search(r"<title|<a |style=|href|<!--", shown)


@pytest.mark.usefixtures("pictures")
def test_a_declaration_that_has_changed_is_drawn_anew(monkeypatch: pytest.MonkeyPatch) -> None:
    shipped = drawing_of(DECLARATION)
    monkeypatch.setattr(DOCUMENT, "hash_of_drawing", lambda declaration: "0" * 24)
    anew = drawing_of(DECLARATION)
    assert anew.count("<g ") == shipped.count("<g ")

    def nothing(*_: object) -> bytes:
        raise DiagramError("nothing is installed")

    monkeypatch.setattr(DOCUMENT, "draw_svg", nothing)
    with pytest.raises(DiagramError):
        drawing_of(DECLARATION)
    assert hash_of_drawing(DECLARATION) != hash_of_drawing(Uno.declaration)


# ---------------------------------------------------------------- the file


@pytest.mark.parametrize("kind", KINDS)
def test_the_page_asks_for_nothing_and_is_small(kind: type[Game]) -> None:
    text = replay(played(kind, 4, 1), "game 1 of x")
    assert len(text.encode()) < LIMIT
    page = Elements(text)
    for tag, attributes in page.found:
        for name in ("src", "href", "action", "poster", "srcset"):
            target = attributes.get(name) or "#"
            assert target.startswith(("#", "data:")), (tag, target)
    policy = next(a["content"] for _, a in page.found if a.get("http-equiv") == "Content-Security-Policy")
    assert str(policy).startswith("default-src 'none'; script-src 'sha256-")
    assert "connect-src 'none'" in str(policy)
    assert "unsafe" not in str(policy)
    assert json.loads(page.texts["data"]) == plain(story_of(played(kind, 4, 1), "game 1 of x"))


def test_the_longest_game_of_the_corpus_is_small_too() -> None:
    done = maumau("replay", "-o", "-", "--number", "160", MAUMAU / "cases.in")
    assert len(done.stdout.encode()) < LIMIT
    assert len(json.loads(Elements(done.stdout).texts["data"])["steps"]) > 1900


def test_what_comes_from_outside_stays_text() -> None:
    text = replay(played(MauMau, 2, 1), HOSTILE)
    assert HOSTILE not in text
    page = Elements(text)
    assert "img" not in [tag for tag, _ in page.found]
    assert [tag for tag, _ in page.found].count("script") == 2
    assert json.loads(page.texts["data"])["heading"] == HOSTILE
    assert page.texts["title"] == f"Mau-Mau: {HOSTILE}"


@given(st.text())
def test_embedded_data_mean_nothing_to_html(text: str) -> None:
    found = embedded({"a": text})
    assert json.loads(found) == {"a": text}
    assert not set(found) & set("<>&\u2028\u2029")


@pytest.mark.parametrize("modules", [LOBBY, TABLE, REPLAY, LIVE])
def test_the_modules_have_different_names_at_the_top(modules: tuple[str, ...]) -> None:
    source = joined(modules)
    assert not re.search(r"^(import|export)\b", source, re.MULTILINE)
    names = re.findall(r"^(?:async )?(?:function|class|const|let) (\w+)", source, re.MULTILINE)
    assert len(names) == len(set(names)) > 10


def test_every_french_card_can_be_drawn() -> None:
    source = joined(("cards",))
    drawn = {name: re.search(rf"const {name} = {{(.*?)}};", source, re.DOTALL) for name in ("PIPS", "COURTS")}
    ranks = {rank for found in drawn.values() if found for rank in re.findall(r"^  (\w+):", found[1], re.MULTILINE)}
    assert ranks == {corner for corner, _ in FRENCH_RANKS.values()}


# ---------------------------------------------------------------- the command


def test_replay_writes_the_page_of_the_requested_game(tmp_path: Path) -> None:
    written = tmp_path / "page.html"
    done = maumau("replay", MAUMAU / "statement.in", "--number", "1", "-o", written)
    assert (done.returncode, done.stdout, done.stderr) == (0, "", f"maumau: wrote {written}\n")
    story = json.loads(Elements(written.read_text()).texts["data"])
    (_, second) = MauMau.read(STATEMENT, "")
    game = MauMau.of_deck(second.players, second.deck)
    game.run()
    assert story == plain(story_of(Transcript.of(game), "game 1 of statement.in"))


def test_replay_of_the_game_of_a_number_has_the_deck_and_the_dice_of_this_game_of_the_seed() -> None:
    dealt = maumau("deal", "--players", 3, "--seed", 5, "--games", 4).stdout
    games = [MauMau.deal(3, 5, number, ["random"]) for number in range(4)]
    for number, game in enumerate(games):
        game.run()
        page = maumau("replay", "--policy", "random", "--seed", 5, "--number", number, "-o", "-", data=dealt).stdout
        shown = json.loads(Elements(page).texts["data"])
        assert shown == plain(story_of(Transcript.of(game), f"game {number} of standard input"))
    assert len({len(game.history) for game in games}) > 1


def test_replay_of_a_record_has_the_dice_with_which_it_was_played() -> None:
    game = MauMau.deal(3, 5, 41, ["random"])
    game.run()
    line = f"1\n{MauMau.write(3, game.dealt_deck())}\n"
    record = maumau("simulate", "--policy", "random", "--seed", 5, "--number", 41, "--json", data=line).stdout
    page = maumau("replay", "-o", "-", data=record).stdout
    assert len(json.loads(Elements(page).texts["data"])["steps"]) == len(game.history)


def test_replay_of_a_record_and_of_the_other_game() -> None:
    record = maumau("simulate", "--json", "--policy", "random", "--seed", "3", data=STATEMENT).stdout
    of_record = maumau("replay", "-o", "-", data=record).stdout
    assert of_record == maumau("replay", "-o", "-", "--policy", "random", "--seed", "3", data=STATEMENT).stdout
    uno = maumau("replay", "--game", "uno", "--number", "39", "-o", "-", UNO / "cases.in").stdout
    assert json.loads(Elements(uno).texts["data"])["title"] == "UNO"


@pytest.mark.parametrize(
    ("arguments", "data", "message"),
    [
        ([], "", "<stdin>:1: the input is empty; it must begin with the number of games"),
        ([], "1\n2 SS\n", "<stdin>:2: 1 card instead of 32"),
        ([], f"1\n2 {HOSTILE[:9]}\n", "<stdin>:2: card 1: unknown card '</script>'"),
        ([], '{"format": 1}', "<stdin>:1: not a record of a game"),
        ([], '{"format": ', "<stdin>:1: the line is not valid JSON from column"),
        (["--number", "2"], STATEMENT, "--number: 2 is out of range; use 0 to 1"),
        (["--policy", "x"], STATEMENT, "--policy: unknown policy 'x'"),
        (["--open", "-o", "-"], STATEMENT, "--open: the page goes to standard output; name a file with -o FILE"),
    ],
)
def test_bad_input_is_reported_and_no_page_is_written(
    arguments: list[str], data: str, message: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PYTHONPATH", str(Path(__file__).parents[2]))
    monkeypatch.chdir(tmp_path)
    done = maumau("replay", *arguments, data=data)
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr.startswith(message)
    assert not list(tmp_path.iterdir())


def test_a_page_that_cannot_be_written_has_an_exit_status_of_its_own() -> None:
    done = maumau("replay", "-o", "/no/such/folder/page.html", data=STATEMENT)
    assert (done.returncode, done.stdout) == (74, "")
    assert done.stderr.startswith("/no/such/folder/page.html: no such folder; name a file that can be written")


@pytest.mark.parametrize("name", ["maumau+lively", "mahjong", "uno-official+family-uno"])
def test_a_room_is_small_and_has_no_comments(name: str) -> None:
    text = table_page(game_class(name)).text
    assert len(text.encode()) < 220_000
    script = text.partition('<script type="module">')[2].partition("</script>")[0]
    assert [line for line in script.splitlines() if line.lstrip().startswith("//") or line.startswith(" ")] == []
    style = text.partition("<style>")[2].partition("</style>")[0]
    assert [line for line in style.splitlines()[1:] if not line or "/*" in line or line.startswith(" ")] == []


def test_a_room_can_be_played_in_where_nothing_draws_its_machine(monkeypatch: pytest.MonkeyPatch) -> None:
    def nothing(declaration: object) -> str:
        raise DiagramError("nothing is installed")

    monkeypatch.setattr("render.page.play.drawing_element", nothing)
    text = table_page(game_class("maumau")).text
    assert re.search(r'<div id="diagram"[^>]*></div>', text)
