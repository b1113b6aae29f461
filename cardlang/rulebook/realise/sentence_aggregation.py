"""Aggregation of draft sentences and final punctuation.

It works on drafts, `Item`s without capitals and full stops, from the inside out. A lead and its instructions form one
sentence if possible.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence

from attrs import evolve

from cardlang.english import morphology
from cardlang.rulebook.model import TITLE_LINK, AggregationHints, Item, StyledText, TextSpan

MAX_ACTIONS = 3
"""Maximum number of acts in one sentence."""
MAX_PAIR_LETTERS = 110
"""Maximum number of letters in a sentence of a lead, an act and a change of state."""
MAX_SENTENCE_LETTERS = 170
"""Maximum number of letters in such a sentence."""
SENTENCE_ENDS = (". ", "! ", "? ")
NO_HINTS = AggregationHints()
STEP_LINK = re.compile(r"“([^”|]+)\|([^”]+)”")
"""In a draft, a title of a section and the words that link to it; see `format_step_link`."""


def format_step_link(title: str, shown: str) -> str:
    """Return words that link to the section of a title, marked until `punctuate_item`: `“Trick|a trick”`."""
    return f"“{title}|{shown}”"


def conjugate_act(infinitive: str) -> str:
    """Return an act in the third person, even if its verb is a link."""
    link = STEP_LINK.match(infinitive)
    if link is None:
        return morphology.conjugate_third_person(infinitive)
    return f"{format_step_link(link[1], morphology.conjugate_third_person(link[2]))}{infinitive[link.end() :]}"


def aggregate_draft(item: Item) -> Item:
    """Aggregate a draft and all drafts nested in it."""
    body = join_acts_of_subject(tuple(map(aggregate_draft, item.items)))
    hints = item.aggregation or NO_HINTS
    mark = hints.lead_mark
    if not mark:
        return evolve(item, items=body)
    is_single = len(body) == 1 and (is_short_item(body[0]) or (mark == "," and is_plain_item(body[0])))
    if is_single or can_share_sentence(body):
        return evolve(
            item,
            text=f"{item.text}{mark} {join_actions([draft.text for draft in body])}",
            author_text=merge_author_texts(item.author_text, body[-1].author_text),
            items=(),
            aggregation=AggregationHints(explanation=get_explanation(body[-1])),
        )
    if len(body) == 2 and mark == "," and all(map(is_short_item, body)) and not any(d.author_text for d in body):
        text = f"{item.text}, {body[0].text}; {body[1].text}"
        if len(text) <= MAX_PAIR_LETTERS:
            return evolve(item, text=text, items=(), aggregation=AggregationHints(explanation=get_explanation(body[1])))
    if len(body) == 1 and can_open_list(item, body[0]):
        act = body[0].text if mark == "," or not hints.is_subject else conjugate_act(body[0].text)
        text = f"{item.text}{'' if hints.is_subject else mark} {act}"
        author_text = merge_author_texts(item.author_text, body[0].author_text)
        return evolve(body[0], text=text, author_text=author_text, aggregation=NO_HINTS)
    return evolve(item, text=f"{item.text}:", items=body, aggregation=NO_HINTS)


def join_acts_of_subject(body: tuple[Item, ...]) -> tuple[Item, ...]:
    """Return a few short acts of another player as one: `the bidder pays 3 coins and takes that card`."""
    subjects = {(draft.aggregation or NO_HINTS).subject for draft in body}
    subject = next(iter(subjects), "")
    is_short = all(is_short_item(draft) and not get_explanation(draft) for draft in body)
    if not 2 <= len(body) <= MAX_ACTIONS or len(subjects) > 1 or not subject or not is_short:
        return body
    if any(draft.author_text for draft in body[:-1]) or sum(len(draft.text) for draft in body) > MAX_SENTENCE_LETTERS:
        return body
    acts = [draft.text.removeprefix(f"{subject} ") for draft in body]
    return (evolve(body[-1], text=f"{subject} {join_actions(acts)}"),)


def can_open_list(lead: Item, only: Item) -> bool:
    """Return whether a lead and the only instruction under it, which has a list, make one sentence before that list."""
    hints, known = lead.aggregation or NO_HINTS, only.aggregation or NO_HINTS
    fits = known.is_action if hints.is_subject else hints.lead_mark == "," or not lead.text
    return bool(only.items) and not only.title and fits


def get_explanation(item: Item) -> str:
    return (item.aggregation or NO_HINTS).explanation


def is_plain_item(item: Item) -> bool:
    return not item.items and not item.title and not item.figures


def is_short_item(item: Item) -> bool:
    return is_plain_item(item) and ":" not in item.text


def can_share_sentence(items: Sequence[Item]) -> bool:
    """Return whether these are a few short acts that fit in one sentence. Only the last may have a remark."""
    if not 1 <= len(items) <= MAX_ACTIONS or any(item.author_text or get_explanation(item) for item in items[:-1]):
        return False
    plain = all(is_short_item(item) and (item.aggregation or NO_HINTS).is_action for item in items)
    return plain and sum(len(item.text) for item in items) <= MAX_SENTENCE_LETTERS


def merge_author_texts(*parts: str) -> str:
    """Merge the author's texts of aggregated instructions, without duplicates."""
    return " ".join(morphology.punctuate_sentence(part) for part in dict.fromkeys(parts) if part)


