"""What one sees and does at a table on the full screen: the trick, one's piles, results, the mouse, the curtain."""

from __future__ import annotations

import asyncio
import re

import pytest
from attrs import evolve

import cardlang
from cardlang.terminal.screen.app import TableApp
from cardlang.terminal.screen.asking import GO_ON, Asking
from cardlang.terminal.screen.blocks import text, width
from cardlang.terminal.screen.board import Board
from cardlang.terminal.screen.canvas import Canvas, spots
from cardlang.terminal.screen.fitting import newest
from cardlang.terminal.screen.looks import Looks
from cardlang.terminal.screen.palette import PAPER, PLAIN, style_of
from cardlang.terminal.screen.resting import Rest
from cardlang.terminal.session import Session, stage
from cardlang.terminal.typed import cards_of
from interpreter.table.model import Told
from tests.terminal.conftest import NAMES, Seen, Sessions, played, said


def lines(sat: Session, columns: int = 80, rows: int = 24) -> list[str]:
    drawing = Board(sat.table(), Looks(sat.match.game), columns).fitted(rows)
    return [said(line) for line in (*drawing.top, *drawing.bottom)]


def asked_to_follow(sat: Session) -> Session:
    """The session where two others have played to the trick already, and some of one's own cards can be."""
    sat.advance()
    sat.look()
    while True:
        table = sat.table()
        trick = next(pile for pile in table.middle.piles if pile.form == "trick")
        if len(trick.cards) == 2 and any(card.moves for pile in table.places[0].piles for card in pile.cards):
            return sat
        sat.make(0)
        sat.advance()


@pytest.mark.parametrize("players", [3, 4])
def test_a_trick_is_above_what_only_lies_there(session: Sessions, players: int) -> None:
    sat = asked_to_follow(session("tall_tales", players))
    shown = lines(sat)
    assert len(shown) <= 24
    (trick,) = [pile for pile in sat.table().middle.piles if pile.form == "trick"]
    at = next(number for number, line in enumerate(shown) if "play area" in line)
    looks = Looks(sat.match.game)
    assert all(f"{card.by} {looks.of(card).label}" in shown[at] for card in trick.cards)
    assert all(number > at for number, line in enumerate(shown) if "Embellishment Market" in line)
    markets = " ".join(shown[next(n for n, line in enumerate(shown) if "Embellishment Market" in line) :])
    for suit in sat.table().kinds:
        (market,) = suit.piles
        assert f"{suit.name}  {looks.of(market.cards[-1]).label}  ×{len(market.cards)}" in markets


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


def test_old_results_go_with_the_next_move(session: Sessions) -> None:
    sat = session("hearts")
    sat.advance()
    sat.look()
    while "scores" not in {moment.kind for moment in sat.table().moments}:
        sat.make(0)
        sat.advance()
    assert not sat.told_forced()  # of the deal before
    sat.make(0)
    assert not {moment.kind for moment in sat.table().moments} & {"scores", "result"}


def test_play_stops_after_every_trick(session: Sessions) -> None:
    """With who took it, and who played what: the whole trick still lies there. The hand stays where it is, and Enter
    plays nothing. Beside the next question the trick is told as long as there is room."""
    sat, pauses, told = session("hearts", seed=1), list[tuple[int, list[str]]](), list[list[str]]()

    def look(screen: Seen) -> None:
        lines = [line.strip() for line in screen.lines]
        if screen.app.paused:
            pauses.append((len(sat.match.choices), lines))
        elif any(line.count(",") == 3 and "you " in line.lower() for line in lines):
            told.append(lines)

    played(sat, [*["right", "space"] * 3, "enter", *[look, "enter", "enter", "enter", look, "right", "enter"] * 8])
    assert len(pauses) > 5
    for _, lines in pauses:
        assert any("takes the trick with" in line or "take the trick with" in line for line in lines)
        assert any({"you", "Bob", "Cat", "Dan"} <= {*line.split()} for line in lines) and "[Enter] Go on" in lines
    assert told and all("── last trick" in "\n".join(lines) for lines in told)


def test_what_is_drawn_stays_where_it_is(session: Sessions) -> None:
    """From the first whole trick on hand and others do not move, but for a line if what is asked or told needs one."""
    sat, places = session("hearts", seed=3), list[tuple[int, int]]()

    def look(screen: Seen) -> None:
        lines = screen.lines
        if len(sat.match.choices) > 20 and "── last trick" in screen.text:
            hand = next(at for at, line in enumerate(lines) if "you (Ann)" in line)
            places.append((hand, next(at for at, line in enumerate(lines) if line.strip().startswith("table"))))

    played(sat, [*["right", "space"] * 3, "enter", *["enter", look, "right", look, "enter", look] * 8])
    hands, tables = ({*each} for each in zip(*places, strict=True))
    assert len(places) > 12 and len(tables) == 1 and max(hands) - min(hands) <= 1


def test_what_is_left_out_is_counted(session: Sessions) -> None:
    """With the key of the page where all of it stands."""
    sat = session("hearts", seed=3)
    sat.advance()
    told = tuple(Told(f"{name} has done something that takes more than half a line to tell.") for name in NAMES[:4])
    board = Board(evolve(sat.table(), since=told), Looks(sat.match.game), 80)
    shown = [said(line) for line in board.happened.news(2)]
    assert len(shown) == 2 and "since your move · 3 more lines: F3 " in shown[0]


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


