"""Data classes of a rulebook, independent of any output format.

Texts are plain text or `StyledText`; cards and symbols are stored by content.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from attrs import frozen

from cardlang.cards import CardSymbol, SmallCard
from cardlang.cards.suit_and_card_drawings import split_at_icons
from cardlang.english.control_characters import remove_invisible_characters

TITLE_LINK = "title:"
"""Prefix of a link to the section with a title, if there is one."""


@frozen
class TextSpan:
    """A run of text in one style. `link`: an address, `#` and an anchor, or `TITLE_LINK` and the title of a section.

    `icon`: its icon, which replaces the text where pictures can be drawn.
    """

    text: str
    bold: bool = False
    italic: bool = False
    code: bool = False
    link: str = ""
    icon: CardSymbol | None = None


class StyledText(str):
    """A string with styles and without invisible characters. As a string, it is plain text."""

    __slots__ = ("spans",)
    spans: tuple[TextSpan, ...]

    def __new__(cls, spans: Iterable[TextSpan]) -> StyledText:
        spans = tuple(spans)
        text = super().__new__(cls, "".join(span.text for span in spans))
        text.spans = spans
        return text


def get_spans(text: str) -> tuple[TextSpan, ...]:
    """Return the spans of a text, without invisible characters. A plain string is one span."""
    return text.spans if isinstance(text, StyledText) else (TextSpan(remove_invisible_characters(text)),)


def add_icons(text: str, icons: Sequence[CardSymbol]) -> str:
    """Return a text of an author with icons for their names; plain text if it has none."""
    parts = list(split_at_icons(remove_invisible_characters(text), icons))
    return StyledText(TextSpan(part, icon=icon) for part, icon in parts) if any(icon for _, icon in parts) else text


@frozen
class HandPicture:
    """Cards to draw. `label`: their caption. `names`: the cards in words, if not only their titles."""

    cards: tuple[SmallCard, ...]
    label: str = ""
    names: str = ""

    @property
    def description(self) -> str:
        """The cards in words."""
        return self.names or ", ".join(small_card.title for small_card in self.cards)


@frozen
class AggregationHints:
    """Properties of a draft that aggregation needs.

    - `is_action`: it is an act of the reader, in the infinitive.
    - `subject`: the subject of an act in third person.
    - `is_subject`: it is a lead, and the subject of an act after it: `each player`.
    - `lead_mark`: it is a lead, and this mark separates it from its content.
    - `explanation`: whole sentences that follow its sentence.
    """

    is_action: bool = False
    subject: str = ""
    is_subject: bool = False
    lead_mark: str = ""
    explanation: str = ""


@frozen
class Item:
    """One instruction, option or definition.

    - `title`: the name of the explained term. `text` is generated, `author_text` is the author's text after it.
    - `items`: nested items; `bullets` if their order does not matter.
    - `symbols`: symbols explained next to it. `figures`: blocks under it, before the nested items.
    - `example`: the example under it. Before placement, the example has no passages, only its title.
    - `aggregation`: rules for aggregation, in drafts only.
    """

    text: str
    author_text: str = ""
    items: tuple[Item, ...] = ()
    bullets: bool = False
    title: str = ""
    symbols: tuple[CardSymbol, ...] = ()
    example: WorkedExample | None = None
    figures: tuple[Block, ...] = ()
    aggregation: AggregationHints | None = None
    is_one_sentence: bool = False
    """True if its title begins the sentence of its text: `A card is wild if it is a Joker.`"""

    @property
    def heading(self) -> str:
        """Title, with a colon if an explanation follows, unless they form one sentence."""
        is_explained = self.text or self.author_text or self.items
        return f"{self.title}:" if is_explained and not self.is_one_sentence else self.title


@frozen
class Paragraph:
    text: str
    author_text: str = ""


@frozen
class ItemList:
    """A list: numbered steps from `start` on, or bullets. `definitions`: each item is a paragraph, without a mark."""

    items: tuple[Item, ...]
    bullets: bool = False
    start: int = 1
    definitions: bool = False


@frozen
class TableBlock:
    """A table. `title`: its caption; empty if the line before it introduces the table.

    `hands`: for each row, the cards to draw in a column without cells. That column comes after `hands_column` columns.
    """

    title: str
    head: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]
    hands: tuple[HandPicture, ...] = ()
    hands_column: int = 0


@frozen
class QuestionBlock:
    question: str
    answer: str


@frozen
class SceneZone:
    """A zone with its cards.

    `arrangement`: a `pile`, a `row` or a `fan`. The top or first card comes first. `is_face_down`: face down. `label`:
    a string on top.
    """

    name: str
    arrangement: str
    cards: tuple[SmallCard, ...]
    is_face_down: bool
    label: str = ""


@frozen
class Panel:
    """A drawing: SVG without ids. `width`: in millimetres, for print. `description`: its description in words."""

    svg: str
    width: float
    caption: str
    description: str


@frozen
class Picture:
    """Drawings in a row, as far as there is room."""

    panels: tuple[Panel, ...]


@frozen
class ExamplePassage:
    """A passage of an example, with hands or a picture under it.

    `line_number`: its number, if it is one of several lines. `title`: its name.
    """

    text: str
    hands: tuple[HandPicture, ...] = ()
    line_number: int = 0
    picture: Picture | None = None
    title: str = ""


@frozen
class WorkedExample:
    """A worked example, in passages."""

    title: str
    passages: tuple[ExamplePassage, ...]


Block = Paragraph | ItemList | TableBlock | QuestionBlock | WorkedExample | Picture


@frozen
class Section:
    """A section. `anchor`: unique within the rulebook, for links.

    `rules`: names of the rules
    that it tells, such as `step betting`. A section without a title is an introduction.
    """

    title: str
    blocks: tuple[Block, ...] = ()
    sections: tuple[Section, ...] = ()
    anchor: str = ""
    rules: tuple[str, ...] = ()


@frozen
class Rulebook:
    """A rulebook. `pitch`: the game's description of itself. `facts`: players, ages, time.

    `version`: the checksum of the game's source; `date`: of its last change, if known. `is_player_aid`: it is a player
    aid, for one page.
    """

    title: str
    pitch: str
    facts: tuple[str, ...]
    sections: tuple[Section, ...]
    version: str = ""
    date: str = ""
    is_player_aid: bool = False

    @property
    def edition(self) -> str:
        """Version and date in a sentence."""
        return f"Version {self.version}{f' of {self.date}' if self.date else ''}."
