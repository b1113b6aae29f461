"""Python code generator."""

from __future__ import annotations
