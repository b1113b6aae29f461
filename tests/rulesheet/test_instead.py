"""Words of an author in place of a rule: they stand on the sheet as long as the rule means the same."""

import re
from pathlib import Path

import pytest
from click.testing import CliRunner

import cardlang
from cardlang.cli import cli
from cardlang.rulesheet import aid, build, markdown, rendered, typst_source
from cardlang.rulesheet.links import every
from cardlang.rulesheet.model import Items
from cardlang.told import CODE, current, findings, renewed

GAME = """\
game "Toll" for 2 to 4 players
number your score
number your coins called "coin" plural "coins" starts at 9
define toll as 2
define half as toll / 2
step play
  each player
    do your pass-by with toll
    do your turn
step your pass-by with number due "The bridge."
  subtract due from your coins
step your turn "Cross over."
  add half to your score
"""
WORDS = """\
["step turn"]
instead = ["On your way over, do one of these:", "- Run: score half of {toll}.", "- Rest: at {toll} {coins}."]
covers = ["define half"]

["step pass-by"]
act = "pay {due}"
"""


@pytest.fixture
def toll(tmp_path: Path) -> Path:
    path = tmp_path / "toll.cardgame"
    path.write_text(GAME, encoding="utf-8")
    path.with_suffix(".words").write_text(WORDS, encoding="utf-8")
    renew(path)
    return path


def renew(path: Path) -> None:
    beside = path.with_suffix(".words")
    beside.write_text(renewed(cardlang.load(path), beside), encoding="utf-8")


def change(path: Path, old: str, new: str) -> None:
    text = path.read_text(encoding="utf-8")
    assert old in text
    path.write_text(text.replace(old, new), encoding="utf-8")


def test_words_stand_for_a_rule_and_for_what_they_cover(toll: Path) -> None:
    sheet = markdown(cardlang.load(toll))
    assert (
        "1. On your way over, do one of these:\n   - **Run:** Score half of two.\n   - **Rest:** At two coins.\n"
        in sheet
    )
    assert "**Half" not in sheet and "to your score" not in sheet
    assert "- Half: [Turn](#turn)\n" in sheet


def test_a_step_is_carried_out_in_the_words_of_its_author(toll: Path) -> None:
    assert "1. Pay the toll of two." in markdown(cardlang.load(toll))


def test_words_on_who_wins_have_their_list_on_sheet_and_aid(toll: Path) -> None:
    beside = toll.with_suffix(".words")
    goal = '["goal"]\ninstead = ["Cross often.", "What you win:", "- First: a coin.", "- Last: nothing."]\n'
    beside.write_text(f"{goal}\n{beside.read_text(encoding='utf-8')}", encoding="utf-8")
    renew(toll)
    sheet = build(cardlang.load(toll))
    said = "## How to win\n\nCross often. What you win:\n\n- **First:** A coin.\n- **Last:** Nothing.\n"
    assert all(said in rendered(each, "md").decode() for each in (sheet, aid(sheet)))


def test_a_price_beside_the_name_of_an_option_is_not_in_the_index(toll: Path) -> None:
    change(toll.with_suffix(".words"), "- Run:", "- Run (1 coin):")
    sheet = markdown(cardlang.load(toll))
    assert "- **Run (1 coin):** Score" in sheet and "- Run: [Turn](#turn)\n" in sheet


@pytest.mark.parametrize(("old", "new"), [("add half to", "add toll to"), ("toll / 2", "toll / 4")])
def test_words_whose_rule_has_changed_are_not_printed(toll: Path, old: str, new: str) -> None:
    """Neither where the rule itself changes, nor one that the words cover. `check` asks to read them again."""
    change(toll, old, new)
    sheet = markdown(cardlang.load(toll))
    assert "On your way over" not in sheet and "to your score" in sheet and "Half" in sheet
    found = CliRunner().invoke(cli, ["check", str(toll), "--format", "concise"]).output
    assert f"warning[{CODE}]" in found and "step turn" in found
    renew(toll)
    assert "On your way over" in markdown(cardlang.load(toll)) and not findings(cardlang.load(toll))


