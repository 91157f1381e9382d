"""Source of a program that searches in worlds which agree with what the other players have done.

A world is the game from its start, with the cards that are hidden dealt anew. It is played again by the moves that were
made; where another player's policy would have chosen another move, the world is less likely. From world to world two
cards are exchanged (Metropolis et al. 1953), so the worlds are those that are likely.
"""

from __future__ import annotations

from collections.abc import Iterator
from textwrap import indent
from typing import Any

from fsm.declaration.arcs import Offer, Phase, Policy
from fsm.declaration.declaration import Declaration
from fsm.declaration.functions import FORCED, functions
from maumau.agents.actions import action_space
from maumau.agents.hands import deck_counts, hand_fields, names_repeat
from maumau.agents.knowledge import kinds_by_code
from maumau.agents.search.playout import SearchPlan, no_playout, playing_out, with_playout
from maumau.agents.search.source import SEARCHING, give_source
from maumau.kernels.compiler.choosing import any_enabled, policy_source
from maumau.kernels.compiler.loop import filled
from maumau.kernels.compiler.machine_code import numbers
from maumau.kernels.compiler.naming import Source, mention, module_source
from maumau.kernels.compiler.phases import arcs_source
from maumau.kernels.compiler.plan import STUCK
from maumau.kernels.compiler.program import Program
from maumau.kernels.compiler.text import case
from rules.chance import words_of

MAX_ENERGY = 63
"""A world that is less likely by so many moves is never accepted."""
PATIENCE = 500
"""Rounds of exchanges after which a chain that has no world in which all moves are legal is given up."""
ILLEGAL = 2
"""What a move that could not be made counts, and each one after it, where one that differs counts 1."""
CHANCE = 0.1
"""How likely a player makes a move that the policy would not, compared with the one that it would."""
BURN_IN = 400
"""Exchanges before the first world of a chain."""
EXCHANGES = 12
"""Exchanges from one world to the next."""


DIVERGED = "return phase, differing, wrong + len(moves) - at, min(first, at)"
"""The statement with which a world that is played again ends."""


def inferring(plan: SearchPlan) -> Program:
    """`infer`, with the arguments of `no_evidence`."""
    return Program("infer", source_of, plan, no_evidence, plan.game, large=True)


def source_of(plan: SearchPlan) -> Source:
    """The source of the module whose `infer` counts the games that each action wins."""
    names = ", ".join(policy.name for policy in plan.policies)
    title = f"{plan.game.title} for {plan.players} players, inferred from {names}: generated from it."
    parts = [
        *playing_out(plan),
        _alike_source(plan.game),
        _replay_source(plan),
        _deal_source(plan),
        _assign_source(),
        _infer_source(plan),
    ]
    return module_source(title, parts, (*functions(plan.game), words_of))


def acceptance() -> tuple[int, ...]:
    """How likely a world that is less likely by so many moves is accepted, in 2**-32."""
    return tuple(int(CHANCE**energy * 2**32) for energy in range(MAX_ENERGY + 1))


# ---------------------------------------------------------------- the game again


def _alike_source(game: Declaration) -> str:
    """The constant `ALIKE`: the codes, as masks, of the cards of each name; nothing where each has one."""
    if not names_repeat(game):
        return ""
    kinds = kinds_by_code(game)
    masks = (sum(1 << code for code in deck_counts(game) if kinds[code] == kind) for kind in range(max(kinds) + 1))
    return f"ALIKE = np.array({tuple(masks)}, np.int64)"


def _replay_source(plan: SearchPlan) -> str:
    """The function `replay`, which plays a world by the moves that were made."""
    blocks = []
    for number, phase in enumerate(plan.phases):
        word = f"{'if' if number == 0 else 'elif'} phase == {number}:  # {phase}"
        body = DIVERGED if phase is plan.game.final else "\n".join(_replaying(plan, phase))
        blocks.append(f"{word}\n{indent(body, '    ')}")
    text = "\n".join(blocks).replace(f"return {STUCK}", DIVERGED)
    return f'''def replay(table, phase, moves, seat):
    """Play `table` by some moves: the phase at the end; how many moves of other seats differ from the policy; how many
    moves are not legal, with those that could not be made; the index of the first of these, or how many there are.
    """
    differing, wrong, first, at = 0, 0, len(moves), 0
    while True:
{indent(text, " " * 8)}'''


