"""Sentences for events.

Each kind of event has a function that returns a line for one observer, or nothing.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from fractions import Fraction
from typing import TYPE_CHECKING

from cardlang import model as g
from cardlang.english import morphology
from cardlang.english.morphology import capitalize_first_letter, replace_hyphens
from interpreter.narration import event_phrases as p
from interpreter.narration.author_text import build_author_line, build_foreign_phrases
from interpreter.narration.display_names import PREPOSITIONS, MatchNames, add_second_owner, to_exact_number
from interpreter.runtime.state import ABSENT
from interpreter.runtime.value_formatting import format_number

if TYPE_CHECKING:
    from interpreter.narration.events import RecordedEvent


RECEIVING_VERBS = ("draw", "take")
"""Verbs whose subject receives the cards."""
GIVING_VERBS = ("discard", "play", "put", "place", "give", "pass", "move", "return")
"""Verbs whose subject had the cards."""
DEFAULT_TARGET_VERBS = ("draw", "take", "deal", "play", "discard")
"""Verbs that imply the subject's own pile as the target."""
PAST_PARTICIPLES = {
    "move": "moved", "deal": "dealt", "draw": "drawn", "discard": "discarded", "play": "played", "put": "put",
    "place": "placed", "take": "taken", "return": "returned", "remove": "moved", "turn": "turned up",
    "give": "given", "pass": "passed",
    "shuffle": "shuffled",
}  # fmt: skip
PHRASAL_VERBS = {"turn": "turn up", "remove": "move"}
INTO_VERBS = ("put", "place")
SHUFFLE_VERB = "shuffle"
"""Replacement verb for cards put into a pile that is shuffled immediately."""
DEAL_DIVISOR = 2
"""A new deal gathers at least 1 / `DEAL_DIVISOR` of the cards of the game."""
HAND_NOUN = "hand"
"""Name of the pile that sentences omit: a player's hand."""
FLAT_PILES = ("table", "board")
"""Piles with the preposition `on` instead of `in`."""


def describe_cards(names: MatchNames, cards: Sequence[int], knowers: Sequence[int], observer: int) -> p.Cards:
    """Return cards as an observer can identify them: `[9G 7A]`, `3 cards`, `[9G] and 2 more cards`."""
    codes = get_known_codes(names, cards, knowers, observer)
    return p.Cards.create(codes, len(cards) - len(codes))


def sort_hand(names: MatchNames, cards: Sequence[int], knowers: Sequence[int]) -> tuple[list[int], list[int]]:
    """Return cards of a hand with their knowers, in the order in which tables show a hand."""
    key, faces = names.facts.suits.build_hand_sort_key, names.program.face
    both = sorted(zip(cards, knowers, strict=True), key=lambda pair: key(faces[pair[0]]))
    return [card for card, _ in both], [bits for _, bits in both]


def get_known_codes(names: MatchNames, cards: Sequence[int], knowers: Sequence[int], observer: int) -> tuple[str, ...]:
    codes, referee = names.codes, observer > names.program.players
    both = zip(cards, knowers, strict=True)
    return tuple([codes[card] for card, bits in both if referee or bits >> observer & 1])


def write_move_line(names: MatchNames, event: RecordedEvent, observer: int) -> p.Line:
    """Return the line for moved cards, with the card that they now lie on or under if the observer can locate it."""
    line = write_move_between_piles(names, event, observer)
    if event.neighbour is None or event.data[0] == SHUFFLE_VERB:
        return line
    card, above, seats = event.neighbour
    codes = get_known_codes(names, (card,), (seats,), observer)
    return p.Line((*line[:-1], ", ", "on " if above else "under ", p.Cards.create(codes), ".")) if codes else line


def write_move_between_piles(names: MatchNames, event: RecordedEvent, observer: int) -> p.Line:
    verb, cards, _, to, seen = event.data
    source = event.piles[0]
    shown, knowers = sort_hand(names, cards, seen) if is_hand_pile(names, to) else (cards, seen)
    things = describe_cards(names, shown, knowers, observer)
    getter = names.get_pile_seat(to)
    if verb == "deal" and getter is not None:
        is_only_zone = sum(zone.subject == "player" for zone in names.game.zones.values()) == 1
        implied = is_only_zone or is_hand_pile(names, to)
        return write_player_sentence(
            names, getter, "is dealt", things, () if implied else describe_move_target(names, verb, to, getter)
        )
    doer = find_moving_seat(names, verb, source, to)
    if doer is None:
        return write_passive_move_line(names, event, things)
    whence = ("from ", *names.pile_phrases[source]) if source != ABSENT and names.get_pile_seat(source) != doer else ()
    where: tuple[str, ...] = ()
    if getter not in (doer, None) and is_hand_pile(names, to):
        where = ("to ", p.make_name(names.players[getter or 0]))
    elif verb not in DEFAULT_TARGET_VERBS or getter not in (doer, None) or names.program.zones[to].second is not None:
        where = describe_move_target(names, verb, to, doer)
    return write_player_sentence(names, doer, morphology.conjugate_third_person(verb), things, whence, where)


