/* Hand ranges of opponents in betting games: the C counterpart of interpreter/bots/belief_sampler.py. Each public bet weighs
   samples of the match by how well the player's hand would suit it, among the hands they could have had then. So a
   player who has raised twice gets one of the best hands among those that raise. A player who draws one card gets four
   cards that count. */

#ifdef BETS
#define SUPPOSED_DEALS 1500 /* number of weighed samples */
#define LET_GO 0.03 /* probability of discarding a card that counts, compared with one that does not */
#define KEPT 0.15 /* probability of holding on to a card that does not count */

/* `n`: number of samples. `to`: target of each card, by sample. `drawn`: indexes resampled by weight. */
typedef struct {
    i64 n, order[SUPPOSED_DEALS], drawn[SUPPOSED_DEALS];
    double weight[SUPPOSED_DEALS];
    short to[SUPPOSED_DEALS][CARDS];
    i64 key[SUPPOSED_DEALS][STRENGTH + 2];
} Supposed;

static void as_supposed(Onlooker *o, const Supposed *all, i64 number) { /* deal the cards of this sample */
    for (int card = 0; card < CARDS; card++) o->to[card] = all->to[number][card];
}

/* Return the state before a move, with the cards of a sample. */
static S *past_as_supposed(Onlooker *o, const Supposed *all, i64 number, const Made *made) {
    S *s = &o->past;
    as_supposed(o, all, number);
    clone(s, &made->before);
    s->w = o->now.w, s->checking = 0;
    swap_cards(s, o->to);
    return s;
}

/* Sort samples by the strength of the player's hand; 0: no reading. */
static int sort_by_strength(Onlooker *o, Supposed *all, const Made *made) {
    for (i64 j = 0; j < all->n; j++) {
        S *s = past_as_supposed(o, all, j, made);
        const Reading *reading = own_reading(s, s->who);
        if (!reading) return 0;
        L key = {0};
        add_strength(s, &key, reading);
        copy(all->key[j], key.v, STRENGTH + 2);
        i64 at = j;
        for (; at && compared(all->key[all->order[at - 1]], all->key[j], STRENGTH + 2) > 0; at--) all->order[at] = all->order[at - 1];
        all->order[at] = j;
    }
    return 1;
}

/* Weigh samples by the probability of a bet with each hand, among the hands that the player may have had then. `wild`:
   probability that they ignore their hand. */
static void weigh_bet(Onlooker *o, Supposed *all, const Made *made, double wild) {
    if (!sort_by_strength(o, all, made)) return;
    S *s = past_as_supposed(o, all, 0, made);
    double stay, add, whole = 0, below = 0, equal = 0;
    shares(s, &stay, &add);
    i64 role = role_of(site_of(s), made->code);
    for (i64 j = 0; j < all->n; j++) whole += all->weight[j];
    for (i64 at = 0; at < all->n; at++) {
        i64 number = all->order[at];
        if (at && compared(all->key[all->order[at - 1]], all->key[number], STRENGTH + 2)) below += equal, equal = 0;
        equal += all->weight[number];
        double likely = likely_of(role, wanted_of(whole > 0 ? below / whole : 0, stay, add));
        all->weight[number] *= (1 - wild) * likely + wild * WILD[role];
    }
}

static i64 end_of_set(const Onlooker *o, i64 first) { /* return the index after the last pick of a set, or `enough` */
    const Made *begun = &o->moves[first];
    i64 end = first, enough = 0;
    for (; end < o->made && !enough; end++) {
        Made *made = (Made *)&o->moves[end];
        int goes_on = made->before.who == begun->before.who && made->before.picks.n == end - first;
        if (!goes_on || site_of(&made->before) != site_of((S *)&begun->before)) break;
        enough = made->code == 0;
    }
    return end;
}

/* Return the probability that a hand discards this set. Cards that count seldom go, and other cards seldom stay unless
   no more could go. */
