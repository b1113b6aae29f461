"""Index: explained terms and their sections."""

from cardlang.rulebook.anchors_and_index import add_index, build_index
from cardlang.rulebook.model import Item, ItemList, Paragraph, Section, SectionReference


def build_terms_section(title: str, *terms: str) -> Section:
    items = tuple(Item("Something.", title=term) for term in terms)
    return Section(title, (ItemList(items, bullets=True),), anchor=title.lower())


def test_index_is_alphabetical() -> None:
    sections = (build_terms_section("Turn", "Tax", "bonus"), build_terms_section("Scoring", "Tax"))
    assert build_index(sections) == (
        ("bonus", SectionReference("Turn", "turn")),
        ("Tax", SectionReference("Turn", "turn")),
    )


def test_headings_are_not_in_the_index() -> None:
    assert build_index((build_terms_section("Turn", "Scoring"), Section("Scoring"))) == ()


def test_numbered_steps_are_not_listed() -> None:
    assert build_index((Section("Turn", (ItemList((Item("Look.", title="Look"),)),)),)) == ()


def test_only_a_long_rulebook_has_an_index() -> None:
    short = (build_terms_section("Turn", "Tax"),)
    assert add_index(short) == short
    long = (*short, Section("Story", (Paragraph("word " * 2000),)))
    assert [section.title for section in add_index(long)] == ["Turn", "Story", "Index"]
