"""What `maumau check` looks at: two explorers that agree, right games that pass, faulty ones that are caught."""

from __future__ import annotations

import re
from collections import deque
from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import pytest
from alike import explored_alike, found_alike
from auction import AUCTION, Auction
from mutants import DEFINITION, Mutant, mutants, with_arc, with_function
from waiting import WAITING

from examples.go_fish import GoFish
from examples.hearts import Hearts
from fsm import Game, IllegalMove, MauMau, Uno, UnoOfficial
from fsm.check import Report, explore_stepped, properties, survey
from fsm.check.properties import DETERMINED
from fsm.declaration.arcs import Choice, Invariant, Postcondition, SmallDeck
from fsm.declaration.checks import GAME, checks_of
from fsm.declaration.declaration import Declaration, DeclarationError
from fsm.declaration.facts import Look
from fsm.stepping.game import game_of
from fsm.stepping.position import parse_position
from fsm.stepping.setup import deals
from fsm.stepping.steps import Move
from maumau.kernels.explorer.exhaustive import Exploration, explore
from rules.cards import suit_of
from rules.maumau.game import MauMauTable, add_two, eight, last_card, pile_runs_out, seven, skip_player
from rules.piles import cards_under_open_card
from rules.reading import InputError
from rules.rule import choice, effect, guard, query
from rules.uno.game import ProblemUnoTable as UnoTable
from rules.uno.game import add_two as add_two_in_uno

TINY: dict[type[Game], tuple[SmallDeck, ...]] = {
    MauMau: (
        SmallDeck("DQ DS HS DE DJ", 2, 1),
        SmallDeck("DQ HK SE DJ HJ", 2, 1),
        SmallDeck("DS HS DQ", 2, 1),
        SmallDeck("DQ DK HK DA SE DS", 2, 2),
    ),
    Uno: (
        SmallDeck("Y1 RS YR YD WC WF", 2, 2),
        SmallDeck("Y1 YS RS YD YR R1", 2, 1),
        SmallDeck("Y1 WC WC WF R1 RD", 2, 1),
        SmallDeck("Y1 YR RR YD", 3, 1),
        SmallDeck("Y1 WC WC WC R1", 2, 2),
    ),
    UnoOfficial: (
        SmallDeck("Y1 YD RS", 2, 1),
        SmallDeck("WC WF R1", 2, 1),
        SmallDeck("YR WF R1 WF", 3, 1),
        SmallDeck("YR YD R1 RS", 2, 1),
        SmallDeck("YS YR WC R1", 2, 1),
        SmallDeck("YS YR WF R1", 2, 1),
        SmallDeck("Y1 Y1 R1 R1 YR", 2, 2),
        SmallDeck("Y1 Y1 YR YR R1", 3, 1),
    ),
}
"""Decks with which faults are sought: together they fire every arc, and try every card that could be refused."""


# ---------------------------------------------------------------- small decks


