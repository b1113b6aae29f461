"""Renderers of a rulebook: Markdown, HTML and PDF.

This package knows English. It does not depend on the syntax of games or on the interpreter.
"""

from __future__ import annotations

from attrs import evolve

from cardlang.model import Game
from cardlang.rulebook.authored_rulebook.assembly import build_generated_rulebook, open_rules_file
from cardlang.rulebook.model import Rulebook
from cardlang.rulebook.plan.player_aid import build_generated_player_aid
from cardlang.rulebook.plan.term_and_example_placement import ExampleSelection
from cardlang.rulebook.render.markdown import render_markdown

__all__ = [
    "ExampleSelection",
    "Rulebook",
    "build_generated_rulebook",
    "build_player_aid",
    "build_rulebook",
    "render_rulebook",
    "render_rulebook_markdown",
]


def build_rulebook(game: Game, date: str = "", examples: ExampleSelection = "few") -> Rulebook:
    """Return the rulebook of a game: its rules file, if there is one that can be read, else the generated rulebook.

    `date`: the last change of its source. A variant has a generated rulebook.
    """
    reader = open_rules_file(game, date, examples)
    if reader is None or not reader.file.sections:
        return build_generated_rulebook(game, date, examples)
    return reader.build_rulebook()


def build_player_aid(game: Game, date: str = "") -> Rulebook:
    """Return the player aid of a game: from its rules file if it has one that is up to date, else generated."""
    reader = open_rules_file(game, date, "none")
    sections = reader.build_player_aid_sections() if reader is not None else ()
    generated = build_generated_player_aid(game, date)
    return evolve(generated, sections=sections) if sections else generated


def render_rulebook_markdown(game: Game, examples: ExampleSelection = "few") -> str:
    """Return the rulebook of a game as plain Markdown. All texts of the game are escaped."""
    return render_markdown(build_rulebook(game, examples=examples))


def render_rulebook(rulebook: Rulebook, file_format: str, paper: str = "a4") -> bytes:
    """Return a rulebook in a format (`md`, `html`, `pdf`), as the bytes of a file. `paper`: `a4` or `letter`."""
    if file_format == "md":
        return render_markdown(rulebook).encode()
    if file_format == "html":
        from cardlang.rulebook.render import html

        return html.render_html(rulebook, paper).encode()
    from cardlang.rulebook.render import typst_pdf

    return typst_pdf.render_pdf(rulebook, paper)
