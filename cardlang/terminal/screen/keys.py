"""Keys of the full screen: a line of currently available keys, and a page of all keys."""

from __future__ import annotations

from collections.abc import Sequence

from rich.cells import cell_len

from cardlang.terminal.screen.keying import option_at, options, verbs
from cardlang.terminal.screen.pages import Page, text_page
from interpreter.table.model import Amount, Ask

ALL = "? all keys"
GAP = "  "
RESULT = ["Enter: continue", "F3 log", "F1 rules", "F2 aid", "q quit"]
ENTER_FIRST = "Press Enter to continue."
TO_END = "e"
PASS_ON = "P"
OUT = ["Enter: continue", f"{TO_END}: skip to the end", *RESULT[1:]]
END = ["n: new game", "F3 log", "PgUp PgDn scroll", "q quit"]
BACK = ["Enter or y: undo", "any other key: cancel"]
WAITING = ["F3 log", "F1 rules", "F2 aid", "q quit"]
PAGE = """\
# Keys

**Highlight first, then press Enter.** An arrow, a letter or a number only highlights. The line of options shows what
Enter will do.

| Key | What it does |
| --- | --- |
| ← → ↑ ↓, Tab, Home, End | highlight a card, an option or a player |
| a letter in brackets | highlight that option for the highlighted card; an option with … asks for a card first |
| Enter | do what follows [Enter], or confirm the selected cards |
| Space | select the highlighted card, or deselect it |
| Esc | clear the highlight |
| 0 to 9, + and −, ← → | set a number, where one is needed |
| 1 to 9, 0 | otherwise, highlight the option with this number, or the card in this place (0 is the tenth) |
| w | explain the highlighted move, or why it is illegal |
| P | pass for the rest of another player's turn |
| e | when you are out of the match, skip to its end |
| u | undo your last move, unless you have learned something since, or another person has moved |
| Enter, y | confirm an undo; any other key cancels it |
| h | show a hint |
| : or / | type a move, or several cards: `:As Ah Qs` |
| F1, F2, F3, F4 | show the rules, the player aid, the log, the text of the cards |
| PgUp, PgDn | scroll |
| q | quit; the match is saved |
"""


def keys_of(ask: Ask, cursor: str, held: Sequence[str], undoable: bool, passable: str = "") -> list[str]:
    """Return the keys for the current decision, the most useful first.

    `passable`: turn for whose rest the viewer can pass."""
    if isinstance(option_at(ask, cursor), Amount):
        found = ["0-9 ←→ number", "Enter: confirm", "Esc back"]
    elif ask.choosing is not None and cursor not in ask.choosing.alone:
        found = ["←→ highlight", "Space select", "Enter: confirm"]
    elif held:
        found = ["←→ highlight", "Enter: confirm", "Esc back"]
    else:
        letters = verbs(ask) or any(each.key for each in options(ask))
        found = ["←→ or letter: highlight" if letters else "←→ highlight", "Enter: confirm"]
    found = [f"{PASS_ON} pass for the rest of {passable}", *found] if passable else found
    return [*found, *(["w why"] if cursor else []), *(["u undo"] if undoable else []), "h hint", ": type", "q quit"]


def key_line(keys: Sequence[str], columns: int) -> str:
    """Return as many keys as fit. The key of the full list is always included."""
    found: list[str] = []
    for key in keys:
        if cell_len(GAP.join([*found, key, ALL])) <= columns:
            found.append(key)
    return GAP.join([*found, ALL])


def keys_page() -> Page:
    return text_page(PAGE)
