"""Check of ranks that are shadowed by a higher rank."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import combinations

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
                    f"`{rank.title}` is never reached: every such hand is also `{above.title}`, which ranks higher",
                    rank.span,
                    "put the rarer rank first",
                    ((above.span, "the higher rank"),),
                )


def always_beats(above: g.Rank, rank: g.Rank, exact: bool) -> bool:
    """Return whether all hands of a rank are also hands of a higher one. True is certain, False is not."""
    return bool(rank.patterns) and all(
        any(implied(general, pattern, exact) for general in above.patterns) for pattern in rank.patterns
    )


def implied(general: g.Pattern, special: g.Pattern, exact: bool) -> bool:
    """Return whether all hands of the special pattern also match the general one.

    Each group of the general pattern needs its own group of the special pattern, at least as large and with all its
    traits. Conditions between groups must hold. `exact` means that all cards must be used."""
    if not said(general.shared) <= said(special.shared):
        return False
    if exact and (len(general.groups) != len(special.groups)):
        return False
    return any(keeps_apart(general, special, found) for found in pairings(general.groups, special.groups, (), exact))


def pairings(
    general: Sequence[g.Group], special: Sequence[g.Group], found: tuple[int, ...], exact: bool
) -> Iterator[tuple[int, ...]]:
    """Yield all assignments of special groups to the general groups that are not yet in `found`."""
    if len(found) == len(general):
        yield found
        return
    for number, group in enumerate(special):
        if number not in found and covers(general[len(found)], group, exact):
            yield from pairings(general, special, (*found, number), exact)


def keeps_apart(general: g.Pattern, special: g.Pattern, found: tuple[int, ...]) -> bool:
    """Return whether groups that must differ in the general pattern also differ in the special one, and count once in
    both."""
    for one, two in combinations(range(len(found)), 2):
        apart = general.apart(one, two)
        if apart and not frozenset() < special.apart(found[one], found[two]) <= apart:
            return False
    names = {trait.attribute for trait in general.shared if trait.word != "one"}
    pairs = [(general.groups[one], special.groups[two]) for one, two in enumerate(found)]
    return all(one.ones & names == two.ones & names for one, two in pairs)


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
    """Return whether the conditions of two groups have the same wording."""
    if general.condition is None or special.condition is None:
        return False
    return general.condition.span.text == special.condition.span.text
