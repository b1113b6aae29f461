/* Search for all ways to make a pattern, in the order of interpreter/hands/pattern_search.py and runs.py. */

static void next_group(Search *x, int number);

/* ---- traits checked after the search */
static int in_row(const i64 *values, int count) {
    i64 low = values[0], high = values[0];
    for (int i = 1; i < count; i++) {
        if (values[i] < low) low = values[i];
        if (values[i] > high) high = values[i];
    }
    return high - low == count - 1;
}

/* Check traits, and replace faces by low ones if needed. `ends`: end of each group; 0 for a single group. */
static int has_traits(const Check *check, int checks, i64 *faces, int count, const int *ends) {
    for (const Check *end = check + checks; check < end; check++) {
        i64 values[HAND];
        int many = 0;
        for (int i = 0, group = 0, start = 0; i < count; i++) {
            if (ends && i == ends[group]) start = ends[group++];
            if (check->once >> group & 1 && i > start) continue;
            values[many] = check->values[faces[i]];
            if (values[many] == NO_VALUE || among(values, many, values[many])) return 0;
            many++;
        }
        if (!check->run || in_row(values, many)) continue;
        for (int i = 0; i < many; i++) if (check->may_low && values[i] == check->low) values[i] = -1;
        if (!check->may_low || !in_row(values, many)) return 0;
        for (int i = 0; i < count; i++) faces[i] = check->lowered[faces[i]];
    }
    return 1;
}

static void check_shown(Search *x, void *to) {
    const Pattern *pattern = x->pattern;
    i64 held[HAND];
    int start = 0, holds = 1;
    (void)to;
    copy(held, x->shown, x->n);
    for (int i = 0; holds && i < pattern->n; start = x->ends[i++])
        holds = has_traits(pattern->groups[i].check, pattern->groups[i].checks, x->shown + start, x->ends[i] - start, 0);
    if (holds && has_traits(pattern->check, pattern->checks, x->shown, x->n, x->ends)) x->found(x);
    copy(x->shown, held, x->n);
}

static void found_checked(Search *x) {
    int others = x->wilds;
    for (int i = 0; i < x->n; i++) others |= x->shown[i] != CARD_FACE[x->used[i]];
    if (others) each_shown(x, 0, check_shown, 0);
    else check_shown(x, 0);
}

static void chosen(Search *x, int number, int key, const Seat *seats, int count) {
    const Pattern *pattern = x->pattern;
    if (x->all || x->helpers.n || !pattern->plain) spend(x);
    if (pattern->twins[number]) {
        i64 first = x->used[number > 1 ? x->ends[number - 2] : 0];
        if (key < x->keys[number - 1] || (key == x->keys[number - 1] && seats[0].card < first)) return;
    }
    x->keys[number] = key;
    for (int i = 0; i < pattern->bonds; i++) {
        const Bond *bond = &pattern->bond[i];
        if (bond->second != number) continue;
        if ((bond->left[x->keys[bond->first]] == bond->right[key]) != bond->equal) return;
    }
    int before = x->n, wilds = x->wilds;
    for (int i = 0; i < count; i++) {
        x->used[x->n] = seats[i].card;
        x->wild[x->n] = (unsigned char)seats[i].wild;
        x->shown[x->n++] = seats[i].shown;
        x->wilds += seats[i].wild;
    }
    x->ends[number] = x->n;
    if (number + 1 == pattern->n) pattern->checked ? found_checked(x) : x->found(x);
    else next_group(x, number + 1);
    x->n = before;
    x->wilds = wilds;
}

static void by_key(Search *x, const Group *group, Fields *fields) {
    fields->n = 0;
    for (int i = 0; i < x->cards.n; i++) {
        i64 card = x->cards.v[i];
        int key = (int)group->keys[CARD_FACE[card]], at = 0;
        if (key < 0 || among(x->used, x->n, card)) continue;
        while (at < fields->n && fields->keys[at] != key) at++;
        if (at == fields->n) { fields->keys[fields->n] = key; fields->sizes[fields->n++] = 0; }
        fields->cards[at][fields->sizes[at]++] = card;
    }
}

