"""`cardlang compare`: paired matches, and the wording of their differences."""

import json
from math import sqrt
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from cardlang.analysis.balance.match_totals import MatchTotals
from cardlang.analysis.balance.paired_comparison import PAIR_TABLES, compare_totals
from cardlang.analysis.balance.report_statistics import Difference, compute_z_score
from cardlang.cli.main import cli
from tests.analysis.games import ENDLESS, FIRST, RACE
from tests.analysis.test_report import fits
from tests.docs import schema

LONGER = RACE.replace("lap = 3", "lap = 5").replace('game "Race"', 'game "Long race"')


@pytest.fixture
def race(tmp_path: Path) -> Path:
    path = tmp_path / "race.cardgame"
    path.write_text(RACE + 'variant "Long"\n  step play\n    repeat until lap = 5\n      do round\n', "utf-8")
    path.with_name("longer.cardgame").write_text(LONGER, "utf-8")
    path.with_name("first.cardgame").write_text(FIRST, "utf-8")
    path.with_name("endless.cardgame").write_text(ENDLESS, "utf-8")
    return path


def run(*arguments: object) -> Result:
    return CliRunner().invoke(cli, ["compare", *map(str, arguments)])


def get_differences(result: Result) -> dict[str, dict[str, object]]:
    """Return the differences by measure."""
    assert result.exit_code == 0, result.output
    (chapter,) = json.loads(result.stdout)["chapters"]
    return {each["name"]: each for each in chapter["differences"]}


def test_compare_measures_a_variant(race: Path) -> None:
    """Six decisions against ten, in every match."""
    found = get_differences(run(race, "--variant", "long", "--games", 40, "--json"))
    decisions = found["decisions"]
    assert (decisions["first"], decisions["second"], decisions["mean"]) == (6, 10, 4)
    assert (decisions["low"], decisions["high"]) == (4, 4)
    assert decisions["verdict"] == {"kind": "plain", "text": "longer"}
    assert decisions["counts"] == [[4, 40]]


def test_equal_file_and_variant_compare_equally(race: Path) -> None:
    one = get_differences(run(race, "--variant", "long", "--games", 40, "--json"))
    other = get_differences(run(race, race.with_name("longer.cardgame"), "--games", 40, "--json"))
    assert one == other


def test_game_equals_itself(race: Path) -> None:
    """Pairs have the same seeds: nothing differs in any of them."""
    first = race.with_name("first.cardgame")
    found = get_differences(run(first, first, "--players", 2, "--games", 100, "--json"))
    assert {each["mean"] for each in found.values()} == {0}
    result = run(first, first, "--players", 2, "--games", 100)
    assert "The games are practically equal in 100 matches." in result.stdout


def test_json_matches_the_schema(race: Path) -> None:
    form = json.loads(schema.REPORT_PATH.read_text("utf-8"))
    result = run(race, "--variant", "Long", "--games", 5, "--json")
    assert fits(json.loads(result.stdout), {"$ref": "#/$defs/Comparison"}, form["$defs"])


def test_job_count_does_not_change_the_report(race: Path) -> None:
    pages = []
    for jobs in (1, 2, 3):
        page = race.with_name(f"{jobs}.html")
        assert run(race, "--variant", "Long", "--games", 50, "--jobs", jobs, "--report", page).exit_code == 0
        pages.append(page.read_bytes())
    assert pages[0] == pages[1] == pages[2]


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (("race",), "Name a second game"),
        (("race", "--variant", "Lang"), "Did you mean “Long”?"),
        (("race", "alone"), "no file"),
        (("race", "first", "--players", "3"), "Race is for 2 players, not for 3"),
        (("race", "first", "--seat", "Ann=you"), "all seats are bots"),
        (("race", "first", "--games", "0"), "0 is not in the range"),
    ],
)
def test_incomparable_games_are_rejected(race: Path, arguments: tuple[str, ...], said: str) -> None:
    known = {path.stem: str(path) for path in race.parent.iterdir()}
    result = run(*(known.get(each, each) for each in arguments))
    assert result.exit_code == 2 and said in " ".join(result.output.split()), result.output


def test_endless_matches_are_compared(race: Path) -> None:
    result = run(race, race.with_name("endless.cardgame"), "--games", 30, "--cap", 50)
    assert result.exit_code == 0 and "less likely to finish" in result.stdout


def pairs(differences: dict[int, int], first: int = 100) -> Difference:
    sums: MatchTotals = MatchTotals.create_empty(PAIR_TABLES)
    for value, count in differences.items():
        sums["matches"]["played",] += count
        sums["first"]["decisions", first] += count
        sums["second"]["decisions", first + value] += count
        sums["difference"]["decisions", value] += count
    ((found,),) = [chapter.differences for chapter in compare_totals("a", "b", 1, 9, 9, [(2, sums)]).chapters]
    return found


def test_difference_interval_equals_arithmetic() -> None:
    """50 times +1 and 50 times -1: mean 0, standard error sqrt(1 / 99); 14 measures are looked at with two players."""
    found = pairs({1: 50, -1: 50})
    assert (found.mean, found.of) == (0, 100)
    assert found.high == pytest.approx(compute_z_score(14) * sqrt(1 / 99))
    assert found.verdict.text == "practically equal"


@pytest.mark.parametrize(
    ("differences", "verdict"),
    [
        ({3: 60, 5: 40}, "longer"),
        ({-3: 60, -5: 40}, "shorter"),
        ({3: 6, 5: 4}, "too few matches to tell; use --games 50"),
        ({100: 50, -100: 50}, "too few matches to tell; use --games 5000"),
    ],
)
def test_difference_verdicts(differences: dict[int, int], verdict: str) -> None:
    """Of the last: 2.9 standard errors of 10.05 reach to 29, a twentieth of 100 is 5: 34 times as many, rounded up."""
    assert pairs(differences).verdict.text == verdict
