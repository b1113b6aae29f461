"""What is wrong with a file of words is told, and nothing else of it is printed."""

from pathlib import Path

import pytest

import cardlang
from cardlang.rulesheet import markdown
from cardlang.told import CODE, findings
from tests.rulesheet.toll import change


@pytest.mark.parametrize(
    ("words", "said"),
    [
        ('["step nap"]\ninstead = ["Sleep."]\n', "there is no step nap"),
        ('["step turn"]\ninstead = 3\n', "has to hold instead"),
        ('["step turn"]\nbecause = "So."\n', "has to hold instead"),
        ("turn\n", "cannot be read"),
        ('["step turn"]\ninstead = ["Never read."]\n', "were not read since it changed"),
    ],
)
def test_what_is_wrong_with_a_file_of_words_is_told(toll: Path, words: str, said: str) -> None:
    toll.with_suffix(".words").write_text(words, encoding="utf-8")
    (finding,) = findings(cardlang.load(toll))
    assert said in finding.message and finding.code == CODE and finding.warning
    assert "to your score" in markdown(cardlang.load(toll))


def test_an_example_that_is_not_there_is_told(scene: Path) -> None:
    change(scene, '"Broke"', '"Poor"')
    assert {finding.message for finding in findings(cardlang.load(scene))} == {
        "there is no example Broke whose words these could be"
    }
    assert "Broke" not in markdown(cardlang.load(scene))
