"""Recent results: players, cards and amounts."""

from __future__ import annotations

from random import Random

import pytest

from cardlang.loader import loads
from interpreter.match.match import Match
from interpreter.match.state_edits import Surrender
from interpreter.runtime.value_formatting import format_number
from interpreter.view.table_model import RecentResult, Table
from tests.game_files import read_game
from tests.shipped import Cast, load, walk

RANKS = ("2", "3", "4", "5", "6", "7", "8", "9", "10", "J", "Q", "K", "A")


def moment(table: Table, kind: str) -> RecentResult | None:
    return next((each for each in table.moments if each.kind == kind), None)


def test_trick_result_names_cards_and_winner() -> None:
    """The highest card of the suit led takes it: in Hearts there are no trumps."""
    told = set()
    for match in walk(Cast("hearts", 4).start(3), Random(3), 80):
        trick = moment(match.table(None), "trick")
        if trick is None:
            continue
        (pile,) = trick.hands
        led = (pile.cards[0].code or "")[-1]
        following = [card for card in pile.cards if (card.code or "").endswith(led)]
        best = max(following, key=lambda card: RANKS.index((card.code or "")[:-1]))
        assert trick.headline == f"{best.by} takes the trick with [{best.code}]."
        assert trick.lines == (", ".join(f"{card.by} [{card.code}]" for card in pile.cards),)
        told.add(trick.headline)
    assert len(told) > 9


def test_deal_scores_add_up() -> None:
    """All 26 points of a deal of Hearts are somebody's, or 26 are everybody else's."""
    for match in walk(Cast("hearts", 4).start(3), Random(3), 130):
        scores = moment(match.table(None), "scores")
    assert scores is not None and scores.columns == ("", "before", "change", "now")
    changes = [int(row[2]) for row in scores.rows]
    assert sum(changes) in (26, 78)
    assert all(int(row[1]) + int(row[2]) == int(row[3]) for row in scores.rows)


def test_score_sheet_lists_all_deals() -> None:
    """Each deal of Hearts brings 26 points, or 78, and each line goes on from the one before."""
    for match in walk(Cast("hearts", 4).start(3), Random(3), 260):
        sheet = match.table("Bob").scores
    head, *deals = sheet
    assert head == ("", *match.players) and len(deals) > 2
    before = [0] * 4
    for number, (name, *cells) in enumerate(deals, 1):
        pairs = [cell.removesuffix(")").split(" (") for cell in cells]
        changes, now = ([int(pair[at]) for pair in pairs] for at in (0, 1))
        assert name == str(number) and sum(changes) in (26, 78)
        assert now == [one + more for one, more in zip(before, changes, strict=True)]
        before = now


def test_score_sheet_is_empty_before_the_first_deal_ends() -> None:
    assert load("hearts").start(4, 3).table("Ann").scores == ()


def test_half_time_scores_are_a_table() -> None:
    """Tall Tales gathers no cards between rounds; half of what was taken counts after the second."""
    match = load("tall_tales").start(3, seed=7)
    while not any(match.scores):
        assert moment(match.table(None), "scores") is None
        match.choose(0)
    scores = moment(match.table(None), "scores")
    assert scores is not None and scores.headline == "The score now"
    assert [(name, before, now) for name, before, _, now in scores.rows] == [
        (name, "0", format_number(score)) for name, score in zip(match.players, match.scores, strict=True)
    ]


def test_untaken_trick_is_reported() -> None:
    """In Tall Tales everybody's card goes before who played it."""
    for match in walk(Cast("tall_tales", 3).start(3), Random(3), 40):
        trick = moment(match.table(None), "trick")
        if trick is not None:
            played = ", ".join(f"{card.by} [{card.code}]" for card in trick.hands[0].cards)
            assert (trick.headline, trick.lines) == (f"{played}.", ())
            return
    pytest.fail("no trick was played")


def test_end_result_lists_places_and_scores() -> None:
    match = Cast("kuhn_poker", 2).start(1)
    for _ in walk(match, Random(1), 500):
        pass
    table = match.table("Ann")
    assert match.over
    end = table.moments[-1]
    assert end.kind == "end" and end.columns == ("place", "player", "score")
    assert {row[1]: row[2] for row in end.rows} == dict(zip(match.players, map(str, match.scores), strict=True))


def test_end_result_of_a_patience_says_why() -> None:
    """No places, but the reason and the score."""
    match = Cast("pyramid", 1).start(1)
    for _ in walk(match, Random(1), 500):
        pass
    (score,) = match.scores
    end = match.table("Ann").moments[-1]
    assert (end.lines, end.rows) == (("No move is left.", f"Score: {score}."), ())
    surrendered = Cast("klondike", 1).start(1)
    surrendered.apply_edit(Surrender("Ann"))
    end = surrendered.table("Ann").moments[-1]
    assert (end.lines, end.rows) == (("You give up.", "Cards on foundations: 0."), ())


def test_end_result_ranks_teams() -> None:
    """Of two teams one is first and the other second, each with those who are in it."""
    match = Cast("spades", 4).start(1)
    for _ in walk(match, Random(1), 20_000):
        pass
    assert match.over
    end = match.table("Ann").moments[-1]
    assert end.columns == ("place", "team", "score") and [row[0] for row in end.rows] == ["1", "2"]
    assert {row[1] for row in end.rows} == {"North-South (Ann, Cat)", "East-West (Bob, Dan)"}
    best, other = (int(row[2]) for row in end.rows)
    assert best > other and all(name in end.rows[0][1] for name in match.winners)


LAID_OPEN = read_game("open_orchard")


def test_shown_hand_includes_known_cards() -> None:
    """Ann takes the card that everybody saw: she lays open three cards, and all of them are told."""
    match = loads(LAID_OPEN).start(2, 5)
    match.choose("take")
    match.choose("pass")
    told = moment(match.table(None), "end")
    assert told is not None
    assert [(hand.owner, len(hand.cards)) for hand in told.hands] == [("Ann", 3), ("Bob", 2)]
    (line,) = (line for line in match.view(None).log if line.startswith("Ann shows ["))
    assert len(line.partition("[")[2].split()) == 3


def test_new_deal_is_not_part_of_the_last_result() -> None:
    match = load("texas_holdem").start(2, 1)
    first = match.decision
    assert first is not None
    match.choose("fold")
    told = moment(match.table(None), "result")
    assert told is not None and [told.headline, *told.lines] == [f"{other(match, first.player)} wins 3."]


def test_mid_deal_messages_are_not_a_result() -> None:
    """Tall Card: all fold but one; in the next round nobody wants the Tall Card, so that somebody has to own it."""
    match = load("tall_card").start(3, 3)
    while not any("must claim" in line for line in match.view(None).log[40:]):
        assert match.decision is not None
        texts = match.decision.moves.texts
        wanted = ("pass", "fold", *(text for text in texts if text.startswith(("bet", "raise"))), texts[0])
        match.choose(next(text for text in wanted if text in texts))
    result = moment(match.table(None), "result")
    assert result is not None and " wins " in result.headline and not result.lines


def other(match: Match, player: str) -> str:
    return next(name for name in match.players if name != player)
