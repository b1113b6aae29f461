"""Number arguments in unusual forms: each is accepted or rejected in one line."""

from pathlib import Path

import pytest

from tests.cli.conftest import Run
from tests.cli.test_play import STAKE


@pytest.mark.parametrize(
    "text", ["²", "--5", "-5", "9" * 5000, "٣", "½", "1e3", "26", "\x1b[A", "[", "#", "''", "\x00"]
)
def test_unusual_numbers_are_answered(run: Run, tmp_path: Path, text: str) -> None:
    path = tmp_path / "stake.cardgame"
    for option in ('      option hold "Keep what you have."\n', ""):
        path.write_text(STAKE.replace('      option hold "Keep what you have."\n', option), encoding="utf-8")
        result = run("play", path, "--seed", "1", typed=f"{text}\nbet {text}\nwhy {text}\nwhy bet {text}\n2\n{text}\n")
        assert result.exit_code == 0, text
        assert result.stdout.count("Choose") + result.stdout.count("?") >= 1


@pytest.mark.parametrize("option", ["--until", "--players"])
@pytest.mark.parametrize("text", ["²", "--5", "9" * 5000])
def test_invalid_number_is_a_usage_error(run: Run, duel: Path, option: str, text: str) -> None:
    arguments = ["replay", duel] if option == "--until" else ["play", "hearts"]
    assert run(*arguments, option, text).exit_code == 2


@pytest.mark.parametrize("cards", ["²", "9" * 5000, "hand ²", f"hand {'9' * 5000}"])
def test_odds_rejects_an_invalid_card_count(run: Run, cards: str) -> None:
    result = run("odds", "cribbage", "flush", "--cards", cards)
    assert result.exit_code != 0 and "Error" in result.stderr
