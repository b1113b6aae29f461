"""Hands that are laid open, what they are worth, and why one is better than another."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence

from attrs import evolve

from cardlang import game as g
from cardlang.game.walking import walk
from interpreter.matches.events import EventView, ReadingView
from interpreter.ranking.ties import END
from interpreter.table.model import Moment, Pile
from interpreter.table.piles import Piles
from interpreter.table.telling import is_said_by


def showdown(
    piles: Piles,
    happened: Sequence[EventView],
    gained: Collection[str | None],
    shared: Mapping[str, tuple[str, ...]],
    earlier: Sequence[EventView] = (),
) -> Moment | None:
    """The result of what came of one choice: what the rules tell, the hands that were shown, who went out. `gained`:
    whose score is higher than before; `shared`: by ref, the cards of nobody's that rankings look at; `earlier`: hands
    that were laid open before in the deal. None if there is none."""
    told = results_told(happened)
    shown = [event for event in happened if event.kind == "revealed" and event.cards]
    out = [event.text for event in happened if event.kind == "eliminated"]
    final = [event for event in since_last_of(happened, shared) if event in told]
    held = {event.who: event.readings[0] for event in final if ranks(piles.game, event) and event.who is not None}
    now = {event.who for event in shown}
    shown = [*(event for event in earlier if event.who in held and event.who not in now), *shown]
    split = {event.who: event.readings[0] for event in told if event.readings and not ranks(piles.game, event)}
    hands = tuple(hand(piles, event, held.get(event.who or ""), split.get(event.who)) for event in shown)
    winning = wins(final, gained, held)
    won = [who for who in winning if who is not None]
    if won:
        others = {who: reading for who, reading in held.items() if who not in won}
        laid = {pile.owner: {card.code for card in pile.cards} for pile in hands}
        held_by = {event.who: event for event in reversed(final) if event.readings}
        lines = [
            with_cards(event, laid.get(event.who, set())) if held_by.get(event.who) is event else event.text
            for event in final
            if event.text not in winning.values()
        ]
        return Moment(
            kind="showdown",
            headline=" ".join(winning.values()).removesuffix(".") + over(others) + ".",
            lines=(*explained(piles, {who: held[who] for who in won}, others, held), *lines, *out),
            hands=(*in_middle(piles, shared, [held[who] for who in won]), *hands),
        )
    if not told and not out:
        return None
    headline, *lines = [*first_of(told, gained), *out]
    return Moment("result", headline, tuple(lines), hands=hands)


def results_told(happened: Sequence[EventView]) -> list[EventView]:
    """What the rules tell, unless it is only what somebody has done with cards."""
    told = [event for event in happened if event.kind == "told" and event.text]
    moved = [event for event in happened if event.kind == "moved"]
    deeds = [event for event in told if any(is_said_by(move, event) for move in moved)]
    return told if len(deeds) < len(told) else []


def since_last_of(happened: Sequence[EventView], shared: Collection[str]) -> Sequence[EventView]:
    """The events since the last card came that counts for everybody: what stood before it was only on the way."""
    came = (at for at, event in enumerate(happened) if event.kind == "moved" and event.to in shared)
    return happened[max(came, default=0) :]


def wins(
    told: Sequence[EventView], gained: Collection[str | None], held: Collection[str | None]
) -> dict[str | None, str]:
    """By winner, the sentence that says so: the last one about a hand of theirs that is not said of all hands. Who only
    gets something back wins nothing by it."""
    said_of: dict[object, set[str | None]] = {}
    for event in told:
        said_of.setdefault(event.span, set()).add(event.who)
    about = [event for event in told if event.who in gained and event.who in held]
    named = [event for event in about if event.readings and not said_of[event.span] >= {*held}]
    return {event.who: event.text for event in named or about}


def ranks(game: g.Game, event: EventView) -> bool:
    """Whether a sentence tells what a hand ranks. A split into groups is no rank."""
    return bool(event.readings) and game.rankings[event.readings[0].ranking].size != "groups"


def first_of(told: Sequence[EventView], gained: Collection[str | None]) -> list[str]:
    """The sentences as they were told; if one alone is about somebody who gained by it, that comes first."""
    texts = [event.text for event in told]
    first = [event.text for event in told if event.who in gained]
    return [*first, *(text for text in texts if text != first[0])] if len(first) == 1 else texts


def over(others: dict[str, ReadingView]) -> str:
    """`, over Inara's 1 Dancing Couple`: the best of the others."""
    if not others:
        return ""
    who, best = max(others.items(), key=lambda item: item[1].strength)
    return f", over {who}'s {best.text}"


def with_cards(event: EventView, laid: Collection[str | None]) -> str:
    """What is told of a hand, with the cards that count in it, if not all of them were laid open with it."""
    cards = event.readings[0].cards if event.readings else ()
    if not cards or set(cards) <= {*laid}:
        return event.text
    return f"{event.text.removesuffix('.')}: [{' '.join(cards)}]."


def reasons(piles: Piles, won: dict[str | None, ReadingView], others: dict[str, ReadingView]) -> list[str]:
    """Why a hand beats another one of its rank: the words of the line that decided, else the cards that count."""
    if not others:
        return []
    best = [*won.values()][-1]  # the headline ends with it
    other = max(others.values(), key=lambda reading: reading.strength)
    if other.strength[:1] != best.strength[:1] or other.strength >= best.strength:
        return []
    line = deciding(piles.game.rankings[best.ranking].ties, best.strength, other.strength)
    if line is None:
        return []
    if line.doc or other.text != best.text:
        return [line.doc] if line.doc else []
    beside = any(isinstance(part, g.Builtin) and part.name == "rest" for part in walk(line.value))
    mine, theirs = first_unlike(piles, line, (best.rest, other.rest) if beside else (best.cards, other.cards))
    return [f"{'Among the other cards, ' if beside else ''}[{' '.join(mine)}] beats [{' '.join(theirs)}]."]


def first_unlike(
    piles: Piles, line: g.OrderLine, hands: tuple[tuple[str, ...], tuple[str, ...]]
) -> Iterable[tuple[str, ...]]:
    """Of hands that a line compares card by card, the first two that are not equal; all, if it compares what is not
    printed on the cards, or if what they show counts as something else."""
    value = line.value.value if isinstance(line.value, g.MapEach) else None
    if not isinstance(value, g.Attribute):
        return hands
    printed = piles.game.columns[value.attribute].values
    sign = 1 if line.how == "higher" else -1
    worth = {code: sign * number(printed[piles.face_up(code).face or 0]) for hand in hands for code in hand}
    rows = (sorted(hand, key=worth.__getitem__, reverse=True) for hand in hands)
    mine, theirs = next((pair for pair in zip(*rows, strict=False) if worth[pair[0]] != worth[pair[1]]), ("", ""))
    return ((mine,), (theirs,)) if worth.get(mine, 0) > worth.get(theirs, 0) else hands


def number(value: g.Value) -> int:
    return value if isinstance(value, int) else 0


def deciding(lines: Sequence[g.OrderLine], one: tuple[int, ...], other: tuple[int, ...]) -> g.OrderLine | None:
    """The line of `ties` by which one of two readings of a rank is better."""
    start = 1
    for line in lines:
        end = start + 1
        if line.how in ("higher", "lower") and is_list(line):
            ends = [
                next((at for at in range(start, len(each)) if abs(each[at]) == END), start) for each in (one, other)
            ]
            end = max(ends) + 1
        if one[start:end] != other[start:end]:
            return line
        start = end
    return None


def is_list(line: g.OrderLine) -> bool:
    """Whether a line compares value by value, and not one number."""
    folded = isinstance(line.value, g.Agg)
    return not folded and not (isinstance(line.value, g.Builtin) and line.value.name == "wilds")


def explained(
    piles: Piles, won: dict[str | None, ReadingView], others: dict[str, ReadingView], held: Mapping[str, ReadingView]
) -> Iterator[str]:
    """What decided between the hands of the winners and the others, and what is wild; where nothing decided beyond the
    ranks, which hands stand above or below their equals."""
    why = reasons(piles, won, others)
    yield from why
    yield from stood_in(held)
    if not why:
        yield from set_apart(piles.game, held)


def stood_in(held: Mapping[str, ReadingView]) -> Iterator[str]:
    """What the wild cards of each hand count as."""
    for who, reading in held.items():
        for card, other in reading.wild:
            yield f"{who}'s [{card}] is wild" + (f" and counts as [{other}]." if other else ".")


def set_apart(game: g.Game, held: Mapping[str, ReadingView]) -> Iterator[str]:
    """Which hands stand above their equals, or below them, with the author's words."""
    for who, reading in held.items():
        for line, value in zip(game.rankings[reading.ranking].ties, reading.strength[1:], strict=False):
            if line.how not in ("best", "worst"):
                break
            if value:
                result = "wins" if line.how == "best" else "loses"
                doc = f": {line.doc[:1].lower()}{line.doc[1:]}" if line.doc else "."
                yield f"{who}'s {reading.title} {result} ties{doc}"
                break


