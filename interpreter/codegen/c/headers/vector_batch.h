/* Vectorized matches: each call plays one decision in each match. The generated code defines the tables `LOOK_…` of
   observations, `SITE_…`, `GROUP_…` and `PART_…` of action numbers, and `SCORE_…` of rewards. */

typedef struct { /* mirror of `Rows` in cardlang/adapters/match_batch.py */
    i64 count, room, longest, by_place; /* matches; stored choices of each; move limit; whether rewards are by place */
    char *states; /* states of the matches */
    float *seen, *gained; /* by match: observation of the current player; by match and seat: reward of the last move */
    unsigned char *open; /* action mask, by match and action number */
    int32_t *asked; /* by match, the current player */
    unsigned char *ended, *cut; /* by match, whether it ended with the last move, or hit the move limit */
    unsigned char *aside; /* by match, whether Python plays it: see below */
    u64 *seeds; /* by match; the next match in its row has a seed higher by `count` */
    i64 *made, *choices; /* by match, the number of choices, and the choices */
} Rows;

/* Values of `aside`: played here; a rule failed or there is no room; moves share a number; match after match ends
   without a decision. */
enum { HERE, FAULTY, ALIKE, NOBODY };
#define MOST_IDLE 1000

static inline S *state_of(const Rows *r, i64 i) { return (S *)(r->states + i * (i64)sizeof(S)); }

static inline int is_seen(const S *s, i64 card, i64 seat) {
    i64 pile = s->loc[card];
    return (s->known[card] | (pile >= 0 ? SEES[pile] : 0)) >> seat & 1;
}

/* ---- action numbers */
static i64 number_of_card(const S *s, i64 card) {
    if (card < 0 || is_seen(s, card, s->who)) return CARD_FACE[card];
    const Pile *pile = &s->z[s->loc[card]];
    i64 place = 0;
    while (place < pile->n && pile->v[place] != card) place++;
    return LOOK_FACES + place;
}

static i64 number_of_move(const S *s, i64 site, i64 code) { /* return -1 for a move too large to be offered */
    if (!code) return SITE_PICKS[site] && !(SITE_MAY[site] && !s->picks.n);
    i64 options = SITE_OPTIONS[site], value = options ? (code - 1) / options : code - 1;
    i64 group = SITE_GROUPS[site] + (options ? (code - 1) % options : 0), number = 0;
    for (i64 part = GROUP_PARTS[group]; part < GROUP_PARTS[group + 1]; part++) {
        i64 radix = PART_RADIX[part], own = radix ? value % radix : value;
        value = radix ? value / radix : 0;
        if (PART_CARD[part]) own = number_of_card(s, own);
        if (own >= PART_SIZE[part]) return -1;
        number = number * PART_SIZE[part] + own;
    }
    return GROUP_BASE[group] + number;
}

/* Return whether each move has its own number, and at least one move has a number. */
static int mark_open(const S *s, unsigned char *open) {
    i64 site = SITE_OF[s->frames[s->depth - 1].x[0]];
    int some = 0;
    memset(open, 0, ACTIONS);
    for (i64 i = 0; i < s->choices; i++) {
        i64 number = number_of_move(s, site, s->legal[i]);
        if (number < 0) continue;
        if (open[number]) return 0;
        open[number] = some = 1;
    }
    return some;
}

static i64 code_of(const S *s, i64 number) { /* return the code of a legal move; -1: none has this number */
    i64 site = SITE_OF[s->frames[s->depth - 1].x[0]];
    for (i64 i = 0; i < s->choices; i++) if (number_of_move(s, site, s->legal[i]) == number) return s->legal[i];
    return -1;
}

/* ---- observations */
static float *look_at_piles(const S *s, i64 seat, float *to) {
    for (int pile = 0; pile < ZONES; pile++, to += LOOK_FACES + 2) {
        const Pile *here = &s->z[pile];
        i64 sees = SEES[pile];
        to[0] = (float)here->n;
        for (i64 i = 0; i < here->n; i++) {
            i64 card = here->v[i];
            if (!((s->known[card] | sees) >> seat & 1)) continue;
            to[2 + CARD_FACE[card]] += 1;
            if (i == here->n - 1) to[1] = (float)(CARD_FACE[card] + 1);
        }
    }
    return to;
}

