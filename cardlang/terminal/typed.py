"""Command parser for lines typed at a table: a key, a move, card codes in any order, or a command."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from itertools import count
from typing import Literal

from attrs import evolve, frozen

from cardlang.plain_text import simplified
from cardlang.terminal.session import Session
from cardlang.terminal.spoken import in_full, refs_named, unsigned, words
from interpreter.matches.asked import asked_view, labels_of, with_verb
from interpreter.matches.names import listed
from interpreter.matches.parsing import number_of
from interpreter.table.model import Action, Amount, Ask, Card, Choosing, Table
from interpreter.table.sizing import ALL

NAMED = 8
"""Maximum number of moves listed when the input is ambiguous."""
Page = Literal["help", "rules", "aid", "cards", "log", "table", "quit"]
PAGES: dict[str, Page] = {
    "?": "help", "help": "help", "rules": "rules", "aid": "aid", "ranks": "aid", "cards": "cards", "log": "log",
    "table": "table", "q": "quit", "quit": "quit", "exit": "quit", "leave": "quit", "save": "quit",
}  # fmt: skip
SIGN = re.compile(r"[^\w\s#'-]")
DONE = ("done", "ok", "confirm")
ALL_IN = ("all", "all in", "all-in")
"""Other wordings for betting everything."""
BY_HOW_MUCH = "Type how much to add, not the total: “{0} 5” adds 5."
PASS_ON = "pass all"
CHOSEN = " (selected)"
"""Suffix of labels already in the selection."""
YES = ("y", "yes", "undo")
"""Answers that confirm an undo."""


@frozen
class Reply:
    """Result of a typed line.

    `said`: message to show. `moved`: the match changed. `page`: page to open. `does`: the line was understood even
    though nothing moved, as a command or a change of the selection."""

    said: str = ""
    moved: bool = False
    page: Page | None = None
    does: bool = False


@frozen
class Entry:
    """Line in the list of options.

    `key`: input that selects it, or empty if only its name does. `what`: an action, an amount (moves that differ in a
    number), or the ref of something selectable."""

    key: str
    label: str
    what: Action | Amount | str


def entries(table: Table) -> list[Entry]:
    """Return the options in the order of the cards on the table. Options without a letter are numbered."""
    ask = table.ask
    if ask is None:
        return []
    found: list[tuple[str, str, Action | Amount | str]] = []
    if ask.choosing is not None:
        found += [("", label, ref) for ref, label in chosen_from(table, ask.choosing)]
    places = {card.ref: place for place, card in enumerate(cards_of(table))}
    last = len(places)
    for action in sorted(
        ask.actions, key=lambda each: min((places.get(ref, last) for ref in each.touches), default=last)
    ):
        found.append((action.key, action.label, action))
    found += [(amount.key, f"{amount.label} {span(amount)}", amount) for amount in ask.amounts]
    return list(numbered(table, found, counts=not ask.amounts))


def numbered(table: Table, found: Sequence[tuple[str, str, Action | Amount | str]], counts: bool) -> Iterator[Entry]:
    """Yield the options, with numbers for those without a letter.

    If cards are called by numbers, the option for such a card gets the card's number, and no other option gets it. So a
    typed number is never ambiguous."""
    cards = {card.ref: card.code for card in cards_of(table) if card.code is not None and card.code.isdecimal()}
    own = [numeral(cards, label, what) if not key else "" for key, label, what in found]
    taken = {*cards.values(), *filter(None, own), *(key for key, *_ in found)}
    free = (str(number) for number in count(1) if str(number) not in taken)
    for (key, label, what), name in zip(found, own, strict=True):
        unique = name if own.count(name) == 1 and all(key != name for key, *_ in found) else ""
        yield Entry(key or (unique or next(free) if counts else ""), label, what)


def numeral(cards: Mapping[str, str], label: str, what: Action | Amount | str) -> str:
    """Return the number that names the option's only card or selectable ref, or an empty string."""
    if isinstance(what, Action):
        named = [cards[ref] for ref in what.touches if ref in cards]
        return named[0] if len(named) == 1 else ""
    name = label.removesuffix(CHOSEN)
    return name if isinstance(what, str) and name.isdecimal() else ""


def chosen_from(table: Table, choosing: Choosing) -> list[tuple[str, str]]:
    """Return the refs that can be selected, with their labels. Cards come in table order."""
    labels = dict(zip(choosing.refs, choosing.labels, strict=False))
    known = {card.ref: called(card) for card in cards_of(table)}
    order = {ref: place for place, ref in enumerate(known)}
    refs = sorted(choosing.refs, key=lambda ref: order.get(ref, len(order)))
    told = ((ref, known.get(ref) or labels.get(ref) or ref) for ref in refs)
    return [(ref, f"{label}{CHOSEN}" if ref in choosing.chosen else label) for ref, label in told]


