"""Every check of a declaration, with the stage at which it refuses one: where to look for a refusal, or to add one.

>>> [check.where for check in CHECKS if "way out" in check.claim]
['fsm.declaration.chart:bad_ends']
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from enum import StrEnum
from importlib import import_module
from operator import attrgetter
from typing import Any, NamedTuple


class Stage(StrEnum):
    """When a declaration is checked."""

    DECORATE = "decorate"
    """A function gets its role in the rules."""
    DECLARE = "declare"
    """Parts are made, and joined to a chart, a game and its class."""
    COMPOSE = "compose"
    """House rules change a game; the result is then declared like any other game."""
    PLAY = "play"
    """A game is dealt and stepped."""


class Of(StrEnum):
    """What `Chart.faults` asks a check about."""

    CHART = "chart"
    """A chart that is not a game: the one of matches."""
    GAME = "game"
    """A game."""
    BOTH = "both"
    """Any chart."""


class Requirement(NamedTuple):
    """One requirement of a declaration, and the function that checks it.

    stage: when. claim: what holds afterwards. where: the module and the name of the function. of: what `Chart.faults`
    asks it about, in the order of the list; None: the code of its stage calls it. is_listed: whether `maumau check`
    lists the claim.
    """

    stage: Stage
    claim: str
    where: str
    of: Of | None = None
    is_listed: bool = True

    @property
    def function(self) -> Callable[..., Any]:
        """The function that checks; one that is asked about a chart yields what is wrong with it."""
        module, _, name = self.where.partition(":")
        found: Callable[..., Any] = attrgetter(name)(import_module(module))
        return found


DECORATE, DECLARE, COMPOSE, PLAY = Stage
CHART, GAME, BOTH = Of
_RULE, _PAGE, _CHART = "rules.rule", "fsm.declaration.page", "fsm.declaration.chart"
_CONTENTS, _GAME = "fsm.declaration.contents", "fsm.declaration.declaration"
_DRAFT, _COMPOSE, _DEFAULTS = "fsm.variants.draft:Draft", "fsm.variants.compose", "fsm.declaration.defaults"

CHECKS: tuple[Requirement, ...] = (
    Requirement(DECORATE, "a guard has the reason of a refusal", f"{_RULE}:Reason.__post_init__"),
    Requirement(DECORATE, "a reason names fields in braces", f"{_RULE}:named_in"),
    Requirement(DECORATE, "a function has one role, and changes or returns what the role allows", f"{_RULE}:_marked"),
    Requirement(DECORATE, "among is given a query of a mask, and a reason", f"{_RULE}:among"),
    Requirement(DECORATE, "what is made of a mask is given a query", f"{_RULE}:_made_of"),
    Requirement(DECLARE, "phases have names of their own", "fsm.declaration.arcs:Phase.__init_subclass__"),
    Requirement(DECLARE, "the functions of a transition are tuples", "fsm.declaration.arcs:Arc.__post_init__"),
    Requirement(DECLARE, "an offer has transitions of one event", f"{_PAGE}:offer"),
    Requirement(DECLARE, "an event is offered once in a phase", f"{_PAGE}:choose"),
    Requirement(DECLARE, "one guard tells an exception from the transition before it", f"{_PAGE}:_without_exceptions"),
    Requirement(DECLARE, "something happens in a chart", f"{_CHART}:Chart.__post_init__"),
    Requirement(DECLARE, "a declaration has known parts, and all that have no default", f"{_DEFAULTS}:check_names"),
    Requirement(DECLARE, "a game has cards, and is filled and dealt", f"{_DEFAULTS}:complete_deal"),
    Requirement(DECLARE, "each number of players has a number of cards", f"{_DEFAULTS}:by_players"),
    Requirement(DECLARE, "cards that are left out are of the game", f"{_DEFAULTS}:_leave_out"),
    Requirement(DECLARE, "every part has its type", f"{_GAME}:Declaration.__post_init__"),
    Requirement(
        DECLARE,
        "every phase of a transition is known, and every transition has a description",
        f"{_CHART}:unknown_names",
        BOTH,
    ),
    Requirement(
        DECLARE,
        "every function has the role of its place, guard or effect, and takes a table",
        f"{_CHART}:misused_in_arcs",
        CHART,
    ),
    Requirement(
        DECLARE,
        "every function has the role of its place, guard, effect, choice or query, and its parameters",
        "fsm.declaration.shapes:unfit_uses",
        GAME,
    ),
    Requirement(
        DECLARE,
        "every phase is reached from the initial one, all but the final have a way out",
        f"{_CHART}:bad_ends",
        BOTH,
    ),
    Requirement(DECLARE, "from every phase a path leads to the final one", f"{_CHART}:no_end", BOTH),
    Requirement(
        DECLARE, "every phase has a control, and every event of it a transition", f"{_CHART}:nobody_acts", BOTH
    ),
    Requirement(
        DECLARE,
        "where seats are asked they may decline, and the table tells whose turn it is",
        f"{_GAME}:misasked",
        GAME,
    ),
    Requirement(
        DECLARE,
        "a phase and an event that others take for another one cannot be told from it",
        f"{_GAME}:misseen",
        GAME,
    ),
    Requirement(DECLARE, "what the rules make public is how events of the game end", f"{_GAME}:unknown_reveals", GAME),
    Requirement(
        DECLARE,
        "every event names values of one kind, for which the table has a field",
        f"{_GAME}:misnamed",
        GAME,
    ),
    Requirement(
        DECLARE,
        "the deck has cards of the notation, for one or more players",
        "fsm.declaration.decks:unfit_deck",
        GAME,
    ),
    Requirement(
        DECLARE,
        "the table has integers, lists and byte rings only, with room for all seats and cards",
        f"{_CONTENTS}:unfit_table",
        GAME,
    ),
    Requirement(
        DECLARE,
        "every fact is a field of the table, of a known kind, under a name of its own",
        f"{_CONTENTS}:unfit_facts",
        GAME,
    ),
    Requirement(
        DECLARE,
        "hands are dealt as the codec says, and each small deck has cards of the game, enough for its players",
        "fsm.declaration.decks:unfit_deals",
        GAME,
    ),
    Requirement(DECLARE, "every policy has a last resort, and chooses what is offered", f"{_GAME}:undecided", GAME),
    Requirement(
        DECLARE, "of two transitions of one event, one demands what the other excludes", f"{_CHART}:ambiguous", BOTH
    ),
    Requirement(DECLARE, "no transition contradicts itself", f"{_CHART}:never_enabled", BOTH),
    Requirement(DECLARE, "no transition leads back to its phase and does nothing", f"{_CHART}:nothing_done", BOTH),
    Requirement(DECLARE, "no transition has a guard or an effect twice", f"{_CHART}:done_twice", BOTH),
    Requirement(DECLARE, "every invariant and postcondition is about something", f"{_GAME}:unsaid", GAME),
    Requirement(DECLARE, "rule functions do what every engine relies on", f"{_CONTENTS}:unmet", GAME, is_listed=False),
    Requirement(DECLARE, "what is shown is in the game", f"{_GAME}:misshown", GAME, is_listed=False),
    Requirement(DECLARE, "every event can be a method of the class", "fsm.stepping.hooks:check_events"),
    Requirement(DECLARE, "a card that all see in a pile appears once", "fsm.table.sight:Sight.__init__"),
    Requirement(COMPOSE, "a rule has a name, a description and edits", "fsm.variants.edits:Variant.__post_init__"),
    Requirement(COMPOSE, "a field that a rule adds has a name", "fsm.variants.edits:AddField.__post_init__"),
    Requirement(COMPOSE, "a function has not itself as its new meaning", "fsm.variants.edits:Means.__post_init__"),
    Requirement(COMPOSE, "something happens in a phase of an edit", "fsm.variants.happening:in_phase"),
    Requirement(COMPOSE, "the name of a rule of a player is free", "fsm.variants.rulebook:Rulebook.add"),
    Requirement(COMPOSE, "no rule excludes another one", f"{_COMPOSE}:check_together"),
    Requirement(COMPOSE, "one rule at most replaces a function", f"{_COMPOSE}:_ordered"),
    Requirement(COMPOSE, "two rules do not enable two transitions at once", f"{_COMPOSE}:_clash"),
    Requirement(COMPOSE, "a new meaning is that of a function that is called", f"{_COMPOSE}:_check_used"),
    Requirement(COMPOSE, "a constant is read, and has one value", f"{_COMPOSE}:_constants"),
    Requirement(COMPOSE, "a new phase has a name", "fsm.variants.made:KnownPhases.add"),
    Requirement(COMPOSE, "a phase of an edit is known", "fsm.variants.made:KnownPhases.find"),
    Requirement(
        COMPOSE, "the phases in which a game begins and ends are not dropped", "fsm.variants.made:check_dropped"
    ),
    Requirement(COMPOSE, "an edit changes something", f"{_DRAFT}.apply"),
    Requirement(COMPOSE, "two rules do not set one part", f"{_DRAFT}.set_once"),
    Requirement(COMPOSE, "an edit finds its transitions", f"{_DRAFT}._chosen"),
    Requirement(COMPOSE, "a transition is split once", f"{_DRAFT}._split_arcs"),
    Requirement(COMPOSE, "a guard that is removed is there", f"{_DRAFT}._change_arcs"),
    Requirement(COMPOSE, "an effect next to which others are put is there", "fsm.variants.draft:_check_placed"),
    Requirement(COMPOSE, "an event that is withdrawn is in its phase", f"{_DRAFT}._withdraw"),
    Requirement(COMPOSE, "a policy that gets a decision rule has some", f"{_DRAFT}._decide"),
    Requirement(COMPOSE, "a property that is waived is demanded", f"{_DRAFT}._waive"),
    Requirement(COMPOSE, "words that are replaced are in a description", f"{_DRAFT}._reword"),
    Requirement(PLAY, "a deck is that of the game, for its players", f"{_GAME}:Declaration.checked_deal"),
    Requirement(PLAY, "a deck that is dealt gives a valid position", "fsm.stepping.setup:check_dealable"),
    Requirement(
        PLAY, "a policy is one of the game, and plays with so many players", "fsm.declaration.parts:Parts.seated"
    ),
    Requirement(PLAY, "some transition is enabled in every position", "fsm.stepping.stepped:Stepped._fail"),
    Requirement(PLAY, "a game ends", "fsm.stepping.stepped:Stepped.run"),
)
"""All checks; those of a chart in the order in which they are made, the most basic first."""


def faults_of(chart: Any, kind: Of) -> Iterator[str]:
    """Yield what is wrong with a chart, the most basic first. kind: CHART or GAME."""
    for check in checks_of(kind):
        yield from check.function(chart)


def checks_of(kind: Of) -> tuple[Requirement, ...]:
    """Return the checks of a chart or game, in order. kind: CHART or GAME."""
    return tuple(check for check in CHECKS if check.of in (kind, BOTH))


def claims_of(kind: Of) -> tuple[str, ...]:
    """Return what holds of each chart or game that is declared, as `maumau check` lists it. kind: CHART or GAME."""
    return tuple(check.claim for check in checks_of(kind) if check.is_listed)
