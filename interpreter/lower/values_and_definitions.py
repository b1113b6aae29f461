"""Lowering of constants, variables, tracks, piles, attributes and definitions.

An announcement link is stored in the frame of the announcer. Its slots from `base` on are actor, target, cancelled,
answered, then the values that reactions share by name. A reaction's frame contains the address of the link it responds
to: the depth of that frame, and the base.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from fractions import Fraction
from typing import TypeVar

from cardlang import model as g
from cardlang.model.expression_queries import pair_owner_variables
from cardlang.model.traversal import uses_variable, walk
from interpreter import ir
from interpreter.ir.traversal import count_nodes, is_free_to_repeat
from interpreter.lower.lowering_context import Lowering, lower_expression, lowers_expression
from interpreter.runtime.state import ABSENT, NO_NUMBER, UNLIMITED
from interpreter.runtime.state_layout import get_announced_key

LINK_DEPTH, LINK_BASE = -1, -2
"""Numbers of the variables with the address of the link that a reaction responds to."""
MAX_INLINE_DEFINITION = 60
"""Maximum size of an inlined definition in the game, in nodes."""
MAX_INLINED_IR = 120
"""Maximum size of an inlined definition's IR, in nodes."""
Body = TypeVar("Body")


def lower_present_value(ctx: Lowering, expr: g.Expr, code: ir.Expr | None = None) -> ir.Expr:
    """Return a value that must be present (`code`, if lowered already). An absent value is a rule error."""
    code = code or lower_expression(ctx, expr)
    if not ctx.can_be_absent(expr):
        return code
    somebody = ir.Const(ir.FLAG, int(expr.type.tag == "player"))
    kind = ctx.lower_type(expr.type)
    return ir.Op(code.kind, "present", (code, ir.build_absent(kind), somebody), ctx.number_rule_span(expr.span))


