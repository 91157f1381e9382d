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
; Where the number of the game of a lane is.
; declare ptr @id(ptr %room, i64 %lane)
;
; Deal a block; the mask of the games that cannot be played: decks that are not whole, or shuffles left to other code.
; declare i64 @deal_given(ptr %room, ptr %decks, i64 %seed, i64 %base, i64 %first, i64 %games, ptr %fired, i64 %seats)
; declare i64 @deal_shuffled(ptr %room, i64 %seed, i64 %base, i64 %first, i64 %games, ptr %fired, i64 %seats)
;
; The lanes of a mask, which are some, take the games of the block from %place on; what the results of their games need
; goes to the places of those that wait, from %place on; there are twice as many places as lanes, and the upper half
; moves down.
; declare void @copy_in(ptr %room, i64 %mask, i64 %place)
; declare void @copy_out(ptr %room, i64 %mask, i64 %place)
; declare void @move_down(ptr %room)
;
; The piles of the games of a mask are written by the numbers of the games.
; declare void @keep_rings(ptr %room, i64 %mask, ptr %rings)
;
; The game of a lane is over; some passes of all lanes.
; declare void @end_lane(ptr %room, i64 %lane)
; declare void @passes(ptr %room, ptr %fired, ptr %used)
;
; The first %count of the results that wait are written to where they belong, or counted by value, and endings without a
; winner written.
; declare void @keep(ptr %room, i64 %count, ptr %results, ptr %scores)
; declare void @keep_marks(ptr %room, i64 %count, ptr %marks)
; declare void @count(ptr %room, i64 %count, ptr %endings, ptr %words)

; All games of a call. %seats: of each policy but the first the seats that have it, a byte. It returns how many left, or -1 for a deck that is not whole.
define i64 @play(ptr %decks, i64 %seed, i64 %base, i64 %games, ptr %results, ptr %scores, ptr %rings, ptr %marks,
                 ptr %words, ptr %fired, ptr %used, ptr %left, ptr %room, i64 %seats) #0 {
entry:
  %following = call ptr @following(ptr %room)
  %left_count = call ptr @left_count(ptr %room)
  %waiting = call ptr @waiting(ptr %room)
  %live = call ptr @live(ptr %room)
  %over = call ptr @over(ptr %room)
  %gone = call ptr @gone(ptr %room)
  %lanes = call i64 @lanes()
  store i64 0, ptr %following
  store i64 0, ptr %left_count
  store i64 0, ptr %waiting
  %beyond = sub i64 64, %lanes
  %all_lanes = lshr i64 -1, %beyond
  store i64 %all_lanes, ptr %live
  %no_games = icmp eq i64 %games, 0
  br i1 %no_games, label %end, label %refill

refill:
  %empty = phi i64 [ %all_lanes, %entry ], [ %ended, %finished ]
  %whole = call i1 @refill(ptr %room, i64 %empty, ptr %decks, i64 %seed, i64 %base, i64 %games, ptr %left, ptr %fired, i64 %seats)
  br i1 %whole, label %turn, label %not_whole
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
  %leaving = and i64 %gone_mask, %live_now
  %staying = xor i64 %leaving, -1
  %over_now = and i64 %over_mask, %live_now
  %finishing = and i64 %over_now, %staying
  %ended = or i64 %finishing, %leaving
  %none_ended = icmp eq i64 %ended, 0
  br i1 %none_ended, label %turn, label %each_leaving

each_leaving:
  %rest = phi i64 [ %leaving, %pass ], [ %others, %leave ]
  %none_leaves = icmp eq i64 %rest, 0
  br i1 %none_leaves, label %finish, label %leave
leave:
  %which = call i64 @llvm.cttz.i64(i64 %rest, i1 true)
  %less_one = add i64 %rest, -1
  %others = and i64 %rest, %less_one
  %number = call i64 @number(ptr %room, i64 %which)
  call void @hand_over(ptr %room, ptr %left, i64 %number)
  br label %each_leaving

