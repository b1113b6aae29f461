"""Measure the interpreter: decisions per second, hand ranking, copies, views and `check`. Run it on a quiet machine."""

from __future__ import annotations

import random
import statistics
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path
from tempfile import TemporaryDirectory

import cardlang
from interpreter.program.program import Program, compile_game

RUNS = 5
GAMES = Path(__file__).resolve().parent.parent / "games"
PLAYED = {
    "classics/kuhn_poker": (2, 4000),
    "classics/hearts": (4, 10),
    "tall_tales": (3, 60),
    "tall_card": (3, 120),
    "tail_story": (3, 25),
    "tall_card_fan": (3, 60),
    "classics/crazy_eights": (3, 30),
    "classics/leduc_poker": (2, 2000),
    "classics/whist": (4, 40),
    "classics/cribbage": (2, 10),
    "classics/texas_holdem": (4, 60),
    "classics/go_fish": (3, 60),
    "classics/rummy_500": (3, 10),
}
"""Player count and matches per run, by game."""
VIEWED = ("tall_tales", "tall_card", "classics/hearts", "tail_story")


def seconds(work: Callable[[], object]) -> float:
    """Return the processor time of one call, in seconds."""
    begun = time.process_time()
    work()
    return time.process_time() - begun


def median(work: Callable[[], float]) -> float:
    return statistics.median(work() for _ in range(RUNS))


def plain_loop() -> None:
    total, cells = 0, [0] * 10
    for number in range(300_000):
        cells[number % 10] += number
        total += cells[3]


def decisions(program: Program, seeds: range) -> float:
    """Return decisions per second with random moves, including setup and scoring.

    Use new seeds: a repeated deal is faster because its hands have been ranked."""
    draw = random.Random(1).random
    count = 0
    begun = time.process_time()
    for seed in seeds:
        state, left = program.start(seed), 2000
        while state.who >= 0 and left:
            legal = state.legal
            program.apply(state, legal[int(draw() * len(legal))])
            left -= 1
        count += 2000 - left
        program.find_winners(state)
    return count / (time.process_time() - begun)


def hand_reading(tall: str, holder_has: str | None) -> float:
    """Return the time to rank a random Tall Card hand whose holder claims the card `tall`, in microseconds."""
    game = cardlang.load(GAMES / "tall_card.cardgame")
    program = compile_game(game, 2)
    state = program.create_blank_state(1)
    codes = {face.code: face.first for face in game.faces}
    deck = [card for card in range(game.cards) if game.faces[program.face[card]].set != "Talls"]
    program.mover.move(state, [codes[tall]], program.zone_base["tall"], "top", 0, (), "turn", game.sources[0].full_span)
    state.t[program.track_base["claimer"]] = 0
    strength, draw, hands = program.find_player_expression("strength"), random.Random(2), []
    while len(hands) < 2000:
        hand = draw.sample(deck, 5)
        if holder_has is None or any(game.faces[program.face[card]].code == holder_has for card in hand):
            hands.append(hand)
    pile = program.zone_base["hand"]
    program.evaluate_player_value("strength", state, 0)
    read = program.values[id(strength)][1]

    def all_hands() -> None:
        for hand in hands:
            state.z[pile] = hand
            for card in hand:
                state.owner[card] = 0
            read(state, 0)

    return median(lambda: seconds(all_hands)) / len(hands) * 1e6


def report(name: str, value: float, unit: str) -> None:
    print(f"{name:45} {value:12,.1f} {unit}")


def main() -> None:
    report("a loop of plain Python", median(lambda: seconds(plain_loop)) * 1000, "ms")
    for name, (players, matches) in PLAYED.items():
        program = compile_game(cardlang.load(GAMES / f"{name}.cardgame"), players)
        decisions(program, range(2))
        runs = (range(first, first + matches) for first in range(2, RUNS * matches + 2, matches))
        rate = statistics.median(decisions(program, seeds) for seeds in runs)
        report(f"{name}, {players} players", rate, "decisions/s")
    report("Tall Card hand, a suit is tall", hand_reading("Tp", None), "µs")
    report("Tall Card hand with a wild dragon", hand_reading("TRdD", "RdD"), "µs")
    match = cardlang.load(GAMES / "tall_tales.cardgame").start(players=4, seed=1)
    report(
        "match.clone() of Tall Tales",
        median(lambda: seconds(lambda: [match.clone() for _ in range(2000)])) / 2000 * 1e6,
        "µs",
    )
    for name in VIEWED:
        report(f"first view of {name}", median(lambda: first_view(name)) * 1e3, "ms")  # noqa: B023
    report("cardlang check tall_card, after an edit", check_time(edited=True) * 1e3, "ms")
    report("cardlang check tall_card, unchanged", check_time(edited=False) * 1e3, "ms")


def first_view(name: str) -> float:
    """Return the processor time of the first view of a match after 60 decisions, with its whole log, in seconds."""
    match, draw = cardlang.load(GAMES / f"{name}.cardgame").start(players=PLAYED[name][0], seed=1), random.Random(1)
    while not match.over and len(match.choices) < 60:
        match.choose(draw.randrange(len(match.state.legal)))
    match.clone().view(0)  # warm up: build parts shared by all matches of the game
    return seconds(lambda: match.view(0))


def check_time(edited: bool) -> float:
    """Return the time of `cardlang check` in seconds, on a file with one edited item or on an unchanged file."""
    text = (GAMES / "tall_card.cardgame").read_text("utf-8")
    with TemporaryDirectory() as folder:
        file = Path(folder) / "tall_card.cardgame"
        file.write_text(text, "utf-8")
        command = [sys.executable, "-m", "cardlang", "check", str(file)]
        wall(command)

        def run() -> float:
            if edited:
                file.write_text(text.replace("deal-limit as 2", f"deal-limit as {time.time_ns() % 10**6 + 2}"), "utf-8")
            return wall(command)

        return median(run)


def wall(command: list[str]) -> float:
    begun = time.perf_counter()
    subprocess.run(command, check=True, capture_output=True)
    return time.perf_counter() - begun


if __name__ == "__main__":
    main()
