"""The stages of a sheet, each on its own: what is said, in which order, joined, referred to, realised."""

import cardlang
from cardlang.rulesheet.content import content, given, kept
from cardlang.rulesheet.english import Scope
from cardlang.rulesheet.joining import joined, together
from cardlang.rulesheet.lexicon import build_lexicon
from cardlang.rulesheet.model import Item, Join, Section
from cardlang.rulesheet.order import arranged
from cardlang.rulesheet.realising import finished
from cardlang.rulesheet.referring import known, referred
from cardlang.rulesheet.setting_out import acts

TEXT = """\
game "Bank" for 2 to 4 players
kind Suit: Red, Blue
cards Pack in deck
  3 of each Suit
cards Spare in deck
  0 of "Nothing"
zone deck
number your score starts at 7
number round
number your stake starts each turn at 0
number your pace starts each turn at 2
flag your done starts each turn at no "Only for the rules."
player leader starts at random of players
step play
  expect count of deck = 6 "All are there."
  each player
    do your turn
step your turn
  add 1 to your score
"""


def act(text: str, words: str = "") -> Item:
    return Item(text, words, join=Join(act=True))


def lead(text: str, *body: Item, mark: str = ":", everybody: bool = False) -> Item:
    return Item(text, items=body, join=Join(mark=mark, everybody=everybody))


def step(name: str, words: str = "") -> Item:
    return Item(f"“{name}”", words, join=Join(step=True))


# ---------------------------------------------------------------- what is said
def test_what_nobody_needs_at_the_table_is_not_said() -> None:
    game = cardlang.loads(TEXT)
    told = content(game)
    assert [*told.sets] == ["Pack"] and [*game.sets] == ["Pack", "Spare"]
    assert len(told.steps["play"].body) == 1 and len(game.steps["play"].body) == 2
    assert [track.name for track in kept(told, game)] == ["score", "round", "pace", "leader"]
    assert [track.name for track in given(told, game)] == ["score", "leader"]


def test_what_is_set_before_the_game_is_done_as_people_do_it() -> None:
    numbers = "number hints starts at 8\nnumber fuses starts at 3\nnumber your chips starts at 5\n"
    shown = "".join(f"show {name}\n" for name in ("hints", "fuses", "your chips", "leader"))
    game = cardlang.loads(TEXT + numbers + shown)
    said = [item.text for item in acts(content(game), Scope(build_lexicon(game)))]
    assert said == [
        "Begin with eight hints and three fuses.",
        "Draw the leader at random.",
        "Everybody takes five chips.",
    ]


# ---------------------------------------------------------------- in which order
def test_one_learns_first_what_the_game_is_about() -> None:
    titles = ["The Ranks", "Contents", "Questions and answers", "How to play", "How to win", "The Bids"]
    ordered = [section.title for section in arranged(Section(title) for title in titles)]
    assert ordered == [
        "How to win",
        "Contents",
        "How to play",
        "The Ranks",
        "The Bids",
        "Questions and answers",
    ]


# ---------------------------------------------------------------- joined
def test_a_few_acts_are_one_sentence() -> None:
    one = joined(lead("if you can", act("take the gem"), act("add one to your score"), mark=","))
    assert (one.text, one.items) == ("if you can, take the gem and add one to your score", ())
    many = joined(lead("if you can", *[act(f"take gem {number}") for number in range(4)], mark=","))
    assert many.text == "if you can:" and len(many.items) == 4


def test_an_act_with_words_of_its_own_stands_alone_unless_it_is_the_last() -> None:
    first = joined(lead("then", act("take it", "Quickly."), act("stop")))
    assert first.text == "then:" and [item.words for item in first.items] == ["Quickly.", ""]
    last = joined(lead("then", act("take it"), act("stop", "Quickly.")))
    assert (last.text, last.words) == ("then: take it and stop", "Quickly.")


def test_what_everybody_does_is_told_of_everybody() -> None:
    both = lead("each player in turn", act("pay the ante"), act("deal five cards to your hand"), everybody=True)
    assert joined(both).text == "everybody pays the ante and is dealt five cards"
    one = lead("each player in turn", act("add your penalty to your score"), everybody=True)
    assert joined(one).text == "everybody adds their penalty to their score"


def test_cards_are_shuffled_into_where_they_go() -> None:
    (item,) = together((act("move all cards to the deck"), act("shuffle the deck", "Well.")))
    assert (item.text, item.words) == ("shuffle all cards into the deck", "Well.")
    assert len(together((act("move all cards to the deck"), act("shuffle the box")))) == 2


def test_parts_of_the_game_that_come_one_after_the_other() -> None:
    turn = lead("as long as there are cards", step("Play", "A trick."), step("Share"))
    assert joined(turn).text == "as long as there are cards: “Play”, then “Share”"
    case = lead("if nobody bets", step("Showdown"), mark=",")
    assert joined(case).text == "if nobody bets, “Showdown” follows"


# ---------------------------------------------------------------- referred to
def test_what_was_just_named_is_meant_by_a_pronoun() -> None:
    item = referred(Item("put the scraps into the deck and shuffle the deck"))
    assert item.text == "put the scraps into the deck and shuffle it"
    other = "put the scraps into the deck and shuffle the box"
    assert referred(Item(other)).text == other


def test_what_was_said_of_a_part_of_the_game_is_not_said_again() -> None:
    items = (step("Betting", "Go round."), step("Draw"), step("Betting", "Go round."))
    assert [item.words for item in known(items)] == ["Go round.", "", ""]


# ---------------------------------------------------------------- realised
def test_drafts_become_sentences() -> None:
    item = finished(lead("if you can", act("take it", "now")))
    assert (item.text, item.words, item.join) == ("If you can: take it.", "Now.", None)
