"""`check --play`, and findings of `simulate`."""

import json
import re
from fractions import Fraction
from math import comb
from pathlib import Path
from random import Random

import pytest
from click.testing import CliRunner, Result

import cardlang
from cardlang import storage
from cardlang.cli.main import cli
from cardlang.lint.playtest.playtest_findings import compute_binomial_p_value, find_biased_seats
from cardlang.lint.playtest.playtest_runner import run_game_and_variant_playtests, run_playtest
from interpreter.program.coverage import CoverageProgram
from interpreter.program.program import Program, compile_game
from tests.game_files import read_game

FRAME = read_game("trial")
NEVER = FRAME + read_game("never_reached")
ENDLESS = FRAME + read_game("endless_play")
FIRST_WINS = (
    FRAME
    + """\
step play
  add 1 to round
  shuffle deck
  each player
    draw top of deck to your hand
    you may play 1 from your hand to table
  add round to (first of players)'s score
"""
)


def run(*args: str) -> Result:
    return CliRunner().invoke(cli, list(args))


def write_game(folder: Path, text: str) -> str:
    path = folder / "a.cardgame"
    path.write_text(text, "utf-8")
    return str(path)


def lines(text: str, code: str, source: str) -> list[str]:
    """Return the lines of a game with a finding."""
    found = [line for line in text.splitlines() if code in line]
    return [source.splitlines()[int(line.split(":")[1]) - 1].strip() for line in found]


def test_unreached_rule_is_noted_once(tmp_path: Path) -> None:
    result = run("check", "--play", "--format", "concise", write_game(tmp_path, NEVER))
    assert result.exit_code == 0
    noted = lines(result.stdout, "note[N501]", NEVER)
    assert noted == ["2 when count of pile > 30", "option leave when your score > 90", "if your score > 100"]
    [count] = {int(count) for count in re.findall(r"in (\d+) matches", result.stdout)}
    assert 100 < count <= 200, "100 for each number of players, fewer where they are long"
    assert f"{count} matches played" in result.stderr


def test_check_play_is_deterministic(tmp_path: Path) -> None:
    path = write_game(tmp_path, ENDLESS)
    first, again = (run("check", "--play", "--format", "json", path) for _ in range(2))
    assert first.stdout == again.stdout
    found = json.loads(first.stdout)
    assert found["notes"] == 1 and found["errors"] == found["warnings"] == 0
    assert [(trial["players"], trial["unended"]) for trial in found["play"][0]["trials"]] == [(2, 3), (3, 3)]


def test_endless_matches_name_the_loop(tmp_path: Path) -> None:
    result = run("check", "--play", "--format", "concise", write_game(tmp_path, ENDLESS))
    assert lines(result.stdout, "N502", ENDLESS) == ["repeat until round = 3"]


def test_biased_seat_is_noted(tmp_path: Path) -> None:
    result = run("check", "--play", "--format", "concise", write_game(tmp_path, FIRST_WINS))
    told = [line for line in result.stdout.splitlines() if "N503" in line and "2 players" in line]
    assert "of 2 players, seat 1 won 100, seat 2 won 0, with a mean of 50" in told[0]


def test_rule_error_is_reported(tmp_path: Path) -> None:
    text = NEVER.replace("  draw top 2 of deck", "  expect your score < 2\n  draw top 2 of deck")
    result = run("check", "--play", "--format", "concise", write_game(tmp_path, text))
    assert result.exit_code == 1
    assert lines(result.stdout, "error[R001]", text) == ["expect your score < 2"]


def test_simulate_prints_playtest_notes(tmp_path: Path) -> None:
    path = write_game(tmp_path, NEVER)
    result = run("simulate", path, "--games", "20")
    assert "separate playtest of 40 matches" in result.stdout
    assert lines(result.stdout, "was never chosen in 40 matches", NEVER) == ["option leave when your score > 90"]
    found = json.loads(run("simulate", path, "--games", "20", "--json").stdout)
    assert found["not_reached"]["matches"] == 40
    assert [rule["message"].split(" in ")[0] for rule in found["not_reached"]["rules"]] == [
        "This case was never used",
        "The option `leave` was never chosen",
        "This `if` was never true",
    ]


@pytest.mark.parametrize(("matches", "wins", "share"), [(10, 10, 0.5), (20, 3, 0.25), (50, 30, 1 / 3)])
def test_binomial_p_values_equal_exact_sums(matches: int, wins: int, share: float) -> None:
    """By exact sums of fractions."""
    p = Fraction(share)
    mass = [comb(matches, k) * p**k * (1 - p) ** (matches - k) for k in range(matches + 1)]
    exact = min(1, 2 * min(sum(mass[: wins + 1]), sum(mass[wins:])))
    assert compute_binomial_p_value(matches, wins, share) == pytest.approx(float(exact))


def test_small_samples_show_no_seat_bias() -> None:
    """70 of 200 where 50 are expected: 3.27 standard deviations, once in 1,000 for one seat, not for one of four."""
    assert find_biased_seats(200, [70, 43, 43, 44], 4) == []
    assert [seat for seat, _ in find_biased_seats(20_000, [7000, 4300, 4300, 4400], 4)] == [0, 1, 2, 3]


def test_fair_games_rarely_show_seat_bias() -> None:
    """A thousand tables of four with nothing but chance: about one in a thousand is told."""
    random, told = Random(1), 0
    for _ in range(1000):
        wins = [0] * 4
        for _ in range(100):
            wins[random.randrange(4)] += 1
        told += bool(find_biased_seats(100, wins, 4))
    assert told <= 5


