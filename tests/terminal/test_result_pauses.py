"""Pauses after tricks and results, and their position on screen."""

from __future__ import annotations

import asyncio
import re

import pytest

from cardlang.ui.terminal.forced_move_and_undo_messages import get_outermost_step
from cardlang.ui.terminal.screen.action_panel import CONTINUE_LABEL
from cardlang.ui.terminal.screen.card_styles import CardStyles
from cardlang.ui.terminal.screen.help_pages import CONTINUE_FIRST
from cardlang.ui.terminal.screen.result_pause_pages import ResultPause
from cardlang.ui.terminal.screen.table_app import TableApp
from cardlang.ui.terminal.screen.table_layout import BoardRenderer
from cardlang.ui.terminal.screen.table_panes import TableGrid
from tests.terminal.conftest import Seen, Sessions, Stays, asked_to_follow, get_text, lines, send_keys


@pytest.mark.parametrize("players", [3, 4])
def test_trick_is_above_idle_piles(session: Sessions, players: int) -> None:
    sat = asked_to_follow(session("tall_tales", players))
    shown = lines(sat)
    assert len(shown) <= 24
    (trick,) = [pile for pile in sat.get_table().middle.piles if pile.form == "trick"]
    at = next(number for number, line in enumerate(shown) if "play area" in line)
    looks = CardStyles(sat.match.game)
    around = "\n".join(shown[at : at + 5])
    assert all(str(card.by) in around and looks.get_style(card).label in around for card in trick.cards)
    assert all(number > at for number, line in enumerate(shown) if "Embellishment Market" in line)
    markets = " ".join(shown[next(n for n, line in enumerate(shown) if "Embellishment Market" in line) :])
    for suit in sat.get_table().kinds:
        (market,) = suit.piles
        assert f"{suit.name} {looks.get_style(market.cards[-1]).label}×{len(market.cards)}" in markets


def test_next_move_removes_old_results(session: Sessions) -> None:
    sat = session("hearts")
    sat.advance()
    sat.hand_over_screen()
    while "scores" not in {moment.kind for moment in sat.get_table().moments}:
        sat.make_move(0)
        sat.advance()
    assert not sat.report_forced_moves()  # of the deal before
    sat.make_move(0)
    assert not {moment.kind for moment in sat.get_table().moments} & {"scores", "result"}


@pytest.mark.slow
def test_play_pauses_after_every_trick(session: Sessions) -> None:
    """With who took it, and who played what: the whole trick still lies there. The hand stays where it is, and Enter
    plays nothing. Beside the next question the trick is told as long as there is room."""
    sat, pauses, told = session("hearts", seed=1), list[tuple[int, list[str]]](), list[list[str]]()

    def look(screen: Seen) -> None:
        lines = [line.strip() for line in screen.lines]
        if screen.app.is_paused:
            pauses.append((len(sat.match.choices), lines))
        elif any(line.count(",") == 3 and "you " in line.lower() for line in lines):
            told.append(lines)

    send_keys(sat, [*["right", "space"] * 3, "enter", *[look, "enter", "enter", "enter", look, "right", "enter"] * 8])
    assert len(pauses) > 5
    for _, shown in pauses:
        assert any("takes the trick with" in line or "take the trick with" in line for line in shown)
        assert any({"you", "Bob", "Cat", "Dan"} <= {*line.split()} for line in shown) and "[Enter] Continue" in shown
    assert told and all("── last trick" in "\n".join(lines) for lines in told)


@pytest.mark.slow
def test_cards_taken_after_a_trick_are_shown(session: Sessions) -> None:
    """Tall Tales: in each of eight tricks every other player takes a card, in the last as well: the next round comes
    after that was told. It tells itself that all take up what they took."""
    sat, seen = session("tall_tales", 4, seed=4), list[str]()

    def look(screen: Seen) -> str:
        seen.extend(line.strip() for line in screen.lines)
        if screen.app.is_paused:
            assert "more line" not in screen.text
            return "enter"
        sat.perform_action(lambda: sat.match.choose(0))
        screen.app.play_until_decision()
        return "f12"

    send_keys(sat, [look] * 36)
    log, looks = list(sat.get_log()), CardStyles(sat.match.game)
    begins = next(at for at, line in enumerate(log) if line.startswith("Round 2 "))
    taken = [line for line in log[:begins] if " takes [" in line]
    took = [looks.replace_codes(line) for line in taken if " " not in line[line.index("[") : line.index("]")]]
    assert len(took) == 3 * 8 and len(taken) == len(took) + 3
    assert all(any(line in shown for shown in seen) for line in took)
    assert not any(looks.replace_codes(line) in shown for line in taken[-3:] for shown in seen)
    assert any(line.startswith("Round 2 ") for line in seen)


@pytest.mark.slow
def test_layout_stays_in_place(session: Sessions) -> None:
    """From the first whole trick on hand and others do not move, but for a line if what is asked or told needs one."""
    sat, places = session("hearts", seed=3), list[tuple[int, int]]()

    def look(screen: Seen) -> None:
        lines = screen.lines
        if len(sat.match.choices) > 20 and "── last trick" in screen.text:
            hand = next(at for at, line in enumerate(lines) if "you (Ann)" in line)
            places.append((hand, next(at for at, line in enumerate(lines) if line.strip().startswith("table"))))

    send_keys(sat, [*["right", "space"] * 3, "enter", *["enter", look, "right", look, "enter", look] * 8])
    hands, tables = ({*each} for each in zip(*places, strict=True))
    assert len(places) > 12 and len(tables) == 1 and max(hands) - min(hands) <= 1


