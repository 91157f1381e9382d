; The loop of a kernel: it gives lanes their games, lets them pass, keeps results, and hands over games that leave.
;
; It is the same for all games. These functions depend on the game, and are generated:
;
; Games at once, a power of two.
; declare i64 @lanes()
;
; Words in the room: the number of the next game, of games that left, of results that wait; masks of the lanes in use,
; of those whose games are over, of those whose games leave, and of the games of the block that cannot be played.
; declare ptr @following(ptr %room)
; declare ptr @left_count(ptr %room)
; declare ptr @waiting(ptr %room)
; declare ptr @live(ptr %room)
; declare ptr @over(ptr %room)
; declare ptr @gone(ptr %room)
; declare ptr @refused(ptr %room)
;
; Where the number of a game is: of the game of a lane, and of one whose results wait.
; declare ptr @id(ptr %room, i64 %lane)
; declare ptr @done_id(ptr %room, i64 %place)
;
; Deal a block; the mask of the games that cannot be played: decks that are not whole, or shuffles left to other code.
; declare i64 @deal_given(ptr %room, ptr %decks, i64 %seed, i64 %base, i64 %first, i64 %games, ptr %fired)
; declare i64 @deal_shuffled(ptr %room, i64 %seed, i64 %base, i64 %first, i64 %games, ptr %fired)
;
; A lane takes game %from of the block; what the results of a lane's game need goes to place %to of those that wait.
; declare void @copy_in(ptr %room, i64 %from, i64 %to)
; declare void @copy_out(ptr %room, i64 %from, i64 %to)
;
; The game of a lane is over; some passes of all lanes.
; declare void @end_lane(ptr %room, i64 %lane)
; declare void @passes(ptr %room, ptr %fired, ptr %used)
;
; The results that wait: computed for all places, one of them written to where its game's belongs, or %count added up.
; declare void @compute_results(ptr %room)
; declare void @keep_result(ptr %room, i64 %place, i64 %id, ptr %results, ptr %scores)
; declare void @add_up(ptr %room, i32 %count, ptr %sums)

; All games of a call. It returns how many left, or -1 for a deck that is not whole.
define i64 @play(ptr %decks, i64 %seed, i64 %base, i64 %games, ptr %results, ptr %scores, ptr %sums, ptr %fired,
                 ptr %used, ptr %left, ptr %room) #0 {
entry:
  %following = call ptr @following(ptr %room)
  %left_count = call ptr @left_count(ptr %room)
  %waiting = call ptr @waiting(ptr %room)
  %live = call ptr @live(ptr %room)
  %over = call ptr @over(ptr %room)
  %gone = call ptr @gone(ptr %room)
  %lanes = call i64 @lanes()
  %all_lanes = trunc i64 %lanes to i32
  store i64 0, ptr %following
  store i64 0, ptr %left_count
  store i64 0, ptr %waiting
  %beyond = sub i64 64, %lanes
  %all_bits = lshr i64 -1, %beyond
  store i64 %all_bits, ptr %live
  %no_games = icmp eq i64 %games, 0
  br i1 %no_games, label %end, label %fill

fill:
  %lane = phi i64 [ 0, %entry ], [ %next_lane, %filled ]
  %filling = call i1 @start(ptr %room, i64 %lane, ptr %decks, i64 %seed, i64 %base, i64 %games, ptr %left, ptr %fired)
  br i1 %filling, label %filled, label %not_whole
filled:
  %next_lane = add i64 %lane, 1
  %all_filled = icmp eq i64 %next_lane, %lanes
  br i1 %all_filled, label %turn, label %fill

not_whole:
  ret i64 -1

; Passes, as long as a lane has a game.
turn:
  %live_now = load i64, ptr %live
  %none_live = icmp eq i64 %live_now, 0
  br i1 %none_live, label %end, label %pass
pass:
  call void @passes(ptr %room, ptr %fired, ptr %used)
  %over_mask = load i64, ptr %over
  %gone_mask = load i64, ptr %gone
  %over_or_gone = or i64 %over_mask, %gone_mask
  %ended = and i64 %over_or_gone, %live_now
  br label %each

; Every lane whose game is over or leaves takes another one.
each:
  %rest = phi i64 [ %ended, %pass ], [ %others, %refill ]
  %none_rests = icmp eq i64 %rest, 0
  br i1 %none_rests, label %turn, label %one
one:
  %which = call i64 @llvm.cttz.i64(i64 %rest, i1 true)
  %less_one = add i64 %rest, -1
  %others = and i64 %rest, %less_one
  %gone_from_here = lshr i64 %gone_mask, %which
  %leaves = trunc i64 %gone_from_here to i1
  br i1 %leaves, label %leave, label %finish
leave:
  %id_at = call ptr @id(ptr %room, i64 %which)
  %id = load i32, ptr %id_at
  %number = zext i32 %id to i64
  call void @hand_over(ptr %room, ptr %left, i64 %number)
  br label %refill
finish:
  %place = load i64, ptr %waiting
  call void @copy_out(ptr %room, i64 %which, i64 %place)
  %next_place = add i64 %place, 1
  %full = icmp eq i64 %next_place, %lanes
  %now_waiting = select i1 %full, i64 0, i64 %next_place
  store i64 %now_waiting, ptr %waiting
  br i1 %full, label %tell_all, label %refill
tell_all:
  call void @tell(ptr %room, i32 %all_lanes, ptr %results, ptr %scores, ptr %sums)
  br label %refill
