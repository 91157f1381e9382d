"""Source of a program that steps many games side by side, each to the next decision of a learning seat.

It is generated from the declaration as the kernel of `maumau.kernels.compiler` is, and calls the same rule functions.
Where that kernel chooses by policies alone, this one returns at the decision of a learning seat and goes on with its
action.
"""

from __future__ import annotations

import struct
from collections import Counter, namedtuple
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from itertools import groupby
from textwrap import indent
from typing import Any

from fsm.declaration.arcs import Arc, Control, Offer, Phase
from fsm.declaration.declaration import Declaration
from fsm.declaration.functions import FORCED, functions
from fsm.declaration.values import NO_VALUE, ValueKind
from maumau.agents.actions import ActionSpace, action_space
from maumau.agents.arrays import Array, np
from maumau.agents.compiled.batches import first_illegal, step
from maumau.agents.compiled.notes import note
from maumau.agents.hands import deck_counts
from maumau.agents.knowledge import following, hand_source, kinds_by_code, notes_of, rolls_dice
from maumau.agents.layout import layout, observe_source
from maumau.kernels.compiled.positions import EMPTY, keep_position
from maumau.kernels.compiler import Plan, table_size
from maumau.kernels.compiler.choosing import any_enabled, each_card, each_value, moves_functions, policy_source
from maumau.kernels.compiler.machine_code import numbers
from maumau.kernels.compiler.naming import Source, mention, module_source
from maumau.kernels.compiler.phases import arcs_source
from maumau.kernels.compiler.program import Program
from maumau.kernels.compiler.results import blank_rows
from maumau.kernels.compiler.returns import hash_source, same_position_source, saved_size
from maumau.kernels.compiler.source import Constants, constants_source, dealing
from maumau.kernels.compiler.text import case

DEAL = -1
"""In place of an action: the game of the slot is dealt."""


@dataclass(frozen=True)
class BatchPlan(Plan):
    """What such a program is generated for: `policies` are those of the seats that do not learn.

    players: the number of players.
    """

    players: int = 2

    def leaves(self, phase: str | int) -> str:
        """The statement with which the function that steps a table ends in a phase, or is stuck."""
        return f"return {phase}"

    def noted(self, arc: Arc) -> tuple[str, ...]:
        """After an arc that rolls dice nobody knows the order of the cards."""
        return ("shuffled = 1",) if rolls_dice(arc) else ()

    @property
    def keeps_positions(self) -> bool:
        """Whether the positions of a game are kept, because one that returns ends it."""
        return self.game.return_ends

    @property
    def shuffles(self) -> bool:
        """Whether any arc rolls dice."""
        return any(map(rolls_dice, self.game.arcs))


def stepping(plan: BatchPlan) -> Program:
    """`step`, with the arguments of `no_slots`."""
    return Program("step", source_of, plan, no_slots, plan.game, large=True)


def source_of(plan: BatchPlan) -> Source:
    """The source of the module whose `step` steps the games of a batch."""
    names = ", ".join(policy.name for policy in plan.policies) or "learning seats alone"
    title = f"{plan.game.title} for {plan.players} players in batches, with {names}: generated from it."
    parts = [constants_source(constants_of(plan)), *functions_of(plan)]
    kept = (keep_position,) if plan.keeps_positions else ()
    return module_source(title, parts, functions(plan.game), (step, note, *kept))


def functions_of(plan: BatchPlan) -> list[str]:
    """The functions that step a game to the next decision of a learning seat, and write what the seat sees."""
    return [
        "\n".join(arrays_of(plan.game)),
        *moves_functions(plan),
        hand_source(plan.game),
        observe_source(layout(plan.game, plan.players)),
        mask_source(plan),
        *((same_position_source(plan), hash_source(plan)) if plan.keeps_positions else ()),
        _run_source(plan),
    ]


# ---------------------------------------------------------------- constants


def arrays_of(game: Declaration) -> Iterator[str]:
    """Arrays by card code, by action, and of the numbers of actions by code and value."""
    space = action_space(game)
    yield _array("KIND", kinds_by_code(game))
    yield _array("MEANT", (sum(1 << code for code in space.codes(number)) for number in range(len(space))))
    yield _array("VALUES", (action.value for action in space))
    for trigger in space.triggers:
        yield _array(_numbers(trigger), _numbers_of(game, trigger))


