/* Code shared by both games: random numbers of matches, and rows in the format of the native engine. */
#include <stdint.h>
#include <string.h>

typedef int64_t i64;
typedef uint64_t u64;
#define STEP 0x9E3779B97F4A7C15u
#define MIX1 0xBF58476D1CE4E5B9u
#define MIX2 0x94D049BB133111EBu

static inline u64 word(u64 *state) {
    u64 z = *state += STEP;
    z = (z ^ (z >> 30)) * MIX1;
    z = (z ^ (z >> 27)) * MIX2;
    return z ^ (z >> 31);
}

static inline i64 below(u64 *state, i64 count) { return (i64)((unsigned __int128)word(state) * (u64)count >> 64); }

static void mix(u64 *state, i64 *items, i64 count) {
    for (i64 last = count - 1; last > 0; last--) {
        i64 other = below(state, last + 1), held = items[last];
        items[last] = items[other];
        items[other] = held;
    }
}

/* Play a match with one seed. The row has decisions, 0, winners as a bit set, and scores by seat. */
static void play_one(u64 cards, u64 moves, i64 *row);

void play(u64 seed, i64 matches, i64 *rows) {
    for (i64 i = 0; i < matches; i++, seed++) {
        u64 own = seed * STEP + MIX2, dealt = seed * STEP + MIX1;
        play_one(word(&dealt), word(&own), rows + i * (3 + PLAYERS));
    }
}
