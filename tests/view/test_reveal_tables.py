"""Tables between a choice and its result, for cards dealt without decisions."""

from __future__ import annotations

import pytest

from interpreter.match.match import Match
from interpreter.view.table_model import Table, TablePile
from tests.shipped import load
from tests.view.test_recent_results import moment


def all_in(players: int = 2, seed: int = 1) -> Match:
    match = load("texas_holdem").start(players, seed)
    match.choose("raise 198")
    while not match.build_reveal_tables():
        match.choose("call")
    return match


def pile(table: Table, name: str, owner: str | None = None) -> TablePile | None:
    piles = (each for place in (table.middle, *table.places) for each in place.piles)
    return next((each for each in piles if (each.name, each.owner) == (name, owner)), None)


def board(table: Table) -> list[str | None]:
    found = pile(table, "board")
    return [card.code for card in found.cards] if found is not None else []


@pytest.mark.parametrize("viewer", ["Ann", "Bob", None])
def test_all_in_reveals_hands_then_streets(viewer: str | None) -> None:
    match = all_in()
    way = match.build_reveal_tables(viewer)
    boards = [board(table) for table in way]
    told = moment(match.table(viewer), "showdown")
    whole = [card.code for card in next(hand for hand in told.hands if hand.name == "board").cards]
    assert boards == [[], whole[:3], whole[:4], whole]
    for table in way:
        for name in ("Ann", "Bob"):
            hand = pile(table, "hand", name)
            assert hand is not None and all(card.up for card in hand.cards)


def test_reveal_tables_omit_the_result() -> None:
    match = all_in()
    for table in match.build_reveal_tables("Ann"):
        assert (table.ask, table.waiting, table.over, table.winners) == (None, None, False, ())
        assert not any(each.kind in ("showdown", "scores", "end") for each in table.moments)
        verbs = {word for line in table.since for word in line.text.split()[1:2]}
        assert not verbs & {"wins", "win", "shares", "share", "holds", "hold"}


def test_reveal_tables_name_the_leader() -> None:
    opened, flop, *_ = all_in().build_reveal_tables("Ann")
    assert {"You are all-in.", "Bob is all-in."} & {line.text for line in opened.since}
    news = [line.text for line in flop.since[len(opened.since) :]]
    assert any(" ahead with " in text or " level with " in text for text in news)


def test_result_omits_intermediate_leads() -> None:
    told = moment(all_in().table("Ann"), "showdown")
    assert told is not None and not any("ahead" in line or "level" in line for line in told.lines)


def test_complete_showdown_has_no_reveal_tables() -> None:
    match = load("texas_holdem").start(2, 1)
    match.choose("call")
    while moment(match.table(None), "showdown") is None:
        match.choose("check")
        assert match.build_reveal_tables("Ann") == ()
