"""Showdown: revealed hands, winning reason, community cards.

Community cards are tracked event by event, because they may be gone when a showdown is reported.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterator, Mapping, Sequence
from typing import Literal

from attrs import evolve

from cardlang import model as g
from cardlang.model.traversal import collect_all_nodes, walk, walk_with_definitions
from interpreter.hands.tie_breaks import find_deciding_line, is_rest_used
from interpreter.narration import event_phrases as p
from interpreter.narration.display_names import Refs
from interpreter.narration.events import EventView, ReadingView
from interpreter.view.card_piles import PileLayout
from interpreter.view.omitted_events import is_reported_by
from interpreter.view.table_model import RecentResult, TablePile


def write_other_reports(
    reports: Sequence[EventView], hands: Sequence[TablePile], winning: Collection[EventView], headline: p.Line
) -> list[p.Line]:
    """Return the reported sentences that the headline does not tell. The first one about a hand names its hidden cards.

    The headline tells of the wins, and of shown hands that it names.
    """
    shown_codes = {pile.owner: {card.code for card in pile.cards} for pile in hands}
    held_by = {event.who: event for event in reversed(reports) if event.readings}
    return [
        add_counting_cards(event, shown_codes.get(event.who, set())) if held_by.get(event.who) is event else event.line
        for event in reports
        if event not in winning and not is_hand_told(event, headline, shown_codes)
    ]


def is_hand_told(event: EventView, headline: p.Line, shown_hands: Collection[str | None]) -> bool:
    """Return whether a sentence only gives the rank of a shown hand that the headline names."""
    is_named = event.line.verb == "hold" and event.who in headline.players and event.who in shown_hands
    return is_named and all(reading.text in headline.text for reading in event.readings)


def build_showdown(
    piles: PileLayout,
    events: Sequence[EventView],
    gaining_owners: Collection[str | None],
    shared_cards: Mapping[str, tuple[str, ...]],
    viewer: str | None,
    earlier_reveals: Sequence[EventView] = (),
) -> RecentResult | None:
    """Return the result of one choice; None if there is none.

    If a player won with a hand, this is a showdown: the winning sentences are its headline, and its hands include the
    shared cards. Otherwise it is a plain result, with the first reported sentence as its headline. Either lists other
    reported sentences, eliminated players and revealed hands.

    - `gaining_owners`: owners with a higher score than before.
    - `shared_cards`: shared cards that rankings read, by ref.
    - `earlier_reveals`: hands revealed before in the deal.
    """
    reported = find_result_events(events)
    shown = [event for event in events if event.kind == "revealed" and event.cards]
    out = [event for event in events if event.kind == "eliminated"]
    final = [event for event in drop_provisional_events(events, shared_cards) if event in reported]
    readings = {
        event.who: event.readings[0] for event in final if is_rank_report(piles.game, event) and event.who is not None
    }
    now = {event.who for event in shown}
    shown = [*(event for event in earlier_reveals if event.who in readings and event.who not in now), *shown]
    split = {
        event.who: event.readings[0] for event in reported if event.readings and not is_rank_report(piles.game, event)
    }
    hands = tuple(build_hand_pile(piles, event, readings.get(event.who or ""), split.get(event.who)) for event in shown)
    winning = find_win_sentences(final, gaining_owners, readings)
    won = [who for who in winning if who is not None]
    if won:
        others = {who: reading for who, reading in readings.items() if who not in won}
        headline = add_best_loser(p.join_subjects([event.line for event in winning.values()]), others)
        why = explain_showdown(piles, {who: readings[who] for who in won}, others, readings)
        lines = (
            *why,
            *write_other_reports(final, hands, [*winning.values()], headline),
            *(event.line for event in out),
        )
        shown_piles = (*build_shared_piles(piles, shared_cards, [readings[who] for who in won]), *hands)
        return build_result("showdown", headline, lines, viewer, shown_piles, (*final, *out))
    if not reported and not out:
        return None
    first, *rest = (*sort_sentences(reported, gaining_owners), *out)
    return build_result("result", first.line, [event.line for event in rest], viewer, hands, (first, *rest))


def build_result(
    kind: Literal["trick", "showdown", "result"],
    headline: p.Line,
    lines: Sequence[p.Line],
    viewer: str | None,
    hands: tuple[TablePile, ...],
    events: tuple[EventView, ...] = (),
) -> RecentResult:
    """Return a result as the viewer reads it."""
    texts = tuple(line.write_for(viewer) for line in lines)
    return RecentResult(kind, headline.write_for(viewer), texts, hands=hands, events=events)


def find_result_events(events: Sequence[EventView]) -> list[EventView]:
    """Return the reported sentences, unless one of them only describes moves of cards."""
    reported = [event for event in events if event.kind == "told" and event.line]
    moved = [event for event in events if event.kind == "moved"]
    move_reports = [event for event in reported if any(is_reported_by(move, event) for move in moved)]
    return reported if len(move_reports) < len(reported) else []


def drop_provisional_events(events: Sequence[EventView], shared: Collection[str]) -> Sequence[EventView]:
    """Return the events since the last shared card was dealt. Readings before it are provisional."""
    arrivals = (at for at, event in enumerate(events) if event.kind == "moved" and event.to in shared)
    return events[max(arrivals, default=0) :]


def find_win_sentences(
    sentences: Sequence[EventView], gaining_owners: Collection[str | None], hand_owners: Collection[str | None]
) -> dict[str | None, EventView]:
    """Return the sentence about each winner's win, by winner.

    It is the last sentence about their hand that is not used for all hands. Players who only get something back do not
    win.
    """
    said_of: dict[object, set[str | None]] = {}
    for event in sentences:
        said_of.setdefault(event.span, set()).add(event.who)
    about = [event for event in sentences if event.who in gaining_owners and event.who in hand_owners]
    named = [event for event in about if event.readings and not said_of[event.span] >= {*hand_owners}]
    return {event.who: event for event in named or about}


def is_rank_report(game: g.Game, event: EventView) -> bool:
    """Return whether a sentence reports the rank of a hand. A split into groups is not a rank."""
    return bool(event.readings) and game.rankings[event.readings[0].ranking].size != "groups"


def sort_sentences(sentences: Sequence[EventView], gaining_owners: Collection[str | None]) -> Sequence[EventView]:
    """Return the sentences in order. If exactly one is about a player who gained, it comes first."""
    first = [event for event in sentences if event.who in gaining_owners]
    return sorted(sentences, key=first.__contains__, reverse=True) if len(first) == 1 else sentences


def add_best_loser(headline: p.Line, losing_hands: dict[str, ReadingView]) -> p.Line:
    """Return a headline with the best of the other hands: `, over Inara's 1 Dancing Couple`."""
    if not losing_hands:
        return headline
    who, best = max(losing_hands.items(), key=lambda item: item[1].strength)
    return headline.extend_sentence(", over ", p.make_possessive_name(who), f" {best.text}")


def add_counting_cards(event: EventView, shared_cards: Collection[str | None]) -> p.Line:
    """Return a sentence about a hand. Add the cards that count, unless all of them were revealed with it."""
    cards = event.readings[0].cards if event.readings else ()
    if not cards or set(cards) <= {*shared_cards}:
        return event.line
    return event.line.extend_sentence(": ", p.Cards.create(cards))


def explain_wins(
    piles: PileLayout, winning_hands: dict[str | None, ReadingView], other_hands: dict[str, ReadingView]
) -> list[p.Line]:
    """Explain why a hand beats another of equal rank: the author's text for the deciding line, or else the cards."""
    if not other_hands:
        return []
    best = [*winning_hands.values()][-1]  # the last one in the headline
    other = max(other_hands.values(), key=lambda reading: reading.strength)
    if other.strength[:1] != best.strength[:1] or other.strength >= best.strength:
        return []
    line = find_deciding_line(piles.game.rankings[best.ranking].ties, best.strength, other.strength)
    if line is None:
        return []
    if line.doc or other.text != best.text:
        return [p.Line((line.doc,))] if line.doc else []
    compares_rest = is_rest_used(walk(line.value))
    mine, theirs = find_first_difference(
        piles, line, (best.rest, other.rest) if compares_rest else (best.cards, other.cards)
    )
    among = "among the other cards," if compares_rest else ""
    return [p.write_sentence(among, p.Cards.create(mine), "beats", p.Cards.create(theirs))]