VARIANT = """
variant "Free bridge" "Nobody pays."
  define toll as 0
"""


def test_words_on_a_variant_stand_for_what_it_defines(toll: Path) -> None:
    """As steps, or as a sentence; not any more once the variant is played otherwise."""
    toll.write_text(GAME + VARIANT, encoding="utf-8")
    assert "**Toll:** Zero." in markdown(cardlang.load(toll))
    beside, told = toll.with_suffix(".words"), '\n["variant Free bridge"]\ninstead = ["Cross at once."{}]\n'
    for more, said in (("", "\nCross at once.\n"), (', "Rest."', "\n1. Cross at once.\n2. Rest.\n")):
        beside.write_text(WORDS + told.format(more), encoding="utf-8")
        renew(toll)
        sheet = markdown(cardlang.load(toll))
        assert said in sheet and "**Toll:** Zero." not in sheet
    change(toll, "define toll as 0", "define toll as 1")
    assert "Cross at once." not in markdown(cardlang.load(toll))
    assert [each.code for each in findings(cardlang.load(toll))] == [CODE]


def test_other_words_in_the_game_change_nothing(toll: Path) -> None:
    change(toll, '"Cross over."', '"Go over."')
    change(toll, "with number due", "with number fee")
    change(toll, "subtract due", "subtract fee")
    change(toll.with_suffix(".words"), "{due}", "{fee}")
    assert "step turn" in current(cardlang.load(toll)) and not findings(cardlang.load(toll))


EXAMPLE = """\
example "Broke" with Ann, Bob
  given
    Ann: coins 1
  do Ann's pass-by with toll
  expect Ann's coins = -1
"""
SCENE = """
["example Broke"]
instead = ["Ann has one of {toll} coins.", "- She pays it.", "She goes on."]
"""


@pytest.fixture
def scene(toll: Path) -> Path:
    """The game with an example, told by its author and shown under an option."""
    toll.write_text(GAME + EXAMPLE, encoding="utf-8")
    change(toll.with_suffix(".words"), '"- Rest:', '"> Broke", "- Rest:')
    beside = toll.with_suffix(".words")
    beside.write_text(beside.read_text(encoding="utf-8") + SCENE, encoding="utf-8")
    renew(toll)
    return toll


def test_an_example_stands_under_the_line_before_it_as_its_author_tells_it(scene: Path) -> None:
    sections = {section.title: section for section in every(build(cardlang.load(scene)).sections)}
    block = sections["Turn"].blocks[-1]
    assert isinstance(block, Items)
    run, rest = block.items[0].items
    assert run.title == "Run" and rest.story is None and run.story is not None
    assert [(told.text, told.line) for told in run.story.passages] == [
        ("Ann has one of two coins.", 0),
        ("She pays it.", 1),
        ("She goes on.", 0),
    ]
    sheet = markdown(cardlang.load(scene))
    shown = "     **Broke.** Ann has one of two coins.\n\n     1. She pays it.\n\n     She goes on.\n"
    assert shown in sheet and sheet.count("Broke") == 1
    assert "Broke" not in markdown(cardlang.load(scene), "none")


def test_an_example_that_has_changed_is_told_in_generated_sentences(scene: Path) -> None:
    change(scene, "coins 1\n", "coins 2\n")
    change(scene, "coins = -1", "coins = 0")
    sheet = markdown(cardlang.load(scene))
    assert "She pays it" not in sheet and "     **Broke.** Ann has two coins. Ann pays the toll of two. Then" in sheet
    (finding,) = findings(cardlang.load(scene))
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
    assert "**Poor.** Ann pays three." in markdown(cardlang.load(toll)) and not findings(cardlang.load(toll))


def test_an_example_that_is_not_there_is_told(scene: Path) -> None:
    change(scene, '"Broke"', '"Poor"')
    assert {finding.message for finding in findings(cardlang.load(scene))} == {
        "there is no example Broke whose words these could be"
    }
    assert "Broke" not in markdown(cardlang.load(scene))


