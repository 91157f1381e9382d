"""From a declaration to the source of a kernel: readable Python, one block a phase, that numba turns into machine code.

The kernel calls the very functions that the stepped machine calls. Nothing here knows a game.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from textwrap import indent

from fsm.arcs import Acting, Arc, Choice, Declaration, Functions, Offer, Phase, Policy
from fsm.policy import RANDOM
from rules.chance import below, draw_words, settle_all, words_for
from rules.piles import cards_laid, cards_taken
from rules.rule import RuleFunction

FORCED = -1
"""In a log: no decision rule, the event was forced."""
NO_LIMIT = 1 << 62
"""More turns than any game has."""
STUCK = -1
"""In place of a phase: no arc was enabled."""


AHEAD = 16
"""Games whose random words a kernel draws at a time."""
HORIZON = 512
"""Turns after which a game is watched for the return of a position; most games end long before."""


Wanted = tuple[Arc, dict[RuleFunction, bool]]
"""An arc that may be enabled, and the answers of guards that it needs for that."""


@dataclass(frozen=True)
class Plan:
    """What a kernel is generated for.

    game: the declaration. policies: the distinct policies that seats may have, in the order of the seats' numbers.
    tally: whether it counts arcs and decision rules. log: whether it writes down every event and the final tables, and
    asks every guard; else it takes a policy's word that what it chooses is legal, and asks only which arc that is.
    watch: whether it ends games of more than HORIZON turns itself; else it leaves them running, for a kernel that does:
    they are so rare that the code for them is compiled only when it is needed. A kernel that logs or watches plays
    decks that it is given; others can deal, too.
    """

    game: Declaration
    policies: tuple[Policy, ...]
    tally: bool = False
    log: bool = False
    watch: bool = False

    @property
    def deals(self) -> bool:
        """Whether the kernel can make decks itself."""
        return not (self.log or self.watch)

    @property
    def phases(self) -> tuple[Phase, ...]:
        """The phases by number."""
        return tuple(self.game.phases)

    @property
    def rules(self) -> tuple[str, ...]:
        """The names of decision rules by number."""
        return rule_names(self.game)


def rule_names(game: Declaration) -> tuple[str, ...]:
    """The names of all decision rules of a game; a policy without choices goes by its own name."""
    names = [choice.rule for _, _, choice in game.choices()]
    names += [policy.name for policy in game.policies if not policy.choices]
    return tuple(dict.fromkeys(names))


def source_of(plan: Plan) -> str:
    """The source of the kernel's module: `run` steps a table from turn to turn, `same_position` compares two."""
    body = "\n\n\n".join([*_moves_functions(plan), _run(plan), *[_same_position(plan)] * plan.watch, _play(plan)])
    imports = _imports({name: found for name, found in functions(plan.game).items() if f"{name}(" in body})
    policies = ", ".join(policy.name for policy in plan.policies)
    title = f'"""{plan.game.title} compiled for players {policies}: generated from its declaration."""'
    return f"{title}\n\n{imports}\n\n\n{body}\n"


def dealing_source(game: Declaration) -> str:
    """The source of a module whose `deal_all` fills rows with the decks of a seed, from game `first` on."""
    used = [function for function in (game.fill, draw_words, settle_all, game.amend) if function]
    return f'''"""{game.title} dealt: generated from its declaration."""

{_imports({function.__name__: function for function in used})}


def deal_all(decks, players, seed, first):
    """Fill each row of `decks` with the deck of one game."""
    words = new_words()
    for game in range(len(decks)):
        deck = row_at(decks.ctypes.data + game * {game.deck_size})
{indent(_dealt(game), " " * 8)}
'''


def checking_source(game: Declaration) -> str:
    """The source of a module whose `first_wrong` finds the first row that is not the whole deck, or -1."""
    return f'''"""{game.title}, its decks checked: generated from its declaration."""


def first_wrong(decks, weights, whole):
    """The first row of `decks` whose cards do not weigh what the whole deck does."""
    for game in range(len(decks)):
        deck = row_at(decks.ctypes.data + game * {game.deck_size})
        weight = 0
        for place in range({game.deck_size}):
            weight += weights[deck[place]]
        if weight != whole:
            return game
    return -1
'''


