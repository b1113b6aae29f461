"""Knowledge of shown cards: it lasts until a shuffle or a hidden move, no longer."""

from __future__ import annotations

from random import Random

import pytest

import cardlang
from cardlang import model as g
from cardlang.model import Game
from cardlang.model.traversal import iter_bodies, walk
from interpreter.match.match import Match
from interpreter.program.program import Program
from interpreter.runtime.state import DONE, State, get_choice_type
from tests.game_files import read_game
from tests.match.conftest import PATHS, load
from tests.match.shown_cards import CASES, GUESSED, build_game
from tests.match.worlds import Worlds


# ---------------------------------------------------------------- small games, every course of play
@pytest.mark.slow
@pytest.mark.parametrize("name", CASES)
def test_two_players_know_exactly_what_they_saw(name: str) -> None:
    worlds = Worlds(build_game(name), 2)
    assert worlds.leaks() == []
    if name not in GUESSED:
        assert worlds.forgotten() == []


@pytest.mark.parametrize("name", ["shown by its name", "chosen by another, of what all saw", "picked without looking"])
def test_third_player_knows_exactly_what_they_saw(name: str) -> None:
    worlds = Worlds(build_game(name), 3)
    assert worlds.leaks() == [] and worlds.forgotten() == []


@pytest.mark.parametrize("name", CASES)
def test_samples_have_the_same_view(name: str) -> None:
    match = build_game(name).start(3, 2)
    while match.decision is not None:
        for player in match.players:
            assert all(match.sample(player, seed).view(player) == match.view(player) for seed in range(3))
        match.choose(len(match.decision.moves) - 1)


# ---------------------------------------------------------------- views and logs
def start_match(name: str) -> Match:
    match = build_game(name).start(["Ann", "Bob"], seed=1)
    assert isinstance(match, Match)
    return match


def list_known_cards(match: Match, player: str) -> list[bool]:
    """List which cards of the deck a player knows, from the bottom up, and check that shown codes are right."""
    pile = match.state.z[match.names.program.zone_base["deck"]]
    cards = match.view(player).zone("deck").cards
    assert all(card.code in (None, match.names.get_card_code(real)) for card, real in zip(cards, pile, strict=True))
    return [card.code is not None for card in cards]


def find_burial_line(match: Match, player: str) -> str:
    """Return the line of the log about the card put under the deck."""
    bottom = match.names.get_card_code(match.state.z[match.names.program.zone_base["deck"]][0])
    line = next(line for line in reversed(match.view(player).log) if " put" in line)
    return line.replace(f"[{bottom}]", "THE CARD")


@pytest.mark.parametrize("name", ["chosen", "chosen, and handed to a step", "chosen from a name"])
def test_chooser_still_knows_the_cards_offered(name: str) -> None:
    match = start_match(name)
    match.choose(0)
    assert list_known_cards(match, "Ann") == [True, False, False, True]
    assert list_known_cards(match, "Bob") == [False] * 4
    assert "THE CARD" in find_burial_line(match, "Ann") and "a card" in find_burial_line(match, "Bob").lower()


@pytest.mark.parametrize("name", ["remembered", "remembered twice", "handed to a step", "defined"])
def test_remembering_a_face_up_card_keeps_it_known(name: str) -> None:
    match = start_match(name)
    for player in match.players:
        assert list_known_cards(match, player)[0]
        assert find_burial_line(match, player).startswith("THE CARD")


def test_certain_knowledge_survives_another_choice() -> None:
    """Bob's choice among the two top cards cannot be the card that Ann put at the bottom."""
    match = start_match("chosen twice")
    match.choose(0)
    match.choose(0)
    assert list_known_cards(match, "Ann") == [False, True, False, False, False]
    assert list_known_cards(match, "Bob") == [True, False, False, False, True]


BURIED = read_game("bury")


