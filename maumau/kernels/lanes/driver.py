"""The loop of a kernel: it gives lanes their games, lets them pass, keeps results, and hands over games that leave."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from maumau.kernels.lanes.layout import LaneLayout, aligned, line_of
from maumau.kernels.lanes.passes import PHASE
from maumau.kernels.lanes.widths import CELL_BITS

ATTRIBUTES = '"no-builtins" nounwind'
WORDS = ("over", "gone", "following", "left", "refused", "slot", "live")
"""Words of 64 bits in the room: masks of games that are over and that leave, the number of the next game, of games that
left, the mask of games of the block that cannot be played, the number of results that wait, and the mask of lanes in
use.
"""


@dataclass(frozen=True)
class Memory:
    """The room of a kernel. state: facts of running games. done: facts of games that are over and wait for their
    results.

    rows: the length of each row in memory. columns: words of 32 bits in the result and the scores of a game.
    """

    state: LaneLayout
    done: LaneLayout
    rows: Mapping[str, int]
    columns: int

    attributes = ATTRIBUTES

    @property
    def lanes(self) -> int:
        """Games at once."""
        return self.state.lanes

    @property
    def line(self) -> int:
        """The alignment of each part in bytes."""
        return line_of(self.lanes)

    @property
    def parts(self) -> Mapping[str, int]:
        """The size of each part in bytes."""
        sizes = {"state": self.state.size, "fresh": self.state.size, "done": self.done.size}
        for name, length in self.rows.items():
            sizes[f"row {name}"] = self.lanes * length * CELL_BITS // 8
            sizes[f"fresh {name}"] = self.lanes * length
        sizes |= {"calls": 2 * self.lanes, "ids": 4 * self.lanes, "done ids": 4 * self.lanes}
        sizes["columns"] = 4 * self.lanes * self.columns
        return sizes | dict.fromkeys(WORDS, 8)

    @property
    def offset(self) -> Mapping[str, int]:
        """Where each part begins."""
        found, end = {}, 0
        for name, size in self.parts.items():
            found[name], end = end, aligned(end + size, self.line)
        return found

    @property
    def size(self) -> int:
        """Bytes of the whole room."""
        return sum(aligned(size, self.line) for size in self.parts.values())


def driver(memory: Memory, final: int, deck_size: int, *, deals: bool) -> Iterator[str]:
    """The functions `copy_in`, `copy_out`, `start` and `play`. final: the number of the last phase."""
    yield _copy_in(memory)
    yield _copy_out(memory)
    yield _start(memory, deals=deals)
    yield _play(memory, final)


def _word(memory: Memory, name: str) -> str:
    return f"getelementptr inbounds i8, ptr %room, i64 {memory.offset[name]}"


def _moved(source: str, source_at: int, target: str, target_at: int, bits: int, key: str) -> Iterator[str]:
    """Lines that copy an element of a vector: element %from of one to element %to of another."""
    yield f"  %s{key} = getelementptr i8, ptr %room, i64 {source_at}"
    yield f"  %p{key} = getelementptr i{bits}, ptr %s{key}, i64 %{source}"
    yield f"  %v{key} = load i{bits}, ptr %p{key}"
    yield f"  %t{key} = getelementptr i8, ptr %room, i64 {target_at}"
    yield f"  %q{key} = getelementptr i{bits}, ptr %t{key}, i64 %{target}"
    yield f"  store i{bits} %v{key}, ptr %q{key}"


def _copy_in(memory: Memory) -> str:
    """`copy_in`: a lane takes game `from` of the block."""
    offset, lines = memory.offset, list[str]()
    for key, (bits, at) in enumerate(memory.state.fields.values()):
        lines += _moved("from", offset["fresh"] + at, "to", offset["state"] + at, bits, str(key))
    for name, length in memory.rows.items():
        lines += [
            f"  %f{name} = mul i64 %from, {length}",
            f"  %g{name} = getelementptr i8, ptr %room, i64 {offset[f'fresh {name}']}",
            f"  %h{name} = getelementptr i8, ptr %g{name}, i64 %f{name}",
            f"  %i{name} = getelementptr i8, ptr %room, i64 {offset[f'row {name}']}",
            f"  %j{name} = mul i64 %to, {length}",
            f"  %k{name} = getelementptr i{CELL_BITS}, ptr %i{name}, i64 %j{name}",
        ]
        piece = 16
        for start in range(0, length, piece):
            part = f"{name}{start}"
            lines += [
                f"  %l{part} = getelementptr i8, ptr %h{name}, i64 {start}",
                f"  %m{part} = load <{piece} x i8>, ptr %l{part}, align 1",
                f"  %n{part} = zext <{piece} x i8> %m{part} to <{piece} x i{CELL_BITS}>",
                f"  %o{part} = getelementptr i{CELL_BITS}, ptr %k{name}, i64 {start}",
                f"  store <{piece} x i{CELL_BITS}> %n{part}, ptr %o{part}, align 4",
            ]
    lines += [f"  %c = {_word(memory, 'calls')}", "  %d = getelementptr i16, ptr %c, i64 %to", "  store i16 0, ptr %d"]
    body = "\n".join(lines)
    return f"define internal void @copy_in(ptr %room, i64 %from, i64 %to) {ATTRIBUTES} {{\n{body}\n  ret void\n}}\n"


def _copy_out(memory: Memory) -> str:
    """`copy_out`: what the results of a lane's game need goes to place `to` of those that wait."""
    offset, lines = memory.offset, list[str]()
    for key, (name, (bits, at)) in enumerate(memory.done.fields.items()):
        source = offset["state"] + memory.state.fields[name][1]
        lines += _moved("from", source, "to", offset["done"] + at, bits, str(key))
    lines += _moved("from", offset["ids"], "to", offset["done ids"], 32, "id")
    body = "\n".join(lines)
    return f"define internal void @copy_out(ptr %room, i64 %from, i64 %to) {ATTRIBUTES} {{\n{body}\n  ret void\n}}\n"


