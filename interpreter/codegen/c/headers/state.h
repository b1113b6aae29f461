/* State of a match, and moving of cards: the C counterpart of interpreter/runtime/state.py, chance.py, moving.py and
   picking.py. The generated program defines the sizes and the tables SEES, SEAT_OF, HOME, CARD_FACE and SORTED. */

#define list_of(pile) view((pile).v, (pile).n)
#define top_frame(s) (&(s)->frames[(s)->depth - 1])
#define list_slot(frame, slot) ((int)LIST_SLOT[FRAME_OF[(frame).x[0]]][slot])
#define list_in(frame, slot) list_of((frame).l[list_slot(frame, slot)])

/* A function, because libtcc makes wrong code of `s->z[...]` among the arguments of nested calls. */
static inline L cards_in(S *s, i64 pile) { return list_of(s->z[pile]); }

static void keep(S *s, Pile *pile, L list) {
    if (list.n > LONGEST) fail(s, NO_ROOM);
    if (list.n) memmove(pile->v, list.v, sizeof(i64) * (u64)list.n);
    pile->n = list.n;
}

static void push_frame(S *s, i64 number, i64 place) { /* push a frame of the routine with that number; -1: none */
    if (s->depth >= MAX_FRAMES) fail(s, place);
    Frame *frame = &s->frames[s->depth++];
    if (number < 0) frame->x[0] = 0;
    else memcpy(frame->x, PADDING[number], sizeof PADDING[number]);
    for (int i = 0; i < LISTS; i++) frame->l[i].n = 0;
    frame->size = number < 0 ? 1 : FRAME_SIZE[number];
}

static void offer(S *s, L codes) { /* set the legal moves */
    if (codes.n > LEGAL) fail(s, NO_ROOM);
    copy(s->legal, codes.v, codes.n);
    s->choices = codes.n;
}

static void pick(S *s, i64 item) {
    if (s->picks.n >= LONGEST) fail(s, NO_ROOM);
    s->picks.v[s->picks.n++] = item;
}

/* ---- random numbers: SplitMix64 */
#define STEP 0x9E3779B97F4A7C15u
#define MIX1 0xBF58476D1CE4E5B9u
#define MIX2 0x94D049BB133111EBu

static inline u64 word_after(u64 *rng) {
    u64 word = *rng += STEP;
    word = (word ^ (word >> 30)) * MIX1;
    word = (word ^ (word >> 27)) * MIX2;
    return word ^ (word >> 31);
}

/* Return the first state of a seed's stream. The purposes MIX1 and MIX2 give streams that don't overlap. */
static inline u64 first_state(u64 seed, u64 purpose) {
    u64 state = seed * STEP + purpose;
    return word_after(&state);
}

static inline u64 scaled_down(u64 word, u64 count) { /* high word of the product; count is below 2**32 */
#ifdef __SIZEOF_INT128__
    return (u64)((unsigned __int128)word * count >> 64);
#else
    return ((word >> 32) * count + ((word & 0xFFFFFFFFu) * count >> 32)) >> 32;
#endif
}

static inline i64 below(S *s, i64 count) { return (i64)scaled_down(word_after(&s->rng), (u64)count); }

static void mix(S *s, Pile *pile) {
    for (i64 last = pile->n - 1; last > 0; last--) {
        i64 other = below(s, last + 1), held = pile->v[last];
        pile->v[last] = pile->v[other];
        pile->v[other] = held;
    }
}

static i64 one_random(S *s, L list, i64 absent) { return list.n ? list.v[below(s, list.n)] : absent; }

static L some_random(S *s, L list, i64 number) {
    L made = fresh(s), rest = copied(s, list);
    for (i64 i = bounded(number, list.n); i > 0; i--) {
        i64 place = below(s, rest.n);
        add(s, &made, rest.v[place]);
        memmove(rest.v + place, rest.v + place + 1, sizeof(i64) * (u64)(--rest.n - place));
    }
    return made;
}

/* ---- cards */
enum { END_TOP, END_UNDER, END_LOWEST, END_HIGHEST };

