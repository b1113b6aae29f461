"""Full screen: content, sizes, keys and mouse."""

from __future__ import annotations

import re
from collections.abc import Sequence

import pytest

import cardlang
from cardlang.ui.terminal.command_parser import execute_line
from cardlang.ui.terminal.screen.action_panel import format_amount_effect
from cardlang.ui.terminal.screen.card_styles import CardStyles
from cardlang.ui.terminal.screen.table_app import TableApp
from cardlang.ui.terminal.screen.table_layout import BoardRenderer
from cardlang.ui.terminal.screen.text_blocks import measure_width
from cardlang.ui.terminal.screen.text_cards import CardRenderer, HighlightState
from cardlang.ui.terminal.session_state import Session
from cardlang.ui.terminal.typed_card_names import build_captions, format_caption
from interpreter.view.table_model import AmountAction, DisplayFact, TableArea, TableCard
from tests.game_files import read_game
from tests.terminal.conftest import Seen, Sessions, get_text, send_keys

SIZES = [(80, 24), (120, 40), (40, 15)]
GAMES = ["tall_card", "tall_tales", "tail_story", "hearts", "texas_holdem", "cribbage", "golf", "fireworks", "scopa"]


@pytest.mark.slow
@pytest.mark.parametrize(("columns", "rows"), SIZES)
@pytest.mark.parametrize("name", GAMES)
def test_table_fits_the_screen(session: Sessions, name: str, columns: int, rows: int) -> None:
    """No line is too long; one's own cards and the question are on the screen, whatever has to be scrolled."""
    sat = session(name)
    sat.advance()
    sat.hand_over_screen()
    drawing = BoardRenderer(sat.get_table(), CardStyles(sat.match.game), columns).fit_to_height(rows)
    assert all(measure_width(line) <= columns for line in drawing.lines)
    if rows >= 24:
        assert len(drawing.lines) <= rows


def test_hidden_cards_are_not_on_the_screen(session: Sessions) -> None:
    sat = session("tall_tales", 3)
    sat.advance()
    sat.hand_over_screen()
    hidden = {card.code for card in sat.match.view("Bob").zone("hand", "Bob").cards}
    own = {card.code for card in sat.match.view("Ann").zone("hand", "Ann").cards}
    board = BoardRenderer(sat.get_table(), CardStyles(sat.match.game, symbols=False), 120).fit_to_height(60)
    shown = "\n".join(get_text(line) for line in board.blocks["own"])
    words = set(re.findall(r"\w+", shown))
    assert own <= words and not (hidden - own) & words


def test_suits_have_symbols_and_colours() -> None:
    looks = CardStyles(cardlang.load("hearts"))
    made = {face.code: looks.build_style(face) for face in looks.game.faces}
    assert [made[f"5{suit}"].label for suit in "cdhs"] == ["5♣", "5♦", "5♥", "5♠"]
    assert made["5h"].ink == made["5d"].ink != made["5s"].ink == made["5c"].ink


def test_colour_words_in_titles_set_the_colour() -> None:
    """What a title says goes before the colour that a kind would have by its place."""
    looks = CardStyles(cardlang.load("tall_card"))
    dragons = {face.title: looks.build_style(face).ink for face in looks.game.faces if face.title.endswith("Dragon")}
    red, green = (int(dragons[f"{colour} Dragon"][1:], 16) for colour in ("Red", "Green"))
    assert red >> 16 > 2 * (red >> 8 & 255) and green >> 8 & 255 > 2 * (green >> 16)


def test_ascii_mode_uses_ascii_only(session: Sessions) -> None:
    sat = session("tall_tales", 3)
    looks = CardStyles(sat.match.game, symbols=False)
    assert all(looks.build_style(face).label.isascii() for face in sat.match.game.faces)


def test_captions_explain_unclear_codes() -> None:
    game = cardlang.load("tail_story")
    bones = next(face.number for face in game.faces if face.code == "Bones")
    assert build_captions(game)[bones] == "Bones Drawing. Drawing, Canine, cost 1. Draw 1 or 2."
    assert build_captions(cardlang.load("tall_tales")) == {}


