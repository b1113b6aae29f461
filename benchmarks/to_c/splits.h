/* Cards split into groups, each a rank by itself, so that the least is left: the C counterpart of
   interpreter/ranking/split.py, by dynamic programming over sets of cards. */

#define KNOWN_SPLITS (1 << 18) /* more than MOST_WAYS, so that one is always free */

/* mask: the cards that it takes, and of another reading the groups. */
typedef struct { i64 mask, wilds, n, cards[HAND]; } Meld;
typedef struct { i64 turn, free, least, left; const Meld *meld; } Known;
typedef struct { L masks, melds; const i64 *bits; i64 other_bit; L cards, other; } Melds;
typedef struct { const Melds *melds; const i64 *costs; i64 cards, tried; } Splitting;

static Known known_splits[KNOWN_SPLITS];
static i64 splits_made;

static const Meld *meld_at(const Melds *melds, int number) { return (const Meld *)(arena + melds->melds.v[number]); }

static void keep_meld(Search *x) { /* one that takes all of the other group, and some of its own */
    Melds *melds = x->to;
    if (++x->ways > MOST_WAYS) fail(TOO_MANY);
    i64 mask = 0, own[HAND];
    int count = 0;
    for (int i = 0; i < x->n; i++) {
        if (contains(melds->other, x->used[i])) {
            mask |= melds->other_bit;
            continue;
        }
        mask |= (i64)1 << place_in(melds->cards, x->used[i]);
        own[count++] = x->used[i];
    }
    x->any = 1;
    if (!count || count + melds->other.n != x->n || contains(melds->masks, mask)) return;
    add(&melds->masks, mask);
    Meld *meld = (Meld *)room((sizeof(Meld) + 7) / 8);
    *meld = (Meld){mask, x->wilds, count};
    copy(meld->cards, own, count);
    add(&melds->melds, (i64 *)meld - arena);
}

/* The groups that the cards make with all of `other`; those of one call differ in what they take. */
static void add_melds(const Ranking *ranking, S *s, Melds *melds, L wild, L other, i64 other_bit) {
    u64 counts[ranking->words], natural[ranking->words];
    L all = copied(other), flags = {0};
    extend(&all, melds->cards);
    for (int i = 0; wild.n && i < other.n; i++) add(&flags, 0);
    extend(&flags, wild);
    Search x;
    begin_search(&x, ranking, s, all, flags, keep_meld);
    melds->masks = (L){0};
    melds->other = other;
    melds->other_bit = other_bit;
    x.to = melds;
    counted(ranking, &x, counts, natural);
    for (i64 rank = -1; (rank = ranking->next_rank(counts, natural, x.helpers.n, rank + 1)) >= 0;) ways_of_rank(&x, rank);
}

static const Known *best_split(Splitting *to, i64 free) {
    static const Known nothing = {0};
    if (!(free & to->cards)) return &nothing;
    u64 at = (u64)free * 0x9E3779B97F4A7C15u >> 46;
    for (; known_splits[at].turn == splits_made && known_splits[at].free != free; at = (at + 1) % KNOWN_SPLITS) {}
    if (known_splits[at].turn == splits_made) return &known_splits[at];
    if (++to->tried > MOST_WAYS) fail(TOO_MANY);
    i64 lowest = free & -free;
    const Known *without = best_split(to, free ^ lowest);
    Known found = {splits_made, free, without->least + to->costs[__builtin_ctzll((u64)lowest)], without->left + 1, 0};
    for (int i = 0; i < to->melds->melds.n; i++) {
        const Meld *meld = meld_at(to->melds, i);
        if ((meld->mask & -meld->mask) != lowest || (meld->mask & free) != meld->mask) continue;
        const Known *behind = best_split(to, free ^ meld->mask);
        if (behind->least < found.least || (behind->least == found.least && behind->left < found.left))
            found.least = behind->least, found.left = behind->left, found.meld = meld;
    }
    for (at = (u64)free * 0x9E3779B97F4A7C15u >> 46; known_splits[at].turn == splits_made;) at = (at + 1) % KNOWN_SPLITS;
    known_splits[at] = found;
    return &known_splits[at];
}

static const Reading *read_split(const Ranking *ranking, S *s, L cards, L wild, const Reading *beside) {
    int others = beside ? beside->groups.n : 0;
    if (cards.n > HAND || cards.n + others > 62) fail(NO_ROOM);
    i64 costs[HAND], useful = 0, useless = 0;
    Reading *reading = blank_reading(cards);
    Melds melds = {.cards = reading->cards};
    add_melds(ranking, s, &melds, wild, (L){0}, 0);
    for (int i = 0, start = 0; i < others; start = (int)beside->groups.v[i++])
        add_melds(ranking, s, &melds, wild, view(beside->used.v + start, beside->groups.v[i] - start), (i64)1 << (cards.n + i));
    for (int i = 0; i < melds.melds.n; i++) useful |= meld_at(&melds, i)->mask;
    for (int i = 0; i < cards.n; i++) {
        costs[i] = ranking->least[CARD_FACE[cards.v[i]]];
        if (!(useful >> i & 1)) useless += costs[i];
    }
    Splitting to = {&melds, costs, ((i64)1 << cards.n) - 1, 0};
    splits_made++;
    i64 least = best_split(&to, useful)->least + useless;
    for (i64 free = useful; free & to.cards;) {
        const Meld *meld = best_split(&to, free)->meld;
        free ^= meld ? meld->mask : free & -free;
        if (!meld) continue;
        copy(reading->used.v + reading->used.n, meld->cards, meld->n);
        reading->used.n += (int)meld->n;
        reading->wilds += meld->wilds;
        reading->groups.v[reading->groups.n++] = reading->used.n;
    }
    for (int i = 0; i < cards.n; i++)
        if (!contains(reading->used, cards.v[i])) reading->rest.v[reading->rest.n++] = cards.v[i];
    reading->n = 1;
    reading->strength[0] = -least;
    return reading;
}
