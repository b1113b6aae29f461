"""What one sees and does at a table on the full screen: the trick, one's piles, results, the mouse, the curtain."""

from __future__ import annotations

import asyncio
import re

import pytest
from attrs import evolve

import cardlang
from cardlang.terminal.screen.app import TableApp
from cardlang.terminal.screen.asking import Asking
from cardlang.terminal.screen.blocks import text, width
from cardlang.terminal.screen.board import Board
from cardlang.terminal.screen.canvas import Canvas, spots
from cardlang.terminal.screen.fitting import newest
from cardlang.terminal.screen.looks import Looks
from cardlang.terminal.screen.palette import PAPER, PLAIN, style_of
from cardlang.terminal.session import stage
from cardlang.terminal.typed import cards_of
from interpreter.table.model import Told
from tests.terminal.conftest import NAMES, Seen, Sessions, asked_to_follow, lines, played, said


@pytest.mark.parametrize("rows", [24, 40, 60])
def test_every_pile_of_ones_own_has_its_label(session: Sessions, rows: int) -> None:
    sat = session("tall_tales", 3)
    sat.advance()
    sat.look()
    own = [pile for pile in sat.table().places[0].piles if pile.cards]
    bottom = Board(sat.table(), Looks(sat.match.game), 80).fitted(rows).bottom
    shown = "\n".join(map(said, bottom))
    assert len(own) > 1 and all(pile.label in shown for pile in own)


def test_blocks_that_do_not_fit_go_as_a_whole() -> None:
    blocks = [tuple(text(f"{name}{number}") for number in range(3)) for name in "abc"]
    shown = {room: [said(line) for line in newest(blocks, room)] for room in range(8)}
    assert shown[0] == shown[1] == []
    assert shown[2] == ["c0", "  …"]
    assert shown[3] == shown[5] == ["c0", "c1", "c2"]
    assert shown[6] == ["b0", "b1", "b2", "c0", "c1", "c2"]


@pytest.mark.parametrize("rows", range(18, 34))
def test_no_table_stands_without_its_heading(session: Sessions, rows: int) -> None:
    """The rows of the scores are on the screen only below their headline."""
    sat = session("hearts")
    sat.advance()
    sat.look()
    while not sat.match.over and "scores" not in {moment.kind for moment in sat.table().moments}:
        sat.make(0)
        sat.advance()
    scores = next(moment for moment in sat.table().moments if moment.kind == "scores")
    shown = [line.strip() for line in lines(sat, rows=rows)]
    if any(line.startswith("before") for line in shown):
        assert scores.headline in shown


def test_what_is_left_out_is_counted(session: Sessions) -> None:
    """With the key of the page where all of it stands."""
    sat = session("hearts", seed=3)
    sat.advance()
    told = tuple(Told(f"{name} has done something that takes more than half a line to tell.") for name in NAMES[:4])
    board = Board(evolve(sat.table(), since=told), Looks(sat.match.game), 80)
    shown = [said(line) for line in board.happened.news(2)]
    assert len(shown) == 2 and "since your last move · 3 more lines: F3 " in shown[0]


def test_passing_alone_is_told_in_short(session: Sessions) -> None:
    sat = session("golf", 2)
    sat.advance()
    sat.look()
    sat.stage = stage(sat.table())
    for count, told in ((1, "You could only pass."), (4, "You could only pass, four times.")):
        sat.forced = ["pass"] * count
        assert sat.told_forced() == [told]


FORCED = """\
game "Forced" for 2 players

ordered kind Value: 1 to 9
cards Numbers in deck
  1 of each Value
zone deck seen by nobody
zone heap
zone your hand seen by owner
number your score

step setup
  each player
    draw top 4 of deck to your hand

step play
  repeat until players' hand is empty
    each player
      you choose one
        option nod
          add 1 to your score
      you play 1 from your hand to heap
"""


def test_what_was_done_for_the_viewer_is_told_until_they_begin_to_decide(session: Sessions) -> None:
    seen: list[bool] = []

    def look(screen: Seen) -> None:
        seen.append("You had no choice but to choose “nod”." in screen.text)

    played(session(FORCED), [look, "right", look, "left", look, "enter", look])
    assert seen == [True, False, False, True]


