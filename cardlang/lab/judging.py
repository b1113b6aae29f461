"""Figures and verdicts from the sums of matches."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from math import ceil

from attrs import frozen

from cardlang.lab.costs import SAMPLES, WHOLE, matches_with
from cardlang.lab.course import course, scores
from cardlang.lab.figures import Chapter, Choices, Cost, Player, Seats, Share, Skill, Spread, Verdict
from cardlang.lab.intervals import mean_interval, needed, rounded_up, share
from cardlang.lab.likelihood import SURE, binomial, once_in
from cardlang.lab.spreads import spread
from cardlang.lab.summing import Key, Sums
from cardlang.lab.words import between, many, matches, percent, points, signed
from cardlang.words import join

NOTICED = 0.05
"""Tolerance, relative to a fair share: smaller deviations count as equal."""
LEAST = 0.01
"""Smallest cost of a random move for which a number of matches is recommended."""
ONE_MOVE = 0.5
"""Threshold of the verdict that most decisions are forced, as a part of all decisions."""


@frozen
class Family:
    """Number of independent figures of each kind in a report, whose intervals hold simultaneously.

    `seats` counts shares by seat. `players` counts shares by player, in matches between different bots."""

    seats: float
    players: float
    chapters: int


def judged(
    seating: Sequence[tuple[str, str]], sums: Sums, family: Family, cap: int, options: Mapping[Key, str]
) -> Chapter:
    """Return the figures for one player count.

    `seating` has the name and the type of bot of each player. `options` has the names of options by place."""
    counts = {str(key[0]): count for key, count in sums["matches"].items()}
    decisions = spread(sums.column("lengths"))
    capped, rounds = counts.get("capped", 0), sums.column("rounds")
    lost = turning(sums, capped * cap, options)
    return Chapter(
        len(seating), counts.get("played", 0), counts.get("over", 0), counts.get("unwon", 0), counts.get("shared", 0),
        capped, seats(sums, len(seating), family.seats), skill(sums, seating, family), decisions,
        spread(sums.column("turns")), spread(rounds) if any(rounds) else None, length(decisions, capped, lost),
        choices(sums, capped), course(sums, family.chapters), scores(sums),
    )  # fmt: skip


# ---------------------------------------------------------------- fairness
def by(sums: Sums, name: str, column: int, number: int) -> int:
    """Return the sum of one player or seat in a table by player (column 0) and seat (column 1)."""
    return sum(count for key, count in sums[name].items() if key[column] == number)


def independent(sums: Sums, column: int, players: int) -> float:
    """Return the effective number of independent shares of wins by player (column 0) or seat (column 1).

    With two players, one share nearly determines the other. With their correlation r, the number is 2 - r². Source: D.
    R. Nyholt, A simple correction for multiple testing, American Journal of Human Genetics 74, 2004."""
    if players != 2:
        return players
    one, other = wins(sums, column, 2, 1)
    of, both = one.of, sums["matches"]["shared",]
    varied = one.count * (of - one.count) * other.count * (of - other.count)
    return 2 - (both * of - one.count * other.count) ** 2 / varied if varied else 2


def wins(sums: Sums, column: int, players: int, looked: float) -> tuple[Share, ...]:
    return tuple(share(by(sums, "won", column, at), by(sums, "sat", column, at), looked) for at in range(players))


def fair_share(shares: Sequence[Share]) -> float:
    """Return the mean share of wins: the share of each player if all are equal."""
    over = sum(each.of for each in shares)
    return sum(each.count for each in shares) / over if over else 0.0


def seats(sums: Sums, players: int, looked: float) -> Seats:
    shares = wins(sums, 1, players, looked)
    fair = fair_share(shares)
    names = [f"seat {at + 1}" for at in range(players)]
    return Seats(fair, shares, alike(names, shares, fair, looked, "No seat bias: each seat", played(sums)))


def played(sums: Sums) -> int:
    return sums["matches"]["played",]


def alike(
    names: Sequence[str], shares: Sequence[Share], fair: float, looked: float, equal: str, matches_played: int
) -> Verdict:
    """Judge whether all win equally often, as far as the matches show. `equal` starts a verdict of equality."""
    if len(shares) == 1:
        return Verdict("plain", "This is a solo game, so there are no opponents to compare.")
    if not fair:
        return Verdict("few", "No match had a winner.")
    if fair == 1:
        return Verdict("plain", "All players win every match together.")
    chances = [min(1.0, looked * binomial(each.of, each.count, fair)) for each in shares]
    found = [at for at, chance in enumerate(chances) if chance < SURE]
    if found:
        told = join([f"{names[at]} wins {percent(shares[at].share)} {between(shares[at])}" for at in found])
        rare = once_in(min(chances[at] for at in found))
        return Verdict(
            "bad", f"Seat bias: {told}. A fair share is {percent(fair)}. Chance alone would show this {rare}."
        )
    off = max(max(each.high - fair, fair - each.low) for each in shares)
    if off <= NOTICED * fair:
        return Verdict("good", f"{equal} is within {points(off)} of a fair share ({percent(fair)}).")
    # at least twice as many: intervals are asymmetric, and some matches don't finish
    more = max(needed(fair, NOTICED * fair, looked), 2 * matches_played)
    return Verdict(
        "few",
        f"Too few matches to tell: {matches(matches_played)} can hide a difference of {points(off)}. Run {more:,}.",
    )


# ---------------------------------------------------------------- skill
def skill(sums: Sums, seating: Sequence[tuple[str, str]], family: Family) -> Skill:
    cost = cost_of(sums, family.chapters)
    differ = len({bot for _, bot in seating}) > 1
    if not differ:
        return Skill((), cost, cost_verdict(cost, len(seating), each_chooses(sums, len(seating))))
    shares = wins(sums, 0, len(seating), family.players)
    players = tuple(Player(name, bot, each) for (name, bot), each in zip(seating, shares, strict=True))
    names = [f"{each.name} ({each.bot})" for each in players]
    return Skill(players, cost, bots_verdict(names, shares, family.players, played(sums)))


def cost_of(sums: Sums, looked: int) -> Cost | None:
    tried = {str(key[0]): count for key, count in sums["tried"].items()}
    of, whole = tried.get("decisions", 0), SAMPLES * WHOLE
    if not of:
        return None
    best, any_ = tried.get("best", 0), tried.get("any", 0)
    mean, low, high = mean_interval(best - any_, tried.get("squares", 0), of, looked)
    return Cost(of, best / of / whole, any_ / of / whole, mean / whole, low / whole, high / whole)


def each_chooses(sums: Sums, players: int) -> float:
    """Return the mean number of decisions with several legal moves, per player and match."""
    several = sum(count for moves, count in sums.column("offered").items() if moves > 1)
    return several / max(1, played(sums) * players)


def cost_verdict(cost: Cost | None, players: int, each: float) -> Verdict:
    """Judge the cost of a random move.

    `each` is the number of decisions with several moves, per player and match. The verdict weighs the cost times
    `each`."""
    if players == 1:
        return Verdict("plain", "This is a solo game, so there are no opponents to beat.")
    if cost is None:
        return Verdict("few", "No decision had moves to compare.")
    told = f"one random move instead of the best {costs(cost)}"
    times = f"Each player makes {many(round(each), 'such decision')} per match"
    if cost.low > 0:
        return Verdict("good", f"Skill matters: {told}. {times}.")
    if cost.high * max(1.0, each) < NOTICED / players:
        return Verdict("bad", f"Skill hardly matters: {told}. {times}.")
    half = (cost.high - cost.low) / 2
    more = rounded_up(matches_with(ceil(cost.decisions * (half / max(abs(cost.cost), LEAST)) ** 2)))
    return Verdict(
        "few",
        f"Too few decisions to tell: {told}. {times}, so even small costs add up. Run {more:,} matches.",
    )


def costs(cost: Cost) -> str:
    interval = f"{signed(cost.low)} to {signed(cost.high)}"
    if cost.cost > 0:
        return f"costs {signed(cost.cost)} ({interval}) percentage points of win rate"
    return f"shows no cost ({interval} percentage points of win rate; below 0 is sampling error)"


def bots_verdict(names: Sequence[str], shares: Sequence[Share], looked: float, played: int) -> Verdict:
    found = alike(names, shares, fair_share(shares), looked, "Skill makes no difference: each player", played)
    if found.kind == "bad":
        order = sorted(range(len(names)), key=lambda at: -shares[at].share)
        told = join([f"{names[at]} wins {percent(shares[at].share)} {between(shares[at])}" for at in order])
        return Verdict("good", f"Skill matters: {told}.")
    return Verdict("bad", found.text) if found.kind == "good" else found


# ---------------------------------------------------------------- length
def turning(sums: Sums, decisions: int, options: Mapping[Key, str]) -> str:
    """Return a sentence on the option that took most decisions of the matches without an end, or an empty string."""
    name, times = max(
        ((name, sums["times_capped"][place]) for place, name in options.items()),
        key=lambda each: each[1], default=("", 0),
    )  # fmt: skip
    return f" In these, {percent(times / decisions)} of all decisions were “{name}”." if 2 * times > decisions else ""


def length(decisions: Spread, capped: int, turning: str) -> Verdict:
    low, high, most = f"{decisions.quarter:,}", f"{decisions.three_quarters:,}", f"{decisions.highest:,}"
    told = f"Half of all matches take {low if low == high else f'{low} to {high}'} decisions; the longest took {most}."
    if decisions.lowest == decisions.highest:
        told = f"Every match takes {most} decisions."
    if not capped:
        return Verdict("plain", told)
    part = percent(capped / decisions.matches)
    return Verdict("bad", f"{matches(capped)} ({part}) hit the move limit.{turning} {told}")


# ---------------------------------------------------------------- choices
def choices(sums: Sums, capped: int) -> Choices:
    offered, turns = sums.column("offered"), spread(sums.column("turns"))
    total, begun = sum(offered.values()), sum(number * count for number, count in turns.counts)
    forced = share(offered.get(1, 0), total)
    several = (total - forced.count) / begun if begun else 0.0
    verdict = choice_verdict(forced, offered, capped)
    return Choices(tuple(offered.items()), spread(offered).median, forced, several, verdict)


def choice_verdict(forced: Share, offered: Mapping[int, int], capped: int) -> Verdict:
    if not forced.of:
        return Verdict("bad", "No player ever had a decision.")
    if forced.count == forced.of:
        return Verdict("bad", "There is no choice: every decision had a single legal move.")
    alone = f"{percent(forced.share)} of decisions had a single legal move"
    if forced.share > ONE_MOVE:
        return Verdict("bad", f"Most decisions are forced: {alone}.")
    most = f"{alone}; the most was {max(offered):,} moves."
    if capped:
        return Verdict("plain", f"{most} Many of these may come from matches that hit the move limit.")
    return Verdict("good", f"There is a choice: {most}")
