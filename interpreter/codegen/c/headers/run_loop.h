/* Match API: decisions, whole matches, state transfer and playouts. The generated program defines `block`, `answer`,
   `start_tracks`, `winning`, `standing_keys` and the tables. Functions return a fault: NONE, a place in the rules, or a
   number below -1. */

static void go(S *s, i64 number) {
    while (number >= 0) {
        s->w->taken = 0;
        number = block(s, number);
    }
}

static void make(S *s, i64 code) { /* make a legal move */
    s->w->taken = s->w->deep = 0;
    s->fuel = FUEL;
    go(s, answer(s, top_frame(s)->x[0], code));
}

static void blank(S *s, u64 seed) {
    s->w->taken = s->w->deep = 0;
    memcpy(s->t, FIRST_TRACKS, sizeof FIRST_TRACKS);
    memset(s->known, 0, sizeof s->known);
    s->order.n = s->alive.n = s->picks.n = s->out = s->depth = s->choices = 0;
    for (int pile = 0; pile < ZONES; pile++) s->z[pile].n = 0;
    for (int seat = 0; seat < PLAYERS; seat++) s->order.v[s->order.n++] = s->alive.v[s->alive.n++] = seat;
    for (int card = 0; card < CARDS; card++) {
        s->loc[card] = HOME[card];
        s->owner[card] = SEAT_OF[HOME[card]];
        s->z[HOME[card]].v[s->z[HOME[card]].n++] = card;
    }
    s->who = -1;
    s->fuel = FUEL;
    s->rng = first_state(seed, MIX1);
    start_tracks(s);
}

static void copy_pile(Pile *to, const Pile *from) { copy((i64 *)to, (const i64 *)from, from->n + 1); }

#define SMALL_STATE 2048 /* maximum size in bytes of a state that is copied as a whole */

/* Copy the used parts of a state. */
static void clone(S *to, const S *from) {
    if (offsetof(S, frames) <= SMALL_STATE) memcpy(to, from, offsetof(S, frames));
    else {
        memcpy(to, from, offsetof(S, order));
        copy_pile(&to->order, &from->order);
        copy_pile(&to->alive, &from->alive);
        copy_pile(&to->picks, &from->picks);
        for (int i = 0; i < ZONES; i++) copy_pile(&to->z[i], &from->z[i]);
    }
    for (int i = 0; i < from->depth; i++) {
        copy((i64 *)&to->frames[i], (const i64 *)&from->frames[i], from->frames[i].size + 1);
        for (int j = 0; j < LISTS; j++) copy_pile(&to->frames[i].l[j], &from->frames[i].l[j]);
    }
    copy(to->legal, from->legal, from->choices);
}

static i64 set_up(S *s, u64 seed) { /* return the first block */
    blank(s, seed);
    push_frame(s, -1, 0);
    push_frame(s, FIRST_FRAME, 0);
    top_frame(s)->x[0] = FIRST_BLOCK;
    return FIRST_BLOCK;
}

#ifdef OPENING
static void begin(S *s, u64 seed) {
    Work *w = s->w;
    w->taken = w->deep = 0;
    if (w->opened_for != 1 + s->checking) {
        i64 number = set_up(s, seed);
        for (; number >= 0 && number != OPENING; w->taken = 0) number = block(s, number);
        clone(&w->opened, s);
        w->opened_at = number;
        w->opened_for = 1 + s->checking;
    } else clone(s, &w->opened);
    s->rng = first_state(seed, MIX1);
    go(s, w->opened_at);
}
#else
static void begin(S *s, u64 seed) { go(s, set_up(s, seed)); }
#endif

/* Call from outside that may fail: faults and steps finished from inside return here. */
#define GUARDED(call) \
    s->w = w; \
    if (setjmp(w->at_fault)) return w->fault; \
    if (setjmp(w->at_finish)) go(s, unwind(s, w->finished)); \
    else call; \
    return NONE

OPEN i64 size_of_state(void) { return sizeof(S); }
OPEN i64 size_of_work(void) { return sizeof(Work); }
OPEN i64 native_start(Work *w, S *s, u64 seed, i64 checking) {
    s->checking = checking;
    GUARDED(begin(s, seed));
}
OPEN i64 native_apply(Work *w, S *s, i64 code) { GUARDED(make(s, code)); }

