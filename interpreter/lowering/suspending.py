"""Find the statements that may stop at a decision, and the steps that are called from one place only."""

from __future__ import annotations

from collections import Counter

from cardlang import game as g
from cardlang.game.walking import bodies, may_pass, steps_done, walk


class Suspending:
    def __init__(self, game: g.Game) -> None:
        self.game = game
        self.reacted = {name for reaction in game.reactions for name in reaction.to}
        self.stopping: set[str] = set()
        self.borne: set[str] = set()
        self.zones: set[str] = set()
        while self.settle():
            pass
        parts = [part for body in bodies(game) for part in walk(body)]
        self.calls = Counter(part.step for part in parts if isinstance(part, g.Do))
        self.several = self.called_from_borne()
        known: dict[str, bool] = {}
        loops = [part for part in parts if isinstance(part, g.Repeat) and part.until_pass and not game.legacy]
        done = {name for loop in loops for name in steps_done(game, loop.body)}
        self.passed = {name for name in done if may_pass(game, game.steps[name].body, known)}
        """Steps in which a pass may end a `repeat until you pass` around them."""

    def settle(self) -> bool:
        before = len(self.stopping) + len(self.borne) + len(self.zones)
        for name, step in self.game.steps.items():
            if self.any_stops(step.body):
                self.stopping.add(name)
        for name, borne in self.game.borne_steps.items():
            if any(body and self.any_stops(body.body) for body in borne.bodies):
                self.borne.add(name)
        for trigger in self.game.enters:
            if self.any_stops(trigger.body):
                self.zones.add(trigger.zone)
        return len(self.stopping) + len(self.borne) + len(self.zones) > before

    def any_stops(self, body: object) -> bool:
        return any(self.stops(part) for part in walk(body) if g.is_statement(part))

    def may_stop(self, stmt: g.Stmt) -> bool:
        return self.any_stops((stmt,))

    def stops(self, stmt: g.Statement) -> bool:
        """Check whether a statement itself may stop, regardless of its body."""
        match stmt:
            case g.Pick():
                return not stmt.settled or stmt.to.zone in self.zones
            case g.Choose() | g.Menu() | g.Offer() | g.Announce():
                return True
            case g.Do():
                return stmt.step in self.stopping
            case g.DoBorne():
                return stmt.step in self.borne
            case g.Move():
                return stmt.to.zone in self.zones
            case g.AtOnce() | g.Each() | g.Repeat() | g.If():
                return False

    def called_from_borne(self) -> set[str]:
        """Return the steps called from code that may be lowered several times or has frames of its own."""
        inside: list[tuple[object, ...]] = [
            body.body for borne in self.game.borne_steps.values() for body in borne.bodies if body
        ]
        inside += [(reaction.option,) for reaction in self.game.reactions]
        inside += [trigger.body for trigger in self.game.enters]
        inside += [trigger.body for trigger in self.game.whenevers]
        return {part.step for body in inside for part in walk(body) if isinstance(part, g.Do)}

    def single_call(self, step: str) -> bool:
        return self.calls[step] <= 1 and step not in self.several
