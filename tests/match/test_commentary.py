"""Notes and rulings between statements: printed in the rulebook, without effect on play."""

import cardlang
from cardlang.rulebook.render import render_rulebook_markdown
from interpreter.program.program import compile_game
from interpreter.program.program_export import format_program_listing
from tests.game_files import read_game

GAME = read_game("words")


def insert_notes(aside: str) -> str:
    """Return the game with a note at every possible place, or with blank lines of the same length."""
    return GAME.replace("{aside}", aside)


def test_notes_and_rulings_do_not_change_the_program() -> None:
    """The program is the same as that of the game with comments in their places."""
    words = '"Mind this."'
    noted, bare = cardlang.loads(insert_notes(words)), cardlang.loads(insert_notes("#".ljust(len(words), ".")))
    assert render_rulebook_markdown(noted, "all").count("Mind this.") == GAME.count("{aside}")
    assert "Mind this." not in render_rulebook_markdown(bare)
    for listen in (False, True):
        programs = [compile_game(game, 2, listen) for game in (noted, bare)]
        assert format_program_listing(programs[0]) == format_program_listing(programs[1])
    assert noted.examples[0].run().passed


def test_rulings_between_statements_are_printed() -> None:
    ruling = '  ruling "Why?"\n    "So."\n'
    text = f'game "Few" for 2 players\nnumber your score\nstep play\n{ruling}  finish game\n'
    game = cardlang.loads(text)
    assert "Why? *So.*" in render_rulebook_markdown(game)
    match = game.start(seed=1)
    assert match.over
