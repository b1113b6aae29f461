"""Rulebooks in `docs/rules` are up to date."""

import re
from pathlib import Path

import pytest

import cardlang
from cardlang.english.control_characters import GENERATED_FILE_MARK
from cardlang.model import Game
from cardlang.rulebook.render import build_player_aid, build_rulebook, render_rulebook

RULES = Path(__file__).parents[2] / "docs" / "rules"
AGAIN = (
    "make the sheets again: cardlang docs games/*.cardgame games/classics -o docs/rules; what `git diff` shows is to be"
    " read (of five games: .gitattributes)"
)


@pytest.mark.slow
@pytest.mark.parametrize("name", sorted(cardlang.shipped()))
def test_committed_rulebooks_are_up_to_date(name: str, shipped: dict[str, Game]) -> None:
    sheet = build_rulebook(shipped[name])
    for part, ending in ((sheet, ""), (build_player_aid(shipped[name]), "-aid")):
        committed = (RULES / f"{name}{ending}.md").read_text(encoding="utf-8")
        undated = re.sub(r"^(Version \w+) of [\d-]+\.$", r"\1.", committed, flags=re.MULTILINE)
        assert undated == f"{render_rulebook(part, 'md').decode()}\n<!-- {GENERATED_FILE_MARK}. -->\n", AGAIN