def _array(name: str, values: Iterable[int]) -> str:
    return f"{name} = np.array({tuple(values)}, np.int64)"


def _numbers(trigger: str) -> str:
    return f"NUMBERS_{trigger}"


def _numbers_of(game: Declaration, trigger: str) -> list[int]:
    """The numbers of the actions of an event: by card code, -1 first, a row of values, -1 first."""
    space = action_space(game)
    codes = range(NO_VALUE, max(len(kinds_by_code(game)), 64))
    names = game.codec.notation.cards
    return [
        space.number_of(trigger, code, value) if code < len(names) else -1
        for code in codes
        for value in range(NO_VALUE, _most_values(game, trigger))
    ]


def _most_values(game: Declaration, trigger: str) -> int:
    """How many codes the values of an event may have."""
    kind = game.value_kinds.get(trigger)
    return kind.how_many(game.codec.notation, game.codec.most) if kind else 0


# ---------------------------------------------------------------- the legal actions


def mask_source(plan: BatchPlan) -> str:
    """The function `write_mask`, which marks the legal actions of a decision."""
    phases = [(number, phase) for number, phase in enumerate(plan.phases) if _offers(plan, phase)]
    blocks = []
    for index, (number, phase) in enumerate(phases):
        body = "\n".join(line for offer in _offers(plan, phase) for line in _marking(plan, phase, offer))
        blocks.append(f"{case(index, len(phases), f'phase == {number}')}:  # {phase}\n{indent(body, '    ')}")
    return f'''def write_mask(table, phase, line):
    """Mark the legal actions; whether each of them has a number."""
    for action in range({len(action_space(plan.game))}):
        line[action] = 0
    card = table.card
{indent(chr(10).join(blocks), "    ")}
    table.card = card
    return True'''


def _offers(plan: BatchPlan, phase: Phase) -> tuple[Offer, ...]:
    return plan.game.control.get(phase, Control()).offers


def _marking(plan: BatchPlan, phase: Phase, offer: Offer) -> Iterator[str]:
    """Statements that mark the legal actions of an offer."""
    row = _most_values(plan.game, offer.trigger) + 1

    def mark(at: str) -> str:
        return f"number = {_numbers(offer.trigger)}[{at}]\nif number < 0:\n    return False\nline[number] = 1"

    if offer.cards:
        offered, loop = each_card(offer).split("\n", 1)
        yield offered
        yield from _marking_run(action_space(plan.game), offer.trigger)
        yield loop
        at = f"(table.card + 1) * {row}"
        if offer.values:
            yield indent(f"if suits == 0:\n{indent(mark(at), '    ')}", "    ")
            yield indent(_each_bit("suits", mark, at, plan, offer), "    ")
        else:
            yield indent(mark(at), "    ")
    elif offer.values:
        yield each_value(offer)
        yield _each_bit("values", mark, "0", plan, offer)
    else:
        arcs = plan.game.leaving(phase, offer.trigger)
        yield f"if {any_enabled(arcs)}:\n    line[{action_space(plan.game).number_of(offer.trigger, -1, NO_VALUE)}] = 1"


def _marking_run(space: ActionSpace, trigger: str) -> Iterator[str]:
    """Statements that mark at once the cards of the longest row of codes that name no value and are numbered in turn.

    The other cards are left in the mask.
    """
    names = space.game.codec.notation.cards
    alone = Counter(action.card for action in space if action.trigger == trigger)
    numbers = {code: space.number_of(trigger, code, NO_VALUE) for code in deck_counts(space.game)}
    plain = [code for code, number in numbers.items() if number >= 0 and alone[names[code]] == 1]
    turns = enumerate(plain)
    runs = [
        [code for _, code in run]
        for _, run in groupby(turns, lambda turn: (turn[1] - turn[0], numbers[turn[1]] - turn[0]))
    ]
    longest = max(runs, key=len, default=[])
    if longest:
        first, number = longest[0], numbers[longest[0]]
        yield f"for place in range({len(longest)}):\n    line[{number} + place] = cards >> {first} + place & 1"
        yield f"cards &= ~{sum(1 << code for code in longest)}"


