"""Tables contain only what the player knows, and their JSON is equal."""

from __future__ import annotations

from random import Random
from typing import Any

import pytest

from interpreter.match.match import Match
from interpreter.narration.events import EventView
from interpreter.runtime.errors import MoveError
from interpreter.view import table_builder as table_builder
from interpreter.view.table_model import from_json
from tests.docs import schema
from tests.shipped import Cast, casts, load, play_randomly, walk

GAMES = sorted({cast.game for cast in casts()})
each_game = pytest.mark.parametrize("name", GAMES)


def cast_of(name: str) -> Cast:
    seats = load(name).seats
    return Cast(name, 4 if 4 in seats else seats[0])


@pytest.mark.slow
@each_game
def test_tables_ignore_hidden_cards(name: str) -> None:
    for match in (play_randomly(cast_of(name), 5, count) for count in (0, 3, 9, 20, 41)):
        for player in match.players:
            assert match.sample(player, 1).table(player).json() == match.table(player).json()


def list_findable(match: Match, player: str) -> list[object]:
    """Return what the current player can find out: tables with some cards selected, and the reason for each illegal
    card."""
    table = match.table(player)
    if table.ask is None:
        return []
    refs = table.ask.choosing.refs if table.ask.choosing is not None else ()
    found: list[object] = [match.table(player, refs[:count]).json() for count in range(1, min(len(refs), 4) + 1)]
    cards = [card for place in (table.middle, *table.places) for pile in place.piles for card in pile.cards]
    names = [card.ref for card in cards[::5]] + [card.title or card.ref for card in cards[::7]]
    return found + [match.why_not(name) for name in names]


@pytest.mark.slow
@each_game
def test_answers_ignore_hidden_cards(name: str) -> None:
    """Nor does it change how far a set is, or why a card cannot be chosen."""
    for match in (play_randomly(cast_of(name), 9, count) for count in (0, 7, 18)):
        if match.decision is not None:
            player = match.decision.player
            assert list_findable(match.sample(player, 4), player) == list_findable(match, player)


@pytest.mark.slow
@each_game
def test_table_json_round_trips(name: str) -> None:
    for match in walk(cast_of(name).start(2), Random(2), 12):
        for player in (*match.players, None):
            table = match.table(player)
            assert from_json(table.json()) == table


def test_table_schema_matches_the_classes() -> None:
    assert schema.TABLE_PATH.read_text("utf-8") == schema.table_schema()


def hearts() -> Match:
    return load("hearts").start(4, 7)


def test_log_does_not_depend_on_earlier_tables() -> None:
    followed, fresh = hearts(), hearts()
    viewers = (*followed.players, None)
    for _ in walk(followed, Random(1), 90):
        tables = [followed.table(viewer) for viewer in viewers]
    for _ in walk(fresh, Random(1), 90):
        pass
    tables = [followed.table(viewer) for viewer in viewers]
    assert [table.json() for table in tables] == [fresh.table(viewer).json() for viewer in viewers]
    assert all(from_json(table.json()) == table for table in tables)


def test_long_logs_are_built_once(monkeypatch: pytest.MonkeyPatch) -> None:
    match, built = hearts(), list[int]()
    build = table_builder.build_event_lines

    def count(events: list[EventView], *others: Any) -> Any:
        built.append(len(events))
        return build(events, *others)

    monkeypatch.setattr(table_builder, "build_event_lines", count)
    for _ in walk(match, Random(1), 150):
        built.clear()
        match.table()
    assert len(match.view().events) > 250
    assert sum(built) < 60


def test_sets_can_be_chosen_in_any_order() -> None:
    match = hearts()
    codes = {card.ref: card.code for pile in match.table("Ann").places[0].piles for card in pile.cards}
    last, first, middle = sorted(codes, key=lambda ref: int(ref.rpartition("#")[2]), reverse=True)[::5]
    ask = match.table("Ann", [last, first]).ask
    assert ask is not None and ask.choosing is not None
    assert ask.choosing.chosen == (last, first) and not ask.choosing.ready and len(ask.choosing.open) == 13
    full = match.table("Ann", [last, first, middle]).ask
    assert full is not None and full.choosing is not None and full.choosing.ready
    assert full.choosing.open == tuple(ref for ref in full.choosing.refs if ref in (last, first, middle))
    match.confirm("Ann", [last, first, middle])
    passing = match.view("Ann").zone("passing", "Ann")
    # Cards that are chosen together are not put down before everybody has chosen.
    assert passing.count == 0 and match.decision is not None and match.decision.player == "Bob"
    for player in ("Bob", "Cat", "Dan"):
        match.choose(" ".join(match.view(player).asking.moves[n].bindings[0].text for n in range(3)))  # type: ignore[union-attr]
    assert {codes[ref] for ref in (last, first, middle)} <= {
        card.code for card in match.view("Ann").zone("hand", "Bob").cards
    }


