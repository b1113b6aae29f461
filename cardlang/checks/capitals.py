"""Check of names that differ only in capitals."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from cardlang import game as g
from cardlang.checks.steps import own_source
from cardlang.source import Diagnostic, Span

Noun = g.Kind | g.CardSet | g.Ranking | g.Zone | g.Track | g.Define | g.Order
Named = tuple[str, Span]


def check_capitals(game: g.Game) -> Iterator[Diagnostic]:
    """Report names that differ only in capitals within a group.

    Kinds, sets of cards and rankings, which start with a capital by convention, form one group. Zones, tracks,
    definitions and orders form another. So `Team` and `team` can coexist, but `Deck` and `deck` cannot. Steps and the
    members of each kind are further groups."""
    capital: list[Noun] = [*game.kinds.values(), *game.sets.values(), *game.rankings.values()]
    small: list[Noun] = [*game.zones.values(), *game.tracks.values(), *game.defines.values(), *game.orders.values()]
    groups: list[list[Named]] = [[(each.name, each.origin.name) for each in nouns] for nouns in (capital, small)]
    groups.append([(step.name, step.origin.name) for step in game.steps.values()])
    for kind in game.kinds.values():
        groups.append([(member.name, kind.origin.name) for member in kind.members])
    for group in groups:
        yield from alike(game, group)


def alike(game: g.Game, names: Iterable[Named]) -> Iterator[Diagnostic]:
    first: dict[str, Named] = {}
    for name, span in sorted(names, key=lambda each: (each[1].source is own_source(game), each[1].start)):
        other, place = first.setdefault(name.lower(), (name, span))
        if other != name and span.source is own_source(game):
            yield Diagnostic(
                "W408",
                f"`{name}` and `{other}` are two names that differ only in capitals",
                span,
                "if they are one thing, write the name one way everywhere. Otherwise rename one",
                ((place, "the other name"),) if place != span else (),
                warning=True,
            )
