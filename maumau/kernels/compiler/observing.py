"""Writes the function `observe`, by which a seat's observation of a table is written into a row of bytes.

What an observation holds is a list of parts (`maumau.agents.layout`). The source takes for granted `KIND`, the index of
the name of each card code, and the indices SEEN, LYING, LEFT and LAST of the notes that are kept on a game.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from textwrap import indent
from typing import Any

from fsm.declaration.arcs import Melds, Phase
from fsm.declaration.declaration import Declaration
from fsm.declaration.facts import Fact
from fsm.table.sight import sight_of
from maumau.kernels.compiled.sights import SIGHTS
from maumau.kernels.compiler.past import audience, past_source
from maumau.kernels.compiler.program import module_source
from maumau.kernels.compiler.sights import search_constants
from rules.queues import QUEUE_BYTES


@dataclass(frozen=True)
class ShownPart:
    """A part of an observation: what it shows, one of WRITERS, of which fact, from index `start` on in `width` numbers.

    step: how many seats after the observer the seat is that it is about.
    """

    what: str
    width: int = 0
    fact: Fact | None = None
    step: int = 0
    start: int = 0


@dataclass(frozen=True)
class ObservingPlan:
    """What `observe` is written for.

    players: how many. hands: the fields that hold the hands. kinds: the index of each card code's name. parts: what is
    observed. most: the greatest number; greater ones are cut off. triggers: how many events players choose among.
    events: how many of the last ones are observed.
    """

    game: Declaration
    players: int
    hands: tuple[str, ...]
    kinds: tuple[int, ...]
    parts: tuple[ShownPart, ...]
    most: int
    triggers: int = 0
    events: int = 0

    def audience(self, phase: Phase, trigger: str) -> tuple[int, int, int]:
        """Return who sees that an event happened in a phase, who sees its card, and who sees its value."""
        return audience(self.game, phase, trigger)

    def in_python(
        self, constants: Mapping[str, Any], *compiled: Callable[..., None]
    ) -> tuple[Callable[..., None], ...]:
        """Return functions for Python: the one that writes observations, and compiled ones, which keep notes.

        constants: what all take for granted. compiled: these functions.
        """
        title = f"Observations of {self.game.title}: generated from it."
        source = module_source(title, [observe_source(self)], (), (*SIGHTS, *compiled))
        seen = search_constants(self.game, self.players, self.hands)
        names = source.in_python({**constants, **seen, "PLAYERS": self.players})
        return names["observe"], *(names[function.__name__] for function in compiled)


def observe_source(plan: ObservingPlan) -> str:
    """The function `observe`, which writes what a seat sees and knows into `line`."""
    texts = (WRITERS[part.what](plan, part).replace("$AT", str(part.start)) for part in plan.parts)
    return f'''def observe(table, phase, seat, notes, discarded, line):
    """Write what `seat` sees and knows into `line`."""
{indent(chr(10).join(texts), "    ")}'''


# ---------------------------------------------------------------- pieces


def lying_in(fact: Fact, place: str, into: str) -> str:
    """Statements that do something with the cards of the pile at a place, as masks. into: the beginning of each."""
    if not fact.is_queue:
        return f"{into}table.{fact.field}[{place}]"
    return f"""queue = {place if not fact.in_middle else 0} * {QUEUE_BYTES}
for depth in range(table.{fact.field}[queue]):
    {into}(1 << table.{fact.field}[queue + 1 + depth])"""


def _spread(plan: ObservingPlan, masks: Sequence[str]) -> str:
    """Statements that write how many cards of each name are in masks of codes, given as expressions."""
    by_name: dict[int, int] = {}
    for code in sorted(set(plan.game.full_deck())):
        by_name[plan.kinds[code]] = by_name.get(plan.kinds[code], 0) | 1 << code
    run = next((name for name in by_name if by_name[name] != 1 << name), len(by_name))
    lines = [f"mask{number} = {mask}" for number, mask in enumerate(masks)]
    each = " + ".join(f"(mask{number} >> place & 1)" for number in range(len(masks)))
    lines += [f"for place in range({run}):", f"    line[$AT + place] = {each}"]
    for name in range(run, len(by_name)):
        count = " + ".join(f"(mask{number} & {by_name[name]}).bit_count()" for number in range(len(masks)))
        lines.append(f"line[$AT + {name}] = {count}")
    return "\n".join(lines)


def _marked(value: str, width: int, index: str) -> str:
    """Statements that write 1 at an index, if a value is not negative, and 0 at the others."""
    return f"""for place in range({width}):
    line[$AT + place] = 0
if {value} >= 0:
    line[$AT + {index}] = 1"""


def _cut(plan: ObservingPlan, value: str) -> str:
    return f"min(max({value}, 0), {plan.most})"


def _seat(plan: ObservingPlan, step: int) -> str:
    """The statement that finds the seat `step` seats after the observer."""
    return f"other = (seat + {step}) % {plan.players}" if step else "other = seat"


def _by_seat(plan: ObservingPlan, number: Callable[[int], str]) -> str:
    """The statements that write a number for each seat, by how many seats it is after the observer."""
    steps = range(plan.players)
    return "\n".join(f"{_seat(plan, step)}\nline[$AT + {step}] = {number(step)}" for step in steps)


# ---------------------------------------------------------------- cards


def _hand(plan: ObservingPlan, part: ShownPart) -> str:
    if not part.step:
        return _spread(plan, [f"table.{field}[seat]" for field in plan.hands])
    return f"{_seat(plan, part.step)}\n{_spread(plan, [f'table.{field}[other]' for field in plan.hands])}"


def _open_card(plan: ObservingPlan, part: ShownPart) -> str:
    return _marked("table.open_card", part.width, "KIND[table.open_card]")


def _discarded(plan: ObservingPlan, part: ShownPart) -> str:
    return f"for place in range({part.width}):\n    line[$AT + place] = discarded[place]"


KNOWN = "(notes[SEEN] | notes[LEFT + seat])"
"""The cards that the seat has seen."""


def _known_in_pile(plan: ObservingPlan, part: ShownPart) -> str:
    elsewhere = "".join(indent(f"\n{lying_in(fact, 'other', 'hidden &= ~')}", "    ") for fact in plan.game.piles)
    return f"""hidden = {KNOWN} & ~notes[LYING]
