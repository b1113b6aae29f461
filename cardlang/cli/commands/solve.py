"""Command `cardlang solve`: value and best strategy of a small game."""

from __future__ import annotations

from math import log10
from typing import TYPE_CHECKING

import click

from cardlang.cli import match_options
from cardlang.cli.error_reports import report_rule_errors
from cardlang.cli.file_arguments import format_game_title, load_game
from cardlang.cli.parallel_jobs import show_progress
from cardlang.english.control_characters import render_json
from cardlang.ui.terminal.escaped_output import write_lines

if TYPE_CHECKING:
    from interpreter.gametree.cfr_solver import Solution
    from interpreter.gametree.sequence_form import InformationState, SolvableGame


MAX_TREE_DECISIONS = 200_000
"""Maximum number of decisions in a game to solve. More would take hours."""
MAX_PRINTED_STATES = 200
"""Maximum number of information states printed for each player."""


@click.command(
    epilog=match_options.format_examples(
        "solve kuhn_poker", "solve leduc_poker --until 0.01", "solve kuhn_poker --json"
    )
)
@click.argument("file")
@match_options.variant_option
@click.option(
    "--results",
    type=click.Choice(["score", "place"]),
    help="Play for scores or for places; default: scores, unless the game names the winner.",
)
@click.option(
    "--until", type=click.FloatRange(0), metavar="X", default=1e-4, show_default=True, help="Exploitability to reach."
)
@click.option(
    "--iterations",
    metavar="N",
    type=click.IntRange(1),
    default=100_000,
    show_default=True,
    help="Maximum number of iterations.",
)
@match_options.json_option
def solve_game(
    file: str, variant: str | None, results: str | None, until: float, iterations: int, as_json: bool
) -> None:
    """Solve a small two-player game.

    Prints the value of the game and each player's best strategy, found by CFR+. One player's gain must be the other's
    loss. Ten thousand decisions take about a minute."""
    from interpreter.gametree.sequence_form import UnsolvableError, prepare_game

    game = load_game(file, variant)
    with report_rule_errors():
        try:
            setting = prepare_game(game, results)
            solution = solve_with_progress(setting, until, iterations)
        except UnsolvableError as error:
            raise click.ClickException(str(error)) from error
    if as_json:
        write_lines(render_json(build_solution_json(setting, solution)))
    else:
        write_lines(format_solution(setting, solution, until))


def solve_with_progress(setting: SolvableGame, until: float, iterations: int) -> Solution:
    """Solve the game, and show the progress on a terminal. Raise `UnsolvableError`."""
    from interpreter.gametree.cfr_solver import solve_sequence_form
    from interpreter.gametree.sequence_form import UnsolvableError, build_sequence_form, estimate_tree_size

    size = estimate_tree_size(setting)
    if size > MAX_TREE_DECISIONS:
        raise UnsolvableError(
            f"{setting.game.title} has {format_approximate_count(size)} decisions, too many to solve (at most "
            f"{MAX_TREE_DECISIONS:,})."
        )
    with show_progress() as show:
        tree = build_sequence_form(
            setting, MAX_TREE_DECISIONS, lambda done: show(f"{done:,} decisions of {format_approximate_count(size)}")
        )
        return solve_sequence_form(
            tree, until, iterations,
            lambda best: show(f"iteration {best.iterations:,}: exploitability {best.exploitability:.2g}   "),
        )  # fmt: skip


def format_approximate_count(size: int) -> str:
    """Return `about 4,000` or `about 10^25`."""
    if size < 10:
        return str(size)
    power = int(log10(size))
    if power >= 9:
        return f"about 10^{round(log10(size))}"
    return f"about {round(size, 1 - power):,}"


