"""Generate Python for moving and showing cards.

Without listeners, small moves from a known place are inlined. `interpreter.moving` does the same for any number of
cards."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from attrs import frozen

from interpreter import lowered as lo
from interpreter.layout import Layout
from interpreter.lowered.operations import OPERATIONS
from interpreter.moving import MANY
from interpreter.python.expressions import Expressions

INDENT = "    "
FEW = 6
"""Maximum number of cards moved, or slots set, by inlined statements."""


TOP = lo.Const(lo.TEXT, "top")


@frozen
class Setting:
    """Settings shared by all functions and blocks of a program.

    listen: whether to generate events.
    entries: the first block of each routine.
    frames: by routine."""

    listen: bool
    entries: Mapping[str, int]
    frames: Mapping[str, lo.Frame]
    layout: Layout


class Effects(Expressions):
    """Code generator for effects. `lines`: the source so far, at indentation `depth`."""

    def __init__(self, slots: Mapping[int, int], setting: Setting, held: frozenset[int]) -> None:
        super().__init__(slots, held)
        self.setting = setting
        self.listen, self.layout = setting.listen, setting.layout
        self.lines: list[str] = []
        self.depth = 1

    def emit(self, line: str) -> None:
        self.lines.append(INDENT * self.depth + line)

    def place(self, place: int | None) -> str:
        return f"AT[{place}]"

    def x_Loop(self, e: lo.Loop) -> str:
        """Generate a loop, with a slice of all players' slots as a fast path while no player is eliminated."""
        text, together = super().x_Loop(e), self.of_all_players(e)
        return f"({together} if not s.out else {text})" if together else text

    def of_all_players(self, e: lo.Loop) -> str:
        """Return a loop over active players as an expression over a slice of all players' slots.

        Empty if the loop uses more than one slot for each player."""
        tests = [clause.condition for clause in e.clauses[1:] if isinstance(clause, lo.Test)]
        if len(e.clauses) != 1 + len(tests):
            return ""
        match e.function, tests:
            case "highest" | "lowest" | "total", []:
                form = {"highest": "max({})", "lowest": "min({})", "total": "sum({})"}[e.function]
                slots = self.slots_of_all(e.clauses[0], e.body)
            case "count", [lo.Not(value=flag)]:
                form, slots = "{}.count(0)", self.slots_of_all(e.clauses[0], flag)
            case _:
                return ""
        return form.format(slots) if slots else ""

    def slots_of_all(self, each: lo.Clause, slot: lo.Expr) -> str:
        """Return the slice of all players' slots, if `slot` is that of each active player; otherwise empty."""
        match each, slot:
            case lo.For(local=local, list=lo.Op(operation="alive")), lo.Track(of=of, may_lack=False) if of == local:
                self.used.add("t")
                return f"t[{slot.base}:{slot.base + self.layout.players}]"
        return ""

    def in_any_order(self, items: lo.Expr) -> str:
        """Generate a list whose order does not matter."""
        if isinstance(items, lo.Items):
            return f"[{', '.join(map(self.in_any_order, items.items))}]"
        if isinstance(items, lo.Spread):
            return self.joined_in(items, self.in_any_order)
        if isinstance(items, lo.Loop) and items.function == "list" and len(items.clauses) == 1:
            slots = self.slots_of_all(items.clauses[0], items.body)
            return f"({slots} if not s.out else {self.text(items)})" if slots else self.text(items)
        return self.text(items)

    def s_Effect(self, stmt: lo.Effect) -> None:
        special = getattr(self, f"e_{stmt.operation}", None)
        if special is None or not special(stmt, *stmt.args):
            self.called(stmt)

    def short_move(self, stmt: lo.Effect) -> str:
        """Return the specialized call for a whole pile, top cards or a single card, without events; empty if there
        is none."""
        if stmt.operation not in ("move", "deal"):
            return ""
        cards, to, *tail = stmt.args
        end, (followed, among, _) = (tail[0], tail[1:]) if stmt.operation == "move" else (TOP, tail)
        if end != TOP:
            return self.quiet_move(stmt)
        ordered, single = self.is_followed(followed), stmt.operation == "move"
        pile = whole_pile(cards) if ordered else None
        if pile is not None:
            return f"{stmt.operation}_all(s, {self.pile_number(pile)}, {self.text(to)})"
        pile = top_of_pile(cards) if ordered and single else None
        if pile is not None:
            return f"move_top(s, {self.pile_number(pile)}, {self.text(to)})"
        if ordered and single and isinstance(cards, lo.Op) and cards.operation == "some_top":
            items, number = cards.args
            if isinstance(items, lo.Pile) and not items.may_lack:
                return f"move_tops(s, {self.pile_number(items)}, {self.text(number)}, {self.text(to)})"
        if single and isinstance(cards, lo.Items) and len(cards.items) == 1 and cards.items[0].kind == lo.CARD:
            given = map(self.text, (cards.items[0], to, followed, among))
            return f"move_one(s, {', '.join(given)})"
        return self.quiet_move(stmt)

    def quiet_move(self, stmt: lo.Effect) -> str:
        """Return the call that moves any cards without events."""
        cards, to, *tail = stmt.args
        rest = [to, *tail[:-1]]  # without the verb
        return f"{stmt.operation}_unheard({', '.join(['s', self.argument(cards), *map(self.argument, rest)])})"

    def pile_number(self, pile: lo.Pile) -> str:
        if pile.of is None:
            return str(pile.base)
        return f"{pile.base}+{self.text(pile.of)}"

    def called(self, stmt: lo.Effect) -> None:
        if not self.listen and (short := self.short_move(stmt)):
            self.emit(short)
            return
        operation = OPERATIONS[stmt.operation]
        args = [*(["s"] if operation.state else []), *map(self.argument, stmt.args)]
        self.emit(f"{stmt.operation}({', '.join([*args, self.place(stmt.place)])})")

    def argument(self, arg: lo.Expr) -> str:
        if isinstance(arg, lo.Items) and not any(isinstance(item, lo.Spread) for item in arg.items):
            return f"({', '.join(map(self.text, arg.items))},)"
        return self.text(arg)

    def e_put(self, stmt: lo.Effect, *args: lo.Expr) -> bool:
        card, pile, verb = map(self.text, args)
        if self.listen:
            everyone = self.layout.everyone
            self.emit(f"move(s, ({card},), {pile}, 'top', {everyone}, (), {verb}, {self.place(stmt.place)})")
        elif isinstance(args[1], lo.Const) and self.layout.seat_of[int(pile)] < 0:
            self.used |= {"z", "loc", "known"}
            self.emit(f"c = {card}; source = loc[c]")
            self.emit("if source >= 0: z[source].remove(c)")
            self.emit(f"known[c] = {self.layout.everyone}; loc[c] = {pile}; z[{pile}].append(c)")
        else:
            self.emit(f"put(s, {card}, {pile})")
        return True

    def e_begin_picks(self, stmt: lo.Effect) -> bool:
        self.emit("s.picks = []")
        return True

    def e_few_moves(self, stmt: lo.Effect, legal: lo.Expr) -> bool:
        self.emit(f"if len({self.text(legal)}) > MAX_MOVES: too_many({self.place(stmt.place)})")
        return True

    def e_few_asked(self, stmt: lo.Effect, place: lo.Expr) -> bool:
        self.emit(f"if {self.text(place)} >= MAX_ASKED: too_often({self.place(stmt.place)})")
        return True

    def e_one_card(self, stmt: lo.Effect, pile: lo.Expr) -> bool:
        self.used.add("z")
        number = self.text(pile)
        self.emit(f"if len(z[{number}]) > 1: too_full(s, {number}, {self.place(stmt.place)})")
        return True

    # ------------------------------------------------------------ a few cards from a known place
    def e_deal(self, stmt: lo.Effect, cards: lo.Expr, piles: lo.Expr, followed: lo.Expr, *_: lo.Expr) -> bool:
        numbers = piles.value if isinstance(piles, lo.Const) and isinstance(piles.value, tuple) else ()
        return bool(numbers) and self.from_top(stmt, cards, numbers, followed)

    def e_move(
        self, stmt: lo.Effect, cards: lo.Expr, pile: lo.Expr, end: lo.Expr, followed: lo.Expr, *_: lo.Expr
    ) -> bool:
        if not isinstance(pile, lo.Const) or not isinstance(pile.value, int) or end != lo.Const(end.kind, "top"):
            return False
        one = (pile.value,)
        return self.from_top(stmt, cards, one, followed) or self.whole_pile(stmt, cards, pile.value, followed)

    def from_top(self, stmt: lo.Effect, cards: lo.Expr, piles: Sequence[int], followed: lo.Expr) -> bool:
        """Inline a move of the top cards of one pile, one to each pile in turn. Return whether it applies."""
        source, number = top_cards(cards)
        if not self.is_plain(followed) or not 0 < number <= FEW or source in piles or source < 0:
            return False
        self.used |= {"z", "loc", "known"}
        self.emit(f"p = z[{source}]" if number == 1 else f"if len(z[{source}]) >= {number}:")
        if number == 1:
            self.emit("if p:")
        self.depth += 1
        if number > 1:
            self.emit(f"p = z[{source}]")
        for turn in range(number):
            pile = piles[turn % len(piles)]
            seen = self.layout.sees[pile] | self.layout.sees[source]
            self.emit("c = p.pop(); " + "; ".join([*self.arrived("c", pile, str(seen)), f"z[{pile}].append(c)"]))
        self.depth -= 1
        if number > 1:
            self.emit("else:")
            self.depth += 1
            self.called(stmt)
            self.depth -= 1
        return True

    def whole_pile(self, stmt: lo.Effect, cards: lo.Expr, target: int, followed: lo.Expr) -> bool:
        """Inline a move of all cards of another pile. Return whether it applies."""
        pile = cards.args[0] if isinstance(cards, lo.Op) and cards.operation == "copied" else None
        if not isinstance(pile, lo.Pile) or pile.may_lack or not self.is_plain(followed):
            return False
        sources = [pile.base] if pile.of is None else self.run_from(pile.base)
        if target in sources:
            return False
        self.used |= {"z", "loc", "known"}
        seen = {self.layout.sees[target] | self.layout.sees[source] for source in sources}
        mask = str(seen.pop()) if len(seen) == 1 else "seen"
        self.emit(f"p = {self.text(pile)}")
        self.emit(f"if len(p) < {MANY}:")
        self.depth += 1
        if mask == "seen":
            self.emit(
                f"seen = SEES[{pile.base} + {self.text(pile.of or lo.Const(lo.SEAT, 0))}] | {self.layout.sees[target]}"
            )
        self.emit(f"for c in p: {'; '.join(self.arrived('c', target, mask))}")
        self.emit(f"z[{target}] += p; p.clear()")
        self.depth -= 1
        self.emit("else:")
        self.depth += 1
        self.called(stmt)
        self.depth -= 1
        return True

    def run_from(self, base: int) -> list[int]:
        """Return the piles of the zone whose first pile this is."""
        name = self.layout.zones[base].zone.name
        return [number for number, slot in enumerate(self.layout.zones) if slot.zone.name == name]

    def is_plain(self, followed: lo.Expr) -> bool:
        """Check whether a move has no events and hides nothing, so it changes only positions and seen cards."""
        return not self.listen and not self.layout.marks and self.is_followed(followed)

    def is_followed(self, followed: lo.Expr) -> bool:
        """Check whether all players can always follow which cards are moved."""
        return followed == lo.Const(lo.NUMBER, self.layout.everyone)

    def arrived(self, card: str, pile: int, seen: str) -> list[str]:
        """Return the updates for a card that comes to a pile."""
        found = [f"known[{card}] |= {seen}"] if seen != "0" else []
        found.append(f"loc[{card}] = {pile}")
        if self.layout.seat_of[pile] >= 0:
            self.used.add("ow")
            found.append(f"ow[{card}] = {self.layout.seat_of[pile]}")
        return found

    def e_reveal(self, stmt: lo.Effect, cards: lo.Expr, to: lo.Expr) -> bool:
        if self.listen or to != lo.Const(to.kind, -1):
            return False
        self.used.add("known")
        depth = self.depth
        if isinstance(cards, lo.Loop) and cards.function == "list":
            for clause in cards.clauses:
                self.emit(f"{self.clauses([clause])}:")
                self.depth += 1
            self.emit(f"known[{self.text(cards.body)}] |= {self.layout.everyone}")
        else:
            self.emit(f"for c in {self.argument(cards)}: known[c] |= {self.layout.everyone}")
        self.depth = depth
        return True


