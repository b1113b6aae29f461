"""`above` and `below` a card in its pile; cards put on or under a card: columns, orders of piles, knowledge."""

import pytest

import cardlang
from cardlang.diagnostics import GameError
from tests.game_files import read_game

SMALL = read_game("cards_on_cards")


def run(act: str, expected: str) -> cardlang.model.Game:
    return cardlang.loads(SMALL.format(expected, act), "small")


@pytest.mark.parametrize(
    ("act", "expected"),
    [
        pytest.param("put ([1], [3]) on [4]", "table = [2 4 1 3]", id="several cards on one"),
        pytest.param("put ([1], [3]) under [2]", "table = [1 3 2 4]", id="several cards under one"),
        pytest.param("put [2] under [2]", "table = [1 2 3 4]", id="a card under itself"),
        pytest.param("put (table where rank != 4) on [2]", "table = [2 1 3 4]", id="a card among those put on it"),
        pytest.param("put [6] on [2]", "table = [1 2 6 3 4] and deck is empty", id="a card that lies elsewhere"),
        pytest.param("put [6]'s above on [2]", "table = [1 2 3 4]", id="no cards"),
        pytest.param("move reverse of [3]'s below to deck", "deck = [6 1 2] and table = [3 4]", id="below, in order"),
        pytest.param("move [4]'s below to deck", "deck = [6 3 2 1]", id="below, the nearest first"),
        pytest.param("reveal spot", "spot's above is empty and [5]'s below is empty", id="a zone that holds one"),
        pytest.param("reveal spot", "(first of nowhere)'s above is empty", id="above nothing"),
        pytest.param("reveal spot", "count of (table where rank in (2, 3))'s above = 3", id="above several cards"),
    ],
)
def test_order_of_a_pile(act: str, expected: str) -> None:
    outcome = run(act, expected).examples[0].run()
    assert outcome.passed, outcome.message


@pytest.mark.parametrize("act", ["put [6] under (first of nowhere)", "put [6] on [5]"])
def test_no_card_or_no_room_is_an_error_of_the_rules(act: str) -> None:
    outcome = run(act, "table = [1]").examples[0].run()
    assert not outcome.passed and ("nothing" in outcome.message or "holds 1" in outcome.message)


@pytest.mark.parametrize(
    "act", ["put [6] on table", "put [6] on (table where rank > 2)", "put [6] on 3", "put [6] under [3]'s above"]
)
def test_only_a_card_can_be_covered(act: str) -> None:
    with pytest.raises(GameError) as caught:
        run(act, "table = [1]")
    assert [each.code for each in caught.value.diagnostics] == ["E204"]


KNOWN = read_game("known")


@pytest.mark.parametrize(
    ("act", "known"),
    [
        pytest.param("put bottom of deck on (last of top 2 of deck)", 4, id="at a place that all players can tell"),
        pytest.param("put bottom of deck under (random of deck)", 0, id="at a place that no player can tell"),
        pytest.param("put bottom of deck on (highest of deck by rank)", 0, id="at a place that hidden cards decide"),
    ],
)
def test_players_know_the_order_of_a_pile_if_they_can_tell_the_place(act: str, known: int) -> None:
    match = cardlang.loads(KNOWN.format(act), "known").start(["Ann", "Bob"], 3)
    deck = match.state.z[match.program.zone_base["deck"]]
    assert sum(bool(match.state.known[card]) for card in deck) == known


@pytest.mark.parametrize(
    ("act", "named"),
    [
        pytest.param("put top of your hand under (last of top 3 of deck)", True, id="a card that all players know"),
        pytest.param("put top of your hand on (bottom of deck)", False, id="a card that no player knows"),
    ],
)
def test_the_log_names_the_card_only_to_players_who_know_it(act: str, named: bool) -> None:
    match = cardlang.loads(KNOWN.format(f"each player\n    {act}"), "known").start(["Ann", "Bob"], 3)
    lines = [event.line for event in match.view("Bob").events if event.kind == "moved" and event.name == "put"]
    assert [len(line.card_phrases) - 1 for line in lines] == [named, named]
