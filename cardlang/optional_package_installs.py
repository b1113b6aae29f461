"""Install commands for optional packages."""

from __future__ import annotations

import re
import shlex
import sys
from importlib.metadata import PackageNotFoundError, requires


def build_install_command(extra: str) -> str:
    """Return the command that installs the packages of an extra into the current environment."""
    try:
        listed = requires("cardlang") or []
    except PackageNotFoundError:  # an uninstalled checkout
        listed = []
    requirement_pattern = re.compile(rf"([^;]+);.*\bextra == ['\"]{extra}['\"]")
    packages = [match[1].strip() for requirement in listed if (match := requirement_pattern.match(requirement))]
    return shlex.join([sys.executable, "-m", "pip", "install", *(packages or [extra])])
