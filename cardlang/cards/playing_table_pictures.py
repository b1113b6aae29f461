"""SVG drawings of table plans and scenes of play."""

from __future__ import annotations

import textwrap
from collections.abc import Iterator, Sequence
from typing import Protocol

from attrs import frozen

from cardlang.cards.suit_and_card_drawings import SmallCard
from cardlang.cards.svg_elements import CARD_HEIGHT, CARD_WIDTH, draw_centred_text, wrap_in_svg

ZONE_WIDTH, ZONE_HEIGHT, FRAME_GAP, HEADING_HEIGHT = 150, 124, 10, 30
HEADING_LETTER_WIDTH = 7
"""Average width of a letter of a heading."""
NOTE_LETTER_WIDTH, NAME_LINE_HEIGHT, NOTE_LINE_HEIGHT = 6.2, 16, 14
"""Average width of a letter under a zone, line height of its name, and line height of the text under that."""
INK_COLOUR, PALE_COLOUR = "#222", "#555"
VISIBILITY_TEXTS = {
    "everyone": "face up",
    "nobody": "face down",
    "owner": "for its owner only",
    "others": "for all but its owner",
}

SIDE_BY_SIDE_PREFIXES = ("in a row", "in rows", "one before")
"""Beginnings of the arrangements in which cards are next to each other."""


@frozen
class PlanZone:
    """A zone for the plan of the table.

    - `owner_kind`: the kind of owner, one zone each; empty for the table. `owner_names`: their names, for members of a
      kind.
    - `visibility`: by `everyone`, `owner`, `others` or `nobody`. `is_single_card`: it holds one card.
    - `arrangement`: the arrangement of its cards, if the game gives one: `in a row`.
    """

    name: str
    owner_kind: str
    owner_names: tuple[str, ...]
    visibility: str
    is_single_card: bool
    arrangement: str = ""


