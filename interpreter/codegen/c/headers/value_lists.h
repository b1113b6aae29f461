/* Numbers and lists of the IR. A list is a view of 64-bit integers. Temporary lists are in an arena that is emptied
   before each block. */

COLD static void fail(S *s, i64 place) {
    s->w->fault = place;
    longjmp(s->w->at_fault, 1);
}

static inline i64 *room(S *s, i64 count) {
    if (s->w->taken + count > ARENA) fail(s, NO_ROOM);
    i64 *found = s->w->arena + s->w->taken;
    s->w->taken += count;
    return found;
}

static inline L view(const i64 *items, i64 count) { return (L){(i64 *)items, (int32_t)count, 0}; }

static inline void copy(i64 *to, const i64 *from, i64 count) { /* inlined, because most lists are short */
    if (count > 16) memcpy(to, from, sizeof(i64) * (u64)count);
    else for (i64 i = 0; i < count; i++) to[i] = from[i];
}

static inline int equal(const i64 *a, const i64 *b, i64 count) {
    return count <= 0 || !memcmp(a, b, sizeof(i64) * (u64)count);
}

static void grow(S *s, L *list, i64 more) {
    i64 cap = list->n * 2 + more + 6;
    if (list->cap && list->v + list->cap == s->w->arena + s->w->taken) { /* the last list can grow in place */
        room(s, cap - list->cap);
    } else {
        i64 *items = room(s, cap);
        copy(items, list->v, list->n);
        list->v = items;
    }
    list->cap = (int32_t)cap;
}

static inline L fresh(S *s) { return (L){room(s, FEW), 0, FEW}; } /* return an empty list with initial capacity */

static inline void add(S *s, L *list, i64 value) {
    if (list->n >= list->cap) grow(s, list, 1);
    list->v[list->n++] = value;
}

static inline void extend(S *s, L *list, L more) {
    if (list->n + more.n > list->cap) grow(s, list, more.n);
    copy(list->v + list->n, more.v, more.n);
    list->n += more.n;
}

static inline L copied(S *s, L list) {
    L made = {room(s, list.n + 1), list.n, list.n + 1};
    copy(made.v, list.v, list.n);
    return made;
}

static inline L listed(S *s, i64 value) {
    L made = fresh(s);
    if (value != -1 && value != NO_NUMBER) add(s, &made, value);
    return made;
}

static inline L span_of(S *s, i64 from, i64 to, i64 step) {
    L made = fresh(s);
    for (i64 value = from; value < to; value += step) add(s, &made, value);
    return made;
}

/* Store a list as an item of another: its offset, with its length before it. */
static i64 boxed(S *s, L list) {
    i64 *held = room(s, list.n + 1);
    held[0] = list.n;
    copy(held + 1, list.v, list.n);
    return held - s->w->arena;
}

static inline L unboxed(S *s, i64 box) { return box < 0 ? (L){0} : view(s->w->arena + box + 1, s->w->arena[box]); }

#define MAX_SUBSET_SIZE 20

/* Return the size of the largest subsets to visit. Fail if these are too many; above `uncounted`, they take steps. */
static int largest_subset(S *s, L list, i64 low, i64 high, i64 uncounted, i64 place) {
    i64 ways = 1, all = 0, most = 1 << MAX_SUBSET_SIZE;
    if (high > list.n) high = list.n;
    if (list.n <= MAX_SUBSET_SIZE && 1 << list.n <= uncounted) return (int)high; /* all subsets together are few */
    if (high > MAX_SUBSET_SIZE) fail(s, place);
    for (i64 size = 0; size <= high && low <= high; size++) {
        if (size >= low) all += ways;
        if (all > most || (ways > most && list.n > 2 * MAX_SUBSET_SIZE)) fail(s, place); /* larger ones are more */
        ways = ways * (list.n - size) / (size + 1);
    }
    if (all > uncounted && (s->fuel -= 1 + all / 64) < 0) fail(s, place);
    return (int)high;
}

static inline void few_steps(S *s, i64 from, i64 to, i64 step, i64 place) {
    if (from < to && (to - from + step - 1) / step > MOST_MOVES) fail(s, place);
}

static inline L few(S *s, i64 from, i64 to, i64 step, i64 place) {
    few_steps(s, from, to, step, place);
    return span_of(s, from, to, step);
}

static inline i64 contains(L list, i64 value) {
    for (int i = 0; i < list.n; i++) if (list.v[i] == value) return 1;
    return 0;
}

static L different_cards(S *s, L list) { /* keep the first of each card */
    u64 met[CARDS / 64 + 1] = {0};
    L made = {room(s, list.n + 1), 0, list.n + 1};
    for (int i = 0; i < list.n; i++) {
        i64 card = list.v[i];
        u64 bit = (u64)1 << (card & 63);
        if (card < 0 || met[card >> 6] & bit) continue;
        met[card >> 6] |= bit;
        made.v[made.n++] = card;
    }
    return made;
}

