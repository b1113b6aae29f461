"""Generate the C source of a whole program: sizes, tables, functions and the main loop."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from functools import cache
from pathlib import Path

from interpreter import lowered as lo
from interpreter import stakes
from interpreter.lowered.blocks import blank
from interpreter.lowering.standing import SEAT, STANDING, WINNING, is_shared
from interpreter.moving import MANY
from interpreter.native.expressions import Expressions
from interpreter.native.hiding import hiding_tables, legal_functions
from interpreter.native.rankings import rankings_source
from interpreter.native.statements import block_c, function_c
from interpreter.native.world import NoC, World, c_numbers, is_list
from interpreter.program import FIRST, Program
from interpreter.readings import shows_split
from interpreter.runtime import FUEL, MAX_FRAMES
from interpreter.stakes import is_betting, roles

Text = tuple[str, str]
TRYING = ("sampling.h", "marks.h", "betting.h", "changes.h", "habits.h", "ranges.h", "careful.h", "trying.h", "tree.h")
"""C headers of the search."""


def c_source(program: Program, reads: str | None = None, trying: bool = False) -> str:
    """Return the C source. Raise `NoC` for constructs without C code.

    reads: the name of a player's value that reads cards, to generate a separate reader for it.
    trying: include sampling of hidden cards and search."""
    program.winners(program.blank(1))  # lowers the functions for the winners
    score = player_function(program, "score")
    first = player_function(program, reads) if reads else None
    watched = watched_functions(program) if trying and first is None else []
    staked = stakes.told(program.game) if trying and first and is_betting(program.game) else ()
    bets = [player_function(program, name) for name in staked]
    if reads and first is None:
        raise NoC(f"a game without {reads}")
    world = World(program)
    blocks = [program.played_block(block) for block in program.lowering.splitter.blocks if block.body]
    listing = legal_functions(program) if trying else []
    told = filter(None, (score, first, *bets))
    asked = [WINNING, STANDING, "start_tracks", "restart_marks", *told, *watched, *listing]
    functions = reached(program, blocks, asked)
    read = list(lo.walk(bodies(blocks, functions)))
    searched = {part.ranking for part in read if isinstance(part, lo.TestOf) and part.ranking is not None}
    names = sorted(searched | {part.ranking for part in read if isinstance(part, lo.Read)})
    rankings = rankings_source(program, names, searched, world)
    functions = reached(program, blocks, asked)
    circle = in_circles(program, functions)
    texts = [text for each in functions for text in function_c(world, each, deep=each.name in circle)]
    texts += [block_c(world, block) for block in blocks]
    heads = "\n".join(f"{head};" for head, _ in texts)
    parts = [
        sizes(world, "splits.h" in rankings, len(names)), header("types.h"), header("values.h"), state_tables(program),
        header("state.h"), header("choices.h"), *world.tables.values(), slots(world), with_headers(rankings), heads,
        *map(world.functions_by_card, sorted(world.dispatched)), *world.tests,
        *(f"{head} {body}" for head, body in texts), dispatch(blocks), restart(functions),
        standing(world, score, first), header("playing.h"),
        *betting(program, bets), *(trial_parts(program, watched) if trying else ()),
    ]  # fmt: skip
    return "\n\n".join(parts) + "\n"


@cache
def header(name: str) -> str:
    """Return the source of a shared header. It is inlined, so compilers need no include path."""
    return (Path(__file__).parent / "c" / name).read_text("utf-8")


def with_headers(text: str) -> str:
    return re.sub(r'#include "(.*)"', lambda found: header(found[1]), text)


# ---------------------------------------------------------------- functions to generate
def bodies(blocks: Iterable[lo.Block], functions: Iterable[lo.Function]) -> list[lo.Stmt]:
    return [stmt for block in blocks for stmt in block.body] + [stmt for each in functions for stmt in each.body]


def called(program: Program, parts: Iterable[lo.Stmt]) -> Iterable[str]:
    """Yield the names of the functions that statements call."""
    named = program.lowering.code.named
    for part in lo.walk(parts):
        match part:
            case lo.Calling() | lo.Do():
                yield part.function
            case lo.TakePick():
                yield f"L_{part.site}"
            case lo.Read():
                yield from (named("wild", part.ranking), named("judge", part.ranking))
            case lo.DoBorne() | lo.Dispatch():
                yield from (name for name in program.lowering.code.dispatches[part.table] if name)


def reached(program: Program, blocks: Sequence[lo.Block], first: Sequence[str]) -> list[lo.Function]:
    functions = program.lowering.functions
    waiting = [*first, *called(program, bodies(blocks, ()))]
    found: dict[str, lo.Function] = {}
    while waiting:
        name = waiting.pop()
        function = functions.get(name)
        if function is not None and name not in found:
            found[name] = played = program.played(function)
            waiting += called(program, played.body)
    return [found[name] for name in functions if name in found]


def player_function(program: Program, name: str) -> str | None:
    """Return the function of a player's value by name, lowering it if necessary; None if there is no such value."""
    expr = program.player_noun(name)
    if expr is None:
        return None
    program.value(expr, program.blank(1), {SEAT.id: 0})
    return program.values[id(expr)][1].__name__


