"""Scope: the meaning of names at one place. It is immutable, and inner scopes are derived from outer ones."""

from __future__ import annotations

from attrs import evolve, field, frozen

from cardlang import game as g

ERROR = g.Type("error")


@frozen
class Reacting:
    """Announcement that a reaction answers: the types of its target and of its shared names."""

    target: g.Type
    shared: dict[str, g.Type]


@frozen
class Scope:
    """Immutable scope.

    `you` is the player addressed. `it` is the value being tested, or the subject of a body. Bare names can mean
    attributes of `things`, the innermost first. `players` has the names in an example, by seat. `whole` is set inside
    `whole of`."""

    you: g.Expr | None = None
    it: g.Expr | None = None
    things: tuple[g.Expr, ...] = ()
    locals: dict[str, g.Expr] = field(factory=dict)
    that: dict[str, g.Expr] = field(factory=dict)
    players: tuple[str, ...] = ()
    reacting: Reacting | None = None
    whole: bool = False

    def testing(self, thing: g.Expr) -> Scope:
        """Return the scope inside a test of `thing`."""
        return evolve(self, it=thing, things=(thing, *self.things))

    def about(self, word: str, thing: g.Expr) -> Scope:
        """Return the scope inside `each WORD`, or inside a declaration that belongs to a WORD."""
        that = {**self.that, word: thing}
        return evolve(self, that=that, you=thing) if word == "player" else evolve(self, that=that, it=thing)

    def addressing(self, player: g.Expr) -> Scope:
        return evolve(self, you=player)

    def knowing(self, name: str, meaning: g.Expr) -> Scope:
        return evolve(self, locals={**self.locals, name: meaning})

    def in_whole(self, whole: bool) -> Scope:
        return self if whole == self.whole else evolve(self, whole=whole)
