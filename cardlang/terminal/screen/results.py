"""Result pages without the table: the last results with their events, or the events alone."""

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
"""Kinds of results in their order at the end."""
SHEET = "scores by deal"
LYING = "on the table"
DEED = 3.0
"""Importance of the last action before a result: above all other events."""
NEXT = " now."
"""End of a line that reports a new role: `Bob is the dealer now.`"""
SMALL = SIZES[6]
"""Size of the final piles on the last page."""


def results(board: Board, height: int) -> Drawing:
    """Return a page of the last results and the events that led to them, as far as they fit."""
    below = foot(board)
    moments = sorted(results_of(board.table), key=lambda moment: moment.kind == "scores")
    heading = board.heading(())  # the table may already be in the next deal
    told = deed_first(came(board), board)
    deed = max((len(block) + 1 for heavy, block in told if heavy == DEED), default=0)
    shown = within(board, moments, height - len(heading) - len(below) - deed)
    found = stood([board.happened.moment(moment) for moment in shown])
    room = height - len(heading) - len(below) - len(found) - 1
    before, board.happened.lost = fitting(told, room, board.columns)
    above = (*heading, *board.happened.since_rule(told, before), *before) if before else heading
    return Drawing((*above, *found), below)


def deed_first(lines: Sequence[Told], board: Board) -> list[tuple[float, Block]]:
    """Return events with their importance, the last player action ranked highest."""
    told = board.happened.weighed(lines)
    last = max((at for at, each in enumerate(lines) if each.kind == "chose" and weight(each)), default=-1)
    return [(DEED if at == last else heavy, block) for at, (heavy, block) in enumerate(told)]


def within(board: Board, moments: Sequence[Moment], room: int) -> list[Moment]:
    """Return results cut to `room` lines.

    Explanations of shown hands are dropped from the end. Eliminations stay longer."""
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
    """Return a page of the important events from the first line on, and the number of lines covered."""
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
    """Return the events that led to the results and are not covered by them.

    After the end of the match, roles for the next deal are left out, such as the next dealer."""
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
    """Return the page at the end of the match.

    Order: winner and ranking, events, other results, scores of all deals, final piles not yet shown. The rest
    scrolls."""
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
    """Return the piles on the table at the end, except the piles in the results."""
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
    """Return a place with only its cards, without piles shown elsewhere."""
    piles = tuple(pile for pile in place.piles if pile.cards and (pile.owner, pile.name) not in shown)
    return evolve(place, marks=() if place.seat < 0 else place.marks, facts=(), piles=piles)


def foot(board: Board) -> Block:
    """Return the footer of a result page."""
    return (rule(board.columns), text(GO_ON, "button", GO_ON), cut(text(board.keys, "dim"), board.columns))
