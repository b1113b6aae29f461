"""Secret values in samples: redrawn from what is possible, never the real ones."""

from itertools import product

import pytest

import cardlang
from interpreter.bots.bot_players import PlayoutPlayer
from interpreter.match.match import Match
from interpreter.native.background_engine_builds import wait_for_engine
from interpreter.native.playouts import NativePlayouts
from tests.game_files import read_game

SAMPLES = 60
NUMBER = "number your aim seen by owner"
DIE = "kind Die: 1 to 6\nDie your aim seen by owner"
ROLLED = "each player\n set your aim to random of Die"
CHOSEN = "each player\n you choose n from 1 to 5\n  set your aim to n"
TWICE = "each player\n you choose n from 1 to 3\n  add n to your aim"
GAME = read_game("secrets")


def start(head: str, body: str, moves: str = "", players: int = 2) -> Match:
    lines = (f"  {' ' * (len(line) - len(line.lstrip()))}{line}" for line in body.splitlines())
    match = cardlang.loads(GAME.format(head=head, body="\n".join(lines))).start(players, 3)
    for move in moves.split():
        match.choose(move)
    return match


def collect_samples(match: Match, player: str = "Ann", slot: int = 1) -> set[int]:
    """Return the values of Bob's aim in samples, which the player cannot tell from the match."""
    found = set()
    for seed in range(SAMPLES):
        sample = match.sample(player, seed)
        assert sample.view(player) == match.view(player)
        found.add(sample.state.t[match.program.track_base["aim"] + slot])
    return found


ONE_TO_SIX = set(range(6))  # values of a kind are numbered from 0
CASES = {
    "rolled": (DIE, ROLLED, "", ONE_TO_SIX),
    "rolled in set-up": (f"{DIE} starts at random of Die", "", "", ONE_TO_SIX),
    "chosen": (NUMBER, CHOSEN, "1 4", {1, 2, 3, 4, 5}),
    "chosen at the same time": (NUMBER, f"together {CHOSEN}", "1 4", {1, 2, 3, 4, 5}),
    "added up": (NUMBER, f"{TWICE}\n{TWICE}", "1 2 3 3", {2, 3, 4, 5, 6}),
    "an option": ("flag your aim seen by owner", "each player\n you choose one\n  option yes\n   set your aim to yes\n"
                  "  option no", "yes yes", {0, 1}),
    "a player": ("player your aim seen by owner", "each player\n you choose rival from players\n"
                 "  set your aim to rival", "Bob Ann", {0, 1}),
    "worked out from a hidden hand": (NUMBER, "each player\n set your aim to highest of your hand's value", "",
                                      {1, 2, 3, 4, 5, 6}),
    "seen by no player": ("kind Die: 1 to 6\nDie aim seen by nobody", "set aim to random of Die", "", ONE_TO_SIX),
    "for each suit": ("kind Die: 1 to 6\nkind Suit: Red, Blue\nDie your aim for each Suit seen by owner",
                      "each player\n set your aim for Red to random of Die", "", ONE_TO_SIX),
}  # fmt: skip


@pytest.mark.parametrize("name", CASES)
def test_only_opponents_secret_is_redrawn(name: str) -> None:
    head, body, moves, possible = CASES[name]
    match = start(head, body, moves)
    slot = 0 if name == "seen by no player" else 1
    found = collect_samples(match, slot=slot)
    assert len(found) > 1 and found <= possible
    if slot:
        own = match.program.track_base["aim"]
        assert {match.sample("Ann", seed).state.t[own] for seed in range(9)} == {match.state.t[own]}


@pytest.mark.parametrize(("head", "body"), [(NUMBER, CHOSEN), (NUMBER, f"together {CHOSEN}"), (NUMBER, TWICE)])
def test_samples_are_the_same_whatever_the_secret_is(head: str, body: str) -> None:
    samples = [
        [start(head, body, f"1 {number}").sample("Ann", seed).state.t for seed in range(9)] for number in (1, 2, 3)
    ]
    assert samples[0] == samples[1] == samples[2]


