"""The table drawn with colour and boxes."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from attrs import define
from rich import box
from rich.console import Console, RenderableType
from rich.rule import Rule
from rich.table import Table
from rich.text import Text

from cardlang.game import Game
from cardlang.terminal.choices import Choice
from cardlang.terminal.paint import BACK, SYMBOLS, Paint
from cardlang.terminal.scene import Heap, Place, Scene
from interpreter.view import CardView

SHOWN = 8
"""So many cards of a pile are drawn; of more, only the top ones and the number."""
BACKS = 5
GAP = Text("   ")


@define
class Screen:
    """Draws for a terminal that knows colours and cursor movements."""

    console: Console
    paint: Paint

    def scene(self, scene: Scene, news: Sequence[str]) -> None:
        """The whole table, what happened since the last look, and the hand of the player who looks."""
        self.console.clear()
        self.console.print(self.board(scene))
        if news:
            self.console.print(Rule(Text("since your last move", style="dim"), align="left", style="dim"))
            self.news(news)
        for heap in scene.hand:
            self.console.print(self.hand(heap))

    def board(self, scene: Scene) -> RenderableType:
        """The table, the kinds that own piles and the players, a row each."""
        table = Table(box=box.ROUNDED, show_header=False, expand=True, title=Text(scene.title, style="bold"))
        table.add_column(no_wrap=True)
        table.add_column(ratio=1)
        middle = [(Text("table", style="dim"), scene.table)] if scene.table.heaps or scene.table.facts else []
        middle += [(self.paint.member(place.name), place) for place in scene.kinds]
        for number, (name, place) in enumerate(middle):
            table.add_row(name, self.contents(place), end_section=number == len(middle) - 1)
        for place in scene.players:
            table.add_row(self.player(place, scene.you), self.contents(place, scene.you))
        return table

    def player(self, place: Place, you: str | None) -> Text:
        style = "bold reverse" if place.name == you else "dim strike" if "out" in place.marks else "bold"
        return Text(f"{place.name} (you)" if place.name == you else place.name, style=style)

    def contents(self, place: Place, you: str | None = None) -> Text:
        """Facts and piles, one after another; your hand has a place of its own."""
        parts = [Text(mark, style="italic") for mark in place.marks]
        parts += [Text.assemble((name + " ", "dim"), value) for name, value in place.facts]
        parts += [self.heap(heap) for heap in place.heaps if not (heap.private and place.name == you)]
        return GAP.join(parts)

    def heap(self, heap: Heap) -> Text:
        """A pile: its name and its cards, the top one last."""
        return Text.assemble((unbroken(heap.label) + "\u00a0", "dim"), self.cards(heap.cards))

    def cards(self, cards: tuple[CardView, ...]) -> Text:
        if not cards:
            return Text("–", style="dim")
        if all(card.face is None for card in cards):
            return self.backs(len(cards))
        shown = cards[-SHOWN:] if len(cards) > SHOWN + 2 else cards
        painted = Text(" ").join(self.card(card) for card in shown)
        return (
            Text.assemble((f"{len(cards) - len(shown)} + ", "dim"), painted)
            if len(shown) < len(cards)
            else painted
        )

    def card(self, card: CardView) -> Text:
        """A card with what is kept about it."""
        marks = "".join(f"({name if value == 'yes' else f'{name} {value}'})" for name, value in card.marks)
        return self.paint.card(card.face).append(marks, style="italic")

    def backs(self, number: int) -> Text:
        back = self.paint.card(None)
        if number > BACKS:
            return Text.assemble(back, (f"\u00a0×\u00a0{number}", ""))
        return Text("\u00a0").join([back] * number)

    def hand(self, heap: Heap) -> Text:
        cards = sorted(heap.cards, key=lambda card: self.paint.place_in_hand(card.face))
        painted = Text("  ").join(self.card(card) for card in cards) if cards else Text("empty", style="dim")
        return Text.assemble(("Your ", "bold"), (heap.label, "bold"), "  ", painted)

    def news(self, lines: Iterable[str]) -> None:
        for line in lines:
            self.console.print(Text("  ").append_text(self.paint.line(line)))

    def moves(self, prompt: str, listed: Sequence[Choice]) -> None:
        """The numbered moves, in columns as wide as the widest."""
        self.console.print(Rule(Text(prompt, style="bold"), align="left", style="dim"))
        cells = [
            Text.assemble((f"{choice.key:>3} ", "bold cyan"), self.paint.line(choice.label))
            for choice in listed
        ]
        width = max((cell.cell_len for cell in cells), default=1) + 3
        grid = Table.grid(padding=0)
        across = max(1, self.console.width // width)
        down = -(-len(cells) // across)
        for _ in range(across):
            grid.add_column(width=width)
        for row in range(down):
            grid.add_row(*cells[row::down])
        self.console.print(grid)

    def say(self, text: str) -> None:
        """A line outside the table."""
        self.console.print(self.paint.line(text))

    def pages(self, text: str) -> None:
        """A long text, in the pager of the system."""
        from rich.markdown import Markdown

        with self.console.pager(styles=True):
            self.console.print(Markdown(text))

    def ask(self, prompt: str) -> str:
        """A typed line. Raises EOFError when there is no more."""
        return self.console.input(Text(f"{prompt} > ", style="bold"))

    def curtain(self, player: str) -> None:
        """Hides everything until the player confirms."""
        self.console.clear()
        self.console.print(Rule(style="dim"))
        self.ask(f"{player}, it is your turn. When only you can see the screen, press Enter")


def unbroken(text: str) -> str:
    return text.replace(" ", "\u00a0")


def open_screen(game: Game) -> Screen:
    """A screen on the terminal. Symbols are left out where its encoding cannot carry them."""
    console = Console(highlight=False)
    return Screen(console, Paint(game, carries(console.encoding, SYMBOLS + BACK)))


def carries(encoding: str, text: str) -> bool:
    """Whether an encoding has all these characters."""
    try:
        text.encode(encoding)
    except (UnicodeEncodeError, LookupError):
        return False
    return True
