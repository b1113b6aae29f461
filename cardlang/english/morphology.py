"""Numbers, articles, plurals, verb forms and enumerations in English."""

from __future__ import annotations

import re
from collections.abc import Sequence
from fractions import Fraction

SMALL_NUMBER_WORDS = [
    "zero",
    "one",
    "two",
    "three",
    "four",
    "five",
    "six",
    "seven",
    "eight",
    "nine",
    "ten",
    "eleven",
    "twelve",
]
FRACTION_SIGNS = {Fraction(1, 2): "½", Fraction(1, 4): "¼", Fraction(3, 4): "¾"}
PLURAL_VERB_FORMS = {"is": "are", "has": "have", "was": "were", "does": "do"}
ADJECTIVES = {
    "old", "new", "other", "best", "worst", "highest", "lowest", "first", "last", "top", "left", "kept", "broken",
    "chosen", "drawn", "fallen", "frozen", "given", "hidden", "open", "proven", "shown", "stolen", "taken", "thrown",
}  # fmt: skip
PARTICIPLE = re.compile("[aeiouy].*(ed|ing)$")
INTO_VERBS = ("draw", "put", "take", "return", "shuffle")
CARD_PLAY_VERBS = """
ante-up attack bet bid brew bribe build buy call capture challenge check claim close collect comb concede deliver dig
discard double doubt draw exchange explore feed fish fold gather guess harvest heal hire hit hunt knock marry mine name
order-up overthrow plant play poison raid recruit redouble rest roll sail scout search sell show sit-out sow stand
take trade train upgrade visit
"""
OPTION_VERB_PREPOSITIONS: dict[str, tuple[str, ...]] = {
    **dict.fromkeys(CARD_PLAY_VERBS.split(), ("",)),
    "add": ("", "to"), "ask": ("", "for"), "place": ("", "at"), "raise": ("by",), "steal": ("from",), "stop": ("with",),
}  # fmt: skip
"""Verbs of card play that options may have as names, with the prepositions before their objects."""
IMPLIED_DESTINATIONS = {
    "play": ("table", "play area"), "discard": ("discards", "discard pile"), "draw": ("hand",), "take": ("hand",),
}  # fmt: skip
"""Places that a verb of card play implies."""
LIGHT_VERBS = {"turn": "take", "answer": "give", "auction": "hold", "showdown": "hold", "war": "fight"}
LIGHT_VERBS["payment"] = "make"
LIGHT_VERBS |= dict.fromkeys(("round", "trick", "hand", "deal", "game", "match", "card", "bout"), "play")
"""Verbs for steps named after what they play."""
STEP_VERBS = {
    *OPTION_VERB_PREPOSITIONS, "attack", "build", "cast", "choose", "collect", "count", "deal", "defend", "explore",
    "lead", "move", "pass", "pick", "place", "refill", "rest", "restock", "reveal", "score", "sell", "settle", "share",
    "stake", "swap", "trade",
}  # fmt: skip
"""Verbs that the title of a step may begin with."""
VERB_PARTICLES = ("up", "out", "more")
"""Last words of titles that are verb phrases: `Turn up`, `Bet more`."""
CARD_GROUPS = {
    "area", "book", "column", "deck", "group", "hand", "meld", "pack", "pair", "pairs", "pile", "row", "run", "set",
    "stack", "stock", "trick",
}  # fmt: skip
"""Nouns for several cards together; other counted nouns of a zone stand for its cards, one by one."""
PLAYER_ACTS = {
    "acted", "answered", "bet", "bid", "called", "checked", "declared", "discarded", "drawn", "finished", "folded",
    "knocked", "lost", "moved", "passed", "played", "raised", "stood", "stopped", "won",
}  # fmt: skip
"""Participles that say what a player has done, not what was done to them."""
SCORE_NOUNS = {"score", "scores", "point", "points"}
MASS_NOUNS = {
    "cash", "energy", "fame", "food", "fuel", "glory", "gold", "honor", "honour", "influence", "iron", "mana", "money",
    "power", "prestige", "pride", "renown", "reputation", "silver", "stone", "water", "wood",
}  # fmt: skip
"""Nouns without a plural for things that players have amounts of."""
ROLE_VERBS = {"leader": "lead", "dealer": "deal", "starter": "start", "opener": "open", "speaker": "speak"}
"""Verbs of players named after what they do next."""
CONDITION_WORDS = re.compile(
    r"\b(always|after|before|can(?!')|each|every|if|instead|needs?|never|once|only|unless|until|when|while|with|without)\b",
    re.IGNORECASE,
)
AUXILIARY_VERB_PATTERN = re.compile(r"\b(is|are|was|were|has|have|may|can|must|will)\b")
MAIN_VERB_PATTERN = re.compile(
    r"(?<= )(?<!\bthe )(\w+s)(?= (?:the|a|an|all|any|no|one|two|it|them|again|first|last|by|alone)\b)"
)
"""Third person of the main verb of a clause, before an object or adverb: `takes` in `the defender takes the cards`."""


