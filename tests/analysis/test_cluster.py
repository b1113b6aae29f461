"""`--cluster`: same results as one process, even if workers are killed. Skipped without Dask."""

import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from cardlang.cli.main import cli
from cardlang.cli.parallel_jobs import Checkpoint
from tests.analysis.games import FIRST

pytest.importorskip("distributed", reason="Dask is not installed: pip install 'cardlang[cluster]'")

WORKERS = 4


class Cluster:
    """A scheduler and workers without nannies: who is killed stays away."""

    def __init__(self, folder: Path) -> None:
        self.folder, self.file = folder, folder / "scheduler.json"
        self.scheduler = self.begin("scheduler", "--port", "0", "--no-dashboard", "--scheduler-file", str(self.file))
        while not self.file.exists():
            assert self.scheduler.poll() is None
            time.sleep(0.05)
        self.workers: list[subprocess.Popen[bytes]] = []

    def begin(self, *arguments: str) -> subprocess.Popen[bytes]:
        return subprocess.Popen(
            [sys.executable, "-m", "dask", *arguments, "--host", "127.0.0.1"],
            stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, cwd=self.folder,
            env=os.environ | {"PYTHONPATH": str(Path(__file__).parents[2])},
        )  # fmt: skip

    def hire(self, count: int) -> None:
        given = ["--scheduler-file", str(self.file), "--nthreads", "1", "--no-nanny", "--no-dashboard"]
        self.workers += [self.begin("worker", *given, "--local-directory", str(self.folder)) for _ in range(count)]

    @property
    def address(self) -> str:
        return str(json.loads(self.file.read_text("utf-8"))["address"])

    def end(self) -> None:
        for process in (*self.workers, self.scheduler):
            process.kill()
            process.wait()


@pytest.fixture
def cluster(tmp_path: Path) -> Iterator[Cluster]:
    found = Cluster(tmp_path)
    yield found
    found.end()


def run(*arguments: object) -> Result:
    return CliRunner().invoke(cli, list(map(str, arguments)))


@pytest.mark.slow
def test_killed_cluster_workers_change_nothing(cluster: Cluster, first: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Nothing is lost, nothing counted twice: the page has the bytes of one process."""
    cluster.hire(WORKERS)
    kept, pieces = Checkpoint.save_periodically, [0]

    def keep(unfinished: Checkpoint, build_results: Callable[[], object]) -> None:
        pieces[0] += 1
        if pieces[0] in (5, 15):
            os.kill(cluster.workers[pieces[0] // 10].pid, signal.SIGKILL)
        kept(unfinished, build_results)

    alone, together = first.with_name("alone.html"), first.with_name("together.html")
    assert run("simulate", first, "--games", 400, "--report", alone).exit_code == 0
    monkeypatch.setattr(Checkpoint, "save_periodically", keep)
    result = run("simulate", first, "--games", 400, "--report", together, "--cluster", cluster.address)
    assert result.exit_code == 0, result.output
    assert pieces[0] == 40
    assert sum(worker.poll() is None for worker in cluster.workers) == WORKERS - 2
    assert alone.read_bytes() == together.read_bytes()


@pytest.mark.slow
def test_cluster_compares_games_of_one_name(cluster: Cluster, first: Path) -> None:
    cluster.hire(1)
    pages = [first.with_name(name) for name in ("1.html", "2.html")]
    for text in (FIRST, FIRST.replace("add worth", "add 3 + worth")):
        first.write_text(text, "utf-8")
        for page, where in zip(pages, ([], ["--cluster", cluster.address]), strict=True):
            result = run("compare", first, first, "--games", 40, "--report", page, *where)
            assert result.exit_code == 0, result.output
        assert pages[0].read_bytes() == pages[1].read_bytes()


def test_missing_scheduler_is_reported(first: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    from cardlang.cli import parallel_jobs

    monkeypatch.setattr(parallel_jobs, "CONNECT_TIMEOUT", 1)
    result = run("simulate", first, "--games", 5, "--cluster", "tcp://127.0.0.1:9")
    assert result.exit_code == 1 and "There is no Dask scheduler at tcp://127.0.0.1:9" in result.output
    result = run("simulate", first, "--games", 5, "--cluster", "nonsense://x y")
    assert result.exit_code == 1 and "There is no Dask scheduler" in result.output


def test_missing_workers_are_reported(cluster: Cluster, first: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    from cardlang.cli import parallel_jobs as room

    monkeypatch.setattr(room, "CONNECT_TIMEOUT", 1)
    result = run("simulate", first, "--games", 5, "--cluster", cluster.address)
    assert result.exit_code == 1 and "has no workers" in result.output


def test_jobs_and_cluster_exclude_each_other(first: Path) -> None:
    result = run("simulate", first, "--games", 5, "--cluster", "tcp://127.0.0.1:9", "--jobs", 2)
    assert result.exit_code == 2
