"""Small pieces of English, checked against English."""

from fractions import Fraction

import pytest

from cardlang import words


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
    ],
)
def test_plural_and_back(one: str, many: str) -> None:
    assert words.plural(one) == many
    assert words.singular(many) == one
    assert words.is_plural(many)
    assert not words.is_plural(one)


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
    assert words.figure(Fraction(digits)) == said


def test_articles() -> None:
    said = ["a card", "an ace", "an Acting card", "a unit", "an uncle"]
    assert [words.article(text.split(" ", 1)[1]) for text in said] == said


def test_lists() -> None:
    assert words.join([]) == ""
    assert words.join(["a"]) == "a"
    assert words.join(["a", "b"]) == "a and b"
    assert words.join(["a", "b", "c"], "or") == "a, b or c"
    assert words.join(["a, with b", "c"]) == "a, with b, and c"


def test_verbs() -> None:
    assert words.agree("has folded", many=True) == "have folded"
    assert words.agree("uses the Tall suit", many=True) == "use the Tall suit"
    assert words.agree("is slow", many=False) == "is slow"
    assert words.third("carry out") == "carries out"
    assert words.third("pass") == "passes"
    assert words.negate("hearts are broken") == "hearts are not broken"
    assert words.from_now("you have folded", holds=True) == "you have now folded"
    assert words.from_now("you have folded", holds=False) == "it is now as if you had not folded"
    assert words.from_now("you are slowed", holds=False) == "you are no longer slowed"


def test_possessives() -> None:
    assert words.possessive("you") == "your"
    assert words.possessive("the players") == "the players'"
    assert words.possessive("the dealer") == "the dealer's"


def test_sentences() -> None:
    assert words.sentence("draw a card") == "Draw a card."
    assert words.sentence("choose one:") == "Choose one:"
    assert words.sentence("He said “No!”") == "He said “No!”"
