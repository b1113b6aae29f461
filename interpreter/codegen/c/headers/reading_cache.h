/* Cache of readings, by the classes of their cards in any order. A level has the classes that matter to all ranks from
   some rank on: once no flush is possible, suits don't matter. The best way is cached if it is best in any order of the
   cards. Otherwise only its rank is cached, and the search finds the best way. */

#define WHOLE 1

typedef struct { const Level *level; u64 key; int order[FEW_READ]; } Sorted;

/* Sort cards by class, then by number. The key is 0 if there are too many cards or a card is listed twice. */
static void sort_by_class(Sorted *to, const Ranking *ranking, i64 first, L cards, L wild) {
    const Level *level = to->level = &ranking->levels[first < 0 ? 0 : ranking->level_of[first]];
    u64 all[FEW_READ];
    to->key = 0;
    if (cards.n > level->most) return;
    for (int i = 0; i < cards.n; i++) {
        i64 card = cards.v[i];
        u64 class_ = (u64)level->classes[CARD_FACE[card]] << ranking->wild_lines | (wild.n ? (u64)wild.v[i] : 0);
        u64 one = class_ << 40 | (u64)card << 8 | (u64)i;
        int j = i;
        for (; j && all[j - 1] > one; j--) all[j] = all[j - 1];
        all[j] = one;
    }
    u64 key = 1;
    for (int i = 0; i < cards.n; i++) {
        if (i && all[i] >> 8 == all[i - 1] >> 8) return;
        to->order[i] = (int)(all[i] & 255);
        key = key << level->bits | all[i] >> 40;
    }
    to->key = key << 4 | (u64)(level - ranking->levels);
}

/* Return the cache entry of this key, or a free entry, whose key differs. */
static KnownReading *known_reading(S *s, const Ranking *ranking, u64 key) {
    unsigned short *places = s->w->place_of_reading[ranking->number];
    KnownReading *all = s->w->readings[ranking->number];
    u64 at = key * STEP >> (64 - READ_BITS);
    for (; places[at]; at = (at + 1) & ((1 << READ_BITS) - 1))
        if (all[places[at]].key == key) return &all[places[at]];
    i64 *count = &s->w->known_readings[ranking->number];
    if (*count + 1 == 1 << (READ_BITS - 1)) {
        memset(places, 0, sizeof(*places) << READ_BITS);
        *count = 0;
    }
    places[at] = (unsigned short)++*count;
    all[*count].key = 0;
    return &all[*count];
}

static i64 *strength_of_known(S *s, const Ranking *ranking, const KnownReading *known) {
    return s->w->strengths[ranking->number][known - s->w->readings[ranking->number]];
}

static void remember(KnownReading *known, const Search *x, const Reading *best, const Sorted *sorted, i64 rank) {
    known->key = sorted->key;
    known->rank = (short)rank;
    known->whole = known->runs = known->wild = 0;
    if (rank < 0 || x->tied || (x->ranking->judged && x->ways > 1)) return;
    int at[FEW_READ];
    for (int i = 0; i < x->cards.n; i++) at[sorted->order[i]] = i;
    for (int i = 0; i < best->used.n; i++) {
        known->used[i] = (unsigned char)at[place_in(x->cards, best->used.v[i])];
        known->shown[i] = (short)x->best_shown[i];
        known->wild |= (unsigned char)(x->best_wild[i] << i);
    }
    for (int i = 0; i < best->groups.n; i++) {
        known->ends[i] = (unsigned char)best->groups.v[i];
        known->runs |= (unsigned char)(x->best_pattern->groups[i].run << i);
    }
    known->groups = (unsigned char)best->groups.n;
    known->whole = WHOLE;
    if (!x->ranking->judged) copy(strength_of_known(x->s, x->ranking, known), best->strength, known->n = (unsigned char)best->n);
}

/* Take a cached reading. In a group, natural cards come before wild ones, each in hand order; in a run, in the order of
   the run. */
static void take_known(Search *x, Reading *best, const KnownReading *known, const Sorted *sorted) {
    int start = 0;
    for (int group = 0; group < known->groups; start = known->ends[group++])
        for (int i = start; i < known->ends[group]; i++) {
            int hand = sorted->order[known->used[i]], wild = known->wild >> i & 1, own = wild << 8 | hand, j = i;
            for (; j > start && !(known->runs >> group & 1) && x->keys[j - 1] > own; j--) {
                x->keys[j] = x->keys[j - 1];
                x->used[j] = x->used[j - 1];
                x->shown[j] = x->shown[j - 1];
            }
            x->keys[j] = own;
            x->used[j] = x->cards.v[hand];
            x->shown[j] = known->shown[i];
            x->wilds += wild;
        }
    x->n = start;
    for (int i = 0; i < known->groups; i++) best->groups.v[i] = known->ends[i];
    best->groups.n = known->groups;
    copy(best->used.v, x->used, start);
    best->used.n = start;
    best->wilds = x->wilds;
    best->rest.n = rest_of(x, best->rest.v);
    if (x->ranking->judged) judged(x, best, 0);
    else copy(best->strength, strength_of_known(x->s, x->ranking, known), best->n = known->n);
}
