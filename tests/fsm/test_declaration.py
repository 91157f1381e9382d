"""A declaration that contradicts itself is refused when it is made, by the name of the arc or the phase."""

from __future__ import annotations

import re
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
    game_of,
)
from fsm.declaration import arcs as declared
from fsm.declaration.arcs import Invariant, Postcondition
from fsm.declaration.chart import exclusive
from fsm.declaration.facts import Look
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


def test_mau_mau_as_it_is_contradicts_nothing() -> None:
    assert replace(MAUMAU).arcs == MAUMAU.arcs


# ------------------------------------------------------------------ unknown names


def test_an_unknown_destination() -> None:
    output = changed(DRAW, dest=Elsewhere.NOWHERE)
    assert output.startswith(
        "maumau: transition await-play --draw--> nowhere: unknown phase 'nowhere'; use one of initial, "
    )


def test_an_unknown_source() -> None:
    output = changed(DRAW, source=Elsewhere.NOWHERE)
    assert output.startswith(
        "maumau: transition nowhere --draw--> drawing: unknown phase 'nowhere'; use one of initial, "
    )


def test_a_destination_that_is_a_bare_word() -> None:
    assert changed(DRAW, dest="drowing").startswith(
        "maumau: transition await-play --draw--> drowing: unknown phase 'drowing'"
    )


ARC = "maumau: transition await-play --draw--> drawing"


@pytest.mark.parametrize("where", ["conditions", "unless"])
def test_a_guard_that_is_not_marked(where: str) -> None:
    output = changed(DRAW, **{where: (not_marked,)})
    assert output == f"{ARC}: {where}: not_marked is not marked; use a guard (@guard)"


def test_an_effect_that_is_not_marked() -> None:
    output = changed(DRAW, before=(draw_one, not_marked))
    assert output == f"{ARC}: before: not_marked is not marked; use an effect (@effect)"


def test_an_effect_that_is_no_function() -> None:
    assert changed(DRAW, before=("draw_one",)) == f"{ARC}: before: 'draw_one' is not marked; use an effect (@effect)"


@pytest.mark.parametrize("where", ["conditions", "unless"])
def test_an_effect_is_no_guard(where: str) -> None:
    output = changed(DRAW, **{where: (draw_one,)})
    assert output == f"{ARC}: {where}: draw_one is marked as an effect; use a guard (@guard)"


def test_a_guard_is_no_effect() -> None:
    output = changed(DRAW, before=(fits,))
    assert output == f"{ARC}: before: fits is marked as a guard; use an effect (@effect)"


def test_a_helper_has_no_place_in_an_arc() -> None:
    output = changed(DRAW, before=(take_top,))
    assert output == f"{ARC}: before: take_top is marked as a helper; use an effect (@effect)"


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


def test_an_offer_needs_queries() -> None:
    place = "maumau: phase await-play: offer 'play'"
    assert offering(Offer("play", fits, suits_to_name)) == f"{place}: fits is marked as a guard; use a query (@query)"
    output = offering(Offer("play", fitting, best_jack))
    assert output == f"{place}: best_jack is marked as a choice; use a query (@query)"


def choosing(choice: Choice) -> str:
    house = MAUMAU.policy("house")
    choices = {**house.choices, MauMauPhase.AWAIT_PLAY: (choice, *house.choices[MauMauPhase.AWAIT_PLAY])}
    return refused(policies=(Policy("house", choices), *MAUMAU.policies[1:]))


def test_a_policy_needs_guards_and_choices() -> None:
    place = "maumau: policy house: phase await-play: 'play'"
    output = choosing(Choice("play", "rule 9", (draw_one,), best_jack))
    assert output == f"{place}: conditions: draw_one is marked as an effect; use a guard (@guard)"
    output = choosing(Choice("play", "rule 9", (holds_jack,), fitting))
    assert output == f"{place}: fitting is marked as a query; use a choice (@choice)"
    output = choosing(Choice("play", "rule 9", (holds_jack,), best_jack, fits))
    assert output == f"{place}: fits is marked as a guard; use a choice (@choice)"


