"""Arrows, digits, letters and Space on the full screen, and messages for unused keys."""

from __future__ import annotations

import pytest

import cardlang
from cardlang.ui.terminal.screen.action_panel import CONFIRM_REF
from cardlang.ui.terminal.screen.key_bindings import assign_keys, describe_highlight_keys
from cardlang.ui.terminal.screen.selection import order_refs_for_navigation
from cardlang.ui.terminal.screen.table_queries import is_actionable
from cardlang.ui.terminal.session_state import Session
from interpreter.match.match import Match
from tests.game_files import read_game
from tests.shipped import is_asked, match_where
from tests.terminal.conftest import Seen, Sessions, asked_to_follow, send_keys

PREY = read_game("prey")


def find_place_keys(match: Match, verb: str) -> list[str]:
    """Return the keys of the six places in Golf while this option is selected."""
    assert match.decision is not None
    return [key for key, _ in assign_keys(match.table(match.decision.player), "", (f"verb/{verb}",))]


def taking(seed: int) -> Match:
    """Return a session of Golf in which Ann may take the upcard."""
    match = match_where(is_asked("Ann"), "golf", 2, first=seed)
    while match.decision is None or not any(text.startswith("take") for text in match.decision.moves.texts):
        match.choose(0)
    return match


def test_places_keep_their_keys() -> None:
    """The digit of the 5 that is taken stands in the words that all labels begin with."""
    match = next(each for each in map(taking, range(100)) if "[5" in each.table("Ann").ask.question)  # type: ignore[union-attr]
    assert find_place_keys(match, "Take") == list("123456")
    match.choose("draw")
    assert find_place_keys(match, "Put") == list("123456")


def test_key_help_names_working_keys() -> None:
    match = cardlang.load("fireworks").start(3, seed=5)
    assert isinstance(match, Match)
    table = match.table("Ann")
    assert describe_highlight_keys(table, "", ("verb/Colour hint",)) == "an arrow or a number"
    assert describe_highlight_keys(table, "", ("verb/Number hint",)) == "an arrow or a letter"
    assert describe_highlight_keys(table, "", ()) == "an arrow or a letter"


def test_enter_without_a_target_names_the_keys(session: Sessions) -> None:
    seen: list[str] = []
    send_keys(session("fireworks", 3), ["n", "enter", lambda screen: seen.append(screen.text)])
    assert "Which one? Press an arrow or a letter, then Enter." in seen[0]


@pytest.mark.parametrize("key", ["x", "7"])
def test_unused_key_says_so(session: Sessions, key: str) -> None:
    seen: list[str] = []
    send_keys(session("fireworks", 2), [key, lambda screen: seen.append(screen.text)])
    assert f"{key} does nothing here. Press ? for all keys." in seen[0]


def test_few_players_have_buttons(session: Sessions) -> None:
    seen: list[str] = []
    sat = session(PREY)
    app = send_keys(
        sat, [lambda screen: seen.append(screen.text), "c", lambda screen: seen.append(screen.text), "enter"]
    )
    assert "[b] Bob   [c] Cat" in seen[0] and "[Enter]" not in seen[0] and "[c]▸Cat" in seen[1]
    assert app.message == "" and sat.match.table("Ann").places[2].piles[0].count == 1


def test_arrows_visit_legal_targets(session: Sessions) -> None:
    """And by up and down to one's own hand, of which no card can be: there they go round that."""
    at: list[str] = []
    look = lambda screen: at.append(screen.app.input_state.cursor)  # noqa: E731
    sat = session(PREY)
    hand = [card.ref for card in sat.match.table("Ann").places[0].piles[0].cards]
    send_keys(sat, [*["right", look] * 3, "up", look, *["right", look] * len(hand)])
    assert at[2] == at[0] != at[1] and not {*at[:2]} & {*hand}
    assert {*at[3:]} == {*hand} and at[3] == at[-1]


def test_arrows_visit_confirm_last(session: Sessions) -> None:
    sat = session(PREY)
    sat.advance()
    sat.hand_over_screen()
    sat.make_move(0)
    sat.advance()
    hand = [card.ref for card in sat.match.table("Ann").places[0].piles[0].cards]
    order = order_refs_for_navigation(sat.get_table(), ["player/Cat", CONFIRM_REF, *hand, "player/Bob"])
    assert order == ["player/Bob", "player/Cat", CONFIRM_REF, *hand]


def test_space_confirms_nothing(session: Sessions) -> None:
    sat, seen = session(PREY), list[tuple[str, int]]()
    look = lambda screen: seen.append((screen.text, len(sat.match.choices)))  # noqa: E731
    send_keys(sat, ["b", "enter", "right", look, "space", "right", "right", "space", look, "enter", look])
    assert "[Enter] Choose 1 player" in seen[1][0] and "Press Enter to confirm." in seen[1][0]
    assert seen[0][1] == seen[1][1] < seen[2][1]


@pytest.mark.slow
def test_space_does_not_choose_nothing(session: Sessions) -> None:
    sat = exchanging(session("tall_card", 3))
    before = len(sat.match.choices)
    app = send_keys(sat, ["0", "space"])
    assert (
        app.input_state.cursor == CONFIRM_REF
        and app.message == "Press Enter to confirm."
        and len(sat.match.choices) == before
    )


