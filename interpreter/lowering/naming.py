"""Names of the language as parts of names in Python source."""

from __future__ import annotations


def mangled(name: str) -> str:
    """Different names stay different: those of the language are letters, digits and single hyphens between them,
    those of frames have single spaces as well. What is added to one begins with two underscores and a letter."""
    return name.replace("-", "_").replace(" ", "__")
