"""Custom wording in place of a rule: printed until the rule's meaning changes."""

import re
from collections.abc import Callable
from pathlib import Path

import pytest
from cardlang.rulebook.custom_wording import WORDING_CODE, check_wording_file, load_current_wording
from click.testing import CliRunner, Result

import cardlang
from cardlang.cli.main import cli
from cardlang.rulebook.render import build_rulebook, render_rulebook, render_rulebook_markdown
from tests.game_files import read_game
from tests.rulebook.toll import GAME, WORDS, change, renew


def test_words_stand_for_a_rule_and_for_what_they_cover(toll: Path) -> None:
    sheet = render_rulebook_markdown(cardlang.load(toll))
    assert (
        "1. On your way over, do one of these:\n   - **Run:** Score half of two.\n   - **Rest:** At two coins.\n"
        in sheet
    )
    assert "**Half" not in sheet and "Score the half" not in sheet


def test_a_step_is_carried_out_in_the_words_of_its_author(toll: Path) -> None:
    assert "pays two" in render_rulebook_markdown(cardlang.load(toll))


def test_lines_in_order_with_no_other_before_them_are_the_steps(toll: Path) -> None:
    words = 'instead = ["+ Look: left.", "- Or right.", "+ Pay: {toll}.", "Go.", "+ Home: by noon."]'
    toll.with_suffix(".words").write_text(f'["step turn"]\n{words}\n', encoding="utf-8")
    renew(toll)
    lines = ["1. **Look:** Left.", "   - Or right.", "2. **Pay:** Two.", "3. Go.", "   1. **Home:** By noon."]
    assert "\n".join(lines) in render_rulebook_markdown(cardlang.load(toll))


def test_words_on_who_wins_have_their_list_on_the_sheet_and_are_not_on_the_aid(toll: Path) -> None:
    beside = toll.with_suffix(".words")
    goal = '["goal"]\ninstead = ["Cross often.", "What you win:", "- First: a coin.", "- Last: nothing."]\n'
    beside.write_text(f"{goal}\n{beside.read_text(encoding='utf-8')}", encoding="utf-8")
    renew(toll)
    sheet = build_rulebook(cardlang.load(toll))
    said = "## Goal\n\nCross often. What you win:\n\n- **First:** A coin.\n- **Last:** Nothing.\n"
    assert said in render_rulebook(sheet, "md").decode()


def test_words_for_the_set_up_tell_what_players_begin_with(toll: Path) -> None:
    """Only what these words cover; and what stands under a heading of the whole game comes behind its steps."""
    change(toll, "step play\n", "step setup\n  expect 1 = 1\nstep play\n")
    beside, told = toll.with_suffix(".words"), toll.with_suffix(".words").read_text(encoding="utf-8")
    plain = '["step setup"]\ninstead = ["Sit down."]\n'
    course = '["step play"]\ninstead = ["Cross.", "# At the end", "Count."]\n'
    for covers, said in (("", "1. Each player takes nine coins.\n2. Sit"), ('covers = ["track coins"]\n', "1. Sit")):
        beside.write_text(f"{plain}{covers}{course}{told}", encoding="utf-8")
        renew(toll)
        sheet = render_rulebook_markdown(cardlang.load(toll))
        assert f"## Set-up\n\n{said} down.\n" in sheet
        assert sheet.index("1. Cross.") < sheet.index("On your way over") < sheet.index("### At the end\n\n1. Count.")


@pytest.mark.parametrize(("old", "new"), [("add half to", "add toll to"), ("toll / 2", "toll / 4")])
def test_words_whose_rule_has_changed_are_not_printed(toll: Path, old: str, new: str) -> None:
    """Neither where the rule itself changes, nor one that the words cover. `check` asks to read them again."""
    change(toll, old, new)
    sheet = render_rulebook_markdown(cardlang.load(toll))
    assert "On your way over" not in sheet and "scores " in sheet and "Half" in sheet
    found = CliRunner().invoke(cli, ["check", str(toll), "--format", "concise"]).output
    assert f"warning[{WORDING_CODE}]" in found and "step turn" in found
    renew(toll)
    assert "On your way over" in render_rulebook_markdown(cardlang.load(toll)) and not check_wording_file(
        cardlang.load(toll)
    )


VARIANT = """
variant "Free bridge" "Nobody pays."
  define toll as 0
"""


def test_words_on_a_variant_stand_for_what_it_defines(toll: Path) -> None:
    """As steps, or as a sentence; not any more once the variant is played otherwise."""
    toll.write_text(GAME + VARIANT, encoding="utf-8")
    assert "**Toll:** Zero." in render_rulebook_markdown(cardlang.load(toll))
    beside, told = toll.with_suffix(".words"), '\n["variant Free bridge"]\ninstead = ["Cross at once."{}]\n'
    for more, said in (("", "\nCross at once.\n"), (', "Rest."', "\n1. Cross at once.\n2. Rest.\n")):
        beside.write_text(WORDS + told.format(more), encoding="utf-8")
        renew(toll)
        sheet = render_rulebook_markdown(cardlang.load(toll))
        assert said in sheet and "**Toll:** Zero." not in sheet
    change(toll, "define toll as 0", "define toll as 1")
    assert "Cross at once." not in render_rulebook_markdown(cardlang.load(toll))
    assert [each.code for each in check_wording_file(cardlang.load(toll))] == [WORDING_CODE]


