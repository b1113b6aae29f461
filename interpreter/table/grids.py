"""Cards that lie in the row and the column that are kept about each of them: what an owner has of them is one grid,
from whichever piles they are."""

from __future__ import annotations

from collections.abc import Sequence

from attrs import evolve

from cardlang import game as g
from cardlang.words import plain
from interpreter.matches.cells import cell_called, grids_of
from interpreter.table.model import Card, Pile

Cell = tuple[int, int]


class Grids:
    """Of one game. `cells`: by zone, the tracks that tell row and column."""

    def __init__(self, game: g.Game) -> None:
        self.game = game
        self.cells = grids_of(game)

    def joined(self, piles: Sequence[Pile]) -> tuple[Pile, ...]:
        """The piles of one place, with those of one grid together where the first of them is. They stay apart while a
        cell is empty, has two cards, or a card has no cell."""
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
        """A card of a grid, with its place in words: `Top Left`, `row 2, column 1`."""
        return evolve(self.bare(card, cells), place=cell_called(self.game, cells, dict(card.marks)))

    def elsewhere(self, pile: Pile) -> Pile:
        """What says where a card lies in a grid says nothing where it lies in none."""
        if not self.cells or pile.name in self.cells or not any(card.marks for card in pile.cards):
            return pile
        everywhere = tuple(name for cells in self.cells.values() for name in cells)
        return evolve(pile, cards=tuple(self.bare(card, everywhere) for card in pile.cards))

    def bare(self, card: Card, tracks: Sequence[str]) -> Card:
        """A card without what is kept about it in some tracks."""
        nouns = {plain(self.game.tracks[name].noun.singular) for name in tracks}
        return evolve(card, marks=tuple(mark for mark in card.marks if mark[0] not in nouns))

    def cell(self, card: Card, cells: tuple[str, ...]) -> Cell | None:
        marks = dict(card.marks)
        row, column = (self.place(name, marks) for name in cells)
        return None if row is None or column is None else (row, column)

    def place(self, name: str, marks: dict[str, str]) -> int | None:
        """The place of a row or a column among all of them; None if there is none."""
        track = self.game.tracks[name]
        said = marks.get(plain(track.noun.singular))
        if track.type.tag == "number":
            return int(said or 0)
        members = [member.name for member in self.game.kinds[str(track.type.of)].members]
        return members.index(said) if said in members else None
