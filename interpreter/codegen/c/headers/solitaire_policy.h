/* Progress of moves in games for one player: the C counterpart of interpreter/bots/solitaire_policy.py. */

#ifdef SOLITAIRE
#define NEXT_MOVES 8 /* number of moves above which they are picked at random */
#define IDLE_MOVES 12 /* number of moves in a row without progress that end a playout */
enum { IDLE, STOCK, USEFUL, SCORING };
typedef struct { S after, later; } Solitaire;

static double level_of(S *s) {
    double level[PLAYERS];
    levels(s, level);
    return level[0];
}

static i64 visible_cards(S *s) {
    i64 count = 0;
    for (i64 card = 0; card < CARDS; card++) count += sees(s, card, 0);
    return count;
}

static int is_same_position(S *a, S *b) {
    if (site_of(a) != site_of(b) || a->picks.n != b->picks.n || memcmp(a->t, b->t, sizeof a->t)) return 0;
    for (int i = 0; i < ZONES; i++)
        if (memcmp(&a->z[i], &b->z[i], sizeof(i64) * (u64)(a->z[i].n + 1))) return 0;
    return 1;
}

static int is_legal(const S *s, i64 code) {
    for (i64 i = 0; i < s->choices; i++) if (s->legal[i] == code) return 1;
    return 0;
}

static void make_copy(S *to, S *from, i64 code) { /* make a move in a copy */
    clone(to, from);
    to->w = from->w;
    play_move(to, code);
}

static i64 progress_of(Solitaire *p, S *s, i64 code) {
    double level = level_of(s);
    i64 site = site_of(s), returns = 0, enables = 0;
    int names_card = code > 0 && (!OPTIONS[site] || BINDERS[OPTION_ROW[site] + (code - 1) % OPTIONS[site]] > 0);
    make_copy(&p->after, s, code);
    if (level_of(&p->after) > level) return SCORING;
    i64 seen = visible_cards(&p->after), count = p->after.who < 0 || p->after.choices > NEXT_MOVES ? 0 : p->after.choices;
    for (i64 i = 0; i < count; i++) {
        make_copy(&p->later, &p->after, p->after.legal[i]);
        returns |= is_same_position(&p->later, s);
        if (!is_legal(s, p->after.legal[i])) enables |= level_of(&p->later) > level || visible_cards(&p->later) > seen;
    }
    return returns ? (enables ? USEFUL : IDLE) : names_card ? USEFUL : STOCK;
}

/* Return a random move among those with the most progress. */
static i64 most_progress(Solitaire *p, S *s, u64 *chance) {
    if (s->choices > NEXT_MOVES) return s->legal[drawn(chance, s->choices)];
    i64 best = IDLE, count = 0, chosen = 0;
    for (i64 i = 0; i < s->choices; i++) {
        i64 progress = progress_of(p, s, s->legal[i]);
        if (progress > best) best = progress, count = 0;
        if (progress == best && drawn(chance, ++count) == 0) chosen = s->legal[i];
    }
    return chosen;
}

/* Play until the end, or too many moves in a row without a score or a new visible card. */
static void play_solitaire(Solitaire *p, S *s, i64 left, u64 *chance) {
    double level = level_of(s);
    for (i64 idle = 0, seen = visible_cards(s); s->who >= 0 && left > 0 && idle <= IDLE_MOVES; left--) {
        play_move(s, most_progress(p, s, chance));
        idle = s->choices > NEXT_MOVES || level_of(s) > level || visible_cards(s) > seen ? 0 : idle + 1;
        level = level_of(s), seen = visible_cards(s);
    }
}
#endif
