"""Mahjong at the table: the corpus, small walls, and an independent judge that was written from the rules alone."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Iterator
from dataclasses import replace
from functools import cache
from pathlib import Path

import plain_table as judge
import pytest
from mutants import Mutant, mutants
from short_positions import refusal

from fsm import Game, PositionError
from fsm.check import explore_stepped
from fsm.declaration.arcs import Arc, SmallDeck
from fsm.games.mahjong import MAHJONG
from fsm.games.mahjong.game import Mahjong
from fsm.match.played import PlayedGame
from fsm.match.transcript import Transcript
from maumau.kernels.bulk.transcripts import play_compiled
from maumau.kernels.explorer.exhaustive import explore
from render.text.output import events as events_of
from render.text.output import result
from rules.mahjong import winning
from rules.mahjong.tiles import TILES

CORPUS = Path(__file__).parents[1] / "corpus" / "mahjongtable" / "cases"
WALLS = {
    "2M 1B 2B 2M 1D 1B 2B 1B 2B 2M 1D 2D 2M 2D 1D": (
        3, 24, 7, 64, "0 4 -4: 1 take 2M, 1 gang 2M, 1 take 2D, 1 discard 2B, 3 pung 2B, 3 discard 1B, 2 win"),
    "2D 1B 3D 1B 1D 1M 2D 1D 1M 3D 1D 1B 1B 3D": (
        3, 6, 0, 14, "2 -2 0: 1 take 1B, 1 discard 3D, 2 take 3D, 2 discard 1B, 1 win"),
    "2B 2M 2B 1B 1B 1B 2B 1B 2M 2M 2D 2D": (2, 35, 13, 117, "-2 2: 1 take 2M, 1 discard 2M, 2 win"),
    "1D 1D 1D 2D 2D 2D 3D 3D 1D 2D": (2, 39, 14, 71, "5 -5: 1 take 1D, 1 win"),
}  # fmt: skip
"""The small walls of the specification: players, plays won on a discard, self-drawn and exhausted, the house's game."""
ORDERS = (
    ("1D 1D 1D 1D 2D 2D 2D 2D 3D 3D", 2, 3_150, 1_260, 1_810, 80),
    ("1D 1D 1D 1D 2D 3D 3D 9B 9B 5M", 2, 37_800, 6_120, 7_680, 24_000),
)
"""Decks, players, distinct orders, and how many of them the house policy ends how."""
FIGURES = {
    2: (30.60, 55.8, 44.1, 1.48, 2.24, 0.15, 0.24, 1.38),
    3: (32.01, 72.2, 27.6, 2.94, 2.12, 0.25, 0.25, 1.35),
    4: (34.92, 80.7, 18.4, 4.44, 1.95, 0.37, 0.31, 1.35),
}
"""By players: discards a game, won on a discard and self-drawn in per cent, pungs, chows, gangs claimed and in turn a
game, the mean score of a winning hand: 2,000 games of the house policy."""


def results(played: Transcript) -> list[str]:
    return [result(played), events_of(played)]


def corpus() -> list[list[str]]:
    outputs, events = (Path(f"{CORPUS}.{end}").read_text().splitlines() for end in ("out", "events"))
    return [list(case) for case in zip(outputs, events, strict=True)]


def shuffled(players: int, seed: int) -> list[str]:
    deck = list(TILES.cards) * 4
    random.Random(f"{players} {seed}").shuffle(deck)
    return deck


def small(wall: str, players: int) -> Mahjong:
    """A game with the tiles of a wall in their order, four each."""
    kind = Mahjong.with_deck(wall, 4)
    return kind.of_deck(players, [TILES.card(tile) for tile in wall.split()])


def ended(game: Game) -> Transcript:
    game.run()
    return Transcript.of(game)


# ------------------------------------------------------------------ whole games


def test_the_machine_plays_every_game_of_the_corpus_right() -> None:
    games = Mahjong.read(Path(f"{CORPUS}.in").read_text())
    assert [results(ended(Mahjong.of_deck(*dealt))) for dealt in games] == corpus()
    assert len(games) == 60


@pytest.mark.slow
def test_the_kernel_plays_every_game_of_the_corpus_right() -> None:
    games = Mahjong.read(Path(f"{CORPUS}.in").read_text())
    assert [results(played) for played in play_compiled(Mahjong, games, [], 7)] == corpus()


def test_the_judge_plays_every_game_of_the_corpus_right() -> None:
    lines = [line.split() for line in Path(f"{CORPUS}.in").read_text().splitlines()[1:]]
    states = [judge.played(judge.dealt(int(players), deck)) for players, *deck in lines]
    assert [[judge.result(state), judge.line(state.events)] for state in states] == corpus()


