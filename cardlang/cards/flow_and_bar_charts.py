"""SVG drawings of flow charts and bar charts.

Lines cut the bars at some heights. A label on the right names the band between two cuts.
"""

from __future__ import annotations

import textwrap
from collections.abc import Iterator, Mapping, Sequence
from html import escape
from itertools import pairwise

from attrs import frozen

from cardlang.cards.playing_table_pictures import INK_COLOUR, PALE_COLOUR
from cardlang.cards.svg_elements import CARD_FONT, draw_centred_text, wrap_in_svg
from cardlang.english.control_characters import remove_invisible_characters

MAX_CHART_WIDTH, MIN_BOX_WIDTH, MAX_BOX_WIDTH, BOX_GAP = 840, 96, 190, 34
"""Maximum width of a row of boxes, minimum and maximum width of a box, and gap to the next box."""
NAME_LETTER_WIDTH, TEXT_LETTER_WIDTH, LINE_HEIGHT = 7.6, 5.9, 15
"""Average width of a letter of a name, and of the text under it; distance of lines."""
ARROW_BAND_HEIGHT = 20
"""Height of the band for an arrow that leads back or skips boxes."""
THIN_FONT = CARD_FONT.replace("700", "400")


@frozen
class FlowBox:
    """A box: its name, and the action there."""

    name: str
    text: str = ""


@frozen
class FlowArrow:
    """An arrow between two boxes that are not consecutive. `text`: the condition for it."""

    start: str
    end: str
    text: str = ""


def draw_flow_chart(boxes: Sequence[FlowBox], arrows: Sequence[FlowArrow]) -> tuple[str, float]:
    """Return the flow chart as SVG, and its width."""
    number = {stage.name: index for index, stage in enumerate(boxes)}
    known = [arrow for arrow in arrows if arrow.start in number and arrow.end in number]
    past = [arrow for arrow in known if number[arrow.end] > number[arrow.start]]
    back = [arrow for arrow in known if number[arrow.end] <= number[arrow.start]]
    count = len(boxes)
    width = max(MIN_BOX_WIDTH, min(MAX_BOX_WIDTH, (MAX_CHART_WIDTH - BOX_GAP * (count - 1)) / count))
    lines = {stage.name: wrap_box_text(stage, width) for stage in boxes}
    height = 14 + LINE_HEIGHT * max(len(names) + len(texts) for names, texts in lines.values())
    top, total_width = 2 + ARROW_BAND_HEIGHT * len(past) + (8 if past else 0), count * width + (count - 1) * BOX_GAP + 4
    middle = {stage.name: 2 + index * (width + BOX_GAP) + width / 2 for index, stage in enumerate(boxes)}
    total = top + height + ARROW_BAND_HEIGHT * len(back) + 4 + (4 if back else 0)
    parts = [
        *(draw_flow_box(lines[stage.name], middle[stage.name], top, width, height) for stage in boxes),
        *draw_forward_arrows(boxes, back, middle, top + height / 2, width),
        *(draw_detour_arrow(arrow, middle, top, -ARROW_BAND_HEIGHT * row, -1) for row, arrow in enumerate(past, 1)),
        *(
            draw_detour_arrow(arrow, middle, top + height, ARROW_BAND_HEIGHT * row, 1)
            for row, arrow in enumerate(back, 1)
        ),
    ]
    size = f'viewBox="0 0 {total_width:g} {total:g}" width="{total_width:g}" height="{total:g}"'
    return wrap_in_svg(size, "".join(parts)), total_width


def describe_flow_chart(boxes: Sequence[FlowBox], arrows: Sequence[FlowArrow]) -> str:
    """Return a description of the flow chart in words."""
    stages = "; ".join(f"{stage.name}: {stage.text}" if stage.text else stage.name for stage in boxes)
    led = "".join(
        f" From “{arrow.start}” an arrow leads to “{arrow.end}”{f': {arrow.text}' if arrow.text else ''}."
        for arrow in arrows
    )
    return f"{stages}.{led}"


