"""Report showdowns: the revealed hands, their values, and the reason that one beats another."""

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
    """Return the result of one choice; None if there is none.

    It consists of reported sentences, revealed hands and eliminated players.
    - `gained`: owners with a higher score than before.
    - `shared`: shared cards that rankings read, by ref.
    - `earlier`: hands revealed before in the deal.
    """
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
    """Return the reported sentences, unless one of them only describes moves of cards."""
    told = [event for event in happened if event.kind == "told" and event.text]
    moved = [event for event in happened if event.kind == "moved"]
    deeds = [event for event in told if any(is_said_by(move, event) for move in moved)]
    return told if len(deeds) < len(told) else []


def since_last_of(happened: Sequence[EventView], shared: Collection[str]) -> Sequence[EventView]:
    """Return the events since the last shared card came. Readings before it are provisional."""
    came = (at for at, event in enumerate(happened) if event.kind == "moved" and event.to in shared)
    return happened[max(came, default=0) :]


def wins(
    told: Sequence[EventView], gained: Collection[str | None], held: Collection[str | None]
) -> dict[str | None, str]:
    """Return the sentence about each winner's win, by winner.

    It is the last sentence about their hand that is not used for all hands. Players who only get something back do not
    win.
    """
    said_of: dict[object, set[str | None]] = {}
    for event in told:
        said_of.setdefault(event.span, set()).add(event.who)
    about = [event for event in told if event.who in gained and event.who in held]
    named = [event for event in about if event.readings and not said_of[event.span] >= {*held}]
    return {event.who: event.text for event in named or about}


def ranks(game: g.Game, event: EventView) -> bool:
    """Return whether a sentence reports the rank of a hand. A split into groups is not a rank."""
    return bool(event.readings) and game.rankings[event.readings[0].ranking].size != "groups"


def first_of(told: Sequence[EventView], gained: Collection[str | None]) -> list[str]:
    """Return the sentences in order. If exactly one is about a player who gained, it comes first."""
    texts = [event.text for event in told]
    first = [event.text for event in told if event.who in gained]
    return [*first, *(text for text in texts if text != first[0])] if len(first) == 1 else texts


def over(others: dict[str, ReadingView]) -> str:
    """Return the best of the other hands: `, over Inara's 1 Dancing Couple`."""
    if not others:
        return ""
    who, best = max(others.items(), key=lambda item: item[1].strength)
    return f", over {who}'s {best.text}"


def with_cards(event: EventView, laid: Collection[str | None]) -> str:
    """Return a sentence about a hand. Add the cards that count, unless all of them were revealed with it."""
    cards = event.readings[0].cards if event.readings else ()
    if not cards or set(cards) <= {*laid}:
        return event.text
    return f"{event.text.removesuffix('.')}: [{' '.join(cards)}]."


def reasons(piles: Piles, won: dict[str | None, ReadingView], others: dict[str, ReadingView]) -> list[str]:
    """Explain why a hand beats another of equal rank: the author's text for the deciding line, or else the cards."""
    if not others:
        return []
    best = [*won.values()][-1]  # the last one in the headline
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
    """Return the first two differing cards of hands that a line compares card by card.

    Return all cards if the line compares something that is not printed on the cards, or if wild cards count as others.
    """
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
    """Return the line of `ties` that decides between two readings of equal rank."""
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
    """Return whether a line compares lists of values, not single numbers."""
    folded = isinstance(line.value, g.Agg)
    return not folded and not (isinstance(line.value, g.Builtin) and line.value.name == "wilds")


def explained(
    piles: Piles, won: dict[str | None, ReadingView], others: dict[str, ReadingView], held: Mapping[str, ReadingView]
) -> Iterator[str]:
    """Yield explanations of the result: the deciding cards or text, and wild cards.

    If only ranks decided, add the hands placed above or below their equals.
    """
    why = reasons(piles, won, others)
    yield from why
    yield from stood_in(held)
    if not why:
        yield from set_apart(piles.game, held)


def stood_in(held: Mapping[str, ReadingView]) -> Iterator[str]:
    """Yield the cards that the wild cards of each hand count as."""
    for who, reading in held.items():
        for card, other in reading.wild:
            yield f"{who}'s [{card}] is wild" + (f" and counts as [{other}]." if other else ".")


def set_apart(game: g.Game, held: Mapping[str, ReadingView]) -> Iterator[str]:
    """Yield the hands that rank above or below their equals, with the author's text."""
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
    """Yield the shared cards as piles, with those marked that count for a winner."""
    count = {code for reading in won for code in reading.cards}
    for ref, codes in shared.items():
        name = ref.split("/")[1]
        cards = tuple(evolve(piles.face_up(code), counts=code in count) for code in codes)
        yield Pile("", name, piles.game.zones[name].noun.singular.replace("-", " "), None, "row", 0, False, cards)


def hand(piles: Piles, event: EventView, reading: ReadingView | None, split: ReadingView | None = None) -> Pile:
    """Return revealed cards as a pile. Cards that count are marked and come first.

    `split`: the groups of the hand, if any; its cards are ordered group by group.
    """
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
