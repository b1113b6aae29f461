"""Showdowns: who won what with which hand, against whom, and why."""

from __future__ import annotations

import re
from random import Random

import pytest

from interpreter.bots.bot_players import make_bot
from interpreter.match.match import Match
from interpreter.narration.hand_titles import CardValueNames
from interpreter.view.table_model import RecentResult
from tests.shipped import Cast, load, walk
from tests.view.test_recent_results import RANKS, moment


def last_of_showdown(name: str) -> tuple[Match, RecentResult]:
    """Return a match after a showdown of several hands with one winner."""
    for seed in range(8, 50):
        for match in walk(Cast(name, 3).start(seed), Random(seed), 400):
            found = moment(match.table(None), "showdown")
            if found is not None and len(found.hands) > 1 and " share" not in found.headline:
                return match, found
    raise AssertionError("no showdown")


def test_showdown_names_winner_pot_hand_and_loser() -> None:
    match, showdown = last_of_showdown("tall_card")
    winner = showdown.headline.split()[0]
    assert showdown.headline.startswith(f"{winner} wins ") and ", over " in showdown.headline
    hands = [hand for hand in showdown.hands if hand.owner]
    owners = {hand.owner for hand in hands}
    assert winner in owners and len(owners) == len(hands)
    for hand in hands:
        assert all(card.up for card in hand.cards) and any(card.counts for card in hand.cards)
    assert (
        any(line.text == showdown.headline.split(", over ")[0] + "." for line in match.table(None).since) or match.over
    )


def test_showdown_shows_shared_cards() -> None:
    for name, pile, cards in (("texas_holdem", "board", 5), ("tall_card", "tall", 1)):
        _, showdown = last_of_showdown(name)
        shared = [hand for hand in showdown.hands if hand.owner is None]
        assert [(hand.name, hand.count) for hand in shared] == [(pile, cards)]
    _, showdown = last_of_showdown("texas_holdem")
    codes = [card.code for hand in showdown.hands for card in hand.cards]
    assert len(codes) == len(set(codes))  # no card of the board is in a hand


@pytest.mark.slow
def test_showdown_explains_wild_cards() -> None:
    """Two shiny dragons are two of one type: one that is wild counts as the other."""
    found = 0
    for seed in range(200):
        if found:
            break
        for match in walk(Cast("tall_card", 3).start(seed), Random(seed), 300):
            told = moment(match.table(None), "showdown")
            wild = (
                re.match(r"(\w+)'s \[(\w+)\] is wild and counts as \[(\w+)\]", " ".join(told.lines)) if told else None
            )
            if told is None or wild is None or f"{wild[1]} wins" not in told.headline:
                continue
            if re.search("with 2 Shiny Dragons", told.headline):
                (hand,) = (hand for hand in told.hands if hand.owner == wild[1])
                assert {card.code for card in hand.cards if card.counts} == {wild[2], wild[3]}
                assert [card.code for pile in told.hands if pile.name == "tall" for card in pile.cards] == [
                    f"T{wild[2]}"
                ]
                found += 1
    assert found


@pytest.mark.slow
def test_uncalled_bet_is_returned_not_won() -> None:
    """Whoever is given something back put in more than all others; the headline is about the pot."""
    found = 0
    for seed in range(12):
        for match in walk(Cast("texas_holdem", 3).start(seed), Random(seed), 150):
            told = moment(match.table(None), "showdown")
            back = re.search(r"(\w+) gets back (\d+) that no one called", " ".join(told.lines)) if told else None
            if told is None or back is None:
                continue
            won = re.match(
                r"(\w+) (?:shares [\w ]+ and )?wins (\d+) (?:from the main pot |of the side pot of [\w ]+ )?with",
                told.headline,
            )
            assert won is not None and won[2] != back[2] and "gets back" not in told.headline
            found += won[1] != back[1]
    assert found


