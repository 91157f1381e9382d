"""The loop of a kernel over many games, and its treatment of endless games."""

from __future__ import annotations

from collections.abc import Mapping
from textwrap import indent

from fsm.compiler.decks import dealt
from fsm.compiler.naming import mention
from fsm.compiler.plan import HORIZON, STUCK, Plan, namings
from fsm.declaration import Declaration
from fsm.table_fields import default_values
from rules.piles import cards_laid, cards_taken

NO_LIMIT = 1 << 62
"""More stops than any game has."""


def play_source(plan: Plan) -> str:
    """The kernel: a loop over games, each dealt, run to its end, and stored in the results."""
    game = plan.game
    initial = plan.phases.index(game.initial)
    start = f"""phase = {initial}
reset(table)
{mention(game.deal)}(table, deck, players)
table.seed, table.number = seed, first + game"""
    keep = """save(table, tables.ctypes.data + game * tables.itemsize)
log_ends[game] = logged"""
    parts = parts_of(plan) | {"SCORE": mention(game.score), "KEEP": indent(keep, " " * 8) if plan.log else ""}
    text = note_source(game) * plan.log + PLAY
    text = text.replace("$START", indent(start, " " * 8).lstrip()).replace("$STEPPING", stepping_source(plan, start))
    text = text.replace("$WATCHED", WATCHED if plan.repetition else "").replace("$ROOM", ROOM if plan.deals else "")
    given = f"deck = row_at(decks.ctypes.data + game * {game.deck_size})"
    if plan.deals:
        given = f"if len(decks) == 0:\n{indent(dealt(game), '    ')}\nelse:\n    {given}"
    text = text.replace("$DECK", indent(given, " " * 8).lstrip())
    return filled(text, parts).rstrip()


def stepping_source(plan: Plan, start: str) -> str:
    """Statements that run a game to its end, indented by eight. start: those that deal it, to begin it again."""
    outputs = "phase, logged" if plan.log else "phase"
    run = f"{outputs} = run(table, phase, stops, seats, weight, fired, used, log, logged)"
    if not plan.repetition:
        return f"        {run}\n"
    return WATCHING.replace("$RUN", run).replace("$START", indent(start, " " * 16).lstrip())


def parts_of(plan: Plan) -> dict[str, object]:
    """What the names in the text of a loop stand for."""
    return {
        "LIMIT": HORIZON,
        "LAID": mention(cards_laid),
        "TAKEN": mention(cards_taken),
        "NO_LIMIT": NO_LIMIT,
        "FINAL": plan.phases.index(plan.game.final),
        "STUCK": STUCK,
        "BYTES": table_size(plan.game.table) + 8,
    }


def filled(text: str, parts: Mapping[str, object]) -> str:
    """Text in which each `$NAME` is replaced by its part."""
    for name, value in parts.items():
        text = text.replace(f"${name}", str(value))
    return text


def same_position_source(plan: Plan) -> str:
    """A function that compares what makes a position: facts, lists and piles."""
    lists = plan.game.position_lists
    facts = [fact.field for fact in plan.game.position_facts] + ["stock", "rolls"]
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


def note_source(game: Declaration) -> str:
    """The function `note`, which writes down what belongs to each number of what is named."""
    with_card = alone = ""
    for number, (card, kind) in enumerate(namings(game), 1):
        if card:
            word = "elif" if with_card else "if"
            with_card += f"    {word} played == {number}:\n        card, suit = table.card, table.{kind}\n"
        else:
            alone += f"    if played == {number}:\n        suit = table.{kind}\n"
    return NOTE.replace("$WITH_CARD", with_card).replace("$ALONE", alone)


def table_size(table: type) -> int:
    """Bytes of a saved table: eight for each integer, also in lists, one for each place of a bytearray."""
    values = default_values(table).values()
    return sum(
        8 if isinstance(value, int) else len(value) * (1 if isinstance(value, bytearray) else 8) for value in values
    )


NOTE = '''def note(log, logged, arc, player, table, played, head, rule):
    """Write an event down, with the card that was played or taken, if there is room; how many there are now."""
    card = suit = -1
$WITH_CARD    elif table.head != head:
        card = table.drawn
$ALONE    if logged < len(log):
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
        weight, stops = 1, $LIMIT
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
        # A long game is stopped wherever a position may return: the period of its positions is found (Brent 1980), then
        # it is played again and compared with itself one period earlier, so that it is abandoned where a position first
        # returns. In between it is played once with weight -1, so that nothing is counted twice.
        stage, length, power, started, at = 0, 0, 1, logged, stops
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
                row = seen.ctypes.data + at % length * $BYTES
                if at >= length:
                    load(other, row)
                    if seen[at % length, -1] == phase and same_position(table, other):
                        table.returned = 1
                save(table, row)
                seen[at % length, -1] = phase
            if again:
                at = stops = at if stage == 1 else 0
                weight = -1 if stage == 1 else 1
                logged = started
                $START
            else:
                at += 1
                stops = $NO_LIMIT if table.returned == 1 else 1
"""
