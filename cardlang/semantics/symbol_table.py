"""Symbol table of one file, its scopes, and the collector of diagnostics."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from difflib import SequenceMatcher, get_close_matches
from typing import Any

from attrs import evolve, field, frozen

from cardlang import model as g
from cardlang.diagnostics import Diagnostic, Source, Span
from cardlang.diagnostics.source_limits import MAX_COMPARED_CHARACTER_PAIRS
from cardlang.semantics import error_codes
from cardlang.syntax import ast as n

ERROR_TYPE = g.Type("error")


@frozen
class AnnouncementTypes:
    """Announcement that a reaction answers: the types of its target and of its shared names."""

    target: g.Type
    shared: dict[str, g.Type]


@frozen
class Scope:
    """Immutable scope.

    `you` is the player addressed. `it` is the value being tested, or the subject of a body. Bare names can mean
    attributes of `implicit_owners`, the innermost first. `players` has the names in an example, by seat.
    `is_inside_whole` is set inside `whole of`."""

    you: g.Expr | None = None
    it: g.Expr | None = None
    implicit_owners: tuple[g.Expr, ...] = ()
    locals: dict[str, g.Expr] = field(factory=dict)
    that: dict[str, g.Expr] = field(factory=dict)
    players: tuple[str, ...] = ()
    announcement: AnnouncementTypes | None = None
    is_inside_whole: bool = False

    def with_tested_value(self, tested_value: g.Expr) -> Scope:
        """Return the scope inside a test of `tested_value`."""
        return evolve(self, it=tested_value, implicit_owners=(tested_value, *self.implicit_owners))

    def with_subject(self, word: str, subject: g.Expr) -> Scope:
        """Return the scope inside `each WORD`, or inside a declaration that belongs to a WORD."""
        that = {**self.that, word: subject}
        return evolve(self, that=that, you=subject) if word == "player" else evolve(self, that=that, it=subject)

    def with_addressed_player(self, player: g.Expr) -> Scope:
        return evolve(self, you=player)

    def with_local(self, name: str, value: g.Expr) -> Scope:
        return evolve(self, locals={**self.locals, name: value})

    def with_whole(self, is_inside: bool) -> Scope:
        return self if is_inside == self.is_inside_whole else evolve(self, is_inside_whole=is_inside)


NOUN_NODES = (n.Kind, n.Cards, n.Zone, n.Track, n.Define, n.Order, n.Ranking)
VERB_NODES = (n.Step, n.Reaction)
SUGGESTION_CUTOFF = 0.65
"""Similarity from which an existing name is suggested for an unknown one."""
TYPO_CUTOFF = 0.75
"""Similarity from which a new name counts as a typo of an existing one."""
RelatedSpans = tuple[tuple[Span, str], ...]
BUILTIN_TYPES = {
    "player": g.PLAYER,
    "card": g.CARD,
    "cards": g.build_list_type(g.CARD),
    "number": g.NUMBER,
    "flag": g.FLAG,
}

CARD_LIST_TYPES = {name: g.build_list_type(g.CARD) for name in ("above", "below")}
READING_LIST_TYPES = {"used": g.build_list_type(g.CARD), "rest": g.build_list_type(g.CARD)}
BUILTIN_ATTRIBUTES: dict[str, dict[str, g.Type]] = {
    "player": {
        "left": g.PLAYER,
        "right": g.PLAYER,
        "others": g.build_list_type(g.PLAYER),
        "seat": g.NUMBER,
    },
    "card": {"owner": g.PLAYER.as_optional(), "title": g.TEXT, **CARD_LIST_TYPES},
    "reading": {"title": g.TEXT, "wilds": g.NUMBER, "owner": g.PLAYER.as_optional(), **READING_LIST_TYPES},
    "member": {"title": g.TEXT},
}
LITERAL_VALUES: dict[str, tuple[g.Type, g.Value]] = {
    "yes": (g.FLAG, 1),
    "no": (g.FLAG, 0),
    "nothing": (g.NOTHING, None),
    "nobody": (g.NOTHING, None),
    "unlimited": (g.Type("number", unlimited=True), g.UNLIMITED),
}


class DiagnosticCollector:
    """Collector of diagnostics.

    `is_muted` suppresses them during trial resolution. `unreadable_words` has words of unreadable lines.
    `is_library_missing` means that a library is missing, so unknown names may belong to it."""

    def __init__(self) -> None:
        self.unique_diagnostics: dict[Diagnostic, None] = {}
        self.is_muted = False
        self.unreadable_words: set[str] = set()
        self.is_library_missing = False
        self.compared_characters = 0

    def add_error(self, code: str, message: str, span: Span, hint: str = "", related: RelatedSpans = ()) -> None:
        finding = Diagnostic(code, message, span, hint, related)
        left_out = code in error_codes.UNDECLARED_NAME_CODES and self.is_follow_on(code, span.text, hint)
        if not (self.is_muted or left_out):
            self.unique_diagnostics[finding] = None

    @property
    def diagnostics(self) -> list[Diagnostic]:
        return list(self.unique_diagnostics)

    def is_follow_on(self, code: str, name: str, hint: str) -> bool:
        """Return whether a name may be unknown only because of an unreadable line."""
        if n.NAMELESS in self.unreadable_words and not hint.startswith(("did you mean", "say ")):
            return True
        whole_sets = code == error_codes.UNKNOWN_CARD and bool(self.unreadable_words & {"kind", "cards"})
        return self.is_library_missing or "use" in self.unreadable_words or name in self.unreadable_words or whole_sets

    def find_similar_names(self, word: str, known_names: list[str], cutoff: float = SUGGESTION_CUTOFF) -> list[str]:
        """Return the known name most similar to a word, as a list of at most one. `cutoff` is the minimum similarity.

        Of names about equally similar, return the first. The list is empty once too many characters have been
        compared."""
        self.compared_characters += len(word) * sum(map(len, known_names))
        if self.compared_characters > MAX_COMPARED_CHARACTER_PAIRS:
            return []
        close = get_close_matches(word, known_names, max(len(known_names), 1), cutoff)
        return sorted(close, key=lambda name: measure_difference(word, name, known_names))[:1] or find_ignoring_case(
            word, known_names
        )

    @contextmanager
    def mute(self, muted: bool = True) -> Iterator[None]:
        before, self.is_muted = self.is_muted, muted
        try:
            yield
        finally:
            self.is_muted = before


class ResolveContext:
    """Symbol tables of one game.

    `nouns` and `verbs` have all declarations, including those in error. `has_variant` means that a variant applies.
    `origins` has the origins of items, by ID. `own_source` is the game's own file."""

    def __init__(
        self,
        items: tuple[n.Item, ...],
        collector: DiagnosticCollector,
        has_variant: bool,
        origins: dict[int, g.Origin],
        own_source: Source,
    ) -> None:
        self.own_source = own_source
        self.has_variant = has_variant
        self.origins = origins
        self.items = items
        self.collector = collector
        self.nouns: dict[str, Any] = {i.name.text: i for i in items if isinstance(i, NOUN_NODES)}
        self.verbs: dict[str, Any] = {i.name.text: i for i in items if isinstance(i, VERB_NODES)}
        self.kinds: dict[str, g.Kind] = {}
        self.members_by_name: dict[str, list[tuple[str, int]]] = {}
        self.sets: dict[str, g.CardSet] = {}
        self.faces: list[g.Face] = []
        self.faces_by_code: dict[str, int] = {}
        self.reported_code_spans: set[Span] = set()
        self.columns: dict[str, g.Column] = {}
        self.zones: dict[str, g.Zone] = {}
        self.tracks: dict[str, g.Track] = {}
        self.defines: dict[str, g.Define | None] = {}
        self.orders: dict[str, g.Order] = {}
        self.rankings: dict[str, g.Ranking] = {}
        self.card_definitions: dict[str, g.BorneDefine] = {}
        self.card_definition_types: dict[str, g.Type] = {}
        self.card_definition_nodes: dict[str, dict[int, n.Define]] = {}
        self.card_step_nodes: dict[str, dict[int, n.Step]] = {}
        self.resolved_card_bodies: dict[int, g.BorneBody | g.BorneStepBody] = {}
        self.announcement_types: dict[str, list[tuple[g.Type, dict[str, g.Type]]]] = {}
        self.resolution_stack: list[str] = []
        self.pending_texts: list[tuple[g.InterpolatedText, n.Words, Scope, bool]] = []
        """Texts with values, their AST and scopes, and flags for suppressed errors."""
        self.card_texts: set[int] = set()  # ids of the texts on cards, in which words in braces show icons
        self.icon_words: set[str] = set()  # the words that can show icons, in lower case
        self.ruling_examples: dict[n.Example, g.Ruling] = {}
        self.last_variable_id = 0

    def report_error(self, code: str, message: str, span: Span, hint: str = "", related: RelatedSpans = ()) -> None:
        self.collector.add_error(code, message, span, hint, related)

    def create_variable(self, type_: g.Type, span: Span, name: str) -> g.Var:
        """Return a new variable."""
        self.last_variable_id += 1
        return g.Var(type_, span, self.last_variable_id, name)

    def get_origin(self, item: n.Item) -> g.Origin:
        return self.origins.get(id(item), g.NO_ORIGIN)

    def list_items(self, *types: type) -> list[Any]:
        return [item for item in self.items if isinstance(item, types)]

    def get_subject(self, node: object) -> str | None:
        """Return the owner of a noun: None (global), `player`, `card`, `cards`, a kind or a ranking."""
        if isinstance(node, n.Define) and node.parameter is not None:
            return "cards"
        subject = getattr(node, "subject", None)
        return "player" if subject == "your" else subject.text if subject is not None else None

    def find_type(self, word: str) -> g.Type | None:
        """Return the type that a word names, such as `player`, `card`, a kind or a ranking; None if it names none."""
        if word in BUILTIN_TYPES:
            return BUILTIN_TYPES[word]
        node = self.nouns.get(word)
        if isinstance(node, n.Kind):
            return g.build_member_type(word)
        return g.Type("reading", of=word) if isinstance(node, n.Ranking) else None

    def build_similar_name_hint(self, word: str, known_names: Iterable[str]) -> tuple[str, RelatedSpans]:
        """Return a hint with the most similar known name, and the place of its declaration.

        A word that is the title of a card needs quotes."""
        if title := find_ignoring_case(word, (face.title for face in self.faces)):
            return f'write the title of a card in quotes, as in `title = "{title[0]}"`', ()
        close = self.collector.find_similar_names(word, list(known_names))
        if not close:
            return "", ()
        node = self.nouns.get(close[0]) or self.verbs.get(close[0])
        related = ((node.name.span, f"`{close[0]}` is declared here"),) if node is not None else ()
        return f"did you mean `{close[0]}`?", related

    def report_unknown_name(
        self, code: str, description: str, name: n.Name, known_names: Iterable[str], fallback_hint: str = ""
    ) -> None:
        """Report an unknown name."""
        hint, related = self.build_similar_name_hint(name.text, known_names)
        self.report_error(code, f"unknown {description} `{name.text}`", name.span, hint or fallback_hint, related)


