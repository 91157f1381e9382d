"""What the options of games and players choose, checked. Everything raises BadInput for what cannot be."""

from __future__ import annotations

from collections.abc import Iterator, Set
from contextlib import contextmanager

from fsm.declaration.policy import UnknownPolicy
from fsm.edge.extras import MissingExtra
from fsm.registry import RegistryError, game_class, is_reference
from fsm.stepping.game import Game
from fsm.table.layout import PositionError
from maumau.cli.interrupt import BadInput
from rules.errors import raised_as
from rules.notation import many


def registered_game(name: str, option: str) -> str:
    """The registered name of the game that an option names; one of a file is registered for this process."""
    try:
        return (_of_file(name, option) if is_reference(name) else game_class(name)).declaration.name
    except RegistryError as error:
        from pathlib import Path

        example = Path("examples", f"{name.replace('-', '_')}.py")
        such_as = f", such as {example}:{example.stem.title().replace('_', '')}" if example.is_file() else ""
        raise BadInput(f"{option}: {error}, or FILE.py:NAME for a game of your own{such_as}") from None


def _of_file(name: str, option: str) -> type[Game]:
    from fsm.outside import admit, read_source

    with refusing(option):
        return admit(read_source(name))


def game_with_rules(game: str, rules: str, option: str = "--with") -> str:
    """The name of a game with the house rules of `option`: names or references of rules, separated by commas."""
    if not rules:
        return game
    from fsm.outside import with_rules_of

    with refusing(option):
        return with_rules_of(game_class(game), map(str.strip, rules.split(","))).declaration.name


def chosen_policies(names: str, option: str = "--policy") -> list[str]:
    """The policies of an option: `house,search:100`, or nothing for the default; functions that it names are loaded."""
    if not names:
        return []
    from fsm.outside import named_player

    with refusing(option):
        return [named_player(name.strip()) for name in names.split(",")]


def check_seats(kind: type[Game], tables: Set[int], policies: list[str], *, compiled: bool) -> None:
    """Raise BadInput for unknown policies, and for those that cannot play at tables of so many players."""
    declaration = kind.declaration
    with refusing():
        for name in policies:
            declaration.policy(name)
        for players in sorted(tables):
            declaration.seated(players, policies, compiled=compiled)


@contextmanager
def refusing(where: str = "--policy", of: type[Exception] = ValueError) -> Iterator[None]:
    """A context in which BadInput is raised in place of an error, such as IllegalMove, OutsideError or MissingExtra.
    where: the option, or the command, that is wrong.
    """
    with raised_as(BadInput, f"{where}: ", (of, MissingExtra)):
        try:
            yield
        except UnknownPolicy as error:
            raise ValueError(f"{error}, FILE.py:NAME") from None


def game_at(kind: type[Game], line: str) -> Game:
    """The game at a position of a command. Raises ValueError that does not name the position, for `refusing`."""
    try:
        return kind.at(line)
    except PositionError as error:
        raise ValueError(error.fault) from None


def checked_players(kind: type[Game], players: int | None, more: str = "") -> int:
    """The number of players, if the game allows it; None: as few as can play. more: of what is expected, in words.
    Raises BadInput.
    """
    codec = kind.declaration.codec
    players = codec.fewest if players is None else players
    if players not in codec.players:
        raise BadInput(
            f"--players: {players:,} player{'s' * (players != 1)} cannot play; use {codec.players_text}{more}"
        )
    return players


def small_game(kind: type[Game], deck: str, players: int | None, each: int) -> type[Game]:
    """The game with the small deck of --deck, of which --each are dealt to every player. Raises BadInput.

    players: those of --players, for whom a deck that is too small for any game is refused.
    """
    game, codec = kind.declaration, kind.declaration.codec
    if game.deal_each is not None:
        with refusing("--deck"):
            cards = len(game.codes_of(deck.split())[0])
        if each < (least := min(1, codec.cards_each(codec.fewest))):
            raise BadInput(f"--each: {each} is too small; use {least} or more")
        if codec.hand_sizes and each not in codec.hand_sizes:
            what = f"{each:,} {codec.notation.card_word}{'s' * (each != 1)}"
            raise BadInput(f"--each: {what} for each player; use one of {', '.join(map(str, codec.hand_sizes))}")
        if cards < game.fewest_cards(codec.fewest, each):
            count = players if players is not None and players in codec.players else codec.fewest
            needed = game.fewest_cards(count, each)
            held = (
                f"{many(cards, codec.notation.card_word)} cannot be dealt to {many(count, 'player')} with {each} each"
            )
            raise BadInput(f"--deck: {held}; use {needed} or more")
    with refusing("--deck"):
        return kind.with_deck(deck, each)


def named_players(kind: type[Game], players: int | None) -> int:
    """The number of players, which may be left out (None) where only one can play. Raises BadInput."""
    codec = kind.declaration.codec
    if players is None and len(codec.players) > 1:
        raise BadInput(f"--players: missing; name the number of players, {codec.players_text}")
    return checked_players(kind, players)


def chosen_target(kind: type[Game], is_match: bool, target: int | None) -> int | None:
    """Return the target of matches, that of the game if none is named; None for games. Raises BadInput."""
    with raised_as(BadInput, "--"):  # before the name `target`
        return kind.declaration.scoring.match_target(target) if is_match else None
