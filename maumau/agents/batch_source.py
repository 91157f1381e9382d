"""Source of a program that steps many games side by side, each to the next decision of a learning seat.

It is generated from the declaration as the kernel of `maumau.kernels.compiler` is, and calls the same rule functions.
Where that kernel chooses by policies alone, this one returns at the decision of a learning seat and goes on with its
action. The arrays that it works on are here as well.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import groupby
from textwrap import indent
from typing import Any

from fsm.declaration.arcs import Offer, Phase
from fsm.declaration.declaration import Declaration, functions
from fsm.declaration.facts import NO_VALUE, ValueKind
from fsm.declaration.rewards import loss, points_of_reward
from fsm.edge.numbers import Array, np
from fsm.table.layout import layout_of
from maumau.agents.actions import ActionSpace, action_space, deck_counts
from maumau.agents.compiled.batches import CHOSEN, LAST, Played, SlotArrays, first_illegal, note, step
from maumau.agents.layout import (
    deciding,
    following,
    hand_source,
    kinds_by_code,
    layout,
    notes_of,
    observe_source,
)
from maumau.agents.plan import AgentPlan
from maumau.kernels.compiled.ends import EMPTY, keep_position
from maumau.kernels.compiled.workspace import allocate, warm_up_of
from maumau.kernels.compiler.phases import (
    choosing,
    chosen_source,
    each_move,
    forced_source,
    moves_functions,
)
from maumau.kernels.compiler.program import (
    KernelSource,
    Program,
    cases,
    mention,
    module_source,
    numbered,
    of_any_game,
)
from maumau.kernels.compiler.source import (
    Constants,
    constants_source,
    deck_constants,
    saved_size,
)
from rules.chance import words_for
from rules.rule import RuleFunction

DEAL = -1
"""In place of an action: the game of the slot is dealt."""


def played_of(plan: AgentPlan, seats: Array, games: int = 0) -> Played:
    """Room for the results of so many games. seats: who decides at each seat, by the number of the game."""
    counters, rules = len(plan.game.counters), len(plan.kernel.rules)
    return allocate(Played, seats=seats, results=games, scores=(games, plan.players), fired=counters, used=rules)


def slots_of(plan: AgentPlan, slots: int, limit: int) -> SlotArrays:
    """Room for games side by side, which are to be dealt.

    Where the return of a position ends a game, there is a position for each event that is chosen, and one more. The
    memory is used as far as games are long.
    """
    space, width = action_space(plan.game), layout(plan.game, plan.players).width
    most = limit + 1 if plan.keeps_positions else 0
    counters, rules = (len(plan.game.counters), len(plan.kernel.rules)) if plan.tally else (0, 0)
    return allocate(
        SlotArrays,
        tables=(slots, layout_of(plan.game).size),
        phases=slots,
        notes=(slots, notes_of(plan.game).length),
        discarded=(slots, len(space.cards)),
        log=(slots, limit),
        decided=slots,
        actions=np.full(slots, DEAL),
        positions=(slots, most, saved_size(plan.kernel)),
        marks=(slots, most),
        places=np.full((slots, 2 << most.bit_length()), EMPTY),
        counts=(slots, 1),
        last_observations=(slots, width),
        observations=(slots, width),
        masks=(slots, len(space)),
        rewards=(slots, plan.players),
        ended=slots,
        truncated=slots,
        acting=slots,
        passed_over=slots,
        fired=(slots, counters),
        used=(slots, rules),
    )


# ---------------------------------------------------------------- the program


def stepping(plan: AgentPlan) -> Program:
    """The program whose entry is `step`."""
    return Program("step", source_of, plan, _warm_up, plan.game, large=True)


def _warm_up(plan: AgentPlan) -> tuple[Any, ...]:
    return warm_up_of(step)


def source_of(plan: AgentPlan) -> KernelSource:
    """The source of the module whose `step` steps the games of a batch."""
    names = ", ".join(policy.name for policy in plan.policies) or "learning seats alone"
    title = f"{plan.game.title} for {plan.players} players in batches, with {names}: generated from it."
    parts = [constants_source(constants_of(plan)), *functions_of(plan)]
    kept = (keep_position,) if plan.keeps_positions else ()
    return module_source(title, parts, rule_functions(plan), (step, note, *kept))


def rule_functions(plan: AgentPlan) -> tuple[RuleFunction, ...]:
    """The rule functions of the game, and that which counts rewards."""
    rewarding = points_of_reward(plan.game, plan.reward)
    return tuple(dict.fromkeys((*functions(plan.game), *((rewarding,) if rewarding else ()))))


def functions_of(plan: AgentPlan) -> list[str]:
    """The functions that step a game to the next decision of a learning seat, and write what the seat sees."""
    compared = layout_of(plan.game)
    return [
        "\n".join(arrays_of(plan.game)),
        *moves_functions(plan.kernel),
        hand_source(plan.game),
        observe_source(layout(plan.game, plan.players)),
        mask_source(plan),
        *((compared.same_position_function(), compared.hash_function()) if plan.keeps_positions else ()),
        _run_source(plan),
    ]


# ---------------------------------------------------------------- pieces


def by_action(plan: AgentPlan, offers: Sequence[Offer], body: Callable[[Offer], Iterable[str]]) -> str:
    """Statements for the offer that `action` belongs to."""
    found = []
    for offer in offers:
        numbers = [number for number, action in enumerate(action_space(plan.game)) if action.trigger == offer.trigger]
        found.append((f"{numbers[0]} <= action <= {numbers[-1]}", offer.trigger, body(offer)))
    return cases(found)


# ---------------------------------------------------------------- constants


def arrays_of(game: Declaration) -> Iterator[str]:
    """Arrays by card code, by action, and of the numbers of actions by code and value."""
    space, names = action_space(game), game.codec.notation.cards
    codes = range(NO_VALUE, max(len(kinds_by_code(game)), 64))
    yield _array("KIND", kinds_by_code(game))
    yield _array("MEANT", (sum(1 << code for code in space.codes(number)) for number in range(len(space))))
    yield _array("VALUES", (action.value for action in space))
    for trigger in space.triggers:  # by card code, -1 first, a row of values, -1 first
        values = range(NO_VALUE, most_values(game, trigger))
        found = (space.number_of(trigger, code, each) if code < len(names) else -1 for code in codes for each in values)
        yield _array(f"NUMBERS_{trigger}", found)


def _array(name: str, values: Iterable[int]) -> str:
    return f"{name} = np.array({tuple(values)}, np.int64)"


def most_values(game: Declaration, trigger: str) -> int:
    """How many codes the values of an event may have."""
    kind = game.value_kinds.get(trigger)
    return kind.how_many(game.codec.notation, game.codec.most) if kind else 0


# ---------------------------------------------------------------- the legal actions


def mask_source(plan: AgentPlan) -> str:
    """The function `write_mask`, which marks the legal actions of a decision."""
    game = plan.game
    marking = {
        phase: [line for offer in game.control[phase].offers for line in _marking(plan, phase, offer)]
        for phase in deciding(game)
    }
    blocks = cases((f"phase == {plan.game.phase_numbers[phase]}", phase, lines) for phase, lines in marking.items())
    return f'''def write_mask(table, phase, line):
    """Mark the legal actions; whether each of them has a number."""
    for action in range({len(action_space(plan.game))}):
        line[action] = 0
    card = table.card
{indent(blocks, "    ")}
    table.card = card
    return True'''


def _marking(plan: AgentPlan, phase: Phase, offer: Offer) -> Iterator[str]:
    """Statements that mark the legal actions of an offer."""
    row = most_values(plan.game, offer.trigger) + 1

    at = f"(table.card + 1) * {row}" if offer.cards else "0"

    def mark(at: str) -> str:
        return f"number = NUMBERS_{offer.trigger}[{at}]\nif number < 0:\n    return False\nline[number] = 1"

    def marked(values: str) -> str:
        if not values:
            return mark(at)
        alone = f"if {values} == 0:\n{indent(mark(at), '    ')}\n" if offer.cards else ""
        return alone + _each_bit(values, mark, at, plan, offer)

    run = _marking_run(action_space(plan.game), offer.trigger) if offer.cards else ()
    return each_move(plan.game, phase, offer, marked, run)


def _marking_run(space: ActionSpace, trigger: str) -> Iterator[str]:
    """Statements that mark at once the cards of the longest row of codes that name no value and are numbered in turn.

    The other cards are left in the mask.
    """
    names = space.game.codec.notation.cards
    alone = Counter(action.card for action in space if action.trigger == trigger)
    numbers = {code: space.number_of(trigger, code, NO_VALUE) for code in deck_counts(space.game)}
    plain = [code for code, number in numbers.items() if number >= 0 and alone[names[code]] == 1]
    runs = groupby(enumerate(plain), lambda each: (each[1] - each[0], numbers[each[1]] - each[0]))
    longest = max(([code for _, code in run] for _, run in runs), key=len, default=[])
    if longest:
        first, number = longest[0], numbers[longest[0]]
        yield f"for place in range({len(longest)}):\n    line[{number} + place] = cards >> {first} + place & 1"
        yield f"cards &= ~{sum(1 << code for code in longest)}"


def _each_bit(mask: str, mark: Callable[[str], str], at: str, plan: AgentPlan, offer: Offer) -> str:
    """A loop that marks the action of each value of a mask."""
    value = "value"
    if offer.kind is ValueKind.SEAT:
        value = f"(value - table.player + {plan.players}) % {plan.players}"
    marked = indent(mark(f"{at} + 1 + {value}"), "    ")
    return f"""while {mask} != 0:
    value = ({mask} & -{mask}).bit_length() - 1
    {mask} &= {mask} - 1
{marked}"""


# ---------------------------------------------------------------- a game to the next decision


def _run_source(plan: AgentPlan) -> str:
    blocks = numbered("phase", ((phase, _acting(plan, phase)) for phase in plan.game.phases))
    return f'''def run(
    table, phase, seats, limit, action, notes, discarded, fired, used, weight, other, seen, hashes, rows, known,
):
    """Step `table`, first by `action` if it is one, to the next decision of a learning seat, the end or the limit.

    fired, used, weight: where arcs and decision rules are counted. other, seen, hashes, rows, known: where the rules
    end a game as soon as a position returns: those that were there are kept.
    """
    shuffled = 0
    while True:
        note(table, notes, discarded, shuffled)
        shuffled = 0
{indent(blocks, " " * 8)}'''


def _acting(plan: AgentPlan, phase: Phase) -> Iterator[str]:
    """The statements of a phase: forced events, then the choice of the player and the arcs of what is chosen."""
    if phase is plan.game.final:
        yield "return phase"
        return
    control = plan.game.control[phase]
    if control.may_return and plan.keeps_positions:
        yield "if action < 0:\n    known[0] = keep_position(table, phase, other, seen, hashes, rows, known[0])"
    yield forced_source(plan.kernel, phase)
    if offers := control.offers:
        named = by_action(plan, offers, lambda offer: [f"event = {offers.index(offer)}", *named_source(plan, offer)])
        learning = f"if action < 0:\n    return phase\n{named}\naction = -1"
        yield f"if notes[{CHOSEN}] >= limit:\n    return phase"
        yield choosing(plan.kernel, phase, [learning])
        blocks = []
        for offer in offers:
            number = 1 + action_space(plan.game).triggers.index(offer.trigger)
            lines = [f"notes[{CHOSEN}] += 1"]
            if (phase, offer.trigger) in plan.game.seen_by_all:
                lines.append(f"notes[{LAST} + table.player] = {number}")
            lines.append(chosen_source(plan.kernel, phase, offer, "rule"))
            blocks.append((offer.trigger, lines))
        yield numbered("event", blocks)


def named_source(plan: AgentPlan, offer: Offer) -> Iterator[str]:
    """Statements that put the card and the value of an action on the table."""
    if offer.cards:
        yield f"chosen = {mention(offer.cards)}(table) & MEANT[action]"
        yield "table.card = (chosen & -chosen).bit_length() - 1"
    kind = plan.game.value_kind(offer.trigger)
    if kind is ValueKind.SEAT and offer.values:
        value = f"(VALUES[action] + table.player) % {plan.players}"
        yield f"table.{kind} = {value} if VALUES[action] >= 0 else -1"
    elif offer.named:
        yield f"table.{kind} = VALUES[action]"


# ---------------------------------------------------------------- a batch


def constants_of(plan: AgentPlan) -> Constants:
    """What the compiled functions read that step games to the decisions of learning seats."""
    game = plan.game
    rewarding = points_of_reward(game, plan.reward)
    return (
        deck_constants(game)
        | following(game)
        | {
            "ACTIONS": len(action_space(game)),
            "CARRIES": False,
            "FINAL": game.phase_numbers[game.final],
            "INITIAL": game.phase_numbers[game.initial],
            "KEEPS_POSITIONS": plan.keeps_positions,
            "KNOWS_DEALER": game.knows_dealer,
            "DECLARES_REWARDS": rewarding is not None,
            "LOST": tuple(int(np.float32(loss(plan.players, won)).view(np.int32)) for won in range(plan.players + 1)),
            "PLAYERS": plan.players,
            "POSITION_BYTES": saved_size(plan.kernel),
            "SHARES_WINS": game.shares_wins,
            "TABLE_BYTES": layout_of(game).size,
            "TALLIES": plan.tally,
            "WIDTH": layout(game, plan.players).width,
            "WORDS": words_for(game.deck_size),
            "WON": int(np.float32(1).view(np.int32)),
            "game_deal": game.deal,
            "game_score": game.score,
            **({"game_rewards": rewarding} if rewarding else {}),
        }
    )


ILLEGAL_ACTION = of_any_game(first_illegal)
"""Finds the first slot with an illegal action, or -1 (actions, masks)."""