def lower_number(ctx: Lowering, expr: g.Expr, scale: int) -> ir.Expr:
    """Lower a number at a given scale, which is a multiple of its own."""
    own = ctx.layout.scales.get_scale(expr)
    constant = ctx.find_constant_number(expr)
    if constant is not None:
        return build_literal(ctx, constant, scale, expr.type)
    code = lower_expression(ctx, expr)
    if own == scale:
        return code
    by = ir.build_number(scale // own)
    if ctx.can_be_absent(expr) or expr.type.unlimited:
        return ir.Op(ir.build_number_kind(scale), "scaled", (code, by))
    return ir.Arith(ir.build_number_kind(scale), "*", code, by)


def lower_stored_value(ctx: Lowering, expr: g.Expr, target_type: g.Type, scale: int) -> ir.Expr:
    """Lower a value to be stored as type `target_type`. Absent numbers and other absent values have different
    encodings."""
    return lower_number(ctx, expr, scale) if target_type.tag == "number" else lower_expression(ctx, expr)


def build_literal(ctx: Lowering, value: g.Value, scale: int, type_: g.Type) -> ir.Const:
    kind = ctx.lower_type(type_, scale)
    if value is None:
        return ir.Const(kind, NO_NUMBER if type_.tag == "number" else ABSENT)
    if value == g.UNLIMITED:
        return ir.Const(kind, UNLIMITED)
    return ir.Const(kind, int(Fraction(value) * scale))


# ---------------------------------------------------------------- slots
def lower_slot_address(
    ctx: Lowering, base: int, declared: g.Zone | g.Track, owner: g.Expr | None, second: g.Expr | None
) -> tuple[int, ir.Expr | None, bool]:
    """Return a slot: base, index from there on, and whether an owner may be absent, so that there is no slot."""
    if owner is None:
        return base, None, False
    index, may_lack = lower_expression(ctx, owner), ctx.can_be_absent(owner)
    if second is not None:
        may_lack = may_lack or ctx.can_be_absent(second)
        index = build_slot_index(ctx, declared, index, lower_expression(ctx, second), may_lack)
    if isinstance(index, ir.Const) and isinstance(index.value, int) and index.value >= 0:
        return base + index.value, None, False
    return base, index, may_lack


def build_slot_index(
    ctx: Lowering, declared: g.Zone | g.Track, owner: ir.Expr, second: ir.Expr, may_lack: bool = False
) -> ir.Expr:
    """Return the index of a slot of two owners, as in `Layout.list_owners`; absent if an owner is."""
    owners = len(ctx.layout.get_owner_indices(declared.subject))
    if may_lack:
        return ir.Op(ir.MEMBER, "slot_index", (owner, second, ir.build_number(owners)))
    return build_plus(owner, build_times(owners, second))


def lower_pile(ctx: Lowering, zone: str, owner: g.Expr | None, second: g.Expr | None) -> ir.Expr:
    base = ctx.layout.zone_base[zone]
    return ir.Pile(ir.CARDS, *lower_slot_address(ctx, base, ctx.game.zones[zone], owner, second))


def lower_list(ctx: Lowering, expr: g.Expr) -> ir.Expr:
    """Lower a list. A single value becomes a list of one item, or an empty list if it is absent."""
    if isinstance(expr, g.ZoneCards):
        return lower_pile(ctx, expr.zone, expr.of, expr.second)
    code = lower_expression(ctx, expr)
    if code.kind.tag == "list":
        return code
    return ir.Op(ir.build_list_kind(code.kind), "listed", (code,))


def build_conjunction(parts: Sequence[ir.Expr]) -> ir.Expr:
    """Combine conditions with `and`, dropping constants."""
    needed = tuple(part for part in parts if part != ir.TRUE)
    if ir.FALSE in needed:
        return ir.FALSE
    return needed[0] if len(needed) == 1 else ir.Logic(ir.FLAG, "and", needed) if needed else ir.TRUE


def build_disjunction(parts: Sequence[ir.Expr]) -> ir.Expr:
    """Combine conditions with `or`, dropping constants."""
    needed = tuple(part for part in parts if part != ir.FALSE)
    if ir.TRUE in needed:
        return ir.TRUE
    return needed[0] if len(needed) == 1 else ir.Logic(ir.FLAG, "or", needed) if needed else ir.FALSE


def build_plus(left: ir.Expr, right: ir.Expr) -> ir.Expr:
    if isinstance(left, ir.Const) and isinstance(right, ir.Const):
        return ir.build_number(int(left.value or 0) + int(right.value or 0))  # type: ignore[arg-type]
    return left if right == ir.ZERO else ir.Arith(ir.NUMBER, "+", left, right)


def build_minus(left: ir.Expr, right: ir.Expr) -> ir.Expr:
    return ir.Arith(ir.NUMBER, "-", left, right)


def build_times(weight: int, value: ir.Expr) -> ir.Expr:
    if isinstance(value, ir.Const) and isinstance(value.value, int):
        return ir.build_number(weight * value.value)
    return value if weight == 1 else ir.Arith(ir.NUMBER, "*", ir.build_number(weight), value)


LINK_ACTOR, LINK_TARGET, LINK_CANCELLED, LINK_ANSWERED, LINK_SHARED = range(5)


@lowers_expression(g.Const)
def lower_const(ctx: Lowering, e: g.Const) -> ir.Expr:
    if e.type.tag == "text":
        return ir.Const(ctx.lower_type(e.type), "" if e.value is None else str(e.value))
    return build_literal(ctx, e.value, ctx.layout.scales.get_scale(e), e.type)


@lowers_expression(g.Var)
def lower_variable(ctx: Lowering, e: g.Var) -> ir.Expr:
    return ctx.env[e.id]


@lowers_expression(g.TrackValue)
def lower_track_value(ctx: Lowering, e: g.TrackValue) -> ir.Expr:
    track, base = ctx.game.tracks[e.track], ctx.layout.track_base[e.track]
    kind = ctx.lower_type(track.type, ctx.layout.scales.track_scales[e.track])
    value = ir.Track(kind, *lower_slot_address(ctx, base, track, e.of, e.second))
    if e.track not in ctx.watched_tracks:
        return value
    place, first = ir.build_number(ctx.number_rule_span(e.span)), ir.build_number(value.base)
    return ir.Calling(kind, "looked_at", (place, first, value.of or ir.ZERO, value))


@lowers_expression(g.ZoneCards)
def lower_zone_cards(ctx: Lowering, e: g.ZoneCards) -> ir.Expr:
    pile = lower_pile(ctx, e.zone, e.of, e.second)
    if e.type.tag == "list":
        return pile
    return lower_end_item(pile, -1, ir.CARD)


def lower_end_item(items: ir.Expr, index: int, kind: ir.Kind) -> ir.Expr:
    """Return the first (0) or last (-1) item of a list, absent if it is empty."""
    absent = ir.build_absent(kind)
    if is_free_to_repeat(items):
        return ir.Either(kind, items, ir.At(kind, items, index), absent)
    return ir.Op(kind, "first_of" if index == 0 else "last_of", (items, absent))


@lowers_expression(g.SetCards)
def lower_set_cards(ctx: Lowering, e: g.SetCards) -> ir.Expr:
    faces = [face for face in ctx.game.faces if face.set == e.set]
    cards = [face.first + copy for face in faces for copy in range(face.copies)]
    return ir.Table(ir.CARDS, ctx.add_table("SET", e.set, tuple(cards)))


@lowers_expression(g.NamedCards)
def lower_named_cards(ctx: Lowering, e: g.NamedCards) -> ir.Expr:
    cards = g.find_cards_for_faces(ctx.game.faces, e.faces)
    if e.type.tag == "card":
        return ir.Const(ir.CARD, cards[0])
    return ir.Const(ir.CARDS, cards)


@lowers_expression(g.Attribute)
def lower_attribute(ctx: Lowering, e: g.Attribute) -> ir.Expr:
    return ir.Entry(
        ctx.lower_type(ctx.game.columns[e.attribute].type, ctx.layout.scales.column_scales[e.attribute]),
        add_column_table(ctx, e.attribute),
        lower_expression(ctx, e.card),
    )


def add_column_table(ctx: Lowering, name: str) -> str:
    """Add a table of an attribute by card number. The last entry is the value for no card (-1)."""
    column = ctx.game.columns[name]
    absent = NO_NUMBER if column.type.tag == "number" else "" if column.type.tag == "text" else ABSENT
    return ctx.add_table("C", name, [*ctx.layout.get_column_values(name), absent])


@lowers_expression(g.Worth)
def lower_worth(ctx: Lowering, e: g.Worth) -> ir.Expr:
    kind = e.value.type.of or ""
    worths, number = ctx.layout.get_member_worths(kind), ir.build_number_kind(ctx.layout.scales.kind_scales[kind])
    if isinstance(e.value, g.Attribute):
        column = [*ctx.layout.get_column_values(e.value.attribute), ABSENT]
        table = ctx.add_table("N", e.value.attribute, [worths[place] for place in column])
        return ir.Entry(number, table, lower_expression(ctx, e.value.card))
    return ir.Entry(number, ctx.add_table("W", kind, worths), lower_expression(ctx, e.value))


@lowers_expression(g.Members)
def lower_members(ctx: Lowering, e: g.Members) -> ir.Expr:
    return ir.Const(ir.build_list_kind(ir.MEMBER), tuple(range(len(ctx.game.kinds[e.kind].members))))


# ---------------------------------------------------------------- definitions
@lowers_expression(g.Call)
def lower_call(ctx: Lowering, e: g.Call) -> ir.Expr:
    define = ctx.game.defines[e.define]
    constant = ctx.find_constant_number(e)
    if constant is not None:
        return build_literal(ctx, constant, ctx.layout.scales.get_scale(e), e.type)
    owners = lower_owners(ctx, define, e)
    if is_inlinable(ctx, define, e, owners):
        with ctx.bind_all_temporarily(owners):
            inlined = inline_definition(ctx, define)
        if inlined is not None:
            return inlined
    return call_definition(ctx, define, tuple(value for _, value in owners))


def lower_owners(ctx: Lowering, define: g.Define, call: g.Call) -> list[tuple[g.Var, ir.Expr]]:
    """Return the variables of a definition's owners, with their values in a call."""
    return [
        (var, lower_list(ctx, value) if var.type.tag == "list" else lower_expression(ctx, value))
        for var, value in pair_owner_variables(define, call)
    ]


def is_inlinable(ctx: Lowering, define: g.Define, call: g.Call, owners: list[tuple[g.Var, ir.Expr]]) -> bool:
    """Check whether the owners in a call are present, and free to repeat in the definition's value."""
    present = not any(ctx.can_be_absent(value) for _, value in pair_owner_variables(define, call))
    return present and all(is_free_to_repeat(value) for _, value in owners)


def inline_definition(ctx: Lowering, define: g.Define) -> ir.Expr | None:
    if define.name not in ctx.definition_sizes:
        ctx.definition_sizes[define.name] = sum(1 for _ in walk((define.value,)))
    if ctx.definition_sizes[define.name] > MAX_INLINE_DEFINITION or isinstance(define.value, g.FirstPossible):
        return None
    value = lower_stored_value(ctx, define.value, define.type, ctx.layout.scales.define_scales[define.name])
    if count_nodes(value) < MAX_INLINED_IR:
        return value
    ctx.definition_sizes[define.name] = MAX_INLINE_DEFINITION + 1  # no second attempt
    return None


def lower_single_use_list(ctx: Lowering, e: g.Expr) -> ir.Expr:
    """Lower a list that is used in this one place. Its definition is inlined, regardless of length."""
    if isinstance(e, g.Call) and id(e) not in ctx.hoisted and ctx.game.defines[e.define].subject != "cards":
        define = ctx.game.defines[e.define]
        owners = lower_owners(ctx, define, e)
        if is_inlinable(ctx, define, e, owners):
            with ctx.bind_all_temporarily(owners):
                return lower_list(ctx, define.value)
    return lower_list(ctx, e)


def call_definition(ctx: Lowering, define: g.Define, args: tuple[ir.Expr, ...]) -> ir.Expr:
    kind = ctx.lower_type(define.type, ctx.layout.scales.define_scales[define.name])
    return ir.Calling(kind, add_definition_function(ctx, define, kind), args)


def add_definition_function(ctx: Lowering, define: g.Define, kind: ir.Kind) -> str:
    name = ctx.make_identifier("d", define.name)
    if name not in ctx.functions:
        ctx.functions[name] = None
        with ctx.start_separate_scope():
            owners = [var for var in (define.var, define.second_var) if var is not None]
            params = tuple(ctx.create_local(ctx.lower_type(var.type)) for var in owners)
            with ctx.bind_all_temporarily(zip(owners, params, strict=True)):
                value = lower_stored_value(ctx, define.value, define.type, ctx.layout.scales.define_scales[define.name])
        body: tuple[ir.Stmt, ...] = (ir.Return(value),)
        for param in reversed(params):
            if param.kind.tag in ("seat", "card", "member"):
                nobody = ir.Compare(ir.FLAG, "=", param, ir.build_absent(param.kind))
                body = (ir.If(nobody, (ir.Return(ir.build_absent(kind)),)), *body)
        ctx.functions[name] = ir.Function(name, params, body, kind)
    return name


@lowers_expression(g.BorneCall)
def lower_borne_call(ctx: Lowering, e: g.BorneCall) -> ir.Expr:
    borne = ctx.game.borne_defines[e.define]
    card = lower_expression(ctx, e.card)
    return ir.Dispatch(ctx.lower_type(borne.type), add_card_definition_table(ctx, borne), card, ())


def add_card_definition_table(ctx: Lowering, define: g.BorneDefine) -> str:
    """Add a table from cards to functions of the card and its owner."""

    def add_card_definition(body: g.BorneBody, number: int) -> str:
        name = ctx.make_identifier("b", f"{define.name} {number}")
        card, owner = ctx.create_local(ir.CARD), ctx.create_local(ir.SEAT)
        lines: list[ir.Stmt] = []
        with ctx.start_separate_scope():
            ctx.env.update({body.var.id: card, body.owner.id: owner})
            if uses_variable(body.value, body.owner):  # a function without absent owners is faster
                with ctx.layout.presence.assume_present(body.owner):
                    there = ir.Return(lower_stored_value(ctx, body.value, define.type, 1))
                lines.append(ir.If(ir.Compare(ir.FLAG, ">=", owner, ir.Const(ir.SEAT, 0)), (there,)))
            lines.append(ir.Return(lower_stored_value(ctx, body.value, define.type, 1)))
        ctx.functions[name] = ir.Function(name, (card, owner), tuple(lines), ctx.lower_type(define.type))
        return name

    table = ctx.make_identifier("B", define.name)
    if table not in ctx.dispatch_tables:
        ctx.dispatch_tables[table] = ()
        ctx.dispatch_tables[table] = list_by_card(ctx, define.bodies, lambda body: body.value, add_card_definition)
    return table


def list_by_card(
    ctx: Lowering,
    bodies: Sequence[Body | None],
    get_code: Callable[[Body], object],
    add_code: Callable[[Body, int], str],
) -> tuple[str | None, ...]:
    """Return the name of each card's function or routine; None for a card without one, and for no card.

    bodies: by face. Bodies with the same code share one name. `add_code`: adds the code with a number."""
    names: dict[int, str] = {}
    for body in bodies:
        if body is not None and id(get_code(body)) not in names:
            names[id(get_code(body))] = add_code(body, len(names))
    by_face = [names[id(get_code(body))] if body is not None else None for body in bodies]
    return (*(by_face[face] for face in ctx.layout.face), None)


# ---------------------------------------------------------------- built-ins
@lowers_expression(g.Builtin)
def lower_builtin(ctx: Lowering, e: g.Builtin) -> ir.Expr:
    if e.of is None:
        return lower_all_players(ctx) if e.name == "players" else ir.Op(ir.SEATS, "winners", ())
    of = lower_expression(ctx, e.of)
    match e.of.type.tag:
        case "player":
            return lower_player_builtin(ctx, e, e.of, of)
        case "card":
            return lower_card_builtin(ctx, e, of)
        case "list":
            return ir.Count(ir.NUMBER, of)
        case "member":
            titles = [*(m.name for m in ctx.game.kinds[e.of.type.of or ""].members), ""]
            return ir.Entry(ir.TEXT, ctx.add_table("M", e.of.type.of or "", titles), of)
    if e.name == "owner":
        return ir.Op(ir.SEAT, "reading_owner", (of,))
    kind = ctx.lower_type(e.type)
    return ir.Op(kind, "part_of", (of, ir.Const(ir.TEXT, e.name), ir.build_absent(kind)))


def lower_all_players(ctx: Lowering) -> ir.Expr:
    if ctx.layout.fixed_seats:
        return ir.Const(ir.SEATS, tuple(range(ctx.layout.players)))
    return ir.Op(ir.SEATS, "alive", ())


def lower_player_builtin(ctx: Lowering, e: g.Builtin, player: g.Expr, player_value: ir.Expr) -> ir.Expr:
    kind = ctx.lower_type(e.type)
    if ctx.layout.fixed_seats and e.name in ("left", "right", "others") and not ctx.can_be_absent(player):
        if e.name == "others" and ctx.layout.players == 2:
            table = ctx.add_table("SEATS", "left", build_seat_table(ctx, "left"))
            return ir.Items(kind, (ir.Entry(ir.SEAT, table, player_value),))
        return ir.Entry(kind, ctx.add_table("SEATS", e.name, build_seat_table(ctx, e.name)), player_value)
    return ir.Op(kind, f"{e.name}_of", (player_value,))


def lower_card_builtin(ctx: Lowering, e: g.Builtin, card_value: ir.Expr) -> ir.Expr:
    if e.name == "owner":
        return ir.Op(ir.SEAT, "owner_of", (card_value,))
    if e.name in ("above", "below"):
        return ir.Op(ir.CARDS, f"{e.name}_of", (card_value,))
    titles = [ctx.game.faces[face].title for face in ctx.layout.face]
    return ir.Entry(ir.TEXT, ctx.add_table("TITLES", "", [*titles, ""]), card_value)


def build_seat_table(ctx: Lowering, name: str) -> list[int] | list[tuple[int, ...]]:
    n = ctx.layout.players
    if name == "others":
        return [tuple((seat + step) % n for step in range(1, n)) for seat in range(n)]
    return [(seat + (1 if name == "left" else -1)) % n for seat in range(n)]


@lowers_expression(g.Actor)
def lower_actor(ctx: Lowering, e: g.Actor) -> ir.Expr:
    return ir.Link(ir.SEAT, ctx.env[LINK_DEPTH], ctx.env[LINK_BASE], 0)


@lowers_expression(g.Target)
def lower_target(ctx: Lowering, e: g.Target) -> ir.Expr:
    announced, key = ctx.layout.announced, get_announced_key(e)
    offset = LINK_SHARED + announced.index(key) if key in announced else LINK_TARGET
    return ir.Link(ctx.find_value_kind(e), ctx.env[LINK_DEPTH], ctx.env[LINK_BASE], offset)
