/* Handwritten Leduc Poker, with the moves of games/classics/leduc_poker.cardgame in the same order. */
#define PLAYERS 2
#include "play.h"

enum { CHECK, BET, CALL, RAISE, FOLD };

typedef struct {
    i64 deck[6], hand[2], board, chips[2], staked[2], folded[2], acted[2];
    i64 bettor, raises, size, who, legal[3], choices;
} Leduc;

static void list_moves(Leduc *g) {
    i64 n = 0, owed = g->staked[!g->who] - g->staked[g->who];
    if (owed <= 0) {
        g->legal[n++] = CHECK;
        if (g->bettor < 0) g->legal[n++] = BET;
    } else {
        g->legal[n++] = CALL;
        if (g->raises < 1 && !g->acted[g->who]) g->legal[n++] = RAISE;
        g->legal[n++] = FOLD;
    }
    g->choices = n;
}

static void pay(Leduc *g, i64 sum) {
    g->chips[g->who] -= sum;
    g->staked[g->who] += sum;
}

static void apply(Leduc *g, i64 move) {
    i64 owed = g->staked[!g->who] - g->staked[g->who];
    switch (move) {
        case RAISE: g->raises++; /* fall through */
        case BET:
            pay(g, owed + g->size);
            g->acted[!g->who] = 0;
            g->bettor = g->who;
            break;
        case CALL: pay(g, owed); break;
        case FOLD: g->folded[g->who] = 1; break;
    }
    g->acted[g->who] = 1;
    g->who = !g->who;
}

static int is_asked(const Leduc *g) {
    return !g->folded[0] && !g->folded[1] && (g->staked[0] != g->staked[1] || !g->acted[g->who]);
}

static i64 strength(const Leduc *g, i64 seat) {
    return g->hand[seat] == g->board ? 10 : g->hand[seat];
}

static void settle(Leduc *g) {
    i64 pot = g->staked[0] + g->staked[1], first, second;
    if (g->folded[0] || g->folded[1]) {
        g->chips[g->folded[0]] += pot;
        return;
    }
    first = strength(g, 0), second = strength(g, 1);
    if (first == second) g->chips[0] += pot / 2, g->chips[1] += pot / 2;
    else g->chips[second > first] += pot;
}

static void play_one(u64 cards, u64 moves, i64 *row) {
    Leduc g = {.chips = {12, 12}, .staked = {1, 1}};
    i64 opener = !below(&cards, 2), decisions = 0;
    for (i64 i = 0; i < 6; i++) g.deck[i] = i;
    mix(&cards, g.deck, 6);
    g.hand[0] = g.deck[5] / 2 + 1, g.hand[1] = g.deck[4] / 2 + 1;
    for (int round = 0; round < 2 && !g.folded[0] && !g.folded[1]; round++) {
        if (round) g.board = g.deck[3] / 2 + 1;
        g.size = round ? 4 : 2, g.bettor = -1, g.raises = 0, g.acted[0] = g.acted[1] = 0, g.who = opener;
        while (is_asked(&g)) {
            list_moves(&g);
            apply(&g, g.legal[below(&moves, g.choices)]);
            decisions++;
        }
    }
    settle(&g);
    row[0] = decisions, row[1] = 0;
    row[2] = (g.chips[0] >= g.chips[1]) | (g.chips[1] >= g.chips[0]) << 1;
    row[3] = g.chips[0], row[4] = g.chips[1];
}