def _dealt(game: Declaration) -> str:
    """Statements that make the deck of a game of a seed."""
    lines = [
        f"if game % {AHEAD} == 0:",
        f"    {draw_words.__name__}(words, {AHEAD}, seed, first + game)",
        f"{game.fill.__name__}(deck)",
        f"{settle_all.__name__}(deck, words, {AHEAD}, game % {AHEAD}, seed, first + game)",
    ]
    if game.amend:
        lines.append(f"{game.amend.__name__}(deck, players, seed, first + game)")
    return "\n".join(lines)


def functions(game: Declaration) -> dict[str, RuleFunction]:
    """All rule functions that a kernel of `game` may call, by name. Raises ValueError if two have one name."""
    found: list[RuleFunction] = []
    for arc in game.arcs:
        found += [*arc.when, *arc.unless, *arc.then]
    for acting in game.acting.values():
        found += [function for offer in acting.offers for function in (offer.cards, offer.suits) if function]
    for _, _, choice in game.choices():
        found += [*choice.when, *(function for function in (choice.card, choice.suit) if function)]
    found += [game.amend] if game.amend else []
    found += [game.fill, game.deal, game.score, below, draw_words, settle_all, cards_laid, cards_taken]
    named: dict[str, RuleFunction] = {}
    for function in dict.fromkeys(found):
        if named.setdefault(function.__name__, function) is not function:
            raise ValueError(f"{game.name}: two rule functions are called {function.__name__}, expected one")
    return named


def _imports(functions: dict[str, RuleFunction]) -> str:
    by_module: dict[str, list[str]] = {}
    for name, function in functions.items():
        by_module.setdefault(function.__module__, []).append(name)
    return "\n".join(f"from {module} import {', '.join(sorted(names))}" for module, names in sorted(by_module.items()))


# ---------------------------------------------------------------- the main loop


def _run(plan: Plan) -> str:
    blocks = "\n".join(_phase(plan, number, phase) for number, phase in enumerate(plan.phases))
    returned = "phase, logged" if plan.log else "phase"
    blocks = blocks.replace("return phase", f"return {returned}").replace(
        f"return {STUCK}", f"return {STUCK}{', logged' * plan.log}"
    )
    text = RUN.replace("$BEFORE", BEFORE if plan.log else "").replace("$NOTING", NOTING if plan.log else "")
    return text.replace("$PHASES", indent(blocks, " " * 8).lstrip()).rstrip()


def _phase(plan: Plan, number: int, phase: Phase) -> str:
    condition = f"{'if' if number == 0 else 'elif'} phase == {number}:  # {phase}"
    if phase is plan.game.final:
        return f"{condition}\n    return phase"
    return f"{condition}\n{indent(chr(10).join(_acting(plan, phase)), '    ')}"


def _acting(plan: Plan, phase: Phase) -> Iterator[str]:
    """The statements of a phase: the limit, forced events, then the player's choice and the arcs of what is chosen."""
    acting = plan.game.acting[phase]
    if acting.may_return:
        yield "if table.turns >= limit:\n    return phase"
    if acting.forced:
        forced = [arc for trigger in acting.forced for arc in plan.game.leaving(phase, trigger)]
        yield _arcs(plan, forced, str(FORCED), certain=not acting.offers)
    if acting.offers:
        yield from _choosing(plan, phase, acting)
        for place, offer in enumerate(acting.offers):
            chain = _arcs(plan, plan.game.leaving(phase, offer.trigger), "rule", certain=True, told=not plan.log)
            word = _word(place, len(acting.offers), f"event == {place}")
            yield f"{word}:  # {offer.trigger}\n{indent(chain, '    ')}"


