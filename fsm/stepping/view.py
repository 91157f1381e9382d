"""What one player sees of a game, by the declared visibility of the fields of the table (see `rules.visibility`)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import Any

from fsm.declaration.arcs import Fact, Phase
from fsm.declaration.declaration import Declaration
from fsm.edge.numbers import as_int
from fsm.stepping.moves import Plan, move_of
from fsm.stepping.position import IN_TURN, Position, acts_in_sight, text_of
from fsm.stepping.steps import Move, Step
from rules.cards import NO_CARD
from rules.ending import Ending
from rules.notation import UNKNOWN
from rules.visibility import SeenBy, visibility

Value = int | str | Ending | tuple[int | None, ...] | None


@dataclass(frozen=True)
class View:
    """A game as one player sees it. It does not change when the game goes on.

    game: its name. viewer, player: who sees it and who acts, from 1; None where others are asked, whom the viewer does
    not see. players: how many. phase: what the viewer sees of it. hand: the viewer's cards, in the order in which they
    came. open_card: empty if there is none, None if the viewer does not see it. discard_pile: its cards, the bottom
    card first. hand_sizes, draw_pile_size: numbers of cards. moves: the legal moves, if the viewer is to choose now.
    history: the events, with `?` for a card or a value that the viewer did not see, and the decision rule of own moves
    only. melds: the groups of cards that lie before each player, in games that have some.
    facts: the facts of the position that the viewer sees, by name; each is an attribute, too: `view.due`. Cards and
    suits are names, players count from 1, a fact for each seat is a tuple, and None is none.
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

    def __getattr__(self, name: str) -> Value:
        try:
            return vars(self)["facts"][name]  # type: ignore[no-any-return]
        except KeyError:
            raise AttributeError(
                f"a view has no {name!r}, or player {vars(self).get('viewer')} does not see it"
            ) from None


def view_of(
    game: Declaration, plan: Plan, table: Any, position: Position, history: tuple[Step, ...], seat: int
) -> View:
    """What `seat` (from 0) sees of the game on `table`. history: what it has seen of the events."""
    seen = position.cards_seen_by(seat, game.table)
    choosing = table.player == seat and not any(plan.forced_now(table))
    facts = visible_facts(game, table, seat)
    if not acts_in_sight(game, plan.phase, table, seat):
        del facts[IN_TURN]
    return View(
        game=game.name,
        viewer=seat + 1,
        player=int(table.player) + 1 if acts_in_sight(game, plan.phase, table, seat) else None,
        players=int(table.players),
        phase=game.phase_seen(plan.phase, acts=table.player == seat),
        hand=seen.hands[seat],
        hand_sizes=tuple(map(len, seen.hands)),
        open_card=open_card(game, table) if sees(game, "open_card", table, seat) else None,
        discard_pile=seen.discard,
        draw_pile_size=len(seen.draw),
        facts=MappingProxyType(facts),
        moves=tuple(move_of(game, code) for code in plan.offered(table)) if choosing else (),
        history=history,
        melds=seen.melds,
    )


def seat_of(table: Any, player: int) -> int:
    """The seat (from 0) of a player (from 1). Raises ValueError for a player who is not there."""
    player = as_int("player", player)
    if not 1 <= player <= table.players:
        raise ValueError(f"player {player} sees nothing, expected 1 to {table.players}")
    return player - 1


def open_card(game: Declaration, table: Any) -> str:
    """The name of the open card; empty where none is open."""
    return "" if table.open_card == NO_CARD else game.codec.notation.cards[table.open_card]


def sees(game: Declaration, field: str, table: Any, seat: int) -> bool:
    """Whether `seat` (from 0) sees a field of `table`; of a list, whether it sees its own item."""
    by = visibility(game.table)[field]
    if by is SeenBy.OWNER:
        return isinstance(getattr(table, field), list) or table.player == seat
    return by is SeenBy.ALL


def visible_facts(game: Declaration, table: Any, seat: int) -> dict[str, Value]:
    """The values of the facts that `seat` (from 0) sees, by name."""
    return {
        fact.name: _value(game, fact, table, seat) for fact in game.codec.facts if sees(game, fact.field, table, seat)
    }


def _value(game: Declaration, fact: Fact, table: Any, seat: int) -> Value:
    value = getattr(table, fact.field)
    if fact.kind == "counts":
        hidden = visibility(game.table)[fact.field] is SeenBy.OWNER
        return tuple(None if hidden and index != seat else int(value[index]) for index in range(table.players))
    if fact.kind == "number" and not fact.words:
        return int(value)
    if fact.kind == "ending":
        return None if value == Ending.RUNNING else Ending(value)
    if value < 0:
        return None
    return int(value) + 1 if fact.kind == "seat" else text_of(game, fact, value)


def seen_step(game: Declaration, step: Step, seat: int) -> Step | None:
    """An event as `seat` (from 0) sees it; None if it does not see that anything happens."""
    if step.player == seat + 1:
        return step
    if game.phase_seen(step.dest, acts=False) is not step.dest:
        return None
    if step.source in game.asked_in_secret and step.trigger in game.control[step.source].declines:
        return None
    if step.arc in game.disguises:
        arc = game.disguises[step.arc]
        step = step._replace(trigger=arc.trigger, source=arc.source, arc=arc)
    seen, down = visibility(game.table), step.trigger in game.face_down
    card = step.card
    if card is not None and (down or seen["card" if step.trigger in game.card_events else "drawn"] is not SeenBy.ALL):
        card = UNKNOWN
    hidden: dict[str, Any] = {str(kind): UNKNOWN for kind in step.named if down or seen[kind] is not SeenBy.ALL}
    return step._replace(card=card, rule=None, **hidden)
