"""Render a rule sheet as tagged PDF with Typst."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable
from contextlib import suppress
from pathlib import Path
from typing import Final

from cardlang.plain_text import SELECTORS, WRITTEN, harmless
from cardlang.rulesheet.model import RuleSheet
from cardlang.rulesheet.typst_source import quote_piece, source

NOT_SHOWN = re.compile(r'the text `"([^`]*)"` could not be displayed')
ESCAPE = re.compile(r"\\u\{([0-9a-f]+)\}")
"""Typst's notation for invisible characters."""
STANDARD: Final = "ua-1"
"""Standard for accessible PDF: tags, a title, alternative texts. The fonts are always embedded."""


def render(sheet: RuleSheet, paper: str = "a4") -> bytes:
    """Return the sheet as PDF. `paper`: `a4` or `letter`."""
    return typeset(source(sheet, paper), Path(__file__).parent / "templates")


def typeset(program: str, templates: Path) -> bytes:
    """Return the PDF that a Typst program makes. `templates`: the folder of its imports."""
    import typst

    program = f'#set document(keywords: "{WRITTEN}")\n{program}'
    for system in (False, True) if covered(program) else (True,):
        fonts = typst.Fonts(include_system_fonts=system, include_embedded_fonts=True)
        compiler = typst.Compiler(root=str(templates), font_paths=fonts)
        with suppress(typst.TypstError):  # the standard rejects letters without a font
            return one_file(compiler.compile(input=program.encode(), format="pdf", pdf_standards=STANDARD))
    return one_file(compiler.compile(input=program.encode(), format="pdf"))


def one_file(result: object) -> bytes:
    assert isinstance(result, bytes), "a PDF is one file"
    return result


def covered(text: str) -> bool:
    """Return whether the bundled Typst fonts have all letters; if not, system fonts are used in addition."""
    return all(letter < "\u0530" or "\u1e00" <= letter < "\u2c00" for letter in text)


def missing_signs(texts: Iterable[str]) -> list[str]:
    """Return the characters in some texts that no font of Typst or this machine has. They print as boxes."""
    import typst

    words = sorted(
        {word for text in texts if not text.isascii() for word in harmless(text).split() if not word.isascii()}
    )
    if not words:
        return []
    program = "\n".join(['#set document(title: "")', *(f"#text({quote_piece(word)})" for word in words)])
    fonts = typst.Fonts(include_system_fonts=True, include_embedded_fonts=True)
    try:
        typst.Compiler(font_paths=fonts).compile(input=program.encode(), format="pdf", pdf_standards=STANDARD)
    except typst.TypstError as error:
        found = NOT_SHOWN.findall(getattr(error, "diagnostic", "") or str(error))
        return sorted(
            {
                sign
                for part in found
                for sign in ESCAPE.sub(lambda found: chr(int(found[1], 16)), part)
                if not is_joiner(sign)
            }
        )
    return []


def is_joiner(sign: str) -> bool:
    """Return whether a character only joins others or selects their form."""
    return unicodedata.category(sign) == "Cf" or SELECTORS.match(sign) is not None
