"""Stages of a rulebook, one at a time: content, order, aggregation, references, realisation."""

import cardlang
from cardlang.rulebook.model import AggregationHints, Item, Section, StyledText
from cardlang.rulebook.plan.library_constant_folding import select_content
from cardlang.rulebook.plan.sections import sort_sections
from cardlang.rulebook.plan.track_entries import build_setup_items, find_initial_tracks, find_player_tracks
from cardlang.rulebook.realise.game_lexicon import build_lexicon
from cardlang.rulebook.realise.phrases import PhraseScope
from cardlang.rulebook.realise.sentence_aggregation import (
    aggregate_draft,
    build_linked_text,
    drop_repeated_remarks,
    format_step_link,
    realize_item,
)
from tests.game_files import read_game

TEXT = read_game("bank")


def act(text: str, words: str = "") -> Item:
    return Item(text, words, aggregation=AggregationHints(is_action=True))


def lead(text: str, *body: Item, mark: str = ":") -> Item:
    return Item(text, items=body, aggregation=AggregationHints(lead_mark=mark))


# ---------------------------------------------------------------- what is said
def test_technical_tracks_are_omitted() -> None:
    game = cardlang.loads(TEXT)
    told = select_content(game)
    assert [*told.sets] == ["Pack"] and [*game.sets] == ["Pack", "Spare"]
    assert len(told.steps["play"].body) == 1 and len(game.steps["play"].body) == 2
    assert [track.name for track in find_player_tracks(told, game)] == ["score", "round", "pace", "leader"]
    assert [track.name for track in find_initial_tracks(told, game)] == ["score", "leader"]


def test_start_values_become_setup_instructions() -> None:
    numbers = "number hints starts at 8\nnumber fuses starts at 3\nnumber your chips starts at 5\n"
    shown = "".join(f"show {name}\n" for name in ("hints", "fuses", "your chips", "leader"))
    game = cardlang.loads(TEXT + numbers + shown)
    said = [item.text for item in build_setup_items(select_content(game), PhraseScope(build_lexicon(game)))]
    assert said == [
        "Begin with 8 hints and 3 fuses.",
        "Choose the leader at random.",
        "Give each player 5 chips.",
    ]


# ---------------------------------------------------------------- in which order
def test_goal_comes_first() -> None:
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
def test_few_actions_are_one_sentence() -> None:
    one = aggregate_draft(lead("if you can", act("take the gem"), act("add one to your score"), mark=","))
    assert (one.text, one.items) == ("if you can, take the gem and add one to your score", ())
    many = aggregate_draft(lead("if you can", *[act(f"take gem {number}") for number in range(4)], mark=","))
    assert many.text == "if you can:" and len(many.items) == 4


def test_annotated_action_stands_alone() -> None:
    first = aggregate_draft(lead("then", act("take it", "Quickly."), act("stop")))
    assert first.text == "then:" and [item.author_text for item in first.items] == ["Quickly.", ""]
    last = aggregate_draft(lead("then", act("take it"), act("stop", "Quickly.")))
    assert (last.text, last.author_text) == ("then: take it and stop", "Quickly.")


# ---------------------------------------------------------------- referred to
def test_repeated_notes_are_dropped() -> None:
    items = (act("bet", "Go round."), act("draw"), act("bet", "Go round."))
    assert [item.author_text for item in drop_repeated_remarks(items)] == ["Go round.", "", ""]


def test_step_names_link_to_their_section() -> None:
    text = build_linked_text(f"{format_step_link('Trick', 'a trick')} follows {format_step_link('Deal', 'the deal')}.")
    assert text == "A trick follows the deal."
    assert isinstance(text, StyledText)
    assert [span.link for span in text.spans] == ["title:Trick", "", "title:Deal", ""]


# ---------------------------------------------------------------- realised
def test_drafts_become_sentences() -> None:
    item = realize_item(lead("if you can", act("take it", "now")))
    assert (item.text, item.author_text, item.aggregation) == ("If you can: take it.", "Now.", None)
