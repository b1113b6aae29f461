"""Details of a highlighted card, and the hand's value without selected cards."""

from __future__ import annotations

import cardlang
from interpreter.match.match import Match
from interpreter.view.table_model import TableCard
from tests.game_files import read_game

GAME = read_game("pointed")


def start_match() -> Match:
    match = cardlang.loads(GAME).start(["Ann", "Bob"], 1)
    assert isinstance(match, Match)
    return match


def hand(match: Match, player: str | None) -> dict[str, TableCard]:
    place = next(each for each in match.table(player).places if each.name == "Ann")
    return {card.code or card.ref: card for pile in place.piles for card in pile.cards}


def test_card_details_name_captures() -> None:
    told = {code: [(fact.label, fact.text) for fact in card.facts] for code, card in hand(start_match(), "Ann").items()}
    assert told == {"3a": [("Takes", "[3b]")], "7b": [], "5a": []}


def test_card_details_are_hidden_with_the_card() -> None:
    """Neither what depends on another's hand: `above` would tell Ann the nine."""
    match = start_match()
    for other in ("Bob", None):
        assert not any(card.facts for card in hand(match, other).values())
    assert "above" not in {fact.name for card in hand(match, "Ann").values() for fact in card.facts}


def test_hand_value_excludes_selected_cards() -> None:
    """3 and 7 and 5 are 15; without the three 12, without the seven too 5."""
    match = start_match()
    refs = {code: card.ref for code, card in hand(match, "Ann").items()}
    ticks: list[tuple[str, ...]] = [(), ("3a",), ("3a", "7b")]
    worth = [match.table("Ann", [refs[code] for code in codes]).readings[0].text for codes in ticks]
    assert worth == ["15", "12", "5"]
