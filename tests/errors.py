"""Diagnostics of game texts, for tests."""

import cardlang
from cardlang.diagnostics import Diagnostic


def find_diagnostics(text: str, name: str = "<text>") -> list[Diagnostic]:
    """Return the errors and warnings of the text of a game."""
    try:
        return list(cardlang.loads(text, name=name).warnings)
    except cardlang.GameError as error:
        return error.diagnostics


def find_codes(text: str) -> list[str]:
    """Return the codes of all diagnostics."""
    return [each.code for each in find_diagnostics(text)]


def find_errors(text: str) -> list[Diagnostic]:
    """Return the errors of the text of a game, without warnings."""
    return [each for each in find_diagnostics(text) if not each.warning]


def find_error(text: str) -> Diagnostic:
    """Return the diagnostic of a game that has exactly one."""
    (found,) = find_diagnostics(text)
    return found
