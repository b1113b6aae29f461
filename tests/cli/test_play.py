"""`cardlang play` in plain mode: output, typed moves and answers."""

from pathlib import Path

import pytest

from tests.cli.conftest import DUEL, Run
from tests.game_files import read_game

DEAL = "  shuffle deck\n  each player\n    deal top 2 of deck to your hand\n"
STAKE = read_game("stake")


@pytest.fixture
def dealt_duel(duel: Path) -> Path:
    """Return the small game without chance: Ann leads and holds 5S 7M, Bob 8S 9M."""
    cards = [("5S", "first"), ("7M", "first"), ("8S", "last"), ("9M", "last")]
    deal = "".join(f"  deal [{card}] to ({who} of players)'s hand\n" for card, who in cards)
    duel.write_text(DUEL.replace(DEAL, deal, 1), encoding="utf-8")
    return duel


@pytest.fixture
def stake(tmp_path: Path) -> Path:
    path = tmp_path / "stake.cardgame"
    path.write_text(STAKE, encoding="utf-8")
    return path


def test_moves_can_be_typed_by_number_name_or_part(run: Run, dealt_duel: Path) -> None:
    for move in ("1", "play [5S]", "play 5s", "5S", "5"):
        result = run("play", dealt_duel, "--seed", "1", typed=f"{move}\n")
        assert "Your only move was made for you: play [7M]." in result.stdout, move


def test_hand_is_sorted_and_other_hands_are_hidden(run: Run, dealt_duel: Path) -> None:
    shown = run("play", dealt_duel, "--seed", "1").stdout
    assert "Your hand: 5S 7M." in shown
    assert "hand 2 cards." in shown
    assert "8S" not in shown and "9M" not in shown


def test_why_quotes_the_rule(run: Run, dealt_duel: Path) -> None:
    seats = ["--seat", "Ann=you", "--seat", "Bob=you"]
    result = run("play", dealt_duel, *seats, "--seed", "1", typed="\n5S\n\nwhy 9M\n9M\n")
    assert result.stdout.count("Follow suit if you can") == 3  # asked, told why, refused
    assert "duel.cardgame" not in result.stdout  # where the rule stands is for those who write it


def test_screen_is_cleared_between_two_people(run: Run, dealt_duel: Path) -> None:
    seats = ["--seat", "Ann=you", "--seat", "Bob=you"]
    result = run("play", dealt_duel, *seats, "--seed", "1", typed="\n1\n\n")
    before, after = result.stdout.split("Bob, it is your turn.")
    assert "Ann, it is your turn." in before and "8S" not in before
    assert "\n" * 30 in before and "Your hand: 8S 9M." in after and "7M" not in after


def test_forced_move_is_made_and_reported(run: Run, dealt_duel: Path) -> None:
    result = run("play", dealt_duel, "--seed", "1", typed="5S\n")
    assert "Your only move was made for you: play [7M]." in result.stdout
    assert result.stdout.splitlines()[-1] == "Bob wins with 1."


def test_number_choices_are_one_line(run: Run, stake: Path) -> None:
    result = run("play", stake, "--seed", "1", typed="b\n26\n7\n")
    assert "  o: Hold\n  b: Bet 1 to 25\n" in result.stdout
    assert "Type bet and a number, 1 to 25." in result.stdout
    assert "You bet 7." in result.stdout and "bet 26" not in result.stdout
    assert "You bet 9." in run("play", stake, "--seed", "1", typed="bet 9\n").stdout


def test_undo_reports_another_players_move(run: Run, stake: Path) -> None:
    seats = ["--seat", "Ann=you", "--seat", "Bob=you"]
    result = run("play", stake, *seats, "--seed", "1", typed="\nbet 9\n\nundo\n")
    assert "Ann has moved since then, so you cannot undo it." in result.stdout


def test_help_log_rules_and_cards_pages_open(run: Run, dealt_duel: Path) -> None:
    result = run("play", dealt_duel, "--seed", "1", typed="?\nlog\nrules\ncards\ntable\nquit\n")
    assert result.exit_code == 0
    for part in ("why MOVE", "You are dealt", "Duel is for 2 or 3 players.", "5S: 5 of Sun"):
        assert part in result.stdout
    assert result.stdout.count("Your hand: 5S 7M.") == 2
    assert "stops here" in result.stderr


def test_end_of_input_exits_cleanly(run: Run, dealt_duel: Path) -> None:
    result = run("play", dealt_duel, "--seed", "1", typed="")
    assert result.exit_code == 0 and "stops here" in result.stderr


def test_ambiguous_input_lists_the_moves(run: Run, dealt_duel: Path) -> None:
    result = run("play", dealt_duel, "--seed", "1", typed="play\nxyz\n")
    assert "That could be play [5S] or play [7M]." in result.stdout
    assert "xyz" in result.stdout.splitlines()[-2]


def test_equal_scores_win_together(run: Run, stake: Path) -> None:
    seats = ["--seat", "Ann=you", "--seat", "Bob=you"]
    result = run("play", stake, *seats, "--seed", "1", typed="\nbet 9\n\nbet 9\n")
    assert result.stdout.splitlines()[-3:] == ["1. Ann  9", "1. Bob  9", "Ann and Bob share the win with 9."]


MOON = read_game("moon")


def test_last_sentence_of_the_log_is_printed_once(run: Run, tmp_path: Path) -> None:
    path = tmp_path / "moon.cardgame"
    path.write_text(MOON, encoding="utf-8")
    shown = run("play", path, "--seed", "1", typed="1\n").stdout
    assert shown.count("The moon sets.") == 1 and "The match is over." in shown
