"""Program as JSON for other engines and as a text listing."""

from __future__ import annotations

import json
from typing import Any

import attrs

from cardlang.diagnostics import Span
from interpreter import ir
from interpreter.ir.ir_statements import find_initial_value
from interpreter.lower.whole_game import FIRST_BLOCK
from interpreter.program.program import Program
from interpreter.runtime.state import DecisionPoint
from interpreter.runtime.state_layout import Layout

PROGRAM_FORMAT = 1
Json = dict[str, Any] | list[Any] | str | int | None


def program_to_json(program: Program) -> bytes:
    """Serialize a program. The bytes are equal in every run, on every machine."""
    text = json.dumps(build_program_json(program), ensure_ascii=False, separators=(",", ":"))
    return text.encode("utf-8", "surrogatepass")


def build_program_json(program: Program) -> Json:
    lowering, splitter, layout = program.lowering, program.lowering.splitter, program.layout
    sources = [source.name for source in program.game.sources]
    return {
        "format": PROGRAM_FORMAT,
        "title": program.game.title,
        "players": program.players,
        "begin": FIRST_BLOCK,
        "opening": splitter.opening_block,
        "layout": build_layout_json(program, layout),
        "tables": {name: [encode_value(value) for value in values] for name, values in lowering.tables.items()},
        "dispatches": {name: list(names) for name, names in lowering.dispatch_tables.items()},
        "borne": {name: list(names) for name, names in lowering.card_step_routines.items()},
        "functions": [encode_fields(each) for each in lowering.functions.values() if each is not None],
        "frames": [build_frame_json(frame, splitter.entry_blocks[name]) for name, frame in splitter.frames.items()],
        "blocks": [build_block_json(block) for block in splitter.blocks if block.body],
        "sites": [build_site_json(site) for site in program.sites],
        "places": [build_span_json(span, sources) for span in lowering.rule_spans],
    }


def build_layout_json(program: Program, layout: Layout) -> Json:
    """Describe the storage of a state, and the seats that see it."""
    starts = [None if slot in program.by_chance else start for slot, start in enumerate(program.template.t)]
    return {
        "tracks": [
            {"name": slot.track.name, "of": slot.of, "scale": slot.scale, "start": start}
            for slot, start in zip(program.tracks, starts, strict=False)
        ],
        "whenevers": len(program.game.whenevers),
        "zones": [
            {"name": slot.zone.name, "of": slot.of, "seen_by": sees, "seat": seat}
            for slot, sees, seat in zip(program.zones, layout.sees, layout.seat_of, strict=True)
        ],
        "faces": layout.face,
        "homes": layout.home,
        "marks": [base for _, base in layout.marks],
    }


def build_frame_json(frame: ir.Frame, entry: int) -> Json:
    slots = [
        {"kind": format_kind(kind), "blank": encode_value(find_initial_value(kind))}
        for kind in frame.kinds[1:]
        if kind is not None
    ]
    variables = {str(number): slot for number, slot in frame.slots.items()}
    return {"routine": frame.routine, "entry": entry, "params": frame.params, "slots": slots, "variables": variables}


def build_block_json(block: ir.Block) -> Json:
    head: dict[str, Json] = {"number": block.number, "routine": block.routine}
    if block.code is not None:
        head |= {"site": block.site, "code": encode_node(block.code)}
    return head | {
        "enclosing": dict(sorted(block.enclosing.items())),
        "body": [encode_node(stmt) for stmt in block.body],
    }


def build_site_json(site: DecisionPoint) -> Json:
    both = zip(site.options, site.radices, strict=True)
    options = [{"name": option.name, "radices": list(radices)} for option, radices in both]
    return {"number": site.number, "kind": site.kind, "options": options}


def build_span_json(span: Span, sources: list[str]) -> Json:
    name = span.source.name
    return [sources.index(name) if name in sources else -1, span.start, span.end]


# ---------------------------------------------------------------- expressions and statements
def encode_node(part: attrs.AttrsInstance) -> Json:
    """Convert an expression, statement or clause: its class under `is`, its fields by name, without empty ones."""
    return {"is": type(part).__name__} | encode_fields(part)


def encode_fields(part: attrs.AttrsInstance) -> dict[str, Json]:
    found: dict[str, Json] = {}
    for field in attrs.fields(type(part)):
        value = getattr(part, field.name)
        if value is not None and value is not False and value != ():
            found[field.name] = encode_value(value)
        elif field.name == "value":
            found["value"] = encode_value(value)
    return found


def encode_value(value: Any) -> Json:
    if isinstance(value, ir.Kind):
        return format_kind(value)
    if attrs.has(type(value)):
        return encode_node(value)
    if isinstance(value, tuple | list):
        return [encode_value(item) for item in value]
    if isinstance(value, frozenset):
        return sorted(value)
    return int(value) if isinstance(value, bool) else value


def format_kind(kind: ir.Kind) -> str:
    """Format a type: `number`, `number/2` (stored as twice its value), `list of card`."""
    scale = f"/{kind.scale}" if kind.scale != 1 else ""
    return f"{kind.tag}{scale}" + (f" of {format_kind(kind.item)}" if kind.item is not None else "")


def format_program_listing(program: Program) -> str:
    """Return a listing of the state layout, the decisions and the blocks."""
    lines = [f"# {program.game.title} for {program.players} players", "", "# tracks: t[slot]"]
    lines += [f"# t[{slot}]  {format_owned_name(each.track.name, each.of)}" for slot, each in enumerate(program.tracks)]
    lines += ["", "# piles: z[pile]"]
    lines += [f"# z[{pile}]  {format_owned_name(each.zone.name, each.of)}" for pile, each in enumerate(program.zones)]
    lines += ["", "# decisions"]
    blocks = {site: block for block, site in program.lowering.splitter.sites_by_block.items()}
    for site in program.sites:
        asked = " ".join([site.kind, *(option.name for option in site.options)])
        lines.append(f"# L_{site.number} lists the moves, B{blocks[site.number]} answers: {asked}")
    return "\n".join([*lines, "", program.source])


def format_owned_name(name: str, owner: int | None) -> str:
    return name if owner is None else f"{name} of {owner}"
