"""Verdicts on fairness, skill, length, choices and lead changes."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from fractions import Fraction
from math import ceil

from attrs import frozen

from cardlang import model as g
from cardlang.analysis.balance.match_stats import BELIEF_SAMPLES, FULL_WIN, count_matches_for, encode_span
from cardlang.analysis.balance.match_totals import MATCH_PARTS, MatchTotals, TableKey
from cardlang.analysis.balance.report_statistics import (
    Balance,
    Chapter,
    Choices,
    Cost,
    Course,
    Player,
    Scores,
    Seats,
    Share,
    Skill,
    Spread,
    Verdict,
    compute_distribution,
    compute_sample_size,
    estimate_mean,
    estimate_share,
    format_grouped_count,
    format_interval,
    format_matches,
    format_percent,
    format_points,
    format_signed_points,
    round_up,
)
from cardlang.analysis.balance.rule_usage import compute_rule_uses, find_unused, judge_uses, name_options
from cardlang.english.morphology import join_phrases
from cardlang.lint.playtest.playtest_findings import SEAT_BIAS_LEVEL, compute_binomial_p_value, format_rarity

EARLY_DECISION = 0.5
"""Threshold of a bad verdict: half of all matches are decided before this part of the match."""
RARE_COMEBACKS = 0.1
"""Threshold of a bad verdict: comebacks after half-time happen in less than this part of all matches."""


def compute_lead_stats(totals: MatchTotals, interval_count: int) -> Course | None:
    """Return the figures on leads and comebacks, or None if no match had a single winner."""
    decided = compute_distribution(totals.get_column("decided"))
    if not decided.matches:
        return None
    changes = compute_distribution(totals.get_column("changes"))
    ahead, behind = ([totals["ahead"][part, how] for part in range(MATCH_PARTS + 1)] for how in ("ahead", "behind"))
    of = decided.matches
    back = estimate_share(behind[MATCH_PARTS // 2], of, interval_count)
    parts = tuple(count / of for count in ahead), tuple(count / of for count in behind)
    level = of - ahead[MATCH_PARTS // 2] - behind[MATCH_PARTS // 2]
    has_no_leader = not any(ahead[:MATCH_PARTS]) and not any(behind[:MATCH_PARTS])
    return Course(changes, *parts, back, decided, judge_leads(decided, changes, back, level / of, has_no_leader))


def judge_leads(decided: Spread, changes: Spread, comebacks: Share, tied_share: float, has_no_leader: bool) -> Verdict:
    """Judge when matches are decided.

    `tied_share` is the part of matches in which the winner shared the lead at half-time."""
    if has_no_leader:
        return Verdict("plain", "No player is ahead before the end: scores do not predict the winner.")
    at = decided.median / MATCH_PARTS
    ahead = f"In half of all matches, the winner leads for good after {format_percent(at)} of the match."
    if at >= 1:
        ahead = "In half of all matches, the winner leads for good only at the end."
    text = (
        f"{ahead} The winner was behind at half-time in {format_percent(comebacks.share)} "
        f"{format_interval(comebacks)} of matches. "
        f"The lead changes {changes.mean:.1f} times per match."
    )
    if at < EARLY_DECISION:
        return Verdict("bad", text)
    if tied_share > 0.5:
        return Verdict(
            "plain", f"In {format_percent(tied_share)} of matches, the winner is tied for the lead at half-time. {text}"
        )
    if comebacks.high < RARE_COMEBACKS:
        return Verdict("bad", f"Comebacks are rare. {text}")
    return Verdict("good" if comebacks.low >= RARE_COMEBACKS else "plain", text)


def compute_score_stats(match_totals: MatchTotals) -> Scores | None:
    """Return the figures on final scores, or None if the game has no scores."""
    score_counts = Counter[Fraction]()
    totals, players = [Fraction(0), Fraction(0)], [0, 0]
    for (score, won), count in match_totals["scores"].items():
        value = Fraction(score)
        score_counts[value] += count
        totals[int(won)] += value * count
        players[int(won)] += count
    if not score_counts:
        return None
    means = [float(total / max(1, count)) for total, count in zip(totals, players, strict=True)]
    counts = tuple(
        (int(score) if score.denominator == 1 else str(score), count) for score, count in sorted(score_counts.items())
    )
    return Scores(counts, means[1], means[0], compute_distribution(match_totals.get_column("margins")))


SHARE_TOLERANCE = 0.05
"""Tolerance, relative to a fair share: smaller deviations count as equal."""
MIN_COST = 0.01
"""Smallest cost of a random move for which a number of matches is recommended."""
FORCED_THRESHOLD = 0.5
"""Threshold of the verdict that most decisions are forced, as a part of all decisions."""


@frozen
class TestFamily:
    """Number of independent figures of each kind in a report, whose intervals hold simultaneously.

    `seats` counts shares by seat. `players` counts shares by player, in matches between different bots."""

    seats: float
    players: float
    chapters: int


def compute_player_count_stats(
    named_bots: Sequence[tuple[str, str]],
    totals: MatchTotals,
    family: TestFamily,
    cap: int,
    options: Mapping[TableKey, str],
) -> Chapter:
    """Return the figures for one player count.

    `named_bots` has the name and the type of bot of each player. `options` has the names of options by place."""
    counts = totals["matches"]
    decisions = compute_distribution(totals.get_column("lengths"))
    capped, rounds = totals.matches_at_move_limit, totals.get_column("rounds")
    lost = describe_endless_option(totals, capped * cap, options)
    return Chapter(
        len(named_bots), totals.match_count, counts["over",], counts["unwon",], counts["shared",], capped,
        compute_seat_stats(totals, len(named_bots), family.seats), compute_skill_stats(totals, named_bots, family),
        decisions, compute_distribution(totals.get_column("turns")),
        compute_distribution(rounds) if any(rounds) else None, judge_length(decisions, capped, lost),
        compute_choice_stats(totals, capped), compute_lead_stats(totals, family.chapters), compute_score_stats(totals),
    )  # fmt: skip


# ---------------------------------------------------------------- fairness
def count_independent_shares(totals: MatchTotals, column: int, players: int) -> float:
    """Return the effective number of independent shares of wins by player (column 0) or seat (column 1).

    With two players, one share nearly determines the other. With their correlation r, the number is 2 - r². Source: D.
    R. Nyholt, A simple correction for multiple testing, American Journal of Human Genetics 74, 2004."""
    if players != 2:
        return players
    one, other = compute_win_shares(totals, column, 2, 1)
    of, both = one.of, totals["matches"]["shared",]
    varied = one.count * (of - one.count) * other.count * (of - other.count)
    return 2 - (both * of - one.count * other.count) ** 2 / varied if varied else 2


def compute_win_shares(totals: MatchTotals, column: int, players: int, interval_count: float) -> tuple[Share, ...]:
    """Return the shares of wins by player (column 0) or seat (column 1)."""
    won, sat = Counter[TableKey](), Counter[TableKey]()
    for table, sums in (("won", won), ("sat", sat)):
        for key, count in totals[table].items():
            sums[key[column],] += count
    return tuple(estimate_share(won[at,], sat[at,], interval_count) for at in range(players))


def compute_fair_share(shares: Sequence[Share]) -> float:
    """Return the mean share of wins: the share of each player if all are equal."""
    over = sum(share.of for share in shares)
    return sum(share.count for share in shares) / over if over else 0.0


def compute_seat_stats(totals: MatchTotals, players: int, interval_count: float) -> Seats:
    shares = compute_win_shares(totals, 1, players, interval_count)
    fair = compute_fair_share(shares)
    names = [f"seat {at + 1}" for at in range(players)]
    return Seats(
        fair, shares, judge_equality(names, shares, fair, interval_count, "No seat bias: each seat", totals.match_count)
    )


def judge_equality(
    names: Sequence[str], shares: Sequence[Share], fair: float, interval_count: float, equal: str, matches_played: int
) -> Verdict:
    """Judge whether all win equally often, as far as the matches show. `equal` starts a verdict of equality."""
    if len(shares) == 1:
        return Verdict("plain", "This is a solo game, so there are no opponents to compare.")
    if not fair:
        return Verdict("few", "No match had a winner.")
    if fair == 1:
        return Verdict("plain", "All players win every match together.")
    chances = [min(1.0, interval_count * compute_binomial_p_value(share.of, share.count, fair)) for share in shares]
    biased_seats = [at for at, chance in enumerate(chances) if chance < SEAT_BIAS_LEVEL]
    if biased_seats:
        deviations = join_phrases(
            [
                f"{names[at]} wins {format_percent(shares[at].share)} {format_interval(shares[at])}"
                for at in biased_seats
            ]
        )
        rare = format_rarity(min(chances[at] for at in biased_seats))
        return Verdict(
            "bad",
            f"Seat bias: {deviations}. A fair share is {format_percent(fair)}. Chance alone would show this {rare}.",
        )
    off = max(max(share.high - fair, fair - share.low) for share in shares)
    if off <= SHARE_TOLERANCE * fair:
        return Verdict("good", f"{equal} is within {format_points(off)} of a fair share ({format_percent(fair)}).")
    # at least twice as many: intervals are asymmetric, and some matches don't finish
    more = max(compute_sample_size(fair, SHARE_TOLERANCE * fair, interval_count), 2 * matches_played)
    return Verdict(
        "few",
        f"Too few matches to tell: {format_matches(matches_played)} can hide a difference of {format_points(off)}. "
        f"Use --games {more}.",
    )


# ---------------------------------------------------------------- skill
def compute_skill_stats(totals: MatchTotals, named_bots: Sequence[tuple[str, str]], family: TestFamily) -> Skill:
    cost = compute_random_move_cost(totals, family.chapters)
    differ = len({bot for _, bot in named_bots}) > 1
    if not differ:
        return Skill(
            (), cost, judge_random_move_cost(cost, len(named_bots), count_choices_per_player(totals, len(named_bots)))
        )
    shares = compute_win_shares(totals, 0, len(named_bots), family.players)
    players = tuple(Player(name, bot, player) for (name, bot), player in zip(named_bots, shares, strict=True))
    names = [f"{player.name} ({player.bot})" for player in players]
    return Skill(players, cost, judge_bots(names, shares, family.players, totals.match_count))


def compute_random_move_cost(totals: MatchTotals, interval_count: int) -> Cost | None:
    tried = {str(key[0]): count for key, count in totals["tried"].items()}
    of, full_win = tried.get("decisions", 0), BELIEF_SAMPLES * FULL_WIN
    if not of:
        return None
    best, any_ = tried.get("best", 0), tried.get("any", 0)
    mean, low, high = estimate_mean(best - any_, tried.get("squares", 0), of, interval_count)
    return Cost(of, best / of / full_win, any_ / of / full_win, mean / full_win, low / full_win, high / full_win)


def count_choices_per_player(totals: MatchTotals, players: int) -> float:
    """Return the mean number of decisions with several legal moves, per player and match."""
    several = sum(count for moves, count in totals.get_column("offered").items() if moves > 1)
    return several / max(1, totals.match_count * players)


def judge_random_move_cost(cost: Cost | None, players: int, choices_per_player: float) -> Verdict:
    """Judge the cost of a random move.

    `choices_per_player` is the number of decisions with several moves, per player and match. The verdict weighs the
    cost times `choices_per_player`."""
    if players == 1:
        return Verdict("plain", "This is a solo game, so there are no opponents to beat.")
    if cost is None:
        return Verdict("few", "No decision had moves to compare.")
    text = f"one random move instead of the best {format_cost(cost)}"
    times = f"Each player makes {format_grouped_count(round(choices_per_player), 'such decision')} per match"
    if cost.low > 0:
        return Verdict("good", f"Skill matters: {text}. {times}.")
    if cost.high * max(1.0, choices_per_player) < SHARE_TOLERANCE / players:
        return Verdict("bad", f"Skill hardly matters: {text}. {times}.")
    half = (cost.high - cost.low) / 2
    more = round_up(count_matches_for(ceil(cost.decisions * (half / max(abs(cost.cost), MIN_COST)) ** 2)))
    return Verdict(
        "few", f"Too few decisions to tell: {text}. {times}, so even small costs add up. Use --games {more}."
    )


def format_cost(cost: Cost) -> str:
    interval = f"{format_signed_points(cost.low)} to {format_signed_points(cost.high)}"
    if cost.cost > 0:
        return f"costs {format_signed_points(cost.cost)} ({interval}) percentage points of win rate"
    return f"shows no cost ({interval} percentage points of win rate; below 0 is sampling error)"


def judge_bots(names: Sequence[str], shares: Sequence[Share], interval_count: float, played: int) -> Verdict:
    equality = judge_equality(
        names, shares, compute_fair_share(shares), interval_count, "Skill makes no difference: each player", played
    )
    if equality.kind == "bad":
        order = sorted(range(len(names)), key=lambda at: -shares[at].share)
        deviations = join_phrases(
            [f"{names[at]} wins {format_percent(shares[at].share)} {format_interval(shares[at])}" for at in order]
        )
        return Verdict("good", f"Skill matters: {deviations}.")
    return Verdict("bad", equality.text) if equality.kind == "good" else equality


# ---------------------------------------------------------------- length
def describe_endless_option(totals: MatchTotals, decisions: int, options: Mapping[TableKey, str]) -> str:
    """Return a sentence on the option that took most decisions of the matches without an end, or an empty string."""
    name, times = max(
        ((name, totals["times_capped"][rule_position]) for rule_position, name in options.items()),
        key=lambda option_count: option_count[1], default=("", 0),
    )  # fmt: skip
    share = f"{format_percent(times / decisions)} of all decisions were “{name}”." if 2 * times > decisions else ""
    return share and f" In these, {share}"


def judge_length(decisions: Spread, capped: int, endless_text: str) -> Verdict:
    low, high, most = f"{decisions.quarter:,}", f"{decisions.three_quarters:,}", f"{decisions.highest:,}"
    text = f"Half of all matches take {low if low == high else f'{low} to {high}'} decisions; the longest took {most}."
    if decisions.lowest == decisions.highest:
        text = f"Every match takes {most} decisions."
    if not capped:
        return Verdict("plain", text)
    part = format_percent(capped / decisions.matches)
    return Verdict("bad", f"{format_matches(capped)} ({part}) hit the move limit.{endless_text} {text}")


# ---------------------------------------------------------------- choices
def compute_choice_stats(totals: MatchTotals, capped: int) -> Choices:
    offered, turns = totals.get_column("offered"), compute_distribution(totals.get_column("turns"))
    total, begun = sum(offered.values()), sum(number * count for number, count in turns.counts)
    forced = estimate_share(offered.get(1, 0), total)
    several = (total - forced.count) / begun if begun else 0.0
    verdict = judge_choices(forced, offered, capped)
    return Choices(tuple(offered.items()), compute_distribution(offered).median, forced, several, verdict)


def judge_choices(forced: Share, offered: Mapping[int, int], capped: int) -> Verdict:
    if not forced.of:
        return Verdict("bad", "No player ever had a decision.")
    if forced.count == forced.of:
        return Verdict("bad", "There is no choice: every decision had a single legal move.")
    alone = f"{format_percent(forced.share)} of decisions had a single legal move"
    if forced.share > FORCED_THRESHOLD:
        return Verdict("bad", f"Most decisions are forced: {alone}.")
    most = f"{alone}; the most was {max(offered):,} moves."
    if capped:
        return Verdict("plain", f"{most} Many of these may come from matches that hit the move limit.")
    return Verdict("good", f"There is a choice: {most}")


# ---------------------------------------------------------------- the whole report
@frozen
class PlayedMatches:
    """Matches at one player count.

    `seating` has the name and the type of bot of each player. `requested` matches were requested, with seeds from
    `seed` on. Each match is stopped after `cap` decisions."""

    seating: tuple[tuple[str, str], ...]
    requested: int
    seed: int
    cap: int
    totals: MatchTotals


def compute_balance(game: g.Game, played: Sequence[PlayedMatches], interrupted: bool = False) -> Balance:
    """Return all figures of a game. `played` has one entry per player count, at least one."""
    several = [run for run in played if len(run.seating) > 1]
    differing = [run for run in several if len({bot for _, bot in run.seating}) > 1]
    family = TestFamily(
        sum(count_independent_shares(run.totals, 1, len(run.seating)) for run in several),
        sum(count_independent_shares(run.totals, 0, len(run.seating)) for run in differing),
        len(several),
    )
    totals = [run.totals for run in played]
    rule_uses = compute_rule_uses(game, totals)
    nothing = find_unused(game, {len(run.seating): run.totals for run in played})
    options: dict[TableKey, str] = {encode_span(game, span): name for span, name in name_options(game).items()}
    first = played[0]
    return Balance(
        game.title, game.variant, game.sources[0].name, first.seed, first.cap, first.requested, interrupted,
        tuple(compute_player_count_stats(run.seating, run.totals, family, run.cap, options) for run in played),
        rule_uses, judge_uses(rule_uses), *nothing,
    )  # fmt: skip
