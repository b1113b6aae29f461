"""Overlay pages: scrolling and closing."""

from __future__ import annotations

import sys
import threading

import pytest
from attrs import evolve
from textual.containers import VerticalScroll

from cardlang.cli.interactive_session import make_session, start_new_match
from cardlang.ui.terminal.screen.card_styles import CardStyles
from cardlang.ui.terminal.screen.help_pages import (
    SLOW_PAGE_MESSAGE,
    OverlayPage,
    add_symbol_legend,
    build_log_page,
    build_text_page,
    find_lines_with,
    find_offer_lines,
    find_paragraph,
    find_rank_title,
    find_section,
    mark_held_ranks,
    mark_line,
    quote_rule,
)
from cardlang.ui.terminal.screen.table_app import TableApp
from cardlang.ui.terminal.screen.text_cards import CardRenderer, HighlightState
from cardlang.ui.terminal.session_state import PageTexts, Session
from interpreter.match.match import Match
from interpreter.view.table_model import TableCard
from tests.shipped import is_asked, load
from tests.terminal.conftest import Seen, Sessions, get_text, send_keys, session_where

VALUES = ("Ace", *map(str, range(2, 8)), "Jack", "Knight", "King")
LONG = "\n\n".join(f"Line {number}." for number in range(200))


def at(seen: Seen) -> int:
    """Return the first visible line of the page."""
    return round(seen.app.screen.query_one(VerticalScroll).scroll_y)


def reading(session: Sessions) -> Session:
    """Return a table with much text next to it."""
    sat = session("hearts")
    sat.texts = PageTexts(lambda: LONG, lambda: LONG, lambda: {})
    return sat


@pytest.mark.slow
@pytest.mark.parametrize("size", [(80, 24), (120, 40)])
@pytest.mark.parametrize("page", ["f1", "f2"])
def test_keys_scroll_a_page(session: Sessions, page: str, size: tuple[int, int]) -> None:
    seen: list[int] = []
    keys = ["down", "down", "pagedown", "pageup", "up", "end", "home"]
    each = [key for pressed in keys for key in (pressed, lambda screen: seen.append(at(screen)))]
    send_keys(reading(session), [page, *each], size)  # type: ignore[list-item]
    down, two, paged, back, up, end, home = seen
    assert (down, two, back, up, home) == (1, 2, 2, 1, 0)
    assert two + 10 < paged < end and end > 200


@pytest.mark.slow
def test_log_opens_at_its_end(session: Sessions) -> None:
    sat = reading(session)
    seen: list[int] = []
    keys = ["pageup", "home", "up", "end"]
    each = [key for pressed in keys for key in (pressed, lambda screen: seen.append(at(screen)))]
    send_keys(long_log(sat), ["f3", lambda screen: seen.append(at(screen)), *each])  # type: ignore[list-item]
    assert seen[0] > seen[1] > 0 and seen[2:] == [0, 0, seen[0]]


def long_log(sat: Session) -> Session:
    """Return a session with many events."""
    for _ in range(60):
        sat.match.choose(0)
    return sat


@pytest.mark.parametrize("key", ["escape", "q", "f1"])
def test_keys_close_a_page(session: Sessions, key: str) -> None:
    seen: list[bool] = []
    send_keys(
        reading(session),
        ["f1", lambda screen: seen.append(isinstance(screen.app.screen, OverlayPage)), key,
         lambda screen: seen.append(isinstance(screen.app.screen, OverlayPage))],
    )  # fmt: skip
    assert seen == [True, False]


AID = """\
Words about pairs.

## Ranks

|  | Rank | How rare |
| --- | --- | --- |
| 1 | Full house | 1 in 700 |
| 2 | Pair of Dragons | 1 in 40 |
| 3 | Pair | 1 in 2 |
"""


@pytest.mark.parametrize(
    ("reading", "rank"),
    [("Pair of nines", "Pair"), ("Full house (kings)", "Full house"), ("Pair of Dragons", "Pair of Dragons")],
)
def test_aid_opens_at_the_players_rank(reading: str, rank: str) -> None:
    """The page opens at the table of the ranking, not at another place with the word."""
    assert find_rank_title(AID, reading) == rank
    lines = [mark_held_ranks(line, [rank]) for line in AID.split("\n")]
    assert [line for line in lines if "▶" in line] == [line for line in lines if f"**▶ {rank}** (yours)" in line]
    assert sum("▶" in line for line in lines) == 1
    at = find_paragraph(lines, [f"▶ {rank}"])
    assert at is not None and lines[at].startswith("|  | Rank")


