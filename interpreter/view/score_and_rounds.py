"""Score, round counters and headings of a game, derived from its rules."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import cached_property

from attrs import evolve

from cardlang import model as g
from cardlang.model.statement_effects import find_effects, iter_track_changes
from cardlang.model.structural_keys import StructuralKeyBuilder
from cardlang.model.traversal import collect_all_nodes, find_free_variables, find_reachable_steps, list_children
from interpreter.narration.game_facts import has_decision
from interpreter.view.table_model import DisplayFact

ORDINALS = ("first", "second", "third", "fourth", "fifth", "sixth", "seventh", "eighth", "ninth", "tenth")


class GameProgress:
    """Score and progress of one game."""

    def __init__(self, game: g.Game) -> None:
        self.game = game

    @cached_property
    def score_track(self) -> str | None:
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
    def end_score(self) -> g.Expr | None:
        """Number that the score must reach to end the match; None if the rules compare it with none or with several."""
        ends = {
            StructuralKeyBuilder(("origin", "span")).build_key(part.right): part.right
            for part in collect_all_nodes(self.game)
            if isinstance(part, g.Compare) and part.operator == ">=" and not find_free_variables(part.right)
            if isinstance(part.left, g.TrackValue) and part.left.track == self.score_track
        }
        return next(iter(ends.values())) if len(ends) == 1 else None

    @cached_property
    def is_money(self) -> bool:
        """True if the score can be spent. Then a rise is not necessarily a point scored: a stake may only come back."""
        changes = iter_track_changes(collect_all_nodes(self.game))
        return any(part.track == self.score_track and part.operator != "+" for part in changes)

    @cached_property
    def run_steps(self) -> dict[str, list[tuple[str, bool]]]:
        """Steps that each step runs, each with a flag: it runs in a loop."""
        return {name: list(find_run_steps(step.body, False)) for name, step in self.game.steps.items()}

    @cached_property
    def numbered_steps(self) -> frozenset[str]:
        """Steps in loops that can be numbered, such as `round 3`.

        A step is left out if it shares all its loops with other steps that contain decisions. Then no single step is
        the unit of repetition.
        """
        loops = (part for part in collect_all_nodes(self.game) if isinstance(part, g.Repeat))
        done = [
            [step for part in loop.body for step in find_effects(part).steps if has_decision(self.game, step)]
            for loop in loops
        ]
        alone = {names[0] for names in done if len(names) == 1}
        accompanied = {name for names in done if len(names) > 1 for name in names}
        again = {name for steps in self.run_steps.values() for name, again in steps if again}
        return frozenset(again - (accompanied - alone))

    @cached_property
    def loop_counters(self) -> dict[str, tuple[g.Repeat, int]]:
        """Loops by the track that counts them from 0, with their maximum number of iterations.

        An example is `repeat until round = 4`.
        """
        loops = (part for part in collect_all_nodes(self.game) if isinstance(part, g.Repeat))
        return {name: (loop, most) for loop in loops for name, most in self.find_loop_counters(loop)}

    def find_loop_counters(self, loop: g.Repeat) -> Iterator[tuple[str, int]]:
        counts = {
            change.track
            for change in iter_track_changes(loop.body)
            if change.operator == "+" and change.of is None and is_constant_number(change.value, 1)
        }
        for part in self.split_disjuncts(loop.until):
            match part:
                case g.Compare(operator="=" | ">=", left=g.TrackValue(track=name, of=None), right=end) if (
                    name in counts and is_constant_number(self.game.tracks[name].start, 0)
                ):
                    while isinstance(end, g.Call) and end.of is None:
                        end = self.game.defines[end.define].value
                    if isinstance(end, g.Const) and isinstance(end.value, int):
                        yield name, end.value

    def split_disjuncts(self, condition: g.Expr | None) -> Iterator[g.Expr]:
        """Yield the disjuncts of a condition, those in definitions too."""
        match condition:
            case None:
                return
            case g.Or():
                yield from self.split_disjuncts(condition.left)
                yield from self.split_disjuncts(condition.right)
            case g.Call(of=None, second=None):
                yield from self.split_disjuncts(self.game.defines[condition.define].value)
            case _:
                yield condition

    @cached_property
    def max_iterations(self) -> dict[str, int]:
        """Maximum number of iterations of each step that runs in a counted loop."""
        return {
            step: most
            for loop, most in self.loop_counters.values()
            for part in loop.body
            for step in find_effects(part).steps
        }

    def add_iteration_limit(self, fact: DisplayFact) -> DisplayFact:
        """Return a loop counter with its limit in its text: `2 of 9`. Return other facts unchanged."""
        _, most = self.loop_counters.get(fact.name, (None, 0))
        return evolve(fact, text=f"{fact.text} of {most}") if most and 0 < int(fact.value or 0) <= most else fact

    @cached_property
    def repeatedly_called_steps(self) -> frozenset[str]:
        """Steps that one step runs in several places."""
        pairs = [(outer, name) for outer, steps in self.run_steps.items() for name, _ in steps]
        return frozenset(name for outer, name in pairs if pairs.count((outer, name)) > 1)

    @cached_property
    def shared_steps(self) -> frozenset[str]:
        """Steps that several steps run."""
        outers: dict[str, set[str]] = {}
        for outer, steps in self.run_steps.items():
            for name, _ in steps:
                outers.setdefault(name, set()).add(outer)
        return frozenset(name for name, callers in outers.items() if len(callers) > 1)

    @cached_property
    def reachable_steps(self) -> dict[str, frozenset[str]]:
        """Steps that each step may run, directly or indirectly."""
        return {name: frozenset(find_reachable_steps(self.game, step.body)) for name, step in self.game.steps.items()}

    def build_heading(
        self,
        steps: tuple[str, ...],
        counts: Mapping[str, int],
        step_players: Mapping[str, str | None],
        viewer: str | None = None,
    ) -> list[tuple[str, str]]:
        """Return the running steps, each also in words: `round 3`, `hole 2 of 9`, `first betting`.

        The last entry is the outermost step of a single player: `Ann's turn`, or `your turn` for the viewer. A step is
        left out if it is neither numbered nor innermost. The exception is an outer step whose inner step runs in
        several steps: `flop`, `betting`. A player's step in a library is a hook for games to override, not a turn.
        """
        own_steps = [name for name in steps if name != "play" and self.game.steps[name].you is None]
        words = []
        for name, inner in zip(own_steps, [*own_steps, ""][1:], strict=True):
            count, noun = counts.get(name, 1), name.replace("-", " ")
            if name in self.numbered_steps:
                most = self.max_iterations.get(name, 0)
                words.append((noun, f"{noun} {count} of {most}" if count <= most else f"{noun} {count}"))
            elif name in self.repeatedly_called_steps and count <= len(ORDINALS):
                words.append((noun, f"{ORDINALS[count - 1]} {noun}"))
            elif not inner or inner in self.shared_steps:
                words.append((noun, noun))
        turn, who = self.find_turn(steps, step_players)
        owner = "your" if who == viewer else f"{who}'s"
        return [*words, (turn, f"{owner} {turn}")] if who is not None else words

    def find_turn(self, steps: tuple[str, ...], step_players: Mapping[str, str | None]) -> tuple[str, str | None]:
        """Return the outermost running step of a single player, in words, and that player."""
        own_steps = [step for step in map(self.game.steps.__getitem__, steps) if not step.origin.library]
        turns = [step.name for step in own_steps if step.you is not None]
        return (turns[0].replace("-", " "), step_players.get(turns[0])) if turns else ("", None)


def is_constant_number(value: g.Expr, number: int) -> bool:
    return isinstance(value, g.Const) and value.value == number and not isinstance(value.value, bool)


def find_run_steps(parts: object, in_loop: bool) -> list[tuple[str, bool]]:
    """Return the steps that statements run, each with a flag: it is in a loop."""
    steps = []
    for part in list_children(parts) if not isinstance(parts, tuple) else parts:
        steps += [(step, in_loop) for step in find_effects(part).steps]
        steps += find_run_steps(part, in_loop or isinstance(part, g.Repeat | g.Each))
    return steps