finish:
  %none_finishes = icmp eq i64 %finishing, 0
  br i1 %none_finishes, label %finished, label %wait
wait:
  %place = load i64, ptr %waiting
  call void @copy_out(ptr %room, i64 %finishing, i64 %place)
  %no_rings = icmp eq ptr %rings, null
  br i1 %no_rings, label %waiting_more, label %keep_piles
keep_piles:
  call void @keep_rings(ptr %room, i64 %finishing, ptr %rings)
  br label %waiting_more
waiting_more:
  %more = call i64 @llvm.ctpop.i64(i64 %finishing)
  %now_waiting = add i64 %place, %more
  store i64 %now_waiting, ptr %waiting
  %full = icmp uge i64 %now_waiting, %lanes
  br i1 %full, label %tell_all, label %finished
tell_all:
  call void @tell(ptr %room, i64 %lanes, ptr %results, ptr %scores, ptr %marks, ptr %words)
  call void @move_down(ptr %room)
  %still_waiting = sub i64 %now_waiting, %lanes
  store i64 %still_waiting, ptr %waiting
  br label %finished
finished:
  br label %refill

end:
  %last_waiting = load i64, ptr %waiting
  call void @tell(ptr %room, i64 %last_waiting, ptr %results, ptr %scores, ptr %marks, ptr %words)
  %all_left = load i64, ptr %left_count
  ret i64 %all_left
}

; The lanes of a mask take the next games, or are not in use if there is none. It returns whether all decks are whole.
define internal i1 @refill(ptr %room, i64 %mask, ptr %decks, i64 %seed, i64 %base, i64 %games, ptr %left, ptr %fired,
                        i64 %seats) #0 {
entry:
  %following = call ptr @following(ptr %room)
  %refused = call ptr @refused(ptr %room)
  %lanes = call i64 @lanes()
  %last_place = add i64 %lanes, -1
  br label %again
again:
  %empty = phi i64 [ %mask, %entry ], [ %still_empty, %next_game ]
  %none_empty = icmp eq i64 %empty, 0
  br i1 %none_empty, label %full, label %some
full:
  ret i1 true
some:
  %next = load i64, ptr %following
  %some_left = icmp ult i64 %next, %games
  br i1 %some_left, label %block, label %end_all

; A lane that is not in use has a copy of a game, which is over.
end_all:
  call void @copy_in(ptr %room, i64 %empty, i64 0)
  %live = call ptr @live(ptr %room)
  %used = load i64, ptr %live
  %still_used = xor i64 %used, %empty
  store i64 %still_used, ptr %live
  br label %each_end
each_end:
  %unused = phi i64 [ %empty, %end_all ], [ %more_unused, %each_end ]
  %end_at = call i64 @llvm.cttz.i64(i64 %unused, i1 true)
  call void @end_lane(ptr %room, i64 %end_at)
  %unused_less = add i64 %unused, -1
  %more_unused = and i64 %unused, %unused_less
  %all_ended = icmp eq i64 %more_unused, 0
  br i1 %all_ended, label %full, label %each_end

; The first game of a block deals the block.
block:
  %place = and i64 %next, %last_place
  %is_first = icmp eq i64 %place, 0
  br i1 %is_first, label %deal, label %take
deal:
  %no_decks = icmp eq ptr %decks, null
  br i1 %no_decks, label %shuffle, label %read
shuffle:
  %not_dealt = call i64 @deal_shuffled(ptr %room, i64 %seed, i64 %base, i64 %next, i64 %games, ptr %fired, i64 %seats)
  br label %dealt
read:
  %not_whole = call i64 @deal_given(ptr %room, ptr %decks, i64 %seed, i64 %base, i64 %next, i64 %games, ptr %fired, i64 %seats)
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

; The lowest empty lanes take games, as many as there are in the block.
take:
  %in_block = sub i64 %lanes, %place
  %in_call = sub i64 %games, %next
  %there_are = call i64 @llvm.umin.i64(i64 %in_block, i64 %in_call)
  %all_empty = call i64 @llvm.ctpop.i64(i64 %empty)
  %count = call i64 @llvm.umin.i64(i64 %there_are, i64 %all_empty)
  br label %too_many