def _replaying(plan: SearchPlan, phase: Phase) -> Iterator[str]:
    """The statements of a phase: forced events, then the move that was made."""
    control = plan.game.control[phase]
    if control.forced:
        forced = [arc for trigger in control.forced for arc in plan.game.leaving(phase, trigger)]
        yield arcs_source(plan, forced, str(FORCED), certain=not control.offers)
    if not control.offers:
        return
    number = plan.phases.index(phase)
    yield from _unseen(plan, phase, number)
    yield f"""if at == len(moves):
    {DIVERGED}
if moves[at, 0] != {number} or moves[at, 1] != table.player:
    {DIVERGED}
offer, code, value = moves[at, 2], moves[at, 3], moves[at, 4]"""
    yield _comparing(plan, phase, plan.policies[0])
    for index, offer in enumerate(control.offers):
        arcs = arcs_source(plan, plan.game.leaving(phase, offer.trigger), "0", certain=True, one_enabled=True)
        legal = "\n".join(_checking(plan, phase, offer))
        word = case(index, len(control.offers), f"offer == {index}")
        yield f"{word}:  # {offer.trigger}\n{indent(legal, '    ')}\n    at += 1\n{indent(arcs, '    ')}"


def _unseen(plan: SearchPlan, phase: Phase, number: int) -> Iterator[str]:
    """Statements by which another seat does what `seat` does not see, where it has done nothing else."""
    for index, offer in enumerate(plan.game.control[phase].offers):
        if offer.seen_as is None:
            continue
        arcs = arcs_source(plan, plan.game.leaving(phase, offer.trigger), "0", certain=True, one_enabled=True)
        lines = [f"offer, code, value = {index}, -1, -1", _comparing(plan, phase, plan.policies[0]), arcs]
        yield f"seen = at < len(moves) and moves[at, 0] == {number} and moves[at, 1] == table.player"
        yield "if table.player != seat and not seen:\n" + indent("\n".join(lines), "    ")


def _comparing(plan: SearchPlan, phase: Phase, policy: Policy) -> str:
    """Statements that count a move of another seat if the policy would have chosen another one."""
    control = plan.game.control[phase]
    fields = dict.fromkeys(["card", *(str(plan.game.value_kind(offer.trigger)) for offer in control.offers)])
    keep = "\n".join(f"kept_{name} = table.{name}" for name in fields)
    restore = "\n".join(f"table.{name} = kept_{name}" for name in fields)
    tests = []
    other = "KIND[table.card] != KIND[code]" if names_repeat(plan.game) else "table.card != code"
    for index, offer in enumerate(control.offers):
        parts = [other] if offer.cards else []
        if offer.values:
            parts.append(f"(value >= 0 and table.{plan.game.value_kind(offer.trigger)} != value)")
        if parts:
            tests.append(f"(event == {index} and ({' or '.join(parts)}))")
    differs = " or ".join(["event != offer", *tests])
    body = f"{keep}\n{policy_source(plan, phase, control, policy)}\nif {differs}:\n    differing += 1\n{restore}"
    return f"if table.player != seat:\n{indent(body, '    ')}"


def _checking(plan: SearchPlan, phase: Phase, offer: Offer) -> Iterator[str]:
    """Statements that count a move that is not legal, and put what it names on the table."""
    kind = plan.game.value_kind(offer.trigger)
    if offer.cards:
        yield from _checking_card(plan, offer)
    if offer.values:
        allowed = f"value < 0 or {mention(offer.values)}(table) >> value & 1 == 1"
        yield f"legal = legal and ({allowed})" if offer.cards else f"legal = {allowed}"
    if offer.cards or offer.values:
        yield f"table.{kind} = value"
    else:
        yield f"legal = {any_enabled(plan.game.leaving(phase, offer.trigger))}"
    yield "if not legal:\n    wrong += 1\n    first = min(first, at)"


