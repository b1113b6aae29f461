"""Lowering of constants, variables, tracks, piles, attributes and definitions."""

from __future__ import annotations

from cardlang import model as g
from cardlang.model.traversal import uses_variable, walk
from interpreter import ir
from interpreter.ir.ir_expressions import TEXT
from interpreter.ir.traversal import count_nodes, is_free_to_repeat
from interpreter.lower.expression_base import ExpressionLowererBase, find_shared_offset
from interpreter.runtime.state import ABSENT, NO_NUMBER

LINK_DEPTH, LINK_BASE = -1, -2
"""Numbers of the variables with the address of the link that a reaction responds to."""
MAX_INLINE_DEFINITION = 60
"""Maximum size of an inlined definition in the game, in nodes."""
MAX_INLINED_IR = 120
"""Maximum size of an inlined definition's IR, in nodes."""


class ScalarLowerer(ExpressionLowererBase):
    def lower_Const(self, e: g.Const) -> ir.Expr:
        if e.type.tag == "text":
            return ir.Const(self.lower_type(e.type), "" if e.value is None else str(e.value))
        return self.build_literal(e.value, self.layout.scales.get_scale(e), e.type)

    def lower_Var(self, e: g.Var) -> ir.Expr:
        return self.env[e.id]

    def lower_TrackValue(self, e: g.TrackValue) -> ir.Expr:
        kind = self.lower_type(self.game.tracks[e.track].type, self.layout.scales.track_scales[e.track])
        value = ir.Track(kind, *self.lower_slot_address(self.layout.track_base[e.track], e.of))
        if e.track not in self.watched_tracks:
            return value
        place, base = ir.Const(ir.NUMBER, self.number_rule_span(e.span)), ir.Const(ir.NUMBER, value.base)
        return ir.Calling(kind, "looked_at", (place, base, value.of or ir.Const(ir.NUMBER, 0), value))

    def lower_ZoneCards(self, e: g.ZoneCards) -> ir.Expr:
        pile = self.lower_pile(e.zone, e.of)
        if e.type.tag == "list":
            return pile
        return self.lower_end_item(pile, -1, ir.CARD)

    def lower_end_item(self, items: ir.Expr, index: int, kind: ir.Kind) -> ir.Expr:
        """Return the first (0) or last (-1) item of a list, absent if it is empty."""
        absent = self.build_absent_const(kind)
        if is_free_to_repeat(items):
            return ir.Either(kind, items, ir.At(kind, items, index), absent)
        return ir.Op(kind, "first_of" if index == 0 else "last_of", (items, absent))

    def lower_SetCards(self, e: g.SetCards) -> ir.Expr:
        faces = [face for face in self.game.faces if face.set == e.set]
        cards = [face.first + copy for face in faces for copy in range(face.copies)]
        return ir.Table(ir.build_list_kind(ir.CARD), self.add_table("SET", e.set, tuple(cards)))

    def lower_NamedCards(self, e: g.NamedCards) -> ir.Expr:
        cards = g.find_cards_for_faces(self.game.faces, e.faces)
        if e.type.tag == "card":
            return ir.Const(ir.CARD, cards[0])
        return ir.Const(ir.build_list_kind(ir.CARD), cards)

    def lower_Attribute(self, e: g.Attribute) -> ir.Expr:
        return ir.Entry(
            self.lower_type(self.game.columns[e.attribute].type),
            self.add_column_table(e.attribute),
            self.lower_expression(e.card),
        )

    def add_column_table(self, name: str) -> str:
        """Add a table of an attribute by card number. The last entry is the value for no card (-1)."""
        column = self.game.columns[name]
        absent = NO_NUMBER if column.type.tag == "number" else "" if column.type.tag == "text" else ABSENT
        return self.add_table("C", name, [*self.layout.get_column_values(name), absent])

    def lower_Worth(self, e: g.Worth) -> ir.Expr:
        kind = e.value.type.of or ""
        worths = self.layout.get_member_numbers(kind)
        if isinstance(e.value, g.Attribute):
            column = [*self.layout.get_column_values(e.value.attribute), ABSENT]
            table = self.add_table("N", e.value.attribute, [worths[place] for place in column])
            return ir.Entry(ir.NUMBER, table, self.lower_expression(e.value.card))
        return ir.Entry(ir.NUMBER, self.add_table("W", kind, worths), self.lower_expression(e.value))

    def lower_Members(self, e: g.Members) -> ir.Expr:
        return ir.Const(ir.build_list_kind(ir.MEMBER), tuple(range(len(self.game.kinds[e.kind].members))))

    # ------------------------------------------------------------ definitions
    def lower_Call(self, e: g.Call) -> ir.Expr:
        define = self.game.defines[e.define]
        constant = self.find_constant_number(e)
        if constant is not None:
            return self.build_literal(constant, self.layout.scales.get_scale(e), e.type)
        if e.of is None:
            return self.inline_definition(define) or self.call_definition(define, ())
        of = self.lower_list(e.of) if define.subject == "cards" else self.lower_expression(e.of)
        if is_free_to_repeat(of) and not self.can_be_absent(e.of):
            with self.bind_temporarily(define.var, of):
                inlined = self.inline_definition(define)
            if inlined is not None:
                return inlined
        return self.call_definition(define, (of,))

    def inline_definition(self, define: g.Define) -> ir.Expr | None:
        if define.name not in self.definition_sizes:
            self.definition_sizes[define.name] = sum(1 for _ in walk((define.value,)))
        if self.definition_sizes[define.name] > MAX_INLINE_DEFINITION or isinstance(define.value, g.FirstPossible):
            return None
        value = self.lower_stored_value(define.value, define.type, self.layout.scales.define_scales[define.name])
        if count_nodes(value) < MAX_INLINED_IR:
            return value
        self.definition_sizes[define.name] = MAX_INLINE_DEFINITION + 1  # no second attempt
        return None

    def lower_single_use_list(self, e: g.Expr) -> ir.Expr:
        """Lower a list that is used in this one place. Its definition is inlined, regardless of length."""
        if isinstance(e, g.Call) and id(e) not in self.hoisted and self.game.defines[e.define].subject != "cards":
            define = self.game.defines[e.define]
            of = self.lower_expression(e.of) if e.of is not None else None
            if of is None or (is_free_to_repeat(of) and not (e.of is not None and self.can_be_absent(e.of))):
                with self.bind_temporarily(define.var if of is not None else None, of or ir.Const(ir.NUMBER, 0)):
                    return self.lower_list(define.value)
        return self.lower_list(e)

    def call_definition(self, define: g.Define, args: tuple[ir.Expr, ...]) -> ir.Expr:
        kind = self.lower_type(define.type, self.layout.scales.define_scales[define.name])
        return ir.Calling(kind, self.add_definition_function(define, kind), args)

    def add_definition_function(self, define: g.Define, kind: ir.Kind) -> str:
        name = self.make_identifier("d", define.name)
        if name not in self.functions:
            self.functions[name] = None
            with self.start_separate_scope():
                params: tuple[ir.Local, ...] = ()
                if define.var is not None:
                    params = (self.create_local(self.find_subject_kind(define)),)
                with self.bind_temporarily(define.var, params[0] if params else ir.Const(ir.NUMBER, 0)):
                    value = self.lower_stored_value(
                        define.value, define.type, self.layout.scales.define_scales[define.name]
                    )
            body: tuple[ir.Stmt, ...] = (ir.Return(value),)
            if define.subject in ("player", "card") or define.subject in self.game.kinds:
                nobody = ir.Compare(ir.FLAG, "=", params[0], self.build_absent_const(params[0].kind))
                body = (ir.If(nobody, (ir.Return(self.build_absent_const(kind)),)), *body)
            self.functions[name] = ir.Function(name, params, body, kind)
        return name

    def find_subject_kind(self, define: g.Define) -> ir.Kind:
        if define.var is None:
            raise AssertionError("a subject")
        return self.lower_type(define.var.type)

    def lower_BorneCall(self, e: g.BorneCall) -> ir.Expr:
        borne = self.game.borne_defines[e.define]
        card = self.lower_expression(e.card)
        return ir.Dispatch(self.lower_type(borne.type), self.add_card_definition_dispatch_table(borne), card, ())

    def add_card_definition_dispatch_table(self, card_definition: g.BorneDefine) -> str:
        """Add a table from cards to functions of the card and its owner."""
        table = self.make_identifier("B", card_definition.name)
        if table not in self.dispatch_tables:
            self.dispatch_tables[table] = ()
            done: dict[int, str] = {}
            rows = [self.add_card_definition_function(card_definition, body, done) for body in card_definition.bodies]
            self.dispatch_tables[table] = (*(rows[face] for face in self.layout.face), None)
        return table

    def add_card_definition_function(
        self, card_definition: g.BorneDefine, body: g.BorneBody | None, known_functions: dict[int, str]
    ) -> str | None:
        if body is None:
            return None
        if id(body.value) not in known_functions:
            known_functions[id(body.value)] = name = self.make_identifier(
                "b", f"{card_definition.name} {len(known_functions)}"
            )
            kind = self.lower_type(card_definition.type)
            card, owner = self.create_local(ir.CARD), self.create_local(ir.SEAT)
            with (
                self.start_separate_scope(),
                self.bind_temporarily(body.var, card),
                self.bind_temporarily(body.owner, owner),
            ):
                lines: list[ir.Stmt] = []
                if uses_variable(body.value, body.owner):  # a function without absent owners is faster
                    with self.layout.presence.assume_present(body.owner):
                        there = ir.Return(self.lower_stored_value(body.value, card_definition.type, 1))
                    lines.append(ir.If(ir.Compare(ir.FLAG, ">=", owner, ir.Const(ir.SEAT, 0)), (there,)))
                lines.append(ir.Return(self.lower_stored_value(body.value, card_definition.type, 1)))
            self.functions[name] = ir.Function(name, (card, owner), tuple(lines), kind)
        return known_functions[id(body.value)]

    # ------------------------------------------------------------ built-ins
    def lower_Builtin(self, e: g.Builtin) -> ir.Expr:
        if e.of is None:
            return (
                self.lower_all_players() if e.name == "players" else ir.Op(ir.build_list_kind(ir.SEAT), "winners", ())
            )
        of = self.lower_expression(e.of)
        match e.of.type.tag:
            case "player":
                return self.lower_player_builtin(e, e.of, of)
            case "card":
                return self.lower_card_builtin(e, of)
            case "list":
                return ir.Count(ir.NUMBER, of)
            case "member":
                titles = [*(m.name for m in self.game.kinds[e.of.type.of or ""].members), ""]
                return ir.Entry(TEXT, self.add_table("M", e.of.type.of or "", titles), of)
        if e.name == "owner":
            return ir.Op(ir.SEAT, "reading_owner", (of,))
        kind = self.lower_type(e.type)
        return ir.Op(kind, "part_of", (of, ir.Const(TEXT, e.name), self.build_absent_const(kind)))

    def lower_all_players(self) -> ir.Expr:
        if self.layout.fixed_seats:
            return ir.Const(ir.build_list_kind(ir.SEAT), tuple(range(self.layout.players)))
        return ir.Op(ir.build_list_kind(ir.SEAT), "alive", ())

    def lower_player_builtin(self, e: g.Builtin, player: g.Expr, player_value: ir.Expr) -> ir.Expr:
        kind = self.lower_type(e.type)
        if self.layout.fixed_seats and e.name in ("left", "right", "others") and not self.can_be_absent(player):
            return ir.Entry(kind, self.add_table("SEATS", e.name, self.build_seat_table(e.name)), player_value)
        return ir.Op(kind, f"{e.name}_of", (player_value,))

    def lower_card_builtin(self, e: g.Builtin, card_value: ir.Expr) -> ir.Expr:
        if e.name == "owner":
            return ir.Op(ir.SEAT, "owner_of", (card_value,))
        titles = [self.game.faces[face].title for face in self.layout.face]
        return ir.Entry(TEXT, self.add_table("TITLES", "", [*titles, ""]), card_value)

    def build_seat_table(self, name: str) -> list[int] | list[tuple[int, ...]]:
        n = self.layout.players
        if name == "others":
            return [tuple((seat + step) % n for step in range(1, n)) for seat in range(n)]
        return [(seat + (1 if name == "left" else -1)) % n for seat in range(n)]

    def lower_Actor(self, e: g.Actor) -> ir.Expr:
        return ir.Link(ir.SEAT, self.env[LINK_DEPTH], self.env[LINK_BASE], 0)

    def lower_Target(self, e: g.Target) -> ir.Expr:
        offset = find_shared_offset(self.layout.shared_names, e.name)
        return ir.Link(self.lower_type(e.type), self.env[LINK_DEPTH], self.env[LINK_BASE], offset)