def called(card: Card) -> str:
    """Return the name of a card in a list: its code, its place in a grid, or its number in its pile."""
    return card.code or card.place or "#" + card.ref.rpartition("#")[2]


def cards_of(table: Table) -> Iterator[Card]:
    """Yield all cards on the table."""
    for place in (*table.places, table.middle, *table.kinds):
        for pile in place.piles:
            yield from pile.cards


def span(amount: Amount) -> str:
    return f"{amount.low} to {amount.high}" if amount.low < amount.high else str(amount.low)


# ---------------------------------------------------------------- executing a typed line
LONGEST = 1000
"""Maximum length of a typed line, in characters."""


def obey(session: Session, typed: str) -> Reply:
    """Execute a typed line.

    Enter alone after a line that was not understood does nothing, to prevent an accidental confirmation."""
    misread, session.misread = session.misread, False
    if misread and not typed:
        return Reply("Nothing was done. Press Enter again if you mean Enter.")
    reply = understood(session, typed)
    session.misread = bool(typed) and not (reply.moved or reply.page or reply.does)
    return reply


def understood(session: Session, typed: str) -> Reply:
    """Execute a typed line, as far as it can be parsed."""
    if len(typed) > LONGEST:
        return Reply("That line is too long to be a move.")
    typed = simplified(typed).strip()
    if session.asked_back:
        session.asked_back = False
        if typed.lower() in YES:
            return done(session.undo(sure=True))
    table = session.table()
    ask, typed = table.ask, unsigned(typed, session.match.game)
    word, _, rest = typed.partition(" ")
    texts = session.match.decision.moves.texts if session.match.decision else ()
    if typed not in texts and not is_named(table, ask, typed, texts):
        if word.lower() in PAGES and not rest:
            return Reply(page=PAGES[word.lower()])
        command = COMMANDS.get(word.lower())
        if command is not None and (not rest or command is why):
            return evolve(command(session, rest), does=True)
    if ask is None:
        return Reply("It is not your turn.")
    if typed.lower() == PASS_ON and ask.turn:
        return done(session.pass_on())
    if ask.choosing is not None and typed.lower() in DONE:
        return done(session.confirm())
    if not typed:
        return enter(session, ask, texts)
    key = choose(session, table, ask, typed)
    if key is not None or typed in texts:
        return key or by_words(session, ask, typed, texts)
    can, places = open_now(table, ask, texts), [card.place for card in cards_of(table)]
    suited, ranked = (in_full(typed, session.match.game, can, places, shortest) for shortest in (1, 0))
    reply = choose(session, table, ask, suited)
    if reply is None and not meant(suited, texts):  # a rank without a suit is the last attempt
        reply = choose(session, table, ask, ranked)
    return reply or by_words(session, ask, suited, texts)


def is_named(table: Table, ask: Ask | None, typed: str, texts: Sequence[str]) -> bool:
    """Return whether a single letter is the full name of an option, such as a queen `Q`. Then it is no command."""
    return len(typed) == 1 and ask is not None and typed.lower() in words(open_now(table, ask, texts).lower())


def open_now(table: Table, ask: Ask, texts: Sequence[str]) -> str:
    """Return everything that can be named now: moves, button labels and selectable refs."""
    chosen = names_of(table, ask.choosing).values() if ask.choosing is not None else ()
    return " ".join([*texts, *(each.label for each in ask.actions), *chosen])


def enter(session: Session, ask: Ask, texts: Sequence[str]) -> Reply:
    """Execute Enter alone: confirm the selection or play the only move.

    Selecting nothing requires an explicit `done`."""
    choosing = ask.choosing
    if choosing is not None and choosing.chosen:
        return done(session.confirm())
    if choosing is not None:
        more = f"Type done: {choosing.confirm.lower()}." if choosing.ready else choosing.why
        return Reply(f"Nothing is selected yet. {more}")
    return done(session.make(0)) if len(texts) == 1 else Reply()