def differences(players: int, seeds: range) -> list[int]:
    """The seeds of decks that the judge and the machine play differently."""
    found = []
    for seed in seeds:
        deck = shuffled(players, seed)
        state = judge.played(judge.dealt(players, deck))
        played = ended(Mahjong.of_deck(players, [TILES.card(tile) for tile in deck]))
        if results(played) != [judge.result(state), judge.line(state.events)]:
            found.append(seed)
    return found


@pytest.mark.parametrize("players", [2, 3, 4])
@pytest.mark.parametrize(
    "seeds",
    [range(15), *(pytest.param(range(n, n + 500), marks=pytest.mark.thorough) for n in range(0, 2_000, 500))],
    ids=str,
)
def test_the_judge_agrees_on_dealt_decks(players: int, seeds: range) -> None:
    assert differences(players, seeds) == []


def play_at_random(players: int, seed: int) -> None:
    """Play any legal moves; in every position the judge knows the same ones."""
    dice = random.Random(seed)
    deck = shuffled(players, seed)
    state, game = judge.dealt(players, deck), Mahjong.of_deck(players, [TILES.card(tile) for tile in deck])
    game.open()
    while not judge.is_over(state):
        may = judge.legal(state)
        assert game.player == state.player + 1
        assert [(move.trigger, move.card or "") for move in game.events()] == may
        claims = [each for each in may if each[0] not in ("discard", "decline")]
        event, tile = dice.choice(claims if claims and dice.random() < 0.7 else may)
        judge.do(state, event, tile)
        game.fire(event, tile or None)
        assert tuple(sorted(hand) for hand in game.hands) == tuple(sorted(hand) for hand in state.hands)
        assert [list(map(list, melds)) for melds in game.melds] == state.melds
        assert (list(game.discard_pile), list(game.draw_pile)) == (state.pile, state.wall)
    assert game.outcome is not None
    assert list(game.outcome.scores) == (state.scores or [0] * players)


@pytest.mark.parametrize("seed", [0, 1, 2, *(pytest.param(100 + n, marks=pytest.mark.thorough) for n in range(40))])
def test_the_judge_knows_the_same_legal_moves_in_games_of_any_moves(seed: int) -> None:
    play_at_random(2 + seed % 3, seed)


@pytest.mark.thorough
@pytest.mark.parametrize("players", FIGURES)
def test_the_figures_of_the_house_policy(players: int) -> None:
    from maumau.kernels import bulk

    total = bulk.total(players=players, games=2_000, seed=11, game="mahjong")
    fired = Counter({(arc.trigger, str(arc.source)): 0 for arc in MAHJONG.arcs})
    for arc, times in total.fired.items():
        fired[arc.trigger, str(arc.source)] += times
    each = {name: times / 2_000 for name, times in fired.items()}
    turns, on_discard, self_drawn, pungs, chows, claimed, in_turn, _ = FIGURES[players]
    assert total.turns / 2_000 == pytest.approx(turns, abs=0.8)
    assert 100 * each["win", "ask-win"] == pytest.approx(on_discard, abs=3.5)
    assert 100 * each["win", "turn"] == pytest.approx(self_drawn, abs=3.5)
    assert each["pung", "ask-set"] == pytest.approx(pungs, abs=0.12)
    assert each["chow", "ask-run"] == pytest.approx(chows, abs=0.12)
    assert each["gang", "ask-set"] == pytest.approx(claimed, abs=0.05)
    assert each["gang", "turn"] == pytest.approx(in_turn, abs=0.05)


# ------------------------------------------------------------------ small walls


def all_plays(game: Mahjong) -> Iterator[PlayedGame]:
    """Every way in which a game can end, whatever the seats choose."""
    if game.outcome is not None:
        yield PlayedGame.of(game)
        return
    for move in game.events():
        game.fire(move)
        yield from all_plays(game)
        game.undo()


@cache
def plays(wall: str) -> tuple[list[str], Counter[str], set[Arc]]:
    """The events of all plays of a wall, how they end, and the arcs that are fired."""
    players = WALLS[wall][0]
    lines, ends, arcs = [], Counter[str](), set()
    for played in all_plays(small(wall, players)):
        lines.append(played.events_line)
        ends[f"{played.steps[-1].trigger} in {played.steps[-1].source}"] += 1
        arcs |= {step.arc for step in played.steps}
    return lines, ends, arcs


