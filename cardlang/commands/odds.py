"""`cardlang odds`: count the hands that have each value of a definition."""

from __future__ import annotations

import sys
from fractions import Fraction
from math import floor, log10
from typing import TYPE_CHECKING

import click

from cardlang.commands import options
from cardlang.commands.files import load_game
from cardlang.commands.running import rules_at_fault
from cardlang.plain_text import json_text, visible
from cardlang.terminal.telling import forget_progress, tell, tell_lines, tell_progress

if TYPE_CHECKING:
    from cardlang.game import Game, Value
    from interpreter.odds.counting import Odds


@click.command(
    epilog=options.examples(
        "odds texas_holdem Combination",
        'odds tall_card strength --given "tall [Tp], claimer Ann"',
        'odds cribbage flush --cards "hand 4, starter 1"',
    )
)
@click.argument("file")
@click.argument("definition")
@click.option("--given", default="", help="Position to start from, written as in an example.")
@click.option("--cards", default="", help='Cards to deal: 5, or by zone "hand 4, starter 1".')
@click.option("--from", "source", metavar="ZONE", help="Zone to deal from, if the game does not say.")
@options.variant
@options.as_json
@click.option("--keep", is_flag=True, help="Save the counts of a ranking for the rulebook.")
def command(
    file: str,
    definition: str,
    given: str,
    cards: str,
    source: str | None,
    variant: str | None,
    as_json: bool,
    keep: bool,
) -> None:
    """Count the exact odds of hands.

    DEFINITION is a ranking, or a definition of a player or of cards. It is evaluated for Ann, the first player.
    Without --cards, a ranking gets the cards it needs."""
    game = load_game(file, variant)
    with rules_at_fault():
        odds = counted(game, definition, given, cards, source)
    if as_json:
        tell_lines(json_text(data(game, definition, given, odds)))
    else:
        tell_lines(text(game, definition, given, odds))
    if keep:
        keep_ranks(game, file, definition, bool(given or cards or source), odds)


def counted(game: Game, definition: str, given: str, cards: str, source: str | None) -> Odds:
    """Count the hands, and show the progress on a terminal. Raise a usage error if they cannot be counted."""
    from interpreter.odds.counting import count_values
    from interpreter.odds.question import OddsError

    def progress(done: int, kinds: int) -> None:
        tell_progress(f"{definition}: {done:,} of {kinds:,} hands evaluated")

    told = sys.stderr.isatty()
    try:
        odds = count_values(game, definition, given, cards, source, progress if told else None)
    except OddsError as error:
        raise click.UsageError(str(error)) from error
    if told:
        forget_progress()
    return odds


def keep_ranks(game: Game, file: str, definition: str, special: bool, odds: Odds) -> None:
    """Save the counts in `odds.json` next to the game file."""
    from cardlang.commands.files import find_game, write_text
    from cardlang.rarity import KEPT, with_counts

    if definition not in game.rankings or special:
        raise click.UsageError("--keep takes the name of a ranking, without --given, --cards or --from.")
    path = find_game(file).with_name(KEPT)
    counts = {title: number for title, number in odds.counts.items() if title is not None}
    write_text(path, with_counts(path, game, game.rankings[definition], counts, odds.hands), "json")
    tell(f"saved in {path}", err=True)


# ---------------------------------------------------------------- JSON output
def data(game: Game, definition: str, given: str, odds: Odds) -> dict[str, object]:
    return {
        "game": game.title,
        "variant": game.variant,
        "definition": definition,
        "given": given,
        "cards": dict(odds.cards),
        "deck": odds.deck,
        "hands": odds.hands,
        "worked_out": odds.kinds,
        "values": [
            {
                "value": str(value) if isinstance(value, Fraction) else value,
                "count": number,
                "share": number / odds.hands,
                "one_in": odds.hands / number if number else None,
            }
            for value, number in odds.counts.items()
        ],
    }


# ---------------------------------------------------------------- text output
def text(game: Game, definition: str, given: str, odds: Odds) -> str:
    from cardlang.rarity import one_in

    title = game.title if game.variant is None else f"{game.title}, {game.variant}"
    dealt = ", ".join(f"{zone} {number}" for zone, number in odds.cards.items())
    if len(odds.cards) == 1:
        dealt = str(next(iter(odds.cards.values())))
    lines = [f"{title}: {definition} in {odds.hands:,} hands ({dealt} of {odds.deck} cards)"]
    if given:
        lines.append(f"given {visible(given)}")
    places = decimals(odds)
    rows = [("", "hands", "share", "one in")]
    for value, number in odds.counts.items():
        share = f"{100 * number / odds.hands:.{places}f}%"
        rows.append((label(value), f"{number:,}", share, one_in(odds.hands, number)))
    widths = [max(len(row[column]) for row in rows) for column in range(4)]
    for name, *figures in rows:
        cells = [figure.rjust(width) for figure, width in zip(figures, widths[1:], strict=True)]
        lines.append("  ".join(["", name.ljust(widths[0]), *cells]))
    return "\n".join(lines)


def label(value: Value) -> str:
    from interpreter.matches.names import exact

    if value is None:
        return "(none)"
    if isinstance(value, bool):
        return "yes" if value else "no"
    return value if isinstance(value, str) else exact(value)


def decimals(odds: Odds) -> int:
    """Return the number of decimals that shows the smallest share with two significant digits."""
    least = min((number for number in odds.counts.values() if number), default=1)
    return min(12, max(2, 1 - floor(log10(100 * least / odds.hands))))
