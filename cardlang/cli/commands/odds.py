"""Command `cardlang odds`: exact odds of a definition's values."""

from __future__ import annotations

from fractions import Fraction
from math import floor, log10
from typing import TYPE_CHECKING

import click

from cardlang.cli import match_options
from cardlang.cli.error_reports import report_rule_errors
from cardlang.cli.file_arguments import format_game_title, load_game
from cardlang.cli.parallel_jobs import show_progress
from cardlang.english.control_characters import escape_invisible_characters, render_json
from cardlang.ui.terminal.escaped_output import format_rows, write_line, write_lines

if TYPE_CHECKING:
    from cardlang.model import Game, Value
    from interpreter.gametree.hand_value_odds import HandOdds


@click.command(
    epilog=match_options.format_examples(
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
@match_options.variant_option
@match_options.json_option
@click.option("--keep", is_flag=True, help="Save the counts of a ranking for the rulebook.")
def print_hand_odds(
    file: str,
    definition: str,
    given: str,
    cards: str,
    source: str | None,
    variant: str | None,
    as_json: bool,
    keep: bool,
) -> None:
    """Calculate the exact odds of hands.

    DEFINITION is a ranking, or a definition of a player or of cards. It is evaluated for Ann, the first player.
    Without --cards, a ranking gets the cards it needs."""
    game = load_game(file, variant)
    with report_rule_errors():
        odds = count_odds(game, definition, given, cards, source)
    if as_json:
        write_lines(render_json(build_odds_json(game, definition, given, odds)))
    else:
        write_lines(format_odds(game, definition, given, odds))
    if keep:
        save_rank_counts(game, file, definition, bool(given or cards or source), odds)


def count_odds(game: Game, definition: str, given: str, cards: str, source: str | None) -> HandOdds:
    """Count the hands, and show the progress on a terminal. Raise a usage error if they cannot be counted."""
    from interpreter.gametree.hand_odds_query import OddsError
    from interpreter.gametree.hand_value_odds import count_values

    try:
        with show_progress() as show:
            return count_values(
                game, definition, given, cards, source,
                lambda done, kinds: show(f"{definition}: {done:,} of {kinds:,} hands evaluated"),
            )  # fmt: skip
    except OddsError as error:
        raise click.UsageError(str(error)) from error


def save_rank_counts(game: Game, file: str, definition: str, special: bool, odds: HandOdds) -> None:
    """Save the counts in `odds.json` next to the game file."""
    from cardlang.cli.file_arguments import require_game_file, write_text
    from cardlang.model.rank_frequencies import ODDS_FILE_NAME, render_odds_file

    if definition not in game.rankings or special:
        raise click.UsageError("--keep takes the name of a ranking, without --given, --cards or --from.")
    path = require_game_file(file).with_name(ODDS_FILE_NAME)
    counts = {title: number for title, number in odds.counts.items() if title is not None}
    write_text(path, render_odds_file(path, game, game.rankings[definition], counts, odds.hands), "json")
    write_line(f"saved in {path}", err=True)


# ---------------------------------------------------------------- JSON output
def build_odds_json(game: Game, definition: str, given: str, odds: HandOdds) -> dict[str, object]:
    return {
        "game": game.title,
        "variant": game.variant,
        "definition": definition,
        "given": given,
        "cards": dict(odds.cards),
        "deck": odds.deck,
        "hands": odds.hands,
        "worked_out": odds.evaluated_hands,
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
def format_odds(game: Game, definition: str, given: str, odds: HandOdds) -> str:
    from cardlang.model.rank_frequencies import format_one_in_n

    dealt = ", ".join(f"{zone} {number}" for zone, number in odds.cards.items())
    if len(odds.cards) == 1:
        dealt = str(next(iter(odds.cards.values())))
    lines = [f"{format_game_title(game, ', ')}: {definition} in {odds.hands:,} hands ({dealt} of {odds.deck} cards)"]
    if given:
        lines.append(f"given {escape_invisible_characters(given)}")
    decimals = count_decimals(odds)
    rows = [("", "hands", "share", "one in")]
    for value, number in odds.counts.items():
        share = f"{100 * number / odds.hands:.{decimals}f}%"
        rows.append((format_value(value), f"{number:,}", share, format_one_in_n(odds.hands, number)))
    return "\n".join([*lines, *format_rows(rows, "<>>>")])


def format_value(value: Value) -> str:
    from interpreter.runtime.value_formatting import format_number

    if value is None:
        return "(none)"
    if isinstance(value, bool):
        return "yes" if value else "no"
    return value if isinstance(value, str) else format_number(value)


def count_decimals(odds: HandOdds) -> int:
    """Return the number of decimals that shows the smallest share with two significant digits."""
    least = min((number for number in odds.counts.values() if number), default=1)
    return min(12, max(2, 1 - floor(log10(100 * least / odds.hands))))