MARKS = """\
["step turn"]
title = "A crossing"
instead = [
  "Cross over.", "* Mind the gap!", "Then, in this order:", "+ Look: left.", "+ Pay {toll}.",
  "Then:", "- A gate, closed: wait.",
  "# Only in winter", "Slip.", "> Broke",
]

["example Broke"]
instead = ["Ann and Bob:"]
draws = ["hand"]
captions = ["Ann slips"]

["index"]
instead = ["gap", "winter", "Slip", "ice"]
"""
DEALT = """\
kind Suit: Red (r), Blue (b)
cards Pack in deck
  2 of each Suit
zone deck
zone your hand seen by owner
"""


@pytest.fixture
def marked(toll: Path) -> str:
    """The sheet of a game with all that may mark the lines of its words."""
    holding = EXAMPLE.replace("Ann: coins 1", "Ann: coins 1, hand [r]\n    Bob: hand [b]")
    toll.write_text(GAME + DEALT + holding, encoding="utf-8")
    toll.with_suffix(".words").write_text(MARKS, encoding="utf-8")
    renew(toll)
    assert not findings(cardlang.load(toll))
    return markdown(cardlang.load(toll))


def test_lines_under_a_heading_of_their_own_in_order_and_with_words_beside_them(marked: str) -> None:
    assert (
        "### A crossing\n\n*Cross over.*\n\n1. Cross over. *Mind the gap!*\n"
        "2. Then, in this order:\n   1. **Look:** Left.\n   2. Pay two.\n"
        "3. Then:\n   - **A gate, closed:** Wait.\n\n#### Only in winter\n\n1. Slip.\n"
    ) in marked


def test_a_step_is_called_what_its_author_calls_it(marked: str) -> None:
    assert "[“A crossing”](#a-crossing)" in marked and "“Turn”" not in marked


def test_a_title_depends_on_no_rule(toll: Path) -> None:
    """It needs no digest, stays when the rule changes, and does not stand for it."""
    toll.with_suffix(".words").write_text('["step turn"]\ntitle = "A crossing"\n', encoding="utf-8")
    change(toll, "add half to", "add toll to")
    assert not findings(cardlang.load(toll))
    assert "### A crossing\n" in markdown(cardlang.load(toll)) and "to your score" in markdown(cardlang.load(toll))


def test_what_stands_over_drawn_cards_is_what_the_author_says(marked: str) -> None:
    """What he says nothing of is called what it is."""
    assert "**Broke.** Ann and Bob: *Ann slips: Red.* *Bob's hand: Blue.*" in marked


def test_what_is_laid_on_a_place_lies_before_its_cards(toll: Path, marked: str) -> None:
    change(toll.with_suffix(".words"), 'draws = ["hand"]', 'scene = ["open hand"]\nlaid = ["Bob\'s hand: A veil"]')
    assert "*Ann slips: Hand: Red.* *Bob: Hand: A veil and Blue.*" in markdown(cardlang.load(toll))


def test_words_of_an_index_stand_where_the_rules_use_them(marked: str) -> None:
    """What only has a heading or an example, what occurs nowhere, and a case that has a title does not."""
    entries = re.sub(r"\(#.*?\)", "", marked[marked.index("## Index") :]).splitlines()
    assert {"- Gap: [A crossing]", "- Slip: [Only in winter]"} <= {*entries}
    assert not [line for line in entries if line.startswith(("- Ice", "- Winter", "- A gate"))]


WINTER = """\
["step turn"]
instead = [
  "Cross over, and pay the toll to the keeper.", "- Toll: {toll}.",
  "# Only in winter", "Slip.", "- Keeper: asleep.", "# Toll", "Nobody is spared.",
]

["example Broke"]
title = "One crossing"
instead = ["Ann pays the keeper.", "- Toll: she pays two, and holds:", "- She runs."]
draws = ["hand"]
captions = ["Ann"]

["index"]
instead = ["Slip", "Keeper: Turn"]
"""


