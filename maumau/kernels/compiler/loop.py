"""The loop of a kernel over many games."""

from __future__ import annotations

from collections.abc import Mapping
from textwrap import indent

from fsm.declaration.declaration import Declaration
from maumau.kernels.compiler.decks import dealt, words_ahead
from maumau.kernels.compiler.naming import mention
from maumau.kernels.compiler.plan import STUCK, Plan, namings
from maumau.kernels.compiler.returns import NO_LIMIT, parameters_source, room_source, stepping_source
from rules.piles import cards_laid, cards_taken
from rules.table import card_taken


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
    kept = {"KEEP": indent(keep, " " * 8) if plan.log else "", "POSITIONS": parameters_source(plan)}
    parts = parts_of(plan) | {"SCORE": mention(game.score)} | kept
    text = note_source(game) * plan.log + PLAY
    text = text.replace("$START", indent(start, " " * 8).lstrip()).replace("$STEPPING", stepping_source(plan, start))
    text = text.replace("$WATCHED", room_source(plan)).replace("$ROOM", ROOM if plan.deals else "")
    text = text.replace("$MEASURED", measured_source("result", 8))
    given = f"deck = row_at(decks.ctypes.data + game * {game.deck_size})"
    if plan.deals:
        given = f"if len(decks) == 0:\n{indent(dealt(game), '    ')}\nelse:\n    {given}"
    text = text.replace("$DECK", indent(given, " " * 8).lstrip())
    return filled(text, parts).rstrip()


def parts_of(plan: Plan) -> dict[str, object]:
    """What the names in the text of a loop stand for."""
    return {
        "LIMIT": plan.horizon,
        "LAID": mention(cards_laid),
        "TAKEN": mention(cards_taken),
        "NO_LIMIT": NO_LIMIT,
        "FINAL": plan.phases.index(plan.game.final),
        "STUCK": STUCK,
        "CARDS": plan.game.deck_size,
        "WORDS": words_ahead(plan.game),
    }


def measured_source(row: str, columns: int) -> str:
    """Statements, indented, that write what is measured of a game from its table into a row of results."""
    counted = {"laid": "$LAID(table)", "taken": "$TAKEN(table)"}
    measures = ("winner", "turns", "laid", "taken", "reshuffles", "trail")
    return "".join(f"{' ' * columns}{row}.{each} = {counted.get(each, f'table.{each}')}\n" for each in measures)


def filled(text: str, parts: Mapping[str, object]) -> str:
    """Text in which each `$NAME` is replaced by its part."""
    for name, value in parts.items():
        text = text.replace(f"${name}", str(value))
    return text


def note_source(game: Declaration) -> str:
    """The function `note`, which writes down what belongs to each number of what is named."""
    named = ""
    for number, (card, kind) in enumerate(namings(game), 1):
        what = f"card, suit = table.card, table.{kind}" if card else f"suit = table.{kind}"
        named += f"    {'elif' if named else 'if'} played == {number}:\n        {what}\n"
    return filled(NOTE, {"NAMED": named, "CARD_TAKEN": mention(card_taken)})


NOTE = '''def note(log, logged, arc, player, table, played, head, rule):
    """Write an event down, with the card that was played or taken, if there is room; how many there are now."""
    card, suit = $CARD_TAKEN(table, player, head), -1
$NAMED    if logged < len(log):
        log[logged, 0] = arc
        log[logged, 1] = player
        log[logged, 2] = card
        log[logged, 3] = suit
        log[logged, 4] = rule
    return logged + 1


'''

PLAY = '''def play(decks, seed, first, players, seats, results, scores, fired, used, log, log_ends, tables$POSITIONS):
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
$MEASURED        for seat in range(players):
            scores[game, seat] = $SCORE(table, seat)
$KEEP
'''

ROOM = """\
    deck = new_bytes($CARDS)
    words = new_integers($WORDS)
"""
