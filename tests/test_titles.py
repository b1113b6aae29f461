"""Titles in any script, in codes, moves, examples, positions, JSON, rulebooks and records."""

from __future__ import annotations

import json
import re
import unicodedata
from itertools import pairwise
from pathlib import Path

import pytest

import cardlang
from cardlang.english.control_characters import build_code_from_title
from cardlang.rulebook.anchors import convert_to_anchor
from cardlang.ui.terminal.typed_card_names import replace_symbols
from interpreter.match.match_record import compute_checksum
from interpreter.runtime.errors import RecordError
from tests.errors import find_codes
from tests.game_files import read_game

GAME = read_game("beasts")


def match() -> cardlang.Match:
    """Start a match in which Ann has every card."""
    return cardlang.loads(GAME).start(["Ann", "Bob"], 1)


@pytest.mark.parametrize(
    ("title", "code"),
    [
        ("猫", "猫"),
        ("Bär", "Bär"),
        ("Ba\u0308r", "Bär"),
        ("Ähre", "Ähre"),
        ("Der Bär, 2", "Der-Bär-2"),
        ("五 cats", "五-cats"),
        ("x² ٣", "x2-3"),
        ("⑩ Bears", "10-Bears"),
        ("5\ufe0f\u20e3 Cats", "5-Cats"),
        ("👩\u200d👧 Owl", "Owl"),
        ("Big\u00a0Owl", "Big-Owl"),
        ("!?", ""),
        ("❤\ufe0f", ""),
    ],
)
def test_codes_work_in_any_script(title: str, code: str) -> None:
    assert build_code_from_title(title) == code and build_code_from_title(code) == code


def test_ascii_codes_are_unchanged() -> None:
    ascii_signs = [chr(number) for number in range(32, 127)]
    titles = ["".join(pair) + "a" + "".join(reversed(pair)) for pair in pairwise(ascii_signs * 2)]
    for title in [*titles, *ascii_signs]:
        assert build_code_from_title(title) == re.sub(r"[^A-Za-z0-9]+", "-", title).strip("-")


def test_examples_accept_codes_in_any_script() -> None:
    game = cardlang.loads(GAME)
    assert [example.run().passed for example in game.examples] == [True]
    assert game.evaluate("score", given="table [猫 Bär]") == 3
    assert game.evaluate("score", given=unicodedata.normalize("NFD", "table [Bär Ähre]")) == 5
    assert game.evaluate("score", given="table\u3000[Ж１ü\u00a0Ähre]") == 3


@pytest.mark.parametrize(
    ("typed", "code"),
    [
        ("play [猫]", "猫"),
        ("bär", "Bär"),
        ("BÄR", "Bär"),
        ("play Ba\u0308r", "Bär"),
        ("हिन्दी", "हिन्दी"),
        ("play\u3000ไทย", "ไทย"),
        ("big, bad wolf", "Big-Bad-Wolf"),
        ("ж２Б", "Ж2б"),
        ("Ж١ü", "Ж1ü"),
    ],
)
def test_typed_moves_accept_codes_in_any_script(typed: str, code: str) -> None:
    now = match()
    assert now.why_not(typed) is None
    now.choose(typed)
    assert now.scores and f"[{code}]" in str(now.log)


@pytest.mark.parametrize("typed", ["हिन्दी", "play हिन्दी", "[हिन्दी]"])
def test_final_vowel_sign_belongs_to_the_code(typed: str) -> None:
    """The code before the sign is another card's."""
    game = cardlang.loads(GAME.replace('1 of "Big', '1 of "द", 9\n  1 of "Big').partition("example")[0])
    assert replace_symbols(typed, game) == typed


def test_codes_survive_json() -> None:
    game = cardlang.loads(GAME)
    again = cardlang.from_json(game.json())
    assert [face.code for face in again.faces] == [face.code for face in game.faces]


REFUSED = [
    ('1 of "!?", 1', "E245"),
    ('1 of "🦉", 1', "E245"),
    ('1 of "— …", 1', "E245"),
    ('1 of "Ba\u0308r", 1', "E213"),
    ('1 of "BÄR" (Bär), 1', "E213"),
    ('1 of "Owl" (Ä!), 1', "E115"),
    ('1 of "Owl" (🦉), 1', "E115"),
    ('1 of "Owl" (a🦉), 1', "E115"),
]


@pytest.mark.parametrize(("row", "code"), REFUSED)
def test_card_without_a_distinct_code_is_rejected(row: str, code: str) -> None:
    assert find_codes(GAME.replace('1 of "猫", 1', f'1 of "猫", 1\n  {row}')) == [code]


@pytest.mark.parametrize("row", ['1 of "!?" (猫a), 1', '1 of "🦉" (Ü-2), 1', '1 of "Owl" ( Été ), 1'])
def test_explicit_codes_accept_any_script(row: str) -> None:
    cardlang.loads(GAME.replace('1 of "Bär", 2', f'1 of "Bär", 2\n  {row}'))


def rewrite_record(path: Path, old: str, new: str) -> None:
    """Replace a text in all lines of a record, as if another version had written it."""
    lines, check = [], ""
    for line in path.read_text("utf-8").splitlines():
        entry = json.loads(json.dumps(json.loads(line), ensure_ascii=False).replace(old, new))
        del entry["check"]
        check = compute_checksum(check, entry)
        lines.append(json.dumps({**entry, "check": check}) + "\n")
    path.write_text("".join(lines), "utf-8")


@pytest.mark.parametrize(
    ("card", "old", "new"),
    [
        ("Bär", "play [Bär]", "play [B-r]"),
        ("Ähre", "play [Ähre]", "play [hre]"),
        ("猫", "play [猫]", "play []"),
        ("Dog", "Play it.", r"Play\\nit\\u002e"),
    ],
)
def test_records_of_older_versions_replay(tmp_path: Path, card: str, old: str, new: str) -> None:
    """In these, codes of titles had the letters A to Z alone, and a backslash in a text was ignored."""
    game = GAME.replace('1 of "Big', '1 of "Dog", 9\n  1 of "Big').replace("to table\n", 'to table "Play it."\n', 1)
    now = cardlang.loads(game.partition("example")[0]).start(["Ann", "Bob"], 1)
    now.choose(f"play [{card}]")
    now.save(tmp_path / "old.record")
    rewrite_record(tmp_path / "old.record", old, new)
    assert str(cardlang.resume(tmp_path / "old.record").log) == str(now.log)


def test_record_with_another_move_is_rejected(tmp_path: Path) -> None:
    now = match()
    now.choose("play [Bär]")
    now.save(tmp_path / "old.record")
    rewrite_record(tmp_path / "old.record", "play [Bär]", "play [Bart]")
    with pytest.raises(RecordError, match="is not the move"):
        cardlang.resume(tmp_path / "old.record")


@pytest.mark.parametrize(
    ("title", "anchor"),
    [("हिन्दी", "हिन्दी"), ("Zwei Bären!", "zwei-bären"), ("猫 & co", "猫--co"), ("What's new_1", "whats-new_1")],
)
def test_anchors_keep_letters_of_any_script(title: str, anchor: str) -> None:
    assert convert_to_anchor(title) == anchor
