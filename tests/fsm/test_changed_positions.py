"""Positions of games with one fact changed, or one card moved: each is refused, or leads only to positions that are accepted.

python -m pytest                a few positions of each phase
python -m pytest -m thorough    many
"""

from __future__ import annotations

import random
import re
from collections.abc import Iterator, Sequence
from itertools import permutations

import pytest
from all_games import GAMES, HOUSE_RULES, MAHJONG, OFFICIAL_UNO
from turned_trump import TurnedTrump

from examples.crazy_eights import CrazyEights
from examples.go_fish import GoFish
from examples.hearts import Hearts
from examples.president import President
from fsm import Game, MauMau, PositionError
from fsm.declaration.facts import NOTHING, Fact
from maumau.kinds.climbing import MyClimbing
from maumau.kinds.fishing import MyFishing
from maumau.kinds.shedding import MyShedding
from maumau.kinds.tricks import MyTricks

MAX_STEPS = 400
"""Steps of a game from which positions are taken."""
STEPS = 8
"""Steps that are taken from a changed position, at random."""
NUMBERS = ("0", "1", "2", "3", "4", "5", "6", "8", "13", "26", "99")


def positions(kind: type[Game], number: int, each: int, rng: random.Random) -> Iterator[str]:
    """Some positions of each phase of a game: of default players where the number is even, else of random ones."""
    codec = kind.declaration.codec
    players = codec.fewest + number % (codec.most - codec.fewest + 1)
    game = kind.deal(players, 11, number, ("random",) if number % 2 else ())
    found: dict[str, list[str]] = {str(game.phase): [game.position()]}
    while game.outcome is None and len(game.history) < MAX_STEPS:
        game.step()
        found.setdefault(str(game.phase), []).append(game.position())
    for lines in found.values():
        yield from rng.sample(lines, min(each, len(lines)))


def values(kind: type[Game], fact: Fact, players: int, rng: random.Random) -> Sequence[str]:
    """Texts that a fact may have."""
    notation = kind.declaration.codec.notation
    seats = [str(seat + 1) for seat in range(players)]
    if fact.words:
        return fact.words
    if fact.kind == "counts":
        return ["/".join(rng.choice(NUMBERS) for _ in seats) for _ in NUMBERS] + ["/".join(["99"] * players)]
    names = {"card": notation.cards, "suit": notation.suits, "rank": notation.ranks}.get(fact.kind, ())
    found = {"number": NUMBERS, "seat": seats, "ending": ("won", "out-of-cards", "endless")}.get(fact.kind, names)
    return [NOTHING, *rng.sample(sorted(set(found)), min(12, len(set(found))))]


def changed(kind: type[Game], line: str, rng: random.Random) -> Iterator[str]:
    """The position in each other phase, and with other values of each fact."""
    phase, *rest = line.split()
    texts = dict(field.split("=", 1) for field in rest)
    yield from (f"{other} {' '.join(rest)}" for other in kind.declaration.phases if str(other) != phase)
    players = texts["hands"].count("/") + 1
    for fact in kind.declaration.codec.facts:
        for value in values(kind, fact, players, rng):
            other = texts | {fact.name: value}
            if other != texts:
                yield " ".join([phase, *(f"{name}={text}" for name, text in other.items())])


def moved(line: str, rng: random.Random) -> Iterator[str]:
    """The position with cards moved between each two places, which are the hands and both piles."""
    phase, *rest = line.split()
    texts = dict(field.split("=", 1) for field in rest)
    hands = texts["hands"].split("/")
    places = [text.split(",") if text != NOTHING else [] for text in (*hands, texts["discard"], texts["draw"])]
    for source, dest in permutations(range(len(places)), 2):
        for move in (move_last, move_any, move_all, exchange):
            cards = [list(place) for place in places]
            if places[source]:
                move(cards[source], cards[dest], rng)
                *held, discard, draw = (",".join(place) or NOTHING for place in cards)
                other = texts | {"hands": "/".join(held), "discard": discard, "draw": draw}
                yield " ".join([phase, *(f"{name}={text}" for name, text in other.items())])


