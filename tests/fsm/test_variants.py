"""Edits of a declaration: what is refused, and that faults in rules are caught by the checks of every game."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import replace
from typing import Any

import pytest

from fsm import Game, MauMau, UnoOfficial
from fsm.check import explore_stepped
from fsm.declaration.arcs import Arc, Control, Invariant, Offer, Phase, Postcondition
from fsm.declaration.declaration import DeclarationError
from fsm.declaration.facts import Look
from fsm.declaration.page import choose, forced, lay, on, turn
from fsm.games.mahjong.game import Mahjong
from fsm.games.maumau.arcs import AWAIT_PLAY, PENALTY_PENDING, SKIP_PENDING
from fsm.games.maumau.house import RULEBOOK
from fsm.hashes import rules_hash
from fsm.variants import (
    AddArcs,
    AddField,
    AddPhase,
    Allow,
    Arcs,
    ChangeArcs,
    Check,
    ClashError,
    Constant,
    CopyPhase,
    Decide,
    DropArcs,
    DropPhase,
    Force,
    Means,
    ReplaceArcs,
    Reword,
    SetControl,
    Show,
    SplitArcs,
    Variant,
    Waive,
    Withdraw,
    in_phase,
)
from fsm.variants.compose import compose
from fsm.variants.edits import Edit
from fsm.variants.meanings import Meanings, called
from rules.invariants import same_player
from rules.maumau import game as maumau
from rules.maumau.game import lay_card, skip_player
from rules.maumau.invariants import eight_is_open
from rules.rule import effect, guard, mark_of, query, role_of, rule


@guard("{card} is no queen")
def queen(table: Any) -> bool:
    return table.card < 4


def variant(*edits: Edit, name: str = "own") -> Variant:
    return Variant(name, "A rule of the test.", edits)


def test_an_edit_of_an_arc_that_is_not_there_is_refused() -> None:
    with pytest.raises(DeclarationError, match="rule own: there is no transition skip-pending --play--> any phase"):
        MauMau.with_rules(variant(DropArcs(Arcs("play", SKIP_PENDING))))


def test_a_result_that_contradicts_itself_is_refused_with_the_arc() -> None:
    everything = variant(ChangeArcs(Arcs("play", AWAIT_PLAY, AWAIT_PLAY), without=(maumau.seven,)))
    with pytest.raises(DeclarationError, match=r"maumau\+own: transitions await-play --play .* may both be enabled"):
        MauMau.with_rules(everything)


def test_what_the_game_does_not_demand_cannot_be_waived() -> None:
    with pytest.raises(DeclarationError, match="rule own: waives what the game does not demand: 'nobody wins'"):
        MauMau.with_rules(variant(Waive("nobody wins")))


def test_a_constant_that_nobody_reads_is_refused() -> None:
    with pytest.raises(DeclarationError, match=r"reads a constant FOR_EACH_NINE; use one of .*FOR_EACH_SEVEN, "):
        MauMau.with_rules(variant(Constant("FOR_EACH_NINE", 3)))


@effect
def say_nothing(table: Any) -> None:
    """Nothing."""


@effect
def stay(table: Any) -> None:
    """Nothing, either."""


@query
def look_alike(table: Any) -> int:
    return table.hands[table.player]


def test_effects_stand_next_to_one_that_arcs_have() -> None:
    game = MauMau.with_rules(
        variant(
            ChangeArcs(TO_LAY, put_before=((maumau.lay_card, (say_nothing,)),), put_after=((maumau.lay_card, (stay,)),))
        )
    ).declaration
    plain = next(arc for arc in game.leaving(AWAIT_PLAY, "play") if arc.dest == AWAIT_PLAY)
    assert plain.before == (say_nothing, maumau.lay_card, stay, maumau.next_player)


def test_a_pattern_leaves_arcs_out() -> None:
    last, eight = (Arcs("play", AWAIT_PLAY, dest) for dest in ("game-over", SKIP_PENDING))
    others = variant(ChangeArcs(Arcs("play", AWAIT_PLAY, but=replace(last, trigger=None)), unless=(queen,)))
    arcs = MauMau.with_rules(others).declaration.leaving(AWAIT_PLAY, "play")
    assert [queen in arc.unless for arc in arcs] == [
        not last.matches(arc) for arc in MauMau.declaration.leaving(AWAIT_PLAY, "play")
    ]
    assert str(replace(eight, but=last)) == "await-play --play--> skip-pending but await-play --play--> game-over"


TO_LAY = Arcs("play", dest=AWAIT_PLAY)
A_QUEEN = SplitArcs(TO_LAY, queen, "A queen: nothing.", dest=SKIP_PENDING)
IDLE = {
    "before an effect that no arc has": (
        replace(A_QUEEN, put_before=((say_nothing, (say_nothing,)),)),
        "next to 'say nothing': no transition any phase --play--> await-play has this effect",
    ),
    "before an effect that is replaced": (
        replace(A_QUEEN, before=(maumau.lay_card,), put_before=((maumau.next_player, (say_nothing,)),)),
        "next to 'next player': no transition any phase --play--> await-play has this effect",
    ),
    "without a guard that no arc has": (
        ChangeArcs(TO_LAY, without=(queen,)),
        "without 'queen': no transition any phase --play--> await-play has this guard",
    ),
    "a change of nothing": (ChangeArcs(TO_LAY), "ChangeArcs any phase --play--> await-play changes nothing"),
    "no arcs": (AddArcs(()), "AddArcs .* changes nothing"),
    "the decision rules as they are": (
        Decide(AWAIT_PLAY, MauMau.declaration.policies[0].choices[AWAIT_PLAY]),
        "Decide await-play changes nothing",
    ),
    "a phase that is still entered": (DropPhase(AWAIT_PLAY), "DropPhase await-play changes nothing"),
    "an offer of the last phase": (Withdraw("game-over", "play"), "Withdraw game-over changes nothing"),
    "another meaning of a function that is not the game's": (
        Means(look_alike, say_nothing),
        r"Means is about 'look alike' of \S+test_variants.py, which maumau does not call",
    ),
    "an event that a postcondition is not about": (
        Waive("a seven makes two more cards due", ("open", "sing")),
        "waives 'a seven makes two more cards due' for an event that it is not about: 'sing'",
    ),
    "events of an invariant": (
        Waive(MauMau.declaration.invariants[0].description, ("play",)),
        "for an event that it is not about: 'play'",
    ),
}
"""Edits that would do nothing, and why they are refused."""


@pytest.mark.parametrize("edit", IDLE)
def test_an_edit_that_would_do_nothing_is_refused(edit: str) -> None:
    idle, reason = IDLE[edit]
    with pytest.raises(DeclarationError, match=f"^rule own: .*{reason}"):
        MauMau.with_rules(variant(idle))


def test_arcs_that_are_split_already_are_not_split_again() -> None:
    again = replace(A_QUEEN, where=Arcs("play", dest=SKIP_PENDING, conditions=(queen,)))
    with pytest.raises(DeclarationError, match=r"rule own: each transition .* is already split"):
        MauMau.with_rules(variant(A_QUEEN, again))


@pytest.mark.parametrize("rule", [rule.name for rule in RULEBOOK.listed()])
def test_no_edit_of_a_rule_of_the_package_is_refused_for_doing_nothing(rule: str) -> None:
    assert MauMau.with_rules(rule).rules == tuple(RULEBOOK.find([rule]))


def test_a_meaning_may_be_about_what_another_rule_adds_if_it_says_so() -> None:
    @query
    def hand(table: Any) -> int:
        return look_alike(table)

    adds = variant(Means(maumau.fitting, hand), name="adds")
    narrows = variant(Means(look_alike, none_fits), name="narrows")
    assert MauMau.with_rules(adds, narrows).rules == (adds, narrows)
    with pytest.raises(DeclarationError, match="rule narrows: Means is about 'look alike'"):
        MauMau.with_rules(narrows)
    optional = variant(Means(look_alike, none_fits, if_used=True), name="narrows")
    assert MauMau.with_rules(optional).declaration.arcs == MauMau.declaration.arcs


def test_a_postcondition_of_all_events_is_waived_for_those_that_are_named_alone() -> None:
    game = replace(
        MauMau.declaration,
        postconditions=(*MauMau.declaration.postconditions, Postcondition("time passes", same_player)),
    )
    declaration, _ = compose(game, (variant(Waive("time passes", ("open", "play"))),))
    left = declaration.postconditions[-1]
    events = {arc.trigger for arc in MauMau.declaration.arcs}
    assert (left.description, set(left.triggers)) == ("time passes", events - {"open", "play"})


@query
def all_in_hand(table: Any) -> int:
    return table.hands[table.player]


@query
def none_fits(table: Any) -> int:
    return 0


@pytest.mark.parametrize(
    ("one", "other", "reason"),
    [
        (
            Means(maumau.fitting, all_in_hand),
            Means(maumau.fitting, none_fits),
            "both give 'fitting' another meaning",
        ),
        (AddField("count"), AddField("count", start=3), "both put 'count' on the table"),
        (Constant("FOR_EACH_SEVEN", 3), Constant("FOR_EACH_SEVEN", 4), "two values for FOR_EACH_SEVEN"),
        (
            ChangeArcs(Arcs("skip"), description="One."),
            ChangeArcs(Arcs("skip"), description="Another."),
            "both change the sentence of transition",
        ),
    ],
)
def test_rules_that_set_the_same_thing_differently_are_refused_with_both_names(
    one: Edit, other: Edit, reason: str
) -> None:
    for rules in (
        (variant(one, name="one"), variant(other, name="two")),
        (variant(other, name="two"), variant(one, name="one")),
    ):
        with pytest.raises(ClashError, match="rules one and two cannot be combined: ") as refused:
            MauMau.with_rules(*rules)
        assert reason in str(refused.value)


def test_equal_edits_of_two_rules_agree() -> None:
    one, two = (variant(Means(maumau.fitting, all_in_hand), name=name) for name in ("one", "two"))
    assert len(MauMau.with_rules(one, two).declaration.arcs) == len(MauMau.declaration.arcs)


def test_a_card_has_one_action() -> None:
    queens = variant(SplitArcs(Arcs("play", dest=AWAIT_PLAY), queen, "A queen skips.", dest=SKIP_PENDING))
    game = MauMau.with_rules(queens, "ace-skips").declaration
    (group,) = [group for group in game.disjoint if maumau.seven in group]
    assert len(group) == 5
    assert all(len(set(arc.conditions) & set(group)) <= 1 for arc in game.arcs)


# ---------------------------------------------------------------- phases by name

KNOWN = "initial, await-play, penalty-pending, skip-pending, jack-binding, drawing, reshuffle, game-over"


def queens_wait(phase: Any, play: Any) -> Variant:
    """Under this rule a queen leads to a phase of its own, in which nobody can act."""
    return variant(
        AddPhase(phase, Control(("go_on",))),
        AddArcs((Arc("go_on", phase, play, description="The queen is admired."),)),
        SplitArcs(Arcs("play", dest=play), queen, "A queen is admired.", dest=phase),
        Check(Invariant("a queen is open", eight_is_open, (phase, play))),
        Check(Postcondition("nobody moves", same_player, ("go_on",), (play,))),
        Waive("the next player is in turn"),
    )


def test_phases_in_edits_may_be_given_by_name() -> None:
    class Waiting(Phase):
        ADMIRED = "admired"

    by_name = MauMau.with_rules(queens_wait("admired", "await-play")).declaration
    by_member = MauMau.with_rules(queens_wait(Waiting.ADMIRED, AWAIT_PLAY)).declaration
    assert list(by_name.phases) == list(by_member.phases)
    assert by_name.phases.__members__["ADMIRED"] == "admired"
    assert by_name.arcs == by_member.arcs
    assert all(isinstance(end, by_name.phases) for arc in by_name.arcs for end in (arc.source, arc.dest))
    assert by_name.control == by_member.control
    for condition in ("a queen is open", "nobody moves"):
        one, other = (
            next(each for each in (*game.invariants, *game.postconditions) if each.description == condition)
            for game in (by_name, by_member)
        )
        assert one == other


@pytest.mark.parametrize(
    "edit",
    [
        SplitArcs(Arcs("play", dest=AWAIT_PLAY), queen, "A queen skips.", dest="skip"),
        SplitArcs(Arcs("play", dest="skip"), queen, "A queen skips."),
        ChangeArcs(Arcs("skip"), dest="skip"),
        DropArcs(Arcs(source="skip")),
        AddArcs((Arc("skip", "skip", AWAIT_PLAY),)),
        ReplaceArcs(Arcs("skip"), (Arc("skip", SKIP_PENDING, "skip"),)),
        DropPhase("skip"),
        SetControl("skip", Control(("skip",))),
        Force("skip", "skip"),
        Allow("skip", Offer("draw")),
        Withdraw("skip", "draw"),
        Decide("skip", ()),
        Check(Invariant("an eight is open", eight_is_open, ("skip",))),
        Check(Postcondition("the same player goes on", same_player, dests=("skip",))),
    ],
    ids=lambda edit: type(edit).__name__,
)
def test_an_unknown_phase_is_refused_with_the_known_ones(edit: Edit) -> None:
    with pytest.raises(DeclarationError, match=f"^rule own: no phase 'skip'; use one of {KNOWN}$"):
        MauMau.with_rules(variant(edit))


def test_a_name_that_no_phase_can_have_is_refused() -> None:
    with pytest.raises(
        DeclarationError, match="rule own: phase name 'Play On' cannot be used; use lower-case words joined by -"
    ):
        MauMau.with_rules(variant(AddPhase("Play On", Control(("skip",)))))


def test_edits_of_a_phase_that_another_rule_drops_do_nothing() -> None:
    more = variant(Force(SKIP_PENDING, "pass_turn"), Allow(SKIP_PENDING, Offer("draw")), name="more")
    dropped = variant(
        DropArcs(Arcs(source=SKIP_PENDING)), DropArcs(Arcs(dest=SKIP_PENDING)), DropPhase("skip-pending"), name="drop"
    )
    assert "skip-pending" not in MauMau.with_rules(more, dropped).declaration.control


SKIP = on("skip", AWAIT_PLAY, before=maumau.skip_player, rule="The turn is lost.")
LAY = lay(maumau.fits, on("play", AWAIT_PLAY, before=(maumau.lay_card, maumau.next_player), rule="A card is laid."))


@pytest.mark.parametrize(
    ("said", "meant"),
    [
        (in_phase("skip-pending", forced(SKIP)), (AddArcs((SKIP.leaving("skip-pending"),)), Force("skip-pending", "skip"))),
        (in_phase(SKIP_PENDING, choose(LAY)),
         (AddArcs((LAY.rows[0].leaving(SKIP_PENDING),)), Allow(SKIP_PENDING, Offer("play", maumau.fitting)))),
        (in_phase("rest", forced(SKIP), new=True),
         (AddPhase("rest", Control(("skip",))), AddArcs((SKIP.leaving("rest"),)))),
        (in_phase(SKIP_PENDING, turn("skip"), instead=True),
         (SetControl(SKIP_PENDING, Control(offers=(Offer("skip"),), starts_turn=True)),)),
    ],
)  # fmt: skip
def test_the_words_of_pages_make_edits(said: tuple[Edit, ...], meant: tuple[Edit, ...]) -> None:
    assert said == meant


def test_transitions_of_a_rule_lead_to_its_own_phases_by_their_names() -> None:
    rest = in_phase("rest", forced(on("wake", "stretch", rule="Who rests wakes.")), new=True)
    stretch = in_phase("stretch", forced(on("rise", "await-play", rule="Who is awake plays.")), new=True)
    queens = SplitArcs(Arcs("play", dest=AWAIT_PLAY), queen, "A queen: the next player rests.", dest="rest")
    game = MauMau.with_rules(variant(*rest, *stretch, queens, name="resting")).declaration
    wakes, rises = (game.leaving(game.phases(name))[0] for name in ("rest", "stretch"))
    assert (wakes.dest, rises.dest) == (game.phases("stretch"), game.phases("await-play"))
    assert isinstance(wakes.dest, game.phases)
    assert isinstance(rises.dest, game.phases)
    lost = in_phase("rest", forced(on("wake", "strech", rule="Who rests wakes.")), new=True)
    with pytest.raises(ValueError, match="rule lost: no phase 'strech'; use one of"):
        MauMau.with_rules(variant(*lost, queens, name="lost"))


def test_a_rule_says_how_what_it_adds_is_shown_and_what_it_removes_is_not() -> None:
    plain, swapping, drawing = (
        kind.declaration.look for kind in (UnoOfficial, *map(UnoOfficial.with_rules, ("seven-zero", "draw-until-fit")))
    )
    assert swapping.events == {**plain.events, "swap": "swaps hands with"}
    assert "swap" not in plain.events
    assert drawing.events == {event: does for event, does in plain.events.items() if event != "keep"}
    (rule,) = UnoOfficial.with_rules("seven-zero").rules
    silent = replace(rule, edits=tuple(edit for edit in rule.edits if not isinstance(edit, Show)))
    assert rules_hash(UnoOfficial.with_rules(silent).declaration) == rules_hash(
        UnoOfficial.with_rules(rule).declaration
    )


def test_a_rule_that_shows_what_is_not_there_is_refused() -> None:
    with pytest.raises(DeclarationError, match="asks: unknown event 'swop'; use one of open, "):
        MauMau.with_rules(variant(Show(Look(asks={"swop": "swap"}))))


@pytest.mark.parametrize(("phase", "does"), [("initial", "begins"), ("game-over", "ends")])
def test_the_first_and_the_last_phase_are_not_dropped(phase: str, does: str) -> None:
    kept = f"rule own: phase {phase} cannot be dropped, because maumau {does} in it; change its transitions"
    with pytest.raises(DeclarationError, match=f"^{kept} by ChangeArcs or ReplaceArcs$"):
        MauMau.with_rules(variant(DropPhase(phase)))


def test_a_copy_of_a_phase_has_its_arcs_its_choices_and_its_invariants() -> None:
    bonus = CopyPhase("bonus-turn", AWAIT_PLAY)
    queens = SplitArcs(Arcs("play", dest=AWAIT_PLAY), queen, "A queen: another turn.", dest="bonus-turn")
    game = MauMau.with_rules(variant(bonus, queens, name="queens")).declaration
    copy, of = (game.phases(name) for name in ("bonus-turn", "await-play"))
    assert [replace(arc, source=of) for arc in game.leaving(copy)] == list(game.leaving(of))
    assert game.control[copy] == game.control[of]
    assert all(policy.choices[copy] == policy.choices[of] for policy in game.policies if policy.choices)
    assert all((of in each.phases) == (copy in each.phases) for each in game.invariants)


def descriptions(*rules: str | Variant) -> str:
    game = MauMau.with_rules(*rules).declaration
    choices = [each for policy in game.policies for given in policy.choices.values() for each in given]
    described: list[Any] = [*game.arcs, *game.invariants, *game.postconditions, *choices]
    return " / ".join(each.description for each in described)


def test_a_phrase_is_replaced_wherever_it_occurs() -> None:
    text = descriptions(variant(Reword("jack", "knave")))
    assert "A knave binds the suit" in text
    assert "a suit is bound by an open knave" in text
    assert "jack" not in text


def test_a_phrase_that_no_description_has_is_refused() -> None:
    with pytest.raises(DeclarationError, match="rule own: no description contains 'a joker'"):
        MauMau.with_rules(variant(Reword("a joker", "a knave")))


@pytest.mark.parametrize(
    ("rules", "said"),
    [
        (["sevens-draw-1"], "A seven: the next player answers with a seven or draws one card for each seven in a row."),
        (["sevens-draw-3"], "an active seven is open, three cards are due for each of some sevens in a row"),
        (["sevens-draw-3"], "one card is drawn, or as a penalty three for each seven in a row"),
        (["sevens-draw-4"], "a seven makes four more cards due"),
        (["sevens-not-answered"], "A seven: the next player draws two cards."),
        (["sevens-not-answered", "sevens-draw-4"], "A seven: the next player draws four cards."),
    ],
)
def test_sentences_say_how_many_cards_a_seven_makes_due(rules: list[str], said: str) -> None:
    assert said in descriptions(*rules)


@pytest.mark.parametrize("number", [1, 3, 4])
def test_no_sentence_says_two_where_a_seven_makes_another_number_due(number: int) -> None:
    text = descriptions(f"sevens-draw-{number}")
    assert [phrase for phrase in ("two cards", "two more", "penalty two") if phrase in text] == []


@effect
def count_up(table: Any) -> None:
    table.counted += 1


@query
def nothing_is_counted(table: Any) -> bool:
    return table.counted == 0


def test_a_field_that_no_edit_adds_is_refused_with_the_arc() -> None:
    edits = ChangeArcs(Arcs("skip"), before=(count_up, skip_player)), Check(Invariant("no count", nothing_is_counted))
    with pytest.raises(
        DeclarationError,
        match=r"transition skip-pending --skip--> .*: before: 'count up' .* a field 'counted' .*AddField",
    ):
        MauMau.with_rules(variant(edits[0]))
    with pytest.raises(
        DeclarationError,
        match="invariant 'no count': 'nothing is counted' uses a field 'counted' that the table does not have",
    ):
        MauMau.with_rules(variant(edits[1]))
    assert MauMau.with_rules(variant(AddField("counted"), *edits)).deal(players=2, seed=1).table.counted == 0


WRONG: Any = 3
REFUSED: list[tuple[Callable[[], object], str]] = [
    (lambda: AddField("a b"), "field 'a b' cannot be used; use letters, digits and _, such as 'turns_left'"),
    (lambda: AddField("class"), "field 'class' cannot be used; use letters,"),
    (lambda: variant(AddField(WRONG)), "rule own: edits[0].name is 3; use a text"),
    (lambda: Variant(WRONG, "A rule.", (AddField("way"),)), "rule 3: name is 3; use a text"),
    (lambda: Means(skip_player, skip_player), "Means: 'skip player' has the meaning of itself; give another function"),
    (lambda: in_phase("nope", turn()), "in_phase: phase nope: nothing happens in it; give transitions, as turn(on"),
    (lambda: in_phase(AWAIT_PLAY, WRONG), "moves: 3 is of type int; give what forced, choose, turn or ask makes"),
    (lambda: in_phase(WRONG, turn()), "phase: 3 is of type int; give a phase or its name"),
]


@pytest.mark.parametrize(("make", "message"), REFUSED, ids=[message for _, message in REFUSED])
def test_what_names_nothing_or_changes_nothing_is_refused(make: Callable[[], object], message: str) -> None:
    with pytest.raises((TypeError, ValueError), match=f"^{re.escape(message)}"):
        make()


@pytest.mark.parametrize("name", ["", "Nine", "nine reverses", "-nine", "nine+ten"])
def test_a_name_that_cannot_be_used_is_refused(name: str) -> None:
    with pytest.raises(ValueError, match="use lower-case words joined by -"):
        variant(name=name)


# ---------------------------------------------------------------- another meaning of a function

LIMIT = 3


@rule
def innermost(number: int) -> int:
    return number + LIMIT


@query
def middle(number: int) -> int:
    return 2 * innermost(number)


@query
def outer(number: int) -> int:
    return middle(number) + 1


@query
def apart(number: int) -> int:
    return number


@rule
def tenfold(number: int) -> int:
    return 10 * innermost(number)


def test_another_meaning_reaches_every_caller_and_may_call_the_old_one() -> None:
    stands = Meanings({innermost: (tenfold,)}, {})
    assert (outer(1), stands(outer)(1)) == (9, 81)
    assert stands(apart) is apart
    assert stands(outer) is stands(outer)
    assert (role_of(stands(outer)), stands(outer).__name__) == (role_of(outer), "outer")


@guard("no card is due")
def due(table: Any) -> bool:
    return table.due > 0


def test_a_function_that_is_called_as_a_field_does_not_call_itself() -> None:
    assert called(due) == {}
    assert Meanings({same_player: (same_player,)}, {})(due) is due


@pytest.mark.parametrize("kind", [UnoOfficial, Mahjong])
def test_every_game_may_have_house_rules(kind: type[Game]) -> None:
    trigger = kind.declaration.arcs[0].trigger
    never = Variant("never", "A guard that never holds.", (ChangeArcs(Arcs(trigger), unless=(due,)),))
    changed = kind.with_rules(never).declaration
    assert all(due in arc.unless for arc in changed.arcs if arc.trigger == trigger)


def test_several_meanings_are_put_upon_each_other() -> None:
    @rule
    def less_one(number: int) -> int:
        return innermost(number) - 1

    less_one.__globals__["innermost"] = innermost
    assert Meanings({innermost: (tenfold, less_one)}, {})(middle)(1) == 2 * (10 * 4 - 1)
    assert Meanings({innermost: (less_one, tenfold)}, {})(middle)(1) == 2 * 10 * (4 - 1)


def test_a_constant_has_another_value_in_every_function_that_reads_it() -> None:
    assert Meanings({}, {"LIMIT": (LIMIT, 5)})(outer)(1) == 13
    assert outer(1) == 9


def test_a_closure_is_rebuilt_with_its_refusal() -> None:
    def made() -> Any:
        inner = innermost

        @guard("never {card}")
        def closed(number: int) -> bool:
            return inner(number) > 3

        return closed

    closed = made()
    rebuilt = Meanings({innermost: (tenfold,)}, {})(closed)
    assert mark_of(rebuilt) == mark_of(closed)
    assert (closed(0), rebuilt(0)) == (False, True)


# ---------------------------------------------------------------- faults are caught


def faulty(name: str, place: int, **changes: Any) -> Variant:
    """A rule with a fault in one edit, which is the first of its kind that has these parts."""
    (good,) = RULEBOOK.find([name])
    edits = list(good.edits)
    edits[place] = replace(edits[place], **changes)  # type: ignore[type-var]
    return replace(good, name="faulty", edits=tuple(edits))


def place_of(name: str, kind: type[Edit], nth: int = 0) -> int:
    (good,) = RULEBOOK.find([name])
    return [place for place, edit in enumerate(good.edits) if isinstance(edit, kind)][nth]


FAULTS = {
    "an ace leads to the wrong phase": faulty("ace-skips", place_of("ace-skips", SplitArcs), dest=PENALTY_PENDING),
    "an ace has no effect": faulty("ace-skips", place_of("ace-skips", SplitArcs), dest=AWAIT_PLAY),
    "a king gives no other turn": faulty(
        "king-again", place_of("king-again", SplitArcs), before=(maumau.lay_card, maumau.next_player)
    ),
    "a nine forgets to turn": faulty("nine-reverses", place_of("nine-reverses", SplitArcs), before=()),
    "the king of hearts forgets the five cards": faulty(
        "heart-king-draws-five", place_of("heart-king-draws-five", SplitArcs), before=()
    ),
    "an eight is covered by the next player": faulty(
        "cover-eight", place_of("cover-eight", ChangeArcs), before=(maumau.lay_card, maumau.next_player)
    ),
}


@pytest.mark.slow
@pytest.mark.parametrize("fault", FAULTS)
def test_a_fault_in_a_rule_is_caught(fault: str) -> None:
    try:
        kind = MauMau.with_rules(FAULTS[fault])
    except DeclarationError:
        return
    decks = [*kind.declaration.small_decks[3:], "DQ HQ DK HK DN HN DA DE"]
    failures = [
        failure
        for deck in decks
        for failure in explore_stepped(
            kind, deck if not isinstance(deck, str) else _deck(deck), 6000, first=True
        ).failures
    ]
    assert failures, "no check fails"


def _deck(cards: str) -> Any:
    from fsm.declaration.arcs import SmallDeck

    return SmallDeck(cards, 3, 1)


FOR_EACH_SEVEN = 100
"""A constant of these tests that has the name of one of the game."""


@effect
def add_a_hundred(table: Any) -> None:
    table.due += FOR_EACH_SEVEN


def test_a_constant_of_another_value_is_another_constant() -> None:
    """A rule changes the one that the game reads, whatever functions of other rules call by its name."""
    hundred = Variant("hundred", "A hundred.", (Means(maumau.add_two, add_a_hundred),))
    three = Variant("three", "Three.", (Constant("FOR_EACH_SEVEN", 3),))
    due = []
    for rules in ((), (three,), (hundred,), (hundred, three)):
        game: Any = MauMau.with_rules(*rules).deal(2, 7)
        while not game.due:
            game.step()
        due.append(game.due)
    assert due == [2, 2, 100, 100], "the game itself adds two, without the constant"


def test_a_constant_that_is_no_whole_number_is_refused() -> None:
    with pytest.raises(TypeError, match=r"constant FOR_EACH_SEVEN: 2.5 is of type float; give a whole number"):
        Constant("FOR_EACH_SEVEN", 2.5)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("edits", "sentence"),
    [
        (Constant("FOR_EACH_SEVEN", 3), r"edits is a Constant; use a tuple: \(...,\)"),
        ((5,), r"edits\[0\] is 5; use an Edit"),
        (
            (ChangeArcs(Arcs("play"), before=lay_card),),
            r"edits\[0\].before is lay_card; use a tuple: \(lay_card,\)",
        ),
        (
            (ChangeArcs(Arcs("play"), put_before=((lay_card,),)),),
            r"edits\[0\].put_before\[0\] is .*; use a tuple of 2",
        ),
        (
            (AddArcs((on("abandon", "game-over", rule="Somebody leaves."),)),),
            r"edits\[0\].arcs\[0\] is an On; use an Arc",
        ),
        (
            (Check(lay_card),),
            r"edits\[0\].condition is lay_card; use an Invariant or a Postcondition or a Response",
        ),
    ],
)
def test_a_part_of_a_rule_that_is_of_another_type_is_named(edits: Any, sentence: str) -> None:
    with pytest.raises(ValueError, match=f"rule knocking: {sentence}"):
        Variant("knocking", "Somebody knocks.", edits)
