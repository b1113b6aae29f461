"""Validation of deserialised games: scopes and types.

The codec has checked the form of each part. A resolved game is always valid.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from fractions import Fraction
from math import prod

from cardlang import model as g
from cardlang.diagnostics.source_limits import MAX_PLAYERS, MAX_STATE_SLOTS
from cardlang.model.statement_effects import find_effects
from cardlang.model.traversal import NODES, collect_all_nodes, walk

FIELD_TYPES = {
    "list": "list", "condition": "flag", "until": "flag", "provided": "flag", "low": "number", "high": "number",
    "most": "number", "number": "number", "who": "player", "player": "player", "actor": "player", "card": "card",
    "what": "cards", "cards": "cards", "source": "cards", "beside": "reading",
}  # fmt: skip
"""Required types of expressions in fields, by name. A field may be None."""
SPECIAL_FIELD_TYPES: dict[type, dict[str, str]] = {
    g.Reveal: {"to": "player"},
    g.DoBorne: {"of": "player"},
    g.Worth: {"value": "member"},
    g.Whole: {"value": "number"},
    g.Not: {"value": "flag"},
    g.And: {"left": "flag", "right": "flag"},
    g.Or: {"left": "flag", "right": "flag"},
    g.Arith: {"left": "number", "right": "number"},
}
"""Required types of expressions in more fields, by class."""
FLAG_EXPRESSIONS = (g.IsSet, g.IsReading, g.IsEmpty, g.IsAbsent, g.IsIn, g.Quantified, g.Compare, g.And, g.Or, g.Not)
BUILTIN_OWNER_TYPES = {
    "left": "player", "right": "player", "others": "player", "seat": "player", "owner": "", "title": "",
    "above": "card",
    "below": "card", "used": "reading", "rest": "reading", "wilds": "reading",
}  # fmt: skip
"""Builtins that take an argument, and its type; empty if several types are possible."""


class InvalidGameError(ValueError):
    """Error: a part of a game contradicts the rest of it."""


def require(condition: bool, message: str) -> None:
    if not condition:
        raise InvalidGameError(message)


def matches_type_name(type_: g.Type, type_name: str) -> bool:
    if type_name == "cards":
        return type_.tag == "card" or (type_.tag == "list" and type_.item is not None and type_.item.tag == "card")
    return type_.tag in (type_name, "nothing")


def check_constant(game: g.Game, type_: g.Type, value: g.Value, description: str) -> None:
    """Check a constant, or a value of a column, against its type."""
    if value is None:
        require(type_.maybe, f"{description} cannot be nothing")
        return
    match type_.tag:
        case "member":
            fits = type(value) is int and 0 <= value < len(game.kinds[str(type_.of)].members)
        case "number":
            fits = isinstance(value, int | Fraction) or value == g.UNLIMITED
        case "text":
            fits = isinstance(value, str)
        case "flag":
            fits = value in (0, 1)
        case "player":
            fits = type(value) is int and 0 <= value < MAX_PLAYERS
        case _:
            fits = False
    require(fits, f"{description} is {value!r}, which is not a {type_.tag}")


def check_part_types(game: g.Game, part: object) -> None:
    """Check the types of the expressions in a part. Raise `InvalidGameError` if a type does not fit."""
    for name, wanted in (FIELD_TYPES | SPECIAL_FIELD_TYPES.get(type(part), {})).items():
        found = getattr(part, name, None)
        if isinstance(found, g.Expr):
            require_type(found, wanted)
    if isinstance(part, g.Expr):
        tag = find_declared_tag(game, part)
        require(tag in (None, part.type.tag), f"{part.span}: this is a {tag}, not a {part.type.tag}")
    if isinstance(part, g.Const):
        check_constant(game, part.type, part.value, f"{part.span}: this")
    check_owner_argument(game, part)
    check_type_pairs(game, part)


def require_type(expression: g.Expr, type_name: str) -> None:
    require(
        matches_type_name(expression.type, type_name),
        f"{expression.span}: expected a {type_name}, not a {expression.type.tag}",
    )


def are_types_compatible(first: g.Type | None, second: g.Type | None) -> bool:
    """Return whether two types are compatible, so that their values are interchangeable."""
    if first is None or second is None or "nothing" in (first.tag, second.tag):
        return True
    if first.tag == "list" == second.tag:
        return are_types_compatible(first.item, second.item)
    return first.tag == second.tag


def check_type_pairs(game: g.Game, part: object) -> None:
    """Check pairs of types in a part that have to be compatible."""
    pairs: Iterable[tuple[g.Type | None, g.Type | None]]
    match part:
        case g.Filter() | g.Quantified() | g.MapEach() | g.Each() | g.Offer():
            pairs = [(part.var.type, part.list.type.item)]
        case g.Sorted() | g.AggBy() if part.var is not None:
            pairs = [(part.var.type, part.list.type.item)]
        case g.SetTrack():
            pairs = [(part.value.type, game.tracks[part.track].type)]
        case g.Remember():
            pairs = [(part.var.type, part.value.type)]
        case g.Track():
            pairs = [(part.start.type, part.type)]
        case g.Define():
            pairs = [(part.value.type, part.type)]
        case g.Choose() if part.domain.list is not None:
            pairs = [((part.var.type.item or part.var.type), part.domain.list.type.item)]
        case g.Compare():
            pairs = [(part.left.type, part.right.type)]
        case g.IsIn():
            pairs = [(part.value.type, part.list.type.item)]
        case g.Joined():
            pairs = [(each.type.item or each.type, part.type.item) for each in part.items]
        case g.Cases():
            pairs = [(value.type, part.type) for value, _ in part.cases]
        case g.FirstPossible():
            pairs = [(each.type, part.type) for each, _ in part.lists]
        case g.Do():
            step = game.steps[part.step]
            require(len(part.args) == len(step.params), f"{part.span}: `{part.step}` takes {len(step.params)} values")
            require((part.of is None) == (step.you is None), f"{part.span}: wrong player for `{part.step}`")
            pairs = [(arg.type, var.type) for arg, var in zip(part.args, step.params, strict=True)]
        case g.Agg(function="total"):
            pairs = [(part.list.type.item, g.NUMBER)]
        case _:
            return
    where = part.origin.name if isinstance(part, g.Track | g.Define) else part.span
    for one, other in pairs:
        tags = f"{one and one.tag} and {other and other.tag}"
        require(are_types_compatible(one, other), f"{where}: {tags} do not go together")


def check_owner_argument(game: g.Game, part: object) -> None:
    """Check that a zone, track or definition has owners exactly if it is declared with them."""
    declared: g.Zone | g.Track | g.Define
    match part:
        case g.ZoneCards() | g.Place():
            declared = game.zones[part.zone]
        case g.TrackValue() | g.SetTrack():
            declared = game.tracks[part.track]
        case g.Call():
            declared = game.defines[part.define]
        case g.Builtin():
            require((part.of is None) == (part.name not in BUILTIN_OWNER_TYPES), f"{part.span}: wrong owner")
            if part.of is not None and BUILTIN_OWNER_TYPES[part.name]:
                require_type(part.of, BUILTIN_OWNER_TYPES[part.name])
            return
        case _:
            return
    require((part.of is None) == (declared.subject is None), "wrong owner")
    require((part.second is None) == (declared.second is None), "wrong second owner")
    if part.second is not None and declared.second is not None and part.second.type.tag != "list":
        require_type(part.second, find_owner_tag(game, declared.second))
    if isinstance(part, g.Place) and part.each:
        require(part.of is not None and part.of.type.tag == "list", "expected a list of players")
    elif part.of is not None and declared.subject is not None:
        require_type(part.of, find_owner_tag(game, declared.subject))


def find_owner_tag(game: g.Game, subject: str) -> str:
    """Return the type tag of the owners of a declaration."""
    return subject if subject in ("player", "card", "cards") else "member" if subject in game.kinds else "reading"


def find_declared_tag(game: g.Game, part: g.Expr) -> str | None:
    """Return the type tag that the declarations give an expression; None if any tag is allowed."""
    match part:
        case g.TrackValue():
            return game.tracks[part.track].type.tag
        case g.Call():
            return game.defines[part.define].type.tag
        case g.BorneCall():
            return game.borne_defines[part.define].type.tag
        case g.Attribute():
            return game.columns[part.attribute].type.tag
        case g.ZoneCards():
            return "card" if game.zones[part.zone].single else "list"
        case g.SetCards() | g.Members() | g.Filter() | g.MapEach() | g.Joined() | g.Sorted():
            return "list"
        case g.ReadRanking():
            return "reading"
        case g.Arith() | g.Whole() | g.Worth():
            return "number"
    return "flag" if isinstance(part, FLAG_EXPRESSIONS) else None


# ---------------------------------------------------------------- whole games
VARIABLE_SCOPES: dict[type, tuple[tuple[str, ...], tuple[str, ...]]] = {
    g.Filter: (("var",), ("condition",)),
    g.MapEach: (("var",), ("value",)),
    g.Sorted: (("var",), ("key",)),
    g.AggBy: (("var",), ("key",)),
    g.Quantified: (("var",), ("condition",)),
    g.Group: (("var",), ("condition",)),
    g.Wild: (("var",), ("condition",)),
    g.Track: (("var", "second_var"), ("start",)),
    g.Define: (("var", "second_var"), ("value",)),
    g.BorneBody: (("var", "owner"), ("value",)),
    g.Order: (("var",), ("lines",)),
    g.Ranking: (("var", "least_var"), ("ties", "least")),
    g.Step: (("you", "params"), ("body",)),
    g.BorneStepBody: (("card", "you"), ("body",)),
    g.Reaction: (("you",), ("option",)),
    g.Enters: (("card", "you"), ("body",)),
}
"""Variables that a class other than a statement binds, and the fields in which they are in scope."""
DECLARATION_TABLES = (
    "tracks", "defines", "borne_defines", "orders", "rankings", "steps", "borne_steps", "reactions", "enters",
    "whenevers",
)  # fmt: skip
VariableTags = dict[int, str]
"""Variables in scope: type tags by id."""


def validate_game(game: g.Game) -> None:
    """Validate a game. Raise `InvalidGameError` if a part contradicts the rest."""
    check_counts(game)
    check_cycles(game)
    checker = GameValidator(game)
    for table in DECLARATION_TABLES:
        found = getattr(game, table)
        for each in found.values() if isinstance(found, dict) else found:
            checker.check_declaration(each)
    for example in game.examples:
        checker.check_example(example)
    options = {part.name for part in collect_all_nodes(game) if isinstance(part, g.Option)}
    for role in game.roles:
        number = game.defines.get(role.name) or game.tracks.get(role.name)
        is_number = number is not None and (number.type.tag, number.subject) == ("number", g.ROLE_OWNERS.get(role.role))
        require(
            role.name in options if role.role in g.OPTION_ROLES else is_number, f"{role.name} cannot be {role.role}"
        )


# ---------------------------------------------------------------- counts
def check_counts(game: g.Game) -> None:
    seats = game.seats
    require(bool(seats) and list(seats) == sorted(set(seats)), "the numbers of players are not in order")
    require(seats[0] >= 1 and seats[-1] <= MAX_PLAYERS, f"a game is for 1 to {MAX_PLAYERS} players")
    require("play" in game.steps, "there is no step `play`")
    first = 0
    for number, face in enumerate(game.faces):
        require((face.number, face.first) == (number, first) and face.copies > 0, f"face {number} has a wrong count")
        first += face.copies
    for kind in game.kinds.values():
        check_kind(game, kind)
    for column in game.columns.values():
        require(len(column.values) == len(game.faces), f"`{column.name}` does not have one value for each face")
        for value in column.values:
            check_constant(game, column.type, value, f"`{column.name}`")
    for part in collect_all_nodes(game):
        if isinstance(part, g.Tell):
            require(len(part.words) == len(part.values) + 1, f"{part.span}: words and values must alternate")
        if isinstance(part, g.Option) and (part.called or part.called_with):
            require(len(part.called) == len(part.called_with) + 1, f"{part.span}: words and values must alternate")
    declared: list[g.Zone | g.Track] = [*game.zones.values(), *game.tracks.values()]
    slots = sum(count_slots(game, each) for each in declared)
    require(slots <= MAX_STATE_SLOTS, f"more than {MAX_STATE_SLOTS:,} zones and numbers")
    bodies = {name: len(each.bodies) for name, each in game.borne_defines.items()}
    bodies |= {name: len(each.bodies) for name, each in game.borne_steps.items()}
    for name, count in bodies.items():
        require(count == len(game.faces), f"`{name}` does not have one body for each face")


def check_kind(game: g.Game, kind: g.Kind) -> None:
    require(bool(kind.members), f"{kind.name} has no members")
    if kind.includes is not None:
        wide = game.kinds[kind.includes].members
        require(
            wide == kind.members[: len(wide)] or have_same_member_names(wide, kind.members),
            f"{kind.name} does not begin with the kind it includes",
        )
        require(
            len(wide) <= len(kind.members) and kind.includes != kind.name, f"{kind.name} includes more than its values"
        )


def have_same_member_names(wide: tuple[g.Member, ...], narrow: tuple[g.Member, ...]) -> bool:
    return [each.name for each in wide] == [each.name for each in narrow[: len(wide)]]


def count_owners(game: g.Game, subject: str | None, seats: int) -> int:
    """Return the number of owners of a zone or number; 1 for the table."""
    if subject in game.kinds:
        return len(game.kinds[subject].members)
    return {"player": seats, "card": game.cards}.get(subject or "", 1)


def count_slots(game: g.Game, declared: g.Zone | g.Track) -> int:
    """Return how many zones or values a declaration makes: one for each owner."""
    return prod(count_owners(game, subject, max(game.seats)) for subject in (declared.subject, declared.second))


# ---------------------------------------------------------------- cyclic definitions
def check_cycles(game: g.Game) -> None:
    """Check that no definition, step or kind depends on itself, by removing leaves of the dependency graph."""
    needs: dict[tuple[str, str], list[tuple[str, str]]] = {}
    for name, define in game.defines.items():
        needs["define", name] = list(find_called_definitions((define.value,)))
    for name, borne in game.borne_defines.items():
        needs["borne", name] = list(find_called_definitions(tuple(body.value for body in borne.bodies if body)))
    for name, step in game.steps.items():
        needs["step", name] = [("step", each) for part in walk(step.body) for each in find_effects(part).steps]
    for name, kind in game.kinds.items():
        needs["kind", name] = [("kind", kind.includes)] if kind.includes else []
    while leaves := [key for key, needed in needs.items() if not any(each in needs for each in needed)]:
        for key in leaves:
            del needs[key]
    require(not needs, f"`{next((name for _, name in needs), '')}` needs itself")


def find_called_definitions(parts: tuple[object, ...]) -> Iterator[tuple[str, str]]:
    for part in walk(parts):
        if isinstance(part, g.Call):
            yield "define", part.define
        elif isinstance(part, g.BorneCall):
            yield "borne", part.define


# ---------------------------------------------------------------- expressions and statements
class GameValidator:
    """Scope and type checker of all parts of a game."""

    def __init__(self, game: g.Game) -> None:
        self.game = game
        self.is_in_reaction = False
        self.shared_names = {
            name for part in collect_all_nodes(game) if isinstance(part, g.Announce) for name, _ in part.shared
        }

    def check_declaration(self, part: object) -> None:
        self.is_in_reaction = isinstance(part, g.Reaction)
        for each in part.bodies if isinstance(part, g.BorneDefine | g.BorneStep) else (part,):
            if each is not None:
                self.check_part(each, {})

    def check_example(self, example: g.Example) -> None:
        self.is_in_reaction = False
        seats = len(example.players)
        require(seats in self.game.seats, f"the example {example.title!r} has {seats} players")
        for line in example.lines:
            match line:
                case g.Given():
                    for fact in line.facts:
                        self.check_given_fact(fact, seats)
                case g.Doing():
                    self.check_part(line.statement, {})
                case g.Expecting():
                    self.check_part(line, {})
                case g.Answer() | g.ExpectingMoves():
                    require(0 <= line.player < seats, f"{line.span}: there is no such player")

    def check_given_fact(self, fact: g.GivenTrack | g.GivenZone, seats: int) -> None:
        declared = self.game.tracks[fact.track] if isinstance(fact, g.GivenTrack) else self.game.zones[fact.zone]
        for subject, owner in ((declared.subject, fact.of), (declared.second, fact.second)):
            fits = owner is None if subject is None else owner in range(count_owners(self.game, subject, seats))
            require(fits, f"{fact.span}: wrong owner for {declared.name}")
        if isinstance(fact, g.GivenTrack):
            self.check_field_value(fact.value, {})

    def check_part(self, part: object, variables: VariableTags) -> None:
        kind = type(part)
        if isinstance(part, g.Var):
            require(variables.get(part.id) == part.type.tag, f"{part.span}: unknown name {part.name!r}")
            return
        check_part_types(self.game, part)
        self.check_reaction_part(part)
        bound, inside = VARIABLE_SCOPES.get(kind, ((), ()))
        bindings = find_effects(part).bindings
        inside += tuple(name for each in bindings for name in each.scope)
        own = [*(getattr(part, name) for name in bound), *(each.var for each in bindings)]
        within = self.bind_variables(own, variables) if own else variables
        if isinstance(part, g.Option):
            within = variables = self.bind_option_variables(part, variables)
        for name in NODES.fields[kind]:
            value = getattr(part, name)
            if name != "binders" and all(value is not each for each in own):
                self.check_field_value(value, within if name in inside else variables)

    def check_field_value(self, value: object, variables: VariableTags) -> None:
        """Check a part or a tuple. A variable bound by a statement is in scope for the statements after it."""
        if isinstance(value, tuple):
            for each in value:
                self.check_field_value(each, variables)
                variables = self.bind_variables((b.var for b in find_effects(each).bindings if b.lasts), variables)
        elif NODES.node_classes[type(value)] or type(value) in VARIABLE_SCOPES:
            self.check_part(value, variables)

    def bind_variables(self, new_variables: Iterable[object], variables: VariableTags) -> VariableTags:
        found = dict(variables)
        for each in new_variables:
            for var in each if isinstance(each, tuple) else (each,):
                if var is not None:
                    found[var.id] = var.type.tag
        return found

    def bind_option_variables(self, option: g.Option, variables: VariableTags) -> VariableTags:
        for var, domain in option.binders:
            self.check_part(domain, variables)
            variables = self.bind_variables((var,), variables)
        return variables

    def check_reaction_part(self, part: object) -> None:
        """Check that parts of reactions occur only in reactions, and that shared names exist."""
        if isinstance(part, g.Actor | g.Target | g.Cancel):
            require(self.is_in_reaction, f"{part.span}: this has a meaning only in a reaction")
        if isinstance(part, g.Target) and part.name is not None:
            require(part.name in self.shared_names, f"{part.span}: no announcement shares {part.name!r}")
