"""Plays games as machine code under the address and the undefined-behaviour sanitizer of gcc or clang:
`python -m tests.native.sanitized [GAME …]`, of all games if none is named. Each plays whole matches, copies of states
that go on, and states that are stored and loaded; the first fault ends it."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path
from tempfile import TemporaryDirectory

import cardlang
from cardlang.game import Game
from interpreter.native.compilers import system_compiler
from interpreter.native.program import c_source
from interpreter.program import Program

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
            native_store(s, numbers);
            if (!native_load(third, numbers)) return 2;
            if (native_apply(w, third, code) != NONE) break;
            native_clone(s, third);
            native_results(w, s, results);
        }
    }
    printf("%lld decisions, %lld faults\n", (long long)decisions, (long long)faults);
    free(w), free(s), free(other), free(third), free(rows), free(numbers), free(results);
    return 0;
}
"""


def sanitized(game: Game, players: int, matches: int = 20, cap: int = 300) -> str:
    """What was played. Raises CalledProcessError where a sanitizer finds a fault."""
    compiler = system_compiler()
    assert compiler is not None, "there is no C compiler"
    with TemporaryDirectory() as folder:
        source, program = Path(folder, "game.c"), Path(folder, "game")
        source.write_text(c_source(Program(game, players, False)) + MAIN, "utf-8")
        command = [compiler.path, *OPTIONS, *SANITIZERS, str(source), "-o", str(program)]
        subprocess.run(command, check=True, capture_output=True, text=True)
        played = [str(program), str(matches), str(cap)]
        return subprocess.run(played, check=True, capture_output=True, text=True).stdout.strip()


def main() -> None:
    faults = 0
    for name in sys.argv[1:] or sorted(cardlang.shipped()):
        game = cardlang.load(name)
        for players in sorted({game.seats[0], game.seats[-1]}):
            try:
                told = sanitized(game, players)
            except subprocess.CalledProcessError as error:
                told, faults = error.stderr[:2000], faults + 1
            print(f"{name}, {players} players: {told}", flush=True)
    sys.exit(1 if faults else 0)


if __name__ == "__main__":
    main()
