"""From each class of statements or expressions to the method that deals with it, by its name."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NoReturn


class Handlers(dict[type, Callable[..., Any]]):
    """By construct, the method of `owner` that is called `prefix` and the name of the construct. `home`: the file where
    a new one belongs. Raises AssertionError when one is asked for that is missing."""

    def __init__(self, owner: type, prefix: str, constructs: tuple[type, ...], home: str) -> None:
        methods: dict[type, Any] = {each: getattr(owner, prefix + each.__name__, None) for each in constructs}
        super().__init__({each: method for each, method in methods.items() if method is not None})
        self.prefix = prefix
        self.home = home

    def __missing__(self, construct: type) -> NoReturn:
        raise AssertionError(f"{self.home}: no {self.prefix}{construct.__name__}")


_made: dict[tuple[type, str], Handlers] = {}


def handlers(owner: type, prefix: str, constructs: tuple[type, ...], home: str) -> Handlers:
    """See `Handlers`. Made once for each class of owners."""
    if (owner, prefix) not in _made:
        _made[owner, prefix] = Handlers(owner, prefix, constructs, home)
    return _made[owner, prefix]
