"""Words in braces in the texts of cards that stand for icons: `Take 2 {coins}`."""

from __future__ import annotations

from collections.abc import Iterator

from cardlang.english.morphology import list_word_forms, replace_hyphens
from cardlang.semantics.symbol_table import ResolveContext
from cardlang.syntax import ast as n
from cardlang.syntax.ast.traversal import find_nodes


def find_text_icons(ctx: ResolveContext, cards: n.Cards) -> tuple[str, ...]:
    """Return the words in braces in the texts of a card set that stand for icons, and mark these texts for them.

    They name values of kinds, kinds, columns, and numbers or definitions of the game."""
    texts = [node for node in find_nodes((cards.doc, cards.rows, cards.bears)) if isinstance(node, n.Words)]
    ctx.card_texts.update(map(id, texts))
    names = (piece.name for text in texts for piece in text.pieces if isinstance(piece, n.NameRef))
    return tuple(dict.fromkeys(name for name in names if is_icon_word(ctx, name)))


def is_icon_word(ctx: ResolveContext, word: str) -> bool:
    """Return whether a word is a name with an icon, in the singular or plural."""
    if not ctx.icon_words:
        ctx.icon_words.update(form.lower().replace(" ", "-") for form in list_icon_words(ctx))
    return word in ctx.members_by_name or word.lower() in ctx.icon_words


def list_icon_words(ctx: ResolveContext) -> Iterator[str]:
    """Yield the names with icons in their forms in texts."""
    nouns = [node for node in ctx.nouns.values() if isinstance(node, n.Track) or is_owned_definition(ctx, node)]
    sets = ctx.list_items(n.Cards)
    columns = [column.text for cards in sets for column in cards.columns]
    columns += [each.kind.text.lower() for cards in sets for product in cards.products for each in product.columns]
    for node in nouns:
        called = [node.called.singular, node.called.plural or ""] if node.called else []
        yield from list_word_forms(node.name.text, *called)
    yield from list_word_forms(*columns, *ctx.kinds)
    for member in (member for kind in ctx.kinds.values() for member in kind.members):
        yield from list_word_forms(member.name, member.noun.singular, member.noun.plural)


def is_owned_definition(ctx: ResolveContext, node: object) -> bool:
    """Return whether a node defines a value of a player, card or kind: it has no single value that a text can show."""
    return isinstance(node, n.Define) and ctx.get_subject(node) is not None


def spell_icon_word(ctx: ResolveContext, piece: object, text: n.Words) -> str:
    """Return the word in braces in a text of a card if it stands for an icon; otherwise the empty string.

    Values of kinds are no such words: their text is the noun of the value."""
    if id(text) not in ctx.card_texts or not isinstance(piece, n.NameRef) or piece.name in ctx.members_by_name:
        return ""
    return replace_hyphens(piece.name) if is_icon_word(ctx, piece.name) else ""
