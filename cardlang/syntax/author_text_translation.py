"""Translations of games: `NAME.de.csv` next to `NAME.cardgame` has the author's texts in another language."""

from __future__ import annotations

import csv
import io
import re
from codecs import BOM_UTF8
from collections.abc import Callable, Iterable, Mapping
from pathlib import Path

from attrs import define, field, frozen

from cardlang.diagnostics import Diagnostic, GameError, Source, Span
from cardlang.diagnostics.source_limits import MAX_TEXT
from cardlang.english.control_characters import build_code_from_title
from cardlang.syntax import ast as n
from cardlang.syntax.ast.traversal import NODES
from cardlang.syntax.builders.tree_builder import InterpolationRange, split_string
from cardlang.syntax.card_spreadsheets import Cell, split_cells

TRANSLATION_CODE = "W463"
HEADINGS = ("use", "text", "translation")
UNUSED = "unused"
"""Use of a text that the game no longer has."""
HOLE = re.compile(r"\{([^{}]*)\}")
MAX_SHOWN_LETTERS = 40


@frozen
class AuthorText:
    """A text of an author. `use`: what it is, in a word. `is_identity`: rules compare it, as the title of a card."""

    text: str
    use: str
    span: Span
    is_identity: bool = False


ChangeText = Callable[[AuthorText], str]


# ---------------------------------------------------------------- texts of a syntax tree
USES: Mapping[type, str] = {
    n.Game: "game",
    n.Called: "name",
    n.Component: "component",
    n.Ruling: "question",
    n.Rank: "hand",
    n.Option: "option",
    n.Reaction: "option",
    n.Tell: "log",
    n.Note: "note",
    n.Variant: "variant",
    n.Cards: "card text",
    n.Row: "card text",
}
"""Uses of the texts directly in a node. Others have that of the node around them, or are rules."""
CARD_RULES = (n.Step, n.Define, n.Note)
IDENTITY_FIELDS: Mapping[type, str] = {n.Row: "title", n.Variant: "title", n.Cards: "spreadsheet"}
"""Fields with the name of a card, variant or file. Records and options contain that of a variant."""


def rewrite_texts(file: n.File, change: ChangeText) -> n.File:
    """Return a file with other texts. Names, codes and all that a record contains stay."""
    shown = {item.name.text for item in file.items if isinstance(item, n.Show)}
    rewritten = TextRewriter(change, shown).rewrite(file, "rule")
    assert isinstance(rewritten, n.File)
    return rewritten


@frozen
class TextRewriter:
    """Rewriter of the texts of one file. `shown`: the numbers that players see on the table."""

    change: ChangeText
    shown: set[str]

    def rewrite(self, node: n.Node, use: str) -> n.Node:
        """Return a node with its texts rewritten. `use`: that of the texts around it."""
        if isinstance(node, n.Example | n.Library):  # the texts of an example name it and the reasons of rules
            return node
        if isinstance(node, n.Row):
            node = self.rewrite_title(node)
        if not (use == "card text" and isinstance(node, CARD_RULES)):
            use = USES.get(type(node), "rule" if isinstance(node, n.Stmt) else use)
        kept = getattr(node, IDENTITY_FIELDS.get(type(node), ""), None)
        rewritten = NODES.rewrite_children(node, lambda child: child if child is kept else self.rewrite(child, use))
        match rewritten:
            case n.Words():
                return self.rewrite_words(rewritten, use)
            case n.Text():
                return rewritten.replace(text=self.change(AuthorText(rewritten.text, "value", node.span, True)))
            case n.Game() | n.Component():
                return rewritten.replace(title=self.change(AuthorText(rewritten.title, use, node.span)))
            case n.Called():
                return self.rewrite_noun(rewritten)
            case n.Zone() | n.Member() | n.Track() | n.Define() if rewritten.called is None:
                return self.add_noun(rewritten)
        return rewritten

    def rewrite_words(self, words: n.Words, use: str) -> n.Words:
        text = self.change(AuthorText(words.text, use, words.span))
        if text == words.text or not words.pieces:
            return words.replace(text=text)
        values = (piece for piece in words.pieces if isinstance(piece, n.Expr))
        by_hole = dict(zip(find_holes(words.text), values, strict=False))
        pieces = tuple(
            by_hole[normalize_hole(text[piece.start : piece.end])] if isinstance(piece, InterpolationRange) else piece
            for piece in split_string(text)
            if isinstance(piece, str | InterpolationRange)
        )
        return words.replace(text=text, pieces=pieces)

    def rewrite_noun(self, noun: n.Called) -> n.Called:
        """Return a noun in another language. Its plural is the singular, unless the author wrote one."""
        singular = self.change(AuthorText(noun.singular, "name", noun.span))
        default = None if singular == noun.singular else singular
        plural = self.change(AuthorText(noun.plural, "name", noun.span)) if noun.plural else default
        return noun.replace(singular=singular, plural=plural)

    def add_noun(self, node: n.Zone | n.Member | n.Track | n.Define) -> n.Node:
        """Return a declaration with a noun in place of its name, if players read the name and it has a translation."""
        is_read = isinstance(node, n.Zone | n.Member) or node.name.text in self.shown
        name = node.value if isinstance(node, n.Member) else node.name.text
        if not is_read or not isinstance(name, str):
            return node
        noun = self.change(AuthorText(name, "name", node.span))
        return node if noun == name else node.replace(called=n.Called(node.span, noun, noun))

    def rewrite_title(self, row: n.Row) -> n.Row:
        """Return the row of a card with another title. Its code stays that of the old title."""
        title = self.change(AuthorText(row.title.text, "card", row.title.span, True))
        old_code = build_code_from_title(row.title.text)
        code = row.code or (n.Name(row.title.span, old_code) if old_code else None)
        return row if title == row.title.text else row.replace(title=row.title.replace(text=title), code=code)