static void look(const S *s, i64 seat, float *to) {
    memset(to, 0, sizeof(float) * LOOK_SIZE);
    to[seat] = 1;
    to[PLAYERS + s->who] = 1;
    to = look_at_piles(s, seat, to + 2 * PLAYERS);
    for (int i = 0; i < LOOK_TRACKS; i++) {
        i64 value = s->t[LOOK_SLOT[i]], scale = LOOK_SCALE[i];
        if (LOOK_OWNER[i] != EVERY_SEAT && LOOK_OWNER[i] != seat) continue;
        if (!scale) to[i] = (float)(value + 1); /* a player or a value of a kind, from 1; 0: none */
        else if (scale < 0) to[i] = value != 0;
        else if (value == UNLIMITED) to[i] = -1;
        else if (value != NO_NUMBER) to[i] = (float)((double)value / (double)scale);
    }
}

static void tell_gains(S *s, i64 by_place, float *to) {
    i64 told[PLAYERS];
    if (by_place) {
        tell_places(s, told);
        for (int i = 0; i < PLAYERS; i++)
            for (int j = 0; j < PLAYERS; j++) to[i] += (float)((told[i] < told[j]) - (told[i] > told[j]));
        return;
    }
    tell_scores(s, told);
    for (int i = 0; i < PLAYERS; i++) {
        if (told[i] == UNLIMITED) fail(s, NO_ROOM);
        i64 score = told[i] == NO_NUMBER ? 0 : told[i];
        to[i] = (float)((double)(score - SCORE_START[i]) / (double)SCORE_SCALE);
    }
}

/* ---- steps */
static int show(Rows *r, i64 i) { /* write the current decision; return a value of `aside` */
    S *s = state_of(r, i);
    r->asked[i] = (int32_t)s->who;
    look(s, s->who, r->seen + i * LOOK_SIZE);
    return mark_open(s, r->open + i * ACTIONS) ? HERE : ALIKE;
}

static void forget(Rows *r, i64 i) {
    memset(r->gained + i * PLAYERS, 0, sizeof(float) * PLAYERS);
    r->ended[i] = r->cut[i] = 0;
}

/* Make the moves with these codes and write the next decisions. Code -1 leaves a match unchanged, and -2 starts one. A
   match that is over is followed by the next one. */
OPEN i64 rows_step(Work *w, Rows *r, const i64 *codes) {
    enum { MOVE, MOVED, NEXT, BEGUN };
    volatile i64 i = 0, idle = 0;
    volatile int at = MOVE;
    if (setjmp(w->at_fault)) r->aside[i++] = FAULTY, at = MOVE;
    if (setjmp(w->at_finish)) {
        S *s = state_of(r, i);
        go(s, unwind(s, w->finished));
    }
    for (; i < r->count; at == MOVE ? i++ : 0) {
        S *s = state_of(r, i);
        s->w = w;
        if (at == MOVE) {
            if (codes[i] == -1) continue;
            forget(r, i);
            idle = r->aside[i] = HERE;
            at = codes[i] == -2 ? NEXT : MOVED;
            if (at == MOVED) {
                r->choices[i * r->room + r->made[i]++] = codes[i];
                make(s, codes[i]);
            }
        }
        if (at == MOVED) {
            r->ended[i] = s->who < 0;
            r->cut[i] = s->who >= 0 && r->made[i] >= r->longest;
            if (r->ended[i]) tell_gains(s, r->by_place, r->gained + i * PLAYERS);
            at = r->ended[i] || r->cut[i] ? NEXT : BEGUN;
            if (at == NEXT) r->seeds[i] += (u64)r->count;
        }
        if (at == NEXT) {
            r->made[i] = 0;
            at = BEGUN;
            s->checking = 0;
            begin(s, r->seeds[i]);
        }
        if (s->who < 0 && ++idle < MOST_IDLE) {
            r->seeds[i] += (u64)r->count;
            at = NEXT;
            continue;
        }
        r->aside[i] = s->who < 0 ? NOBODY : show(r, i);
        at = MOVE;
    }
    return NONE;
}

/* Convert action numbers to codes, for matches played here. Return the first match in which the move is illegal, or
   NONE. */
OPEN i64 rows_codes(const Rows *r, const i64 *numbers, i64 *codes) {
    for (i64 i = 0; i < r->count; i++) {
        if (r->aside[i] != HERE) continue;
        i64 number = numbers[i];
        if (number < 0 || number >= ACTIONS || !r->open[i * ACTIONS + number]) return i;
        codes[i] = code_of(state_of(r, i), number);
    }
    return NONE;
}

/* Select a uniformly random legal move for each match played here. */
OPEN i64 rows_random(const Rows *r, u64 seed, i64 *numbers) {
    for (i64 i = 0; i < r->count; i++) {
        const S *s = state_of(r, i);
        if (r->aside[i] != HERE) continue;
        do numbers[i] = number_of_move(s, SITE_OF[s->frames[s->depth - 1].x[0]],
            s->legal[(i64)scaled_down(word_after(&seed), (u64)s->choices)]);
        while (numbers[i] < 0);
    }
    return NONE;
}
