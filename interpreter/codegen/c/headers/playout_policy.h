/* Playouts that learn from earlier ones which moves pay: the C counterpart of interpreter/bots/playout_policy.py. */

#define RECORDS (1 << 15)
#define GRADES 6 /* number of grades of hands */
#define MET 400 /* remembered hands of each size, to grade others */
#define SLOWEST 400 /* maximum number of playouts that a record counts as */
#define SUPPOSED 2 /* prior weight, in playouts, of the variance over all classes */
#define TRAIL 512
#define CLASSES 64
#define CLASS_BITS 16 /* for the option and its amount; its effect is in the bits above */
#define WHOLE 0xFFFF /* class of a whole decision: number of playouts, and (as mean) number of classes */

typedef struct { u64 key; double games, mean, square; } Record;
typedef struct { u64 key; i64 seat, secret; double level; } Tread;

/* `before`: class of the option taken last. `classes`: of the legal moves, by index. `compared`: size of the hands
   whose records are the range of the others at the current decision. `staying`: all players stay in, with any hand.
   `seat`: the player who thinks. `aimless`: the others make secret picks at random in playouts. */
typedef struct {
    i64 known, before, length, any, staying, seat, aimless;
    double total;
    int classes[LEGAL];
    Record record[2 * RECORDS];
    Tread trail[TRAIL];
#if WATCHED
    S after;
#endif
#ifdef READS
    i64 compared, many[HAND + 1], met[HAND + 1][MET][STRENGTH + 2];
#endif
} Habits;

static double root(double x) { /* square root without a library */
#ifndef __TINYC__
    return x > 0 ? __builtin_sqrt(x) : 0;
#else
    if (!(x > 0)) return 0;
    double guess = x > 1 ? x : 1;
    for (int i = 0; i < 1100; i++) {
        double next = (guess + x / guess) / 2;
        if (next >= guess) break;
        guess = next;
    }
    return guess;
#endif
}

static inline u64 stirred(u64 word) {
    word = (word ^ (word >> 30)) * MIX1;
    word = (word ^ (word >> 27)) * MIX2;
    return word ^ (word >> 31);
}

static double normal(u64 *chance) { /* approximately normal: the sum of six uniform numbers */
    double sum = 0;
    for (int i = 0; i < 2; i++) {
        u64 word = word_after(chance);
        sum += (double)((word & 0x1FFFFF) + (word >> 21 & 0x1FFFFF) + (word >> 42 & 0x1FFFFF)) / 0x200000;
    }
    return (sum - 3) * 1.4142135623730951;
}

/* Set the level of each player, by seat: the first line of `order standing`, or else the score; 0 for no number. */
static void levels(S *s, double *to) {
    s->w->taken = s->w->deep = 0;
    i64 fuel = s->fuel;
    s->fuel = FUEL;
    L pairs = LEVELS_BY_STANDING ? standing(s) : (L){0};
    for (int seat = 0; seat < PLAYERS; seat++) {
        i64 level = LEVELS_BY_STANDING ? pairs.v[seat * (STANDING_WIDTH + 1)] : SCORE(s, seat);
        to[seat] = level < -LARGEST_NUMBER || level > LARGEST_NUMBER ? 0 : (double)level / LEVEL_SCALE;
    }
    s->fuel = fuel;
}

/* Return the lead over the mean of the others, or the level in a cooperative game. */
static double lead_of(const double *level, i64 seat) {
    if (SHARED) return level[seat];
    double others = 0;
    for (int i = 0; i < PLAYERS; i++) if (i != seat) others += level[i];
    return PLAYERS > 1 ? level[seat] - others / (PLAYERS - 1) : 0;
}

/* ---- classes of decisions and moves */
static i64 bits_of(i64 number) {
    i64 bits = 0;
    for (u64 left = number < 0 ? 0 : (u64)number; left; left >>= 1) bits++;
    return bits;
}

