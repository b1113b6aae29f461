"""Static analyses before lowering: work bounds, suspension, list uniqueness.

If a game may exceed the work limit, its iterations over lists are counted during play. In other games they are not.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from math import comb

from cardlang import model as g
from cardlang.model.statement_effects import find_bindings, find_effects
from cardlang.model.traversal import (
    can_passing_end_loop,
    find_reachable_steps,
    has_matching_node,
    iter_bodies,
    iter_declaration_expressions,
    list_children,
    walk,
)
from interpreter.knowledge.hidden_information_analysis import SELECTING_FUNCTIONS

COUNTED_WORK_LIMIT = 1 << 23
"""Number of iterated items from which list iterations within an expression are counted."""
WORK_PER_STEP = 1 << 10
"""Statically known work that counts as one step of the enclosing loop."""
UNKNOWN_RANGE_SIZE = 100
"""Assumed size of a number range whose bounds are known only during play."""
COUNTED_LISTING_WORK = 1 << 16
"""Work from which iterations are counted while the moves of an option are listed."""
MAX_STATIC_WORK = 1 << 17
"""Maximum statically charged work of a loop, if list iterations are counted anyway."""
HAND_READING_WORK = 1000
"""Work of reading a hand by a ranking."""
MAX_UNCOUNTED_SUBSETS = 1 << 10
"""Number of subsets that may go uncounted during play."""
LONG_LOOP_STATEMENTS = g.Each | g.Repeat | g.Do | g.DoBorne
"""Statements that make the loop around them long."""


class WorkEstimator:
    """Maximum work in one game for a player count. `max_work`: the maximum over all expressions examined so far."""

    def __init__(self, game: g.Game, players: int) -> None:
        self.game = game
        self.players = players
        self.definition_sizes: dict[tuple[str, int], int] = {}
        self.definition_work: dict[tuple[str, int], int] = {}
        """Work of each definition, by the number of items of its subject."""
        self.subject_sizes: dict[int, int] = {}
        """For each list variable, its maximum number of items, if known."""
        self.step_work: dict[str, int] = {}
        self.max_work = 0
        self.stored_lists = collect_stored_lists(game)
        self.variable_sizes: dict[int, int] = {}
        for var in sorted(self.stored_lists):  # lists stored earlier come first: later ones are made of them
            self.find_max_variable_size(var)
        for part in (*iter_bodies(game), *iter_declaration_expressions(game)):
            self.estimate_work(part)
        self.is_work_large = self.max_work >= COUNTED_WORK_LIMIT
        """True if an expression of the game may do more work than may go uncounted."""

    # ------------------------------------------------------------ expressions
    def estimate_work(self, part: object) -> int:
        """Return the work of an expression, of a statement or option carried out, or of a tuple of them."""
        if isinstance(part, tuple):
            return sum(map(self.estimate_work, part))
        match part:
            case g.Call():
                work = self.estimate_definition(part) + self.estimate_children(part)
            case g.Filter() | g.Quantified():
                work = self.estimate_work(part.list) + self.find_max_size(part.list) * (
                    1 + self.estimate_work(part.condition)
                )
            case g.MapEach():
                work = self.estimate_work(part.list) + self.find_max_size(part.list) * (
                    1 + self.estimate_work(part.value)
                )
            case g.Sorted() | g.AggBy():
                work = self.estimate_work(part.list) + self.find_max_size(part.list) * (1 + self.estimate_key(part))
            case g.BorneCall():
                borne = self.game.borne_defines[part.define].bodies
                work = self.estimate_work(part.card) + max(self.estimate_work(body.value) for body in borne if body)
            case g.Joined():
                work = self.find_max_size(part) + self.estimate_children(part)
            case g.ReadRanking():
                work = HAND_READING_WORK + self.estimate_children(part)
            case g.Option():
                work = self.estimate_option_work(part)
            case g.Stmt():
                work = self.estimate_statement_work(part)
            case _:
                work = 1 + self.estimate_children(part)
        self.max_work = max(self.max_work, work if isinstance(part, g.Expr | g.Option) else 0)
        return work

    def estimate_children(self, part: object) -> int:
        return sum(self.estimate_work(child) for child in list_children(part) if not isinstance(child, g.Var))

    def estimate_key(self, part: g.Sorted | g.AggBy) -> int:
        if part.order is not None:
            return self.estimate_work(tuple(line.value for line in self.game.orders[part.order].lines))
        if part.key is None or part.var is None:
            return 0
        self.subject_sizes[part.var.id] = self.find_max_item_size(part.list)
        return self.estimate_work(part.key)

    def estimate_definition(self, call: g.Call) -> int:
        known = call.define, self.bind_subject_size(call)
        if known not in self.definition_work:
            self.definition_work[known] = self.estimate_work(self.game.defines[call.define].value)
            self.bind_subject_size(call)
        return self.definition_work[known]

    def bind_subject_size(self, call: g.Call) -> int:
        """Return the number of items of a definition's subject, and store it for its variable."""
        var = self.game.defines[call.define].var
        size = 1 if call.of is None else self.find_max_size(call.of)
        if var is not None and var.type.tag == "list":
            self.subject_sizes[var.id] = size
        return size

    def estimate_option_work(self, option: g.Option) -> int:
        """Return the work of an option: listing its moves, unless that is counted during play, and its body."""
        listing = self.estimate_option_listing(option, UNKNOWN_RANGE_SIZE)
        self.max_work = max(self.max_work, listing)
        return (1 if self.is_option_counted(option) else listing) + self.estimate_work(option.body)

    def estimate_option_listing(self, option: g.Option, unknown_size: int) -> int:
        """Return the work of listing an option: its conditions for every combination of its bindings.

        unknown_size: the assumed number of values in a range of unknown size."""
        work, ways = 0, 1
        for _, domain in option.binders:
            work += ways * self.estimate_children(domain)
            ways *= self.find_domain_size(domain, unknown_size)
        return work + ways * (1 + self.estimate_work(tuple(when for when, _ in option.when)))

    def is_option_counted(self, option: g.Option) -> bool:
        """Check whether the loops over the bindings of an option count as steps while its moves are listed."""
        return len(option.binders) > 1 and self.estimate_option_listing(option, g.MAX_MOVES) >= COUNTED_LISTING_WORK

    def find_domain_size(self, domain: g.Domain, unknown_size: int) -> int:
        """Return the maximum number of values of a binding."""
        if domain.list is not None:
            return self.find_max_size(domain.list)
        low, high = self.find_literal_number(domain.low), self.find_literal_number(domain.high)
        return unknown_size if low is None or high is None else max(0, high - low + 1)

    def find_literal_number(self, value: g.Expr | None) -> int | None:
        """Return a literal number, following definitions; None for any other expression."""
        while isinstance(value, g.Call) and value.of is None:
            value = self.game.defines[value.define].value
        return value.value if isinstance(value, g.Const) and isinstance(value.value, int) else None

    # ------------------------------------------------------------ statements
    def estimate_statement_work(self, stmt: g.Stmt) -> int:
        """Return the work of a statement, without the parts that are counted separately: the rounds of a loop."""
        if isinstance(stmt, g.Repeat) or (isinstance(stmt, g.Each) and is_loop_counted(stmt)):
            self.estimate_children(stmt)
            return 1
        if isinstance(stmt, g.Each):
            return self.estimate_work(stmt.list) + self.find_max_size(stmt.list) * (1 + self.estimate_work(stmt.body))
        if isinstance(stmt, g.Do):
            if stmt.step not in self.step_work:
                self.step_work[stmt.step] = 0
                self.step_work[stmt.step] = self.estimate_work(self.game.steps[stmt.step].body)
            return self.step_work[stmt.step] + self.estimate_children(stmt)
        return 1 + self.estimate_children(stmt)

    def count_round_steps(self, body: Sequence[object]) -> int:
        """Return the number of steps of one round with this body."""
        work = self.estimate_work(tuple(body))
        return 1 + (min(work, MAX_STATIC_WORK) if self.is_work_large else work) // WORK_PER_STEP

    # ------------------------------------------------------------ lists
    def find_max_size(self, items: g.Expr) -> int:
        """Return the maximum number of items of a list."""
        match items:
            case g.SetCards():
                return sum(face.copies for face in self.game.faces if face.set == items.set)
            case g.NamedCards():
                return len(items.faces)
            case g.Members():
                return len(self.game.kinds[items.kind].members)
            case g.Builtin(name="players" | "others" | "winners"):
                return self.players
            case g.Filter() | g.Sorted() | g.AggBy():
                return self.find_max_size(items.list)
            case g.MapEach() if items.value.type.tag == "list" and items.type.item != g.CARD:
                return self.find_max_size(items.list) * self.find_max_size(items.value)
            case g.MapEach() if items.value.type.tag != "list":
                return self.find_max_size(items.list)
            case g.Selections():
                return self.count_selections(items)
            case g.Agg() if items.type.tag == "list":
                return self.find_max_size(items.list)
            case g.Joined():
                return sum(self.find_max_size(item) for item in items.items)
            case g.Call():
                known = items.define, self.bind_subject_size(items)
                if known not in self.definition_sizes:
                    self.definition_sizes[known] = self.find_max_size(self.game.defines[items.define].value)
                return self.definition_sizes[known]
            case g.Var() if items.id in self.subject_sizes:
                return self.subject_sizes[items.id]
            case g.Var() if items.id in self.stored_lists:
                return self.find_max_variable_size(items.id)
        if items.type.tag != "list":
            return 1
        return self.players if items.type.item == g.PLAYER else self.game.cards

    def count_selections(self, selections: g.Selections) -> int:
        """Return the maximum number of ways to choose, up to the limit of uncounted ones."""
        size, ways = self.find_max_size(selections.list), 0
        high = self.find_max_item_size(selections)
        for number in range(self.find_literal_number(selections.low) or 0, min(high, size) + 1):
            ways += comb(size, number)
            if ways > MAX_UNCOUNTED_SUBSETS:
                break
        return min(ways, MAX_UNCOUNTED_SUBSETS)

    def find_max_item_size(self, lists: g.Expr) -> int:
        """Return the maximum number of items of each list within a list."""
        match lists:
            case g.Filter():
                return self.find_max_item_size(lists.list)
            case g.Selections():
                most = self.find_literal_number(lists.high)
                return self.find_max_size(lists.list) if most is None else most
        return self.game.cards

    def find_max_variable_size(self, var: int) -> int:
        if var not in self.variable_sizes:
            self.variable_sizes[var] = max(map(self.find_max_size, self.stored_lists[var]))
        return self.variable_sizes[var]