static void alike_cards(Search *x, int number, Fields *fields, int low, int high) {
    for (int field = 0; field < fields->n; field++)
        for (int size = low; size <= high && size <= fields->sizes[field]; size++) {
            int at[HAND];
            Seat seats[HAND];
            first_choice(at, size);
            do {
                for (int i = 0; i < size; i++) {
                    i64 card = fields->cards[field][at[i]];
                    seats[i] = (Seat){card, CARD_FACE[card], 0};
                }
                chosen(x, number, fields->keys[field], seats, size);
            } while (next_choice(at, size, fields->sizes[field]));
        }
}

static void with_wilds(Search *x, int number, int key, const i64 *field, int there, int size, const Seat *wild, int wilds) {
    i64 natural[HAND];
    int left = 0, at[HAND], want = size - wilds;
    for (int i = 0; i < there; i++) {
        int taken_ = 0;
        for (int j = 0; j < wilds; j++) taken_ |= wild[j].card == field[i];
        if (!taken_) natural[left++] = field[i];
    }
    if (want > left) return;
    Seat seats[HAND];
    first_choice(at, want);
    do {
        for (int i = 0; i < want; i++) seats[i] = (Seat){natural[at[i]], CARD_FACE[natural[at[i]]], 0};
        memcpy(seats + want, wild, sizeof(Seat) * (u64)wilds);
        chosen(x, number, key, seats, size);
    } while (next_choice(at, want, left));
}

static const Showing *showing(const Search *x, int helper, const Group *group, int key, i64 place) {
    const Showings *options = &x->helpers.stand[helper]->options[group->number];
    int at = options->by_place[key * (group->run ? group->stop - group->first : 1) + (int)place - group->first];
    return at < 0 ? 0 : &options->at[at];
}

static void of_key_with_wilds(Search *x, int number, int key, const i64 *field, int there, int low, int high) {
    const Group *group = &x->pattern->groups[number];
    Seat able[HAND];
    int count = 0, together = there, at[HAND];
    for (int i = 0; i < x->helpers.n; i++) {
        if (among(x->used, x->n, x->helpers.card[i])) continue;
        const Showing *as = showing(x, i, group, key, 0);
        if (!as) continue;
        able[count++] = (Seat){x->helpers.card[i], as->face, 1};
        together += !among(field, there, x->helpers.card[i]);
    }
    for (int size = low; size <= high && size <= together; size++)
        for (int wilds = size > there ? size - there : 0; wilds <= size && wilds <= count && wilds <= x->spare[number]; wilds++) {
            first_choice(at, wilds);
            do {
                Seat wild[HAND];
                for (int i = 0; i < wilds; i++) wild[i] = able[at[i]];
                with_wilds(x, number, key, field, there, size, wild, wilds);
            } while (next_choice(at, wilds, count));
        }
}

static void alike_with_wilds(Search *x, int number, Fields *fields, int helpers, int low, int high) {
    const Group *group = &x->pattern->groups[number];
    int short_ = low - (x->spare[number] < helpers ? x->spare[number] : helpers);
    if (short_ > 0) {
        for (int i = 0; i < fields->n; i++)
            if (fields->sizes[i] >= short_)
                of_key_with_wilds(x, number, fields->keys[i], fields->cards[i], fields->sizes[i], low, high);
        return;
    }
    for (int key = 0; key < group->all_keys; key++) {
        int i = 0;
        while (i < fields->n && fields->keys[i] != key) i++;
        if (i < fields->n) of_key_with_wilds(x, number, key, fields->cards[i], fields->sizes[i], low, high);
        else of_key_with_wilds(x, number, key, 0, 0, low, high);
    }
}

