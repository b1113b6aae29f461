"""Resolution of display hints and roles: what a screen shows, and what bots and screens use a declaration for."""

from __future__ import annotations

from cardlang import model as g
from cardlang.semantics import error_codes
from cardlang.semantics.expression_resolver import build_text
from cardlang.semantics.symbol_table import ResolveContext
from cardlang.syntax import ast as n
from cardlang.syntax.ast.traversal import find_nodes

MAX_GRID_COLUMNS = 50
ZONE_FORMS = ("stack", "row", "fan", "trick", "grid")


def build_display_hints(ctx: ResolveContext) -> tuple[g.Show, ...]:
    return tuple(hint for node in ctx.list_items(n.Show) if (hint := build_display_hint(ctx, node)) is not None)


def build_display_hint(ctx: ResolveContext, node: n.Show) -> g.Show | None:
    declared = ctx.nouns.get(node.name.text)
    if not isinstance(declared, n.Zone | n.Track | n.Define):
        known = [name for name, noun in ctx.nouns.items() if isinstance(noun, n.Zone | n.Track | n.Define)]
        hint = "show a zone, a number or a definition, as in `show pot`"
        ctx.report_unknown_name(error_codes.UNKNOWN_NAME, "zone, number or definition", node.name, known, hint)
        return None
    if not check_display_owner(ctx, node, declared):
        return None
    zone, adjacent_zone = declared if isinstance(declared, n.Zone) else None, resolve_adjacent_zone(ctx, node)
    if zone is None and (node.form is not None or adjacent_zone is not None):
        misplaced = node.form or node.beside or node.name
        ctx.report_error(
            error_codes.MISPLACED, f"only a zone has a place, and `{node.name.text}` is not a zone", misplaced.span
        )
        return None
    form, columns = resolve_grid_layout(ctx, node)
    name = node.name.text
    track = name if isinstance(declared, n.Track) else None
    define = name if isinstance(declared, n.Define) else None
    zone_name, doc, origin = name if zone else None, build_text(ctx, node.doc), ctx.get_origin(node)
    return g.Show(
        zone_name, track, define, form, columns, adjacent_zone, doc, origin, resolve_grid_position_tracks(ctx, node)
    )


def check_display_owner(ctx: ResolveContext, node: n.Show, declared: n.Zone | n.Track | n.Define) -> bool:
    """Check the owner of a display and return whether it is valid. It must match the declaration and be displayable."""
    subject, name = ctx.get_subject(declared), node.name.text
    related = ((declared.name.span, f"`{name}` is declared here"),)
    of_card = ("card",) if isinstance(declared, n.Define) else ()
    if subject not in (None, "player", *of_card, *ctx.kinds):
        message = f"`{name}` belongs to {subject}, so the table cannot show it"
        ctx.report_error(
            error_codes.MISPLACED,
            message,
            node.name.span,
            "show something of the table or of a player, or a definition of a card",
            related,
        )
        return False
    if ctx.get_subject(node) != subject:
        whose = "" if subject is None else "your " if subject == "player" else f"{subject}'s "
        ctx.report_error(
            error_codes.MISPLACED,
            f"`{name}` must be shown the way it is declared",
            node.span,
            f"write `show {whose}{name}`",
            related,
        )
        return False
    return True


def resolve_adjacent_zone(ctx: ResolveContext, node: n.Show) -> str | None:
    """Return the global zone next to a display, or None."""
    if node.beside is None:
        return None
    zone = ctx.zones.get(node.beside.text)
    if zone is None or zone.subject is not None:
        known = [table_zone.name for table_zone in ctx.zones.values() if table_zone.subject is None]
        ctx.report_unknown_name(error_codes.UNKNOWN_ZONE, "zone of the table", node.beside, known)
        return None
    return zone.name


def resolve_grid_position_tracks(ctx: ResolveContext, node: n.Show) -> tuple[str, ...]:
    """Return the tracks of each card that give its row and its column in a grid."""
    if node.form is None or node.form.text != "grid" or node.cells is None:
        return ()
    known = [
        track.name.text
        for track in ctx.list_items(n.Track)
        if ctx.get_subject(track) == "card" and can_give_grid_position(ctx, track)
    ]
    for name in node.cells:
        if name.text not in known:
            hint = "declare it for each card, as in `Row card's row` or `number card's column`"
            ctx.report_unknown_name(error_codes.NOT_A_TRACK, "number or value of a card", name, known, hint)
    return tuple(name.text for name in node.cells)


def can_give_grid_position(ctx: ResolveContext, track: n.Track) -> bool:
    return track.viewer is None and (track.type.text == "number" or track.type.text in ctx.kinds)


def resolve_grid_layout(ctx: ResolveContext, node: n.Show) -> tuple[str | None, int]:
    """Return the layout of a display and its number of columns."""
    if node.form is None:
        return None, 0
    form, columns = node.form.text, node.columns
    if form not in ZONE_FORMS:
        ctx.report_unknown_name(
            error_codes.UNKNOWN_NAME, "layout", node.form, ZONE_FORMS, f"the layouts are {', '.join(ZONE_FORMS)}"
        )
    elif (form == "grid") == ((columns is not None) == (node.cells is not None)):
        hint = "write `as grid of 3` for rows of three, or `as grid by row, column` for positions of each card"
        ctx.report_error(error_codes.MISPLACED, "this grid has no layout", node.form.span, hint)
    if columns and not 1 <= int(columns.digits) <= MAX_GRID_COLUMNS:
        ctx.report_error(error_codes.LIMIT_EXCEEDED, f"a grid has 1 to {MAX_GRID_COLUMNS} columns", node.form.span)
    return form, int(columns.digits) if columns else 0


# ---------------------------------------------------------------- roles
def build_roles(ctx: ResolveContext) -> tuple[g.Role, ...]:
    return tuple(g.Role(node.role.text, node.name.text) for node in ctx.list_items(n.Role) if check_role(ctx, node))


def check_role(ctx: ResolveContext, node: n.Role) -> bool:
    """Check a role and what has it, and return whether both are valid.

    A game may replace the number or option that a library gives a role; without it, no one has the role.
    """
    role, name = node.role.text, node.name.text
    if role in g.OPTION_ROLES:
        known = [option.name.text for option in find_nodes(tuple(ctx.items)) if isinstance(option, n.Option)]
        owner, what = None, "option"
    elif role in g.ROLE_OWNERS:
        known = [each for each, define in ctx.defines.items() if define is not None and define.type.tag == "number"]
        known += [each for each, track in ctx.tracks.items() if track.type.tag == "number"]
        owner, what = g.ROLE_OWNERS[role], "number"
        known = [each for each in known if ctx.get_subject(ctx.nouns[each]) == owner]
    else:
        ctx.report_unknown_name(error_codes.UNKNOWN_NAME, "role", node.role, [*g.ROLE_OWNERS, *g.OPTION_ROLES])
        return False
    is_known = name in known and ctx.get_subject(node) == owner
    if not is_known and node.span.source is ctx.own_source:
        whose = "your " if owner else ""
        hint = f"name {'an' if what == 'option' else 'a'} {what}, as in `role {role} is {whose}{role}`"
        ctx.report_unknown_name(error_codes.UNKNOWN_NAME, what, node.name, known, hint)
    return is_known
