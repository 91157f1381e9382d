// Plays decks with an object file of lanes: play DECKS GAMES CARDS PLAYERS SEED FIRST
// It writes results and scores.
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

int64_t play(const uint8_t *decks, int64_t seed, int64_t first, int64_t games, int32_t *results, int32_t *scores,
             uint8_t *rings, int32_t *marks, int64_t *sums, int64_t *fired, int64_t *used, int64_t *left, void *room,
             int64_t seats);
extern const int64_t room;

static void *zeros(size_t size) {
    size = (size + 127) / 64 * 64;
    char *found = aligned_alloc(64, size);
    for (size_t at = 0; at < size; at++) found[at] = 0;
    return found;
}

int main(int count, char **words) {
    (void)count;
    int64_t games = atoll(words[2]), cards = atoll(words[3]), players = atoll(words[4]);
    uint8_t *decks = zeros(games * cards);
    FILE *file = fopen(words[1], "rb");
    if (!file || fread(decks, cards, games, file) != (size_t)games) return 1;
    int32_t *results = zeros(games * 24), *scores = zeros(games * players * 4);
    int64_t left = play(decks, atoll(words[5]), atoll(words[6]), games, results, scores, 0, 0, 0, 0, 0,
                        zeros(games * 8), zeros(room), 0);
    if (left) return 2;
    fwrite(results, 24, games, stdout);
    fwrite(scores, 4 * players, games, stdout);
    return 0;
}
