"""Games for other libraries: `cardlang.adapters.openspiel` and `cardlang.adapters.pettingzoo`; and for those who train
players, many matches at once: `cardlang.vector`.

Nothing else here is imported by the rest of cardlang, and each adapter needs an optional package.

Imports: `cardlang`, `game`, `interpreter`, `interpreter.matches`, `interpreter.native`, `interpreter.trees`.
"""

from __future__ import annotations

from importlib import import_module
from typing import Any


class AdapterError(ValueError):
    """A game, or a position of it, that the other library's form cannot hold; the message says why and what to do."""


def optional(module: str, extra: str) -> Any:
    """An optional package. Raises ImportError with the command that installs it."""
    try:
        return import_module(module)
    except ImportError as error:
        command = f"pip install 'cardlang[{extra}]'"
        raise ImportError(f"cardlang.adapters.{extra} needs {module}: {command}", name=module) from error
