"""C source of a whole program: sizes, tables, functions and main loop."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from functools import cache
from pathlib import Path

from cardlang.model.types import is_card_type
from interpreter import ir
from interpreter.codegen.c.c_context import (
    CCodegenContext,
    UnsupportedInC,
    find_multi_choice_sites,
    format_c_numbers,
    is_list_kind,
)
from interpreter.codegen.c.c_expressions import CExpressionGenerator
from interpreter.codegen.c.c_hand_rankings import generate_rankings
from interpreter.codegen.c.c_statements import generate_c_block, generate_c_function
from interpreter.ir.ir_statements import find_initial_value
from interpreter.lower.standings import SEAT_VARIABLE, STANDING_FUNCTION, WINNERS_FUNCTION, is_outcome_shared
from interpreter.program.betting_roles_and_shown_hand import find_option_roles, get_betting_numbers, is_betting_game
from interpreter.program.program import FIRST_BLOCK, Program
from interpreter.runtime.builtin_functions import MAX_FRAMES, STEP_LIMIT
from interpreter.runtime.card_moves import MANY_CARDS
from interpreter.runtime.state import DecisionPoint, get_choice_type
from interpreter.runtime.state_layout import PARTICLES

VALUE_TYPE_CODES = {"card": 1, "number": 2}
"""Codes of the types of values in a move."""


def list_move_lister_names(program: Program) -> list[str]:
    """Return the names of the functions that list the moves of each decision."""
    return [f"L_{site.number}" for site in program.sites]


def generate_hidden_info_tables(program: Program) -> str:
    """Generate the tables of cards, decisions and frames, and `generate_legal_now`."""
    splitter, layout, game = program.lowering.splitter, program.layout, program.game
    homes = [game.sets[game.faces[face].set].home for face in layout.face]
    backs = sorted(set(homes))
    several = find_multi_choice_sites(program)
    numbers = range(len(program.sites))
    scalars = {
        "FACES": max(layout.face) + 1 if layout.face else 1, "BACKS": max(len(backs), 1),
        "SECRETS": len(layout.secret_slots), "SITES": max(len(program.sites), 1), "PARTICLES": PARTICLES,
    }  # fmt: skip
    tables = {
        "BACK": [backs.index(home) for home in homes],
        "SITE_OF": [splitter.sites_by_block.get(block.number, -1) for block in splitter.blocks],
        "SITE_CARDS": [int(is_card_decision(site)) for site in program.sites],
        "SITE_PICKS": [int(site.kind == "pick") for site in program.sites],
        "SITE_FREELY": [int(site.picks_freely) for site in program.sites],
        "SITE_NUMBERS": [int(site.asks_number) for site in program.sites],
        "SEVERAL": [int(number in several) for number in numbers], "SECRET": layout.secret_slots,
        "WITH_FACE": [layout.face.index(face) if face in layout.face else 0 for face in range(scalars["FACES"])],
        "OPEN_TRACK": find_track_knowers(program), "OPTIONS": [len(site.options) for site in program.sites],
    }  # fmt: skip
    lines = [f"#define {name} {value}" for name, value in scalars.items()]
    lines += [f"static const i64 {name}[] = {{{format_c_numbers(row or [0])}}};" for name, row in tables.items()]
    pairs = [splitter.simultaneous_sites.get(number, (-1, -1)) for number in numbers]
    lines.append(f"static const i64 TOGETHER[][2] = {format_c_rows(pairs, 2)};")
    return "\n".join(
        [*lines, *generate_option_tables(program), *generate_frame_tables(program), generate_legal_now(program)]
    )


def find_track_knowers(program: Program) -> list[int]:
    """Return the seat that alone knows each track: -1 for all players, the player count plus 1 for none.

    Knowledge of card tracks depends on the zones of the cards."""
    nobody, slots = program.players + 1, program.tracks
    alone = [slot.of if slot.track.subject == "player" and slot.of is not None else nobody for slot in slots]
    about = [nobody if slot.track.subject == "card" else -1 for slot in slots]
    known = [who if slot.track.secret else to for who, to, slot in zip(alone, about, slots, strict=True)]
    return known + [-1] * (len(program.template.t) - len(known))


def format_c_rows(items: Iterable[Sequence[int]], width: int) -> str:
    """Format rows as C initializers, padded with zeros."""
    filled = ["{" + format_c_numbers([*item, *[0] * (width - len(item))]) + "}" for item in items]
    return "{" + ", ".join(filled or ["{0}"]) + "}"


def is_card_decision(site: DecisionPoint) -> bool:
    """Check whether the codes of a decision without options are cards."""
    return not site.options and site.kind != "number" and is_card_type(get_choice_type(site))


def generate_option_tables(program: Program) -> list[str]:
    """Generate the encoding of each option of each decision: radices, and which values are cards or numbers."""
    first: list[int] = []
    binders: list[list[tuple[int, int]]] = []
    for site in program.sites:
        first.append(len(binders))
        for option, radices in zip(site.options, site.radices, strict=True):
            bound = zip(option.binders, radices, strict=True)
            binders.append([(radix, VALUE_TYPE_CODES.get(var.type.tag, 0)) for (var, _), radix in bound])
    most = max([1, *map(len, binders)])
    cells = ["{" + ", ".join(f"{{{radix}, {card}}}" for radix, card in row or [(0, 0)]) + "}" for row in binders]
    return [
        f"static const i64 OPTION_ROW[] = {{{format_c_numbers(first or [0])}}};",
        f"static const i64 BINDERS[] = {{{format_c_numbers([len(row) for row in binders] or [0])}}};",
        f"static const i64 BINDER[][{most}][2] = {{{', '.join(cells or ['{{0}}'])}}};",
    ]


def generate_frame_tables(program: Program) -> list[str]:
    """Generate the frame slots that hold cards, and those that hold simultaneous choices."""
    holds, answers = [], []
    for frame in program.lowering.splitter.frames.values():
        cards = set(frame.card_slots)
        holds.append([int(slot in cards) for slot in range(frame.size)])
        answers.append([frame.codes.get(slot, -1) for slot in range(frame.size)])
    width = max([1, *map(len, holds)])
    return [
        f"static const signed char HOLDS_CARDS[][{width}] = {format_c_rows(holds, width)};",
        f"static const short ANSWERS_OF[][{width}] = {format_c_rows(answers, width)};",
    ]


def generate_legal_now(program: Program) -> str:
    cases = " ".join(
        f"case {number}: return {name}(s, top_frame(s), s->who);"
        for number, name in enumerate(list_move_lister_names(program))
    )
    return f"static L legal_now(S *s, i64 site) {{ switch (site) {{ {cases} default: return (L){{0}}; }} }}"


SEARCH_HEADERS = (
    "belief_sampler.h", "clue_inference.h", "betting_model.h", "move_effects.h", "playout_policy.h",
    "opponent_ranges.h", "clue_safety.h", "solitaire_policy.h", "playout_search.h", "tree_search.h",
)  # fmt: skip
"""C headers of the search."""


def generate_c_source(program: Program, reading_name: str | None = None, with_search: bool = False) -> str:
    """Return the C source. Raise `UnsupportedInC` for constructs without C code.

    reading_name: the name of a player's value that reads cards, to generate a separate reader for it.
    with_search: include sampling of hidden cards and search."""
    program.find_winners(program.create_blank_state(1))  # lowers the functions for the winners
    score = add_player_function(program, "score")
    first = add_player_function(program, reading_name) if reading_name else None
    watched = find_displayed_functions(program) if with_search and first is None else []
    has_bets = with_search and first and is_betting_game(program.game)
    bet_names = get_betting_numbers(program.game) if has_bets else ()
    bets = [add_player_function(program, name) for name in bet_names]
    if reading_name and first is None:
        raise UnsupportedInC(f"a game without {reading_name}")
    world = CCodegenContext(program)
    blocks = [program.strip_block_events(block) for block in program.lowering.splitter.blocks if block.body]
    listing = list_move_lister_names(program) if with_search else []
    evaluators = filter(None, (score, first, *bets))
    asked = [WINNERS_FUNCTION, STANDING_FUNCTION, "start_tracks", "restart_marks", *evaluators, *watched, *listing]
    functions = find_reachable_functions(program, blocks, asked)
    read = list(ir.walk(collect_statements(blocks, functions)))
    searched = {part.ranking for part in read if isinstance(part, ir.TestOf) and part.ranking is not None}
    names = sorted(searched | {part.ranking for part in read if isinstance(part, ir.Read)})
    rankings = generate_rankings(program, names, searched, world)
    functions = find_reachable_functions(program, blocks, asked)
    circle = find_recursive_functions(program, functions)
    texts = [
        text
        for function in functions
        for text in generate_c_function(world, function, is_recursive=function.name in circle)
    ]
    texts += [generate_c_block(world, block) for block in blocks]
    heads = "\n".join(f"{head};" for head, _ in texts)
    parts = [
        generate_size_macros(world, "meld_split.h" in rankings, len(names)), read_c_header("types.h"),
        read_c_header("value_lists.h"), generate_state_tables(program), read_c_header("state.h"),
        read_c_header("builtin_functions.h"), *world.tables.values(),
        generate_slot_tables(world), inline_c_headers(rankings), heads,
        *map(world.generate_dispatch_table, sorted(world.used_dispatches)), *world.test_functions,
        *(f"{head} {body}" for head, body in texts), generate_block_dispatch(blocks),
        generate_no_restarts(functions), generate_standing_macros(world, score, first), read_c_header("run_loop.h"),
        *generate_betting_macros(program, bets), *(generate_search_parts(program, watched) if with_search else ()),
    ]  # fmt: skip
    return "\n\n".join(parts) + "\n"


@cache
def read_c_header(name: str) -> str:
    """Return the source of a shared header. It is inlined, so compilers need no include path."""
    return (Path(__file__).parent / "headers" / name).read_text("utf-8")


def inline_c_headers(text: str) -> str:
    return re.sub(r'#include "(.*)"', lambda match: read_c_header(match[1]), text)


# ---------------------------------------------------------------- functions to generate
def collect_statements(blocks: Iterable[ir.Block], functions: Iterable[ir.Function]) -> list[ir.Stmt]:
    return [stmt for block in blocks for stmt in block.body] + [
        stmt for function in functions for stmt in function.body
    ]


def find_called_functions(program: Program, parts: Iterable[ir.Stmt]) -> Iterable[str]:
    """Yield the names of the functions that statements call."""
    named = program.lowering.make_identifier
    for part in ir.walk(parts):
        match part:
            case ir.Calling() | ir.Do():
                yield part.function
            case ir.TakePick():
                yield f"L_{part.site}"
            case ir.Read():
                yield from (named("wild", part.ranking), named("judge", part.ranking))
            case ir.DoBorne() | ir.Dispatch():
                yield from (name for name in program.lowering.dispatch_tables[part.table] if name)


def find_reachable_functions(
    program: Program, blocks: Sequence[ir.Block], entry_names: Sequence[str]
) -> list[ir.Function]:
    functions = program.lowering.functions
    waiting = [*entry_names, *find_called_functions(program, collect_statements(blocks, ()))]
    found: dict[str, ir.Function] = {}
    while waiting:
        name = waiting.pop()
        function = functions.get(name)
        if function is not None and name not in found:
            found[name] = played = program.strip_function_events(function)
            waiting += find_called_functions(program, played.body)
    return [found[name] for name in functions if name in found]


def add_player_function(program: Program, name: str) -> str | None:
    """Return the function of a player's value by name, lowering it if necessary; None if there is no such value."""
    expr = program.find_player_expression(name)
    if expr is None:
        return None
    program.evaluate(expr, program.create_blank_state(1), {SEAT_VARIABLE.id: 0})
    return program.values[id(expr)][1].__name__


