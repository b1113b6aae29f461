"""Cards that an expression cannot tell apart, and members of kinds that can stand for each other.

Cards are in one class if everything that the expression reads of them is equal. Two members of a kind can change places
if nothing that the expression reads names one of them or compares them by more than equality, and the classes that
come from each other by the change are equally large. Then every hand is worth as much as the one in which these
members have changed places."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

from attrs import frozen

from cardlang import game as g
from interpreter.odds_sight import Sight, member_kind
from interpreter.state import ABSENT, State

if TYPE_CHECKING:
    from interpreter.program import Program

Cards = tuple[int, ...]


class Key(NamedTuple):
    """What is read of a card. `columns`: the values of the columns read, in the order of `Classes.columns`."""

    other: tuple[Any, ...]
    columns: tuple[Any, ...]


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
    """The classes of the cards of a program's game, for what a `Sight` tells, in a position."""

    def __init__(self, program: Program, sight: Sight, state: State) -> None:
        self.program, self.game, self.sight, self.state = program, program.game, sight, state
        self.columns = sorted(sight.columns)
        self.kinds = [member_kind(self.game.columns[name].type) for name in self.columns]

    def key(self, card: int) -> Key:
        """Equal for cards that cannot be told apart."""
        sight = self.sight
        face = self.game.faces[self.program.face[card]]
        other = [
            face.set if sight.sets else None,
            face.title if sight.titles else None,
            face.number if sight.all or face.number in sight.named else None,
            *(id(self.game.borne_defines[name].bodies[face.number]) for name in sorted(sight.borne)),
            *(self.state.t[self.program.track_base[name] + card] for name in sorted(sight.marks)),
        ]
        return Key(tuple(other), self.values(face.number))

    def values(self, face: int) -> tuple[Any, ...]:
        return tuple(self.game.columns[name].values[face] for name in self.columns)

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
        for name in sorted({kind for kind in self.kinds if kind is not None} - self.sight.ordered):
            blocks: list[list[int]] = []
            for member in range(len(self.game.kinds[name].members)):
                if (name, member) not in pinned:
                    self.join(name, member, blocks, sizes)
            found += [rows for block in blocks if (rows := self.rows(name, block, classes))]
        return found

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
        if any(sizes[self.changed(key, kind, one, two)] != size for key, size in list(sizes.items())):
            return False
        faces = {Key((face.set,), self.values(face.number)) for face in self.game.faces if self.wild_sets(face.set)}
        return all(self.changed(key, kind, one, two) in faces for key in faces)

    def changed(self, key: Key, kind: str, one: int, two: int) -> Key:
        change = {one: two, two: one}
        pairs = zip(self.kinds, key.columns, strict=True)
        return Key(key.other, tuple(change.get(value, value) if own == kind else value for own, value in pairs))

    def wild_sets(self, name: str) -> bool:
        """Whether wild cards may stand for cards of a set, also for those that are not there."""
        wilds = [wild for ranking in self.sight.rankings for wild in self.game.rankings[ranking].wilds]
        return any(wild.attribute is not None or name in wild.sets for wild in wilds)

    def colour(self, kind: str, member: int) -> tuple[Any, ...]:
        """What numbers and tracks tell of a member."""
        declared = self.game.kinds[kind].members[member]
        worth = (declared.worth, declared.name.isdigit() and declared.name) if kind in self.sight.worths else ()
        tracks = [name for name in sorted(self.sight.tracks) if self.game.tracks[name].subject == kind]
        return (worth, *(self.state.t[self.program.track_base[name] + member] for name in tracks))

    def pinned(self, fixed: Iterable[int]) -> set[tuple[str, int]]:
        """Members that are named in the rules, by a track, or by a card that is seen."""
        pinned = set(self.sight.members)
        for slot, value in zip(self.program.tracks, self.state.t, strict=False):
            kind = member_kind(slot.track.type)
            if kind is not None and slot.track.name in self.sight.tracks | self.sight.marks:
                pinned.add((kind, value))
        for slot, pile in zip(self.program.zones, self.state.z, strict=True):
            if slot.zone.subject in self.game.kinds and slot.zone.name in self.sight.zones and pile:
                pinned |= {(slot.zone.subject, member) for member in self.members(slot.zone.subject)}
        for card in fixed:
            for kind, value in zip(self.kinds, self.values(self.program.face[card]), strict=True):
                if kind is not None and value is not None:
                    pinned.add((kind, value))
        return pinned

    def members(self, kind: str) -> range:
        return range(len(self.game.kinds[kind].members))

    def rows(self, kind: str, block: Sequence[int], classes: dict[Key, list[int]]) -> list[list[Key]] | None:
        """For each member of a block its classes; None if some class has two of the members, or none has any."""
        rows: dict[int, dict[Key, Key]] = {member: {} for member in block}
        for key in classes:
            places = [i for i, own in enumerate(self.kinds) if own == kind and key.columns[i] in rows]
            if len(places) > 1:
                return None
            for place in places:
                without = Key(key.other, (*key.columns[:place], ABSENT, *key.columns[place + 1 :]))
                rows[key.columns[place]][without] = key
        if len(block) < 2 or not rows[block[0]]:
            return None
        order = list(rows[block[0]])
        return [[rows[member][without] for without in order] for member in block]
