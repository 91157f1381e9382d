"""What one player sees of a game, by the declared visibility of the fields of the table (see `rules.visibility`), and
how a terminal shows it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from types import MappingProxyType
from typing import Any

from fsm.declaration.arcs import Phase
from fsm.declaration.declaration import TURN, Declaration
from fsm.declaration.facts import IN_TURN, NO_VALUE, Fact
from fsm.edge.kept import kept
from fsm.edge.numbers import as_int
from fsm.stepping.moves import PhasePlan, plans_of
from fsm.stepping.outcomes import by_player
from fsm.stepping.position import Melds, Names, groups_before, melds_of
from fsm.stepping.steps import Move, Step
from fsm.table.layout import layout_of
from fsm.table.sight import Sight, sight_of
from rules.climbing import set_to_beat
from rules.ending import Ending
from rules.notation import UNKNOWN
from rules.piles import discard_pile, draw_pile
from rules.tricks import last_trick_of, trick_of

Value = int | str | Ending | tuple[int | None, ...] | tuple[str, ...] | tuple[tuple[str, ...], ...] | None
TableWriter = Callable[[Phase, Any, Sequence[tuple[str, ...]]], str]
"""What writes a table: its phase, the table and the hands, in names."""
FEW = 64
"""Texts of hands and piles that are kept, as most events change few of them."""
LINE = 160
"""Columns of a line in which the hands of many players are shown."""
ON_ONE_LINE = 4
"""Hands of up to this many players stand on one line."""


@dataclass(frozen=True)
class View:
    """A game as one player sees it. It does not change when the game goes on.

    game: its name. viewer: the player who sees it, from 1. player: who acts, from 1; None where others are asked whom
    the viewer does not see. players: how many. phase: what the viewer sees of it. hand: the viewer's cards, in the
    order in which they came. open_card: empty if there is none, None if the viewer does not see it. discard_pile: its
    cards, the bottom card first. hand_sizes, draw_pile_size: numbers of cards. hands: those of all players, with `?`
    for each card that the viewer does not see. moves: the legal moves, if the viewer is to choose now. history: the
    events, with `?` for a card or a value that the viewer did not see, and the decision rule of the viewer's own.
    melds: the groups of cards that lie before each player, in games that have some.
    facts: the facts of the position that the viewer sees, by name; each is also an attribute: `view.due`. Cards and
    suits are names, players count from 1, a fact for each seat is a tuple, and a pile is a tuple of names.
    """

    game: str
    viewer: int
    player: int | None
    players: int
    phase: Phase
    hand: tuple[str, ...]
    hand_sizes: tuple[int, ...]
    open_card: str | None
    discard_pile: tuple[str, ...]
    draw_pile_size: int
    facts: Mapping[str, Value]
    moves: tuple[Move, ...]
    history: tuple[Step, ...]
    melds: tuple[tuple[tuple[str, ...], ...], ...] = ()
    hands: tuple[tuple[str, ...], ...] = ()

    def __getattr__(self, name: str) -> Value:
        try:
            return vars(self)["facts"][name]  # type: ignore[no-any-return]
        except KeyError:
            raise AttributeError(
                f"a view has no {name!r}, or player {vars(self).get('viewer')} does not see it"
            ) from None


def view_of(
    sight: Sight,
    plan: PhasePlan,
    table: Any,
    hands: Sequence[Names],
    history: tuple[Step, ...],
    seat: int,
) -> View:
    """What `seat` (from 0) sees of the game on `table`.

    hands: in the order in which their cards came. history: what the seat has seen of the events.
    """
    game, relation = sight.game, sight.relation(seat, table.player)
    choosing = table.player == seat and not any(plan.forced_now(table))
    facts = {fact.name: _value(sight, fact, table, seat) for fact in sight.facts[relation]}
    sees_actor = sight.sees_actor(plan.phase, relation)
    if not sees_actor:
        del facts[IN_TURN]
    owners = sight.hands_seen(seat, table.players)
    seen = tuple(hand if owner in owners else (UNKNOWN,) * len(hand) for owner, hand in enumerate(hands))
    return View(
        game=game.name,
        viewer=seat + 1,
        player=int(table.player) + 1 if sees_actor else None,
        players=int(table.players),
        phase=sight.phase_seen(plan.phase, relation),
        hand=seen[seat],
        hand_sizes=tuple(map(len, hands)),
        open_card=sight.open_card(table, relation),
        discard_pile=sight.discard_pile(table),
        draw_pile_size=int(table.stock),
        facts=MappingProxyType(facts),
        moves=tuple(Move.of_code(game, code) for code in plan.moves(table)) if choosing else (),
        history=history,
        melds=melds_of(game, table) if game.codec.melds else (),
        hands=seen,
    )


def seat_of(table: Any, player: int) -> int:
    """The seat (from 0) of a player (from 1). Raises ValueError for a player who is not there."""
    player = as_int("player", player)
    if not 1 <= player <= table.players:
        raise ValueError(f"player {player} sees nothing; use 1 to {table.players}")
    return player - 1


def turn_of(table: Any) -> int:
    """The player whose turn it is on a table, from 1."""
    return int(getattr(table, TURN, table.player)) + 1


def who_acts(table: Any, asks: bool) -> str:
    """Who acts in a phase, in words: `player 2 in turn`, or `player 3 is asked, player 2 in turn`.

    asks: whether seats are asked one after another.
    """
    player, turn = table.player + 1, turn_of(table)
    if player == turn:
        return f"player {player} in turn"
    return f"player {player} {'is asked' if asks else 'acts'}, player {turn} in turn"


def round_data(sight: Sight, phase: Phase, table: Any, hands: Sequence[Sequence[int]], seat: int) -> dict[str, Any]:
    """Return what `seat` (from 0, or WATCHER) sees of a game as plain data.

    phase, table: as the seat knows them. hands: codes of cards by seat, in the order in which they came.
    """
    game, relation, over = sight.game, sight.relation(seat, table.player), phase is sight.game.final
    hidden, in_secret = sight.hidden_hands(table, seat, is_over=over), not sight.sees_actor(phase, relation)
    who = "the others are asked" if in_secret else who_acts(table, plans_of(game)[phase].asks)
    names, of_tricks = game.codec.notation.names, game.is_of_tricks
    return {
        "phase": str(phase),
        "player": None if over or in_secret else table.player + 1,
        "turn": None if over else turn_of(table),
        "who": "" if over else who,
        "hands": [None if hand and owner in hidden else names(hand) for owner, hand in enumerate(hands)],
        "hand_sizes": list(map(len, hands)),
        "melds": [[list(meld) for meld in melds] for melds in laid_open(game, table)],
        "open_card": sight.open_card(table, relation) or None,
        "trick": _by_player(game, trick_of(table) if of_tricks else set_to_beat(table)),
        "last_trick": _by_player(game, last_trick_of(table) if of_tricks else ()),
        "draw_pile": table.stock,
        "discard_pile": list(sight.discard_pile(table)),
        "facts": plain_facts(sight, table, seat),
    }


def _by_player(game: Declaration, cards: Iterable[tuple[int, int]]) -> list[list[int | str]]:
    """Cards that lie before seats, as plain data: players, from 1, each with the name of a card."""
    names = game.codec.notation.cards
    return [[seat + 1, names[card]] for seat, card in cards]


def plain_facts(sight: Sight, table: Any, seat: int) -> dict[str, Any]:
    """Return the facts that `seat` (from 0, or WATCHER) sees, by name, as plain data."""
    facts = sight.facts[sight.relation(seat, table.player)]
    values = {fact.name: _value(sight, fact, table, seat) for fact in facts}
    return {
        name: str(value) if isinstance(value, Ending) else list(value) if isinstance(value, tuple) else value
        for name, value in values.items()
    }


def _value(sight: Sight, fact: Fact, table: Any, seat: int) -> Value:
    value, game = getattr(table, fact.field), sight.game
    if fact.is_pile:
        piles = sight.piles(fact, table, seat)
        return piles[0] if fact.in_middle else piles
    if fact.kind == "counts":
        seen = sight.owners(fact.field, seat, table.players)
        return tuple(int(value[owner]) if owner in seen else None for owner in range(table.players))
    if fact.kind == "number" and not fact.words:
        return int(value)
    if fact.kind == "ending":
        return None if value == Ending.RUNNING else Ending(value)
    if value < 0:
        return None
    return int(value) + 1 if fact.kind == "seat" else fact.text(game.codec.notation, value)


def seen_step(game: Declaration, step: Step, seat: int) -> Step | None:
    """An event as `seat` (from 0) sees it; None if it does not see that anything happens."""
    if step.drawn:
        step = step._replace(drawn=tuple([_drawn_seen(game, drawn, seat) for drawn in step.drawn]))
    if step.player == seat + 1:
        return step
    sight = sight_of(game)
    if (arc := sight.arcs_seen[step.arc]) is None:
        return None
    down = arc.trigger in game.face_down
    relation, card = sight.relation(seat, step.player - 1), step.card
    if card is not None and (down or not sight.sees("card" if arc.trigger in game.card_events else "drawn", relation)):
        card = UNKNOWN
    hidden: dict[str, Any] = {str(kind): UNKNOWN for kind in step.named if down or not sight.sees(kind, relation)}
    return step._replace(trigger=arc.trigger, source=arc.source, arc=arc, card=card, rule=None, repeats=False, **hidden)


def _drawn_seen(game: Declaration, drawn: tuple[int, str], seat: int) -> tuple[int, str]:
    """A player and the cards that were drawn, as `seat` (from 0) sees them: as the hand into which they came."""
    player, cards = drawn
    sight = sight_of(game)
    if sight.sees_hand(seat, player - 1):
        return drawn
    return player, " ".join([UNKNOWN] * len(cards.split()))


def trick_named(game: Declaration, table: Any) -> tuple[tuple[int, str], ...]:
    """The trick of a game of tricks: players, from 1, each with the name of the card played, the leader first."""
    names = game.codec.notation.cards
    return tuple((seat + 1, names[card]) for seat, card in trick_of(table))


@kept
def table_writer(game: Declaration, players: int) -> TableWriter:
    """A function of the phase, the table and the hands of a game: the table as the statement of the problem shows it.

    Many players stand in several lines. Below the hands are both piles; in games of tricks, of the trump, the trick and
    the piles what is there. A machine without cards shows its phase and its own facts.
    """
    if game.deck_size == 1:
        return lambda phase, table, hands: ", ".join(
            [str(phase), *[f"{fact.name}: {layout_of(game).text(fact, table)}" for fact in game.codec.own_facts]]
        )
    names = game.codec.notation.cards
    opens = bool(game.codec.melds or sight_of(game).open_piles)
    width = len("player 1: ") + 3 * game.codec.cards_each(players) + 5
    in_row = max(LINE // (width + 1), 2) if players > ON_ONE_LINE else players

    @lru_cache(FEW)
    def hand_text(seat: int, hand: tuple[str, ...]) -> str:
        text = f"player {seat + 1}: {' '.join(hand)}"
        return text if opens else f"{text}   ".ljust(width)

    @lru_cache(FEW)
    def pile_text(codes: bytes) -> str:
        return " ".join(map(names.__getitem__, codes))

    below = _below_hands(game, pile_text)

    def write(phase: Phase, table: Any, hands: Sequence[tuple[str, ...]]) -> str:
        lines = list(map(hand_text, range(players), hands))
        if opens:
            melds = laid_open(game, table)
            lines = [" | ".join([line, *map(" ".join, own)]) for line, own in zip(lines, melds, strict=True)]
        else:
            lines = ["".join(lines[first : first + in_row]).rstrip() for first in range(0, players, in_row)]
        return "\n".join([*lines, *below(table)])

    return write


def _below_hands(game: Declaration, pile_text: Callable[[bytes], str]) -> Callable[[Any], list[str]]:
    """A function of the table: the lines below the hands, which are the trump, the trick and the piles."""
    look, hidden = game.look, [fact for fact in game.piles if fact not in sight_of(game).open_piles]
    discard_label, draw_label = _labels(look.discard_pile, look.draw_pile)

    def two_piles(table: Any) -> list[str]:
        discard, draw = pile_text(discard_pile(table)), pile_text(draw_pile(table))
        shown = [f"{discard_label}{discard}".rstrip(), f"{draw_label}{draw}".rstrip()]
        return shown if draw or game.has_draw_pile else shown[:1]

    def lines(table: Any) -> list[str]:
        below = {look.discard_pile: pile_text(discard_pile(table)), look.draw_pile: pile_text(draw_pile(table))}
        if game.is_of_tricks:
            notation = game.codec.notation
            trump = "" if table.trump == NO_VALUE else notation.suit_name(notation.suits[table.trump])
            shown = {"trump": trump, "trick": by_player(trick_named(game, table)), **below}
            below = {name: text for name, text in shown.items() if text}
        for fact in hidden:
            below[fact.name] = " / ".join(" ".join(pile) or "-" for pile in layout_of(game).piles(fact, table))
        return [f"{label}{text}".rstrip() for label, text in zip(_labels(*below), below.values(), strict=True)]

    return lines if hidden or game.is_of_tricks else two_piles


@lru_cache
def _labels(*names: str) -> list[str]:
    """The names of piles with a colon, all of one width."""
    width = max((len(f"{name}: ") for name in names), default=0)
    return [f"{name}: ".ljust(width) for name in names]


def laid_open(game: Declaration, table: Any) -> tuple[Melds, ...]:
    """Those that lie face up; none in games in which no cards lie so."""
    piles = sight_of(game).open_piles
    return groups_before(game, table, piles) if game.codec.melds or piles else ()
