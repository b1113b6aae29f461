"""Rendering of diagnostics."""

import json

import pytest

from cardlang.diagnostics import Diagnostic, Source, Span
from cardlang.diagnostics.render import format_totals, render_diagnostics


def finding(text: str, word: str, message: str = "Wrong.", **more: object) -> Diagnostic:
    source = Source("a.cardgame", text)
    start = text.index(word)
    return Diagnostic("E101", message, Span(source, start, start + len(word)), **more)  # type: ignore[arg-type]


def test_full_format_shows_line_carets_related_and_hint() -> None:
    source = Source("a.cardgame", "zone deck\n\nzone dekc\n")
    first, second = Span(source, 5, 9), Span(source, 16, 20)
    found = Diagnostic("E201", "Unknown.", second, "Did you mean `deck`?", ((first, "declared here"),))
    assert render_diagnostics([found]) == (
        """\
a.cardgame:3:6: error[E201]: Unknown.
3 | zone dekc
  |      ^^^^
  a.cardgame:1:6: declared here
1 | zone deck
  |      ^^^^
  hint: Did you mean `deck`?

1 error
"""
    )


def caret_line(found: Diagnostic) -> tuple[str, str]:
    _, line, carets, *_ = render_diagnostics([found]).splitlines()
    return line.removeprefix("1 | "), carets.removeprefix("  | ")


def test_tabs_are_four_columns() -> None:
    assert caret_line(finding("\tmove\tdeck", "deck")) == ("    move    deck", "            ^^^^")


def test_carets_respect_character_widths() -> None:
    assert caret_line(finding('"日本" x', "x"))[1] == " " * 7 + "^"
    assert caret_line(finding('"e\u0301" x', "x"))[1] == " " * 4 + "^"


def test_control_characters_are_escaped() -> None:
    line, carets = caret_line(finding("zone \x1b[31m deck", "deck"))
    assert line == "zone \\x1b[31m deck"
    assert carets.index("^") == line.index("deck")
    assert "\x1b" not in render_diagnostics([finding("zone deck", "deck", "a\x1b[0mb")])


@pytest.mark.parametrize("before", [0, 20, 70, 500, 9000])
def test_long_lines_are_clipped_around_the_span(before: int) -> None:
    line, carets = caret_line(finding("a" * before + "WORD" + "b" * 500, "WORD"))
    assert len(line) <= 102
    assert line[carets.index("^") :].startswith("WORD")
    assert carets.strip() == "^^^^"


def test_empty_span_has_one_caret() -> None:
    source = Source("a", "zone")
    assert render_diagnostics([Diagnostic("E105", "more", Span(source, 4, 4))]).splitlines()[2] == "  |     ^"
    assert "|" not in render_diagnostics([Diagnostic("E105", "more", Span(Source("a", ""), 0, 0))])  # no line to show


def test_multi_line_span_underlines_its_first_line() -> None:
    assert caret_line(finding("a (b\n  c)", "(b\n  c)")) == ("a (b", "  ^^")


def test_concise_has_one_line_each() -> None:
    found = [finding("zone deck", "deck"), finding("zone deck", "zone", "odd", warning=True)]
    assert (
        render_diagnostics(found, "concise")
        == "a.cardgame:1:6: error[E101]: Wrong.\na.cardgame:1:1: warning[E101]: Odd.\n"
    )


def test_json_format_matches_the_docs() -> None:
    other = Span(Source("b.cardgame", "x\ny"), 2, 3)
    found = json.loads(
        render_diagnostics([finding("zone deck", "deck", hint="So.", related=((other, "there"),))], "json")
    )
    place = {"file": "a.cardgame", "line": 1, "column": 6, "end_line": 1, "end_column": 10}
    related = {"message": "there", "file": "b.cardgame", "line": 2, "column": 1, "end_line": 2, "end_column": 2}
    record = {
        "code": "E101",
        "severity": "error",
        "message": "Wrong.",
        "hint": "So.",
        **place,
        "related": [related],
        "more": 0,
    }
    assert found == {"errors": 1, "warnings": 0, "diagnostics": [record]}
    assert json.loads(render_diagnostics([], "json")) == {"errors": 0, "warnings": 0, "diagnostics": []}


def test_colour_adds_only_escape_codes() -> None:
    import re

    found = [finding("zone deck", "deck", hint="So.")]
    painted = render_diagnostics(found, colour=True)
    assert "\x1b[" in painted
    assert re.sub(r"\x1b\[[\d;]*m", "", painted) == render_diagnostics(found)


def test_summary_counts() -> None:
    error, warning = finding("zone", "zone"), finding("zone", "zone", warning=True)
    assert format_totals([error, error, error, warning]) == "3 errors, 1 warning"
    assert format_totals([warning, warning]) == "2 warnings"
    assert render_diagnostics([]) == ""
