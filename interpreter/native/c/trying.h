/* Moves are tried out in matches that could be the real one: the C counterpart of interpreter/players/outcomes.py and of
   the trial games of interpreter/players/search.py. */

#define TRIED 64 /* so many moves are tried at most */
#define TAUGHT 4 /* of each move so many trial games of a decision teach habits: all of them have the same hand in one seat,
    and others would learn to play against that hand as if they saw it */
#define UNSTEP 0xF1DE83E19937733Du /* times this, so many steps are their number */

/* A move and what its trial games came to, as `Tried` in interpreter/players/outcomes.py. */
typedef struct { double games, first, place, gain, ended, placed, led, leads, squares, lost; } Tried;

typedef struct {
    double ahead, gain; /* the largest so far, or their opposite */
    double before[PLAYERS], lives; /* at the decision */
    i64 horizon, deal, learnt; /* deal: a new one draws so many numbers; learnt: how many trial games taught habits */
    u64 moves;
    Habits *habits;
    S world, play, other;
    Careful careful;
    Tried tried[TRIED];
#ifdef BETS
    Supposed supposed;
#endif
} Trial;

static void place_share(S *s, i64 seat, double *worse, double *first) {
    if (SHARED) {
        *worse = *first = won(s) != 0;
        return;
    }
    i64 place[PLAYERS], equals = 0;
    tell_places(s, place);
    for (int i = 0; i < PLAYERS; i++) equals += place[i] == place[seat];
    *worse = PLAYERS > 1 ? 1 - ((double)(place[seat] - 1) + (double)(equals - 1) / 2) / (PLAYERS - 1) : 0.5;
    *first = place[seat] == 1 ? 1 / (double)equals : 0;
}

static int is_same_deal(S *s, u64 begun, const Trial *t) { return s->rng == begun || (i64)((s->rng - begun) * UNSTEP) < t->deal; }

/* How high each player stands where a trial game ends; amid a deal less half of what the best split of their cards
   leaves. */
static void where_it_ends(S *s, u64 begun, const Trial *t, double *to) {
    levels(s, to);
#ifdef READS_SPLIT
    if (s->who < 0 || !is_same_deal(s, begun, t)) return;
    for (int seat = 0; seat < PLAYERS; seat++) {
        const Reading *reading = own_reading(s, seat);
        if (reading) to[seat] += (double)reading->strength[0] / 2;
    }
#endif
}

static int dealt_again(S *s, u64 begun, const Trial *t) { /* another deal has begun, and the last one was counted */
    if (is_same_deal(s, begun, t)) return 0;
    double now[PLAYERS];
    levels(s, now);
    return memcmp(now, t->before, sizeof now) != 0;
}

static i64 next_move(Trial *t, S *s) { /* in a trial game */
    i64 sure = SHARED && s->choices > 1 ? sure_move(&t->careful, s, &t->moves) : -1;
    if (sure >= 0) return sure;
    if (SHARED) leave_out_gambles(&t->careful, s);
    return s->legal[habit(t->habits, s, &t->moves)];
}

static void play_so(Trial *t, S *s, i64 code) {
    if (SHARED) play_noting(&t->careful, s, code);
    else play_move(s, code);
}

static void begin_noting(Onlooker *o, Trial *t) { /* with what everybody knows of the cards of the last sample */
    for (int card = 0; SHARED && card < CARDS; card++)
        copy((i64 *)t->careful.may[o->to[card]], (i64 *)o->may[card], FACE_WORDS);
}

static void play_out(S *s, Trial *t, u64 begun) { /* to the end of the match, the next deal, or the horizon */
    for (i64 left = t->horizon; s->who >= 0 && left > 0 && !dealt_again(s, begun, t); left--)
        play_so(t, s, next_move(t, s));
}

static void begin_game(Onlooker *o, Trial *t, S *s, i64 code) { /* a trial game, which begins with this move */
    i64 site = site_of(s);
    t->habits->length = 0;
    t->habits->before = OPTIONS[site] ? class_of(site, code) : o->done;
}

