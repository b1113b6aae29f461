"""The index: what its author lists, and where an entry leads."""

import re
from pathlib import Path

import cardlang
from cardlang.rulesheet import build, markdown, typst_source


def test_words_of_an_index_stand_where_the_rules_use_them(marked: str) -> None:
    """What only has a heading or an example, what occurs nowhere, and a case that has a title does not."""
    entries = re.sub(r"\(#.*?\)", "", marked[marked.index("## Index") :]).splitlines()
    assert {"- Gap: [A crossing]", "- Slip: [Only in winter]"} <= {*entries}
    assert not [line for line in entries if line.startswith(("- Ice", "- Winter", "- A gate"))]


def test_the_index_begins_with_the_section_called_so_or_that_the_author_names(winter: Path) -> None:
    told = markdown(cardlang.load(winter))
    entries = re.sub(r"\(#.*?\)", "", told[told.index("## Index") :]).splitlines()
    assert "- Keeper: [Turn], [Only in winter]" in entries
    assert [line for line in entries if line.startswith("- Toll: [Toll], [")]


def test_the_index_names_the_page_of_the_line_that_is_meant(winter: Path) -> None:
    """Not that on which its section begins: the second line about winter is the keeper's."""
    program = typst_source.source(build(cardlang.load(winter)), "a4")
    assert 'label("only-in-winter"), label("only-in-winter.2")' in program
    assert '[#metadata(none)#label("only-in-winter.2")] + strong("Keeper:")' in program