def _checking_card(plan: SearchPlan, offer: Offer) -> Iterator[str]:
    """Statements that find out whether the card may be named, and put it on the table: of several with its name, one
    that may, for which of them was dealt to whom is not known.
    """
    assert offer.cards
    cards, hand = f"{mention(offer.cards)}(table)", f"table.{hand_fields(plan.game)[0]}[table.player]"
    if not names_repeat(plan.game):
        if offer.from_hand:
            yield f"if {hand} >> code & 1 == 0:\n    {DIVERGED}"
        yield f"legal = {cards} >> code & 1 == 1"
    else:
        yield f"alike = {hand if offer.from_hand else '1 << code'} & ALIKE[KIND[code]]"
        yield f"if alike == 0:\n    {DIVERGED}"
        yield f"offered = {cards} & ALIKE[KIND[code]]"
        yield "legal = offered != 0\nif legal:\n    alike = offered\ncode = (alike & -alike).bit_length() - 1"
    yield "table.card = code"


# ---------------------------------------------------------------- worlds


def _deal_source(plan: SearchPlan) -> str:
    """The function `deal_items`, which puts the hidden cards where they were at the start."""
    return f'''def deal_items(table, items, codes):
    """Put the hidden cards into the hands and the draw pile."""
    for item in range(len(items)):
        other = items[item, 0]
        if other >= 0:
            bit = 1 << codes[item]
{indent(give_source(hand_fields(plan.game)), " " * 12)}
        else:
            table.ring[items[item, 1]] = codes[item]


def one_taken(items, seat, events, word, default):
    """By a random word one of the hidden cards that a seat had taken by some event, laid or not; else the default."""
    count = 0
    for item in range(len(items)):
        count += items[item, 2] == seat and items[item, 3] <= events
    chosen = word * count >> 32
    for item in range(len(items)):
        if items[item, 2] == seat and items[item, 3] <= events:
            if chosen == 0:
                return item
            chosen -= 1
    return default


def judge(table, base, phase, items, codes, moves, seat):
    """Play a world by some moves, as `replay` does."""
    copy(table, base)
    deal_items(table, items, codes)
    return replay(table, phase, moves, seat)'''


def _assign_source() -> str:
    return ASSIGN.replace("$WORDS", mention(words_of)).strip()


ASSIGN = '''
def assign(items, laid, pool, codes, seed, number, block, purpose):
    """Give each hidden card a code; whether that is possible.

    One that was laid was taken by its player just before, or it is any that the player had.
    """
    for item in range(len(items)):
        codes[item] = -1
    for turn in range(len(laid)):
        count, latest = 0, -1
        for item in range(len(items)):
            if codes[item] < 0 and items[item, 2] == laid[turn, 0] and items[item, 3] <= laid[turn, 1]:
                count += 1
                if items[item, 3] == laid[turn, 1]:
                    latest = item
        if count == 0:
            return False
        word, _, _, _ = $WORDS(seed, number, block + turn, purpose)
        chosen = word * count >> 32
        for item in range(len(items)):
            if codes[item] < 0 and items[item, 2] == laid[turn, 0] and items[item, 3] <= laid[turn, 1]:
                if item == latest or (latest < 0 and chosen == 0):
                    codes[item] = laid[turn, 2]
                chosen -= 1
    left, item = len(pool), 0
    while left > 0:
        if codes[item] < 0:
            word, _, _, _ = $WORDS(seed, number, block + len(laid) + left, purpose)
            chosen = word * left >> 32
            left -= 1
            codes[item] = pool[chosen]
            pool[chosen] = pool[left]
            pool[left] = codes[item]
        item += 1
    return True
'''


# ---------------------------------------------------------------- the search


def _infer_source(plan: SearchPlan) -> str:
    parts = {
        "ACTIONS": len(action_space(plan.game)),
        "SEATS": len(plan.game.table().hands),
        "FINAL": plan.phases.index(plan.game.final),
        "STUCK": STUCK,
        "DECK": plan.game.deck_size,
        "SEARCHING": SEARCHING,
        "WORDS": mention(words_of),
        "ILLEGAL": ILLEGAL,
        "MOST": MAX_ENERGY,
        "PATIENCE": PATIENCE,
        "BURN_IN": BURN_IN,
        "EXCHANGES": EXCHANGES,
    }
    return filled(with_playout(plan, INFER, rows="notes, discarded"), parts).rstrip()


