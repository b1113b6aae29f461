"""Check of quoted names in texts that are nearly, but not exactly, the name of a step or option."""

from __future__ import annotations

import re
from collections.abc import Iterator
from difflib import get_close_matches
from itertools import islice

from cardlang import game as g
from cardlang.game.walking import bodies, everything, walk
from cardlang.source import Diagnostic, Span

QUOTED = re.compile(r"[“\"‘](\w[\w -]{2,38}\w)[.,]?[”\"’]")
NEAR = 0.8
"""Similarity from which an unknown name counts as misspelled."""
MOST = 50
"""Maximum number of unknown names to compare."""

Noun = g.Zone | g.Track | g.Define


def check_titles(game: g.Game) -> Iterator[Diagnostic]:
    rules = {plain(name): f"the step “{plain(name)}”" for name in game.steps}
    options = [part for body in bodies(game) for part in walk(body) if isinstance(part, g.Option)]
    rules |= {plain(each.name): f"the option “{plain(each.name)}”" for each in options}
    rules |= {plain(each.name): f"the reaction “{plain(each.name)}”" for each in game.reactions}
    known = rules.keys() | others(game)
    unknown = (each for each in quoted(game) if each[0] not in known)
    for name, span in islice(unknown, MOST):
        close = get_close_matches(name, rules, 1, NEAR)
        if close:
            message = f"unknown name “{name}” in this text"
            yield Diagnostic("W419", message, span, f"did you mean {rules[close[0]]}?", warning=True)


def quoted(game: g.Game) -> Iterator[tuple[str, Span]]:
    """Yield the quoted names in texts of the game and its libraries."""
    for text, span in texts(game):
        yield from ((plain(name), span) for name in QUOTED.findall(text))


def plain(name: str) -> str:
    return name.replace("-", " ").lower()


def others(game: g.Game) -> set[str]:
    """Return all other names in the game."""
    things: list[Noun] = [*game.zones.values(), *game.tracks.values(), *game.defines.values()]
    said = [form for each in things for form in (each.noun.singular, each.noun.plural)]
    said += [*game.zones, *game.tracks, *game.defines, *game.kinds, *game.sets, *game.rankings, *game.orders]
    said += [member.name for kind in game.kinds.values() for member in kind.members]
    said += [rank.title for ranking in game.rankings.values() for rank in ranking.ranks]
    said += [face.title for face in game.faces] + [variant.title for variant in game.variants]
    return set(map(plain, said))


def texts(game: g.Game) -> Iterator[tuple[str, Span]]:
    for note in game.notes:
        yield note.text, note.span
    for ruling in game.rulings:
        yield " ".join((ruling.question, *ruling.answer)), ruling.span
    declared: list[g.Step | Noun] = [*game.steps.values(), *game.zones.values(), *game.tracks.values()]
    for each in [*declared, *game.defines.values()]:
        yield each.doc, each.origin.name
    for part in everything(game):
        if isinstance(part, g.Stmt | g.Option):
            yield part.doc, part.span
