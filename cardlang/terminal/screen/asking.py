"""What the viewer is asked, in characters: the question, and what can be done as buttons that are touched."""

from __future__ import annotations

from collections.abc import Iterator

from attrs import define

from cardlang.plain_text import harmless, visible
from cardlang.terminal.screen.blocks import Block, Line, Span, cut, flowed, joined, rule, text, width, wrapped
from cardlang.terminal.screen.cards import FRESH
from cardlang.terminal.screen.keying import aimed, candidates, keyed, lead, option_at, ref_of, verbs
from cardlang.terminal.screen.looks import Looks
from cardlang.terminal.screen.lying import cards_at, touchable
from interpreter.matches.names import listed
from interpreter.table.model import Action, Amount, Ask, Card, Choosing, Closed, Table

CONFIRM = "confirm"
"""The ref of the button that confirms a set."""
GO_ON = "[Enter] Continue"
"""What is pressed once a result was looked at, touched by the same name."""
LEAST_PRINTED, MOST_PRINTED = 2, 5
"""So many lines stand for what is printed on the card at the cursor."""
SPARE = 2
"""So many lines of options leave room for the rest of the table."""
UNSET = "?"
"""In place of a number that nobody has set."""
NONE = "0"
"""The key that chooses nothing, where one may."""


def may_choose_none(ask: Ask | None) -> bool:
    """Whether nothing is ticked yet, and that could be confirmed."""
    return ask is not None and ask.choosing is not None and ask.choosing.ready and not ask.choosing.chosen


def sizes_of(amount: Amount) -> str:
    return f" ({', '.join(f'{name} {number}' for name, number in amount.sizes)})" if amount.sizes else ""


def said_of(amount: Amount, now: int | str) -> str:
    """What the number that is set comes to, where it does not say that itself."""
    found = amount.says[amount.amounts.index(now)] if amount.says and now in amount.amounts else ""
    more = harmless(found.removeprefix(amount.label).strip())
    return f": {more}" if more not in ("", str(now)) else ""


def not_yet(choosing: Choosing) -> str:
    """What is missing before Enter can confirm."""
    if choosing.chosen:
        return choosing.why
    more = f"{NONE}: {choosing.confirm.lower()}." if choosing.ready else ""
    return f"Nothing is selected yet. Highlight with the arrows, select with Space. {more}".strip()


def reason(why: str) -> str:
    """As it stands in brackets."""
    return f"{why[:1].lower()}{why[1:]}".removesuffix(".")


def picks_at_once(choosing: Choosing, ref: str) -> bool:
    """Whether Enter takes what is pointed at without a tick before: nothing can be chosen with it."""
    return ref in choosing.alone


def closed_ref(closed: Closed) -> str:
    return f"closed/{closed.label}"


def pointed(ask: Ask | None, cursor: str, held: tuple[str, ...]) -> set[str]:
    """The refs that are drawn as pointed at: what the cursor is at, what is held, and all that the option there
    touches."""
    option = option_at(ask, cursor) if ask is not None else None
    return {each for each in (cursor, *held, *(option.touches if isinstance(option, Action) else ())) if each}


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
        """What can be done, and in the room that this leaves what cannot: with the reasons, if these fit; else in
        short; else together, and not at all before it takes room from the table."""
        can = [*self.buttons(ask)]
        lines = flowed(can, self.columns, 3)
        for closed in ([*self.closed(ask, True)], [*self.closed(ask, False)], [self.not_now(ask)]):
            if all(0 < width(line) <= self.columns for line in closed):
                found = flowed([*can, *closed], self.columns, 3)
                if len(found) <= max(len(lines), SPARE):
                    return found
        return lines

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
            why = f"not now: {reason(closed.why)}" if reasons and closed.why else "not now"
            yield text(harmless(f"{key}{closed.label} ({why})"), self.role(ref, "closed"), ref)

    def not_now(self, ask: Ask) -> Line:
        """All that is not open, in one piece."""
        told = [
            text(harmless(f"[{each.key}] {each.label}" if each.key else each.label), self.role(ref, "closed"), ref)
            for each in (() if self.held else ask.closed)
            for ref in (closed_ref(each),)
        ]
        return joined([text("not now:", "closed"), *told]) if told else ()

    def of_set(self, choosing: Choosing) -> Iterator[Line]:
        """What Space does at the cursor, and what Enter does with what is ticked; to choose nothing has a key of its
        own, so that nobody does it unawares."""
        if picks_at_once(choosing, self.cursor):
            yield text(f"[Enter] Choose {self.called(choosing, self.cursor)}", "button.cursor", self.cursor)
            return
        if self.cursor in choosing.refs:
            can = self.cursor in choosing.open
            anew = not can and bool(choosing.chosen) and choosing.high not in (1, len(choosing.chosen))
            said = "deselect" if self.cursor in choosing.chosen else "start over with it" if anew else "select"
            yield text(f"[Space] {said}", "button" if can or anew else "dim")
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