static L different(S *s, L list) { /* keep the first of each value */
    L made = {room(s, list.n + 1), 0, list.n + 1};
    u64 met = 0; /* bit set of the values below 64 met so far */
    for (int i = 0; i < list.n; i++) {
        i64 value = list.v[i];
        u64 bit = value >= 0 && value < 64 ? (u64)1 << value : 0;
        if (bit ? met & bit : contains(made, value)) continue;
        met |= bit;
        made.v[made.n++] = value;
    }
    return made;
}

static inline i64 first_of(S *s, L list, i64 absent) { return list.n ? list.v[0] : absent; }
static inline i64 last_of(S *s, L list, i64 absent) { return list.n ? list.v[list.n - 1] : absent; }
static inline i64 bounded(i64 number, i64 high) { return number < 0 ? 0 : number < high ? number : high; }

static inline L some_first(S *s, L list, i64 number) { /* a copy, because a pile may change before its use */
    return copied(s, view(list.v, bounded(number, list.n)));
}

static inline L some_last(S *s, L list, i64 number) {
    L made = fresh(s);
    for (i64 i = 0; i < bounded(number, list.n); i++) add(s, &made, list.v[list.n - 1 - i]);
    return made;
}

#define some_top some_last
#define some_bottom some_first

/* ---- responses of several players: seat and move of each; or seat, number of cards, cards */
static const i64 *answer_at(L answers, i64 number, int several) {
    const i64 *at = answers.v;
    for (; number > 0; number--) at += several ? 2 + at[1] : 2;
    return at;
}

static i64 answers_in(L answers, int several) {
    if (!several) return answers.n / 2;
    i64 count = 0;
    for (const i64 *at = answers.v; at < answers.v + answers.n; at += 2 + at[1]) count++;
    return count;
}

/* ---- combinations, in the order of itertools.combinations */
static inline int next_choice(int *at, int size, int count) {
    int i = size - 1;
    while (i >= 0 && at[i] == count - size + i) i--;
    if (i < 0) return 0;
    at[i]++;
    for (i++; i < size; i++) at[i] = at[i - 1] + 1;
    return 1;
}

static inline void first_choice(int *at, int size) { for (int i = 0; i < size; i++) at[i] = i; }

static inline i64 same_list(L a, L b) { return a.n == b.n && equal(a.v, b.v, a.n); }

static i64 same_set(L a, L b) {
    for (int i = 0; i < a.n; i++) if (!contains(b, a.v[i])) return 0;
    for (int i = 0; i < b.n; i++) if (!contains(a, b.v[i])) return 0;
    return 1;
}

static L turned(S *s, L list) {
    L made = fresh(s);
    for (int i = list.n - 1; i >= 0; i--) add(s, &made, list.v[i]);
    return made;
}

static L sorted_up(S *s, L list) {
    L made = copied(s, list);
    for (int i = 1; i < made.n; i++) {
        i64 value = made.v[i];
        int j = i;
        for (; j && made.v[j - 1] > value; j--) made.v[j] = made.v[j - 1];
        made.v[j] = value;
    }
    return made;
}

/* ---- bits */
static inline int bits_in(u64 word) {
    word -= word >> 1 & 0x5555555555555555u;
    word = (word & 0x3333333333333333u) + (word >> 2 & 0x3333333333333333u);
    return (int)(((word + (word >> 4)) & 0x0F0F0F0F0F0F0F0Fu) * 0x0101010101010101u >> 56);
}

static inline int place_of_bit(u64 bit) { return bits_in(bit - 1); } /* index of a single bit */

/* ---- numbers: division rounds down, as in Python */
static inline i64 floor_div(S *s, i64 a, i64 b) { return a / b - (a % b != 0 && (a < 0) != (b < 0)); }
static inline i64 floor_mod(S *s, i64 a, i64 b) { return a - floor_div(s, a, b) * b; }

static inline i64 present(S *s, i64 value, i64 absent, i64 place) {
    if (value == absent) fail(s, place);
    return value;
}

static inline i64 checked(S *s, i64 value, i64 place) {
    if (!(-LARGEST_NUMBER < value && value < LARGEST_NUMBER) && value != UNLIMITED) fail(s, place);
    return value;
}

static inline i64 product(S *s, i64 a, i64 b) {
#ifdef __TINYC__
    if (a != 0 && b != 0) {
        double size = (double)a * (double)b;
        if (size > 9e18 || size < -9e18) fail(s, TOO_LARGE);
    }
    return a * b;
#else
    i64 result;
    if (__builtin_mul_overflow(a, b, &result)) fail(s, TOO_LARGE);
    return result;
#endif
}