@pytest.mark.parametrize("wall", WALLS)
def test_all_plays_of_a_small_wall_end_as_the_specification_counts(wall: str) -> None:
    lines, ends, _ = plays(wall)
    _, on_discard, self_drawn, exhausted, _ = WALLS[wall]
    assert ends == {
        key: count
        for key, count in {
            "win in ask-win": on_discard, "win in turn": self_drawn, "exhaust in draw": exhausted}.items() if count
    }  # fmt: skip
    assert sorted(lines) == sorted(set(lines))


@pytest.mark.parametrize("wall", WALLS)
def test_the_judge_finds_the_same_plays_of_a_small_wall(wall: str) -> None:
    states = judge.all_plays(judge.dealt(WALLS[wall][0], wall.split(), 4))
    assert sorted(plays(wall)[0]) == sorted(judge.line(state.events) for state in states)


@pytest.mark.parametrize("wall", WALLS)
def test_the_house_plays_a_small_wall_as_the_specification_says(wall: str) -> None:
    played = ended(small(wall, WALLS[wall][0]))
    assert ": ".join(results(played)) == WALLS[wall][4]


def test_three_small_walls_fire_every_arc() -> None:
    fired = set().union(*(plays(wall)[2] for wall in list(WALLS)[:3]))
    assert {str(arc) for arc in MAHJONG.arcs} == {str(arc) for arc in fired}


def orders(tiles: Counter[str], order: tuple[str, ...] = ()) -> Iterator[tuple[str, ...]]:
    """All distinct orders of some tiles."""
    left = [tile for tile, count in tiles.items() if count]
    if not left:
        yield order
    for tile in left:
        yield from orders(tiles - Counter([tile]), (*order, tile))


@pytest.mark.thorough
@pytest.mark.parametrize(("deck", "players", "number", "on_discard", "self_drawn", "exhausted"), ORDERS)
def test_the_house_ends_all_orders_of_a_small_deck_as_the_specification_counts(
    deck: str, players: int, number: int, on_discard: int, self_drawn: int, exhausted: int
) -> None:
    kind, ends = Mahjong.with_deck(deck, 4), Counter[str]()
    for order in orders(Counter(deck.split())):
        played = ended(kind.of_deck(players, [TILES.card(tile) for tile in order]))
        ends[f"{played.steps[-1].trigger} in {played.steps[-1].source}"] += 1
    assert sum(ends.values()) == number
    assert ends == {"win in ask-win": on_discard, "win in turn": self_drawn, "exhaust in draw": exhausted}


@pytest.mark.slow
def test_all_positions_of_the_smallest_deck_are_sound() -> None:
    report = explore_stepped(Mahjong, MAHJONG.small_decks[0])
    assert (report.complete, report.failures) == (True, [])


@pytest.mark.thorough
def test_all_positions_of_small_decks_are_sound_and_every_arc_is_fired() -> None:
    fired: set[str] = set()
    for deck in MAHJONG.small_decks[1:]:
        report = explore(Mahjong, deck)
        assert (report.complete, report.failures) == (True, [])
        fired |= {str(arc) for arc in MAHJONG.arcs if report.fired[arc]}
    assert fired == {str(arc) for arc in MAHJONG.arcs}


def test_small_hands_are_one_tile_short_of_groups_and_a_pair() -> None:
    with pytest.raises(ValueError, match="3 tiles each; use 4, 7, 10 or 13"):
        Mahjong.with_deck(SPECIFIED[0].cards, 3)
    assert len(Mahjong.with_deck(SPECIFIED[0].cards, 4).deal(2, seed=1).hands[0]) == 4
    one = replace(MAHJONG, codec=replace(MAHJONG.codec, hand_sizes=(4,)))
    with pytest.raises(ValueError, match=r"3 tiles each; use 4$"):
        one.small_deck(SPECIFIED[0].cards, 2, 3)


@pytest.mark.thorough
def test_a_small_deck_is_explored_alike_by_both_engines() -> None:
    deck = SmallDeck("1D 1D 1D 2D 2D 2D 3D 3D 4D", 2, 4)
    one, other = explore_stepped(Mahjong, deck), explore(Mahjong, deck)
    assert (one.positions, one.events, one.fired) == (other.positions, other.events, +other.fired)
    assert one.failures == other.failures == []


