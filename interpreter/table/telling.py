"""Group and shorten log events into lines for a screen.

Details of one action are nested below its line. Shuffling, dealing and gathering become one line.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import takewhile, zip_longest
from typing import Literal

from attrs import evolve

from cardlang.source import Source
from interpreter.matches.events import Change, EventView
from interpreter.matches.telling import SHUFFLED
from interpreter.table.model import Told
from interpreter.table.piles import Piles

Kind = Literal["chose", "moved", "shown", "step", "result", "told", "kept"]
KINDS: dict[str, Kind] = {
    "chose": "chose", "moved": "moved", "revealed": "shown", "step": "step", "set": "kept", "told": "told",
    "eliminated": "result", "ended": "result", "shuffled": "moved", "cancelled": "chose", "lapsed": "told",
}  # fmt: skip


PASSING = ("pass", "passes", "pass.", "passes.")
"""Forms of passing, which is never merged with another action."""
NUMERAL = re.compile(r"\d+")
PICKED = re.compile(r".* chooses \[([^\]]+)\]\.")
NUMBER = re.compile(r"^\S+ chooses? .* of (\d+)\.$")
CARDS = re.compile(r"\[[^\]]+\]")
COUNT = re.compile(r"(\d+) cards\b")
DEALT = "The cards are dealt."
SWEEPING = ("move", "put", "remove")
HALF = 2
"""A new deal gathers at least 1 / `HALF` of the cards of the game."""


def told_of(events: Iterable[EventView], viewer: str | None, own: Source, piles: Piles) -> tuple[Told, ...]:
    """Return the lines for these events, grouped.

    `own`: source of the game without its libraries. Taken tricks are left out, because a `Moment` shows them.
    """
    groups: list[list[EventView]] = []
    done = -1
    for event in unsaid(without_picks(events)):
        moved = event.kind == "moved"
        if not event.text or (
            moved
            and (
                piles.is_trick(event.source)
                or is_swept(event, done, piles)
                or is_burnt(event)
                or is_picked_up(event, piles)
            )
        ):
            continue
        done = event.at if moved and event.who is not None else done
        if groups and any(joins(groups[-1], event) for joins in JOINING):
            groups[-1].append(event)
        else:
            groups.append([event])
    told: list[Told] = []
    dealt, anew = -1, False
    leading = 0
    for group, after in zip_longest(groups, groups[1:]):
        if after is not None and is_named_by(group, after[0]):
            continue
        said = line(group, viewer, own)
        anew = anew or any(is_whole(event, piles) or event.kind == "ended" for event in group)
        if anew and leading:
            told[-leading] = evolve(told[-leading], anew=True)
            leading, anew = 0, False
        if is_gathering(group) or (said.text == DEALT and not said.more and dealt == group[0].at):
            continue
        dealt = group[0].at if is_housekeeping(group[0]) and any(each.name == "deal" for each in group) else dealt
        told.append(evolve(said, anew=True) if anew else said)
        leading = 0 if anew or not leads(group, piles) else leading + 1
        anew = False
    return tuple(told)


def log_lines(events: Sequence[EventView]) -> list[str]:
    """Return the full log as lines. An action is left out if a sentence of the rules reports all of it."""
    return [event.text for event in unsaid(events) if event.text]


def leads(group: Sequence[EventView], piles: Piles) -> bool:
    """Return whether a group can introduce the next deal: its dealer, its number, or its beginning."""
    return all(event.kind == "step" or (event.change is not None and is_of_all(event.change, piles)) for event in group)


def is_of_all(change: Change, piles: Piles) -> bool:
    """Return whether the changed value has no owner and is not a score."""
    return change.owner is None and change.name != piles.score


def without_picks(events: Iterable[EventView]) -> list[EventView]:
    """Return the events without single picks of cards that a later move or sentence reports together."""
    kept: list[EventView] = []
    moving: dict[str | None, set[str]] = {}
    for event in reversed(list(events)):
        if event.kind == "moved":
            moving[event.who] = {*event.cards}
        elif event.kind == "told":
            moving[event.who] = named_in(event.text)
        picked = PICKED.fullmatch(event.text) if event.kind == "chose" else None
        if picked is None or not moving.get(event.who, set()).issuperset(picked[1].split()):
            kept.append(event)
    return kept[::-1]


def unsaid(events: Sequence[EventView]) -> list[EventView]:
    """Return the events without actions that an adjacent sentence of the rules reports.

    The sentence names their cards: `Ann gives [2c] to Bob for [3c].` Cancellations that it reports are left out as
    well.
    """
    said: set[int] = set()
    for place, event in enumerate(events):
        if event.kind != "told" or not event.text:
            continue
        before = said_by(events, place, range(place - 1, -1, -1))
        behind = said_by(events, place, range(place + 1, len(events)))
        then = events[place + 1 : place + 1 + max(len(behind), 1)]  # the next event, even without a line
        whole = tells_all(event, [events[at] for at in before], then)
        said.update(behind, (at for at in before if whole or events[at].kind != "moved"))
    return [event for place, event in enumerate(events) if place not in said]


def said_by(events: Sequence[EventView], place: int, places: Iterable[int]) -> list[int]:
    """Return the leading positions whose events have no line or are reported by the sentence at `place`."""
    return [*takewhile(lambda at: not events[at].text or is_said_by(events[at], events[place]), places)]


def tells_all(told: EventView, before: Sequence[EventView], behind: Sequence[EventView]) -> bool:
    """Return whether a sentence reports the actions before it.

    All cards it names were moved, and not only by the events after it. `Ann pegs 3 for a run: [As 2c 3c].` does not
    report that she played the first of them.
    """
    named, then = named_in(told.text), cards_of(behind, told)
    return named <= then | cards_of(before, told) and not named <= then


def cards_of(events: Iterable[EventView], told: EventView) -> set[str]:
    """Return the cards that these events move in the choice that the sentence belongs to."""
    return {code for event in events if event.kind == "moved" and event.at == told.at for code in event.cards}


def is_said_by(event: EventView, told: EventView) -> bool:
    if event.at != told.at or event.who not in (told.who, None):
        return False
    if event.kind == "cancelled":
        return True
    if event.kind == "moved":
        return bool(event.cards) and not event.hidden and named_in(told.text).issuperset(event.cards)
    cards, others = named_in(event.text), named_in(told.text)
    opens = event.kind == "chose" and told.text.startswith(f"{event.who} ")
    return opens and bool(others) and (bool(cards) or event.text.endswith(" with a card.")) and cards <= others


def named_in(text: str) -> set[str]:
    """Return the codes of the cards in a sentence."""
    return {code for cards in CARDS.findall(text) for code in cards[1:-1].split()}


def linked(lines: Iterable[Told], viewer: str | None) -> Iterator[Told]:
    """Yield the lines, merging consecutive actions of a player into one sentence: `Bob folds and discards 2 cards.`"""
    before: Told | None = None
    whole = [*lines]
    for at, each in enumerate(whole):
        who = "You" if each.who == viewer else each.who
        if any(is_told_with_more(each, after) for after in whole[at + 1 : at + 2]) or is_done_later(whole[at:], who):
            continue
        if before is not None and before.kind == "told" and is_repeated(each, before):
            before = evolve(before, at=each.at)
            continue
        if before is not None and lets_pass(each, before, who):
            before = evolve(before, at=each.at)
            continue
        if before is not None and before.who == each.who and is_deed(before, who) and is_deed(each, who):
            first, then = (told.text.removeprefix(f"{who} ") for told in (before, each))
            if len({first.split()[0], then.split()[0], *PASSING}) > len(PASSING) + 1:
                then = COUNT.sub(r"\1", then, 1) if COUNT.search(first) else then
                before = evolve(each, text=f"{who} {first[:-1]} and {then}", rule=before.rule or each.rule)
                continue
        if before is not None and not says_all(each, before, who):
            yield before
        before = each
    if before is not None:
        yield before


def lets_pass(told: Told, deed: Told, who: str | None) -> bool:
    """Return whether a line only says that a player takes no further action after an action.

    Such a line reports no change. It stays if it concerns discards, because then the other players learn something.
    """
    done = deed.kind in ("chose", "moved") and deed.who == told.who and told.kind == "chose" and not told.more
    nothing = (f"{who} passes.", f"{who} pass.", f"{who} puts no cards.", f"{who} put no cards.")
    return done and told.text in nothing and deed.text != told.text


def says_all(told: Told, deed: Told, who: str | None) -> bool:
    """Return whether a sentence of the rules repeats the action before it, with the same player and cards or number."""
    about = told.kind == "told" and deed.kind in ("chose", "moved") and told.who == deed.who and not deed.more
    if not about or not told.text.startswith(f"{who} "):
        return False
    cards = CARDS.findall(deed.text) or NUMBER.findall(deed.text)
    return bool(cards) and all(each in told.text for each in cards)


def is_told_with_more(deed: Told, told: Told) -> bool:
    """Return whether the next sentence of the rules begins with an action: `Ann claims.` and `Ann claims the 7.`

    An action with cards is merged with the line before it instead.
    """
    about = told.kind == "told" and deed.kind in ("chose", "moved") and (told.at, told.who) == (deed.at, deed.who)
    return about and not (deed.more or CARDS.search(deed.text)) and told.text.startswith(f"{deed.text[:-1]} ")


def is_done_later(lines: Sequence[Told], who: str | None) -> bool:
    """Return whether a line only names an action that the player's next lines report in full.

    An example is `Ann draws.` before `Ann discards 2 cards.` and `Ann draws 2 cards.`
    """
    deed, *rest = lines
    own = takewhile(lambda each: each.who == deed.who and is_deed(each, who), rest)
    return is_deed(deed, who) and any(each.text.startswith(f"{deed.text[:-1]} ") for each in own)


def is_repeated(deed: Told, told: Told) -> bool:
    """Return whether the sentence of the rules before an action already reports it: `As a bribe, Ann draws a card.`"""
    return deed.kind in ("chose", "moved") and not deed.more and deed.text.lower() in told.text.lower()


def is_deed(told: Told, who: str | None) -> bool:
    """Return whether a line is one short sentence about an action of a player."""
    alone = not told.more and told.kind in ("chose", "moved") and told.text.startswith(f"{who} ")
    return alone and not any(sign in told.text[:-1] for sign in (" and ", ",", ".", "“"))


def is_housekeeping(event: EventView) -> bool:
    """Return whether cards are shuffled, dealt or gathered without a player's choice. An upcard is news."""
    moved = event.kind == "moved" and event.name != "turn"
    return event.kind == "shuffled" or (moved and (event.who is None or event.name == "deal"))


