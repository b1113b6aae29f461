"""How the code is laid out: imports point one way, no file knows a particular game, nothing grows too long."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
FILES = sorted([*ROOT.glob("cardlang/**/*.py"), *ROOT.glob("interpreter/**/*.py"), ROOT / "build_tables.py"])
ROOMS = """
source
plain_text own_folder disk extras
kept templates words
limits report explanations cookbook nodes cascades
reading
codec
game playing
suits
resolve checks drawing rarity
told
rulesheet
printing
differences
cardlang
interpreter
terminal mutants web lab
commands adapters
cli
__main__
"""
"""From the bottom up: a room imports only from rooms on lines above its own, or from rooms on its own line. The
package itself, `cardlang`, is what others see of it. What else a package does without, its docstring says."""
HEIGHT = {room: height for height, line in enumerate(ROOMS.split("\n")) for room in line.split()}
DOORS = {("cardlang", "interpreter"), ("cardlang", "adapters"), ("rarity", "cardlang"), ("told", "cardlang")}
"""Where a lower room hands over to a higher one, inside a function."""
PACKAGES = sorted(path.parent for path in FILES if path.name == "__init__.py" and path.parent.name != "cardlang")
SYNTAX = {"nodes", "reading", "resolve", "cardlang"}
"""Who knows how a game is written: those who read it and lay it over others, and the package, which has them do it.
What is played, printed and checked is the game that they make."""
GAMES = ("tall card", "tall_card", "tall tales", "tall_tales", "tail story", "tail_story")
LONGEST_FILE = 400
LONGEST_FUNCTION = 40


def module(path: Path) -> str:
    return ".".join(path.relative_to(ROOT).with_suffix("").parts).removesuffix(".__init__")


MODULES = {module(path): path for path in FILES}
each_file = pytest.mark.parametrize("path", FILES, ids=module)


@cache
def tree_of(path: Path) -> ast.Module:
    return ast.parse(path.read_text(encoding="utf-8"))


def room(name: str) -> str:
    """`cardlang.resolve.things`: resolve; `interpreter.matches.log`: interpreter."""
    top, _, rest = name.partition(".")
    return rest.split(".")[0] if top == "cardlang" and rest else top


def called(name: str) -> str:
    """The room, or a package of the interpreter: `game`, `interpreter.matches`; `interpreter` for what lies beside."""
    package = ".".join(name.split(".")[:2])
    inside = room(name) == "interpreter" and (ROOT / package.replace(".", "/")).is_dir()
    return package if inside else room(name)


def imports(path: Path) -> Iterator[tuple[str, ast.stmt]]:
    """The modules of the project that a file imports, each with the statement."""
    for node in ast.walk(tree_of(path)):
        if isinstance(node, ast.Import):
            names = [alias.name for alias in node.names]
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, "Imports name the whole path."
            names = [f"{node.module}.{alias.name}" for alias in node.names]
        else:
            continue
        for name in names:
            found = name if name in MODULES else name.rpartition(".")[0]
            if found in MODULES:
                yield found, node


def when_loaded(path: Path) -> set[int]:
    """The statements that run when a module is imported: not those in functions, not those for types alone."""
    todo: list[ast.AST] = [tree_of(path)]
    found = set()
    while todo:
        node = todo.pop()
        found.add(id(node))
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda):
            continue
        if isinstance(node, ast.If) and ast.unparse(node.test) == "TYPE_CHECKING":
            continue
        todo += ast.iter_child_nodes(node)
    return found


@each_file
def test_imports_point_down(path: Path) -> None:
    here = room(module(path))
    if path.parent == ROOT:
        here = "__main__"
    loaded = when_loaded(path)
    for name, node in imports(path):
        there = room(name)
        if id(node) not in loaded and (here, there) in DOORS:
            continue
        assert HEIGHT[there] <= HEIGHT[here], f"{path.name}:{node.lineno} imports {name}"


@pytest.mark.parametrize("package", PACKAGES, ids=lambda package: package.name)
def test_a_package_imports_what_its_docstring_says(package: Path) -> None:
    """The last sentence, `Imports: …`, says neither more nor less: rooms, and of the interpreter its packages, too."""
    doc = ast.get_docstring(tree_of(package / "__init__.py")) or ""
    told = set(re.findall(r"`([\w.]+)`", doc.rpartition("Imports:")[2]))
    own = module(package / "__init__.py")
    found = {name for path in FILES if package in path.parents for name, _ in imports(path)}
    needed = {called(name) for name in found if not f"{name}.".startswith(f"{own}.")}
    if own == "interpreter":
        needed = {name for name in needed if room(name) != own}
    assert told == needed, f"{own}/__init__.py: imported is {', '.join(f'`{each}`' for each in sorted(needed))}"


@each_file
def test_few_know_the_syntax(path: Path) -> None:
    """Neither by import, nor by asking a thing whether it has what nodes have."""
    if room(module(path)) in SYNTAX:
        return
    for name, node in imports(path):
        assert room(name) != "nodes", f"{path.name}:{node.lineno} imports {name}"
    for node in ast.walk(tree_of(path)):
        asked = node.attr if isinstance(node, ast.Attribute) else None
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id in ("getattr", "hasattr"):
            asked = next((each.value for each in node.args[1:2] if isinstance(each, ast.Constant)), None)
            assert asked not in ("doc", "items", "span"), f"{path.name}:{node.lineno} asks for {asked}"
        assert asked not in ("files", "node"), f"{path.name}:{getattr(node, 'lineno', 0)} asks for {asked}"


def test_no_module_is_imported_in_a_circle() -> None:
    needs = {}
    for name, path in MODULES.items():
        loaded = when_loaded(path)
        needs[name] = {found for found, node in imports(path) if id(node) in loaded}
    # A module below a package is imported after the package: only what it names itself counts here.
    while leaves := [name for name, needed in needs.items() if not needed & needs.keys()]:
        for name in leaves:
            del needs[name]
    assert not needs, f"Among these there is a circle: {sorted(needs)}"


def is_help(node: ast.AST) -> bool:
    """Find the call that writes the examples at the end of a command's help."""
    return isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.func.attr == "examples"


