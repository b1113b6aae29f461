"""What happened, in plain English, as one player saw it.

A match keeps only its choices. The log plays them again with a listener, once, and only as far as they have
not been told yet; the lines are made from the events for each onlooker apart.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from copy import copy
from typing import TYPE_CHECKING, Any, NamedTuple

from cardlang import game as g
from cardlang.source import Span
from interpreter.compiler import compile_game
from interpreter.layout import about_cards
from interpreter.matches.allowing import Change, Deed
from interpreter.matches.events import EventView, Line
from interpreter.matches.hearing import hear
from interpreter.matches.moves import Printer, asked_type, noun_of
from interpreter.matches.names import Names, plain
from interpreter.matches.saying import Sayer
from interpreter.state import DONE, Site, State

if TYPE_CHECKING:
    from interpreter.matches.origin import Origin
    from interpreter.program import Program


class Happening(NamedTuple):
    """An event as the log needs it. `data`: the fields of the event behind its span; `piles`: where cards
    lay; `said`: for a choice its words for everybody (by seat, spectator, referee); `at`: after so many choices."""

    kind: str
    span: Span
    data: tuple[Any, ...]
    piles: tuple[int, ...] = ()
    said: tuple[str, ...] = ()
    at: int = 0


class Told:
    """What one onlooker was told so far: of the first `upto` happenings the `events`, and their `lines`."""

    def __init__(self, upto: int = 0, events: Sequence[EventView] = (), lines: Sequence[Line] = ()) -> None:
        self.upto = upto
        self.events = list(events)
        self.lines = list(lines)

    def copy(self) -> Told:
        return Told(self.upto, self.events, self.lines)


class Chronicle:
    """The happenings of a match so far, and the lines told of them."""

    def __init__(self, names: Names, origin: Origin) -> None:
        self.names = names
        self.program: Program = compile_game(names.game, names.program.players, listen=True)
        self.loc = list(origin.before().loc)
        self.happened: list[Happening] = []
        self.shadow = origin.told(self.program)
        self.done = 0
        self.made = origin.made()
        """How many choices were made, those before this beginning too."""
        self.last: dict[int, int] = {}
        """By seat, the number of the last choice that left something to choose: 1 for the first of all."""
        self.told: dict[int, Told] = {}
        self.said: dict[int, tuple[str, ...]] = {}
        """By seat the words of a choice that is not told yet: of those who choose together, none is before
        the last."""
        self.learnt: dict[int, int] = {}
        """By variable, the seats that may know its value, where not all may."""
        self.take_events()

    def lines(self, choices: Sequence[Deed], seat: int | None) -> tuple[Line, ...]:
        """All lines for a seat; `players` of the program: a spectator; None: the referee, who sees everything; two
        more than players: the referee, told also what has no line of its own in a log."""
        return tuple(self.told_to(choices, seat).lines)

    def events(self, choices: Sequence[Deed], seat: int | None) -> tuple[EventView, ...]:
        """All that happened as they saw it."""
        return tuple(self.told_to(choices, seat).events)

    def told_to(self, choices: Sequence[Deed], seat: int | None) -> Told:
        self.catch_up(choices)
        onlooker = self.program.players + 1 if seat is None else seat
        told = self.told.setdefault(onlooker, Told())
        if told.upto < len(self.happened):
            fresh = list(hear(self.names, self.happened[told.upto :], onlooker))
            told.upto = len(self.happened)
            told.events += fresh
            told.lines += [Line.of(event.text, event.span) for event in fresh if event.text]
        return told

    def catch_up(self, choices: Sequence[Deed]) -> None:
        """Takes in what happened by choices that it has not seen yet."""
        while self.done < len(choices):
            code = choices[self.done]
            if not isinstance(code, int):
                self.allow(code)
                continue
            who, said = self.shadow.who, self.words_of_choice(code)
            before = self.said.get(who, ()) if self.shadow.picks else ()
            self.said[who] = tuple(map(joined, before, said)) if before else said
            self.made += 1
            if len(self.shadow.legal) > 1:
                self.last[who] = self.made
            self.program.apply(self.shadow, code)
            self.take_events()
            self.done += 1

    def allow(self, change: Change) -> None:
        """Takes in something that was done outside the rules: it is told in words of its own."""
        told = change.told(self.names, self.shadow)
        events, self.shadow.events = self.shadow.events, None
        change.apply(self.names, self.shadow)
        self.shadow.events = events
        self.loc = list(self.shadow.loc)
        self.made += 1
        self.happened.append(Happening("allowed", self.names.game.sources[0].whole, (told,), at=self.made))
        self.done += 1

    def copy(self) -> Chronicle:
        """An independent copy."""
        other = copy(self)
        other.loc, other.happened, other.said = self.loc.copy(), self.happened.copy(), self.said.copy()
        other.learnt = self.learnt.copy()
        other.told = {onlooker: told.copy() for onlooker, told in self.told.items()}
        other.last = self.last.copy()
        other.shadow = self.program.clone(self.shadow)
        return other

    def take_events(self) -> None:
        """Turns the events since last time into happenings."""
        events = self.shadow.events or []
        if any(event[0] == "step" for event in events):
            events = list(self.with_empty_steps_apart(events))
        for index, (kind, span, *fields) in enumerate(events):
            if kind == "chose" and self.is_moved_at_once(fields, events[index + 1 : index + 2]):
                self.said.pop(fields[0], None)
            if kind in ("told", "learnt"):
                fields = self.heard(fields[0])
            if kind != "learnt":
                self.happened.append(self.happening(kind, span, tuple(fields))._replace(at=self.made))
        self.shadow.events = []

    def heard(self, told: tuple[int, tuple[object, ...], int] | None) -> list[Any]:
        """What is told of values: the entry, the values, and the seats that may know them. Of a variable that gets one,
        the seats are noted."""
        if told is None:
            return [None, (), 0]
        number, values, knowing = told
        entry = self.program.lowering.heard[number]
        for var in entry.hidden:
            knowing &= self.learnt.get(var, 0)
        self.learnt[entry.var] = knowing
        return [entry, values, knowing]

    def with_empty_steps_apart(self, events: list[tuple[Any, ...]]) -> Iterator[tuple[Any, ...]]:
        """Of the steps that have begun, only those that have come to a decision need a heading: the others are of
        another kind."""
        going = {name for frame in self.shadow.frames for name in self.program.enclosing[frame[0]]}
        last = {event[2]: event for event in events if event[0] == "step"}
        for event in events:
            empty = event[0] == "step" and not (event[2] in going and last[event[2]] is event)
            yield ("began", *event[1:]) if empty else event

    def is_moved_at_once(self, chose: list[Any], following: list[tuple[Any, ...]]) -> bool:
        """Whether a card was chosen that moves in the next moment: the move tells enough."""
        site, code = self.program.sites[chose[1]], chose[2]
        if site.kind != "choose" or not about_cards(asked_type(site)) or code == DONE:
            return False
        return any(kind == "moved" and code - 1 in fields[1] for kind, _, *fields in following)

    def happening(self, kind: str, span: Span, data: tuple[Any, ...]) -> Happening:
        match kind:
            case "moved":
                for card in data[1]:
                    self.loc[card] = data[3]
                return Happening(kind, span, data, tuple(data[2]))
            case "revealed":
                return Happening(kind, span, data, tuple(self.loc[card] for card in data[0]))
            case "chose":
                return Happening(kind, span, data, (), self.said.pop(data[0], ()))
            case "ended":
                return Happening(kind, span, tuple(self.program.winners(self.shadow)))
        return Happening(kind, span, data)

    def words_of_choice(self, code: int) -> tuple[str, ...]:
        """What is said about a choice, for each onlooker: cards only to those who can tell them."""
        site = self.program.site(self.shadow)
        sentence = SENTENCES[site.kind]
        who = self.names.players[self.shadow.who]
        referee = Hearing(self.names, self.shadow, site, None)
        whole, onlookers = sentence(referee, who, code), range(self.program.players + 1)
        if not referee.told_card and not self.names.facts.common.secrecy.has_secrets:
            return (whole,) * (len(onlookers) + 1)  # there is nothing in it that somebody might not know
        return (*(sentence(Hearing(self.names, self.shadow, site, seat), who, code) for seat in onlookers), whole)


def joined(before: str, then: str) -> str:
    """The words of a choice of several that are told at once."""
    return f"{before} {then}".strip()


class Hearing(Printer):
    """Prints a choice for somebody who looks on; a card that they cannot tell is left out. No seat: the
    referee. `outsider`: they are not told either what goes into nothing but what is secret. `told_card`: whether the
    referee has been told a card."""

    def __init__(self, names: Names, state: State, site: Site, seat: int | None) -> None:
        super().__init__(names, state, site, seat)
        self.all = seat is None
        self.outsider = seat is not None and seat != state.who
        self.told_card = False

    def is_secret(self, code: int) -> bool:
        """Whether nothing may be told of this choice. What an offer asks further shows that it was passed."""
        if not self.outsider:
            return False
        if isinstance(self.site.statement, g.Choose):
            return self.site.statement.var.id in self.names.facts.common.secrecy.kept
        quiet = self.names.facts.common.secrecy.quiet_options(self.site.options)
        if code == DONE:
            return bool(quiet) and self.site.kind != "offer"
        return self.program.decode(self.site, code)[0] in quiet

    def bound(self, option: g.Option, values: Sequence[int]) -> list[str]:
        kept = self.names.facts.common.secrecy.kept if self.outsider else frozenset()
        told = zip(option.binders, values, strict=True)
        return [self.value(var.type, value) for (var, _), value in told if var.id not in kept]

    def said(self, code: int) -> str:
        """How the author calls the move, as far as who looks on may know it; empty if there are no words for it."""
        number, values = self.program.decode(self.site, code)
        option = self.site.options[number or 0]
        kept = self.names.facts.common.secrecy.kept if self.outsider else frozenset()
        if not option.called or any(var.id in kept for var, _ in option.binders):
            return ""
        self.told_card = self.told_card or (self.all and bool(option.called_with))
        sayer = Sayer(self.names, self.state, None if self.all else self.seat, self.program.scope(self.state))
        return sayer.move(option, {var.id: value for (var, _), value in zip(option.binders, values, strict=True)})

    def value(self, type: g.Type, value: int) -> str:
        if self.all:
            self.told_card = self.told_card or type.tag == "card"
            return self.names.value(type, value)
        return super().value(type, value)

    def hidden(self, card: int) -> str:
        return ""


def say_pick(hearing: Hearing, who: str, code: int) -> str:
    """The cards are told by the move that follows; only declining needs words."""
    if code != DONE or hearing.state.picks:
        return ""
    return f"{who} passes." if hearing.text(DONE) == "pass" else f"{who} chooses nothing."


def say_number(hearing: Hearing, who: str, code: int) -> str:
    if code == DONE:
        return f"{who} passes."
    return f"{who}: {hearing.text(code)}." if code == DONE + 1 else ""


def say_secretly(hearing: Hearing, who: str) -> str:
    """The same whatever is chosen, once for all that is chosen together."""
    return "" if hearing.state.picks else f"{who} chooses in secret."


def say_choice(hearing: Hearing, who: str, code: int) -> str:
    if hearing.is_secret(code):
        return say_secretly(hearing, who)
    if code == DONE:
        return say_pick(hearing, who, code)
    chosen = hearing.text(code).strip() or "a card"
    noun = noun_of(hearing.site)
    called = asked_type(hearing.site) == g.NUMBER and noun != g.NUMBER.tag
    return f"{who}: {noun} {chosen}." if called else f"{who} chooses {chosen}."


def say_option(hearing: Hearing, who: str, code: int) -> str:
    if hearing.is_secret(code):
        return say_secretly(hearing, who)
    if code == DONE:
        return f"{who} passes."
    name, *bound = hearing.text(code).split()
    return f"{who}: {hearing.said(code) or ' '.join([plain(name), *bound])}."


SENTENCES: dict[str, Callable[[Hearing, str, int], str]] = {
    "pick": say_pick,
    "number": say_number,
    "choose": say_choice,
    "several": say_choice,
    "menu": say_option,
    "offer": say_option,
    "react": say_option,
}