def collect_stored_lists(game: g.Game) -> dict[int, list[g.Expr]]:
    """Collect, for each variable, the lists that a game stores in it or passes to it as a step's parameter."""
    found: dict[int, list[g.Expr]] = {}
    for part in (part for body in iter_bodies(game) for part in walk(body)):
        for each in find_bindings(game, part):
            if each.kind in ("value", "argument") and each.source is not None and each.var.type.tag == "list":
                found.setdefault(each.var.id, []).append(each.source)
    return found


def is_loop_counted(stmt: g.Each) -> bool:
    """Check whether each round of a loop counts as a step: loops over cards, and loops that run other code."""
    return stmt.var.type.tag == "card" or has_matching_node(
        stmt.body, lambda part: isinstance(part, LONG_LOOP_STATEMENTS)
    )


def has_no_duplicate_cards(game: g.Game, expr: g.Expr) -> bool:
    """Check whether a list, judging by its form, contains no card twice. True for other lists."""
    if isinstance(expr, g.Joined) and len(expr.items) == 1:
        expr = expr.items[0]
    return expr.type != g.build_list_type(g.CARD) or find_distinct_card_zones(game, expr) is not None


def find_distinct_card_zones(game: g.Game, expr: g.Expr) -> frozenset[str] | None:
    """Return the zones of the cards of a list without duplicates; None for any other list."""
    match expr:
        case g.ZoneCards(zone=zone):
            return frozenset((zone,))
        case g.Filter(list=items) | g.Sorted(list=items):
            return find_distinct_card_zones(game, items)
        case g.Agg(function=function, list=items) if function in SELECTING_FUNCTIONS:
            return find_distinct_card_zones(game, items)
        case g.MapEach(list=g.Builtin(), value=g.ZoneCards(zone=zone, of=g.Var() as of), var=var) if of.id == var.id:
            return frozenset((zone,))
        case g.Call(define=name) if game.defines[name].subject != "cards":
            return find_distinct_card_zones(game, game.defines[name].value)
        case g.FirstPossible(lists=lists):
            each = [find_distinct_card_zones(game, one) for one, _ in lists]
            return None if None in each else frozenset(zone for zones in each for zone in zones or ())
        case g.Joined(items=items):
            return unite_disjoint_zones([find_distinct_card_zones(game, item) for item in items])
    return None


