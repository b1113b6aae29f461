"""Full screen of a match: tricks, piles, results, mouse, curtain."""

from __future__ import annotations

import asyncio
import re

import pytest
from attrs import evolve

import cardlang
from cardlang.ui.terminal.command_parser import list_cards
from cardlang.ui.terminal.screen.action_panel import ActionPanel
from cardlang.ui.terminal.screen.card_styles import CardStyles
from cardlang.ui.terminal.screen.event_pane import select_newest_blocks
from cardlang.ui.terminal.screen.table_app import TableApp
from cardlang.ui.terminal.screen.table_layout import BoardRenderer
from cardlang.ui.terminal.screen.table_panes import (
    PAPER_COLORS,
    PLAIN_STYLES,
    TableGrid,
    get_terminal_style,
)
from cardlang.ui.terminal.screen.text_blocks import make_line, measure_width
from cardlang.ui.terminal.session_state import get_outermost_step
from interpreter.view.table_model import EventLine
from tests.game_files import read_game
from tests.terminal.conftest import NAMES, Seen, Sessions, asked_to_follow, get_text, lines, send_keys


@pytest.mark.parametrize("rows", [24, 40, 60])
def test_own_piles_are_labelled(session: Sessions, rows: int) -> None:
    sat = session("tall_tales", 3)
    sat.advance()
    sat.hand_over_screen()
    own = [pile for pile in sat.get_table().places[0].piles if pile.cards]
    bottom = BoardRenderer(sat.get_table(), CardStyles(sat.match.game), 80).fit_to_height(rows).lines
    shown = "\n".join(map(get_text, bottom))
    assert len(own) > 1 and all(pile.label in shown for pile in own)


def test_blocks_are_dropped_whole() -> None:
    blocks = [tuple(make_line(f"{name}{number}") for number in range(3)) for name in "abc"]
    shown = {room: [get_text(line) for line in select_newest_blocks(blocks, room)] for room in range(8)}
    assert shown[0] == shown[1] == []
    assert shown[2] == ["c0", "  …"]
    assert shown[3] == shown[5] == ["c0", "c1", "c2"]
    assert shown[6] == ["b0", "b1", "b2", "c0", "c1", "c2"]


@pytest.mark.slow
@pytest.mark.parametrize("rows", range(18, 34))
def test_score_table_has_its_heading(session: Sessions, rows: int) -> None:
    """The rows of the scores are on the screen only below their headline."""
    sat = session("hearts")
    sat.advance()
    sat.hand_over_screen()
    while not sat.match.over and "scores" not in {moment.kind for moment in sat.get_table().moments}:
        sat.make_move(0)
        sat.advance()
    scores = next(moment for moment in sat.get_table().moments if moment.kind == "scores")
    shown = [line.strip() for line in lines(sat, rows=rows)]
    if any(line.startswith("before") for line in shown):
        assert scores.headline in shown


def test_omitted_lines_are_counted(session: Sessions) -> None:
    """With the key of the page where all of it stands."""
    sat = session("hearts", seed=3)
    sat.advance()
    told = tuple(
        EventLine(f"{name} has done something that takes more than half a line to tell.") for name in NAMES[:4]
    )
    board = BoardRenderer(evolve(sat.get_table(), since=told), CardStyles(sat.match.game), 80)
    shown = [get_text(line) for line in board.event_pane.render_news(2)]
    assert len(shown) == 2 and "since your last move · 3 more lines: F3 " in shown[0]


def test_forced_passes_are_summarized(session: Sessions) -> None:
    sat = session("golf", 2)
    sat.advance()
    sat.hand_over_screen()
    sat.forced_step = get_outermost_step(sat.get_table())
    for count, told in ((1, "You could only pass."), (4, "You could only pass, four times.")):
        sat.forced_moves = ["pass"] * count
        assert sat.report_forced_moves() == [told]


FORCED = read_game("forced")


def test_forced_moves_are_reported_until_the_next_key(session: Sessions) -> None:
    seen: list[bool] = []

    def look(screen: Seen) -> None:
        seen.append("Your only move was made for you: choose “nod”." in screen.text)

    send_keys(session(FORCED), [look, "right", look, "left", look, "enter", look])
    assert seen == [True, False, False, True]


CAPTURED = read_game("captured")