def test_what_must_hold_is_a_query() -> None:
    output = refused(invariants=(Invariant("no card is due", draw_one),))
    assert output == "maumau: invariant 'no card is due': draw_one is marked as an effect; use a query (@query)"
    output = refused(postconditions=(Postcondition("it fits", fits),))
    assert output == "maumau: postcondition 'it fits': fits is marked as a guard; use a query (@query)"


@pytest.mark.parametrize(
    ("look", "output"),
    [
        (Look(asks={"skipp": "be skipped"}), "asks: unknown event 'skipp'; use one of open, play, draw, "),
        (Look(silent=("pass_over",)), "silent: unknown event 'pass_over'; use one of open, play, draw, "),
        (Look(number_facts={"dew": ("1", "{}")}), "number_facts: unknown fact 'dew'; use one of player, due, "),
        (Look(usual=("A card.",)), "usual: unknown sentence 'A card.'; use that of a transition"),
        (Look(at_will={"It.": "He."}), "at_will: unknown sentence 'It.'; use that of a transition"),
        (Look(endings={"tie": "several"}), "endings: unknown ending 'tie'; use one of "),
        (Look(silent="skip"), "silent is 'skip'; use a tuple"),  # type: ignore[arg-type]
    ],
)
def test_what_is_shown_and_not_there_is_refused(look: Look, output: str) -> None:
    assert refused(look=look).startswith(f"maumau: {output}")


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


def test_two_properties_of_one_description_are_refused() -> None:
    """Results and house rules that waive one name it by its description."""
    twice = MAUMAU.postconditions[0].description
    output = refused(invariants=(*MAUMAU.invariants, replace(MAUMAU.invariants[0], description=twice)))
    assert output == f"maumau: {twice!r} describes 2 properties; describe each differently"


@pytest.mark.parametrize("part", ["score", "fill", "deal", "amend", "deal_each"])
def test_the_deal_has_effects_and_the_score_is_a_query(part: str) -> None:
    expected = "a query (@query)" if part == "score" else "an effect (@effect)"
    assert refused(**{part: fits}) == f"maumau: {part}: fits is marked as a guard; use {expected}"


def test_guards_that_exclude_each_other_are_guards() -> None:
    output = refused(disjoint=((draw_one, fits),))
    assert output == "maumau: disjoint: draw_one is marked as an effect; use a guard (@guard)"


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


def test_a_policy_without_choices_is_refused() -> None:
    output = refused(policies=(Policy("lazy"), *MAUMAU.policies))
    assert output == "maumau: policy lazy has no choices; declare some for each phase with offers"


def test_an_arc_without_a_description() -> None:
    output = changed(DRAW, description="")
    assert output == "maumau: transition await-play --draw--> drawing: says nothing; write the rule in one sentence"


# ------------------------------------------------------------------ bad ends


def test_an_unreachable_phase() -> None:
    arcs = tuple(arc for arc in MAUMAU.arcs if arc.dest is not MauMauPhase.RESHUFFLE)
    output = refused(arcs=arcs)
    assert output == "maumau: phase reshuffle is unreachable from initial; add a transition that leads to it"


def test_a_phase_that_only_its_own_arcs_reach_is_unreachable() -> None:
    arcs = tuple(arc for arc in MAUMAU.arcs if arc.dest is not MauMauPhase.RESHUFFLE)
    loop = Arc(
        "turn_pile",
        MauMauPhase.RESHUFFLE,
        MauMauPhase.RESHUFFLE,
        conditions=(fits,),
        description="It turns around itself.",
    )
    assert "phase reshuffle is unreachable" in refused(arcs=(*arcs, loop))


def test_a_phase_without_an_exit() -> None:
    output = refused(arcs=without(MauMauPhase.RESHUFFLE))
    assert output == "maumau: phase reshuffle has no way out and is not the final phase game-over; add one"


def test_an_arc_that_leaves_the_final_phase() -> None:
    output = with_arc(Arc("open", MauMauPhase.GAME_OVER, MauMauPhase.AWAIT_PLAY, description="Once more."))
    assert output == "maumau: transition game-over --open--> await-play leaves the final phase; remove it"


# ------------------------------------------------------------------ nobody acts


