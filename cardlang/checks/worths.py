"""Check of members of a kind that are used as numbers but have no worth."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from fractions import Fraction

from cardlang import game as g
from cardlang.checks.known import NO, UNKNOWN, YES, Given, Known, Value
from cardlang.checks.steps import own_source
from cardlang.game.walking import Part, bodies, children, walk
from cardlang.source import Diagnostic, Span

MOST = 50_000
"""Maximum number of parts to examine. Bodies of loops count for each card."""


def check_worths(game: g.Game) -> Iterator[Diagnostic]:
    """Report members without a worth, in kinds where others have one, that may be used as numbers."""
    partly = {kind.name for kind in game.kinds.values() if len({m.worth is None for m in kind.members}) == 2}
    if not partly:
        return
    seeker = Seeker(game, partly)
    for part, given in roots(game):
        seeker.look(part, given)
    for span, (kind, places) in sorted(seeker.found.items(), key=lambda each: each[0].start):
        if span.source is own_source(game):
            yield without_worth(game.kinds[kind], span, places)


def roots(game: g.Game) -> Iterator[tuple[object, Given]]:
    """Yield all code with its bindings: definitions of cards or members appear once for each."""
    for body in bodies(game):
        yield body, {}
    for define in game.defines.values():
        if define.var is not None and (define.subject == "card" or define.subject in game.kinds):
            count = len(game.faces) if define.subject == "card" else len(game.kinds[define.subject or ""].members)
            yield from ((define.value, {define.var.id: Fraction(number)}) for number in range(count))
        else:
            yield define.value, {}
    for borne in game.borne_defines.values():
        for face, body_ in enumerate(borne.bodies):
            if body_ is not None:
                yield body_.value, {body_.var.id: Fraction(face)}
    for order in game.orders.values():
        for number in range(len(game.faces)) if order.of.tag == "card" else ():
            yield order.lines, {order.var.id: Fraction(number)}


def without_worth(kind: g.Kind, span: Span, places: Iterable[int]) -> Diagnostic:
    names = [kind.members[place].name for place in sorted(places)]
    shown = names[0] if len(names) == 1 else f"{', '.join(names[:-1])} and {names[-1]}"
    has = "has" if len(names) == 1 else "have"
    return Diagnostic(
        "W411",
        f"expected a number, but {shown} {has} no worth and would count as 0",
        span,
        f"write `{names[0]} worth 10` in the kind, or add a case before this one: `10 when … = {names[0]}`",
        ((kind.origin.name, "the kind is declared here"),),
        warning=True,
    )


class Seeker:
    """Abstract interpreter that finds members used as numbers.

    `found` maps spans to a kind and its members without a worth."""

    def __init__(self, game: g.Game, partly: set[str]) -> None:
        self.game = game
        self.partly = partly
        self.known = Known(game, None)
        self.found: dict[Span, tuple[str, set[int]]] = {}
        self.left = MOST
        self.counting: dict[int, bool] = {}

    def counts(self, part: object) -> bool:
        """Return whether a part contains a member of such a kind, used as a number."""
        if id(part) not in self.counting:
            self.counting[id(part)] = any(
                isinstance(below, g.Worth) and below.value.type.of in self.partly for below in walk((part,))
            )
        return self.counting[id(part)]

    def look(self, part: object, given: Given) -> None:
        if isinstance(part, tuple):
            for each in part:
                self.look(each, given)
            return
        if part is None or self.left < 0 or not self.counts(part):
            return
        self.left -= 1
        match part:
            case g.Worth(value=value) if value.type.of in self.partly:
                self.count(part, given)
            case g.Cases(cases=cases):
                self.in_turn(cases, given)
            case g.If(condition=condition, then=then, otherwise=otherwise):
                self.in_turn(((then, condition), (otherwise, None)), given)
            case g.And(left=left, right=right) | g.Or(left=left, right=right):
                self.look(left, given)
                if self.known.value(left, given) != (NO if isinstance(part, g.And) else YES):
                    self.look(right, given)
            case g.Filter() | g.MapEach() | g.Quantified() | g.AggBy() | g.Sorted() | g.Each():
                self.look(part.list, given)
                if part.var is not None:
                    self.each(part.var, part.list, rest(part), given)
            case g.Choose(var=var, domain=g.Domain(list=list_)) if list_ is not None:
                self.each(var, list_, (part.provided, part.body), given)
            case g.Option(binders=binders, when=when):
                whens = tuple(condition for condition, _ in when)
                for var, domain in binders:
                    if domain.list is not None:
                        self.each(var, domain.list, (whens, (part.costs, part.body)), given)
            case _:
                self.look(tuple(children(part)), given)

    def in_turn(self, cases: Iterable[tuple[object, g.Expr | None]], given: Given) -> None:
        """Examine cases in order, up to the first that is certainly true."""
        for value, condition in cases:
            self.look(condition, given)
            holds = YES if condition is None else self.known.value(condition, given)
            if holds != NO:
                self.look(value, given)
            if holds == YES:
                return

    def each(self, var: g.Var, items: g.Expr, parts: tuple[object, object], given: Given) -> None:
        """Examine a condition, and the parts below it if it may be true, for each item. Unknown lists are examined
        once."""
        test, then = parts
        known: list[Value] = [*self.items(items, given)]
        for item in known or [UNKNOWN]:
            inside = {**given, var.id: item}
            self.look(test, inside)
            conditions = test if isinstance(test, tuple) else (test,)
            if all(self.known.value(each, inside) != NO for each in conditions if each is not None):
                self.look(then, inside)

    def count(self, worth: g.Worth, given: Given) -> None:
        kind = str(worth.value.type.of)
        for place in self.members(worth.value, given):
            if self.game.kinds[kind].members[place].worth is None:
                self.found.setdefault(worth.span, (kind, set()))[1].add(place)

    def members(self, value: g.Expr, given: Given) -> set[int]:
        """Return the members that a value may be, as far as they are known."""
        found = self.known.value(value, given)
        if isinstance(found, Fraction):
            return {int(found)}
        if isinstance(value, g.Attribute) and found is not None:
            columns = [self.known.column(value.attribute, face) for face in self.items(value.card, given)]
            return {int(place) for place in columns if isinstance(place, Fraction)}
        return set()

    def items(self, items: g.Expr, given: Given) -> list[Fraction]:
        """Return the items that a list may contain, as far as they are known: faces of cards or places of members."""
        type_ = items.type.item or items.type
        match items:
            case g.Var(id=number) if isinstance(given.get(number), Fraction):
                return [face for face in (given[number],) if isinstance(face, Fraction)]
            case g.Filter(list=inner, var=var, condition=condition):
                found = self.items(inner, given)
                return [item for item in found if self.known.value(condition, {**given, var.id: item}) != NO]
            case g.Joined(items=parts):
                return list(dict.fromkeys(item for part in parts for item in self.items(part, given)))
            case g.FirstPossible(lists=lists):
                return list(dict.fromkeys(item for part, _ in lists for item in self.items(part, given)))
            case g.Agg(list=inner) | g.AggBy(list=inner) | g.Sorted(list=inner) if type_.tag in ("card", "member"):
                return self.items(inner, given)
            case g.Members(kind=kind):
                return [Fraction(place) for place in range(len(self.game.kinds[kind].members))]
            case g.Call(define=name) if type_.tag == "card":
                return self.items(self.game.defines[name].value, {})
            case g.SetCards(set=name):
                return [Fraction(face.number) for face in self.game.faces if face.set == name]
            case g.NamedCards(faces=faces):
                return [Fraction(face) for face in faces]
            case g.ZoneCards() | g.MapEach(value=g.ZoneCards()) if type_.tag == "card":
                return [Fraction(face.number) for face in self.game.faces]
            case g.MapEach(list=inner, var=var, value=g.Attribute() as value):
                found_ = [self.members(value, {**given, var.id: item}) for item in self.items(inner, given)]
                return [Fraction(place) for place in sorted(set().union(*found_))]
        return []


def rest(part: Part) -> tuple[object, object]:
    """Return the condition of a loop over a list, and the part that is evaluated if it is true."""
    match part:
        case g.Filter(condition=condition) | g.Quantified(condition=condition):
            return None, condition
        case g.MapEach(value=value):
            return None, value
        case g.AggBy(key=key) | g.Sorted(key=key):
            return None, key
        case g.Each(condition=condition, body=body):
            return condition, body
    raise AssertionError("a list is gone through")
