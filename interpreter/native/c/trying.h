/* Moves are tried out in matches that could be the real one: the C counterpart of interpreter/players/outcomes.py and of
   the trial games of interpreter/players/search.py. */

#define TRIED 64 /* so many moves are tried at most */
#define UNSTEP 0xF1DE83E19937733Du /* times this, so many steps are their number */

static double root(double x) { /* the square root, without a library */
    if (!(x > 0)) return 0;
    double guess = x > 1 ? x : 1;
    for (int i = 0; i < 60; i++) {
        double next = (guess + x / guess) / 2;
        if (next >= guess) break;
        guess = next;
    }
    return guess;
}

/* How high each player stands, by seat: what `order standing` looks at first, else the score; 0 for what is no number. */
static void levels(S *s, double *to) {
    s->w->taken = s->w->deep = 0;
    i64 fuel = s->fuel;
    s->fuel = FUEL;
    L pairs = LEVELS_BY_STANDING ? standing(s) : (L){0};
    for (int seat = 0; seat < PLAYERS; seat++) {
        i64 level = LEVELS_BY_STANDING ? pairs.v[seat * (STANDING_WIDTH + 1)] : SCORE(s, seat);
        to[seat] = level < -LARGEST_NUMBER || level > LARGEST_NUMBER ? 0 : (double)level / LEVEL_SCALE;
    }
    s->fuel = fuel;
}

static double lead_of(const double *level, i64 seat) { /* over the others' mean */
    double others = 0;
    for (int i = 0; i < PLAYERS; i++) if (i != seat) others += level[i];
    return PLAYERS > 1 ? level[seat] - others / (PLAYERS - 1) : 0;
}

/* A move and what its trial games came to, as `Tried` in interpreter/players/outcomes.py. */
typedef struct { double games, first, place, gain, ended, placed, led, leads, squares; } Tried;

typedef struct {
    double ahead, gain; /* the largest so far, or their opposite */
    double before[PLAYERS];
    i64 horizon, deal; /* a new deal draws so many numbers */
    u64 moves;
    S world, play;
    Tried tried[TRIED];
} Trial;

static void place_share(S *s, i64 seat, double *worse, double *first) {
    i64 place[PLAYERS], equals = 0;
    tell_places(s, place);
    for (int i = 0; i < PLAYERS; i++) equals += place[i] == place[seat];
    *worse = PLAYERS > 1 ? 1 - ((double)(place[seat] - 1) + (double)(equals - 1) / 2) / (PLAYERS - 1) : 0.5;
    *first = place[seat] == 1 ? 1 / (double)equals : 0;
}

static int dealt_again(S *s, u64 begun, const Trial *t) { /* another deal has begun, and the last one was counted */
    if (s->rng == begun || (i64)((s->rng - begun) * UNSTEP) < t->deal) return 0;
    double now[PLAYERS];
    levels(s, now);
    return memcmp(now, t->before, sizeof now) != 0;
}

static void play_out(S *s, Trial *t, u64 begun) { /* to the end of the match, the next deal, or the horizon */
    for (i64 left = t->horizon; s->who >= 0 && left > 0 && !dealt_again(s, begun, t); left--)
        play_move(s, s->legal[s->choices > 1 ? drawn(&t->moves, s->choices) : 0]);
}

static void count_outcome(S *s, Trial *t, i64 seat, Tried *to) {
    double now[PLAYERS], worse, first;
    levels(s, now);
    place_share(s, seat, &worse, &first);
    double ahead = lead_of(now, seat), gain = now[seat] - t->before[seat];
    to->games++, to->first += first, to->place += worse, to->gain += gain, to->leads += ahead, to->squares += ahead * ahead;
    if (s->who < 0) to->ended++, to->placed += 2 * worse - 1, to->led += ahead;
    if (ahead > t->ahead || -ahead > t->ahead) t->ahead = ahead > 0 ? ahead : -ahead;
    if (gain > t->gain || -gain > t->gain) t->gain = gain > 0 ? gain : -gain;
}

OPEN i64 native_size_of_trial(void) { return sizeof(Trial); }

OPEN i64 native_begin_trial(Trial *t, u64 moves, i64 horizon, i64 deal) {
    memset(t->tried, 0, sizeof t->tried);
    t->ahead = t->gain = 0;
    t->moves = moves, t->horizon = horizon, t->deal = deal;
    return 0;
}

/* Tries each of some moves (by their place among those that are open, and where what comes of it is counted) once in each
   of `rounds` samples. Gives how many samples were played; those in which a rule is at fault count for nothing. */
OPEN i64 native_try(Work *w, Onlooker *o, Trial *t, const i64 *places, i64 count, i64 rounds) {
    volatile i64 round = 0, at = 0, played = 0;
    o->now.w = w;
    for (; round < rounds; round++, at = 0) {
        if (at == 0) {
            if (setjmp(w->at_fault)) continue; /* no sample */
            if (!sample(o, &t->world)) continue;
            levels(&t->world, t->before);
            played++;
        }
        if (setjmp(w->at_fault)) at++;
        for (; at < count; at++) {
            clone(&t->play, &t->world);
            t->play.w = w;
            u64 begun = t->play.rng;
            play_move(&t->play, t->play.legal[places[at]]);
            play_out(&t->play, t, begun);
            count_outcome(&t->play, t, o->seat, &t->tried[places[count + at]]);
        }
    }
    return played;
}

OPEN i64 native_tried(const Trial *t, double *to, i64 count) {
    memcpy(to, t->tried, sizeof(Tried) * (u64)count);
    to[count * (i64)(sizeof(Tried) / sizeof(double))] = t->ahead;
    to[count * (i64)(sizeof(Tried) / sizeof(double)) + 1] = t->gain;
    return 0;
}