class TestSmallDecks:
    def test_the_deals_of_three_cards(self) -> None:
        small = MauMau.with_deck("DQ HQ SQ", each=1)
        names = [" ".join(small.declaration.codec.notation.names(deck)) for deck in deals(small, 2)]
        assert sorted(names) == ["DQ HQ SQ", "DQ SQ HQ", "HQ DQ SQ", "HQ SQ DQ", "SQ DQ HQ", "SQ HQ DQ"]

    def test_hands_have_no_order_and_equal_cards_no_names(self) -> None:
        assert len(list(deals(MauMau.with_deck("DQ HQ SQ CQ DK HK", each=2), 2))) == 6 * 5 * 4 * 3 * 2 // (2 * 2)
        assert len(list(deals(Uno.with_deck("Y1 Y1 R1", each=1), 2))) == 3

    def test_no_wild_is_exposed(self) -> None:
        small = Uno.with_deck("Y1 R1 WC", each=1)
        assert len(list(deals(small, 2))) == 4

    @pytest.mark.parametrize("kind", [MauMau, Uno, UnoOfficial])
    def test_the_whole_deck_is_dealt_alike_by_both_deals(self, kind: type[Game]) -> None:
        game = kind.declaration
        assert game.deal_each is not None
        for players in game.codec.players:
            deck = kind.deck_of(players, 7, players)
            one, other = game.table(), game.table()
            game.deal(one, deck, players)
            game.deal_each(other, deck, players, game.codec.cards_each(players))
            assert one == other

    def test_equal_cards_are_chosen_and_ordered_once(self) -> None:
        small = Uno.with_deck("Y1 Y1 R1 R1", each=1)
        names = {" ".join(small.declaration.codec.notation.names(deck)) for deck in deals(small, 2)}
        assert len(list(deals(small, 2))) == len(names) == 6

    @pytest.mark.parametrize(
        ("line", "fault"),
        [
            ("", "use 2 as the number of players"),
            ("x DS HS DQ", "use 2 as the number of players"),
            ("3 DS HS DQ", "3 players cannot play; use 2 as the number of players"),
            ("2 DS HS", "2 cards instead of 3"),
            ("2 DS HS DS", "DS appears twice"),
        ],
    )
    def test_a_line_that_is_no_game_of_it_is_refused(self, line: str, fault: str) -> None:
        with pytest.raises(InputError, match=fault):
            MauMau.with_deck("DS HS DQ", each=1).parse(line)

    def test_a_game_that_deals_its_whole_deck_only_has_no_small_one(self) -> None:
        declaration = replace(MauMau.declaration, deal_each=None, small_decks=())
        whole: type[Game] = type("Whole", (MauMau,), {"declaration": declaration})
        with pytest.raises(ValueError, match="Mau-Mau is played only with its whole deck"):
            whole.with_deck("DS HS DQ", 1)

    def test_it_is_reported(self) -> None:
        assert str(SmallDeck("DS HS DQ", 2, 1)) == "3 cards, 2 players with 1 each: DS HS DQ"

    def test_a_small_game_is_stepped_by_the_same_rules(self) -> None:
        game = MauMau.with_deck("DS HS DQ HQ", each=1).parse("2 DS HQ HS DQ")
        assert game.step().dest == "penalty-pending"
        assert str(game.play("DS").dest) == "game-over"
        assert game.outcome is not None
        assert game.outcome.winner == 1

    @pytest.mark.parametrize(
        ("kind", "cards", "each", "fault"),
        [
            (MauMau, "DQ DQ HS", 1, "too often"),
            (MauMau, "DQ XX HS", 1, "unknown card"),
            (MauMau, "DQ HQ", 1, "2 cards, 1 each; use"),
            (MauMau, "DQ HQ SQ", 0, "use 1 or more each"),
            (Uno, "Y0 Y0 R1", 1, "too often"),
        ],
    )
    def test_a_deck_that_cannot_be_is_refused(self, kind: type[Game], cards: str, each: int, fault: str) -> None:
        with pytest.raises(ValueError, match=fault):
            kind.with_deck(cards, each)


# ---------------------------------------------------------------- the explorers


def reached_by_hand(kind: type[Game], players: int) -> set[str]:
    """Every position that is reached by `events` and `fire` of real games, and of games that are given up as endless."""
    seen: set[str] = set()
    queue: deque[Game] = deque(kind.of_deck(players, deck) for deck in deals(kind, players))
    while queue:
        game = queue.popleft()
        if canonical(game) in seen:
            continue
        seen.add(canonical(game))
        games = [moved(game, [move]) for move in game.events()]
        if "abandon" in game.forced_events and game.starts_turn:
            ended = kind.at(game.position())
            ended.table.returned = 1
            ended.fire("abandon")
            games.append(ended)
        queue.extend(games)
    return seen


def moved(game: Game, moves: Sequence[Any]) -> Game:
    """A game at the same position in which some moves were made."""
    other = type(game).at(game.position())
    for move in moves:
        other.fire(*move)
    return other


def canonical(game: Game) -> str:
    return str(game._position().canonical())


def test_the_machine_code_reaches_what_real_games_reach() -> None:
    small = SmallDeck("DS HE DJ", 2, 1)
    kind = MauMau.with_deck(small.cards, small.each)
    exploration = Exploration(MauMau, small)
    report = exploration.run()
    reached = set()
    for place in range(report.positions):
        phase, table = exploration.position(place)
        hands = [kind.declaration.codec.held(table, seat) for seat in range(small.players)]
        reached.add(canonical(kind(table, phase, hands)))
    assert reached == reached_by_hand(kind, small.players)
    assert len(reached) == report.positions > 20