def top_cards(cards: lo.Expr) -> tuple[int, int]:
    """Return the pile whose top cards these are, and their number; the pile is -1 for other cards."""
    if isinstance(cards, lo.Items) and len(cards.items) == 1 and isinstance(cards.items[0], lo.Spread):
        cards = cards.items[0].list
    match cards:
        case lo.Op(operation="some_top", args=(lo.Pile(of=None) as pile, lo.Const(value=int(number)))):
            return pile.base, number
        case lo.Op(operation="listed", args=(lo.Either(condition=lo.Pile(of=None) as pile, then=top),)):
            return (pile.base, 1) if top == lo.At(lo.CARD, pile, -1) else (-1, 0)
    return -1, 0


def whole_pile(cards: lo.Expr) -> lo.Pile | None:
    """Return the pile, if these are all its cards in order."""
    if isinstance(cards, lo.Op) and cards.operation == "copied":
        cards = cards.args[0]
    elif isinstance(cards, lo.Items) and len(cards.items) == 1 and isinstance(cards.items[0], lo.Spread):
        cards = cards.items[0].list
    return cards if isinstance(cards, lo.Pile) and not cards.may_lack else None


def top_of_pile(cards: lo.Expr) -> lo.Pile | None:
    """Return the pile, if this is its top card."""
    match cards:
        case lo.Items(items=(lo.Spread(list=lo.Op(operation="listed", args=(lo.Either() as top,))),)):
            pile = top.condition
            if isinstance(pile, lo.Pile) and top.then == lo.At(lo.CARD, pile, -1) and not pile.may_lack:
                return pile
    return None