/* A match that could be the real one, as likely as what others did would be in it. */
#ifdef BETS
static int likely_world(Onlooker *o, Trial *t) {
    return t->supposed.n ? sample_supposed(o, &t->supposed, &t->world) : sample(o, &t->world);
}
#else
static int likely_world(Onlooker *o, Trial *t) { /* one of a few */
    if (!sample(o, &t->world)) return 0;
    double all = o->chosen ? likelihood(t->habits, o) : 0;
    for (int i = 1; o->chosen && !SHARED && i < COMPARED; i++) {
        if (!sample(o, &t->other)) return 0;
        double likely = likelihood(t->habits, o);
        all += likely;
        if ((double)(word_after(&t->moves) >> 11) / 9007199254740992.0 * all < likely) {
            clone(&t->world, &t->other);
            t->world.w = o->now.w, t->world.checking = 0;
        }
    }
    return 1;
}
#endif

static void count_outcome(S *s, Trial *t, const double *now, i64 seat, Tried *to) {
    double worse, first;
    place_share(s, seat, &worse, &first);
    double ahead = lead_of(now, seat), gain = now[seat] - t->before[seat];
    to->games++, to->first += first, to->place += worse, to->gain += gain, to->leads += ahead, to->squares += ahead * ahead;
    to->lost += t->lives - LIVES(s);
    if (s->who < 0) to->ended++, to->placed += 2 * worse - 1, to->led += ahead;
    if (!SHARED && (ahead > t->ahead || -ahead > t->ahead)) t->ahead = ahead > 0 ? ahead : -ahead;
    if (gain > t->gain || -gain > t->gain) t->gain = gain > 0 ? gain : -gain;
}

OPEN i64 native_size_of_trial(void) { return sizeof(Trial); }

OPEN i64 native_size_of_habits(void) { return sizeof(Habits); }

/* `habits`: of the player, who keeps them. */
OPEN i64 native_begin_trial(Trial *t, Habits *habits, u64 moves, i64 horizon, i64 deal) {
    t->habits = habits;
    memset(t->tried, 0, sizeof t->tried);
    t->ahead = t->gain = 0;
    t->learnt = 0;
#ifdef BETS
    t->supposed.n = 0;
#endif
    t->habits->staying = 0;
    t->moves = moves, t->horizon = horizon, t->deal = deal;
    return 0;
}

/* Plays the first deals of so many matches, in which everybody goes by habits, and these learn from all. Gives how many
   were played. */
OPEN i64 native_practise(Work *w, Trial *t, i64 deals) {
    volatile i64 deal = 0, played = 0;
    S *s = &t->play;
    for (; deal < deals; deal++) {
        if (native_start(w, s, word_after(&t->moves), 0) != NONE || s->who < 0) continue;
        if (setjmp(w->at_fault)) continue; /* counts for nothing */
        t->habits->length = t->habits->before = 0;
        u64 begun = s->rng;
        double now[PLAYERS];
        levels(s, t->before);
        play_out(s, t, begun);
        where_it_ends(s, begun, t, now);
        learn_from(t->habits, now);
        played++;
    }
    return played;
}

#ifdef BETS
static int has_hand(Work *w, Onlooker *o, Trial *t) { /* who is asked holds cards that count */
    if (setjmp(w->at_fault) || !sample(o, &t->world)) return 0;
    const Reading *own = own_reading(&t->world, o->seat);
    return own && own->cards.n > 0;
}
#endif

/* Where players bet: what others may hold after what they have done. Before the first trial game of a decision.
   `wild`: how likely each player bets without looking at their hand. Gives whether all stay in in the trial games: where
   something else than a bet is decided about a hand, what it is worth counts, and not how others bet on theirs. */
OPEN i64 native_suppose(Work *w, Onlooker *o, Trial *t, const double *wild) {
#ifdef BETS
    o->now.w = w;
    t->habits->compared = -1;
    i64 bets = is_bet(site_of(&o->now));
    if (bets || o->chosen) suppose(w, o, &t->supposed, wild, &t->world);
    if (bets) compare_hands(w, o, t->habits, &t->world);
    return t->habits->staying = !bets && has_hand(w, o, t);
#else
    return 0;
#endif
}

/* Of what can be won, the part that comes to who is asked if everybody stays in; -1 where nothing can be won. */
#ifdef BETS
static double won_by_staying(Onlooker *o, Trial *t, double price, double winnable) {
    S *s = &t->play;
    double now[PLAYERS];
    u64 begun = s->rng;
    levels(s, t->before);
    t->habits->length = 0, t->habits->before = o->done;
    play_out(s, t, begun);
    levels(s, now);
    double gained = now[o->seat] - t->before[o->seat] + price, whole = winnable + price;
    if (gained <= 0) return 0;
    return gained + (s->who >= 0 ? pot_of(s) : 0) >= whole ? 1 : gained / whole; /* what is staked by now is of the next deal */
}
#endif