SLOWLY = 4000
"""Positions up to which a deck is explored in plain Python, too."""


@pytest.mark.parametrize(
    "kind", [MauMau, *(pytest.param(kind, marks=pytest.mark.thorough) for kind in (Uno, UnoOfficial))]
)
def test_both_explorers_see_the_same(kind: type[Game]) -> None:
    never = set(map(str, kind.declaration.arcs))
    for deck in TINY[kind]:
        fast = explore(kind, deck)
        assert fast.complete
        assert fast.failures == []
        never &= set(map(str, fast.never_fired))
        if fast.positions < SLOWLY:
            explored_alike(kind, deck)
    assert never == set(), "no tiny deck fires these arcs"


@effect
def reset(table: MauMauTable) -> None:
    """Called as an instruction of the compiler is."""
    table.turns += 0


def test_a_rule_may_be_called_as_an_instruction_of_the_compiler() -> None:
    game = MauMau.declaration
    arcs = tuple(replace(arc, before=(*arc.before, reset)) for arc in game.arcs)
    small = SmallDeck("DS HE DJ", 2, 1)
    reports = [explore(kind, small) for kind in (MauMau, game_of(replace(game, arcs=arcs)))]
    assert reports[0].positions == reports[1].positions > 20


def test_a_limit_is_not_used_up_by_deals() -> None:
    report = explore_stepped(MauMau, SmallDeck("DQ HQ DT HT DK SK", 2, 1), most=400)
    assert not report.complete
    assert report.events > 300


