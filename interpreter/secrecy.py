"""Find secret choices: values that flow only into `secret` tracks."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import cached_property

from cardlang import game as g
from cardlang.game.conflicts import can_conflict
from cardlang.game.walking import bodies, uses_var, walk
from cardlang.source import Span

BLOCKS = ("body", "then", "otherwise")
"""Fields in which statements contain statements."""


class Secrecy:
    """Secret choices of one game, without its cards and players."""

    def __init__(self, game: g.Game) -> None:
        self.game = game
        self.has_secrets = any(track.secret for track in game.tracks.values())

    @cached_property
    def kept(self) -> frozenset[int]:
        """Variables whose chosen values flow only into secret tracks. Only the player who chose may see them."""
        if not self.has_secrets:
            return frozenset()
        chosen = {choose.var.id for choose, rest in self.choices() if self.stays_secret(choose, rest)}
        bound = {var.id for option in self.options() for var, _ in option.binders if self.binder_is_kept(option, var)}
        return frozenset(chosen | bound)

    @cached_property
    def retested(self) -> set[Span]:
        """Places of simultaneous choices and options for which all players learn whether they were still possible."""
        if self.game.legacy:
            return set()
        every = (part for whole in bodies(self.game) for part in walk(whole))
        found = [each for each in every if isinstance(each, g.Each) and each.together and can_conflict(self.game, each)]
        return {part.span for each in found for part in walk(each.body) if isinstance(part, g.Choose | g.Option)}

    def choices(self) -> Iterator[tuple[g.Choose, Sequence[g.Stmt]]]:
        """Yield every choice of a value, with the statements after it in its block."""
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

    # ------------------------------------------------------------ flow of a value
    def stays_secret(self, choose: g.Choose, rest: Sequence[g.Stmt]) -> bool:
        return all_and_some(self.uses(choose.var, choose.body or rest))

    def binder_is_kept(self, option: g.Option, var: g.Var) -> bool:
        shown = (option.costs, [domain for other, domain in option.binders if other.id != var.id])
        return not any(uses_var(tuple(part), var) for part in shown) and all_and_some(self.uses(var, option.body))

    def uses(self, var: g.Var, block: Sequence[g.Stmt]) -> Iterator[bool]:
        """Yield, for each use of a variable in a block, whether its value stays secret."""
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

    # ------------------------------------------------------------ invisible effects
    def is_quiet(self, stmt: g.Stmt) -> bool:
        """Check whether a statement changes only secret values."""
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
        """Return the indices of options with indistinguishable effects; empty if none of them has an effect."""
        if not self.has_secrets:
            return set()
        quiet = {
            at
            for at, each in enumerate(options)
            if not each.costs and all(map(self.is_quiet, each.body)) and each.span not in self.retested
        }
        return quiet if any(options[at].body for at in quiet) else set()


def all_and_some(found: Iterator[bool]) -> bool:
    """Check whether there are values, and all of them are true."""
    values = list(found)
    return bool(values) and all(values)


def blocks_of(part: object) -> list[tuple[g.Stmt, ...]]:
    """Return the blocks of statements directly in a statement or an option."""
    return [block for name in BLOCKS if (block := getattr(part, name, ()))]


def heads_of(stmt: g.If | g.Each | g.Repeat) -> tuple[g.Expr | None, ...]:
    """Return the expressions that a statement evaluates before its blocks."""
    match stmt:
        case g.If():
            return (stmt.condition,)
        case g.Each():
            return (stmt.list, stmt.start, stmt.condition)
        case g.Repeat():
            return (stmt.until,)
