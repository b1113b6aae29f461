"""Tables on a phone: everything needed for a move is visible and large enough to touch; the rest is in a drawer."""

from __future__ import annotations

from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, Locator, expect

from tests.web.people import SOON, Person, box_of, expect_question, tables
from tests.web.serving import Server

WIDTH, HEIGHT = 390, 844
FINGER = 44
"""Pixels: what a finger meets is at least as broad and as tall."""
SEEN = """() => {
    const needed = [".question", ".ask .buttons", ".ask .buttons *", ".mine .hands .card", ".others .place", ".told",
        ".centre .card", ".kind .card", ".at"].join();
    const boxes = [...document.querySelectorAll(needed)].filter((each) => each.checkVisibility())
        .map((each) => [each.outerHTML.slice(0, 90), each.getBoundingClientRect()]);
    const outside = ([, { left, top, right, bottom }]) =>
        left < -1 || top < 0 || right > innerWidth + 1 || bottom > innerHeight + 1;
    const scrolled = (part) => part.scrollHeight > part.clientHeight + 1;
    return [
        ...[...document.querySelectorAll(".upper, .others, .middle, .dock, .own, .buttons")].filter(scrolled)
            .map((part) => part.className),
        ...boxes.filter(outside).map(([what, box]) => `outside: ${what} ${JSON.stringify(box)}`),
        ...document.documentElement.scrollWidth > innerWidth ? ["broader than the window"] : [],
    ];
}"""
"""What would have to be scrolled for, in a few words each."""
BLANK = """() => document.querySelector(".mine .line").getBoundingClientRect().top
    - document.querySelector(".dock").getBoundingClientRect().top"""
"""How much room is left above what is the viewer's own."""
SMALL = """() => {
    const touched = ".ask .buttons button, .bar button, .upper .card.open, .mine .card.open";
    const met = (each) => {
        const box = each.getBoundingClientRect(), after = each.nextElementSibling?.getBoundingClientRect();
        const covered = after?.width && after.top < box.top + 5 && after.left > box.left;
        return box.height > 43.9 && (covered ? Math.min(box.width, after.left - box.left) : box.width) > 43.9;
    };
    return [...document.querySelectorAll(touched)].filter((each) => each.checkVisibility() && !met(each))
        .map((each) => each.outerHTML.slice(0, 120));
}"""
"""What a finger would miss: too narrow beside what covers it, or too low."""

HELD = """() => [...document.querySelectorAll(".others .pile")].map((pile) => {
    const dock = document.querySelector(".dock").getBoundingClientRect();
    const inside = ({ left, right, bottom }) => left > -1 && right < innerWidth + 1 && bottom < dock.top + 1;
    const cards = [...pile.querySelectorAll(".card:not(.empty)")]
        .filter((card) => card.checkVisibility() && inside(card.getBoundingClientRect()));
    const count = getComputedStyle(pile.querySelector(".cards"), "::after").content.replaceAll('"', "");
    return [pile.dataset.ref, cards.length && Number(count) || cards.length];
})"""
"""The piles of others, and how many cards each is seen to have."""


def phone(browser: Browser, server: Server, title: str, others: int, height: int = HEIGHT) -> Person:
    ann = Person(browser, server.url, WIDTH, height, touch=True)
    ann.lay(title, ["random"] * others)
    expect_question(ann)
    return ann


def wait_until_empty(person: Person, script: str) -> None:
    """Wait until a script on the page returns an empty list: a card in flight makes a part scroll."""
    for _ in range(30):
        if not (found := person.page.evaluate(script)):
            return
        person.page.wait_for_timeout(200)
    assert found == []


@pytest.mark.slow
@pytest.mark.parametrize("height", [HEIGHT, 664])
@pytest.mark.parametrize(
    ("title", "others"),
    [
        ("Hearts", 3),
        ("Tall Card", 2),
        ("Tall Tales", 2),
        ("Fireworks", 4),
        ("Tail Story", 2),
        ("Texas Hold'em", 3),
        ("Market Street", 3),
        ("Liar's Dice", 5),
        ("Concentration", 3),
        ("Pyramid", 0),
    ],
)
def test_whole_move_fits_a_phone(server: Server, chromium: Browser, title: str, others: int, height: int) -> None:
    """With the bars of a browser, and without: whose turn, the question, the middle, one's hand and the buttons. So
    far into a game that others have what they had not at first."""
    ann = phone(chromium, server, title, others, height)
    for _ in range(9):
        ann.page.locator(".mine.asked, .results:not([hidden])").first.wait_for(timeout=SOON)
        if ann.asked:
            wait_until_empty(ann, SEEN)
            assert ann.page.evaluate(SMALL) == []
        if ann.page.locator(".results.over:not([hidden])").count():
            break
        ann.act()
    assert not ann.faults


