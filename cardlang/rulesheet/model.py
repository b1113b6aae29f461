"""The rule sheet as a value, free of any format. All texts are plain text."""

from __future__ import annotations

from attrs import evolve, frozen

from cardlang.rulesheet import words


@frozen
class Item:
    """One instruction, option or definition. `title`: the name of what it explains. `words`: the author's,
    beside the generated `text`. `items`: what belongs to it; `bullets` if their order does not matter."""

    text: str
    words: str = ""
    items: tuple[Item, ...] = ()
    bullets: bool = False
    title: str = ""


@frozen
class Paragraph:
    text: str
    words: str = ""


@frozen
class Items:
    """A list: numbered steps, or bullets."""

    items: tuple[Item, ...]
    bullets: bool = False


@frozen
class Table:
    head: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]


@frozen
class Question:
    question: str
    answer: str


@frozen
class Story:
    """A worked example, told sentence by sentence."""

    title: str
    sentences: tuple[str, ...]


Block = Paragraph | Items | Table | Question | Story


@frozen
class Section:
    title: str
    blocks: tuple[Block, ...] = ()
    sections: tuple[Section, ...] = ()


@frozen
class RuleSheet:
    """`pitch`: what the game says of itself. `facts`: players, ages, time."""

    title: str
    pitch: str
    facts: tuple[str, ...]
    sections: tuple[Section, ...]


def finished(item: Item) -> Item:
    """Texts as sentences: with a capital and an end."""
    ends = words.sentence(item.text) if item.text else ""
    said = words.sentence(item.words) if item.words else ""
    return evolve(item, text=ends, words=said, items=tuple(finished(part) for part in item.items))
