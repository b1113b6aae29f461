"""Lowering of statements that move, shuffle and reveal cards."""

from __future__ import annotations

from collections.abc import Sequence

from attrs import evolve

from cardlang import model as g
from cardlang.diagnostics import Span
from cardlang.model.effects import find_effects
from cardlang.model.traversal import has_matching_node
from interpreter import ir as lo
from interpreter.ir.ir_expressions import TEXT
from interpreter.lower.card_identity import CardIdentityLowerer
from interpreter.lower.pile_refills import PileDraw, RefillIndex
from interpreter.lower.static_analysis import has_no_duplicates
from interpreter.lower.value_knowledge import NO_SEATS, SEATS_NOTE, build_seats_variable, make_note_key
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
            self.functions[name] = lo.Function(name, (), tuple(body))
        self.narrow_before_named_code("whenever")
        self.emit(lo.Do(name, ()))

    def lower_whenever(self, index: int, trigger: g.Whenever) -> None:
        slot = len(self.layout.tracks) + index
        was = lo.Track(lo.FLAG, slot, None)
        function = self.add_function("whenever", str(index), (), trigger.body, None)
        began = lo.If(lo.Not(lo.FLAG, was), (lo.Store(slot, None, lo.ONE), lo.Do(function, ())))
        self.emit(
            lo.If(
                self.expression_lowerer.lower_expression(trigger.condition), (began,), (lo.Store(slot, None, lo.ZERO),)
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
        self, cards: lo.Expr, target: g.Place, end: str, followers: lo.Expr, candidates: lo.Expr, verb: str, span: Span
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
        self, draws: Sequence[tuple[PileDraw, lo.Expr]], target: g.Place, end: str, verb: str, span: Span
    ) -> None:  # fmt: skip
        """Move cards from piles that triggers may refill. Entry triggers run when all cards have arrived."""
        target, drawn = self.fix_owners(target), self.expression_lowerer.create_local(lo.build_list_kind(lo.CARD))
        self.emit(lo.Assign(drawn, lo.Items(drawn.kind, ())))
        for draw, number in draws:
            self.draw_with_refills(draw, number, drawn, target, end, verb, span)
        self.run_zone_triggers(target, drawn, "")  # triggers may have run since the first card arrived
        self.emit_trigger_checks()

    def draw_with_refills(
        self, draw: PileDraw, number: lo.Expr, drawn_cards: lo.Local, target: g.Place, end: str, verb: str, span: Span
    ) -> None:  # fmt: skip
        """Move the available cards. While there are too few, run triggers and move the rest if cards were added."""
        place, piece = (
            self.expression_lowerer.number_rule_span(span),
            self.expression_lowerer.create_local(drawn_cards.kind),
        )
        left = self.expression_lowerer.create_local(lo.NUMBER)
        self.emit(lo.Assign(left, number))

        def emit_draw() -> None:
            cards = self.remove_duplicates(self.lower_taken_cards(draw.position, draw.source, left), draw.source)
            self.emit(lo.Assign(piece, cards))
            followed, among = self.narrow_before_move(
                *self.find_draw_followers(target, draw.position, draw.source), piece
            )
            self.emit_move(piece, target, end, followed, among, verb, place, lo.Count(lo.NUMBER, drawn_cards))
            self.emit(lo.Assign(left, lo.Arith(lo.NUMBER, "-", left, lo.Count(lo.NUMBER, piece))))
            both = (lo.Spread(drawn_cards.kind, drawn_cards), lo.Spread(piece.kind, piece))
            self.emit(lo.Assign(drawn_cards, lo.Items(drawn_cards.kind, both)))

        emit_draw()
        more = self.expression_lowerer.create_local(lo.FLAG)
        self.emit(lo.Assign(more, lo.Const(lo.FLAG, 1)))
        short = lo.Logic(lo.FLAG, "and", (lo.Compare(lo.FLAG, ">", left, lo.ZERO), more))
        with self.collect_emitted() as again:
            many = lo.Arith(
                lo.NUMBER, "//", lo.Count(lo.NUMBER, drawn_cards), lo.Const(lo.NUMBER, DRAWN_CARDS_PER_STEP)
            )
            self.emit(lo.Fuel(lo.Arith(lo.NUMBER, "+", lo.ONE, many), place))
            self.emit_trigger_checks()
            emit_draw()
            self.emit(lo.Assign(more, lo.Compare(lo.FLAG, ">", lo.Count(lo.NUMBER, piece), lo.ZERO)))
        self.emit(lo.While(short, tuple(again)))
        if self.expression_lowerer.records_coverage:
            moved = lo.Arith(lo.NUMBER, "-", number, left)
            self.emit(lo.Do("cards_there", (lo.Const(lo.NUMBER, place), number, moved)))

    def emit_moved_count(self, stmt: g.Move) -> None:
        what = stmt.what
        if isinstance(what, g.Joined) and len(what.items) == 1:
            what = what.items[0]
        if isinstance(what, g.Agg) and what.number is not None:
            self.emit_card_count(stmt.span, what.number, what.list)
        else:
            self.emit_card_count(stmt.span, None, what)

    def copy_cards(self, cards: lo.Expr) -> lo.Local:
        if isinstance(cards, lo.Local) and self.is_independent_list(cards):
            return cards
        local = self.expression_lowerer.create_local(lo.build_list_kind(lo.CARD))
        self.emit(lo.Assign(local, cards, copied=not self.is_independent_list(cards)))
        self.unmodified_lists.add(local.number)
        return local

    def lower_moved_cards(self, what: g.Expr) -> lo.Expr:
        """Return a list of cards without duplicates. A pile is copied, because it will change."""
        code = self.remove_duplicates(self.expression_lowerer.lower_list(what), what)
        return lo.Op(code.kind, "copied", (code,)) if isinstance(code, lo.Pile) else code

    def remove_duplicates(self, code: lo.Expr, cards: g.Expr) -> lo.Expr:
        """Remove duplicate cards from a list. `cards` is its source expression."""
        return code if has_no_duplicates(self.game, cards) else lo.Op(code.kind, "distinct_values", (code,))

    def emit_move(
        self, cards: lo.Expr, target: g.Place, end: str, followers: lo.Expr, candidates: lo.Expr, verb: str, place: int,
        dealt_count: lo.Expr = lo.ZERO,
    ) -> None:  # fmt: skip
        """Move cards to a place. `dealt_count`: the number of cards of a deal given out before these."""
        tail = (followers, candidates, lo.Const(TEXT, verb))
        if target.each:
            piles = (
                self.build_pile_numbers(target)
                if dealt_count == lo.ZERO
                else self.rotate_pile_numbers(target, dealt_count)
            )
            if self.is_single_card_zone(target):
                piles = self.store_in_local(piles)
            self.emit(lo.Effect("deal", (cards, piles, *tail), place))
            if self.is_single_card_zone(target):
                pile = self.expression_lowerer.create_local(lo.NUMBER)
                self.emit(lo.ForEach(pile, piles, (lo.Effect("one_card", (pile,), place),)))
        else:
            pile_ = self.lower_target_pile(target)
            self.emit(lo.Effect("move", (cards, pile_, lo.Const(TEXT, end), *tail), place))
            self.emit_single_card_check(target, pile_, place)

    def is_single_card_zone(self, place: g.Place) -> bool:
        return self.game.zones[place.zone].single

    def lower_target_pile(self, place: g.Place) -> lo.Expr:
        """Return the number of a target pile, evaluated before the cards move."""
        number = self.build_pile_number(place)
        return self.store_in_local(number) if self.is_single_card_zone(place) else number

    def emit_single_card_check(self, target: g.Place, pile: lo.Expr, place: int) -> None:
        """Check a zone that `holds 1` after cards have entered it."""
        if self.is_single_card_zone(target):
            self.emit(lo.Effect("one_card", (pile,), place))

    def build_pile_numbers(self, place: g.Place) -> lo.Expr:
        """Return the numbers of several players' piles."""
        base = self.layout.zone_base[place.zone]
        if place.of is None:
            raise AssertionError("players")
        if isinstance(place.of, g.Builtin) and self.layout.fixed_seats:
            return lo.Const(lo.build_list_kind(lo.NUMBER), tuple(base + seat for seat in range(self.layout.players)))
        local = self.expression_lowerer.create_local(lo.SEAT)
        number = lo.Arith(lo.NUMBER, "+", lo.Const(lo.NUMBER, base), local)
        return lo.Loop(
            lo.build_list_kind(lo.NUMBER),
            "list",
            (lo.For(local, self.expression_lowerer.lower_list(place.of)),),
            number,
        )

    def rotate_pile_numbers(self, place: g.Place, dealt_count: lo.Expr) -> lo.Expr:
        """Return the numbers of several players' piles, starting with the next one after `dealt_count` cards."""
        piles = self.store_in_local(self.build_pile_numbers(place))
        count = lo.Count(lo.NUMBER, piles)
        turn, places = (
            self.expression_lowerer.create_local(lo.NUMBER),
            lo.Op(piles.kind, "range", (dealt_count, lo.Arith(lo.NUMBER, "+", dealt_count, count))),
        )
        pile = lo.Op(lo.NUMBER, "item_at", (piles, lo.Arith(lo.NUMBER, "%", turn, count)))
        return lo.Loop(piles.kind, "list", (lo.For(turn, places),), pile)

    def emit_put(self, card: lo.Expr, target: g.Place, verb: str, place: int) -> None:
        """Put one chosen card into a pile. This is the fast path for public zones."""
        pile = self.lower_target_pile(target)
        self.emit(lo.Effect("put", (card, pile, lo.Const(TEXT, verb)), place))
        self.emit_single_card_check(target, pile, place)

    def build_pile_number(self, place: g.Place) -> lo.Expr:
        base = lo.Const(lo.NUMBER, self.layout.zone_base[place.zone])
        if place.of is None:
            return base
        of = self.expression_lowerer.lower_present_value(place.of)
        if isinstance(of, lo.Const) and isinstance(of.value, int):
            return lo.Const(lo.NUMBER, self.layout.zone_base[place.zone] + of.value)
        return lo.Arith(lo.NUMBER, "+", base, of)

    # ------------------------------------------------------------ cards that enter
    def run_zone_triggers(self, place: g.Place, cards: lo.Expr, end: str) -> None:
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

    def run_dealt_card_triggers(self, trigger: g.Enters, cards: lo.Expr, owners: lo.Expr) -> None:
        """Run a trigger for dealt cards, player by player, for each player's own cards."""
        turn, owner, place = (
            self.expression_lowerer.create_local(lo.NUMBER),
            self.expression_lowerer.create_local(lo.SEAT),
            self.expression_lowerer.create_local(lo.NUMBER),
        )
        own = lo.Op(cards.kind, "range", (turn, lo.Count(lo.NUMBER, cards), lo.Count(lo.NUMBER, owners)))
        card = lo.Op(lo.CARD, "item_at", (cards, place))
        self.emit(lo.Assign(turn, lo.ZERO))
        with self.collect_emitted() as body:
            mine = self.copy_cards(lo.Loop(cards.kind, "list", (lo.For(place, own),), card))
            self.emit(lo.Assign(turn, lo.Arith(lo.NUMBER, "+", turn, lo.ONE)))
            self.run_entry_trigger(trigger, mine, owner, NO_SEATS)
        self.emit(lo.ForEach(owner, owners, tuple(body)))

    def can_trigger_entry(self, part: g.Stmt) -> bool:
        """Check whether a statement may set off the trigger of a zone, directly or in the code it runs."""
        effects = find_effects(part)
        moved = any(transfer.to.zone in self.entered_zones for transfer in effects.transfers)
        return moved or bool(effects.steps or effects.card_steps)

    def run_entry_trigger(self, trigger: g.Enters, cards: lo.Expr, owner: lo.Expr | None, seats: lo.Expr) -> None:
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
                self.emit(lo.Assign(self.bind_local(trigger.you), owner))
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
            self.emit(lo.Do(self.add_function("enters", number, params, (each,), None), tuple(args)))

    # ------------------------------------------------------------ picking without a choice
    def lower_fixed_pick(self, stmt: g.Pick) -> None:
        """Lower a pick without a decision: a fixed number from the top or at random."""
        if stmt.low is None or stmt.position is None:
            raise AssertionError("a choice")
        if self.expression_lowerer.can_be_absent(stmt.who):
            self.emit(
                lo.Assign(
                    self.expression_lowerer.create_local(lo.SEAT), self.expression_lowerer.lower_present_value(stmt.who)
                )
            )
        self.take_cards(stmt, stmt.position, self.store_in_local(self.expression_lowerer.lower_expression(stmt.low)))

    def take_cards(self, stmt: g.Pick, position: str, number: lo.Expr) -> None:
        """Move `number` cards of a pick in which only the number is chosen."""
        if self.refills.can_refill(stmt.source, stmt.to.zone):
            self.draw_from_refillable([(PileDraw(position, stmt.source), number)], stmt.to, "top", stmt.verb, stmt.span)
            return
        cards = self.copy_cards(self.lower_taken_cards(position, stmt.source, number))
        self.emit_move_with_triggers(
            cards, stmt.to, "top", *self.find_draw_followers(stmt.to, position, stmt.source), stmt.verb, stmt.span
        )

    def lower_taken_cards(self, position: str, source: g.Expr, number: lo.Expr) -> lo.Expr:
        items = self.expression_lowerer.lower_list(source)
        return lo.Op(items.kind, f"some_{position}", (items, number))

    # ------------------------------------------------------------ shuffling and showing
    def lower_Shuffle(self, stmt: g.Shuffle) -> None:
        place = self.expression_lowerer.number_rule_span(stmt.span)
        self.narrow_knowledge(
            None if stmt.zone.each else self.expression_lowerer.lower_pile(stmt.zone.zone, stmt.zone.of)
        )
        if stmt.zone.each:
            pile = self.expression_lowerer.create_local(lo.NUMBER)
            self.emit(lo.ForEach(pile, self.build_pile_numbers(stmt.zone), (lo.Effect("shuffle", (pile,), place),)))
        else:
            self.emit(lo.Effect("shuffle", (self.build_pile_number(stmt.zone),), place))
        self.emit_trigger_checks()

    def lower_ShufflePlayers(self, stmt: g.ShufflePlayers) -> None:
        self.emit(lo.Effect("shuffle_players", (), self.expression_lowerer.number_rule_span(stmt.span)))

    def lower_Reveal(self, stmt: g.Reveal) -> None:
        to = self.expression_lowerer.lower_present_value(stmt.to) if stmt.to is not None else lo.Const(lo.SEAT, -1)
        self.emit(
            lo.Effect(
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
        self, name: str, params: Sequence[g.Var], body: Sequence[g.Stmt], args: tuple[lo.Expr, ...], place: int
    ) -> None:
        raise NotImplementedError