def spell_number(value: int) -> str:
    """Return a number in words up to twelve, otherwise in digits: `5,000`."""
    return SMALL_NUMBER_WORDS[value] if 0 <= value < len(SMALL_NUMBER_WORDS) else f"{value:,}"


def format_number(value: int | Fraction) -> str:
    """Return a number such as `four`, `37½` or `1.35`."""
    value = Fraction(value)
    if value.denominator == 1:
        return spell_number(int(value))
    integer_part, rest = divmod(abs(value), 1)
    return (
        ("-" if value < 0 else "") + (str(integer_part) if integer_part else "") + FRACTION_SIGNS[rest]
        if rest in FRACTION_SIGNS
        else f"{float(value):.15g}"
    )


def replace_hyphens(name: str) -> str:
    """Return a hyphenated name as words."""
    return name.replace("-", " ")


def format_heading(name: str) -> str:
    """Return a name as a heading. Only its first letter changes."""
    return capitalize_first_letter(replace_hyphens(name))


PART_NOUNS = {"edge", "end", "half", "side"}
"""Nouns for parts of something: `your side of that flag`."""
FLAT_PLACES = {*PART_NOUNS, "beach", "board", "shelf", "stall", "table"}
"""Places on which cards are."""
MEETING_PLACES = {"crossroads", "gate", "market", "quay"}
"""Places at which cards are."""


def find_place_noun(place: str) -> str:
    """Return the last word of a place before its owner: `side` in `your side of that flag`."""
    return split_noun(place)[0].split(" ")[-1]


def add_direction_preposition(place: str, verb: str) -> str:
    """Return a destination with its preposition: `into your hand`, `onto the table`, `to the discard pile`."""
    flat = find_place_noun(place) in FLAT_PLACES
    if verb == "place":
        return add_location_preposition(place)
    is_own = place.startswith(("your ", "their ")) and not flat and find_place_noun(place) not in CARD_GROUPS
    if verb in INTO_VERBS or (is_own and verb in ("move", "play", "turn") and not mentions_cards(place)):
        return f"{'onto' if flat else 'into'} {place}"
    is_shared = place.startswith("the ") and "'" not in place and not mentions_cards(place)
    if verb == "turn" and is_shared and not flat and not place.endswith("pile"):
        return f"for {place}"
    is_laid = verb in ("turn", "remove") and (flat or place.endswith("pile"))
    return f"{'onto' if is_laid else 'into' if verb == 'remove' else 'to'} {place}"


def add_location_preposition(place: str) -> str:
    """Return a place with its preposition: `in your hand`, `on the table`."""
    noun = find_place_noun(place)
    return f"{'on' if noun in FLAT_PLACES else 'at' if noun in MEETING_PLACES else 'in'} {place}"


def mentions_cards(noun: str) -> bool:
    """Return whether the name of a place mentions cards already: `won cards`, `cards just played`."""
    return bool(re.search(r"\bcards\b", noun))


def capitalize_first_letter(text: str) -> str:
    return text[:1].upper() + text[1:]


def add_article(noun: str) -> str:
    """Return the noun with `a` or `an`."""
    return ("an " if noun[:1].lower() in "aeio" or re.match(r"(?i)u[^n]|un[^i]|8|1[18]\b", noun) else "a ") + noun


def split_noun(noun: str) -> tuple[str, str]:
    """Split a noun after the word that changes in the plural: `card`, ` on offer`."""
    after = r"(.+?)( (?:on|of|in|to|from|for|as|at|by|with|not|that|left|face|just) .*)"
    match = re.match(after, noun) or re.match(r"(.+s)( [a-z]{3,}ed)$", noun)
    return (match[1], match[2]) if match else (noun, "")