def find_recursive_functions(program: Program, functions: Sequence[ir.Function]) -> set[str]:
    """Return the recursive functions."""
    calls = {each.name: set(find_called_functions(program, each.body)) for each in functions}
    recursive = set()
    for name in calls:
        seen: set[str] = set()
        waiting = list(calls[name])
        while waiting:
            other = waiting.pop()
            if other not in seen:
                seen.add(other)
                waiting += calls.get(other, ())
        if name in seen:
            recursive.add(name)
    return recursive


# ---------------------------------------------------------------- code around the functions
def generate_size_macros(context: CCodegenContext, splits: bool, rankings: int) -> str:
    program = context.program
    frames = program.lowering.splitter.frames.values()
    per_frame = [sum(kind is not None and is_list_kind(kind) for kind in frame.kinds) for frame in frames]
    first = list(program.lowering.splitter.frames).index("the game")
    values = {
        "PLAYERS": program.players, "CARDS": program.layout.cards, "ZONES": len(program.zones),
        "TRACKS": len(program.template.t), "LONGEST": context.max_list_length, "FRAMES": len(frames),
        "RANKINGS": max(rankings, 1), "STRENGTH": max(context.strength_size - 2, 1),
        "SLOTS": max([frame.size for frame in frames], default=1), "LISTS": max([1, *per_frame]),
        "MAX_FRAMES": MAX_FRAMES, "FUEL": STEP_LIMIT, "MANY": MANY_CARDS, "FIRST_BLOCK": FIRST_BLOCK,
        "FIRST_FRAME": first, "EVERYONE": program.layout.everyone, "MARKED": int(bool(program.layout.marks)),
        "COPIES": int(program.layout.copies),
    }  # fmt: skip
    if splits:
        values["SPLITS"] = 1
    if program.is_solitaire:
        values["SOLITAIRE"] = 1
    if program.lowering.splitter.opening_block is not None and not program.by_chance:
        values["OPENING"] = program.lowering.splitter.opening_block
    return "\n".join(f"#define {name} {value}" for name, value in values.items())


