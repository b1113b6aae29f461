"""Settings for all tests: a private cache folder, and a mode that forbids skipped tests."""

import os
import tempfile

import pytest

KEPT = tempfile.TemporaryDirectory(prefix="cardlang-tests-")
os.environ["XDG_CACHE_HOME"] = KEPT.name


def pytest_sessionfinish(session: pytest.Session) -> None:
    """Fail a run with skipped tests where CARDLANG_TESTS_SKIP_NOTHING is set: there every tool has to be installed."""
    reporter = session.config.pluginmanager.get_plugin("terminalreporter")
    if reporter is not None and reporter.stats.get("skipped") and "CARDLANG_TESTS_SKIP_NOTHING" in os.environ:
        session.exitstatus = pytest.ExitCode.TESTS_FAILED
