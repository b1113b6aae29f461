"""Location of a declaration."""

from __future__ import annotations

from attrs import frozen

from cardlang.source import Source, Span


@frozen(eq=False, repr=False)
class Origin:
    """Location of a declaration.

    - `place`: number of items before it. Items of libraries come first; an override takes the place of the original.
    - `library`: the library that declares it, even if the game overrides it; empty if none does.
    - `varied`: it is part of the variant.
    - `span`: the whole item; `name`: its name, or the item again if it has none.
    """

    place: int
    library: str
    varied: bool
    span: Span
    name: Span


NOWHERE = Origin(0, "", False, *2 * (Span(Source("", ""), 0, 0),))
