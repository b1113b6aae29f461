"""Command `cardlang compare`: differences in how two games play."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import click

from cardlang.cli import match_options
from cardlang.cli.file_arguments import load_game
from cardlang.cli.match_options import SimulationOptions, check_player_count, format_player_counts
from cardlang.cli.parallel_jobs import choose_executor, register_game

if TYPE_CHECKING:
    from cardlang.model import Game


@click.command(
    epilog=match_options.format_examples(
        'compare tall_card --variant "Short game" --players 4 --games 500',
        "compare my_game my_game_2 --games 2000 --report changes.html",
    )
)
@click.argument("first", metavar="FILE")
@click.argument("second", metavar="[OTHER]", required=False)
@click.option("--variant", metavar="TITLE", help="Variant to use; without OTHER, compare FILE with this variant.")
@match_options.add_simulation_options(
    games=1000,
    players="every count that both games allow",
    engine="Engine for bots that run playouts: compiled C, or Python.",
    report="HTML file for the comparison.",
)
def compare_play(first: str, second: str | None, variant: str | None, options: SimulationOptions) -> None:
    """Compare how two games or variants play.

    Bots play both with the same seeds in the same seats. Prints each difference with its confidence interval and a
    verdict."""
    from cardlang.cli.balance_runs import build_seatings, can_search_natively, run_comparison_report
    from cardlang.cli.match_runs import PairRun

    if second is None and variant is None:
        raise click.UsageError("Name a second game, or a --variant of the first.")
    one = load_game(first, variant if second is not None else None)
    other = load_game(first if second is None else second, variant)
    counts = choose_player_counts(one, other, options.players, bool(options.seats))
    rules, others = register_game(one, first), register_game(other, first if second is None else second)
    seated = list(build_seatings(one, counts, options))
    for seating in seated:
        check_player_count(other, len(seating))
    native = can_search_natively([one, other], seated, options.engine)
    runs = [PairRun(rules, seating, options.seed, options.cap, 0, options.games, native, others) for seating in seated]
    executor = choose_executor(options.jobs, options.cluster, [(rules, one), (others, other)])
    run_comparison_report(one, other, runs, executor, options)


def choose_player_counts(first: Game, second: Game, players: int | None, has_seats: bool) -> Sequence[int | None]:
    """Return the player counts to compare. Raise a usage error if the games have none in common."""
    if players is not None:
        return [check_player_count(second, check_player_count(first, players))]
    if has_seats:
        return [None]
    both = sorted(set(first.seats) & set(second.seats))
    if not both:
        raise click.UsageError(
            f"{first.title} is for {format_player_counts(first)} and {second.title} for "
            f"{format_player_counts(second)}: "
            "they cannot be compared."
        )
    return both
