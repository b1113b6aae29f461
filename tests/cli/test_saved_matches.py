"""Automatically saved matches, and `cardlang` without arguments."""

import io
import os
import sys
from pathlib import Path

import click
import pytest
from click.testing import CliRunner

import cardlang
from cardlang.cli import interactive_session, saved_matches, start_menu
from cardlang.cli.error_reports import resume_recording
from cardlang.cli.interactive_session import SeatedMatch
from cardlang.cli.match_options import Seat
from cardlang.cli.start_menu import build_resume_offer, find_offered_games, print_games_and_matches
from cardlang.ui.terminal.screen.start_screens import ChoiceApp
from interpreter.match.match import Match
from interpreter.runtime.errors import RecordingError
from tests.cli.conftest import DUEL, Run

SEATS = [Seat("Ann", "you"), Seat("Bob", "steady")]


@pytest.fixture
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path))
    return tmp_path / "cardlang" / "matches"


@pytest.fixture
def match(home: Path) -> Match:
    found = cardlang.loads(DUEL).start(["Ann", "Bob"], 1)
    assert isinstance(found, Match)
    return found


def test_saved_match_resumes_where_it_stopped(match: Match) -> None:
    path = saved_matches.save_match(match, SEATS)
    match.choose(0)
    match.close()
    (kept,) = saved_matches.find_unfinished_matches()
    assert kept.title == "Duel" and list(kept.seats) == SEATS and kept.record == path
    assert resume_recording(kept.record) == match


def test_match_open_elsewhere_is_reported(match: Match) -> None:
    """Who has a record open for writing keeps it from everybody else."""
    saved_matches.save_match(match, SEATS)
    match.choose(0)
    (kept,) = saved_matches.find_unfinished_matches()
    assert kept.busy and build_resume_offer(kept).detail == "Ann against Bob, open in another window"
    match.close()
    (kept,) = saved_matches.find_unfinished_matches()
    assert not kept.busy and "window" not in build_resume_offer(kept).detail


