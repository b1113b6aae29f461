"""Plain English in documents: dialect and clutter are rare."""

import re

import pytest

from tests.docs.documents import ROOT

PAGES = sorted(
    path.relative_to(ROOT).as_posix()
    for path in (
        *ROOT.glob("*.md"),
        *(ROOT / "docs").rglob("*.md"),
        *(ROOT / "cardlang" / "diagnostics" / "explanations").glob("*.md"),
    )
    if "rules" not in path.parts
)
HABITS = {
    "a clause in place of a noun": r"(?:^|[.:;,(] |\b(?:of|is|by|with|that|to|and|for|from|on|in|as) )[Ww]hat "
    r"(?:is|are|was|were|has|have|can|may|one|they|it|the|a|no|others|each|you|must|does|did|goes|counts|follows)\b",
    "whoever, those who": r"\b(?:[Ww]hoever|[Ww]hatever|[Tt]hose (?:who|whom|that|which))\b",
    "somebody, nobody": r"\b(?:[Ss]ome|[Nn]o|[Ee]very|[Aa]ny)body\b",
    "tell, told": r"\b(?:tells?|told|telling)\b|\b(?:is|are) said\b",
    "stands, lies": r"\b(?:stands?|stood|lies|lying)\b",
    "anew, at once, beside": r"\b(?:anew|afresh|at once|any more|besides?|beneath|mended?|by chance)\b",
    "one's": r"\bone's\b|\bone (?:can|has|is|may|does|sees|holds|wants|looks|knows|plays)\b",
    "also, too at the end": r", also\b|,? too[,.;:]",
    "where for if": r"(?:^|[.;:,] )[Ww]here (?:it|an?|the|no|there|others|that|this|they|one|nothing|all|players)\b",
}
LONGEST, LONG_SHARE = 25, 0.05


def prose(page: str) -> str:
    """Return a page without blocks, headings, tables, code and link targets."""
    text = re.sub(r"^```.*?^```", "", (ROOT / page).read_text("utf-8"), flags=re.MULTILINE | re.DOTALL)
    text = re.sub(r"^(?: {4,}|#|\|).*$", "", text, flags=re.MULTILINE)
    return re.sub(r"\[([^\]]*)\]\([^)]*\)|[*_>|]", r"\1 ", re.sub(r"`[^`]*`", "X", text))


@pytest.mark.parametrize("page", PAGES)
def test_pages_avoid_dialect(page: str) -> None:
    text = prose(page)
    found = {habit: re.findall(pattern, text, re.MULTILINE) for habit, pattern in HABITS.items()}
    assert not {habit: hits for habit, hits in found.items() if len(hits) > len(text.split()) / 1000}


@pytest.mark.parametrize("page", PAGES)
def test_pages_have_few_long_sentences(page: str) -> None:
    sentences = [each for each in re.split(r"(?<=[.!?])\s+|\n{2,}|\n[-0-9]", prose(page)) if len(each.split()) > 3]
    long = [each for each in sentences if len(each.split()) > LONGEST]
    assert len(long) <= LONG_SHARE * len(sentences), long
