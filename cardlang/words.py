"""English grammar helpers: numbers, articles, plurals, verbs, lists, sentences."""

from __future__ import annotations

import re
from collections.abc import Sequence
from fractions import Fraction

SMALL = [
    "zero",
    "one",
    "two",
    "three",
    "four",
    "five",
    "six",
    "seven",
    "eight",
    "nine",
    "ten",
    "eleven",
    "twelve",
]
FRACTIONS = {Fraction(1, 2): "½", Fraction(1, 4): "¼", Fraction(3, 4): "¾"}
SECOND = {"is": "are", "has": "have", "was": "were", "does": "do"}
ADJECTIVES = {"old", "new", "other", "best", "worst", "highest", "lowest", "first", "last", "top", "left", "kept"}
INTO = ("draw", "put", "take", "return")
CARD_PLAY = """
ante-up bet bid buy call challenge check claim close concede discard double doubt draw exchange fold hit knock marry
name order-up overthrow play poison redouble show sit-out stand take
"""
PLAYED: dict[str, tuple[str, ...]] = {
    **dict.fromkeys(CARD_PLAY.split(), ("",)),
    "add": ("", "to"), "ask": ("", "for"), "raise": ("by",), "steal": ("from",), "stop": ("with",),
}  # fmt: skip
"""Verbs of card play that options may have as names, with the prepositions before their objects."""
AUXILIARY = re.compile(r"\b(is|are|was|were|has|have|may|can|must|will)\b")


def number(value: int) -> str:
    """Return a number in words up to twelve, otherwise in digits."""
    return SMALL[value] if 0 <= value < len(SMALL) else str(value)


def figure(value: int | Fraction) -> str:
    """Return a number such as `four`, `37½` or `1.35`."""
    value = Fraction(value)
    if value.denominator == 1:
        return number(int(value))
    whole, rest = divmod(value, 1)
    return (str(whole) if whole else "") + FRACTIONS[rest] if rest in FRACTIONS else f"{float(value):.15g}"


def plain(name: str) -> str:
    """Return a hyphenated name as words."""
    return name.replace("-", " ")


def title(name: str) -> str:
    """Return a name as a heading. Only its first letter changes."""
    return capital(plain(name))


def toward(place: str, verb: str) -> str:
    """Return a destination with its preposition: `into your hand`, `onto the table`, `to the discard pile`."""
    flat = place.endswith(("table", "board"))
    if verb in INTO:
        return f"{'onto' if flat else 'into'} {place}"
    return f"{'onto' if verb == 'turn' and (flat or place.endswith('pile')) else 'to'} {place}"


def with_pronouns(text: str) -> str:
    """Replace repeated `that team's` by `the team's` and then `its`.

    The text stays unchanged if `its` would be ambiguous."""
    nouns = set(re.findall(r"\bthat (\w+)'s\b", text)) - {"player", "card"}
    if len(nouns) != 1 or re.search(r"\b(it|its|they|their)\b", text):
        return text
    (noun,) = nouns
    before, *rest = re.split(rf"\bthat {noun}'s\b", text)
    return f"{before}the {noun}'s{'its'.join(rest)}"


def within(place: str) -> str:
    """Return a place with its preposition: `in your hand`, `on the table`."""
    return f"{'on' if place.endswith(('table', 'board')) else 'in'} {place}"


def names_cards(noun: str) -> bool:
    """Return whether the name of a place mentions cards already: `won cards`, `cards just played`."""
    return bool(re.search(r"\bcards\b", noun))


def capital(text: str) -> str:
    return text[:1].upper() + text[1:]


def article(noun: str) -> str:
    """Return the noun with `a` or `an`."""
    return ("an " if noun[:1].lower() in "aeio" or re.match(r"(?i)u[^n]|un[^i]", noun) else "a ") + noun


def parted(noun: str) -> tuple[str, str]:
    """Split a noun after the word that changes in the plural: `card`, ` on offer`."""
    found = re.match(r"(.+?)( (?:on|of|in|to|from|for|as) .*)", noun) or re.match(r"(.+s)( [a-z]{3,}ed)$", noun)
    return (found[1], found[2]) if found else (noun, "")


def plural(noun: str) -> str:
    """Return the regular plural."""
    head, rest = parted(noun)
    if re.search(r"[^aeiou]y$", head):
        return head[:-1] + "ies" + rest
    return head + ("es" if re.search(r"(s|x|z|ch|sh)$", head) else "s") + rest


def is_plural(noun: str) -> bool:
    """Return whether the noun looks like a plural."""
    head = parted(noun)[0]
    return head.endswith("s") and not head.endswith(("ss", "us"))


