"""Moves that a typed line means."""

from pathlib import Path

import pytest

import cardlang
from cardlang.ui.terminal.command_parser import execute_line, match_moves
from cardlang.ui.terminal.screen.card_styles import CardStyles
from cardlang.ui.terminal.typed_card_names import expand_aliases, replace_symbols
from interpreter.bots.candidate_moves import list_sets
from interpreter.bots.hints import SetPrinter
from interpreter.match.match import Match
from interpreter.match.match_record import RecordEntry, Recorder
from interpreter.match.move_aliases import build_move_labels
from interpreter.runtime.errors import RecordingError
from tests.game_files import read_game
from tests.terminal.conftest import Sessions, session_where

BETS = ["check", *(f"bet {n}" for n in range(1, 26)), "fold"]


def test_typed_text_matches_exactly_then_loosely() -> None:
    texts = ["event [Tp]", "event [tp]", "end-turn", "swap Bob"]
    assert match_moves("event Tp", texts) == [0]
    assert match_moves("EVENT tp", texts) == [0, 1]
    assert match_moves("tp", texts) == [1]
    assert match_moves("bob", texts) == [3]
    assert match_moves("e", texts) == [0, 1, 2]
    assert match_moves("sw b", texts) == [3]
    assert match_moves("x", texts) == [] and match_moves("", texts) == []


def test_typed_words_match_in_order() -> None:
    assert match_moves("5 raise", ["raise 5", "raise 6"]) == []
    assert match_moves("bet 2", BETS) == [2]


def test_button_labels_can_be_typed(session: Sessions) -> None:
    """Fireworks calls a move `number-hint Bob 1`, its button `Tell Bob which cards are 1s`."""
    sat = session("fireworks", 2)
    sat.advance()
    sat.hand_over_screen()
    table = sat.get_table()
    assert table.ask is not None
    said = next(each for each in table.ask.actions if each.verb == "Number hint")
    assert not said.label.lower().startswith(said.text.split("-")[0])
    assert execute_line(sat, said.label.lower()).has_moved


def test_suit_initials_can_be_typed(session: Sessions) -> None:
    """In Scopa `c` is Clubs, whose sign is drawn and whose letter is b; coins and cups take two letters."""
    game = session("scopa", 2).match.game
    places: list[str] = []
    assert expand_aliases("play 7c", game, "play [7b] play [7o]", places) == "play 7b"
    assert expand_aliases("7CU", game, "play [7u]", places) == "7u"
    assert expand_aliases("7coins", game, "play [7o]", places) == "7o"
    assert expand_aliases("7c", game, "play [7o]", places) == "7c", "coins and clubs are not mistaken for each other"
    assert expand_aliases("7s", game, "play [7s]", places) == "7s"


def test_grid_cards_can_be_typed_by_place(session: Sessions) -> None:
    for typed in ("Top Left and Bottom Right", "turn bottom right, top left", "tl br", "#1 #6"):
        sat = session("golf", 2)
        sat.advance()
        sat.hand_over_screen()
        assert execute_line(sat, typed).has_moved, typed
        mine = next(place for place in sat.get_table().places if place.name == "Ann")
        lying = {card.place for pile in mine.piles for card in pile.cards if card.code}
        assert lying == {"Top Left", "Bottom Right"}, typed


def test_single_place_is_selected(session: Sessions) -> None:
    sat = session("golf", 2)
    sat.advance()
    sat.hand_over_screen()
    assert not execute_line(sat, "bottom left").has_moved and len(sat.selection) == 1


@pytest.mark.parametrize(
    ("game", "typed", "plain"),
    [
        ("cribbage", "play 9♠", "play 9spade"),
        ("cribbage", "put j♥ k♣*", "put jheart kclub"),
        ("tall_card", "discard whd☾", "discard whd"),
        ("tall_card", "discard 7p✚ 3pe◆", "discard 7p 3pe◆"),
        ("cribbage", "play 9s", "play 9s"),
        ("tail_story", "Discard Dig●, Nest◆ and Nest◆.", "Discard Dig, Nest and Nest."),
    ],
)
def test_card_symbols_can_be_typed(game: str, typed: str, plain: str) -> None:
    assert replace_symbols(typed, cardlang.load(game)) == plain