static double likely_set(Onlooker *o, const Supposed *all, i64 number, i64 first, i64 end) {
    S *s = past_as_supposed(o, all, number, &o->moves[first]);
    const Reading *reading = own_reading(s, s->who);
    i64 gone[CARDS], count = 0;
    double likely = 1;
    for (i64 at = first; reading && at < end; at++) {
        i64 code = o->moves[at].code;
        if (code <= 0 || code > CARDS) continue;
        gone[count] = o->to[code - 1];
        if (contains(reading->used, gone[count++])) likely *= LET_GO;
    }
    if (!reading || !reading->cards.n || o->moves[end - 1].code) return likely;
    const Pile *hand = &s->z[s->loc[reading->cards.v[0]]];
    for (int i = 0; i < hand->n; i++) {
        i64 card = hand->v[i];
        if (!contains(reading->used, card) && !contains(view(gone, count), card)) likely *= KEPT;
    }
    return likely;
}

/* Return whether the player has none of the picked cards any longer. */
static int is_let_go(const Onlooker *o, i64 first, i64 end) {
    for (i64 at = first; at < end; at++) {
        i64 code = o->moves[at].code, pile = code > 0 && code <= CARDS ? o->now.loc[code - 1] : -1;
        if (pile >= 0 && SEAT_OF[pile] == o->moves[first].before.who) return 0;
    }
    return 1;
}

static void weigh_set(Onlooker *o, Supposed *all, i64 first) { /* weigh samples by the cards that a player discarded */
    i64 end = end_of_set(o, first);
    if (!is_let_go(o, first, end)) return;
    for (i64 j = 0; j < all->n; j++) all->weight[j] *= likely_set(o, all, j, first, end);
}

/* Return whether this is another player's first pick of a set that gives information on their hand. */
static int begins_set(Onlooker *o, Made *made) {
    return (made->told & HEARD) && SITE_PICKS[site_of(&made->before)] && !made->before.picks.n && shows_hand(o, made);
}

static void draw_supposed(Supposed *all) { /* systematic resampling by weight */
    double whole = 0, reached = 0;
    i64 at = 0;
    for (i64 j = 0; j < all->n; j++) whole += all->weight[j];
    for (i64 i = 0; i < all->n; i++) {
        while (at < all->n - 1 && reached + all->weight[at] < whole * ((double)i + 0.5) / (double)all->n) reached += all->weight[at++];
        all->drawn[i] = at;
    }
}

static void suppose(Work *w, Onlooker *o, Supposed *all, const double *wild, S *spare) {
    volatile i64 tries = 0, at = 0;
    all->n = 0;
    for (; tries < SUPPOSED_DEALS; tries++) {
        if (setjmp(w->at_fault) || !sample(o, spare)) continue;
        for (int card = 0; card < CARDS; card++) all->to[all->n][card] = (short)o->to[card];
        all->weight[all->n++] = 1;
    }
    if (setjmp(w->at_fault)) at++; /* a rule failed: the move gives no information */
    for (; all->n && at < o->made; at++) {
        Made *made = &o->moves[at];
        if (made->chosen && is_bet(site_of(&made->before))) weigh_bet(o, all, made, wild[made->before.who]);
        if (begins_set(o, made)) weigh_set(o, all, at);
    }
    draw_supposed(all);
}

/* Draw a sample by weight, and shuffle the cards that no player has seen. */
static int sample_supposed(Onlooker *o, const Supposed *all, S *s) {
    for (int tried = 0; tried < DEALS; tried++) {
        as_supposed(o, all, all->drawn[drawn(&o->chance, all->n)]);
        shuffle_unseen(o, &o->chance);
        if (deal_sample(o, s, &o->chance)) return 1;
    }
    return 0;
}

/* Set the hands that the others could hold now as the range for comparison. All hands count equally, so that a player
   who has bet with a good hand continues to bet in playouts. */
static void compare_hands(Work *w, Onlooker *o, Habits *h, S *s) {
    volatile i64 sampled = 0, size = -1;
    h->compared = -1;
    for (; sampled < RIVALS; sampled++) {
        if (setjmp(w->at_fault) || !sample(o, s)) continue;
        if (size < 0) {
            const Reading *own = own_reading(s, o->seat);
            size = own && own->cards.n <= HAND ? own->cards.n : 0;
            h->many[size] = 0;
        }
        for (int seat = 0; seat < PLAYERS; seat++) {
            const Reading *reading = seat != o->seat ? own_reading(s, seat) : 0;
            if (reading && reading->cards.n == size) strength_of(h, s, reading);
        }
    }
    h->compared = size;
}
#endif
