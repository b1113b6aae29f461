"""Rulebooks of bundled games: every rule is included, and no code."""

import re
import sys
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

import attrs
import pytest

import cardlang
from cardlang import model as g
from cardlang.diagnostics import Span
from cardlang.model import Game
from cardlang.model.card_rules import select_described_rules
from cardlang.model.expression_queries import unwrap_conversions
from cardlang.rulebook.authored_rulebook.markdown_parser import find_library_rules_files
from cardlang.rulebook.model import Item, ItemList, Rulebook, Section
from cardlang.rulebook.plan import declaration_entries, track_entries
from cardlang.rulebook.plan.library_constant_folding import select_content
from cardlang.rulebook.plan.sections import select_variant_changes
from cardlang.rulebook.plan.track_entries import find_player_tracks, is_initially_empty
from cardlang.rulebook.realise import assignment_sentences, choice_sentences, instructions, phrases
from cardlang.rulebook.realise.card_names import find_card_trait
from cardlang.rulebook.realise.condition_phrases import describe_value_in_figures
from cardlang.rulebook.realise.game_lexicon import find_worded_choices
from cardlang.rulebook.realise.repeat_sentences import has_safety_limit
from cardlang.rulebook.realise.sentence_aggregation import find_word_stems
from cardlang.rulebook.render import build_generated_rulebook, render_rulebook_markdown
from cardlang.rulebook.render.markdown import escape_markdown, render_markdown
from tests.rulebook.conftest import without_links

GAMES = sorted(cardlang.shipped())


APART = (
    "node",
    "files",
    "items",
    "sources",
    "warnings",
    "spoken",
    "variants",
    "origin",
    "span",
    "game",
    "type",
    "faces",
    "columns",
)
"""Fields of a game that hold nothing to be told."""


def parts_in(value: Any) -> Iterator[Any]:
    """Yield all parts of a game, or of a part."""
    if isinstance(value, dict):
        value = tuple(value.values())
    if isinstance(value, tuple):
        for each in value:
            yield from parts_in(each)
    elif attrs.has(type(value)) and not isinstance(value, Span):
        yield value
        for field in attrs.fields(type(value)):
            if field.name not in APART:
                yield from parts_in(getattr(value, field.name))


def declared(game: Game) -> list[Any]:
    """Return all that a rulebook describes, including changes of variants."""
    found = (select_content(game), *(select_variant_changes(each.game) for each in game.variants))
    parts = [part for told in found for part in parts_in(told)]
    apart = {id(inner) for part in parts if is_out_of_sight(part, game) for inner in parts_in(part)}
    worded = (part for part in parts if isinstance(part, g.BorneStepBody) and part.doc)  # in the table of cards
    apart |= {id(inner) for part in worded for inner in parts_in(part.body)}
    apart |= {id(inner) for part in parts if isinstance(part, g.Row) for inner in parts_in(list_undescribed(part))}
    return [part for part in parts if id(part) not in apart]


def list_undescribed(row: g.Row) -> tuple[Any, ...]:
    """Return the rules of a card that its text stands for."""
    described = {id(part) for part in select_described_rules(row.bears, row.doc)}
    return tuple(part for part in row.bears if id(part) not in described)


def is_out_of_sight(part: Any, game: Game) -> bool:
    """Return whether the rulebook leaves a part out: sentences of the log or screen, and values never shown."""
    if isinstance(part, g.Show) and part.define is not None:
        return True
    return isinstance(part, g.Tell) or (
        isinstance(part, g.Track) and part not in find_player_tracks(select_content(game), game)
    )


def items_of(sheet: Rulebook) -> Iterator[Item]:
    def of_section(section: Section) -> Iterator[Item]:
        for block in section.blocks:
            if isinstance(block, ItemList):
                for item in block.items:
                    yield from of_item(item)
        for part in section.sections:
            yield from of_section(part)

    def of_item(item: Item) -> Iterator[Item]:
        yield item
        for part in item.items:
            yield from of_item(part)

    for section in sheet.sections:
        yield from of_section(section)


FIGURES = (assignment_sentences, choice_sentences, declaration_entries, track_entries)
"""Modules that write values in figures."""


