"""Figures on the course of matches: leads, comebacks and final scores."""

from __future__ import annotations

from fractions import Fraction

from cardlang.lab.figures import Course, Scores, Share, Spread, Verdict
from cardlang.lab.intervals import share
from cardlang.lab.spreads import spread
from cardlang.lab.summing import PARTS, Sums
from cardlang.lab.words import between, percent

EARLY = 0.5
"""Threshold of a bad verdict: half of all matches are decided before this part of the match."""
SELDOM = 0.1
"""Threshold of a bad verdict: comebacks after half-time happen in less than this part of all matches."""


def course(sums: Sums, looked: int) -> Course | None:
    """Return the figures on leads and comebacks, or None if no match had a single winner."""
    decided = spread(sums.column("decided"))
    if not decided.matches:
        return None
    changes = spread(sums.column("changes"))
    ahead, behind = ([sums["ahead"][part, how] for part in range(PARTS + 1)] for how in ("ahead", "behind"))
    of = decided.matches
    back = share(behind[PARTS // 2], of, looked)
    parts = tuple(count / of for count in ahead), tuple(count / of for count in behind)
    level = of - ahead[PARTS // 2] - behind[PARTS // 2]
    untold = not any(ahead[:PARTS]) and not any(behind[:PARTS])
    return Course(changes, *parts, back, decided, course_verdict(decided, changes, back, level / of, untold))


def course_verdict(decided: Spread, changes: Spread, back: Share, level: float, untold: bool) -> Verdict:
    """Judge when matches are decided.

    `level` is the part of matches in which the winner shared the lead at half-time."""
    if untold:
        return Verdict("plain", "No player is ahead before the end: scores do not predict the winner.")
    at = decided.median / PARTS
    ahead = f"In half of all matches, the winner leads for good after {percent(at)} of the match."
    if at >= 1:
        ahead = "In half of all matches, the winner leads for good only at the end."
    told = (
        f"{ahead} The winner was behind at half-time in {percent(back.share)} {between(back)} of matches. "
        f"The lead changes {changes.mean:.1f} times per match."
    )
    if at < EARLY:
        return Verdict("bad", told)
    if level > 0.5:
        return Verdict("plain", f"In {percent(level)} of matches, the winner is tied for the lead at half-time. {told}")
    if back.high < SELDOM:
        return Verdict("bad", f"Comebacks are rare. {told}")
    return Verdict("good" if back.low >= SELDOM else "plain", told)


def scores(sums: Sums) -> Scores | None:
    """Return the figures on final scores, or None if the game has no scores."""
    found: dict[Fraction, int] = {}
    totals, players = [Fraction(0), Fraction(0)], [0, 0]
    for (score, won), count in sums["scores"].items():
        value = Fraction(score)
        found[value] = found.get(value, 0) + count
        totals[int(won)] += value * count
        players[int(won)] += count
    if not found:
        return None
    means = [float(total / max(1, count)) for total, count in zip(totals, players, strict=True)]
    return Scores(
        tuple((plain(score), count) for score, count in sorted(found.items())),
        means[1],
        means[0],
        spread(sums.column("margins")),
    )


def plain(score: Fraction) -> int | str:
    return int(score) if score.denominator == 1 else str(score)
