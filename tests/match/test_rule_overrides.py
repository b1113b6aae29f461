"""`match.allow`: overrides are recorded, logged, replayed, and keep hidden cards hidden."""

from pathlib import Path

import pytest

import cardlang
from interpreter.match.match import Match
from interpreter.match.state_edits import CardEdit, StateEdit, Surrender, TrackEdit
from interpreter.runtime.errors import MoveError, RecordError, RuleError

HEARTS = cardlang.load("hearts")


def hearts() -> Match:
    """Start a match of Hearts after the pass of three cards."""
    match = HEARTS.start(4, 7)
    assert isinstance(match, Match)
    while match.view("Ann").zone("hand", "Ann").count == 13 and len(match.choices) < 12:
        match.choose(0)
    return match


def test_override_moves_a_card_and_is_logged() -> None:
    match = hearts()
    card = match.view("Bob").zone("hand", "Bob").cards[0]
    match.apply_edit(CardEdit("Bob had one too many.", "zone/hand/Bob#1", "zone/hand/Cat"))
    assert match.view("Bob").zone("hand", "Bob").count == 12
    assert match.view("Cat").zone("hand", "Cat").cards[-1].code == card.code
    assert match.view("Ann").zone("hand", "Cat").cards[-1].code is None
    for player in (None, *match.players):
        told = match.view(player).log[-1]
        assert told == "Override: a card from Bob's hand to Cat's hand. Bob had one too many."


def test_override_names_visible_cards() -> None:
    match = hearts()
    asked = match.decision
    assert asked is not None
    match.choose(0)
    code = match.view(None).zone("table").cards[0].code
    match.apply_edit(CardEdit("", "zone/table#1", f"zone/hand/{asked.player}"))
    assert match.view(None).log[-1] == f"Override: [{code}] from the table to {asked.player}'s hand."


def test_override_sets_a_number() -> None:
    match = hearts()
    match.apply_edit(TrackEdit("", "score", "Cat", "26"))
    assert match.view(None).track("score", "Cat").value == 26
    assert match.view(None).log[-1] == "Override: Cat's score is now 26."


@pytest.mark.parametrize(
    "change",
    [
        CardEdit("", "zone/hand/Bob#14", "zone/table"),
        CardEdit("", "zone/hand/Bob#1", "zone/nowhere"),
        CardEdit("", "card", "zone/table"),
        TrackEdit("", "score", "Zoe", "3"),
        TrackEdit("", "score", "Bob", "many"),
        TrackEdit("", "nothing", None, "3"),
    ],
)
def test_rejected_override_changes_nothing(change: StateEdit) -> None:
    match = hearts()
    before = match.clone()
    with pytest.raises(RuleError):
        match.apply_edit(change)
    assert match == before and match.choices == before.choices


def test_override_leaves_the_player_a_legal_move() -> None:
    """In Fireworks one gives a hint, while there are any, or uses a card of one's hand."""
    match = cardlang.load("fireworks").start(["Ann", "Bob"], seed=7)
    assert isinstance(match, Match)
    for _ in range(5):
        match.apply_edit(CardEdit("", "zone/hand/Ann#1", "zone/discards"))
    with pytest.raises(RuleError, match="Ann would have no legal move"):
        match.apply_edit(TrackEdit("", "hints", None, "0"))
    assert match.view("Ann").track("hints").value == 8


def test_record_replays_overrides(tmp_path: Path) -> None:
    match = hearts()
    match.record(tmp_path / "r.jsonl")
    match.choose(0)
    match.apply_edit(TrackEdit("So be it.", "score", "Cat", "26"))
    match.apply_edit(StateEdit("Bob may look at the rules."))
    match.choose(0)
    match.apply_edit(CardEdit("", "zone/hand/Bob#1", "zone/hand/Cat"))
    match.close()
    again = cardlang.resume(tmp_path / "r.jsonl")
    assert again == match and again.log == match.log
    match.save(tmp_path / "whole.jsonl")
    assert (tmp_path / "whole.jsonl").read_bytes() == (tmp_path / "r.jsonl").read_bytes()


def test_record_with_an_invalid_override_is_rejected(tmp_path: Path) -> None:
    match = hearts()
    match.record(tmp_path / "r.jsonl")
    recorder = match._recorder
    assert recorder is not None
    recorder.write({"allowed": "", "card": "zone/hand/Bob#99", "to": "zone/table"})
    match.close()
    with pytest.raises(RecordError, match="This override failed"):
        cardlang.resume(tmp_path / "r.jsonl")


def test_undo_stops_at_an_override() -> None:
    match = hearts()
    asked = match.decision
    assert asked is not None
    match.choose(0)
    match.apply_edit(StateEdit("Go on."))
    with pytest.raises(MoveError, match="overridden since"):
        match.undo(asked.player)
    match.undo_choices(2)
    assert match.decision is not None and match.decision.player == asked.player


def test_lone_player_gives_up(tmp_path: Path) -> None:
    """Giving up ends a match without a winner, also when its record is resumed. Others' matches go on."""
    match = cardlang.load("klondike").start(["Ann"], 7)
    assert isinstance(match, Match)
    match.record(tmp_path / "match.jsonl")
    match.apply_edit(Surrender("Ann"))
    match.close()
    resumed = cardlang.resume(tmp_path / "match.jsonl")
    assert match.over and resumed.over and not match.winners and resumed.view("Ann").log == match.view("Ann").log
    match.undo("Ann")
    assert not match.over
    with pytest.raises(RuleError):
        hearts().apply_edit(Surrender("Ann"))
