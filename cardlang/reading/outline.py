"""Summary of a file: the names that it needs and provides, by category."""

from __future__ import annotations

from collections.abc import Iterable

from attrs import frozen

from cardlang import nodes as n

Thing = n.Kind | n.Cards | n.Zone | n.Track | n.Order | n.Ranking


@frozen
class Outline:
    """Names as they are declared, with their owners: `round`, `your hand`, `Team's points`.

    `steps` have a body. `open` has definitions and empty steps, which a game can override. `variants` has titles."""

    library: bool
    uses: tuple[str, ...]
    needs: tuple[str, ...]
    things: tuple[str, ...]
    steps: tuple[str, ...]
    open: tuple[str, ...]
    variants: tuple[str, ...]


def outline(file: n.File) -> Outline:
    items = file.items
    return Outline(
        library=isinstance(file.header, n.Library),
        uses=tuple(item.name.text for item in items if isinstance(item, n.Use)),
        needs=named(item for item in items if isinstance(item, n.Needs)),
        things=named(item for item in items if isinstance(item, Thing)),
        steps=named(item for item in items if isinstance(item, n.Step) and item.body),
        open=named(
            item for item in items if isinstance(item, n.Define) or (isinstance(item, n.Step) and not item.body)
        ),
        variants=tuple(item.title.text for item in items if isinstance(item, n.Variant)),
    )


def named(items: Iterable[n.Needs | Thing | n.Step | n.Define]) -> tuple[str, ...]:
    return tuple(f"{whose(item)}{item.name.text}" for item in items)


def whose(item: n.Item) -> str:
    """Return the owner before a name: `your `, `Team's ` or an empty string."""
    subject = "your" if getattr(item, "your", False) else getattr(item, "subject", None)
    return f"{subject.text}'s " if isinstance(subject, n.Name) else f"{subject} " if subject else ""
