"""Aliases of cards, in addition to their codes.

Examples: `7c` and `7clubs` for the 7 of Clubs, regardless of its code's letter; `bl` for Bottom Left in a grid. A name
can have several words."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable, Mapping, Sequence

from cardlang.game import Game
from cardlang.plain_text import simplified

KNOWN = ("club", "diamond", "heart", "spade")
"""Suits known by their first letter."""
NAMED = {"club": "♣", "diamond": "♦", "heart": "♥", "spade": "♠", "sun": "☀", "moon": "☾"}
"""Symbols known by a word. A symbol makes the letter of the suit unnecessary."""
SIGNED = re.compile(r"(?<!\w)([^\W_]+)([^\w\s\[\],.*#'-])\*?(?=[\s,;.\])]|$)")
"""Word followed by a symbol."""
WORD = re.compile(r"[^\s\[\],]+")


def words(text: str) -> list[str]:
    """Return the words of a line, without the brackets around cards."""
    return WORD.findall(simplified(text))


def codes_meant(game: Game, shortest: int = 1) -> dict[str, tuple[str, ...]]:
    """Return the codes that each alias in lower case can mean.

    An alias replaces the suit's letter with at least `shortest` letters of the suit's name. If several suits match, a
    well-known suit takes precedence."""
    own = {face.code.lower() for face in game.faces}
    found: dict[str, set[tuple[bool, str]]] = {}
    for face in game.faces:
        for column in game.columns.values():
            kind, place = game.kinds.get(column.type.of or ""), column.place(face.number)
            if kind is None or place is None:
                continue
            member = kind.members[place]
            stem = face.code.removesuffix(member.code)
            if not stem or stem == face.code or len(member.name) < 2:
                continue
            known = member.name.lower().removesuffix("s") in KNOWN
            for end in range(shortest, len(member.name) + 1):
                said = f"{stem}{member.name[:end]}".lower()
                if said not in own:
                    found.setdefault(said, set()).add((known and end > 0, face.code))
    return {said: best_known(codes) for said, codes in found.items()}


def unsigned(typed: str, game: Game) -> str:
    """Return a line without the symbols drawn on cards.

    A symbol after a complete code is dropped. Otherwise, the name of its suit replaces it."""
    own, names = {face.code.lower() for face in game.faces}, {sign: name for name, sign in NAMED.items()}

    def plain(found: re.Match[str]) -> str:
        code, sign = found.groups()
        if unicodedata.category(sign)[0] == "M":  # combining marks (accents, vowel signs) belong to the word
            return found[0]
        return code if code.lower() in own else f"{code}{names.get(sign, sign)}"

    return SIGNED.sub(plain, typed)


def best_known(codes: Iterable[tuple[bool, str]]) -> tuple[str, ...]:
    every = sorted(codes)
    return tuple(code for known, code in every if known) or tuple(code for _, code in every)


def initials(label: str) -> str:
    """Return `tl` for `Top Left`, or an empty string for a single word."""
    parts = label.split()
    return "".join(part[0] for part in parts).lower() if len(parts) > 1 else ""


def in_full(typed: str, game: Game, open_now: str, places: Sequence[str], shortest: int = 1) -> str:
    """Return a line with aliases replaced by unambiguous codes and places that are available.

    `open_now`: all moves and labels available now. `places`: names of the places of a grid. `shortest`: minimum number
    of letters typed for a suit."""
    named = {word.lower() for word in words(open_now)}
    codes, short = codes_meant(game, shortest), {initials(place): place for place in places}

    def respelled(found: re.Match[str]) -> str:
        said = found[0].lower()
        if said in named:
            return found[0]
        meant = [code for code in codes.get(said, ()) if code.lower() in named]
        return meant[0] if len(meant) == 1 else short.get(said, found[0])

    return WORD.sub(respelled, typed)


def refs_named(said: Sequence[str], names: Mapping[str, str]) -> list[str] | None:
    """Return the refs that the words name in sequence, each once, or None if some words match no ref.

    `names`: name of each ref, one or several words. Case only matters to resolve ambiguity."""
    found: list[str] = []
    rest = list(said)
    while rest:
        ref = next_named(rest, {ref: name for ref, name in names.items() if ref not in found})
        if ref is None:
            return None
        found.append(ref)
        del rest[: len(names[ref].split())]
    return found


def next_named(rest: Sequence[str], names: Mapping[str, str]) -> str | None:
    """Return the ref that the next words name. Prefer exact case, then longer names."""
    order = sorted(names, key=lambda ref: -len(names[ref].split()))
    for fold in (str, str.lower):
        for ref in order:
            own = [fold(word) for word in names[ref].split()]
            if own and [fold(word) for word in rest[: len(own)]] == own:
                return ref
    return None