def wrap_box_text(box: FlowBox, width: float) -> tuple[list[str], list[str]]:
    """Wrap the name of a stage and the text under it."""
    names = textwrap.wrap(remove_invisible_characters(box.name), int((width - 10) / NAME_LETTER_WIDTH)) or [""]
    return names, textwrap.wrap(remove_invisible_characters(box.text), int((width - 10) / TEXT_LETTER_WIDTH))


def draw_flow_box(lines: tuple[list[str], list[str]], middle: float, top: float, width: float, height: float) -> str:
    names, texts = lines
    first = top + (height - LINE_HEIGHT * (len(names) + len(texts))) / 2 + 11.5
    frame = (
        f'<rect x="{middle - width / 2:g}" y="{top:g}" width="{width:g}" height="{height:g}" rx="8" fill="#f2efe6" '
        'stroke="#777"/>'
    )
    bold = [
        draw_centred_text(line, middle, first + LINE_HEIGHT * row, 13.5, INK_COLOUR) for row, line in enumerate(names)
    ]
    thin = [
        draw_centred_text(line, middle, first + LINE_HEIGHT * row, 12.5, INK_COLOUR).replace(CARD_FONT, THIN_FONT)
        for row, line in enumerate(texts, len(names))
    ]
    return "".join((frame, *bold, *thin))


def draw_forward_arrows(
    boxes: Sequence[FlowBox], back_arrows: Sequence[FlowArrow], middle: Mapping[str, float], y: float, width: float
) -> Iterator[str]:
    """Yield the arrows from each box to the next, except from a box with an arrow that leads back."""
    ends = {arrow.start for arrow in back_arrows}
    for stage, following in pairwise(boxes):
        if stage.name not in ends:
            start, end = middle[stage.name] + width / 2, middle[following.name] - width / 2
            yield draw_arrow(f"M{start + 3:g} {y:g}H{end - 8:g}", end - 2, y, 1, 0)


def draw_detour_arrow(
    flow_arrow: FlowArrow, middle: Mapping[str, float], edge: float, distance: float, side: int
) -> str:
    """Draw an arrow around the boxes in between, `distance` from their edge, with its text on it.

    `side`: 1 below the boxes, -1 above.
    """
    start, end = middle[flow_arrow.start], middle[flow_arrow.end]
    start, end = (start - 12, end + 12) if start > end else (start + 12, end - 12)
    line = draw_arrow(
        f"M{start:g} {edge + 2 * side:g}V{edge + distance:g}H{end:g}V{edge + 9 * side:g}",
        end,
        edge + 3 * side,
        0,
        -side,
    )
    if not flow_arrow.text:
        return line
    room = len(flow_arrow.text) * TEXT_LETTER_WIDTH + 10
    at = (start + end) / 2
    label = f'<rect x="{at - room / 2:g}" y="{edge + distance - 8:g}" width="{room:g}" height="16" fill="#fffdf8"/>'
    return (
        line
        + label
        + draw_centred_text(
            remove_invisible_characters(flow_arrow.text), at, edge + distance + 4, 12.5, PALE_COLOUR
        ).replace(CARD_FONT, THIN_FONT)
    )


def draw_arrow(path: str, x: float, y: float, right: int, down: int) -> str:
    """Draw a line with an arrowhead at its end, in the direction given by `right` and `down`."""
    wing = f"M{x:g} {y:g}l{-8 * right} {-4.5 * right:g}v{9 * right}z" if right else f"M{x:g} {y:g}l-4.5 {-8 * down}h9z"
    return (
        f'<path d="{path}" fill="none" stroke="{PALE_COLOUR}" stroke-width="1.6"/><path d="{wing}" '
        f'fill="{PALE_COLOUR}"/>'
    )


# ---------------------------------------------------------------- bar charts
BAR_WIDTH, BAR_GAP, BAR_LETTER_WIDTH = 46, 12, 7
"""Width of a bar, gap to the next bar, and average width of a letter."""
CHART_HEIGHT, MIN_SLICE_HEIGHT, BAR_LABEL_HEIGHT = 66, 22, 20
"""Height of the highest bar, minimum height of a slice, and height of the labels under the bars."""
BAND_COLOURS = ("#e9e2cf", "#cfdde8", "#e3d3dc", "#d5e3d0")


