"""Bots and hints.

Each bot decides for the current player and uses only that player's knowledge. It has its own random number generator.
"""

from __future__ import annotations