def move_last(source: list[str], dest: list[str], rng: random.Random) -> None:
    dest.append(source.pop())


def move_any(source: list[str], dest: list[str], rng: random.Random) -> None:
    dest.insert(rng.randint(0, len(dest)), source.pop(rng.randrange(len(source))))


def move_all(source: list[str], dest: list[str], rng: random.Random) -> None:
    dest.extend(source)
    source.clear()


def exchange(source: list[str], dest: list[str], rng: random.Random) -> None:
    if dest:
        one, other = rng.randrange(len(source)), rng.randrange(len(dest))
        source[one], dest[other] = dest[other], source[one]


def fault(kind: type[Game], line: str, rng: random.Random) -> str | None:
    """What is wrong with a position, unless it is refused, or all that it leads to is accepted."""
    try:
        game = kind.at(line)
        moves = game.events()
    except PositionError:
        return None
    except Exception as error:
        return f"{line}: {type(error).__name__}: {error}"
    if not (moves or game.outcome):
        return f"{line}: no event is legal"
    for move in moves:
        try:
            after = game.clone()
            after.fire(move)
            for _ in range(STEPS):
                assert kind.at(after.position()) == after
                if after.outcome:
                    break
                after.fire(rng.choice(after.events()))
        except Exception as error:
            return f"{line}: {move}: {type(error).__name__}: {error}"
    return None


def faults(kind: type[Game], games: int, each: int, moves: int) -> list[str]:
    """What is wrong with changed positions of some games. moves: so many of the positions with moved cards, of each."""
    rng = random.Random(5)
    found = []
    for line in (line for number in range(games) for line in positions(kind, number, each, rng)):
        others = list(moved(line, rng))
        others = [*changed(kind, line, rng), *rng.sample(others, min(moves, len(others)))]
        found += [fault(kind, other, rng) for other in others]
    return [each for each in found if each]


STATED = [*(kind for kind in GAMES if kind is not TurnedTrump), MyClimbing, MyFishing, MyShedding, MyTricks]
"""The games whose invariants say which positions there are: a game of the tests has none of its tricks."""


@pytest.mark.slow
@pytest.mark.parametrize("kind", STATED)
@pytest.mark.parametrize(("games", "each", "moves"), [(2, 1, 3), pytest.param(10, 2, 30, marks=pytest.mark.thorough)])
def test_changed_positions_are_refused_or_lead_to_positions(
    kind: type[Game], games: int, each: int, moves: int
) -> None:
    assert faults(kind, games, each, moves) == []


@pytest.mark.thorough
@pytest.mark.parametrize("rule", HOUSE_RULES)
def test_changed_positions_of_house_rules_are_refused_or_lead_to_positions(rule: str) -> None:
    assert faults(MauMau.with_rules(rule), games=20, each=2, moves=30) == []


# ------------------------------------------------------------------ what no game comes to, by game


def refused(kind: type[Game], line: str, **facts: object) -> str:
    """Why a position is refused with other facts; it is accepted as it is."""
    assert kind.at(line).position() == line
    other = line
    for name, value in facts.items():
        other = re.sub(rf" {name}=\S*", f" {name}={value}", other)
    with pytest.raises(PositionError) as caught:
        kind.at(other)
    return str(caught.value).partition("this must hold: ")[2]


def first(kind: type[Game], phase: str, players: int, seed: int, part: str = "") -> str:
    """The first position of a phase, with a part that it must have, in the games of a seed."""
    for number in range(1000):
        game = kind.deal(players, seed, number)
        while game.outcome is None:
            game.step()
            if str(game.phase) == phase and part in game.position():
                return game.position()
    raise AssertionError(f"no {phase} {part}")