@frozen
class ChartBar:
    """A number and its label."""

    name: str
    number: int


@frozen
class BarCut:
    """A height at which the bars are cut. `text` names the band below it, down to the previous cut."""

    value: int
    text: str


def draw_bar_chart(bars: Sequence[ChartBar], cuts: Sequence[BarCut]) -> tuple[str, float]:
    """Return the chart as SVG, and its width."""
    heights = compute_cut_heights(cuts)
    top = 2 + max([0.0, *heights.values()])
    columns = [max(BAR_WIDTH, BAR_LETTER_WIDTH * len(bar.name)) for bar in bars]
    right = sum(columns) + BAR_GAP * len(bars)
    width = right + BAR_LETTER_WIDTH * max((len(cut.text) for cut in cuts), default=0) + 4
    parts = [*draw_band_labels(cuts, heights, top, right, width)]
    x = 0.0
    for bar, column in zip(bars, columns, strict=True):
        middle = x + column / 2
        parts += [
            *draw_bar_slices(bar, cuts, heights, top, middle),
            draw_centred_text(bar.name, middle, top + 16, 12.5, INK_COLOUR),
        ]
        x += column + BAR_GAP
    size = f'viewBox="0 0 {width:g} {top + BAR_LABEL_HEIGHT:g}" width="{width:g}" height="{top + BAR_LABEL_HEIGHT:g}"'
    return wrap_in_svg(size, "".join(parts)), width


def describe_bar_chart(bars: Sequence[ChartBar], cuts: Sequence[BarCut]) -> str:
    """Return a description of the chart in words."""
    bar_texts = "; ".join(f"{bar.name}: {bar.number}" for bar in bars)
    return f"{bar_texts}. {' '.join(f'Up to {cut.value}: {cut.text}.' for cut in cuts)}"


def compute_cut_heights(cuts: Sequence[BarCut]) -> dict[int, float]:
    """Return the height at which each cut is drawn, from the base line."""
    heights, highest = {0: 0.0}, max((cut.value for cut in cuts), default=1)
    for below, cut in pairwise((0, *(cut.value for cut in cuts))):
        heights[cut] = heights[below] + max(MIN_SLICE_HEIGHT, CHART_HEIGHT * (cut - below) / highest)
    return heights


def draw_band_labels(
    cuts: Sequence[BarCut], heights: dict[int, float], top: float, right: float, width: float
) -> Iterator[str]:
    """Yield a line for each cut, with the label of the band below it."""
    for below, cut in zip((0, *(cut.value for cut in cuts)), cuts, strict=False):
        y, foot = top - heights[cut.value], top - heights[below]
        yield f'<path d="M0 {y:g}H{width:g}" stroke="{PALE_COLOUR}" stroke-dasharray="3 3"/>'
        yield (
            f'<text x="{right:g}" y="{(y + foot) / 2 + 4.5:g}" {CARD_FONT} font-size="12.5" fill="{INK_COLOUR}">'
            f"{escape(cut.text)}</text>"
        )


def draw_bar_slices(
    bar: ChartBar, cuts: Sequence[BarCut], heights: dict[int, float], top: float, middle: float
) -> Iterator[str]:
    """Yield the slices of a bar, with their numbers."""
    for row, (below, cut) in enumerate(zip((0, *(cut.value for cut in cuts)), cuts, strict=False)):
        slice_size = min(bar.number, cut.value) - below
        if slice_size <= 0:
            return
        foot = top - heights[below]
        high = (heights[cut.value] - heights[below]) * slice_size / (cut.value - below)
        yield (
            f'<rect x="{middle - BAR_WIDTH / 2:g}" y="{foot - high:g}" width="{BAR_WIDTH}" height="{high:g}" rx="3" '
            f'fill="{BAND_COLOURS[row % len(BAND_COLOURS)]}" stroke="{INK_COLOUR}"/>'
        )
        yield draw_centred_text(str(slice_size), middle, foot - high / 2 + 4.5, 12.5, INK_COLOUR)
