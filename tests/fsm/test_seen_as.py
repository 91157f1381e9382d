"""Phases and events that the others take for another one: what a declaration must have, and what is noted of them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from random import Random

import pytest

from fsm import Arc, Control, Offer, game_class
from fsm.declaration.chart import DeclarationError
from fsm.declaration.declaration import Declaration
from fsm.declaration.facts import Look
from fsm.declaration.policy import RANDOM
from fsm.stepping.game import game_of
from maumau import Observed
from maumau.agents.compiled.batches import LAST
from maumau.agents.observed import notes_of_game

OFFICIAL = game_class("uno-official").declaration
CHOICE, DRAWING = OFFICIAL.phases("drawn-choice"), OFFICIAL.phases("drawing")


def with_choice(control: Control) -> Mapping[object, Control]:
    """The control of official UNO with another one where a drawn card may be laid."""
    return dict(OFFICIAL.control) | {CHOICE: control}


def with_arc(old: str, **changed: object) -> tuple[Arc, ...]:
    """The arcs of official UNO with other parts in those of an event."""
    return tuple(replace(arc, **changed) if arc.trigger == old else arc for arc in OFFICIAL.arcs)


def test_an_event_is_in_disguise_only_where_the_phase_is() -> None:
    control = with_choice(replace(OFFICIAL.control[CHOICE], seen_as=None))
    message = "phase drawn-choice: offer 'keep' is seen as another event; declare seen_as of the phase"
    with pytest.raises(DeclarationError, match=message):
        replace(OFFICIAL, control=control)


def test_what_leads_into_a_phase_in_disguise_has_no_effects() -> None:
    (pass_turn, *_) = OFFICIAL.leaving(DRAWING, "pass_turn")
    with pytest.raises(DeclarationError, match=r"drawn-choice is seen as drawing: .*use one from there without"):
        replace(OFFICIAL, arcs=with_arc("look", before=pass_turn.before))


def test_what_leads_into_a_phase_in_disguise_leaves_the_phase_that_is_seen() -> None:
    control = with_choice(replace(OFFICIAL.control[CHOICE], seen_as=OFFICIAL.phases("await-play")))
    with pytest.raises(DeclarationError, match=r"drawn-choice is seen as await-play: .*use one from there"):
        replace(OFFICIAL, control=control)


@pytest.mark.parametrize("seen_as", ["settle", "take", "nothing"])
def test_an_event_in_disguise_does_what_the_event_does_that_is_seen(seen_as: str) -> None:
    offers = (
        Offer("play", cards=OFFICIAL.control[CHOICE].offers[0].cards),
        Offer("keep", always=True, seen_as=seen_as),
    )
    control = with_choice(replace(OFFICIAL.control[CHOICE], offers=offers))
    with pytest.raises(DeclarationError, match=f"seen as drawing --{seen_as}--> await-play; declare such a transition"):
        replace(OFFICIAL, control=control)


def test_what_the_rules_make_public_is_an_event_of_the_game() -> None:
    with pytest.raises(DeclarationError, match="reveals: unknown event 'fly'; use one of open, "):
        replace(OFFICIAL, reveals={"fly": "everybody looks up"})


def test_the_disguises_of_official_uno() -> None:
    told = [(arc.trigger, seen.trigger, str(seen.source)) for arc, seen in OFFICIAL.disguises.items()]
    assert told == [("keep", "pass_turn", "drawing")]


def accepting() -> Declaration:
    """Official UNO in which a card is kept by the event that also accepts a wild draw four."""
    play, keep = OFFICIAL.control[CHOICE].offers
    control = with_choice(replace(OFFICIAL.control[CHOICE], offers=(play, replace(keep, trigger="accept"))))
    arcs = with_arc("keep", trigger="accept")
    return replace(
        OFFICIAL,
        name="accepting",
        title="Accepting",
        control=control,
        arcs=arcs,
        policies=(RANDOM,),
        postconditions=(),
        look=Look(),
    )


def test_an_event_that_is_in_disguise_in_one_phase_is_noted_in_the_other() -> None:
    game, random = game_of(accepting()), Random(4)
    last, accept = LAST, 1 + Observed(game.deal(3)).actions.triggers.index("accept")
    found = set()
    for number in range(40):
        observed = Observed(game.deal(3, seed=3, number=number))
        while not observed.over and len(observed.game.history) < 150:
            observed.advance()
            if not observed.over:
                seat, phase = observed.seat, str(observed.game.phase)
                step = observed.act(random.choice(observed.legal()))
                if step.trigger == "accept":
                    noted = observed._notes[last + seat] == accept
                    found.add((phase, noted))
        assert list(observed._notes) == list(notes_of_game(observed.game)[0])
    assert ("challenge-pending", True) in found
    assert any(phase == "drawn-choice" and not noted for phase, noted in found)
