"""The levels of the playground: for each unit of the course machines to complete, to repair and to break."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from judging import (
    Demand,
    Open,
    accepts,
    all_hold,
    always_ends,
    demands,
    everything_fires,
    everything_fires_of_rule,
    forces,
    has,
    has_other_guards,
    has_rule_on,
    instead,
    kills,
    phases_at_most,
    plays_again,
    positions,
    refuses,
    some_fails,
    twice,
    violates,
    without,
)
from running import Fault, made
from texts import text_of
from traffic_light import LIGHT
from turnstile import TURNSTILE

from fsm.declaration.arcs import Postcondition
from playground import Data
from rules.rule import effect, guard, query

COIN_ARC = """            on("coin", UNLOCKED, conditions=has_room, before=take_coin, rule="A coin unlocks it."),
"""
UNLOCK = """        LOCKED: choose(on("unlock", CLOSED, rule="A locked door can be unlocked.")),
"""
PROPERTY = """@query
def at_most_three(table):
    return table.coins <= 3
"""
STATEMENT = """    invariants=(Invariant("at most three coins are in the box", at_most_three),),
"""
COUNTED = (
    (
        "    coins: int = seen_by_all(0)\n",
        "    coins: int = seen_by_all(0)\n"
        "    visitors: int = seen_by_all(0)  # up to nine, for a display that nobody reads\n",
    ),
    (PROPERTY, f"@effect\ndef count_visitor(table):\n    table.visitors = (table.visitors + 1) % 10\n\n\n{PROPERTY}"),
    ('on("push", LOCKED, rule', 'on("push", LOCKED, before=count_visitor, rule'),
)
STATED = (
    ("Game, Invariant, Phase, automaton", "Game, Phase, Postcondition, automaton"),
    (PROPERTY, "@query\ndef coin_is_in_box(before, after):\n    return after.coins > 0\n"),
    (STATEMENT, '    postconditions=(Postcondition("a coin goes into the box", coin_is_in_box, ("coin",)),),\n'),
)
UNSTATED = (
    (STATEMENT, ""),
    ("Game, Invariant, Phase, automaton", "Game, Phase, automaton"),
    ("guard, on, query", "guard, on"),
    (f"{PROPERTY}\n\n", ""),
)
NO_WAY_ON = (
    (
        """, and the turn ends."),
        on("give_up", GAME_OVER, unless=draw_pile_left, before=nobody_wins, rule="Without a draw pile nobody wins.")),
""",
        """, and the turn ends.")),
""",
    ),
    (
        """        Choice("take", conditions=(draw_pile_left,), description="no card fits"),
        Choice("give_up", description="no card fits and no card is left"),
""",
        """        Choice("take", description="no card fits"),
