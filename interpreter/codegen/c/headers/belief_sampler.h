/* Determinization: samples of a match, consistent with one player's knowledge. The C counterpart of
   interpreter/match/determinization.py and interpreter/bots/belief_sampler.py. The generated program defines `legal_now` and
   the tables BACK, SITE_OF, OPTIONS, ... */

#define ROUNDS 12 /* maximum number of repairs of a sample */
#define CERTAIN 24 /* a move legal in this many samples in a row hardly depends on hidden cards */
#define REMEMBERED 120 /* number of moves since the last random event that are stored */
#define DEALS 100 /* maximum number of deals until simultaneous choices lead to the same decision */
#ifdef READS
#define GRADED 1 /* the game shows each player a reading of their own cards */
#else
#define GRADED 0
#endif
#define FACE_WORDS ((FACES + 63) / 64)

enum { HEARD = 1, TELLING = 2 };
#define COMPARED 4 /* samples weighed against each other for each playout */

/* Move made by a player. `told`: by the rules alone, HEARD if all players learn of it, TELLING if it depends on nothing
   secret. `open`: something can be inferred from it now. `held`: the player's hidden cards. `barred`: faces that were
   not among them. `chosen`: whether it is an option that depends on the quality of the hand. `done`: class of the move
   before it. */
typedef struct {
    i64 code, told, open, agreed, chosen, done, holds, held[CARDS];
    u64 barred[FACE_WORDS];
    S before;
} Made;

/* Observer: knowledge of one player. `now`: the match. `hidden`: cards that they can't see, in zone order. `to`: for
   each card, its replacement in the last sample. `may`: the faces that marks allow, if `marked`. `then`, `past`,
   `spare`: work space. `secrets`: possible values of the secret variables, as particles. */
typedef struct {
    i64 seat, hides, made, chosen, done, marked, particles, secrets[PARTICLES][SECRETS + 1], hidden[CARDS], to[CARDS], is_hidden[CARDS];
    u64 chance, may[CARDS][FACE_WORDS];
    S now, then, past, spare;
    Made moves[REMEMBERED];
} Onlooker;

static inline i64 drawn(u64 *chance, i64 count) { return (i64)scaled_down(word_after(chance), (u64)count); }
static inline i64 site_of(S *s) { return s->who < 0 ? -1 : SITE_OF[top_frame(s)->x[0]]; }

static void proceed(S *s, i64 number) { /* continue from a block */
    if (setjmp(s->w->at_finish)) go(s, unwind(s, s->w->finished));
    else go(s, number);
}

static void play_move(S *s, i64 code) {
    if (setjmp(s->w->at_finish)) go(s, unwind(s, s->w->finished));
    else make(s, code);
}

static void refresh(S *s) { /* recompute the legal moves after cards have been swapped */
    s->w->taken = s->w->deep = 0;
    s->fuel = FUEL;
    if (s->who >= 0) offer(s, legal_now(s, site_of(s)));
}

/* ---- codes of moves */
typedef i64 (*Change)(const void *what, i64 value, int is_card);

static i64 changed(i64 site, i64 code, Change change, const void *what) { /* map each value bound in a code */
    if (code <= 0) return code;
    i64 count = OPTIONS[site];
    if (!count) return 1 + change(what, code - 1, SITE_CARDS[site]);
    i64 option = (code - 1) % count, rest = (code - 1) / count, made = 1 + option, weight = count;
    i64 row = OPTION_ROW[site] + option;
    for (int i = 0; i < BINDERS[row]; i++) {
        i64 radix = BINDER[row][i][0], value = radix ? rest % radix : rest;
        rest = radix ? rest / radix : 0;
        made += weight * change(what, value, BINDER[row][i][1] == 1);
        weight *= radix ? radix : 1;
    }
    return made;
}

static i64 substitute(const void *to, i64 value, int is_card) {
    return is_card && value >= 0 && value < CARDS ? ((const i64 *)to)[value] : value;
}

static i64 face_alone(const void *to, i64 value, int is_card) {
    return is_card && value >= 0 && value < CARDS ? CARD_FACE[value] : value;
}