# ---------------------------------------------------------------- nothing is missing
@pytest.mark.slow
@pytest.mark.parametrize("name", GAMES)
def test_every_statement_is_printed(name: str, shipped: dict[str, Game], monkeypatch: pytest.MonkeyPatch) -> None:
    game = shipped[name]
    told: set[int] = set()
    describe = instructions.describe_first_statements

    def note(statements: tuple[g.Stmt, ...], scope: Any) -> Any:
        result = describe(statements, scope)
        told.update(id(stmt) for stmt in statements[: result[2]])
        return result

    def noting(function: Any) -> Any:
        def note_statements(*args: Any) -> Any:
            result = function(*args)
            told.update(id(part) for part in args if result and isinstance(part, g.Stmt))
            return result

        return note_statements

    monkeypatch.setattr(instructions, "describe_first_statements", note)
    for function in instructions.MERGING_FUNCTIONS:
        monkeypatch.setattr(sys.modules[function.__module__], function.__name__, noting(function))
    build_generated_rulebook(game, examples="all")
    apart = of_examples(game) | find_main_loops(declared(game))
    parts = [part for part in declared(game) if id(part) not in apart]
    chained = {id(part.otherwise[0]) for part in parts if isinstance(part, g.If) and part.otherwise}
    answers = [part for part in parts if isinstance(part, g.Option) and part.body]
    chained |= {id(part.body[-1]) for part in answers if isinstance(part.body[-1], g.Cancel)}  # "to cancel it"
    chained |= {id(part.body[0]) for part in parts if isinstance(part, g.Repeat)} | find_repeated_steps(declared(game))
    for part in parts:
        if isinstance(part, g.Stmt) and id(part) not in chained and not silent(part):
            assert id(part) in told, part.span.source.get_line(part.span.line)


def find_main_loops(parts: Iterable[Any]) -> set[int]:
    """Return the loops of `play`, which the end of the game describes, and the counters in them."""
    plays = (part for part in parts if isinstance(part, g.Step) and part.name == "play")
    loops = [stmt for play in plays for stmt in play.body if isinstance(stmt, g.Repeat)]
    return {id(part) for loop in loops for part in (loop, *filter(is_counter, loop.body))}


def find_repeated_steps(parts: Iterable[Any]) -> set[int]:
    """Return the bodies of loops in one sentence: `Play rounds until the game ends, and count the deals.`"""
    loops = (part for part in parts if isinstance(part, g.Repeat))
    bodies = (loop.body for loop in loops if all(isinstance(stmt, g.Do) or is_counter(stmt) for stmt in loop.body))
    return {id(inner) for body in bodies for inner in parts_in(body)}


def is_counter(stmt: Any) -> bool:
    return isinstance(stmt, g.SetTrack) and stmt.of is None and stmt.operator == "+"


def of_examples(game: Game) -> set[int]:
    """Return the parts of examples, of rows and of rulings."""
    told = (select_content(game), *(select_variant_changes(each.game) for each in game.variants))
    return {id(part) for each in told for part in parts_in((each.examples, each.rulings, each.notes, each.rankings))}


def silent(stmt: g.Stmt) -> bool:
    """Return the parts that are no statements: prefixes of questions, and the words on cards."""
    return isinstance(stmt, g.Aside) or (isinstance(stmt, g.Remember) and not stmt.var.name)


@pytest.mark.slow
@pytest.mark.parametrize("name", GAMES)
def test_every_value_is_printed(name: str, shipped: dict[str, Game], monkeypatch: pytest.MonkeyPatch) -> None:
    """Every name, number and text of the rules is put into English somewhere."""
    game, told = shipped[name], set()

    def noting(function: Any) -> Any:
        def note(expr: g.Expr, *rest: Any) -> Any:
            told.add(place(expr))
            return function(expr, *rest)

        return note

    for table in (phrases.PHRASE_BUILDERS, phrases.CLAUSE_BUILDERS):
        for kind, function in list(table.items()):
            monkeypatch.setitem(table, kind, noting(function))
    for module in FIGURES:
        monkeypatch.setattr(module, "describe_value_in_figures", noting(describe_value_in_figures))
    render_rulebook_markdown(game, "all")
    parts = declared(game)
    apart = of_examples(game) | {id(part.start) for part in parts if isinstance(part, g.Track) and not part.starts}
    apart |= {id(part.start) for part in parts if isinstance(part, g.Track) and is_initially_empty(part)}
    apart |= {
        id(unwrap_conversions(part.value)) for part in parts if isinstance(part, g.MapEach)
    }  # told of all, not of one
    apart |= {id(side) for part in parts if isinstance(part, g.Arith) for side in (part.left, part.right)}
    content = select_content(game)
    apart |= {id(inner) for name in find_worded_choices(content) for inner in parts_in(content.defines[name].value)}
    for part in parts:  # an owner is `they` in a sentence about the owner
        if isinstance(part, g.SetTrack):
            apart |= {id(inner) for inner in parts_in(part.of)}
        if isinstance(part, g.Move):
            apart |= {id(inner) for inner in parts_in(part.to.of)}
    apart |= find_repeated_steps(parts)
    for part in filter(find_card_trait, parts):  # a card is `a Jack`, its rank is not named
        apart.add(id(unwrap_conversions(part.left if isinstance(part, g.Compare) else part.value)))
    limited = [part for part in parts if isinstance(part, g.Repeat) and has_safety_limit(part)]
    apart |= {id(inner) for loop in limited for inner in parts_in(loop.most)}  # only a computer counts so far
    main_loops = find_main_loops(parts)
    loops = [part for part in parts if id(part) in main_loops]
    apart |= {id(inner) for loop in loops for inner in parts_in(getattr(loop, "until", loop))}
    ends = [loop.until for loop in loops if isinstance(getattr(loop, "until", None), g.Call)]
    apart |= {id(inner) for end in ends for inner in parts_in(content.defines[end.define].value)}
    by_author = [part for part in parts if isinstance(part, g.Define) and declaration_entries.is_told_by_author(part)]
    apart |= {id(inner) for define in by_author for inner in parts_in(define.value)}
    for _ in range(2):  # definitions that only parts told otherwise use, and those that only these use
        used = {part.define for part in parts if isinstance(part, g.Call) and id(part) not in apart}
        unused = [part.value for part in parts if isinstance(part, g.Define) and part.name not in used]
        apart |= {id(inner) for value in unused for inner in parts_in(value)}
    for part in parts:
        if isinstance(part, NAMED) and id(part) not in apart and not is_said_otherwise(part):
            assert place(unwrap_conversions(part)) in told, part.span.source.get_line(part.span.line)


