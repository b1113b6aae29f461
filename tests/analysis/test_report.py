"""`cardlang simulate --report`: the page, its figures, and failures while writing it."""

import json
import os
import re
import signal
from html.parser import HTMLParser
from pathlib import Path

import click
import pytest
from attrs import evolve
from click.testing import CliRunner, Result

import cardlang
from cardlang import storage
from cardlang.cli import match_runs, parallel_jobs
from cardlang.cli.main import cli
from cardlang.cli.parallel_jobs import load_cached_game, register_game
from tests.analysis.games import ENDLESS, FIRST, RACE
from tests.docs import schema


def run(*arguments: object) -> Result:
    return CliRunner().invoke(cli, ["simulate", *map(str, arguments)])


@pytest.mark.parametrize("bots", [(), ("--seat", "Ann=easy", "--seat", "Bob=random")], ids=["random", "mixed"])
def test_job_count_does_not_change_the_report(first: Path, bots: tuple[str, ...]) -> None:
    pages = []
    for count in (1, 2, 3):
        page = first.with_name(f"{count}.html")
        result = run(first, "--games", 45, "--jobs", count, "--report", page, *bots)
        assert result.exit_code == 0, result.output
        pages.append(page.read_bytes())
    assert pages[0] == pages[1] == pages[2]


def test_json_matches_the_schema(first: Path) -> None:
    result = run(first, "--games", 10, "--report", first.with_suffix(".html"), "--json")
    told = json.loads(result.stdout)
    form = json.loads(schema.REPORT_PATH.read_text("utf-8"))
    assert fits(told, {"$ref": "#/$defs/Balance"}, form["$defs"])
    assert [chapter["players"] for chapter in told["chapters"]] == [2, 3]


def test_report_schema_matches_the_classes() -> None:
    assert schema.REPORT_PATH.read_text("utf-8") == schema.report_schema()


def fits(value: object, form: dict[str, object], defined: dict[str, dict[str, object]]) -> bool:
    """Return whether a value fits a schema, for the keywords that our schema uses."""
    if "$ref" in form:
        return fits(value, defined[str(form["$ref"]).rpartition("/")[2]], defined)
    if "anyOf" in form:
        return any(fits(value, each, defined) for each in form["anyOf"])  # type: ignore[attr-defined]
    if "enum" in form:
        return value in form["enum"]  # type: ignore[operator]
    if form["type"] == "object":
        properties = form["properties"]
        assert isinstance(properties, dict)
        return (
            isinstance(value, dict)
            and value.keys() == properties.keys()
            and all(fits(value[name], each, defined) for name, each in properties.items())
        )
    if form["type"] == "array":
        if not isinstance(value, list):
            return False
        forms = form.get("prefixItems") or [form["items"]] * len(value)
        return len(forms) == len(value) and all(fits(*both, defined) for both in zip(value, forms, strict=True))  # type: ignore[arg-type]
    kinds = {"string": str, "integer": int, "number": (int, float), "boolean": bool, "null": type(None)}
    return isinstance(value, kinds[str(form["type"])])