static inline void take_out(Pile *pile, i64 card) {
    i64 i = pile->n - 1;
    while (i >= 0 && pile->v[i] != card) i--;
    if (i < 0) return;
    for (pile->n--; i < pile->n; i++) pile->v[i] = pile->v[i + 1];
}

#define NAMED ((i64)1 << 62) /* flag in a set of seats: they can identify the cards anywhere */

static i64 watching(S *s, i64 card) { return s->loc[card] >= 0 ? SEES[s->loc[card]] : 0; }

static i64 knowers_of(S *s, L cards) { /* return the seats that know each of these cards in its zone */
    i64 seats = EVERYONE;
    for (int i = 0; i < cards.n; i++) if (cards.v[i] >= 0) seats &= s->known[cards.v[i]] | watching(s, cards.v[i]);
    return seats;
}

/* Return the seats that know where cards are, of those that can identify them. */
static i64 place_knowers(S *s, i64 seats, L cards) { return seats & NAMED ? seats & knowers_of(s, cards) : seats; }

static i64 watchers(S *s, L cards) { /* return the seats that see the zones of all these cards */
    i64 seats = EVERYONE;
    for (int i = 0; i < cards.n; i++) if (cards.v[i] >= 0) seats &= watching(s, cards.v[i]);
    return seats;
}

/* Return the seats that can follow cards after others from their zone move. */
static i64 narrowed(S *s, i64 followed, L cards, L moved) {
    i64 together = 0;
    for (int i = 0; i < cards.n; i++)
        for (int j = 0; j < moved.n; j++) together |= cards.v[i] >= 0 && s->loc[cards.v[i]] == s->loc[moved.v[j]];
    return followed & NAMED || !together ? followed : (followed & knowers_of(s, cards)) | NAMED;
}

/* Return the cards among which all players know a variable's card to be. */
static L candidates(S *s, i64 followed, L cards, L among) {
    return followed & NAMED ? (L){0} : followed == EVERYONE ? cards : among;
}

static i64 in_both(S *s, i64 seats, i64 others) { return seats & others; }

static i64 in_either(S *s, i64 seats, i64 others) { return seats | others; }

static i64 only_seat(S *s, i64 seat) { return (i64)1 << seat; }

/* Let players forget a copy for each of these cards that they will see only in the pile where it is put: a copy that they
   know in the same source pile may have been moved instead. */
static void forget_copies(S *s, L cards, i64 pile, i64 followed, L among) {
    for (int i = 0; i < cards.n; i++) {
        i64 card = cards.v[i];
        if (s->loc[card] < 0) continue;
        const Pile *source = &s->z[s->loc[card]];
        i64 unsure = SEES[pile] & ~(followed | s->known[card] | SEES[s->loc[card]]);
        for (i64 j = 0; unsure && j < source->n; j++) {
            i64 other = source->v[j], mistaken = s->known[other] & unsure;
            if (!mistaken || CARD_FACE[other] != CARD_FACE[card] || contains(cards, other)) continue;
            if (among.n && !contains(among, other)) continue;
            s->known[other] -= mistaken, unsure -= mistaken;
        }
    }
}

/* Update who knows the moved cards, and the cards that could be mistaken for them. */
static void learn(S *s, L cards, i64 pile, i64 followed, L among) {
    char moved[CARDS] = {0}, alike[CARDS] = {0};
    i64 left = 0, named = followed & NAMED ? followed & EVERYONE : 0;
    if (COPIES && followed != EVERYONE) forget_copies(s, cards, pile, followed, among);
    if (((followed | SEES[pile]) & EVERYONE) != EVERYONE) {
        for (int i = 0; i < cards.n; i++) moved[cards.v[i]] = 1;
        for (int i = 0; i < cards.n; i++) {
            if (s->loc[cards.v[i]] < 0) continue;
            const Pile *source = &s->z[s->loc[cards.v[i]]];
            for (i64 j = 0; j < source->n; j++) {
                i64 other = source->v[j];
                if (moved[other] || alike[other] || (among.n && !contains(among, other))) continue;
                left += alike[other] = 1;
            }
        }
        if (!left) followed |= cards.n == 1 ? EVERYONE : knowers_of(s, cards);
    }
    for (int i = 0; i < cards.n; i++) {
        i64 card = cards.v[i], seen = SEES[pile] | watching(s, card), keep = followed | seen;
        s->known[card] = (s->known[card] & keep) | seen | named;
        if (!left || s->loc[card] < 0) continue;
        const Pile *source = &s->z[s->loc[card]];
        for (i64 j = 0; j < source->n; j++) if (alike[source->v[j]]) s->known[source->v[j]] &= keep;
    }
}

