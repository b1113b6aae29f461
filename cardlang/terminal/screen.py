"""A drawn screen: the table, the news, the hand and the moves, fitted to the terminal."""

from __future__ import annotations

from collections.abc import Sequence

import click
from attrs import define
from rich.console import Console, RenderableType
from rich.rule import Rule
from rich.table import Table
from rich.text import Text

from cardlang.game import Game
from cardlang.plain_text import visible
from cardlang.terminal.board import Board
from cardlang.terminal.captions import captions
from cardlang.terminal.menu import Choice
from cardlang.terminal.paint import BACK, SYMBOLS, Paint
from cardlang.terminal.scene import Scene

LEAST_NEWS = 3
SHOWN = (12, 8, 5, 3, 1)
"""So many cards of a pile are drawn, the first number that fits."""


@define
class Screen:
    """Draws for a terminal that knows colours and cursor movements."""

    console: Console
    board: Board

    def show(self, scene: Scene, news: Sequence[str], prompt: str, listed: Sequence[Choice]) -> None:
        """The table as one player sees it, what happened since they last moved, their hand and their
        moves."""
        width = self.console.width
        below: list[RenderableType] = [self.board.hand(heap, width) for heap in scene.hand if heap.cards]
        below += [heading(prompt, "bold"), self.moves(listed)]
        room = self.console.height - sum(map(self.height, below)) - 2
        table = self.fitted(scene, room - LEAST_NEWS)
        self.console.clear()
        self.print(table, *self.news(scene.title, news, max(room - self.height(table), LEAST_NEWS)), *below)

    def fitted(self, scene: Scene, room: int) -> Table:
        """The table with as many cards of each pile as there is room for."""
        for self.board.shown in SHOWN:
            table = self.board.table(scene, self.console.width)
            if self.height(table) <= room:
                break
        return table

    def height(self, part: RenderableType) -> int:
        return len(self.console.render_lines(part))

    def print(self, *parts: RenderableType) -> None:
        for part in parts:
            self.console.print(part)

    def news(self, game: str, lines: Sequence[str], room: int) -> list[RenderableType]:
        """The latest lines, as many as there is room for, each cut to the width."""
        if not lines:
            return []
        left_out = max(0, len(lines) - room)
        title = f"{game}: since your last move"
        title += f" ({left_out} earlier lines: type log)" if left_out else ""
        painted = [Text("  ").append_text(self.board.paint.line(line)) for line in lines[left_out:]]
        for line in painted:
            line.truncate(self.console.width - 1, overflow="ellipsis")
        return [heading(title, "dim"), *painted]

    def moves(self, listed: Sequence[Choice]) -> Table:
        """The numbered moves, in columns as wide as the widest."""
        paint = self.board.paint
        cells = [Text.assemble((f"{each.key:>3} ", "bold cyan"), paint.line(each.label)) for each in listed]
        width = max((cell.cell_len for cell in cells), default=1) + 3
        across = max(1, self.console.width // width)
        down = -(-len(cells) // across)
        grid = Table.grid(padding=0)
        for _ in range(across):
            grid.add_column(width=min(width, self.console.width))
        for row in range(down):
            grid.add_row(*cells[row::down])
        return grid

    def say(self, text: str) -> None:
        """Lines outside the table."""
        self.console.print(self.board.paint.line(text))

    def cards(self) -> None:
        self.print(self.board.legend())

    def log(self, lines: Sequence[str]) -> None:
        """All that happened, in the pager of the system."""
        self.page(Text("\n").join(self.board.paint.line(line) for line in lines))

    def sheet(self, markdown: str) -> None:
        """A rule sheet, in the pager of the system."""
        from rich.markdown import Markdown

        self.page(Markdown(markdown))

    def page(self, part: RenderableType) -> None:
        with self.console.capture() as drawn:
            self.console.print(part)
        click.echo_via_pager(drawn.get())  # coloured where the pager can show colours

    def ask(self, prompt: str) -> str:
        """A typed line. Raises EOFError when there is no more."""
        try:
            return self.console.input(Text(f"{visible(prompt)} > ", style="bold"))
        except EOFError:
            self.console.print()
            raise

    def curtain(self, player: str) -> None:
        """Hides everything until the player confirms."""
        self.console.clear()
        self.print(heading(f"{player}, it is your turn", "bold"))
        self.ask("When only you can see the screen, press Enter")


def heading(text: str, style: str) -> Rule:
    return Rule(Text(visible(text), style=style), align="left", style="dim")


def open_screen(game: Game) -> Screen:
    """A screen on the terminal. Symbols are left out where its encoding cannot carry them."""
    console = Console(highlight=False)
    paint = Paint(game, carries(console.encoding, SYMBOLS + BACK))
    return Screen(console, Board(paint, captions(game)))


def carries(encoding: str, text: str) -> bool:
    """Whether an encoding has all these characters."""
    try:
        text.encode(encoding)
    except (UnicodeEncodeError, LookupError):
        return False
    return True
