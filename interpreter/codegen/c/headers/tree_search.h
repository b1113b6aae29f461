/* Information-set Monte Carlo tree search (Cowling, Powley and Whitehouse 2012), with one observer. Each playout has
   its own sample, and states that look equal to the observer share a node. A move that is not legal in every sample is
   weighed by the number of times it was legal. Nodes are hashed by the observer's view, so transpositions meet. Unseen
   differences, such as simultaneous choices, don't matter. */

#define NODES (1 << 14)
#define EDGES (1 << 16)
#define WIDE 32 /* maximum number of moves weighed at a node */
#define DEEP 256

typedef struct { i64 look, next; double visits, open, sum; } Edge;
typedef struct { u64 key; i64 first, width; } Node;
typedef struct {
    i64 nodes, edges, depth, root; /* depth: length of the current path; root: index of its first move */
    double eager, visits, sum, squares, scale; /* rewards of all playouts */
    double tries[TRIED], sums[TRIED]; /* rewards of the playouts of each first move */
    i64 path[DEEP], mover[DEEP];
    Node node[2 * NODES];
    Edge edge[EDGES];
} Tree;

static double logarithm(double x) { /* approximate logarithm to base 2, for x of at least 1 */
    union { double real; u64 bits; } held = {x};
    i64 exponent = (i64)(held.bits >> 52 & 2047) - 1023;
    held.bits = (held.bits & (((u64)1 << 52) - 1)) | (u64)1023 << 52;
    return (double)exponent + held.real - 1;
}

/* Hash of a player's view of a state: current player, decision, variables, and faces in each pile. */
static u64 sight(S *s, i64 eye) {
    u64 word = stirred((u64)(site_of(s) * PLAYERS + s->who) + STEP);
    for (int i = 0; i < TRACKS; i++) if (OPEN_TRACK[i] < 0 || OPEN_TRACK[i] == eye) word = (word ^ (u64)s->t[i]) * MIX1, word ^= word >> 29;
    u64 cards = 0;
    for (int i = 0; i < ZONES; i++) {
        cards += stirred((u64)(s->z[i].n * ZONES + i) * MIX2);
        for (int j = 0; j < s->z[i].n; j++) {
            i64 card = s->z[i].v[j];
            if (sees(s, card, eye)) cards += stirred((u64)(i * FACES + CARD_FACE[card] + 1) * STEP);
        }
    }
    if (s->who == eye)
        for (int i = 0; i < s->picks.n; i++) {
            i64 item = s->picks.v[i];
            cards += stirred((u64)(SITE_CARDS[site_of(s)] && sees(s, item, eye) ? CARD_FACE[item] : item) ^ MIX2);
        }
    return stirred(word ^ cards) | 1;
}

typedef struct { S *s; i64 place; } Looker;

/* A player who can't see a card chooses a place. */
static i64 look_of_value(const void *given, i64 value, int is_card) {
    const Looker *looker = given;
    if (!is_card || value < 0 || value >= CARDS) return value;
    return sees(looker->s, value, looker->s->who) ? CARD_FACE[value] : CARDS + looker->place;
}

static i64 look_of(S *s, i64 place) {
    Looker looker = {s, place};
    return changed(site_of(s), s->legal[place], look_of_value, &looker);
}

static Node *node_of(Tree *tree, u64 key) { /* return 0 if there is no room */
    u64 at = key % (2 * NODES);
    while (tree->node[at].key && tree->node[at].key != key) at = at + 1 == 2 * NODES ? 0 : at + 1;
    Node *node = &tree->node[at];
    if (node->key) return node;
    if (tree->nodes == NODES) return 0;
    tree->nodes++;
    node->key = key, node->first = -1, node->width = 0;
    return node;
}

/* UCB1, scaled by the spread of rewards. */
static double bound(const Tree *tree, double sum, double visits, double open) {
    return sum / visits + tree->eager * root(logarithm(open + 1) / visits);
}

static i64 edge_of(const Tree *tree, const Node *node, i64 look) {
    i64 at = node->first;
    while (at >= 0 && tree->edge[at].look != look) at = tree->edge[at].next;
    return at;
}

/* Set the index of the move to make, and add its edge to the path. Return whether the edge is old. Moves not yet made
   from here come first. */
static int along(Tree *tree, Node *node, S *s, u64 *chance, i64 *place) {
    i64 fresh_place = -1, fresh_count = 0, best = -1;
    double highest = 0;
    for (i64 i = 0; i < s->choices; i++) {
        i64 at = edge_of(tree, node, look_of(s, i));
        if (at < 0) {
            if (drawn(chance, ++fresh_count) == 0) fresh_place = i;
            continue;
        }
        Edge *edge = &tree->edge[at];
        edge->open++;
        double value = bound(tree, edge->sum, edge->visits, edge->open);
        if (best < 0 || value > highest) best = at, highest = value, *place = i;
    }
    int is_new = fresh_place >= 0 && node->width < WIDE && tree->edges < EDGES;
    if (is_new) {
        best = tree->edges++, *place = fresh_place;
        tree->edge[best] = (Edge){look_of(s, fresh_place), node->first, 0, 1, 0};
        node->first = best, node->width++;
    } else if (best < 0) *place = drawn(chance, s->choices);
    tree->path[tree->depth] = best, tree->mover[tree->depth++] = s->who;
    return best >= 0 && !is_new;
}