def find_first_difference(
    piles: PileLayout, line: g.OrderLine, hands: tuple[tuple[str, ...], tuple[str, ...]]
) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Return the first two differing cards of hands that a line compares card by card.

    Return all cards if the line compares something that is not printed on the cards, or if wild cards count as others.
    """
    value = line.value.value if isinstance(line.value, g.MapEach) else None
    if not isinstance(value, g.Attribute):
        return hands
    printed = piles.game.columns[value.attribute].values
    sign = 1 if line.how == "higher" else -1
    values = {code: printed[piles.get_face_up_card(code).face or 0] for hand in hands for code in hand}
    worth = {code: sign * value if isinstance(value, int) else 0 for code, value in values.items()}
    rows = (sorted(hand, key=worth.__getitem__, reverse=True) for hand in hands)
    mine, theirs = next((pair for pair in zip(*rows, strict=False) if worth[pair[0]] != worth[pair[1]]), ("", ""))
    return ((mine,), (theirs,)) if worth.get(mine, 0) > worth.get(theirs, 0) else hands


def explain_showdown(
    piles: PileLayout,
    winning_hands: dict[str | None, ReadingView],
    other_hands: dict[str, ReadingView],
    all_hands: Mapping[str, ReadingView],
) -> Iterator[p.Line]:
    """Yield explanations of the result: the deciding cards or text, and wild cards.

    If no such thing decided, add the hands placed above or below others of the same rank.
    """
    why = explain_wins(piles, winning_hands, other_hands)
    yield from why
    yield from describe_stand_ins(all_hands)
    ranks = Counter(reading.strength[0] for reading in all_hands.values())
    tied = {who: reading for who, reading in all_hands.items() if ranks[reading.strength[0]] > 1}
    if not why:
        yield from describe_tie_effects(piles.game, tied)


def describe_stand_ins(hands: Mapping[str, ReadingView]) -> Iterator[p.Line]:
    """Yield the cards that the wild cards of each hand count as."""
    for who, reading in hands.items():
        for card, other in reading.wild:
            meaning = ("and counts as ", p.Cards.create((other,))) if other else ()
            yield p.write_sentence(p.make_possessive_name(who), p.Cards.create((card,)), "is wild", meaning)


def describe_tie_effects(game: g.Game, hands: Mapping[str, ReadingView]) -> Iterator[p.Line]:
    """Yield the hands that rank above or below their equals, with the author's text."""
    for who, reading in hands.items():
        for line, value in zip(game.rankings[reading.ranking].ties, reading.strength[1:], strict=False):
            if line.how not in ("best", "worst"):
                break
            if value:
                result = "wins" if line.how == "best" else "loses"
                doc = f": {line.doc[:1].lower()}{line.doc[1:]}" if line.doc else "."
                yield p.Line((p.make_possessive_name(who).capitalize_start(), f" {reading.title} {result} ties{doc}"))
                break


