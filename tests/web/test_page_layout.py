"""Layout of tables in large and small windows: nothing important is covered."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from playwright.sync_api import Browser, expect

from tests.web.people import SOON, Person, box_of, expect_question, hand, play, seat_two, tables, wait_for_same_position
from tests.web.serving import STONES, Server


@pytest.mark.slow
def test_grid_is_drawn_in_rows_and_columns(server: Server, chromium: Browser) -> None:
    """Six cards of Golf lie in three columns and two rows, whichever are turned."""
    ann = Person(chromium, server.url)
    ann.lay("Golf", ["random"])
    expect_question(ann)
    cards = ann.page.locator(".mine .grid .card")
    for _ in range(2):
        expect(cards).to_have_count(6)
        boxes = [box for card in cards.all() if (box := card.bounding_box())]
        assert [len({round(box[side]) for box in boxes}) for side in ("x", "y")] == [3, 2]  # type: ignore[literal-required]
        ann.act()


@pytest.mark.slow
def test_results_cover_the_table_until_continue(server: Server, chromium: Browser) -> None:
    """One hand of Kuhn Poker: in the end stands who won and why. It goes, and can be had back; another match can
    be begun while it lies there and when it does not."""
    ann = Person(chromium, server.url)
    ann.lay("Kuhn Poker", ["random"])
    play([ann])
    results, again = ann.page.locator(".results"), ann.page.get_by_role("button", name="Play again")
    expect(results.locator(".end")).to_contain_text(re.compile("wins? the match[.]"), timeout=SOON)
    ann.page.keyboard.press("Escape")
    expect(results).to_be_hidden()
    expect(again).to_be_visible()
    ann.page.locator(".moment.had button").first.click()
    expect(results.locator(".end")).to_be_visible()
    again.click()
    expect(ann.page.locator(".mine .hand .card")).to_have_count(1, timeout=SOON)
    expect(results).to_be_hidden()
    assert not ann.faults


@pytest.mark.slow
def test_legal_pile_tops_are_outlined(server: Server, chromium: Browser) -> None:
    """In Black Hole the tops of fans are played: those that can be are outlined, as the cards of a hand are."""
    ann = Person(chromium, server.url)
    ann.lay("Black Hole", [])
    expect_question(ann)
    shown = ann.page.locator(".kind .card.open img")
    expect(shown).to_have_count(len(tables(ann)[-1]["ask"]["actions"]))
    for each in shown.all():
        assert each.evaluate("node => getComputedStyle(node).outlineStyle") == "solid"


@pytest.mark.slow
def test_panels_never_overlap(server: Server, chromium: Browser) -> None:
    """A game of many piles beside its aid: what all see ends where the viewer's own begins."""
    ann = Person(chromium, server.url, 1280, 800)
    ann.lay("Tail Story", ["random"])
    expect_question(ann)
    for key in ("F2", "Escape"):
        ann.page.keyboard.press(key)
        upper, dock = ann.page.evaluate(
            "() => ['.upper', '.dock'].map((which) => document.querySelector(which).getBoundingClientRect().toJSON())"
        )
        assert upper["height"] > 200
        assert upper["y"] + upper["height"] <= dock["y"] + 0.5 and dock["y"] + dock["height"] <= 800.5


@pytest.mark.slow
def test_card_preview_closes(server: Server, chromium: Browser) -> None:
    ann = Person(chromium, server.url)
    ann.lay("Tail Story", ["person"])
    ann.page.get_by_role("button", name="Start without waiting").click()
    near, card = ann.page.locator(".near"), ann.page.locator(".felt button.card[data-code]:not([data-code=''])").first
    expect(card).to_be_visible(timeout=SOON)
    for away in (lambda: ann.page.keyboard.press("Escape"), lambda: ann.page.mouse.move(3, 300)):
        ann.page.mouse.move(3, 300)
        card.hover(position={"x": 8, "y": 30})
        expect(near).to_be_visible()
        away()
        expect(near).to_be_hidden()
    card.hover(position={"x": 8, "y": 30})
    expect(near).to_be_visible()
    card.evaluate("node => node.remove()")
    ann.page.mouse.move(3, 320)
    expect(near).to_be_hidden()