def test_aid_explains_unusual_symbols() -> None:
    """Nobody knows the symbol of plums; everybody knows those of hearts."""
    game = load("tall_card")
    told = add_symbol_legend("# The aid\n", CardStyles(game))
    assert told.startswith("# The aid\n") and "White Dragon" in told and "p✚ Plum" in told
    assert "♠" not in add_symbol_legend("# The aid\n", CardStyles(load("hearts")))


@pytest.mark.parametrize(("kept", "signs"), [("fresh", ["new", "*"]), ("chosen", ["✓"]), ("counts", ["═"])])
def test_aid_explains_card_marks(kept: str, signs: list[str]) -> None:
    """Whatever a card in a line, or in a box, looks like that is new, chosen, or counts."""
    looks = CardStyles(load("hearts"))
    told = add_symbol_legend("# The aid\n", looks)
    cards, card = CardRenderer(looks, HighlightState(), 4), evolve(TableCard("a", None, None, 5, ""), **{kept: True})
    drawn = "".join(get_text(line) for line in (*cards.render_card_box(card, 5, 0), cards.render_card_token(card)))
    assert all(sign in drawn and sign in told for sign in signs)


def test_selected_card_is_named(session: Sessions) -> None:
    seen: list[str] = []
    send_keys(session("scopa"), ["right", lambda screen: seen.append(screen.text)])
    assert any(
        f"── {value} of {suit} ─" in seen[0] for value in VALUES for suit in ("Coins", "Cups", "Swords", "Clubs")
    )


SHEET = """\
# Game

## How to play

### Round

Play a trick until nobody holds a card.

### Trick

1. Everybody plays a card.

   **Follow suit if you can.** Ann may play a spade.

2. Follow suit *if you can*.
   - **Pass:** Nothing happens.

### The end

Follow suit if you can.
"""


def test_rules_open_at_the_current_step() -> None:
    """Its line is marked, and not an example before it, nor what another section says in the same words."""
    lines = SHEET.split("\n")
    section = find_section(lines, ["trick", "round"])
    assert section is not None and lines[section.start] == "### Trick" and lines[section.stop] == "### The end"
    own = [lines[each] for each in section]
    (number,) = find_lines_with(own, ["", "Follow suit if you can."])
    assert mark_line(own[number]) == "2. **▶** Follow suit *if you can*."
    assert find_section(lines, ["deal"]) is None


@pytest.mark.parametrize(
    ("sought", "rule"),
    [
        (["Pass:"], "Pass: Nothing happens."),
        (["Follow suit if you can."], "Follow suit if you can."),
        (["never said"], ""),
    ],
)
def test_rule_of_a_move_is_quoted_as_plain_text(sought: list[str], rule: str) -> None:
    assert quote_rule(SHEET, sought, ["trick"]) == rule


def test_why_explains_a_legal_move(session: Sessions) -> None:
    sat, seen = session("fireworks", 2), list[str]()
    sat.texts = PageTexts(lambda: "# Fireworks\n\n### Turn\n\n- **Play:** A rocket flies.\n", lambda: "", lambda: {})
    send_keys(sat, ["right", "w", lambda screen: seen.append(screen.text)])
    assert "Play card 1: legal. Play: A rocket flies." in seen[0]


def may_claim(match: Match) -> bool:
    return is_asked("Ann")(match) and match.decision is not None and "claim" in match.decision.moves.texts


def test_why_of_a_pass_explains_the_pass(session: Sessions) -> None:
    """Tall Card: the words to the question are those of the claim."""
    sat, seen = session_where(session, may_claim, "tall_card", 3), list[str]()
    send_keys(sat, ["p", "w", lambda screen: seen.append(screen.text)])
    assert "Pass: legal. You do nothing now." in seen[0]


def test_log_opens_at_the_viewers_last_move(session: Sessions) -> None:
    sat = session("hearts")
    sat.advance()
    sat.hand_over_screen()
    for _ in range(3):  # cards to be passed
        sat.make_move(0)
    sat.advance()
    assert 0 < sat.seen_log_lines < len(sat.get_log()) and sat.get_log()[sat.seen_log_lines].startswith("You pass ")
    page = build_log_page(sat.get_log(), CardStyles(sat.match.game), sat.seen_log_lines)
    assert [widget.id for widget in page.content] == [None, "here"]


