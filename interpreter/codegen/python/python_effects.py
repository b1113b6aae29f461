"""Python code of IR effects on cards.

Without listeners, small moves from a known place are inlined. `interpreter.runtime.card_moves` does the same for any
number of cards.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from attrs import frozen

from interpreter import ir
from interpreter.codegen.python.python_expressions import PythonExpressionGenerator
from interpreter.codegen.templates import fill_template
from interpreter.runtime.card_moves import MANY_CARDS
from interpreter.runtime.layout import Layout

INDENT = "    "
MAX_INLINE_CARDS = 6
"""Maximum number of cards moved, or slots set, by inlined statements."""

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
        special = getattr(self, f"emit_effect_{stmt.operation}", None)
        if stmt.operation in EFFECT_TEMPLATES:
            template, place = EFFECT_TEMPLATES[stmt.operation], self.generate_place(stmt.place)
            self.emit_line(fill_template(template, self.generate_expression, stmt.args, place))
        elif special is None or not special(stmt, *stmt.args):
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
        ordered, single = self.is_followed_by_all(followed), stmt.operation == "move"
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

    def emit_effect_put(self, stmt: ir.Effect, *args: ir.Expr) -> bool:
        card, pile, verb = map(self.generate_expression, args)
        if self.with_events:
            everyone = self.layout.everyone
            self.emit_line(
                f"move(s, ({card},), {pile}, 'top', {everyone}, (), {verb}, {self.generate_place(stmt.place)})"
            )
        elif isinstance(args[1], ir.Const) and self.layout.seat_of[int(pile)] < 0:
            self.emit_line(f"c = {card}; source = loc[c]")
            self.emit_line("if source >= 0: z[source].remove(c)")
            self.emit_line(f"known[c] = {self.layout.everyone}; loc[c] = {pile}; z[{pile}].append(c)")
        else:
            self.emit_line(f"put(s, {card}, {pile})")
        return True

    # ------------------------------------------------------------ a few cards from a known place
    def emit_effect_deal(
        self, stmt: ir.Effect, cards: ir.Expr, piles: ir.Expr, followers: ir.Expr, *_: ir.Expr
    ) -> bool:
        numbers = piles.value if isinstance(piles, ir.Const) and isinstance(piles.value, tuple) else ()
        return bool(numbers) and self.emit_top_card_moves(stmt, cards, numbers, followers)

    def emit_effect_move(
        self, stmt: ir.Effect, cards: ir.Expr, pile: ir.Expr, end: ir.Expr, followers: ir.Expr, *_: ir.Expr
    ) -> bool:
        if not isinstance(pile, ir.Const) or not isinstance(pile.value, int) or end != ir.Const(end.kind, "top"):
            return False
        one = (pile.value,)
        return self.emit_top_card_moves(stmt, cards, one, followers) or self.emit_whole_pile_move(
            stmt, cards, pile.value, followers
        )

    def emit_top_card_moves(self, stmt: ir.Effect, cards: ir.Expr, piles: Sequence[int], followers: ir.Expr) -> bool:
        """Inline a move of the top cards of one pile, one to each pile in turn. Return whether it applies."""
        source, number = find_top_cards(cards)
        if not self.is_simple_move(followers) or not 0 < number <= MAX_INLINE_CARDS or source in piles or source < 0:
            return False
        self.emit_line(f"p = z[{source}]" if number == 1 else f"if len(z[{source}]) >= {number}:")
        if number == 1:
            self.emit_line("if p:")
        self.depth += 1
        if number > 1:
            self.emit_line(f"p = z[{source}]")
        for turn in range(number):
            pile = piles[turn % len(piles)]
            seen = self.layout.sees[pile] | self.layout.sees[source]
            self.emit_line(
                "c = p.pop(); " + "; ".join([*self.generate_arrival("c", pile, str(seen)), f"z[{pile}].append(c)"])
            )
        self.depth -= 1
        if number > 1:
            self.emit_line("else:")
            self.depth += 1
            self.emit_operation_call(stmt)
            self.depth -= 1
        return True

    def emit_whole_pile_move(self, stmt: ir.Effect, cards: ir.Expr, target: int, followers: ir.Expr) -> bool:
        """Inline a move of all cards of another pile. Return whether it applies."""
        pile = cards.args[0] if isinstance(cards, ir.Op) and cards.operation == "copied" else None
        if not isinstance(pile, ir.Pile) or pile.may_lack or not self.is_simple_move(followers):
            return False
        sources = [pile.base] if pile.of is None else self.find_zone_piles(pile.base)
        if target in sources:
            return False
        seen = {self.layout.sees[target] | self.layout.sees[source] for source in sources}
        mask = str(seen.pop()) if len(seen) == 1 else "seen"
        self.emit_line(f"p = {self.generate_expression(pile)}")
        self.emit_line(f"if len(p) < {MANY_CARDS}:")
        self.depth += 1
        if mask == "seen":
            owner = self.generate_expression(pile.of or ir.Const(ir.SEAT, 0))
            self.emit_line(f"seen = SEES[{pile.base} + {owner}] | {self.layout.sees[target]}")
        self.emit_line(f"for c in p: {'; '.join(self.generate_arrival('c', target, mask))}")
        self.emit_line(f"z[{target}] += p; p.clear()")
        self.depth -= 1
        self.emit_line("else:")
        self.depth += 1
        self.emit_operation_call(stmt)
        self.depth -= 1
        return True

    def find_zone_piles(self, base: int) -> list[int]:
        """Return the piles of the zone whose first pile this is."""
        name = self.layout.zones[base].zone.name
        return [number for number, slot in enumerate(self.layout.zones) if slot.zone.name == name]

    def is_simple_move(self, followers: ir.Expr) -> bool:
        """Check whether a move has no events and hides nothing, so it changes only positions and seen cards."""
        return not self.with_events and not self.layout.marks and self.is_followed_by_all(followers)

    def is_followed_by_all(self, followers: ir.Expr) -> bool:
        """Check whether all players can always follow which cards are moved."""
        return followers == ir.Const(ir.NUMBER, self.layout.everyone)

    def generate_arrival(self, card: str, pile: int, seat_mask: str) -> list[str]:
        """Return the updates for a card that comes to a pile."""
        updates = [f"known[{card}] |= {seat_mask}"] if seat_mask != "0" else []
        updates.append(f"loc[{card}] = {pile}")
        if self.layout.seat_of[pile] >= 0:
            updates.append(f"ow[{card}] = {self.layout.seat_of[pile]}")
        return updates

    def emit_effect_reveal(self, stmt: ir.Effect, cards: ir.Expr, player: ir.Expr) -> bool:
        if self.with_events or player != ir.Const(player.kind, -1):
            return False
        depth = self.depth
        if isinstance(cards, ir.Loop) and cards.function == "list":
            for clause in cards.clauses:
                self.emit_line(f"{self.generate_clauses([clause])}:")
                self.depth += 1
            self.emit_line(f"known[{self.generate_expression(cards.body)}] |= {self.layout.everyone}")
        else:
            self.emit_line(f"for c in {self.generate_argument(cards)}: known[c] |= {self.layout.everyone}")
        self.depth = depth
        return True


def find_top_cards(cards: ir.Expr) -> tuple[int, int]:
    """Return the pile whose top cards these are, and their number; the pile is -1 for other cards."""
    if isinstance(cards, ir.Items) and len(cards.items) == 1 and isinstance(cards.items[0], ir.Spread):
        cards = cards.items[0].list
    match cards:
        case ir.Op(operation="some_top", args=(ir.Pile(of=None) as pile, ir.Const(value=int(number)))):
            return pile.base, number
        case ir.Op(operation="listed", args=(ir.Either(condition=ir.Pile(of=None) as pile, then=top),)):
            return (pile.base, 1) if top == ir.At(ir.CARD, pile, -1) else (-1, 0)
    return -1, 0


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
