"""Event lines for a screen: grouped, merged, in the second person.

Details of one action are nested below its line. Shuffling, dealing and gathering become one line.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import lru_cache
from itertools import takewhile, zip_longest
from typing import Literal

from attrs import evolve

from cardlang.diagnostics import Source
from cardlang.english import morphology
from interpreter.narration.event_sentences import DEAL_DIVISOR, SHUFFLE_VERB
from interpreter.narration.events import EventView, ValueChange
from interpreter.view.card_piles import PileLayout
from interpreter.view.table_model import EventLine, RecentResult

LineKind = Literal["chose", "moved", "shown", "step", "result", "told", "kept"]
LINE_KINDS: dict[str, LineKind] = {
    "chose": "chose", "moved": "moved", "revealed": "shown", "step": "step", "set": "kept", "told": "told",
    "eliminated": "result", "ended": "result", "shuffled": "moved", "cancelled": "chose", "lapsed": "told",
}  # fmt: skip

PASS_WORDS = ("pass", "passes", "pass.", "passes.")
"""Forms of passing, which is never merged with another action."""
NUMBER_PATTERN = re.compile(r"\d+")
PICK_LINE = re.compile(r".* chooses \[([^\]]+)\]\.")
NUMBER_CHOICE_LINE = re.compile(r"^\S+ chooses? .* of (\d+)\.$")
CARD_BRACKETS = re.compile(r"\[[^\]]+\]")
CARD_COUNT = re.compile(r"(\d+) cards\b")
DEALT_LINE = "The cards are dealt."
SWEEP_VERBS = ("move", "put", "remove")


def build_event_lines(
    events: Iterable[EventView], viewer: str | None, own_source: Source, piles: PileLayout
) -> tuple[EventLine, ...]:
    """Return the lines for these events, grouped.

    `own_source`: source of the game without its libraries. Taken tricks are left out, because a `RecentResult` shows
    them.
    """
    groups: list[list[EventView]] = []
    done = -1
    for event in drop_reported_events(drop_single_picks(events)):
        moved = event.kind == "moved"
        if not event.text or (
            moved
            and (
                piles.is_trick_pile(event.source)
                or is_sweep(event, done, piles)
                or is_burn(event)
                or is_pile_pickup(event, piles)
            )
        ):
            continue
        done = event.at if moved and event.who is not None else done
        if groups and any(joins(groups[-1], event) for joins in MERGE_RULES):
            groups[-1].append(event)
        else:
            groups.append([event])
    lines: list[EventLine] = []
    dealt, anew = -1, False
    leading = 0
    for group, after in zip_longest(groups, groups[1:]):
        if after is not None and is_amount_named(group, after[0]):
            continue
        line = build_event_line(group, viewer, own_source)
        anew = anew or any(is_full_gathering(event, piles) or event.kind == "ended" for event in group)
        if anew and leading:
            lines[-leading] = evolve(lines[-leading], anew=True)
            leading, anew = 0, False
        if is_only_gathering(group) or (line.text == DEALT_LINE and not line.more and dealt == group[0].at):
            continue
        dealt = group[0].at if is_housekeeping(group[0]) and any(member.name == "deal" for member in group) else dealt
        lines.append(evolve(line, anew=True) if anew else line)
        leading = 0 if anew or not is_deal_introduction(group, piles) else leading + 1
        anew = False
    return tuple(lines)


def build_log_lines(events: Sequence[EventView]) -> list[str]:
    """Return the full log as lines. An action is left out if a sentence of the rules reports all of it."""
    return [event.text for event in drop_reported_events(events) if event.text]


def is_deal_introduction(group: Sequence[EventView], piles: PileLayout) -> bool:
    """Return whether a group can introduce the next deal: its dealer, its number, or its beginning."""
    return all(
        event.kind == "step" or (event.change is not None and is_common_value(event.change, piles)) for event in group
    )


def is_common_value(change: ValueChange, piles: PileLayout) -> bool:
    """Return whether the changed value has no owner and is not a score."""
    return change.owner is None and change.name != piles.score


def drop_single_picks(events: Iterable[EventView]) -> list[EventView]:
    """Return the events without single picks of cards that a later move or sentence reports together."""
    remaining: list[EventView] = []
    moving: dict[str | None, set[str]] = {}
    for event in reversed(list(events)):
        if event.kind == "moved":
            moving[event.who] = {*event.cards}
        elif event.kind == "told":
            moving[event.who] = find_named_cards(event.text)
        picked = PICK_LINE.fullmatch(event.text) if event.kind == "chose" else None
        if picked is None or not moving.get(event.who, set()).issuperset(picked[1].split()):
            remaining.append(event)
    return remaining[::-1]


def drop_reported_events(events: Sequence[EventView]) -> list[EventView]:
    """Return the events without actions that an adjacent sentence of the rules reports.

    The sentence names their cards: `Ann gives [2c] to Bob for [3c].` Cancellations that it reports are left out as
    well.
    """
    reported: set[int] = set()
    for position, event in enumerate(events):
        if event.kind != "told" or not event.text:
            continue
        before = find_reported_positions(events, position, range(position - 1, -1, -1))
        behind = find_reported_positions(events, position, range(position + 1, len(events)))
        then = events[position + 1 : position + 1 + max(len(behind), 1)]  # the next event, even without a line
        is_full = is_full_report(event, [events[at] for at in before], then)
        reported.update(behind, (at for at in before if is_full or events[at].kind != "moved"))
    return [event for position, event in enumerate(events) if position not in reported]


def find_reported_positions(events: Sequence[EventView], index: int, places: Iterable[int]) -> list[int]:
    """Return the leading positions whose events have no line or are reported by the sentence at `index`."""
    return [*takewhile(lambda at: not events[at].text or is_reported_by(events[at], events[index]), places)]


def is_full_report(sentence: EventView, earlier_events: Sequence[EventView], later_events: Sequence[EventView]) -> bool:
    """Return whether a sentence reports the actions before it.

    All cards it names were moved, and not only by the events after it. `Ann pegs 3 for a run: [As 2c 3c].` does not
    report that she played the first of them.
    """
    named, then = find_named_cards(sentence.text), find_moved_cards(later_events, sentence)
    return named <= then | find_moved_cards(earlier_events, sentence) and not named <= then


def find_moved_cards(events: Iterable[EventView], sentence: EventView) -> set[str]:
    """Return the cards that these events move in the choice that the sentence belongs to."""
    return {code for event in events if event.kind == "moved" and event.at == sentence.at for code in event.cards}


def is_reported_by(event: EventView, sentence: EventView) -> bool:
    if event.at != sentence.at or event.who not in (sentence.who, None):
        return False
    if event.kind == "cancelled":
        return True
    if event.kind == "moved":
        return bool(event.cards) and not event.hidden and find_named_cards(sentence.text).issuperset(event.cards)
    cards, others = find_named_cards(event.text), find_named_cards(sentence.text)
    opens = event.kind == "chose" and sentence.text.startswith(f"{event.who} ")
    return opens and bool(others) and (bool(cards) or event.text.endswith(" with a card.")) and cards <= others


def find_named_cards(text: str) -> set[str]:
    """Return the codes of the cards in a sentence."""
    return {code for cards in CARD_BRACKETS.findall(text) for code in cards[1:-1].split()}


def merge_player_lines(lines: Iterable[EventLine], viewer: str | None) -> Iterator[EventLine]:
    """Yield the lines, merging consecutive actions of a player into one sentence: `Bob folds and discards 2 cards.`"""
    before: EventLine | None = None
    all_lines = [*lines]
    for at, line in enumerate(all_lines):
        who = "You" if line.who == viewer else line.who
        if any(is_extended_by(line, after) for after in all_lines[at + 1 : at + 2]) or is_reported_later(
            all_lines[at:], who
        ):
            continue
        if before is not None and before.kind == "told" and is_reported_before(line, before):
            before = evolve(before, at=line.at)
            continue
        if before is not None and is_pass_after_action(line, before, who):
            before = evolve(before, at=line.at)
            continue
        if (
            before is not None
            and before.who == line.who
            and is_short_action(before, who)
            and is_short_action(line, who)
        ):
            first, then = (short_line.text.removeprefix(f"{who} ") for short_line in (before, line))
            if len({first.split()[0], then.split()[0], *PASS_WORDS}) > len(PASS_WORDS) + 1:
                then = CARD_COUNT.sub(r"\1", then, 1) if CARD_COUNT.search(first) else then
                before = evolve(line, text=f"{who} {first[:-1]} and {then}", rule=before.rule or line.rule)
                continue
        if before is not None and not is_repeat_of_action(line, before, who):
            yield before
        before = line
    if before is not None:
        yield before


def is_pass_after_action(line: EventLine, action: EventLine, player: str | None) -> bool:
    """Return whether a line only says that a player takes no further action after an action.

    Such a line reports no change. It stays if it concerns discards, because then the other players learn something.
    """
    done = action.kind in ("chose", "moved") and action.who == line.who and line.kind == "chose" and not line.more
    nothing = (f"{player} passes.", f"{player} pass.", f"{player} puts no cards.", f"{player} put no cards.")
    return done and line.text in nothing and action.text != line.text


def is_repeat_of_action(line: EventLine, action: EventLine, player: str | None) -> bool:
    """Return whether a sentence of the rules repeats the action before it, with the same player and cards or number."""
    about = line.kind == "told" and action.kind in ("chose", "moved") and line.who == action.who and not action.more
    if not about or not line.text.startswith(f"{player} "):
        return False
    cards = CARD_BRACKETS.findall(action.text) or NUMBER_CHOICE_LINE.findall(action.text)
    return bool(cards) and all(card in line.text for card in cards)


def is_extended_by(action: EventLine, line: EventLine) -> bool:
    """Return whether the next sentence of the rules begins with an action: `Ann claims.` and `Ann claims the 7.`

    An action with cards is merged with the line before it instead.
    """
    about = line.kind == "told" and action.kind in ("chose", "moved") and (line.at, line.who) == (action.at, action.who)
    return (
        about
        and not (action.more or CARD_BRACKETS.search(action.text))
        and line.text.startswith(f"{action.text[:-1]} ")
    )


def is_reported_later(lines: Sequence[EventLine], player: str | None) -> bool:
    """Return whether a line only names an action that the player's next lines report in full.

    An example is `Ann draws.` before `Ann discards 2 cards.` and `Ann draws 2 cards.`
    """
    action, *rest = lines
    own_lines = takewhile(lambda line: line.who == action.who and is_short_action(line, player), rest)
    return is_short_action(action, player) and any(line.text.startswith(f"{action.text[:-1]} ") for line in own_lines)


def is_reported_before(action: EventLine, line: EventLine) -> bool:
    """Return whether the sentence of the rules before an action already reports it: `As a bribe, Ann draws a card.`"""
    return action.kind in ("chose", "moved") and not action.more and action.text.lower() in line.text.lower()


def is_short_action(line: EventLine, player: str | None) -> bool:
    """Return whether a line is one short sentence about an action of a player."""
    alone = not line.more and line.kind in ("chose", "moved") and line.text.startswith(f"{player} ")
    return alone and not any(sign in line.text[:-1] for sign in (" and ", ",", ".", "“"))


def is_housekeeping(event: EventView) -> bool:
    """Return whether cards are shuffled, dealt or gathered without a player's choice. An upcard is news."""
    moved = event.kind == "moved" and event.name != "turn"
    return event.kind == "shuffled" or (moved and (event.who is None or event.name == "deal"))


