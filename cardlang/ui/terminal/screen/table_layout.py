"""Layout of the whole table as text, fitted to the screen.

It shows players, piles, events, the viewer's hand and the prompt. The only input is a `Table`.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import groupby

from attrs import define, evolve, field

from cardlang.english.control_characters import escape_invisible_characters, remove_invisible_characters
from cardlang.ui.terminal.screen.action_panel import ActionPanel, find_highlighted_refs
from cardlang.ui.terminal.screen.card_columns import CardColumns, has_column
from cardlang.ui.terminal.screen.card_styles import CardStyles
from cardlang.ui.terminal.screen.center_area import CenterArea
from cardlang.ui.terminal.screen.event_pane import EventPane
from cardlang.ui.terminal.screen.own_area import OwnArea
from cardlang.ui.terminal.screen.table_planner import EVENT_LINES, FIXED_LINES, TABLE_PARTS, TablePlanner
from cardlang.ui.terminal.screen.table_queries import (
    find_offered_cards,
    find_visible_piles,
    is_counted_pile,
    sort_piles,
)
from cardlang.ui.terminal.screen.text_blocks import (
    BOARD_SIZES,
    PANES,
    BoardSizes,
    LayoutState,
    ScreenDrawing,
    TablePlan,
    TextBlock,
    TextLine,
    TextSpan,
    cut_line,
    flow_blocks,
    flow_parts,
    join_lines,
    make_divider,
    make_line,
    measure_width,
    pad_block_height,
    pad_line,
    wrap_text,
)
from cardlang.ui.terminal.screen.text_cards import CardRenderer, HighlightState
from interpreter.view.table_model import EventLine, RecentResult, Table, TableArea

MIN_PLAYER_COLUMNS = 20
"""Minimum number of columns for a player's block."""
MIN_KIND_COLUMNS = 18
"""Minimum number of columns for the block of a team or another value of a kind, if its piles have short labels."""
MAX_ALIGNED_COLUMNS = 34
"""Maximum number of columns of a pile that has the same place for all players."""


