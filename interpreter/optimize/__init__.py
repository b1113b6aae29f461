"""Optimization passes over the IR."""

from __future__ import annotations