def _each_bit(mask: str, mark: Callable[[str], str], at: str, plan: BatchPlan, offer: Offer) -> str:
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


def _run_source(plan: BatchPlan) -> str:
    """The function `run`, which steps a table."""
    blocks = "\n".join(_phase(plan, number, phase) for number, phase in enumerate(plan.phases))
    noting = (
        "note(table, notes, discarded, shuffled)\nshuffled = 0" if plan.shuffles else "note(table, notes, discarded, 0)"
    )
    start = "    shuffled = 0\n" * plan.shuffles
    return f'''def run(
    table, phase, seats, limit, action, notes, discarded, fired, used, weight, other, seen, hashes, rows, known,
):
    """Step `table`, first by `action` if it is one, to the next decision of a learning seat, the end or the limit.

    fired, used, weight: where arcs and decision rules are counted. other, seen, hashes, rows, known: where the rules
    end a game as soon as a position returns: those that were there are kept.
    """
{start}    while True:
{indent(noting, " " * 8)}
{indent(blocks, " " * 8)}'''


def _phase(plan: BatchPlan, number: int, phase: Phase) -> str:
    condition = f"{'if' if number == 0 else 'elif'} phase == {number}:  # {phase}"
    body = "return phase" if phase is plan.game.final else "\n".join(_acting(plan, phase))
    return f"{condition}\n{indent(body, '    ')}"


def _acting(plan: BatchPlan, phase: Phase) -> Iterator[str]:
    """The statements of a phase: forced events, then the choice of the player and the arcs of what is chosen."""
    control = plan.game.control[phase]
    if control.may_return and plan.keeps_positions:
        yield "if action < 0:\n    known[0] = keep_position(table, phase, other, seen, hashes, rows, known[0])"
    if control.forced:
        forced = [arc for trigger in control.forced for arc in plan.game.leaving(phase, trigger)]
        yield arcs_source(plan, forced, str(FORCED), certain=not control.offers)
    if control.offers:
        yield from _choosing(plan, phase, control)
        for index, offer in enumerate(control.offers):
            arcs = arcs_source(plan, plan.game.leaving(phase, offer.trigger), "rule", certain=True, one_enabled=True)
            body = f"{_noted(plan, offer)}\n{arcs}"
            word = case(index, len(control.offers), f"event == {index}")
            yield f"{word}:  # {offer.trigger}\n{indent(body, '    ')}"


def _noted(plan: BatchPlan, offer: Offer) -> str:
    """Statements that note which event the player who acts has chosen."""
    notes_at, number = notes_of(plan.game), 1 + action_space(plan.game).triggers.index(offer.trigger)
    last = f"\nnotes[{notes_at.last} + table.player] = {number}" if offer.seen_as is None else ""
    return f"notes[{notes_at.chosen}] += 1{last}"


def _choosing(plan: BatchPlan, phase: Phase, control: Control) -> Iterator[str]:
    """Statements that set `event` to the index of the chosen offer, and put what is named on the table."""
    yield f"if notes[{notes_of(plan.game).chosen}] >= limit:\n    return phase"
    blocks = [_learning(plan, control)]
    blocks += [policy_source(plan, phase, control, policy) for policy in plan.policies]
    for index, block in enumerate(blocks):
        word = case(index, len(blocks), f"seats[table.player] == {index}")
        yield f"{word}:\n{indent(block, '    ')}"


def _learning(plan: BatchPlan, control: Control) -> str:
    """Statements that return at a decision, or go on with the action that was chosen."""
    space = action_space(plan.game)
    lines = ["if action < 0:\n    return phase"]
    for index, offer in enumerate(control.offers):
        numbers = [number for number, action in enumerate(space) if action.trigger == offer.trigger]
        body = "\n".join([f"event = {index}", *named_source(plan, offer)])
        word = case(index, len(control.offers), f"{numbers[0]} <= action <= {numbers[-1]}")
        lines.append(f"{word}:  # {offer.trigger}\n{indent(body, '    ')}")
    return "\n".join([*lines, "action = -1"])


