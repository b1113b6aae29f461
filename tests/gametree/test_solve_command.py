"""`cardlang solve`: output and errors."""

import json
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from cardlang.cli.main import cli

GAMES = Path(__file__).parents[1] / "adapters" / "games"
KUHN = GAMES / "kuhn_2.cardgame"


def run(*arguments: str | Path) -> Result:
    return CliRunner().invoke(cli, ["solve", *map(str, arguments)], catch_exceptions=False)


def test_solve_prints_the_strategy() -> None:
    result = run(KUHN)
    assert result.exit_code == 0 and result.stderr == ""
    head, worth, *rest = result.stdout.splitlines()
    assert head == "Kuhn Poker, Ann first: 24 decisions, 12 information states"
    assert worth.startswith("  game value for Ann -0.0555") or worth.startswith("  game value for Ann -0.0556")
    at = rest.index("  Ann's hand [J]. Ann checks. Bob bets 1.")
    assert rest[at + 1] == "    fold 1.000"


def test_solve_json_has_values_and_strategies() -> None:
    told = json.loads(run(KUHN, "--json").stdout)
    assert told["value"][0] == pytest.approx(-1 / 18, abs=1e-4) and sum(told["value"]) == pytest.approx(0)
    assert told["exploitability"] <= 1e-4 and (told["decisions"], told["ends"]) == (24, 30)
    assert [len(states) for states in told["strategy"].values()] == [6, 6]
    for states in told["strategy"].values():
        assert all(sum(state["moves"].values()) == pytest.approx(1) for state in states)


def test_strategy_hides_the_opponents_cards() -> None:
    for player, states in json.loads(run(KUHN, "--json").stdout)["strategy"].items():
        other = "Bob" if player == "Ann" else "Ann"
        for state in states:
            assert not any(other in pile for pile in state["sees"])
            assert not any(line.startswith(f"{other} is dealt [") for line in state["log"])


def test_few_iterations_give_a_note() -> None:
    result = run(KUHN, "--iterations", "3")
    assert "after 3 iterations" in result.stdout and "raise --iterations" in result.stdout


@pytest.mark.slow
@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        (["hearts"], "is not a two-player game"),
        (["goofspiel", "--results", "place"], "has about 10^30 decisions, too many to solve (at most 200,000)."),
        (["goofspiel"], "--results place"),
        (["gin_rummy", "--results", "place"], "had not ended"),
        (["kuhn_poker", "--iterations", "0"], "0 is not in the range"),
        (["kuhn_poker", "--until", "-1"], "-1.0 is not in the range"),
        (["kuhn_poker", "--variant", "None such"], "has no variants"),
        (["nothing_here"], "There is no file nothing_here"),
    ],
)
def test_unsolvable_games_are_rejected(arguments: list[str], told: str) -> None:
    result = run(*arguments)
    assert result.exit_code in (1, 2) and told in result.stderr
    assert result.stdout == ""
