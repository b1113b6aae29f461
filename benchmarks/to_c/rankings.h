/* Reading hands from the tables of a ranking: the C counterpart of interpreter/ranking/reader.py, ways.py, runs.py and
   ties.py. For rankings whose cards are not split into groups, without traits that are checked afterwards. The ways
   are looked at in the same order as there, so that the same cards are used. */

#define READ_ROW (4 + HAND + STRENGTH)

typedef struct { i64 place, face; } Spot;
typedef struct { i64 key, place, face; } Showing;
typedef struct { int n; const Showing *at; } Showings;

/* keys: by face, -1 outside; spots: by face, the places in a run (place -2: none), two each. number: among all groups. */
typedef struct { int number, count, or_more, run, all_keys, first, stop; const i64 *keys; const Spot *spots; } Group;
typedef struct { int first, second, equal; const i64 *left, *right; } Bond;
typedef struct { int n, size, bonds; const Group *groups; const Bond *bond; const int *twins; } Pattern;

/* A card that may be wild: by group, what it can show where; and its ones in the counts. */
typedef struct { const Showings *options; const u64 *ones; } StandIn;
enum { BEST, WORST, USED, REST, WILDS };
enum { EACH_VALUE, COUNT, TOTAL, HIGHEST, LOWEST };
typedef struct { int what, sign, fold, groups; const i64 *values; } Line;

typedef struct { L used, rest, cards; i64 wilds; } Probe;
typedef struct { L used, rest, cards; i64 wilds, rank, n, strength[STRENGTH]; } Reading;
typedef i64 (*Judge)(S *s, i64 line, const Probe *v);
typedef i64 (*NextRank)(const u64 *counts, const u64 *natural, i64 wilds, i64 from);

/* size: of how many cards; 0: all of them. words: of 64 bits in the counts. */
typedef struct {
    int size, ranks, lines, words, wild_lines;
    const int *patterns_of; /* by rank, the first of its patterns; one more behind the last */
    const Pattern *patterns;
    const Line *line;
    const StandIn *stand_in; /* by face and bit set of wild lines */
    const u64 *ones; /* by card */
    NextRank next_rank;
} Ranking;

typedef struct { int n; i64 card[HAND]; const StandIn *stand[HAND]; } Helpers;
typedef struct { int n, keys[HAND], sizes[HAND]; i64 cards[HAND][HAND]; } Fields;
typedef struct { i64 card, shown; int wild; } Seat;

typedef struct {
    S *s;
    const Ranking *ranking;
    const Pattern *pattern;
    Judge judge;
    L cards;
    Helpers helpers;
    int most, any, spare[HAND];
    int n, wilds, keys[HAND]; /* the way so far */
    i64 used[HAND], shown[HAND];
    Reading *best;
} Search;

static int among(const i64 *items, int count, i64 item) {
    for (int i = 0; i < count; i++) if (items[i] == item) return 1;
    return 0;
}

/* ---- how good a way is */
static void key_of(Reading *to, const Line *line, i64 *values, int count) {
    i64 *out = to->strength + to->n;
    if (line->fold) {
        i64 folded = line->fold == COUNT ? count : line->fold == HIGHEST ? INT64_MIN : line->fold == LOWEST ? INT64_MAX : 0;
        for (int i = 0; i < count; i++) {
            i64 value = line->sign * values[i];
            if (line->fold == TOTAL) folded += value;
            if (line->fold == HIGHEST && value > folded) folded = value;
            if (line->fold == LOWEST && value < folded) folded = value;
        }
        out[0] = folded * line->sign;
        to->n++;
        return;
    }
    int often[HAND];
    for (int i = 0; i < count; i++) {
        often[i] = 0;
        for (int j = 0; line->groups && j < count; j++) often[i] += values[j] == values[i];
    }
    for (int i = 0; i < count; i++) { /* the most frequent first, then down (up, for `lower`) */
        int j = i, number = often[i];
        i64 value = values[i];
        for (; j && (often[j - 1] < number || (often[j - 1] == number && (out[j - 1] - value) * line->sign < 0)); j--) {
            out[j] = out[j - 1];
            often[j] = often[j - 1];
        }
        out[j] = value;
        often[j] = number;
    }
    out[count] = line->sign > 0 ? INT64_MIN : INT64_MAX;
    to->n += count + 1;
}