refill:
  %refilled = call i1 @start(ptr %room, i64 %which, ptr %decks, i64 %seed, i64 %base, i64 %games, ptr %left, ptr %fired)
  br i1 %refilled, label %each, label %not_whole

end:
  %last_waiting = load i64, ptr %waiting
  %last_count = trunc i64 %last_waiting to i32
  call void @tell(ptr %room, i32 %last_count, ptr %results, ptr %scores, ptr %sums)
  %all_left = load i64, ptr %left_count
  ret i64 %all_left
}

; A lane takes the next game, or is not in use if there is none. It returns whether all decks are whole.
define internal i1 @start(ptr %room, i64 %lane, ptr %decks, i64 %seed, i64 %base, i64 %games, ptr %left, ptr %fired)
    #0 {
entry:
  %following = call ptr @following(ptr %room)
  %refused = call ptr @refused(ptr %room)
  %lanes = call i64 @lanes()
  %last_place = add i64 %lanes, -1
  br label %again
again:
  %next = load i64, ptr %following
  %some = icmp ult i64 %next, %games
  br i1 %some, label %game, label %none

; A lane that is not in use has a copy of a game, which is over.
none:
  call void @copy_in(ptr %room, i64 0, i64 %lane)
  call void @end_lane(ptr %room, i64 %lane)
  %live = call ptr @live(ptr %room)
  %used = load i64, ptr %live
  %bit = shl i64 1, %lane
  %other_lanes = xor i64 %bit, -1
  %still_used = and i64 %used, %other_lanes
  store i64 %still_used, ptr %live
  ret i1 true

; The first game of a block deals the block.
game:
  %place = and i64 %next, %last_place
  %is_first = icmp eq i64 %place, 0
  br i1 %is_first, label %deal, label %take
deal:
  %no_decks = icmp eq ptr %decks, null
  br i1 %no_decks, label %shuffle, label %read
shuffle:
  %not_dealt = call i64 @deal_shuffled(ptr %room, i64 %seed, i64 %base, i64 %next, i64 %games, ptr %fired)
  br label %dealt
read:
  %not_whole = call i64 @deal_given(ptr %room, ptr %decks, i64 %seed, i64 %base, i64 %next, i64 %games, ptr %fired)
  %games_left = sub i64 %games, %next
  %whole_block = icmp uge i64 %games_left, %lanes
  %shift = select i1 %whole_block, i64 0, i64 %games_left
  %power = shl i64 1, %shift
  %lower_bits = add i64 %power, -1
  %there = select i1 %whole_block, i64 -1, i64 %lower_bits
  %wrong = and i64 %not_whole, %there
  %some_wrong = icmp ne i64 %wrong, 0
  br i1 %some_wrong, label %broken, label %dealt
broken:
  ret i1 false
dealt:
  %now_refused = phi i64 [ 0, %read ], [ %not_dealt, %shuffle ]
  store i64 %now_refused, ptr %refused
  br label %take

; A game that was not dealt is handed over as -1 minus its number.
take:
  %refused_mask = load i64, ptr %refused
  %refused_from_here = lshr i64 %refused_mask, %place
  %is_refused = trunc i64 %refused_from_here to i1
  %after = add i64 %next, 1
  store i64 %after, ptr %following
  br i1 %is_refused, label %leave, label %begin
leave:
  %mark = sub i64 -1, %next
  call void @hand_over(ptr %room, ptr %left, i64 %mark)
  br label %again
begin:
  call void @copy_in(ptr %room, i64 %place, i64 %lane)
  %id_at = call ptr @id(ptr %room, i64 %lane)
  %id = trunc i64 %next to i32
  store i32 %id, ptr %id_at
  ret i1 true
}

; A game is listed among those that left.
define internal void @hand_over(ptr %room, ptr %left, i64 %number) #1 {
  %left_count = call ptr @left_count(ptr %room)
  %count = load i64, ptr %left_count
  %at = getelementptr i64, ptr %left, i64 %count
  store i64 %number, ptr %at
  %more = add i64 %count, 1
  store i64 %more, ptr %left_count
  ret void
}

; The results that wait are added up, or each is written.
define internal void @tell(ptr %room, i32 %count, ptr %results, ptr %scores, ptr %sums) #0 {
  %adds = icmp ne ptr %sums, null
  br i1 %adds, label %add, label %keep
add:
  call void @add_up(ptr %room, i32 %count, ptr %sums)
  ret void
keep:
  call void @keep(ptr %room, i32 %count, ptr %results, ptr %scores)
  ret void
}

define internal void @keep(ptr %room, i32 %count, ptr %results, ptr %scores) #0 {
entry:
  call void @compute_results(ptr %room)
  %places = zext i32 %count to i64
  br label %each
each:
  %place = phi i64 [ 0, %entry ], [ %next, %one ]
  %some = icmp ult i64 %place, %places
  br i1 %some, label %one, label %end
one:
  %id_at = call ptr @done_id(ptr %room, i64 %place)
  %id = load i32, ptr %id_at
  %number = zext i32 %id to i64
  call void @keep_result(ptr %room, i64 %place, i64 %number, ptr %results, ptr %scores)
  %next = add i64 %place, 1
  br label %each, !llvm.loop !0
end:
  ret void
}

declare i64 @llvm.cttz.i64(i64, i1)

attributes #0 = { nounwind "no-builtins" }
attributes #1 = { alwaysinline nounwind "no-builtins" }

; The loop over results is not made one of vectors.
!0 = distinct !{!0, !1}
!1 = !{!"llvm.loop.vectorize.enable", i1 false}
