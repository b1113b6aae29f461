"""Custom wording of examples: position, and pictures next to them."""

import re
from pathlib import Path

from cardlang.rulebook.custom_wording import check_wording_file

import cardlang
from cardlang.rulebook.anchors_and_index import walk_sections
from cardlang.rulebook.model import ItemList, WorkedExample
from cardlang.rulebook.render import build_rulebook, render_rulebook_markdown
from tests.rulebook.toll import GAME, WORDS, change, renew


def test_an_example_stands_under_the_line_before_it_as_its_author_tells_it(scene: Path) -> None:
    sections = {section.title: section for section in walk_sections(build_rulebook(cardlang.load(scene)).sections)}
    block = sections["Turn"].blocks[-1]
    assert isinstance(block, ItemList)
    run, rest = block.items[0].items
    assert run.title == "Run" and rest.example is None and run.example is not None
    assert [(told.text, told.line_number) for told in run.example.passages] == [
        ("Ann has one of two coins.", 0),
        ("She pays it.", 1),
        ("She goes on.", 0),
    ]
    sheet = render_rulebook_markdown(cardlang.load(scene))
    shown = "     **Broke.** Ann has one of two coins.\n\n     1. She pays it.\n\n     She goes on.\n"
    assert shown in sheet and sheet.count("Broke") == 1
    assert "Broke" not in render_rulebook_markdown(cardlang.load(scene), "none")


def test_an_example_that_has_changed_is_told_in_generated_sentences(scene: Path) -> None:
    change(scene, "coins 1\n", "coins 2\n")
    change(scene, "coins = -1", "coins = 0")
    sheet = render_rulebook_markdown(cardlang.load(scene))
    assert "She pays it" not in sheet and "     **Broke.** Ann has two coins. Ann pays two." in sheet
    (finding,) = check_wording_file(cardlang.load(scene))
    assert "example Broke" in finding.message


def test_an_example_of_a_variant_is_told_with_its_values(toll: Path) -> None:
    dear = """\
variant "Dear"
  define toll as 3
  example "Poor" with Ann, Bob
    given
      Ann: coins 1
    do Ann's pass-by with toll
    expect Ann's coins = -2
"""
    toll.write_text(GAME + dear, encoding="utf-8")
    beside = toll.with_suffix(".words")
    beside.write_text(WORDS + '["example Poor"]\ninstead = ["Ann pays {toll}."]\n', encoding="utf-8")
    renew(toll)
    assert "**Poor.** Ann pays three." in render_rulebook_markdown(cardlang.load(toll)) and not check_wording_file(
        cardlang.load(toll)
    )


def test_numbers_are_drawn_as_bars_and_cut_where_the_author_says(toll: Path) -> None:
    """Ann's 5 reach 2 above the cut at 3; Bob's 3 end at it."""
    given = "    given\n      Ann: coins 5\n      Bob: coins 3\n    do Ann's turn\n"
    toll.write_text(GAME + f'example "Two pots" with Ann, Bob\n{given}'.replace("    ", "  "), encoding="utf-8")
    told = 'instead = ["So:"]\nbars = ["coins"]\ncuts = ["3: Main: 6", "5: Side: 2"]\ncaptions = ["Ann, in"]\n'
    toll.with_suffix(".words").write_text(f'["example Two pots"]\n{told}', encoding="utf-8")
    renew(toll)
    game = cardlang.load(toll)
    assert "Ann, in: 5; Bob: 3. Up to 3: Main: 6. Up to 5: Side: 2." in render_rulebook_markdown(
        game
    ) and not check_wording_file(game)
    found = [
        block
        for section in walk_sections(build_rulebook(game).sections)
        for block in section.blocks
        if isinstance(block, WorkedExample)
    ]
    (panel,) = [each.picture.panels[0] for each in found[0].passages if each.picture is not None]
    assert re.findall(">([^<>]+)</text>", panel.svg) == ["Main: 6", "Side: 2", "3", "2", "Ann, in", "3", "Bob"]
