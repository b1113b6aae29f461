"""Lower announcements and their reaction windows."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from attrs import frozen

from cardlang import game as g
from interpreter import lowered as lo
from interpreter.layout import about_cards
from interpreter.lowering.asking import Asked
from interpreter.lowering.building import ONE, ZERO
from interpreter.lowering.links import ANSWERED, CANCELLED, SHARED, TARGET
from interpreter.lowering.options import CODES, chosen, plus
from interpreter.lowering.single import LINK_BASE, LINK_DEPTH
from interpreter.lowering.together import Together
from interpreter.lowering.writer import conjunction

NONE = lo.Const(lo.NUMBER, -1)


@frozen
class Aim:
    """Target of an announcement about cards.

    there: a test for whether any of the cards are still in the piles where they were announced.
    cards: the cards that are still there."""

    there: lo.Expr
    cards: lo.Expr


class Announcing(Together):
    """Lowering of announcements and the reactions to them."""

    def do_Announce(self, stmt: g.Announce) -> None:
        """Lower an announcement: link, reaction window, body.

        The link is stored in this frame. All other players may react. If the announcement is cancelled, `otherwise`
        runs instead of the body."""
        link = self.new_link(stmt)
        event = (lo.Const(lo.Kind("text"), stmt.name), link[0])
        self.emit(lo.Event("announced", self.code.place(stmt.span), event))
        self.mark_answered()
        self.hide_before(stmt)
        reactions = [reaction for reaction in self.game.reactions if stmt.name in reaction.to]
        aim = self.aim(stmt, link) if reactions and not self.game.legacy else None
        if reactions:
            self.window(stmt, reactions, link, aim)
        if aim is not None:
            self.cancel_if_gone(stmt, link, aim)
        with self.where(lo.Not(lo.FLAG, link[CANCELLED]), self.block(stmt.otherwise)):
            self.body_of(stmt, aim)

    def aim(self, stmt: g.Announce, link: tuple[lo.Local, ...]) -> Aim | None:
        """Record the piles of the cards that an announcement is about. Return None if it is about no card."""
        if stmt.target is None or not about_cards(stmt.target.type):
            return None
        target = link[TARGET]
        if target.kind == lo.CARD:
            return Aim(lo.Compare(lo.FLAG, "=", pile_of(target), self.kept(pile_of(target))), target)
        card = self.code.local(lo.CARD)
        piles = self.kept(lo.Loop(lo.list_of(lo.NUMBER), "list", (lo.For(card, target),), pile_of(card)))
        clauses = (lo.For(card, target), lo.Test(lo.IsIn(lo.FLAG, pile_of(card), piles)))
        left = lo.Loop(target.kind, "list", clauses, card)
        gone = conjunction([target, lo.Not(lo.FLAG, left)])
        return Aim(lo.Not(lo.FLAG, gone), left)

    def cancel_if_gone(self, stmt: g.Announce, link: tuple[lo.Local, ...], aim: Aim) -> None:
        """Cancel an announcement if a reaction has moved its target."""
        with self.where(conjunction([lo.Not(lo.FLAG, link[CANCELLED]), lo.Not(lo.FLAG, aim.there)])):
            self.emit(lo.Assign(link[CANCELLED], ONE))
            self.emit(self.lapsed(stmt.name, link[0], self.code.place(stmt.span)))

    def body_of(self, stmt: g.Announce, aim: Aim | None) -> None:
        """Lower the body of an announcement. If its target is a variable, bind it to the cards still in place."""
        if aim is None or not isinstance(stmt.target, g.Var):
            self.sequence(stmt.body)
            return
        with self.code.bound(stmt.target, self.kept(aim.cards)):
            self.sequence(stmt.body)

    def new_link(self, stmt: g.Announce) -> tuple[lo.Local, ...]:
        names = self.layout.shared_names
        shared = {name: self.code.expr(value) for name, value in stmt.shared}
        target = self.code.expr(stmt.target) if stmt.target is not None else NONE
        values = [self.code.sure(stmt.actor), target, ZERO, ZERO, *(shared.get(name, NONE) for name in names)]
        assert len(values) == SHARED + len(names)
        link = tuple(self.code.local(value.kind) for value in values)
        self.links.append(link)
        self.wanted |= {local.number for local in link}
        for local, value in zip(link, values, strict=True):
            self.emit(lo.Assign(local, value))
        return link

    def mark_answered(self) -> None:
        """Mark the enclosing announcement as answered by another announcement. Only old record formats need it."""
        env = self.code.env
        if self.game.legacy and LINK_DEPTH in env:
            self.emit(lo.SetLink(env[LINK_DEPTH], env[LINK_BASE], ANSWERED, ONE))

    def window(
        self, stmt: g.Announce, reactions: list[g.Reaction], link: tuple[lo.Local, ...], aim: Aim | None
    ) -> None:
        """Lower the reaction window of an announcement.

        Players other than the actor act in turn. The window closes when all have passed in a row, the announcement
        is cancelled or its target is gone. Players who cannot react, judging by public knowledge, are skipped."""
        who, place, end = self.code.local(lo.SEAT), self.code.local(lo.NUMBER), self.code.local(lo.NUMBER)
        options = tuple(reaction.option for reaction in reactions)

        def then(asked: Asked) -> None:
            with self.where(lo.Compare(lo.FLAG, "!=", asked.answer, ZERO)):
                self.react(reactions, link, asked)
                if not self.game.legacy:
                    self.emit(lo.Assign(end, lo.Arith(lo.NUMBER, "+", place, count)))

        def ask() -> None:
            asked = self.code.local(lo.SEAT)
            with self.answering(reactions, link, asked):
                legal = self.legal(options, asked, may=True)
            with self.answering(reactions, link, who):
                site = self.site("react", stmt, options)
            lister = self.lister(site, asked, legal)
            self.told = self.code.place(stmt.span)
            self.ask(site, who, lo.Calling(CODES, lister, (who,)), (), then)

        everyone = self.kept(lo.Op(lo.list_of(lo.SEAT), "others_of", (link[0],)))
        count = lo.Count(lo.NUMBER, everyone)
        self.emit(lo.Assign(place, ZERO))
        self.emit(lo.Assign(end, count))
        with self.collected() as body:
            self.emit(lo.Effect("few_asked", (place,), self.code.place(stmt.span)))
            turn = lo.Arith(lo.NUMBER, "%", place, count)
            self.emit(lo.Assign(who, lo.Op(lo.SEAT, "item_at", (everyone, turn))))
            self.emit(lo.Assign(place, plus(place, ONE)))
            with self.answering(reactions, link, who):
                may = self.public.may_react(reactions)
            with self.where(conjunction([self.still_in(who), may])):
                ask()
        left = lo.Compare(lo.FLAG, "<", place, end)
        going = [left, self.is_open(link), *([aim.there] if aim is not None else [])]
        self.emit(lo.While(conjunction(going), tuple(body)))

    def is_open(self, link: tuple[lo.Local, ...]) -> lo.Expr:
        """Return the test that an announcement still accepts reactions. In old record formats, an announced reaction
        closes it."""
        closed: lo.Expr = link[CANCELLED]
        if self.game.legacy:
            closed = lo.Logic(lo.FLAG, "or", (closed, link[ANSWERED]))
        return lo.Not(lo.FLAG, closed)

    @contextmanager
    def answering(self, reactions: list[g.Reaction], link: tuple[lo.Local, ...], who: lo.Expr) -> Iterator[None]:
        """Bind the variables of reactions while `who` decides."""
        saved = dict(self.code.env)
        self.code.env.update({reaction.you.id: who for reaction in reactions})
        self.code.env[LINK_DEPTH] = lo.Op(lo.NUMBER, "depth", ())
        self.code.env[LINK_BASE] = lo.SlotOf(lo.NUMBER, link[0])
        yield
        self.code.env = saved

    def needed(self, stmt: g.Stmt | None, options: tuple[g.Option, ...]) -> set[int]:
        return super().needed(stmt, options) | {LINK_DEPTH, LINK_BASE}

    def react(self, reactions: list[g.Reaction], link: tuple[lo.Local, ...], asked: Asked) -> None:
        """Run the chosen reaction in its own frame. Its costs are paid first."""
        option, rest = self.taken_option(len(reactions), asked.answer)
        depth, base = lo.Op(lo.NUMBER, "depth", ()), lo.SlotOf(lo.NUMBER, link[0])
        bodies = []
        for reaction in reactions:
            args = (asked.who, depth, base, *self.unpacked(reaction.option, rest))
            place = self.code.place(reaction.option.span)
            bodies.append((lo.Run(self.reaction_routine(reaction), args, place),))
        self.emit_all(chosen(option, bodies))

    def reaction_routine(self, reaction: g.Reaction) -> str:
        name = f"reaction {reaction.name}"
        depth = g.Var(g.NUMBER, reaction.option.span, LINK_DEPTH, "depth")
        base = g.Var(g.NUMBER, reaction.option.span, LINK_BASE, "base")
        binders = tuple(var for var, _ in reaction.option.binders)
        self.routine(name, (reaction.you, depth, base, *binders), lambda: self.reaction_body(reaction))
        return name

    def reaction_body(self, reaction: g.Reaction) -> None:
        self.here = reaction.name
        for var, domain in reaction.option.binders:
            self.note_choice(var, domain, self.code.env[reaction.you.id])
        self.pay(reaction.option, self.code.env[reaction.you.id])
        self.come_to(reaction.option.span)
        self.sequence(reaction.option.body)


def pile_of(card: lo.Expr) -> lo.Expr:
    """Return the number of the pile that holds a card; absent for no card."""
    return lo.Op(lo.NUMBER, "pile_of", (card,))