""",
    ),
    ('("open", "give_up")', '("open",)'),
    ("next_player, nobody_wins, take_card", "next_player, take_card"),
)
FEWER_TENS = ("DQ HQ DT HT DK SK", "DQ DT HT DK")
WITH_NINES = (
    (
        'AddField("backwards"),',
        'AddField("backwards"),\n    AddDeck(SmallDeck("DN HN DQ HQ DK", players=3, each=1)),',
    ),
    ("import AddField, Arcs, Means, SplitArcs", "import AddDeck, AddField, Arcs, Means, SmallDeck, SplitArcs"),
)


@dataclass(frozen=True)
class Level:
    """One level. unit: of the course. text: what is asked for. source: the text with which it begins. demands: what an
    answer must do, in order.
    """

    name: str
    unit: int
    title: str
    text: str
    source: str
    demands: tuple[Demand, ...]


def judge(name: str, source: str) -> Data:
    """Whether a text solves a level, and what is missing if it does not."""
    try:
        kind = made(source).kind
        for demand in LEVELS[name].demands:
            demand(kind)
    except Fault as fault:
        where = f"line {fault.line}: " if fault.line else ""
        return {"passed": False, "message": f"{where}{fault}"}
    except Open as missing:
        return {"passed": False, "message": str(missing)}
    except Exception as error:
        return {"passed": False, "message": f"{type(error).__name__}: {error}"}
    return {"passed": True, "message": "Solved."}


# ---------------------------------------------------------------- properties of the levels, most of them of the course


@query
def coin_is_in_box(before: Any, after: Any) -> bool:
    """A coin more is in the box."""
    return bool(after.coins == before.coins + 1)


@guard("nobody has waited for three phases of green")
def waited_longer(table: Any) -> bool:
    """Somebody has waited for three phases of green."""
    return bool(table.greens == 3)


@effect
def take_one_out(table: Any) -> None:
    """One coin of the box is taken out."""
    table.coins -= 1 if table.coins else 0


(THREE_COINS,) = TURNSTILE.invariants
(SHORT_WAIT,), (WALKERS,) = LIGHT.invariants, LIGHT.postconditions
COIN = Postcondition("a coin goes into the box", coin_is_in_box, ("coin",))
PASS = ("coin", "push")


def levels() -> Iterator[Level]:
    """All levels, in the order of the course."""
    yield Level(
        "first-arc", 1, "A way in",
        "A phase that no transition leads to is refused. Add the transition: in locked, a coin leads to unlocked. "
        "has_room and take_coin are its guard and its effect.",
        text_of("turnstile", (COIN_ARC, "")),
        (accepts(*PASS, "coin", "push", "empty", "switch_off"), refuses("push"), demands(THREE_COINS, COIN)),
    )  # fmt: skip
    yield Level(
        "way-out", 1, "A way out",
        "A locked door has no way out. Add the event unlock.",
        text_of("door", (UNLOCK, "")),
        (all_hold, accepts("lock", "unlock", "open_door", "close_door", "remove"), refuses("lock", "open_door")),
    )  # fmt: skip
    yield Level(
        "three-floors", 1, "Three floors",
        "The lift serves two floors. Add the second floor above the first: up leads there, and down back.",
        text_of("lift"),
        (all_hold, accepts("up", "up", "down", "down", "switch_off"), refuses("down"), refuses("up", "up", "up"),
         refuses("up", "switch_off")),
    )  # fmt: skip
    yield Level(
        "missing-guard", 2, "Find the missing guard",
        "Press Check: the box takes a fourth coin. Which transition lacks a guard? It is there already.",
        text_of("turnstile", ("conditions=has_room, ", "")),
        (demands(THREE_COINS, COIN), everything_fires, accepts(*PASS * 3), refuses(*PASS * 3, "coin")),
    )  # fmt: skip
    yield Level(
        "two-arcs", 2, "Two transitions for one event",
        "With a full box the coin is given back. Two transitions of coin are enabled at once, and the declaration "
        "is refused. Let a guard tell them apart: with conditions or unless.",
        text_of("refund"),
        (demands(THREE_COINS), everything_fires, accepts(*PASS * 3, "coin", "coin"),
         refuses(*PASS * 3, "coin", "push")),
    )  # fmt: skip
    yield Level(
        "missing-effect", 2, "What was forgotten?",
        "A person who walks waits no longer, says a property. An effect forgets it. Repair the effect.",
        text_of("traffic-light", ("    table.waiting = 0\n    table.greens", "    table.greens")),
        (demands(SHORT_WAIT, WALKERS), everything_fires),
    )  # fmt: skip
    yield Level(
        "count-positions", 3, "Twenty-one positions",
        "A turnstile for three coins has 12 positions. Before you try it: for how many coins has it 21? "
        "Change the guard, and what the property says.",
        text_of("turnstile"),
        (all_hold, positions(lambda count: count == 21, "21"), accepts(*PASS, "empty")),
    )  # fmt: skip
    yield Level(
        "too-many-positions", 3, "State explosion",
        "A counter of visitors, which no rule reads, multiplies the positions after start by ten. Remove "
        "it, so that 12 are left.",
        text_of("turnstile", *COUNTED),
        (demands(THREE_COINS, COIN), positions(lambda count: count <= 12, "at most 12"), accepts(*PASS * 3)),
    )  # fmt: skip
    yield Level(
        "make-it-fail", 4, "Make this property fail",
        "At most three coins are in the box. Break the machine, so that just this property fails.",
        text_of("turnstile"),
        (has(THREE_COINS.description), violates(THREE_COINS)),
    )  # fmt: skip
    yield Level(
        "state-invariant", 4, "State an invariant",
        "The invariant of the light says True, always. Let it say what its sentence says. It must hold, and it must "
        "fail if cars are given a third phase of green while somebody waits.",
        text_of("traffic-light", ("table.greens <= 2", "True")),
        (all_hold, demands(SHORT_WAIT, WALKERS),
         kills(("with a third phase of green", instead("waited_long", waited_longer)))),
    )  # fmt: skip
    yield Level(
        "state-postcondition", 4, "State what an event does",
        "A coin goes into the box: this property looks at the table after the event only. Compare it with the table "
        "before. It must fail for a machine in which a second coin is not counted.",
        text_of("turnstile", *STATED),
        (all_hold, demands(THREE_COINS, COIN), kills(("without the effect take_coin", without("take_coin")),
                                                     ("in which every coin counts twice", twice("take_coin")))),
    )  # fmt: skip
    yield Level(
        "dead-end", 5, "A dead end",
        "Press Check: there is a position without a way on. Add an event empty, so that there is none, and keep "
        "all transitions that are there.",
        text_of("one-way-box"),
        (all_hold, everything_fires, accepts(*PASS * 3, "empty", "switch_off"), refuses(*PASS, "switch_off")),
    )  # fmt: skip
    yield Level(
        "nowhere-to-go", 5, "Nowhere to go",
        "Follow Suit: play a card that fits, or draw one. What if none fits and the draw pile is empty? "
        "Add the event give_up, which leads to game-over; nobody_wins of rules.shedding is its effect, and the policy "
        "needs a last choice.",
        text_of("follow-suit", *NO_WAY_ON),
        (all_hold, everything_fires),
    )  # fmt: skip
    yield Level(
        "always-stops", 5, "It always stops",
        "Whatever is chosen, the turnstile must stop eventually: no position may be reached twice. Three visitors must "
        "still be able to pass.",
        text_of("turnstile"),
        (demands(THREE_COINS, COIN), accepts(*PASS * 3, "switch_off"), always_ends),
    )  # fmt: skip
    yield Level(
        "by-itself", 6, "By itself",
        "After yellow comes red, without anybody's choice. Make this event forced.",
        text_of("traffic-light"),
        (demands(SHORT_WAIT, WALKERS), everything_fires, forces("yellow", "change")),
    )  # fmt: skip
    yield Level(
        "fewer-phases", 6, "A phase becomes a fact",
        "Whether the door is locked can be a fact of the table in place of a phase. Make it one: four phases, and "
        "the door behaves as before.",
        text_of("door"),
        (all_hold, everything_fires, phases_at_most(4), accepts("lock", "unlock", "open_door", "close_door", "remove"),
         refuses("lock", "open_door"), refuses("lock", "lock"), refuses("lock", "remove"), refuses("unlock"),
         refuses("open_door", "lock")),
    )  # fmt: skip
    yield Level(
        "kill-mutants", 7, "Kill three mutants",
        "The machine is right, and nothing says so. State properties that hold, and that fail for each of three "
        "mutants: without the effect take_coin, without the guard has_room, and with an empty_box that takes one coin "
        "out at most.",
        text_of("turnstile", *UNSTATED),
        (all_hold, demands(THREE_COINS, COIN), kills(("without the effect take_coin", without("take_coin")),
                                                     ("without the guard has_room", without("has_room")),
                                                     ("that takes one coin out", instead("empty_box", take_one_out)))),
    )  # fmt: skip
    yield Level(
        "equivalent", 7, "An equivalent mutant",
        "Change the guards of a transition so that the machine behaves as before: no property finds such a mutant.",
        text_of("turnstile"),
        (demands(THREE_COINS, COIN), has_other_guards(text_of("turnstile")), positions(lambda count: count == 12, "12"),
         accepts(*PASS * 3, "empty", "coin", "push", "switch_off"), everything_fires),
    )  # fmt: skip
    yield Level(
        "rule-breaks", 7, "A house rule that breaks the game",
        "In this Mau-Mau a ten skips the next player, and all properties hold. Change the rule so that the game "
        "contradicts its properties.",
        text_of("tens-skip", FEWER_TENS),
        (has_rule_on("tens"), some_fails),
    )  # fmt: skip
    yield Level(
        "rule-repair", 7, "Repair a house rule",
        "A nine reverses the direction of play. A property of Mau-Mau contradicts it, and Check shows where. "
        "A rule may waive a property that it changes on purpose.",
        text_of("nine-reverses", *WITH_NINES, ('Waive("the next player is in turn"), ', "")),
        (has_rule_on("nines"), all_hold, everything_fires_of_rule),
    )  # fmt: skip
    yield Level(
        "own-rule", 7, "A rule of your own",
        "After an ace its player plays again. Write the rule: split the transitions of play, and let next_in_turn "
        "mean what is right now. All properties must hold, and the small deck must fire each new transition.",
        text_of("ace-again"),
        (has_rule_on("aces"), plays_again, all_hold),
    )  # fmt: skip


LEVELS = {level.name: level for level in levels()}
