"""Keys keep their meaning from turn to turn, and menus keep a natural order."""

from __future__ import annotations

import sys
from random import Random

import pytest

import cardlang
from cardlang.ui.terminal.screen.action_panel import CONFIRM_REF
from cardlang.ui.terminal.screen.key_bindings import (
    assign_keys,
    find_enter_option,
    find_matching_actions,
    find_option_letters,
)
from cardlang.ui.terminal.screen.selection import InputState
from cardlang.ui.terminal.session_state import Session
from interpreter.match.match import Match
from interpreter.view.action_menu import KeyAssigner, find_label_digits
from interpreter.view.table_model import Table, TableCard
from tests.game_files import read_game
from tests.shipped import is_asked
from tests.terminal.conftest import Seen, Sessions, send_keys, session_where


def fireworks(players: int = 3) -> Match:
    match = cardlang.load("fireworks").start(players, seed=5)
    assert isinstance(match, Match)
    return match


def letters(table: Table) -> dict[str, str]:
    assert table.ask is not None
    return dict(find_option_letters(table.ask))


def test_options_keep_their_letters() -> None:
    """To discard is open from the first hint on; no letter of the others changes by it."""
    match = fireworks()
    before = letters(match.table("Ann"))
    hint = next(move for move in match.decision.moves if move.text.startswith("colour-hint"))  # type: ignore[union-attr]
    match.choose(hint.text)
    after = letters(match.table("Bob"))
    assert "Discard" not in before and after.items() > before.items()
    assert (after["Play"], after["Discard"]) == ("p", "d")


def test_options_that_can_be_legal_together_get_distinct_letters() -> None:
    """The first of two options of a rule has the initial. If both are never legal together, both have it."""
    assert KeyAssigner({"draw": "draw", "discard": "discard"}).keys_by_option == {"draw": "d", "discard": "i"}
    match = cardlang.load("texas_holdem").start(2, seed=3)
    keys = dict[str, str]()
    for _ in range(3):
        table = match.table(match.decision.player)  # type: ignore[union-attr]
        assert table.ask is not None
        keys |= {action.label.split()[0]: action.key for action in table.ask.actions}
        match.choose(0)
    assert (keys["Check"], keys["Call"], keys["Fold"]) == ("c", "c", "f")


def test_clues_are_in_player_order() -> None:
    """All that is said to Bob before what is said to Cat, colours and numbers as their kinds list them."""
    match = fireworks()
    table = match.table("Ann")
    assert table.ask is not None
    hints = [each.text for each in table.ask.actions if each.verb == "Number hint"]
    assert hints == sorted(hints) and len({text.split()[1] for text in hints}) == 2
    colours = [member.name for member in match.game.kinds["Colour"].members]
    said = [each.text.split()[1:] for each in table.ask.actions if each.verb == "Colour hint"]
    assert said == sorted(said, key=lambda each: (each[0], colours.index(each[1])))


def test_card_number_equals_its_button() -> None:
    table = fireworks().table("Ann")
    shown = assign_keys(table, "", ("verb/Play",))
    assert [key for key, _ in shown] == ["1", "2", "3", "4", "5"]
    assert [action.label for _, action in shown] == [f"Play card {number}" for number in range(1, 6)]


def test_option_letters_act_on_the_selected_card() -> None:
    match = fireworks()
    hint = next(move for move in match.decision.moves if move.text.startswith("colour-hint"))  # type: ignore[union-attr]
    match.choose(hint.text)
    shown = assign_keys(match.table("Bob"), "zone/hand/Bob#3", ())
    assert [(key, action.label) for key, action in shown] == [("d", "Discard card 3"), ("p", "Play card 3")]


def test_letters_are_separate_from_labels(session: Sessions) -> None:
    seen: list[str] = []
    send_keys(session("fireworks", 2), [lambda screen: seen.append(screen.text)])
    assert "[p] Play …" in seen[0] and "[c] Colour hint …" in seen[0] and "[1]" not in seen[0]


@pytest.mark.slow
@pytest.mark.parametrize(
    ("keys", "card"),
    [("p 2", 2), ("p right right", 2), ("right right right p", 3), ("p end", 5), ("end p", 5), ("end p 1", 1)],
)
def test_only_enter_plays(session: Sessions, keys: str, card: int) -> None:
    """The line names the card before Enter is pressed, and nothing is played until then."""
    sat, seen = session("fireworks", 2), list[tuple[str, int]]()
    look = lambda screen: seen.append((screen.text, len(sat.match.choices)))  # noqa: E731
    send_keys(sat, [*keys.split(), look, "enter", look])
    assert f"[{card}]▸Play card {card}" in seen[0][0] and seen[0][0].count("▸Play card") == 1
    assert seen[0][1] == 0 and seen[1][1] > 0


