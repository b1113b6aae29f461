"""How many play is asked, once, where nobody has said it."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence

import pytest
from click.testing import CliRunner

from cardlang.commands import play, sitting
from cardlang.commands.home import new
from cardlang.terminal.offers import Choice, Offer
from cardlang.terminal.screen.counting import CountApp, CountScreen
from cardlang.terminal.screen.home import HomeApp

MANY = Offer("tall_card", "Tall Card", "Poker.", (2, 3, 4, 5, 6, 7))
ONE = Offer("cribbage", "Cribbage", "Fifteen.", (2,))


def asked(counts: Sequence[int], count: int, keys: Sequence[str]) -> int | None:
    app = CountApp(CountScreen("A game", counts, count, "steady"))

    async def run() -> None:
        async with app.run_test(size=(80, 24)) as pilot:
            await pilot.press(*keys)

    asyncio.run(run())
    return app.return_value


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
def test_a_number_is_chosen(counts: list[int], keys: list[str], count: int | None) -> None:
    assert asked(counts, 2, keys) == count


def chosen(offers: list[Offer], keys: Sequence[str]) -> Choice | None:
    app = HomeApp([], offers, ["easy", "steady"], "steady")

    async def run() -> None:
        async with app.run_test(size=(80, 24)) as pilot:
            await pilot.press(*keys)

    asyncio.run(run())
    return app.return_value


def test_the_menu_asks_unless_it_was_said() -> None:
    asked_for, said = chosen([MANY], ["enter", "5", "enter"]), chosen([MANY], ["right", "enter"])
    assert asked_for == Choice(MANY, 5, "", "steady") and said == Choice(MANY, 3, "", "steady")
    assert [seat.kind for seat in new(asked_for).seats] == ["you", *["steady"] * 4]


def test_the_menu_comes_back_from_the_question() -> None:
    assert chosen([MANY, ONE], ["enter", "escape", "down", "enter"]) == Choice(ONE, 2, "", "steady")


@pytest.mark.parametrize(
    ("given", "answer", "seats"),
    [
        ([], 4, 4),
        ([], None, 0),  # nobody sits down
        (["--players", "3"], 4, 3),
        (["--seat", "Eve=you"], 4, 2),
        (["--seed", "7"], 4, 2),  # the same words begin the same match
        (["--plain"], 4, 2),
    ],
)
def test_play_asks_where_nothing_was_given(
    given: list[str], answer: int | None, seats: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    sat: list[sitting.Table] = []
    monkeypatch.setattr(play, "draws", lambda plain: not plain)
    monkeypatch.setattr(play, "taken_up", lambda *of: None)
    monkeypatch.setattr(play, "sit", lambda table, *of: sat.append(table))
    monkeypatch.setattr(CountApp, "run", lambda self: answer)
    done = CliRunner().invoke(play.command, ["tall_card", *given], catch_exceptions=False)
    assert done.exit_code == 0 and [len(table.seats) for table in sat] == [seats][: bool(seats)]
    assert [seat.is_person for table in sat for seat in table.seats].count(True) == len(sat)