@pytest.mark.parametrize(
    ("effect", "is_named"), [("put gone under deck", False), ("add gone's value to your score", True)]
)
def test_choice_hidden_by_its_move_is_not_logged(effect: str, is_named: bool) -> None:
    match = cardlang.loads(BURIED.format(effect=effect)).start(["Ann", "Bob"], seed=1)
    match.choose(0)
    lines = [" ".join(line for line in match.view(player).log if "bur" in line) for player in match.players]
    assert "[" in lines[0] and ("[" in lines[1]) is is_named


# ---------------------------------------------------------------- shipped games, at random
POSITIONS = ("top", "bottom", "first", "last")


def is_followed(what: g.Expr) -> bool:
    """Return whether onlookers see which cards move: whole zones, or cards from an end."""
    match what:
        case g.Joined():
            return all(map(is_followed, what.items))
        case g.Agg():
            return what.function in POSITIONS and is_followed(what.list)
    return isinstance(what, g.ZoneCards | g.SetCards)


class Memory:
    """The least that everybody must know, by the events of a match alone: the cards that they saw in a zone or were
    shown, as long as no shuffle and no move that they cannot follow has touched the piles where these are. Cards in a
    zone that a rule hides don't count."""

    def __init__(self, program: Program) -> None:
        self.program, self.sees = program, program.layout.sees
        self.seats = range(program.players + 1)
        self.piles = [set(pile) for pile in program.create_blank_state(0).z]
        self.known: list[set[int]] = [set() for _ in self.seats]
        parts = [part for body in iter_bodies(program.game) for part in walk(body)]
        self.rules = {part.span: part for part in parts if isinstance(part, g.Move | g.Pick | g.Reveal)}
        hidden = tuple(part.cards for part in parts if isinstance(part, g.Hide))
        self.forgotten = {part.zone for part in walk(hidden) if isinstance(part, g.ZoneCards)}
        self.named: dict[int, tuple[set[int], int]] = {}
        """Return cards and the players who know them, by variable."""
        self.pickers: dict[g.Pick, int] = {}

    def chosen(self, state: State, code: int) -> None:
        """Record a choice before it is made."""
        site, seats = self.program.get_site(state), 1 << state.who
        statement = site.statement
        if isinstance(statement, g.Pick):
            self.pickers[statement] = seats
        if isinstance(statement, g.Choose) and code != DONE and get_choice_type(site).tag == "card":
            self.named[statement.var.id] = {code - 1}, seats

    def follow(self, events: list[tuple[object, ...]]) -> None:
        for event in events:
            match event:
                case ("chose", _, int(who), int(site), *_):
                    if isinstance(pick := self.program.sites[site].statement, g.Pick):
                        self.pickers[pick] = 1 << who
                case ("moved", span, _, cards, sources, int(pile), _):
                    self.moved(self.rules.get(span), list(zip(cards, sources, strict=True)), pile)  # type: ignore
                case ("shuffled", _, int(pile)) if pile >= 0:
                    for seat in self.seats:
                        self.known[seat] -= self.piles[pile]
                case ("revealed", span, cards, _, _, int(who)):
                    self.revealed(self.rules.get(span), set(cards), who)  # type: ignore

    def revealed(self, rule: object, cards: set[int], who: int) -> None:
        for seat in self.seats:
            if who >> seat & 1:
                self.known[seat] |= cards
        if isinstance(rule, g.Reveal) and isinstance(var := unwrap_single(rule.cards), g.Var):
            self.named[var.id] = cards, who

    def moved(self, rule: object, moves: list[tuple[int, int]], pile: int) -> None:
        cards = {card for card, _ in moves}
        follows = self.followers(rule, cards)
        for seat in self.seats:
            for card, source in moves:
                if (self.sees[source] | self.sees[pile]) >> seat & 1:
                    if not (self.sees[source] | follows) >> seat & 1 and card not in self.known[seat]:
                        self.known[seat] -= self.find_copies(card, self.piles[source] - cards)
                    self.known[seat].add(card)
                elif not follows >> seat & 1:
                    self.known[seat] -= self.piles[source]
        for card, source in moves:
            self.piles[source].discard(card)
            self.piles[pile].add(card)

    def find_copies(self, card: int, others: set[int]) -> set[int]:
        return {other for other in others if self.program.face[other] == self.program.face[card]}

    def followers(self, rule: object, cards: set[int]) -> int:
        if isinstance(rule, g.Pick):
            if rule.position in POSITIONS and is_followed(rule.source):
                return -1
            return self.pickers.get(rule, 0) if rule.position is None else 0
        if not isinstance(rule, g.Move):
            return 0
        if is_followed(rule.what):
            return -1
        var = unwrap_single(rule.what)
        named, seats = self.named.get(var.id, (set(), 0)) if isinstance(var, g.Var) else (set(), 0)
        return seats if named == cards else 0

    def missing(self, state: State) -> list[tuple[int, int]]:
        """Return the cards that a seat must know, and that the program hides from it."""
        zones, loc = self.program.zones, state.loc
        known = [
            (seat, card)
            for seat in self.seats
            for card in self.known[seat]
            if loc[card] >= 0 and zones[loc[card]].zone.name not in self.forgotten
        ]
        return [(seat, card) for seat, card in known if not self.program.is_visible(state, card, seat)]


