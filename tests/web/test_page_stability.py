"""Page elements don't move without reason, and are where users expect them."""

from __future__ import annotations

from pathlib import Path

import pytest
from playwright.sync_api import Browser, expect

from cardlang.ui.web.game_catalog import GameCatalog
from tests.game_files import read_game
from tests.web.people import SOON, Person, expect_question
from tests.web.serving import Server

BIDS = read_game("bids_page_stability")


WEATHER = BIDS.replace("number your score", 'number your score\nflag raining called "it rains" starts at yes').replace(
    "show your score", "show your score\nshow raining"
)


@pytest.mark.slow
def test_table_flags_are_in_the_middle(chromium: Browser, tmp_path: Path) -> None:
    """A flag that is nobody's, such as that hearts are broken."""
    game = tmp_path / "weather.cardgame"
    game.write_text(WEATHER)
    server = Server(tmp_path, str(game))
    try:
        ann = Person(chromium, server.url)
        ann.lay("Bids", ["random"])
        expect_question(ann)
        expect(ann.page.locator(".centre")).to_contain_text("it rains")
    finally:
        server.kill()


@pytest.mark.slow
def test_trick_cards_do_not_move(server: Server, chromium: Browser) -> None:
    """Each lies before who played it; who has not played has that room already. Measured in parts of the trick, which
    as a whole goes with what others have won."""
    ann = Person(chromium, server.url, 1280, 800)
    ann.lay("Whist", ["random"] * 3)
    lay: dict[str, list[float]] = {}
    within = """each => {
        const [card, trick] = [each, each.parentNode].map((which) => which.getBoundingClientRect());
        return (card.left + card.width / 2 - trick.left) / trick.width;
    }"""
    for _ in range(5):
        expect_question(ann)
        for card in ann.page.locator(".centre .cards.trick .at:not(.yet)").all():
            lay.setdefault(card.locator(".by").inner_text(), []).append(card.evaluate(within))
        ann.act()
    assert len(lay) >= 2 and all(max(places) - min(places) < 0.06 for places in lay.values())


@pytest.mark.slow
def test_small_ranges_are_buttons_and_large_ones_sliders(chromium: Browser, tmp_path: Path) -> None:
    """Six are few, seven are many."""
    game = tmp_path / "bids.cardgame"
    game.write_text(BIDS)
    server = Server(tmp_path, str(game))
    try:
        ann = Person(chromium, server.url)
        ann.lay("Bids", ["random"])
        expect_question(ann)
        slider = ann.page.locator(".amount input[type=range]")
        expect(ann.page.locator(".amount.few button")).to_have_text(["1", "2", "3", "4", "5", "6"])
        expect(slider).to_have_count(0)
        ann.page.locator(".amount.few button").nth(4).click()
        expect(slider).to_have_count(1, timeout=SOON)
        expect(ann.page.locator(".mine")).to_contain_text("5")
        assert not ann.faults
    finally:
        server.kill()


@pytest.mark.parametrize("between", ["\n", " "])
def test_game_description_ends_at_a_sentence(tmp_path: Path, between: str) -> None:
    file = tmp_path / "long.cardgame"
    lines = ['"The first sentence goes on,"', f'"and ends here. {"More " * 60}."']
    file.write_text(f'game "Long" for 2 players{between}' + "\n".join(lines))
    assert GameCatalog.from_paths([file]).list_titles()[0]["line"] == "The first sentence goes on, and ends here."


RECORD_HEIGHTS = """() => {
    const box = (which) => document.querySelector(which).getBoundingClientRect();
    const measure = () => [document.querySelector(".mine.asked") !== null,
        [box(".dock").top, box(".others .card").width, box(".mine .hands").top].map(Math.round)];
    window.heights = [measure()];
    const redraws = new MutationObserver(() => window.heights.push(measure()));
    redraws.observe(document.querySelector(".felt"), { childList: true });
}"""
"""Each time the table is drawn: whether the viewer is asked; where their own part begins, how large a card of another
is, where the hand begins."""


@pytest.mark.slow
def test_page_is_stable_while_giving_a_clue(server: Server, chromium: Browser) -> None:
    """In Fireworks there are twenty buttons while one is asked, two once a card is picked, none while others play."""
    ann = Person(chromium, server.url, 1280, 800)
    ann.lay("Fireworks", ["random", "random"])
    expect_question(ann)
    ann.page.evaluate(RECORD_HEIGHTS)
    ann.page.locator(".mine .hand .card").first.click()
    expect(ann.page.get_by_role("button", name="Cancel")).to_be_visible(timeout=SOON)
    ann.change(ann.page.get_by_role("button", name="Play card 1").click)
    expect_question(ann)
    (_, before), *between, (_, after) = ann.page.evaluate("() => window.heights")
    assert before[1] > 40
    assert after[1:] == before[1:]  # what others hold may take more room than ever
    assert all(heights == before for asked, heights in between if not asked) and between[0] == [True, before]
    assert not ann.faults
