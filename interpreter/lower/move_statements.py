"""Lowering of statements that move, shuffle and reveal cards."""

from __future__ import annotations

from collections.abc import Sequence

from attrs import evolve

from cardlang import model as g
from cardlang.diagnostics import Span
from cardlang.model.effects import find_effects
from cardlang.model.traversal import has_matching_node
from interpreter import ir
from interpreter.ir.ir_expressions import TEXT
from interpreter.lower.refillable_piles import PileDraw, RefillIndex
from interpreter.lower.seats_that_know_cards import CardIdentityLowerer
from interpreter.lower.seats_that_know_values import NO_SEATS, SEATS_NOTE, build_seats_variable, make_note_key
from interpreter.lower.work_and_uniqueness_analysis import has_no_duplicates
from interpreter.runtime.layout import Layout

OWNERS_VARIABLE = -3
"""Number of the variable for the owners of the target zones."""
DRAWN_CARDS_PER_STEP = 64
"""Number of already drawn cards that add one step to each further round."""


class MoveStatementLowerer(CardIdentityLowerer):
    def __init__(self, layout: Layout) -> None:
        super().__init__(layout)
        self.finished_steps = layout.finishing
        self.entered_zones = {trigger.zone for trigger in self.game.enters}
        self.owner_trigger_zones = {trigger.zone for trigger in self.game.enters if trigger.you is not None}
        self.refills = RefillIndex(self.game)

    def emit_trigger_checks(self) -> None:
        """Emit the evaluation of all `whenever` conditions, which follows every change."""
        if not self.game.whenevers:
            return
        name = self.expression_lowerer.make_identifier("whenever", "")
        if name not in self.functions:
            self.functions[name] = None  # their effects are changes that may trigger them again
            with (
                self.collect_emitted() as body,
                self.expression_lowerer.start_separate_scope(),
                self.start_without_names(),
            ):
                for index, trigger in enumerate(self.game.whenevers):
                    self.lower_whenever(index, trigger)
            self.functions[name] = ir.Function(name, (), tuple(body))
        self.narrow_before_named_code("whenever")
        self.emit(ir.Do(name, ()))

    def lower_whenever(self, index: int, trigger: g.Whenever) -> None:
        slot = len(self.layout.tracks) + index
        was = ir.Track(ir.FLAG, slot, None)
        function = self.add_function("whenever", str(index), (), trigger.body, None)
        began = ir.If(ir.Not(ir.FLAG, was), (ir.Store(slot, None, ir.ONE), ir.Do(function, ())))
        self.emit(
            ir.If(
                self.expression_lowerer.lower_expression(trigger.condition), (began,), (ir.Store(slot, None, ir.ZERO),)
            )
        )

    # ------------------------------------------------------------ moving
    def lower_Move(self, stmt: g.Move) -> None:
        draws = self.refills.find_refillable_draws(stmt.what, stmt.to.zone)
        if draws:
            drawn = [
                (draw, self.store_in_local(self.expression_lowerer.lower_expression(number))) for draw, number in draws
            ]
            self.draw_from_refillable(drawn, stmt.to, stmt.end, stmt.verb, stmt.span)
            return
        self.emit_moved_count(stmt)
        followed, among = self.find_move_followers(stmt.to, stmt.what)
        self.emit_move_with_triggers(
            self.lower_moved_cards(stmt.what), stmt.to, stmt.end, followed, among, stmt.verb, stmt.span
        )

    def emit_move_with_triggers(
        self, cards: ir.Expr, target: g.Place, end: str, followers: ir.Expr, candidates: ir.Expr, verb: str, span: Span
    ) -> None:
        """Move cards, then run the consequences: triggers and knowledge updates."""
        hides = bool(self.known_names) and followers != self.all_seats
        if hides or target.zone in self.entered_zones:
            cards = self.copy_cards(cards)
        if target.zone in self.owner_trigger_zones:
            target = self.fix_owners(target)
        followers, candidates = self.narrow_before_move(followers, candidates, cards)
        self.emit_move(cards, target, end, followers, candidates, verb, self.expression_lowerer.number_rule_span(span))
        self.run_zone_triggers(target, cards, end)
        self.emit_trigger_checks()

    def fix_owners(self, place: g.Place) -> g.Place:
        """Return a place whose owners are evaluated once, before any card is moved."""
        if place.of is None:
            return place
        owners = (
            self.copy_cards(self.expression_lowerer.lower_list(place.of))
            if place.each
            else self.store_in_local(self.expression_lowerer.lower_present_value(place.of))
        )
        self.expression_lowerer.env[OWNERS_VARIABLE] = owners
        return evolve(place, of=g.Var(evolve(place.of.type, maybe=False), place.of.span, OWNERS_VARIABLE, "owner"))

    # ------------------------------------------------------------ draws from piles that may be refilled
    def draw_from_refillable(
        self, draws: Sequence[tuple[PileDraw, ir.Expr]], target: g.Place, end: str, verb: str, span: Span
    ) -> None:  # fmt: skip
        """Move cards from piles that triggers may refill. Entry triggers run when all cards have arrived."""
        target, drawn = self.fix_owners(target), self.expression_lowerer.create_local(ir.build_list_kind(ir.CARD))
        self.emit(ir.Assign(drawn, ir.Items(drawn.kind, ())))
        for draw, number in draws:
            self.draw_with_refills(draw, number, drawn, target, end, verb, span)
        self.run_zone_triggers(target, drawn, "")  # triggers may have run since the first card arrived
        self.emit_trigger_checks()

    def draw_with_refills(
        self, draw: PileDraw, number: ir.Expr, drawn_cards: ir.Local, target: g.Place, end: str, verb: str, span: Span
    ) -> None:  # fmt: skip
        """Move the available cards. While there are too few, run triggers and move the rest if cards were added."""
        place, piece = (
            self.expression_lowerer.number_rule_span(span),
            self.expression_lowerer.create_local(drawn_cards.kind),
        )
        left = self.expression_lowerer.create_local(ir.NUMBER)
        self.emit(ir.Assign(left, number))

        def emit_draw() -> None:
            cards = self.remove_duplicates(self.lower_taken_cards(draw.position, draw.source, left), draw.source)
            self.emit(ir.Assign(piece, cards))
            followed, among = self.narrow_before_move(
                *self.find_draw_followers(target, draw.position, draw.source), piece
            )
            self.emit_move(piece, target, end, followed, among, verb, place, ir.Count(ir.NUMBER, drawn_cards))
            self.emit(ir.Assign(left, ir.Arith(ir.NUMBER, "-", left, ir.Count(ir.NUMBER, piece))))
            both = (ir.Spread(drawn_cards.kind, drawn_cards), ir.Spread(piece.kind, piece))
            self.emit(ir.Assign(drawn_cards, ir.Items(drawn_cards.kind, both)))

        emit_draw()
        more = self.expression_lowerer.create_local(ir.FLAG)
        self.emit(ir.Assign(more, ir.Const(ir.FLAG, 1)))
        short = ir.Logic(ir.FLAG, "and", (ir.Compare(ir.FLAG, ">", left, ir.ZERO), more))
        with self.collect_emitted() as again:
            many = ir.Arith(
                ir.NUMBER, "//", ir.Count(ir.NUMBER, drawn_cards), ir.Const(ir.NUMBER, DRAWN_CARDS_PER_STEP)
            )
            self.emit(ir.Fuel(ir.Arith(ir.NUMBER, "+", ir.ONE, many), place))
            self.emit_trigger_checks()
            emit_draw()
            self.emit(ir.Assign(more, ir.Compare(ir.FLAG, ">", ir.Count(ir.NUMBER, piece), ir.ZERO)))
        self.emit(ir.While(short, tuple(again)))
        if self.expression_lowerer.records_coverage:
            moved = ir.Arith(ir.NUMBER, "-", number, left)
            self.emit(ir.Do("cards_there", (ir.Const(ir.NUMBER, place), number, moved)))

    def emit_moved_count(self, stmt: g.Move) -> None:
        what = stmt.what
        if isinstance(what, g.Joined) and len(what.items) == 1:
            what = what.items[0]
        if isinstance(what, g.Agg) and what.number is not None:
            self.emit_card_count(stmt.span, what.number, what.list)
        else:
            self.emit_card_count(stmt.span, None, what)

    def copy_cards(self, cards: ir.Expr) -> ir.Local:
        if isinstance(cards, ir.Local) and self.is_independent_list(cards):
            return cards
        local = self.expression_lowerer.create_local(ir.build_list_kind(ir.CARD))
        self.emit(ir.Assign(local, cards, copied=not self.is_independent_list(cards)))
        self.unmodified_lists.add(local.number)
        return local

    def lower_moved_cards(self, what: g.Expr) -> ir.Expr:
        """Return a list of cards without duplicates. A pile is copied, because it will change."""
        code = self.remove_duplicates(self.expression_lowerer.lower_list(what), what)
        return ir.Op(code.kind, "copied", (code,)) if isinstance(code, ir.Pile) else code

    def remove_duplicates(self, code: ir.Expr, cards: g.Expr) -> ir.Expr:
        """Remove duplicate cards from a list. `cards` is its source expression."""
        return code if has_no_duplicates(self.game, cards) else ir.Op(code.kind, "distinct_values", (code,))

    def emit_move(
        self, cards: ir.Expr, target: g.Place, end: str, followers: ir.Expr, candidates: ir.Expr, verb: str, place: int,
        dealt_count: ir.Expr = ir.ZERO,
    ) -> None:  # fmt: skip
        """Move cards to a place. `dealt_count`: the number of cards of a deal given out before these."""
        tail = (followers, candidates, ir.Const(TEXT, verb))
        if target.each:
            piles = (
                self.build_pile_numbers(target)
                if dealt_count == ir.ZERO
                else self.rotate_pile_numbers(target, dealt_count)
            )
            if self.is_single_card_zone(target):
                piles = self.store_in_local(piles)
            self.emit(ir.Effect("deal", (cards, piles, *tail), place))
            if self.is_single_card_zone(target):
                pile = self.expression_lowerer.create_local(ir.NUMBER)
                self.emit(ir.ForEach(pile, piles, (ir.Effect("one_card", (pile,), place),)))
        else:
            pile_ = self.lower_target_pile(target)
            self.emit(ir.Effect("move", (cards, pile_, ir.Const(TEXT, end), *tail), place))
            self.emit_single_card_check(target, pile_, place)

    def is_single_card_zone(self, place: g.Place) -> bool:
        return self.game.zones[place.zone].single

    def lower_target_pile(self, place: g.Place) -> ir.Expr:
        """Return the number of a target pile, evaluated before the cards move."""
        number = self.build_pile_number(place)
        return self.store_in_local(number) if self.is_single_card_zone(place) else number

    def emit_single_card_check(self, target: g.Place, pile: ir.Expr, place: int) -> None:
        """Check a zone that `holds 1` after cards have entered it."""
        if self.is_single_card_zone(target):
            self.emit(ir.Effect("one_card", (pile,), place))

    def build_pile_numbers(self, place: g.Place) -> ir.Expr:
        """Return the numbers of several players' piles."""
        base = self.layout.zone_base[place.zone]
        if place.of is None:
            raise AssertionError("players")
        if isinstance(place.of, g.Builtin) and self.layout.fixed_seats:
            return ir.Const(ir.build_list_kind(ir.NUMBER), tuple(base + seat for seat in range(self.layout.players)))
        local = self.expression_lowerer.create_local(ir.SEAT)
        number = ir.Arith(ir.NUMBER, "+", ir.Const(ir.NUMBER, base), local)
        return ir.Loop(
            ir.build_list_kind(ir.NUMBER),
            "list",
            (ir.For(local, self.expression_lowerer.lower_list(place.of)),),
            number,
        )

    def rotate_pile_numbers(self, place: g.Place, dealt_count: ir.Expr) -> ir.Expr:
        """Return the numbers of several players' piles, starting with the next one after `dealt_count` cards."""
        piles = self.store_in_local(self.build_pile_numbers(place))
        count = ir.Count(ir.NUMBER, piles)
        turn, places = (
            self.expression_lowerer.create_local(ir.NUMBER),
            ir.Op(piles.kind, "range", (dealt_count, ir.Arith(ir.NUMBER, "+", dealt_count, count))),
        )
        pile = ir.Op(ir.NUMBER, "item_at", (piles, ir.Arith(ir.NUMBER, "%", turn, count)))
        return ir.Loop(piles.kind, "list", (ir.For(turn, places),), pile)

    def emit_put(self, card: ir.Expr, target: g.Place, verb: str, place: int) -> None:
        """Put one chosen card into a pile. This is the fast path for public zones."""
        pile = self.lower_target_pile(target)
        self.emit(ir.Effect("put", (card, pile, ir.Const(TEXT, verb)), place))
        self.emit_single_card_check(target, pile, place)

    def build_pile_number(self, place: g.Place) -> ir.Expr:
        base = ir.Const(ir.NUMBER, self.layout.zone_base[place.zone])
        if place.of is None:
            return base
        of = self.expression_lowerer.lower_present_value(place.of)
        if isinstance(of, ir.Const) and isinstance(of.value, int):
            return ir.Const(ir.NUMBER, self.layout.zone_base[place.zone] + of.value)
        return ir.Arith(ir.NUMBER, "+", base, of)

    # ------------------------------------------------------------ cards that enter
    def run_zone_triggers(self, place: g.Place, cards: ir.Expr, end: str) -> None:
        """Run the triggers of a zone for each card that entered it.

        A trigger that sets off others has its own function or frame. If cards go to an end of a pile, all players
        can tell which ones have just arrived."""
        seats = self.all_seats if end in ("top", "under") else NO_SEATS
        for trigger in self.game.enters:
            if trigger.zone != place.zone:
                continue
            if trigger.you is None or place.of is None:
                self.run_entry_trigger(trigger, cards, None, seats)
            elif place.each:
                self.run_dealt_card_triggers(trigger, cards, self.expression_lowerer.lower_list(place.of))
            else:
                self.run_entry_trigger(trigger, cards, self.expression_lowerer.lower_expression(place.of), seats)
            seats = NO_SEATS

    def run_dealt_card_triggers(self, trigger: g.Enters, cards: ir.Expr, owners: ir.Expr) -> None:
        """Run a trigger for dealt cards, player by player, for each player's own cards."""
        turn, owner, place = (
            self.expression_lowerer.create_local(ir.NUMBER),
            self.expression_lowerer.create_local(ir.SEAT),
            self.expression_lowerer.create_local(ir.NUMBER),
        )
        own = ir.Op(cards.kind, "range", (turn, ir.Count(ir.NUMBER, cards), ir.Count(ir.NUMBER, owners)))
        card = ir.Op(ir.CARD, "item_at", (cards, place))
        self.emit(ir.Assign(turn, ir.ZERO))
        with self.collect_emitted() as body:
            mine = self.copy_cards(ir.Loop(cards.kind, "list", (ir.For(place, own),), card))
            self.emit(ir.Assign(turn, ir.Arith(ir.NUMBER, "+", turn, ir.ONE)))
            self.run_entry_trigger(trigger, mine, owner, NO_SEATS)
        self.emit(ir.ForEach(owner, owners, tuple(body)))

    def can_trigger_entry(self, part: g.Stmt) -> bool:
        """Check whether a statement may set off the trigger of a zone, directly or in the code it runs."""
        effects = find_effects(part)
        moved = any(transfer.to.zone in self.entered_zones for transfer in effects.transfers)
        return moved or bool(effects.steps or effects.card_steps)

    def run_entry_trigger(self, trigger: g.Enters, cards: ir.Expr, owner: ir.Expr | None, seats: ir.Expr) -> None:
        """Run a trigger for cards that have come to one zone. `owner`: its owner; `seats`: the seats that can
        identify them."""
        items = g.Var(g.build_list_type(g.CARD), trigger.span, -100 - trigger.card.id, "entered")
        each = g.Each(trigger.span, items, trigger.card, None, None, False, trigger.body)
        if not has_matching_node(trigger.body, self.can_trigger_entry):
            self.expression_lowerer.env[items.id], self.expression_lowerer.env[make_note_key(items, SEATS_NOTE)] = (
                cards,
                seats,
            )
            if trigger.you is not None and owner is not None:
                self.emit(ir.Assign(self.bind_local(trigger.you), owner))
            with self.forget_inner_names():
                self.lower_statement(each)
            return
        params, args = [items], [cards]
        if self.is_tracked_name(trigger.card):
            params.append(build_seats_variable(items))
            args.append(seats)
        if trigger.you is not None and owner is not None:
            params.append(trigger.you)
            args.append(owner)
        self.narrow_before_named_code(f"enters {trigger.zone}")
        number = str(self.game.enters.index(trigger))
        if self.suspension.can_stop(each):
            self.call_routine(
                f"enters {number}", params, (each,), tuple(args), self.expression_lowerer.number_rule_span(trigger.span)
            )
        else:
            self.emit(ir.Do(self.add_function("enters", number, params, (each,), None), tuple(args)))

    # ------------------------------------------------------------ picking without a choice
    def lower_fixed_pick(self, stmt: g.Pick) -> None:
        """Lower a pick without a decision: a fixed number from the top or at random."""
        if stmt.low is None or stmt.position is None:
            raise AssertionError("a choice")
        if self.expression_lowerer.can_be_absent(stmt.who):
            self.emit(
                ir.Assign(
                    self.expression_lowerer.create_local(ir.SEAT), self.expression_lowerer.lower_present_value(stmt.who)
                )
            )
        self.take_cards(stmt, stmt.position, self.store_in_local(self.expression_lowerer.lower_expression(stmt.low)))

    def take_cards(self, stmt: g.Pick, position: str, number: ir.Expr) -> None:
        """Move `number` cards of a pick in which only the number is chosen."""
        if self.refills.can_refill(stmt.source, stmt.to.zone):
            self.draw_from_refillable([(PileDraw(position, stmt.source), number)], stmt.to, "top", stmt.verb, stmt.span)
            return
        cards = self.copy_cards(self.lower_taken_cards(position, stmt.source, number))
        self.emit_move_with_triggers(
            cards, stmt.to, "top", *self.find_draw_followers(stmt.to, position, stmt.source), stmt.verb, stmt.span
        )

    def lower_taken_cards(self, position: str, source: g.Expr, number: ir.Expr) -> ir.Expr:
        items = self.expression_lowerer.lower_list(source)
        return ir.Op(items.kind, f"some_{position}", (items, number))

    # ------------------------------------------------------------ shuffling and showing
    def lower_Shuffle(self, stmt: g.Shuffle) -> None:
        place = self.expression_lowerer.number_rule_span(stmt.span)
        self.narrow_knowledge(
            None if stmt.zone.each else self.expression_lowerer.lower_pile(stmt.zone.zone, stmt.zone.of)
        )
        if stmt.zone.each:
            pile = self.expression_lowerer.create_local(ir.NUMBER)
            self.emit(ir.ForEach(pile, self.build_pile_numbers(stmt.zone), (ir.Effect("shuffle", (pile,), place),)))
        else:
            self.emit(ir.Effect("shuffle", (self.build_pile_number(stmt.zone),), place))
        self.emit_trigger_checks()

    def lower_ShufflePlayers(self, stmt: g.ShufflePlayers) -> None:
        self.emit(ir.Effect("shuffle_players", (), self.expression_lowerer.number_rule_span(stmt.span)))

    def lower_Reveal(self, stmt: g.Reveal) -> None:
        to = self.expression_lowerer.lower_present_value(stmt.to) if stmt.to is not None else ir.Const(ir.SEAT, -1)
        self.emit(
            ir.Effect(
                "reveal",
                (self.expression_lowerer.lower_list(stmt.cards), to),
                self.expression_lowerer.number_rule_span(stmt.span),
            )
        )
        self.record_shown_cards(stmt.cards, to if stmt.to is not None else None)

    # ------------------------------------------------------------ implemented by `StepLowerer`
    def add_function(
        self, category: str, name: str, params: Sequence[g.Var], body: Sequence[g.Stmt], step: g.Step | None
    ) -> str:
        raise NotImplementedError

    def call_routine(
        self, name: str, params: Sequence[g.Var], body: Sequence[g.Stmt], args: tuple[ir.Expr, ...], place: int
    ) -> None:
        raise NotImplementedError