static i64 won(S *s) { /* return the winners as a bit set */
    i64 found = 0;
    s->w->taken = s->w->deep = 0;
    s->fuel = FUEL;
    L best = winning(s);
    for (int i = 0; i < best.n; i++) found |= (i64)1 << best.v[i];
    return found;
}

static void tell_scores(S *s, i64 *to) {
    for (int seat = 0; seat < PLAYERS; seat++) {
        s->w->taken = s->w->deep = 0;
        s->fuel = FUEL;
        to[seat] = SCORE(s, seat);
    }
}

/* Write the places by seat, from 1; equal players share a place. */
static void tell_places(S *s, i64 *to) {
    s->w->taken = s->w->deep = 0;
    s->fuel = FUEL;
    L pairs = standing(s);
    for (int i = 0; i < PLAYERS; i++) {
        to[i] = 1;
        for (int j = 0; j < PLAYERS; j++)
            to[i] += compared(pairs.v + j * (STANDING_WIDTH + 1), pairs.v + i * (STANDING_WIDTH + 1), STANDING_WIDTH) > 0;
    }
}

/* Write the results so far: winners as a bit set, scores by seat, places by seat. */
OPEN i64 native_results(Work *w, S *s, i64 *to) {
    i64 fuel = s->fuel;
    s->w = w;
    if (setjmp(w->at_fault)) return w->fault;
    to[0] = won(s);
    tell_scores(s, to + 1);
    tell_places(s, to + 1 + PLAYERS);
    s->fuel = fuel;
    return NONE;
}

/* ---- whole matches */
typedef struct {
    u64 seed, moves; /* seed of the next match; random state of the moves */
    i64 left, cap, budget, checking; /* matches to play; move limit of each; decisions left in this call */
    i64 playing, decisions; /* whether a match is running; its decisions so far */
} Batch;

#define ROW (3 + PLAYERS)
enum { ENDED, CAPPED, AT_FAULT };

static void tell_row(S *s, const Batch *b, i64 *row) {
    int over = s->who < 0;
    row[0] = b->decisions;
    row[1] = over ? ENDED : CAPPED;
    row[2] = over ? won(s) : 0;
    tell_scores(s, row + 3);
}

/* Play matches with uniformly random moves and return how many ended. The row of each: decisions, type of end, winners,
   scores. Stop when no match is left or the budget is used up; the next call continues. */
OPEN i64 native_play(Work *w, S *s, Batch *b, i64 *rows) {
    i64 *volatile row = rows;
    s->w = w;
    if (setjmp(w->at_fault)) {
        row[0] = b->decisions, row[1] = AT_FAULT, row[2] = w->fault;
        row += ROW, b->left--, b->seed++, b->playing = 0;
    }
    if (setjmp(w->at_finish)) go(s, unwind(s, w->finished));
    while (b->left > 0 && b->budget > 0) {
        if (!b->playing) {
            b->playing = 1, b->decisions = 0, b->budget--;
            b->moves = first_state(b->seed, MIX2);
            s->checking = b->checking;
            begin(s, b->seed);
            continue;
        }
        if (s->who >= 0 && b->decisions < b->cap) {
            b->decisions++, b->budget--;
            make(s, s->legal[(i64)scaled_down(word_after(&b->moves), (u64)s->choices)]);
            continue;
        }
        tell_row(s, b, row);
        row += ROW, b->left--, b->seed++, b->playing = 0;
    }
    return (row - rows) / ROW;
}

/* ---- import and export of states */
static void tell(i64 **out, const i64 *items, i64 count, int counted) {
    if (counted) *(*out)++ = count;
    copy(*out, items, count);
    *out += count;
}