def test_automatic_pick_of_own_move_is_not_reported(session: Sessions) -> None:
    """Of three cards in hand Ann plays two; the lowest card of the middle is taken for her. To play the last, as no
    other is left, is a move of its own."""
    sat, told = session(CAPTURED), list[list[str]]()
    sat.advance()
    for _ in range(2):
        assert sat.make_move(0) == ""
        sat.advance()
        told.append(sat.report_forced_moves())
    assert told[0] == [] and len(told[1]) == 1 and told[1][0].startswith("Your only move was made for you: play [")


def test_why_not_names_the_card(session: Sessions) -> None:
    sat = asked_to_follow(session("hearts"))
    closed = next(
        card for pile in sat.get_table().places[0].piles for card in pile.cards if card.code and not card.moves
    )
    app = TableApp(sat, CardStyles(sat.match.game), pause=0)
    app.input_state.cursor = closed.ref
    assert app.find_explanation() == f"You can't play [{closed.code}] now. {sat.explain_move(closed.code or '')}"


def test_selected_card_shows_its_caption(session: Sessions) -> None:
    sat = session("tail_story")
    sat.advance()
    sat.hand_over_screen()
    table, looks = sat.get_table(), CardStyles(sat.match.game)
    card = next(card for pile in table.middle.piles for card in pile.cards if card.moves and card.face is not None)
    assert card.face is not None
    shown = "\n".join(map(get_text, BoardRenderer(table, looks, 400, card.ref).fit_to_height(40).blocks["prompt"]))
    assert looks.captions[card.face] in shown
    idle = "\n".join(map(get_text, BoardRenderer(table, looks, 400).fit_to_height(40).blocks["prompt"]))
    assert looks.captions[card.face] not in idle


def test_unavailable_options_come_last_if_there_is_room(session: Sessions) -> None:
    sat = session("fireworks", 2)
    sat.advance()
    sat.hand_over_screen()
    assert any("[p] Play …   Not now: [d] Discard" in line for line in lines(sat, rows=40))
    assert not any("Discard" in line for line in lines(sat, columns=30, rows=40))


def test_why_not_omits_file_positions(session: Sessions) -> None:
    sat = asked_to_follow(session("hearts"))
    closed = [card for pile in sat.get_table().places[0].piles for card in pile.cards if card.code and not card.moves]
    assert closed
    for card in closed:
        assert sat.explain_move(card.code or "") and not re.search(r"cardgame|:\d+:", sat.explain_move(card.code or ""))


# ---------------------------------------------------------------- keys, the mouse, several people
def test_hint_is_shown(session: Sessions) -> None:
    seen: list[str] = []
    send_keys(session("hearts"), ["h", lambda screen: seen.append(screen.text)])
    assert "Do what you like." in seen[0]


def test_second_click_plays_a_card(session: Sessions) -> None:
    sat = asked_to_follow(session("tall_tales", 3))
    app = TableApp(sat, CardStyles(sat.match.game), pause=0)
    before = len(sat.match.choices)

    async def run() -> None:
        async with app.run_test(size=(80, 24)) as pilot:
            await app.workers.wait_for_complete()
            await pilot.pause()
            card = [c for pile in app.get_table().places[0].piles for c in pile.cards if c.moves][-1]
            for number in range(2):
                spot = app.query_one(TableGrid).find_drawn_refs({card.ref})[card.ref]
                await pilot.click(TableGrid, offset=(spot.left + 1, spot.top))
                await pilot.pause()
                assert number or (app.input_state.cursor == card.ref and len(sat.match.choices) == before)
            await app.workers.wait_for_complete()
            assert sat.match.choices[before:] and any(f"Ann plays [{card.code}]" in line for line in sat.match.log)

    asyncio.run(run())


@pytest.mark.parametrize("size", [(80, 24), (120, 40)])
def test_curtain_hides_the_table_between_people(session: Sessions, size: tuple[int, int]) -> None:
    """Nothing of the table is seen, by whatever key, until the next person says that they sit there."""
    sat = session("hearts", people=2)
    seen: list[str] = []
    look = lambda screen: seen.append(screen.text)  # noqa: E731
    codes = {card.code for card in sat.match.view(0).zone("hand", "Ann").cards}
    send_keys(sat, [look, "h", look, "w", look, "u", look, ":", "escape", look, "enter", look], size)
    *hidden, shown = seen
    labels = {CardStyles(sat.match.game).build_style(face).label for face in sat.match.game.faces if face.code in codes}
    for screen in hidden:
        assert "Ann, it is your turn." in screen and not any(label in screen for label in labels)
    assert all(label in shown for label in labels)


