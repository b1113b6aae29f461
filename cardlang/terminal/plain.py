"""The table in lines that a screen reader can follow: no boxes, no colour, nothing redrawn."""

from __future__ import annotations

import sys
from collections.abc import Iterator, Sequence
from itertools import groupby

import click

from cardlang.game import Game
from cardlang.terminal.captions import captions
from cardlang.terminal.choices import Choice
from cardlang.terminal.scene import Heap, Place, Scene
from interpreter.matches.view import CardView

SHOWN = 8


class Plain:
    """Speaks a match line by line."""

    def __init__(self, game: Game) -> None:
        self.game = game

    def show(self, scene: Scene, news: Sequence[str], prompt: str, listed: Sequence[Choice]) -> None:
        """What happened, the table, the players, what the player who looks holds, and the moves."""
        click.echo()
        if news:
            click.echo("Since your last move:")
            self.news(news)
        for place in (scene.table, *scene.kinds, *scene.players):
            parts = self.parts(place, scene.you)
            if parts:
                click.echo(f"{place.name}: {'; '.join(parts)}.")
        for heap in scene.hand:
            click.echo(f"Your {heap.label}: {self.pile(heap.cards, len(heap.cards))}.")
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
            click.echo(f"  {line}")

    def moves(self, prompt: str, listed: Sequence[Choice]) -> None:
        click.echo(prompt)
        for choice in listed:
            label = choice.label.replace("…", "to")
            click.echo(f"  {choice.key}: {label}" if choice.key else f"  {label}")

    def say(self, text: str) -> None:
        click.echo(text)

    def cards(self) -> None:
        """Codes and what they stand for."""
        printed = captions(self.game)
        for face in self.game.faces:
            click.echo(f"{face.code}: {printed.get(face.number, face.title)}")

    def log(self, lines: Sequence[str]) -> None:
        for line in lines:
            click.echo(line)

    def sheet(self, markdown: str) -> None:
        click.echo(markdown)

    def ask(self, prompt: str) -> str:
        """A typed line; what comes from a file is repeated, so that the output reads as a whole."""
        click.echo(f"{prompt}: ", nl=False)
        line = sys.stdin.readline()
        if not line:
            click.echo()
            raise EOFError
        if not sys.stdin.isatty():
            click.echo(line.rstrip("\n"))
        return line.rstrip("\n")

    def curtain(self, player: str) -> None:
        """Asks for the next player, with nothing of theirs in the lines before the answer."""
        click.echo("\n" * 40)
        self.ask(f"{player}, it is your turn. When only you can see the screen, press Enter")