static i64 looks(i64 site, i64 code) { return changed(site, code, face_alone, 0); }

typedef struct { i64 n, v[8]; } Named;

static i64 note_card(const void *named, i64 value, int is_card) {
    Named *found = (Named *)named;
    if (is_card && value >= 0 && value < CARDS && found->n < 8) found->v[found->n++] = value;
    return value;
}

static Named cards_of(i64 site, i64 code) {
    Named found = {0};
    changed(site, code, note_card, &found);
    return found;
}

/* ---- card swaps */
static void substitute_all(i64 *v, i64 count, const i64 *to) {
    for (i64 i = 0; i < count; i++) if (v[i] >= 0 && v[i] < CARDS) v[i] = to[v[i]];
}

static void substitute_at(i64 *values, const i64 *to) { /* permute values stored by card */
    i64 held[CARDS];
    copy(held, values, CARDS);
    for (int card = 0; card < CARDS; card++) values[to[card]] = held[card];
}

static void substitute_answers(Pile *answers, i64 site, const i64 *to) {
    for (i64 i = 1; i < answers->n; i++) {
        if (SEVERAL[site]) {
            i64 count = answers->v[i];
            if (SITE_CARDS[site]) substitute_all(answers->v + i + 1, bounded(count, answers->n - i - 1), to);
            i += count + 1;
        } else answers->v[i] = changed(site, answers->v[i], substitute, to), i++;
    }
}

static void substitute_frame(Frame *f, const i64 *to) {
    i64 number = FRAME_OF[f->x[0]];
    if (number >= FRAMES) return;
    for (int slot = 1; slot < f->size; slot++) {
        int list = LIST_SLOT[number][slot];
        if (ANSWERS_OF[number][slot] >= 0) substitute_answers(&f->l[list], ANSWERS_OF[number][slot], to);
        else if (!HOLDS_CARDS[number][slot]) continue;
        else if (list >= 0) substitute_all(f->l[list].v, f->l[list].n, to);
        else substitute_all(&f->x[slot], 1, to);
    }
}

static void swap_cards(S *s, const i64 *to) {
    for (int i = 0; i < ZONES; i++) substitute_all(s->z[i].v, s->z[i].n, to);
    substitute_at(s->loc, to), substitute_at(s->owner, to), substitute_at(s->known, to);
    for (int i = 0; i < CARD_TRACKS; i++) substitute_at(s->t + CARD_TRACK[i], to);
    if (s->picks.n && s->who >= 0 && SITE_CARDS[site_of(s)]) substitute_all(s->picks.v, s->picks.n, to);
    for (int i = 0; i < s->depth; i++) substitute_frame(&s->frames[i], to);
}

/* ---- inference from moves of others */
static inline i64 seers(i64 pile) { return pile >= 0 ? SEES[pile] : 0; }

/* Return whether a player may have chosen the card, or `o` once knew it. */
static int has_moved(Onlooker *o, i64 card, S *before) {
    S *now = &o->now;
    i64 then = before->known[card] | seers(before->loc[card]);
    i64 others = (then | now->known[card] | seers(now->loc[card])) & ~((i64)1 << o->seat | (i64)1 << PLAYERS);
    return (then >> o->seat & 1) || (others && before->loc[card] != now->loc[card]);
}

/* Return whether the observer learned of a move and sees all its cards. */
static int was_heard(Onlooker *o, Made *made) {
    if (!(made->told & HEARD)) return 0;
    Named named = cards_of(site_of(&made->before), made->code);
    for (int i = 0; i < named.n; i++) if (!sees(&o->now, named.v[i], o->seat)) return 0;
    return 1;
}

static int tells(Onlooker *o, Made *made) {
    S *before = &made->before;
    if (!(made->told & TELLING) || before->who == o->seat) return 0;
    for (int i = 0; i < o->hides; i++) if (has_moved(o, o->hidden[i], before)) return 0;
    made->holds = 0;
    for (int i = 0; i < o->hides; i++) {
        i64 card = o->hidden[i];
        if (before->owner[card] == before->who && sees(before, card, before->who)) made->held[made->holds++] = card;
    }
    return made->holds > 0;
}