def exchanging(sat: Session) -> Session:
    """Return a session in which Ann may choose some cards or none."""
    while True:
        ask = sat.match.table("Ann").ask
        if ask is not None and ask.choosing is not None and ask.choosing.ready:
            return sat
        assert sat.match.decision is not None
        sat.match.choose(0)


def test_digit_selects_the_card_at_that_position(session: Sessions) -> None:
    sat, at = exchanging(session("tall_card", 3)), list[str]()

    def look(screen: Seen) -> None:
        at.append(screen.app.input_state.cursor)

    hand = next(pile for pile in sat.match.table("Ann").places[0].piles if pile.form == "hand").cards
    send_keys(sat, [key for number in range(1, 6) for key in (str(number), look)])
    assert at == [card.ref for card in hand]


def test_digit_selects_the_card_with_that_number(session: Sessions) -> None:
    """In Fireworks one's own cards have numbers, and no option has one before it is held."""
    app = send_keys(session("fireworks", 2), ["3"])
    assert app.input_state.cursor == "zone/hand/Ann#3"


def test_arrows_start_at_the_left(session: Sessions) -> None:
    """Also where the first card counts in what the hand is worth."""
    for seed in range(100):
        sat = exchanging(session("tall_card", 3, seed=seed))
        hand = next(pile for pile in sat.match.table("Ann").places[0].piles if pile.form == "hand").cards
        if hand[0].counts:
            break
    app = send_keys(sat, ["right"])
    assert hand[0].counts and app.input_state.cursor == hand[0].ref


def test_choice_count_follows_the_authors_question(session: Sessions) -> None:
    """Where it is not one number alone, as it is of those whose hand is robbed."""
    seen: list[str] = []
    look = lambda screen: seen.append(screen.text)  # noqa: E731
    send_keys(session(PREY), [look, "b", "enter", look])
    assert "From whose hand do you steal?" in seen[0] and "steal? (" not in seen[0]
    assert "Who discards a random card? (one or two players)" in seen[1]


def memories(sat: Session) -> Session:
    """Return a session of Tall Tales in which Ann may take one of three face-up cards, including her own."""
    sat.advance()
    sat.hand_over_screen()
    while True:
        piles = [pile for place in sat.get_table().places for pile in place.piles]
        if sum(any(map(is_actionable, pile.cards)) for pile in piles) == 3 and not any(
            pile.form == "hand" and any(map(is_actionable, pile.cards)) for pile in piles
        ):
            return sat
        sat.make_move(0)
        sat.advance()


def test_digits_and_arrows_follow_the_layout(session: Sessions) -> None:
    """The others stand above one's own."""
    at: list[str] = []
    look = lambda screen: at.append(screen.app.input_state.cursor)  # noqa: E731
    sat = memories(session("tall_tales", 4))
    offered = {
        card.ref for place in sat.get_table().places for pile in place.piles for card in pile.cards if card.moves
    }
    send_keys(sat, ["1", look, "2", look, "3", look, "escape", *["right", look] * 4])
    assert len({*at[:3]}) == 3 and {*at[:3]} == offered
    assert at[3:] == [*at[:3], at[0]]


def test_zero_selects_the_tenth_card(session: Sessions) -> None:
    sat, at = session("hearts", 4), list[str]()
    hand = sat.match.table("Ann").places[0].piles[0].cards
    send_keys(sat, ["0", lambda screen: at.append(screen.app.input_state.cursor)])
    assert at == [hand[9].ref]


def test_arrows_skip_illegal_cards(session: Sessions) -> None:
    sat, at = asked_to_follow(session("hearts", 4)), list[str]()
    open_ones = [card.ref for card in sat.get_table().places[0].piles[0].cards if card.moves]
    look = lambda screen: at.append(screen.app.input_state.cursor)  # noqa: E731
    send_keys(sat, ["right", look] * (len(open_ones) + 1))
    assert at == [*open_ones, open_ones[0]] and len(open_ones) < len(sat.get_table().places[0].piles[0].cards)


def test_players_keep_their_initials_as_keys() -> None:
    match = cardlang.load("tail_story").start(3, seed=3)
    assert isinstance(match, Match)
    while sum(text.startswith("swap") for text in match.decision.moves.texts) < 2:  # type: ignore[union-attr]
        match.choose(0)
    player = match.decision.player  # type: ignore[union-attr]
    table = match.table(player)
    assert table.ask is not None
    verb = next(each.verb for each in table.ask.actions if each.text.startswith("swap"))
    assert {key for key, _ in assign_keys(table, "", (f"verb/{verb}",))} == {"a", "b", "c"} - {player[0].lower()}


def test_left_and_right_are_opposites(session: Sessions) -> None:
    """Also where the button for Enter repeats the highlighted card."""
    sat, at = session("president", 4, seed=1), list[str]()
    sat.advance()
    sat.hand_over_screen()
    look = lambda screen: at.append(screen.app.input_state.cursor)  # noqa: E731
    send_keys(sat, ["end", look, *["left", look] * 3, *["right", look] * 3])
    assert at[:4] == at[:2:-1] and len({*at[:4]}) == 4
