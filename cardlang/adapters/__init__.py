"""Games for other libraries: `cardlang.adapters.openspiel` and `cardlang.adapters.pettingzoo`; and for those who train
players, many matches at once: `cardlang.vector`.

Nothing else here is imported by the rest of cardlang, and each adapter needs an optional package.

Imports: `cardlang`, `extras`, `game`, `interpreter`, `interpreter.matches`, `interpreter.native`, `interpreter.trees`.
"""

from __future__ import annotations

from importlib import import_module
from typing import Any

from cardlang.extras import install_command


class AdapterError(ValueError):
    """Game or position that another library cannot represent. The message says why, and what to do."""


def optional(module: str, extra: str) -> Any:
    """Import an optional package. Raises ImportError with the command that installs it."""
    try:
        return import_module(module)
    except ImportError as error:
        message = f"cardlang.adapters.{extra} needs {module}. Install it: {install_command(extra)}"
        raise ImportError(message, name=module) from error