@pytest.mark.slow
def test_all_copies_in_hand_are_playable(chromium: Browser, tmp_path: Path) -> None:
    """Three equal cards make one move: each of them is open, and the last does it as well as the first."""
    game = tmp_path / "stones.cardgame"
    game.write_text(STONES)
    server = Server(tmp_path, str(game))
    try:
        ann = Person(chromium, server.url)
        ann.lay("Stones", ["random"])
        expect_question(ann)
        assert len(tables(ann)[-1]["ask"]["actions"]) == 1
        expect(ann.page.locator(".mine .hand .card.open")).to_have_count(3)
        ann.page.locator(".mine .hand .card").last.click()
        expect(ann.page.locator(".mine .hand .card")).to_have_count(2, timeout=SOON)
    finally:
        server.kill()


@pytest.mark.slow
def test_hidden_own_cards_show_their_numbers(server: Server, chromium: Browser) -> None:
    """With all hints left nothing but playing is open to a card, and yet one touch alone does not play it."""
    ann = Person(chromium, server.url)
    ann.lay("Fireworks", ["random"])
    expect_question(ann)
    numbers = ann.page.locator(".mine .hand .card .number")
    expect(numbers).to_have_text(["1", "2", "3", "4", "5"])
    ann.page.locator(".mine .hand .card").nth(2).click()
    expect(ann.page.locator(".mine .buttons")).to_contain_text("Play card 3")
    expect(ann.page.locator(".mine .question")).to_have_text(
        re.compile("^(Play card 3|Card 3: .*play|What do you do with Card 3)[?]$")
    )
    ann.page.keyboard.press("Escape")
    expect(ann.page.locator(".mine .question")).not_to_contain_text("3")


@pytest.mark.slow
def test_received_cards_are_marked(server: Server, chromium: Browser) -> None:
    """Three of thirteen are new after the pass, and are those that one did not hold before."""
    ann = Person(chromium, server.url)
    ann.lay("Hearts", ["random"] * 3)
    expect_question(ann)
    before, new = set(hand(ann)), ann.page.locator(".mine .hand .card:has(.new)")
    expect(new).to_have_count(0)
    for key in ("ArrowRight", *["Space", "ArrowRight"] * 3):
        ann.page.keyboard.press(key)
    expect(ann.page.locator(".mine .hand .card.chosen")).to_have_count(3)
    ann.page.keyboard.press("Enter")
    expect(new).to_have_count(3, timeout=SOON)
    assert {each.get_attribute("data-code") for each in new.all()} == set(hand(ann)) - before


@pytest.mark.slow
def test_raise_has_no_default_and_a_pot_button(server: Server, chromium: Browser) -> None:
    """Heads up, a raise goes from the least to all one has: its button is like the others. Blinds of
    1 and 2 and a call of 1 make a pot of 4."""
    ann, bob = seat_two(chromium, server.url, "Texas Hold'em", 2)
    ann = ann if ann.asked else bob
    expect(ann.page.locator(".ask button.main")).to_have_count(0)
    (amount,) = tables(ann)[-1]["ask"]["amounts"]
    low, high = amount["amounts"][0], amount["amounts"][-1]
    for name, number in (("Pot", 4), ("All-in", high), ("Min", low)):
        ann.page.get_by_role("button", name=re.compile(f"^{name} ")).click()
        shown = ann.page.get_by_label(f"{amount['label']}: how much").input_value()
        assert int(shown) == number


@pytest.mark.slow
def test_pot_is_next_to_the_question(server: Server, chromium: Browser) -> None:
    """Where one answers by buttons and amounts; where cards are touched it stays in the middle alone."""
    for title, shown in (("Texas Hold'em", 1), ("Hearts", 0)):
        ann = Person(chromium, server.url)
        ann.lay(title, ["random"] * 3)
        expect_question(ann)
        expect(ann.page.locator(".mine .ask .facts")).to_have_count(shown)
        if shown:
            expect(ann.page.locator(".mine .ask .facts")).to_contain_text(re.compile(r"[Pp]ot\s*\d+"))


@pytest.mark.slow
def test_rulebook_pictures_keep_their_size(server: Server, chromium: Browser) -> None:
    """The page's policy applies no style that stands in a text: panels side by side had no width, and the browser
    complained."""
    ann = Person(chromium, server.url)
    ann.lay("Tail Story", ["random"] * 2)
    expect_question(ann)
    ann.page.keyboard.press("F1")
    panels = ann.page.locator(".sheet .panels figure[data-style]")
    panels.first.wait_for(state="attached")
    assert all(each.evaluate("node => node.style.width.endsWith('mm')") for each in panels.all())
    assert ann.faults == []