def test_sixteen_colours_suffice() -> None:
    """Cards are told from the ground, the cursor from other cards; what is no card has the terminal's own colours."""
    for role in PLAIN_STYLES:
        assert get_terminal_style(role, "", True).bgcolor is None and get_terminal_style(role, "", True).color is None
    paper = {get_terminal_style(role, "", True).bgcolor for role in PAPER_COLORS}
    assert all(colour is not None and colour.number is not None and colour.number < 16 for colour in paper)
    assert get_terminal_style("paper.cursor", "", True) != get_terminal_style("paper", "", True)
    assert get_terminal_style("back.cursor", "", True).bgcolor != get_terminal_style("back", "", True).bgcolor


def test_captions_equal_the_cards_page() -> None:
    from cardlang.ui.terminal.typed_card_names import build_captions

    game = cardlang.load("tail_story")
    assert CardStyles(game).captions == build_captions(game) != {}


@pytest.mark.slow
@pytest.mark.parametrize("key", ["right", "f1", "f4", "?"])
def test_no_color_is_supported(session: Sessions, monkeypatch: pytest.MonkeyPatch, key: str) -> None:
    """With NO_COLOR every cell passes a filter, also those that are only filled up, and the cursor is still seen."""
    monkeypatch.setenv("NO_COLOR", "1")
    sat = session("tail_story")
    screens: list[str] = []

    def rendered(seen: Seen) -> None:
        screens.append(seen.app.export_screenshot())

    send_keys(sat, [rendered, key, rendered])
    assert len(screens) == 2 and "Tail" in screens[0]
    assert "#fbfaf5" not in screens[0]


@pytest.mark.parametrize("columns", [40, 80, 200])
def test_caption_height_is_stable(session: Sessions, columns: int) -> None:
    """Nothing moves while the cursor goes over cards, and at 80 columns no word is lost."""
    sat = session("tail_story")
    sat.advance()
    sat.hand_over_screen()
    table, looks = sat.get_table(), CardStyles(sat.match.game)
    cards = [card for pile in table.middle.piles for card in pile.cards if card.moves]
    assert table.ask is not None and len(cards) > 2
    heights = set()
    for card in cards:
        printed = ActionPanel(table, looks, columns, card.ref, (), {}, "").render_caption(table.ask)
        assert all(measure_width(line) <= columns for line in printed)
        heights.add(len(printed))
        shown = " ".join(get_text(line) for line in printed).split()
        assert columns < 80 or card.face is None or shown == looks.captions[card.face].split()
    assert len(heights) == 1 and heights <= {2, 3, 4, 5}


def test_undo_names_the_move(session: Sessions) -> None:
    sat = session("spades", 4)
    sat.advance()
    sat.hand_over_screen()
    assert sat.make_move("4") == "" and sat.undo() == ""
    assert sat.notes == ["Undone: You bid 4."]
    sat.make_move("5")
    assert sat.notes == []


def test_missing_values_are_asked_for(session: Sessions) -> None:
    """Also where it is no card on the table."""
    seen: list[str] = []
    sat = session("go_fish", 3)
    app = send_keys(sat, [lambda screen: seen.append(screen.text), "up", "right"])
    assert "Ask: choose a player and a rank." in seen[0] and "[a] Ask …" in seen[0].splitlines()[-2]
    assert app.input_state.cursor


def test_passed_cards_are_shown_while_waiting(session: Sessions) -> None:
    sat = session("hearts", 4)
    sat.advance()
    sat.hand_over_screen()
    ask = sat.get_table().ask
    assert ask is not None and ask.choosing is not None
    codes = [card.code for card in list_cards(sat.get_table()) if card.ref in ask.choosing.refs[:3]]
    for ref in ask.choosing.refs[:3]:
        assert sat.toggle_ref(ref) == ""
    assert sat.report_selection() == [] and sat.confirm_selection() == ""
    (said,) = sat.report_selection()
    assert all(code is not None and code in said for code in codes) and "other players choose" in said
    sat.advance()
    assert sat.report_selection() == []
