/* Immediate effect of a move on the displayed numbers of the player who makes it: visible points, won cards. It divides
   the moves of an option into classes by their gain. */

#if WATCHED
#define STEPS 5 /* number of sizes of a change, in each direction */
#define SEEN 0x80
#define TOLD 127 /* number of classes of changes */

static i64 watched_now(S *s, i64 seat, i64 number) { /* return 0 for no number */
    s->w->taken = s->w->deep = 0;
    s->fuel = FUEL;
    i64 value = WATCH(s, seat, number);
    return value < -LARGEST_NUMBER || value > LARGEST_NUMBER ? 0 : value;
}

static i64 stepped(i64 change) { /* return the size class of a change, from -STEPS to STEPS */
    static const i64 least[STEPS] = {1, 2, 4, 7, 10};
    i64 size = change < 0 ? -change : change, step = 0;
    while (step < STEPS && size >= least[step]) step++;
    return change < 0 ? -step : step;
}

static int sees_all(S *s, i64 code) { /* return whether the player knows all cards in a move */
    Named named = cards_of(site_of(s), code);
    for (int i = 0; i < named.n; i++) if (!sees(s, named.v[i], s->who)) return 0;
    return 1;
}

/* Return whether the player sees a new card, so the effect is random. */
static int brings_unseen(S *before, S *after, i64 seat) {
    for (i64 card = 0; card < CARDS; card++) {
        i64 place = after->loc[card];
        if (place >= 0 && SEAT_OF[place] == seat && sees(after, card, seat) && !sees(before, card, seat)) return 1;
    }
    return 0;
}

static i64 change_by(S *s, S *after, i64 code) { /* return 0 if the effect depends on unknown cards */
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
