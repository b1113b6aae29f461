"""`cardlang diff`: changes in meaning."""

import json
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

import cardlang
from cardlang.cards.theme import THEME_SUFFIX
from cardlang.rulebook.render import build_rulebook
from tests.cli.conftest import DUEL, Run

Diff = Callable[..., list[str]]
EVEN = "  each player from leader\n    you play 1 from your playable to table\n"


@pytest.fixture
def diff(run: Run, duel: Path) -> Diff:
    """Return the output of `diff` for the game with a replaced text."""

    def compare(old: str, new: str, *options: str) -> list[str]:
        assert old in DUEL
        other = duel.with_name("other name.cardgame")
        other.write_text(DUEL.replace(old, new), encoding="utf-8")
        result = run("diff", duel, other, *options)
        assert result.exit_code == 0, result.stderr
        return result.stdout.splitlines()

    return compare


def move_to_end(line: str) -> tuple[str, str]:
    """Move an item of the game to its end."""
    item = re.search(rf"^{re.escape(line)}.*\n(?: .*\n)*", DUEL, re.MULTILINE)
    assert item is not None
    return DUEL, DUEL.replace(item[0], "") + item[0]


def test_diff_ignores_file_names(diff: Diff) -> None:
    assert diff("Duel", "Duel") == ["Duel → Duel", "", "No difference."]


@pytest.mark.parametrize("line", ["zone table", "define your playable", "order strength", "step setup", "step trick"])
def test_diff_ignores_moved_declarations(diff: Diff, line: str) -> None:
    assert diff(*move_to_end(line))[-1] == "No difference."


@pytest.mark.parametrize("name", ["big_two", "gin_rummy", "tail_story", "tall_tales"])
def test_diff_ignores_comments_and_blank_lines(run: Run, tmp_path: Path, name: str) -> None:
    game = cardlang.shipped()[name]
    text = game.read_text("utf-8")
    (tmp_path / "copy.cardgame").write_text("# A word.\n\n" + re.sub(r"\n(?=step )", "\n\n# Steps.\n", text))
    if (theme := game.with_suffix(THEME_SUFFIX)).is_file():
        (tmp_path / "copy.theme.toml").write_bytes(theme.read_bytes())
    assert run("diff", name, tmp_path / "copy").stdout.endswith("\n\nNo difference.\n")


def test_diff_lists_removed_and_added_sentences(diff: Diff) -> None:
    assert diff("add 0.5 to", "add 2 to")[2:] == [
        "How to play › Trick",
        "- The player with the highest card of the lead suit scores ½ tricks and leads next.",
        "+ The player with the highest card of the lead suit scores 2 tricks and leads next.",
        "",
        "Changed rules: step `trick`.",
    ]


def test_diff_reports_reordered_statements(diff: Diff) -> None:
    start = "  shuffle deck\n  each player\n    deal top 2 of deck to your hand\n"
    lines = diff(start, "".join([*start.splitlines(keepends=True)[1:], start.splitlines(keepends=True)[0]]))
    assert lines[2] == "Set-up"
    assert sorted(line[0] for line in lines[3:5]) == ["+", "-"] and lines[3][2:] == lines[4][2:]


def test_diff_reports_changed_nesting(diff: Diff) -> None:
    lines = diff(EVEN, EVEN + "  set leader to leader's left\n")
    deeper = diff(EVEN, EVEN + "    set leader to leader's left\n")
    told = "The player to the leader's left leads next."
    assert f"+ {told}" in lines and f"+   {told}" in deeper


def test_diff_separates_wording_from_rules(diff: Diff) -> None:
    lines = diff('"Otherwise play any card."', '"Else play any."')
    assert lines[2:] == [
        "How to play › Trick",
        "- Follow suit if you can; otherwise play any card.",
        "+ Follow suit if you can.",
        "+ Else play any.",
        "",
        "The rules are the same. Only wording, examples or other text differs.",
    ]


def test_diff_names_rules_without_sentences(diff: Diff, monkeypatch: pytest.MonkeyPatch) -> None:
    """Two sheets that say the same of different rules."""
    sheet = build_rulebook(cardlang.loads(DUEL))
    monkeypatch.setattr("cardlang.analysis.diff.build_generated_rulebook", lambda game, **how: sheet)
    lines = diff("add 0.5 to", "add 2 to")
    assert lines[2:] == ["The printed rules are the same, but their meaning has changed: step `trick`."]


def test_diff_ignores_variable_names(run: Run, tmp_path: Path) -> None:
    text = DUEL.replace("  add 0.5", "  remember leader as one\n  add 1 to one's score\n  add 0.5")
    (tmp_path / "a.cardgame").write_text(text)
    (tmp_path / "b.cardgame").write_text(text.replace("one", "other"))
    assert "meaning" not in run("diff", tmp_path / "a", tmp_path / "b").stdout


