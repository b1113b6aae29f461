"""Names of cards by their attributes: `a Jack`, `Queens or Kings`, `the 9 of Hearts`."""

from __future__ import annotations

from collections.abc import Sequence

from attrs import frozen

from cardlang import model as g
from cardlang.english import morphology
from cardlang.model.expression_queries import is_same_var, unwrap_conversions
from cardlang.rulebook.realise.game_lexicon import LexiconEntry
from cardlang.rulebook.realise.noun_phrases import describe_faces, get_kind_noun, get_set_noun
from cardlang.rulebook.realise.phrases import Clause, NounPhrase, PhraseScope, build_noun_phrase, build_verb_clause


@frozen
class CardTrait:
    """A condition on a card: an attribute has one of some values, or none of them if it `is_negated`."""

    card: g.Expr
    attribute: str
    values: tuple[g.Expr, ...]
    is_negated: bool = False


def find_card_trait(expr: g.Expr) -> CardTrait | None:
    """Return the trait of a card that a condition `attribute = value` or `attribute in (…)` describes."""
    match expr:
        case g.Compare(operator="=" | "!=", left=left, right=right):
            attribute, items = unwrap_conversions(left), (right,)
        case g.IsIn(value=value, list=g.Joined(items=items)):
            attribute = unwrap_conversions(value)
        case _:
            return None
    values = tuple(map(unwrap_conversions, items))
    if not isinstance(attribute, g.Attribute) or not all(
        isinstance(v, g.Const | g.TrackValue | g.Call) for v in values
    ):
        return None
    is_negated = isinstance(expr, g.Compare) and expr.operator == "!="
    return CardTrait(unwrap_conversions(attribute.card), attribute.attribute, values, is_negated)


def build_card_name_clause(exprs: Sequence[g.Expr], positive: bool, scope: PhraseScope) -> Clause | None:
    """Describe attributes of one card by its name: `it is a Jack`, `the top card of the pile is the 9 of Hearts`."""
    traits = list(filter(None, map(find_card_trait, exprs)))
    if len(traits) < len(exprs) or any(trait.card != traits[0].card for trait in traits):
        return None
    if len(traits) > 1 and any(trait.is_negated for trait in traits):
        return None
    subject, name = build_noun_phrase(traits[0].card, scope), name_card_with(traits, scope)
    is_named = name and (len(traits) > 1 or not name.startswith("a card of "))
    if subject.tested_role or subject.type.tag != "card" or not is_named:
        return None
    return build_verb_clause(subject, "is", f"{'' if positive else 'not '}{name}")


def name_card_with(traits: Sequence[CardTrait], scope: PhraseScope) -> str:
    """Return the name of a card with some traits: `a Jack`, `a 9 of the trump suit`, `the 9 of Hearts`; or empty."""
    head, of = "", list[str]()
    for trait in traits:
        titled = name_cards_of_members(trait.attribute, trait.values, scope)
        if titled is None and len(traits) == 1:
            titled = name_cards_by_adjective(trait.attribute, trait.values, scope)
        if titled is not None and not head:
            head = titled[0]
        elif len(trait.values) == 1 and (value := describe_trait_value(trait, scope)):
            of.append(value)
        else:
            return ""
    is_exact = all(len(trait.values) == 1 and isinstance(trait.values[0], g.Const) for trait in traits)
    name = " ".join([head or "card", *(f"of {value}" for value in of)])
    return f"the {name}" if head and of and is_exact else morphology.add_article(name)


def describe_trait_value(trait: CardTrait, scope: PhraseScope) -> str:
    """Return the value of a trait after `of`: `Hearts`, `the trump suit`; empty if unclear."""
    entry = scope.lexicon.columns[trait.attribute]
    if entry.type.tag != "member" or get_kind_noun(str(entry.type.of)) != entry.noun:
        return ""
    return describe_member_after_of(trait.values[0], build_noun_phrase(trait.values[0], scope), entry)


def describe_member_after_of(expr: g.Expr, noun: NounPhrase, entry: LexiconEntry) -> str:
    """Return a member after `of`: `Hearts`, `rank 7`, `the suit led`, `the trump suit`; empty if unclear."""
    if isinstance(unwrap_conversions(expr), g.Const):
        return f"{entry.noun} {noun.text}" if noun.text.isdecimal() else noun.text
    if entry.noun in (noun.entry.singular if noun.entry is not None else noun.text).split(" "):
        return noun.text
    return f"{noun.text} {entry.noun}" if noun.entry is not None else ""


def name_cards_of_members(attribute: str, items: Sequence[g.Expr], scope: PhraseScope) -> tuple[str, str] | None:
    """Return the nouns for cards of some members, if their titles begin with these: `Queens or Kings`."""
    game, names = scope.lexicon.game, [build_noun_phrase(item, scope).text for item in items]
    column = game.columns[attribute]
    for item, name in zip(map(unwrap_conversions, items), names, strict=True):
        faces = [face for face in game.faces if isinstance(item, g.Const) and column.values[face.number] == item.value]
        if not faces or not all(face.title.startswith(f"{name} of ") for face in faces):
            return None
    return morphology.join_phrases(names, "or"), morphology.join_phrases([*map(morphology.pluralize, names)], "or")


def name_cards_by_adjective(attribute: str, items: Sequence[g.Expr], scope: PhraseScope) -> tuple[str, str] | None:
    """Return the nouns for cards of some members whose names can go before a noun: `Moon or Owl cards`."""
    names = [build_noun_phrase(item, scope).text for item in items if isinstance(unwrap_conversions(item), g.Const)]
    is_member = scope.lexicon.game.columns[attribute].type.tag == "member" and len(names) == len(items)
    if not is_member or any(morphology.is_plural(name) or not name.isalpha() for name in names):
        return None
    either = morphology.join_phrases(names, "or")
    return f"{either} card", f"{either} cards"


def name_identified_cards(condition: g.Expr, var: g.Var, scope: PhraseScope) -> tuple[str, str] | None:
    """Return the nouns of the cards that a condition identifies by their titles: `Dragons`, `2 of Clubs`, `Kings`."""
    match condition:
        case g.IsSet(card=card, set=name) if is_same_var(card, var):
            noun = get_set_noun(name, scope.lexicon)
            return noun, morphology.pluralize(noun)
        case g.Compare(operator="=", left=left, right=g.NamedCards(faces=(face,))) if is_same_var(left, var):
            return (describe_faces((face,), scope).removeprefix("the "),) * 2
        case g.Compare(operator="=", left=g.Builtin(name="title", of=of), right=g.Const(value=str(title))) if (
            of is not None and is_same_var(of, var)
        ):
            return title, morphology.pluralize(title)
        case g.Compare(operator="=", left=g.Attribute() as left, right=right) if is_same_var(left.card, var):
            named = name_cards_of_members(left.attribute, [right], scope)
            return named or name_cards_by_adjective(left.attribute, [right], scope)
        case g.IsIn(value=g.Attribute() as left, list=g.Joined(items=items)) if is_same_var(left.card, var):
            return name_cards_of_members(left.attribute, items, scope)
    return None
