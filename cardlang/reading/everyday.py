"""Moves of cards as players say them, `deal 6 cards to each player`, reworded into lines that do what they mean."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator

from attrs import frozen

from cardlang.reading.draft import Edit
from cardlang.reading.syntax import Finding, Line, shown, tried
from cardlang.source import Diagnostic
from cardlang.words import SMALL

ZONE = re.compile(r"^zone (your )?([\w-]+)(?![\w'-])([^\n]*)", re.MULTILINE)
DISCARDS = re.compile(r"discard|muck|waste|trash|used", re.IGNORECASE)
POINTS = re.compile(r"score|point", re.IGNORECASE)
DEFAULT_HAND = "hand"


@frozen
class Zones:
    """What a line of everyday speech leaves unsaid: the zones where cards start, that players hold, discard to and play
    to, and the number of their points."""

    home: str
    hand: str
    discards: str
    table: str
    points: str


def zones_of(text: str) -> Zones:
    """Guess the zones of a game from its declarations."""
    found = ZONE.findall(text)
    start = re.search(r"^cards [^\n]*? in ([\w-]+)", text, re.MULTILINE)
    home = start[1] if start else "deck"
    hands = [name for your, name, _ in found if your]
    piles = [name for your, name, rest in found if not your and name != home]
    discards = next(filter(DISCARDS.search, piles), piles[0] if piles else home)
    seen = [name for your, name, rest in found if not your and "seen by nobody" not in rest]
    others = [name for name in seen if name not in (home, discards)]
    hand = DEFAULT_HAND if DEFAULT_HAND in hands or not hands else hands[0]
    points = next(filter(POINTS.search, re.findall(r"^number your ([\w-]+)", text, re.MULTILINE)), "score")
    return Zones(home, hand, discards, others[0] if others else discards, points)


NUMBERS = {**{word: str(number) for number, word in enumerate(SMALL)}, "a": "1", "an": "1"}
N = rf"(?P<n>\d+|{'|'.join(NUMBERS)})"
CARDS = r"(?: cards?)?"
HIDDEN = r"(?: face[- ](?:up|down))?"
FROM = r"(?: (?:from|of|off) (?:the )?(?:top of (?:the )?)?(?P<source>[a-z][\w-]*))?"
EVERY = r"(?:each|every)(?: of the)?(?: player| person)?|every(?:one|body)"
EACH = rf"(?:{EVERY}|all(?: the)?(?: players)?|(?:the )?players(?!'))"
HANDS = r"(?:'s(?: (?P<hand>[\w-]+))?)?"
YOUR_HAND = r"(?: (?:from|of|in|out of)(?: (?:your|my|their|the))?(?: hand)?)?"
ON = r"(?: (?:to|on|onto|into|in) (?:the )?(?P<target>(?:your )?[a-z][\w-]*))?"


def top(count: str, source: str) -> str:
    return f"top of {source}" if count == "1" else f"top {count} of {source}"


def to_each(zones: Zones, said: re.Match[str]) -> list[str]:
    """So many cards for each player: a line for the players, and beneath it what each gets."""
    verb = {"draw": "draw", "take": "take"}.get(said["verb"].rstrip("s"), "deal")
    cards = top(count_of(said), source_of(zones, said))
    return ["each player", f"  {verb} {cards} to your {said.groupdict().get('hand') or zones.hand}"]


def all_to_each(zones: Zones, said: re.Match[str]) -> list[str]:
    return [f"deal {zones.home} to players' {zones.hand}"]


def whole(zones: Zones, said: re.Match[str]) -> list[str]:
    return [f"{said['verb']} {source_of(zones, said)} to {said['target']}"]


def drawn(zones: Zones, said: re.Match[str]) -> list[str]:
    """Cards taken from a pile that is not the player's: from the top of the deck, or by choice from any other."""
    source, target = source_of(zones, said), said.groupdict().get("target") or f"your {zones.hand}"
    if said["verb"] == "take" and source != zones.home:
        return [f"you take {count_of(said)} from {source} to {target}"]
    return [f"{said['verb']} {top(count_of(said), source)} to {target}"]


def played(zones: Zones, said: re.Match[str]) -> list[str]:
    """Cards of the player's own choice from their hand."""
    verb = {"lead": "play", "lay": "place"}.get(said["verb"], said["verb"])
    target = said["target"] or (zones.discards if verb == "discard" else zones.table)
    return [f"you {verb} {count_of(said)} from your {zones.hand} to {target}"]


def passed(zones: Zones, said: re.Match[str]) -> list[str]:
    verb, hand = said["verb"], zones.hand
    return [f"you {verb} {count_of(said)} from your {hand} to your {said['side']}'s {hand}"]


