"""Convert happenings to the events of one observer."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from typing import TYPE_CHECKING, Any

from attrs import evolve

from cardlang.words import third
from interpreter.matches.events import Change, EventView, ReadingView
from interpreter.matches.joining import moves_joined, sets_joined, shuffled_in, without_marks
from interpreter.matches.names import Names, unscaled
from interpreter.matches.shown import exactly
from interpreter.matches.telling import GIVING, RECEIVING, SHUFFLED, TELLERS, doer_of, may_know, tell_silent
from interpreter.ranking.reader import Reading
from interpreter.state import ABSENT

if TYPE_CHECKING:
    from interpreter.matches.log import Happening

CHOSEN = re.compile(r"chooses (?:\[([^]]*)\]|“[^”]*” with a card)\.")
"""Line of a choice that says no more than the move after it."""
QUIET = ("announced", "cancelled")


def hear(names: Names, happened: Sequence[Happening], onlooker: int) -> Iterator[EventView]:
    """Yield the events for an observer, and drop lines that repeat a choice.

    Observers are numbered: the seats, then the spectator, then the referee. The last is the referee with a trace, which
    includes events without their own line.
    """
    chose: EventView | None = None
    heard = list(heard_apart(names, happened, onlooker))
    for place, event in enumerate(heard):
        following = list(behind(heard, place)) if event.kind in ("chose", "moved") else []
        if event.kind == "chose":
            chose = event
            if following and is_told_by_move(event, following[0]):
                chose, event = None, evolve(event, text="")
        elif event.kind == "moved" and ((chose and tells(chose, event)) or any(goes_on(event, to) for to in following)):
            event = evolve(event, text="")
        yield event


def behind(heard: Sequence[EventView], place: int) -> Iterator[EventView]:
    """Yield the events with a line that follow in the same choice."""
    for to in range(place + 1, len(heard)):
        if heard[to].at != heard[place].at:
            return
        if heard[to].text:
            yield heard[to]


def is_told_by_move(chose: EventView, event: EventView) -> bool:
    """Return whether a move or reveal after a choice says as much as its line.

    Examples are `Ann draws from the deck.` before `Ann draws a card from the deck.`, and `Ann chooses [3c].` before
    `Ann takes [3c 3d].`
    """
    if event.kind not in ("moved", "revealed"):
        return False
    told = iter(event.text.rstrip(".").split())
    named = CHOSEN.fullmatch(chose.text.removeprefix(f"{chose.who} "))
    if named and event.who == chose.who:
        return {*(named[1] or "").split()} <= {*event.cards}
    return all(word in told for word in chose.text.replace(" a card.", ".")[:-1].split())


def tells(chose: EventView, event: EventView) -> bool:
    """Return whether the line of a choice already reports this move."""
    if event.at != chose.at or event.who not in (chose.who, None):
        return False
    named = bool(event.cards) and not event.hidden and f"[{' '.join(event.cards)}]" in chose.text
    played = event.text == f"{chose.who} plays [{' '.join(event.cards)}]."
    verbs = (event.name,) if event.name != "move" else (event.name, *RECEIVING, *GIVING)
    begun = any(chose.text.startswith(f"{chose.who} {third(verb)} ") for verb in verbs)
    return event.text == chose.text or (named and (played or begun))


def goes_on(event: EventView, to: EventView) -> bool:
    """Return whether cards are only put down to be passed on immediately."""
    count, on = (len(each.cards) + each.hidden for each in (event, to))
    return to.kind == "moved" and (to.source, to.who, on) == (event.to, event.who, count) and bool(to.source)


def heard_apart(names: Names, happened: Sequence[Happening], onlooker: int) -> Iterator[EventView]:
    silent = onlooker > names.program.players + 1
    heard = moves_joined(happened if silent else list(sets_joined(without_marks(names, happened))))
    verb = ""
    for each in heard if silent else shuffled_in(names, heard):
        teller = TELLERS.get(each.kind)
        is_said = each.kind == "shuffled" and verb == SHUFFLED
        text = teller(names, each, onlooker) if teller is not None and not is_said else ""
        verb = each.data[0] if each.kind == "moved" else ""
        if not text and silent:
            text = tell_silent(names, each)
        if each.kind == "revealed":
            yield from shown(names, each, text)
            continue
        kind = "step" if each.kind == "began" else each.kind
        about = ABOUT.get(kind)
        found = about(names, each, onlooker) if about is not None else EventView(kind, "", each.span, 0)
        if found is not None:
            yield evolve(found, text=text, at=each.at)
        elif text:
            yield EventView(kind, text, each.span, each.at)


def player(names: Names, seat: int | None) -> str | None:
    return None if seat is None or seat == ABSENT else names.players[seat]


def ref(names: Names, pile: int) -> str:
    return "" if pile == ABSENT else names.refs.piles[pile]


def known(names: Names, cards: Sequence[int], seen: Sequence[int], onlooker: int) -> tuple[str, ...]:
    referee = onlooker > names.program.players
    return tuple(names.code(card) for card, bits in zip(cards, seen, strict=True) if referee or bits >> onlooker & 1)


def moved(names: Names, each: Happening, onlooker: int) -> EventView:
    verb, cards, _, to, seen = each.data
    codes = known(names, cards, seen, onlooker)
    doer = doer_of(names, verb, each.piles[0], to)
    return EventView(
        kind="moved",
        text="",
        span=each.span,
        at=0,
        who=player(names, each.by if doer is None else doer),
        name=verb,
        cards=codes,
        hidden=len(cards) - len(codes),
        source=ref(names, each.piles[0] if len(set(each.piles)) == 1 else ABSENT),
        to=ref(names, to),
    )


def shown(names: Names, each: Happening, text: str) -> Iterator[EventView]:
    """Yield an event for each pile of publicly revealed cards. The first event has the line.

    Cards known before are included. Cards revealed to one player give only a line.
    """
    cards, _, _, seen = each.data
    if seen != names.program.layout.everyone:
        if text:
            yield EventView("revealed", text, each.span, each.at)
        return
    for pile in dict.fromkeys(each.piles):
        who = names.seat_of(pile) if pile != ABSENT else None
        codes = tuple(names.code(card) for card, place in zip(cards, each.piles, strict=True) if place == pile)
        source = ref(names, pile)
        yield EventView("revealed", text, each.span, each.at, player(names, who), cards=codes, source=source)
        text = ""


def was_set(names: Names, each: Happening, onlooker: int) -> EventView | None:
    slot, old, new = each.data
    entry = names.program.tracks[slot]
    track = entry.track
    if track.subject == "card" or not may_know(names, track, entry.of, onlooker):
        return None
    if old == new:
        of = names.owner(track.subject, entry.of)
        return EventView("set", "", each.span, 0, of, track.name) if track.name in names.facts.settled else None
    owner = names.owner(track.subject, entry.of)
    before, after = (exactly(names, track.type, unscaled(raw, entry.scale, track.type)) for raw in (old, new))
    change = Change(track.name, owner, before, after)
    return EventView("set", "", each.span, 0, owner if track.subject == "player" else None, change=change)


def stepped(names: Names, each: Happening, onlooker: int) -> EventView | None:
    step, seat = each.data
    if step in names.facts.unseen_steps:
        return None
    return EventView("step", "", each.span, 0, player(names, seat), step, ahead=step in names.facts.headings)


def told(names: Names, each: Happening, onlooker: int) -> EventView | None:
    entry, values, knowing = each.data
    if entry is None or not (onlooker > names.program.players or knowing >> onlooker & 1):
        return None
    both = list(zip(entry.values, values, strict=True))
    who = next((names.players[value] for expr, value in both if expr.type.tag == "player" and is_seat(value)), None)
    readings = tuple(
        ReadingView.of(str(expr.type.of), value, names.codes, names.faces, names.told(expr.type, value))
        for expr, value in both
        if isinstance(value, Reading)
    )
    return EventView("told", "", each.span, 0, who, readings=readings)


def is_seat(value: Any) -> bool:
    return isinstance(value, int) and value >= 0


def eliminated(names: Names, each: Happening, onlooker: int) -> EventView:
    return EventView("eliminated", "", each.span, 0, player(names, each.data[0]))


def lapsed(names: Names, each: Happening, onlooker: int) -> EventView:
    return EventView("lapsed", "", each.span, 0, player(names, each.data[1]))


def shuffled(names: Names, each: Happening, onlooker: int) -> EventView:
    return EventView("shuffled", "", each.span, 0, source=ref(names, each.data[0]))


def chose(names: Names, each: Happening, onlooker: int) -> EventView:
    return EventView("chose", "", each.span, 0, player(names, each.data[0]))


ABOUT: dict[str, Callable[[Names, Happening, int], EventView | None]] = {
    "moved": moved,
    "set": was_set,
    "step": stepped,
    "told": told,
    "eliminated": eliminated,
    "lapsed": lapsed,
    "shuffled": shuffled,
    "chose": chose,
}
