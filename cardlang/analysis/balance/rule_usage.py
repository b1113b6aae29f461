"""Usage of options, rules and cards, and their effect on winning."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from typing import Literal

import attrs
from attrs import frozen

from cardlang import model as g
from cardlang.analysis.balance.match_stats import encode_span
from cardlang.analysis.balance.match_totals import MatchTotals, TableKey
from cardlang.analysis.balance.report_statistics import (
    Unused,
    Use,
    Verdict,
    adjust_p_values,
    estimate_share,
    format_grouped_count,
    format_matches,
)
from cardlang.diagnostics import Span
from cardlang.english.morphology import join_phrases
from cardlang.lint.playtest.playtest_findings import compute_binomial_p_value, find_coverage_gaps
from cardlang.model.statement_effects import find_effects
from cardlang.model.traversal import collect_all_nodes, walk

USAGE_LEVEL = 0.01
"""Significance level of win ratios, after the correction for multiple tests."""
UsageKind = Literal["option", "reaction", "case", "rank", "step", "held", "played"]


@frozen
class CountedItem:
    """Rule or card whose uses are counted. `table` and `key` locate its counts in `MatchTotals`."""

    kind: UsageKind
    name: str
    span: Span
    table: str
    key: TableKey


def list_counted_items(game: g.Game) -> Iterator[CountedItem]:
    for kind, name, span in list_countable_rules(game):
        table = "read" if kind == "rank" else "used"
        yield CountedItem(kind, name, span, table, encode_span(game, span))
    for face in game.faces:
        yield CountedItem("held", face.title, face.span, "held", (face.number,))
        yield CountedItem("played", face.title, face.span, "played", (face.number,))


def list_countable_rules(game: g.Game) -> Iterator[tuple[UsageKind, str, Span]]:
    """Yield all rules that can be used, with the span that coverage records for them."""
    seen, names = set[Span](), name_options(game)
    for part in collect_all_nodes(game):
        yield from (("option", names[option.span], option.span) for option in find_effects(part).options)
        if isinstance(part, g.Cases):
            for value, _ in part.cases:
                if value.span not in seen:
                    seen.add(value.span)
                    yield "case", get_source_line(value.span), value.span
    for reaction in game.reactions:
        yield "reaction", reaction.name, reaction.option.span
    for ranking in game.rankings.values():
        yield from (("rank", rank.title, rank.span) for rank in ranking.ranks)
    for step in game.steps.values():
        if step.body:
            yield "step", step.name, step.body[0].span


def get_source_line(span: Span) -> str:
    return span.source.get_line(span.line).strip()


def name_options(game: g.Game) -> dict[Span, str]:
    """Return the names of options. Options with equal names get the name of their step in parentheses."""
    names_by_span = {
        option.span: option.name for part in collect_all_nodes(game) for option in find_effects(part).options
    }
    times = Counter(names_by_span.values())
    for step in game.steps.values():
        for part in walk(step.body):
            for option in find_effects(part).options:
                if times[option.name] > 1:
                    names_by_span[option.span] = f"{option.name} ({step.name})"
    return names_by_span


def find_unevaluated_cases(game: g.Game, chapters: Sequence[MatchTotals]) -> set[Span]:
    """Return cases of definitions that play never evaluates.

    They are only displayed, so their uses can't be counted."""
    every = [[value.span for value, _ in part.cases] for part in collect_all_nodes(game) if isinstance(part, g.Cases)]
    counted = {rule_position for totals in chapters for rule_position in totals["times_used"]}
    return {span for spans in every if not counted & {encode_span(game, span) for span in spans} for span in spans}


def compute_rule_uses(game: g.Game, chapters: Sequence[MatchTotals]) -> tuple[Use, ...]:
    """Return the uses of all rules and cards, rarest first. Unused library rules are left out.

    `chapters` has the sums of each player count."""
    left = find_unevaluated_cases(game, chapters)
    counted = [item for item in dict.fromkeys(list_counted_items(game)) if item.kind != "case" or item.span not in left]
    rule_uses = [compute_rule_use(game, item, chapters) for item in counted]
    # Drop library rules that this game never reaches. Library cards are part of the game, so they stay.
    game_file = game.sources[0].name
    rule_uses = [
        rule_use
        for rule_use in rule_uses
        if rule_use.matches or rule_use.file == game_file or rule_use.kind in ("held", "played")
    ]
    chances = adjust_p_values([rule_use.chance for rule_use in rule_uses])
    adjusted = [attrs.evolve(rule_use, chance=chance) for rule_use, chance in zip(rule_uses, chances, strict=True)]
    return tuple(
        sorted(
            adjusted,
            key=lambda rule_use: (rule_use.kind, rule_use.matches, rule_use.players, rule_use.file, rule_use.line),
        )
    )


