"""Full-screen interface of a match, built with Textual."""

from __future__ import annotations

from cardlang.ui.terminal.screen.invalid_input_bytes import accept_invalid_bytes

accept_invalid_bytes()