/* The mean of that over so many samples, and how many of them could be played. */
OPEN i64 native_stay(Work *w, Onlooker *o, Trial *t, i64 rounds, double *to) {
    to[0] = to[1] = 0;
#ifdef BETS
    volatile i64 round = 0, played = 0;
    volatile double won = 0;
    o->now.w = w;
    t->habits->staying = 1;
    for (; round < rounds; round++) {
        if (setjmp(w->at_fault) || !likely_world(o, t)) continue;
        clone(&t->play, &t->world);
        t->play.w = w;
        double price = price_of(&t->play), winnable = winnable_of(&t->play);
        if (winnable <= 0) break;
        won += won_by_staying(o, t, price, winnable);
        played++;
    }
    t->habits->staying = 0;
    to[1] = (double)played;
    if (played) to[0] = won / to[1];
#endif
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
            if (!likely_world(o, t)) continue;
            levels(&t->world, t->before);
            t->lives = LIVES(&t->world);
            played++;
        }
        if (setjmp(w->at_fault)) at++;
        for (; at < count; at++) {
            clone(&t->play, &t->world);
            t->play.w = w;
            u64 begun = t->play.rng;
            begin_game(o, t, &t->play, t->play.legal[places[at]]);
            begin_noting(o, t);
            play_so(t, &t->play, t->play.legal[places[at]]);
            play_out(&t->play, t, begun);
            double now[PLAYERS];
            where_it_ends(&t->play, begun, t, now);
            if (!t->habits->staying && t->learnt++ < TAUGHT * count) learn_from(t->habits, now);
            count_outcome(&t->play, t, now, o->seat, &t->tried[places[count + at]]);
        }
    }
    return played;
}

/* A match that could be the real one, as likely as what others did would be in it: NONE, or what is at fault. */
OPEN i64 native_likely(Work *w, Onlooker *o, Trial *t, S *to) {
    o->now.w = w;
    if (setjmp(w->at_fault)) return w->fault;
    if (!likely_world(o, t)) return BROKEN;
    clone(to, &t->world);
    return NONE;
}

/* What earlier trial games tell of some moves, with a hand like this and at such a stake: of each
   the lead that is expected, its variance, how many games told it. */
OPEN i64 native_expected(Work *w, Onlooker *o, Trial *t, const i64 *places, i64 count, double *to) {
    S *s = &t->world;
    memset(to, 0, sizeof(double) * 3 * (u64)count);
    o->now.w = s->w = w;
    if (setjmp(w->at_fault)) return w->fault;
    if (!sample(o, s)) return BROKEN; /* not the match itself: levels may depend on what is hidden */
    i64 site = site_of(s);
    if (!is_telling(site)) return NONE;
    double now[PLAYERS];
    i64 grade = classify(t->habits, s, site);
    levels(s, now);
    u64 key = situation(site, o->done, grade, at_stake(t->habits, now));
    for (i64 i = 0; i < count; i++) {
        Record *record = record_of(t->habits, in_class(key, t->habits->classes[places[i]]), 0);
        if (!record || !record->games) continue;
        to[3 * i] = lead_of(now, o->seat) + record->mean, to[3 * i + 1] = spread_of(record), to[3 * i + 2] = record->games;
    }
    return NONE;
}

/* Of some moves how often they bring more, over all that a card can be which their maker cannot tell. */
OPEN i64 native_how_often(Work *w, Onlooker *o, Trial *t, const i64 *places, i64 count, i64 *to) {
    S *s = &t->world;
    memset(to, 0, sizeof(i64) * (u64)count);
    o->now.w = s->w = w;
    if (!SHARED) return NONE;
    if (setjmp(w->at_fault)) return w->fault;
    if (!sample(o, s)) return BROKEN;
    begin_noting(o, t);
    for (i64 i = 0; i < count; i++) {
        i64 code = s->legal[places[i]], card = unseen_in(s, code);
        to[i] = card < 0 ? NEVER : how_often(&t->careful, s, code, card, 0);
    }
    return NONE;
}

OPEN i64 native_tried(const Trial *t, double *to, i64 count) {
    memcpy(to, t->tried, sizeof(Tried) * (u64)count);
    to[count * (i64)(sizeof(Tried) / sizeof(double))] = t->ahead;
    to[count * (i64)(sizeof(Tried) / sizeof(double)) + 1] = t->gain;
    return 0;
}
