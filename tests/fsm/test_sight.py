"""Who sees which part of a table: every mark, on every field of every game, for everything that shows or hides.

A part that a seat does not see is changed, and all that the seat is given must stay as it was. What is hidden is found
from the marks themselves, by `worlds.is_seen`, and not by `fsm.table`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field, fields, replace
from random import Random
from typing import Any

import pytest
from all_games import GAMES
from turned_trump import TurnedTrump
from worlds import given, is_seen, redeal

from examples.spades import SharedSpades, Spades
from fsm import Game, Uno, game_of
from fsm.declaration.chart import DeclarationError
from fsm.table.sight import DISCARDS, HANDS, RING, WATCHER, Level, Relation, sight_of
from maumau import Observed
from maumau.kernels.compiled.sights import look
from maumau.kernels.compiler.interpreted import interpreted
from maumau.kernels.compiler.sights import sight_constants
from maumau.play.table.seen import seen_by
from rules.visibility import KEY, SeenBy, turned_up

# ---------------------------------------------------------------- what each mark says


SPADES, SHARED, TURNED = (sight_of(kind.declaration) for kind in (Spades, SharedSpades, TurnedTrump))


@pytest.mark.parametrize(
    ("sight", "name", "levels"),
    [
        (SPADES, "bids", ("whole", "whole", "whole")),
        (SPADES, HANDS, ("own", "own", "own")),
        (SPADES, RING, ("size", "size", "size")),
        (SPADES, DISCARDS, ("whole", "whole", "whole")),
        (SPADES, "drawn", ("whole", "nothing", "nothing")),
        (SPADES, "seed", ("nothing", "nothing", "nothing")),
        (SHARED, HANDS, ("own", "own", "own")),
        (TURNED, "upcard", ("whole", "whole", "whole")),
    ],
)
def test_each_mark_says_how_much_is_seen(sight: Any, name: str, levels: tuple[str, ...]) -> None:
    assert [sight.level(name, relation) for relation in Relation] == [Level(level) for level in levels]


def test_partners_are_those_of_the_own_side_where_a_field_is_for_them() -> None:
    relations = [[SHARED.relation(looker, owner).name for owner in range(4)] for looker in range(4)]
    assert relations[0] == ["SELF", "OTHER", "PARTNER", "OTHER"]
    assert relations[3] == ["OTHER", "PARTNER", "OTHER", "SELF"]
    assert {SHARED.relation(WATCHER, owner) for owner in range(4)} == {Relation.OTHER}
    assert {SPADES.relation(0, owner).name for owner in range(4)} == {"SELF", "OTHER"}


def test_partners_see_each_others_hands_everywhere() -> None:
    game = SharedSpades.deal(4, seed=7)
    game.step()
    own, other, partner, last = game.hands
    assert game.view(1).hands == (own, ("?",) * 13, partner, ("?",) * 13)
    hands = next(part for part in game.position(seen_by=3).split() if part.startswith("hands="))
    assert hands == f"hands={','.join(own)}/{','.join('?' * 13)}/{','.join(partner)}/{','.join('?' * 13)}"
    assert (other, last) == (game.hands[1], game.hands[3])
    assert seen_by(game, 0).hands[2] == [SharedSpades.declaration.codec.notation.card(card) for card in partner]
    assert seen_by(game, WATCHER).hands[2] != seen_by(game, 0).hands[2]


def test_a_card_that_is_turned_up_is_seen_where_it_lies_until_it_is_drawn() -> None:
    game = TurnedTrump.deal(2, seed=7)
    game.step()
    upcard = game.draw_pile[-1]
    for player in (1, 2):
        assert game.position(seen_by=player).endswith(f"draw={'?,' * 33}{upcard}")
        assert game.view(player).upcard == upcard
    code = TurnedTrump.declaration.codec.notation.card(upcard)
    for seat in (0, 1, WATCHER):
        table = seen_by(game, seat).table
        assert table.ring[table.head + table.stock - 1] == code
    game.run()
    assert game.view(1).upcard is None


def test_a_card_may_be_turned_up_only_where_each_is_in_the_deck_once() -> None:
    @dataclass(slots=True)
    class TwoUp(Uno.declaration.table):  # type: ignore[name-defined, misc]
        upcard: int = turned_up()

    declaration = replace(Uno.declaration, name="two-up", table=TwoUp)
    with pytest.raises(DeclarationError, match="field upcard: names a card that all see; use a deck in which"):
        sight_of(declaration)


# ---------------------------------------------------------------- what is hidden changes nothing


Look = Callable[[Game, int], object]
LOOKS: dict[str, Look] = {
    "position": lambda game, seat: seat == WATCHER or game.position(seen_by=seat + 1),
    "view": lambda game, seat: seat == WATCHER or replace(game.view(seat + 1), moves=()),
    "room": lambda game, seat: seen_by(game, seat).data(seat),
    "observation": lambda game, seat: seat == WATCHER or Observed(game).observation(seat),
    "search": lambda game, seat: seat != game.table.player or given(Observed(game), seat),
    "solver": lambda game, seat: game.players > 2 or seat == WATCHER or _told(game, seat),
}
"""All that a seat is given, but its moves, which rules find that may read what it does not see."""


def _told(game: Game, seat: int) -> object:
    """What the solver mixes into the hash of what a seat has seen: a number without a limit, run by Python."""
    names = sight_constants(game.declaration, game.layout.hands)
    return interpreted(look, names)(game.table, game.declaration.phase_numbers[game.phase], seat, 1)


MARKS = SeenBy.OWNER, SeenBy.PARTNERS, SeenBy.NOBODY
NOT_CHANGED = "player", "turn", "ending", "winner", "winners", "led", "laid", "best", "taker"
"""Facts that say who acts, how a game ended and which trick lies there: with others nothing can be shown."""
COPIES = HANDS, "twins", "triples", "quadruples"
"""The fields of the hands."""
PARTNERS = 4
"""As many players have partners."""


def marked(kind: type[Game], name: str, by: SeenBy) -> type[Game]:
    """A game like another one, of whose table a field has another mark; with two sides if it is for partners."""
    declaration = kind.declaration
    names = [each for each in (COPIES if name == HANDS else [name]) if hasattr(declaration.table(), each)]
    body: dict[str, Any] = {"__annotations__": {}, "__module__": __name__}
    for entry in fields(declaration.table):
        if entry.name in names:
            is_plain = isinstance(entry.default, int)
            start = {"default": entry.default} if is_plain else {"default_factory": entry.default_factory}
            body["__annotations__"][entry.name] = entry.type
            body[entry.name] = field(**start, metadata={**entry.metadata, KEY: by})  # type: ignore[call-overload]
    table = dataclass(slots=True)(type("Marked", (declaration.table,), body))
    changed: dict[str, Any] = {"name": f"{declaration.name}-marked", "table": table}
    if by is SeenBy.PARTNERS and declaration.codec.most >= PARTNERS:
        changed["scoring"] = replace(declaration.scoring, sides=2)
        changed["codec"] = replace(declaration.codec, players=(PARTNERS,))
        changed["small_decks"] = ()
    return game_of(replace(declaration, **changed))


def played(kind: type[Game], players: int, random: Random) -> Game:
    """A game in the middle."""
    game = kind.deal(players, seed=random.randrange(1000), policies="random")
    for _ in range(random.randint(2, 40)):
        if game.outcome is None:
            before = game.clone()
            game.step()
    return game if game.outcome is None else before


def again(kind: type[Game], game: Game) -> Game:
    """The position of a game as another kind has it, without a history."""
    table = kind.declaration.table()
    for entry in fields(table):
        value = getattr(game.table, entry.name)
        setattr(table, entry.name, value if isinstance(value, int) else value[:])
    held = [kind.declaration.codec.held(table, seat) for seat in range(game.players)]
    return kind(table, game.phase, held, game.policies)


def looks(game: Game, seat: int) -> dict[str, object]:
    """All that a seat, or a watcher, is given."""
    found = again(type(game), game)
    return {name: look(found, seat) for name, look in LOOKS.items()}


def changed_facts(game: Game, name: str, seat: int) -> Iterator[Game]:
    """Games in which a part of a fact that a seat does not see says something else."""
    declaration = game.declaration
    fact = next(fact for fact in declaration.codec.facts if fact.field == name)
    owners = range(game.players) if fact.kind == "counts" else [game.table.player]
    for owner in owners:
        if not is_seen(declaration, name, seat, owner):
            other = again(type(game), game)
            value = getattr(other.table, name)
            if fact.kind == "counts":
                value[owner] = value[owner] - 1 if value[owner] > 0 else 1
            else:
                setattr(other.table, name, value - 1 if value > 0 else 1)
            yield other


@pytest.mark.parametrize("kind", GAMES, ids=lambda kind: kind.__name__)
def test_a_hidden_fact_changes_nothing_that_a_seat_is_given(kind: type[Game]) -> None:
    random, changed = Random(7), 0
    facts = [fact for fact in kind.declaration.codec.facts if not fact.is_pile and fact.field not in NOT_CHANGED]
    for fact in random.sample(facts, min(len(facts), 2)):
        by = random.choice(MARKS)
        other = marked(kind, fact.field, by)
        game = again(other, played(kind, other.declaration.codec.fewest, random))
        if fact.kind != "counts":
            setattr(game.table, fact.field, max(getattr(game.table, fact.field), 0))  # all see that there is none
        for seat in (WATCHER, *range(game.players)):
            before = looks(game, seat)
            for each in changed_facts(game, fact.field, seat):
                assert looks(each, seat) == before, (fact.field, by, seat)
                changed += 1
    assert changed > 0 or not facts


def nothing_hidden_changes_what_is_given(other: type[Game], game: Game, random: Random) -> None:
    """To deal anew what a seat does not see, in a game of the marked kind `other`, leaves all that it is given."""
    for seat in (WATCHER, *range(game.players)):
        observed = Observed(again(other, game))
        before = looks(observed.game, seat)
        redeal(observed, seat, random)
        assert looks(observed.game, seat) == before, seat


@pytest.mark.parametrize("by", [SeenBy.ALL, *MARKS])
@pytest.mark.parametrize("kind", GAMES, ids=lambda kind: kind.__name__)
def test_hidden_cards_change_nothing_that_a_seat_is_given(kind: type[Game], by: SeenBy) -> None:
    random, other = Random(8), marked(kind, HANDS, by)
    game = again(other, played(kind, other.declaration.codec.fewest, random))
    nothing_hidden_changes_what_is_given(other, game, random)


@pytest.mark.parametrize(
    "kind", [kind for kind in GAMES if not kind.declaration.has_twins], ids=lambda kind: kind.__name__
)
def test_a_card_that_is_turned_up_stays_where_it_lies(kind: type[Game]) -> None:
    cards = [fact.field for fact in kind.declaration.codec.facts if fact.kind == "card"]
    random = Random(9)
    for name in cards[:1]:
        other = marked(kind, name, SeenBy.TURNED_UP)
        game = again(other, played(kind, other.declaration.codec.fewest, random))
        if game.table.stock:
            setattr(game.table, name, game.table.ring[game.table.head & len(game.table.ring) - 1])
            assert game.position(seen_by=1).split("draw=")[1].split(",")[0] == game.draw_pile[0]
        nothing_hidden_changes_what_is_given(other, game, random)


@pytest.mark.parametrize("look", LOOKS)
def test_a_leak_into_each_of_them_is_caught(look: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Where a seat is given the top card of the draw pile, hidden cards that are dealt again show it."""
    kind = next(kind for kind in GAMES if kind.declaration.name == "crazy-eights")
    honest = LOOKS[look]
    monkeypatch.setitem(LOOKS, look, lambda game, seat: (honest(game, seat), game.draw_pile[0]))
    with pytest.raises(AssertionError):
        test_hidden_cards_change_nothing_that_a_seat_is_given(kind, SeenBy.OWNER)