@pytest.mark.parametrize("room", [1, 2, 3, 5])
def test_the_last_trick_shows_who_took_it_in_any_room(session: Sessions, room: int) -> None:
    sat = session("hearts")
    sat.advance()
    sat.look()
    while "trick" not in {moment.kind for moment in sat.table().moments}:
        sat.make(0)
        sat.advance()
    shown = [said(line).strip() for line in Board(sat.table(), Looks(sat.match.game), 80).happened.news(room)]
    assert len(shown) <= room and any("takes the trick" in line or "take the trick" in line for line in shown)


def test_why_not_names_the_card(session: Sessions) -> None:
    sat = asked_to_follow(session("hearts"))
    closed = next(card for pile in sat.table().places[0].piles for card in pile.cards if card.code and not card.moves)
    app = TableApp(sat, Looks(sat.match.game), pause=0)
    app.hand.cursor = closed.ref
    assert app.why() == f"[{closed.code}]: not now. {sat.why(closed.code or '')}"


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
    assert any("Discard (all eight hints are there)" in line for line in lines(sat, rows=40))
    assert any("Discard (not now)" in line for line in lines(sat, columns=36, rows=40))


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


def test_a_click_goes_on_from_a_trick(session: Sessions) -> None:
    """Elsewhere than on the words that say so, a click does nothing while the trick is looked at."""
    sat = asked_to_follow(session("tall_tales", 3))
    app = TableApp(sat, Looks(sat.match.game), pause=0)

    async def run() -> None:
        async with app.run_test(size=(80, 24)) as pilot:
            await app.workers.wait_for_complete()
            while not app.paused:
                await pilot.press("right", "enter")
                await app.workers.wait_for_complete()
            before = len(sat.match.choices)
            await pilot.click(Canvas, offset=(1, 1))
            assert app.paused
            spot = spots(tuple(app.query_one(Canvas).lines()))[GO_ON]
            await pilot.click(Canvas, offset=(spot.left + 1, spot.top))
            await app.workers.wait_for_complete()
            assert not app.paused and len(sat.match.choices) >= before

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


def test_play_waits_for_a_showdown_to_be_looked_at(session: Sessions) -> None:
    """It stays until Enter is pressed, with the hands; other keys do nothing to the match."""
    sat = session("texas_holdem", 2, seed=1)
    seen: list[str] = []
    look = lambda screen: seen.append(screen.text)  # noqa: E731
    enter = lambda screen: "" if screen.app.paused else "enter"  # noqa: E731
    call = lambda screen: "" if screen.app.paused else "a" if "[c] Check (" in screen.text else "c"  # noqa: E731
    made: list[int] = []
    count = lambda screen: made.append(len(sat.match.choices))  # noqa: E731
    played(sat, [*[call, enter] * 12, look, count, "f", "u", look, count, "enter", look])
    assert "[Enter] Go on" in seen[0] and "── showdown" in seen[0] and "wins" in seen[0]
    assert seen[1] == seen[0] and made[1] == made[0]
    assert "[Enter] Go on" not in seen[2] and "── showdown" not in seen[2]


def test_undo_says_what_it_took_back(session: Sessions) -> None:
    sat = session("spades", 4)
    sat.advance()
    sat.look()
    assert sat.make("4") == "" and sat.undo() == ""
    assert sat.notes == ["Taken back: You bid 4."]
    sat.make("5")
    assert sat.notes == []


def test_what_is_to_be_named_is_asked_for_and_can_be_done(session: Sessions) -> None:
    """Also where it is no card on the table."""
    seen: list[str] = []
    sat = session("go_fish", 3)
    app = played(sat, [lambda screen: seen.append(screen.text), "up", "right"])
    assert "Ask: choose a player and a rank." in seen[0] and "[a] Ask …" in seen[0].splitlines()[-2]
    assert app.hand.cursor


def test_a_trick_lies_at_one_place_in_one_form(session: Sessions) -> None:
    """With three cards on it, once it was taken, and with the first cards of the next."""
    sat = session("spades", 4, seed=5)
    places: list[tuple[int, int]] = []

    def look(screen: Seen) -> None:
        line = next(line for line in screen.lines if "Points to win" in line)
        places.append((screen.lines.index(line), line.index("Points to win")))

    def first(screen: Seen) -> str:
        screen.app.done(sat.make(0))
        return "escape"

    played(sat, ["4", "enter", look, first, look, "enter", look, first, look])
    lines, columns = ({*each} for each in zip(*places, strict=True))
    assert len(columns) == 1 and max(lines) - min(lines) <= 1 and len(places) == 4


def test_what_was_read_on_a_page_takes_no_room_in_the_next_deal(session: Sessions) -> None:
    """The show of Cribbage has a page; then the hand is drawn as large as in the first deal."""
    sat = session("cribbage", 2)
    seen: list[str] = []

    def step(screen: Seen) -> str:
        if screen.app.paused:
            seen.append(screen.text)
            return "enter"
        seen.append(screen.text) if seen and len(seen) < 2 else screen.app.done(sat.make(0))
        return "escape"

    played(sat, [step] * 30)
    assert "── result" in seen[0] and "── scores" in seen[0]
    assert "round 2" in seen[1] and "You count" not in seen[1] and "PgDn" not in seen[1]
    assert seen[1].count("╭─────╮") == 6


def test_a_key_that_came_before_a_result_was_drawn_does_not_close_it() -> None:
    rest = Rest(on=True)
    assert rest.is_early(10.0)
    rest.drawn = 11.0
    assert rest.is_early(10.9) and not rest.is_early(11.1)


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
    assert all(code is not None and code in said for code in codes) and "others choose" in said
    sat.advance()
    assert sat.told_given() == []
