"""Semantic comparison of two games, declaration by declaration, without wording and source positions."""

from __future__ import annotations

import json
from collections.abc import Iterator

from cardlang.game import Game

NAMED = {
    "kinds": "kind",
    "sets": "cards",
    "zones": "zone",
    "tracks": "number or flag",
    "defines": "definition",
    "borne_defines": "card definition",
    "orders": "order",
    "rankings": "ranking",
    "steps": "step",
    "borne_steps": "card procedure",
}
"""Tables of a game in JSON, with the word for their entries."""
TOLD = {"span", "origin", "doc", "docs", "noun", "like", "sample", "face", "called", "called_with"}
"""Keys that don't affect meaning: wording, positions, samples, and cards by number."""
SAID = ("Note", "Ruling", "Tell")
"""Statements without an effect on play."""


def other_meaning(old: Game, new: Game) -> tuple[str, ...]:
    """Return the declarations whose meaning differs, or that only one game has."""
    before, after = meaning(old), meaning(new)
    return tuple(name for name in {**before, **after} if before.get(name) != after.get(name))


def meaning(game: Game) -> dict[str, str]:
    """Return a canonical string for the meaning of each declaration. Equal strings mean equal declarations."""
    whole = json.loads(game.json())["game"]
    codes = [face.code for face in game.faces]
    found = {"player count": json.dumps(whole["seats"])}
    for table, what in NAMED.items():
        for each in whole.get(table, ()):
            found[f"{what} `{each['name']}`"] = Bare(codes).text(each)
    found["the cards"] = json.dumps(sorted(faces(game)), default=str)
    for each in whole.get("reactions", ()):
        found[f"reaction `{each['option']['name']}`"] = Bare(codes).text(each)
    for table in ("enters", "whenevers"):
        found["whenever"] = found.get("whenever", "") + "".join(
            sorted(Bare(codes).text(each) for each in whole.get(table, ()))
        )
    return found


def faces(game: Game) -> Iterator[tuple[str, object]]:
    """Yield the code of each card, with its set, its number of copies and its values."""
    for face in game.faces:
        values = {name: column.values[face.number] for name, column in game.columns.items()}
        if face.copies:
            yield face.code, (face.set, face.copies, sorted(values.items()))


class Bare:
    """Canonical form of a declaration: without wording and positions, with local numbers in place of IDs."""

    def __init__(self, codes: list[str]) -> None:
        self.codes = codes
        self.ids: dict[int, int] = {}

    def text(self, value: object) -> str:
        return json.dumps(self.bare(value), sort_keys=True)

    def bare(self, value: object) -> object:
        if isinstance(value, list):
            return [self.bare(each) for each in value if not (isinstance(each, dict) and each.get("is") in SAID)]
        if not isinstance(value, dict):
            return value
        if "id" in value:
            return {"id": self.ids.setdefault(value["id"], len(self.ids)), "type": value.get("type")}
        if value.get("is") == "FirstPossible":
            value = {**value, "lists": [each[0] for each in value["lists"]]}  # without their wording
        kept = {key: self.bare(each) for key, each in value.items() if key not in TOLD}
        if value.get("is") == "Const" and value["type"]["tag"] == "card" and isinstance(value.get("value"), int):
            kept["value"] = self.codes[value["value"]]
        return kept
