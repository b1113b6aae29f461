"""Lowering of announcements and their reaction windows."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from attrs import frozen

from cardlang import model as g
from cardlang.model.types import is_card_type
from interpreter import ir
from interpreter.lower.decisions import PendingDecision
from interpreter.lower.expression_base import LINK_ANSWERED, LINK_CANCELLED, LINK_SHARED, LINK_TARGET, build_conjunction
from interpreter.lower.option_codes import CODE_LIST, build_plus, select_body
from interpreter.lower.scalar_expressions import LINK_BASE, LINK_DEPTH
from interpreter.lower.simultaneous_choices import SimultaneousChoiceLowerer

NO_VALUE = ir.Const(ir.NUMBER, -1)


LinkVariables = tuple[ir.Local, ...]
"""Variables of an announcement link: actor, target, cancelled, answered, then the shared values."""


@frozen
class AnnouncementTarget:
    """Target of an announcement about cards.

    presence_test: a test for whether any of the cards are still in the piles where they were announced.
    remaining_cards: the cards that are still there."""

    presence_test: ir.Expr
    remaining_cards: ir.Expr


class AnnouncementLowerer(SimultaneousChoiceLowerer):
    """Lowering of announcements and the reactions to them."""

    def lower_Announce(self, stmt: g.Announce) -> None:
        """Lower an announcement: link, reaction window, body.

        The link is stored in this frame. All other players may react. If the announcement is cancelled, `otherwise`
        runs instead of the body."""
        link = self.create_link(stmt)
        event = (ir.Const(ir.Kind("text"), stmt.name), link[0])
        self.emit(ir.Event("announced", self.expression_lowerer.number_rule_span(stmt.span), event))
        self.mark_answered()
        self.narrow_before_statement(stmt)
        reactions = [reaction for reaction in self.game.reactions if stmt.name in reaction.to]
        aim = self.lower_target(stmt, link) if reactions and not self.game.legacy else None
        if reactions:
            self.lower_reaction_window(stmt, reactions, link, aim)
        if aim is not None:
            self.cancel_if_gone(stmt, link, aim)
        with self.emit_if(ir.Not(ir.FLAG, link[LINK_CANCELLED]), self.lower_nested_body(stmt.otherwise)):
            self.lower_announcement_body(stmt, aim)

    def lower_target(self, stmt: g.Announce, link: LinkVariables) -> AnnouncementTarget | None:
        """Record the piles of the cards that an announcement is about. Return None if it is about no card."""
        if stmt.target is None or not is_card_type(stmt.target.type):
            return None
        target = link[LINK_TARGET]
        if target.kind == ir.CARD:
            return AnnouncementTarget(
                ir.Compare(ir.FLAG, "=", build_pile_of(target), self.store_in_local(build_pile_of(target))), target
            )
        card = self.expression_lowerer.create_local(ir.CARD)
        piles = self.store_in_local(
            ir.Loop(ir.build_list_kind(ir.NUMBER), "list", (ir.For(card, target),), build_pile_of(card))
        )
        clauses = (ir.For(card, target), ir.Test(ir.IsIn(ir.FLAG, build_pile_of(card), piles)))
        left = ir.Loop(target.kind, "list", clauses, card)
        gone = build_conjunction([target, ir.Not(ir.FLAG, left)])
        return AnnouncementTarget(ir.Not(ir.FLAG, gone), left)

    def cancel_if_gone(self, stmt: g.Announce, link: LinkVariables, target: AnnouncementTarget) -> None:
        """Cancel an announcement if a reaction has moved its target."""
        with self.emit_if(
            build_conjunction([ir.Not(ir.FLAG, link[LINK_CANCELLED]), ir.Not(ir.FLAG, target.presence_test)])
        ):
            self.emit(ir.Assign(link[LINK_CANCELLED], ir.ONE))
            self.emit(self.build_lapse_event(stmt.name, link[0], self.expression_lowerer.number_rule_span(stmt.span)))

    def lower_announcement_body(self, stmt: g.Announce, target: AnnouncementTarget | None) -> None:
        """Lower the body of an announcement. If its target is a variable, bind it to the cards still in place."""
        if target is None or not isinstance(stmt.target, g.Var):
            self.lower_body(stmt.body)
            return
        with self.expression_lowerer.bind_temporarily(stmt.target, self.store_in_local(target.remaining_cards)):
            self.lower_body(stmt.body)

    def create_link(self, stmt: g.Announce) -> tuple[ir.Local, ...]:
        names = self.layout.shared_names
        shared = {name: self.expression_lowerer.lower_expression(value) for name, value in stmt.shared}
        target = self.expression_lowerer.lower_expression(stmt.target) if stmt.target is not None else NO_VALUE
        values = [
            self.expression_lowerer.lower_present_value(stmt.actor),
            target,
            ir.ZERO,
            ir.ZERO,
            *(shared.get(name, NO_VALUE) for name in names),
        ]
        assert len(values) == LINK_SHARED + len(names)
        link = tuple(self.expression_lowerer.create_local(value.kind) for value in values)
        self.links.append(link)
        self.frame_variables |= {local.number for local in link}
        for local, value in zip(link, values, strict=True):
            self.emit(ir.Assign(local, value))
        return link

    def mark_answered(self) -> None:
        """Mark the enclosing announcement as answered by another announcement. Only old record formats need it."""
        env = self.expression_lowerer.env
        if self.game.legacy and LINK_DEPTH in env:
            self.emit(ir.SetLink(env[LINK_DEPTH], env[LINK_BASE], LINK_ANSWERED, ir.ONE))

    def lower_reaction_window(
        self, stmt: g.Announce, reactions: list[g.Reaction], link: LinkVariables, target: AnnouncementTarget | None
    ) -> None:
        """Lower the reaction window of an announcement.

        Players other than the actor act in turn. The window closes when all have passed in a row, the announcement
        is cancelled or its target is gone. Players who cannot react, judging by public knowledge, are skipped."""
        create_local = self.expression_lowerer.create_local
        who, place, end = create_local(ir.SEAT), create_local(ir.NUMBER), create_local(ir.NUMBER)
        options = tuple(reaction.option for reaction in reactions)

        def handle_reaction(decision: PendingDecision) -> None:
            with self.emit_if(ir.Compare(ir.FLAG, "!=", decision.choice, ir.ZERO)):
                self.run_chosen_reaction(reactions, link, decision)
                if not self.game.legacy:
                    self.emit(ir.Assign(end, ir.Arith(ir.NUMBER, "+", place, count)))

        def emit_reaction_decision() -> None:
            asked = create_local(ir.SEAT)
            with self.bind_reaction_variables(reactions, link, asked):
                legal = self.lower_option_listing(options, asked, may_pass=True)
            with self.bind_reaction_variables(reactions, link, who):
                site = self.add_site("react", stmt, options)
            lister = self.add_move_lister(site, asked, legal)
            self.reported_place = self.expression_lowerer.number_rule_span(stmt.span)
            self.emit_decision(site, who, ir.Calling(CODE_LIST, lister, (who,)), (), handle_reaction)

        everyone = self.store_in_local(ir.Op(ir.build_list_kind(ir.SEAT), "others_of", (link[0],)))
        count = ir.Count(ir.NUMBER, everyone)
        self.emit(ir.Assign(place, ir.ZERO))
        self.emit(ir.Assign(end, count))
        with self.collect_emitted() as body:
            self.emit(ir.Effect("few_asked", (place,), self.expression_lowerer.number_rule_span(stmt.span)))
            turn = ir.Arith(ir.NUMBER, "%", place, count)
            self.emit(ir.Assign(who, ir.Op(ir.SEAT, "item_at", (everyone, turn))))
            self.emit(ir.Assign(place, build_plus(place, ir.ONE)))
            with self.bind_reaction_variables(reactions, link, who):
                may = self.eligibility.build_reaction_test(reactions)
            with self.emit_if(build_conjunction([self.build_still_in_test(who), may])):
                emit_reaction_decision()
        left = ir.Compare(ir.FLAG, "<", place, end)
        going = [left, self.build_open_test(link), *([target.presence_test] if target is not None else [])]
        self.emit(ir.While(build_conjunction(going), tuple(body)))

    def build_open_test(self, link: LinkVariables) -> ir.Expr:
        """Return the test that an announcement still accepts reactions. In old record formats, an announced reaction
        closes it."""
        closed: ir.Expr = link[LINK_CANCELLED]
        if self.game.legacy:
            closed = ir.Logic(ir.FLAG, "or", (closed, link[LINK_ANSWERED]))
        return ir.Not(ir.FLAG, closed)

    @contextmanager
    def bind_reaction_variables(
        self, reactions: list[g.Reaction], link: LinkVariables, player: ir.Expr
    ) -> Iterator[None]:
        """Bind the variables of reactions while `player` decides."""
        saved = dict(self.expression_lowerer.env)
        self.expression_lowerer.env.update({reaction.you.id: player for reaction in reactions})
        self.expression_lowerer.env[LINK_DEPTH] = ir.Op(ir.NUMBER, "depth", ())
        self.expression_lowerer.env[LINK_BASE] = ir.SlotOf(ir.NUMBER, link[0])
        yield
        self.expression_lowerer.env = saved

    def find_needed_variables(self, stmt: g.Stmt | None, options: tuple[g.Option, ...]) -> set[int]:
        return super().find_needed_variables(stmt, options) | {LINK_DEPTH, LINK_BASE}

    def run_chosen_reaction(self, reactions: list[g.Reaction], link: LinkVariables, decision: PendingDecision) -> None:
        """Run the chosen reaction in its own frame. Its costs are paid first."""
        option, rest = self.decode_option_number(len(reactions), decision.choice)
        depth, base = ir.Op(ir.NUMBER, "depth", ()), ir.SlotOf(ir.NUMBER, link[0])
        bodies = []
        for reaction in reactions:
            args = (decision.player, depth, base, *self.decode_bindings(reaction.option, rest))
            place = self.expression_lowerer.number_rule_span(reaction.option.span)
            bodies.append((ir.Run(self.add_reaction_routine(reaction), args, place),))
        self.emit_all(select_body(option, bodies))

    def add_reaction_routine(self, reaction: g.Reaction) -> str:
        name = f"reaction {reaction.name}"
        depth = g.Var(g.NUMBER, reaction.option.span, LINK_DEPTH, "depth")
        base = g.Var(g.NUMBER, reaction.option.span, LINK_BASE, "base")
        binders = tuple(var for var, _ in reaction.option.binders)
        self.queue_routine(name, (reaction.you, depth, base, *binders), lambda: self.lower_reaction_body(reaction))
        return name

    def lower_reaction_body(self, reaction: g.Reaction) -> None:
        self.current_step = reaction.name
        for var, domain in reaction.option.binders:
            self.record_choice_knowledge(var, domain, self.expression_lowerer.env[reaction.you.id])
        self.emit_costs(reaction.option, self.expression_lowerer.env[reaction.you.id])
        self.emit_reached(reaction.option.span)
        self.lower_body(reaction.option.body)


def build_pile_of(card: ir.Expr) -> ir.Expr:
    """Return the number of the pile that holds a card; absent for no card."""
    return ir.Op(ir.NUMBER, "pile_of", (card,))