/* Return the class of a move: its option or number, and its approximate amount. */
static i64 class_of(i64 site, i64 code) {
    if (code > 0 && SITE_NUMBERS[site]) return 1 + bits_of(code - 1);
    if (code <= 0 || !OPTIONS[site]) return 0;
    i64 count = OPTIONS[site], option = (code - 1) % count, rest = (code - 1) / count, row = OPTION_ROW[site] + option;
    i64 value = 0, last = BINDERS[row] - 1;
    for (int i = 0; i <= last; i++) {
        i64 radix = BINDER[row][i][0];
        value = radix ? rest % radix : rest;
        rest = radix ? rest / radix : 0;
    }
    return (1 + option % 900) * 64 + (last >= 0 && BINDER[row][last][1] == 2 ? bits_of(value) / 2 : 0);
}

static u64 situation(i64 site, i64 before, i64 grade, i64 stake) {
    u64 key = (u64)before;
    key = key << 6 | (u64)(stake & 63);
    key = key << 3 | (u64)(grade + 1);
    return (key << 10 | (u64)(site & 1023)) << 1 | 1;
}

static inline u64 in_class(u64 key, i64 class) { return key | (u64)class << 40; }

static Record *record_of(Habits *h, u64 key, int make) { /* return 0 if there is none */
    u64 at = stirred(key) % (2 * RECORDS);
    while (h->record[at].key && h->record[at].key != key) at = at + 1 == 2 * RECORDS ? 0 : at + 1;
    if (h->record[at].key) return &h->record[at];
    if (!make || h->known >= RECORDS) return 0;
    h->known++;
    h->record[at] = (Record){key, 0, 0, 0};
    return &h->record[at];
}

static double spread_of(const Record *record) {
    double spread = record->square - record->mean * record->mean;
    return spread > 0 ? spread : 0;
}

/* Return the class of the stake: the drop of the total level below its maximum. */
static i64 at_stake(Habits *h, const double *now) {
    double total = 0;
    for (int i = 0; i < PLAYERS; i++) total += now[i];
    if (!h->any || total > h->total) h->total = total, h->any = 1;
    return bits_of((i64)(h->total - total)) / 2;
}

#ifdef READS
static const Reading *own_reading(S *s, i64 seat) {
    s->w->taken = s->w->deep = 0;
    s->fuel = FUEL;
    return READS(s, seat);
}

/* Return the share of hands of the same size that are weaker; -1: no hand. */
static double strength_of(Habits *h, S *s, const Reading *reading) {
    if (!reading || reading->cards.n > HAND) return -1;
    L key = {0};
    add_strength(s, &key, reading);
    i64 size = reading->cards.n, low = 0, high = h->many[size];
    while (low < high) {
        i64 middle = (low + high) / 2;
        if (compared(h->met[size][middle], key.v, STRENGTH + 2) < 0) low = middle + 1;
        else high = middle;
    }
    double share = (double)low / (double)(h->many[size] + 1);
    if (h->many[size] < MET && size != h->compared) {
        memmove(h->met[size][low + 1], h->met[size][low], sizeof h->met[0][0] * (u64)(h->many[size]++ - low));
        copy(h->met[size][low], key.v, STRENGTH + 2);
    }
    return share;
}

static i64 grade_of(Habits *h, S *s, const Reading *reading) { /* return -1 for no hand */
    double share = strength_of(h, s, reading);
    return share < 0 ? -1 : (i64)(GRADES * share);
}

static double strength_now(Habits *h, S *s, i64 seat) { return strength_of(h, s, own_reading(s, seat)); }

static i64 grade_now(Habits *h, S *s, i64 seat) { return grade_of(h, s, own_reading(s, seat)); }
#else
static double strength_now(Habits *h, S *s, i64 seat) { return -1; }

static i64 grade_now(Habits *h, S *s, i64 seat) { return -1; }
#endif

/* Whether players pick one card each at the same time. Then a pick depends on the open cards, not on its effect, which
   the picks of the others decide. */