def pluralize(noun: str) -> str:
    """Return the regular plural. Cards and points stay as they are."""
    head, rest = split_noun(noun)
    if head.endswith(("cards", "points")):
        return noun
    if re.search(r"[^aeiou]y$", head):
        return head[:-1] + "ies" + rest
    return head + ("es" if re.search(r"(s|x|z|ch|sh)$", head) else "s") + rest


def is_plural(noun: str) -> bool:
    """Return whether the noun looks like a plural."""
    head = split_noun(noun)[0]
    return head.endswith("s") and not head.endswith(("ss", "us"))


def is_adjective(word: str) -> bool:
    """Return whether a word looks like an adjective: a participle, or a word such as `old`."""
    return word in ADJECTIVES or PARTICIPLE.search(word) is not None


def singularize(noun: str) -> str:
    """Return the singular of a regular plural. Other words stay unchanged."""
    head, rest = split_noun(noun)
    if not is_plural(noun):
        return noun
    if head.endswith("ies"):
        return head[:-3] + "y" + rest
    return (head[:-2] if re.search(r"(ss|us|x|z|ch|sh)es$", head) else head[:-1]) + rest


def list_word_forms(*nouns: str) -> list[str]:
    """Return the singulars and plurals of some nouns, which can have hyphens, without repetition."""
    spoken = [replace_hyphens(noun) for noun in nouns if noun]
    forms = [(noun, singularize(noun) if is_plural(noun) else pluralize(noun)) for noun in spoken]
    return list(dict.fromkeys(form for pair in forms for form in pair))


def format_count(count: int | str, noun: str, plural: str = "") -> str:
    """Return a count, in digits or words, with a singular noun or its plural: `1 error`, `two errors`."""
    return f"{count} {noun if count in (1, '1', 'one') else plural or pluralize(noun)}"


def make_possessive(noun: str) -> str:
    pronouns = {"you": "your", "it": "its", "they": "their", "everybody": "everybody's"}
    if noun in pronouns:
        return pronouns[noun]
    return noun + ("'" if is_plural(noun.split(",")[0]) and not noun[:1].isupper() else "'s")


def join_phrases(parts: Sequence[str], word: str = "and") -> str:
    """Join parts: `a, b and c`. A comma precedes the last word if a part contains commas."""
    parts = [part for part in parts if part]
    if len(parts) < 2:
        return "".join(parts)
    heavy = any("," in part for part in parts)
    return ", ".join(parts[:-1]) + f"{',' if heavy else ''} {word} {parts[-1]}"


def conjugate_third_person(verb: str) -> str:
    """Return the third person of an infinitive. Further words may follow the infinitive."""
    head, _, rest = verb.partition(" ")
    irregular = {"have": "has", "be": "is", "do": "does", "go": "goes"}
    form = irregular.get(head) or pluralize(head)
    return f"{form} {rest}" if rest else form


def build_option_phrase(option: str, objects: Sequence[str]) -> tuple[str, str]:
    """Return the infinitive of taking an option, and its objects: `bet 12`, `raise by 20`.

    If the option's name isn't a known verb, the infinitive is `choose`."""
    links = OPTION_VERB_PREPOSITIONS.get(option)
    if links is None or len(objects) > len(links):
        return "choose", f"“{replace_hyphens(option)}”{f' with {join_phrases(objects)}' if objects else ''}"
    return replace_hyphens(option), " ".join(
        word for pair in zip(links, objects, strict=False) for word in pair if word
    )


def is_command(text: str) -> bool:
    """Return whether a text begins with a verb of card play: `follow suit if you can`."""
    return text.partition(" ")[0] in {*STEP_VERBS, "follow", "keep", "use"}


def address_players(text: str) -> str:
    """Return a text about the reader as one about all players."""
    pronouns = {"you": "they", "your": "their", "yours": "theirs"}
    return re.sub(r"\b(you|yours?)\b", lambda word: pronouns[word[0]], text)


