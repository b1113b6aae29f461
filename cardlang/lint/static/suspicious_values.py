"""Lint rules for suspicious comparisons, members without a value, and amounts out of range."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from difflib import get_close_matches
from fractions import Fraction

from cardlang import model as g
from cardlang.diagnostics import Span
from cardlang.diagnostics.source_limits import MAX_NUMBER
from cardlang.lint.rule_registry import Finding
from cardlang.lint.static.constant_values import (
    NO,
    UNKNOWN,
    YES,
    ConstantEvaluator,
    FoldedValue,
    VariableBindings,
    evaluate_constant,
)
from cardlang.lint.static.shared_game_facts import GameFacts, rule
from cardlang.model.traversal import ModelNode, has_random_draw, iter_bodies, list_children, walk


# ---------------------------------------------------------------- titles
@rule("W420", "Unknown title")
def find_unknown_titles(facts: GameFacts) -> Iterator[Finding]:
    """No card, value of the kind or rank has this title, so the comparison gives the
    same result every time. Correct the spelling.

    Wrong:

        cards Special in deck
          2 of "Gust" (Gu)
        step play
          shuffle deck
          put top of deck to table
          if any card in table has title = "Gusts"
            each player
              add 1 to your score

    Right:

        cards Special in deck
          2 of "Gust" (Gu)
        step play
          shuffle deck
          put top of deck to table
          if any card in table has title = "Gust"
            each player
              add 1 to your score
    """
    # A variant may leave out cards that the game mentions.
    for part in facts.find_nodes(g.Compare) if facts.game.variant is None else ():
        for text, of in ((part.left, part.right), (part.right, part.left)):
            wanted = text.value if isinstance(text, g.Const) else None
            known = list_possible_texts(facts.game, of) if isinstance(wanted, str) else None
            if known is not None and isinstance(wanted, str) and wanted not in known[1]:
                near = get_close_matches(wanted, sorted(known[1]), 1)
                hint = f'did you mean `"{near[0]}"`?' if near else "write it as it is in the cards"
                yield Finding(text.span, f'no {known[0]} "{wanted}", so this is never equal', hint)


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


# ---------------------------------------------------------------- repeated list items
@rule("W421", "Listed twice")
def find_repeated_items(facts: GameFacts) -> Iterator[Finding]:
    """This list has the same item twice. Often the second one is a copy in which you
    meant to change a word. Change or delete it. To count something twice, write
    `2 * …`.

    Wrong:

        step play
          shuffle deck
          each player
            deal top 4 of deck to your hand
            add total of (count of (your hand where suit = Clubs),
              count of (your hand where suit = Clubs)) to your score

    Right:

        step play
          shuffle deck
          each player
            deal top 4 of deck to your hand
            add total of (count of (your hand where suit = Clubs),
              count of (your hand where suit = Hearts)) to your score
    """
    for part in facts.find_own_nodes(g.Joined):
        for place, item in enumerate(part.items):
            first = next((each for each in part.items[:place] if has_same_wording(each, item)), None)
            # Numbers, cards and random values may be repeated intentionally.
            if first is not None and not isinstance(item, g.Const | g.NamedCards) and not has_random_draw(item):
                hint = "change or delete one of them. To count it twice, write `2 * …`"
                yield Finding(item.span, "this appears twice in the list", hint, ((first.span, "also here"),))


def has_same_wording(first: g.Expr, second: g.Expr) -> bool:
    """Return whether two expressions at different places have the same wording."""
    return first.span != second.span and first.span.text.split() == second.span.text.split()


# ---------------------------------------------------------------- missing columns
@rule("W422", "Column that the cards don't have")
def find_missing_columns(facts: GameFacts) -> Iterator[Finding]:
    """The cards that the rule finds here don't have this column, so a total is 0 and
    a list is empty. Check the zone or the condition before the column's name.

    Wrong:

        cards Special in deck
          2 of "Gust" (Gu)
        step play
          shuffle deck
          each player
            deal top 4 of deck to your hand
            add total of (your hand where it is Special)'s value to your score

    Right:

        cards Special in deck
          2 of "Gust" (Gu)
        step play
          shuffle deck
          each player
            deal top 4 of deck to your hand
            add total of (your hand where it is Pack)'s value to your score
    """
    game = facts.game
    for part in facts.find_own_nodes(g.MapEach):
        value = part.value
        if isinstance(value, g.Attribute) and value.card == part.var and value.attribute in game.columns:
            column = game.columns[value.attribute].values
            faces = list_possible_faces(game, facts.constants, part.list)
            if faces and all(column[face] is None for face in faces):
                sets = " and ".join(dict.fromkeys(game.faces[face].set for face in faces))
                message = f"{sets} cards have no `{value.attribute}`, so this is always nothing"
                hint = f"only cards of other sets have it. Check the part before `{value.attribute}`"
                yield Finding(value.span, message, hint)


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


# ---------------------------------------------------------------- card counts
@rule("E310", "Too many cards for a zone")
def find_overfull_zones(facts: GameFacts) -> Iterator[Finding]:
    """A zone that `holds 1` can't have more than one card, and this line moves more
    cards there. Move one card, or delete `holds 1`. `cardlang check` reports this
    if it can work out the numbers before play. Otherwise, play stops with `R001`.

    Wrong:

        zone trump-card holds 1
        step play
          shuffle deck
          turn top 2 of deck to trump-card
          each player
            add count of trump-card to your score

    Right:

        zone trump-card holds 1
        step play
          shuffle deck
          turn top of deck to trump-card
          each player
            add count of trump-card to your score
    """
    game = facts.game
    amounts: list[tuple[g.Zone, Fraction | int, Span]] = []
    for name, card_set in game.sets.items():
        cards = sum(face.copies for face in game.faces if face.set == name)
        amounts.append((game.zones[card_set.home], cards, card_set.origin.name))
    for part, _, known in iter_constant_card_counts(facts):
        if not part.to.each and all(each >= 0 for each in known):
            amounts.append((game.zones[part.to.zone], max(known), part.span))
    for zone, amount, span in amounts:
        if zone.single and amount > 1:
            yield Finding(
                span,
                f"`{zone.name}` holds 1 card, but this puts {amount} there",
                "put 1 card there, or remove `holds 1` from its declaration",
                ((zone.origin.name, "declared `holds 1` here"),),
            )


@rule("E311", "Negative number of cards")
def find_negative_card_counts(facts: GameFacts) -> Iterator[Finding]:
    """This number of cards is below 0 for at least one player count. Subtract the
    smaller number from the larger.

    Wrong:

        step play
          shuffle deck
          each player
            deal top (count of players - 5) of deck to your hand
            add count of your hand to your score

    Right:

        step play
          shuffle deck
          each player
            deal top (5 - count of players) of deck to your hand
            add count of your hand to your score
    """
    for _, number, known in iter_constant_card_counts(facts):
        if any(each < 0 for each in known):
            hint = "write a number from 0 up. In a subtraction, subtract the smaller number from the larger"
            yield Finding(number.span, "the number of cards cannot be negative", hint)


def iter_constant_card_counts(facts: GameFacts) -> Iterator[tuple[g.Move | g.Pick, g.Expr, list[Fraction]]]:
    """Yield statements that move a number of cards, the number, and its known values at all player counts."""
    for part in facts.find_nodes(g.Move, g.Pick):
        if isinstance(part, g.Pick):
            numbers = [part.low, part.high]
        else:
            items = part.what.items if isinstance(part.what, g.Joined) else (part.what,)
            numbers = [each.number for each in items if isinstance(each, g.Agg)]
        for number in numbers:
            values = [evaluate_constant(facts.game, number, players) for players in facts.game.seats if number]
            known = [value for value in values if value is not None]
            if number is not None and known:
                yield part, number, known


# ---------------------------------------------------------------- number overflow
@rule("E124")
def find_constant_overflow(facts: GameFacts) -> Iterator[Finding]:
    """Find the first calculation with constants and the player count that exceeds the largest number."""
    for part in facts.find_nodes(g.Arith):
        values = [evaluate_constant(facts.game, part, players) for players in facts.game.seats]
        if any(value is not None and abs(value) > MAX_NUMBER for value in values):
            yield Finding(
                part.span, f"this value is larger than {MAX_NUMBER:,}", "use smaller numbers, or fewer of them"
            )
            return


# ---------------------------------------------------------------- members without a value
MAX_EXAMINED_NODES = 50_000
"""Maximum number of parts to examine. Bodies of loops count for each card."""


@rule("W411", "Value without a number")
def find_missing_worths(facts: GameFacts) -> Iterator[Finding]:
    """This place needs a number, and some values of the kind don't have one, so they
    count as 0. Give them a `worth` in the kind, or handle them in an earlier case.

    Wrong:

        ordered kind Rank: 2 to 10, Jack (J)
        cards Extra in table
          1 of each Rank
        step play
          add total of table's rank to leader's score

    Right:

        ordered kind Rank: 2 to 10, Jack (J) worth 10
        cards Extra in table
          1 of each Rank
        step play
          add total of table's rank to leader's score
    """
    game = facts.game
    partial_kinds = {kind.name for kind in game.kinds.values() if len({m.worth is None for m in kind.members}) == 2}
    finder = WorthUseFinder(game, partial_kinds)
    for part, bindings in iter_code_with_bindings(game) if partial_kinds else ():
        finder.examine(part, bindings)
    for span, (name, places) in finder.found.items():
        kind = game.kinds[name]
        names = [kind.members[place].name for place in sorted(places)]
        *most, last = names
        shown = f"{', '.join(most)} and {last} have" if most else f"{last} has"
        yield Finding(
            span,
            f"expected a number, but {shown} no worth and would count as 0",
            f"write `{names[0]} worth 10` in the kind, or add a case before this one: `10 when … = {names[0]}`",
            ((kind.origin.name, "the kind is declared here"),),
        )


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
