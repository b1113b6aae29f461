/* Rankings as tables, and comparison of ways to make a rank: the C counterpart of interpreter/hands/ranking_tables.py,
   hand.py and ties.py. Cards show their own face, or the face that a wild card represents. A face below 0 is a choice
   among several faces. */

#define READ_ROW (4 + HAND + STRENGTH)
#define MOST_WAYS 100000 /* maximum number of attempts at a reading */

typedef struct { i64 place, face; } Spot;
typedef struct { i64 key, place, face; } Showing;
typedef struct { const short *by_place; const Showing *at; } Showings; /* by key and place, its index or -1 */
typedef struct { int n; const i64 *v; } Faces;

/* Trait that the search does not guarantee: all values differ and, with `run`, are consecutive. `values`: by face.
   `lowered`: by face, the face that replaces it when it counts low. `low`: the value that may count low. `once`: bit
   set of the groups that count once. */
typedef struct { int once, run, may_low; i64 low; const i64 *values, *lowered; } Check;
#define NO_VALUE INT64_MIN

/* Group of a pattern. `keys`: by face, -1 if outside. `spots`: two for each face, its places in a run (-2: none).
   `number`: index among all groups. */
typedef struct {
    int number, count, or_more, run, all_keys, first, stop;
    const i64 *keys;
    const Spot *spots;
    int checks;
    const Check *check;
} Group;
typedef struct { int first, second, equal; const i64 *left, *right; } Bond;

/* Pattern of a rank. `size`: cards in all groups, -1 if variable. `least`: its minimum. `checked`: whether any checks
   exist. */
typedef struct {
    int n, size, bonds;
    const Group *groups;
    const Bond *bond;
    const int *twins;
    int least, plain, checked, checks;
    const Check *check;
} Pattern;

/* Card that may be wild. `options`: by group, the faces and places that it can show. `ones`: its increments to the
   counts. */
typedef struct { const Showings *options; const u64 *ones; } StandIn;
enum { BEST, WORST, USED, REST, WILDS };
enum { EACH_VALUE, COUNT, TOTAL, HIGHEST, LOWEST };
typedef struct { int what, sign, fold, groups; const i64 *values; } Line;

typedef struct { L used, rest, cards; i64 wilds; } Probe;
/* Reading of a hand. `groups`: end of each group in `used`. */
typedef struct { L used, rest, cards, groups; i64 wilds, rank, title, n, strength[STRENGTH]; } Reading;
typedef i64 (*Judge)(S *s, i64 line, const Probe *v);
typedef i64 (*NextRank)(const u64 *counts, const u64 *natural, i64 wilds, i64 from);

/* Level of the cache of readings. `most`: maximum number of cards. `bits`: width of a class with its wild lines.
   `classes`: by face. */
typedef struct { int most, bits; const short *classes; } Level;

/* Ranking. `size`: number of cards; 0: all; -1: split into groups. `most`: maximum number of cards. `words`: 64-bit
   words in the counts. */
typedef struct {
    int size, most, ranks, lines, words, wild_lines;
    const int *patterns_of; /* by rank, its first pattern; then the end of the last */
    const Pattern *patterns;
    const Line *line;
    const StandIn *stand_in; /* by face and bit set of wild lines */
    const Faces *faces; /* choices of faces for wild cards */
    const i64 *titles, *least; /* by rank; by face, its cost if a split leaves it */
    const u64 *ones; /* by card */
    NextRank next_rank;
    int number, any_order, fewest; /* index; cache size limit in any order; minimum cards of a rank */
    int direct; /* whether `is_group` decides if cards make a rank */
    const u64 *weights; /* by card, one in the digit of its class */
    int judged, one_level; /* whether `ties` has conditions; whether all ranks have the same classes */
    const Level *levels;
    const signed char *level_of; /* by the first rank that the counts allow */
} Ranking;

typedef struct { int n; i64 card[HAND]; const StandIn *stand[HAND]; } Helpers;
typedef struct { int n, keys[HAND], sizes[HAND]; i64 cards[HAND][HAND]; } Fields;
typedef struct { i64 card, shown; int wild; } Seat;

/* Backtracking search for ways to make a rank. `all`: every card must be used. `most`: maximum number of cards.
   `found`: callback for each way, with its data in `to`. */
typedef struct Search Search;
struct Search {
    S *s;
    const Ranking *ranking;
    const Pattern *pattern;
    Judge judge;
    L cards;
    Helpers helpers;
    int all, most, any, spare[HAND];
    i64 left, ways; /* attempts left; ways found for this rank */
    int n, wilds, keys[HAND], ends[HAND]; /* current way */
    i64 used[HAND], shown[HAND];
    unsigned char wild[HAND], best_wild[HAND];
    int tied; /* whether another way is as good as the best one */
    const Pattern *best_pattern;
    i64 best_shown[HAND];
    void (*found)(Search *x);
    void *to;
    int quiet;
    jmp_buf enough; /* with `quiet`, the exit when no attempts are left */
};