@pytest.mark.parametrize(
    ("choices", "told"),
    [(0, "no one has moved yet, so nothing is saved."), (1, "saved. Run `cardlang` to resume it.")],
)
def test_leaving_a_match_says_whether_it_was_saved(
    choices: int, told: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    match = cardlang.load("go_fish").start(["Ann", "Bob"], 1)
    assert isinstance(match, Match)
    for _ in range(choices):
        match.choose(0)
    monkeypatch.setattr(sys, "stdin", io.StringIO("quit\n"))
    interactive_session.play_session(SeatedMatch(match, SEATS), plain=True, is_saved=True)
    assert capsys.readouterr().err.endswith(f": {told}\n")


def test_finished_and_unstarted_matches_are_not_kept(match: Match) -> None:
    path = saved_matches.save_match(match, SEATS)
    assert path is not None
    while not match.over:
        match.choose(0)
    match.close()
    saved_matches.delete_unneeded_match_files(match, path)
    assert saved_matches.find_unfinished_matches() == [] and saved_matches.find_latest_record() == path
    fresh = cardlang.loads(DUEL).start(["Ann", "Bob"], 2)
    assert isinstance(fresh, Match)
    other = saved_matches.save_match(fresh, SEATS)
    assert other is not None
    fresh.close()
    saved_matches.delete_unneeded_match_files(fresh, other)
    assert not other.exists()


@pytest.mark.skipif(os.name == "nt", reason="modes differ")
def test_saved_matches_are_private(match: Match, home: Path) -> None:
    saved_matches.save_match(match, SEATS)
    assert home.stat().st_mode & 0o077 == 0 and all(path.stat().st_mode & 0o077 == 0 for path in home.iterdir())
    home.chmod(0o755)
    assert saved_matches.save_match(match, SEATS) is None and saved_matches.find_unfinished_matches() == []


def test_match_without_saved_seats_is_removed(match: Match, home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The record found room, and what lies beside it did not: the match is played without, to its end."""

    def full(*_: object) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(saved_matches.storage, "replace_file", full)
    assert saved_matches.save_match(match, SEATS) is None and os.listdir(home) == []
    assert match._recorder is None


@pytest.mark.parametrize(
    "head", ["5 to 2 players", "2 to 99999999999999 players", f"{'9' * 5000} players", f"2 to {'9' * 5000} players"],
    ids=lambda head: head[:20],
)  # fmt: skip
def test_invalid_player_counts_are_not_listed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, head: str) -> None:
    """What lies in the working folder may be anybody's."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / "odd.cardgame").write_text(f'game "Odd" for {head}\n')
    (tmp_path / "many.cardgame").write_text('game "Many" for 2 to 999 players\n')
    listed = {offer.name: offer.players for offer in find_offered_games()}
    assert "odd.cardgame" not in listed and listed["many.cardgame"] == tuple(range(2, 22))


@pytest.mark.skipif(sys.platform == "win32", reason="a folder in use stays")
def test_deleted_working_folder_is_not_an_error(
    run: Run, home: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "gone").mkdir()
    monkeypatch.chdir(tmp_path / "gone")
    (tmp_path / "gone").rmdir()
    assert run().exit_code == 0
    assert run("play", "kuhn_poker", "--auto", "--seed", "1").exit_code == 0


def test_unwritable_save_folder_is_not_an_error(match: Match, home: Path) -> None:
    home.parent.write_text("in the way")
    assert (
        saved_matches.save_match(match, SEATS) is None
        and saved_matches.find_unfinished_matches() == []
        and saved_matches.find_latest_record() is None
    )


@pytest.mark.parametrize("told", ["", "[]", '{"title": 1}', '{"title": "A", "variant": "", "seats": 3}', "[" * 9000])
def test_malformed_seats_are_ignored(match: Match, told: str) -> None:
    path = saved_matches.save_match(match, SEATS)
    assert path is not None
    path.with_suffix(saved_matches.SEATS_SUFFIX).write_text(told)
    assert saved_matches.find_unfinished_matches() == []


@pytest.mark.skipif(sys.platform == "win32", reason="there are no such pipes")
def test_pipe_is_not_a_saved_match(match: Match) -> None:
    path = save_unfinished_match(match)
    path.unlink()
    os.mkfifo(path)
    other = os.open(path, os.O_RDWR)  # so that nobody waits
    try:
        assert saved_matches.find_unfinished_matches() == []
    finally:
        os.close(other)


@pytest.mark.skipif(sys.platform == "win32", reason="locks differ")
def test_saved_match_has_one_process(match: Match) -> None:
    """In this process, a match in nobody's hands gives its record up; this one is held."""
    path = saved_matches.save_match(match, SEATS)
    assert path is not None
    with pytest.raises(RecordingError):
        resume_recording(path)


@pytest.mark.slow
def test_game_list_agrees_with_the_parser() -> None:
    """What a glance at a file tells is what the parser finds."""
    listed = {offer.name: offer for offer in find_offered_games()}
    assert listed.keys() >= cardlang.shipped().keys()
    for name in cardlang.shipped():
        game = cardlang.load(name)
        assert listed[name].title == game.title and set(listed[name].players) == set(game.seats), name
        assert listed[name].variants == tuple(each.title for each in game.variants)


def test_cardlang_without_a_terminal_lists_games(run: Run, home: Path) -> None:
    result = run()
    assert result.exit_code == 0 and "hearts: Hearts," in result.stdout and "--help" in result.stdout


def save_unfinished_match(match: Match) -> Path:
    """Save a match after a choice, and return the path of its record."""
    path = saved_matches.save_match(match, SEATS)
    assert path is not None
    match.choose(0)
    match.close()
    return path


def seat_match(source: str = DUEL) -> SeatedMatch:
    found = cardlang.loads(source).start(["Ann", "Bob"], 2)
    assert isinstance(found, Match)
    return SeatedMatch(found, list(SEATS))


@pytest.mark.parametrize("wanted", [True, False])
def test_play_offers_the_unfinished_match(
    match: Match, monkeypatch: pytest.MonkeyPatch, wanted: bool, capsys: pytest.CaptureFixture[str]
) -> None:
    asked: list[str] = []
    monkeypatch.setattr(start_menu, "ask_to_resume", lambda game, text, changed, plain: asked.append(text) or wanted)
    path = save_unfinished_match(match)
    found = start_menu.offer_to_resume(seat_match(), same_seats=True, plain=False)
    assert asked == ["You left a match of Duel just now."]
    assert ("That match stays saved." in capsys.readouterr().out) == (not wanted), "a new match may never start"
    assert (found is not None) == wanted and (found is None or (found[0].match == match and found[1] == path))
    if found is not None:
        found[0].match.close()


def test_unfinished_match_of_other_seats_is_not_offered(match: Match, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(start_menu, "ask_to_resume", lambda game, text, changed, plain: pytest.fail(text))
    save_unfinished_match(match)
    assert (
        start_menu.offer_to_resume(seat_match(DUEL.replace('"Duel"', '"Duet"')), same_seats=False, plain=False) is None
    )
    other = SeatedMatch(seat_match().match, [Seat("Ann", "you"), Seat("Bob", "sharp")])
    assert start_menu.offer_to_resume(other, same_seats=True, plain=False) is None


def test_resume_question_names_changed_rules(match: Match, monkeypatch: pytest.MonkeyPatch) -> None:
    """The match keeps the rules it was begun by."""
    asked: list[tuple[str, bool]] = []
    monkeypatch.setattr(start_menu, "ask_to_resume", lambda game, *of: bool(asked.append(of[:2])))
    save_unfinished_match(match)
    start_menu.offer_to_resume(
        seat_match(DUEL.replace("shuffle deck", "shuffle deck\n  shuffle deck", 1)), same_seats=False, plain=False
    )
    assert asked == [("You left a match of Duel just now (the rules have changed since).", True)]


@pytest.mark.parametrize(
    ("answers", "taken"),
    [(start_menu.RESUME_ANSWERS, [True, False]), (start_menu.CHANGED_RULES_ANSWERS, [False, True])],
    ids=["same", "changed"],
)
def test_enter_never_resumes_old_rules(
    match: Match, monkeypatch: pytest.MonkeyPatch, answers: tuple[str, ...], taken: list[bool]
) -> None:
    """The answer under the cursor comes first: to resume, or a new game if the rules have changed."""
    changed = answers == start_menu.CHANGED_RULES_ANSWERS
    for at, expected in enumerate(taken):
        monkeypatch.setattr(ChoiceApp, "run", lambda self, at=at: at)
        assert start_menu.ask_to_resume(match.game, "", changed, plain=False) == expected


@pytest.mark.parametrize(
    ("typed", "taken"), [("\n", True), (" 1\n", True), ("3\n-1\n²\nx\n2\n", False), ("q\n", None), ("0\n", None)]
)
def test_plain_mode_asks_to_resume_by_number(match: Match, typed: str, taken: bool | None) -> None:
    """Enter takes the first answer. Anything that is not listed is asked for again, until the input ends."""
    with CliRunner().isolation(typed) as (output, *_):
        assert start_menu.ask_to_resume(match.game, "You left a match.", False, plain=True) == taken
    mistakes = typed.count("\n") - (taken is not None or typed == "q\n")
    assert output.getvalue().decode().count("Type a number from 1 to 2, or q to quit.") == mistakes


def test_quitting_the_question_starts_no_match(match: Match, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(ChoiceApp, "run", lambda self: None)
    save_unfinished_match(match)
    with pytest.raises(click.exceptions.Exit):
        start_menu.offer_to_resume(seat_match(), same_seats=False, plain=False)


def test_a_match_whose_file_was_edited_is_offered_with_the_old_rules(
    home: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "duel.cardgame"
    file.write_text(DUEL, encoding="utf-8")
    begun = cardlang.load(file).start(["Ann", "Bob"], 1)
    assert isinstance(begun, Match)
    save_unfinished_match(begun)
    assert [build_resume_offer(kept).is_outdated for kept in saved_matches.find_unfinished_matches()] == [False]
    file.write_text(DUEL.replace("shuffle deck", "shuffle deck\n  shuffle deck", 1), encoding="utf-8")
    assert [build_resume_offer(kept).is_outdated for kept in saved_matches.find_unfinished_matches()] == [True]
    print_games_and_matches()
    assert capsys.readouterr().out.startswith("Resume Duel with the old rules, Ann against Bob")
    file.unlink()
    assert [build_resume_offer(kept).is_outdated for kept in saved_matches.find_unfinished_matches()] == [False]


def test_unsaved_play_continues_with_a_note(
    home: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    home.parent.write_text("in the way")
    monkeypatch.setattr(sys, "stdin", Typed("0\n" * 40))
    interactive_session.play_with_rematches(seat_match(), plain=True, autosave=True)
    shown = capsys.readouterr().out
    assert shown.count(interactive_session.NOT_SAVED_NOTE) == 1 and "Play a card" in shown


class Typed(io.StringIO):
    """Lines that somebody types."""

    def isatty(self) -> bool:
        return True
