"""Guesses of the zones, tracks and players that plain English leaves out."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from pathlib import Path

from attrs import Factory, define, frozen

from cardlang.english.morphology import SMALL_NUMBER_WORDS

ZONE_DECLARATION_PATTERN = re.compile(r"^zone (your )?([\w-]+)(?![\w'-])([^\n]*)", re.MULTILINE)
DISCARD_ZONE_PATTERN = re.compile(r"discard|muck|waste|trash|used|grave|scrap|junk|heap|dump", re.IGNORECASE)
POINTS_NAME_PATTERN = re.compile(r"score|point|^total", re.IGNORECASE)
CALLED = {
    "deck": re.compile(r"\b(?:the |your (?=library))?(?:draw pile|draw deck|stock|pond|deck|pack|library)(?![\w-])"),
    "discards": re.compile(r"\b(?:the |your )?(?:discard pile|discards(?! \d)|pile)(?![\w-])"),
    "table": re.compile(r"\b(?:the )?(?:middle|cent(?:re|er))(?: of the table)?(?![\w-])"),
}
"""Common names of piles."""
DECLARED = re.compile(r"^\S.*|(?:\bas|\bchoose|\bwith|,) [\w-]+", re.MULTILINE)
WORD = re.compile(r"[A-Za-z][A-Za-z0-9]*(?:-[A-Za-z0-9]+)*")
DEFAULT_HAND = "hand"
LARGE_NUMBER_WORDS = "thirteen fourteen fifteen sixteen seventeen eighteen nineteen twenty"
NUMBERS_BY_WORD = {
    **{word: str(number) for number, word in enumerate([*SMALL_NUMBER_WORDS, *LARGE_NUMBER_WORDS.split()])},
    **{"thirty": "30", "forty": "40", "fifty": "50", "hundred": "100", "a": "1", "an": "1"},
}
AMBIGUOUS_NUMBER_WORDS = ("zero", "one", "a", "an")
UNCOUNTABLE = re.compile(
    "ammo|cash|energy|food|fuel|gold|health|honey|iron|mana|meat|money|oil|ore|power|rice|silver|stone|strength|water|wheat|wood"
)
"""Things without a plural."""
RESULTS = "winner loser attacker defender banker bidder caller judge guesser storyteller declarer captain"
ROLES = ("dealer", "leader", "starter")
PLACES = (
    "area aside bank board crib display floor graveyard kitty lane line market pool pot reserve row stack tableau "
    "talon widow"
)
"""Places for cards that a game may still lack."""
SYNONYMS = tuple(
    frozenset(words.split())
    for words in (
        "market display row rows offer shop river fair supply store auction",
        "area tableau field battlefield board play-area kingdom village city camp realm line front",
        "deck stock talon pack library draw-pile",
        "discards discard discard-pile waste trash graveyard scrap junk heap bin dump",
        "table trick middle center centre pile",
        "life lives health hearts hp hit-points hitpoints vitality",
        "coins coin money gold cash chips chip credits dollars bucks silver gems treasure",
        "points score victory-points vp prestige fame glory renown applause",
        "mana energy stamina",
    )
)
"""Names that games use for the same thing."""
MONEY = re.compile("coin|money|gold|cash|chip|credit|dollar|stack")
HIGHEST = ("most", "highest", "biggest", "greatest", "largest")
KIND_SYNONYMS = {
    "color": "suit",
    "colour": "suit",
    "suit": "color",
    "rank": "value",
    "number": "value",
    "value": "rank",
}
RANKS = {"ace": 1, "jack": 11, "queen": 12, "king": 13}
"""Ranks of cards with numbers from 1 to 13. From 2 to 14, the ace is the highest."""
DICE_KIND_PATTERN = re.compile(r"d6|pips?|.*(?:dice|die|face)s?", re.IGNORECASE)
LIBRARY_FOLDER = Path(__file__).parents[2] / "library"
MAX_LISTED_VALUES = 200
"""Maximum number of values of a range to look for in a sentence."""
NAMED_HEAD = r"(?:(?:ordered )?kind|zone|number|flag|player|cards|[A-Z][\w-]*)(?: your)?"
STEP_HEAD = "step(?: your)?"
CHOSEN_PLAYER = re.compile(r"(?:\bchooses?|\bwith|,) ([\w-]+) from [^,\n\"]*?\b(?:others|players)\b")
"""A choice of one player, with its name."""
VERBS = {"lead": "play", "gain": "draw"}


@frozen
class GuessedNames:
    """Guessed names of a game.

    `home`, `hand`, `discards` and `table` are the zones where cards start, are held, are discarded and are played, if
    there are any. `areas` are each player's other zones, and `pack` is the first set of cards. `points` is each
    player's score, `numbers` are all their numbers, `counts` the numbers at the table. `people` are the global players
    and those chosen in the lines above. `dice` are the kind of dice and the variables of that kind, and `declared` all
    declared names. `values` are conditions for cards, by the value of a kind that they need. `value` is the first
    ordered kind, as a column of cards, and `worth` the first that consists of numbers. `step` is the enclosing step,
    `running` are that step and those that run it, `steps` all steps, and `words` all words of declarations."""

    home: str
    hand: str
    discards: str
    table: str
    areas: tuple[str, ...]
    zones: frozenset[str]
    points: str
    numbers: tuple[str, ...]
    counts: tuple[str, ...]
    people: tuple[str, ...]
    kinds: tuple[str, ...]
    dice: tuple[str, ...]
    declared: frozenset[str]
    values: dict[str, str]
    value: str
    worth: str
    step: str
    steps: tuple[str, ...]
    running: frozenset[str]
    pack: str
    words: frozenset[str]
    has_cards: bool
    has_score: bool

    def find_kind(self, thing: str) -> str:
        """Return the kind that a word refers to. A suit may be called a color, and so on."""
        kinds = {kind.lower(): kind for kind in self.kinds}
        return kinds.get(thing) or kinds[KIND_SYNONYMS[thing]]

    def find_number_track(self, thing: str) -> str:
        """Return the number of each player that a word refers to, or an empty string."""
        forms = (thing, f"{thing}s", thing.removesuffix("s"), *find_synonyms(thing))
        track = next((form for form in forms if form in self.numbers), "")
        return track or (self.points if POINTS_NAME_PATTERN.search(thing) else "")

    def find_value_condition(self, what: str) -> str:
        """Return the condition for `queen of spades`, `red 7s` or `face`, or an empty string."""
        words = [word for word in what.lower().split() if word not in ("of", "card", "cards")]
        conditions = [self.find_condition_for_word(word) for word in words]
        return " and ".join(conditions) if all(conditions) else ""

    def find_condition_for_word(self, word: str) -> str:
        forms = (word, f"{word}s", word.removesuffix("s"), word.removesuffix("es"))
        return next(
            (self.values[form] for form in (NUMBERS_BY_WORD.get(x, x) for x in forms) if form in self.values), ""
        )

    def find_zone(self, name: str) -> str:
        """Return the zone that a word refers to, or an empty string."""
        bare = name.removeprefix("your ")
        forms = (form for word in (bare, *find_synonyms(bare)) for form in (f"your {word}", word))
        return name if name in self.zones else next((form for form in forms if form in self.zones), "")


def find_synonyms(name: str) -> list[str]:
    """Return other names for the same thing, in alphabetical order."""
    return sorted(word for words in SYNONYMS if name in words for word in words)


@define(eq=False)
class Blanks(dict[str, str]):
    """Parts of a sentence and names of the game, for the braces in a cure. `declared` collects what the game lacks.

    A part that the game cannot have raises `KeyError`: the cure does not fit."""

    names: GuessedNames
    said: dict[str, str]
    declared: list[str] = Factory(list)

    def __missing__(self, key: str) -> str:
        if key in BLANKS:
            return BLANKS[key](self)
        if key in ("discards", "table") and not getattr(self.names, key):
            return self.add_declaration("zone", key)
        return str(getattr(self.names, key)) if hasattr(self.names, key) else self.said.get(key, "")

    def add_declaration(self, what: str, name: str, start: str = "") -> str:
        self.declared.append(f"{what} {name}{start}")
        return name

    def guess_zone(self, said: str, otherwise: str) -> str:
        """Return the zone that a part of the sentence names."""
        name = self.said.get(said, otherwise)
        if zone := self.names.find_zone(name):
            return zone
        if name.removeprefix("your ") in PLACES.split():
            return self.add_declaration("zone", name)
        return self[{"deck": "home", "discards": "discards", "table": "table"}[name.removeprefix("your ")]]

    def guess_die(self) -> str:
        """Return the kind of a die."""
        if self.names.dice:
            return self.names.dice[0]
        self.declared.append("ordered kind Die: 1 to 6")
        return "Die"

    def guess_roll(self, number: int, name: str = "roll") -> str:
        """Return the variable for the roll of a die, by its number among the player's dice."""
        if number + 1 < len(self.names.dice):
            return self.names.dice[number + 1]
        return f"your {self.add_declaration(f'{self.guess_die()} your', name)}"

    def guess_coin(self) -> str:
        """Return the variable for the side of a coin."""
        if "flip" not in self.names.declared:
            self.declared.extend(("kind Coin: Heads, Tails", "Coin flip"))
        return "flip"

    def guess_number_track(self, thing: str, may_lack: bool = False) -> str:
        """Return the number of each player that a word refers to."""
        if thing.removesuffix("s") in ("roll", "die", "dice"):
            return self.guess_roll(0).removeprefix("your ")
        track = f"(count of {self.names.hand})" if thing in ("cards", "hand") else self.names.find_number_track(thing)
        if not track and (self.names.find_value_condition(thing) or not may_lack):
            raise KeyError(thing)
        plural = thing if UNCOUNTABLE.fullmatch(thing) else re.sub("fes$", "ves", f"{thing.removesuffix('s')}s")
        return track or self.add_declaration("number your", plural)

    def guess_value_condition(self, what: str) -> str:
        """Return the condition for cards that the sentence names by their value."""
        if condition := self.names.find_value_condition(what):
            return condition
        raise KeyError(what)

    def build_winning_rule(self) -> str:
        """Return the rule that the most or the fewest of a number win."""
        number = self.guess_number_track(self.said["thing"])
        if self["most"] == "lowest":
            return f"order standing of player\n  lower {number}"
        if self.names.has_score:
            raise KeyError("score")
        return f"define your score as {number}"

    def guess_player(self, name: str) -> str:
        """Return a player that the sentence names. A rival is chosen first."""
        if name in (*self.names.people, "rival"):
            return name
        if name in ("left", "right"):
            return f"your {name}"
        if match := re.fullmatch(r"player with (?!(?:highest|lowest) hands?$)(\w+) (?!card$)(\w+)", name):
            best = "highest" if match[1] in HIGHEST else "lowest"
            return f"({best} of players by {self.guess_number_track(match[2], True)})"
        if name in RESULTS.split():
            return self.add_declaration("player", name)
        if name not in ROLES:
            raise KeyError(name)
        return self.add_declaration("player", name, " starts at random of players")


