"""Terminal interface: matches in plain lines or on a full screen."""

from __future__ import annotations