static i64 *as_numbers(S *s, i64 *to) {
    i64 *out = to, scalars[] = {s->who, (i64)s->rng, s->out, s->fuel, s->depth};
    tell(&out, scalars, 5, 0);
    tell(&out, s->legal, s->choices, 1);
    tell(&out, s->t, TRACKS, 1);
    tell(&out, s->loc, CARDS, 1);
    tell(&out, s->owner, CARDS, 1);
    tell(&out, s->known, CARDS, 1);
    tell(&out, s->order.v, s->order.n, 1);
    tell(&out, s->alive.v, s->alive.n, 1);
    tell(&out, s->picks.v, s->picks.n, 1);
    for (int i = 0; i < ZONES; i++) tell(&out, s->z[i].v, s->z[i].n, 1);
    for (int i = 0; i < s->depth; i++) {
        Frame *f = &s->frames[i];
        const signed char *lists = LIST_SLOT[FRAME_OF[f->x[0]]];
        for (int slot = 0; slot < f->size; slot++) {
            if (lists[slot] >= 0) tell(&out, f->l[(int)lists[slot]].v, f->l[(int)lists[slot]].n, 1);
            else *out++ = f->x[slot];
        }
    }
    return out;
}

/* Write the whole state as numbers, in the order of interpreter/native/engine.py, and return their count. */
OPEN i64 native_store(S *s, i64 *to) { return as_numbers(s, to) - to; }

/* Numbers to import. `fits`: none was missing or out of range so far. */
typedef struct { const i64 *at, *end; int fits; } Given;

static i64 taken(Given *given, i64 low, i64 high) {
    if (given->at == given->end || *given->at < low || *given->at > high) given->fits = 0;
    return given->fits ? *given->at++ : low;
}

/* Read a list, return its length. */
static i64 taken_list(Given *given, i64 *to, i64 fewest, i64 most, i64 low, i64 high) {
    i64 count = taken(given, fewest, most);
    for (i64 i = 0; given->fits && i < count; i++) to[i] = taken(given, low, high);
    return count;
}

static int is_sorted_out(S *s) { /* return whether each card is once in the zone that `loc` names, or in none */
    char there[CARDS] = {0};
    for (int i = 0; i < ZONES; i++)
        for (int j = 0; j < s->z[i].n; j++) {
            i64 card = s->z[i].v[j];
            if (s->loc[card] != i || there[card]++) return 0;
        }
    for (int card = 0; card < CARDS; card++) if (s->loc[card] >= 0 && !there[card]) return 0;
    return 1;
}

static void take_frame(Given *given, Frame *f) {
    f->x[0] = taken(given, 0, (i64)(sizeof FRAME_OF / sizeof *FRAME_OF) - 1);
    i64 owner = FRAME_OF[f->x[0]];
    const signed char *lists = LIST_SLOT[owner];
    f->size = owner < FRAMES ? FRAME_SIZE[owner] : 1;
    for (int slot = 1; slot < f->size; slot++) {
        Pile *list = lists[slot] < 0 ? 0 : &f->l[(int)lists[slot]];
        if (list) list->n = taken_list(given, list->v, 0, LONGEST, INT64_MIN, INT64_MAX);
        else f->x[slot] = taken(given, INT64_MIN, INT64_MAX);
    }
}

/* Import a state and return whether it is valid. The counts, cards, seats and blocks are checked, to refuse states of
   other rules. */
OPEN i64 native_load(S *s, const i64 *in, i64 size) {
    Given given = {in, in + size, 1};
    s->who = taken(&given, -1, PLAYERS - 1), s->rng = (u64)taken(&given, INT64_MIN, INT64_MAX);
    s->out = taken(&given, 0, EVERYONE), s->fuel = taken(&given, INT64_MIN, INT64_MAX);
    s->depth = taken(&given, s->who < 0 ? 0 : 1, MAX_FRAMES);
    s->choices = taken_list(&given, s->legal, s->who < 0 ? 0 : 1, LEGAL, 0, INT64_MAX);
    taken_list(&given, s->t, TRACKS, TRACKS, INT64_MIN, INT64_MAX);
    taken_list(&given, s->loc, CARDS, CARDS, -1, ZONES - 1);
    taken_list(&given, s->owner, CARDS, CARDS, -1, PLAYERS - 1);
    taken_list(&given, s->known, CARDS, CARDS, 0, EVERYONE);
    s->order.n = taken_list(&given, s->order.v, 0, PLAYERS, 0, PLAYERS - 1);
    s->alive.n = taken_list(&given, s->alive.v, 0, PLAYERS, 0, PLAYERS - 1);
    s->picks.n = taken_list(&given, s->picks.v, 0, LONGEST, INT64_MIN, INT64_MAX);
    for (int i = 0; i < ZONES; i++) s->z[i].n = taken_list(&given, s->z[i].v, 0, CARDS, 0, CARDS - 1);
    for (int i = 0; given.fits && i < s->depth; i++) take_frame(&given, &s->frames[i]);
    return given.fits && given.at == given.end && is_sorted_out(s);
}

