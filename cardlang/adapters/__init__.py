"""Adapters to machine-learning libraries: OpenSpiel, PettingZoo and Gymnasium."""

from __future__ import annotations

from importlib import import_module
from typing import Any

from cardlang.optional_package_installs import build_install_command


class AdapterError(ValueError):
    """Game or position that another library cannot represent. The message gives the reason and a fix."""


def import_optional(module: str, extra: str) -> Any:
    """Import an optional package. Raise ImportError with the command that installs it."""
    try:
        return import_module(module)
    except ImportError as error:
        message = f"cardlang.adapters.{extra} needs {module}. Install it: {build_install_command(extra)}"
        raise ImportError(message, name=module) from error
