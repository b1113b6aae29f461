"""What sums say about a game: figures, and a verdict on them in words."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Literal

from attrs import frozen

from cardlang import game as g
from cardlang.lab.intervals import Share, needed
from cardlang.lab.likelihood import SURE, binomial, once_in
from cardlang.lab.summing import Sums

NOTICED = 0.05
"""Seats whose shares differ by no more than this part of a fair share are as good as equal."""

Kind = Literal["good", "bad", "few", "plain"]


@frozen
class Verdict:
    """`kind`: whether it is as one would wish, or not, or cannot be told of so `few` matches; `plain` is none of
    these."""

    kind: Kind
    text: str


@frozen
class Spread:
    """How something that is counted once in a match is spread over matches. `counts`: how many matches had so many;
    the quantiles are the nearest that occurred."""

    counts: Mapping[int, int]

    @property
    def matches(self) -> int:
        return sum(self.counts.values())

    @property
    def mean(self) -> float:
        return sum(value * count for value, count in self.counts.items()) / max(1, self.matches)

    def quantile(self, part: float) -> int:
        left = part * (self.matches - 1)
        for value, count in sorted(self.counts.items()):
            left -= count
            if left < 0:
                return value
        return max(self.counts, default=0)


@frozen
class Seats:
    """Wins by seat. `fair`: what each would win if all were alike."""

    shares: tuple[Share, ...]
    fair: float
    verdict: Verdict


@frozen
class Choices:
    """`offered`: by number of moves, how often somebody chose from so many; `forced`: the share of those with one move;
    `per_turn`: with more than one, in a turn."""

    offered: Mapping[int, int]
    forced: Share
    per_turn: float
    verdict: Verdict

    @property
    def median(self) -> int:
        return Spread(self.offered).quantile(0.5)


@frozen
class Figures:
    """What matches of so many players say. `unended`: given up at the cap of decisions."""

    players: int
    matches: int
    over: int
    capped: int
    unwon: int
    shared: int
    seats: Seats
    length: Spread
    turns: Spread
    rounds: Spread
    choices: Choices


def judged(game: g.Game, players: int, sums: Sums, looked: int) -> Figures:
    """`looked`: at so many seats in all."""
    matches = {str(key[0]): count for key, count in sums["matches"].items()}
    return Figures(
        players,
        sum(sums["lengths"].values()),
        matches.get("over", 0),
        matches.get("capped", 0),
        matches.get("unwon", 0),
        matches.get("shared", 0),
        seats(sums, players, looked),
        Spread(sums.column("lengths")),
        Spread(sums.column("turns")),
        Spread(sums.column("rounds")),
        choices(sums),
    )


# ---------------------------------------------------------------- is it fair?
def by(sums: Sums, name: str, column: int, number: int) -> int:
    """Of a table by player and seat, what one of them has."""
    return sum(count for key, count in sums[name].items() if key[column] == number)


def seats(sums: Sums, players: int, looked: int) -> Seats:
    shares = tuple(Share(by(sums, "won", 1, seat), by(sums, "sat", 1, seat), looked) for seat in range(players))
    over, won = sum(share.of for share in shares), sum(share.count for share in shares)
    fair = won / over if over else 1 / players
    return Seats(shares, fair, seat_verdict(shares, fair, looked))


def seat_verdict(shares: tuple[Share, ...], fair: float, looked: int) -> Verdict:
    if len(shares) == 1:
        return Verdict("plain", "One plays alone: there are no other seats to compare.")
    over = shares[0].of
    if not over or not fair:
        return Verdict("few", "No match was won, so nothing can be said about seats.")
    chances = [min(1.0, looked * binomial(share.of, share.count, fair)) for share in shares]
    found = [at for at, chance in enumerate(chances) if chance < SURE]
    if found:
        told = "; ".join(f"seat {at + 1} wins {percent(shares[at].share)} {between(shares[at])}" for at in found)
        rare = once_in(min(chances[at] for at in found))
        return Verdict(
            "bad", f"The seats are not alike: {told}. A fair share is {percent(fair)}. Chance shows this {rare}."
        )
    off = max(max(share.high - fair, fair - share.low) for share in shares)
    if off > NOTICED * fair:
        more = needed(fair, NOTICED * fair, looked)
        seen = f"{over:,} matches could hide a difference of {points(off)}"
        if more <= over:  # so close to what is noticed that the interval, which lies askew, just misses it
            more = 2 * over
        return Verdict("few", f"Too few matches to tell: {seen}. Run {more:,}.")
    return Verdict(
        "good", f"The seats are alike: none is off a fair share of {percent(fair)} by more than {points(off)}."
    )


# ---------------------------------------------------------------- is there a choice?
def choices(sums: Sums) -> Choices:
    offered = sums.column("offered")
    total, turns = sum(offered.values()), Spread(sums.column("turns"))
    forced = Share(offered.get(1, 0), total)
    begun = round(turns.mean * turns.matches)
    per_turn = (total - forced.count) / begun if begun else 0.0
    return Choices(offered, forced, per_turn, choice_verdict(forced))


def choice_verdict(forced: Share) -> Verdict:
    if not forced.of:
        return Verdict("bad", "Nobody ever chose anything.")
    if forced.count == forced.of:
        return Verdict("bad", "There is no choice: whenever somebody was asked, one move was open.")
    if forced.share > 0.5:
        return Verdict("bad", f"Most choices are none: {percent(forced.share)} of the time one move was open.")
    return Verdict("good", f"There is a choice: one move alone was open {percent(forced.share)} of the time.")


# ---------------------------------------------------------------- words
def percent(share: float) -> str:
    """`4.2%`, `54%`."""
    return f"{100 * share:.1f}%"


def points(share: float) -> str:
    """`1.3 percentage points`."""
    return f"{100 * share:.1f} percentage points"


def between(share: Share) -> str:
    """`(53.1% to 55.2%)`."""
    return f"({percent(share.low)} to {percent(share.high)})"


def listed(words: Iterable[str]) -> str:
    """`a, b and c`."""
    *most, last = words
    return f"{', '.join(most)} and {last}" if most else last