@pytest.mark.slow
@pytest.mark.parametrize("name", ["tall_card", "tail_story", "cheat", "euchre", "gin_rummy"])
def test_coverage_does_not_change_play(name: str) -> None:
    game = cardlang.load(storage.find_game_file(name))
    covering = CoverageProgram(game, game.seats[0])
    assert play(compile_game(game, game.seats[0])) == play(covering)
    assert covering.reached


def play(program: Program) -> object:
    random, state = Random(3), program.start(3)
    for _ in range(200):
        if state.who < 0:
            break
        program.apply(state, state.legal[int(random.random() * len(state.legal))])
    return state.t, state.z, state.rng, state.fuel


def test_playtests_include_variants() -> None:
    game = cardlang.load(storage.find_game_file("tall_card"))
    variants = [cardlang.load(storage.find_game_file("tall_card"), each.title) for each in game.variants]
    trials = run_game_and_variant_playtests([game, *variants], 2).results
    assert [trial.game.variant for trial in trials[len(game.seats) :]] == [each.title for each in game.variants]
    assert all(trial.matches == 2 for trial in trials)


def test_playtest_stops_at_its_decision_limit() -> None:
    trial = run_playtest(cardlang.load(storage.find_game_file("whist")), 4)
    assert trial.matches < 100 and 10_000 <= trial.decisions < 10_000 + 3_000


DESIGN_MISTAKES = Path(__file__).parents[1] / "design_mistakes"


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("add 1 to starter's score", "draw top of deck to starter's hand"),
        ("add 1 to starter's score", "add total of starter's hand's value to starter's score"),
        ("number your score\n", "number your score\norder standing of player\n  lower count of hand\n"),
        ("deal top 7 of deck to your hand", "deal top 5 of deck to your hand\n  deal top of deck to starter's hand"),
    ],
    ids=["filled up again", "counted", "score", "not everybody"],
)
def test_kept_cards_may_be_intended(old: str, new: str) -> None:
    text = (DESIGN_MISTAKES / "never_played.cardgame").read_text("utf-8")
    codes = []
    for each in (text, text.replace(old, new)):
        codes.append(
            [finding.code for finding in run_game_and_variant_playtests([cardlang.loads(each)]).collect_diagnostics()]
        )
    assert "N513" in codes[0]
    assert "N513" not in codes[1]


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("number your bid", "number your bid starts each voyage at 0"),
        ("may choose amount from highest of players' bid + 1 to 9", "choose amount from 1 to 9"),
        ("set your bid to amount", "add amount to your bid"),
    ],
    ids=["begins again", "not looked at before", "added to"],
)
def test_invisible_old_choices_give_no_note(old: str, new: str) -> None:
    text = (DESIGN_MISTAKES / "bids_of_yesterday.cardgame").read_text("utf-8")
    assert text.count(old) == 1
    codes = {
        finding.code
        for finding in run_game_and_variant_playtests([cardlang.loads(text.replace(old, new))]).collect_diagnostics()
    }
    assert "N514" not in codes


@pytest.mark.slow
@pytest.mark.parametrize(
    ("name", "old", "new", "code"),
    [
        ("same_dealer", "    do voyage\n", "    do voyage\n    set dealer to dealer's left\n", "N515"),
        ("known_stock", "move table to deck\n", "move table to deck\n        shuffle deck\n", "N516"),
        ("known_stock", "zone table", "zone table seen by nobody", "N516"),
        ("known_stock", "zone deck seen by nobody", "zone deck", "N516"),
    ],
)
def test_fixed_mistakes_give_no_note(name: str, old: str, new: str, code: str) -> None:
    text = (DESIGN_MISTAKES / f"{name}.cardgame").read_text("utf-8")
    found = [
        {finding.code for finding in run_game_and_variant_playtests([cardlang.loads(each)]).collect_diagnostics()}
        for each in (text, text.replace(old, new))
    ]
    assert code in found[0]
    assert code not in found[1]


TAKEN = """\
step play
  shuffle deck
  deal deck to players' hand
  each player
    you play 1 from your hand to table
    move table to deck
    add (top of table) to your score
"""


@pytest.mark.parametrize(
    ("move", "emptied"),
    [
        ("move table to deck", True),
        ("move Pack to deck", True),
        ("take random of table to your hand", True),
        ("move bottom of deck to table\n    move table to deck", True),
        ("move deck to players' hand", False),
    ],
)
def test_missing_card_error_names_the_last_taker(move: str, emptied: bool) -> None:
    text = FRAME + TAKEN.replace("(top of table)", "(top of table)'s value").replace("move table to deck", move)
    (fault,) = [
        each
        for each in run_game_and_variant_playtests([cardlang.loads(text)]).collect_diagnostics()
        if each.code == "R001"
    ] or [None]
    assert (fault is not None) == emptied
    if fault is not None:
        ((span, said),) = fault.related
        assert (span.text, said) == (move.split("\n    ")[-1], "this took the last cards of `table`")


def test_full_round_of_dealers_counts_as_unchanged() -> None:
    text = (DESIGN_MISTAKES / "same_dealer.cardgame").read_text("utf-8")
    turned = text.replace("    do voyage\n", "    do voyage\n    each player\n      set dealer to dealer's left\n")
    assert "N515" in {
        finding.code for finding in run_game_and_variant_playtests([cardlang.loads(turned)]).collect_diagnostics()
    }