def measure_difference(word: str, name: str, known_names: list[str]) -> tuple[bool, float, int]:
    """Return a sort key for names similar to a word: first those with the same letters in another order."""
    similarity = round(SequenceMatcher(None, name, word).ratio(), 1)
    return sorted(name) != sorted(word), -similarity, known_names.index(name)


def find_ignoring_case(word: str, known_names: Iterable[str]) -> list[str]:
    return [name for name in known_names if name.lower() == word.lower()][:1]


def is_included_kind(ctx: ResolveContext, included_kind: str | None, kind_name: str | None) -> bool:
    """Return whether the members of one kind are the first members of the other."""
    while kind_name is not None and kind_name != included_kind:
        kind = ctx.kinds.get(kind_name)
        kind_name = kind.includes if kind else None
    return kind_name is not None


def belongs_to_type(ctx: ResolveContext, subject: str | None, type_: g.Type) -> bool:
    if subject is None:
        return False
    if type_.tag == "member":
        return is_included_kind(ctx, type_.of, subject)
    return subject == (type_.of if type_.tag == "reading" else type_.tag)


def build_noun_forms(called: n.Called | None, name: str) -> g.Noun:
    """Return the noun forms of a declaration: from `called`, or else from its name."""
    singular = called.singular if called else name.replace("-", " ")
    counted = called is not None and bool(called.plural)
    many = called.plural if called and called.plural else build_default_plural(singular)
    return g.Noun(singular, many, called is not None, counted)


def build_default_plural(word: str) -> str:
    if word.endswith("s"):
        return word
    if word.endswith("y") and word[-2:-1] not in tuple("aeiou"):
        return word[:-1] + "ies"
    return word + ("es" if word.endswith(("x", "ch", "sh")) else "s")