@pytest.mark.slow
def test_cards_stay_large_next_to_the_rules(server: Server, chromium: Browser) -> None:
    """Buttons and one's own hand do not get lower by cards that get smaller: so these stay."""
    ann = Person(chromium, server.url, 1280, 800)
    ann.lay("Texas Hold'em", ["random"] * 3)
    expect_question(ann)
    ann.page.keyboard.press("F1")
    ann.page.locator(".sheet").wait_for()
    card = ann.page.locator(".centre .card").first
    expect(card).to_be_visible()
    assert card.evaluate("node => node.offsetWidth") >= 40


SLOTS = """() => Object.fromEntries([...document.querySelectorAll(".slots button")].map((each) => {
    const { left, width, top } = each.getBoundingClientRect();
    return [each.textContent.split(" ")[0], [Math.round(left + width / 2), Math.round(top), each.matches(".closed")]];
}))"""
"""By the first words of options: the middle and the top of their buttons, and whether they are closed."""


@pytest.mark.slow
def test_options_keep_their_places_with_a_hint(server: Server, chromium: Browser) -> None:
    """A closed option has its place already. Of two, the dealer has to call first, and may check once the other has
    checked the flop."""
    ann, bob = seat_two(chromium, server.url, "Texas Hold'em", 2)
    ann, bob = (ann, bob) if ann.asked else (bob, ann)
    before = ann.page.evaluate(SLOTS)
    ann.change(lambda: ann.page.locator(".slots button").filter(has_text=re.compile("^Call")).click())
    for _ in range(2):
        expect_question(bob)
        bob.change(lambda: bob.page.locator(".slots button").filter(has_text="Check").click())
        wait_for_same_position(bob, ann)
    expect_question(ann)
    after = ann.page.evaluate(SLOTS)
    assert "Check" not in before and "Call" not in after
    before["Check"] = before["Call"]  # never legal together, so they share a place
    for name in ("Check", "Bet", "Raise", "Fold"):
        assert before[name][:2] == pytest.approx(after[name][:2], abs=1.5)  # a line above may break a pixel later
    ann.page.keyboard.press("h")
    expect(ann.page.locator(".hint")).to_contain_text(re.compile("from here|Instead|%|no time"), timeout=SOON)
    hint, newest = box_of(ann.page.locator(".hint")), box_of(ann.page.locator(".since li").last)
    assert newest["y"] + newest["height"] <= hint["y"]


@pytest.mark.slow
def test_face_down_pile_shows_a_back(chromium: Browser, tmp_path: Path) -> None:
    game = tmp_path / "stones.cardgame"
    game.write_text(STONES.replace("zone pile", "zone pile seen by nobody"))
    server = Server(tmp_path, str(game))
    try:
        ann = Person(chromium, server.url)
        ann.lay("Stones", ["person"])
        ann.page.get_by_role("button", name="Start without waiting").click()
        expect_question(ann)
        ann.page.locator(".mine .hand .card").first.click()
        put = ann.page.locator("[data-ref='zone/pile'] > .cards .card")
        expect(put).to_have_attribute("aria-label", "face-down card", timeout=SOON)
        expect(put).to_have_attribute("data-code", "")
        (pile,) = [pile for pile in tables(ann)[-1]["middle"]["piles"] if pile["name"] == "pile"]
        assert pile["cards"][0]["code"] == "St"
    finally:
        server.kill()


@pytest.mark.slow
def test_deal_result_comes_first(server: Server, chromium: Browser) -> None:
    """In Hearts the last trick lies below the scores, and in the middle of its part."""
    ann = Person(chromium, server.url, 1280, 800)
    ann.lay("Hearts", ["random"] * 3)
    shown = ann.page.locator(".results:not([hidden]) .moment")
    for _ in range(20):
        ann.page.locator(".mine.asked, .results:not([hidden])").first.wait_for(timeout=SOON)
        if shown.count():
            break
        ann.act()
    assert [each.get_attribute("class") for each in shown.all()][:2] == ["moment scores", "moment trick"]
    whole, *sides = [
        box_of(ann.page.locator(f".results {which}"))
        for which in (".moment.trick", ".trick .at.left .card", ".trick .at.right .card")
    ]
    left, right = (whole["x"] - each["x"] - each["width"] / 2 for each in sides)
    assert abs(left + right + whole["width"]) < 3
