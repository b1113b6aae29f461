"""The changes: which words of a game file can stand for which others, and which statements can be left out.

A change is made in the text and the text is read again. So whatever the language says can be changed, every change has
its place, and one that makes no game is found by checking it. No change makes lines more or fewer.
"""

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
"""Words that can stand for each other, by the sort of the change."""
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
"""Words that can be turned into others or left out, but not the other way round."""
NO_WORDS = ("STRING", "CARDS", "_NL", "_INDENT", "_DEDENT")


def table() -> dict[str, list[tuple[str, str]]]:
    """For each word what can stand for it: the sort of the change, and the other word."""
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
    """`place`: what is changed; `new`: what stands there instead; `rule`: the first line of the item that it is in.
    `variant`: the title of the variant it is made in, or None."""

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
        """The whole text with this change."""
        text = self.place.source.text
        return text[: self.place.start] + self.new + text[self.place.end :]


def changes(game: g.Game) -> Iterator[Change]:
    """The changes of the rules in the file of a game, in the order of the text. Those of its libraries are not its own,
    and examples, rulings and what is told apart from the rules are none."""
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
    """A statement and what stands under it, left out: its lines stay."""
    text = region.rule.source.text[region.start : region.whole]
    return re.sub(r"[^\n]", " ", text)


def alternatives(token: Token, world: World) -> Iterator[tuple[str, str]]:
    """What can stand for a word where it stands, each with the sort of the change."""
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
    """The names of a game. `names`: for each those of the next thing of its sort; `declared`: where they are declared,
    as offsets in the file."""

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
        """Each can stand for the one before it, the first for the last."""
        if len(names) > 1:
            for name, other in zip(names, [*names[1:], names[0]], strict=True):
                self.names.setdefault(name, []).append((sort, other))


def likeness(thing: g.Zone | g.Track | g.Define | g.CardSet | g.Order | g.Ranking | g.Step) -> object:
    """What is the same of two things if one may stand for the other."""
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
