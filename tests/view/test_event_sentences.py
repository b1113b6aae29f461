"""Card moves as one sentence, with the players affected."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache
from random import Random

import pytest

import cardlang
from interpreter.match.match import Match
from interpreter.view.event_lines import build_event_lines, build_log_lines
from interpreter.view.table_builder import create_viewer_history
from interpreter.view.table_model import ActionMenu
from tests.game_files import read_game
from tests.shipped import load, walk

WHILE = 700


def list_lines(match: Match, viewer: str | None = None) -> list[str]:
    """Return all lines that the viewer has seen."""
    story = create_viewer_history(match.names.game, viewer)
    lines = build_event_lines(match.view(viewer).events, viewer, story.facts.game.sources[0], story.facts.piles)
    return [told.text for told in lines]


def iterate_decisions(name: str, players: int, seed: int) -> Iterator[tuple[Match, ActionMenu]]:
    for match in walk(load(name).start(players, seed), Random(seed), WHILE):
        if match.decision is not None:
            ask = match.table(match.decision.player).ask
            assert ask is not None
            yield match, ask


@cache
def pets() -> tuple[list[str], list[str]]:
    """Return the lines of Tail Story matches, in news and log."""
    lines: list[str] = []
    logs: list[str] = []
    for seed in (3, 4, 6):
        (*_, match) = walk(load("tail_story").start(3, seed), Random(seed), WHILE)
        lines += list_lines(match)
        logs += match.view(None).log
    return lines, logs


def test_swap_is_one_sentence() -> None:
    lines, _ = pets()
    swaps = [line for line in lines if re.fullmatch(r"\w+ gives \[.+\] to \w+ for \[.+\]\.", line)]
    assert len(swaps) > 5
    for swap in swaps:
        given, taken = (cards.split() for cards in re.findall(r"\[(.+?)\]", swap))
        assert len(given) == len(taken) in (1, 2)
    assert not any(" go to " in line or " goes to " in line for line in lines)
    assert not any("chooses [" in lines[lines.index(swap) - 1] for swap in swaps)


def test_taken_cards_are_reported_once() -> None:
    lines, logs = pets()
    assert any(re.search(r" takes \[\w+\] from \w+'s discards", line) for line in lines)
    for at, line in enumerate(logs):
        if re.search(r" takes \[\w+\] from \w+'s discards\.", line):
            assert " goes to " not in logs[at + 1]
    assert not any("puts no cards and" in line for line in lines)


def test_shuffling_into_a_pile_is_one_sentence() -> None:
    lines, logs = pets()
    assert any(re.search(r"shuffles \[.+\] into their deck", line) for line in lines)
    assert not any(re.search(r"puts \[.+\] in their deck", line) for line in lines)
    assert "The cards are gathered and shuffled." in load("golf").start(2, 1).view(None).log
    assert not any("deck is shuffled" in line for line in logs)


def test_cancelled_card_sentence_names_both_cards() -> None:
    lines, _ = pets()
    assert any(re.fullmatch(r"\w+'s \[\w+\] stops \w+'s \[\w+\]\.", line) for line in lines)
    assert not any("undoes" in line or "stops with" in line for line in lines)


def test_turning_a_character_is_reported_once() -> None:
    (*_, match) = walk(load("tail_story").start(3, 3), Random(3), 2000)
    assert match.over
    turned = [line for line in match.view(None).log if "takes its Altered Form" in line]
    assert turned and len({line.split()[0] for line in turned}) == len(turned) <= 3


@pytest.mark.slow
def test_ability_sentence_names_the_current_form() -> None:
    """One to three other players each discard a random card: so says the card of Jack, whose other side is a hunter."""
    own: set[str] = set()
    answered: set[str] = set()
    for seed in (3, 4, 6):
        for _, ask in iterate_decisions("tail_story", 3, seed):
            own |= {action.label for action in ask.actions if action.label.startswith("Use the ability")}
            if " wants to use the ability of " in ask.question:
                answered.add(f"{ask.question} {ask.words}")
    assert "Use the ability of Jack, the Hunter" in own and not any("Beagle" in label for label in own)
    hunted = [said for said in answered if "Hunter" in said]
    assert hunted and all("One to three other players each discard a random card." in said for said in hunted)


def test_dealt_cards_are_reported_together() -> None:
    match = load("golf").start(2, 1)
    assert [line for line in match.view("Ann").log if "Ann is dealt" in line] == [
        "Ann is dealt 6 cards to their face down cards."
    ]


def test_row_swap_names_place_and_cards() -> None:
    (*_, match) = walk(load("golf").start(2, 3), Random(3), 60)
    swaps = [line for line in list_lines(match, "Ann") if " at " in line]
    place = r"(Top|Bottom) (Left|Middle|Right)"
    assert any(re.fullmatch(rf"Bob puts \[\w+\] at {place} and discards \[\w+\]\.", line) for line in swaps)
    assert any(re.fullmatch(rf"You put \[\w+\] at {place} and discard \[\w+\]\.", line) for line in swaps)
    assert not any("keep" in line for line in list_lines(match, "Ann"))
    assert not [each for each in match.table("Ann").moments if each.kind == "result" and " at " in each.headline]


def test_later_eliminated_player_places_higher() -> None:
    apart = 0
    for seed in range(6):
        (*_, match) = walk(load("texas_holdem").start(3, seed), Random(seed), WHILE)
        out = [(each.at, each.who) for each in match.view(None).events if each.kind == "eliminated"]
        if match.over and len({at for at, _ in out}) == 2:
            (_, first), (_, second) = sorted(out, key=lambda each: each[0])
            places = dict(zip(match.players, match.places, strict=True))
            assert (places[str(second)], places[str(first)]) == (2, 3)
            apart += 1
    assert apart


SHOWN = read_game("shown")


def test_shown_hand_is_reported_whole() -> None:
    """Two of the three cards were hidden; the third was taken openly."""
    match = cardlang.loads(SHOWN).start(["Ann", "Bob"], 1)
    (shown,) = [line for line in match.view("Bob").log if " shows " in line]
    assert len(shown.partition("[")[2].split()) == 3


def test_heading_says_your_turn() -> None:
    match = load("tail_story").start(2, 3)
    while match.decision is not None and "turn" not in " ".join(match.table(match.players[0]).heading):
        match.choose(0)
    assert match.decision is not None
    whose = next(name for name in match.players if match.table(name).heading[-1] == "your turn")
    other = next(name for name in match.players if name != whose)
    assert match.table(other).heading[-1] == match.table(None).heading[-1] == f"{whose}'s turn"


def test_keeping_all_cards_is_reported() -> None:
    """It tells the others much, while nothing is said of what is not put anywhere."""
    match = load("tall_card_fan").start(2, 3)
    while match.decision is not None and "discard" not in " ".join(match.decision.moves.texts[:2]):
        texts = match.decision.moves.texts
        match.choose(next(text for text in ("ante-up", "check", "call", "draw", "claim") if text in texts))
    assert match.decision is not None
    who = match.decision.player
    match.confirm(who, ())
    assert any(f"{who} draws and discards no cards" in line for line in list_lines(match))


def test_log_reports_a_swap_once_with_its_source() -> None:
    """Golf: what is taken from the discards goes in the place of a card, which is discarded; one sentence says so."""
    *_, match = walk(load("golf").start(2, 3), Random(3), 40)
    events = match.view(None).events
    lines, told = build_log_lines(events), [event.text for event in events if event.kind == "told"]
    taken = [text for text in told if " from the discards for " in text]
    drawn = [text for text in told if re.search(r" puts \[\w+\] at ", text)]
    assert taken and drawn and {*taken, *drawn} <= {*lines}
    for line in (*taken, *drawn):
        gone = line.rpartition(" and ")[2]
        assert sum(each.endswith(gone) for each in lines) == told.count(line)
        place = line.partition(" for ")[2].partition(" and ")[0]
        assert not place or not any(each.endswith(f" for {place}.") for each in lines)


def test_played_card_is_reported_besides_its_effect() -> None:
    """Cribbage: a run is named with the card that made it; Scopa and Hearts: what somebody takes, with what they played
    last. Each play is a deed of its own."""
    named = 0
    for name, players in (("cribbage", 2), ("scopa", 2), ("hearts", 4)):
        *_, match = walk(load(name).start(players, 1), Random(1), WHILE)
        events = match.view(None).events
        plays = [
            each.text for each in events if each.kind == "moved" and re.fullmatch(r"\w+ plays \[\w+\]\.", each.text)
        ]
        logged = build_log_lines(events)
        assert len(plays) > 50 and [line for line in logged if line in {*plays}] == plays
        named += sum(line.startswith(("Ann pegs", "Bob pegs")) and "[" in line for line in logged)
    assert named
