"""Python code of IR effects on cards.

Without listeners, moves of whole piles, top cards and single cards call faster functions of
`interpreter.runtime.card_moves`.
"""

from __future__ import annotations

from collections.abc import Mapping

from attrs import frozen

from interpreter import ir
from interpreter.codegen.python.python_expressions import PythonExpressionGenerator
from interpreter.codegen.templates import fill_template
from interpreter.runtime.state_layout import Layout

INDENT = "    "

EFFECT_TEMPLATES = {
    "begin_picks": "s.picks = []", "few_moves": "if len({0}) > MAX_MOVES: too_many({place})",
    "few_asked": "if {0} >= MAX_ASKED: too_often({place})",
    "one_card": "if len(z[{0}]) > 1: too_full(s, {0}, {place})",
}  # fmt: skip
TOP_END = ir.Const(ir.TEXT, "top")


@frozen
class PythonCodegenSettings:
    """Settings shared by all functions and blocks of a program.

    with_events: whether to generate events.
    entry_blocks: the first block of each routine.
    frames: by routine."""

    with_events: bool
    entry_blocks: Mapping[str, int]
    frames: Mapping[str, ir.Frame]
    layout: Layout


class PythonEffectGenerator(PythonExpressionGenerator):
    """Code generator for effects. `lines`: the source so far, at indentation `depth`."""

    def __init__(
        self, slots: Mapping[int, int], settings: PythonCodegenSettings, cached_variables: frozenset[int]
    ) -> None:
        super().__init__(slots, cached_variables)
        self.settings = settings
        self.with_events, self.layout = settings.with_events, settings.layout
        self.lines: list[str] = []
        self.depth = 1

    def emit_line(self, line: str) -> None:
        self.lines.append(INDENT * self.depth + line)

    def generate_place(self, rule_number: int | None) -> str:
        return f"AT[{rule_number}]"

    def generate_Loop(self, e: ir.Loop) -> str:
        """Generate a loop, with a slice of all players' slots as a fast path while no player is eliminated."""
        text, together = super().generate_Loop(e), self.generate_all_players_loop(e)
        return f"({together} if not s.out else {text})" if together else text

    def generate_all_players_loop(self, e: ir.Loop) -> str:
        """Return a loop over active players as an expression over a slice of all players' slots.

        Empty if the loop uses more than one slot for each player."""
        tests = [clause.condition for clause in e.clauses[1:] if isinstance(clause, ir.Test)]
        if len(e.clauses) != 1 + len(tests):
            return ""
        match e.function, tests:
            case "highest" | "lowest" | "total", []:
                form = {"highest": "max({})", "lowest": "min({})", "total": "sum({})"}[e.function]
                slots = self.generate_player_slice(e.clauses[0], e.body)
            case "count", [ir.Not(value=flag)]:
                form, slots = "{}.count(0)", self.generate_player_slice(e.clauses[0], flag)
            case _:
                return ""
        return form.format(slots) if slots else ""

    def generate_player_slice(self, loop_clause: ir.Clause, slot: ir.Expr) -> str:
        """Return the slice of all players' slots, if `slot` is that of each active player; otherwise empty."""
        match loop_clause, slot:
            case ir.For(local=local, list=ir.Op(operation="alive")), ir.Track(of=of, may_lack=False) if of == local:
                return f"t[{slot.base}:{slot.base + self.layout.players}]"
        return ""

    def generate_unordered_list(self, items: ir.Expr) -> str:
        """Generate a list whose order does not matter."""
        if isinstance(items, ir.Items):
            return f"[{', '.join(map(self.generate_unordered_list, items.items))}]"
        if isinstance(items, ir.Spread):
            return self.generate_spread_items(items, self.generate_unordered_list)
        if isinstance(items, ir.Loop) and items.function == "list" and len(items.clauses) == 1:
            slots = self.generate_player_slice(items.clauses[0], items.body)
            return (
                f"({slots} if not s.out else {self.generate_expression(items)})"
                if slots
                else self.generate_expression(items)
            )
        return self.generate_expression(items)

    def emit_Effect(self, stmt: ir.Effect) -> None:
        if stmt.operation in EFFECT_TEMPLATES:
            template, place = EFFECT_TEMPLATES[stmt.operation], self.generate_place(stmt.place)
            self.emit_line(fill_template(template, self.generate_expression, stmt.args, place))
        elif stmt.operation == "put":
            self.emit_put(stmt, *stmt.args)
        else:
            self.emit_operation_call(stmt)

    def generate_short_move(self, stmt: ir.Effect) -> str:
        """Return the specialized call for a whole pile, top cards or a single card, without events; empty if there
        is none."""
        if stmt.operation not in ("move", "deal"):
            return ""
        cards, to, *tail = stmt.args
        end, (followed, among, _) = (tail[0], tail[1:]) if stmt.operation == "move" else (TOP_END, tail)
        if end != TOP_END:
            return self.generate_move_without_events(stmt)
        ordered, single = self.can_all_players_follow(followed), stmt.operation == "move"
        pile = find_whole_pile(cards) if ordered else None
        if pile is not None:
            return f"{stmt.operation}_all(s, {self.generate_pile_number(pile)}, {self.generate_expression(to)})"
        pile = find_pile_of_top_card(cards) if ordered and single else None
        if pile is not None:
            return f"move_top(s, {self.generate_pile_number(pile)}, {self.generate_expression(to)})"
        if ordered and single and isinstance(cards, ir.Op) and cards.operation == "some_top":
            items, number = cards.args
            if isinstance(items, ir.Pile) and not items.may_lack:
                source = self.generate_pile_number(items)
                return f"move_tops(s, {source}, {self.generate_expression(number)}, {self.generate_expression(to)})"
        if single and isinstance(cards, ir.Items) and len(cards.items) == 1 and cards.items[0].kind == ir.CARD:
            given = map(self.generate_expression, (cards.items[0], to, followed, among))
            return f"move_one(s, {', '.join(given)})"
        return self.generate_move_without_events(stmt)

    def generate_move_without_events(self, stmt: ir.Effect) -> str:
        """Return the call that moves any cards without events."""
        cards, to, *tail = stmt.args
        rest = [to, *tail[:-1]]  # without the verb
        args = ["s", self.generate_argument(cards), *map(self.generate_argument, rest)]
        return f"{stmt.operation}_unheard({', '.join(args)})"

    def generate_pile_number(self, pile: ir.Pile) -> str:
        if pile.of is None:
            return str(pile.base)
        return f"{pile.base}+{self.generate_expression(pile.of)}"

    def emit_operation_call(self, stmt: ir.Effect) -> None:
        if not self.with_events and (short := self.generate_short_move(stmt)):
            self.emit_line(short)
            return
        args = [*(["s"] if stmt.operation in ir.STATE_OPERATIONS else []), *map(self.generate_argument, stmt.args)]
        self.emit_line(f"{stmt.operation}({', '.join([*args, self.generate_place(stmt.place)])})")

    def generate_argument(self, arg: ir.Expr) -> str:
        if isinstance(arg, ir.Items) and not any(isinstance(item, ir.Spread) for item in arg.items):
            return f"({', '.join(map(self.generate_expression, arg.items))},)"
        return self.generate_expression(arg)

    def emit_put(self, stmt: ir.Effect, *args: ir.Expr) -> None:
        card, pile, verb = map(self.generate_expression, args)
        if self.with_events:
            seats = "1 << s.who" if self.layout.copies else self.layout.everyone
            self.emit_line(f"move(s, ({card},), {pile}, 'top', {seats}, (), {verb}, {self.generate_place(stmt.place)})")
        elif isinstance(args[1], ir.Const) and self.layout.seat_of[int(pile)] < 0 and not self.layout.copies:
            self.emit_line(f"c = {card}; source = loc[c]")
            self.emit_line("if source >= 0: z[source].remove(c)")
            self.emit_line(f"known[c] = {self.layout.everyone}; loc[c] = {pile}; z[{pile}].append(c)")
        else:
            self.emit_line(f"put(s, {card}, {pile})")

    def can_all_players_follow(self, followers: ir.Expr) -> bool:
        """Check whether all players can always follow which cards are moved."""
        return followers == ir.Const(ir.NUMBER, self.layout.everyone)


def find_whole_pile(cards: ir.Expr) -> ir.Pile | None:
    """Return the pile, if these are all its cards in order."""
    if isinstance(cards, ir.Op) and cards.operation == "copied":
        cards = cards.args[0]
    elif isinstance(cards, ir.Items) and len(cards.items) == 1 and isinstance(cards.items[0], ir.Spread):
        cards = cards.items[0].list
    return cards if isinstance(cards, ir.Pile) and not cards.may_lack else None


def find_pile_of_top_card(cards: ir.Expr) -> ir.Pile | None:
    """Return the pile, if this is its top card."""
    match cards:
        case ir.Items(items=(ir.Spread(list=ir.Op(operation="listed", args=(ir.Either() as top,))),)):
            pile = top.condition
            if isinstance(pile, ir.Pile) and top.then == ir.At(ir.CARD, pile, -1) and not pile.may_lack:
                return pile
    return None
