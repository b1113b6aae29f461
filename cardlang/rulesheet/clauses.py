"""Conditions in English."""

from __future__ import annotations

import re
from collections.abc import Sequence

from attrs import evolve

from cardlang import nodes as n
from cardlang.game import FLAG, Type, member
from cardlang.rulesheet import words
from cardlang.rulesheet.english import (
    Clause,
    Noun,
    Scope,
    clause,
    holds,
    item_type,
    phrase,
    relative,
    statement,
    tested,
)
from cardlang.rulesheet.lexicon import Entry
from cardlang.rulesheet.nouns import kind_noun, listed, set_noun

HOLDERS = ("player", "reading")
FLIPPED = {"=": "!=", "!=": "=", "<": ">=", ">": "<=", "<=": ">", ">=": "<", "in": "not in", "not in": "in"}
NUMBERS = {"=": "", "!=": "not ", "<": "less than ", ">": "more than ", "<=": "at most ", ">=": "at least "}
READINGS = {"=": "equal to ", "!=": "not equal to ", "<": "worse than ", ">": "better than "}
READINGS |= {"<=": "no better than ", ">=": "no worse than "}
COUNTS = {
    "=": "exactly ",
    "!=": "not exactly ",
    "<": "fewer than ",
    ">": "more than ",
    "<=": "at most ",
    ">=": "at least ",
}
AS_MANY = {
    "=": "as many {} as ",
    "!=": "not as many {} as ",
    "<": "fewer {} than ",
    ">": "more {} than ",
    "<=": "at most as many {} as ",
    ">=": "at least as many {} as ",
}


# ---------------------------------------------------------------- and, or, not
@holds(n.Not)
def not_(expr: n.Not, scope: Scope, positive: bool) -> Clause:
    return clause(expr.value, scope, not positive)


@holds(n.And, n.Or)
def compound(expr: n.And | n.Or, scope: Scope, positive: bool) -> Clause:
    word = "and" if isinstance(expr, n.And) == positive else "or"
    parts = [clause(part, scope, positive) for part in flat(expr, type(expr))]
    about = [part for part in parts if part.many]
    free = joined([part for part in parts if not part.many], "text", word)
    text = joined(parts, "text", word)
    if not about:
        return Clause(text, mixed=word)
    one, many = joined(about, "one", word), joined(about, "many", word)
    if word == "and":
        return Clause(text, one, many, free, word)
    if not free:
        return Clause(text, one, many, mixed=word)
    return Clause(text, f"{one} (or any, if {free})", f"{many} (or all, if {free})")


def joined(parts: Sequence[Clause], form: str, word: str) -> str:
    """The parts of a compound; a comma tells them apart where one of two is made with the other word."""
    said = [getattr(part, form) for part in parts]
    free = form == "text" or not any(part.provided for part in parts)
    if len(parts) == 2 and free and not any("," in text for text in said):
        comma = "," if {part.mixed for part in parts} - {"", word} else ""
        return f"{said[0]}{comma} {word} {said[0] and shortened(said[0], said[1]) if not comma else said[1]}"
    texts = [inner(part, text, word) for part, text in zip(parts, said, strict=True)]
    return words.join([texts[0], *(shortened(texts[0], text) for text in texts[1:])] if texts else [], word)


def shortened(first: str, text: str) -> str:
    """A clause without the words with which the first one begins too: `that are ready and not Acting cards`."""
    lead = re.match(r"that (is|are) ", text)
    return text[lead.end() :] if lead and first.startswith(lead[0]) else text


def inner(part: Clause, said: str, word: str) -> str:
    """A part of a compound, marked off where it is made with the other word."""
    if part.provided and said != part.text:
        said = f"(if {part.provided}) {said}"
    if part.mixed in ("", word) or (part.provided and said.startswith("(if")):
        return said
    return f"either {said}" if part.mixed == "or" else f"both {said}" if "," not in said else f"({said})"


def flat(expr: n.Expr, class_: type[n.Expr]) -> list[n.Expr]:
    """The parts of a chain of `and` or of `or`."""
    if isinstance(expr, n.And | n.Or) and isinstance(expr, class_):
        return [*flat(expr.left, class_), *flat(expr.right, class_)]
    return [expr]


# ---------------------------------------------------------------- what a thing is
@holds(n.IsA)
def is_a(expr: n.IsA, scope: Scope, positive: bool) -> Clause:
    subject = phrase(expr.value, scope)
    no = "" if positive != expr.negated else "not "
    name = expr.name.text
    if name in scope.lexicon.rankings:
        made = evolve(subject, text=subject.cards, plural=subject.plural or subject.pile)
        return statement(made, "is", f"{no}{words.article(words.plain(name))}")
    one = set_noun(name)
    return statement(subject, "is", f"{no}{words.article(one)}", f"{no}{words.plural(one)}")


