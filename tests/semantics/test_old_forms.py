"""Old forms of the language: one error with the present form, `check --fix`, and records that still replay."""

from pathlib import Path

import pytest
from click.testing import CliRunner

import cardlang
from cardlang import storage
from cardlang.cli.commands.check import check_games
from cardlang.diagnostics.old_syntax_replacement import replace_old_forms
from interpreter.match.record_resume import load_recorded_game
from tests.errors import find_error
from tests.game_files import read_game

GAME = read_game("old")
OLD = {
    "secret number your bid called": "number your bid called",
    'plural "bids" starts': 'plural "bids" seen by owner starts',
    "secret Suit trump starts at": "Suit trump seen by nobody starts at",
    "define player's worth": "define your worth",
    "deck) provided count": "deck) when count",
    "first player from leader where worth > 0 may choose one\n": (
        "each player from leader where worth > 0 may choose one, until one does\n"
    ),
}


def write_old(text: str, *forms: str) -> str:
    for old in forms or OLD:
        assert OLD[old] in text
        text = text.replace(OLD[old], old)
    return text


def test_old_forms_become_present_ones() -> None:
    assert replace_old_forms(write_old(GAME)) == GAME == replace_old_forms(GAME)


@pytest.mark.parametrize("forms", [[*OLD][:2], [[*OLD][2]], [[*OLD][3]], [[*OLD][4]], [[*OLD][5]]])
def test_old_form_is_one_error_with_the_present_form(forms: list[str]) -> None:
    found = find_error(write_old(GAME, *forms))
    assert any(
        word in f"{found.message} {found.hint}" for word in ("seen by", "`your worth`", "when", "until one does")
    )


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("count of (subsets of hand)", "count of (every 1 or more cards from hand as lot)"),
        ("subsets of (hand where n < 3)", "(every 1 or more cards from (hand where n < 3) as lot)"),
        ("expect deck's size = your hand's size", "expect (count of deck) = (count of your hand)"),
        ("highest of lots by size", "highest of lots by (count of it)"),
        ("lots where size = 2 and its size in (1, 2)", "lots where count of it = 2 and count of it in (1, 2)"),
        ("total of (lots of hand)'s size", "total of (count of lot for every lot from (lots of hand))"),
        ("set hand-size to 3  # size", "set hand-size to 3  # size"),
        ('  worst when wilds > 0 "best when"', '  lowest when wilds > 0 "best when"'),
        ("  best when a\n  otherwise later place", "  highest when a\n  otherwise higher place"),
        ("  lower used's rank from the highest down", "  lower used's rank, highest first"),
        ("  higher used's rank larger groups first", "  higher used's rank, groups first"),
        (
            "  5 Pack of one a and different b together of different c",
            "  5 Pack of one a and distinct b together of distinct c",
        ),
        (
            "  3 Pack of one suit and consecutive rank with Ace low",
            "  3 Pack of one suit and consecutive rank with Ace lowest",
        ),
        ("  least points left", "  lower total of rest's points"),
        ("number your buys starts each own turn at 1", "number your buys starts your turn at 1"),
        ("  repeat until a = 1, at most 3 times", "  repeat until a = 1, up to 3 times"),
        ("  repeat at most a times\n", "  repeat up to a times\n"),
        ("  you may discard any number from hand to pile", "  you may discard 0 or more from hand to pile"),
        ("  you choose any number lot from hand", "  you choose 0 or more lot from hand"),
        (
            "(1 for every 1 to 2 a from b as c, any number d from e as f)",
            "(1 for every 1 to 2 a from b as c, 0 or more d from e as f)",
        ),
        (
            "kind Suit: Red (r), Blue\ndefine a as suit is Red and set is not Blue and it is Pack",
            "kind Suit: Red (r), Blue\ndefine a as suit = Red and set != Blue and it is Pack",
        ),
        ("number size\nset size to size + 1", "number size\nset size to size + 1"),
    ],
)
def test_short_old_forms_become_present_ones(old: str, new: str) -> None:
    assert replace_old_forms(old) == new == replace_old_forms(new)


def test_check_fix_rewrites_the_file(tmp_path: Path) -> None:
    path = tmp_path / "old.cardgame"
    path.write_text(write_old(GAME), "utf-8")
    assert CliRunner().invoke(check_games, [str(path)]).exit_code == 1
    assert CliRunner().invoke(check_games, ["--fix", str(path)]).exit_code == 0
    assert path.read_text("utf-8") == GAME


def test_check_fix_rewrites_the_target_of_a_link(tmp_path: Path) -> None:
    path, link = tmp_path / "old.cardgame", tmp_path / "link.cardgame"
    path.write_text(write_old(GAME), "utf-8")
    link.symlink_to(path)
    assert CliRunner().invoke(check_games, ["--fix", str(link)]).exit_code == 0
    assert link.is_symlink() and path.read_text("utf-8") == GAME


def test_full_disk_leaves_the_file_and_names_it(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def full(path: Path, data: bytes, mode: int = 0) -> None:
        raise OSError(28, "No space left on device")

    path = tmp_path / "old.cardgame"
    path.write_text(write_old(GAME), "utf-8")
    monkeypatch.setattr(storage, "replace_file", full)
    result = CliRunner().invoke(check_games, ["--fix", str(path)])
    assert result.exit_code == 1 and f"{path} cannot be written: no space left on device" in result.output
    assert path.read_text("utf-8") == write_old(GAME)


def test_records_with_old_forms_load() -> None:
    entry = {"files": [{"name": "old.cardgame", "text": write_old(GAME)}], "variant": None}
    assert load_recorded_game(entry, cardlang.loads) == cardlang.loads(GAME)


@pytest.mark.parametrize(
    ("right", "wrong"),
    [('"bids" seen by owner', '"bids" seen by nobody'), ("trump seen by nobody", "trump seen by owner")],
)
def test_value_is_seen_by_its_player_or_by_nobody(right: str, wrong: str) -> None:
    found = find_error(GAME.replace(right, wrong))
    assert "write `seen by" in found.hint.lower()
