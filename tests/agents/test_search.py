"""Search: equal for equal views and any number of threads, right where the best move is plain, and for any game."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from itertools import islice, pairwise, product
from random import Random
from time import sleep
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest
from all_games import GAMES
from command import STATEMENT, maumau
from decisions import decisions
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from plain_maumau import CARDS
from random_nets import random_net
from stacking import Stacking
from tucking import Tucking
from worlds import other_world, redeal

from examples.gin_rummy import GinRummy
from examples.go_fish import GoFish
from examples.hearts import Hearts
from fsm import Game, MauMau, Uno, UnoOfficial, game_class
from fsm.declaration.dice import RolledParts
from fsm.outside import admit, read_source
from fsm.stepping.game import game_of
from fsm.stepping.information import information_state
from fsm.stepping.position import parse_position
from maumau import Batch, Observed, Search, UnsupportedGame
from maumau.agents import search as search_module
from maumau.agents.compiled import worlds
from maumau.agents.nets.net import shipped_nets
from maumau.agents.plan import AgentPlan
from maumau.agents.search import evidence
from maumau.agents.search import source as kernel
from maumau.agents.search.evidence import NOBODY, Evidence, EvidenceReader
from maumau.kernels.compiled.ends import NO_LIMIT
from maumau.kernels.compiler.interpreted import interpreted
from maumau.study.identity import identity
from rules.uno_official.game import holds_colour_before

WORLDS = 40


def evidence_of(game: Game) -> Evidence | None:
    """What the player who acts has seen of a game."""
    return EvidenceReader(game).read(game)


@pytest.fixture(scope="module")
def search() -> Search:
    return Search(MauMau, players=3, worlds=WORLDS, threads=1)


def test_a_search_serves_every_game_with_equal_rules(search: Search) -> None:
    same = game_of(replace(MauMau.declaration))
    for game in islice(decisions(MauMau, players=3, games=1), 3):
        assert search.best(same.at(game.position())).move == search.best(MauMau.at(game.position())).move
    with pytest.raises(ValueError, match="use maumau with 3 players, and the same rules"):
        search.best(MauMau.with_rules("nine-reverses").deal(3, 1))


@pytest.fixture
def compiled(monkeypatch: pytest.MonkeyPatch) -> list[AgentPlan]:
    """What programs that deal cards without inference are compiled for. That seems to take longer than it does."""
    plans: list[AgentPlan] = []

    def searching(plan: AgentPlan) -> Any:
        plans.append(plan)
        sleep(0.6)
        return kernel.searching(plan)

    monkeypatch.setattr(search_module, "searching", searching)
    return plans


def test_what_deals_cards_again_is_compiled_once_inference_finds_too_few_worlds(
    compiled: list[AgentPlan], monkeypatch: pytest.MonkeyPatch
) -> None:
    game = next(decisions(MauMau, players=3, games=1))
    inferring = Search(MauMau, players=3, worlds=WORLDS, threads=1)
    inferring.best(game)
    assert compiled == []
    monkeypatch.setattr(search_module, "LEAST", 2.0)
    dealt = [inferring.best(game).values for _ in range(2)]
    assert len(compiled) == 1
    without = Search(MauMau, players=3, worlds=WORLDS, threads=1, infer=False).best(game)
    assert dealt == [without.values] * 2
    prepared = Search(MauMau, players=3, worlds=WORLDS, threads=1)
    prepared.prepare()
    assert prepared.best(game).values == without.values
    assert len(compiled) == 3


@pytest.mark.parametrize("tree", [False, True])
def test_compiling_takes_none_of_the_time_of_a_decision(
    compiled: list[AgentPlan], monkeypatch: pytest.MonkeyPatch, *, tree: bool
) -> None:
    monkeypatch.setattr(search_module, "LEAST", 2.0)
    game = next(decisions(MauMau, players=3, games=1))
    search = Search(MauMau, players=3, worlds=1000, threads=1, tree=tree)
    found = search.best(game, seconds=0.5)
    assert len(compiled) == 1
    assert sum(value.worlds for value in found.values) > 64 * len(found.values)


# ---------------------------------------------------------------- what it is worth


def test_a_card_that_wins_at_once_is_worth_all(search: Search) -> None:
    rest = "SQ,CQ,DK,HK,CK,DS,HS,SS,CS,DE,HE,SE,CE,DN,HN,SN,CN,DT,HT,ST,CT,DA,HA,CA,DJ,HJ,SJ,CJ"
    facts = "player=1 due=0 penalty=0 drawn=- suit=- ending=- winner=-"
    game = MauMau.at(f"await-play {facts} hands=SA/DQ/HQ discard=SK draw={rest}")
    found = search.best(game)
    assert str(found.move) == "play SA"
    assert (found.values[0].wins, found.values[0].worlds) == (WORLDS, WORLDS)


def test_the_worth_of_a_move_is_what_the_games_show(search: Search) -> None:
    """The values of a few worlds agree with those of many: every action is tried, and none by the seat's policy."""
    many = Search(MauMau, players=3, worlds=2000)
    different = 0
    for game in decisions(MauMau, 3, games=2):
        few, plenty = search.best(game), many.best(game)
        shares = {value.move: value for value in plenty.values}
        for value in few.values:
            assert value.share == pytest.approx(shares[value.move].share, abs=0.4)
        different += few != plenty
    assert different > 3


