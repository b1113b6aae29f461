"""Resolution of steps, reactions and triggers, and checks of their call graph."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from cardlang import model as g
from cardlang.diagnostics import Span
from cardlang.semantics import error_codes
from cardlang.semantics.choice_resolver import resolve_option
from cardlang.semantics.definition_resolver import resolve_card_definition_body as borne_definition
from cardlang.semantics.expression_resolver import build_note, build_ruling, build_text, join_types, resolve_condition
from cardlang.semantics.statement_resolver import resolve_block
from cardlang.semantics.symbol_table import ERROR_TYPE, AnnouncementTypes, ResolveContext, Scope
from cardlang.syntax import ast as n


def build_steps(ctx: ResolveContext) -> dict[str, g.Step]:
    return {node.name.text: build_step(ctx, node) for node in ctx.list_items(n.Step)}


def build_step(ctx: ResolveContext, node: n.Step) -> g.Step:
    scope, you = Scope(), None
    if node.your:
        you = ctx.create_variable(g.PLAYER, node.name.span, "you")
        scope = scope.with_subject("player", you)
    params = []
    for param in node.params:
        type_ = ctx.find_type(param.type.text)
        if type_ is None:
            known = ["number", "flag", "player", "card", "cards", *ctx.kinds]
            ctx.report_unknown_name(error_codes.UNKNOWN_KIND, "kind", param.type, known)
        var = ctx.create_variable(type_ or ERROR_TYPE, param.name.span, param.name.text)
        params.append(var)
        scope = scope.with_local(param.name.text, var)
    body, doc = resolve_block(ctx, node.body or (), scope), build_text(ctx, node.doc, scope)
    return g.Step(node.name.text, you, tuple(params), body, node.body is None, doc, ctx.get_origin(node))


def build_card_steps(ctx: ResolveContext) -> dict[str, g.BorneStep]:
    card_steps = {}
    for name, bearers in ctx.card_step_nodes.items():
        nodes = {id(node): node for node in bearers.values()}
        bodies = {key: resolve_card_step_body(ctx, node) for key, node in nodes.items()}
        ctx.resolved_card_bodies |= bodies
        by_face = (bearers.get(face) for face in range(len(ctx.faces)))
        card_steps[name] = g.BorneStep(name, tuple(bodies[id(node)] if node else None for node in by_face))
    return card_steps


def resolve_card_step_body(ctx: ResolveContext, node: n.Step) -> g.BorneStepBody:
    if node.params:
        ctx.report_error(error_codes.MISPLACED, "a step of a card takes no values", node.params[0].span)
    card = ctx.create_variable(g.CARD, node.name.span, "card")
    you = ctx.create_variable(g.PLAYER, node.name.span, "you")
    scope = Scope(implicit_owners=(card,)).with_subject("card", card).with_addressed_player(you)
    return g.BorneStepBody(
        node.name.text, card, you, resolve_block(ctx, node.body or (), scope), build_text(ctx, node.doc, scope)
    )


def add_card_rules(ctx: ResolveContext, node: n.Cards) -> g.CardSet:
    """Return a set of cards with its definitions and procedures."""
    cards = ctx.sets[node.name.text]
    rows = (
        row.replace(bears=build_card_rules(ctx, row_node.bears))
        for row, row_node in zip(cards.rows, node.rows, strict=True)
    )
    return cards.replace(bears=build_card_rules(ctx, node.bears), rows=tuple(rows))


def build_card_rules(
    ctx: ResolveContext, nodes: tuple[n.Define | n.Step | n.Note | n.Ruling, ...]
) -> tuple[g.CardRule, ...]:
    """Return the definitions, procedures and notes of cards in source order.

    Those that no card has are resolved here, without reports of errors."""
    rules: list[g.CardRule] = []
    for node in nodes:
        match node:
            case n.Note():
                rules.append(build_note(ctx, node))
            case n.Ruling():
                rules.append(build_ruling(ctx, node))
            case _ if id(node) in ctx.resolved_card_bodies:
                rules.append(ctx.resolved_card_bodies[id(node)])
            case _:
                with ctx.collector.mute():
                    rules.append(
                        resolve_card_step_body(ctx, node) if isinstance(node, n.Step) else borne_definition(ctx, node)
                    )
    return tuple(rules)


# ---------------------------------------------------------------- reactions
def build_reactions(ctx: ResolveContext) -> tuple[g.Reaction, ...]:
    """Resolve reactions in two passes. Reactions can announce, so the first pass collects the types of all
    announcements."""
    nodes = ctx.list_items(n.Reaction)
    with ctx.collector.mute():
        for node in nodes:
            build_reaction(ctx, node)
    for node in nodes:
        report_unknown_announcements(ctx, node)
    return tuple(build_reaction(ctx, node) for node in nodes)


def build_reaction(ctx: ResolveContext, node: n.Reaction) -> g.Reaction:
    you = ctx.create_variable(g.PLAYER, node.name.span, "you")
    scope = Scope(announcement=join_announcement_types(ctx, node)).with_subject("player", you)
    to, answer = tuple(to.text for to in node.to), resolve_option(ctx, node, scope)
    return g.Reaction(node.name.text, to, you, answer, ctx.get_origin(node))


def join_announcement_types(ctx: ResolveContext, node: n.Reaction) -> AnnouncementTypes:
    """Return the types of the target and the shared names, over all announcements that a reaction answers."""
    known_types = [known for to in node.to for known in ctx.announcement_types.get(to.text, ())]
    target: g.Type | None = known_types[0][0] if known_types else ERROR_TYPE
    shared: dict[str, g.Type] = {}
    for type_, names in known_types:
        target = join_types(ctx, target, type_) if target is not None else None
        for name, value_type in names.items():
            together = join_types(ctx, shared.get(name, value_type), value_type)
            shared[name] = together or ERROR_TYPE
    for name in shared:
        if any(name not in names for _, names in known_types) and shared[name].tag != "list":
            shared[name] = shared[name].as_optional()
    return AnnouncementTypes(target or ERROR_TYPE, shared)


def report_unknown_announcements(ctx: ResolveContext, node: n.Reaction) -> None:
    for to in node.to:
        if to.text not in ctx.announcement_types:
            known = ", ".join(f"`{name}`" for name in ctx.announcement_types)
            hint = f"announcements are {known}" if known else f"announce it first, with `announce {to.text}`"
            ctx.report_unknown_name(error_codes.UNKNOWN_ANNOUNCEMENT, "announcement", to, ctx.announcement_types, hint)


# ---------------------------------------------------------------- triggers
def build_enter_triggers(ctx: ResolveContext) -> tuple[g.Enters, ...]:
    return tuple(
        trigger for node in ctx.list_items(n.Enters) if (trigger := build_enter_trigger(ctx, node)) is not None
    )


def build_enter_trigger(ctx: ResolveContext, node: n.Enters) -> g.Enters | None:
    if node.thing.text != "card":
        ctx.report_error(error_codes.UNKNOWN_KIND, "only cards enter zones", node.thing.span, "write `card enters …`")
        return None
    zone = ctx.zones.get(node.zone.text)
    if zone is None or zone.subject != ("player" if node.your else None):
        fitting = [z.name for z in ctx.zones.values() if z.subject == ("player" if node.your else None)]
        hint = f"write `your {node.zone.text}`" if zone is not None and zone.subject == "player" else ""
        what = "zone of each player" if node.your else "zone of the table"
        ctx.report_unknown_name(error_codes.UNKNOWN_ZONE, what, node.zone, fitting, hint)
        return None
    card = ctx.create_variable(g.CARD, node.thing.span, "card")
    scope, you = Scope().with_subject("card", card), None
    if node.your:
        you = ctx.create_variable(g.PLAYER, node.zone.span, "you")
        scope = scope.with_subject("player", you)
    body = resolve_block(ctx, node.body, scope)
    return g.Enters(zone.name, card, you, body, node.span, build_text(ctx, node.doc, scope), ctx.get_origin(node))


def build_condition_triggers(ctx: ResolveContext) -> tuple[g.Whenever, ...]:
    return tuple(build_condition_trigger(ctx, node) for node in ctx.list_items(n.Whenever))


def build_condition_trigger(ctx: ResolveContext, node: n.Whenever) -> g.Whenever:
    test, body = resolve_condition(ctx, node.condition, Scope()), resolve_block(ctx, node.body, Scope())
    return g.Whenever(test, body, node.span, build_text(ctx, node.doc), ctx.get_origin(node))


# ---------------------------------------------------------------- call graph
def iter_nested_statements(statements: tuple[g.Stmt, ...]) -> Iterator[g.Stmt]:
    """Yield all statements of a block, including nested ones."""
    for statement in statements:
        yield statement
        yield from iter_nested_statements(list_child_statements(statement))


def list_child_statements(statement: g.Stmt) -> tuple[g.Stmt, ...]:
    match statement:
        case g.If():
            return statement.then + statement.otherwise
        case g.Each() | g.Repeat():
            return statement.body
        case g.Choose() | g.Announce():
            return statement.body + statement.otherwise
        case g.Pick():
            return statement.otherwise
        case g.Menu() | g.Offer():
            return tuple(s for option in statement.options for s in option.body) + statement.otherwise
    return ()


CallGraph = dict[str, dict[str, Span]]


def check_step_calls(ctx: ResolveContext, steps: dict[str, g.Step], other_bodies: Iterable[tuple[g.Stmt, ...]]) -> None:
    """Report recursion, and `finish` of a step that cannot be running.

    `other_bodies` has the bodies of reactions, triggers and cards. They may run inside any step, and so may the steps
    they call."""
    others = {s.step for body in other_bodies for s in iter_nested_statements(body) if isinstance(s, g.Do)}
    statements = {name: list(iter_nested_statements(step.body)) for name, step in steps.items()}
    calls: CallGraph = {
        name: {s.step: s.span for s in called if isinstance(s, g.Do)} for name, called in statements.items()
    }
    if report_recursion(ctx, calls):
        return
    for name in find_called_steps(calls, ("setup", "play")) - find_called_steps(calls, others):
        for statement in statements[name]:
            if isinstance(statement, g.Finish) and statement.step != "game":
                report_inactive_finish(ctx, statement, find_possible_callers(calls, name))


def report_recursion(ctx: ResolveContext, call_graph: CallGraph) -> bool:
    """Report the first recursion and return whether there is one. The depth-first search has an explicit stack, since
    call chains can be long."""
    done: set[str] = set()
    for root in call_graph:
        path, waiting = [root], [iter(call_graph[root])]
        while waiting:
            step = next(waiting[-1], None)
            if step is None:
                waiting.pop()
                done.add(path.pop())
            elif step in path:
                report_call_cycle(ctx, call_graph, path[path.index(step) :])
                return True
            elif step not in done and step in call_graph:
                path.append(step)
                waiting.append(iter(call_graph[step]))
    return False


def report_call_cycle(ctx: ResolveContext, call_graph: CallGraph, cycle: list[str]) -> None:
    ends = zip(cycle, [*cycle[1:], cycle[0]], strict=True)
    spans = [(call_graph[a][b], f"`{a}` does `{b}` here") for a, b in ends]
    message = f"`{cycle[0]}` runs itself"
    hint = "use `repeat` instead. Only reactions and steps of cards can run themselves"
    ctx.report_error(error_codes.STEP_RECURSION, message, spans[0][0], hint, tuple(spans[1:]))


def find_called_steps(call_graph: CallGraph, roots: Iterable[str]) -> set[str]:
    """Return the steps reachable from the roots, including the roots."""
    called: set[str] = set()
    waiting = [root for root in roots if root in call_graph]
    while waiting:
        step = waiting.pop()
        if step not in called:
            called.add(step)
            waiting += [below for below in call_graph[step] if below in call_graph]
    return called


def find_possible_callers(call_graph: CallGraph, step: str) -> set[str]:
    """Return the steps that may be running while this one runs, including itself."""
    callers: dict[str, list[str]] = {}
    for caller, below in call_graph.items():
        for name in below:
            callers.setdefault(name, []).append(caller)
    possible: set[str] = set()
    waiting = [step]
    while waiting:
        name = waiting.pop()
        if name not in possible:
            possible.add(name)
            waiting += callers.get(name, ())
    return possible


def report_inactive_finish(ctx: ResolveContext, statement: g.Finish, active_steps: set[str]) -> None:
    if statement.step in active_steps or statement.step in ctx.card_step_nodes:
        return
    others = ", ".join(f"`{name}`" for name in sorted(active_steps))
    message = f"`{statement.step}` is never running here"
    ctx.report_error(
        error_codes.STEP_NOT_RUNNING, message, statement.span, f"finish one of these instead: {others} or `game`"
    )
