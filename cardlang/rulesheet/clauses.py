"""Describe conditions in English."""

from __future__ import annotations

import re
from collections.abc import Sequence

from attrs import evolve

from cardlang import game as g
from cardlang import words
from cardlang.rulesheet.counting import counts, first_singular, units
from cardlang.rulesheet.english import (
    YOU,
    Clause,
    Noun,
    Scope,
    about_tested,
    clause,
    holds,
    item_type,
    phrase,
    statement,
)
from cardlang.rulesheet.nouns import listed, set_noun
from cardlang.rulesheet.parts import bare, is_number, is_that, name_of, owner_of, truth
from cardlang.rulesheet.sums import valued

HOLDERS = ("player", "reading", "member")
FLIPPED = {"=": "!=", "!=": "=", "<": ">=", ">": "<=", "<=": ">", ">=": "<"}
NUMBERS = {"=": "", "!=": "not ", "<": "less than ", ">": "more than ", "<=": "at most ", ">=": "at least "}
READINGS = {"=": "equal to ", "!=": "not equal to ", "<": "worse than ", ">": "better than "}
READINGS |= {"<=": "no better than ", ">=": "no worse than "}


# ---------------------------------------------------------------- and, or, not
@holds(g.Not)
def not_(expr: g.Not, scope: Scope, positive: bool) -> Clause:
    return clause(expr.value, scope, not positive)


@holds(g.And, g.Or)
def compound(expr: g.And | g.Or, scope: Scope, positive: bool) -> Clause:
    word = "and" if isinstance(expr, g.And) == positive else "or"
    parts = [about_tested(part, scope, positive) for part in flat(expr, type(expr))]
    about = sorted((part for part in parts if part.many), key=lambda part: part.many.startswith("for "))
    free = joined([part for part in parts if not part.many], "text", word)
    text = joined(parts, "text", word)
    if not about:
        return Clause(text, mixed=word)
    one, many = relatives(about, "one", word), relatives(about, "many", word)
    if word == "and":
        return Clause(text, one, many, free, word)
    if not free:
        return Clause(text, one, many, mixed=word)
    return Clause(text, f"{one} (or any, if {free})", f"{many} (or all, if {free})")


def relatives(parts: Sequence[Clause], form: str, word: str) -> str:
    """Join several clauses about a noun. Exceptions come last: `whose rank is Jack, other than the starter`."""
    apart = [part for part in parts if word == "and" and part.many.startswith("other than ")]
    rest = [part for part in parts if part not in apart]
    return ", ".join(text for text in (joined(rest, form, word), joined(apart, form, word)) if text)


def joined(parts: Sequence[Clause], form: str, word: str) -> str:
    """Join the parts of a compound. If one of two parts has the other conjunction, a comma separates them."""
    said = [getattr(part, form) for part in parts]
    free = form == "text" or not any(part.provided for part in parts)
    if len(parts) == 2 and free and not any("," in text for text in said):
        comma = "," if {part.mixed for part in parts} - {"", word} else ""
        return f"{said[0]}{comma} {word} {said[0] and shortened(said[0], said[1]) if not comma else said[1]}"
    texts = [inner(part, text, word) for part, text in zip(parts, said, strict=True)]
    return words.join([texts[0], *(shortened(texts[0], text) for text in texts[1:])] if texts else [], word)


def shortened(first: str, text: str) -> str:
    """Drop the leading words that two clauses share: `that are ready and not Acting cards`."""
    lead = re.match(r"that (is|are) ", text)
    return text[lead.end() :] if lead and first.startswith(lead[0]) else text


def inner(part: Clause, said: str, word: str) -> str:
    """Mark off a part of a compound that has the other conjunction."""
    if part.provided and said != part.text:
        said = f"(if {part.provided}) {said}"
    if part.mixed in ("", word) or (part.provided and said.startswith("(if")):
        return said
    return f"either {said}" if part.mixed == "or" else f"both {said}" if "," not in said else f"({said})"


def flat(expr: g.Expr, class_: type[g.Expr]) -> list[g.Expr]:
    """Flatten a chain of `and` or of `or` into its parts."""
    if isinstance(expr, g.And | g.Or) and isinstance(expr, class_):
        return [*flat(expr.left, class_), *flat(expr.right, class_)]
    return [expr]


# ---------------------------------------------------------------- membership
@holds(g.IsReading)
def is_reading(expr: g.IsReading, scope: Scope, positive: bool) -> Clause:
    subject = phrase(expr.cards, scope)
    made = evolve(subject, text=subject.cards, plural=subject.plural or subject.pile)
    return statement(made, "is", f"{'' if positive else 'not '}{words.article(words.plain(expr.ranking))}")