WARES = read_game("wares")


def test_caption_includes_all_card_texts() -> None:
    """A definition of the card replaces that of its set."""
    lamp, rug = build_captions(cardlang.loads(WARES)).values()
    assert lamp == "Lamp. Cost 2, worth 3. Motto: Light. Five extra. Welcome."
    assert rug == "Old Rug. Cost 1, worth 0. Motto: Dust. Nothing extra. Welcome."


def test_card_list_names_a_title_once() -> None:
    game = cardlang.loads(WARES)
    lamp, rug = (format_caption(face, build_captions(game)) for face in game.faces)
    assert lamp.startswith("Cost 2") and rug.startswith("Old Rug. Cost 1")


def sorted_hand(sat: Session) -> Sequence[TableCard]:
    (hand,) = [pile for pile in sat.match.table("Ann").places[0].piles if pile.form == "hand"]
    return hand.cards


# ---------------------------------------------------------------- keys
def test_cards_are_toggled_in_any_order(session: Sessions) -> None:
    sat = session("hearts")
    shown: list[str] = []
    keys = ["right", "right", "right", "space", "left", "space", "space", "space", "right", "right"]
    hand = [card.code for card in sorted_hand(sat)]
    send_keys(
        sat, [*keys, lambda seen: shown.append(seen.text), "space", lambda seen: shown.append(seen.text), "enter"]
    )
    assert "Choose 1 more" in shown[0] and shown[0].count("✓") == 2
    assert shown[1].count("✓") == 3
    kept = {card.code for card in sorted_hand(sat)}
    assert {code for code in hand if code not in kept} >= set(hand[1:4]) - kept and not set(hand[1:4]) & kept


def test_automatic_picks_join_the_set(session: Sessions) -> None:
    """A sum of which one card is in every set that is open."""
    for seed in range(50):
        sat = session("scopa", 2, 1, seed)
        while not (sat.match.over or (sat.is_waiting_for_person() and sat.match.state.picks)):
            sat.play_move(sat.choose_automatic_move()) if not sat.is_waiting_for_person() else sat.make_move(0)
        if not sat.match.over:
            break
    sat.hand_over_screen()
    ask = sat.get_table().ask
    assert ask is not None and ask.choosing is not None and len(ask.choosing.chosen) == 1 and not ask.choosing.ready
    other = min(set(ask.choosing.open) - set(ask.choosing.chosen))
    assert sat.toggle_ref(other) == "" and sat.confirm_selection() == ""
    assert sat.match.decision is not None and not sat.match.state.picks


def test_forced_picks_are_automatic(session: Sessions) -> None:
    """A sum that one set alone makes is chosen for who plays alone; taken back, it is the card before that is open."""
    sat = session("scopa", 2, 1, 0)
    picked = 0
    while not sat.match.over:
        decision = sat.match.decision
        picked += len(sat.match.state.picks) == 1 and not sat.is_waiting_for_person() and sat.current_person is not None
        assert not sat.is_waiting_for_person() or (decision is not None and len(decision.moves) > 1)
        sat.play_move(sat.choose_automatic_move()) if not sat.is_waiting_for_person() else sat.make_move(0)
    assert picked


def test_number_is_typed_or_changed_by_arrows(session: Sessions) -> None:
    def at(seen: Seen) -> str:
        return re.search(r"◂ (\S+) ▸", seen.text)[1]  # type: ignore[index]

    found: list[str] = []
    keys = ["r", lambda seen: found.append(at(seen)), "1", "4", lambda seen: found.append(at(seen))]
    keys += ["plus", lambda seen: found.append(at(seen)), "enter"]  # type: ignore[list-item]
    sat = session("tall_card")
    send_keys(sat, keys)  # type: ignore[arg-type]
    assert found == ["?", "14", "15"]
    assert any("raises by 15" in line for line in sat.match.get_log(0))