@define
class BoardRenderer:
    """Renderer of one table.

    `columns`: screen width. `cursor`, `picked`, `amounts`: see `InputState`. `message`: shown instead of the rule's
    wording. `answer`: response to the last key, shown above the prompt over the events. `keys`: line of available
    keys. `layout_state`: layout state of earlier frames. `is_paused`: nothing is asked, so the events get the unused
    lines of the prompt.

    `page_kinds`: kinds of results with their own page. During a match, such a result takes no room from the table: it
    appears in full or not at all."""

    table: Table
    card_styles: CardStyles
    columns: int
    cursor: str = ""
    picked: tuple[str, ...] = ()
    amounts: dict[str, int] = field(factory=dict)
    message: str = ""
    keys: str = ""
    page_kinds: tuple[str, ...] = ()
    layout_state: LayoutState = field(factory=LayoutState)
    read_results: tuple[RecentResult, ...] = ()
    """Results that the viewer has read. They stay visible if there is room."""
    earlier_events: tuple[EventLine, ...] = ()
    """Earlier events that the viewer has read, shown dimmed if there is room."""
    answer: str = ""
    is_paused: bool = False
    highlighted: set[str] = field(init=False)
    card_renderer: CardRenderer = field(init=False)
    event_pane: EventPane = field(init=False)

    def __attrs_post_init__(self) -> None:
        self.highlighted = find_highlighted_refs(self.table.ask, self.cursor, self.picked)
        mood = HighlightState(self.highlighted, self.table.ask is not None, find_offered_cards(self.table))
        self.card_renderer = CardRenderer(
            self.card_styles, mood, len(self.table.places), self.table.viewer, self.layout_state.box_sizes
        )
        self.event_pane = EventPane(
            self.table, self.card_renderer, self.columns, self.page_kinds, self.read_results, self.earlier_events
        )

    def fit_to_height(self, height: int) -> ScreenDrawing:
        """Return the drawing for a screen height, by the plan of this screen, or by a new one for this table."""
        calm = self.layout_state
        if calm.plan is None or calm.plan.screen_size != (self.columns, height):
            calm.reset()
            calm.plan = TablePlanner([self], height).plan()
        plan = self.plan_crowded_table(calm.plan) if calm.plan.is_crowded else calm.plan
        blocks = {name: self.render_part(name, plan.sizes.select(name)) for name in TABLE_PARTS}
        plan = grow_outgrown_parts(plan, blocks)
        if not calm.plan.is_crowded:
            calm.plan = evolve(plan, is_crowded=any(len(blocks[name]) > plan.heights[name] for name in TABLE_PARTS))
            if calm.plan.is_crowded:
                return self.fit_to_height(height)
        blocks |= {"heading": self.render_heading(), "keys": self.render_keys()}
        blocks["prompt"], blocks["message"] = fill_unused_lines(
            self.render_prompt(0 if self.is_paused else plan.heights["prompt"]), self.render_answer()
        )
        prompt = len(blocks["prompt"])
        if not self.is_paused:  # more options than usual take lines of the events
            spare = height - FIXED_LINES - sum(plan.heights.values()) - EVENT_LINES[-1]
            prompt = plan.heights["prompt"] + min(max(prompt - plan.heights["prompt"], 0), max(spare, 0))
        heights = plan.heights | {"heading": len(blocks["heading"]), "prompt": prompt, "keys": 1}
        left = max(height - sum(heights.values()), 0)
        heights["message"] = min(len(blocks["message"]), left)
        heights["events"] = left - heights["message"]
        blocks["events"] = self.event_pane.render_news(heights["events"])
        return ScreenDrawing(blocks, {name: heights[name] for name in PANES if name in heights})

    def plan_crowded_table(self, plan: TablePlan) -> TablePlan:
        """Return a plan for this table alone, as text. In a pause, it makes room for all events."""
        self.layout_state.heights.clear()
        news = len(self.event_pane.render_all_news()) if self.is_paused else 0
        planner = TablePlanner([self], plan.screen_size[1], news, BOARD_SIZES[-1:])
        usual = planner.plan(0 if self.is_paused else plan.heights["prompt"])
        return planner.plan() if usual.is_crowded else usual

    def render_part(self, name: str, sizes: BoardSizes) -> TextBlock:
        """Return the text of a part of the table."""
        if name == "seats":
            return self.render_places(self.list_opponents(), sizes)
        if name == "middle":
            area = CenterArea(self.table.middle, self.card_renderer, self.columns, self.layout_state)
            return area.render_area(sizes.middle)
        if name == "kinds":
            return self.render_kind_places(self.list_kind_places(), sizes)
        own = OwnArea(self.table, self.card_styles, self.card_renderer, self.columns, self.layout_state)
        return own.render_area(sizes)

    def render_heading(self, steps: Sequence[str] | None = None) -> TextBlock:
        """Return the current steps and the keys of the pages.

        `steps`: replacement for the steps of the table."""
        table = self.table
        on = " · ".join(
            remove_invisible_characters(heading_part) for heading_part in (table.heading if steps is None else steps)
        )
        keys = "F1 rules  F2 aid  F3 log" + ("  F4 cards" if self.card_styles.captions else "")
        title = (
            TextSpan(remove_invisible_characters(table.game).upper(), "title"),
            TextSpan(f"  {on}" if on else "", ""),
        )
        room = self.columns - len(keys) - 2
        line = (
            (*pad_line(title, room), *make_line("  "), *make_line(keys, "dim"))
            if room >= 20
            else cut_line(title, self.columns)
        )
        return (line, make_divider(self.columns))

    def render_places(self, places: Sequence[TableArea], sizes: BoardSizes) -> TextBlock:
        """Return places side by side, or as text lines if space is short and columns take more lines."""
        labels = [pile.label for area in places for pile in area.piles]
        is_narrow = all(area.seat < 0 for area in places) and all(len(label) < MIN_KIND_COLUMNS / 2 for label in labels)
        least = MIN_KIND_COLUMNS if is_narrow else MIN_PLAYER_COLUMNS
        across = min(len(places), max(1, (self.columns + 2) // (least + 2)))
        if sizes.seats > 1 and (across > 1 or len(places) == 1):
            return self.render_columns(places, sizes, across)
        alike = self.card_renderer.render_uniform_places(places, self.columns)
        columns = self.render_columns(places, sizes, across) if alike else ()
        if alike and len(columns) < len(alike):
            return columns
        return alike or self.render_player_lines(places, sizes)

    def render_kind_places(self, places: Sequence[TableArea], sizes: BoardSizes) -> TextBlock:
        """Return the places of kinds. Columns of cards stand side by side; other piles of one type share lines."""
        if not any(map(has_column, places)):
            return self.render_places(places, sizes)
        lines: list[TextLine] = []
        for _, group in groupby(places, key=lambda area: has_column(area) or [pile.label for pile in area.piles]):
            alike = list(group)
            if has_column(alike[0]):
                columns = CardColumns(alike, self.card_renderer, self.columns, self.render_name)
                block = columns.render_lines() if sizes.packed else columns.render_upright()
                lines += self.layout_state.pad_to_earlier_height(f"columns {alike[0].ref}", sizes, block)
            else:
                lines += self.card_renderer.render_uniform_places(alike, self.columns) or self.render_places(
                    alike, BOARD_SIZES[-1]
                )
        return tuple(lines)

    def render_columns(self, places: Sequence[TableArea], sizes: BoardSizes, across: int) -> TextBlock:
        """Return places side by side, `across` in a row."""
        shares = self.divide_width(places, (self.columns + 2) // across - 2, across)
        blocks = [
            self.layout_state.pad_to_earlier_height(area.ref, sizes, self.render_player_block(area, share, sizes))
            for area, share in zip(places, shares, strict=True)
        ]
        even = [tuple(pad_line(line, share) for line in block) for block, share in zip(blocks, shares, strict=True)]
        return flow_blocks(even, self.columns, 2)

    def divide_width(self, places: Sequence[TableArea], size: int, across: int) -> list[int]:
        """Return the width of each place.

        Widths are equal, unless a place needs more for its facts on one line and others have room to spare."""
        widths = self.layout_state.widths
        for area in places:
            need = measure_width(join_lines(self.card_renderer.render_facts(area, self.columns)))
            if self.layout_state.plan is None:
                widths[f"facts {area.ref}"] = max(need, widths.get(f"facts {area.ref}", 0))
        needs = [widths.get(f"facts {area.ref}", 0) for area in places]
        shares = [max(size, need) for need in needs]
        if across < len(places) or sum(max(need, MIN_PLAYER_COLUMNS) for need in needs) > size * len(places):
            return [size] * len(places)
        while sum(shares) > size * len(places):
            roomy = max(range(len(places)), key=lambda at: shares[at] - max(needs[at], MIN_PLAYER_COLUMNS))
            shares[roomy] -= 1
        return shares

    def list_opponents(self) -> list[TableArea]:
        """Return all players but the viewer, in order of play."""
        return [area for area in self.table.places if area.name != self.table.viewer]

    def list_kind_places(self) -> list[TableArea]:
        """Return the teams and other values of kinds that have piles, facts or marks."""
        return [kind for kind in self.table.kinds if find_visible_piles(kind) or kind.facts or kind.marks]

    def render_player_block(self, place: TableArea, columns: int, sizes: BoardSizes) -> TextBlock:
        """Return a player's block: name, facts, then piles."""
        facts = self.card_renderer.render_facts(place, columns)
        named = join_lines([join_lines(self.render_name(place), 0), *facts], 2)
        if place.seat < 0 and measure_width(named) <= columns:  # name and facts of a kind's value share a line
            lines = [named]
        else:
            wide, dense = flow_parts(facts, columns, 2), flow_parts(facts, columns, 1)
            name, fact_lines = flow_parts(self.render_name(place), columns, 0), min(wide, dense, key=len)
            shared = join_lines([name[-1], *fact_lines[:1]], 2)  # a long name shares its last line with facts
            is_shared = len(name) > 1 and measure_width(shared) <= columns
            lines = [*name[:-1], shared, *fact_lines[1:]] if is_shared else [*name, *fact_lines]
        piles = sort_piles(find_visible_piles(place, sizes.bare))
        for pile in piles:
            grid = pile.form == "grid" and sizes.seats == 2
            lines += (
                ()
                if is_counted_pile(pile)
                else self.card_renderer.render_pile(pile, columns, 2 if grid else sizes.seats - 1)
            )
        down = [
            line for pile in piles if is_counted_pile(pile) for line in self.card_renderer.render_pile(pile, columns, 1)
        ]
        last_row = join_lines([*lines[-1:], *down], 2)
        return (*lines[:-1], last_row) if measure_width(last_row) <= columns else (*lines, *down)

    def render_player_lines(self, places: Sequence[TableArea], sizes: BoardSizes) -> TextBlock:
        """Return each player in few lines. In the first ones, equal parts are below each other.

        Piles that grow and facts without room follow on lines of their own."""
        parts = {area.ref: self.list_player_parts(area, sizes) for area in places}
        layout = self.layout_state
        for key, line in (item for each in parts.values() for item in each.items()):
            self.widen_part(key, measure_width(line))
        if layout.plan is None:
            layout.aligned_parts = self.find_aligned_parts()
        lines: list[TextLine] = []
        for area in places:
            first, rest = self.align_parts(parts[area.ref])
            block = (first, *flow_parts(rest, self.columns, 2, indent=4))
            lines += layout.pad_to_earlier_height(f"lines {area.ref}", sizes, block)
        return tuple(lines)

    def align_parts(self, parts: Mapping[str, TextLine]) -> tuple[TextLine, list[TextLine]]:
        """Return the line of a player's aligned parts, and the other parts.

        A part that is wider than its place moves the next ones."""
        widths, aligned = self.layout_state.widths, self.layout_state.aligned_parts
        line: TextLine = ()
        start, rest = 0, [part for key, part in parts.items() if key not in aligned]
        for key in (each for each in widths if each in aligned):
            place = pad_line(line, max(start, measure_width(line) + 2)) if start else line
            if key in parts and measure_width(place) + measure_width(parts[key]) <= self.columns:
                line = (*place, *parts[key])
            elif key in parts:
                rest.append(parts[key])
            start += widths[key] + 2
        return pad_line(line, self.columns), rest

    def widen_part(self, key: str, width: int) -> None:
        """Widen the place of a part of players. Once the screen is planned, do so only if its line has room."""
        widths, aligned = self.layout_state.widths, self.layout_state.aligned_parts
        is_planned = self.layout_state.plan is not None
        spare = self.columns + 2 - sum(widths[each] + 2 for each in aligned) if is_planned else width
        if not is_planned or (key in aligned and width - widths[key] <= spare):
            widths[key] = max(widths.get(key, 0), width)

    def find_aligned_parts(self) -> set[str]:
        """Return the parts of players that fit one line together: the name, small piles, then facts."""
        widths, fitting, left = self.layout_state.widths, set[str](), self.columns + 2
        groups = [[key for key in widths if key.startswith(f"{part} of")] for part in ("name", "pile", "fact")]
        keys = [key for group in groups for key in group]
        is_short = sum(widths[key] + 2 for key in keys) <= left
        for key in keys:
            if widths[key] + 2 <= left and (is_short or key not in groups[1] or widths[key] <= MAX_ALIGNED_COLUMNS):
                fitting.add(key)
                left -= widths[key] + 2
        return fitting

    def list_player_parts(self, place: TableArea, sizes: BoardSizes) -> dict[str, TextLine]:
        """Return the name, the facts and the piles of a player as text."""
        parts = {"name of": join_lines(self.render_name(place), 0)}
        parts |= {f"fact of {fact.name}": self.card_renderer.render_fact(fact) for fact in place.facts}
        for pile in find_visible_piles(place, sizes.bare):
            lines = self.card_renderer.render_pile(pile, self.columns - 4, 1)
            for at, line in enumerate(lines):  # a pile of several lines stays together, below the aligned parts
                parts[f"{'lines' if len(lines) > 1 else 'pile'} of {pile.name}/{pile.ref.count('/')} {at or ''}"] = line
        return parts

    def render_name(self, place: TableArea) -> list[TextLine]:
        """Return the pieces of a name such as `▸Wash (dealer)`."""
        asked = "▸" if place.asked and place.name != self.table.viewer else ""
        marks = [*place.marks, *(["partner"] if place.partner else [])]
        role = "out" if place.out else "name"
        mark_texts = (
            [f" {mark}" for mark in f"({', '.join(map(remove_invisible_characters, marks))})".split(" ")]
            if marks
            else []
        )
        at = ".cursor" if place.ref in self.highlighted else ""
        return [
            make_line(f"{asked}{remove_invisible_characters(place.name)}", role + at, place.ref),
            *(make_line(mark_text, "dim") for mark_text in mark_texts),
        ]

    # ------------------------------------------------------------ below
    def render_prompt(self, height: int = 0) -> TextBlock:
        """Return the question and, at the bottom, the options.

        `height`: number of lines to fill. If it is too small, the rule's wording is cut."""
        asking = ActionPanel(
            self.table, self.card_styles, self.columns, self.cursor, self.picked, self.amounts, self.message
        )
        question, options = asking.render_question(), asking.render_options()
        least = 1 if self.table.ask is not None else 0  # leave a line for the option of the highlighted card
        while height and () in options and len(question) + len(options) > height:
            at = options.index(())
            options = (*options[:at], *options[at + 1 :])
        room = max(height - max(len(options), least), 2)
        if height and len(question) > room:
            question = (*question[: room - 1], cut_line((*question[room - 1], *make_line(" …")), self.columns))
        used = max(len(question) + max(len(options), least), height)
        return (*pad_block_height(question, used - len(options)), *options)

    def render_answer(self) -> TextBlock:
        """Return the response to the last key."""
        texts = self.card_styles.replace_codes(self.answer).split("\n") if self.answer else ()
        return sum((wrap_text(escape_invisible_characters(text), self.columns, "note") for text in texts), ())

    def render_keys(self) -> TextBlock:
        return (cut_line(make_line(self.keys, "dim"), self.columns),)


def fill_unused_lines(prompt: TextBlock, answer: TextBlock) -> tuple[TextBlock, TextBlock]:
    """Return the prompt with the answer in its longest run of empty lines, and what has no room there."""
    runs = [(empty, list(lines)) for empty, lines in groupby(enumerate(prompt), key=lambda line: not line[1])]
    longest = max((lines for empty, lines in runs if empty), key=len, default=[])
    if not answer or len(answer) > len(longest):
        return prompt, answer
    start = longest[0][0]
    return (*prompt[:start], *answer, *prompt[start + len(answer) :]), ()


def grow_outgrown_parts(plan: TablePlan, blocks: Mapping[str, TextBlock]) -> TablePlan:
    """Return a plan in which parts that outgrow their panes have lines of the events, for the rest of the match."""
    heights = dict(plan.heights)
    for name in TABLE_PARTS:
        spare = plan.screen_size[1] - FIXED_LINES - sum(heights.values()) - EVENT_LINES[-1]
        heights[name] += max(min(len(blocks[name]) - heights[name], spare), 0)
    return evolve(plan, heights=heights)
