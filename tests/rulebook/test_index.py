"""Index: listed entries and their targets."""

import re
from pathlib import Path

import cardlang
from cardlang.english import morphology
from cardlang.rulebook.render import build_rulebook, render_rulebook_markdown, typst_pdf
from tests.rulebook.toll import renew


def test_words_of_an_index_stand_where_the_rules_use_them(marked: str) -> None:
    """What only has a heading or an example, what occurs nowhere, and a case that has a title does not."""
    entries = re.sub(r"\(#.*?\)", "", marked[marked.index("## Index") :]).splitlines()
    assert {"- Gap: [A crossing]", "- Slip: [Only in winter]"} <= {*entries}
    assert not [line for line in entries if line.startswith(("- Ice", "- Winter", "- A gate"))]


def test_the_index_begins_with_the_section_called_so_or_that_the_author_names(winter: Path) -> None:
    told = render_rulebook_markdown(cardlang.load(winter))
    entries = re.sub(r"\(#.*?\)", "", told[told.index("## Index") :]).splitlines()
    assert "- Keeper: [Turn], [Only in winter]" in entries
    assert [line for line in entries if line.startswith("- Toll: [Toll], [")]


def test_the_index_names_the_page_of_the_line_that_is_meant(winter: Path) -> None:
    """Not that on which its section begins: the second line about winter is the keeper's."""
    program = typst_pdf.build_typst_program(build_rulebook(cardlang.load(winter)), "a4")
    assert 'label("only-in-winter"), label("only-in-winter.2")' in program
    assert '[#metadata(none)#label("only-in-winter.2")] + strong("Keeper:")' in program


def test_an_index_names_every_rank_and_leads_to_the_rule_before_the_plan(shipped: dict[str, cardlang.Game]) -> None:
    """A rank of so many things is looked up by their name: `3, 4, 5 Pretty Sisters` stand between O and R."""
    told = render_rulebook_markdown(shipped["tall_card"])
    entries = dict(re.findall(r"^- (.+?): (\[.*)$", told[told.index("## Index") :], re.MULTILINE))
    parts = [re.fullmatch(r"(?:([\d, ]+) )?(.+)", entry) for entry in entries]
    whole = {
        " ".join(filter(None, (count, part[2]))) for part in parts if part for count in (part[1] or "").split(", ")
    }
    ranks = [rank.title for rank in shipped["tall_card"].rankings["Rank"].ranks]
    assert len(ranks) == 24 and not [rank for rank in ranks if not {rank, morphology.pluralize(rank)} & whole]
    names = [re.sub(r"^[\d, ]+", "", entry).casefold() for entry in entries]
    assert "3, 4, 5 Pretty Sisters" in entries and names == sorted(names)
    assert re.findall(r"\[(.*?)\]", entries["Deck"])[-1] == "On the table" != entries["Deck"][1:13]


def test_no_step_that_is_numbered_and_nothing_its_author_leaves_out_is_in_the_index(winter: Path) -> None:
    listed = (
        '["step turn"]\ninstead = ["Then:", "+ Look: left.", "Or:", "- Rest: sit."]\n["index"]\nwithout = ["Hand"]\n'
    )
    winter.with_suffix(".words").write_text(listed, encoding="utf-8")
    renew(winter)
    told = render_rulebook_markdown(cardlang.load(winter))
    assert not re.search(r"^- (Look|Hand): ", told, re.MULTILINE)
    assert "- Turn: [Turn](#turn)" in told
