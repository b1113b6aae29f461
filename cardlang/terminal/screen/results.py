"""What is read while play waits, without the table: the last results with what led to them, or what happened alone."""

from __future__ import annotations

from collections.abc import Collection, Sequence

from attrs import evolve

from cardlang.terminal.screen.asking import GO_ON, Asking
from cardlang.terminal.screen.blocks import Block, Line, cut, rule, text
from cardlang.terminal.screen.board import Board, Drawing
from cardlang.terminal.screen.fitting import ended, fitting, grid, is_in, results_of, stood, weight
from cardlang.terminal.screen.happened import SINCE
from cardlang.terminal.screen.sizes import SIZES
from interpreter.table.model import Moment, Place, Told

FINAL = ("end", "trick", "result", "showdown", "scores")
"""Kinds of results, in the order in which the end tells them."""
SHEET = "scores by deal"
LYING = "on the table"
DEED = 3.0
"""How much the last deed before a result matters: more than all else that led to it."""
NEXT = " now."
"""How a line ends that says who has a role from now on: `Bob is the dealer now.`"""
SMALL = SIZES[6]
"""In this size is drawn what lies on the table in the end."""


def results(board: Board, height: int) -> Drawing:
    """The last results alone, with what led to them, as far as there is room."""
    below = foot(board)
    moments = sorted(results_of(board.table), key=lambda moment: moment.kind == "scores")
    heading = board.heading(())  # the table may be at the next deal already
    told = deed_first(came(board), board)
    deed = max((len(block) + 1 for heavy, block in told if heavy == DEED), default=0)
    shown = within(board, moments, height - len(heading) - len(below) - deed)
    found = stood([board.happened.moment(moment) for moment in shown])
    room = height - len(heading) - len(below) - len(found) - 1
    before, board.happened.lost = fitting(told, room, board.columns)
    above = (*heading, *board.happened.since_rule(told, before), *before) if before else heading
    return Drawing((*above, *found), below)


def deed_first(lines: Sequence[Told], board: Board) -> list[tuple[float, Block]]:
    """What led to the results, with how much it matters: most of all the last thing that somebody did."""
    told = board.happened.weighed(lines)
    last = max((at for at, each in enumerate(lines) if each.kind == "chose" and weight(each)), default=-1)
    return [(DEED if at == last else heavy, block) for at, (heavy, block) in enumerate(told)]


def within(board: Board, moments: Sequence[Moment], room: int) -> list[Moment]:
    """Results that go into so many lines: of what explains hands that lie there the last falls first; who is out stays
    longer."""
    out = {told.text for told in board.table.since if told.kind == "result"}
    shown = [*moments]
    while len(stood([board.happened.moment(moment) for moment in shown])) > room:
        lines = [
            (number, at)
            for number, each in enumerate(shown)
            if each.kind == "showdown"
            for at in range(len(each.lines))
        ]
        if not lines:
            break
        number, at = max(lines, key=lambda line: (shown[line[0]].lines[line[1]] not in out, line[1]))
        left = shown[number].lines
        shown[number] = evolve(shown[number], lines=(*left[:at], *left[at + 1 :]))
    return shown


def story(board: Board, height: int) -> tuple[Drawing, int]:
    """What happened alone and matters, from the first line on, as far as there is room, and how many lines
    that is."""
    below, since = foot(board), board.table.since
    room = height - len(board.heading(())) - len(below) - 1
    lines: list[Line] = []
    count = 0
    for told in since:
        block = board.happened.told(told) if board.happened.is_news(told) and weight(told) else ()
        if lines and len(lines) + len(block) > room:
            break
        lines += block
        count += 1
    return Drawing((*board.heading(()), rule(board.columns, SINCE), *lines), below), count


def came(board: Board) -> list[Told]:
    """What led to the results, and is said by none of them; once the match is over, nothing of what is kept for the
    next deal: who would be the dealer now."""
    table = board.table
    scores = [moment for moment in table.moments if moment.kind == "scores"]
    return [
        told
        for told in table.since[: ended(table.since)]
        if board.happened.is_news(told)
        and not any(is_in(told, each, table.viewer) for each in scores)
        and not (table.over and told.kind == "kept" and told.text.endswith(NEXT))
    ]


def final(board: Board, height: int) -> Drawing:
    """The match is over: who has won and how all stand comes first, then what led to it and what else came of it, the
    scores of all deals, last what lies there still and was not shown with that. What has no room is scrolled to."""
    table = board.table
    moments = sorted(table.moments, key=lambda moment: FINAL.index(moment.kind))
    several = len(table.scores) > 2
    moments = [moment for moment in moments if not (several and moment.kind == "scores")]
    sheet = (rule(board.columns, SHEET), *grid(table.scores[0], table.scores[1:], board.columns)) if several else ()
    lines = [line for told in came(board) for line in board.happened.told(told)]
    told = (rule(board.columns, SINCE), *lines) if lines else ()
    asking = Asking(table, board.looks, board.columns, "", (), {}, board.message, board.keys)
    heading, below, beside = board.heading(()), (*asking.said(), *asking.options()), (*sheet, *lying(board))
    room = height - len(heading) - len(below) - len(told) - len(beside)
    first, *others = [board.happened.moment(moment) for moment in within(board, moments, room)]
    return Drawing((*heading, *first, *told, *stood(others), *beside), below)


def lying(board: Board) -> Block:
    """What lies on the table in the end, without what the results have shown, and what is no news."""
    shown = {(pile.owner, pile.name) for moment in board.table.moments for pile in moment.hands}
    left = board.table
    left = evolve(
        left,
        places=tuple(bare(place, shown) for place in left.places),
        middle=bare(left.middle, shown),
        kinds=tuple(bare(place, shown) for place in left.kinds),
        readings=(),
    )
    if not any(place.piles for place in (*left.places, left.middle, *left.kinds)):
        return ()
    drawn = Board(left, board.looks, board.columns)
    places = [place for place in (*drawn.players(), *drawn.members()) if place.piles]
    own = drawn.own(SMALL) if left.places and left.places[0].name == left.viewer and left.places[0].piles else ()
    return (rule(board.columns, LYING), *drawn.middle.drawn(SMALL.middle), *drawn.seats(places, SMALL), *own)


def bare(place: Place, shown: Collection[tuple[str | None, str]]) -> Place:
    """A place with its cards alone, but for those that are shown elsewhere."""
    piles = tuple(pile for pile in place.piles if pile.cards and (pile.owner, pile.name) not in shown)
    return evolve(place, marks=() if place.seat < 0 else place.marks, facts=(), piles=piles)


def foot(board: Board) -> Block:
    """Below what is looked at while play waits."""
    return (rule(board.columns), text(GO_ON, "button", GO_ON), cut(text(board.keys, "dim"), board.columns))
