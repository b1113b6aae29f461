"""What is read while play waits, without the table: the last results with what led to them, or what happened alone."""

from __future__ import annotations

from cardlang.terminal.screen.asking import GO_ON
from cardlang.terminal.screen.blocks import Block, Line, cut, rule, text
from cardlang.terminal.screen.board import SINCE, Board, Drawing
from cardlang.terminal.screen.fitting import ended, fitting, results_of, weight


def results(board: Board, height: int) -> Drawing:
    """The last results alone, with what led to them, as far as there is room."""
    below = foot(board)
    moments = sorted(results_of(board.table), key=lambda moment: moment.kind == "scores")
    found = [line for moment in moments for line in board.moment(moment)]
    heading = board.heading(())  # the table may be at the next deal already
    room = height - len(heading) - len(below) - len(found) - 1
    since = board.table.since
    told = board.weighed([told for told in since[: ended(since)] if board.is_news(told)])
    before, board.lost = fitting(told, room, board.columns)
    above = (*heading, *board.since_rule(told, before), *before) if before else heading
    return Drawing((*above, *found), below)


def story(board: Board, height: int) -> tuple[Drawing, int]:
    """What happened alone and matters, from the first line on, as far as there is room, and how many lines
    that is."""
    below, since = foot(board), board.table.since
    room = height - len(board.heading(())) - len(below) - 1
    lines: list[Line] = []
    count = 0
    for told in since:
        block = board.told(told) if board.is_news(told) and weight(told) else ()
        if lines and len(lines) + len(block) > room:
            break
        lines += block
        count += 1
    return Drawing((*board.heading(()), rule(board.columns, SINCE), *lines), below), count


def foot(board: Board) -> Block:
    """Below what is looked at while play waits."""
    return (rule(board.columns), text(GO_ON, "button", GO_ON), cut(text(board.keys, "dim"), board.columns))