@pytest.mark.parametrize(
    ("laid", "facts", "why"),
    [
        (1, {"laid": 4}, "those who have played to the trick hold a card less than the others"),
        (1, {"player": 2}, "those who have played to the trick hold a card less than the others"),
        (2, {"taker": 4}, "the best card of a trick, its suit and its player are those of the cards that lie there"),
        (2, {"loot": 26}, "the points of the trick are those of its cards"),
        (3, {"points": "0/0/0/26"}, "a player has the points of tricks taken"),
        (3, {"broken": 2}, "a heart that is played breaks hearts, which is 1 or 0"),
        (3, {"direction": 4}, "cards are passed at most three seats further"),
    ],
)
def test_a_trick_of_hearts_is_as_its_cards_lie(laid: int, facts: dict[str, object], why: str) -> None:
    line = first(Hearts, "following", 4, 7, f" laid={laid} ")
    assert why in refused(Hearts, line, **facts)


@pytest.mark.parametrize("player", [1, 2, 4])
def test_players_of_hearts_pass_one_after_the_other(player: int) -> None:
    line = first(Hearts, "passing", 4, 7, "passing player=3 ")
    assert refused(Hearts, line, player=player) == "the players pass three cards each, one player after the other"


@pytest.mark.parametrize(("name", "text"), [("why", "own-draw"), ("why", "victim"), ("due", 2), ("colour_before", "R")])
def test_a_round_of_official_uno_that_was_won_is_over(name: str, text: object) -> None:
    line = first(OFFICIAL_UNO, "round-over", 3, 7, " why=- ")
    assert refused(OFFICIAL_UNO, line, **{name: text})


def test_in_a_round_of_official_uno_that_is_over_no_card_was_drawn() -> None:
    line = first(OFFICIAL_UNO, "round-over", 3, 7, " why=- ")
    drawn = next(hand[0] for hand in OFFICIAL_UNO.at(line).hands if hand)
    assert refused(OFFICIAL_UNO, line, drawn=drawn) == "a round ends won or endless, and rightly so"


def test_who_draws_for_a_wild_draw_four_knows_the_colour() -> None:
    line = first(OFFICIAL_UNO, "drawing", 3, 7, "due=4 why=victim drawn=- ")
    why = "cards are drawn when a colour is named, except by a player who is caught, or for a last card"
    assert refused(OFFICIAL_UNO, line, colour="-") == why


@pytest.mark.parametrize(
    ("phase", "facts", "why"),
    [
        ("initial", {"places": "1/2/0"}, "each had a place in the round before, if there was one"),
        ("initial", {"places": "1/2/2"}, "each had a place in the round before, if there was one"),
        ("initial", {"places": "1/2/4"}, "each had a place in the round before, if there was one"),
        ("initial", {"former": "1/2/3"}, "only while cards are given the round before is remembered"),
        ("leading", {"former": "1/2/3"}, "only while cards are given the round before is remembered"),
        ("game-over", {"former": "1/2/3"}, "only while cards are given the round before is remembered"),
        ("giving", {"former": "1/2/2"}, "the next to give is in turn, by the places of the round before"),
        ("giving", {"former": "1/2/3"}, "the next to give is in turn, by the places of the round before"),
        ("giving", {"places": "0/0/1"}, "the next to give is in turn, by the places of the round before"),
        ("giving", {"given": 1}, "cards are given of the hands that were dealt"),
    ],
)
def test_the_places_of_a_round_before_are_whole_at_president(phase: str, facts: dict[str, object], why: str) -> None:
    line = President.deal(3, 7).position()
    if phase == "giving":
        game = President.at(line.replace(" places=0/0/0 ", " places=3/2/1 "))
        game.step()
        line = game.position()
    elif phase != "initial":
        line = first(President, phase, 3, 7)
    assert refused(President, line, **facts) == why


@pytest.mark.parametrize(
    ("phase", "facts", "why"),
    [
        ("initial", {"places": "1/2/0"}, "each had a place in the round before, if there was one"),
        ("initial", {"size": 2}, "where a set is led there is none to beat"),
        ("following", {"player": 1}, "the player in turn holds cards, and did not lay last"),
        ("game-over", {"last": "-"}, "the set to beat was laid last"),
    ],
)
def test_a_new_game_of_climbing_says_which_positions_there_are(phase: str, facts: dict[str, object], why: str) -> None:
    line = MyClimbing.deal(3, 7).position() if phase == "initial" else first(MyClimbing, phase, 3, 7)
    assert refused(MyClimbing, line, **facts) == why