def _start(memory: Memory, *, deals: bool) -> str:
    """`start`: a lane takes the next game. It returns 1, or 0 if there is none, or -1 for a deck that is not whole."""
    lanes = memory.lanes
    shuffled = """  %r1 = call i64 @deal_shuffled(ptr %room, i64 %seed, i64 %base, i64 %next, i64 %games, ptr %fired)
  br label %dealt"""
    arguments = "ptr %room, i64 %lane, ptr %decks, i64 %seed, i64 %base, i64 %games, ptr %left, ptr %fired"
    return f"""define internal i64 @start({arguments}) {ATTRIBUTES} {{
entry:
  %following = {_word(memory, "following")}
  %refused = {_word(memory, "refused")}
  %count = {_word(memory, "left")}
  %ids = {_word(memory, "ids")}
  br label %again
again:
  %next = load i64, ptr %following
  %some = icmp ult i64 %next, %games
  br i1 %some, label %game, label %none
none:
  ret i64 0
game:
  %place = and i64 %next, {lanes - 1}
  %empty = icmp eq i64 %place, 0
  br i1 %empty, label %deal, label %take
deal:
  %inside = icmp eq ptr %decks, null
  br i1 %inside, label %shuffle, label %read
shuffle:
{shuffled if deals else "  unreachable"}
read:
  %r2 = call i64 @deal_given(ptr %room, ptr %decks, i64 %seed, i64 %base, i64 %next, i64 %games, ptr %fired)
  %rest = sub i64 %games, %next
  %many = icmp uge i64 %rest, {lanes}
  %shift = select i1 %many, i64 0, i64 %rest
  %power = shl i64 1, %shift
  %lower = add i64 %power, -1
  %there = select i1 %many, i64 -1, i64 %lower
  %wrong = and i64 %r2, %there
  %bad = icmp ne i64 %wrong, 0
  br i1 %bad, label %broken, label %dealt
broken:
  ret i64 -1
dealt:
  %r = phi i64 [ 0, %read ]{", [ %r1, %shuffle ]" if deals else ""}
  store i64 %r, ptr %refused
  br label %take
take:
  %now = load i64, ptr %refused
  %moved = lshr i64 %now, %place
  %bit = trunc i64 %moved to i1
  %one = add i64 %next, 1
  store i64 %one, ptr %following
  br i1 %bit, label %leave, label %begin
leave:
  %number = load i64, ptr %count
  %at = getelementptr i64, ptr %left, i64 %number
  %mark = sub i64 -1, %next
  store i64 %mark, ptr %at
  %more = add i64 %number, 1
  store i64 %more, ptr %count
  br label %again
begin:
  call void @copy_in(ptr %room, i64 %place, i64 %lane)
  %id = getelementptr i32, ptr %ids, i64 %lane
  %short = trunc i64 %next to i32
  store i32 %short, ptr %id
  ret i64 1
}}
"""


