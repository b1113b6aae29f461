"""Validate a game decoded from data: counts, scopes of variables, and types.

The codec has checked the form of each part. A resolved game is always valid.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from cardlang import game as g
from cardlang.game.fitting import MOST_PLAYERS, check_types, check_value, need
from cardlang.game.walking import everything, fields_of, is_part, walk

BINDS: dict[type, tuple[tuple[str, ...], tuple[str, ...]]] = {
    g.Filter: (("var",), ("condition",)),
    g.MapEach: (("var",), ("value",)),
    g.Sorted: (("var",), ("key",)),
    g.AggBy: (("var",), ("key",)),
    g.Quantified: (("var",), ("condition",)),
    g.Remember: (("var",), ()),
    g.Each: (("var",), ("condition", "body")),
    g.Choose: (("var",), ("provided", "body")),
    g.Offer: (("var",), ("condition", "options")),
    g.Group: (("var",), ("condition",)),
    g.Wild: (("var",), ("condition",)),
    g.Track: (("var",), ("start",)),
    g.Define: (("var",), ("value",)),
    g.BorneBody: (("var", "owner"), ("value",)),
    g.Order: (("var",), ("lines",)),
    g.Ranking: (("var", "least_var"), ("ties", "least")),
    g.Step: (("you", "params"), ("body",)),
    g.BorneStepBody: (("card", "you"), ("body",)),
    g.Reaction: (("you",), ("option",)),
    g.Enters: (("card", "you"), ("body",)),
}
"""Variables that a class binds, and the fields in which they are in scope."""
DECLARED = (
    "tracks", "defines", "borne_defines", "orders", "rankings", "steps", "borne_steps", "reactions", "enters",
    "whenevers",
)  # fmt: skip

Known = dict[int, str]
"""Variables in scope: type tags by id."""


def check_sound(game: g.Game) -> None:
    """Validate a game. Raise `Unsound` if a part contradicts the rest."""
    check_numbers(game)
    check_circles(game)
    checker = Checker(game)
    for table in DECLARED:
        found = getattr(game, table)
        for each in found.values() if isinstance(found, dict) else found:
            checker.declared(each)
    for example in game.examples:
        checker.example(example)


# ---------------------------------------------------------------- counts
def check_numbers(game: g.Game) -> None:
    seats = game.seats
    need(bool(seats) and list(seats) == sorted(set(seats)), "the numbers of players are not in order")
    need(seats[0] >= 1 and seats[-1] <= MOST_PLAYERS, f"a game is for 1 to {MOST_PLAYERS} players")
    need("play" in game.steps, "there is no step `play`")
    first = 0
    for number, face in enumerate(game.faces):
        need((face.number, face.first) == (number, first) and face.copies > 0, f"face {number} has a wrong count")
        first += face.copies
    for kind in game.kinds.values():
        check_kind(game, kind)
    for column in game.columns.values():
        need(len(column.values) == len(game.faces), f"`{column.name}` does not have one value for each face")
        for value in column.values:
            check_value(game, column.type, value, f"`{column.name}`")
    for part in everything(game):
        if isinstance(part, g.Tell):
            need(len(part.words) == len(part.values) + 1, f"{part.span}: words and values must alternate")
        if isinstance(part, g.Option) and (part.called or part.called_with):
            need(len(part.called) == len(part.called_with) + 1, f"{part.span}: words and values must alternate")
    bodies = {name: len(each.bodies) for name, each in game.borne_defines.items()}
    bodies |= {name: len(each.bodies) for name, each in game.borne_steps.items()}
    for name, count in bodies.items():
        need(count == len(game.faces), f"`{name}` does not have one body for each face")


def check_kind(game: g.Game, kind: g.Kind) -> None:
    need(bool(kind.members), f"{kind.name} has no members")
    if kind.includes is not None:
        wide = game.kinds[kind.includes].members
        need(
            wide == kind.members[: len(wide)] or same(wide, kind.members),
            f"{kind.name} does not begin with the kind it includes",
        )
        need(
            len(wide) <= len(kind.members) and kind.includes != kind.name, f"{kind.name} includes more than its values"
        )


def same(wide: tuple[g.Member, ...], narrow: tuple[g.Member, ...]) -> bool:
    return [each.name for each in wide] == [each.name for each in narrow[: len(wide)]]


# ---------------------------------------------------------------- cyclic definitions
def check_circles(game: g.Game) -> None:
    """Check that no definition, step or kind depends on itself, by removing leaves of the dependency graph."""
    needs: dict[tuple[str, str], list[tuple[str, str]]] = {}
    for name, define in game.defines.items():
        needs["define", name] = list(called((define.value,)))
    for name, borne in game.borne_defines.items():
        needs["borne", name] = list(called(tuple(body.value for body in borne.bodies if body)))
    for name, step in game.steps.items():
        needs["step", name] = [("step", part.step) for part in walk(step.body) if isinstance(part, g.Do)]
    for name, kind in game.kinds.items():
        needs["kind", name] = [("kind", kind.includes)] if kind.includes else []
    while leaves := [key for key, needed in needs.items() if not any(each in needs for each in needed)]:
        for key in leaves:
            del needs[key]
    need(not needs, f"`{next((name for _, name in needs), '')}` needs itself")


def called(parts: tuple[object, ...]) -> Iterator[tuple[str, str]]:
    for part in walk(parts):
        if isinstance(part, g.Call):
            yield "define", part.define
        elif isinstance(part, g.BorneCall):
            yield "borne", part.define


# ---------------------------------------------------------------- expressions and statements
class Checker:
    """Scope and type checker of all parts of a game."""

    def __init__(self, game: g.Game) -> None:
        self.game = game
        self.reacting = False
        self.shared = {name for part in everything(game) if isinstance(part, g.Announce) for name, _ in part.shared}

    def declared(self, part: object) -> None:
        self.reacting = isinstance(part, g.Reaction)
        for each in part.bodies if isinstance(part, g.BorneDefine | g.BorneStep) else (part,):
            if each is not None:
                self.part(each, {})

    def example(self, example: g.Example) -> None:
        self.reacting = False
        seats = len(example.players)
        need(seats in self.game.seats, f"the example {example.title!r} has {seats} players")
        for line in example.lines:
            match line:
                case g.Given():
                    for fact in line.facts:
                        self.fact(fact, seats)
                case g.Doing():
                    self.part(line.statement, {})
                case g.Expecting():
                    self.part(line, {})
                case g.Answer() | g.ExpectingMoves():
                    need(0 <= line.player < seats, f"{line.span}: there is no such player")

    def fact(self, fact: g.GivenTrack | g.GivenZone, seats: int) -> None:
        declared = self.game.tracks[fact.track] if isinstance(fact, g.GivenTrack) else self.game.zones[fact.zone]
        kind = self.game.kinds.get(declared.subject or "")
        most = len(kind.members) if kind else {"player": seats, "card": self.game.cards}.get(declared.subject or "")
        fits = fact.of is None if most is None else fact.of is not None and 0 <= fact.of < most
        need(fits, f"{fact.span}: wrong owner for {declared.name}")
        if isinstance(fact, g.GivenTrack):
            self.value(fact.value, {})

    def part(self, part: object, known: Known) -> None:
        kind = type(part)
        if isinstance(part, g.Var):
            need(known.get(part.id) == part.type.tag, f"{part.span}: unknown name {part.name!r}")
            return
        check_types(self.game, part)
        self.answering(part)
        bound, inside = BINDS.get(kind, ((), ()))
        within = self.binding((getattr(part, name) for name in bound), known) if bound else known
        if isinstance(part, g.Option):
            within = known = self.option(part, known)
        for name in fields_of(kind):
            if name not in bound and name != "binders":
                self.value(getattr(part, name), within if name in inside else known)

    def value(self, value: object, known: Known) -> None:
        """Check a part or a tuple. A variable bound by a statement is in scope for the statements after it."""
        if isinstance(value, tuple):
            for each in value:
                self.value(each, known)
                if isinstance(each, g.Remember | g.Choose):
                    known = self.binding((each.var,), known)
        elif is_part(type(value)) or type(value) in BINDS:
            self.part(value, known)

    def binding(self, bound: Iterable[object], known: Known) -> Known:
        found = dict(known)
        for each in bound:
            for var in each if isinstance(each, tuple) else (each,):
                if var is not None:
                    found[var.id] = var.type.tag
        return found

    def option(self, option: g.Option, known: Known) -> Known:
        for var, domain in option.binders:
            self.part(domain, known)
            known = self.binding((var,), known)
        return known

    def answering(self, part: object) -> None:
        """Check that parts of reactions occur only in reactions, and that shared names exist."""
        if isinstance(part, g.Actor | g.Target | g.Cancel):
            need(self.reacting, f"{part.span}: this has a meaning only in a reaction")
        if isinstance(part, g.Target) and part.name is not None:
            need(part.name in self.shared, f"{part.span}: no announcement shares {part.name!r}")