def _arcs(plan: Plan, arcs: Sequence[Arc], rule: str, certain: bool, told: bool = False) -> str:
    """Statements that fire the first enabled one of `arcs`. certain: one must be, else the kernel is stuck.

    The arcs of an event share guards, and what one demands another excludes; so the guards are asked as in a game of
    twenty questions: first the one that tells most, each at most once. told: it is known already that one is enabled;
    then no question is asked to which all that are still possible give the same answer.
    """
    wanted = [(arc, dict.fromkeys(arc.when, True) | dict.fromkeys(arc.unless, False)) for arc in arcs]
    return "\n".join(_asking(plan, wanted, rule, certain, told))


def _asking(plan: Plan, wanted: list[Wanted], rule: str, certain: bool, told: bool) -> list[str]:
    """The statements for the arcs that are still possible, each with the answers that it still wants."""
    if told:
        wanted = _settled(plan, wanted)
    if not wanted:
        return [f"return {STUCK}"] if certain else []
    first, answers = wanted[0]
    if not answers:
        return list(_fire(plan, first, rule, leave=not certain))
    asked = [guard for _, answers in wanted for guard in answers]
    guard = max(asked, key=asked.count)
    yes = _asking(plan, _after(plan, wanted, guard, True), rule, certain, told)
    no = _asking(plan, _after(plan, wanted, guard, False), rule, certain, told)
    question = f"{guard.__name__}(table)"
    if any(answers.get(guard) for _, answers in wanted):
        return _either(question, yes, no)
    return _either(f"not {question}", no, yes)


def _settled(plan: Plan, wanted: list[Wanted]) -> list[Wanted]:
    """The arcs without the answers that all of them want: one of them is enabled, so these are given."""
    for guard, answer in wanted[0][1].items() if wanted else ():
        if all(answers.get(guard) is answer for _, answers in wanted):
            wanted = _after(plan, wanted, guard, answer)
    return wanted


def _after(plan: Plan, wanted: list[Wanted], guard: RuleFunction, answer: bool) -> list[Wanted]:
    """The arcs that are possible after `guard` gave an answer, with what they still want to know."""
    known = {guard: answer}
    if answer:
        known |= {
            other: False for group in plan.game.disjoint if guard in group for other in group if other is not guard
        }
    return [
        (arc, {asked: wish for asked, wish in answers.items() if asked not in known})
        for arc, answers in wanted
        if all(answers.get(told, fact) == fact for told, fact in known.items())
    ]


def _either(condition: str, then: list[str], otherwise: list[str]) -> list[str]:
    """An if statement; one in its else part goes on as elif."""
    lines = [f"if {condition}:", *(f"    {line}" for line in then)]
    if otherwise and otherwise[0].startswith("if "):
        return [*lines, f"el{otherwise[0]}", *otherwise[1:]]
    return [*lines, "else:", *(f"    {line}" for line in otherwise)] if otherwise else lines


def _word(place: int, count: int, condition: str) -> str:
    """The head of case number `place` of `count` cases, one of which is true."""
    if place == count - 1:
        return "else" if place else "if True"
    return f"{'elif' if place else 'if'} {condition}"


def _fire(plan: Plan, arc: Arc, rule: str, leave: bool) -> Iterator[str]:
    """The statements that fire an arc. leave: go on with the next phase at once."""
    number = plan.game.arcs.index(arc)
    yield from (f"{callback.__name__}(table)" for callback in arc.then)
    if plan.tally:
        yield f"fired[{number}] += weight"
    if plan.log:
        played = any(offer.cards and offer.trigger == arc.trigger for offer in plan.game.acting[arc.source].offers)
        yield f"arc, played = {number}, {int(played)}"
        if rule == str(FORCED):
            yield f"rule = {rule}"
    yield f"phase = {plan.phases.index(arc.dest)}  # {arc.dest}"
    if leave:
        yield "continue"


def _condition(when: Functions, unless: Functions) -> str:
    parts = [f"{guard.__name__}(table)" for guard in when] + [f"not {guard.__name__}(table)" for guard in unless]
    return " and ".join(parts)


