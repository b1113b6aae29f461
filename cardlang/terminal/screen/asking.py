"""Prompt area of the screen: the question, and the legal moves as buttons."""

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
"""Ref of the button that confirms a selection."""
GO_ON = "[Enter] Continue"
"""Label of the button that closes a result, and its ref."""
LEAST_PRINTED, MOST_PRINTED = 2, 5
"""Minimum and maximum number of lines for the caption of the card at the cursor."""
SPARE = 2
"""Number of option lines that always leaves enough room for the table."""
UNSET = "?"
"""Placeholder for a number that is not set yet."""
NONE = "0"
"""Key that confirms an empty selection, if that is legal."""


def may_choose_none(ask: Ask | None) -> bool:
    """Return whether the selection is empty and can be confirmed."""
    return ask is not None and ask.choosing is not None and ask.choosing.ready and not ask.choosing.chosen


def sizes_of(amount: Amount) -> str:
    return f" ({', '.join(f'{name} {number}' for name, number in amount.sizes)})" if amount.sizes else ""


def said_of(amount: Amount, now: int | str) -> str:
    """Return the effect of the chosen number, unless it only repeats the number."""
    found = amount.says[amount.amounts.index(now)] if amount.says and now in amount.amounts else ""
    more = harmless(found.removeprefix(amount.label).strip())
    return f": {more}" if more not in ("", str(now)) else ""


def not_yet(choosing: Choosing) -> str:
    """Return what is missing before Enter can confirm the selection."""
    if choosing.chosen:
        return choosing.why
    more = f"{NONE}: {choosing.confirm.lower()}." if choosing.ready else ""
    return f"Nothing is selected yet. Highlight with the arrows, select with Space. {more}".strip()


def reason(why: str) -> str:
    """Return a reason as written in parentheses: lower case, no full stop."""
    return f"{why[:1].lower()}{why[1:]}".removesuffix(".")


def picks_at_once(choosing: Choosing, ref: str) -> bool:
    """Return whether Enter confirms the highlighted ref without selecting it: nothing can be combined with it."""
    return ref in choosing.alone


def closed_ref(closed: Closed) -> str:
    return f"closed/{closed.label}"


def pointed(ask: Ask | None, cursor: str, held: tuple[str, ...]) -> set[str]:
    """Return the refs drawn as highlighted: the cursor, the held refs, and all refs of the option at the cursor."""
    option = option_at(ask, cursor) if ask is not None else None
    return {each for each in (cursor, *held, *(option.touches if isinstance(option, Action) else ())) if each}


