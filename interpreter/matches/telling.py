"""Write log sentences for happenings.

Each kind of event has a function that returns a line for one observer, or nothing.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from fractions import Fraction
from typing import TYPE_CHECKING

from cardlang import game as g
from cardlang import words
from cardlang.words import capital, plain
from interpreter.matches.names import PREPOSITIONS, Names, counted, exact, listed, unscaled
from interpreter.state import ABSENT

if TYPE_CHECKING:
    from interpreter.matches.log import Happening

RECEIVING = ("draw", "take")
"""Verbs whose subject receives the cards."""
GIVING = ("discard", "play", "put", "place", "give", "pass", "move", "return")
"""Verbs whose subject had the cards."""
PLAIN = ("draw", "take", "deal", "play", "discard")
"""Verbs that imply the subject's own pile as the target."""
PASSIVE = {
    "move": "moved", "deal": "dealt", "draw": "drawn", "discard": "discarded", "play": "played", "put": "put",
    "place": "placed", "take": "taken", "return": "returned", "remove": "moved", "turn": "turned up",
    "give": "given", "pass": "passed",
    "shuffle": "shuffled",
}  # fmt: skip
PHRASAL = {"turn": "turn up", "remove": "move"}
INTO = ("put", "place")
SHUFFLED = "shuffle"
"""Replacement verb for cards put into a pile that is shuffled immediately."""
HALF = 2
"""A new deal gathers at least 1 / `HALF` of the cards of the game."""
HAND = "hand"
"""Name of the pile that goes without saying: a player's hand."""
FLAT = ("table", "board")
"""Piles that take `on` instead of `in`."""


def what(names: Names, cards: Sequence[int], seen: Sequence[int], onlooker: int) -> str:
    """Return cards as an observer can identify them: `[9G 7A]`, `3 cards`, `[9G] and 2 more cards`."""
    referee = onlooker > names.program.players
    known = [card for card, bits in zip(cards, seen, strict=True) if referee or bits >> onlooker & 1]
    rest = len(cards) - len(known)
    if not known:
        return counted(rest)
    return names.cards(known) if not rest else f"{names.cards(known)} and {rest} more card{'s' * (rest > 1)}"


def tell_moved(names: Names, each: Happening, onlooker: int) -> str:
    verb, cards, _, to, seen = each.data
    source = each.piles[0]
    things = what(names, cards, seen, onlooker)
    getter = names.seat_of(to)
    if verb == "deal" and getter is not None:
        where = "" if is_only(names) or is_hand(names, to) else f" {toward(names, verb, to, getter)}"
        return f"{names.players[getter]} is dealt {things}{where}."
    doer = doer_of(names, verb, source, to)
    if doer is None:
        if verb == SHUFFLED and len(cards) * HALF >= names.game.cards:
            return "The cards are gathered and shuffled."
        between = verb == "move" and source != ABSENT and names.seat_of(source) is not None
        if between and things[0] == "[" and is_same_pile(names, source, to):
            giver = names.players[names.seat_of(source) or 0]
            return f"{giver}'s {things} {words.agree('goes', len(cards) > 1)} {toward(names, verb, to)}."
        whence = f" from {names.pile(source)}" if between else ""
        if each.by is not None:
            done = f"{names.players[each.by]} {words.third(PHRASAL.get(verb, verb))} {things}"
        else:
            done = f"{capital(things)} {be(cards)} {PASSIVE[verb]}"
        return f"{done}{whence} {toward(names, verb, to, each.by)}."
    parts = [names.players[doer], words.third(verb), things]
    if source != ABSENT and names.seat_of(source) != doer:
        parts.append(f"from {names.pile(source)}")
    if getter not in (doer, None) and is_hand(names, to):
        parts.append(f"to {names.players[getter or 0]}")
    elif verb not in PLAIN or getter not in (doer, None):
        parts.append(toward(names, verb, to, doer))
    return " ".join(parts) + "."


def be(cards: Sequence[int]) -> str:
    return "is" if len(cards) == 1 else "are"


def doer_of(names: Names, verb: str, source: int, to: int) -> int | None:
    """Return the seat that moves the cards, inferred from the verb and the piles."""
    if verb in RECEIVING:
        return names.seat_of(to)
    if verb in ("move", SHUFFLED) and source != ABSENT and None not in (names.seat_of(source), names.seat_of(to)):
        return names.seat_of(to) if names.seat_of(source) == names.seat_of(to) else None
    return names.seat_of(source) if verb in GIVING and source != ABSENT else None


def is_same_pile(names: Names, pile: int, other: int) -> bool:
    """Return whether two piles of players belong to the same zone, as in a swap."""
    return names.program.zones[pile].zone.name == names.program.zones[other].zone.name


