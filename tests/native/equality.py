"""Equality of both engines for every game, player count and variant, decision by decision:
`python -m tests.native.equality FILE [MATCHES]`.

FILE gets a line for each group of matches of a game; a restarted run continues after them. All games are played with
the first ten seeds before any is played with the next ninety."""

import json
import sys
from itertools import pairwise
from pathlib import Path
from typing import Any

from interpreter.native.engine import build_engine
from interpreter.program.program import compile_game
from tests.native.following import follow
from tests.shipped import Cast, casts, load

MATCHES = 1000
MOST_DECISIONS = 2000
SHOWN = 3
"""So many differences of a game are told at most, in words."""


def compare_engines(cast: Cast, first: int, end: int) -> dict[str, Any]:
    """Compare matches from the seed `first`. Return their number, decisions and differences."""
    game = load(cast.game, cast.variant)
    program, engine = compile_game(game, cast.players), build_engine(game, cast.players)
    decisions, differences = 0, []
    for seed in range(first, end):
        try:
            decisions += follow(program, engine, seed, MOST_DECISIONS)
        except AssertionError as error:
            differences.append(str(error).partition("\n")[0])
    found = {"cast": str(cast), "first": first, "matches": end - first, "decisions": decisions}
    return {**found, "differences": len(differences), "told": differences[:SHOWN]}


def read_results(path: Path) -> list[dict[str, Any]]:
    """Return results of earlier runs, without an unfinished last line."""
    lines = path.read_text("utf-8").splitlines(keepends=True) if path.exists() else []
    return [json.loads(line) for line in lines if line.endswith("\n")]


def list_missing(found: list[dict[str, Any]], matches: int) -> list[tuple[Cast, int, int]]:
    """Return the remaining work: seeds of a game, from the first up to the second."""
    known = {(row["cast"], row["first"]) for row in found}
    blocks = list(
        pairwise(sorted({0, *(each for each in (10, 100) if each < matches), *range(matches, 99, -100), matches}))
    )
    return [(cast, first, end) for first, end in blocks for cast in casts() if (str(cast), first) not in known]


def format_total(found: list[dict[str, Any]]) -> str:
    matches, decisions, differences = (
        sum(row[what] for row in found) for what in ("matches", "decisions", "differences")
    )
    played = len({row["cast"] for row in found})
    return (
        f"{played} of {len(casts())} casts, {matches:,} matches, {decisions:,} decisions, {differences:,} differences"
    )


def main() -> None:
    path, matches = Path(sys.argv[1]), int(sys.argv[2]) if sys.argv[2:] else MATCHES
    found = read_results(path)
    path.write_text("".join(json.dumps(row) + "\n" for row in found), "utf-8")
    for cast, first, end in list_missing(found, matches):
        found.append(compare_engines(cast, first, end))
        with path.open("a", encoding="utf-8") as file:
            file.write(json.dumps(found[-1]) + "\n")
        print(f"{cast}, seeds {first} to {end - 1}; so far {format_total(found)}", flush=True)
    print(format_total(found))
    sys.exit(1 if any(row["differences"] for row in found) else 0)


if __name__ == "__main__":
    main()
