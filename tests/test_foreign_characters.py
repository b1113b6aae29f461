"""Spaces and digits of other scripts: reported in game files, accepted in typed moves."""

import pytest

import cardlang
from cardlang.diagnostics import Diagnostic
from cardlang.diagnostics.render import render_diagnostics
from cardlang.ui.terminal.command_parser import execute_line
from tests.errors import find_diagnostics
from tests.game_files import read_game
from tests.terminal.conftest import Sessions, session  # noqa: F401

BLANKS = {
    "\u00a0": "U+00A0 (no-break space)",
    "\u2003": "U+2003 (em space)",
    "\u2009": "U+2009 (thin space)",
    "\u202f": "U+202F (narrow no-break space)",
    "\u2800": "U+2800 (braille pattern blank)",
    "\u3000": "U+3000 (ideographic space)",
}
GAME = read_game("ravens")
BLANK_PLACES = [
    ("  shuffle", "{0}{0}shuffle"),
    ("  shuffle", "{0}shuffle"),
    (" kind", "{0}kind"),
    ("1 to 9", "1{0}to{0}9"),
    ("[5 2", "[5{0}2"),
    ("count of deck}", "count of{0}deck}}"),
    ("to players' hand\n", "to players' hand{0}\n"),
    ("zone deck", "zone deck2\n{0}\nzone deck"),
    ("Ann: hand", "Ann:{0}hand"),
    ("2 players", "2{0}players"),
]
DIGITS = [("１", "1"), ("١", "1"), ("१", "1"), ("¹", "1"), ("①", "1"), ("５", "5"), ("٩", "9"), ("𝟗", "9"), ("⑩", "10")]
DIGIT_PLACES = [
    ("1 to 9", "{0} to 99"),
    ("[5 2", "[{0} 2"),
    ("number lost2", "number lost{0}"),
    ("top 4", "top {0}"),
    ("starts at 5", "starts at {0}"),
    ('"Jay", 7', '"Jay", {0}'),
    ("  1 of each", "  {0} of each"),
    ("{count of deck}", "{{count of deck + {0}}}"),
    ("for 2", "for {0}"),
]


POSITIONS = ["hand [５ ٢]", "hand\u00a0[5\u30002]", "Ann:\u2003hand [5 2], lost2 ５", "lost2 ٥, hand [２ 5]"]


def findings(text: str) -> list[Diagnostic]:
    return find_diagnostics(text)


def test_foreign_characters_are_allowed_in_texts() -> None:
    assert cardlang.loads(GAME).title == "Ravens １\u00a0２"


@pytest.mark.parametrize(("old", "new"), BLANK_PLACES)
@pytest.mark.parametrize("blank", BLANKS)
def test_foreign_space_is_named(blank: str, old: str, new: str) -> None:
    assert old in GAME
    found = findings(GAME.replace(old, new.format(blank), 1))
    assert {each.code for each in found} == {"E114"}
    assert all(BLANKS[blank] in each.message and "space" in each.message for each in found)


@pytest.mark.parametrize(("old", "new"), DIGIT_PLACES)
@pytest.mark.parametrize(("sign", "meant"), DIGITS)
def test_foreign_digit_suggests_ascii(sign: str, meant: str, old: str, new: str) -> None:
    assert old in GAME
    found = findings(GAME.replace(old, new.format(sign), 1))
    assert (found[0].code, found[0].message) == ("E114", f"Write `{meant}` instead of `{sign}`.")
    assert found[0].span.text != sign and sign in render_diagnostics(found)


@pytest.mark.parametrize(("sign", "message"), [("½", "`0.5`"), ("⅓", "Unexpected"), ("㉈", "`10`")])
def test_single_character_number_is_named(sign: str, message: str) -> None:
    assert message in findings(GAME.replace("at 5", f"at {sign}"))[0].message


def test_other_mistakes_are_reported_too() -> None:
    found = findings(GAME.replace("1 to 9", "１ to 9").replace("deal top", "deel top").replace("at 5", "at gaol"))
    assert [each.code for each in found] == ["E114", "E201", "E102"]


def test_many_foreign_spaces_are_counted() -> None:
    text = GAME.replace("  ", "\u00a0\u00a0")
    found = findings(text)
    assert {each.code for each in found} == {"E114"} and len(found) <= 20
    assert sum(1 + each.more for each in found) == 7


@pytest.mark.parametrize("given", POSITIONS)
def test_typed_position_accepts_foreign_characters(given: str) -> None:
    assert cardlang.loads(GAME).evaluate("score", given=given) == 12


@pytest.mark.parametrize("typed", ["２", "٢", "2\u00a0", "\u30002"])
def test_typed_number_accepts_foreign_digits(session: Sessions, typed: str) -> None:  # noqa: F811
    """The second line that is offered, by the number before it."""
    plain, odd = session("goofspiel", 2, 2), session("goofspiel", 2, 2)
    assert execute_line(plain, "2").has_moved and execute_line(odd, typed).has_moved
    assert odd.match.choices == plain.match.choices


@pytest.mark.parametrize("typed", ["play [４c]", "play\u00a04c", "play\u3000[4c]", "٤C"])
def test_typed_move_accepts_foreign_characters(typed: str) -> None:
    plain, odd = (cardlang.load("goofspiel").start(2, 3) for _ in range(2))
    plain.choose("play [4c]")
    odd.choose(typed)
    assert odd.choices == plain.choices