too_many:
  %lowest = phi i64 [ %empty, %take ], [ %without_highest, %fewer ]
  %lowest_count = phi i64 [ %all_empty, %take ], [ %one_less, %fewer ]
  %enough = icmp eq i64 %lowest_count, %count
  br i1 %enough, label %begin, label %fewer
fewer:
  %zeros = call i64 @llvm.ctlz.i64(i64 %lowest, i1 true)
  %highest = lshr i64 -9223372036854775808, %zeros
  %without_highest = xor i64 %lowest, %highest
  %one_less = add i64 %lowest_count, -1
  br label %too_many
begin:
  call void @copy_in(ptr %room, i64 %lowest, i64 %place)
  %after = add i64 %next, %count
  store i64 %after, ptr %following
  %left_empty = xor i64 %empty, %lowest
  %refused_mask = load i64, ptr %refused
  %refused_here = lshr i64 %refused_mask, %place
  br label %each_taken

; A game that was not dealt is handed over as -1 minus its number, and its lane is empty again.
each_taken:
  %taken = phi i64 [ %lowest, %begin ], [ %more_taken, %good ]
  %refusals = phi i64 [ %refused_here, %begin ], [ %more_refusals, %good ]
  %now_empty = phi i64 [ %left_empty, %begin ], [ %once_more, %good ]
  %none_refused = icmp eq i64 %refusals, 0
  %none_taken = icmp eq i64 %taken, 0
  %all_seen = or i1 %none_refused, %none_taken
  br i1 %all_seen, label %next_game, label %look
look:
  %lane = call i64 @llvm.cttz.i64(i64 %taken, i1 true)
  %is_refused = trunc i64 %refusals to i1
  br i1 %is_refused, label %refuse, label %good
refuse:
  %number = call i64 @number(ptr %room, i64 %lane)
  %mark = xor i64 %number, -1
  call void @hand_over(ptr %room, ptr %left, i64 %mark)
  %bit = shl i64 1, %lane
  %with_lane = or i64 %now_empty, %bit
  br label %good
good:
  %once_more = phi i64 [ %now_empty, %look ], [ %with_lane, %refuse ]
  %less_one = add i64 %taken, -1
  %more_taken = and i64 %taken, %less_one
  %more_refusals = lshr i64 %refusals, 1
  br label %each_taken
next_game:
  %still_empty = phi i64 [ %now_empty, %each_taken ]
  br label %again
}

; The number of the game of a lane.
define internal i64 @number(ptr %room, i64 %lane) #1 {
  %at = call ptr @id(ptr %room, i64 %lane)
  %id = load i32, ptr %at
  %number = zext i32 %id to i64
  ret i64 %number
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

; The results that wait are counted by value, or each is written.
define internal void @tell(ptr %room, i64 %count, ptr %results, ptr %scores, ptr %marks, ptr %words) #0 {
  %counts = icmp ne ptr %words, null
  br i1 %counts, label %count_values, label %keep
count_values:
  call void @count(ptr %room, i64 %count, ptr %results, ptr %words)
  ret void
keep:
  call void @keep(ptr %room, i64 %count, ptr %results, ptr %scores)
  %no_marks = icmp eq ptr %marks, null
  br i1 %no_marks, label %kept, label %keep_more
keep_more:
  call void @keep_marks(ptr %room, i64 %count, ptr %marks)
  br label %kept
kept:
  ret void
}

declare i64 @llvm.cttz.i64(i64, i1)
declare i64 @llvm.ctlz.i64(i64, i1)
declare i64 @llvm.ctpop.i64(i64)
declare i64 @llvm.umin.i64(i64, i64)

attributes #0 = { nounwind "no-builtins" }
attributes #1 = { alwaysinline nounwind "no-builtins" }