def unite_disjoint_zones(parts: list[frozenset[str] | None]) -> frozenset[str] | None:
    """Return the union of disjoint sets of zones; None if they overlap or one is unknown."""
    found: frozenset[str] = frozenset()
    for zones in parts:
        if zones is None or zones & found:
            return None
        found |= zones
    return found


class SuspensionAnalysis:
    def __init__(self, game: g.Game) -> None:
        self.game = game
        self.waiting_steps: set[str] = set()
        self.waiting_card_steps: set[str] = set()
        self.waiting_zones: set[str] = set()
        while self.propagate_waits():
            pass
        parts = [part for body in iter_bodies(game) for part in walk(body)]
        self.call_counts = Counter(step for part in parts for step in find_effects(part).steps)
        self.repeatedly_lowered_steps = self.find_repeatedly_lowered_steps()
        known: dict[str, bool] = {}
        loops = [part for part in parts if isinstance(part, g.Repeat) and part.until_pass and not game.legacy]
        done = {name for loop in loops for name in find_reachable_steps(game, loop.body)}
        self.passing_steps = {name for name in done if can_passing_end_loop(game, game.steps[name].body, known)}
        """Steps in which a pass may end a `repeat until you pass` around them."""

    def propagate_waits(self) -> bool:
        before = len(self.waiting_steps) + len(self.waiting_card_steps) + len(self.waiting_zones)
        for name, step in self.game.steps.items():
            if self.can_any_wait(step.body):
                self.waiting_steps.add(name)
        for name, borne in self.game.borne_steps.items():
            if any(body and self.can_any_wait(body.body) for body in borne.bodies):
                self.waiting_card_steps.add(name)
        for trigger in self.game.enters:
            if self.can_any_wait(trigger.body):
                self.waiting_zones.add(trigger.zone)
        return len(self.waiting_steps) + len(self.waiting_card_steps) + len(self.waiting_zones) > before

    def can_any_wait(self, body: object) -> bool:
        return any(map(self.waits_for_player_itself, walk(body)))

    def can_wait_for_player(self, stmt: g.Stmt) -> bool:
        return self.can_any_wait((stmt,))

    def waits_for_player_itself(self, part: object) -> bool:
        """Check whether a statement itself may stop, regardless of its body."""
        effects = find_effects(part)
        return (
            effects.waits
            or not self.waiting_steps.isdisjoint(effects.steps)
            or not self.waiting_card_steps.isdisjoint(effects.card_steps)
            or any(transfer.to.zone in self.waiting_zones for transfer in effects.transfers)
        )

    def find_repeatedly_lowered_steps(self) -> set[str]:
        """Return the steps called from code that may be lowered several times or has frames of its own."""
        inside: list[tuple[object, ...]] = [
            body.body for borne in self.game.borne_steps.values() for body in borne.bodies if body
        ]
        inside += [(reaction.option,) for reaction in self.game.reactions]
        inside += [trigger.body for trigger in self.game.enters]
        inside += [trigger.body for trigger in self.game.whenevers]
        return {step for body in inside for part in walk(body) for step in find_effects(part).steps}

    def is_called_once(self, step: str) -> bool:
        return self.call_counts[step] <= 1 and step not in self.repeatedly_lowered_steps