@pytest.mark.slow
def test_showdown_names_the_deciding_cards() -> None:
    """Where the words are the same, the other cards tell; the rule that decides has no words of its own."""
    decided = 0
    for seed in range(12):
        for match in walk(Cast("texas_holdem", 3).start(seed), Random(seed), 150):
            told = moment(match.table(None), "showdown")
            words = re.fullmatch(r"\w+ wins \d+ with (.+), over \w+'s (.+)\.", told.headline) if told else None
            reason = (
                re.match(r"Among the other cards, \[(\w+)\] beats \[(\w+)\]\.", told.lines[0])
                if told and told.lines
                else None
            )
            if words is None or reason is None:
                continue
            one, other = (RANKS.index(code[:-1]) for code in reason.groups())
            assert words[1] == words[2] and one > other
            decided += 1
    assert decided


@pytest.mark.parametrize(
    ("title", "cards", "told"),
    [
        ("Pair", "Kh Ks", "Pair of kings"),
        ("Two pair", "5d Kh 5c Ks", "Two pair (kings and fives)"),
        ("Full house", "Kh 5c Ks 5d Kd", "Full house (three kings and two fives)"),
        ("Straight", "9h 10h Jd Qh Ks", "Straight (nine to king)"),
        ("Straight", "Ah 2c 3d 4d 5d", "Straight (ace to five)"),
        ("Straight", "10h Jd Qh Ks As", "Straight (ten to ace)"),
        ("Flush", "9h 2h Ah 6h 5h", "Flush (ace high)"),
        ("Four of a kind", "6h 6d 6c 6s", "Four of a kind (sixes)"),
        ("High card", "Qh", "High card (queen)"),
        ("Nothing", "", "Nothing"),
    ],
)
def test_hand_title_names_its_values(title: str, cards: str, told: str) -> None:
    game = load("texas_holdem")
    faces = {face.code: face.number for face in game.faces}
    assert CardValueNames(game).format_hand_title(title, [faces[code] for code in cards.split()]) == told


def test_hand_title_omits_cards_without_values() -> None:
    game = load("tall_card")
    faces = {face.code: face.number for face in game.faces}
    assert (
        CardValueNames(game).format_hand_title("2 Dragon Hootenanny", [faces["WhD"], faces["GrD"]])
        == "2 Dragon Hootenanny"
    )


def test_showdown_collects_all_shown_hands() -> None:
    """In the fan rules each player shows in turn; the last one alone would be no comparison."""
    match, told = load("tall_card_fan").start(2, 3), None
    while told is None and match.decision is not None:
        texts = match.decision.moves.texts
        match.choose(next((text for text in ("ante-up", "check", "show", "claim", "draw") if text in texts), texts[0]))
        told = moment(match.table(None), "showdown")
    assert told is not None and {pile.owner for pile in told.hands} == {None, "Ann", "Bob"}


def test_consecutive_showdowns_are_separate() -> None:
    """All but a chip goes into the first hand; the blinds of the next one are then all that somebody has."""
    mixed = 0
    for seed in range(4):
        match = load("texas_holdem").start(2, seed)
        match.choose("raise 197")
        match.choose("call")
        while match.decision is not None and match.decision.moves.texts[0] == "check":
            match.choose("check")
            told = moment(match.table(None), "showdown")
            if told is None:
                continue
            owners = [hand.owner for hand in told.hands]
            assert len(owners) == len(set(owners)) and " win" in told.headline
            dealt = [line.text for line in match.table(None).since if line.anew]
            mixed += len(dealt) > 1
            assert re.findall(r" wins? (\d+)", told.headline)[0] in ("1", "2", "199", "398")
            break
    assert mixed