def test_invalid_sets_are_rejected() -> None:
    match = hearts()
    refs = [card.ref for card in match.table("Ann").places[0].piles[0].cards]
    for wrong in (refs[:2], refs[:4], ["zone/hand/Bob#1", *refs[:2]], []):
        with pytest.raises(MoveError):
            match.confirm("Ann", wrong)
    with pytest.raises(MoveError):
        match.confirm("Bob", refs[:3])
    assert not match.choices


def test_empty_selection_is_a_choice() -> None:
    """In the exchange of Tall Card nobody has to discard."""
    match = load("tall_card").start(["Ann", "Bob", "Cat"], 3)
    for _ in range(4):  # Bob claims, all check
        match.choose(0)
    asked = match.decision
    assert asked is not None
    match.confirm(asked.player, [])
    assert match.decision is not None and match.decision.player != asked.player and len(match.choices) == 5


def test_open_picks_are_undone() -> None:
    match = hearts()
    refs = [card.ref for card in match.table("Ann").places[0].piles[0].cards]
    match.choose(4)
    match.confirm("Ann", refs[-3:])
    assert len(match.choices) == 3 and match.decision is not None and match.decision.player == "Bob"


def test_missing_bid_differs_from_zero() -> None:
    """A nil, made, is 0; in the next round nobody has bid again."""

    def bids(match: Match) -> dict[str, str]:
        places = match.table("Ann").places
        return {place.name: fact.text for place in places for fact in place.facts if fact.name == "bid"}

    match = Cast("spades", 4).start(5)
    assert set(bids(match).values()) == {"–"}
    first = match.decision.player if match.decision is not None else ""
    match.choose("0")
    assert bids(match)[first] == "0" and sorted(bids(match).values()) == ["0", "–", "–", "–"]
    while match.decision is not None and "round 2" not in match.table("Ann").heading:
        match.choose(0)
    assert set(bids(match).values()) == {"–"}


def test_contract_appears_after_all_bids() -> None:
    """Two partners bid 3 each, and so do the two others."""

    def contracts(match: Match) -> set[str]:
        return {fact.text for team in match.table("Ann").kinds for fact in team.facts if fact.name == "contract"}

    match = Cast("spades", 4).start(5)
    for _ in range(4):
        assert contracts(match) == {"–"}
        match.choose("3")
    assert contracts(match) == {"6"}


def test_only_loop_steps_of_their_own_are_counted() -> None:
    """In Tall Tales playing cards and sharing memories go in turn: nobody counts these; a trick of Whist is counted."""
    table = load("tall_tales").start(3, 1).table("Ann")
    assert table.heading == ("play cards",) and not [told for told in table.since if "rises" in told.text]
    assert "trick 1" in load("whist").start(4, 1).table("Ann").heading


def test_partners_sit_opposite() -> None:
    table = load("whist").start(4, 1).table("Bob")
    assert [place.name for place in table.places] == ["Bob", "Cat", "Dan", "Ann"]
    assert [place.name for place in table.places if place.partner] == ["Dan"]
    assert {place.name: place.marks for place in table.kinds} == {
        "North-South": ("Ann", "Cat"), "East-West": ("Bob", "Dan"),
    }  # fmt: skip


def test_players_who_passed_on_the_cards_on_the_table_are_marked() -> None:
    match = load("president").start(["Ann", "Bob", "Cat", "Dan"], 3)
    marks = lambda: {area.name: area.marks for area in match.table("Ann").places if area.marks}  # noqa: E731
    for move in (0, "done", "pass", "pass"):  # Bob leads a card
        match.choose(move)
    assert marks() == {"Bob": ("leader",), "Cat": ("passed",), "Dan": ("passed",)}
    match.choose(0)  # Ann beats it
    assert marks() == {"Ann": ("leader",)}
