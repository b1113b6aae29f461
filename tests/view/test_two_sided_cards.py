"""Two-sided cards: turned by their owner's flag, with captions of tracks."""

from __future__ import annotations

from random import Random

from interpreter.view.table_model import Table, TableArea
from tests.shipped import load


def character(place: TableArea) -> tuple[str | None, bool]:
    cards = [card for pile in place.piles if pile.name == "character" for card in pile.cards]
    return (cards[0].title, cards[0].turned) if cards else (None, False)


def test_flag_turns_a_two_sided_card() -> None:
    """Who has used up a deck turns their Character: it, and no other card on the table, shows its other face."""
    match, rng = load("tail_story").start(["Ann", "Bob"], seed=7), Random(3)
    seen = set[bool]()
    while not match.over and len(seen) < 2:
        match.choose(rng.randrange(len(match.decision.moves.texts)))  # type: ignore[union-attr]
        table: Table = match.table("Ann")
        for place in table.places:
            title, turned = character(place)
            told = [fact for fact in place.facts if fact.label == "Altered Form"]
            assert turned == (bool(told) and title is not None)
            assert sum(card.turned for pile in place.piles for card in pile.cards) == turned
            seen |= {turned}
    assert seen == {False, True}
