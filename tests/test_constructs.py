"""Every stage of the compiler handles every construct. Messages name the file of each missing piece."""

import re
from collections.abc import Callable, Iterable
from pathlib import Path
from types import ModuleType
from unittest.mock import MagicMock

import attrs
import pytest
from attrs import field, frozen

import cardlang
from cardlang import model as g
from cardlang.model.loaded_game_validation import VARIABLE_SCOPES
from cardlang.model.statement_effects import EFFECTS
from cardlang.rulebook.plan import sections  # noqa: F401  (it imports all modules that register functions)
from cardlang.rulebook.realise.instructions import INSTRUCTION_BUILDERS, SENTENCE_BUILDERS
from cardlang.rulebook.realise.phrases import CLAUSE_BUILDERS, PHRASE_BUILDERS
from cardlang.semantics.expression_resolver import EXPRESSION_RESOLVERS
from cardlang.semantics.statement_resolver import STATEMENT_RESOLVERS
from cardlang.syntax import ast as n
from cardlang.syntax.builders.tree_builder import NODE_BUILDERS
from interpreter import ir
from interpreter.codegen.c import c_expressions, c_statements
from interpreter.codegen.c.c_expressions import CExpressionGenerator as ExpressionsInC
from interpreter.codegen.c.c_statements import CStatementGenerator as StatementsInC
from interpreter.codegen.python.python_expressions import OPERATION_TEMPLATES, VARIADIC_OPERATIONS
from interpreter.codegen.python.python_statements import PythonStatementGenerator as StatementsInPython
from interpreter.gametree.card_attribute_dependence import PART_ONLY_EXPRESSIONS, DependenceVisitor
from interpreter.ir.ir_expressions import EFFECT_OPERATIONS, LIST_OPERATIONS, VALUE_OPERATIONS
from interpreter.lower.lowering_context import EXPRESSION_LOWERERS, STATEMENT_LOWERERS, lower_statement
from interpreter.program.program import compile_game
from tests.docs.test_reference import GRAMMAR, collect_grammar_words, collect_shown_nodes, collect_table_words

ROOT = Path(__file__).parents[1]
SCHEMA = (ROOT / "docs" / "game.schema.json").read_text("utf-8")
WALK = (ROOT / "CONTRIBUTING.md").read_text("utf-8").split("## Adding a statement\n")[1].split("\n## ")[0]
NODES = {
    "SetTrack": ("Set", "Add", "Subtract"), "ShufflePlayers": ("Shuffle",), "DoBorne": ("Do",), "Note": ("Aside",),
    "Insert": ("Move",), "Ruling": ("Aside",),
}  # fmt: skip
"""Nodes of statements whose nodes have other names."""
RULES = {"Each": ("each_stmt",), "Aside": ("note", "ruling"), "Move": ("move", "move_under", "move_on")}
"""Grammar rules of nodes whose rules have other names."""
PLAYED = tuple(each for each in g.STATEMENT_CLASSES if not issubclass(each, g.Aside))
SAID = tuple(each for each in g.EXPRESSION_CLASSES if each not in (g.Worth, g.FirstPossible))
"""The rulebook inlines worths, and describes these lists with their definitions."""


def classes(module: ModuleType, base: type) -> tuple[type, ...]:
    """Return the classes of a module without subclasses there."""
    found = {each for each in vars(module).values() if isinstance(each, type) and issubclass(each, base)}
    return tuple(each for each in found if not any(other is not each and issubclass(other, each) for other in found))


def binding(constructs: Iterable[type]) -> tuple[type, ...]:
    """Return the constructs that bind a variable."""
    return tuple(each for each in constructs if any(part.type in ("Var", "Var | None") for part in attrs.fields(each)))


# ---------------------------------------------------------------- pieces of a stage
Has = Callable[[str], bool]


def method(owner: type, prefix: str) -> Has:
    return lambda name: hasattr(owner, prefix + name)


def listed(*lists: Iterable[type]) -> Has:
    return {each.__name__ for some in lists for each in some}.__contains__


def written(has: Has) -> Has:
    """Check every node of a statement."""
    return lambda name: all(map(has, NODES.get(name, (name,))))


def ruled(has: Has) -> Has:
    """Check every grammar rule of a statement."""
    snake = re.compile(r"(?<!^)([A-Z])")
    return written(lambda node: all(map(has, RULES.get(node, (snake.sub(r"_\1", node).lower(),)))))


def has_bindings(name: str) -> bool:
    """Check that the effects of a statement include each variable that it binds."""
    class_ = next((each for each in EFFECTS if each.__name__ == name), None)
    if class_ is None:
        return False
    statement = class_(**{part.alias: MagicMock() for part in attrs.fields(class_)})
    names = {part.name for part in attrs.fields(class_) if part.type in ("Var", "Var | None")}
    bound = [each.var for each in EFFECTS[class_](statement).bindings]
    return all(any(var is getattr(statement, each) for var in bound) for each in names)


