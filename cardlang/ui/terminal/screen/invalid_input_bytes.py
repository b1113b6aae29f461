"""Decoding of typed bytes: those that aren't UTF-8 become replacement characters instead of ending the program."""

from __future__ import annotations

import sys
from codecs import getincrementaldecoder
from functools import partial


def accept_invalid_bytes() -> None:
    """Make Textual's driver for Unix terminals decode any bytes."""
    if sys.platform != "win32":
        from textual.drivers import linux_driver

        linux_driver.getincrementaldecoder = lambda encoding: partial(  # type: ignore[attr-defined]
            getincrementaldecoder(encoding), "replace"
        )
