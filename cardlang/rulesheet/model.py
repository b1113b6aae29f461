"""Define the rule sheet as a value, independent of the output format.

All texts are plain text; cards and symbols are stored by content.
"""

from __future__ import annotations

from attrs import frozen

from cardlang.drawing import Look, Mark


@frozen
class Hand:
    """Cards to draw. `label`: their caption."""

    cards: tuple[Look, ...]
    label: str = ""


@frozen
class Join:
    """Properties of a draft that aggregation needs.

    - `act`: it asks the reader to act.
    - `step`: it only names the next part of the game.
    - `mark`: it is a lead, and this mark separates it from its content.
    - `everybody`: its content applies to all players, in any order.
    """

    act: bool = False
    step: bool = False
    mark: str = ""
    everybody: bool = False


@frozen
class Item:
    """One instruction, option or definition.

    - `title`: the name of the explained term. `text` is generated, `words` is the author's text after it.
    - `items`: nested items; `bullets` if their order does not matter.
    - `marks`: symbols explained next to it. `shown`: tables and pictures under it.
    - `story`: the example under it. Before placement, the example has no passages, only its title.
    - `join`: rules for aggregation, in drafts only. `anchor`: unique within the sheet, for links.
    """

    text: str
    words: str = ""
    items: tuple[Item, ...] = ()
    bullets: bool = False
    title: str = ""
    marks: tuple[Mark, ...] = ()
    story: Story | None = None
    shown: tuple[Table | Picture, ...] = ()
    join: Join | None = None
    anchor: str = ""

    @property
    def heading(self) -> str:
        """Title, with a colon if an explanation follows."""
        return f"{self.title}:" if self.text or self.words or self.items else self.title


@frozen
class Paragraph:
    text: str
    words: str = ""


WORDS_USED = Paragraph("Words used here:")
"""Lead of the terms that a section is the first to need."""

KEPT = Paragraph("Keep track of:")
"""Lead of the tracks that players keep."""


@frozen
class Items:
    """A list: numbered steps, or bullets."""

    items: tuple[Item, ...]
    bullets: bool = False


@frozen
class Table:
    """A table. `title`: its caption; empty if the line before it introduces the table.

    `hands`: for each row, the cards to draw in a column without cells. That column comes after `before` columns.
    `anchor`: as for an item.
    """

    title: str
    head: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]
    hands: tuple[Hand, ...] = ()
    before: int = 0
    anchor: str = ""


@frozen
class Question:
    question: str
    answer: str


@frozen
class Lying:
    """A zone with its cards.

    `form`: a `pile`, a `row` or a `fan`. The top or first card comes first. `hidden`: face down. `label`: a string on
    top.
    """

    name: str
    form: str
    cards: tuple[Look, ...]
    hidden: bool
    label: str = ""


@frozen
class Panel:
    """A drawing: SVG without ids. `width`: in millimetres, for print. `says`: its description in words."""

    svg: str
    width: float
    caption: str
    says: str


@frozen
class Picture:
    """Drawings in a row, as far as there is room."""

    panels: tuple[Panel, ...]


@frozen
class Told:
    """A passage of an example, with hands or a picture under it.

    `line`: its number, if it is one of several lines. `title`: its name. `named`: the text already identifies the
    hands.
    """

    text: str
    hands: tuple[Hand, ...] = ()
    line: int = 0
    named: bool = True
    picture: Picture | None = None
    title: str = ""


@frozen
class Story:
    """A worked example, in passages."""

    title: str
    passages: tuple[Told, ...]


@frozen
class Spot:
    """A zone for the plan of the table.

    - `whose`: the kind of owner, one zone each; empty for the table. `owners`: their names, for members of a kind.
    - `seen`: by `everyone`, `owner`, `others` or `nobody`. `single`: it holds one card.
    - `lies`: the arrangement of its cards, if the game gives one: `in a row`. `note`: text that a plan cannot show.
    """

    name: str
    whose: str
    owners: tuple[str, ...]
    seen: str
    single: bool
    note: str = ""
    lies: str = ""


VIEWERS = {
    "everyone": "everybody (face up)",
    "owner": "its owner only",
    "others": "everybody but its owner",
    "nobody": "nobody (face down)",
}


@frozen
class Plan:
    """A plan of the table: a picture and `notes`, or an equivalent `table`."""

    spots: tuple[Spot, ...]

    @property
    def notes(self) -> tuple[Item, ...]:
        return tuple(Item(spot.note, title=spot.name) for spot in self.spots if spot.note)

    @property
    def table(self) -> Table:
        rows = []
        for spot in self.spots:
            whose = f"each {spot.whose}" if spot.whose else "the table"
            lies = "one card" if spot.single else spot.lies
            rows.append((spot.name, whose, lies, VIEWERS[spot.seen], spot.note))
        head = ("Place", "One for", "Its cards", "Seen by", "Notes")
        return Table("The places for cards", head, tuple(rows))


@frozen
class Place:
    """Title and anchor of a section. `at`: the anchor of the line meant, or the section's again."""

    title: str
    anchor: str
    at: str


Entry = tuple[str, tuple[Place, ...]]
"""A term, with the sections that explain and use it."""


@frozen
class Terms:
    """An index."""

    entries: tuple[Entry, ...]


Block = Paragraph | Items | Table | Question | Story | Picture | Plan | Terms


@frozen
class Section:
    """A section. `anchor`: unique within the sheet, for links.

    `terms`: index entries for this section, in addition to the items that it lists.
    """

    title: str
    blocks: tuple[Block, ...] = ()
    sections: tuple[Section, ...] = ()
    anchor: str = ""
    terms: tuple[str, ...] = ()


@frozen
class RuleSheet:
    """A rule sheet. `pitch`: the game's description of itself. `facts`: players, ages, time.

    `version`: the checksum of the game's source; `date`: of its last change, if known. `aid`: it is a player aid, for
    one page.
    """

    title: str
    pitch: str
    facts: tuple[str, ...]
    sections: tuple[Section, ...]
    version: str = ""
    date: str = ""
    aid: bool = False

    @property
    def edition(self) -> str:
        """Version and date in a sentence."""
        return f"Version {self.version}{f' of {self.date}' if self.date else ''}."
