"""What a game asks of the interpreter: a match, a value, how an example goes (`cardlang.playing.Interpreter`)."""

from __future__ import annotations

from interpreter.matches.examples import run_example
from interpreter.matches.match import evaluate, start

__all__ = ["evaluate", "run_example", "start"]
