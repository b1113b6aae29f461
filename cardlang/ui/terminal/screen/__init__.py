"""Full-screen interface of a match, built with Textual."""

from __future__ import annotations
