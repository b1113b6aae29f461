"""What the viewer is asked, in characters: the question, and what can be done as buttons that are touched."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from itertools import takewhile

from attrs import define

from cardlang.plain_text import harmless, visible
from cardlang.terminal.screen.blocks import Block, Line, Span, cut, flowed, rule, text, width, wrapped
from cardlang.terminal.screen.cards import FRESH, cards_at, meant, touchable
from cardlang.terminal.screen.looks import Looks
from interpreter.matches.names import listed
from interpreter.table.asking import NUMERAL, numerals
from interpreter.table.model import Action, Amount, Ask, Card, Choosing, Closed, Table

MOST = 40
"""So many single actions are drawn as buttons."""
CONFIRM = "confirm"
"""The ref of the button that confirms a set."""
GO_ON = "[Enter] Go on"
"""What is pressed once a result was looked at, touched by the same name."""
LEAST_PRINTED, MOST_PRINTED = 2, 5
"""So many lines stand for what is printed on the card at the cursor."""
SPARE = 2
"""So many lines of options leave room for the rest of the table."""
UNSET = "?"
"""In place of a number that nobody has set."""
DIGITS = "123456789"
KEYS = f"{DIGITS}abcdefgijklmnoprstvxyz"
"""Of moves that have no letter of their own, in their order."""
NONE = "0"
"""The key that chooses nothing, where one may."""


def ref_of(thing: Action | Amount) -> str:
    """What is touched to do it."""
    return f"action/{thing.move}" if isinstance(thing, Action) else f"amount/{thing.key or thing.label}"


def options(ask: Ask) -> list[Action | Amount]:
    return [*ask.actions, *ask.amounts]


def option_at(ask: Ask, ref: str) -> Action | Amount | None:
    """What a ref of `ref_of` means on this table."""
    return next((each for each in options(ask) if ref_of(each) == ref), None)


def may_choose_none(ask: Ask | None) -> bool:
    """Whether nothing is ticked yet, and that could be confirmed."""
    return ask is not None and ask.choosing is not None and ask.choosing.ready and not ask.choosing.chosen


def sizes_of(amount: Amount) -> str:
    return f" ({', '.join(f'{name} {number}' for name, number in amount.sizes)})" if amount.sizes else ""


def said_of(amount: Amount, now: int | str) -> str:
    """What the number that is set comes to, where it does not say that itself."""
    found = amount.says[amount.amounts.index(now)] if amount.says and now in amount.amounts else ""
    return f": {harmless(found.removeprefix(amount.label).strip())}" if found else ""


def not_yet(choosing: Choosing) -> str:
    """What is missing before Enter can confirm."""
    if choosing.chosen:
        return choosing.why
    more = f"{NONE}: {choosing.confirm.lower()}." if choosing.ready else ""
    return f"Nothing is ticked yet: the arrows point at something, Space ticks it. {more}".strip()


def lead(labels: Sequence[str]) -> str:
    """`Take [9s] for`: the words with which several labels begin, if they are two at least and each goes on, with more
    than a number; a list of cards is not torn."""
    columns = zip(*(label.split(" ")[:-1] for label in labels), strict=False)
    alike = [words[0] for words in takewhile(lambda words: len({*words}) == 1, columns)]
    while alike and " ".join(alike).count("[") != " ".join(alike).count("]"):
        alike.pop()
    told = len(labels) > 1 and len(alike) > 1 and not any(label.split(" ")[-1].isdigit() for label in labels)
    return " ".join(alike) if told else ""


def reason(why: str) -> str:
    """As it stands in brackets."""
    return f"{why[:1].lower()}{why[1:]}".removesuffix(".")


def picks_at_once(choosing: Choosing, ref: str) -> bool:
    """Whether Enter takes what is pointed at without a tick before: nothing can be chosen with it."""
    return ref in choosing.alone


def closed_ref(closed: Closed) -> str:
    return f"closed/{closed.label}"


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


def pointed(ask: Ask | None, cursor: str, held: tuple[str, ...]) -> set[str]:
    """The refs that are drawn as pointed at: what the cursor is at, what is held, and all that the option there
    touches."""
    option = option_at(ask, cursor) if ask is not None else None
    return {each for each in (cursor, *held, *(option.touches if isinstance(option, Action) else ())) if each}


def shown_actions(table: Table, cursor: str, held: tuple[str, ...]) -> list[Action]:
    """The actions that have a button: those which are left of what is held; else those that touch nothing or are the
    only ones of their option, which keep their places, and behind them those of what the cursor is at."""
    ask = table.ask
    assert ask is not None
    if held:
        return candidates(table, held)[:MOST]
    here = candidates(table, (cursor,)) or [each for each in ask.actions if ref_of(each) == cursor]
    count = Counter(each.verb for each in ask.actions)
    free = [each for each in ask.actions if not each.touches or (each.verb in verbs(ask) and count[each.verb] == 1)]
    return [*free[:MOST], *(each for each in here if each not in free[:MOST])][: 2 * MOST]


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
    """Their numbers: those of their cards in the pile, where these are meant by them alone, else those that their
    labels name, else in their order. Where labels name numbers that do not tell them apart, they have letters."""
    unknown = {card.ref for ref in (each.touches for each in actions) for card in cards_at(table, ref) if not card.code}
    places = [next((ref.rpartition("#")[2] for ref in each.touches if ref in unknown), "") for each in actions]
    if all(places) and len({*places}) == len(places) and all(len(each) == 1 for each in places):
        return places
    labels = [each.label for each in actions]
    keys = numerals(labels) or (KEYS.lstrip(DIGITS) if any(map(NUMERAL.search, labels)) else KEYS)
    return [*keys[: len(actions)], *[""] * (len(actions) - len(keys))]


@define
class Asking:
    """Draws what is asked; `cursor`, `held`, `amounts`, `message`, `keys`: as of `Board`."""

    table: Table
    looks: Looks
    columns: int
    cursor: str
    held: tuple[str, ...]
    amounts: dict[str, int]
    message: str
    keys: str = ""

    def said(self) -> Block:
        """The question, and what is said to it."""
        ask = self.table.ask
        told = self.looks.signed(self.message or (self.waits() if ask is None else ask.words))
        lines: list[Line] = [rule(self.columns, "" if ask is None else harmless(self.title(ask)))]
        if ask is not None:
            lines += wrapped(self.looks.signed(harmless(self.question(ask))), self.columns, "question")
        for each in told.split("\n"):
            lines += [text(each, "button", each)] if each == GO_ON else wrapped(visible(each), self.columns, "note")
        return tuple(lines)

    def question(self, ask: Ask) -> str:
        """What is asked; where an option or a card is held, what is still to be said of it."""
        if not self.held:
            return ask.question
        left = candidates(self.table, self.held)
        if self.lead:
            return f"{self.lead} …"
        verb = next((each.removeprefix("verb/") for each in self.held if each.startswith("verb/")), "")
        cards = [f"[{card.code}]" for card in cards_at(self.table, self.held) if card.code]
        if not verb:
            return f"What do you do with {listed(cards)}?" if cards else "Which?"
        missing = {ref for each in left for ref in each.touches} - {*self.held}
        noun = "card" if any(True for _ in cards_at(self.table, missing)) else ""
        noun = noun or ("player" if missing and all(ref.startswith("player/") for ref in missing) else "")
        with_it = f" with {listed(cards)}" if cards else ""
        return f"{verb}{with_it}: which{f' {noun}' if noun else ''}?"

    def options(self) -> Block:
        """What is printed on the card that is meant, what can be done, and with which keys."""
        ask, keys = self.table.ask, cut(text(self.keys, "dim"), self.columns)
        if ask is None:
            return (keys,)
        printed = self.printed(ask) if self.looks.captions else ()
        return (*printed, *self.all_options(ask), keys)

    def all_options(self, ask: Ask) -> Block:
        """What can be done, and what cannot: with the reasons, if these take no more lines than there are to spare."""
        can = [*self.buttons(ask)]
        told, short = ([*self.closed(ask, reasons)] for reasons in (True, False))
        if all(width(line) <= self.columns for line in told):
            lines = flowed([*can, *told], self.columns, 3)
            if len(lines) <= SPARE:
                return lines
        return flowed([*can, *short], self.columns, 3)

    def printed(self, ask: Ask) -> Block:
        """The caption in as many lines as the longest of those in reach takes, so that nothing moves while the cursor
        goes over cards."""
        found = wrapped(harmless(self.caption(ask)), self.columns, "dim")
        room = max([LEAST_PRINTED, *(len(wrapped(harmless(each), self.columns)) for each in self.in_reach())])
        room = min(room, MOST_PRINTED)
        if len(found) <= room:
            return (*found, *[()] * (room - len(found)))
        return (*found[: room - 1], cut((*found[room - 1], *text(" … F4")), self.columns))

    def in_reach(self) -> Iterator[str]:
        """What is printed on cards that the cursor can come to."""
        for place in (*self.table.places, self.table.middle, *self.table.kinds):
            own = place.name == self.table.viewer and place.seat >= 0
            for card in (card for pile in place.piles for card in pile.cards if own or touchable(card)):
                if card.face in self.looks.captions:
                    yield self.looks.captions[card.face]

    def meant(self, ask: Ask) -> list[Card]:
        """The card that the cursor is at, and those that the option there touches."""
        option = option_at(ask, self.cursor)
        return list(cards_at(self.table, (self.cursor, *(option.touches if isinstance(option, Action) else ()))))

    def caption(self, ask: Ask) -> str:
        """What is printed on the card that is meant."""
        captions = self.looks.captions
        return next((captions[card.face] for card in self.meant(ask) if card.face in captions), "")

    def title(self, ask: Ask) -> str:
        """The card that is meant in words, where its letters say less and no caption says more; what came to the hand
        since one's last move is said to be new. Then where it lies in a grid, and what the game shows of it."""
        for card in self.meant(ask)[:1]:
            said = "" if card.face in self.looks.captions or card.title == card.code else card.title or ""
            told = [f"{said}, {FRESH}" if card.fresh and said else said, card.place]
            told += [f"{each.label.lower()} {self.looks.signed(each.text)}" for each in card.facts]
            return " · ".join(filter(None, told))
        return ""

    @property
    def lead(self) -> str:
        """How the labels of all that is left of what is held begin: it is said once, in the question."""
        return lead([each.label for each in candidates(self.table, self.held)]) if self.held else ""

    @property
    def aim(self) -> str:
        """The ref of what Enter does."""
        option = aimed(self.table, self.cursor, self.held)
        return ref_of(option) if option is not None else ""

    def waits(self) -> str:
        if self.table.over:
            return "The match is over."
        return f"{self.table.waiting} is thinking …" if self.table.waiting else ""

    def buttons(self, ask: Ask) -> Iterator[Line]:
        if ask.choosing is not None:
            choosing = ask.choosing
            for ref, label in zip(choosing.refs, choosing.labels, strict=False):
                if label:
                    tick = "[✓] " if ref in choosing.chosen else "[ ] "
                    yield text(tick + harmless(label), self.role(ref, ""), ref)
            yield from self.of_set(choosing)
        shown = keyed(self.table, self.cursor, self.held)
        taken = {key for key, _ in shown}
        for verb, letter in verbs(ask).items() if not self.held else ():
            here = [self.button(self.label(each), key, ref_of(each)) for key, each in shown if each.verb == verb]
            if letter not in taken:
                yield self.button(f"{harmless(verb)} …", letter, f"verb/{verb}")
            yield from here
        for key, action in shown:
            if self.held or action.verb not in verbs(ask):
                yield self.button(self.label(action), key, ref_of(action))
        for amount in ask.amounts:
            amount_now = self.amounts.get(ref_of(amount), UNSET)
            yield (
                *self.button(harmless(amount.label), amount.key, ref_of(amount)),
                Span(" ◂", "button", "", f"less/{amount.key}"),
                Span(f" {amount_now} ", self.role(ref_of(amount), "number"), "", ref_of(amount)),
                Span("▸", "button", "", f"more/{amount.key}"),
                Span(f" of {amount.low} to {amount.high}{sizes_of(amount)}", "dim"),
                *text(said_of(amount, amount_now)),
            )

    def closed(self, ask: Ask, reasons: bool) -> Iterator[Line]:
        """What is not open, with or without the reasons."""
        for closed in ask.closed if not self.held else ():
            ref = closed_ref(closed)
            key = f"[{closed.key}] " if closed.key else ""
            why = reason(closed.why) if reasons and closed.why else "not now"
            yield text(harmless(f"{key}{closed.label} ({why})"), self.role(ref, "closed"), ref)

    def of_set(self, choosing: Choosing) -> Iterator[Line]:
        """What Space does at the cursor, and what Enter does with what is ticked; to choose nothing has a key of its
        own, so that nobody does it unawares."""
        if picks_at_once(choosing, self.cursor):
            yield text(f"[Enter] Choose {self.called(choosing, self.cursor)}", "button.cursor", self.cursor)
            return
        if self.cursor in choosing.refs:
            said = "take the tick away" if self.cursor in choosing.chosen else "tick"
            yield text(f"[Space] {said}", "button" if self.cursor in choosing.open else "dim")
        label = harmless(choosing.confirm)
        if not choosing.ready:  # what it adds up to, the question says
            yield text(
                (harmless(choosing.why) if not choosing.sum else "") or f"[Enter] {label}",
                self.role(CONFIRM, "dim"),
                CONFIRM,
            )
        else:
            key = "Enter" if choosing.chosen else NONE
            yield text(f"[{key}] {label}", self.role(CONFIRM, "button"), CONFIRM)

    def called(self, choosing: Choosing, ref: str) -> str:
        """What can be in a set, as it is drawn or named."""
        codes = [self.looks.of(card).label for card in cards_at(self.table, (ref,)) if card.code]
        labels = dict(zip(choosing.refs, choosing.labels, strict=False))
        return next(iter(codes), harmless(labels[ref]) or "this card")

    def label(self, action: Action) -> str:
        """What it does, with the cards that it touches as they are drawn."""
        codes = {card.code: self.looks.of(card).label for card in cards_at(self.table, action.touches) if card.code}
        said = self.looks.signed(harmless(action.label.removeprefix(self.lead).strip()))
        return " ".join(codes.get(word, word) for word in said.split(" "))

    def button(self, label: str, key: str, ref: str) -> Line:
        """`[c] Call 24`: the key stands apart, as a label may begin with a card or a name. What Enter
        does is marked."""
        if ref == self.aim:
            return text(f"[Enter] {label}", "button.cursor", ref)
        role, bold = self.role(ref, "button"), self.role(ref, "key")
        if not key:
            return text(label, role, ref)
        return (Span(f"[{key}]", bold, "", ref), Span(f" {label}", role, "", ref))

    def role(self, ref: str, role: str) -> str:
        return f"{role}.cursor" if ref == self.cursor else role
