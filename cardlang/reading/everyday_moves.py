"""Patterns of everyday moves, such as `deal 6 cards to each player`, and the lines with their meaning."""

from __future__ import annotations

import re
from collections.abc import Callable

from cardlang.reading.everyday_names import EACH, N, Names, count_of, top

Way = tuple[str, Callable[[Names, re.Match[str]], list[str]]]
CARDS = r"(?: cards?)?"
HIDDEN = r"(?: face[- ](?:up|down))?"
FROM = r"(?: (?:from|of|off) (?:the )?(?:top of (?:the )?)?(?P<source>[a-z][\w-]*))?"
AS_YOU_LIKE = r"(?: as you (?:like|want|wish|please))?"
NEIGHBOUR = (
    r"(?:another player|an opponent|(?:the player (?:on|to) (?:your|the) |your )(?P<side>left|right)(?: neighbour)?)"
)
THE_ONE = r"(?:the player (?:on|to) )?"
ANOTHER = r"(?:another|any other|an?) (?:player|opponent)"
UNDERNEATH = r"(?:(?:at|on|to|under) the bottom(?: of)?|under)(?: (?:the )?(?P<source>[a-z][\w-]*))?"
INTO_DECK = r"(?:back )?(?:into|in) (?:it|the (?:deck|pack|draw pile|stock)|[a-z][\w-]*)"
USED = r"(?:the )?(?!all |deck)(?:used cards|[a-z][\w-]*)"
WHEN_EMPTY = r"(?:if|when|whenever) (?:the )?[a-z][\w-]* (?:is|becomes|runs|gets) (?:empty|out)"
HANDS = r"(?:'s(?: (?P<hand>[\w-]+))?)?"
YOUR_HAND = r"(?: (?:from|of|in|out of)(?: (?:your|my|their|the))?(?: hand)?)?"
ON = r"(?: (?:to|on|onto|into|in) (?:the )?(?P<target>(?:your )?[a-z][\w-]*))?"


def to_each(names: Names, said: re.Match[str]) -> list[str]:
    """Return the lines of a deal to each player."""
    verb = {"draw": "draw", "take": "take"}.get(said["verb"].rstrip("s"), "deal")
    cards = top(count_of(said), source_of(names, said))
    return ["each player", f"  {verb} {cards} to your {said.groupdict().get('hand') or names.hand}"]


def all_to_each(names: Names, said: re.Match[str]) -> list[str]:
    return [f"deal {names.home} to players' {names.hand}"]


def whole(names: Names, said: re.Match[str]) -> list[str]:
    verb = said["verb"] if said["verb"] not in ("clear", "empty") else "move"
    target = f"your {names.hand}" if verb == "take" else names.discards
    return [f"{verb} {said['source'] or names.table} to {said['target'] or target}"]


def taken(names: Names, said: re.Match[str]) -> list[str]:
    """Return a line that takes a whole pile."""
    known = said["source"] in (names.discards, names.table)
    return [f"take {said['source']} to your {names.hand}"] if known else []


def top_moved(names: Names, said: re.Match[str]) -> list[str]:
    return [f"{said['verb']} top of {source_of(names, said)} to {said['target'] or names.table}"]


def drawn_one(names: Names, said: re.Match[str]) -> list[str]:
    return [f"draw top of {names.home} to your {names.hand}"]


def drawn(names: Names, said: re.Match[str]) -> list[str]:
    """Return a line that takes cards from a shared pile: from the top of the deck, or by choice from another pile."""
    source, target = source_of(names, said), said.groupdict().get("target") or f"your {names.hand}"
    if said["verb"] == "take" and source != names.home:
        return [f"you take {count_of(said)} from {source} to {target}"]
    return [f"{said['verb']} {top(count_of(said), source)} to {target}"]


def played(names: Names, said: re.Match[str]) -> list[str]:
    """Return a line that plays cards of the player's choice from their hand."""
    verb = {"lead": "play", "lay": "place"}.get(said["verb"], said["verb"])
    target = said["target"] or (names.discards if verb in ("discard", "remove") else names.table)
    return [f"you {verb} {count_of(said)} from your {names.hand} to {target}"]


def passed(names: Names, said: re.Match[str]) -> list[str]:
    verb, hand = said["verb"], names.hand
    return [f"you {verb} {count_of(said)} from your {hand} to your {said['side']}'s {hand}"]


