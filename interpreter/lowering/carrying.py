"""Statements about cards that ask nobody, to source: moving, shuffling, showing."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from cardlang import game as g
from cardlang.game.walking import any_part, everything

if TYPE_CHECKING:
    from interpreter.lowering.flow import Flow

POSITIONS = ("top", "bottom", "first", "last")


class Carrying:
    """What the effects below share, and those on cards. `framed`: the variables that a statement binds are wanted by
    later blocks, so they belong into the frame."""

    def __init__(self, flow: Flow) -> None:
        self.flow = flow
        self.code = flow.code
        self.layout = flow.layout
        self.game = flow.game
        self.emit = flow.emit
        self.finishing = finishing_steps(self.game)

    def fuel(self, span: Any, body: Sequence[Any], rounds: str = "1") -> None:
        """So many rounds of a body run from here: more steps than there are between two decisions are refused."""
        steps = self.code.effort.steps_of(body)
        self.emit(f"s.fuel -= {rounds if steps == 1 else steps if rounds == '1' else f'{steps} * {rounds}'}")
        self.emit(f"if s.fuel < 0: endless({self.code.span(span)})")

    def statement(self, stmt: g.Stmt, framed: bool) -> None:
        """The source of one statement."""
        getattr(self, f"do_{type(stmt).__name__}")(stmt, framed)

    def triggers(self, stmt: g.Stmt) -> None:
        """`whenever` conditions are asked again after every change."""
        if not self.game.whenevers:
            return
        if "whenevers" not in self.code.functions:
            self.code.functions["whenevers"] = ""  # what they do is a change, too
            asked = [line for index, each in enumerate(self.game.whenevers) for line in self.whenever(index, each)]
            self.code.functions["whenevers"] = "\n".join(["def whenevers(s):", *asked])
        self.emit("whenevers(s)")

    def whenever(self, index: int, trigger: g.Whenever) -> list[str]:
        was = f"s.t[{len(self.layout.tracks) + index}]"
        env, hoisted = self.code.env, self.code.hoisted
        self.code.env, self.code.hoisted = {}, {}
        condition = self.code.expr(trigger.condition)
        self.code.env, self.code.hoisted = env, hoisted
        return [
            f"    if {condition}:",
            f"        if not {was}:",
            f"            {was} = 1",
            f"            {self.function(f'W_{index}', (), trigger.body, None)}(s)",
            f"    else: {was} = 0",
        ]

    def do_Move(self, stmt: g.Move, framed: bool) -> None:
        self.move_and_trigger(stmt, framed)

    def move_and_trigger(self, stmt: g.Move, framed: bool) -> None:
        cards, chosen = self.cards(stmt.what), not is_positional(stmt.what)
        if self.is_entered(stmt.to):
            name = f"f[{self.flow.local(cards=True)}]" if framed else self.code.fresh()
            self.emit(f"{name} = list({cards})")
            cards = name
        self.move(cards, stmt.to, stmt.end, chosen, stmt.verb, stmt.span)
        self.entered(stmt.to, cards, framed)
        self.triggers(stmt)

    def cards(self, what: g.Expr) -> str:
        """The source of a list of cards that is not a pile itself, for it will change."""
        code = self.code.items(what)
        return f"{code}[:]" if isinstance(what, g.ZoneCards) and code.startswith("z[") else code

    def move(self, cards: str, to: g.Place, end: str, chosen: bool, verb: str, span: Any) -> None:
        tail = f"{chosen}, {verb!r}, {self.code.span(span)}"
        if to.each:
            self.emit(f"deal(s, {cards}, {self.piles(to)}, {tail})")
        else:
            self.emit(f"move(s, {cards}, {self.pile_number(to)}, {end!r}, {tail})")

    def piles(self, to: g.Place) -> str:
        """The source of the numbers of several players' piles."""
        base = self.layout.zone_base[to.zone]
        if to.of is None:
            raise AssertionError("players")
        if isinstance(to.of, g.Builtin) and self.layout.fixed_seats:
            return str(tuple(base + seat for seat in range(self.layout.players)))
        return f"[{base} + p for p in {self.code.items(to.of)}]"

    def put(self, card: str, to: g.Place, verb: str, span: Any) -> None:
        """One chosen card; the short way where everybody sees where it goes."""
        open_zone = self.game.zones[to.zone].viewer == "everyone" and not self.layout.marks
        if open_zone and not self.flow.listen:
            self.emit(f"put(s, {card}, {self.pile_number(to)})")
        else:
            self.move(f"({card},)", to, "top", True, verb, span)

    def pile_number(self, to: g.Place) -> str:
        base = self.layout.zone_base[to.zone]
        if to.of is None:
            return str(base)
        code = self.code.sure(to.of)
        return str(base + int(code)) if code.isdigit() else f"{base} + {code}"

    def is_entered(self, to: g.Place) -> bool:
        return to.zone in {trigger.zone for trigger in self.game.enters}

    def entered(self, to: g.Place, cards: str, framed: bool) -> None:
        """The triggers of a zone, for each card that came in. One that sets off triggers again has a function or a
        frame of its own."""
        for trigger in self.game.enters:
            if trigger.zone != to.zone:
                continue
            items = g.Var(g.list_of(g.CARD), trigger.span, -100 - trigger.card.id, "entered")
            each = g.Each(trigger.span, items, trigger.card, None, None, False, trigger.body)
            if any_part(trigger.body, self.sets_off):
                self.enter(trigger, items, each, cards, to)
                continue
            self.code.env[items.id] = cards
            if trigger.you is not None and to.of is not None:
                owner = self.code.expr(to.of)
                self.emit(f"{self.flow.name_of(trigger.you, framed)} = {owner}")
            if self.flow.suspending.may_stop(each):
                self.flow.sequence((each,))
            else:
                self.statement(each, framed)

    def sets_off(self, part: g.Stmt) -> bool:
        """Whether a statement may set off the trigger of a zone, itself or in what it runs."""
        return isinstance(part, g.Do | g.DoBorne) or (isinstance(part, g.Move | g.Pick) and self.is_entered(part.to))

    def enter(self, trigger: g.Enters, items: g.Var, each: g.Each, cards: str, to: g.Place) -> None:
        name, params, values = f"enters {self.game.enters.index(trigger)}", [items], [cards]
        if trigger.you is not None and to.of is not None:
            params.append(trigger.you)
            values.append(self.code.expr(to.of))
        if self.flow.suspending.may_stop(each):
            self.flow.call_routine(name, params, (each,), values, trigger.span)
        else:
            self.emit(f"{self.function(name, params, (each,), None)}({', '.join(['s', *values])})")

    def do_Pick(self, stmt: g.Pick, framed: bool) -> None:
        """Only where there is nothing to decide: so many from the top, or at random."""
        if not stmt.settled or stmt.low is None or stmt.position is None:
            raise AssertionError("a choice")
        if self.code.maybe(stmt.who):
            self.emit(self.code.sure(stmt.who))
        number = self.code.fresh()
        self.emit(f"{number} = {self.code.expr(stmt.low)}")
        cards = self.taken(stmt, number)
        name = f"f[{self.flow.local(cards=True)}]" if framed else self.code.fresh()
        self.emit(f"{name} = list({cards})")
        self.move(name, stmt.to, "top", stmt.position == "random", stmt.verb, stmt.span)
        self.entered(stmt.to, name, framed)
        self.triggers(stmt)

    def taken(self, stmt: g.Pick, number: str) -> str:
        items = self.code.items(stmt.source)
        state = "s, " if stmt.position == "random" else ""
        return f"some_{stmt.position}({state}{items}, {number})"

    def do_Shuffle(self, stmt: g.Shuffle, framed: bool) -> None:
        at = self.code.span(stmt.span)
        if stmt.zone.each:
            self.emit(f"for pile in {self.piles(stmt.zone)}: shuffle(s, pile, {at})")
        else:
            self.emit(f"shuffle(s, {self.pile_number(stmt.zone)}, {at})")
        self.triggers(stmt)

    def do_ShufflePlayers(self, stmt: g.ShufflePlayers, framed: bool) -> None:
        self.emit(f"shuffle_players(s, {self.code.span(stmt.span)})")

    def do_Reveal(self, stmt: g.Reveal, framed: bool) -> None:
        to = self.code.sure(stmt.to) if stmt.to is not None else "-1"
        self.emit(f"reveal(s, {self.code.items(stmt.cards)}, {to}, {self.code.span(stmt.span)})")

    def function(self, name: str, params: Sequence[g.Var], body: Sequence[g.Stmt], step: g.Step | None) -> str:
        raise NotImplementedError


def is_positional(what: g.Expr) -> bool:
    """Whether everybody can follow which cards these are: whole zones, or so many from an end."""
    if isinstance(what, g.Joined):
        return all(is_positional(item) for item in what.items)
    if isinstance(what, g.Agg):
        return what.function in POSITIONS and is_positional(what.list)
    if isinstance(what, g.MapEach):
        return is_positional(what.value)
    return isinstance(what, g.ZoneCards | g.SetCards)


def finishing_steps(game: g.Game) -> set[str]:
    return {part.step for part in everything(game) if isinstance(part, g.Finish)}