def test_log_starts_with_scores_of_all_deals(session: Sessions) -> None:
    sat = session("golf")
    while len(sat.match.table("Ann").scores) < 3:
        sat.match.choose(0)
    scores = sat.match.table("Ann").scores
    page = build_log_page(sat.get_log(), CardStyles(sat.match.game), 0, scores)
    (told,) = page.content
    lines = [line.split() for line in str(told.content).split("\n")]  # type: ignore[attr-defined]
    assert lines[1] == ["Ann", "Bob"] and lines[3] == " ".join(scores[2]).split()


OFFERS = """\
### Round

1. **Shuffle:** The dealer of the round shuffles.
2. **Ante:** Do one of these:
   - **Ante up:** Pay.
   - **Sit out (free):** Wait.
3. **Draw:** Change cards.

### Draw

- **Claim:** Take the card.
- **Draw:** Change cards.

### Betting

1. If nobody has bet, do one of these:
   - **Check:** Stay in.
2. If somebody has, do one of these:
   - **Call:** Pay.
   - **Fold:** Give up.
"""


@pytest.mark.parametrize(
    ("options", "heading", "line"),
    [
        (["ante up", "sit out"], "### Round", "2. **Ante:** Do one of these:"),
        (["claim", "draw"], "### Draw", "- **Claim:** Take the card."),
        (["draw"], "### Round", "3. **Draw:** Change cards."),
        (["call", "fold", "check"], "### Betting", "2. If somebody has, do one of these:"),
        (["check", "call", "fold"], "### Betting", "1. If nobody has bet, do one of these:"),
    ],
)
def test_rules_open_at_the_offered_options(options: list[str], heading: str, line: str) -> None:
    """And not at a line that has the name of the step in it."""
    lines = OFFERS.split("\n")
    found = find_offer_lines(lines, options, find_section(lines, ["round"]))
    assert found is not None and [lines[each] for each in found] == [heading, line]
    assert find_offer_lines(lines, ["play"], None) is None


def test_step_names_are_not_marked() -> None:
    page = build_text_page(OFFERS, ["Never said?"], steps=["round"])
    assert [widget.id for widget in page.content] == [None, "here"]
    assert not any("▶" in str(widget.content.markup) for widget in page.content)  # type: ignore[attr-defined]


def test_examples_are_not_marked() -> None:
    lines = ["### Trick", "", "> **Example: Suits.** Follow suit.", "", "1. Follow suit."]
    assert find_lines_with(lines, ["Follow suit."]) == [4]


@pytest.mark.parametrize("keys", [["f1"], ["f2"], ["right", "w"]])
def test_slow_page_shows_a_message(session: Sessions, monkeypatch: pytest.MonkeyPatch, keys: list[str]) -> None:
    """The screen is drawn while the text is made, and shows what was wanted in the end."""
    monkeypatch.setattr("cardlang.ui.terminal.screen.help_pages.SLOW_PAGE_SECONDS", 0)
    sat, shown, said = session("fireworks"), list[str](), threading.Event()

    def slowly() -> str:
        assert said.wait(20)
        return "# Fireworks"

    def show(app: TableApp, message: str = "") -> None:
        shown.append(message)
        if message == SLOW_PAGE_MESSAGE:
            said.set()
        drawn(app, message)

    drawn = TableApp.show_message
    monkeypatch.setattr(TableApp, "show_message", show)
    sat.texts = PageTexts(slowly, slowly, lambda: {})
    app = send_keys(sat, keys)
    assert SLOW_PAGE_MESSAGE in shown and app.message != SLOW_PAGE_MESSAGE


def test_page_texts_are_cached() -> None:
    session = make_session(start_new_match("golf", 2, (), 1, None, auto=False), is_saved=False)
    assert session.texts.rules() is session.texts.rules() and session.texts.aid() is session.texts.aid()
    assert session.texts.rules().startswith("# Golf")


def test_card_texts_open_while_the_screen_captures_output(monkeypatch: pytest.MonkeyPatch) -> None:
    """While it draws, Textual replaces the output by an object without an encoding."""
    session = make_session(start_new_match("market_street", 2, (), 1, None, auto=False), is_saved=False)
    monkeypatch.setattr(sys, "stdout", object())
    assert session.texts.cards()