def test_calls_are_counted_beyond_99() -> None:
    line = re.sub(r" calls=\S*", " calls=99/99", first(OFFICIAL_UNO, "uno-call", 2, 7))
    game = OFFICIAL_UNO.at(line)
    game.call()
    assert "100" in game.position()
    assert OFFICIAL_UNO.at(game.position()) == game


@pytest.mark.parametrize("more", [1, 2, 90])
def test_the_score_of_mahjong_is_that_of_the_hand(more: int) -> None:
    line = first(MAHJONG, "game-over", 2, 11, "ending=won")
    score = int(line.partition(" score=")[2].partition(" ")[0])
    assert refused(MAHJONG, line, score=score + more) == "a game ends won, and who must pays, or with an empty wall"


def test_who_is_out_wins_at_crazy_eights() -> None:
    line = first(CrazyEights, "game-over", 3, 7, "winner=1")
    assert refused(CrazyEights, line, winner=2) == "a player who is out wins, or the lowest hand when all have passed"


def test_who_has_drawn_at_crazy_eights_held_a_card_before() -> None:
    game = CrazyEights.deal(2, 7)
    while len(game.hands[game.player - 1]) > 1 or str(game.phase) != "await-play":
        game.step()
    line = game.position()
    assert CrazyEights.at(line)
    with pytest.raises(PositionError, match="a player who has drawn holds two cards or more"):
        CrazyEights.at(line.replace("await-play", "drawn"))


def test_most_books_win_at_go_fish() -> None:
    line = first(GoFish, "game-over", 3, 7, "ending=won")
    other = 1 + GoFish.at(line).outcome.winner % 3
    why = "a game ends where the stock is gone or a player has no cards, and most books win"
    assert refused(GoFish, line, winner=other) == why


@pytest.mark.parametrize("phase", ["await-play", "cover-pending", "jack-binding", "penalty-pending"])
def test_an_eight_is_left_uncovered_only_while_a_card_is_drawn(phase: str) -> None:
    kind = MauMau.with_rules("cover-eight")
    line = first(kind, phase, 3, 7)
    assert "an eight is left uncovered only w" in refused(kind, line, uncovered=1)


@pytest.mark.parametrize("rules", [(), ("sevens-draw-1",), ("sevens-draw-4",), ("heart-king-draws-five",)])
def test_who_plays_on_has_drawn_the_penalty_for_the_open_card(rules: tuple[str, ...]) -> None:
    kind = MauMau.with_rules("play-on-after-penalty", *rules)
    line = first(kind, "play-on", 2, 7)
    hands, discard, draw = (line.partition(f" {name}=")[2].partition(" ")[0] for name in ("hands", "discard", "draw"))
    held, laid = [hand.split(",") for hand in hands.split("/")], discard.split(",")
    hand = held[int(line.partition(" player=")[2][0]) - 1]
    why = "a player who plays on has drawn the penalty for the open card"

    plain = next(index for index, card in enumerate(hand) if card[1] in "NTQA")
    laid[-1], hand[plain] = hand[plain], laid[-1]
    assert refused(kind, line, hands="/".join(map(",".join, held)), discard=",".join(laid)) == why

    laid[-1], hand[plain] = hand[plain], laid[-1]
    drawn, hand[1:] = hand[1:], []
    assert refused(kind, line, hands="/".join(map(",".join, held)), draw=",".join([*drawn, draw])) == why


def test_who_plays_on_has_turned_the_pile_that_was_drawn_empty() -> None:
    kind = MauMau.with_rules("play-on-after-penalty")
    line = first(kind, "play-on", 2, 7)
    discard, draw = (line.partition(f" {name}=")[2].partition(" ")[0] for name in ("discard", "draw"))
    why = "a player who plays on has turned the pile that was drawn empty"
    assert refused(kind, line, discard=f"{draw},{discard}", draw="-") == why
