"""Which moves have a button, and which key each of them has."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from itertools import takewhile

from cardlang.terminal.screen.lying import cards_at, meant
from interpreter.matches.names import listed
from interpreter.table.asking import NUMERAL, numerals
from interpreter.table.model import Action, Amount, Ask, Table

MOST = 40
"""So many single actions are drawn as buttons."""
DIGITS = "123456789"
KEYS = f"{DIGITS}abcdefgijklmnoprstvxyz"
"""Of moves that have no letter of their own, in their order."""


def ref_of(thing: Action | Amount) -> str:
    """What is touched to do it."""
    return f"action/{thing.move}" if isinstance(thing, Action) else f"amount/{thing.key or thing.label}"


def options(ask: Ask) -> list[Action | Amount]:
    return [*ask.actions, *ask.amounts]


def option_at(ask: Ask, ref: str) -> Action | Amount | None:
    """What a ref of `ref_of` means on this table."""
    return next((each for each in options(ask) if ref_of(each) == ref), None)


def candidates(table: Table, held: Iterable[str]) -> list[Action]:
    """The actions that touch all of this, and are of the option that is held. Of copies that look the same, each
    stands for the one that moves name."""
    wanted = {meant(table, ref) for ref in held}
    actions = table.ask.actions if table.ask is not None else ()
    return [each for each in actions if each.touches and wanted <= {*each.touches, f"verb/{each.verb}"}]


def aimed(table: Table, cursor: str, held: tuple[str, ...]) -> Action | Amount | None:
    """What Enter does: the option that the cursor is at, or the only move with what it is at; None, if there is none,
    or more has to be said."""
    option = option_at(table.ask, cursor) if table.ask is not None else None
    if option is not None or not cursor:
        return option
    left = candidates(table, (*held, cursor)) or candidates(table, (cursor,))
    return left[0] if len(left) == 1 else None


def shown_actions(table: Table, cursor: str, held: tuple[str, ...]) -> list[Action]:
    """The actions that have a button: those which are left of what is held; else those that touch nothing, are the only
    ones of their option or are few that touch no card, which keep their places, and behind them those of what the
    cursor is at."""
    ask = table.ask
    assert ask is not None
    if held:
        return candidates(table, held)[:MOST]
    here = candidates(table, (cursor,)) or [each for each in ask.actions if ref_of(each) == cursor]
    count = Counter(each.verb for each in ask.actions)
    few = named_only(table)
    free = [
        each
        for each in ask.actions
        if not each.touches or each in few or (each.verb in verbs(ask) and count[each.verb] == 1)
    ]
    return [*free[:MOST], *(each for each in here if each not in free[:MOST])][: 2 * MOST]


def named_only(table: Table) -> list[Action]:
    """The actions that touch one thing each, no card, such as a player: if all that touch something do, and these are
    few."""
    ask = table.ask
    found = [each for each in ask.actions if each.touches] if ask is not None and not verbs(ask) else []
    refs = {ref for each in found for ref in each.touches}
    return found if len(found) <= len(DIGITS) and not any(cards_at(table, refs)) else []


def verbs(ask: Ask) -> dict[str, str]:
    """The options that touch something, each with its letter, where there are several sorts of them, or more than one
    thing is touched: each can be chosen first."""
    found = {each.verb: each.verb_key for each in ask.actions if each.verb}
    sorts = len(found) + len(ask.amounts) + sum(not each.touches for each in ask.actions)
    return found if sorts > 1 or any(len(each.touches) > 1 for each in ask.actions) else {}


def keyed(table: Table, cursor: str, held: tuple[str, ...]) -> list[tuple[str, Action]]:
    """The actions that have a button, each with its key. The letter of an option does its only move with what the
    cursor is at; else these are numbered, cards that nobody can tell by their places."""
    assert table.ask is not None
    shown, open_now = shown_actions(table, cursor, held), verbs(table.ask)
    count = Counter(each.verb for each in shown)
    numbered = [
        each for each in shown if not each.key and (f"verb/{each.verb}" in held or count[each.verb] > 1 or not open_now)
    ]
    numbers = numbers_of(table, numbered) if len(numbered) > 1 or held else [""] * len(numbered)
    by_move = dict(zip((each.move for each in numbered), numbers, strict=False))
    return [(each.key or by_move.get(each.move, open_now.get(each.verb, "")), each) for each in shown]


def numbers_of(table: Table, actions: Sequence[Action]) -> list[str]:
    """Their numbers: those of their cards' places, where these tell them apart; the first letters of players;
    the numbers that their labels name; else in their order. Where what tells labels apart has numbers that do not, they
    have letters."""
    at = places(table)
    found = [next((at[ref] for ref in each.touches if ref in at), "") for each in actions]
    if all(len(place) == 1 for place in found) and len({*found}) == len(found):
        return found
    if initials := initials_of(actions):
        return initials
    named = [telling(table, each, lead([each.label for each in actions])) for each in actions]
    keys = numerals(named) or (KEYS.lstrip(DIGITS) if any(map(NUMERAL.search, named)) else KEYS)
    return [*keys[: len(actions)], *[""] * (len(actions) - len(keys))]


def initials_of(actions: Sequence[Action]) -> list[str]:
    """The first letters of the players whom the actions differ in, if these are free and differ; else nothing."""
    found = [[ref.removeprefix("player/") for ref in each.touches if ref.startswith("player/")] for each in actions]
    letters = [names[0][:1].lower() for names in found if len(names) == 1]
    fit = len({*letters}) == len(actions) == len({*letters} & {*KEYS.lstrip(DIGITS)})
    return letters if fit else []


def places(table: Table) -> dict[str, str]:
    """By ref, the number of each card that is spoken of by its place: in its grid, or among cards that nobody can
    tell."""
    found: dict[str, str] = {}
    for pile in (pile for place in (*table.places, table.middle, *table.kinds) for pile in place.piles):
        for number, card in enumerate(pile.cards, 1):
            if card.place or not card.code:
                found[card.ref] = str(number) if card.place else card.ref.rpartition("#")[2]
    return found


def telling(table: Table, action: Action, lead: str) -> str:
    """What tells a move from others whose labels begin with `lead`: its cards, else the rest of its label."""
    codes = [card.code for card in cards_at(table, action.touches) if card.code]
    return " ".join(codes) or action.label.removeprefix(lead)


def pointers(table: Table, cursor: str, held: tuple[str, ...]) -> str:
    """`an arrow, a number or a letter`: what points at something here."""
    ask = table.ask
    assert ask is not None
    keys = [key for key, _ in keyed(table, cursor, held)]
    keys += [] if held else [*verbs(ask).values(), *(each.key for each in ask.amounts)]
    digit, letter = (any(map(kind, keys)) for kind in (str.isdigit, str.isalpha))
    return listed(["an arrow", *["a number"] * digit, *["a letter"] * letter], "or")


def how_to_point(table: Table, cursor: str, held: tuple[str, ...]) -> str:
    """What to do where Enter has nothing to do yet."""
    ways = pointers(table, cursor, held)
    if held:
        return f"Which one? Press {ways}, then Enter."
    return f"Nothing is highlighted yet. Press {ways}, then Enter."


def lead(labels: Sequence[str]) -> str:
    """`Take [9s] for`: the words with which several labels begin, if they are two at least and each goes on, with more
    than a number; a list of cards is not torn."""
    columns = zip(*(label.split(" ")[:-1] for label in labels), strict=False)
    alike = [words[0] for words in takewhile(lambda words: len({*words}) == 1, columns)]
    while alike and " ".join(alike).count("[") != " ".join(alike).count("]"):
        alike.pop()
    told = len(labels) > 1 and len(alike) > 1 and not any(label.split(" ")[-1].isdigit() for label in labels)
    return " ".join(alike) if told else ""
