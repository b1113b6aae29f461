"""Picture of a table in a browser: `python -m tests.docs.browser` redraws docs/pictures/browser.png.

The table is the Tall Card table of `tests.docs.pictures`, as its first player sees it. Needs Chromium and the
packages of the extra `dev`."""

import tempfile
from pathlib import Path

from playwright.sync_api import Browser, Page, sync_playwright

import cardlang
from cardlang.ui.web.database import Store, StoredSeat
from cardlang.ui.web.game_catalog import GameVersion, build_version_key
from interpreter.match.match import Match
from interpreter.match.match_record import build_header
from tests.docs.pictures import FOLDER, NAMES, SHOWN, play_on
from tests.web.conftest import CHROMIUM
from tests.web.serving import Server

GAME = "tall_card"
FLAT = ".felt, .mine { background: #246a46 !important; } .card img { filter: none !important; }"
"""Style without shades, which make PNG files large."""
SIZE = {"width": 1120, "height": 700}


def lay(store: Store) -> list[str]:
    """Set up a table with some moves played, and return the links of its seats."""
    players, choices = SHOWN[GAME]
    seats = [StoredSeat(name, "person", True) for name in NAMES[:players]]
    number = store.create_room(GAME, None, False, seats, 0)
    match = cardlang.load(GAME).start([seat.name for seat in seats], seed=7)
    assert isinstance(match, Match)
    match.attach_recorder(
        store.create_match(
            number, match.game.title, build_version_key(GameVersion.from_game(match.game)), build_header(match)
        )
    )
    play_on(match, choices)
    return [link.secret for link in store.read_links(number) if link.seat is not None]


def open_page(browser: Browser, url: str) -> Page:
    page = browser.new_context(viewport=SIZE, reduced_motion="reduce", bypass_csp=True).new_page()  # type: ignore[arg-type]
    page.goto(url)
    page.locator(".mine").wait_for()  # who has folded has no hand
    return page


def main() -> None:
    assert CHROMIUM is not None, "There is no Chromium."
    with tempfile.TemporaryDirectory() as folder, sync_playwright() as playwright:
        store = Store(Path(folder) / "tables.db")
        links = lay(store)
        store.close()
        server = Server(Path(folder))
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=["--no-sandbox"])
        try:
            pages = [open_page(browser, f"{server.url.partition('#')[0]}#table/{link}") for link in links]
            pages[0].wait_for_function("() => !document.querySelector('.chip')?.textContent.includes('away')")
            pages[0].wait_for_load_state("networkidle")
            pages[0].screenshot(path=FOLDER / "pictures" / "browser.png", style=FLAT)
        finally:
            browser.close()
            server.kill()


if __name__ == "__main__":
    main()
