"""Rules by their names, digests of their meaning, and the other rules that they depend on.

A digest is made from a canonical form of the rule's source: its words and numbers without comments, texts and layout,
and with numbered variables. `CANONICAL_VERSION` is part of it.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterator, Mapping, Sequence, Set

from attrs import frozen

from cardlang import model as g
from cardlang.diagnostics import Span
from cardlang.diagnostics.source_limits import NUMBER_PATTERN
from cardlang.model.statement_effects import find_effects
from cardlang.model.traversal import find_mentioned_names, walk
from cardlang.rulebook.authored_rulebook.markdown_parser import RuleDigest

CANONICAL_VERSION = "1"
TOKEN = re.compile(r'"(?:\\.|[^"\\\n])*"?|#[^\n]*|\d+(?:\.\d+)?(?!\w)|\w[\w-]*|[^\s\w]')
NOUN_WORDS = ("called", "plural")
"""Words before the text of a noun, which is no part of a rule's meaning."""
READER_STATEMENTS = ("tell", "note", "ruling", "aside")
"""Statements that only address readers."""
TEXT_RULES = ("cards", "ranking", "variant", "component")
"""Kinds of rules whose texts are part of their meaning, such as titles of cards."""
EXPANDED_RULES = ("define", "order", "ranking")
"""Kinds of rules whose own dependencies count for the rules that use them."""
CLOSED_RULES = ("example", "card", "contents", "variant")
"""Kinds of rules whose dependencies don't count."""

Declaration = (
    g.Step | g.Define | g.Track | g.Zone | g.Order | g.Ranking | g.Kind | g.CardSet | g.Reaction | g.Whenever | g.Enters
    | g.Component | g.Example
)  # fmt: skip


@frozen(eq=False)
class Rule:
    """A rule with a name such as `step betting`.

    `parts`: the parts of the game that it consists of. `spans`: its source. `facts`: further content of its canonical
    form.
    """

    name: str
    parts: tuple[object, ...]
    spans: tuple[Span, ...]
    facts: tuple[str, ...] = ()


# ---------------------------------------------------------------- rules by name
def find_rule(game: g.Game, name: str) -> Rule | None:
    """Return the rule with a name, or None.

    Names have the form `step betting`, `define ready`, `track stake`, `zone stock`, `order strength`, `ranking Rank`,
    `kind Suit`, `cards Drawing`, `reaction stop`, `enters discards`, `card Tuna Drawing`, `component round card`,
    `example Equal hands`, `variant Long game` or `contents Long game`. `goal`, `contents`, `players` and `whenever`
    are whole names.
    """
    kind, _, which = name.partition(" ")
    tables = get_rule_tables(game)
    if kind in tables:
        declaration = tables[kind].get(which)
        return build_rule(name, (declaration,)) if declaration else None
    match kind:
        case "goal":
            names = ("define winners", "order standing", "define score", "track score")
            found = [rule for rule in (find_rule(game, each) for each in names) if rule]
            return Rule(name, tuple(rule.parts for rule in found), tuple(span for rule in found for span in rule.spans))
        case "players":
            return Rule(name, (), (), tuple(map(str, game.seats)))
        case "reaction":
            return build_rule(name, [each for each in game.reactions if each.option.name == which])
        case "whenever":
            return build_rule(name, game.whenevers)
        case "enters":
            return build_rule(name, [each for each in game.enters if each.zone == which])
        case "component":
            return build_rule(name, [each for each in game.components if each.title == which])
        case "example":
            return build_rule(name, [each for each, _ in list_examples(game) if each.title == which][:1])
        case "card":
            return build_card_rule(game, which)
    return build_contents_rule(game, name) if kind in ("contents", "variant") else None


def get_rule_tables(game: g.Game) -> dict[str, Mapping[str, Declaration]]:
    """Return the named declarations of a game by their kinds."""
    return {
        "step": game.steps,
        "define": game.defines,
        "track": game.tracks,
        "zone": game.zones,
        "order": game.orders,
        "ranking": game.rankings,
        "kind": game.kinds,
        "cards": game.sets,
    }


def build_rule(name: str, declarations: Sequence[Declaration]) -> Rule | None:
    if not declarations:
        return None
    return Rule(name, tuple(map(get_parts, declarations)), tuple(find_item_span(each) for each in declarations))


def get_parts(declaration: Declaration) -> object:
    """Return the expressions and statements of a declaration."""
    match declaration:
        case g.Step() | g.Enters():
            return declaration.body
        case g.Reaction():
            return declaration.option
        case g.Whenever():
            return (declaration.condition, declaration.body)
        case g.Define():
            return declaration.value
        case g.Order():
            return declaration.lines
        case g.Ranking():
            return (declaration.ranks, declaration.ties, tuple(wild.condition for wild in declaration.wilds))
        case g.Track():
            return declaration.start
        case g.CardSet():
            return (declaration.bears, tuple(row.bears for row in declaration.rows))
    return ()


def find_item_span(declaration: Declaration) -> Span:
    """Return the source of a declaration: its line and all lines nested in it."""
    span = declaration.origin.span
    source, end = span.source, span.end
    for line in range(span.source.find_line_and_column(end)[0] + 1, len(source.line_starts) + 1):
        text = source.get_line(line)
        if text.strip() and len(text) - len(text.lstrip()) < span.column:
            break
        end = source.line_starts[line - 1] + len(text)
    return Span(source, span.start, max(end, span.end))


def build_card_rule(game: g.Game, title: str) -> Rule | None:
    """Return the rule of a card: its set and the values of its columns."""
    face = next((face for face in game.faces if face.title == title), None)
    return Rule(f"card {title}", (), (face.span,), (face.set, *describe_columns(game, face))) if face else None