def named_source(plan: BatchPlan, offer: Offer) -> Iterator[str]:
    """Statements that put the card and the value of an action on the table."""
    if offer.cards:
        yield f"chosen = {mention(offer.cards)}(table) & MEANT[action]"
        yield "table.card = (chosen & -chosen).bit_length() - 1"
    kind = plan.game.value_kind(offer.trigger)
    if kind is ValueKind.SEAT and offer.values:
        value = f"(VALUES[action] + table.player) % {plan.players}"
        yield f"table.{kind} = {value} if VALUES[action] >= 0 else -1"
    elif offer.cards or offer.values:
        yield f"table.{kind} = VALUES[action]"


# ---------------------------------------------------------------- a batch


def constants_of(plan: BatchPlan) -> Constants:
    """What the compiled functions read that step games to the decisions of learning seats."""
    game = plan.game
    return (
        dealing(game)
        | following(game)
        | {
            "ACTIONS": len(action_space(game)),
            "FINAL": plan.phases.index(game.final),
            "INITIAL": plan.phases.index(game.initial),
            "KEEPS_POSITIONS": plan.keeps_positions,
            "KNOWS_DEALER": game.knows_dealer,
            "LOST": _bits(-1 / (plan.players - 1)),
            "PLAYERS": plan.players,
            "POSITION_BYTES": saved_size(plan),
            "TABLE_BYTES": table_size(game.table),
            "TALLIES": plan.tally,
            "WIDTH": layout(game, plan.players).width,
            "WON": _bits(1),
            "game_deal": game.deal,
            "game_score": game.score,
        }
    )


def _bits(reward: float) -> int:
    """The bits of a 32-bit floating-point number, as a whole number."""
    (bits,) = struct.unpack("=i", struct.pack("=f", reward))
    return int(bits)


def illegal_action() -> Program:
    """`first_illegal`, which finds the first slot with an illegal action, or -1 (actions, masks)."""
    return Program("first_illegal", lambda subject: Source("", {"first_illegal": first_illegal}), None, _no_actions)


def _no_actions(subject: None) -> tuple[Any, ...]:
    return numbers(0), np.zeros((0, 1), np.uint8)


def no_slots(plan: BatchPlan) -> tuple[Any, ...]:
    """Warm-up arguments of `step`: no slots."""
    seats = numbers((plan.players, plan.players))
    return (*arrays(plan, slots=0, limit=1), seats, 0, 1, 1, *results_of(plan, 0, 0), 0)


def results_of(plan: BatchPlan, first: int, games: int) -> tuple[int, Array, Array, Array, Array]:
    """Arguments of `step`: the first game, room for the results, the scores and the counts."""
    counted = numbers(len(plan.game.counters)), numbers(len(plan.rules))
    return first, *blank_rows(games, plan.players), *counted


Arrays = namedtuple(
    "Arrays",
    "tables phases notes discarded log decided actions positions marks places counts last_observations observations "
    "masks rewards ended truncated acting passed_over fired used",
)
"""The arrays of `step`, a row for each slot, in the order of its parameters."""


def arrays(plan: BatchPlan, slots: int, limit: int) -> Arrays:
    """The arrays of `step`.

    Where the return of a position ends a game, there is a position for each event that is chosen, and one more: saved
    tables, hashes, where each is, how many. The memory is used as far as games are long.
    """
    space, width = action_space(plan.game), layout(plan.game, plan.players).width
    most = limit + 1 if plan.keeps_positions else 0
    counters, rules = (len(plan.game.counters), len(plan.rules)) if plan.tally else (0, 0)
    return Arrays(
        np.zeros((slots, table_size(plan.game.table)), np.uint8),
        numbers(slots),
        numbers((slots, notes_of(plan.game).length)),
        np.zeros((slots, len(space.cards)), np.uint8),
        np.zeros((slots, limit), np.int16),
        numbers(slots),
        np.full(slots, DEAL, np.int64),
        np.zeros((slots, most, saved_size(plan)), np.uint8),
        numbers((slots, most)),
        np.full((slots, 2 << most.bit_length()), EMPTY, np.int64),
        numbers((slots, 1)),
        np.zeros((slots, width), np.uint8),
        np.zeros((slots, width), np.uint8),
        np.zeros((slots, len(space)), np.uint8),
        np.zeros((slots, plan.players), np.int32),
        np.zeros(slots, np.uint8),
        np.zeros(slots, np.uint8),
        numbers(slots),
        numbers(slots),
        numbers((slots, counters)),
        numbers((slots, rules)),
    )