def write_passive_move_line(names: MatchNames, event: RecordedEvent, things: p.Cards) -> p.Line:
    """Return the line for a move that no owner of the piles makes."""
    verb, cards, _, to, _ = event.data
    source, mover = event.piles[0], event.choosing_seat
    if verb == SHUFFLE_VERB and len(cards) * DEAL_DIVISOR >= names.game.cards:
        return p.write_sentence("the cards are gathered and shuffled")
    giver = names.get_pile_seat(source) if verb == "move" and source != ABSENT else None
    zones = names.program.zones
    if giver is not None and things.codes and zones[source].zone.name == zones[to].zone.name:  # a swap
        goes = morphology.agree_verb("goes", len(cards) > 1)
        owner = p.make_possessive_name(names.players[giver])
        return p.write_sentence(owner, things, goes, describe_move_target(names, verb, to))
    whence = ("from ", *names.pile_phrases[source]) if giver is not None else ()
    target = describe_move_target(names, verb, to, mover)
    if mover is not None:
        predicate = morphology.conjugate_third_person(PHRASAL_VERBS.get(verb, verb))
        return write_player_sentence(names, mover, predicate, things, whence, target)
    return p.write_sentence(things, conjugate_be(len(cards)), PAST_PARTICIPLES[verb], whence, target)


def write_player_sentence(names: MatchNames, seat: int, verb: str, *objects: str | Sequence[str]) -> p.Line:
    """Return a sentence about a player. `verb`: in the third person."""
    name = names.players[seat]
    return p.write_sentence(p.make_name(name), p.make_verb(verb, name), *objects)


def conjugate_be(count: int) -> str:
    return "is" if count == 1 else "are"


def find_moving_seat(names: MatchNames, verb: str, source: int, to: int) -> int | None:
    """Return the seat that moves the cards, inferred from the verb and the piles."""
    if verb in RECEIVING_VERBS:
        return names.get_pile_seat(to)
    if (
        verb in ("move", SHUFFLE_VERB)
        and source != ABSENT
        and None not in (names.get_pile_seat(source), names.get_pile_seat(to))
    ):
        return names.get_pile_seat(to) if names.get_pile_seat(source) == names.get_pile_seat(to) else None
    return names.get_pile_seat(source) if verb in GIVING_VERBS and source != ABSENT else None


def is_hand_pile(names: MatchNames, to: int) -> bool:
    """Return whether a pile is a hand, so cards go to the player: `Ann passes 3 cards to Bob.`"""
    zone = names.program.zones[to].zone
    return zone.subject == "player" and zone.noun.singular == HAND_NOUN


def describe_move_target(names: MatchNames, verb: str, to: int, moving_seat: int | None = None) -> tuple[str, ...]:
    """Return the target of a move: `to Bob's hand`, `in their Achievements`, `on the table`, `as the Tall Card`."""
    zone, pile = names.program.zones[to].zone, names.pile_phrases[to]
    noun = names.get_slot_noun(names.program.zones[to])
    if zone.subject is None and noun.split()[0] in PREPOSITIONS:
        return pile
    if moving_seat is not None and names.get_pile_seat(to) == moving_seat:
        pile = (p.make_pronoun(names.players[moving_seat]), f" {noun}")
    if verb == "turn" and zone.single:
        return ("as ", *pile)
    singular = replace_hyphens(zone.noun.singular)
    if verb in (*INTO_VERBS, "turn") and singular.endswith(FLAT_PILES):
        return ("on ", *pile)
    if verb in INTO_VERBS and singular.endswith("cards"):
        return ("among ", *pile)
    return ("into " if verb == SHUFFLE_VERB else "in " if verb in INTO_VERBS else "to ", *pile)


def write_choice_line(names: MatchNames, event: RecordedEvent, observer: int) -> p.Line:
    return event.wordings[min(observer, len(event.wordings) - 1)] if event.wordings else p.NO_LINE


def write_shuffle_line(names: MatchNames, event: RecordedEvent, observer: int) -> p.Line:
    (pile,) = event.data
    if pile == ABSENT:
        return p.write_sentence("the order of play is random")
    return p.write_sentence(names.pile_phrases[pile], "is shuffled")


