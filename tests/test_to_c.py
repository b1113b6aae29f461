"""C made from lowered programs plays and reads as the Python does, where there is a compiler to ask."""

from __future__ import annotations

from functools import cache

import pytest

import cardlang
from benchmarks.to_c.engine import Engine, compiler
from benchmarks.to_c.forms import follow
from benchmarks.to_c.hands import NOUN, Hands, Table, plain_row
from interpreter.compiler import compile_game

pytestmark = pytest.mark.skipif(compiler() is None, reason="there is no C compiler")


@cache
def engine_of(name: str, players: int, reads: str | None = None) -> Engine:
    return Engine(compile_game(cardlang.load(name), players), reads)


def test_a_match_stands_alike_at_every_decision() -> None:
    engine = engine_of("leduc_poker", 2)
    for seed in range(300):
        decisions, alike = follow(engine.program, engine, seed, most=20)
        assert decisions > 0 and alike, f"match {seed}, decision {decisions}"


@pytest.mark.parametrize(
    "table",
    [Table("tall", "Tp", "claimer"), Table("tall", "Tp", None), Table("tall", "TRdD", "claimer", "RdD")],
    ids=str,
)
def test_hands_are_read_alike(table: Table) -> None:
    engine = engine_of("tall_card", 2, NOUN)
    hands = Hands(engine.program, engine, table, size=5, count=2000)
    hands.compiled()
    plain = [plain_row(reading) for reading in hands.plain()]
    assert plain == hands.compiled_rows()
    assert len({row[0] for row in plain}) > 10, "many ranks occur"
