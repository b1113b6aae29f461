"""Output and exit code of each command."""

import json
from pathlib import Path

import pytest

import cardlang
from tests.cli.conftest import DUEL, Run
from tests.game_files import read_game


def broken(duel: Path) -> Path:
    duel.write_text(DUEL.replace("from your playable", "from your playble"), encoding="utf-8")
    return duel


def find_line(text: str) -> int:
    """Return the number of the line with this text in the small game."""
    return DUEL[: DUEL.index(text)].count("\n") + 1


# ---------------------------------------------------------------- check
def test_check_of_a_valid_file_is_silent(run: Run, duel: Path) -> None:
    result = run("check", duel)
    assert (result.exit_code, result.stdout) == (0, "")


def test_check_writes_findings_to_stdout_and_exits_1(run: Run, duel: Path) -> None:
    result = run("check", broken(duel), "--format", "concise")
    assert result.exit_code == 1
    assert result.stdout.count("\n") == 1
    assert f"{duel}:{find_line('you play')}:26: error[" in result.stdout and "playble" in result.stdout


def test_check_as_json(run: Run, duel: Path) -> None:
    result = run("check", broken(duel), "--format", "json")
    found = json.loads(result.stdout)
    assert found["errors"] == 1 and found["diagnostics"][0]["line"] == find_line("you play")


def test_check_includes_variants(run: Run, duel: Path) -> None:
    duel.write_text(DUEL.replace("deal top 4", "deal top 4 of dek #"), encoding="utf-8")
    assert run("check", duel).exit_code == 1


def test_unknown_file_suggests_a_similar_name(run: Run) -> None:
    result = run("check", "tal_card")
    assert result.exit_code == 2 and "Did you mean tall_card?" in result.stderr and result.stdout == ""


def test_folder_is_rejected_as_a_game(run: Run, tmp_path: Path) -> None:
    result = run("play", tmp_path)
    assert result.exit_code == 2 and "is a folder" in result.stderr


def test_folder_means_all_games_in_it(run: Run, duel: Path, tmp_path: Path) -> None:
    """Also in folders inside; libraries and files of examples are parts of games."""
    folder = tmp_path / "all"
    (folder / "inside").mkdir(parents=True)
    for name in ("one", "inside/two"):
        (folder / f"{name}.cardgame").write_text(duel.read_text("utf-8"), encoding="utf-8")
    (folder / "part.cardgame").write_text('# A part.\n\nlibrary "Part"\nnumber extra\n', encoding="utf-8")
    (folder / "more.cardgame").write_text('example "More" with Ann, Bob\n  expect 1 = 1\n', encoding="utf-8")
    assert run("check", folder).stderr == "no errors in 2 files\n"
    alone, both = (run("test", path).stdout.splitlines() for path in (duel, folder))
    assert both[:-1] == 2 * alone[:-1]
    (folder / "one.cardgame").unlink()
    (folder / "inside/two.cardgame").unlink()
    for command in ("check", "test"):
        result = run(command, folder)
        assert result.exit_code == 2 and "has no game" in result.stderr


# ---------------------------------------------------------------- test
def test_test_prints_each_example_and_totals(run: Run, duel: Path) -> None:
    result = run("test", duel)
    assert result.exit_code == 0
    assert result.stdout.splitlines() == ["ok      Duel: The suit led is followed", "1 passed, 0 failed"]


def test_failed_example_names_its_line_and_values(run: Run, duel: Path) -> None:
    duel.write_text(DUEL.replace("Bob's score = 0.5", "Bob's score = 1"), encoding="utf-8")
    result = run("test", duel)
    assert result.exit_code == 1
    assert result.stdout.startswith("FAILED  Duel: The suit led is followed")
    assert f"{duel}:{find_line('expect leader')}: expect leader = Bob and Bob's score = 1" in result.stdout
    assert "Bob's score = ½" in result.stdout
    assert result.stdout.endswith("0 passed, 1 failed\n")


def test_test_with_runs_examples_of_another_file(run: Run, duel: Path, tmp_path: Path) -> None:
    extra = tmp_path / "extra.cardgame"
    extra.write_text('example "Nothing yet" with Ann, Bob\n  expect Ann\'s score = 0\n', encoding="utf-8")
    result = run("test", duel, "--with", extra)
    assert "ok      Duel: Nothing yet" in result.stdout and result.stdout.endswith("2 passed, 0 failed\n")


