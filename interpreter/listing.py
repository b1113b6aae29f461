"""Format the IR for people."""

from __future__ import annotations

from interpreter.program import Program


def listing(program: Program) -> str:
    """Return a listing of the state layout, the decisions and the blocks."""
    lines = [f"# {program.game.title} for {program.players} players", "", "# tracks: t[slot]"]
    lines += [f"# t[{slot}]  {named(each.track.name, each.of)}" for slot, each in enumerate(program.tracks)]
    lines += ["", "# piles: z[pile]"]
    lines += [f"# z[{pile}]  {named(each.zone.name, each.of)}" for pile, each in enumerate(program.zones)]
    lines += ["", "# decisions"]
    blocks = {site: block for block, site in program.lowering.splitter.site_of.items()}
    for site in program.sites:
        asked = " ".join([site.kind, *(option.name for option in site.options)])
        lines.append(f"# L_{site.number} lists the moves, B{blocks[site.number]} answers: {asked}")
    return "\n".join([*lines, "", program.source])


def named(name: str, of: int | None) -> str:
    return name if of is None else f"{name} of {of}"
