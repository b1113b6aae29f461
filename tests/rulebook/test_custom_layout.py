"""Custom layout: lists, headings, side notes, titles, cards and pictures."""

from pathlib import Path

import pytest
from cardlang.rulebook.custom_wording import check_wording_file

import cardlang
from cardlang.cards.card_svg import CardSide
from cardlang.rulebook.anchors_and_index import walk_sections
from cardlang.rulebook.model import ItemList, Picture
from cardlang.rulebook.plan.card_faces import build_printed_cards
from cardlang.rulebook.render import build_rulebook, render_rulebook_markdown
from tests.rulebook.toll import DEALT, EXAMPLE, GAME, change, renew


def test_lines_under_a_heading_of_their_own_in_order_and_with_words_beside_them(marked: str) -> None:
    assert (
        "### A crossing\n\n*Cross over.*\n\n1. Cross over. *Mind the gap!*\n"
        "2. Then, in this order:\n   1. **Look:** Left.\n   2. Pay two.\n"
        "3. Then:\n   - **A gate, closed:** Wait.\n\n#### Only in winter\n\n1. Slip.\n"
    ) in marked


def test_a_step_is_called_what_its_author_calls_it(marked: str) -> None:
    assert "[a crossing](#a-crossing)" in marked and "“Turn”" not in marked


def test_a_title_depends_on_no_rule(toll: Path) -> None:
    """It needs no digest, stays when the rule changes, and does not stand for it."""
    toll.with_suffix(".words").write_text('["step turn"]\ntitle = "A crossing"\n', encoding="utf-8")
    change(toll, "add half to", "add toll to")
    assert not check_wording_file(cardlang.load(toll))
    assert "### A crossing\n" in render_rulebook_markdown(
        cardlang.load(toll)
    ) and "Score two" in render_rulebook_markdown(cardlang.load(toll))


def test_what_stands_over_drawn_cards_is_what_the_author_says(marked: str) -> None:
    """What he says nothing of is called what it is."""
    assert "**Broke.** Ann and Bob: *Ann slips: Red. Bob's hand: Blue.*" in marked


def test_what_is_laid_on_a_place_lies_before_its_cards(toll: Path, marked: str) -> None:
    change(toll.with_suffix(".words"), 'draws = ["hand"]', 'scene = ["open hand"]\nlaid = ["Bob\'s hand: A veil"]')
    assert "*Ann slips: Hand: Red.* *Bob: Hand: A veil and Blue.*" in render_rulebook_markdown(cardlang.load(toll))


def test_an_example_with_a_title_is_a_chapter_behind_the_rules(winter: Path) -> None:
    told = render_rulebook_markdown(cardlang.load(winter))
    assert "\n## One crossing\n\n**Broke.** Ann pays the keeper.\n" in told and told.count("**Broke.**") == 1
    assert told.index("### Toll") < told.index("## One crossing")


def test_a_move_may_have_a_name_and_leads_with_a_colon_to_cards(winter: Path) -> None:
    """The cards are those of the second position: the first line shows those of the first, which has none."""
    assert "1. **Toll:** She pays two, and holds: *Ann: Red.*\n2. She runs.\n" in render_rulebook_markdown(
        cardlang.load(winter)
    )


LISTED = """\
["step turn"]
instead = [
  "Cross over:",
  "~ Look: left, then right", "~ Walk", "~ Rest", "~ Walk > Look: until you are over", "~ Look > Rest: when it rains",
  "Pay by the hour:",
  "| Hour | Toll |", "| by day | {toll} |", "| at night |",
]
"""


@pytest.fixture
def listed(toll: Path) -> Path:
    toll.with_suffix(".words").write_text(LISTED, encoding="utf-8")
    renew(toll)
    return toll


def test_rows_are_a_table_under_the_line_before_them(listed: Path) -> None:
    """What a row does not say is empty."""
    said = "| Hour | Toll |\n   | --- | --- |\n   | by day | two |\n   | at night |  |\n"
    assert f"2. Pay by the hour:\n\n   {said}" in render_rulebook_markdown(cardlang.load(listed))


def test_boxes_and_arrows_are_a_diagram_and_told_in_words(listed: Path) -> None:
    """The last box that leads back leads to nothing else; the aid has no pictures."""
    told = (
        "*Look: left, then right; Walk; Rest. From “Walk” an arrow leads to “Look”: until you are over. "
        "From “Look” an arrow leads to “Rest”: when it rains.*"
    )
    assert told in render_rulebook_markdown(cardlang.load(listed))
    sections = {section.title: section for section in walk_sections(build_rulebook(cardlang.load(listed)).sections)}
    block = sections["Turn"].blocks[-1]
    assert isinstance(block, ItemList)
    (picture,) = block.items[0].figures
    assert isinstance(picture, Picture)
    svg = picture.panels[0].svg
    assert svg.count("<rect") == 3 + 2 and svg.count('fill="none"') == 1 + 2
    assert svg.index("when it rains") < svg.index("until you are over")


def test_a_pile_is_spread_with_what_lies_in_it_and_boxes_stand_in_an_example(toll: Path) -> None:
    dealt = EXAMPLE.replace("Ann: coins 1", "Ann: coins 1\n    deck [r b]")
    toll.write_text(GAME + DEALT + dealt, encoding="utf-8")
    told = '["example Broke"]\ninstead = ["A gate:", "~ Knock", "~ Wait"]\n'
    beside = toll.with_suffix(".words")
    beside.write_text(told, encoding="utf-8")
    renew(toll)
    assert "*Knock; Wait.*" in render_rulebook_markdown(cardlang.load(toll))
    change(beside, ', "~ Knock", "~ Wait"]', ']\nscene = ["open deck"]\nlaid = ["deck: Ice on Blue"]')
    assert "Deck: Red." in render_rulebook_markdown(cardlang.load(toll))
    change(beside, "laid", 'spread = ["deck"]\nlaid')
    assert "Deck: Red, Ice and Blue." in render_rulebook_markdown(cardlang.load(toll))


def test_a_component_is_shown_with_what_its_author_writes_on_it(toll: Path) -> None:
    toll.write_text(GAME + DEALT + 'component 3 "ticket"\n', encoding="utf-8")
    told = '["component ticket"]\ntitle = "Day pass"\nlabels = ["title: What it is"]\ncaptions = ["A ticket"]\n'
    toll.with_suffix(".words").write_text(told, encoding="utf-8")
    renew(toll)
    assert not check_wording_file(cardlang.load(toll))
    assert "*A ticket: Day pass: What it is.*" in render_rulebook_markdown(cardlang.load(toll))


def test_cards_print_the_line_of_another_rule_that_is_called_as_their_type(shipped: dict[str, cardlang.Game]) -> None:
    """On both sides of a Character, and not that of another type."""
    (jack,) = (card for card in build_printed_cards(shipped["tail_story"]) if card.front.title == "Jack, the Beagle")
    for side in (jack.front, jack.back):
        assert isinstance(side, CardSide)
        titles = [passage.title for passage in side.passages if passage.title]
        assert titles == ["Canine (once in a turn)"]