def test_drawn_card_labels_can_be_typed(session: Sessions) -> None:
    sat = session("cribbage", 2)
    sat.advance()
    sat.hand_over_screen()
    first, second = [card for card in sat.get_table().places[0].piles[0].cards if card.code][:2]
    drawn = [CardStyles(sat.match.game).get_style(card).label.lower() for card in (first, second)]
    assert all(not label.isalnum() for label in drawn)
    reply = execute_line(sat, f"put {' '.join(drawn)}")
    assert reply.has_moved, reply.message


def test_hint_labels_can_be_typed(session: Sessions) -> None:
    """Of a raise it says by how much and for how much; the move names the first alone."""
    sat = session("texas_holdem", 2)
    sat.advance()
    sat.hand_over_screen()
    match = sat.match
    assert match.decision is not None
    called = build_move_labels(match)
    raised = match.decision.moves.texts.index("raise 4")
    assert called[raised] == "Raise by 4, paying 5"
    assert execute_line(sat, called[raised].lower()).has_moved
    assert match.view(None).events[-1].at == 1 and "raises by 4, paying 5" in " ".join(match.view(None).log)


def test_hint_labels_of_sets_can_be_typed(session: Sessions) -> None:
    """In President, the label of a pair is `Play [4h] and [4s]`."""

    def find_pairs(match: Match) -> list[tuple[int, ...]]:
        is_first = match.decision is not None and match.decision.seat == 0
        return [cards for cards in list_sets(match.program, match.state, 64) if len(cards) == 3] if is_first else []

    sat = session_where(session, lambda match: bool(find_pairs(match)), "president", 4)
    sat.advance()
    sat.hand_over_screen()
    label = SetPrinter(sat.match).format_set(find_pairs(sat.match)[0])
    assert label.startswith("Play [") and execute_line(sat, label).has_moved


RANKED = read_game("ranked")


@pytest.mark.parametrize(("typed", "gone"), [("7 9", {"7h", "9s"}), ("9 8h", {"9s", "8h"}), ("7 8", set[str]())])
def test_unique_rank_can_be_typed(session: Sessions, typed: str, gone: set[str]) -> None:
    """Of the two 8s neither is meant."""
    sat = session(RANKED)
    sat.hand_over_screen()
    assert execute_line(sat, typed).has_moved == bool(gone)
    left = {card.code for card in sat.match.view("Ann").zone("hand", "Ann").cards}
    assert left == {"7h", "8h", "8s", "9s"} - gone


@pytest.mark.parametrize(
    ("typed", "chips"), [("all-in", 0), ("all in", 0), ("raise all-in", 0), ("pot", 193), ("raise pot", 193)]
)
def test_bet_size_names_can_be_typed(session: Sessions, typed: str, chips: int) -> None:
    """Of 200 chips; 3 lie there, and 2 are called: a raise by the pot is one by 5."""
    sat = session("texas_holdem", 3, people=3, seed=1)
    asked = sat.match.decision.player  # type: ignore[union-attr]
    sat.hand_over_screen()
    assert execute_line(sat, typed).has_moved
    assert sat.match.view(asked).track("chips", asked).value == chips


@pytest.mark.parametrize("kept", [0, 1, 2])
def test_set_choice_survives_a_full_disk(session: Sessions, tmp_path: Path, kept: int) -> None:
    """Whatever was written of the three cards: all are passed, and it is said that no more is kept."""
    sat = session("hearts", 4, people=4)
    sat.match.record(tmp_path / "match.record")
    sat.is_saved = True
    keeper = sat.match._recorder
    assert isinstance(keeper, Recorder)
    really, left = keeper.write, [True] * kept

    def write(entry: RecordEntry) -> None:
        if not left:
            raise RecordingError(keeper.path, OSError(28, "No space left on device"))
        left.pop()
        really(entry)

    keeper.write = write  # type: ignore[method-assign]
    sat.hand_over_screen()
    hand = [str(card).strip("[]") for card in sat.match.view("Ann").zone("hand", "Ann").cards]
    assert sat.make_move(" ".join(hand[:3])) == ""
    assert sat.current_person == "Bob" and any("From now on this match is not saved" in note for note in sat.notes)


def test_long_line_is_not_echoed(session: Sessions) -> None:
    sat = session("kuhn_poker", 2, people=2)
    sat.hand_over_screen()
    reply = execute_line(sat, "a " * 5000)
    assert not reply.has_moved and reply.message and len(reply.message) < 80
