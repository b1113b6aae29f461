"""Events since the player's last move: each line once, and the reason for the end."""

from __future__ import annotations

from random import Random

import pytest
from attrs import evolve

import cardlang
from cardlang.ui.terminal.screen.card_styles import CardStyles
from cardlang.ui.terminal.screen.event_pane import OWN_ACTION_WEIGHT, fit_events
from cardlang.ui.terminal.screen.result_pause_pages import render_final_page, render_result_page
from cardlang.ui.terminal.screen.table_layout import BoardRenderer
from cardlang.ui.terminal.screen.text_blocks import LayoutState, make_line
from cardlang.ui.terminal.session_state import Session
from interpreter.bots.bot_players import make_bot
from interpreter.match.match import Match
from interpreter.view.table_model import EventLine
from tests.terminal.conftest import Seen, Sessions, get_text, reserve_room, send_keys

TELLING = """\
game "Tellers" for 3 players

ordered kind Value: 1 to 60
cards Numbers in deck
  1 of each Value
zone deck seen by nobody
zone heap
zone your hand seen by owner
number your score

step setup
  each player
    draw top 20 of deck to your hand

step play
  repeat until count of heap > 24
    each player
      do your turn
  tell "The heap is high: the match ends."

step your turn
  you choose one
    option lay with chosen from your hand
      play chosen to heap
      add 1 to your score
      tell "{you} has laid a card for {your score} points."
      each player
        draw bottom of heap to your hand
        play top of your hand to heap
"""


def draw_board(sat: Session, rows: int = 24) -> list[str]:
    drawing = BoardRenderer(sat.get_table(), CardStyles(sat.match.game), 80).fit_to_height(rows)
    return [get_text(line).strip() for line in drawing.lines]


def test_told_lines_outlast_movements(session: Sessions) -> None:
    """Of three turns with four movements each all three sentences are seen, each once."""
    sat = session(TELLING, 3)
    sat.advance()
    sat.hand_over_screen()
    for _ in range(2):
        sat.make_move(0)
        sat.advance()
    told = [line.text for line in sat.get_table().since if line.kind == "told"]
    assert len(told) == 3
    for rows in (22, 24, 30):
        lines = "\n".join(draw_board(sat, rows))
        assert [lines.count(text) for text in told] == [1, 1, 1]


def test_immediate_choice_is_reported_once(session: Sessions) -> None:
    """That a card is chosen says no more than that it is played."""
    sat = session("fireworks", 2)
    sat.advance()
    sat.hand_over_screen()
    sat.make_move(next(move.text for move in sat.match.decision.moves if move.text.startswith("play")))  # type: ignore[union-attr]
    texts = [told.text for told in sat.get_table().since]
    assert sum(text.startswith(("You play", "You discard")) for text in texts) == 1


def play_to_end(name: str, players: int, seed: int = 3) -> Match:
    match = cardlang.load(name).start(players, seed=seed)
    assert isinstance(match, Match)
    bot = make_bot("random", 1)
    while not match.over:
        match.choose(bot.choose(match))
    return match


def test_old_messages_do_not_return() -> None:
    """What is only told, with no heading of its own, would seem to have happened just now."""
    match = cardlang.load("scopa").start(2, seed=3)
    bot = make_bot("random", 1)
    while not any(each.kind == "scores" for each in match.table("Ann").moments) or match.decision.player != "Ann":
        match.choose(bot.choose(match))
    table, looks = match.table("Ann"), CardStyles(match.game)
    (told,) = (each for each in table.moments if each.kind == "result")
    assert "coins" in str(told)
    drawn = BoardRenderer(evolve(table, since=()), looks, 80, page_kinds=("scores", "result")).fit_to_height(60)
    assert not any("most coins" in get_text(line) for line in drawn.lines)


@pytest.mark.slow
@pytest.mark.parametrize("name", ["golf", "cribbage", "hearts"])
def test_read_results_free_their_room(name: str) -> None:
    """What one holds is drawn as large as if there were no result; the result stands there whole or not at all."""
    match = cardlang.load(name).start(4 if name == "hearts" else 2, seed=3)
    bot = make_bot("random", 1)
    while not any(each.kind == "scores" for each in match.table("Ann").moments) or match.decision.player != "Ann":
        match.choose(bot.choose(match))
    table, looks = match.table("Ann"), CardStyles(match.game)
    table = evolve(table, moments=tuple(each for each in table.moments if each.kind == "scores"))
    bare = BoardRenderer(evolve(table, moments=()), looks, 80)
    for rows in range(16, 60):
        drawn = BoardRenderer(table, looks, 80, page_kinds=("scores",)).fit_to_height(rows)
        without = evolve(bare, layout_state=LayoutState()).fit_to_height(rows)
        assert drawn.heights == without.heights
        assert all(drawn.blocks[name] == without.blocks[name] for name in ("seats", "middle", "own"))
        lines = [get_text(line) for line in drawn.blocks["events"]]
        assert all(get_text(line) in lines for line in bare.event_pane.render_result(table.moments[0])) or not any(
            "scores" in line and "──" in line for line in lines
        )
    assert not bare.table.moments and drawn.blocks["events"] != bare.fit_to_height(rows).blocks["events"]