def build_shared_piles(
    piles: PileLayout, shared: Mapping[str, tuple[str, ...]], won: Sequence[ReadingView]
) -> Iterator[TablePile]:
    """Yield the shared cards as piles, with those marked that count for a winner."""
    count = {code for reading in won for code in reading.cards}
    for ref, codes in shared.items():
        name = Refs.get_zone_name(ref)
        cards = tuple(evolve(piles.get_face_up_card(code), counts=code in count) for code in codes)
        yield TablePile("", name, piles.game.zones[name].noun.singular.replace("-", " "), None, "row", 0, False, cards)


def build_hand_pile(
    piles: PileLayout, event: EventView, reading: ReadingView | None, split: ReadingView | None = None
) -> TablePile:
    """Return revealed cards as a pile. p.Cards that count are marked and come first.

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
        cards.append(evolve(piles.get_face_up_card(code), counts=counts))
    cards.sort(key=lambda card: (not card.counts, piles.get_hand_sort_key(card.face)))
    if reading is None and split is not None:
        cards.sort(key=lambda card: counted.index(card.code or "") if card.counts else len(counted))
    name = Refs.get_zone_name(event.source)
    label = piles.game.zones[name].noun.singular.replace("-", " ") if name else ""
    return TablePile("", name, label, event.who, "hand", 0, False, tuple(cards))


def find_shared_zones(game: g.Game) -> tuple[str, ...]:
    """Return the open zones without an owner that a ranking of hands reads, in the order of the game.

    The ranking reads them as its cards, for wild cards or in ties.
    """
    roots: list[object] = []
    for part in collect_all_nodes(game):
        if isinstance(part, g.ReadRanking) and game.rankings[part.ranking].size != "groups":
            roots.append(part)
    for ranking in game.rankings.values() if roots else ():
        roots += [wild.condition for wild in ranking.wilds]
        roots += [line.value for line in ranking.ties]
    zones = {part.zone for part in walk_with_definitions(game, tuple(roots)) if isinstance(part, g.ZoneCards)}
    return tuple(
        zone.name
        for zone in game.zones.values()
        if zone.name in zones and zone.subject is None and zone.viewer == "everyone"
    )


class SharedCardTracker:
    """Contents of some zones, reconstructed from the events."""

    def __init__(self, zones: Sequence[str]) -> None:
        self.cards_by_ref: dict[str, list[str]] = {Refs.build_pile_ref(name, None): [] for name in zones}

    def copy(self) -> SharedCardTracker:
        other = SharedCardTracker(())
        other.cards_by_ref = {ref: cards.copy() for ref, cards in self.cards_by_ref.items()}
        return other

    def apply_move(self, event: EventView) -> None:
        """Apply a move of cards. If the source is unknown, it can be any of the zones."""
        for ref, cards in self.cards_by_ref.items():
            if event.source in (ref, ""):
                for code in event.cards:
                    if code in cards:
                        cards.remove(code)
            if event.to == ref:
                cards += event.cards

    def get_contents(self) -> dict[str, tuple[str, ...]]:
        """Return the codes of the cards in each zone that is not empty, by ref."""
        return {ref: tuple(cards) for ref, cards in self.cards_by_ref.items() if cards}
