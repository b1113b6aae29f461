"""Parse tables: only for this grammar, Lark and Python version; plain data without code."""

import ast
import pickle
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import lark
import pytest

from cardlang.syntax import parse_tables
from tests.test_layers import FILES, parse_file

ITEM = 'zone deck seen by nobody "Face down."\n'


@pytest.fixture(scope="module")
def tables(tmp_path_factory: pytest.TempPathFactory) -> bytes:
    """Return the tables of the grammar, built once."""
    path = tmp_path_factory.mktemp("tables") / "grammar.tables"
    parse_tables.save_tables(path)
    return path.read_bytes()


@pytest.fixture
def saved(tables: bytes, tmp_path: Path) -> Path:
    path = tmp_path / "grammar.tables"
    path.write_bytes(tables)
    return path


def test_saved_tables_equal_the_grammar(saved: Path) -> None:
    found = parse_tables.read_saved_tables(saved)
    assert found is not None
    parser, other = parse_tables.build_parser_from_tables(found), parse_tables.build_parser_from_grammar()
    assert parser.parse(ITEM, start="item") == other.parse(ITEM, start="item")
    for wrong in ("zone deck seen\n", "zone deck seen by 3\n", "zone (\n", "?"):
        faults = []
        for each in (parser, other):
            with pytest.raises(lark.UnexpectedInput) as fault:
                each.parse(wrong, start="item")
            faults.append((type(fault.value), fault.value.pos_in_stream))
        assert faults[0] == faults[1]


def test_tables_of_another_lark_are_not_used(saved: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(lark, "__version__", "1.2.0")
    assert parse_tables.read_saved_tables(saved) is None


def test_tables_of_another_python_are_not_used(saved: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    class Version(tuple[int, ...]):
        major, minor = 3, sys.version_info.minor + 1

    monkeypatch.setattr(sys, "version_info", Version((3, Version.minor, 0)))
    assert parse_tables.read_saved_tables(saved) is None


def test_tables_of_another_grammar_are_not_used(saved: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    changed = tmp_path / "grammar.lark"
    changed.write_text(parse_tables.GRAMMAR_PATH.read_text("utf-8") + "\n// changed\n", encoding="utf-8")
    monkeypatch.setattr(parse_tables, "GRAMMAR_PATH", changed)
    assert parse_tables.read_saved_tables(saved) is None


@pytest.mark.parametrize("wrong", [b"", b"\n", b"\xff\n{}", pickle.dumps({})], ids=["empty", "line", "bytes", "pickle"])
def test_malformed_tables_are_not_used(saved: Path, wrong: bytes) -> None:
    saved.write_bytes(wrong)
    assert parse_tables.read_saved_tables(saved) is None
    saved.write_bytes(parse_tables.compute_tables_digest().encode() + b"\n" + wrong)
    assert parse_tables.read_saved_tables(saved) is None


def names(path: Path) -> Iterator[str]:
    """Yield the modules that a file imports, and the names that it uses."""
    for node in ast.walk(parse_file(path)):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            yield node.module or ""
        yield getattr(node, "attr", "") or getattr(node, "id", "")


def test_no_module_unpickles() -> None:
    """Neither pickles nor compiled code: to read such a file is to run it."""
    unsafe = {"pickle", "marshal", "shelve", "dill", "cloudpickle", "FileSystemBytecodeCache", "runpy"}
    assert not [path for path in FILES if unsafe.intersection(names(path))]


def test_a_game_is_checked_without_unpickling() -> None:
    program = """\
import pickle, cardlang
def refuse(*_, **__): raise AssertionError('unpickled')
pickle.load = pickle.loads = pickle.Unpickler = refuse
cardlang.load('hearts').start(4, 1)
"""
    found = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, timeout=120)
    assert found.stderr == ""
