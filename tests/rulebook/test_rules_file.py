"""Rules files: Markdown next to a game, what it prints, and the warnings about it."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from click.testing import CliRunner

import cardlang
from cardlang.cli.commands import review
from cardlang.cli.commands.explain import collect_explanations
from cardlang.cli.main import cli as main
from cardlang.diagnostics.explain_pages import CodeExplanation
from cardlang.rulebook.authored_rulebook.assembly import CHANGED_LEAD, UNREAD_MARK
from cardlang.rulebook.authored_rulebook.generated_draft import build_draft
from cardlang.rulebook.authored_rulebook.rulebook_warnings import check_rules_file
from cardlang.rulebook.render import build_generated_rulebook, build_rulebook, render_rulebook
from tests.game_files import build_example_game

TOLD = "\n\n# Told\n\n<!-- rules: goal, contents, step play, whenever -->\n"
"""A section that tells all rules of the example game."""


@pytest.fixture
def write_files(tmp_path: Path) -> Callable[..., Path]:
    """Write a game and its rules file. Return the path of the game."""

    def write(rules: str, game: str = "") -> Path:
        path = tmp_path / "small.cardgame"
        path.write_text(game or build_example_game(""), encoding="utf-8")
        path.with_name("small.rules.md").write_text(rules, encoding="utf-8")
        return path

    return write


def find_codes(path: Path) -> set[str]:
    return {finding.code for finding in check_rules_file(cardlang.load(path))}


@pytest.mark.parametrize(
    "page",
    [page for code, page in collect_explanations().items() if code.startswith("W45")],
    ids=lambda page: page.code,
)
def test_only_the_wrong_example_of_a_warning_has_it(page: CodeExplanation, write_files: Callable[..., Path]) -> None:
    told = "" if page.code == "W454" else TOLD
    wrong = find_codes(write_files(f"# Small\n{page.wrong}{told}"))
    right = find_codes(write_files(f"# Small\n{page.right}{told}"))
    assert page.code in wrong
    assert page.code == "W450" or page.code not in right
    assert wrong - right <= {page.code}


@pytest.mark.parametrize("name", sorted(cardlang.shipped()))
def test_a_draft_prints_the_generated_rulebook(name: str, tmp_path: Path) -> None:
    """Both as drafted, and if all its text counts as the author's."""
    path = tmp_path / f"{name}.cardgame"
    path.write_text(cardlang.shipped()[name].read_text("utf-8"), encoding="utf-8")
    game = cardlang.load(path)
    generated = build_generated_rulebook(game)
    path.with_name(f"{name}.rules.md").write_text(build_draft(game, generated), encoding="utf-8")
    assert render_rulebook(build_rulebook(game), "md") == render_rulebook(generated, "md")
    assert not find_codes(path) - {"W454"}


SHELVES = """\
game "Shelves" for 2 to 4 players
cards Tea in deck
  20 of "Cup"
zone deck seen by nobody
zone shelf
zone your hand seen by owner
number your drops starts at 3
player starter starts at random of players
define shelf-size as 4
step setup
  shuffle deck
  do refill
step refill
  deal top shelf-size of deck to shelf
  shuffle deck
  deal top 1 of deck to players' hand
step play
  each player from starter
    set your drops to 0
    draw top of deck to your hand
define winners as highest of players by drops
"""
"""A game whose set-up prints starting values, and calls a step that uses a definition."""


def review_all(path: Path) -> None:
    """Accept all sections of the rulebook of a game."""
    for state in review.read_rulebook(str(path)).states:
        review.accept_section(str(path), state.section.key)


@pytest.mark.parametrize(
    ("old", "new"),
    [("starts at 3", "starts at 5"), ("shelf-size as 4", "shelf-size as 6"), ("top 1 of", "top 2 of")],
)
def test_a_set_up_is_outdated_if_its_values_or_called_steps_change(
    old: str, new: str, write_files: Callable[..., Path]
) -> None:
    path = write_files("# Shelves\n\n## Setup\n\nTake 3 drops.\n\n<!-- rules: step setup -->\n", SHELVES)
    review_all(path)
    assert "W450" not in find_codes(path)
    path.write_text(SHELVES.replace(old, new), encoding="utf-8")
    assert "W450" in find_codes(path)