def classify_step_title(title: str) -> tuple[str, str]:
    """Return the form of a title, and its verb: a verb phrase, a gerund, or a noun with the verb that it takes, if any.

    `Play tricks` is a verb phrase, `Scoring` a gerund, `Trick` a noun that is played.
    """
    first, *rest = title.lower().split(" ")
    if rest and rest[-1] in VERB_PARTICLES:
        return "verb", first
    if first in STEP_VERBS and first not in LIGHT_VERBS and (not rest or is_plural(rest[-1])):
        return "verb", first
    if first.endswith("ing"):
        return "gerund", ""
    return "noun", LIGHT_VERBS.get((rest or [first])[-1], "")


def is_general_rule(text: str) -> bool:
    """Return whether a text says when something is allowed, such as `Only a bid can be doubled.`

    Other texts describe the moment: `The deck is empty.`
    """
    return bool(CONDITION_WORDS.search(text))


def is_score(noun: str) -> bool:
    """Return whether a noun names a score: `score`, `game points`."""
    return noun.split(" ")[-1] in SCORE_NOUNS


def get_gain_verb(noun: str, is_gained: bool) -> str:
    """Return the verb for gaining or losing some of a noun."""
    return ("score" if is_score(noun) else "gain") if is_gained else "lose"


def find_infinitive(verb: str) -> str:
    """Return the infinitive of a third person, such as `uses`, `carries` or `passes`."""
    if verb.endswith("ies"):
        return verb[:-3] + "y"
    return re.sub(r"(ss|x|zz|ch|sh|o)es$|s$", r"\1", verb)


def agree_verb(verb: str, plural_subject: bool) -> str:
    """Make a verb phrase in the third person (`has folded`) agree with `you` or a plural, if `plural_subject`."""
    if not plural_subject:
        return verb
    head, _, rest = verb.partition(" ")
    form = PLURAL_VERB_FORMS.get(head, head)
    if form == head and not AUXILIARY_VERB_PATTERN.match(head):
        form = find_infinitive(head)
    return f"{form} {rest}" if rest else form


def negate_sentence(text: str) -> str:
    """Negate a sentence: insert `not` after its first auxiliary verb, or `does not` before its main verb."""
    mended, replaced = AUXILIARY_VERB_PATTERN.subn(r"\1 not", text, count=1)
    if not replaced:
        mended, replaced = MAIN_VERB_PATTERN.subn(lambda verb: f"does not {find_infinitive(verb[0])}", text, count=1)
    return mended.replace("can not", "can't") if replaced else f"it is not so that {text}"


def split_at_auxiliary(clause: str) -> tuple[str, str, str]:
    """Split a clause before and after its auxiliary verb; the subject is empty if it begins with a verb."""
    match = re.match(r"(?!\w+s )(\w[\w ]*?) (is|are|was|were|has|have) (.+)", clause)
    return (match[1], match[2], match[3]) if match else ("", "", clause)


def format_times(count: int) -> str:
    """Return `once`, `twice` or `three times`."""
    return {1: "once", 2: "twice"}.get(count, f"{spell_number(count)} times")


def describe_change(text: str, starts_holding: bool) -> str:
    """Return a condition that starts or stops holding: `you are now slowed`, `you have not yet acted`."""
    if not AUXILIARY_VERB_PATTERN.search(text):
        ended, replaced = MAIN_VERB_PATTERN.subn(r"no longer \1", text, count=1)
        return text if starts_holding else ended if replaced else f"it is no longer so that {text}"
    if starts_holding:
        return AUXILIARY_VERB_PATTERN.sub(r"\1 now", text, count=1)
    subject, auxiliary, participle = AUXILIARY_VERB_PATTERN.split(text, maxsplit=1)
    if auxiliary in ("has", "have"):
        return f"{subject}{agree_verb('counts', auxiliary == 'have')} as not having{participle}"
    return f"{subject}{auxiliary} no longer{participle}"


def punctuate_sentence(text: str) -> str:
    """Return a text with a capital first letter and final punctuation."""
    text = capitalize_first_letter(text.strip())
    return text if re.search(r"[.:!?][”\"')]?$", text) else text + "."


def format_ordinal(number: int) -> str:
    """Return a positive number as a place: `1st`, `12th`, `23rd`."""
    endings = {1: "st", 2: "nd", 3: "rd"} if number // 10 % 10 != 1 else {}
    return f"{number}{endings.get(number % 10, 'th')}"