static void spend(Search *x) {
    if (--x->left >= 0) return;
    if (x->quiet) longjmp(x->enough, 1);
    fail(x->s, TOO_MANY);
}

static int among(const i64 *items, int count, i64 item) {
    for (int i = 0; i < count; i++) if (items[i] == item) return 1;
    return 0;
}

/* ---- strength of a way */
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
    for (int i = 0; i < count; i++) { /* most frequent first, then descending (ascending for `lower`) */
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
    if (size <= 0 || x->n + count <= size) return count;
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

static int stronger(const Reading *a, const Reading *b);
static void judged_shown(Search *x, Reading *to, int line);

static int is_open(const Search *x) { /* return whether wild cards have a choice of faces */
    for (int i = 0; i < x->n; i++) if (x->shown[i] < 0) return 1;
    return 0;
}

static void judged(Search *x, Reading *to, int from) { /* evaluate the lines from `from` on */
    i64 rest[HAND], values[HAND], all[2 * HAND];
    int left = rest_of(x, rest);
    copy(all, x->used, x->n);
    copy(all + x->n, rest, left);
    Probe probe = {view(x->used, x->n), view(rest, left), view(all, x->n + left), x->wilds};
    for (int number = from; number < x->ranking->lines; number++) {
        const Line *line = &x->ranking->line[number];
        if (line->what == BEST || line->what == WORST) {
            int holds = x->judge(x->s, number, &probe) != 0;
            to->strength[to->n++] = !holds ? 0 : line->what == BEST ? 1 : -1;
            if (holds) return;
        } else if (line->what == WILDS) {
            to->strength[to->n++] = line->sign * x->wilds;
        } else if (line->what == USED && x->wilds && is_open(x)) {
            judged_shown(x, to, number);
            return;
        } else {
            int count = line->what == USED ? x->n : left;
            for (int i = 0; i < count; i++)
                values[i] = line->values[line->what == USED ? x->shown[i] : CARD_FACE[rest[i]]];
            key_of(to, line, values, count);
        }
    }
}

static void take_strength(Reading *to, const Reading *from) {
    copy(to->strength, from->strength, from->n);
    to->n = from->n;
}

/* Visit all faces that wild cards may show. */
static void each_shown(Search *x, int place, void (*body)(Search *x, void *to), void *to) {
    while (place < x->n && x->shown[place] >= 0) place++;
    if (place == x->n) {
        spend(x);
        body(x, to);
        return;
    }
    i64 held = x->shown[place];
    const Faces *faces = &x->ranking->faces[~held];
    for (int i = 0; i < faces->n; i++) {
        x->shown[place] = faces->v[i];
        each_shown(x, place + 1, body, to);
    }
    x->shown[place] = held;
}

typedef struct { const Reading *before; Reading *best; int any, line; } Showings_judged;

static void judge_shown(Search *x, void *to) {
    Showings_judged *all = to;
    Reading way;
    take_strength(&way, all->before);
    judged(x, &way, all->line);
    if (!all->any || stronger(&way, all->best) > 0) take_strength(all->best, &way);
    all->any = 1;
}

static void judged_shown(Search *x, Reading *to, int line) { /* evaluate the best faces of wild cards */
    Reading before;
    take_strength(&before, to);
    Showings_judged all = {&before, to, 0, line};
    each_shown(x, 0, judge_shown, &all);
}

static int stronger(const Reading *a, const Reading *b) { /* return -1, 0 or 1 */
    for (i64 i = 0; i < a->n && i < b->n; i++)
        if (a->strength[i] != b->strength[i]) return a->strength[i] < b->strength[i] ? -1 : 1;
    return (a->n > b->n) - (a->n < b->n);
}

static int compared_readings(const Reading *a, const Reading *b) { /* return 2 if a reading is missing */
    if (!a || !b) return 2;
    return a->rank != b->rank ? (a->rank > b->rank ? -1 : 1) : stronger(a, b);
}

/* Return the first of the best readings; a missing reading is below all others. */
static const Reading *best_reading(L readings, int sign) {
    const Reading *best = 0;
    for (int i = 0; i < readings.n; i++) {
        const Reading *other = (const Reading *)readings.v[i];
        int above = other && best ? compared_readings(other, best) : (other != 0) - (best != 0);
        if (!i || above * sign > 0) best = other;
    }
    return best;
}

/* Add STRENGTH + 2 numbers that compare like readings. */
static void add_strength(S *s, L *list, const Reading *reading) {
    add(s, list, reading != 0);
    add(s, list, reading ? -reading->rank : 0);
    for (int i = 0; i < STRENGTH; i++) add(s, list, reading && i < reading->n ? reading->strength[i] : INT64_MIN);
}

#define reading_owner(s, r) ((r) && (r)->cards.n ? (s)->owner[(r)->cards.v[0]] : -1)
