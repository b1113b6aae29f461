"""Components of a game, and values tracked on the table."""

from collections.abc import Callable

from cardlang.loader import loads
from cardlang.model import Game
from cardlang.rulebook.render import render_rulebook_markdown
from tests.rulebook.conftest import render_generated

SheetOf = Callable[[str], str]


def test_included_kind_lists_its_members(shipped: dict[str, Game]) -> None:
    sheet = render_generated(shipped["contract_bridge"])
    assert "**Strains:** From the lowest to the highest, Clubs, Diamonds, Hearts, Spades and Notrump." in sheet


def test_only_printed_kinds_are_listed_as_on_cards(sheet_of: SheetOf) -> None:
    sheet = sheet_of(
        "kind Column: Near, Far\nkind Price: Low, High\nnumber Column's height\n"
        'cards Wares in deck with cost\n  1 of "Hat", Low\n  1 of "Crown", High\n'
    )
    assert "The words on the cards" not in sheet
    assert "- **2 Wares** in two prices (Low and High).\n" in sheet
    assert "- **2 columns:** Near and Far.\n" in sheet and "Prices" not in sheet


def test_ranges_of_values_are_named(sheet_of: SheetOf) -> None:
    sheet = sheet_of("cards Late (L) in deck\n  2 of each Suit, Value from King to 2\n")
    assert "**12 Late cards:** Two of each suit and value from King to 2" in sheet  # two suits, three values


def test_value_codes_are_explained(sheet_of: SheetOf) -> None:
    """A small card shows its value in the corner and its suit as a symbol."""
    sheet = sheet_of("")
    assert "1 to 9 and King (K), from low to high, in each of two suits (Red and Blue)" in sheet
    assert "Red (r)" not in sheet


def test_obvious_tracks_are_omitted(sheet_of: SheetOf) -> None:
    sheet = sheet_of('player bidder "Who bids."\nplayer taker starts each turn at nobody\nSuit card\'s dye\n')
    assert "\n\n**Bidder:** *Who bids.*\n" in sheet
    assert "Taker" not in sheet and "**Dye suit" not in sheet


def test_unused_trump_suit_is_omitted(shipped: dict[str, Game]) -> None:
    rules = "step play\n  do round\nstep round\n  do play-tricks\n  add 1 to leader's score\n"
    plain = render_rulebook_markdown(loads(f'game "Plain" for 4 players\nuse tricks\nnumber your score\n{rules}'))
    assert "Trump suit" not in plain and "The player with the highest card of the suit led" in plain
    whist = render_generated(shipped["whist"])
    assert "**Trump suit:** *Its cards beat all others.*" in whist
    assert "highest card of the trump suit (or else of the suit led)" in whist


def test_number_is_explained_at_first_use(sheet_of: Callable[[str], str]) -> None:
    sheet = sheet_of('number tax "What each player owes."\nstep your turn\n  add tax to your score\n')
    assert "\nScore the tax.\n\n**Tax:** *What each player owes.*\n" in sheet


def test_places_before_players_are_introduced(sheet_of: Callable[[str], str]) -> None:
    turn = "step your turn\n  draw top of deck to your vault\n"
    assert "**Hand:**" not in sheet_of("")
    sheet = sheet_of(f'zone your vault seen by nobody "For later."\n{turn}')
    assert " Keep your vault face down in front of you.\n" in sheet and "\n\n**Vault:** *For later.*\n" in sheet


def test_only_a_written_score_needs_paper(sheet_of: SheetOf, shipped: dict[str, Game]) -> None:
    assert "You also need:\n\n- Pencil and paper for the score.\n" in sheet_of("")
    assert "Pencil" not in render_generated(shipped["kuhn_poker"])
