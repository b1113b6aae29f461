"""Game trees: explicit chance, solving and exact odds."""

from __future__ import annotations
