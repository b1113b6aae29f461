"""Patterns of everyday rules on points, turns and endings, such as `player with most coins wins`, with their lines."""

from __future__ import annotations

import re

from cardlang.reading.everyday_moves import Way
from cardlang.reading.everyday_names import EACH, N, Names, count_of

THING = r"(?P<thing>[a-z][a-z-]*)"
BANK = r"(?: (?:from|to) (?:the )?(?:bank|supply|pool|stock|box))?"
GAINS = r"(?:gains?|gets?|takes?|earns?|receives?|collects?|scores?|wins?)"
LOSES = r"(?:loses?|pays?|spends?)"
WINS = r"(?: (?:at|in) the end)?(?: wins(?: the game)?)?"
NEIGHBOUR = r"(?:the player (?:on|to) )?(?:your|the|their) (?P<side>left|right)(?: neighbour)?"
RANGE = r"(?P<range>\d+ to [\w-]+)"
WITH_MOST = r"(?:the winner is )?(?:the )?(?:player |one |person )?(?:(?:with|who has|whoever has) )?(?:the )?"
NEXT = r"(?:(?:to|on to) (?:the )?(?:left|next player|player on the left)|clockwise|left)"


# ---------------------------------------------------------------- numbers
def gained(names: Names, said: re.Match[str]) -> list[str]:
    number = names.number(said["thing"])
    return [f"add {count_of(said)} to your {number}"] if number else []


def lost(names: Names, said: re.Match[str]) -> list[str]:
    number = names.number(said["thing"])
    return [f"subtract {count_of(said)} from your {number}"] if number else []


def all_gain(names: Names, said: re.Match[str]) -> list[str]:
    return ["each player", *(f"  {line}" for line in gained(names, said))] if names.number(said["thing"]) else []


def all_lose(names: Names, said: re.Match[str]) -> list[str]:
    return ["each player", *(f"  {line}" for line in lost(names, said))] if names.number(said["thing"]) else []


def stolen(names: Names, said: re.Match[str]) -> list[str]:
    number, count = names.number(said["thing"]), count_of(said)
    if not number:
        return []
    below = [f"  subtract {count} from rival's {number}", f"  add {count} to your {number}"]
    return ["you choose rival from your others", *below]


def stolen_from_neighbour(names: Names, said: re.Match[str]) -> list[str]:
    number, count = names.number(said["thing"]), count_of(said)
    lines = [f"subtract {count} from your {said['side']}'s {number}", f"add {count} to your {number}"]
    return lines if number else []


def for_each_card(names: Names, said: re.Match[str]) -> list[str]:
    zone = said["zone"] or f"your {names.hand}"
    each = "" if count_of(said) == "1" else f"{count_of(said)} * "
    return [f"add {each}count of {zone} to your {names.points}"]


# ---------------------------------------------------------------- players and turns
def highest_card(names: Names, said: re.Match[str]) -> list[str]:
    return [f"remember (highest of {names.table} by {names.value})'s owner as winner"]


def moved_on(names: Names, said: re.Match[str]) -> list[str]:
    name = "dealer" if said["who"] == "deal" else said["who"]
    return [f"set {name} to {name}'s left"] if name in names.people else []


def chosen_at_random(names: Names, said: re.Match[str]) -> list[str]:
    return [f"set {said['who']} to random of players"] if said["who"] in names.people else []


def game_over(names: Names, said: re.Match[str]) -> list[str]:
    return ["finish game"]


def step_over(names: Names, said: re.Match[str]) -> list[str]:
    return [f"finish {names.step}"]


def eliminated(names: Names, said: re.Match[str]) -> list[str]:
    return ["eliminate you"]


def out_of_cards(names: Names, said: re.Match[str]) -> list[str]:
    return [f"if your {names.hand} is empty", "  finish game"]


def choose_player(names: Names, said: re.Match[str]) -> list[str]:
    return ["you choose rival from your others"]


def choose_card(names: Names, said: re.Match[str]) -> list[str]:
    return [f"you choose chosen from your {names.hand}"]


def choose_value(names: Names, said: re.Match[str]) -> list[str]:
    kind = next((kind for kind in names.kinds if kind.lower() == said["kind"]), None)
    return [f"you choose {said['kind']} from {kind}"] if kind else []


def choose_number(names: Names, said: re.Match[str]) -> list[str]:
    return [f"you choose {said['name']} from {said['range']}"]