def describe_columns(game: g.Game, face: g.Face) -> Iterator[str]:
    for column in game.columns.values():
        value, kind = column.values[face.number], game.kinds.get(column.type.of or "")
        if value is not None:
            yield f"{column.name} {kind.members[value].name if kind and isinstance(value, int) else value}"


def build_contents_rule(game: g.Game, name: str) -> Rule | None:
    """Return the contents of a game or variant, or a whole variant. Only a game that is no variant has variants."""
    kind, _, title = name.partition(" ")
    variants = game.variants if game.variant is None else ()
    one = game if name == "contents" else next((each.game for each in variants if each.title == title), None)
    if one is None:
        return None
    facts = [f"{face.copies} {face.title}" for face in one.faces]
    facts += [f"{each.count} {each.title}" for each in one.components]
    varied = [each for table in get_rule_tables(one).values() for each in table.values() if each.origin.varied]
    told = varied if kind == "variant" else []
    return Rule(name, tuple(map(get_parts, told)), tuple(map(find_item_span, told)), tuple(facts))


def list_examples(game: g.Game) -> Iterator[tuple[g.Example, g.Game]]:
    """Yield the examples of a game and, unless it is a variant itself, of its variants, each with its game."""
    variants = game.variants if game.variant is None else ()
    yield from ((example, one) for one in (game, *(each.game for each in variants)) for example in one.examples)


# ---------------------------------------------------------------- digests
def compute_rule_digest(rule: Rule) -> RuleDigest:
    """Return the digest of a rule's meaning, and its numbers. Variable names, texts and layout don't matter."""
    variables = {part.name for part in walk(rule.parts) if isinstance(part, g.Var)}
    lines = [line for span in rule.spans for line in canonicalize_source(span, variables, get_kind(rule) in TEXT_RULES)]
    numbers = tuple(token for line in lines for token in line if NUMBER_PATTERN.fullmatch(token))
    content = repr((CANONICAL_VERSION, lines, rule.facts))
    return RuleDigest(hashlib.sha256(content.encode("utf-8", "replace")).hexdigest()[:6], numbers)


def get_kind(rule: Rule) -> str:
    return rule.name.partition(" ")[0]


def canonicalize_source(span: Span, variables: set[str], keep_texts: bool) -> Iterator[list[str]]:
    """Yield the lines of a rule as words: their depth, then their tokens, with variables as `$1`."""
    numbered: dict[str, str] = {}
    depths: list[int] = []
    for line in (" " * (span.column - 1) + span.text).splitlines():
        tokens = [token for token in TOKEN.findall(line) if not token.startswith("#")]
        if not keep_texts:
            tokens = drop_texts(tokens)
        if not tokens or tokens[0] in READER_STATEMENTS:
            continue
        depth = len(line) - len(line.lstrip())
        depths = [*(outer for outer in depths if outer < depth), depth]
        words = [
            numbered.setdefault(token, f"${len(numbered) + 1}") if token in variables else token for token in tokens
        ]
        yield ["." * len(depths), *words]


def drop_texts(tokens: list[str]) -> list[str]:
    """Return tokens without texts and the words that lead to the text of a noun."""
    return [
        token
        for token, following in zip(tokens, [*tokens[1:], ""], strict=False)
        if not token.startswith('"') and not (token in NOUN_WORDS and following.startswith('"'))
    ]


# ---------------------------------------------------------------- dependencies
def find_dependencies(game: g.Game, names: Sequence[str], elsewhere: Set[str] = frozenset()) -> dict[str, Rule]:
    """Return the named rules that exist, with the rules that they depend on, by name.

    A rule depends on the definitions, orders, rankings, zones, tracks and kinds that it mentions, and on the steps that
    it calls, except the steps `elsewhere`. Definitions, orders, rankings and steps bring their own dependencies.
    """
    rules: dict[str, Rule] = {}
    waiting = [*names]
    while waiting:
        name = waiting.pop()
        rule = None if name in rules else find_rule(game, name)
        if rule is None:
            continue
        rules[name] = rule
        is_told = name in names or get_kind(rule) in (*EXPANDED_RULES, "step")
        if is_told and get_kind(rule) not in CLOSED_RULES:
            waiting += find_used_rules(game, rule, elsewhere)
    return dict(sorted(rules.items()))


def find_used_rules(game: g.Game, rule: Rule, elsewhere: Set[str]) -> Iterator[str]:
    """Yield the names of rules that a rule mentions. The set-up mentions the starting values that it prints."""
    tables = {kind: table for kind, table in get_rule_tables(game).items() if kind not in ("step", "cards")}
    starting = [
        track
        for track in game.tracks.values()
        if rule.name == "step setup" and track.starts and not track.restarts and not track.secret
    ]
    yield from (f"track {track.name}" for track in starting)
    parts = (*rule.parts, *(track.start for track in starting))
    for mentioned in dict.fromkeys(find_mentioned_names(parts)):
        yield from (f"{kind} {mentioned}" for kind, table in tables.items() if mentioned in table)
    for part in walk(parts):
        called = [name for name in find_effects(part).steps if name not in elsewhere]
        yield from (f"step {name}" for name in called if name in game.steps and not game.steps[name].unfilled)
        if isinstance(part, g.Const) and part.type.tag == "member" and part.type.of:
            yield f"kind {part.type.of}"
        elif isinstance(part, g.Agg) and part.function == "count" and is_all_players(part.list):
            yield "players"


def is_all_players(expr: g.Expr) -> bool:
    return isinstance(expr, g.Builtin) and expr.name == "players"
