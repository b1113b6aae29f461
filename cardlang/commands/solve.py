"""`cardlang solve`: compute the best strategies and the value of a small game, by CFR+."""

from __future__ import annotations

import sys
from math import log10
from typing import TYPE_CHECKING

import click

from cardlang.commands import options
from cardlang.commands.files import load_game
from cardlang.commands.running import rules_at_fault
from cardlang.plain_text import json_text
from cardlang.terminal.telling import forget_progress, tell_lines, tell_progress

if TYPE_CHECKING:
    from cardlang.game import Game
    from interpreter.solving.cfr import Solution
    from interpreter.solving.tree import InformationState, Setting

MOST = 200_000
"""Maximum number of decisions in a game to solve. More would take hours."""
MOST_TOLD = 200
"""Maximum number of information states printed for each player."""


@click.command(epilog=options.examples("solve kuhn_poker", "solve leduc_poker --until 0.01", "solve kuhn_poker --json"))
@click.argument("file")
@options.variant
@click.option(
    "--results",
    type=click.Choice(["score", "place"]),
    help="Play for scores or for places; default: scores, unless the game names the winner.",
)
@click.option(
    "--until",
    type=click.FloatRange(0),
    metavar="X",
    default=1e-4,
    show_default=True,
    help="Exploitability to reach.",
)
@click.option(
    "--iterations",
    metavar="N",
    type=click.IntRange(1),
    default=100_000,
    show_default=True,
    help="Maximum number of iterations.",
)
@options.as_json
def command(file: str, variant: str | None, results: str | None, until: float, iterations: int, as_json: bool) -> None:
    """Solve a small two-player game.

    Prints the value of the game and each player's best strategy, found by CFR+. One player's gain must be the other's
    loss. Ten thousand decisions take about a minute."""
    from interpreter.solving.tree import UnsolvableError, set_up

    game = load_game(file, variant)
    with rules_at_fault():
        try:
            setting = set_up(game, results)
            solution = found(setting, until, iterations)
        except UnsolvableError as error:
            raise click.ClickException(str(error)) from error
    if as_json:
        tell_lines(json_text(data(setting, solution)))
    else:
        tell_lines(text(setting, solution, until))


def found(setting: Setting, until: float, iterations: int) -> Solution:
    """Solve the game, and show the progress on a terminal. Raise `UnsolvableError`."""
    from interpreter.solving.cfr import solved
    from interpreter.solving.size import estimated
    from interpreter.solving.tree import UnsolvableError, grown

    size = estimated(setting)
    if size > MOST:
        raise UnsolvableError(
            f"{setting.game.title} has {about(size)} decisions, too many to solve (at most {MOST:,})."
        )
    told = sys.stderr.isatty()
    tree = grown(setting, MOST, (lambda done: tell_progress(f"{done:,} decisions of {about(size)}")) if told else None)

    def progress(solution: Solution) -> None:
        tell_progress(f"iteration {solution.iterations:,}: exploitability {solution.exploitability:.2g}   ")

    solution = solved(tree, until, iterations, progress if told else None)
    if told:
        forget_progress()
    return solution


def about(size: int) -> str:
    """Return `about 4,000` or `about 10^25`."""
    if size < 10:
        return str(size)
    power = int(log10(size))
    if power >= 9:
        return f"about 10^{round(log10(size))}"
    return f"about {round(size, 1 - power):,}"


# ---------------------------------------------------------------- JSON output
def data(setting: Setting, solution: Solution) -> dict[str, object]:
    tree = solution.tree
    codes = {face.number: face.code for face in setting.game.faces}
    return {
        "game": setting.game.title,
        "variant": setting.game.variant,
        "players": list(tree.players),
        "results": setting.table.results,
        "value": [solution.value, tree.total - solution.value],
        "best_answer": list(solution.best),
        "exploitability": solution.exploitability,
        "iterations": solution.iterations,
        "decisions": tree.decisions,
        "ends": tree.ends,
        "alike": [[codes[face] for face in faces] for faces in setting.classes if len(faces) > 1],
        "strategy": {player: strategy(solution, seat) for seat, player in enumerate(tree.players)},
    }


def strategy(solution: Solution, seat: int) -> list[dict[str, object]]:
    from interpreter.solving.cfr import is_reached, probabilities

    states = solution.tree.sides[seat].states
    return [
        {
            "sees": list(state.sees),
            "heard": list(state.heard),
            "log": list(state.log),
            "moves": dict(zip(state.moves, probabilities(solution, seat, state), strict=True)),
            "reached": is_reached(solution, seat, state),
        }
        for state in states
    ]


# ---------------------------------------------------------------- text output
def text(setting: Setting, solution: Solution, until: float) -> str:
    from interpreter.solving.classes import told

    tree, (first, second) = solution.tree, solution.tree.players
    states = sum(len(side.states) for side in tree.sides)
    lines = [
        f"{full_title(setting.game)}: {tree.decisions:,} decisions, {states:,} information states",
        f"  game value for {first} {plus(solution.value)}, for {second} {plus(tree.total - solution.value)}",
        f"  exploitability {solution.exploitability:.5f} after {solution.iterations:,} iterations of CFR+",
    ]
    if solution.exploitability > until:
        lines.append(f"  Not yet below {until:g}; raise --iterations.")
    alike = list(told(setting.game, setting.classes))
    if alike:
        lines.append(f"  Equivalent cards, counted as one: {', '.join(alike)}.")
    for seat in (0, 1):
        lines += ["", f"{tree.players[seat]}"]
        lines += told_strategy(solution, seat)
    return "\n".join(lines)


def plus(value: float) -> str:
    return f"{round(value, 5) + 0.0:+.5f}"


def full_title(game: Game) -> str:
    return game.title if game.variant is None else f"{game.title}, {game.variant}"


def told_strategy(solution: Solution, seat: int) -> list[str]:
    from interpreter.solving.cfr import LEAST, is_reached, probabilities

    states = solution.tree.sides[seat].states
    if not states:
        return ["  has no decisions."]
    lines = []
    for state, name in zip(states[:MOST_TOLD], headings(states[:MOST_TOLD]), strict=True):
        chances = probabilities(solution, seat, state)
        likely = sorted(zip(chances, state.moves, strict=True), key=lambda each: -each[0])
        moves = ", ".join(f"{move} {chance:.3f}" for chance, move in likely if chance >= LEAST)
        never = "" if is_reached(solution, seat, state) else "  (never reached)"
        lines += [f"  {name}", f"    {moves}{never}"]
    if len(states) > MOST_TOLD:
        lines.append(f"  … and {len(states) - MOST_TOLD:,} more: --json prints all.")
    return lines


def headings(states: list[InformationState]) -> list[str]:
    """Return a heading for each information state: the visible cards and the choices so far.

    If two headings are equal, they contain the whole log.
    """
    short = [" ".join([", ".join(state.sees) + ".", *state.heard]) for state in states]
    return [
        name if short.count(name) == 1 else " ".join([", ".join(state.sees) + ".", *state.log])
        for name, state in zip(short, states, strict=True)
    ]
