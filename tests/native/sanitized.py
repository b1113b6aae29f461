"""Native engine under the address and undefined-behaviour sanitizers of gcc or clang:
`python -m tests.native.sanitized [GAME …]`, with all games by default.

Each game plays whole matches, copies states, saves and loads states, and tries out moves. The first error ends the
run."""

import subprocess
import sys
from pathlib import Path
from tempfile import TemporaryDirectory

import cardlang
from cardlang.model import Game
from interpreter.codegen.c.c_program import generate_c_source
from interpreter.native.compilers import find_system_compiler
from interpreter.program.betting_roles_and_shown_hand import find_shown_reading
from interpreter.program.program import Program

OPTIONS = ("-std=gnu11", "-g", "-O1", "-w", "-fwrapv", "-fno-strict-aliasing", "-fno-omit-frame-pointer")
SANITIZERS = ("-fsanitize=address,undefined", "-fno-sanitize-recover=all")
MAIN = Path(__file__).with_suffix(".c").read_text("utf-8")


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
