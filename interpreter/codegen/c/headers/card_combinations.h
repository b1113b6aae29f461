/* Legal picks in choices of several cards: the C counterpart of interpreter/runtime/legal_card_combinations.py. A test is a function of the
   variables in scope and of the chosen cards. */

#define MAX_TRIED 200000
typedef i64 (*Passes)(S *s, const void *given, L chosen);
typedef struct { Passes passes; const void *given; const Ranking *sets; } Test;

static i64 tested(S *s, const Test *test, L chosen) { /* free the temporary lists of the test */
    i64 before = s->w->taken, holds = test->passes(s, test->given, chosen) != 0;
    s->w->taken = before;
    return holds;
}

/* Visit all choices of `low` to `high` items after `first`, smaller ones first, until `take` stops the search. */
static void each_selection(L first, L items, i64 low, i64 high, int (*take)(void *to, L choice), void *to) {
    i64 held[first.n + items.n + 1];
    int at[items.n + 1];
    copy(held, first.v, first.n);
    for (int size = (int)low; size <= high && size <= items.n; size++) {
        first_choice(at, size);
        do {
            for (int i = 0; i < size; i++) held[first.n + i] = items.v[at[i]];
            if (take(to, view(held, first.n + size))) return;
        } while (next_choice(at, size, items.n));
    }
}

/* ---- items that belong to a choice that passes the test */
typedef struct { S *s; const Test *test; i64 all, tried; L found; } Fulfilling;

static int take_fulfilling(void *to, L choice) {
    Fulfilling *x = to;
    int known = 1;
    for (int i = 0; i < choice.n; i++) known &= contains(x->found, choice.v[i]);
    if (known) return 0;
    if (++x->tried > MAX_TRIED || x->found.n == x->all) return 1;
    if (tested(x->s, x->test, choice))
        for (int i = 0; i < choice.n; i++) if (!contains(x->found, choice.v[i])) add(x->s, &x->found, choice.v[i]);
    return 0;
}

static L fulfilling(S *s, L items, i64 low, i64 high, Test test) {
    L held = copied(s, items);
    Fulfilling x = {s, &test, items.n, 0, {0}};
    x.found.v = room(s, items.n + 1), x.found.cap = items.n;
    if (low < 1) low = 1;
    if (high > items.n) high = items.n;
    if (test.sets) each_set(test.sets, s, held, low, high, take_fulfilling, &x);
    else each_selection((L){0}, held, low, high, take_fulfilling, &x);
    return sorted_up(s, x.found);
}

/* ---- next pick */
typedef struct { S *s; const Test *test; L candidates, picks, wanted, codes; i64 tried; } Following;

static int take_following(void *to, L choice) { /* take the code that follows the picks */
    Following *x = to;
    i64 row[CARDS + 1];
    if (++x->tried > MAX_TRIED) return 1;
    for (int i = 0; i < choice.n; i++) { /* candidate order */
        i64 place = place_in(x->candidates, choice.v[i]);
        int j = i;
        for (; j && row[j - 1] > place; j--) row[j] = row[j - 1];
        row[j] = place;
    }
    for (int i = 0; i < choice.n; i++) row[i] = x->candidates.v[row[i]];
    if (choice.n < x->picks.n || !equal(row, x->picks.v, x->picks.n)) return 0;
    i64 code = choice.n > x->picks.n ? row[x->picks.n] + 1 : 0;
    if ((code && !contains(x->wanted, code)) || contains(x->codes, code) || !tested(x->s, x->test, view(row, choice.n))) return 0;
    add(x->s, &x->codes, code);
    return x->codes.n > x->wanted.n;
}

static L following(S *s, L candidates, i64 low, i64 high, const Test *test, L wanted) { /* the wanted codes, and 0 */
    L picks = copied(s, list_of(s->picks)), cards = copied(s, picks);
    i64 start = picks.n ? place_in(candidates, picks.v[picks.n - 1]) + 1 : 0;
    extend(s, &cards, view(candidates.v + start, candidates.n - start));
    Following x = {s, test, candidates, picks, wanted, {0}, 0};
    x.codes.v = room(s, wanted.n + 2), x.codes.cap = wanted.n + 1;
    each_set(test->sets, s, cards, low > picks.n ? low : picks.n, high, take_following, &x);
    return x.codes;
}

typedef struct { S *s; const Test *test; i64 tried, passes; } Completing;

static int take_completing(void *to, L choice) {
    Completing *x = to;
    if (++x->tried > MAX_TRIED) return 1;
    return (int)(x->passes = tested(x->s, x->test, choice));
}

static i64 completes(S *s, L candidates, i64 card, i64 low, i64 high, const Test *test) {
    L picks = copied(s, list_of(s->picks));
    add(s, &picks, card);
    i64 place = place_in(candidates, card) + 1;
    Completing x = {s, test, 0, 0};
    L behind = view(candidates.v + place, candidates.n - place);
    each_selection(picks, behind, low > picks.n ? low - picks.n : 0, high - picks.n, take_completing, &x);
    return x.passes;
}

static L more_picks(S *s, L candidates, i64 low, i64 high, i64 who, int may, int copies, Test test) {
    L legal = {0}, kinds = {0}, codes = {0}, picks = list_of(s->picks);
    for (i64 i = picks.n ? place_in(candidates, last_of(s, picks, -1)) + 1 : 0; i < candidates.n; i++) {
        i64 card = candidates.v[i];
        if (picks.n + candidates.n - i < low) break;
        if (copies && met(s, kinds, card, who)) continue;
        add(s, &kinds, card);
        add(s, &codes, card + 1);
    }
    i64 done = picks.n >= low;
    if (test.sets) {
        L open = following(s, candidates, low > 1 ? low : 1, high, &test, codes);
        for (int i = 0; i < codes.n; i++) if (contains(open, codes.v[i])) add(s, &legal, codes.v[i]);
        done = contains(open, 0);
    } else if (test.passes) {
        for (int i = 0; i < codes.n; i++) {
            i64 before = s->w->taken, open = completes(s, candidates, codes.v[i] - 1, low, high, &test);
            s->w->taken = before;
            if (open) codes.v[legal.n++] = codes.v[i];
        }
        legal = view(codes.v, legal.n);
        done = done && tested(s, &test, picks);
    } else legal = codes;
    if (done || (may && !picks.n)) add(s, &legal, 0);
    return legal;
}