def is_adjective(word: str) -> bool:
    """Return whether a word looks like an adjective: a participle, or a word such as `old`."""
    return word.endswith(("ed", "en", "ing")) or word in ADJECTIVES


def singular(noun: str) -> str:
    """Return the singular of a regular plural. Other words stay unchanged."""
    head, rest = parted(noun)
    if not is_plural(noun):
        return noun
    if head.endswith("ies"):
        return head[:-3] + "y" + rest
    return (head[:-2] if re.search(r"(ss|us|x|z|ch|sh)es$", head) else head[:-1]) + rest


def of_number(noun: str, count: str) -> str:
    """Return a count with a singular noun or its plural: `one card`, `three cards`."""
    return f"{count} {noun}" if count == "one" else f"{count} {plural(noun)}"


def possessive(noun: str) -> str:
    pronouns = {"you": "your", "it": "its", "they": "their", "everybody": "everybody's"}
    if noun in pronouns:
        return pronouns[noun]
    return noun + ("'" if is_plural(noun.split(",")[0]) and not noun[:1].isupper() else "'s")


def join(parts: Sequence[str], word: str = "and") -> str:
    """Join parts: `a, b and c`. A comma precedes the last word if a part contains commas."""
    parts = [part for part in parts if part]
    if len(parts) < 2:
        return "".join(parts)
    heavy = any("," in part for part in parts)
    return ", ".join(parts[:-1]) + f"{',' if heavy else ''} {word} {parts[-1]}"


def third(verb: str) -> str:
    """Return the third person of an infinitive. Further words may follow the infinitive."""
    head, _, rest = verb.partition(" ")
    irregular = {"have": "has", "be": "is", "do": "does", "go": "goes"}
    form = irregular.get(head) or plural(head)
    return f"{form} {rest}" if rest else form


def done_by(act: str) -> str:
    """Turn an instruction into the third person: `ends their turn`, `draws and discards`.

    Text in brackets addresses the player and is removed."""
    act = re.sub(r" \([^()]*\)", "", act)
    head, *rest = re.sub(r"\byour(self)?\b", lambda found: "themselves" if found[1] else "their", act).split(" and ")
    verbs = (part.partition(" ")[0] in PLAYED for part in rest)
    return " and ".join([third(head), *(third(part) if verb else part for part, verb in zip(rest, verbs, strict=True))])


def taken(option: str, given: Sequence[str]) -> tuple[str, str]:
    """Return the infinitive of taking an option, and its objects: `bet 12`, `raise by 20`.

    If the option's name isn't a known verb, the infinitive is `choose`."""
    links = PLAYED.get(option)
    if links is None or len(given) > len(links):
        return "choose", f"“{plain(option)}”{f' with {join(given)}' if given else ''}"
    return plain(option), " ".join(word for pair in zip(links, given, strict=False) for word in pair if word)


def infinitive(verb: str) -> str:
    """Return the infinitive of a third person, such as `uses`, `carries` or `passes`."""
    if verb.endswith("ies"):
        return verb[:-3] + "y"
    return re.sub(r"(ss|x|zz|ch|sh|o)es$|s$", r"\1", verb)


def agree(verb: str, many: bool) -> str:
    """Make a verb phrase in the third person (`has folded`) agree with `you` or a plural, if `many`."""
    if not many:
        return verb
    head, _, rest = verb.partition(" ")
    form = SECOND.get(head, head)
    if form == head and not AUXILIARY.match(head):
        form = infinitive(head)
    return f"{form} {rest}" if rest else form


def negate(text: str) -> str:
    """Negate a sentence: insert `not` after its first auxiliary verb."""
    mended, found = AUXILIARY.subn(r"\1 not", text, count=1)
    return mended if found else f"it is not so that {text}"


def times(count: int) -> str:
    """Return `once`, `twice` or `three times`."""
    return {1: "once", 2: "twice"}.get(count, f"{number(count)} times")


def from_now(text: str, holds: bool) -> str:
    """Return a condition that starts or stops holding: `you are now slowed`, `you have not yet acted`."""
    if not AUXILIARY.search(text):
        return f"from now on, {text}" if holds else f"it is no longer so that {text}"
    if holds:
        return AUXILIARY.sub(r"\1 now", text, count=1)
    undone, past = re.subn(r"\b(has|have)\b", "had not", text, count=1)
    return f"it is now as if {undone}" if past else AUXILIARY.sub(r"\1 no longer", text, count=1)


def sentence(text: str) -> str:
    """Return a text with a capital first letter and final punctuation."""
    text = capital(text.strip())
    return text if re.search(r"[.:!?][”\"')]?$", text) else text + "."
