; The loop of a kernel: it gives lanes their games, lets them pass, keeps results, and hands over games that leave.
;
; It is the same for all games. What depends on the game is declared below and written for it: where the parts of the
; room begin (their offsets in bytes), and the functions that deal, pass, copy a game and keep results.

; %room: the memory of the kernel. @live: the offset of the mask of lanes in use; @over and @gone: those of the masks of
; games that are over and that leave; @following: of the number of the next game; @left: of how many games left; @refused:
; of the mask of games of the block that cannot be played; @slot: of the number of results that wait; @ids: of the
; numbers of the games. @lanes: games at once, a power of 2.

; A lane takes the next game. It returns 1, or 0 if there is none, or -1 for a deck that is not whole.
define internal i64 @start(ptr %room, i64 %lane, ptr %decks, i64 %seed, i64 %base, i64 %games, ptr %leavers, ptr %fired) "no-builtins" nounwind {
entry:
  %at.following = load i64, ptr @following
  %at.refused = load i64, ptr @refused
  %at.left = load i64, ptr @left
  %at.ids = load i64, ptr @ids
  %lanes = load i64, ptr @lanes
  %following = getelementptr inbounds i8, ptr %room, i64 %at.following
  %refused = getelementptr inbounds i8, ptr %room, i64 %at.refused
  %count = getelementptr inbounds i8, ptr %room, i64 %at.left
  %ids = getelementptr inbounds i8, ptr %room, i64 %at.ids
  br label %again
again:
  %next = load i64, ptr %following
  %some = icmp ult i64 %next, %games
  br i1 %some, label %game, label %none
none:
  ret i64 0
game:  ; at the first game of a block all of it are dealt
  %block.mask = add i64 %lanes, -1
  %index = and i64 %next, %block.mask
  %first = icmp eq i64 %index, 0
  br i1 %first, label %deal, label %take
deal:
  %no.decks = icmp eq ptr %decks, null
  br i1 %no.decks, label %shuffle, label %read
shuffle:
  %refused.shuffled = call i64 @deal_shuffled(ptr %room, i64 %seed, i64 %base, i64 %next, i64 %games, ptr %fired)
  br label %dealt
read:
  %refused.given = call i64 @deal_given(ptr %room, ptr %decks, i64 %seed, i64 %base, i64 %next, i64 %games, ptr %fired)
  %rest = sub i64 %games, %next
  %whole.block = icmp uge i64 %rest, %lanes
  %shift = select i1 %whole.block, i64 0, i64 %rest
  %power = shl i64 1, %shift
  %lower = add i64 %power, -1
  %there = select i1 %whole.block, i64 -1, i64 %lower
  %wrong = and i64 %refused.given, %there
  %bad = icmp ne i64 %wrong, 0
  br i1 %bad, label %broken, label %dealt
broken:
  ret i64 -1
dealt:
  %refused.now = phi i64 [ %refused.shuffled, %shuffle ], [ 0, %read ]
  store i64 %refused.now, ptr %refused
  br label %take
take:
  %refusals = load i64, ptr %refused
  %shifted = lshr i64 %refusals, %index
  %is.refused = trunc i64 %shifted to i1
  %after = add i64 %next, 1
  store i64 %after, ptr %following
  br i1 %is.refused, label %leave, label %begin
leave:  ; a game that is refused is marked by its complement
  %number = load i64, ptr %count
  %place = getelementptr i64, ptr %leavers, i64 %number
  %mark = sub i64 -1, %next
  store i64 %mark, ptr %place
  %more = add i64 %number, 1
  store i64 %more, ptr %count
  br label %again
begin:
  call void @copy_in(ptr %room, i64 %index, i64 %lane)
  %id = getelementptr i32, ptr %ids, i64 %lane
  %short = trunc i64 %next to i32
  store i32 %short, ptr %id
  ret i64 1
}

