"""Pictures of tables: `python -m tests.docs.pictures` redraws docs/pictures/ and docs/pictures.md.

Each picture is the full screen of a bundled game after some choices, for its first player, exported by Textual."""

import asyncio
import os
import re
from pathlib import Path

import cardlang
from cardlang.ui.terminal.screen.card_styles import CardStyles
from cardlang.ui.terminal.screen.table_app import TableApp
from cardlang.ui.terminal.session_state import PageTexts, Session
from cardlang.ui.terminal.typed_card_names import build_captions
from interpreter.bots.bot_players import Player, make_bot
from interpreter.match.match import Match

FOLDER = Path(__file__).parents[2] / "docs"
NAMES = ("Mal", "Inara", "Wash", "Kaylee")
SHOWN = {
    "tall_card": (3, 3), "tall_tales": (3, 11), "tail_story": (2, 16), "hearts": (4, 9), "spades": (4, 12),
    "texas_holdem": (3, 3), "cribbage": (2, 6), "gin_rummy": (2, 6), "scopa": (2, 5), "golf": (2, 6),
    "fireworks": (3, 2), "black_hole": (1, 6),
}  # fmt: skip
"""By game: how many play, and how many of one's own choices are made before the picture."""
HEAD = """# Pictures of tables

Bundled games on a terminal of 80 by 24 characters. cardlang draws every game like this, including yours, from the
[table](tables.md) that the current player sees.

- In a browser, [Tall Card looks like this](pictures/browser.png).
- To draw the pictures again, run `python -m tests.docs.pictures`, and `python -m tests.docs.browser` for the browser.
"""


def render_picture(name: str, players: int, choices: int) -> str:
    """Render the screen of a game after this number of choices of the first player, as SVG."""
    game = cardlang.load(name)
    match = game.start(list(NAMES[:players]), seed=7)
    assert isinstance(match, Match)
    bots = play_on(match, choices)
    texts = PageTexts(str, str, lambda: build_captions(game))
    session = Session(match, {each: bots[each] for each in NAMES[1:players]}, texts, lambda match: "")
    app = TableApp(session, CardStyles(game), pause=0)

    async def shot() -> str:
        async with app.run_test(size=(80, 24)) as pilot:
            await app.workers.wait_for_complete()
            await pilot.pause()
            return app.export_screenshot(title=game.title)

    return simplify_svg(asyncio.run(shot()))


def play_on(match: Match, choices: int) -> dict[str, Player]:
    """Play until the first player decides again after this number of choices. Return the players of the moves."""
    bots = {each: make_bot("rollout", number) for number, each in enumerate(match.players)}
    own = 0
    while match.decision is not None and (own < choices or match.decision.seat or match.state.picks):
        own += match.decision.seat == 0
        match.choose(bots[match.decision.player].choose(match))
    return bots


def simplify_svg(svg: str) -> str:
    """Return an SVG without external fonts, and with short names."""
    svg = re.sub(r"@font-face \{.*?\}\s*", "", svg, flags=re.DOTALL)
    svg = re.sub(r"terminal-\d+", "t", svg).replace("Fira Code", "DejaVu Sans Mono")
    return re.sub(r"\n\s+", "\n", svg)


def main() -> None:
    os.environ["COLORTERM"] = "truecolor"
    (FOLDER / "pictures").mkdir(exist_ok=True)
    lines = [HEAD]
    for name, (players, choices) in SHOWN.items():
        title = cardlang.load(name).title
        (FOLDER / "pictures" / f"{name}.svg").write_text(render_picture(name, players, choices), encoding="utf-8")
        lines.append(f"## {title}\n\n![The table of {title}](pictures/{name}.svg)\n")
    (FOLDER / "pictures.md").write_text("\n".join(lines), encoding="utf-8")


if __name__ == "__main__":
    main()