CAPTURED = """\
game "Captured" for 2 players

ordered kind Value: 1 to 9
cards Numbers in deck
  1 of each Value
zone deck seen by nobody
zone heap
zone middle
zone your hand seen by owner
number your score

step setup
  draw top 3 of deck to middle
  each player
    draw top 3 of deck to your hand

step play
  repeat until players' hand is empty
    each player
      you play 1 from your hand to heap
      you choose 1 prey from (lowest of middle by value)
        take prey to heap
"""


def test_a_pick_that_completes_ones_own_move_is_no_news(session: Sessions) -> None:
    """Of three cards in hand Ann plays two; the lowest card of the middle is taken for her. To play the last, as no
    other is left, is a move of its own."""
    sat, told = session(CAPTURED), list[list[str]]()
    sat.advance()
    for _ in range(2):
        assert sat.make(0) == ""
        sat.advance()
        told.append(sat.told_forced())
    assert told[0] == [] and len(told[1]) == 1 and told[1][0].startswith("You had no choice but to play [")


def test_why_not_names_the_card(session: Sessions) -> None:
    sat = asked_to_follow(session("hearts"))
    closed = next(card for pile in sat.table().places[0].piles for card in pile.cards if card.code and not card.moves)
    app = TableApp(sat, Looks(sat.match.game), pause=0)
    app.hand.cursor = closed.ref
    assert app.why() == f"You can't play [{closed.code}] now. {sat.why(closed.code or '')}"


def test_the_card_under_the_cursor_says_what_is_printed_on_it(session: Sessions) -> None:
    sat = session("tail_story")
    sat.advance()
    sat.look()
    table, looks = sat.table(), Looks(sat.match.game)
    card = next(card for pile in table.middle.piles for card in pile.cards if card.moves and card.face is not None)
    assert card.face is not None
    shown = "\n".join(map(said, Board(table, looks, 400, card.ref).fitted(40).bottom))
    assert looks.captions[card.face] in shown
    idle = "\n".join(map(said, Board(table, looks, 400).fitted(40).bottom))
    assert looks.captions[card.face] not in idle


def test_a_closed_option_says_why_where_there_is_room(session: Sessions) -> None:
    sat = session("fireworks", 2)
    sat.advance()
    sat.look()
    closed = sat.table().ask.closed[0]  # type: ignore[union-attr]
    assert closed.why == "All eight hints are there."
    assert any("Discard (not now: all eight hints are there)" in line for line in lines(sat, rows=40))
    assert any("Discard (not now)" in line for line in lines(sat, columns=38, rows=40))
    assert not any("Discard" in line for line in lines(sat, columns=36, rows=40))


def test_why_not_is_told_without_the_line_of_a_file(session: Sessions) -> None:
    sat = asked_to_follow(session("hearts"))
    closed = [card for pile in sat.table().places[0].piles for card in pile.cards if card.code and not card.moves]
    assert closed
    for card in closed:
        assert sat.why(card.code or "") and not re.search(r"cardgame|:\d+:", sat.why(card.code or ""))


# ---------------------------------------------------------------- keys, the mouse, several people
def test_the_hint_is_shown(session: Sessions) -> None:
    seen: list[str] = []
    played(session("hearts"), ["h", lambda screen: seen.append(screen.text)])
    assert "Do what you like." in seen[0]


def test_a_click_puts_the_cursor_on_a_card_and_the_next_plays_it(session: Sessions) -> None:
    sat = asked_to_follow(session("tall_tales", 3))
    app = TableApp(sat, Looks(sat.match.game), pause=0)
    before = len(sat.match.choices)

    async def run() -> None:
        async with app.run_test(size=(80, 24)) as pilot:
            await app.workers.wait_for_complete()
            await pilot.pause()
            card = [c for pile in app.table().places[0].piles for c in pile.cards if c.moves][-1]
            for number in range(2):
                spot = spots(tuple(app.query_one(Canvas).lines()))[card.ref]
                await pilot.click(Canvas, offset=(spot.left + 1, spot.top))
                await pilot.pause()
                assert number or (app.hand.cursor == card.ref and len(sat.match.choices) == before)
            await app.workers.wait_for_complete()
            assert sat.match.choices[before:] and any(f"Ann plays [{card.code}]" in line for line in sat.match.log)

    asyncio.run(run())


