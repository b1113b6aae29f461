"""Lower statements about cards without a decision: moving, shuffling, showing."""

from __future__ import annotations

from collections.abc import Sequence

from attrs import evolve

from cardlang import game as g
from cardlang.game.walking import any_part
from cardlang.source import Span
from interpreter import lowered as lo
from interpreter.layout import Layout
from interpreter.lowered.kinds import TEXT
from interpreter.lowering.building import ONE, ZERO
from interpreter.lowering.knowers import NO_SEATS, SEATS, key_of, seats_of
from interpreter.lowering.observers import Observers
from interpreter.lowering.once import each_once
from interpreter.lowering.refills import Draw, Refills

OWNERS = -3
"""Number of the variable for the owners of the target zones."""
A_STEP = 64
"""Number of already drawn cards that add one step to each further round."""


class Carrying(Observers):
    def __init__(self, layout: Layout) -> None:
        super().__init__(layout)
        self.finishing = layout.finishing
        self.entered_zones = {trigger.zone for trigger in self.game.enters}
        self.owned_zones = {trigger.zone for trigger in self.game.enters if trigger.you is not None}
        self.refills = Refills(self.game)

    def triggers(self) -> None:
        """Emit the evaluation of all `whenever` conditions, which follows every change."""
        if not self.game.whenevers:
            return
        name = self.code.named("whenever", "")
        if name not in self.functions:
            self.functions[name] = None  # their effects are changes that may trigger them again
            with self.collected() as body, self.code.apart(), self.names_apart():
                for index, trigger in enumerate(self.game.whenevers):
                    self.whenever(index, trigger)
            self.functions[name] = lo.Function(name, (), tuple(body))
        self.hide_by("whenever")
        self.emit(lo.Do(name, ()))

    def whenever(self, index: int, trigger: g.Whenever) -> None:
        slot = len(self.layout.tracks) + index
        was = lo.Track(lo.FLAG, slot, None)
        function = self.function("whenever", str(index), (), trigger.body, None)
        began = lo.If(lo.Not(lo.FLAG, was), (lo.Store(slot, None, ONE), lo.Do(function, ())))
        self.emit(lo.If(self.code.expr(trigger.condition), (began,), (lo.Store(slot, None, ZERO),)))

    # ------------------------------------------------------------ moving
    def do_Move(self, stmt: g.Move) -> None:
        draws = self.refills.draws(stmt.what, stmt.to.zone)
        if draws:
            drawn = [(draw, self.kept(self.code.expr(number))) for draw, number in draws]
            self.draw_all(drawn, stmt.to, stmt.end, stmt.verb, stmt.span)
            return
        self.count_moved(stmt)
        followed, among = self.followers(stmt.to, stmt.what)
        self.carry(self.cards(stmt.what), stmt.to, stmt.end, followed, among, stmt.verb, stmt.span)

    def carry(
        self, cards: lo.Expr, to: g.Place, end: str, followed: lo.Expr, among: lo.Expr, verb: str, span: Span
    ) -> None:
        """Move cards, then run the consequences: triggers and knowledge updates."""
        hides = bool(self.named) and followed != self.everybody
        if hides or to.zone in self.entered_zones:
            cards = self.copy(cards)
        if to.zone in self.owned_zones:
            to = self.settled(to)
        followed, among = self.before_move(followed, among, cards)
        self.move(cards, to, end, followed, among, verb, self.code.place(span))
        self.entered(to, cards, end)
        self.triggers()

    def settled(self, to: g.Place) -> g.Place:
        """Return a place whose owners are evaluated once, before any card is moved."""
        if to.of is None:
            return to
        owners = self.copy(self.code.items(to.of)) if to.each else self.kept(self.code.sure(to.of))
        self.code.env[OWNERS] = owners
        return evolve(to, of=g.Var(evolve(to.of.type, maybe=False), to.of.span, OWNERS, "owner"))

    # ------------------------------------------------------------ draws from piles that may be refilled
    def draw_all(
        self, draws: Sequence[tuple[Draw, lo.Expr]], to: g.Place, end: str, verb: str, span: Span
    ) -> None:  # fmt: skip
        """Move cards from piles that triggers may refill. Entry triggers run when all cards have arrived."""
        to, drawn = self.settled(to), self.code.local(lo.list_of(lo.CARD))
        self.emit(lo.Assign(drawn, lo.Items(drawn.kind, ())))
        for draw, number in draws:
            self.draw(draw, number, drawn, to, end, verb, span)
        self.entered(to, drawn, "")  # triggers may have run since the first card arrived
        self.triggers()

    def draw(
        self, draw: Draw, number: lo.Expr, drawn: lo.Local, to: g.Place, end: str, verb: str, span: Span
    ) -> None:  # fmt: skip
        """Move the available cards. While there are too few, run triggers and move the rest if cards were added."""
        place, piece = self.code.place(span), self.code.local(drawn.kind)
        left = self.code.local(lo.NUMBER)
        self.emit(lo.Assign(left, number))

        def move() -> None:
            cards = self.once(self.taken(draw.position, draw.source, left), draw.source)
            self.emit(lo.Assign(piece, cards))
            followed, among = self.before_move(*self.drawers(to, draw.position, draw.source), piece)
            self.move(piece, to, end, followed, among, verb, place, lo.Count(lo.NUMBER, drawn))
            self.emit(lo.Assign(left, lo.Arith(lo.NUMBER, "-", left, lo.Count(lo.NUMBER, piece))))
            both = (lo.Spread(drawn.kind, drawn), lo.Spread(piece.kind, piece))
            self.emit(lo.Assign(drawn, lo.Items(drawn.kind, both)))

        move()
        more = self.code.local(lo.FLAG)
        self.emit(lo.Assign(more, lo.Const(lo.FLAG, 1)))
        short = lo.Logic(lo.FLAG, "and", (lo.Compare(lo.FLAG, ">", left, ZERO), more))
        with self.collected() as again:
            many = lo.Arith(lo.NUMBER, "//", lo.Count(lo.NUMBER, drawn), lo.Const(lo.NUMBER, A_STEP))
            self.emit(lo.Fuel(lo.Arith(lo.NUMBER, "+", ONE, many), place))
            self.triggers()
            move()
            self.emit(lo.Assign(more, lo.Compare(lo.FLAG, ">", lo.Count(lo.NUMBER, piece), ZERO)))
        self.emit(lo.While(short, tuple(again)))
        if self.code.covering:
            moved = lo.Arith(lo.NUMBER, "-", number, left)
            self.emit(lo.Do("cards_there", (lo.Const(lo.NUMBER, place), number, moved)))

    def count_moved(self, stmt: g.Move) -> None:
        what = stmt.what
        if isinstance(what, g.Joined) and len(what.items) == 1:
            what = what.items[0]
        if isinstance(what, g.Agg) and what.number is not None:
            self.count_cards(stmt.span, what.number, what.list)
        else:
            self.count_cards(stmt.span, None, what)

    def copy(self, cards: lo.Expr) -> lo.Local:
        if isinstance(cards, lo.Local) and self.stays(cards):
            return cards
        local = self.code.local(lo.list_of(lo.CARD))
        self.emit(lo.Assign(local, cards, copied=not self.stays(cards)))
        self.unchanging.add(local.number)
        return local

    def cards(self, what: g.Expr) -> lo.Expr:
        """Return a list of cards without duplicates. A pile is copied, because it will change."""
        code = self.once(self.code.items(what), what)
        return lo.Op(code.kind, "copied", (code,)) if isinstance(code, lo.Pile) else code

    def once(self, code: lo.Expr, cards: g.Expr) -> lo.Expr:
        """Remove duplicate cards from a list. `cards` is its source expression."""
        return code if each_once(self.game, cards) else lo.Op(code.kind, "distinct_values", (code,))

    def move(
        self, cards: lo.Expr, to: g.Place, end: str, followed: lo.Expr, among: lo.Expr, verb: str, place: int,
        dealt: lo.Expr = ZERO,
    ) -> None:  # fmt: skip
        """Move cards to a place. `dealt`: the number of cards of a deal given out before these."""
        tail = (followed, among, lo.Const(TEXT, verb))
        if to.each:
            piles = self.piles(to) if dealt == ZERO else self.next_piles(to, dealt)
            if self.holds_one(to):
                piles = self.kept(piles)
            self.emit(lo.Effect("deal", (cards, piles, *tail), place))
            if self.holds_one(to):
                pile = self.code.local(lo.NUMBER)
                self.emit(lo.ForEach(pile, piles, (lo.Effect("one_card", (pile,), place),)))
        else:
            pile_ = self.target(to)
            self.emit(lo.Effect("move", (cards, pile_, lo.Const(TEXT, end), *tail), place))
            self.one_card(to, pile_, place)

    def holds_one(self, to: g.Place) -> bool:
        return self.game.zones[to.zone].single

    def target(self, to: g.Place) -> lo.Expr:
        """Return the number of a target pile, evaluated before the cards move."""
        number = self.pile_number(to)
        return self.kept(number) if self.holds_one(to) else number

    def one_card(self, to: g.Place, pile: lo.Expr, place: int) -> None:
        """Check a zone that `holds 1` after cards have come to it."""
        if self.holds_one(to):
            self.emit(lo.Effect("one_card", (pile,), place))

    def piles(self, to: g.Place) -> lo.Expr:
        """Return the numbers of several players' piles."""
        base = self.layout.zone_base[to.zone]
        if to.of is None:
            raise AssertionError("players")
        if isinstance(to.of, g.Builtin) and self.layout.fixed_seats:
            return lo.Const(lo.list_of(lo.NUMBER), tuple(base + seat for seat in range(self.layout.players)))
        local = self.code.local(lo.SEAT)
        number = lo.Arith(lo.NUMBER, "+", lo.Const(lo.NUMBER, base), local)
        return lo.Loop(lo.list_of(lo.NUMBER), "list", (lo.For(local, self.code.items(to.of)),), number)

    def next_piles(self, to: g.Place, dealt: lo.Expr) -> lo.Expr:
        """Return the numbers of several players' piles, starting with the next one after `dealt` cards."""
        piles = self.kept(self.piles(to))
        count = lo.Count(lo.NUMBER, piles)
        turn, places = (
            self.code.local(lo.NUMBER),
            lo.Op(piles.kind, "range", (dealt, lo.Arith(lo.NUMBER, "+", dealt, count))),
        )
        pile = lo.Op(lo.NUMBER, "item_at", (piles, lo.Arith(lo.NUMBER, "%", turn, count)))
        return lo.Loop(piles.kind, "list", (lo.For(turn, places),), pile)

    def put(self, card: lo.Expr, to: g.Place, verb: str, place: int) -> None:
        """Put one chosen card into a pile. This is the fast path for public zones."""
        pile = self.target(to)
        self.emit(lo.Effect("put", (card, pile, lo.Const(TEXT, verb)), place))
        self.one_card(to, pile, place)

    def pile_number(self, to: g.Place) -> lo.Expr:
        base = lo.Const(lo.NUMBER, self.layout.zone_base[to.zone])
        if to.of is None:
            return base
        of = self.code.sure(to.of)
        if isinstance(of, lo.Const) and isinstance(of.value, int):
            return lo.Const(lo.NUMBER, self.layout.zone_base[to.zone] + of.value)
        return lo.Arith(lo.NUMBER, "+", base, of)

    # ------------------------------------------------------------ cards that enter
    def entered(self, to: g.Place, cards: lo.Expr, end: str) -> None:
        """Run the triggers of a zone for each card that entered it.

        A trigger that sets off others has its own function or frame. If cards go to an end of a pile, all players
        can tell which ones have just arrived."""
        seats = self.everybody if end in ("top", "under") else NO_SEATS
        for trigger in self.game.enters:
            if trigger.zone != to.zone:
                continue
            if trigger.you is None or to.of is None:
                self.enter(trigger, cards, None, seats)
            elif to.each:
                self.enter_each(trigger, cards, self.code.items(to.of))
            else:
                self.enter(trigger, cards, self.code.expr(to.of), seats)
            seats = NO_SEATS

    def enter_each(self, trigger: g.Enters, cards: lo.Expr, owners: lo.Expr) -> None:
        """Run a trigger for dealt cards, player by player, for each player's own cards."""
        turn, owner, place = self.code.local(lo.NUMBER), self.code.local(lo.SEAT), self.code.local(lo.NUMBER)
        own = lo.Op(cards.kind, "range", (turn, lo.Count(lo.NUMBER, cards), lo.Count(lo.NUMBER, owners)))
        card = lo.Op(lo.CARD, "item_at", (cards, place))
        self.emit(lo.Assign(turn, ZERO))
        with self.collected() as body:
            mine = self.copy(lo.Loop(cards.kind, "list", (lo.For(place, own),), card))
            self.emit(lo.Assign(turn, lo.Arith(lo.NUMBER, "+", turn, ONE)))
            self.enter(trigger, mine, owner, NO_SEATS)
        self.emit(lo.ForEach(owner, owners, tuple(body)))

    def sets_off(self, part: g.Stmt) -> bool:
        """Check whether a statement may set off the trigger of a zone, directly or in the code it runs."""
        moved = isinstance(part, g.Move | g.Pick) and part.to.zone in self.entered_zones
        return moved or isinstance(part, g.Do | g.DoBorne)

    def enter(self, trigger: g.Enters, cards: lo.Expr, owner: lo.Expr | None, seats: lo.Expr) -> None:
        """Run a trigger for cards that have come to one zone. `owner`: its owner; `seats`: the seats that can
        identify them."""
        items = g.Var(g.list_of(g.CARD), trigger.span, -100 - trigger.card.id, "entered")
        each = g.Each(trigger.span, items, trigger.card, None, None, False, trigger.body)
        if not any_part(trigger.body, self.sets_off):
            self.code.env[items.id], self.code.env[key_of(items, SEATS)] = cards, seats
            if trigger.you is not None and owner is not None:
                self.emit(lo.Assign(self.bind(trigger.you), owner))
            with self.names_within():
                self.statement(each)
            return
        params, args = [items], [cards]
        if self.is_carried(trigger.card):
            params.append(seats_of(items))
            args.append(seats)
        if trigger.you is not None and owner is not None:
            params.append(trigger.you)
            args.append(owner)
        self.hide_by(f"enters {trigger.zone}")
        number = str(self.game.enters.index(trigger))
        if self.suspending.may_stop(each):
            self.run(f"enters {number}", params, (each,), tuple(args), self.code.place(trigger.span))
        else:
            self.emit(lo.Do(self.function("enters", number, params, (each,), None), tuple(args)))

    # ------------------------------------------------------------ picking without a choice
    def settled_pick(self, stmt: g.Pick) -> None:
        """Lower a pick without a decision: a fixed number from the top or at random."""
        if stmt.low is None or stmt.position is None:
            raise AssertionError("a choice")
        if self.code.maybe(stmt.who):
            self.emit(lo.Assign(self.code.local(lo.SEAT), self.code.sure(stmt.who)))
        self.take(stmt, stmt.position, self.kept(self.code.expr(stmt.low)))

    def take(self, stmt: g.Pick, position: str, number: lo.Expr) -> None:
        """Move `number` cards of a pick in which only the number is chosen."""
        if self.refills.refill(stmt.source, stmt.to.zone):
            self.draw_all([(Draw(position, stmt.source), number)], stmt.to, "top", stmt.verb, stmt.span)
            return
        cards = self.copy(self.taken(position, stmt.source, number))
        self.carry(cards, stmt.to, "top", *self.drawers(stmt.to, position, stmt.source), stmt.verb, stmt.span)

    def taken(self, position: str, source: g.Expr, number: lo.Expr) -> lo.Expr:
        items = self.code.items(source)
        return lo.Op(items.kind, f"some_{position}", (items, number))

    # ------------------------------------------------------------ shuffling and showing
    def do_Shuffle(self, stmt: g.Shuffle) -> None:
        place = self.code.place(stmt.span)
        self.hide(None if stmt.zone.each else self.code.pile(stmt.zone.zone, stmt.zone.of))
        if stmt.zone.each:
            pile = self.code.local(lo.NUMBER)
            self.emit(lo.ForEach(pile, self.piles(stmt.zone), (lo.Effect("shuffle", (pile,), place),)))
        else:
            self.emit(lo.Effect("shuffle", (self.pile_number(stmt.zone),), place))
        self.triggers()

    def do_ShufflePlayers(self, stmt: g.ShufflePlayers) -> None:
        self.emit(lo.Effect("shuffle_players", (), self.code.place(stmt.span)))

    def do_Reveal(self, stmt: g.Reveal) -> None:
        to = self.code.sure(stmt.to) if stmt.to is not None else lo.Const(lo.SEAT, -1)
        self.emit(lo.Effect("reveal", (self.code.items(stmt.cards), to), self.code.place(stmt.span)))
        self.note_shown(stmt.cards, to if stmt.to is not None else None)

    # ------------------------------------------------------------ see Stepping
    def function(
        self, sort: str, name: str, params: Sequence[g.Var], body: Sequence[g.Stmt], step: g.Step | None
    ) -> str:
        raise NotImplementedError

    def run(
        self, name: str, params: Sequence[g.Var], body: Sequence[g.Stmt], args: tuple[lo.Expr, ...], place: int
    ) -> None:
        raise NotImplementedError
