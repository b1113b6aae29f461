/* What a move changes at once of the numbers that the game shows of who makes it: points that lie open, cards that are
   won. Of two moves by the same option the one that brings more there is another sort of move. */

#if WATCHED
#define STEPS 5 /* a change is told as one of so many, up or down */
#define SEEN 0x80
#define TOLD 127 /* so many sorts of changes are told apart */

static i64 watched_now(S *s, i64 seat, i64 number) { /* nothing is 0 */
    s->w->taken = s->w->deep = 0;
    s->fuel = FUEL;
    i64 value = WATCH(s, seat, number);
    return value < -LARGEST_NUMBER || value > LARGEST_NUMBER ? 0 : value;
}

static i64 stepped(i64 change) { /* from -STEPS to STEPS */
    static const i64 least[STEPS] = {1, 2, 4, 7, 10};
    i64 size = change < 0 ? -change : change, step = 0;
    while (step < STEPS && size >= least[step]) step++;
    return change < 0 ? -step : step;
}

static int sees_all(S *s, i64 code) { /* who makes a move knows the cards in it */
    Named named = cards_of(site_of(s), code);
    for (int i = 0; i < named.n; i++) if (!sees(s, named.v[i], s->who)) return 0;
    return 1;
}

static int brings_unseen(S *before, S *after, i64 seat) { /* chance decides what is changed */
    for (i64 card = 0; card < CARDS; card++) {
        i64 place = after->loc[card];
        if (place >= 0 && SEAT_OF[place] == seat && sees(after, card, seat) && !sees(before, card, seat)) return 1;
    }
    return 0;
}

static i64 change_by(S *s, S *after, i64 code) { /* 0 where it depends on what is not known yet */
    i64 seat = s->who, sort = 0;
    int seen = sees_all(s, code);
    clone(after, s);
    after->w = s->w, after->checking = 0;
    play_move(after, code);
    if (!brings_unseen(s, after, seat))
        for (i64 number = 0; number < WATCHED; number++)
            sort = sort * (2 * STEPS + 1) + stepped(watched_now(after, seat, number) - watched_now(s, seat, number));
    sort %= TOLD;
    return (sort < 0 ? sort + TOLD : sort) | (seen ? SEEN : 0);
}
#endif