def _play(memory: Memory, final: int) -> str:
    """`play`: all games of a call. It returns how many left, or -1 for a deck that is not whole."""
    lanes, (bits, phase_at) = memory.lanes, memory.state.fields[PHASE]
    given = "ptr %decks, i64 %seed, i64 %base, i64 %games, ptr %results, ptr %scores, ptr %sums, ptr %fired, ptr %used"
    passed = "ptr %decks, i64 %seed, i64 %base, i64 %games, ptr %left, ptr %fired"
    return f"""define i64 @play({given}, ptr %left, ptr %room) {ATTRIBUTES} {{
entry:
  %following = {_word(memory, "following")}
  %count = {_word(memory, "left")}
  %slot = {_word(memory, "slot")}
  %live = {_word(memory, "live")}
  %over = {_word(memory, "over")}
  %gone = {_word(memory, "gone")}
  %ids = {_word(memory, "ids")}
  %state = {_word(memory, "state")}
  %phases = getelementptr i8, ptr %state, i64 {phase_at}
  store i64 0, ptr %following
  store i64 0, ptr %count
  store i64 0, ptr %slot
  store i64 0, ptr %live
  %nothing = icmp eq i64 %games, 0
  br i1 %nothing, label %end, label %fill
fill:
  %lane = phi i64 [ 0, %entry ], [ %lane1, %filled ]
  %s = call i64 @start(ptr %room, i64 %lane, {passed})
  switch i64 %s, label %wrong [ i64 0, label %idle i64 1, label %busy ]
wrong:
  ret i64 -1
idle:
  call void @copy_in(ptr %room, i64 0, i64 %lane)
  %p = getelementptr i{bits}, ptr %phases, i64 %lane
  store i{bits} {final}, ptr %p
  br label %filled
busy:
  %b = shl i64 1, %lane
  %l0 = load i64, ptr %live
  %l1 = or i64 %l0, %b
  store i64 %l1, ptr %live
  br label %filled
filled:
  %lane1 = add i64 %lane, 1
  %all = icmp eq i64 %lane1, {lanes}
  br i1 %all, label %turn, label %fill
turn:
  %now = load i64, ptr %live
  %stop = icmp eq i64 %now, 0
  br i1 %stop, label %end, label %run
run:
  call void @passes(ptr %room, ptr %fired, ptr %used)
  %o = load i64, ptr %over
  %g = load i64, ptr %gone
  %og = or i64 %o, %g
  %d = and i64 %og, %now
  br label %each
each:
  %rest = phi i64 [ %d, %run ], [ %rest1, %refilled ]
  %none = icmp eq i64 %rest, 0
  br i1 %none, label %turn, label %one
one:
  %which = call i64 @llvm.cttz.i64(i64 %rest, i1 true)
  %down = add i64 %rest, -1
  %rest1 = and i64 %rest, %down
  %hit0 = lshr i64 %g, %which
  %hit = trunc i64 %hit0 to i1
  br i1 %hit, label %leave, label %finish
leave:
  %n = load i64, ptr %count
  %at = getelementptr i64, ptr %left, i64 %n
  %idp = getelementptr i32, ptr %ids, i64 %which
  %id = load i32, ptr %idp
  %id64 = zext i32 %id to i64
  store i64 %id64, ptr %at
  %n1 = add i64 %n, 1
  store i64 %n1, ptr %count
  br label %refill
finish:
  %k = load i64, ptr %slot
  call void @copy_out(ptr %room, i64 %which, i64 %k)
  %k1 = add i64 %k, 1
  %full = icmp eq i64 %k1, {lanes}
  %k2 = select i1 %full, i64 0, i64 %k1
  store i64 %k2, ptr %slot
  br i1 %full, label %flush, label %refill
flush:
  call void @tell(ptr %room, i32 {lanes}, ptr %results, ptr %scores, ptr %sums)
  br label %refill
refill:
  %s2 = call i64 @start(ptr %room, i64 %which, {passed})
  switch i64 %s2, label %wrong [ i64 0, label %rest_idle i64 1, label %refilled ]
rest_idle:
  %p2 = getelementptr i{bits}, ptr %phases, i64 %which
  store i{bits} {final}, ptr %p2
  %b2 = shl i64 1, %which
  %b3 = xor i64 %b2, -1
  %l2 = load i64, ptr %live
  %l3 = and i64 %l2, %b3
  store i64 %l3, ptr %live
  br label %refilled
refilled:
  br label %each
end:
  %k4 = load i64, ptr %slot
  %k5 = trunc i64 %k4 to i32
  call void @tell(ptr %room, i32 %k5, ptr %results, ptr %scores, ptr %sums)
  %n2 = load i64, ptr %count
  ret i64 %n2
}}

declare i64 @llvm.cttz.i64(i64, i1)

define internal void @tell(ptr %room, i32 %count, ptr %results, ptr %scores, ptr %sums) {ATTRIBUTES} {{
entry:
  %adding = icmp ne ptr %sums, null
  br i1 %adding, label %add, label %keep
add:
  call void @add_up(ptr %room, i32 %count, ptr %sums)
  ret void
keep:
  call void @keep(ptr %room, i32 %count, ptr %results, ptr %scores)
  ret void
}}
"""
