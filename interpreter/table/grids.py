"""Combine the piles of an owner into one grid, if their cards have a row and a column as counters."""

from __future__ import annotations

from collections.abc import Sequence

from attrs import evolve

from cardlang import game as g
from cardlang.words import plain
from interpreter.matches.cells import cell_called, grids_of
from interpreter.table.model import Card, Pile

Cell = tuple[int, int]


class Grids:
    """Grid layout of one game. `cells`: the tracks for row and column, by zone."""

    def __init__(self, game: g.Game) -> None:
        self.game = game
        self.cells = grids_of(game)

    def joined(self, piles: Sequence[Pile]) -> tuple[Pile, ...]:
        """Return the piles of one place, with the piles of each grid combined at the position of the first.

        They stay separate if a cell is empty or has two cards, or if a card has no cell.
        """
        found: list[Pile] = []
        done: set[tuple[str, ...]] = set()
        for pile in map(self.elsewhere, piles):
            cells = self.cells.get(pile.name, ())
            alike = [each for each in piles if cells and self.cells.get(each.name) == cells]
            grid = self.grid(alike, cells) if cells else None
            if grid is None:
                found.append(pile)
            elif cells not in done:
                done.add(cells)
                found.append(grid)
        return tuple(found)

    def grid(self, piles: Sequence[Pile], cells: tuple[str, ...]) -> Pile | None:
        placed = {cell: card for pile in piles for card in pile.cards if (cell := self.cell(card, cells)) is not None}
        if not placed or len(placed) != sum(pile.count for pile in piles):
            return None
        rows, columns = (sorted({cell[at] for cell in placed}) for at in (0, 1))
        if len(rows) * len(columns) != len(placed):
            return None
        cards = tuple(self.laid(placed[row, column], cells) for row in rows for column in columns)
        return evolve(piles[0], label="cards", cards=cards, form="grid", across=len(columns))

    def laid(self, card: Card, cells: tuple[str, ...]) -> Card:
        """Return a card of a grid with its cell in words: `Top Left`, `row 2, column 1`."""
        return evolve(self.bare(card, cells), place=cell_called(self.game, cells, dict(card.marks)))

    def elsewhere(self, pile: Pile) -> Pile:
        """Return a pile outside grids without the row and column counters of its cards."""
        if not self.cells or pile.name in self.cells or not any(card.marks for card in pile.cards):
            return pile
        everywhere = tuple(name for cells in self.cells.values() for name in cells)
        return evolve(pile, cards=tuple(self.bare(card, everywhere) for card in pile.cards))

    def bare(self, card: Card, tracks: Sequence[str]) -> Card:
        """Return a card without the counters of some tracks."""
        nouns = {plain(self.game.tracks[name].noun.singular) for name in tracks}
        return evolve(card, marks=tuple(mark for mark in card.marks if mark[0] not in nouns))

    def cell(self, card: Card, cells: tuple[str, ...]) -> Cell | None:
        marks = dict(card.marks)
        row, column = (self.place(name, marks) for name in cells)
        return None if row is None or column is None else (row, column)

    def place(self, name: str, marks: dict[str, str]) -> int | None:
        """Return the index of a row or column; None if the card has none."""
        track = self.game.tracks[name]
        said = marks.get(plain(track.noun.singular))
        if track.type.tag == "number":
            return int(said or 0)
        members = [member.name for member in self.game.kinds[str(track.type.of)].members]
        return members.index(said) if said in members else None