def is_swept(event: EventView, done: int, piles: Piles) -> bool:
    """Return whether a rule only moves open cards between piles without an owner.

    `done`: the last choice in which a player moved cards. The event has to belong to it.
    """
    common = all(piles.is_open_to_all(ref) and piles.owner_of(ref) is None for ref in (event.source, event.to))
    return common and event.name in SWEEPING and event.who is None and event.at == done and not event.hidden


def is_burnt(event: EventView) -> bool:
    """Return whether a rule discards hidden cards, such as burn cards."""
    return event.who is None and event.name == "discard" and not event.cards and event.hidden > 0


def is_picked_up(event: EventView, piles: Piles) -> bool:
    """Return whether a player takes up a pile of their own into their hand, by a rule."""
    return event.span in piles.picked_up and piles.owner_of(event.source) == piles.owner_of(event.to) == event.who


def is_whole(event: EventView, piles: Piles) -> bool:
    """Return whether cards from several places are gathered for another deal."""
    cards = len(event.cards) + event.hidden
    return event.kind == "moved" and not event.source and cards * HALF >= piles.game.cards


def keeps_house(group: Sequence[EventView], event: EventView) -> bool:
    return is_housekeeping(group[0]) and is_housekeeping(event) and group[0].at == event.at


def is_gathering(group: Sequence[EventView]) -> bool:
    """Return whether cards are only gathered and shuffled, which is not news."""
    kept = is_housekeeping(group[0]) and any(event.kind == "shuffled" or event.name == SHUFFLED for event in group)
    return kept and all(event.name != "deal" for event in group)


