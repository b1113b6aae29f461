"""Imports point one way: text, nodes, checked game, interpreter, and the commands on top."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
FILES = sorted([*ROOT.glob("cardlang/**/*.py"), *ROOT.glob("interpreter/**/*.py")])
TOP = ("cardlang.cli", "cardlang.__main__", "cardlang.commands", "cardlang.terminal", "cardlang.adapters")
"""Where the language and the interpreter meet."""
MAY_IMPORT = {
    "cardlang.source": (),
    "cardlang.nodes": ("cardlang.nodes", "cardlang.source"),
    "cardlang.game": ("cardlang.game", "cardlang.nodes", "cardlang.source"),
    "interpreter": ("interpreter", "cardlang.game", "cardlang.source", "cardlang.walk"),
}
LATE = {("cardlang", "interpreter"), ("cardlang.game.whole", "interpreter"), ("interpreter.matches.record", "cardlang")}
"""What is imported only when it is used: `start` and `resume` hand over to the interpreter, a record loads its game."""


def module(path: Path) -> str:
    return ".".join(path.relative_to(ROOT).with_suffix("").parts).removesuffix(".__init__")


MODULES = {module(path) for path in FILES}


def imports(path: Path) -> Iterator[tuple[str, bool]]:
    """The modules of the project that a file imports, and whether a function does it when called."""
    tree = ast.parse(path.read_text("utf-8"))
    late = {id(n) for f in ast.walk(tree) if isinstance(f, ast.FunctionDef) for n in ast.walk(f)}
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            names = [alias.name for alias in node.names]
        elif isinstance(node, ast.ImportFrom):
            names = [f"{node.module}.{alias.name}" for alias in node.names]
        else:
            continue
        for name in names:
            found = name if name in MODULES else name.rpartition(".")[0]
            if found in MODULES:
                yield found, id(node) in late


def within(name: str, packages: tuple[str, ...]) -> bool:
    return any(name == package or name.startswith(package + ".") for package in packages)


@pytest.mark.parametrize("path", FILES, ids=module)
def test_imports_point_one_way(path: Path) -> None:
    own = module(path)
    allowed = next((may for package, may in MAY_IMPORT.items() if within(own, (package,))), None)
    for name, late in imports(path):
        if late and any(own == importer and within(name, (package,)) for importer, package in LATE):
            continue
        if allowed is not None:
            assert within(name, allowed), f"{own} imports {name}"
        elif not within(own, TOP):
            assert not within(name, (*TOP, "interpreter")), f"{own} imports {name}"