def generate_state_tables(program: Program) -> str:
    layout = program.layout
    order = sorted(range(layout.cards), key=program.mover.sort_keys.__getitem__)
    marks = layout.card_track_bases
    frames, entries = program.lowering.splitter.frames.values(), program.lowering.splitter.entry_blocks
    longest = max([frame.size for frame in frames], default=1)
    tables = {
        "SEES": layout.sees, "SEAT_OF": layout.seat_of, "HOME": layout.home, "CARD_FACE": layout.face,
        "SORTED": [order.index(card) for card in range(layout.cards)], "FIRST_TRACKS": program.template.t,
        "CARD_TRACK": marks or [0], "FRAME_SIZE": [frame.size for frame in frames],
    }  # fmt: skip
    rows = [f"static const i64 {name}[] = {{{format_c_numbers(row or [0])}}};" for name, row in tables.items()]
    pads = ", ".join(
        "{" + format_c_numbers([entries[frame.routine], *map(find_initial_number, frame.kinds[1:])]) + "}"
        for frame in frames
    )
    rows.append(f"static const i64 PADDING[][{longest}] = {{{pads}}};")
    return "\n".join([f"#define CARD_TRACKS {len(marks)}", *rows])


def find_initial_number(kind: ir.Kind | None) -> int:
    value = find_initial_value(kind)
    return value if isinstance(value, int) else 0


