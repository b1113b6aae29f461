"""Diagnostics of faulty games, for tests."""

import pytest

import cardlang
from cardlang.diagnostics import Diagnostic


def find_diagnostics(text: str) -> list[Diagnostic]:
    """Return all diagnostics of the text of a faulty game."""
    with pytest.raises(cardlang.GameError) as caught:
        cardlang.loads(text)
    return caught.value.diagnostics


def find_errors(text: str) -> list[Diagnostic]:
    """Return the errors of a faulty game, without warnings."""
    return [each for each in find_diagnostics(text) if not each.warning]


def find_error(text: str) -> Diagnostic:
    """Return the error of a game that has exactly one diagnostic."""
    (found,) = find_diagnostics(text)
    return found