def join_actions(texts: Sequence[str]) -> str:
    """Join consecutive acts; use `then` if they contain `and`."""
    if len(texts) > 1 and any(" and " in text or "," in text for text in texts):
        return f"{', '.join(texts[:-1])}, then {texts[-1]}"
    return morphology.join_phrases(texts)


FUNCTION_WORDS = {
    "a", "an", "and", "are", "as", "at", "be", "by", "each", "either", "for", "from", "has", "have", "if", "in", "into",
    "is", "it", "its", "kind", "need", "of", "on", "one", "onto", "or", "that", "the", "there", "this", "to", "top",
    "until", "with", "you", "your",
}  # fmt: skip
"""Words that add nothing to a sentence that repeats the rules."""


def drop_told_sentences(author_text: str, *told: str) -> str:
    """Return an author's text without the sentences whose words are all in the rules next to it."""
    known = set().union(*map(find_word_stems, told))
    sentences = re.split(r"(?<=[.!?]) ", author_text)
    return " ".join(sentence for sentence in sentences if not find_word_stems(sentence) <= known)


def find_word_stems(text: str) -> set[str]:
    """Return the words of a text in lower case and singular, numbers in digits."""
    words = re.findall(r"[\w'’]+", text.lower())
    numbers = {word: str(number) for number, word in enumerate(morphology.SMALL_NUMBER_WORDS)}
    return {numbers.get(word) or morphology.singularize(word) for word in words if word not in FUNCTION_WORDS}


def drop_repeated_remarks(items: Sequence[Item]) -> Iterator[Item]:
    """Yield consecutive instructions. A remark on a step is not repeated."""
    seen: set[tuple[str, str]] = set()
    for item in items:
        yield evolve(item, author_text="") if (item.text, item.author_text) in seen else item
        seen.add((item.text, item.author_text))


# ---------------------------------------------------------------- punctuation
def realize_item(item: Item) -> Item:
    """Return a draft and its nested drafts in final form."""
    return punctuate_item(aggregate_draft(item))


def realize_step_items(items: Iterable[Item]) -> tuple[Item, ...]:
    """Return the instructions of a step in final form, each aggregated separately."""
    return tuple(map(punctuate_item, drop_repeated_remarks([*map(aggregate_draft, items)])))


def punctuate_item(item: Item) -> Item:
    """Turn texts into sentences, with a capital letter and a full stop."""
    sentence = morphology.punctuate_sentence(item.text) if item.text else ""
    if item.is_one_sentence:
        sentence = item.text[:1] + sentence[1:]
    text = build_linked_text(" ".join(filter(None, (sentence, get_explanation(item)))))
    author_text = drop_told_sentences(item.author_text, *list_texts(item)) if text else item.author_text
    author_text = morphology.punctuate_sentence(author_text) if author_text else ""
    return evolve(
        item, text=text, author_text=author_text, items=tuple(map(punctuate_item, item.items)), aggregation=None
    )


def list_texts(item: Item) -> list[str]:
    """Return the texts of an item and of all items under it, without titles and texts of authors."""
    return [STEP_LINK.sub(r"\2", item.text), *(text for part in item.items for text in list_texts(part))]


def build_linked_text(text: str) -> str:
    """Return a text in which the words for steps link to the sections with their titles."""
    parts = STEP_LINK.split(text)
    if len(parts) == 1:
        return text
    spans = [TextSpan(morphology.capitalize_first_letter(parts[0]) if parts[0] else "")]
    for title, shown, after in zip(parts[1::3], parts[2::3], parts[3::3], strict=True):
        begins = spans[-1].text.endswith(SENTENCE_ENDS) or not spans[-1].text
        shown = morphology.capitalize_first_letter(shown) if begins else shown
        spans += [TextSpan(shown, link=f"{TITLE_LINK}{title}"), TextSpan(after)]
    return StyledText(span for span in spans if span.text)
