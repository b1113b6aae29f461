"""Mutation operators: replacements for words of a game file, and deletions of statements.

A mutation changes the source text, which is then parsed again. So every construct of the language can be mutated, each
mutant has a position, and checking rejects the invalid ones. No mutation changes the number of lines."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping

from attrs import field, frozen
from lark import Token

from cardlang import game as g
from cardlang.mutants.regions import Region, regions
from cardlang.reading.parser import tokens
from cardlang.source import Span

LEFT_OUT = "left out"
SWAPS: dict[str, tuple[tuple[str, ...], ...]] = {
    "order": (
        ("highest", "lowest"), ("top", "bottom"), ("first", "last"), ("higher", "lower"), ("later", "earlier"),
        ("best", "worst"), (", lowest on top", ", highest on top"), ("from the highest down", "larger groups first"),
    ),
    "comparison": (("=", "!="), ("in", "not in")),
    "bound": (("<", "<="), (">", ">=")),
    "direction": (("<", ">"), ("<=", ">=")),
    "side": (("left", "right"),),
    "joining": (("and", "or"),),
    "answer": (("yes", "no"),),
    "players": (("others", "players"),),
    "sum": (("+", "-"),),
    "trait": (("one", "different"),),
    "choice": (("may choose", "choose"),),
}  # fmt: skip
"""Words that replace each other in both directions, by mutation operator."""
TURNS: dict[str, tuple[tuple[str, str], ...]] = {
    "quantifier": (("any", "every"), ("every", "any"), ("no", "any")),
    "chance": (("random", "top"),),
    "trait": (("consecutive", "different"),),
    "negation": (("not", ""), ("is", "is not")),
    "limit": (("up to", ""), ("or more", "")),
    "choice": (("may", ""),),
    "place": (("under", "to"),),
    "word": (("all", ""), ("only", ""), ("own", ""), ("together", ""), ("ordered", "")),
}
"""Words that are replaced or deleted in one direction only."""
NO_WORDS = ("STRING", "CARDS", "_NL", "_INDENT", "_DEDENT")


def table() -> dict[str, list[tuple[str, str]]]:
    """Return the replacements of each word, with their mutation operators."""
    found: dict[str, list[tuple[str, str]]] = {}
    for sort, pairs in SWAPS.items():
        for one, other in pairs:
            found.setdefault(one, []).append((sort, other))
            found.setdefault(other, []).append((sort, one))
    for sort, turns in TURNS.items():
        for one, other in turns:
            found.setdefault(one, []).append((sort, other))
    return found


WORDS = table()


@frozen
class Change:
    """Mutant of a game file.

    `new` replaces the text at `place`. `rule` is the first line of the enclosing item. `variant` is the title of the
    enclosing variant, or None."""

    sort: str
    place: Span = field(repr=False)
    new: str
    rule: Span = field(repr=False)
    variant: str | None

    @property
    def old(self) -> str:
        return self.place.text

    @property
    def text(self) -> str:
        """Complete source text of the mutant."""
        text = self.place.source.text
        return text[: self.place.start] + self.new + text[self.place.end :]


def changes(game: g.Game) -> Iterator[Change]:
    """Yield the mutants of a game's own file, in source order.

    Libraries, examples, rulings and descriptions are not mutated."""
    source = game.sources[0]
    found = list(tokens(source))
    worlds = {None: World(game)} | {variant.title: World(variant.game) for variant in game.variants}
    for region in regions(source):
        world = worlds[region.variant]
        words = [token for token in found if region.start <= (token.start_pos or 0) < region.end]
        if not all(token.type in NO_WORDS for token in words):
            yield Change(LEFT_OUT, Span(source, region.start, region.whole), blank(region), region.rule, region.variant)
        for token in words:
            start = token.start_pos or 0
            for sort, new in alternatives(token, world):
                yield Change(sort, Span(source, start, start + len(token)), new, region.rule, region.variant)


def blank(region: Region) -> str:
    """Return spaces that replace a statement and its nested lines. Line breaks stay."""
    text = region.rule.source.text[region.start : region.whole]
    return re.sub(r"[^\n]", " ", text)


def alternatives(token: Token, world: World) -> Iterator[tuple[str, str]]:
    """Yield the replacements of a token, with their mutation operators."""
    if token.type in NO_WORDS or token.start_pos in world.declared:
        return
    word = str(token)
    if token.type == "INT":
        yield from (("number", str(other)) for other in (int(word) + 1, int(word) - 1) if other >= 0)
    elif token.type == "NUMBER":
        whole, _, rest = word.partition(".")
        yield "number", f"{int(whole) + 1}.{rest}"
    else:
        yield from WORDS.get(word, ())
        if token.type == "NAME":
            yield from world.names.get(word, ())


class World:
    """Names of a game.

    `names` has replacements for each name: the next name of the same kind. `declared` has the offsets of declarations
    in the file."""

    def __init__(self, game: g.Game) -> None:
        declarations: dict[str, Mapping[str, g.Zone | g.Track | g.Define | g.CardSet | g.Order | g.Ranking | g.Step]]
        declarations = {
            "zone": game.zones, "value": {**game.tracks, **game.defines}, "cards": game.sets, "way": game.orders,
            "ranking": game.rankings, "step": game.steps,
        }  # fmt: skip
        self.names: dict[str, list[tuple[str, str]]] = {}
        self.declared: set[int] = set()
        for sort, found in declarations.items():
            alike: dict[object, list[str]] = {}
            for name, thing in found.items():
                alike.setdefault(likeness(thing), []).append(name)
                if thing.origin.name.source is game.sources[0]:
                    self.declared.add(thing.origin.name.start)
            for names in alike.values():
                self.add(sort, names)
        for kind in game.kinds.values():
            self.add("member", [member.name for member in kind.members])
        columns: dict[g.Type, list[str]] = {}
        for column in game.columns.values():
            columns.setdefault(column.type, []).append(column.name)
        for names in columns.values():
            self.add("column", names)

    def add(self, sort: str, names: list[str]) -> None:
        """Add names as a cycle: each is replaced by the next."""
        if len(names) > 1:
            for name, other in zip(names, [*names[1:], names[0]], strict=True):
                self.names.setdefault(name, []).append((sort, other))


def likeness(thing: g.Zone | g.Track | g.Define | g.CardSet | g.Order | g.Ranking | g.Step) -> object:
    """Return a key that is equal for interchangeable declarations."""
    match thing:
        case g.Zone():
            return thing.subject, thing.single
        case g.Track() | g.Define():
            return thing.subject, thing.type
        case g.Order():
            return thing.of
        case g.Step():
            return thing.you is None, tuple(param.type for param in thing.params)
    return None
