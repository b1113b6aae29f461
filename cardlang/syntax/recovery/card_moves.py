"""Translation of moves of cards in plain English: which cards, how many, from where, and to where."""

from __future__ import annotations

import re

from cardlang.syntax.recovery.english_rule_patterns import RANKED, read_rows
from cardlang.syntax.recovery.guessed_names import HIGHEST, Blanks, GuessedNames

HAND = "hand"
MOVES = {verb: (*move.split(), "")[:3] for verb, move in read_rows("moves")}
PUTS = ("place", "move", "return", "deal", "give", "discard", "turn")
"""Verbs after which `in` and `on` name the destination."""
OWNED = r"(?:[a-z]+'s |your )?[a-z][\w-]*|(?:hand|cards) of [a-z]+|player with [a-z]+ [a-z]+"
MOVE_PATTERN = re.compile(
    rf"(?P<may>may )?(?P<verb>{'|'.join(MOVES)}) "
    r"(?P<all>all (?:of )?(?:your )?|your )?(?P<end>top |bottom )?"
    r"(?P<count>up to \d+|\d+(?: (?:to|or) \d+| or more)?)? ?"
    rf"(?P<random>random )?(?P<most>(?:{RANKED}) )?"
    r"(?P<what>(?!top\b|bottom\b|hands?\b)[a-z\d]+(?: (?:of )?[a-z\d]+)??)??(?P<cards> ?(?<![a-z])cards?)?"
    r"(?P<chance> at random)?"
    rf"(?: (?P<from>from|of|off|in|on|out of)(?: top of)? (?P<source>{OWNED}))?"
    rf"(?: (?P<under>under|(?:on|at|to) bottom of|to|into|onto|on|in|on top of|to top of) (?P<target>{OWNED}))?"
)
"""The parts of a move: an amount, a place in a pile, a value, the source and the destination."""


def find_place(blanks: Blanks, place: str) -> str:
    """Return the zone that a place in a sentence names. A player stands for their hand."""
    owned = re.fullmatch(r"(?P<owner>[a-z]+)'s (?P<zone>[\w-]+)|(?:hand|cards) of (?P<holder>[a-z]+)", place)
    hand = blanks.names.hand
    if place in (HAND, "your hand", "your cards"):
        return f"your {hand}"
    if owned:
        owner, zone = owned["owner"] or owned["holder"], owned["zone"] or HAND
        zone = hand if zone in (HAND, "cards") else blanks.names.find_zone(zone).removeprefix("your ")
        return f"{blanks.guess_player(owner)}'s {zone or blanks['area']}"
    try:
        blanks.said["place"] = place
        return blanks.guess_zone("place", "")
    except KeyError:
        return f"{blanks.guess_player(place)}'s {hand}"


def translate_move(names: GuessedNames, text: str) -> tuple[list[str], list[str]]:
    """Return the lines for a move of cards, and what they need at the left edge; no lines if it is none."""
    match = MOVE_PATTERN.fullmatch(text)
    if not match or not (match["cards"] or match["what"]) or re.search(r" your cards?\b", text):
        return [], []
    blanks = Blanks(names, {})
    what = match["what"] or ""
    condition = names.find_value_condition(what) if what not in ("", "card", "cards") else ""
    if what and not condition and what not in ("card", "cards"):
        return [], []
    verb, source, target = MOVES[match["verb"]]
    said, aim = match["source"], match["target"]
    if said and not aim and match["from"] in ("in", "on") and verb in PUTS:
        said, aim = None, said
    try:
        start = find_place(blanks, said or ("deck" if match["end"] else source))
        goal = find_place(blanks, aim or target) if aim or target else ""
    except KeyError:
        return [], []
    if (not goal and (verb != "reveal" or (match["all"] and not said))) or start == goal:
        return [], []
    lines = compose_move(blanks, match, (verb, start, goal), f" where {condition}" if condition else "")
    if "rival" in f"{start} {goal}" and lines:
        lines = ["you choose rival from your others", *(f"  {line}" for line in lines)]
    return lines, blanks.declared


def compose_move(blanks: Blanks, match: re.Match[str], move: tuple[str, str, str], where: str) -> list[str]:
    """Return the lines that move the cards, or let a player choose them first."""
    verb, start, goal = move
    names, count = blanks.names, re.sub(r" or (?=\d)", " to ", match["count"] or "1")
    some = f"({start}{where})" if where else start
    under = (match["under"] or "").endswith(("under", "bottom of"))
    is_hidden = start == names.home or (not start.startswith("your ") and start.endswith(f"'s {names.hand}"))
    cards = ""
    if match["most"]:
        cards = f"{'highest' if match['most'].strip() in HIGHEST else 'lowest'} of {some} by {names.value}"
    elif match["random"] or match["chance"] or (is_hidden and start != names.home and not match["all"]):
        cards = f"random {count} of {some}".replace(" 1 of", " of")
    elif match["end"] or (start == names.home and not where and not match["all"]):
        cards = f"{(match['end'] or 'top').strip()} {count} of {start}".replace(" 1 of", " of")
    elif match["all"] and not match["count"]:
        cards = f"{start}{where}"
    if (not cards and is_hidden) or (cards and not count.isdigit()):
        return []
    if verb == "reveal":
        to = "" if not match["target"] else f" to {goal.removesuffix(names.hand).removesuffix(chr(39) + 's ')}"
        return [f"reveal {cards}{to}"] if cards else [f"you choose shown from {start}{where}", f"  reveal shown{to}"]
    place = f"under {goal}" if under else f"to {goal}"
    if cards and match["may"]:
        return [f"you may {verb} {count} from {cards} {place}"]
    if cards:
        return [f"{verb} {cards} {place}"]
    may = match["may"] or ""
    if under:
        chosen = f"you {may}choose {count} chosen from {start}{where}".replace("choose 1 ", "choose ")
        return [chosen, f"  {verb} chosen {place}"]
    return [f"you {may}{verb} {count} from {start}{where} {place}"]