def test_a_game_without_examples_says_so_before_the_totals(run: Run, duel: Path) -> None:
    duel.write_text(DUEL[: DUEL.index("example ")], encoding="utf-8")
    result = run("test", duel)
    assert result.stdout.splitlines() == ["This game has no examples.", "0 passed, 0 failed"]
    assert result.exit_code == 0


VARIANTS = read_game("fruit")
EXTRA = {
    "a card that a variant lacks": 'example "x" with Ann, Bob\n  given\n    Ann: hand [A]\n  expect Bob\'s score = 0\n',
    "a result that a variant changes": 'example "x" with Ann, Bob\n  do play\n  expect every player has score = 2\n',
    "a card in what is expected": 'example "x" with Ann, Bob\n  given\n    deck [A P]\n  expect deck = [A P]\n',
    "an example of a ruling": 'ruling "Which?"\n  "This."\n  example "x" with Ann, Bob\n    given\n      deck [A]\n'
    "    expect count of deck = 1\n",
}


@pytest.mark.parametrize("text", EXTRA.values(), ids=EXTRA)
def test_test_with_skips_variants(run: Run, tmp_path: Path, text: str) -> None:
    game, extra = tmp_path / "fruit.cardgame", tmp_path / "extra.cardgame"
    game.write_text(VARIANTS, encoding="utf-8")
    extra.write_text(text, encoding="utf-8")
    result = run("test", game, "--with", extra)
    assert result.stdout.endswith("1 passed, 0 failed\n"), result.output
    assert not any(each.game.examples for each in cardlang.load(game, examples=extra).variants)


def test_load_with_examples_uses_the_variant(tmp_path: Path) -> None:
    game, extra = tmp_path / "fruit.cardgame", tmp_path / "extra.cardgame"
    game.write_text(VARIANTS, encoding="utf-8")
    extra.write_text("example \"x\" with Ann, Bob\n  do play\n  expect Ann's score = 1 and Bob's score = 0\n", "utf-8")
    [example] = cardlang.load(game, variant="By hand", examples=extra).examples
    assert example.run().passed


def test_error_names_the_examples_file(run: Run, duel: Path, tmp_path: Path) -> None:
    extra = tmp_path / "extra.cardgame"
    extra.write_text('example "Wrong" with Ann, Bob\n  expect Ann\'s luck = 0\n', encoding="utf-8")
    result = run("test", duel, "--with", extra)
    assert result.exit_code == 1
    assert result.stdout == f"FAILED  {extra}: 1 error in the file\n0 passed, 1 failed\n"


def test_test_of_an_invalid_file_fails(run: Run, duel: Path) -> None:
    result = run("test", broken(duel))
    assert result.exit_code == 1 and "playble" in result.stderr
    assert result.stdout.endswith("0 passed, 1 failed\n")


# ---------------------------------------------------------------- play
def test_auto_play_stops_at_the_move_limit(run: Run, duel: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("cardlang.cli.commands.play.MAX_BOT_MOVES", 300)
    duel.write_text(DUEL.replace("remove table to deck", "take table to leader's hand"), encoding="utf-8")
    result = run("play", duel, "--auto", "--seed", "1", "--players", 2)
    assert result.exit_code == 0
    assert result.stderr == "The bots stop here: the match has not ended after 300 decisions.\n"
    assert "wins" not in result.stdout and 100 < len(result.stdout.splitlines()) < 2000


def test_bots_play_to_the_end(run: Run, duel: Path) -> None:
    result = run("play", duel, "--auto", "--seed", "1")
    assert result.exit_code == 0
    assert result.stdout.splitlines()[-3].startswith("1. ")
    assert result.stdout.splitlines()[-1].endswith(("wins with 1.", "share the win with ½."))
    assert run("play", duel, "--auto", "--seed", "1").stdout == result.stdout


def test_trace_shows_the_rule_of_each_line(run: Run, duel: Path) -> None:
    result = run("play", duel, "--auto", "--seed", "1", "--trace")
    assert f"duel.cardgame:{find_line('you play')}: you play 1 from your playable to table" in result.stdout


def test_trace_includes_unlogged_changes(run: Run, duel: Path) -> None:
    text = DUEL.replace("define lead-suit", "number heap starts each trick at 5\ndefine lead-suit", 1)
    duel.write_text(text.replace("step trick\n", "step trick\n  set heap to count of table\n", 1), encoding="utf-8")
    traced = run("play", duel, "--auto", "--seed", "1", "--trace").stdout
    assert "Heap: 0 (it was 5)." in traced and "Setup begins." in traced
    plain = run("play", duel, "--auto", "--seed", "1").stdout
    assert "it was" not in plain and "Setup" not in plain


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["--players", "9"], "Duel is for 2 or 3 players, not for 9."),
        (["--variant", "Lonk"], "Did you mean “Long”?"),
        (["--seat", "Ann=yuo"], "Did you mean you?"),
        (["--seat", "Ann"], "write NAME=KIND"),
        (["--seat", "Ann=you", "--seat", "ann=random"], "same name"),
        (["--trace"], "only with --auto"),
        (["--auto", "--seat", "Ann=you"], "Remove --seat"),
        (["--resume", "x.rec"], "not both"),
    ],
)
def test_usage_errors_are_one_line(run: Run, duel: Path, arguments: list[str], said: str) -> None:
    result = run("play", duel, *arguments)
    assert result.exit_code == 2 and said in result.stderr and result.stdout == ""