@holds(n.IsEmpty)
def is_empty(expr: n.IsEmpty, scope: Scope, positive: bool) -> Clause:
    empty = positive != expr.negated
    if isinstance(expr.value, n.ListOf):
        texts = [phrase(item, scope).text for item in expr.value.items]
        all_ = "both" if len(texts) == 2 else "all"
        return Clause(f"{words.join(texts)} are {'' if empty else 'not '}{all_} empty")
    subject = phrase(expr.value, scope)
    single = subject.entry is not None and subject.entry.zone and subject.type.tag == "card"
    if single or (subject.pile and not subject.plural):
        return statement(subject, "is", "empty" if empty else "not empty")
    return none_of(subject, empty)


def none_of(subject: Noun, empty: bool) -> Clause:
    """There is nothing in a list that is no pile."""
    entry = subject.entry
    if subject.owner is not None and subject.owner.type.tag in ("player", "member") and entry is not None:
        return statement(subject.owner, "has", f"{'no' if empty else 'any'} {entry.noun}")
    if subject.tested:
        return statement(subject, "is", "none" if empty else "there")
    if subject.items:
        return Clause(f"there are {'no' if empty else 'any'} {subject.items}")
    return Clause(f"there is {'no' if empty else 'a'} {subject.text.removeprefix('the ')}")


@holds(n.Quantified)
def quantified(expr: n.Quantified, scope: Scope, positive: bool) -> Clause:
    word, head, type_ = quantifier_head(expr, scope)
    if isinstance(expr.condition, n.And | n.Or):
        return about_some(expr, scope, positive)
    opposite = {"any": "no", "no": "any", "every": "not every"}
    quantifier = word if positive else opposite[word]
    subject = Noun(f"{quantifier} {head}", type_, tested="self")
    if head.startswith("of "):
        subject = evolve(
            subject, text=f"{'each' if quantifier == 'every' else quantifier.replace('no', 'none')} {head}"
        )
    return Clause(clause(expr.condition, scope.testing(subject)).text)


def quantifier_head(expr: n.Quantified, scope: Scope) -> tuple[str, str, Type]:
    """The quantifier, what follows it (`card in your hand`), and the type of the items."""
    one = kind_noun(expr.word.text)
    if expr.among is None:
        type_ = member(expr.word.text) if expr.word.text in scope.lexicon.kinds else Type(expr.word.text)
        return expr.quantifier, one, type_
    among = phrase(expr.among, scope)
    if among.pile:
        return expr.quantifier, f"{one} {words.within(among.text)}", item_type(among)
    return expr.quantifier, f"of {among.text}", item_type(among)


def about_some(expr: n.Quantified, scope: Scope, positive: bool) -> Clause:
    """A quantifier over several conditions at once."""
    word, head, type_ = quantifier_head(expr, scope)
    among = "" if expr.among is None else f"among {phrase(expr.among, scope).cards} "
    said = clause(expr.condition, scope.testing(tested(type_)))
    if word == "every":
        each = f"for each {head}, {said.text}" if not among else f"{among}for each one, {said.text}"
        return Clause(each if positive else f"it is not so that {each}")
    one = {True: "one" if among else words.article(head), False: "none" if among else f"no {head}"}
    which = relative(said, False) if said.one else f"for which {said.text}"
    return Clause(f"{among}there is {one[(word == 'any') == positive]} {which}")


# ---------------------------------------------------------------- comparing
@holds(n.Compare)
def compare(expr: n.Compare, scope: Scope, positive: bool) -> Clause:
    operator = expr.operator if positive else FLIPPED[expr.operator]
    left, right = phrase(expr.left, scope), phrase(expr.right, scope)
    printed = left.type.tag == "member"
    if operator in ("in", "not in") and isinstance(expr.right, n.ListOf):
        return one_of(left, [in_figures(item, printed, scope) for item in expr.right.items], operator == "in")
    if operator in ("in", "not in"):
        return inside(left, right, operator == "in")
    if left.pile and operator == "=" and isinstance(expr.right, n.CardList):
        return holding(left, expr.right, scope)
    right = evolve(right, text=in_figures(expr.right, printed, scope))
    if right.text in ("nobody", "nothing"):
        return absent(left, right, operator == "=")
    if left.type == FLAG or right.type == FLAG:
        return flags(expr, scope, operator)
    if left.counted:
        return counts(left, right, operator)
    if left.entry is not None and left.entry.unit and (left.owner is None or left.owner.type.tag in HOLDERS):
        return units(left, right, operator, left.entry)
    return compared(left, right, operator)


def holding(place: Noun, value: n.CardList, scope: Scope) -> Clause:
    """What lies in a place, and nothing else."""
    many = bool(place.entry and place.entry.unit)
    held = listed(value, place.entry, scope) if len(value.codes) > 1 else phrase(value, scope).text
    return statement(evolve(place, plural=many), "holds", held)


