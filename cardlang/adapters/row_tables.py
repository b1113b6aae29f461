"""C tables of a game for the native batch engine: layout of observations, action numbers and rewards.

`interpreter/native/c/vector.h` uses these tables."""

from __future__ import annotations

from cardlang import game as g
from cardlang.adapters.actions import Actions
from cardlang.adapters.features import Features
from interpreter.native.world import NoC, c_numbers
from interpreter.program import Program
from interpreter.state import Site, TrackSlot
from interpreter.trees.point import Table

EVERY_SEAT, NO_SEAT = -1, -2
COUNTS_FROM_ONE, IS_FLAG = 0, -1
"""Codes in place of the scale of a number."""


def row_tables(program: Program, table: Table[Actions], features: Features) -> str:
    """Return the tables as C source.

    `program` is the same game's program that C was generated for. Raise NoC for unsupported constructs."""
    seen = [(number, slot) for number, slot in enumerate(program.tracks) if slot.track.subject != "card"]
    expr = program.player_noun("score")
    scale = program.layout.scales.of(expr) if expr is not None else 1
    numbers = {
        "LOOK_FACES": features.faces,
        "LOOK_SIZE": features.size,
        "LOOK_TRACKS": len(seen),
        "EVERY_SEAT": EVERY_SEAT,
        "ACTIONS": table.actions.count,
        "SCORE_SCALE": scale,
    }
    rows = {
        "LOOK_SLOT": [number for number, _ in seen],
        "LOOK_OWNER": [seen_by(slot) for _, slot in seen],
        "LOOK_SCALE": [scale_of(slot) for _, slot in seen],
        "SCORE_START": [int(start * scale) for start in table.starts],
        "SITE_OF": [program.lowering.splitter.site_of.get(block, 0) for block in range(len(program.blocks))],
        **site_tables(program, table.actions),
    }
    lines = [f"#define {name} ({number})" for name, number in numbers.items()]
    return "\n".join(
        lines + [f"static const i64 {name}[] = {{{c_numbers(row or [0])}}};" for name, row in rows.items()]
    )


def seen_by(slot: TrackSlot) -> int:
    if not slot.track.secret:
        return EVERY_SEAT
    return slot.of if slot.track.subject == "player" and slot.of is not None else NO_SEAT


def scale_of(slot: TrackSlot) -> int:
    match slot.track.type.tag:
        case "number":
            return slot.scale
        case "flag":
            return IS_FLAG
        case "player" | "member":
            return COUNTS_FROM_ONE
    raise NoC(f"a {slot.track.type.tag} that is kept")


def site_tables(program: Program, actions: Actions) -> dict[str, list[int]]:
    """Return the tables of decisions, groups of moves and bindings.

    A decision has its number of options, two flags (picks one at a time; can be passed) and its first group. A group
    has the number of its first move and its first binding. A binding has its radix in codes, a flag for cards, and its
    number of values."""
    sites: dict[str, list[int]] = {
        name: [] for name in ("SITE_OPTIONS", "SITE_PICKS", "SITE_MAY", "SITE_GROUPS", "GROUP_BASE", "GROUP_PARTS")
    }
    parts: dict[str, list[int]] = {name: [] for name in ("PART_RADIX", "PART_CARD", "PART_SIZE")}
    for site in program.sites:
        sites["SITE_OPTIONS"].append(len(site.options))
        sites["SITE_PICKS"].append(site.kind in ("pick", "several"))
        sites["SITE_MAY"].append(bool(getattr(site.statement, "may", False)))
        sites["SITE_GROUPS"].append(len(sites["GROUP_BASE"]))
        for group, radices in groups_of(actions, site):
            sites["GROUP_BASE"].append(actions.base[group])
            sites["GROUP_PARTS"].append(len(parts["PART_SIZE"]))
            parts["PART_RADIX"] += radices
            parts["PART_CARD"] += [type_.tag == "card" for type_ in group[2]]
            parts["PART_SIZE"] += actions.sizes[group]
    sites["GROUP_PARTS"].append(len(parts["PART_SIZE"]))
    return {name: list(map(int, row)) for name, row in (sites | parts).items()}


def groups_of(actions: Actions, site: Site) -> list[tuple[tuple[str, str, tuple[g.Type, ...]], tuple[int, ...]]]:
    """Return the groups of a decision's moves, with the radices of their bindings in codes."""
    groups = [group for group, _ in actions.groups_of(site)]
    return list(zip(groups, site.radices if site.options else [(0,)], strict=True))
