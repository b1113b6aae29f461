"""Lint rules for uncovered rules and biased seats, and the results of playtests."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from math import exp, lgamma, log

from attrs import define, field, frozen

from cardlang import model as g
from cardlang.diagnostics import Diagnostic, Span
from cardlang.lint.static.execution_order import get_own_source
from cardlang.model import Game
from cardlang.model.traversal import collect_all_nodes, iter_reachable_bodies, walk
from interpreter.program.coverage import TakeStatistics

StatementBody = tuple[g.Stmt, ...]
NEVER_REACHED_CODE = "N501"


@frozen
class CoverageBranch:
    """Branch of a statement.

    `coverage_span` is the place that coverage records. `span` is the place to report, and `message` the message."""

    coverage_span: Span
    span: Span
    message: str
    body: StatementBody


def check_coverage(game: g.Game, covered_spans: frozenset[Span], match_count_text: str) -> Iterator[Diagnostic]:
    """Yield a note for each option, reaction, branch, case, rank and step of the game's own file that was never
    reached.

    `covered_spans` are the covered places. Parts nested in unreached code are left out. `match_count_text` is the
    number of matches, in words."""
    for span, words in find_coverage_gaps(game, covered_spans):
        yield Diagnostic(NEVER_REACHED_CODE, f"{words} in {match_count_text}", span, warning=True)


CoverageGap = tuple[Span, str]


def find_coverage_gaps(game: g.Game, covered_spans: frozenset[Span]) -> Iterator[CoverageGap]:
    """Yield the places that `check_coverage` reports, with a message each."""
    seeker = CoverageGapFinder(game, covered_spans)
    found = [*seeker.find_unreached_branches(), *seeker.find_unused_cases(), *seeker.find_missing_ranks()]
    yield from sorted(
        (each for each in found if each[0].source is get_own_source(game)), key=lambda each: each[0].start
    )


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
        case g.Choose(body=body):
            yield from build_branches(body, statement.span, "nothing was ever chosen here")
        case g.Menu(options=options) | g.Offer(options=options):
            for option in options:
                yield CoverageBranch(
                    option.span, option.span, f"the option `{option.name}` was never chosen", option.body
                )
            if isinstance(statement, g.Offer):
                yield from build_branches(statement.otherwise, None, "this `otherwise` was never reached")
        case g.Announce(body=body, otherwise=otherwise):
            yield from build_branches(body, statement.span, "this announcement was never carried out")
            yield from build_branches(otherwise, None, "this `otherwise` was never reached")


def build_branches(body: StatementBody, span: Span | None, message: str) -> Iterator[CoverageBranch]:
    doing = [statement for statement in body if not isinstance(statement, g.Aside)]
    if doing:
        yield CoverageBranch(body[0].span, span or doing[0].span, message, body)


def find_endless_loop(game: g.Game, covered_spans: frozenset[Span]) -> Span | None:
    """Return the outermost of the loops in `covered_spans`: the loop in which an endless match is stuck."""
    loops = [
        part
        for part in collect_all_nodes(game)
        if isinstance(part, g.Repeat) and part.body and part.body[0].span in covered_spans
    ]
    inside = {id(other) for loop in loops for other in iter_inner_loops(game, loop)}
    return next((loop.span for loop in loops if id(loop) not in inside), loops[0].span if loops else None)


def iter_inner_loops(game: g.Game, loop: g.Repeat) -> Iterator[g.Repeat]:
    for body in iter_reachable_bodies(game, loop.body):
        yield from (part for part in walk(body) if isinstance(part, g.Repeat))


# ---------------------------------------------------------------- binomial tests of seats
@define
class ReadCounts:
    """Read counts of a value at one place of the rules, from the second round on.

    `stale` counts the reads of a value that was chosen in an earlier round.
    """

    total: int = 0
    stale: int = 0


@define
class RemainingCards:
    """Card counts of a zone over all deals.

    - `deals`: deals observed to their end
    - `fewest_dealt`: fewest cards that a player had when the first card of a deal was played
    - `fewest_left`: fewest cards that a player had at the end of a deal
    """

    deals: int = 0
    fewest_dealt: int = 0
    fewest_left: int = 0

    def add_deal(self, dealt: list[int], cards_left: list[int]) -> None:
        self.fewest_dealt = min(dealt) if not self.deals else min(self.fewest_dealt, *dealt)
        self.fewest_left = min(cards_left) if not self.deals else min(self.fewest_left, *cards_left)
        self.deals += 1


SEAT_BIAS_LEVEL = 0.001
"""Significance level for seat bias, after the correction for multiple tests."""
SUM_PRECISION = 1e-18
"""Precision of sums: smaller relative terms are dropped once the terms decrease."""
MIN_BIAS_MATCHES = 20_000
"""Number of matches after which an effect that isn't significant is considered absent."""


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


@define
class PlaytestResult:
    """Result of the playtest of one game at one player count.

    - `wins`: by seat, shared wins included
    - `ended`: matches that reached their end
    - `unended`: seeds of matches that did not, each with the loop that it was in
    - `taken_cards`, `menu_counts`: cards found by moves and legal options of choices, from `CoverageProgram`
    - `remaining_cards`, `read_counts`, `known_draws`: unplayed cards, stale choices and known draws, from
      `UnplayedCardDetector`, `StaleChoiceDetector` and `KnownDrawDetector`
    - `constant_variables`: variables that named the same player in all rounds
    """

    game: Game
    players: int
    matches: int = 0
    ended: int = 0
    decisions: int = 0
    wins: list[int] = field(factory=list)
    unended: list[tuple[int, Span | None]] = field(factory=list)
    reached: frozenset[Span] = frozenset()
    taken_cards: dict[Span, TakeStatistics] = field(factory=dict)
    menu_counts: dict[Span, Counter[bool]] = field(factory=dict)
    remaining_cards: dict[str, RemainingCards] = field(factory=dict)
    read_counts: dict[tuple[str, Span], ReadCounts] = field(factory=dict)
    known_draws: dict[Span, Counter[bool]] = field(factory=dict)
    constant_variables: frozenset[str] = frozenset()
    rule_error: Diagnostic | None = None

    @property
    def label(self) -> str:
        """Player count and variant, as text."""
        variant = "" if self.game.variant is None else f" in “{self.game.variant}”"
        return f"{self.players} player{'s' * (self.players > 1)}{variant}"

    def build_json(self) -> dict[str, object]:
        return {
            "players": self.players,
            "variant": self.game.variant,
            "matches": self.matches,
            "unended": len(self.unended),
            "decisions": self.decisions,
            "wins": self.wins,
        }