static void sort_pile(Pile *pile, int down) {
    for (i64 i = 1; i < pile->n; i++) {
        i64 card = pile->v[i], j = i;
        for (; j && (SORTED[pile->v[j - 1]] > SORTED[card]) != down; j--) pile->v[j] = pile->v[j - 1];
        pile->v[j] = card;
    }
}

static void restart_marks(S *s, i64 card);

static void lay(S *s, i64 card, i64 pile) { /* on top */
    if (s->z[pile].n >= LONGEST) fail(s, NO_ROOM);
    s->z[pile].v[s->z[pile].n++] = card;
}

static int is_top(const Pile *pile, const i64 *cards, i64 count) { /* cards from the top down */
    for (i64 i = 0; i < count; i++) if (pile->v[pile->n - 1 - i] != cards[i]) return 0;
    return 1;
}

static void lift(S *s, const i64 *cards, i64 count) { /* take cards out of their piles, many at a time */
    i64 source = s->loc[cards[0]], together = 1;
    for (i64 i = 1; i < count; i++) together &= s->loc[cards[i]] == source;
    if (together && source >= 0 && count <= s->z[source].n) {
        Pile *pile = &s->z[source];
        if (is_top(pile, cards, count)) {
            pile->n -= count;
            return;
        }
        if (pile->n == count && equal(pile->v, cards, count)) {
            pile->n = 0;
            return;
        }
    }
    if (count < MANY) {
        for (i64 i = 0; i < count; i++) if (s->loc[cards[i]] >= 0) take_out(&s->z[s->loc[cards[i]]], cards[i]);
        return;
    }
    char moved[CARDS] = {0}, done[ZONES] = {0};
    for (i64 i = 0; i < count; i++) moved[cards[i]] = 1;
    for (i64 i = 0; i < count; i++) {
        source = s->loc[cards[i]];
        if (source < 0 || done[source]) continue;
        Pile *pile = &s->z[source];
        i64 left = 0;
        for (i64 j = 0; j < pile->n; j++) if (!moved[pile->v[j]]) pile->v[left++] = pile->v[j];
        pile->n = left;
        done[source] = 1;
    }
}

static void move(S *s, L cards, i64 pile, int end, i64 followed, L among, i64 place) {
    if (!cards.n) return;
    if (cards.n > CARDS) fail(s, NO_ROOM);
    if (cards.n >= MANY) s->fuel -= cards.n >> 2;
    i64 held[CARDS];
    copy(held, cards.v, cards.n); /* it may be a view of a pile */
    learn(s, view(held, cards.n), pile, followed, among);
    lift(s, held, cards.n);
    for (int i = 0; i < cards.n; i++) {
        i64 card = held[i];
        s->loc[card] = pile;
        if (SEAT_OF[pile] >= 0) s->owner[card] = SEAT_OF[pile];
        if (MARKED) restart_marks(s, card);
    }
    Pile *target = &s->z[pile];
    if (target->n + cards.n > LONGEST) fail(s, NO_ROOM);
    i64 at = end == END_UNDER ? 0 : target->n;
    if (at < target->n) memmove(target->v + at + cards.n, target->v + at, sizeof(i64) * (u64)(target->n - at));
    copy(target->v + at, held, cards.n);
    target->n += cards.n;
    if (end >= END_LOWEST) sort_pile(target, end == END_LOWEST);
}