def choose(session: Session, table: Table, ask: Ask, typed: str) -> Reply | None:
    """Execute a key, a number, a named bet size or cards of a selection. Return None for any other input."""
    number = number_of(typed)
    if number is not None and len(ask.amounts) == 1 and number in ask.amounts[0].amounts:
        return done(session.make(ask.amounts[0].moves[ask.amounts[0].amounts.index(number)]))
    size = size_of(ask, typed)
    if size is not None:
        return done(session.make(size))
    if any(typed.lower().startswith(f"{amount.label.lower()} to ") for amount in ask.amounts):
        return Reply(BY_HOW_MUCH.format(ask.amounts[0].label.lower()))
    entry = next((each for each in entries(table) if each.key and typed.lower() == each.key.lower()), None)
    if entry is None:
        return several(session, table, ask.choosing, typed) if ask.choosing is not None else None
    if isinstance(entry.what, Action):
        return done(session.make(entry.what.move))
    if isinstance(entry.what, Amount):
        amount = entry.what
        return done(session.make(amount.moves[0])) if len(amount.moves) == 1 else how_much(amount)
    return toggled(session, entry.what)


def size_of(ask: Ask, typed: str) -> int | None:
    """Return the move for a named bet size such as `half pot`, `raise pot` or `all in`, or None."""
    if len(ask.amounts) != 1:
        return None
    (amount,) = ask.amounts
    named = dict(amount.sizes)
    if ALL in named:
        named |= dict.fromkeys(ALL_IN, amount.high)
    said = typed.lower().removeprefix(f"{amount.label.lower()} ")
    return amount.moves[amount.amounts.index(named[said])] if said in named else None


def how_much(amount: Amount) -> Reply:
    return Reply(f"How much? Type {amount.label.lower()} and a number, {span(amount)}.")


def several(session: Session, table: Table, choosing: Choosing, typed: str) -> Reply | None:
    """Execute card codes in a choice of several.

    A single card is toggled. Several cards are taken as the complete selection and confirmed."""
    names = names_of(table, choosing)
    numbers = {ref: f"#{ref.rpartition('#')[2]}" for ref in names}
    lines = {each.key: names[each.what] for each in entries(table) if isinstance(each.what, str)}
    said = [part for word in words(typed) if word.lower() != "and" for part in lines.get(word, word).split()]
    tries = [said, said[1:]] if said and is_verb(session, said[0]) else [said]
    every = (refs_named(part, called) for part in tries for called in (names, numbers))
    refs = next((found for found in every if found is not None), None)
    if refs is None:
        return None
    if len(refs) < 2:
        return toggled(session, refs[0]) if refs else None
    before, session.chosen = session.chosen, tuple(refs)
    refused = session.confirm()
    if refused:
        session.chosen = before
    return done(refused)


def names_of(table: Table, choosing: Choosing) -> dict[str, str]:
    """Return the name of each selectable ref, without the mark of selected ones."""
    return {ref: label.removesuffix(CHOSEN) for ref, label in chosen_from(table, choosing)}


def is_verb(session: Session, word: str) -> bool:
    """Return whether the question or a legal move starts with this word."""
    decision = session.match.decision
    verbs = [] if decision is None else [asked_verb(session), *(text.split()[0] for text in decision.moves.texts)]
    return word.lower() in [each.lower() for each in verbs]


def toggled(session: Session, ref: str) -> Reply:
    """Toggle a ref in the selection. Reply with the selection so far and the next step."""
    before = session.chosen
    said, ask = session.toggle(ref), session.table().ask
    if session.chosen == before or ask is None or ask.choosing is None:
        return Reply(said)
    on = (
        ("Press Enter to confirm." if ask.choosing.chosen else "Type done.") if ask.choosing.ready else ask.choosing.why
    )
    names = [label for _, label in chosen_from(session.table(), ask.choosing) if label.endswith(CHOSEN)]
    so_far = f" Selected: {listed([name.removesuffix(CHOSEN) for name in names])}." if names else ""
    return Reply(f"{said} {ask.question}{so_far} {on}".strip(), does=True)


def by_words(session: Session, ask: Ask, typed: str, texts: Sequence[str]) -> Reply:
    """Play the move that the words mean, or reply why it is ambiguous or illegal."""
    found = (meant(typed, texts) or by_label(session, ask, typed)) if ask.choosing is None else []
    if len(found) == 1:
        return done(session.make(found[0]))
    for amount in ask.amounts:
        if found and set(found) == set(amount.moves):
            return how_much(amount)
    if found:
        named = [texts[index] for index in found[:NAMED]]
        could = as_asked(session, listed(named, "or"))
        return Reply(f"That could be {could}{' …' if len(found) > NAMED else '.'}")
    said = as_asked(session, session.make(typed))
    return done(f"“{typed}” is not possible: {said}" if said and typed not in said else said)