; All games of a call. It returns how many left, or -1 for a deck that is not whole.
define i64 @play(ptr %decks, i64 %seed, i64 %base, i64 %games, ptr %results, ptr %scores, ptr %sums, ptr %fired, ptr %used, ptr %leavers, ptr %room) "no-builtins" nounwind {
entry:
  %at.following = load i64, ptr @following
  %at.left = load i64, ptr @left
  %at.slot = load i64, ptr @slot
  %at.live = load i64, ptr @live
  %at.over = load i64, ptr @over
  %at.gone = load i64, ptr @gone
  %at.ids = load i64, ptr @ids
  %lanes = load i64, ptr @lanes
  %following = getelementptr inbounds i8, ptr %room, i64 %at.following
  %count = getelementptr inbounds i8, ptr %room, i64 %at.left
  %slot = getelementptr inbounds i8, ptr %room, i64 %at.slot
  %live = getelementptr inbounds i8, ptr %room, i64 %at.live
  %over = getelementptr inbounds i8, ptr %room, i64 %at.over
  %gone = getelementptr inbounds i8, ptr %room, i64 %at.gone
  %ids = getelementptr inbounds i8, ptr %room, i64 %at.ids
  store i64 0, ptr %following
  store i64 0, ptr %count
  store i64 0, ptr %slot
  store i64 0, ptr %live
  %nothing = icmp eq i64 %games, 0
  br i1 %nothing, label %end, label %fill
fill:  ; each lane takes a game
  %lane = phi i64 [ 0, %entry ], [ %next.lane, %filled ]
  %started = call i64 @start(ptr %room, i64 %lane, ptr %decks, i64 %seed, i64 %base, i64 %games, ptr %leavers, ptr %fired)
  switch i64 %started, label %wrong [ i64 0, label %idle i64 1, label %busy ]
wrong:
  ret i64 -1
idle:
  call void @copy_in(ptr %room, i64 0, i64 %lane)
  call void @rest(ptr %room, i64 %lane)
  br label %filled
busy:
  %bit = shl i64 1, %lane
  %lived = load i64, ptr %live
  %lives = or i64 %lived, %bit
  store i64 %lives, ptr %live
  br label %filled
filled:
  %next.lane = add i64 %lane, 1
  %all = icmp eq i64 %next.lane, %lanes
  br i1 %all, label %turn, label %fill
turn:  ; passes, until none is in use
  %now = load i64, ptr %live
  %stop = icmp eq i64 %now, 0
  br i1 %stop, label %end, label %run
run:
  call void @passes(ptr %room, ptr %fired, ptr %used)
  %ended = load i64, ptr %over
  %leaving = load i64, ptr %gone
  %either = or i64 %ended, %leaving
  %done = and i64 %either, %now
  br label %each
each:  ; lane that is done
  %waiting = phi i64 [ %done, %run ], [ %others, %refilled ]
  %none = icmp eq i64 %waiting, 0
  br i1 %none, label %turn, label %one
one:
  %which = call i64 @llvm.cttz.i64(i64 %waiting, i1 true)
  %less = add i64 %waiting, -1
  %others = and i64 %waiting, %less
  %moved = lshr i64 %leaving, %which
  %leaves = trunc i64 %moved to i1
  br i1 %leaves, label %leave, label %finish
leave:
  %number = load i64, ptr %count
  %place = getelementptr i64, ptr %leavers, i64 %number
  %id.at = getelementptr i32, ptr %ids, i64 %which
  %id = load i32, ptr %id.at
  %id.wide = zext i32 %id to i64
  store i64 %id.wide, ptr %place
  %more = add i64 %number, 1
  store i64 %more, ptr %count
  br label %refill
finish:
  %waits = load i64, ptr %slot
  call void @copy_out(ptr %room, i64 %which, i64 %waits)
  %next.slot = add i64 %waits, 1
  %full = icmp eq i64 %next.slot, %lanes
  %kept.slot = select i1 %full, i64 0, i64 %next.slot
  store i64 %kept.slot, ptr %slot
  br i1 %full, label %flush, label %refill
flush:
  %all.lanes = trunc i64 %lanes to i32
  call void @tell(ptr %room, i32 %all.lanes, ptr %results, ptr %scores, ptr %sums)
  br label %refill
refill:
  %restarted = call i64 @start(ptr %room, i64 %which, ptr %decks, i64 %seed, i64 %base, i64 %games, ptr %leavers, ptr %fired)
  switch i64 %restarted, label %wrong [ i64 0, label %close i64 1, label %refilled ]
close:
  call void @rest(ptr %room, i64 %which)
  %its.bit = shl i64 1, %which
  %its.others = xor i64 %its.bit, -1
  %lived.on = load i64, ptr %live
  %live.now = and i64 %lived.on, %its.others
  store i64 %live.now, ptr %live
  br label %refilled
refilled:
  br label %each
end:
  %last.slot = load i64, ptr %slot
  %last = trunc i64 %last.slot to i32
  call void @tell(ptr %room, i32 %last, ptr %results, ptr %scores, ptr %sums)
  %total = load i64, ptr %count
  ret i64 %total
}

; The results of games that wait are added up or kept.
define internal void @tell(ptr %room, i32 %count, ptr %results, ptr %scores, ptr %sums) "no-builtins" nounwind {
entry:
  %adding = icmp ne ptr %sums, null
  br i1 %adding, label %add, label %keep
add:
  call void @add_up(ptr %room, i32 %count, ptr %sums)
  ret void
keep:
  call void @keep(ptr %room, i32 %count, ptr %results, ptr %scores)
  ret void
}

declare i64 @llvm.cttz.i64(i64, i1)