def test_values_keep_their_initials(session: Sessions) -> None:
    """W names White here, though it asks why elsewhere."""
    seen: list[str] = []
    send_keys(session("fireworks", 3, seed=4), ["c", "b", "w", lambda screen: seen.append(screen.text)])
    assert "[g] Green   [b] Blue   [w]▸White" in seen[0]


def test_solo_key_plays_at_once(session: Sessions) -> None:
    """A draw takes one key, because there is no opponent and undo takes it back."""
    sat = session("klondike", 1)
    send_keys(sat, ["d", "d", "u"])
    assert len(sat.match.choices) == 1


@pytest.mark.slow
@pytest.mark.parametrize("name", ["fireworks", "golf", "texas_holdem"])
def test_single_key_never_moves(session: Sessions, name: str) -> None:
    """So a key that was meant for what was there before, or is held down, moves nothing."""
    sat, moved = session(name), list[int]()
    sat.advance()
    before, look = len(sat.match.choices), lambda screen: moved.append(len(sat.match.choices))
    keys = ["enter", "enter", "space", "enter", *"abcdefgiklmnoprstvxyz0123"]
    send_keys(sat, [each for key in keys for each in (key, look, *(["escape"] if len(key) == 1 else []))])  # type: ignore[list-item]
    assert {*moved} == {before}


def test_left_and_right_wrap_around(session: Sessions) -> None:
    """Of a set, what confirms it too, once it can be."""
    sat, at = session("hearts"), list[str]()
    look = lambda screen: at.append(screen.app.input_state.cursor)  # noqa: E731
    send_keys(sat, ["right", look, "left", look, "right", look, "end", look, "home", look])
    hand = [card.ref for pile in sat.match.table("Ann").places[0].piles for card in pile.cards]
    assert at == [hand[0], hand[-1], hand[0], hand[-1], hand[0]]
    at.clear()
    send_keys(sat, [*["right", "space"] * 3, "home", "left", look, "right", look])
    assert at == [CONFIRM_REF, hand[0]]


def test_first_left_selects_the_last_card(session: Sessions) -> None:
    sat, at = session("hearts"), list[str]()
    send_keys(sat, ["left", lambda screen: at.append(screen.app.input_state.cursor)])
    hand = [card.ref for pile in sat.match.table("Ann").places[0].piles for card in pile.cards]
    assert at == [hand[-1]]


def test_hint_keeps_the_cursor(session: Sessions) -> None:
    app = send_keys(session("fireworks", 2), ["p", "2", "h"])
    assert app.message == "Do what you like." and app.input_state.cursor and app.input_state.picked == ("verb/Play",)


def test_any_copy_of_a_card_can_be_selected() -> None:
    """Moves name one of two cards that look the same; the other one does the same."""
    table = next(filter(find_twins, (start_play(seed) for seed in range(20))))
    assert table.ask is not None
    open_one, other = find_twins(table)[0]
    assert not any(other.ref in each.touches for each in table.ask.actions)
    assert assign_keys(table, other.ref, ()) == assign_keys(table, open_one.ref, ())
    assert find_enter_option(table, other.ref, ()) == find_enter_option(table, open_one.ref, ())
    hand = InputState(other.ref)
    assert hand.pick_ref(table, other.ref) == InputState(open_one.ref).pick_ref(table, open_one.ref)


def start_play(seed: int) -> Table:
    """Return a session of Tail Story before the first player's first card."""
    match = cardlang.load("games/tail_story.cardgame").start(2, seed)
    while match.decision is not None:
        table = match.table(match.decision.player)
        if table.ask is not None and any(each.verb == "Play" for each in table.ask.actions):
            return table
        match.choose(0)
    raise AssertionError("nobody plays a card")


def find_twins(table: Table) -> list[tuple[TableCard, TableCard]]:
    """Return cards of the hand that moves name, each with another that looks the same."""
    hand = [card for pile in table.places[0].piles if pile.form == "hand" for card in pile.cards]
    return [(one, other) for one in hand for other in hand if one.moves and not other.moves and one.code == other.code]


@pytest.mark.parametrize(
    ("labels", "keys"),
    [
        (["Say 2s", "Say 3s"], ["2", "3"]),
        (["Say 2s to Bob", "Say 2s to Cat"], []),
        (["Say 10s", "Say 2s"], []),
        (["Say red", "Say 2s"], []),
    ],
)
def test_digits_are_found_in_labels(labels: list[str], keys: list[str]) -> None:
    assert find_label_digits(labels) == keys


