"""Base of the Textual apps: an error closes the screen and reaches the caller."""

from __future__ import annotations

from typing import Any, TypeVar

from textual.app import App
from textual.worker import WorkerFailed

Outcome = TypeVar("Outcome")


class FullScreenApp(App[Outcome]):
    """Application on the full screen. If an error closes it, `run` raises that error."""

    ENABLE_COMMAND_PALETTE = False

    def _fatal_error(self) -> None:
        """Close the screen without Textual's own report, which prints thousands of lines of local variables."""
        self._close_messages_no_wait()

    def run(self, *args: Any, **options: Any) -> Outcome | None:
        outcome = super().run(*args, **options)
        fault = self._exception
        if fault is not None:
            raise fault.error if isinstance(fault, WorkerFailed) else fault
        return outcome
