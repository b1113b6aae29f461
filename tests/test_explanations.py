"""Explanations of codes: the wrong example has the problem, the right one doesn't."""

import re
from pathlib import Path

import pytest

import cardlang
from cardlang.cli.commands.explain import collect_explanations
from cardlang.diagnostics import source_limits
from cardlang.diagnostics.explain_pages import CodeExplanation
from cardlang.lint import playtest, static
from cardlang.lint.playtest.playtest_runner import run_game_and_variant_playtests
from cardlang.lint.static.complexity_limits import DEPTH_RULES
from interpreter.runtime.errors import RuleError
from tests.errors import find_codes
from tests.game_files import build_example_game

PACKAGE = Path(cardlang.__file__).parent
EXPLANATIONS_BY_CODE = collect_explanations()
RULES = [*static.RULES.rules, *DEPTH_RULES.rules, *playtest.MATCH_RULES.rules, *playtest.RULES.rules]
# Problems that need more than a text: a variant, samples of ranks, examples, pictures or spreadsheets.
OUTSIDE = {"E207", "E303", "W417", "W461", "W462", "W463", "E247"}
# Problems of a rulebook or theme: `tests/rulebook/test_rules_file.py` reads their examples as a rules file.
RULEBOOK = {code for code in EXPLANATIONS_BY_CODE if code.startswith(("W45", "W46"))}
# Problems that only play shows.
PLAYED = {"R001"}
# Placeholders in braces, for text that is too long to print.
LONG = {
    "{NUL}": "\0",
    "{LONG COMMENT}": "#" + "x" * source_limits.MAX_BYTES,
    "{1 + 1 + … 300 TIMES}": " + ".join(["1"] * 300),
    "{A NAME OF 200 LETTERS}": "x" * 200,
}


def codes(lines: str) -> set[str]:
    """Return the codes that an example causes."""
    for short, long in LONG.items():
        lines = lines.replace(short, long)
    return set(find_codes(build_example_game(lines)))


@pytest.mark.parametrize(
    "page",
    [page for code, page in EXPLANATIONS_BY_CODE.items() if code not in OUTSIDE | PLAYED | RULEBOOK and code[0] != "N"],
    ids=lambda p: p.code,
)
def test_only_the_wrong_example_has_the_code(page: CodeExplanation) -> None:
    assert {code for code in codes(page.wrong) if code[0] == page.code[0]} == {page.code}
    right = codes(page.right)
    assert page.code not in right
    assert not any(code.startswith("E") for code in right)


def play_example(lines: str) -> set[str]:
    """Return the codes that random matches of an example cause."""
    game = cardlang.loads(build_example_game(lines).replace("for 2 to 4 players", "for 2 players"))
    return {note.code for note in (*game.warnings, *run_game_and_variant_playtests([game], 30).collect_diagnostics())}


@pytest.mark.parametrize("code", [code for code in EXPLANATIONS_BY_CODE if code[0] == "N"])
def test_only_the_wrong_example_gives_the_note(code: str) -> None:
    assert play_example(EXPLANATIONS_BY_CODE[code].wrong) == {code}
    assert not play_example(EXPLANATIONS_BY_CODE[code].right)


@pytest.mark.parametrize("code", sorted(PLAYED))
def test_only_the_wrong_example_fails_in_play(code: str) -> None:
    wrong, right = (
        cardlang.loads(build_example_game(lines))
        for lines in (EXPLANATIONS_BY_CODE[code].wrong, EXPLANATIONS_BY_CODE[code].right)
    )
    right.start(2, 1)
    with pytest.raises(RuleError):
        wrong.start(2, 1)


def test_every_code_in_the_source_is_explained() -> None:
    texts = (path.read_text("utf-8") for path in PACKAGE.rglob("*.py"))
    used = {code for text in texts for code in re.findall(r'"([ERWN][0-5]\d\d)"', text)}
    assert used == set(EXPLANATIONS_BY_CODE) - {"E303"}


def test_each_finding_of_lint_comes_from_the_one_rule_of_its_code() -> None:
    codes = [rule.code for rule in RULES]
    assert len(codes) == len(set(codes))
    sources = {path: path.read_text("utf-8") for path in (PACKAGE / "lint").rglob("*.py")}
    direct = {path.name for path, text in sources.items() if re.search(r"\bDiagnostic\(", text)}
    assert direct == {"rule_registry.py", "playtest_runner.py"}
    mentioned = {code for text in sources.values() for code in re.findall(r'"([EWN]\d{3})"', text)}
    assert mentioned == set(codes)


def test_explanations_have_text_in_code_order() -> None:
    for code, page in EXPLANATIONS_BY_CODE.items():
        assert len(page.text) > 40
        assert str(page).startswith(f"{code}: {page.title}\n\n{page.text}")
    assert list(EXPLANATIONS_BY_CODE) == sorted(EXPLANATIONS_BY_CODE, key=lambda code: code[1:])


def test_explanations_are_short_and_fit_a_terminal() -> None:
    for page in EXPLANATIONS_BY_CODE.values():
        assert len(page.text.split()) <= 90, page.code
        assert all(len(line) < 80 for line in page.text.split("\n")), page.code


def test_only_file_problems_lack_examples() -> None:
    assert {code for code, page in EXPLANATIONS_BY_CODE.items() if not page.wrong} == OUTSIDE
