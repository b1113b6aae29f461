"""Card names that a player can type, and captions of cards.

Examples: `7c` and `7clubs` for the 7 of Clubs, regardless of its code's letter; `bl` for Bottom Left in a grid. A name
can have several words.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable, Iterator, Mapping, Sequence

from cardlang.cards import CardSymbol, SymbolSet
from cardlang.cards.suit_and_card_drawings import SUIT_CHARACTERS, split_at_icons
from cardlang.english.control_characters import build_code_from_title, normalize_user_input
from cardlang.english.morphology import capitalize_first_letter
from cardlang.model import BorneBody, BorneStepBody, CardSet, Face, Game, Row
from cardlang.model.card_rules import list_card_rules

WELL_KNOWN_SUITS = ("club", "diamond", "heart", "spade")
"""Suits known by their first letter."""
CODE_WITH_SYMBOL = re.compile(r"(?<!\w)([^\W_]+)([^\w\s\[\],.*#'-])\*?(?=[\s,;.\])]|$)")
"""Word followed by a symbol."""
WORD_PATTERN = re.compile(r"[^\s\[\],]+")


def split_words(text: str) -> list[str]:
    """Return the words of a line, without the brackets around cards."""
    return WORD_PATTERN.findall(normalize_user_input(text))


def find_code_aliases(game: Game, shortest: int = 1) -> dict[str, tuple[str, ...]]:
    """Return the codes that each alias in lower case can mean.

    An alias replaces the suit's letter with at least `shortest` letters of the suit's name. If several suits match, a
    well-known suit takes precedence."""
    game_codes = {face.code.lower() for face in game.faces}
    codes_by_alias: dict[str, set[tuple[bool, str]]] = {}
    for face in game.faces:
        for column in game.columns.values():
            kind, member_index = game.kinds.get(column.type.of or ""), column.get_member_index(face.number)
            if kind is None or member_index is None:
                continue
            member = kind.members[member_index]
            stem = face.code.removesuffix(member.code)
            if not stem or stem == face.code or len(member.name) < 2:
                continue
            known = member.name.lower().removesuffix("s") in WELL_KNOWN_SUITS
            for end in range(shortest, len(member.name) + 1):
                alias = f"{stem}{member.name[:end]}".lower()
                if alias not in game_codes:
                    codes_by_alias.setdefault(alias, set()).add((known and end > 0, face.code))
    return {alias: prefer_known_suits(codes) for alias, codes in codes_by_alias.items()}


def replace_symbols(typed: str, game: Game) -> str:
    """Return a line without the symbols drawn on cards.

    A symbol after a complete code is dropped. Otherwise, the name of its suit replaces it."""
    game_codes = {face.code.lower() for face in game.faces}
    names = {sign: name for name, sign in SUIT_CHARACTERS.items()}

    def replace_symbol(found: re.Match[str]) -> str:
        code, sign = found.groups()
        if unicodedata.category(sign)[0] == "M":  # combining marks (accents, vowel signs) belong to the word
            return found[0]
        return code if code.lower() in game_codes else f"{code}{names.get(sign, sign)}"

    return CODE_WITH_SYMBOL.sub(replace_symbol, typed)


def prefer_known_suits(codes: Iterable[tuple[bool, str]]) -> tuple[str, ...]:
    every = sorted(codes)
    return tuple(code for known, code in every if known) or tuple(code for _, code in every)


def build_initials(label: str) -> str:
    """Return `tl` for `Top Left`, or an empty string for a single word."""
    parts = label.split()
    return "".join(part[0] for part in parts).lower() if len(parts) > 1 else ""


def expand_aliases(typed: str, game: Game, available_names: str, place_names: Sequence[str], shortest: int = 1) -> str:
    """Return a line with aliases replaced by unambiguous codes and places that are available.

    `available_names`: all moves and labels available now. `place_names`: names of the places of a grid. `shortest`:
    minimum number of letters typed for a suit."""
    named = {word.lower() for word in split_words(available_names)}
    codes, short = find_code_aliases(game, shortest), {build_initials(name): name for name in place_names}

    def replace_alias(found: re.Match[str]) -> str:
        typed_word = found[0].lower()
        if typed_word in named:
            return found[0]
        meant = [code for code in codes.get(typed_word, ()) if code.lower() in named]
        return meant[0] if len(meant) == 1 else short.get(typed_word, found[0])

    return WORD_PATTERN.sub(replace_alias, typed)


def match_refs(typed_words: Sequence[str], names: Mapping[str, str]) -> list[str] | None:
    """Return the refs that the words name in sequence, each once, or None if some words match no ref.

    `names`: name of each ref, one or several words. Case only matters to resolve ambiguity."""
    refs: list[str] = []
    rest = list(typed_words)
    while rest:
        ref = match_next_ref(rest, {ref: name for ref, name in names.items() if ref not in refs})
        if ref is None:
            return None
        refs.append(ref)
        del rest[: len(names[ref].split())]
    return refs


def match_next_ref(typed_words: Sequence[str], names: Mapping[str, str]) -> str | None:
    """Return the ref that the next words name. Prefer exact case, then longer names."""
    order = sorted(names, key=lambda ref: -len(names[ref].split()))
    for fold in (str, str.lower):
        for ref in order:
            name_words = [fold(word) for word in names[ref].split()]
            if name_words and [fold(word) for word in typed_words[: len(name_words)]] == name_words:
                return ref
    return None


# ---------------------------------------------------------------- captions
def build_captions(game: Game, symbols: SymbolSet | None = None) -> dict[int, str]:
    """Return the caption of each face that has a row in its set, by face number.

    Example: `Bones Drawing. Drawing, Canine, cost 1. Draw 1 or 2.` With `symbols`, a character with a legend replaces
    each icon: `Discard a ● card. (● Forest)`."""
    captions = {}
    for face in game.faces:
        card_set = game.sets[face.set]
        row = next((row for row in card_set.rows if row.face == face.number), None)
        if row is not None:
            icons = symbols.find_text_icons(face.set) if symbols else ()
            texts = [replace_icons(text, icons) for text in find_author_texts(card_set, row)]
            parts = [describe_face(game, face), *(text for text, _ in texts)]
            legend = dict.fromkeys(sign for _, signs in texts for sign in signs)
            captions[face.number] = " ".join(
                [*map(end_sentence, parts), *([f"({', '.join(legend)})"] if legend else [])]
            )
    return captions


def replace_icons(text: str, icons: Sequence[CardSymbol]) -> tuple[str, list[str]]:
    """Return a text with characters in place of icons, and the legend of these characters."""
    parts = list(split_at_icons(text, icons))
    shown = "".join(icon.character if icon and icon.character else part for part, icon in parts)
    return shown, [f"{icon.character} {icon.name}" for _, icon in parts if icon and icon.character]


def describe_face(game: Game, face: Face) -> str:
    """Return the title of a face with the values of its columns.

    Numbers are given with the name of their column, texts in a sentence of their own. The set comes first if the game
    has several."""
    named = [face.set] if len(game.sets) > 1 else []
    texts = []
    for column in game.columns.values():
        value, name = column.values[face.number], column.name.replace("-", " ")
        if value is None:
            continue
        kind, member_index = game.kinds.get(column.type.of or ""), column.get_member_index(face.number)
        member = kind.members[member_index].noun.singular if kind is not None and member_index is not None else ""
        if member and not member.isdecimal():
            named.append(member)
        elif member or column.type.tag != "text":
            named.append(f"{name} {member or value}")
        else:
            texts.append(f"{capitalize_first_letter(name)}: {value}")
    parts = [face.title, capitalize_first_letter(", ".join(named)), *texts]
    return " ".join(end_sentence(part) for part in parts if part).removesuffix(".")


def end_sentence(text: str) -> str:
    return text if text.endswith((".", "!", "?")) else f"{text}."


def find_author_texts(card_set: CardSet, row: Row) -> Iterator[str]:
    """Yield the author's texts about the set, the card, and its steps and definitions.

    A rule of the card replaces the rule of its set with the same name. Its name comes first, if there are other
    texts."""
    rules = [rule for rule in list_card_rules(card_set, row) if isinstance(rule, BorneBody | BorneStepBody)]
    yield from (texts := [*filter(None, (card_set.doc, row.doc))])
    for rule in (each for each in rules if each.doc):
        name = f"{capitalize_first_letter(rule.name.replace('-', ' '))}: "
        yield f"{name if texts and isinstance(rule, BorneStepBody) else ''}{rule.doc}"


def format_caption(face: Face, captions: Mapping[int, str]) -> str:
    """Return the text after a card's code in a list: its caption, without a title that only repeats the code."""
    caption = captions.get(face.number, face.title)
    return caption.removeprefix(f"{face.title}. ") if build_code_from_title(face.title) == face.code else caption
