"""What a declaration need not say, because it follows from what it says: its codec, its deck, its deal, its phases."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace
from inspect import signature
from typing import Any, SupportsIndex

from fsm.declaration.chart import DeclarationError, set_part
from fsm.declaration.codec import Codec
from fsm.declaration.facts import Fact, default_values
from fsm.edge.numbers import as_int, of_type
from rules.errors import raised_as
from rules.notation import Notation, expected_name, listed, shown
from rules.rule import RuleFunction, query
from rules.sets import CardSets
from rules.table import FILLS, dealing, hands_of


def always(number: int) -> RuleFunction:
    """Return a query (players): the same number for any number of players."""

    @query
    def cards_each(players):  # type: ignore[no-untyped-def]
        """How many cards each player is dealt."""
        return number

    return cards_each


def by_players(numbers: Mapping[int, int], players: Sequence[int]) -> RuleFunction:
    """Return a query (players): the number for so many players.

    numbers: by the number of players. players: those that there must be a number for. Raises DeclarationError if one is
    missing, and for a number below 0 or another value.
    """
    plain = all(type(each) is int and each >= 0 for each in (*numbers, *numbers.values()))
    if not plain or not players or not {*players} <= {*numbers}:
        told = f"cards_each is {shown(dict(numbers))}, expected the number of cards by the number of players"
        raise DeclarationError(f"{told}, such as {{2: 7, 3: 5}}, for {listed([*map(str, players)], ' and ') or 'some'}")
    counts = tuple(numbers.get(each, 0) for each in range(max(numbers) + 1))

    @query
    def cards_each(players):  # type: ignore[no-untyped-def]
        """How many cards each player is dealt."""
        return counts[players]

    return cards_each


def dealt_out(deck_size: int) -> RuleFunction:
    """Return a query (players): the most cards that somebody gets if the whole deck is dealt."""

    @query
    def cards_each(players):  # type: ignore[no-untyped-def]
        """How many cards each player is dealt: the whole deck."""
        return (deck_size + players - 1) // players

    return cards_each


def dealt_out_without(deck_size: int, most: int, without: Mapping[int, str]) -> RuleFunction:
    """Return a query (players): as `dealt_out`, without the cards that are left out. most: the most players."""
    sizes = tuple(deck_size - len(without.get(players, "").split()) for players in range(most + 1))

    @query
    def cards_each(players):  # type: ignore[no-untyped-def]
        """How many cards each player is dealt: all that are not left out."""
        return (sizes[players] + players - 1) // players

    return cards_each


def _leave_out(game: Any) -> None:
    """Complete a game in which cards are left out for some numbers of players: by their pile, and how decks are dealt.

    Raises DeclarationError for cards that it does not have, and another `amend`.
    """
    if game.amend is not None:
        raise DeclarationError(f"{game.name or game.title}: amend and without cannot be used together")
    try:
        left_out = game.left_out
    except ValueError as error:
        raise DeclarationError(f"{game.name or game.title}: without: {error}") from None
    if left_out.FIELD not in default_values(game.table):
        set_part(game, "table", left_out.with_pile(game.table, len(default_values(game.table)["hands"])))
    *facts, ended, winner = game.codec.facts
    facts += [Fact(left_out.FIELD, kind="pile"), ended, winner]
    set_part(game, "codec", replace(game.codec, facts=tuple(facts)))
    set_part(game, "amend", left_out.amend())
    set_part(game, "deal", left_out.deal(game.deal))


def check_names(make: Callable[..., Any], unnamed: Sequence[object], given: Mapping[str, Any]) -> None:
    """Raise DeclarationError for a part that a declaration does not have, or that has no name, and for a missing one.

    make: the function whose parameters, except the first, are the parts. unnamed, given: what it is given.
    """
    where = f"{given.get('name') or given.get('title') or 'Declaration'}: "
    parts = dict([*signature(make).parameters.items()][1:])
    if unnamed:
        raise DeclarationError(
            f"{where}{shown(unnamed[0])} has no name; name each part, such as title={shown(unnamed[0])}"
        )
    for name in (name for name in given if name not in parts):
        raise DeclarationError(f"{where}Declaration has no part {shown(name)}{expected_name(name, parts)}")
    for name in (name for name, part in parts.items() if part.default is part.empty and name not in given):
        raise DeclarationError(f"{where}{name} is missing; declare {name}=..., see docs/howto/own-game.md")


def complete_deal(game: Any, deck: Notation | None, *given: Any) -> None:
    """Set the codec of a game that names its deck, and what fills and deals the deck, where they are not given.

    game: the `fsm.declaration.parts.Parts` that are being made. deck: the names of the cards; None: there is a codec.
    given: the players, the cards for each, the facts and the sets, as of `Declaration`. Raises DeclarationError if
    there is no default.
    """
    if deck is not None:
        with raised_as(DeclarationError, f"{game.name or game.title}: ", (TypeError, ValueError)):
            of_type("deck", deck, Notation, "a Notation, such as deck=FRENCH_52")
            of_type("table", game.table, type, "a class of tables, such as table=CardTable")
            set_part(game, "codec", _codec_of(deck, game.table, game.deck_size, game.without, *given))
    if game.codec is None:
        raise DeclarationError(f"{game.name or game.title}: it has no cards; declare deck=, such as deck=FRENCH_52")
    if game.deck_size is None:
        set_part(game, "deck_size", len(game.codec.notation.cards))
    if game.fill is None:
        copies, rest = divmod(game.deck_size, len(game.codec.notation.cards))
        set_part(game, "fill", None if rest else FILLS.get(copies))
    if game.deal is None:
        if game.deal_each is None:
            set_part(game, "deal_each", _deal_each_of(game.codec, game.table, game.deck_size))
        set_part(game, "deal", dealing(game.codec.cards_each, game.deal_each) if game.deal_each else None)
        if game.without and game.deal is not None:
            _leave_out(game)
    for name, such_as in (("fill", "fill_once"), ("deal", "dealing(cards_each, deal_each)")):
        if getattr(game, name) is None:
            raise DeclarationError(f"{game.name or game.title}: {name} is missing; write a function, as {such_as}")


def _codec_of(
    deck: Notation,
    table: type,
    deck_size: int | None,
    without: Mapping[int, str],
    players: int | Sequence[int] | None,
    cards_each: int | Mapping[int, int] | Callable[[int], int] | None,
    facts: tuple[Fact, ...],
    sets: CardSets | None,
) -> Codec:
    """Return the codec of a game.

    deck: the names of the cards. table: its class. deck_size: cards in the deck; None: each card once. without: the
    names of cards that are left out, by the number of players. players: the
    numbers of players; None: those of `cards_each`, else from two to as many as the table has seats. cards_each: cards
    dealt to each; None: the whole deck. facts, sets: as of `Codec`.
    """
    if players is None:
        seats = range(2, len(default_values(table)["hands"]) + 1)
        players = tuple(cards_each) if isinstance(cards_each, Mapping) else seats
    if isinstance(players, str) or not isinstance(players, Iterable):
        players = (as_int("players", players),)
    if isinstance(cards_each, Mapping):
        cards_each = by_players(cards_each, players)
    if cards_each is None:
        size = len(deck.cards) if deck_size is None else deck_size
        cards_each = dealt_out_without(size, max(players), without) if without else dealt_out(size)
    if isinstance(cards_each, SupportsIndex):
        cards_each = always(as_int("cards_each", cards_each, 0))
    of_type("cards_each", cards_each, Callable, "a whole number, one for each number of players, or a function")
    hands = hands_of(table)
    return Codec(
        notation=deck,
        players=players,
        cards_each=cards_each,
        facts=facts,
        receive=hands.receive,
        held=hands.held,
        sets=sets,
    )


def _deal_each_of(codec: Codec, table: type, deck_size: int) -> RuleFunction | None:
    """Return what deals any number of cards to each, one at a time, and opens none; None where hands have twins."""
    hands = hands_of(table)
    if hands.deal_out is None:
        return hands.deal
    try:
        ends_before = any(players * codec.cards_each(players) > deck_size for players in codec.players)
    except Exception:  # of a function that does not fit its place, which is reported with the others
        return hands.deal
    return hands.deal_out if ends_before else hands.deal
