/* Seat order, indistinguishable cards, and ends of steps: the C counterpart of parts of interpreter/runtime/builtin_functions.py,
   program.py and picking.py. */

static i64 place_in(L list, i64 value) {
    for (int i = 0; i < list.n; i++) if (list.v[i] == value) return i;
    return -1;
}

static inline i64 is_out(S *s, i64 seat) { return s->out >> seat & 1; }

static i64 next_seat(S *s, i64 seat, i64 step) {
    if (seat < 0) return -1;
    i64 place = place_in(list_of(s->order), seat);
    for (i64 distance = 1; distance <= s->order.n; distance++) {
        i64 other = s->order.v[floor_mod(s, place + step * distance, s->order.n)];
        if (!is_out(s, other)) return other;
    }
    return -1;
}

#define left_of(s, seat) next_seat(s, seat, 1)
#define right_of(s, seat) next_seat(s, seat, -1)

static inline i64 seat_of(S *s, i64 seat) { return seat >= 0 ? place_in(list_of(s->order), seat) + 1 : NO_NUMBER; }

static L others_of(S *s, i64 seat) {
    L made = fresh(s);
    if (seat < 0) return made;
    i64 place = place_in(list_of(s->order), seat);
    for (i64 i = 1; i < s->order.n; i++) {
        i64 other = s->order.v[(place + i) % s->order.n];
        if (!is_out(s, other)) add(s, &made, other);
    }
    return made;
}

/* The pile that a card is in, empty if it is in none; then the cards on it and under it, the nearest first. */
static inline L pile_with(S *s, i64 card) { return card >= 0 && s->loc[card] >= 0 ? list_of(s->z[s->loc[card]]) : (L){0}; }

static L above_of(S *s, i64 card) {
    L pile = pile_with(s, card);
    i64 next = place_in(pile, card) + 1;
    return copied(s, view(pile.v + next, pile.n - next));
}

static L below_of(S *s, i64 card) {
    L pile = pile_with(s, card), made = fresh(s);
    for (i64 i = place_in(pile, card) - 1; i >= 0; i--) add(s, &made, pile.v[i]);
    return made;
}

static L rotated(S *s, L list, i64 start) {
    if (!list.n) return copied(s, list);
    i64 place = place_in(list, start), from = place_in(list_of(s->order), start);
    for (i64 i = 0; place < 0 && i < s->order.n; i++)
        place = place_in(list, s->order.v[((from < 0 ? 0 : from) + i) % s->order.n]);
    if (place < 0) return copied(s, list);
    L made = fresh(s);
    for (int i = 0; i < list.n; i++) add(s, &made, list.v[(place + i) % list.n]);
    return made;
}

static void seats_left(S *s) {
    s->alive.n = 0;
    for (i64 i = 0; i < s->order.n; i++)
        if (!is_out(s, s->order.v[i])) s->alive.v[s->alive.n++] = s->order.v[i];
}

static void finish(S *s, const i64 *enclosing);

static void eliminate(S *s, i64 seat, const i64 *game) { /* the game ends with the last player */
    if (is_out(s, seat)) return;
    s->out |= (i64)1 << seat;
    L left = copied(s, list_of(s->alive));
    s->alive.n = 0;
    for (int i = 0; i < left.n; i++) if (left.v[i] != seat) s->alive.v[s->alive.n++] = left.v[i];
    if (!s->alive.n) finish(s, game);
}

static void shuffle_players(S *s) {
    mix(s, &s->order);
    seats_left(s);
}

/* ---- picking of cards */
static inline i64 sees(S *s, i64 card, i64 who) {
    return (s->known[card] | (s->loc[card] >= 0 ? SEES[s->loc[card]] : 0)) >> who & 1;
}

/* Return whether two cards are the same to the player who chooses, and to every rule. */
static int alike(S *s, i64 a, i64 b, i64 who) {
    if (a == b) return 1;
    if (!sees(s, a, who) || !sees(s, b, who) || CARD_FACE[a] != CARD_FACE[b]) return 0;
    i64 known_a = s->known[a] | SEES[s->loc[a]], known_b = s->known[b] | SEES[s->loc[b]];
    if (known_a != known_b) return 0;
    for (int i = 0; i < CARD_TRACKS; i++) if (s->t[CARD_TRACK[i] + a] != s->t[CARD_TRACK[i] + b]) return 0;
    return 1;
}