BLANKS: dict[str, Callable[[Blanks], str]] = {
    "n": lambda its: re.sub(r" or (?=\d)", " to ", NUMBERS_BY_WORD.get(its.said.get("n", "1"), its.said.get("n", "1"))),
    "times": lambda its: "" if its["n"] == "1" else f"{its['n']} * ",
    "count": lambda its: "" if its["n"] == "1" else f"{its['n']} ",
    "random": lambda its: "random" if its["n"] == "1" else f"random {its['n']}",
    "cards": lambda its: f"top of {its['source']}" if its["n"] == "1" else f"top {its['n']} of {its['source']}",
    "verb": lambda its: VERBS.get(its.said["verb"], its.said["verb"]),
    "source": lambda its: its.guess_zone("source", "deck"),
    "other-pile": lambda its: (
        its.guess_zone("source", "") if its["source"] != its.names.home else its.guess_zone("", "")
    ),
    "from-hand": lambda its: its["source"] if "source" in its.said else f"your {its.names.hand}",
    "from-table": lambda its: its.guess_zone("source", "table"),
    "from-discards": lambda its: its.guess_zone("source", "discards"),
    "target": lambda its: its.guess_zone("target", "table"),
    "to-discards": lambda its: its.guess_zone("target", "discards"),
    "pile": lambda its: its.guess_zone("target", "discards" if its["verb"] in ("discard", "remove") else "table"),
    "in-setup": lambda its: {"setup": ""}[its.names.step],
    "no-cards": lambda its: {False: ""}[its.names.has_cards],
    "die": lambda its: its.guess_die(),
    "coin": lambda its: its.guess_coin(),
    "roll": lambda its: its.guess_roll(0),
    "sum": lambda its: (
        "{} + {}".format(its["first-roll"], its["second-roll"]) if "dice" in its.said["sum"] else its["roll"]
    ),
    "first-roll": lambda its: its.guess_roll(0, "first-roll"),
    "second-roll": lambda its: its.guess_roll(1, "second-roll"),
    "number": lambda its: its.guess_number_track(its.said.get("thing", "points"), True),
    "other-number": lambda its: its.guess_number_track(its.said["other"], True),
    "match": lambda its: its.guess_value_condition(its.said["what"]),
    "sample": lambda its: next(iter(reversed(its.names.values.values())), "value = 1"),
    "title": lambda its: its.said["name"].capitalize(),
    "running-step": lambda its: {name: name for name in its.names.running}[its.said["when"]],
    "idle-step": lambda its: {name: name for name in its.names.steps}[its.said["when"]],
    "most": lambda its: "highest" if its.said["most"] in HIGHEST else "lowest",
    "higher": lambda its: "higher" if its.said["most"] in HIGHEST else "lower",
    "points-win": Blanks.build_winning_rule,
    "winners": lambda its: "winners" if its.said["name"] == "winner" else its.said["name"],
    "seen": lambda its: " seen by owner" if its.said["name"] == "hand" else "",
    "kind": lambda its: its.names.find_kind(its.said["name"].lower()),
    "column": lambda its: its["kind"].lower(),
    "other-match": lambda its: its.guess_value_condition(its.said["other"]),
    "worth": lambda its: its.names.worth or {"value": "value"}[its.names.value],
    "money": lambda its: next(filter(MONEY.search, its.names.numbers), its.names.points),
    "zone": lambda its: its.guess_zone("source", ""),
    "area": lambda its: next(iter(its.names.areas), "") or its.add_declaration("zone your", "area"),
    "taken": lambda its: next(iter(its.names.areas), "") or its.add_declaration("zone your", "taken"),
    "card-points": lambda its: next(x for x in ("points", "worth", "card-points") if x not in its.names.words),
    "or-number": lambda its: (
        f", or `otherwise {its.names.worth}` if other cards count their number" if its.names.worth else ""
    ),
    "chooser": lambda its: f"{its['role']} chooses" if its.said.get("role", "you") != "you" else "you choose",
    "side": lambda its: "right" if its.said["side"] == "right" else "left",
    "role": lambda its: its.guess_player(its.said["role"]),
    "who": lambda its: its.guess_player(its.said["who"]),
}
"""What the braces in a cure mean, besides parts of the sentence and names of the game."""


