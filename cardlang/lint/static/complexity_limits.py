"""Lint rules for recursion, nesting depth, and limits on state and options."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from fractions import Fraction
from functools import cache
from graphlib import TopologicalSorter
from math import prod

from cardlang import model as g
from cardlang.diagnostics import Span
from cardlang.diagnostics.source_limits import (
    MAX_CHOICES,
    MAX_NESTING,
    MAX_OPTIONS,
    MAX_REACTIONS,
    MAX_STATE_SLOTS,
    MAX_STEPS,
)
from cardlang.lint.rule_registry import Finding, RuleRegistry
from cardlang.lint.static.shared_game_facts import GameFacts, rule
from cardlang.model.loaded_game_validation import count_slots
from cardlang.model.traversal import find_free_variables, walk

MAX_USES = 10_000
"""Maximum number of uses of other definitions, after full expansion."""


DEPTH_RULES = RuleRegistry[GameFacts]()
"""Rules that other rules rely on. If one of them finds something, the others do not run."""


@DEPTH_RULES.rule("E233")
def find_circular_definitions(facts: GameFacts) -> Iterator[Finding]:
    """Find a cycle of dependencies."""
    ring = find_dependency_cycle(facts.game)
    if ring:
        message = f"`{ring[0]}` is defined by itself"
        if len(ring) > 1:
            names = " → ".join(f"`{name}`" for name in [*ring, ring[0]])
            message = f"these definitions are defined by each other: {names}"
        values = list_declared_values(facts.game)[ring[0]]
        span = next(span for span, value in values if ring[1 % len(ring)] in list_dependencies(value))
        yield Finding(span, message, "a definition cannot use its own value, even for another card")


@DEPTH_RULES.rule("E122")
def find_deep_definitions(facts: GameFacts) -> Iterator[Finding]:
    """Find the first chain of definitions or steps that is too long, or else a definition that grows too large."""
    game = facts.game
    needed = {name: list_references(define.value, g.Call, "define") for name, define in game.defines.items()}
    called = {name: list_references(step.body, g.Do, "step") for name, step in game.steps.items()}
    for declared, uses in ((game.defines, needed), (game.steps, called)):
        name = find_deep_chain(uses)
        if name is not None:
            message = f"`{name}` starts a chain of more than {MAX_NESTING} definitions or steps"
            yield Finding(declared[name].origin.name, message, "put more of the chain in one place")
            return
    name = find_overused_definition(needed)
    if name is not None:
        message = f"`{name}` uses other definitions more than {MAX_USES:,} times in all"
        yield Finding(game.defines[name].origin.name, message, "use the same value less often")


def list_declared_values(game: g.Game) -> dict[str, list[tuple[Span, object]]]:
    """Return the values of all named declarations, with their spans."""
    found: dict[str, list[tuple[Span, object]]] = {}
    for name, define in game.defines.items():
        found[name] = [(define.origin.name, define.value)]
    for name, borne in game.borne_defines.items():
        found[name] = [(body.value.span, body.value) for body in borne.bodies if body]
    for name, order in game.orders.items():
        found[name] = [(order.origin.name, order.lines)]
    for name, ranking in game.rankings.items():
        wild = tuple(each.condition for each in ranking.wilds)
        found[name] = [(ranking.origin.name, (ranking.ranks, ranking.ties, wild, ranking.least or ()))]
    return found


def find_dependency_cycle(game: g.Game) -> list[str]:
    """Return the names on a cycle of dependencies, or an empty list.

    Cycles of plain definitions alone are left out: resolution handles these, one definition at a time."""
    uses = {
        name: [used for _, value in of for used in list_dependencies(value)]
        for name, of in list_declared_values(game).items()
    }
    for name in (*game.borne_defines, *game.orders, *game.rankings):
        came: dict[str, str] = {}
        waiting = [name]
        while waiting and name not in came:
            here = waiting.pop()
            new = [used for used in uses[here] if used not in came]
            came |= dict.fromkeys(new, here)
            waiting += new
        if name in came:
            return trace_cycle(came, name)
    return []


REFERENCE_FIELDS: dict[type, str] = {
    g.Call: "define", g.BorneCall: "define", g.Sorted: "order", g.AggBy: "order", g.ReadRanking: "ranking",
    g.IsReading: "ranking",
}  # fmt: skip
"""Expressions that use a named declaration, with the field that has the name."""


def list_dependencies(value: object) -> list[str]:
    parts = [part for part in walk(value) if type(part) in REFERENCE_FIELDS]
    return [name for part in parts if (name := getattr(part, REFERENCE_FIELDS[type(part)]))]


def trace_cycle(predecessors: Mapping[str, str], name: str) -> list[str]:
    """Return the path from a name back to itself. `predecessors` maps each name to its predecessor."""
    way = [predecessors[name]]
    while way[-1] != name:
        way.append(predecessors[way[-1]])
    return way[::-1]


def find_overused_definition(uses: Mapping[str, list[str]]) -> str | None:
    """Return the first definition with too many uses after expansion, whose own dependencies have fewer."""

    @cache
    def count_uses(name: str) -> int:
        return sum(1 + count_uses(other) for other in uses[name] if other in uses)

    wide = [name for name in uses if count_uses(name) > MAX_USES]
    return next((name for name in wide if not any(count_uses(other) > MAX_USES for other in uses[name])), None)


def list_references(part: object, node_class: type, field: str) -> list[str]:
    return [getattr(found, field) for found in walk(part) if isinstance(found, node_class)]


def find_deep_chain(uses: Mapping[str, list[str]]) -> str | None:
    """Return the first name with a chain of more than MAX_NESTING uses. The graph of uses is acyclic."""
    depth: dict[str, int] = {}
    for name in TopologicalSorter(uses).static_order():
        depth[name] = 1 + max((depth[other] for other in uses.get(name, ())), default=0)
        if depth[name] > MAX_NESTING:
            return name
    return None


# ---------------------------------------------------------------- state size and choice limits
@rule("E239")
def find_excesses(facts: GameFacts) -> Iterator[Finding]:
    """Find zones, numbers, choices, options and reactions beyond the limits."""
    yield from find_state_excess(facts.game)
    choices = [(part, effects) for part, effects in facts.effects if effects.asks]
    for part, _ in sorted(choices, key=lambda choice: choice[0].span.start)[MAX_CHOICES : MAX_CHOICES + 1]:
        message = f"a game has at most {MAX_CHOICES} choices in its rules"
        yield Finding(part.span, message, "put repeated choices in a step, and run it with `do`")
    for option in (each for _, effects in choices for each in effects.options[MAX_OPTIONS : MAX_OPTIONS + 1]):
        hint = "replace similar options with one that has a value, as in `option buy with goods from market`"
        yield Finding(option.span, f"a choice has at most {MAX_OPTIONS} options", hint)
    for option in facts.find_nodes(g.Option):
        yield from find_excess_combinations(facts, option)
    for reaction in facts.game.reactions[MAX_REACTIONS : MAX_REACTIONS + 1]:
        hint = "replace similar reactions with one that has a card, as in `with shown from your hand`"
        yield Finding(reaction.option.span, f"a game has at most {MAX_REACTIONS} reactions", hint)


def find_state_excess(game: g.Game) -> Iterator[Finding]:
    """Find the zone or number that exceeds the limit. Those of each player, card or member count."""
    slots = 0
    declared: list[g.Zone | g.Track] = [*game.zones.values(), *game.tracks.values()]
    for each in declared:
        slots += count_slots(game, each)
        if slots > MAX_STATE_SLOTS:
            message = f"this makes more than {MAX_STATE_SLOTS:,} zones and numbers, counting one for each owner"
            hint = "declare fewer of them for each card or value, or use fewer cards"
            yield Finding(each.origin.name, message, hint)
            return


def find_excess_combinations(facts: GameFacts, option: g.Option) -> Iterator[Finding]:
    """Find an option whose bindings have too many combinations to be offered in any position."""
    bound = [var.id for var, _ in option.binders]
    terms = [
        find_free_variables(term) & set(bound)
        for term in (*(when for when, _ in option.when), *(c for c, _, _ in option.costs))
    ]
    asked = min((1 + max(map(bound.index, needs), default=-1) for needs in terms), default=len(bound))
    sizes = [count_domain_values(facts, domain) for _, domain in option.binders[:asked]]
    if not sizes or None in sizes:
        return
    tried = prod(size or 0 for size in sizes)
    hint = "choose fewer values in one option, and the others before or after it"
    if not terms and tried > g.MAX_MOVES:
        yield Finding(option.span, f"this makes {tried:,} moves, but the limit is {g.MAX_MOVES:,}", hint)
    elif sizes[-1] and tried // sizes[-1] > MAX_STEPS:
        yield Finding(option.span, f"these values have {tried:,} combinations, which is too many to try", hint)


def count_domain_values(facts: GameFacts, domain: g.Domain) -> int | None:
    """Return the number of values to choose from, if it is constant."""
    if isinstance(domain.list, g.Members):
        return len(facts.game.kinds[domain.list.kind].members)
    if domain.low is None or domain.high is None:
        return None
    low, high = facts.constants.evaluate(domain.low, {}), facts.constants.evaluate(domain.high, {})
    return max(0, int(high - low) + 1) if isinstance(low, Fraction) and isinstance(high, Fraction) else None
