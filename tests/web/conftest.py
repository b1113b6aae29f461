"""Servers and a browser for page tests."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest

import cardlang
from cardlang.ui.web import client_message
from tests.web.pages import Serving, duel
from tests.web.serving import Server

sync_api = pytest.importorskip("playwright.sync_api", reason="playwright is not installed")

CHROMIUM = shutil.which("chromium") or shutil.which("chromium-browser") or shutil.which("google-chrome")


@pytest.fixture
def serving(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Serving]:
    monkeypatch.setattr(client_message, "WRONG_SECRET_DELAY", 0.0)
    found = Serving(tmp_path, duel(tmp_path), cardlang.shipped()["hearts"])
    with found.client:
        yield found


@pytest.fixture
def server(tmp_path: Path) -> Iterator[Server]:
    """A server with the games that come with cardlang."""
    found = Server(tmp_path)
    yield found
    found.kill()


@pytest.fixture
def chromium(launched: sync_api.Browser) -> Iterator[sync_api.Browser]:
    """Return a browser. Closing it closes the pages of a test, which would otherwise look for their server."""
    yield launched
    for context in launched.contexts:
        context.close()


@pytest.fixture(scope="module")
def launched() -> Iterator[sync_api.Browser]:
    """It goes with the tests of its file: as long as it is there, no other test can run an event loop."""
    if CHROMIUM is None:
        pytest.skip("there is no Chromium here")
    sync_api.expect.set_options(timeout=180_000)
    with sync_api.sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=["--no-sandbox"])
        yield browser
        browser.close()