SET_WITHOUT_WIN = SmallDeck("1D 1B 1D 3B 1B 3D 2D 2B 2B 1B 3B 2B 1D", 3, 4)
"""Here a seat that is not the last one asked can claim a set, and cannot win; in the walls of the specification it can."""
SPECIFIED = tuple(SmallDeck(wall, players, 4) for wall, (players, *_) in list(WALLS.items())[:3])
SMALL_WALLS = (*SPECIFIED, SET_WITHOUT_WIN)


def missed(faults: list[Mutant], patch: pytest.MonkeyPatch) -> list[str]:
    """The faults that are not caught, though other positions are reached, by all plays of the small walls."""
    walls = {deck.cards: tuple(map(TILES.card, deck.cards.split())) for deck in SMALL_WALLS}
    patch.setattr("fsm.check.stepped.deals", lambda kind, players: iter([walls[kind.origin[1]]]))
    return [
        fault.description
        for fault in faults
        if fault.caught_by(Mahjong, *SMALL_WALLS) is None and not fault.is_none(Mahjong, *SMALL_WALLS)
    ]


def test_faults_of_one_arc_are_caught(monkeypatch: pytest.MonkeyPatch) -> None:
    faults = list(mutants(MAHJONG))
    assert len(faults) > 300
    assert missed(faults[::40], monkeypatch) == []


@pytest.mark.thorough
@pytest.mark.parametrize("part", range(4))
def test_all_faults_of_one_arc_are_caught(part: int, monkeypatch: pytest.MonkeyPatch) -> None:
    assert missed(list(mutants(MAHJONG))[part::4], monkeypatch) == []


def test_a_seat_that_declines_a_set_is_not_asked_again_whether_it_wins(monkeypatch: pytest.MonkeyPatch) -> None:
    faults = [
        fault for fault in mutants(MAHJONG) if fault.description.startswith("leads to ask-win: ask-set --decline")
    ]
    assert len(faults) == 2
    assert missed(faults, monkeypatch) == []


# ------------------------------------------------------------------ winning and scores


@pytest.mark.parametrize("seed", range(300))
def test_the_best_split_of_a_hand_scores_as_the_judge_says(seed: int) -> None:
    dice = random.Random(seed)
    suits = dice.choice(["D", "DM", "BM"])
    kinds = [tile for tile in TILES.cards if tile[1] in suits]
    hand = winning_hand(dice, kinds)
    if hand is None:
        return
    hidden, melds = hand
    table = MAHJONG.table(players=2)
    for tile in hidden:
        MAHJONG.codec.receive(table, 0, TILES.card(tile))
    assert MAHJONG.codec.melds is not None
    for meld in melds:
        MAHJONG.codec.melds.lay_out(table, 0, [TILES.card(tile) for tile in meld])
    expected = judge.best_of(tuple(hidden), tuple(map(tuple, melds)), 13)
    assert winning.best_score(table, 0) == expected


def winning_hand(dice: random.Random, kinds: list[str]) -> tuple[list[str], list[list[str]]] | None:
    """Four groups and a pair, some laid out, some of them gangs; or seven pairs; a tile may be swapped for another."""
    if dice.random() < 0.2:
        hidden = [tile for tile in dice.sample(kinds, 7) for _ in range(2)]
        return sorted(hidden, key=judge.ORDER.index), []
    runs = [[f"{int(tile[0]) + step}{tile[1]}" for step in range(3)] for tile in kinds if tile[0] < "8"]
    groups = [dice.choice([dice.choice(runs), [dice.choice(kinds)] * 3]) for _ in range(4)]
    shown = dice.randrange(5)
    melds = [[*group, group[0]] if len(set(group)) == 1 and dice.random() < 0.4 else group for group in groups[:shown]]
    hidden = [tile for group in groups[shown:] for tile in group] + [dice.choice(kinds)] * 2
    if dice.random() < 0.3:
        hidden[0] = dice.choice(kinds)
    held = Counter([*hidden, *(tile for meld in melds for tile in meld)])
    return (sorted(hidden, key=judge.ORDER.index), melds) if max(held.values()) <= 4 else None


# ------------------------------------------------------------------ positions, history, refusals


def stepped_to(phase: str, players: int = 3, seed: int = 7) -> Mahjong:
    """A dealt game, stepped until it stands in a phase."""
    game = Mahjong.deal(players=players, seed=seed)
    while str(game.phase) != phase:
        game.step()
    return game