def is_sweep(event: EventView, last_player_move: int, piles: PileLayout) -> bool:
    """Return whether a rule only moves open cards between piles without an owner.

    `last_player_move`: the last choice in which a player moved cards. The event has to belong to it.
    """
    common = all(piles.is_public_pile(ref) and piles.get_pile_owner(ref) is None for ref in (event.source, event.to))
    return (
        common and event.name in SWEEP_VERBS and event.who is None and event.at == last_player_move and not event.hidden
    )


def is_burn(event: EventView) -> bool:
    """Return whether a rule discards hidden cards, such as burn cards."""
    return event.who is None and event.name == "discard" and not event.cards and event.hidden > 0


def is_pile_pickup(event: EventView, piles: PileLayout) -> bool:
    """Return whether a player takes up a pile of their own into their hand, by a rule."""
    return (
        event.span in piles.pile_pickups
        and piles.get_pile_owner(event.source) == piles.get_pile_owner(event.to) == event.who
    )


def is_full_gathering(event: EventView, piles: PileLayout) -> bool:
    """Return whether cards from several places are gathered for another deal."""
    cards = len(event.cards) + event.hidden
    return event.kind == "moved" and not event.source and cards * DEAL_DIVISOR >= piles.game.cards


def is_same_housekeeping(group: Sequence[EventView], event: EventView) -> bool:
    return is_housekeeping(group[0]) and is_housekeeping(event) and group[0].at == event.at


