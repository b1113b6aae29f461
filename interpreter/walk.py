"""Walking over a checked game: see `cardlang.walk`."""

from cardlang.walk import (
    any_part,
    bodies,
    bound_here,
    children,
    everything,
    free_vars,
    parts_of,
    reachable_defines,
    uses_var,
    values,
    walk,
)

__all__ = [
    "any_part",
    "bodies",
    "bound_here",
    "children",
    "everything",
    "free_vars",
    "parts_of",
    "reachable_defines",
    "uses_var",
    "values",
    "walk",
]
