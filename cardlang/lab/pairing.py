"""Sums over pairs of matches, to compare two games. Both matches have the same seed and seats to reduce variance."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction

from cardlang.lab.summing import PARTS, Sums, at, decided_at, lead_changes
from cardlang.lab.watching import Story

TABLES = ("matches", "first", "second", "difference")
"""Tables of counts. `matches` counts the pairs `played` and the `capped` ones, in which neither match finished.

`first`, `second` and `difference` count pairs by measure and value."""
SCALE = 1000
"""Scale of shares and scores, so that all sums are integers."""


def blank() -> Sums:
    return Sums.blank(TABLES)


def add_pair(sums: Sums, first: Story, second: Story) -> None:
    """Add a match of each game."""
    sums["matches"]["played",] += 1
    if not (first.over or second.over):
        sums["matches"]["capped",] += 1
    one, other = dict(measures(first)), dict(measures(second))
    for name, value in one.items():
        if name in other:
            sums["first"][name, value] += 1
            sums["second"][name, other[name]] += 1
            sums["difference"][name, other[name] - value] += 1


def measures(story: Story) -> Iterator[tuple[str, int]]:
    """Yield the measures of a match and their values. Measures that don't apply are missing."""
    yield "decisions", story.decisions
    yield "turns", story.turns
    yield "rounds", story.rounds
    total = story.offered.total()
    if total:
        yield "forced", SCALE * story.offered[1] // total
        yield "moves", SCALE * sum(moves * count for moves, count in story.offered.items()) // total
    yield "capped", SCALE * (not story.over)
    if story.over:
        for seat in range(len(story.sat)):
            yield f"seat {seat + 1}", SCALE * (seat in story.winners)
        yield "shared", SCALE * (len(story.winners) != 1)
        yield from scored(story)
        if len(story.winners) == 1 and len(story.sat) > 1 and story.decisions:
            yield "changes", lead_changes(story)
            now, winner = at(story, PARTS // 2), 1 << story.winners[0]
            yield "comebacks", SCALE * bool(now and not now & winner)
            yield "decided", SCALE * decided_at(story) // PARTS


def scored(story: Story) -> Iterator[tuple[str, int]]:
    known = [Fraction(score) for score in story.scores if score is not None]
    if known:
        yield "score", round(SCALE * sum(known) / len(known))
        if len(known) > 1:
            yield "lead", round(SCALE * (max(known) - min(known)))
