"""Game file for tests of reports."""

from pathlib import Path

import pytest

from tests.analysis.games import FIRST


@pytest.fixture
def first(tmp_path: Path) -> Path:
    path = tmp_path / "first.cardgame"
    path.write_text(FIRST, "utf-8")
    return path
