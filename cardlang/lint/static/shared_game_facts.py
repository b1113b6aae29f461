"""Facts about a game that the static rules share, each computed once, and the registry of these rules."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cached_property
from typing import Any, TypeVar, overload

from cardlang import model as g
from cardlang.diagnostics import Span
from cardlang.lint.rule_registry import RuleRegistry
from cardlang.lint.static.constant_values import ConstantEvaluator
from cardlang.model.statement_effects import Binding, CardTransfer, Effects, find_bindings, find_effects, iter_effects
from cardlang.model.traversal import ModelNode, can_eliminate_players, collect_all_nodes, iter_reachable_bodies, walk

StatementBlock = tuple[g.Stmt, ...]
Node = TypeVar("Node")
OtherNode = TypeVar("OtherNode")
OwnNode = TypeVar("OwnNode", bound=g.Expr | g.Stmt | g.Option)
ENTRY_STEPS = ("setup", "play")
BODY_FIELDS = ("then", "body", "otherwise")


class GameFacts:
    """Facts about a game, computed when a rule first asks for them."""

    def __init__(self, game: g.Game) -> None:
        self.game = game
        self.nodes_by_classes: dict[tuple[type, ...], list[Any]] = {}

    # ------------------------------------------------------------ parts of the rules
    @cached_property
    def nodes(self) -> tuple[ModelNode, ...]:
        """All expressions and statements. Those in bodies come first."""
        return collect_all_nodes(self.game)

    @overload
    def find_nodes(self, _: type[Node], /) -> list[Node]: ...
    @overload
    def find_nodes(self, _: type[Node], __: type[OtherNode], /) -> list[Node | OtherNode]: ...
    def find_nodes(self, *classes: type) -> list[Any]:
        """Return all nodes of these classes."""
        if classes not in self.nodes_by_classes:
            self.nodes_by_classes[classes] = [part for part in self.nodes if isinstance(part, classes)]
        return self.nodes_by_classes[classes]

    def find_own_nodes(self, class_: type[OwnNode]) -> list[OwnNode]:
        """Return the nodes of a class in the game's own file."""
        return [part for part in self.find_nodes(class_) if self.is_own(part.span)]

    def is_own(self, span: Span) -> bool:
        """Return whether a place is in the game's own file. Libraries may have unused rules."""
        return span.source is self.game.sources[0]

    @cached_property
    def effects(self) -> list[tuple[g.Stmt, Effects]]:
        """All statements with their effects."""
        return list(iter_effects(self.nodes))

    @cached_property
    def transfers(self) -> list[CardTransfer]:
        return [transfer for _, effects in self.effects for transfer in effects.transfers]

    @cached_property
    def track_changes(self) -> list[g.SetTrack]:
        return [change for _, effects in self.effects for change in effects.track_changes]

    @cached_property
    def can_eliminate_players(self) -> bool:
        return can_eliminate_players(self.game)

    @cached_property
    def triggered_bodies(self) -> tuple[object, ...]:
        """Bodies that run without `do`: triggers and reactions."""
        triggers: list[g.Enters | g.Whenever] = [*self.game.enters, *self.game.whenevers]
        return *(each.body for each in triggers), *(reaction.option.body for reaction in self.game.reactions)

    @cached_property
    def constants(self) -> ConstantEvaluator:
        """Evaluator of values that are the same at each player count and in each variant."""
        return ConstantEvaluator(self.game, None, knows_settings=False)

    @cached_property
    def bindings(self) -> list[Binding]:
        """Variables that statements and options bind."""
        return [each for part in self.nodes for each in find_bindings(self.game, part)]

    @cached_property
    def own_bindings(self) -> list[Binding]:
        """Names that choices, options, reactions and `remember` bind in the game's own file."""
        named = (each for each in self.bindings if each.kind in ("choice", "value") and each.var.name)
        return [each for each in named if self.is_own(each.var.span)]

    # ------------------------------------------------------------ what a part leads to
    def walk_reachable(self, *bodies: object) -> list[ModelNode]:
        """Return all parts of bodies and of the steps that they may run."""
        return [part for body in bodies for each in iter_reachable_bodies(self.game, body) for part in walk(each)]

    def walk_with_definitions(self, value: object) -> Iterator[object]:
        """Yield all parts of a value, including the definitions, orders and rankings that it uses."""
        known: set[object] = set()
        waiting = [value]
        while waiting:
            for part in walk((waiting.pop(),)):
                yield part
                for key, other in self.iter_referenced_parts(part):
                    if key not in known:
                        known.add(key)
                        waiting.append(other)

    def iter_referenced_parts(self, part: object) -> Iterator[tuple[object, object]]:
        match part:
            case g.Call(define=name):
                yield name, self.game.defines[name].value
            case g.Sorted(order=str(name)) | g.AggBy(order=str(name)):
                yield name, self.game.orders[name].lines
            case g.ReadRanking(ranking=name) | g.IsReading(ranking=name):
                ranking = self.game.rankings[name]
                yield name, (ranking.ranks, ranking.ties, tuple(wild.condition for wild in ranking.wilds))

    def find_zones(self, value: object) -> set[str]:
        """Return the zones that a value reads, directly or through definitions."""
        return {part.zone for part in self.walk_with_definitions(value) if isinstance(part, g.ZoneCards)}

    def find_tracks(self, value: object) -> set[str]:
        """Return the tracks that a value reads, directly or through definitions."""
        return {part.track for part in self.walk_with_definitions(value) if isinstance(part, g.TrackValue)}

    # ------------------------------------------------------------ execution order
    @cached_property
    def execution_order(self) -> list[g.Stmt]:
        """Every reachable statement once, in the estimated order of its first execution.

        Of several branches, the first one written comes first. Bodies of `whenever` come last.
        """
        steps = self.game.steps
        found: list[g.Stmt] = []
        visited: set[object] = set()
        roots = [steps[name].body for name in ENTRY_STEPS if name in steps]
        waiting = [iter(body) for body in reversed([*roots, *(trigger.body for trigger in self.game.whenevers)])]
        while waiting:
            statement = next(waiting[-1], None)
            if statement is None:
                waiting.pop()
                continue
            found.append(statement)
            waiting += [iter(body) for body in reversed(list(self.iter_run_bodies(statement, visited)))]
        return found

    def iter_run_bodies(self, statement: g.Stmt, visited: set[object]) -> Iterator[StatementBlock]:
        """Yield the bodies that a statement runs. Bodies of steps and triggers come only the first time."""
        for key, body in self.iter_called_bodies(statement):
            if key not in visited:
                visited.add(key)
                yield body
        yield from (option.body for option in find_effects(statement).options)
        yield from (getattr(statement, name, ()) for name in BODY_FIELDS)

    def iter_called_bodies(self, statement: g.Stmt) -> Iterator[tuple[object, StatementBlock]]:
        """Yield the bodies outside a statement that it runs: steps, card procedures, zone triggers and reactions."""
        effects = find_effects(statement)
        yield from ((("step", name), self.game.steps[name].body) for name in effects.steps)
        for name in effects.card_steps:
            yield from ((id(borne), borne.body) for borne in self.game.borne_steps[name].bodies if borne)
        entered = {transfer.to.zone for transfer in effects.transfers}
        yield from ((id(each), each.body) for each in self.game.enters if each.zone in entered)
        if isinstance(statement, g.Announce):
            answers = [reaction.option for reaction in self.game.reactions if statement.name in reaction.to]
            yield from ((id(option), option.body) for option in answers)


RULES = RuleRegistry[GameFacts]()
rule = RULES.rule
