"""Apply custom wording: the author's text replaces sentences generated from a rule."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from itertools import groupby

from attrs import evolve

from cardlang import game as g
from cardlang import words
from cardlang.drawing.flow import Stage, Way, describe_flow, flow_svg
from cardlang.rulesheet.lexicon import Lexicon
from cardlang.rulesheet.model import Block, Item, Items, Panel, Paragraph, Picture, Story, Table
from cardlang.told import SHOWN

VALUE = re.compile(r"\{([\w-]+)\}")
PART = re.compile(r"([-+]) (?:([^:]{1,40}): )?(.*)")
HEADING = "# "
BESIDE = "* "
ROW, STAGE = "| ", "~ "
"""Prefixes of a row of a table, and of a box or arrow of a diagram."""
FLOW = 0.2
"""Millimetres for each unit of a diagram."""
WAY = re.compile("(.+) > ([^:]+)(?:: (.+))?")


def items(rule: str, lexicon: Lexicon) -> tuple[Item, ...] | None:
    """Return the custom wording of a rule, without headings; None if there is none. See `parts`."""
    told = parts(rule, lexicon)
    return None if told is None else tuple(item for _, under in told for item in under)


def parts(rule: str, lexicon: Lexicon) -> list[tuple[str, tuple[Item, ...]]] | None:
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
    said = lexicon.told.get(rule)
    if said is None or not said.instead:
        return None
    told: list[tuple[str, list[Item]]] = [("", [])]
    for line, run in groupby(said.instead, lambda line: line[:2] if line.startswith((ROW, STAGE)) else line):
        lines = [filled(each, lexicon) for each in run]
        if line.startswith(HEADING):
            told.append((lines[0].removeprefix(HEADING), []))
        elif line in (ROW, STAGE):
            show(drawn(lines), told[-1][1])
        else:
            for each in lines:
                add(each, told[-1][1])
    return [(heading, tuple(found)) for heading, found in told]


def add(text: str, found: list[Item]) -> None:
    """Add the content of a line to the items before it."""
    part = PART.fullmatch(text)
    if text.startswith(SHOWN) and found:
        found[-1] = last_within(found[-1], lambda item: evolve(item, story=Story(text.removeprefix(SHOWN), ())))
    elif text.startswith(BESIDE) and found:
        said = words.sentence(text.removeprefix(BESIDE))
        found[-1] = last_within(found[-1], lambda item: evolve(item, words=said))
    elif part is None:
        found.append(Item(words.sentence(text)))
    elif part[1] == "+" and (not found or found[-1].title):
        found.append(Item(words.sentence(part[3]), title=part[2] or ""))
    elif not found:
        found.append(Item(words.sentence(text)))
    else:
        inner = Item(words.sentence(part[3]), title=part[2] or "")
        found[-1] = evolve(found[-1], items=(*found[-1].items, inner), bullets=part[1] == "-")


def show(shown: Table | Picture, found: list[Item]) -> None:
    """Add a table or a diagram to the last of some items."""
    if found:
        found[-1] = last_within(found[-1], lambda item: evolve(item, shown=(*item.shown, shown)))
    else:
        found.append(Item("", shown=(shown,)))


def drawn(lines: Sequence[str]) -> Table | Picture:
    """Build a table or diagram from some lines."""
    if lines[0].startswith(ROW):
        head, *rows = (tuple(cell.strip() for cell in line.strip("| ").split("|")) for line in lines)
        wide = len(head)
        return Table("", head, tuple((*row, *("",) * wide)[:wide] for row in rows))
    return diagram(lines)


def diagram(lines: Sequence[str]) -> Picture:
    """Build a diagram from lines for its boxes and arrows."""
    said = [line.removeprefix(STAGE) for line in lines]
    ways = [Way(way[1], way[2], way[3] or "") for way in map(WAY.fullmatch, said) if way]
    boxes = [each.partition(": ") for each in said if not WAY.fullmatch(each)]
    stages = [Stage(name, text) for name, _, text in boxes]
    svg, width = flow_svg(stages, ways)
    return Picture((Panel(svg, width * FLOW, "", describe_flow(stages, ways)),))


def blocks_of(items: Iterable[Item]) -> Iterator[Block]:
    """Yield items as running text instead of a list.

    Consecutive sentences form a paragraph, followed by the lists, tables, pictures and examples of the last one.
    """
    said: list[str] = []
    for item in items:
        said += [item.text] if item.text else []
        if said and (item.items or item.shown or item.story is not None):
            yield Paragraph(" ".join(said), item.words)
            said = []
        yield from item.shown
        yield from (Items(item.items, item.bullets),) if item.items else ()
        yield from (item.story,) if item.story is not None else ()
    if said:
        yield Paragraph(" ".join(said))


def last_within(item: Item, change: Callable[[Item], Item]) -> Item:
    """Apply a change to the last item nested in an item."""
    if not item.items:
        return change(item)
    *before, last = item.items
    return evolve(item, items=(*before, last_within(last, change)))


def item(rule: str, lexicon: Lexicon) -> Item | None:
    """Return the custom wording of a rule as one item."""
    told = items(rule, lexicon)
    if told is None or len(told) == 1:
        return told and told[0]
    return Item("", items=told)


def filled(text: str, lexicon: Lexicon, given: Mapping[str, str] | None = None) -> str:
    """Fill in the values that a text names: an argument of a step, a constant of the game, or the noun of a name."""

    def value(found: re.Match[str]) -> str:
        name = found[1]
        if given and name in given:
            return given[name]
        define = lexicon.game.defines.get(name)
        if define is not None and isinstance(define.value, g.Const) and isinstance(define.value.value, int):
            return words.number(define.value.value)
        return lexicon.nouns[name].noun if name in lexicon.nouns else found[0]

    return VALUE.sub(value, text)


def covered(lexicon: Lexicon) -> Iterator[tuple[str, str]]:
    """Yield the names of rules covered by the custom wording of other rules, with the names of those."""
    for said in lexicon.told.values():
        if said.instead:
            yield from ((name, said.rule) for name in said.covers)


def silenced(told: g.Game, lexicon: Lexicon) -> g.Game:
    """Return the game without the bodies of steps that custom wording replaces."""
    own = {name for name, said in lexicon.told.items() if said.instead} | {name for name, _ in covered(lexicon)}
    steps = {name: evolve(step, body=()) if f"step {name}" in own else step for name, step in told.steps.items()}
    return evolve(told, steps=steps)
