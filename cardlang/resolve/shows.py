"""Resolution of `show`: displays on the table."""

from __future__ import annotations

from cardlang import game as g
from cardlang import nodes as n
from cardlang.resolve import codes
from cardlang.resolve.texts import words
from cardlang.resolve.world import World

MOST_COLUMNS = 50


def build_shows(w: World) -> tuple[g.Show, ...]:
    return tuple(found for node in w.of_type(n.Show) if (found := build_show(w, node)) is not None)


def build_show(w: World, node: n.Show) -> g.Show | None:
    declared = w.nouns.get(node.name.text)
    if not isinstance(declared, n.Zone | n.Track | n.Define):
        known = [name for name, each in w.nouns.items() if isinstance(each, n.Zone | n.Track | n.Define)]
        hint = "show a zone, a number or a definition, as in `show pot`"
        w.unknown(codes.UNKNOWN_NAME, "zone, number or definition", node.name, known, hint)
        return None
    if not belongs(w, node, declared):
        return None
    zone, beside = declared if isinstance(declared, n.Zone) else None, neighbour(w, node)
    if zone is None and (node.form is not None or beside is not None):
        place = node.form or node.beside or node.name
        w.error(codes.MISPLACED, f"only a zone has a place, and `{node.name.text}` is not a zone", place.span)
        return None
    form, columns = laid(w, node)
    name = node.name.text
    track = name if isinstance(declared, n.Track) else None
    define = name if isinstance(declared, n.Define) else None
    zone_name, doc, origin = name if zone else None, words(w, node.doc), w.origin(node)
    return g.Show(zone_name, track, define, form, columns, beside, doc, origin, celled(w, node))


def belongs(w: World, node: n.Show, declared: n.Zone | n.Track | n.Define) -> bool:
    """Check the owner of a display and return whether it is valid. It must match the declaration and be displayable."""
    subject, name = w.subject(declared), node.name.text
    related = ((declared.name.span, f"`{name}` is declared here"),)
    of_card = ("card",) if isinstance(declared, n.Define) else ()
    if subject not in (None, "player", *of_card, *w.kinds):
        message = f"`{name}` belongs to {subject}, so the table cannot show it"
        w.error(
            codes.MISPLACED,
            message,
            node.name.span,
            "show something of the table or of a player, or a definition of a card",
            related,
        )
        return False
    if w.subject(node) != subject:
        whose = "" if subject is None else "your " if subject == "player" else f"{subject}'s "
        w.error(
            codes.MISPLACED,
            f"`{name}` must be shown the way it is declared",
            node.span,
            f"write `show {whose}{name}`",
            related,
        )
        return False
    return True


def neighbour(w: World, node: n.Show) -> str | None:
    """Return the global zone next to a display, or None."""
    if node.beside is None:
        return None
    zone = w.zones.get(node.beside.text)
    if zone is None or zone.subject is not None:
        known = [each.name for each in w.zones.values() if each.subject is None]
        w.unknown(codes.UNKNOWN_ZONE, "zone of the table", node.beside, known)
        return None
    return zone.name


def celled(w: World, node: n.Show) -> tuple[str, ...]:
    """Return the tracks of each card that give its row and its column in a grid."""
    if node.form is None or node.form.text != "grid" or node.cells is None:
        return ()
    known = [track.name.text for track in w.of_type(n.Track) if w.subject(track) == "card" and is_place(w, track)]
    for name in node.cells:
        if name.text not in known:
            hint = "declare it for each card, as in `Row card's row` or `number card's column`"
            w.unknown(codes.NOT_A_TRACK, "number or value of a card", name, known, hint)
    return tuple(name.text for name in node.cells)


def is_place(w: World, track: n.Track) -> bool:
    return not track.secret and (track.type.text == "number" or track.type.text in w.kinds)


def laid(w: World, node: n.Show) -> tuple[str | None, int]:
    """Return the layout of a display and its number of columns."""
    if node.form is None:
        return None, 0
    form, _, columns = node.form.text.partition(" of ")
    if (form == "grid") == (bool(columns) == (node.cells is not None)):
        hint = "write `as grid of 3` for rows of three, or `as grid by row, column` for positions of each card"
        w.error(codes.MISPLACED, "this grid has no layout", node.form.span, hint)
    if columns and not 1 <= int(columns) <= MOST_COLUMNS:
        w.error(codes.TOO_MANY, f"a grid has 1 to {MOST_COLUMNS} columns", node.form.span)
    return form, int(columns or 0)
