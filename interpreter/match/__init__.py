"""Matches: play, move input, undo, records and examples.

People and bots learn about a match only through `view`, which contains a player's information state."""

from __future__ import annotations