def uppermost(names: Names, said: re.Match[str]) -> list[str]:
    """Return a line about the top card of a pile."""
    verb = {"flip": "turn", "pick": "take", "show": "reveal"}.get(said["verb"], said["verb"])
    to = {"turn": f" to {names.table}", "reveal": ""}.get(verb, f" to your {names.hand}")
    return [f"{verb} top of {source_of(names, said)}{to}"]


def thrown_away(names: Names, said: re.Match[str]) -> list[str]:
    return [f"discard your {names.hand} to {names.discards}"]


def at_random(names: Names, said: re.Match[str]) -> list[str]:
    return [f"discard random {count_of(said)} of your {names.hand} to {names.discards}"]


def some(names: Names, said: re.Match[str]) -> list[str]:
    """Return a line that plays any number of cards from the player's hand."""
    groups = said.groupdict()
    number = f"{groups.get('range') or ''}{count_of(said)}" if groups.get("n") else "any number"
    target = said["target"] or (names.discards if said["verb"] == "discard" else names.table)
    return [f"you {said['may'] or ''}{said['verb']} {number} from your {names.hand} to {target}"]


def filled(names: Names, said: re.Match[str]) -> list[str]:
    hand = f"your {names.hand}"
    return [f"draw top ({count_of(said)} - count of {hand}) of {names.home} to {hand}"]


def robbed(names: Names, said: re.Match[str]) -> list[str]:
    number = count_of(said)
    random = "random" if number == "1" else f"random {number}"
    return ["you choose rival from your others", f"  take {random} of rival's {names.hand} to your {names.hand}"]


def swapped(names: Names, said: re.Match[str]) -> list[str]:
    """Return the lines of a swap. Both hands are remembered first, or the second move would return the first hand."""
    rival, hand = (f"your {said['side']}" if said["side"] else "rival"), names.hand
    lines = [
        f"remember your {hand} as mine",
        f"remember {rival}'s {hand} as theirs",
        f"move mine to {rival}'s {hand}",
        f"move theirs to your {hand}",
    ]
    return lines if said["side"] else ["you choose rival from your others", *(f"  {line}" for line in lines)]


def looked_at(names: Names, said: re.Match[str]) -> list[str]:
    return [f"reveal {top(count_of(said) if said['n'] else '1', source_of(names, said))} to you"]


def shown_hand(names: Names, said: re.Match[str]) -> list[str]:
    return [f"reveal your {names.hand}" + (f" to your {said['side']}" if said["side"] else "")]


def put_under(names: Names, said: re.Match[str]) -> list[str]:
    return [f"you choose returned from your {names.hand}", f"  place returned under {source_of(names, said)}"]


def put_on_top(names: Names, said: re.Match[str]) -> list[str]:
    return [f"you place 1 from your {names.hand} to {source_of(names, said)}"]


def shuffled(names: Names, said: re.Match[str]) -> list[str]:
    return [f"shuffle {names.home}"]


def reshuffled(names: Names, said: re.Match[str]) -> list[str]:
    return [f"move {names.discards} to {names.home}", f"shuffle {names.home}"]


def reshuffled_when_empty(names: Names, said: re.Match[str]) -> list[str]:
    return [f"if {names.home} is empty", *(f"  {line}" for line in reshuffled(names, said))]


def source_of(names: Names, said: re.Match[str]) -> str:
    return said["source"] or names.home