static int is_secret_pick(i64 site) { return TOGETHER[site][0] >= 0 && SITE_PICKS[site] && !SEVERAL[site]; }

/* Whether records of similar moves help. */
static int is_telling(i64 site) {
    return !is_bet(site) && (OPTIONS[site] || ((GRADED || WATCHED) && SITE_PICKS[site] && !is_secret_pick(site)));
}
static int is_watched(i64 site) { return WATCHED && TOGETHER[site][0] < 0 && (OPTIONS[site] || SITE_PICKS[site]); }
static int is_habitual(i64 site) { return is_telling(site) || SITE_NUMBERS[site] || is_secret_pick(site); }

/* Return the hash of the open cards that belong to no player and lie alone, such as a prize to bid on. */
static i64 open_cards(S *s) {
    u64 cards = 0;
    for (int i = 0; i < ZONES; i++)
        if (SEAT_OF[i] < 0 && s->z[i].n == 1 && sees(s, s->z[i].v[0], s->who))
            cards += stirred((u64)(i * FACES + CARD_FACE[s->z[i].v[0]] + 1) * STEP);
    return (i64)(stirred(cards) & 0xFFFFF);
}

/* Return the class of a move, with its effect if the site is watched. */
static int sort_of(Habits *h, S *s, i64 site, i64 code) {
    i64 class = class_of(site, code);
#if WATCHED
    if (is_watched(site)) class |= change_by(s, &h->after, code) << CLASS_BITS;
#endif
    return (int)class;
}

/* Set the classes of the legal moves and return the grade of the current player's hand. */
static i64 classify(Habits *h, S *s, i64 site) {
    if (is_secret_pick(site)) {
        for (int i = 0; i < s->choices; i++) h->classes[i] = s->legal[i] ? 1 + (int)CARD_FACE[s->legal[i] - 1] : 0;
        return -1;
    }
#ifdef READS
    const Reading *reading = own_reading(s, s->who);
    for (int i = 0; i < s->choices; i++) {
        i64 code = s->legal[i];
        h->classes[i] = (OPTIONS[site] || SITE_NUMBERS[site] ? class_of(site, code) : !code ? 0 : reading && contains(reading->used, code - 1) ? 1 : 2);
    }
    return grade_of(h, s, reading);
#else
    for (int i = 0; i < s->choices; i++) h->classes[i] = sort_of(h, s, site, s->legal[i]);
    return -1;
#endif
}

/* Return a class that has paid, or has hardly been tried, by Thompson sampling. */
static i64 promising(Habits *h, u64 key, const i64 *classes, i64 count, u64 *chance) {
    i64 best = 0, fresh_count = 0, fresh_class = 0;
    double most = 0, games = 0, square = 0;
    Record *records[CLASSES];
    for (i64 i = 0; i < count; i++) {
        Record *record = records[i] = record_of(h, in_class(key, classes[i]), 0);
        if (!record || record->games < 2) {
            if (drawn(chance, ++fresh_count) == 0) fresh_class = i;
        } else games += record->games, square += record->games * record->square;
    }
    if (fresh_count) return classes[fresh_class];
    for (i64 i = 0; i < count; i++) {
        double known = records[i]->games < SLOWEST ? records[i]->games : SLOWEST;
        double spread = (known * spread_of(records[i]) + SUPPOSED * square / games) / (known + SUPPOSED);
        double value = records[i]->mean + normal(chance) * root(spread / known);
        if (!i || value > most) best = i, most = value;
    }
    return classes[best];
}

#ifdef READS_SPLIT
/* Return the index of the card outside all groups that costs most to keep; -1 if there is none. */
static i64 costliest_card(Habits *h, S *s) {
    i64 place = -1;
    for (int i = 0; i < s->choices; i++)
        if (h->classes[i] == 2 && (place < 0 || LEFTOVER_COST[CARD_FACE[s->legal[i] - 1]] > LEFTOVER_COST[CARD_FACE[s->legal[place] - 1]])) place = i;
    return place;
}
#endif

