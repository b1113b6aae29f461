"""Selection of events and results by importance, to fit the lines available on a screen."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from cardlang.plain_text import harmless
from cardlang.terminal.screen.blocks import Block, Line, cut, text, width
from interpreter.table.model import Card, Moment, Table, Told

OWN = 0.5
"""Importance of the viewer's own first action: below other players' actions, above plain bookkeeping."""
LASTING = (("told", "result"), ("kept",))
"""Kinds of event lines that end a deal. Later moves belong to the next deal."""

WORD = re.compile(r"[-−]?[\w/]+(?:-\w+)*")


def behind(since: Sequence[Told], kinds: Sequence[str]) -> int:
    """Return the number of lines up to the last one of these kinds."""
    return max((at for at, told in enumerate(since, 1) if told.kind in kinds), default=0)


def ended(since: Sequence[Told]) -> int:
    """Return the number of lines that belong to the results, before those of the next deal."""
    anew = next((at for at in range(len(since) - 1, 0, -1) if since[at].anew), 0)
    if anew:
        return anew
    end = next((end for kinds in LASTING if (end := behind(since, kinds))), len(since))
    return end + next((at for at, told in enumerate(since[end:]) if told.kind != "kept"), len(since) - end)


def results_of(table: Table) -> list[Moment]:
    """Return the results to show: all after the end of the match. Before, text-only results appear among the events."""
    return [each for each in table.moments if table.over or each.kind != "result" or each.rows or each.hands]


def goes_on(text: str, line: str) -> bool:
    """Return whether a line repeats a sentence, possibly with more detail.

    Example: `Ann wins 12.` and `Ann wins 12, over Bob's pair.`"""
    return line == text or line.startswith((f"{text.removesuffix('.')},", f"{text.removesuffix('.')}:"))


def sentences(line: str) -> list[str]:
    """Return a line and its sentences. A shared pot is one line with several winners."""
    return [line, *re.split(r"(?<=\.) ", line)]


def is_in(told: Told, scores: Moment, viewer: str | None) -> bool:
    """Return whether a table of scores already contains all that a line says.

    Example: `Ann's score rises from 32 to 49.`"""
    rows = [({row[0], *(("You", "Your") if row[0] == viewer else ())}, row[-1]) for row in scores.rows]
    sentences = [{*WORD.findall(each)} for each in told.text.split(". ")]
    return told.kind == "kept" and all(any(names & said and now in said for names, now in rows) for said in sentences)


def lies_there(told: Told, card: Card) -> bool:
    """Return whether a line only reports that a visible card of the trick was played: `Ann plays [5♣].`"""
    alone = told.text.count("[") == 1 and not told.more and " and " not in told.text
    return alone and (told.kind, told.who) == ("moved", card.by) and told.text.endswith(f"[{card.code}].")


def title_of(moment: Moment, moments: Sequence[Moment]) -> str:
    """Return the title of a result."""
    last = next((each for each in reversed(moments) if each.kind == "trick"), None)
    return "last trick" if moment is last else moment.kind


def headed(result: Block, room: int) -> Block:
    """Return a result cut to a small room: its headline at least, and the rule above it if both fit."""
    return result if len(result) <= room or room > 2 else result[2 - room : 2]


def newest(blocks: Sequence[Block], room: int) -> Block:
    """Return the newest blocks that fit, each in full. If even the last is too long, return its beginning."""
    if not blocks or room < 1:
        return ()
    found = blocks[-1] if len(blocks[-1]) <= room else (*blocks[-1][: room - 1], text("  …", "dim"))
    for block in reversed(blocks[:-1]):
        if len(block) + len(found) > room:
            break
        found = (*block, *found)
    return found if room > 1 or len(blocks[-1]) == 1 else ()


def weight(told: Told) -> int:
    """Return the importance of an event line.

    2: messages from the rules, and results. 0: bookkeeping, starts of steps, and passes. 1: everything else."""
    passed = told.kind == "chose" and not told.more and told.text.endswith((" passes.", "You pass."))
    return 2 if told.kind in ("told", "result") else 0 if passed or told.kind in ("kept", "step") else 1


def weightiest(blocks: Sequence[tuple[float, Block]], room: int) -> Block:
    """Return blocks in order, without the least important and oldest ones, so that they fit."""
    left = [*enumerate(blocks)]
    used = sum(len(block) for _, (_, block) in left)
    for at, (heavy, block) in sorted(left, key=lambda each: (each[1][0], each[0])):
        if used <= room or len(left) == 1:
            break
        left.remove((at, (heavy, block)))
        used -= len(block)
    return newest([block for _, (_, block) in left], room)


def dense(blocks: Sequence[Block], columns: int) -> Block:
    """Return blocks in order, with short lines side by side."""
    lines: list[Line] = []
    open_line = False
    for block in blocks:
        short = len(block) == 1
        if short and open_line and width(lines[-1]) + 1 + width(block[0]) <= columns:
            lines[-1] = (*lines[-1], *text(" "), *block[0])
        else:
            lines += block
        open_line = short
    return tuple(lines)


def fitting(blocks: Sequence[tuple[float, Block]], room: int, columns: int) -> tuple[Block, bool]:
    """Return events fitted into `room` lines, and whether an important one was lost.

    Short lines are joined first, then unimportant ones are dropped."""
    whole = [block for _, block in blocks]
    some = [block for heavy, block in blocks if heavy]
    matters = [block for heavy, block in blocks if heavy >= 1]
    for kept in ([whole, some], [matters]):
        for lines in (*map(stood, kept), *(dense(each, columns) for each in kept)):
            if len(lines) <= max(room, 0):
                return (lines or weightiest(blocks, room)), False
    return weightiest(blocks, room), True


def stood(blocks: Sequence[Block]) -> Block:
    """Return blocks stacked vertically."""
    return tuple(line for block in blocks for line in block)


def grid(head: Sequence[str], rows: Sequence[Sequence[str]], columns: int) -> Iterator[Line]:
    """Yield the lines of a text table with aligned columns."""
    if not rows:
        return
    cells = [tuple(map(harmless, row)) for row in ((head, *rows) if head else rows)]
    sizes = [max(len(row[place]) if place < len(row) else 0 for row in cells) for place in range(max(map(len, cells)))]
    for number, row in enumerate(cells):
        line = "  ".join(f"{cell:{size}}" for cell, size in zip(row, sizes, strict=False))
        yield cut(text(f"  {line}".rstrip(), "dim" if head and not number else ""), columns)