def generate_slot_tables(context: CCodegenContext) -> str:
    """Generate the frame slots that hold lists, with their positions, and the frame of each block."""
    lines, rows = [], []
    for number, frame in enumerate(context.lowering.splitter.frames.values()):
        places, row = 0, []
        for slot, kind in enumerate(frame.kinds):
            row.append(places if kind is not None and is_list_kind(kind) else -1)
            if row[-1] >= 0:
                lines.append(f"#define SLOT_{slot}_{number} {places}")
                places += 1
        rows.append("{" + ", ".join(map(str, row)) + "}")
    rows.append("{-1}")
    numbers = {name: number for number, name in enumerate(context.frame_names)}
    owners = [numbers.get(block.routine, len(rows) - 1) for block in context.lowering.splitter.blocks]
    lines.append(f"static const signed char LIST_SLOT[][SLOTS] = {{{', '.join(rows)}}};")
    return "\n".join([*lines, f"static const short FRAME_OF[] = {{{format_c_numbers(owners)}}};"])


def generate_block_dispatch(blocks: Iterable[ir.Block]) -> str:
    """Generate the dispatch to blocks by number."""
    plain = [f"case {block.number}: return B{block.number}(s);" for block in blocks if block.code is None]
    taking = [f"case {block.number}: return B{block.number}(s, code);" for block in blocks if block.code is not None]
    other = "default: fail(s, NO_ROOM);"
    block = f"static i64 block(S *s, i64 number) {{ switch (number) {{ {' '.join(plain)} {other} }} }}"
    answer = f"switch (number) {{ {' '.join(taking)} {other} }}"
    return f"{block}\nstatic i64 answer(S *s, i64 number, i64 code) {{ {answer} }}"


