"""Every room has something for every construct. What is missing is told with the file where it belongs."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from pathlib import Path
from types import ModuleType

import attrs
import pytest
from attrs import field, frozen

import cardlang
from cardlang import game as g
from cardlang import nodes as n
from cardlang.game.sound import BINDS
from cardlang.reading.building.tree import BUILDERS
from cardlang.resolve.expressions import HANDLERS
from cardlang.resolve.statements import DOERS
from cardlang.rulesheet.english import CONDITIONS, PHRASES
from cardlang.rulesheet.statements import SIMPLE, TELLERS
from interpreter import lowered as lo
from interpreter.compiler import compile_game
from interpreter.lowered.operations import EFFECTS, LISTS, VALUES
from interpreter.lowering.game import Lowering
from interpreter.lowering.questions import Expressions as LoweredExpressions
from interpreter.native.expressions import Expressions as ExpressionsInC
from interpreter.native.operations import BEST_BY
from interpreter.native.statements import Statements as StatementsInC
from interpreter.odds.sight import WITHIN, Looker
from interpreter.python.statements import Statements as StatementsInPython
from tests.docs.test_reference import GRAMMAR, shown_nodes

ROOT = Path(__file__).parents[1]
SCHEMA = (ROOT / "docs" / "game.schema.json").read_text("utf-8")
WALK = (ROOT / "CONTRIBUTING.md").read_text("utf-8").split("## Adding a statement\n")[1].split("\n## ")[0]
NODES = {
    "SetTrack": ("Set", "Add", "Subtract"), "ShufflePlayers": ("Shuffle",), "DoBorne": ("Do",), "Note": ("Aside",),
    "Ruling": ("Aside",),
}  # fmt: skip
"""The nodes of what is written as something of another name."""
RULES = {"Each": ("each_stmt",), "Aside": ("note", "ruling"), "Move": ("move", "move_under")}
"""The rules of nodes that have another name."""
PLAYED = tuple(each for each in g.STATEMENTS if not issubclass(each, g.Aside))
SAID = tuple(each for each in g.EXPRESSIONS if each not in (g.Worth, g.Cases, g.FirstPossible))
"""The sheet sees through worths, and tells cases where it tells definitions."""


def classes(module: ModuleType, base: type) -> tuple[type, ...]:
    """Those of which things are made."""
    found = {each for each in vars(module).values() if isinstance(each, type) and issubclass(each, base)}
    return tuple(each for each in found if not any(other is not each and issubclass(other, each) for other in found))


def binding(constructs: Iterable[type]) -> tuple[type, ...]:
    """Those with a variable of their own."""
    return tuple(each for each in constructs if any(part.type in ("Var", "Var | None") for part in attrs.fields(each)))


# ---------------------------------------------------------------- what a room has
Has = Callable[[str], bool]


def method(owner: type, prefix: str) -> Has:
    return lambda name: hasattr(owner, prefix + name)


def listed(*lists: Iterable[type]) -> Has:
    return {each.__name__ for some in lists for each in some}.__contains__


def written(has: Has) -> Has:
    """Of all that a statement is written as."""
    return lambda name: all(map(has, NODES.get(name, (name,))))


def ruled(has: Has) -> Has:
    """Of all rules by which a statement is read."""
    snake = re.compile(r"(?<!^)([A-Z])")
    return written(lambda node: all(map(has, RULES.get(node, (snake.sub(r"_\1", node).lower(),)))))


@frozen
class Room:
    """`file`: where a new piece belongs; `piece`: what that is, with `{}` for the name of the construct; `has`: whether
    the room has it for a name."""

    file: str
    piece: str
    constructs: tuple[type, ...] = field(repr=False)
    has: Has = field(repr=False)

    def missing(self, constructs: Iterable[type]) -> list[str]:
        names = [each.__name__ for each in constructs]
        return [f"{self.file}: no {self.piece.format(name)}" for name in names if not self.has(name)]


STATEMENTS = (
    Room("cardlang/reading/grammar.lark", "rule of {}", g.STATEMENTS,
         ruled(lambda rule: re.search(rf"(^\??|-> ){rule}\b", GRAMMAR, re.MULTILINE) is not None)),
    Room("cardlang/nodes/play.py", "class {}", g.STATEMENTS, written(listed(classes(n, n.Stmt)))),
    Room("cardlang/reading/building/play.py", "builder of {}", g.STATEMENTS, ruled(BUILDERS.__contains__)),
    Room("cardlang/game/statements.py", "{} in Statement", classes(g, g.Stmt), listed(g.STATEMENTS)),
    Room("cardlang/game/sound.py", "{} in BINDS", binding(g.STATEMENTS), listed(BINDS)),
    Room("docs/game.schema.json", "{} (python -m tests.docs writes it)", g.STATEMENTS,
         lambda name: f'\n  "{name}": {{' in SCHEMA),
    Room("cardlang/resolve/statements.py", "@does of {}", g.STATEMENTS, written(listed(DOERS))),
    Room("interpreter/lowering/plain.py", "do_{}", PLAYED, method(Lowering, "do_")),
    Room("cardlang/rulesheet/statements.py", "@tells or @says of {}", g.STATEMENTS, listed(TELLERS, SIMPLE)),
    Room("docs/language/procedure.md", "example with {}", g.STATEMENTS,
         written(lambda node: node in {each.__name__ for each in shown_nodes()})),
)  # fmt: skip
"""In the order in which the pieces of a new one are made."""
EXPRESSIONS = (
    Room("cardlang/nodes/expressions.py", "example in docs/language/values.md with {}", classes(n, n.Expr),
         lambda node: node in {each.__name__ for each in shown_nodes()}),
    Room("cardlang/resolve/expressions.py", "@handles of {}", classes(n, n.Expr), listed(HANDLERS)),
    Room("cardlang/game/expressions.py", "{} in EXPRESSIONS", classes(g, g.Expr), listed(g.EXPRESSIONS)),
    Room("cardlang/game/sound.py", "{} in BINDS", binding(g.EXPRESSIONS), listed(BINDS)),
    Room("docs/game.schema.json", "{} (python -m tests.docs writes it)", g.EXPRESSIONS,
         lambda name: f'\n  "{name}": {{' in SCHEMA),
    Room("interpreter/lowering/questions.py", "x_{}", g.EXPRESSIONS, method(LoweredExpressions, "x_")),
    Room("interpreter/odds/sight.py", "note_{0} or {0} in WITHIN", g.EXPRESSIONS,
         lambda name: method(Looker, "note_")(name) or listed(WITHIN)(name)),
    Room("cardlang/rulesheet/nouns.py", "@says or @holds of {}", SAID, listed(PHRASES, CONDITIONS)),
)  # fmt: skip
LOWERED = (
    Room("interpreter/lowered/expressions.py", "{} in EXPRESSIONS", classes(lo, lo.Expr), listed(lo.EXPRESSIONS)),
    Room("interpreter/python/expressions.py", "x_{}", lo.EXPRESSIONS, method(StatementsInPython, "x_")),
    Room("interpreter/native/expressions.py", "x_{}", lo.EXPRESSIONS, method(ExpressionsInC, "x_")),
    Room("interpreter/lowered/statements.py", "{} in one of the lists", classes(lo, lo.Stmt),
         listed(lo.PRINTED, lo.IN_ROUTINES)),
    Room("interpreter/python/statements.py", "s_{}", lo.PRINTED, method(StatementsInPython, "s_")),
    Room("interpreter/native/statements.py", "s_{}", lo.PRINTED, method(StatementsInC, "s_")),
)  # fmt: skip
ROOMS = (*STATEMENTS, *EXPRESSIONS, *LOWERED)
each_room = pytest.mark.parametrize("room", ROOMS, ids=lambda room: f"{room.file} {room.piece}")


# ---------------------------------------------------------------- what is missing is told
@each_room
def test_nothing_is_missing(room: Room) -> None:
    assert room.constructs
    assert not room.missing(room.constructs)


@frozen
class Juggle(g.Stmt):
    """Of which no room knows."""


@each_room
def test_what_no_room_knows_is_told_with_its_file(room: Room) -> None:
    assert room.missing([Juggle]) == [f"{room.file}: no {room.piece.format('Juggle')}"]
    assert (ROOT / room.file).is_file()


def test_every_operation_is_known_to_python() -> None:
    known = compile_game(cardlang.load("leduc_poker"), 2).namespace
    missing = [name for name in VALUES | LISTS if not method(StatementsInPython, "op_")(name) and name not in known]
    assert not missing, f"interpreter/helpers.py: no {missing}"


def test_every_operation_is_known_to_c() -> None:
    headers = "".join(path.read_text("utf-8") for path in (ROOT / "interpreter" / "native" / "c").glob("*.h"))
    known = {*BEST_BY, *re.findall(r"\w+", headers)}
    missing = [name for name in VALUES | LISTS if not method(StatementsInC, "op_")(name) and name not in known]
    assert not missing, f"interpreter/native/operations.py: no {missing}"
    missing = [name for name in EFFECTS if not method(StatementsInC, "e_")(name)]
    assert not missing, f"interpreter/native/statements.py: no {missing}"


def test_no_class_is_listed_twice() -> None:
    for some in (g.STATEMENTS, g.EXPRESSIONS, lo.EXPRESSIONS, (*lo.PRINTED, *lo.IN_ROUTINES)):
        assert len(set(some)) == len(some)


def test_what_cannot_be_lowered_is_told_with_its_file() -> None:
    lowering = compile_game(cardlang.load("leduc_poker"), 2).lowering
    with pytest.raises(AssertionError, match=r"^interpreter/lowering/plain\.py: no do_Juggle$"):
        lowering.statement(Juggle(lowering.game.steps["play"].body[0].span))


# ---------------------------------------------------------------- the walk through the files
def test_the_walk_goes_through_these_files_in_order() -> None:
    steps = re.findall(r"^\d+\. `([^`]+)`", WALK, re.MULTILINE)
    assert steps == [room.file for room in STATEMENTS]


def test_every_file_on_the_walk_is_there() -> None:
    for path in re.findall(r"`([\w./]*/[\w./]*)`", WALK):
        assert (ROOT / path).exists(), path
