"""The second stage of a sheet: the order in which one learns a game. What it is about and how one wins, a first picture
of the table, a turn, the exceptions, the cards and ranks; at last what one looks up."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from attrs import evolve

from cardlang.rulesheet.model import Section

ORDER = (
    "How to win",
    "Contents",
    "On the table",
    "Set-up",
    "How to play",
    "Reactions",
    "At any time",
    "The cards",
    "Terms",
    "Variants",
    "Questions and answers",
    "More examples",
    "Index",
)
"""The titles of the sections of a sheet. Rankings and chapters, which each game titles itself, stand with the terms."""


def place(section: Section) -> int:
    """Where a section stands among all that there may be."""
    return ORDER.index(section.title if section.title in ORDER else "Terms")


def arranged(sections: Iterable[Section]) -> tuple[Section, ...]:
    """The sections in the order in which they are read. Those of one place stay as they come."""
    return tuple(sorted(sections, key=place))


def in_time(sections: Iterable[Section], course: str) -> Iterator[Section]:
    """The sections; what the step that carries out all others, `course`, tells under headings comes behind these."""
    for section in sections:
        first = next((each for each in section.sections if each.title == course), None)
        if first is None:
            yield section
        else:
            steps = (evolve(each, sections=()) if each is first else each for each in section.sections)
            yield evolve(section, sections=(*steps, *first.sections))
