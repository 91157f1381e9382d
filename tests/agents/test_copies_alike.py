"""Which of several cards of one name lies where changes no game: the same deck is the same game, however it comes in."""

from __future__ import annotations

from collections.abc import Sequence
from random import Random

import pytest

import maumau.agents.players  # noqa: F401  (the forms of names `search:` and `net`)
from fsm import Game, game_class
from fsm.match.played import event_text
from fsm.records import record_of, replay

KINDS = [game_class(name) for name in ("uno", "uno-official", "mahjong")]
by_game = pytest.mark.parametrize("kind", KINDS, ids=lambda kind: kind.__name__)


def renamed(kind: type[Game], deck: Sequence[int], random: Random) -> bytes:
    """A deck with the same names, in which cards of one name have changed places."""
    names = kind.declaration.codec.notation.cards
    left: dict[str, list[int]] = {}
    for code in random.sample(list(deck), len(deck)):
        left.setdefault(names[code], []).append(code)
    return bytes(left[names[code]].pop() for code in deck)


def played(game: Game) -> tuple[list[str], object]:
    """The events of a game that is played to its end, and how it ended."""
    game.run()
    return [event_text(step) for step in game.history], game.outcome


def check_alike(kind: type[Game], players: int, policies: Sequence[str], numbers: Sequence[int]) -> None:
    """Games of the same names of cards are the same: renamed, as text, number, record and position."""
    random = Random(7)
    for number in numbers:
        deck = kind.deck_of(players, 7, number)
        by_number = kind.deal(players, 7, number, policies)
        events = played(by_number)
        assert played(kind.of_deck(players, renamed(kind, deck, random), policies, 7, number)) == events
        text = kind.write(players, deck)
        ((_, read),) = kind.read(f"1\n{text}\n")
        assert played(kind.of_deck(players, read, policies, 7, number)) == events
        record = record_of(by_number)
        again = replay(record)
        assert record_of(again) == record
        assert played(kind.of_deck(players, again.dealt_deck(), policies, 7, number)) == events
        by_text = kind.parse(text, policies)
        at_start = kind.at(by_text.position(), policies)
        assert played(at_start) == played(by_text)


@pytest.mark.slow
@by_game
def test_copies_change_no_game_of_a_policy(kind: type[Game]) -> None:
    own = [policy.name for policy in kind.declaration.policies]
    players = min(max(kind.declaration.codec.fewest, len(own)), kind.declaration.codec.most)
    for policy in own:
        check_alike(kind, players, [policy], range(1))
    check_alike(kind, players, (own * players)[:players], range(1, 3))


def test_the_decks_differ_in_codes_only() -> None:
    kind, random = KINDS[0], Random(7)
    deck = kind.deck_of(3, 7, 0)
    other = renamed(kind, deck, random)
    assert other != deck
    assert kind.write(3, other) == kind.write(3, deck)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("name", "policies"),
    [
        ("uno", ["search:12", "house", "house"]),
        pytest.param("uno", ["search:4:net", "house"], marks=pytest.mark.thorough),
        pytest.param("uno", ["net", "house"], marks=pytest.mark.thorough),
        pytest.param("uno-official", ["search:12", "bluffer", "random"], marks=pytest.mark.thorough),
        pytest.param("mahjong", ["search:2", "house", "house"], marks=pytest.mark.thorough),
    ],
)
def test_copies_change_no_game_of_search_or_a_net(name: str, policies: list[str]) -> None:
    check_alike(game_class(name), len(policies), policies, range(5))