def write_reveal_line(names: MatchNames, event: RecordedEvent, observer: int) -> p.Line:
    """Return the line for revealed cards.

    Players who see them get all cards, if any is new to one of them. Other observers get the number of cards that were
    not public, even if the receiver knew them. Otherwise they would learn about the receiver's knowledge.
    """
    cards, unknown, fresh, seen = event.data
    is_shown = observer > names.program.players or seen >> observer & 1
    if not is_shown and event.span in names.facts.hidden_reveals:
        return p.NO_LINE
    sentences = []
    news = fresh if is_shown else unknown
    for pile in dict.fromkeys(event.piles):
        shown = [card for card, source_pile in zip(cards, event.piles, strict=True) if source_pile == pile]
        if not any(card in news for card in shown):
            continue
        if not is_shown:
            shown = [card for card in shown if card in news]
        things = describe_cards(names, *sort_hand(names, shown, [seen] * len(shown)), observer)
        seat = names.get_pile_seat(pile)
        sentences.append(
            write_player_sentence(names, seat, "shows", things)
            if seat is not None
            else p.write_sentence(things, conjugate_be(len(shown)), "shown", ("from ", *names.pile_phrases[pile]))
        )
    return p.join_lines(sentences)


def write_change_line(names: MatchNames, event: RecordedEvent, observer: int) -> p.Line:
    """Return the line for a lasting change.

    A track that resets itself is bookkeeping. It is reported only if the rule has text.
    """
    slot, old, new = event.data
    entry = names.program.tracks[slot]
    track = entry.track
    if old == new or track.subject == "card" or not can_know_track(names, track, entry.of, observer):
        return p.NO_LINE
    if track.name in names.facts.hidden_tracks:
        return p.NO_LINE
    if track.restarts and (track.type.tag == "flag" or event.span not in names.facts.statement_docs):
        return p.NO_LINE
    if track.type.tag == "flag":
        owner = names.build_owner_name_phrase(track.subject, entry.of)
        return write_flag_line(names.get_slot_noun(entry), owner, bool(new))
    return write_number_line(names, slot, old, new)


def can_know_track(names: MatchNames, track: g.Track, owner: int | None, observer: int) -> bool:
    return not track.secret or observer > names.program.players or (track.subject == "player" and owner == observer)


def write_flag_line(noun: str, owner: str, yes: bool) -> p.Line:
    """Return the line for a flag: `Ann is altered.`, `Ann has not acted.`"""
    if not owner:
        return p.write_sentence(f"“{capitalize_first_letter(noun)}” is {'now' if yes else 'no longer'} in force")
    predicate = f"is {noun}" if yes else f"is no longer {noun}"
    if noun.startswith("has "):
        predicate = noun if yes else morphology.negate_sentence(noun)
    return p.write_sentence(owner, p.make_verb(predicate, get_player(owner)))


def get_player(owner: str) -> str | None:
    """Return the player that an owner is; None for another owner."""
    return owner.who if isinstance(owner, p.Name) else None


def write_number_line(names: MatchNames, slot: int, old: int, new: int) -> p.Line:
    """Return the line for a changed number or name.

    A counted noun gives `Ann is down from 100 to 95 credits.` Others give `Ty's score rises from 0 to 37 1/2.` or `Bob
    is the dealer now.`
    """
    entry = names.program.tracks[slot]
    track, type, noun = entry.track, entry.track.type, entry.track.noun
    before, after = (to_exact_number(raw, entry.scale, type) for raw in (old, new))
    singular = names.get_slot_noun(entry)
    whose = names.get_possessive(track.subject, entry.of) or "the"
    is_player = type.tag == "player" and after is not None
    value = p.make_name(names.players[new]) if is_player else names.format_value(type, after)
    if type.tag == "player" and track.subject is None:
        return p.write_sentence(value, p.make_verb("is", get_player(value)), f"the {singular} now")
    if type.tag != "number" or isinstance(before, str | None) or isinstance(after, str | None):
        verb = morphology.agree_verb("is", morphology.is_plural(replace_hyphens(noun.singular)))
        return p.write_sentence(whose, singular, verb, "now" if before is not None else "", value)
    if noun.counted:
        second = names.describe_second_owner(entry)
        counted = g.Noun(add_second_owner(noun.singular, second), add_second_owner(noun.plural, second))
        return write_count_line(counted, names.build_owner_name_phrase(track.subject, entry.of), before, after)
    is_plural = morphology.is_plural(replace_hyphens(noun.singular))
    changes = morphology.agree_verb("rises" if after > before else "falls", is_plural)
    return p.write_sentence(whose, singular, changes, f"from {format_number(before)} to {value}")