def test_a_phase_in_which_nobody_acts() -> None:
    control = {phase: control for phase, control in MAUMAU.control.items() if phase is not MauMauPhase.RESHUFFLE}
    output = refused(control=control)
    assert output == "maumau: phase reshuffle has no one to act; add a forced event or a player's choice"


@pytest.mark.parametrize(
    "control", [Control(("turn_pile", "skip")), Control(("turn_pile",), (Offer("skip"),))], ids=["forced", "offered"]
)
def test_an_event_that_fires_no_arc(control: Control) -> None:
    output = refused(control={**MAUMAU.control, MauMauPhase.RESHUFFLE: control})
    assert output == "maumau: phase reshuffle: event 'skip' fires no transition; add one, or remove the event"


def test_an_arc_that_nobody_fires() -> None:
    output = with_arc(Arc("pass_turn", MauMauPhase.RESHUFFLE, MauMauPhase.AWAIT_PLAY, description="The turn moves on."))
    assert output == "maumau: transition reshuffle --pass_turn--> await-play: nobody fires it; use turn_pile"


# ------------------------------------------------------------------ undecided


def with_choices(phase: str, *choices: Choice) -> str:
    house = MAUMAU.policies[0]
    return refused(policies=(Policy("broken", {**house.choices, MauMauPhase[phase]: choices}),))


def test_a_policy_without_a_last_choice_that_always_applies() -> None:
    output = "maumau: policy broken: phase drawing has no last resort; add a last choice without conditions"
    assert with_choices("DRAWING") == output
    assert with_choices("DRAWING", Choice("pass_turn", conditions=(fits,))) == output


def test_a_policy_that_forgets_a_phase() -> None:
    house = MAUMAU.policies[0]
    choices = {phase: choices for phase, choices in house.choices.items() if phase is not MauMauPhase.DRAWING}
    output = refused(policies=(Policy("broken", choices),))
    assert output == "maumau: policy broken: phase drawing has no last resort; add a last choice without conditions"


def test_a_policy_that_chooses_an_event_that_is_not_offered() -> None:
    output = with_choices("DRAWING", Choice("draw"))
    assert output == "maumau: policy broken: phase drawing has no event 'draw'; choose one that it offers"


def test_a_policy_that_chooses_in_a_phase_where_nobody_acts() -> None:
    output = with_choices("GAME_OVER", Choice("draw"))
    assert output == "maumau: policy broken: phase game-over has no event 'draw'; choose one that it offers"


def test_a_choice_with_a_card_too_many_or_too_few() -> None:
    output = "maumau: policy broken: phase drawing: {} must name a card exactly if the offer does"
    assert with_choices("DRAWING", Choice("play")) == output.format("'play'")
    assert with_choices("DRAWING", Choice("pass_turn", card=best_jack)) == output.format("'pass_turn'")


# ------------------------------------------------------------------ ambiguous


def test_two_arcs_that_may_both_be_enabled() -> None:
    output = with_arc(Arc("skip", MauMauPhase.SKIP_PENDING, MauMauPhase.DRAWING, description="Skipped another way."))
    assert output.startswith("maumau: transitions skip-pending --skip")
    assert "skip-pending --skip--> drawing may both be enabled" in output


def test_guards_that_may_hold_at_once_keep_no_arcs_apart() -> None:
    output = with_arc(
        Arc(
            "skip",
            MauMauPhase.SKIP_PENDING,
            MauMauPhase.DRAWING,
            conditions=(fits,),
            description="Skipped another way.",
        )
    )
    assert "skip-pending --skip [fits]--> drawing may both be enabled" in output


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


def test_without_the_groups_of_guards_mau_mau_itself_is_ambiguous() -> None:
    assert "may both be enabled" in refused(disjoint=())


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


def test_the_events_are_those_of_the_design() -> None:
    assert set(MAUMAU.triggers) == {"open", "play", "draw", "take", "turn_pile", "pass_turn", "skip", "abandon"}


def test_an_unknown_policy_is_reported_with_the_known_ones() -> None:
    with pytest.raises(ValueError, match=re.escape("unknown policy 'bold'; use one of house, random, first-legal")):
        MAUMAU.policy("bold")


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