# ---------------------------------------------------------------- with a net of its own


@pytest.fixture(scope="module")
def by_net() -> Search:
    """A search for two players in which the seat that searches goes on as the net of the package does."""
    return Search(MauMau, players=2, worlds=4, own=shipped_nets(MauMau.declaration)[2], threads=1)


@pytest.mark.slow
@settings(max_examples=60)
@given(st.permutations(CARDS), st.integers(2, 6))
def test_games_are_played_out_as_stepped_games_are(by_net: Search, cards: list[str], held: int) -> None:
    """The other player has one card and the draw pile is empty, so that every world is the true one."""
    own, other, discards = cards[:held], cards[held], cards[held + 1 :]
    facts = "player=1 due=0 penalty=0 drawn=- suit=- ending=- winner=-"
    try:
        game = MauMau.at(f"await-play {facts} hands={','.join(own)}/{other} discard={','.join(discards)} draw=-")
    except ValueError:
        assume(False)  # such as a jack on top that names no suit
    game.policies = [MauMau.declaration.policy(name) for name in ("net", "house")]
    found, dealt = by_net.best(game), by_net._dealt(by_net._standing(game), 4, 0)[0]
    for value in found.values if len(found.values) > 1 else ():
        stepped = game.clone()
        stepped.fire(value.move)
        won = 4 * (stepped.run().winner == 1)
        assert dealt[by_net.actions.number(value.move, 1, 2)] == won
        assert value.wins == won * value.worlds // 4


def test_hidden_cards_change_no_search_with_a_net(by_net: Search) -> None:
    assert _searched_alike(by_net, players=2) > 8


def test_hidden_cards_that_are_dealt_anew_change_no_search_with_a_net_without_inference(by_net: Search) -> None:
    random, changed = Random(4), 0
    for game in decisions(MauMau, 2, games=4):
        observed = Observed(game.clone())
        before = by_net._standing(observed.game)
        redeal(observed, 0, random)
        moved = observed.game
        after = by_net._standing(game)._replace(tables=by_net._record(moved, moved.layout.take(moved.table)))
        changed += (after[0] != before[0]).any()
        assert (by_net._dealt(before, 20, 0) == by_net._dealt(after, 20, 0)).all()
    assert changed > 3