# ---------------------------------------------------------------- JSON output
def build_solution_json(setting: SolvableGame, solution: Solution) -> dict[str, object]:
    tree = solution.tree
    codes = {face.number: face.code for face in setting.game.faces}
    return {
        "game": setting.game.title,
        "variant": setting.game.variant,
        "players": list(tree.players),
        "results": setting.table.result_kind,
        "value": [solution.value, tree.total - solution.value],
        "best_answer": list(solution.best_response_values),
        "exploitability": solution.exploitability,
        "iterations": solution.iterations,
        "decisions": tree.decisions,
        "ends": tree.ends,
        "alike": [[codes[face] for face in faces] for faces in setting.classes if len(faces) > 1],
        "strategy": {player: build_strategy_json(solution, seat) for seat, player in enumerate(tree.players)},
    }


def build_strategy_json(solution: Solution, seat: int) -> list[dict[str, object]]:
    from interpreter.gametree.cfr_solver import get_move_probabilities, is_state_reached

    states = solution.tree.sides[seat].states
    return [
        {
            "sees": list(state.visible_piles),
            "heard": list(state.choices),
            "log": list(state.log),
            "moves": dict(zip(state.moves, get_move_probabilities(solution, seat, state), strict=True)),
            "reached": is_state_reached(solution, seat, state),
        }
        for state in states
    ]


# ---------------------------------------------------------------- text output
def format_solution(setting: SolvableGame, solution: Solution, until: float) -> str:
    from interpreter.gametree.sequence_form import describe_classes

    tree, (first, second) = solution.tree, solution.tree.players
    states = sum(len(side.states) for side in tree.sides)
    lines = [
        f"{format_game_title(setting.game, ', ')}: {tree.decisions:,} decisions, {states:,} information states",
        f"  game value for {first} {format_signed(solution.value)}, for {second} "
        f"{format_signed(tree.total - solution.value)}",
        f"  exploitability {solution.exploitability:.5f} after {solution.iterations:,} iterations of CFR+",
    ]
    if solution.exploitability > until:
        lines.append(f"  Not yet below {until:g}; raise --iterations.")
    alike = list(describe_classes(setting.game, setting.classes))
    if alike:
        lines.append(f"  Equivalent cards, counted as one: {', '.join(alike)}.")
    for seat in (0, 1):
        lines += ["", f"{tree.players[seat]}"]
        lines += format_strategy(solution, seat)
    return "\n".join(lines)


def format_signed(value: float) -> str:
    return f"{round(value, 5) + 0.0:+.5f}"


def format_strategy(solution: Solution, seat: int) -> list[str]:
    from interpreter.gametree.cfr_solver import MIN_REACH_PROBABILITY, get_move_probabilities, is_state_reached

    states = solution.tree.sides[seat].states
    if not states:
        return ["  has no decisions."]
    lines = []
    for state, name in zip(
        states[:MAX_PRINTED_STATES], format_state_headings(states[:MAX_PRINTED_STATES]), strict=True
    ):
        chances = get_move_probabilities(solution, seat, state)
        likely = sorted(zip(chances, state.moves, strict=True), key=lambda likely_move: -likely_move[0])
        moves = ", ".join(f"{move} {chance:.3f}" for chance, move in likely if chance >= MIN_REACH_PROBABILITY)
        never = "" if is_state_reached(solution, seat, state) else "  (never reached)"
        lines += [f"  {name}", f"    {moves}{never}"]
    if len(states) > MAX_PRINTED_STATES:
        lines.append(f"  … and {len(states) - MAX_PRINTED_STATES:,} more: --json prints all.")
    return lines


def format_state_headings(states: list[InformationState]) -> list[str]:
    """Return a heading for each information state: the visible cards and the choices so far.

    If two headings are equal, they contain the whole log.
    """
    short = [" ".join([", ".join(state.visible_piles) + ".", *state.choices]) for state in states]
    return [
        name if short.count(name) == 1 else " ".join([", ".join(state.visible_piles) + ".", *state.log])
        for name, state in zip(short, states, strict=True)
    ]