def in_middle(piles: Piles, shared: Mapping[str, tuple[str, ...]], won: Sequence[ReadingView]) -> Iterator[Pile]:
    """Cards of nobody's that everybody's worth depends on, those that count for a winner marked."""
    count = {code for reading in won for code in reading.cards}
    for ref, codes in shared.items():
        name = ref.split("/")[1]
        cards = tuple(evolve(piles.face_up(code), counts=code in count) for code in codes)
        yield Pile("", name, piles.game.zones[name].noun.singular.replace("-", " "), None, "row", 0, False, cards)


def hand(piles: Piles, event: EventView, reading: ReadingView | None, split: ReadingView | None = None) -> Pile:
    """Cards that were laid open, those that count marked, and first. `split`: the hand's groups, if it has some; their
    cards lie group by group."""
    layout = reading or split
    counted = list(layout.cards) if layout is not None else []
    left = [*counted]
    cards = []
    for code in event.cards:
        counts = code in left
        if counts:
            left.remove(code)
        cards.append(evolve(piles.face_up(code), counts=counts))
    cards.sort(key=lambda card: (not card.counts, piles.place_in_hand(card.face)))
    if reading is None and split is not None:
        cards.sort(key=lambda card: counted.index(card.code or "") if card.counts else len(counted))
    name = event.source.split("/")[1] if event.source else ""
    label = piles.game.zones[name].noun.singular.replace("-", " ") if name else ""
    return Pile("", name, label, event.who, "hand", 0, False, tuple(cards))