@frozen
class Stage:
    """One stage that must handle some constructs.

    `file`: where a new piece belongs; `piece`: its description, with `{}` for the name of the construct; `has`: whether
    the stage has the piece for a name.
    """

    file: str
    piece: str
    constructs: tuple[type, ...] = field(repr=False)
    has: Has = field(repr=False)

    def missing(self, constructs: Iterable[type]) -> list[str]:
        names = [each.__name__ for each in constructs]
        return [f"{self.file}: no {self.piece.format(name)}" for name in names if not self.has(name)]


STATEMENTS = (
    Stage(
        "cardlang/syntax/grammar.lark",
        "rule of {}",
        g.STATEMENT_CLASSES,
        ruled(lambda rule: re.search(rf"(^\??|-> ){rule}\b", GRAMMAR, re.MULTILINE) is not None),
    ),
    Stage(
        "cardlang/syntax/ast/statement_nodes.py", "class {}", g.STATEMENT_CLASSES, written(listed(classes(n, n.Stmt)))
    ),
    Stage(
        "cardlang/syntax/builders/statement_builders.py",
        "builder of {}",
        g.STATEMENT_CLASSES,
        ruled(NODE_BUILDERS.__contains__),
    ),
    Stage("cardlang/model/statements.py", "{} in Statement", classes(g, g.Stmt), listed(g.STATEMENT_CLASSES)),
    Stage("cardlang/model/statement_effects.py", "{} with its variables in EFFECTS", g.STATEMENT_CLASSES, has_bindings),
    Stage(
        "docs/game.schema.json",
        "{} (python -m tests.docs writes it)",
        g.STATEMENT_CLASSES,
        lambda name: f'\n  "{name}": {{' in SCHEMA,
    ),
    Stage(
        "cardlang/semantics/statement_resolver.py",
        "@resolves_statement of {}",
        g.STATEMENT_CLASSES,
        written(listed(STATEMENT_RESOLVERS)),
    ),
    Stage("interpreter/lower/control_flow.py", "@lowers_statement of {}", PLAYED, listed(STATEMENT_LOWERERS)),
    Stage(
        "cardlang/rulebook/realise/instructions.py",
        "@register_instructions or @register_sentence of {}",
        g.STATEMENT_CLASSES,
        listed(INSTRUCTION_BUILDERS, SENTENCE_BUILDERS),
    ),
    Stage(
        "docs/language/procedure.md",
        "example with {}",
        g.STATEMENT_CLASSES,
        written(lambda node: node in {each.__name__ for each in collect_shown_nodes()}),
    ),
)
"""In the order in which to write the pieces of a new statement."""
EXPRESSIONS = (
    Stage(
        "cardlang/syntax/ast/expression_nodes.py",
        "example in docs/language/values.md with {}",
        classes(n, n.Expr),
        lambda node: node in {each.__name__ for each in collect_shown_nodes()},
    ),
    Stage(
        "cardlang/semantics/expression_resolver.py",
        "@resolves_expression of {}",
        classes(n, n.Expr),
        listed(EXPRESSION_RESOLVERS),
    ),
    Stage(
        "cardlang/model/expressions.py", "{} in EXPRESSION_CLASSES", classes(g, g.Expr), listed(g.EXPRESSION_CLASSES)
    ),
    Stage(
        "cardlang/model/loaded_game_validation.py",
        "{} in VARIABLE_SCOPES",
        binding(g.EXPRESSION_CLASSES),
        listed(VARIABLE_SCOPES),
    ),
    Stage(
        "docs/game.schema.json",
        "{} (python -m tests.docs writes it)",
        g.EXPRESSION_CLASSES,
        lambda name: f'\n  "{name}": {{' in SCHEMA,
    ),
    Stage(
        "interpreter/lower/operators.py",
        "@lowers_expression of {}",
        g.EXPRESSION_CLASSES,
        listed(EXPRESSION_LOWERERS),
    ),
    Stage(
        "interpreter/gametree/card_attribute_dependence.py",
        "note_{0} or {0} in PART_ONLY_EXPRESSIONS",
        g.EXPRESSION_CLASSES,
        lambda name: method(DependenceVisitor, "note_")(name) or listed(PART_ONLY_EXPRESSIONS)(name),
    ),
    Stage(
        "cardlang/rulebook/realise/noun_phrases.py",
        "@register_phrase or @register_clause of {}",
        SAID,
        listed(PHRASE_BUILDERS, CLAUSE_BUILDERS),
    ),
)
LOWERED = (
    Stage(
        "interpreter/ir/ir_expressions.py",
        "{} in EXPRESSION_CLASSES",
        classes(ir, ir.Expr),
        listed(ir.EXPRESSION_CLASSES),
    ),
    Stage(
        "interpreter/codegen/python/python_expressions.py",
        "generate_{}",
        ir.EXPRESSION_CLASSES,
        method(StatementsInPython, "generate_"),
    ),
    Stage(
        "interpreter/codegen/c/c_expressions.py",
        "generate_{}",
        ir.EXPRESSION_CLASSES,
        method(ExpressionsInC, "generate_"),
    ),
    Stage(
        "interpreter/ir/ir_statements.py",
        "{} in GENERATED_STATEMENTS or ROUTINE_STATEMENTS",
        classes(ir, ir.Stmt),
        listed(ir.GENERATED_STATEMENTS, ir.ROUTINE_STATEMENTS),
    ),
    Stage(
        "interpreter/codegen/python/python_statements.py",
        "emit_{}",
        ir.GENERATED_STATEMENTS,
        method(StatementsInPython, "emit_"),
    ),
    Stage(
        "interpreter/codegen/c/c_statements.py",
        "generate_{}",
        ir.GENERATED_STATEMENTS,
        method(StatementsInC, "generate_"),
    ),
)
STAGES = (*STATEMENTS, *EXPRESSIONS, *LOWERED)
each_stage = pytest.mark.parametrize("stage", STAGES, ids=lambda stage: f"{stage.file} {stage.piece}")


