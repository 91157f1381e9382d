"""Who sees which part of the table of a game: the one place that interprets the marks of `rules.visibility`.

Views, positions, pages, logs, observations, information states, searches and the solver ask here. They never look at a
mark, so a new kind of visibility is added to `rules.visibility` and to this module, and to nothing else.

A *part* of the table belongs to a seat: an item of a list and a pile that lies before a seat belong to that seat, a
number belongs to the seat that acts. What a seat sees of a part depends on its relation to the owner of the part, and
on nothing else while the game runs:

    sight = sight_of(game)
    relation = sight.relation(looker, owner)  # SELF, PARTNER or OTHER
    sight.sees("hands", relation)             # whether the seat sees that part
    sight.level("drawn", relation)            # how much of a whole field: WHOLE, OWN, SIZE or NOTHING
"""

from __future__ import annotations

from collections.abc import Sequence
from enum import IntEnum, StrEnum
from typing import Any

from fsm.declaration.arcs import Arc, Phase
from fsm.declaration.chart import DeclarationError
from fsm.declaration.declaration import Declaration
from fsm.declaration.facts import NOTHING, Fact, list_fields
from fsm.edge.kept import kept
from fsm.table.layout import joined, layout_of
from rules.cards import NO_CARD
from rules.notation import UNKNOWN
from rules.piles import discard_pile, draw_pile
from rules.visibility import SeenBy, determined, is_shown_at_end, visibility

WATCHER = -1
"""In place of a seat that looks: somebody who only watches."""
HANDS, RING, DISCARDS = "hands", "ring", "discards"
"""The fields of the hands and of both piles; and in place of a field the discard pile, a part of the ring."""


class Relation(IntEnum):
    """What a seat is to the owner of a part of the table."""

    SELF = 0
    PARTNER = 1
    OTHER = 2


class Level(StrEnum):
    """How much a seat sees of a field: all of it, its own parts, how many cards there are, or nothing."""

    WHOLE = "whole"
    OWN = "own"
    SIZE = "size"
    NOTHING = "nothing"


AUDIENCE: dict[SeenBy, frozenset[Relation]] = {
    SeenBy.ALL: frozenset(Relation),
    SeenBy.TURNED_UP: frozenset(Relation),
    SeenBy.OWNER: frozenset({Relation.SELF}),
    SeenBy.PARTNERS: frozenset({Relation.SELF, Relation.PARTNER}),
    SeenBy.DISCARDS: frozenset(),
    SeenBy.NOBODY: frozenset(),
}
"""Who sees a part, by the mark of its field."""