def test_errors_of_a_game_go_to_stderr(run: Run, duel: Path) -> None:
    result = run("play", broken(duel), "--auto")
    assert result.exit_code == 1 and result.stdout == "" and "playble" in result.stderr


# ---------------------------------------------------------------- records
def test_replay_shows_one_players_view(run: Run, duel: Path, tmp_path: Path) -> None:
    record = tmp_path / "duel.rec"
    played = run("play", duel, "--auto", "--seed", "1", "--record", record)
    told = run("replay", record)
    assert told.exit_code == 0 and told.stdout.splitlines()[-3:] == played.stdout.splitlines()[-3:]
    assert "Bob is dealt [" in told.stdout
    seen = run("replay", record, "--view", "Ann", "--until", "1").stdout
    assert "Bob is dealt 2 cards" in seen and "to act" in seen
    assert run("replay", record, "--view", "Kim").exit_code == 2


PASSING = read_game("passing")
VIEWERS: list[tuple[str, ...]] = [(), ("--view", "Ann"), ("--view", "Bob")]


def test_replay_hides_picks_in_progress(run: Run, tmp_path: Path) -> None:
    game, record = tmp_path / "passing.cardgame", tmp_path / "passing.rec"
    game.write_text(PASSING, encoding="utf-8")
    run("play", game, "--auto", "--seed", "3", "--record", record)
    first = json.loads(record.read_text(encoding="utf-8").splitlines()[1])
    card = first["text"].removeprefix("put ")
    assert first["player"] == "Ann" and card.startswith("[")
    asked = {who: run("replay", record, "--until", "1", *who).stdout.splitlines()[-1] for who in VIEWERS}
    own = f"Ann to act: Put 2 cards. So far: {card}."
    assert asked == {(): own, ("--view", "Ann"): own, ("--view", "Bob"): "Ann to act."}


def test_play_resumes_a_record(run: Run, duel: Path, tmp_path: Path) -> None:
    record = tmp_path / "duel.rec"
    assert run("play", duel, "--seed", "1", "--record", record, typed="1\n").exit_code == 0
    result = run("play", "--resume", record, typed="1\n1\n")
    assert result.stdout.splitlines()[-1].split()[-1] in ("1.", "½.")
    assert run("play", "--resume", record, "--auto").exit_code == 0


def test_altered_record_is_rejected_with_its_line(run: Run, duel: Path, tmp_path: Path) -> None:
    record = tmp_path / "duel.rec"
    run("play", duel, "--auto", "--seed", "1", "--record", record)
    lines = record.read_text(encoding="utf-8").splitlines(keepends=True)
    record.write_text("".join([lines[0], lines[1].replace('"move": 0', '"move": 1').replace("Ann", "Bob"), *lines[2:]]))
    result = run("replay", record)
    assert result.exit_code == 1 and f"{record}:2:" in result.stderr


def test_a_record_is_not_overwritten(run: Run, duel: Path, tmp_path: Path) -> None:
    record = tmp_path / "kept"
    record.write_text("precious")
    assert run("play", duel, "--auto", "--record", record).exit_code == 2
    assert record.read_text() == "precious"