OPEN void native_clone(S *to, const S *from) { clone(to, from); }

/* Run playouts of one move from a state: the move, then at most `horizon` decisions. The row of each: type of end,
   places by seat, scores by seat. `to`: work space. After a call, `done` of `count` rows are finished. */
OPEN i64 native_playouts(Work *w, const S *from, S *s, i64 code, i64 count, i64 horizon, u64 seed, i64 *rows) {
    volatile i64 done = 0;
    w->finished = 0;
    s->w = w;
    for (; done < count; done++) {
        i64 *row = rows + done * (1 + 2 * PLAYERS);
        row[0] = -1;
    }
    done = 0;
    if (setjmp(w->at_fault)) {
        rows[done * (1 + 2 * PLAYERS)] = AT_FAULT;
        done++;
    }
    volatile i64 left = -1;
    volatile u64 moves = 0, own = first_state(seed, MIX2);
    if (setjmp(w->at_finish)) go(s, unwind(s, w->finished));
    while (done < count) {
        if (left < 0) {
            u64 drawn_from = own;
            clone(s, from);
            s->w = w;
            s->checking = 0;
            s->rng = word_after(&drawn_from);
            moves = word_after(&drawn_from);
            own = drawn_from;
            left = horizon;
            make(s, code);
        } else if (s->who >= 0 && left > 0) {
            u64 next = moves;
            left--;
            i64 place = (i64)scaled_down(word_after(&next), (u64)s->choices);
            moves = next;
            make(s, s->legal[place]);
        } else {
            i64 *row = rows + done * (1 + 2 * PLAYERS);
            row[0] = s->who >= 0 ? CAPPED : ENDED;
            tell_places(s, row + 1);
            tell_scores(s, row + 1 + PLAYERS);
            left = -1;
            done++;
        }
    }
    return done;
}

#ifdef READS
OPEN void native_set_pile(Work *w, S *s, i64 pile, const i64 *cards, i64 count) {
    s->w = w;
    keep(s, &s->z[pile], view(cards, count));
    for (i64 i = 0; i < count; i++) s->owner[cards[i]] = SEAT_OF[pile] >= 0 ? SEAT_OF[pile] : s->owner[cards[i]];
}

OPEN void native_set_track(S *s, i64 slot, i64 value) { s->t[slot] = value; }

OPEN i64 native_blank(Work *w, S *s, u64 seed) { GUARDED(blank(s, seed)); }

/* Evaluate hands of `size` cards each, held by the first player. The row of each has READ_ROW numbers: rank (-1: none),
   wilds, number of used cards and the cards, length of the strength and its numbers. */
OPEN i64 native_read_hands(Work *w, S *s, i64 pile, const i64 *hands, i64 size, i64 count, i64 *rows) {
    s->w = w;
    if (setjmp(w->at_fault)) return w->fault;
    for (i64 i = 0; i < count; i++) {
        w->taken = w->deep = 0;
        s->fuel = FUEL;
        native_set_pile(w, s, pile, hands + i * size, size);
        const Reading *reading = READS(s, 0);
        i64 *row = rows + i * READ_ROW;
        row[0] = -1;
        if (!reading) continue;
        row[0] = reading->rank, row[1] = reading->wilds, row[2] = reading->used.n, row[3 + HAND] = reading->n;
        copy(row + 3, reading->used.v, reading->used.n);
        copy(row + 4 + HAND, reading->strength, reading->n);
    }
    return NONE;
}
#endif
