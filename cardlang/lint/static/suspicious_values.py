"""Lint rules for suspicious comparisons, members without a value, and amounts out of range."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from difflib import get_close_matches
from fractions import Fraction

from cardlang import model as g
from cardlang.diagnostics import Diagnostic, Span
from cardlang.diagnostics.source_limits import MAX_NUMBER
from cardlang.lint.static.constant_values import (
    NO,
    UNKNOWN,
    YES,
    ConstantEvaluator,
    FoldedValue,
    VariableBindings,
    evaluate_constant,
)
from cardlang.lint.static.execution_order import get_own_source
from cardlang.model.traversal import ModelNode, collect_all_nodes, has_random_draw, iter_bodies, list_children, walk


# ---------------------------------------------------------------- titles
def check_unknown_titles(game: g.Game) -> Iterator[Diagnostic]:
    """Report comparisons with a title or a text that no card, member or rank has."""
    if game.variant is not None:  # it may leave out cards that the game mentions
        return
    for part in collect_all_nodes(game):
        if isinstance(part, g.Compare) and part.span.source is get_own_source(game):
            for text, of in ((part.left, part.right), (part.right, part.left)):
                known = list_possible_texts(game, of)
                wanted = text.value if isinstance(text, g.Const) else None
                if known is not None and isinstance(wanted, str) and wanted not in known[1]:
                    yield build_unknown_title_diagnostic(text, wanted, *known)


def list_possible_texts(game: g.Game, value: g.Expr) -> tuple[str, set[str]] | None:
    """Return a description of the values' source and all its possible texts, or None if these are unknown."""
    match value:
        case g.Builtin(name="title", of=g.Expr(type=type_)) if type_.tag == "card":
            return "card has the title", {face.title for face in game.faces}
        case g.Builtin(name="title", of=g.Expr(type=type_)) if type_.tag == "member" and type_.of in game.kinds:
            return f"{type_.of} is called", {member.name for member in game.kinds[type_.of].members}
        case g.Builtin(name="title", of=g.Expr(type=type_)) if type_.tag == "reading" and type_.of in game.rankings:
            return f"{type_.of} is called", {rank.title for rank in game.rankings[type_.of].ranks}
        case g.Attribute(attribute=name) if value.type.tag == "text":
            return f"card has the {name}", {text for text in game.columns[name].values if isinstance(text, str)}
    return None


def build_unknown_title_diagnostic(text: g.Expr, wanted: str, description: str, known: Iterable[str]) -> Diagnostic:
    near = get_close_matches(wanted, sorted(known), 1)
    hint = f'did you mean `"{near[0]}"`?' if near else "write it as it is in the cards"
    return Diagnostic("W420", f'no {description} "{wanted}", so this is never equal', text.span, hint, warning=True)


# ---------------------------------------------------------------- repeated list items
def check_repeated_items(game: g.Game) -> Iterator[Diagnostic]:
    """Report list items that appear twice."""
    for part in collect_all_nodes(game):
        if isinstance(part, g.Joined) and part.span.source is get_own_source(game):
            for place, item in enumerate(part.items):
                first = next((each for each in part.items[:place] if has_same_wording(each, item)), None)
                if first is not None and not can_be_repeated(item):
                    yield Diagnostic(
                        "W421",
                        "this appears twice in the list",
                        item.span,
                        "change or delete one of them. To count it twice, write `2 * …`",
                        ((first.span, "also here"),),
                        warning=True,
                    )


def has_same_wording(one: g.Expr, other: g.Expr) -> bool:
    """Return whether two expressions at different places have the same wording."""
    return one.span != other.span and one.span.text.split() == other.span.text.split()


def can_be_repeated(item: g.Expr) -> bool:
    """Return whether an item may be repeated intentionally: numbers, cards and random values."""
    return isinstance(item, g.Const | g.NamedCards) or has_random_draw(item)


