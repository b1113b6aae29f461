"""Native engines: generated C, compiled and loaded.

`build_engine` is the entry point. It returns a program as a `NativeEngine`, or raises an error with the reason. Nothing
is compiled at installation. Without a compiler, cardlang uses Python."""

from __future__ import annotations