def generate_standing_macros(context: CCodegenContext, score: str | None, reading_function: str | None) -> str:
    """Generate the macros for the final ranking and for the reading of hands."""
    function = context.lowering.functions[STANDING_FUNCTION]
    pairs = function.body[-1] if function is not None else None
    if not isinstance(pairs, ir.Return) or pairs.value is None:
        raise UnsupportedInC("standings without pairs")
    width = CExpressionGenerator(context, {}, 0).find_pair_key_width(pairs.value)
    lines = [
        f"#define STANDING_WIDTH {width}",
        f"#define SCORE(s, seat) {f'{score}(s, seat)' if score else 'NO_NUMBER'}",
    ]
    lines += [f"#define READS {reading_function}"] if reading_function else []
    if reading_function and (costs := context.program.readings.find_shown_leftover_costs()):
        lines.append(f"#define READS_SPLIT\nstatic const i64 LEFTOVER_COST[] = {{{format_c_numbers(costs)}}};")
    return "\n".join(lines)


def generate_betting_macros(program: Program, bets: Sequence[str | None]) -> list[str]:
    """Generate the prices and pots of bets, and the role of each option of each decision."""
    if not bets:
        return []
    does = [role for site in program.sites for role in find_option_roles(program.game, site)]
    table = f"static const signed char ROLE[] = {{{format_c_numbers(does)}}};"
    names = ("CALL_PRICE", "POT", "WINNABLE")
    lines = [f"#define {name}(s, seat) {bet}(s, seat)" for name, bet in zip(names, bets, strict=True)]
    return ["\n".join(["#define BETS", *lines, table])]


def generate_search_parts(program: Program, watched: Sequence[str]) -> list[str]:
    """Return the parts for the search."""
    by_standing = "standing" in program.game.orders
    score = program.find_player_expression("score")
    scale = 1 if by_standing or score is None else program.layout.scales.get_scale(score)
    levels = f"#define LEVELS_BY_STANDING {int(by_standing)}\n#define LEVEL_SCALE {scale}"
    shared = f"#define SHARED {int(is_outcome_shared(program.game, program.players))}"
    watching = generate_watch_function(watched)
    return [
        generate_hidden_info_tables(program), levels, shared, watching, generate_lives_macro(program),
        *map(read_c_header, SEARCH_HEADERS),
    ]  # fmt: skip


def find_displayed_functions(program: Program) -> list[str]:
    """Return the functions of the numbers that the game displays for each player."""
    names = [show.track or show.define for show in program.game.shows]
    displayed = [(name, program.game.defines.get(name) or program.game.tracks.get(name)) for name in names if name]
    numbers = [name for name, what in displayed if what and what.subject == "player" and what.type.tag == "number"]
    return [function for name in numbers if (function := add_player_function(program, name))]


def generate_watch_function(watched: Sequence[str]) -> str:
    cases = " ".join(f"case {number}: return {name}(s, seat);" for number, name in enumerate(watched))
    watch = f"static i64 WATCH(S *s, i64 seat, i64 number) {{ switch (number) {{ {cases} default: return 0; }} }}"
    return f"#define WATCHED {len(watched)}\n{watch if watched else ''}"


def generate_lives_macro(program: Program) -> str:
    """Generate the remaining share of the table's lives. Winning needs at least one life."""
    parts = [f"(double)(s)->t[{slot}] / {total}.0" for slot, total in program.lives]
    return f"#define LIVES(s) ({' + '.join(parts) or '0.0 * (double)(s)->who'})"


def generate_no_restarts(functions: Iterable[ir.Function]) -> str:
    marked = any(function.name == "restart_marks" for function in functions)
    return "" if marked else "static void restart_marks(S *s, i64 card) { (void)s; (void)card; }"
