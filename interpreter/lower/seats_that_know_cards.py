"""Lowering of card identity: variables for the seats that can identify hidden cards.

For every name of hidden cards that are moved, the program has a variable with a set of seats: a bit mask. These seats
know which cards the name denotes, because they chose the cards or know how they were found. When cards become
indistinguishable, the set is narrowed to the players who know the cards by sight.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from functools import cached_property

from cardlang import model as g
from cardlang.model.effects import CardTransfer, find_effects
from cardlang.model.traversal import walk
from cardlang.model.types import is_card_type
from interpreter import ir
from interpreter.lower.seats_that_know_values import (
    ANY_CARDS,
    CANDIDATES_NOTE,
    CARDS,
    NO_SEATS,
    POSITION_FUNCTIONS,
    SEATS_NOTE,
    KnowledgeLowerer,
    build_candidates_variable,
    build_seats_variable,
    intersect_seats,
    is_followable_by_position,
    make_note_key,
    unite_seats,
)
from interpreter.lower.statement_base import MAX_BODY_NESTING
from interpreter.runtime.layout import Layout


class CardIdentityLowerer(KnowledgeLowerer):
    def __init__(self, layout: Layout) -> None:
        super().__init__(layout)
        self.known_names: list[tuple[ir.Expr, ir.Local]] = []
        """Names known here: their cards, and the seats that can identify them."""
        self.loop_variables: list[g.Var] = []
        """Variables of the enclosing loops over cards."""

    # ------------------------------------------------------------ names
    def is_tracked_name(self, var: g.Var) -> bool:
        return var.id in self.card_names.carried and is_card_type(var.type)

    def record_knowledge(self, var: g.Var, seats: ir.Expr, candidates: ir.Expr) -> None:
        """Record the cards of a name.

        seats: the seats that can identify them.
        candidates: see `find_possible_cards`.
        """
        keys = make_note_key(var, SEATS_NOTE), make_note_key(var, CANDIDATES_NOTE)
        known, held = (self.expression_lowerer.env.get(key) for key in keys)
        if (
            not isinstance(known, ir.Local)
            or not isinstance(held, ir.Local)
            or known not in (n for _, n in self.known_names)
        ):
            known, held = self.expression_lowerer.create_local(ir.NUMBER), self.expression_lowerer.create_local(CARDS)
            self.known_names.append((self.wrap_as_list(self.expression_lowerer.env[var.id]), known))
        self.emit(ir.Assign(known, seats))
        self.emit(ir.Assign(held, candidates, copied=not self.is_independent_list(candidates)))
        self.expression_lowerer.env.update(zip(keys, (known, held), strict=True))

    def record_seats_that_know_bound_cards(self, var: g.Var, value: g.Expr) -> None:
        """Record that a name gets the cards of an expression."""
        if self.is_tracked_name(var):
            self.record_knowledge(var, self.find_knowers(value), self.find_possible_cards(value))

    def record_list_knowledge(self, stmt: g.Each) -> None:
        """Record the seats that know the list of a loop over cards. The list is fixed from here on."""
        if self.is_tracked_name(stmt.var):
            key = make_note_key(stmt.var, SEATS_NOTE), make_note_key(stmt.var, CANDIDATES_NOTE)
            known, held = self.expression_lowerer.create_local(ir.NUMBER), self.expression_lowerer.create_local(CARDS)
            for local, value in ((known, self.find_knowers(stmt.list)), (held, self.find_possible_cards(stmt.list))):
                self.emit(ir.Assign(local, value, copied=local is held and not self.is_independent_list(value)))
            if self.can_evaluate_here(stmt.list):  # otherwise no player knows the list
                cards = self.expression_lowerer.create_local(CARDS)
                self.emit(ir.Assign(cards, self.expression_lowerer.lower_list(stmt.list), copied=True))
                self.known_names.append((cards, known))
            self.expression_lowerer.env.update(zip(key, (known, held), strict=True))

    @contextmanager
    def record_item_knowledge(self, stmt: g.Each) -> Iterator[None]:
        """Record, within a loop over cards, that the seats that know the list know its item."""
        if not self.is_tracked_name(stmt.var):
            yield
            return
        env, key = self.expression_lowerer.env, make_note_key(stmt.var, SEATS_NOTE)
        seats, own = env[key], self.expression_lowerer.create_local(ir.NUMBER)
        self.emit(ir.Assign(own, seats))
        env[key] = own
        self.known_names.append((self.wrap_as_list(env[stmt.var.id]), own))
        self.loop_variables.append(stmt.var)
        yield
        self.loop_variables.pop()
        env[key] = seats

    def record_choice_knowledge(self, var: g.Var, domain: g.Domain, player: ir.Expr) -> None:
        """Record cards that a player has chosen. Other players know them only if they see the zone."""
        if self.is_tracked_name(var) and domain.list is not None:
            watchers = ir.Op(ir.NUMBER, "watchers", (self.wrap_as_list(self.expression_lowerer.env[var.id]),))
            self.record_knowledge(
                var, unite_seats(self.build_seat_mask(player), watchers), self.find_possible_cards(domain.list)
            )

    def record_shown_cards(self, cards: g.Expr, player: ir.Expr | None) -> None:
        """Add the players who are shown the cards of a name to its knowers."""
        if isinstance(cards, g.Joined) and len(cards.items) == 1:
            cards = cards.items[0]
        seats = self.expression_lowerer.env.get(make_note_key(cards, SEATS_NOTE)) if isinstance(cards, g.Var) else None
        if isinstance(seats, ir.Local):
            self.emit(
                ir.Assign(seats, unite_seats(seats, self.all_seats if player is None else self.build_seat_mask(player)))
            )

    def record_logged_cards(self, values: Sequence[g.Expr]) -> None:
        """Add the players who are informed which cards a name denotes to its knowers."""
        if not all(isinstance(value, g.Var) or self.card_names.is_public(value) for value in values):
            return
        told = [value for value in values if isinstance(value, g.Var) and not self.card_names.is_public(value)]
        notes = [self.expression_lowerer.env.get(make_note_key(var, SEATS_NOTE)) for var in told]
        if told and all(isinstance(each, ir.Local) for each in notes):
            cards = ir.Items(
                CARDS, tuple(ir.Spread(CARDS, self.wrap_as_list(self.expression_lowerer.env[var.id])) for var in told)
            )
            seers = self.evaluate_now(ir.Op(ir.NUMBER, "knowers_of", (cards,)))
            for each in notes:
                if isinstance(each, ir.Local):
                    self.emit(ir.Assign(each, unite_seats(each, seers)))

    # ------------------------------------------------------------ passed on to steps
    def list_note_parameters(self, params: Sequence[g.Var]) -> tuple[g.Var, ...]:
        """Return the parameters for notes that a step has in addition to its declared ones."""
        return tuple(
            note
            for param in params
            if self.is_tracked_name(param)
            for note in (build_seats_variable(param), build_candidates_variable(param))
        )

    def build_note_arguments(self, params: Sequence[g.Var], args: Sequence[g.Expr]) -> tuple[ir.Expr, ...]:
        """Return the arguments for the note parameters of a step. They are evaluated before the step starts."""
        found: list[ir.Expr] = []
        for param, arg in zip(params, args, strict=True):
            if self.is_tracked_name(param):
                found += (self.evaluate_now(self.find_knowers(arg)), self.evaluate_now(self.find_possible_cards(arg)))
        return tuple(found)

    def evaluate_now(self, value: ir.Expr) -> ir.Expr:
        if isinstance(value, ir.Const):
            return value
        local = self.expression_lowerer.create_local(value.kind)
        self.emit(ir.Assign(local, value, copied=value.kind.tag == "list" and not self.is_independent_list(value)))
        return local

    def bind_note_parameters(self, params: Sequence[g.Var]) -> None:
        """Record the passed notes about a step's parameters as its own."""
        env = self.expression_lowerer.env
        for param in params:
            if make_note_key(param, CANDIDATES_NOTE) in env:
                self.record_knowledge(
                    param, env[make_note_key(param, SEATS_NOTE)], env[make_note_key(param, CANDIDATES_NOTE)]
                )

    @contextmanager
    def start_without_names(self) -> Iterator[None]:
        """Start a function or routine without known names."""
        saved, self.known_names = self.known_names, []
        yield
        self.known_names = saved

    @contextmanager
    def forget_inner_names(self) -> Iterator[None]:
        """Forget the names introduced within the block."""
        count = len(self.known_names)
        yield
        del self.known_names[count:]

    def lower_nested(self, lower_inner: Callable[[], None], body: Sequence[g.Stmt]) -> ir.Body:
        if (
            self.nesting_depth + 1 > MAX_BODY_NESTING
        ):  # it may become a function, which cannot change variables around it
            self.narrow_knowledge(None)
            with self.start_without_names():
                return super().lower_nested(lower_inner, body)
        with self.forget_inner_names():
            return super().lower_nested(lower_inner, body)

    @contextmanager
    def limit_knowledge_by_condition(self, condition: g.Expr | None) -> Iterator[None]:
        """Make the knowledge of loop items depend on a condition.

        Players who do not know whether it holds cannot tell for which of several cards the code runs."""
        env, knowers = (
            self.expression_lowerer.env,
            self.find_knowers(condition) if self.loop_variables else self.all_seats,
        )
        saved = {key: env[key] for var in self.loop_variables if (key := make_note_key(var, SEATS_NOTE)) in env}
        if knowers != self.all_seats:
            for key, seats in saved.items():
                env[key] = local = self.expression_lowerer.create_local(ir.NUMBER)
                self.emit(ir.Assign(local, self.intersect_knowers(seats, knowers)))
                self.known_names += [(cards, local) for cards, known in self.known_names if known == seats]
        yield
        env.update(saved)

    # ------------------------------------------------------------ moved cards
    def find_move_followers(self, target: g.Place, cards: g.Expr) -> tuple[ir.Expr, ir.Expr]:
        """Return the seats that can follow a move, and a public superset of the moved cards."""
        seats = self.all_seats if self.card_names.is_public_zone(target) else self.find_knowers(cards)
        return seats, ANY_CARDS if seats == self.all_seats else self.find_possible_cards(cards)

    def find_draw_followers(self, target: g.Place, position: str, source: g.Expr) -> tuple[ir.Expr, ir.Expr]:
        """Return the result of `find_move_followers` for a draw from an end of a list or at random."""
        if position == "random" and not self.card_names.is_public_zone(target):
            return NO_SEATS, self.find_possible_cards(source)
        return self.find_move_followers(target, source)

    def find_pick_followers(self, target: g.Place, player: ir.Expr, cards: g.Expr) -> tuple[ir.Expr, ir.Expr]:
        """Return the result of `find_move_followers` for a player's pick, which no other player can follow."""
        if self.card_names.is_public_zone(target):
            return self.all_seats, ANY_CARDS
        return self.build_seat_mask(player), self.find_possible_cards(cards)

    def narrow_before_move(self, followers: ir.Expr, candidates: ir.Expr, cards: ir.Expr) -> tuple[ir.Expr, ir.Expr]:
        """Narrow the knowledge of names before a move that some players cannot follow."""
        if followers == self.all_seats or not self.known_names:
            return followers, candidates
        followers, candidates = self.evaluate_now(followers), self.evaluate_now(candidates)
        hides = ir.Compare(ir.FLAG, "!=", intersect_seats(followers, self.all_seats), self.all_seats)
        with self.emit_if(hides):
            self.narrow_knowledge(cards)
        return followers, candidates

    def narrow_knowledge(self, moved: ir.Expr | None) -> None:
        """Narrow the knowledge of names because cards in the piles of `moved` (None: any) become indistinguishable."""
        for cards, seats in self.known_names:
            self.emit(ir.Assign(seats, ir.Op(ir.NUMBER, "narrowed", (seats, cards, cards if moved is None else moved))))

    def narrow_before_statement(self, stmt: g.Stmt) -> None:
        """Narrow the knowledge of names before code that may make cards indistinguishable."""
        if self.known_names and self.can_hide_cards(stmt, self.hiding_names):
            self.narrow_knowledge(None)

    def narrow_before_named_code(self, name: str) -> None:
        """Narrow the knowledge of names before a step, reaction or trigger, if `hiding_names` contains its name."""
        if self.known_names and name in self.hiding_names:
            self.narrow_knowledge(None)

    @cached_property
    def hiding_names(self) -> frozenset[str]:
        """Steps, reactions and triggers that may hide cards, by name: a fixed point over their calls.

        They shuffle, or move cards that some players cannot follow, directly or in the code they run."""
        bodies: dict[str, object] = {step.name: step.body for step in self.game.steps.values()}
        for borne in self.game.borne_steps.values():
            bodies[f"card's {borne.name}"] = tuple(body.body for body in borne.bodies if body)
        for reaction in self.game.reactions:
            bodies[f"reaction {reaction.name}"] = (reaction.option,)
        for trigger in self.game.enters:
            bodies[f"enters {trigger.zone}"] = (*bodies.get(f"enters {trigger.zone}", ()), *trigger.body)  # type: ignore[misc]
        bodies["whenever"] = tuple(trigger.body for trigger in self.game.whenevers)
        found: frozenset[str] = frozenset()
        while True:
            more = {
                name for name, body in bodies.items() if any(self.can_hide_cards(part, found) for part in walk(body))
            }
            if more == found:
                return found
            found = frozenset(more)

    def can_hide_cards(self, part: object, hiding_names: frozenset[str]) -> bool:
        """Check whether a statement may hide cards. `hiding_names`: the names already known to do so."""
        effects = find_effects(part)
        runs = [*effects.steps, *(f"card's {name}" for name in effects.card_steps)]
        if isinstance(part, g.Announce):
            runs = [f"reaction {each.name}" for each in self.game.reactions if part.name in each.to]
        if runs or isinstance(part, g.Announce):
            runs.append("whenever")
        runs += [f"enters {transfer.to.zone}" for transfer in effects.transfers]
        hidden = [each for each in effects.transfers if not self.card_names.is_public_zone(each.to)]
        return bool(effects.shuffled) or not all(map(can_follow, hidden)) or not hiding_names.isdisjoint(runs)


def can_follow(transfer: CardTransfer) -> bool:
    """Return whether all players can follow which cards move, because they know the order of the piles."""
    if transfer.is_whole:
        return is_followable_by_position(transfer.cards)
    return transfer.position in POSITION_FUNCTIONS
