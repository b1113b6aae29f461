"""Golden checksums, under any hash seed of Python."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests.golden.checksums import FILE

ROOT = Path(__file__).parents[2]


@pytest.mark.slow
def test_golden_checksums_are_unchanged() -> None:
    processes = [
        subprocess.Popen(
            [sys.executable, "-m", "tests.golden"],
            cwd=ROOT, env={**os.environ, "PYTHONHASHSEED": seed}, stdout=subprocess.PIPE, text=True,
        )
        for seed in ("1", "2")
    ]  # fmt: skip
    found = [process.communicate(timeout=120)[0].splitlines() for process in processes]
    kept = FILE.read_text(encoding="utf-8").splitlines()
    assert found[0] == kept
    assert found[1] == kept