def find_holes(text: str) -> list[str]:
    """Return the values in braces in a text."""
    return [normalize_hole(hole) for hole in HOLE.findall(text)]


def normalize_hole(hole: str) -> str:
    return " ".join(hole.split())


# ---------------------------------------------------------------- tables
@define
class TranslationTable:
    """Table of texts and translations. `rows`: cells by the names of their columns, by text."""

    source: Source
    headings: tuple[str, ...] = HEADINGS
    rows: dict[str, dict[str, Cell]] = field(factory=dict)
    findings: list[Diagnostic] = field(factory=list)

    def report(self, message: str, span: Span, hint: str) -> None:
        self.findings.append(Diagnostic(TRANSLATION_CODE, message, span, hint, warning=True))

    def select_translations(self, texts: Iterable[AuthorText]) -> dict[str, str]:
        """Return the usable translations by text. Report those that lose a value or give two cards one title."""
        taken: dict[str, str] = {}
        identities = {text.text for text in texts if text.is_identity}
        found: dict[str, str] = {}
        for text, row in self.rows.items():
            cell = row["translation"]
            if not cell.text:
                continue
            if len(cell.text) > MAX_TEXT:
                self.report(f"this translation is longer than {MAX_TEXT:,} characters", cell.span, "shorten it")
            elif sorted({*find_holes(text)}) != sorted({*find_holes(cell.text)}):
                holes = " and ".join(f"`{{{hole}}}`" for hole in dict.fromkeys(find_holes(text))) or "no braces"
                self.report("the values in braces differ from the text", cell.span, f"this translation needs {holes}")
            elif text in identities and taken.setdefault(cell.text, text) != text:
                message = f"“{shorten(cell.text)}” also translates “{shorten(taken[cell.text])}”"
                self.report(message, cell.span, "cards need different titles")
            else:
                found[text] = cell.text
        return found

    def compare_with_texts(self, texts: Iterable[AuthorText], hint: str) -> None:
        """Report texts without a translation, and translations without a text."""
        known = {normalize_text(text.text): text for text in texts}
        missing = [text for text in known if text not in self.rows or not self.rows[text]["translation"].text]
        unused = [row["text"] for text, row in self.rows.items() if text not in known and row["translation"].text]
        if missing:
            where = next((self.rows[text]["text"].span for text in missing if text in self.rows), None)
            count = "1 text has" if len(missing) == 1 else f"{len(missing):,} texts have"
            message = f"{count} no translation, such as “{shorten(missing[0])}”"
            self.report(message, where or Span(self.source, 0, 0), hint)
        if unused:
            count = "1 translation is" if len(unused) == 1 else f"{len(unused):,} translations are"
            cure = "move it to the row of the new text, or delete this row"
            self.report(f"{count} of no text in the game", unused[0].span, cure)


def shorten(text: str) -> str:
    return text if len(text) <= MAX_SHOWN_LETTERS else f"{text[: MAX_SHOWN_LETTERS - 1].rstrip()}…"


def normalize_text(text: str) -> str:
    """Return a text as in a cell, which has one line."""
    return " ".join(text.split())


def read_translation_table(source: Source) -> TranslationTable:
    """Read a table. Raise `GameError` if it has no columns for texts and translations, or faulty quotation marks."""
    headings, *lines = [*split_cells(source)] or [[]]
    names = tuple(cell.text.lower() for cell in headings)
    if not {"text", "translation"} <= {*names}:
        message = "this is not a table of translations: its first line names no columns `text` and `translation`"
        hint = "name another file, or delete this one and run `cardlang texts` again"
        raise GameError([Diagnostic(TRANSLATION_CODE, message, Span(source, 0, 0), hint)])
    table = TranslationTable(source, names)
    for line in lines:
        end = Span(source, line[-1].span.end, line[-1].span.end)
        row = dict(zip(names, [*line, *[Cell("", end)] * (len(names) - len(line))], strict=False))
        text = row["text"].text
        if text in table.rows and row["translation"].text not in ("", table.rows[text]["translation"].text):
            table.report(f"“{shorten(text)}” has two translations", row["text"].span, "delete one of the rows")
        if text and (text not in table.rows or not table.rows[text]["translation"].text):
            table.rows[text] = row
    return table


def report_unreadable_table(path: Path, reason: str) -> Diagnostic:
    span = Source(str(path), "").full_span
    return Diagnostic(TRANSLATION_CODE, f"the file {path} {reason}", span, "save it as CSV", warning=True)


def format_translation_table(texts: Iterable[AuthorText], table: TranslationTable | None) -> bytes:
    """Return a table of these texts as CSV, with the translations and other columns of an earlier table.

    Translations without a text come last."""
    headings = table.headings if table else HEADINGS
    rows = dict(table.rows) if table else {}
    target = io.StringIO()
    writer = csv.writer(target)
    writer.writerow(headings)
    uses: dict[str, str] = {}
    for each in texts:
        uses.setdefault(normalize_text(each.text), each.use)
    for text, use in (uses | dict.fromkeys((text for text in rows if text not in uses), UNUSED)).items():
        cells = {name: cell.text for name, cell in rows[text].items()} if text in rows else {}
        if use != UNUSED or cells.get("translation"):
            writer.writerow([(cells | {"use": use, "text": text}).get(name, "") for name in headings])
    return BOM_UTF8 + target.getvalue().encode()