def test_result_page_omits_the_next_deal(session: Sessions) -> None:
    """The table is there already: its cards are dealt, and its heading counts it."""
    sat = session("scopa")
    while "scores" not in {moment.kind for moment in sat.get_table().moments}:
        sat.hand_over_screen()
        sat.make_move(0) if sat.is_waiting_for_person() else sat.play_move(sat.choose_automatic_move())
    table, looks = sat.get_table(), CardStyles(sat.match.game)
    told = [
        EventLine("Ann plays [7c].", kind="moved"),
        EventLine("Ann: 3.", kind="kept"),
        EventLine("The cards are dealt.", kind="moved"),
    ]
    for lines in ([*told[:2], EventLine("Ann has won.", kind="told"), *told[2:]], told):
        drawn = render_result_page(BoardRenderer(evolve(table, since=tuple(lines), heading=("deal 2",)), looks, 80), 24)
        shown = "\n".join(get_text(line) for line in drawn.blocks["page"])
        assert "Ann plays" in shown and "dealt" not in shown and "deal 2" not in shown


def test_cooperative_end_has_a_reason_and_no_ranking() -> None:
    end = play_to_end("fireworks", 2).table("Ann").moments[-1]
    assert end.kind == "end" and end.headline == "No one wins." and not end.rows
    assert any("fuse" in line for line in end.lines) and end.lines[-1].startswith("All players score ")


def test_end_gives_its_reason_once() -> None:
    table = play_to_end("hearts", 4).table("Ann")
    end = table.moments[-1]
    assert any("the match ends" in line for line in end.lines) and len(end.rows) == 4
    assert not any("the match ends" in line for each in table.moments[:-1] for line in (each.headline, *each.lines))


def test_end_page_precedes_a_new_match(session: Sessions) -> None:
    """One page, with all that was told; a key of its own begins another match."""
    sat = session("kuhn_poker", 2, seed=1)
    seen: list[str] = []

    def look(screen: Seen) -> None:
        seen.append(screen.text)

    while not sat.match.over:
        sat.match.choose(0)
    sat.viewer = "Ann"
    app = send_keys(sat, [look, "enter", look, "n"])
    assert "── end" in seen[0] and "n: new game" in seen[0] and "Continue" not in seen[0]
    assert seen[1] == seen[0] and app.return_value == "again"


@pytest.mark.slow
@pytest.mark.parametrize(
    ("name", "players"), [("spades", 4), ("texas_holdem", 2), ("tall_tales", 4), ("golf", 4), ("cribbage", 2)]
)
def test_end_page_starts_with_the_ranking(session: Sessions, name: str, players: int) -> None:
    """The first screen has the whole ranking, however much is told besides; no hand is shown twice."""
    sat = session(name, players)
    sat.match = play_to_end(name, players)
    seen: list[str] = []

    def look(screen: Seen) -> None:
        seen.append(screen.text)
        top = [get_text(line) for line in screen.app.draw_screen(80, 24).blocks["page"]]
        assert sum(f" {pile.owner} " in line and " ".join(codes) in line for line in top) <= 1 if codes else True

    hands = [pile for each in sat.match.table("Ann").moments for pile in each.hands if pile.owner]
    pile = hands[0] if hands else None
    codes = [CardStyles(sat.match.game).get_style(card).label for card in pile.cards] if pile is not None else []
    send_keys(sat, [look])
    end = sat.match.table("Ann").moments[-1]
    lines = seen[0].split("\n")
    assert end.headline in lines[3]
    assert [" ".join(line.split()) for line in lines[4 : 5 + len(end.rows)]] == [
        " ".join(row) for row in (end.columns, *end.rows)
    ]


def bags(match: Match) -> list[str]:
    """Return the lines about a side's bags in the last deal."""
    told = [line.text for line in match.table("Ann").since]
    return [line for line in told if line.startswith("East-West ") and " bag" in line]


