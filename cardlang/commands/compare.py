"""`cardlang compare`: compare how two games, or a game and its variant, play."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import click

from cardlang.commands import options
from cardlang.commands.files import load_game
from cardlang.commands.options import Wanted
from cardlang.commands.rules import rules_of
from cardlang.commands.seats import checked_count, player_counts

if TYPE_CHECKING:
    from cardlang.game import Game


@click.command(
    epilog=options.examples(
        'compare tall_card --variant "Short game" --players 4 --games 500',
        "compare my_game my_game_2 --games 2000 --report changes.html",
    )
)
@click.argument("first", metavar="FILE")
@click.argument("second", metavar="[OTHER]", required=False)
@click.option("--variant", metavar="TITLE", help="Variant to use; without OTHER, compare FILE with this variant.")
@options.wanted(
    games=1000,
    players="every count that both games allow",
    engine="Engine of bots that think: compiled C, or Python.",
    report="HTML file for the comparison.",
)
def command(first: str, second: str | None, variant: str | None, wanted: Wanted) -> None:
    """Compare how two games or variants play.

    Bots play both with the same seeds in the same seats. Prints each difference with its confidence interval and a
    verdict."""
    from cardlang.commands.lab import PairRun
    from cardlang.commands.reporting import seatings, tell_comparison, thinks_natively, workers

    if second is None and variant is None:
        raise click.UsageError("Name a second game, or a --variant of the first.")
    one = load_game(first, variant if second is not None else None)
    other = load_game(first if second is None else second, variant)
    counts = counts_of(one, other, wanted.players, bool(wanted.seats))
    rules, others = rules_of(one, first), rules_of(other, first if second is None else second)
    seated = list(seatings(one, counts, wanted))
    for seating in seated:
        checked_count(other, len(seating))
    native = thinks_natively([one, other], seated, wanted.engine)
    runs = [PairRun(rules, seating, wanted.seed, wanted.cap, 0, wanted.games, native, others) for seating in seated]
    tell_comparison(one, other, runs, workers(wanted, ((rules, one), (others, other))), wanted)


def counts_of(one: Game, other: Game, players: int | None, seated: bool) -> Sequence[int | None]:
    """Return the player counts to compare. Raise a usage error if the games have none in common."""
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