def guess_names(text: str, offset: int) -> GuessedNames:
    """Guess the names of a game from its declarations, and the enclosing step from the lines before a position."""
    step = (find_declared_names(text[:offset], STEP_HEAD) or ("play",))[-1]
    text = add_libraries(text)
    zones = ZONE_DECLARATION_PATTERN.findall(text)
    start = re.search(r"^cards [^\n]*? in ([\w-]+)", text, re.MULTILINE)
    home = start[1] if start else "deck"
    home = f"your {home}" if ("your ", home) in ((your, name) for your, name, _ in zones) else home
    hands = [name for your, name, _ in zones if your]
    piles = [(name, rest) for your, name, rest in zones if not your and name != home]
    discards = next((name for name, _ in piles if DISCARD_ZONE_PATTERN.search(name)), "")
    seen = [name for name, rest in piles if name != discards and "seen by nobody" not in rest]
    numbers = find_declared_names(text, r"number your")
    areas = [name for name in hands if name not in (DEFAULT_HAND, home.removeprefix("your "))]
    hand = DEFAULT_HAND if DEFAULT_HAND in hands or not hands else hands[0]
    return GuessedNames(
        home,
        hand,
        discards,
        seen[0] if seen else f"your {areas[0]}" if areas and DEFAULT_HAND in hands else discards,
        tuple(name for name in hands if name not in (hand, home.removeprefix("your "))),
        frozenset(f"{your}{name}" for your, name, _ in zones),
        next(filter(POINTS_NAME_PATTERN.search, numbers), "score"),
        numbers,
        find_declared_names(text, "number(?! your )"),
        (*find_declared_names(text, "player"), *find_chosen_players(text[:offset])),
        find_declared_names(text, "(?:ordered )?kind"),
        find_dice(text),
        frozenset(find_declared_names(text, NAMED_HEAD)),
        values_of(text),
        next((kind.lower() for kind in find_declared_names(text, "ordered kind")), "value"),
        next((kind.lower() for kind in re.findall(r"^ordered kind ([\w-]+): *\d+ to \d+ *$", text, re.MULTILINE)), ""),
        step,
        find_declared_names(text, STEP_HEAD),
        find_running_steps(text, step),
        (find_declared_names(text, "cards") or ("",))[0],
        frozenset(word.lower() for part in DECLARED.findall(text) for word in WORD.findall(part)),
        bool(start),
        "score" in (*numbers, *find_declared_names(text, "define your")),
    )


