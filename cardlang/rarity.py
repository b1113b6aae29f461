"""How rare the ranks of a ranking are, counted beforehand: `cardlang odds FILE RANKING --keep` writes the counts into a
file beside the game, from which a rule sheet takes them.

A count belongs to what it depends on, not to a file: it is found by a digest of the ranking, of the cards and of all
that the ranking reads. So it is lost when one of these is changed, and only then."""

from __future__ import annotations

import hashlib
import json
from pathlib import Path
from typing import Any

import attrs

from cardlang import game as g
from cardlang.disk import read_start

KEPT = "odds.json"
MOST = 1 << 24
"""No file of counts has more bytes."""
HIDDEN = ("span", "type", "doc", "docs")
"""Fields of the parts of a game that say nothing about what is counted."""


@attrs.frozen
class Counts:
    """`hands`: how many hands there are. `ranks`: by title, best first, how many of them make each rank."""

    hands: int
    ranks: dict[str, int]


def known_counts(game: g.Game, ranking: g.Ranking) -> Counts | None:
    """How many hands make each rank; None where it has not been counted. All hands of the ranking's size from the
    cards it is about are counted, with nothing wild but what is so from the start."""
    from cardlang import find, games_directory

    key = digest(game, ranking)
    beside = find(game.sources[0].name).parent
    for folder in dict.fromkeys((beside, games_directory(), games_directory() / "classics")):
        entry = kept(folder / KEPT).get(key)
        if entry is not None:
            return Counts(entry["hands"], entry["ranks"])
    return None


def one_in(hands: int, number: int) -> str:
    """One of so many hands: `165,499`, `3.42`; `never`."""
    if not number:
        return "never"
    return f"{hands / number:,.0f}" if hands >= 100 * number else f"{hands / number:.2f}"


def with_counts(path: Path, game: g.Game, ranking: g.Ranking, counts: dict[object, int], hands: int) -> str:
    """The text of a file of counts with these put in. Older counts of the same ranking are left out."""
    told = {"game": game.title, "variant": game.variant, "ranking": ranking.name}
    others = {key: each for key, each in kept(path).items() if {name: each.get(name) for name in told} != told}
    others[digest(game, ranking)] = {**told, "hands": hands, "ranks": counts}
    entries = sorted(others.items(), key=lambda item: (item[1]["game"], item[1]["variant"] or "", item[1]["ranking"]))
    return json.dumps(dict(entries), indent=2, ensure_ascii=False) + "\n"


def kept(path: Path) -> dict[str, dict[str, Any]]:
    """The counts in a file; none if there is no such file or it is something else."""
    try:
        found = json.loads(read_start(path, MOST))
    except (OSError, ValueError, RecursionError):
        return {}
    entries = found if isinstance(found, dict) else {}
    return {key: each for key, each in entries.items() if isinstance(each, dict) and whole(each)}


def whole(entry: dict[str, Any]) -> bool:
    """Whether an entry of a file has all its numbers, and none that cannot be."""
    ranks, hands = entry.get("ranks"), entry.get("hands")
    if not (isinstance(ranks, dict) and type(hands) is int):
        return False
    return hands > 0 and all(type(count) is int and 0 <= count <= hands for count in ranks.values())


def digest(game: g.Game, ranking: g.Ranking) -> str:
    """Equal for rankings of equal cards that count the same; names of variables and places in the text do not
    matter."""
    plain = Plain(game)
    cards = [(face.set, face.copies, [c.values[face.number] for c in game.columns.values()]) for face in game.faces]
    kinds = [(kind.name, [(m.name, m.worth) for m in kind.members]) for kind in game.kinds.values()]
    about: list[object] = [cards, [*game.columns], kinds, [(each.name, each.home) for each in game.sets.values()]]
    about += [ranking.size, [(rank.title, plain.of(rank.patterns)) for rank in ranking.ranks]]
    about.append([(plain.of(wild.condition), wild.sets, wild.attribute) for wild in ranking.wilds])
    about.append(plain.reached())
    return hashlib.sha256(repr(about).encode()).hexdigest()[:16]


def told(kind: Any) -> tuple[str, ...]:
    """The fields of a class of parts that the digest is made of."""
    return tuple(each.name for each in attrs.fields(kind) if each.name not in HIDDEN)


class Plain:
    """Parts of a game as nested tuples, equal for parts that mean the same."""

    def __init__(self, game: g.Game) -> None:
        self.game = game
        self.variables: dict[int, int] = {}
        self.names: dict[tuple[str, str], None] = {}

    def of(self, value: object) -> object:
        if isinstance(value, g.Var):
            return "variable", self.variables.setdefault(value.id, len(self.variables))
        if isinstance(value, tuple):
            return tuple(map(self.of, value))
        if not attrs.has(type(value)):
            return value
        if isinstance(value, g.Call):
            self.names["definition", value.define] = None
        if isinstance(value, g.TrackValue):
            self.names["track", value.track] = None
        return (type(value).__name__, *(self.of(getattr(value, name)) for name in told(type(value))))

    def reached(self) -> list[tuple[str, str, object]]:
        """The definitions that the parts so far need, and how the tracks that they read start."""
        found, done = [], 0
        while done < len(self.names):
            what, name = list(self.names)[done]
            part = self.game.defines[name].value if what == "definition" else self.game.tracks[name].start
            found.append((what, name, self.of(part)))
            done += 1
        return found
