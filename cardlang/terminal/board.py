"""The pieces of a drawn table: cards, piles, what is kept, in lines that fit a width."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping

from attrs import define
from rich import box
from rich.console import Group, RenderableType
from rich.table import Table
from rich.text import Text

from cardlang.terminal.paint import Paint
from cardlang.terminal.scene import Heap, Place, Scene
from interpreter.matches.view import CardView

GAP = "   "


@define
class Board:
    """Draws scenes. `captions`: what is printed on cards, by face, where codes do not say it. `shown`: so
    many cards of a pile are drawn; of more, only the top ones and the number of the others."""

    paint: Paint
    captions: Mapping[int, str]
    shown: int = 8

    def table(self, scene: Scene, width: int) -> Table:
        """The table, the kinds that own piles and the players, a row each."""
        grid = Table(box=box.ROUNDED, show_header=False, width=width)
        names = [self.name(place, scene.you) for place in (scene.table, *scene.kinds, *scene.players)]
        first = max(name.cell_len for name in names)
        grid.add_column(width=first, no_wrap=True)
        grid.add_column(ratio=1)
        middle = [place for place in (scene.table, *scene.kinds) if not place.empty]
        for number, place in enumerate((*middle, *scene.players), 1):
            parts = self.parts(place, scene.you)
            grid.add_row(self.name(place, scene.you), packed(parts, width - first - 7))
            if number == len(middle):
                grid.add_section()
        return grid

    def name(self, place: Place, you: str | None) -> Text:
        if place.name == you:
            return Text(f"{place.name} (you)", style="bold reverse")
        return self.paint.member(place.name, "dim strike" if "out" in place.marks else "bold")

    def parts(self, place: Place, you: str | None) -> list[Text]:
        """Marks, facts and piles; your own hand has a place elsewhere."""
        parts = [Text(mark, style="italic") for mark in place.marks]
        parts += [Text.assemble((name + " ", "dim"), value) for name, value in place.facts]
        parts += [self.heap(heap) for heap in place.heaps if heap.cards and not (heap.private and place.name == you)]
        return parts

    def heap(self, heap: Heap) -> Text:
        """A pile: its name and its cards, the top one last."""
        return Text.assemble((heap.label + " ", "dim"), self.cards(heap.cards))

    def cards(self, cards: tuple[CardView, ...]) -> Text:
        if all(card.face is None for card in cards):
            return self.paint.backs(len(cards))
        hidden = len(cards) - self.shown if len(cards) > self.shown + 2 else 0
        painted = Text(" ").join(self.card(card) for card in cards[hidden:])
        return Text.assemble((f"{hidden} + ", "dim"), painted) if hidden else painted

    def card(self, card: CardView) -> Text:
        """A card with what is kept about it."""
        marks = "".join(f"({name if value == 'yes' else f'{name} {value}'})" for name, value in card.marks)
        return self.paint.card(card.face).append(marks, style="italic")

    def hand(self, heap: Heap, width: int) -> RenderableType:
        """Your own cards; a line for each where they have captions."""
        title = Text(f"Your {heap.label}", style="bold")
        if not any(card.face in self.captions for card in heap.cards):
            return packed([title, *map(self.card, heap.cards)], width, "  ")
        return Group(title, self.captioned(Counter(card.face for card in heap.cards)))

    def captioned(self, counts: Mapping[int | None, int]) -> Table:
        """Cards with what is printed on them: `2 × Bones●  Bones Drawing (Canine, cost 1). Draw 1 or 2.`"""
        grid = Table.grid(padding=(0, 2))
        for face, count in counts.items():
            times = f"{count} × " if count > 1 else ""
            caption = self.captions.get(face, "") if face is not None else ""
            grid.add_row(Text.assemble("  ", times, self.paint.card(face)), Text(caption, style="dim"))
        return grid

    def legend(self) -> RenderableType:
        """The symbols of suits and the captions of all cards."""
        suits = [self.paint.member(name) for name in self.paint.suits.names]
        return Group(Text(GAP).join(suits), self.captioned(dict.fromkeys(self.captions, 1)))


def packed(parts: Iterable[Text], width: int, gap: str = GAP) -> Text:
    """Parts side by side, in lines that do not break within a part."""
    lines: list[Text] = []
    for part in parts:
        if lines and lines[-1].cell_len + len(gap) + part.cell_len <= width:
            lines[-1] = Text.assemble(lines[-1], gap, part)
        else:
            lines.append(part)
    return Text("\n").join(lines)