/* Return whether another player chose with cards that have not moved since. Cards of other players don't matter. If
   samples are weighed by all moves, discarded cards don't matter either. */
static int shows_hand(Onlooker *o, Made *made) {
    S *before = &made->before;
    i64 held = 0, who = before->who;
    if (!(made->told & TELLING) || who == o->seat) return 0;
    for (int i = 0; i < o->hides; i++) {
        i64 card = o->hidden[i];
        if (!sees(before, card, who)) continue;
#ifdef BETS
        if (sees(before, card, o->seat)) return 0;
#else
        if (has_moved(o, card, before)) return 0;
#endif
        held += before->owner[card] == who;
    }
    return held > 0;
}

static i64 class_of(i64 site, i64 code);
static void note_all(Onlooker *o);

static void look(Onlooker *o, i64 seat) { /* observe the current state */
    S *now = &o->now;
    o->seat = seat, o->hides = 0;
    memset(o->is_hidden, 0, sizeof o->is_hidden);
    for (int i = 0; i < ZONES; i++)
        for (int j = 0; j < now->z[i].n; j++)
            if (!sees(now, now->z[i].v[j], seat)) o->hidden[o->hides++] = now->z[i].v[j];
    for (int card = 0; card < CARDS; card++)
        if (now->loc[card] < 0 && !sees(now, card, seat)) o->hidden[o->hides++] = card;
    for (int i = 0; i < o->hides; i++) o->is_hidden[o->hidden[i]] = 1;
    o->chosen = o->done = 0;
    for (int i = 0; i < o->made; i++) {
        Made *made = &o->moves[i];
        i64 site = site_of(&made->before), open = was_heard(o, made), own = made->before.who == seat;
        made->open = open && tells(o, made);
        made->chosen = GRADED && open && OPTIONS[site] && shows_hand(o, made);
        made->done = o->done;
        o->chosen += made->chosen;
        if (OPTIONS[site] && (own || open)) o->done = class_of(site, made->code);
    }
}

static int is_barred(const Made *made) {
    for (int i = 0; i < FACE_WORDS; i++) if (made->barred[i]) return 1;
    return 0;
}

static int agrees(Onlooker *o, Made *made) { /* return whether a move was legal with the cards of a sample */
    S *s = &o->past;
    clone(s, &made->before);
    s->w = o->now.w, s->checking = 0;
    swap_cards(s, o->to);
    refresh(s);
    i64 site = site_of(s), like = looks(site, made->code);
    for (int i = 0; i < s->choices; i++)
        if (looks(site, s->legal[i]) == like) {
            made->agreed++;
            return 1;
        }
    made->agreed = 0;
    for (int i = 0; i < s->choices; i++) {
        Named named = cards_of(site, s->legal[i]);
        for (int j = 0; j < named.n; j++)
            for (int k = 0; k < made->holds; k++)
                if (o->to[made->held[k]] == named.v[j]) {
                    i64 face = CARD_FACE[named.v[j]];
                    made->barred[face >> 6] |= (u64)1 << (face & 63);
                }
    }
    return 0;
}

static void shuffle_few(i64 *items, i64 count, u64 *chance) {
    for (i64 last = count - 1; last > 0; last--) {
        i64 other = drawn(chance, last + 1), held = items[last];
        items[last] = items[other];
        items[other] = held;
    }
}

/* Find the shortest cycle of places, by breadth-first search from the first, in which each place can take the card of
   the next. Then move the cards along it. */
static void mend_place(Onlooker *o, i64 first, const i64 *places, u64 (*bars)[FACE_WORDS]) {
    i64 before[CARDS], todo[CARDS], count = 1;
    char met[CARDS] = {0};
#define FITS(card, place) (BACK[card] == BACK[place] && \
    !(bars[place][CARD_FACE[o->to[card]] >> 6] >> (CARD_FACE[o->to[card]] & 63) & 1))
    if (FITS(first, first)) return;
    todo[0] = first, met[first] = 1;
    for (i64 at = 0; at < count; at++) {
        i64 place = todo[at];
        if (place != first && FITS(first, place)) {
            i64 card = o->to[first];
            for (i64 ring = place; ; ring = before[ring]) { /* each place gives its card to the one before it */
                i64 held = o->to[ring];
                o->to[ring] = card;
                card = held;
                if (ring == first) return;
            }
        }
        for (i64 i = 0; i < o->hides; i++)
            if (!met[places[i]] && FITS(places[i], place)) met[places[i]] = 1, before[places[i]] = place, todo[count++] = places[i];
    }
