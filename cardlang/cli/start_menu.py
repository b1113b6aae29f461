"""Start menu: choice of a game, and offers to resume saved matches."""

from __future__ import annotations

import re
import time
from collections.abc import Iterator, Sequence
from pathlib import Path

import click

import cardlang
from cardlang.cli import saved_matches
from cardlang.cli.error_reports import report_rule_errors, resume_recording
from cardlang.cli.file_arguments import list_games_here
from cardlang.cli.interactive_session import (
    SeatedMatch,
    can_draw_screen,
    make_rulebook_renderer,
    play_with_rematches,
    start_new_match,
)
from cardlang.cli.match_options import BOT_KINDS, DEFAULT_BOT, DEFAULT_NAMES
from cardlang.cli.saved_matches import SavedMatch
from cardlang.diagnostics.source_limits import MAX_BYTES
from cardlang.model import Game
from cardlang.storage import read_file_start
from cardlang.ui.terminal.escaped_output import write_line
from cardlang.ui.terminal.start_options import StartChoice, StartOption

HEADER_PATTERN = re.compile(
    r'^game "(?P<title>[^"\n]+)" for (?P<low>\d{1,4}+)'
    r"(?: to (?P<high>\d{1,4}+)|(?P<others>(?:, \d{1,4}+)* or \d{1,4}+))?"
    r' players?(?P<pitch>(?:\s+"[^"\n]*")*)',
    re.M,
)
"""Pattern of the first line of a game file, faster than the parser."""
MAX_PLAYER_COUNTS = 20
"""Maximum number of player counts offered for a game."""
VARIANT_PATTERN = re.compile(r'^variant "([^"\n]+)"', re.M)
AGE_UNITS = ((90, "just now", 1), (5400, "{} minutes ago", 60), (129_600, "{} hours ago", 3600))


def run_start_menu() -> None:
    """Let the user choose and play matches on a full-screen terminal, or list games and matches elsewhere."""
    if not can_draw_screen(plain=False):
        print_games_and_matches()
        return
    from cardlang.ui.terminal.screen.start_screens import HomeApp

    while True:
        matches = {str(unfinished.record): unfinished for unfinished in saved_matches.find_unfinished_matches()}
        choice = HomeApp(
            [*map(build_resume_offer, matches.values())], list(find_offered_games()), BOT_KINDS, DEFAULT_BOT
        ).run()
        if choice is None:
            return
        with report_rule_errors():
            if choice.players:
                play_with_rematches(start_chosen_match(choice), plain=False, autosave=True)
            else:
                saved = matches[choice.offer.name]
                play_with_rematches(
                    SeatedMatch(resume_recording(saved.record), list(saved.seats)), plain=False, record=saved.record
                )


def start_chosen_match(choice: StartChoice) -> SeatedMatch:
    """Start the chosen match. The person takes the first seat."""
    names = DEFAULT_NAMES[: choice.players]
    seats = tuple(f"{name}={'you' if name == names[0] else choice.bot}" for name in names)
    return start_new_match(choice.offer.name, choice.players, seats, None, choice.variant or None, auto=False)


def print_games_and_matches() -> None:
    """Print the unfinished matches and the games, one a line."""
    for saved in saved_matches.find_unfinished_matches():
        offer = build_resume_offer(saved)
        rules = " with the old rules" if offer.is_outdated else ""
        write_line(f"Resume {offer.title}{rules}, {offer.detail}: cardlang play --resume {saved.record}")
    for offer in find_offered_games():
        write_line(f"{offer.name}: {offer.title}, {offer.detail}")
    write_line("Play a game: cardlang play NAME. List all commands: cardlang --help")


# ---------------------------------------------------------------- games and saved matches
def find_offered_games() -> Iterator[StartOption]:
    """Yield the games of the working folder, then the bundled games."""
    local_games = [str(path) for path in list_games_here()]
    for name, path in [*((name, Path(name)) for name in local_games), *cardlang.shipped().items()]:
        try:
            text = read_file_start(path, MAX_BYTES).decode("utf-8", "replace")
        except OSError:
            continue
        head = HEADER_PATTERN.search(text)
        if head is not None and (players := parse_player_counts(head)):
            words = " ".join(re.findall(r'"([^"\n]*)"', head["pitch"]))
            yield StartOption(name, head["title"], words, players, tuple(VARIANT_PATTERN.findall(text)))


