"""From a declaration to the source of an explorer: it visits every position that can be reached from given deals.

At each position every conceivable event is tried, each card in hand with each suit, and the guards of all its arcs are
evaluated; invariants and postconditions are checked before and after. Positions are stored as rows in the order in
which they were found, which is also the queue of those to visit, with a hash table of their numbers.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from textwrap import indent
from typing import Any

from fsm.check.properties import CAN_CONTINUE, GENERAL, IN_RANGE, NO_ARC, ONE_ARC, ONE_FORCED
from fsm.declaration.arcs import Arc, Control, Offer, Phase
from fsm.declaration.declaration import Declaration
from fsm.declaration.functions import functions
from fsm.declaration.values import ValueKind
from maumau.kernels.compiler.machine_code import numbers
from maumau.kernels.compiler.naming import Source, in_comment, mention, module_source
from maumau.kernels.compiler.program import Program
from maumau.kernels.explorer.packing import packing_source

FORCED, PLAIN, OFFERED, REFUSED = range(4)
"""The kind of an event before the guards of its arcs are evaluated: forced, or a choice without a card, one that is
offered, or one with a card that is not."""
MASK_BITS = 62
"""Numbers in a mask, which is a positive 64-bit integer."""
PLACES = 6
DEALS, NEXT, KNOWN, HASHED, EVENTS, TRIED = range(PLACES)
"""Places of the numbers that are preserved from call to call."""
AT_ONCE = 1 << 17
"""Positions that are visited, or put into a larger hash table, in one call: a fraction of a second, for no call can be
interrupted."""


@dataclass(frozen=True)
class Pair:
    """A phase and an event with the arcs that it may fire there."""

    phase: Phase
    trigger: str
    offer: Offer | None
    arcs: tuple[Arc, ...]


def pairs(game: Declaration) -> tuple[Pair, ...]:
    """All phases with their events, by number."""
    found = []
    for phase in game.phases:
        control = game.control.get(phase, Control())
        found += [Pair(phase, trigger, None, game.leaving(phase, trigger)) for trigger in control.forced]
        found += [Pair(phase, offer.trigger, offer, game.leaving(phase, offer.trigger)) for offer in control.offers]
    return tuple(found)


def exploring(game: Declaration) -> Program:
    """`explore`, which visits positions until all are known or the memory is full."""
    return Program("explore", explorer_source, game, _nothing, game, large=True)


def explorer_source(game: Declaration) -> Source:
    """The source of a module with `explore`."""
    assert game.deal_each is not None
    dests = tuple(list(game.phases).index(arc.dest) for arc in game.arcs)
    parts = [
        f"DESTS = {dests}",
        packing_source(game),
        _propose(game),
        _enabled(game),
        _fire(game),
        _invariants(game),
        _postconditions(game),
        NOTE,
        ADD,
        _explore(game),
    ]
    title = f"{game.title} explored: generated from its declaration."
    return module_source(title, map(str.strip, parts), functions(game))


def _nothing(game: Declaration) -> tuple[Any, ...]:
    """Arguments of `explore` with which it does nothing."""
    rows, column = numbers((0, 4)), numbers(8)
    return rows, 0, 0, rows, column, column, column, rows, column, column, rows


def _chain(name: str, cases: Sequence[list[str]]) -> str:
    """An if statement with a case for each number of `name`."""
    lines = []
    for number, case in enumerate(cases):
        lines += [f"{'elif' if number else 'if'} {name} == {number}:", *(f"    {line}" for line in case or ["pass"])]
    return indent("\n".join(lines), "    ")


def _propose(game: Declaration) -> str:
    numbered = list(enumerate(pairs(game)))
    cases = [[line for number, pair in numbered if pair.phase is phase for line in _candidates(number, pair)]
             for phase in game.phases]  # fmt: skip
    return PROPOSE.replace("$CASES", _chain("phase", cases))


def _candidates(number: int, pair: Pair) -> Iterator[str]:
    """Statements that write down the events of a pair. A value that is not offered is refused, whatever guards say."""
    if pair.offer is None:
        yield f"count = write(events, count, {number}, -1, -1, {FORCED})"
        return
    choice = [f"count = write(events, count, {number}, -1, -1, {OFFERED if pair.offer.always else PLAIN})"]
    if pair.offer.cards is not None:
        suits = f"{mention(pair.offer.values)}(table)" if pair.offer.values else "0"
        choice = [
            f"offered = {mention(pair.offer.cards)}(table)",
            "held = table.hands[table.player] | offered",
            "while held != 0:",
            "    table.card = (held & -held).bit_length() - 1",
            "    held &= held - 1",
            "    if offered >> table.card & 1 == 0:",
            f"        count = write(events, count, {number}, table.card, -1, {REFUSED})",
            "        continue",
            f"    suits = {suits}",
            "    if suits == 0:",
            f"        count = write(events, count, {number}, table.card, -1, {OFFERED})",
            "    while suits != 0:",
            "        suit = (suits & -suits).bit_length() - 1",
            f"        count = write(events, count, {number}, table.card, suit, {OFFERED})",
            "        suits &= suits - 1",
        ]
    elif pair.offer.values is not None:
        choice = [
            f"values = {mention(pair.offer.values)}(table)",
            "while values != 0:",
            f"    count = write(events, count, {number}, -1, (values & -values).bit_length() - 1, {OFFERED})",
            "    values &= values - 1",
        ]
    yield "if table.returned == 0:"
    yield from (f"    {line}" for line in choice)


def _enabled(game: Declaration) -> str:
    cases = [_asking(pair) for pair in pairs(game)]
    doc = '    """How many arcs of an event are enabled, and the place of the last one."""'
    return f"def enabled(table, pair):\n{doc}\n    arcs, last = 0, -1\n{_chain('pair', cases)}\n    return arcs, last"


def _asking(pair: Pair) -> list[str]:
    """Statements that ask each guard of an event once, and then put the answers together for each arc."""
    guards = dict.fromkeys(guard for arc in pair.arcs for guard in arc.when + arc.unless)
    answers = {guard: f"answer_{number}" for number, guard in enumerate(guards)}
    lines = [f"{answer} = {mention(guard)}(table)" for guard, answer in answers.items()]
    for index, arc in enumerate(pair.arcs):
        conditions = [answers[guard] for guard in arc.when] + [f"not {answers[guard]}" for guard in arc.unless]
        lines += [f"if {' and '.join(conditions) or 'True'}:", "    arcs += 1", f"    last = {index}"]
    return lines


def _fire(game: Declaration) -> str:
    cases = []
    for pair in pairs(game):
        lines = []
        for index, arc in enumerate(pair.arcs):
            number = game.arcs.index(arc)
            lines.append(f"{'elif' if index else 'if'} place == {index}:  # {arc}")
            lines += [f"    {mention(callback)}(table)" for callback in arc.then] + [f"    arc = {number}"]
        cases.append(lines)
    doc = '    """Fire the arc at a place among those of an event; its number."""'
    return f"def fire(table, pair, place):\n{doc}\n    arc = 0\n{_chain('pair', cases)}\n    return arc"


def _invariants(game: Declaration) -> str:
    lines = ["sound = True"]
    phases = list(game.phases)
    for number, invariant in enumerate(game.all_invariants, GENERAL):
        where = [phase in (invariant.phases or phases) for phase in phases]
        lines += [
            f"if {one_of('phase', where)} and not {mention(invariant.holds)}(table):"
            f"  # {in_comment(invariant.description)}",
            f"    sound = note(faults, {number}, here, -1)",
        ]
    body = indent("\n".join([*lines, "return sound"]), "    ")
    return f'def hold(table, phase, faults, here):\n    """Whether all invariants hold."""\n{body}'


def _postconditions(game: Declaration) -> str:
    lines = ["sound = True"]
    for number, after in enumerate(game.postconditions, GENERAL + len(game.all_invariants)):
        where = [after.concerns(arc) for arc in game.arcs]
        lines += [
            f"if {one_of('arc', where)} and not {mention(after.holds)}(before, table):"
            f"  # {in_comment(after.description)}",
            f"    sound = note(faults, {number}, here, move)",
        ]
    body = indent("\n".join([*lines, "return sound"]), "    ")
    return f'def done(before, table, arc, faults, here, move):\n    """Whether all postconditions hold."""\n{body}'


def _explore(game: Declaration) -> str:
    assert game.deal_each is not None
    phases = list(game.phases)
    returning = [game.control.get(phase, Control()).may_return for phase in phases]
    values = {
        "INITIAL": phases.index(game.initial),
        "FINAL": phases.index(game.final),
        "RETURNING": one_of("phase", returning),
        "DEAL": mention(game.deal_each),
        "BEFORE": "".join(f"            {kind}_before = table.{kind}\n" for kind in game.own_kinds),
        "NAME": indent("\n".join(_naming(game)), " " * 16).lstrip(),
    }
    text = EXPLORE
    for name, value in {**values, **NUMBERS}.items():
        text = text.replace(f"${name}$", str(value))
    return text


def _naming(game: Declaration) -> Iterator[str]:
    """Statements that put the value of an event on the table, in the field of its kind."""
    kinds = [game.value_kind(pair.trigger) for pair in pairs(game)]
    if not game.own_kinds:
        yield "table.suit = suit"
        return
    yield f"table.suit = suit if {one_of('pair', [kind is ValueKind.SUIT for kind in kinds])} else -1"
    for own in game.own_kinds:
        named = f"(card >= 0 or suit >= 0) and {one_of('pair', [kind is own for kind in kinds])}"
        yield f"table.{own} = suit if {named} else {own}_before"


def one_of(name: str, numbers: Sequence[bool]) -> str:
    """The condition that the number called `name` is one of those at whose places `numbers` is true."""
    words = [numbers[first : first + MASK_BITS] for first in range(0, len(numbers), MASK_BITS)]
    masks = [str(sum(1 << index for index, true in enumerate(word) if true)) for word in words]
    chosen = masks[-1]
    for index, mask in list(enumerate(masks[:-1], 1))[::-1]:
        chosen = f"({mask} if {name} < {index * MASK_BITS} else {chosen})"
    return f"{chosen} >> {name} % {MASK_BITS} & 1 == 1"


NUMBERS = {
    "DEALS": DEALS, "NEXT": NEXT, "KNOWN": KNOWN, "HASHED": HASHED, "EVENTS": EVENTS, "TRIED": TRIED,
    "ONE_ARC": ONE_ARC, "NO_ARC": NO_ARC, "CAN_CONTINUE": CAN_CONTINUE, "ONE_FORCED": ONE_FORCED,
    "IN_RANGE": IN_RANGE, "AT_ONCE": AT_ONCE, "P_FORCED": FORCED, "P_PLAIN": PLAIN, "P_OFFERED": OFFERED,
}  # fmt: skip

NOTE = '''
def note(faults, number, here, move):
    """Count a fault; the position and the event of the first one are kept. Always false: something is not sound."""
    if faults[number, 0] == 0:
        faults[number, 1] = here
        faults[number, 2] = move
    faults[number, 0] += 1
    return False
'''

PROPOSE = '''
def write(events, count, pair, card, suit, known):
    """Write one event down; how many there are now."""
    events[count, 0] = pair
    events[count, 1] = card
    events[count, 2] = suit
    events[count, 3] = known
    return count + 1


def propose(table, phase, events):
    """Write down every conceivable event, the forced ones first; return their number."""
    count = 0
    open_card = table.card
$CASES
    table.card = open_card
    return count
'''

ADD = '''
def hashed(row):
    """A hash of a position."""
    mixed = 0
    for word in row:
        mixed = (mixed ^ word) * 0x1E3779B97F4A7C15
        mixed ^= mixed >> 29
    return mixed


def add(keys, slots, parents, moves, known, parent, move):
    """Add the position that lies in row number `known`, unless it is there already; how many positions are known."""
    slot = hashed(keys[known]) & len(slots) - 1
    while slots[slot] != 0:
        other = slots[slot] - 1
        same = True
        for word in range(keys.shape[1]):
            if keys[other, word] != keys[known, word]:
                same = False
                break
        if same:
            return known
        slot = slot + 1 & len(slots) - 1
    slots[slot] = known + 1
    parents[known] = parent
    moves[known] = move
    return known + 1
'''

EXPLORE = '''
def explore(decks, players, each, keys, slots, parents, moves, events, state, fired, faults):
    """Visit positions, first those of the deals; at most $AT_ONCE$, and as many as there is room for."""
    table, after = make(), make()
    cards = decks.shape[1]
    hashed_at_last = min(state[$KNOWN$], state[$HASHED$] + $AT_ONCE$)
    for place in range(state[$HASHED$], hashed_at_last):
        slot = hashed(keys[place]) & len(slots) - 1
        while slots[slot] != 0:
            slot = slot + 1 & len(slots) - 1
        slots[slot] = place + 1
    state[$HASHED$] = hashed_at_last
    if hashed_at_last < state[$KNOWN$]:
        return
    known = state[$KNOWN$]
    last = state[$NEXT$] + $AT_ONCE$
    room = min(len(keys), len(slots) // 2) - len(events)
    while state[$DEALS$] < len(decks) and known < room:
        reset(table)
        $DEAL$(table, decks[state[$DEALS$]], players, each)
        if pack(table, $INITIAL$, keys[known], cards):
            known = add(keys, slots, parents, moves, known, -1 - state[$DEALS$], -1)
        state[$DEALS$] += 1
    while state[$NEXT$] < known < room and state[$NEXT$] < last:
        here = state[$NEXT$]
        state[$NEXT$] += 1
        phase = unpack(table, keys[here], players)
        if not hold(table, phase, faults, here) or phase == $FINAL$:
            continue
        returns = 1 if $RETURNING$ else 0
        for again in range(returns + 1):
            unpack(table, keys[here], players)
            table.returned = again
            count = propose(table, phase, events)
            open_card = table.open_card
$BEFORE$            legal = forced = 0
            for number in range(count):
                pair, card = events[number, 0], events[number, 1]
                suit, expected = events[number, 2], events[number, 3]
                table.card = card if card >= 0 else open_card
                $NAME$
                move = pair | card + 1 << 16 | suit + 1 << 32 | again << 48
                arcs, place = enabled(table, pair)
                state[$TRIED$] += 1
                fires = arcs != 0 if expected == $P_FORCED$ or expected == $P_PLAIN$ else expected == $P_OFFERED$
                if forced > 0 and expected != $P_FORCED$:
                    fires = False
                if not fires:
                    if arcs != 0:
                        note(faults, $NO_ARC$, here, move)
                    continue
                legal += 1
                forced += expected == $P_FORCED$
                if arcs != 1:
                    note(faults, $ONE_ARC$, here, move)
                    continue
                copy(after, table)
                arc = fire(after, pair, place)
                fired[arc] += 1
                state[$EVENTS$] += 1
                if not done(table, after, arc, faults, here, move):
                    continue
                if pack(after, DESTS[arc], keys[known], cards):
                    known = add(keys, slots, parents, moves, known, here, move)
                else:
                    note(faults, $IN_RANGE$, here, move)
            if forced > 1:
                note(faults, $ONE_FORCED$, here, -1)
            if legal == 0 and again == 0:
                note(faults, $CAN_CONTINUE$, here, -1)
    state[$KNOWN$] = known
    state[$HASHED$] = known
'''
