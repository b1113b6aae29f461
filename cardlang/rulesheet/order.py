"""Order the sections for learning the game, the second stage.

The order: goal, contents, table, a turn, exceptions, cards and ranks; reference sections come last.
"""

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
"""Titles of the sections of a sheet. Rankings and chapters, with titles from the game, go with the terms."""


def place(section: Section) -> int:
    """Return the position of a section in `ORDER`."""
    return ORDER.index(section.title if section.title in ORDER else "Terms")


def arranged(sections: Iterable[Section]) -> tuple[Section, ...]:
    """Sort the sections into reading order. The sort is stable."""
    return tuple(sorted(sections, key=place))


def in_time(sections: Iterable[Section], course: str) -> Iterator[Section]:
    """Yield the sections. Subsections of the main step, `course`, move after its sibling sections."""
    for section in sections:
        first = next((each for each in section.sections if each.title == course), None)
        if first is None:
            yield section
        else:
            steps = (evolve(each, sections=()) if each is first else each for each in section.sections)
            yield evolve(section, sections=(*steps, *first.sections))
