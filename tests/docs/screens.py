"""Full screens in documents, compared with the real screen."""

from cardlang.cli.commands.play import play_in_terminal
from cardlang.cli.interactive_session import make_session, start_new_match
from tests.docs.documents import Block, commands, fits_pattern
from tests.terminal.conftest import Seen, send_keys


def check_screen(block: Block) -> None:
    """Run the `cardlang play` of a block, press the keys named after `screen`, and compare the screen."""
    ((words, expected),) = commands(block.text)
    asked = play_in_terminal.make_context("play", words[2:]).params
    table = start_new_match(
        asked["file"], asked["players"], asked["given"], asked["seed"], asked["variant"], auto=False
    )
    keys = block.words[block.words.index("screen") + 1 :]
    shown = ""

    def look(seen: Seen) -> None:
        nonlocal shown
        shown = "\n".join(line.rstrip() for line in seen.lines)

    send_keys(make_session(table, is_saved=False), [*keys, look])
    assert fits_pattern(shown, expected), f"{block.document}:{block.line}\n{shown}"