@pytest.mark.thorough
@pytest.mark.parametrize(("game", "players"), [("uno", 2), ("uno-official", 2), ("examples/hearts.py:Hearts", 4)])
def test_other_games_are_searched_with_a_net(game: str, players: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """Cards of two copies, positions that would end the game if they returned, and cards that are passed."""
    monkeypatch.setattr("maumau.agents.search.SHORT", 0)
    kind = admit(read_source(game)) if ":" in game else game_class(game)
    net = random_net(kind.declaration, players)
    one, two = (Search(kind, players, worlds=10, own=net, threads=threads) for threads in (1, 2))
    for position in islice(decisions(kind, players, games=3), 12):
        found = one.best(position)
        assert found == two.best(position)
        assert found.move in position.view(1).moves


def test_a_net_for_something_else_is_refused() -> None:
    with pytest.raises(ValueError, match="a net for maumau with 2 players; use one for maumau with 3 players"):
        Search(MauMau, players=3, worlds=10, own=shipped_nets(MauMau.declaration)[2])
    with pytest.raises(ValueError, match="it has learned to play with 2 or 3 or 4 players; use a net for 5"):
        Uno.declaration.seated(5, "search:20:net")


# ---------------------------------------------------------------- what it is given


@pytest.mark.slow
def test_games_that_look_the_same_are_searched_with_the_same_result(search: Search) -> None:
    assert _searched_alike(search, players=3) > 8


def _searched_alike(search: Search, players: int) -> int:
    """Check that a search finds the same where hidden cards alone differ. Returns how many pairs were compared."""
    random, compared = Random(3), 0
    for game in decisions(MauMau, players, games=6):
        for _ in range(4):
            other = other_world(game, 1, random)
            if other is not None:
                other.table.seed, other.table.number = game.table.seed, game.table.number
                assert search.best(other) == search.best(game)
                compared += 1
    return compared


def test_a_search_that_is_not_to_depend_on_the_seed_does_not(search: Search) -> None:
    blind, differ = Search(MauMau, players=3, worlds=WORLDS, threads=1, by_deal=False), 0
    for game in decisions(MauMau, 3, games=2):
        other = MauMau.of_deck(3, game.dealt_deck(), seed=99, number=5)
        for step in game.history:
            other.fire_again(step)
        assert blind.best(other) == blind.best(game)
        differ += search.best(other) != search.best(game)
    assert differ > 3


@pytest.mark.slow
@pytest.mark.parametrize(
    ("name", "games"),
    [
        *[("mahjong", 8), ("uno-official+jump-in", 3), ("uno-official", 3)],
        *(
            pytest.param(*each, marks=pytest.mark.thorough)
            for each in (("mahjong", 12), ("uno-official+jump-in", 6), ("uno-official", 12))
        ),
    ],
)
def test_a_search_that_is_not_to_depend_on_the_seed_does_not_depend_on_what_others_choose_in_secret(
    name: str, games: int
) -> None:
    """The words by which hidden cards are dealt depend on how many choices there were; with the seed on unseen ones, too."""
    kind, random, compared, told = game_class(name), Random(3), 0, 0
    blind, other_words = (Search(kind, 3, WORLDS, threads=1, infer=False, by_deal=by_deal) for by_deal in (False, True))
    for number in range(games):
        game = kind.deal(3, seed=5, number=number, policies="random")
        while game.outcome is None and len(game.history) < 150:
            if game.player == 1 and len(game.view(1).moves) > 1:
                for other in filter(None, [other_world(game, 1, random) for _ in range(3)]):
                    assert blind.best(other) == blind.best(game)
                    told += other_words.best(other) != other_words.best(game)
                    compared += 1
            game.step()
    assert compared > 40
    assert told > 0


def test_a_planted_leak_is_found(search: Search, monkeypatch: pytest.MonkeyPatch) -> None:
    """The pool of hidden cards in the order in which they lie."""
    monkeypatch.setattr(evidence, "sorted", list, raising=False)
    random, differ = Random(3), 0
    for game in decisions(MauMau, 3, games=6):
        for _ in range(4):
            other = other_world(game, 1, random)
            if other is not None:
                differ += evidence_of(other) != evidence_of(game)
    assert differ > 3


@pytest.mark.parametrize(("kind", "games"), [(MauMau, 2), (Tucking, 5), (Stacking, 5)])
def test_hidden_cards_that_are_dealt_anew_change_nothing_without_inference(kind: type[Game], games: int) -> None:
    plain = Search(kind, players=3, worlds=WORLDS, threads=1, infer=False)
    random, changed = Random(4), 0
    for game in decisions(kind, 3, games):
        observed = Observed(game.clone())
        standing = plain._standing(observed.game)
        before = plain._dealt(standing, WORLDS, 0)
        redeal(observed, 0, random)
        moved = observed.game
        again = plain._record(moved, moved.layout.take(moved.table)).reshape(1, -1)
        changed += (again != standing.tables).any()
        for one, other in zip(before, plain._dealt(standing._replace(tables=again), WORLDS, 0), strict=True):
            assert (one == other).all()
    assert changed > 5


@pytest.mark.parametrize("kind", [Tucking, Stacking])
def test_worlds_have_other_cards_in_hidden_piles_and_could_be_the_game(kind: type[Game]) -> None:
    source = kernel.source_of(
        AgentPlan(kind.declaration, kind.declaration.policies[:1], players=3, searches=True)
    ).source
    names = source.in_python({"np": np})
    hide, fill = interpreted(worlds.hide, names), interpreted(worlds.fill_world, names)
    piles, size = set(), kind.declaration.deck_size
    for game in decisions(kind, 3, games=4):
        notes, base = Observed(game)._notes, game.layout.copy(game.table)
        pool, missing, unknown = [0] * size, [0] * names["MISSING"], [0] * names["RING"]
        hidden = hide(base, 0, notes, [0] * 64, missing, unknown, pool)
        for number in range(5):
            table = game.layout.copy(base)
            fill(table, pool[:], hidden, missing, unknown, [0] * 4 * worlds.BLOCKS, worlds.WordAddress(1, 2, 3), number)
            assert kind.declaration.broken_invariant(game.phase, table) is None
            hands = [kind.declaration.codec.held(table, seat) for seat in range(3)]
            made: Any = kind
            world = made(table, game.phase, hands, game.policies)
            looks = [parse_position(kind.declaration, each.position(seen_by=1)).canonical() for each in (world, game)]
            assert looks[0] == looks[1]
            piles.add(world.position())
    assert len(piles) > 40


SWAPPING = UnoOfficial.with_rules("seven-zero")
"""Who lays a seven swaps hands, a zero passes all on."""


UNTIL_FIT = MauMau.with_rules("draw-until-fit")
"""Who cannot play draws until a card fits: how many that are depends on what is hidden."""


def seats(kind: type[Game]) -> int:
    """As many players as can play, but at most three."""
    return min(3, kind.declaration.codec.most)


def replayed(kind: type[Game]) -> Callable[[Any, Evidence], tuple[str, int, int, int]]:
    """What the generated source, run by Python, finds in a world, the table at the start: the phase reached, and how
    many moves differ from the policy, are not legal, and were played up to the first that is not.
    """
    plan = AgentPlan(kind.declaration, (kind.declaration.policy("house"),), players=seats(kind), searches=True)
    lists = SimpleNamespace(array=lambda values, kind: list(values), int64=int)
    given = {"np": lists, "new_integers": lambda size: [0] * size}
    names = kernel.inference_of(plan).source.in_python(given)
    phases = list(kind.declaration.phases)

    def replay(world: Any, seen: Evidence) -> tuple[str, int, int, int]:
        moves = np.array(seen.rows()[3].tolist(), object)
        reached, *found, _ = names["replay"](world, seen.phase, moves, 0, NO_LIMIT)
        return phases[reached], *found

    return replay


@pytest.mark.parametrize("kind", [MauMau, UNTIL_FIT, SWAPPING, GinRummy])
def test_the_moves_that_were_made_are_legal_in_the_world_that_is_true(kind: type[Game]) -> None:
    """House players never differ from their policy in it."""
    replay = replayed(kind)
    for game in decisions(kind, seats(kind), games=3):
        seen = evidence_of(game)
        if seen is None:  # which copy of a card is drawn from a turned pile is not known; melds are not followed
            assert kind is SWAPPING or any(step.trigger == "meld" for step in game.history)
            continue
        assert replay(game.restarted().table, seen) == (game.phase, 0, 0, len(seen.decisions))


def test_in_each_world_all_hands_have_as_many_cards_as_were_seen() -> None:
    """Where two cards that were drawn change places, another one may be the first that fits."""
    replay, random, possible, others = replayed(UNTIL_FIT), Random(6), 0, 0
    for game in decisions(UNTIL_FIT, 3, games=12):
        seen = evidence_of(game)
        assert seen
        places = [item.position for item in seen.items if item.dealt == NOBODY and item.owner != NOBODY]
        if len(places) < 2:
            continue
        for _ in range(4):
            world, (one, other) = game.restarted().table, random.sample(places, 2)
            world.ring[one], world.ring[other] = world.ring[other], world.ring[one]
            reached, _, wrong, _ = replay(world, seen)
            if wrong or (reached, world.player, world.head) != (game.phase, 0, game.table.head):
                others += 1
                continue
            possible += 1
            assert [*map(int.bit_count, world.hands)] == [*map(int.bit_count, game.table.hands)]
    assert possible > 20
    assert others > 20


def test_a_drawn_card_that_was_kept_in_secret_is_legal_in_the_world_that_is_true() -> None:
    replay, kept = replayed(UnoOfficial), 0
    for number in range(4):
        game = UnoOfficial.deal(3, seed=5, number=number, policies="random")
        while game.outcome is None and len(game.history) < 80:
            kept += game.step().trigger == "keep"
            if game.player == 1 and len(game.view(1).moves) > 1 and (seen := evidence_of(game)):
                reached, _, wrong, played = replay(game.restarted().table, seen)
                assert (reached, wrong, played) == (game.phase, 0, len(seen.decisions))
    assert kept > 0


@pytest.mark.parametrize("kind", [MauMau, UnoOfficial, SWAPPING, GinRummy])
def test_what_is_read_on_is_what_is_read_from_the_start(kind: type[Game]) -> None:
    """Also after events that were undone, where the game goes another way then."""
    game, readers = kind.deal(seats(kind), seed=5, policies="random"), dict[int, evidence.EvidenceReader]()
    events = again = went_on = 0
    while game.outcome is None and len(game.history) < 80:
        events += 1
        game.step()
        if events == 40:
            for _ in range(10):
                game.undo()
            game.policies = [kind.declaration.policy("house")] * 3
        if game.player is None or (seen := evidence_of(game)) is None:
            continue
        reader = readers.get(game.player)
        if reader is None or not reader.goes_on(game):
            reader = readers[game.player] = evidence.EvidenceReader(game)
            again += 1
        went_on += len(reader.events) > 0
        assert reader.read(game) == seen
    assert again > 3
    assert went_on > 5


@pytest.mark.parametrize("size", [1, 8])
def test_the_parts_of_a_draw_pile_have_its_places_in_turn(size: int) -> None:
    for head, stock in product(range(2 * size), range(size + 1)):
        parts = evidence._parts(size, head, stock)
        assert [at for part in parts for at in range(size)[part]] == [at % size for at in range(head, head + stock)]


def swapped(games: int) -> Iterator[tuple[Game, Evidence]]:
    """Decisions of player 1 after it has been given another hand."""
    for game in decisions(SWAPPING, 3, games):
        seen = evidence_of(game)
        if seen and seen.decisions and seen.decisions[-1].offer == NOBODY:
            yield game, seen


def test_who_is_given_a_hand_has_seen_it_and_knows_the_one_it_gave_away() -> None:
    compared = 0
    for game, seen in swapped(games=25):
        swaps = [step for step in game.history if step.trigger == "swap" or str(step.arc).count("pass hands on")]
        if len(swaps) != 1 or swaps[0].trigger != "swap" or swaps[0].player != 1:
            continue
        other = int(str(next(iter(swaps[0].named.values())))) - 1
        at = game.history.index(swaps[0])
        now = game.restarted()
        for step in game.history[: at + 1]:
            now.fire_again(step)
        given = Counter(SWAPPING.declaration.codec.held(now.table, 0))
        shown = Counter(laid.code for laid in seen.laid if laid.hand == other)
        assert given <= shown  # every card of it is among those that came to that hand
        laid = sum(step.trigger == "play" and step.player == other + 1 for step in game.history[at:])
        drawn = len(game.hands[other]) + laid - len(now.hands[other])
        assert sum(item.owner == 0 for item in seen.items) == drawn  # all else in the hand given away is known
        compared += 1
    assert compared > 5


@pytest.mark.slow
def test_after_hands_have_moved_worlds_are_inferred_that_show_the_given_hand() -> None:
    search = Search(SWAPPING, players=3, worlds=WORLDS, threads=1)
    found = [search.best(game).differing for game, _ in swapped(games=4)]
    assert len(found) > 10
    assert sum(differing is not None for differing in found) > 0.9 * len(found)


def test_hidden_cards_change_no_evidence_where_hands_move() -> None:
    random, compared = Random(3), 0
    for game, seen in swapped(games=12):
        other = other_world(game, 1, random)
        if other is not None:
            found = evidence_of(other)
            assert found
            assert _named(found) == _named(seen)
            compared += 1
    assert compared > 10


def _named(seen: Evidence) -> list[object]:
    """Evidence with names in place of codes: some cards of one name have two."""
    names = SWAPPING.declaration.codec.notation.cards
    laid = [laid._replace(code=names[laid.code]) for laid in seen.laid]  # type: ignore[arg-type]
    moves = [move._replace(card=names[move.card] if move.card >= 0 else "") for move in seen.decisions]  # type: ignore[arg-type]
    return [seen.items, laid, sorted(names[code] for code in seen.pool), moves]


def test_the_others_are_inferred_from_what_they_have_done(search: Search) -> None:
    found = [search.best(game).differing for game in decisions(MauMau, 3, games=4)]
    assert all(differing is not None and differing < 4 for differing in found)


# ---------------------------------------------------------------- worlds as games


@pytest.mark.parametrize(
    ("kind", "players"), [(MauMau, 3), (GinRummy, 2), pytest.param(UnoOfficial, 3, marks=pytest.mark.slow)]
)
def test_the_player_cannot_tell_worlds_from_the_game(kind: type[Game], players: int) -> None:
    worlds, compared = Search(kind, players, worlds=1, threads=1), 0
    for game in islice(decisions(kind, players, games=2), 12):
        found = worlds.worlds(game, 3)
        for world in found:
            assert information_state(world, 1) == information_state(game, 1)
            assert world.dealt_deck() != game.dealt_deck()
            assert sorted(world.dealt_deck()) == sorted(game.dealt_deck())
            world.run()
        compared += 1
        assert [world.dealt_deck() for world in worlds.worlds(game, 3)] == [world.dealt_deck() for world in found]
        assert [other.dealt_deck() for other in worlds.worlds(game, 3, seed=1)] != [
            world.dealt_deck() for world in found
        ]
    assert compared > 6


def test_an_open_card_that_another_player_has_taken_is_known_until_it_is_discarded() -> None:
    worlds, followed = Search(GinRummy, 2, worlds=1, threads=1), 0
    for game in decisions(GinRummy, 2, games=8):
        taken = [
            laid.card
            for laid, step in pairwise(game.history)
            if step.trigger == "take_upcard" and (laid.trigger, laid.player) == ("discard", 1)
        ]
        kept = {card for card in taken if card in game.hands[1]}
        if kept and game.phase.value == "discarding":
            found = worlds.worlds(game, 4)
            assert all(kept <= {*world.hands[1]} and len(world.history) == len(game.history) for world in found)
            followed += 1
    assert followed > 5


def test_worlds_have_no_past_where_cards_are_not_followed() -> None:
    worlds = Search(MauMau, 3, worlds=1, threads=1, infer=False)
    game = next(islice(decisions(MauMau, 3, games=1), 2, None))
    for world in worlds.worlds(game, 3):
        assert world.history == []
        assert world.position() != game.position()
        assert world.position(seen_by=1) == game.position(seen_by=1)


def test_worlds_of_a_decision_with_one_legal_move() -> None:
    worlds = Search(Hearts, 4, worlds=1, threads=1)
    game = Hearts.deal(players=4, seed=0, number=0)
    while len(worlds.actions.legal(game)) != 1:
        game.step()
    found = worlds.worlds(game, 3)
    assert [world.position(seen_by=game.player) for world in found] == [game.position(seen_by=game.player)] * 3


def test_worlds_of_no_decision_are_refused(search: Search) -> None:
    with pytest.raises(ValueError, match="no player chooses"):
        search.worlds(MauMau.deal(3, seed=5), 1)
    with pytest.raises(ValueError, match="count"):
        search.worlds(next(decisions(MauMau, 3, games=1)), 0)


# ---------------------------------------------------------------- determined, for any game


def test_the_number_of_threads_changes_nothing(search: Search, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("maumau.agents.search.SHORT", 0)
    threads = Search(MauMau, players=3, worlds=WORLDS, threads=3)
    plain = [Search(MauMau, players=3, worlds=WORLDS, threads=number, infer=False) for number in (1, 3)]
    for game in decisions(MauMau, 3, games=1):
        assert threads.best(game) == search.best(game)
        assert plain[0].best(game) == plain[1].best(game)


def test_a_batch_is_searched_as_its_games_are() -> None:
    batch = Batch("maumau", players=3, slots=4, seed=5, others="house")
    plain = Search(MauMau, players=3, worlds=WORLDS, threads=2, infer=False)
    for _ in range(5):
        chosen = plain.choose(batch)
        for slot in range(4):
            game = batch.game(slot)
            values = {value.move: value.wins for value in plain.best(game).values}
            move = batch.actions.move(int(chosen[slot]), game.player, 3)
            assert values[move] == max(values.values())
        batch.step(chosen)


def test_time_may_be_limited(search: Search) -> None:
    patient = Search(MauMau, players=3, worlds=100_000, threads=1)
    game = next(decisions(MauMau, 3, games=1))
    assert 0 < patient.best(game, seconds=0.01).values[0].worlds < 100_000
    assert search.best(game, seconds=0.0) == search.best(game)


@pytest.mark.slow
def test_another_game_is_not_searched(search: Search) -> None:
    """Its tables and actions are others: machine code would read past their ends."""
    five_each = game_class("maumau+five-each")
    for kind, players in ((MauMau, 2), (Uno, 3), (five_each, 3)):
        game = next(decisions(kind, players, games=1))
        expected = f"a game of {re.escape(kind.declaration.name)} with {players} players; use maumau with 3 players"
        with pytest.raises(ValueError, match=expected):
            search.best(game)
        with pytest.raises(ValueError, match=expected):
            search.wins(Batch(kind, players, slots=2))


@pytest.mark.parametrize("wrong", [None, "x", MauMau, 3], ids=str)
def test_only_stepped_games_and_batches_are_searched(search: Search, wrong: Any) -> None:
    for method, arguments in ((search.best, ()), (search.worlds, (1,))):
        with pytest.raises(TypeError, match=r"^game: .* is of type .*; give a stepped game$"):
            method(wrong, *arguments)
    for of_batch in (search.choose, search.wins, search.visits):
        with pytest.raises(TypeError, match=r"^batch: .* is of type .*; give a Batch$"):
            of_batch(wrong)


@pytest.mark.parametrize(
    ("seconds", "error"),
    [(True, TypeError), ("3", TypeError), (-1, ValueError), (float("nan"), ValueError), (float("inf"), ValueError)],
)
def test_what_is_no_time_is_refused(search: Search, seconds: Any, error: type[Exception]) -> None:
    with pytest.raises(error, match=r"seconds: .*; (give|use)"):
        search.best(next(decisions(MauMau, 3, games=1)), seconds=seconds)


def test_no_threads_are_refused() -> None:
    with pytest.raises(ValueError, match=r"^threads: 0 is out of range; use 1 to 1,024"):
        Search(MauMau, players=3, worlds=WORLDS, threads=0)


def test_no_cards_are_followed_after_several_have_left_a_hand_at_once() -> None:
    game = GoFish.deal(2, seed=5, number=29)
    while game.step().trigger != "lay_book":
        pass
    while not game.player:
        game.step()
    assert evidence_of(game) is None


@pytest.mark.slow
@pytest.mark.parametrize("kind", [kind for kind in GAMES if kind.__name__ != "Auction"])
@pytest.mark.parametrize("options", [{"worlds": 6}, {"worlds": 20, "tree": True}], ids=["flat", "tree"])
def test_whole_games_are_searched(kind: type[Game], options: dict[str, Any]) -> None:
    players = kind.declaration.codec.fewest
    search = Search(kind, players, **options)
    for game in decisions(kind, players, games=2):
        found = search.best(game)
        assert found.move in game.view(1).moves
        assert search.best(game) == found


@pytest.mark.thorough
@pytest.mark.parametrize("kind", [Uno, UnoOfficial])
@pytest.mark.parametrize("players", [2, 4])
def test_uno_is_searched(kind: type[Game], players: int) -> None:
    search = Search(kind, players, worlds=20)
    found = [search.best(game).differing for game in decisions(kind, players, games=2)]
    assert sum(differing is not None for differing in found) > len(found) / 2


@pytest.mark.slow
def test_guilt_follows_from_the_hand_unless_its_player_was_caught_since() -> None:
    """A card that is drawn for silence may have the colour before."""
    guilty = 0
    for number in range(40):
        game, caught = UnoOfficial.deal(3, seed=3, number=number, policies="random"), False
        while game.outcome is None:
            step = game.step()
            caught = not game.starts_turn and (caught or step.trigger == "catch")
            if not caught and game.phase in ("uno-pending", "colour-choice", "challenge-pending", "await-play"):
                assert holds_colour_before(game.table) == game.table.guilty
                guilty += game.table.guilty
    assert guilty > 5


@dataclass(slots=True)
class SecretTable(MauMau.declaration.table):
    """The table of Mau-Mau with a number that nobody sees."""

    secret: int = 0


def test_a_game_with_hidden_facts_is_refused(search: Search) -> None:
    kind = game_of(replace(MauMau.declaration, name="secrets", title="Secrets", table=SecretTable))
    with pytest.raises(UnsupportedGame, match="secrets: secret is hidden from the player who acts; hide only cards"):
        Search(kind, players=2, worlds=10)
    with pytest.raises(ValueError, match="worlds: 0 is out of range; use 1 to 100,000"):
        Search(MauMau, players=2, worlds=0)
    with pytest.raises(ValueError, match="maumau: no player chooses at initial "):
        search.best(MauMau.deal(3, seed=7))


def test_hidden_piles_from_which_cards_come_by_chance_are_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(RolledParts, "rolling_arcs", property(lambda game: game.arcs))
    with pytest.raises(UnsupportedGame, match="slipped is hidden, and cards move by chance; use at most one of both"):
        Search(Stacking, players=3, worlds=2)


# ---------------------------------------------------------------- by name


@pytest.mark.slow
@pytest.mark.parametrize("policy", ["search:20", "search:20:tree"])
def test_search_is_named_on_the_command_line(policy: str) -> None:
    first, again = (maumau("simulate", "--policy", policy, "--events", data=STATEMENT) for _ in range(2))
    assert (first.returncode, first.stderr) == (0, "")
    assert first.stdout == again.stdout


@pytest.mark.parametrize(
    ("name", "message"),
    [
        ("search:many", "policy 'search:many': 'many' worlds; use a whole number from 1 to 100,000"),
        ("search:007", "policy 'search:007': '007' worlds; use a whole number from 1 to 100,000"),
        ("search:tree", "policy 'search:tree': 'tree' worlds; use a whole number from 1 to 100,000"),
        ("search:0", "policy 'search:0': '0' worlds; use a whole number from 1 to 100,000"),
        ("search:100001", "policy 'search:100001': '100001' worlds; use a whole number from 1 to 100,000"),
        (
            "search:20:dream",
            "policy 'search:20:dream': unknown policy 'dream'; use one of house, random, first-legal",
        ),
        ("search:20:search:20", "'search:20' cannot play out games; use a policy of the game or a net"),
        ("search:20:net:no.net", "policy 'net:no.net': 'no.net': no such file or directory"),
        ("dream:3", "use FILE.py:NAME or MODULE:NAME; other players are "),
    ],
)
def test_a_wrong_name_is_reported(name: str, message: str) -> None:
    done = maumau("simulate", "--policy", name, data=STATEMENT)
    assert (done.returncode, done.stdout) == (2, "")
    assert message in done.stderr


def test_the_identity_of_a_study_holds_the_search() -> None:
    found = identity("maumau", policies=("search:20", "house"))
    assert len(found["policy search:20"]) == 16
    assert "policy house" not in found


def test_the_own_policy_and_the_tree_of_a_search_belong_to_the_identity_of_a_study() -> None:
    names = tuple(f"search:20{own}{tree}" for own in ("", ":random", ":net") for tree in ("", ":tree"))
    found = identity("maumau", policies=names)
    assert len({found[f"policy {name}"] for name in names}) == 6


def official_pairs(games: int) -> Iterator[tuple[Game, Game]]:
    """Decisions in official UNO after player 2 kept a card, each with a world in which player 1 has seen the same."""
    random = Random(3)
    for number in range(games):
        game, kept = UnoOfficial.deal(2, seed=5, number=number, policies="random"), False
        while game.outcome is None and len(game.history) < 60:
            step = game.step()
            kept = kept or (step.trigger, step.player) == ("keep", 2)
            if kept and game.player == 1 and len(game.view(1).moves) > 1:
                others = [other_world(game, 1, random) for _ in range(20)]
                yield from ((game, other) for other in others if other is not None)
                break


@pytest.mark.slow
def test_what_is_known_of_official_uno_does_not_tell_whether_a_drawn_card_could_be_laid() -> None:
    compared = hidden = 0
    for game, other in official_pairs(games=30):
        assert evidence_of(other) == evidence_of(game)
        compared += 1
        hidden += [step.trigger for step in other.history] != [step.trigger for step in game.history]
    assert compared > 20
    assert hidden > 0


@pytest.mark.thorough
def test_official_uno_is_searched_with_the_same_result_in_worlds_that_look_the_same() -> None:
    search = Search(UnoOfficial, 2, worlds=WORLDS, threads=1)
    for game, other in official_pairs(games=30):
        assert search.best(other) == search.best(game)
