"""Two games compared match by match: both are played with the same seed and the same seats, so that as much as can be
is alike, and what differs is the games'."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction

from cardlang.lab.summing import PARTS, Sums, at, decided_at, lead_changes
from cardlang.lab.watching import Story

TABLES = ("matches", "first", "second", "difference")
"""`matches`: `played`, `capped` (both were given up); the others: by measure and value how many matches had it."""
SCALE = 1000
"""Shares and scores are counted in thousandths, so that all is integers."""


def blank() -> Sums:
    return Sums.blank(TABLES)


def add_pair(sums: Sums, first: Story, second: Story) -> None:
    """Adds a match of both games."""
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
    """What is measured in a match. Without those that it does not have."""
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
