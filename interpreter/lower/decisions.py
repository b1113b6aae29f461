"""Lowering of decisions: actor, legal move codes, answer.

Each decision has a function that lists the codes, and a `Wait` for the chosen code. Conditions on hidden information
count as true, so neither a decision nor its absence reveals anything.
"""

from __future__ import annotations

from collections.abc import Callable

from attrs import frozen

from cardlang import model as g
from cardlang.model.traversal import find_free_variables
from interpreter import ir
from interpreter.ir.traversal import find_assigned_variables, find_free_ir_variables
from interpreter.lower.option_codes import CODE_LIST, OptionLowerer, build_minus, build_plus, lower_set_condition
from interpreter.lower.public_eligibility_tests import EligibilityLowerer, build_positive_test
from interpreter.lower.seats_that_know_values import ANY_CARDS
from interpreter.runtime.layout import Layout
from interpreter.runtime.state import DecisionPoint

DecisionStatement = g.Pick | g.Choose | g.Menu


@frozen
class PendingDecision:
    """Decision in progress: its site, the current player, and the local that holds the move (a code or picks)."""

    site: int
    player: ir.Expr
    choice: ir.Local


MoveLowering = Callable[[PendingDecision], None]


class DecisionLowerer(OptionLowerer):
    def __init__(self, layout: Layout) -> None:
        super().__init__(layout)
        self.eligibility = EligibilityLowerer(self.expression_lowerer)
        self.reported_place: int | None = None
        """Place of the decision being lowered, if its moves become visible immediately."""

    # ------------------------------------------------------------ sites
    def add_site(self, kind: str, stmt: g.Stmt | None, options: tuple[g.Option, ...]) -> int:
        radices = tuple(self.find_radices(option) for option in options)
        site = DecisionPoint(len(self.sites), kind, stmt, options, radices)
        self.sites.append(site)
        needed = self.find_needed_variables(stmt, options)
        known = {var: value for var, value in self.expression_lowerer.env.items() if var in needed}
        self.site_scopes.append(known)
        self.frame_variables |= find_free_ir_variables(known.values())
        return site.number

    def find_needed_variables(self, stmt: g.Stmt | None, options: tuple[g.Option, ...]) -> set[int]:
        """Return the variables that explanations of a decision may read."""
        return find_all_free_variables((stmt, *options) if stmt is not None else options)

    def add_move_lister(self, site: int, player: ir.Local, body: ir.Body) -> str:
        """Add the function that lists the legal moves of a site, and return its name."""
        name = self.expression_lowerer.make_identifier("L", str(site))
        self.functions[name] = ir.Function(name, (player,), body, CODE_LIST, site=site)
        self.frame_variables |= find_free_ir_variables(body) - {player.number} - find_assigned_variables(body)
        return name

    def emit_decision(
        self, site: int, player: ir.Expr, legal: ir.Expr, skip_body: ir.Body, lower_move: MoveLowering
    ) -> None:
        """Wait for a move of `player`, then continue with `lower_move`. If no move is legal, run `skip_body`."""
        self.emit_wait(site, player, legal, skip_body, lower_move, None, ir.NUMBER)

    def emit_wait(
        self, site: int, player: ir.Expr, legal: ir.Expr, skip_body: ir.Body,
        lower_move: MoveLowering, max_picks: ir.Local | None, kind: ir.Kind,
    ) -> None:  # fmt: skip
        codes, answer, told = (
            self.expression_lowerer.create_local(CODE_LIST),
            self.expression_lowerer.create_local(kind),
            self.reported_place,
        )
        self.emit(ir.Assign(codes, legal))
        if told is not None and self.expression_lowerer.records_coverage:
            self.emit(ir.Do("moves_open", (ir.Const(ir.NUMBER, told), ir.Count(ir.NUMBER, codes))))
        with self.emit_if(codes, skip_body):
            self.emit(ir.Wait(site, player, codes, answer, max_picks, told))
            lower_move(PendingDecision(site, ir.Op(ir.SEAT, "asked", ()), answer))

    def build_skip_body(self, may_pass: bool) -> ir.Body:
        """Return the statements for a skipped decision. If passing is allowed, skipping counts as a pass."""
        passing = self.pass_flag if may_pass else None
        if passing is None:
            return ()
        if passing.flag is not None:
            return (ir.Assign(passing.flag, ir.ONE),)
        there = ir.Compare(ir.FLAG, ">=", passing.depth, ir.ZERO)
        return (ir.If(there, (ir.SetLink(passing.depth, passing.base, 0, ir.ONE),)),)

    # ------------------------------------------------------------ one decision
    def lower_Pick(self, stmt: g.Pick) -> None:
        if stmt.position is None or not self.refills.can_refill(stmt.source, stmt.to.zone):
            self.emit_card_count(stmt.span, stmt.low, stmt.source)
        if stmt.is_automatic:
            self.lower_fixed_pick(stmt)
        else:
            self.lower_single_decision(stmt)

    def lower_Choose(self, stmt: g.Choose) -> None:
        self.lower_single_decision(stmt)

    def lower_Menu(self, stmt: g.Menu) -> None:
        self.lower_single_decision(stmt)

    def lower_single_decision(self, stmt: DecisionStatement) -> None:
        """Lower a decision of one player whose move is carried out immediately."""
        if isinstance(stmt, g.Choose):  # without a choice, later statements find an absent value
            var = self.bind_local(stmt.var)
            self.emit(ir.Assign(var, self.expression_lowerer.build_absent_const(var.kind)))
            if self.is_tracked_name(stmt.var):
                self.record_knowledge(stmt.var, self.all_seats, ANY_CARDS)

        def lower_move(decision: PendingDecision) -> None:
            self.run_unless_passed(stmt, decision)

        self.reported_place = self.expression_lowerer.number_rule_span(stmt.span)
        self.emit_choice(stmt, self.build_skip_body(stmt.may), lower_move)

    def run_unless_passed(self, stmt: DecisionStatement, decision: PendingDecision) -> None:
        if not stmt.may:
            self.run_chosen_move(stmt, decision)
            return
        taken = decision.choice if self.is_multi_choice(stmt) else ir.Compare(ir.FLAG, "!=", decision.choice, ir.ZERO)
        skip = self.build_skip_body(stmt.may)
        with self.emit_if(taken, skip):
            self.run_chosen_move(stmt, decision)

    def emit_choice(self, stmt: DecisionStatement, skip_body: ir.Body, lower_move: MoveLowering) -> None:
        """List the legal moves and wait for one. Eliminated players are skipped."""
        who = self.store_in_local(self.expression_lowerer.lower_present_value(stmt.who))
        if not self.layout.eliminates:
            self.emit_player_choice(stmt, who, skip_body, lower_move)
            return
        with self.emit_if(self.build_still_in_test(who), skip_body):
            self.emit_player_choice(stmt, who, skip_body, lower_move)

    def emit_player_choice(
        self, stmt: DecisionStatement, player: ir.Expr, skip_body: ir.Body, lower_move: MoveLowering
    ) -> None:
        asked = self.expression_lowerer.create_local(ir.SEAT)
        if isinstance(stmt, g.Menu):
            site = self.add_site("menu", stmt, stmt.options)
            legal = self.add_move_lister(site, asked, self.lower_option_listing(stmt.options, asked, stmt.may))
        elif self.is_multi_choice(stmt):
            self.emit_multi_choice(stmt, player, skip_body, lower_move)
            return
        else:
            by_number = isinstance(stmt, g.Pick) and stmt.position is not None
            kind = "number" if by_number else "pick" if isinstance(stmt, g.Pick) else "choose"
            site = self.add_site(kind, stmt, ())
            legal = self.add_move_lister(site, asked, self.list_single_moves(stmt, asked))
        self.emit_decision(site, player, ir.Calling(CODE_LIST, legal, (player,)), skip_body, lower_move)

    def list_single_moves(self, stmt: g.Pick | g.Choose, player: ir.Expr) -> ir.Body:
        if isinstance(stmt, g.Pick):
            if stmt.position is not None:
                return self.list_number_moves(stmt)
            items = self.remove_indistinguishable(
                self.remove_duplicates(self.expression_lowerer.lower_single_use_list(stmt.source), stmt.source),
                stmt.source.type,
                player,
            )
            card = self.expression_lowerer.create_local(ir.CARD)
            return self.add_pass_move(
                stmt, ir.Loop(CODE_LIST, "list", (ir.For(card, items),), build_plus(card, ir.ONE))
            )
        value = self.expression_lowerer.create_local(self.expression_lowerer.lower_type(stmt.var.type))
        domain = self.lower_domain(stmt.domain, stmt.var.type, player)
        clauses: tuple[ir.For | ir.Test, ...] = (ir.For(value, domain),)
        if stmt.provided is not None:
            with self.expression_lowerer.bind_temporarily(stmt.var, value):
                clauses = (*clauses, ir.Test(self.expression_lowerer.lower_expression(stmt.provided)))
        return self.add_pass_move(stmt, ir.Loop(CODE_LIST, "list", clauses, build_plus(value, ir.ONE)))

    def add_pass_move(self, stmt: g.Pick | g.Choose, codes: ir.Expr) -> ir.Body:
        """Add the pass to the legal moves of an optional decision.

        If no other move is legal, the pass is offered only if the other players cannot know that."""
        if not stmt.may:
            return (ir.Return(codes),)
        legal = self.expression_lowerer.create_local(CODE_LIST)
        passed = ir.Items(CODE_LIST, (ir.Spread(CODE_LIST, legal), ir.ZERO))
        possible = self.eligibility.build_choice_test(stmt)
        if possible == ir.TRUE:
            return (ir.Assign(legal, codes), ir.Return(passed))
        there = legal if possible == ir.FALSE else ir.Logic(ir.FLAG, "or", (legal, possible))
        return (ir.Assign(legal, codes), ir.If(there, (ir.Return(passed),)), ir.Return(legal))

    def list_number_moves(self, stmt: g.Pick) -> ir.Body:
        with self.collect_emitted() as body:
            there = self.store_in_local(self.count_available_cards(stmt))
            low, high = self.clip_choice_bounds(stmt, there)
            run = ir.Op(
                CODE_LIST,
                "copied",
                (ir.Op(CODE_LIST, "range", (build_plus(low, ir.ONE), build_plus(high, build_number(2)))),),
            )
            self.emit_all(
                self.add_pass_move(stmt, ir.Either(CODE_LIST, build_positive_test(high), run, ir.Items(CODE_LIST, ())))
            )
        return tuple(body)

    def count_available_cards(self, stmt: g.Pick) -> ir.Expr:
        """Return the maximum number of cards of a draw: the pile itself, plus cards from refill triggers."""
        there = ir.Count(ir.NUMBER, self.expression_lowerer.lower_list(stmt.source))
        if not self.refills.can_refill(stmt.source, stmt.to.zone):
            return there
        brought = self.refills.find_refill_sources(stmt.source, stmt.to.zone)
        most: ir.Expr = there if brought is not None else ir.Const(ir.NUMBER, self.layout.cards)
        for cards in brought or ():
            most = ir.Arith(ir.NUMBER, "+", most, ir.Count(ir.NUMBER, self.expression_lowerer.lower_list(cards)))
        return ir.Either(ir.NUMBER, build_positive_test(there), most, ir.ZERO)

    def clip_choice_bounds(self, stmt: g.Pick | g.Choose, available: ir.Expr) -> tuple[ir.Expr, ir.Expr]:
        """Return the lower and upper bound of a choice, limited to the number of items available."""
        high = available
        if stmt.high is not None:
            high = self.store_in_local(
                ir.Op(ir.NUMBER, "least_of", (self.expression_lowerer.lower_expression(stmt.high), available))
            )
        low = self.expression_lowerer.lower_expression(stmt.low) if stmt.low is not None else ir.ZERO
        low = ir.Op(ir.NUMBER, "least_of", (ir.Op(ir.NUMBER, "most_of", (low, ir.ZERO)), high))
        return self.store_in_local(low), self.store_in_local(high)

    def remove_indistinguishable(self, items: ir.Expr, type_: g.Type, player: ir.Expr) -> ir.Expr:
        """Keep one card of each group that neither the rules nor any player can distinguish, as a single move."""
        is_cards = type_.tag == "card" or (type_.item is not None and type_.item.tag == "card")
        return ir.Op(items.kind, "distinct", (items, player)) if is_cards and self.layout.copies else items

    # ------------------------------------------------------------ several
    def is_multi_choice(self, stmt: DecisionStatement) -> bool:
        if isinstance(stmt, g.Pick):
            one = isinstance(stmt.low, g.Const) and stmt.low.value == 1 and stmt.low == stmt.high
            return stmt.position is None and not one
        return isinstance(stmt, g.Choose) and stmt.several

    def emit_multi_choice(
        self, stmt: g.Pick | g.Choose, player: ir.Expr, skip_body: ir.Body, lower_move: MoveLowering
    ) -> None:
        """Lower a choice of several items. The candidates and bounds are stored while the picks are made one by one."""
        site = self.add_site("pick" if isinstance(stmt, g.Pick) else "several", stmt, ())
        source, tests = self.lower_candidates(stmt, player)
        item = source.kind.item or ir.NUMBER
        candidates = self.expression_lowerer.create_local(source.kind)
        operation = ("in_order", (source, player)) if item.tag == "card" else ("ascending", (source,))
        self.emit(ir.Assign(candidates, ir.Op(source.kind, *operation)))
        low, high = self.clip_choice_bounds(stmt, ir.Count(ir.NUMBER, candidates))
        low, most = self.store_in_own_local(low), self.store_in_own_local(high)
        self.emit(ir.Effect("begin_picks", (), None))

        def emit_picks() -> None:
            asked = self.expression_lowerer.create_local(ir.SEAT)
            flags = (ir.Const(ir.FLAG, int(stmt.may)), ir.Const(ir.FLAG, int(self.layout.copies)))
            more = ir.Op(CODE_LIST, "more_picks", (candidates, low, most, asked, *flags, *tests))
            legal = self.add_move_lister(site, asked, (ir.Return(more),))
            self.emit_wait(
                site, player, ir.Calling(CODE_LIST, legal, (player,)), skip_body, lower_move, most, source.kind
            )

        possible = self.eligibility.build_choice_test(stmt) if stmt.may else ir.FALSE
        if possible != ir.FALSE:
            nothing = ir.Assign(candidates, ir.Items(source.kind, ()))
            with self.emit_if(ir.Not(ir.FLAG, build_positive_test(most))):
                self.emit(nothing)
        if possible == ir.TRUE:
            emit_picks()
            return
        asks = (
            build_positive_test(most)
            if possible == ir.FALSE
            else ir.Logic(ir.FLAG, "or", (build_positive_test(most), possible))
        )
        with self.emit_if(asks, skip_body):
            emit_picks()

    def store_in_own_local(self, value: ir.Expr) -> ir.Local:
        """Store a value in its own local, unless it is one."""
        if isinstance(value, ir.Local):
            return value
        local = self.expression_lowerer.create_local(value.kind)
        self.emit(ir.Assign(local, value))
        return local

    def lower_candidates(self, stmt: g.Pick | g.Choose, player: ir.Expr) -> tuple[ir.Expr, tuple[ir.TestOf, ...]]:
        """Return the candidates of a choice, and the test of the whole choice, if any."""
        if isinstance(stmt, g.Pick):
            return self.remove_duplicates(self.expression_lowerer.lower_list(stmt.source), stmt.source), ()
        item = stmt.var.type.item or stmt.var.type
        source = self.lower_domain(stmt.domain, item, player, keep_copies=True)
        if stmt.provided is None:
            return source, ()
        test = lower_set_condition(self.expression_lowerer, stmt, source.kind.item or ir.NUMBER)
        low = self.expression_lowerer.lower_expression(stmt.low) if stmt.low is not None else ir.ZERO
        high = (
            self.expression_lowerer.lower_expression(stmt.high)
            if stmt.high is not None
            else ir.Const(ir.Kind("nothing"), None)
        )
        return ir.Op(source.kind, "fulfilling", (source, low, high, test)), (test,)

    # ------------------------------------------------------------ effect of the move
    def run_chosen_move(self, stmt: DecisionStatement, decision: PendingDecision) -> None:
        if isinstance(stmt, g.Pick):
            self.run_chosen_pick(stmt, decision)
        elif isinstance(stmt, g.Choose):
            var = self.find_choice_variable(stmt)
            value = decision.choice if stmt.several else build_minus(decision.choice, ir.ONE)
            self.emit(ir.Assign(var, value))
            self.record_choice_knowledge(stmt.var, stmt.domain, decision.player)
            self.lower_body(stmt.body)
        else:
            self.lower_chosen_option(stmt.options, decision.choice, decision.player)

    def find_choice_variable(self, stmt: g.Choose) -> ir.Local:
        known = self.expression_lowerer.env.get(stmt.var.id)
        return known if isinstance(known, ir.Local) else self.bind_local(stmt.var)

    def run_chosen_pick(self, stmt: g.Pick, decision: PendingDecision) -> None:
        value = build_minus(decision.choice, ir.ONE)
        if stmt.position is not None:
            self.take_cards(stmt, stmt.position, self.store_in_local(value))
        elif self.is_multi_choice(stmt) or not self.can_put_directly(stmt.to):
            picked = decision.choice if self.is_multi_choice(stmt) else ir.Items(ir.build_list_kind(ir.CARD), (value,))
            cards = self.copy_cards(picked) if self.is_multi_choice(stmt) else picked
            followed, among = self.find_pick_followers(stmt.to, decision.player, stmt.source)
            self.emit_move_with_triggers(cards, stmt.to, "top", followed, among, stmt.verb, stmt.span)
        else:
            self.emit_put(value, stmt.to, stmt.verb, self.expression_lowerer.number_rule_span(stmt.span))
            self.emit_trigger_checks()

    def can_put_directly(self, target: g.Place) -> bool:
        """Check whether cards can be put into a zone directly: its cards are public, and nothing happens on entry."""
        return (
            self.card_names.is_public_zone(target) and not self.layout.marks and target.zone not in self.entered_zones
        )

    # ------------------------------------------------------------ offers
    def lower_Offer(self, stmt: g.Offer) -> None:
        """Offer options to each player in turn. The first player to take one ends the offer."""
        label = f"offer {len(self.sites)}"
        place = self.expression_lowerer.number_rule_span(stmt.span)
        each = g.Each(stmt.span, stmt.list, stmt.var, stmt.start, stmt.condition, False, ())

        def lower_move(decision: PendingDecision) -> None:
            with self.emit_if(ir.Compare(ir.FLAG, "!=", decision.choice, ir.ZERO)):
                self.lower_chosen_option(stmt.options, decision.choice, decision.player)
                self.emit(ir.Leave(label))

        def emit_offer() -> None:
            asked = self.expression_lowerer.create_local(ir.SEAT)
            site = self.add_site("offer", stmt, stmt.options)
            legal = self.add_move_lister(site, asked, self.lower_option_listing(stmt.options, asked, may_pass=True))
            self.reported_place = place
            self.emit_decision(site, var, ir.Calling(CODE_LIST, legal, (var,)), (), lower_move)

        with self.collect_emitted() as scope:
            var, items = self.prepare_loop(each, True)
            self.emit(ir.ForEach(var, items, self.lower_loop_body(each, var, emit_offer)))
            self.emit_all(self.build_skip_body(True))
            self.lower_body(stmt.otherwise)
        self.emit(ir.Scope(label, tuple(scope)))


def build_number(value: int) -> ir.Const:
    return ir.Const(ir.NUMBER, value)


def find_all_free_variables(parts: tuple[object, ...]) -> set[int]:
    return set[int]().union(*(find_free_variables(part) for part in parts))
