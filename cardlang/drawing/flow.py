"""Draw a flow chart as SVG: boxes joined by arrows, and arrows that lead back or skip boxes."""

from __future__ import annotations

import textwrap
from collections.abc import Iterator, Mapping, Sequence
from itertools import pairwise

from attrs import frozen

from cardlang.drawing.cards import FONT
from cardlang.drawing.table import INK, PALE, text
from cardlang.plain_text import harmless

WIDE, NARROW, BROAD, GAP = 840, 96, 190, 34
"""Maximum width of a row of boxes, minimum and maximum width of a box, and gap to the next box."""
LETTER, SMALL, LINE = 7.6, 5.9, 15
"""Average width of a letter of a name, and of the text under it; distance of lines."""
HEAD = 20
"""Height of the band for an arrow that leads back or skips boxes."""
THIN = FONT.replace("700", "400")


@frozen
class Stage:
    """A box: its name, and the action there."""

    name: str
    text: str = ""


@frozen
class Way:
    """An arrow between two boxes that are not consecutive. `text`: the condition for it."""

    start: str
    end: str
    text: str = ""


def flow_svg(stages: Sequence[Stage], ways: Sequence[Way]) -> tuple[str, float]:
    """Return the flow chart as SVG, and its width."""
    number = {stage.name: place for place, stage in enumerate(stages)}
    known = [way for way in ways if way.start in number and way.end in number]
    past = [way for way in known if number[way.end] > number[way.start]]
    back = [way for way in known if number[way.end] <= number[way.start]]
    count = len(stages)
    width = max(NARROW, min(BROAD, (WIDE - GAP * (count - 1)) / count))
    lines = {stage.name: told(stage, width) for stage in stages}
    height = 14 + LINE * max(len(names) + len(said) for names, said in lines.values())
    top, whole = 2 + HEAD * len(past) + (8 if past else 0), count * width + (count - 1) * GAP + 4
    middle = {stage.name: 2 + place * (width + GAP) + width / 2 for place, stage in enumerate(stages)}
    total = top + height + HEAD * len(back) + 4 + (4 if back else 0)
    parts = [
        *(box(lines[stage.name], middle[stage.name], top, width, height) for stage in stages),
        *onwards(stages, back, middle, top + height / 2, width),
        *(around(way, middle, top, -HEAD * row, -1) for row, way in enumerate(past, 1)),
        *(around(way, middle, top + height, HEAD * row, 1) for row, way in enumerate(back, 1)),
    ]
    size = f'viewBox="0 0 {whole:g} {total:g}" width="{whole:g}" height="{total:g}"'
    return f'<svg xmlns="http://www.w3.org/2000/svg" {size}>{"".join(parts)}</svg>', whole


def describe_flow(stages: Sequence[Stage], ways: Sequence[Way]) -> str:
    """Return a description of the flow chart in words."""
    said = "; ".join(f"{stage.name}: {stage.text}" if stage.text else stage.name for stage in stages)
    led = "".join(
        f" From “{way.start}” an arrow leads to “{way.end}”{f': {way.text}' if way.text else ''}." for way in ways
    )
    return f"{said}.{led}"


def told(stage: Stage, width: float) -> tuple[list[str], list[str]]:
    """Wrap the name of a stage and the text under it."""
    names = textwrap.wrap(harmless(stage.name), int((width - 10) / LETTER)) or [""]
    return names, textwrap.wrap(harmless(stage.text), int((width - 10) / SMALL))


def box(lines: tuple[list[str], list[str]], middle: float, top: float, width: float, height: float) -> str:
    names, said = lines
    first = top + (height - LINE * (len(names) + len(said))) / 2 + 11.5
    frame = (
        f'<rect x="{middle - width / 2:g}" y="{top:g}" width="{width:g}" height="{height:g}" rx="8" fill="#f2efe6" '
        'stroke="#777"/>'
    )
    bold = [text(each, middle, first + LINE * row, 13.5, INK) for row, each in enumerate(names)]
    thin = [
        text(each, middle, first + LINE * row, 12.5, INK).replace(FONT, THIN)
        for row, each in enumerate(said, len(names))
    ]
    return "".join((frame, *bold, *thin))


def onwards(
    stages: Sequence[Stage], back: Sequence[Way], middle: Mapping[str, float], y: float, width: float
) -> Iterator[str]:
    """Yield the arrows from each box to the next, except from a box with an arrow that leads back."""
    ends = {way.start for way in back}
    for stage, following in pairwise(stages):
        if stage.name not in ends:
            start, end = middle[stage.name] + width / 2, middle[following.name] - width / 2
            yield arrow(f"M{start + 3:g} {y:g}H{end - 8:g}", end - 2, y, 1, 0)


def around(way: Way, middle: Mapping[str, float], edge: float, far: float, side: int) -> str:
    """Draw an arrow around the boxes in between, `far` from their edge, with its text on it.

    `side`: 1 below the boxes, -1 above.
    """
    start, end = middle[way.start], middle[way.end]
    start, end = (start - 12, end + 12) if start > end else (start + 12, end - 12)
    line = arrow(
        f"M{start:g} {edge + 2 * side:g}V{edge + far:g}H{end:g}V{edge + 9 * side:g}", end, edge + 3 * side, 0, -side
    )
    if not way.text:
        return line
    room = len(way.text) * SMALL + 10
    at = (start + end) / 2
    label = f'<rect x="{at - room / 2:g}" y="{edge + far - 8:g}" width="{room:g}" height="16" fill="#fffdf8"/>'
    return line + label + text(harmless(way.text), at, edge + far + 4, 12.5, PALE).replace(FONT, THIN)


def arrow(path: str, x: float, y: float, right: int, down: int) -> str:
    """Draw a line with an arrowhead at its end, in the direction given by `right` and `down`."""
    wing = f"M{x:g} {y:g}l{-8 * right} {-4.5 * right:g}v{9 * right}z" if right else f"M{x:g} {y:g}l-4.5 {-8 * down}h9z"
    return f'<path d="{path}" fill="none" stroke="{PALE}" stroke-width="1.6"/><path d="{wing}" fill="{PALE}"/>'
