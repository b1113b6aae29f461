"""What happened, in lines for a screen: what belongs to one thing stands below it, and what is done with the deck is
one line."""

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
"""Who does that does nothing else."""
NUMERAL = re.compile(r"\d+")
PICKED = re.compile(r".* chooses \[([^\]]+)\]\.")
NUMBER = re.compile(r"^\S+ chooses? .* of (\d+)\.$")
CARDS = re.compile(r"\[[^\]]+\]")
COUNT = re.compile(r"(\d+) cards\b")
DEALT = "The cards are dealt."
HALF = 2
"""Of a game's cards, one in so many are gathered before a new deal."""


def told_of(events: Iterable[EventView], viewer: str | None, own: Source, piles: Piles) -> tuple[Told, ...]:
    """The lines of these events, grouped. `own`: the text of the game, without its libraries. That a trick is taken is
    told by its moment."""
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
    """All that happened, line by line: a deed that a sentence of the rules tells whole is told by that one alone."""
    return [event.text for event in unsaid(events) if event.text]


def leads(group: Sequence[EventView], piles: Piles) -> bool:
    """Whether this may belong to the deal that begins next: who deals it, which it is, that it begins."""
    return all(event.kind == "step" or (event.change is not None and is_of_all(event.change, piles)) for event in group)


def is_of_all(change: Change, piles: Piles) -> bool:
    """Whether what was set is nobody's own and no score."""
    return change.owner is None and change.name != piles.score


def without_picks(events: Iterable[EventView]) -> list[EventView]:
    """The events, but for cards that somebody chooses one by one and that are then moved, or told of, together."""
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
    """The events, but for deeds whose cards a sentence of the rules names right behind or before them: `Ann gives [2c]
    to Bob for [3c].` And what undoes something is told by what the rules say then."""
    said: set[int] = set()
    for place, event in enumerate(events):
        if event.kind != "told" or not event.text:
            continue
        before = said_by(events, place, range(place - 1, -1, -1))
        behind = said_by(events, place, range(place + 1, len(events)))
        then = events[place + 1 : place + 1 + max(len(behind), 1)]  # also what it introduces without telling it
        whole = tells_all(event, [events[at] for at in before], then)
        said.update(behind, (at for at in before if whole or events[at].kind != "moved"))
    return [event for place, event in enumerate(events) if place not in said]


def said_by(events: Sequence[EventView], place: int, places: Iterable[int]) -> list[int]:
    """The first of these places whose events, one after another, are told by the sentence at a place, or untold."""
    return [*takewhile(lambda at: not events[at].text or is_said_by(events[at], events[place]), places)]


def tells_all(told: EventView, before: Sequence[EventView], behind: Sequence[EventView]) -> bool:
    """Whether a sentence tells what was done before it: all cards that it names were moved, and not only by what comes
    behind it. `Ann pegs 3 for a run: [As 2c 3c].` does not say that she has played the first of them."""
    named, then = named_in(told.text), cards_of(behind, told)
    return named <= then | cards_of(before, told) and not named <= then


def cards_of(events: Iterable[EventView], told: EventView) -> set[str]:
    """All cards that these events move for the choice of which a sentence tells."""
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
    """The codes of the cards that a sentence names."""
    return {code for cards in CARDS.findall(text) for code in cards[1:-1].split()}


def linked(lines: Iterable[Told], viewer: str | None) -> Iterator[Told]:
    """What somebody does after something else is told in the same sentence: `Bob folds and discards 2 cards.`"""
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
    """Whether somebody who has done something takes nothing further that was offered: nothing has happened. That none
    of one's cards is discarded tells the others much."""
    done = deed.kind in ("chose", "moved") and deed.who == told.who and told.kind == "chose" and not told.more
    nothing = (f"{who} passes.", f"{who} pass.", f"{who} puts no cards.", f"{who} put no cards.")
    return done and told.text in nothing and deed.text != told.text


def says_all(told: Told, deed: Told, who: str | None) -> bool:
    """Whether a sentence of the rules tells of somebody, with the same cards or number, what stands before it."""
    about = told.kind == "told" and deed.kind in ("chose", "moved") and told.who == deed.who and not deed.more
    if not about or not told.text.startswith(f"{who} "):
        return False
    cards = CARDS.findall(deed.text) or NUMBER.findall(deed.text)
    return bool(cards) and all(each in told.text for each in cards)


