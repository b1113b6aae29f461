"""Player count: asked once, if not given."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence

import pytest
from click.testing import CliRunner
from textual import events
from textual.widgets import OptionList

from cardlang.cli import interactive_session
from cardlang.cli.commands import play
from cardlang.cli.start_menu import RESUME_ANSWERS, start_chosen_match
from cardlang.ui.terminal.screen.start_screens import (
    ChoiceApp,
    ChoiceScreen,
    CountScreen,
    HomeApp,
)
from cardlang.ui.terminal.start_options import StartChoice, StartOption, choose_middle_count

MANY = StartOption("tall_card", "Tall Card", "Poker.", (2, 3, 4, 5, 6, 7))
ONE = StartOption("cribbage", "Cribbage", "Fifteen.", (2,))


def ask_count(counts: Sequence[int], count: int, keys: Sequence[str]) -> int | None:
    app = ChoiceApp(CountScreen("A game", counts, count, "steady"))

    async def run() -> None:
        async with app.run_test(size=(80, 24)) as pilot:
            await pilot.press(*keys)

    asyncio.run(run())
    return None if app.return_value is None else counts[app.return_value]


@pytest.mark.parametrize(
    ("counts", "keys", "count"),
    [
        ([2, 3, 4], ["enter"], 2),
        ([2, 3, 4], ["4", "enter"], 4),
        ([2, 3, 4], ["right", "enter"], 3),
        ([2, 3, 4], ["left", "enter"], 4),
        ([2, 3, 4], ["7", "0", "enter"], 2),  # not so many
        ([1, 2, 3, 10, 12], ["1", "enter"], 1),
        ([1, 2, 3, 10, 12], ["1", "2", "enter"], 12),
        ([1, 2, 3, 10, 12], ["1", "3", "enter"], 3),  # there is no 13
        ([2, 3, 4], ["3", "escape"], None),
        ([2, 3, 4], ["q"], None),
    ],
)
def test_player_count_is_chosen(counts: list[int], keys: list[str], count: int | None) -> None:
    assert ask_count(counts, 2, keys) == count


def test_double_enter_counts_once() -> None:
    app = ChoiceApp(CountScreen("A game", [2, 3], 2, "steady"))

    async def run() -> None:
        async with app.run_test(size=(80, 24)) as pilot:
            for _ in range(2):
                app.screen.post_message(events.Key("enter", None))
            await pilot.pause()

    asyncio.run(run())
    assert app.return_value == 0


def test_menu_names_both_quit_keys() -> None:
    app = ChoiceApp(CountScreen("A game", [2, 3], 2, "steady"))

    async def run() -> str:
        async with app.run_test(size=(80, 24)):
            return str(app.screen.query_one("#choice-keys").render())

    assert "q or Esc quit" in asyncio.run(run())


def chosen(offers: list[StartOption], keys: Sequence[str]) -> StartChoice | None:
    app = HomeApp([], offers, ["easy", "steady"], "steady")

    async def run() -> None:
        async with app.run_test(size=(80, 24)) as pilot:
            await pilot.press(*keys)

    asyncio.run(run())
    return app.return_value


def test_menu_starts_below_outdated_matches() -> None:
    """Enter resumes the latest match, unless its rules have changed since: then it starts a game."""
    for old in (False, True):
        app = HomeApp([StartOption("a.record", "A game", "", is_outdated=old)], [ONE], ["steady"], "steady")

        async def run(app: HomeApp = app) -> str:
            async with app.run_test(size=(80, 24)) as pilot:
                said = str(app.query_one(OptionList).get_option_at_index(0).prompt)
                await pilot.press("enter")
            return said

        said = asyncio.run(run())
        assert ("with the old rules" in said) == old
        assert app.return_value is not None and (app.return_value.offer == ONE) == old


@pytest.mark.slow
def test_menu_asks_for_missing_player_counts() -> None:
    asked_for, said = chosen([MANY], ["enter", "6", "enter"]), chosen([MANY], ["right", "enter"])
    assert asked_for == StartChoice(MANY, 6, "", "steady") and said == StartChoice(MANY, 5, "", "steady")
    assert [seat.kind for seat in start_chosen_match(asked_for).seats] == ["you", *["steady"] * 5]


def test_escape_returns_to_the_menu() -> None:
    assert chosen([MANY, ONE], ["enter", "escape", "down", "enter"]) == StartChoice(ONE, 2, "", "steady")


@pytest.mark.parametrize(
    ("given", "answer", "seats"),
    [
        ([], 2, 4),
        ([], None, 0),  # nobody sits down
        (["--players", "3"], 4, 3),
        (["--seat", "Eve=you"], 4, 4),
        (["--seed", "7"], 2, 4),  # the same words begin the same match
        (["--plain"], 2, 4),
    ],
)
def test_play_asks_for_missing_player_counts(
    given: list[str], answer: int | None, seats: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    sat: list[interactive_session.SeatedMatch] = []
    monkeypatch.setattr(play, "can_draw_screen", lambda plain: not plain)
    monkeypatch.setattr(play, "offer_to_resume", lambda *of: None)
    monkeypatch.setattr(play, "play_with_rematches", lambda table, *of: sat.append(table))
    monkeypatch.setattr(ChoiceApp, "run", lambda self: answer)  # the place of the number
    done = CliRunner().invoke(play.play_in_terminal, ["tall_card", *given], catch_exceptions=False)
    assert done.exit_code == 0 and [len(table.seats) for table in sat] == [seats][: bool(seats)]
    assert [seat.is_person for table in sat for seat in table.seats].count(True) == len(sat)


@pytest.mark.parametrize(
    ("counts", "count"),
    [([2], 2), ([2, 3], 2), ([2, 3, 4], 3), ([*range(2, 11)], 4), ([5, 6, 7], 6), ([1, 2, 3, 4], 3), ([1], 1)],
)
def test_default_player_count_is_moderate(counts: list[int], count: int) -> None:
    assert choose_middle_count(counts) == count


@pytest.mark.parametrize(
    ("keys", "answer"),
    [(["enter"], 0), (["right", "enter"], 1), (["n", "enter"], 1), (["n", "r", "enter"], 0), (["q"], None)],
)
def test_resume_question_has_the_same_keys(keys: list[str], answer: int | None) -> None:
    assert (
        show_with(ChoiceScreen("You left a match.", "Resume this match?", RESUME_ANSWERS, 0), keys).return_value
        == answer
    )


def test_rules_can_be_read_in_the_menu() -> None:
    asking = CountScreen("A game", [2, 3], 2, "steady", lambda: "# The rules of a game")
    assert show_with(asking, ["f1", "q", "3", "enter"]).return_value == 1  # q closes the page alone


def show_with(asking: ChoiceScreen, keys: Sequence[str]) -> ChoiceApp:
    app = ChoiceApp(asking)

    async def run() -> None:
        async with app.run_test(size=(80, 24)) as pilot:
            await pilot.press(*keys)

    asyncio.run(run())
    return app