# ---------------------------------------------------------------- missing columns
def check_missing_columns(game: g.Game) -> Iterator[Diagnostic]:
    """Report columns that are read from cards of which none has them."""
    known = ConstantEvaluator(game, None, knows_settings=False)
    for part in collect_all_nodes(game):
        match part:
            case g.MapEach(list=items, var=var, value=g.Attribute(card=card, attribute=name) as value) if card == var:
                if part.span.source is get_own_source(game) and name in game.columns:
                    column = game.columns[name].values
                    faces = list_possible_faces(game, known, items)
                    if faces and all(column[face] is None for face in faces):
                        yield build_missing_column_diagnostic(game, value, faces)


def list_possible_faces(game: g.Game, evaluator: ConstantEvaluator, items: g.Expr, depth: int = 20) -> list[int]:
    """Return the faces that a list may contain; all faces if nothing more is known."""
    match items:
        case g.Filter(list=inner, var=var, condition=condition) if depth:
            found = list_possible_faces(game, evaluator, inner, depth - 1)
            return [face for face in found if evaluator.evaluate(condition, {var.id: Fraction(face)}) != NO]
        case g.Call(define=name) if depth:
            return list_possible_faces(game, evaluator, game.defines[name].value, depth - 1)
        case g.SetCards(set=name):
            return [face.number for face in game.faces if face.set == name]
    return list(range(len(game.faces)))


def build_missing_column_diagnostic(game: g.Game, value: g.Attribute, faces: Iterable[int]) -> Diagnostic:
    sets = list(dict.fromkeys(game.faces[face].set for face in faces))
    hint = f"only cards of other sets have it. Check the part before `{value.attribute}`"
    message = f"{' and '.join(sets)} cards have no `{value.attribute}`, so this is always nothing"
    return Diagnostic("W422", message, value.span, hint, warning=True)


# ---------------------------------------------------------------- card counts
MoveOrPick = g.Move | g.Pick
ZONE_OVERFULL = "E310"


def check_card_counts(game: g.Game) -> Iterator[Diagnostic]:
    yield from check_overfull_homes(game)
    for part in collect_all_nodes(game):
        if isinstance(part, g.Move | g.Pick):
            for number in iter_card_counts(part):
                found = [
                    known for players in game.seats if (known := evaluate_constant(game, number, players)) is not None
                ]
                if any(known < 0 for known in found):
                    yield build_negative_count_diagnostic(number.span)
                elif game.zones[part.to.zone].single and not part.to.each and any(known > 1 for known in found):
                    yield build_overfull_zone_diagnostic(game.zones[part.to.zone], max(found), part.span)


def iter_card_counts(part: MoveOrPick) -> Iterator[g.Expr]:
    """Yield the numbers of cards that a statement gives explicitly."""
    if isinstance(part, g.Pick):
        yield from (each for each in (part.low, part.high) if each is not None)
        return
    items = part.what.items if isinstance(part.what, g.Joined) else (part.what,)
    yield from (each.number for each in items if isinstance(each, g.Agg) and each.number is not None)


def build_negative_count_diagnostic(span: Span) -> Diagnostic:
    hint = "write a number from 0 up. In a subtraction, subtract the smaller number from the larger"
    return Diagnostic("E311", "the number of cards cannot be negative", span, hint)


def build_overfull_zone_diagnostic(zone: g.Zone, card_count: Fraction | int, span: Span) -> Diagnostic:
    return Diagnostic(
        ZONE_OVERFULL,
        f"`{zone.name}` holds 1 card, but this puts {card_count} there",
        span,
        "put 1 card there, or remove `holds 1` from its declaration",
        ((zone.origin.name, "declared `holds 1` here"),),
    )


def check_overfull_homes(game: g.Game) -> Iterator[Diagnostic]:
    """Report sets of cards that start in a zone which holds only one card."""
    for name, card_set in game.sets.items():
        cards = sum(face.copies for face in game.faces if face.set == name)
        if game.zones[card_set.home].single and cards > 1:
            yield build_overfull_zone_diagnostic(game.zones[card_set.home], cards, card_set.origin.name)


