"""Result view: tricks, scores and the end of a match, shown while play is paused."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from math import inf

from attrs import define, evolve

from cardlang.ui.terminal.screen.action_panel import CONTINUE_LABEL
from cardlang.ui.terminal.screen.event_pane import (
    SINCE_HEADING,
    count_result_lines,
    find_shown_results,
    fit_events,
    is_in_scores,
    pack_blocks,
    render_text_table,
    stack_lines,
    weigh_event,
)
from cardlang.ui.terminal.screen.table_layout import BoardRenderer
from cardlang.ui.terminal.screen.text_blocks import (
    BOARD_SIZES,
    ScreenDrawing,
    TextBlock,
    build_page_drawing,
    make_divider,
    make_line,
)
from cardlang.ui.terminal.session_state import Session, is_same_result
from interpreter.view.table_model import EventLine, RecentResult, Table, TableArea

FINAL_ORDER = ("end", "trick", "result", "showdown", "scores")
"""Kinds of results in their order at the end."""
SCORES_TITLE = "scores by deal"
PILES_TITLE = "on the table"
LAST_ACTION_WEIGHT = 3.0
"""Importance of the last action before a result: above all other events."""
FINAL_PILE_SIZES = BOARD_SIZES[6]
"""Size of the final piles on the last page."""


def render_result_page(board: BoardRenderer, height: int) -> ScreenDrawing:
    """Return a page of the last results and the events that led to them, as far as they fit."""
    below = render_footer(board)
    moments = sorted(find_shown_results(board.table), key=lambda moment: moment.kind == "scores")
    heading = board.render_heading(())  # the table may already be in the next deal
    weighed_events = weigh_last_action_first(find_leading_events(board), board)
    last_action_height = max(
        (len(block) + 1 for heavy, block in weighed_events if heavy == LAST_ACTION_WEIGHT), default=0
    )
    shown = cut_results(board, moments, height - len(heading) - len(below) - last_action_height)
    result_lines = stack_lines([board.event_pane.render_result(moment) for moment in shown])
    room = height - len(heading) - len(below) - len(result_lines) - 1
    before, board.event_pane.has_lost_events = fit_events(weighed_events, room, board.columns)
    above = (*heading, *board.event_pane.render_events_heading(weighed_events, before), *before) if before else heading
    return build_page_drawing((*above, *result_lines), below, height)


def weigh_last_action_first(lines: Sequence[EventLine], board: BoardRenderer) -> list[tuple[float, TextBlock]]:
    """Return events with their importance, the last player action ranked highest."""
    weighed_events = board.event_pane.weigh_events(lines)
    last = max((at for at, event in enumerate(lines) if event.kind == "chose" and weigh_event(event)), default=-1)
    return [(LAST_ACTION_WEIGHT if at == last else heavy, block) for at, (heavy, block) in enumerate(weighed_events)]


def cut_results(board: BoardRenderer, moments: Sequence[RecentResult], room: int) -> list[RecentResult]:
    """Return results cut to `room` lines.

    Explanations of shown hands are dropped from the end. Eliminations stay longer."""
    shown = [*moments]
    while len(stack_lines([board.event_pane.render_result(moment) for moment in shown])) > room:
        lines = [
            (number, at)
            for number, result in enumerate(shown)
            if result.kind == "showdown"
            for at in range(len(result.lines))
        ]
        if not lines:
            break
        number, at = max(lines, key=lambda line: (line[1] < count_explanations(shown[line[0]]), line[1]))
        left = shown[number].lines
        shown[number] = evolve(shown[number], lines=(*left[:at], *left[at + 1 :]))
    return shown


def render_event_page(board: BoardRenderer, height: int) -> tuple[ScreenDrawing, int]:
    """Return a page of the important events from the first line on, and the number of lines covered.

    Short lines share rows if that saves a page."""
    below, since, pane = render_footer(board), board.table.since, board.event_pane
    room = height - len(board.render_heading(())) - len(below) - 1
    blocks = [pane.render_event(event) if pane.is_new_event(event) and weigh_event(event) else () for event in since]
    for count in range(len(since), 0, -1):
        shown = [block for block in blocks[:count] if block]
        lines = stack_lines(shown)
        lines = lines if len(lines) <= room else pack_blocks(shown, board.columns)
        if len(lines) <= room:
            break
    top = (*board.render_heading(()), make_divider(board.columns, SINCE_HEADING), *lines)
    return build_page_drawing(top, below, height), count


def find_leading_events(board: BoardRenderer) -> list[EventLine]:
    """Return the events that led to the results and are not covered by them.

    After the end of the match, roles for the next deal are left out, such as the next dealer."""
    table = board.table
    scores = [moment for moment in table.moments if moment.kind == "scores"]
    return [
        event
        for event in table.since[: count_result_lines(table.since)]
        if board.event_pane.is_new_event(event)
        and not any(is_in_scores(event, score_result) for score_result in scores)
        and not (table.over and is_new_role(event, table))
    ]


def count_explanations(result: RecentResult) -> int:
    """Return the number of lines before those about eliminated players."""
    return len(result.lines) - sum(event.kind == "eliminated" for event in result.events)


def is_new_role(line: EventLine, table: Table) -> bool:
    """Return whether a line reports the new holder of a role: `Bob is the dealer now.`"""
    changes = [event.change for event in line.events]
    players = [place.name for place in table.places]
    return any(change is not None and change.owner is None and change.after in players for change in changes)


def render_final_page(board: BoardRenderer, height: int) -> ScreenDrawing:
    """Return the page at the end of the match.

    Order: winner and ranking, events, other results, scores of all deals, final piles not yet shown. The rest
    scrolls."""
    table = board.table
    moments = sorted(table.moments, key=lambda moment: FINAL_ORDER.index(moment.kind))
    several = len(table.scores) > 2
    moments = [moment for moment in moments if not (several and moment.kind == "scores")]
    sheet = (
        (
            make_divider(board.columns, SCORES_TITLE),
            *render_text_table(table.scores[0], table.scores[1:], board.columns),
        )
        if several
        else ()
    )
    lines = [line for event in find_leading_events(board) for line in board.event_pane.render_event(event)]
    event_lines = (make_divider(board.columns, SINCE_HEADING), *lines) if lines else ()
    heading, below, questions = (
        board.render_heading(()),
        (*board.render_prompt(), *board.render_answer(), *board.render_keys()),
        (*sheet, *render_final_piles(board)),
    )
    room = height - len(heading) - len(below) - len(event_lines) - len(questions)
    first, *others = [board.event_pane.render_result(moment) for moment in cut_results(board, moments, room)]
    return build_page_drawing((*heading, *first, *event_lines, *stack_lines(others), *questions), below, height)


def render_final_piles(board: BoardRenderer) -> TextBlock:
    """Return the piles on the table at the end, except the piles in the results."""
    shown = {(pile.owner, pile.name) for moment in board.table.moments for pile in moment.hands}
    left = board.table
    left = evolve(
        left,
        places=tuple(remove_shown_piles(area, shown) for area in left.places),
        middle=remove_shown_piles(left.middle, shown),
        kinds=tuple(remove_shown_piles(area, shown) for area in left.kinds),
        readings=(),
    )
    if not any(area.piles for area in (*left.places, left.middle, *left.kinds)):
        return ()
    drawn = BoardRenderer(left, board.card_styles, board.columns)
    opponents = [area for area in drawn.list_opponents() if area.piles]
    kinds = [area for area in drawn.list_kind_places() if area.piles]
    own_area = (
        drawn.render_part("own", FINAL_PILE_SIZES)
        if left.places and left.places[0].name == left.viewer and left.places[0].piles
        else ()
    )
    return (
        make_divider(board.columns, PILES_TITLE),
        *drawn.render_part("middle", FINAL_PILE_SIZES),
        *drawn.render_places(opponents, FINAL_PILE_SIZES),
        *drawn.render_kind_places(kinds, FINAL_PILE_SIZES),
        *own_area,
    )


def remove_shown_piles(place: TableArea, shown: Collection[tuple[str | None, str]]) -> TableArea:
    """Return a place with only its cards, without piles shown elsewhere."""
    piles = tuple(pile for pile in place.piles if pile.cards and (pile.owner, pile.name) not in shown)
    return evolve(place, marks=() if place.seat < 0 else place.marks, facts=(), piles=piles)


def render_footer(board: BoardRenderer) -> TextBlock:
    """Return the footer of a result page."""
    return (
        make_divider(board.columns),
        make_line(CONTINUE_LABEL, "button", CONTINUE_LABEL),
        *board.render_keys(),
    )


# ---------------------------------------------------------------- pauses
PAUSING_KINDS = ("trick", "showdown", "scores", "end")
"""Kinds of results that pause play."""
PAGE_KINDS = PAUSING_KINDS[1:]
"""Kinds of results with a page of their own, including the events that led to them."""


@define
class ResultPause:
    """State of the result pause.

    `is_active`: play waits. `drawn_at`: time of the drawing, by the clock of key events. `read_results`: results
    already read. `is_skipping`: the viewer is out of the match and skips to its end.

    `held_table`: an earlier table to read first, because the next one has no room for the events. None means the
    current table. `shows_only_events`: only the events are shown. `line_count`: number of event lines that the viewer
    reads."""

    is_active: bool = False
    drawn_at: float = inf
    read_results: tuple[RecentResult, ...] = ()
    held_table: Table | None = None
    shows_only_events: bool = False
    line_count: int = 0
    is_skipping: bool = False

    def mark_all_read(self, session: Session) -> None:
        """Mark all current results as read."""
        self.read_results = find_pausing_results(session)

    def has_unread_result(self, session: Session) -> bool:
        """Return whether there is an unread result."""
        return not all(
            any(is_same_result(result, old) for old in self.read_results) for result in find_pausing_results(session)
        )

    def pause_if_unread(self, session: Session) -> bool:
        """Pause play if there is an unread result, and return whether it pauses. No pause after the end of the
        match."""
        waits = len(session.people) == 1 and not self.is_skipping and not session.match.over
        self.is_active = waits and self.has_unread_result(session)
        self.read_results = find_pausing_results(session)
        self.drawn_at = inf
        return self.is_active

    def pause_for_events(self, table: Table | None, lines: int) -> None:
        """Pause until some event lines are read: on an earlier table or, without one, on their own page."""
        self.is_active, self.drawn_at = True, inf
        self.held_table, self.shows_only_events, self.line_count = table, table is None, lines

    @property
    def is_paused_for_events(self) -> bool:
        """Return whether play waits for the reading of events, not of a result."""
        return self.held_table is not None or self.shows_only_events

    def end_event_pause(self, session: Session) -> None:
        """End the pause for events."""
        session.read_event_lines += self.line_count
        self.held_table, self.shows_only_events, self.line_count = None, False, 0

    def is_key_too_early(self, time: float) -> bool:
        """Return whether a key was pressed before the screen that it would close was visible."""
        return self.is_active and time < self.drawn_at


def find_pausing_results(session: Session) -> tuple[RecentResult, ...]:
    return tuple(result for result in session.get_table().moments if result.kind in PAUSING_KINDS)


def has_result_with_own_page(table: Table) -> bool:
    """Return whether one of the table's results has a page of its own."""
    return any(result.kind in PAGE_KINDS for result in table.moments)


def show_last_trick_without_decision(table: Table) -> Table:
    """Return a table without a decision, for reading the last trick.

    If the next trick has no cards yet, the last one stays on the table, without its event lines."""
    areas = tuple(evolve(area, asked=False) for area in table.places)
    table, last = evolve(table, ask=None, waiting=None, places=areas), next(reversed(table.moments), None)
    empty = [pile for pile in table.middle.piles if pile.form == "trick" and not pile.cards]
    if last is None or last.kind != "trick" or len(empty) != 1:
        return table
    piles = tuple(evolve(pile, cards=last.hands[0].cards) if pile is empty[0] else pile for pile in table.middle.piles)
    moments = tuple(evolve(result, lines=()) if result is last else result for result in table.moments)
    middle, heading = evolve(table.middle, piles=piles), table.heading[:-1]  # drop the number of the next trick
    return evolve(table, heading=heading, middle=middle, moments=moments)
