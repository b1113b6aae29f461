/* Playouts of moves in samples of the match: the C counterpart of interpreter/bots/playout_results.py, and of the playouts
   of interpreter/bots/playout_search.py. */

#define TRIED 64 /* maximum number of moves to try */
/* Number of playouts of each move that teach habits in a decision, apart from secret picks. All of them have the same hand in one seat. More
   would teach the other players to act as if they saw it. */
#define TAUGHT 4
#define UNSTEP 0xF1DE83E19937733Du /* inverse of STEP modulo 2**64; turns a difference of states into steps */

/* Sums over the playouts of a move, like `Tried` in interpreter/bots/playout_results.py. */
typedef struct { double games, first, place, gain, ended, placed, led, leads, squares, lost; } Tried;

typedef struct {
    double ahead, gain; /* largest absolute values so far */
    double before[PLAYERS], lives; /* at the decision */
    i64 horizon, deal, learnt; /* deal: random numbers drawn by a new deal; learnt: playouts that taught habits */
    u64 moves;
    Habits *habits;
    S world, play, other;
    Careful careful;
#ifdef SOLITAIRE
    Solitaire solitaire;
#endif
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

/* Set the level of each player at the end of a playout. During a deal, half the cost of the best split of their cards
   is subtracted. */
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

/* Return whether the next deal has begun and the last deal is scored. */
static int dealt_again(S *s, u64 begun, const Trial *t) {
    if (is_same_deal(s, begun, t)) return 0;
    double now[PLAYERS];
    levels(s, now);
    return memcmp(now, t->before, sizeof now) != 0;
}

static i64 next_move(Trial *t, S *s) { /* return the move in a playout */
    i64 sure = SHARED && s->choices > 1 ? sure_move(&t->careful, s, &t->moves) : -1;
    if (sure >= 0) return sure;
    if (SHARED) leave_out_gambles(&t->careful, s);
    return s->legal[habit(t->habits, s, &t->moves)];
}

static void play_so(Trial *t, S *s, i64 code) {
    if (SHARED) play_noting(&t->careful, s, code);
    else play_move(s, code);
}

static void begin_noting(Onlooker *o, Trial *t) { /* start from the common knowledge of the cards in the last sample */
    for (int card = 0; SHARED && card < CARDS; card++)
        copy((i64 *)t->careful.may[o->to[card]], (i64 *)o->may[card], FACE_WORDS);
}

static void play_out(S *s, Trial *t, u64 begun) { /* play to the end of the match, the next deal, or the horizon */
#ifdef SOLITAIRE
    play_solitaire(&t->solitaire, s, t->horizon, &t->moves);
    return;
#endif
    for (i64 left = t->horizon; s->who >= 0 && left > 0 && !dealt_again(s, begun, t); left--)
        play_so(t, s, next_move(t, s));
}

static void begin_game(Onlooker *o, Trial *t, S *s, i64 code) { /* begin a playout with this move */
    i64 site = site_of(s);
    t->habits->length = 0, t->habits->seat = o->seat;
    t->habits->before = OPTIONS[site] ? class_of(site, code) : o->done;
}

/* Sample a match, weighed by the likelihood of the others' moves. */
#ifdef BETS
static int likely_world(Onlooker *o, Trial *t) {
    return t->supposed.n ? sample_supposed(o, &t->supposed, &t->world) : sample(o, &t->world);
}
#else
static int likely_world(Onlooker *o, Trial *t) { /* select one of a few samples */
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

/* Begin the playouts of a decision. The player owns `habits`. */
OPEN i64 native_begin_trial(Trial *t, Habits *habits, u64 moves, i64 horizon, i64 deal) {
    t->habits = habits;
    memset(t->tried, 0, sizeof t->tried);
    t->ahead = t->gain = 0;
    t->learnt = 0;
#ifdef BETS
    t->supposed.n = 0;
#endif
    t->habits->staying = 0, t->habits->aimless = 1;
    t->moves = moves, t->horizon = horizon, t->deal = deal;
    return 0;
}

/* Play the first deals of `deals` matches with the seeds from `first`, in which all players follow habits and all
   playouts teach them. */
OPEN i64 native_practise(Work *w, Trial *t, Habits *habits, i64 first, i64 deals) {
    Habits *own = t->habits;
    u64 moves = t->moves;
    volatile i64 deal = 0;
    S *s = &t->play;
    t->habits = habits, habits->staying = 0;
    for (; deal < deals; deal++) {
        t->moves = (u64)(first + deal);
        if (native_start(w, s, word_after(&t->moves), 0) != NONE || s->who < 0) continue;
        if (setjmp(w->at_fault)) continue; /* doesn't count */
        t->habits->length = t->habits->before = t->habits->aimless = 0;
        u64 begun = s->rng;
        double now[PLAYERS];
        levels(s, t->before);
        play_out(s, t, begun);
        where_it_ends(s, begun, t, now);
        learn_from(t->habits, now, 1);
    }
    t->habits = own, t->moves = moves;
    return 0;
}

#ifdef BETS
static int has_hand(Work *w, Onlooker *o, Trial *t) { /* return whether the current player holds cards that count */
    if (setjmp(w->at_fault) || !sample(o, &t->world)) return 0;
    const Reading *own = own_reading(&t->world, o->seat);
    return own && own->cards.n > 0;
}
#endif

/* Infer the hand ranges of opponents in betting games, before the first playout of a decision. `wild`: probability that
   each player bets without looking at their hand. Return whether all players stay in during playouts. They do if the
   decision is not a bet but concerns a hand: then its value matters, not how others bet. */
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

/* Return the share of the winnable pot that the current player gets if all players stay in. The pot must be above 0. */
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
    return gained + (s->who >= 0 ? pot_of(s) : 0) >= whole ? 1 : gained / whole; /* stakes of the next deal */
}
#endif

/* Set the mean of this share over `rounds` samples, and the number of samples played. */
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

/* Try each of some moves once in each of `rounds` samples, and return the number of samples. `places`: the index of
   each move among the legal ones, then the index of its sums, then the largest number of later picks, and that many
   codes for each move, with -1 after its last one. Playouts in which a rule fails don't count. */
OPEN i64 native_try(Work *w, Onlooker *o, Trial *t, const i64 *places, i64 count, i64 rounds) {
    volatile i64 round = 0, at = 0, played = 0;
    const i64 width = places[2 * count], *rest = places + 2 * count + 1;
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
            for (i64 i = 0; i < width && rest[at * width + i] >= 0; i++) play_so(t, &t->play, rest[at * width + i]);
            play_out(&t->play, t, begun);
            double now[PLAYERS];
            where_it_ends(&t->play, begun, t, now);
            if (!t->habits->staying) learn_from(t->habits, now, t->learnt++ < TAUGHT * count);
            count_outcome(&t->play, t, now, o->seat, &t->tried[places[count + at]]);
        }
    }
    return played;
}

/* Sample a match, weighed by the likelihood of the others' moves. Return NONE or a fault. */
OPEN i64 native_likely(Work *w, Onlooker *o, Trial *t, S *to) {
    o->now.w = w;
    if (setjmp(w->at_fault)) return w->fault;
    if (!likely_world(o, t)) return BROKEN;
    clone(to, &t->world);
    return NONE;
}

/* Set three numbers for each of some moves: the expected lead, its variance, and the number of playouts. They are
   learned from earlier playouts with a similar hand and stake. */
OPEN i64 native_expected(Work *w, Onlooker *o, Trial *t, const i64 *places, i64 count, double *to) {
    S *s = &t->world;
    memset(to, 0, sizeof(double) * 3 * (u64)count);
    o->now.w = s->w = w;
    if (setjmp(w->at_fault)) return w->fault;
    if (!sample(o, s)) return BROKEN; /* a sample, because levels may depend on hidden cards */
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

/* Set how often each of some moves gains, over all possible faces of a card that its player can't see. */
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
