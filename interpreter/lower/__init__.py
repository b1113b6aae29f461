"""Lowering of a checked game to IR."""

from __future__ import annotations