def test_a_step_that_another_section_names_counts_only_there(write_files: Callable[..., Path]) -> None:
    rules = (
        "# Shelves\n\n## Setup\n\nShuffle.\n\n<!-- rules: step setup -->\n\n## Refill\n\n<!-- rules: step refill -->\n"
    )
    path = write_files(rules, SHELVES)
    review_all(path)
    path.write_text(SHELVES.replace("shelf-size as 4", "shelf-size as 6"), encoding="utf-8")
    outdated = [state.section.title for state in review.read_rulebook(str(path)).states if state.is_outdated]
    assert outdated == ["Refill"]


def test_review_shows_no_comments_of_cardlang(write_files: Callable[..., Path]) -> None:
    path = write_files("# Shelves\n\n## Refill\n\nFill up.\n\n<!-- rules: step refill -->\n", SHELVES)
    review_all(path)
    reader = review.read_rulebook(str(path))
    assert "<!-- read" in reader.file.source.text
    assert list(review.describe_section(reader, reader.states[-1], ""))[-2:] == ["  Your text:", "    Fill up."]


@pytest.mark.parametrize("content", [b"", b"# Shelves\n", b"\xff\xfe\x00", b"x" * 300_000])
def test_commands_report_a_rulebook_that_is_not_printed(content: bytes, write_files: Callable[..., Path]) -> None:
    path = write_files("", SHELVES)
    path.with_name("small.rules.md").write_bytes(content)
    assert "W459" in find_codes(path)
    written = CliRunner().invoke(main, ["docs", str(path)])
    assert (written.exit_code, written.stderr.count("W459")) == (0, 1)
    reviewed = CliRunner().invoke(main, ["review", str(path)])
    assert reviewed.exit_code == 1
    assert "up to date" not in reviewed.output


def test_values_of_kinds_in_braces_are_icons(write_files: Callable[..., Path]) -> None:
    game = SHELVES.replace("  20 of", "  1 of each Plant\n  20 of").replace(
        "cards Tea", "kind Plant: Oak, Qqq\ncards Tea", 1
    )
    path = write_files("# Shelves\n\nTake an {Oak}, a \\{Oak} or a {Qqq}.\n\n{Oaks}", game)
    rulebook = build_rulebook(cardlang.load(path))
    assert "Take an Oak, a {Oak} or a Qqq." in render_rulebook(rulebook, "md").decode()
    page = render_rulebook(rulebook, "html").decode()
    assert 'Take an <svg class="mark" role="img" aria-label="Oak"' in page and "</svg>, a {Oak} or a <svg" in page
    (unknown,) = (each for each in check_rules_file(cardlang.load(path)) if each.code == "W451")
    assert "Did you mean “Oak”?" in unknown.hint


def test_docs_prints_at_most_ten_warnings(write_files: Callable[..., Path]) -> None:
    path = write_files("# Shelves\n\nText\n\n" + "".join(f"{{gap{number}}}\n\n" for number in range(12)), SHELVES)
    lines = CliRunner().invoke(main, ["docs", str(path)]).stderr.splitlines()
    assert (len(lines), lines[-1][:4]) == (11, "and ")


@pytest.mark.parametrize("added", ["More text.", "<!-- rules: gaol -->", "```card Cup\n```"])
def test_additions_to_a_section_print_no_claim_that_rules_changed(added: str, write_files: Callable[..., Path]) -> None:
    rules = "# Shelves\n\n## Setup\n\nTake 3 drops.\n\n<!-- rules: step setup -->\n"
    path = write_files(rules, SHELVES)
    review_all(path)
    file = path.with_name("small.rules.md")
    file.write_text(file.read_text("utf-8").replace("Take 3 drops.", f"Take 3 drops.\n\n{added}"), encoding="utf-8")
    assert CHANGED_LEAD not in render_rulebook(build_rulebook(cardlang.load(path)), "md").decode()
    assert ("W451" in find_codes(path)) == ("gaol" in added)


