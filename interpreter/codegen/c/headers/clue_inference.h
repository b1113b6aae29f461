/* Inference from marks on cards that a player can't see: the C counterpart of interpreter/bots/clue_inference.py. A move that
   marks some cards of a pile is tried with cards of every face. A card can only have a face that would have been marked
   the same way. */

static int could_be(u64 (*may)[FACE_WORDS], i64 card, i64 face) { return may[card][face >> 6] >> (face & 63) & 1; }

static void could_be_anything(u64 *may) { memset(may, 0xFF, sizeof(u64) * FACE_WORDS); }

/* Give a card to this place, in exchange with the place that had it. */
static void exchange(i64 *to, i64 place, i64 card) {
    i64 other = 0;
    while (to[other] != card) other++;
    to[other] = to[place];
    to[place] = card;
}

static int is_marked_anew(const S *before, const S *after, i64 pile) {
    for (i64 i = 0; i < before->z[pile].n; i++) {
        i64 card = before->z[pile].v[i];
        if (after->loc[card] != pile) continue;
        for (int k = 0; k < CARD_TRACKS; k++)
            if (before->t[CARD_TRACK[k] + card] != after->t[CARD_TRACK[k] + card]) return 1;
    }
    return 0;
}

/* Return whether the marks of `card` are those that `other` gets in `s`, where no card was marked before the move. */
static int is_marked_alike(const S *before, const S *after, i64 card, const S *s, i64 other) {
    for (int k = 0; k < CARD_TRACKS; k++) {
        i64 track = CARD_TRACK[k], mark = s->t[track + other];
        if (after->t[track + card] != (mark == FIRST_TRACKS[track + card] ? before->t[track + card] : mark)) return 0;
    }
    return 1;
}

/* Remove the faces from `may` that cards of a pile can't have after a move. `s`: work space. */
static void narrow(const S *before, i64 code, const S *after, i64 pile, u64 (*may)[FACE_WORDS], S *s) {
    const Pile *held = &before->z[pile];
    u64 like[CARDS][FACE_WORDS];
    i64 to[CARDS], site = site_of((S *)before);
    Work *w = s->w;
    memset(like, 0, sizeof like);
    for (i64 first = 0; first < FACES; first += held->n) {
        for (int card = 0; card < CARDS; card++) to[card] = card;
        for (i64 i = 0; i < held->n && first + i < FACES; i++) exchange(to, held->v[i], WITH_FACE[first + i]);
        clone(s, before);
        s->w = w, s->checking = 0;
        swap_cards(s, to);
        for (i64 i = 0; i < held->n; i++)
            for (int k = 0; k < CARD_TRACKS; k++)
                s->t[CARD_TRACK[k] + to[held->v[i]]] = FIRST_TRACKS[CARD_TRACK[k] + to[held->v[i]]];
        play_move(s, changed(site, code, substitute, to));
        for (i64 i = 0; i < held->n && first + i < FACES; i++)
            for (i64 j = 0; j < held->n; j++)
                if (is_marked_alike(before, after, held->v[j], s, to[held->v[i]]))
                    like[held->v[j]][(first + i) >> 6] |= (u64)1 << ((first + i) & 63);
    }
    for (i64 j = 0; j < held->n; j++) {
        i64 card = held->v[j], any = 0;
        for (int k = 0; k < FACE_WORDS; k++) any |= (may[card][k] & like[card][k]) != 0;
        for (int k = 0; any && k < FACE_WORDS; k++) may[card][k] &= like[card][k];
    }
}

static int marks_anything(const S *before, const S *after) {
    for (int pile = 0; CARD_TRACKS && pile < ZONES; pile++)
        if (SEES[pile] != EVERYONE && is_marked_anew(before, after, pile)) return 1;
    return 0;
}

/* Update the faces after a move. A card that has moved can have any face again. */
static void note(const S *before, i64 code, const S *after, u64 (*may)[FACE_WORDS], S *s) {
    for (int pile = 0; CARD_TRACKS && pile < ZONES; pile++)
        if (SEES[pile] != EVERYONE && is_marked_anew(before, after, pile)) narrow(before, code, after, pile, may, s);
    for (int card = 0; card < CARDS; card++) if (before->loc[card] != after->loc[card]) could_be_anything(may[card]);
}

/* Infer from all moves the possible faces of the card in each place, as all players know them. The moves are tried with
   re-dealt cards, so nothing unknown to the observer has an influence. */
static void note_all(Onlooker *o) {
    u64 may[CARDS][FACE_WORDS];
    memset(may, 0xFF, sizeof may);
    memset(o->may, 0xFF, sizeof o->may);
    o->marked = 0;
    for (int i = 0; CARD_TRACKS && i < o->made; i++) {
        Made *made = &o->moves[i];
        S *before = &made->before, *after = i + 1 < o->made ? &o->moves[i + 1].before : &o->now;
        if (made->told == (HEARD | TELLING) && marks_anything(before, after)) {
            if (!o->marked++) rename_hidden(o, &o->chance);
            clone(&o->then, before), clone(&o->past, after);
            swap_cards(&o->then, o->to), swap_cards(&o->past, o->to);
            o->spare.w = o->now.w;
            note(&o->then, changed(site_of(before), made->code, substitute, o->to), &o->past, may, &o->spare);
        } else if (o->marked)
            for (int card = 0; card < CARDS; card++) if (before->loc[card] != after->loc[card]) could_be_anything(may[o->to[card]]);
    }
    for (int card = 0; o->marked && card < CARDS; card++) copy((i64 *)o->may[card], (i64 *)may[o->to[card]], FACE_WORDS);
}