def in_circles(program: Program, functions: Sequence[lo.Function]) -> set[str]:
    """Return the recursive functions."""
    calls = {each.name: set(called(program, each.body)) for each in functions}
    found = set()
    for name in calls:
        seen: set[str] = set()
        waiting = list(calls[name])
        while waiting:
            other = waiting.pop()
            if other not in seen:
                seen.add(other)
                waiting += calls.get(other, ())
        if name in seen:
            found.add(name)
    return found


# ---------------------------------------------------------------- code around the functions
def sizes(world: World, splits: bool, rankings: int) -> str:
    program = world.program
    frames = program.lowering.splitter.frames.values()
    per_frame = [sum(kind is not None and is_list(kind) for kind in frame.kinds) for frame in frames]
    first = list(program.lowering.splitter.frames).index("the game")
    values = {
        "PLAYERS": program.players,
        "CARDS": program.layout.cards,
        "ZONES": len(program.zones),
        "TRACKS": len(program.template.t),
        "LONGEST": world.longest,
        "FRAMES": len(frames),
        "RANKINGS": max(rankings, 1),
        "STRENGTH": max(world.strength - 2, 1),
        "SLOTS": max([frame.size for frame in frames], default=1),
        "LISTS": max([1, *per_frame]),
        "MAX_FRAMES": MAX_FRAMES,
        "FUEL": FUEL,
        "MANY": MANY,
        "FIRST_BLOCK": FIRST,
        "FIRST_FRAME": first,
        "EVERYONE": program.layout.everyone,
        "MARKED": int(bool(program.layout.marks)),
    }
    if splits:
        values["SPLITS"] = 1
    if program.lowering.splitter.opening is not None and not program.by_chance:
        values["OPENING"] = program.lowering.splitter.opening
    return "\n".join(f"#define {name} {value}" for name, value in values.items())


def state_tables(program: Program) -> str:
    layout = program.layout
    order = sorted(range(layout.cards), key=program.mover.rank.__getitem__)
    marks = [layout.track_base[name] for name, track in layout.game.tracks.items() if track.subject == "card"]
    frames = program.lowering.splitter.frames.values()
    longest = max([frame.size for frame in frames], default=1)
    tables = {
        "SEES": layout.sees,
        "SEAT_OF": layout.seat_of,
        "HOME": layout.home,
        "CARD_FACE": layout.face,
        "SORTED": [order.index(card) for card in range(layout.cards)],
        "FIRST_TRACKS": program.template.t,
        "CARD_TRACK": marks or [0],
        "FRAME_SIZE": [frame.size for frame in frames],
    }
    rows = [f"static const i64 {name}[] = {{{c_numbers(row or [0])}}};" for name, row in tables.items()]
    pads = ", ".join("{" + c_numbers([padding(kind) for kind in frame.kinds]) + "}" for frame in frames)
    rows.append(f"static const i64 PADDING[][{longest}] = {{{pads}}};")
    return "\n".join([f"#define CARD_TRACKS {len(marks)}", *rows])


def padding(kind: lo.Kind | None) -> int:
    value = blank(kind)
    return value if isinstance(value, int) else 0


def slots(world: World) -> str:
    """Generate the frame slots that hold lists, with their positions, and the frame of each block."""
    lines, rows = [], []
    for number, frame in enumerate(world.lowering.splitter.frames.values()):
        places, row = 0, []
        for slot, kind in enumerate(frame.kinds):
            row.append(places if kind is not None and is_list(kind) else -1)
            if row[-1] >= 0:
                lines.append(f"#define SLOT_{slot}_{number} {places}")
                places += 1
        rows.append("{" + ", ".join(map(str, row)) + "}")
    rows.append("{-1}")
    numbers = {name: number for number, name in enumerate(world.frames)}
    owners = [numbers.get(block.routine, len(rows) - 1) for block in world.lowering.splitter.blocks]
    lines.append(f"static const signed char LIST_SLOT[][SLOTS] = {{{', '.join(rows)}}};")
    return "\n".join([*lines, f"static const short FRAME_OF[] = {{{c_numbers(owners)}}};"])


