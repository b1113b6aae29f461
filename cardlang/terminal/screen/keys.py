"""The keys of the full screen: those that work now, in a line, and all of them, on a page."""

from __future__ import annotations

from collections.abc import Sequence

from rich.cells import cell_len

from cardlang.terminal.screen.keying import option_at, options, verbs
from cardlang.terminal.screen.pages import Page, text_page
from interpreter.table.model import Amount, Ask

ALL = "? all keys"
GAP = "  "
RESULT = ["Enter: go on", "F3 log", "F1 rules", "F2 aid", "q leave"]
ENTER_FIRST = "Enter comes first: it goes on, and other keys work again once you are asked."
TO_END = "e"
PASS_ON = "P"
OUT = ["Enter: go on", f"{TO_END}: quickly to the end", *RESULT[1:]]
END = ["n: another match", "F3 log", "PgUp PgDn scroll", "q leave"]
BACK = ["Enter or y: take it back", "any other key: no"]
WAITING = ["F3 log", "F1 rules", "F2 aid", "q leave"]
PAGE = """\
# Keys

**No key moves a card by itself.** An arrow, a letter or a number only points; the line of options then shows what Enter
will do, and Enter does it.

| Key | What it does |
| --- | --- |
| ← → ↑ ↓, Tab, Home, End | point at a card, an option, a player |
| a letter in brackets | points at that option, with the card that is pointed at; with …, it asks for the card first |
| Enter | does what stands behind [Enter]; of several, confirms those that are ticked |
| Space | of several, ticks the card that is pointed at, or takes the tick away |
| Esc | points at nothing again |
| 0 to 9, + and −, ← → | a number, where one is asked for |
| 1 to 9, 0 | else: the option with this number; where none has it, the card at this place (0: the tenth) |
| w | what the move that is pointed at does; why it is not open, if it is not |
| P | where it is asked again and again whether to answer what another does: passes for the rest of their turn |
| e | where you are out of the match: the others play it to its end, quickly and without a stop |
| u | takes the last move back, unless a card came to light by it, chance was used or another person has moved |
| Enter, y | where it is asked whether a move is taken back: yes; any other key means no |
| h | a hint |
| : or / | a move in words, also several cards at once: `:As Ah Qs` |
| F1, F2, F3, F4 | the rules, the aid, the log, what is printed on the cards |
| PgUp, PgDn | scroll, where a screen is too small |
| q | leaves; the match is kept |
"""


def keys_of(ask: Ask, cursor: str, held: Sequence[str], undoable: bool, passable: str = "") -> list[str]:
    """The keys for what is asked, the most useful first. `passable`: the turn of which all can be let pass."""
    if isinstance(option_at(ask, cursor), Amount):
        found = ["digits ←→ number", "Enter: do it", "Esc back"]
    elif ask.choosing is not None and cursor not in ask.choosing.alone:
        found = ["←→ point", "Space tick", "Enter: confirm"]
    elif held:
        found = ["←→ point", "Enter: do it", "Esc back"]
    else:
        letters = verbs(ask) or any(each.key for each in options(ask))
        found = ["←→ or letter: point" if letters else "←→ point", "Enter: do it"]
    found = [f"{PASS_ON} pass for all of {passable}", *found] if passable else found
    return [*found, *(["w why"] if cursor else []), *(["u undo"] if undoable else []), "h hint", ": type", "q leave"]


def key_line(keys: Sequence[str], columns: int) -> str:
    """As many keys as there is room for; the page of all of them is always named."""
    found: list[str] = []
    for key in keys:
        if cell_len(GAP.join([*found, key, ALL])) <= columns:
            found.append(key)
    return GAP.join([*found, ALL])


def keys_page() -> Page:
    return text_page(PAGE)
