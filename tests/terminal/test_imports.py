"""Imports: only the full screen loads Textual."""

from __future__ import annotations

import subprocess
import sys

import pytest

TRY = """
import io, sys
from cardlang.cli.main import main
sys.stdin = io.StringIO("quit\\n")
try:
    main()
except SystemExit:
    pass
print("textual" in sys.modules, file=sys.stderr)
"""


@pytest.mark.slow
@pytest.mark.parametrize(
    "args",
    [
        ["check", "kuhn_poker"],
        ["play", "kuhn_poker", "--auto", "--seed", "1"],
        ["play", "kuhn_poker", "--plain", "--seed", "1"],
        ["play", "kuhn_poker", "--seed", "1"],  # no terminal
        [],
    ],
)
def test_only_the_full_screen_imports_textual(args: list[str]) -> None:
    done = subprocess.run([sys.executable, "-c", TRY, *args], capture_output=True, text=True, timeout=120, check=False)
    assert done.stderr.splitlines()[-1:] == ["False"], done.stderr