static int rest_of(Search *x, i64 *rest) {
    int count = 0, size = x->ranking->size;
    for (int i = 0; i < x->cards.n; i++)
        if (!among(x->used, x->n, x->cards.v[i])) rest[count++] = x->cards.v[i];
    if (!size || x->n + count <= size) return count;
    const Line *by = 0;
    for (int i = 0; i < x->ranking->lines && !by; i++) if (x->ranking->line[i].what == REST) by = &x->ranking->line[i];
    for (int i = 1; by && i < count; i++) {
        i64 card = rest[i];
        int j = i;
        for (; j && by->values[CARD_FACE[rest[j - 1]]] < by->values[CARD_FACE[card]]; j--) rest[j] = rest[j - 1];
        rest[j] = card;
    }
    return size - x->n;
}

static void judged(Search *x, Reading *to) {
    i64 rest[HAND], values[HAND], all[2 * HAND];
    int left = rest_of(x, rest);
    memcpy(all, x->used, sizeof(i64) * (u64)x->n);
    memcpy(all + x->n, rest, sizeof(i64) * (u64)left);
    Probe probe = {view(x->used, x->n), view(rest, left), view(all, x->n + left), x->wilds};
    for (int number = 0; number < x->ranking->lines; number++) {
        const Line *line = &x->ranking->line[number];
        if (line->what == BEST || line->what == WORST) {
            int holds = x->judge(x->s, number, &probe) != 0;
            to->strength[to->n++] = !holds ? 0 : line->what == BEST ? 1 : -1;
            if (holds) return;
        } else if (line->what == WILDS) {
            to->strength[to->n++] = line->sign * x->wilds;
        } else {
            int count = line->what == USED ? x->n : left;
            for (int i = 0; i < count; i++)
                values[i] = line->values[line->what == USED ? x->shown[i] : CARD_FACE[rest[i]]];
            key_of(to, line, values, count);
        }
    }
}

static int stronger(const Reading *a, const Reading *b) { /* -1, 0, 1 */
    for (i64 i = 0; i < a->n && i < b->n; i++)
        if (a->strength[i] != b->strength[i]) return a->strength[i] < b->strength[i] ? -1 : 1;
    return (a->n > b->n) - (a->n < b->n);
}

static void found(Search *x) {
    Reading way;
    way.n = 0;
    judged(x, &way);
    if (x->any && stronger(&way, x->best) <= 0) return;
    x->any = 1;
    memcpy(x->best->strength, way.strength, sizeof(i64) * (u64)way.n);
    x->best->n = way.n;
    x->best->wilds = x->wilds;
    x->best->used.n = x->n;
    memcpy(x->best->used.v, x->used, sizeof(i64) * (u64)x->n);
    x->best->rest.n = rest_of(x, x->best->rest.v);
}

/* ---- the ways to make a pattern */
static void next_group(Search *x, int number);

static void chosen(Search *x, int number, int key, const Seat *seats, int count) {
    const Pattern *pattern = x->pattern;
    if (pattern->twins[number] && key < x->keys[number - 1]) return;
    x->keys[number] = key;
    for (int i = 0; i < pattern->bonds; i++) {
        const Bond *bond = &pattern->bond[i];
        if (bond->second != number) continue;
        if ((bond->left[x->keys[bond->first]] == bond->right[key]) != bond->equal) return;
    }
    int before = x->n, wilds = x->wilds;
    for (int i = 0; i < count; i++) {
        x->used[x->n] = seats[i].card;
        x->shown[x->n++] = seats[i].shown;
        x->wilds += seats[i].wild;
    }
    if (number + 1 == pattern->n) found(x);
    else next_group(x, number + 1);
    x->n = before;
    x->wilds = wilds;
}

static int next_choice(int *at, int size, int count) { /* the next of the combinations, in their usual order */
    int i = size - 1;
    while (i >= 0 && at[i] == count - size + i) i--;
    if (i < 0) return 0;
    at[i]++;
    for (i++; i < size; i++) at[i] = at[i - 1] + 1;
    return 1;
}