@pytest.mark.parametrize("size", [(80, 24), (120, 40)])
def test_people_at_one_screen_sit_behind_a_curtain(session: Sessions, size: tuple[int, int]) -> None:
    """Nothing of the table is seen, by whatever key, until the next person says that they sit there."""
    sat = session("hearts", people=2)
    seen: list[str] = []
    look = lambda screen: seen.append(screen.text)  # noqa: E731
    codes = {card.code for card in sat.match.view(0).zone("hand", "Ann").cards}
    played(sat, [look, "h", look, "w", look, "u", look, ":", "escape", look, "enter", look], size)
    *hidden, shown = seen
    labels = {Looks(sat.match.game).make(face).label for face in sat.match.game.faces if face.code in codes}
    for screen in hidden:
        assert "Ann, it is your turn." in screen and not any(label in screen for label in labels)
    assert all(label in shown for label in labels)


def test_sixteen_colours_are_enough() -> None:
    """Cards are told from the ground, the cursor from other cards; what is no card has the terminal's own colours."""
    for role in PLAIN:
        assert style_of(role, "", True).bgcolor is None and style_of(role, "", True).color is None
    paper = {style_of(role, "", True).bgcolor for role in PAPER}
    assert all(colour is not None and colour.number is not None and colour.number < 16 for colour in paper)
    assert style_of("paper.cursor", "", True) != style_of("paper", "", True)
    assert style_of("back.cursor", "", True).bgcolor != style_of("back", "", True).bgcolor


def test_captions_are_those_of_the_page_of_cards() -> None:
    from cardlang.terminal.captions import captions

    game = cardlang.load("tail_story")
    assert Looks(game).captions == captions(game) != {}


@pytest.mark.parametrize("key", ["right", "f1", "f4", "?"])
def test_no_colour_is_no_fault(session: Sessions, monkeypatch: pytest.MonkeyPatch, key: str) -> None:
    """With NO_COLOR every cell passes a filter, also those that are only filled up, and the cursor is still seen."""
    monkeypatch.setenv("NO_COLOR", "1")
    sat = session("tail_story")
    screens: list[str] = []

    def rendered(seen: Seen) -> None:
        screens.append(seen.app.export_screenshot())

    played(sat, [rendered, key, rendered])
    assert len(screens) == 2 and "Tail" in screens[0]
    assert "#fbfaf5" not in screens[0]


@pytest.mark.parametrize("columns", [40, 80, 200])
def test_a_caption_has_as_many_lines_as_the_longest_in_reach(session: Sessions, columns: int) -> None:
    """Nothing moves while the cursor goes over cards, and at 80 columns no word is lost."""
    sat = session("tail_story")
    sat.advance()
    sat.look()
    table, looks = sat.table(), Looks(sat.match.game)
    cards = [card for pile in table.middle.piles for card in pile.cards if card.moves]
    assert table.ask is not None and len(cards) > 2
    heights = set()
    for card in cards:
        printed = Asking(table, looks, columns, card.ref, (), {}, "").printed(table.ask)
        assert all(width(line) <= columns for line in printed)
        heights.add(len(printed))
        shown = " ".join(said(line) for line in printed).split()
        assert columns < 80 or card.face is None or shown == looks.captions[card.face].split()
    assert len(heights) == 1 and heights <= {2, 3, 4, 5}


def test_undo_says_what_it_took_back(session: Sessions) -> None:
    sat = session("spades", 4)
    sat.advance()
    sat.look()
    assert sat.make("4") == "" and sat.undo() == ""
    assert sat.notes == ["Undone: You bid 4."]
    sat.make("5")
    assert sat.notes == []


def test_what_is_to_be_named_is_asked_for_and_can_be_done(session: Sessions) -> None:
    """Also where it is no card on the table."""
    seen: list[str] = []
    sat = session("go_fish", 3)
    app = played(sat, [lambda screen: seen.append(screen.text), "up", "right"])
    assert "Ask: choose a player and a rank." in seen[0] and "[a] Ask …" in seen[0].splitlines()[-2]
    assert app.hand.cursor


def test_what_was_passed_is_said_while_the_others_choose(session: Sessions) -> None:
    sat = session("hearts", 4)
    sat.advance()
    sat.look()
    ask = sat.table().ask
    assert ask is not None and ask.choosing is not None
    codes = [card.code for card in cards_of(sat.table()) if card.ref in ask.choosing.refs[:3]]
    for ref in ask.choosing.refs[:3]:
        assert sat.toggle(ref) == ""
    assert sat.told_given() == [] and sat.confirm() == ""
    (said,) = sat.told_given()
    assert all(code is not None and code in said for code in codes) and "other players choose" in said
    sat.advance()
    assert sat.told_given() == []