@each_file
def test_nothing_knows_a_particular_game(path: Path) -> None:
    """Examples in docstrings and in help may name one."""
    docs = {id(doc) for node in ast.walk(tree_of(path)) if (doc := docstring(node)) is not None}
    docs |= {id(part) for call in ast.walk(tree_of(path)) if is_help(call) for part in ast.walk(call)}
    for node in ast.walk(tree_of(path)):
        text = getattr(node, "id", None) or getattr(node, "attr", None) or getattr(node, "name", None)
        if isinstance(node, ast.Constant) and isinstance(node.value, str) and id(node) not in docs:
            text = node.value
        if isinstance(text, str):
            assert not [game for game in GAMES if game in text.lower()], f"{path.name}:{getattr(node, 'lineno', 0)}"


@each_file
def test_there_is_one_way_to_the_screen(path: Path) -> None:
    """Findings are made visible piece by piece, as colours stand between them; the drawn screen prints by itself."""
    if module(path) in ("cardlang.terminal.telling", "cardlang.commands.findings"):
        return
    called = {ast.unparse(node.func) for node in ast.walk(tree_of(path)) if isinstance(node, ast.Call)}
    assert not called & {"click.echo", "click.secho", "print", "sys.stdout.write", "sys.stderr.write"}


def docstring(node: ast.AST) -> ast.expr | None:
    body = getattr(node, "body", None)
    first = body[0] if isinstance(body, list) and body else None
    return first.value if isinstance(first, ast.Expr) and isinstance(first.value, ast.Constant) else None


def docstring_lines(node: ast.AST) -> int:
    doc = docstring(node)
    return 0 if doc is None else (doc.end_lineno or 0) - doc.lineno + 1


@each_file
def test_nothing_is_too_long(path: Path) -> None:
    """Docstrings do not count: users read those of commands as help, and those of public names as the reference."""
    lines = len(path.read_text(encoding="utf-8").splitlines())
    assert lines - sum(map(docstring_lines, ast.walk(tree_of(path)))) <= LONGEST_FILE
    for node in ast.walk(tree_of(path)):
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            length = (node.end_lineno or 0) - node.lineno + 1 - docstring_lines(node)
            assert length <= LONGEST_FUNCTION, f"{path.name}:{node.lineno} {node.name} has {length} lines"
