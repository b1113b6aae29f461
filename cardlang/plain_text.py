"""Characters that nobody sees, and that change how other text is shown or read: where they are refused, left out, or
written so that they can be seen."""

from __future__ import annotations

import json
import re
import unicodedata

UNSEEN = re.compile(
    "[\x00-\x1f\x7f-\x9f\xad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180e\u200b\u200e\u200f\u2028-\u202e\u2060-\u206f"
    "\u3164\ud800-\udfff\ufeff\uffa0\ufff0-\ufffb\ufffe\uffff\U00013430-\U0001343f\U0001bca0-\U0001bca3"
    "\U0001d173-\U0001d17a\U000e0000-\U000e00ff\U000e01f0-\U000e0fff]"
    "|(?<![\u0590-\u1cff\u2190-\ufeff\U00010000-\U000e01ef])[\u200c\u200d]"
)
"""Control characters; ends of lines and of paragraphs; marks that turn the direction of writing; halves of characters;
what Unicode lets a screen leave out (Default_Ignorable_Code_Point). Not among them: what scripts and emoji are written
with, that is, variation selectors, and joiners that stand behind a letter or a sign which can be joined."""


WRITTEN = "Written by cardlang"
"""The mark in files that cardlang has written and may replace."""
BLANK = re.compile("[\xa0\u1680\u2000-\u200a\u202f\u205f\u2800\u3000]")
"""Blanks other than the space bar's: no-break, wide, narrow, ideographic, and the empty Braille sign."""
SELECTORS = re.compile("[\u180b-\u180f\ufe00-\ufe0f\U000e0100-\U000e01ef]")
"""Signs without a shape of their own, which choose how the sign before them looks."""


def composed(text: str) -> str:
    """Return the text with each letter and its accents as one character, where Unicode has one."""
    return text if text.isascii() else unicodedata.normalize("NFC", text)


def simplified(text: str) -> str:
    """Return what somebody typed with composed letters, plain blanks and the digits 0 to 9, whatever the keyboard."""
    if text.isascii():
        return text
    text = BLANK.sub(" ", composed(text))
    return "".join(str(unicodedata.decimal(char, char)) for char in text)


def unescaped(text: str) -> str:
    """Return a text of a game file, as it is written between its quotes, without the backslashes that protect signs."""
    return re.sub(r"\\(.)", r"\1", text)


def code_of(title: str) -> str:
    """Return the letters and digits of a title, with hyphens in place of all between them. Numerals of any script
    become 0 to 9. The result is empty where a title has neither letters nor digits."""
    code, broken = "", False
    for char in SELECTORS.sub("", composed(title)):
        kind, number = unicodedata.category(char), unicodedata.numeric(char, None)
        if kind in ("Nd", "No") and number is not None and number.is_integer():
            char = str(int(number))
        elif kind[0] != "L" and kind != "Nl" and not (kind in ("Mn", "Mc") and code and not broken):
            broken = True
            continue
        code += f"-{char}" if broken and code else char
        broken = False
    return code


def harmless(text: str) -> str:
    """The text on one line, without what nobody sees."""
    return " ".join(UNSEEN.sub(lambda found: " " if found[0].isspace() else "", text).split())


def visible(text: str) -> str:
    """A line in which every character that would not be seen is written as an escape: `\\x9b`, `\\u202e`."""
    return UNSEEN.sub(lambda found: escaped(found[0]), text)


def visible_lines(text: str) -> str:
    """As `visible`, for a text whose lines and tabs stay as they are."""
    return "\n".join("\t".join(map(visible, line.split("\t"))) for line in text.split("\n"))


def escaped(char: str) -> str:
    return char.encode("unicode_escape").decode()


def named(char: str) -> str:
    """`U+202E (right-to-left override)`; the number alone, where a character has no name."""
    name = unicodedata.name(char, "").lower()
    return f"U+{ord(char):04X} ({name})" if name else f"U+{ord(char):04X}"


def json_text(value: object) -> str:
    """A value as JSON, indented. Characters that nobody sees are written as JSON writes them in escapes."""
    return UNSEEN.sub(json_escaped, json.dumps(value, indent=2, ensure_ascii=False))


def json_escaped(found: re.Match[str]) -> str:
    return found[0] if found[0] == "\n" else json.dumps(found[0])[1:-1]