def test_an_unknown_rule_in_an_unread_section_prints_no_mark(write_files: Callable[..., Path]) -> None:
    path = write_files("# Shelves\n\n## Prison\n\nGo.\n\n<!-- rules: gaol -->\n", SHELVES)
    assert CHANGED_LEAD not in render_rulebook(build_rulebook(cardlang.load(path)), "md").decode()


@pytest.mark.parametrize("cut", [2, 5, 7, 9, 20, 40, 50, 60, 65, 70, -3, -8])
def test_a_cut_digest_comment_is_not_printed_and_is_replaced(cut: int, write_files: Callable[..., Path]) -> None:
    path = write_files("# Shelves\n\n## Setup\n\nTake 3 drops.\n\n<!-- rules: step setup -->\n", SHELVES)
    review_all(path)
    file, whole = path.with_name("small.rules.md"), render_rulebook(build_rulebook(cardlang.load(path)), "md")
    reviewed = file.read_text("utf-8")
    end = cut + (reviewed.index("<!-- read") if cut > 0 else len(reviewed))
    file.write_text(reviewed[:end], encoding="utf-8")
    printed = render_rulebook(build_rulebook(cardlang.load(path)), "md").decode()
    assert printed.replace(f"**{UNREAD_MARK}**\n\n", "") == whole.decode()
    review_all(path)
    assert file.read_text("utf-8").split() == reviewed.split()


def test_text_after_an_unclosed_digest_comment_is_printed(write_files: Callable[..., Path]) -> None:
    path = write_files("# Shelves\n\n## Setup\n\nTake 3 drops.\n\n<!-- rules: step setup -->\n", SHELVES)
    review_all(path)
    file = path.with_name("small.rules.md")
    file.write_text(file.read_text("utf-8").replace("\n-->", "\n\n## More\n\nLast words."), encoding="utf-8")
    assert "Last words." in render_rulebook(build_rulebook(cardlang.load(path)), "md").decode()
    review_all(path)
    assert file.read_text("utf-8").count("<!-- read") == 1
    assert "W458" not in find_codes(path)


def test_the_introduction_of_a_draft_follows_the_game_until_edited(write_files: Callable[..., Path]) -> None:
    path = write_files("", SHELVES)
    game = cardlang.load(path)
    file, draft = path.with_name("small.rules.md"), build_draft(game, build_generated_rulebook(game))
    file.write_text(draft, encoding="utf-8")
    path.write_text(SHELVES.replace('"Shelves" for 2 to 4', '"Cupboards" for 2 to 3'), encoding="utf-8")
    changed = cardlang.load(path)
    assert build_rulebook(changed) == build_generated_rulebook(changed)
    file.write_text(draft.replace("# Shelves", "# Racks"), encoding="utf-8")
    assert build_rulebook(changed).title == "Racks"


@pytest.mark.parametrize("lead", ["", "> "])
@pytest.mark.parametrize("end", ["\n\nLast words.", "\n## More\n\nLast words.", "\n\n```card Cup\n```\n\nLast words."])
def test_an_unclosed_box_ends_at_a_blank_line_or_heading(end: str, lead: str, write_files: Callable[..., Path]) -> None:
    text = f"```steps\nPlay: one card each\nScore{end}".replace("\n", f"\n{lead}")
    path = write_files(f"# Shelves\n\n## Setup\n\n{lead}{text}\n\n## Further\n\nText.\n", SHELVES)
    found = [finding for finding in check_rules_file(cardlang.load(path)) if "box" in finding.message]
    assert [(each.message, each.hint, each.span.line) for each in found] == [("This box has no end.", "Add ```.", 5)]
    printed = render_rulebook(build_rulebook(cardlang.load(path)), "md").decode()
    assert "Last words." in printed
    assert "\n## Further\n" in printed
    assert "W459" not in find_codes(write_files("# Shelves\n\n```steps\nPlay\n\nScore\n```\n", SHELVES))


