"""The forms of players that this package has, registered so that every game knows them: by names (`search:1000`,
`net:FILE`), and by objects (`Net`, `Search`).
"""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cached_property
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, Any

from fsm.declaration.arcs import Policy
from fsm.declaration.declaration import Declaration
from fsm.declaration.policy import Form, SteppedPolicy, register_form
from fsm.edge.extras import require
from fsm.edge.kept import kept
from fsm.edge.numbers import Notify
from fsm.hashes import code_hash
from maumau.agents.nets.net import Net, has_shipped_nets, shipped_nets
from maumau.agents.nets.policy import NetPolicy
from maumau.kernels.compiler.machine_code import require_compiler, why_no_compiler
from rules.notation import shown

if TYPE_CHECKING:
    from maumau.agents.search import Search


@dataclass(frozen=True, eq=False)
class SearchPolicy(SteppedPolicy):
    """A player who searches with a fixed number of worlds, so that its games can be repeated.

    name, description: as for any policy. choices: none. content: empty. game: the declaration. worlds: in how many ways
    the hidden cards are dealt. own: the policy by which it chooses in games that are played out. tree: whether games
    are played through a tree.
    """

    game: Declaration = field(kw_only=True)
    worlds: int = field(kw_only=True)
    own: Policy = field(kw_only=True)
    tree: bool = field(kw_only=True, default=False)

    def choose(self, game: Any) -> Any:
        """Return the best move of the player who acts in the stepped game `game`."""
        return self._search(game.players).best(game).move

    def check_players(self, players: int) -> None:
        """Raise ValueError unless its own policy can play with `players` players."""
        if isinstance(self.own, NetPolicy):
            self.own.check_players(players)

    def prepare(self, players: int, notify: Notify | None = None) -> None:
        """Compile the search for `players` players. notify: called before it is compiled."""
        self._search(players, notify=notify)

    @cached_property
    def digest(self) -> str:
        """A hash of the program that searches, of the modules around it, and of all rule functions that it calls."""
        from maumau.agents import search
        from maumau.agents.plan import AgentPlan
        from maumau.agents.search import source as kernel

        by_net = isinstance(self.own, NetPolicy)
        policies = self.game.policies[:1] if by_net else tuple(dict.fromkeys((self.game.policies[0], self.own)))
        most = self.game.codec.most
        plan = AgentPlan(self.game, policies, players=most, by_net=by_net, by_tree=self.tree, searches=True)
        sources = kernel.source_of(plan).source, kernel.inference_of(plan).source
        code = [value for each in sources for value in (each.text, *each.functions.values())]
        code += [path.read_text(encoding="utf-8") for path in sorted(Path(search.__file__).parent.glob("*.py"))]
        return code_hash(*code, self.own.digest if isinstance(self.own, NetPolicy) else "")

    @kept
    def _search(self, players: int, *, notify: Notify | None = None) -> Search:
        """The search for a number of players, made once."""
        from maumau.agents.search import Search

        own = self.own.nets[players] if isinstance(self.own, NetPolicy) else self.own.name
        return Search(self.game, players, self.worlds, own=own, tree=self.tree, notify=notify)


def _searching(game: Declaration, operand: str) -> SearchPolicy:
    """The player `search:WORLDS` or `search:WORLDS:OWN`, also with `:tree` at the end. Raises ValueError."""
    from maumau.agents.search import MAX_WORLDS
    from maumau.agents.search.source import check_game

    flat = operand.removesuffix(TREE)
    tree = flat != operand
    number, colon, name = flat.partition(":")
    worlds = int(number) if number.isascii() and number.isdecimal() and len(number) < 9 else 0
    if not (1 <= worlds <= MAX_WORLDS and number == str(worlds)):
        raise ValueError(f"{shown(number)} worlds; use a whole number from 1 to {MAX_WORLDS:,}")
    own = game.policy(name if colon else None)
    if isinstance(own, SteppedPolicy) and not isinstance(own, NetPolicy):
        raise ValueError(f"{shown(name)} cannot play out games; use a policy of the game or a net")
    require_compiler()
    check_game(game)
    ways = "one way" if worlds == 1 else f"{worlds:,} ways"
    by = f" as {name} does" if colon else ""
    plays = "plays games through a tree of what it sees" if tree else "plays each legal move to the end"
    description = f"Deals the hidden cards in {ways} and {plays} in each of them{by}."
    return SearchPolicy(f"search:{operand}", game=game, worlds=worlds, own=own, tree=tree, description=description)


@dataclass(frozen=True, eq=False)
class GivenSearch(SteppedPolicy):
    """A player who searches with a `Search` that somebody has made. search: this one."""

    search: Search = field(kw_only=True)

    def choose(self, game: Any) -> Any:
        """Return the best move of the player who acts in the stepped game `game`."""
        return self.search.best(game).move

    def check_players(self, players: int) -> None:
        """Raise ValueError unless the search is for so many players."""
        if players != self.search.players:
            raise ValueError(f"policy {self.name}: it searches with {self.search.players} players; use {players}")


def _given_search(game: Declaration, thing: Any) -> GivenSearch | None:
    """The player that a `Search` is, if a thing is one. Raises ValueError."""
    from maumau.agents.search import Search

    if not isinstance(thing, Search):
        return None
    if thing.game != game:
        raise ValueError(f"a search for {thing.game.name}; use one for {game.name}, and the same rules")
    return GivenSearch(f"search:{thing.world_count}", search=thing, description="Searches as the search does.")


TREE = ":tree"
"""The end of the name of a player who searches with a tree."""


SEARCH = register_form(
    Form(
        "search",
        "WORLDS[:OWN][:tree]",
        "Deals the hidden cards again in so many worlds, and plays every legal move out in each of them. There, the "
        "player itself plays like OWN, a policy of the game or a net (`search:100:net`). With `:tree` it plays games "
        "through a tree of what it sees (`search:1000:tree`), which finds better moves.",
        _searching,
        usual=lambda game: () if why_no_compiler() else ("10", "1000"),
        of_object=_given_search,
    )
)


def _learned(game: Declaration, operand: str) -> NetPolicy:
    """The player `net:FILE`, or `net`. Raises ValueError."""
    require("a net", "numpy")
    if operand:
        net = Net.load(operand, game)
        name, nets = f"net:{operand}", {net.players: net}
    else:
        name, nets = "net", shipped_nets(game)
    return NetPolicy(name, nets=nets, description="Has learned from many games which moves are good.")


def _given_net(game: Declaration, thing: Any) -> NetPolicy | None:
    """The player that a `Net` is, if a thing is one. Raises ValueError."""
    if not isinstance(thing, Net):
        return None
    if not thing.plays(game, thing.players):
        raise ValueError(f"a net for {thing.game.name}; use one for {game.name}")
    return NetPolicy("net", nets={thing.players: thing}, description="Plays as the net does.")


NET = register_form(
    Form(
        "net",
        "FILE",
        "Has learned to play: maumau train has written the file.",
        _learned,
        usual=lambda game: ("",) if find_spec("numpy") and has_shipped_nets(game) else (),
        alone=True,
        of_object=_given_net,
    )
)
"""`net` alone has the nets that are part of this package."""
