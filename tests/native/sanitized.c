#include <stdio.h>
#include <stdlib.h>
int main(int count, char **given) {
    i64 matches = atoll(given[1]), cap = atoll(given[2]), width = 1 + 2 * PLAYERS, decisions = 0, faults = 0;
    Work *w = calloc(1, sizeof(Work));
    S *s = calloc(1, sizeof(S)), *other = calloc(1, sizeof(S)), *third = calloc(1, sizeof(S));
    i64 *rows = calloc(sizeof(i64), (u64)(matches * ROW)), *numbers = calloc(sizeof(i64), 1 << 18);
    i64 *results = calloc(sizeof(i64), (u64)(width * 3));
    Batch b = {.seed = 1, .left = matches, .cap = cap, .checking = 1};
    i64 done = 0;
    while (b.left > 0) {
        b.budget = 37;
        done += native_play(w, s, &b, rows + done * ROW);
    }
    for (i64 i = 0; i < done; i++) decisions += rows[i * ROW], faults += rows[i * ROW + 1] == AT_FAULT;
    for (i64 match = 0; match < 3; match++) {
        if (native_start(w, s, (u64)match, 0) != NONE) continue;
        for (i64 turn = 0; turn < 60 && s->who >= 0; turn++) {
            i64 code = s->legal[turn * 7 % s->choices];
            native_playouts(w, s, other, code, 3, 40, (u64)turn, results);
            i64 size = native_store(s, numbers);
            for (i64 at = 0; at < size; at++) { /* what is no state may be taken for one, but nothing else is touched */
                i64 held = numbers[at];
                numbers[at] = (i64[]){-7, -1, 99, 1 << 20, INT64_MAX, INT64_MIN}[(at + turn) % 6];
                native_load(third, numbers, size);
                numbers[at] = held;
            }
            if (native_load(third, numbers, size - 1 - turn % 5)) return 4;
            if (!native_load(third, numbers, size)) return 2;
            if (native_apply(w, third, code) != NONE) break;
            native_clone(s, third);
            native_results(w, s, results);
        }
    }
    Onlooker *o = calloc(1, sizeof(Onlooker));
    Trial *t = calloc(1, sizeof(Trial));
    Habits *h = calloc(1, sizeof(Habits));
    Tree *tree = calloc(1, sizeof(Tree));
    for (i64 match = 0; match < 2; match++) {
        if (native_start(w, s, (u64)match, 0) != NONE) continue;
        native_forget(o);
        for (i64 turn = 0; turn < 30 && s->who >= 0; turn++) {
            i64 code = s->legal[turn * 5 % s->choices], tried = s->choices < 5 ? s->choices : 5;
            i64 places[] = {0, 1, 2, 3, 4, 0, 1, 2, 3, 4, 0};
            for (i64 i = 0; i < tried; i++) places[tried + i] = i;
            places[2 * tried] = 0;
            i64 size = native_store(s, numbers);
            if (!native_look(w, o, numbers, size, s->who, (u64)turn)) return 3;
            native_begin_trial(t, h, (u64)turn, 60, CARDS / 2);
            native_practise(w, t, h, 3 * turn, 3);
            double *expected = calloc(sizeof(double), 3 * 5);
            native_expected(w, o, t, places, tried, expected);
            free(expected);
            native_try(w, o, t, places, tried, 3);
            native_plant(tree, t);
            native_grow(w, o, t, tree, places, tried, 40, 1000);
            native_saw(o, numbers, size, code, HEARD | TELLING);
            if (native_apply(w, s, code) != NONE) break;
        }
    }
    free(o), free(t), free(h), free(tree);
    printf("%lld decisions, %lld faults\n", (long long)decisions, (long long)faults);
    free(w), free(s), free(other), free(third), free(rows), free(numbers), free(results);
    return 0;
}