class TestTable:
    def test_a_field_that_is_no_number_is_refused(self):
        @dataclass(slots=True)
        class Named(MAUMAU.table):
            motto: Any = "last one out"

        assert "table: motto is 'last one out'; use an integer" in refused(table=Named)

    def test_room_for_too_few_seats_is_refused(self):
        @dataclass(slots=True)
        class Short(MAUMAU.table):
            tricks: list[int] = seen_by_all(factory=each_seat(2))

        most = MAUMAU.codec.most
        assert f"tricks has 2 seats, there are up to {most} players; declare factory=each_seat({most})" in refused(
            table=Short
        )

    def test_a_ring_with_too_few_places_is_refused(self):
        @dataclass(slots=True)
        class Short(MAUMAU.table):
            ring: bytearray = discards_seen(ring_of(16))

        assert "ring has 16 places, the deck has 32 cards; declare ring_of(32)" in refused(table=Short)


class TestDeck:
    @pytest.mark.parametrize("size", ["32", 0])
    def test_a_size_that_is_no_number_of_cards_is_refused(self, size):
        assert f"deck_size is {size!r}; use 1 or more" in refused(deck_size=size)

    def test_a_target_that_all_have_at_once_is_refused(self):
        assert "scoring: target is 0; use 1 or more" in refused(scoring=replace(MAUMAU.scoring, target=0))

    def test_cards_without_a_name_are_refused(self):
        assert "fill puts card 51 into the deck of 52; the notation has only 32 cards" in refused(
            deck_size=52, fill=fill_once
        )

    @pytest.mark.parametrize("players", [(), (0, 2), (2, "3")])
    def test_numbers_of_players_that_are_none_are_refused(self, players):
        message = f"players is {next((each for each in players if each in (0, '3')), 0)!r}; use 1 or more"
        assert message in refused(codec=replace(MAUMAU.codec, players=players))


class TestFacts:
    def with_fact(self, *fact: Any) -> str:
        return refused(codec=replace(MAUMAU.codec, facts=(*MAUMAU.codec.facts, declared.Fact(*fact))))

    def test_a_field_that_the_table_does_not_have_is_refused(self):
        assert "fact trump: the table has no field 'trumpf'; use one of players" in self.with_fact("trump", "trumpf")

    def test_an_unknown_kind_is_refused(self):
        assert "fact trump: unknown kind 'suite'; use one of seat, number" in self.with_fact("trump", "suit", "suite")

    def test_a_name_that_is_taken_is_refused(self):
        assert "fact due: another fact has this name" in self.with_fact("due", "turns")

    @pytest.mark.parametrize(("field", "kind", "room"), [("turns", "number", 254), ("hands", "counts", 999_999_999)])
    def test_numbers_without_room_are_refused(self, field: str, kind: str, room: int):
        message = f"fact big: most is {room + 1}; use 1 to {room}"
        assert message in self.with_fact("big", field, kind, False, (), room + 1)

    def test_a_list_of_another_kind_than_counts_is_refused(self):
        message = "fact held: hands is a list, but the kind is number; use counts"
        assert message in self.with_fact("held", "hands")


class TestSmallDecks:
    def test_cards_of_another_game_are_refused(self):
        assert "unknown card 'R5'" in refused(small_decks=(declared.SmallDeck("DQ R5 HQ", 2, 1),))

    def test_too_few_cards_are_refused(self):
        assert "3 cards, 2 each; use 1 or more each, and 5 or more in the deck of 2 players" in refused(
            small_decks=(declared.SmallDeck("DQ SQ HQ", 2, 2),)
        )

    def test_too_many_players_are_refused(self):
        most = MAUMAU.codec.most
        message = f"{most + 1} players cannot play; use {MAUMAU.codec.fewest} to {most}"
        assert message in refused(small_decks=(declared.SmallDeck("DQ SQ HQ", most + 1, 1),))

    def test_without_a_deal_of_any_deck_they_are_refused(self):
        assert "small decks cannot be dealt; declare deal_each" in refused(deal_each=None)


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
