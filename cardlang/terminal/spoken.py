"""How people name cards beside their codes: `7c` and `7clubs` for the 7 of Clubs, whatever letter its code has, `bl`
for the card at the Bottom Left of a grid, several words for one thing."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable, Mapping, Sequence

from cardlang.game import Game
from cardlang.plain_text import simplified

KNOWN = ("club", "diamond", "heart", "spade")
"""Suits that everybody connects with their first letter."""
NAMED = {"club": "♣", "diamond": "♦", "heart": "♥", "spade": "♠", "sun": "☀", "moon": "☾"}
"""Symbols that everybody connects with a word; with one of them the letter of the suit is not needed."""
SIGNED = re.compile(r"(?<!\w)([^\W_]+)([^\w\s\[\],.*#'-])\*?(?=[\s,;.\])]|$)")
"""A word with a sign behind it."""
WORD = re.compile(r"[^\s\[\],]+")


def words(text: str) -> list[str]:
    """The words of a line, without the brackets around cards."""
    return WORD.findall(simplified(text))


def codes_meant(game: Game, shortest: int = 1) -> dict[str, tuple[str, ...]]:
    """By what may be typed for a card, in lower case, the codes that it may mean: the beginning of its suit's name in
    place of the suit's letter, with so many letters at least. Of several suits that begin so, one that everybody knows
    is meant."""
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
    """A line without the signs that are drawn on cards: behind a code each goes, else it stands for its suit's name."""
    own, names = {face.code.lower() for face in game.faces}, {sign: name for name, sign in NAMED.items()}

    def plain(found: re.Match[str]) -> str:
        code, sign = found.groups()
        if unicodedata.category(sign)[0] == "M":  # an accent or a vowel is a part of its word
            return found[0]
        return code if code.lower() in own else f"{code}{names.get(sign, sign)}"

    return SIGNED.sub(plain, typed)


def best_known(codes: Iterable[tuple[bool, str]]) -> tuple[str, ...]:
    every = sorted(codes)
    return tuple(code for known, code in every if known) or tuple(code for _, code in every)


def initials(label: str) -> str:
    """`tl` of `Top Left`; empty for a single word."""
    parts = label.split()
    return "".join(part[0] for part in parts).lower() if len(parts) > 1 else ""


def in_full(typed: str, game: Game, open_now: str, places: Sequence[str], shortest: int = 1) -> str:
    """A line with the codes and places that its words stand for, where these are open and only one is meant.
    `open_now`: all moves and labels that can be named now, `places`: what cards of a grid are called; `shortest`: so
    many letters of a suit are typed at least."""
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
    """The refs that words name one after another, each once; None if some of them name none. `names`: by ref, what each
    is called, in one word or several. The case of letters counts only where it tells things apart."""
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
    """What the next words name: the same case before any, more words before fewer."""
    order = sorted(names, key=lambda ref: -len(names[ref].split()))
    for fold in (str, str.lower):
        for ref in order:
            own = [fold(word) for word in names[ref].split()]
            if own and [fold(word) for word in rest[: len(own)]] == own:
                return ref
    return None