RULES: tuple[Way, ...] = (
    (rf"(?:you )?{GAINS} {N} {THING}{BANK}", gained),
    (rf"(?:you )?{LOSES} {N} {THING}{BANK}", lost),
    (rf"{EACH} (?:{GAINS}|(?:starts?|begins?) with) {N} {THING}{BANK}", all_gain),
    (rf"give {EACH} {N} {THING}{BANK}", all_gain),
    (rf"{EACH} {LOSES} {N} {THING}{BANK}", all_lose),
    (rf"(?:you )?(?:steal|take) {N} {THING} from (?:another|any other|an?) (?:player|opponent)", stolen),
    (rf"(?:you )?(?:steal|take) {N} {THING} from {NEIGHBOUR}", stolen_from_neighbour),
    (
        rf"(?:you )?(?:score|gain|get) {N} points? (?:for each|for every|per) card"
        r"(?: (?:in|on) (?:the )?(?P<zone>(?:your )?[a-z][\w-]*))?",
        for_each_card,
    ),
    (
        r"(?:the )?(?:(?:player )?(?:with|who played) the )?highest card (?:wins|takes)(?: the (?:trick|round|cards))?",
        highest_card,
    ),
    (rf"(?:the )?(?P<who>[a-z][\w-]*) (?:moves|passes|goes|rotates|shifts) {NEXT}", moved_on),
    (rf"(?:pass|move) the (?P<who>[a-z][\w-]*) {NEXT}", moved_on),
    (r"(?:choose|pick|select) a random (?P<who>[a-z][\w-]*)", chosen_at_random),
    (r"(?:randomly )?(?:choose|pick|select) (?:a|the) (?P<who>[a-z][\w-]*) (?:at random|randomly)", chosen_at_random),
    (r"(?:end|stop|finish) the game|(?:the )?game (?:is )?(?:over|ends)", game_over),
    (r"you (?:are|get) (?:out|eliminated)|you lose(?: the game)?|eliminate (?:the|this|that) player", eliminated),
    (r"(?:the|your|this) (?:turn|round|trick|hand) (?:ends|is over)", step_over),
    (r"(?:end|stop|finish) (?:the|your|this) (?:turn|round|step|trick|hand)", step_over),
    (r"if you have no (?:more )?cards(?: left)?,? (?:then )?(?:you win|the game ends)(?: the game)?", out_of_cards),
    (r"(?:you )?(?:choose|pick|select) (?:a|an|another|1|one)(?: other)? (?:player|opponent)", choose_player),
    (r"(?:you )?(?:choose|pick|select) (?:a|1|one) card(?: (?:from|in) your hand)?", choose_card),
    (r"(?:you )?(?:choose|pick|select|name) an? (?P<kind>[a-z][a-z-]*)", choose_value),
    (rf"(?:you )?(?:bid|bet|guess|pick|select|name) (?P<name>[a-z][\w-]*) from {RANGE}", choose_number),
    (rf"(?:you )?(?P<name>bid|bet|guess) (?:from )?{RANGE}(?: [a-z]+)?", choose_number),
)
"""Patterns of everyday statements in a step."""


# ---------------------------------------------------------------- at the left edge
def most_wins(names: Names, said: re.Match[str]) -> list[str]:
    number = names.number(said["thing"])
    return [f"define your score as {number}"] if number and not names.has_score else []


def fewest_wins(names: Names, said: re.Match[str]) -> list[str]:
    number = names.number(said["thing"])
    return ["order standing of player", f"  lower {number}"] if number else []


def leaders(names: Names, said: re.Match[str]) -> list[str]:
    number = names.number(said["thing"])
    name = "winners" if said["name"] == "winner" else said["name"]
    order = "highest" if said["most"] in ("most", "highest") else "lowest"
    return [f"define {name} as all {order} of players by {number}"] if number else []


def goal(names: Names, said: re.Match[str]) -> list[str]:
    number = names.number(said["thing"] or "points")
    return [f"whenever any player has {number} >= {count_of(said)}", "  finish game"] if number else []


def own_zone(names: Names, said: re.Match[str]) -> list[str]:
    return [f"zone your {said['zone']}{' seen by owner' if said['zone'] == 'hand' else ''}"]


def own_number(names: Names, said: re.Match[str]) -> list[str]:
    return [f"number your {said['thing']} starts at {count_of(said)}"]


def ends_when(names: Names, said: re.Match[str]) -> list[str]:
    return [f"whenever {said['condition']}", "  finish game"]


def size(names: Names, said: re.Match[str]) -> list[str]:
    return [f"define {said['name']}-size as {count_of(said)}"]


def pack(names: Names, said: re.Match[str]) -> list[str]:
    return [] if names.has_cards else ["use pack"]


