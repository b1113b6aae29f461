"""Invisible and control characters: detection, removal and escapes."""

from __future__ import annotations

import json
import re
import unicodedata

INVISIBLE_PATTERN = re.compile(
    "[\x00-\x1f\x7f-\x9f\xad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180e\u200b\u200e\u200f\u2028-\u202e\u2060-\u206f"
    "\u3164\ud800-\udfff\ufeff\uffa0\ufff0-\ufffb\ufffe\uffff\U00013430-\U0001343f\U0001bca0-\U0001bca3"
    "\U0001d173-\U0001d17a\U000e0000-\U000e00ff\U000e01f0-\U000e0fff]"
    "|(?<![\u0590-\u1cff\u2190-\ufeff\U00010000-\U000e01ef])[\u200c\u200d]"
)
"""Invisible characters.

These are control characters, line and paragraph separators, marks for the direction of writing, and surrogates.
Characters that Unicode lets a screen hide (Default_Ignorable_Code_Point) belong to them. Variation selectors
don't, and neither do joiners after a letter or sign that can be joined: scripts and emoji need them."""

GENERATED_FILE_MARK = "Written by cardlang"
"""Mark of generated files, which cardlang may overwrite."""
UNUSUAL_BLANK_PATTERN = re.compile("[\xa0\u1680\u2000-\u200a\u202f\u205f\u2800\u3000]")
"""Blanks other than the ordinary space: no-break, wide, narrow, ideographic, and the empty Braille pattern."""
VARIATION_SELECTOR_PATTERN = re.compile("[\u180b-\u180f\ufe00-\ufe0f\U000e0100-\U000e01ef]")
"""Variation selectors, which choose the shape of the preceding character."""


def normalize_unicode(text: str) -> str:
    """Return a string in NFC: letters and their accents are one character if Unicode has one."""
    return text if text.isascii() else unicodedata.normalize("NFC", text)


def normalize_user_input(text: str) -> str:
    """Return user input with composed letters, ordinary spaces and the digits 0 to 9, for all keyboards."""
    if text.isascii():
        return text
    text = UNUSUAL_BLANK_PATTERN.sub(" ", normalize_unicode(text))
    return "".join(str(unicodedata.decimal(char, char)) for char in text)


def unescape_backslashes(text: str) -> str:
    """Return the value of a quoted string in a game file, without backslash escapes."""
    return re.sub(r"\\(.)", r"\1", text)


def build_code_from_title(title: str) -> str:
    """Return the letters and digits of a title, with hyphens in place of all characters between them.

    Numerals of any script become 0 to 9. The result is empty if the title has no letters or digits."""
    code, broken = "", False
    for char in VARIATION_SELECTOR_PATTERN.sub("", normalize_unicode(title)):
        kind, number = unicodedata.category(char), unicodedata.numeric(char, None)
        if kind in ("Nd", "No") and number is not None and number.is_integer():
            char = str(int(number))
        elif kind[0] != "L" and kind != "Nl" and not (kind in ("Mn", "Mc") and code and not broken):
            broken = True
            continue
        code += f"-{char}" if broken and code else char
        broken = False
    return code


def remove_invisible_characters(text: str) -> str:
    """Return a string on one line, without invisible characters."""
    return " ".join(INVISIBLE_PATTERN.sub(lambda match: " " if match[0].isspace() else "", text).split())


def escape_invisible_characters(text: str) -> str:
    """Return a line with invisible characters escaped, such as `\\x9b` or `\\u202e`."""
    return INVISIBLE_PATTERN.sub(lambda match: escape_character(match[0]), text)


def escape_invisible_in_lines(text: str) -> str:
    """Escape invisible characters except for line breaks and tabs."""
    return "\n".join("\t".join(map(escape_invisible_characters, line.split("\t"))) for line in text.split("\n"))


def escape_character(char: str) -> str:
    return char.encode("unicode_escape").decode()


def describe_character(char: str) -> str:
    """Return a character's code point and name, such as `U+202E (right-to-left override)`.

    A character without a name has only its code point."""
    name = unicodedata.name(char, "").lower()
    return f"U+{ord(char):04X} ({name})" if name else f"U+{ord(char):04X}"


def render_json(value: object) -> str:
    """Return a value as indented JSON, with invisible characters escaped."""
    return INVISIBLE_PATTERN.sub(escape_match_for_json, json.dumps(value, indent=2, ensure_ascii=False))


def escape_match_for_json(match: re.Match[str]) -> str:
    return match[0] if match[0] == "\n" else json.dumps(match[0])[1:-1]
