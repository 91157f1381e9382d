"""What compiled functions of this room take for granted, beside what those of kernels do."""

from maumau.kernels.compiled.given import Array, Table

TURN_STARTS: tuple[int, ...]
"""For each phase 1 if a turn starts there, else 0."""
FOLLOWS: bool
"""Whether all cards are known once the first draw pile is used up."""

def act(table: Table, phase: int, event: int, card: int, value: int, told: Array) -> int:
    """Fire what a player chooses; the next phase, or STUCK."""

def decide(table: Table, phase: int, policy: int, events: Array, count: int) -> int:
    """Which of `count` moves a policy chooses; -1 for none of them. What it names is left on the table."""

def ended(table: Table) -> int:
    """The number of the end of a game that is over."""

def look(table: Table, phase: int, seat: int, told: Array) -> None:
    """Add what `seat` sees of a position to what it was told."""

def offered(table: Table, phase: int, events: Array) -> int:
    """Write down the moves of the player who chooses; how many."""

def settle(table: Table, phase: int, told: Array) -> int:
    """Fire what is forced; the phase in which a player chooses, the last one, or STUCK."""
