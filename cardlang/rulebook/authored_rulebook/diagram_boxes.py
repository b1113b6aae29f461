"""Boxes of a rules file: labelled cards, pictures of positions, and flow diagrams."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from difflib import get_close_matches

from attrs import define, field, frozen

from cardlang import model as g
from cardlang.cards.card_content import CardSide
from cardlang.cards.flow_and_bar_charts import FlowArrow, FlowBox, describe_flow_chart, draw_flow_chart
from cardlang.cards.labelled_card_drawing import CARD_PARTS
from cardlang.diagnostics import Diagnostic, Span
from cardlang.rulebook.model import HandPicture, Panel, Picture
from cardlang.rulebook.plan.card_faces import CardDesign
from cardlang.rulebook.plan.example_prose import build_hand_picture
from cardlang.rulebook.plan.illustrations import (
    PictureDescription,
    build_marker_card,
    build_position_picture,
    draw_labelled_panel,
    format_second_owner,
    list_second_owners,
)
from cardlang.rulebook.realise.phrases import PhraseScope

BOX_KINDS = ("card", "picture", "steps")
DIAGRAM_SCALE = 0.2
"""Millimetres for each unit of a diagram."""
ARROW = re.compile(r"(.+?) > ([^:]+)(?:: (.*))?")
LINE = re.compile(r"([^:]+):\s*(.*)")
PLACED_CARD = re.compile(r"on ([^,]+)(?:, (.+))?")
CUT = re.compile(r"cut (\d+)")
UNKNOWN_NAME_CODE = "W455"


@frozen
class BoxLine:
    """A line `KEY: TEXT` of a box."""

    key: str
    text: str
    span: Span


@define
class BoxReader:
    """Reader of boxes. `findings`: warnings about unknown names; `cards`: rules of the cards drawn so far."""

    game: g.Game
    scope: PhraseScope
    findings: list[Diagnostic] = field(factory=list)
    cards: list[str] = field(factory=list)

    def warn_about_unknown_name(self, noun: str, name: str, known: Sequence[str], span: Span) -> None:
        """Report an unknown name, with the most similar known one."""
        near = get_close_matches(name, known, 1)
        hint = f"Did you mean “{near[0]}”?" if near else f"choose from {', '.join(known)}" if known else ""
        self.findings.append(
            Diagnostic(UNKNOWN_NAME_CODE, f"unknown name “{name}” in this {noun}", span, hint, warning=True)
        )

    # ------------------------------------------------------------ cards
    def build_card(self, title: str, lines: Sequence[BoxLine], span: Span) -> Picture | None:
        """Return a labelled card: one of the game, its other face, or another component."""
        texts = {line.key: line.text for line in lines}
        side = self.find_card_side(title, texts.pop("print", title))
        if side is None:
            known = [*(face.title for face in self.game.faces), *(each.title for each in self.game.components)]
            self.warn_about_unknown_name("box", title, known, span)
            return None
        for line in lines:
            if line.key not in (*CARD_PARTS, "print", "caption"):
                self.warn_about_unknown_name("box", line.key, [*CARD_PARTS, "print", "caption"], line.span)
        labels = [f"{line.key}: {line.text}" for line in lines]
        return Picture((draw_labelled_panel(side, labels, texts.get("caption", "")),))

    def find_card_side(self, title: str, printed: str) -> CardSide | None:
        """Return the side of a card with a title, or a component with a printed text."""
        design = CardDesign(self.game)
        for face in self.game.faces:
            own_title = design.get_own_face(face).title
            if title in (own_title, design.get_other_title(face, self.game.untranslated)):
                self.cards.append(f"card {own_title}")
                back = design.build_back(face)
                return back if title != own_title and isinstance(back, CardSide) else design.build_front(face)
        if any(each.title == title for each in self.game.untranslated.components):
            self.cards.append(f"component {title}")
            return build_marker_card(printed)
        return None

    # ------------------------------------------------------------ positions
    def build_picture(
        self, example: g.Example, lines: Sequence[BoxLine], span: Span
    ) -> Picture | tuple[HandPicture, ...] | None:
        """Return the picture of a position of an example: hands, zones on the table, or numbers as bars."""
        texts = {line.key: line.text for line in lines}
        shown = [*self.find_names(lines, "show"), *(f"open {name}" for name in self.find_names(lines, "open"))]
        self.check_lines(example, lines)
        positions = [line for line in example.lines if isinstance(line, g.Given)]
        number = int(texts["given"]) if texts.get("given", "").isdecimal() else 1
        position = positions[number - 1] if 0 < number <= len(positions) else None
        if position is None or not shown:
            reason = (
                "names nothing to show" if position else f"shows position {number}, but the example has no such one"
            )
            hint = "add a line such as `show: hand`" if position else "correct the number after `given:`"
            self.findings.append(Diagnostic(UNKNOWN_NAME_CODE, f"this picture {reason}", span, hint, warning=True))
            return None
        captions = {key: text for key, text in texts.items() if key in example.players}
        laid = tuple(describe_placed_card(line) for line in lines if PLACED_CARD.fullmatch(line.key))
        places = {line.key: line.text for line in lines if line.key in list_places(self.game, example)}
        if len(shown) == 1 and shown[0] in self.game.zones and not (laid or places or "spread" in texts):
            return tuple(self.build_hands(position, shown[0], captions))
        described = PictureDescription(
            lambda title: captions.get(title, title),
            tuple(name for name in shown if name.removeprefix("open ") in self.game.zones),
            tuple(part.strip() for part in texts.get("spread", "").split(",")),
            laid,
            tuple(f"{place}: {text}" for place, text in places.items()),
            tuple(name for name in shown if name in self.game.tracks),
            tuple(f"{cut[1]}: {line.text}" for line in lines if (cut := CUT.fullmatch(line.key))),
        )
        return build_position_picture(position, described, example.players, self.scope)

    def find_names(self, lines: Sequence[BoxLine], key: str) -> list[str]:
        """Return the known names in the lines with a key, and report the others."""
        known = [*self.game.zones, *(self.game.tracks if key == "show" else ())]
        names = [(part.strip(), line.span) for line in lines if line.key == key for part in line.text.split(",")]
        for name, span in names:
            if name not in known:
                self.warn_about_unknown_name("picture", name, known, span)
        return [name for name, _ in names if name in known]

    def check_lines(self, example: g.Example, lines: Sequence[BoxLine]) -> None:
        """Report lines of a picture whose place or player does not exist."""
        places = list_places(self.game, example)
        keys = ["show", "open", "spread", "given", "caption"]
        for line in lines:
            on = PLACED_CARD.fullmatch(line.key)
            name = on[1] if on else line.key
            if name not in places and (on or not (name in (*keys, *example.players) or CUT.fullmatch(name))):
                self.warn_about_unknown_name(
                    "picture", name, places if on else [*example.players, *places, *keys], line.span
                )
            for place in line.text.split(",") if line.key == "spread" else ():
                if place.strip() not in places:
                    self.warn_about_unknown_name("picture", place.strip(), places, line.span)

    def build_hands(self, position: g.Given, zone: str, captions: Mapping[str, str]) -> Iterator[HandPicture]:
        for fact in position.facts:
            if isinstance(fact, g.GivenZone) and fact.zone == zone and fact.faces:
                hand = build_hand_picture(fact, self.scope)
                is_player = fact.of is not None and self.game.zones[zone].subject == "player"
                caption = captions.get(self.scope.players[fact.of or 0]) if is_player else None
                yield HandPicture(hand.cards, caption) if caption else hand


def describe_placed_card(line: BoxLine) -> str:
    """Return the line for a component on a place: `Gun's stack: Round 2 on 12 of Gun`."""
    on = PLACED_CARD.fullmatch(line.key)
    place, card = (on[1], on[2]) if on else ("", None)
    return f"{place}: {line.text} on {card}" if card else f"{place}: {line.text}"


def list_places(game: g.Game, example: g.Example) -> list[str]:
    """Return the places that an example may show, in the language's form: `Ann's hand`, `Red's stack`, `table`."""
    places = []
    for zone in game.zones.values():
        owners = example.players if zone.subject == "player" else ()
        if zone.subject in game.kinds:
            owners = tuple(member.name for member in game.kinds[zone.subject].members)
        names = [zone.name + format_second_owner(second) for second in list_second_owners(zone, game)]
        places += [f"{owner}'s {name}" for owner in owners for name in names] if zone.subject else names
    return places