/* ---- runs: one card for each place */
static int seats_at(Search *x, const Group *group, Fields *fields, i64 key, i64 place, Seat *seats) {
    int count = 0;
    for (int i = 0; i < fields->n; i++)
        for (int j = 0; fields->keys[i] == key && j < fields->sizes[i]; j++) {
            i64 card = fields->cards[i][j];
            for (int k = 0; k < 2; k++) {
                Spot spot = group->spots[2 * CARD_FACE[card] + k];
                if (spot.place == place) seats[count++] = (Seat){card, spot.face, 0};
            }
        }
    for (int i = 0; i < x->helpers.n; i++) {
        if (among(x->used, x->n, x->helpers.card[i])) continue;
        const Showing *as = showing(x, i, group, (int)key, place);
        if (as) seats[count++] = (Seat){x->helpers.card[i], as->face, 1};
    }
    return count;
}

static void rows(Search *x, int number, int key, Seat (*seats)[2 * HAND], const int *counts, int size, Seat *row, int at) {
    if (at == size) {
        chosen(x, number, key, row, size);
        return;
    }
    for (int i = 0; i < counts[at]; i++) {
        int taken_ = 0;
        for (int j = 0; j < at; j++) taken_ |= row[j].card == seats[at][i].card;
        if (taken_) continue;
        row[at] = seats[at][i];
        rows(x, number, key, seats, counts, size, row, at + 1);
    }
}

static void runs(Search *x, int number, Fields *fields, int helpers, int low, int high) {
    const Group *group = &x->pattern->groups[number];
    Seat seats[HAND][2 * HAND], row[HAND];
    int counts[HAND];
    for (int key = 0; key < group->all_keys; key++) {
        int longest = helpers;
        for (int i = 0; i < fields->n; i++) if (fields->keys[i] == key) longest += fields->sizes[i];
        for (int size = low; size <= high && size <= longest && size <= x->cards.n; size++)
            for (int start = group->first; start <= group->stop - size; start++) {
                int without = 0;
                for (int i = 0; i < size; i++) {
                    counts[i] = seats_at(x, group, fields, key, start + i, seats[i]);
                    without += !counts[i] || seats[i][0].wild; /* natural cards come first */
                }
                if (without <= helpers) rows(x, number, key, seats, counts, size, row, 0);
            }
    }
}

static void next_group(Search *x, int number) {
    const Pattern *pattern = x->pattern;
    const Group *group = &pattern->groups[number];
    if (x->spare[number] < 0) return;
    Fields fields;
    by_key(x, group, &fields);
    int helpers = 0, low = group->count, high = group->count, room_ = x->most - x->n, open = 0;
    for (int i = 0; i < x->helpers.n; i++) helpers += !among(x->used, x->n, x->helpers.card[i]);
    for (int i = number + 1; i < pattern->n; i++) {
        room_ -= pattern->groups[i].count;
        open |= pattern->groups[i].or_more;
    }
    if (group->or_more || x->all) {
        high = group->or_more ? room_ : room_ < group->count ? room_ : group->count;
        if (x->all && !open && room_ > low) low = room_;
    }
    if (group->run) runs(x, number, &fields, helpers, low, high);
    else if (helpers && x->spare[number]) alike_with_wilds(x, number, &fields, helpers, low, high);
    else alike_cards(x, number, &fields, low, high);
}

static void spare_wilds(Search *x) {
    int left = x->helpers.n;
    for (int i = x->pattern->n - 1; i >= 0; i--) {
        Fields fields;
        int most = 0, need = x->pattern->groups[i].count;
        x->spare[i] = left;
        if (!x->helpers.n) continue;
        by_key(x, &x->pattern->groups[i], &fields);
        for (int j = 0; j < fields.n; j++) if (fields.sizes[j] > most) most = fields.sizes[j];
        left -= need > most ? need - most : 0;
    }
}