@pytest.mark.slow
@pytest.mark.parametrize("kind", [MauMau, UnoOfficial])
def test_both_explorers_stop_at_the_same_position(kind: type[Game]) -> None:
    small = TINY[kind][0]
    all_positions = explore_stepped(kind, small).positions
    for most in (0, 1, 2, 7, 30, all_positions // 2, all_positions - 1, all_positions, all_positions + 1):
        stepped = explored_alike(kind, small, most)
        assert stepped.positions == min(most, all_positions)
        assert stepped.complete is (most >= all_positions)


def test_an_exploration_is_given_up_where_there_are_too_many_positions() -> None:
    report = explore_stepped(MauMau, TINY[MauMau][0], most=100)
    assert not report.complete
    assert report.positions == 100


@pytest.mark.slow
@pytest.mark.parametrize(
    ("kind", "games"),
    [(MauMau, 2), (Uno, 2), pytest.param(UnoOfficial, 6, marks=pytest.mark.thorough)],
)
def test_many_games_pass(kind: type[Game], games: int) -> None:
    report = survey(kind, games, seed=3)
    words = kind.declaration.codec
    assert report.games == games * (words.most - words.fewest + 1)
    assert report.failures == []
    assert sum(report.fired.values()) == report.events == report.positions


# ---------------------------------------------------------------- seeded faults


@effect
def add_three(table: MauMauTable) -> None:
    """One card too many."""
    table.due += 3


@effect
def add_three_in_uno(table: UnoTable) -> None:
    """One card too many."""
    table.due = 3


@guard("the draw pile does not run out, or it is not worth it")
def pile_is_worth_turning(table: MauMauTable) -> bool:
    """The last card of the draw pile is being taken, and at least two cards lie under the open card."""
    return table.stock == 1 and cards_under_open_card(table) > 1


def arc_of(kind: type[Game], output: str) -> int:
    """The place of the one arc that is told so."""
    (place,) = (place for place, arc in enumerate(kind.declaration.arcs) if str(arc).startswith(output))
    return place


def changed(kind: type[Game], output: str, **what: Any) -> Mutant:
    place = arc_of(kind, output)
    return with_arc(kind.declaration, place, replace(kind.declaration.arcs[place], **what), output)


P = {kind: kind.declaration.phases for kind in (MauMau, Uno)}
SEEDED: dict[str, tuple[type[Game], Mutant, str]] = {
    "a guard dropped": (
        MauMau, changed(MauMau, "await-play --play [fits, last card]", conditions=(last_card,)),
        "no transition is enabled for a refused event",
    ),
    "a destination changed": (
        MauMau, changed(MauMau, "await-play --play [fits, eight", dest=P[MauMau].AWAIT_PLAY),
        "a card with an effect has it",
    ),
    "a callback twice": (
        MauMau, changed(MauMau, "skip-pending --skip", before=(skip_player, skip_player)), DEFINITION,
    ),
    "a penalty off by one": (
        MauMau, with_function(MauMau.declaration, add_two, add_three), "a seven makes two more cards due",
    ),
    "a late reshuffle": (
        MauMau, with_function(MauMau.declaration, pile_runs_out, pile_is_worth_turning),
        "the pile is turned at once when it runs out",
    ),
    "the winner goes on": (
        MauMau, changed(MauMau, "jack-binding --play [fits bound suit, last card]", dest=P[MauMau].AWAIT_PLAY),
        "the next player is in turn",
    ),
    "a guard dropped in UNO": (
        Uno, changed(Uno, "await-play --draw", unless=()), "a player who can drop a card must",
    ),
    "a destination changed in UNO": (
        Uno, changed(Uno, "await-play --play [fits, skip", dest=P[Uno].AWAIT_PLAY), "a card with an effect has it",
    ),
    "a callback dropped in UNO": (
        Uno, changed(Uno, "skip-pending --skip", before=()), "the opening card and a skip move on",
    ),
    "a penalty off by one in UNO": (
        Uno, with_function(Uno.declaration, add_two_in_uno, add_three_in_uno),
        "a draw two makes two cards due, a wild draw four four",
    ),
}  # fmt: skip


@pytest.mark.slow
@pytest.mark.parametrize("fault", SEEDED)
def test_a_seeded_fault_is_caught(fault: str) -> None:
    kind, mutant, expected = SEEDED[fault]
    assert mutant.caught_by(kind, *TINY[kind]) == expected


EVERY = 80
"""Of so many faults of one arc the quick tests try one; the thorough ones try all."""


def assert_caught(kind: type[Game], faults: Sequence[Mutant]) -> None:
    """Each fault is caught, or it is none: the same positions are reached by the same events."""
    missed = [fault.description for fault in faults
              if fault.caught_by(kind, *TINY[kind]) is None and not fault.is_none(kind, *TINY[kind])]  # fmt: skip
    assert missed == []


@pytest.mark.slow
@pytest.mark.parametrize("kind", [MauMau, Uno, UnoOfficial])
def test_faults_of_one_arc_are_caught(kind: type[Game]) -> None:
    faults = [fault for fault in mutants(kind.declaration) if " late" not in fault.description]
    assert len(faults) > 400
    assert_caught(kind, faults[::EVERY])


PARTS = 16
"""Tests that share all faults."""


@pytest.mark.thorough
@pytest.mark.parametrize("part", range(PARTS))
@pytest.mark.parametrize("kind", [MauMau, Uno, UnoOfficial])
def test_all_faults_of_one_arc_are_caught(kind: type[Game], part: int) -> None:
    assert_caught(kind, list(mutants(kind.declaration))[part::PARTS])


def test_the_counterexample_of_a_fault_can_be_stepped() -> None:
    _, mutant, description = SEEDED["a penalty off by one"]
    faulty: type[Game] = type("Faulty", (MauMau,), {"declaration": mutant.declaration()})
    deck = TINY[MauMau][0]
    report = explore_stepped(faulty, deck, first=True)
    example = report.examples[properties(report.game).index(description)]
    assert example.event in (Move("open"), Move("play", "DS"), Move("play", "HS"))
    small = faulty.with_deck(deck.cards, deck.each)
    game = small.parse(example.line)
    for event in (*example.events, example.event):
        game.fire(event)
    assert game.table.due == 3
    assert small.at(example.position).phase is game.history[-1].source
    right = MauMau.with_deck(deck.cards, deck.each).at(example.position)
    assert right.fire(example.event).dest == game.phase
    assert right.table.due == 2


SHARED = {
    "leads to uno-pending: initial --open": (UnoOfficial, TINY[UnoOfficial][0]),
    "callback raise_bid dropped": (Auction, AUCTION.small_decks[0]),
    "guard position_returns dropped: await-play": (MauMau, SmallDeck("DJ HJ DS HE", 2, 1)),
    "callback skip_player dropped": (MauMau, SmallDeck("DE HE DS HS", 2, 1)),
}
"""Faults that both explorers find: an event that leads elsewhere or fails, and one that is forced where others may be
fired with cards, and with a suit beside them.
"""


@pytest.mark.slow
@pytest.mark.parametrize("description", SHARED)
def test_machine_code_catches_a_fault_too(description: str) -> None:
    kind, small = SHARED[description]
    fault = next(fault for fault in mutants(kind.declaration) if fault.description.startswith(description))
    faulty: type[Game] = type("Faulty", (kind,), {"declaration": fault.declaration()})
    assert found_alike(faulty, small).failures != []


@pytest.mark.slow
@pytest.mark.parametrize("kind", WAITING)
def test_both_explorers_see_the_same_where_nothing_is_forced_by_a_return(kind: type[Game]) -> None:
    found_alike(kind, kind.declaration.small_decks[0])


@pytest.mark.thorough
def test_machine_code_catches_a_fault_among_many_arcs() -> None:
    """In a declaration with more arcs than a word has bits."""
    kind, mutant, description = SEEDED["a late reshuffle"]
    faulty = split_by_suit(12, mutant.declaration())
    assert len(faulty.declaration.arcs) > 63
    report = found_alike(faulty, TINY[kind][0])
    number = properties(report.game).index(description)
    at = faulty.with_deck(TINY[kind][0].cards, 1).at(report.examples[number].position)
    assert report.examples[number].event == Move("take")
    assert len(at.draw_pile) == 1


def without_facts(kind: type[Game], *fields: str) -> type[Game]:
    """A game whose declaration lacks the facts of some fields."""
    codec = kind.declaration.codec
    facts = tuple(fact for fact in codec.facts if fact.field not in fields)
    kept = replace(codec)
    object.__setattr__(kept, "facts", facts)  # a codec completes those that every game has
    declaration = replace(kind.declaration, codec=kept, look=Look())
    return type("Forgetful", (kind,), {"declaration": declaration})


def unnoticed(monkeypatch: pytest.MonkeyPatch, kind: type[Game], *fields: str) -> type[Game]:
    """The same where nobody has read what the effects of the game do."""
    monkeypatch.setattr("fsm.declaration.contents.unmet", lambda game: ())
    return without_facts(kind, *fields)


@pytest.mark.slow
def test_many_games_find_a_fact_that_was_forgotten(monkeypatch: pytest.MonkeyPatch) -> None:
    """The small decks cannot: they are explored without the field."""
    forgetful = unnoticed(monkeypatch, MauMau, "due")
    report = survey(forgetful, games=2, seed=3)
    assert DETERMINED in report.failures
    example = report.examples[report.properties.index(DETERMINED)]
    assert example.missing == ("due",)
    game = forgetful.parse(example.line)
    for event in example.events:
        game.fire(event)
    found, expected = (re.sub(r" hands=\S*", "", position) for position in (game.position(), example.position))
    assert found == expected  # hands are listed in another order


@pytest.mark.parametrize(
    ("kind", "field"),
    [
        (Uno, "reversed"),
        (UnoOfficial, "laid_by"),
        (GoFish, "wanted"),
        (Uno, "due"),
        (UnoOfficial, "guilty"),
        (Hearts, "best"),
    ],
)
def test_a_fact_of_the_game_that_decides_what_is_legal_cannot_be_forgotten(kind: type[Game], field: str) -> None:
    with pytest.raises(DeclarationError, match=f"field {field}: rules read it, but it belongs to no position"):
        without_facts(kind, field)


@pytest.mark.parametrize(("kind", "field"), [(MauMau, "bound_suit"), (Hearts, "led")])
def test_a_fact_that_a_refusal_names_cannot_be_forgotten(kind: type[Game], field: str) -> None:
    with pytest.raises(DeclarationError, match=f"the refusal of .* names '{field}'"):
        without_facts(kind, field)


@choice
def lowest(table: MauMauTable) -> int:
    """The lowest card in the hand, whether it fits or not."""
    hand = table.hands[table.player]
    return (hand & -hand).bit_length() - 1


@choice
def unknown(table: MauMauTable) -> int:
    return 40


@choice
def failing(table: MauMauTable) -> int:
    return 1 // (table.stock - table.stock)


def surveyed_with(card: Any, games: int) -> tuple[type[Game], Report]:
    """The survey of Mau-Mau whose house policy lays a card that a choice picks."""
    house, *others = MauMau.declaration.policies
    phases = MauMau.declaration.phases
    hasty = replace(house, choices={**house.choices, phases.AWAIT_PLAY: (Choice("play", "hasty", card=card),)})
    policies = (hasty, *others)
    faulty: type[Game] = type("Faulty", (MauMau,), {"declaration": replace(MauMau.declaration, policies=policies)})
    report = survey(faulty, games)
    assert report.failures == ["policy house chooses a legal event"]
    return faulty, report


@pytest.mark.parametrize("card", [unknown, failing])
def test_a_policy_that_chooses_no_card_is_found(card: Any) -> None:
    _, report = surveyed_with(card, games=2)
    (example,) = report.examples.values()
    assert example.event is None


@pytest.mark.parametrize("games", [1, 2])
def test_a_policy_that_chooses_an_illegal_event_is_found_in_games_of_others(games: int) -> None:
    """In one game of each number of players they are random."""
    faulty, report = surveyed_with(lowest, games)
    (example,) = report.examples.values()
    assert example.event is not None
    there = faulty.at(example.position)
    assert example.event.card in there.hands[there.player - 1]
    with pytest.raises(IllegalMove):
        there.fire(example.event)


@pytest.mark.slow
def test_a_policy_whose_games_do_not_end_is_found() -> None:
    """Of eight games patient players have two; the others end, six for each of the three numbers of players."""
    report = survey(WAITING[0], games=8, seed=1)
    (failure,) = report.failures
    assert failure == "every game of players patient ends within 20,000 events"
    number = report.properties.index(failure)
    assert (report.failed[number], report.games) == (1, 3 * 6 + 1)
    example = report.examples[number]
    assert (example.events, example.event) == ((), None)
    game = WAITING[0].parse(example.line, ("patient",))
    for _ in range(20_000):
        game.step()
    assert game.outcome is None


def test_all_facts_that_are_needed_are_named(monkeypatch: pytest.MonkeyPatch) -> None:
    report = survey(unnoticed(monkeypatch, MauMau, "player", "due"), games=1, seed=1)
    assert report.examples[report.properties.index(DETERMINED)].missing == ("player", "due")


@pytest.mark.slow
def test_a_policy_may_name_a_colour_by_the_card_that_was_laid_before() -> None:
    """Where no card is picked, the last one is on the table, as where a game is stepped."""

    @choice
    def by_card(table: MauMauTable) -> int:
        return 0 if table.card >= 0 else -1

    house, *others = UnoOfficial.declaration.policies
    (phase,) = (phase for phase, choices in house.choices.items() if choices[-1].trigger == "name")
    naming = replace(house.choices[phase][-1], suit=by_card)
    policies = (replace(house, choices={**house.choices, phase: (naming,)}), *others)
    declaration = replace(UnoOfficial.declaration, policies=policies)
    naming_red: type[Game] = type("NamingRed", (UnoOfficial,), {"declaration": declaration})
    naming_red.deal(2, seed=3).run()
    assert survey(naming_red, games=2).failures == []


def test_many_games_catch_a_fault() -> None:
    kind, mutant, description = SEEDED["a penalty off by one"]
    faulty: type[Game] = type("Faulty", (kind,), {"declaration": mutant.declaration()})
    report = survey(faulty, 3)
    assert description in report.failures
    example = report.examples[properties(report.game).index(description)]
    game = faulty.parse(example.line)
    for event in example.events:
        game.fire(event)
    assert canonical(game) == str(parse_position(faulty.declaration, example.position).canonical())


# ---------------------------------------------------------------- known from the declaration


def test_everything_known_from_the_declaration_is_shown() -> None:
    for kind in (MauMau, Uno):
        for check in checks_of(GAME):
            assert list(check.function(kind.declaration)) == [], check.claim


@pytest.mark.parametrize(
    ("message", "what", "fault"),
    [
        ("skip-pending --skip", {"dest": P[MauMau].INITIAL}, "leads back to the initial phase"),
        ("penalty-pending --draw", {"dest": P[MauMau].PENALTY_PENDING, "before": ()}, "could be fired for ever"),
        ("skip-pending --skip", {"dest": P[MauMau].SKIP_PENDING}, "no path leads from it to the final phase"),
        ("skip-pending --skip", {"before": (skip_player, skip_player)}, "skip player is there twice; name it once"),
        ("initial --open [seven]", {"conditions": (seven, eight)}, "of seven, eight at most one holds"),
        ("initial --open [seven]", {"unless": (seven,)}, "is never enabled: it demands and excludes seven"),
    ],
)
def test_a_fault_of_the_declaration_is_reported(message: str, what: dict[str, Any], fault: str) -> None:
    with pytest.raises(DeclarationError, match=re.escape(fault)):
        changed(MauMau, message, **what).declaration()


def test_what_must_hold_is_about_something() -> None:
    game = MauMau.declaration
    with pytest.raises(DeclarationError, match="<lambda> is not marked; use a query"):
        replace(game, invariants=(Invariant("anything", lambda table: True),))
    holds = game.postconditions[0].holds
    for triggers, dests, fault in (
        (("fly",), (), "unknown event 'fly'; use one of open, play, "),
        ("play", (), "triggers is 'play'; use a tuple"),
        (("open",), (P[MauMau].DRAWING,), "event 'open' leads to none of its phases"),
    ):
        with pytest.raises(DeclarationError, match=f"'it flies': {fault}"):
            replace(game, postconditions=(Postcondition("it flies", holds, triggers, dests),))  # type: ignore[arg-type]
    with pytest.raises(DeclarationError, match="unknown phase 'colour-named'"):
        replace(game, invariants=(Invariant("a phase", game.invariants[0].holds, (P[Uno].COLOUR_NAMED,)),))


# ---------------------------------------------------------------- large declarations and large decks


@query
def bottom_is_known(table: MauMauTable) -> bool:
    """What a position does not tell: both explorers must give the same answer."""
    return table.bottom == table.stock and table.head == 0 and table.turns == 0


def split_by_suit(times: int, game: Declaration = MauMau.declaration) -> type[Game]:
    """Mau-Mau with its last arcs split by the suit of the open card: the same game in more arcs.

    An invariant reads fields that are no facts.
    """

    def lies_open(suit: int) -> Any:
        def open_suit(table: MauMauTable) -> bool:
            return suit_of(table.open_card) == suit

        open_suit.__name__ = f"open_suit_{suit}"
        return guard(f"suit {suit} does not lie open")(open_suit)

    suits = tuple(lies_open(suit) for suit in range(4))
    parts = [replace(arc, conditions=(*arc.conditions, suit)) for arc in game.arcs[-times:] for suit in suits]
    invariants = (*game.invariants, Invariant("counters start anew", bottom_is_known))
    split = replace(game, arcs=(*game.arcs[:-times], *parts), disjoint=(*game.disjoint, suits), invariants=invariants)
    return type("Split", (MauMau,), {"declaration": split})


@pytest.mark.thorough
def test_a_declaration_of_more_than_63_arcs_and_fields_that_are_no_facts_are_explored_in_machine_code() -> None:
    kind = split_by_suit(12)
    assert len(kind.declaration.arcs) > 63
    small = TINY[MauMau][0]
    reports = [explore(kind, small), explore_stepped(kind, small), explore_stepped(MauMau, small)]
    found = [(report.positions, report.events, report.failures) for report in reports]
    assert found[0] == found[1] == found[2]
    assert found[0][2] == []
    assert reports[0].fired == reports[1].fired


def test_a_deck_with_more_deals_than_can_be_listed_is_given_up_after_some_positions() -> None:
    cards = " ".join(MauMau.declaration.codec.notation.names(MauMau.full_deck()))
    report = explore(MauMau, SmallDeck(cards, 4, 5), most=1000)
    assert report.failures == []
    assert not report.complete
    assert report.events > report.positions == 1000
