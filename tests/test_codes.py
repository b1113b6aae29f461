"""Every code has a page; its failing example fails with that code, and its mended one does not."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

import cardlang
from cardlang import limits
from cardlang.explanations import CODES, Page, whole_game
from interpreter.errors import RuleError

PACKAGE = Path(cardlang.__file__).parent
# found by a variant that is asked for, by samples, by playing examples or matches: not by the text of a game alone
OUTSIDE = {
    "E207",
    "E303",
    "W417",
    "W450",
    "N501",
    "N502",
    "N503",
    "N510",
    "N511",
    "N512",
    "N513",
    "N514",
    "N515",
    "N516",
}
# found in play
PLAYED = {"R001"}
# what stands in braces on a page is too long to print
LONG = {
    "{NUL}": "\0",
    "{LONG COMMENT}": "#" + "x" * limits.MAX_BYTES,
    "{1 + 1 + … 300 TIMES}": " + ".join(["1"] * 300),
    "{A NAME OF 200 LETTERS}": "x" * 200,
}


def codes(lines: str) -> set[str]:
    for short, long in LONG.items():
        lines = lines.replace(short, long)
    try:
        found = list(cardlang.loads(whole_game(lines)).warnings)
    except cardlang.GameError as error:
        found = error.diagnostics
    return {finding.code for finding in found}


@pytest.mark.parametrize(
    "page", [page for code, page in CODES.items() if code not in OUTSIDE | PLAYED], ids=lambda p: p.code
)
def test_failing_example_fails_and_the_mended_one_does_not(page: Page) -> None:
    assert {code for code in codes(page.wrong) if code[0] == page.code[0]} == {page.code}
    right = codes(page.right)
    assert page.code not in right
    assert not any(code.startswith("E") for code in right)


@pytest.mark.parametrize("code", sorted(PLAYED))
def test_the_failing_example_fails_in_play_and_the_mended_one_does_not(code: str) -> None:
    wrong, right = (cardlang.loads(whole_game(lines)) for lines in (CODES[code].wrong, CODES[code].right))
    right.start(2, 1)
    with pytest.raises(RuleError):
        wrong.start(2, 1)


def test_every_code_in_the_source_has_a_page() -> None:
    texts = (path.read_text("utf-8") for path in PACKAGE.rglob("*.py"))
    used = {code for text in texts for code in re.findall(r'"([ERWN][0-5]\d\d)"', text)}
    assert used == set(CODES) - {"E303"}


def test_pages_say_something_and_print_in_order() -> None:
    for code, page in CODES.items():
        assert len(page.text) > 40
        assert str(page).startswith(f"{code}: {page.title}\n\n{page.text}")
    assert list(CODES) == sorted(CODES, key=lambda code: code[1:])


def test_examples_are_only_left_out_where_no_file_can_show_the_fault() -> None:
    assert {code for code, page in CODES.items() if not page.wrong} == OUTSIDE
