"""`cardlang simulate`: both engines give the same results."""

import json
import os
import signal
from pathlib import Path

import pytest

from cardlang.analysis.balance.match_totals import MatchTotals
from cardlang.cli import parallel_jobs
from cardlang.cli.match_runs import MatchRun
from interpreter.native import background_engine_builds
from interpreter.native.compilers import NativeCompileError
from tests.cli.conftest import Run
from tests.native.following import needs_either

pytestmark = needs_either


def count_results(run: Run, *arguments: str) -> dict[str, object]:
    result = run("simulate", *arguments, "--json")
    assert result.exit_code == 0, result.output
    found: dict[str, object] = json.loads(result.stdout)
    for each in found["players"]:  # type: ignore[attr-defined]
        del each["decisions_per_second"]
    return found


@pytest.mark.slow
@pytest.mark.parametrize(
    ("name", "cap"), [("kuhn_poker", "25"), ("scopa", "25"), ("tall_card", "10000"), ("blackjack", "10000")]
)
def test_both_engines_give_equal_results(run: Run, name: str, cap: str) -> None:
    arguments = [name, "--games", "20", "--seed", "-3", "--cap", cap]
    native, plain = (count_results(run, *arguments, "--engine", engine) for engine in ("native", "python"))
    assert (native.pop("engine"), plain.pop("engine")) == ("native", "python")
    assert native == plain


def test_parallel_native_results_equal_serial_ones(run: Run) -> None:
    """Each has the state that it plays in to itself, though both come from the process that made the engine."""
    arguments = ["kuhn_poker", "--games", "40000", "--engine", "native"]
    assert count_results(run, *arguments, "--jobs", "2") == count_results(run, *arguments, "--jobs", "1")


def play_and_kill(run: MatchRun) -> MatchTotals:
    """Play a piece. Kill the process at match 25, once for each mark file."""
    marks = sorted(Path(run.game_key.path).parent.glob("*.mark"))
    if run.first == 25 and marks:
        marks[0].unlink()
        os.kill(os.getpid(), signal.SIGKILL)
    return run.play()


@pytest.mark.skipif(not hasattr(signal, "SIGKILL"), reason="processes are not killed like this here")
@pytest.mark.parametrize("engine", ["native", "python"])
def test_killed_workers_lose_no_matches(run: Run, duel: Path, monkeypatch: pytest.MonkeyPatch, engine: str) -> None:
    arguments = [str(duel), "--games", "200", "--seed", "0", "--players", "2", "--engine", engine]
    alone = count_results(run, *arguments)
    for number in range(2):
        duel.with_name(f"{number}.mark").touch()
    monkeypatch.setattr("cardlang.cli.match_runs.play_piece", play_and_kill)
    assert count_results(run, *arguments, "--jobs", "2") == alone
    assert not list(duel.parent.glob("*.mark"))


@pytest.mark.skipif(not hasattr(signal, "SIGKILL"), reason="processes are not killed like this here")
def test_repeatedly_killed_workers_are_an_error(run: Run, duel: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for number in range(9):
        duel.with_name(f"{number}.mark").touch()
    monkeypatch.setattr("cardlang.cli.match_runs.play_piece", play_and_kill)
    monkeypatch.setattr(parallel_jobs, "MAX_WORKER_DEATHS", 2)
    result = run(
        "simulate", duel, "--games", "200", "--seed", "0", "--players", "2", "--jobs", "2", "--engine", "python"
    )
    assert result.exit_code == 1
    assert "keep being killed" in result.output


def test_playout_bots_are_independent_of_job_count(run: Run) -> None:
    arguments = ["leduc_poker", "--games", "60", "--bot", "steady", "--seed", "4"]
    one, two = count_results(run, *arguments), count_results(run, *arguments, "--jobs", "2")
    assert one == two
    assert one["engine"] == "native"


def test_missing_compiler_falls_back_to_python_with_a_note(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(*_: object, **__: object) -> None:
        raise NativeCompileError("there is no C compiler")

    monkeypatch.setattr(background_engine_builds, "build_engine", refuse)
    monkeypatch.setattr(background_engine_builds, "_builds", {})
    result = run("simulate", "kuhn_poker", "--games", "3", "--bot", "search", "--json")
    assert json.loads(result.stdout)["engine"] == "python"
    assert result.stderr.count("there is no C compiler") == 1
    assert "Python engine plays" in result.stderr