/* Bring cards from the top of a pile to their place on a card in it, or under it. `seats`: those that know its place. */
static void insert(S *s, L cards, i64 card, i64 above, i64 seats) {
    Pile *pile = &s->z[s->loc[card]];
    i64 sees = SEES[s->loc[card]], at = 0, held[CARDS];
    s->fuel -= pile->n >> 2;
    copy(held, cards.v, cards.n);
    pile->n -= cards.n;
    while (pile->v[at] != card) at++;
    at += above;
    memmove(pile->v + at + cards.n, pile->v + at, sizeof(i64) * (u64)(pile->n - at));
    copy(pile->v + at, held, cards.n);
    pile->n += cards.n;
    i64 located = seats | sees;
    for (i64 i = 0; (located & EVERYONE) != EVERYONE && i < pile->n; i++) s->known[pile->v[i]] &= located;
}

static void put(S *s, i64 card, i64 pile) { /* put a card on a pile that all players see */
    if (COPIES) forget_copies(s, view(&card, 1), pile, (i64)1 << s->who, (L){0});
    if (s->loc[card] >= 0) take_out(&s->z[s->loc[card]], card);
    s->known[card] = EVERYONE;
    s->loc[card] = pile;
    if (SEAT_OF[pile] >= 0) s->owner[card] = SEAT_OF[pile];
    lay(s, card, pile);
}

/* `cards` is a separate list, not a pile. */
static void deal(S *s, L cards, L piles, i64 followed, L among, i64 place) {
    if (followed == EVERYONE && cards.n < MANY && !MARKED) { /* one card to each in turn; all players can follow them */
        for (int i = 0; i < cards.n; i++) {
            i64 card = cards.v[i], pile = piles.v[i % piles.n];
            s->known[card] |= SEES[pile] | SEES[s->loc[card]];
            take_out(&s->z[s->loc[card]], card);
            lay(s, card, pile);
            s->loc[card] = pile;
            s->owner[card] = SEAT_OF[pile];
        }
        return;
    }
    for (int turn = 0; turn < piles.n; turn++) {
        L own = {0};
        for (int i = turn; i < cards.n; i += piles.n) add(s, &own, cards.v[i]);
        move(s, own, piles.v[turn], END_TOP, followed, among, place);
    }
}

static void hide(S *s, L cards) {
    s->fuel -= cards.n >> 2;
    for (i64 i = 0; i < cards.n; i++) s->known[cards.v[i]] = 0;
}

static void shuffle(S *s, i64 pile) {
    hide(s, list_of(s->z[pile]));
    mix(s, &s->z[pile]);
}

static void reveal(S *s, L cards, i64 seat) {
    for (int i = 0; i < cards.n; i++) s->known[cards.v[i]] |= seat == -1 ? EVERYONE : (i64)1 << seat;
}

static inline i64 face_in(S *s, i64 card, L cards) {
    if (card >= 0) for (int i = 0; i < cards.n; i++) if (CARD_FACE[cards.v[i]] == CARD_FACE[card]) return 1;
    return 0;
}

static L faces_of(S *s, L cards) {
    L made = fresh(s);
    for (int i = 0; i < cards.n; i++) add(s, &made, CARD_FACE[cards.v[i]]);
    return made;
}

static L separate_copies(S *s, L cards) { /* a repeated card is another copy, if one is not in the list */
    L made = fresh(s);
    for (int i = 0; i < cards.n; i++) {
        i64 card = cards.v[i], copy_ = card;
        if (contains(made, card)) {
            while (copy_ && CARD_FACE[copy_ - 1] == CARD_FACE[card]) copy_--;
            while (copy_ < CARDS && CARD_FACE[copy_] == CARD_FACE[card] && (contains(cards, copy_) || contains(made, copy_))) copy_++;
            if (copy_ == CARDS || CARD_FACE[copy_] != CARD_FACE[card]) copy_ = card;
        }
        add(s, &made, copy_);
    }
    return made;
}

/* In games with long computations, each item counts against the step limit. */
static L counted_items(S *s, L list, i64 place) {
    s->fuel -= 1 + list.n / 64;
    if (s->fuel < 0) fail(s, place);
    return list;
}

static inline i64 same_face(S *s, i64 a, i64 b) { return a >= 0 && b >= 0 && CARD_FACE[a] == CARD_FACE[b]; }