#undef FITS
}

static void mend(Onlooker *o, u64 *chance) {
    u64 bars[CARDS][FACE_WORDS];
    i64 places[CARDS], any = 0;
    memset(bars, 0, sizeof bars);
    for (int i = 0; i < o->made; i++) {
        Made *made = &o->moves[i];
        if (!made->open || !is_barred(made)) continue;
        any = 1;
        for (int j = 0; j < made->holds; j++)
            for (int k = 0; k < FACE_WORDS; k++) bars[made->held[j]][k] |= made->barred[k];
    }
    for (int i = 0; o->marked && i < o->hides; i++)
        for (int k = 0; k < FACE_WORDS; k++) bars[o->hidden[i]][k] |= ~o->may[o->hidden[i]][k];
    if (!any && !o->marked) return;
    copy(places, o->hidden, o->hides);
    shuffle_few(places, o->hides, chance);
    for (i64 i = 0; i < o->hides; i++) mend_place(o, places[i], places, bars);
}

static void fit(Onlooker *o, u64 *chance) { /* repair the sample until the moves of others were legal */
    for (int round = 0; round < ROUNDS; round++) {
        int all = 1;
        mend(o, chance);
        for (int i = 0; i < o->made; i++) {
            Made *made = &o->moves[i];
            if (made->open && (made->agreed < CERTAIN || is_barred(made))) all &= agrees(o, made);
        }
        if (all) return;
    }
}

/* ---- samples */
static void rename_hidden(Onlooker *o, u64 *chance) {
    i64 place[CARDS], card[CARDS];
    for (int i = 0; i < CARDS; i++) o->to[i] = i;
    for (int back = 0; back < BACKS; back++) {
        i64 count = 0, cards = 0;
        for (int i = 0; i < o->hides; i++) if (BACK[o->hidden[i]] == back) place[count++] = o->hidden[i];
        for (int i = 0; i < CARDS; i++) if (o->is_hidden[i] && BACK[i] == back) card[cards++] = i;
        shuffle_few(card, cards, chance);
        for (i64 i = 0; i < count; i++) o->to[place[i]] = card[i];
    }
}

static void shuffle_unseen(Onlooker *o, u64 *chance) { /* shuffle the re-dealt cards that no player sees */
    for (int back = 0; back < BACKS && !o->marked; back++) {
        i64 place[CARDS], card[CARDS], count = 0;
        for (int i = 0; i < o->hides; i++) {
            i64 held = o->hidden[i];
            if (BACK[held] != back || ((o->now.known[held] | seers(o->now.loc[held])) & ~((i64)1 << PLAYERS))) continue;
            place[count] = held, card[count++] = o->to[held];
        }
        shuffle_few(card, count, chance);
        for (i64 i = 0; i < count; i++) o->to[place[i]] = card[i];
    }
}

static int equal_piles(const Pile *a, const Pile *b) { return a->n == b->n && equal(a->v, b->v, a->n); }

/* Return whether two lists of responses have the same players. */
static int same_askers(const Pile *a, const Pile *b, i64 site) {
    i64 i = 0, j = 0;
    while (i < a->n && j < b->n) {
        if (a->v[i] != b->v[j]) return 0;
        i += SEVERAL[site] ? a->v[i + 1] + 2 : 2;
        j += SEVERAL[site] ? b->v[j + 1] + 2 : 2;
    }
    return i >= a->n && j >= b->n;
}