FILL = """() => {
    for (const place of document.querySelectorAll(".others .place")) place.append("More of a player. ".repeat(60));
    document.querySelector(".middle").append("More of the table. ".repeat(200));
    document.querySelector(".own").append("More of one's own. ".repeat(60));
    const buttons = document.querySelector(".ask .buttons");
    for (let number = 0; number < 60; number += 1) buttons.append(buttons.firstChild.cloneNode(true));
}"""
"""Fills every part with more than a window holds."""
OUTSIDE = """() => [...document.querySelectorAll(".question, .ask .buttons, .mine .hand .card, .upper, .dock, .others")]
    .filter((part) => {
        const { top, bottom, height } = part.getBoundingClientRect();
        return top < 0 || bottom > innerHeight + 1 || height < 20;
    }).map((part) => part.className)"""


@pytest.mark.slow
def test_overfull_parts_scroll_inside_themselves(server: Server, chromium: Browser) -> None:
    ann = phone(chromium, server, "Tall Card", 2, 664)
    for _ in range(20):
        if ann.page.locator(".ask .buttons button").count():
            break
        ann.act()
        expect_question(ann)
    ann.page.evaluate(FILL)
    assert ann.page.evaluate(OUTSIDE) == []
    scrolled = "part => part.scrollHeight > part.clientHeight + 1"
    assert not any(ann.page.locator(part).evaluate(scrolled) for part in (".upper", ".dock"))


@pytest.mark.slow
def test_dummy_hand_is_tappable(chromium: Browser, tmp_path: Path) -> None:
    server = Server(tmp_path, "--seed", "11")
    try:
        ann = phone(chromium, server, "Contract Bridge", 3, 664)
        played = 0
        for _ in range(8):
            ann.page.locator(".mine.asked, .results:not([hidden])").first.wait_for(timeout=SOON)
            if ann.asked and "Cat's hand" in ann.page.locator(".question").inner_text():
                played += 1
                assert ann.page.evaluate(SMALL) == []
                wait_until_empty(ann, SEEN)
            ann.act()
        assert played
    finally:
        server.kill()


@pytest.mark.slow
def test_open_cards_of_others_stay_visible(server: Server, chromium: Browser) -> None:
    """In Tall Tales one plays cards and takes cards, and later the others' hands are known. Whoever has a Memory shows
    it; what was led is said beside a card, not on it; and where there is room, there stands what happened."""
    ann = phone(chromium, server, "Tall Tales", 2, 664)
    page, seen = ann.page, 0
    for _ in range(18):
        page.locator(".mine.asked, .results:not([hidden])").first.wait_for(timeout=SOON)
        if ann.asked and page.locator(".results:not([hidden])").count() == 0:
            (table,) = tables(ann)[-1:]
            held = [pile for place in table["places"][1:] for pile in place["piles"] if pile["name"] == "memory"]
            held = [pile for pile in held if pile["cards"]]
            drawn = page.locator(".others [data-ref^='zone/memory/'] > .cards .card:not(.empty)").all()
            assert [card.is_visible() for card in drawn] == [True] * len(held)
            seen += len(held)
            wait_until_empty(ann, SEEN)
            assert page.locator(".trick .note-on").count() == 0
            assert page.locator(".told").is_visible() or page.evaluate(BLANK) < 40
        ann.act()
    assert seen
    assert not ann.faults


@pytest.mark.slow
def test_drawer_holds_rules_aid_and_log(server: Server, chromium: Browser) -> None:
    """Players in full, rules at the rule of the moment, aid and log; a place that is touched is sought there."""
    ann = phone(chromium, server, "Tall Card", 2)
    drawer = ann.page.locator(".beside")
    ann.page.locator(".bar .snug").tap()
    expect(drawer.locator(".sheet .now")).to_be_in_viewport(timeout=SOON)
    expect(drawer.get_by_role("link", name="All games")).to_be_in_viewport()
    for tab, what in (("Aid", ".sheet"), ("Log", ".log li"), ("Players", ".all-places .place")):
        drawer.get_by_role("button", name=tab, exact=True).tap()
        expect(drawer.locator(what).first).to_be_visible(timeout=SOON)
        assert ann.page.evaluate("() => document.documentElement.scrollWidth <= innerWidth")
    expect(drawer.locator(".place")).to_have_count(3)
    drawer.get_by_role("button", name="Close").tap()
    ann.page.locator(".others .place .facts").last.tap()
    expect(drawer.locator(".place").last).to_be_in_viewport()


