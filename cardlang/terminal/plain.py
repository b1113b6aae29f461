"""The table in lines that a screen reader can follow: no boxes, no colour, nothing redrawn."""

from __future__ import annotations

import sys
from collections.abc import Iterator, Sequence
from itertools import groupby

from cardlang.game import Game
from cardlang.terminal.captions import captions
from cardlang.terminal.menu import Choice
from cardlang.terminal.scene import Heap, Place, Scene
from cardlang.terminal.telling import tell, tell_lines, tell_prompt
from interpreter.matches.view import CardView

SHOWN = 8


class Plain:
    """Speaks a match line by line."""

    def __init__(self, game: Game) -> None:
        self.game = game

    def show(self, scene: Scene, news: Sequence[str], prompt: str, listed: Sequence[Choice]) -> None:
        """What happened, the table, the players, what the player who looks holds, and the moves."""
        tell()
        if news:
            tell("Since your last move:")
            self.news(news)
        for place in (scene.table, *scene.kinds, *scene.players):
            parts = self.parts(place, scene.you)
            if parts:
                tell(f"{place.name}: {'; '.join(parts)}.")
        for heap in scene.hand:
            tell(f"Your {heap.label}: {self.pile(heap.cards, len(heap.cards))}.")
        self.moves(prompt, listed)

    def parts(self, place: Place, you: str | None) -> list[str]:
        facts = [f"{name} {value}".rstrip() for name, value in place.facts]
        heaps = [self.heap(heap) for heap in place.heaps if not (heap.private and place.name == you)]
        return [*place.marks, *facts, *heaps]

    def heap(self, heap: Heap) -> str:
        return f"{heap.label} {self.pile(heap.cards, SHOWN)}"

    def pile(self, cards: tuple[CardView, ...], shown: int) -> str:
        """`3 cards`, or their codes, the top one last."""
        if not cards:
            return "empty"
        if all(card.code is None and not card.marks for card in cards):
            return "1 card" if len(cards) == 1 else f"{len(cards)} cards"
        codes = " ".join(self.told(cards[-shown:]))
        return codes if len(cards) <= shown else f"{len(cards)} cards, the last {codes}"

    def told(self, cards: tuple[CardView, ...]) -> Iterator[str]:
        """Each card; hidden ones that lie together are counted."""
        for hidden, together in groupby(cards, key=lambda card: card.code is None and not card.marks):
            if hidden:
                yield f"{len(list(together))} hidden,"
            else:
                yield from map(self.card, together)

    def card(self, card: CardView) -> str:
        marks = "".join(f" ({name if value == 'yes' else f'{name} {value}'})" for name, value in card.marks)
        return (card.code or "hidden") + marks

    def news(self, lines: Sequence[str]) -> None:
        for line in lines:
            tell(f"  {line}")

    def moves(self, prompt: str, listed: Sequence[Choice]) -> None:
        tell(prompt)
        for choice in listed:
            label = choice.label.replace("…", "to")
            tell(f"  {choice.key}: {label}" if choice.key else f"  {label}")

    def say(self, text: str) -> None:
        tell_lines(text)

    def cards(self) -> None:
        """Codes and what they stand for."""
        printed = captions(self.game)
        for face in self.game.faces:
            tell(f"{face.code}: {printed.get(face.number, face.title)}")

    def log(self, lines: Sequence[str]) -> None:
        for line in lines:
            tell(line)

    def sheet(self, markdown: str) -> None:
        tell_lines(markdown)

    def ask(self, prompt: str) -> str:
        """A typed line; what comes from a file is repeated, so that the output reads as a whole."""
        tell_prompt(prompt)
        line = sys.stdin.readline()
        if not line:
            tell()
            raise EOFError
        if not sys.stdin.isatty():
            tell(line.rstrip("\n"))
        return line.rstrip("\n")

    def curtain(self, player: str) -> None:
        """Asks for the next player, with nothing of theirs in the lines before the answer."""
        tell_lines("\n" * 40)
        self.ask(f"{player}, it is your turn. When only you can see the screen, press Enter")