def scored(zones: Zones, said: re.Match[str]) -> list[str]:
    if said["verb"].startswith("lose"):
        return [f"subtract {count_of(said)} from your {zones.points}"]
    return [f"add {count_of(said)} to your {zones.points}"]


def uppermost(zones: Zones, said: re.Match[str]) -> list[str]:
    """The top card of a pile."""
    verb = {"flip": "turn", "pick": "take", "show": "reveal"}.get(said["verb"], said["verb"])
    to = {"turn": f" to {zones.table}", "reveal": ""}.get(verb, f" to your {zones.hand}")
    return [f"{verb} top of {source_of(zones, said)}{to}"]


def thrown_away(zones: Zones, said: re.Match[str]) -> list[str]:
    return [f"discard your {zones.hand} to {zones.discards}"]


def count_of(said: re.Match[str]) -> str:
    return NUMBERS.get(said["n"], said["n"])


def source_of(zones: Zones, said: re.Match[str]) -> str:
    return said["source"] or zones.home


WAYS: tuple[tuple[str, Callable[[Zones, re.Match[str]], list[str]]], ...] = (
    (rf"(?P<verb>deal|draw|give)(?: out)? {N}{CARDS}{HIDDEN}{FROM}{HIDDEN} (?:to|for|per) {EACH}{HANDS}", to_each),
    (rf"(?P<verb>deal|give)(?: out)? top {N}{CARDS}{FROM} to {EACH}{HANDS}", to_each),
    (rf"(?P<verb>deal|give)(?: out)? {N}{CARDS}{FROM} (?:each|per player|per person|apiece)", to_each),
    (rf"(?P<verb>deal) {N} cards?{FROM}", to_each),
    (rf"(?P<verb>deal|give) {EACH} {N} cards?{HIDDEN}{FROM}", to_each),
    (rf"{EACH} (?P<verb>draws?|takes?|gets?|receives?|is dealt|are dealt) {N} cards?{FROM}", to_each),
    (
        rf"deal (?:out )?(?:(?:all|all the|all of the|the) cards?|the (?:deck|pack))(?: (?:to|among) {EACH})?",
        all_to_each,
    ),
    (
        r"(?P<verb>move|put|place|take|return|discard) all(?: the| of the)? cards? (?:from|of|in|on) (?:the )?"
        r"(?P<source>(?:your )?[a-z][\w-]*) (?:to|into|onto|on) (?:the )?(?P<target>(?:your )?[a-z][\w-]*)",
        whole,
    ),
    (rf"(?:you )?(?P<verb>pass|give) {N} cards? to (?:the|your|their) (?P<side>left|right)", passed),
    (rf"(?:you )?(?P<verb>play|discard|lead|lay) {N}(?: cards?{YOUR_HAND}| from (?:your |the )?hand){ON}", played),
    (rf"(?:you )?(?P<verb>put|place) {N} cards? (?:from|of) (?:your |my |their |the )?hand{ON}", played),
    (rf"(?:you )?(?P<verb>draw|take) {N} cards?{FROM}{ON}", drawn),
    (rf"(?P<verb>deal|place|put|turn) {N} cards?{HIDDEN}{FROM}{ON.removesuffix('?')}", drawn),
    (rf"(?:you )?(?P<verb>draw|take|turn|flip|reveal|show|pick)(?: up| over)? (?:the )?top card{FROM}", uppermost),
    (r"discard (?:all(?: the| your)? cards|(?:your|the) hand)", thrown_away),
    (rf"(?:you )?(?P<verb>scores?|gains?|earns?|wins?|loses?) {N} points?", scored),
)
"""What players say, and what makes lines of it."""


def everyday(line: Line) -> Iterator[Finding]:
    """A whole statement as players say it."""
    if line.above is None or not line.tokens:
        return
    last = line.tokens[-2] if len(line.tokens) > 1 and line.tokens[-1].text[0] in '"“' else line.tokens[-1]
    start, end = line.tokens[0].start, last.end
    text, source = line.draft.text[start:end], line.draft.source.text
    for pattern, lines in WAYS:
        said = re.fullmatch(pattern, text)
        if said:
            meant = lines(zones_of(source), said)
            edit = Edit(start, end, f"\n{line.statement.margin}".join(meant))
            yield from tried(line, edit, Diagnostic("E114", message(meant, text), line.span(start, end)))
            return


def message(meant: list[str], text: str) -> str:
    head, *below = meant
    beneath = f", and beneath it, indented, `{below[0].strip()}`, not " if below else " here, not "
    return f"write `{head}`{beneath}{shown(text)}"
