/* Split of cards into groups, each a rank by itself, with the lowest total of leftover cards. The C counterpart of
   interpreter/hands/hand_evaluator.py, by dynamic programming over sets of cards. */

/* Group of a split. `mask`: its own cards, and the groups of another reading that it extends. */
typedef struct Meld { i64 mask, wilds, n, cards[HAND]; } Meld;
typedef struct { L masks, melds; const i64 *bits; i64 other_bit; L cards, other; } Melds;
typedef struct { const Melds *melds; const i64 *costs; i64 cards, tried; } Splitting;

static const Meld *meld_at(S *s, const Melds *melds, int number) { return (const Meld *)(s->w->arena + melds->melds.v[number]); }

static void keep_meld(Search *x) { /* store a group with all cards of the other group and some of its own */
    Melds *melds = x->to;
    if (++x->ways > MOST_WAYS) fail(x->s, TOO_MANY);
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
    add(x->s, &melds->masks, mask);
    Meld *meld = (Meld *)room(x->s, (sizeof(Meld) + 7) / 8);
    *meld = (Meld){mask, x->wilds, count};
    copy(meld->cards, own, count);
    add(x->s, &melds->melds, (i64 *)meld - x->s->w->arena);
}

/* Add the groups that the cards make with all cards of `other`. The groups of one call differ in their own cards. */
static void add_melds(const Ranking *ranking, S *s, Melds *melds, L wild, L other, i64 other_bit) {
    u64 counts[ranking->words], natural[ranking->words];
    L all = copied(s, other), flags = {0};
    extend(s, &all, melds->cards);
    for (int i = 0; wild.n && i < other.n; i++) add(s, &flags, 0);
    extend(s, &flags, wild);
    Search x;
    begin_search(&x, ranking, s, all, flags, keep_meld);
    melds->masks = (L){0};
    melds->other = other;
    melds->other_bit = other_bit;
    x.to = melds;
    counted(ranking, &x, counts, natural);
    for (i64 rank = -1; (rank = ranking->next_rank(counts, natural, x.helpers.n, rank + 1)) >= 0;) ways_of_rank(&x, rank);
}

static const Known *best_split(S *s, Splitting *to, i64 free) {
    static const Known nothing = {0};
    if (!(free & to->cards)) return &nothing;
    u64 at = (u64)free * 0x9E3779B97F4A7C15u >> 46;
    for (; s->w->known_splits[at].turn == s->w->splits_made && s->w->known_splits[at].free != free; at = (at + 1) % KNOWN_SPLITS) {}
    if (s->w->known_splits[at].turn == s->w->splits_made) return &s->w->known_splits[at];
    if (++to->tried > MOST_WAYS) fail(s, TOO_MANY);
    i64 lowest = free & -free;
    const Known *without = best_split(s, to, free ^ lowest);
    Known found = {s->w->splits_made, free, without->least + to->costs[place_of_bit((u64)lowest)], without->left + 1, 0};
    for (int i = 0; i < to->melds->melds.n; i++) {
        const Meld *meld = meld_at(s, to->melds, i);
        if ((meld->mask & -meld->mask) != lowest || (meld->mask & free) != meld->mask) continue;
        const Known *behind = best_split(s, to, free ^ meld->mask);
        if (behind->least < found.least || (behind->least == found.least && behind->left < found.left))
            found.least = behind->least, found.left = behind->left, found.meld = meld;
    }
    for (at = (u64)free * 0x9E3779B97F4A7C15u >> 46; s->w->known_splits[at].turn == s->w->splits_made;) at = (at + 1) % KNOWN_SPLITS;
    s->w->known_splits[at] = found;
    return &s->w->known_splits[at];
}

static const Reading *read_split(const Ranking *ranking, S *s, L cards, L wild, const Reading *beside) {
    int others = beside ? beside->groups.n : 0;
    if (cards.n > HAND || cards.n + others > 62) fail(s, NO_ROOM);
    i64 costs[HAND], useful = 0, useless = 0;
    Reading *reading = blank_reading(s, cards);
    Melds melds = {.cards = reading->cards};
    add_melds(ranking, s, &melds, wild, (L){0}, 0);
    for (int i = 0, start = 0; i < others; start = (int)beside->groups.v[i++])
        add_melds(ranking, s, &melds, wild, view(beside->used.v + start, beside->groups.v[i] - start), (i64)1 << (cards.n + i));
    for (int i = 0; i < melds.melds.n; i++) useful |= meld_at(s, &melds, i)->mask;
    for (int i = 0; i < cards.n; i++) {
        costs[i] = ranking->least[CARD_FACE[cards.v[i]]];
        if (!(useful >> i & 1)) useless += costs[i];
    }
    Splitting to = {&melds, costs, ((i64)1 << cards.n) - 1, 0};
    s->w->splits_made++;
    i64 least = best_split(s, &to, useful)->least + useless;
    for (i64 free = useful; free & to.cards;) {
        const Meld *meld = best_split(s, &to, free)->meld;
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
