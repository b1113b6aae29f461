"""`cardlang compare`: how two games, or a game and its variant, play differently."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import click

from cardlang.commands.files import load_game
from cardlang.commands.rules import rules_of
from cardlang.commands.seats import BOTS, checked_count, player_counts, seed_number

if TYPE_CHECKING:
    from cardlang.game import Game


@click.command()
@click.argument("first", metavar="FILE")
@click.argument("second", metavar="[OTHER]", required=False)
@click.option("--variant", help="Both games with this variant; without OTHER, the game and its variant.")
@click.option("--games", type=click.IntRange(1), default=1000, show_default=True, help="How many matches of each.")
@click.option("--players", type=int, help="For so many players; every number that both take if not given.")
@click.option("--seed", type=seed_number, metavar="INTEGER", default=1, show_default=True, help="Of the first match.")
@click.option("--bot", type=click.Choice(BOTS), default="random", show_default=True)
@click.option("--seat", "seats", multiple=True, metavar="NAME=BOT", help="Who plays, wherever they sit.")
@click.option("--cap", type=click.IntRange(1), default=10_000, show_default=True, help="Most decisions in a match.")
@click.option("--jobs", type=click.IntRange(1, 64), default=1, show_default=True, help="Processes at work at once.")
@click.option(
    "--engine",
    type=click.Choice(["auto", "native", "python"]),
    default="auto",
    show_default=True,
    help="What bots think in: machine code, where something makes it, or Python.",
)
@click.option("--cluster", metavar="ADDRESS", help="Let the workers of a Dask scheduler play.")
@click.option("--report", type=click.Path(path_type=Path), help="Write a page of HTML about the differences.")
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object.")
def command(
    first: str, second: str | None, variant: str | None, games: int, players: int | None, seed: int, bot: str,
    seats: tuple[str, ...], cap: int, jobs: int, engine: str, cluster: str | None, report: Path | None, as_json: bool,
) -> None:  # fmt: skip
    """Let bots play two games, or a game and its variant, and tell how they differ.

    Match by match both are played with the same seed, from the same seats: what chance does is alike, as far as the
    rules are. Each difference comes with an interval, and with a verdict in words."""
    from cardlang.commands.lab import PairRun
    from cardlang.commands.reporting import seatings, tell_comparison, thinks_natively, workers

    if second is None and variant is None:
        raise click.UsageError("Name a second game, or a --variant of the first.")
    one = load_game(first, variant if second is not None else None)
    other = load_game(first if second is None else second, variant)
    counts = counts_of(one, other, players, bool(seats))
    rules, others = rules_of(one, first), rules_of(other, first if second is None else second)
    seated = list(seatings(one, counts, seats, bot))
    for seating in seated:
        checked_count(other, len(seating))
    native = thinks_natively([one, other], seated, engine)
    runs = [PairRun(rules, seating, seed, cap, 0, games, native, others) for seating in seated]
    work = workers(jobs, cluster, ((rules, one), (others, other)))
    tell_comparison(one, other, runs, work, report, as_json)


def counts_of(one: Game, other: Game, players: int | None, seated: bool) -> Sequence[int | None]:
    """The numbers of players. Raises a usage error where the games have none in common."""
    if players is not None:
        return [checked_count(other, checked_count(one, players))]
    if seated:
        return [None]
    both = sorted(set(one.seats) & set(other.seats))
    if not both:
        raise click.UsageError(
            f"{one.title} is for {player_counts(one)} and {other.title} for {player_counts(other)}: "
            "they cannot be compared."
        )
    return both