static void first_choice(int *at, int size) { for (int i = 0; i < size; i++) at[i] = i; }

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

static void of_key_with_wilds(Search *x, int number, int key, const i64 *field, int there, int low, int high) {
    const Group *group = &x->pattern->groups[number];
    Seat able[HAND];
    int count = 0, together = there, at[HAND];
    for (int i = 0; i < x->helpers.n; i++) {
        if (among(x->used, x->n, x->helpers.card[i])) continue;
        const Showings *options = &x->helpers.stand[i]->options[group->number];
        for (int j = 0; j < options->n; j++)
            if (options->at[j].key == key && options->at[j].place == 0) {
                able[count++] = (Seat){x->helpers.card[i], options->at[j].face, 1};
                together += !among(field, there, x->helpers.card[i]);
            }
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
        const Showings *options = &x->helpers.stand[i]->options[group->number];
        for (int j = 0; j < options->n; j++)
            if (options->at[j].key == key && options->at[j].place == place)
                seats[count++] = (Seat){x->helpers.card[i], options->at[j].face, 1};
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
        for (int size = low; size <= high && size <= longest; size++)
            for (int start = group->first; start <= group->stop - size; start++) {
                int without = 0;
                for (int i = 0; i < size; i++) {
                    counts[i] = seats_at(x, group, fields, key, start + i, seats[i]);
                    without += !counts[i] || seats[i][0].wild; /* natural ones come first */
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
    if (group->or_more || !x->ranking->size) {
        high = group->or_more ? room_ : room_ < group->count ? room_ : group->count;
        if (!x->ranking->size && !open && room_ > low) low = room_;
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

/* ---- reading */
static i64 row_of(const u64 *full, int words, int length, int width_) { /* so many set bits in a row of fields */
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

static const Reading *read_hand(const Ranking *ranking, S *s, L cards, L wild, Judge judge) {
    if (cards.n > HAND) fail(NO_ROOM);
    u64 counts[ranking->words], natural[ranking->words];
    i64 *held = room((sizeof(Reading) + 7) / 8 + 3 * HAND);
    Reading *best = (Reading *)(held + 3 * HAND);
    Search x = {.s = s, .ranking = ranking, .judge = judge, .best = best};
    x.cards = view(held, cards.n);
    memcpy(held, cards.v, sizeof(i64) * (u64)cards.n);
    *best = (Reading){.used = view(held + HAND, 0), .rest = view(held + 2 * HAND, 0), .cards = x.cards};
    x.most = ranking->size && ranking->size < cards.n ? ranking->size : cards.n;
    for (int i = 0; i < wild.n; i++)
        if (wild.v[i]) {
            x.helpers.card[x.helpers.n] = cards.v[i];
            x.helpers.stand[x.helpers.n++] = &ranking->stand_in[(CARD_FACE[cards.v[i]] << ranking->wild_lines) + wild.v[i]];
        }
    counted(ranking, &x, counts, natural);
    for (i64 rank = -1; (rank = ranking->next_rank(counts, natural, x.helpers.n, rank + 1)) >= 0;) {
        for (int i = ranking->patterns_of[rank]; i < ranking->patterns_of[rank + 1]; i++) {
            x.pattern = &ranking->patterns[i];
            if (!ranking->size && x.pattern->size >= 0 && x.pattern->size != cards.n) continue;
            spare_wilds(&x);
            next_group(&x, 0);
        }
        best->rank = rank;
        if (x.any) return best;
    }
    return 0;
}

static int compared_readings(const Reading *a, const Reading *b) { /* 2: one of them is missing */
    if (!a || !b) return 2;
    return a->rank != b->rank ? (a->rank > b->rank ? -1 : 1) : stronger(a, b);
}

static void add_strength(L *list, const Reading *reading) { /* STRENGTH + 2 numbers that compare as readings do */
    add(list, reading != 0);
    add(list, reading ? -reading->rank : 0);
    for (int i = 0; i < STRENGTH; i++) add(list, reading && i < reading->n ? reading->strength[i] : INT64_MIN);
}

#define reading_owner(s, r) ((r) && (r)->cards.n ? (s)->owner[(r)->cards.v[0]] : -1)
