"""Observations and information states: what they say is true, and nothing in them is hidden from the player."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator
from copy import deepcopy
from itertools import islice
from random import Random
from types import SimpleNamespace
from typing import Any

import pytest
import worlds
from all_games import GAMES, HOUSE_RULES, MAHJONG, OFFICIAL_UNO, UNO_HOUSE_RULES
from plain_observation import plain_observation
from worlds import given, other_world, redeal

from examples.crazy_eights import CrazyEights
from examples.hearts import Hearts
from fsm import Game, MauMau, Uno
from fsm.stepping.setup import deals
from fsm.table.sight import sight_of
from maumau import ObservationLayout, Observed, information_state, layout
from maumau.agents.layout import notes_of
from maumau.agents.observed import functions_of
from rules.visibility import SeenBy, visibility


def read(shape: ObservationLayout, line: bytes) -> dict[str, object]:
    """An observation as people read it: cards counted, one of several by name, else numbers."""
    found: dict[str, object] = {}
    for field in shape.fields:
        numbers = list(line[field.start : field.end])
        assert all(0 <= number <= field.high for number in numbers)
        marked = [label for label, number in zip(field.labels, numbers, strict=True) if number]
        if field.name == "phase" or field.name.startswith("last event"):
            assert len(marked) <= 1
            found[field.name] = marked[0] if marked else None
        elif field.labels == shape["hand"].labels or field.name.startswith("melds"):
            found[field.name] = Counter({label: n for label, n in zip(field.labels, numbers, strict=True) if n})
        else:
            found[field.name] = numbers
    return found


def played(kind: type[Game], players: int, number: int, random: Random, most: int = 10_000) -> Iterator[Observed]:
    """An observed game of a seed at each of its choices, which are made at random."""
    return choices(kind.deal(players, seed=11, number=number), random, most)


def choices(game: Game, random: Random, most: int) -> Iterator[Observed]:
    """An observed game at each of its choices, which are made at random."""
    observed = Observed(game)
    for _ in range(most):
        observed.advance()
        if observed.over:
            return
        yield observed
        observed.act(random.choice(observed.legal()))


@pytest.mark.parametrize("kind", [MauMau, Uno, CrazyEights, MAHJONG])
def test_every_field_says_what_the_player_sees(kind: type[Game]) -> None:
    random, decisions = Random(1), 0
    for number in range(4):
        for observed in played(kind, 3, number, random, most=150):
            if decisions % 5 == 0:
                seat = random.randrange(3)
                expected = plain_observation(observed.game, seat + 1)
                found = read(observed.layout, observed.observation(seat))
                assert {name: found[name] for name in expected} == expected
            decisions += 1
    assert decisions > 60


def test_facts_are_seen_from_the_own_seat() -> None:
    game = MauMau.at(
        "drawing player=2 due=0 penalty=0 drawn=HK suit=- ending=- winner=- hands=SS,SN/HA,HK discard=CS "
        "draw=DQ,HQ,SQ,CQ,DK,SK,CK,DS,HS,DE,HE,SE,CE,DN,HN,CN,DT,HT,ST,CT,DA,SA,CA,DJ,HJ,SJ,CJ"
    )
    observed = Observed(game)
    own, others = (read(observed.layout, observed.observation(seat)) for seat in (1, 0))
    assert own["drawn"] == Counter(["HK"])
    assert others["drawn"] == Counter()
    assert own["hand sizes"] == others["hand sizes"] == [2, 2]


def test_who_passes_cards_knows_where_they_are_and_nobody_else_does() -> None:
    """In game 0 of a row cards are passed to the left, the next seat."""
    observed, random = Observed(Hearts.deal(4, seed=3, number=0)), Random(2)
    observed.advance()
    passed: dict[int, list[str]] = {}
    while str(observed.game.phase) == "passing":
        step = observed.act(random.choice(observed.legal()))
        passed.setdefault(step.player - 1, []).append(str(step.card))
        observed.advance()
    for seat, cards in passed.items():
        found = read(observed.layout, observed.observation(seat))
        assert found["known with +1"] == Counter(cards)
        assert found["known with +2"] == found["known with +3"] == Counter()


def test_the_notes_of_a_game_with_a_history_are_those_of_one_that_was_watched() -> None:
    for observed in played(MauMau, 3, 2, Random(3), most=40):
        again = Observed(observed.game.clone())
        assert [again.observation(seat) for seat in range(3)] == [observed.observation(seat) for seat in range(3)]


# ---------------------------------------------------------------- everything public

PLACES = {"head", "stock", "tail", "bottom"}
"""Places in the ring: what they say is how many cards the piles have and which cards lie on the discard pile."""
PAST = {"turns", "reshuffles", "trail"}
"""Statistics of the events so far, on which no rule depends."""
SEATS = {"players", "player"}
"""Each number of players has a layout of its own, and seats count from the one that observes, which is asked to act."""
FIRED = {"card", "suit"}
"""What comes with the event that is being fired: they are written anew before any rule reads them."""


def unseen(kind: type[Game], players: int, fields: set[str], games: int) -> set[str]:
    """Which fields can change at decisions, to a value that they have at another one, and no observation changes."""
    values: dict[str, list[Any]] = {field: [] for field in fields}
    left = set(fields)
    for number in range(games):
        for observed in played(kind, players, number, Random(9), most=120):
            table, seat = observed.game.table, observed.seat
            before = observed.observation(seat)
            for field in fields:
                old = deepcopy(getattr(table, field))
                if old not in values[field]:
                    values[field].append(old)
                for value in values[field][-3:] if field in left else ():
                    setattr(table, field, deepcopy(value))
                    if observed.observation(seat) != before:
                        left.discard(field)
                setattr(table, field, old)
    return {field for field in left if len(values[field]) > 1}


@pytest.mark.parametrize("kind", GAMES)
def test_every_public_field_is_in_the_observation(kind: type[Game]) -> None:
    game = kind.declaration
    chosen = {offer.kind for control in game.control.values() for offer in control.offers}
    public = {field for field, seen in visibility(game.table).items() if seen is SeenBy.ALL}
    fields = public - PLACES - PAST - SEATS - FIRED - chosen
    assert unseen(kind, game.codec.fewest, fields, games=4) == set()


def test_a_public_field_that_is_left_out_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    """The melds of mahjong, and nothing else, are unseen if they are not written."""
    functions = functions_of(MAHJONG.declaration, 2)
    melds = [field for field in layout(MAHJONG.declaration, 2).fields if field.name.startswith("melds")]

    def observe(table: Any, phase: int, seat: int, notes: list[int], discarded: bytearray, line: bytearray) -> None:
        functions.observe(table, phase, seat, notes, discarded, line)
        for field in melds:
            line[field.start : field.end] = bytes(field.width)

    monkeypatch.setattr(
        "maumau.agents.observed.functions_of", lambda game, players, *switches: functions._replace(observe=observe)
    )
    assert unseen(MAHJONG, 2, {"melds", "open_card", "turn"}, games=4) == {"melds"}


# ---------------------------------------------------------------- nothing hidden


def shown(observed: Observed, seat: int) -> tuple[Any, ...]:
    """All that a seat that decides is shown: its observation, the mask, its information state, and what search has."""
    states = information_state(observed.game, seat + 1) if observed.chosen % 10 == 0 else ""
    return observed.observation(seat), observed.mask(), states, given(observed, seat)


def leaks(kind: type[Game], players: int, trials: int, random: Random) -> int:
    """How often what a seat is shown changes when hidden cards are dealt anew."""
    found = number = 0
    while trials > 0:
        for observed in played(kind, players, number, random, most=200):
            seat, table = observed.seat, observed.game.table
            before = shown(observed, seat)
            past = observed.game.layout.take(table)
            redeal(observed, seat, random)
            found += shown(observed, seat) != before
            observed.game.layout.restore(table, past)
            trials -= 1
        number += 1
    return found


@pytest.mark.parametrize("kind", GAMES)
def test_hidden_cards_never_change_what_a_player_is_shown(kind: type[Game]) -> None:
    assert leaks(kind, kind.declaration.codec.fewest, trials=100, random=Random(4)) == 0


@pytest.mark.thorough
@pytest.mark.parametrize("part", range(20))
@pytest.mark.parametrize("kind", GAMES)
def test_hidden_cards_never_change_what_a_player_is_shown_in_a_million_trials(kind: type[Game], part: int) -> None:
    trials = 1_000_000 // (20 * len(GAMES)) + 1
    assert leaks(kind, kind.declaration.codec.most, trials=trials, random=Random(5 + part)) == 0


def same_looking_worlds(kind: type[Game], players: int, games: int, random: Random) -> int:
    """Compare what a player observes in worlds that look the same to the player; how many were found."""
    found = 0
    for number in range(games):
        for decision, observed in enumerate(played(kind, players, number, random, most=60)):
            if decision % 6 == 3 and (world := other_world(observed.game, observed.seat + 1, random)):
                again, seat = Observed(world), observed.seat
                assert again.observation(seat) == observed.observation(seat)
                assert again.legal() == observed.legal()
                assert information_state(again.game, seat + 1) == information_state(observed.game, seat + 1)
                found += 1
    return found


@pytest.mark.parametrize("kind", [MauMau, Uno, CrazyEights, Hearts])
def test_in_worlds_that_looked_the_same_from_the_start_observations_are_equal(kind: type[Game]) -> None:
    assert same_looking_worlds(kind, kind.declaration.codec.fewest, 6, Random(6)) > 3


@pytest.mark.thorough
@pytest.mark.parametrize(
    "kind",
    [
        *GAMES,
        *(MauMau.with_rules(rule) for rule in HOUSE_RULES),
        *(OFFICIAL_UNO.with_rules(rule) for rule in UNO_HOUSE_RULES),
    ],
)
def test_in_many_worlds_that_looked_the_same_from_the_start_observations_are_equal(kind: type[Game]) -> None:
    assert same_looking_worlds(kind, kind.declaration.codec.most, 1600, Random(7)) > 100


@pytest.mark.parametrize("kind", [*GAMES, *(OFFICIAL_UNO.with_rules(rule) for rule in ("jump-in", "must-play"))])
def test_an_event_that_a_seat_does_not_see_changes_nothing_that_it_observes(kind: type[Game]) -> None:
    """But for the last who declines: then what all see goes on."""
    game, players, random = kind.declaration, kind.declaration.codec.most, Random(10)
    for number in range(3):
        observed = Observed(kind.deal(players, seed=12, number=number))
        for _ in range(150):
            if observed.over:
                break
            acted, before = observed.seat, [observed.observation(seat) for seat in range(players)]
            legal = observed.legal()
            step = observed.act(random.choice(legal)) if legal else observed.step()
            if game.phase_seen(step.source, acts=False) is not game.phase_seen(observed.game.phase, acts=False):
                continue
            for seat in {*range(players)} - {acted, observed.seat}:
                if not sight_of(game).sees_event(step.arc, step.player - 1, seat):
                    assert observed.observation(seat) == before[seat], step


def others_hand(line: bytearray, table: Any, seat: int, notes: list[int]) -> None:
    line[0] = table.hands[(seat + 1) % table.players] & 1


def next_card(line: bytearray, table: Any, seat: int, notes: list[int]) -> None:
    line[0] = table.ring[table.head % len(table.ring)] % 7


def cards_drawn(line: bytearray, table: Any, seat: int, notes: list[int]) -> None:
    """A note in which a card is known to all that was drawn."""
    line[0] = (notes[notes_of(MauMau.declaration).held + (seat + 1) % table.players] >> 5) & 1


@pytest.mark.parametrize("planted", [others_hand, next_card, cards_drawn])
def test_a_planted_leak_is_caught(planted: Callable[..., None], monkeypatch: pytest.MonkeyPatch) -> None:
    functions = functions_of(MauMau.declaration, 3)

    def note(table: Any, notes: list[int], discarded: bytearray, shuffled: int) -> None:
        functions.note(table, notes, discarded, shuffled)

    def observe(table: Any, phase: int, seat: int, notes: list[int], discarded: bytearray, line: bytearray) -> None:
        functions.observe(table, phase, seat, notes, discarded, line)
        held = [*notes]
        held[notes_of(MauMau.declaration).held : notes_of(MauMau.declaration).left] = table.hands
        planted(line, table, seat, held)

    monkeypatch.setattr(
        "maumau.agents.observed.functions_of",
        lambda game, players, *switches: functions._replace(note=note, observe=observe),
    )
    assert leaks(MauMau, 3, trials=60, random=Random(8)) > 5


def test_a_planted_leak_into_search_is_caught(monkeypatch: pytest.MonkeyPatch) -> None:
    """One card of another seat is not taken away."""
    source_of = worlds.source_of

    def leaking(plan: Any) -> SimpleNamespace:
        def in_python(given: dict[str, Any]) -> dict[str, Any]:
            names = source_of(plan).source.in_python(given)
            take = names["take_hidden"]
            names["take_hidden"] = lambda table, seat, other, known, counts: take(table, seat, other, known | 1, counts)
            return names

        return SimpleNamespace(source=SimpleNamespace(in_python=in_python))

    monkeypatch.setattr(worlds, "source_of", leaking)
    worlds._hide.cache_clear()
    assert leaks(MauMau, 3, trials=60, random=Random(8)) > 5
    worlds._hide.cache_clear()


# ---------------------------------------------------------------- information states


@pytest.mark.parametrize("kind", GAMES)
def test_an_information_state_determines_the_legal_actions(kind: type[Game]) -> None:
    """Two games of a small deck in which the player who acts has seen the same have the same legal actions."""
    small = kind.declaration.small_decks[0]
    tiny = kind.with_deck(small.cards, small.each)
    decks = list(islice(deals(tiny, small.players), 500))
    legal: dict[tuple[str, int], list[int]] = {}
    met_again = 0
    for number in range(60):
        start = tiny.of_deck(small.players, Random(number).choice(decks))
        for observed in choices(start, Random(number % 4), most=12):
            state = information_state(observed.game, observed.seat + 1), observed.seat
            met_again += state in legal
            assert legal.setdefault(state, observed.legal()) == observed.legal()
    assert met_again > 10


def test_an_information_state_shows_own_cards_and_hides_those_of_others() -> None:
    game = MauMau.deal(3, seed=7)
    game.run()
    state = information_state(game, 2)
    taken = [step for step in game.history if step.trigger == "take"]
    assert [line for line in state.splitlines() if " take " in line] == [
        f"{step.player} take {step.card if step.player == 2 else '?'}" for step in taken
    ]


def test_a_layout_knows_its_fields() -> None:
    shape = layout(MauMau.declaration, 3)
    assert shape["hand"].width == 32
    assert shape.width == sum(field.width for field in shape.fields)
    with pytest.raises(KeyError, match="no field 'colour'; use one of hand, open card"):
        _ = shape["colour"]