def test_diff_compares_a_variant_with_its_game(run: Run, duel: Path) -> None:
    assert run("diff", duel, "--variant", "long").stdout.splitlines() == [
        "Duel → Duel: Long",
        "",
        "Set-up",
        "- Deal two cards to each player.",
        "+ Deal four cards to each player.",
        "",
        "How to play",
        "- Play two tricks.",
        "+ Play four tricks.",
        "",
        "End of the game",
        "- The game ends after two tricks.",
        "+ The game ends after four tricks.",
        "",
        "Changed rules: step `setup`.",
    ]


def test_diff_applies_a_variant_to_both_games(diff: Diff) -> None:
    assert diff("top 2 of", "top 3 of", "--variant", "Long")[-1] == "No difference."
    assert "+ Deal three cards to each player." in diff("top 2 of", "top 3 of")


# ---------------------------------------------------------------- cards
ROWS = "  1 of each Value, Suit\n"


def cards(run: Run, folder: Path, old: str, new: str) -> dict[str, Any]:
    paths = [folder / "a.cardgame", folder / "b.cardgame"]
    for path, rows in zip(paths, (old, new), strict=True):
        path.write_text(DUEL.replace(ROWS, ROWS + rows).replace("in deck", "in deck with price", 1))
    found: dict[str, Any] = json.loads(run("diff", *paths, "--json").stdout)["cards"]
    return found


def test_diff_lists_cards_to_print_again(run: Run, tmp_path: Path) -> None:
    old = '  2 of "Fool" (F), 3 "He laughs."\n  2 of "King" (K), 5\n  1 of "Page" (Pa), 1\n  2 of "Hag" (H), 2\n'
    new = '  2 of "Fool" (F), 3 "He weeps."\n  3 of "King" (K), 5\n  1 of "Lad" (Pa), 2\n  4 of "Ox" (O), 2\n'
    found = cards(run, tmp_path, old, new)
    assert found["changed"] == [
        {"code": "F", "title": "Fool", "copies": [2, 2], "differs": ["texts"]},
        {"code": "K", "title": "King", "copies": [2, 3], "differs": []},
        {"code": "Pa", "title": "Lad", "copies": [1, 1], "differs": ["title", "symbol", "values"]},
    ]
    assert [each["code"] for each in found["new"]] == ["O"] and [each["code"] for each in found["gone"]] == ["H"]
    assert (found["print"], found["of"]) == (2 + 1 + 1 + 4, 18 + 2 + 3 + 1 + 4)
    told = run("diff", tmp_path / "a", tmp_path / "b").stdout
    for line in (
        "Cards to print: 8 of 28",
        "  changed texts, 2 cards: Fool (F)",
        "  3 copies instead of 2, 3 cards: King (K)",
        "  changed title, symbol and values, 1 card: Lad (Pa)",
        "  new, 4 cards: Ox (O)",
        "  removed, 2 cards: Hag (H)",
    ):
        assert f"{line}\n" in told


def test_changed_title_changes_card_backs(diff: Diff) -> None:
    lines = diff('game "Duel"', 'game "Duels"')
    assert (
        "Cards to print: 18 of 18" in lines
        and "The rules are the same. Only wording, examples or other text differs." in lines
    )
    (backs,) = [line for line in lines if line.startswith("  changed back, 18 cards: 1 of Sun (1S), ")]
    assert backs.endswith(" and 6 others")


# ---------------------------------------------------------------- what is wrong with what was typed
def test_diff_reports_errors(run: Run, duel: Path) -> None:
    assert run("diff", duel).exit_code == 2
    assert "There is no file" in run("diff", duel, "nowhere").stderr
    assert "has no variant" in run("diff", duel, "--variant", "Brief").stderr
    duel.with_name("bad.cardgame").write_text(DUEL.replace("shuffle deck", "shuffle dekc"))
    result = run("diff", duel, duel.with_name("bad"))
    assert result.exit_code == 1 and "Did you mean `deck`?" in result.stderr and not result.stdout


def test_diff_includes_shows_and_tells(run: Run, duel: Path) -> None:
    other = duel.with_name("shown.cardgame")
    line = "  each player from leader\n"
    assert line in DUEL
    tell = '  tell "{leader} leads."\n'
    both = ["show your score", 'show your hand as row "Your cards."']
    first = DUEL.replace(line, tell + line, 1) + both[0] + "\n"
    second = DUEL.replace(line, tell.replace("leads", "begins") + line, 1) + both[0] + "\n" + both[1] + "\n"
    duel.write_text(first, encoding="utf-8")
    other.write_text(second, encoding="utf-8")
    told = run("diff", duel, other)
    assert told.exit_code == 0, told.stderr
    said = [each.strip() for each in told.stdout.splitlines()]
    assert [each for each in said if "leader}" in each] == ['- "{leader} leads."', '+ "{leader} begins."']
    assert "+ Your hand, as a row." in said
    assert '+ "Your cards."' in said