@pytest.mark.slow
def test_rulebook_tables_do_not_break_words(server: Server, chromium: Browser) -> None:
    page = phone(chromium, server, "Tall Tales", 2).page
    page.locator(".bar .snug").tap()
    page.locator(".beside").get_by_role("button", name="Rules", exact=True).tap()
    heads = page.locator(".sheet th")
    heads.first.wait_for()
    broken = """all => all.map((each) => document.createTreeWalker(each, NodeFilter.SHOW_TEXT).nextNode())
        .filter((text) => text && !/\\s/.test(text.data.trim())).filter((text) => {
            const range = document.createRange();
            range.selectNodeContents(text);
            return range.getClientRects().length > 1;
        }).map((text) => text.data)"""
    assert heads.evaluate_all(broken) == []


@pytest.mark.slow
def test_hand_of_thirteen_is_tappable(server: Server, chromium: Browser) -> None:
    """It lies in rows, of which a finger meets each card, and plays."""
    page = phone(chromium, server, "Hearts", 3).page
    expect(page.locator(".mine .buttons .main")).to_have_text("Choose 3 cards")
    corners = [box for card in page.locator(".mine .hand .card").all() if (box := card.bounding_box())]
    for one, other in pairwise(corners):
        assert other["y"] > one["y"] + 40 or other["x"] >= one["x"] + FINGER
    for card in page.locator(".mine .hand .card").all()[:3]:
        card.tap(position={"x": 8, "y": 30})
    expect(page.locator(".mine .hand .card.chosen")).to_have_count(3)
    page.locator(".mine .buttons .main").tap()
    expect(page.locator(".mine .question")).to_contain_text("Play", timeout=SOON)


@pytest.mark.slow
def test_texts_do_not_overlap_on_a_phone(server: Server, chromium: Browser) -> None:
    """The last trick and what happened since stand one below the other, however little room there is."""
    ann = phone(chromium, server, "Tall Tales", 2)
    together = 0
    for _ in range(8):
        expect_question(ann)
        parts = ann.page.locator(".told > *")
        together += parts.count() > 1
        # What is in a part is no taller than the part, so nothing of it lies over the next.
        assert parts.evaluate_all("all => all.every((part) => part.scrollHeight <= part.clientHeight + 1)")
        ann.act()
    assert together


@pytest.mark.slow
@pytest.mark.parametrize(
    ("title", "others", "height"),
    [
        ("Tall Tales", 2, HEIGHT),
        ("Tall Tales", 3, 664),
        ("Seven-Card Stud", 2, HEIGHT),
        ("Seven-Card Stud", 4, 664),
        ("Tall Card", 6, 664),
    ],
)
def test_hands_of_others_show_counts(server: Server, chromium: Browser, title: str, others: int, height: int) -> None:
    """However little room there is: all cards of a hand are drawn, or one with the number of cards on it. Nothing needs
    scrolling, however many play."""
    ann = Person(chromium, server.url, WIDTH, height, touch=True)
    ann.lay(title, ["random"] * others)
    seen = 0
    for _ in range(14):
        ann.page.locator(".mine.asked, .results:not([hidden])").first.wait_for(timeout=SOON)
        if ann.page.locator(".results:not([hidden])").count() == 0:
            piles = [pile for place in tables(ann)[-1]["places"][1:] for pile in place["piles"]]
            held = {pile["ref"]: len(pile["cards"]) for pile in piles if pile["form"] == "hand" and pile["cards"]}
            assert {ref: count for ref, count in ann.page.evaluate(HELD) if ref in held} == held
            seen += len(held)
            if ann.asked:  # once the layout has settled
                wait_until_empty(ann, SEEN)
        if ann.page.locator(".results.over:not([hidden])").count():
            break
        ann.act()
    assert seen
    assert not ann.faults


def hold(person: Person, card: Locator) -> None:
    """Holds a card down with a finger until its picture opens, and lifts the finger."""
    box = box_of(card)
    touch = person.context.new_cdp_session(person.page)
    at = {"x": box["x"] + 12, "y": box["y"] + 30}
    touch.send("Input.dispatchTouchEvent", {"type": "touchStart", "touchPoints": [at]})
    expect(person.page.locator("dialog.look")).to_be_visible()
    touch.send("Input.dispatchTouchEvent", {"type": "touchEnd", "touchPoints": []})


def read_and_close(person: Person) -> None:
    look = person.page.locator("dialog.look")
    expect(look.locator(".printed")).to_be_visible()
    assert person.asked
    look.locator(".close").tap()
    expect(look).to_be_hidden()


