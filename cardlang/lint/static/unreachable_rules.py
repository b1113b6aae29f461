"""Lint rules for unreachable cases, branches, options, statements and ranks."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from fractions import Fraction
from itertools import combinations

from attrs import frozen

from cardlang import model as g
from cardlang.diagnostics import Diagnostic, Span
from cardlang.lint.static.constant_values import NO, YES, ConstantEvaluator, VariableBindings, compare_values
from cardlang.lint.static.execution_order import get_own_source
from cardlang.lint.static.infinite_loops import walk_with_definitions
from cardlang.model.effects import find_effects
from cardlang.model.traversal import (
    can_eliminate_players,
    collect_all_nodes,
    has_random_draw,
    is_random_draw,
    iter_bodies,
    walk,
)

EvaluationCase = tuple[ConstantEvaluator, VariableBindings]
OptionalCondition = g.Expr | None
MAX_COMPARED_CONDITIONS = 200
"""Limit of a chain: only this many conditions are compared with each other."""


@frozen
class ConditionChain:
    """Chain of conditions of which the first true one counts. A condition None is always true.

    `variable_range` has a variable, and the number of cards or members it ranges over."""

    conditions: tuple[OptionalCondition, ...]
    spans: tuple[Span, ...]
    variable_range: tuple[int, int] | None = None


def check_unreachable_cases(game: g.Game) -> Iterator[Diagnostic]:
    """Report cases and branches whose condition is never true, or only if an earlier one is true."""
    varied = None if game.variant is None else find_variant_spans(game)
    for chain in find_condition_chains(game):
        worlds = list(iter_evaluation_cases(game, chain))
        for number, condition in enumerate(chain.conditions):
            if condition is not None and is_own_line(game, condition.span, varied):
                yield from check_condition_reachable(chain, number, worlds)


def is_own_line(game: g.Game, span: Span, variant_spans: list[Span] | None) -> bool:
    """Return whether a line is in the game's own file; in a variant, in the variant's own lines.

    Lines that a variant inherits may have cases that only the original game needs."""
    own = span.source is get_own_source(game)
    return own and (variant_spans is None or any(each.start <= span.start < each.end for each in variant_spans))


def find_variant_spans(game: g.Game) -> list[Span]:
    items: list[g.Define | g.Step] = [*game.defines.values(), *game.steps.values()]
    return [item.origin.span for item in items if item.origin.varied]


def find_condition_chains(game: g.Game) -> Iterator[ConditionChain]:
    about = {}
    for define in game.defines.values():
        count = len(game.faces) if define.subject == "card" else 0
        count = len(game.kinds[define.subject].members) if define.subject in game.kinds else count
        if define.var is not None and count:
            about[id(define.value)] = (define.var.id, count)
    followed: set[int] = set()
    branching = [part for part in collect_all_nodes(game) if isinstance(part, g.Cases | g.If)]
    for part in sorted(branching, key=lambda each: each.span.start):
        if isinstance(part, g.Cases):
            conditions = tuple(condition for _, condition in part.cases)
            yield ConditionChain(
                conditions, tuple(each.span if each else part.span for each in conditions), about.get(id(part))
            )
        elif id(part) not in followed:
            branches = list(iter_else_if_branches(part))
            followed |= {id(branch) for branch in branches}
            yield ConditionChain(
                tuple(branch.condition for branch in branches), tuple(branch.condition.span for branch in branches)
            )


def iter_else_if_branches(branch: g.If) -> Iterator[g.If]:
    """Yield an `if` and its chain of `otherwise if`."""
    yield branch
    match branch.otherwise:
        case (g.If() as other,):
            yield from iter_else_if_branches(other)


def iter_evaluation_cases(game: g.Game, chain: ConditionChain) -> Iterator[EvaluationCase]:
    """Yield a world for every relevant player count, and for every card or member."""
    counting = any(isinstance(part, g.Builtin) and part.name == "players" for part in walk(chain.conditions))
    counts = range(max(game.seats) + 1) if can_eliminate_players(game) else game.seats
    for players in counts if counting else (None,):
        known = ConstantEvaluator(game, players, knows_settings=False)
        if chain.variable_range is None:
            yield known, {}
        else:
            yield from ((known, {chain.variable_range[0]: Fraction(place)}) for place in range(chain.variable_range[1]))


def check_condition_reachable(
    chain: ConditionChain, index: int, evaluation_cases: Sequence[EvaluationCase]
) -> Iterator[Diagnostic]:
    condition = chain.conditions[index]
    if condition is None:
        return
    possible = [world for world in evaluation_cases if world[0].evaluate(condition, world[1]) != NO]
    if not possible:
        if evaluation_cases:
            yield build_unreachable_diagnostic(
                "this condition is never true",
                chain.spans[index],
                "change the condition, or the rules that make it impossible",
            )
        return
    before = {find_hiding_condition(chain, index, world) for world in possible}
    if None not in before:
        related = tuple(
            (chain.spans[each], "this condition is true first")
            for each in sorted(before, key=lambda n: n or 0)
            if each is not None
        )
        condition_before = chain.conditions[min(each for each in before if each is not None)]
        same = condition_before is not None and implies(condition_before, condition)
        yield build_unreachable_diagnostic(
            "this case is never reached: whenever it is true, an earlier condition is true too",
            chain.spans[index],
            "change one of the two conditions" if same else "put the narrower condition first",
            related,
        )


def build_unreachable_diagnostic(
    message: str, span: Span, hint: str, related: tuple[tuple[Span, str], ...] = ()
) -> Diagnostic:
    return Diagnostic("W412", message, span, hint, related, warning=True)


def find_hiding_condition(chain: ConditionChain, index: int, evaluation_case: EvaluationCase) -> int | None:
    """Return the first earlier condition that is true whenever the given one is, or None."""
    condition, (known, given) = chain.conditions[index], evaluation_case
    if index > MAX_COMPARED_CONDITIONS:
        return None
    for place, earlier in enumerate(chain.conditions[:index]):
        if earlier is None or condition is None:
            continue
        if known.evaluate(earlier, given) == YES or implies(condition, earlier):
            return place
    return None


def implies(narrow: g.Expr, wide: g.Expr) -> bool:
    """Return whether one condition implies the other. True is certain, False is not."""
    if has_random_draw(narrow) or has_random_draw(wide):
        return False
    if narrow == wide:
        return True
    if isinstance(narrow, g.Or):
        return implies(narrow.left, wide) and implies(narrow.right, wide)
    if isinstance(wide, g.And):
        return implies(narrow, wide.left) and implies(narrow, wide.right)
    if isinstance(narrow, g.And) and (implies(narrow.left, wide) or implies(narrow.right, wide)):
        return True
    if isinstance(wide, g.Or) and (implies(narrow, wide.left) or implies(narrow, wide.right)):
        return True
    return implies_by_constant(narrow, wide)


def implies_by_constant(narrow: g.Expr, wide: g.Expr) -> bool:
    """Return whether a comparison implies another one of the same value with a constant, as `x > 5` implies `x > 3`."""
    match narrow, wide:
        case (
            g.Compare(operator=near, left=left, right=g.Const(value=int() | Fraction() as a)),
            g.Compare(operator=far, left=other, right=g.Const(value=int() | Fraction() as b)),
        ) if left == other and left.type.tag in ("number", "member"):
            first, second = Fraction(a), Fraction(b)
            if near == "=":
                return compare_values(far, first, second) == YES
            if near in (">", ">=") and far in (">", ">="):
                return first > second or (first == second and (near == ">" or far == ">="))
            if near in ("<", "<=") and far in ("<", "<="):
                return first < second or (first == second and (near == "<" or far == "<="))
            return far == "!=" and ((near, first <= second) == ("<", True) or (near, first >= second) == (">", True))
    return False


def check_redundant_lists(game: g.Game) -> Iterator[Diagnostic]:
    """Report lists in `first possible` that are part of an earlier list."""
    for part in collect_all_nodes(game):
        if isinstance(part, g.FirstPossible) and part.span.source is get_own_source(game):
            lists = [each for each, _ in part.lists]
            for place, narrow in enumerate(lists):
                wide = next((each for each in lists[:place] if is_sublist(narrow, each)), None)
                if wide is not None:
                    yield build_unreachable_diagnostic(
                        "this list is never reached: whenever it has cards, an earlier list has cards too",
                        narrow.span,
                        "put the narrower list first",
                        ((wide.span, "this list is used first"),),
                    )


def is_sublist(narrow: g.Expr, wide: g.Expr) -> bool:
    return not has_random_draw(narrow) and (
        narrow == wide or (isinstance(narrow, g.Filter) and is_sublist(narrow.list, wide))
    )


# ---------------------------------------------------------------- comparisons of a value with itself
def check_self_comparisons(game: g.Game) -> Iterator[Diagnostic]:
    """Report comparisons of a value with itself."""
    for part in collect_all_nodes(game):
        if isinstance(part, g.Compare) and part.left == part.right and part.span.source is get_own_source(game):
            if any(map(is_random_draw, walk_with_definitions(game, part))) or isinstance(part.left, g.Const):
                continue
            holds = part.operator in ("=", "<=", ">=")
            yield Diagnostic(
                "W416",
                f"both sides are the same, so this is {'always' if holds else 'never'} true",
                part.span,
                "say whose value one side is, as in `that card's …` or `your …`. If a column and a choice share a "
                "name, the name means the column",
                warning=True,
            )


# ---------------------------------------------------------------- options, statements
def check_illegal_options(game: g.Game) -> Iterator[Diagnostic]:
    """Report options with a condition that is never true."""
    for body in iter_bodies(game):
        for part in walk(body):
            if isinstance(part, g.Option) and part.span.source is get_own_source(game):
                never = [when for when, _ in part.when if is_never_true(game, when)]
                for condition in never[:1]:
                    yield build_unreachable_diagnostic(
                        f"`{part.name}` is never legal: this condition is never true",
                        condition.span,
                        "change the condition, or the rules that make it impossible",
                    )


def is_never_true(game: g.Game, condition: g.Expr) -> bool:
    chain = ConditionChain((condition,), (condition.span,))
    return all(known.evaluate(condition, given) == NO for known, given in iter_evaluation_cases(game, chain))


def check_unreachable_statements(game: g.Game) -> Iterator[Diagnostic]:
    """Report statements after one that always ends the step or the game."""
    for part in (part for body in iter_bodies(game) for part in (body, *walk(body))):
        blocks = [part] if isinstance(part, tuple) else [getattr(part, name, ()) for name in BODY_FIELDS]
        for block in blocks:
            statements = [each for each in block if isinstance(each, g.Stmt) and not isinstance(each, g.Aside)]
            for place, statement in enumerate(statements[:-1]):
                if always_finishes(statement):
                    span = statements[place + 1].span
                    if span.source is get_own_source(game):
                        yield build_unreachable_diagnostic(
                            "this line is never reached: the line before always ends the step or the game",
                            span,
                            "move it before the `finish`, or put the `finish` below an `if`",
                            ((statement.span, "it ends here"),),
                        )
                    break


BODY_FIELDS = ("then", "otherwise", "body")


def always_finishes(statement: g.Stmt) -> bool:
    match statement:
        case _ if find_effects(statement).finished:
            return True
        case g.If(then=then, otherwise=otherwise):
            return any(map(always_finishes, then)) and any(map(always_finishes, otherwise))
    return False


# ---------------------------------------------------------------- unreachable ranks
def check_unreachable_ranks(game: g.Game) -> Iterator[Diagnostic]:
    for ranking in game.rankings.values():
        exact = ranking.size == "all"
        for place, rank in enumerate(ranking.ranks):
            above = next((r for r in ranking.ranks[:place] if is_rank_shadowed(r, rank, exact)), None)
            if above is not None:
                yield Diagnostic(
                    "E301",
                    f"`{rank.title}` is never reached: every such hand is also `{above.title}`, which ranks higher",
                    rank.span,
                    "put the rarer rank first",
                    ((above.span, "the higher rank"),),
                )


def is_rank_shadowed(higher_rank: g.Rank, rank: g.Rank, uses_all_cards: bool) -> bool:
    """Return whether all hands of a rank are also hands of a higher one. True is certain, False is not."""
    return bool(rank.patterns) and all(
        any(is_pattern_implied(general, pattern, uses_all_cards) for general in higher_rank.patterns)
        for pattern in rank.patterns
    )


def is_pattern_implied(general: g.Pattern, special: g.Pattern, uses_all_cards: bool) -> bool:
    """Return whether all hands of the special pattern also match the general one.

    Each group of the general pattern needs its own group of the special pattern, at least as large and with all its
    traits. Conditions between groups must hold. `uses_all_cards` means that all cards must be used."""
    if not build_trait_set(general.shared) <= build_trait_set(special.shared):
        return False
    if uses_all_cards and (len(general.groups) != len(special.groups)):
        return False
    return any(
        has_same_distinctions(general, special, found)
        for found in iter_group_assignments(general.groups, special.groups, (), uses_all_cards)
    )


def iter_group_assignments(
    general: Sequence[g.Group], special: Sequence[g.Group], assigned: tuple[int, ...], uses_all_cards: bool
) -> Iterator[tuple[int, ...]]:
    """Yield all assignments of special groups to the general groups that are not yet in `assigned`."""
    if len(assigned) == len(general):
        yield assigned
        return
    for number, group in enumerate(special):
        if number not in assigned and can_group_cover(general[len(assigned)], group, uses_all_cards):
            yield from iter_group_assignments(general, special, (*assigned, number), uses_all_cards)


def has_same_distinctions(general: g.Pattern, special: g.Pattern, assigned: tuple[int, ...]) -> bool:
    """Return whether groups that must differ in the general pattern also differ in the special one, and count once in
    both."""
    for one, two in combinations(range(len(assigned)), 2):
        apart = general.find_distinguishing_columns(one, two)
        if apart and not frozenset() < special.find_distinguishing_columns(assigned[one], assigned[two]) <= apart:
            return False
    names = {trait.attribute for trait in general.shared if trait.word != "one"}
    pairs = [(general.groups[one], special.groups[two]) for one, two in enumerate(assigned)]
    return all(one.uniform_columns & names == two.uniform_columns & names for one, two in pairs)


def can_group_cover(general: g.Group, special: g.Group, uses_all_cards: bool) -> bool:
    if general.set != special.set or not build_trait_set(general.traits) <= build_trait_set(special.traits):
        return False
    if general.condition is not None and not has_same_condition(general, special):
        return False
    if uses_all_cards and not general.or_more:
        return general.count == special.count and not special.or_more
    return general.count <= special.count


def build_trait_set(traits: tuple[g.Trait, ...]) -> set[tuple[str, str, int | None]]:
    return {(trait.word, trait.attribute, trait.low) for trait in traits}


def has_same_condition(general: g.Group, special: g.Group) -> bool:
    """Return whether the conditions of two groups have the same wording."""
    if general.condition is None or special.condition is None:
        return False
    return general.condition.span.text == special.condition.span.text
