/* From decision to decision, for the caller outside. Every function returns what is at fault: -1 for nothing, else the
   place in the rules. The generated program gives `block`, `answer`, `start_tracks`, `winning` and the tables. */

static void run(S *s, i64 number, i64 code) { /* code: the answer to block `number`; -1: it takes none */
    if (setjmp(at_finish)) number = unwind(s, finished);
    else if (code >= 0) number = answer(s, number, code);
    while (number >= 0) {
        taken = 0;
        number = block(s, number);
    }
}

i64 size_of_state(void) { return sizeof(S); }

i64 blank(S *s, i64 seed) {
    if (setjmp(at_fault)) return fault;
    taken = 0;
    memset(s, 0, offsetof(S, frames));
    memcpy(s->t, FIRST_TRACKS, sizeof FIRST_TRACKS);
    memset(s->known, 0, sizeof s->known);
    for (int seat = 0; seat < PLAYERS; seat++) s->order.v[s->order.n++] = s->alive.v[s->alive.n++] = seat;
    for (int card = 0; card < CARDS; card++) {
        s->loc[card] = HOME[card];
        s->owner[card] = SEAT_OF[HOME[card]];
        s->z[HOME[card]].v[s->z[HOME[card]].n++] = card;
    }
    s->who = -1;
    s->fuel = FUEL;
    s->rng = (u64)seed * 0x9E3779B97F4A7C15u + 0xBF58476D1CE4E5B9u;
    start_tracks(s);
    return -1;
}

i64 begin(S *s, i64 seed) {
    if (blank(s, seed) != -1 || setjmp(at_fault)) return fault;
    push_frame(s, -1, 0);
    push_frame(s, FIRST_FRAME, 0);
    top_frame(s)->x[0] = FIRST_BLOCK;
    run(s, FIRST_BLOCK, -1);
    return -1;
}

i64 apply(S *s, i64 code) {
    if (setjmp(at_fault)) return fault;
    taken = 0;
    s->fuel = FUEL;
    run(s, top_frame(s)->x[0], code);
    return -1;
}

i64 winners(S *s) { /* as a bit set */
    taken = 0;
    L best = winning(s);
    i64 found = 0;
    for (int i = 0; i < best.n; i++) found |= (i64)1 << best.v[i];
    return found;
}

static void tell(i64 **out, const i64 *items, i64 count, int counted) {
    if (counted) *(*out)++ = count;
    copy(*out, items, count);
    *out += count;
}

i64 flat(S *s, i64 *to) { /* the whole state as numbers, in the order of `engine.flat` */
    i64 *out = to, scalars[] = {s->who, (i64)s->rng, s->out, s->fuel};
    tell(&out, scalars, 4, 0);
    tell(&out, s->legal.v, s->who < 0 ? 0 : s->legal.n, 1);
    tell(&out, s->t, TRACKS, 1);
    tell(&out, s->loc, CARDS, 1);
    tell(&out, s->owner, CARDS, 1);
    tell(&out, s->known, CARDS, 1);
    tell(&out, s->order.v, s->order.n, 1);
    tell(&out, s->alive.v, s->alive.n, 1);
    tell(&out, s->picks.v, s->picks.n, 1);
    for (int i = 0; i < ZONES; i++) tell(&out, s->z[i].v, s->z[i].n, 1);
    for (int i = 0; i < s->depth; i++) {
        Frame *f = &s->frames[i];
        const signed char *lists = LIST_SLOT[FRAME_OF[f->x[0]]];
        for (int slot = 0; slot < f->size; slot++) {
            if (lists[slot] >= 0) tell(&out, f->l[(int)lists[slot]].v, f->l[(int)lists[slot]].n, 1);
            else *out++ = f->x[slot];
        }
    }
    return out - to;
}

/* Matches from `seed` on, each decided by the next of `draws`, for at most `limit` decisions a match. Tells how many
   decisions were made and a sum of the codes chosen and of who won. */
i64 play(i64 seed, i64 matches, i64 limit, const double *draws, i64 *told) {
    static S s;
    told[0] = told[1] = 0;
    for (i64 match = 0; match < matches; match++) {
        if (begin(&s, seed + match) != -1) return fault;
        for (i64 left = limit; s.who >= 0 && left; left--) {
            i64 code = s.legal.v[(i64)(draws[told[0]++] * s.legal.n)];
            told[1] = told[1] * 31 + code & 0xFFFFFFFF;
            if (apply(&s, code) != -1) return fault;
        }
        told[1] = told[1] * 31 + winners(&s) & 0xFFFFFFFF;
    }
    return -1;
}

#ifdef READS
void set_pile(S *s, i64 pile, const i64 *cards, i64 count) {
    keep(&s->z[pile], view(cards, count));
    for (i64 i = 0; i < count; i++) s->owner[cards[i]] = SEAT_OF[pile] >= 0 ? SEAT_OF[pile] : s->owner[cards[i]];
}

void set_track(S *s, i64 slot, i64 value) { s->t[slot] = value; }

/* Every `size` cards are the first player's hand. Of each a row of READ_ROW numbers: rank (-1: none), wilds, how many
   cards are used and which, how many numbers the strength has and which. */
i64 read_hands(S *s, i64 pile, const i64 *hands, i64 size, i64 count, i64 *rows) {
    if (setjmp(at_fault)) return fault;
    for (i64 i = 0; i < count; i++) {
        taken = 0;
        set_pile(s, pile, hands + i * size, size);
        const Reading *reading = READS(s, 0);
        i64 *row = rows + i * READ_ROW;
        row[0] = -1;
        if (!reading) continue;
        row[0] = reading->rank, row[1] = reading->wilds, row[2] = reading->used.n, row[3 + HAND] = reading->n;
        copy(row + 3, reading->used.v, reading->used.n);
        copy(row + 4 + HAND, reading->strength, reading->n);
    }
    return -1;
}
#endif