INFER = '''def infer(
    start, phase, items, laid, pool, moves, likely, now, seat, wins, sums, chain, worlds, own, seed$GIVEN,
):
    """Play out each legal action in the worlds of a chain, and count the games that it wins.

    now: the number of the phase in which `seat` decides. sums: how many worlds there were, and how many moves of other
    seats differed from the policy in them.
    """
    base, table, after = make(), make(), make()
    load(base, start.ctypes.data)
    codes = new_integers($DECK)
    mask, seats = new_bytes($ACTIONS), new_integers($SEATS)
    for other in range($SEATS):
        seats[other] = $OTHERS
    seats[seat] = own
$ROOM$ONLY_ROW    number, dice = base.number, base.seed ^ seed
    purpose = $SEARCHING + len(moves)
    block = chain << 22
    if not assign(items, laid, pool, codes, dice, number, block, purpose):
        return
    block += 1024
    played, undrawn = new_integers($DECK), new_integers($DECK)
    owned = free = 0
    for item in range(len(items)):
        if items[item, 2] >= 0:
            played[owned] = item
            owned += 1
        else:
            undrawn[free] = item
            free += 1
    _, differing, wrong, place = judge(table, base, phase, items, codes, moves, seat)
    current = differing + $ILLEGAL * wrong
    exchanges, patience, world = $BURN_IN, $PATIENCE, 0
    while world < worlds:
        for _ in range(exchanges if owned > 0 else 0):
            first, second, third, _ = $WORDS(dice, number, block, purpose)
            block += 1
            one, other = played[first * owned >> 32], second * len(items) >> 32
            if wrong > 0 and place < len(moves):
                one = one_taken(items, moves[place, 1], moves[place, 5], first, one)
            if codes[one] == codes[other]:
                continue
            codes[one], codes[other] = codes[other], codes[one]
            _, differing, missed, failed = judge(table, base, phase, items, codes, moves, seat)
            found = differing + $ILLEGAL * missed
            if found > current and third >= likely[min(found - current, $MOST)]:
                codes[one], codes[other] = codes[other], codes[one]
            else:
                current, wrong, place = found, missed, failed
        exchanges = $EXCHANGES
        if wrong > 0:
            patience -= 1
            if patience == 0:
                sums[1] = -wrong
                return
            continue
        world += 1
        for last in range(free - 1, 0, -1):
            first, _, _, _ = $WORDS(dice, number, block, purpose)
            block += 1
            one, other = undrawn[last], undrawn[first * (last + 1) >> 32]
            codes[one], codes[other] = codes[other], codes[one]
        reached, differing, wrong, place = judge(table, base, phase, items, codes, moves, seat)
        if wrong != 0 or reached != now or table.player != seat:
            continue
        first, second, _, _ = $WORDS(dice, number, block, purpose)
        block += 1
        table.seed, table.number, table.rolls, table.returned = first, second, 0, 0
        write_mask(table, reached, mask)
        sums[0] += 1
        sums[1] += differing
        for action in range($ACTIONS):
            if mask[action] == 0:
                continue
            copy(after, table)
            end = play_out(after, reached, action, seats, $PLAYOUT)
            wins[action] += end == $FINAL and after.winner == seat
'''


def no_evidence(plan: SearchPlan) -> tuple[Any, ...]:
    """Warm-up arguments of `infer`: nothing was hidden, and no worlds are asked for."""
    import numpy as np

    from maumau.kernels.compiler import table_size

    start = np.zeros(table_size(plan.game.table), np.uint8)
    arrays = numbers((0, 4)), numbers((1, 3)), numbers(0), numbers((0, 6)), numbers(1)
    noted = (numbers((0, 1)),) * plan.by_net
    return start, 0, *arrays, 0, 0, numbers(0), numbers(2), 0, 0, 0, 0, *noted, *no_playout(plan)
