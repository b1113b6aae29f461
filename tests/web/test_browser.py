"""Tables in a real browser: drawing, mouse, touch and keys. No seat receives hidden data."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest
from playwright.sync_api import Browser, expect

import cardlang
from tests.game_files import read_game
from tests.web.people import (
    SOON,
    Person,
    box_of,
    expect_question,
    hand,
    has_drawn_cards,
    play,
    seat_two,
    tables,
    wait_for_same_position,
    wait_until,
)
from tests.web.serving import STONES, Server


@pytest.mark.slow
def test_two_people_play_tall_card_to_the_end(server: Server, chromium: Browser) -> None:
    ann = Person(chromium, server.url)
    bobs, _ = ann.lay("Tall Card", ["person"], "Short game")
    bob = Person(chromium, bobs)
    bob.sit("Kaylee")
    expect(ann.page.locator(".place", has_text="Kaylee")).to_be_visible(timeout=SOON)
    for each in (ann, bob):
        expect(each.page.locator(".mine .hand .card").first).to_be_visible(timeout=SOON)
    mine, seen = set(hand(ann)), json.dumps(tables(bob)[0])
    assert len(mine) and not any(f'"{code}"' in seen for code in mine - set(hand(bob)))
    play([ann, bob])
    wait_for_same_position(ann, bob)
    for each in (ann, bob):
        assert tables(each)[-1]["over"] and tables(each)[-1]["winners"]
        assert not each.faults
    wait_until(ann, lambda: has_drawn_cards(ann.page) and has_drawn_cards(bob.page))
    expect(ann.page.get_by_role("button", name="Play again")).to_be_visible(timeout=SOON)


@pytest.mark.slow
def test_no_seat_receives_hidden_cards(server: Server, chromium: Browser) -> None:
    """Hearts deals each card once. What Bob was sent never names a card of Ann's hand before it was played or passed
    to him; and neither a seed nor another link comes to anybody."""
    ann = Person(chromium, server.url)
    bobs, looks = ann.lay("Hearts", ["person", "random", "random"])
    bob, onlooker = Person(chromium, bobs), Person(chromium, looks)
    bob.sit("Bob")
    expect_question(ann)
    expect(onlooker.page.locator(".place").first).to_be_visible(timeout=SOON)
    kept = set(hand(ann))
    for _ in range(6):
        ann.act()
        bob.act()
        kept &= set(hand(ann))
    said = "".join([*bob.frames, *onlooker.frames])
    assert len(kept) > 4
    for code in kept:
        assert not re.search(rf'"{code}"|[\[ ]{code}[\] ]', said), code
    assert "seed" not in said and bobs.rpartition("/")[2] not in said and server.url.rpartition("/")[2] not in said


@pytest.mark.slow
def test_fireworks_clues_are_shown(server: Server, chromium: Browser) -> None:
    ann, bob = seat_two(chromium, server.url, "Fireworks", 5)
    expect_question(ann)
    expect(ann.page.locator(".place .hand .card").first).to_be_visible(timeout=SOON)
    assert all(hand_of_bob for hand_of_bob in tables(ann)[-1]["places"][1]["piles"][0]["cards"])
    assert hand(bob) == [None] * 5
    ann.page.locator('[data-key^="move number-hint"]').first.click()
    expect_question(bob)
    marks = bob.page.locator(".mine .hand .marks")
    expect(marks.first).to_be_visible(timeout=SOON)
    expect(ann.page.locator(".place .hand .marks").first).to_be_visible(timeout=SOON)
    hinted = [card for card in tables(ann)[-1]["places"][1]["piles"][0]["cards"] if card.get("marks")]
    assert marks.count() == len(hinted) > 0 and not ann.faults + bob.faults
    label = bob.page.locator(".mine .hand .card", has=bob.page.locator(".marks")).first.get_attribute("aria-label")
    assert label is not None and label.startswith("face-down card, told pip")


@pytest.mark.slow
def test_keyboard_alone_is_enough(server: Server, chromium: Browser) -> None:
    """A set is walked to, toggled and confirmed; a card is played; the rules open with the rule of the moment."""
    ann = Person(chromium, server.url)
    ann.lay("Hearts", ["random", "random", "random"])
    expect_question(ann)
    keys = ann.page.keyboard
    keys.press("ArrowRight")
    for _ in range(3):
        keys.press("Space")
        keys.press("ArrowRight")
    expect(ann.page.locator(".mine .hand .card.chosen")).to_have_count(3)
    keys.press("Enter")
    expect(ann.page.locator(".mine .hand .card")).to_have_count(13, timeout=SOON)
    expect(ann.page.locator(".mine .question")).to_contain_text("Play", timeout=SOON)
    keys.press("F1")
    expect(ann.page.locator(".sheet .now")).to_be_in_viewport(timeout=SOON)
    expect(ann.page.locator(".bar h1")).to_be_in_viewport(timeout=SOON)
    keys.press("Escape")
    ann.page.locator(".mine .hand .card.open").first.focus()
    keys.press("Enter")
    expect(ann.page.locator(".mine .hand .card")).to_have_count(12, timeout=SOON)


@pytest.mark.slow
def test_updates_do_not_swallow_clicks(server: Server, chromium: Browser) -> None:
    """Between a card being pressed and let go somebody leaves or comes, which the page is told: the card is chosen all
    the same, by the mouse and by the space bar."""
    ann = Person(chromium, server.url)
    bobs, _ = ann.lay("Hearts", ["person", "random", "random"])
    bob = Person(chromium, bobs)
    bob.sit("Bob")
    expect_question(ann)
    card = ann.page.locator(".mine .hand .card")
    chosen = ann.page.locator(".mine .hand .card.chosen")
    for done, (press, let_go) in enumerate(
        [
            (lambda: (card.first.hover(), ann.page.mouse.down()), ann.page.mouse.up),
            (lambda: (card.last.focus(), ann.page.keyboard.down("Space")), lambda: ann.page.keyboard.up("Space")),
        ],
        1,
    ):
        ann.frames.clear()
        press()
        bob.page.goto("about:blank") if done == 1 else bob.page.go_back()
        wait_until(ann, lambda: ann.frames)
        let_go()
        expect(chosen).to_have_count(done, timeout=SOON)


@pytest.mark.slow
def test_illegal_card_shows_its_reason(server: Server, chromium: Browser) -> None:
    """Whoever leads the first trick of Hearts leads the two of clubs: all other cards say so when they are touched."""
    ann = Person(chromium, server.url)
    links = ann.lay("Hearts", ["person", "person", "person"])
    people = [ann, *(Person(chromium, link) for link in links[:3])]
    for each, name in zip(people[1:], ("Bob", "Cat", "Dan"), strict=True):
        each.sit(name)
    for each in people:
        expect(each.page.locator(".mine .hand .card")).to_have_count(13, timeout=SOON)
    leads = [each.page.locator(".mine .question", has_text="Play") for each in people]
    while not any(each.count() for each in leads):
        for each in people:
            if each.page.locator(".mine .question", has_text="Pass").count():
                each.act()
    leader = next(each for each, question in zip(people, leads, strict=True) if question.count())
    dim = leader.page.locator(".mine .hand .card.dim").first
    expect(dim).to_be_visible(timeout=SOON)
    dim.click(position={"x": 8, "y": 30})
    expect(leader.page.locator("#toast")).to_contain_text("The 2 of Clubs opens", timeout=SOON)
    expect(leader.page.locator("dialog.look")).to_be_hidden()


@pytest.mark.slow
def test_hint_names_and_marks_a_move(server: Server, chromium: Browser) -> None:
    ann = Person(chromium, server.url)
    ann.lay("Hearts", ["random", "random", "random"])
    expect_question(ann)
    dealt = ann.page.locator(".since .code")
    expect(dealt).to_have_count(13)
    assert sorted(str(each.get_attribute("data-code")) for each in dealt.all()) == sorted(hand(ann))
    ann.page.keyboard.press("h")
    expect(ann.page.locator(".felt .hint")).to_contain_text(re.compile("from here|no time"), timeout=SOON)
    expect(ann.page.locator(".mine .hand .card.hinted")).to_have_count(3)
    assert not ann.faults


@pytest.mark.slow
def test_playtest_tools_work(server: Server, chromium: Browser) -> None:
    """The host sets a number, lets somebody take back a move, and keeps a moment as odd; at the end one answers three
    questions; all of it stands on the page of playtests."""
    host = Person(chromium, server.url)
    host.page.get_by_role("button", name="Goofspiel", exact=True).click()
    host.page.locator(".seats select").nth(1).select_option("random")
    host.page.get_by_label("Playtest:").check()
    host.page.get_by_role("button", name="Start game").click()
    expect_question(host)
    undo = host.page.get_by_role("button", name="Undo", exact=True)
    expect(undo).to_have_attribute("aria-disabled", "true")  # there is nothing to undo yet
    host.act()
    expect_question(host)  # a new prize was turned up, so only the host can undo
    allow_something(host)
    host.page.get_by_role("button", name="Report a problem").click()
    host.page.get_by_label("What went wrong").fill("hm <i>")
    host.page.get_by_role("button", name="Report", exact=True).click()
    expect(host.page.locator("#toast")).to_contain_text("saved", timeout=SOON)
    play([host])
    for question, mark in (("fun", "5"), ("clear", "2"), ("again", "4")):
        host.page.locator(f"input[name={question}][value='{mark}']").check()
    host.page.get_by_role("button", name="Send").click()
    expect(host.page.locator("#toast")).to_contain_text("Thank you", timeout=SOON)
    house = Person(chromium, server.url)
    is_told(house)
    assert not host.faults + house.faults and house.page.locator("main i, main b").count() == 0


def allow_something(host: Person) -> None:
    """A number that was miscounted, and a move that is taken back."""
    host.page.get_by_role("button", name="Host", exact=True).click()
    host.page.get_by_label("Reason for the fix").fill("Miscounted <b>")
    host.page.get_by_label("What to set").select_option(label="Ann: score (0)")
    host.page.get_by_label("New value").fill("7")
    host.page.get_by_role("button", name="Set", exact=True).click()
    expect(host.page.locator(".since")).to_contain_text("score is now 7. Miscounted <b>", timeout=SOON)
    host.page.get_by_label("Player whose move to undo").select_option("Ann")
    host.page.get_by_role("button", name="undo a move").click()
    expect(host.page.locator(".since")).to_contain_text("Ann undoes a move", timeout=SOON)
    host.page.keyboard.press("Escape")


@pytest.mark.slow
def test_hidden_cards_of_a_pile_are_counted_from_the_top(server: Server, chromium: Browser) -> None:
    host = Person(chromium, server.url)
    host.lay("Kuhn Poker", ["random"])
    expect_question(host)
    host.page.get_by_role("button", name="Host", exact=True).click()
    host.page.get_by_label("From which pile").select_option(label="deck (1)")
    assert host.page.get_by_label("Which card").locator("option").all_inner_texts() == ["top card"]
    ordinals = host.page.evaluate("import('/page/dom.js').then(({ ordinal }) => [2, 3, 11, 12, 22, 111].map(ordinal))")
    assert ordinals == ["2nd", "3rd", "11th", "12th", "22nd", "111th"]


def is_told(house: Person) -> None:
    """What a playtest has brought stands on its page."""
    house.page.get_by_role("button", name="Playtests").click()
    told = house.page.locator("section.wide", has_text="Goofspiel")
    for words in (
        "hm <i>",
        "Miscounted <b>",
        "5.0, 2.0, 4.0 (1 answer)",
        "random matches of 2",
        "1, 1 finished",
    ):
        expect(told).to_contain_text(words, timeout=3 * SOON)


@pytest.mark.slow
def test_amount_can_be_typed(server: Server, chromium: Browser) -> None:
    """What is too much becomes the most there is, when one goes on."""
    ann, bob = seat_two(chromium, server.url, "Texas Hold'em", 2)
    ann = ann if ann.asked else bob
    (amount,) = tables(ann)[-1]["ask"]["amounts"]
    field, go = ann.page.get_by_label(f"{amount['label']}: how much"), ann.page.locator('[data-key^="amount"]')
    field.fill("100000")
    field.blur()
    expect(go).to_have_text(re.compile(rf"^{amount['label']}\b.* {amount['amounts'][-1]}\b"))
    field.fill("20")
    expect(go).to_have_text(re.compile(rf"^{amount['label']}\b.* 20\b"))
    field.press("Enter")
    expect(ann.page.locator(".since")).to_contain_text(re.compile(r"\b20\b"), timeout=SOON)


@pytest.mark.slow
def test_card_can_be_dragged(server: Server, chromium: Browser) -> None:
    ann = Person(chromium, server.url)
    ann.lay("Hearts", ["random", "random", "random"])
    expect_question(ann)
    box = box_of(ann.page.locator(".mine .hand .card").first)
    ann.page.mouse.move(box["x"] + 10, box["y"] + 40)
    ann.page.mouse.down()
    ann.page.mouse.move(600, 300, steps=5)
    ann.page.mouse.up()
    expect(ann.page.locator(".mine .hand .card.chosen")).to_have_count(1)


@pytest.mark.slow
def test_a_lost_connection_and_a_kill_lose_nothing(server: Server, chromium: Browser) -> None:
    ann, bob = seat_two(chromium, server.url, "Tall Card", 5)
    play([ann, bob], most=4)
    wait_for_same_position(ann, bob)
    before = [tables(each)[-1] for each in (ann, bob)]
    heard = [len(tables(each)) for each in (ann, bob)]
    ann.context.set_offline(True)
    server.kill()
    expect(ann.page.locator(".away-note")).to_be_visible(timeout=SOON)
    server.start()
    ann.context.set_offline(False)
    for each in (ann, bob):
        expect(each.page.locator(".away-note")).to_be_hidden(timeout=SOON)
    wait_until(ann, lambda: all(len(tables(each)) > count for each, count in zip((ann, bob), heard, strict=True)))
    assert [tables(each)[-1] for each in (ann, bob)] == before
    play([ann, bob], most=3)
    wait_for_same_position(ann, bob)
    assert [tables(each)[-1] for each in (ann, bob)] != before


@pytest.mark.slow
def test_seat_link_shows_a_welcome(server: Server, chromium: Browser) -> None:
    ann = Person(chromium, server.url)
    (bobs, _) = ann.lay("Kuhn Poker", ["person"])
    bob = Person(chromium, bobs)
    expect(bob.page.get_by_text("The host can see")).to_be_visible(timeout=SOON)
    assert "answers" not in bob.page.locator(".gather").inner_text()  # only a playtest asks questions
    gather = ann.page.locator(".gather")
    for words in ("Send Bob this link. The game starts", "For spectators", "--host 0.0.0.0"):
        expect(gather).to_contain_text(words)
    expect(gather).not_to_contain_text("The host can see")
    assert "secret" not in bob.page.url and bobs.rpartition("#")[0] == server.url.rpartition("#")[0]
    bob.sit("<b>Bob</b>")
    expect(bob.page.get_by_text("<b>Bob</b>").first).to_be_visible(timeout=SOON)
    assert bob.page.locator("b").count() == 0


@pytest.mark.slow
@pytest.mark.parametrize("address", ["", "#table/short", "#table/" + "x" * 32])
def test_invalid_link_says_so(server: Server, chromium: Browser, address: str) -> None:
    nobody = Person(chromium, server.url.rpartition("#")[0] + address)
    expect(nobody.page.get_by_text("link")).to_be_visible(timeout=SOON)


@pytest.mark.slow
def test_lobby_keeps_choices_and_the_way_back(server: Server, chromium: Browser) -> None:
    """A variant stays when the number of players changes; the host alone is led back from the table to the house."""
    ann = Person(chromium, server.url)
    page = ann.page
    page.get_by_role("button", name="Texas Hold'em", exact=True).click()
    variant = page.locator("#variant")
    variant.select_option(index=1)
    kept = variant.input_value()
    page.get_by_label("Number of players").select_option("3")
    assert kept and variant.input_value() == kept
    page.locator(".seats select").nth(1).select_option("person")
    page.get_by_role("button", name="Start game").click()
    page.locator(".gather .links input").first.wait_for()
    bob = Person(chromium, page.locator(".gather .links input").first.input_value())
    bob.page.locator(".gather").wait_for()
    assert bob.page.locator("a.home").count() == 0
    page.get_by_role("link", name="All games").first.click()
    expect(page.get_by_role("heading", name="Resume")).to_be_visible(timeout=SOON)


@pytest.mark.slow
def test_single_game_is_preselected(chromium: Browser, tmp_path: Path) -> None:
    (tmp_path / "stones.cardgame").write_text(STONES)
    server = Server(tmp_path, "stones.cardgame")
    try:
        page = Person(chromium, server.url).page
        expect(page.get_by_role("button", name="Stones", exact=True)).to_have_attribute("aria-pressed", "true")
        page.get_by_role("button", name="Start game").click()
        page.locator(".felt .mine").wait_for()
    finally:
        server.kill()


def test_local_games_come_first(chromium: Browser, tmp_path: Path) -> None:
    (tmp_path / "stones.cardgame").write_text(STONES)
    (tmp_path / "part.cardgame").write_text("library\n")
    server = Server(tmp_path)
    try:
        games = Person(chromium, server.url).page.locator(".games button")
        expect(games.first).to_have_accessible_name("Stones")
        expect(games).to_have_count(1 + len(cardlang.shipped()))
    finally:
        server.kill()


@pytest.mark.slow
def test_click_on_a_game_shows_immediately(server: Server, chromium: Browser) -> None:
    """Also while the server has not answered yet; here it never does."""
    page = Person(chromium, server.url).page
    page.get_by_label("Find a game").press_sequentially("tail")
    page.evaluate("WebSocket.prototype.send = () => {}")
    page.get_by_role("button", name="Tail Story", exact=True).click()
    expect(page.locator("#lay")).to_contain_text("Tail Story", timeout=SOON)
    expect(page.get_by_role("button", name="Tail Story", exact=True)).to_have_attribute("aria-pressed", "true")


@pytest.mark.slow
def test_any_of_several_equal_cards_can_be_clicked(chromium: Browser, tmp_path: Path) -> None:
    (tmp_path / "fair.cardgame").write_text(read_game("goblins"))
    server = Server(tmp_path, "fair.cardgame")
    try:
        ann = Person(chromium, server.url)
        ann.lay("Fair", [])
        expect_question(ann)
        buskers = ann.page.locator('.felt .pile [aria-label^="Busker"]')
        expect(buskers).to_have_count(6)
        buskers.nth(4).click()
        expect(ann.page.locator(".since .new")).to_contain_text("take Busker", timeout=SOON)
    finally:
        server.kill()