def dispatch(blocks: Iterable[lo.Block]) -> str:
    """Generate the dispatch to blocks by number."""
    plain = [f"case {block.number}: return B{block.number}(s);" for block in blocks if block.code is None]
    taking = [f"case {block.number}: return B{block.number}(s, code);" for block in blocks if block.code is not None]
    other = "default: fail(s, NO_ROOM);"
    block = f"static i64 block(S *s, i64 number) {{ switch (number) {{ {' '.join(plain)} {other} }} }}"
    answer = f"switch (number) {{ {' '.join(taking)} {other} }}"
    return f"{block}\nstatic i64 answer(S *s, i64 number, i64 code) {{ {answer} }}"


def standing(world: World, score: str | None, reads: str | None) -> str:
    """Generate the macros for the final ranking and for the reading of hands."""
    function = world.lowering.functions[STANDING]
    pairs = function.body[-1] if function is not None else None
    if not isinstance(pairs, lo.Return) or pairs.value is None:
        raise NoC("standings without pairs")
    width = Expressions(world, {}, 0).pair_width(pairs.value)
    lines = [
        f"#define STANDING_WIDTH {width}",
        f"#define SCORE(s, seat) {f'{score}(s, seat)' if score else 'NO_NUMBER'}",
    ]
    lines += [f"#define READS {reads}"] if reads else []
    lines += ["#define READS_SPLIT"] if reads and shows_split(world.program.game) else []
    return "\n".join(lines)


def betting(program: Program, bets: Sequence[str | None]) -> list[str]:
    """Generate the prices and pots of bets, and the role of each option of each decision."""
    if not bets:
        return []
    does = [role for site in program.sites for role in roles(site)]
    table = f"static const signed char ROLE[] = {{{c_numbers(does)}}};"
    names = ("CALL_PRICE", "POT", "WINNABLE")
    lines = [f"#define {name}(s, seat) {bet}(s, seat)" for name, bet in zip(names, bets, strict=True)]
    return ["\n".join(["#define BETS", *lines, table])]


def trial_parts(program: Program, watched: Sequence[str]) -> list[str]:
    """Return the parts for the search."""
    by_standing = "standing" in program.game.orders
    score = program.player_noun("score")
    scale = 1 if by_standing or score is None else program.layout.scales.of(score)
    levels = f"#define LEVELS_BY_STANDING {int(by_standing)}\n#define LEVEL_SCALE {scale}"
    shared = f"#define SHARED {int(is_shared(program.game, program.players))}"
    watching = watching_c(watched)
    return [hiding_tables(program), levels, shared, watching, lives_left(program), *map(header, TRYING)]


def watched_functions(program: Program) -> list[str]:
    """Return the functions of the numbers that the game displays for each player."""
    names = [show.track or show.define for show in program.game.shows]
    kept = [(name, program.game.defines.get(name) or program.game.tracks.get(name)) for name in names if name]
    numbers = [name for name, what in kept if what and what.subject == "player" and what.type.tag == "number"]
    return [function for name in numbers if (function := player_function(program, name))]


def watching_c(watched: Sequence[str]) -> str:
    cases = " ".join(f"case {number}: return {name}(s, seat);" for number, name in enumerate(watched))
    watch = f"static i64 WATCH(S *s, i64 seat, i64 number) {{ switch (number) {{ {cases} default: return 0; }} }}"
    return f"#define WATCHED {len(watched)}\n{watch if watched else ''}"


def lives_left(program: Program) -> str:
    """Generate the remaining share of the table's lives. Winning needs at least one life."""
    parts = [f"(double)(s)->t[{slot}] / {whole}.0" for slot, whole in program.lives]
    return f"#define LIVES(s) ({' + '.join(parts) or '0.0 * (double)(s)->who'})"


def restart(functions: Iterable[lo.Function]) -> str:
    marked = any(function.name == "restart_marks" for function in functions)
    return "" if marked else "static void restart_marks(S *s, i64 card) { (void)s; (void)card; }"