def parse_player_counts(head: re.Match[str]) -> tuple[int, ...]:
    """Return the player counts of a game, at most `MAX_PLAYER_COUNTS`."""
    low, high, others = int(head["low"]), head["high"], re.findall(r"\d+", head["others"] or "")
    if high:
        return tuple(range(low, int(high) + 1)[:MAX_PLAYER_COUNTS])
    return (low, *map(int, others[: MAX_PLAYER_COUNTS - 1]))


def build_resume_offer(saved: SavedMatch) -> StartOption:
    others = [seat.name for seat in saved.seats if not seat.is_person]
    people = [seat.name for seat in saved.seats if seat.is_person]
    who = ", ".join(people) + (f" against {', '.join(others)}" if others else "")
    variant = f" ({saved.variant})" if saved.variant else ""
    when = "open in another window" if saved.busy else format_age(time.time() - saved.last_played)
    return StartOption(
        str(saved.record), saved.title + variant, f"{who}, {when}", is_outdated=saved_matches.has_old_rules(saved)
    )


def format_age(seconds: float) -> str:
    """Return `5 minutes ago`."""
    for most, words, unit in AGE_UNITS:
        if seconds < most:
            return words.format(round(seconds / unit))
    return f"{round(seconds / 86_400)} days ago"


# ---------------------------------------------------------------- offers to resume
NEW_GAME = "New game"
RESUME_ANSWERS = ("Resume", NEW_GAME)
CHANGED_RULES_ANSWERS = (NEW_GAME, "Resume with the old rules")
"""Answers if the rules have changed. The default comes first."""


def offer_to_resume(
    table: SeatedMatch, same_seats: bool, plain: bool, language: str | None = None
) -> tuple[SeatedMatch, Path] | None:
    """Offer to resume the latest unfinished match of this game and variant; return it with its record.

    Return None if there is none, or if the person wants a new match. Leave the command if the person quits. With
    `same_seats`, only a match with the same people and bots is offered. `plain`: ask in lines of text.
    """
    from interpreter.runtime.errors import RecordError, RecordingError

    game = table.match.game
    for saved in saved_matches.find_unfinished_matches():
        same = (saved.title, saved.variant) == (game.untranslated.title, game.variant or "")
        if not same or (same_seats and list(saved.seats) != table.seats):
            continue
        try:
            match = resume_recording(saved.record, language)
        except (RecordError, RecordingError, click.UsageError):
            continue  # another process plays it, or it cannot be read: start a new match
        changed = match.game != game
        variant = f" ({saved.variant})" if saved.variant else ""
        age, note = format_age(time.time() - saved.last_played), " (the rules have changed since)" if changed else ""
        answer = ask_to_resume(match.game, f"You left a match of {saved.title}{variant} {age}{note}.", changed, plain)
        if answer:
            return SeatedMatch(match, list(saved.seats)), saved.record
        match.close()
        if answer is None:
            raise click.exceptions.Exit
        write_line("That match stays saved. Run `cardlang` to list your unfinished matches.")
        return None
    return None


def ask_to_resume(game: Game, description: str, rules_changed: bool, plain: bool) -> bool | None:
    """Ask whether to resume a match, and return None if the person quits.

    `description` describes the match. `rules_changed`: its rules differ from the file's. `plain`: ask in lines of text.
    """
    question, answers = "Resume this match?", CHANGED_RULES_ANSWERS if rules_changed else RESUME_ANSWERS
    if plain:
        at = ask_by_number(f"{description} {question}", answers)
    else:
        from cardlang.ui.terminal.screen.start_screens import ChoiceApp, ChoiceScreen

        at = ChoiceApp(ChoiceScreen(description, question, answers, 0, make_rulebook_renderer(game))).run()
    return None if at is None else answers[at] != NEW_GAME


def ask_by_number(question: str, answers: Sequence[str]) -> int | None:
    """Ask for an answer by its number, and return its index. Return None for `q`, or at the end of the input."""
    from cardlang.ui.terminal.line_mode import prompt_line

    for line in (question, *(f"{number}: {answer}" for number, answer in enumerate(answers, 1))):
        write_line(line)
    while (typed := prompt_line("Number [1]: ")) is not None:
        number = typed.strip().lower() or "1"
        if number in ("q", "quit"):
            return None
        if re.fullmatch(r"\d{1,4}", number) and 1 <= int(number) <= len(answers):
            return int(number) - 1
        write_line(f"Type a number from 1 to {len(answers)}, or q to quit.")
    return None
