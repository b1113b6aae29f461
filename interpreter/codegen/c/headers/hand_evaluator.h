/* Evaluation of hands: the C counterpart of interpreter/hands/hand_evaluator.py. */

/* Return whether `length` consecutive fields are set. */
static i64 row_of(const u64 *full, int words, int length, int width_) {
    u64 now[words], all[words];
    memcpy(now, full, sizeof now);
    memcpy(all, full, sizeof all);
    for (int turn = 1; turn < length; turn++)
        for (int i = 0; i < words; i++) {
            now[i] = now[i] >> width_ | (i + 1 < words ? now[i + 1] << (64 - width_) : 0);
            all[i] &= now[i];
        }
    u64 any = 0;
    for (int i = 0; i < words; i++) any |= all[i];
    return any != 0;
}

static void counted(const Ranking *ranking, Search *x, u64 *counts, u64 *natural) {
    memset(natural, 0, sizeof(u64) * (u64)ranking->words);
    for (int i = 0; i < x->cards.n; i++)
        for (int w = 0; w < ranking->words; w++) natural[w] += ranking->ones[x->cards.v[i] * ranking->words + w];
    memcpy(counts, natural, sizeof(u64) * (u64)ranking->words);
    for (int i = 0; i < x->helpers.n; i++)
        for (int w = 0; w < ranking->words; w++)
            counts[w] += x->helpers.stand[i]->ones[w] - ranking->ones[x->helpers.card[i] * ranking->words + w];
}

static void begin_search(Search *x, const Ranking *ranking, S *s, L cards, L wild, void (*found)(Search *x)) {
    if (cards.n > HAND || cards.n > ranking->most) fail(s, NO_ROOM);
    x->s = s, x->ranking = ranking, x->cards = cards, x->found = found;
    x->helpers.n = x->n = x->wilds = x->any = x->quiet = x->all = x->tied = 0;
    x->most = cards.n;
    x->left = MOST_WAYS;
    for (int i = 0; i < wild.n; i++)
        if (wild.v[i]) {
            x->helpers.card[x->helpers.n] = cards.v[i];
            x->helpers.stand[x->helpers.n++] = &ranking->stand_in[(CARD_FACE[cards.v[i]] << ranking->wild_lines) + wild.v[i]];
        }
}

static void ways_of(Search *x, const Pattern *pattern) {
    if (x->all && pattern->size >= 0 && pattern->size != x->cards.n) return;
    x->pattern = pattern;
    spare_wilds(x);
    next_group(x, 0);
}

static void ways_of_rank(Search *x, i64 rank) {
    const Ranking *ranking = x->ranking;
    x->ways = 0;
    for (int i = ranking->patterns_of[rank]; i < ranking->patterns_of[rank + 1]; i++) ways_of(x, &ranking->patterns[i]);
}

/* ---- best reading */
static void keep_best(Search *x) {
    Reading way, *best = x->to;
    if (++x->ways > MOST_WAYS) fail(x->s, TOO_MANY);
    way.n = 0;
    judged(x, &way, 0);
    int above = x->any ? stronger(&way, best) : 1;
    if (above <= 0) {
        x->tied |= !above;
        return;
    }
    x->any = 1;
    x->tied = 0;
    x->best_pattern = x->pattern;
    copy(x->best_shown, x->shown, x->n);
    memcpy(x->best_wild, x->wild, (u64)x->n);
    take_strength(best, &way);
    best->wilds = x->wilds;
    best->used.n = x->n;
    copy(best->used.v, x->used, x->n);
    best->groups.n = x->pattern->n;
    for (int i = 0; i < x->pattern->n; i++) best->groups.v[i] = x->ends[i];
    best->rest.n = rest_of(x, best->rest.v);
}

static Reading *blank_reading(S *s, L cards) {
    i64 *held = room(s, (sizeof(Reading) + 7) / 8 + 4 * HAND);
    Reading *reading = (Reading *)(held + 4 * HAND);
    copy(held, cards.v, cards.n);
    *reading = (Reading){view(held + HAND, 0), view(held + 2 * HAND, 0), view(held, cards.n), view(held + 3 * HAND, 0)};
    return reading;
}

static const Reading *ranked(Reading *reading, const Ranking *ranking, i64 rank) {
    reading->rank = rank;
    reading->title = ranking->titles[rank];
    return reading;
}