def test_number_clues_have_number_keys() -> None:
    shown = assign_keys(fireworks(2).table("Ann"), "", ("verb/Number hint",))
    assert shown and all(key in action.label for key, action in shown)
    shown = assign_keys(fireworks(3).table("Ann"), "", ("verb/Number hint",))
    assert shown and not any(key.isdigit() for key, _ in shown)


def test_closed_option_explains_itself_by_letter(session: Sessions) -> None:
    seen: list[str] = []
    send_keys(session("fireworks", 2), ["d", lambda screen: seen.append(screen.text)])
    assert "Not now: [d] Discard" in seen[0] and "Discard: not now." in seen[0]


def test_targets_of_a_card_have_the_numbers_of_the_columns() -> None:
    """Though the label has the card's own number as well."""
    match, random, found = cardlang.load("klondike").start(1, seed=3), Random(3), 0
    assert isinstance(match, Match)
    while not match.over and found < 3:
        table = match.table(match.players[0])
        for verb in ("verb/Move", "verb/Play"):
            for card in {action.touches[0] for action in find_matching_actions(table, (verb,))}:
                shown = assign_keys(table, "", (verb, card))
                found += len(shown) > 1
                assert len(shown) < 2 or [action.label[-1] for _, action in shown] == [key for key, _ in shown]
        assert match.decision is not None
        match.choose(random.choice(tuple(match.decision.moves.texts)))
    assert found


TWICE = read_game("twice")


def test_footer_names_working_keys(session: Sessions) -> None:
    seen: list[str] = []
    look = lambda screen: seen.append(screen.lines[-1].rstrip())  # noqa: E731
    send_keys(session(TWICE), [look, "n", look, "4", "enter", look])
    assert all(line.endswith("? all keys") and "h hint" in line and len(line) <= 80 for line in seen)
    assert ["u undo" in line for line in seen] == [False, False, True]
    assert "w why" not in seen[0] and "0-9" in seen[1]


def test_question_mark_opens_the_key_page(session: Sessions) -> None:
    pages: list[str] = []
    send_keys(session("hearts"), ["?", lambda screen: pages.append(type(screen.app.screen).__name__), "escape"])
    assert pages == ["OverlayPage"]


def test_values_are_numbered_if_letters_are_taken() -> None:
    """Hearts begin with the letter of the hint: so all four are numbered, in the order of their kind."""
    match = cardlang.load("crazy_eights").start(2, seed=1)
    while True:
        assert match.decision is not None
        table = match.table(match.decision.player)
        assert table.ask is not None
        if all(each.text in ("Clubs", "Diamonds", "Hearts", "Spades") for each in table.ask.actions):
            break
        texts = match.decision.moves.texts
        match.choose(next((text for text in texts if "8" in text), texts[0]))
    suits = [member.name for member in match.game.kinds["Suit"].members]
    assert [(each.key, each.text) for each in table.ask.actions] == list(zip("1234", suits, strict=True))


def test_hands_seen_by_others_keep_their_order() -> None:
    """They are spoken of by their places, and a card that is drawn comes last."""
    match = fireworks(2)
    for player, other in (("Ann", "Bob"), ("Bob", "Ann")):
        pile = next(pile for place in match.table(player).places for pile in place.piles if pile.owner == other)
        assert [card.ref for card in pile.cards] == [f"zone/hand/{other}#{place}" for place in range(1, 6)]


def test_new_cards_are_marked_until_the_next_move(session: Sessions) -> None:
    """Of thirteen cards in Hearts the three that were passed."""

    def fresh(match: Match) -> list[str | None]:
        return [card.code for pile in match.table("Ann").places[0].piles for card in pile.cards if card.fresh]

    sat = session("hearts", seed=5)
    assert not fresh(sat.match)
    dealt = {card.code for card in sat.match.view("Ann").zone("hand", "Ann").cards}
    shown: list[str] = []
    send_keys(
        sat, ["right", "space", "right", "space", "right", "space", "enter", lambda screen: shown.append(screen.text)]
    )
    assert len(fresh(sat.match)) == 3 and not {*fresh(sat.match)} & dealt
    assert shown[0].count("new") == 3
    sat.make_move(0)
    sat.advance()
    assert not fresh(sat.match)


def test_refused_undo_gives_a_reason(session: Sessions) -> None:
    sat = session("hearts", seed=5)
    seen: list[str] = []
    keys = ["right", "space", "right", "space", "right", "space", "enter", "u"]
    send_keys(sat, [*keys, lambda screen: seen.append(screen.text)])
    assert "so you cannot undo it." in seen[0]