# ---------------------------------------------------------------- flow diagrams
def build_flow_diagram(lines: Sequence[BoxLine]) -> Picture | None:
    """Return a flow diagram from lines for its boxes and arrows."""
    boxes, arrows = [], []
    for line in lines:
        arrow = ARROW.fullmatch(f"{line.key}: {line.text}" if line.text else line.key)
        if arrow:
            arrows.append(FlowArrow(arrow[1].strip(), arrow[2].strip(), arrow[3] or ""))
        else:
            boxes.append(FlowBox(line.key, line.text))
    names = {box.name for box in boxes}
    arrows = [arrow for arrow in arrows if {arrow.start, arrow.end} <= names]
    if not boxes:
        return None
    svg, width = draw_flow_chart(boxes, arrows)
    return Picture((Panel(svg, width * DIAGRAM_SCALE, "", describe_flow_chart(boxes, arrows)),))


def split_box_lines(content: str, get_span: Callable[[int], Span]) -> list[BoxLine]:
    """Return the lines of a box. `get_span`: the span of a line by its number, from 0."""
    lines = []
    for number, text in enumerate(content.splitlines()):
        found = LINE.fullmatch(text.strip())
        if text.strip():
            lines.append(
                BoxLine(found[1].strip(), found[2], get_span(number))
                if found
                else BoxLine(text.strip(), "", get_span(number))
            )
    return lines