@pytest.fixture
def winter(toll: Path) -> Path:
    given = "    Ann: coins 1"
    dealt = EXAMPLE.replace(given, "    coins-seen 1\n  given\n    Ann: coins 1, hand [r]")
    toll.write_text(GAME + "number coins-seen\n" + DEALT + dealt, encoding="utf-8")
    toll.with_suffix(".words").write_text(WINTER, encoding="utf-8")
    renew(toll)
    assert not findings(cardlang.load(toll))
    return toll


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


def test_an_example_with_a_title_is_a_chapter_behind_the_rules(winter: Path) -> None:
    told = markdown(cardlang.load(winter))
    assert "\n## One crossing\n\n**Broke.** Ann pays the keeper.\n" in told and told.count("**Broke.**") == 1
    assert told.index("### Toll") < told.index("## One crossing") < told.index("## Index")


def test_a_move_may_have_a_name_and_leads_with_a_colon_to_cards(winter: Path) -> None:
    """The cards are those of the second position: the first line shows those of the first, which has none."""
    assert "1. **Toll:** She pays two, and holds: *Ann: Red.*\n2. She runs.\n" in markdown(cardlang.load(winter))


@pytest.mark.parametrize(
    ("words", "said"),
    [
        ('["step nap"]\ninstead = ["Sleep."]\n', "there is no step nap"),
        ('["step turn"]\ninstead = 3\n', "has to hold instead"),
        ('["step turn"]\nbecause = "So."\n', "has to hold instead"),
        ("turn\n", "cannot be read"),
        ('["step turn"]\ninstead = ["Never read."]\n', "were not read since it changed"),
    ],
)
def test_what_is_wrong_with_a_file_of_words_is_told(toll: Path, words: str, said: str) -> None:
    toll.with_suffix(".words").write_text(words, encoding="utf-8")
    (finding,) = findings(cardlang.load(toll))
    assert said in finding.message and finding.code == CODE and finding.warning
    assert "to your score" in markdown(cardlang.load(toll))


def test_the_command_shows_and_renews(toll: Path) -> None:
    change(toll, "add half to", "add toll to")
    shown = CliRunner().invoke(cli, ["words", str(toll)])
    assert shown.exit_code == 1 and "step turn" in shown.output and "step pass-by" in shown.output
    again = CliRunner().invoke(cli, ["words", str(toll), "--renew"])
    assert again.exit_code == 0 and CODE not in again.output
    text = toll.with_suffix(".words").read_text(encoding="utf-8")
    assert text.count("digest = ") == 2 and "- Run: score half of {toll}." in text
    assert CliRunner().invoke(cli, ["words", str(toll)]).exit_code == 0


def test_the_words_of_shipped_games_are_of_today(shipped: dict[str, cardlang.Game]) -> None:
    for name, path in cardlang.shipped().items():
        if path.with_suffix(".words").is_file():
            assert not findings(shipped[name]), name


CATCH = """\
game "Catch" for 2 players
kind Value: 1 to 9
cards Fish in sea
  1 of each Value
zone sea seen by nobody
zone your boat
number your score
whenever card enters your boat
  add 7 to your score
step play
  each player
    do your turn
step your turn
  take top of sea to your boat
"""
COVERING = """\
["step turn"]
instead = ["Haul in the top fish, and count seven for it."]
covers = ["enters boat"]
"""


def test_words_cover_what_happens_when_a_card_comes_somewhere(tmp_path: Path) -> None:
    path = tmp_path / "catch.cardgame"
    path.write_text(CATCH, encoding="utf-8")
    assert "seven" in markdown(cardlang.load(path))
    path.with_suffix(".words").write_text(COVERING, encoding="utf-8")
    renew(path)
    told = markdown(cardlang.load(path))
    assert told.count("seven") == 1 and "1. Haul in the top fish, and count seven for it." in told
    change(path, "add 7", "add 8")
    told = markdown(cardlang.load(path))
    assert "Haul in" not in told and "eight" in told