def draw_table_plan(zones: Sequence[PlanZone], columns: int = 3) -> str:
    """Draw the zones, in a frame for the table and one for each kind of owner.

    `columns`: the maximum number of zones in a row. Frames share a row if their zones fit in it together.
    """
    owners = sorted(dict.fromkeys(spot.owner_kind for spot in zones), key=bool)
    frames = [[spot for spot in zones if spot.owner_kind == owner] for owner in owners]
    rows: list[list[list[PlanZone]]] = [[]]
    for frame in frames:
        if rows[-1] and sum(map(len, rows[-1])) + len(frame) > columns:
            rows.append([])
        rows[-1].append(frame)
    width, y = columns * ZONE_WIDTH, 0.0
    parts: list[str] = []
    for row in rows:
        height = HEADING_HEIGHT + ZONE_HEIGHT * max(-(-len(frame) // columns) for frame in row)
        parts += draw_frame_row(row, columns, width, y, height)
        y += height + FRAME_GAP
    size = f'viewBox="0 0 {width} {y - FRAME_GAP:g}" width="{width}" height="{y - FRAME_GAP:g}"'
    return wrap_in_svg(size, "".join(parts))


def draw_frame_row(
    row: Sequence[Sequence[PlanZone]], columns: int, width: float, y: float, height: float
) -> Iterator[str]:
    """Draw the frames of one row, as wide together as the plan."""
    shares = [min(len(frame), columns) for frame in row]
    free, x = width - FRAME_GAP * (len(row) - 1), 0.0
    for frame, share in zip(row, shares, strict=True):
        frame_width = free * share / sum(shares)
        yield draw_zone_frame(frame, share, x, y, frame_width, height)
        x += frame_width + FRAME_GAP


def describe_table_plan(zones: Sequence[PlanZone]) -> str:
    """Return a description of the plan in words."""
    zone_texts = [
        f"{spot.name} ({f'one for each {spot.owner_kind}, ' if spot.owner_kind else ''}{describe_zone_display(spot)})"
        for spot in zones
    ]
    return f"Plan of the table: {', '.join(zone_texts)}."


def describe_zone_display(zone: PlanZone) -> str:
    """Return the arrangement of the cards of a zone: `face up, in a row`."""
    return (
        f"{VISIBILITY_TEXTS[zone.visibility]}, {zone.arrangement}"
        if zone.arrangement
        else VISIBILITY_TEXTS[zone.visibility]
    )


def choose_frame_heading(owner_kind: str, owner_names: Sequence[str], max_letters: int) -> str:
    """Return the heading of a frame: the owners of its zones, in at most `max_letters` letters."""
    if not owner_kind:
        headings = ["In the middle of the table", "The table"]
    elif owner_kind == "player":
        headings = ["In front of each player", "Each player"]
    else:
        headings = [
            *([f"For each {owner_kind}: {', '.join(owner_names)}"] if len(owner_names) < 7 else []),
            f"For each {owner_kind}",
        ]
    fitting = (heading for heading in headings if len(heading) <= max_letters)
    return next(fitting, textwrap.shorten(headings[-1], max_letters, placeholder=" …"))


def draw_zone_frame(zones: Sequence[PlanZone], columns: int, x: float, y: float, width: float, height: float) -> str:
    """Draw a frame with its zones, `columns` in a row."""
    frame = (
        f'<rect x="{x + 1:g}" y="{y + 1:g}" width="{width - 2:g}" height="{height - 2:g}" rx="12" fill="#f2efe6" '
        'stroke="#777"/>'
    )
    shown = choose_frame_heading(zones[0].owner_kind, zones[0].owner_names, int(width / HEADING_LETTER_WIDTH))
    box = min(width / columns, 1.25 * ZONE_WIDTH)
    parts = [frame, draw_centred_text(shown, x + width / 2, y + 21, 14, PALE_COLOUR)]
    for number, spot in enumerate(zones):
        row, column = divmod(number, columns)
        row_length = min(columns, len(zones) - row * columns)
        middle = x + width / 2 + (column + 0.5 - row_length / 2) * box
        parts.append(draw_plan_zone(spot, middle, y + HEADING_HEIGHT + row * ZONE_HEIGHT, box))
    return "".join(parts)


def draw_plan_zone(zone: PlanZone, middle: float, y: float, width: float) -> str:
    """Draw a zone, at most `width` wide: its pile or single card, its name, and the arrangement of its cards."""
    lines = textwrap.wrap(zone.name, 18, max_lines=2, placeholder=" …")
    names = [
        draw_centred_text(line, middle, y + 76 + NAME_LINE_HEIGHT * row, 15, INK_COLOUR)
        for row, line in enumerate(lines)
    ]
    under = y + 76 + NAME_LINE_HEIGHT * len(lines)
    note_lines = textwrap.wrap(
        describe_zone_display(zone), int(width / NOTE_LETTER_WIDTH), max_lines=2, placeholder=" …"
    )
    seen = [
        draw_centred_text(line, middle, under + NOTE_LINE_HEIGHT * row, 12.5, PALE_COLOUR)
        for row, line in enumerate(note_lines)
    ]
    return draw_plan_pile(zone, middle - 20, y + 2) + "".join([*names, *seen])


def draw_plan_pile(zone: PlanZone, x: float, y: float) -> str:
    """Draw a card or a pile: face down unless all players see it, and a fan if it is a hand."""
    if zone.visibility in ("owner", "others") and not zone.is_single_card:
        return "".join(
            draw_plan_card(x, y, zone.visibility, f"rotate({turn} {x + 20:g} {y + 70:g})") for turn in (-16, 0, 16)
        )
    if zone.is_single_card:
        return draw_plan_card(x, y, zone.visibility)
    if zone.arrangement.startswith(SIDE_BY_SIDE_PREFIXES):
        return "".join(draw_plan_card(x + step, y, zone.visibility) for step in (-44, 0, 44))
    return "".join(draw_plan_card(x + step, y - step, zone.visibility) for step in (-4, 0, 4))


def draw_plan_card(x: float, y: float, visibility: str, rotation: str = "") -> str:
    """Draw one card of 40 by 56."""
    move = f' transform="{rotation}"' if rotation else ""
    face = f'<rect x="{x:g}" y="{y:g}" width="40" height="56" rx="4" fill="#fff" stroke="{INK_COLOUR}"{move}/>'
    if visibility == "everyone":
        return (
            face
            + f'<path d="M{x + 6:g} {y + 10:g}h10M{x + 24:g} {y + 46:g}h10" stroke="{INK_COLOUR}" stroke-width="3"/>'
        )
    back = f'<rect x="{x + 4:g}" y="{y + 4:g}" width="32" height="48" rx="2" fill="#5b7083"{move}/>'
    if visibility == "nobody":
        return face + back
    return face + f'<rect x="{x + 4:g}" y="{y + 4:g}" width="32" height="48" rx="2" fill="#c3cfd9"{move}/>'


# ---------------------------------------------------------------- scenes of play
SCENE_CARD_WIDTH, SCENE_CARD_HEIGHT = 40.0, 40.0 * CARD_HEIGHT / CARD_WIDTH
SCENE_TOP, SCENE_GAP, SCENE_MARGIN = 30, 14, 12
FACE_DOWN_STEP, FAN_STEP = 9, 26
"""Distance of cards in a fan: for face-down cards, and for cards identified by their index."""
BACK_COLOUR = "#5b7083"
MIN_LABEL_LETTERS, LABEL_LETTER_WIDTH = 12, 7.4
MAX_BADGE_LETTERS = 2
"""Average number of letters in a line under a card, and width of a letter.

A label of at most `MAX_BADGE_LETTERS` letters goes on a corner.
"""


class SceneZoneLike(Protocol):
    """A zone with its cards: see `cardlang.rulebook.model.SceneZone`."""

    @property
    def name(self) -> str: ...
    @property
    def arrangement(self) -> str: ...
    @property
    def cards(self) -> tuple[SmallCard, ...]: ...
    @property
    def is_face_down(self) -> bool: ...
    @property
    def label(self) -> str: ...


def draw_scene(title: str, zones: Sequence[SceneZoneLike], label_lines: int) -> tuple[str, float]:
    """Draw the zones of one owner in a frame, as SVG, and return its width. A card is 40 wide.

    `label_lines`: the maximum number of lines under a zone.
    """
    wide = [
        max(compute_cards_width(scene_zone), *(LABEL_LETTER_WIDTH * len(line) for line in wrap_zone_label(scene_zone)))
        for scene_zone in zones
    ]
    width = max(sum(wide) + SCENE_GAP * (len(zones) - 1) + 2 * SCENE_MARGIN, 7.8 * len(title) + SCENE_MARGIN)
    height = SCENE_TOP + SCENE_CARD_HEIGHT + 20 + 15 * label_lines
    x = (width - sum(wide) - SCENE_GAP * (len(zones) - 1)) / 2
    parts = [
        f'<rect x="1" y="1" width="{width - 2:g}" height="{height - 2:g}" rx="12" fill="#f2efe6" stroke="#777"/>',
        draw_centred_text(title, width / 2, 20, 14, INK_COLOUR),
    ]
    for scene_zone, share in zip(zones, wide, strict=True):
        parts.append(draw_scene_zone(scene_zone, x + share / 2))
        x += share + SCENE_GAP
    size = f'viewBox="0 0 {width:g} {height:g}" width="{width:g}" height="{height:g}"'
    return wrap_in_svg(size, "".join(parts)), width


def compute_cards_width(zone: SceneZoneLike) -> float:
    """Return the width of the cards of a zone."""
    return SCENE_CARD_WIDTH + compute_card_step(zone) * max(len(zone.cards) - 1, 0)


def compute_card_step(zone: SceneZoneLike) -> float:
    """Return the distance from one card of a zone to the next."""
    if zone.arrangement == "pile":
        return 0
    if zone.arrangement == "fan" and zone.is_face_down:
        return FACE_DOWN_STEP
    return (
        FAN_STEP
        if zone.arrangement == "fan" and all(small_card.index for small_card in zone.cards)
        else SCENE_CARD_WIDTH + 3
    )


def wrap_zone_label(zone: SceneZoneLike) -> list[str]:
    """Return the lines under a zone: its name, and a label that is too long for a corner."""
    letters = max(MIN_LABEL_LETTERS, int(compute_cards_width(zone) / LABEL_LETTER_WIDTH))
    names = textwrap.wrap(zone.name, letters, break_long_words=False)
    return [*names, *([zone.label] if len(zone.label) > MAX_BADGE_LETTERS else [])]


def draw_scene_zone(zone: SceneZoneLike, middle: float) -> str:
    """Draw the cards of a zone, its name and its label; an empty zone as an outline."""
    left = middle - compute_cards_width(zone) / 2
    names = [
        draw_centred_text(line, middle, SCENE_TOP + SCENE_CARD_HEIGHT + 19 + 15 * row, 13, INK_COLOUR)
        for row, line in enumerate(wrap_zone_label(zone))
    ]
    cards = [
        draw_scene_card(small_card, left + compute_card_step(zone) * number, zone.is_face_down)
        for number, small_card in enumerate(zone.cards)
    ]
    if zone.arrangement == "pile":
        cards = [
            draw_blank_card(left - 3 * depth, SCENE_TOP - 3 * depth) for depth in range(min(len(cards), 3) - 1, 0, -1)
        ] + cards[:1]
    if not cards:
        cards = [
            f'<rect x="{left:g}" y="{SCENE_TOP}" width="{SCENE_CARD_WIDTH}" height="{SCENE_CARD_HEIGHT:g}" '
            f'rx="4" fill="none" stroke="{PALE_COLOUR}" '
            'stroke-dasharray="4 4"/>'
        ]
    return "".join((*cards, draw_label_badge(zone.label, middle + compute_cards_width(zone) / 2), *names))


def draw_scene_card(small_card: SmallCard, x: float, is_face_down: bool) -> str:
    if is_face_down:
        return (
            draw_blank_card(x, SCENE_TOP) + f'<rect x="{x + 4:g}" y="{SCENE_TOP + 4}" width="{SCENE_CARD_WIDTH - 8}" '
            f'height="{SCENE_CARD_HEIGHT - 8:g}" fill="{BACK_COLOUR}"/>'
        )
    return (
        f'<g transform="translate({x:g} {SCENE_TOP}) '
        f'scale({SCENE_CARD_WIDTH / CARD_WIDTH:.4g})">{small_card.svg_body}</g>'
    )


def draw_blank_card(x: float, y: float) -> str:
    return (
        f'<rect x="{x:g}" y="{y:g}" width="{SCENE_CARD_WIDTH}" height="{SCENE_CARD_HEIGHT:g}" rx="4" fill="#fff" '
        f'stroke="{INK_COLOUR}"/>'
    )


def draw_label_badge(label: str, right: float) -> str:
    """Draw a label on the corner of a zone: a number in an example."""
    if not label or len(label) > MAX_BADGE_LETTERS:
        return ""
    width = 12 + 8 * len(label)
    return (
        f'<rect x="{right - width / 2:g}" y="{SCENE_TOP - 8}" width="{width}" height="20" rx="10" fill="{INK_COLOUR}"/>'
        + draw_centred_text(label, right, SCENE_TOP + 7, 13, "#fff")
    )
