"""Log next to the table: each line once, in order, divided at the viewer's last move."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, expect

from tests.web.people import SOON, Person, expect_question
from tests.web.serving import Server

SHELLS = """game "Shells" for 2 players
"Shells lie in hand."

cards Shell in box
{cards}
zone box seen by nobody
zone pile
zone your hand seen by owner
define your score as 0

step play
  each player
    deal top 2 of box to your hand
  repeat until box is empty
    each player
      do your turn
step your turn
  draw top of box to your hand
  you play 1 from your hand to pile
  draw top of box to your hand
"""


@pytest.fixture
def shells(tmp_path: Path) -> Iterator[Server]:
    game = tmp_path / "shells.cardgame"
    game.write_text(SHELLS.replace("{cards}", "\n".join(f'  1 of "Shell {name}" (S{name})' for name in "ABCDEFGHIJKL")))
    server = Server(tmp_path, str(game))
    yield server
    server.kill()


def lines(ann: Person) -> tuple[list[str], list[str]]:
    """What is told as before and as since one's move."""
    earlier, new = (ann.page.locator(f".told .since .{which} > li").all_inner_texts() for which in ("earlier", "new"))
    return earlier, new


@pytest.mark.slow
def test_log_lines_appear_once_divided_at_the_last_move(shells: Server, chromium: Browser) -> None:
    """Whoever is asked has just drawn, and draws after they have played: neither is a move of theirs. That Bob draws
    and then plays is one sentence once he has played, and was one of its own before."""
    ann = Person(chromium, shells.url)
    ann.lay("Shells", ["random"])
    expect_question(ann)
    expect(ann.page.locator(".told .since h3")).to_have_text("Recent")
    ann.act()
    expect(ann.page.locator(".told .new li").first).to_contain_text("You play", timeout=SOON)
    expect_question(ann)
    _, new = lines(ann)
    begun = [" ".join(line.split()[:2]) for line in new]
    assert begun == ["You play", "Bob draws", "Bob draws", "You draw"]
    assert "and plays" in new[1] and "plays" not in new[2]
    before = lines(ann)
    ann.page.reload()
    expect_question(ann)
    assert lines(ann) == before
    assert not ann.faults
