/* Mau-Mau with a small deck, written by hand from its rules: every state outside of the deal is a position.

   Cards have their codes in rules/cards.py: four times the rank, plus the suit; hands are masks. The piles are one row,
   the draw pile first, the open card last. Each option of the loop is one event. PLAYERS, EACH and DECK(OF), which lists
   OF(card) for each card, are defined by the caller (benchmarks/explorer.py). */

#define SEVEN 2
#define EIGHT 3
#define JACK 7
#define NONE 255
#define RANK(c) ((c) >> 2)
#define SUIT(c) ((c) & 3)
#define BIT(c) (1 << (c))
#define COUNT(c) + 1
#define CARDS (0 DECK(COUNT))

mtype = { opening, await_play, penalty_pending, skip_pending, jack_binding, drawing, reshuffle, game_over }
mtype = { none, won, out_of_cards, endless }

mtype phase = opening;
mtype ending = none;
byte player, due, punished, stock, size;
byte drawn = NONE, bound = NONE, winner = NONE;
int hands[PLAYERS];
byte row[CARDS];
byte dealt;
int left;
hidden byte place;

#define OPEN row[size - 1]
#define HELD(c) (hands[player] & BIT(c))
#define LAST(c) (hands[player] == BIT(c))
#define UNDER (size - stock - 1)
#define EXHAUSTED (size == 1)
#define FITS(c) (RANK(c) == JACK || SUIT(c) == SUIT(OPEN) || RANK(c) == RANK(OPEN))
#define BOUND(c) (RANK(c) != JACK && (bound == NONE || SUIT(c) == bound))
#define PLAYABLE(c) (HELD(c) && ((RANK(OPEN) == JACK && BOUND(c)) || (RANK(OPEN) != JACK && FITS(c))))
#define OR_PLAYABLE(c) || PLAYABLE(c)
#define OR_SEVEN(c) || (HELD(c) && RANK(c) == SEVEN)
#define CAN_PLAY (0 DECK(OR_PLAYABLE))
#define HAS_SEVEN (0 DECK(OR_SEVEN))

#define MAY_PLAY(c) \
    (((phase == await_play || phase == jack_binding) && PLAYABLE(c)) \
     || (phase == penalty_pending && HELD(c) && RANK(c) == SEVEN) \
     || (phase == drawing && due == 0 && !punished && drawn == c && PLAYABLE(c)))

inline lay(c) { hands[player] = hands[player] ^ BIT(c); bound = NONE; row[size] = c; size++ }
inline end_turn() { drawn = NONE; punished = 0 }
inline next_player() { player = (player + 1) % PLAYERS }
inline after_card(c) {
    if
    :: RANK(c) == SEVEN -> due = due + 2; phase = penalty_pending
    :: RANK(c) == EIGHT -> phase = skip_pending
    :: RANK(c) == JACK -> phase = jack_binding
    :: else -> phase = await_play
    fi
}
inline take() {
    hands[player] = hands[player] | BIT(row[0]); drawn = row[0]; due--; stock--; size--; place = 0;
    do
    :: place < size -> row[place] = row[place + 1]; place++
    :: else -> break
    od;
    row[size] = 0; place = 0
}
inline stop(how) { ending = how; phase = game_over }

#define PLAY(c) \
    :: d_step { MAY_PLAY(c) && !LAST(c) && RANK(c) != JACK -> lay(c); after_card(c); end_turn(); next_player() } \
    :: d_step { MAY_PLAY(c) && LAST(c) && phase != drawing -> lay(c); end_turn(); winner = player; stop(won) } \
    NAME(c, 0) NAME(c, 1) NAME(c, 2) NAME(c, 3)
#define NAME(c, s) \
    :: d_step { MAY_PLAY(c) && !LAST(c) && RANK(c) == JACK -> \
                lay(c); bound = s; after_card(c); end_turn(); next_player() }
#define TO_HAND(c) :: left & BIT(c) -> left = left ^ BIT(c); hands[dealt % PLAYERS] = hands[dealt % PLAYERS] | BIT(c)
#define TO_ROW(c) :: left & BIT(c) -> left = left ^ BIT(c); row[dealt] = c
#define OR_BIT(c) | BIT(c)

active proctype game() {
    atomic {
        left = 0 DECK(OR_BIT);
        do
        :: dealt < PLAYERS * EACH -> if DECK(TO_HAND) fi; dealt++
        :: else -> dealt = 0; break
        od;
        do
        :: left -> if DECK(TO_ROW) fi; dealt++
        :: else -> size = dealt; stock = size - 1; dealt = 0; break
        od
    }
    end: do
    :: d_step { phase == opening -> after_card(OPEN); place = 0 }
    DECK(PLAY)
    :: d_step { (phase == await_play || phase == jack_binding) && (!EXHAUSTED || !CAN_PLAY) -> due = 1; phase = drawing }
    :: d_step { phase == penalty_pending && (!EXHAUSTED || !HAS_SEVEN) -> punished = 1; phase = drawing }
    :: d_step { phase == await_play || phase == penalty_pending || phase == jack_binding -> stop(endless) }
    :: d_step { phase == skip_pending -> next_player(); phase = await_play }
    :: d_step { phase == drawing && due > 0 && stock > 0 && !(stock == 1 && UNDER > 0) -> take() }
    :: d_step { phase == drawing && due > 0 && stock == 1 && UNDER > 0 -> take(); phase = reshuffle }
    :: d_step { phase == drawing && due > 0 && stock == 0 && UNDER > 0 -> stock = size - 1 }
    :: d_step { phase == drawing && due > 0 && EXHAUSTED -> stop(out_of_cards) }
    :: d_step { phase == drawing && due == 0 && RANK(OPEN) != JACK -> end_turn(); next_player(); phase = await_play }
    :: d_step { phase == drawing && due == 0 && RANK(OPEN) == JACK -> end_turn(); next_player(); phase = jack_binding }
    :: d_step { phase == reshuffle -> stock = size - 1; phase = drawing }
    od
}
