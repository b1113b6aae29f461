"""Generate the tables for the C code that deals hidden cards again (`c/sampling.h`)."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from interpreter.layout import about_cards
from interpreter.matches.moves import asked_type
from interpreter.native.states import sites_of_several
from interpreter.native.world import c_numbers
from interpreter.program import Program
from interpreter.state import Site

SORTS = {"card": 1, "number": 2}
"""Codes of the types of values in a move."""


def legal_functions(program: Program) -> list[str]:
    """Return the names of the functions that list the moves of each decision."""
    return [f"L_{site.number}" for site in program.sites]


def hiding_tables(program: Program) -> str:
    """Generate the tables of cards, decisions and frames, and `legal_now`."""
    splitter, layout, game = program.lowering.splitter, program.layout, program.game
    homes = [game.sets[game.faces[face].set].home for face in layout.face]
    backs = sorted(set(homes))
    secrets = [
        layout.track_base[name] for name, track in game.tracks.items() if track.secret and track.subject == "player"
    ]
    several = sites_of_several(program)
    numbers = range(len(program.sites))
    scalars = {
        "FACES": max(layout.face) + 1 if layout.face else 1,
        "BACKS": max(len(backs), 1),
        "SECRETS": len(secrets),
        "SITES": max(len(program.sites), 1),
    }
    tables = {
        "BACK": [backs.index(home) for home in homes],
        "SITE_OF": [splitter.site_of.get(block.number, -1) for block in splitter.blocks],
        "SITE_CARDS": [int(asks_for_cards(site)) for site in program.sites],
        "SITE_PICKS": [int(site.kind == "pick") for site in program.sites],
        "SITE_FREELY": [int(site.picks_freely) for site in program.sites],
        "SITE_NUMBERS": [int(site.asks_number) for site in program.sites],
        "SEVERAL": [int(number in several) for number in numbers],
        "SECRET": secrets,
        "WITH_FACE": [layout.face.index(face) if face in layout.face else 0 for face in range(scalars["FACES"])],
        "OPEN_TRACK": open_tracks(program),
        "OPTIONS": [len(site.options) for site in program.sites],
    }
    lines = [f"#define {name} {value}" for name, value in scalars.items()]
    lines += [f"static const i64 {name}[] = {{{c_numbers(row or [0])}}};" for name, row in tables.items()]
    pairs = [splitter.together.get(number, (-1, -1)) for number in numbers]
    lines.append(f"static const i64 TOGETHER[][2] = {rows(pairs, 2)};")
    return "\n".join([*lines, *options(program), *frames(program), legal_now(program)])


def open_tracks(program: Program) -> list[int]:
    """Return the seat that alone knows each track: -1 for all players, the player count plus 1 for none.

    Knowledge of card tracks depends on the zones of the cards."""
    nobody, slots = program.players + 1, program.tracks
    alone = [slot.of if slot.track.subject == "player" and slot.of is not None else nobody for slot in slots]
    about = [nobody if slot.track.subject == "card" else -1 for slot in slots]
    known = [who if slot.track.secret else to for who, to, slot in zip(alone, about, slots, strict=True)]
    return known + [-1] * (len(program.template.t) - len(known))


def rows(items: Iterable[Sequence[int]], width: int) -> str:
    """Format rows as C initializers, padded with zeros."""
    filled = ["{" + c_numbers([*item, *[0] * (width - len(item))]) + "}" for item in items]
    return "{" + ", ".join(filled or ["{0}"]) + "}"


def asks_for_cards(site: Site) -> bool:
    """Check whether the codes of a decision without options are cards."""
    return not site.options and site.kind != "number" and about_cards(asked_type(site))


def options(program: Program) -> list[str]:
    """Generate the encoding of each option of each decision: radices, and which values are cards or numbers."""
    first: list[int] = []
    binders: list[list[tuple[int, int]]] = []
    for site in program.sites:
        first.append(len(binders))
        for option, radices in zip(site.options, site.radices, strict=True):
            bound = zip(option.binders, radices, strict=True)
            binders.append([(radix, SORTS.get(var.type.tag, 0)) for (var, _), radix in bound])
    most = max([1, *map(len, binders)])
    cells = ["{" + ", ".join(f"{{{radix}, {card}}}" for radix, card in row or [(0, 0)]) + "}" for row in binders]
    return [
        f"static const i64 OPTION_ROW[] = {{{c_numbers(first or [0])}}};",
        f"static const i64 BINDERS[] = {{{c_numbers([len(row) for row in binders] or [0])}}};",
        f"static const i64 BINDER[][{most}][2] = {{{', '.join(cells or ['{{0}}'])}}};",
    ]


def frames(program: Program) -> list[str]:
    """Generate the frame slots that hold cards, and those that hold simultaneous choices."""
    holds, answers = [], []
    for frame in program.lowering.splitter.frames.values():
        cards = set(frame.cards)
        holds.append([int(slot in cards) for slot in range(frame.size)])
        answers.append([frame.codes.get(slot, -1) for slot in range(frame.size)])
    width = max([1, *map(len, holds)])
    return [
        f"static const signed char HOLDS_CARDS[][{width}] = {rows(holds, width)};",
        f"static const short ANSWERS_OF[][{width}] = {rows(answers, width)};",
    ]


def legal_now(program: Program) -> str:
    cases = " ".join(
        f"case {number}: return {name}(s, top_frame(s), s->who);"
        for number, name in enumerate(legal_functions(program))
    )
    return f"static L legal_now(S *s, i64 site) {{ switch (site) {{ {cases} default: return (L){{0}}; }} }}"