MOVES: tuple[Way, ...] = (
    (rf"(?P<verb>deal|draw|give)(?: out)? {N}{CARDS}{HIDDEN}{FROM}{HIDDEN} (?:to|for|per) {EACH}{HANDS}", to_each),
    (rf"(?P<verb>deal|give)(?: out)? top {N}{CARDS}{FROM} to {EACH}{HANDS}", to_each),
    (rf"(?P<verb>deal|give)(?: out)? {N}{CARDS}{FROM} (?:each|per player|per person|apiece)", to_each),
    (rf"(?P<verb>deal) {N} cards?{FROM}", to_each),
    (rf"(?P<verb>deal|give) {EACH} {N} cards?{HIDDEN}{FROM}", to_each),
    (rf"{EACH} (?P<verb>draws?|takes?|gets?|receives?|is dealt|are dealt) (?:a hand of )?{N} cards?{FROM}", to_each),
    (
        rf"deal (?:out )?(?:(?:all|all the|all of the|the) cards?|(?:the )?(?:deck|pack))(?: (?:to|among) {EACH})?",
        all_to_each,
    ),
    (
        r"(?P<verb>move|put|place|take|return|discard) all(?: the| of the)? cards?(?: (?:from|of|in|on) (?:the )?"
        r"(?P<source>(?:your )?[a-z][\w-]*))?(?: (?:to|into|onto|on) (?:the )?(?P<target>(?:your )?[a-z][\w-]*))?",
        whole,
    ),
    (r"(?P<verb>clear|empty) (?:the )?(?P<source>[a-z][\w-]*)(?P<target>)", whole),
    (r"(?:you )?(?:take|pick up) (?:all(?: of)? )?(?P<source>[a-z][\w-]*)", taken),
    (r"(?:you )?(?:add|put|take) (?:it|(?:the|a|one) card) (?:in)?to your hand", drawn_one),
    (
        rf"(?:you )?(?P<verb>pass|give) {N} cards? to {THE_ONE}(?:the|your|their) (?P<side>left|right)",
        passed,
    ),
    (
        rf"(?:you )?(?P<verb>play|discard|lead|lay|remove) {N}(?: cards?{YOUR_HAND}| from (?:your |the )?hand){ON}",
        played,
    ),
    (rf"(?:you )?(?P<verb>put|place) {N} cards? (?:from|of) (?:your |my |their |the )?hand{ON}", played),
    (rf"(?:you )?(?P<verb>put|place) (?P<n>an?|one|1) card{ON}", played),
    (rf"(?:you )?(?P<verb>draw|take) {N} cards?{FROM}{ON}", drawn),
    (rf"(?P<verb>deal|place|put|turn) {N} cards?{HIDDEN}{FROM}{ON.removesuffix('?')}", drawn),
    (
        rf"(?:you )?(?P<verb>draw|take|turn|flip|reveal|show|pick)(?: up| over)? (?:the )?top card{FROM}{HIDDEN}",
        uppermost,
    ),
    (rf"(?:you )?(?P<verb>put|place|move|turn|discard) (?:the )?top card{FROM}{ON}", top_moved),
    (r"discard (?:all(?: the| your)? cards|(?:your|the)(?: (?:whole|entire))? hand)", thrown_away),
    (rf"(?:you )?discard {N} random cards?{YOUR_HAND}", at_random),
    (rf"(?:you )?discard {N} cards? at random", at_random),
    (rf"(?:you )?(?P<may>may )?(?P<verb>play|discard) (?P<range>up to )?{N} cards?{YOUR_HAND}{ON}", some),
    (
        rf"(?:you )?(?P<may>may )?(?P<verb>play|discard) (?:as many|any number of) cards{AS_YOU_LIKE}{YOUR_HAND}{ON}",
        some,
    ),
    (rf"(?:you )?(?:draw|refill your hand|fill (?:up )?your hand)(?: back)?(?: up)? to {N} cards?", filled),
    (rf"(?:you )?draw(?: cards)? until (?:you have|you hold|your hand has) {N} cards?(?: in (?:your )?hand)?", filled),
    (
        rf"(?:you )?(?:take|steal|draw) {N}(?: random)? cards? from {ANOTHER}{HANDS}",
        robbed,
    ),
    (rf"(?:you )?swap (?:your )?hands with {NEIGHBOUR}", swapped),
    (rf"(?:you )?(?:look|peek) at (?:the )?top(?: card| {N}(?: cards)?)?{FROM}", looked_at),
    (
        rf"(?:you )?(?:show|reveal) (?:your|their) hand(?: to (?:the other players|everyone|all|{NEIGHBOUR}))?",
        shown_hand,
    ),
    (
        rf"(?:you )?(?:put|place|return) (?:an?|one|1|the|your) card{YOUR_HAND} {UNDERNEATH}",
        put_under,
    ),
    (rf"(?:you )?(?:put|place|return) (?:an?|one|1|the|your) card{YOUR_HAND} on (?:the )?top{FROM}", put_on_top),
    (r"(?:re)?shuffle(?: (?:all(?: the| of the)?|the)(?: cards?| deck| pack))?", shuffled),
    (rf"(?:re)?shuffle {USED} {INTO_DECK}", reshuffled),
    (
        rf"{WHEN_EMPTY},? (?:re)?shuffle {USED}(?: {INTO_DECK})?",
        reshuffled_when_empty,
    ),
)
