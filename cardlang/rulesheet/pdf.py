"""A rule sheet as a tagged PDF, set by typst."""

from __future__ import annotations

from pathlib import Path
from typing import Final

from cardlang.plain_text import WRITTEN
from cardlang.rulesheet.model import RuleSheet
from cardlang.rulesheet.typst_source import source

INSTALL = 'pip install "cardlang[pdf]"'
STANDARD: Final = "ua-1"
"""Accessible: tags, a title, alternative texts. The fonts are embedded in any case."""


class NoTypst(Exception):
    """The optional package for PDF is not installed. The message says how to install it."""

    def __init__(self) -> None:
        super().__init__(f"PDF needs the package typst: {INSTALL}")


def render(sheet: RuleSheet, paper: str = "a4") -> bytes:
    """The sheet as PDF. `paper`: `a4` or `letter`. Raises NoTypst where the extra `pdf` is not installed."""
    return typeset(source(sheet, paper), Path(__file__).parent / "templates")


def typeset(program: str, templates: Path) -> bytes:
    """The PDF that a typst program makes. `templates`: the folder of what it imports. Raises NoTypst."""
    try:
        import typst
    except ImportError:
        raise NoTypst from None
    fonts = typst.Fonts(include_system_fonts=not covered(program), include_embedded_fonts=True)
    program = f'#set document(keywords: "{WRITTEN}")\n{program}'
    compiler = typst.Compiler(root=str(templates), font_paths=fonts)
    try:
        result = compiler.compile(input=program.encode(), format="pdf", pdf_standards=STANDARD)
    except typst.TypstError:  # the standard refuses letters that no font of this machine has
        result = compiler.compile(input=program.encode(), format="pdf")
    assert isinstance(result, bytes)
    return result


def covered(text: str) -> bool:
    """Whether the fonts that come with typst have all letters: if not, those of the system are searched too."""
    return all(letter < "\u0530" or "\u1e00" <= letter < "\u2c00" for letter in text)
