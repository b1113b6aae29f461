"""Custom wording of authors, in place of generated sentences."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from itertools import groupby

from attrs import evolve

from cardlang import model as g
from cardlang.cards.flow_and_bar_charts import FlowArrow, FlowBox, describe_flow_chart, draw_flow_chart
from cardlang.english import morphology
from cardlang.rulebook.custom_wording import EXAMPLE_PREFIX
from cardlang.rulebook.model import Block, Item, ItemList, Panel, Paragraph, Picture, TableBlock, WorkedExample
from cardlang.rulebook.realise.lexicon import Lexicon

VALUE_PATTERN = re.compile(r"\{([\w-]+)\}")
LIST_LINE_PATTERN = re.compile(r"([-+]) (?:([^:]{1,40}): )?(.*)")
HEADING_PREFIX = "# "
REMARK_PREFIX = "* "
ROW_PREFIX, DIAGRAM_PREFIX = "| ", "~ "
"""Prefixes of a row of a table, and of a box or arrow of a diagram."""
DIAGRAM_SCALE = 0.2
"""Millimetres for each unit of a diagram."""
ARROW_PATTERN = re.compile("(.+) > ([^:]+)(?:: (.+))?")


def get_custom_items(rule: str, lexicon: Lexicon) -> tuple[Item, ...] | None:
    """Return the custom wording of a rule, without headings; None if there is none. See `parse_custom_wording`."""
    sections = parse_custom_wording(rule, lexicon)
    return None if sections is None else tuple(item for _, under in sections for item in under)


def parse_custom_wording(rule: str, lexicon: Lexicon) -> list[tuple[str, tuple[Item, ...]]] | None:
    """Parse the custom wording of a rule into headings and items; None if there is none.

    The first heading is empty. Prefixes of a line:

    - `- `: item of a bullet list under the line before it. A name goes before a colon.
    - `+ `: item of a numbered list; without a line before it, a step of the rule itself.
    - `* `: remark on the line before it.
    - `> `: title of an example, placed under the line before it.
    - `# `: heading of the following lines.
    - `| `: row of a table under the line before it; the first row is the head.
    - `~ `: box or arrow of a diagram.
    """
    wording = lexicon.custom_wording.get(rule)
    if wording is None or not wording.instead:
        return None
    sections: list[tuple[str, list[Item]]] = [("", [])]
    for line, run in groupby(
        wording.instead, lambda line: line[:2] if line.startswith((ROW_PREFIX, DIAGRAM_PREFIX)) else line
    ):
        lines = [fill_in_values(wording_line, lexicon) for wording_line in run]
        if line.startswith(HEADING_PREFIX):
            sections.append((lines[0].removeprefix(HEADING_PREFIX), []))
        elif line in (ROW_PREFIX, DIAGRAM_PREFIX):
            add_figure(build_figure(lines), sections[-1][1])
        else:
            for wording_line in lines:
                add_wording_line(wording_line, sections[-1][1])
    return [(heading, tuple(items)) for heading, items in sections]


def add_wording_line(text: str, items: list[Item]) -> None:
    """Add the content of a line to the items before it."""
    part = LIST_LINE_PATTERN.fullmatch(text)
    if text.startswith(EXAMPLE_PREFIX) and items:
        items[-1] = change_last_nested_item(
            items[-1], lambda item: evolve(item, example=WorkedExample(text.removeprefix(EXAMPLE_PREFIX), ()))
        )
    elif text.startswith(REMARK_PREFIX) and items:
        remark = morphology.punctuate_sentence(text.removeprefix(REMARK_PREFIX))
        items[-1] = change_last_nested_item(items[-1], lambda item: evolve(item, author_text=remark))
    elif part is None:
        items.append(Item(morphology.punctuate_sentence(text)))
    elif part[1] == "+" and (not items or items[-1].title):
        items.append(Item(morphology.punctuate_sentence(part[3]), title=part[2] or ""))
    elif not items:
        items.append(Item(morphology.punctuate_sentence(text)))
    else:
        inner = Item(morphology.punctuate_sentence(part[3]), title=part[2] or "")
        items[-1] = evolve(items[-1], items=(*items[-1].items, inner), bullets=part[1] == "-")


def add_figure(figure: TableBlock | Picture, items: list[Item]) -> None:
    """Add a table or a diagram to the last of some items."""
    if items:
        items[-1] = change_last_nested_item(items[-1], lambda item: evolve(item, figures=(*item.figures, figure)))
    else:
        items.append(Item("", figures=(figure,)))


def build_figure(lines: Sequence[str]) -> TableBlock | Picture:
    """Build a table or diagram from some lines."""
    if lines[0].startswith(ROW_PREFIX):
        head, *rows = (tuple(cell.strip() for cell in line.strip("| ").split("|")) for line in lines)
        wide = len(head)
        return TableBlock("", head, tuple((*row, *("",) * wide)[:wide] for row in rows))
    return build_diagram(lines)


def build_diagram(lines: Sequence[str]) -> Picture:
    """Build a diagram from lines for its boxes and arrows."""
    texts = [line.removeprefix(DIAGRAM_PREFIX) for line in lines]
    arrows = [FlowArrow(match[1], match[2], match[3] or "") for match in map(ARROW_PATTERN.fullmatch, texts) if match]
    boxes = [box_text.partition(": ") for box_text in texts if not ARROW_PATTERN.fullmatch(box_text)]
    stages = [FlowBox(name, text) for name, _, text in boxes]
    svg, width = draw_flow_chart(stages, arrows)
    return Picture((Panel(svg, width * DIAGRAM_SCALE, "", describe_flow_chart(stages, arrows)),))


def build_running_blocks(items: Iterable[Item]) -> Iterator[Block]:
    """Yield items as running text instead of a list.

    Consecutive sentences form a paragraph, followed by the lists, tables, pictures and examples of the last one.
    """
    sentences: list[str] = []
    for item in items:
        sentences += [item.text] if item.text else []
        if sentences and (item.items or item.figures or item.example is not None):
            yield Paragraph(" ".join(sentences), item.author_text)
            sentences = []
        yield from item.figures
        yield from (ItemList(item.items, item.bullets),) if item.items else ()
        yield from (item.example,) if item.example is not None else ()
    if sentences:
        yield Paragraph(" ".join(sentences))


def change_last_nested_item(item: Item, change: Callable[[Item], Item]) -> Item:
    """Apply a change to the last item nested in an item."""
    if not item.items:
        return change(item)
    *before, last = item.items
    return evolve(item, items=(*before, change_last_nested_item(last, change)))


def merge_custom_items(rule: str, lexicon: Lexicon) -> Item | None:
    """Return the custom wording of a rule as one item."""
    items = get_custom_items(rule, lexicon)
    if items is None or len(items) == 1:
        return items and items[0]
    return Item("", items=items)


def fill_in_values(text: str, lexicon: Lexicon, arguments: Mapping[str, str] | None = None) -> str:
    """Fill in the values that a text names: an argument of a step, a constant of the game, or the noun of a name."""

    def resolve_value(found: re.Match[str]) -> str:
        name = found[1]
        if arguments and name in arguments:
            return arguments[name]
        define = lexicon.game.defines.get(name)
        if define is not None and isinstance(define.value, g.Const) and isinstance(define.value.value, int):
            return morphology.spell_number(define.value.value)
        return lexicon.nouns[name].noun if name in lexicon.nouns else found[0]

    return VALUE_PATTERN.sub(resolve_value, text)


def find_covered_rules(lexicon: Lexicon) -> Iterator[tuple[str, str]]:
    """Yield the names of rules covered by the custom wording of other rules, with the names of those."""
    for wording in lexicon.custom_wording.values():
        if wording.instead:
            yield from ((name, wording.rule) for name in wording.covers)


def remove_replaced_bodies(content: g.Game, lexicon: Lexicon) -> g.Game:
    """Return the game without the bodies of steps that custom wording replaces."""
    replaced_names = {name for name, wording in lexicon.custom_wording.items() if wording.instead} | {
        name for name, _ in find_covered_rules(lexicon)
    }
    steps = {
        name: evolve(step, body=()) if f"step {name}" in replaced_names else step
        for name, step in content.steps.items()
    }
    return evolve(content, steps=steps)


def drop_parentheses(title: str) -> str:
    """Return a title without the remark in parentheses after it: `Redraw` of `Redraw (1 point)`."""
    return title.partition(" (")[0]