# ---------------------------------------------------------------- the others
def test_simulate_counts_every_match(run: Run, duel: Path) -> None:
    result = run("simulate", duel, "--games", "30", "--json")
    told = json.loads(result.stdout)
    assert [each["players"] for each in told["players"]] == [2, 3]
    for each in told["players"]:
        shared = sum(each["shared_wins"])
        assert each["games"] == 30 and each["capped"] == 0
        assert sum(each["wins"]) + shared / 2 == 30
        assert each["decisions"]["total"] == 30 * 2 * each["players"]
        assert each["scores"]["lowest"] == 0 and each["scores"]["highest"] == 1


def test_simulate_counts_matches_at_the_move_limit(run: Run, duel: Path) -> None:
    result = run("simulate", duel, "--games", "3", "--players", "2", "--cap", "2")
    assert result.exit_code == 0 and "3 at the move limit" in result.stdout


def test_simulate_checks_expectations(run: Run, duel: Path) -> None:
    duel.write_text(DUEL.replace("  remove table to deck", "  remove table to deck\n  expect deck is empty"))
    result = run("simulate", duel, "--games", "1")
    assert result.exit_code == 1 and "seed 1" in result.stderr and f":{find_line('remove table') + 1}" in result.stderr


def test_new_game_passes_check_and_test_and_plays(run: Run, tmp_path: Path) -> None:
    path = tmp_path / "my_game.cardgame"
    assert run("new", tmp_path / "my_game").exit_code == 0
    assert path.read_text().startswith('game "My Game" for')
    assert run("check", path).exit_code == 0
    assert run("test", path).stdout.endswith("1 passed, 0 failed\n")
    assert run("play", path, "--auto", "--seed", "1").exit_code == 0
    assert run("new", tmp_path / "my_game").exit_code == 2
    assert run("new", tmp_path / "..").exit_code == 2


@pytest.mark.parametrize("stage", ["tokens", "tree", "game", "program"])
def test_show_prints_every_stage(run: Run, duel: Path, stage: str) -> None:
    result = run("show", duel, "--stage", stage)
    assert result.exit_code == 0 and "Duel" in result.stdout


def test_docs_writes_to_stdout_or_a_folder(run: Run, duel: Path, tmp_path: Path) -> None:
    assert run("docs", duel).stdout.startswith("# Duel")
    result = run("docs", tmp_path, "-o", tmp_path / "sheets")
    assert result.exit_code == 0 and result.stdout == ""
    assert (tmp_path / "sheets" / "duel.md").read_text(encoding="utf-8").startswith("# Duel")


def test_explain_knows_codes(run: Run) -> None:
    assert run("explain", "E201").exit_code == 0
    result = run("explain", "E999x")
    assert result.exit_code == 2 and "Unknown code" in result.stderr


def test_local_file_takes_precedence_over_a_bundled_game(
    run: Run, duel: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    text = duel.read_text("utf-8").replace('game "Duel"', 'game "My Own"')
    Path("tall_card.cardgame").write_text(text, encoding="utf-8")
    assert run("test", "tall_card").stdout.startswith("ok      My Own:")
    assert run("docs", "tall_card").stdout.startswith("# My Own\n")


def test_simulate_counts_matches_without_a_winner(run: Run, tmp_path: Path) -> None:
    file = tmp_path / "nobody.cardgame"
    file.write_text(
        'game "Nobody" for 2 players\ndefine winners as players\nstep play\n  each player\n    eliminate you\n',
        encoding="utf-8",
    )
    assert "  no winner  3\n" in run("simulate", file, "--games", "3").stdout + "\n"
    assert json.loads(run("simulate", file, "--games", "3", "--json").stdout)["players"][0]["nobody_won"] == 3


@pytest.mark.parametrize(("typed", "code"), [("r001", "R001"), ("R001", "R001"), ("e203", "E203")])
def test_explain_ignores_case(run: Run, typed: str, code: str) -> None:
    assert run("explain", typed).stdout.startswith(f"{code}: ")


@pytest.mark.parametrize("words", [["trade", "cards"], ["trade cards"], ["Trading a card"]])
def test_explain_finds_cookbook_entries(run: Run, words: list[str]) -> None:
    printed = run("explain", *words).stdout
    assert printed.startswith("Trade cards with another player\n\n")
    assert "\n    step your turn\n" in printed and "See also:\n  " in printed


def test_explain_reports_no_match(run: Run) -> None:
    result = run("explain", "frobnicate", "it")
    assert result.exit_code == 2 and "no entry in the cookbook" in result.stderr
