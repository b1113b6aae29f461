"""Plain mode: output and answers."""

from __future__ import annotations

import re
import sys

import pytest

from cardlang.ui.terminal.command_parser import OptionEntry, execute_line
from cardlang.ui.terminal.line_mode import print_news, print_options, print_page, print_text
from cardlang.ui.terminal.markdown_to_plain_text import strip_markdown
from cardlang.ui.terminal.session_state import Session
from tests.terminal.conftest import Sessions, asked_to_follow


def test_results_are_in_event_order(session: Sessions, capsys: pytest.CaptureFixture[str]) -> None:
    """A trick follows its last card, before the next trick or deal. The scores come before the next deal."""
    sat, deals = session("hearts"), 0
    while deals < 2:
        sat.advance()
        sat.hand_over_screen()
        capsys.readouterr()
        print_news(sat)
        lines = [line.strip() for line in capsys.readouterr().out.splitlines()]
        for moment in (each for each in sat.get_table().moments if each.kind == "trick"):
            last = moment.hands[0].cards[-1]
            at = lines.index(moment.headline)
            assert f"[{last.code}]" in lines[at - 1] and "play" in lines[at - 1]
        scores = [at for at, line in enumerate(lines) if line.startswith("The score of")]
        if scores:
            deals += 1
            assert max(at for at, line in enumerate(lines) if "the trick" in line) < scores[0]
            assert scores[0] < next(at for at, line in enumerate(lines) if line.startswith("You are dealt"))
        for typed in ("1", "2", "3", "done") if is_several(sat) else ("1",):
            execute_line(sat, typed)


def is_several(sat: Session) -> bool:
    ask = sat.get_table().ask
    return ask is not None and ask.choosing is not None


@pytest.mark.parametrize("columns", [40, 80])
def test_long_lines_wrap_at_spaces(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], columns: int
) -> None:
    text = "  Each player passes three cards to the left, then right, then across, and so on.\n  - none."
    print_text(text)
    assert capsys.readouterr().out == f"{text}\n"
    monkeypatch.setattr(sys.stdout, "isatty", lambda: True)
    monkeypatch.setenv("COLUMNS", str(columns))
    print_text(text)
    printed = capsys.readouterr().out
    assert printed.split() == text.split() and all(len(line) <= columns for line in printed.splitlines())


@pytest.mark.parametrize("page", ["rules", "aid"])
def test_rules_are_printed_without_markup(session: Sessions, capsys: pytest.CaptureFixture[str], page: str) -> None:
    sat = session("hearts")
    pages = {"rules": sat.texts.rules, "aid": sat.texts.aid}
    print_page(sat, page)
    assert pages[page]().startswith("# ") and not re.search(r"[*#|`>\\]", capsys.readouterr().out)


def test_tables_become_lists() -> None:
    text = "# Ranks\n\n  | Hand | Cards |\n  | --- | --- |\n  | **Pair** | two |\n\n> See [play](#play).\n"
    assert strip_markdown(text) == "Ranks\n\n  Hand, Cards\n  Pair, two\n\nSee play.\n"


# ---------------------------------------------------------------- answers
def test_why_names_the_card(session: Sessions) -> None:
    sat = asked_to_follow(session("hearts"))
    closed = next(
        card for pile in sat.get_table().places[0].piles for card in pile.cards if card.code and not card.moves
    )
    code = closed.code or ""
    for typed in (code, code.upper(), f"[{code}]"):
        assert execute_line(sat, f"why {typed}").message == f"[{code}] is not legal: {sat.explain_move(code)}"


def test_answers_use_the_verb_of_the_question(session: Sessions) -> None:
    """Cards that are moved to be passed on are passed."""
    sat = session("hearts")
    sat.advance()
    sat.hand_over_screen()
    said = execute_line(sat, "x").message
    assert "pass [" in said and "move [" not in said
    cards = [card.code for pile in sat.get_table().places[0].piles for card in pile.cards if card.code][:3]
    assert execute_line(sat, f"pass {' '.join(cards)}").has_moved


def test_selected_cards_are_named(session: Sessions) -> None:
    sat = session("hearts")
    sat.advance()
    sat.hand_over_screen()
    first, second = [card.code for pile in sat.get_table().places[0].piles for card in pile.cards if card.code][:2]
    assert f"Selected: {first}." in execute_line(sat, first).message
    assert f"Selected: {first} and {second}." in execute_line(sat, second).message
    assert f"Selected: {first}." in execute_line(sat, second).message
    assert "Selected" not in execute_line(sat, first).message


def test_many_options_fill_columns_on_a_terminal(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    entries = [OptionEntry(str(number), f"ask for {number}", "") for number in range(1, 15)]
    print_options(entries)
    assert len(capsys.readouterr().out.splitlines()) == 14
    monkeypatch.setattr(sys.stdout, "isatty", lambda: True)
    monkeypatch.setenv("COLUMNS", "60")
    print_options(entries)
    assert re.findall(r"\d+: ask", capsys.readouterr().out.splitlines()[0]) == ["1: ask", "6: ask", "11: ask"]