# ---------------------------------------------------------------- number overflow
def check_constant_overflow(game: g.Game) -> Iterator[Diagnostic]:
    """Report the first calculation with constants and the player count that exceeds the largest number."""
    for part in collect_all_nodes(game):
        if isinstance(part, g.Arith) and any(exceeds_number_limit(game, part, players) for players in game.seats):
            yield Diagnostic(
                "E124", f"this value is larger than {MAX_NUMBER:,}", part.span, "use smaller numbers, or fewer of them"
            )
            return


def exceeds_number_limit(game: g.Game, value: g.Expr, players: int) -> bool:
    found = evaluate_constant(game, value, players)
    return found is not None and abs(found) > MAX_NUMBER


# ---------------------------------------------------------------- members without a value
MAX_EXAMINED_NODES = 50_000
"""Maximum number of parts to examine. Bodies of loops count for each card."""


def check_missing_worths(game: g.Game) -> Iterator[Diagnostic]:
    """Report members without a worth, in kinds where others have one, that may be used as numbers."""
    partly = {kind.name for kind in game.kinds.values() if len({m.worth is None for m in kind.members}) == 2}
    if not partly:
        return
    seeker = WorthUseFinder(game, partly)
    for part, given in iter_code_with_bindings(game):
        seeker.examine(part, given)
    for span, (kind, places) in sorted(seeker.found.items(), key=lambda each: each[0].start):
        if span.source is get_own_source(game):
            yield build_missing_worth_diagnostic(game.kinds[kind], span, places)


def iter_code_with_bindings(game: g.Game) -> Iterator[tuple[object, VariableBindings]]:
    """Yield all code with its bindings: definitions of cards or members appear once for each."""
    for body in iter_bodies(game):
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


def build_missing_worth_diagnostic(kind: g.Kind, span: Span, member_indices: Iterable[int]) -> Diagnostic:
    names = [kind.members[place].name for place in sorted(member_indices)]
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


