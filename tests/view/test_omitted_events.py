"""Events left out: repeated by a sentence, or invisible."""

from __future__ import annotations

from itertools import pairwise
from random import Random

import pytest

import cardlang
from cardlang.diagnostics import Source, Span
from cardlang.ui.terminal.screen.event_pane import count_result_lines
from interpreter.match.match import Match
from interpreter.narration.author_text import build_author_line
from interpreter.narration.event_phrases import NO_LINE
from interpreter.narration.events import EventView, ValueChange
from interpreter.view.omitted_events import is_payment_named
from tests.shipped import is_asked, match_where


def deal_holdem() -> Match:
    return match_where(is_asked("Ann"), "texas_holdem", 3)  # the dealer of three


def list_lines(match: Match) -> list[str]:
    table = match.table("Ann")
    return [line for told in (*table.earlier, *table.since) for line in (told.text, *told.more)]


def test_payment_is_reported_once() -> None:
    match = deal_holdem()
    match.choose("call")
    assert "You call 2 to win 3." in list_lines(match)
    assert not any(line.startswith("You are down") for line in list_lines(match))
    assert "Ann is down from 200 to 198 chips." in match.view(None).log


def test_burnt_card_is_only_in_the_log() -> None:
    match = deal_holdem()
    for move in ("call", "call", "check"):
        match.choose(move)
    assert not any("muck" in line for line in list_lines(match))
    assert any("discarded to the muck" in line for line in match.view(None).log)


def test_picked_cards_are_reported_with_their_move() -> None:
    """Scopa: `Ann plays the king. Ann chooses the seven. Ann chooses the three. Ann takes all of them.`"""
    match, random = cardlang.load("scopa").start(["Ann", "Bob"], seed=1), Random(1)
    picked = 0
    while not match.over and picked < 3:
        assert match.decision is not None
        match.choose(random.choice(match.decision.moves.texts))
        before = [line for line in match.view(None).log if "chooses [" in line]
        if match.view(None).log[-1].partition(" ")[2].startswith("takes ["):
            picked += len(before) > 0
            assert not any(" chooses [" in line or " choose [" in line for line in list_lines(match))
    assert picked == 3


def test_own_hand_value_is_shown_once() -> None:
    """Gin's deadwood is among what is shown of a player, and the worth of their own cards."""
    table = cardlang.load("gin_rummy").start(["Ann", "Bob"], seed=1).table("Ann")
    assert [reading.label for reading in table.readings] == ["Melds", "Deadwood"]
    assert [fact.label for fact in table.places[0].facts] == ["Score"]


@pytest.mark.parametrize(
    ("said", "before", "after", "paid"),
    [
        ("Ann raises by 5 to 7, for 12.", 200, 188, True),
        ("Ann bids 3.", 10, 13, False),
        ("Ann bets 12.", 200, 199, False),
        ("Ann folds.", 3, 0, False),
        ("Ann names 1.", False, True, False),
    ],
)
def test_only_payments_are_merged_into_a_sentence(said: str, before: int, after: int, paid: bool) -> None:
    """A bid of three that brings three is not what it brings."""
    change = ValueChange("chips", "Ann", before, after)
    event = EventView("set", NO_LINE, Span(Source("", ""), 0, 0), 1, change=change)
    assert is_payment_named(event, build_author_line((said,), ())) is paid


def test_told_action_is_reported_once() -> None:
    """Tail Story: `Ann stops with a card and plays it. Ann plays it to stop Cat. As a bribe, Cat draws a card. Cat
    draws a card.`"""
    match, random = cardlang.load("tail_story").start(["Ann", "Bob", "Cat"], seed=3), Random(2)
    while not any("As a bribe" in line for line in match.view(None).log):
        assert match.decision is not None
        match.choose(random.choice(match.decision.moves.texts))
    table = match.table(None)
    lines = [told.text for told in (*table.earlier, *table.since)]
    (bribed,) = [at for at, line in enumerate(lines) if "As a bribe, " in line]
    drawn = lines[bribed].partition("As a bribe, ")[2]
    assert drawn in match.view(None).log and drawn not in lines
    assert any(" to stop " in line for line in lines) and not any("stops with" in line for line in lines)


