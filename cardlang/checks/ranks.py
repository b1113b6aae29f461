"""Ranks that can never be read because one above them always can."""

from __future__ import annotations

from collections.abc import Iterator

from cardlang import game as g
from cardlang.source import Diagnostic


def check_ranks(game: g.Game) -> Iterator[Diagnostic]:
    for ranking in game.rankings.values():
        exact = ranking.size == "all"
        for place, rank in enumerate(ranking.ranks):
            above = next((r for r in ranking.ranks[:place] if always_beats(r, rank, exact)), None)
            if above is not None:
                yield Diagnostic(
                    "E301",
                    f"`{rank.title}` can never be read: whoever has it has `{above.title}` too, which ranks higher",
                    rank.span,
                    "put the rarer one first",
                    ((above.span, "this one ranks higher"),),
                )


def always_beats(above: g.Rank, rank: g.Rank, exact: bool) -> bool:
    """Whether all cards that make a rank make the one above as well. Sure if it says yes."""
    return bool(rank.patterns) and all(
        any(implied(general, pattern, exact) for general in above.patterns) for pattern in rank.patterns
    )


def implied(general: g.Pattern, special: g.Pattern, exact: bool) -> bool:
    """Whether the cards of a special pattern always hold a general one: each group of the general pattern finds a
    group of its own that is no smaller and has all its traits. `exact`: all cards must be used."""
    if not said(general.shared) <= said(special.shared):
        return False
    if exact and (len(general.groups) != len(special.groups)):
        return False
    return matches(list(general.groups), list(special.groups), exact)


def matches(general: list[g.Group], special: list[g.Group], exact: bool) -> bool:
    if not general:
        return True
    first, *rest = general
    return any(
        covers(first, group, exact) and matches(rest, special[:number] + special[number + 1 :], exact)
        for number, group in enumerate(special)
    )


def covers(general: g.Group, special: g.Group, exact: bool) -> bool:
    if general.set != special.set or not said(general.traits) <= said(special.traits):
        return False
    if general.condition is not None and not same_condition(general, special):
        return False
    if exact and not general.or_more:
        return general.count == special.count and not special.or_more
    return general.count <= special.count


def said(traits: tuple[g.Trait, ...]) -> set[tuple[str, str, int | None]]:
    return {(trait.word, trait.attribute, trait.low) for trait in traits}


def same_condition(general: g.Group, special: g.Group) -> bool:
    """Conditions written with the same words about the same thing."""
    if general.condition is None or special.condition is None:
        return False
    return general.condition.span.text == special.condition.span.text
