"""What the viewer is asked, in characters: the question, and what can be done as buttons that are touched."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from attrs import define

from cardlang.plain_text import harmless, visible
from cardlang.terminal.screen.blocks import Block, Line, Span, cut, flowed, rule, text, wrapped
from cardlang.terminal.screen.cards import cards_at
from cardlang.terminal.screen.looks import Looks
from interpreter.table.model import Action, Amount, Ask, Choosing, Closed, Table

MOST = 40
"""So many single actions are drawn as buttons."""
CONFIRM = "confirm"
"""The ref of the button that confirms a set."""
UNSET = "?"
"""In place of a number that nobody has set."""
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


def not_yet(choosing: Choosing) -> str:
    """What is missing before Enter can confirm."""
    if choosing.chosen:
        return choosing.why
    more = choosing.why if not choosing.ready else f"{NONE}: {choosing.confirm.lower()}."
    return f"Nothing is ticked yet. Space ticks what the cursor is at. {more}"


def closed_ref(closed: Closed) -> str:
    return f"closed/{closed.label}"


def candidates(ask: Ask, held: Iterable[str]) -> list[Action]:
    """The actions that touch all of this, and are of the option that is held."""
    wanted = set(held)
    return [each for each in ask.actions if each.touches and wanted <= {*each.touches, f"verb/{verb_of(each)}"}]


def shown_actions(ask: Ask, cursor: str, held: tuple[str, ...]) -> list[Action]:
    """The actions that have a button: those which are left of what is held; else those that touch nothing, and those of
    what the cursor is at."""
    if held:
        return candidates(ask, held)[:MOST]
    free = [each for each in ask.actions if not each.touches]
    return [*candidates(ask, (cursor,)), *free][:MOST]


def verb_of(action: Action) -> str:
    """The option that a move belongs to, as people say it: what its label begins with, before what it touches."""
    return action.text.split()[0].replace("-", " ").capitalize()


def verbs(ask: Ask) -> list[str]:
    """The options that touch something, where there are several sorts of them: each can be chosen first."""
    found = list(dict.fromkeys(verb_of(each) for each in ask.actions if each.touches and each.text[0] not in "#["))
    return found if len(found) + len(ask.amounts) + sum(not each.touches for each in ask.actions) > 1 else []


def verb_key(ask: Ask, verb: str) -> str:
    """A letter of its name that stands for nothing else; empty if there is none."""
    free = [each for each in options(ask) if isinstance(each, Amount) or not each.touches]
    taken = {each.key for each in free} | set("hquw")
    for each in verbs(ask):
        letters = (letter for letter in each.lower() if letter.isascii() and letter.isalpha())
        key = next((letter for letter in letters if letter not in taken), "")
        if each == verb:
            return key
        taken.add(key)
    return ""


@define
class Asking:
    """Draws what is asked; `cursor`, `held`, `amounts`, `message`: as of `Board`."""

    table: Table
    looks: Looks
    columns: int
    cursor: str
    held: tuple[str, ...]
    amounts: dict[str, int]
    message: str

    def drawn(self) -> Block:
        ask = self.table.ask
        said = self.looks.signed(self.message or (self.waits() if ask is None else ask.words))
        lines: list[Line] = [rule(self.columns)]
        if ask is not None:
            lines += wrapped(self.looks.signed(harmless(ask.question)), self.columns, "question")
        lines += [line for each in said.split("\n") for line in wrapped(visible(each), self.columns, "note")]
        if ask is not None:
            lines += self.printed(ask) if self.looks.captions else ()
            lines += flowed(self.buttons(ask), self.columns, 3)
        return tuple(lines)

    def printed(self, ask: Ask) -> Block:
        """The caption in two lines, always, so that nothing moves while the cursor goes over cards."""
        found = wrapped(harmless(self.caption(ask)), self.columns, "dim")
        return (*found[:1], cut((*found[1], *text(" …")), self.columns)) if len(found) > 2 else (*found, (), ())[:2]

    def caption(self, ask: Ask) -> str:
        """What is printed on the card that the cursor is at, or that the option there touches."""
        option = option_at(ask, self.cursor)
        refs = (self.cursor, *(option.touches if isinstance(option, Action) else ()))
        faces = [card.face for card in cards_at(self.table, refs)]
        return next((self.looks.captions[face] for face in faces if face in self.looks.captions), "")

    def waits(self) -> str:
        if self.table.over:
            return "Enter: play again   q: leave"
        return f"{self.table.waiting} is thinking …" if self.table.waiting else ""

    def buttons(self, ask: Ask) -> Iterator[Line]:
        if ask.choosing is not None:
            choosing = ask.choosing
            for ref, label in zip(choosing.refs, choosing.labels, strict=False):
                if label:
                    tick = "[✓] " if ref in choosing.chosen else "[ ] "
                    yield text(tick + harmless(label), self.role(ref, ""), ref)
            yield from self.of_set(choosing)
        shown = shown_actions(ask, self.cursor, self.held)
        unnamed = [each for each in shown if not each.key]
        if not self.held:
            for verb in verbs(ask):
                yield self.button(f"{harmless(verb)} …", verb_key(ask, verb), f"verb/{verb}")
        for action in shown:
            number = str(unnamed.index(action) + 1) if not action.key and (len(unnamed) > 1 or self.held) else ""
            yield self.button(self.label(action), action.key or number, ref_of(action))
        for amount in ask.amounts:
            amount_now = self.amounts.get(ref_of(amount), UNSET)
            yield (
                *self.button(harmless(amount.label), amount.key, ref_of(amount)),
                Span(" ◂", "button", "", f"less/{amount.key}"),
                Span(f" {amount_now} ", self.role(ref_of(amount), "number"), "", ref_of(amount)),
                Span("▸", "button", "", f"more/{amount.key}"),
                Span(f" of {amount.low} to {amount.high}", "dim"),
            )
        for closed in ask.closed:
            said = f"{harmless(closed.label)} (not now)"
            yield text(said, self.role(closed_ref(closed), "closed"), closed_ref(closed))

    def of_set(self, choosing: Choosing) -> Iterator[Line]:
        """What Space does at the cursor, and what Enter does with what is ticked; to choose nothing has a key of its
        own, so that nobody does it unawares."""
        if self.cursor in choosing.refs:
            said = "take the tick away" if self.cursor in choosing.chosen else "tick"
            yield text(f"[Space] {said}", "button" if self.cursor in choosing.open else "dim")
        label = harmless(choosing.confirm)
        if not choosing.ready:
            yield text(harmless(choosing.why) or f"[Enter] {label}", self.role(CONFIRM, "dim"), CONFIRM)
        else:
            key = "Enter" if choosing.chosen else NONE
            yield text(f"[{key}] {label}", self.role(CONFIRM, "button"), CONFIRM)

    def label(self, action: Action) -> str:
        """What it does, with the cards that it touches as they are drawn."""
        codes = {card.code: self.looks.of(card).label for card in cards_at(self.table, action.touches) if card.code}
        said = self.looks.signed(harmless(action.label))
        return " ".join(codes.get(word, word) for word in said.split(" "))

    def button(self, label: str, key: str, ref: str) -> Line:
        """`[c]all 24`; the key stands before a label that has not got it."""
        role, bold = self.role(ref, "button"), self.role(ref, "key")
        at = label.lower().find(key) if key else -1
        if not key:
            return text(f"[Enter] {label}" if ref.startswith("action/") else label, role, ref)
        if at < 0:
            return (Span(f"[{key}]", bold, "", ref), Span(f" {label}", role, "", ref))
        before, letter, after = label[:at], label[at], label[at + 1 :]
        return (Span(before, role, "", ref), Span(f"[{letter}]", bold, "", ref), Span(after, role, "", ref))

    def role(self, ref: str, role: str) -> str:
        return f"{role}.cursor" if ref == self.cursor else role
