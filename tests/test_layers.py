"""Code layout: imports point down, no circles, and no file that knows a particular game or grows too long."""

import ast
from collections.abc import Iterator
from functools import cache
from graphlib import CycleError, TopologicalSorter
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
FILES = sorted([*ROOT.glob("cardlang/**/*.py"), *ROOT.glob("interpreter/**/*.py"), ROOT / "build_tables.py"])
LAYERS = """
cardlang.optional_package_installs cardlang.storage
cardlang.lint.__init__ interpreter.__init__ interpreter.codegen.__init__
cardlang.tree
cardlang.english
cardlang.diagnostics
cardlang.model
cardlang.syntax
cardlang.semantics
cardlang.lint.rule_registry
cardlang.lint.static cardlang.cards
cardlang.rulebook
cardlang.game_files cardlang.game_translation
cardlang.loader
interpreter.runtime
interpreter.ir interpreter.hands
interpreter.knowledge interpreter.optimize
interpreter.lower
interpreter.codegen.templates
interpreter.codegen.python
interpreter.program
interpreter.narration interpreter.codegen.c
interpreter.view
interpreter.match
interpreter.native
interpreter.gametree interpreter.bots
interpreter.entry_points
cardlang.adapters
cardlang.__init__
cardlang.lint.playtest cardlang.print_and_play
cardlang.analysis
cardlang.ui
cardlang.cli
cardlang.__main__ build_tables
"""
"""Packages from the bottom up. A package imports only from earlier lines, even in functions and for types."""
HEIGHT = {name: height for height, line in enumerate(LAYERS.split("\n")) for name in line.split()}
SYNTAX = (
    "cardlang.syntax",
    "cardlang.semantics",
    "cardlang.game_files",
    "cardlang.game_translation",
    "cardlang.loader",
)
"""Packages that read the syntax tree. All others read the checked game, except `show`, which lists definitions."""
GAMES = ("tall card", "tall_card", "tall tales", "tall_tales", "tail story", "tail_story")
LONGEST_FILE = 480
LONGEST_FUNCTION = 40


def get_module(path: Path) -> str:
    return ".".join(path.relative_to(ROOT).with_suffix("").parts)


MODULES = {get_module(path): path for path in FILES}


@cache
def parse_file(path: Path) -> ast.Module:
    return ast.parse(path.read_text(encoding="utf-8"))


def find_layer(module: str) -> str:
    """Return the entry of `LAYERS` for a module: `cardlang.model.game` is in `cardlang.model`."""
    parts = module.split(".")
    return next(name for end in range(len(parts), 0, -1) if (name := ".".join(parts[:end])) in HEIGHT)


def find_imports(path: Path) -> Iterator[tuple[str, int]]:
    """Yield imported modules of the project with their lines, including imports in functions and for types."""
    for node in ast.walk(parse_file(path)):
        if isinstance(node, ast.Import):
            names = [alias.name for alias in node.names]
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, "Imports name the whole path."
            names = [f"{node.module}.{alias.name}" for alias in node.names]
        else:
            continue
        for name in names:
            for found in (name, f"{name}.__init__", name.rpartition(".")[0], f"{name.rpartition('.')[0]}.__init__"):
                if found in MODULES:
                    yield found, node.lineno
                    break


def test_imports_point_down() -> None:
    for path in FILES:
        here = find_layer(get_module(path))
        for name, line in find_imports(path):
            there = find_layer(name)
            assert there == here or HEIGHT[there] < HEIGHT[here], f"{path.name}:{line} imports {name}"


def test_modules_have_no_import_circle() -> None:
    graph = {}
    for name, path in MODULES.items():
        own = {f"{package}.__init__" for package in (name.rpartition(".")[0],)}
        graph[name] = {found for found, _ in find_imports(path)} - {name} - own
    try:
        list(TopologicalSorter(graph).static_order())
    except CycleError as error:
        pytest.fail(f"Circle: {' <- '.join(error.args[1])}")


def test_only_the_front_end_reads_syntax_trees() -> None:
    for path in FILES:
        if find_layer(get_module(path)) not in SYNTAX and path.parent != ROOT and path.name != "show.py":
            for name, line in find_imports(path):
                assert not name.startswith("cardlang.syntax.ast"), f"{path.name}:{line} imports {name}"


def is_help(node: ast.AST) -> bool:
    """Find the call that writes the examples at the end of a command's help."""
    return isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.func.attr == "format_examples"


def list_names_and_texts(tree: ast.Module) -> Iterator[str]:
    """Yield the names and texts of a module, except in docstrings and in the examples of a command's help."""
    docs = {id(doc) for node in ast.walk(tree) if (doc := find_docstring(node)) is not None}
    docs |= {id(part) for call in ast.walk(tree) if is_help(call) for part in ast.walk(call)}
    for node in ast.walk(tree):
        text = getattr(node, "id", None) or getattr(node, "attr", None) or getattr(node, "name", None)
        if isinstance(node, ast.Constant) and isinstance(node.value, str) and id(node) not in docs:
            text = node.value
        if isinstance(text, str):
            yield text


def test_no_code_knows_a_particular_game() -> None:
    for path in FILES:
        for text in list_names_and_texts(parse_file(path)):
            assert not [game for game in GAMES if game in text.lower()], path


def test_all_output_goes_through_the_console() -> None:
    """Only these modules print; they escape control characters."""
    printing = {"cardlang.ui.terminal.escaped_output", "cardlang.cli.error_reports", "cardlang.diagnostics.render"}
    for path in FILES:
        if get_module(path) not in printing:
            called = {ast.unparse(node.func) for node in ast.walk(parse_file(path)) if isinstance(node, ast.Call)}
            assert not called & {"click.echo", "click.secho", "print", "sys.stdout.write", "sys.stderr.write"}, path


def find_docstring(node: ast.AST) -> ast.expr | None:
    body = getattr(node, "body", None)
    first = body[0] if isinstance(body, list) and body else None
    return first.value if isinstance(first, ast.Expr) and isinstance(first.value, ast.Constant) else None


def count_docstring_lines(node: ast.AST) -> int:
    doc = find_docstring(node)
    return 0 if doc is None else (doc.end_lineno or 0) - doc.lineno + 1


def test_files_and_functions_are_short() -> None:
    """Docstrings do not count: users read those of commands as help, and those of public names as the reference."""
    for path in FILES:
        nodes = [*ast.walk(parse_file(path))]
        lines = len(path.read_text(encoding="utf-8").splitlines()) - sum(map(count_docstring_lines, nodes))
        assert lines <= LONGEST_FILE, path
        for node in nodes:
            if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
                length = (node.end_lineno or 0) - node.lineno + 1 - count_docstring_lines(node)
                assert length <= LONGEST_FUNCTION, f"{path.name}:{node.lineno} {node.name} has {length} lines"
