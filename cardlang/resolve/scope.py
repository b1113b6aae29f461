"""What names mean at one place of a game: an unchanging value, narrowed from the outside in."""

from __future__ import annotations

from attrs import evolve, field, frozen

from cardlang import game as g

ERROR = g.Type("error")


@frozen
class Reacting:
    """What a reaction answers: the type of the target, and of each name shared with it."""

    target: g.Type
    shared: dict[str, g.Type]


@frozen
class Scope:
    """`you`: the player addressed. `it`: the thing tested, or the one a body is about. `things`: those whose
    attributes bare names mean, innermost first. `players`: names in an example, by seat. `whole`:
    inside `whole of`."""

    you: g.Expr | None = None
    it: g.Expr | None = None
    things: tuple[g.Expr, ...] = ()
    locals: dict[str, g.Expr] = field(factory=dict)
    that: dict[str, g.Expr] = field(factory=dict)
    players: tuple[str, ...] = ()
    reacting: Reacting | None = None
    whole: bool = False

    def testing(self, thing: g.Expr) -> Scope:
        """Inside a test of `thing`."""
        return evolve(self, it=thing, things=(thing, *self.things))

    def about(self, word: str, thing: g.Expr) -> Scope:
        """In the body of `each WORD` or of what belongs to a WORD."""
        that = {**self.that, word: thing}
        return evolve(self, that=that, you=thing) if word == "player" else evolve(self, that=that, it=thing)

    def addressing(self, player: g.Expr) -> Scope:
        return evolve(self, you=player)

    def knowing(self, name: str, meaning: g.Expr) -> Scope:
        return evolve(self, locals={**self.locals, name: meaning})

    def in_whole(self, whole: bool) -> Scope:
        return self if whole == self.whole else evolve(self, whole=whole)