def is_only(names: Names) -> bool:
    """Return whether players have only one zone."""
    return sum(zone.subject == "player" for zone in names.game.zones.values()) == 1


def is_hand(names: Names, to: int) -> bool:
    """Return whether a pile is a hand, so cards go to the player: `Ann passes 3 cards to Bob.`"""
    zone = names.program.zones[to].zone
    return zone.subject == "player" and zone.noun.singular == HAND


def toward(names: Names, verb: str, to: int, doer: int | None = None) -> str:
    """Return the target of a move: `to Bob's hand`, `in their Achievements`, `on the table`, `as the Tall Card`."""
    pile, zone = names.pile(to), names.program.zones[to].zone
    if pile.split()[0] in PREPOSITIONS:
        return pile
    if doer is not None and names.seat_of(to) == doer:
        pile = f"their {plain(zone.noun.singular)}"
    if verb == "turn" and zone.single:
        return f"as {pile}"
    if verb in (*INTO, "turn") and pile.endswith(FLAT):
        return f"on {pile}"
    if verb in INTO and pile.endswith("cards"):
        return f"among {pile}"
    return f"{'into' if verb == SHUFFLED else 'in' if verb in INTO else 'to'} {pile}"


def tell_chose(names: Names, each: Happening, onlooker: int) -> str:
    return each.said[min(onlooker, len(each.said) - 1)] if each.said else ""


def tell_shuffled(names: Names, each: Happening, onlooker: int) -> str:
    (pile,) = each.data
    if pile == ABSENT:
        return "The order of play is random."
    return f"{capital(names.pile(pile))} is shuffled."


def tell_revealed(names: Names, each: Happening, onlooker: int) -> str:
    """Return the line for revealed cards.

    Players who see them get all cards, if any is new to one of them. Other observers get the number of cards that were
    not public, even if the receiver knew them. Otherwise they would learn about the receiver's knowledge.
    """
    cards, unknown, fresh, seen = each.data
    is_shown = onlooker > names.program.players or seen >> onlooker & 1
    if not is_shown and each.span in names.facts.shown_unseen:
        return ""
    told = []
    news = fresh if is_shown else unknown
    for pile in dict.fromkeys(each.piles):
        shown = [card for card, place in zip(cards, each.piles, strict=True) if place == pile]
        if not any(card in news for card in shown):
            continue
        if not is_shown:
            shown = [card for card in shown if card in news]
        things = what(names, shown, [seen] * len(shown), onlooker)
        seat = names.seat_of(pile)
        told.append(
            f"{names.players[seat]} shows {things}."
            if seat is not None
            else f"{capital(things)} {be(shown)} shown from {names.pile(pile)}."
        )
    return " ".join(told)


def tell_set(names: Names, each: Happening, onlooker: int) -> str:
    """Return the line for a lasting change.

    A track that resets itself is bookkeeping. It is reported only if the rule has text.
    """
    slot, old, new = each.data
    entry = names.program.tracks[slot]
    track = entry.track
    if old == new or track.subject == "card" or not may_know(names, track, entry.of, onlooker):
        return ""
    if track.name in names.facts.bookkeeping:
        return ""
    if track.restarts and (track.type.tag == "flag" or each.span not in names.facts.words):
        return ""
    owner = names.owner(track.subject, entry.of)
    if track.type.tag == "flag":
        return flag_told(track, owner, bool(new))
    return number_told(names, slot, owner, old, new)


def may_know(names: Names, track: g.Track, of: int | None, onlooker: int) -> bool:
    return not track.secret or onlooker > names.program.players or (track.subject == "player" and of == onlooker)


def flag_told(track: g.Track, owner: str | None, yes: bool) -> str:
    """Return the line for a flag: `Ann is altered.`, `Ann has not acted.`"""
    noun = plain(track.noun.singular)
    if owner is None:
        return f"“{capital(noun)}” is {'now' if yes else 'no longer'} in force."
    if noun.startswith("has "):
        return f"{owner} {noun if yes else words.negate(noun)}."
    return f"{owner} is {'' if yes else 'no longer '}{noun}."


