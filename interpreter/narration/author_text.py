"""Sentences and instructions of a game's author, parsed into phrases once.

An author writes a sentence with values in it: `{you} wins {pot} with {your strength}.` Parsing marks its verbs,
pronouns and numbers, so the player it is about can read it in the second person.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from functools import lru_cache, partial

from cardlang.english.morphology import OPTION_VERB_PREPOSITIONS, agree_verb, conjugate_third_person
from interpreter.narration import event_phrases as p

Value = tuple[str, ...]
"""Phrases of a value in a sentence."""
Piece = Callable[[Sequence[Value]], Value]
"""Function that returns the phrases of one piece of a sentence, from the values in it."""
FIRST_MARK = 0xE000
"""First private-use character. These mark the values in a text."""
MAX_CACHED_TEXTS = 1024
NON_VERBS = ("as", "his", "its", "this", "thus", "less", "plus", "minus", "always", "perhaps")
CLAUSE_START = re.compile(r"(?:[,;:]|\b(?:[Aa]s|[Ii]f|[Ww]hen|then|that|because)) $")
"""Beginning of a clause, in which a following name is the subject and the next word its verb.

Elsewhere, the name can be an object and the next word something the player is given.
"""
SENTENCE_PIECE = re.compile(
    r"(?P<value>[\uE000-\uF8FF])(?:(?P<of>'s(?!\w))|(?P<verb> (?!and\b)[a-z]+(?!\w)))?"
    r"|(?P<and> and (?:so |then |also )?)(?P<second>[a-z]+s)\b"
    r"(?P<object>(?= (?:an?|the|all|no|what|who|it|one|their|your)\b| [\d\[\uE000-\uF8FF]))?"
    r"|(?P<their>(?<= )their(?= ))|(?P<card>\ba card\b)|(?P<number>\d+)|(?P<end>[.!?] )"
)
"""Pieces of a sentence. The object of a second verb distinguishes it from a noun (`aces and sixes`)."""
INSTRUCTION_PIECE = re.compile(
    r"(?P<value>[\uE000-\uF8FF])|(?P<your>\byour(?P<self>self)?\b)|(?P<and> and )(?P<verb>[\w-]+)"
    r"|(?P<card>\ba card\b)|(?P<number>\d+)"
)
BRACKETED_TEXT = re.compile(r" \([^()]*\)")
COMPLEX_TEXT = re.compile(r" and |[,.“]")


def mark_values(words: Sequence[str]) -> str:
    """Return a text with a mark for each value."""
    return "".join(f"{chr(FIRST_MARK + index - 1) if index else ''}{text}" for index, text in enumerate(words))


def fill_text(pieces: Sequence[Piece], values: Sequence[Value]) -> list[str]:
    return [phrase for piece in pieces for phrase in piece(values)]


def get_phrase(phrase: str, values: Sequence[Value]) -> Value:
    return (phrase,) if phrase else ()


# ---------------------------------------------------------------- sentences
def build_author_line(words: tuple[str, ...], values: Sequence[Value]) -> p.Line:
    """Return a sentence of the author with its values."""
    phrases = fill_text(parse_sentence(words), values)
    return p.Line((p.capitalize_phrase(phrases[0]), *phrases[1:])) if phrases else p.Line()


@lru_cache(MAX_CACHED_TEXTS)
def parse_sentence(words: tuple[str, ...]) -> tuple[Piece, ...]:
    text, pieces, done, start, subject = mark_values(words), list[Piece](), 0, 0, -1
    for match in SENTENCE_PIECE.finditer(text):
        pieces.append(partial(get_phrase, text[done : match.start()]))
        done = match.end()
        begins = match.start() == start
        if match["value"]:
            index = ord(match["value"]) - FIRST_MARK
            is_clause = begins or CLAUSE_START.search(text, start, match.start()) is not None
            subject = index if begins and not match["of"] else subject
            pieces.append(partial(get_value, index, bool(match["of"]), begins))
            if match["verb"]:
                pieces.append(partial(get_verb, index if is_clause else -1, " ", match["verb"][1:]))
        elif match["and"]:
            verb = agree_verb(match["second"], True)
            is_verb = verb == "have" or verb in OPTION_VERB_PREPOSITIONS or match["object"] is not None
            pieces.append(partial(get_verb, subject if is_verb else -1, match["and"], match["second"]))
        elif match["their"]:
            pieces.append(partial(get_pronoun, subject))
        elif match["card"] or match["number"]:
            pieces.append(partial(get_phrase, p.Amount(match[0]) if match["number"] else p.Cards.create((), 1)))
        else:
            pieces.append(partial(get_phrase, match[0]))
            start, subject = match.end(), -1
    return (*pieces, partial(get_phrase, text[done:]))


def get_value(index: int, is_possessive: bool, begins: bool, values: Sequence[Value]) -> Value:
    value, player = values[index], find_player(index, values)
    if is_possessive:
        value = (*value, "'s") if player is None else (p.make_possessive_name(player),)
    return (p.capitalize_phrase(value[0]), *value[1:]) if begins and value and isinstance(value[0], p.Phrase) else value


def find_player(index: int, values: Sequence[Value]) -> str | None:
    """Return the player that a value is; None if it is something else."""
    value = values[index] if index >= 0 else ()
    return value[0].who if len(value) == 1 and isinstance(value[0], p.Name) else None


def get_verb(subject: int, before: str, word: str, values: Sequence[Value]) -> Value:
    player = find_player(subject, values)
    is_verb = player is not None and word.endswith("s") and not word.endswith("ss") and word not in NON_VERBS
    return (before, p.make_verb(word, player) if is_verb else word)


def get_pronoun(subject: int, values: Sequence[Value]) -> Value:
    player = find_player(subject, values)
    return ("their" if player is None else p.make_pronoun(player),)


def build_foreign_phrases(words: tuple[str, ...], values: Sequence[Value]) -> list[str]:
    """Return a translated text with its values. Its verbs stay, so its players are never `you`."""
    phrases = [words[0]]
    for value, text in zip(values, words[1:], strict=True):
        phrases += [p.Name.create(each, each.who, each) if isinstance(each, p.Name) else each for each in value]
        phrases.append(text)
    return [phrase for phrase in phrases if phrase]


# ---------------------------------------------------------------- instructions
def build_predicate(
    words: tuple[str, ...], values: Sequence[Value], player: str | None, is_intended: bool = False
) -> list[str]:
    """Return an instruction of the author to a player (`end your turn`) as the predicate of a sentence about them.

    Text in brackets addresses the player and is removed. `is_intended`: the player only announces it: `wants to draw`.
    """
    return fill_text(parse_instruction(words, player, is_intended), values)


@lru_cache(MAX_CACHED_TEXTS)
def parse_instruction(words: tuple[str, ...], player: str | None, is_intended: bool) -> tuple[Piece, ...]:
    text = BRACKETED_TEXT.sub("", mark_values(words))
    head = re.match(r"[^ \uE000-\uF8FF]*", text)
    verb = head[0] if head is not None else ""
    finite, rest = ("want", f" to {verb}") if is_intended else (verb, "")
    pieces: list[Piece] = [partial(get_phrase, p.make_verb(conjugate_third_person(finite), player))] if verb else []
    pieces.append(partial(get_phrase, rest))
    done = len(verb)
    for match in INSTRUCTION_PIECE.finditer(text, done):
        pieces.append(partial(get_phrase, mark_clause(text[done : match.start()])))
        done = match.end()
        if match["value"]:
            pieces.append(partial(get_value, ord(match["value"]) - FIRST_MARK, False, False))
        elif match["your"]:
            own = p.Phrase.create("themselves", player, "yourself") if match["self"] else p.make_pronoun(player)
            pieces.append(partial(get_phrase, own))
        elif match["card"] or match["number"]:
            pieces.append(partial(get_phrase, p.Amount(match[0]) if match["number"] else p.Cards.create((), 1)))
        elif match["verb"] in OPTION_VERB_PREPOSITIONS and not is_intended:
            pieces.append(partial(get_phrase, match["and"]))
            pieces.append(partial(get_phrase, p.make_verb(conjugate_third_person(match["verb"]), player)))
        else:
            pieces.append(partial(get_phrase, p.Clause(match[0])))
    return (*pieces, partial(get_phrase, mark_clause(text[done:])))


def mark_clause(text: str) -> str:
    return p.Clause(text) if COMPLEX_TEXT.search(text) else text
