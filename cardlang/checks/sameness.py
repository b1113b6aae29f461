"""Checks of unintended values: unknown titles, items listed twice, columns that the cards don't have."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from difflib import get_close_matches
from fractions import Fraction

from cardlang import game as g
from cardlang.checks.known import NO, Known
from cardlang.checks.steps import own_source
from cardlang.game.walking import everything, has_chance
from cardlang.source import Diagnostic


# ---------------------------------------------------------------- titles
def check_wanted(game: g.Game) -> Iterator[Diagnostic]:
    """Report comparisons with a title or a text that no card, member or rank has."""
    if game.variant is not None:  # it may leave out cards that the game mentions
        return
    for part in everything(game):
        if isinstance(part, g.Compare) and part.span.source is own_source(game):
            for text, of in ((part.left, part.right), (part.right, part.left)):
                known = titles(game, of)
                wanted = text.value if isinstance(text, g.Const) else None
                if known is not None and isinstance(wanted, str) and wanted not in known[1]:
                    yield never_titled(text, wanted, *known)


def titles(game: g.Game, value: g.Expr) -> tuple[str, set[str]] | None:
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


def never_titled(text: g.Expr, wanted: str, what: str, known: Iterable[str]) -> Diagnostic:
    near = get_close_matches(wanted, sorted(known), 1)
    hint = f'did you mean `"{near[0]}"`?' if near else "write it as it is in the cards"
    return Diagnostic("W420", f'no {what} "{wanted}", so this is never equal', text.span, hint, warning=True)


# ---------------------------------------------------------------- repeated list items
def check_twice(game: g.Game) -> Iterator[Diagnostic]:
    """Report list items that appear twice."""
    for part in everything(game):
        if isinstance(part, g.Joined) and part.span.source is own_source(game):
            for place, item in enumerate(part.items):
                first = next((each for each in part.items[:place] if same(each, item)), None)
                if first is not None and not is_plain(item):
                    yield Diagnostic(
                        "W421",
                        "this appears twice in the list",
                        item.span,
                        "change or delete one of them. To count it twice, write `2 * …`",
                        ((first.span, "also here"),),
                        warning=True,
                    )


def same(one: g.Expr, other: g.Expr) -> bool:
    """Return whether two expressions at different places have the same wording."""
    return one.span != other.span and one.span.text.split() == other.span.text.split()


def is_plain(item: g.Expr) -> bool:
    """Return whether an item may be repeated intentionally: numbers, cards and random values."""
    return isinstance(item, g.Const | g.NamedCards) or has_chance(item)


# ---------------------------------------------------------------- missing columns
def check_columns(game: g.Game) -> Iterator[Diagnostic]:
    """Report columns that are read from cards of which none has them."""
    known = Known(game, None, settings=False)
    for part in everything(game):
        match part:
            case g.MapEach(list=items, var=var, value=g.Attribute(card=card, attribute=name) as value) if card == var:
                if part.span.source is own_source(game) and name in game.columns:
                    column = game.columns[name].values
                    faces = faces_of(game, known, items)
                    if faces and all(column[face] is None for face in faces):
                        yield without_column(game, value, faces)


def faces_of(game: g.Game, known: Known, items: g.Expr, deep: int = 20) -> list[int]:
    """Return the faces that a list may contain; all faces if nothing more is known."""
    match items:
        case g.Filter(list=inner, var=var, condition=condition) if deep:
            found = faces_of(game, known, inner, deep - 1)
            return [face for face in found if known.value(condition, {var.id: Fraction(face)}) != NO]
        case g.Call(define=name) if deep:
            return faces_of(game, known, game.defines[name].value, deep - 1)
        case g.SetCards(set=name):
            return [face.number for face in game.faces if face.set == name]
    return list(range(len(game.faces)))


def without_column(game: g.Game, value: g.Attribute, faces: Iterable[int]) -> Diagnostic:
    sets = list(dict.fromkeys(game.faces[face].set for face in faces))
    hint = f"only cards of other sets have it. Check the part before `{value.attribute}`"
    message = f"{' and '.join(sets)} cards have no `{value.attribute}`, so this is always nothing"
    return Diagnostic("W422", message, value.span, hint, warning=True)
