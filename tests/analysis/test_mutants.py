"""Mutation testing of examples, on a game small enough to check each mutant by hand."""

import json
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from cardlang.cli.main import cli
from tests.game_files import read_game

TOLL = read_game("toll")
MISSED = {
    (2, "3", "4"), (2, "3", "2"),  # nobody expects what a player begins with
    (4, "last", "first"),  # nor who pays first
    (6, "", ""), (7, "", ""), (7, "1", "2"), (7, "1", "0"),  # nor anything of set-up
    (9, "", ""), (10, "pay", "rest"),  # nor that the players pay in play
    (12, ">=", "<="),  # nor what happens with more than enough
}  # fmt: skip
"""What makes a difference and is missed: line, what stands there, what would. Both empty: left out."""
NOTHING = {(12, "toll", "box")}
"""What makes no difference in a match: with 3 each, both can pay 1, and then 3."""


@pytest.fixture
def toll(tmp_path: Path) -> Path:
    path = tmp_path / "toll.cardgame"
    path.write_text(TOLL, encoding="utf-8")
    return path


def run(*arguments: str | Path) -> Result:
    return CliRunner().invoke(cli, ["test", "--mutate", *map(str, arguments)], catch_exceptions=False)


def get_mutation_results(path: Path, *arguments: str) -> dict[str, object]:
    found: dict[str, object] = json.loads(run(path, "--json", *arguments).stdout)["games"][0]
    return found


def summarize_mutants(found: object) -> set[tuple[int, str, str]]:
    assert isinstance(found, list)
    return {(each["line"], "" if each["sort"] == "left out" else each["old"], each["new"]) for each in found}


def test_missed_mutants_are_listed(toll: Path) -> None:
    found = get_mutation_results(toll)
    assert summarize_mutants(found["missed"]) == MISSED
    assert summarize_mutants(found["unsure"]) == NOTHING


def test_unnoticed_mutants_are_missed_without_matches(toll: Path) -> None:
    found = get_mutation_results(toll, "--against", "0")
    assert summarize_mutants(found["missed"]) == MISSED | NOTHING and found["unsure"] == []


def test_unreachable_mutants_are_proved_equal(toll: Path) -> None:
    """The step `rest`: left out, its line left out, 1 as 2 and as 0."""
    assert get_mutation_results(toll)["same"] == 4


def test_extra_examples_catch_mutants(toll: Path, tmp_path: Path) -> None:
    more = tmp_path / "more.cardgame"
    more.write_text(
        'example "Both pay" with Ann, Bob\n  expect every player has score = 3 and payer = Bob\n  do setup\n'
        "  expect box = 1\n  do play\n  expect box = 5 and every player has score = 1\n",
        encoding="utf-8",
    )
    assert get_mutation_results(toll, "--with", str(more))["missed"] == []


def test_mutation_report_shows_lines_and_differences(toll: Path) -> None:
    said = run(toll).stdout
    assert said.startswith("Toll: the examples catch 8 of 18 rule changes (44 %).\n")
    first, _, rest = said.partition(f"{toll}:11: step your pay\n")
    assert f"{toll}:2: number your score starts at 3\n  3 → 4: " in first
    assert rest.startswith("  12: if your score >= toll\n    >= → <=: add an example that shows a case where both")
    assert "Seen in a match of 2 (seed 1) at the start: Ann's score: 1; with the change: 3." in rest
    assert "These made no difference in 20 random matches" in rest


def test_job_count_does_not_change_mutants(toll: Path) -> None:
    assert run(toll, "--jobs", "2").stdout == run(toll).stdout


VARIED = """\
variant "Dear"
  define toll as 3
  example "Three" with Ann, Bob
    do setup
    do play
    expect box = 7 and every player has score = 0
"""


def test_variant_examples_catch_variant_mutants(toll: Path) -> None:
    """And what its examples notice of the rules that it leaves alone is noticed. With a toll of 3, nobody has more."""
    toll.write_text(TOLL + VARIED, encoding="utf-8")
    assert summarize_mutants(get_mutation_results(toll)["missed"]) == {(4, "last", "first"), (12, ">=", "<=")}
    toll.write_text(TOLL + VARIED.partition("  example")[0], encoding="utf-8")
    missed = get_mutation_results(toll)["missed"]
    assert isinstance(missed, list)
    assert {(each["new"], each["variant"]) for each in missed if each["line"] > 20} >= {("4", "Dear"), ("2", "Dear")}


def test_example_with_a_removed_name_catches_the_mutant(toll: Path) -> None:
    """A card that is not there any more is no fault of the rules."""
    kinds = "ordered kind Value: 1 to 3\ncards Pack in deck\n  1 of each Value\nzone deck\n"
    example = 'example "Three cards" with Ann, Bob\n  given\n    deck [1 2 3]\n  expect deck = [1 2 3]\n'
    toll.write_text(TOLL.replace("number box\n", kinds + "number box\n") + example, encoding="utf-8")
    assert {(3, "1", "2"), (3, "3", "2")}.isdisjoint(summarize_mutants(get_mutation_results(toll)["missed"]))


@pytest.mark.parametrize(
    ("text", "said"),
    [
        (TOLL.partition("example")[0], "Toll has no examples, so nothing can catch a change."),
        (TOLL.replace("box = 2", "box = 3"), "“Exactly enough” fails even without a change"),
        (TOLL.replace("add toll", "add tol"), "E2"),
    ],
)
def test_untestable_game_is_reported(toll: Path, text: str, said: str) -> None:
    toll.write_text(text, encoding="utf-8")
    result = run(toll)
    assert result.exit_code == 1 and result.stdout == "" and said in result.stderr


@pytest.mark.parametrize("option", [["--against", "5"], ["--jobs", "2"], ["--json"]])
def test_mutation_options_need_mutate(toll: Path, option: list[str]) -> None:
    result = CliRunner().invoke(cli, ["test", str(toll), *option])
    assert result.exit_code == 2 and f"{option[0]} goes with --mutate." in result.stderr
