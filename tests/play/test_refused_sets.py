"""A set of cards that is refused is refused with the same reason wherever people or programs name it."""

from __future__ import annotations

from contextlib import suppress
from typing import Any

import pytest
from play_games import seated

from examples.gin_rummy import GinRummy
from examples.president import President
from fsm import IllegalMove, Move, register
from maumau.play.table import Refused, Table
from maumau.play.terminal.plain import InputEnded, PlainTable

REASON = "is not a set of as many cards of a higher rank"
PAIR, SET, CARD = "play 6C,6D", "6C,6D", "6C"
MELDING = (
    "melding player=1 taken=6D passed=0 knocker=1 first=-/- second=-/- third=-/- off=-/- ending=- winner=- "
    "hands=4C,3C,5C,2D,AH,4H,AC,4D,5D,6D/5S,5H,AS,AD,3H,3D,4S,2S,2C,3S "
    "discard=KH,KD,QD,JH,JD,9S,QC,TC,QH,9H,9C,8H,TD,KC,7S,7C,9D,JC,KS,8S,7D,6H draw=TH,QS,8C,7H,8D,2H,6S,TS,6C,JS"
)


def to_beat_an_ace() -> Table:
    """A table of President at which player 1 holds 6C and 6D and is to beat an ace."""
    table = Table(seated(President, 3, policy="house", seed=7))
    while not table.asked:
        table.advance()
    table.act(1, Move("play", "QD"), at=table.version(1))
    while not table.asked:
        table.advance()
    return table


def said(*answers: str) -> str:
    written: list[str] = []
    with suppress(InputEnded):
        PlainTable(to_beat_an_ace(), 1, answers, written.append).play()
    return "\n".join(written)


def test_the_events_of_a_game_name_it() -> None:
    table = to_beat_an_ace()
    assert table.game.events().refused[PAIR] == f"{SET} {REASON}"
    melding = GinRummy.at(MELDING)
    before = str(melding.position())
    assert melding.events().refused["meld 4D,4H,4C"] == "it is not a meld that leaves little deadwood"
    assert "meld 3C,4C,5C" not in melding.events().refused
    assert str(melding.position()) == before
    with pytest.raises(IllegalMove) as caught:
        melding.fire("meld", "4D,4H,4C")
    assert caught.value.excludes == 0


def test_a_question_gives_it_for_sets_and_for_cards_that_are_in_none_that_is_legal() -> None:
    question = to_beat_an_ace().view(1)["question"]
    assert question["refused"][PAIR] == f"{SET} {REASON}"
    assert question["unplayable"][CARD] == f"{CARD} {REASON}"
    assert not any("no card is asked for" in reason for reason in question["unplayable"].values())


def test_a_table_refuses_it() -> None:
    table = to_beat_an_ace()
    with pytest.raises(Refused, match=f"player 1 cannot {PAIR} on AH: {SET} {REASON}; may play 2D"):
        table.act(1, {"trigger": "play", "card": SET}, at=table.version(1))


@pytest.mark.parametrize("line", ["play 6D,6C", "6C 6D", "6d, 6c", "why 6C 6D", "why 6D,6C", "PLAY 6c,6d"])
def test_plain_lines_say_it_for_a_set_in_any_order(line: str) -> None:
    assert f"player 1 cannot {PAIR} on AH: {SET} {REASON}; may play 2D" in said(line)


@pytest.mark.parametrize(
    ("line", "answer"),
    [
        ("why 6C", f"6C {REASON}"),
        ("why 2D", "2D can be played"),
        ("why 6C,KH", "'6C,KH' is not a set of cards of your hand"),
        ("why 9D 6C", "'6C,9D' is not a set of this game"),
    ],
)
def test_why_answers_for_cards_and_sets(line: str, answer: str) -> None:
    assert answer in said(line)


def test_a_legal_set_is_laid_whatever_the_order_of_its_cards() -> None:
    for line in ("6d 6c", "play 6D,6C", "play 6C, 6D"):
        table = Table(seated(President, 3, policy="house", seed=7))
        written: list[str] = []
        with suppress(InputEnded):
            PlainTable(table, 1, [line], written.append).play()
        assert "Player 1 plays 6C,6D." in written


async def test_the_screen_has_it_as_a_choice_that_says_why() -> None:
    from test_play_screen import on_screen, settled, text_of

    from maumau.play.terminal.screen import CardChoice

    async with on_screen(to_beat_an_ace(), size=(100, 40)) as (app, pilot):
        choice = next(choice for choice in app.query(CardChoice) if choice.reason == f"{SET} {REASON}")
        assert choice.has_class("refused")
        choice.press()
        await settled(app, pilot)
        assert text_of(app, "#message") == f"6♣,6♦ {REASON}."


def test_a_room_and_a_game_on_a_server_answer_with_it() -> None:
    pytest.importorskip("httpx2")
    from starlette.testclient import TestClient
    from test_tables import HERE, PORT, opened

    from maumau.play.server.app import application

    with TestClient(application(PORT), base_url=HERE) as client:
        room = opened(
            client, [{"person": name} for name in ("Ann", "Ben", "Cem")], game=register(President).declaration.name
        )
        link, view = asked(client, room)
        single = next(move for move in view["question"]["moves"][::-1] if "," not in move["card"])
        assert client.post(f"/{link}/act", json={"at": view["version"], "move": single}).status_code == 200
        link, view = asked(client, room)
        event, reason = next(each for each in view["question"]["refused"].items() if "," in each[0])
        assert reason.endswith(REASON)
        trigger, card = event.split(" ")
        answer = client.post(f"/{link}/act", json={"at": view["version"], "move": {"trigger": trigger, "card": card}})
        assert answer.status_code == 422
        assert f"{reason}; may " in answer.json()["error"]
        begun = client.post("/games", json={"game": register(GinRummy).declaration.name, "position": MELDING})
        assert ["meld 4D,4H,4C", "it is not a meld that leaves little deadwood"] in begun.json()["state"]["refused"]


def asked(client: Any, room: dict[str, Any]) -> tuple[str, dict[str, Any]]:
    """The link of the person who is asked, and what the person sees."""
    from test_tables import seen

    while True:
        for link in room["seats"]:
            if (view := seen(client, link)["view"])["question"]:
                return link, view


def test_learners_are_refused_with_it() -> None:
    from maumau.agents.observed import Observed

    observed = Observed(to_beat_an_ace().game)
    move = Move(*PAIR.split(" "))
    with pytest.raises(IllegalMove, match=f"{SET} {REASON}; may play 2D"):
        observed.act(observed.actions.number(move, 1, 3))