/* Choose again for all simultaneous players but the observer. Return whether this leads to the same decision. */
static int choose_again(Onlooker *o, S *s, u64 *chance) {
    i64 site = site_of(s);
    if (site < 0 || TOGETHER[site][0] < 0) return 1;
    S *before = &o->then;
    i64 slot = TOGETHER[site][1], list = LIST_SLOT[FRAME_OF[top_frame(s)->x[0]]][slot];
    clone(before, s);
    s->picks.n = 0, s->fuel = FUEL;
    s->w->taken = s->w->deep = 0;
    proceed(s, TOGETHER[site][0]);
    while (s->who >= 0 && s->who != before->who && site_of(s) == site)
        play_move(s, s->legal[drawn(chance, s->choices)]);
    if (s->who != before->who || site_of(s) != site) return 0;
    for (int i = 0; i < ZONES; i++) if (!equal_piles(&s->z[i], &before->z[i])) return 0;
    if (!equal(s->t, before->t, TRACKS)) return 0;
    if (!same_askers(&top_frame(s)->l[list], &top_frame(before)->l[list], site)) return 0;
    for (int i = 0; i < before->picks.n; i++) {
        if (!contains(view(s->legal, s->choices), before->picks.v[i] + 1)) return 0;
        play_move(s, before->picks.v[i] + 1);
    }
    return 1;
}

static void draw_secrets(Onlooker *o, S *s, u64 *chance) { /* set the secret variables to possible values */
    if (!o->particles) return;
    i64 particle = drawn(chance, o->particles);
    for (int i = 0; i < SECRETS; i++) s->t[SECRET[i]] = o->secrets[particle][i];
}

/* Swap the cards of the match; return whether the result is consistent. */
static int deal_sample(Onlooker *o, S *s, u64 *chance) {
    clone(s, &o->now);
    s->w = o->now.w, s->checking = 0;
    s->rng = 0; /* the random state of the match is secret */
    draw_secrets(o, s, chance);
    swap_cards(s, o->to);
    refresh(s);
    s->rng = word_after(chance);
    if (!choose_again(o, s, chance) || s->choices != o->now.choices) return 0;
    s->rng = word_after(chance);
    return 1;
}

static int sample(Onlooker *o, S *s) { /* return whether a sample was found; a fault aborts */
    for (int tried = 0; tried < DEALS; tried++) {
        rename_hidden(o, &o->chance);
        fit(o, &o->chance);
        if (deal_sample(o, s, &o->chance)) return 1;
    }
    return 0;
}

/* ---- API */
OPEN i64 native_size_of_onlooker(void) { return sizeof(Onlooker); }

OPEN i64 native_set_secrets(Onlooker *o, const i64 *values, i64 count) {
    for (int i = 0; i < count; i++) copy(o->secrets[i], values + i * SECRETS, SECRETS);
    return o->particles = count;
}

OPEN i64 native_forget(Onlooker *o) { return o->made = 0; }

/* Store a move and the state before it. */
OPEN i64 native_saw(Onlooker *o, const i64 *numbers, i64 size, i64 code, i64 told) {
    if (o->made == REMEMBERED) {
        for (int i = 1; i < REMEMBERED; i++) {
            Made *to = &o->moves[i - 1], *from = &o->moves[i];
            memcpy(to, from, offsetof(Made, before));
            clone(&to->before, &from->before);
        }
        o->made--;
    }
    Made *made = &o->moves[o->made];
    memset(made, 0, offsetof(Made, before));
    made->code = code, made->told = told;
    o->made += native_load(&made->before, numbers, size);
    return o->made;
}

/* Set the current state and return whether it is valid. */
OPEN i64 native_look(Work *w, Onlooker *o, const i64 *numbers, i64 size, i64 seat, u64 chance) {
    if (!native_load(&o->now, numbers, size)) return 0;
    o->now.w = w;
    o->chance = chance;
    look(o, seat);
    if (setjmp(w->at_fault)) o->marked = 0;
    else note_all(o);
    return 1;
}

/* Sample a match that the player can't distinguish from the real one. Return NONE or a fault. */
OPEN i64 native_sample(Work *w, Onlooker *o, S *to) {
    o->now.w = w;
    if (setjmp(w->at_fault)) return w->fault;
    return sample(o, to) ? NONE : BROKEN;
}