def write_count_line(noun: g.Noun, owner: str, before: int | Fraction, after: int | Fraction) -> p.Line:
    """Return the line for a counted noun: `Ann gets 3 points and has 41.`, `Seven hints are left.`"""

    def format_counted_noun(count: int | Fraction, amount: str) -> str:
        return f"{amount} {replace_hyphens(noun.singular if count == 1 else noun.plural)}"

    if not owner:
        is_now = conjugate_be(1 if after == 1 else 2)
        amount = format_counted_noun(after, morphology.format_number(after) if after else "no")
        words = ("there", is_now, "now", amount) if after > before else (amount, is_now, "left")
        return p.write_sentence(*words)
    player = get_player(owner)
    has = p.make_verb("has", player)
    if after > before:
        gain = format_counted_noun(after - before, format_number(after - before))
        return p.write_sentence(owner, p.make_verb("gets", player), gain, "and", has, format_number(after))
    if not after:
        return p.write_sentence(owner, has, format_counted_noun(0, "no"), "left")
    left = format_counted_noun(after, format_number(after))
    return p.write_sentence(owner, p.make_verb("is", player), f"down from {format_number(before)} to {left}")


def write_step_line(names: MatchNames, event: RecordedEvent, observer: int) -> p.Line:
    """Return the line for a step that contains a decision and resets tracks, such as a round or a turn."""
    step, seat = event.data
    if step not in names.facts.heading_steps:
        return p.NO_LINE
    name = replace_hyphens(step)
    if seat != ABSENT:
        return p.write_sentence(p.make_possessive_name(names.players[seat]), name, "begins")
    return p.write_sentence("" if " " in name or name.endswith("ing") else "the", name, "begins")


def write_trace_line(names: MatchNames, event: RecordedEvent) -> p.Line:
    """Return a line that only the trace has: for steps, announcements and all changes of values."""
    if event.kind in ("step", "began"):
        step, seat = event.data
        return p.write_sentence(
            replace_hyphens(step), "begins", ("for ", names.players[seat]) if seat != ABSENT else ""
        )
    if event.kind == "announced":
        return write_player_sentence(names, event.data[1], "announces", replace_hyphens(event.data[0]))
    if event.kind != "set" or event.data[1] == event.data[2]:
        return p.NO_LINE
    slot, old, new = event.data
    entry = names.program.tracks[slot]
    card = entry.track.subject == "card" and entry.of is not None
    owner = f"[{names.get_card_code(entry.of or 0)}]" if card else names.get_owner_name(entry.track.subject, entry.of)
    noun = names.get_slot_noun(entry)
    change = f"{names.format_track(slot, new)} (it was {names.format_track(slot, old)})"
    return p.write_sentence((owner, f", {noun}: {change}") if owner else f"{noun}: {change}")


def write_cancellation_line(names: MatchNames, event: RecordedEvent, observer: int) -> p.Line:
    return p.write_sentence("the", replace_hyphens(event.data[0]), "cancels the action before it")


def write_lapse_line(names: MatchNames, event: RecordedEvent, observer: int) -> p.Line:
    """Return the line for a simultaneous choice or an announced action that is no longer possible."""
    whose = p.make_possessive_name(names.players[event.data[1]])
    return p.write_sentence(whose, replace_hyphens(event.data[0]), "is no longer possible")


def write_author_line(names: MatchNames, event: RecordedEvent, observer: int) -> p.Line:
    """Return the author's sentence, if the observer may know all its values."""
    entry, values, knowing = event.data
    if entry is None or not (observer > names.program.players or knowing >> observer & 1):
        return p.NO_LINE
    phrases = [names.build_value_phrases(e.type, value) for e, value in zip(entry.values, values, strict=True)]
    if names.game.translation is not None:
        return p.Line(build_foreign_phrases(entry.words, phrases))
    return build_author_line(entry.words, phrases)


def write_end_line(names: MatchNames, event: RecordedEvent, observer: int) -> p.Line:
    winners = [names.players[seat] for seat in event.data]
    return p.join_lines([p.write_sentence("the match is over"), write_winners(winners, names.players)])


def write_winners(winners: Sequence[str], players: Sequence[str], match: str = "") -> p.Line:
    """Return the sentence about the winners of a match. A player without opponents can only win or lose."""
    if winners:
        wins = "win" if len(winners) > 1 else p.make_verb("wins", winners[0])
        return p.write_sentence(p.join_phrases([*map(p.make_name, winners)]), wins, match)
    if len(players) == 1:
        return p.write_sentence(p.make_name(players[0]), p.make_verb("loses", players[0]))
    return p.write_sentence("no one wins")


LINE_WRITERS: dict[str, Callable[[MatchNames, RecordedEvent, int], p.Line]] = {
    "moved": write_move_line,
    "chose": write_choice_line,
    "shuffled": write_shuffle_line,
    "revealed": write_reveal_line,
    "set": write_change_line,
    "eliminated": lambda names, event, _: write_player_sentence(names, event.data[0], "is", "out"),
    "step": write_step_line,
    "cancelled": write_cancellation_line,
    "lapsed": write_lapse_line,
    "told": write_author_line,
    "ended": write_end_line,
    "allowed": lambda names, event, _: event.data[0],
}
