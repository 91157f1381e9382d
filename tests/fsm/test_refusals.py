"""Refusals do not say the opposite of what is offered: the moves after `may` are those that are legal, each card once,
and the reason excludes the card that is refused and no card that is legal.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterator
from itertools import combinations, product
from random import Random

import pytest
from all_games import GAMES, HOUSE_RULES, OFFICIAL_UNO, UNO_HOUSE_RULES

from examples.crazy_eights import CrazyEights
from examples.gin_rummy import GinRummy
from examples.kuhn_poker import KuhnPoker
from fsm import Game, IllegalMove, MauMau, Move
from fsm.check.stepped import Walk
from fsm.declaration.chart import DeclarationError
from fsm.declaration.facts import value_text
from fsm.games.maumau.house.eights_answered import answers_skip
from fsm.stepping.moves import held_cards, offer_text, plans_of, reason_against
from fsm.variants import ClashError, Refuse, Variant
from rules.cards import JACKS, bits
from rules.maumau.game import fits_bound_suit
from rules.rule import Reason, guard_reasons, mark_of, named_in

ALL_GAMES = (*GAMES, GinRummy, KuhnPoker)
Texts = tuple[str, ...]
At = Callable[[str], MauMau]


def offered(text: str, events: Collection[str]) -> list[Texts]:
    """The moves that are offered in words: the event, the card and the value, as far as they are named."""
    moves: list[Texts] = []
    for clause in re.split(r"; or |; ", text):
        things, _, values = clause.partition(" naming ")
        event: Texts = ()
        for thing in re.split(r", | or ", things):
            words = tuple(thing.split())
            event, named = (words[:1], words[1:]) if words[0] in events else (event, words)
            moves += [(*event, *named, value) for value in re.split(r", | or ", values)] if values else [event + named]
    return moves


def named(move: Move) -> Texts:
    """A move as `offered` reads it."""
    return (move.trigger, *filter(None, [move.card]), *map(value_text, move.named.values()))


def attempts(game: Game) -> Iterator[Move]:
    """Moves of which some are refused: each event alone and with each card of the hand."""
    for trigger in game.declaration.triggers:
        yield Move(trigger)
        yield from (Move(trigger, card) for card in dict.fromkeys(game.hands[game.player - 1]))


def refusals(game: Game, legal: list[Move]) -> Iterator[tuple[Move, IllegalMove]]:
    """The refusals of what may not be done now."""
    for move in attempts(game):
        if move not in legal:
            with pytest.raises(IllegalMove) as caught:
                game.fire(move)
            yield move, caught.value


def check_refusals(kind: type[Game], games: int) -> int:
    """Play games at random; how many refusals were checked."""
    checked, rng = 0, Random(62)
    for number in range(games):
        game = kind.deal(kind.declaration.codec.fewest, 62, number)
        for _ in range(40):
            if game.outcome:
                break
            legal = list(game.events().legal)
            for move, refusal in refusals(game, legal):
                may = offered(str(refusal).rsplit("; may ", 1)[1], kind.declaration.triggers)
                assert sorted(may) == sorted(map(named, legal)), str(refusal)
                assert named(move) not in may
                checked += 1
            game.fire(rng.choice(legal))
    return checked


@pytest.mark.parametrize(("games", "fewest"), [(2, 1), pytest.param(60, 101, marks=pytest.mark.thorough)])
@pytest.mark.parametrize("kind", ALL_GAMES)
def test_a_refusal_offers_exactly_what_is_legal(kind: type[Game], games: int, fewest: int) -> None:
    assert check_refusals(kind, games) >= fewest


@pytest.mark.parametrize(
    ("moves", "text"),
    [
        ((Move("play", "SS"), Move("play", "SN"), Move("draw")), "play SS, SN or draw"),
        ((Move("play", "WF", "Y"), Move("play", "WF", "R")), "play WF naming Y or R"),
        (
            (Move("play", "CA"), *(Move("play", jack, suit) for jack in ("DJ", "SJ") for suit in "DHSC"), Move("draw")),
            "play CA; play DJ or SJ naming D, H, S or C; or draw",
        ),
        ((Move("give", "2D", seat=2), Move("give", "2C")), "give 2D naming 2; or give 2C"),
        ((Move("bid", amount=2), Move("bid", amount=3), Move("pass_turn")), "bid 2, 3 or pass_turn"),
    ],
)
def test_each_card_is_offered_once_with_what_may_be_named(moves: tuple[Move, ...], text: str) -> None:
    assert offer_text(moves) == text
    assert offered(text, {move.trigger for move in moves}) == list(map(named, moves))


# ---------------------------------------------------------------- what a reason excludes


def check_reasons(kind: type[Game], most: int) -> int:
    """At positions of the small decks: a reason excludes the card that is refused and no legal one, and the cards that
    are refused in the same words exclude the same ones. Returns how many there were.
    """
    checked, declaration = 0, kind.declaration
    notation = declaration.codec.notation
    for small in declaration.small_decks:
        walk = Walk(kind, small, most)
        walk.run()
        game = walk.kind.declaration
        for found in walk.found:
            plan, table = plans_of(game)[found.phase], found.table
            for offer in plan.offers:
                if offer.lays and table is not None:
                    is_forced = any(plan.forced_now(table))
                    legal = set() if is_forced else {notation.cards[card] for card, _ in offer.named_with(table)}
                    masks: dict[str, int] = {}
                    for card in held_cards(game, table):
                        if card not in legal:
                            why = reason_against(game, plan, table, offer.trigger, card)
                            mask = why.excludes()
                            excluded = set(notation.names(bits(mask)))
                            assert card in excluded, (why, card, found)
                            assert not excluded & legal, (why, card, legal, found)
                            words = re.sub(rf"\b{card}\b", "the card", why.sentence)
                            assert masks.setdefault(words, mask) == mask, (why, card, found)
                            checked += 1
    return checked


def with_rules(kind: type[Game], *names: str) -> type[Game]:
    try:
        return kind.with_rules(*names)
    except ClashError as clash:
        pytest.skip(str(clash))


PROFILES = [(kind, profile.name) for kind in (MauMau, OFFICIAL_UNO) for profile in kind.rulebook().profiles]
RULES = [*product([MauMau], HOUSE_RULES), *product([OFFICIAL_UNO], UNO_HOUSE_RULES), *PROFILES]
PAIRS = [*product([MauMau], combinations(HOUSE_RULES, 2)), *product([OFFICIAL_UNO], combinations(UNO_HOUSE_RULES, 2))]


@pytest.mark.parametrize("kind", [kind for kind in ALL_GAMES if kind.declaration.small_decks])
def test_the_reason_excludes_what_is_refused_and_nothing_that_is_legal(kind: type[Game]) -> None:
    check_reasons(kind, most=60)


@pytest.mark.parametrize(("kind", "rule"), RULES)
def test_so_it_does_under_every_rule_and_profile(kind: type[Game], rule: str) -> None:
    assert check_reasons(kind.with_rules(rule), most=60) > 0


@pytest.mark.thorough
@pytest.mark.parametrize(("kind", "rules"), PAIRS)
def test_so_it_does_under_every_pair_of_rules(kind: type[Game], rules: Texts) -> None:
    assert check_reasons(with_rules(kind, *rules), most=2000) > 0


# ---------------------------------------------------------------- what rules say


def test_under_jack_on_jack_nothing_says_that_a_jack_does_not_fit(at: At) -> None:
    kind = MauMau.with_rules("jack-on-jack")
    assert not [arc for arc in kind.declaration.arcs if "but a jack" in arc.description]
    opened = kind.with_rules("jack-on-jack", "opening-without-effect").declaration.arcs
    assert "An opening jack binds no suit: any card fits." in [arc.description for arc in opened]
    game = kind.at(str(at("jack-binding suit=C hands=CJ,HA,CK/HN,HQ discard=...,DJ draw=SA").position()))
    expected = (
        "player 1 cannot play HA on DJ: HA is neither of suit C, which the open DJ binds, nor a jack; "
        "may play CK; play CJ naming D, H, S or C; or draw"
    )
    with pytest.raises(IllegalMove, match=f"^{re.escape(expected)}$"):
        game.play("HA")


@pytest.mark.parametrize(
    ("kind", "rules", "words"),
    [
        (MauMau, ("eights-answered", "ace-skips"), "the next player is skipped."),
        (OFFICIAL_UNO, ("must-play",), "A player may draw one card instead."),
    ],
)
def test_no_arc_says_what_a_rule_has_changed(kind: type[Game], rules: Texts, words: str) -> None:
    assert not [arc for arc in kind.with_rules(*rules).declaration.arcs if words in arc.description]


def test_the_first_true_reason_is_given_and_excludes_what_it_is_true_of(at: At) -> None:
    game = at("jack-binding suit=S hands=SK,HK,CJ,CA/HA,HQ discard=...,HJ draw=SA")
    names = game.declaration.codec.notation.names
    other_suits = sum(1 << code for code in range(32) if not names([code])[0].startswith("S"))
    for card, reason, excluded in (
        ("CJ", "no jack may be laid on a jack", JACKS),
        ("HK", "HK is not of suit S", other_suits),
    ):
        with pytest.raises(IllegalMove, match=reason) as caught:
            game.play(card)
        assert caught.value.excludes == excluded


def cards_excluded(game: Game, card: str) -> set[str]:
    """The names of the cards that the refusal to play a card excludes."""
    with pytest.raises(IllegalMove) as caught:
        game.fire("play", card)
    return set(game.declaration.codec.notation.names(bits(caught.value.excludes)))


def test_a_refusal_excludes_all_cards_that_its_guard_refuses(at: At) -> None:
    game = at("await-play hands=SK,HK,CJ,HA,CA/HQ discard=...,DN draw=HN")
    fitting = {name for name in game.declaration.codec.notation.cards if name[0] == "D" or name[1] in "NJ"}
    assert cards_excluded(game, "HK") == {*game.declaration.codec.notation.cards} - fitting
    eights = CrazyEights.at(
        "await-play player=1 suit=- passes=0 ending=- winner=- hands=S7,H6,HQ,HJ,C3,C7,SA/S2,S4,CK,SQ,D4,D2,CJ "
        "discard=S6 draw=H4,DK,S8,S9,S5,D6,HT,ST,C9,H3,C2,C5,D3,D7,S3,HK,CQ,SJ,H7,D8,H5,C8,C6,D5,CA,DQ,SK,HA,H2,CT,C4,"
        "DA,DJ,D9,H9,DT,H8"
    )
    assert cards_excluded(eights, "HQ") == {*eights.declaration.codec.notation.cards} - {"S7", "H6", "SA"}


def test_reasons_of_several_rules_are_given_where_each_is_true() -> None:
    kind = OFFICIAL_UNO.with_rules("no-bluff", "no-action-last")
    reasons = {
        reason.sentence
        for arc in kind.declaration.arcs
        for guard in arc.conditions
        if guard.__name__ == "may_be_laid"
        for reason in guard_reasons(guard)
    }
    assert reasons == {
        "the last card must be a number",
        "WF may be laid only while no card of the current colour {colour} is held",
        "{card} must be of the current colour {colour}, have the symbol of {open_card}, or be a wild",
    }


def test_every_reason_against_a_card_is_about_that_card_or_says_which_cards_it_excludes() -> None:
    rules = [rule for kind in (MauMau, OFFICIAL_UNO) for rule in kind.rulebook().rules]
    added = [reason for rule in rules for edit in rule.edits if isinstance(edit, Refuse) for reason in edit.reasons]
    arcs = [arc for kind in ALL_GAMES for arc in kind.declaration.arcs]
    own = [reason for arc in arcs for guard in arc.conditions if (mark := mark_of(guard)) and mark.cards
           for reason in mark.reasons]  # fmt: skip
    assert own
    assert added
    for reason in (*own, *added):
        about_the_card = "card" in named_in(reason.sentence) or reason.sentence.startswith("it ")
        assert about_the_card or reason.cards is not None, reason.sentence


def test_two_rules_that_replace_the_reasons_of_a_guard_are_refused() -> None:
    own = Variant("own", "Own words.", (Refuse(fits_bound_suit, (Reason("it does not fit"),), instead=True),))
    with pytest.raises(
        ClashError, match="rules jack-on-jack and own cannot be combined: both replace the reasons of 'fits bound suit'"
    ):
        MauMau.with_rules("jack-on-jack", own)


def test_reasons_of_a_guard_that_the_game_does_not_use_are_refused() -> None:
    own = Variant("own", "Own words.", (Refuse(answers_skip, (Reason("it does not fit"),)),))
    with pytest.raises(DeclarationError, match="rule own: Refuse is about 'answers skip'"):
        MauMau.with_rules(own)
    with pytest.raises(DeclarationError, match="the refusal of 'fits bound suit' names 'colour'; use card, open_card"):
        MauMau.with_rules(Variant("own", "Own words.", (Refuse(fits_bound_suit, (Reason("{colour} binds"),)),)))


def test_a_set_of_cards_is_refused_in_the_words_of_the_guard() -> None:
    game = GinRummy.at(
        "melding player=1 taken=6D passed=0 knocker=1 first=-/- second=-/- third=-/- off=-/- ending=- winner=- "
        "hands=4C,3C,5C,2D,AH,4H,AC,4D,5D,6D/5S,5H,AS,AD,3H,3D,4S,2S,2C,3S "
        "discard=KH,KD,QD,JH,JD,9S,QC,TC,QH,9H,9C,8H,TD,KC,7S,7C,9D,JC,KS,8S,7D,6H draw=TH,QS,8C,7H,8D,2H,6S,TS,6C,JS"
    )
    reason = "it is not a meld that leaves little deadwood; may meld 3C,4C,5C or 4D,5D,6D"
    with pytest.raises(IllegalMove, match=reason):
        game.fire("meld", "4D,4H,4C")