@holds(g.IsSet)
def is_set(expr: g.IsSet, scope: Scope, positive: bool) -> Clause:
    no, one = "" if positive else "not ", set_noun(expr.set, scope.lexicon)
    return statement(phrase(expr.card, scope), "is", f"{no}{words.article(one)}", f"{no}{words.plural(one)}")


@holds(g.IsEmpty)
def is_empty(expr: g.IsEmpty, scope: Scope, empty: bool) -> Clause:
    value = bare(expr.value)
    if isinstance(value, g.Joined):
        texts = [phrase(item, scope).text for item in value.items]
        all_ = "both" if len(texts) == 2 else "all"
        return Clause(f"{words.join(texts)} are {'' if empty else 'not '}{all_} empty")
    subject = phrase(expr.value, scope)
    single = subject.entry is not None and subject.entry.zone and subject.type.tag == "card"
    if single and subject.owner is None and subject.text.endswith(" card"):
        return absent(subject, "nothing", empty)
    if single or (subject.pile and not subject.plural):
        return statement(subject, "is", "empty" if empty else "not empty")
    return none_of(subject, empty)


def none_of(subject: Noun, empty: bool) -> Clause:
    """Describe an empty list that is not a pile."""
    entry = subject.entry
    if subject.owner is not None and item_type(subject.owner).tag in ("player", "member") and entry is not None:
        return statement(subject.owner, "has", f"{'no' if empty else 'any'} {entry.noun}")
    if subject.tested:
        return statement(subject, "is", "none" if empty else "there")
    if subject.items:
        return Clause(f"there are {'no' if empty else 'any'} {subject.items}")
    return Clause(f"there is {'no' if empty else 'a'} {subject.text.removeprefix('the ')}")


# ---------------------------------------------------------------- comparisons
@holds(g.Compare)
def compare(expr: g.Compare, scope: Scope, positive: bool) -> Clause:
    operator = expr.operator if positive else FLIPPED[expr.operator]
    shared = all_share(expr, operator, scope)
    if shared is not None:
        return shared
    left, right = measured(expr, scope)
    value = bare(expr.right)
    if left.pile and operator == "=" and isinstance(value, g.NamedCards):
        return holding(left, value, scope)
    if is_number(value):
        right = evolve(right, text=in_figures(value, left.type.tag == "member", scope))
    if operator == "=" and own(value, left, scope):
        return evolve(statement(left, "is", "the same as its own"), text=compared(left, right, operator).text)
    if "flag" in (left.type.tag, right.type.tag):
        return flags(expr, scope, operator)
    if left.counted:
        return counts(left, right, operator)
    if left.entry is not None and left.entry.unit and (left.owner is None or left.owner.type.tag in HOLDERS):
        return units(left, right, operator, left.entry)
    return compared(left, right, operator)


@holds(g.IsIn)
def is_in(expr: g.IsIn, scope: Scope, positive: bool) -> Clause:
    left, items = phrase(expr.value, scope), bare(expr.list)
    if isinstance(items, g.Joined) and all(phrase(item, scope).pile for item in items.items):
        places = [phrase(item, scope).within for item in items.items]
        return statement(left, "is", words.join(places, "or") if positive else f"neither {words.join(places, 'nor')}")
    if isinstance(items, g.Joined):
        return one_of(left, [in_figures(item, left.type.tag == "member", scope) for item in items.items], positive)
    return inside(left, phrase(items, scope), positive)


@holds(g.IsAbsent)
def is_absent(expr: g.IsAbsent, scope: Scope, positive: bool) -> Clause:
    return absent(phrase(expr.value, scope), "nobody" if expr.value.type.tag == "player" else "nothing", positive)


def all_share(expr: g.Compare, operator: str, scope: Scope) -> Clause | None:
    """Describe `count of (distinct of cards' rank) = 1`: all have the same rank."""
    match bare(expr.left):
        case g.Agg(function="count", list=g.Agg(function="distinct", list=g.MapEach(list=of) as each)):
            if operator in ("=", "!=") and phrase(expr.right, scope).text == "one":
                no = "" if operator == "=" else "do not "
                return Clause(f"{phrase(of, scope).cards} {no}all have the same {words.plain(name_of(each))}")
    return None


def measured(expr: g.Compare, scope: Scope) -> tuple[Noun, Noun]:
    """Return both sides of a comparison. Compared with a computed number, a rank is replaced by its worth."""
    left, right = phrase(expr.left, scope), phrase(expr.right, scope)
    if right.type.tag == "number" and not is_number(expr.right):
        return valued(left, scope), right
    return left, valued(right, scope) if left.type.tag == "number" else right


