"""Native engine: no invalid memory access. `python -m tests.native.sanitized` checks all games."""

import subprocess

import pytest

from tests.native.following import needs_compiler
from tests.native.sanitized import play_sanitized
from tests.shipped import load


@pytest.mark.slow
@needs_compiler
@pytest.mark.parametrize("name", ["leduc_poker", "scopa"])
def test_sanitized_engine_has_no_faults(name: str) -> None:
    try:
        told = play_sanitized(load(name), 2, matches=5)
    except subprocess.CalledProcessError as error:
        if "cannot find -lasan" in error.stderr:
            pytest.skip("the compiler has no sanitizers")
        pytest.fail(error.stderr[:3000])
    decisions, _, faults = told.partition(" decisions, ")
    assert int(decisions) > 5 and faults == "0 faults"
