"""Where something is declared."""

from __future__ import annotations

from attrs import frozen

from cardlang.source import Source, Span


@frozen(eq=False, repr=False)
class Origin:
    """`place`: how many items stand before it: those of libraries first, what overrides in place of what it overrides.
    `library`: the library that declares it, also where the game overrides it; empty if none does. `varied`: it stands
    in the variant. `span`: the whole item; `name`: its name, or the item again if it has none."""

    place: int
    library: str
    varied: bool
    span: Span
    name: Span


NOWHERE = Origin(0, "", False, *2 * (Span(Source("", ""), 0, 0),))
