"""Lower simultaneous choices: all players choose in secret, then the choices are carried out in seat order."""

from __future__ import annotations

from collections.abc import Callable

from cardlang import game as g
from cardlang.game.conflicts import can_conflict
from interpreter import lowered as lo
from interpreter.layout import Layout
from interpreter.lowered.kinds import ANSWERS, TEXT
from interpreter.lowering.asking import Asked, Asking, Choice, number
from interpreter.lowering.building import ONE
from interpreter.lowering.options import CODES, minus, plus
from interpreter.lowering.writer import TRUE, conjunction


class Together(Asking):
    """Lowering of simultaneous choices.

    `retested`: the `together` whose choices are being carried out, if one may invalidate another. Then each choice
    is tested again when its turn comes, and dropped if it is no longer possible."""

    def __init__(self, layout: Layout) -> None:
        super().__init__(layout)
        self.retested: g.Each | None = None

    def together(self, stmt: g.Each) -> None:
        """Lower the choices of all players, then the bodies in seat order. The choices stay secret until then."""
        choice = stmt.body[0]
        if not isinstance(choice, g.Pick | g.Choose | g.Menu):
            raise AssertionError("a choice")
        outer, self.passing = self.passing, None
        chosen, site = self.code.local(ANSWERS), -1
        var = self.code.local(lo.SEAT)

        def keep(asked: Asked) -> None:
            nonlocal site
            site = asked.site
            self.emit(lo.Assign(chosen, lo.Op(ANSWERS, "with_answer", (chosen, var, asked.answer))))

        self.told = None
        with self.collected() as asking:
            items = self.rotation(stmt.list, stmt.start)
            items = self.kept(items)
            self.fuel(self.code.place(stmt.span), stmt.body, lo.Count(lo.NUMBER, items))
            self.code.env[stmt.var.id] = var
            body = self.fitting(stmt, var, lambda: self.collect(choice, (), keep))
            self.emit(lo.ForEach(var, items, body))
        self.emit(lo.Mark(site, chosen))
        self.emit(lo.Assign(chosen, lo.Op(ANSWERS, "no_answers", ())))
        self.emit_all(tuple(asking))
        self.passing = outer
        self.retested = stmt if not self.game.legacy and can_conflict(self.game, stmt) else None
        self.together_bodies(choice, chosen, var, site)
        self.retested = None

    def together_bodies(self, choice: Choice, chosen: lo.Local, who: lo.Local, site: int) -> None:
        answer = self.code.local(lo.list_of(lo.NUMBER) if self.is_several(choice) else lo.NUMBER)
        asked = Asked(site, who, answer)
        if isinstance(choice, g.Choose):
            self.bind(choice.var)
        with self.collected() as body, self.names_within():
            self.emit(lo.Event("chose", self.code.place(choice.span), (who, number(site), answer)))
            self.unless_passed(choice, asked)
        self.emit(lo.Answers(chosen, who, answer, tuple(body)))

    # ------------------------------------------------------------ testing again
    def commit(self, stmt: Choice, asked: Asked) -> None:
        each = self.retested
        if each is None:
            super().commit(stmt, asked)
            return
        tests = [self.still_in(asked.who)]
        if each.condition is not None:
            tests.append(self.code.expr(each.condition))
        self.only_if(conjunction(tests), asked.who, stmt, lambda: self.commit_possible(stmt, asked))

    def commit_possible(self, stmt: Choice, asked: Asked) -> None:
        """Carry out a choice if the chosen items are still available."""

        def then() -> None:
            Asking.commit(self, stmt, asked)

        match stmt:
            case g.Pick(position=None):
                self.if_there(self.code.items(stmt.source), stmt, asked, then)
            case g.Choose():
                item = stmt.var.type.item or stmt.var.type if stmt.several else stmt.var.type
                items = self.domain(stmt.domain, item, asked.who, everything=True)
                self.if_there(items, stmt, asked, lambda: self.if_provided(stmt, asked, then))
            case _:
                then()  # the number of cards from the top is clipped; `enact` tests options one by one

    def if_there(self, items: lo.Expr, stmt: g.Pick | g.Choose, asked: Asked, then: Callable[[], None]) -> None:
        several = self.is_several(stmt)
        picks = asked.answer if several else lo.Items(CODES, (minus(asked.answer, ONE),))
        found, count = self.still_there(items, picks, asked.who), lo.Count(lo.NUMBER, asked.answer)
        tests: list[lo.Expr] = [lo.Compare(lo.FLAG, "=", lo.Count(lo.NUMBER, found), count if several else ONE)]
        if several and stmt.high is not None:
            tests.append(lo.Compare(lo.FLAG, "<=", count, self.code.expr(stmt.high)))

        def renewed() -> None:
            first = lo.Op(lo.NUMBER, "item_at", (found, number(0)))
            self.emit(lo.Assign(asked.answer, found if several else plus(first, ONE)))
            then()

        self.only_if(conjunction(tests), asked.who, stmt, renewed)

    def if_provided(self, stmt: g.Choose, asked: Asked, then: Callable[[], None]) -> None:
        if stmt.provided is None:
            then()
            return
        value = asked.answer if stmt.several else minus(asked.answer, ONE)
        var = self.bound_variable(stmt)
        self.emit(lo.Assign(var, value))
        self.only_if(self.code.expr(stmt.provided), asked.who, stmt, then)

    def enact(self, option: g.Option, who: lo.Expr, place: int = 0) -> None:
        """Test the bindings from `place` on, then the conditions and costs; then take the option."""
        if self.retested is None:
            super().enact(option, who)
        elif place < len(option.binders):
            var, domain = option.binders[place]
            local = self.code.env[var.id]
            if not isinstance(local, lo.Local):
                raise AssertionError("a variable")
            found = self.still_there(
                self.domain(domain, var.type, who, everything=True), lo.Items(CODES, (local,)), who
            )

            def on() -> None:
                self.emit(lo.Assign(local, lo.Op(local.kind, "item_at", (found, number(0)))))
                self.enact(option, who, place + 1)

            self.only_if(found, who, option, on)
        else:
            conditions = conjunction([condition for _, condition in self.conditions(option, who)])
            self.only_if(conditions, who, option, lambda: Asking.enact(self, option, who))

    def still_there(self, items: lo.Expr, picks: lo.Expr, who: lo.Expr) -> lo.Local:
        """Return the picks that are still among the items. Another copy replaces a missing card."""
        found = self.code.local(CODES)
        cards = items.kind.item == lo.CARD
        item = self.code.local(lo.NUMBER)
        value: lo.Expr = lo.Op(CODES, "still_there", (items, picks, who))
        if not cards:
            held = self.kept(items)
            value = lo.Loop(CODES, "list", (lo.For(item, picks), lo.Test(lo.IsIn(lo.FLAG, item, held))), item)
        self.emit(lo.Assign(found, value))
        return found

    def only_if(self, condition: lo.Expr, who: lo.Expr, part: Choice | g.Option, then: Callable[[], None]) -> None:
        """Run `then` if the condition holds; otherwise report that the choice is no longer possible."""
        if condition == TRUE:
            then()
            return
        with self.where(condition, (self.lapsed("choice", who, self.code.place(part.span)),)):
            then()

    def lapsed(self, what: str, who: lo.Expr, place: int) -> lo.Stmt:
        """Report that a choice or an announcement of a player is no longer possible."""
        return lo.Event("lapsed", place, (lo.Const(TEXT, what), who))