def holding(place: Noun, value: g.NamedCards, scope: Scope) -> Clause:
    """Describe the exact content of a zone."""
    held = listed(value.faces, place.entry, scope) if len(value.faces) > 1 else phrase(value, scope).text
    return contents(place, held)


def contents(place: Noun, held: str) -> Clause:
    """Describe the content of a zone: it "is" its cards if it is named after them, otherwise it "holds" them."""
    many = place.plural or words.is_plural(place.text)
    return statement(evolve(place, plural=many), "is" if place.called_after_cards else "holds", held)


def owners(left: Noun, right: Noun) -> str:
    """Return the wording of the right side. If another player's hand is compared, use the owner alone: `Inara's`."""
    if left.owner is None or right.owner is None or not right.owner.of.endswith("'s"):
        return right.text
    alike = left.text.removeprefix(left.owner.of) == right.text.removeprefix(right.owner.of)
    return right.owner.of if alike else right.text


def compared(left: Noun, right: Noun, operator: str) -> Clause:
    if left.pile and operator == "=":
        return contents(left, right.text)
    subject = evolve(left, text=left.cards, plural=True) if left.pile else left
    if left.type.tag == "reading":
        return statement(subject, "is", READINGS[operator] + owners(left, right))
    if left.type.tag == "member" and operator not in ("=", "!="):
        return members(subject, right, operator)
    if left.type.tag == "text" and left.tested == "self":
        return statement(subject, "is", f"{'' if operator == '=' else 'not '}called {right.text}")
    if left.type.tag == "number" or right.type.tag == "number":
        return statement(subject, "is", NUMBERS[operator] + right.text)
    if left.items and left.plural and right.type.tag != "list" and operator == "=":
        return Clause(f"the only {first_singular(left.items)} is {right.text}")
    no = "" if operator == "=" else "not "
    if right is YOU and not left.tested:
        return statement(YOU, "is", no + left.text)
    said = statement(subject, "is", no + right.cards)
    if operator == "!=" and left.tested == "self":
        return Clause(said.text, f"other than {right.text}", f"other than {right.text}")
    return said


def own(expr: g.Expr, tested: Noun, scope: Scope) -> bool:
    """Return whether a comparison is with the same attribute of the definition's subject: "the same as its own"."""
    subject = scope.levels[-1].noun if scope.levels else None
    same = tested.tested == "of" and tested.entry is not None and subject is not None and subject.text == "it"
    of = owner_of(expr)
    if of is None or not is_that(of) or not same or (subject and subject.tested):
        return False
    return tested.entry is not None and tested.entry.name == name_of(expr)


def members(subject: Noun, right: Noun, operator: str) -> Clause:
    tail = {">=": f"{right.text} or higher", "<=": f"{right.text} or lower"}
    tail |= {">": f"higher than {right.text}", "<": f"lower than {right.text}"}
    return statement(subject, "is", tail[operator])


def inside(left: Noun, right: Noun, positive: bool) -> Clause:
    if right.pile:
        return statement(left, "is", right.within if positive else f"not {right.within}")
    return statement(left, "is", f"{'one' if positive else 'none'} of {right.text}")


def in_figures(expr: g.Expr, printed: bool, scope: Scope) -> str:
    """Describe a value. If it is compared with a number printed on cards, write it in figures."""
    expr = bare(expr)
    return str(expr.value) if printed and is_number(expr) and isinstance(expr, g.Const) else phrase(expr, scope).text


def one_of(left: Noun, texts: Sequence[str], positive: bool) -> Clause:
    """Describe membership in a list of values: `in (Clubs, Hearts)`."""
    if positive:
        return statement(left, "is", words.join(texts, "or"))
    return statement(
        left, "is", f"neither {texts[0]} nor {texts[1]}" if len(texts) == 2 else f"none of {words.join(texts)}"
    )


def absent(left: Noun, nothing: str, absent: bool) -> Clause:
    """Describe a test for an absent value: `= nobody`, `= nothing`."""
    if left.tested or not left.text.startswith("the ") or "'s " in left.text:
        return statement(left, "is", nothing if absent else f"not {nothing}")
    noun = left.text.removeprefix("the ")
    return Clause(f"there is no {noun}" if absent else f"there is {words.article(noun)}")


def flags(expr: g.Compare, scope: Scope, operator: str) -> Clause:
    """Describe a condition compared with yes, no or another condition."""
    right = truth(expr.right)
    if right is not None:
        return clause(expr.left, scope, right == (operator == "="))
    left = clause(expr.left, scope).text
    same = "just when" if operator == "=" else "just when not"
    return Clause(f"{left} {same} {clause(expr.right, scope).text}")