def is_paid(group: Sequence[EventView], event: EventView) -> bool:
    """Return whether an event changes a player's value through the choice that begins the group."""
    first = group[0]
    return first.kind == "chose" and event.kind == "set" and (first.at, first.who) == (event.at, event.who)


def is_paid_in(event: EventView, said: str) -> bool:
    """Return whether a sentence names the amount by which a number falls: `Ann raises by 5.`"""
    return str(-grown(event)) in NUMERAL.findall(said)


def grown(event: EventView) -> int:
    """Return the increase of a number; 0 if it is not a whole number."""
    change = event.change
    if change is None or type(change.before) is not int or type(change.after) is not int:
        return 0
    return change.after - change.before


def is_named_by(group: Sequence[EventView], event: EventView) -> bool:
    """Return whether a sentence names the amounts by which players' numbers changed.

    Examples are `Ann wins 12.` and `Ann posts the small blind of 1, Bob the big blind of 2.`
    """
    if event.kind != "told":
        return False
    said, numerals = re.findall(r"\w+", event.text), NUMERAL.findall(event.text)
    return all(
        each.change is not None
        and each.at == event.at
        and (each.who == event.who or each.change.owner in said)
        and str(abs(grown(each))) in numerals
        for each in group
    )


def is_counted(group: Sequence[EventView], event: EventView) -> bool:
    """Return whether an event changes the number that the group changes, for another player."""
    one, other = group[0].change, event.change
    return one is not None and other is not None and one.name == other.name and group[0].at == event.at


JOINING: tuple[Callable[[Sequence[EventView], EventView], bool], ...] = (keeps_house, is_paid, is_counted)


def line(group: Sequence[EventView], viewer: str | None, own: Source) -> Told:
    first = headed(group, viewer)
    text, more = (
        first.text,
        tuple(each.text for each in group if each is not first and not is_paid_in(each, first.text)),
    )
    if first.change is not None:
        text, more = " ".join(event.text for event in group), ()
    elif is_housekeeping(first) and any(event.name == "deal" for event in group):
        text = first.text if first.name == "deal" and first.cards else DEALT
        more = tuple(event.text for event in group if event.name == "deal" and event.cards and event is not first)
    return Told(text, first.who, KINDS.get(first.kind, "told"), rule_of(first, own), more, group[-1].at)


def headed(group: Sequence[EventView], viewer: str | None) -> EventView:
    """Return the first event to report in a group: the cards dealt to the viewer, if any."""
    ref = f"/{viewer}" if viewer is not None else "\n"
    return next((event for event in group if event.name == "deal" and event.to.endswith(ref)), group[0])


def rule_of(event: EventView, own: Source) -> int:
    return event.span.line if event.span is not None and event.span.source is own else 0