def add_libraries(text: str) -> str:
    """Return the text of a game with the texts of the bundled libraries that it uses, and of those that they use."""
    paths = [LIBRARY_FOLDER / f"{name}.cardgame" for name in re.findall(r"^use ([\w-]+)", text, re.MULTILINE)]
    used = [add_libraries(path.read_text(encoding="utf-8")) for path in paths if path.exists()]
    return "\n".join([text, *used])


def find_running_steps(text: str, step: str) -> frozenset[str]:
    """Return a step and all steps that run it, directly or through others."""
    bodies = re.findall(rf"^{STEP_HEAD} ([\w-]+)(.*(?:\n[ #].*|\n)*)", text, re.MULTILINE)
    callers = [(name, set(re.findall(r"\bdo (?:[\w-]+(?:'s?)? )?([\w-]+)", body))) for name, body in bodies]
    running: frozenset[str] = frozenset()
    found = frozenset({step})
    while found != running:
        running = found
        found = running | {name for name, called in callers if called & running}
    return running


def find_chosen_players(before: str) -> Iterator[str]:
    """Yield the players that lines around a line name. `before`: text before the line, with its margin."""
    *lines, margin = before.split("\n")
    depth = len(margin)
    for line in reversed(lines):
        indent = len(line) - len(line.lstrip())
        if line.strip() and indent <= depth:
            depth = indent
            yield from CHOSEN_PLAYER.findall(line)
        if line.strip() and not indent:
            return


