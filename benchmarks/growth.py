"""Growth of the cost with matches, cards and players; cold start; memory; two workers.

It draws `docs/pictures/growth.svg`."""

from __future__ import annotations

import json
import os
import resource
import statistics
import subprocess
import sys
import time
from pathlib import Path
from tempfile import TemporaryDirectory

from attrs import frozen

import cardlang
from interpreter.native.engine import build_engine

PICTURE = Path(__file__).resolve().parent.parent / "docs" / "pictures" / "growth.svg"
CAP, LEAST = 10_000, 0.05
MILLION = 1_000_000
RULES = """\
game "Five in hand" for {players} players
number your score
ordered kind Value: 1 to {values}
cards Pack in deck
  {copies} of each Value
zone deck seen by nobody
zone your hand seen by owner
zone table

step play
  shuffle deck
  each player
    deal top 5 of deck to your hand
  repeat until deck is empty
    each player where deck is not empty
      you play 1 from your hand to table
      draw top of deck to your hand
"""
TEXT = """\
## How the cost grows

![Microseconds by matches, by cards and by players](pictures/growth.svg)

| `cardlang simulate` | measured | target |
|---|---|---|
| a million matches of Kuhn Poker from a cold start, including compilation | {cold} s of processor time | 2 s |
| peak memory for a million matches | {most:,.0f} MB | |
| peak memory for a tenth of these matches | {tenth:,.0f} MB | |
| `--jobs 2`, {together:,} matches of Hearts, compared with two separate processes | {speed} times as fast | 0.9 times |
| processor time of the two separate processes, compared with `--jobs 2` | {work} times | |

The last two rows are medians of {rounds} alternating rounds, with the interquartile range in brackets.
"""
HALF, TURNS = 50_000, 8


@frozen
class Line:
    """Points of a curve: size and microseconds."""

    title: str
    unit: str
    points: tuple[tuple[int, float], ...]


def microseconds(game: cardlang.Game, players: int, matches: int) -> float:
    """Return the time for that number of matches, in microseconds: the minimum of three runs."""
    engine = build_engine(game, players)
    engine.play_matches(1, 1, CAP)
    times = []
    for turn in range(3):
        begun, rounds = time.process_time(), 0
        while time.process_time() - begun < LEAST:
            engine.play_matches(1 + turn, matches, CAP)
            rounds += 1
        times.append((time.process_time() - begun) / rounds)
    return 1e6 * min(times)