static int met(S *s, L cards, i64 card, i64 who) {
    for (int i = 0; i < cards.n; i++) if (alike(s, cards.v[i], card, who)) return 1;
    return 0;
}

static L distinct(S *s, L cards, i64 who) {
    L made = fresh(s);
    for (int i = 0; i < cards.n; i++) if (!met(s, made, cards.v[i], who)) add(s, &made, cards.v[i]);
    return made;
}

static int stands_in(S *s, i64 card, i64 pick, i64 who) {
    if (MARKED || !(SEES[s->loc[card]] >> who & 1) || CARD_FACE[card] != CARD_FACE[pick]) return 0;
    for (int i = 0; i < CARD_TRACKS; i++) if (s->t[CARD_TRACK[i] + card] != s->t[CARD_TRACK[i] + pick]) return 0;
    return 1;
}

static L still_there(S *s, L cards, L picks, i64 who) { /* a missing card is replaced by a copy */
    L made = fresh(s);
    for (int i = 0; i < picks.n; i++) {
        i64 card = contains(cards, picks.v[i]) ? picks.v[i] : -1;
        for (int j = 0; card < 0 && j < cards.n; j++)
            if (!contains(picks, cards.v[j]) && !contains(made, cards.v[j]) && stands_in(s, cards.v[j], picks.v[i], who))
                card = cards.v[j];
        if (card >= 0) add(s, &made, card);
    }
    return made;
}

static L in_order(S *s, L cards, i64 who) { /* ascending; then the cards unknown to the player, in pile order */
    L keyed = {0};
    for (int i = 0; i < cards.n; i++) {
        i64 card = cards.v[i], pile = s->loc[card], seen = sees(s, card, who);
        add(s, &keyed, !seen);
        add(s, &keyed, seen ? card : pile);
        add(s, &keyed, seen ? 0 : place_in(list_of(s->z[pile]), card));
        add(s, &keyed, card);
    }
    keyed = in_key_order(s, keyed, 3, 1);
    L made = fresh(s);
    for (int i = 3; i < keyed.n; i += 4) add(s, &made, keyed.v[i]);
    return made;
}

/* ---- ends of steps and of the match */
static i64 over(S *s) {
    s->depth = 0;
    s->who = -1;
    s->choices = 0;
    return -1;
}

static i64 unwind(S *s, const i64 *enclosing) {
    for (; s->depth; s->depth--)
        if (enclosing[top_frame(s)->x[0]] >= 0) return enclosing[top_frame(s)->x[0]];
    return over(s);
}

static void finish(S *s, const i64 *enclosing) { /* called from a function that a block calls */
    s->w->finished = enclosing;
    longjmp(s->w->at_finish, 1);
}

/* Call during which that step may be finished. Other steps belong to outer calls. */
#define CATCHING(enclosing, call) \
    jmp_buf around; \
    i64 deep = (s)->w->deep; \
    memcpy(&around, &(s)->w->at_finish, sizeof around); \
    if (!setjmp((s)->w->at_finish)) { call; (s)->w->finished = 0; } \
    memcpy(&(s)->w->at_finish, &around, sizeof around); \
    (s)->w->deep = deep; \
    if ((s)->w->finished && (s)->w->finished != (enclosing)) longjmp((s)->w->at_finish, 1);

static L winning(S *s);

static L winners_so_far(S *s) { /* evaluated within a rule, so it does not use up the step limit */
    i64 fuel = s->fuel;
    s->fuel = FUEL;
    L won = winning(s);
    s->fuel = fuel;
    return won;
}

/* Call that may be recursive. */
#define DEEPER(call) \
    if (++s->w->deep > DEEPEST) fail(s, NO_ROOM); \
    call; \
    s->w->deep--;
