"""Card games as declared finite-state machines: stepped, drawn, checked, compiled.

from maumau import MauMau, bulk
game = MauMau.deal(players=3, seed=7, number=0)
game.run()

All public names are imported from here, each when it is first asked for: `import maumau` takes no time.
"""

MODULES = {
    "fsm": (
        "Arc Choice Control Declaration DeclarationError Events Game IllegalMove LongGameError Match MauMau Move "
        "Offer Outcome Policy Position PositionError RegistryError Scoring Step Uno UnoOfficial View game_class "
        "game_of register"
    ),
    "fsm.check": "Counterexample Report explore_stepped survey",
    "fsm.declaration.arcs": "Call Invariant Phase Postcondition ScoreInvariant SmallDeck phases",
    "fsm.declaration.automaton": "automaton",
    "fsm.declaration.climbing": "climbing_invariants",
    "fsm.declaration.codec": "Codec",
    "fsm.declaration.facts": "Fact Look",
    "fsm.declaration.guide": "Guide",
    "fsm.declaration.page": "Asking ask best choose forced lay offer on page turn",
    "fsm.declaration.part_facts": (
        "BETTING_FACTS BID_FACTS BOUT_FACTS CLIMBING_FACTS FISHING_FACTS MELD_FACTS PLACES QUARTET_FACTS STOCK_FACTS "
        "TRICK_FACTS"
    ),
    "fsm.declaration.policy": "FIRST_LEGAL RANDOM Form FunctionPolicy SteppedPolicy register_form",
    "fsm.declaration.temporal": "Response always eventually leads_to",
    "fsm.declaration.tricks": "TRICK_LOOK TRICK_POSTCONDITIONS trick_invariants trick_phases",
    "fsm.games.mahjong.game": "Mahjong",
    "fsm.games.maumau": "MauMauPhase",
    "fsm.records": "RecordError read_record record_of replay",
    "fsm.stepping.information": "information_state",
    "fsm.variants": (
        "AddArcs AddDeck AddField AddPhase Allow Arcs Beside ChangeArcs Check ClashError Constant CopyPhase Decide "
        "DropArcs DropPhase Family Force Means Profile Refuse ReplaceArcs Reveal Reword Rulebook SetControl Show "
        "SplitArcs UnknownRule Variant Waive Withdraw in_phase"
    ),
    "maumau.agents.actions": "Action ActionSpace UnsupportedGame action_space",
    "maumau.agents.batch": "Batch Decisions",
    "maumau.agents.datasets": "write_dataset",
    "maumau.agents.layout": "Field ObservationLayout layout",
    "maumau.agents.nets.net": "Net",
    "maumau.agents.observed": "Observed ObservingPolicy",
    "maumau.agents.players": "SearchPolicy",
    "maumau.agents.search": "Search",
    "maumau.agents.search.results": "Found Value",
    "maumau.agents.strength": "BestResponse best_response strength",
    "maumau.agents.training": "TrainingSettings train",
    "maumau.kernels": "bulk",
    "maumau.kernels.compiler.program": "Results Totals",
    "maumau.kernels.explorer.exhaustive": "explore",
    "maumau.play.table": "Computer NotAsked Person Refused Setup Stale Table",
    "maumau.solve.hands": "OpenHands solve_open solve_position",
    "maumau.solve.hidden": "HiddenHands solve_hidden",
    "maumau.solve.responses": "Responses respond_to",
    "maumau.study.spec": "StudySpec",
    "render.diagram": "Overlay render",
    "rules.rule": "Reason among choice effect guard query rule",
}
"""Names by the module that defines them; `__init__.pyi` lists them for type checkers and editors."""
__all__ = [name for names in MODULES.values() for name in names.split()]


def __getattr__(name: str) -> object:
    """Import a name of `MODULES` on first use."""
    check_packages()
    from fsm.edge.door import imported

    return globals().setdefault(name, imported(__name__, MODULES, name))


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})


def check_packages() -> None:
    """Raise ImportError unless Python finds `rules`, `fsm` and `render` beside this package. Nothing of them is run."""
    from importlib.util import find_spec
    from os.path import dirname, join, realpath

    for name in ("rules", "fsm", "render"):
        spec = find_spec(name)
        found = spec and (spec.origin or next(iter(spec.submodule_search_locations or ()), None))
        if found is None:
            raise ImportError(f"maumau's package {name!r} is missing; install maumau again", name=name)
        if realpath(dirname(found)) != join(dirname(dirname(realpath(__file__))), name):
            raise ImportError(
                f"{found} is in the way of maumau's package {name!r}; rename or move it, "
                "or install maumau into a virtual environment of its own",
                name=name,
            )