def number_told(names: Names, slot: int, owner: str | None, old: int, new: int) -> str:
    """Return the line for a changed number or name.

    A counted noun gives `Ann is down from 100 to 95 credits.` Others give `Ty's score rises from 0 to 37 1/2.` or `Bob
    is the dealer now.`
    """
    entry = names.program.tracks[slot]
    type, noun = entry.track.type, entry.track.noun
    value, singular = names.of_track(slot, new), plain(noun.singular)
    before, after = (unscaled(raw, entry.scale, type) for raw in (old, new))
    whose = f"{owner}'s {singular}" if owner else f"the {singular}"
    if type.tag == "player" and not owner:
        return f"{capital(value)} is {whose} now."
    if type.tag != "number" or isinstance(before, str | None) or isinstance(after, str | None):
        now = " now" if before is not None else ""
        return f"{capital(whose)} {words.agree('is', words.is_plural(singular))}{now} {value}."
    if noun.counted:
        return counted_told(noun, owner, before, after)
    changes = words.agree("rises" if after > before else "falls", words.is_plural(singular))
    return f"{capital(whose)} {changes} from {exact(before)} to {value}."


def counted_told(noun: g.Noun, owner: str | None, before: int | Fraction, after: int | Fraction) -> str:
    """Return the line for a counted noun: `Ann gets 3 points and has 41.`, `Seven hints are left.`"""

    def of(count: int | Fraction, said: str) -> str:
        return f"{said} {plain(noun.singular if count == 1 else noun.plural)}"

    is_now = words.agree("is", after != 1)
    if owner and after > before:
        return f"{owner} gets {of(after - before, exact(after - before))} and has {exact(after)}."
    if owner:
        down = f"{owner} is down from {exact(before)} to {of(after, exact(after))}."
        return down if after else f"{owner} has {of(0, 'no')} left."
    said = of(after, words.figure(after) if after else "no")
    return f"There {is_now} now {said}." if after > before else f"{capital(said)} {is_now} left."


def tell_eliminated(names: Names, each: Happening, onlooker: int) -> str:
    return f"{names.players[each.data[0]]} is out."


def tell_step(names: Names, each: Happening, onlooker: int) -> str:
    """Return the line for a step that contains a decision and resets tracks, such as a round or a turn."""
    step, seat = each.data
    if step not in names.facts.headings:
        return ""
    name = plain(step)
    if seat != ABSENT:
        return f"{names.players[seat]}'s {name} begins."
    return f"{capital(name) if ' ' in name or name.endswith('ing') else f'The {name}'} begins."


def tell_silent(names: Names, each: Happening) -> str:
    """Return a line that only the trace has: for steps, announcements and all changes of values."""
    if each.kind in ("step", "began"):
        step, seat = each.data
        return f"{capital(plain(step))} begins{f' for {names.players[seat]}' if seat != ABSENT else ''}."
    if each.kind == "announced":
        return f"{names.players[each.data[1]]} announces {plain(each.data[0])}."
    if each.kind != "set" or each.data[1] == each.data[2]:
        return ""
    slot, old, new = each.data
    entry = names.program.tracks[slot]
    card = entry.track.subject == "card" and entry.of is not None
    owner = f"[{names.code(entry.of or 0)}]" if card else names.owner(entry.track.subject, entry.of)
    noun = plain(entry.track.noun.singular)
    whose = f"{owner}, {noun}" if owner else capital(noun)
    return f"{whose}: {names.of_track(slot, new)} (it was {names.of_track(slot, old)})."


def tell_cancelled(names: Names, each: Happening, onlooker: int) -> str:
    return f"The {plain(each.data[0])} cancels the action before it."


def tell_lapsed(names: Names, each: Happening, onlooker: int) -> str:
    """Return the line for a simultaneous choice or an announced action that is no longer possible."""
    return f"{names.players[each.data[1]]}'s {plain(each.data[0])} is no longer possible."


def tell_told(names: Names, each: Happening, onlooker: int) -> str:
    """Return the author's sentence, if the observer may know all its values."""
    entry, values, knowing = each.data
    if entry is None or not (onlooker > names.program.players or knowing >> onlooker & 1):
        return ""
    said = [names.told(e.type, value) for e, value in zip(entry.values, values, strict=True)]
    pieces = zip(entry.words, [*said, ""], strict=True)
    return capital("".join(part for pair in pieces for part in pair))


def tell_ended(names: Names, each: Happening, onlooker: int) -> str:
    winners = [names.players[seat] for seat in each.data]
    won = f"{listed(winners)} win{'s' * (len(winners) == 1)}" if winners else "No one wins"
    return f"The match is over. {won}."


def tell_allowed(names: Names, each: Happening, onlooker: int) -> str:
    return str(each.data[0])


TELLERS: dict[str, Callable[[Names, Happening, int], str]] = {
    "moved": tell_moved,
    "chose": tell_chose,
    "shuffled": tell_shuffled,
    "revealed": tell_revealed,
    "set": tell_set,
    "eliminated": tell_eliminated,
    "step": tell_step,
    "cancelled": tell_cancelled,
    "lapsed": tell_lapsed,
    "told": tell_told,
    "ended": tell_ended,
    "allowed": tell_allowed,
}