def test_chosen_cards_have_no_letters() -> None:
    """In Golf one of the six cards is replaced: it is touched where it lies, and to discard has its letter."""
    match = cardlang.load("golf").start(2, seed=5)
    while not (match.decision is not None and match.decision.moves.texts[-1] == "discard"):
        match.choose("draw" if "draw" in match.decision.moves.texts else 0)  # type: ignore[union-attr]
    ask = match.table(match.decision.player).ask
    assert ask is not None
    assert {each.text: each.key for each in ask.actions if each.key} == {"discard": "d"} and len(ask.actions) == 7


SHOVE = ("raise 198", "call", "fold")


def loses_all(match: Match) -> bool:
    """Return whether Ann, who acts first, loses when she goes all-in, Bob calls and Cat folds."""
    if not is_asked("Ann")(match):
        return False
    match = match.clone()
    for move in SHOVE:
        match.choose(move)
    return match.scores[0] == 0


def out(session: Sessions) -> Session:
    """Return a session of Hold'em where Ann is out and the two others play on."""
    sat = session_where(session, loses_all, "texas_holdem", 3)
    for move in SHOVE:
        sat.match.choose(move)
    return sat


@pytest.mark.parametrize("key", ["e", "enter"])
def test_eliminated_player_can_skip_to_the_end(session: Sessions, key: str) -> None:
    """By Enter the others' results are looked at one by one."""
    sat = out(session)
    seen: list[str] = []
    app = send_keys(sat, [lambda screen: seen.append(screen.text), key])
    assert "e: skip to the end" in seen[0]
    assert sat.match.over == (key == "e") and app.is_paused == (key != "e")


def test_skipping_to_the_end_uses_fast_bots(session: Sessions) -> None:
    sat, thought = out(session), list[str]()

    class Hasty:
        def choose(self, match: Match) -> int:
            assert match.decision is not None
            thought.append(match.decision.player)
            *_, last = match.decision.moves.texts
            return 0 if last == "fold" else len(match.decision.moves) - 1  # all-in, or a call of it

    sat.fast_bots = dict.fromkeys(sat.bots, Hasty())
    send_keys(sat, ["e"])
    assert {*thought} == {"Bob", "Cat"} and sat.match.over


def test_all_in_player_is_not_out_before_the_last_card(session: Sessions) -> None:
    """The keys do not tell that one has lost before the last card lies there."""
    sat = session_where(session, loses_all, "texas_holdem", 3)
    seen: list[str] = []

    def shove(screen: Seen) -> str:
        sat.match.choose("raise 198")
        sat.match.choose("call")
        sat.perform_action(lambda: sat.match.choose("fold"))
        screen.app.play_until_decision()
        return "f12"

    looks = [key for _ in range(4) for key in (lambda screen: seen.append(screen.text), "enter")]
    send_keys(sat, [shove, *looks, lambda screen: seen.append(screen.text)])
    assert [("to the end" in text) for text in seen] == [False] * 4 + [True]


@pytest.mark.skipif(sys.platform == "win32", reason="another driver reads the keys")
def test_bytes_that_are_not_utf_8_are_no_error() -> None:
    from textual.drivers import linux_driver

    decoder = linux_driver.getincrementaldecoder("utf-8")()  # type: ignore[attr-defined]
    assert decoder.decode(b"\xffa\xc3", final=False) + decoder.decode(b"\xa9\xe2\x82", final=True) == "�aé�"


def test_lone_player_makes_every_move(session: Sessions) -> None:
    """In a patience game the only legal move is not made automatically, and the player can give up."""
    sat, random = session("klondike"), Random(1)
    sat.hand_over_screen()
    while sat.match.decision is not None and len(sat.match.decision.moves) > 1:
        sat.make_move(random.randrange(len(sat.match.decision.moves)))
    made = len(sat.match.choices)
    send_keys(sat, ["G", "x", lambda seen: None])
    assert len(sat.match.choices) == made and not sat.match.over
    send_keys(sat, ["G", "enter"])
    assert sat.match.over and sat.match.winners == []


PARTY = """game "Party" for 4 players
number your score

step play
  each player
    you choose 1 to 2 guests from your others
    each player in guests
      add 1 to your score
"""


def test_players_of_a_set_are_selected_by_initial(session: Sessions) -> None:
    sat, seen = session(PARTY), list[str]()
    send_keys(sat, ["c", lambda screen: seen.append(screen.text), "d", "c", lambda screen: seen.append(screen.text)])
    assert "[b] Bob   [c]✓Cat   [d] Dan" in seen[0] and "[b] Bob   [c] Cat   [d]✓Dan" in seen[1]
