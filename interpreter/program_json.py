"""Export the IR as JSON, for engines in other languages. `docs/formats.md` describes the format."""

from __future__ import annotations

import json
from typing import Any

import attrs

from cardlang.source import Span
from interpreter import lowered as lo
from interpreter.layout import Layout
from interpreter.lowered.blocks import blank
from interpreter.lowering.game import FIRST
from interpreter.program import Program
from interpreter.state import Site

FORMAT = 1
Json = dict[str, Any] | list[Any] | str | int | None


def as_json(program: Program) -> bytes:
    """Serialize a program. The bytes are equal in every run, on every machine."""
    text = json.dumps(whole(program), ensure_ascii=False, separators=(",", ":"))
    return text.encode("utf-8", "surrogatepass")


def whole(program: Program) -> Json:
    lowering, splitter, layout = program.lowering, program.lowering.splitter, program.layout
    sources = [source.name for source in program.game.sources]
    return {
        "format": FORMAT,
        "title": program.game.title,
        "players": program.players,
        "begin": FIRST,
        "opening": splitter.opening,
        "layout": laid_out(program, layout),
        "tables": {name: [written(value) for value in values] for name, values in lowering.code.tables.items()},
        "dispatches": {name: list(names) for name, names in lowering.code.dispatches.items()},
        "borne": {name: list(names) for name, names in lowering.borne.items()},
        "functions": [fields(each) for each in lowering.functions.values() if each is not None],
        "frames": [framed(frame, splitter.entries[name]) for name, frame in splitter.frames.items()],
        "blocks": [blocked(block) for block in splitter.blocks if block.body],
        "sites": [sited(site) for site in program.sites],
        "places": [placed(span, sources) for span in lowering.code.places],
    }


def laid_out(program: Program, layout: Layout) -> Json:
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


def framed(frame: lo.Frame, entry: int) -> Json:
    slots = [{"kind": kind_text(kind), "blank": written(blank(kind))} for kind in frame.kinds[1:] if kind is not None]
    variables = {str(number): slot for number, slot in frame.slots.items()}
    return {"routine": frame.routine, "entry": entry, "params": frame.params, "slots": slots, "variables": variables}


def blocked(block: lo.Block) -> Json:
    head: dict[str, Json] = {"number": block.number, "routine": block.routine}
    if block.code is not None:
        head |= {"site": block.site, "code": node(block.code)}
    return head | {"enclosing": dict(sorted(block.enclosing.items())), "body": [node(stmt) for stmt in block.body]}


def sited(site: Site) -> Json:
    both = zip(site.options, site.radices, strict=True)
    options = [{"name": option.name, "radices": list(radices)} for option, radices in both]
    return {"number": site.number, "kind": site.kind, "options": options}


def placed(span: Span, sources: list[str]) -> Json:
    name = span.source.name
    return [sources.index(name) if name in sources else -1, span.start, span.end]


# ---------------------------------------------------------------- expressions and statements
def node(part: attrs.AttrsInstance) -> Json:
    """Convert an expression, statement or clause: its class under `is`, its fields by name, without empty ones."""
    return {"is": type(part).__name__} | fields(part)


def fields(part: attrs.AttrsInstance) -> dict[str, Json]:
    found: dict[str, Json] = {}
    for field in attrs.fields(type(part)):
        value = getattr(part, field.name)
        if value is not None and value is not False and value != ():
            found[field.name] = written(value)
        elif field.name == "value":
            found["value"] = written(value)
    return found


def written(value: Any) -> Json:
    if isinstance(value, lo.Kind):
        return kind_text(value)
    if attrs.has(type(value)):
        return node(value)
    if isinstance(value, tuple | list):
        return [written(item) for item in value]
    if isinstance(value, frozenset):
        return sorted(value)
    return int(value) if isinstance(value, bool) else value


def kind_text(kind: lo.Kind) -> str:
    """Format a type: `number`, `number/2` (stored as twice its value), `list of card`."""
    scale = f"/{kind.scale}" if kind.scale != 1 else ""
    return f"{kind.tag}{scale}" + (f" of {kind_text(kind.item)}" if kind.item is not None else "")