/* Return the index of the move in a playout. */
static i64 habit(Habits *h, S *s, u64 *chance) {
    if (s->choices <= 1) return 0;
    i64 site = site_of(s);
    if (is_bet(site)) {
        i64 place = h->staying ? place_for(s, STAY) : bet_place(s, strength_now(h, s, s->who), chance);
        h->before = class_of(site, s->legal[place]);
        return place;
    }
    int secret = is_secret_pick(site);
    if (!is_habitual(site) || (secret && h->aimless && s->who != h->seat)) return drawn(chance, s->choices);
    i64 grade = classify(h, s, site), classes[CLASSES], count = 0;
#ifdef READS_SPLIT
    i64 costliest = SITE_PICKS[site] && !SEVERAL[site] ? costliest_card(h, s) : -1;
    if (costliest >= 0) return costliest;
#endif
    for (int i = 0; i < s->choices; i++) {
        int j = 0;
        while (j < count && classes[j] != h->classes[i]) j++;
        if (j == count && count < CLASSES) classes[count++] = h->classes[i];
    }
    i64 taken = classes[0];
    if (count > 1) {
        double now[PLAYERS];
        levels(s, now);
        u64 key = secret ? situation(site, open_cards(s), grade, 0) : situation(site, h->before, grade, at_stake(h, now));
        taken = promising(h, key, classes, count, chance);
        if (h->length < TRAIL) h->trail[h->length++] = (Tread){in_class(key, taken), s->who, secret, lead_of(now, s->who)};
    }
    if (OPTIONS[site]) h->before = taken & WHOLE;
    i64 place = 0, met_so_far = 0;
    for (int i = 0; i < s->choices; i++)
        if (h->classes[i] == taken && drawn(chance, ++met_so_far) == 0) {
            place = i;
            if (SITE_FREELY[site]) break; /* picks are ascending: any other card would exclude the cards before it */
        }
    return place;
}

static void add_gain(Record *record, double gain) {
    record->games++;
    double share = 1 / (record->games < SLOWEST ? record->games : SLOWEST);
    record->mean += (gain - record->mean) * share;
    record->square += (gain * gain - record->square) * share;
}

/* Learn from the final levels of a playout. `all`: from all decisions, not only from secret picks. */
static void learn_from(Habits *h, const double *ends, int all) {
    for (i64 i = 0; i < h->length; i++) {
        Tread *tread = &h->trail[i];
        if (!all && !tread->secret) continue;
        Record *whole = record_of(h, (tread->key & (((u64)1 << 40) - 1)) | (u64)WHOLE << 40, 1);
        Record *record = record_of(h, tread->key, 1);
        if (!record || !whole) continue;
        if (!record->games) whole->mean++;
        whole->games++;
        add_gain(record, lead_of(ends, tread->seat) - tread->level);
    }
}

/* ---- likelihood of samples, in games without bets */
#ifndef BETS
/* Return the likelihood of the others' public moves, with the cards of the last sample. */
static double likelihood(Habits *h, Onlooker *o) {
    double product = 1;
    for (int i = 0; i < o->made; i++) {
        Made *made = &o->moves[i];
        if (!made->chosen) continue;
        S *s = &o->past;
        clone(s, &made->before);
        s->w = o->now.w, s->checking = 0;
        swap_cards(s, o->to);
        i64 grade = grade_now(h, s, s->who), site = site_of(s);
        double now[PLAYERS];
        levels(s, now);
        u64 key = situation(site, made->done, grade, at_stake(h, now));
        Record *whole = record_of(h, in_class(key, WHOLE), 0);
        Record *taken = record_of(h, in_class(key, class_of(site, made->code)), 0);
        if (whole) product *= ((taken ? taken->games : 0) + 1) / (whole->games + whole->mean + 1);
    }
    return product;
}
#endif
