"""Describe counts as conditions."""

from __future__ import annotations

from cardlang import words
from cardlang.rulesheet.english import Clause, Noun, statement
from cardlang.rulesheet.lexicon import Entry

COUNTS = {
    "=": "exactly ",
    "!=": "not exactly ",
    "<": "fewer than ",
    ">": "more than ",
    "<=": "at most ",
    ">=": "at least ",
}
IN_ALL = " in all"
AS_MANY = {
    "=": "as many {} as ",
    "!=": "not as many {} as ",
    "<": "fewer {} than ",
    ">": "more {} than ",
    "<=": "at most as many {} as ",
    ">=": "at least as many {} as ",
}


def amount(right: Noun, operator: str, one: str, many: str) -> str:
    """Describe an amount: `at least two chips`, `no chips`, `more chips than the ante`."""
    if right.text == "zero" and operator in ("=", "<="):
        return f"no {many}"
    if right.text == "zero" and operator in (">", "!="):
        return f"any {many}"
    value = right.text.removeprefix("minus ")
    fixed = value in words.SMALL or value.isdigit()
    if fixed:
        exact = "" if operator == "=" else COUNTS[operator]
        return f"{exact}{right.text} {one if right.text == 'one' else many}"
    if right.counted:
        return AS_MANY[operator].format(many) + right.counted
    return AS_MANY[operator].format(many) + right.text


def units(left: Noun, right: Noun, operator: str, entry: Entry) -> Clause:
    """Describe a number that counts objects, as an amount that its owner has."""
    said = amount(right, operator, words.singular(entry.singular), entry.plural)
    if left.owner is not None:
        return statement(left.owner, "uses" if left.owner.type.tag == "reading" else "has", said)
    return Clause(f"there {'is' if said.startswith('one ') else 'are'} {said}")


def counts(left: Noun, right: Noun, operator: str) -> Clause:
    """Describe the number of items in a list."""
    items = left.counted.removesuffix(IN_ALL)
    if right.counted == f"cards{IN_ALL}" and items.startswith("cards ") and operator in ("=", "!="):
        return Clause(f"{'all' if operator == '=' else 'not all'} cards are {items.removeprefix('cards ')}")
    one = first_singular(items)
    said = amount(right, operator, one, items)
    single = right.text == "one" and operator in ("=", "!=", "<=", ">=")
    if right.text == "one" and operator in ("=", "!="):
        said = f"{'' if operator == '=' else 'not '}only one {one}"
    if right.text == "one" and operator == ">":
        said = f"at least two {items}"
    if left.owner is not None:
        return statement(left.owner, "has", said)
    return Clause(f"there {'is' if single else 'are'} {said}")


def first_singular(items: str) -> str:
    """Make the first plural word singular: `cards in your hand` to `card in your hand`."""
    parts = items.split(" ")
    for index, part in enumerate(parts):
        if words.is_plural(part):
            return " ".join([*parts[:index], words.singular(part), *parts[index + 1 :]])
    return items