static inline i64 plus(S *s, i64 a, i64 b) {
    if (a == NO_NUMBER || b == NO_NUMBER) return NO_NUMBER;
    return a >= UNLIMITED || b >= UNLIMITED ? UNLIMITED : a + b;
}

static inline i64 minus(S *s, i64 a, i64 b) {
    if (a == NO_NUMBER || b == NO_NUMBER) return NO_NUMBER;
    return a >= UNLIMITED ? UNLIMITED : a - b;
}

static inline i64 times(S *s, i64 a, i64 b, i64 place) {
    return a == NO_NUMBER || b == NO_NUMBER ? NO_NUMBER : checked(s, product(s, a, b), place);
}

static inline i64 slot_index(S *s, i64 owner, i64 second, i64 owners) {
    (void)s;
    return owner >= 0 && second >= 0 ? owner + owners * second : -1;
}

static inline i64 scaled(S *s, i64 value, i64 by) {
    return value == NO_NUMBER || value >= UNLIMITED ? value : product(s, value, by);
}

static inline i64 whole(S *s, i64 a, i64 b, i64 place) {
    if (b == 0) fail(s, place);
    return a == NO_NUMBER || b == NO_NUMBER ? NO_NUMBER : floor_div(s, a, b);
}

/* ---- pairs of a key of `width` numbers and an item, stored one after another */
static inline int compared(const i64 *a, const i64 *b, int width) {
    for (int i = 0; i < width; i++) if (a[i] != b[i]) return a[i] < b[i] ? -1 : 1;
    return 0;
}

static void add_filled(S *s, L *key, L list, int sign, int width) { /* a longer list is above its prefix */
    if (list.n > width) fail(s, NO_ROOM);
    for (int i = 0; i < width; i++) add(s, key, i < list.n ? sign * list.v[i] : INT64_MIN);
}

static const i64 *extreme(L pairs, int width, int sign) {
    const i64 *best = pairs.v;
    for (int i = width + 1; i < pairs.n; i += width + 1)
        if (compared(pairs.v + i, best, width) * sign > 0) best = pairs.v + i;
    return best;
}

static inline i64 best_by(S *s, L pairs, int width, int sign) {
    return pairs.n ? extreme(pairs, width, sign)[width] : -1;
}

static L all_best_by(S *s, L pairs, int width, int sign) {
    L made = fresh(s);
    if (!pairs.n) return made;
    const i64 *best = extreme(pairs, width, sign);
    for (int i = 0; i < pairs.n; i += width + 1)
        if (compared(pairs.v + i, best, width) == 0) add(s, &made, pairs.v[i + width]);
    return made;
}

static i64 only_best_by(S *s, L pairs, int width, int sign) { /* return -1 if several are best */
    L best = all_best_by(s, pairs, width, sign);
    return best.n == 1 ? best.v[0] : -1;
}

static L in_key_order(S *s, L pairs, int width, int sign) { /* stable sort, like Python's, in both directions */
    L made = copied(s, pairs);
    int size = width + 1;
    i64 held[size];
    for (int i = size; i < made.n; i += size) {
        memcpy(held, made.v + i, sizeof held);
        int j = i;
        for (; j && compared(made.v + j - size, held, width) * sign > 0; j -= size)
            memcpy(made.v + j, made.v + j - size, sizeof held);
        memcpy(made.v + j, held, sizeof held);
    }
    return made;
}

static L larger_groups(S *s, L list) { /* count and value of each group, most frequent and highest first */
    L pairs = {0}, values = sorted_up(s, list), made = {0};
    for (int i = 0, j; i < values.n; i = j) {
        for (j = i; j < values.n && values.v[j] == values.v[i]; j++) {}
        add(s, &pairs, j - i), add(s, &pairs, values.v[i]), add(s, &pairs, 0);
    }
    pairs = in_key_order(s, pairs, 2, -1);
    for (int i = 0; i < pairs.n; i += 3) add(s, &made, pairs.v[i]), add(s, &made, pairs.v[i + 1]);
    return made;
}

static L items_of(S *s, L pairs, int width) { /* return the items without keys */
    L made = fresh(s);
    for (int i = width; i < pairs.n; i += width + 1) add(s, &made, pairs.v[i]);
    return made;
}

static L whole_numbers(S *s, L list, i64 scale, i64 most, i64 place) { /* return the whole numbers that can be chosen */
    L made = fresh(s);
    for (int i = 0; i < list.n; i++) {
        i64 number = floor_div(s, list.v[i], scale);
        if (number * scale != list.v[i] || number < 0 || number >= most) fail(s, place);
        add(s, &made, number);
    }
    return made;
}
