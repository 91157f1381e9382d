"""A declaration that contradicts itself is refused when it is made, by the name of the arc or the phase."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass, replace
from inspect import signature
from random import randrange
from typing import Any, get_type_hints

import pytest

from fsm import (
    Arc,
    Choice,
    Control,
    Declaration,
    DeclarationError,
    Game,
    IllegalMove,
    MauMau,
    MauMauPhase,
    Offer,
    Policy,
    Uno,
    UnoOfficial,
    game_of,
)
from fsm.declaration import arcs as declared
from fsm.declaration.arcs import Invariant, Postcondition, ScoreInvariant
from fsm.declaration.chart import exclusive
from fsm.declaration.facts import Fact, Look
from fsm.games.maumau import MAUMAU
from fsm.games.maumau.players import HOUSE
from fsm.stepping.steps import Step
from fsm.variants import Arcs, ChangeArcs, Variant
from rules.drawing import draw_one
from rules.maumau.decision import best_jack, holds_jack
from rules.maumau.game import eight, fits, fitting, jack, seven, suits_to_name
from rules.piles import take_top
from rules.rule import effect, guard, guard_reasons, query
from rules.table import each_seat, fill_once, ring_of
from rules.visibility import discards_seen, seen_by_all


class Elsewhere(declared.Phase):
    """A phase of another game."""

    NOWHERE = "nowhere"


def not_marked(table: Any) -> bool:
    return bool(table)


def refused(**changes: Any) -> str:
    """The message with which Mau-Mau with these changes is refused."""
    with pytest.raises(DeclarationError) as caught:
        replace(MAUMAU, **changes)
    return str(caught.value)


def with_arc(arc: Arc) -> str:
    return refused(arcs=(*MAUMAU.arcs, arc))


def without(source: MauMauPhase, trigger: str | None = None) -> tuple[Arc, ...]:
    return tuple(arc for arc in MAUMAU.arcs if arc not in MAUMAU.leaving(source, trigger))


def changed(arc: Arc, **changes: Any) -> str:
    return refused(arcs=tuple(replace(one, **changes) if one is arc else one for one in MAUMAU.arcs))


DRAW = MAUMAU.leaving(MauMauPhase.AWAIT_PLAY, "draw")[0]


ARC = "maumau: transition await-play --draw--> drawing"


def test_a_refusal_names_what_a_position_has() -> None:
    """Else the move could not be refused in words when it is played."""

    @guard("{card} fits {foo}")
    def suits_foo(table: Any) -> bool:
        return False

    @guard("{card} on {open_card}: {due} cards are due, {{}}")
    def has_facts(table: Any) -> bool:
        return False

    known = "card, open_card, " + ", ".join(fact.field for fact in MAUMAU.codec.facts)
    assert changed(DRAW, conditions=(suits_foo,)).endswith(f"the refusal of 'suits foo' names 'foo'; use {known}")
    kind = MauMau.with_rules(Variant("idle", "Nobody draws.", (ChangeArcs(Arcs("draw"), conditions=(has_facts,)),)))
    game = kind.deal(3, 7, 0)
    game.open()
    game.skip()
    with pytest.raises(IllegalMove, match=r"cannot draw: the card on HE: 0 cards are due, \{\}"):
        game.draw()


@pytest.mark.parametrize("refusal", ["{card", "{}", "{0}", "{card.suit}", "{card!r}", "{card:>{width}}", "}"])
def test_a_refusal_with_other_braces_is_refused_where_it_is_written(refusal: str) -> None:
    with pytest.raises(ValueError, match=re.escape(f"guard: {refusal!r}")):
        guard(refusal)


def offering(offer: Offer) -> str:
    control = MAUMAU.control[MauMauPhase.AWAIT_PLAY]
    return refused(
        control={**MAUMAU.control, MauMauPhase.AWAIT_PLAY: replace(control, offers=(offer, *control.offers[1:]))}
    )


def choosing(choice: Choice) -> str:
    house = MAUMAU.policy("house")
    choices = {**house.choices, MauMauPhase.AWAIT_PLAY: (choice, *house.choices[MauMauPhase.AWAIT_PLAY])}
    return refused(policies=(Policy("house", choices), *MAUMAU.policies[1:]))


def test_a_score_by_what_is_no_part_of_a_position_is_refused() -> None:
    @query
    def lucky(table: Any, seat: int) -> int:
        return randrange(6)

    expected = "use fields of the table, or in an effect dice: `rules.chance.roll`"
    assert refused(score=lucky) == f"maumau: score: 'lucky' uses the module random; {expected}"


def test_a_score_and_a_policy_are_about_fields_of_the_table() -> None:
    @query
    def lowest(table: Any, seat: int) -> int:
        return table.hands[seat].bit_count() - table.winer + seat.bit_count()

    @query
    def behind(table: Any, seat: int) -> int:
        return seat - table.winer  # both are loaded by one operation of some versions of Python

    @query
    def highest(table: Any, seat: int) -> int:
        return table.hands[seat].bit_count() - table.winner + seat.bit_count()

    @guard("none is")
    def one_is_missing(table: Any) -> bool:
        return table.missing == 1

    expected = "declare {0}: int = seen_by_all(0), or in a house rule AddField"
    output = f"maumau: score: 'lowest' uses a field 'winer' that the table does not have; {expected.format('winer')}"
    assert refused(score=lowest) == output
    assert refused(score=behind) == output.replace("lowest", "behind")
    assert replace(MAUMAU, score=highest).score is highest
    draws = Choice("draw", conditions=(one_is_missing,), description="it is missing")
    choices = {**HOUSE.choices, MauMauPhase.AWAIT_PLAY: (draws, *HOUSE.choices[MauMauPhase.AWAIT_PLAY])}
    output = refused(policies=(replace(HOUSE, choices=choices),))
    place = "policy house: phase await-play: 'draw': conditions"
    about = "'one is missing' uses a field 'missing' that the table does not have"
    assert output == f"maumau: {place}: {about}; {expected.format('missing')}"


def test_a_lambda_and_a_closure_may_be_rules() -> None:
    def due_is(number: int) -> Any:
        return guard("{due} cards are due")(lambda table: table.due == number)

    two, three = due_is(2), due_is(3)
    arc = replace(DRAW, conditions=(*DRAW.conditions, two), unless=(three,))
    arcs = tuple(arc if one is DRAW else one for one in MAUMAU.arcs)
    assert arc in replace(MAUMAU, arcs=arcs).arcs
    assert [reason.sentence for reason in guard_reasons(two)] == ["{due} cards are due"]


def test_a_function_has_one_role() -> None:
    with pytest.raises(TypeError, match="effect: fits already has the role guard"):
        effect(fits)
    with pytest.raises(TypeError, match="query: 3 is not a function; give a function"):
        query(3)
    with pytest.raises(TypeError, match="guard: the reason of a refusal is missing"):
        guard(fits)


def with_choices(phase: str, *choices: Choice) -> str:
    house = MAUMAU.policies[0]
    return refused(policies=(Policy("broken", {**house.choices, MauMauPhase[phase]: choices}),))


def test_arcs_are_exclusive_by_one_guard_or_by_guards_of_which_one_holds() -> None:
    def arc(when: tuple[Any, ...] = (), unless: tuple[Any, ...] = ()) -> Arc:
        return Arc("play", MauMauPhase.AWAIT_PLAY, MauMauPhase.AWAIT_PLAY, conditions=when, unless=unless)

    ranks = ((seven, eight, jack),)
    assert exclusive(arc((seven,)), arc((), (seven,)), ())
    assert exclusive(arc((), (seven,)), arc((seven, fits)), ())
    assert exclusive(arc((seven,)), arc((eight,)), ranks)
    assert not exclusive(arc((seven,)), arc((eight,)), ())
    assert not exclusive(arc((seven,)), arc((seven,)), ranks)
    assert not exclusive(arc((seven,)), arc((fits,)), ranks)
    assert not exclusive(arc((), (seven,)), arc((), (seven,)), ranks)


# ------------------------------------------------------------------ what a declaration tells


def test_an_arc_reads_as_trigger_guards_and_callbacks() -> None:
    arc = Arc(
        "play",
        MauMauPhase.AWAIT_PLAY,
        MauMauPhase.DRAWING,
        conditions=(fits, seven),
        unless=(eight,),
        before=(draw_one,),
        description="A sentence.",
    )
    assert str(arc) == "await-play --play [fits, seven, not eight] / draw one--> drawing"
    assert str(Arc("skip", MauMauPhase.SKIP_PENDING, MauMauPhase.AWAIT_PLAY)) == "skip-pending --skip--> await-play"


def test_the_arcs_that_leave_a_phase_are_found_by_event() -> None:
    leaving = MAUMAU.leaving(MauMauPhase.DRAWING, "pass_turn")
    assert [str(arc.dest) for arc in leaving] == ["await-play", "jack-binding"]
    assert set(MAUMAU.leaving(MauMauPhase.DRAWING)) == {arc for arc in MAUMAU.arcs if arc.source is MauMauPhase.DRAWING}
    assert MAUMAU.leaving(MauMauPhase.GAME_OVER) == ()


def test_a_declaration_is_enough_to_have_a_game() -> None:
    kind = game_of(MAUMAU)
    assert kind.__name__ == "MauMau"
    game = kind.deal(3, seed=7)
    assert game.run() == MauMau.deal(3, seed=7).run()
    line = kind.write(3, kind.deck_of(3, 7))
    assert kind.parse(line).run() == game.outcome
    assert kind.read(f"1\n{line}")[0].players == 3
    assert [kind.write(*dealt) for dealt in kind.read(f"1\n{line}")] == [line]


def test_events_are_methods_with_the_sentences_of_their_arcs() -> None:
    kind = game_of(MAUMAU)
    assert str(signature(kind.play)) == "(self, card: str, suit: str | None = None) -> fsm.stepping.steps.Step"
    assert get_type_hints(kind.draw) == {"return": Step}
    assert get_type_hints(Uno.play) == {"card": str, "colour": str | None, "return": Step}
    assert str(signature(Uno.may_play)) == "(self, card: str | None = None, colour: str | None = None) -> bool"
    assert str(signature(Uno.is_drawing)) == "(self) -> bool"
    assert (kind.skip.__doc__ or "").startswith(
        "Fire the event skip.\n\nThe skipped player loses the turn, and the eight its effect.\n\nRaises Ill"
    )
    assert kind.play.__qualname__ == "MauMau.play"


def test_a_class_may_replace_an_event() -> None:
    class Loud(Game, declaration=MAUMAU):
        """Skips in its own way."""

        def skip(self) -> Step:
            """Once more."""
            return self.fire("skip")

    assert Loud.skip.__doc__ == "Once more."
    assert Loud.with_deck("DQ DS HS DE DJ", each=1).skip.__doc__ == "Once more."


@pytest.mark.parametrize(
    ("event", "message"),
    [
        ("run", "event 'run' is the name of a part of every game"),
        ("table", "event 'table' is the name of a part of every game"),
        ("no-dashes", "event 'no-dashes' is not a name for a method; use one like 'play'"),
        ("pass", "event 'pass' is not a name for a method; use one like 'play'"),
    ],
)
def test_an_event_that_cannot_be_a_method_is_refused(event: str, message: str) -> None:
    control = {**MAUMAU.control, MauMauPhase.SKIP_PENDING: Control(forced=(event,))}
    arcs = tuple(replace(arc, trigger=event) if arc.trigger == "skip" else arc for arc in MAUMAU.arcs)
    plain = replace(MAUMAU, arcs=arcs, control=control, postconditions=(), look=Look())
    with pytest.raises(DeclarationError, match=message):
        game_of(plain)


def test_the_machine_has_the_phases_and_the_arcs_of_the_declaration() -> None:
    machine = MauMau.machine
    assert list(machine.states) == list(MauMauPhase)
    transitions = [
        (transition.source, name, transition.dest)
        for name, event in machine.events.items()
        for transitions in event.transitions.values()
        for transition in transitions
    ]
    arcs = [(arc.source, arc.trigger, arc.dest) for arc in MAUMAU.arcs]
    assert sorted(transitions) == sorted(arcs)


def test_a_declaration_is_frozen() -> None:
    declaration: Declaration = MAUMAU
    with pytest.raises(AttributeError):
        declaration.name = "other"  # type: ignore[misc]


class TestWithoutEffects:
    """Guards, choices and queries are asked at any time, so they assign to no field of the table."""

    def test_a_guard_that_assigns_to_a_field_is_refused(self):
        with pytest.raises(TypeError, match=r"guard: .*greedy assigns to table.due; write a function without effects"):

            @guard("nothing is due")
            def greedy(table: Any) -> bool:
                table.due = 0
                return True

    def test_a_query_that_assigns_to_a_hand_is_refused(self):
        with pytest.raises(TypeError, match=r"query: .*robber assigns to table.hands\[0\]"):

            @query
            def robber(table: Any) -> int:
                table.hands[0] |= 1
                return 0

    def test_a_query_whose_source_is_not_there_is_declared(self):
        """As one that is typed into a shell: whether what it stores to is a field of the table is not known."""
        space: dict[str, Any] = {"query": query}
        typed = "@query\ndef counted(table):\n    counts = [0]\n    counts[0] = 3\n    return counts[0]\n"
        exec(typed, space)
        assert space["counted"](None) == 3

    def test_a_query_may_count_in_a_list_of_its_own(self):
        @query
        def most_frequent(table: Any) -> int:
            counts = [0] * 4
            counts[table.player] += 1
            return max(counts)


@pytest.mark.parametrize("place", ["conditions", "unless", "before"])
def test_one_function_in_place_of_a_tuple_is_refused_with_the_arc(place):
    with pytest.raises(TypeError, match=rf"transition await-play --play--> await-play: {place} is fits; use a tuple"):
        Arc("play", MAUMAU.phases.AWAIT_PLAY, MAUMAU.phases.AWAIT_PLAY, **{place: fits}, description="A card fits.")


def test_a_list_in_place_of_a_tuple_is_refused_by_its_type():
    with pytest.raises(
        TypeError, match=r"transition await-play --play--> await-play: unless is of type list; use a tuple$"
    ):
        replace(MAUMAU.leaving(MAUMAU.phases.AWAIT_PLAY, "play")[0], unless=[fits])


def test_the_phase_that_arcs_leave_may_be_given_by_its_name():
    assert [arc.trigger for arc in MAUMAU.leaving("skip-pending")] == ["skip"]
    assert MAUMAU.leaving("await-play", "play") == MAUMAU.leaving(MAUMAU.phases.AWAIT_PLAY, "play")


def test_declarations_are_equal_by_their_parts_not_by_identity() -> None:
    copy = replace(MAUMAU)
    assert copy is not MAUMAU
    assert (copy, hash(copy)) == (MAUMAU, hash(MAUMAU))
    assert replace(MAUMAU, small_decks=()) != MAUMAU
    assert MauMau.with_rules("nine-reverses").declaration != MAUMAU
    assert game_of(copy).at(MauMau.deal(2, 1).position()) == MauMau.deal(2, 1)


def test_whenever_an_arc_is_fired_one_of_its_counters_applies() -> None:
    fired = set()
    for number in range(40):
        game = MauMau.deal(3, 5, number, ("random", "house", "house"))
        while game.outcome is None:
            applying = [counter for counter in MAUMAU.counters if counter.applies(game.table)]
            arc = game.step().arc
            (counter,) = (counter for counter in applying if counter.arc == arc)
            fired.add(counter)
    assert {counter.length for counter in fired} >= {0, 1, 2, 3}


def table_with(kind: Any, **field: Any) -> type[Any]:
    """The table of Mau-Mau with another field. kind: its type."""
    ((name, default),) = field.items()
    return dataclass(slots=True)(type("Changed", (MAUMAU.table,), {"__annotations__": {name: kind}, name: default}))


def with_fact(*fact: Any) -> str:
    return refused(codec=replace(MAUMAU.codec, facts=(*MAUMAU.codec.facts, Fact(*fact))))


def with_small(cards: str, players: int, each: int) -> str:
    return refused(small_decks=(declared.SmallDeck(cards, players, each),))


P, MOST, SKIP = MauMauPhase, MAUMAU.codec.most, "Skipped another way."
OFFER, POLICY = "maumau: phase await-play: offer 'play'", "maumau: policy house: phase await-play: 'play'"
NO_LAST = "maumau: policy broken: phase drawing has no last resort; add a last choice without conditions"
NOT_RESHUFFLED = tuple(arc for arc in MAUMAU.arcs if arc.dest is not P.RESHUFFLE)
TURNED = Arc("turn_pile", P.RESHUFFLE, P.RESHUFFLE, conditions=(fits,), description="It turns around itself.")
NOT_DRAWING = {phase: choices for phase, choices in HOUSE.choices.items() if phase is not P.DRAWING}
NOBODY_RESHUFFLES = {phase: control for phase, control in MAUMAU.control.items() if phase is not P.RESHUFFLE}
DESCRIBED = MAUMAU.postconditions[0].description
swapped: Any = fitting
# fmt: off
REFUSALS: list[tuple[Callable[[], str], str]] = [
    # ---- transitions
    (lambda: changed(DRAW, dest=Elsewhere.NOWHERE),
     "maumau: transition await-play --draw--> nowhere: unknown phase 'nowhere'; use one of initial, "),
    (lambda: changed(DRAW, source=Elsewhere.NOWHERE),
     "maumau: transition nowhere --draw--> drawing: unknown phase 'nowhere'; use one of initial, "),
    (lambda: changed(DRAW, dest="drowing"), "maumau: transition await-play --draw--> drowing: unknown phase 'drowing'"),
    *((lambda where=where: changed(DRAW, **{where: (not_marked,)}),
       f"{ARC}: {where}: not_marked is not marked; use a guard (@guard)") for where in ("conditions", "unless")),
    *((lambda where=where: changed(DRAW, **{where: (draw_one,)}),
       f"{ARC}: {where}: draw_one is marked as an effect; use a guard (@guard)") for where in ("conditions", "unless")),
    (lambda: changed(DRAW, before=(draw_one, not_marked)),
     f"{ARC}: before: not_marked is not marked; use an effect (@effect)"),
    (lambda: changed(DRAW, before=("draw_one",)), f"{ARC}: before: 'draw_one' is not marked; use an effect (@effect)"),
    (lambda: changed(DRAW, before=(fits,)), f"{ARC}: before: fits is marked as a guard; use an effect (@effect)"),
    (lambda: changed(DRAW, before=(take_top,)), f"{ARC}: before: take_top is marked as a helper; use an effect"),
    (lambda: changed(DRAW, description=""), f"{ARC}: says nothing; write the rule in one sentence"),
    (lambda: with_arc(Arc("skip", P.SKIP_PENDING, P.DRAWING, description=SKIP)),
     "skip-pending --skip--> drawing may both be enabled"),
    (lambda: with_arc(Arc("skip", P.SKIP_PENDING, P.DRAWING, conditions=(fits,), description=SKIP)),
     "skip-pending --skip [fits]--> drawing may both be enabled"),
    (lambda: refused(disjoint=()), "may both be enabled"),
    (lambda: refused(disjoint=((draw_one, fits),)),
     "maumau: disjoint: draw_one is marked as an effect; use a guard (@guard)"),
    # ---- phases
    (lambda: refused(arcs=NOT_RESHUFFLED),
     "maumau: phase reshuffle is unreachable from initial; add a transition that leads to it"),
    (lambda: refused(arcs=(*NOT_RESHUFFLED, TURNED)), "phase reshuffle is unreachable"),
    (lambda: refused(arcs=without(P.RESHUFFLE)),
     "maumau: phase reshuffle has no way out and is not the final phase game-over; add one"),
    (lambda: with_arc(Arc("open", P.GAME_OVER, P.AWAIT_PLAY, description="Once more.")),
     "maumau: transition game-over --open--> await-play leaves the final phase; remove it"),
    (lambda: refused(control=NOBODY_RESHUFFLES),
     "maumau: phase reshuffle has no one to act; add a forced event or a player's choice"),
    *((lambda control=control: refused(control={**MAUMAU.control, P.RESHUFFLE: control}),
       "maumau: phase reshuffle: event 'skip' fires no transition; add one, or remove the event")
      for control in (Control(("turn_pile", "skip")), Control(("turn_pile",), (Offer("skip"),)))),
    (lambda: with_arc(Arc("pass_turn", P.RESHUFFLE, P.AWAIT_PLAY, description="The turn moves on.")),
     "maumau: transition reshuffle --pass_turn--> await-play: nobody fires it; use turn_pile"),
    (lambda: refused(control={**MAUMAU.control, P.SKIP_PENDING: Control(forced=("skip",), declines=("skip",))}),
     "but the table has no field for whose turn it is; declare turn: int"),
    # ---- offers and policies
    (lambda: offering(Offer("play", fits, suits_to_name)), f"{OFFER}: fits is marked as a guard; use a query (@query)"),
    (lambda: offering(Offer("play", fitting, best_jack)), f"{OFFER}: best_jack is marked as a choice; use a query"),
    (lambda: choosing(Choice("play", "rule 9", (draw_one,), best_jack)),
     f"{POLICY}: conditions: draw_one is marked as an effect; use a guard (@guard)"),
    (lambda: choosing(Choice("play", "rule 9", (holds_jack,), fitting)),
     f"{POLICY}: fitting is marked as a query; use a choice (@choice)"),
    (lambda: choosing(Choice("play", "rule 9", (holds_jack,), best_jack, fits)),
     f"{POLICY}: fits is marked as a guard; use a choice (@choice)"),
    (lambda: refused(policies=(Policy("lazy"), *MAUMAU.policies)),
     "maumau: policy lazy has no choices; declare some for each phase with offers"),
    (lambda: with_choices("DRAWING"), NO_LAST),
    (lambda: with_choices("DRAWING", Choice("pass_turn", conditions=(fits,))), NO_LAST),
    (lambda: refused(policies=(Policy("broken", NOT_DRAWING),)), NO_LAST),
    (lambda: with_choices("DRAWING", Choice("draw")),
     "maumau: policy broken: phase drawing has no event 'draw'; choose one that it offers"),
    (lambda: with_choices("GAME_OVER", Choice("draw")),
     "maumau: policy broken: phase game-over has no event 'draw'; choose one that it offers"),
    (lambda: with_choices("DRAWING", Choice("play")), "'play' must name a card exactly if the offer does"),
    (lambda: with_choices("DRAWING", Choice("pass_turn", card=best_jack)), "'pass_turn' must name a card exactly if"),
    # ---- what must hold, the deal, the score
    (lambda: refused(invariants=(Invariant("no card is due", draw_one),)),
     "maumau: invariant 'no card is due': draw_one is marked as an effect; use a query (@query)"),
    (lambda: refused(postconditions=(Postcondition("it fits", fits),)),
     "maumau: postcondition 'it fits': fits is marked as a guard; use a query (@query)"),
    *((lambda part=part, kind=kind: refused(**{part: (kind(swapped, "it fits"),)}),
       f"maumau: {part}[0].description is fitting; give the sentence first: {kind.__name__}('...', ...)")
      for part, kind in (("invariants", Invariant), ("invariants", ScoreInvariant), ("postconditions", Postcondition))),
    (lambda: refused(invariants=(*MAUMAU.invariants, replace(MAUMAU.invariants[0], description=DESCRIBED))),
     f"maumau: {DESCRIBED!r} describes 2 properties; describe each differently"),
    (lambda: refused(score=fits), "maumau: score: fits is marked as a guard; use a query (@query)"),
    *((lambda part=part: refused(**{part: fits}), f"maumau: {part}: fits is marked as a guard; use an effect (@effect)")
      for part in ("fill", "deal", "amend", "deal_each")),
    (lambda: refused(scoring=replace(MAUMAU.scoring, target=0)), "scoring: target is 0; use a whole number, 1 or more"),
    # ---- how it looks
    (lambda: refused(look=Look(asks={"skipp": "be skipped"})),
     "maumau: asks: unknown event 'skipp'; use one of open, play, draw, "),
    (lambda: refused(look=Look(silent=("pass_over",))),
     "maumau: silent: unknown event 'pass_over'; use one of open, play, draw, "),
    (lambda: refused(look=Look(number_facts={"dew": ("1", "{}")})),
     "maumau: number_facts: unknown fact 'dew'; use one of player, due, "),
    (lambda: refused(look=Look(usual=("A card.",))), "usual: unknown sentence 'A card.'; use that of a transition"),
    (lambda: refused(look=Look(at_will={"It.": "He."})), "at_will: unknown sentence 'It.'; use that of a transition"),
    (lambda: refused(look=Look(endings={"tie": "several"})), "endings: unknown ending 'tie'; use one of "),
    (lambda: refused(look=Look(silent="skip")), "silent is 'skip'; use a tuple"),  # type: ignore[arg-type]
    # ---- the table, the deck, the facts
    (lambda: refused(table=table_with(Any, motto="last one out")), "table: motto is 'last one out'; use an integer"),
    (lambda: refused(table=table_with(list[int], tricks=seen_by_all(factory=each_seat(2)))),
     f"tricks has 2 seats, there are up to {MOST} players; declare factory=each_seat({MOST})"),
    (lambda: refused(table=table_with(bytearray, ring=discards_seen(ring_of(16)))),
     "ring has 16 places, the deck has 32 cards; declare ring_of(32)"),
    (lambda: refused(deck_size="32"), "deck_size is '32'; use a whole number, 1 or more"),
    (lambda: refused(deck_size=0), "deck_size is 0; use a whole number, 1 or more"),
    (lambda: refused(deck_size=52, fill=fill_once),
     "fill puts card 51 into the deck of 52; the notation has only 32 cards"),
    (lambda: refused(codec=replace(MAUMAU.codec, players=())), "players is 0; use a whole number, 1 or more"),
    (lambda: refused(codec=replace(MAUMAU.codec, players=(0, 2))), "players is 0; use a whole number, 1 or more"),
    (lambda: refused(codec=replace(MAUMAU.codec, players=(2, "3"))), "players is '3'; use a whole number, 1 or more"),
    (lambda: with_fact("trump", "trumpf"), "fact trump: the table has no field 'trumpf'; use one of players"),
    (lambda: with_fact("trump", "suit", "suite"), "fact trump: unknown kind 'suite'; use one of seat, number"),
    (lambda: with_fact("due", "turns"), "fact due: another fact has this name"),
    (lambda: with_fact("big", "turns", "number", False, (), 255), "fact big: most is 255; use 1 to 254"),
    (lambda: with_fact("big", "hands", "counts", False, (), 10**9), "fact big: most is 1000000000; use 1 to 999,999,999"),
    (lambda: with_fact("held", "hands"), "fact held: hands is a list, but the kind is number; use counts"),
    # ---- small decks
    (lambda: with_small("DQ R5 HQ", 2, 1), "unknown card 'R5'"),
    (lambda: with_small("DQ SQ HQ", 2, 2), "3 cards, 2 each; use 1 or more each, and 5 or more in the deck of 2"),
    (lambda: with_small("DQ SQ HQ", MOST + 1, 1), f"{MOST + 1} players cannot play; use {MAUMAU.codec.fewest} to {MOST}"),
    (lambda: refused(deal_each=None), "small decks cannot be dealt; declare deal_each"),
]
# fmt: on


@pytest.mark.parametrize(("refusal", "message"), REFUSALS, ids=[message for _, message in REFUSALS])
def test_what_contradicts_itself_is_refused(refusal: Callable[[], str], message: str) -> None:
    output = refusal()
    assert output.startswith(message) if message.startswith("maumau: ") else message in output


def test_a_phase_that_asks_needs_events_with_which_seats_decline() -> None:
    game = UnoOfficial.declaration
    asking = game.phases("uno-pending")
    control = {**game.control, asking: replace(game.control[asking], declines=("pass",))}
    with pytest.raises(DeclarationError, match="phase uno-pending: event 'pass' declines nothing"):
        replace(game, control=control)