def is_only_gathering(group: Sequence[EventView]) -> bool:
    """Return whether cards are only gathered and shuffled, which is not news."""
    is_gathering = is_housekeeping(group[0]) and any(
        event.kind == "shuffled" or event.name == SHUFFLE_VERB for event in group
    )
    return is_gathering and all(event.name != "deal" for event in group)


def is_value_change_by_choice(group: Sequence[EventView], event: EventView) -> bool:
    """Return whether an event changes a player's value through the choice that begins the group."""
    first = group[0]
    return first.kind == "chose" and event.kind == "set" and (first.at, first.who) == (event.at, event.who)


def is_payment_named(event: EventView, text: str) -> bool:
    """Return whether a sentence names the amount by which a number falls: `Ann raises by 5.`"""
    return str(-get_increase(event)) in NUMBER_PATTERN.findall(text)


def get_increase(event: EventView) -> int:
    """Return the increase of a number; 0 if it is not a whole number."""
    change = event.change
    if change is None or type(change.before) is not int or type(change.after) is not int:
        return 0
    return change.after - change.before


def is_amount_named(group: Sequence[EventView], event: EventView) -> bool:
    """Return whether a sentence names the amounts by which players' numbers changed.

    Examples are `Ann wins 12.` and `Ann posts the small blind of 1, Bob the big blind of 2.`
    """
    if event.kind != "told":
        return False
    words, numerals = re.findall(r"\w+", event.text), NUMBER_PATTERN.findall(event.text)
    return all(
        change_event.change is not None
        and change_event.at == event.at
        and (change_event.who == event.who or change_event.change.owner in words)
        and str(abs(get_increase(change_event))) in numerals
        for change_event in group
    )


