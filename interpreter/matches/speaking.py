"""Understand moves by the names that people and screens use: labels, titles of cards, and refs.

Explain why such a move is illegal. A legal move is never refused, alone or in a set.
"""

from __future__ import annotations

import re

from cardlang.plain_text import simplified
from interpreter.errors import MoveError
from interpreter.matches.asked import move_view
from interpreter.matches.moves import Moves, Printer, printed
from interpreter.matches.names import Names
from interpreter.matches.parsing import meant, words_of
from interpreter.matches.purpose import Purpose
from interpreter.matches.reasons import Refusal
from interpreter.matches.refusal import plan, refusal
from interpreter.matches.toggling import Toggling
from interpreter.state import State

PART = "is part of a larger choice. Name everything at once, as in [A B]."
REF = re.compile(r"\S*/\S*(?:#\d+)?")


def codes_of(names: Names, state: State, moves: Moves, text: str) -> list[int]:
    """Return the codes of the moves that a string means. Raise `MoveError` with the reason if the move is illegal."""
    try:
        return plan(names, state, text)
    except MoveError as error:
        refused = error
    other = in_other_words(names, state, moves, text)
    if other is not None:
        try:
            return plan(names, state, other)
        except MoveError as error:
            refused = error
    if why_not(names, state, moves, text) is None:
        raise MoveError(f"{text.strip()} {PART}", refused.span)
    raise refused


def why_not(names: Names, state: State, moves: Moves, text: str) -> Refusal | None:
    """Explain why a string is not a legal move.

    Return None if it is legal, could mean several legal moves, or is part of a legal set.
    """
    refused = refusal(names, state, text)
    if refused is None or state.who < 0:
        return refused
    said = in_other_words(names, state, moves, text) or text
    if meant(words_of(said), printed(names, state, state.legal)):
        return None
    toggling = Toggling(names, state) if names.program.site(state).kind in ("pick", "several") else None
    if toggling is not None and toggling.is_several:
        found = as_set(toggling, said)
        if found is not None:
            return against(toggling, found)
    return refusal(names, state, said)


def as_set(toggling: Toggling, text: str) -> list[int] | None:
    """Return the items that a string names; None if any of them cannot be chosen here or comes twice."""
    printer = Printer(toggling.names, toggling.state, toggling.site)
    words = {item: words_of(printer.text(item + 1))[-1:] for item in toggling.items.values()}
    said = words_of(text)
    verb = getattr(toggling.site.statement, "verb", None)
    picks: list[int] = []
    for word in said[1:] if said[:1] == [verb] else said:
        item = next((item for item, own in words.items() if own == [word] and item not in picks), None)
        if item is None:
            return None
        picks.append(item)
    return picks or None


def against(toggling: Toggling, picks: list[int]) -> Refusal | None:
    """Explain why these items cannot be in one set; None if they can."""
    _, high, codes = toggling.joining(picks)
    if codes:
        return None
    if len(picks) > high:
        return Refusal(f"You can choose only {high}.")
    statement = toggling.site.statement
    words = statement.doc if statement is not None else ""
    return Refusal(words or "You cannot choose these together.")


def in_other_words(names: Names, state: State, moves: Moves, text: str) -> str | None:
    """Return the printed form of a move given in another form; None if nothing changes.

    Moves can be given by label, cards by title or ref, and players or values of kinds by ref.
    """
    if state.who < 0:
        return None
    said = " ".join(simplified(text).split())
    purpose = Purpose(names, state, names.program.site(state))
    labels = {simplified(move_view(names, purpose, move).label).lower(): move.text for move in moves}
    if said.lower() in labels:
        return labels[said.lower()]
    found = by_ref(names, state, said)
    spoken = {simplified(face.title).lower(): face.code for face in names.game.faces}
    titles = {title: code for title, code in spoken.items() if title != code.lower()}
    if titles:
        longest = sorted(titles, key=len, reverse=True)
        title = re.compile(rf"(?<![\w\[])(?:{'|'.join(map(re.escape, longest))})(?![\w\]])", re.IGNORECASE)
        found = title.sub(lambda match: f"[{titles[match[0].lower()]}]", found)
    return found if found != said else None


def by_ref(names: Names, state: State, said: str) -> str:
    """Return the string with each ref replaced by its meaning: `[9G]`, `#3`, `Bob`."""
    card = names.refs.card_at(state, said)
    if card is not None:
        visible = names.program.visible(state, card, state.who)
        return f"[{names.code(card)}]" if visible else f"#{said.rpartition('#')[2]}"
    sort, _, name = said.partition("/")
    if (sort == "player" and name in names.players) or (sort == "value" and name):
        return name
    if sort == "member" and "/" in name:
        return name.split("/", 1)[1]
    if " " not in said:
        return said
    return " ".join(by_ref(names, state, part) if REF.fullmatch(part) else part for part in said.split(" "))