static const Reading *read_hand(const Ranking *ranking, S *s, L cards, L wild, Judge judge) {
    u64 counts[ranking->words], natural[ranking->words];
    Search x;
    if (cards.n > HAND) fail(s, NO_ROOM);
    Reading *best = blank_reading(s, cards);
    begin_search(&x, ranking, s, best->cards, wild, keep_best);
    x.judge = judge, x.to = best;
    x.all = !ranking->size;
    if (ranking->size > 0 && ranking->size < cards.n) x.most = ranking->size;
    i64 rank = 0, one_level = ranking->one_level;
    if (!one_level) counted(ranking, &x, counts, natural), rank = ranking->next_rank(counts, natural, x.helpers.n, 0);
    Sorted sorted;
    sort_by_class(&sorted, ranking, rank, x.cards, wild);
    KnownReading *known = sorted.key ? known_reading(s, ranking, sorted.key) : 0;
    if (known && known->key && known->whole) {
        take_known(&x, best, known, &sorted);
        return ranked(best, ranking, known->rank);
    }
    if (one_level) counted(ranking, &x, counts, natural);
    if (known && known->key) rank = known->rank;
    else if (one_level) rank = ranking->next_rank(counts, natural, x.helpers.n, 0);
    for (; rank >= 0; rank = ranking->next_rank(counts, natural, x.helpers.n, rank + 1)) {
        ways_of_rank(&x, rank);
        if (x.any) break;
    }
    if (known && !known->key) remember(known, &x, best, &sorted, rank);
    return rank < 0 ? 0 : ranked(best, ranking, rank);
}

/* ---- ranks that use all cards */
static void stop_at_any(Search *x) {
    x->any = 1;
    longjmp(x->enough, 1);
}

static i64 found_matching(const Ranking *ranking, S *s, L cards, L wild) {
    if (ranking->size > 0 && cards.n > ranking->size) return 0;
    u64 counts[ranking->words], natural[ranking->words];
    Search x;
    begin_search(&x, ranking, s, cards, wild, stop_at_any);
    x.all = 1;
    if (setjmp(x.enough)) return 1;
    counted(ranking, &x, counts, natural);
    for (i64 rank = -1; (rank = ranking->next_rank(counts, natural, x.helpers.n, rank + 1)) >= 0;) ways_of_rank(&x, rank);
    return 0;
}

/* Return whether all cards make one group. There is at least one card, and each has at most one place in a run. */
static int is_group(const Group *group, L cards) {
    if (cards.n < group->count || (cards.n > group->count && !group->or_more)) return 0;
    i64 key = group->keys[CARD_FACE[cards.v[0]]];
    u64 places = 0;
    if (key < 0) return 0;
    for (int i = 0; i < cards.n; i++) {
        i64 face = CARD_FACE[cards.v[i]];
        if (group->keys[face] != key) return 0;
        if (!group->run) continue;
        u64 place = (u64)1 << (group->spots[2 * face].place - group->first);
        if (places & place) return 0;
        places |= place;
    }
    return !(places + (places & -places) & places); /* a carry stops after a row of consecutive bits */
}

/* Return the result of `found_matching`, by a direct test if possible, else cached by the classes of the cards. */
static i64 matching(const Ranking *ranking, S *s, L cards, L wild) {
    if (cards.n > ranking->any_order) return found_matching(ranking, s, cards, wild);
    if (cards.n < ranking->fewest) return 0;
    if (ranking->direct) {
        if (ranking->size > 0 && cards.n > ranking->size) return 0;
        for (int i = 0; i < ranking->patterns_of[ranking->ranks]; i++)
            if (is_group(ranking->patterns[i].groups, cards)) return 1;
        return 0;
    }
    u64 key = 0, twice = 0, met[CARDS / 64 + 1] = {0};
    for (int i = 0; i < cards.n; i++) {
        i64 card = cards.v[i];
        u64 bit = (u64)1 << (card & 63);
        twice |= met[card >> 6] & bit;
        met[card >> 6] |= bit;
        key += ranking->weights[card];
    }
    if (twice) return found_matching(ranking, s, cards, wild); /* a card listed twice is not two of its class */
    u64 *known = &s->w->matched[ranking->number][key * STEP >> (64 - MATCHED_BITS)];
    if (*known >> 1 != key) *known = key << 1 | (u64)found_matching(ranking, s, cards, wild);
    return (i64)(*known & 1);
}

/* ---- all choices of cards that make a rank together, some more than once; `take` may stop the search */
typedef struct { int low; int (*take)(void *to, L choice); void *to; } Sets;

static void hand_on(Search *x) {
    Sets *sets = x->to;
    if (x->n >= sets->low && sets->take(sets->to, view(x->used, x->n))) longjmp(x->enough, 1);
}

static void each_set(const Ranking *ranking, S *s, L cards, i64 low, i64 high, int (*take)(void *to, L choice), void *to) {
    u64 counts[ranking->words], natural[ranking->words];
    Search x;
    Sets sets = {(int)low, take, to};
    begin_search(&x, ranking, s, cards, (L){0}, hand_on);
    if (ranking->size > 0 && high > ranking->size) high = ranking->size;
    x.most = (int)high, x.to = &sets, x.quiet = 1;
    if (setjmp(x.enough)) return;
    counted(ranking, &x, counts, natural);
    for (i64 rank = -1; (rank = ranking->next_rank(counts, natural, 0, rank + 1)) >= 0;)
        for (int i = ranking->patterns_of[rank]; i < ranking->patterns_of[rank + 1]; i++) {
            const Pattern *pattern = &ranking->patterns[i];
            if (pattern->least <= high && low <= (pattern->size > 0 ? pattern->size : high)) ways_of(&x, pattern);
        }
}