def is_same_change(group: Sequence[EventView], event: EventView) -> bool:
    """Return whether an event changes the number that the group changes, for another player."""
    one, other = group[0].change, event.change
    return one is not None and other is not None and one.name == other.name and group[0].at == event.at


MERGE_RULES: tuple[Callable[[Sequence[EventView], EventView], bool], ...] = (
    is_same_housekeeping,
    is_value_change_by_choice,
    is_same_change,
)


def build_event_line(group: Sequence[EventView], viewer: str | None, own_source: Source) -> EventLine:
    first = find_headline_event(group, viewer)
    text, more = (
        first.text,
        tuple(member.text for member in group if member is not first and not is_payment_named(member, first.text)),
    )
    if first.change is not None:
        text, more = " ".join(event.text for event in group), ()
    elif is_housekeeping(first) and any(event.name == "deal" for event in group):
        text = first.text if first.name == "deal" and first.cards else DEALT_LINE
        more = tuple(event.text for event in group if event.name == "deal" and event.cards and event is not first)
    return EventLine(
        text, first.who, LINE_KINDS.get(first.kind, "told"), find_rule_line(first, own_source), more, group[-1].at
    )


def find_headline_event(group: Sequence[EventView], viewer: str | None) -> EventView:
    """Return the first event to report in a group: the cards dealt to the viewer, if any."""
    ref = f"/{viewer}" if viewer is not None else "\n"
    return next((event for event in group if event.name == "deal" and event.to.endswith(ref)), group[0])


