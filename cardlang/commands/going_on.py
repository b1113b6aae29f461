"""Offer to resume an unfinished match of the same game before a new one begins."""

from __future__ import annotations

import time
from pathlib import Path

import click

from cardlang.commands import keeping
from cardlang.commands.running import go_on_with_record
from cardlang.commands.sitting import Table, rules_of
from cardlang.game import Game
from cardlang.terminal.telling import tell

NEW = "New game"
GO_ON = ("Resume", NEW)
CHANGED = (NEW, "Resume with the old rules")
"""Answers if the rules have changed. The default comes first."""


def taken_up(table: Table, same_seats: bool) -> tuple[Table, Path] | None:
    """Offer to resume the latest unfinished match of this game and variant; return it with its record.

    Return None if there is none, or if the person wants a new match. Leave the command if the person quits. With
    `same_seats`, only a match with the same people and bots is offered.
    """
    from interpreter.errors import RecordError, RecordingError

    game = table.match.game
    for kept in keeping.going_on():
        same = (kept.title, kept.variant) == (game.title, game.variant or "")
        if not same or (same_seats and list(kept.seats) != table.seats):
            continue
        try:
            match = go_on_with_record(kept.record)
        except (RecordError, RecordingError, click.UsageError):
            continue  # another process plays it, or it cannot be read: start a new match
        changed = match.game != game
        wanted = wants(match.game, f"{told(kept)}{' (the rules have changed since)' if changed else ''}.", changed)
        if wanted:
            return Table(match, list(kept.seats)), kept.record
        match.close()
        if wanted is None:
            raise click.exceptions.Exit
        tell("Starting a new match. Run `cardlang` to list your unfinished matches.")
        return None
    return None


def wants(game: Game, said: str, changed: bool) -> bool | None:
    """Ask whether to resume a match, and return None if the person quits.

    `said` describes the match. `changed`: its rules differ from the file's.
    """
    from cardlang.terminal.screen.counting import ChoiceApp, ChoiceScreen

    answers = CHANGED if changed else GO_ON
    at = ChoiceApp(ChoiceScreen(said, "Resume this match?", answers, 0, rules_of(game))).run()
    return None if at is None else answers[at] != NEW


def told(kept: keeping.Kept) -> str:
    """Return a description such as `You left a match of Hearts 5 minutes ago`."""
    from cardlang.commands.home import ago

    variant = f" ({kept.variant})" if kept.variant else ""
    return f"You left a match of {kept.title}{variant} {ago(time.time() - kept.played)}"
