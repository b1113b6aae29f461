"""Stages of a rulebook, one at a time: content, order, aggregation, references, realisation."""

import cardlang
from cardlang.rulebook.model import AggregationHints, Item, Section
from cardlang.rulebook.plan.library_constant_folding import select_content
from cardlang.rulebook.plan.sections import sort_sections
from cardlang.rulebook.plan.track_entries import build_setup_items, find_initial_tracks, find_player_tracks
from cardlang.rulebook.realise.aggregation import (
    add_pronouns,
    aggregate_draft,
    drop_repeated_remarks,
    merge_consecutive_drafts,
    realize_item,
)
from cardlang.rulebook.realise.lexicon import build_lexicon
from cardlang.rulebook.realise.phrases import PhraseScope
from tests.game_files import read_game

TEXT = read_game("bank")


def act(text: str, words: str = "") -> Item:
    return Item(text, words, aggregation=AggregationHints(is_action=True))


def lead(text: str, *body: Item, mark: str = ":", everybody: bool = False) -> Item:
    return Item(text, items=body, aggregation=AggregationHints(lead_mark=mark, is_for_all_players=everybody))


def step(name: str, words: str = "") -> Item:
    return Item(f"“{name}”", words, aggregation=AggregationHints(is_step_call=True))


# ---------------------------------------------------------------- what is said
def test_what_nobody_needs_at_the_table_is_not_said() -> None:
    game = cardlang.loads(TEXT)
    told = select_content(game)
    assert [*told.sets] == ["Pack"] and [*game.sets] == ["Pack", "Spare"]
    assert len(told.steps["play"].body) == 1 and len(game.steps["play"].body) == 2
    assert [track.name for track in find_player_tracks(told, game)] == ["score", "round", "pace", "leader"]
    assert [track.name for track in find_initial_tracks(told, game)] == ["score", "leader"]


def test_what_is_set_before_the_game_is_done_as_people_do_it() -> None:
    numbers = "number hints starts at 8\nnumber fuses starts at 3\nnumber your chips starts at 5\n"
    shown = "".join(f"show {name}\n" for name in ("hints", "fuses", "your chips", "leader"))
    game = cardlang.loads(TEXT + numbers + shown)
    said = [item.text for item in build_setup_items(select_content(game), PhraseScope(build_lexicon(game)))]
    assert said == [
        "Begin with eight hints and three fuses.",
        "Choose the first leader at random.",
        "Each player takes five chips.",
    ]


# ---------------------------------------------------------------- in which order
def test_one_learns_first_what_the_game_is_about() -> None:
    titles = ["The Ranks", "Contents", "Questions and answers", "How to play", "Goal", "The Bids"]
    ordered = [section.title for section in sort_sections(Section(title) for title in titles)]
    assert ordered == [
        "Goal",
        "Contents",
        "How to play",
        "The Ranks",
        "The Bids",
        "Questions and answers",
    ]


# ---------------------------------------------------------------- joined
def test_a_few_acts_are_one_sentence() -> None:
    one = aggregate_draft(lead("if you can", act("take the gem"), act("add one to your score"), mark=","))
    assert (one.text, one.items) == ("if you can, take the gem and add one to your score", ())
    many = aggregate_draft(lead("if you can", *[act(f"take gem {number}") for number in range(4)], mark=","))
    assert many.text == "if you can:" and len(many.items) == 4


def test_an_act_with_words_of_its_own_stands_alone_unless_it_is_the_last() -> None:
    first = aggregate_draft(lead("then", act("take it", "Quickly."), act("stop")))
    assert first.text == "then:" and [item.author_text for item in first.items] == ["Quickly.", ""]
    last = aggregate_draft(lead("then", act("take it"), act("stop", "Quickly.")))
    assert (last.text, last.author_text) == ("then: take it and stop", "Quickly.")


def test_what_everybody_does_is_told_of_everybody() -> None:
    both = lead("each player in turn", act("pay the ante"), act("deal five cards to your hand"), everybody=True)
    assert aggregate_draft(both).text == "everybody pays the ante and is dealt five cards"
    one = lead("each player in turn", act("add your penalty to your score"), everybody=True)
    assert aggregate_draft(one).text == "everybody adds their penalty to their score"


def test_cards_are_shuffled_into_where_they_go() -> None:
    (item,) = merge_consecutive_drafts((act("move all cards to the deck"), act("shuffle the deck", "Well.")))
    assert (item.text, item.author_text) == ("shuffle all cards into the deck", "Well.")
    assert len(merge_consecutive_drafts((act("move all cards to the deck"), act("shuffle the box")))) == 2


def test_parts_of_the_game_that_come_one_after_the_other() -> None:
    turn = lead("as long as there are cards", step("Play", "A trick."), step("Share"))
    assert aggregate_draft(turn).text == "as long as there are cards: “Play”, then “Share”"
    case = lead("if nobody bets", step("Showdown"), mark=",")
    assert aggregate_draft(case).text == "if nobody bets, “Showdown” follows"


# ---------------------------------------------------------------- referred to
def test_what_was_just_named_is_meant_by_a_pronoun() -> None:
    item = add_pronouns(Item("put the scraps into the deck and shuffle the deck"))
    assert item.text == "put the scraps into the deck and shuffle it"
    other = "put the scraps into the deck and shuffle the box"
    assert add_pronouns(Item(other)).text == other


def test_what_was_said_of_a_part_of_the_game_is_not_said_again() -> None:
    items = (step("Betting", "Go round."), step("Draw"), step("Betting", "Go round."))
    assert [item.author_text for item in drop_repeated_remarks(items)] == ["Go round.", "", ""]


# ---------------------------------------------------------------- realised
def test_drafts_become_sentences() -> None:
    item = realize_item(lead("if you can", act("take it", "now")))
    assert (item.text, item.author_text, item.aggregation) == ("If you can: take it.", "Now.", None)
