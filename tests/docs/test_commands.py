"""Command pages: up to date with the help, with commands that run and print the documented output."""

import re
import shlex
import shutil
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from cardlang.cli.main import COMMANDS, cli
from tests.docs import commands
from tests.docs.documents import Block, blocks, fits_pattern
from tests.docs.documents import commands as commands_of

PAGES = ["docs/commands.md", *(f"docs/commands/{name}.md" for name in COMMANDS)]
BLOCKS = [block for page in PAGES for block in blocks(page) if block.language in ("sh", "console")]
NOT_RUN = re.compile(r"cardlang serve(?!.* --records\b)|cardlang docs .* --watch|cardlang replay$")
"""These go on until they are stopped, or need a match that a person made."""
FEWER = re.compile(r"--(games|against) \d+")
"""Numbers of matches that a test need not play."""
MORE_EXAMPLES = """\
example "One trick, one point" with Ann, Bob
  expect Ann's score = 0
"""


def test_command_pages_are_up_to_date() -> None:
    for path, text in commands.pages().items():
        assert path.read_text("utf-8") == text, "write it with: python -m tests.docs"


@pytest.mark.slow
@pytest.mark.parametrize("page", PAGES)
def test_every_command_on_a_page_runs(page: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path))
    if page != "docs/commands/new.md":
        prepare()
    if page == "docs/commands/review.md":
        run("cardlang docs --draft my_game")
    lines = [
        line for block in BLOCKS if block.document == page and block.language == "sh" for line in split_lines(block)
    ]
    for line in dict.fromkeys(lines):
        if not NOT_RUN.match(line):
            result = run(FEWER.sub(r"--\1 10", line))
            assert result.exit_code == 0, f"{line}\n{result.output}"


def split_lines(block: Block) -> list[str]:
    lines = block.text.splitlines()
    assert all(line.startswith("cardlang ") for line in lines), f"{block.document}:{block.line}"
    return lines


@pytest.mark.slow
@pytest.mark.parametrize("block", [block for block in BLOCKS if block.language == "console"], ids=str)
def test_documented_output_is_printed(block: Block) -> None:
    for words, printed in commands_of(block.text):
        assert fits_pattern(run(shlex.join(words)).stdout, printed)


def prepare() -> None:
    """Write the games, examples and records that the pages name."""
    for line in ("new my_game", "new my_game_2", "new my_poker --from texas_holdem"):
        run(f"cardlang {line}")
    Path("games").mkdir()
    shutil.copy("my_game.cardgame", "games")
    Path("more_examples.cardgame").write_text(MORE_EXAMPLES, "utf-8")
    run("cardlang play my_game --auto --record match.jsonl")


def run(line: str) -> Result:
    """Run a command line, with its output in the file after `>` if there is one."""
    line, _, target = line.partition(" > ")
    result = CliRunner().invoke(cli, shlex.split(line)[1:], prog_name="cardlang", catch_exceptions=False)
    if target:
        Path(target).write_text(result.stdout, "utf-8")
    return result
