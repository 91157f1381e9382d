"""Nothing that a table sends to a seat depends on what the seat must not know."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Callable, Iterable
from dataclasses import replace
from random import Random
from types import new_class
from typing import Any

import pytest
from all_games import GAMES, HOUSE_RULES, OFFICIAL_UNO, UNO_HOUSE_RULES
from hypothesis import Phase, given, settings
from hypothesis import strategies as st
from play_games import seated
from side_by_side import Apart, SideBySide
from worlds import hidden_piles, is_seen, turned_up

from fsm import Game, IllegalMove, MauMau
from fsm.stepping.steps import Move
from fsm.stepping.view import seen_step
from fsm.table.layout import layout_of
from maumau import information_state
from maumau.play.table import Setup, Table
from maumau.play.table.seen import NOBODY
from maumau.play.table.seen import seen_by as game_seen_by
from maumau.play.table.view import move_of_data
from rules.chance import SEED_LIMIT

WATCHER = None
SEEDS = st.integers(0, SEED_LIMIT - 1)
EXAMPLES = [
    pytest.param(kind, many, id=f"{kind.__name__}-{many}", marks=[pytest.mark.thorough] if many > 3 else [])
    for kind in GAMES
    for many in (3, 100)
]
"""Whole tables are played for each example, so the quick tests have few."""


def examples(many: int) -> Any:
    """How the examples are searched."""
    return settings(max_examples=many, phases=(Phase.generate,))


def sent(table: Table, player: int | None) -> str:
    """Everything that a table sends to a player: the view, the whole log, a hint, and the answers to wrong moves."""
    answers: list[Any] = [table.view(player), table.log(player)]
    if player is not None:
        for move in (Move("fly"), Move("play", "??"), *(Move(trigger) for trigger in table.game.declaration.triggers)):
            with_cards = [move, *(move._replace(card=card) for card in table.view(player)["hands"][player - 1][:2])]
            answers += [table.why(player, each) for each in with_cards]
        if table.asked == player:
            answers.append(table.hint(player))
    return json.dumps(answers)


def played(setup: Setup, moves: Random, events: int) -> Table:
    """A table at which so many events were fired, with moves at random."""
    table = Table(setup)
    while table.state == "playing" and len(table.game.history) < events:
        if not table.advance():
            player = table.asked
            assert player is not None
            table.act(player, moves.choice(table.game.events().legal), at=table.version(player))
    return table


def again(table: Table, deck: list[int]) -> Table | None:
    """The table at which the same was done with another deck; None if it cannot be done."""
    other = Table(table.setup)
    kind = type(table.game)
    try:
        game = kind.of_deck(table.game.players, deck, [policy.name for policy in table.game.policies])
    except ValueError:
        return None
    other.game = game
    control = game.declaration.control
    for step in table.game.history:
        chosen = step.trigger in {offer.trigger for offer in control[step.source].offers}
        card = step.card if step.trigger in game.declaration.card_events else None
        try:
            if chosen and other.asked is not None:
                move = Move(step.trigger, card, **{str(kind): value for kind, value in step.named.items()})
                other.act(other.asked, move, at=other.version(other.asked))
            elif chosen or not other.advance():
                return None
        except ValueError:
            return None
        fired = other.game.history[-1]
        if (fired.trigger, fired.source, fired.dest) != (step.trigger, step.source, step.dest):
            return None
    return other


def _pairs(deck: bytes, random: Random) -> list[list[int]]:
    """Decks with two cards exchanged."""
    decks = []
    for _ in range(12):
        one, other = random.sample(range(len(deck)), 2)
        changed = list(deck)
        changed[one], changed[other] = changed[other], changed[one]
        if changed != list(deck):
            decks.append(changed)
    return decks


def seen_by(game: Game, seat: int) -> list[Any]:
    """What a seat has seen of the cards, by the rules of the game alone: the deal, each event, the hand after it."""
    replayed = game.restarted()
    found: list[Any] = []
    for step in [None, *game.history]:
        if step is not None:
            replayed.fire_again(step)
        hidden = step is not None and step.player != seat + 1
        taken = step is not None and step.trigger not in game.declaration.card_events
        card = (
            None
            if step is None
            else "?"
            if hidden and (taken or step.trigger in game.declaration.face_down)
            else step.card
        )
        found.append((card, replayed.position(seen_by=seat + 1)))
    return found


def played_by_chance(kind: type[Game], seed: int, events: int) -> tuple[Random, int, Table]:
    """The chances that go on, how many people play, and their table, on which so many events happened."""
    random = Random(seed)
    players = random.randint(kind.declaration.codec.fewest, min(kind.declaration.codec.most, 4))
    return random, players, played(seated(kind, players, seed=seed, people=players), random, events)


def check_worlds(kind: type[Game], seed: int, events: int) -> None:
    """What is sent to a player is the same in every world that looks the same."""
    random, players, table = played_by_chance(kind, seed, events)
    player = random.randint(1, players)
    for deck in _pairs(bytes(table.game.dealt_deck()), random):
        other = again(table, deck)
        if (
            other is not None
            and other.state == "playing"
            and seen_by(other.game, player - 1) == seen_by(table.game, player - 1)
        ):
            assert sent(other, player) == sent(table, player)


def check_redealt(kind: type[Game], seed: int, events: int) -> None:
    """To deal hidden cards anew changes nothing that is sent."""
    random, players, table = played_by_chance(kind, seed, events)
    if table.state != "playing":
        return
    # of the players who are not asked as much as of the one who is
    for player in (*range(1, players + 1), WATCHER):
        before = sent(table, player)
        asked = table.asked
        redeal(table, NOBODY if player is None else player - 1, random)
        if table.asked == asked:
            assert sent(table, player) == before


def redeal(table: Table, seat: int, random: Random) -> None:
    """Deal the cards anew that a seat does not see, among the places where they lie; roll other dice.

    The cards are put into the game itself, and into what the table has kept for seats that did not see an event.
    """
    game = table.game
    seen = game_seen_by(game, seat).game()
    fresh, declaration = game.table, game.declaration
    hidden = {other for other in range(game.players) if not is_seen(declaration, "hands", seat, other)}
    others = [other for other in range(game.players) if game.hands[other] != seen.hands[other] or other in hidden]
    mask = len(fresh.ring) - 1
    places = [place & mask for place in range(fresh.head, fresh.head + fresh.stock)]
    places = [place for place in places if fresh.ring[place] not in turned_up(declaration, fresh)]
    held = {other: declaration.codec.held(fresh, other) for other in others}
    piles = hidden_piles(declaration, seat)
    piled = [layout_of(declaration).codes_in(fact, fresh, place) for fact, place in piles]
    cards = [fresh.ring[place] for place in places] + [card for part in (*held.values(), *piled) for card in part]
    random.shuffle(cards)
    for (fact, place), pile in zip(piles, piled, strict=True):
        layout_of(declaration).lay_pile(fact, fresh, place, [cards.pop() for _ in pile])
    for place in places:
        fresh.ring[place] = cards.pop()
    blank = declaration.table()
    for other in others:
        for field in ("hands", "twins", "triples", "quadruples"):
            if hasattr(blank, field):
                getattr(fresh, field)[other] = 0
        for _ in held[other]:
            declaration.codec.receive(fresh, other, cards.pop())
    fresh.seed, fresh.number, fresh.rolls = random.getrandbits(62), random.getrandbits(20), random.getrandbits(10)
    game._hands[-1] = tuple(game._held_in_order(game.table, other, hand) for other, hand in enumerate(game.hands))
    table._found.clear()
    layout = layout_of(declaration)
    now = layout.take(game.table)
    lists = next(place for place, value in enumerate(now) if not isinstance(value, int))
    for kept in table._kept.values():  # nothing else was hidden than hands and piles
        assert len(kept.hands) == len(game.hands)
        kept._hands[-1] = game.hands
        kept.table = layout.restored((*layout.take(kept.table)[:lists], *now[lists:]))


# ---------------------------------------------------------------- what events make public


def known(table: Table, player: int | None) -> str:
    """Everything that is sent to a player, with the position and all that was seen of the game.

    What follows when somebody has declined, a player sees by the next event: that the turn goes on, or that it is
    passed over itself.
    """
    if player is None:
        return sent(table, player)
    game, secret = table.game, table.game.declaration.asked_in_secret
    unseen = game.history and seen_step(game.declaration, game.history[-1], player - 1) is None
    if unseen and (game.phase not in secret or (game.player == player and table.asked is None)):
        game = game.clone()
        game.undo()
    return sent(table, player) + f"{game.position(seen_by=player)}\n{information_state(game, player)}"


def told_apart(kind: type[Game], seeds: Iterable[int]) -> bool:
    """Whether a player can tell worlds apart that should look the same."""
    try:
        for seed in seeds:
            check_side_by_side(kind, seed, seed % 61)
    except Apart:
        return True
    return False


RULES = [
    pytest.param(rule, many, id=f"{rule}-{many}", marks=[] if quick and many == 3 else [pytest.mark.thorough])
    for rule in HOUSE_RULES
    for quick in (rule in ("draw-until-fit", "drawn-card-not-played"),)
    for many in (3, 30)
]


@pytest.mark.parametrize(("rule", "many"), RULES)
def test_events_of_house_rules_make_nothing_public(rule: str, many: int) -> None:
    assert not told_apart(MauMau.with_rules(rule), range(many))


UNO_RULES = [
    pytest.param(rule, many, id=f"{rule}-{many}", marks=[] if quick and many == 2 else [pytest.mark.thorough])
    for rule in (*UNO_HOUSE_RULES, "family-uno", "strict-uno")
    for quick in (rule in ("seven-zero", "jump-in"),)
    for many in (2, 20)
]


@pytest.mark.parametrize(("rule", "many"), UNO_RULES)
def test_events_of_house_rules_of_official_uno_make_nothing_public(rule: str, many: int) -> None:
    assert not told_apart(OFFICIAL_UNO.with_rules(rule), range(many))


@pytest.mark.slow
@pytest.mark.parametrize("rules", [("seven-zero", "jump-in"), ("family-uno",), ("strict-uno", "stack-draws")], ids=str)
def test_hidden_cards_change_nothing_with_house_rules_of_official_uno(rules: tuple[str, ...]) -> None:
    kind = OFFICIAL_UNO.with_rules(*rules)
    for check, most in CHECKS:
        for seed in range(3):
            check(kind, seed, seed * most // 3)


def check_side_by_side(kind: type[Game], seed: int, events: int) -> None:
    """Deal hidden cards anew and play on; worlds in which other events happen are not discarded."""
    random = Random(seed)
    players = random.randint(kind.declaration.codec.fewest, min(kind.declaration.codec.most, 4))
    setup = seated(kind, players, seed=seed, people=players)
    one, other = (played(setup, Random(seed), events) for _ in range(2))
    player = random.choice((*range(1, players + 1), WATCHER))
    if one.state == "playing" and not one._kept and not names_hidden_card(one, player):
        redeal(other, NOBODY if player is None else player - 1, random)
        for field in ("seed", "number", "rolls"):  # what is rolled is public
            setattr(other.game.table, field, getattr(one.game.table, field))
        SideBySide(one, other, player, known).play(random, 12)


def check_lit(kind: type[Game], seed: int, events: int) -> None:
    """What the machine beside the table lights is the same, and holds, in every world that a player cannot tell apart:
    the phase, the arcs that were fired, those that are enabled, and those that each move fires.
    """
    random, players, table = played_by_chance(kind, seed, events)
    if table.state != "playing":
        return
    for player in (*range(1, players + 1), WATCHER):
        lit, asked = lit_for(table, player), table.asked
        for _ in range(0 if names_hidden_card(table, player) else 3):
            redeal(table, NOBODY if player is None else player - 1, random)
            if table.asked == asked:
                assert lit_for(table, player) == lit
                check_enabled(table, table.view(player))


def lit_for(table: Table, player: int | None) -> list[Any]:
    view = table.view(player)
    return [view["phase"], view["arcs"], [(entry.get("arc"), entry.get("phase")) for entry in table.log(player)]]


def check_enabled(table: Table, view: dict[str, Any]) -> None:
    """What is said of the arcs holds in the world in which the game is, which its player does not know."""
    game, declaration = table.game, table.game.declaration
    if view["phase"] != str(game.phase):
        return  # as those see it who do not act
    named = {*declaration.card_events, *declaration.value_kinds}
    for each in view["arcs"]:
        arc = declaration.arcs[each["arc"]]
        if each["enabled"] is not None and arc.trigger not in named:
            assert each["enabled"] == arc.enabled(game.table), arc
    for place, move in enumerate(view["question"]["moves"] if view["question"] else ()):
        fired = game.clone().fire(move_of_data(move)).arc
        assert place in next(arc["moves"] for arc in view["arcs"] if declaration.arcs[arc["arc"]] == fired)


CHECKS = [(check_worlds, 120), (check_redealt, 150), (check_side_by_side, 60), (check_lit, 150)]


@pytest.mark.slow
@pytest.mark.parametrize(("kind", "many"), EXAMPLES)
@pytest.mark.parametrize(("check", "most"), CHECKS, ids=[check.__name__ for check, _ in CHECKS])
def test_hidden_cards_change_nothing(check: Callable[..., None], most: int, kind: type[Game], many: int) -> None:
    @examples(many)
    @given(seed=SEEDS, events=st.integers(0, most))
    def each(seed: int, events: int) -> None:
        check(kind, seed, events)

    each()


def names_hidden_card(table: Table, player: int | None) -> bool:
    """Whether a fact names a card that a player does not see: it would have to be dealt anew, too."""
    game, declaration = table.game, table.game.declaration
    cards = [fact for fact in declaration.codec.facts if fact.kind == "card" and getattr(game.table, fact.field) >= 0]
    return any(not is_seen(declaration, fact.field, (player or 0) - 1, game.player - 1) for fact in cards)


@pytest.mark.slow
def test_a_forced_event_that_tells_a_hidden_card_is_caught() -> None:
    """Official UNO as it was: that a drawn card may be laid is seen by all, even if it is kept."""
    declaration = OFFICIAL_UNO.declaration
    open_to_all = {
        phase: replace(control, seen_as=None, offers=tuple(replace(offer, seen_as=None) for offer in control.offers))
        for phase, control in declaration.control.items()
    }
    leaky = replace(declaration, name="open-uno", control=open_to_all)
    assert told_apart(new_class("Open", (OFFICIAL_UNO,), {"declaration": leaky}), range(8, 40))


@pytest.mark.slow
@pytest.mark.parametrize("name", ["go-fish", "hearts"])
def test_what_the_rules_make_public_is_caught_where_it_is_not_declared(name: str) -> None:
    kind = next(kind for kind in GAMES if kind.declaration.name == name)
    declaration = replace(kind.declaration, name=f"{name}-undeclared", reveals={})
    assert told_apart(new_class("Undeclared", (kind,), {"declaration": declaration}), range(30))


# ---------------------------------------------------------------- planted leaks


def leaks(table: Table, player: int) -> bool:
    """Whether something that is sent changes when hidden cards are dealt anew."""
    before, random = sent(table, player), Random(5)
    for _ in range(20):
        redeal(table, player - 1, random)
        if sent(table, player) != before:
            return True
    return False


PLANTED = {
    "the top card of the draw pile": lambda game: game.draw_pile[0],
    "the hand of the next player": lambda game: sorted(game.hands[1]),
    "how many cards of a kind another player holds": lambda game: sum(card < "M" for card in game.hands[1]),
    "the dice": lambda game: game.table.seed % 7,
    "the whole position": lambda game: game.position(),
}


@pytest.mark.parametrize("planted", PLANTED)
def test_a_planted_leak_is_caught(planted: str, monkeypatch: pytest.MonkeyPatch) -> None:
    table = played(seated(GAMES[0], 3, seed=7, people=3), Random(7), 12)
    assert not leaks(table, 1)
    view = Table.view
    monkeypatch.setattr(Table, "view", lambda self, player: view(self, player) | {"more": PLANTED[planted](self.game)})
    assert leaks(table, 1)


@pytest.mark.parametrize("kind", GAMES, ids=lambda kind: kind.__name__)
def test_no_seed_number_or_key_is_sent(kind: type[Game]) -> None:
    players = kind.declaration.codec.fewest
    key, seed = "f3" * 16, 4_611_686_018_427_387_123
    for setup in (seated(kind, players, key=key), seated(kind, players, seed=seed)):
        table = played(setup, Random(3), 60)
        secrets = (key, str(seed), str(table.game.table.seed), json.dumps(list(kind.declaration.full_deck()))[1:40])
        for player in (*range(1, players + 1), WATCHER):
            text = sent(table, player)
            assert not [secret for secret in secrets if secret in text]


def test_each_round_of_a_key_has_a_seed_of_its_own() -> None:
    setup = seated(GAMES[0], 2, key="secret", target=50)
    seeds = [setup.dice(round)[0] for round in range(100)]
    assert len(set(seeds)) == 100
    assert seeds != [seated(GAMES[0], 2, key="other", target=50).dice(round)[0] for round in range(100)]


def test_who_is_asked_for_a_claim_is_seen_by_that_player_alone() -> None:
    mahjong = next(kind for kind in GAMES if kind.declaration.name == "mahjong")
    game = mahjong.deal(4, seed=7)
    asked = Counter[str]()
    while game.outcome is None:
        if game.phase in mahjong.declaration.asked_in_secret:
            acts = game.player
            views = {player: game.view(player) for player in range(1, 5)}
            assert game.position(seen_by=acts).startswith(f"{game.phase} player={acts} turn={game.turn} ")
            assert (views[acts].phase, views[acts].player) == (game.phase, acts)
            for other in {1, 2, 3, 4} - {acts}:
                assert game.position(seen_by=other).startswith(f"ask-win player=? turn={game.turn} ")
                assert (views[other].phase, views[other].player, views[other].turn) == ("ask-win", None, game.turn)
                assert "player" not in views[other].facts
                declined = [step.player for step in views[other].history if step.trigger in ("decline", "pass_over")]
                assert set(declined) <= {other}
            asked[game.phase] += 1
        game.step()
    assert len(asked) == 3


def test_who_declines_a_claim_is_not_told_to_the_others() -> None:
    mahjong = next(kind for kind in GAMES if kind.declaration.name == "mahjong")
    table = Table(seated(mahjong, 3, seed=7, people=3))
    declined = 0
    while table.state == "playing" and declined < 3:
        if table.advance():
            continue
        player = table.asked
        assert player is not None
        moves = table.game.events().legal
        others = [other for other in (None, 1, 2, 3) if other != player]
        if Move("decline") in moves and table.game.phase in mahjong.declaration.asked_in_secret:
            before = [(table.view(other), table.log(other)) for other in others]
            table.act(player, Move("decline"), at=table.version(player))
            unchanged = [(table.view(other), table.log(other)) for other in others if other != table.asked]
            assert all(each in before for each in unchanged)
            declined += 1
        else:
            table.act(player, moves[0], at=table.version(player))
    assert declined == 3


def test_a_move_that_the_rules_refuse_for_a_hidden_reason_is_refused_without_it() -> None:
    table = Table(seated(GAMES[0], 2, seed=7, people=2))
    while table.advance():
        pass
    assert table.asked is not None
    with pytest.raises(IllegalMove):
        table.game.fire("fly")
    assert "cannot fly" in str(table.why(table.asked, Move("fly")))


def test_who_keeps_a_drawn_card_does_not_tell_whether_it_could_be_laid() -> None:
    """For the others it is as if nothing could be laid: the same phases and events, and no word more."""
    official = next(kind for kind in GAMES if kind.declaration.name == "uno-official")
    kept = 0
    for seed in range(4):
        table = Table(seated(official, 2, seed=seed, people=2))
        while table.state == "playing" and len(table.game.history) < 80:
            if table.advance():
                continue
            player = table.asked
            assert player is not None
            moves = table.game.events().legal
            other, keep, draw = 3 - player, Move("keep"), Move("draw")
            if keep in moves:
                assert [str(game) for game in (table.view(other)["phase"], table.log(other)[-1]["event"])] == [
                    "drawing",
                    "take",
                ]
                table.act(player, keep, at=table.version(player))
                entry = table.log(other)[-1]
                told = [entry[name] for name in ("event", "by", "player", "rule", "why", "text")]
                assert told == ["pass_turn", "rules", player, "", "", f"Player {player} passes."]
                seen = [step.trigger for step in table.game.view(other).history if step.player == player]
                assert "look" not in seen
                assert "keep" not in seen
                kept += 1
            else:
                chosen = draw if draw in moves else moves[0]
                table.act(player, chosen, at=table.version(player))
    assert kept > 3
