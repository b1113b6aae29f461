"""Source of single values: constants, variables, tracks, piles, attributes, definitions, what the language knows."""

from __future__ import annotations

from typing import Any

from cardlang import game as g
from cardlang.game.walking import uses_var, walk
from interpreter.lowering.links import shared_offset
from interpreter.lowering.naming import mangled
from interpreter.lowering.writer import SIMPLE, Writer
from interpreter.state import ABSENT, NO_NUMBER

LINK_DEPTH, LINK_BASE = -1, -2
"""Where the names of an answered link's place stand among the variables."""
INLINE = 60
"""Up to how many nodes a definition is put in where it is called."""


class Values(Writer):
    def x_Const(self, e: g.Const) -> str:
        if e.type.tag == "text":
            return self.text(str(e.value))
        return self.literal(e.value, self.layout.scales.of(e), e.type)

    def x_Var(self, e: g.Var) -> str:
        return self.env[e.id]

    def x_TrackValue(self, e: g.TrackValue) -> str:
        tag = self.game.tracks[e.track].type.tag
        absent = NO_NUMBER if tag == "number" else 0 if tag == "flag" else ABSENT
        return self.at("t", self.layout.track_base[e.track], e.of, str(absent))

    def x_ZoneCards(self, e: g.ZoneCards) -> str:
        pile = self.pile(e.zone, e.of)
        if e.type.tag == "list":
            return pile
        return f"({pile}[-1] if {pile} else -1)" if SIMPLE.match(pile) else f"last_of({pile}, -1)"

    def x_SetCards(self, e: g.SetCards) -> str:
        faces = [face for face in self.game.faces if face.set == e.set]
        cards = [face.first + copy for face in faces for copy in range(face.copies)]
        return self.table(f"SET_{e.set}", tuple(cards))

    def x_NamedCards(self, e: g.NamedCards) -> str:
        cards = tuple(self.game.faces[face].first for face in e.faces)
        return str(cards[0]) if e.type.tag == "card" else self.table(f"CARDS_{self.fresh()}", cards)

    def x_Attribute(self, e: g.Attribute) -> str:
        table = self.column_table(e.attribute)
        return f"{table}[{self.expr(e.card)}]"

    def column_table(self, name: str) -> str:
        """By card number; the last entry answers for no card (-1)."""
        column = self.game.columns[name]
        absent: Any = NO_NUMBER if column.type.tag == "number" else "" if column.type.tag == "text" else ABSENT
        return self.table(f"C_{name}", [*self.layout.column(name), absent])

    def x_Worth(self, e: g.Worth) -> str:
        kind = e.value.type.of or ""
        worths = self.layout.worths(kind)
        if isinstance(e.value, g.Attribute):
            column = [*self.layout.column(e.value.attribute), ABSENT]
            table = self.table(f"N_{e.value.attribute}", [worths[place] for place in column])
            return f"{table}[{self.expr(e.value.card)}]"
        return f"{self.table(f'W_{kind}', worths)}[{self.expr(e.value)}]"

    def x_Members(self, e: g.Members) -> str:
        return str(tuple(range(len(self.game.kinds[e.kind].members))))

    def x_Call(self, e: g.Call) -> str:
        define = self.game.defines[e.define]
        constant = self.constant(e)
        if constant is not None:
            return self.literal(constant, self.layout.scales.of(e), e.type)
        if e.of is None:
            return self.inlined(define) or f"{self.define_function(define)}(s)"
        code = self.items(e.of) if define.subject == "cards" else self.expr(e.of)
        if SIMPLE.match(code) and not self.maybe(e.of):
            with self.bound(define.var, code):
                inlined = self.inlined(define)
            if inlined:
                return inlined
        return f"{self.define_function(define)}(s, {code})"

    def inlined(self, define: g.Define) -> str | None:
        if define.name not in self.sizes:
            self.sizes[define.name] = sum(1 for _ in walk((define.value,)))
        if self.sizes[define.name] > INLINE or isinstance(define.value, g.FirstPossible):
            return None
        if define.type.tag == "flag":
            code = self.expr(define.value)
        else:
            code = self.value(define.value, define.type, self.layout.scales.define[define.name])
        if len(code) < 400:
            return code
        self.sizes[define.name] = INLINE + 1  # it need not be tried again
        return None

    def define_function(self, define: g.Define) -> str:
        name = f"d_{mangled(define.name)}"
        if name not in self.functions:
            self.functions[name] = ""
            saved, self.env, hoisted, self.hoisted = self.env, {}, self.hoisted, {}
            param = self.fresh()
            with self.bound(define.var, param):
                code = self.value(define.value, define.type, self.layout.scales.define[define.name])
            self.env, self.hoisted = saved, hoisted
            lines = [f"def {name}(s, {param}):" if define.var else f"def {name}(s):"]
            if define.subject in ("player", "card") or define.subject in self.game.kinds:
                lines.append(f"    if {param} == -1: return {self.absent(define.type)}")
            self.functions[name] = "\n".join([*lines, f"    return {code}"])
        return name

    def x_BorneCall(self, e: g.BorneCall) -> str:
        return f"{self.borne_function(self.game.borne_defines[e.define])}(s, {self.expr(e.card)})"

    def borne_function(self, borne: g.BorneDefine) -> str:
        """By the card's face: a function of its own for each body."""
        name = f"b_{mangled(borne.name)}"
        if name not in self.functions:
            self.functions[name] = ""
            bodies: dict[int, str] = {}
            cases = [self.borne_body(name, body, bodies, borne.type) for body in borne.bodies]
            table = f"{name}__table"
            lines = [f"{table} = ({', '.join(cases[face] for face in self.layout.face)}, None)"]
            lines += [f"def {name}(s, c):", f"    body = {table}[c]"]
            lines.append(f"    return {self.absent(borne.type)} if body is None else body(s, c, s.owner[c])")
            del self.functions[name]  # it stands behind the functions that its table names
            self.functions[name] = "\n".join(lines)
        return name

    def borne_body(self, name: str, body: g.BorneBody | None, done: dict[int, str], type_: g.Type) -> str:
        if body is None:
            return "None"
        if id(body.value) not in done:
            saved, self.env, hoisted, self.hoisted = self.env, {}, self.hoisted, {}
            function, card, owner = self.fresh(f"{name}__v"), self.fresh(), self.fresh()
            lines = [f"def {function}(s, {card}, {owner}):"]
            with self.bound(body.var, card), self.bound(body.owner, owner):
                if uses_var(body.value, body.owner):  # what is asked of an owner who is there is quicker
                    with self.layout.presence.taken_for_granted(body.owner):
                        lines.append(f"    if {owner} >= 0: return {self.value(body.value, type_, 1)}")
                lines.append(f"    return {self.value(body.value, type_, 1)}")
            self.env, self.hoisted = saved, hoisted
            self.functions[function] = "\n".join(lines)
            done[id(body.value)] = function
        return done[id(body.value)]

    def x_Builtin(self, e: g.Builtin) -> str:
        fixed = self.layout.fixed_seats
        if e.of is None:
            if e.name == "players":
                return str(tuple(range(self.layout.players))) if fixed else "s.alive"
            return f"{e.name}(s)"
        code = self.expr(e.of)
        tag = e.of.type.tag
        if tag == "player":
            if fixed and e.name in ("left", "right", "others") and not self.maybe(e.of):
                return f"{self.table(e.name.upper(), self.seat_table(e.name))}[{code}]"
            return f"{e.name}_of(s, {code})"
        if tag == "card":
            if e.name == "owner":
                return self.at("ow", 0, e.of, "-1")
            return f"{self.title_table()}[{code}]"
        if tag == "list":
            return f"len({code})"
        if tag == "member":
            titles = [*(m.name for m in self.game.kinds[e.of.type.of or ""].members), ""]
            return f"{self.table(f'M_{e.of.type.of}', titles)}[{code}]"
        if e.name == "owner":
            return f"reading_owner(s, {code})"
        return f"reading_part({code}, {e.name!r}, {self.absent(e.type)})" if self.maybe(e.of) else f"{code}.{e.name}"

    def seat_table(self, name: str) -> list[Any]:
        n = self.layout.players
        if name == "others":
            return [tuple((seat + step) % n for step in range(1, n)) for seat in range(n)]
        return [(seat + (1 if name == "left" else -1)) % n for seat in range(n)]

    def title_table(self) -> str:
        titles = [self.game.faces[face].title for face in self.layout.face]
        return self.table("TITLES", [*titles, ""])

    def x_Actor(self, e: g.Actor) -> str:
        return f"s.frames[{self.env[LINK_DEPTH]}][{self.env[LINK_BASE]}]"

    def x_Target(self, e: g.Target) -> str:
        offset = shared_offset(self.game, e.name)
        return f"s.frames[{self.env[LINK_DEPTH]}][{self.env[LINK_BASE]} + {offset}]"
