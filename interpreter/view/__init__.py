"""Views of a match, and the table that every screen draws.

A table is built from a `View` and the game alone, so it cannot reveal hidden information."""

from __future__ import annotations
