"""Lower single values: constants, variables, tracks, piles, attributes, definitions, built-ins."""

from __future__ import annotations

from cardlang import game as g
from cardlang.game.walking import uses_var, walk
from interpreter import lowered as lo
from interpreter.lowered.kinds import TEXT
from interpreter.lowered.walking import size
from interpreter.lowering.links import shared_offset
from interpreter.lowering.writer import Writer, is_simple
from interpreter.state import ABSENT, NO_NUMBER

LINK_DEPTH, LINK_BASE = -1, -2
"""Numbers of the variables that hold the address of the link a reaction responds to."""
INLINE = 60
"""Maximum size of an inlined definition in the game, in nodes."""
INLINED = 120
"""Maximum size of an inlined definition's IR, in nodes."""


class SingleValues(Writer):
    def x_Const(self, e: g.Const) -> lo.Expr:
        if e.type.tag == "text":
            return lo.Const(self.kind(e.type), "" if e.value is None else str(e.value))
        return self.literal(e.value, self.layout.scales.of(e), e.type)

    def x_Var(self, e: g.Var) -> lo.Expr:
        return self.env[e.id]

    def x_TrackValue(self, e: g.TrackValue) -> lo.Expr:
        kind = self.kind(self.game.tracks[e.track].type, self.layout.scales.track[e.track])
        value = lo.Track(kind, *self.at(self.layout.track_base[e.track], e.of))
        if e.track not in self.watched:
            return value
        place, base = lo.Const(lo.NUMBER, self.place(e.span)), lo.Const(lo.NUMBER, value.base)
        return lo.Calling(kind, "looked_at", (place, base, value.of or lo.Const(lo.NUMBER, 0), value))

    def x_ZoneCards(self, e: g.ZoneCards) -> lo.Expr:
        pile = self.pile(e.zone, e.of)
        if e.type.tag == "list":
            return pile
        return self.end_of(pile, -1, lo.CARD)

    def end_of(self, items: lo.Expr, index: int, kind: lo.Kind) -> lo.Expr:
        """Return the first (0) or last (-1) item of a list, absent if it is empty."""
        absent = self.absent(kind)
        if is_simple(items):
            return lo.Either(kind, items, lo.At(kind, items, index), absent)
        return lo.Op(kind, "first_of" if index == 0 else "last_of", (items, absent))

    def x_SetCards(self, e: g.SetCards) -> lo.Expr:
        faces = [face for face in self.game.faces if face.set == e.set]
        cards = [face.first + copy for face in faces for copy in range(face.copies)]
        return lo.Table(lo.list_of(lo.CARD), self.table("SET", e.set, tuple(cards)))

    def x_NamedCards(self, e: g.NamedCards) -> lo.Expr:
        cards = g.find_copies(self.game.faces, e.faces)
        if e.type.tag == "card":
            return lo.Const(lo.CARD, cards[0])
        return lo.Const(lo.list_of(lo.CARD), cards)

    def x_Attribute(self, e: g.Attribute) -> lo.Expr:
        return lo.Entry(
            self.kind(self.game.columns[e.attribute].type), self.column_table(e.attribute), self.expr(e.card)
        )

    def column_table(self, name: str) -> str:
        """Add a table of an attribute by card number. The last entry is the value for no card (-1)."""
        column = self.game.columns[name]
        absent = NO_NUMBER if column.type.tag == "number" else "" if column.type.tag == "text" else ABSENT
        return self.table("C", name, [*self.layout.column(name), absent])

    def x_Worth(self, e: g.Worth) -> lo.Expr:
        kind = e.value.type.of or ""
        worths = self.layout.worths(kind)
        if isinstance(e.value, g.Attribute):
            column = [*self.layout.column(e.value.attribute), ABSENT]
            table = self.table("N", e.value.attribute, [worths[place] for place in column])
            return lo.Entry(lo.NUMBER, table, self.expr(e.value.card))
        return lo.Entry(lo.NUMBER, self.table("W", kind, worths), self.expr(e.value))

    def x_Members(self, e: g.Members) -> lo.Expr:
        return lo.Const(lo.list_of(lo.MEMBER), tuple(range(len(self.game.kinds[e.kind].members))))

    # ------------------------------------------------------------ definitions
    def x_Call(self, e: g.Call) -> lo.Expr:
        define = self.game.defines[e.define]
        constant = self.constant(e)
        if constant is not None:
            return self.literal(constant, self.layout.scales.of(e), e.type)
        if e.of is None:
            return self.inlined(define) or self.called(define, ())
        of = self.items(e.of) if define.subject == "cards" else self.expr(e.of)
        if is_simple(of) and not self.maybe(e.of):
            with self.bound(define.var, of):
                inlined = self.inlined(define)
            if inlined is not None:
                return inlined
        return self.called(define, (of,))

    def inlined(self, define: g.Define) -> lo.Expr | None:
        if define.name not in self.sizes:
            self.sizes[define.name] = sum(1 for _ in walk((define.value,)))
        if self.sizes[define.name] > INLINE or isinstance(define.value, g.FirstPossible):
            return None
        value = self.value(define.value, define.type, self.layout.scales.define[define.name])
        if size(value) < INLINED:
            return value
        self.sizes[define.name] = INLINE + 1  # no second attempt
        return None

    def opened(self, e: g.Expr) -> lo.Expr:
        """Lower a list that is used in this one place. Its definition is inlined, regardless of length."""
        if isinstance(e, g.Call) and id(e) not in self.hoisted and self.game.defines[e.define].subject != "cards":
            define = self.game.defines[e.define]
            of = self.expr(e.of) if e.of is not None else None
            if of is None or (is_simple(of) and not (e.of is not None and self.maybe(e.of))):
                with self.bound(define.var if of is not None else None, of or lo.Const(lo.NUMBER, 0)):
                    return self.items(define.value)
        return self.items(e)

    def called(self, define: g.Define, args: tuple[lo.Expr, ...]) -> lo.Expr:
        kind = self.kind(define.type, self.layout.scales.define[define.name])
        return lo.Calling(kind, self.define_function(define, kind), args)

    def define_function(self, define: g.Define, kind: lo.Kind) -> str:
        name = self.named("d", define.name)
        if name not in self.functions:
            self.functions[name] = None
            with self.apart():
                params: tuple[lo.Local, ...] = ()
                if define.var is not None:
                    params = (self.local(self.subject_kind(define)),)
                with self.bound(define.var, params[0] if params else lo.Const(lo.NUMBER, 0)):
                    value = self.value(define.value, define.type, self.layout.scales.define[define.name])
            body: tuple[lo.Stmt, ...] = (lo.Return(value),)
            if define.subject in ("player", "card") or define.subject in self.game.kinds:
                nobody = lo.Compare(lo.FLAG, "=", params[0], self.absent(params[0].kind))
                body = (lo.If(nobody, (lo.Return(self.absent(kind)),)), *body)
            self.functions[name] = lo.Function(name, params, body, kind)
        return name

    def subject_kind(self, define: g.Define) -> lo.Kind:
        if define.var is None:
            raise AssertionError("a subject")
        return self.kind(define.var.type)

    def x_BorneCall(self, e: g.BorneCall) -> lo.Expr:
        borne = self.game.borne_defines[e.define]
        card = self.expr(e.card)
        return lo.Dispatch(self.kind(borne.type), self.borne_table(borne), card, ())

    def borne_table(self, borne: g.BorneDefine) -> str:
        """Add a table from cards to functions of the card and its owner."""
        table = self.named("B", borne.name)
        if table not in self.dispatches:
            self.dispatches[table] = ()
            done: dict[int, str] = {}
            rows = [self.borne_body(borne, body, done) for body in borne.bodies]
            self.dispatches[table] = (*(rows[face] for face in self.layout.face), None)
        return table

    def borne_body(self, borne: g.BorneDefine, body: g.BorneBody | None, done: dict[int, str]) -> str | None:
        if body is None:
            return None
        if id(body.value) not in done:
            done[id(body.value)] = name = self.named("b", f"{borne.name} {len(done)}")
            kind = self.kind(borne.type)
            card, owner = self.local(lo.CARD), self.local(lo.SEAT)
            with self.apart(), self.bound(body.var, card), self.bound(body.owner, owner):
                lines: list[lo.Stmt] = []
                if uses_var(body.value, body.owner):  # a function without absent owners is faster
                    with self.layout.presence.taken_for_granted(body.owner):
                        there = lo.Return(self.value(body.value, borne.type, 1))
                    lines.append(lo.If(lo.Compare(lo.FLAG, ">=", owner, lo.Const(lo.SEAT, 0)), (there,)))
                lines.append(lo.Return(self.value(body.value, borne.type, 1)))
            self.functions[name] = lo.Function(name, (card, owner), tuple(lines), kind)
        return done[id(body.value)]

    # ------------------------------------------------------------ built-ins
    def x_Builtin(self, e: g.Builtin) -> lo.Expr:
        if e.of is None:
            return self.everyone() if e.name == "players" else lo.Op(lo.list_of(lo.SEAT), "winners", ())
        of = self.expr(e.of)
        match e.of.type.tag:
            case "player":
                return self.of_player(e, e.of, of)
            case "card":
                return self.of_card(e, of)
            case "list":
                return lo.Count(lo.NUMBER, of)
            case "member":
                titles = [*(m.name for m in self.game.kinds[e.of.type.of or ""].members), ""]
                return lo.Entry(TEXT, self.table("M", e.of.type.of or "", titles), of)
        if e.name == "owner":
            return lo.Op(lo.SEAT, "reading_owner", (of,))
        kind = self.kind(e.type)
        return lo.Op(kind, "part_of", (of, lo.Const(TEXT, e.name), self.absent(kind)))

    def everyone(self) -> lo.Expr:
        if self.layout.fixed_seats:
            return lo.Const(lo.list_of(lo.SEAT), tuple(range(self.layout.players)))
        return lo.Op(lo.list_of(lo.SEAT), "alive", ())

    def of_player(self, e: g.Builtin, whose: g.Expr, of: lo.Expr) -> lo.Expr:
        kind = self.kind(e.type)
        if self.layout.fixed_seats and e.name in ("left", "right", "others") and not self.maybe(whose):
            return lo.Entry(kind, self.table("SEATS", e.name, self.seat_table(e.name)), of)
        return lo.Op(kind, f"{e.name}_of", (of,))

    def of_card(self, e: g.Builtin, of: lo.Expr) -> lo.Expr:
        if e.name == "owner":
            return lo.Op(lo.SEAT, "owner_of", (of,))
        titles = [self.game.faces[face].title for face in self.layout.face]
        return lo.Entry(TEXT, self.table("TITLES", "", [*titles, ""]), of)

    def seat_table(self, name: str) -> list[int] | list[tuple[int, ...]]:
        n = self.layout.players
        if name == "others":
            return [tuple((seat + step) % n for step in range(1, n)) for seat in range(n)]
        return [(seat + (1 if name == "left" else -1)) % n for seat in range(n)]

    def x_Actor(self, e: g.Actor) -> lo.Expr:
        return lo.Link(lo.SEAT, self.env[LINK_DEPTH], self.env[LINK_BASE], 0)

    def x_Target(self, e: g.Target) -> lo.Expr:
        offset = shared_offset(self.layout.shared_names, e.name)
        return lo.Link(self.kind(e.type), self.env[LINK_DEPTH], self.env[LINK_BASE], offset)
