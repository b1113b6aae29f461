"""Submenus, single choices, answers and nested pages: the question stays visible."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

import cardlang
from cardlang.ui.terminal.screen.action_panel import ActionPanel
from cardlang.ui.terminal.screen.card_styles import CardStyles
from cardlang.ui.terminal.screen.help_pages import OverlayPage
from cardlang.ui.terminal.screen.key_bindings import find_common_start
from cardlang.ui.terminal.screen.selection import find_reachable_refs
from cardlang.ui.terminal.screen.table_layout import BoardRenderer
from cardlang.ui.terminal.screen.text_blocks import LayoutState
from cardlang.ui.terminal.session_state import Session
from interpreter.view.table_model import Selection
from tests.terminal.conftest import Seen, Sessions, get_text, send_keys


def test_submenu_asks_for_the_missing_card(session: Sessions) -> None:
    """Which card is played: nothing else is named there, least of all what is not open."""
    sat = session("fireworks", 3)
    sat.advance()
    sat.hand_over_screen()
    asking = ActionPanel(sat.get_table(), CardStyles(sat.match.game), 80, "", ("verb/Play",), {}, "")
    drawn = "\n".join(get_text(line) for line in (*asking.render_question(), *asking.render_options()))
    ask = sat.get_table().ask
    assert ask is not None and ask.closed
    assert "Play: which card?" in drawn and ask.closed[0].label not in drawn
    free = ActionPanel(sat.get_table(), CardStyles(sat.match.game), 80, "", (), {}, "")
    assert ask.closed[0].label in "\n".join(map(get_text, free.render_options()))


def test_hint_keeps_the_submenu(session: Sessions) -> None:
    app = send_keys(session("fireworks", 3), ["p", "h"])
    assert app.input_state.picked == ("verb/Play",) and app.message == "Do what you like."


def test_typed_line_covers_the_footer(session: Sessions) -> None:
    """Nothing on the table moves for it."""
    seen: list[list[str]] = []
    look = lambda screen: seen.append(screen.lines)  # noqa: E731
    send_keys(session("cribbage"), [look, ":", look, "escape", look])
    assert seen[0] == seen[1] == seen[2] and len(seen[0]) == 24


def test_answer_does_not_move_the_table(session: Sessions) -> None:
    """However long it is: the table keeps its size, and is covered from below."""
    sat = session("scopa")
    sat.advance()
    sat.hand_over_screen()
    calm, looks = LayoutState(), CardStyles(sat.match.game)
    before = BoardRenderer(sat.get_table(), looks, 80, layout_state=calm).fit_to_height(24)
    answer = " ".join(["word"] * 60)
    after = BoardRenderer(sat.get_table(), looks, 80, layout_state=calm, answer=answer).fit_to_height(24)
    assert after.blocks["message"] and len(after.lines) == 24
    assert {name for name, block in before.blocks.items() if after.blocks[name] != block} == {"events", "message"}
    assert [name for name, height in before.heights.items() if after.heights[name] != height] == ["events", "message"]
    assert BoardRenderer(sat.get_table(), looks, 80, layout_state=calm).fit_to_height(24) == before


def test_page_switches_to_another_page(session: Sessions) -> None:
    seen: list[str] = []

    def look(screen: Seen) -> None:
        page = screen.app.screen
        seen.append(page.page_name if isinstance(page, OverlayPage) else "table")

    send_keys(session("hearts"), ["f2", look, "f1", look, "?", look, "?", look, "f3", look, "escape", look])
    assert seen == ["aid", "rules", "?", "table", "log", "table"]


def test_cursor_visits_choosable_cards() -> None:
    """While cards of the table are chosen one's own are left out."""
    match = cardlang.load("scopa").start(2, seed=5)
    for _ in range(200):
        table = match.table(match.decision.player)  # type: ignore[union-attr]
        choosing = table.ask.choosing if table.ask is not None else None
        if choosing is not None:
            break
        match.choose(0)
    assert choosing is not None
    cards = {ref for ref in find_reachable_refs(table) if "#" in ref}
    assert cards == {*choosing.refs}


def choices(sat: Session) -> Iterator[tuple[Session, Selection]]:
    """Yield the session at decisions about cards, until the match ends."""
    while not sat.match.over:
        sat.play_move(sat.choose_automatic_move()) if not sat.is_waiting_for_person() else sat.make_move(0)
        sat.hand_over_screen()
        ask = sat.get_table().ask
        if ask is not None and ask.choosing is not None and sat.is_waiting_for_person():
            yield sat, ask.choosing


def test_single_capture_is_chosen_by_enter(session: Sessions) -> None:
    """No tick before it: of two sixes on the table a six takes one."""
    sat, chosen = next(found for seed in range(50) for found in choices(session("scopa", 2, 1, seed)) if found[1].alone)
    assert len(chosen.alone) > 1 and chosen.alone == chosen.open and not chosen.ready
    made = len(sat.match.choices)
    seen: list[str] = []
    send_keys(sat, ["right", lambda screen: seen.append(screen.text), "enter"])
    assert "[Enter] Choose" in seen[0] and "tick" not in seen[0]
    assert len(sat.match.choices) > made


@pytest.mark.parametrize(
    ("labels", "begun"),
    [
        (["Take [9s] for Top Left", "Take [9s] for Top Right"], "Take [9s] for Top"),
        (["Take [9s] for Top Left", "Take [9s] for Bottom Left"], "Take [9s] for"),
        (["Take [9s 2c] now", "Take [9s 2d] now"], ""),
        (["Play card 1", "Play card 2"], ""),
        (["Ask Bob", "Ask Bob for aces"], ""),
        (["Take [9s] for Top Left"], ""),
    ],
)
def test_common_start_of_labels_is_shown_once(labels: list[str], begun: str) -> None:
    assert find_common_start(labels) == begun


def test_option_for_several_players_asks_for_the_player_first(session: Sessions) -> None:
    seen: list[str] = []
    look = lambda screen: seen.append("\n".join(screen.lines[-5:]))  # noqa: E731
    sat = session("fireworks", 3)
    send_keys(sat, ["n", look, "b", look])
    numbers = sorted({card.code[0] for card in sat.get_table().places[1].piles[0].cards if card.code})
    assert "which player?" in seen[0] and "[b] Bob   [c] Cat\n" in seen[0]
    assert "   ".join(f"[{number}] {number}s" for number in numbers) in seen[1]
