"""What a kernel is generated for, and the rule functions that it calls."""

from __future__ import annotations

from dataclasses import dataclass

from fsm.declaration.arcs import Arc, Offer, Phase, Policy
from fsm.declaration.declaration import Declaration, rule_names
from fsm.declaration.endless import LONGEST
from fsm.declaration.policy import RANDOM
from fsm.declaration.values import ValueKind

HORIZON = 512
"""Stops at which a position may return, mostly one a turn, before a game is watched for that; most end long before."""
LONG_HORIZON = 16 * HORIZON
"""The same where all players are random: one game in twenty of four such players has more than HORIZON turns."""


@dataclass(frozen=True)
class Plan:
    """What a kernel is generated for.

    game: the declaration. policies: the distinct policies that seats may have, in the order of the seats' numbers.
    tally: whether it counts arcs and decision rules. log: whether it writes down every event and the final tables, and
    asks every guard; else it takes a policy's word that what it chooses is legal, and asks only which arc that is.
    repetition: whether it finds out where a position returns, if by the rules one may; else it leaves games of more
    than `horizon` stops running, for a kernel that does: they are so rare that the code for them is compiled only when
    it is needed. A kernel that logs or looks for a return plays decks that it is given; others can deal, too.
    """

    game: Declaration
    policies: tuple[Policy, ...]
    tally: bool = False
    log: bool = False
    repetition: bool = False

    def noted(self, arc: Arc) -> tuple[str, ...]:
        """Statements that follow the effects of an arc: a kernel that keeps more of a game than its table adds some."""
        return ()

    def leaves(self, phase: str | int) -> str:
        """The statement with which the function that steps a table ends in a phase, or is stuck."""
        return f"return {phase}, logged"

    @property
    def deals(self) -> bool:
        """Whether the kernel can make decks itself."""
        return not (self.log or self.repetition)

    @property
    def returning(self) -> tuple[Phase, ...]:
        """The phases in which a position may return."""
        return tuple(phase for phase, control in self.game.control.items() if control.may_return)

    @property
    def may_return(self) -> bool:
        """Whether positions are compared by the rules; else a game stops in every phase, so that it can be given up."""
        return bool(self.returning)

    @property
    def horizon(self) -> int:
        """Stops after which a game is looked through for a position that returned: random players play long games.

        Where none can return, the stops after which it is given up.
        """
        if not self.may_return:
            return LONGEST
        return LONG_HORIZON if self.policies == (RANDOM,) else HORIZON

    @property
    def phases(self) -> tuple[Phase, ...]:
        """The phases by number."""
        return tuple(self.game.phases)

    @property
    def rules(self) -> tuple[str, ...]:
        """The names of decision rules by number."""
        return rule_names(self.game)


Naming = tuple[bool, ValueKind]
"""What is named with an event: whether a card is, and the kind of the value."""


def namings(game: Declaration) -> tuple[Naming, ...]:
    """What is named with the events of a game: the number of each, from 1 on, tells `note` what to write down."""
    found: list[Naming] = [(True, ValueKind.SUIT)]
    for control in game.control.values():
        found += [naming for offer in control.offers if (naming := naming_of(game, offer))]
    return tuple(dict.fromkeys(found))


def naming_of(game: Declaration, offer: Offer) -> Naming | None:
    """What is named with the event of an offer, if anything is."""
    if offer.cards is None and offer.values is None:
        return None
    return offer.cards is not None, game.value_kind(offer.trigger)