def test_digests_without_the_first_line_are_not_printed_and_are_replaced(write_files: Callable[..., Path]) -> None:
    path = write_files("# Shelves\n\n## Setup\n\nTake 3 drops.\n\n<!-- rules: step setup -->\n", SHELVES)
    review_all(path)
    file = path.with_name("small.rules.md")
    reviewed = file.read_text("utf-8")
    file.write_text(reviewed.replace("<!-- read (written by cardlang review)\n", ""), encoding="utf-8")
    assert "step setup = " not in render_rulebook(build_rulebook(cardlang.load(path)), "md").decode()
    review_all(path)
    assert file.read_text("utf-8").split() == reviewed.split()


def test_texts_of_the_game_that_name_the_old_number_are_listed(write_files: Callable[..., Path]) -> None:
    game = SHELVES.replace("step setup", 'ruling "How many drops do I get?"\n  "You get three drops."\n\nstep setup')
    path = write_files("# Shelves\n\n## Setup\n\nTake drops.\n\n<!-- rules: step setup -->\n", game)
    review_all(path)
    path.write_text(game.replace("starts at 3", "starts at 5"), encoding="utf-8")
    (finding,) = [each for each in check_rules_file(cardlang.load(path)) if each.code == "W450"]
    listed = [span.source.get_line(span.line) for span, _ in finding.related]
    assert '  "You get three drops."' in listed


@pytest.mark.parametrize(
    ("change", "is_printed", "limit"),
    [
        ("", True, ""),
        ("  define raises-allowed as 3\n", True, "At most three raises"),
        ("  define smallest-bet as 2\n", True, "the lower of two and your maximum"),
        ("  define free-fold as no\n", False, "With nothing to call, you check instead."),
    ],
)
def test_generated_rulebooks_print_the_text_of_unchanged_library_rules(
    change: str, is_printed: bool, limit: str
) -> None:
    game = cardlang.loads(
        'game "Bets" for 2 players\nordered kind Rank: 1 to 9\ncards Pack in deck\n  2 of each Rank\nzone deck\n'
        f"use betting\n  define your strength as total of hand's rank\n{change}define your score as chips\n"
        "step play\n  do round\nstep round\n  each player\n    do your stake with 1\n"
        "    deal top 2 of deck to your hand\n  do betting\n  do settle\n"
    )
    told = render_rulebook(build_generated_rulebook(game), "md").decode()
    assert ("Players who haven't folded are **contenders**." in told) == is_printed
    assert ("### Settle pot" not in told) and limit.lower() in told.lower()
    assert ("raises can follow" in told) == ("raises" in limit)


def test_a_changed_card_effect_makes_the_section_on_its_cards_outdated(write_files: Callable[..., Path]) -> None:
    game = build_example_game('cards Charms in deck\n  2 of "Bell"\n    step ring "Ring."\n      add 1 to your score\n')
    path = write_files("# Small\n\n## Charms\n\nA Bell scores 1.\n\n<!-- rules: cards Charms -->\n", game)
    review_all(path)
    assert "W450" not in find_codes(path)
    path.write_text(game.replace("add 1 to your score", "add 2 to your score"), encoding="utf-8")
    assert "W450" in find_codes(path)


@pytest.mark.parametrize(("number", "printed"), [(1, "Pay one coin."), (2, "Pay two coins.")])
def test_a_unit_after_a_value_agrees_with_it(number: int, printed: str, write_files: Callable[..., Path]) -> None:
    game = build_example_game(f'number your coins called "coin" plural "coins" starts at 9\ndefine fee as {number}\n')
    path = write_files("# Small\n\n## Fee\n\nPay {fee} coin.\n\n<!-- rules: define fee -->\n", game)
    assert printed in render_rulebook(build_rulebook(cardlang.load(path)), "md").decode()