def test_other_words_in_the_game_change_nothing(toll: Path) -> None:
    change(toll, '"Cross over."', '"Go over."')
    change(toll, "with number due", "with number fee")
    change(toll, "subtract due", "subtract fee")
    change(toll.with_suffix(".words"), "{due}", "{fee}")
    assert "step turn" in load_current_wording(cardlang.load(toll)) and not check_wording_file(cardlang.load(toll))


Words = Callable[..., Result]


@pytest.fixture
def words(toll: Path) -> Words:
    """The command `words` for the toll bridge, both of whose rules have changed since their words were read."""
    change(toll, "add half to", "add toll to")
    change(toll, "subtract due from", "subtract (due + 1) from")

    def run(*given: str, typed: str = "") -> Result:
        return CliRunner().invoke(cli, ["words", str(toll), *given], input=typed)

    return run


def outdated(result: Result) -> set[str]:
    return set(re.findall(r"“(.+)” changed, so its custom wording", result.output))


BOTH = {"step turn", "step pass-by"}


def test_the_command_shows_what_is_outdated(words: Words) -> None:
    shown = words()
    assert shown.exit_code == 1 and outdated(shown) == BOTH


@pytest.mark.parametrize("rule", sorted(BOTH))
def test_words_are_accepted_by_name(words: Words, rule: str) -> None:
    accepted = words(rule, "--renew")
    assert accepted.exit_code == 1 and outdated(accepted) == BOTH - {rule}
    assert outdated(words()) == BOTH - {rule}
    assert words(*BOTH, "--renew").exit_code == 0 and words().exit_code == 0


def test_without_a_person_nothing_is_accepted_at_once(words: Words, toll: Path) -> None:
    before = toll.with_suffix(".words").read_bytes()
    refused = words("--renew", typed="y\ny\n")
    assert refused.exit_code == 2 and all(f'"{rule}"' in refused.output for rule in BOTH)
    assert toll.with_suffix(".words").read_bytes() == before


@pytest.mark.parametrize(
    ("typed", "left"),
    [("y\ny\n", set()), ("n\ny\n", {0}), ("y\nq\n", {1}), ("\n\n", {0, 1}), ("", {0, 1}), ("Y\n", {1})],
)
def test_a_person_is_asked_one_by_one(
    words: Words, monkeypatch: pytest.MonkeyPatch, typed: str, left: set[int]
) -> None:
    monkeypatch.setattr("cardlang.cli.commands.words.is_input_terminal", lambda: True)
    order = re.findall(r"“(.+)” changed, so its custom wording", words().output)
    asked = words("--renew", typed=typed)
    assert f"1 of 2: {order[0]}" in asked.output
    assert outdated(words()) == {order[number] for number in left}


def test_nobody_is_asked_about_words_of_today(toll: Path) -> None:
    assert CliRunner().invoke(cli, ["words", str(toll), "--renew"]).exit_code == 0


@pytest.mark.parametrize("given", [["step trun", "--renew"], ["step turn"], ["step turn", "step x", "--renew"]])
def test_a_rule_that_is_named_wrongly_is_refused(words: Words, given: list[str]) -> None:
    refused = words(*given)
    assert refused.exit_code == 2 and outdated(words()) == BOTH


def test_the_words_of_shipped_games_are_of_today(shipped: dict[str, cardlang.Game]) -> None:
    for name, path in cardlang.shipped().items():
        if path.with_suffix(".words").is_file():
            assert not check_wording_file(shipped[name]), name


CATCH = read_game("catch")
COVERING = """\
["step turn"]
instead = ["Haul in the top fish, and count seven for it."]
covers = ["enters boat"]
"""


def test_words_cover_what_happens_when_a_card_comes_somewhere(tmp_path: Path) -> None:
    path = tmp_path / "catch.cardgame"
    path.write_text(CATCH, encoding="utf-8")
    assert "seven" in render_rulebook_markdown(cardlang.load(path))
    path.with_suffix(".words").write_text(COVERING, encoding="utf-8")
    renew(path)
    told = render_rulebook_markdown(cardlang.load(path))
    assert told.count("seven") == 1 and "1. Haul in the top fish, and count seven for it." in told
    change(path, "add 7", "add 8")
    told = render_rulebook_markdown(cardlang.load(path))
    assert "Haul in" not in told and "eight" in told


SET_OUT = (
    CATCH
    + """\
player leader starts at random of players
step setup
  shuffle sea
"""
)
COVERED_OUT = """\
["step setup"]
instead = ["Chance names the leader."]
covers = ["zone sea", "track leader"]
"""


def test_words_cover_a_place_and_what_is_drawn_to_begin_with(tmp_path: Path) -> None:
    path = tmp_path / "catch.cardgame"
    path.write_text(SET_OUT, encoding="utf-8")
    told = render_rulebook_markdown(cardlang.load(path))
    assert "Choose the first leader at random." in told
    path.with_suffix(".words").write_text(COVERED_OUT, encoding="utf-8")
    renew(path)
    told = render_rulebook_markdown(cardlang.load(path))
    assert "1. Chance names the leader.\n" in told and "at random" not in told
