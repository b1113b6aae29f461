"""Native engine under the address and undefined-behaviour sanitizers of gcc or clang:
`python -m tests.native.sanitized [GAME …]`, with all games by default.

Each game plays whole matches, copies states, saves and loads states, and tries out moves. The first error ends the
run."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path
from tempfile import TemporaryDirectory

import cardlang
from cardlang.model import Game
from interpreter.codegen.c.c_program import generate_c_source
from interpreter.native.compilers import find_system_compiler
from interpreter.program.betting_roles import find_shown_reading
from interpreter.program.program import Program

OPTIONS = ("-std=gnu11", "-g", "-O1", "-w", "-fwrapv", "-fno-strict-aliasing", "-fno-omit-frame-pointer")
SANITIZERS = ("-fsanitize=address,undefined", "-fno-sanitize-recover=all")
MAIN = r"""
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
            i64 places[] = {0, 1, 2, 3, 4, 0, 1, 2, 3, 4};
            for (i64 i = 0; i < tried; i++) places[tried + i] = i;
            i64 size = native_store(s, numbers);
            if (!native_look(w, o, numbers, size, s->who, (u64)turn)) return 3;
            native_begin_trial(t, h, (u64)turn, 60, CARDS / 2);
            native_practise(w, t, 3);
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
"""


def play_sanitized(game: Game, players: int, matches: int = 20, cap: int = 300) -> str:
    """Play under a sanitizer and return what was played. Raise CalledProcessError if it finds a fault."""
    compiler = find_system_compiler()
    assert compiler is not None, "there is no C compiler"
    program = Program(game, players, False)
    with TemporaryDirectory() as folder:
        source, made = Path(folder, "game.c"), Path(folder, "game")
        source.write_text(generate_c_source(program, find_shown_reading(game), with_search=True) + MAIN, "utf-8")
        command = [compiler.path, *OPTIONS, *SANITIZERS, str(source), "-o", str(made), "-lm"]
        subprocess.run(command, check=True, capture_output=True, text=True)
        played = [str(made), str(matches), str(cap)]
        return subprocess.run(played, check=True, capture_output=True, text=True).stdout.strip()


def main() -> None:
    faults = 0
    for name in sys.argv[1:] or sorted(cardlang.shipped()):
        game = cardlang.load(name)
        for players in sorted({game.seats[0], game.seats[-1]}):
            try:
                told = play_sanitized(game, players)
            except subprocess.CalledProcessError as error:
                told, faults = error.stderr[:2000], faults + 1
            print(f"{name}, {players} players: {told}", flush=True)
    sys.exit(1 if faults else 0)


if __name__ == "__main__":
    main()
