/* Bets in playouts: the C counterpart of interpreter/bots/betting_model.py. */

#define NO_BET 0
#define FOLD 1
#define STAY 2
#define ADD 3

#ifdef BETS
#define DEFENDED 1.1 /* factor on the share of hands that makes a bluff break even */
#define RAISED 0.3 /* share of raises among hands that stay in */
#define OPENED 0.35 /* share of hands that bet when staying in is free */
#define TRAPPED 0.25 /* probability that a player who would bet or raise does not */
#define SELDOM 0.04 /* probability of an unexpected action */
#define DOUBTED 0.12 /* assumed probability of an action that does not suit the hand */
#define RIVALS 100 /* number of samples for the range of hands that others could hold now */
#define SIZE 0.6 /* size of a bet or raise as a share of the pot */

static double chance_of(u64 *chance) { return (double)(word_after(chance) >> 11) / 9007199254740992.0; }

static int is_bet(i64 site) { return OPTIONS[site] && ROLE[OPTION_ROW[site]] != NO_BET; }

static i64 role_of(i64 site, i64 code) { return code > 0 ? ROLE[OPTION_ROW[site] + (code - 1) % OPTIONS[site]] : NO_BET; }

static i64 last_bound(i64 site, i64 code) { /* return the amount of a bet */
    i64 count = OPTIONS[site], row = OPTION_ROW[site] + (code - 1) % count, rest = (code - 1) / count, value = 0;
    for (int i = 0; i < BINDERS[row]; i++) {
        i64 radix = BINDER[row][i][0];
        value = radix ? rest % radix : rest;
        rest = radix ? rest / radix : 0;
    }
    return value;
}

static double priced(S *s, i64 number) { /* return 0 for no number */
    return number > 0 && number < LARGEST_NUMBER ? (double)number : 0;
}

static double price_of(S *s) {
    s->w->taken = s->w->deep = 0;
    s->fuel = FUEL;
    return priced(s, CALL_PRICE(s, s->who));
}

static double pot_of(S *s) {
    s->w->taken = s->w->deep = 0;
    s->fuel = FUEL;
    return priced(s, POT(s, s->who));
}

static double winnable_of(S *s) { /* return the part of the pot that the current player can win */
    s->w->taken = s->w->deep = 0;
    s->fuel = FUEL;
    return priced(s, WINNABLE(s, s->who));
}

/* Set the shares of all hands that stay in, and that bet or raise. */
static void shares(S *s, double *stay, double *add) {
    double price = price_of(s), pot = winnable_of(s);
    *stay = 1, *add = OPENED;
    if (price <= 0 || pot <= 0) return;
    *stay = DEFENDED * (pot - price) / pot;
    *stay = *stay < 0 ? 0 : *stay > 1 ? 1 : *stay;
    *add = RAISED * *stay;
}

static i64 wanted_of(double strength, double stay, double add) {
    return strength >= 1 - add ? ADD : strength >= 1 - stay ? STAY : FOLD;
}

static i64 wanted(S *s, double strength) { /* return the action for a hand that beats this share of hands */
    double stay, add;
    shares(s, &stay, &add);
    return wanted_of(strength, stay, add);
}

/* Return the index of the wanted action, of a size near SIZE, or of the closest action. */
static i64 place_for(S *s, i64 want) {
    static const signed char ways[4][3] = {{0}, {FOLD, STAY, ADD}, {STAY, ADD, FOLD}, {ADD, STAY, FOLD}};
    i64 site = site_of(s), place[4] = {-1, -1, -1, -1};
    double target = SIZE * pot_of(s), nearest = 0;
    for (int i = 0; i < s->choices; i++) {
        i64 role = role_of(site, s->legal[i]);
        double off = role == ADD ? (double)last_bound(site, s->legal[i]) - target : 0;
        off = off < 0 ? -off : off;
        if (place[role] < 0 || (role == ADD && off < nearest)) place[role] = i, nearest = role == ADD ? off : nearest;
    }
    for (int i = 0; i < 3; i++) if (place[ways[want][i]] >= 0) return place[ways[want][i]];
    return 0;
}

static i64 bet_place(S *s, double strength, u64 *chance) { /* return the index of a bet or of another action */
    i64 want = wanted(s, strength);
    if (chance_of(chance) < SELDOM) want = want != STAY ? STAY : drawn(chance, 2) ? FOLD : ADD;
    if (want == ADD && chance_of(chance) < TRAPPED) want = STAY;
    if (want == FOLD && !(price_of(s) > 0)) want = STAY;
    return place_for(s, want);
}

static const double WILD[4] = {0, 0.05, 0.15, 0.8}; /* probability of each action if a player ignores their hand */

static double likely_of(i64 role, i64 want) { /* return the probability of an action for a hand that wants another */
    if (role == want) return want == ADD ? 1 - TRAPPED : 1;
    return role == STAY && want == ADD ? TRAPPED : DOUBTED;
}
#else
static int is_bet(i64 site) { return 0; }
static i64 place_for(S *s, i64 want) { return 0; }
static i64 bet_place(S *s, double strength, u64 *chance) { return 0; }
#endif
