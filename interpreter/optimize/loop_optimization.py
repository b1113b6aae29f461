"""Loop optimization: unrolling, fusion, hoisting of invariants."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TypeVar

from interpreter import ir
from interpreter.ir.ir_expressions import encode_absent
from interpreter.ir.simplifier import rewrite_top_down, simplify_part, substitute_variables
from interpreter.ir.traversal import (
    Part,
    count_nodes,
    find_assigned_variables,
    find_free_ir_variables,
    list_children,
    rewrite_bodies,
    walk,
    walk_statements,
)
from interpreter.optimize.purity import PurityAnalysis

Clauses = tuple[ir.Clause, ...]


def fuse_loop(e: ir.Loop) -> ir.Expr:
    """Fuse a loop with the lists that it iterates over, and simplify it."""
    clauses = flatten_clauses(e.clauses, e.body)
    if clauses is not e.clauses:
        e = drop_renamed_variables(e.replace(clauses=clauses))
    first, clauses = e.clauses[0], e.clauses
    if e.function != "list" or not isinstance(first, ir.For):
        return e
    if len(clauses) == 1 and is_list_choice(first.list):
        return push_loop_into_alternatives(e, first.local, first.list)
    return e


def drop_renamed_variables(e: ir.Loop) -> ir.Loop:
    """Remove variables of a loop that only rename a variable or constant."""
    clauses: list[ir.Clause] = []
    names: dict[int, ir.Expr] = {}
    for clause in e.clauses:
        clause = substitute_variables(clause, names)
        if isinstance(clause, ir.Let) and isinstance(clause.value, ir.Local | ir.Const):
            names[clause.local.number] = clause.value
        else:
            clauses.append(clause)
    return e.replace(clauses=tuple(clauses), body=substitute_variables(e.body, names)) if names else e


def is_list_choice(items: ir.Expr) -> bool:
    """Check whether an expression selects one of several lists."""
    chosen = isinstance(items, ir.Op) and items.operation == "first_list"
    return chosen or (isinstance(items, ir.Either) and items.otherwise == ir.Const(items.kind, ()))


def push_loop_into_alternatives(e: ir.Loop, local: ir.Local, items: ir.Expr) -> ir.Expr:
    """Move a loop into the alternatives of its list, so that the list is selected first."""
    match items:
        case ir.Op(operation="first_list"):
            return ir.Op(
                e.kind,
                "first_list",
                tuple(push_loop_into_alternatives(e, local, alternative) for alternative in items.args),
            )
        case ir.Either(otherwise=ir.Const(value=())):
            return ir.Either(
                e.kind, items.condition, push_loop_into_alternatives(e, local, items.then), ir.Const(e.kind, ())
            )
    return fuse_loop(e.replace(clauses=(ir.For(local, items),)))


def flatten_clauses(clauses: Clauses, body: ir.Expr) -> Clauses:
    flattened: list[ir.Clause] = []
    for number, clause in enumerate(clauses):
        if isinstance(clause, ir.For) and isinstance(clause.list, ir.Loop) and clause.list.function == "list":
            inner = clause.list
            if not (can_draw_random([inner]) and can_draw_random([*clauses[number + 1 :], body])):
                flattened += [*inner.clauses, ir.Let(clause.local, inner.body)]
                continue
        flattened.append(clause)
    return tuple(flattened) if len(flattened) != len(clauses) else clauses


def can_draw_random(parts: Sequence[Part]) -> bool:
    """Check whether expressions may draw random numbers, so that their order of evaluation matters."""
    for part in walk(parts):
        if isinstance(part, ir.Calling | ir.Dispatch) or (
            isinstance(part, ir.Op) and part.operation in ir.RANDOM_OPERATIONS
        ):
            return True
    return False


MAX_UNROLLED_ITEMS = 3
"""Maximum number of items of an unrolled loop."""
MAX_UNROLLED_STATEMENT, MAX_UNROLLED_VALUES = 40, 100
"""Maximum size, in nodes, of an unrolled loop statement, and of all values of an unrolled loop expression."""
SINGLE_SITE_STATEMENTS = (ir.Wait, ir.Run, ir.RunBorne, ir.Mark, ir.Scope, ir.Leave)


def optimize_loop_part(part: Part) -> Part:
    if isinstance(part, ir.Loop):
        fused = fuse_loop(part)
        return unroll_loop(fused) if isinstance(fused, ir.Loop) else optimize_loop_part(fused)
    if isinstance(part, ir.If | ir.ForEach | ir.While | ir.Scope):
        return rewrite_bodies(part, unroll_statements)
    return simplify_part(part)


def unroll_statements(body: tuple[ir.Stmt, ...]) -> tuple[ir.Stmt, ...]:
    """Unroll the short loops of a body, and resolve constant conditions."""
    unrolled: list[ir.Stmt] = []
    for stmt in body:
        if isinstance(stmt, ir.ForEach) and (items := find_constant_items(stmt.list)) and can_unroll(stmt):
            for item in items:
                unrolled += unroll_statements(substitute_variables(stmt.body, {stmt.local.number: item}))
        elif isinstance(stmt, ir.ForEach) and (only := find_only_item(stmt.list)):
            unrolled += (ir.Assign(stmt.local, only), *unroll_statements(stmt.body))
        elif isinstance(stmt, ir.If) and isinstance(stmt.condition, ir.Const) and isinstance(stmt.condition.value, int):
            unrolled += stmt.then if stmt.condition.value else stmt.otherwise
        else:
            unrolled.append(stmt)
    return tuple(unrolled)


def can_unroll(stmt: ir.ForEach) -> bool:
    """Check whether a loop can be unrolled: it is short and contains no decision, which must have a single site."""
    return count_nodes(stmt) <= MAX_UNROLLED_STATEMENT and not any(
        isinstance(part, SINGLE_SITE_STATEMENTS) for part in walk([stmt])
    )


def find_only_item(items: ir.Expr) -> ir.Expr | None:
    """Return the item of a list display with a single item; None for any other list."""
    match items:
        case ir.Items(items=(only,)) if not isinstance(only, ir.Spread):
            return only
    return None


def find_constant_items(items: ir.Expr) -> list[ir.Const]:
    """Return the items of a short constant list; empty for any other list."""
    if isinstance(items, ir.Const) and isinstance(items.value, tuple) and 0 < len(items.value) <= MAX_UNROLLED_ITEMS:
        kind = items.kind.item or ir.NUMBER
        return [ir.Const(kind, value) for value in items.value]
    return []


# ---------------------------------------------------------------- loops with a value
UnrolledTerm = tuple[tuple[ir.Expr, ...], ir.Expr]
"""Conditions, and the value if they hold."""


def unroll_loop(e: ir.Loop) -> ir.Expr:
    """Unroll a loop expression over a few fixed items."""
    terms = find_terms(e.clauses, e.body) if e.function != "pairs" else None
    if (
        terms is None
        or not terms
        or len(terms) > 2 * MAX_UNROLLED_ITEMS
        or sum(count_nodes(value) for _, value in terms) > MAX_UNROLLED_VALUES
    ):
        return e
    match e.function:
        case "any" | "every":
            return unroll_quantifier(e, terms)
        case "count" | "total":
            return unroll_sum(e, terms)
        case "highest" | "lowest":
            return unroll_extreme(e, terms)
    if all(not conditions for conditions, _ in terms):
        return ir.Items(e.kind, tuple(value for _, value in terms))
    return e


def find_terms(clauses: tuple[ir.For | ir.Let | ir.Test, ...], body: ir.Expr) -> list[UnrolledTerm] | None:
    """Return one term for each iteration of a loop; None unless they are few and fixed."""
    if not clauses:
        return [((), body)]
    first, rest = clauses[0], clauses[1:]
    if isinstance(first, ir.Test):
        inner = find_terms(rest, body)
        return None if inner is None else [((first.condition, *conditions), value) for conditions, value in inner]
    if isinstance(first, ir.Let):
        return None
    terms: list[UnrolledTerm] = []
    for item in find_fixed_items(first.list):
        if item is None:
            return None
        conditions, value = item
        turn = substitute_variables((rest, body), {first.local.number: value})
        inner = find_terms(*turn)
        if inner is None:
            return None
        terms += [((*conditions, *more), value) for more, value in inner]
    return terms


def find_fixed_items(items: ir.Expr) -> list[UnrolledTerm | None]:
    """Return the items of a list with their conditions; None for an item that is not fixed."""
    if isinstance(items, ir.Const):
        return [((), item) for item in find_constant_items(items)] or [None]
    if isinstance(items, ir.Items):
        fixed: list[UnrolledTerm | None] = []
        for item in items.items:
            if not isinstance(item, ir.Spread):
                fixed.append(((), item) if is_cheap_value(item) else None)
            elif isinstance(item.list, ir.Loop) and item.list.function == "list":
                fixed += find_terms(item.list.clauses, item.list.body) or [None]
            else:
                fixed += find_fixed_items(item.list)
        return fixed
    return [None]


def is_cheap_value(expr: ir.Expr) -> bool:
    return isinstance(expr, ir.Const | ir.Local) or (isinstance(expr, ir.Track | ir.Entry) and count_nodes(expr) < 4)


def build_all_of(conditions: tuple[ir.Expr, ...]) -> ir.Expr:
    condition = simplify_part(ir.Logic(ir.FLAG, "and", conditions)) if conditions else ir.Const(ir.FLAG, 1)
    return condition if isinstance(condition, ir.Expr) else ir.Const(ir.FLAG, 1)


def unroll_quantifier(e: ir.Loop, terms: list[UnrolledTerm]) -> ir.Expr:
    parts = []
    for conditions, value in terms:
        if e.function == "any":
            parts.append(build_all_of((*conditions, value)))
        else:
            parts.append(build_any_of((*(ir.Not(ir.FLAG, condition) for condition in conditions), value)))
    return build_all_of(tuple(parts)) if e.function == "every" else build_any_of(tuple(parts))


def build_any_of(parts: tuple[ir.Expr, ...]) -> ir.Expr:
    condition = simplify_part(ir.Logic(ir.FLAG, "or", parts))
    return condition if isinstance(condition, ir.Expr) else ir.Const(ir.FLAG, 0)


def unroll_sum(e: ir.Loop, terms: list[UnrolledTerm]) -> ir.Expr:
    total: ir.Expr | None = None
    for conditions, value in terms:
        one = ir.Const(ir.NUMBER, 1) if e.function == "count" else value
        term = build_conditional(e.kind, build_all_of(conditions), one, ir.Const(e.kind, 0))
        total = term if total is None else ir.Arith(e.kind, "+", total, term)
    return total or ir.Const(e.kind, 0)


def unroll_extreme(e: ir.Loop, terms: list[UnrolledTerm]) -> ir.Expr:
    nothing = ir.Const(e.kind, encode_absent(e.kind))
    if any(conditions for conditions, _ in terms):
        sure = any(not conditions for conditions, _ in terms)
        if e.function == "lowest" or not (sure or e.kind.tag == "number"):
            return e
    values = tuple(build_conditional(e.kind, build_all_of(conditions), value, nothing) for conditions, value in terms)
    if len(values) == 1:
        return values[0]
    return ir.Op(e.kind, "most_of" if e.function == "highest" else "least_of", values)


def build_conditional(kind: ir.Kind, condition: ir.Expr, then: ir.Expr, otherwise: ir.Expr) -> ir.Expr:
    expression = simplify_part(ir.Either(kind, condition, then, otherwise))
    return expression if isinstance(expression, ir.Expr) else then


CHANGING_STATEMENTS = (ir.Store, ir.Bump, ir.SetLink, ir.Effect, ir.Do, ir.DoBorne, ir.Run, ir.RunBorne, ir.Wait)


def has_side_effects(body: tuple[ir.Stmt, ...]) -> bool:
    """Check whether statements change more than their own variables."""
    return any(isinstance(stmt, CHANGING_STATEMENTS) and not is_too_many_check(stmt) for stmt in walk_statements(body))


def is_too_many_check(stmt: ir.Stmt) -> bool:
    return isinstance(stmt, ir.Effect) and stmt.operation in ("few_moves", "few_asked", "one_card")


NEVER_HOISTED = (ir.Const, ir.Local, ir.Pile, ir.Table, ir.SlotOf, ir.Spread, ir.Key, ir.At, ir.TestOf, ir.Link)
"""Expressions that cost nothing, have no value of their own, or may fail."""
BOUND_OPERATIONS, BOUND_TAGS = {"range", "strength_of", "negated", "larger_groups"}, {"key", "pair", "probe"}
"""Operations, and types of values, that code generators handle only within the surrounding expression."""
P = TypeVar("P")
LocalFactory = Callable[[ir.Kind], ir.Local]


class LoopInvariantHoister:
    """Hoister of loop invariants. `create_local`: creates a variable."""

    def __init__(self, create_local: LocalFactory, purity: PurityAnalysis) -> None:
        self.create_local, self.purity = create_local, purity

    def hoist_from_loop(self, e: ir.Loop) -> ir.Loop:
        first = next((at for at, clause in enumerate(e.clauses) if isinstance(clause, ir.For)), len(e.clauses))
        if first == len(e.clauses):
            return e
        source = e.clauses[first]
        inside, invariants = self.extract_invariants((e.clauses[first + 1 :], e.body), find_assigned_variables([e]))
        if not invariants:
            return e
        lets = tuple(ir.Let(local, value) for value, local in invariants.items())
        clauses, body = inside
        return e.replace(clauses=(*e.clauses[:first], *lets, source, *clauses), body=body)

    def hoist_from_pure_code(self, body: ir.Body) -> ir.Body:
        """Hoist invariants in the body of a function that changes only its own variables."""
        return body if has_side_effects(body) else self.hoist_from_statements(body)

    def hoist_from_statements(self, body: tuple[ir.Stmt, ...]) -> tuple[ir.Stmt, ...]:
        """Hoist invariants in statements that change only their own variables."""
        statements: list[ir.Stmt] = []
        for stmt in body:
            if isinstance(stmt, ir.If):
                statements.append(rewrite_bodies(stmt, self.hoist_from_statements))
            elif isinstance(stmt, ir.ForEach):
                inner, invariants = self.extract_invariants(
                    self.hoist_from_statements(stmt.body), find_assigned_variables([stmt])
                )
                statements += [ir.Assign(local, value) for value, local in invariants.items()]
                statements.append(stmt.replace(body=inner) if invariants else stmt)
            else:
                statements.append(stmt)
        return tuple(statements)

    def extract_invariants(self, nodes: P, bound_variables: set[int]) -> tuple[P, dict[ir.Expr, ir.Local]]:
        """Replace the subexpressions that are independent of the bound variables. Return the new nodes, and a
        variable for each of these subexpressions."""
        invariants: dict[ir.Expr, ir.Local] = {}

        def replace_invariant(part: Part) -> Part | None:
            if (
                not isinstance(part, ir.Expr)
                or is_never_hoisted(part)
                or find_free_ir_variables([part]) & bound_variables
            ):
                return None
            if not self.purity.is_pure([part]) or not has_safe_item_access(part):
                return None
            if part not in invariants:
                invariants[part] = self.create_local(part.kind)
            return invariants[part]

        return rewrite_top_down(nodes, replace_invariant), invariants


def is_never_hoisted(expr: ir.Expr) -> bool:
    if isinstance(expr, ir.Op) and expr.operation in BOUND_OPERATIONS:
        return True
    if isinstance(expr, ir.Not) and isinstance(expr.value, ir.Local):
        return True
    return isinstance(expr, NEVER_HOISTED) or any(
        kind and kind.tag in BOUND_TAGS for kind in (expr.kind, expr.kind.item)
    )


def has_safe_item_access(part: Part) -> bool:
    """Check whether an expression takes items only from lists that it has found to be non-empty."""
    if isinstance(part, ir.At):
        return False
    if isinstance(part, ir.Either):
        ends = [node for node in walk([part.then]) if isinstance(node, ir.At)]
        if ends and all(node.list == part.condition for node in ends):
            return has_safe_item_access(part.otherwise)
    return all(map(has_safe_item_access, list_children(part)))
