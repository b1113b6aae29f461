"""Small pieces of English: plurals, articles, lists."""

from fractions import Fraction

import pytest

from cardlang.english import morphology


@pytest.mark.parametrize(
    ("one", "many"),
    [
        ("card", "cards"),
        ("ability", "abilities"),
        ("play", "plays"),
        ("bonus", "bonuses"),
        ("class", "classes"),
        ("box", "boxes"),
        ("card on offer", "cards on offer"),
        ("set of chips", "sets of chips"),
        ("card not on the table", "cards not on the table"),
    ],
)
def test_plurals_round_trip(one: str, many: str) -> None:
    assert morphology.pluralize(one) == many
    assert morphology.singularize(many) == one
    assert morphology.is_plural(many)
    assert not morphology.is_plural(one)


def test_cards_have_no_second_plural() -> None:
    assert morphology.pluralize("cards not on the table") == "cards not on the table"


@pytest.mark.parametrize(
    ("digits", "said"),
    [
        ("0", "zero"),
        ("2", "two"),
        ("12", "twelve"),
        ("13", "13"),
        ("37.5", "37½"),
        ("0.5", "½"),
        ("1.3", "1.3"),
    ],
)
def test_numbers(digits: str, said: str) -> None:
    assert morphology.format_number(Fraction(digits)) == said


def test_articles() -> None:
    said = ["a card", "an ace", "an Acting card", "a unit", "an uncle"]
    assert [morphology.add_article(text.split(" ", 1)[1]) for text in said] == said


def test_lists() -> None:
    assert morphology.join_phrases([]) == ""
    assert morphology.join_phrases(["a"]) == "a"
    assert morphology.join_phrases(["a", "b"]) == "a and b"
    assert morphology.join_phrases(["a", "b", "c"], "or") == "a, b or c"
    assert morphology.join_phrases(["a, with b", "c"]) == "a, with b, and c"


def test_verbs() -> None:
    assert morphology.agree_verb("has folded", plural_subject=True) == "have folded"
    assert morphology.agree_verb("uses the Tall suit", plural_subject=True) == "use the Tall suit"
    assert morphology.agree_verb("is slow", plural_subject=False) == "is slow"
    assert morphology.conjugate_third_person("carry out") == "carries out"
    assert morphology.conjugate_third_person("pass") == "passes"
    assert morphology.negate_sentence("hearts are broken") == "hearts are not broken"
    assert morphology.describe_change("you have folded", starts_holding=True) == "you have now folded"
    assert morphology.describe_change("you have folded", starts_holding=False) == "you count as not having folded"
    assert morphology.describe_change("you are slowed", starts_holding=False) == "you are no longer slowed"


def test_possessives() -> None:
    assert morphology.make_possessive("you") == "your"
    assert morphology.make_possessive("the players") == "the players'"
    assert morphology.make_possessive("the dealer") == "the dealer's"


def test_sentences() -> None:
    assert morphology.punctuate_sentence("draw a card") == "Draw a card."
    assert morphology.punctuate_sentence("choose one:") == "Choose one:"
    assert morphology.punctuate_sentence("He said “No!”") == "He said “No!”"
