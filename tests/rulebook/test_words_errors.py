"""Errors in a file of words: reported, and the faulty entry isn't printed."""

from pathlib import Path

import pytest
from cardlang.rulebook.custom_wording import WORDING_CODE, check_wording_file

import cardlang
from cardlang.rulebook.render import render_rulebook_markdown
from tests.rulebook.toll import change, renew


@pytest.mark.parametrize(
    ("words", "said"),
    [
        ('["step nap"]\ninstead = ["Sleep."]\n', "Unknown rule “step nap”"),
        ('["step turn"]\ninstead = 3\n', "has a key or value that is not allowed"),
        ('["step turn"]\nbecause = "So."\n', "has a key or value that is not allowed"),
        ("turn\n", "cannot be read"),
        ('["step turn"]\ninstead = ["Never read."]\n', "needs review"),
    ],
)
def test_what_is_wrong_with_a_file_of_words_is_told(toll: Path, words: str, said: str) -> None:
    toll.with_suffix(".words").write_text(words, encoding="utf-8")
    (finding,) = check_wording_file(cardlang.load(toll))
    assert said in finding.message and finding.code == WORDING_CODE and finding.warning
    assert "scores the half" in render_rulebook_markdown(cardlang.load(toll))


def test_an_example_that_is_not_there_is_told(scene: Path) -> None:
    change(scene, '"Broke"', '"Poor"')
    assert {finding.message for finding in check_wording_file(cardlang.load(scene))} == {
        "Unknown rule “example Broke”."
    }
    assert "Broke" not in render_rulebook_markdown(cardlang.load(scene))


@pytest.mark.parametrize(
    ("old", "new", "said", "hint"),
    [
        ('["hand"]', '["hnd"]', "Unknown zone “hnd”", "Did you mean “hand”?"),
        ('draws = ["hand"]', 'scene = ["open hnd"]', "Unknown zone “hnd”", "Did you mean “hand”?"),
        ("draws", 'labels = ["Cat\'s hand: 1"]\ndraws', "Unknown place in this example “Cat's hand”", "'s hand”?"),
        (
            "draws",
            'laid = ["sea: Ice"]\ndraws',
            "Unknown place in this example “sea”",
            "Choose from deck, Ann's hand, Bob's hand.",
        ),
    ],
)
def test_a_picture_of_what_is_not_there_is_told_with_its_place_and_a_way_out(
    toll: Path, marked: str, old: str, new: str, said: str, hint: str
) -> None:
    change(toll.with_suffix(".words"), old, new)
    (finding,) = check_wording_file(cardlang.load(toll))
    assert said in finding.message and hint in finding.hint and finding.warning
    line = finding.span.source.text.splitlines()[finding.span.line - 1]
    assert said.split("“")[1].rstrip("”") in line


def test_a_label_of_a_part_that_no_card_has_is_told(toll: Path, marked: str) -> None:
    beside = toll.with_suffix(".words")
    beside.write_text(beside.read_text() + '["card Red"]\nlabels = ["titel: Name", "symbol: Suit"]\n', encoding="utf-8")
    renew(toll)
    (finding,) = check_wording_file(cardlang.load(toll))
    assert finding.message == "Unknown part of a card “titel”." and "“title”" in finding.hint
