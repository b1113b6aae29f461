"""Precomputed frequencies of the ranks of a ranking.

`cardlang odds FILE RANKING --keep` writes them to a file next to the game, and rulebooks read them from there. The key
of an entry is a digest of the ranking, the cards and all definitions that the ranking uses. So an entry becomes invalid
only if one of these changes."""

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
"""Maximum size of such a file in bytes."""
HIDDEN = ("span", "type", "doc", "docs")
"""Fields of the AST that don't affect frequencies."""


@attrs.frozen
class Counts:
    """Frequencies of a ranking. `hands` is the number of hands; `ranks` has the number for each title, best first."""

    hands: int
    ranks: dict[str, int]


def known_counts(game: g.Game, ranking: g.Ranking) -> Counts | None:
    """Return the frequencies of a ranking, or None if they have not been computed.

    They cover all hands of the ranking's size from its cards. Only cards that are always wild count as wild."""
    from cardlang import find, games_directory

    key = digest(game, ranking)
    beside = find(game.sources[0].name).parent
    for folder in dict.fromkeys((beside, games_directory(), games_directory() / "classics")):
        entry = kept(folder / KEPT).get(key)
        if entry is not None:
            return Counts(entry["hands"], entry["ranks"])
    return None


def one_in(hands: int, number: int) -> str:
    """Return the number of hands per hit, such as `165,499` or `3.42`, or `never`."""
    if not number:
        return "never"
    return f"{hands / number:,.0f}" if hands >= 100 * number else f"{hands / number:.2f}"


def with_counts(path: Path, game: g.Game, ranking: g.Ranking, counts: dict[object, int], hands: int) -> str:
    """Return the content of a file of frequencies, with these added. Older entries of the same ranking are removed."""
    told = {"game": game.title, "variant": game.variant, "ranking": ranking.name}
    others = {key: each for key, each in kept(path).items() if {name: each.get(name) for name in told} != told}
    others[digest(game, ranking)] = {**told, "hands": hands, "ranks": counts}
    entries = sorted(others.items(), key=lambda item: (item[1]["game"], item[1]["variant"] or "", item[1]["ranking"]))
    return json.dumps(dict(entries), indent=2, ensure_ascii=False) + "\n"


def kept(path: Path) -> dict[str, dict[str, Any]]:
    """Return the entries of a file of frequencies; none if it is missing or malformed."""
    try:
        found = json.loads(read_start(path, MOST))
    except (OSError, ValueError, RecursionError):
        return {}
    entries = found if isinstance(found, dict) else {}
    return {key: each for key, each in entries.items() if isinstance(each, dict) and whole(each)}


def whole(entry: dict[str, Any]) -> bool:
    """Return whether an entry has all its numbers, in their valid ranges."""
    ranks, hands = entry.get("ranks"), entry.get("hands")
    if not (isinstance(ranks, dict) and type(hands) is int):
        return False
    return hands > 0 and all(type(count) is int and 0 <= count <= hands for count in ranks.values())


def digest(game: g.Game, ranking: g.Ranking) -> str:
    """Return a digest that is equal for rankings with equal frequencies. Variable names and positions don't matter."""
    plain = Plain(game)
    cards = [(face.set, face.copies, [c.values[face.number] for c in game.columns.values()]) for face in game.faces]
    kinds = [(kind.name, [(m.name, m.worth) for m in kind.members]) for kind in game.kinds.values()]
    about: list[object] = [cards, [*game.columns], kinds, [(each.name, each.home) for each in game.sets.values()]]
    about += [ranking.size, [(rank.title, plain.of(rank.patterns)) for rank in ranking.ranks]]
    about.append([(plain.of(wild.condition), wild.sets, wild.attribute) for wild in ranking.wilds])
    about.append(plain.reached())
    return hashlib.sha256(repr(about).encode()).hexdigest()[:16]


def told(kind: Any) -> tuple[str, ...]:
    """Return the fields of a class that the digest includes."""
    return tuple(each.name for each in attrs.fields(kind) if each.name not in HIDDEN)


class Plain:
    """Structural keys: parts of a game as nested tuples that are equal if their meaning is equal."""

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
        """Return the definitions that the parts use so far, directly or not, and the initial values of the tracks they
        read."""
        found, done = [], 0
        while done < len(self.names):
            what, name = list(self.names)[done]
            part = self.game.defines[name].value if what == "definition" else self.game.tracks[name].start
            found.append((what, name, self.of(part)))
            done += 1
        return found