def find_dice(text: str) -> tuple[str, ...]:
    """Return the kind of dice and the variables of that kind."""
    kind = next(filter(DICE_KIND_PATTERN.fullmatch, find_declared_names(text, "(?:ordered )?kind")), "")
    variables = re.findall(rf"^{kind} ((?:your )?[A-Za-z][\w-]*)(?! for\b)", text, re.MULTILINE) if kind else []
    return (kind, *variables) if kind else ()


def find_rank_conditions(text: str, conditions: dict[str, str]) -> dict[str, str]:
    """Return the conditions for aces and face cards, which numbers may stand for."""
    if conditions.keys() >= {"jack", "queen", "king"}:
        return {"face": f"{conditions['jack'].partition(' ')[0]} in (Jack, Queen, King)"}
    match = re.search(r"^ordered kind ([\w-]+): *(1 to 13|2 to 14)\b", text, re.MULTILINE)
    if not match:
        return {}
    column, ranks = match[1].lower(), RANKS | ({"ace": 14} if match[2] == "2 to 14" else {})
    return {"face": f"{column} in (11, 12, 13)", **{rank: f"{column} = {number}" for rank, number in ranks.items()}}


def values_of(text: str) -> dict[str, str]:
    """Return the condition for each value of a kind, by the value in lower case: `suit = Sun` for `sun`."""
    kinds = re.findall(r"^(?:ordered )?kind ([\w-]+): *(.+)", text, re.MULTILINE)
    values = (
        (kind, value)
        for kind, all_values in kinds
        for first, last in re.findall(r"(?:^|, )([A-Za-z][\w-]*|\d{1,9})(?: to (\d{1,9}))?", all_values)
        for value in (
            map(str, range(int(first), int(last) + 1)[:MAX_LISTED_VALUES]) if last and first.isdecimal() else (first,)
        )
    )
    conditions = {value.lower(): f"{kind.lower()} = {value}" for kind, value in values}
    if conditions.keys() >= {"clubs", "diamonds", "hearts", "spades"}:
        suit = conditions["hearts"].partition(" ")[0]
        conditions = {"red": f"{suit} in (Diamonds, Hearts)", "black": f"{suit} in (Clubs, Spades)"} | conditions
    ranks = find_rank_conditions(text, conditions)
    return {**ranks, **{name: ranks["face"] for name in ("picture", "court") if ranks}, **conditions}


def find_declared_names(text: str, head: str) -> tuple[str, ...]:
    """Return the names in declarations with this head, in order."""
    return tuple(re.findall(rf"^{head} ([A-Za-z][\w-]*)(?![\w'-])", text, re.MULTILINE))
