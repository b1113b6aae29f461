"""Mutation operators and the statements they apply to.

A mutation changes the source text, which is then parsed again. So every construct of the language can be mutated, each
mutant has a position, and checking rejects the invalid ones. No mutation changes the number of lines.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping

from attrs import evolve, field, frozen
from lark import Token

from cardlang import model as g
from cardlang.diagnostics import Source, Span
from cardlang.english.control_characters import unescape_backslashes
from cardlang.syntax.logical_lines import LogicalLine, split_into_logical_lines
from cardlang.syntax.parser import iter_tokens

NON_RULE_WORDS = ("example", "ruling", "component", "ages", "minutes", "needs", "show", "expect", "tell")
"""First words of statements without rules: assertions, and texts for readers."""
CONTAINER_WORDS = ("game", "library", "use", "variant")
"""First words of containers: not rules themselves, but rules may be nested in them."""
WORD_PATTERN = re.compile(r"[\w-]*")
TITLE_PATTERN = re.compile(r"[\"“”„]((?:\\.|[^\"“”„])*)")


@frozen
class RuleRegion:
    """Statement of the rules.

    It spans the offsets `start` to `end`, and to `nested_end` with nested statements. `rule` is the first line of the
    enclosing item."""

    start: int
    end: int
    nested_end: int
    rule: Span
    variant: str | None


@frozen
class RegionContext:
    """Context of a statement. `allows_items` allows items in it; `has_no_rules` means that it contains no rules."""

    allows_items: bool = True
    has_no_rules: bool = False
    rule: Span | None = None
    variant: str | None = None


def find_regions(source: Source) -> Iterator[RuleRegion]:
    """Yield the rule statements of a file, in order."""
    statements = split_into_logical_lines(source).statements
    open_: list[tuple[int, RegionContext]] = []
    for number, statement in enumerate(statements):
        while open_ and open_[-1][0] >= statement.indent:
            open_.pop()
        above = open_[-1][1] if open_ else RegionContext()
        context = derive_region_context(source, statement, above)
        open_.append((statement.indent, context))
        if not context.has_no_rules and not context.allows_items and context.rule is not None:
            block_end = statements[find_last_nested(statements, number)].end
            yield RuleRegion(statement.start, statement.end, block_end, context.rule, context.variant)


def derive_region_context(source: Source, statement: LogicalLine, context: RegionContext) -> RegionContext:
    """Return the context of the lines nested in a statement."""
    text = source.text[statement.start : statement.end]
    matched = WORD_PATTERN.match(text)
    word = matched[0] if matched is not None else ""
    if context.has_no_rules or word in NON_RULE_WORDS:
        return evolve(context, allows_items=False, has_no_rules=True)
    if context.allows_items and word in CONTAINER_WORDS:
        title = TITLE_PATTERN.search(text) if word == "variant" else None
        return context if title is None else evolve(context, variant=unescape_backslashes(title[1]))
    if context.allows_items:
        return evolve(context, allows_items=False, rule=Span(source, statement.start, statement.end))
    return context


def find_last_nested(statements: list[LogicalLine], number: int) -> int:
    """Return the index of the last statement nested in a statement, or its own index."""
    last = number
    while last + 1 < len(statements) and statements[last + 1].indent > statements[number].indent:
        last += 1
    return last


def find_example_lines(source: Source) -> frozenset[int]:
    """Return the line numbers of examples and of samples of ranks."""
    statements = split_into_logical_lines(source).statements
    line_numbers: set[int] = set()
    for number, statement in enumerate(statements):
        text = source.text[statement.start : statement.end]
        if re.match(r"example\b", text) or re.match(r'"[^"]*" like\b', text):
            last = statements[find_last_nested(statements, number)] if text.startswith("example") else statement
            line_numbers.update(
                range(source.find_line_and_column(statement.start)[0], source.find_line_and_column(last.end - 1)[0] + 1)
            )
    return frozenset(line_numbers)


# ---------------------------------------------------------------- mutations
DELETED = "left out"
SYMMETRIC_SWAPS: dict[str, tuple[tuple[str, ...], ...]] = {
    "order": (
        ("highest", "lowest"), ("top", "bottom"), ("first", "last"), ("higher", "lower"),
        (", lowest on top", ", highest on top"), (", highest first", ", groups first"),
    ),
    "comparison": (("=", "!="), ("in", "not in")),
    "bound": (("<", "<="), (">", ">=")),
    "direction": (("<", ">"), ("<=", ">=")),
    "side": (("left", "right"), ("above", "below")),
    "joining": (("and", "or"),),
    "answer": (("yes", "no"),),
    "players": (("others", "players"),),
    "sum": (("+", "-"),),
    "choice": (("may choose", "choose"),),
}  # fmt: skip
"""Words that replace each other in both directions, by mutation operator."""
DIRECTED_REPLACEMENTS: dict[str, tuple[tuple[str, str], ...]] = {
    "quantifier": (("any", "every"), ("every", "any"), ("no", "any")),
    "chance": (("random", "top"),),
    "trait": (("one", "distinct"), ("consecutive", "distinct")),
    "negation": (("not", ""), ("is", "is not")),
    "limit": (("up to", ""), ("or more", "")),
    "choice": (("may", ""),),
    "place": (("under", "to"), ("under", "on"), ("on", "under")),
    "word": (("all", ""), ("only", ""), ("together", ""), ("ordered", "")),
}
"""Words that are replaced or deleted in one direction only."""
UNMUTATED_TOKENS = ("STRING", "CARDS", "_NL", "_INDENT", "_DEDENT")


def build_replacement_table() -> dict[str, list[tuple[str, str]]]:
    """Return the replacements of each word, with their mutation operators."""
    replacements: dict[str, list[tuple[str, str]]] = {}
    for sort, pairs in SYMMETRIC_SWAPS.items():
        for one, other in pairs:
            replacements.setdefault(one, []).append((sort, other))
            replacements.setdefault(other, []).append((sort, one))
    for sort, turns in DIRECTED_REPLACEMENTS.items():
        for one, other in turns:
            replacements.setdefault(one, []).append((sort, other))
    return replacements


REPLACEMENTS = build_replacement_table()


@frozen
class Mutation:
    """Mutant of a game file.

    `replacement` replaces the text at `span`. `rule` is the first line of the enclosing item. `variant` is the title of
    the enclosing variant, or None."""

    operator: str
    span: Span = field(repr=False)
    replacement: str
    rule: Span = field(repr=False)
    variant: str | None

    @property
    def original_text(self) -> str:
        return self.span.text

    @property
    def source_text(self) -> str:
        """Complete source text of the mutant."""
        text = self.span.source.text
        return text[: self.span.start] + self.replacement + text[self.span.end :]


def generate_mutations(game: g.Game) -> Iterator[Mutation]:
    """Yield the mutants of a game's own file, in source order.

    Libraries, examples, rulings and descriptions are not mutated."""
    source = game.sources[0]
    tokens = list(iter_tokens(source))
    worlds = {None: NameTable(game)} | {variant.title: NameTable(variant.game) for variant in game.variants}
    for region in find_regions(source):
        world = worlds[region.variant]
        words = [token for token in tokens if region.start <= (token.start_pos or 0) < region.end]
        if not all(token.type in UNMUTATED_TOKENS for token in words):
            yield Mutation(
                DELETED,
                Span(source, region.start, region.nested_end),
                blank_out_region(region),
                region.rule,
                region.variant,
            )
        for token in words:
            start = token.start_pos or 0
            for sort, new in find_replacements(token, world):
                yield Mutation(sort, Span(source, start, start + len(token)), new, region.rule, region.variant)


def blank_out_region(region: RuleRegion) -> str:
    """Return spaces that replace a statement and its nested lines. Line breaks stay."""
    text = region.rule.source.text[region.start : region.nested_end]
    return re.sub(r"[^\n]", " ", text)


def find_replacements(token: Token, name_table: NameTable) -> Iterator[tuple[str, str]]:
    """Yield the replacements of a token, with their mutation operators."""
    if token.type in UNMUTATED_TOKENS or token.start_pos in name_table.declaration_offsets:
        return
    word = str(token)
    if token.type == "INT":
        yield from (("number", str(other)) for other in (int(word) + 1, int(word) - 1) if other >= 0)
    elif token.type == "NUMBER":
        integer_part, _, rest = word.partition(".")
        yield "number", f"{int(integer_part) + 1}.{rest}"
    else:
        yield from REPLACEMENTS.get(word, ())
        if token.type == "NAME":
            yield from name_table.replacements.get(word, ())


class NameTable:
    """Names of a game.

    `replacements` has replacements for each name: the next name of the same kind. `declaration_offsets` has the offsets
    of declarations in the file."""

    def __init__(self, game: g.Game) -> None:
        declarations: dict[str, Mapping[str, g.Zone | g.Track | g.Define | g.CardSet | g.Order | g.Ranking | g.Step]]
        declarations = {
            "zone": game.zones, "value": {**game.tracks, **game.defines}, "cards": game.sets, "way": game.orders,
            "ranking": game.rankings, "step": game.steps,
        }  # fmt: skip
        self.replacements: dict[str, list[tuple[str, str]]] = {}
        self.declaration_offsets: set[int] = set()
        for sort, items in declarations.items():
            alike: dict[object, list[str]] = {}
            for name, declaration in items.items():
                alike.setdefault(get_interchange_key(declaration), []).append(name)
                if declaration.origin.name.source is game.sources[0]:
                    self.declaration_offsets.add(declaration.origin.name.start)
            for names in alike.values():
                self.add_cycle(sort, names)
        for kind in game.kinds.values():
            self.add_cycle("member", [member.name for member in kind.members])
        columns: dict[g.Type, list[str]] = {}
        for column in game.columns.values():
            columns.setdefault(column.type, []).append(column.name)
        for names in columns.values():
            self.add_cycle("column", names)

    def add_cycle(self, operator: str, names: list[str]) -> None:
        """Add names as a cycle: each is replaced by the next."""
        if len(names) > 1:
            for name, other in zip(names, [*names[1:], names[0]], strict=True):
                self.replacements.setdefault(name, []).append((operator, other))


def get_interchange_key(declaration: g.Zone | g.Track | g.Define | g.CardSet | g.Order | g.Ranking | g.Step) -> object:
    """Return a key that is equal for interchangeable declarations."""
    match declaration:
        case g.Zone():
            return declaration.subject, declaration.single
        case g.Track() | g.Define():
            return declaration.subject, declaration.type
        case g.Order():
            return declaration.of
        case g.Step():
            return declaration.you is None, tuple(param.type for param in declaration.params)
    return None
