"""Card symmetry: classes of cards that an expression cannot distinguish.

Cards are in one class if all attributes that the expression reads are equal. If ties do not matter, a ranking reads
only the faces that a card may show, so all wild cards of one suit are equal.

Two values of a kind, such as two suits, are interchangeable under three conditions:
- the expression names neither,
- it compares them for equality only,
- the classes that a swap of the two values maps to each other have equal size.

Then swapping the two values in a hand does not change the result.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

from attrs import frozen

from cardlang import model as g
from interpreter.gametree.card_attribute_dependence import (
    CardDependence,
    find_attributes_read_by_ranking,
    find_dependence,
    get_member_kind,
)
from interpreter.runtime.state import ABSENT, State

if TYPE_CHECKING:
    from interpreter.program.program import Program


Cards = tuple[int, ...]
AttributeRow = tuple[Any, ...]
"""Attributes read of a face: its set, then the values of columns."""


class CardKey(NamedTuple):
    """Attributes read of a card; equal for cards of one class.

    other: attributes that no swap of values changes, such as a title or a mark.
    own: the row of the card itself.
    shown: by ranking, the rows of the faces that it may show.
    """

    other: tuple[Any, ...]
    own: AttributeRow
    shown: tuple[frozenset[AttributeRow], ...]

    def iter_rows(self) -> Iterable[AttributeRow]:
        yield self.own
        for rows in self.shown:
            yield from rows


@frozen
class InterchangeableBlock:
    """Set of interchangeable values.

    `rows`: for each value, the classes of cards that have it, in corresponding order.
    """

    rows: tuple[tuple[Cards, ...], ...]


@frozen
class CardDivision:
    """Partition of the cards in the deck. No class is in two blocks.

    `single_classes`: the classes outside all blocks.
    """

    single_classes: tuple[Cards, ...]
    blocks: tuple[InterchangeableBlock, ...]


class CardClasses:
    """Equivalence classes of the cards of a game, for a `CardDependence` and a position.

    wilds: the faces that cards may show, if rankings are computed from those. Then `dependence` omits all that only
        rankings read.
    """

    def __init__(
        self, program: Program, dependence: CardDependence, state: State, wilds: WildFaces | None = None
    ) -> None:
        self.program = program
        self.game = program.game
        self.dependence = dependence
        self.state = state
        self.wilds = wilds
        columns = dependence.columns | (wilds.columns if wilds is not None else set())
        self.columns = sorted(columns)
        self.read = [name in dependence.columns for name in self.columns]
        self.kinds = [None, *(get_member_kind(self.game.columns[name].type) for name in self.columns)]
        self.ordered = dependence.ordered | (wilds.ordered if wilds is not None else set())

    def build_card_key(self, card: int) -> CardKey:
        """Return the key of a card. Cards with equal keys are indistinguishable."""
        dependence = self.dependence
        face = self.game.faces[self.program.face[card]]
        other = [
            face.title if dependence.titles else None,
            face.number if dependence.distinguishes_faces or face.number in dependence.named else None,
            *(id(self.game.borne_defines[name].bodies[face.number]) for name in sorted(dependence.borne)),
            *(self.state.t[base + card] for name in sorted(dependence.marks) for base in self.get_bases(name)),
        ]
        row = self.build_row(face)
        attributes = (
            row[0] if dependence.sets else None,
            *(v if read else None for v, read in zip(row[1:], self.read, strict=True)),
        )
        shown = self.wilds.find_shown_faces(card) if self.wilds is not None else ()
        return CardKey(
            tuple(other),
            attributes,
            tuple(frozenset(self.build_row(self.game.faces[f]) for f in faces) for faces in shown),
        )

    def build_row(self, face: g.Face) -> AttributeRow:
        return (face.set, *(self.game.columns[name].values[face.number] for name in self.columns))

    def divide_deck(self, deck: Iterable[int], fixed: Iterable[int]) -> CardDivision:
        """Divide a deck into classes and blocks. `fixed`: visible cards that stay in place."""
        classes: dict[CardKey, list[int]] = {}
        for card in deck:
            classes.setdefault(self.build_card_key(card), []).append(card)
        blocks: list[InterchangeableBlock] = []
        taken: set[CardKey] = set()
        for keys in sorted(self.find_blocks(classes, fixed), key=lambda rows: -len(rows)):
            block_keys = {key for row in keys for key in row}
            if not block_keys & taken:
                taken |= block_keys
                blocks.append(InterchangeableBlock(tuple(tuple(tuple(classes[key]) for key in row) for row in keys)))
        return CardDivision(tuple(tuple(cards) for key, cards in classes.items() if key not in taken), tuple(blocks))

    # ------------------------------------------------------------ interchangeable values
    def find_blocks(self, classes: dict[CardKey, list[int]], fixed: Iterable[int]) -> list[list[list[CardKey]]]:
        """Return by block and value the keys of the classes that have the value."""
        if self.dependence.distinguishes_faces:
            return []
        sizes = Counter({key: len(cards) for key, cards in classes.items()})
        pinned = self.find_pinned_values(fixed)
        key_blocks = []
        for name in sorted({kind for kind in self.kinds if kind is not None} - self.ordered):
            blocks: list[list[int]] = []
            for member in self.get_members(name):
                if (name, member) not in pinned:
                    self.join_block(name, member, blocks, sizes)
            key_blocks += [rows for block in blocks if (rows := self.arrange_block_rows(name, block, classes))]
        return key_blocks

    def get_members(self, kind: str) -> range:
        return range(len(self.game.kinds[kind].members))

    def join_block(self, kind: str, member: int, blocks: list[list[int]], sizes: Counter[CardKey]) -> None:
        """Add a value to the block whose values are interchangeable with it, or to a new block."""
        for block in blocks:
            if self.is_interchangeable(kind, block[0], member, sizes):
                block.append(member)
                return
        blocks.append([member])

    def is_interchangeable(self, kind: str, first: int, second: int, sizes: Counter[CardKey]) -> bool:
        if self.get_fixed_attributes(kind, first) != self.get_fixed_attributes(kind, second):
            return False
        if any(sizes[self.swap_members_in_key(key, kind, first, second)] != size for key, size in sizes.items()):
            return False
        faces = {self.build_row(face) for face in self.game.faces if self.can_show_set(face.set)}
        return all(self.swap_members_in_row(row, kind, first, second) in faces for row in faces)

    def swap_members_in_key(self, key: CardKey, kind: str, first: int, second: int) -> CardKey:
        shown = [frozenset(self.swap_members_in_row(row, kind, first, second) for row in rows) for rows in key.shown]
        return CardKey(key.other, self.swap_members_in_row(key.own, kind, first, second), tuple(shown))

    def swap_members_in_row(self, row: AttributeRow, kind: str, first: int, second: int) -> AttributeRow:
        change = {first: second, second: first}
        pairs = zip(self.kinds, row, strict=True)
        return tuple([change.get(value, value) if column_kind == kind else value for column_kind, value in pairs])

    def can_show_set(self, name: str) -> bool:
        """Return whether wild cards may show faces of a set, including faces without cards."""
        wilds = [wild for ranking in self.dependence.rankings for wild in self.game.rankings[ranking].wilds]
        return any(wild.attribute is not None or name in wild.sets for wild in wilds)

    def get_fixed_attributes(self, kind: str, member: int) -> AttributeRow:
        """Return the numbers and track values that are read of a value of a kind.

        Interchangeable values have equal ones.
        """
        declared = self.game.kinds[kind].members[member]
        worth = (declared.worth, declared.name.isdigit() and declared.name) if kind in self.dependence.worths else ()
        slots: list[int] = []
        for name in sorted(self.dependence.tracks):
            bases = self.get_bases(name)
            if self.game.tracks[name].subject == kind:
                slots += [base + member for base in bases]
            elif self.game.tracks[name].second == kind:
                slots += range(bases[member], bases[member] + bases.step)
        return (worth, *(self.state.t[slot] for slot in slots))

    def get_bases(self, track: str) -> range:
        return self.program.layout.get_track_bases(track)

    def find_pinned_values(self, fixed: Iterable[int]) -> set[tuple[str, int]]:
        """Return the values that are not interchangeable: the rules, a track or a visible card refer to them."""
        pinned = self.dependence.members | (self.wilds.members if self.wilds is not None else set())
        for track, value in zip(self.program.tracks, self.state.t, strict=False):
            kind = get_member_kind(track.track.type)
            if kind is not None and track.track.name in self.dependence.tracks | self.dependence.marks:
                pinned.add((kind, value))
        for slot, pile in zip(self.program.zones, self.state.z, strict=True):
            kinds = self.game.kinds.keys() & {slot.zone.subject, slot.zone.second}
            if slot.zone.name in self.dependence.zones and pile:
                pinned |= {(kind, member) for kind in kinds for member in self.get_members(kind)}
        for card in fixed:
            row = self.build_row(self.game.faces[self.program.face[card]])
            pinned |= {(kind, value) for kind, value in zip(self.kinds, row, strict=True) if kind is not None}
        return pinned

    def arrange_block_rows(
        self, kind: str, block: Sequence[int], classes: dict[CardKey, list[int]]
    ) -> list[list[CardKey]] | None:
        """Return the classes of each value of a block, in corresponding order.

        Return None if a class has several of the values without being symmetric in all of them, or if no class has any.
        """
        rows: dict[int, dict[CardKey, CardKey]] = {member: {} for member in block}
        for key in classes:
            if all(self.swap_members_in_key(key, kind, block[0], other) == key for other in block[1:]):
                continue
            members = {
                value
                for row in key.iter_rows()
                for column_kind, value in zip(self.kinds, row, strict=True)
                if column_kind == kind
            }
            mine = members & set(block)
            if len(mine) > 1:
                return None
            for member in mine:
                rows[member][self.swap_members_in_key(key, kind, member, ABSENT)] = key
        if len(block) < 2 or not rows[block[0]]:
            return None
        order = list(rows[block[0]])
        return [[rows[member][without] for without in order] for member in block]


class WildFaces:
    """Faces that cards may show in rankings whose ties do not matter.

    columns, ordered, members: the attributes that the ranks read, as in `CardDependence`.
    """

    def __init__(self, program: Program, rankings: Iterable[str], state: State, owner: int) -> None:
        self.program, self.state, self.owner = program, state, owner
        self.rankings = [program.game.rankings[name] for name in sorted(rankings)]
        dependences = [find_attributes_read_by_ranking(program.game, ranking) for ranking in self.rankings]
        self.columns = set[str]().union(*(dependence.columns for dependence in dependences))
        self.ordered = set[str]().union(*(dependence.ordered for dependence in dependences))
        self.members = set[tuple[str, int]]().union(*(dependence.members for dependence in dependences))

    def find_shown_faces(self, card: int) -> list[list[int]]:
        """Return by ranking the faces that a card may show after it is dealt."""
        before = self.state.owner[card]
        if self.owner != ABSENT:
            self.state.owner[card] = self.owner
        face_lists = []
        for ranking in self.rankings:
            faces = [self.program.face[card]]
            if ranking.wilds:
                reader = self.program.readings.find_evaluator(ranking.name)
                (lines,) = self.program.readings.find_wild_flags(ranking.name, self.state, [card])
                faces += reader.wild_cards.find_wild_card(card, lines).faces if lines else []
            face_lists.append(faces)
        self.state.owner[card] = before
        return face_lists


def can_classify_by_faces(game: g.Game, dependence: CardDependence, dealt: Iterable[str]) -> bool:
    """Return whether cards may be classified by the faces that they may show.

    This requires that ties do not matter and that wild cards do not depend on the cards dealt.
    """
    conditions = [wild.condition for name in dependence.rankings for wild in game.rankings[name].wilds]
    seen = [find_dependence(game, condition) for condition in conditions]
    return not dependence.needs_strength and not any(
        each.zones & set(dealt) or each.rankings or each.distinguishes_faces for each in seen
    )