static i64 first_move(const Tree *tree, i64 count) { /* return the index of the first move to try */
    i64 best = 0;
    double highest = 0;
    for (i64 i = 0; i < count; i++) {
        if (!(tree->tries[i] > 0)) return i;
        double value = bound(tree, tree->sums[i], tree->tries[i], tree->visits);
        if (!i || value > highest) best = i, highest = value;
    }
    return best;
}

static void descend(Tree *tree, Onlooker *o, Trial *t, S *s, u64 begun) { /* follow the tree, then the playout policy */
    i64 left = t->horizon, grown = 1;
    while (s->who >= 0 && left-- > 0 && !dealt_again(s, begun, t)) {
        i64 place = 0, code = -1;
        if (s->choices > 1) {
            Node *node = grown && tree->depth < DEEP ? node_of(tree, sight(s, o->seat)) : 0;
            if (node) {
                grown = along(tree, node, s, &t->moves, &place);
                if (OPTIONS[site_of(s)]) t->habits->before = class_of(site_of(s), s->legal[place]);
            } else grown = 0, code = next_move(t, s);
        }
        play_so(t, s, code < 0 ? s->legal[place] : code);
    }
}

/* Rewards from -1 to 1, by seat. */
static void rewards(S *s, const Trial *t, const double *now, double scale, double *to) {
    for (int seat = 0; seat < PLAYERS; seat++) {
        double worse, first, ahead = lead_of(now, seat), gain = now[seat] - t->before[seat];
        double scored = t->ahead > 0 ? ahead / scale : t->gain > 0 ? gain / scale : 0;
        to[seat] = scored;
        if (s->who < 0 || !(scale > 0)) {
            place_share(s, seat, &worse, &first);
            to[seat] = scale > 0 ? (scored + 2 * worse - 1) / 2 : 2 * worse - 1;
        }
    }
}

static void count_path(Tree *tree, Onlooker *o, Trial *t, S *s, const double *now) {
    double reward[PLAYERS], own;
    rewards(s, t, now, tree->scale, reward);
    for (i64 i = 0; i < tree->depth; i++) {
        if (tree->path[i] < 0) continue;
        Edge *edge = &tree->edge[tree->path[i]];
        edge->visits++, edge->sum += reward[tree->mover[i]];
    }
    own = reward[o->seat];
    tree->tries[tree->root]++, tree->sums[tree->root] += own;
    tree->visits++, tree->sum += own, tree->squares += own * own;
}

OPEN i64 native_size_of_tree(void) { return sizeof(Tree); }

/* Create a tree with only a root, for moves tried by `native_try`. It uses the scale of their results. */
OPEN i64 native_plant(Tree *tree, Trial *t) {
    memset(tree, 0, offsetof(Tree, edge));
    tree->scale = t->ahead > 0 ? t->ahead : t->gain;
    t->habits->aimless = 0;
    return 0;
}

/* Play `games` playouts of some moves, given as for `native_try`, and return the number played. `eager`: exploration,
   in thousandths of the spread of rewards. */
OPEN i64 native_grow(Work *w, Onlooker *o, Trial *t, Tree *tree, const i64 *places, i64 count, i64 games, i64 eager) {
    volatile i64 game = 0, played = 0;
    o->now.w = w;
    for (; game < games; game++) {
        if (setjmp(w->at_fault)) {
            for (i64 i = 0; i < tree->depth; i++) /* an edge without visits has no mean */
                if (tree->path[i] >= 0 && !tree->edge[tree->path[i]].visits) tree->edge[tree->path[i]].visits = 1;
            continue;
        }
        tree->depth = 0;
        if (!likely_world(o, t)) continue;
        levels(&t->world, t->before);
        t->lives = LIVES(&t->world);
        double mean = tree->visits > 0 ? tree->sum / tree->visits : 0;
        double spread = tree->visits > 1 ? root(tree->squares / tree->visits - mean * mean) : 1;
        tree->eager = (double)eager / 1000 * (spread > 0.001 ? spread : 0.001);
        tree->root = first_move(tree, count);
        u64 begun = t->world.rng;
        begin_game(o, t, &t->world, t->world.legal[places[tree->root]]);
        begin_noting(o, t);
        play_so(t, &t->world, t->world.legal[places[tree->root]]);
        descend(tree, o, t, &t->world, begun);
        double now[PLAYERS];
        where_it_ends(&t->world, begun, t, now);
        learn_from(t->habits, now, t->learnt++ < TAUGHT * count);
        count_path(tree, o, t, &t->world, now);
        count_outcome(&t->world, t, now, o->seat, &t->tried[places[count + tree->root]]);
        played++;
    }
    return played;
}