def test_a_seat_sees_its_hand_all_melds_and_the_pile_and_how_many_tiles_there_are() -> None:
    game = stepped_to("discard")
    seen = game.position(seen_by=2)
    fields = dict(field.split("=") for field in seen.split()[1:])
    assert fields["hands"].split("/")[1] == ",".join(game.hands[1])
    assert [set(fields["hands"].split("/")[seat].split(",")) for seat in (0, 2)] == [{"?"}, {"?"}]
    assert fields["melds"] == dict(field.split("=") for field in game.position().split()[1:])["melds"]
    assert fields["discard"] == (",".join(game.discard_pile) or "-")
    assert fields["draw"] == ",".join("?" * len(game.draw_pile))
    view = game.view(2)
    assert (view.melds, view.hand, view.draw_pile_size) == (game.melds, game.hands[1], len(game.draw_pile))
    taken = [step.card for step in view.history if step.trigger == "take"]
    assert taken == [
        step.card if step.player == 2 else "?" for step in game.history if step.trigger == "take"
    ]  # fmt: skip


def test_the_melds_of_a_position_are_melds_and_there_for_every_player() -> None:
    position = stepped_to("discard").position()
    fields = dict(field.split("=") for field in position.split()[1:])
    melds, hands = fields["melds"], fields["hands"]
    with pytest.raises(PositionError, match="position: melds='-/-'; give those of each of 3 players"):
        Mahjong.at(position.replace(f"melds={melds}", "melds=-/-"))
    first = next(meld for meld in melds.replace("/", "+").split("+") if meld != "-")
    split = f"{first[:2]}+{first[3:]}"
    with pytest.raises(PositionError, match=f"position: melds: {first[:2]} is not a meld; use three equal"):
        Mahjong.at(position.replace(f"melds={melds}", f"melds={melds.replace(first, split)}"))
    with pytest.raises(PositionError, match="no game comes to it; this must hold: hand and three times the melds"):
        Mahjong.at(position.replace("discard ", "ask-win ", 1))
    assert hands.count("/") == 2


def test_refusals_say_why_and_what_may_be_done() -> None:
    game = small("2M 1B 2B 2M 1D 1B 2B 1B 2B 2M 1D 2D 2M 2D 1D", 3)
    assert "not an event of initial" in refusal(game, "discard", "2M")
    game.open(), game.take()
    assert game.hands[0] == ("2M", "2M", "2M", "2M", "2D") or "2M" in game.hands[0]
    assert "the hand does not win" in refusal(game, "win")
    assert "player 1 does not hold it" in refusal(game, "discard", "9B")
    assert "a tile must be named" in refusal(game, "discard")
    game.discard("2B") if "2B" in game.hands[0] else game.discard(game.hands[0][-1])
    while str(game.phase) not in ("ask-set", "ask-run"):
        game.step()
    assert "is not an event of" in refusal(game, "discard", "2M") or "not an event of" in refusal(game, "discard", "2M")


def test_a_claim_names_the_open_tile_and_a_chow_the_lowest_of_its_run() -> None:
    game = stepped_to("discard")
    claim = game.history[-1]
    game.undo()
    other = next(tile for tile in TILES.cards if tile != claim.card)
    if claim.trigger == "pung":
        assert f"{other} is not the open tile" in refusal(game, "pung", other)
    else:
        wrong = next(tile for tile in TILES.cards if tile not in [move.card for move in game.events()])
        assert f"{wrong} is not the lowest tile of a run" in refusal(game, "chow", wrong)
    assert claim.card in [move.card for move in game.events()]


# ------------------------------------------------------------------ in words


def test_a_trace_tells_claims_discards_and_wins_with_their_reasons() -> None:
    from render.text.output import trace

    games = Mahjong.read(Path(f"{CORPUS}.in").read_text())
    text = "\n".join(trace(ended(Mahjong.of_deck(*games[0])), "Game 1"))
    assert "Player 1 takes 4D. Player 1 lays out a gang of 6D: 6D6D6D6D" in text
    assert "Player 3 claims a pung of 6B with the tile of player 2: 6B6B6B" in text
    assert "Player 4 claims a chow from 5B with the 7B of player 3: 5B6B7B" in text
    assert "characters are unwanted and being cleared, worth 4" in text
    assert "Player 2 wins with the 5D of player 4: 5D5D" in text
    assert "gang 3, all triplets 1. Player 4 pays 5" in text
    assert text.endswith("Player 2 wins. Scores: player 1 0, player 2 5, player 3 0, player 4 -5.")
    exhausted = next(place for place, lines in enumerate(corpus()) if lines[0].startswith("No score"))
    text = "\n".join(trace(ended(Mahjong.of_deck(*games[exhausted])), "Game"))
    assert "The wall is exhausted: nobody wins." in text
    assert "Nobody wins: wall exhausted. Scores: player 1 0" in text