@pytest.mark.parametrize("room", [1, 2, 3, 5])
def test_last_trick_names_its_winner(session: Sessions, room: int) -> None:
    sat = session("hearts")
    sat.advance()
    sat.hand_over_screen()
    while "trick" not in {moment.kind for moment in sat.get_table().moments}:
        sat.make_move(0)
        sat.advance()
    shown = [
        get_text(line).strip()
        for line in BoardRenderer(sat.get_table(), CardStyles(sat.match.game), 80).event_pane.render_news(room)
    ]
    assert len(shown) <= room and any("takes the trick" in line or "take the trick" in line for line in shown)


def test_click_continues_after_a_trick(session: Sessions) -> None:
    """Elsewhere than on the words that say so, a click does nothing while the trick is looked at."""
    sat = asked_to_follow(session("tall_tales", 3))
    app = TableApp(sat, CardStyles(sat.match.game), pause=0)

    async def run() -> None:
        async with app.run_test(size=(80, 24)) as pilot:
            await app.workers.wait_for_complete()
            while not app.is_paused or app.result_pause.is_paused_for_events:
                await pilot.press("right", "enter")
                await app.workers.wait_for_complete()
            before = len(sat.match.choices)
            await pilot.click(TableGrid, offset=(1, 1))
            assert app.is_paused
            spot = app.query_one(TableGrid).find_drawn_refs({CONTINUE_LABEL})[CONTINUE_LABEL]
            await pilot.click(TableGrid, offset=(spot.left + 1, spot.top))
            await app.workers.wait_for_complete()
            assert not app.is_paused and len(sat.match.choices) >= before

    asyncio.run(run())


@pytest.mark.slow
def test_play_pauses_at_a_showdown(session: Sessions) -> None:
    """It stays until Enter is pressed, with the hands; other keys do nothing to the match, and say why."""
    sat = session("texas_holdem", 2, seed=1)
    sat.bots = dict.fromkeys(sat.bots, Stays())
    seen: list[str] = []
    look = lambda screen: seen.append(screen.text)  # noqa: E731
    enter = lambda screen: "" if screen.app.is_paused else "enter"  # noqa: E731
    call = lambda screen: "" if screen.app.is_paused else "c"  # noqa: E731
    made: list[int] = []
    count = lambda screen: made.append(len(sat.match.choices))  # noqa: E731
    send_keys(sat, [*[call, enter] * 12, look, count, "f", "u", look, count, "enter", look])
    assert "[Enter] Continue" in seen[0] and "── showdown" in seen[0] and re.search(r"\bwins? \d", seen[0])
    *shown, answer = seen[1].splitlines()
    assert shown == seen[0].splitlines()[:-1] and answer.startswith(CONTINUE_FIRST) and made[1] == made[0]
    assert "[Enter] Continue" not in seen[2] and "── showdown" not in seen[2]


def test_trick_keeps_its_place(session: Sessions) -> None:
    """With three cards on it, once it was taken, and with the first cards of the next."""
    sat = session("spades", 4, seed=5)
    places: list[tuple[int, int]] = []

    def look(screen: Seen) -> None:
        line = next(line for line in screen.lines if "Points to win" in line)
        places.append((screen.lines.index(line), line.index("Points to win")))

    def first(screen: Seen) -> str:
        screen.app.continue_after_move(sat.make_move(0))
        return "escape"

    send_keys(sat, ["4", "enter", look, first, look, "enter", look, first, look])
    lines, columns = ({*each} for each in zip(*places, strict=True))
    assert len(columns) == 1 and max(lines) - min(lines) <= 1 and len(places) == 4


@pytest.mark.slow
def test_read_pages_free_their_room(session: Sessions) -> None:
    """The show of Cribbage has a page; then the hand is drawn as large as in the first deal."""
    sat = session("cribbage", 2)
    seen: list[str] = []

    def step(screen: Seen) -> str:
        if screen.app.is_paused:
            if "── result" in screen.text:  # not only the cards of a count
                seen.append(screen.text)
            return "enter"
        seen.append(screen.text) if seen and len(seen) < 2 else screen.app.continue_after_move(sat.make_move(0))
        return "escape"

    send_keys(sat, [step] * 30)
    assert "── result" in seen[0] and "── scores" in seen[0]
    assert "round 2" in seen[1] and "You count" not in seen[1] and "PgDn" not in seen[1]
    assert seen[1].count("╭─────╮") == 6


def test_early_key_does_not_close_a_result() -> None:
    rest = ResultPause(is_active=True)
    assert rest.is_key_too_early(10.0)
    rest.drawn_at = 11.0
    assert rest.is_key_too_early(10.9) and not rest.is_key_too_early(11.1)


def test_pause_reports_forced_moves(session: Sessions) -> None:
    sat, seen = session("hearts"), list[str]()

    def look(screen: Seen) -> None:
        if screen.app.is_paused and not seen:
            sat.forced_moves, sat.forced_step = ["nod"], get_outermost_step(sat.get_table())
            screen.app.show_message()
            seen.append(screen.text)

    send_keys(sat, [*["right", "space"] * 3, "enter", look, "enter", look, "right", "enter", look])
    assert "Your only move was made for you: nod." in seen[0]