class Page(HTMLParser):
    """The tags and the texts of a page. `open`: tags that are not closed."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.tags: list[tuple[str, dict[str, str | None]]] = []
        self.texts: list[str] = []
        self.open: list[str] = []
        self.feed(text)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append((tag, dict(attrs)))
        if tag not in ("meta", "rect", "line", "circle", "polyline"):
            self.open.append(tag)

    def handle_endtag(self, tag: str) -> None:
        if self.open and self.open[-1] == tag:
            self.open.pop()

    def handle_data(self, data: str) -> None:
        self.texts.append(data)


def test_report_page_is_self_contained(first: Path) -> None:
    page = first.with_suffix(".html")
    run(first, "--games", 10, "--report", page)
    found = Page(page.read_text("utf-8"))
    assert not found.open
    names = {name for tag, attrs in found.tags for name in attrs}
    assert not {tag for tag, _ in found.tags} & {"script", "img", "link", "iframe", "object", "base", "form"}
    assert not {name for name in names if name.startswith("on") or name in ("src", "style")}
    assert all(str(attrs["href"]).startswith("#") for tag, attrs in found.tags if tag == "a")
    assert not re.search(r"url\(|@import|https?:", page.read_text("utf-8"))


def test_report_escapes_game_texts(tmp_path: Path) -> None:
    path = tmp_path / "a.cardgame"
    path.write_text(FIRST.replace('"First"', '"<script>alert(1)</script> & \\{\\{ 7 * 7 }}"'), "utf-8")
    page = tmp_path / "a.html"
    result = run(path, "--games", 5, "--report", page, "--seat", "<b>Ann</b>=easy", "--seat", "</svg>=random")
    assert result.exit_code == 0, result.output
    found = Page(page.read_text("utf-8"))
    assert "script" not in {tag for tag, _ in found.tags} and "b" not in {tag for tag, _ in found.tags}
    assert "<script>alert(1)</script> & {{ 7 * 7 }}" in found.texts
    assert any("<b>Ann</b>" in text for text in found.texts)


# ---------------------------------------------------------------- what goes wrong
def test_report_creates_missing_folders(first: Path) -> None:
    page = first.parent / "new" / "deep" / "page.html"
    assert run(first, "--games", 5, "--report", page).exit_code == 0
    assert page.read_text("utf-8").startswith("<!DOCTYPE html>")


@pytest.mark.parametrize("lies", ["text", "game", "folder"])
def test_report_does_not_overwrite_other_files(first: Path, lies: str) -> None:
    page = first if lies == "game" else first.with_name("page.html")
    if lies == "text":
        page.write_text("my notes", "utf-8")
    elif lies == "folder":
        page.mkdir()
    before = page.read_bytes() if page.is_file() else None
    result = run(first, "--games", 5, "--report", page)
    assert result.exit_code == 1 and "Traceback" not in result.output
    assert (page.read_bytes() if page.is_file() else None) == before


def test_full_disk_leaves_no_partial_report(first: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def full(path: Path, data: bytes, mode: int = 0) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(storage, "replace_file", full)
    result = run(first, "--games", 5, "--report", first.with_suffix(".html"))
    assert result.exit_code == 1
    assert "cannot be written: no space left on device" in result.output
    assert sorted(each.name for each in first.parent.iterdir()) == ["first.cardgame"]


@pytest.mark.parametrize("games", ["0", "-1", "x"])
def test_report_rejects_zero_games(first: Path, games: str) -> None:
    assert run(first, "--games", games, "--report", first.with_suffix(".html")).exit_code == 2


def test_simulate_rejects_people(first: Path) -> None:
    result = run(first, "--games", 5, "--seat", "Ann=you")
    assert result.exit_code == 2 and "Traceback" not in result.output


def test_simulate_stops_endless_matches(tmp_path: Path) -> None:
    path = tmp_path / "endless.cardgame"
    path.write_text(ENDLESS, "utf-8")
    result = run(path, "--games", 10**9, "--cap", 20, "--seat", "Ann=random")
    assert result.exit_code == 0, result.output
    assert "hit the move limit" in result.output


# ---------------------------------------------------------------- interrupted
def interrupt_after(pieces: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """Press Ctrl-C after this number of pieces."""
    left = [pieces]
    whole = match_runs.play_piece

    def part(run: match_runs.MatchRun) -> object:
        if not left[0]:
            raise KeyboardInterrupt
        left[0] -= 1
        return whole(run)

    monkeypatch.setattr(match_runs, "play_piece", part)


@pytest.mark.slow
@pytest.mark.parametrize("name", ["hearts", "texas_holdem", "tall_card", "tail_story", "golf", "kuhn_poker"])
def test_game_reports_one_match(tmp_path: Path, name: str) -> None:
    """After a single match most cards of a library's pack were neither held nor chosen."""
    players = min(cardlang.load(name).seats)
    page = tmp_path / "page.html"
    result = run(name, "--games", 1, "--players", players, "--cap", 100, "--report", page)
    assert result.exit_code == 0, result.output
    assert page.exists()