def test_last_showdown_stays_until_the_end() -> None:
    """By the fan rules whoever has something left is asked for gifts behind the last showdown, and gives none."""
    match, random = Cast("tall_card_fan", 2).start(1), Random(1)
    while not match.over:
        assert match.decision is not None
        texts = [text for text in match.decision.moves.texts if text != "fold"]
        raises = [text for text in texts if text.startswith(("bet", "raise"))]
        gives = texts[0] == "0"
        match.choose(texts[0] if gives else raises[-1] if raises else random.choice(texts))
    showdown, ended = match.table(None).moments[-2:]
    assert (showdown.kind, ended.kind) == ("showdown", "end")
    assert len([hand for hand in showdown.hands if hand.owner]) == 2 and not ended.hands


def test_melded_hands_are_shown_by_group() -> None:
    """Gin: `Bob's melds: [8h 8c 8s], [3s 4s 5s] and [7d 8d 9d].` The cards that are left over come last."""
    match, bot = load("gin_rummy").start(2, 3), make_bot("easy", 1)
    told = None
    while told is None or not told.hands:
        assert match.decision is not None
        knock = next((text for text in match.decision.moves.texts if text.startswith("knock")), None)
        match.choose(knock or bot.choose(match))
        told = moment(match.table(None), "result")
    melded = 0
    for pile in told.hands:
        (melds,) = (line for line in told.lines if line.startswith(f"{pile.owner}'s melds: "))
        groups = " ".join(re.findall(r"\[([^\]]+)\]", melds.partition(" Left over")[0])).split()
        assert [card.code for card in pile.cards][: len(groups)] == groups
        assert [card.counts for card in pile.cards] == [at < len(groups) for at in range(len(pile.cards))]
        melded += len(groups) > 5
    assert melded


@pytest.mark.slow
def test_showdown_names_cards_that_lower_a_hand() -> None:
    """Tall Card: they are of the Tall suit, which another player owns."""
    found = 0
    for seed in range(4):
        for match in walk(Cast("tall_card", 3).start(seed), Random(seed), 100):
            for player in match.players:
                held = {each.label: each.detail for each in match.table(player).readings}.get("You hold", "")
                if " loses ties because of " in held and "is wild" not in held:
                    (suit,) = [card.code for card in match.view(player).zone("tall").cards]
                    assert suit is not None
                    codes = re.findall(r"\[(\w+)\]", held.partition("because of ")[2].partition(":")[0])
                    assert codes and all(code.endswith(suit.removeprefix("T")) for code in codes)
                    assert match.view(None).track("claimer").value not in (None, player)
                    found += 1
    assert found


@pytest.mark.slow
def test_useless_cards_are_explained_to_their_holder() -> None:
    """Tall Card: a Tall dragon counts for the owner of the Tall Card alone, as any card."""
    told = set()
    for seed in range(6):
        for match in walk(Cast("tall_card", 3).start(seed), Random(seed), 60):
            claimer = match.view(None).track("claimer").value
            for player in match.players:
                dragons = {each.label: each.text for each in match.table(player).readings}.get("Tall Dragons", "")
                hand = {card.code for card in match.view(player).zone("hand", player).cards}
                tall = {(card.code or "").removeprefix("T") for card in match.view(None).zone("tall").cards}
                assert not dragons or (claimer is not None and hand & tall)
                if dragons:
                    told.add((claimer == player, dragons.startswith("wild"), dragons.startswith("useless to you")))
    assert told == {(True, True, False), (False, False, True)}


@pytest.mark.slow
def test_showdown_names_raised_and_lowered_hands() -> None:
    """Tall Card: as the numbers by which hands are compared have it, if that decides between equal ranks."""
    found = set()
    for seed in range(12):
        for match in walk(Cast("tall_card", 3).start(seed), Random(seed), 300):
            told = moment(match.table(None), "showdown")
            for line in told.lines if told else ():
                if matched := re.match(r"(\w+)'s .* (wins|loses) ties: (the claimer|another player)'s", line):
                    claimer = matched[3] == "the claimer"
                    assert claimer == (matched[2] == "wins")
                    found.add(matched[2])
    assert found