# ---------------------------------------------------------------- missing pieces are reported
@each_stage
def test_every_stage_handles_every_construct(stage: Stage) -> None:
    assert stage.constructs
    assert not stage.missing(stage.constructs)


class Juggle(g.Stmt):
    """A statement that no stage handles."""


@each_stage
def test_missing_statement_names_its_file(stage: Stage) -> None:
    assert stage.missing([Juggle]) == [f"{stage.file}: no {stage.piece.format('Juggle')}"]
    assert (ROOT / stage.file).is_file()


def test_python_runtime_knows_every_operation() -> None:
    program = compile_game(cardlang.load("leduc_poker"), 2)
    known = {*program.namespace, *OPERATION_TEMPLATES, *VARIADIC_OPERATIONS}
    missing = [
        name
        for name in VALUE_OPERATIONS | LIST_OPERATIONS
        if not method(StatementsInPython, "generate_op_")(name) and name not in known
    ]
    assert not missing, f"interpreter/runtime/builtin_functions.py: no {missing}"


def test_c_headers_know_every_operation() -> None:
    headers = "".join(
        path.read_text("utf-8") for path in (ROOT / "interpreter" / "codegen" / "c" / "headers").glob("*.h")
    )
    known = {*c_expressions.BEST_BY, *c_expressions.OPERATION_TEMPLATES, *re.findall(r"\w+", headers)}
    missing = [
        name
        for name in VALUE_OPERATIONS | LIST_OPERATIONS
        if not method(StatementsInC, "generate_op_")(name) and name not in known
    ]
    assert not missing, f"interpreter/codegen/c/c_expressions.py: no {missing}"
    missing = [
        name
        for name in EFFECT_OPERATIONS - c_statements.EFFECT_TEMPLATES.keys()
        if not method(StatementsInC, "generate_effect_")(name)
    ]
    assert not missing, f"interpreter/codegen/c/c_statements.py: no {missing}"


def test_every_keyword_is_in_the_table() -> None:
    missing = collect_grammar_words() ^ collect_table_words("## Words of the grammar")
    assert not missing, f"docs/language/keywords.md: no {missing}"


def test_no_class_is_listed_twice() -> None:
    for some in (
        g.STATEMENT_CLASSES,
        g.EXPRESSION_CLASSES,
        ir.EXPRESSION_CLASSES,
        (*ir.GENERATED_STATEMENTS, *ir.ROUTINE_STATEMENTS),
    ):
        assert len(set(some)) == len(some)


def test_statement_without_lowering_names_its_file() -> None:
    lowering = compile_game(cardlang.load("leduc_poker"), 2).lowering
    with pytest.raises(AssertionError, match=r"^interpreter/lower/control_flow\.py: no @lowers_statement of Juggle$"):
        lower_statement(lowering, Juggle(lowering.game.steps["play"].body[0].span))


# ---------------------------------------------------------------- the walk through the files
def test_contributing_walk_matches_the_stages() -> None:
    steps = re.findall(r"^\d+\. `([^`]+)`", WALK, re.MULTILINE)
    assert steps == [stage.file for stage in STATEMENTS]


def test_contributing_walk_files_exist() -> None:
    for path in re.findall(r"`([\w./]*/[\w./]*)`", WALK):
        assert (ROOT / path).exists(), path
