"""Pages: what is declared phase by phase is what the same arcs, written out, say; and what cannot be written is refused."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fsm import Arc, Control, DeclarationError, MauMau, Offer
from fsm.declaration.arcs import Phase
from fsm.declaration.chart import exclusive
from fsm.declaration.page import Asking, Moves, ask, best, choose, forced, lay, offer, on, page, turn
from rules.rule import Reason, among, effect, guard, guard_reasons, query
from rules.table import CardTable


class P(Phase):
    START = "start"
    GO_ON = "go-on"
    OVER = "over"


START, GO_ON, OVER = P
RULE = "A rule."


@dataclass
class Table:
    """A table on which a guard holds whose bit is set."""

    bits: int = 0
    card: int = 0


def guard_of(bit: int) -> Callable[[Any], bool]:
    @guard(f"bit {bit} is not set")
    def is_set(table: Table) -> bool:
        return table.bits >> bit & 1 == 1

    is_set.__name__ = f"bit_{bit}"
    return is_set


GUARDS = tuple(map(guard_of, range(4)))
ONE, TWO, THREE, FOUR = GUARDS


@effect
def act(table: Table) -> None:
    table.bits = 0


@effect
def begin(table: Table) -> None:
    table.bits = 1


@effect
def end(table: Table) -> None:
    table.bits = 2


@query
def held(table: Table) -> int:
    return table.bits


FITS = among(held, "fits", "{card} is not held", "The card is held.")


def arc(dest: Phase = GO_ON, source: Phase = START, trigger: str = "go", **more: Any) -> Arc:
    return Arc(trigger, source, dest, description=RULE, **more)


def test_guards_of_kinds_of_cards_exclude_each_other_where_no_card_is_of_both() -> None:
    seven, black = among(0xF0, "seven", "{card} is not a seven", "A seven."), among(0xCC, "black", "no", "Black.")
    other = among(0xF00, "seven", "{card} is not a seven", "Another seven.")
    assert [seven(Table(card=card)) for card in (3, 4, 7, 8)] == [False, True, True, False]
    assert [other(Table(card=card)) for card in (3, 4, 7, 8)] == [False, False, False, True]
    assert exclusive(arc(conditions=(seven,)), arc(conditions=(other,)), ())
    assert not exclusive(arc(conditions=(seven,)), arc(conditions=(black,)), ())
    assert not exclusive(arc(conditions=(seven,)), arc(conditions=(seven,)), ())


def test_what_is_forced_wherever_a_turn_starts_is_said_once() -> None:
    again = on("give_up", OVER, conditions=TWO, before=end, rule=RULE)
    go, stop = on("go", GO_ON, before=act, rule=RULE), on("stop", OVER, before=end, rule=RULE)
    said_twice = page({START: turn(go) | forced(again), GO_ON: choose(stop)})
    assert page({START: turn(go), GO_ON: choose(stop)}, each_turn=again) == said_twice


def test_a_later_transition_is_an_exception() -> None:
    arcs, control = page({START: forced(on("go", GO_ON, rule=RULE), on("go", OVER, conditions=ONE, rule=RULE))})
    assert arcs == (arc(unless=(ONE,)), arc(OVER, conditions=(ONE,)))
    assert control == {START: Control(forced=("go",))}


def test_what_excludes_already_is_not_excluded_again() -> None:
    rows = on("go", GO_ON, unless=ONE, rule=RULE), on("go", OVER, conditions=ONE, rule=RULE)
    assert page({START: forced(*rows)})[0] == (arc(unless=(ONE,)), arc(OVER, conditions=(ONE,)))
    ranks = on("go", GO_ON, conditions=ONE, rule=RULE), on("go", OVER, conditions=TWO, rule=RULE)
    assert page({START: forced(*ranks)}, ((ONE, TWO),))[0] == (arc(conditions=(ONE,)), arc(OVER, conditions=(TWO,)))


def test_events_of_other_names_are_no_exceptions() -> None:
    arcs, _ = page({START: forced(on("go", GO_ON, rule=RULE), on("stop", OVER, conditions=ONE, rule=RULE))})
    assert [each.unless for each in arcs] == [(), ()]


@pytest.mark.parametrize("conditions", [(ONE, TWO), ()])
def test_an_exception_that_no_single_guard_tells_is_refused(conditions: tuple[Any, ...]) -> None:
    told = "bit 0 and bit 1" if conditions else "nothing"
    rows = on("go", GO_ON, rule=RULE), on("go", OVER, conditions=conditions, rule=RULE)
    with pytest.raises(
        DeclarationError, match=rf"start --go--> over may both be enabled: the later one also demands {told}"
    ):
        page({START: forced(*rows)})


SUBSETS = st.sets(st.sampled_from(GUARDS)).map(lambda guards: tuple(sorted(guards, key=GUARDS.index)))


@given(st.lists(st.tuples(SUBSETS, SUBSETS), min_size=1, max_size=4), st.integers(0, 15))
def test_of_those_whose_conditions_hold_the_last_takes_place(written: list[tuple[Any, Any]], bits: int) -> None:
    """Whatever the guards answer, that one transition is enabled, of those that a page admits."""
    rows = [on("go", GO_ON, conditions=when, unless=unless, rule=str(n)) for n, (when, unless) in enumerate(written)]
    try:
        arcs, _ = page({START: forced(*rows)})
    except DeclarationError:
        return
    table = Table(bits)
    enabled = [each.description for each in arcs if each.enabled(table)]
    holding = [
        row.rule
        for row in rows
        if all(guard(table) for guard in row.conditions) and not any(guard(table) for guard in row.unless)
    ]
    assert enabled == holding[-1:]
    assert all(exclusive(one, other, ()) for n, one in enumerate(arcs) for other in arcs[n + 1 :])


def test_a_card_that_is_laid() -> None:
    plain = on("go", GO_ON, rule=RULE)
    special = on("go", START, conditions=ONE, before=act, rule=RULE)
    last = on("go", OVER, conditions=TWO, before=end, rule=RULE)
    moves = turn(lay(FITS, plain, special, first=begin, then=end, last=last, unless=FOUR))
    arcs, control = page({START: moves})
    assert arcs == (
        arc(conditions=(FITS,), unless=(FOUR, TWO, ONE), before=(begin, end)),
        arc(START, conditions=(FITS, ONE), unless=(FOUR, TWO), before=(begin, act, end)),
        arc(OVER, conditions=(FITS, TWO), before=(end,)),
    )
    assert [each.before for each in arcs] == [(begin, end), (begin, act, end), (end,)]
    assert control == {START: Control(offers=(Offer("go", cards=held),), starts_turn=True)}


def test_the_last_card_gives_way_to_what_it_excludes() -> None:
    last = on("go", OVER, conditions=TWO, unless=ONE, before=end, rule=RULE)
    special = on("go", START, conditions=ONE, before=act, rule=RULE)
    arcs, _ = page({START: turn(lay(FITS, special, last=last))})
    assert arcs == (
        arc(START, conditions=(FITS, ONE), before=(act,)),
        arc(OVER, conditions=(FITS, TWO), unless=(ONE,), before=(end,)),
    )


def test_a_guard_among_the_cards_of_a_mask() -> None:
    assert [FITS(Table(0b10, card)) for card in range(3)] == [False, True, False]
    assert (FITS.__name__, FITS.__doc__) == ("fits", "The card is held.")
    assert guard_reasons(FITS) == (Reason("{card} is not held"),)


def test_an_event_can_always_be_chosen_where_a_transition_has_no_guards() -> None:
    one, other = on("go", GO_ON, rule=RULE), on("go", OVER, conditions=ONE, rule=RULE)
    assert choose(one, other).control.offers == (Offer("go", always=True),)
    assert choose(other).control.offers == (Offer("go"),)
    assert choose(offer(one, suits=held)).control.offers == (Offer("go", suits=held),)


def test_parts_of_a_phase_are_joined() -> None:
    again, stop = on("go", START, before=act, rule=RULE), on("stop", OVER, conditions=ONE, rule=RULE)
    both = turn(again) | forced(stop)
    assert both.control == Control(forced=("stop",), offers=(Offer("go", always=True),), starts_turn=True)
    assert both.arcs == (again, stop)
    assert (turn() | forced(stop)).control == Control(forced=("stop",), starts_turn=True)


def test_seats_are_asked() -> None:
    asking = Asking(phase=START, nobody=OVER, description="Nobody.", able=ONE)
    arcs, control = page({START: ask(asking, on("go", GO_ON, conditions=TWO, rule=RULE))})
    assert arcs == (arc(conditions=(TWO,)), *asking.arcs())
    assert control == {START: asking.control(Offer("go"))}


@pytest.mark.parametrize(
    ("make", "error", "text"),
    [
        (lambda: on(5, GO_ON, rule=RULE), TypeError, "trigger: 5 is of type int; give the name of an event"),
        (lambda: on("go", 3, rule=RULE), TypeError, "dest: 3 is of type int; give a phase"),
        (
            lambda: page({START: forced(on("go", "go-on", rule=RULE))}),
            TypeError,
            "phase start: event go: dest: 'go-on' is of type str; give a phase",
        ),
        (lambda: on("go", GO_ON, rule=None), TypeError, "rule: None is of type NoneType; give the rule"),
        (lambda: on("go", GO_ON, conditions="x", rule=RULE), TypeError, "conditions: 'x' is of type str; give a rule"),
        (lambda: on("go", GO_ON, before=(act, 1), rule=RULE), TypeError, "before: 1 is of type int; give a rule func"),
        (lambda: forced(arc()), TypeError, "row: <start --go--> go-on> is of type Arc; give a transition: on"),
        (lambda: turn(3), TypeError, "part: 3 is of type int; give a transition, or what offer or lay makes"),
        (lambda: ask("x"), TypeError, "asking: 'x' is of type str; give an Asking"),
        (lambda: lay(ONE), TypeError, "fits: bit_0 is not made from a mask of cards; use a guard made by among"),
        (lambda: lay(FITS), DeclarationError, "an offer of nothing; use transitions of one event"),
        (
            lambda: offer(on("go", GO_ON, rule=RULE), on("stop", OVER, rule=RULE)),
            DeclarationError,
            "an offer of go, stop; use transitions of one event",
        ),
        (
            lambda: turn(lay(FITS, on("go", GO_ON, rule=RULE)), on("go", OVER, conditions=ONE, rule=RULE)).arcs,
            DeclarationError,
            "event 'go' is offered twice; use one offer of all its transitions",
        ),
        (
            lambda: turn(on("go", OVER, conditions=ONE, rule=RULE), lay(FITS, on("go", GO_ON, rule=RULE))).arcs,
            DeclarationError,
            "event 'go' is offered twice; use one offer of all its transitions",
        ),
        (lambda: page([START]), TypeError, r"phases: \[Phase.START\] is of type list; give what happens"),
        (lambda: page({START: on("go", GO_ON, rule=RULE)}), TypeError, "phase start: .* is of type On; give what"),
        (
            lambda: among(act, "a b", "no", "yes"),
            TypeError,
            "among: wrong arguments; give a query or mask, a name",
        ),
        (lambda: among(held, "fits", "{", "yes"), ValueError, "guard: '{'"),
        (
            lambda: among(0, "fits", "no", "yes"),
            TypeError,
            "among: wrong arguments; give a query or mask, a name",
        ),
        (
            lambda: among(True, "fits", "no", "yes"),
            TypeError,
            "among: wrong arguments; give a query or mask, a name",
        ),
    ],
)
def test_what_is_no_page_is_refused(make: Callable[[], object], error: type[Exception], text: str) -> None:
    with pytest.raises(error, match=text):
        make()


def test_a_page_is_what_its_arcs_say() -> None:
    """One phase of Mau-Mau, as the statement of the problem has it, with every exclusion written out by hand."""
    names = [str(each) for each in MauMau.declaration.arcs if each.source == "jack-binding"]
    assert names == [
        "jack-binding --play [fits bound suit, not last card, not seven, not eight] / lay card, next player--> await-play",
        "jack-binding --play [fits bound suit, seven, not last card] / lay card, add two, next player--> penalty-pending",
        "jack-binding --play [fits bound suit, eight, not last card] / lay card, next player--> skip-pending",
        "jack-binding --play [fits bound suit, last card] / lay card, win--> game-over",
        "jack-binding --draw [may draw] / draw one--> drawing",
        "jack-binding --abandon [position returns] / stop endless--> game-over",
    ]
    assert isinstance(turn(), Moves)


@query
def some_cards(table: Any) -> int:
    """A mask."""
    return table.hands[table.player]


@given(st.integers(0, (1 << 52) - 1))
def test_the_best_card_of_a_mask_is_the_one_with_the_highest_code_or_the_lowest(mask: int) -> None:
    highest, lowest = (best("go", "a rule", some_cards, "why", lowest=is_lowest) for is_lowest in (False, True))
    table = CardTable(players=2)
    table.hands[0] = mask
    cards = [card for card in range(52) if mask >> card & 1]
    for choice, pick in ((highest, max), (lowest, min)):
        assert [guard(table) for guard in choice.conditions] == [bool(cards)]
        assert choice.card is not None
        assert not cards or choice.card(table) == pick(cards)
    assert (highest.trigger, highest.rule, highest.description, highest.value) == ("go", "a rule", "why", None)


@pytest.mark.parametrize("cards", [5, None, "fitting", lambda table: 0])
def test_the_best_card_is_one_of_a_query(cards: Any) -> None:
    with pytest.raises(TypeError, match=r"give a query of a mask"):
        best("go", "a rule", cards, "why")