# ---------------------------------------------------------------- how players choose


def _choosing(plan: Plan, phase: Phase, acting: Acting) -> Iterator[str]:
    """Statements that set `event` to the place of the chosen offer, and the card and suit on the table."""
    blocks = [_policy(plan, phase, acting, policy) for policy in plan.policies]
    if len(blocks) == 1:
        yield blocks[0]
        return
    for place, block in enumerate(blocks):
        word = _word(place, len(blocks), f"seats[table.player] == {place}")
        yield f"{word}:  # {plan.policies[place].name}\n{indent(block, '    ')}"


def _policy(plan: Plan, phase: Phase, acting: Acting, policy: Policy) -> str:
    if policy.choices:
        return _choices(plan, acting, policy.choices[phase])
    name = str(phase).replace("-", "_")
    lines = ["chosen = 0"]
    if policy is RANDOM:
        lines += [
            f"count = count_{name}(table)",
            "if count > 1:",
            "    chosen = below(count, table.seed, table.number, table.rolls)",
            "    table.rolls += 1",
        ]
    lines += [f"event = pick_{name}(table, chosen)", f"if event == {STUCK}:", f"    return {STUCK}"]
    return "\n".join([*lines, *_rule(plan, policy.name)])


def _choices(plan: Plan, acting: Acting, choices: Sequence[Choice]) -> str:
    """The decision rules of a phase as one chain."""
    lines = []
    offers = [offer.trigger for offer in acting.offers]
    for place, choice in enumerate(choices):
        body = [f"event = {offers.index(choice.trigger)}"]
        if choice.card:
            body.append(f"table.card = {choice.card.__name__}(table)")
            body.append(f"table.suit = {f'{choice.suit.__name__}(table)' if choice.suit else -1}")
        text = "\n".join([*body, *_rule(plan, choice.rule)])
        condition = _condition(choice.when, ())
        if not condition and place == 0:
            return text
        word = f"{'if' if place == 0 else 'elif'} {condition}" if condition else "else"
        lines.append(f"{word}:  # {choice.rule}\n{indent(text, '    ')}")
    return "\n".join(lines)


def _rule(plan: Plan, name: str) -> list[str]:
    """Statements that keep which decision rule was used, as far as the kernel does."""
    number = plan.rules.index(name)
    return [f"used[{number}] += weight"] * plan.tally + [f"rule = {number}"] * plan.log


def _moves_functions(plan: Plan) -> Iterator[str]:
    """For policies without rules: functions that count the legal moves of a phase and put one on the table."""
    if all(policy.choices for policy in plan.policies):
        return
    for phase, acting in plan.game.acting.items():
        if not acting.offers:
            continue
        name = str(phase).replace("-", "_")
        arcs = {offer.trigger: plan.game.leaving(phase, offer.trigger) for offer in acting.offers}
        yield _count_function(name, acting.offers, arcs)
        yield _pick_function(name, acting.offers, arcs)


def _any(arcs: Sequence[Arc]) -> str:
    return " or ".join(f"({_condition(arc.when, arc.unless) or 'True'})" for arc in arcs)


def _each_card(offer: Offer) -> str:
    """The head of a loop over the cards of an offer, which puts each on the table and finds its suits."""
    assert offer.cards is not None
    suits = f"{offer.suits.__name__}(table)" if offer.suits else "0"
    return f"""cards = {offer.cards.__name__}(table)
while cards != 0:
    table.card = (cards & -cards).bit_length() - 1
    suits = {suits}
    cards &= cards - 1"""


def _count_function(name: str, offers: Sequence[Offer], arcs: dict[str, tuple[Arc, ...]]) -> str:
    lines = ["card = table.card", "count = 0"]
    for offer in offers:
        if offer.cards:
            lines += [_each_card(offer), "    count += max(suits.bit_count(), 1)", "table.card = card"]
        else:
            lines += [f"if {_any(arcs[offer.trigger])}:", "    count += 1"]
    body = indent("\n".join([*lines, "return count"]), "    ")
    return f'def count_{name}(table):\n    """How many moves are legal."""\n{body}'