def lines() -> list[Line]:
    kuhn = cardlang.load("kuhn_poker")
    counts = (1_000, 10_000, 100_000, MILLION)
    sizes, seats = (20, 40, 80, 160), (2, 4, 7, 10)
    by_cards = [cardlang.loads(RULES.format(players=2, values=10, copies=size // 10)) for size in sizes]
    by_seats = [cardlang.loads(RULES.format(players=seat, values=10, copies=seat)) for seat in seats]
    return [
        Line("Kuhn Poker", "matches", tuple((count, microseconds(kuhn, 2, count)) for count in counts)),
        Line("Five in hand, 2 players", "cards", paired(sizes, by_cards, [2] * 4)),
        Line("Five in hand, 10 cards each", "players", paired(seats, by_seats, list(seats))),
    ]


def paired(at: tuple[int, ...], games: list[cardlang.Game], players: list[int]) -> tuple[tuple[int, float], ...]:
    found = (microseconds(game, count, 100) / 100 for game, count in zip(games, players, strict=True))
    return tuple(zip(at, found, strict=True))


# ---------------------------------------------------------------- picture
WIDE, HIGH, LEFT, TOP, APART = 200, 150, 60, 30, 300
STYLE = "text{font:12px sans-serif;fill:#333}.line{fill:none;stroke:#06c;stroke-width:2}.axis{stroke:#999;fill:none}"


def picture(drawn: list[Line]) -> str:
    """Draw the curves. The axes start at 0, so linear growth is a straight line through the corner."""
    parts = [plot(line, LEFT + APART * number) for number, line in enumerate(drawn)]
    size = f'viewBox="0 0 {APART * len(drawn)} {HIGH + TOP + 50}"'
    head = f'<svg xmlns="http://www.w3.org/2000/svg" {size} role="img" aria-label="How the cost grows">'
    return f"{head}<style>{STYLE}</style>{''.join(parts)}</svg>\n"


def plot(line: Line, left: int) -> str:
    most, longest = line.points[-1][0], max(time for _, time in line.points)
    places = [(left + WIDE * at / most, TOP + HIGH * (1 - took / longest)) for at, took in line.points]
    path = " ".join(f"{x:.1f},{y:.1f}" for x, y in [(left, TOP + HIGH), *places])
    dots = "".join(f'<circle cx="{x:.1f}" cy="{y:.1f}" r="3" fill="#06c"/>' for x, y in places)
    axis = f'<path class="axis" d="M{left},{TOP} V{TOP + HIGH} H{left + WIDE}"/>'
    low, top = TOP + HIGH, f"{longest:,.0f}" if longest >= 100 else f"{longest:.3g}"
    texts = (
        (left, TOP - 10, "start", f"{line.title}: µs"), (left - 5, TOP + 5, "end", top),
        (left - 5, low, "end", "0"), (left, low + 18, "middle", "0"),
        (left + WIDE, low + 18, "middle", f"{most:,}"), (left + WIDE / 2, low + 34, "middle", line.unit),
    )  # fmt: skip
    told = "".join(f'<text x="{x:.0f}" y="{y:.0f}" text-anchor="{how}">{text}</text>' for x, y, how, text in texts)
    return f'{axis}<polyline class="line" points="{path}"/>{dots}{told}'


# ---------------------------------------------------------------- cold start
def simulated(matches: int) -> tuple[float, float]:
    """Return the processor time and the peak memory of a run with an empty cache, in seconds and MB.

    The time includes the compiler's."""
    with TemporaryDirectory() as folder:
        before = resource.getrusage(resource.RUSAGE_CHILDREN)
        code = (
            "import sys; from pathlib import Path; from cardlang.cli.main import main\n"
            "try: main()\n"
            "finally: print(Path('/proc/self/status').read_text().partition('VmHWM:')[2].split()[0], file=sys.stderr)"
        )
        command = [sys.executable, "-c", code, "simulate", "kuhn_poker", "--games", str(matches), "--json"]
        surroundings = {**os.environ, "XDG_CACHE_HOME": folder}
        done = subprocess.run(command, env=surroundings, capture_output=True, text=True, check=True)
        after = resource.getrusage(resource.RUSAGE_CHILDREN)
    assert json.loads(done.stdout)["engine"] == "native"
    seconds = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    return seconds, int(done.stderr.split()[-1]) / 1024


# ---------------------------------------------------------------- workers
def side_by_side(runs: list[list[str]]) -> tuple[float, float]:
    """Run commands in parallel. Return the wall-clock time and the processor time of all, in seconds."""
    before, begun = resource.getrusage(resource.RUSAGE_CHILDREN), time.monotonic()
    command = [sys.executable, "-m", "cardlang", "simulate", "hearts", "--engine", "native"]
    running = [subprocess.Popen([*command, *run], stdout=subprocess.DEVNULL) for run in runs]
    assert not any([process.wait() for process in running])
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return time.monotonic() - begun, after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def workers() -> dict[str, str]:
    """Compare two separate processes with two workers of one process, in wall-clock and processor time."""
    one = [["--games", str(2 * HALF), "--jobs", "2"]]
    two = [["--games", str(HALF)], ["--games", str(HALF), "--seed", str(HALF + 1)]]
    side_by_side(two)  # warm the cache of compiled engines
    ratios: list[tuple[float, float]] = []
    for turn in range(TURNS):
        ours, theirs = map(side_by_side, (one, two)) if turn % 2 else reversed([*map(side_by_side, (two, one))])
        ratios.append((theirs[0] / ours[0], theirs[1] / ours[1]))
    low, middle, high = zip(*(statistics.quantiles(each, n=4) for each in zip(*ratios, strict=True)), strict=True)
    speed, work = (f"{b:.2f} ({a:.2f} to {c:.2f})" for a, b, c in zip(low, middle, high, strict=True))
    return {"speed": speed, "work": work}


def section() -> str:
    seconds, most = simulated(MILLION)
    _, tenth = simulated(MILLION // 10)
    print(f"a million in {seconds:.1f} s, {most:.0f} MB and {tenth:.0f} MB", flush=True)
    drawn = lines()
    for line in drawn:
        print(line, flush=True)
    PICTURE.write_text(picture(drawn), "utf-8")
    return TEXT.format(cold=f"{seconds:.1f}", most=most, tenth=tenth, together=2 * HALF, rounds=TURNS, **workers())


if __name__ == "__main__":
    section()
