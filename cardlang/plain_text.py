"""Texts of a game made harmless for a page: nothing invisible that could change how other text is shown."""

from __future__ import annotations

import re

INVISIBLE = re.compile(
    "[\x00-\x08\x0b-\x1f\x7f-\x9f\u200b-\u200f\u202a-\u202e\u2060-\u206f\ufeff\ufff9-\ufffb\ud800-\udfff]"
)
"""Control characters, marks that turn the direction of writing, characters without width."""


def harmless(text: str) -> str:
    """The text on one line, without invisible characters."""
    return " ".join(INVISIBLE.sub("", text).split())