def unwrap_single(value: g.Expr) -> g.Expr:
    return value.items[0] if isinstance(value, g.Joined) and len(value.items) == 1 else value


def assert_cards_are_remembered(game: Game, players: int, seed: int, decisions: int) -> None:
    program, random = Program(game, players, True), Random(seed)
    memory, state = Memory(program), program.start(seed, listen=True)
    for _ in range(decisions):
        memory.follow(state.events or [])
        state.events = []
        assert memory.missing(state) == []
        if state.who < 0:
            return
        code = random.choice(state.legal)
        memory.chosen(state, code)
        program.apply(state, code)


@pytest.mark.slow
@pytest.mark.parametrize("name", sorted(PATHS))
def test_no_player_forgets_in_bundled_games(name: str) -> None:
    game = load(name)
    for seed, players in enumerate({game.seats[0], game.seats[-1]}):
        assert_cards_are_remembered(game, players, seed, 150)


def test_card_handed_over_in_go_fish_stays_known() -> None:
    """Go Fish: what a player hands over is shown, so everybody knows it in the hand where it goes."""
    match = load("go_fish").start(3, 1)
    random = Random(1)
    while match.decision is not None and not any("shows" in line for line in match.view(None).log):
        match.choose(random.randrange(len(match.decision.moves)))
    shows = next(line for line in match.view(None).log if "shows" in line)
    codes = set(shows.partition("[")[2].partition("]")[0].split())
    assert codes <= {card.code for zone in match.view(None).table for card in zone.cards}


# ---------------------------------------------------------------- copies
@pytest.mark.parametrize(
    "play",
    [
        "you play 1 from your hand to table",
        "you choose played from your hand\n  move played to table",
        "move random of your hand to table",
    ],
)
def test_another_copy_may_have_left_a_hand(play: str) -> None:
    """Bob saw one card go to Ann's hand. After a card with its face has left, he can't know whether it was that one."""
    game = cardlang.loads(f"{read_game('copies_in_hands')}  {play}\n")
    for seed in range(12):
        match = game.start(["Ann", "Bob", "Cat"], seed)
        seen = {card.code for card in match.view("Bob").zone("hand", "Ann").cards} - {None}
        match.choose("begin")
        for move in range(len(match.decision.moves) if match.decision else 1):
            after = match.clone()
            if after.decision:
                after.choose(move)
            played = {card.code for card in after.view("Bob").zone("table").cards}
            still = {card.code for card in after.view("Bob").zone("hand", "Ann").cards} - {None}
            assert len(played) == len(seen) == 1 and still == seen - played