class WorthUseFinder:
    """Abstract interpreter that finds members used as numbers.

    `found` maps spans to a kind and its members without a worth."""

    def __init__(self, game: g.Game, partial_kinds: set[str]) -> None:
        self.game = game
        self.partial_kinds = partial_kinds
        self.evaluator = ConstantEvaluator(game, None)
        self.found: dict[Span, tuple[str, set[int]]] = {}
        self.remaining_nodes = MAX_EXAMINED_NODES
        self.worth_use_by_id: dict[int, bool] = {}

    def uses_worth(self, part: object) -> bool:
        """Return whether a part contains a member of such a kind, used as a number."""
        if id(part) not in self.worth_use_by_id:
            self.worth_use_by_id[id(part)] = any(
                isinstance(below, g.Worth) and below.value.type.of in self.partial_kinds for below in walk((part,))
            )
        return self.worth_use_by_id[id(part)]

    def examine(self, part: object, bindings: VariableBindings) -> None:
        if isinstance(part, tuple):
            for each in part:
                self.examine(each, bindings)
            return
        if part is None or self.remaining_nodes < 0 or not self.uses_worth(part):
            return
        self.remaining_nodes -= 1
        match part:
            case g.Worth(value=value) if value.type.of in self.partial_kinds:
                self.record_missing_worths(part, bindings)
            case g.Cases(cases=cases):
                self.examine_cases(cases, bindings)
            case g.If(condition=condition, then=then, otherwise=otherwise):
                self.examine_cases(((then, condition), (otherwise, None)), bindings)
            case g.And(left=left, right=right) | g.Or(left=left, right=right):
                self.examine(left, bindings)
                if self.evaluator.evaluate(left, bindings) != (NO if isinstance(part, g.And) else YES):
                    self.examine(right, bindings)
            case g.Filter() | g.MapEach() | g.Quantified() | g.AggBy() | g.Sorted() | g.Each():
                self.examine(part.list, bindings)
                if part.var is not None:
                    self.examine_items(part.var, part.list, split_loop_body(part), bindings)
            case g.Choose(var=var, domain=g.Domain(list=list_)) if list_ is not None:
                self.examine_items(var, list_, (part.provided, part.body), bindings)
            case g.Option(binders=binders, when=when):
                whens = tuple(condition for condition, _ in when)
                for var, domain in binders:
                    if domain.list is not None:
                        self.examine_items(var, domain.list, (whens, (part.costs, part.body)), bindings)
            case _:
                self.examine(tuple(list_children(part)), bindings)

    def examine_cases(self, cases: Iterable[tuple[object, g.Expr | None]], bindings: VariableBindings) -> None:
        """Examine cases in order, up to the first that is certainly true."""
        for value, condition in cases:
            self.examine(condition, bindings)
            holds = YES if condition is None else self.evaluator.evaluate(condition, bindings)
            if holds != NO:
                self.examine(value, bindings)
            if holds == YES:
                return

    def examine_items(
        self, var: g.Var, items: g.Expr, parts: tuple[object, object], bindings: VariableBindings
    ) -> None:
        """Examine a condition, and the parts below it if it may be true, for each item. Unknown lists are examined
        once."""
        test, then = parts
        known: list[FoldedValue] = [*self.find_possible_items(items, bindings)]
        for item in known or [UNKNOWN]:
            inside = {**bindings, var.id: item}
            self.examine(test, inside)
            conditions = test if isinstance(test, tuple) else (test,)
            if all(self.evaluator.evaluate(each, inside) != NO for each in conditions if each is not None):
                self.examine(then, inside)

    def record_missing_worths(self, worth: g.Worth, bindings: VariableBindings) -> None:
        kind = str(worth.value.type.of)
        for place in self.find_possible_members(worth.value, bindings):
            if self.game.kinds[kind].members[place].worth is None:
                self.found.setdefault(worth.span, (kind, set()))[1].add(place)

    def find_possible_members(self, value: g.Expr, bindings: VariableBindings) -> set[int]:
        """Return the members that a value may be, as far as they are known."""
        found = self.evaluator.evaluate(value, bindings)
        if isinstance(found, Fraction):
            return {int(found)}
        if isinstance(value, g.Attribute) and found is not None:
            columns = [
                self.evaluator.get_column_value(value.attribute, face)
                for face in self.find_possible_items(value.card, bindings)
            ]
            return {int(place) for place in columns if isinstance(place, Fraction)}
        return set()

    def find_possible_items(self, items: g.Expr, bindings: VariableBindings) -> list[Fraction]:
        """Return the items that a list may contain, as far as they are known: faces of cards or places of members."""
        type_ = items.type.item or items.type
        match items:
            case g.Var(id=number) if isinstance(bindings.get(number), Fraction):
                return [face for face in (bindings[number],) if isinstance(face, Fraction)]
            case g.Filter(list=inner, var=var, condition=condition):
                found = self.find_possible_items(inner, bindings)
                return [item for item in found if self.evaluator.evaluate(condition, {**bindings, var.id: item}) != NO]
            case g.Joined(items=parts):
                return list(dict.fromkeys(item for part in parts for item in self.find_possible_items(part, bindings)))
            case g.FirstPossible(lists=lists):
                return list(
                    dict.fromkeys(item for part, _ in lists for item in self.find_possible_items(part, bindings))
                )
            case g.Agg(list=inner) | g.AggBy(list=inner) | g.Sorted(list=inner) if type_.tag in ("card", "member"):
                return self.find_possible_items(inner, bindings)
            case g.Members(kind=kind):
                return [Fraction(place) for place in range(len(self.game.kinds[kind].members))]
            case g.Call(define=name) if type_.tag == "card":
                return self.find_possible_items(self.game.defines[name].value, {})
            case g.SetCards(set=name):
                return [Fraction(face.number) for face in self.game.faces if face.set == name]
            case g.NamedCards(faces=faces):
                return [Fraction(face) for face in faces]
            case g.ZoneCards() | g.MapEach(value=g.ZoneCards()) if type_.tag == "card":
                return [Fraction(face.number) for face in self.game.faces]
            case g.MapEach(list=inner, var=var, value=g.Attribute() as value):
                found_ = [
                    self.find_possible_members(value, {**bindings, var.id: item})
                    for item in self.find_possible_items(inner, bindings)
                ]
                return [Fraction(place) for place in sorted(set().union(*found_))]
        return []


def split_loop_body(part: ModelNode) -> tuple[object, object]:
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