GOAL = rf"{N}(?: (?P<thing>[a-z][a-z-]*))?"
ITEMS: tuple[Way, ...] = (
    (rf"{WITH_MOST}(?:most|highest|biggest|greatest) {THING}{WINS}", most_wins),
    (rf"{WITH_MOST}(?:fewest|least|lowest|smallest) {THING}{WINS}", fewest_wins),
    (
        r"define (?P<name>[\w-]+) as (?:the )?players? (?:with|who (?:has|have)) (?:the )?"
        rf"(?P<most>most|highest|fewest|lowest) {THING}",
        leaders,
    ),
    (
        rf"(?:the )?first (?:player )?(?:to|with|who has|who reaches) (?:reach |get |have |score )?{GOAL} wins",
        goal,
    ),
    (rf"(?:you )?(?:play|race) to {GOAL}", goal),
    (rf"you win (?:if|when) you (?:have|reach|get) {GOAL}", goal),
    (rf"the game ends (?:if|when|as soon as) (?:a|any|one) player (?:has|reaches|gets) {GOAL}", goal),
    (rf"{EACH} (?:has|have|gets?) (?:an?|their own|his own|her own) (?P<zone>[a-z][a-z-]*)", own_zone),
    (rf"{EACH} (?:(?:starts?|begins?) with|has|have) {N} {THING}", own_number),
    (r"the game ends (?:if|when|as soon as) (?:the )?(?P<condition>.+)", ends_when),
    (rf"(?P<name>hand|deck) (?:size|limit):?(?: is)? {N}", size),
    (r"(?:use )?(?:a |the )?standard (?:deck|pack)(?: of (?:52 )?(?:playing )?cards)?", pack),
    (
        r"(?:use )?(?:a |the )?(?:deck|pack):? (?:of )?(?:52 )?(?:playing )?cards|52 cards",
        pack,
    ),
)
"""Patterns of everyday declarations."""

ADVICE = (
    (
        rf"(?:you )?(?:roll|throw) (?:the |{N} )?(?:die|dice)",
        "cardlang has no dice, but can draw a random value",
        "declare `ordered kind Die: 1 to 6` at the left edge, and write `remember random of Die as roll` here",
    ),
    (
        r"(?:you )?(?:flip|toss) (?:a|the) coin",
        "cardlang has no coin flip, but can draw a random value",
        "declare `kind Coin: Heads, Tails` at the left edge, and write `remember random of Coin as flip` here",
    ),
    (
        r"(?:you )?(?:take|get|have) (?:another|an extra|an additional|a second) turn|(?:go|play) again",
        "an extra turn needs a loop around the turn",
        "declare `flag your again`, set it here, and put the turn below `repeat until not your again`",
    ),
    (
        r"(?:you )?(?:pass|do nothing)|(?:you )?(?:may|can) pass",
        "passing is part of a choice",
        "write the choice with `you may …`, so that the player can pass it",
    ),
    (
        r"(?:(?:start|begin|go(?: on)? to|pass the turn to) )?(?:(?:the|a) )?(?:next|new) "
        r"(?:round|turn|trick|hand|player)(?: (?:starts|begins))?",
        "`repeat` and `each player` start the next round or turn by themselves",
        "delete this line, and put what is repeated below `repeat until …`",
    ),
    (
        r"(?:add up|count|total)(?: up)? (?:the|your|all(?: the)?) (?:points|scores?|cards)",
        "a score that adds itself up is a definition",
        "at the left edge, write a line such as `define your score as total of your won's value`",
    ),
    (
        r"(?:number of )?players:? \d.*|(?:for )?\d+ ?(?:to|-|–) ?\d+ players",
        "the player count belongs in the first line",
        'write it there: `game "TITLE" for 2 to 4 players`',
    ),
    (
        r"(?:the )?players take turns(?: clockwise)?|(?:play|turns?) (?:is|goes|go|proceeds) clockwise",
        "`each player` goes clockwise by itself",
        "delete this line, and write `each player from …` in a step",
    ),
    (
        rf"(?:the )?(?:game ends|game is over|play|end the game) (?:after|for) {N} rounds?",
        "rounds are counted by a number",
        r"declare `number round`, repeat with `repeat until round = \g<n>`, and write `add 1 to round` below it",
    ),
    (
        rf"(?:you )?(?:play|place|put) {N} cards? face[- ]down",
        "a zone says who sees its cards",
        "declare `zone face-down seen by nobody`, and write `you play 1 from your hand to face-down`",
    ),
    (
        r"(?P<move>(?:you (?:may )?)?(?:move|deal|draw|discard|play|put|place|take|turn) .+ to (?:the )?"
        r"(?P<zone>(?:your )?[a-z][\w-]*)) face[- ]down",
        "a zone says who sees its cards",
        r"remove `face down`, and write `seen by nobody` in the declaration of `\g<zone>`",
    ),
    (
        rf"(?:(?:you|{EACH}) )?(?:{GAINS}|{LOSES}|(?:starts?|begins?) with) {N} (?P<thing>[a-z][a-z-]*){BANK}",
        r"this game has no `\g<thing>`",
        r"declare `number your \g<thing>` at the left edge, and write `add` or `subtract` lines such as "
        r"`add 1 to your \g<thing>`",
    ),
    (
        rf"{WITH_MOST}(?:most|highest|best) (?:score|points){WINS}",
        "the player with the highest score wins, without a line for it",
        "delete this line",
    ),
    (
        rf"{WITH_MOST}(?:most|highest|biggest|best|fewest|lowest) (?P<thing>[a-z][a-z-]*){WINS}",
        "the player with the highest score wins, without a line for it",
        r"delete this line, and define the score, as in `define your score as \g<thing>`",
    ),
)
"""Patterns of everyday rules that need changes in several places: the problem and the cure."""