def _pick_function(name: str, offers: Sequence[Offer], arcs: dict[str, tuple[Arc, ...]]) -> str:
    lines = ["card = table.card"]
    for place, offer in enumerate(offers):
        if offer.cards:
            lines += [
                _each_card(offer),
                "    if chosen < max(suits.bit_count(), 1):",
                "        for _ in range(chosen):",
                "            suits &= suits - 1",
                "        table.suit = (suits & -suits).bit_length() - 1",
                f"        return {place}",
                "    chosen -= max(suits.bit_count(), 1)",
                "table.card = card",
            ]
        else:
            lines += [
                f"if {_any(arcs[offer.trigger])}:",
                "    if chosen == 0:",
                f"        return {place}",
                "    chosen -= 1",
            ]
    body = indent("\n".join([*lines, f"return {STUCK}"]), "    ")
    says = '"""Put legal move `chosen` on the table; the place of its offer."""'
    return f"def pick_{name}(table, chosen):\n    {says}\n{body}"


def words_ahead(game: Declaration) -> int:
    """How many random words a kernel draws at a time."""
    return words_for(game.deck_size) * AHEAD


def table_size(table: type) -> int:
    """Bytes of a saved table: eight for each integer, also in lists, one for each place of a bytearray."""
    values = [getattr(table(), name) for name in vars(table)["__slots__"]]
    return sum(
        8 if isinstance(value, int) else len(value) * (1 if isinstance(value, bytearray) else 8) for value in values
    )


# ---------------------------------------------------------------- positions


def _same_position(plan: Plan) -> str:
    """A function that compares what makes a position: facts, lists and piles."""
    blank = plan.game.table()
    lists = [name for name in vars(plan.game.table)["__slots__"] if isinstance(getattr(blank, name), list)]
    facts = [fact.field for fact in plan.game.words.facts if fact.field not in lists] + ["stock", "rolls"]
    compared = "\n".join(f"    if one.{name} != other.{name}:\n        return False" for name in facts)
    rows = "\n".join(
        f"    for place in range(len(one.{name})):\n"
        f"        if one.{name}[place] != other.{name}[place]:\n"
        f"            return False"
        for name in lists
    )
    return f'''def same_position(one, other):
    """Whether two tables show the same position, facts, hands, and the order of both piles, before the same die."""
{compared}
{rows}
    if one.tail - one.head != other.tail - other.head:
        return False
    for place in range(one.tail - one.head):
        here, there = one.head + place & len(one.ring) - 1, other.head + place & len(other.ring) - 1
        if one.ring[here] != other.ring[there]:
            return False
    return True'''


# ---------------------------------------------------------------- many games


def _play(plan: Plan) -> str:
    """The kernel: a loop over games, each dealt, run to its end, and told in the results."""
    game = plan.game
    initial, final = plan.phases.index(game.initial), plan.phases.index(game.final)
    outputs = "phase, logged" if plan.log else "phase"
    run = f"{outputs} = run(table, phase, limit, seats, weight, fired, used, log, logged)"
    start = f"""phase = {initial}
reset(table)
{game.deal.__name__}(table, deck, players)
table.seed, table.number = seed, first + game"""
    keep = """save(table, tables.ctypes.data + game * tables.itemsize)
log_ends[game] = logged"""
    parts = {
        "LIMIT": HORIZON,
        "LAID": cards_laid.__name__,
        "TAKEN": cards_taken.__name__,
        "SCORE": game.score.__name__,
        "NO_LIMIT": NO_LIMIT,
        "FINAL": final,
        "STUCK": STUCK,
        "BYTES": table_size(game.table) + 8,
        "KEEP": indent(keep, " " * 8) if plan.log else "",
    }
    watching = WATCHING.replace("$RUN", run).replace("$START", indent(start, " " * 16).lstrip())
    stepping = watching if plan.watch else f"        {run}\n"
    text = (NOTE * plan.log + PLAY).replace("$START", indent(start, " " * 8).lstrip()).replace("$STEPPING", stepping)
    text = text.replace("$WATCHED", WATCHED if plan.watch else "").replace("$ROOM", ROOM if plan.deals else "")
    given = f"deck = row_at(decks.ctypes.data + game * {game.deck_size})"
    if plan.deals:
        given = f"if len(decks) == 0:\n{indent(_dealt(game), '    ')}\nelse:\n    {given}"
    text = text.replace("$DECK", indent(given, " " * 8).lstrip())
    for name, value in parts.items():
        text = text.replace(f"${name}", str(value))
    return text.rstrip()


