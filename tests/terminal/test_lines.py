"""What plain mode prints and answers."""

from __future__ import annotations

import sys

import pytest

from cardlang.terminal.lines import tell_news, tell_text
from cardlang.terminal.session import Session
from cardlang.terminal.typed import obey
from tests.terminal.conftest import Sessions, asked_to_follow


def test_results_come_in_the_order_of_events(session: Sessions, capsys: pytest.CaptureFixture[str]) -> None:
    """A trick follows its last card, before the next trick or deal. The scores come before the next deal."""
    sat, deals = session("hearts"), 0
    while deals < 2:
        sat.advance()
        sat.look()
        capsys.readouterr()
        tell_news(sat)
        lines = [line.strip() for line in capsys.readouterr().out.splitlines()]
        for moment in (each for each in sat.table().moments if each.kind == "trick"):
            last = moment.hands[0].cards[-1]
            at = lines.index(moment.headline)
            assert f"[{last.code}]" in lines[at - 1] and "play" in lines[at - 1]
        scores = [at for at, line in enumerate(lines) if line.startswith("The score of")]
        if scores:
            deals += 1
            assert max(at for at, line in enumerate(lines) if "the trick" in line) < scores[0]
            assert scores[0] < lines.index("The round begins.")
        for typed in ("1", "2", "3", "done") if is_several(sat) else ("1",):
            obey(sat, typed)


def is_several(sat: Session) -> bool:
    ask = sat.table().ask
    return ask is not None and ask.choosing is not None


@pytest.mark.parametrize("columns", [40, 80])
def test_lines_on_a_terminal_break_at_blanks(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], columns: int
) -> None:
    text = "  Each player passes three cards to the left, then right, then across, and so on.\n  - none."
    tell_text(text)
    assert capsys.readouterr().out == f"{text}\n"
    monkeypatch.setattr(sys.stdout, "isatty", lambda: True)
    monkeypatch.setenv("COLUMNS", str(columns))
    tell_text(text)
    printed = capsys.readouterr().out
    assert printed.split() == text.split() and all(len(line) <= columns for line in printed.splitlines())


# ---------------------------------------------------------------- answers
def test_why_names_the_card(session: Sessions) -> None:
    sat = asked_to_follow(session("hearts"))
    closed = next(card for pile in sat.table().places[0].piles for card in pile.cards if card.code and not card.moves)
    code = closed.code or ""
    for typed in (code, code.upper(), f"[{code}]"):
        assert obey(sat, f"why {typed}").said == f"[{code}] is not legal: {sat.why(code)}"


def test_answers_use_the_verb_of_the_question(session: Sessions) -> None:
    """Cards that are moved to be passed on are passed."""
    sat = session("hearts")
    sat.advance()
    sat.look()
    said = obey(sat, "x").said
    assert "pass [" in said and "move [" not in said
    cards = [card.code for pile in sat.table().places[0].piles for card in pile.cards if card.code][:3]
    assert obey(sat, f"pass {' '.join(cards)}").moved


def test_selected_cards_are_named(session: Sessions) -> None:
    sat = session("hearts")
    sat.advance()
    sat.look()
    first, second = [card.code for pile in sat.table().places[0].piles for card in pile.cards if card.code][:2]
    assert f"Selected: {first}." in obey(sat, first).said
    assert f"Selected: {first} and {second}." in obey(sat, second).said
    assert f"Selected: {first}." in obey(sat, second).said
    assert "Selected" not in obey(sat, first).said
