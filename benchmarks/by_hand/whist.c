/* Handwritten Whist, with the moves of games/classics/whist.cardgame in the same order. A card is four times its rank
   plus its suit. Hands stay in dealing order, and moves are listed in that order. */
#define PLAYERS 4
#include "play.h"

typedef struct {
    i64 hand[4][13], held[4], deck[52], table[4], on_table, trump, leader, who, tricks[4], points[2], legal[13], choices;
} Whist;

static void list_moves(Whist *g) {
    const i64 *hand = g->hand[g->who];
    i64 held = g->held[g->who];
    g->choices = 0;
    if (g->on_table)
        for (i64 i = 0; i < held; i++) if (!((hand[i] ^ g->table[0]) & 3)) g->legal[g->choices++] = hand[i];
    if (g->choices) return;
    memcpy(g->legal, hand, sizeof(i64) * (u64)held);
    g->choices = held;
}

static int beats(const Whist *g, i64 card, i64 best) {
    if ((card & 3) == (best & 3)) return card > best;
    return (card & 3) == g->trump;
}

static void end_trick(Whist *g) {
    int best = 0;
    for (int i = 1; i < 4; i++) if (beats(g, g->table[i], g->table[best])) best = i;
    g->leader = (g->leader + best) & 3;
    g->tricks[g->leader]++;
    g->on_table = 0;
    g->who = g->leader;
}

static void apply(Whist *g, i64 card) {
    i64 *hand = g->hand[g->who], place = 0;
    while (hand[place] != card) place++;
    for (i64 last = --g->held[g->who]; place < last; place++) hand[place] = hand[place + 1];
    g->table[g->on_table++] = card;
    g->who = (g->who + 1) & 3;
    if (g->on_table == 4) end_trick(g);
}

static void deal(Whist *g, u64 *cards, i64 dealer) {
    for (i64 i = 0; i < 52; i++) g->deck[i] = i;
    mix(cards, g->deck, 52);
    g->trump = g->deck[0] & 3;
    memset(g->tricks, 0, sizeof g->tricks);
    for (i64 i = 0; i < 52; i++) g->hand[(dealer + 1 + i / 13) & 3][i % 13] = g->deck[51 - i];
    for (int seat = 0; seat < 4; seat++) g->held[seat] = 13;
    g->leader = g->who = (dealer + 1) & 3;
    g->on_table = 0;
}

static void play_one(u64 cards, u64 moves, i64 *row) {
    Whist g = {0};
    i64 dealer = below(&cards, 4), decisions = 0;
    for (; g.points[0] < 5 && g.points[1] < 5; dealer = (dealer + 1) & 3) {
        deal(&g, &cards, dealer);
        for (int left = 52; left; left--) {
            list_moves(&g);
            apply(&g, g.legal[below(&moves, g.choices)]);
        }
        decisions += 52;
        for (int team = 0; team < 2; team++) {
            i64 won = g.tricks[team] + g.tricks[team + 2];
            if (won > 6) g.points[team] += won - 6;
        }
    }
    row[0] = decisions, row[1] = 0, row[2] = g.points[1] > g.points[0] ? 10 : 5;
    for (int seat = 0; seat < 4; seat++) row[3 + seat] = g.points[seat & 1];
}
