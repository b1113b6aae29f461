"""Cards that an expression cannot tell apart, and members of kinds that can stand for each other.

Cards are in one class if everything that the expression reads of them is equal. A ranking whose ties do not matter
reads no more of a card than the faces that it may show: so wild cards of one suit are all alike to it.
Two members of a kind can change places if nothing that the expression reads names one of them or compares them by
more than equality, and the classes that come from each other by the change are equally large. Then every hand is
worth as much as the one in which these members have changed places."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

from attrs import frozen

from cardlang import game as g
from interpreter.odds.sight import Sight, member_kind, sight_of, sight_of_ranks
from interpreter.state import ABSENT, State

if TYPE_CHECKING:
    from interpreter.program import Program

Cards = tuple[int, ...]
Row = tuple[Any, ...]
"""What is read of a face: its set, and the values of columns."""


class Key(NamedTuple):
    """What is read of a card. `own`: of the card itself. `shown`: by ranking, of the faces that it may show."""

    other: tuple[Any, ...]
    own: Row
    shown: tuple[frozenset[Row], ...]

    def rows(self) -> Iterable[Row]:
        yield self.own
        for rows in self.shown:
            yield from rows


@frozen
class Block:
    """Members that can all change places. `rows`: for each of them the classes that have it, in the same order of
    what else they are."""

    rows: tuple[tuple[Cards, ...], ...]


@frozen
class Division:
    """The cards that are dealt from. `loose`: classes that no block has; the blocks have no class in common."""

    loose: tuple[Cards, ...]
    blocks: tuple[Block, ...]


class Classes:
    """The classes of the cards of a program's game for what a `Sight` tells, in a position.

    `wilds`: if rankings are to be told by the faces that cards may show, what says so; then `sight` leaves out what
    only they look at."""

    def __init__(self, program: Program, sight: Sight, state: State, wilds: Wilds | None = None) -> None:
        self.program, self.game, self.sight, self.state, self.wilds = program, program.game, sight, state, wilds
        columns = sight.columns | (wilds.columns if wilds is not None else set())
        self.columns = sorted(columns)
        self.read = [name in sight.columns for name in self.columns]
        self.kinds = [None, *(member_kind(self.game.columns[name].type) for name in self.columns)]
        self.ordered = sight.ordered | (wilds.ordered if wilds is not None else set())

    def key(self, card: int) -> Key:
        """Equal for cards that cannot be told apart."""
        sight = self.sight
        face = self.game.faces[self.program.face[card]]
        other = [
            face.title if sight.titles else None,
            face.number if sight.all or face.number in sight.named else None,
            *(id(self.game.borne_defines[name].bodies[face.number]) for name in sorted(sight.borne)),
            *(self.state.t[self.program.track_base[name] + card] for name in sorted(sight.marks)),
        ]
        row = self.row(face)
        own = (
            row[0] if sight.sets else None,
            *(v if read else None for v, read in zip(row[1:], self.read, strict=True)),
        )
        shown = self.wilds.shown(card) if self.wilds is not None else ()
        return Key(tuple(other), own, tuple(frozenset(self.row(self.game.faces[f]) for f in faces) for faces in shown))

    def row(self, face: g.Face) -> Row:
        return (face.set, *(self.game.columns[name].values[face.number] for name in self.columns))

    def divide(self, deck: Iterable[int], fixed: Iterable[int]) -> Division:
        """`fixed`: cards that lie where the expression sees them, and stay there."""
        classes: dict[Key, list[int]] = {}
        for card in deck:
            classes.setdefault(self.key(card), []).append(card)
        blocks: list[Block] = []
        taken: set[Key] = set()
        for keys in sorted(self.blocks(classes, fixed), key=lambda rows: -len(rows)):
            own = {key for row in keys for key in row}
            if not own & taken:
                taken |= own
                blocks.append(Block(tuple(tuple(tuple(classes[key]) for key in row) for row in keys)))
        return Division(tuple(tuple(cards) for key, cards in classes.items() if key not in taken), tuple(blocks))

    # ------------------------------------------------------------ members that can change places
    def blocks(self, classes: dict[Key, list[int]], fixed: Iterable[int]) -> list[list[list[Key]]]:
        """By block and member the classes that have it."""
        if self.sight.all:
            return []
        sizes = Counter({key: len(cards) for key, cards in classes.items()})
        pinned = self.pinned(fixed)
        found = []
        for name in sorted({kind for kind in self.kinds if kind is not None} - self.ordered):
            blocks: list[list[int]] = []
            for member in self.members(name):
                if (name, member) not in pinned:
                    self.join(name, member, blocks, sizes)
            found += [rows for block in blocks if (rows := self.rows(name, block, classes))]
        return found

    def members(self, kind: str) -> range:
        return range(len(self.game.kinds[kind].members))

    def join(self, kind: str, member: int, blocks: list[list[int]], sizes: Counter[Key]) -> None:
        """Puts a member among those with which it can change places."""
        for block in blocks:
            if self.can_change(kind, block[0], member, sizes):
                block.append(member)
                return
        blocks.append([member])

    def can_change(self, kind: str, one: int, two: int, sizes: Counter[Key]) -> bool:
        if self.colour(kind, one) != self.colour(kind, two):
            return False
        if any(sizes[self.changed(key, kind, one, two)] != size for key, size in sizes.items()):
            return False
        faces = {self.row(face) for face in self.game.faces if self.is_shown(face.set)}
        return all(self.changed_row(row, kind, one, two) in faces for row in faces)

    def changed(self, key: Key, kind: str, one: int, two: int) -> Key:
        shown = [frozenset(self.changed_row(row, kind, one, two) for row in rows) for rows in key.shown]
        return Key(key.other, self.changed_row(key.own, kind, one, two), tuple(shown))

    def changed_row(self, row: Row, kind: str, one: int, two: int) -> Row:
        change = {one: two, two: one}
        pairs = zip(self.kinds, row, strict=True)
        return tuple([change.get(value, value) if own == kind else value for own, value in pairs])

    def is_shown(self, name: str) -> bool:
        """Whether wild cards may show the faces of a set, even those of which there is no card."""
        wilds = [wild for ranking in self.sight.rankings for wild in self.game.rankings[ranking].wilds]
        return any(wild.attribute is not None or name in wild.sets for wild in wilds)

    def colour(self, kind: str, member: int) -> Row:
        """What numbers and tracks tell of a member."""
        declared = self.game.kinds[kind].members[member]
        worth = (declared.worth, declared.name.isdigit() and declared.name) if kind in self.sight.worths else ()
        tracks = [name for name in sorted(self.sight.tracks) if self.game.tracks[name].subject == kind]
        return (worth, *(self.state.t[self.program.track_base[name] + member] for name in tracks))

    def pinned(self, fixed: Iterable[int]) -> set[tuple[str, int]]:
        """Members that are named in the rules, by a track, or by a card that is seen."""
        pinned = self.sight.members | (self.wilds.members if self.wilds is not None else set())
        for track, value in zip(self.program.tracks, self.state.t, strict=False):
            kind = member_kind(track.track.type)
            if kind is not None and track.track.name in self.sight.tracks | self.sight.marks:
                pinned.add((kind, value))
        for slot, pile in zip(self.program.zones, self.state.z, strict=True):
            subject = slot.zone.subject
            if subject in self.game.kinds and slot.zone.name in self.sight.zones and pile:
                pinned |= {(subject, member) for member in self.members(subject)}
        for card in fixed:
            row = self.row(self.game.faces[self.program.face[card]])
            pinned |= {(kind, value) for kind, value in zip(self.kinds, row, strict=True) if kind is not None}
        return pinned

    def rows(self, kind: str, block: Sequence[int], classes: dict[Key, list[int]]) -> list[list[Key]] | None:
        """For each member of a block its classes; None if some class has several of the members (but not all alike),
        or none has any."""
        rows: dict[int, dict[Key, Key]] = {member: {} for member in block}
        for key in classes:
            if all(self.changed(key, kind, block[0], other) == key for other in block[1:]):
                continue
            members = {value for row in key.rows() for own, value in zip(self.kinds, row, strict=True) if own == kind}
            mine = members & set(block)
            if len(mine) > 1:
                return None
            for member in mine:
                rows[member][self.changed(key, kind, member, ABSENT)] = key
        if len(block) < 2 or not rows[block[0]]:
            return None
        order = list(rows[block[0]])
        return [[rows[member][without] for without in order] for member in block]


class Wilds:
    """What cards may show in rankings whose ties do not matter.

    columns, ordered, members: what the ranks of the rankings see."""

    def __init__(self, program: Program, rankings: Iterable[str], state: State, owner: int) -> None:
        self.program, self.state, self.owner = program, state, owner
        self.rankings = [program.game.rankings[name] for name in sorted(rankings)]
        sights = [sight_of_ranks(program.game, ranking) for ranking in self.rankings]
        self.columns = set[str]().union(*(sight.columns for sight in sights))
        self.ordered = set[str]().union(*(sight.ordered for sight in sights))
        self.members = set[tuple[str, int]]().union(*(sight.members for sight in sights))

    def shown(self, card: int) -> list[list[int]]:
        """By ranking, the faces that a card may show once it is dealt."""
        before = self.state.owner[card]
        if self.owner != ABSENT:
            self.state.owner[card] = self.owner
        found = []
        for ranking in self.rankings:
            faces = [self.program.face[card]]
            if ranking.wilds:
                reader = self.program.readings.reader(ranking.name)
                (lines,) = self.program.readings.wild(ranking.name, self.state, [card])
                faces += reader.wild_cards.stand_in(card, lines).faces if lines else []
            found.append(faces)
        self.state.owner[card] = before
        return found


def told_by_faces(game: g.Game, sight: Sight, dealt: Iterable[str]) -> bool:
    """Whether cards may be told by the faces that they may show: ties do not matter, and which cards are wild does not
    depend on the cards dealt."""
    conditions = [wild.condition for name in sight.rankings for wild in game.rankings[name].wilds]
    seen = [sight_of(game, condition) for condition in conditions]
    return not sight.judged and not any(each.zones & set(dealt) or each.rankings or each.all for each in seen)
