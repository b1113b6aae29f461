"""Translation of sentences in plain English into lines of the language."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache, reduce
from itertools import count
from string import digits

from attrs import evolve, frozen

from cardlang.diagnostics import cookbook_search
from cardlang.syntax.parse_tables import find_keywords, find_parse_stop
from cardlang.syntax.recovery.card_moves import translate_move
from cardlang.syntax.recovery.english_rule_patterns import PARTS, RANKED, read_english_rules, read_rows
from cardlang.syntax.recovery.guessed_names import (
    AMBIGUOUS_NUMBER_WORDS,
    CALLED,
    NUMBERS_BY_WORD,
    Blanks,
    GuessedNames,
)
from cardlang.syntax.recovery.line_templates import STATEMENT_TEMPLATES
from cardlang.syntax.recovery.syntax_errors import WORD_PATTERN, find_similar_keywords

BLOCK = "  "
JOINED_CLAUSES_PATTERN = re.compile(r"(.+?)(?:,? and then|,? then|,? and|[,;]) (.+)")
CHOICE = re.compile(r"(?P<may>may )?(?:(?:either|choose(?: 1)?(?: of)?):? )?(.+?),? or (.+)")
PRICE = re.compile(r"(?:may )?(?:pay|lose|spend) (\d+) ([a-z]+)(?: to (?:bank|supply))?(?: (?:to|and)|:) (.+)")
SALE = re.compile(
    r"(?P<may>may )?discard (\d+) (?P<what>\d+|[a-z]+?)s?(?: cards?)?(?: of hand)? to (?!discards|[a-z]+$)(?P<rest>.+)"
)
LEADING_CONDITION_PATTERN = re.compile(
    r"(?:(?P<not>unless)|if|when|whenever|as soon as) (?P<case>.+?)(?:, then|,| then) (?P<rest>.+)|"
    r"(?!may)(?P<first>.+?),? (?:(?P<never>unless)|if|when|whenever|as soon as) (?P<late>.+)"
)
SUBJECT = re.compile(
    rf"(each player|each other|(?:choose )?rival(?: who| to)?|player with (?:{RANKED}) [a-z]+|[a-z]+) (.+)"
)
OF_ROUND = re.compile(r"^([a-z]+) of (?:round|trick|hand)\b")
THIRD_PERSON_PATTERN = re.compile(r"((?:^| and | then |, )(?:\w+?(?:ss|ch|sh)(?=es\b)|\w+?(?=s\b)(?<!s)))e?s\b")
BUILT_IN_NAMES = frozenset(
    ("chosen", "game", "left", "no", "nobody", "number", "others", "owner", "right", "standing", "unlimited", "yes")
)
"""Names of the language that are no keywords."""
NEW_NAME = re.compile(
    r"\b(?:as|option|order|(?:define|number|zone)(?: your)?|chooses?(?:(?: up to)? \d+)?(?: to \d+| or more)?) "
    r"([\w-]+)"
)
"""Names that a statement declares."""
DECLARED_NAME = re.compile(r"\^(?:(?:ordered )?kind|zone|number|flag|player|[A-Z][\w-]*)(?: your)? ([\w-]+)")
"""The name in a row for the left edge. A definition takes the place of an old one."""
MENTION = re.compile(r"(?!each|together| ).*\byou(?:r)?\b")
"""A line about `you` that is in no block."""
TOGETHER = re.compile(
    r"^simultaneously,? | simultaneously\b|,? (?:at|all at) (?:the )?(?:same time|once)$|^at (?:the )?same time,? "
)
"""What players do simultaneously."""
CHOICE_OF_RIVAL = "you choose rival from your others"
NO_THEME = (
    "cards? coins? points? chips? tokens? to from of in on for and or with under more up by at red black higher "
    "highest lower lowest high low same other matching different wild trump some"
)
THEME = re.compile(
    r"(?P<before>(?:play|draw|discard|deal|reveal|return)s? (?:up to )?(?:\d+ |your )|(?:shuffle|deal) )"
    rf"(?!(?:{'|'.join(NO_THEME.split())})\b|hand|top|random|each|all|any|deck|discards)"
    r"(?P<theme>[a-z]+)(?: cards?)?\b(?!')"
)
"""Cards by the name that a game gives them: `play 1 animal`, `deal 4 animal cards`."""
NO_SEQUENCE = ("finish", "you choose chosen")
"""First words of lines that others do not follow: the step ends, or the others would not use what is chosen."""
END_PATTERN = re.compile(
    r"(?:your )?(?P<when>round|trick|hand|turn|phase|deal|bidding|auction|block) (?:ends?|is (?:over|finished)|stops?|"
    r"continues|goes on|lasts)(?: immediately)?,? (?:when|if|once|as soon as|until|after|whenever) (?P<case>.+)"
)
NOTHING_PATTERN = re.compile("(?:do nothing|nothing happens)")
"""An effect that needs the opposite condition, for what happens otherwise."""
CONDITION_WORDS = ("if", "when", "whenever", "unless")
MAX_UNPUNCTUATED_WORDS = 20
"""A longer sentence is not searched for the place where its condition ends."""
MAX_CLAUSE_DEPTH = 3
"""Maximum nesting depth of clauses to translate."""


@frozen
class Cure:
    """Lines with the meaning of a sentence. `declared` go at the left edge; `problem` is one that no line solves."""

    lines: tuple[str, ...] = ()
    declared: tuple[str, ...] = ()
    hint: str = ""
    problem: str = ""

    def nested_under(self, head: str) -> Cure:
        return evolve(self, lines=(head, *(BLOCK + line for line in self.lines)))

    def for_each_player(self) -> Cure:
        """Return the lines with those about `you`, and all after them, for each player."""
        at = next((n for n, line in enumerate(self.lines) if MENTION.match(line)), len(self.lines))
        return evolve(self, lines=self.lines[:at]).then(evolve(self, lines=self.lines[at:]).nested_under("each player"))

    def then(self, other: Cure) -> Cure:
        same_rival = CHOICE_OF_RIVAL in self.lines and other.lines[:1] == (CHOICE_OF_RIVAL,)
        declared = tuple(dict.fromkeys(self.declared + other.declared))
        return Cure(self.lines + other.lines[same_rival:], declared, self.hint or other.hint)

    def for_other_player(self, owner: str) -> Cure:
        """Return what another player does instead of you."""
        lines = (re.sub(r"^( *)you (may )?(\w+)", rf"\1{owner} \2\3" + "s", line) for line in self.lines)
        lines = (re.sub(r" mays? (\w+?)s\b", r" may \1", line) for line in lines)
        return evolve(self, lines=tuple(re.sub(r"\byou\b", owner, re.sub(r"\byour\b", f"{owner}'s", x)) for x in lines))


@cache
def read_table(name: str) -> tuple[tuple[re.Pattern[str], str], ...]:
    """Return the patterns of a table, and the lines for each."""
    rows: list[tuple[list[str], list[str]]] = [([], [])]
    for line in read_english_rules(name):
        before, arrow, after = line.partition("→")
        if line[0] == "#" or (line.startswith(BLOCK) and not arrow):
            rows[-1][1].extend([line[2:]] if line[0] != "#" else [])
            continue
        if rows[-1][1]:
            rows.append(([], []))
        rows[-1][0].extend([before.strip()] if before.strip() else [])
        rows[-1][1].extend([after.strip()] if arrow else [])
    return tuple((re.compile(expand_parts(one), re.IGNORECASE), "\n".join(cure)) for many, cure in rows for one in many)


@cache
def read_pairs(name: str) -> tuple[tuple[re.Pattern[str], str], ...]:
    """Return the patterns of a table with one line for each, and what it has for them."""
    return tuple((re.compile(pattern, re.IGNORECASE), wording) for pattern, wording in read_rows(name))


def expand_parts(pattern: str) -> str:
    """Return a pattern with its parts, and a number after the name of each group to allow repeated names."""
    text, number = re.sub("|".join(PARTS), lambda word: PARTS[word[0]], pattern), count()
    return re.sub(r"(?<=\(\?P<)[a-z]+", lambda name: f"{name[0]}{next(number)}", text)


def reword(text: str) -> str:
    """Return a sentence in common wording."""
    for name, called in CALLED.items():
        text = called.sub(name, text)
    text = re.sub(
        rf"\b(?:{'|'.join(NUMBERS_BY_WORD.keys() - AMBIGUOUS_NUMBER_WORDS)})\b",
        lambda word: NUMBERS_BY_WORD[word[0].lower()],
        text,
        flags=re.IGNORECASE,
    )
    for pattern, wording in read_pairs("wordings"):
        text = pattern.sub(wording, text)
    text = " ".join(text.split())
    return text[:1].lower() + text[1:]


def look_up(names: GuessedNames, text: str, table: str) -> Cure | None:
    """Return the cure of the first row of a table that fits."""
    for pattern, lines in read_table(table):
        match = pattern.fullmatch(text)
        parts = {name.rstrip(digits): part for name, part in match.groupdict().items() if part} if match else {}
        cure = fill(Blanks(names, parts), lines) if match else None
        if cure:
            return cure
    return None


def fill(blanks: Blanks, lines: str) -> Cure | None:
    """Return lines with their blanks filled, or None if the game lacks something that they need."""
    try:
        filled = lines.format_map(blanks).split("\n")
    except KeyError:
        return None
    if filled[0].startswith("!"):
        declared = (
            f". At the left edge, {declare(Cure(declared=tuple(dict.fromkeys(blanks.declared))))}"
            if blanks.declared
            else ""
        )
        return Cure(problem=filled[0][1:], hint=" ".join(filled[1:]) + declared)
    edge = [line[1:] for line in filled if line.startswith("^") and not is_declared(blanks.names, line)]
    hint = "".join(line[1:] for line in filled if line.startswith("?"))
    cure = Cure(
        tuple(line for line in filled if line[0] not in "^?"), tuple(dict.fromkeys(blanks.declared + edge)), hint
    )
    return cure.nested_under(CHOICE_OF_RIVAL) if blanks.said.get("who") == "rival" else cure


def is_declared(names: GuessedNames, line: str) -> bool:
    """Return whether the game has the name that a declaration declares."""
    match = DECLARED_NAME.match(line)
    return bool(match and match[1] in names.declared)


def translate(names: GuessedNames, text: str, depth: int = 0) -> Cure | None:
    """Return the cure for a sentence in common wording that belongs in a step."""
    cure = look_up(names, text, "step_lines") or move_cards(names, text)
    cure = cure or (combine(names, text, depth + 1) if depth < MAX_CLAUSE_DEPTH else None)
    first, space, rest = text.partition(" ")
    verb = next(filter(STATEMENT_TEMPLATES.get, find_similar_keywords(first)), "") if not cure and space else ""
    if verb:
        other = f"{verb} {rest}"
        cure = translate(names, other, MAX_CLAUSE_DEPTH)
        cure = None if cure and cure.lines[:1] == (other,) else cure
    is_line = (
        first in STATEMENT_TEMPLATES and is_code(names, rest) and not re.search(r"\b(?:down|up) to \d|to \d+$", text)
    )
    if not cure and depth and is_line and is_statement(text):
        cure = Cure((text,))
    return cure


def move_cards(names: GuessedNames, text: str) -> Cure | None:
    """Return the cure for a move of cards."""
    lines, declared = translate_move(names, text)
    return Cure(tuple(lines), tuple(declared)) if lines else None


def is_code(names: GuessedNames, text: str, declared: str = "") -> bool:
    """Return whether all words of a text are the language's, the game's, or declared by it or besides it."""
    words = {word.lower() for word in WORD_PATTERN.findall(text.replace("'s", ""))}
    made = {word.lower() for word in WORD_PATTERN.findall(f"{declared} {' '.join(NEW_NAME.findall(text))}")}
    known = names.words | made | BUILT_IN_NAMES | find_keywords()
    return all({word, word.removesuffix("s")} & known for word in words)


def is_statement(text: str) -> bool:
    """Return whether a text is a whole statement of a step."""
    return find_parse_stop(f"step play\n{BLOCK}{text}\n", "item") is None


def combine(names: GuessedNames, text: str, depth: int) -> Cure | None:
    """Return the cure for a compound sentence."""
    translators = (
        translate_repetition,
        translate_other_case,
        translate_together,
        translate_start,
        translate_price,
        translate_end,
        translate_condition,
        translate_player,
        translate_sequence,
        translate_choice,
        translate_reason,
    )
    return next(filter(None, (translate_form(names, text, depth) for translate_form in translators)), None)


def translate_repetition(names: GuessedNames, text: str, depth: int) -> Cure | None:
    for time, hint in read_rows("times"):
        match = re.fullmatch(f"(?:{time}),? (?P<rest>.+)", text) or (
            (hint or "turn" in time) and re.fullmatch(f"(?P<rest>.+?),? (?:{time})", text)
        )
        cure = translate(names, re.sub("^you ", "", match["rest"]), depth) if match else None
        if match and cure:
            return evolve(cure, hint=cure.hint if cure.problem else hint.format_map(match.groupdict()))
    return None


def translate_other_case(names: GuessedNames, text: str, depth: int) -> Cure | None:
    match = re.fullmatch("(?:otherwise|else|if not),? (.+)", text)
    cure = translate(names, match[1], depth) if match else None
    if not cure or not cure.lines:
        return None
    hint = format_write_lines_hint(cure.nested_under("otherwise").lines)
    hint = "; ".join(filter(None, (hint.rstrip(","), cure.hint)))
    return Cure(problem="`otherwise` is a line of its own, right after the block of its `if`", hint=hint)


def translate_together(names: GuessedNames, text: str, depth: int) -> Cure | None:
    """Return the cure for what all players do simultaneously. Only choices take time."""
    rest = TOGETHER.sub("", text)
    cure = (
        translate(names, re.sub("^(?:each player )?(?=[a-z])", "each player ", rest), depth) if rest != text else None
    )
    if not cure or not cure.lines:
        return None
    head = "together each player" if any(re.match(" *you ", line) for line in cure.lines) else "each player"
    return evolve(cure, lines=tuple(re.sub("^each player$", head, line) for line in cure.lines))


def translate_start(names: GuessedNames, text: str, depth: int) -> Cure | None:
    """Return the cure for what each player does, from a player on."""
    match = re.fullmatch("(?:starting|beginning) (?:with|from) (?P<who>[a-z]+),? (?P<rest>.+)", text)
    owner = {"you": "you", "left": "your left", "right": "your right"}.get(match["who"], match["who"]) if match else ""
    cure = translate(names, match["rest"], depth) if match and owner in (*names.people, "you", "your left") else None
    if not cure or cure.lines[:1] != ("each player",):
        return None
    return evolve(cure, lines=(f"each player from {owner}", *cure.lines[1:]))


def translate_reason(names: GuessedNames, text: str, depth: int) -> Cure | None:
    """Return the cure for `gain 2 coins for a win`: the line, and where it belongs."""
    match = re.fullmatch("(.*\\d [a-z]+) (?:for|as (?:1 )?(?:bonus|reward|penalty) for) (?!each)(.+)", text)
    cure = translate(names, match[1], depth) if match else None
    return (
        evolve(cure, hint=f"Put this line where the rules say “{match[2]}”") if match and cure and cure.lines else None
    )


def translate_price(names: GuessedNames, text: str, depth: int) -> Cure | None:
    match = PRICE.fullmatch(text)
    blanks = Blanks(names, {})
    number = blanks.guess_number_track(match[2], True) if match else ""
    if sold := SALE.fullmatch(text):
        below, what = translate(names, sold["rest"], depth), names.find_value_condition(sold["what"])
        head = f"you {sold['may'] or ''}choose {'' if sold[2] == '1' else f'{sold[2]} '}chosen from your {names.hand}"
        if not below or not (what or sold["what"] == "card"):
            return None
        discard = Cure((f"discard chosen to {names.discards or 'discards'}",))
        return discard.then(below).nested_under(head + (f" where {what}" if what else ""))
    cure = translate(names, match[3], depth) if match and number else None
    if not (match and cure and cure.lines):
        return None
    option = cure.nested_under(f"option {match[3].split()[0].lower()} costs {match[1]} {number}")
    return Cure(declared=tuple(blanks.declared)).then(option.nested_under("you may choose one"))


def translate_end(names: GuessedNames, text: str, depth: int) -> Cure | None:
    """Return the cure for `round ends when …`: a loop, or the end of the enclosing step."""
    match = END_PATTERN.fullmatch(text)
    known = find_condition(names, match["case"]) if match else None
    if not match or not known:
        return None
    if match["when"] in names.running:
        return Cure((f"finish {match['when']}",), known.declared).nested_under(f"if {known.lines[0]}")
    hint = f"{format_write_lines_hint((f'repeat until {known.lines[0]}',))}, and put what is repeated below it"
    entry = "; the cookbook has “End the round when a player has no cards”" if "hand is empty" in hint else ""
    return Cure(problem=f"a {match['when']} is repeated until it ends", hint=f"{hint}{entry}")


def find_condition(names: GuessedNames, case: str) -> Cure | None:
    """Return the condition of the language for one in plain English, or that is one already."""
    is_condition = is_code(names, case) and is_statement(f"if {case}\n{BLOCK}{BLOCK}finish game")
    return look_up(names, case, "conditions") or (Cure((case,)) if is_condition else None)


def translate_condition(names: GuessedNames, text: str, depth: int) -> Cure | None:
    for negated, case, rest in split_off_condition(text):
        known = find_condition(names, case)
        if not known:
            continue
        rest = re.sub("^you (?!are)", "", rest)
        if NOTHING_PATTERN.fullmatch(rest):
            negated = not negated
        head = f"if not ({known.lines[0]})" if negated else f"if {known.lines[0]}"
        cure = translate(names, rest, depth)
        if cure and cure.lines:
            return evolve(known, lines=()).then(cure.nested_under(head))
        if cure or find_topic(rest):
            return explain_effect(names, Cure((head,), known.declared), rest, cure)
    return explain_condition(names, text, depth)


def explain_effect(names: GuessedNames, head: Cure, rest: str, cure: Cure | None) -> Cure:
    """Return where the first line of an `if` goes, and what explains the effect below it."""
    edge = f" (at the left edge, {declare(head)})" if head.declared else ""
    if cure:
        return evolve(cure, hint=f"{cure.hint}. The condition is {code(head.lines[0])}{edge}")
    topic = cookbook_search.suggest_cookbook_entries(rest, False, find_topic(rest))
    return Cure(problem=f"the condition is {code(head.lines[0])}{edge}", hint=f"for what goes below it, {topic}")


def explain_condition(names: GuessedNames, text: str, depth: int) -> Cure | None:
    """Return how to write a condition that no line says, and the cure of what happens then."""
    match = LEADING_CONDITION_PATTERN.fullmatch(text)
    rest = (match["rest"] or match["first"]) if match else ""
    topic = find_topic(text)
    cure = translate(names, rest, depth) if match and (match["case"] or topic) else None
    if not cure or not cure.lines:
        return None
    edge = f"; at the left edge, {declare(cure)}" if cure.declared else ""
    if topic:
        entry = cookbook_search.suggest_cookbook_entries(text, False, topic)
        effect = (
            f"{entry}. What follows is {format_write_lines_hint(cure.lines).removeprefix('write ').rstrip(',')}{edge}"
        )
        is_number = cure.lines[0].startswith(("add", "subtract", "set", "eliminate"))
        return Cure(problem="this condition takes more than one line", hint=effect) if is_number else None
    below = format_write_lines_hint(cure.nested_under("if …").lines).rstrip(",")
    return Cure(problem="a condition compares values, as in `if your hand is empty`", hint=below + edge)


def translate_head(names: GuessedNames, text: str) -> Cure | None:
    """Return the cure for the first line of a block whose condition is English."""
    match = re.fullmatch(
        "(?:(otherwise )?if|when|whenever|(repeat|play|continue|keep going) until) (.+?)(?:,? then)?,?", text
    )
    known = look_up(names, match[3], "conditions") if match else None
    if not match or not known:
        return None
    head = "repeat until" if match[2] else f"{match[1] or ''}if"
    return evolve(known, lines=(f"{head} {known.lines[0]}",))


def split_off_condition(text: str) -> Iterator[tuple[bool, str, str]]:
    """Split a sentence into a condition and what happens then; without a comma, wherever that can be."""
    if match := LEADING_CONDITION_PATTERN.fullmatch(text):
        yield bool(match["not"] or match["never"]), match["case"] or match["late"], match["rest"] or match["first"]
        return
    first, _, rest = text.partition(" ")
    words = rest.split()
    if first in CONDITION_WORDS and len(words) < MAX_UNPUNCTUATED_WORDS:
        for at in range(2, len(words)):
            yield first == "unless", " ".join(words[:at]), " ".join(words[at:])


def translate_player(names: GuessedNames, text: str, depth: int) -> Cure | None:
    """Return the cure for a sentence about other players."""
    match = SUBJECT.fullmatch(OF_ROUND.sub(r"\1", text))
    passes = match and match[1] == "each player" and match[2].startswith(("pass ", "passes "))
    if not match or passes or " and you " in text:
        return None
    who = match[1].removeprefix("choose ").removesuffix(" who").removesuffix(" to")
    rest = re.sub("^(?:with|who ha(?:s|ve)) ", "if you have ", match[2])
    try:
        owner = "" if who.startswith("each") else (blanks := Blanks(names, {"who": who}))["who"]
    except KeyError:
        return None
    cure = translate(names, THIRD_PERSON_PATTERN.sub(r"\1", rest), depth)
    if not cure or not cure.lines:
        return None
    if not owner:
        return cure.nested_under("each player" if who == "each player" else "each player in your others")
    if who.startswith("player with"):
        return Cure(declared=tuple(blanks.declared)).then(cure.nested_under(f"each player in (all {owner[1:-1]})"))
    cure = Cure(declared=tuple(blanks.declared)).then(cure.for_other_player(owner))
    return cure.nested_under(CHOICE_OF_RIVAL) if who == "rival" else cure


def translate_sequence(names: GuessedNames, text: str, depth: int) -> Cure | None:
    if match := JOINED_CLAUSES_PATTERN.fullmatch(text):
        first, second = translate(names, match[1], depth), translate(names, re.sub("^you ", "", match[2]), depth)
        if first and second and first.lines and not first.lines[-1].startswith(NO_SEQUENCE):
            return first.then(
                evolve(second, hint=f"{second.problem}: {second.hint}" if second.problem else second.hint)
            )
    return None


def translate_choice(names: GuessedNames, text: str, depth: int) -> Cure | None:
    """Return the cure for `either draw a card or gain a coin`, or for a move that the player may leave out."""
    if text.startswith(("stop or ", "stay or ", "stand or ", "pass or ")):
        return None
    if text.endswith((" or stop", " or pass")):
        return translate(names, f"may {text[:-8]}", depth) if text.endswith("pass") else None
    match = CHOICE.fullmatch(text) or re.fullmatch("(?P<may>may )(.+)", text)
    parts = [*match.groups()[1:]] if match else []
    verb = parts[0].partition(" ")[0] if parts else ""
    parts = [f"{verb} {part}" if part[0].isdigit() else part for part in parts]
    cures = [translate(names, part, depth) for part in parts]
    if not match or not cures or not all(cure and cure.lines for cure in cures):
        return None
    heads = [part.split()[0].lower() for part in parts]
    heads = [f"{head}-{at}" if heads.index(head) != at else head for at, head in enumerate(heads)]
    options = (cure.nested_under(f"option {head}") for cure, head in zip(cures, heads, strict=True) if cure)
    return reduce(Cure.then, options).nested_under(f"you {match['may'] or ''}choose one")


def find_topic(text: str) -> str:
    """Return the heading of the entry of the cookbook on the topic of a sentence, if it has one."""
    return next((heading for pattern, heading in read_pairs("topics") if pattern.search(text)), "")


def replace_theme(names: GuessedNames, text: str) -> str:
    """Return a sentence with `cards` for the name that a game gives them, unless it is that of some cards."""
    return THEME.sub(
        lambda match: match[0] if names.find_value_condition(match["theme"]) else f"{match['before']}cards", text
    )


def format_write_lines_hint(lines: tuple[str, ...], inside: bool = False) -> str:
    """Return the lines to write, and those indented below them."""
    blocks: list[tuple[str, list[str]]] = []
    for line in lines:
        if line.startswith(BLOCK):
            blocks[-1][1].append(line.removeprefix(BLOCK))
        else:
            blocks.append((line, []))
    below = " (below it {})" if inside else ", and indented below it {}"
    parts = [
        code(head) + (below.format(format_write_lines_hint(tuple(rest), True)) if rest else "") for head, rest in blocks
    ]
    if inside:
        return " and ".join(parts)
    return f"write {', then '.join(parts)}{',' * (len(lines) > 1)}"


def declare(cure: Cure) -> str:
    return f"declare {' and '.join(map(code, cure.declared))}"


def code(line: str) -> str:
    return f"`{line}`"
