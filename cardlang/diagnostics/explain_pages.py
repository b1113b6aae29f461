"""Pages that explain error codes, with failing and corrected examples. Pages of lint rules are their docstrings."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

from attrs import frozen

PAGES_FOLDER = Path(__file__).parent / "explanations"
PAGE_PATTERN = re.compile(r"^# (?P<code>[ERWN]\d{3}) (?P<title>.+)\n\n(?P<rest>(?:(?!# ).*\n)*)", re.MULTILINE)
EXAMPLE_PATTERN = re.compile(r"^(Wrong|Right):\n\n((?:(?: {4}.*)?\n)+)", re.MULTILINE)


@frozen
class CodeExplanation:
    """Explanation of one code. `wrong` and `right` are lines of a game file, empty if no file can show the problem."""

    code: str
    title: str
    text: str
    wrong: str
    right: str

    def __str__(self) -> str:
        parts = [f"{self.code}: {self.title}", self.text]
        for heading, lines in (("Wrong:", self.wrong), ("Right:", self.right)):
            if lines:
                parts.append(heading)
                parts.append("".join(f"    {line}".rstrip() + "\n" for line in lines.splitlines()).rstrip())
        return "\n\n".join(parts)


def read_explanations() -> Iterator[CodeExplanation]:
    """Read the pages of the codes that are not those of rules from the Markdown files."""
    for path in PAGES_FOLDER.glob("*.md"):
        for match in PAGE_PATTERN.finditer(path.read_text("utf-8") + "\n"):
            yield parse_explanation(match["code"], match["title"], match["rest"])


def parse_explanation(code: str, title: str, page: str) -> CodeExplanation:
    """Split a page into its text and its examples."""
    examples = {heading: dedent(lines) for heading, lines in EXAMPLE_PATTERN.findall(page + "\n")}
    text = EXAMPLE_PATTERN.split(page + "\n")[0].strip()
    return CodeExplanation(code, title, text, examples.get("Wrong", ""), examples.get("Right", ""))


def dedent(lines: str) -> str:
    """Remove the indentation of a Markdown code block."""
    return "\n".join(line[4:] for line in lines.rstrip("\n").split("\n")) + "\n"
