"""Static analysis of common knowledge, secret choices and private reveals.

It finds control flow and owners that depend on hidden information.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from functools import cached_property

from cardlang import model as g
from cardlang.diagnostics import Span
from cardlang.model.simultaneous_choice_conflicts import can_choices_conflict
from cardlang.model.statement_effects import Binding, find_bindings
from cardlang.model.traversal import collect_all_nodes, iter_bodies, list_children, uses_variable, walk
from cardlang.model.types import is_card_type

STATEMENT_BLOCKS = ("body", "then", "otherwise")
"""Fields in which statements contain statements."""


class SecretChoices:
    """Secret choices of one game, without its cards and players."""

    def __init__(self, game: g.Game) -> None:
        self.game = game
        self.has_secrets = any(track.secret for track in game.tracks.values())

    @cached_property
    def secret_variables(self) -> frozenset[int]:
        """Variables whose chosen values flow only into secret tracks. Only the player who chose may see them."""
        if not self.has_secrets:
            return frozenset()
        chosen = {choose.var.id for choose, rest in self.iterate_choices() if self.is_choice_secret(choose, rest)}
        bound = {
            var.id
            for option in self.iterate_options()
            for var, _ in option.binders
            if self.is_binding_secret(option, var)
        }
        return frozenset(chosen | bound)

    @cached_property
    def rechecked_places(self) -> set[Span]:
        """Places of simultaneous choices and options for which all players learn whether they were still possible."""
        if self.game.legacy:
            return set()
        every = (part for whole in iter_bodies(self.game) for part in walk(whole))
        found = [
            each
            for each in every
            if isinstance(each, g.Each) and each.together and can_choices_conflict(self.game, each)
        ]
        return {part.span for each in found for part in walk(each.body) if isinstance(part, g.Choose | g.Option)}

    def iterate_choices(self) -> Iterator[tuple[g.Choose, Sequence[g.Stmt]]]:
        """Yield every choice of a value, with the statements after it in its block."""
        for block in self.iterate_blocks():
            for at, stmt in enumerate(block):
                if isinstance(stmt, g.Choose) and stmt.span not in self.rechecked_places:
                    yield stmt, block[at + 1 :]

    def iterate_blocks(self) -> Iterator[tuple[g.Stmt, ...]]:
        for whole in iter_bodies(self.game):
            yield tuple(stmt for stmt in whole if isinstance(stmt, g.Stmt))
            for part in walk(whole):
                yield from get_statement_blocks(part)

    def iterate_options(self) -> Iterator[g.Option]:
        for whole in iter_bodies(self.game):
            yield from (p for p in walk(whole) if isinstance(p, g.Option) and p.span not in self.rechecked_places)

    # ------------------------------------------------------------ flow of a value
    def is_choice_secret(self, choose: g.Choose, rest: Sequence[g.Stmt]) -> bool:
        return is_nonempty_and_true(self.iterate_uses(choose.var, choose.body or rest))

    def is_binding_secret(self, option: g.Option, var: g.Var) -> bool:
        shown = (option.costs, [domain for other, domain in option.binders if other.id != var.id])
        return not any(uses_variable(tuple(part), var) for part in shown) and is_nonempty_and_true(
            self.iterate_uses(var, option.body)
        )

    def iterate_uses(self, var: g.Var, block: Sequence[g.Stmt]) -> Iterator[bool]:
        """Yield, for each use of a variable in a block, whether its value stays secret."""
        for at, stmt in enumerate(block):
            if uses_variable(stmt, var):
                yield from self.iterate_statement_uses(var, stmt, block[at + 1 :])

    def iterate_statement_uses(self, var: g.Var, stmt: g.Stmt, rest: Sequence[g.Stmt]) -> Iterator[bool]:
        inner = get_statement_blocks(stmt)
        match stmt:
            case g.Remember():
                yield from self.iterate_uses(stmt.var, rest)
            case g.Do() if stmt.of is None or not uses_variable(stmt.of, var):
                step = self.game.steps[stmt.step]
                for param, value in zip(step.params, stmt.args, strict=True):
                    if uses_variable(value, var):
                        yield from self.iterate_uses(param, step.body)
            case g.Choose() if not uses_variable(stmt.who, var):
                asked = (stmt.low, stmt.high, stmt.domain, stmt.provided)
                if uses_variable(asked, var):
                    yield self.is_choice_secret(stmt, rest)
                yield from self.iterate_uses(var, stmt.body)
                yield from self.iterate_uses(var, stmt.otherwise)
            case g.If() | g.Each() | g.Repeat() if not uses_variable(get_head_expressions(stmt), var):
                for block in inner:
                    yield from self.iterate_uses(var, block)
            case _:
                yield self.has_only_secret_effects(stmt)

    # ------------------------------------------------------------ invisible effects
    def has_only_secret_effects(self, stmt: g.Stmt) -> bool:
        """Check whether a statement changes only secret values."""
        match stmt:
            case g.SetTrack():
                return self.game.tracks[stmt.track].secret
            case g.Remember():
                return True
            case g.Do():
                return all(map(self.has_only_secret_effects, self.game.steps[stmt.step].body))
            case g.If() | g.Each() | g.Repeat():
                return all(
                    self.has_only_secret_effects(inner) for block in get_statement_blocks(stmt) for inner in block
                )
        return False

    def find_indistinguishable_options(self, options: Sequence[g.Option]) -> set[int]:
        """Return the indices of options with indistinguishable effects; empty if none of them has an effect."""
        if not self.has_secrets:
            return set()
        quiet = {
            at
            for at, each in enumerate(options)
            if not each.costs
            and all(map(self.has_only_secret_effects, each.body))
            and each.span not in self.rechecked_places
        }
        return quiet if any(options[at].body for at in quiet) else set()


def is_nonempty_and_true(found: Iterator[bool]) -> bool:
    """Check whether there are values, and all of them are true."""
    values = list(found)
    return bool(values) and all(values)


def get_statement_blocks(part: object) -> list[tuple[g.Stmt, ...]]:
    """Return the blocks of statements directly in a statement or an option."""
    return [block for name in STATEMENT_BLOCKS if (block := getattr(part, name, ()))]


def get_head_expressions(stmt: g.If | g.Each | g.Repeat) -> tuple[g.Expr | None, ...]:
    """Return the expressions that a statement evaluates before its blocks."""
    match stmt:
        case g.If():
            return (stmt.condition,)
        case g.Each():
            return (stmt.list, stmt.start, stmt.condition)
        case g.Repeat():
            return (stmt.until, stmt.most)


class CommonKnowledge:
    """Common knowledge in one game, without its cards and players."""

    def __init__(self, game: g.Game) -> None:
        self.game = game
        self.secrecy = SecretChoices(game)
        self.hidden_variables: frozenset[int] | None = None
        """Variables whose values some players do not know, once computed."""

    def is_public(self, expr: object) -> bool:
        """Check whether all players know the value of an expression. No player knows a fresh random value."""
        if isinstance(expr, g.IsEmpty) and self.has_public_size(expr.value):
            return True
        if isinstance(expr, g.Agg) and expr.function == "count" and self.has_public_size(expr.list):
            return True
        return self.is_part_public(expr) and all(self.is_public(part) for part in list_children(expr))

    def has_public_size(self, items: g.Expr) -> bool:
        """Check whether these are whole zones, whose sizes are public."""
        match items:
            case g.ZoneCards():
                return all(owner is None or self.is_public(owner) for owner in (items.of, items.second))
            case g.Joined():
                return all(self.has_public_size(item) for item in items.items)
            case g.MapEach(value=g.ZoneCards()):
                return self.is_public(items.list) and self.has_public_size(items.value)
        return False

    def is_part_public(self, part: object) -> bool:
        match part:
            case g.ZoneCards():
                return self.game.zones[part.zone].viewer == "everyone"
            case g.TrackValue():
                return not self.game.tracks[part.track].secret
            case g.Var():
                return part.id not in self.find_hidden_variables()
            case g.Target() if not self.game.legacy:
                return self.announced_variables[part.name].id not in self.find_hidden_variables()
            case g.Call():
                return self.is_public(self.game.defines[part.define].value)
            case g.BorneCall():
                bodies = self.game.borne_defines[part.define].bodies
                return all(self.is_public(body.value) for body in bodies if body)
            case g.Agg():
                return part.function != "random"
            case g.Sorted(order=str(name)) | g.AggBy(order=str(name)):
                return all(map(self.is_public, self.game.orders[name].lines))
            case g.Builtin(name="above" | "below"):  # the card may have moved since it was named
                return all(zone.viewer == "everyone" for zone in self.game.zones.values())
            case g.SetCards() | g.ReadRanking():
                return False
        return True

    def find_hidden_variables(self) -> frozenset[int]:
        """Return the variables with hidden values: stored, chosen or passed on from hidden sources, or chosen in
        secret."""
        if self.hidden_variables is None:
            self.hidden_variables, sources = self.secrecy.secret_variables, list(self.iterate_sources())
            while fresh := {
                var for var, value in sources if var not in self.hidden_variables and not self.is_public(value)
            }:
                self.hidden_variables |= fresh
        return self.hidden_variables

    def iterate_sources(self) -> Iterator[tuple[int, g.Expr]]:
        """Yield variables with the sources of their values.

        Chosen numbers and players are public unless they are secret."""
        for each, source in self.bindings_with_sources:
            if each.kind != "bearer" and (each.kind != "choice" or is_card_type(each.var.type)):
                yield each.var.id, source

    @cached_property
    def bindings_with_sources(self) -> list[tuple[Binding, g.Expr]]:
        """All bindings of variables that have a source of their values, with this source."""
        parts = list(collect_all_nodes(self.game))
        bindings = [each for part in parts for each in find_bindings(self.game, part)]
        bindings += [
            Binding(self.announced_variables[name], "argument", value)
            for part in parts
            if isinstance(part, g.Announce)
            for name, value in part.values.items()
        ]
        return [(each, each.source) for each in bindings if each.source is not None]

    @cached_property
    def announced_variables(self) -> dict[str | None, g.Var]:
        """A variable for each value that reactions read from announcements, by its name (None: the target)."""
        targets = {part.name: part for part in collect_all_nodes(self.game) if isinstance(part, g.Target)}
        announcements = [part for part in collect_all_nodes(self.game) if isinstance(part, g.Announce)]
        sources = {name: value for part in announcements for name, value in part.values.items()}
        return {
            name: g.Var(each.type, each.span, ANNOUNCED_VARIABLES + number, name or "target")
            for number, (name, each) in enumerate({**sources, **targets}.items())
        }

    def find_variable(self, expr: g.Expr) -> g.Var | None:
        """Return the variable that an expression is; for a value of an announcement, its variable."""
        return (
            expr
            if isinstance(expr, g.Var)
            else self.announced_variables[expr.name]
            if isinstance(expr, g.Target)
            else None
        )

    def find_variables(self, expr: g.Expr) -> set[int]:
        """Return the variables in an expression, including those in `announced_variables`."""
        found = (self.find_variable(part) for part in walk((expr,)) if isinstance(part, g.Expr))
        return {var.id for var in found if var is not None}


ANNOUNCED_VARIABLES = 1 << 30
"""First number of the variables for values of announcements. Variables of the rules have smaller numbers."""
ANNOUNCEMENT_VARIABLES = {-1, -2}
"""Variables that hold the address of the announcement a reaction responds to."""


def find_free_variables(expr: g.Expr) -> set[int]:
    """Return the free variables of an expression, including the address of an announcement that it reads."""
    used, bound = set(), set()
    for part in walk((expr,)):
        if isinstance(part, g.Var):
            used.add(part.id)
        elif isinstance(part, g.Actor | g.Target):
            used |= ANNOUNCEMENT_VARIABLES
        if isinstance(part, g.Filter | g.MapEach | g.Quantified | g.Sorted | g.AggBy) and part.var is not None:
            bound.add(part.var.id)
    return used - bound


# ---------------------------------------------------------------- from the rules
def find_logged_hidden_variables(game: g.Game) -> frozenset[int]:
    """Return the hidden variables that the rules log, directly or through other variables."""
    tells = [part for body in iter_bodies(game) for part in walk(body) if isinstance(part, g.Tell)]
    if not tells:
        return frozenset()
    common = CommonKnowledge(game)
    hidden, sources = common.find_hidden_variables(), list(common.iterate_sources())
    todo = [var for tell in tells for value in tell.values for var in find_free_variables(value)]
    found: set[int] = set()
    while todo:
        var = todo.pop()
        if var in hidden and var not in found:
            found.add(var)
            todo += [each for source, value in sources if source == var for each in find_free_variables(value)]
    return frozenset(found)


SELECTING_FUNCTIONS = ("first", "last", "top", "bottom", "random", "reverse", "distinct")
"""Functions that take a publicly known number of cards from a pile."""


class PrivateRevealAnalysis:
    """Analysis of a game's private reveals.

    `hidden_reveals`: statements that reveal cards to one player, if hidden information decides whether they run, or
    from which pile they reveal.
    """

    def __init__(self, common: CommonKnowledge) -> None:
        self.common = common
        self.game = common.game
        self.hidden_reveals: set[g.Reveal] = set()
        self.hidden_steps: set[str] = set()
        """Steps that hidden information decides to run, or whose player it decides."""
        self.analyze()

    def analyze(self) -> None:
        """Scan the game until a fixed point, because a later step can run an earlier one."""
        known = -1
        while known < len(self.hidden_steps):
            known = len(self.hidden_steps)
            for step in self.game.steps.values():
                self.scan_parts(step.body, step.name in self.hidden_steps)
            for borne in self.game.borne_steps.values():
                for each in borne.bodies:
                    self.scan_parts(each.body if each else (), borne.name in self.hidden_steps)
            self.scan_parts([reaction.option for reaction in self.game.reactions], False)
            for enters in self.game.enters:
                self.scan_parts(enters.body, False)
            for whenever in self.game.whenevers:
                self.scan_parts(whenever.body, not self.common.is_public(whenever.condition))

    def scan_parts(self, parts: Iterable[object], is_hidden: bool) -> None:
        """Scan parts of the game. `is_hidden`: hidden information decides whether they run."""
        for part in parts:
            if (
                isinstance(part, g.Reveal)
                and part.to is not None
                and (is_hidden or not self.has_known_owners(part.cards))
            ):
                self.hidden_reveals.add(part)
            if isinstance(part, g.Do | g.DoBorne) and (is_hidden or not self.has_only_public(part.of)):
                self.hidden_steps.add(part.step)
            self.scan_parts(list_children(part), is_hidden or self.is_run_by_hidden(part))

    def is_run_by_hidden(self, part: object) -> bool:
        """Return whether hidden information decides how often the body of a statement runs."""
        match part:
            case g.If():
                return not self.has_only_public(part.condition)
            case g.Repeat():
                return not self.has_only_public(part.until, part.most)
            case g.Each():
                size_is_known = self.common.has_public_size(part.list) or self.common.is_public(part.list)
                return not size_is_known or not self.has_only_public(part.condition)
        return False

    def has_only_public(self, *values: g.Expr | None) -> bool:
        return all(value is None or self.common.is_public(value) for value in values)

    # ------------------------------------------------------------ location of the cards
    def has_known_owners(self, cards: g.Expr) -> bool:
        """Return whether all players know the owners of these cards.

        The number of cards must be known as well, if it is independent of cards.
        """
        if isinstance(cards, g.Joined):
            return all(map(self.has_known_owners, cards.items))
        return self.common.is_public(cards) or self.common.has_public_size(cards) or self.is_from_known_pile(cards)

    def is_from_known_pile(self, cards: g.Expr) -> bool:
        """Return whether these cards are from one pile that all players know."""
        match cards:
            case g.ZoneCards():
                return self.has_only_public(cards.of, cards.second)
            case g.Joined(items=(item,)):
                return self.is_from_known_pile(item)
            case g.Filter():
                return self.is_from_known_pile(cards.list) and not self.has_secret_read(cards.condition)
            case g.Sorted() | g.AggBy():
                return self.is_from_known_pile(cards.list)
            case g.Agg(function=function) if function in SELECTING_FUNCTIONS:
                return self.is_from_known_pile(cards.list) and self.has_only_public(cards.number)
            case g.Call():
                whole = self.game.defines[cards.define].value
                return self.has_only_public(cards.of, cards.second) and self.is_from_known_pile(whole)
            case g.Var():
                sources = [value for var, value in self.common.iterate_sources() if var == cards.id]
                return bool(sources) and all(map(self.is_from_known_pile, sources))
        return False

    def has_secret_read(self, value: object) -> bool:
        for part in walk((value,)):
            if isinstance(part, g.TrackValue) and self.game.tracks[part.track].secret:
                return True
            if isinstance(part, g.Var) and part.id in self.common.find_hidden_variables():
                return True
            if isinstance(part, g.Call) and self.has_secret_read(self.game.defines[part.define].value):
                return True
        return False