def compute_rule_use(game: g.Game, item: CountedItem, chapters: Sequence[MatchTotals]) -> Use:
    players = won = matches = times = 0
    expected = 0.0
    for totals in chapters:
        done, winners = (sum(totals[item.table][*item.key, won_kind] for won_kind in kinds) for kinds in ((0, 1), (1,)))
        players, won = players + done, won + winners
        over = totals["sat"].total()  # the win rate of all players together
        expected += done * totals["won"].total() / over if over else 0.0
        if item.table in ("held", "played"):
            matches += totals["matches_" + item.table][item.key]
        else:
            matches += totals["matches_used"][item.key]
            times += totals["times_used"][item.key]
    ratio, chance = compute_win_ratio(players, won, expected)
    where = (item.span.source.name, item.span.line)
    return Use(item.kind, item.name, *where, matches, times, players, won, expected, *ratio, chance)


RatioInterval = tuple[float | None, float | None, float | None]


def compute_win_ratio(players: int, won: int, expected: float) -> tuple[RatioInterval, float]:
    """Return the win ratio of players who used something, with its confidence interval, and its p-value."""
    if not expected or expected >= players:
        return (None, None, None), 1.0
    fair, share = expected / players, estimate_share(won, players)
    return (share.share / fair, share.low / fair, share.high / fair), compute_binomial_p_value(players, won, fair)


def judge_uses(rule_uses: Sequence[Use]) -> Verdict:
    better = [
        rule_use
        for rule_use in rule_uses
        if rule_use.chance < USAGE_LEVEL and rule_use.ratio is not None and rule_use.kind != "step"
    ]
    order = sorted(better, key=lambda rule_use: -abs((rule_use.ratio or 1) - 1))
    once: dict[tuple[str, int, str], Use] = {}  # a card both had and chosen counts once
    for rule_use in order:
        once.setdefault((rule_use.file, rule_use.line, rule_use.name), rule_use)
    strong = list(once.values())[:3]
    if not strong:
        return Verdict("plain", "No option, rank or card has a significant link with winning.")
    claims = join_phrases(
        [f"{describe_use(rule_use)} win {rule_use.ratio:.2f} times their fair share" for rule_use in strong]
    )
    return Verdict("plain", f"Strongest links with winning: {claims}. These need not be causes.")


def describe_use(rule_use: Use) -> str:
    if rule_use.kind == "held":
        return f"players who had {rule_use.name}"
    if rule_use.kind == "played":
        return f"players who chose {rule_use.name}"
    return f"players with “{rule_use.name}” (line {rule_use.line})"


# ---------------------------------------------------------------- unused rules and cards
def find_unused(game: g.Game, chapters: Mapping[int, MatchTotals]) -> tuple[tuple[Unused, ...], Verdict]:
    """Return rules and cards that no match used at any player count, and a verdict."""
    played = format_matches(sum(totals.match_count for totals in chapters.values()))
    reached = frozenset(
        restore_span(game, rule_position) for totals in chapters.values() for rule_position in totals["times_used"]
    )
    unused = [
        Unused(span.source.name, span.line, add_source_line(words, span))
        for span, words in find_coverage_gaps(game, reached)
    ]
    unused += find_unchosen_cards(game, list(chapters.values()))
    left = tuple(find_left_out_cards(game, chapters))
    if not unused:
        used = f"All rules of the file{' and all cards' if not left else ''} were used in {played}."
        return left, Verdict("good", used + (" Some cards never left the place where setup puts them." if left else ""))
    return (*unused, *left), Verdict("bad", f"Some rules or cards were never used or never reached in {played}.")


def add_source_line(message: str, span: Span) -> str:
    """Return the message, with the source line if it names no rule."""
    return f"{message}: {get_source_line(span)}" if message.startswith("this ") else message


def find_unchosen_cards(game: g.Game, chapters: Sequence[MatchTotals]) -> Iterator[Unused]:
    """Yield a line on cards that players had but never chose, if the game has choices of cards.

    Unfinished matches count."""
    had = {int(key[0]) for totals in chapters for key in totals["matches_held"]}
    chosen = {int(key[0]) for totals in chapters for key in totals["matches_played"]}
    rest = [face for face in game.faces if chosen and face.number in had - chosen]
    if rest:
        yield Unused(rest[0].span.source.name, rest[0].span.line, f"never chosen: {format_titles(rest)}")


def find_left_out_cards(game: g.Game, chapters: Mapping[int, MatchTotals]) -> Iterator[Unused]:
    """Yield cards that stayed in one zone of the table in every match, from the first choice to the end.

    Setup leaves them out, or no rule brings them into play. They are grouped by player count and zone."""
    for players, totals in chapters.items():
        had = {int(key[0]) for key in totals["matches_held"]}
        zones: dict[int, set[str]] = {}
        for face, zone in totals["lay"]:
            zones.setdefault(int(face), set()).add(str(zone))
        for zone in sorted({next(iter(face_zones)) for face_zones in zones.values() if len(face_zones) == 1}):
            faces = [face for face in game.faces if face.number not in had and zones.get(face.number) == {zone}]
            if faces:
                what = f"with {format_grouped_count(players, 'player')}, always left in {zone}: {format_titles(faces)}"
                yield Unused(faces[0].span.source.name, faces[0].span.line, what)


def format_titles(faces: Sequence[g.Face]) -> str:
    return join_phrases([face.title for face in faces])


def restore_span(game: g.Game, place: TableKey) -> Span:
    source, start, end = map(int, place)
    return Span(game.sources[source], start, end)
