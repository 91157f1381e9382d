"""An answer to each level of the playground: a text of the repository, or that of the level, with words replaced."""

from __future__ import annotations

from levels import LEVELS, PROPERTY, STATEMENT, UNLOCK, WITH_NINES
from texts import Change, changed_text, text_of


def answered(name: str, *changes: Change) -> str:
    """The text of a level with words replaced."""
    return changed_text(LEVELS[name].source, *changes)


TURNSTILE, LIGHT = text_of("turnstile"), text_of("traffic-light")
TAKE_COIN = """@effect
def take_coin"""
EMPTY_ARC = """            on("empty", LOCKED, before=empty_box, rule="The box is emptied."),
"""
EMPTY_BOX = """@effect
def empty_box(table):
    table.coins = 0


"""
HOLDS_COINS = """@guard("there is no coin in the box")
def holds_coins(table):
    return table.coins > 0


"""
COIN_IS_IN_BOX = """@query
def coin_is_in_box(before, after):
    return after.coins == before.coins + 1
"""
BOX_IS_EMPTY = """@query
def box_is_empty(before, after):
    return after.coins == 0
"""
POSTCONDITIONS = """    postconditions=(
        Postcondition("a coin goes into the box", coin_is_in_box, ("coin",)),
        Postcondition("no coin is left in an emptied box", box_is_empty, ("empty",)),
    ),
"""
BOLT = """from dataclasses import dataclass

from maumau import Game, Phase, automaton, choose, effect, forced, guard, on
from rules.table import CardTable
from rules.visibility import seen_by_all


@dataclass(slots=True)
class Bolt(CardTable):
    locked: int = seen_by_all(0)
"""
KEY = """START, CLOSED, OPEN, GONE = DoorPhase


@guard("it is not locked")
def is_locked(table):
    \"\"\"It is locked.\"\"\"
    return table.locked == 1


@effect
def turn_key(table):
    table.locked = 1 - table.locked
"""
TURN_KEY = """on("lock", CLOSED, unless=is_locked, before=turn_key, rule="A closed door can be locked."),
            on("unlock", CLOSED, conditions=is_locked, before=turn_key, rule="A locked door can be unlocked."),"""
SECOND_FLOOR = """        FIRST: choose(on("up", SECOND, rule="It goes up a floor."), on("down", GROUND, rule="It goes down a floor.")),
        SECOND: choose(on("down", FIRST, rule="It goes down a floor.")),
"""
MEANS = """@query
def eight_or_ten_is_open(table):
    return eight_is_open(table) or rank_of(table.open_card) == TEN


"""
PLAY_AGAIN = """

@effect
def play_again(table):
    end_turn(table)


@query
def next_but_after_ace(before, after):
    if after.tail == before.tail or rank_of(after.open_card) != ACE:
        return next_in_turn(before, after)
    return after.player == before.player and after.turns == before.turns + 1


AN_ACE = "An ace: the same player has another turn."
ACES"""
ACE_EDITS = """    (
        SplitArcs(Arcs("play", dest="await-play"), ace, AN_ACE, before=(lay_card, play_again)),
        Means(next_in_turn, next_but_after_ace),
        AddDeck("""

SOLUTIONS = {
    "first-arc": TURNSTILE,
    "way-out": text_of("door"),
    "three-floors": answered(
        "three-floors",
        ("""    FIRST = "first"\n""", """    FIRST = "first"\n    SECOND = "second"\n"""),
        ("GROUND, FIRST, OFF", "GROUND, FIRST, SECOND, OFF"),
        ("""        FIRST: choose(on("down", GROUND, rule="It goes down a floor.")),\n""", SECOND_FLOOR),
        ("for two floors, so far", "for three floors"),
    ),
    "missing-guard": TURNSTILE,
    "two-arcs": answered(
        "two-arcs",
        ("before=take_coin", "unless=box_is_full, before=take_coin"),
        ("before=give_back", "conditions=box_is_full, before=give_back"),
    ),
    "missing-effect": LIGHT,
    "count-positions": answered(
        "count-positions",
        ("table.coins < 3", "table.coins < 6"),
        ("table.coins <= 3", "table.coins <= 6"),
        ("for three coins", "for six coins"),
        ("at most three coins", "at most six coins"),
        ("at_most_three", "at_most_six"),
    ),
    "too-many-positions": TURNSTILE,
    "make-it-fail": answered("make-it-fail", ("conditions=has_room, ", "")),
    "state-invariant": LIGHT,
    "state-postcondition": answered("state-postcondition", ("after.coins > 0", "after.coins == before.coins + 1")),
    "dead-end": answered(
        "dead-end",
        (
            """            on("switch_off", OFF,""",
            """            on("empty", LOCKED, unless=box_is_empty, before=empty_box, rule="The box is emptied."),
            on("switch_off", OFF,""",
        ),
    ),
    "nowhere-to-go": text_of("follow-suit"),
    "always-stops": answered("always-stops", (EMPTY_ARC, ""), (EMPTY_BOX, "")),
    "by-itself": answered("by-itself", ("YELLOW: choose(", "YELLOW: forced(")),
    "fewer-phases": answered(
        "fewer-phases",
        ("from maumau import Game, Phase, automaton, choose, forced, on\n", BOLT),
        ("""    LOCKED = "locked"\n""", ""),
        ("START, CLOSED, OPEN, LOCKED, GONE = DoorPhase\n", KEY),
        ("""on("open_door", OPEN, rule""", """on("open_door", OPEN, unless=is_locked, rule"""),
        ("""on("lock", LOCKED, rule="A closed door can be locked."),""", TURN_KEY),
        ("""on("remove", GONE, rule""", """on("remove", GONE, unless=is_locked, rule"""),
        (UNLOCK, ""),
        ("    },\n)", "    },\n    table=Bolt,\n)"),
    ),
    "kill-mutants": text_of(
        "turnstile",
        ("Game, Invariant, Phase, automaton", "Game, Invariant, Phase, Postcondition, automaton"),
        (PROPERTY, f"{COIN_IS_IN_BOX}\n\n{BOX_IS_EMPTY}\n\n{PROPERTY}"),
        (STATEMENT, f"{STATEMENT}{POSTCONDITIONS}"),
    ),
    "equivalent": answered(
        "equivalent",
        (TAKE_COIN, f"{HOLDS_COINS}{TAKE_COIN}"),
        ("""on("push", LOCKED, rule""", """on("push", LOCKED, conditions=holds_coins, rule"""),
    ),
    "rule-breaks": answered(
        "rule-breaks",
        ("Means(eight_is_open, eight_or_ten_is_open), ", ""),
        ("Means, ", ""),
        ("from rules.maumau.invariants import eight_is_open\n", ""),
        (MEANS, ""),
        ("guard, query", "guard"),
    ),
    "rule-repair": text_of("nine-reverses", *WITH_NINES),
    "own-rule": answered(
        "own-rule", ("\n\nACES", PLAY_AGAIN), ("    (AddDeck(", ACE_EDITS), ("each=1)),)", "each=1)),\n    )")
    ),
}