BIDS = read_game("bids_screen")


def field(seen: Seen) -> str:
    return re.search(r"◂ (\S+) ▸", seen.text)[1]  # type: ignore[index]


def test_only_enter_confirms_a_number(session: Sessions) -> None:
    """There is none until one is typed; the letter goes to it, however often it is pressed."""
    sat = session("spades")
    seen: list[str] = []
    look = lambda screen: seen.append(screen.text)  # noqa: E731
    send_keys(sat, ["b", "b", "enter", look])
    assert sat.match.decision is not None and sat.match.decision.player == "Ann"
    assert "Type a number (0 to 13)" in seen[0] and "◂ ? ▸" in seen[0]
    send_keys(sat, ["b", "1", "2", "enter"])
    assert any("bids 12" in line for line in sat.match.get_log(0))


def test_typed_digits_are_kept(session: Sessions) -> None:
    sat = session(BIDS)
    found: list[str] = []
    look = lambda screen: found.append(field(screen))  # noqa: E731
    said: list[str] = []
    keys = ["7", look, "enter", lambda screen: said.append(screen.text), "1", look]
    keys += ["backspace", look, "backspace", look, "1", "5", "0"]
    send_keys(sat, [*keys, look, "right", look, "6", look, "right", look, "tab", "tab", "2", look])
    assert found == ["7", "71", "7", "?", "150", "151", "6", "65", "2"]
    assert "7 is too low. Choose 65 to 242." in said[0] and not sat.match.choices


def test_too_large_number_is_rejected_unchanged(session: Sessions) -> None:
    """Hand: a bid of 14 where 0 to 13 are open is no bid of 4."""
    sat = session("spades")
    seen: list[str] = []
    look = lambda screen: seen.append(screen.text)  # noqa: E731
    send_keys(sat, ["b", "1", look, "4", look, "enter", look, "backspace", look])
    assert ["◂ 1 ▸" in seen[0], *("◂ 14 ▸" in each for each in seen[1:3]), "◂ 1 ▸" in seen[3]] == [True] * 4
    assert ["14 is too high. Choose 0 to 13." in each for each in seen] == [False, True, True, False]
    assert sat.current_person == "Ann"


def test_options_keep_their_places(session: Sessions) -> None:
    sat = session("texas_holdem", 3)
    seen: list[str] = []
    look = lambda screen: seen.append(" ".join(screen.lines[-4:]))  # noqa: E731
    send_keys(sat, [look, "f", look, "c", look])
    for each in seen:
        assert re.findall(r"\][ ▸](Call|Fold|Raise)", each) == ["Call", "Raise", "Fold"]
    assert "[f]▸Fold" in seen[1] and "[c]▸Call" in seen[2]
    assert len({each.index("] Raise") for each in seen}) == 1


def test_tab_leaves_a_number_field(session: Sessions) -> None:
    sat = session(BIDS)
    app = send_keys(sat, ["n", "9", "0", "tab"])
    assert not app.input_state.cursor.startswith("amount/") and list(app.input_state.amounts.values()) == [90]


SWAP = read_game("swap")


def test_enter_confirms_without_selecting(session: Sessions) -> None:
    """To discard nothing is done by its own key alone."""
    sat = session(SWAP.replace("LIMIT", "2"))
    seen: list[str] = []
    look = lambda screen: seen.append(screen.text)  # noqa: E731
    send_keys(sat, ["right", look, "enter", look, "space", look, "space", look])
    assert not sat.match.choices and not sat.selection
    assert "[0] Discard no cards" in seen[0] and "Nothing is selected yet" in seen[1] and "✓" not in seen[1]
    assert "[Enter] Discard 1 card" in seen[2] and "[0]" not in seen[2]
    assert "[0] Discard no cards" in seen[3]
    send_keys(sat, ["0", "enter"])
    assert sat.match.choices and not any("Ann discards [" in line for line in sat.match.log)


