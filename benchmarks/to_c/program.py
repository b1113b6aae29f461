"""A whole lowered program to one text of C: its sizes and tables, its functions, and the loop that plays it."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterable

from benchmarks.to_c.kinds import Kinds, NoC, is_list, width
from benchmarks.to_c.rankings import rankings_source
from benchmarks.to_c.statements import Statements
from benchmarks.to_c.world import World, c_numbers
from interpreter.lowering.orders import order_function
from interpreter.moving import MANY
from interpreter.program import FIRST, SEAT, Program
from interpreter.runtime import FUEL, MAX_FRAMES
from interpreter.state import ABSENT

MOST_PASSES = 12


def c_source(program: Program, reads: str | None = None) -> tuple[str, list[str]]:
    """The C text, and the names of the places in the rules that its numbers of faults stand for. `reads`: the name of
    what a player has that is a reading of cards, to be read by itself. Raises NoC."""
    scores, first = score_function(program), player_function(program, reads) if reads else None
    tree = ast.parse(program.source)
    nodes = {node.name: node for node in tree.body if isinstance(node, ast.FunctionDef)}
    nodes = {name: nodes[name] for name in reached(nodes, [*roots(nodes), scores, *([first] if first else [])])}
    world, kinds = World(program), Kinds()
    rankings = rankings_source(program, sorted(used_rankings(nodes.values())), world)
    text = translated(nodes, world, kinds)
    ends = [score_keys(program, scores, kinds), dispatch(nodes), restart(nodes)]
    if first:
        ends.append(f"#define READS {first}")
    parts = [
        sizes(program, kinds), '#include "values.h"', state_tables(program), '#include "state.h"',
        '#include "choices.h"', *world.tables.values(), slots(world, kinds), rankings, *text, *ends,
        '#include "playing.h"',
    ]  # fmt: skip
    return "\n\n".join(parts) + "\n", world.places


def translated(nodes: dict[str, ast.FunctionDef], world: World, kinds: Kinds) -> list[str]:
    """Prototypes and functions, once the kinds of all variables are known."""
    functions = {name: [arg.arg for arg in node.args.args] for name, node in nodes.items()}
    for _ in range(MOST_PASSES):
        kinds.settled = True
        for node in nodes.values():
            try:
                Statements(world, kinds, functions).translate(node)
            except NoC:
                continue  # perhaps because something is not known yet
        if kinds.settled:
            break
    made = [Statements(world, kinds, functions).translate(node) for node in nodes.values()]
    return ["\n".join(f"{head};" for head, _ in made), *(f"{head} {body}" for head, body in made)]


# ---------------------------------------------------------------- which functions
def roots(nodes: Iterable[str]) -> list[str]:
    """What the loop calls: blocks, starts, marks. Lists of moves are reached from blocks."""
    return [name for name in nodes if re.fullmatch(r"B\d+|start_tracks|restart_marks", name)]


def reached(nodes: dict[str, ast.FunctionDef], first: list[str]) -> list[str]:
    found = dict.fromkeys(first)
    waiting = list(found)
    while waiting:
        names = [part.id for part in ast.walk(nodes[waiting.pop()]) if isinstance(part, ast.Name)]
        fresh = [name for name in names if name in nodes and name not in found]
        found |= dict.fromkeys(fresh)
        waiting += fresh
    return [name for name in nodes if name in found]


def used_rankings(nodes: Iterable[ast.FunctionDef]) -> set[str]:
    """Whose hands these functions read."""
    calls = [part for node in nodes for part in ast.walk(node) if isinstance(part, ast.Call)]
    return {str(call.args[0].value) for call in calls if ast.unparse(call.func) == "read"}  # type: ignore[attr-defined]


def score_function(program: Program) -> str:
    """The function by which players are compared at the end; lowered here, if it was not yet."""
    program.winners(program.start(1))
    if "winners" in program.game.defines:
        return program.values[id(program.game.defines["winners"].value)][1].__name__
    if "standing" in program.game.orders:
        return order_function(program.flow.code, program.game.orders["standing"])
    return player_function(program, "score")


def player_function(program: Program, name: str) -> str:
    """The function of what each player has by this name; lowered here, if it was not yet."""
    expr = program.player_noun(name)
    if expr is None:
        raise NoC(f"a game without {name}")
    program.value(expr, program.blank(1), {SEAT.id: 0})
    return program.values[id(expr)][1].__name__


def score_keys(program: Program, name: str, kinds: Kinds) -> str:
    """C that pairs each seat with what decides who stands before whom."""
    kind = kinds.of("result", name)
    if kind.startswith("pairs"):
        seats = "L seats = span_of(0, PLAYERS, 1);"
        return f"#define KEY_WIDTH {width(kind)}\nstatic L score_keys(S *s) {{ {seats} return {name}(s, seats); }}"
    each = f"i64 key = {name}(s, seat); add(&pairs, key == NO_NUMBER ? -1 : key); add(&pairs, seat);"
    if is_list(kind):  # those whom the game declares, which may be nobody
        each = f"if (contains({name}(s), seat)) {{ add(&pairs, 1); add(&pairs, seat); }}"
    loop = f"for (i64 seat = 0; seat < PLAYERS; seat++) {{ {each} }}"
    return f"#define KEY_WIDTH 1\nstatic L score_keys(S *s) {{ L pairs = {{0}}; {loop} return pairs; }}"


# ---------------------------------------------------------------- the parts around the functions
def sizes(program: Program, kinds: Kinds) -> str:
    frames = program.flow.frames.values()
    per_frame = [sum(is_list(kinds.of("slot", f.name, slot)) for slot in range(f.size)) for f in frames]
    first = program.namespace["PADS"][FIRST]
    values = {
        "PLAYERS": program.players,
        "CARDS": program.layout.cards,
        "ZONES": len(program.zones),
        "TRACKS": len(program.template.t),
        "LONGEST": max(program.layout.cards + 2 * program.players, 16) + 2,
        "SLOTS": max([frame.size for frame in frames], default=1),
        "LISTS": max([1, *per_frame]),
        "MAX_FRAMES": MAX_FRAMES,
        "FUEL": FUEL,
        "MANY": MANY,
        "FIRST_BLOCK": FIRST,
        "FIRST_SIZE": 1 + len(first),
        "FIRST_CARDS": " ".join(
            f"top_frame(s)->x[{slot}] = -1;" for slot, value in enumerate(first, 1) if value == ABSENT
        ),
        "EVERYONE": program.layout.everyone,
        "MARKED": int(bool(program.layout.marks)),
    }
    return "\n".join(["#include <stddef.h>", *(f"#define {name} {value}" for name, value in values.items())])


def state_tables(program: Program) -> str:
    layout = program.layout
    order = sorted(range(layout.cards), key=program.mover.rank.__getitem__)
    marks = [layout.track_base[name] for name, track in layout.game.tracks.items() if track.subject == "card"]
    tables = {
        "SEES": layout.sees,
        "SEAT_OF": layout.seat_of,
        "HOME": layout.home,
        "CARD_FACE": layout.face,
        "SORTED": [order.index(card) for card in range(layout.cards)],
        "FIRST_TRACKS": program.template.t,
        "CARD_TRACK": marks or [0],
    }
    rows = [f"static const i64 {name}[] = {{{c_numbers(row or [0])}}};" for name, row in tables.items()]
    return "\n".join([f"#define CARD_TRACKS {len(marks)}", *rows])


def slots(world: World, kinds: Kinds) -> str:
    """Which slots of frames hold lists, and where; and the frame that each block works in."""
    lines, rows = [], []
    for number, frame in enumerate(world.program.flow.frames.values()):
        places, row = 0, []
        for slot in range(frame.size):
            row.append(places if is_list(kinds.of("slot", frame.name, slot)) else -1)
            if row[-1] >= 0:
                lines.append(f"#define SLOT_{slot}_{number} {places}")
                places += 1
        rows.append("{" + ", ".join(map(str, row)) + "}")
    rows.append("{-1}")
    numbers = {name: number for number, name in enumerate(world.frames)}
    owners = [numbers.get(world.frame_of(f"B{block.number}"), len(rows) - 1) for block in world.program.flow.blocks]
    lines.append(f"static const signed char LIST_SLOT[][SLOTS] = {{{', '.join(rows)}}};")
    return "\n".join([*lines, f"static const short FRAME_OF[] = {{{c_numbers(owners)}}};"])


def dispatch(nodes: dict[str, ast.FunctionDef]) -> str:
    """The blocks by number."""
    cases: dict[int, list[str]] = {1: [], 2: []}
    for name, node in nodes.items():
        if re.fullmatch(r"B\d+", name):
            args = ", ".join(arg.arg for arg in node.args.args)
            cases[len(node.args.args)].append(f"case {name[1:]}: return {name}({args});")
    other = "default: fail(NO_ROOM);"
    block = f"static i64 block(S *s, i64 number) {{ switch (number) {{ {' '.join(cases[1])} {other} }} }}"
    answer = f"switch (number) {{ {' '.join(cases[2])} {other} }}"
    return f"{block}\nstatic i64 answer(S *s, i64 number, i64 code) {{ {answer} }}"


def restart(nodes: dict[str, ast.FunctionDef]) -> str:
    return "" if "restart_marks" in nodes else "static void restart_marks(S *s, i64 card) { (void)s; (void)card; }"