@pytest.mark.slow
def test_tap_selects_and_long_press_shows_a_card(server: Server, chromium: Browser) -> None:
    """Six Characters on the table, none over another on a phone; then cards that are played from the hand."""
    ann = phone(chromium, server, "Tail Story", 1)
    page = ann.page
    open_cards = page.locator(".centre button.card.open")
    expect(open_cards).to_have_count(len(tables(ann)[-1]["ask"]["actions"]))
    boxes = [box for card in open_cards.all() if (box := card.bounding_box())]
    for one, other in pairwise(boxes):
        assert other["y"] > one["y"] + 20 or other["x"] >= one["x"] + one["width"]
    hold(ann, open_cards.first)
    read_and_close(ann)
    open_cards.first.tap()
    expect(open_cards).to_have_count(0, timeout=SOON)
    expect(page.locator("dialog.look")).to_be_hidden()
    playable = page.locator(".mine .hand button.card.open")
    for _ in range(20):
        expect_question(ann)
        if playable.count():
            break
        ann.act()
    hold(ann, playable.first)
    read_and_close(ann)
    before = page.locator(".felt").inner_html()
    playable.first.tap(position={"x": 12, "y": 30})
    page.wait_for_function("before => document.querySelector('.felt').innerHTML !== before", arg=before, timeout=SOON)
    expect(page.locator("dialog.look")).to_be_hidden()
    assert not ann.faults


@pytest.mark.slow
def test_tap_toggles_a_card_in_a_set(server: Server, chromium: Browser) -> None:
    """Where cards are discarded from the hand; one on the table that is held shows its words."""
    ann = phone(chromium, server, "Tall Card", 2)
    page, look = ann.page, ann.page.locator("dialog.look")
    for _ in range(20):
        expect_question(ann)
        if page.locator('.mine [data-key="confirm"]').count():
            break
        ann.act()
    card = page.locator(".mine .hand button.card").first
    chosen = page.locator(".mine .hand .card.chosen")
    for count in (1, 0):
        hold(ann, card)
        read_and_close(ann)
        card.tap(position={"x": 12, "y": 30})
        expect(chosen).to_have_count(count)
        expect(look).to_be_hidden()
    hold(ann, page.locator(".centre [data-ref^='zone/tall#']"))
    read_and_close(ann)
    assert not ann.faults


IDLE_TAPS = """(legal) => {
    const sent = [], { send } = WebSocket.prototype;
    WebSocket.prototype.send = function (data) {
        if (["move", "confirm", "chosen"].includes(JSON.parse(data).do)) sent.push(data);
        else send.call(this, data);
    };
    const idle = [...document.querySelectorAll(".felt button.card[data-ref]")].map((card) => card.dataset.ref)
        .filter((ref) => !legal.includes(ref) && !legal.includes(ref.split("#")[0]));
    for (const ref of idle) {
        const card = document.querySelector(`.felt button.card[data-ref="${CSS.escape(ref)}"]`);
        if (card.matches(".open")) sent.push(`${ref} glows`);
        card.click();
        document.querySelector("dialog.look")?.close();
    }
    WebSocket.prototype.send = send;
    return [idle.length, sent];
}"""
"""Taps each card that is in no legal move. Returns their number, and what was sent or is marked as playable."""


def list_legal_refs(table: dict[str, Any]) -> list[str]:
    """Return the refs of piles and cards that a tap plays, with equal cards of a pile."""
    ask = table["ask"]
    legal = {ref for each in ask.get("actions", ()) for ref in (*each.get("touches", ()), each.get("pile")) if ref}
    legal |= {*ask["choosing"]["open"], *ask["choosing"]["chosen"]} if ask.get("choosing") else set()
    piles = [pile for place in (*table["places"], table["middle"], *table["kinds"]) for pile in place["piles"]]
    for cards in (pile["cards"] for pile in piles):
        codes = {card.get("code") for card in cards if card["ref"] in legal}
        legal |= {card["ref"] for card in cards if card.get("code") in codes}
    return sorted(legal)


@pytest.mark.slow
@pytest.mark.parametrize(("title", "others"), [("Tail Story", 2), ("Tall Tales", 2)])
def test_tap_never_plays_another_card(server: Server, chromium: Browser, title: str, others: int) -> None:
    ann = phone(chromium, server, title, others)
    tapped = 0
    for _ in range(12):
        ann.page.locator(".mine.asked, .results:not([hidden])").first.wait_for(timeout=SOON)
        if ann.asked and not ann.page.locator(".results:not([hidden])").count():
            count, sent = ann.page.evaluate(IDLE_TAPS, list_legal_refs(tables(ann)[-1]))
            assert sent == []
            tapped += count
        if ann.page.locator(".results.over:not([hidden])").count():
            break
        ann.act()
    assert tapped
    assert not ann.faults