def test_too_many_cards_are_rejected(session: Sessions) -> None:
    sat = session(SWAP.replace("LIMIT", "2"))
    seen: list[str] = []
    send_keys(sat, ["right", "space", "right", "space", "right", "space", lambda screen: seen.append(screen.text)])
    assert "2 of 2 selected" in seen[0] and "You have selected 2" in seen[0] and seen[0].count("✓") == 2
    table = sat.match.table("Ann", [card.ref for card in sorted_hand(sat)])
    assert table.ask is not None and table.ask.choosing is not None and len(table.ask.choosing.chosen) == 2


def test_single_selection_is_replaced(session: Sessions) -> None:
    sat = session(SWAP.replace("LIMIT", "1"))
    seen: list[str] = []
    cards = [card.ref for card in sorted_hand(sat)]
    send_keys(sat, ["right", "space", "right", "space", lambda screen: seen.append(screen.text)])
    assert "1 of 1 selected" in seen[0] and "replaces the other" in seen[0]
    assert sat.selection == (cards[1],)


def test_empty_line_does_nothing(session: Sessions) -> None:
    sat = session(SWAP.replace("LIMIT", "2"))
    sat.hand_over_screen()
    reply = execute_line(sat, "")
    assert not reply.has_moved and "Type done: discard no cards." in reply.message and not sat.match.choices
    assert execute_line(sat, "done").has_moved


def test_grid_keeps_its_size_next_to_a_drawn_card() -> None:
    """In Golf all six cards are drawn as cards, the one in the hand beside them."""
    match = cardlang.load("golf").start(2, seed=9)
    while "draw" not in match.decision.moves.texts or match.decision.player != "Ann":  # type: ignore[union-attr]
        match.choose(0)
    match.choose("draw")
    drawn = BoardRenderer(match.table("Ann"), CardStyles(match.game), 80).fit_to_height(24)
    tops = ["".join(span.text for span in line).count("╭") for line in drawn.blocks["own"]]
    assert [count for count in tops if count] == [3, 1, 3] and len(drawn.lines) <= 24


def test_long_fact_wraps() -> None:
    """What a hand ranks decides whether to show it: it was cut at the end of its column."""
    told = (
        DisplayFact("best", "Best Combination", None, "Three of a Kind (fours)"),
        DisplayFact("chips", "Credits", 9, "9"),
    )
    place = TableArea("player/Bob", "Bob", 1, False, (), told, ())
    lines = [
        get_text(line)
        for line in CardRenderer(CardStyles(cardlang.load("tall_card")), HighlightState(), 2).render_facts(place, 26)
    ]
    assert lines == ["Best Combination Three of", "  a Kind (fours)", "Credits 9"]


def test_facts_use_card_symbols() -> None:
    """Gin: the melds of an open hand stood there as they are typed."""
    cards = CardRenderer(CardStyles(cardlang.load("gin_rummy")), HighlightState(), 2)
    assert get_text(cards.render_fact(DisplayFact("layout", "Melds", None, "[Qh Qc Qd]"))) == "Melds Q♥ Q♣ Q♦"


def test_number_is_shown_once() -> None:
    """`Bid 4` says no more than the 4 beside it; `Raise by 4, paying 9` does."""
    bid = AmountAction("Bid", "b", (3, 4), (0, 1), says=("Bid no more than 3", "Bid 4"))
    assert format_amount_effect(bid, 4) == "" and format_amount_effect(bid, 3) == ": no more than 3"


def test_error_closes_the_screen_and_reaches_the_caller(
    session: Sessions, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def fail(*_: object) -> None:
        raise ZeroDivisionError

    monkeypatch.setattr(TableApp, "process_key", fail)
    sat = session("go_fish", 3)
    with pytest.raises(ZeroDivisionError):
        TableApp(sat, CardStyles(sat.match.game), 0).run(headless=True, auto_pilot=lambda pilot: pilot.press("x"))
    assert "Traceback" not in capsys.readouterr().err