def find_rule_line(event: EventView, own_source: Source) -> int:
    return event.span.line if event.span is not None and event.span.source is own_source else 0


NON_VERBS = ("as", "his", "its", "this", "thus", "less", "plus", "minus", "always", "perhaps")
SENTENCE_START = re.compile(r"(?:^|(?<=[.!?] ))(?=\S)")
CLAUSE_START = re.compile(r"(?:[,;:]|\b(?:[Aa]s|[Ii]f|[Ww]hen|then|that|because)) $")
"""Beginning of a clause, in which a following name is the subject and the next word its verb.

Elsewhere, the name can be an object and the next word something the player is given.
"""
SECOND_VERB = re.compile(
    r"\b(and (?:so |then |also )?)([a-z]+s)\b(?P<object> (?:an?|the|all|no|what|who|it|one|their|your|\d+|\[))?"
)
"""A second verb after `and`. Its object distinguishes it from a noun (`aces and sixes`)."""
MAX_CACHED_REWRITERS = 64


class SecondPersonRewriter:
    """Rewriter of sentences about one player, for that player to read."""

    def __init__(self, name: str | None) -> None:
        own_name = re.escape(name) if name is not None else r"(?!)"
        self.name = re.compile(rf"(?<!\w){own_name}('s)?(?!\w)(?: (?P<verb>[a-z]+)(?!\w))?")

    def rewrite_line(self, line: EventLine) -> EventLine:
        text, more = self.rewrite_text(line.text), tuple(map(self.rewrite_text, line.more))
        return line if (text, more) == (line.text, line.more) else evolve(line, text=text, more=more)

    def rewrite_result(self, result: RecentResult) -> RecentResult:
        """Rewrite the headline and lines of a result. The rows of its table keep all names."""
        return evolve(
            result, headline=self.rewrite_text(result.headline), lines=tuple(map(self.rewrite_text, result.lines))
        )

    def rewrite_text(self, text: str) -> str:
        """Turn `Ann passes 3 cards to their hand.` into `You pass 3 cards to your hand.`"""
        return (
            "".join(self.rewrite_sentence(sentence) for sentence in SENTENCE_START.split(text))
            if self.name.search(text)
            else text
        )

    def rewrite_sentence(self, text: str) -> str:
        first = self.name.match(text)
        if first is not None and not first[1]:
            text = SECOND_VERB.sub(conjugate_second_verb, text.replace(" their ", " your "))
        return self.name.sub(lambda match: replace_name(match, text), text)


def replace_name(match: re.Match[str], text: str) -> str:
    begins, clause = match.start() == 0, CLAUSE_START.search(text, 0, match.start())
    you, verb = "your" if match[1] else "you", match["verb"]
    if begins:
        you = you.capitalize()
    if verb is None:
        return you
    return f"{you} {conjugate_second_person(verb) if (begins or clause) and not match[1] else verb}"


def conjugate_second_person(verb: str) -> str:
    """Return a verb in the second person: `pass` for `passes`, `are` for `is`. Leave other words unchanged."""
    if verb in NON_VERBS or not verb.endswith("s") or verb.endswith("ss"):
        return verb
    return morphology.agree_verb(verb, True)


def conjugate_second_verb(match: re.Match[str]) -> str:
    """Return a second verb after `and` in the second person: `You fold and discard 2 cards.`"""
    verb = conjugate_second_person(match[2])
    is_verb = verb == "have" or verb in morphology.OPTION_VERB_PREPOSITIONS or match["object"]
    return f"{match[1]}{verb}{match['object'] or ''}" if is_verb else match[0]


@lru_cache(maxsize=MAX_CACHED_REWRITERS)
def get_second_person_rewriter(name: str | None) -> SecondPersonRewriter:
    """Return the rewriter for a player. For None, a spectator, it changes nothing."""
    return SecondPersonRewriter(name)