def as_asked(session: Session, said: str) -> str:
    """Return a message with the verb of the question in its moves: `pass [2d]` for `move [2d]`."""
    verb = asked_verb(session)
    for text in session.match.decision.moves.texts if session.match.decision is not None and verb else ():
        said = said.replace(text, with_verb(text, verb)) if " " in text else said
    return said


def asked_verb(session: Session) -> str:
    """Return the verb of the question, for cards, or an empty string."""
    match = session.match
    return "" if match.decision is None else asked_view(match.names, match.names.refs, match.decision).verb


def by_label(session: Session, ask: Ask, typed: str) -> list[int]:
    """Return the moves whose button or hint label matches, with cards given by code or title.

    Symbols next to letters are ignored."""
    titles = {face.code: face.title for face in session.match.game.faces}
    said = SIGN.sub(" ", typed)
    labels = [[each.label, " ".join(titles.get(word, word) for word in each.label.split())] for each in ask.actions]
    for number in range(2):
        if found := meant(said, [both[number] for both in labels]):
            return [ask.actions[index].move for index in found]
    return meant(said, [SIGN.sub(" ", label) for label in labels_of(session.match)])


def done(said: str) -> Reply:
    return Reply(said, moved=not said)


# ---------------------------------------------------------------- commands
def why(session: Session, rest: str) -> Reply:
    """Explain a move or a card, given by its name or by its key in the list."""
    if not rest:
        return Reply("Name a line, a move or a card, as in: why 9G")
    return Reply(why_listed(session.table(), rest.lower()) or why_illegal(session, rest))


def why_illegal(session: Session, rest: str) -> str:
    """Return why a move or card is illegal, after its name unless the reason has it."""
    said = as_asked(session, session.why(rest))
    codes = {face.code.lower(): f"[{face.code}]" for face in session.match.game.faces}
    called = codes.get(rest.lower().strip("[]"), f"“{rest}”")
    named = called in said or rest in said or session.match.refusal(rest) is None
    return said if named else f"{called} is not legal: {said}"


def why_listed(table: Table, key: str) -> str:
    """Return the explanation of the option with this key, or an empty string.

    If no option has a number, a number counts from the top of the list."""
    ask = table.ask
    if ask is None:
        return ""
    for closed in ask.closed:
        if closed.key == key:
            return f"{closed.label}: not now. {closed.why}"
    lines = entries(table)
    at = int(key) if key.isdecimal() and not any(each.key.isdecimal() for each in lines) else 0
    entry = next((each for each in lines if each.key.lower() == key), None) or next(iter(lines[at - 1 : at]), None)
    if entry is None:
        return ""
    words = ask.words if isinstance(entry.what, str) else entry.what.words or ask.words
    return f"{entry.label}: legal. {words}".strip()


def undo(session: Session, rest: str) -> Reply:
    said = session.undo()
    return done(f"{said} Type y to undo." if session.asked_back else said)


def hint(session: Session, rest: str) -> Reply:
    return Reply(session.hint(session.match))


COMMANDS: dict[str, Callable[[Session, str], Reply]] = {
    "w": why, "why": why, "u": undo, "undo": undo, "h": hint, "hint": hint,
}  # fmt: skip


# ---------------------------------------------------------------- words
def meant(typed: str, texts: Sequence[str]) -> list[int]:
    """Return the moves that a typed line can mean, by the strictest reading with a match.

    Readings in order: the full text, words in any case, a subsequence of words, prefixes of words."""
    said = words(typed)
    if not said:
        return []
    lower = [word.lower() for word in said]
    split = [words(text) for text in texts]
    lowered = [[word.lower() for word in each] for each in split]
    readings = (
        [index for index, each in enumerate(split) if each == said],
        [index for index, each in enumerate(lowered) if each == lower],
        [index for index, each in enumerate(split) if within(said, each, str.__eq__)],
        [index for index, each in enumerate(lowered) if within(lower, each, str.__eq__)],
        [index for index, each in enumerate(lowered) if within(lower, each, is_begun)],
    )
    return next((reading for reading in readings if reading), [])


def is_begun(word: str, typed: str) -> bool:
    """Return whether a word starts as typed. `5` matches `5S`, but a number never matches a longer number."""
    return word.startswith(typed) and not (typed.isdecimal() and word[len(typed) : len(typed) + 1].isdecimal())


def within(said: list[str], move: list[str], fits: Callable[[str, str], bool]) -> bool:
    """Return whether the typed words match words of the move in order."""
    rest = iter(move)
    return all(any(fits(word, each) for word in rest) for each in said)
