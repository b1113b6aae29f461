/* Playouts of cooperative games, with players who act only on their own knowledge: the C counterpart of
   interpreter/bots/clue_inference.py. */

/* `may`: possible faces of each card for a player who can't see it. `bringing`: by decision, the options that have
   gained something with a card unknown to the player. `before`, `after`: work space. */
typedef struct { u64 may[CARDS][FACE_WORDS], bringing[SITES]; i64 safe[LEGAL]; S before, after; } Careful;

/* Return the gain of a move if `card` were `other`. */
static double brings(Careful *c, S *s, i64 code, i64 card, i64 other) {
    double then[PLAYERS], now[PLAYERS];
    S *tried = &c->after;
    i64 to[CARDS];
    clone(tried, s);
    tried->w = s->w, tried->checking = 0;
    levels(tried, then);
    if (card != other) {
        for (int i = 0; i < CARDS; i++) to[i] = i;
        to[card] = other, to[other] = card;
        swap_cards(tried, to);
        code = changed(site_of(s), code, substitute, to);
    }
    play_move(tried, code);
    levels(tried, now);
    return lead_of(now, s->who) - lead_of(then, s->who);
}

/* Return the only card in a move that the player can't see; -1: none or several. */
static i64 unseen_in(S *s, i64 code) {
    Named named = cards_of(site_of(s), code);
    i64 found = -1;
    for (int i = 0; i < named.n; i++) {
        if (sees(s, named.v[i], s->who)) continue;
        if (found >= 0) return -1;
        found = named.v[i];
    }
    return found;
}

enum { NEVER, SOMETIMES, ALWAYS };

/* Return how often a move gains, over all possible faces of this card. With `sure`, stop at the first face without a
   gain. */
static int how_often(Careful *c, S *s, i64 code, i64 card, int sure) {
    u64 done[FACE_WORDS] = {0};
    int yes = 0, no = 0;
    for (int i = -1; i < CARDS; i++) {
        i64 other = i < 0 ? card : i, face = CARD_FACE[other];
        if (done[face >> 6] >> (face & 63) & 1 || !could_be(c->may, card, face) || BACK[other] != BACK[card]) continue;
        if (sees(s, other, s->who)) continue;
        done[face >> 6] |= (u64)1 << (face & 63);
        *(brings(c, s, code, card, other) > 0 ? &yes : &no) = 1;
        if (no && (sure || yes)) break;
    }
    return yes ? no ? SOMETIMES : ALWAYS : NEVER;
}

static u64 option_bit(S *s, i64 code) {
    i64 count = OPTIONS[site_of(s)];
    return (u64)1 << (count && code > 0 ? (code - 1) % count % 64 : 0);
}

static int is_gamble(Careful *c, S *s, i64 code) { /* according to playouts so far */
    return c->bringing[site_of(s)] & option_bit(s, code) && unseen_in(s, code) >= 0;
}

static void leave_out_gambles(Careful *c, S *s) { /* if other moves remain */
    i64 kept = 0;
    for (int i = 0; i < s->choices; i++) if (!is_gamble(c, s, s->legal[i])) c->safe[kept++] = s->legal[i];
    if (kept) offer(s, view(c->safe, kept));
}

static i64 sure_move(Careful *c, S *s, u64 *chance) { /* return a move that always gains; -1: none */
    i64 found = -1, met = 0;
    for (int i = 0; i < s->choices; i++) {
        i64 code = s->legal[i], card = unseen_in(s, code);
        int often = card < 0 ? NEVER : how_often(c, s, code, card, 1);
        if (often == ALWAYS && drawn(chance, ++met) == 0) found = code;
        if (often != NEVER) c->bringing[site_of(s)] |= option_bit(s, code);
    }
    return found;
}

static void play_noting(Careful *c, S *s, i64 code) {
    clone(&c->before, s);
    play_move(s, code);
    c->after.w = s->w;
    note(&c->before, code, s, c->may, &c->after);
}
