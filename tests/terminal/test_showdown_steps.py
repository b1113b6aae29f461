"""Cards dealt one by one before a result get a screen each."""

from __future__ import annotations

from tests.shipped import is_asked
from tests.terminal.conftest import Sessions, all_in, send_keys, session_where


def test_all_in_is_shown_street_by_street(session: Sessions) -> None:
    sat = session_where(session, is_asked("Ann"), "texas_holdem", 2)
    seen: list[str] = []

    send_keys(sat, [all_in(sat), *(look for _ in range(4) for look in (lambda at: seen.append(at.text), "enter"))])
    assert [text.count("╭") for text in seen] == sorted(text.count("╭") for text in seen)  # more and more cards
    assert "Bob is all-in." in seen[0] and "Pot 400" in seen[-1]
    for text in seen:
        assert "[Enter] Continue" in text and "showdown" not in text
        assert not any(word in text for word in (" wins ", "You win", "shares"))


def test_result_follows_the_last_card(session: Sessions) -> None:
    sat = session_where(session, is_asked("Ann"), "texas_holdem", 2)
    seen: list[str] = []

    send_keys(sat, [all_in(sat), *["enter"] * 4, lambda at: seen.append(at.text)])
    assert "showdown" in seen[0] and "level" not in seen[0] and "turned up" not in seen[0]