RUN = '''def run(table, phase, limit, seats, weight, fired, used, log, logged):
    """Step `table` from `phase` to the end, or to the start of the turn before which `limit` turns were ended."""
$BEFORE    while True:
$NOTING        $PHASES
'''

BEFORE = """\
    arc = -1
    player = head = rule = played = 0
"""

NOTING = """\
        if arc >= 0:
            logged = note(log, logged, arc, player, table, played, head, rule)
        player, head = table.player, table.head
"""

NOTE = '''def note(log, logged, arc, player, table, played, head, rule):
    """Write an event down, with the card that was played or taken, if there is room; how many there are now."""
    card = suit = -1
    if played == 1:
        card, suit = table.card, table.suit
    elif table.head != head:
        card = table.drawn
    if logged < len(log):
        log[logged, 0] = arc
        log[logged, 1] = player
        log[logged, 2] = card
        log[logged, 3] = suit
        log[logged, 4] = rule
    return logged + 1


'''

PLAY = '''def play(decks, seed, first, players, seats, results, scores, fired, used, log, log_ends, tables):
    """Play game after game: with the decks given, or, where there are none, those of `seed` from `first` on."""
    table = make()
$ROOM$WATCHED    logged = 0
    for game in range(len(results)):
        $DECK
        weight, limit = 1, $LIMIT
        $START
$STEPPING
        result = results[game]
        result.ending = table.ending if phase != $STUCK else -1
        result.winner = table.winner
        result.turns = table.turns
        result.laid = $LAID(table)
        result.taken = $TAKEN(table)
        result.reshuffles = table.reshuffles
        result.trail = table.trail
        for seat in range(players):
            scores[game, seat] = $SCORE(table, seat)
$KEEP
'''

ROOM = """\
    deck = new_deck()
    words = new_words()
"""

WATCHED = """\
    other = make()
    other_phase = phase = -1
    seen = np.empty((1, $BYTES), np.uint8)
"""

WATCHING = """\
        # A long game is stopped at the start of every turn: the period of its positions is found (Brent 1980), then it
        # is played again and compared with itself one period earlier, so that it is abandoned where a position first
        # returns. In between it is played once with weight -1, so that nothing is counted twice.
        stage, length, power, started = 0, 0, 1, logged
        while True:
            $RUN
            if phase == $FINAL or phase == $STUCK:
                break
            again = False
            if stage == 0:  # find the period
                if length == 0 and power == 1:
                    copy(other, table)
                    other_phase = phase
                    length, power = 0, 2
                else:
                    length += 1
                    if phase == other_phase and same_position(table, other):
                        seen = np.empty((length, $BYTES), np.uint8)
                        stage, again = 1, True
                    elif length == power:
                        copy(other, table)
                        other_phase = phase
                        length, power = 0, 2 * power
            elif stage == 1:  # counted back
                stage, again = 2, True
            else:  # compare with one period earlier
                at = seen.ctypes.data + limit % length * $BYTES
                if limit >= length:
                    load(other, at)
                    if seen[limit % length, -1] == phase and same_position(table, other):
                        table.returned = 1
                save(table, at)
                seen[limit % length, -1] = phase
            if again:
                limit = limit if stage == 1 else 0
                weight = -1 if stage == 1 else 1
                logged = started
                $START
            else:
                limit = $NO_LIMIT if table.returned == 1 else limit + 1
"""
