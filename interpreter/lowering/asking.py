"""Lower decisions: the current player, the codes of legal moves, and the effect of the chosen move.

Each decision has a function that lists the codes, and a `Wait` for the chosen code."""

from __future__ import annotations

from collections.abc import Callable

from attrs import frozen

from cardlang import game as g
from cardlang.game.walking import free_vars
from interpreter import lowered as lo
from interpreter.layout import Layout
from interpreter.lowered.walking import assigned, free_in
from interpreter.lowering.building import ONE, ZERO, Statements
from interpreter.lowering.fulfilling import fulfils
from interpreter.lowering.knowers import ANY
from interpreter.lowering.options import CODES, Options, minus, plus
from interpreter.lowering.public import Public, positive
from interpreter.lowering.writer import FALSE, TRUE
from interpreter.state import Site

Choice = g.Pick | g.Choose | g.Menu


@frozen
class Asked:
    """Decision in progress: its site, the current player, and the local that holds the move (a code or picks)."""

    site: int
    who: lo.Expr
    answer: lo.Local


class Asking(Options):
    def __init__(self, layout: Layout) -> None:
        super().__init__(layout)
        self.public = Public(self.code)
        self.told: int | None = None
        """Place of the decision being lowered, if its moves become visible immediately."""

    # ------------------------------------------------------------ sites
    def site(self, kind: str, stmt: g.Stmt | None, options: tuple[g.Option, ...]) -> int:
        radices = tuple(self.radices(option) for option in options)
        site = Site(len(self.sites), kind, stmt, options, radices)
        self.sites.append(site)
        needed = self.needed(stmt, options)
        known = {var: value for var, value in self.code.env.items() if var in needed}
        self.scopes.append(known)
        self.wanted |= free_in(known.values())
        return site.number

    def needed(self, stmt: g.Stmt | None, options: tuple[g.Option, ...]) -> set[int]:
        """Return the variables that explanations of a decision may read."""
        return free_vars_of((stmt, *options) if stmt is not None else options)

    def lister(self, site: int, who: lo.Local, body: Statements) -> str:
        """Add the function that lists the legal moves of a site, and return its name."""
        name = self.code.named("L", str(site))
        self.functions[name] = lo.Function(name, (who,), body, CODES, site=site)
        self.wanted |= free_in(body) - {who.number} - assigned(body)
        return name

    def ask(self, site: int, who: lo.Expr, legal: lo.Expr, skip: Statements, then: Callable[[Asked], None]) -> None:
        """Wait for a move of `who`, then continue with `then`. If no move is legal, run `skip`."""
        self.wait(site, who, legal, skip, then, None, lo.NUMBER)

    def wait(
        self, site: int, who: lo.Expr, legal: lo.Expr, skip: Statements, then: Callable[[Asked], None],
        most: lo.Local | None, kind: lo.Kind,
    ) -> None:  # fmt: skip
        codes, answer, told = self.code.local(CODES), self.code.local(kind), self.told
        self.emit(lo.Assign(codes, legal))
        if told is not None and self.code.covering:
            self.emit(lo.Do("moves_open", (lo.Const(lo.NUMBER, told), lo.Count(lo.NUMBER, codes))))
        with self.where(codes, skip):
            self.emit(lo.Wait(site, who, codes, answer, most, told))
            then(Asked(site, lo.Op(lo.SEAT, "asked", ()), answer))

    def skipped(self, may: bool) -> Statements:
        """Return the statements for a skipped decision. If passing is allowed, skipping counts as a pass."""
        passing = self.passing if may else None
        if passing is None:
            return ()
        if passing.flag is not None:
            return (lo.Assign(passing.flag, ONE),)
        there = lo.Compare(lo.FLAG, ">=", passing.depth, ZERO)
        return (lo.If(there, (lo.SetLink(passing.depth, passing.base, 0, ONE),)),)

    # ------------------------------------------------------------ one decision
    def do_Pick(self, stmt: g.Pick) -> None:
        if stmt.position is None or not self.refills.refill(stmt.source, stmt.to.zone):
            self.count_cards(stmt.span, stmt.low, stmt.source)
        if stmt.settled:
            self.settled_pick(stmt)
        else:
            self.alone(stmt)

    def do_Choose(self, stmt: g.Choose) -> None:
        self.alone(stmt)

    def do_Menu(self, stmt: g.Menu) -> None:
        self.alone(stmt)

    def alone(self, stmt: Choice) -> None:
        """Lower a decision of one player whose move is carried out immediately."""
        if isinstance(stmt, g.Choose):  # without a choice, later statements find an absent value
            var = self.bind(stmt.var)
            self.emit(lo.Assign(var, self.code.absent(var.kind)))
            if self.is_carried(stmt.var):
                self.note(stmt.var, self.everybody, ANY)

        def then(asked: Asked) -> None:
            self.unless_passed(stmt, asked)

        self.told = self.code.place(stmt.span)
        self.collect(stmt, self.skipped(stmt.may), then)

    def unless_passed(self, stmt: Choice, asked: Asked) -> None:
        if not stmt.may:
            self.commit(stmt, asked)
            return
        taken = asked.answer if self.is_several(stmt) else lo.Compare(lo.FLAG, "!=", asked.answer, ZERO)
        skip = self.skipped(stmt.may)
        with self.where(taken, skip):
            self.commit(stmt, asked)

    def collect(self, stmt: Choice, skip: Statements, then: Callable[[Asked], None]) -> None:
        """List the legal moves and wait for one. Eliminated players are skipped."""
        who = self.kept(self.code.sure(stmt.who))
        if not self.layout.eliminates:
            self.collect_of(stmt, who, skip, then)
            return
        with self.where(self.still_in(who), skip):
            self.collect_of(stmt, who, skip, then)

    def collect_of(self, stmt: Choice, who: lo.Expr, skip: Statements, then: Callable[[Asked], None]) -> None:
        asked = self.code.local(lo.SEAT)
        if isinstance(stmt, g.Menu):
            site = self.site("menu", stmt, stmt.options)
            legal = self.lister(site, asked, self.legal(stmt.options, asked, stmt.may))
        elif self.is_several(stmt):
            self.collect_several(stmt, who, skip, then)
            return
        else:
            by_number = isinstance(stmt, g.Pick) and stmt.position is not None
            kind = "number" if by_number else "pick" if isinstance(stmt, g.Pick) else "choose"
            site = self.site(kind, stmt, ())
            legal = self.lister(site, asked, self.single_legal(stmt, asked))
        self.ask(site, who, lo.Calling(CODES, legal, (who,)), skip, then)

    def single_legal(self, stmt: g.Pick | g.Choose, who: lo.Expr) -> Statements:
        if isinstance(stmt, g.Pick):
            if stmt.position is not None:
                return self.number_legal(stmt)
            items = self.distinct(self.once(self.code.opened(stmt.source), stmt.source), stmt.source.type, who)
            card = self.code.local(lo.CARD)
            return self.with_pass(stmt, lo.Loop(CODES, "list", (lo.For(card, items),), plus(card, ONE)))
        value = self.code.local(self.code.kind(stmt.var.type))
        domain = self.domain(stmt.domain, stmt.var.type, who)
        clauses: tuple[lo.For | lo.Test, ...] = (lo.For(value, domain),)
        if stmt.provided is not None:
            with self.code.bound(stmt.var, value):
                clauses = (*clauses, lo.Test(self.code.expr(stmt.provided)))
        return self.with_pass(stmt, lo.Loop(CODES, "list", clauses, plus(value, ONE)))

    def with_pass(self, stmt: g.Pick | g.Choose, codes: lo.Expr) -> Statements:
        """Add the pass to the legal moves of an optional decision.

        If no other move is legal, the pass is offered only if the other players cannot know that."""
        if not stmt.may:
            return (lo.Return(codes),)
        legal = self.code.local(CODES)
        passed = lo.Items(CODES, (lo.Spread(CODES, legal), ZERO))
        possible = self.public.may_choose(stmt)
        if possible == TRUE:
            return (lo.Assign(legal, codes), lo.Return(passed))
        there = legal if possible == FALSE else lo.Logic(lo.FLAG, "or", (legal, possible))
        return (lo.Assign(legal, codes), lo.If(there, (lo.Return(passed),)), lo.Return(legal))

    def number_legal(self, stmt: g.Pick) -> Statements:
        with self.collected() as body:
            there = self.kept(self.available(stmt))
            low, high = self.clipped(stmt, there)
            run = lo.Op(CODES, "copied", (lo.Op(CODES, "range", (plus(low, ONE), plus(high, number(2)))),))
            self.emit_all(self.with_pass(stmt, lo.Either(CODES, positive(high), run, lo.Items(CODES, ()))))
        return tuple(body)

    def available(self, stmt: g.Pick) -> lo.Expr:
        """Return the maximum number of cards of a draw: the pile itself, plus cards from refill triggers."""
        there = lo.Count(lo.NUMBER, self.code.items(stmt.source))
        if not self.refills.refill(stmt.source, stmt.to.zone):
            return there
        brought = self.refills.brought(stmt.source, stmt.to.zone)
        most: lo.Expr = there if brought is not None else lo.Const(lo.NUMBER, self.layout.cards)
        for cards in brought or ():
            most = lo.Arith(lo.NUMBER, "+", most, lo.Count(lo.NUMBER, self.code.items(cards)))
        return lo.Either(lo.NUMBER, positive(there), most, ZERO)

    def clipped(self, stmt: g.Pick | g.Choose, there: lo.Expr) -> tuple[lo.Expr, lo.Expr]:
        """Return the lower and upper bound of a choice, limited to the number of items available."""
        high = there
        if stmt.high is not None:
            high = self.kept(lo.Op(lo.NUMBER, "least_of", (self.code.expr(stmt.high), there)))
        low = self.code.expr(stmt.low) if stmt.low is not None else ZERO
        low = lo.Op(lo.NUMBER, "least_of", (lo.Op(lo.NUMBER, "most_of", (low, ZERO)), high))
        return self.kept(low), self.kept(high)

    def distinct(self, items: lo.Expr, type_: g.Type, who: lo.Expr) -> lo.Expr:
        """Keep one card of each group that neither the rules nor any player can tell apart. It makes one move."""
        is_cards = type_.tag == "card" or (type_.item is not None and type_.item.tag == "card")
        return lo.Op(items.kind, "distinct", (items, who)) if is_cards and self.layout.copies else items

    # ------------------------------------------------------------ several
    def is_several(self, stmt: Choice) -> bool:
        if isinstance(stmt, g.Pick):
            one = isinstance(stmt.low, g.Const) and stmt.low.value == 1 and stmt.low == stmt.high
            return stmt.position is None and not one
        return isinstance(stmt, g.Choose) and stmt.several

    def collect_several(
        self, stmt: g.Pick | g.Choose, who: lo.Expr, skip: Statements, then: Callable[[Asked], None]
    ) -> None:
        """Lower a choice of several items. The candidates and bounds are stored while the picks are made one by one."""
        site = self.site("pick" if isinstance(stmt, g.Pick) else "several", stmt, ())
        source, tests = self.candidates(stmt, who)
        item = source.kind.item or lo.NUMBER
        candidates = self.code.local(source.kind)
        operation = ("in_order", (source, who)) if item.tag == "card" else ("ascending", (source,))
        self.emit(lo.Assign(candidates, lo.Op(source.kind, *operation)))
        low, high = self.clipped(stmt, lo.Count(lo.NUMBER, candidates))
        low, most = self.held(low), self.held(high)
        self.emit(lo.Effect("begin_picks", (), None))

        def ask() -> None:
            asked = self.code.local(lo.SEAT)
            flags = (lo.Const(lo.FLAG, int(stmt.may)), lo.Const(lo.FLAG, int(self.layout.copies)))
            more = lo.Op(CODES, "more_picks", (candidates, low, most, asked, *flags, *tests))
            legal = self.lister(site, asked, (lo.Return(more),))
            self.wait(site, who, lo.Calling(CODES, legal, (who,)), skip, then, most, source.kind)

        possible = self.public.may_choose(stmt) if stmt.may else FALSE
        if possible != FALSE:
            nothing = lo.Assign(candidates, lo.Items(source.kind, ()))
            with self.where(lo.Not(lo.FLAG, positive(most))):
                self.emit(nothing)
        if possible == TRUE:
            ask()
            return
        asks = positive(most) if possible == FALSE else lo.Logic(lo.FLAG, "or", (positive(most), possible))
        with self.where(asks, skip):
            ask()

    def held(self, value: lo.Expr) -> lo.Local:
        """Store a value in its own local, unless it is one."""
        if isinstance(value, lo.Local):
            return value
        local = self.code.local(value.kind)
        self.emit(lo.Assign(local, value))
        return local

    def candidates(self, stmt: g.Pick | g.Choose, who: lo.Expr) -> tuple[lo.Expr, tuple[lo.TestOf, ...]]:
        """Return the candidates of a choice, and the test of the whole choice, if any."""
        if isinstance(stmt, g.Pick):
            return self.once(self.code.items(stmt.source), stmt.source), ()
        item = stmt.var.type.item or stmt.var.type
        source = self.domain(stmt.domain, item, who, everything=True)
        if stmt.provided is None:
            return source, ()
        test = fulfils(self.code, stmt, source.kind.item or lo.NUMBER)
        low = self.code.expr(stmt.low) if stmt.low is not None else ZERO
        high = self.code.expr(stmt.high) if stmt.high is not None else lo.Const(lo.Kind("nothing"), None)
        return lo.Op(source.kind, "fulfilling", (source, low, high, test)), (test,)

    # ------------------------------------------------------------ effect of the move
    def commit(self, stmt: Choice, asked: Asked) -> None:
        if isinstance(stmt, g.Pick):
            self.commit_pick(stmt, asked)
        elif isinstance(stmt, g.Choose):
            var = self.bound_variable(stmt)
            value = asked.answer if stmt.several else minus(asked.answer, ONE)
            self.emit(lo.Assign(var, value))
            self.note_choice(stmt.var, stmt.domain, asked.who)
            self.sequence(stmt.body)
        else:
            self.carry_out(stmt.options, asked.answer, asked.who)

    def bound_variable(self, stmt: g.Choose) -> lo.Local:
        known = self.code.env.get(stmt.var.id)
        return known if isinstance(known, lo.Local) else self.bind(stmt.var)

    def commit_pick(self, stmt: g.Pick, asked: Asked) -> None:
        value = minus(asked.answer, ONE)
        if stmt.position is not None:
            self.take(stmt, stmt.position, self.kept(value))
        elif self.is_several(stmt) or not self.is_put(stmt.to):
            picked = asked.answer if self.is_several(stmt) else lo.Items(lo.list_of(lo.CARD), (value,))
            cards = self.copy(picked) if self.is_several(stmt) else picked
            followed, among = self.pickers(stmt.to, asked.who, stmt.source)
            self.carry(cards, stmt.to, "top", followed, among, stmt.verb, stmt.span)
        else:
            self.put(value, stmt.to, stmt.verb, self.code.place(stmt.span))
            self.triggers()

    def is_put(self, to: g.Place) -> bool:
        """Check whether cards can be put into a zone directly: its cards are public, and nothing happens on entry."""
        return self.names.is_open_zone(to) and not self.layout.marks and to.zone not in self.entered_zones

    # ------------------------------------------------------------ offers
    def do_Offer(self, stmt: g.Offer) -> None:
        """Offer options to each player in turn. The first player to take one ends the offer."""
        label = f"offer {len(self.sites)}"
        place = self.code.place(stmt.span)
        each = g.Each(stmt.span, stmt.list, stmt.var, stmt.start, stmt.condition, False, ())

        def then(asked: Asked) -> None:
            with self.where(lo.Compare(lo.FLAG, "!=", asked.answer, ZERO)):
                self.carry_out(stmt.options, asked.answer, asked.who)
                self.emit(lo.Leave(label))

        def ask() -> None:
            asked = self.code.local(lo.SEAT)
            site = self.site("offer", stmt, stmt.options)
            legal = self.lister(site, asked, self.legal(stmt.options, asked, may=True))
            self.told = place
            self.ask(site, var, lo.Calling(CODES, legal, (var,)), (), then)

        with self.collected() as scope:
            var, items = self.gone_round(each, True)
            self.emit(lo.ForEach(var, items, self.fitting(each, var, ask)))
            self.emit_all(self.skipped(True))
            self.sequence(stmt.otherwise)
        self.emit(lo.Scope(label, tuple(scope)))


def number(value: int) -> lo.Const:
    return lo.Const(lo.NUMBER, value)


def free_vars_of(parts: tuple[object, ...]) -> set[int]:
    return set[int]().union(*(free_vars(part) for part in parts))