for other in range({plan.players}):
    hidden &= ~table.{plan.hands[0]}[other]{elsewhere}
{_spread(plan, ["hidden"])}"""


def _known_in_hand(plan: ObservingPlan, part: ShownPart) -> str:
    known = f"known = {KNOWN} & table.{plan.hands[0]}[other]"
    return f"{_seat(plan, part.step)}\n{known}\n{_spread(plan, ['known'])}"


# ---------------------------------------------------------------- facts


def _fact(plan: ObservingPlan, part: ShownPart) -> str:
    assert part.fact
    fact, sight = part.fact, sight_of(plan.game)
    value = f"table.{fact.field}"
    steps = [step for step in range(plan.players) if sight.sees(fact.field, sight.relation(0, step))]
    if fact.kind == "counts":
        return _by_seat(plan, lambda step: _cut(plan, f"{value}[other]") if step in steps else "0")
    if fact.kind == "seats":
        return _by_seat(plan, lambda step: f"{value} >> other & 1" if step in steps else "0")
    if not sight.is_open(fact.field):
        value = f"({value} if {sight.condition(fact.field, 'table.player')} else -1)"
    if fact.holds.is_set:
        return f"fact = max({value}, 0)\nfor place in range({part.width}):\n    line[$AT + place] = fact >> place & 1"
    if not fact.holds.of:
        return f"line[$AT] = {_cut(plan, value)}"
    indices = {"seat": f"(fact - seat + {plan.players}) % {plan.players}", "suit": "fact", "rank": "fact"}
    return f"fact = {value}\n{_marked('fact', part.width, indices.get(fact.kind, 'KIND[fact]'))}"


def _pile(plan: ObservingPlan, part: ShownPart) -> str:
    assert part.fact
    place = "other = 0" if part.fact.in_middle else _seat(plan, part.step)
    return f"{place}\nlying = 0\n{lying_in(part.fact, 'other', 'lying |= ')}\n{_spread(plan, ['lying'])}"


def _pile_sizes(plan: ObservingPlan, part: ShownPart) -> str:
    fact = part.fact
    assert fact
    size = f"table.{fact.field}[{{}} * {QUEUE_BYTES}]" if fact.is_queue else f"table.{fact.field}[{{}}].bit_count()"
    if fact.in_middle:
        return f"line[$AT] = {size.format(0)}"
    return _by_seat(plan, lambda step: size.format("other"))


def _melds(plan: ObservingPlan, part: ShownPart) -> str:
    melds: Melds | None = plan.game.codec.melds
    assert melds
    return f"""{_seat(plan, part.step)}
for place in range({part.width}):
    line[$AT + place] = 0
laid = table.{melds.field}[other]
while laid != 0:
    line[$AT + (laid & {(1 << melds.bits) - 1}) - 1] += 1
    laid >>= {melds.bits}"""


# ---------------------------------------------------------------- phases, sizes, events


def _phase(plan: ObservingPlan, part: ShownPart) -> str:
    game = plan.game
    chosen = [number for phase, number in game.phase_numbers.items() if game.control_of(phase).offers]
    return "\n".join(f"line[$AT + {index}] = 1 if phase == {number} else 0" for index, number in enumerate(chosen))


def _hand_sizes(plan: ObservingPlan, part: ShownPart) -> str:
    return _by_seat(plan, lambda step: " + ".join(f"table.{field}[other].bit_count()" for field in plan.hands))


def _all_sizes(plan: ObservingPlan, part: ShownPart) -> str:
    return "line[$AT] = table.stock\nline[$AT + 1] = table.tail - table.head - table.stock"


def _last_event(plan: ObservingPlan, part: ShownPart) -> str:
    return f"{_seat(plan, part.step)}\nfact = notes[LAST + other] - 1\n{_marked('fact', part.width, 'fact')}"


def _past(plan: ObservingPlan, part: ShownPart) -> str:
    width, cards = part.width // plan.events, 1 + max(plan.kinds)
    return past_source(plan.events, width, plan.players, plan.triggers, cards)


WRITERS: dict[str, Callable[[ObservingPlan, ShownPart], str]] = {
    "hand": _hand,
    "open card": _open_card,
    "discarded": _discarded,
    "known in pile": _known_in_pile,
    "known in hand": _known_in_hand,
    "fact": _fact,
    "pile": _pile,
    "pile sizes": _pile_sizes,
    "melds": _melds,
    "phase": _phase,
    "hand sizes": _hand_sizes,
    "all sizes": _all_sizes,
    "last event": _last_event,
    "past": _past,
}
"""What writes the statements of a part."""
