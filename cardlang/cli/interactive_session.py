"""Interactive match at one terminal, from start to rematch."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING

import click
from attrs import evolve, frozen

from cardlang.cli.error_reports import load_recorded_match, resume_recording
from cardlang.cli.file_arguments import load_game
from cardlang.cli.match_options import Seat, choose_default_bot, choose_seats, format_player_counts, restore_seats
from cardlang.ui.terminal.escaped_output import write_line

if TYPE_CHECKING:
    from cardlang.model import Game
    from cardlang.ui.terminal.session_state import Bot, Session
    from interpreter.bots.equal_response_time import EqualResponseTime
    from interpreter.match.match import Match


def print_results(match: Match) -> None:
    """Print placings and scores, best first, or the shared score, then the winners."""
    from interpreter.narration.game_facts import get_game_facts
    from interpreter.runtime.value_formatting import format_number, join_items

    scores = {
        name: "" if score is None else format_number(score)
        for name, score in zip(match.players, match.scores, strict=True)
    }
    if get_game_facts(match.game).has_common_score:
        write_line(f"All players score {scores[match.players[0]]}.")
    else:
        width = max(map(len, scores))
        for place, name in sorted(zip(match.places, match.players, strict=True), key=lambda placed: placed[0]):
            write_line(f"{place}. {name:{width}}  {scores[name]}".rstrip())
    verb = "share the win" if len(match.winners) > 1 else "wins"
    reached = {scores[name] for name in match.winners}
    score = f" with {reached.pop()}" if len(reached) == 1 and "" not in reached else ""
    write_line(f"{join_items(match.winners)} {verb}{score}." if match.winners else "No one wins.")


# ---------------------------------------------------------------- the match
@frozen
class SeatedMatch:
    """Match and its players."""

    match: Match
    seats: list[Seat]
    has_default_count: bool = False
    """Whether the player count is a default, and the game allows several."""
    timed: bool = True
    """Whether bots think by the clock. With a seed they count playouts, so that the match is repeatable."""


def start_new_match(
    file: str,
    players: int | None,
    seat_options: tuple[str, ...],
    seed: int | None,
    variant: str | None,
    auto: bool,
    language: str | None = None,
) -> SeatedMatch:
    """Start a new match."""
    from interpreter.match.match import start

    game = load_game(file, variant, language=language)
    seats = choose_seats(game, players, seat_options, auto)
    defaulted = players is None and not seat_options and len(game.seats) > 1
    return SeatedMatch(start(game, [seat.name for seat in seats], seed), seats, defaulted, timed=seed is None)


def ask_player_count(seated: SeatedMatch) -> SeatedMatch | None:
    """Ask for the player count on the screen if it is a default, and return the table for it.

    Return None if the person quits.
    """
    from cardlang.ui.terminal.screen.start_screens import ChoiceApp, CountScreen
    from cardlang.ui.terminal.start_options import choose_middle_count
    from interpreter.match.match import start

    if not seated.has_default_count:
        return seated
    game = seated.match.game
    counts = sorted(game.seats)
    at = ChoiceApp(
        CountScreen(
            game.title,
            counts,
            choose_middle_count(counts),
            choose_default_bot(auto=False),
            make_rulebook_renderer(game),
        )
    ).run()
    if at is None:
        return None
    write_line(f"{game.title}: shuffling the cards …", err=True)  # drawing the screen takes a moment
    seats = choose_seats(game, counts[at], (), auto=False)
    return SeatedMatch(start(game, [seat.name for seat in seats]), seats)


def make_rulebook_renderer(game: Game) -> Callable[[], str]:
    """Return a function that renders the rulebook for the table.

    It is cached, because counting odds can take seconds.
    """
    from cardlang.rulebook.render import build_rulebook
    from cardlang.rulebook.render.markdown import render_markdown

    return cache(lambda: render_markdown(build_rulebook(game, examples="few"), at_table=True))


def resume_match(
    path: Path, seat_options: tuple[str, ...], auto: bool, keep_recording: bool, language: str | None = None
) -> SeatedMatch:
    """Resume the match of a record. With `keep_recording`, continue to write to the record."""
    match = resume_recording(path, language) if keep_recording else load_recorded_match(path, language=language)
    return SeatedMatch(match, restore_seats(match.players, seat_options, auto))


def make_bots(seated: SeatedMatch, kind: str | None = None) -> dict[str, Bot]:
    """Create a bot for each seat without a person, each with its own random stream.

    `kind` overrides the chosen kinds.
    """
    from interpreter.bots.bot_players import make_bot

    bots = [(at, seat) for at, seat in enumerate(seated.seats, 1) if not seat.is_person]
    return {seat.name: make_bot(kind or seat.kind, seated.match.seed * 100 + at, seated.timed) for at, seat in bots}


def play_with_rematches(seated: SeatedMatch, plain: bool, record: Path | None = None, autosave: bool = False) -> None:
    """Let people play, and play again for as long as they like.

    `record` is the record of an automatically saved match. With `autosave`, such a record is started if the input is a
    terminal.
    """
    from cardlang.cli import saved_matches

    while True:
        if autosave and record is None and sys.stdin.isatty():
            record = saved_matches.save_match(seated.match, seated.seats)
            unkept = [NOT_SAVED_NOTE] if record is None else []
        else:
            unkept = []
        with close_record_at_end(seated.match), note_saved_match(record):
            again = play_session(seated, plain, record is not None, unkept)
        if record is not None:
            saved_matches.delete_unneeded_match_files(seated.match, record)
        if not again:
            return
        seated, record, autosave = start_rematch(seated), None, autosave or record is not None


def start_rematch(seated: SeatedMatch) -> SeatedMatch:
    """Start another match with the same players."""
    from interpreter.match.match import start

    return evolve(seated, match=start(seated.match.game, list(seated.match.players)), timed=True)


FAST_BOT = "easy"
"""Bot that plays on when the remaining people only wait for the end."""
NOT_SAVED_NOTE = "This match is not saved, because no folder is writable. You can still play it."


def play_session(seated: SeatedMatch, plain: bool, is_saved: bool, notes: Sequence[str] = ()) -> bool:
    """Play a match with people, and return whether they want another.

    Quitting or the end of the input stops the match without a result. `is_saved` means that the match is saved
    automatically. `notes` are shown at the start.
    """
    session = make_session(seated, is_saved)
    session.notes += notes
    if not can_draw_screen(plain):
        from cardlang.ui.terminal.line_mode import play_in_lines

        if seated.has_default_count:
            game = seated.match.game
            session.notes.append(
                f"{game.title} is for {format_player_counts(game)}. Use --players N to change the number."
            )
        session.notes.append(format_welcome(seated))
        play_in_lines(session)
    elif play_on_screen(session):
        return True
    if seated.match.over:
        print_results(seated.match)
    else:
        on = ", ".join([seated.match.game.title, *session.get_table().heading])
        fate = (
            "saved. Run `cardlang` to resume it."
            if seated.match.choices
            else "no one has moved yet, so nothing is saved."
        )
        write_line(f"{on}: {fate if session.is_saved else 'the match stops here.'}", err=True)
    return False


def play_on_screen(session: Session) -> bool:
    """Play a match on the full screen, which shows the result. Return whether the people want another."""
    from cardlang.ui.terminal.screen.card_styles import CardStyles
    from cardlang.ui.terminal.screen.table_app import TableApp

    card_styles = CardStyles(session.match.game, can_print_symbols(sys.stdout.encoding))
    return TableApp(session, card_styles).run() == "again"


def make_session(seated: SeatedMatch, is_saved: bool) -> Session:
    """Create the session that a screen displays."""
    from cardlang.cards import SymbolSet
    from cardlang.rulebook.render import build_player_aid
    from cardlang.rulebook.render.markdown import render_markdown
    from cardlang.ui.terminal.session_state import PageTexts, Session
    from cardlang.ui.terminal.typed_card_names import build_captions

    game, encoding = seated.match.game, sys.stdout.encoding  # while drawing, the screen replaces standard output
    texts = PageTexts(
        rules=make_rulebook_renderer(game),
        aid=cache(lambda: render_markdown(build_player_aid(game), at_table=True)),
        cards=lambda: build_captions(game, SymbolSet(game) if can_print_symbols(encoding) else None),
    )
    hasty = make_bots(seated, FAST_BOT)
    return Session(
        seated.match, make_bots(seated), texts, cache_hint(compute_hint), is_saved, choose_pace(seated), hasty
    )


def choose_pace(seated: SeatedMatch) -> EqualResponseTime | None:
    """Return the timing of bots if a person watches them at a terminal."""
    from interpreter.bots.equal_response_time import build_equal_response_time

    kinds = [seat.kind for seat in seated.seats if not seat.is_person]
    return build_equal_response_time(kinds, 0.0) if kinds and sys.stdout.isatty() else None


def cache_hint(find_hint: Callable[[Match], str]) -> Callable[[Match], str]:
    """Cache the hint for the current position, so that asking again gives the same hint."""
    last: tuple[list[object], str] | None = None

    def get_hint(match: Match) -> str:
        nonlocal last
        if last is None or last[0] != match.choices:
            last = [*match.choices], find_hint(match)
        return last[1]

    return get_hint


def compute_hint(match: Match) -> str:
    """Return a hint: the move that a bot would make, and its reasons."""
    from interpreter.bots.hints import find_hint
    from interpreter.native.background_engine_builds import get_engine_if_ready

    assert match.decision is not None
    return find_hint(match, match.decision.player, engines=get_engine_if_ready).full_text


def can_draw_screen(plain: bool) -> bool:
    """Return whether to draw on the full screen of a terminal."""
    return not plain and sys.stdout.isatty() and sys.stdin.isatty() and os.environ.get("TERM") != "dumb"


def can_print_symbols(encoding: str) -> bool:
    """Return whether an encoding, such as that of the terminal, has the symbols of cards."""
    from cardlang.cards.suit_and_card_drawings import SHAPE_CHARACTERS, SUIT_CHARACTERS
    from cardlang.ui.terminal.screen.card_styles import BACK_SYMBOL

    try:
        "".join([SHAPE_CHARACTERS, BACK_SYMBOL, *SUIT_CHARACTERS.values()]).encode(encoding)
    except (UnicodeEncodeError, LookupError):
        return False
    return True


@contextmanager
def note_saved_match(record: Path | None) -> Iterator[None]:
    """Add a note about the record of an automatically saved match to an internal error."""
    try:
        yield
    except Exception as fault:
        if record is not None:
            fault.add_note(f"The match is saved in {record}. Run `cardlang` to resume it.")
        raise


@contextmanager
def close_record_at_end(match: Match) -> Iterator[None]:
    """Close the record at the end. If writing it fails, print how to resume the match."""
    from interpreter.runtime.errors import RecordingError

    try:
        yield
    except RecordingError as error:
        raise click.ClickException(f"{error} The match stops here. Resume it with --resume {error.path}") from error
    finally:
        match.close()


def format_welcome(seated: SeatedMatch) -> str:
    """Return `You are Ann; Bob and Cat are bots. Type ? for help.`"""
    from interpreter.runtime.value_formatting import join_items

    people = [seat.name for seat in seated.seats if seat.is_person]
    bots = [seat.name for seat in seated.seats if not seat.is_person]
    who = f"You are {people[0]}" if len(people) == 1 else f"{join_items(people)} share this screen"
    against = f"; {join_items(bots)} {'is a bot' if len(bots) == 1 else 'are bots'}" if bots else ""
    return f"{who}{against}. Type ? for help."
