"""Precomputed rank frequencies, keyed by structural digests.

`cardlang odds FILE RANKING --keep` writes them to a file next to the game, and rulebooks read them from there. The key
of an entry is a digest of the ranking, the cards and all definitions that the ranking uses. So an entry becomes invalid
only if one of these changes.
"""

from __future__ import annotations

import hashlib
import json
from pathlib import Path
from typing import Any

import attrs

from cardlang import model as g
from cardlang.model.structural_keys import StructuralKeyBuilder
from cardlang.storage import read_file_start

ODDS_FILE_NAME = "odds.json"
MAX_ODDS_FILE_BYTES = 1 << 24
"""Maximum size of such a file in bytes."""
IGNORED_FIELDS = ("span", "type", "doc", "docs")
"""Fields of the AST that don't affect frequencies."""


@attrs.frozen
class RankFrequencies:
    """Frequencies of a ranking. `hands` is the number of hands; `ranks` has the number for each title, best first."""

    hands: int
    ranks: dict[str, int]


def find_rank_frequencies(game: g.Game, ranking: g.Ranking) -> RankFrequencies | None:
    """Return the frequencies of a ranking, or None if they have not been computed.

    They cover all hands of the ranking's size from its cards. Only cards that are always wild count as wild."""
    from cardlang.storage import find_game_file, find_games_folder

    key = compute_ranking_digest(game, ranking)
    beside = find_game_file(game.sources[0].name).parent
    for folder in dict.fromkeys((beside, find_games_folder(), find_games_folder() / "classics")):
        entry = read_odds_entries(folder / ODDS_FILE_NAME).get(key)
        if entry is not None:
            return RankFrequencies(entry["hands"], entry["ranks"])
    return None


def format_one_in_n(hand_count: int, hit_count: int) -> str:
    """Return the number of hands per hit, such as `165,499` or `3.42`, or `never`."""
    if not hit_count:
        return "never"
    return f"{hand_count / hit_count:,.0f}" if hand_count >= 100 * hit_count else f"{hand_count / hit_count:.2f}"


def render_odds_file(
    path: Path, game: g.Game, ranking: g.Ranking, rank_counts: dict[object, int], hand_count: int
) -> str:
    """Return the content of a file of frequencies, with these added. Older entries of the same ranking are removed."""
    told = {"game": game.title, "variant": game.variant, "ranking": ranking.name}
    others = {
        key: each for key, each in read_odds_entries(path).items() if {name: each.get(name) for name in told} != told
    }
    others[compute_ranking_digest(game, ranking)] = {**told, "hands": hand_count, "ranks": rank_counts}
    entries = sorted(others.items(), key=lambda item: (item[1]["game"], item[1]["variant"] or "", item[1]["ranking"]))
    return json.dumps(dict(entries), indent=2, ensure_ascii=False) + "\n"


def read_odds_entries(path: Path) -> dict[str, dict[str, Any]]:
    """Return the entries of a file of frequencies; none if it is missing or malformed."""
    try:
        found = json.loads(read_file_start(path, MAX_ODDS_FILE_BYTES))
    except (OSError, ValueError, RecursionError):
        return {}
    entries = found if isinstance(found, dict) else {}
    return {key: each for key, each in entries.items() if isinstance(each, dict) and is_valid_odds_entry(each)}


def is_valid_odds_entry(entry: dict[str, Any]) -> bool:
    """Return whether an entry has all its numbers, in their valid ranges."""
    ranks, hands = entry.get("ranks"), entry.get("hands")
    if not (isinstance(ranks, dict) and type(hands) is int):
        return False
    return hands > 0 and all(type(count) is int and 0 <= count <= hands for count in ranks.values())


def compute_ranking_digest(game: g.Game, ranking: g.Ranking) -> str:
    """Return a digest that is equal for rankings with equal frequencies. Variable names and positions don't matter."""
    plain = RankingKeyBuilder(game)
    cards = [(face.set, face.copies, [c.values[face.number] for c in game.columns.values()]) for face in game.faces]
    kinds = [(kind.name, [(m.name, m.worth) for m in kind.members]) for kind in game.kinds.values()]
    about: list[object] = [cards, [*game.columns], kinds, [(each.name, each.home) for each in game.sets.values()]]
    about += [ranking.size, [(rank.title, plain.build_key(rank.patterns)) for rank in ranking.ranks]]
    about.append([(plain.build_key(wild.condition), wild.sets, wild.attribute) for wild in ranking.wilds])
    about.append(plain.build_dependency_keys())
    return hashlib.sha256(repr(about).encode()).hexdigest()[:16]


class RankingKeyBuilder(StructuralKeyBuilder):
    """Builder of keys that also collects the definitions and tracks that the parts use."""

    def __init__(self, game: g.Game) -> None:
        super().__init__(IGNORED_FIELDS)
        self.game = game
        self.names: dict[tuple[str, str], None] = {}

    def build_key(self, value: Any) -> object:
        if isinstance(value, g.Call):
            self.names["definition", value.define] = None
        if isinstance(value, g.TrackValue):
            self.names["track", value.track] = None
        return super().build_key(value)

    def build_dependency_keys(self) -> list[tuple[str, str, object]]:
        """Return the definitions that the parts use so far, directly or not, and the initial values of the tracks they
        read."""
        found, done = [], 0
        while done < len(self.names):
            what, name = list(self.names)[done]
            part = self.game.defines[name].value if what == "definition" else self.game.tracks[name].start
            found.append((what, name, self.build_key(part)))
            done += 1
        return found
