"""Adapters to other libraries: OpenSpiel (`cardlang.adapters.openspiel`), PettingZoo (`cardlang.adapters.pettingzoo`)
and batched training environments (`cardlang.vector`).

The rest of cardlang imports no other modules of this package. Each adapter needs an optional dependency.

Imports: `cardlang`, `extras`, `game`, `interpreter`, `interpreter.matches`, `interpreter.native`, `interpreter.trees`.
"""

from __future__ import annotations

from importlib import import_module
from typing import Any

from cardlang.extras import install_command


class AdapterError(ValueError):
    """Game or position that another library cannot represent. The message gives the reason and a fix."""


def optional(module: str, extra: str) -> Any:
    """Import an optional package. Raise ImportError with the command that installs it."""
    try:
        return import_module(module)
    except ImportError as error:
        message = f"cardlang.adapters.{extra} needs {module}. Install it: {install_command(extra)}"
        raise ImportError(message, name=module) from error