def is_told_with_more(deed: Told, told: Told) -> bool:
    """Whether a sentence of the rules comes next that begins with a deed: `Ann claims.` and `Ann claims the 7.` A deed
    with cards is told with the one before it."""
    about = told.kind == "told" and deed.kind in ("chose", "moved") and (told.at, told.who) == (deed.at, deed.who)
    return about and not (deed.more or CARDS.search(deed.text)) and told.text.startswith(f"{deed.text[:-1]} ")


def is_done_later(lines: Sequence[Told], who: str | None) -> bool:
    """Return whether the first of these lines only names a deed that the player's next lines tell in full:
    `Ann draws.` before `Ann discards 2 cards.` and `Ann draws 2 cards.`"""
    deed, *rest = lines
    own = takewhile(lambda each: each.who == deed.who and is_deed(each, who), rest)
    return is_deed(deed, who) and any(each.text.startswith(f"{deed.text[:-1]} ") for each in own)


def is_repeated(deed: Told, told: Told) -> bool:
    """Whether a sentence of the rules has just said what is done: `As a bribe, Ann draws a card.`"""
    return deed.kind in ("chose", "moved") and not deed.more and deed.text.lower() in told.text.lower()


def is_deed(told: Told, who: str | None) -> bool:
    """Whether a line is one short sentence about what somebody does."""
    alone = not told.more and told.kind in ("chose", "moved") and told.text.startswith(f"{who} ")
    return alone and not any(sign in told.text[:-1] for sign in (" and ", ",", ".", "“"))


def is_housekeeping(event: EventView) -> bool:
    """Done with the cards by nobody's choice: shuffled, dealt, gathered. What is turned up is news."""
    moved = event.kind == "moved" and event.name != "turn"
    return event.kind == "shuffled" or (moved and (event.who is None or event.name == "deal"))


def is_swept(event: EventView, done: int, piles: Piles) -> bool:
    """Whether open cards that are nobody's are only put elsewhere, by a rule. `done`: the last choice for which a
    player has moved cards; if it is this one, nobody chose these."""
    common = all(piles.is_open_to_all(ref) and piles.owner_of(ref) is None for ref in (event.source, event.to))
    return common and event.name in ("move", "put") and event.who is None and event.at == done and not event.hidden


def is_burnt(event: EventView) -> bool:
    """Whether cards that nobody knows go, by a rule, from one pile of nobody's to another."""
    return event.who is None and event.name == "discard" and not event.cards and event.hidden > 0


def is_picked_up(event: EventView, piles: Piles) -> bool:
    """Whether somebody only takes up a pile of their own, by a rule, and holds it from then on."""
    return event.span in piles.picked_up and piles.owner_of(event.source) == piles.owner_of(event.to) == event.who


def is_whole(event: EventView, piles: Piles) -> bool:
    """Whether all cards come together from where they lay: another deal begins."""
    cards = len(event.cards) + event.hidden
    return event.kind == "moved" and not event.source and cards * HALF >= piles.game.cards


def keeps_house(group: Sequence[EventView], event: EventView) -> bool:
    return is_housekeeping(group[0]) and is_housekeeping(event) and group[0].at == event.at


def is_gathering(group: Sequence[EventView]) -> bool:
    """Whether cards are only put together and shuffled, which is no news."""
    kept = is_housekeeping(group[0]) and any(event.kind == "shuffled" or event.name == SHUFFLED for event in group)
    return kept and all(event.name != "deal" for event in group)


def is_paid(group: Sequence[EventView], event: EventView) -> bool:
    """What changes for somebody by their own choice."""
    first = group[0]
    return first.kind == "chose" and event.kind == "set" and (first.at, first.who) == (event.at, event.who)


def is_paid_in(event: EventView, said: str) -> bool:
    """Whether a sentence names by how much a number falls: `Ann raises by 5.`"""
    return str(-grown(event)) in NUMERAL.findall(said)


def grown(event: EventView) -> int:
    """By how much a number is more than before; 0 if it is no whole number."""
    change = event.change
    if change is None or type(change.before) is not int or type(change.after) is not int:
        return 0
    return change.after - change.before


def is_named_by(group: Sequence[EventView], event: EventView) -> bool:
    """Whether a sentence says next by how much the numbers of some players have changed: `Ann wins 12.`, `Ann posts the
    small blind of 1, Bob the big blind of 2.`"""
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
    """The same number of one player after another."""
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
    """Of what is done with the deck, what the viewer gets comes first."""
    ref = f"/{viewer}" if viewer is not None else "\n"
    return next((event for event in group if event.name == "deal" and event.to.endswith(ref)), group[0])


def rule_of(event: EventView, own: Source) -> int:
    return event.span.line if event.span is not None and event.span.source is own else 0
