"""Track the seats that can identify the cards being moved.

A static analysis with variables at run time. For every name of hidden cards that are moved, the program has a
variable with a set of seats: a bit mask. These seats know which cards the name denotes, because they know how the
cards were found, or chose them. When cards become hard to tell apart, the set is narrowed to the players who know
the cards by sight."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from functools import cached_property

from cardlang import game as g
from cardlang.game.walking import walk
from interpreter import lowered as lo
from interpreter.layout import Layout, about_cards
from interpreter.lowering.building import DEEPEST, Statements
from interpreter.lowering.knowers import (
    AMONG,
    ANY,
    CARDS,
    NO_SEATS,
    POSITIONS,
    SEATS,
    Knowers,
    among_of,
    both,
    either,
    is_positional,
    key_of,
    seats_of,
)  # fmt: skip


class Observers(Knowers):
    def __init__(self, layout: Layout) -> None:
        super().__init__(layout)
        self.named: list[tuple[lo.Expr, lo.Local]] = []
        """Names known here: their cards, and the seats that can identify them."""
        self.gone_through: list[g.Var] = []
        """Variables of the enclosing loops over cards."""

    # ------------------------------------------------------------ names
    def is_carried(self, var: g.Var) -> bool:
        return var.id in self.names.carried and about_cards(var.type)

    def note(self, var: g.Var, seats: lo.Expr, among: lo.Expr) -> None:
        """Record the cards of a name. `seats`: the seats that can identify them; `among`: see `possible_cards`."""
        keys = key_of(var, SEATS), key_of(var, AMONG)
        known, held = (self.code.env.get(key) for key in keys)
        if not isinstance(known, lo.Local) or not isinstance(held, lo.Local) or known not in (n for _, n in self.named):
            known, held = self.code.local(lo.NUMBER), self.code.local(CARDS)
            self.named.append((self.as_list(self.code.env[var.id]), known))
        self.emit(lo.Assign(known, seats))
        self.emit(lo.Assign(held, among, copied=not self.stays(among)))
        self.code.env.update(zip(keys, (known, held), strict=True))

    def note_value(self, var: g.Var, value: g.Expr) -> None:
        """Record that a name gets the cards of an expression."""
        if self.is_carried(var):
            self.note(var, self.knowers(value), self.possible_cards(value))

    def note_list(self, stmt: g.Each) -> None:
        """Record the seats that know the list of a loop over cards. The list is fixed from here on."""
        if self.is_carried(stmt.var):
            key = key_of(stmt.var, SEATS), key_of(stmt.var, AMONG)
            known, held = self.code.local(lo.NUMBER), self.code.local(CARDS)
            for local, value in ((known, self.knowers(stmt.list)), (held, self.possible_cards(stmt.list))):
                self.emit(lo.Assign(local, value, copied=local is held and not self.stays(value)))
            if self.can_ask(stmt.list):  # otherwise no player knows the list
                cards = self.code.local(CARDS)
                self.emit(lo.Assign(cards, self.code.items(stmt.list), copied=True))
                self.named.append((cards, known))
            self.code.env.update(zip(key, (known, held), strict=True))

    @contextmanager
    def each_of_list(self, stmt: g.Each) -> Iterator[None]:
        """Record, within a loop over cards, that the seats that know the list know its item."""
        if not self.is_carried(stmt.var):
            yield
            return
        env, key = self.code.env, key_of(stmt.var, SEATS)
        seats, own = env[key], self.code.local(lo.NUMBER)
        self.emit(lo.Assign(own, seats))
        env[key] = own
        self.named.append((self.as_list(env[stmt.var.id]), own))
        self.gone_through.append(stmt.var)
        yield
        self.gone_through.pop()
        env[key] = seats

    def note_choice(self, var: g.Var, domain: g.Domain, who: lo.Expr) -> None:
        """Record cards that a player has chosen. Other players know them only if they see the zone."""
        if self.is_carried(var) and domain.list is not None:
            watchers = lo.Op(lo.NUMBER, "watchers", (self.as_list(self.code.env[var.id]),))
            self.note(var, either(self.only(who), watchers), self.possible_cards(domain.list))

    def note_shown(self, cards: g.Expr, to: lo.Expr | None) -> None:
        """Add the players who are shown the cards of a name to its knowers."""
        if isinstance(cards, g.Joined) and len(cards.items) == 1:
            cards = cards.items[0]
        seats = self.code.env.get(key_of(cards, SEATS)) if isinstance(cards, g.Var) else None
        if isinstance(seats, lo.Local):
            self.emit(lo.Assign(seats, either(seats, self.everybody if to is None else self.only(to))))

    def note_told(self, values: Sequence[g.Expr]) -> None:
        """Add the players who are informed which cards a name denotes to its knowers."""
        if not all(isinstance(value, g.Var) or self.names.is_public(value) for value in values):
            return
        told = [value for value in values if isinstance(value, g.Var) and not self.names.is_public(value)]
        notes = [self.code.env.get(key_of(var, SEATS)) for var in told]
        if told and all(isinstance(each, lo.Local) for each in notes):
            cards = lo.Items(CARDS, tuple(lo.Spread(CARDS, self.as_list(self.code.env[var.id])) for var in told))
            seers = self.at_once(lo.Op(lo.NUMBER, "knowers_of", (cards,)))
            for each in notes:
                if isinstance(each, lo.Local):
                    self.emit(lo.Assign(each, either(each, seers)))

    # ------------------------------------------------------------ passed on to steps
    def notes_of(self, params: Sequence[g.Var]) -> tuple[g.Var, ...]:
        """Return the parameters for notes that a step has in addition to its declared ones."""
        return tuple(note for param in params if self.is_carried(param) for note in (seats_of(param), among_of(param)))

    def handed_notes(self, params: Sequence[g.Var], args: Sequence[g.Expr]) -> tuple[lo.Expr, ...]:
        """Return the arguments for the note parameters of a step. They are evaluated before the step starts."""
        found: list[lo.Expr] = []
        for param, arg in zip(params, args, strict=True):
            if self.is_carried(param):
                found += (self.at_once(self.knowers(arg)), self.at_once(self.possible_cards(arg)))
        return tuple(found)

    def at_once(self, value: lo.Expr) -> lo.Expr:
        if isinstance(value, lo.Const):
            return value
        local = self.code.local(value.kind)
        self.emit(lo.Assign(local, value, copied=value.kind.tag == "list" and not self.stays(value)))
        return local

    def take_notes(self, params: Sequence[g.Var]) -> None:
        """Record the passed notes about a step's parameters as its own."""
        env = self.code.env
        for param in params:
            if key_of(param, AMONG) in env:
                self.note(param, env[key_of(param, SEATS)], env[key_of(param, AMONG)])

    @contextmanager
    def names_apart(self) -> Iterator[None]:
        """Start a function or routine without known names."""
        saved, self.named = self.named, []
        yield
        self.named = saved

    @contextmanager
    def names_within(self) -> Iterator[None]:
        """Forget the names introduced meanwhile."""
        count = len(self.named)
        yield
        del self.named[count:]

    def nested(self, lower: Callable[[], None], body: Sequence[g.Stmt]) -> Statements:
        if self.depth + 1 > DEEPEST:  # it may become a function, which cannot change variables around it
            self.hide(None)
            with self.names_apart():
                return super().nested(lower, body)
        with self.names_within():
            return super().nested(lower, body)

    @contextmanager
    def only_where(self, condition: g.Expr | None) -> Iterator[None]:
        """Make the knowledge of loop items depend on a condition.

        Players who do not know whether it holds cannot tell for which of several cards the code runs."""
        env, knowers = self.code.env, self.knowers(condition) if self.gone_through else self.everybody
        saved = {key: env[key] for var in self.gone_through if (key := key_of(var, SEATS)) in env}
        if knowers != self.everybody:
            for key, seats in saved.items():
                env[key] = local = self.code.local(lo.NUMBER)
                self.emit(lo.Assign(local, self.limited(seats, knowers)))
                self.named += [(cards, local) for cards, known in self.named if known == seats]
        yield
        env.update(saved)

    # ------------------------------------------------------------ moved cards
    def followers(self, to: g.Place, cards: g.Expr) -> tuple[lo.Expr, lo.Expr]:
        """Return the seats that can follow a move, and a public superset of the moved cards."""
        seats = self.everybody if self.names.is_open_zone(to) else self.knowers(cards)
        return seats, ANY if seats == self.everybody else self.possible_cards(cards)

    def drawers(self, to: g.Place, position: str, source: g.Expr) -> tuple[lo.Expr, lo.Expr]:
        """Return the seats and the public superset, as `followers` does, for a draw from an end of a list or at
        random."""
        if position == "random" and not self.names.is_open_zone(to):
            return NO_SEATS, self.possible_cards(source)
        return self.followers(to, source)

    def pickers(self, to: g.Place, who: lo.Expr, cards: g.Expr) -> tuple[lo.Expr, lo.Expr]:
        """Return the seats and the public superset, as `followers` does, for a player's pick. No other player can
        follow it."""
        if self.names.is_open_zone(to):
            return self.everybody, ANY
        return self.only(who), self.possible_cards(cards)

    def before_move(self, followed: lo.Expr, among: lo.Expr, cards: lo.Expr) -> tuple[lo.Expr, lo.Expr]:
        """Narrow the knowledge of names before a move that some players cannot follow."""
        if followed == self.everybody or not self.named:
            return followed, among
        followed, among = self.at_once(followed), self.at_once(among)
        hides = lo.Compare(lo.FLAG, "!=", both(followed, self.everybody), self.everybody)
        with self.where(hides):
            self.hide(cards)
        return followed, among

    def hide(self, moved: lo.Expr | None) -> None:
        """Narrow the knowledge of names because cards in the piles of `moved` become hard to tell apart. None: in
        any piles."""
        for cards, seats in self.named:
            self.emit(lo.Assign(seats, lo.Op(lo.NUMBER, "narrowed", (seats, cards, cards if moved is None else moved))))

    def hide_before(self, stmt: g.Stmt) -> None:
        """Narrow the knowledge of names before code that may make cards hard to tell apart."""
        if self.named and self.part_hides(stmt, self.hiding):
            self.hide(None)

    def hide_by(self, name: str) -> None:
        """Narrow the knowledge of names before the step, reaction or trigger of this name, if `hiding` contains it."""
        if self.named and name in self.hiding:
            self.hide(None)

    @cached_property
    def hiding(self) -> frozenset[str]:
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
            more = {name for name, body in bodies.items() if any(self.part_hides(part, found) for part in walk(body))}
            if more == found:
                return found
            found = frozenset(more)

    def part_hides(self, part: object, hiding: frozenset[str]) -> bool:
        """Check whether a statement may hide cards. `hiding`: the names already known to do so."""
        match part:
            case g.Shuffle():
                return True
            case g.Pick():
                picked = part.position not in POSITIONS and not self.names.is_open_zone(part.to)
                return picked or f"enters {part.to.zone}" in hiding
            case g.Move():
                found = not is_positional(part.what) and not self.names.is_open_zone(part.to)
                return found or f"enters {part.to.zone}" in hiding
            case g.Do():
                return not hiding.isdisjoint((part.step, "whenever"))
            case g.DoBorne():
                return not hiding.isdisjoint((f"card's {part.step}", "whenever"))
            case g.Announce():
                reactions = [each.name for each in self.game.reactions if part.name in each.to]
                return not hiding.isdisjoint(("whenever", *(f"reaction {name}" for name in reactions)))
        return False
