"""Dispatch on classes of statements or expressions: find the method that handles each one, by its name."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NoReturn


class Handlers(dict[type, Callable[..., Any]]):
    """Dispatch table from constructs to the methods of `owner` named by `prefix` and the construct's name.

    home: the file where a new method belongs. Raise `AssertionError` on access to a missing one."""

    def __init__(self, owner: type, prefix: str, constructs: tuple[type, ...], home: str) -> None:
        methods: dict[type, Any] = {each: getattr(owner, prefix + each.__name__, None) for each in constructs}
        super().__init__({each: method for each, method in methods.items() if method is not None})
        self.prefix = prefix
        self.home = home

    def __missing__(self, construct: type) -> NoReturn:
        raise AssertionError(f"{self.home}: no {self.prefix}{construct.__name__}")


_made: dict[tuple[type, str], Handlers] = {}


def handlers(owner: type, prefix: str, constructs: tuple[type, ...], home: str) -> Handlers:
    """Return the `Handlers` of a class. They are built once for each class and prefix."""
    if (owner, prefix) not in _made:
        _made[owner, prefix] = Handlers(owner, prefix, constructs, home)
    return _made[owner, prefix]