def test_interrupted_report_resumes(first: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    whole, page = first.with_name("whole.html"), first.with_name("page.html")
    run(first, "--games", 60, "--report", whole)
    with monkeypatch.context() as patch:
        interrupt_after(4, patch)
        result = run(first, "--games", 60, "--report", page)
    assert result.exit_code == 130
    assert "Run the same command to continue." in result.output
    assert "interrupted after 80 matches" in page.read_text("utf-8")
    result = run(first, "--games", 60, "--report", page)
    assert result.exit_code == 0 and "Continuing after 80 matches" in result.output
    assert page.read_bytes() == whole.read_bytes()
    assert not first.with_name("page.html.part").exists()


def test_changed_rules_restart_the_report(first: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    page = first.with_name("page.html")
    with monkeypatch.context() as patch:
        interrupt_after(2, patch)
        run(first, "--games", 60, "--report", page)
    first.write_text(FIRST.replace("add worth", "add 1 + worth"), "utf-8")
    result = run(first, "--games", 60, "--report", page)
    assert result.exit_code == 0 and "Starting from the beginning" in result.output


@pytest.mark.parametrize("engine", ["python", "native"])
def test_edited_file_is_reloaded_in_one_process(first: Path, engine: str) -> None:
    """In one process, which keeps the games that it has played."""

    def scores() -> list[object]:
        told = json.loads(run(first, "--games", 30, "--engine", engine, "--json").stdout)
        return [each["scores"] for each in told["players"]]

    before = scores()
    first.write_text(FIRST.replace("add worth", "add 1 + worth"), "utf-8")
    assert scores() != before
    first.write_text(FIRST, "utf-8")
    assert scores() == before


def test_worker_rejects_changed_rules(first: Path) -> None:
    rules = register_game(cardlang.load(first), str(first))
    assert load_cached_game(rules).title == "First"
    with pytest.raises(click.ClickException, match="changed during the match"):
        load_cached_game(evolve(rules, digest="of what stood there before"))


@pytest.mark.parametrize(
    "broken", [b"", b"{", parallel_jobs.CHECKPOINT_START, parallel_jobs.CHECKPOINT_START + b', "of": 1, "sums": []}']
)
def test_unreadable_checkpoint_restarts(first: Path, broken: bytes) -> None:
    page = first.with_name("page.html")
    first.with_name("page.html.part").write_bytes(broken)
    result = run(first, "--games", 5, "--report", page)
    assert "Traceback" not in result.output
    assert result.exit_code == (1 if broken == b"{" else 0)


def test_early_interrupt_writes_nothing(first: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    interrupt_after(0, monkeypatch)
    result = run(first, "--games", 5, "--report", first.with_name("page.html"))
    assert result.exit_code == 130
    assert sorted(each.name for each in first.parent.iterdir()) == ["first.cardgame"]


def kill_third_piece(run: match_runs.MatchRun) -> object:
    """Kill the first process that plays the third piece."""
    mark = Path(run.game_key.path).with_name("killed")
    if run.first == 2 * match_runs.PIECE_SIZE and not mark.exists():
        mark.touch()
        os.kill(os.getpid(), signal.SIGKILL)
    return run.play()


def test_killed_worker_loses_nothing(first: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    pages = first.with_name("1.html"), first.with_name("2.html")
    assert run(first, "--games", 150, "--players", 2, "--report", pages[0]).exit_code == 0
    monkeypatch.setattr(match_runs, "play_piece", kill_third_piece)
    result = run(first, "--games", 150, "--players", 2, "--jobs", 2, "--report", pages[1])
    assert result.exit_code == 0 and "was killed" in result.output
    assert first.with_name("killed").exists()
    assert pages[0].read_bytes() == pages[1].read_bytes()


def test_device_output_has_no_checkpoint() -> None:
    assert parallel_jobs.Checkpoint.create(Path("/dev/null"), "").path is None


def test_constant_length_has_a_plot(tmp_path: Path) -> None:
    path = tmp_path / "race.cardgame"
    path.write_text(RACE, "utf-8")
    page = tmp_path / "race.html"
    assert run(path, "--games", 5, "--report", page).exit_code == 0
    assert "Every match takes 6 decisions." in page.read_text("utf-8")
