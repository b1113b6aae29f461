"""Lint rules for unreachable cases, branches, options, statements and ranks."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from fractions import Fraction
from itertools import combinations

from attrs import frozen

from cardlang import model as g
from cardlang.diagnostics import Span
from cardlang.lint.rule_registry import Finding
from cardlang.lint.static.constant_values import NO, YES, ConstantEvaluator, VariableBindings, compare_values
from cardlang.lint.static.shared_game_facts import BODY_FIELDS, GameFacts, rule
from cardlang.model.statement_effects import find_effects
from cardlang.model.traversal import has_random_draw, is_random_draw, iter_bodies, walk

EvaluationCase = tuple[ConstantEvaluator, VariableBindings]
OptionalCondition = g.Expr | None
MAX_COMPARED_CONDITIONS = 200
"""Limit of a chain: only this many conditions are compared with each other."""
IMPOSSIBLE_HINT = "change the condition, or the rules that make it impossible"


@frozen
class ConditionChain:
    """Chain of conditions of which the first true one counts. A condition None is always true.

    `variable_range` has a variable, and the number of cards or members it ranges over."""

    conditions: tuple[OptionalCondition, ...]
    spans: tuple[Span, ...]
    variable_range: tuple[int, int] | None = None


@rule("W412", "Never reached")
def find_unreachable_code(facts: GameFacts) -> Iterator[Finding]:
    """This case, branch, option or statement can never happen. Either its condition
    never holds, or an earlier one always holds first, or the line before it always
    ends the step. Put the narrower condition first, correct the condition, or
    delete the line. If the case is for a variant, move it to the variant.

    Wrong:

        define card's points as
          5 when value > 4
          9 when value > 7
          otherwise 1
        step setup
          add total of Pack's points to leader's score

    Right:

        define card's points as
          9 when value > 7
          5 when value > 4
          otherwise 1
        step setup
          add total of Pack's points to leader's score
    """
    yield from find_unreachable_cases(facts)
    yield from find_unreachable_lists(facts)
    yield from find_illegal_options(facts)
    yield from find_unreachable_statements(facts)


def find_unreachable_cases(facts: GameFacts) -> Iterator[Finding]:
    """Find cases and branches whose condition is never true, or only if an earlier one is true.

    A variant is responsible only for its own lines: others may have cases that only the original game needs."""
    items: list[g.Define | g.Step] = [*facts.game.defines.values(), *facts.game.steps.values()]
    varied = [item.origin.span for item in items if item.origin.varied]
    for chain in find_condition_chains(facts):
        own = [
            number
            for number, condition in enumerate(chain.conditions)
            if condition is not None
            and facts.is_own(condition.span)
            and (facts.game.variant is None or any(s.start <= condition.span.start < s.end for s in varied))
        ]
        evaluation_cases = list(iter_evaluation_cases(facts, chain)) if own else []
        for number in own:
            yield from find_unreachable_condition(chain, number, evaluation_cases)


def find_condition_chains(facts: GameFacts) -> Iterator[ConditionChain]:
    game, about = facts.game, {}
    for define in game.defines.values():
        count = len(game.faces) if define.subject == "card" else 0
        count = len(game.kinds[define.subject].members) if define.subject in game.kinds else count
        if define.var is not None and count:
            about[id(define.value)] = (define.var.id, count)
    followed: set[int] = set()
    for part in sorted(facts.find_nodes(g.Cases, g.If), key=lambda each: each.span.start):
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


def iter_evaluation_cases(facts: GameFacts, chain: ConditionChain) -> Iterator[EvaluationCase]:
    """Yield a case for every relevant player count, and for every card or member."""
    game = facts.game
    counting = any(isinstance(part, g.Builtin) and part.name == "players" for part in walk(chain.conditions))
    counts = range(max(game.seats) + 1) if facts.can_eliminate_players else game.seats
    for players in counts if counting else (None,):
        known = ConstantEvaluator(game, players, knows_settings=False)
        if chain.variable_range is None:
            yield known, {}
        else:
            yield from ((known, {chain.variable_range[0]: Fraction(place)}) for place in range(chain.variable_range[1]))


def find_unreachable_condition(
    chain: ConditionChain, index: int, evaluation_cases: Sequence[EvaluationCase]
) -> Iterator[Finding]:
    condition, span = chain.conditions[index], chain.spans[index]
    possible = [case for case in evaluation_cases if condition and case[0].evaluate(condition, case[1]) != NO]
    if not possible and evaluation_cases:
        yield Finding(span, "this condition is never true", IMPOSSIBLE_HINT)
    before = {find_hiding_condition(chain, index, case) for case in possible}
    numbers = sorted(each for each in before if each is not None)
    if numbers and None not in before and condition is not None:
        first = chain.conditions[numbers[0]]
        is_same = first is not None and implies(first, condition)
        yield Finding(
            span,
            "this case is never reached: whenever it is true, an earlier condition is true too",
            "change one of the two conditions" if is_same else "put the narrower condition first",
            tuple((chain.spans[each], "this condition is true first") for each in numbers),
        )


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


def find_unreachable_lists(facts: GameFacts) -> Iterator[Finding]:
    """Find lists in `first possible` that are part of an earlier list."""
    for part in facts.find_nodes(g.FirstPossible):
        lists = [each for each, _ in part.lists]
        for place, narrow in enumerate(lists):
            wide = next((each for each in lists[:place] if is_sublist(narrow, each)), None)
            if wide is not None:
                yield Finding(
                    narrow.span,
                    "this list is never reached: whenever it has cards, an earlier list has cards too",
                    "put the narrower list first",
                    ((wide.span, "this list is used first"),),
                )


def is_sublist(narrow: g.Expr, wide: g.Expr) -> bool:
    return not has_random_draw(narrow) and (
        narrow == wide or (isinstance(narrow, g.Filter) and is_sublist(narrow.list, wide))
    )


def find_illegal_options(facts: GameFacts) -> Iterator[Finding]:
    """Find options with a condition that is never true."""
    for option in facts.find_own_nodes(g.Option):
        never = [when for when, _ in option.when if is_never_true(facts, when)]
        for condition in never[:1]:
            message = f"`{option.name}` is never legal: this condition is never true"
            yield Finding(condition.span, message, IMPOSSIBLE_HINT)


def is_never_true(facts: GameFacts, condition: g.Expr) -> bool:
    chain = ConditionChain((condition,), (condition.span,))
    return all(known.evaluate(condition, given) == NO for known, given in iter_evaluation_cases(facts, chain))


def find_unreachable_statements(facts: GameFacts) -> Iterator[Finding]:
    """Find statements after one that always ends the step or the game."""
    parts = facts.find_nodes(g.Stmt, g.Option)
    blocks = [getattr(part, name, ()) for part in parts for name in BODY_FIELDS]
    for block in (*iter_bodies(facts.game), *blocks):
        statements = [each for each in block if isinstance(each, g.Stmt) and not isinstance(each, g.Aside)]
        end = next((place for place, statement in enumerate(statements) if always_finishes(statement)), len(statements))
        for following in statements[end + 1 : end + 2]:
            yield Finding(
                following.span,
                "this line is never reached: the line before always ends the step or the game",
                "move it before the `finish`, or put the `finish` below an `if`",
                ((statements[end].span, "it ends here"),),
            )


def always_finishes(statement: g.Stmt) -> bool:
    match statement:
        case _ if find_effects(statement).finished:
            return True
        case g.If(then=then, otherwise=otherwise):
            return any(map(always_finishes, then)) and any(map(always_finishes, otherwise))
    return False


# ---------------------------------------------------------------- comparisons of a value with itself
@rule("W416", "Compared with itself")
def find_self_comparisons(facts: GameFacts) -> Iterator[Finding]:
    """Both sides of this comparison are the same, so the result never changes. In
    `where`, a name alone means the value of the tested card, even if a choice has
    the same name. Rename the choice, or say whose value it is:
    `that card's value`, `your score`.

    Wrong:

        step play
          each player
            you choose value from Value
            reveal deck where value = value
            add value to your score

    Right:

        step play
          each player
            you choose wanted from Value
            reveal deck where value = wanted
            add wanted to your score
    """
    for part in facts.find_own_nodes(g.Compare):
        if part.left != part.right or isinstance(part.left, g.Const):
            continue
        if not any(map(is_random_draw, facts.walk_with_definitions(part))):
            holds = "always" if part.operator in ("=", "<=", ">=") else "never"
            hint = "say whose value one side is, as in `that card's …` or `your …`. "
            hint += "If a column and a choice share a name, the name means the column"
            yield Finding(part.span, f"both sides are the same, so this is {holds} true", hint)


# ---------------------------------------------------------------- unreachable ranks
@rule("E301", "Rank never reached")
def find_unreachable_ranks(facts: GameFacts) -> Iterator[Finding]:
    """No hand can get this rank, because the same cards also make a rank above it. A
    hand gets the first rank in the list that fits. Put the rarer rank first.

    Wrong:

        ranking Hand of 5 cards, best first
          "Pair"
            2 Pack of one value
          "Three of a Kind"
            3 Pack of one value
        define your strength as Hand of hand

    Right:

        ranking Hand of 5 cards, best first
          "Three of a Kind"
            3 Pack of one value
          "Pair"
            2 Pack of one value
        define your strength as Hand of hand
    """
    for ranking in facts.game.rankings.values():
        exact = ranking.size == "all"
        for place, rank in enumerate(ranking.ranks):
            above = next((r for r in ranking.ranks[:place] if is_rank_shadowed(r, rank, exact)), None)
            if above is not None:
                yield Finding(
                    rank.span,
                    f"`{rank.title}` is never reached: every such hand is also `{above.title}`, which ranks higher",
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