class Sight:
    """Who sees which part of the table of a game.

    game: the declaration. facts: those that a seat sees, at least in part, by its relation to the seat that acts.
    shown_piles, hidden_piles: the piles beside the hands, the draw pile and the discard pile that all see, and the
    others. open_piles: those of shown_piles that lie before a seat. shows_discards: whether all see the discard pile.
    shows_draw_pile: whether all see the draw pile as well. fields: those of the table beside the ring of both piles.
    determined: the fields that others determine, each with the query that does. turned_up_fields: those that name a
    card that all see. arcs_seen: of each arc, the one for which others take its event; None for no event.
    """

    def __init__(self, game: Declaration) -> None:
        marks = visibility(game.table)
        self.turned_up_fields = tuple(name for name, by in marks.items() if by is SeenBy.TURNED_UP)
        self._sides = game.scoring.sides if SeenBy.PARTNERS in marks.values() else 0
        if self.turned_up_fields and game.has_twins:
            told = "names a card that all see; use a deck in which every card appears once"
            raise DeclarationError(f"{game.name}: field {self.turned_up_fields[0]}: {told}")
        self.game = game
        marks[DISCARDS] = SeenBy.ALL if marks[RING] is SeenBy.DISCARDS else marks[RING]
        self._sees = {name: tuple(each in AUDIENCE[by] for each in Relation) for name, by in marks.items()}
        self._levels = {name: tuple(self._level(name, each) for each in Relation) for name in marks}
        self._owners: dict[tuple[str, int, int], frozenset[int]] = {}
        self.determined = determined(game.table)
        self.shows_discards, self.shows_draw_pile = self.is_open(DISCARDS), self.is_open(RING)
        self.fields = frozenset(marks).difference((RING, DISCARDS))
        self.shown_piles = tuple(fact for fact in game.piles if self.is_open(fact.field))
        self.hidden_piles = tuple(fact for fact in game.piles if fact not in self.shown_piles)
        self.open_piles = tuple(fact for fact in self.shown_piles if not fact.in_middle)
        self.facts = {
            each: tuple(fact for fact in game.codec.facts if self.level(fact.field, each) is not Level.NOTHING)
            for each in Relation
        }
        self.arcs_seen = {arc: game.arc_seen(arc) for arc in game.arcs}
        self._phases = {phase: game.phase_seen(phase, acts=False) for phase in game.phases}

    def relation(self, looker: int, owner: int) -> Relation:
        """Return what a seat that looks, or WATCHER, is to the seat that owns a part, both from 0."""
        if looker == owner:
            return Relation.SELF
        is_partner = self._sides and looker != WATCHER and (looker - owner) % self._sides == 0
        return Relation.PARTNER if is_partner else Relation.OTHER

    def partners(self, table: Any, seat: int) -> list[int]:
        """Return the other seats that may see more of what a seat has, or does, than those that only watch."""
        return [other for other in range(table.players) if self.relation(other, seat) is Relation.PARTNER]

    def sees(self, field: str, relation: Relation) -> bool:
        """Return whether a seat sees a part of a field. relation: of the seat to the owner of the part."""
        return self._sees[field][relation]

    def owners(self, field: str, looker: int, players: int) -> frozenset[int]:
        """Return the seats, from 0, whose parts of a field a seat sees. players: how many play."""
        found = self._owners.get((field, looker, players))
        if found is None:
            seats = (owner for owner in range(players) if self.sees(field, self.relation(looker, owner)))
            found = self._owners[field, looker, players] = frozenset(seats)
        return found

    def sees_hand(self, looker: int, owner: int) -> bool:
        """Return whether a seat, or WATCHER, sees the hand of a seat, both from 0."""
        return self.sees(HANDS, self.relation(looker, owner))

    def hands_seen(self, looker: int, players: int) -> frozenset[int]:
        """Return the seats, from 0, whose hands a seat sees. players: how many play."""
        return self.owners(HANDS, looker, players)

    def is_open(self, field: str) -> bool:
        """Return whether all see a field."""
        return self._sees[field][Relation.OTHER]

    def partners_see(self, field: str) -> bool:
        """Return whether the partners of the owner of a part of a field see it."""
        return self._sees[field][Relation.PARTNER]

    def is_private(self, field: str) -> bool:
        """Return whether each part of a field is seen by its owner alone."""
        return self._sees[field] == (True, False, False)

    def is_hidden(self, field: str) -> bool:
        """Return whether nobody sees a field; of a pile everybody sees how many cards it has."""
        return not any(self._sees[field])

    def level(self, field: str, relation: Relation) -> Level:
        """Return how much a seat sees of a field. relation: of the seat to the one that acts."""
        return self._levels[field][relation]

    def _level(self, field: str, relation: Relation) -> Level:
        piles = {fact.field: fact.in_middle for fact in self.game.piles}
        by_seat = not piles.get(field, field not in list_fields(self.game.table))
        if self.is_open(field) or (not by_seat and self.sees(field, relation)):
            return Level.WHOLE
        if by_seat and not self.is_hidden(field):
            return Level.OWN
        return Level.SIZE if field in {HANDS, RING, DISCARDS, *piles} else Level.NOTHING

    @property
    def unseen_fields(self) -> list[str]:
        """The fields of which the seat that acts does not see all."""
        return [field for field in self.game.defaults if self.level(field, Relation.SELF) != Level.WHOLE]

    def names(self, table: Any, codes: Sequence[int], is_seen: bool) -> tuple[str, ...]:
        """Return the names of cards of `table`, those that a seat does not see as `?`.

        codes: of the cards. is_seen: whether the seat sees the part of the table where they lie.
        """
        names = self.game.codec.notation.names
        if is_seen:
            return tuple(names(codes))
        if turned_up := self.turned_up(table):
            return tuple(
                name if turned_up >> code & 1 else UNKNOWN for code, name in zip(codes, names(codes), strict=True)
            )
        return (UNKNOWN,) * len(codes)

    def draw_pile(self, table: Any) -> tuple[str, ...]:
        """Return the names of the cards of the draw pile of `table`, its top card first, as all see them."""
        return self.names(table, draw_pile(table), self.shows_draw_pile)

    def discard_pile(self, table: Any) -> tuple[str, ...]:
        """Return the names of the cards of the discard pile of `table`, its bottom card first, as all see them."""
        return self.names(table, discard_pile(table), self.shows_discards)

    def piles(self, fact: Fact, table: Any, seat: int) -> tuple[tuple[str, ...], ...]:
        """Return what `seat` (from 0) sees of a pile of `table`, of those before each seat or of the one in the middle:
        everybody sees how many hidden cards there are.
        """
        layout = layout_of(self.game)
        return tuple(
            self.names(table, layout.codes_in(fact, table, owner), self.sees(fact.field, self.relation(seat, owner)))
            for owner in fact.piles(table.players)
        )

    def text(self, fact: Fact, text: str, table: Any, seat: int) -> str:
        """Return what `seat` (from 0) sees of the text of a fact of `table`. Everybody sees that nothing was drawn or
        named.
        """
        level = self.level(fact.field, self.relation(seat, table.player))
        if level is Level.WHOLE:
            return text
        if fact.is_pile:
            return "/".join(map(joined, self.piles(fact, table, seat)))
        if level is Level.OWN:
            seen = self.owners(fact.field, seat, table.players)
            return "/".join(count if owner in seen else UNKNOWN for owner, count in enumerate(text.split("/")))
        return text if text == NOTHING and not self.is_hidden(fact.field) else UNKNOWN

    def turned_up(self, table: Any) -> int:
        """Return the cards that all see in whichever pile they lie, as a mask of codes."""
        cards = 0
        for name in self.turned_up_fields:
            if (card := getattr(table, name)) != NO_CARD:
                cards |= 1 << card
        return cards

    def open_card(self, table: Any, relation: Relation) -> str | None:
        """Return the name of the open card: empty where none is open, None where a seat does not see it.

        relation: of the seat to the one that acts.
        """
        if not self._sees["open_card"][relation]:
            return None
        return "" if table.open_card == NO_CARD else self.game.codec.notation.cards[table.open_card]

    def hidden_hands(self, table: Any, looker: int, *, is_over: bool) -> list[int]:
        """Return the seats whose hands a seat (from 0, or WATCHER) does not see. is_over: whether the game is."""
        seen = self.hands_seen(looker, table.players)
        hidden = [owner for owner in range(table.players) if owner not in seen]
        return [owner for owner in hidden if not is_shown_at_end(table, HANDS, owner)] if is_over else hidden

    def shows_ways(self, hands: Sequence[str]) -> bool:
        """Return whether all see each card that leaves a hand, and nobody sees more of a hand than its owner.

        hands: the fields of the hands.
        """
        return (
            not (self.hidden_piles or self.turned_up_fields)
            and self.shows_discards
            and not self.shows_draw_pile
            and all(map(self.is_private, hands))
        )

    def phase_seen(self, phase: Phase, relation: Relation) -> Phase:
        """Return the phase that a seat sees. relation: of the seat to the one that acts."""
        return phase if relation is Relation.SELF else self._phases[phase]

    def sees_actor(self, phase: Phase, relation: Relation) -> bool:
        """Return whether a seat sees which seat acts in a phase. relation: of the seat to the one that acts."""
        return relation is Relation.SELF or phase not in self.game.asked_in_secret

    def sees_event(self, arc: Arc, player: int, looker: int) -> bool:
        """Return whether a seat sees that anything happens at an event. player: the seat that acts, from 0."""
        return looker == player or self.arcs_seen[arc] is not None

    def sees_guards(self, arc: Arc, relation: Relation) -> bool:
        """Return whether a seat sees all that the guards of an arc read: of hidden hands, that of the seat that acts.

        relation: of the seat to the one that acts.
        """
        read = [self.game.reads([guard]) for guard in (*arc.conditions, *arc.unless)]
        of_others = not self.is_open(HANDS) and any(HANDS in names and "player" not in names for names in read)
        return not of_others and all(self.sees(name, relation) for names in read for name in names)

    @kept
    def is_secret(self, phase: Phase, relation: Relation) -> bool:
        """Return whether a seat sees more of a phase than those who watch: who acts, the phase or the open card.

        relation: of the seat to the one that acts.
        """
        lookers = relation, Relation.OTHER
        sees = {self.sees_actor(phase, each) and self.phase_seen(phase, each) is phase for each in lookers}
        return len(sees) > 1 or self.sees("open_card", relation) is not self.is_open("open_card")

    @kept
    def knows_facts(self, relation: Relation) -> bool:
        """Return whether a seat sees facts that those who watch do not see.

        relation: of the seat to the one that acts.
        """
        fields = [fact.field for fact in self.game.codec.facts]
        levels = [(self.level(field, relation), self.level(field, Relation.OTHER)) for field in fields]
        return any(own is Level.OWN or own is not watched for own, watched in levels)


sight_of = kept(Sight)
"""Return the sight of a game, a declaration."""
