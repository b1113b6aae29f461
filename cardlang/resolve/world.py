"""Symbol tables of a game during resolution, and its diagnostics."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from difflib import get_close_matches
from typing import Any

from cardlang import game as g
from cardlang import nodes as n
from cardlang.limits import MAX_COMPARED
from cardlang.resolve import codes
from cardlang.resolve.scope import Scope
from cardlang.source import Diagnostic, Span

NOUNS = (n.Kind, n.Cards, n.Zone, n.Track, n.Define, n.Order, n.Ranking)
VERBS = (n.Step, n.Reaction)

NEAR = 0.65
"""Similarity from which an existing name is suggested for an unknown one."""
SLIP = 0.75
"""Similarity from which a new name counts as a typo of an existing one."""
Related = tuple[tuple[Span, str], ...]
PLAIN = {
    "player": g.PLAYER,
    "card": g.CARD,
    "cards": g.list_of(g.CARD),
    "number": g.NUMBER,
    "flag": g.FLAG,
}


class Report:
    """Collector of diagnostics.

    `muted` suppresses them during trial resolution. `broken` has words of unreadable lines. `incomplete` means that a
    library is missing, so unknown names may belong to it."""

    def __init__(self) -> None:
        self.seen: dict[Diagnostic, None] = {}
        self.muted = False
        self.broken: set[str] = set()
        self.incomplete = False
        self.compared = 0

    def error(self, code: str, message: str, span: Span, hint: str = "", related: Related = ()) -> None:
        finding = Diagnostic(code, message, span, hint, related)
        left_out = code in codes.MISSING and self.excused(code, span.text, hint)
        if not (self.muted or left_out):
            self.seen[finding] = None

    @property
    def found(self) -> list[Diagnostic]:
        return list(self.seen)

    def excused(self, code: str, name: str, hint: str) -> bool:
        """Return whether a name may be unknown only because of an unreadable line."""
        if n.NAMELESS in self.broken and not hint.startswith(("did you mean", "say ")):
            return True
        whole_sets = code == codes.UNKNOWN_CARD and bool(self.broken & {"kind", "cards"})
        return self.incomplete or "use" in self.broken or name in self.broken or whole_sets

    def nearest(self, word: str, known: list[str], near: float = NEAR) -> list[str]:
        """Return the known name most similar to a word, as a list of at most one. `near` is the minimum similarity.

        The list is empty once too many characters have been compared."""
        self.compared += len(word) * sum(map(len, known))
        if self.compared > MAX_COMPARED:
            return []
        return get_close_matches(word, known, 1, near) or folded(word, known)

    @contextmanager
    def silence(self, muted: bool = True) -> Iterator[None]:
        before, self.muted = self.muted, muted
        try:
            yield
        finally:
            self.muted = before


class World:
    """Symbol tables of one game.

    `nouns` and `verbs` have all declarations, including those in error. `varied` means that a variant applies.
    `origins` has the origins of items, by ID."""

    def __init__(self, items: tuple[n.Item, ...], report: Report, varied: bool, origins: dict[int, g.Origin]) -> None:
        self.varied = varied
        self.origins = origins
        self.items = items
        self.report = report
        self.nouns: dict[str, Any] = {i.name.text: i for i in items if isinstance(i, NOUNS)}
        self.verbs: dict[str, Any] = {i.name.text: i for i in items if isinstance(i, VERBS)}
        self.kinds: dict[str, g.Kind] = {}
        self.members: dict[str, list[tuple[str, int]]] = {}
        self.sets: dict[str, g.CardSet] = {}
        self.faces: list[g.Face] = []
        self.codes: dict[str, int] = {}
        self.colliding: set[Span] = set()
        self.columns: dict[str, g.Column] = {}
        self.zones: dict[str, g.Zone] = {}
        self.tracks: dict[str, g.Track] = {}
        self.defines: dict[str, g.Define | None] = {}
        self.orders: dict[str, g.Order] = {}
        self.rankings: dict[str, g.Ranking] = {}
        self.borne_defines: dict[str, g.BorneDefine] = {}
        self.borne_types: dict[str, g.Type] = {}
        self.bearers: dict[str, dict[int, n.Define]] = {}
        self.step_bearers: dict[str, dict[int, n.Step]] = {}
        self.borne: dict[int, g.BorneBody | g.BorneStepBody] = {}
        self.announced: dict[str, list[tuple[g.Type, dict[str, g.Type]]]] = {}
        self.resolving: list[str] = []
        self.texts: list[tuple[g.Text, n.Words, Scope, bool]] = []
        """Texts with values, their AST and scopes, and flags for suppressed errors."""
        self.ruled: dict[n.Example, g.Ruling] = {}
        """Examples in rulings."""
        self.last_id = 0

    def error(self, code: str, message: str, span: Span, hint: str = "", related: Related = ()) -> None:
        self.report.error(code, message, span, hint, related)

    def var(self, type_: g.Type, span: Span, name: str) -> g.Var:
        """Return a new variable."""
        self.last_id += 1
        return g.Var(type_, span, self.last_id, name)

    def origin(self, item: n.Item) -> g.Origin:
        return self.origins.get(id(item), g.NOWHERE)

    def of_type(self, *types: type) -> list[Any]:
        return [item for item in self.items if isinstance(item, types)]

    def subject(self, node: object) -> str | None:
        """Return the owner of a noun: None (global), `player`, `card`, `cards`, a kind or a ranking."""
        if isinstance(node, n.Define) and node.parameter is not None:
            return "cards"
        subject = getattr(node, "subject", None)
        return "player" if subject == "your" else subject.text if subject is not None else None

    def thing_type(self, word: str) -> g.Type | None:
        """Return the type that a word names, such as `player`, `card`, a kind or a ranking; None if it names none."""
        if word in PLAIN:
            return PLAIN[word]
        node = self.nouns.get(word)
        if isinstance(node, n.Kind):
            return g.member(word)
        return g.Type("reading", of=word) if isinstance(node, n.Ranking) else None

    def near(self, word: str, known: Iterable[str]) -> tuple[str, Related]:
        """Return a hint with the most similar known name, and the place of its declaration."""
        close = self.report.nearest(word, list(known))
        if not close:
            return "", ()
        node = self.nouns.get(close[0]) or self.verbs.get(close[0])
        related = ((node.name.span, f"`{close[0]}` is declared here"),) if node is not None else ()
        return f"did you mean `{close[0]}`?", related

    def unknown(self, code: str, what: str, name: n.Name, known: Iterable[str], otherwise: str = "") -> None:
        """Report an unknown name."""
        hint, related = self.near(name.text, known)
        self.error(code, f"unknown {what} `{name.text}`", name.span, hint or otherwise, related)


def folded(word: str, known: Iterable[str]) -> list[str]:
    return [name for name in known if name.lower() == word.lower()][:1]


def noun(called: n.Called | None, name: str) -> g.Noun:
    """Return the noun forms of a declaration: from `called`, or else from its name."""
    singular = called.singular if called else name.replace("-", " ")
    counted = called is not None and bool(called.plural)
    many = called.plural if called and called.plural else plural(singular)
    return g.Noun(singular, many, called is not None, counted)


def plural(word: str) -> str:
    if word.endswith("s"):
        return word
    if word.endswith("y") and word[-2:-1] not in tuple("aeiou"):
        return word[:-1] + "ies"
    return word + ("es" if word.endswith(("x", "ch", "sh")) else "s")