def is_said_otherwise(part: g.Expr) -> bool:
    """Return whether a value has other words: `yes` and `no`, the zero of `-bet`, 1 or 0 for a condition in a sum."""
    return isinstance(part, g.Const) and (
        part.type == g.FLAG or (part.value in (0, 1) and part.span.text != str(part.value))
    )


def place(part: g.Expr) -> tuple[type, str, int, int]:
    """Return the class and the source range of a value. A card count that is written once is both bounds."""
    return type(part), part.span.source.name, part.span.start, part.span.end


NAMED = g.Const, g.TrackValue, g.ZoneCards, g.Call, g.Attribute, g.BorneCall, g.NamedCards, g.SetCards
"""Names, numbers and texts."""


@pytest.mark.slow
@pytest.mark.parametrize("name", GAMES)
def test_all_author_texts_are_printed(name: str, shipped: dict[str, Game]) -> None:
    game = shipped[name]
    sheet = render_markdown(build_generated_rulebook(game, examples="all"))
    stems = find_word_stems(sheet)  # a sentence that only repeats the rules beside it is left out
    libraries = {path.name.removesuffix(".rules.md") for path in find_library_rules_files(game)}
    replaced = "".join(source.text for source in game.sources if Path(source.name).stem in libraries)
    for part in declared(game):
        for said in words_of(part):
            kept = said in replaced or escape_markdown(said).rstrip(".") in sheet
            assert kept or find_word_stems(said) <= stems, said
        if isinstance(part, g.Example):
            assert escape_markdown(part.title) in sheet


def words_of(part: Any) -> list[str]:
    """Return the author's text of a part."""
    if isinstance(part, g.Step) and part.unfilled:
        return []
    lists = [said for _, said in part.lists] if isinstance(part, g.FirstPossible) else []
    single = [getattr(part, name, "") for name in ("doc", "question", "text")]
    return [said for said in (*single, *getattr(part, "docs", ()), *getattr(part, "answer", ()), *lists) if said]


@pytest.mark.slow
@pytest.mark.parametrize("name", GAMES)
def test_no_code_is_printed(name: str, shipped: dict[str, Game]) -> None:
    """No hyphenated name of the file, no doubled word or space."""
    game = shipped[name]
    parts = declared(game)
    quoted = " ".join(said for part in parts for said in words_of(part))
    quoted += " ".join(part.noun.singular for part in parts if hasattr(part, "noun") and part.noun.called)
    sheet = without_links(render_rulebook_markdown(game, "all"))
    names = {getattr(part, "name", None) for part in parts}
    names = {name for name in names if isinstance(name, str) and "-" in name}
    for word in names:
        if word not in quoted:
            assert not re.search(rf"(?<![\w-]){word}(?![\w-])", sheet), word
    assert not re.search(r"\b(the|a|of|is|are|to|card|cards) \1\b|  +\S| [,.:;]", strip_layout(sheet))


def strip_layout(sheet: str) -> str:
    lines = [line.lstrip() for line in sheet.splitlines() if not line.startswith("|")]
    return "\n".join(lines)