def test_end_page_omits_the_next_deal() -> None:
    """Spades names the next dealer before it says that the points of a team end the match."""
    match = next(match for seed in range(50) if bags(match := play_to_end("spades", 4, seed)))
    table = match.table("Ann")
    assert any(told.text.endswith(" is the dealer now.") for told in table.since)
    page = render_final_page(BoardRenderer(table, CardStyles(match.game), 80), 40).blocks["page"]
    shown = [get_text(line) for line in page]
    assert not any("dealer now" in line for line in shown)
    assert any("points, and -200 end the match." in line for line in shown)
    assert all(any(line in each for each in shown) for line in bags(match))


def test_score_table_is_not_repeated_in_words() -> None:
    """Hearts: `Your score rises from 32 to 49.`"""
    match = cardlang.load("hearts").start(4, seed=3)
    bot = make_bot("random", 1)
    while not any(each.kind == "scores" for each in match.table("Ann").moments):
        match.choose(bot.choose(match))
    table = match.table("Ann")
    assert any("score rises" in told.text for told in table.since)
    drawn = render_result_page(BoardRenderer(table, CardStyles(match.game), 80), 60)
    assert not any("score rises" in get_text(line) for line in drawn.blocks["page"])


def test_events_take_precedence_over_blank_lines() -> None:
    """With two players all of Tail Story's table and its news have room in 80x24, if no line there is left empty."""
    match, rng = cardlang.load("tail_story").start(["Ann", "Bob"], seed=0), Random(0)
    looks, calm = CardStyles(match.game), reserve_room(match)
    while not match.over:
        decision = match.decision
        assert decision is not None
        if decision.player == "Ann":
            drawn = BoardRenderer(
                match.table("Ann"), looks, 80, layout_state=calm, page_kinds=("scores", "result", "trick")
            ).fit_to_height(24)
            assert len(drawn.lines) <= 24
        match.choose(rng.randrange(len(decision.moves.texts)))


def test_tell_without_scores_is_not_a_result() -> None:
    """Tall Card: who has to claim plays on; nothing has come of it."""
    match = cardlang.load("tall_card").start(["Ann", "Bob"], seed=1)
    while "claims" not in (log := " ".join(match.view(None).log)) and "must claim" not in log:
        match.choose("pass")
    assert match.decision is not None
    table = match.table(match.decision.player)
    assert not table.moments
    drawn = BoardRenderer(table, CardStyles(match.game), 80).fit_to_height(24)
    lines = [get_text(line) for line in drawn.lines]
    assert sum("claim the Tall Card" in line or "claims the Tall Card" in line for line in lines) == 1
    assert not any("── result" in line for line in lines)


def test_own_actions_are_dropped_before_others() -> None:
    """Of four long lines in three: what the number of hints is now goes first; in one, what another did last stays."""
    said_last = make_line("Cat tells Bob which of the cards in his hand are Green.")
    own, kept = (
        make_line("You discard the only 3 of Red that was left."),
        make_line("There are now seven hints for all to use."),
    )
    blocks = [
        (OWN_ACTION_WEIGHT, (own,)),
        (0, (kept,)),
        (1, (make_line("Bob tells you which of your cards are 4s."),)),
        (1, (said_last,)),
    ]
    assert fit_events(blocks, 3, 60) == ((own, blocks[2][1][0], said_last), False)
    assert fit_events(blocks, 1, 60) == ((said_last,), True)


def test_read_events_are_not_repeated_after_a_forced_move(session: Sessions) -> None:
    """The only card that can be played is laid by the viewer, and is no choice of theirs: what they have seen happen
    since their last choice they have seen."""
    sat, told = session("tall_tales", 3, seed=5), list[tuple[list[str], list[str]]]()
    sat.plays_own_forced_cards = True
    sat.advance()
    sat.hand_over_screen()
    while not told:
        decision, before = sat.match.decision, [line.text for line in sat.get_table().since]
        assert decision is not None
        forced = len(decision.moves) == 1
        sat.make_move(0)
        sat.advance()
        if forced and before:
            told.append((before, [line.text for line in sat.get_table().since]))
    ((before, after),) = told
    assert after and not {*before} & {*after}


@pytest.mark.slow
def test_first_table_reports_the_start(session: Sessions) -> None:
    """Of three players the dealer is the first to be asked before the flop: the other two have posted the blinds."""
    for seed in range(1, 30):
        sat = session("texas_holdem", 3, seed=seed)
        if sat.match.decision is not None and sat.match.decision.player == "Ann":
            break
    told: list[str] = []
    send_keys(sat, [lambda screen: told.append(screen.text)])
    assert "the small blind of 1" in told[0] and "You are dealt" in told[0]
