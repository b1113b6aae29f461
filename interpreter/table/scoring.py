"""Find the score of a game and the steps that describe its progress, by static analysis of the rules."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import cached_property

from attrs import evolve

from cardlang import game as g
from cardlang.game.walking import children, everything, steps_done
from interpreter.matches.facts import asks
from interpreter.table.model import Fact

ORDINALS = ("first", "second", "third", "fourth", "fifth", "sixth", "seventh", "eighth", "ninth", "tenth")


class Course:
    """Score and progress of one game."""

    def __init__(self, game: g.Game) -> None:
        self.game = game

    @cached_property
    def score(self) -> str | None:
        """Name of the track that is the score; None if the score is not a plain track.

        The track belongs to each player or to each value of a kind.
        """
        if "score" in self.game.tracks:
            return "score"
        define = self.game.defines.get("score")
        value = define.value if define is not None else None
        while isinstance(value, g.Call):
            value = self.game.defines[value.define].value
        return value.track if isinstance(value, g.TrackValue) else None

    @cached_property
    def is_money(self) -> bool:
        """True if the score can be spent. Then a rise is not necessarily a point scored: a stake may only come back."""
        changes = (part for part in everything(self.game) if isinstance(part, g.SetTrack))
        return any(part.track == self.score and part.operator != "+" for part in changes)

    @cached_property
    def doing(self) -> dict[str, list[tuple[str, bool]]]:
        """Steps that each step runs, each with a flag: it runs in a loop."""
        return {name: list(done(step.body, False)) for name, step in self.game.steps.items()}

    @cached_property
    def repeated(self) -> frozenset[str]:
        """Steps in loops that can be numbered, such as `round 3`.

        A step is left out if it shares all its loops with other steps that contain decisions. Then no single step is
        the unit of repetition.
        """
        loops = (part for part in everything(self.game) if isinstance(part, g.Repeat))
        done = [
            [part.step for part in loop.body if isinstance(part, g.Do) and asks(self.game, part.step)] for loop in loops
        ]
        alone = {names[0] for names in done if len(names) == 1}
        beside = {name for names in done if len(names) > 1 for name in names}
        again = {name for found in self.doing.values() for name, again in found if again}
        return frozenset(again - (beside - alone))

    @cached_property
    def counting(self) -> dict[str, tuple[g.Repeat, int]]:
        """Loops by the track that counts them from 0, with their maximum number of iterations.

        An example is `repeat until round = 4`.
        """
        loops = (part for part in everything(self.game) if isinstance(part, g.Repeat))
        return {name: (loop, most) for loop in loops for name, most in self.counted_by(loop)}

    def counted_by(self, loop: g.Repeat) -> Iterator[tuple[str, int]]:
        counts = {part.track for part in loop.body if isinstance(part, g.SetTrack) and is_one_more(part)}
        for part in alternatives(loop.until):
            match part:
                case g.Compare(operator="=" | ">=", left=g.TrackValue(track=name, of=None), right=end) if (
                    name in counts and is_number(self.game.tracks[name].start, 0)
                ):
                    while isinstance(end, g.Call) and end.of is None:
                        end = self.game.defines[end.define].value
                    if isinstance(end, g.Const) and isinstance(end.value, int):
                        yield name, end.value

    @cached_property
    def most(self) -> dict[str, int]:
        """Maximum number of iterations of each step that runs in a counted loop."""
        return {
            part.step: most for loop, most in self.counting.values() for part in loop.body if isinstance(part, g.Do)
        }

    def of_most(self, fact: Fact) -> Fact:
        """Return a loop counter with its limit in its text: `2 of 9`. Return other facts unchanged."""
        _, most = self.counting.get(fact.name, (None, 0))
        return evolve(fact, text=f"{fact.text} of {most}") if most and 0 < int(fact.value or 0) <= most else fact

    @cached_property
    def several(self) -> frozenset[str]:
        """Steps that one step runs in several places."""
        pairs = [(outer, name) for outer, found in self.doing.items() for name, _ in found]
        return frozenset(name for outer, name in pairs if pairs.count((outer, name)) > 1)

    @cached_property
    def shared(self) -> frozenset[str]:
        """Steps that several steps run."""
        outers: dict[str, set[str]] = {}
        for outer, found in self.doing.items():
            for name, _ in found:
                outers.setdefault(name, set()).add(outer)
        return frozenset(name for name, each in outers.items() if len(each) > 1)

    @cached_property
    def within(self) -> dict[str, frozenset[str]]:
        """Steps that each step may run, directly or indirectly."""
        return {name: frozenset(steps_done(self.game, step.body)) for name, step in self.game.steps.items()}

    def heading(
        self,
        steps: tuple[str, ...],
        counts: Mapping[str, int],
        whose: Mapping[str, str | None],
        viewer: str | None = None,
    ) -> tuple[str, ...]:
        """Return the running steps in words: `round 3`, `hole 2 of 9`, `first betting`.

        The last entry is the outermost step of a single player: `Ann's turn`, or `your turn` for the viewer. A step is
        left out if it is neither numbered nor innermost. The exception is an outer step whose inner step runs in
        several steps: `flop`, `betting`. A player's step in a library is a hook for games to override, not a turn.
        """
        own = [name for name in steps if name != "play" and self.game.steps[name].you is None]
        words = []
        for name, inner in zip(own, [*own, ""][1:], strict=True):
            count, noun = counts.get(name, 1), name.replace("-", " ")
            if name in self.repeated:
                most = self.most.get(name, 0)
                words.append(f"{noun} {count} of {most}" if count <= most else f"{noun} {count}")
            elif name in self.several and count <= len(ORDINALS):
                words.append(f"{ORDINALS[count - 1]} {noun}")
            elif not inner or inner in self.shared:
                words.append(noun)
        turn, who = self.turn(steps, whose)
        owner = "your" if who == viewer else f"{who}'s"
        return (*words, f"{owner} {turn}") if who is not None else tuple(words)

    def turn(self, steps: tuple[str, ...], whose: Mapping[str, str | None]) -> tuple[str, str | None]:
        """Return the outermost running step of a single player, in words, and that player."""
        turns = [name for name in steps if self.game.steps[name].you is not None and not self.of_library(name)]
        return (turns[0].replace("-", " "), whose.get(turns[0])) if turns else ("", None)

    def of_library(self, name: str) -> bool:
        return bool(self.game.steps[name].origin.library)


def is_one_more(part: g.SetTrack) -> bool:
    return part.operator == "+" and part.of is None and is_number(part.value, 1)


def is_number(value: g.Expr, number: int) -> bool:
    return isinstance(value, g.Const) and value.value == number and not isinstance(value.value, bool)


def alternatives(condition: g.Expr | None) -> Iterator[g.Expr]:
    """Yield the disjuncts of a condition."""
    match condition:
        case None:
            return
        case g.Or():
            yield from alternatives(condition.left)
            yield from alternatives(condition.right)
        case _:
            yield condition


def done(parts: object, again: bool) -> list[tuple[str, bool]]:
    """Return the steps that statements run, each with a flag: it is in a loop."""
    found = []
    for part in children(parts) if not isinstance(parts, tuple) else parts:
        if isinstance(part, g.Do):
            found.append((part.step, again))
        found += done(part, again or isinstance(part, g.Repeat | g.Each))
    return found