@define
class Asking:
    """Renderer of the prompt area. See `Board` for `cursor`, `held`, `amounts`, `message` and `keys`."""

    table: Table
    looks: Looks
    columns: int
    cursor: str
    held: tuple[str, ...]
    amounts: dict[str, int]
    message: str
    keys: str = ""

    def said(self) -> Block:
        """Return the question, and the message or the rule's wording."""
        ask = self.table.ask
        told = self.looks.signed(self.message or (self.waits() if ask is None else ask.words))
        lines: list[Line] = [rule(self.columns, "" if ask is None else harmless(self.title(ask)))]
        if ask is not None:
            lines += wrapped(self.looks.signed(harmless(self.question(ask))), self.columns, "question")
        for each in told.split("\n"):
            lines += [text(each, "button", each)] if each == GO_ON else wrapped(visible(each), self.columns, "note")
        return tuple(lines)

    def question(self, ask: Ask) -> str:
        """Return the question. If an option or a card is held, ask for the missing part of the move."""
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
        """Return the caption of the highlighted card, the options and the line of keys."""
        ask, keys = self.table.ask, cut(text(self.keys, "dim"), self.columns)
        if ask is None:
            return (keys,)
        printed = self.printed(ask) if self.looks.captions else ()
        return (*printed, *self.all_options(ask), keys)

    def all_options(self, ask: Ask) -> Block:
        """Return the legal options and, if there is room, the unavailable ones.

        They appear with reasons if these fit, else in short form, else merged into one item. They never take room from
        the table."""
        can = [*self.buttons(ask)]
        lines = flowed(can, self.columns, 3)
        for closed in ([*self.closed(ask, True)], [*self.closed(ask, False)], [self.not_now(ask)]):
            if all(0 < width(line) <= self.columns for line in closed):
                found = flowed([*can, *closed], self.columns, 3)
                if len(found) <= max(len(lines), SPARE):
                    return found
        return lines

    def printed(self, ask: Ask) -> Block:
        """Return the caption of the highlighted card.

        Its height is that of the longest caption in reach, so nothing moves with the cursor."""
        found = wrapped(harmless(self.caption(ask)), self.columns, "dim")
        room = max([LEAST_PRINTED, *(len(wrapped(harmless(each), self.columns)) for each in self.in_reach())])
        room = min(room, MOST_PRINTED)
        if len(found) <= room:
            return (*found, *[()] * (room - len(found)))
        return (*found[: room - 1], cut((*found[room - 1], *text(" … F4")), self.columns))

    def in_reach(self) -> Iterator[str]:
        """Yield the captions of all cards that the cursor can reach."""
        for place in (*self.table.places, self.table.middle, *self.table.kinds):
            own = place.name == self.table.viewer and place.seat >= 0
            for card in (card for pile in place.piles for card in pile.cards if own or touchable(card)):
                if card.face in self.looks.captions:
                    yield self.looks.captions[card.face]

    def meant(self, ask: Ask) -> list[Card]:
        """Return the card at the cursor and the cards of the option at the cursor."""
        option = option_at(ask, self.cursor)
        return list(cards_at(self.table, (self.cursor, *(option.touches if isinstance(option, Action) else ()))))

    def caption(self, ask: Ask) -> str:
        """Return the caption of the highlighted card, or an empty string."""
        captions = self.looks.captions
        return next((captions[card.face] for card in self.meant(ask) if card.face in captions), "")

    def title(self, ask: Ask) -> str:
        """Return the title of the highlighted card, if its code says less and it has no caption.

        A card that came to the hand since the last move is marked as new. The place in a grid and the card's facts
        follow."""
        for card in self.meant(ask)[:1]:
            said = "" if card.face in self.looks.captions or card.title == card.code else card.title or ""
            told = [f"{said}, {FRESH}" if card.fresh and said else said, card.place]
            told += [f"{each.label.lower()} {self.looks.signed(each.text)}" for each in card.facts]
            return " · ".join(filter(None, told))
        return ""

    @property
    def lead(self) -> str:
        """Return the common start of the labels of the remaining moves. The question states it once."""
        return lead([each.label for each in candidates(self.table, self.held)]) if self.held else ""

    @property
    def aim(self) -> str:
        """Return the ref of the option that Enter plays, or an empty string."""
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
        """Yield the unavailable options, with or without the reasons."""
        for closed in ask.closed if not self.held else ():
            ref = closed_ref(closed)
            key = f"[{closed.key}] " if closed.key else ""
            why = f"not now: {reason(closed.why)}" if reasons and closed.why else "not now"
            yield text(harmless(f"{key}{closed.label} ({why})"), self.role(ref, "closed"), ref)

    def not_now(self, ask: Ask) -> Line:
        """Return all unavailable options as one item."""
        told = [
            text(harmless(f"[{each.key}] {each.label}" if each.key else each.label), self.role(ref, "closed"), ref)
            for each in (() if self.held else ask.closed)
            for ref in (closed_ref(each),)
        ]
        return joined([text("not now:", "closed"), *told]) if told else ()

    def of_set(self, choosing: Choosing) -> Iterator[Line]:
        """Yield the effects of Space and Enter in a choice of several.

        An empty selection has its own key, so that it can't be confirmed by accident."""
        if picks_at_once(choosing, self.cursor):
            yield text(f"[Enter] Choose {self.called(choosing, self.cursor)}", "button.cursor", self.cursor)
            return
        if self.cursor in choosing.refs:
            can = self.cursor in choosing.open
            anew = not can and bool(choosing.chosen) and choosing.high not in (1, len(choosing.chosen))
            said = "deselect" if self.cursor in choosing.chosen else "start over with it" if anew else "select"
            yield text(f"[Space] {said}", "button" if can or anew else "dim")
        label = harmless(choosing.confirm)
        if not choosing.ready:  # the question already shows the sum
            yield text(
                (harmless(choosing.why) if not choosing.sum else "") or f"[Enter] {label}",
                self.role(CONFIRM, "dim"),
                CONFIRM,
            )
        else:
            key = "Enter" if choosing.chosen else NONE
            yield text(f"[{key}] {label}", self.role(CONFIRM, "button"), CONFIRM)

    def called(self, choosing: Choosing, ref: str) -> str:
        """Return the name of a selectable ref as drawn."""
        codes = [self.looks.of(card).label for card in cards_at(self.table, (ref,)) if card.code]
        labels = dict(zip(choosing.refs, choosing.labels, strict=False))
        return next(iter(codes), harmless(labels[ref]) or "this card")

    def label(self, action: Action) -> str:
        """Return the label of an action, with its cards as drawn."""
        codes = {card.code: self.looks.of(card).label for card in cards_at(self.table, action.touches) if card.code}
        said = self.looks.signed(harmless(action.label.removeprefix(self.lead).strip()))
        return " ".join(codes.get(word, word) for word in said.split(" "))

    def button(self, label: str, key: str, ref: str) -> Line:
        """Return a button such as `[c] Call 24`. The option that Enter plays is highlighted.

        The key comes in its own brackets, because a label can begin with a card or a name."""
        if ref == self.aim:
            return text(f"[Enter] {label}", "button.cursor", ref)
        role, bold = self.role(ref, "button"), self.role(ref, "key")
        if not key:
            return text(label, role, ref)
        return (Span(f"[{key}]", bold, "", ref), Span(f" {label}", role, "", ref))

    def role(self, ref: str, role: str) -> str:
        return f"{role}.cursor" if ref == self.cursor else role