def test_first_line_of_a_deal_is_marked() -> None:
    match = deal_holdem()
    for move in ("fold", "fold"):
        match.choose(move)
    told = match.table("Ann").since
    marked = [line.text for line in told if line.anew]
    assert marked == ["Bob deals round 2."] == [told[count_result_lines(told)].text]
    assert not any("dealer now" in line.text for line in told)
    assert any("wins 3" in line.text or "win 3" in line.text for line in told[: count_result_lines(told)])


@pytest.mark.parametrize(("name", "players"), [("tall_card", 3), ("gin_rummy", 2)])
def test_start_of_a_deal_belongs_to_that_deal(name: str, players: int) -> None:
    """Who deals next is told before the cards come together."""
    match, random = cardlang.load(name).start(["Ann", "Bob", "Cat"][:players], seed=1), Random(1)
    deals = 0
    while not match.over and deals < 2:
        assert match.decision is not None
        match.choose(random.choice(match.decision.moves.texts))
        since = match.table("Ann").since
        begun = [at for at, line in enumerate(since) if line.text == "Bob is the dealer now."]
        if begun and begun[0] and any(line.anew for line in since[1:]):
            deals += 1
            assert begun[0] >= next(at for at, line in enumerate(since) if line.anew)
    assert deals == 2


def test_next_dealer_is_not_part_of_the_end() -> None:
    """Tall Card passes the deal on before it sees that all have dealt often enough."""
    match, random = cardlang.load("tall_card").start(["Ann", "Bob", "Cat"], seed=3), Random(3)
    while not match.over:
        assert match.decision is not None
        texts = match.decision.moves.texts
        match.choose("fold" if "fold" in texts else random.choice(texts))
    since = match.table("Ann").since
    told = [line.text for line in since[: count_result_lines(since)]]
    assert any(" win" in line for line in told)
    assert not any("dealer now" in line or "the match" in line for line in told)


def test_passing_on_a_knock_is_not_reported() -> None:
    """Gin: everybody is asked after every discard, and passing behind it is no news."""
    match, random = cardlang.load("gin_rummy").start(["Ann", "Bob"], seed=1), Random(1)
    while not match.over and len(match.view(None).log) < 60:
        assert match.decision is not None
        match.choose(random.choice(match.decision.moves.texts))
        assert not any(line.startswith(("Ann passes", "You pass")) and "discards" in line for line in list_lines(match))
    log = match.view("Bob").log
    passed = [after == f"{line.split()[0]} passes." for line, after in pairwise(log) if "discards" in line]
    assert len(passed) > 10 and all(passed)
    drawn = [line for line in list_lines(match) if "discards" in line or "discard [" in line]
    assert drawn and not any(after.endswith("passes.") for line, after in pairwise(list_lines(match)) if line in drawn)


def test_gain_is_reported_once() -> None:
    """`Ann gets 3 chips and has 201. Ann wins 3.`"""
    match = deal_holdem()
    for move in ("fold", "fold"):
        match.choose(move)
    assert any(" wins 3." in line for line in list_lines(match))
    assert not any(" gets " in line for line in list_lines(match))
    assert any(" gets " in line for line in match.view(None).log)


def test_tell_replaces_the_automatic_sentence() -> None:
    """By the fan rules: `Bob claims. Bob claims the Tall card: …`"""
    match = cardlang.load("tall_card_fan").start(["Ann", "Bob"], seed=2)
    while not any(" claims the Tall card" in line for line in match.view(None).log):
        assert match.decision is not None
        texts = match.decision.moves.texts
        match.choose(next((text for text in ("claim", "ante", "check") if text in texts), texts[0]))
    assert not any("claims." in line for line in list_lines(match)) and any(
        "claims the " in line for line in list_lines(match)
    )