def test_secret_that_is_not_set_yet_keeps_its_start() -> None:
    assert collect_samples(start(NUMBER, CHOSEN, "2")) == {0}


@pytest.mark.parametrize("large", [True, False])
def test_sample_agrees_with_what_the_rules_showed(large: bool) -> None:
    """All players see whether Bob scores, which he does for a 5 or a 6."""
    asked = "each player\n if your aim = 5 or your aim = 6\n  add 10 to your score"
    matches = (start(DIE, f"{ROLLED}\n{asked}"), *(start(DIE, f"{asked}\n{ROLLED}\n{asked}"),))
    for match in matches:
        scored = match.state.t[match.program.track_base["score"] + 1] > 0
        assert collect_samples(match) <= ({4, 5} if scored else {0, 1, 2, 3})
    bid = start(NUMBER, f"{CHOSEN}\neach player\n if your aim > 3\n  add 10 to your score", f"1 {5 if large else 2}")
    assert collect_samples(bid) == ({4, 5} if large else {1, 2, 3})


def test_secret_marks_of_cards_are_redrawn() -> None:
    body = "each player\n you choose card from your hand\n  set card's marked to yes"
    match = start("flag card's marked seen by nobody", body)
    for _ in range(2):
        match.choose(0)
    base, hand = match.program.track_base["marked"], match.program.zone_base["hand"] + 1
    places = set()
    for seed in range(SAMPLES):
        state = match.sample("Ann", seed).state
        (place,) = [at for at, card in enumerate(state.z[hand]) if state.t[base + card]]
        places.add(place)
    assert places == {0, 1, 2}


def test_three_players_draw_independent_secrets() -> None:
    match = start(NUMBER, CHOSEN, "1 4 4", players=3)
    base = match.program.track_base["aim"]
    found = {tuple(match.sample("Ann", seed).state.t[base + 1 : base + 3]) for seed in range(SAMPLES)}
    assert len(found) > 3 and found <= {*product(range(1, 6), repeat=2)}


def test_sample_of_a_sample_hides_the_other_secret() -> None:
    match = start(NUMBER, CHOSEN, "1 4")
    for sample in (match.sample("Ann", 1), match.sample("Bob", 1)):
        assert len(collect_samples(sample)) > 1
        assert len(collect_samples(sample, "Bob", 0)) > 1


def test_secrets_follow_undo_and_later_moves() -> None:
    match = start(NUMBER, CHOSEN, "1 4")
    assert len(collect_samples(match)) > 1
    match.undo_choices(1)
    assert collect_samples(match) == {0}
    match.choose("5")
    match.choose("go")
    assert collect_samples(match) <= {1, 2, 3, 4, 5}


def test_native_samples_redraw_secrets() -> None:
    match = start(DIE, ROLLED)
    engine = wait_for_engine(match.program)
    if engine is None:
        pytest.skip("no compiler")
    playouts, slot = NativePlayouts(engine), match.program.track_base["aim"] + 1
    playouts.set_current_state(match.state, 0, 7)
    playouts.set_secret_values(match.get_secret_values(0))
    found = {state.t[slot] for _ in range(SAMPLES) if (state := playouts.sample_state()) is not None}
    assert len(found) > 1 and found == {values[1] for values in match.get_secret_values(0)}


@pytest.mark.parametrize("engines", [None, wait_for_engine])
def test_bot_cannot_guess_a_secret(engines: object) -> None:
    """Ann wins if she names Bob's number: a bot that knew it would always be right."""
    guess = "you may choose n from 1 to 5\n  if n = (last of players)'s aim\n   add 50 to (first of players)'s score"
    body = f"{CHOSEN}\neach player\n {guess}"
    right = 0
    for number in range(1, 6):
        match = start(NUMBER, body, f"1 {number}")
        bot = PlayoutPlayer(1, 8, engines=engines)  # type: ignore[arg-type]
        right += [str(move) for move in match.decision.moves][bot.choose(match)] == str(number)  # type: ignore[union-attr]
    assert right <= 1
