"""Invisible characters: which they are, and that they reach neither games nor screens."""

import json
import unicodedata

import pytest

import cardlang
from cardlang.diagnostics.render import render_diagnostics
from cardlang.english.control_characters import (
    INVISIBLE_PATTERN,
    escape_invisible_characters,
    escape_invisible_in_lines,
    remove_invisible_characters,
    render_json,
)
from tests.errors import find_errors
from tests.game_files import EXAMPLE_DECLARATIONS, EXAMPLE_PLAY_STEP

GAME = EXAMPLE_DECLARATIONS + EXAMPLE_PLAY_STEP
SIGNS = {*range(0x600, 0x606), 0x6DD, 0x70F, 0x890, 0x891, 0x8E2, 0x110BD, 0x110CD}
"""Of the category Cf, but drawn: Prepended_Concatenation_Mark in Unicode's PropList."""
TURNING = [0x61C, 0x200E, 0x200F, *range(0x202A, 0x202F), *range(0x2066, 0x206A)]
"""Bidi_Control in Unicode's PropList."""
NOWHERE = [0xAD, 0x34F, 0x115F, 0x1160, 0x200B, 0x2060, 0x3164, 0xFEFF, 0xFFA0, 0xE0001, 0xE0041]
"""Some of Default_Ignorable_Code_Point that are neither selectors nor joiners."""
LEGIT = {
    "accents": "e\u0301 ñ å\u0323",
    "Hebrew": "מלך התלתן",
    "Arabic": "ملك السباتي \u0600",
    "Persian": "می\u200cخواهم",
    "Hindi": "क्\u200dष",
    "an astronaut": "👩\u200d🚀",
    "a flag": "🏳\ufe0f\u200d🌈",
    "a skin": "👩🏽\u200d🚀",
    "a heart": "❤\ufe0f\u200d🔥 ♠\ufe0e",
    "Japanese": "葛\U000e0100",
    "private": "\ue000",
}


def findings(text: str) -> list[tuple[str, int, int]]:
    return [(each.code, each.span.line, each.span.column) for each in find_errors(text)]


def test_control_format_and_separator_characters_are_invisible() -> None:
    for number in range(0x110000):
        if unicodedata.category(chr(number)) in ("Cc", "Cf", "Zl", "Zp", "Cs") and number not in SIGNS:
            assert INVISIBLE_PATTERN.search(chr(number)), hex(number)


def test_visible_characters_are_not_invisible() -> None:
    for number in range(0x110000):
        if number in SIGNS or unicodedata.category(chr(number))[0] in "PSN" or chr(number).isalpha():
            assert not INVISIBLE_PATTERN.search(chr(number)) or number in NOWHERE, hex(number)


@pytest.mark.parametrize(
    "number", [0x00, 0x1B, 0x7F, 0x85, 0x9B, 0x9D, 0x2028, 0x2029, 0xD800, *TURNING, *NOWHERE], ids=hex
)
@pytest.mark.parametrize("before", ['"A ', "# A ", "zone a", 'kind Hue: "Re'])
def test_invisible_character_is_rejected_at_its_place(number: int, before: str) -> None:
    line = GAME.count("\n") + 1
    assert findings(f'{GAME}{before}{chr(number)}d"\n') == [("E120", line, len(before) + 1)]


@pytest.mark.parametrize("text", LEGIT.values(), ids=LEGIT)
def test_joiners_of_scripts_and_emoji_are_allowed(text: str) -> None:
    assert findings(GAME.replace('game "', f'game "{text} ', 1)) == []
    assert remove_invisible_characters(text) == escape_invisible_characters(text) == text


@pytest.mark.parametrize(
    "text", ["Ha\u200dnd", "Ha\u200cnd", "\u200dHand", "Hand \u200d", "👩\u200d\u200d🚀", "é\u200d"]
)
def test_stray_joiner_is_rejected(text: str) -> None:
    assert [code for code, *_ in findings(f"{GAME}# {text}\n")] == ["E120"]


def test_invisible_characters_are_escaped() -> None:
    assert escape_invisible_characters("a\x9b\x1b[0m\u202eb\n\t\ud800") == "a\\x9b\\x1b[0m\\u202eb\\n\\t\\ud800"
    assert escape_invisible_in_lines("a\n\tb\r\x07\n") == "a\n\tb\\r\\x07\n"


def test_rulebook_text_has_no_invisible_characters() -> None:
    assert remove_invisible_characters(" a\u2028b\tc \x9b\u202ed\u00ade ") == "a b c de"


def test_json_escapes_invisible_characters() -> None:
    value = {"a\x9b": ["\u202e \u2028 \x7f \U000e0041 \n 👩\u200d🚀", "é"]}
    text = render_json(value)
    assert json.loads(text) == value
    assert "é" in text and "👩\u200d🚀" in text and not INVISIBLE_PATTERN.search(text.replace("\n", ""))


@pytest.mark.parametrize("style", ["full", "concise", "json"])
def test_rejected_line_is_shown_escaped(style: str) -> None:
    with pytest.raises(cardlang.GameError) as caught:
        cardlang.loads(GAME + '"\x9b31m \x9d \u202e \u2066 \u200b"\n', name="a\x9b\u202e.cardgame")
    assert not INVISIBLE_PATTERN.search(render_diagnostics(caught.value.diagnostics, style).replace("\n", ""))  # type: ignore[arg-type]
