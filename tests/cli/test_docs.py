"""`cardlang docs`: the files it writes, and `--watch`."""

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from cardlang.cli.commands import docs
from cardlang.cli.main import cli

GAME = """game "{title}" for 2 players
number your score
step play
  each player
    add 1 to your score
"""


def run(*arguments: str | Path) -> Result:
    return CliRunner().invoke(cli, ["docs", *map(str, arguments)])


def game(path: Path, title: str) -> Path:
    path.parent.mkdir(exist_ok=True)
    path.write_text(GAME.format(title=title), encoding="utf-8")
    return path


# ---------------------------------------------------------------- sheets that would be the same file
@pytest.mark.parametrize("names", [("x", "x"), ("x", "X"), ("x", "x-aid")])
def test_docs_rejects_two_games_of_one_name(tmp_path: Path, names: tuple[str, str]) -> None:
    first, second = (tmp_path / folder / f"{name}.cardgame" for folder, name in zip("ab", names, strict=True))
    game(first, "First"), game(second, "Second")
    out = tmp_path / "out"
    result = run(first, second, "-o", out)
    assert result.exit_code == 2 and not out.exists()
    assert str(first) in result.output and str(second) in result.output and "different folders" in result.output


def test_docs_writes_each_sheet_next_to_its_game(tmp_path: Path) -> None:
    for folder in "ab":
        game(tmp_path / folder / "x.cardgame", folder)
    assert run(tmp_path).exit_code == 0
    for folder in "ab":
        assert (tmp_path / folder / "x.md").read_text(encoding="utf-8").startswith(f"# {folder}\n")


def test_docs_writes_a_repeated_game_once(tmp_path: Path) -> None:
    file = game(tmp_path / "x.cardgame", "Once")
    result = run(file, tmp_path, tmp_path / "x", "-o", tmp_path)
    assert result.exit_code == 0 and result.output.count("x.md") == 1


# ---------------------------------------------------------------- examples that do not hold
EXAMPLES = """
example "One each" with Ann, Bob
  do play
  expect Ann's score = {score}
variant "Start at ten"
  number your score starts at 10
  example "Eleven each" with Ann, Bob
    do play
    expect Ann's score = {later}
"""


@pytest.mark.parametrize(
    ("score", "later", "told", "left_out"),
    [
        (1, 11, ["One each", "Eleven each"], []),
        (2, 11, ["Eleven each"], ["One each"]),
        (1, 12, ["One each"], ["Eleven each"]),
        (2, 12, [], ["One each", "Eleven each"]),
    ],
)
def test_failing_examples_are_not_printed(
    tmp_path: Path, score: int, later: int, told: list[str], left_out: list[str]
) -> None:
    """Neither the first time nor when it is known from before."""
    file = game(tmp_path / "x.cardgame", "Examples")
    file.write_text(file.read_text("utf-8") + EXAMPLES.format(score=score, later=later), encoding="utf-8")
    for _ in range(2):
        result = run(file)
        assert result.exit_code == 0
        assert all(f"“{title}”" in result.output for title in left_out)
        assert ("leaves out" in result.output) == bool(left_out)
        assert all(f"**{title}.**" in result.stdout for title in told)
        assert not any(f"**{title}.**" in result.stdout for title in left_out)


def test_changed_rules_rerun_the_examples(tmp_path: Path) -> None:
    file = game(tmp_path / "x.cardgame", "Examples")
    text = file.read_text("utf-8") + EXAMPLES.format(score=1, later=11)
    file.write_text(text, encoding="utf-8")
    assert "leaves out" not in run(file).output
    file.write_text(text.replace("add 1", "add 3"), encoding="utf-8")
    assert "“One each”, “Eleven each”" in run(file).output


# ---------------------------------------------------------------- watching
@pytest.fixture
def plan_acts(monkeypatch: pytest.MonkeyPatch) -> Callable[..., None]:
    """Return a function that plans actions between two looks at the files. Ctrl-C follows the last."""

    def plan(*acts: Callable[[], object]) -> None:
        todo: Iterator[Callable[[], object]] = iter(acts)

        def sleep(seconds: float) -> None:
            act = next(todo, None)
            if act is None:
                raise KeyboardInterrupt
            act()

        monkeypatch.setattr(docs.time, "sleep", sleep)

    return plan


def test_watch_rewrites_changed_games(tmp_path: Path, plan_acts: Callable[..., None]) -> None:
    files = [game(tmp_path / f"{name}.cardgame", "Before") for name in "xy"]
    sheets: list[str] = []
    sheet = tmp_path / "out" / "x.md"

    def note() -> None:
        sheets.append(sheet.read_text(encoding="utf-8").splitlines()[0])

    plan_acts(note, lambda: game(files[0], "After a change"), note)
    result = run(*files, "-o", tmp_path / "out", "--watch")
    assert result.exit_code == 130
    assert sheets == ["# Before", "# After a change"]
    assert result.output.count("x.md") == 2 and result.output.count("y.md") == 1


def test_watch_follows_libraries(tmp_path: Path, plan_acts: Callable[..., None]) -> None:
    file, library, inner = (tmp_path / f"{name}.cardgame" for name in ("x", "tokens", "more"))
    file.write_text(GAME.format(title="Tokens").replace("number your score\n", "use tokens\n"), encoding="utf-8")
    library.write_text('library "Tokens" "Some."\n\nuse more\n', encoding="utf-8")
    inner.write_text('library "More" "Some."\n\nnumber your score "Once."\n', encoding="utf-8")
    sheets: list[str] = []

    def note() -> None:
        sheets.append((tmp_path / "x.md").read_text(encoding="utf-8"))

    plan_acts(note, lambda: inner.write_text(inner.read_text().replace("Once", "And again"), encoding="utf-8"), note)
    assert run(file, "--watch").exit_code == 130
    assert ["And again." in sheet for sheet in sheets] == [False, True]


def test_watch_survives_errors(tmp_path: Path, plan_acts: Callable[..., None]) -> None:
    file = game(tmp_path / "x.cardgame", "Before")
    sheet = tmp_path / "x.md"
    kept: list[str] = []

    def broken() -> None:
        file.write_text(GAME.format(title="Broken").replace("score\nstep", "scorn\nstep"), encoding="utf-8")

    plan_acts(
        broken,
        lambda: kept.append(sheet.read_text(encoding="utf-8")),
        file.unlink,
        lambda: game(file, "Whole again"),
        lambda: kept.append(sheet.read_text(encoding="utf-8")),
    )
    result = run(file, "--watch")
    assert "error[E202]: A player has no `score`" in result.output
    assert [text.splitlines()[0] for text in kept] == ["# Before", "# Whole again"]
    assert result.exit_code == 130


def test_docs_of_a_bundled_game_go_to_the_working_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    assert run("kuhn_poker", "--format", "html").exit_code == 0
    assert {path.name for path in tmp_path.iterdir()} == {"kuhn_poker.html", "kuhn_poker-aid.html"}
