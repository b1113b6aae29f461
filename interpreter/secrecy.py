"""What is chosen in secret: values that go into nothing but what is `secret`."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import cached_property

from cardlang import game as g
from cardlang.game.conflicts import can_conflict
from cardlang.game.walking import bodies, uses_var, walk
from cardlang.source import Span

BLOCKS = ("body", "then", "otherwise")
"""The fields in which statements hold others."""


class Secrecy:
    """Of one game, without its cards and players."""

    def __init__(self, game: g.Game) -> None:
        self.game = game
        self.has_secrets = any(track.secret for track in game.tracks.values())

    @cached_property
    def kept(self) -> frozenset[int]:
        """The variables whose values are chosen and then go into nothing but secret tracks: nobody but who chose may be
        told what they are."""
        if not self.has_secrets:
            return frozenset()
        chosen = {choose.var.id for choose, rest in self.choices() if self.stays_secret(choose, rest)}
        bound = {var.id for option in self.options() for var, _ in option.binders if self.binder_is_kept(option, var)}
        return frozenset(chosen | bound)

    @cached_property
    def retested(self) -> set[Span]:
        """The places of choices and options chosen together of which all players learn whether they were still
        possible."""
        if self.game.legacy:
            return set()
        every = (part for whole in bodies(self.game) for part in walk(whole))
        found = [each for each in every if isinstance(each, g.Each) and each.together and can_conflict(self.game, each)]
        return {part.span for each in found for part in walk(each.body) if isinstance(part, g.Choose | g.Option)}

    def choices(self) -> Iterator[tuple[g.Choose, Sequence[g.Stmt]]]:
        """Every choice of a value, with the statements behind it in its block."""
        for block in self.blocks():
            for at, stmt in enumerate(block):
                if isinstance(stmt, g.Choose) and stmt.span not in self.retested:
                    yield stmt, block[at + 1 :]

    def blocks(self) -> Iterator[tuple[g.Stmt, ...]]:
        for whole in bodies(self.game):
            yield tuple(stmt for stmt in whole if isinstance(stmt, g.Stmt))
            for part in walk(whole):
                yield from blocks_of(part)

    def options(self) -> Iterator[g.Option]:
        for whole in bodies(self.game):
            yield from (p for p in walk(whole) if isinstance(p, g.Option) and p.span not in self.retested)

    # ------------------------------------------------------------ where a value goes
    def stays_secret(self, choose: g.Choose, rest: Sequence[g.Stmt]) -> bool:
        return all_and_some(self.uses(choose.var, choose.body or rest))

    def binder_is_kept(self, option: g.Option, var: g.Var) -> bool:
        shown = (option.costs, [domain for other, domain in option.binders if other.id != var.id])
        return not any(uses_var(tuple(part), var) for part in shown) and all_and_some(self.uses(var, option.body))

    def uses(self, var: g.Var, block: Sequence[g.Stmt]) -> Iterator[bool]:
        """For each use of a variable in a block: does it stay secret?"""
        for at, stmt in enumerate(block):
            if uses_var(stmt, var):
                yield from self.uses_in(var, stmt, block[at + 1 :])

    def uses_in(self, var: g.Var, stmt: g.Stmt, rest: Sequence[g.Stmt]) -> Iterator[bool]:
        inner = blocks_of(stmt)
        match stmt:
            case g.Remember():
                yield from self.uses(stmt.var, rest)
            case g.Do() if stmt.of is None or not uses_var(stmt.of, var):
                step = self.game.steps[stmt.step]
                for param, value in zip(step.params, stmt.args, strict=True):
                    if uses_var(value, var):
                        yield from self.uses(param, step.body)
            case g.Choose() if not uses_var(stmt.who, var):
                asked = (stmt.low, stmt.high, stmt.domain, stmt.provided)
                if uses_var(asked, var):
                    yield self.stays_secret(stmt, rest)
                yield from self.uses(var, stmt.body)
            case g.If() | g.Each() | g.Repeat() if not uses_var(heads_of(stmt), var):
                for block in inner:
                    yield from self.uses(var, block)
            case _:
                yield self.is_quiet(stmt)

    # ------------------------------------------------------------ what shows nothing
    def is_quiet(self, stmt: g.Stmt) -> bool:
        """Whether a statement changes nothing but what is secret."""
        match stmt:
            case g.SetTrack():
                return self.game.tracks[stmt.track].secret
            case g.Remember():
                return True
            case g.Do():
                return all(map(self.is_quiet, self.game.steps[stmt.step].body))
            case g.If() | g.Each() | g.Repeat():
                return all(self.is_quiet(inner) for block in blocks_of(stmt) for inner in block)
        return False

    def quiet_options(self, options: Sequence[g.Option]) -> set[int]:
        """Those by their place that nobody can tell from each other by what they do; none if none of them does
        anything."""
        if not self.has_secrets:
            return set()
        quiet = {
            at
            for at, each in enumerate(options)
            if not each.costs and all(map(self.is_quiet, each.body)) and each.span not in self.retested
        }
        return quiet if any(options[at].body for at in quiet) else set()


def all_and_some(found: Iterator[bool]) -> bool:
    """Whether something was found, and all of it is true."""
    values = list(found)
    return bool(values) and all(values)


def blocks_of(part: object) -> list[tuple[g.Stmt, ...]]:
    """The blocks of statements directly in a statement or an option."""
    return [block for name in BLOCKS if (block := getattr(part, name, ()))]


def heads_of(stmt: g.If | g.Each | g.Repeat) -> tuple[g.Expr | None, ...]:
    """What a statement looks at before it goes on with its blocks."""
    match stmt:
        case g.If():
            return (stmt.condition,)
        case g.Each():
            return (stmt.list, stmt.start, stmt.condition)
        case g.Repeat():
            return (stmt.until,)
