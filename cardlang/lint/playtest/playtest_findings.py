"""Rules for uncovered code, matches that do not end, and biased seats."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from math import exp, lgamma, log

from attrs import frozen

from cardlang import model as g
from cardlang.diagnostics import Span
from cardlang.lint.playtest.playtest_report import MATCH_RULES, PlaytestReport, PlaytestResult, rule
from cardlang.lint.rule_registry import Finding
from cardlang.model import Game
from cardlang.model.traversal import collect_all_nodes, iter_reachable_bodies, walk

StatementBody = tuple[g.Stmt, ...]


@frozen
class CoverageBranch:
    """Branch of a statement.

    `coverage_span` is the place that coverage records. `span` is the place to report, and `message` the message."""

    coverage_span: Span
    span: Span
    message: str
    body: StatementBody


@rule("N501", "Never reached in play")
def find_unreached_code(report: PlaytestReport) -> Iterator[Finding]:
    """None of the random matches of `cardlang check --play` or `cardlang simulate`
    reached this option, reaction, branch, case, rank or step. Check whether it can
    happen at all. If it is only rare, or takes skilled play, nothing is wrong.

    Wrong:

        step play
          shuffle deck
          each player
            deal top 4 of deck to your hand
            if count of your hand > 4
              add 1 to your score

    Right:

        step play
          shuffle deck
          each player
            deal top 4 of deck to your hand
            if count of your hand = 4
              add 1 to your score
    """
    reached = frozenset(span for result in report.results for span in result.reached)
    for span, message in find_coverage_gaps(report.game, reached):
        yield Finding(span, f"{message} in {report.matches_label}")
    for span, results in report.group_moves():
        found = [result.taken_cards[span] for result in results]
        is_negative = all(each.executions == each.negative_requests for each in found)
        if not is_negative and not any(each.max_available for each in found):
            yield Finding(span, f"there were never any cards here in {report.matches_label}")


CoverageGap = tuple[Span, str]


def find_coverage_gaps(game: g.Game, covered_spans: frozenset[Span]) -> Iterator[CoverageGap]:
    """Yield each option, reaction, branch, case, rank and step of the game's own file that was never reached.

    `covered_spans` are the covered places. Parts nested in unreached code are left out."""
    seeker = CoverageGapFinder(game, covered_spans)
    found = [*seeker.find_unreached_branches(), *seeker.find_unused_cases(), *seeker.find_missing_ranks()]
    yield from sorted((each for each in found if each[0].source is game.sources[0]), key=lambda each: each[0].start)


class CoverageGapFinder:
    def __init__(self, game: g.Game, covered_spans: frozenset[Span]) -> None:
        self.game = game
        self.covered_spans = covered_spans
        self.announced: set[str] = set()
        self.called_steps: set[str] = set()

    def find_unreached_branches(self) -> Iterator[CoverageGap]:
        """Yield the unreached branches of reached bodies. Steps and reactions count only if a reached statement calls
        them."""
        for body in self.iter_reached_bodies():
            yield from self.find_gaps_in_body(body)
        for step in self.game.steps.values():
            if step.name in self.called_steps and step.body and step.body[0].span not in self.covered_spans:
                yield step.origin.name, f"the step `{step.name}` never ran"
        for reaction in self.game.reactions:
            if self.announced & set(reaction.to) and reaction.option.span not in self.covered_spans:
                yield reaction.origin.name, f"no player reacted with `{reaction.name}`"

    def iter_reached_bodies(self) -> Iterator[StatementBody]:
        bodies = [step.body for step in self.game.steps.values()]
        bodies += [reaction.option.body for reaction in self.game.reactions]
        bodies += [trigger.body for trigger in self.game.enters] + [trigger.body for trigger in self.game.whenevers]
        bodies += [each.body for borne in self.game.borne_steps.values() for each in borne.bodies if each]
        yield from dict.fromkeys(body for body in bodies if body and body[0].span in self.covered_spans)

    def find_gaps_in_body(self, body: StatementBody) -> Iterator[CoverageGap]:
        for statement in body:
            if isinstance(statement, g.Do):
                self.called_steps.add(statement.step)
            elif isinstance(statement, g.Announce):
                self.announced.add(statement.name)
            for branch in iter_branches(statement):
                if branch.coverage_span in self.covered_spans:
                    yield from self.find_gaps_in_body(branch.body)
                else:
                    yield branch.span, branch.message

    def find_unused_cases(self) -> Iterator[CoverageGap]:
        """Yield the unreached cases of definitions that were evaluated."""
        for part in collect_all_nodes(self.game):
            if isinstance(part, g.Cases):
                values = [value.span for value, _ in part.cases]
                if self.covered_spans & set(values):
                    yield from ((span, "this case was never used") for span in values if span not in self.covered_spans)

    def find_missing_ranks(self) -> Iterator[CoverageGap]:
        """Yield the ranks that no player had, of rankings that were evaluated. Groups of cards have no overall rank."""
        for ranking in self.game.rankings.values():
            if ranking.size != "groups" and any(rank.span in self.covered_spans for rank in ranking.ranks):
                never = [rank for rank in ranking.ranks if rank.span not in self.covered_spans]
                yield from ((rank.span, f"no player had a `{rank.title}`") for rank in never)


def iter_branches(statement: g.Stmt) -> Iterator[CoverageBranch]:
    match statement:
        case g.If(condition=condition, then=then, otherwise=otherwise):
            yield from build_branches(then, condition.span, "this `if` was never true")
            yield from build_branches(otherwise, None, "this `otherwise` was never reached")
        case g.Each(together=True, body=body):
            yield from (branch for each in body for branch in iter_branches(each))
        case g.Each(body=body) | g.Repeat(body=body):
            yield from build_branches(body, statement.span, "this loop never started")
        case g.Choose(body=body, otherwise=otherwise):
            yield from build_branches(body, statement.span, "nothing was ever chosen here")
            yield from build_branches(otherwise, None, "this `otherwise` was never reached")
        case g.Pick(otherwise=otherwise):
            yield from build_branches(otherwise, None, "this `otherwise` was never reached")
        case g.Menu(options=options) | g.Offer(options=options):
            for option in options:
                yield CoverageBranch(
                    option.span, option.span, f"the option `{option.name}` was never chosen", option.body
                )
            yield from build_branches(statement.otherwise, None, "this `otherwise` was never reached")
        case g.Announce(body=body, otherwise=otherwise):
            yield from build_branches(body, statement.span, "this announcement was never carried out")
            yield from build_branches(otherwise, None, "this `otherwise` was never reached")


def build_branches(body: StatementBody, span: Span | None, message: str) -> Iterator[CoverageBranch]:
    doing = [statement for statement in body if not isinstance(statement, g.Aside)]
    if doing:
        yield CoverageBranch(body[0].span, span or doing[0].span, message, body)


# ---------------------------------------------------------------- matches that do not end
MOVE_LIMIT = 3_000
"""Move limit of a match."""


@MATCH_RULES.rule("N502", "Match doesn't end", checks_libraries=True)
def find_endless_matches(report: PlaytestReport) -> Iterator[Finding]:
    """Some matches of `cardlang check --play` hadn't ended at the move limit. The
    message shows the loop they were in. The moves were random. If people could go
    on forever as well, say when the game ends; if not, nothing is wrong.

    Wrong:

        step play
          repeat until leader's score > 30
            each player
              you choose one
                option climb
                  add 1 to your score
                option fall
                  set your score to 0

    Right:

        step play
          repeat until leader's score > 30
            each player
              you choose one
                option climb
                  add 1 to your score
                option jump
                  add 2 to your score
    """
    results_by_loop: dict[Span, list[PlaytestResult]] = {}
    for result in report.results:
        for span in {span or get_first_line_span(result.game) for _, span in result.unended}:
            results_by_loop.setdefault(span, []).append(result)
    for span, results in results_by_loop.items():
        counts = ", ".join(f"{len(each.unended)} of {each.matches} of {each.label}" for each in results)
        yield Finding(
            span,
            f"matches are still in this loop after {MOVE_LIMIT:,} decisions: {counts} "
            f"(first with seed {results[0].unended[0][0]})",
            "moves were random. If people could also go on for ever, add a rule that ends the game",
        )


def get_first_line_span(game: Game) -> Span:
    source = game.sources[0]
    return Span(source, 0, len(source.get_line(1)))


def find_endless_loop(game: g.Game, covered_spans: frozenset[Span]) -> Span | None:
    """Return the outermost of the loops in `covered_spans`: the loop in which an endless match is stuck."""
    loops = [
        part
        for part in collect_all_nodes(game)
        if isinstance(part, g.Repeat) and part.body and part.body[0].span in covered_spans
    ]
    inside = {id(part) for loop in loops for body in iter_reachable_bodies(game, loop.body) for part in walk(body)}
    return next((loop.span for loop in loops if id(loop) not in inside), loops[0].span if loops else None)


# ---------------------------------------------------------------- seat bias
SEAT_BIAS_LEVEL = 0.001
"""Significance level for seat bias, after the correction for multiple tests."""
SUM_PRECISION = 1e-18
"""Precision of sums: smaller relative terms are dropped once the terms decrease."""


@MATCH_RULES.rule("N503", "Seat bias")
def find_seat_bias(report: PlaytestReport) -> Iterator[Finding]:
    """In the matches of `cardlang check --play`, one seat won more or less often than
    the others. The probability that chance alone makes such a difference is below
    1 in 1,000 (exact binomial test, corrected for the number of seats). Check
    whether the same player always leads or deals. To find smaller differences,
    play more matches: `cardlang simulate FILE --games 20000`.

    Wrong:

        step play
          each player where seat = 1
            add 1 to your score

    Right:

        step play
          add 1 to leader's score
    """
    # A single note, because one cause can affect all seats.
    test_count, told = sum(result.players for result in report.results), []
    for result in report.results:
        found = find_biased_seats(result.ended, result.wins, test_count)
        if found:
            share = sum(result.wins) / result.players
            seats = ", ".join(f"seat {seat + 1} won {result.wins[seat]}" for seat, _ in found)
            told.append(
                f"in {result.ended} matches of {result.label}, {seats}, with a mean of {share:.0f}: "
                f"by chance alone, this happens {format_rarity(min(chance for _, chance in found))}"
            )
    if told:
        hint = "moves were random. `cardlang simulate --bot rollout` plays better"
        yield Finding(get_first_line_span(report.game), "; ".join(told), hint)


def compute_binomial_p_value(matches: int, wins: int, share: float) -> float:
    """Return the p-value of an exact binomial test, two-sided: twice the smaller tail."""
    if not 0 < share < 1:
        return 1.0
    expected = matches * share
    below, above = 0.0, 0.0
    for each in range(wins, -1, -1):
        below += (one := compute_binomial_mass(matches, each, share))
        if each < expected and one <= below * SUM_PRECISION:
            break
    for each in range(wins, matches + 1):
        above += (one := compute_binomial_mass(matches, each, share))
        if each > expected and one <= above * SUM_PRECISION:
            break
    return min(1.0, 2 * min(below, above))


def compute_binomial_mass(matches: int, wins: int, share: float) -> float:
    ways = lgamma(matches + 1) - lgamma(wins + 1) - lgamma(matches - wins + 1)
    return exp(ways + wins * log(share) + (matches - wins) * log(1 - share))


def find_biased_seats(matches: int, wins: Sequence[int], test_count: int) -> list[tuple[int, float]]:
    """Return the seats (from 0) whose wins differ significantly from the mean, with their p-values.

    `test_count` is the number of figures tested in all. The p-values are multiplied by it (Bonferroni)."""
    share = sum(wins) / (len(wins) * matches) if matches else 0.0
    chances = [
        (seat, min(1.0, test_count * compute_binomial_p_value(matches, won, share))) for seat, won in enumerate(wins)
    ]
    return [(seat, chance) for seat, chance in chances if chance < SEAT_BIAS_LEVEL]


def format_rarity(chance: float) -> str:
    """Return a probability in words, such as `once in 5,000`."""
    return f"once in {1 / chance:,.0f}" if chance > 1e-9 else "never"
