"""The rule sheet as a value, free of any format. All texts are plain text; cards and symbols are what they show."""

from __future__ import annotations

from attrs import frozen

from cardlang.drawing import Look, Mark


@frozen
class Hand:
    """Some cards to be drawn. `label`: what they are."""

    cards: tuple[Look, ...]
    label: str = ""


@frozen
class Join:
    """What the joining of drafts has to know of one. `act`: it tells the reader to do something. `step`: it only names
    a part of the game that comes now. `mark`: it leads what is within it, with this mark between. `everybody`: what is
    within it is done by everybody, in whatever order."""

    act: bool = False
    step: bool = False
    mark: str = ""
    everybody: bool = False


@frozen
class Item:
    """One instruction, option or definition. `title`: the name of what it explains. `words`: the author's,
    beside the generated `text`. `items`: what belongs to it; `bullets` if their order does not matter.
    `marks`: symbols that are explained beside it. `story`: the example that stands under it; without passages, its
    title alone, as long as nobody has told it. `shown`: tables and pictures under it. `join`: how it is joined with
    others, as long as it is a draft. `anchor`: its own name within the sheet, for the page on which it stands."""

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
        """The title as it stands before what explains it."""
        return f"{self.title}:" if self.text or self.words or self.items else self.title


@frozen
class Paragraph:
    text: str
    words: str = ""


WORDS_USED = Paragraph("Words used here:")
"""What leads to the terms that a section is the first to need."""

KEPT = Paragraph("Keep track of:")
"""What leads to what players keep track of."""


@frozen
class Items:
    """A list: numbered steps, or bullets."""

    items: tuple[Item, ...]
    bullets: bool = False


@frozen
class Table:
    """`title`: what it shows; empty for one that stands under the line that says it. `hands`: for each row the cards
    that are drawn in a column without cells; so many columns stand `before` it. `anchor`: as an item's."""

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
    """A place with the cards that lie there: in a `pile`, a `row` or a `fan` (its `form`), the one on top or the first
    before the others; face down, if they are `hidden`. `label`: stands on it."""

    name: str
    form: str
    cards: tuple[Look, ...]
    hidden: bool
    label: str = ""


@frozen
class Panel:
    """A drawing: SVG without ids, so many millimetres wide in print. `says`: what it shows, in words."""

    svg: str
    width: float
    caption: str
    says: str


@frozen
class Picture:
    """Drawings that stand beside each other, as far as there is room."""

    panels: tuple[Panel, ...]


@frozen
class Told:
    """A passage of an example, and what is drawn under it: hands, or a picture. `line`: its number, if it is one of
    several lines, and `title` what it is called. `named`: the text says what the hands are."""

    text: str
    hands: tuple[Hand, ...] = ()
    line: int = 0
    named: bool = True
    picture: Picture | None = None
    title: str = ""


@frozen
class Story:
    """A worked example, told in passages."""

    title: str
    passages: tuple[Told, ...]


@frozen
class Spot:
    """A place for cards. `whose`: one for each of these; empty for the table. `owners`: their names, if they are the
    members of a kind. `seen`: by `everyone`, `owner`, `others` or `nobody`. `single`: it holds one card. `lies`: how
    its cards lie, if the game says so: `in a row`. `note`: what a plan cannot show."""

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
    """A plan of the table: a picture and `notes`, or a `table` that says the same in words."""

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
    """The title and the anchor of a section; `at`: the anchor of the line that is meant, or the section's again."""

    title: str
    anchor: str
    at: str


Entry = tuple[str, tuple[Place, ...]]
"""A term, with the section that explains it and those that use it."""


@frozen
class Terms:
    """An index."""

    entries: tuple[Entry, ...]


Block = Paragraph | Items | Table | Question | Story | Picture | Plan | Terms


@frozen
class Section:
    """`anchor`: its own name within the sheet, for links. `terms`: what the index leads to it for, besides what it
    lists."""

    title: str
    blocks: tuple[Block, ...] = ()
    sections: tuple[Section, ...] = ()
    anchor: str = ""
    terms: tuple[str, ...] = ()


@frozen
class RuleSheet:
    """`pitch`: what the game says of itself. `facts`: players, ages, time. `version`: the checksum of the game's
    text; `date`: when it was last changed, if known. `aid`: it is a player aid, for one page."""

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
