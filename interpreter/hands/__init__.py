"""Hand evaluation by rankings: rank, tie breaks, wild cards."""

from __future__ import annotations