def compared(left: Noun, right: Noun, operator: str) -> Clause:
    if left.pile and operator == "=":
        return statement(evolve(left, plural=bool(left.entry and left.entry.unit)), "holds", right.text)
    subject = evolve(left, text=left.cards, plural=True) if left.pile else left
    if left.type.tag == "reading":
        return statement(subject, "is", READINGS[operator] + right.text)
    if left.type.tag == "member" and operator not in ("=", "!="):
        return members(subject, right, operator)
    if left.type.tag == "text" and left.tested == "self":
        return statement(subject, "is", f"{'' if operator == '=' else 'not '}called {right.text}")
    if left.type.tag == "number" or right.type.tag == "number":
        return statement(subject, "is", NUMBERS[operator] + right.text)
    if left.items and left.plural and right.type.tag != "list" and operator == "=":
        return Clause(f"the only {first_singular(left.items)} is {right.text}")
    said = statement(subject, "is", ("" if operator == "=" else "not ") + right.cards)
    if operator == "!=" and left.tested == "self":
        return Clause(said.text, f"other than {right.text}", f"other than {right.text}")
    return said


def members(subject: Noun, right: Noun, operator: str) -> Clause:
    tail = {">=": f"{right.text} or higher", "<=": f"{right.text} or lower"}
    tail |= {">": f"higher than {right.text}", "<": f"lower than {right.text}"}
    return statement(subject, "is", tail[operator])


def inside(left: Noun, right: Noun, positive: bool) -> Clause:
    if right.pile:
        place = words.within(right.text)
        return statement(left, "is", place if positive else f"not {place}")
    return statement(left, "is", f"{'one' if positive else 'none'} of {right.text}")


def in_figures(expr: n.Expr, printed: bool, scope: Scope) -> str:
    """A value; a number that is compared with what is printed on cards as it is printed there."""
    return expr.digits if printed and isinstance(expr, n.Number) else phrase(expr, scope).text


def one_of(left: Noun, texts: Sequence[str], positive: bool) -> Clause:
    """`in (Clubs, Hearts)`."""
    if positive:
        return statement(left, "is", words.join(texts, "or"))
    return statement(
        left, "is", f"neither {texts[0]} nor {texts[1]}" if len(texts) == 2 else f"none of {words.join(texts)}"
    )


def absent(left: Noun, right: Noun, absent: bool) -> Clause:
    """`= nobody`, `= nothing`."""
    if left.tested or not left.text.startswith("the ") or "'s " in left.text:
        return statement(left, "is", right.text if absent else f"not {right.text}")
    noun = left.text.removeprefix("the ")
    return Clause(f"there is no {noun}" if absent else f"there is {words.article(noun)}")


def flags(expr: n.Compare, scope: Scope, operator: str) -> Clause:
    """A condition compared with yes, no or another condition."""
    right = expr.right.name if isinstance(expr.right, n.NameRef) else ""
    if right in ("yes", "no"):
        return clause(expr.left, scope, (right == "yes") == (operator == "="))
    left = clause(expr.left, scope).text
    same = "just when" if operator == "=" else "just when not"
    return Clause(f"{left} {same} {clause(expr.right, scope).text}")


def amount(right: Noun, operator: str, one: str, many: str) -> str:
    """So many of something: `at least two chips`, `no chips`, `more chips than the ante`."""
    if right.text == "zero" and operator in ("=", "<="):
        return f"no {many}"
    if right.text == "zero" and operator in (">", "!="):
        return f"any {many}"
    fixed = right.text in words.SMALL or right.text.isdigit()
    if fixed:
        exact = "" if operator == "=" else COUNTS[operator]
        return f"{exact}{right.text} {one if right.text == 'one' else many}"
    if right.counted:
        return AS_MANY[operator].format(many) + right.counted
    return AS_MANY[operator].format(many) + right.text


def units(left: Noun, right: Noun, operator: str, entry: Entry) -> Clause:
    """A number that counts things: its owner has so many."""
    said = amount(right, operator, words.singular(entry.singular), entry.plural)
    if left.owner is not None:
        return statement(left.owner, "uses" if left.owner.type.tag == "reading" else "has", said)
    return Clause(f"there {'is' if said.startswith('one ') else 'are'} {said}")


def counts(left: Noun, right: Noun, operator: str) -> Clause:
    """So many things in a list."""
    one = first_singular(left.counted)
    said = amount(right, operator, one, left.counted)
    single = right.text == "one" and operator in ("=", "!=", "<=", ">=")
    if right.text == "one" and operator in ("=", "!="):
        said = f"{'' if operator == '=' else 'not '}only one {one}"
    if right.text == "one" and operator == ">":
        said = f"at least two {left.counted}"
    return Clause(f"there {'is' if single else 'are'} {said}")


def first_singular(items: str) -> str:
    """`cards in your hand`: `card in your hand`."""
    parts = items.split(" ")
    for index, part in enumerate(parts):
        if words.is_plural(part):
            return " ".join([*parts[:index], words.singular(part), *parts[index + 1 :]])
    return items
